// SPDX-License-Identifier: MIT
//
// The runs of TO14 4.4 that its experiments share: the printed start from a seed, three methods, and what is recorded
// of a run: the mean angle and its passages, energies, its end.
//
// Wells and plateau. U rises to 1 between the wells, where cos q < 0, but to (e^(a x0) - 1)^2 = 51 at q = 0: a mean
// angle goes from one well to the other through pi. It has left a well for the other when it has crossed the plateau,
// pi/2 to 3 pi/2, from one side to the other.
#pragma once

#include <cmath>
#include <livi/diagnostics/mode_energy.hpp>
#include <livi/integrators/integrator.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/linalg/normal_numbers.hpp>
#include <livi/systems/vectorised_morse_pairing.hpp>
#include <livi/trajectory/trajectory.hpp>
#include <numbers>
#include <vector>

#include "study/program/estimates.hpp"

namespace livi::dna {

using std::numbers::pi;
using V = Vector<double, Dynamic>;
using Chain = VectorisedDnaChain;

constexpr Eigen::Index base_pairs = 200;
constexpr double printed_beta = 0.3, verlet_step = 0.2, zhang_skeel_step = 2;
/// Not printed.
constexpr double end_time = 3500;

/// The model with the printed numbers.
inline Chain model(ChainEnds ends = ChainEnds::periodic) { return vectorised_dna_chain(base_pairs, ends); }

struct Start {
  V x, v;
};

/// The printed start with the normal numbers of a seed.
inline Start printed_start(std::uint64_t seed) {
  return {dna_start_position<double>(normal_numbers(seed, base_pairs)), dna_start_velocity<double>(base_pairs)};
}

/// x = q + beta h^2 grad V(q), M = 1: the stored position that stands for q, exactly if V is quadratic (TO14 (13)).
template <class System>
Start standing_for(const System& system, const Start& physical, double beta, double h) {
  Start start = physical;
  system.potential().gradient(physical.x, start.x);
  start.x = physical.x + beta * h * h * start.x;
  return start;
}

enum class Method { verlet, zhang_skeel, simplified };

/// A method with damping, of which it is known what it does: after each step velocities are multiplied by 1 - rate h.
template <class Undamped>
struct Damped : Undamped {
  double rate;
  StepOutcome step(typename Undamped::state_type& z, double h) {
    const StepOutcome outcome = Undamped::step(z, h);
    if (rate != 0) z.v *= 1 - rate * h;
    return outcome;
  }
};
template <class Undamped>
Damped(Undamped, double) -> Damped<Undamped>;

/// epsilon U linearised at a stable angle: a harmonic well on every site.
struct HarmonicPairing {
  using scalar_type = double;
  double stiffness, rest;
  [[nodiscard]] double value(double q) const { return stiffness * (q - rest) * (q - rest) / 2; }
  [[nodiscard]] OnSiteDerivatives<double> derivatives(double q) const { return {stiffness * (q - rest), stiffness, 0}; }
};
using LinearChain = KleinGordonChain<HarmonicPairing>;

inline double stable_angle() { return std::acos(0.7); }

/// The model linearised at the stable angle near the start.
inline LinearChain linearised(ChainEnds ends = ChainEnds::periodic) {
  const double stiffness = MorsePairing<double>(DnaParameters<double>{}).derivatives(stable_angle()).second;
  return klein_gordon_chain(base_pairs, HarmonicPairing{stiffness, stable_angle()}, ends);
}

/// Energy of a periodic chain with a harmonic well on every site under a method, in the mean: over all phases of every
/// mode, or over the steps 1, ..., `steps` if that is not zero. Exact, from the discrete Fourier transform of the
/// start.
inline double linear_mean_energy(const Start& start, const HarmonicPairing& well, double h, double beta,
                                 PositionReading at, long steps = 0) {
  const Eigen::Index n = start.x.size();
  const auto count = static_cast<double>(n);
  double sum = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    // Real and imaginary part of the transform are two oscillators of the same frequency.
    ModePoint<double> real{0, 0}, imaginary{0, 0};
    for (Eigen::Index k = 0; k < n; ++k) {
      const double phase = 2 * pi * static_cast<double>(j * k % n) / count, c = std::cos(phase), s = std::sin(phase);
      real.x += c * (start.x(k) - well.rest);
      real.v += c * start.v(k);
      imaginary.x -= s * (start.x(k) - well.rest);
      imaginary.v -= s * start.v(k);
    }
    const double root = 2 * std::sin(pi * static_cast<double>(j) / count);
    const ModeUnderStep<double> mode(root * root + well.stiffness, h, beta);
    for (const auto& z : {real, imaginary})
      sum += (steps == 0 ? mode.mean_energy(z, at) : mode.mean_energy(z, at, steps)) / count;
  }
  return sum;
}

/// Kinetic and potential energy; unit masses.
template <class System>
double energy_of(const System& system, const V& q, const V& v) {
  return v.squaredNorm() / 2 + system.potential().value(q);
}

/// Takes `steps` steps, or fewer if `observe(step, state, method)` returns false; it sees the start, too. `damping` is
/// the rate of what is no part of the method.
template <class System, class Observe>
RunOutcome run(Method which, const System& system, const Start& start, double h, long steps, double beta,
               const Observe& observe, double damping = 0) {
  const auto finish = [&](auto method) {
    Trajectory trajectory(method, method.start(start.x, start.v), h, steps);
    for (const auto& point : trajectory)
      if (!observe(point.step, point.state, method)) break;
    return trajectory.outcome();
  };
  switch (which) {
    case Method::verlet:
      return finish(Damped{VelocityVerlet(system), damping});
    case Method::zhang_skeel:
      // What observers ask for only where it is there, it must have.
      static_assert(StepsAnotherPosition<ZhangSkeel<System>>);
      return finish(Damped{ZhangSkeel(system, {beta}), damping});
    case Method::simplified:
      return finish(Damped{SimplifiedZhangSkeel(system, {beta}), damping});
  }
  throw std::invalid_argument("method");
}

/// Follows a mean angle from well to well. Times are interpolated between the points seen, so that they can be compared
/// between steps of different size.
class Passages {
 public:
  void see(double time, double mean_angle) {
    if (std::isnan(first_crossing) && mean_angle > pi) first_crossing = time_of(pi, time, mean_angle);
    const double well = std::round(mean_angle / (2 * pi)), from_its_middle = mean_angle - 2 * pi * well;
    if (std::abs(from_its_middle) < pi / 2 && well != well_) {
      if (transitions == 0) arrival = time_of(2 * pi * well + (well > well_ ? -pi / 2 : pi / 2), time, mean_angle);
      ++transitions;
      well_ = well;
    }
    last_time_ = time;
    last_angle_ = mean_angle;
  }
  double first_crossing = not_a_number, arrival = not_a_number;
  long transitions = 0;

 private:
  [[nodiscard]] double time_of(double angle, double time, double mean_angle) const {
    return time - (time - last_time_) * (mean_angle - angle) / (mean_angle - last_angle_);
  }
  double well_ = 0, last_time_ = 0, last_angle_ = 0;  ///< well k: both minima beside the angle 2 pi k
};

/// A number of the chaotic orbits, in the mean over seeds, with its standard error.
inline void put(Report& report, const std::string& name, const Estimate& e, const std::string& unit = "") {
  put_estimate(report, name, e, unit, 0.5);
}

/// A run is lost when its kinetic energy is ten times the energy of the start, or a step fails.
constexpr double lost_factor = 10;

}  // namespace livi::dna
