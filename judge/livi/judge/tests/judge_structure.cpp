// SPDX-License-Identifier: MIT
//
// The rows on what a step preserves: dq ^ dp, symmetry, momenta.
#include <livi/judge/tests/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace livi::foreign_detail {

namespace {

constexpr const char* first_step_of_memory = "it declares memory=yes: a first step is that of its starting procedure";
constexpr Bounds exact_bounds{0, std::numeric_limits<double>::denorm_min(), "exact: zero or not", 0};

}  // namespace

std::vector<JudgedProblem> Judge::problems_for(NumberType type) const {
  if (type != NumberType::rational) return problems_.generic;
  // Fractions grow with the degree of the forces: of the mechanical ones two fixed problems of degree four, and cubic
  // ones.
  std::vector<JudgedProblem> all;
  for (std::size_t k = 0; k < problems_.generic.size(); ++k)
    if (k < 2 || problems_.generic[k].kind != ProblemKind::mechanical) all.push_back(problems_.generic[k]);
  for (const JudgedProblem& problem : problems_.cubics)
    if (problem.name != problems_.cubic.name) all.push_back(problem);
  return all;
}

Measured Judge::worst_over(const std::vector<JudgedProblem>& problems,
                           const std::function<Measured(const JudgedProblem&)>& measure) {
  Measured worst{-1};
  for (const JudgedProblem& problem : problems) {
    const Measured measured = measure(problem);
    if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
    if (std::isnan(worst.value) || (worst.exact && worst.value > 0)) break;
  }
  return worst;
}

Measure Judge::over_generic(Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&, NumberType),
                            NumberType type) {
  return [this, measure, type](ForeignSubject& subject) {
    return worst_over(problems_for(type),
                      [&](const JudgedProblem& problem) { return (measurements_.*measure)(subject, problem, type); });
  };
}

Measured Judge::dyadic_defect(ForeignSubject& subject) {
  Measured worst{-1};
  std::size_t exact = 0;
  for (const JudgedProblem& problem : problems_.cubics) {
    Measured measured{not_a_number};
    try {
      measured = measurements_.exact_in_double(subject, problem);
    } catch (const ForeignRefusal& refusal) {
      measured.note = refusal.what();
    }
    if (std::isnan(measured.value)) {
      if (exact == 0) return measured;
      continue;
    }
    ++exact;
    if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
  }
  worst.note += format("; without rounding on %zu of ", exact) + counted(problems_.cubics.size(), "problem");
  return worst;
}

void Judge::symplecticity() {
  const auto declared = declares().symplectic;
  const std::string what = "a step preserves dq ^ dp";
  const BuiltInMethod without = is_not_symplectic(), with = built_in_verlet();
  if (declares().computes_in(NumberType::real)) {
    property(TestId::symplectic, declared, "loop integral, double", what, double_bounds(declares()),
             over_generic(&Measurements::loop_integral, NumberType::real), without, with);
    const auto exactly = [this](ForeignSubject& subject) { return dyadic_defect(subject); };
    if (declares().memory) {
      does_not_apply(TestId::symplectic_dyadic, first_step_of_memory);
    } else if (problems_.cubics.empty()) {
      does_not_apply(TestId::symplectic_dyadic, "it does not take the kind of problem whose operations are exact");
    } else if (const Measured first = exactly(subject_); std::isnan(first.value)) {
      does_not_apply(TestId::symplectic_dyadic, first.note);
    } else {
      property(TestId::symplectic_dyadic, declared, "exact Jacobian, double", what, exact_bounds, exactly,
               built_in_explicit_euler(), with);
    }
  }
  if (declares().computes_in(NumberType::complex) && declares().memory)
    does_not_apply(TestId::symplectic_complex, first_step_of_memory);
  else if (declares().computes_in(NumberType::complex))
    property(
        TestId::symplectic_complex, declared, "complex-step Jacobian", what, double_bounds(declares()),
        [this](ForeignSubject& subject) {
          return worst_over(problems_.generic,
                            [&](const JudgedProblem& problem) { return measurements_.complex_step(subject, problem); });
        },
        without, with);
  if (declares().computes_in(NumberType::digits))
    property({TestId::symplectic, ProblemKind::mechanical, NumberType::digits}, declared,
             format("loop integral, %d digits", declares().digits), what, digits_bounds(declares()),
             over_generic(&Measurements::loop_integral, NumberType::digits), without, with);
  if (declares().computes_in(NumberType::rational)) {
    if (declares().memory) {
      does_not_apply(TestId::symplectic_fractions, first_step_of_memory);
    } else if (!problems_.cubics.empty()) {
      property(
          TestId::symplectic_fractions, declared, "exact, fractions", what, exact_bounds,
          [this](ForeignSubject& subject) {
            return worst_over(problems_.cubics, [&](const JudgedProblem& problem) {
              return measurements_.exact_in_fractions(subject, problem);
            });
          },
          without, with);
    } else {
      does_not_apply(TestId::symplectic_fractions, "it does not take the kind of problem of this row");
    }
  }
}

void Judge::symmetry() {
  const auto declared = declares().symmetric;
  const std::string what = taken_back(), of_what = declares().forward ? "reversal of momenta" : "reversal";
  const BuiltInMethod without = built_in_symplectic_euler(), with = built_in_verlet();
  if (declares().computes_in(NumberType::real))
    property(TestId::symmetric, declared, of_what + ", double", what, double_bounds(declares()),
             over_generic(&Measurements::reversal, NumberType::real), without, with);
  if (declares().computes_in(NumberType::digits))
    property({TestId::symmetric, ProblemKind::mechanical, NumberType::digits}, declared,
             of_what + format(", %d digits", declares().digits), what, digits_bounds(declares()),
             over_generic(&Measurements::reversal, NumberType::digits), without, with);
  if (declares().computes_in(NumberType::rational) && declares().memory)
    does_not_apply({TestId::symmetric, ProblemKind::mechanical, NumberType::rational}, first_step_of_memory);
  else if (declares().computes_in(NumberType::rational))
    property({TestId::symmetric, ProblemKind::mechanical, NumberType::rational}, declared, "exact, fractions", what,
             exact_bounds, over_generic(&Measurements::reversal, NumberType::rational), without, with);
  if (declared == true) smooth_symmetry();
}

void Judge::smooth_symmetry() {
  if (const int order = declares().order.value_or(0); order % 2 == 1)
    result_.rows.push_back(odd_order_of_symmetric(declares(), TestId::symmetric_order));
  if (!declares().computes_in(NumberType::real) || problems_.generic.empty()) return;
  if (declares().forward) {
    does_not_apply(TestId::symmetric_signs, makes_no_steps_back);
    return;
  }
  property(
      TestId::symmetric_signs, true, "one step, double", "a step of -h is that of h with time and momenta turned",
      double_bounds(declares()),
      [this](ForeignSubject& subject) {
        return worst_over(problems_.generic,
                          [&](const JudgedProblem& problem) { return measurements_.turned_step(subject, problem); });
      },
      built_in_symplectic_euler(BuiltInFlaw::turned_back), built_in_verlet());
}

void Judge::momenta() {
  if (!declares().takes(ProblemKind::mechanical)) {
    does_not_apply(TestId::momentum, "it does not take the kind of problem that has momentum maps");
    return;
  }
  for (const bool angular : {false, true}) {
    const auto declared = angular ? declares().angular_momentum : declares().linear_momentum;
    const TestId test = angular ? TestId::angular_momentum : TestId::linear_momentum;
    const BuiltInMethod without =
        angular ? is_not_symplectic() : built_in_verlet(is_coarse() ? BuiltInFlaw::pushes_hard : BuiltInFlaw::pushes);
    for (const auto& [type, evidence, bounds] :
         {std::tuple(NumberType::real, "64 steps, double", double_bounds(declares())),
          std::tuple(NumberType::digits, "64 steps, many digits", digits_bounds(declares())),
          std::tuple(NumberType::rational, "exact, one step, fractions", exact_bounds)}) {
      if (!declares().computes_in(type)) continue;
      if (type == NumberType::rational && declares().memory) {
        does_not_apply({test, ProblemKind::mechanical, type}, first_step_of_memory);
        continue;
      }
      const NumberType in = type;
      property(
          {test, ProblemKind::mechanical, type}, declared, evidence,
          std::string(row_entry(test).name) + " is conserved", bounds,
          [this, angular, in](ForeignSubject& subject) {
            return worst_over(problems_.bodies, [&](const JudgedProblem& problem) {
              return measurements_.momentum(subject, problem, angular ? problem.angular : problem.linear, in);
            });
          },
          without, built_in_verlet());
    }
  }
}

std::vector<JudgedProblem> Judge::accepted_scaled_problems() {
  std::vector<JudgedProblem> problems = scaled_problems(options_.seed);
  make_possible(problems);
  std::erase_if(problems,
                [&](const JudgedProblem& problem) { return !measurements_.why_refused(subject_, problem).empty(); });
  return problems;
}

bool Judge::is_small(const JudgedProblem& problem) {
  const auto largest = [](const std::vector<double>& x) {
    double size = 0;
    for (const double entry : x) size = std::max(size, std::abs(entry));
    return size;
  };
  return largest(problem.start.q) < 0.125 || largest(problem.start.p) < 0.125;
}

void Judge::reach() {
  if (!declares().computes_in(NumberType::real) || !declares().takes(ProblemKind::mechanical)) return;
  // What holds on the problems above is to hold on others: of other sizes, masses, steps and numbers of bodies.
  for (const bool symplectic : {true, false}) {
    if ((symplectic ? declares().symplectic : declares().symmetric) != true) continue;
    const TestId test = symplectic ? TestId::symplectic_reach : TestId::symmetric_reach;
    if (declares().memory) {
      does_not_apply(test, first_step_of_memory);
      continue;
    }
    property(
        test, true, symplectic ? "loop integrals, double" : "reversal, double",
        "the property holds for all sizes, masses, steps and degrees of freedom", double_bounds(declares()),
        [this, symplectic](ForeignSubject& subject) {
          Measured worst{-1};
          for (const JudgedProblem& problem : accepted_scaled_problems()) {
            if (declares().tolerance > 0 && is_small(problem)) continue;
            const Measured measured = symplectic ? measurements_.one_loop(subject, problem)
                                                 : measurements_.reversal(subject, problem, NumberType::real);
            if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
            if (std::isnan(worst.value)) break;
          }
          return worst;
        },
        is_not_symplectic(), built_in_verlet());
  }
}

}  // namespace livi::foreign_detail
