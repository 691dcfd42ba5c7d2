// SPDX-License-Identifier: MIT
//
// Certificates as a file that others can check without livi: for each statement its problem as data, the point, the
// prime, the operations of a step, and their results.
//
// {"format": "livi-certificates-2", "methods": {name: number of its certificates}, "certificates": [...],
// "left_out": [...], "trace": ...}. A certificate has the operations of one step from any point, and no functions: its
// reader forms those of the property from the step. Numbers that may not fit a double are texts:
//   method, source, property, problem     in words; finding: proved or disproved; seed, of livi's points
//   data        mass (rationals), potential (monomials: coefficient and exponents), symmetries (generator A,
//               translation b, is_translation: the momentum is p . (A q + b)), and then `variables` are q, p and h;
//               null where the problem is not of this kind (a rigid body), and then `variables` says all
//   prime, variables (name, value)
//   constants, program                    number i is what instruction i makes: v3 variable 3, c2 constant 2, +4,7
//                                         -4,7 *4,7 /4,7 of the numbers 4 and 7, n4 minus number 4
//   end, end_values                       numbers that are the end of the step, q then p, and their values modulo the
//                                         prime; of a body Q by columns and mu at the start, then at the end
//   held                                  numbers that do not vary with the point: derivatives take them for constants
//   comparisons                           [number, 1 if it was zero]: branches that the method took
//   values                                livi's values of the functions of the property at the point. With F a step of
//                                         h and R (q, p) = (q, -p): symplectic, the entries above the diagonal of
//                                         J' Omega J - Omega by rows; symmetric, F_{-h} F - 1, then R F R F - 1; linear
//                                         and angular momentum, its change for each such symmetry
//   assumed                               what livi assumed about signs, in words
//   trace                                 checksum (FNV-1a, 64 bits) of the certificate as compact JSON without it
// `left_out` has method, property, problem and reason; the trace of the file is that of all of it, without itself.
// Traces are against accidents: whoever forges a file makes new ones. The protection against forgery is what the
// checker forms itself: the functions of the property, and at h = 0 the equations of `data`, to first order. (A step
// that has an expansion in h and does not satisfy them is refused: it belongs to no method for this problem. One that
// divides by h is not compared.)
//
// No file can show that the operations are a step of the method, that a problem is the library's of that name, that no
// certificate was left out, or that `comparisons` are complete; nor, for a body, that its attitudes are rotations and
// that the numbers of `held` do not vary. Nothing that is checked depends on `seed`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/subject.hpp>
#include <livi/scalar/multiprecision.hpp>

namespace livi {

/// A problem M q'' = -grad V with a polynomial V, all of it rational.
struct PolynomialProblem {
  Matrix<Rational, Dynamic> mass;
  std::vector<PolynomialPotential<Rational>::Monomial> potential;
  std::vector<LinearSymmetry<Rational>> symmetries;
};

struct StatementInFile {
  std::string method, source, property, problem;
  std::optional<PolynomialProblem> data = std::nullopt;
  Certificate::Finding finding = Certificate::Finding::undecided;
  RecordedStatement step = {};             ///< its outputs are `end`, then `held`
  std::size_t held = 0;                    ///< number of outputs that are held
  std::vector<std::uint64_t> values = {};  ///< values of the functions that must vanish, at the point of `step`
  std::size_t operations = 0;              ///< number of operations by which livi made these values
};

struct LeftOut {
  std::string method, property, problem, why;
};

class CertificateFile {
 public:
  /// The most operations for the functions of a property. A property with more is left out, with its size as the
  /// reason.
  static constexpr std::size_t most_operations = 40000;

  /// Adds a statement. One that is undecided or too long is added to the list of what is left out.
  void add(StatementInFile statement);
  void leave_out(LeftOut what) { left_out_.push_back(std::move(what)); }
  /// Adds the properties of a step that the battery decides, small problems first.
  void add(const Subject& subject);
  /// Returns the text of the file.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::size_t size() const { return statements_.size(); }

 private:
  std::vector<StatementInFile> statements_;
  std::vector<LeftOut> left_out_;
};

/// Returns a program with the same functions, without operations that are repeated or lead to no output or comparison.
StraightLineProgram without_repetitions(const StraightLineProgram& program);

}  // namespace livi
