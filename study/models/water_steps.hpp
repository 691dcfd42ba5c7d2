// SPDX-License-Identifier: MIT
//
// Clusters of 7, 100 and 1000 molecules at the temperature of TO14 4.3 to measure the cost of a step on, shared by the
// experiment water_cpu_times and the benchmark water_step.
#pragma once

#include <time.h>

#include <algorithm>
#include <functional>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/linalg/vectorised_normal_numbers.hpp>
#include <livi/report/water_starts.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/vectorised_water.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "water_runs.hpp"

namespace livi::water_steps {

using V = Vector<double, Dynamic>;

/// As printed in TO14 4.3.
constexpr double h = 0.05, omega = 20, beta = 0.25;
constexpr Bath<double> bath{0.01, 50};
/// Operations on numbers that one pair of molecules costs the vectorised gradient, a fused product and sum counted as
/// two, the approximate root as one: 9 pairs of atoms at 33, one more each for the 4 of an oxygen and a hydrogen, 8
/// more for the two oxygens.
constexpr double operations_per_pair = 9 * 33 + 4 + 8;

/// Rigid molecules near a minimum: (H2O)_7, or the first of copies of the cluster of 100, 30 A apart.
inline V positions(Eigen::Index molecules) {
  const V some = water_start(molecules == 7 ? "heptamer" : "hundred").q;
  V q(9 * molecules);
  for (Eigen::Index i = 0; i < q.size(); ++i)
    q(i) = some(i % some.size()) + (i % 3 == 0 ? 30.0 * static_cast<double>(i / some.size()) : 0.0);
  return q;
}

template <class Method>
void advance(Method& method, typename Method::state_type& z, int steps) {
  for (int k = 0; k < steps; ++k)
    if (const StepOutcome outcome = method.step(z, h); !outcome.ok())
      throw std::runtime_error("a step of " + method.declares().name + ": " + outcome.describe());
}

/// A rigid and a restrained cluster, each some steps after a start with velocities of the bath.
class Cluster {
 public:
  using Rigid = decltype(vectorised_water_cluster(1));
  using Restrained = decltype(penalised(vectorised_water_cluster(1), 1.0));
  using RigidMethod = Shake<Rigid>;
  using RestrainedMethod = StiffZhangSkeel<Restrained>;
  using Noise = VectorisedNormalNumbers;

  explicit Cluster(Eigen::Index molecules)
      : rigid(vectorised_water_cluster(molecules)), restrained(penalised(rigid, omega)) {
    const V q = positions(molecules);
    V v = normal_numbers(20140403, q.size());
    for (Eigen::Index i = 0; i < v.size(); ++i)
      v(i) *= std::sqrt(rigid.mass().reciprocal(i) / bath.inverse_temperature);
    v = water::rigid_part(rigid, q, v);
    GeometricLangevin shake(RigidMethod(rigid), bath, Noise(1));
    GeometricLangevin zhang_skeel(RestrainedMethod(restrained, {beta}), bath, Noise(1));
    rigid_state = shake.start(q, v);
    restrained_state = zhang_skeel.start(q, v);
    advance(shake, rigid_state, 40);
    advance(zhang_skeel, restrained_state, 40);
  }

  Rigid rigid;
  Restrained restrained;
  GeometricLangevin<RigidMethod, Noise>::state_type rigid_state;
  GeometricLangevin<RestrainedMethod, Noise>::state_type restrained_state;
};

/// One thing to be timed: run(n) does it n times.
struct Part {
  std::string name;
  std::function<void(int)> run;
};

/// The parts of a step, and whole steps, on a cluster, which must outlive them. Whole steps go on from where they were.
inline std::vector<Part> parts(const Cluster& cluster) {
  const auto size = cluster.rigid.size();
  const auto times = [](auto once) {
    return [once](int n) mutable {
      for (int k = 0; k < n; ++k) once();
    };
  };
  const auto steps = [](auto method, auto state) {
    return [method, state](int n) mutable { advance(method, state, n); };
  };
  const V& q = cluster.rigid_state.q;
  const V& v = cluster.rigid_state.v;
  const V predicted = q + h * v, other = cluster.restrained_state.v, x = cluster.restrained_state.q;
  using Rigid = Cluster::Rigid;
  using Restrained = Cluster::Restrained;
  std::vector<Part> all;
  all.push_back(
      {"gradient", times([&cluster, q, out = V(size)]() mutable { cluster.rigid.potential().gradient(q, out); })});
  all.push_back({"linear_solve", times([&cluster, x, other, f = V(size)]() mutable {
                   f = other;
                   const auto& system = cluster.restrained;
                   if (vectorised_stiff_solve(system.potential().penalty, system.mass(), beta * h * h, x, f).singular)
                     throw std::runtime_error("singular");
                 })});
  all.push_back({"multipliers", times([&cluster, q, predicted, next = V(size), mu = V(size / 3), work = WorkCounters(),
                                       solve = MultiplierSolve<Rigid>(cluster.rigid, {})]() mutable {
                   solve.set_directions(cluster.rigid, q);
                   mu = (h * h) * cluster.rigid_state.lambda;
                   if (!solve.solve_position(cluster.rigid, predicted, mu, next, work).ok())
                     throw std::runtime_error("no convergence");
                   next += solve.push(mu);
                 })});
  all.push_back({"normal_numbers", times([noise = Cluster::Noise(1), xi = V(size), k = 0]() mutable {
                   noise(static_cast<std::uint64_t>(++k), 0, xi.data(), xi.size());
                 })});
  all.push_back({"bath", times([q, v = V(v), xi = normal_numbers(7, size), work = WorkCounters(),
                                flow = OrnsteinUhlenbeck<Restrained>(cluster.restrained, bath)]() mutable {
                   if (!flow(q, v, xi, h, work).ok()) throw std::runtime_error("bath");
                 })});
  all.push_back({"bath_tangent", times([q, v = V(v), xi = normal_numbers(7, size), work = WorkCounters(),
                                        flow = OrnsteinUhlenbeck<Rigid>(cluster.rigid, bath)]() mutable {
                   if (!flow(q, v, xi, h, work).ok()) throw std::runtime_error("bath");
                 })});
  const Cluster::RestrainedMethod zhang_skeel(cluster.restrained, {beta});
  const Cluster::RigidMethod shake(cluster.rigid);
  all.push_back({"zhang_skeel", steps(zhang_skeel, zhang_skeel.start(x, other))});
  all.push_back({"shake", steps(shake, Cluster::RigidMethod::state_type(cluster.rigid_state))});
  all.push_back({"langevin.zhang_skeel",
                 steps(GeometricLangevin(zhang_skeel, bath, Cluster::Noise(2)), cluster.restrained_state)});
  all.push_back({"langevin.shake", steps(GeometricLangevin(shake, bath, Cluster::Noise(2)), cluster.rigid_state)});
  return all;
}

/// Seconds that the processor has spent on this thread: what others do on a shared machine does not count.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace livi::water_steps
