// SPDX-License-Identifier: MIT
//
// Which runs of the stiff double pendulum and of the rotor are kept, also with a constraint between its linearisation and the full one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "study/models/stiff_pendulum.hpp"

namespace livi::stiff_pendulum {

/// How the rod of a rotor of angular velocity 1 is stretched at most, |r - 1|, up to t = 100; capped at 1e3.
template <class Make>
double rotor_stretch(double omega, double h, const Make& make) {
  const Rotor system = rotor(omega);
  auto method = make(system);
  auto z = method.start(Vector<double, 2>(1, 0), Vector<double, 2>(0, 1));
  double largest = 0;
  for (long k = 0; k < steps_in(100, h); ++k) {
    if (!method.step(z, h).ok()) return 1e3;
    largest = std::max(largest, std::abs(z.q.norm() - 1));
    if (!(largest < 1e3)) return 1e3;
  }
  return largest;
}

/// omega at which `size(omega)` passes `bound`, by bisection.
template <class Size>
double bisected(double low, double high, double bound, const Size& size) {
  for (int i = 0; i < 25; ++i) {
    const double middle = std::sqrt(low * high);
    (size(middle) < bound ? low : high) = middle;
  }
  return low;
}

/// g_s(q) = Dg(q0) e + s D^2g(e, e)/2, e = q - q0: the constraint of the pendulum for s = 1, its linearisation at the
/// start for s = 0.
struct ScaledConstraint {
  using scalar_type = double;
  using vector_type = V;
  using multiplier_type = Multipliers;
  using jacobian_type = Matrix<double, 2, 4>;
  static constexpr int dimension = 4;
  [[maybe_unused]] static constexpr int constraints = 2;
  PlanarChainConstraint<double, 4> quadratic;  ///< with lengths 0: the quadratic part
  jacobian_type linear;
  V origin;
  double s;

  void value(const V& q, Multipliers& g) const {
    const V e = q - origin;
    quadratic.value(e, g);
    g = linear * e + s * g;
  }
  void jacobian(const V& q, jacobian_type& jacobian) const {
    quadratic.jacobian(V(q - origin), jacobian);
    jacobian = linear + s * jacobian;
  }
  template <class H>
  void add_hessian(const V& q, const Multipliers& w, H& h) const {
    quadratic.add_hessian(q, Multipliers(s * w), h);
  }
  void curvature(const V& q, const V& a, Multipliers& w) const {
    quadratic.curvature(q, a, w);
    w *= s;
  }
  void add_hessian_product(const V& q, const Multipliers& w, const V& a, V& out) const {
    quadratic.add_hessian_product(q, Multipliers(s * w), a, out);
  }
  void add_third(const V&, const Multipliers&, const V&, V&) const {}
};

/// Whether a run to T = 50 with g_s keeps |g_s| < 1.
template <class Make>
bool kept_with_scaled_constraint(double s, double omega, double h, const Make& make) {
  const Constrained full = double_pendulum<double>();
  ScaledConstraint scaled{full.constraint(), {}, start(), s};
  scaled.quadratic.squared_lengths.setZero();
  full.constraint().jacobian(start(), scaled.linear);
  const auto system = penalised(ConstrainedSystem(full.mass(), full.potential(), scaled), omega);
  auto method = make(system);
  Trajectory run(method, method.start(start(), V::Zero()), h, steps_in(50, h));
  for (const auto& point : run) {
    Multipliers g;
    scaled.value(point.state.q, g);
    if (!(max_magnitude(g) < 1)) return false;
  }
  return run.outcome().ok();
}

/// The smallest s of a geometric grid up to 1 that is lost; NaN if none is.
template <class Make>
double first_lost_scale(double omega, double h, const Make& make) {
  for (double s = 1e-4; s <= 1.0; s *= 1.1)
    if (!kept_with_scaled_constraint(s, omega, h, make)) return s;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace livi::stiff_pendulum
