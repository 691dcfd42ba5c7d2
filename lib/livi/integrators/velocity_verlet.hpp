// SPDX-License-Identifier: MIT
//
// Velocity Verlet: TO14 (21) with f = -M^-1 grad V.
#pragma once

#include <livi/integrators/kick_drift_kick.hpp>

namespace livi {

/// The force per mass -M^-1 grad V.
template <class System>
struct VerletForce {
  static constexpr bool of_position_only = true;
  StepOutcome operator()(const System& system, const VectorOf<System>& q, const ScalarOf<System>&, VectorOf<System>& f,
                         WorkCounters&) {
    system.acceleration(q, f);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "VelocityVerlet",
            .source = "Swope et al. 1982; TO14 4.4",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = 2,
            .cost = {.gradients = 1}};
  }
};

/// Velocity Verlet: order two, symmetric, symplectic.
template <class System>
class VelocityVerlet : public KickDriftKick<System, VerletForce<System>> {
 public:
  explicit VelocityVerlet(const System& system) : KickDriftKick<System, VerletForce<System>>(system, {}) {}
};

}  // namespace livi
