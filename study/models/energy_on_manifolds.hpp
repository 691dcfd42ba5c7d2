// SPDX-License-Identifier: MIT
//
// The pendulum on the sphere and on the cylinder under noise until its paths end: energy less its martingale, heights, speeds and correlations of
// ensembles by several methods.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <livi/stochastic/brownian_path.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/run_along.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <vector>

#include "study/models/sphere_ensembles.hpp"
#include "study/program/estimates.hpp"
#include "study/program/parallel.hpp"
#include "study/statistics/over_runs.hpp"

namespace livi::on_manifolds {

using sphere::Problem, sphere::Space, sphere::System;

inline constexpr double path_time = 128;
/// A path has 2^(level) steps: lengths of 1/16, 1/32, 1/64.
inline constexpr int sixteenths = 11, fine = 13;
inline constexpr std::array<std::uint64_t, 4> lags{2, 4, 8, 16};  ///< in sixteenths of a unit of time
/// Times at which energies are recorded; statistics are taken in windows that begin every fourth unit of time from 64 on.
inline constexpr std::array<double, 5> record_times{8, 16, 32, 64, 128};
inline constexpr std::uint64_t first_window = 64 * 16, between_windows = 4 * 16;
inline constexpr std::size_t windows = 16;
inline constexpr double beyond_all = std::numeric_limits<double>::infinity();

/// What is recorded of a path that may end before path_time, with a step that does not exist.
struct OfPath {
  double end = path_time;  ///< time of the last step that exists
  std::array<double, record_times.size()> time,
      gained;                                  ///< time until then or the end; the energy gained less the martingale
  std::vector<double> heights;                 ///< at the beginning of each window that is reached
  std::array<double, windows> speeds;          ///< there; infinite after the end, for |p| > 1/h has no step
  double square = 0;                           ///< sum of |p(t)|^2 over the windows that are complete
  std::array<double, lags.size()> products{};  ///< sums of p(t).p(t + lag) over them
  [[nodiscard]] bool ended() const { return end < path_time; }
};

/// On the sphere all components of a momentum turn, on the cylinder the first two.
template <class AnySystem>
inline constexpr int round_components = std::is_same_v<AnySystem, System> ? 3 : 2;

/// A vector without its part along the normal of sphere or cylinder.
template <int round>
Space tangential(const Space& q, Space b) {
  b.head<round>() -= q.head<round>().dot(b.head<round>()) * q.head<round>();
  return b;
}
/// The momentum at the end of a step of RATTLE without noise, in closed form. Where there is none, the free motion turns it by a
/// right angle.
template <class AnySystem>
Space momentum_after_step(const AnySystem& system, const Space& q, const Space& p, double h) {
  constexpr int round = round_components<AnySystem>;
  const auto half_kick = [&](const Space& at) -> Space {
    Space gradient(0, 0, 0);
    system.potential().gradient(at, gradient);
    return tangential<round>(at, -h / 2 * gradient);
  };
  Space after = p + half_kick(q), end = q + h * after;
  const double speed = after.head<round>().norm(), sine = std::min(1.0, h * speed), cosine = std::sqrt(1 - sine * sine);
  end.head<round>() += (cosine - 1) * q.head<round>();
  after.head<round>() = cosine * after.head<round>() - sine * speed * q.head<round>();
  return after + half_kick(end);
}

/// p.b + p'.b' with the kicks b = dW/2 + c zeta/h and b' = dW/2 - c zeta/h, p' the momentum at the end of RATTLE's step without
/// noise; and |P dW|^2/2 less its mean, P the projection on tangent vectors at q. As q and p are known before the step, and p'
/// by them, its mean is zero for every method. For RATTLE with these weights what is left of the energy gained, beyond
/// sigma^2 h, is of second order in the kicks times h |p|, or of third.
template <class AnySystem>
double martingale_of_step(const AnySystem& system, const Space& q, const Space& p, double h,
                          const std::vector<NoiseIntegrals<double>>& noises, double c) {
  constexpr int round = round_components<AnySystem>;
  const Space after = momentum_after_step(system, q, p, h);
  double sum = 0, mean = 0;
  Space kick(0, 0, 0);
  for (std::size_t i = 0; i < noises.size(); ++i) {
    const Space force = system.noise().forces.col(static_cast<Eigen::Index>(i));
    sum += (noises[i].increment / 2 * (p + after) + c * noises[i].zeta(h) / h * (p - after)).dot(force);
    kick += noises[i].increment * force;
    mean += h * tangential<round>(q, force).squaredNorm();
  }
  return sum + (tangential<round>(q, kick).squaredNorm() - mean) / 2;
}

/// The c of a method's kicks, dW/2 + c zeta/h and dW/2 - c zeta/h.
inline constexpr double with_increments = 0, with_integrals = 1, with_weak = 1.7320508075688772;

template <class Method, class AnyProblem>
OfPath along(Method method, const AnyProblem& problem, const BrownianPath& path, int level,
             double c = with_increments) {
  OfPath found;
  found.speeds.fill(beyond_all);
  auto z = method.start(problem.q, problem.v);
  auto before = z;
  const double initial = problem.system.energy(z.q, z.v), h = path.step(level);
  const std::uint64_t in_sixteenth = std::uint64_t{1} << (level - sixteenths);
  double martingale = 0, square = 0;
  Space p(0, 0, 0);
  std::array<double, lags.size()> products{};
  std::vector<NoiseIntegrals<double>> noises(3);
  std::size_t next = 0, window = 0;
  const auto record = [&] {
    found.time[next] = std::min(found.end, record_times[next]);
    found.gained[next++] = problem.system.energy(z.q, z.v) - initial - martingale;
  };
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    integrals_over(path, level, k, noises);
    before = z;
    if (!call_inlined<double>([&] { return method.step(z, h, noises); }).ok()) {
      z = before;
      found.end = static_cast<double>(k) * h;
      while (next < record_times.size()) record();
      return found;
    }
    martingale += martingale_of_step(problem.system, before.q, before.v, h, noises, c);
    if ((k + 1) % in_sixteenth != 0) continue;
    const std::uint64_t at = (k + 1) / in_sixteenth;
    if (static_cast<double>(at) == 16 * record_times[next]) record();
    if (at < first_window || window == windows) continue;
    const std::uint64_t since = (at - first_window) % between_windows;
    if (since == 0) {
      p = z.v;
      square = p.squaredNorm();
      found.heights.push_back(z.q(2));
      found.speeds[window] = z.v.norm();
    }
    for (std::size_t lag = 0; lag < lags.size(); ++lag)
      if (since == lags[lag]) products[lag] = p.dot(z.v);
    if (since != lags.back()) continue;
    found.square += square;
    for (std::size_t lag = 0; lag < lags.size(); ++lag) found.products[lag] += products[lag];
    ++window;
  }
  return found;
}

using Ensemble = std::vector<OfPath>;

/// The energy gained up to a record, or until the path ends, less sigma^2 times the time: by Ito's formula and optional
/// stopping its mean is zero. In units of the mean of the latter.
inline Estimate excess(const Ensemble& paths, std::size_t record, double rate) {
  const double expected =
      rate * estimate_of_all(of_each(paths, [&](const OfPath& of) { return of.time[record]; })).mean;
  return estimate_of_all(
      of_each(paths, [&](const OfPath& of) { return (of.gained[record] - rate * of.time[record]) / expected; }));
}
/// sum p(t).p(t + lag)/sum |p(t)|^2, and its standard error.
inline Estimate autocorrelation(const Ensemble& paths, std::size_t lag) {
  double product = 0, square = 0;
  for (const OfPath& of : paths) {
    product += of.products[lag];
    square += of.square;
  }
  const double ratio = product / square, mean_square = square / static_cast<double>(paths.size());
  return {
      ratio,
      estimate(of_each(paths, [&](const OfPath& of) { return (of.products[lag] - ratio * of.square) / mean_square; }))
          .error,
      paths.size()};
}
/// The largest difference of two empirical distribution functions. Values may be infinite.
inline double distance(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) return not_a_number;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= at) ++i;
    while (j < b.size() && b[j] <= at) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                         static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return largest;
}
inline std::vector<double> heights_of(const Ensemble& paths) {
  std::vector<double> all;
  for (const OfPath& of : paths) all.insert(all.end(), of.heights.begin(), of.heights.end());
  return all;
}
inline std::vector<double> speeds_of(const Ensemble& paths) {
  std::vector<double> all;
  for (const OfPath& of : paths) all.insert(all.end(), of.speeds.begin(), of.speeds.end());
  return all;
}

struct Difference {
  double energy = not_a_number, correlation = not_a_number, height = not_a_number, speed = not_a_number;
  long ended = 0;
  [[nodiscard]] double worst() const {
    double largest = 0;
    for (const double part : {energy, correlation, height, speed})
      if (!(part <= largest)) largest = part;
    return largest;
  }
};
inline Difference difference(const Ensemble& a, const Ensemble& reference, double rate) {
  Difference found;
  found.ended = count_of(a, [](const OfPath& path) { return path.ended(); });
  found.energy = std::abs(excess(a, record_times.size() - 1, rate).mean);
  found.correlation = 0;
  for (std::size_t k = 0; k < lags.size(); ++k) {
    const double apart = std::abs(autocorrelation(a, k).mean - autocorrelation(reference, k).mean);
    if (!(apart <= found.correlation)) found.correlation = apart;
  }
  found.height = distance(heights_of(a), heights_of(reference));
  found.speed = distance(speeds_of(a), speeds_of(reference));
  return found;
}

inline constexpr double sigma = 0.5, rate_of_energy_gained = sigma * sigma;
inline constexpr std::array<double, 3> conjecture_steps{1.0 / 16, 1.0 / 32, 1.0 / 64};

/// The runs on one system, on the first of its paths those of all methods; for each method at each of the steps.
struct Ensembles {
  using OfSteps = std::array<Ensemble, conjecture_steps.size()>;
  Ensemble reference, weaker, increments, weak;
  OfSteps rattle, runge_kutta, heun, euler;
};

/// `Classical` is the method that is not variational; a fifth of the paths are for all methods but RATTLE and the reference.
template <class Classical, class AnyProblem>
Ensembles ensembles(const AnyProblem& problem, const AnyProblem& weaker, std::uint64_t seed, std::size_t paths,
                    unsigned threads) {
  const std::size_t paths_of_others = paths / 5;
  using OfSteps = std::array<OfPath, conjecture_steps.size()>;
  struct OfAll {
    OfPath reference, weaker, increments, weak;
    OfSteps rattle, runge_kutta, heun, euler;
  };
  // The reference is a method of another kind: what is wrong in all steps of RATTLE would be in a reference of its own, too.
  const auto all = for_each_case(paths, threads, [&](std::size_t number) {
    const BrownianPath path(seed, number, 3, path_time, fine);
    OfAll of;
    const auto with_all_steps = [&](const auto& method, OfSteps& found, double c = with_increments) {
      for (std::size_t k = 0; k < conjecture_steps.size(); ++k)
        found[k] = along(method, problem, path, sixteenths + static_cast<int>(k), c);
    };
    with_all_steps(StochasticRattle(problem.system, NoiseWeights::integrals), of.rattle, with_integrals);
    of.reference = along(Classical(problem.system), problem, path, fine);
    if (number >= paths_of_others) return of;
    with_all_steps(Classical(problem.system), of.runge_kutta);
    with_all_steps(ProjectedHeun(problem.system), of.heun);
    with_all_steps(ProjectedEulerMaruyama(problem.system), of.euler);
    of.weaker =
        along(StochasticRattle(weaker.system, NoiseWeights::integrals), weaker, path, sixteenths + 1, with_integrals);
    of.increments = along(StochasticRattle(problem.system, NoiseWeights::increments), problem, path, sixteenths);
    of.weak = along(StochasticRattle(problem.system, NoiseWeights::weak), problem, path, sixteenths, with_weak);
    return of;
  });
  Ensembles found;
  const auto collect = [&](std::size_t size, const auto& which, Ensemble& ensemble) {
    for (std::size_t k = 0; k < size; ++k) ensemble.push_back(which(all[k]));
  };
  const auto of_one = [&](std::size_t size, OfPath OfAll::*which, Ensemble& ensemble) {
    collect(
        size, [&](const OfAll& of) { return of.*which; }, ensemble);
  };
  const auto of_steps = [&](std::size_t size, OfSteps OfAll::*which, Ensembles::OfSteps& result) {
    for (std::size_t k = 0; k < conjecture_steps.size(); ++k)
      collect(
          size, [&](const OfAll& of) { return (of.*which)[k]; }, result[k]);
  };
  of_steps(paths, &OfAll::rattle, found.rattle);
  of_one(paths, &OfAll::reference, found.reference);
  of_steps(paths_of_others, &OfAll::runge_kutta, found.runge_kutta);
  of_steps(paths_of_others, &OfAll::heun, found.heun);
  of_steps(paths_of_others, &OfAll::euler, found.euler);
  of_one(paths_of_others, &OfAll::weaker, found.weaker);
  of_one(paths_of_others, &OfAll::increments, found.increments);
  of_one(paths_of_others, &OfAll::weak, found.weak);
  return found;
}

}  // namespace livi::on_manifolds
