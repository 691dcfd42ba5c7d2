// SPDX-License-Identifier: MIT
//
// write_certificates FILE: certificates of Verlet, Z&S and Lie-Verlet, which are symplectic, and of three methods that
// are not, for the checkers of this folder. Exit status: 0 written, 1 one of them is missing, 2 bad usage or the file
// cannot be written.
#include <iostream>
#include <livi/certificate_file.hpp>
#include <livi/report/atomic_files.hpp>

#include <livi/catalogue/library_subjects.hpp>
#include "study/evidence/rigid_body_statements.hpp"

namespace {

/// The functions of a step on T*SO(3): the differences of the form on all pairs of six variations.
constexpr std::ptrdiff_t functions_of_body = 15;

template <class Statement>
void add_body(livi::CertificateFile& file, const std::string& method, const std::string& source,
              const std::string& problem, Statement statement, std::size_t held) {
  const livi::Certificate certificate = livi::certify(statement);
  statement.with_ends = true;
  livi::RecordedStatement step = livi::record_statement(statement);
  const std::vector<std::uint64_t> values(step.outputs.begin(), step.outputs.begin() + functions_of_body);
  const std::size_t operations = livi::without_repetitions(step.program).instructions.size();
  step.outputs.erase(step.outputs.begin(), step.outputs.begin() + functions_of_body);
  step.program.outputs.erase(step.program.outputs.begin(), step.program.outputs.begin() + functions_of_body);
  file.add({.method = method,
            .source = source,
            .property = "symplectic",
            .problem = problem,
            .finding = certificate.finding,
            .step = std::move(step),
            .held = held,
            .values = values,
            .operations = operations});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_certificates FILE\n";
    return 2;
  }
  try {
    livi::CertificateFile file;
    std::size_t methods = 0;
    for (const auto& [name, subject] : livi::library_subjects())
      if (name == "VelocityVerlet" || name == "ZhangSkeel" || name == "SimplifiedZhangSkeel" || name == "RungeKutta4") {
        const std::size_t before = file.size();
        file.add(*subject);
        if (file.size() > before) ++methods;
      }
    const std::size_t before = file.size();
    add_body(file, "LieVerlet", "BOS09 (8)-(10)", "U = tr(C'Q) + tr(D'Q)^2/2, any inertia",
             livi::theorem::VerletIsSymplectic{}, 0);
    add_body(file, "LieNewmark", "BOS09 (4)-(6)",
             "U = tr(C'Q), C the combination of c0 to c5 that joins w, m and l by (4) and (6), any inertia",
             livi::theorem::NewmarkIsSymplectic{}, 9);
    methods += file.size() - before;
    livi::write_file_atomically(argv[1], file.text());
    std::cout << file.size() << " certificates of " << methods << " methods\n";
    return methods == 6 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "write_certificates: " << error.what() << "\n";
    return 2;
  }
}
