// SPDX-License-Identifier: MIT
//
// The rows on single steps: what they cost, where their closed form is known, and what they depend on.
#include <livi/judge/tests/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace livi::foreign_detail {

void Judge::cost() {
  Claim claim;
  const auto declared = declares().gradients;
  claim.statement = format("a step after the first takes %g gradients", declared.value_or(0));
  claim.interval = declared ? Interval{*declared, *declared} : Interval{};
  claim.reason = "counts are whole numbers";
  row_beside(
      TestId::gradients, declared ? format("%g", *declared) : "-", "counted", std::move(claim),
      [this](ForeignSubject& subject) { return measurements_.gradients(subject, problems_.generic.front()); },
      built_in_verlet(), built_in_runge_kutta_4(), {2, 2}, "the control is to take two gradients");
  // Not declared, and yet paid for.
  Claim others;
  others.statement = "the Hessians, third derivatives and values of V that a step takes";
  others.reason = "a count";
  row(TestId::other_evaluations, "-", "counted", std::move(others),
      [this](ForeignSubject& subject) { return measurements_.other_evaluations(subject, problems_.generic.front()); },
      {});
}

void Judge::closed_forms() {
  const bool exact = !declares().computes_in(NumberType::real) && declares().computes_in(NumberType::rational);
  constexpr double bound = 0x1p-44;
  constexpr const char* reason = "coefficients with 16 digits, some dozens of them: 1e-16 each";
  // Verlet with one coefficient that is wrong by one per thousand.
  const BuiltInMethod long_drift = built_in_splitting("Verlet with a drift of 1001/1000", {1.001}, {0.5, 0.5}, true);
  const BuiltInMethod strong_kick = built_in_splitting("Verlet with kicks of 501/1000", {1}, {0.501, 0.501}, true);
  const std::string evidence = exact ? "closed form, fractions" : "closed form";
  duty(
      TestId::free_particle, evidence, "a step of h advances a free particle by h times its velocity", bound, reason,
      [this](ForeignSubject& subject) {
        Measured worst = measurements_.free_particle(subject, problems_.generic.front());
        const Measured general = measurements_.free_particle(subject, problems_.generic.front(), true);
        return is_worse(general.value, worst.value) ? general : worst;
      },
      long_drift);
  if (declares().tolerance > 0) {
    does_not_apply(TestId::precision, "what a step of 2^-26 changes is less than its tolerance");
  } else {
    duty(
        TestId::precision, "step of 2^-26 from rest", "no bits of numbers are lost", bound, reason,
        [this](ForeignSubject& subject) {
          // Momenta of few bits look like differences of positions. A control is known not to be one.
          const bool is_control = &subject != &subject_;
          const JudgedProblem& first = problems_.generic.front();
          Measured worst = measured_on(first, measurements_.precision(subject, first, is_control));
          if (!declares().takes(ProblemKind::mechanical)) return worst;
          for (const JudgedProblem& problem : accepted_scaled_problems()) {
            if (problem.size() == 3) continue;  // of ordinary size, of other dimensions
            const Measured measured = measurements_.precision(subject, problem, is_control);
            if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
          }
          return worst;
        },
        loses_bits());
  }
  // What a starting procedure leaves stays: a closed form of order two is none of a later step's.
  const int order = declares().memory ? 1 : declares().order.value_or(1);
  if (declares().takes(ProblemKind::mechanical))
    duty(
        TestId::constant_force, evidence, "a step under a constant force is right", bound, reason,
        [this, order](ForeignSubject& subject) {
          Measured worst = measurements_.constant_force(subject, order);
          // A force may be another one in long steps, where nothing but the motion itself shows it.
          const JudgedProblem long_step{.name = "", .masses = {}, .potential = {}, .h = 4};
          for (const Measured& measured : {measurements_.constant_force(subject, order, 0.5, true),
                                           with_steps_that_exist(long_step, [&](const JudgedProblem& of) {
                                             return measurements_.constant_force(subject, order, of.h);
                                           })})
            if (is_worse(measured.value, worst.value)) worst = measured;
          return worst;
        },
        strong_kick);
  if (declares().takes(ProblemKind::timed)) {
    Claim claim;
    claim.statement = "forces 1, t, t^2 up to t^(order - 1) are integrated exactly";
    claim.interval = {0, allowed(declares(), bound)};
    claim.reason = claim.interval.high > bound ? reason_of_declared : reason;
    row(TestId::forces_of_time, "yes", evidence, std::move(claim),
        [this, order](ForeignSubject& subject) { return measurements_.forces_of_time(subject, order); },
        {{strong_kick, Expected::fails}, {built_in_runge_kutta_4(), Expected::passes}});
    limit_to(bound);
  }
}

void Judge::dependence() {
  // The first problem of every kind that the method takes.
  std::vector<const JudgedProblem*> kinds;
  for (const JudgedProblem& problem : problems_.generic)
    if (std::ranges::none_of(kinds, [&](const JudgedProblem* other) { return other->kind == problem.kind; }))
      kinds.push_back(&problem);
  const auto on_kinds = [this, kinds](Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&)) {
    return [this, kinds, measure](ForeignSubject& subject) {
      Measured worst{-1};
      for (const JudgedProblem* problem : kinds) {
        const Measured measured = (measurements_.*measure)(subject, *problem);
        if (is_worse(measured.value, worst.value)) worst = measured_on(*problem, measured);
      }
      return worst;
    };
  };
  const JudgedProblem& problem = problems_.generic.front();
  constexpr const char* bitwise = "the same operations on the same numbers: no entry differs";
  duty(TestId::repetition, "bitwise, in another process", "the same steps lead to the same numbers", 0, bitwise,
       on_kinds(&Measurements::repetition), built_in_verlet(BuiltInFlaw::counts_steps));
  duty(TestId::batch, "bitwise", "k steps at once are k steps one by one", 0, bitwise, on_kinds(&Measurements::batch),
       built_in_verlet(BuiltInFlaw::counts_steps));
  duty(TestId::history, "bitwise, beside another process", "a start forgets the run before it", 0, bitwise,
       on_kinds(&Measurements::history), built_in_verlet(BuiltInFlaw::remembers));
  const BuiltInMethod old_force{.name = "Verlet that never computes its force anew",
                                .parts = {{StepPart::What::kick_with_last_force, 1, 2},
                                          {StepPart::What::drift, 1},
                                          {StepPart::What::kick_with_last_force, 1, 2}}};
  if (declares().memory) {
    Claim claim;
    claim.statement = "a step depends on more than time, position and momentum";
    claim.interval = {allowed(declares(), 0x1p-40), infinity};
    claim.reason = "a memory that changes no more than rounding is none";
    row(TestId::memory, "yes", "steps of one size, and of changing size", std::move(claim),
        on_kinds(&Measurements::memory), {{built_in_verlet(), Expected::fails}, {old_force, Expected::passes}});
  } else {
    duty(TestId::memory, "steps of one size, and of changing size",
         "a step depends on time, position and momentum alone", 0x1p-44,
         "rounding: a method may keep q and p in another form", on_kinds(&Measurements::memory), old_force);
  }
  if (const std::string why = measurements_.why_nothing_is_saved(subject_, problem); !why.empty()) {
    does_not_apply(TestId::restart, "nothing is saved: " + why);
    return;
  }
  duty(TestId::restart, "bitwise, in another process", "a run continues from what was saved", 0, bitwise,
       on_kinds(&Measurements::restart), built_in_verlet(BuiltInFlaw::forgets_in_saved));
}

void Judge::number_types() {
  for (const auto& [type, test, name] : {std::tuple(NumberType::digits, TestId::double_digits, "many digits"),
                                         std::tuple(NumberType::rational, TestId::double_fractions, "fractions"),
                                         std::tuple(NumberType::complex, TestId::double_complex, "complex numbers")}) {
    if (!declares().computes_in(type)) continue;
    const NumberType other = type;
    duty(
        test, "one step in both", std::string("a step in double is that in ") + name, 0x1p-44,
        "rounding in double: some hundred operations of 1.1e-16",
        [this, other](ForeignSubject& subject) {
          return worst_over(problems_for(other), [&](const JudgedProblem& problem) {
            return measurements_.number_types(subject, problem, other);
          });
        },
        loses_bits());
  }
}

}  // namespace livi::foreign_detail
