// SPDX-License-Identifier: MIT
//
// What the experiments on the magnetised body of TO14 4.5 share: the printed configuration, the systems, and the run of
// a method beside the reference. Not printed: B mu (1 here, and others for sensitivity) and T (50 here).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/linearized_so3.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <string>
#include <vector>

#include "reference/magnetised_body_reference.hpp"

namespace livi::magnetised_body {

using V3 = Vector3<double>;
using M3 = Matrix3<double>;
using Reference = std::vector<reference::MagnetisedBodyState>;
template <class S>
using Body = LieSystem<ScalarMass<S, 3>, MagneticDipolePotential<S>>;
constexpr double printed_step = 0.1, printed_omega = 10, printed_beta = 0.4, end_time = 50;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class S>
Body<S> body(const S& strength) {
  return {ScalarMass<S, 3>(S(1)), {strength}};
}

/// Where a motion starts. The defaults are printed.
struct Start {
  M3 r = identity3<double>();
  V3 w{1, 0.2, 0.1};
};
/// No symmetry axis along the field, a torque from the beginning.
inline const V3 generic_turn(0.6, -0.4, 0.5);
inline Start generic_start() { return {so3::cay(generic_turn), V3(1, 0.2, 0.1)}; }

/// The motion on SO(3) at t = k/10.
inline Reference exact_motion(double strength, double until = end_time, bool generic = false) {
  reference::MagnetisedBodyParameters parameters;
  parameters.strength = strength;
  if (generic) parameters.initial_rotation = {generic_turn(0), generic_turn(1), generic_turn(2)};
  return reference::magnetised_body_reference(parameters, until, static_cast<int>(std::lround(10 * until)) + 1, 1e-11);
}
inline M3 rotation_of(const reference::MagnetisedBodyState& z) { return M3(z.r.data()); }

/// |R'R - I| (Frobenius).
inline double group_defect(const M3& r) { return (r.transpose() * r - identity3<double>()).norm(); }

/// What is seen of a state at a sample: the attitude, its energy and its two momenta.
struct Seen {
  M3 r;
  double energy = 0, body_momentum = 0, field_momentum = 0;  ///< W_3, e3 . R W
};
inline Seen see(const Body<double>& system, const M3& r, const V3& w) {
  return {r, system.energy(r, w), w(2), V3(r * w)(2)};
}
/// The energy of the penalised motion includes the penalty; the momenta are those of R -> exp(s e3) R and R exp(s e3),
/// which are W_3 and e3 . R W on SO(3).
inline Seen see(const PenalisedBody<double>& system, const Vector<double, 9>& x, const Vector<double, 9>& v) {
  using Nine = PenalisedBodyPotential<double>;
  const M3 r = Nine::matrix(x), rate = Nine::matrix(v), turn = so3::hat(V3(0, 0, 1));
  return {r, system.energy(x, v), (rate.transpose() * (r * turn)).trace() / 2,
          (rate.transpose() * (turn * r)).trace() / 2};
}

/// A run at samples 0.1 apart.
struct Run {
  std::vector<Seen> seen;
  double lost_at = infinity;
  std::string why;  ///< reason for which a step failed, if one did

  [[nodiscard]] bool lost() const { return std::isfinite(lost_at); }
  [[nodiscard]] std::size_t samples_to(double t) const {
    return std::min(seen.size(), static_cast<std::size_t>(std::lround(10 * t)) + 1);
  }
  /// Largest |R - R_ref| (Frobenius) to time t; infinite if lost before.
  [[nodiscard]] double deviation(const Reference& exact, double t) const {
    double worst = lost_at <= t ? infinity : 0;
    for (std::size_t k = 0; k < samples_to(t); ++k) worst = std::max(worst, (seen[k].r - rotation_of(exact[k])).norm());
    return worst;
  }
  /// Largest |R'R - I|.
  [[nodiscard]] double group_defect() const {
    double worst = lost() ? infinity : 0;
    for (const Seen& at : seen) worst = std::max(worst, magnetised_body::group_defect(at.r));
    return worst;
  }
  /// Largest change of one of the numbers seen.
  [[nodiscard]] double change(double Seen::*what) const {
    double worst = lost() ? infinity : 0;
    for (const Seen& at : seen) worst = std::max(worst, std::abs(at.*what - seen.front().*what));
    return worst;
  }
};

/// A matrix with an entry above this is lost: on SO(3) none is above one.
constexpr double lost_entry = 3;

/// Steps `per_sample` times between samples to `until`; look(state) -> Seen.
template <class Method, class State, class Look>
Run run(Method& method, State z, double until, int per_sample, const Look& look) {
  Run result;
  const long samples = std::lround(10 * until);
  const double h = 0.1 / per_sample;
  result.seen.push_back(look(z));
  for (long k = 1; k <= samples; ++k) {
    for (int i = 0; i < per_sample; ++i)
      if (const StepOutcome outcome = method.step(z, h); !outcome.ok()) {
        result.lost_at = static_cast<double>(k) / 10;
        result.why = outcome.describe();
        return result;
      }
    const Seen at = look(z);
    if (!(max_magnitude(at.r) < lost_entry)) {
      result.lost_at = static_cast<double>(k) / 10;
      return result;
    }
    result.seen.push_back(at);
  }
  return result;
}

/// A method on the penalised matrices, from R and R hat(W).
template <class Method>
Run run_penalised(Method& method, const PenalisedBody<double>& system, const Start& start, double until,
                  int per_sample) {
  return run(method, method.start(matrix_position(start.r), matrix_velocity(start.r, start.w)), until, per_sample,
             [&](const auto& z) { return see(system, z.q, z.v); });
}
/// A method on SO(3).
template <class Method>
Run run_on_group(Method& method, const Body<double>& system, const Start& start, double until, int per_sample) {
  return run(method, method.start(start.r, start.w), until, per_sample,
             [&](const auto& z) { return see(system, z.q, z.w); });
}

/// The trapezoidal form, the first-order form, (34), its Strang form.
inline Run trapezoidal(double strength, double omega, double beta, int per_sample = 1, double until = end_time,
                       const Start& start = {}) {
  const auto system = penalised_body<double>(strength, omega);
  LinearizedSO3<PenalisedBody<double>> method(system, {beta});
  return run_penalised(method, system, start, until, per_sample);
}
inline Run first_order(double strength, double omega, double beta, int per_sample = 1, double until = end_time,
                       const Start& start = {}) {
  const auto system = penalised_body<double>(strength, omega);
  LinearizedSO3Euler<PenalisedBody<double>> method(system, {beta});
  return run_penalised(method, system, start, until, per_sample);
}
inline Run cayley_euler(double strength, int per_sample = 1, double until = end_time, const Start& start = {}) {
  const auto system = body(strength);
  CayleyVariationalEuler<Body<double>> method(system);
  return run_on_group(method, system, start, until, per_sample);
}
inline Run strang(double strength, int per_sample = 1, double until = end_time, const Start& start = {}) {
  const auto system = body(strength);
  LieVerlet<Body<double>> method(system);
  return run_on_group(method, system, start, until, per_sample);
}

/// Slope of log error against log h for halved steps, the last two.
inline double last_slope(const std::vector<double>& errors) {
  return std::log2(errors[errors.size() - 2] / errors.back());
}

}  // namespace livi::magnetised_body
