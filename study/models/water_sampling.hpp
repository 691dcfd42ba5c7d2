// SPDX-License-Identifier: MIT
//
// Sampling by the methods of TO14 4.3: equilibrated runs of Langevin dynamics (27), kinetic temperatures, histograms of
// the distances between oxygens, and when two of these differ by more than sampling.
//
// Temperatures are kinetic, m v^2 per degree of freedom, in units of the bath's. The penalised model has 9 N degrees of
// freedom. The rigid one has 6 N: the mean kinetic energy of the oxygens is half the temperature times the trace of the
// projector to tangent velocities over their coordinates (tangent_freedoms), not 3 N/2 times.
//
// A method of the family (19) steps in x; the position that x stands for is q = x + beta h^2 a(x).
#pragma once

#include <algorithm>
#include <livi/integrators/integrator.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/variational_stiff_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/linalg/vectorised_normal_numbers.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/water_cluster.hpp>
#include <livi/trajectory/trajectory.hpp>

#include "study/program/parallel.hpp"
#include "study/statistics/histogram.hpp"
#include "study/statistics/over_runs.hpp"
#include "water_parameters.hpp"
#include "water_runs.hpp"

namespace livi::water {

using V = Vector<double, Dynamic>;

enum class Method { shake, stiff_zhang_skeel, variational, verlet };

struct Settings {
  Method method = Method::stiff_zhang_skeel;
  double h = printed_step;
  double beta = chosen_beta;
  double omega = printed_omega;
  double gamma = printed_friction;
  double inverse_temperature = printed_inverse_temperature;
  NewtonOptions<double> newton = {};  ///< options of SHAKE
  /// Ensembles of one method that are compared with each other differ in this, and so have noise of their own.
  std::uint64_t ensemble = 0;
};

/// How long, in units of time. Molecules forget their velocity at the rate 3 gamma/m = 1/600, hydrogens at gamma/m =
/// 1/100. A run starts from a minimum of the rigid model, at rest, has a hundred times the friction for ten times what
/// velocities then last, then the printed one, and is recorded from then on. Penalised models are thermalised by small
/// steps of velocity Verlet, so that every method starts from the same equilibrium.
struct Duration {
  double thermalised = 60;  ///< with a hundred times the friction
  double settled = 1000;
  double recorded = 10000;
  double between = 0.5;  ///< time between recorded points
};

/// f(r) for the distance of every pair of oxygens.
template <class F>
void for_each_distance(const V& q, const F& f) {
  for (Eigen::Index a = 9; a < q.size(); a += 9)
    for (Eigen::Index b = 0; b < a; b += 9) {
      const double x = q(a) - q(b), y = q(a + 1) - q(b + 1), z = q(a + 2) - q(b + 2);
      f(std::sqrt(x * x + y * y + z * z));
    }
}

/// Twice the kinetic energies of a cluster's motion and of its rotation as a whole, at the position q.
struct WholeMotion {
  double drift, rotation;
};
template <class Mass>
WholeMotion whole_motion(const Mass& mass, const V& q, const V& v) {
  double all = 0, center[3] = {0, 0, 0}, momentum[3] = {0, 0, 0};
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    const double m = mass.diagonal(i);
    all += m;
    for (int k = 0; k < 3; ++k) {
      center[k] += m * q(i + k);
      momentum[k] += m * v(i + k);
    }
  }
  Matrix<double, 3> inertia = Matrix<double, 3>::Zero();
  Vector<double, 3> spin = Vector<double, 3>::Zero();
  for (Eigen::Index i = 0; i < q.size(); i += 3) {
    const double m = mass.diagonal(i);
    const double r[3] = {q(i) - center[0] / all, q(i + 1) - center[1] / all, q(i + 2) - center[2] / all};
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int k = 0; k < 3; ++k) {
      const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      spin(k) += m * (r[k1] * v(i + k2) - r[k2] * v(i + k1));
      for (int l = 0; l < 3; ++l) inertia(k, l) += m * ((k == l ? square : 0) - r[k] * r[l]);
    }
  }
  SymmetricFactor<double, 3> factor;
  Vector<double, 3> rate = spin;
  if (factor.factor(inertia).singular) throw std::runtime_error("inertia of a cluster: singular");
  factor.solve_in_place(rate);
  double drift = 0;
  for (const double p : momentum) drift += p * p / all;
  return {drift, spin(0) * rate(0) + spin(1) * rate(1) + spin(2) * rate(2)};
}

/// N molecules side by side on a cubic lattice, as full as it goes along x, then y, then z.
inline V lattice(Eigen::Index molecules, double spacing) {
  const Vector<double, 9> shape = water_molecule(tip3p<double>());
  const auto side = static_cast<Eigen::Index>(std::ceil(std::cbrt(static_cast<double>(molecules)) - 1e-9));
  V q(9 * molecules);
  for (Eigen::Index a = 0; a < molecules; ++a) {
    const Eigen::Index at[3] = {a % side, a / side % side, a / side / side};
    for (Eigen::Index i = 0; i < 9; ++i) q(9 * a + i) = shape(i) + spacing * static_cast<double>(at[i % 3]);
  }
  return q;
}

/// What is recorded of a run.
struct Sample {
  double temperature = not_a_number, oxygen = not_a_number, hydrogen = not_a_number;  ///< in units of the bath's
  double drifting = not_a_number;    ///< temperature of the cluster's motion as a whole
  double turning = not_a_number;     ///< temperature of its rotation as a whole, L . I^-1 L / 3
  double internal = not_a_number;    ///< temperature of the other 9 N - 6 degrees of freedom (rigid molecules: 6 N - 6)
  double potential = not_a_number;   ///< mean of (24) without the kinetic energy, at the physical position
  double constraint = not_a_number;  ///< largest |g_i|, at the physical position
  double mean_distance = not_a_number;
  /// omega^2 times the variance of g_i in units of the temperature, mean over the bonds O-H, at x and at q: 1 in a
  /// harmonic model without V0.
  double stored_spread = not_a_number, physical_spread = not_a_number;
  double drift = not_a_number;  ///< mean distance of the second half of the run less that of the first
  double lost_at = not_a_number;
  double iterations = 0;  ///< iterations of Newton's method per step
  Histogram stored, physical;
};

/// h omega of the small steps of velocity Verlet: h times the highest frequency of a molecule, 4.544 omega, is 1.14.
constexpr double stable_step = 0.25;
/// A run is lost when its temperature is a hundred times the bath's, or a step fails.
constexpr double lost_temperature = 100;

namespace detail {

/// (24) without the kinetic energy.
template <class Potential>
double pair_energy(const Potential& potential, const V& q) {
  if constexpr (requires { potential.base; }) {
    return potential.base.value(q);
  } else {
    return potential.value(q);
  }
}

/// Steps for a time; false if lost. `see(k)` after step k.
template <class Method, class State, class See>
bool advance(Method& method, State& z, double h, double time, const See& see) {
  const auto steps = static_cast<long>(std::ceil(time / h - 1e-9));
  for (long k = 1; k <= steps; ++k)
    if (!method.step(z, h).ok() || !see(k)) return false;
  return true;
}

/// Kinetic energies, twice.
struct OfSpecies {
  double oxygen = 0, hydrogen = 0;
  [[nodiscard]] double all() const { return oxygen + hydrogen; }
};
template <class Mass>
OfSpecies twice_kinetic_energies(const Mass& mass, const V& v) {
  OfSpecies of;
  for (Eigen::Index i = 0; i < v.size(); i += 9)
    for (Eigen::Index k = 0; k < 9; ++k)
      (k < 3 ? of.oxygen : of.hydrogen) += mass.diagonal(i + k) * v(i + k) * v(i + k);
  return of;
}

/// Sums over the recorded points of a run, and the means that they make.
template <class System>
class Record {
 public:
  /// Only the number of coordinates of `cluster` counts.
  Record(const System& system, const Settings& set, const V& cluster, const Histogram& empty)
      : system_(system), set_(set), molecules_(static_cast<double>(cluster.size() / 9)) {
    sample.stored = sample.physical = empty;
    for (const bool at_physical : {false, true})
      sums_[at_physical] = squares_[at_physical] = V::Zero(cluster.size() / 3);
    if constexpr (Constrained<System>) freedoms_ = tangent_freedoms();
  }

  /// A point of the run: the stored position x, the velocity with its kinetic energies, and the physical position q.
  void see(const V& x, const V& v, const OfSpecies& kinetic, const V& q, bool in_first_half) {
    ++points_;
    kinetic_.oxygen += kinetic.oxygen;
    kinetic_.hydrogen += kinetic.hydrogen;
    const WholeMotion whole = whole_motion(system_.mass(), q, v);
    drifting_ += whole.drift;
    turning_ += whole.rotation;
    for_each_distance(x, [&](double r) { sample.stored.add(r); });
    const int which = in_first_half ? 0 : 1;
    for_each_distance(q, [&](double r) {
      sample.physical.add(r);
      half_[which] += r;
      ++counts_[which];
    });
    potential_ += pair_energy(system_.potential(), q);
    for (const bool at_physical : {false, true}) {
      rigidity_.value(at_physical ? q : x, g_);
      sums_[at_physical] += g_;
      squares_[at_physical] += g_.cwiseProduct(g_);
    }
    constraint_ = std::max(constraint_, g_.cwiseAbs().maxCoeff());
  }

  /// Puts the means into the sample.
  void average() {
    sample.constraint = constraint_;
    const double unit = points_ * molecules_ / set_.inverse_temperature;
    sample.oxygen = kinetic_.oxygen / unit / freedoms_.oxygen;
    sample.hydrogen = kinetic_.hydrogen / unit / freedoms_.hydrogen;
    const double per_molecule = freedoms_.oxygen + freedoms_.hydrogen;
    sample.temperature = kinetic_.all() / unit / per_molecule;
    sample.drifting = drifting_ * set_.inverse_temperature / points_ / 3;
    sample.turning = turning_ * set_.inverse_temperature / points_ / 3;
    sample.internal =
        (kinetic_.all() - drifting_ - turning_) * set_.inverse_temperature / points_ / (per_molecule * molecules_ - 6);
    sample.potential = potential_ / points_;
    sample.mean_distance = (half_[0] + half_[1]) / static_cast<double>(counts_[0] + counts_[1]);
    sample.drift = half_[1] / static_cast<double>(counts_[1]) - half_[0] / static_cast<double>(counts_[0]);
    sample.stored_spread = spread(false);
    sample.physical_spread = spread(true);
  }

  Sample sample;

 private:
  [[nodiscard]] double spread(bool at_physical) const {
    double variance = 0;
    for (Eigen::Index m = 0; m < g_.size(); ++m)
      if (m % 3 != 2) variance += squares_[at_physical](m) / points_ - std::pow(sums_[at_physical](m) / points_, 2);
    return set_.omega * set_.omega * variance / (2 * molecules_) * set_.inverse_temperature;
  }

  const System& system_;
  const Settings& set_;
  const double molecules_;
  const WaterRigidity<double> rigidity_{tip3p<double>().squared_oh, tip3p<double>().squared_hh};
  Freedoms freedoms_;
  OfSpecies kinetic_;
  V g_, sums_[2], squares_[2];  ///< g of a point; sums of g and of g^2, at x and at q
  double points_ = 0, drifting_ = 0, turning_ = 0, constraint_ = 0, potential_ = 0;
  double half_[2] = {0, 0};  ///< distances in the first half of the run and in the second
  long counts_[2] = {0, 0};
};

template <class Thermalising, class Langevin, class Physical>
Sample sampled(Thermalising thermalising, Langevin langevin, const Settings& set, const Duration& duration,
               const V& from, const Histogram& empty, const Physical& physical) {
  using System = typename Langevin::system_type;
  const System& system = langevin.system();
  Record<System> record(system, set, from, empty);
  Sample& sample = record.sample;
  const double h = set.h;

  OfSpecies kinetic;
  const auto weigh = [&](const V& v) {
    kinetic = twice_kinetic_energies(system.mass(), v);
    return kinetic.all() * set.inverse_temperature < lost_temperature * static_cast<double>(v.size());
  };
  auto thermal = thermalising.start(from, V::Zero(from.size()));
  const double h_thermal = Constrained<System> ? h : std::min(h, stable_step / set.omega);
  if (!advance(thermalising, thermal, h_thermal, duration.thermalised, [](long) { return true; })) {
    sample.lost_at = 0;
    return sample;
  }
  auto z = langevin.start(thermal.q, thermal.v);
  z.steps = thermal.steps;
  const long every = std::max(1L, std::lround(duration.between / h));
  if (!advance(langevin, z, h, duration.settled, [&](long k) { return k % every != 0 || weigh(z.v); })) {
    sample.lost_at = 0;
    return sample;
  }

  const long steps = static_cast<long>(std::ceil(duration.recorded / h - 1e-9)), first_half = steps / every / 2 * every;
  const long iterations = langevin.work().newton_iterations;
  V q = z.q;
  const bool survived = advance(langevin, z, h, duration.recorded, [&](long k) {
    if (k % every != 0) return true;
    if (!weigh(z.v)) {
      sample.lost_at = static_cast<double>(k) * h;
      return false;
    }
    physical(z, q);
    record.see(z.q, z.v, kinetic, q, k <= first_half);
    return true;
  });
  if (!survived) {
    if (std::isnan(sample.lost_at)) sample.lost_at = 0;
    return sample;
  }
  record.average();
  sample.iterations = static_cast<double>(langevin.work().newton_iterations - iterations) / static_cast<double>(steps);
  return sample;
}

}  // namespace detail

/// A run of N rigid molecules, or of the penalised ones, from the position `from`. Deterministic: the noise is that of
/// the seed, in a stream for each method and ensemble, so that what is compared is independent: what tells whether
/// ensembles differ by more than sampling takes them to be. Runs of one method and ensemble that differ in other
/// settings, as in the step or in beta, have the same noise: their means depend on each other, and the errors of two
/// must not be added; each may be compared with a number, and the largest of several by Bonferroni's inequality.
template <class System>
Sample sampled(const System& rigid, const Settings& set, const Duration& duration, const V& from, std::uint64_t seed,
               const Histogram& empty) {
  const Bath<double> bath{set.gamma, set.inverse_temperature}, strong{100 * set.gamma, set.inverse_temperature};
  const VectorisedNormalNumbers noise(seed, static_cast<std::uint64_t>(set.method) + 8 * set.ensemble);
  const auto run = [&](const auto& thermalising, const auto& method, const auto& physical) {
    return detail::sampled(GeometricLangevin(thermalising, strong, noise), GeometricLangevin(method, bath, noise), set,
                           duration, from, empty, physical);
  };
  const auto as_stored = [](const auto& z, V& q) { q = z.q; };
  if (set.method == Method::shake) return run(Rattle(rigid), Shake(rigid, set.newton), as_stored);
  const auto soft = penalised(rigid, set.omega);
  const VelocityVerlet small_steps(soft);
  if (set.method == Method::verlet) return run(small_steps, small_steps, as_stored);
  const double c = set.beta * set.h * set.h;
  if (set.method == Method::variational) {
    VariationalStiffZhangSkeel reading(soft, {set.beta});
    return run(small_steps, VariationalStiffZhangSkeel(soft, {set.beta}),
               [&](const auto& z, V& q) { q = physical_position(reading, z, set.h); });
  }
  return run(small_steps, StiffZhangSkeel(soft, {set.beta}), [c](const auto& z, V& q) { q = z.q + c * z.f; });
}

using Ensemble = std::vector<Sample>;

/// Several settings from one position, each with the seeds 1, ..., n. Dear ones first, so that threads end together.
template <class System>
std::vector<Ensemble> ensembles(const System& rigid, const std::vector<Settings>& settings, const Duration& duration,
                                const V& from, std::size_t seeds, unsigned threads, const Histogram& empty) {
  const std::vector<Sample> samples = for_each_case(settings.size() * seeds, threads, [&](std::size_t i) {
    return sampled(rigid, settings[i / seeds], duration, from, i % seeds + 1, empty);
  });
  std::vector<Ensemble> result;
  for (std::size_t k = 0; k < settings.size(); ++k)
    result.emplace_back(samples.begin() + static_cast<std::ptrdiff_t>(k * seeds),
                        samples.begin() + static_cast<std::ptrdiff_t>((k + 1) * seeds));
  return result;
}

inline double share_lost(const Ensemble& ensemble) {
  return share_of(ensemble, [](const Sample& sample) { return !std::isnan(sample.lost_at); });
}

/// Estimates a number that is recorded of each run. Not a number if a run was lost: those that were not are no fair
/// sample.
inline Estimate over_seeds(const Ensemble& ensemble, double Sample::*of) {
  if (share_lost(ensemble) > 0) return {};
  return mean_over(ensemble, of);
}
/// std::runtime_error if a run was lost.
inline std::vector<std::vector<double>> densities(const Ensemble& ensemble, Histogram Sample::*of) {
  if (share_lost(ensemble) > 0) throw std::runtime_error("histograms: some of the runs were lost");
  std::vector<std::vector<double>> result;
  for (const Sample& sample : ensemble) result.push_back((sample.*of).density());
  return result;
}

}  // namespace livi::water
