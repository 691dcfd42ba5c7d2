// SPDX-License-Identifier: MIT
// Theorem: BO07, Section 1, path by path: symplecticity and Noether's theorem under noise; and what a step needs of a path
//
// For given integrals of the noise a step of a variational integrator is one of a deterministic variational integrator, with
// kicks that are the flows of -B gamma(q). So it keeps the form of T*Q, and every momentum under whose symmetry V and gamma do
// not change.
//
// On the unit sphere with M = I the position of RATTLE is (1 + a) q + h P_t, with P_t the tangential part of
// P = p + h/2 F(q) + B1 grad gamma(q). So (1 + a)^2 + h^2 |P_t|^2 = 1, which has a real root if and only if h |P_t| <= 1.
//
// A noise force that is projected to the tangent space before the step is no control: what is taken away is along Dg(q)', and
// the multiplier adds it again. A projection of the velocity in another metric is one.
#include <livi/integrators/rattle.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/run_along.hpp>

#include <cstring>

#include "study/evidence/constrained_measures.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"bo07_pathwise",
          {"BO07", "Section 1, path by path", "Sec. 1"},
          "Section 1, path by path: symplecticity and Noether's theorem under noise; what a step needs"};
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

// --- no noise ---------------------------------------------------------------------------------------------------------

template <class V>
bool same_bits(const V& x, const V& y) {
  return std::memcmp(x.data(), y.data(), sizeof(double) * static_cast<std::size_t>(x.size())) == 0;
}
/// Returns how many of 10^4 states differ in a bit, after one step under the first increment.
template <class Problem>
int states_that_differ(const Problem& problem, double first_increment) {
  Rattle rattle(problem.system);
  StochasticRattle stochastic(problem.system);
  auto z = rattle.start(problem.q, problem.v), w = stochastic.start(problem.q, problem.v);
  std::vector<NoiseIntegrals<double>> noises(static_cast<std::size_t>(problem.system.noise().count()));
  noises[0].increment = first_increment;
  int result = 0;
  for (int k = 0; k < 10000; ++k) {
    if (!rattle.step(z, 0.05).ok() || !stochastic.step(w, 0.05, StepNoise<double>(noises)).ok()) return 1 << 30;
    noises[0].increment = 0;
    result += same_bits(z.q, w.q) && same_bits(z.v, w.v) ? 0 : 1;
  }
  return result;
}

TEST(StochasticRattle, without_noise_is_rattle_to_the_bit) {
  const auto on_all = [](double increment) {
    return std::array{
        states_that_differ(sphere_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0, 1, 2})), increment),
        states_that_differ(cylinder_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0, 2})), increment),
        states_that_differ(double_sphere_pendulum<double>(coordinate_noise<double, 6>(0.5, std::array{0, 5})),
                           increment),
        states_that_differ(water_in_field<double>(0.3, 0.5), increment)};
  };
  const auto none = on_all(0), some = on_all(1e-12);
  expect_verdict(
      in_one_interval({.id = "BO07.zero-noise.bitwise",
                       .measured = static_cast<double>(*std::max_element(none.begin(), none.end())),
                       .unit = "states",
                       .interval = {0, 0},
                       .controls = {{.name = "an increment of 1e-12 in the first step",
                                     .measured = static_cast<double>(*std::min_element(some.begin(), some.end()))}}}));
}

// --- the multiplier on the sphere -------------------------------------------------------------------------------------

/// How often methods are wrong about a step that exists or not.
struct Judgements {
  int wrong = 0, exist = 0, wrong_by_momentum = 0;
};

TEST(Sphere, has_a_step_of_rattle_where_its_length_is_at_most_one) {
  using V = Vector<double, 3>;
  const auto problem = sphere_with_noise(0, 0.5);
  using System = std::decay_t<decltype(problem.system)>;
  StochasticRattle<System> by_hand(problem.system);
  ConstrainedPartitionedRungeKutta<System> by_tableau(problem.system, lobatto<double>(2), NoiseWeights::integrals);
  constexpr double h = 0.125;
  const V force(0, 0, -1), push(0.5, 0, 0);
  Judgements found;
  const auto judge = [&](const V& q, const V& v, const NoiseIntegrals<double>& noise, double length) {
    const auto outcome = [&](auto& method) {
      auto z = method.start(problem.q, problem.v);
      z.q = q;
      z.v = v;
      if constexpr (requires { z.f; }) problem.system.acceleration(q, z.f);
      const StepOutcome result = method.step(z, h, StepNoise<double>(&noise, 1));
      // What is taken must be the near one of two roots, on the sphere; what is not taken must be said to have none.
      const bool right =
          result.ok() ? z.q.dot(q) >= 0 && std::abs(z.q.norm() - 1) < 1e-14 : result.failure == Failure::no_real_root;
      return std::pair(result.ok(), right);
    };
    for (const auto& [exists, right] : {outcome(by_hand), outcome(by_tableau)})
      found.wrong += exists == (length <= 1) && right ? 0 : 1;
    found.exist += length <= 1 ? 1 : 0;
    found.wrong_by_momentum += (h * v.norm() <= 1) == (length <= 1) ? 0 : 1;
  };
  constexpr int states = 1000;
  for (int i = 0; i < states; ++i) {
    const auto [q, across] = orthogonal_directions<double>(static_cast<std::uint64_t>(i), 0);
    const auto noise = random_noise<double>(1, 1, static_cast<std::uint64_t>(i), h)[0];
    const V kick = h / 2 * force + (noise.increment / 2 + noise.zeta(h) / h) * push,
            tangential = kick - q.dot(kick) * q;
    for (const double length : {0.99, 1.01}) judge(q, V(length / h * across - tangential), noise, length);
    // Anywhere: lengths of the momentum from 0 to 2/h.
    const V v = 2 * product(i, states) * 2 / h * across;
    judge(q, v, noise, h * (v + tangential).norm());
  }
  EXPECT_GT(found.exist, states);
  EXPECT_LT(found.exist, 2 * states);
  // Along a path, from a fast start: the step that is missing is named.
  const BrownianPath path(3, 12, 1, 16, 7);
  auto z = by_hand.start(V(1, 0, 0), V(0, 7.5, 0));
  const auto failed = run_along(by_hand, z, path, 7, 12);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->path, 12U);
  EXPECT_EQ(failed->outcome.failure, Failure::no_real_root);
  const auto noise = path.over(0, 7, failed->step);
  const V kick = h / 2 * force + (noise.increment / 2 + noise.zeta(h) / h) * push + z.v;
  EXPECT_GT(h * (kick - z.q.dot(kick) * z.q).norm(), 1);
  expect_verdict(in_one_interval({.id = "BO07.spec.multiplier-limit",
                                  .measured = static_cast<double>(found.wrong),
                                  .unit = "cases",
                                  .interval = {0, 0},
                                  .controls = {{.name = "h |p| <= 1 in the place of h |P_t| <= 1",
                                                .measured = static_cast<double>(found.wrong_by_momentum)}},
                                  .note = text("%d of %d cases have a step. What is said of one along a path: %s.",
                                               found.exist, 3 * states, failed->describe().c_str())}));
}

// --- the integrals of a path ------------------------------------------------------------------------------------------

/// Variance of zeta over h^3/12, and its correlation with the increment, in standard errors; and how far joined steps are from
/// drawn ones.
struct Zeta {
  double variance = 0, correlation = 0, raw_variance = 0, difference = 0;
  std::size_t steps = 0;
  [[nodiscard]] double largest() const { return std::max(std::abs(variance), std::abs(correlation)); }
};
/// Joins the steps of level 6 to those of level 3, h = 1/8. `forget` leaves out the term h a of the integral.
Zeta zeta_of_paths(bool forget) {
  constexpr int coarse = 3, fine = 6, paths = 12500;
  constexpr double h = 0.125;
  Zeta result;
  double zz = 0, ww = 0, zw = 0;
  for (std::uint64_t number = 0; number < paths; ++number) {
    const BrownianPath path(9, number, 1, 1, fine);
    std::vector<BrownianIntegrals> steps;
    for (std::uint64_t k = 0; k < 1U << fine; ++k) steps.push_back(path.over(0, fine, k));
    for (int level = fine; level > coarse; --level) {
      for (std::size_t k = 0; 2 * k < steps.size(); ++k) {
        const BrownianIntegrals a = steps[2 * k], b = steps[2 * k + 1];
        steps[k] = joined(a, b, path.step(level));
        if (forget) steps[k].integral = a.integral + b.integral;
      }
      steps.resize(steps.size() / 2);
    }
    for (std::uint64_t k = 0; k < steps.size(); ++k) {
      const double z = steps[k].zeta(h), w = steps[k].increment;
      zz += z * z;
      ww += w * w;
      zw += z * w;
      ++result.steps;
      const BrownianIntegrals& drawn = path.over(0, coarse, k);
      result.difference = std::max({result.difference, std::abs(drawn.increment - w), std::abs(drawn.zeta(h) - z)});
    }
  }
  const auto n = static_cast<double>(result.steps);
  const auto errors = [&](double expected) { return (zz / n / expected - 1) / std::sqrt(2 / n); };
  result.variance = errors(h * h * h / 12);
  result.raw_variance = errors(h * h * h / 3);
  result.correlation = zw / std::sqrt(zz * ww) * std::sqrt(n);
  return result;
}

TEST(Paths, have_integrals_of_the_right_variances) {
  const Zeta right = zeta_of_paths(false), wrong = zeta_of_paths(true);
  // Numbers of size one, three joins.
  EXPECT_LT(right.difference, 8 * std::numeric_limits<double>::epsilon());
  expect_verdict(in_one_interval(
      {.id = "BO07.spec.zeta",
       .measured = right.largest(),
       .unit = "standard errors",
       .interval = {0, 4},
       .controls = {{.name = "a variance of h^3/3", .measured = std::abs(right.raw_variance)},
                    {.name = "joined without the term h a", .measured = wrong.largest()}},
       .note = text(
           "%zu steps; variance %+.2f, correlation %+.2f standard errors. Joined steps and drawn ones differ by %.0e.",
           right.steps, right.variance, right.correlation, right.difference)}));
}

}  // namespace
}  // namespace livi::theorem
