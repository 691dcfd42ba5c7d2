// SPDX-License-Identifier: MIT
// Theorem: BO07, Section 1, path by path: symplecticity and Noether's theorem under noise
//
// For given integrals of the noise a step of a variational integrator is one of a deterministic variational integrator, with
// kicks that are the flows of -B gamma(q). So it keeps the form of T*Q, and every momentum under whose symmetry V and gamma do
// not change.
//
// A noise force that is projected to the tangent space before the step is no control: what is taken away is along Dg(q)', and
// the multiplier adds it again. A projection of the velocity in another metric is one.
#include <livi/integrators/rattle.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/run_along.hpp>

#include "study/evidence/constrained_measures.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"bo07_pathwise",
          {"BO07", "Section 1, path by path", "Sec. 1"},
          "Section 1, path by path: symplecticity and Noether's theorem under noise"};
}

namespace {

using namespace constrained_states;

auto rattle(NoiseWeights weights) {
  return [=]<class System>(const System& system) { return StochasticRattle<System>(system, weights); };
}
auto euler(EulerForce force) {
  return [=]<class System>(const System& system) { return ConstrainedVariationalEuler<System>(system, force); };
}
inline constexpr auto projected_euler_maruyama = []<class System>(const System& system) {
  return ProjectedEulerMaruyama<System>(system);
};
inline constexpr auto projected_heun = []<class System>(const System& system) { return ProjectedHeun<System>(system); };

/// RATTLE without noise, and then the noise and a projection v = v + Dg' kappa, orthogonal in the Euclidean metric.
template <class System>
class EuclideanNoise {
 public:
  using S = ScalarOf<System>;
  explicit EuclideanNoise(const System& system) : unprojected_(system) {}
  [[nodiscard]] auto start(const VectorOf<System>& q, const VectorOf<System>& v) const {
    return unprojected_.start(q, v);
  }
  template <class State>
  StepOutcome step(State& z, const S& h) {
    return unprojected_.step(z, h);
  }
  template <class State>
  StepOutcome step(State& z, const S& h, StepNoise<S> noises) {
    const StepOutcome outcome = unprojected_.step(z, h, noises);
    if (!outcome.ok()) return outcome;
    const auto gradients = gradients_of(unprojected_.system(), z.q);
    z.v -= gradients.transpose() * solved<S>(gradients * gradients.transpose(), gradients * z.v);
    return outcome;
  }
  [[nodiscard]] StochasticProperties declares_for_noise() const { return unprojected_.declares_for_noise(); }

 private:
  UnprojectedNoise<System> unprojected_;
};

// --- the form ---------------------------------------------------------------------------------------------------------

TEST(StochasticVariationalIntegrators, are_symplectic_path_by_path) {
  constexpr int states = 4;
  Extremes all;
  const auto add = [&](const auto& make) {
    all.add(form_over_two_steps<Sphere>(make, states, true).largest);
    all.add(form_over_two_steps<DoubleSphere>(make, states, true).largest);
  };
  for (const NoiseWeights weights : {NoiseWeights::increments, NoiseWeights::integrals}) add(rattle(weights));
  for (const EulerForce force : {EulerForce::at_start, EulerForce::at_end}) add(euler(force));
  const auto euclidean = []<class System>(const System& system) { return EuclideanNoise<System>(system); };
  expect_verdict(in_one_interval(
      {.id = "BO07.intro.svi-symplectic",
       .measured = all.largest,
       .interval = zero_of_50_digits,
       .controls = {
           {.name = "projected Euler-Maruyama",
            .measured = form_over_two_steps<Sphere>(projected_euler_maruyama, states, true).smallest},
           {.name = "projected Heun", .measured = form_over_two_steps<Sphere>(projected_heun, states, true).smallest},
           {.name = "RATTLE, then noise and v = v + Dg' kappa",
            .measured = form_over_two_steps<DoubleSphere>(euclidean, states, true).smallest}}}));
}

// --- Noether's theorem ------------------------------------------------------------------------------------------------

/// Runs along a path by steps of a level; a step that does not exist is cut in two as often as the path's finest level allows.
template <class Method, class State, class Observe>
class RunWithCuts {
 public:
  RunWithCuts(Method& method, const BrownianPath& path, const Observe& observe)
      : method_(method), path_(path), observe_(observe), noises_(static_cast<std::size_t>(path.noises())) {}
  bool step(State& z, int level, std::uint64_t index) {
    const State before = z;
    integrals_over(path_, level, index, noises_);
    if (method_.step(z, path_.step(level), StepNoise<double>(noises_)).ok()) {
      observe_(z);
      return true;
    }
    z = before;
    if (level == path_.finest_level()) return false;
    ++cuts;
    return step(z, level + 1, 2 * index) && step(z, level + 1, 2 * index + 1);
  }
  int cuts = 0;

 private:
  Method& method_;
  const BrownianPath& path_;
  const Observe& observe_;
  std::vector<NoiseIntegrals<double>> noises_;
};

/// The momentum of turns about the z axis.
template <class System, class State>
double momentum_about_z(const System& system, const State& z) {
  const auto p = system.momentum(z.v);
  double sum = 0;
  for (Eigen::Index i = 0; i < p.size(); i += 3) sum += z.q(i) * p(i + 1) - z.q(i + 1) * p(i);
  return sum;
}

struct MomentumChange {
  /// The largest change in units of (number of steps)^(1/2) roundings of the largest |q| |p|; infinite if the run ends early.
  double in_roundings = 0;
  double absolute = 0, fastest = 0;
  int cuts = 0;
  void include(const MomentumChange& other) {
    in_roundings = larger(in_roundings, other.in_roundings);
    absolute = larger(absolute, other.absolute);
    fastest = std::max(fastest, other.fastest);
    cuts += other.cuts;
  }
};
constexpr int level_of_steps = 17, level_of_cuts = 19;
constexpr double step_of_runs = 0.05;

template <class Make, class Problem>
MomentumChange momentum_change(const Make& make, const Problem& problem, const BrownianPath& path) {
  auto method = make(problem.system);
  auto z = method.start(problem.q, problem.v);
  const double first = momentum_about_z(problem.system, z);
  MomentumChange result;
  double size = 0;
  const auto observe = [&](const auto& at) {
    result.absolute = larger(result.absolute, std::abs(momentum_about_z(problem.system, at) - first));
    const double speed = at.v.norm();
    result.fastest = std::max(result.fastest, speed);
    size = std::max(size, at.q.norm() * problem.system.momentum(at.v).norm());
  };
  RunWithCuts<decltype(method), decltype(z), decltype(observe)> run(method, path, observe);
  const std::uint64_t steps = std::uint64_t{1} << level_of_steps;
  for (std::uint64_t k = 0; k < steps; ++k)
    if (!run.step(z, level_of_steps, k)) {
      result.in_roundings = infinity;
      return result;
    }
  result.cuts = run.cuts;
  result.in_roundings =
      result.absolute / (std::sqrt(static_cast<double>(steps)) * std::numeric_limits<double>::epsilon() * size);
  return result;
}
BrownianPath path_of_runs(std::uint64_t number) {
  return {5, number, 1, std::ldexp(step_of_runs, level_of_steps), level_of_cuts};
}
auto sphere_with_noise(int coordinate, double sigma) {
  return sphere_pendulum<double>(coordinate_noise<double, 3>(sigma, std::array{coordinate}));
}
/// So weak that over 6554 units of time speeds stay below seven, where all steps of 0.05 exist. With 0.5 they reach 54, and many
/// steps would have to be cut.
constexpr double noise_of_runs = 0.05;

TEST(StochasticVariationalIntegrators, keep_the_momentum_of_a_symmetry) {
  MomentumChange all;
  const auto add = [&](const auto& problem, const BrownianPath& path) {
    for (const NoiseWeights weights : {NoiseWeights::increments, NoiseWeights::integrals})
      all.include(momentum_change(rattle(weights), problem, path));
    for (const EulerForce force : {EulerForce::at_start, EulerForce::at_end})
      all.include(momentum_change(euler(force), problem, path));
  };
  const auto symmetric = sphere_with_noise(2, noise_of_runs);
  MomentumChange broken, projected;
  for (std::uint64_t number = 0; number < 4; ++number) {
    const BrownianPath path = path_of_runs(number);
    add(symmetric, path);
    if (number > 0) continue;
    // Noise along z on the second bob.
    add(double_sphere_pendulum<double>(coordinate_noise<double, 6>(noise_of_runs, std::array{5})), path);
    broken = momentum_change(rattle(NoiseWeights::integrals), sphere_with_noise(0, noise_of_runs), path);
    projected = momentum_change(projected_euler_maruyama, symmetric, path);
  }
  const auto lost = [](const MomentumChange& change, double at) {
    return std::isinf(change.in_roundings)
               ? text("A step did not exist at a speed of %.0f, after L_z had changed by %.2g.", at, change.absolute)
               : "";
  };
  expect_verdict(in_one_interval(
      {.id = "BO07.intro.svi-noether",
       .measured = std::isinf(all.in_roundings) ? not_measured : all.in_roundings,
       .unit = "roundings",
       .interval = {0, 30},
       .controls = {{.name = "noise along x", .measured = broken.in_roundings, .note = lost(broken, broken.fastest)},
                    {.name = "projected Euler-Maruyama",
                     .measured = projected.in_roundings,
                     .note = lost(projected, projected.fastest)}},
       .note = text("Largest change %.1e at speeds up to %.1f. Of %d steps %d did not exist and were cut in two.",
                    all.absolute, all.fastest, 20 << level_of_steps, all.cuts)}));
}

}  // namespace
}  // namespace livi::theorem
