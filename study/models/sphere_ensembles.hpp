// SPDX-License-Identifier: MIT
//
// Ensembles of paths on the unit sphere under white noise, M = I, U = z, and their energy. Ito's formula for
// H = |p|^2/2 + U is
//
//   dH = (1/2) sum_i K_ii dt + sum_i p.grad gamma_i dW_i,   K_ii = |grad gamma_i|^2 - (q.grad gamma_i)^2                (1)
//
// The last sum is a martingale. Its sum over steps, with p at the start of each step, has the mean zero for every method and
// every h; taken away from H(T) - H(0) it leaves the mean growth of the energy with a fluctuation of the size h^(1/2) only.
#pragma once

#include <livi/linalg/normal_numbers.hpp>
#include <livi/stochastic/brownian_products.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <vector>

#include "study/program/parallel.hpp"
#include "study/statistics/over_runs.hpp"

namespace livi::sphere {

/// Three noises gamma_i = a_i q_i, some of which may be zero.
using Noise = LinearNoise<double, 3, 3>;
using System = SpherePendulum<double, Noise>;
using Problem = StochasticProblem<System>;
using Space = Vector<double, 3>;

inline Problem pendulum(double x, double y, double z) {
  auto forces = zeros<Matrix<double, 3>>();
  forces(0, 0) = x;
  forces(1, 1) = y;
  forces(2, 2) = z;
  return sphere_pendulum<double>(Noise{forces});
}

/// The integrals of three noises over steps of a path that are drawn one by one: no other step has them, so that runs with
/// different h have different paths.
class Increments {
 public:
  Increments(std::uint64_t seed, std::uint64_t path) : normal_(seed, path) {}
  /// Returns those of step k, of length h; valid until the next call.
  StepNoise<double> operator()(std::uint64_t k, double h) {
    double xi[6];
    normal_(k, 0, xi, 6);
    for (std::size_t i = 0; i < 3; ++i) {
      const double w = std::sqrt(h) * xi[i];
      noises_[i] = {w, h * w / 2 + std::sqrt(h * h * h / 12) * xi[i + 3], 0};
    }
    return {noises_.data(), noises_.size()};
  }

 private:
  NormalNumbers normal_;
  std::array<NoiseIntegrals<double>, 3> noises_;
};

/// The integrals of three noises as Increments has them, with those of squares and of all products. A step is drawn in four parts, in each of which these are their
/// means under the increments and I10 of the part (brownian_products.hpp).
class IncrementsWithProducts {
 public:
  IncrementsWithProducts(std::uint64_t seed, std::uint64_t path) : normal_(seed, path) {}
  /// Returns those of step k, of length h; valid until the next call.
  StepNoise<double> operator()(std::uint64_t k, double h) {
    constexpr std::uint64_t parts = 4;
    constexpr std::array<std::array<std::size_t, 2>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};
    const double d = h / parts;
    noises_.fill({});
    products_.fill(0);
    for (std::uint64_t part = 0; part < parts; ++part) {
      double xi[6];
      normal_(parts * k + part, 0, xi, 6);
      std::array<NoiseIntegrals<double>, 3> of;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::array<double, 2> two{xi[i], xi[i + 3]};
        of[i] = undivided(d, two.data());
        of[i].squared = mean_of_square(of[i], d);
      }
      // What comes before a part may be longer than it.
      for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
        const auto [i, j] = pairs[pair];
        products_[pair] = joined_product({noises_[i], noises_[j]}, products_[pair], {of[i], of[j]},
                                         mean_of_product(of[i], of[j], d), d);
      }
      for (std::size_t i = 0; i < 3; ++i) noises_[i] = joined(noises_[i], of[i], d);
    }
    return {std::span<const NoiseIntegrals<double>>(noises_), std::span<const double>(products_)};
  }

 private:
  NormalNumbers normal_;
  std::array<NoiseIntegrals<double>, 3> noises_;
  std::array<double, 3> products_;
};

/// grad (sum_i gamma_i dW_i), in space.
template <class AnySystem>
Space impulse(const AnySystem& system, StepNoise<double> noises) {
  Space sum(0, 0, 0);
  for (Eigen::Index i = 0; i < 3; ++i)
    sum += noises[static_cast<std::size_t>(i)].increment * system.noise().forces.col(i);
  return sum;
}
/// (1/2) sum_i K_ii at q.
inline double rate_of_energy(const System& system, const Space& q) {
  double sum = 0;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Space a = system.noise().forces.col(i);
    sum += (a.squaredNorm() - a.dot(q) * a.dot(q)) / 2;
  }
  return sum;
}

/// The energy of a path: what it has gained at equal times, less the martingale, and the integral of (1) by the trapezoidal
/// rule at the end. Not a number from where a step did not exist.
struct EnergyOfPath {
  std::vector<double> gained;
  double by_ito = not_a_number;
  bool lost = false;
};

template <class Method, class Noises>
EnergyOfPath energy_of_path(Method method, const Problem& problem, Noises increments, double h, long steps,
                            long records) {
  EnergyOfPath found;
  auto z = method.start(problem.q, problem.v);
  const double initial = problem.system.energy(z.q, z.v);
  double martingale = 0, by_ito = 0, rate = rate_of_energy(problem.system, z.q);
  for (long k = 0; k < steps; ++k) {
    const StepNoise<double> noises = increments(static_cast<std::uint64_t>(k), h);
    martingale += z.v.dot(impulse(problem.system, noises));
    if (!method.step(z, h, noises).ok()) {
      found.lost = true;
      found.gained.resize(static_cast<std::size_t>(records), not_a_number);
      return found;
    }
    const double next = rate_of_energy(problem.system, z.q);
    by_ito += h * (rate + next) / 2;
    rate = next;
    if ((k + 1) % (steps / records) == 0)
      found.gained.push_back(problem.system.energy(z.q, z.v) - initial - martingale);
  }
  found.by_ito = by_ito;
  return found;
}

/// The energy of an ensemble. A mean is not a number if a path was lost before.
struct EnergyGrowth {
  std::vector<Estimate> gained;  ///< at equal times up to the end
  Estimate by_ito;
  Estimate excess;  ///< gained less by_ito, at the end
  long lost = 0;
};

/// `records` divides the number of steps.
template <class Noises = Increments, class Method>
EnergyGrowth energy_growth(const Method& method, const Problem& problem, double h, long steps, long records,
                           std::size_t paths, std::uint64_t seed, unsigned threads) {
  const auto all = for_each_case(paths, threads, [&](std::size_t path) {
    return energy_of_path(method, problem, Noises(seed, path), h, steps, records);
  });
  EnergyGrowth found;
  for (std::size_t k = 0; k < static_cast<std::size_t>(records); ++k)
    found.gained.push_back(estimate_of_all(of_each(all, [&](const EnergyOfPath& of) { return of.gained[k]; })));
  found.by_ito = estimate_of_all(of_each(all, &EnergyOfPath::by_ito));
  found.excess = estimate_of_all(of_each(all, [](const EnergyOfPath& of) { return of.gained.back() - of.by_ito; }));
  found.lost = count_of(all, [](const EnergyOfPath& of) { return of.lost; });
  return found;
}

/// Calls f(name, method) with each method.
template <class OneSystem, class Function>
void for_each_method(const OneSystem& system, const Function& f) {
  f("rattle", StochasticRattle(system, NoiseWeights::increments));
  f("rattle_integrals", StochasticRattle(system, NoiseWeights::integrals));
  f("euler_a", ConstrainedVariationalEuler(system, EulerForce::at_start));
  f("euler_b", ConstrainedVariationalEuler(system, EulerForce::at_end));
  f("projected_euler", ProjectedEulerMaruyama(system));
  f("projected_heun", ProjectedHeun(system));
  f("unprojected_noise", UnprojectedNoise(system));
}

}  // namespace livi::sphere
