// SPDX-License-Identifier: MIT
//
// The free motion in the variational integrators on SO(3), with the discrete Lagrangian h T(W), Q_{k+1} = Q_k tau(h W).
// With the left-trivialised dtau (liegroup/so3.hpp) its discrete Legendre transforms give
//
//   (dtau_{-hW}^-1)' I W = mu,   Q -> Q tau(h W),   mu -> (dtau_{hW}^-1)' I W.
//
// This is a symplectic map of (Q, mu) that conserves Q mu, since (dtau_x^-1)' = tau(x)' (dtau_{-x}^-1)'. The first
// equation is implicit in W in R^3 and contains no torque. For tau = cay it reads
//
//   I W + h/2 W x I W + h^2/4 (W . I W) W = mu;
//
// when all moments are equal W is parallel to mu, and one cubic equation for |W|/|mu| remains.
#pragma once

#include <livi/integrators/body_step.hpp>

namespace livi {

/// The free step of a variational integrator on SO(3) with the map tau = Map.
template <class System, class Map>
class DiscreteEulerPoincare {
 public:
  using S = ScalarOf<System>;
  static constexpr bool isotropic = std::same_as<typename System::inertia_type, ScalarMass<S, 3>>;

  explicit DiscreteEulerPoincare(NewtonOptions<S> newton) : newton_(newton) { newton_.validate(); }

  /// Solves for W from mu, moves q, and replaces mu by the momentum at the end of the step.
  StepOutcome drift(const System& system, const S& h, Matrix3<S>& q, Vector3<S>& mu, Vector3<S>& w,
                    WorkCounters& work) const {
    if (const StepOutcome outcome = solve(system, h, mu, w, work); !outcome.ok()) return outcome;
    const Vector3<S> x = h * w;
    if (!Map::covers(x)) return {Failure::outside_chart, -1};
    q = q * Map::map(x);
    if constexpr (!(isotropic && std::same_as<Map, so3::CayleyMap>)) mu = Map::pull_back(x, system.momentum(w));
    return {};
  }

  /// Solves (dtau_{-hW}^-1)' I W = mu for W.
  StepOutcome solve(const System& system, const S& h, const Vector3<S>& mu, Vector3<S>& w, WorkCounters& work) const {
    if constexpr (isotropic && std::same_as<Map, so3::CayleyMap>) {
      return solve_isotropic(system.inertia().diagonal(0), h, mu, w, work);
    } else {
      w = system.velocity(mu);
      w += (h / S(2)) * system.velocity(cross(mu, w));  // the guess is off by O(h^2)
      return solve_in_three_unknowns<S>(
          w, max_magnitude(mu), newton_, work,
          [&](const Vector3<S>& y) {
            const Vector3<S> x = vector3<S>(-h * y(0), -h * y(1), -h * y(2));
            const Vector3<S> left = Map::pull_back(x, system.momentum(y));
            return vector3<S>(left(0) - mu(0), left(1) - mu(1), left(2) - mu(2));
          },
          [&](const Vector3<S>& y) {
            const Vector3<S> x = vector3<S>(-h * y(0), -h * y(1), -h * y(2));
            const Matrix3<S> inverse = Map::inverse_differential(x),
                             derivative = Map::pull_back_derivative(x, system.momentum(y));
            Matrix3<S> jacobian;
            for (int j = 0; j < 3; ++j)
              for (int i = 0; i < 3; ++i) jacobian(i, j) = inverse(j, i);
            jacobian = system.times_inertia(jacobian);
            for (int j = 0; j < 3; ++j)
              for (int i = 0; i < 3; ++i) jacobian(i, j) -= h * derivative(i, j);
            return jacobian;
          });
    }
  }

 private:
  /// Solves for W = s mu when all moments are equal: inertia s (1 + h^2/4 |mu|^2 s^2) = 1 with s > 0. The left side is
  /// convex and increasing, so Newton's iteration from the right descends to the root. With x = h^2/4 |W|^2 an update
  /// leaves at most 3 x (1 + x)/(1 + 3x)^2 < 1/2 times the square of the residual before it, so the last update needs
  /// no residual of its own. The momentum at the end of the step equals that at the beginning.
  StepOutcome solve_isotropic(const S& inertia, const S& h, const Vector3<S>& mu, Vector3<S>& w,
                              WorkCounters& work) const {
    const S c = h * h / S(4) * dot(mu, mu);
    S s = S(1) / inertia;
    if (!is_finite(c)) return {Failure::not_finite, 0};
    for (int iteration = 0; iteration < newton_.max_iterations; ++iteration) {
      ++work.newton_iterations;
      const S css = c * s * s, residual = inertia * s * (S(1) + css) - S(1);
      s -= residual / (inertia * (S(1) + S(3) * css));
      const RealOf<S> size = magnitude(residual);
      if (size * size <= newton_.tolerance / RealOf<S>(32)) {
        w = s * mu;
        return {};
      }
    }
    return {Failure::no_convergence, newton_.max_iterations};
  }

  NewtonOptions<S> newton_;
};

}  // namespace livi
