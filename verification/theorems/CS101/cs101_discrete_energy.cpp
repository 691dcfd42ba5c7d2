// SPDX-License-Identifier: MIT
// Theorem: CS101 slides 2 and 17: time and energy are conjugate; the discrete energy of adaptive steps; which of the
// adaptive methods are one
//
// What a change of steps does. Velocity Verlet with the step h keeps H + h^2 H_2 up to h^4,
//
//   H_2 = v . Hess W v / 12 - grad W . M^-1 grad W / 24.
//
// Where the step becomes h' at the state z, the new constant is H(z) + h'^2 H_2(z). The means of H before and after,
// over whole periods, differ by (h'^2 - h^2) H_2(z) - h'^2 <H_2>' + h^2 <H_2>, with < > the mean over a period.
//
// The discrete energy of slide 17. With the substituted Lagrangian L_d(q_k, q_{k+1}, h sigma) + E0 h sigma, E0 the
// energy of the start, it is -d/dh = (E_{k+1} - E0) sigma(q_k, q_{k+1}) = lambda_{k+1} sigma(q_k, q_{k+1}), as
// lambda_{k+1} belongs to the step from q_k on slide 16; slide 17 prints lambda_k.
//
// Two methods. The Lagrangian of sigma (H - E0) with the trapezoidal rule for all of the potential part, d = q_{k+1} - q_k,
//
//   d . M d / (2 h sigma) - h (sigma_k (W_k - E0) + sigma_{k+1} (W_{k+1} - E0)) / 2,    sigma = (sigma_k + sigma_{k+1})/2,
//
// has slide 13 for its DEL equations. Slide 14 with velocity Verlet's L_d has the potential part
// -h sigma (W_k + W_{k+1})/2 instead: different by h (sigma_{k+1} - sigma_k) (W_{k+1} - W_k)/4 = O(h^3).
#include <livi/systems/simple_pendulum.hpp>

#include "study/evidence/adaptive_action.hpp"
#include "study/evidence/adaptive_measures.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"
#include "study/statistics/energy_drift.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_discrete_energy",
          {"CS101", "slides 2 and 17", "slides 2, 17"},
          "Slides 2 and 17: time and energy, the discrete energy of adaptive steps, equivalent methods"};
}

namespace {

using F = Float50;

// --- slide 2 ----------------------------------------------------------------------------------------------------------

/// The smooth means of H and H_2 over many periods of the pendulum.
struct Means {
  double energy = 0, second = 0;
};
using Pendulum = SimplePendulum<double>;
double second_energy(const Vector<double, 1>& q, const Vector<double, 1>& v) {
  const double force = std::sin(q(0));
  return v(0) * v(0) * std::cos(q(0)) / 12 - force * force / 24;
}
template <class State>
Means means(const Pendulum& system, VelocityVerlet<Pendulum>& method, State& z, double h) {
  const long steps = std::lround(2000 / h);
  Means result;
  for (const double weight : smooth_weights(steps)) {
    EXPECT_TRUE(method.step(z, h).ok());
    result.energy += weight * system.energy(z.q, z.v);
    result.second += weight * second_energy(z.q, z.v);
  }
  return result;
}
/// The change of the mean energy where the step changes as the pendulum passes an angle, and the change that is predicted
/// for half the step.
struct Jump {
  double measured = 0, predicted = 0;
};
Jump jump_at(double angle, bool change) {
  const Pendulum system = simple_pendulum<double>();
  VelocityVerlet<Pendulum> method(system);
  const double h = 0.02, next_h = change ? h / 2 : h, predicted_h = h / 2;
  auto z = method.start(Vector<double, 1>(2.0), Vector<double, 1>(0.0));
  const Means before = means(system, method, z, h);
  for (int k = 0; k < 10000 && !(z.v(0) > 0 && std::abs(z.q(0) - angle) < 0.03); ++k)
    EXPECT_TRUE(method.step(z, h).ok());
  EXPECT_LT(std::abs(z.q(0) - angle), 0.03);
  const double second = second_energy(z.q, z.v);
  auto next = method.start(z.q, z.v);
  const Means after = means(system, method, next, next_h);
  return {after.energy - before.energy, (predicted_h * predicted_h - h * h) * second -
                                            predicted_h * predicted_h * after.second + h * h * before.second};
}

/// The exponent of h in -dL_d/d(dt) minus the mean of H at both ends of a step of velocity Verlet.
double exponent_of_conjugate_energy() {
  using D = Dual<F>;
  const auto system = adaptive_problems::coupled<D>();
  using System = std::decay_t<decltype(system)>;
  const auto from = adaptive_problems::generic_state<D, 2>();
  std::vector<double> differences;
  for (int k = 4; k <= 8; ++k) {
    const D h = ratio<D>(1, 1 << k);
    VelocityVerlet<System> method(system);
    auto z = method.start(from.q, from.v);
    EXPECT_TRUE(method.step(z, h).ok());
    const F energy = -verlet_lagrangian(system, from.q, z.q, D(h.value, F(1))).derivative;
    const F mean = (system.energy(from.q, from.v).value + system.energy(z.q, z.v).value) / F(2);
    differences.push_back(to_double(magnitude(F(energy - mean))));
  }
  return fitted_exponent(differences, 1);
}

TEST(Slide2, a_change_of_the_step_changes_the_energy) {
  const Jump low = jump_at(0, true), high = jump_at(1.5, true), kept = jump_at(0, false);
  const double exponent = exponent_of_conjugate_energy();
  EXPECT_TRUE(Interval::around(2, 0.01).contains(exponent)) << exponent;
  expect_verdict(in_one_interval(
      {.id = "CS101.slide2.energy-time",
       .measured = low.measured / low.predicted,
       .interval = Interval::around(1, 0.01),
       .controls = {{.name = "the step changed near the turning point",
                     .measured = high.measured / high.predicted,
                     .expected = Expected::passes},
                    {.name = "the step kept", .measured = kept.measured / kept.predicted}},
       .note =
           text("The mean energy changes by %.3e (predicted %.3e) where the step is halved at the lowest point, by "
                "%.3e (%.3e) near the turning point. -dL_d/d(dt), as p is dL/d(velocity), is the mean of the energies "
                "at both ends of the step up to h^%.3f.",
                low.measured, low.predicted, high.measured, high.predicted, exponent)}));
  report().measurement({.name = "change_of_energy_from_prediction",
                        .value = std::abs(low.measured / low.predicted - 1),
                        .tolerance = {.absolute = 1e-5}});
}

// --- slide 17: one method or two --------------------------------------------------------------------------------------

/// Largest difference of position and time along `steps` steps of two methods, over four densities.
template <class One, class Other>
OverCases differences(const One& one, const Other& other, const F& h, int steps) {
  OverCases result;
  const auto system = adaptive_problems::coupled<F>();
  const auto from = adaptive_problems::generic_state<F, 2>();
  adaptive_problems::for_each_position_density(system, F(3), [&](const char*, const auto& density) {
    auto a = one(system, density);
    auto b = other(system, density);
    auto x = a.start(from.q, from.v);
    auto y = b.start(from.q, from.v);
    F largest(0);
    for (int k = 0; k < steps; ++k) {
      if (!a.step(x, h).ok() || !b.step(y, h).ok()) return result.add(lost);
      largest = larger(largest, larger(RealOf<F>(max_magnitude(x.q - y.q)), magnitude(F(x.t - y.t))));
    }
    result.add(to_double(largest));
  });
  return result;
}
/// The exponent of h in the difference of two methods after the fictitious time 2: the farthest from two of four
/// densities.
template <class One, class Other>
double exponent_of_difference(const One& one, const Other& other) {
  const auto system = adaptive_problems::coupled<F>();
  const auto from = adaptive_problems::generic_state<F, 2>();
  double farthest = 2;
  adaptive_problems::for_each_position_density(system, F(3), [&](const char*, const auto& density) {
    std::vector<double> at_end;
    for (const int steps : {80, 160, 320}) {
      auto a = one(system, density);
      auto b = other(system, density);
      auto x = a.start(from.q, from.v);
      auto y = b.start(from.q, from.v);
      for (int k = 0; k < steps; ++k)
        EXPECT_TRUE(a.step(x, ratio<F>(2, steps)).ok() && b.step(y, ratio<F>(2, steps)).ok());
      at_end.push_back(to_double(larger(RealOf<F>(max_magnitude(x.q - y.q)), magnitude(F(x.t - y.t)))));
    }
    const double exponent = fitted_exponent(at_end, 2);
    if (!(std::abs(exponent - 2) < std::abs(farthest - 2))) farthest = exponent;
  });
  return farthest;
}

TEST(Slide17, with_weights_the_two_approaches_are_one_method) {
  const auto weighted = variational_adaptive(StepRule::mean, PotentialWeight::density);
  constexpr int steps = 10000;
  const OverCases same = differences(hamiltonian_adaptive, weighted, ratio<F>(1, 20), steps),
                  other = differences(hamiltonian_adaptive, variational_adaptive(), ratio<F>(1, 20), steps / 10),
                  naive = differences(naive_adaptive, weighted, ratio<F>(1, 20), steps / 10);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide17.equivalent",
       .measured = same.largest,
       .interval = {0, 1e-14},
       .controls = {{.name = "steps h sigma(q_k) in the place of slide 13", .measured = naive.smallest},
                    {.name = "velocity Verlet's L_d, not weighted",
                     .measured = other.smallest,
                     .expected = Expected::evidence}},
       .note = text("Over 10^4 steps h = 1/20 of a motion of two anharmonic oscillators; 50 digits. With velocity "
                    "Verlet's L_d, which the slides do not exclude, the paths differ by O(h^2) at a fixed time "
                    "(CS101.variational.unweighted), and after 10^3 steps by %.2g to %.2g. The multiplier and the "
                    "substitution are equivalent with any L_d: CS101.slide15.multiplier.",
                    other.smallest, other.largest)}));
  expect_verdict(
      in_one_interval({.id = "CS101.variational.unweighted",
                       .measured = exponent_of_difference(hamiltonian_adaptive, variational_adaptive()),
                       .unit = "power",
                       .interval = Interval::around(2, 0.02),
                       .controls = {{.name = "steps h sigma(q_k) in the place of slide 14",
                                     .measured = exponent_of_difference(hamiltonian_adaptive, naive_adaptive)}}}));
}

// --- slide 17: the discrete energy ------------------------------------------------------------------------------------

constexpr double coarse = 2 * std::numbers::pi / 200;

/// (E_{k+1} - E0) sigma(q_k, q_{k+1}) of a step, E0 = -1/2; without sigma, lambda.
template <class State>
double multiplier_of(const State& before, const State& z, double start = -0.5) {
  const Vector<double, 2> w = (z.q - before.q) / z.last_step;
  return w.squaredNorm() / 2 - (1 / before.q.norm() + 1 / z.q.norm()) / 2 - start;
}
const auto discrete_energy = [](double h) {
  return [h](const auto& before, const auto& z) { return multiplier_of(before, z) * z.last_step / h; };
};
const auto multiplier = [](const auto& before, const auto& z) { return multiplier_of(before, z); };

/// The exponent of h in the largest number of 100 periods.
template <class Make, class NumberOf>
double exponent_of(const Make& make, const NumberOf& number_of) {
  std::vector<double> largest;
  for (const double h : {coarse, coarse / 2, coarse / 4})
    largest.push_back(kepler_long_run(make, 0.6, h, 100, number_of(h)).largest);
  return fitted_exponent(largest, 2);
}

TEST(Slide17, the_discrete_energy_is_nearly_preserved) {
  const LongRun run = kepler_long_run(variational_adaptive(), 0.6, coarse, 1000, discrete_energy(coarse)),
                drifting = kepler_long_run(naive_adaptive, 0.6, coarse, 1000, discrete_energy(coarse));
  const double exponent = exponent_of(variational_adaptive(), discrete_energy);
  EXPECT_TRUE(Interval::around(2, 0.05).contains(exponent)) << exponent;
  EXPECT_LT(std::abs(run.drift()), no_drift);
  EXPECT_GT(std::abs(drifting.drift()), 0.1);
  add_measurements(report(), {{"discrete_energy.largest", run.largest}}, "energy", {.relative = 0.01});
  expect_verdict(in_one_interval(
      {.id = "CS101.slide17.energy",
       .measured = run.growth(),
       .interval = {0.9, 1.1},
       .controls = {{.name = "steps h sigma(q_k)", .measured = drifting.growth()}},
       .note =
           text("At most %.2e, O(h^%.3f); in 1000 periods its mean moves by %.0e of that. Steps h sigma(q_k): at most "
                "%.2e, %.2f of that.",
                run.largest, exponent, std::abs(run.drift()), drifting.largest, std::abs(drifting.drift()))}));
}

TEST(Slide17, lambda_that_stays_bounded_and_small_keeps_the_system_close) {
  const auto of_lambda = [](double) { return multiplier; };
  const LongRun run = kepler_long_run(variational_adaptive(), 0.6, coarse, 1000, multiplier);
  EXPECT_NEAR(run.growth(), 1, 0.1);
  EXPECT_GT(kepler_long_run(naive_adaptive, 0.6, coarse, 1000, multiplier).growth(), 2);
  const double exponent = exponent_of(variational_adaptive(), of_lambda);
  EXPECT_TRUE(Interval::around(2, 0.05).contains(exponent)) << exponent;
  const auto system = adaptive_problems::kepler<double>();
  const auto of_energy = [&](const auto&, const auto& z) { return system.energy(z.q, z.v) + 0.5; };
  const auto own_multiplier = [](const auto&, const auto& z) { return z.multiplier; };
  const LongRun energy = kepler_long_run(variational_adaptive(), 0.6, coarse, 1000, of_energy);
  // With an E_0 that is not the energy of the start the multiplier is as bounded, and the energy moves by as much.
  const auto with_energy = [](double of_term) { return [of_term](auto& z) { z.energy = of_term; }; };
  const auto exponent_with = [&](double of_term) {
    std::vector<double> largest;
    for (const double h : {coarse, coarse / 2, coarse / 4})
      largest.push_back(kepler_long_run(variational_adaptive(), 0.6, h, 100, of_energy, with_energy(of_term)).largest);
    return fitted_exponent(largest, 2);
  };
  const LongRun wrong = kepler_long_run(variational_adaptive(), 0.6, coarse, 1000, own_multiplier, with_energy(-0.25)),
                wrong_energy =
                    kepler_long_run(variational_adaptive(), 0.6, coarse, 1000, of_energy, with_energy(-0.25));
  EXPECT_NEAR(wrong.growth(), 1, 0.01);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide17.lambda-bounded",
       .measured = exponent_with(-0.5),
       .unit = "power",
       .interval = Interval::around(2, 0.05),
       .controls = {{.name = "E_0 = -1/4 for -1/2: lambda as bounded, |H - E0| not small",
                     .measured = exponent_with(-0.25)},
                    {.name = "without the term with E_0", .measured = exponent_with(0)}},
       .note = text(
           "Over 1000 periods with h = 2 pi/200 |lambda| is at most %.2e, O(h^%.3f), in the last tenth %.3f times "
           "what it is in the first; |H - E0| is at most %.2e. With E_0 = -1/4 |lambda| is at most %.2f, in the "
           "last tenth %.4f times what it is in the first, and |H - E0| is %.2f.",
           run.largest, exponent, run.growth(), energy.largest, wrong.largest, wrong.growth(), wrong_energy.largest)}));
}

TEST(Slide17, the_multiplier_of_a_step_has_the_index_of_its_end) {
  using D = Dual<F>;
  const auto system = adaptive_problems::coupled<D>();
  using System = std::decay_t<decltype(system)>;
  const auto from = adaptive_problems::generic_state<D, 2>();
  // Largest differences from -d/dh of the substituted Lagrangian, relative to its largest value.
  double printed = 0, meant = 0, at_start = 0, largest = 0;
  // The ranges of both products: that with the index k is preserved as nearly.
  double least_printed = std::numeric_limits<double>::infinity(), most_printed = -least_printed,
         least_meant = least_printed, most_meant = most_printed;
  const EqualDistances<System> density(system, D(F(3)), ratio<D>(1, 10));
  const SubstitutedLagrangian<System, EqualDistances<System>> lagrangian(system, density, StepRule::mean);
  auto method = variational_adaptive()(system, density);
  auto z = method.start(from.q, from.v);
  const D h = ratio<D>(1, 20);
  for (int k = 0; k < 100; ++k) {
    const auto before = z;
    ASSERT_TRUE(method.step(z, h).ok());
    if (k == 0) continue;  // there is no lambda_0
    const F energy = -lagrangian.value(before.q, z.q, D(h.value, F(1)), z.energy).derivative;
    const F sigma = density_between(density, StepRule::mean, before.q, z.q).value,
            of_start = density.value(before.q).value;
    const auto distance = [&](const F& x) { return to_double(magnitude(F(x - energy))); };
    largest = std::max(largest, to_double(magnitude(energy)));
    printed = std::max(printed, distance(before.multiplier.value * sigma));
    meant = std::max(meant, distance(z.multiplier.value * sigma));
    at_start = std::max(at_start, distance(z.multiplier.value * of_start));
    const double with_last = to_double(F(before.multiplier.value * sigma)),
                 with_next = to_double(F(z.multiplier.value * sigma));
    least_printed = std::min(least_printed, with_last);
    most_printed = std::max(most_printed, with_last);
    least_meant = std::min(least_meant, with_next);
    most_meant = std::max(most_meant, with_next);
  }
  expect_verdict(in_one_interval(
      {.id = "CS101.slide17.index",
       .measured = printed / largest,
       .interval = {0, floor_of_50_digits},
       .controls =
           {{.name = "lambda_{k+1} sigma(q_k, q_{k+1})", .measured = meant / largest, .expected = Expected::passes},
            {.name = "lambda_{k+1} sigma(q_k)", .measured = at_start / largest}},
       .note =
           text("The largest discrete energy of this run is %.1e. The other equality of the slide has the same index, "
                "E_k - E_0 = lambda_k, and the same correction. The printed product is another number, and as nearly "
                "preserved: %.4e to %.4e, where the discrete energy is %.4e to %.4e.",
                largest, least_printed, most_printed, least_meant, most_meant)}));
}

}  // namespace
}  // namespace livi::theorem
