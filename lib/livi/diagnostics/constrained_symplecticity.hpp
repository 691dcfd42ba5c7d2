// SPDX-License-Identifier: MIT
//
// The symplecticity of maps of the constrained phase space T*Q, Q = {g(q) = 0}, by dual numbers.
//
// T*Q is {g(q) = 0, Dg(q) M^-1 p = 0}, and its form is dq ^ dp on vectors tangent to that. What is measured is the change of
// the form on pairs of tangent vectors that span the tangent space. A chart's basis is among their combinations, so that the
// change vanishes on all pairs if and only if the Jacobian in a chart is symplectic.
//
// The form does not see what a map adds to p along Dg(q)^T: dq ^ d(Dg^T mu) = d(dg . mu) = 0 on g = 0. So a map into {g(q) = 0}
// with momenta that are not tangent may be measured, too.
#pragma once

#include <livi/linalg/gaussian_elimination.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/systems/constraints.hpp>
#include <vector>

namespace livi {

/// A change of position and velocity.
template <class S, int N>
struct PhaseVector {
  Vector<S, N> dq, dv;
};

namespace detail {

/// Moves vectors to those x with Dg(q) x = r, along M^-1 Dg(q)^T.
template <class System, class S, int N>
class TangentProjection {
 public:
  TangentProjection(const System& system, const Vector<S, N>& q) {
    typename System::multiplier_type g;
    system.constraint().value(numbers(q), g);
    typename System::jacobian_type jacobian;
    system.constraint().jacobian(numbers(q), jacobian);
    const auto& rows = dense(jacobian);
    const Eigen::Index n = q.size(), m = g.size();
    jacobian_.resize(m, n);
    directions_.resize(n, m);
    for (Eigen::Index k = 0; k < m; ++k) {
      VectorOfSystem column = numbers(q);
      for (Eigen::Index i = 0; i < n; ++i) {
        jacobian_(k, i) = leading(rows(k, i));
        column(i) = rows(k, i);
      }
      system.mass().solve_in_place(column);
      for (Eigen::Index i = 0; i < n; ++i) directions_(i, k) = leading(column(i));
    }
    // A singular matrix has no solution: what is made of it is no number.
    static_cast<void>(solver_.factor(jacobian_ * directions_));
  }
  [[nodiscard]] Eigen::Index constraints() const { return jacobian_.rows(); }
  [[nodiscard]] Vector<S, N> operator()(const Vector<S, N>& x, const Vector<S, Dynamic>& rate) const {
    Vector<S, Dynamic> kappa = rate - jacobian_ * x;
    solver_.solve_in_place(kappa);
    return x + directions_ * kappa;
  }
  [[nodiscard]] Vector<S, N> operator()(const Vector<S, N>& x) const {
    return (*this)(x, zeros<Vector<S, Dynamic>>(constraints()));
  }

 private:
  using VectorOfSystem = typename System::vector_type;
  static VectorOfSystem numbers(const Vector<S, N>& x) {
    VectorOfSystem y = zeros<VectorOfSystem>(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) y(i) = typename System::scalar_type(x(i));
    return y;
  }
  Matrix<S, Dynamic> jacobian_, directions_;
  GaussianElimination<S, Dynamic> solver_;
};

template <class S, int N>
Vector<S, N> unit_vector(Eigen::Index size, Eigen::Index i) {
  Vector<S, N> unit = zeros<Vector<S, N>>(size);
  unit(i) = S(1);
  return unit;
}

}  // namespace detail

/// Returns 2 n vectors that span the tangent space of {g(q) = 0, Dg(q) v = 0} at (q, v): those of a basis of R^2n with dq
/// projected, and dv changed so that Dg dv + v . g'' . dq = 0.
template <class System, class S = RealOf<typename System::scalar_type>, int N = System::dimension>
std::vector<PhaseVector<S, N>> tangent_vectors(const System& system, const Vector<S, N>& q, const Vector<S, N>& v) {
  using W = typename System::vector_type;
  const detail::TangentProjection<System, S, N> projection(system, q);
  const Eigen::Index n = q.size(), m = projection.constraints();
  W position = zeros<W>(n), direction = position, image = position;
  for (Eigen::Index i = 0; i < n; ++i) position(i) = typename System::scalar_type(q(i));
  typename System::multiplier_type weights;
  system.constraint().value(position, weights);  // gives it its size
  std::vector<PhaseVector<S, N>> vectors;
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    const Vector<S, N> none = zeros<Vector<S, N>>(n), unit = detail::unit_vector<S, N>(n, j % n);
    const Vector<S, N> dq = projection(j < n ? unit : none);
    for (Eigen::Index i = 0; i < n; ++i) direction(i) = typename System::scalar_type(dq(i));
    Vector<S, Dynamic> rate = zeros<Vector<S, Dynamic>>(m);
    for (Eigen::Index k = 0; k < m; ++k) {
      weights.setConstant(typename System::scalar_type(0));
      weights(k) = typename System::scalar_type(1);
      image.setConstant(typename System::scalar_type(0));
      system.constraint().add_hessian_product(position, weights, direction, image);
      for (Eigen::Index i = 0; i < n; ++i) rate(k) -= leading(image(i)) * v(i);
    }
    vectors.push_back({dq, projection(j < n ? none : unit, rate)});
  }
  return vectors;
}

/// Returns 2 n vectors that span the tangent space of {g(q) = 0} x R^n at q, where any velocity is allowed.
template <class System, class S = RealOf<typename System::scalar_type>, int N = System::dimension>
std::vector<PhaseVector<S, N>> tangent_vectors_of_positions(const System& system, const Vector<S, N>& q) {
  const detail::TangentProjection<System, S, N> projection(system, q);
  const Eigen::Index n = q.size();
  std::vector<PhaseVector<S, N>> vectors;
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    const Vector<S, N> none = zeros<Vector<S, N>>(n), unit = detail::unit_vector<S, N>(n, j % n);
    vectors.push_back({j < n ? projection(unit) : none, j < n ? none : unit});
  }
  return vectors;
}

/// Returns the largest change of the form dq ^ dp, p = M v, on pairs of the vectors at (q, v). `system` is over Dual<S>;
/// `map(q, v)`, which returns a StepOutcome, moves a point in these numbers. Infinite if it fails. Cost: one map for each
/// vector.
template <class System, class Map, class S = RealOf<typename System::scalar_type>, int N = System::dimension>
S change_of_form(const System& system, const Map& map, const Vector<S, N>& q, const Vector<S, N>& v,
                 const std::vector<PhaseVector<S, N>>& vectors) {
  using D = typename System::scalar_type;
  using W = typename System::vector_type;
  const Eigen::Index n = q.size();
  struct PhasePair {
    Vector<S, N> dq, dp;
  };
  std::vector<PhasePair> before, after;
  for (const PhaseVector<S, N>& vector : vectors) {
    W position = zeros<W>(n), velocity = position;
    for (Eigen::Index i = 0; i < n; ++i) {
      position(i) = D(q(i), vector.dq(i));
      velocity(i) = D(v(i), vector.dv(i));
    }
    const auto derivatives = [&] {
      const W momentum = system.momentum(velocity);
      PhasePair pair{q, q};
      for (Eigen::Index i = 0; i < n; ++i) {
        pair.dq(i) = position(i).derivative;
        pair.dp(i) = momentum(i).derivative;
      }
      return pair;
    };
    before.push_back(derivatives());
    if (!map(position, velocity).ok()) return std::numeric_limits<S>::infinity();
    after.push_back(derivatives());
  }
  const auto form = [](const PhasePair& a, const PhasePair& b) { return S(a.dq.dot(b.dp) - b.dq.dot(a.dp)); };
  S largest(0);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      largest = larger(largest, magnitude(S(form(after[i], after[j]) - form(before[i], before[j]))));
  return largest;
}

/// Returns the largest change of the form of T*Q over a map from (q, v), see change_of_form().
template <class System, class Map, class S = RealOf<typename System::scalar_type>, int N = System::dimension>
S constrained_symplecticity(const System& system, const Map& map, const Vector<S, N>& q, const Vector<S, N>& v) {
  return change_of_form(system, map, q, v, tangent_vectors(system, q, v));
}

}  // namespace livi
