// SPDX-License-Identifier: MIT
//
// (34) of TO14 with its last term read literally: R_k dl/dR for the nine partial derivatives, dl/dR = -B mu e3 e3',
// instead of the left-trivialised derivative (35). The term is not antisymmetric; the update then has a general matrix
// A where it should have hat(Omega). To show what that does; not for use.
#pragma once

#include <Eigen/LU>
#include <livi/integrators/integrator.hpp>
#include <livi/liegroup/so3.hpp>
#include <livi/systems/lie_system.hpp>

namespace livi::misprints {

struct CartesianGradientEuler {
  double strength;  ///< B mu
  struct State {
    Matrix3<double> q, a;
  };
  [[nodiscard]] static State start(const Matrix3<double>& q, const Vector3<double>& w) { return {q, so3::hat(w)}; }

  /// The cubic equation for the next A by iteration, a contraction for h |A| well below one.
  [[nodiscard]] StepOutcome step(State& z, double h) const {
    const auto cubic = [](const Matrix3<double>& a) { return Matrix3<double>(a.transpose() * a * a.transpose()); };
    Matrix3<double> gradient = Matrix3<double>::Zero();
    gradient(2, 2) = -strength;
    const Matrix3<double> known = z.a - h * h / 4 * cubic(z.a) + h * z.q * gradient, identity = identity3<double>();
    Matrix3<double> a = known;
    bool converged = false;
    for (int iteration = 0; iteration < 200 && !converged; ++iteration) {
      const Matrix3<double> next = known + h * h / 4 * cubic(a);
      converged = max_magnitude(Matrix3<double>(next - a)) <= 4e-16 * (1 + max_magnitude(next));
      a = next;
    }
    if (!converged) return {Failure::no_convergence, 200};
    z.a = a;
    z.q = z.q * (identity - h / 2 * a).inverse() * (identity + h / 2 * a);
    return {};
  }
};

}  // namespace livi::misprints
