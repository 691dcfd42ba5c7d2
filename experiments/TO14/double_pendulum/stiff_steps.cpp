// SPDX-License-Identifier: MIT
// Experiment: the steps that explicit, implicit and multiplier methods need on stiff and on rigid rods: statements of
// TO14 1, 1.1 and 1.2, on the double pendulum and a chain of four
#include <array>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

#include "study/models/stiff_pendulum.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/fitted_line.hpp"

namespace {

using namespace livi;
using namespace livi::stiff_pendulum;

constexpr double beta = 0.4;

const auto verlet = [](const Penalised& s) { return VelocityVerlet<Penalised>(s); };
const auto zhang_skeel = [](const Penalised& s) { return ZhangSkeel<Penalised>(s, {beta}); };
const auto newmark = [](const Penalised& s) { return livi::Newmark<Penalised>(s, {.beta = beta}); };
const auto midpoint = [](const Penalised& s) { return ImplicitMidpoint<Penalised>(s); };

/// The largest step T/n that SHAKE or RATTLE keeps, searched from large steps down.
template <class Method>
double multiplier_step_limit() {
  for (int n = 60; n <= 2000; n += 4) {
    const double h = 50.0 / n;
    const Reference exact = constrained_motion(50, h);
    if (!multiplier_run<Method>(h, exact).lost()) return h;
  }
  return 0;
}

const Interval tenth_of_range{0, 0.2};

void claim_implicit(Report& report) {
  std::vector<double> steps{0.1, 0.05, 0.025}, of_midpoint, of_newmark;
  for (const double h : steps) {
    const Reference exact = constrained_motion(50, h);
    of_midpoint.push_back(error_of(pendulum_run(10 / h, h, exact, midpoint)));
    of_newmark.push_back(error_of(pendulum_run(10 / h, h, exact, newmark)));
  }
  const double h = 0.05;
  const Reference exact = constrained_motion(50, h);
  const Run of_verlet = pendulum_run(10 / h, h, exact, verlet), too_stiff = pendulum_run(4000, h, exact, midpoint);
  const double order_midpoint = fitted_power(steps, of_midpoint).slope,
               order_newmark = fitted_power(steps, of_newmark).slope;
  add_measurements(report, {{"implicit.midpoint.order", order_midpoint}, {"implicit.newmark.order", order_newmark}},
                   "order");
  report.claim(in_one_interval(
      {.id = "TO14.s1.implicit-coarse-stiff",
       .measured = std::max(of_midpoint[1], of_newmark[1]),
       .unit = "length",
       .interval = tenth_of_range,
       .controls = {{.name = "velocity Verlet with the same step",
                     .measured = error_of(of_verlet),
                     .note = text("lost at t = %.2f", of_verlet.lost_at)},
                    {.name = "midpoint rule at omega = 4000",
                     .measured = error_of(too_stiff),
                     .note = text("lost at t = %.2f: outside the class, h^2 omega = 10", too_stiff.lost_at)}},
       .note =
           text("Midpoint %.4f, Newmark %.4f. With h omega = 10 kept fixed both converge with order %.2f, %.2f to "
                "the constrained motion. 'A class' is needed: the midpoint rule fails on this very pendulum for h^2 "
                "omega above about 3 (TO14.s1.2.zs-step-independent-of-omega).",
                of_midpoint[1], of_newmark[1], order_midpoint, order_newmark)}));
}

/// Boost.Odeint's controlled Cash-Karp 5(4) on the penalised pendulum: accepted steps and evaluations to `end_time`.
struct Adaptive {
  double steps = 0, evaluations = 0;
};
Adaptive adaptive(double omega, double end_time, double tolerance) {
  using State = std::array<double, 8>;
  namespace odeint = boost::numeric::odeint;
  const Penalised system = stiff(omega);
  Adaptive work;
  const auto rates = [&](const State& x, State& dxdt, double) {
    ++work.evaluations;
    V q(x[0], x[1], x[2], x[3]), a(0, 0, 0, 0);
    system.acceleration(q, a);
    for (std::size_t i = 0; i < 4; ++i) {
      dxdt[i] = x[4 + i];
      dxdt[4 + i] = a(static_cast<Eigen::Index>(i));
    }
  };
  // Static: odeint copies what it is given, and the work arrays of a fresh one are not initialised.
  static const odeint::runge_kutta_cash_karp54<State> scheme;
  auto stepper = odeint::make_controlled(tolerance, tolerance, scheme);
  const V q0 = start();
  State x{q0(0), q0(1), q0(2), q0(3), 0, 0, 0, 0};
  double t = 0, dt = 1e-3;
  while (t < end_time)
    if (stepper.try_step(rates, x, t, dt) == odeint::success) ++work.steps;
  return work;
}

void claim_explicit(Report& report) {
  const std::vector<double> omegas{25, 50, 100, 200, 400};
  std::vector<double> limits, mean_steps, evaluations, zs_steps;
  std::vector<std::vector<double>> rows;
  constexpr double end_time = 10, goal = 0.02;
  const std::vector<double> candidates{0.1, 0.0625, 0.05, 0.04, 0.03125, 0.025, 0.02, 0.0125, 0.01, 0.005, 0.0025};
  std::vector<Reference> exact;
  for (const double h : candidates) exact.push_back(constrained_motion(end_time, h));
  for (const double omega : omegas) {
    limits.push_back(step_limit(omega, end_time, verlet));
    const Adaptive work = adaptive(omega, end_time, 1e-5);
    mean_steps.push_back(end_time / work.steps);
    evaluations.push_back(work.evaluations);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!(error_of(pendulum_run(omega, candidates[i], exact[i], zhang_skeel)) <= goal)) continue;
      zs_steps.push_back(candidates[i]);
      break;
    }
    rows.push_back({omega, limits.back(), mean_steps.back(), zs_steps.back(), end_time / limits.back(),
                    evaluations.back(), end_time / zs_steps.back()});
  }
  report.series("steps",
                {{"omega", ""},
                 {"verlet_limit", "time"},
                 {"adaptive_mean_step", "time"},
                 {"zhang_skeel_step", "time"},
                 {"verlet_evaluations", ""},
                 {"adaptive_evaluations", ""},
                 {"zhang_skeel_evaluations", ""}},
                rows);
  const double of_verlet = fitted_power(omegas, limits).slope, of_adaptive = fitted_power(omegas, mean_steps).slope,
               of_zs = fitted_power(omegas, zs_steps).slope;
  add_measurements(report,
                   {{"step_exponent.verlet", of_verlet},
                    {"step_exponent.adaptive", of_adaptive},
                    {"step_exponent.zhang_skeel", of_zs}},
                   "order");
  report.claim(in_one_interval(
      {.id = "TO14.s1.explicit-tiny-steps",
       .measured = of_verlet,
       .unit = "order",
       .interval = {-1.1, -0.9},
       .controls = {{.name = "Z&S, the step that reaches an error of 0.02", .measured = of_zs}},
       .note = text(
           "Odeint's controlled Cash-Karp with tolerance 1e-5: mean step %.2e at omega = 25, %.2e at 400, "
           "exponent %.2f: it follows every oscillation, h omega |Dg| of about 1. Evaluations to T = 10 at omega = "
           "400: Verlet at its limit %.0f gradients, Cash-Karp %.0f, Z&S for an error of 0.02 %.0f, each a "
           "gradient, a Hessian, a third derivative and a 4 x 4 solve. At omega = 25: %.0f, %.0f, %.0f. In "
           "arithmetic the relief over Verlet begins above omega = 25, for a step of Verlet costs about a fifth of one "
           "of Z&S.",
           mean_steps.front(), mean_steps.back(), of_adaptive, end_time / limits.back(), evaluations.back(),
           end_time / zs_steps.back(), end_time / limits.front(), evaluations.front(), end_time / zs_steps.front())}));
}

// --- rigid rods ------------------------------------------------------------------------------------------------------

/// Four rods of length 1, straight at half a radian from the vertical, at rest.
using Chain = ConstrainedSystem<ScalarMass<double, 8>, GravityPotential<double, 8>, PlanarChainConstraint<double, 8>>;
Chain chain() {
  return {ScalarMass<double, 8>(1.0), GravityPotential<double, 8>{1},
          PlanarChainConstraint<double, 8>{Vector<double, 4>::Constant(1)}};
}
Vector<double, 8> chain_start() {
  Vector<double, 8> q;
  for (int k = 0; k < 4; ++k) {
    q(2 * k) = (k + 1) * std::sin(0.5);
    q(2 * k + 1) = -(k + 1) * std::cos(0.5);
  }
  return q;
}

/// Largest step of a geometric grid, from 1 down, with which the energy changes by less than a tenth of the height of
/// the start above rest, to T = 20.
template <class Method, class Energy>
double kept_step(Method& method, const Vector<double, 8>& q0, const Energy& energy) {
  const double height = 10 * (1 - std::cos(0.5));
  for (double h = 1; h > 1e-5; h /= 1.02) {
    Trajectory run(method, method.start(q0, Vector<double, 8>::Zero()), h, static_cast<long>(20 / h));
    bool kept = true;
    double initial = 0;
    for (const auto& point : run) {
      const double e = energy(point.state);
      if (point.step == 0) initial = e;
      if (!(std::abs(e - initial) < 0.1 * height)) {
        kept = false;
        break;
      }
    }
    if (kept && run.outcome().ok()) return h;
  }
  return 0;
}

struct RigidAndStiff {
  double rigid = 0, stiff = 0;
  [[nodiscard]] double ratio() const { return rigid / stiff; }
};

RigidAndStiff chain_steps(double omega) {
  const Chain rigid = chain();
  Rattle constrained(rigid);
  const auto of_rigid = kept_step(constrained, chain_start(), [&](const auto& z) { return rigid.energy(z.q, z.v); });
  const auto bonds = penalised(rigid, omega);
  VelocityVerlet explicit_method(bonds);
  const auto of_stiff =
      kept_step(explicit_method, chain_start(), [&](const auto& z) { return bonds.energy(z.q, z.v); });
  return {of_rigid, of_stiff};
}

void claim_rigid(Report& report, double shake_limit) {
  const std::vector<double> omegas{25, 50, 100, 200};
  std::vector<double> ratios;
  RigidAndStiff at_100;
  for (const double omega : omegas) {
    const RigidAndStiff steps = chain_steps(omega);
    ratios.push_back(steps.ratio());
    if (omega == 100) at_100 = steps;
  }
  const std::vector<double> soft_omegas{0.1, 0.2, 0.4, 0.8};
  std::vector<double> soft_ratios;
  for (const double omega : soft_omegas) soft_ratios.push_back(chain_steps(omega).ratio());
  const double exponent = fitted_power(omegas, ratios).slope, soft = fitted_power(soft_omegas, soft_ratios).slope;
  const double pendulum = shake_limit / step_limit(100, 50, verlet);
  report.measurement(
      {.name = "rigid.chain.step", .value = at_100.rigid, .unit = "time", .tolerance = {.relative = 0.05}});
  report.measurement({.name = "rigid.chain.ratio_exponent", .value = exponent, .unit = "order"});
  report.measurement({.name = "rigid.pendulum.ratio_at_100", .value = pendulum, .tolerance = {.relative = 0.1}});
  report.claim(in_one_interval(
      {.id = "TO14.s1.1.rigid-allows-larger-steps",
       .measured = exponent,
       .unit = "order",
       .interval = {0.9, 1.1},
       .controls = {{.name = "soft bonds, omega = 0.1 ... 0.8",
                     .measured = soft,
                     .note = "bonds that are no faster than the swing"}},
       .note = text(
           "Rigid: h = %.3f; at omega = 100 stiff: h = %.4f, %.0f times smaller. On the double pendulum at omega = "
           "100 the factor is %.0f. It needs stiff bonds: with soft ones the gain does not grow with omega "
           "(exponent %.2f).",
           at_100.rigid, at_100.stiff, at_100.ratio(), pendulum, soft)}));
}

void claim_multipliers(Report& report, double shake_limit, double rattle_limit) {
  const Reference exact = constrained_motion(50, 0.1);
  const Run shake = multiplier_run<Shake<Constrained>>(0.1, exact),
            rattle = multiplier_run<Rattle<Constrained>>(0.1, exact);
  const Run of_verlet = pendulum_run(20, 0.1, exact, verlet);
  add_measurements(report, {{"shake.step_limit", shake_limit}, {"rattle.step_limit", rattle_limit}}, "time",
                   {.relative = 0.05});
  report.measurement(
      {.name = "shake.error_at_0.1", .value = shake.largest_error, .unit = "length", .tolerance = {.relative = 1e-6}});
  report.claim(in_one_interval(
      {.id = "TO14.s1.2.multiplier-steps-independent",
       .measured = std::max(error_of(shake), error_of(rattle)),
       .unit = "length",
       .interval = tenth_of_range,
       .controls = {{.name = "velocity Verlet on the penalised pendulum, omega = 20, h = 0.1",
                     .measured = error_of(of_verlet),
                     .note = text("lost at t = %.1f", of_verlet.lost_at)}},
       .note =
           text("No omega enters, so none can limit. What limits is the slow motion: SHAKE keeps the pendulum up to h "
                "= %.2f, RATTLE up to %.2f (half the shorter rod), a tenth of the faster small period, 3.67; both have "
                "the same "
                "positions, error %.4f at h = 0.1.",
                shake_limit, rattle_limit, shake.largest_error)}));
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "stiff_steps", {"TO14", "stiffness and steps", "1, 1.1, 1.2"},
      "steps of explicit, implicit and multiplier methods on stiff and rigid rods", {},
      [&](Report& report, const ExperimentOptions& options) {
        report.parameter("beta", beta);
        report.parameter("T", 50);
        if (options.quick) {
          say_progress("quick: no claims are decided");
          add_measurements(report, {{"verlet.step_limit.omega_20", step_limit(20, 5, verlet)}}, "time",
                           {.relative = 0.01});
          return;
        }
        say_progress("stiff rods");
        claim_implicit(report);
        claim_explicit(report);
        say_progress("rigid rods");
        const double shake_limit = multiplier_step_limit<Shake<Constrained>>(),
                     rattle_limit = multiplier_step_limit<Rattle<Constrained>>();
        claim_multipliers(report, shake_limit, rattle_limit);
        claim_rigid(report, shake_limit);
        report.figure({"stiff_steps.svg",
                       "The penalised double pendulum: stable step of Verlet, mean step of an adaptive "
                       "Runge-Kutta method, and step of Z&S for an error of 0.02, against omega."});
      });
}
