// SPDX-License-Identifier: MIT
#include <livi/foreign/foreign_subject.hpp>

#include <algorithm>

namespace livi {

bool ForeignDeclaration::computes_in(NumberType type) const {
  return std::ranges::find(numbers, type) != numbers.end();
}
bool ForeignDeclaration::declares_something() const {
  return order || symplectic || symmetric || linear_momentum || angular_momentum || gradients || stability_limit ||
         sampling || hidden || casimir;
}
std::string kind_name(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::mechanical:
      return "mechanical";
    case ProblemKind::timed:
      return "timed";
    case ProblemKind::separable:
      return "separable";
    case ProblemKind::langevin:
      return "langevin";
    case ProblemKind::constrained:
      return "constrained";
    case ProblemKind::adaptive:
      return "adaptive";
    case ProblemKind::extended:
      return "extended";
    case ProblemKind::body:
      return "body";
    case ProblemKind::constrained_langevin:
      return "constrained_langevin";
  }
  return "";
}
bool ForeignDeclaration::takes(ProblemKind kind) const { return std::ranges::find(kinds, kind) != kinds.end(); }

std::unique_ptr<ForeignRun<std::complex<double>>> ForeignSubject::in_complex(Forces<std::complex<double>>&) {
  throw ForeignRefusal("it does not compute in complex numbers");
}
std::unique_ptr<ForeignRun<Float50>> ForeignSubject::in_digits(Forces<Float50>&) {
  throw ForeignRefusal("it does not compute in many digits");
}
std::unique_ptr<ForeignRun<Rational>> ForeignSubject::in_rational(Forces<Rational>&) {
  throw ForeignRefusal("it does not compute in fractions");
}

}  // namespace livi
