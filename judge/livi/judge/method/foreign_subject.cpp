// SPDX-License-Identifier: MIT
#include <livi/judge/method/foreign_subject.hpp>

#include <algorithm>
#include <array>

namespace livi {
namespace {

struct KindAndName {
  ProblemKind kind;
  const char* name;
};
/// Every kind, in the order of ProblemKind.
constexpr std::array kinds_and_names = {KindAndName{ProblemKind::mechanical, "mechanical"},
                                        KindAndName{ProblemKind::timed, "timed"},
                                        KindAndName{ProblemKind::separable, "separable"},
                                        KindAndName{ProblemKind::langevin, "langevin"},
                                        KindAndName{ProblemKind::constrained, "constrained"},
                                        KindAndName{ProblemKind::adaptive, "adaptive"},
                                        KindAndName{ProblemKind::extended, "extended"},
                                        KindAndName{ProblemKind::body, "body"},
                                        KindAndName{ProblemKind::constrained_langevin, "constrained_langevin"}};

}  // namespace

bool ForeignDeclaration::computes_in(NumberType type) const {
  return std::ranges::find(numbers, type) != numbers.end();
}
bool ForeignDeclaration::declares_something() const {
  return order || symplectic || symmetric || linear_momentum || angular_momentum || gradients || stability_limit ||
         sampling || hidden || casimir;
}
std::string kind_name(ProblemKind kind) { return std::ranges::find(kinds_and_names, kind, &KindAndName::kind)->name; }
std::optional<ProblemKind> kind_named(const std::string& name) {
  const auto* const found = std::ranges::find(kinds_and_names, name, &KindAndName::name);
  return found == kinds_and_names.end() ? std::nullopt : std::optional(found->kind);
}
bool ForeignDeclaration::takes(ProblemKind kind) const { return std::ranges::find(kinds, kind) != kinds.end(); }
ProblemKind ForeignDeclaration::told(ProblemKind kind) const {
  if (std::ranges::find(only_in_bath, kind) == only_in_bath.end()) return kind;
  return kind == ProblemKind::mechanical ? ProblemKind::langevin : ProblemKind::constrained_langevin;
}

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
