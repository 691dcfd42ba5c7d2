// SPDX-License-Identifier: MIT
// Theorem: TO14 Remark 3.1: if -omega^2 g had a limit it would be the multiplier; practical starts for which it has one
//
// z = g + lambda/omega^2 obeys z'' = -omega^2 A z + r, A = Dg M^-1 Dg^T (see to14_theorem_1_2.cpp). Its amplitude is
// set by z(0) and z'(0)/omega, so the oscillation of omega^2 g about -lambda is
//   |lambda(0)|             from a start on the tangent bundle (g = 0, dg/dt = 0),
//   |lambda'(0)| / omega    if lambda(0) = 0, or if g(q0) = -lambda(0)/omega^2,
//   O(omega^-2)             if moreover lambda'(0) = 0, or dg/dt = -lambda'(0)/omega^2.
// lambda(0) = 0 needs no special preparation: a pendulum at rest with its rod horizontal has no tension.
#include "study/evidence/penalty_limit.hpp"

namespace livi::theorem {

Program this_program() {
  return {"to14_remark_3_1",
          {"TO14", "Remark 3.1", "3"},
          "Starts from which -omega^2 g converges uniformly to the multiplier"};
}

namespace {

enum class Matched { nothing, position, position_and_velocity };

Start<double, 4> horizontal_release() {
  return tangent_start(double_pendulum_problem(), {{1, 0, 1 + std::sqrt(2.0), 0}, {0, 0, 0, 0}});
}

/// The double pendulum; the limit is that from `start`, which is on the tangent bundle.
Approach from(const Start<double, 4>& start, Matched matched) {
  const auto problem = double_pendulum_problem();
  const auto start_of = [&](double omega) {
    const Vector<double, 2> lambda = multiplier(problem, start.q, start.v),
                            rate = multiplier_rate(problem, start.q, start.v);
    const Vector<double, 2> none = Vector<double, 2>::Zero();
    if (matched == Matched::nothing) return start;
    return start_with(problem, start, (-lambda / (omega * omega)).eval(),
                      matched == Matched::position ? none : (-rate / (omega * omega)).eval());
  };
  return approach(problem, start_of, constrained_motion(problem, start, sample_times(2, 1000)));
}

/// A moving start: lambda and its rate are both different from zero.
Start<double, 4> moving_start() {
  return tangent_start(double_pendulum_problem(), {{0, -1, 1, -2}, {0.7, 0, 0.3, 0.4}});
}

}  // namespace

TEST(TO14_rem3_1, limit_simplifies) {
  const Approach matched = from(moving_start(), Matched::position_and_velocity),
                 tangent = from(moving_start(), Matched::nothing);
  const auto problem = double_pendulum_problem();
  const auto start = moving_start();
  const double at_zero = penalty_multiplier(problem, 1600.0, start.q).norm(),
               lambda = multiplier(problem, start.q, start.v).norm();
  put("matched.velocity", matched.power(matched.velocity));
  put("matched.window", matched.power(matched.window));
  expect_verdict(
      {.id = "TO14.rem3.1.limit-simplifies",
       .measured = matched.power(matched.multiplier),
       .unit = "order",
       .interval = {-2.15, -1.85},
       .controls = {{.name = "the same start on the tangent bundle",
                     .measured = tangent.power(tangent.multiplier),
                     .interval = {-2.15, -1.85}}},
       .note = text(
           "Here (22) and (8) agree, velocities converge as omega^%.2f instead of omega^%.2f. Reason: omega^2 g is "
           "bounded (Remark 6.1), so a pointwise limit on an interval passes through the integral of (8). A limit at a "
           "single time is not enough: from every start on the tangent bundle (22) exists at t = 0 and is %.1g, where "
           "(8) is %.3f.",
           matched.power(matched.velocity), tangent.power(tangent.velocity), at_zero < 1e-8 ? 0.0 : at_zero, lambda)});
}

TEST(TO14_rem3_1, no_practical_example) {
  const Approach released = from(horizontal_release(), Matched::nothing),
                 printed = from(double_pendulum_printed_start(), Matched::nothing),
                 position = from(moving_start(), Matched::position),
                 both = from(moving_start(), Matched::position_and_velocity);
  const double power = released.power(released.multiplier);
  const Interval limit{-2.1, -1.9};
  put("printed_start", printed.power(printed.multiplier));
  put("released_horizontally.difference_at_omega_800", released.multiplier.back(), "", {.relative = 1e-2});
  expect_verdict(
      {.id = "TO14.rem3.1.no-practical-example",
       .measured = power,
       .unit = "order",
       .interval = limit,
       .controls = {{.name = "the printed start, which has no limit",
                     .measured = printed.power(printed.multiplier),
                     .interval = limit},
                    {.name = "a moving start with matched g and dg/dt",
                     .measured = both.power(both.multiplier),
                     .interval = limit,
                     .note = "the limit exists by the derivation in the source: omega^-2",
                     .expected = Expected::passes}},
       .note =
           text("Overtaken: a pendulum released from the horizontal has no tension, so lambda(0) = 0, and nothing "
                "oscillates: omega^2 g converges as omega^%.2f (root mean square of the difference %.1e at omega = "
                "800). From any other start it does if the start is moved by O(omega^-2): as omega^%.2f with matched "
                "g, omega^%.2f with matched dg/dt too. From the printed start it does not (omega^%.2f).",
                power, released.multiplier.back(), position.power(position.multiplier), both.power(both.multiplier),
                without_sign(printed.power(printed.multiplier)))});
}

}  // namespace livi::theorem
