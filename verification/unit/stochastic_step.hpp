// SPDX-License-Identifier: MIT
//
// What tests of stochastic steps share: defects of the constraints, and the symplecticity of a step with fixed
// integrals of the noise on the constrained phase space.
#pragma once

#include <livi/linalg/gaussian_elimination.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <vector>

namespace livi::stochastic_test {

template <class System, class V>
double constraint_defect(const System& system, const V& q) {
  typename System::multiplier_type g;
  system.constraint().value(q, g);
  return to_double(max_magnitude(g));
}
template <class System, class V>
double tangent_defect(const System& system, const V& q, const V& v) {
  typename System::jacobian_type jacobian;
  system.constraint().jacobian(q, jacobian);
  typename System::multiplier_type rate;
  multiply(jacobian, v, rate);
  return to_double(max_magnitude(rate));
}

/// Returns integrals of some size of each noise over a step h.
template <class S>
std::vector<NoiseIntegrals<S>> fixed_noise(std::size_t count, double h) {
  std::vector<NoiseIntegrals<S>> noises;
  for (std::size_t i = 0; i < count; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1, w = sign * std::sqrt(h) * (0.8 + 0.3 * static_cast<double>(i));
    noises.push_back(NoiseIntegrals<double>{w, h * w / 2 - 0.2 * h * std::sqrt(h), h * w * w / 3}.cast<S>());
  }
  return noises;
}

/// Returns the vectors of a basis of R^2n moved to the tangent space of g(q) = 0, Dg(q) v = 0 at (q, v): dq by a
/// projection, and dv by the multiple of M^-1 G^T with which G dv + v.g''.dq = 0.
template <class System>
std::vector<std::pair<VectorOf<System>, VectorOf<System>>> tangent_vectors(const System& system,
                                                                           const VectorOf<System>& q,
                                                                           const VectorOf<System>& v) {
  using S = ScalarOf<System>;
  using V = VectorOf<System>;
  const Eigen::Index n = q.size();
  typename System::multiplier_type g;
  system.constraint().value(q, g);
  const Eigen::Index m = g.size();
  typename System::jacobian_type jacobian;
  system.constraint().jacobian(q, jacobian);
  Matrix<S, Dynamic> directions(n, m), matrix(m, m);
  for (Eigen::Index k = 0; k < m; ++k) directions.col(k) = system.velocity(V(jacobian.row(k).transpose()));
  for (Eigen::Index k = 0; k < m; ++k)
    for (Eigen::Index l = 0; l < m; ++l) matrix(k, l) = jacobian.row(k).dot(directions.col(l));
  GaussianElimination<S, Dynamic> solver;
  static_cast<void>(solver.factor(matrix));
  const auto corrected = [&](const V& x, const Vector<S, Dynamic>& rate) {
    Vector<S, Dynamic> kappa = -rate;
    for (Eigen::Index k = 0; k < m; ++k) kappa(k) -= jacobian.row(k).dot(x);
    solver.solve_in_place(kappa);
    V y = x;
    for (Eigen::Index k = 0; k < m; ++k) y += kappa(k) * directions.col(k);
    return y;
  };
  std::vector<std::pair<V, V>> tangents;
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    V dq = zeros<V>(n), dv = dq;
    (i < n ? dq : dv)(i % n) = S(1);
    dq = corrected(dq, zeros<Vector<S, Dynamic>>(m));
    Vector<S, Dynamic> rate(m);
    for (Eigen::Index k = 0; k < m; ++k) {
      auto unit = g;
      unit.setConstant(S(0));
      unit(k) = S(1);
      V image = zeros<V>(n);
      system.constraint().add_hessian_product(q, unit, dq, image);
      rate(k) = image.dot(v);
    }
    tangents.emplace_back(dq, corrected(dv, rate));
  }
  return tangents;
}

/// Returns the largest |omega(J a, J b) - omega(a, b)| over tangent vectors a, b that span the tangent space of the
/// constrained phase space, for one step in 50 digits from the problem's start with the given integrals of the noises
/// and, unless there are none, of their products; J from dual numbers. NaN if the step fails.
template <class MakeProblem, class Make>
double symplecticity(const MakeProblem& make_problem, const Make& make, double step,
                     std::span<const NoiseIntegrals<double>> integrals, std::span<const double> of_products) {
  using D = Dual<Float50>;
  const auto problem = make_problem(Float50(0));
  const auto in_duals = make_problem(D(0));
  using V = decltype(problem.q);
  const auto tangents = tangent_vectors(problem.system, problem.q, problem.v);
  const auto form = [&](const std::pair<V, V>& a, const std::pair<V, V>& b) {
    return Float50(a.first.dot(problem.system.momentum(b.second)) - b.first.dot(problem.system.momentum(a.second)));
  };
  std::vector<NoiseIntegrals<D>> noises;
  for (const auto& noise : integrals) noises.push_back(noise.cast<D>());
  const std::vector<D> products(of_products.begin(), of_products.end());
  const StepNoise<D> noise = products.empty() ? StepNoise<D>(noises) : StepNoise<D>(noises, products);
  std::vector<std::pair<V, V>> images;
  for (const auto& [dq, dv] : tangents) {
    auto method = make(in_duals.system);
    auto q = in_duals.q, v = in_duals.v;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      q(i).derivative = dq(i);
      v(i).derivative = dv(i);
    }
    auto z = method.start(q, v);
    if (!method.step(z, D(Float50(step)), noise).ok()) return std::numeric_limits<double>::quiet_NaN();
    V image_q = dq, image_v = dv;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      image_q(i) = z.q(i).derivative;
      image_v(i) = z.v(i).derivative;
    }
    images.emplace_back(image_q, image_v);
  }
  Float50 worst(0);
  for (std::size_t i = 0; i < tangents.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      worst = larger(worst, magnitude(Float50(form(images[i], images[j]) - form(tangents[i], tangents[j]))));
  return to_double(worst);
}
/// Returns it for fixed noise.
template <class MakeProblem, class Make>
double symplecticity(const MakeProblem& make_problem, const Make& make, double step) {
  const auto count = static_cast<std::size_t>(make_problem(Float50(0)).system.noise().count());
  return symplecticity(make_problem, make, step, fixed_noise<double>(count, step), {});
}

}  // namespace livi::stochastic_test
