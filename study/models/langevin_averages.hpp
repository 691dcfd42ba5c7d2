// SPDX-License-Identifier: MIT
//
// Stationary averages of Langevin integrators on the unit sphere, M = I, U = z, without sampling.
//
// One step maps (q, v) and a standard normal xi to (q', v'). A stationary measure of the steps satisfies E[f(q', v')] =
// E[f(q, v)] for all f. It is sought as the Gibbs measure times a polynomial r in
//
//   z,   v_z,   |v|^2,
//
// which are all smooth functions of a state that rotations about the vertical and reflections leave alone, as the step does.
// With functions f out of the same polynomials, this is a linear system (Galerkin's method): the integral over the state by
// Gauss's rules in z and |v|^2 and equal angles of v, that over xi by Gauss and Hermite's rule in each of its coordinates. The
// result is exact but for degree and rules; r differs from one by the error of the step alone, so that a low degree is
// enough: with degree 6 the errors of averages have three digits and more.
#pragma once

#include <Eigen/Eigenvalues>
#include <array>
#include <livi/linalg/gaussian_elimination.hpp>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace livi::langevin {

using Space = Vector<double, 3>;

/// Nodes and weights of Gauss's rule for the orthonormal polynomials with the recurrence x p_k = b_{k+1} p_{k+1} + a_k p_k +
/// b_k p_{k-1} (Golub and Welsch 1969).
struct GaussRule {
  Vector<double, Dynamic> nodes, weights;

  /// b(k) for k = 1, ..., n - 1; the weights add up to `total`.
  template <class A, class B>
  GaussRule(int n, double total, const A& a, const B& b) {
    Vector<double, Dynamic> diagonal(n), beside(n - 1);
    for (int k = 0; k < n; ++k) diagonal(k) = a(k);
    for (int k = 1; k < n; ++k) beside(k - 1) = b(k);
    Eigen::SelfAdjointEigenSolver<Matrix<double, Dynamic>> solver;
    solver.computeFromTridiagonal(diagonal, beside);
    nodes = solver.eigenvalues();
    weights = total * solver.eigenvectors().row(0).transpose().cwiseAbs2();
  }
};
/// The integral over [-1, 1].
inline GaussRule legendre_rule(int n) {
  return {n, 2, [](int) { return 0.0; }, [](int k) { return k / std::sqrt(4.0 * k * k - 1); }};
}
/// The mean over s with the density exp(-s), s > 0.
inline GaussRule laguerre_rule(int n) {
  return {n, 1, [](int k) { return 2.0 * k + 1; }, [](int k) { return static_cast<double>(k); }};
}
/// The mean over a standard normal number.
inline GaussRule hermite_rule(int n) {
  return {n, 1, [](int) { return 0.0; }, [](int k) { return std::sqrt(static_cast<double>(k)); }};
}

/// Calls f(q, v, weight) at the nodes of a rule for the Gibbs measure at inverse temperature beta, with q in the half plane
/// x > 0, y = 0 and v turned to one side of it: for functions that rotations about the vertical and reflections leave alone.
/// The weights add up to one.
template <class F>
void for_each_state(double beta, int heights, int speeds, int angles, const F& f) {
  const GaussRule z = legendre_rule(heights), s = laguerre_rule(speeds);
  double total = 0;
  for (int i = 0; i < heights; ++i) total += z.weights(i) * std::exp(-beta * z.nodes(i));
  for (int i = 0; i < heights; ++i) {
    const double height = z.nodes(i), radius = std::sqrt(1 - height * height);
    const Space q(radius, 0, height), down(height, 0, -radius), along(0, 1, 0);
    for (int j = 0; j < speeds; ++j)
      for (int k = 0; k < angles; ++k) {
        const double angle = std::numbers::pi * (k + 0.5) / angles, speed = std::sqrt(2 * s.nodes(j) / beta);
        f(q, Space(speed * (std::cos(angle) * down + std::sin(angle) * along)),
          z.weights(i) * std::exp(-beta * height) / total * s.weights(j) / angles);
      }
  }
}

/// The polynomials P_i(z) H_j(beta^(1/2) v_z) L_k(beta |v|^2/2) with i + j + 2 k at most the degree; the first is one.
class Polynomials {
 public:
  Polynomials(int degree, double beta) : degree_(degree), beta_(beta) {
    const auto most = static_cast<std::size_t>(degree);
    for (std::size_t k = 0; 2 * k <= most; ++k)
      for (std::size_t j = 0; j + 2 * k <= most; ++j)
        for (std::size_t i = 0; i + j + 2 * k <= most; ++i) of_.push_back({i, j, k});
  }
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(of_.size()); }
  template <class Out>
  void operator()(const Space& q, const Space& v, Out&& out) {
    const double z = q(2), y = std::sqrt(beta_) * v(2), s = beta_ * v.squaredNorm() / 2;
    auto& [p, hermite, l] = values_;
    for (auto* first : {&p, &hermite, &l}) first->assign(static_cast<std::size_t>(degree_) + 2, 1.0);
    p[1] = z, hermite[1] = y, l[1] = 1 - s;
    for (std::size_t n = 1; n < static_cast<std::size_t>(degree_); ++n) {
      const auto k = static_cast<double>(n);
      p[n + 1] = ((2 * k + 1) * z * p[n] - k * p[n - 1]) / (k + 1);
      hermite[n + 1] = (y * hermite[n] - std::sqrt(k) * hermite[n - 1]) / std::sqrt(k + 1);
      l[n + 1] = ((2 * k + 1 - s) * l[n] - k * l[n - 1]) / (k + 1);
    }
    for (std::size_t m = 0; m < of_.size(); ++m)
      out(static_cast<Eigen::Index>(m)) = p[of_[m][0]] * hermite[of_[m][1]] * l[of_[m][2]];
  }

 private:
  int degree_;
  double beta_;
  std::vector<std::array<std::size_t, 3>> of_;
  std::array<std::vector<double>, 3> values_;
};

/// Averages over a measure of states.
struct Averages {
  double z = 0, z_squared = 0, v_squared = 0;
};
/// Those of the Gibbs measure: z has the density exp(-beta z) on [-1, 1], v is normal in the tangent plane.
inline Averages gibbs_averages(double beta) {
  const double coth = 1 / std::tanh(beta);
  return {1 / beta - coth, 1 + 2 / (beta * beta) - 2 * coth / beta, 2 / beta};
}

/// Normal numbers that are given: every draw is the xi that is pointed to.
struct GivenNormals {
  const Space* xi;
  void operator()(std::uint64_t, std::uint64_t, double* out, std::ptrdiff_t n) const {
    for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = (*xi)(i);
  }
};

/// Returns the stationary averages of a step(q, v, xi), which replaces q and v and returns whether it could be made.
/// std::runtime_error if a step at a node cannot be made: h is too large for the rules' largest speeds.
template <class Step>
Averages stationary_averages(double beta, int degree, const Step& step) {
  Polynomials polynomials(degree, beta);
  const Eigen::Index n = polynomials.size();
  const GaussRule normal = hermite_rule(degree / 2 + 2);
  const auto nodes = static_cast<int>(normal.nodes.size());
  auto equations = zeros<Matrix<double, Dynamic>>(n, n);
  auto before = zeros<Vector<double, Dynamic>>(n), after = before, mean = before, one = before;
  auto of_z = before, of_z_squared = before, of_v_squared = before;
  for_each_state(beta, degree + 6, degree / 2 + 3, degree + 2, [&](const Space& q, const Space& v, double weight) {
    polynomials(q, v, before);
    mean.setZero();
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j)
        for (int k = 0; k < nodes; ++k) {
          Space next_q = q, next_v = v;
          if (!step(next_q, next_v, Space(normal.nodes(i), normal.nodes(j), normal.nodes(k))))
            throw std::runtime_error("stationary averages: a step at a node could not be made");
          polynomials(next_q, next_v, after);
          mean += normal.weights(i) * normal.weights(j) * normal.weights(k) * after;
        }
    equations += (weight * (mean - before)) * before.transpose();
    one += weight * before;
    of_z += weight * q(2) * before;
    of_z_squared += weight * q(2) * q(2) * before;
    of_v_squared += weight * v.squaredNorm() * before;
  });
  // The equation of the polynomial one says nothing; its place is that of the total.
  equations.row(0) = one.transpose();
  auto r = zeros<Vector<double, Dynamic>>(n);
  r(0) = 1;
  GaussianElimination<double, Dynamic> solver;
  if (solver.factor(equations).singular) throw std::runtime_error("stationary averages: more than one measure");
  solver.solve_in_place(r);
  return {of_z.dot(r), of_z_squared.dot(r), of_v_squared.dot(r)};
}

}  // namespace livi::langevin
