// SPDX-License-Identifier: MIT
//
// Particles on a sphere, a cylinder and a plane under noise, and the noise along a path, also changed in one point.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <livi/stochastic/brownian_products.hpp>
#include <livi/stochastic/run_along.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <span>
#include <vector>

namespace livi::strong_orders {

inline constexpr std::uint64_t seed = 20070918;
inline constexpr int coarsest = 3, finest = 8, reference = 11;
inline constexpr std::size_t levels = finest - coarsest + 1;
using State = Vector<double, 6>;  // (q, p)

inline std::vector<double> steps_from(int level, std::size_t count = levels) {
  std::vector<double> h;
  for (std::size_t k = 0; k < count; ++k) h.push_back(std::ldexp(1.0, -level - static_cast<int>(k)));
  return h;
}

// --- the noise that a method gets -------------------------------------------------------------------------------------

/// What is changed in the noise of a step: its covariance C to diagonal C_ii + h add and mixed C_ij, and the sign of zeta. By these
/// numbers the methods of the library are methods that are wrong in one point.
struct Change {
  double diagonal = 1, mixed = 1, add = 0;
  bool turned = false;        ///< -zeta in the place of zeta
  bool first_half = false;    ///< half of the increment at the start of the step, and nothing at its end
  bool half_of_zeta = false;  ///< I10 = h dW/2
  bool none = false;          ///< no noise
  bool fresh = false;         ///< another path for each step size
  bool operator==(const Change&) const = default;
};

/// The first noises of a path, with a change. It has the members that run_along() asks for.
class NoisesOf {
 public:
  NoisesOf(const BrownianPathWithProducts& of_path, std::size_t count, const Change& with = {})
      : path(of_path), noises(count), change(with) {}
  const BrownianPathWithProducts& path;
  std::size_t noises;
  Change change;

  [[nodiscard]] double step(int level) const { return path.step(level); }
  [[nodiscard]] BrownianIntegrals over(int noise, int level, std::uint64_t k) const {
    const BrownianIntegrals& of = path.over(noise, level, k);
    if (change == Change{}) return of;
    const double h = step(level), c = (of.squared - of.integral * of.integral / h) / h;
    BrownianIntegrals given = of;
    if (change.none) return {};
    if (change.first_half) given = {of.increment / 2, h * of.increment / 2, 0};
    if (change.turned) given.integral = h * of.increment - of.integral;
    if (change.half_of_zeta) given.integral = h * of.increment / 2;
    given.squared = given.integral * given.integral / h + h * (change.diagonal * c + change.add * h);
    return given;
  }
  /// Returns the products of the pairs (0, 1), (0, 2), (1, 2), of two noises the first.
  [[nodiscard]] std::span<const double> products_over(int level, std::uint64_t k) const {
    const auto of = path.products_over(level, k).first(noises * (noises - 1) / 2);
    if (change == Change{}) return of;
    const double h = step(level);
    std::size_t pair = 0;
    for (std::size_t i = 0; i + 1 < noises; ++i)
      for (std::size_t j = i + 1; j < noises; ++j, ++pair) {
        const double mean =
            path.over(static_cast<int>(i), level, k).integral * path.over(static_cast<int>(j), level, k).integral / h;
        changed_[pair] = mean + change.mixed * (of[pair] - mean);
      }
    return {changed_.data(), pair};
  }

 private:
  mutable std::array<double, 3> changed_{};
};

/// RATTLE along a staircase of one noise that always rises: omega = I10/h -+ C^(1/2).
template <class System>
class RisingStaircase {
 public:
  using system_type = System;
  using state_type = typename StochasticRattle<System>::state_type;
  explicit RisingStaircase(const System& system) : rattle_(system) {}
  [[nodiscard]] state_type start(const auto& q, const auto& v) const { return rattle_.start(q, v); }
  StepOutcome step(state_type& z, double h, StepNoise<double> noises) {
    const BrownianIntegrals& of = noises[0];
    const double mean = of.integral / h, size = std::sqrt((of.squared / h) - mean * mean);
    const double first = mean - size, second = mean + size;
    // The step makes of an increment and I10 the kicks I10/h and increment - I10/h.
    const BrownianIntegrals a{first, first * h / 2, 0}, b{of.increment - first, (second - first) * h / 2, 0};
    if (const StepOutcome outcome = rattle_.step(z, h / 2, {&a, 1}); !outcome.ok()) return outcome;
    return rattle_.step(z, h / 2, {&b, 1});
  }
  [[nodiscard]] const System& system() const { return rattle_.system(); }

 private:
  StochasticRattle<System> rattle_;
};

// --- the cases --------------------------------------------------------------------------------------------------------

/// A plane with V = cos x: no curvature, a force that is not linear.
struct CosineOfX {
  using scalar_type = double;
  using vector_type = Vector<double, 3>;
  using hessian_type = DenseHessian<double, 3>;
  static constexpr int dimension = 3;
  [[nodiscard]] double value(const vector_type& q) const { return std::cos(q(0)); }
  void gradient(const vector_type& q, vector_type& out) const { out = {-std::sin(q(0)), 0, 0}; }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    h.matrix(0, 0) = -std::cos(q(0));
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out = {std::sin(q(0)) * a(0) * a(0), 0, 0};
  }
};

/// Linear noises, or quadratic ones. Neither their number nor their degree is part of the type: one program does for all.
struct Noise {
  using scalar_type = double;
  using vector_type = Vector<double, 3>;
  LinearNoise<double, 3, Dynamic> linear;
  QuadraticNoise<double, 3> quadratic;  ///< in the place of the linear ones, if there are any

  [[nodiscard]] bool is_linear() const { return quadratic.terms.empty(); }
  [[nodiscard]] Eigen::Index count() const { return is_linear() ? linear.count() : quadratic.count(); }
  [[nodiscard]] double value(Eigen::Index i, const vector_type& q) const {
    return is_linear() ? linear.value(i, q) : quadratic.value(i, q);
  }
  void add_gradient(Eigen::Index i, const vector_type& q, double w, vector_type& out) const {
    is_linear() ? linear.add_gradient(i, q, w, out) : quadratic.add_gradient(i, q, w, out);
  }
  void add_hessian_product(Eigen::Index i, const vector_type& q, double w, const vector_type& a,
                           vector_type& out) const {
    if (!is_linear()) quadratic.add_hessian_product(i, q, w, a, out);
  }
};
/// Returns the noises 0.5 q_i.
inline Noise half(const std::vector<int>& coordinates) {
  Noise noise;
  noise.linear.forces = Matrix<double, 3, Dynamic>::Zero(3, static_cast<Eigen::Index>(coordinates.size()));
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    noise.linear.forces(coordinates[i], static_cast<Eigen::Index>(i)) = 0.5;
  return noise;
}
/// Returns the noise force . q + q . matrix q / 2.
inline Noise quadratic(const Vector<double, 3>& force, const Matrix<double, 3>& matrix) {
  return {{}, {{{force, matrix}}}};
}
inline auto sphere(const std::vector<int>& coordinates) { return sphere_pendulum<double>(half(coordinates)); }
inline auto cylinder(const std::vector<int>& coordinates) { return cylinder_pendulum<double>(half(coordinates)); }
/// Returns the sphere under 0.5 q_x q_z: its gradient has a tangent and a normal part, and K varies.
inline auto sphere_under_product() {
  Matrix<double, 3> matrix = Matrix<double, 3>::Zero();
  matrix(0, 2) = matrix(2, 0) = 0.5;
  return sphere_pendulum<double>(quadratic(Vector<double, 3>::Zero(), matrix));
}
/// Returns the sphere under |q|^2/4, whose gradient is normal to it.
inline auto sphere_under_normal() {
  return sphere_pendulum<double>(quadratic(Vector<double, 3>::Zero(), 0.5 * Matrix<double, 3>::Identity()));
}
/// Returns the cylinder under 0.5 z + (x^2 + y^2)/4: the gradient of the second part is normal to it, and K = 1/4.
inline auto cylinder_with_normal() {
  Matrix<double, 3> matrix = Matrix<double, 3>::Zero();
  matrix(0, 0) = matrix(1, 1) = 0.5;
  return cylinder_pendulum<double>(quadratic({0, 0, 0.5}, matrix));
}
using Plane = StochasticSystem<ScalarMass<double, 3>, CosineOfX, PlaneConstraint<double, 3>, Noise>;
inline StochasticProblem<Plane> plane(const std::vector<int>& coordinates) {
  return {Plane(ScalarMass<double, 3>(1.0), {}, {{0, 0, 1}, 0}, half(coordinates)), {1, 0, 0}, {0.5, -0.25, 0}};
}

}  // namespace livi::strong_orders
