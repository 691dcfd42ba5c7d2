// SPDX-License-Identifier: MIT
//
// Certificates as a file that others can check without livi: for each statement its problem as data, the point, the
// prime, the list of operations, and what came out.
//
// {"format": "livi-certificates-1", "certificates": [...], "left_out": [...]}. Of a certificate, numbers that may not
// fit a double are texts:
//   method, source, property, problem     in words; finding: proved or disproved; seed
//   data        mass (rationals), potential (monomials: coefficient and exponents), symmetries (generator A,
//               translation b, is_translation: the momentum is p . (A q + b)); null where the problem is not of this
//               kind, and then `variables` says all
//   prime, variables (name, value)
//   constants, program                    number i is what instruction i makes: v3 variable 3, c2 constant 2, +4,7
//                                         -4,7 *4,7 /4,7 of the numbers 4 and 7, n4 minus number 4
//   functions, values                     numbers that the statement says vanish, and their values modulo the prime
//   end, end_values                       numbers that are the end of the step, and their values
//   comparisons                           [number, 1 if it was zero]: branches that the method took
//   trace                                 sum of (i + 1) (number i) modulo the prime, so that no operation can be
//                                         changed unseen
// `left_out` has method, property, problem and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/subject.hpp>
#include <livi/scalar/multiprecision.hpp>

namespace livi {

/// M q'' = -grad V with a polynomial V, all of it rational.
struct PolynomialProblem {
  Matrix<Rational, Dynamic> mass;
  std::vector<PolynomialPotential<Rational>::Monomial> potential;
  std::vector<LinearSymmetry<Rational>> symmetries;
};

struct StatementInFile {
  std::string method, source, property, problem;
  std::optional<PolynomialProblem> data = std::nullopt;
  Certificate::Finding finding = Certificate::Finding::undecided;
  RecordedStatement recorded = {};
  std::size_t functions = 0;  ///< how many of the outputs must vanish; the others are the end of the step
};

struct LeftOut {
  std::string method, property, problem, why;
};

class CertificateFile {
 public:
  /// The longest list of operations that is written: more is left out, with its size as the reason.
  static constexpr std::size_t most_operations = 40000;

  /// What is undecided, or too long, goes to the list of what is left out.
  void add(StatementInFile statement);
  void leave_out(LeftOut what) { left_out_.push_back(std::move(what)); }
  /// The properties of a step that the battery decides, small problems first.
  void add(const Subject& subject);
  /// What stands in the file.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::size_t size() const { return statements_.size(); }

 private:
  std::vector<StatementInFile> statements_;
  std::vector<LeftOut> left_out_;
};

/// The same functions without operations that are repeated or lead to no output or comparison.
StraightLineProgram without_repetitions(const StraightLineProgram& program);

}  // namespace livi
