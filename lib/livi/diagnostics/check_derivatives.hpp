// SPDX-License-Identifier: MIT
//
// Checks that a potential's derivatives belong to its value, and a torque to its potential. They should come before anything that relies
// on them: a wrong sign in a Hessian or third derivative leaves Z&S consistent and of order two, and spoils only its symplecticity.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <livi/systems/lie_system.hpp>
#include <livi/systems/potential.hpp>

namespace livi {

/// The largest deviations of derivatives from differences, relative to their size; NaN where the potential has no such
/// derivative.
struct DerivativeCheck {
  double gradient = 0, hessian = std::numeric_limits<double>::quiet_NaN(),
         third = std::numeric_limits<double>::quiet_NaN();
  /// The largest deviation of three parts: hessian_product, soft_hessian_product with stiff_hessian, and stiff_third
  /// with stiff_hessian.
  double parts = std::numeric_limits<double>::quiet_NaN();
  /// The largest deviation that is accepted. Central differences of order four with h = 1e-3 are accurate to 1e-9 or so
  /// of the scale of V near q.
  static constexpr double tolerance = 1e-6;
  [[nodiscard]] bool ok() const {
    return gradient <= tolerance && !(hessian > tolerance) && !(third > tolerance) && !(parts > tolerance);
  }
  [[nodiscard]] std::string describe() const {
    return "relative deviation of gradient " + std::to_string(gradient) + ", hessian " + std::to_string(hessian) +
           ", third " + std::to_string(third) + ", products and parts " + std::to_string(parts);
  }
};

/// Compares gradient, hessian, third and the parts of a split (where present) at q, along every coordinate direction
/// and one generic direction, with differences of order four. For potentials over double; cost O(n^2) gradients.
template <Potential P>
requires std::same_as<typename P::scalar_type, double> DerivativeCheck
check_derivatives(const P& potential, const typename P::vector_type& q) {
  using V = typename P::vector_type;
  const Eigen::Index n = q.size();
  const double h = 1e-3 * std::max(1.0, max_magnitude(q));
  const auto gradient_at = [&](const V& x) {
    V g = zeros<V>(n);
    potential.gradient(x, g);
    return g;
  };
  const auto along = [&](const V& direction, double s) { return V(q + s * direction); };
  DerivativeCheck check;
  const V gradient = gradient_at(q);
  double gradient_scale = max_magnitude(gradient), hessian_scale = 0;
  V generic = zeros<V>(n);
  for (Eigen::Index i = 0; i < n; ++i) generic(i) = std::cos(static_cast<double>(i + 1));

  for (Eigen::Index i = 0; i <= n; ++i) {
    V direction = generic;
    if (i < n) {
      direction.setZero();
      direction(i) = 1;
    }
    const double slope = (8 * (potential.value(along(direction, h)) - potential.value(along(direction, -h))) -
                          (potential.value(along(direction, 2 * h)) - potential.value(along(direction, -2 * h)))) /
                         (12 * h);
    gradient_scale = std::max(gradient_scale, std::abs(slope));
    const double deviation = std::abs(gradient.dot(direction) - slope) / std::max(gradient_scale, 1e-300);
    check.gradient = std::isnan(deviation) ? 1 : std::max(check.gradient, deviation);
  }
  if constexpr (TwiceDifferentiable<P>) {
    typename P::hessian_type hessian(n);
    potential.hessian(q, hessian);
    check.hessian = 0;
    V product = zeros<V>(n);
    const V g1 = gradient_at(along(generic, h)), g2 = gradient_at(along(generic, -h)),
            g3 = gradient_at(along(generic, 2 * h)), g4 = gradient_at(along(generic, -2 * h));
    const V difference = (8 * (g1 - g2) - (g3 - g4)) / (12 * h);
    hessian.multiply(generic, product);
    hessian_scale = std::max({max_magnitude(difference), max_magnitude(product), 1e-300});
    check.hessian = max_magnitude(V(product - difference)) / hessian_scale;
    if (std::isnan(check.hessian)) check.hessian = 1;
    if constexpr (ThriceDifferentiable<P>) {
      V third = zeros<V>(n);
      potential.third(q, generic, third);
      const V curvature = (16 * (g1 + g2) - (g3 + g4) - 30 * gradient) / (12 * h * h);
      // These differences of the gradient are divided by h^2, so their rounding is 1e-16/1e-6 of the gradient.
      const double scale = std::max({max_magnitude(curvature), max_magnitude(third), 1e-3 * gradient_scale, 1e-300});
      check.third = max_magnitude(V(third - curvature)) / scale;
      if (std::isnan(check.third)) check.third = 1;
    }
    const auto see = [&](const V& deviation, double scale) {
      const double relative = max_magnitude(deviation) / scale;
      check.parts = std::isnan(relative) ? 1 : std::max(std::isnan(check.parts) ? 0 : check.parts, relative);
    };
    if constexpr (HasHessianProduct<P>) {
      potential.hessian_product(q, generic, product);
      see(product - difference, hessian_scale);
    }
    if constexpr (ThriceDifferentiableSplit<P>) {
      const auto stiff_at = [&](double s) {
        V image = zeros<V>(n);
        potential.stiff_hessian(along(generic, s), hessian);
        hessian.multiply(generic, image);
        return image;
      };
      potential.soft_hessian_product(q, generic, product);
      see(product + stiff_at(0) - difference, hessian_scale);
      const V slope = (8 * (stiff_at(h) - stiff_at(-h)) - (stiff_at(2 * h) - stiff_at(-2 * h))) / (12 * h);
      potential.stiff_third(q, generic, product);
      see(product - slope, std::max({max_magnitude(product), max_magnitude(slope), 1e-3 * hessian_scale, 1e-300}));
    }
  }
  return check;
}

/// Checks a torque: tau(Q) . y = -DU(Q) . Q hat(y). Returns the largest deviation of the torque at q from central differences of order
/// four of U(Q exp(s y)), for y the three axes and a generic direction, relative to the size of the torque (to 1e-3 where it is smaller);
/// NaN if a value is not finite. Differences with s = 1e-3 are accurate to 1e-9 or so where U varies over angles of order one.
template <RotationPotential P>
requires std::same_as<typename P::scalar_type, double>
double torque_deviation(const P& potential, const Matrix3<double>& q) {
  constexpr double s = 1e-3;
  Vector3<double> torque;
  potential.torque(q, torque);
  const double scale = std::max(1e-3, max_magnitude(torque));
  double largest = 0;
  for (const Vector3<double>& y : {Vector3<double>(1, 0, 0), Vector3<double>(0, 1, 0), Vector3<double>(0, 0, 1),
                                   Vector3<double>(0.6, -0.7, 0.4)}) {
    const auto at = [&](double along) { return potential.value(q * so3::exp(Vector3<double>(along * y))); };
    const double slope = (8 * (at(s) - at(-s)) - (at(2 * s) - at(-2 * s))) / (12 * s);
    largest = larger(largest, std::abs(dot(torque, y) + slope) / scale);
  }
  return largest;
}

}  // namespace livi
