// SPDX-License-Identifier: MIT
//
// Work against error: the work a method needs for an error, and (34) of TO14 as it is run with a general nonlinear
// solver.
#pragma once

#include <cmath>
#include <limits>
#include <livi/integrators/body_step.hpp>
#include <vector>

#include "counted_arithmetic.hpp"

namespace livi {

/// A run: its work, and its error, infinite if it was lost.
struct WorkAndError {
  double work = 0, error = std::numeric_limits<double>::infinity();
};

/// The work at which the error comes down to `error`, by interpolation of logarithms between points of growing work;
/// infinite beyond them, that of the first point if it is already better.
inline double work_for(const std::vector<WorkAndError>& points, double error) {
  if (points.front().error <= error) return points.front().work;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const WorkAndError &a = points[k - 1], &b = points[k];
    if (b.error > error) continue;
    const double s = std::isfinite(a.error) ? std::log(a.error / error) / std::log(a.error / b.error) : 1;
    return a.work * std::pow(b.work / a.work, s);
  }
  return std::numeric_limits<double>::infinity();
}

/// m of (34) of TO14, m(Omega_{k+1}, -h) = m(Omega_k, h) + h torque, for identity inertia, by the matrix products that
/// are printed.
struct PrintedProducts {
  template <class System>
  static Vector3<Counted> momentum(const System&, const Vector3<Counted>& w, const Counted& h) {
    const Matrix3<Counted> a = so3::hat(w), at = a.transpose();
    return w - so3::vee<Counted>((h * h / Counted(4)) * (at * a * at));
  }
};
/// m of (34) with the products multiplied out: (dcay_{hW}^-1)' I W, for any inertia.
struct MultipliedOut {
  template <class System>
  static Vector3<Counted> momentum(const System& system, const Vector3<Counted>& w, const Counted& h) {
    return so3::CayleyMap::pull_back(Vector3<Counted>(h * w), system.momentum(w));
  }
};

/// (34) of TO14 by Newton's method that knows nothing of its structure: three unknowns, a differenced Jacobian, an
/// update below 1e-6 as in Matlab's fsolve; then the step's R.
template <class System, class Equation = PrintedProducts>
class GenerallySolvedCayleyEuler {
 public:
  using C = Counted;
  explicit GenerallySolvedCayleyEuler(const System& system) : system_(&system) {}
  [[nodiscard]] BodyState<C> start(const Matrix3<C>& q, const Vector3<C>& w) const {
    return {q, w, system_->torque(q)};
  }
  [[nodiscard]] StepOutcome step(BodyState<C>& z, const C& h) const {
    const Vector3<C> known = Equation::momentum(*system_, z.w, h) + h * z.torque;
    const auto residual = [&](const Vector3<C>& w) { return Vector3<C>(Equation::momentum(*system_, w, -h) - known); };
    Vector3<C> w = z.w;
    for (int iteration = 0; iteration < 20; ++iteration) {
      Vector3<C> f = residual(w);
      Matrix3<C> jacobian;
      for (int j = 0; j < 3; ++j) {
        Vector3<C> moved = w;
        moved(j) += C(1.5e-8);
        jacobian.col(j) = (residual(moved) - f) / C(1.5e-8);
      }
      if (solve_three_equations<C>(jacobian, f).singular) return {Failure::singular_matrix, iteration};
      w -= f;
      if (max_magnitude(f) < 1e-6) {
        z.w = w;
        z.q = z.q * so3::cay<C>(h * w);
        z.torque = system_->torque(z.q);
        return {};
      }
    }
    return {Failure::no_convergence, 20};
  }

 private:
  const System* system_;
};

}  // namespace livi
