// SPDX-License-Identifier: MIT
// Theorem: CS101 slides 2 and 14 to 17: time and energy, the variational adaptive method, its signs, and the Hamiltonian
// method
//
// Signs. Slide 16 defines E_k = dL_d(q_{k-1}, q_k, t_{k-1}, t_k)/dt_k. The derivative of an action in the later time is
// minus the energy, so that the printed E_k and E_0 are minus the physical ones, and slide 14's -E_0 h sigma is + (energy
// of the start) h sigma, as it must be: the Lagrangian of sigma (H - H0) is sigma (L + H0). The action of slides 15 and
// 16, sum of L_d + lambda_{k+1} (t_{k+1} - t_k - h sigma), is stationary in t_k and q_k if, with the printed E_k,
//
//   lambda_{k+1} = lambda_k + E_k - E_{k+1},      DEL - h lambda_{k+1} D1 sigma - h lambda_k D2 sigma = 0;
//
// printed are E_{k+1} - E_k and plus signs. Both come right if lambda has the other sign in the action, which changes
// nothing else. Or E_k is the physical energy, -dL_d/dt_k; then slide 14 and the two sigma terms need the other sign.
// (Slide 18 puts the physical energy under its root and calls it E_0, too.)
#include <Eigen/LU>

#include "study/evidence/adaptive_action.hpp"
#include "study/evidence/adaptive_measures.hpp"
#include "study/misprints/variational_adaptive_as_printed.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"
#include "study/statistics/energy_drift.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_variational",
          {"CS101", "slides 2 and 14 to 17", "slides 2, 14-17"},
          "Slides 2 and 14 to 17: time and energy, the variational adaptive method and its signs"};
}

namespace {

using misprints::EnergyOfStep;
using misprints::MultiplierTerms;
using F = Float50;
using D = Dual<F>;

// --- methods ----------------------------------------------------------------------------------------------------------

auto with_signs(EnergyOfStep energy, MultiplierTerms terms) {
  return [=](const auto& system, const auto& density) {
    return adaptive_method<misprints::VariationalAdaptiveAsPrinted>(system, density, energy, terms);
  };
}

const Interval zero{0, floor_of_50_digits};

/// Calls f(system, density) for the systems and densities, over dual numbers.
template <class Number, class Function>
void for_each_case(const Function& f) {
  for_each_adaptive_system<Number>([&](const auto& system, const Number& energy) {
    adaptive_problems::for_each_position_density(system, Number(energy + Number(1)),
                                                 [&](const char*, const auto& density) { f(system, density); });
  });
}
constexpr StepRule all_rules[] = {StepRule::start, StepRule::mean, StepRule::midpoint};

// --- slides 15 and 16: the action with a multiplier -------------------------------------------------------------------

/// Two steps h = 1/10 of a method in the augmented action, with multipliers of a kind: the largest derivatives in the
/// position and the time between the steps and in the multipliers, and the differences of momenta and energy at both
/// ends from the derivatives there.
struct ActionDefects {
  double q = 0, t = 0, lambda = 0, ends = 0;
  void include(const ActionDefects& other) {
    q = std::max(q, other.q);
    t = std::max(t, other.t);
    lambda = std::max(lambda, other.lambda);
    ends = std::max(ends, other.ends);
  }
};
/// What lambda_{k+1} is: the method's own; E_{k+1} - E_0 with E = -dL_d/dt or dL_d/dt, or with H at the end of the step; or
/// the second of these of the first step for both.
enum class Multiplier { own, physical, as_printed, of_states, constant };
struct Reading {
  Multiplier multiplier = Multiplier::physical;
  int sign_in_action = 1;
  bool extra_terms = true;
};
template <class Make, class System, class Density>
ActionDefects action_defects(const Make& make, const System& system, const Density& density, StepRule rule,
                             const Reading& reading) {
  constexpr int n = System::dimension;
  using Action = AugmentedAction<System, Density>;
  const D h = ratio<D>(1, 10);
  auto method = make(system, density);
  const auto from = adaptive_problems::generic_state<D, n>();
  auto z = method.start(from.q, from.v);
  typename Action::Variables at(static_cast<std::size_t>(Action::count), F(0));
  const auto number = [&](int i) -> F& { return at[static_cast<std::size_t>(i)]; };
  std::array<VectorOf<System>, 2> momenta;  // at both ends
  std::array<F, 2> own{F(0), F(0)}, of_states{F(0), F(0)};
  for (int k = 0; k <= 2; ++k) {
    if (k > 0 && !method.step(z, h).ok()) return {lost, lost, lost, lost};
    if (k > 0) {
      of_states[static_cast<std::size_t>(k - 1)] = system.energy(z.q, z.v).value - system.energy(from.q, from.v).value;
      if constexpr (requires { z.multiplier; }) own[static_cast<std::size_t>(k - 1)] = z.multiplier.value;
    }
    for (int i = 0; i < n; ++i) number(n * k + i) = z.q(i).value;
    number(Action::times + k) = z.t.value;
    if (k != 1) momenta[static_cast<std::size_t>(k / 2)] = system.momentum(z.v);
  }
  const Action action(system, density, rule, h.value);
  const F start = system.energy(from.q, from.v).value;
  for (int k = 0; k < 2; ++k) {
    const F physical = action.energy(at, reading.multiplier == Multiplier::constant ? 0 : k) - start;
    const auto step = static_cast<std::size_t>(k);
    number(Action::multipliers + k) = reading.multiplier == Multiplier::own          ? own[step]
                                      : reading.multiplier == Multiplier::of_states  ? of_states[step]
                                      : reading.multiplier == Multiplier::as_printed ? F(-physical)
                                                                                     : physical;
  }
  const auto largest = [&](int first, int last) {
    return action.largest(at, first, last, reading.sign_in_action, reading.extra_terms);
  };
  const auto derivative = [&](int i) { return action.derivative(at, i, reading.sign_in_action, reading.extra_terms); };
  double ends = std::max(to_double(magnitude(F(derivative(Action::times) - start))),
                         to_double(magnitude(F(derivative(Action::times + 2) + start))));
  for (int i = 0; i < n; ++i) {
    ends = std::max(ends, to_double(magnitude(F(derivative(i) + momenta[0](i).value))));
    ends = std::max(ends, to_double(magnitude(F(derivative(2 * n + i) - momenta[1](i).value))));
  }
  return {largest(n, 2 * n), largest(Action::times + 1, Action::times + 2), largest(Action::multipliers, Action::count),
          ends};
}
/// The largest, or for controls the smallest, of the eight cases with the mean of the densities.
template <class Make>
OverCases over_cases(const Make& make, const Reading& reading, double ActionDefects::*which) {
  OverCases result;
  for_each_case<D>([&](const auto& system, const auto& density) {
    result.add(action_defects(make, system, density, StepRule::mean, reading).*which);
  });
  return result;
}

TEST(Slide16, the_equations_are_those_of_the_action) {
  ActionDefects all;
  for (const StepRule rule : all_rules)
    for_each_case<D>([&](const auto& system, const auto& density) {
      all.include(action_defects(variational_adaptive(rule), system, density, rule, {.multiplier = Multiplier::own}));
    });
  EXPECT_LT(all.ends, floor_of_50_digits);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide16.time-update",
       .measured = std::max(all.t, all.lambda),
       .interval = zero,
       .controls =
           {{.name = "lambda that stays as it is",
             .measured =
                 over_cases(variational_adaptive(), {.multiplier = Multiplier::constant}, &ActionDefects::t).smallest},
            {.name = "steps h sigma(q_k)",
             .measured = over_cases(naive_adaptive, {}, &ActionDefects::lambda).smallest}},
       .note = text("In time %.0e, in lambda %.0e, with the multipliers that the method solves for. The energy E_k is "
                    "-dL_d/dt_k here; for the sign that is printed see CS101.slide16.energy-sign.",
                    all.t, all.lambda)}));
  expect_verdict(in_one_interval(
      {.id = "CS101.slide16.del",
       .measured = std::max(all.q, all.ends),
       .interval = zero,
       .controls = {{.name = "the usual equation without the extra terms",
                     .measured =
                         over_cases(variational_adaptive(), {.extra_terms = false}, &ActionDefects::q).smallest},
                    {.name = "positions of slide 20",
                     .measured = over_cases(reversible_adaptive, {}, &ActionDefects::q).smallest}},
       .note = text("In the position between two steps %.0e; momenta and energies at the ends, from the derivatives "
                    "there, %.0e. Their sign: CS101.slide16.del-sign.",
                    all.q, all.ends)}));
}

TEST(Slide16, the_update_of_lambda_has_the_other_sign) {
  const auto defect = [](const Reading& reading) {
    return over_cases(variational_adaptive(), reading, &ActionDefects::t);
  };
  const OverCases printed = defect({.multiplier = Multiplier::as_printed});
  // E_k itself: the printed derivative beside the energy of the start.
  const auto coupled = adaptive_problems::coupled<D>();
  using System = std::decay_t<decltype(coupled)>;
  const EqualDistances<System> density(coupled, ratio<D>(24, 10), ratio<D>(1, 10));
  auto method = variational_adaptive()(coupled, density);
  const auto from = adaptive_problems::generic_state<D, 2>();
  auto z = method.start(from.q, from.v);
  ASSERT_TRUE(method.step(z, ratio<D>(1, 10)).ok());
  const double derivative = to_double(verlet_lagrangian(coupled, from.q, z.q, D(z.t.value, F(1))).derivative),
               energy = to_double(coupled.energy(from.q, from.v).value);
  // An action's derivative in the later time is minus the energy, up to O(h^2).
  EXPECT_NEAR(derivative, -energy, 0.05 * energy);
  add_measurements(report(), {{"printed_energy_of_a_step", derivative}, {"energy_of_the_start", energy}}, "energy",
                   {.relative = 1e-9});
  expect_verdict(in_one_interval(
      {.id = "CS101.slide16.energy-sign",
       .measured = printed.smallest,
       .interval = zero,
       .controls = {{.name = "E_k = -dL_d/dt_k, the multipliers of the method",
                     .measured = defect({.multiplier = Multiplier::own}).largest,
                     .expected = Expected::passes},
                    {.name = "E_k as printed, -lambda in the action",
                     .measured = defect({.multiplier = Multiplier::as_printed, .sign_in_action = -1}).largest,
                     .expected = Expected::passes},
                    {.name = "E_k = H(q_k, p_k), which is no derivative of L_d",
                     .measured = defect({.multiplier = Multiplier::of_states}).smallest}},
       .note = text(
           "The smallest of eight cases; the largest is %.1e. Of one step the printed E_k is %.4f where the energy "
           "is %.4f. One sign is wrong, and it can stand in two "
           "places. With the sign of lambda in the action of slides 15 and 16 changed, E_k, the update, the two "
           "sigma terms of slide 16 and the term of slide 14 are right as printed, and E_0 means minus the energy "
           "on slide 14, the energy on slide 18. With that of E_k changed, "
           "the last two need the other sign, too, and E_0 has one meaning.",
           printed.largest, derivative, energy)}));
}

TEST(Slide16, the_sigma_terms_go_with_the_printed_energy) {
  const auto right = with_signs(EnergyOfStep::derivative_in_time, MultiplierTerms::plus),
             mutant = with_signs(EnergyOfStep::physical, MultiplierTerms::plus);
  const OverCases printed = adaptive_symplecticity(right), wrong = adaptive_symplecticity(mutant);
  // What the wrong sign does not disturb.
  const auto system = adaptive_problems::kepler<double>();
  const auto energy = [&](const auto&, const auto& z) { return system.energy(z.q, z.v) + 0.5; };
  const double h = 2 * std::numbers::pi / 200;
  const LongRun wrong_run = kepler_long_run(mutant, 0.6, h, 1000, energy),
                right_run = kepler_long_run(right, 0.6, h, 1000, energy),
                naive_run = kepler_long_run(naive_adaptive, 0.6, h, 1000, energy);
  const double order = order_of(kepler_errors(mutant)), reversal = adaptive_reversal(mutant).largest;
  EXPECT_TRUE(Interval::around(2, 0.02).contains(order)) << order;
  EXPECT_LT(reversal, floor_of_50_digits);
  EXPECT_TRUE(Interval::around(1, 0.1).contains(wrong_run.growth())) << wrong_run.growth();
  EXPECT_LT(std::abs(wrong_run.drift()), no_drift);
  EXPECT_GT(naive_run.growth(), 2);
  // One step.
  const auto coupled = adaptive_problems::coupled<double>();
  using System = std::decay_t<decltype(coupled)>;
  const EqualDistances<System> density(coupled, 2.4, 0.1);
  const auto from = adaptive_problems::generic_state<double, 2>();
  const auto one_step = [&](auto method) {
    auto z = method.start(from.q, from.v);
    EXPECT_TRUE(method.step(z, 0.1).ok());
    return Vector<double, 2>(z.v);
  };
  const double difference = (one_step(mutant(coupled, density)) - one_step(right(coupled, density))).norm(),
               to_library =
                   (one_step(variational_adaptive()(coupled, density)) - one_step(right(coupled, density))).norm();
  EXPECT_LT(to_library, 1e-14);
  add_measurements(report(), {{"wrong_sign.order", order}}, "order", {.absolute = 1e-4});
  add_measurements(report(),
                   {{"wrong_sign.largest_energy_error", wrong_run.largest},
                    {"right_sign.largest_energy_error", right_run.largest},
                    {"wrong_sign.one_step", difference}},
                   "", {.relative = 1e-3});
  expect_verdict(in_one_interval(
      {.id = "CS101.slide16.del-sign",
       .measured = printed.largest,
       .interval = zero,
       .controls = {{.name = "plus signs, lambda from the physical energy", .measured = wrong.smallest},
                    {.name = "the library's method: minus signs, lambda from the physical energy",
                     .measured = adaptive_symplecticity(variational_adaptive()).largest,
                     .expected = Expected::passes}},
       .note =
           text("With E_k as slide 16 prints it the plus signs are right, and one step is that of the library to "
                "%.0e. With the physical energy they are wrong, and these tests do not see it: order in the time "
                "%.3f; a step and the step back, %.0e; 1000 periods of Kepler, e = 0.6, largest energy error %.2e "
                "(with the right sign %.2e), in the last tenth %.3f times that in the first, mean moved by %.0e of "
                "it (steps h sigma(q_k): %.3g times, %.2f). These see it: the form changes by %.1e to %.1e, and the "
                "velocity after one step h = 0.1 differs by %.1e.",
                to_library, order, reversal, wrong_run.largest, right_run.largest, wrong_run.growth(),
                std::abs(wrong_run.drift()), naive_run.growth(), std::abs(naive_run.drift()), wrong.smallest,
                wrong.largest, difference)}));
}

// --- slide 14: the step substituted -----------------------------------------------------------------------------------

/// Differences of the momenta at both ends of the library's step, h = 1/10, from the derivatives of the substituted
/// Lagrangian with `factor` times the energy of the start.
template <class Make>
OverCases substitution_defects(const Make& make, StepRule rule, int factor) {
  OverCases result;
  for_each_case<D>([&](const auto& system, const auto& density) {
    using System = std::decay_t<decltype(system)>;
    const SubstitutedLagrangian<System, std::decay_t<decltype(density)>> lagrangian(system, density, rule);
    const D h = ratio<D>(1, 10);
    auto method = make(system, density);
    const auto from = adaptive_problems::generic_state<D, System::dimension>();
    auto z = method.start(from.q, from.v);
    if (!method.step(z, h).ok()) return result.add(lost);
    const D energy = D(factor) * system.energy(from.q, from.v);
    const auto start = lagrangian.gradient(from.q, z.q, h, energy, false),
               end = lagrangian.gradient(from.q, z.q, h, energy, true);
    const VectorOf<System> p0 = system.momentum(from.v), p1 = system.momentum(z.v);
    result.add(to_double(larger(RealOf<D>(max_magnitude(VectorOf<System>(p0 + start))),
                                RealOf<D>(max_magnitude(VectorOf<System>(p1 - end))))));
  });
  return result;
}

TEST(Slide14, the_step_is_that_of_the_modified_lagrangian) {
  double largest = 0;
  for (const StepRule rule : all_rules)
    largest = std::max(largest, substitution_defects(variational_adaptive(rule), rule, 1).largest);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide14.step",
       .measured = largest,
       .interval = zero,
       .controls = {{.name = "without the term with E_0",
                     .measured = substitution_defects(variational_adaptive(), StepRule::mean, 0).smallest},
                    {.name = "E_0 the physical energy",
                     .measured = substitution_defects(variational_adaptive(), StepRule::mean, -1).smallest},
                    {.name = "a step of slide 20",
                     .measured = substitution_defects(reversible_adaptive, StepRule::mean, 1).smallest}}}));
}

/// Order in the time with `factor` times the right energy in the term, and the error per time at the finest step.
std::pair<double, double> order_with(double factor) {
  const auto errors = kepler_errors(
      variational_adaptive(), [&](auto& z) { z.energy *= factor; }, [](const auto& z) { return z.t; });
  return {order_of(errors), errors.back()};
}

TEST(Slide14, the_term_with_the_energy_is_needed) {
  const auto [without, error] = order_with(0);
  const auto [with, small_error] = order_with(1);
  const auto [printed_physical, wrong_error] = order_with(-1);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide14.e0-needed",
       .measured = without,
       .unit = "order",
       .interval = Interval::around(0, 0.05),
       .controls = {{.name = "with the term", .measured = with}},
       .note = text("Without the term the error per time at t = 5 is %.2g at the finest step, with it %.1e. What is "
                    "simulated is sigma (H - 0): another system, unless the energy is zero or sigma constant.",
                    error, small_error)}));
  expect_verdict(in_one_interval(
      {.id = "CS101.slide14.e0-sign",
       .measured = with,
       .unit = "order",
       .interval = Interval::around(2, 0.02),
       .controls = {{.name = "E_0 the physical energy", .measured = printed_physical},
                    {.name = "without the term", .measured = without}},
       .note = text("Slide 16 defines E_k = dL_d/dt_k, which is minus the energy; with this E_0 the printed minus sign "
                    "is right. With the physical energy, as slide 18 uses E_0, it is not: the error per time at t = 5 "
                    "is %.2g at any step.",
                    wrong_error)}));
}

// --- slide 15: two forms of one principle -----------------------------------------------------------------------------

/// Ten steps h = 1/20 of the substituted Lagrangian by Newton's method, all derivatives by dual numbers of dual numbers,
/// beside the method with a multiplier: the largest difference in position and momentum. `factor` multiplies the energy.
OverCases path_differences(const F& factor) {
  using DD = Dual<D>;
  OverCases result;
  for_each_case<DD>([&](const auto& system, const auto& density) {
    using System = std::decay_t<decltype(system)>;
    constexpr int n = System::dimension;
    using Plain = Vector<F, n>;
    const SubstitutedLagrangian<System, std::decay_t<decltype(density)>> lagrangian(system, density, StepRule::mean);
    const DD h = ratio<DD>(1, 20);
    const auto plain = [](const VectorOf<System>& x) {
      return Plain(x.unaryExpr([](const DD& number) { return number.value.value; }));
    };
    const auto lifted = [](const Plain& x) {
      return VectorOf<System>(x.unaryExpr([](const F& number) { return DD(D(number)); }));
    };
    auto method = variational_adaptive()(system, density);
    const auto from = adaptive_problems::generic_state<DD, n>();
    auto z = method.start(from.q, from.v);
    const DD energy = DD(D(factor)) * z.energy;
    Plain q = plain(from.q), p = plain(system.momentum(from.v));
    double largest = 0;
    for (int k = 0; k < 10; ++k) {
      if (!method.step(z, h).ok()) return result.add(lost);
      Plain next = plain(z.q) + Plain::Constant(ratio<F>(1, 1000));
      for (int iteration = 0; iteration < 9; ++iteration) {
        Plain residual;
        Matrix<F, n> slope;
        for (int j = 0; j < n; ++j) {
          VectorOf<System> end = lifted(next);
          end(j).value.derivative = F(1);
          const VectorOf<System> d1 = lagrangian.gradient(lifted(q), end, h, energy, false);
          for (int i = 0; i < n; ++i) {
            residual(i) = p(i) + d1(i).value.value;
            slope(i, j) = d1(i).value.derivative;
          }
        }
        next -= slope.inverse() * residual;
      }
      p = plain(lagrangian.gradient(lifted(q), lifted(next), h, energy, true));
      q = next;
      largest = std::max(largest, to_double(larger(RealOf<F>(max_magnitude(Plain(q - plain(z.q)))),
                                                   RealOf<F>(max_magnitude(Plain(p - plain(system.momentum(z.v))))))));
    }
    result.add(largest);
  });
  return result;
}

TEST(Slide15, the_multiplier_gives_the_same_path) {
  // E_0 shows up: E_{k+1} - lambda_{k+1} stays the energy of the start.
  double constant = 0;
  for_each_case<F>([&](const auto& system, const auto& density) {
    using System = std::decay_t<decltype(system)>;
    auto method = variational_adaptive()(system, density);
    const auto from = adaptive_problems::generic_state<F, System::dimension>();
    auto z = method.start(from.q, from.v);
    for (int k = 0; k < 50; ++k) {
      const auto before = z;
      ASSERT_TRUE(method.step(z, ratio<F>(1, 20)).ok());
      const VectorOf<System> w = (z.q - before.q) / z.last_step;
      const F energy = (system.energy(before.q, w) + system.energy(z.q, w)) / F(2);
      constant = std::max(constant, to_double(magnitude(F(energy - z.multiplier - system.energy(from.q, from.v)))));
    }
  });
  EXPECT_LT(constant, floor_of_50_digits);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide15.multiplier",
       .measured = path_differences(F(1)).largest,
       .interval = zero,
       .controls = {{.name = "an E_0 greater by a hundredth of it in the substituted Lagrangian",
                     .measured = path_differences(ratio<F>(101, 100)).smallest}},
       .note = text("Over 50 steps E_{k+1} - lambda_{k+1} is the energy of the start to %.0e: E_0 is the constant of "
                    "integration of the variation in t.",
                    constant)}));
}

}  // namespace
}  // namespace livi::theorem
