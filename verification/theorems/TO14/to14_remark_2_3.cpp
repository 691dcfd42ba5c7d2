// SPDX-License-Identifier: MIT
// Theorem: TO14 Remark 2.3: implicit symplectic methods are symplectic only up to the error of their nonlinear solver;
// how many Newton iterations remove the objection
#include "study/program/theorem.hpp"

#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/double_pendulum.hpp>

namespace livi::theorem {

Program this_program() {
  return {"to14_remark_2_3",
          {"TO14", "Remark 2.3", "2.3"},
          "Symplecticity of Newmark and the midpoint rule against the iterations of their solver"};
}

}  // namespace livi::theorem

namespace {

using namespace livi;
using theorem::expect_verdict;
using D = Dual<double>;
using V = Vector<double, 4>;
constexpr double h = 0.1, beta = 0.4, omega = 20;

struct State {
  V q, v;
};
/// States of the motion of Figure 1: of Newmark's own run at t = 1, 7, 23 and 41.
const std::vector<State>& states() {
  static const std::vector<State> visited = [] {
    const auto system = penalised(double_pendulum<double>(), omega);
    Newmark method(system, {.beta = beta});
    auto z = method.start(double_pendulum_start<double>(), V(0, 0, 0, 0));
    std::vector<State> list;
    for (int k = 1; k <= 410; ++k) {
      EXPECT_TRUE(method.step(z, h).ok());
      if (k == 10 || k == 70 || k == 230 || k == 410) list.push_back({z.q, z.v});
    }
    return list;
  }();
  return visited;
}

template <class Make>
double worst_symplecticity(const Make& make, CanonicalCoordinates coordinates) {
  const auto system = penalised(double_pendulum<D>(), D(omega));
  double worst = 0;
  for (const State& state : states())
    worst = larger(worst, step_symplecticity(system, make, state.q, state.v, h, coordinates));
  return worst;
}

NewmarkOptions<D> newmark_options(int iterations) {
  return {.beta = beta, .guess = NewmarkGuess::constant_acceleration, .newton = {.fixed_iterations = iterations}};
}

double of_newmark(int iterations) {
  return worst_symplecticity(
      [&]<class System>(const System& s) { return Newmark<System>(s, newmark_options(iterations)); },
      CanonicalCoordinates::mapped);
}
double of_midpoint(int iterations) {
  return worst_symplecticity(
      [&]<class System>(const System& s) { return ImplicitMidpoint<System>(s, {.fixed_iterations = iterations}); },
      CanonicalCoordinates::own);
}
double of_zhang_skeel() {
  return worst_symplecticity([]<class System>(const System& s) { return ZhangSkeel<System>(s, {D(beta)}); },
                             CanonicalCoordinates::own);
}

/// Iterations that a run in double takes to an update below `tolerance`, the most of the states.
int iterations_to(double tolerance) {
  const auto system = penalised(double_pendulum<double>(), omega);
  long most = 0;
  for (const State& state : states()) {
    Newmark method(system, {.beta = beta, .newton = {.tolerance = tolerance}});
    auto z = method.start(state.q, state.v);
    EXPECT_TRUE(method.step(z, h).ok());
    most = std::max(most, method.work().newton_iterations);
  }
  return static_cast<int>(most);
}

TEST(Remark_2_3, symplecticity_against_iterations) {
  const double floor = of_zhang_skeel();
  constexpr int most = 10;
  std::vector<double> newmark, midpoint;
  for (int k = 1; k <= most; ++k) {
    newmark.push_back(of_newmark(k));
    midpoint.push_back(of_midpoint(k));
    for (const auto& [name, value] : {std::pair("newmark", newmark.back()), std::pair("midpoint", midpoint.back())})
      theorem::report().measurement({.name = std::string(name) + ".residual_after_" + std::to_string(k),
                                     .value = value,
                                     .tolerance = {.absolute = 1e-10, .relative = 1e-3}});
  }
  theorem::report().measurement({.name = "zhang_skeel.residual", .value = floor, .tolerance = {.absolute = 1e-10}});
  // Iterations after which only rounding is left: within a factor of four of what ten leave.
  const auto enough = [&](const std::vector<double>& residuals) {
    return 1 +
           (std::ranges::find_if(residuals, [&](double r) { return r <= 4 * residuals.back(); }) - residuals.begin());
  };
  // Matlab's fsolve, which the paper used, stops at TolX = TolFun = 1e-6 by default.
  const int printed = iterations_to(1e-6);
  const double stopped = newmark[static_cast<std::size_t>(printed - 1)], converged = newmark.back();
  theorem::report().count("newmark.iterations_to_1e-6", printed);
  theorem::report().count("newmark.iterations_to_rounding", enough(newmark));
  theorem::report().count("midpoint.iterations_to_rounding", enough(midpoint));
  theorem::report().measurement(
      {.name = "newmark.residual_stopped_at_1e-6", .value = stopped, .tolerance = {.absolute = 1e-10}});

  expect_verdict({.id = "TO14.rem2.3.solver-residual",
                  .measured = newmark[1] / converged,
                  .interval = {100, 1e18},
                  .controls = {{.name = "after nine iterations over ten",
                                .measured = newmark[8] / converged,
                                .interval = {100, 1e18}}},
                  .note = "The midpoint rule behaves alike: measurements midpoint.residual_after_*."});
  expect_verdict(
      {.id = "TO14.rem2.3.linear-smaller",
       .measured = stopped / floor,
       .interval = {100, 1e18},
       .controls = {{.name = "Newmark after ten iterations over Z&S",
                     .measured = converged / floor,
                     .interval = {100, 1e18}}},
       .note = "Stopped there, after " + std::to_string(printed) + " iterations; " + std::to_string(enough(newmark)) +
               " leave rounding only (" + std::to_string(enough(midpoint)) +
               " for the midpoint rule): Newton's method converges quadratically, so the objection costs one iteration "
               "more. What rounding leaves is larger for Newmark than for Z&S because (13) multiplies it by beta h^2 "
               "Hess V."});
}

}  // namespace
