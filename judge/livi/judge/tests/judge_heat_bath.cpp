// SPDX-License-Identifier: MIT
//
// The rows of methods with friction and noise.
#include <livi/judge/tests/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <livi/judge/measures/heat_bath.hpp>
#include <livi/judge/method/declared_accuracy.hpp>

namespace livi::foreign_detail {

void Judge::heat_bath() {
  const auto must = [this](TestId test, const std::string& evidence, const std::string& what, double bound,
                           double strict, const char* reason, const Measure& measure, BuiltInFlaw wrong) {
    Claim claim;
    claim.statement = what;
    claim.interval = {0, bound};
    claim.reason = bound > strict ? reason_of_declared : reason;
    row({test, ProblemKind::langevin}, "yes", evidence, std::move(claim), measure,
        {{built_in_baoab(wrong), Expected::fails}, {built_in_baoab(), Expected::passes}});
    limit_to(strict);
  };
  const Bounds bounds = double_bounds(declares());
  constexpr const char* of_limit =
      "the limit for h to 0 by extrapolation from 2^-8 and 2^-9, which leaves (gamma h)^2 = 1e-5 times a number of "
      "order "
      "one; a factor of the friction or the noise that is wrong is farther away";
  // What is declared of a step is divided by the shortest one.
  const double of_short_steps = allowed(declares(), 1e-3 * 0x1p-9) * 0x1p9;
  must(
      TestId::noise, "affine map of a step", "on springs a step is affine in position, momentum and noise",
      bounds.holds, bounds.strict, bounds.reason,
      [this](ForeignSubject& subject) { return step_is_affine(subject, options_.seed); }, BuiltInFlaw::squared_noise);
  must(TestId::fresh_noise, "affine map of four steps",
       "four steps are one step four times, each with numbers of its own", bounds.holds, bounds.strict, bounds.reason,
       fresh_noise, BuiltInFlaw::old_noise);
  must(TestId::friction, "free bodies and springs, h to 0",
       "momenta of free bodies decay at the rate of the friction; on springs the motion is that of the equations",
       of_short_steps, 1e-3, of_limit, friction_of_free_bodies, BuiltInFlaw::friction_per_body);
  must(TestId::noise_covariance, "free bodies, h to 0",
       "momenta get 2 friction temperature m of variance per time, each body alone", of_short_steps, 1e-3, of_limit,
       noise_of_free_bodies, BuiltInFlaw::shared_noise);
  must(TestId::noise_without_heat, "affine map of a step", "without temperature or friction noise has no effect", 0, 0,
       "a factor of zero: exactly nothing", noise_without_heat, BuiltInFlaw::warm_without_heat);
  must(TestId::noise_later, "affine map of a step",
       "later steps, and those of another size, have the bath of the first", bounds.holds, bounds.strict, bounds.reason,
       noise_later, BuiltInFlaw::bath_ends);
  if (const std::string why = measurements_.why_nothing_is_saved(subject_, problems_.generic.front()); !why.empty())
    does_not_apply({TestId::restart, ProblemKind::langevin}, "nothing is saved: " + why);
  else
    must(TestId::restart, "bitwise, in another process", "a run in the bath continues from what was saved", 0, 0,
         "the same operations on the same numbers: no entry differs", restart_in_a_bath,
         BuiltInFlaw::bath_is_not_saved);
  const auto declared = declares().sampling;
  for (const bool momentum : {false, true}) {
    Claim claim;
    claim.statement = format("the error of the stationary covariance is O(h^%d)", declared.value_or(0));
    claim.interval = {declared.value_or(0) - 0.3, infinity};
    claim.reason = "orders are whole numbers, and on springs some methods have a higher one than otherwise";
    row_beside(
        {momentum ? TestId::sampling_p : TestId::sampling_q, ProblemKind::langevin},
        declared ? std::to_string(*declared) : "-", "stationary covariance", std::move(claim),
        [momentum](ForeignSubject& subject) { return sampling_order(subject, momentum); }, built_in_baoab(),
        built_in_baoab(BuiltInFlaw::first_order_bath), {1.7, infinity}, "the control is to be of order two");
  }
}

}  // namespace livi::foreign_detail
