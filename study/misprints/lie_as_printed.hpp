// SPDX-License-Identifier: MIT
//
// The integrators of BOS09 with its formulas as they are printed, one misprint at a time: to show what each does. Not
// for use.
#pragma once

#include <livi/integrators/lie_midpoint.hpp>

namespace livi::misprints {

/// (7) with |x| instead of |x|^2 in the denominators: I + 4/(4 + |x|) hat(x) + 2/(4 + |x|) hat(x)^2, a rotation for |x|
/// = 0 and 1 only. It can be put for the map of LieNewmark; LieVerlet belongs to the derivative of the right one.
struct PrintedCayleyMap : so3::CayleyMap {
  static constexpr const char* name = "Cayley map as printed in (7)";
  template <class S>
  static Matrix3<S> map(const Vector3<S>& x) {
    using std::sqrt;
    const S denominator = S(4) + sqrt(dot(x, x));
    const Matrix3<S> hat = so3::hat(x);
    return identity3<S>() + (S(4) / denominator) * hat + (S(2) / denominator) * (hat * hat);
  }
};

/// LIEMID[EA] with Theta_k in (18) instead of Theta_{k+1}: the rotation that the last step ended with, which the state
/// has to keep (zero at the start).
template <class System>
class PrintedLieMidpoint {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using Map = so3::ExponentialMap;
  struct state_type {
    Matrix3<S> q;
    Vector3<S> w, theta;
    auto fields() { return std::tie(q, w, theta); }
  };
  explicit PrintedLieMidpoint(const System& system) : system_(&system) {}
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const {
    return {q, w, Vector3<S>::Constant(S(0))};
  }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    Vector3<S> mu = system_->momentum(z.w) + half * system_->torque(z.q), theta;
    if (const StepOutcome outcome = solve(mu, half, theta); !outcome.ok()) return outcome;
    z.q = z.q * Map::map(theta);
    mu = Map::map(theta).transpose() * mu;
    if (const StepOutcome outcome = solve(mu, half, theta); !outcome.ok()) return outcome;
    z.q = z.q * Map::map(theta);
    z.w = system_->velocity(Map::map(z.theta).transpose() * mu + half * system_->torque(z.q));
    z.theta = theta;
    return {};
  }
  [[nodiscard]] static Properties declares() {
    return {.name = "LieMidpoint with (18) as printed",
            .source = "BOS09 (13)-(18)",
            .order = 2,
            .symmetric = true,
            .angular_momentum = true,
            .cost = {.iterative = true}};
  }

 private:
  /// Theta = half I^-1 exp(-Theta/2) mu, by iteration: a contraction for the small steps it is shown with.
  StepOutcome solve(const Vector3<S>& mu, const S& half, Vector3<S>& theta) const {
    theta = half * system_->velocity(mu);
    for (int iteration = 1; iteration <= 500; ++iteration) {
      const Vector3<S> next = half * system_->velocity(Map::map(Vector3<S>(theta / S(-2))) * mu);
      const auto change = max_magnitude(Vector3<S>(next - theta));
      theta = next;
      if (change <= RealOf<S>(8) * ScalarTraits<S>::epsilon() * (RealOf<S>(1) + max_magnitude(theta))) return {};
    }
    return {Failure::no_convergence, 500};
  }
  const System* system_;
};

}  // namespace livi::misprints
