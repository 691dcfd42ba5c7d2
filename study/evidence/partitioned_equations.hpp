// SPDX-License-Identifier: MIT
//
// The equations of a constrained partitioned Runge-Kutta step as they stand, without noise, for any matrices:
//
//   Q_i = q + h sum_j a_ij M^-1 P_j,   P_i = p + sum_j (a^_ij/b_j) I_j,   I_j = h b_j F(Q_j) + Dg(Q_j)^T mu_j,
//   q+ = q + h sum_j b_j M^-1 P_j,     p+ = p + sum_j I_j,
//
// with g(Q_i) = 0 at some stages and mu_j = 0 at some; and, if the step ends on T*Q, Dg(q+) M^-1 p+ = 0 by a part of p+ along
// Dg(q+)^T. For tests of what wrong ones do.
//
// They are solved by Newton's method in double precision, and then to 50 digits with the matrix of its last iteration, which
// gains some 12 digits each time: in dual numbers, too.
#pragma once

#include <livi/linalg/gaussian_elimination.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/stochastic/partitioned_tableau.hpp>
#include <livi/systems/stochastic_system.hpp>
#include <vector>

namespace livi::theorem {

/// The matrices of a step, and where it has constraints and multipliers: as many of either.
struct PartitionedEquations {
  Matrix<Float50, Dynamic> a;  ///< the matrix of the positions
  Matrix<Float50, Dynamic> momenta;
  Vector<Float50, Dynamic> b;
  std::vector<int> constrained, with_multiplier;  ///< stages, from 0
  bool ends_on_tangent_bundle = true;
};

/// Returns the conjugate matrix b_j - b_j a_ji/b_i.
inline Matrix<Float50, Dynamic> conjugate_matrix(const Matrix<Float50, Dynamic>& a, const Vector<Float50, Dynamic>& b) {
  Matrix<Float50, Dynamic> result = a;
  for (Eigen::Index i = 0; i < b.size(); ++i)
    for (Eigen::Index j = 0; j < b.size(); ++j) result(i, j) = b(j) - b(j) * a(j, i) / b(i);
  return result;
}
/// Returns the equations of a tableau that satisfies Condition 2.1, in which nothing is wrong yet.
inline PartitionedEquations equations_of(const PartitionedTableau<Float50>& tableau) {
  PartitionedEquations equations{tableau.a, conjugate_matrix(tableau.a, tableau.b), tableau.b, {}, {}, true};
  for (int i = 0; i + 1 < tableau.stages(); ++i) {
    equations.with_multiplier.push_back(i);
    equations.constrained.push_back(i + 1);
  }
  return equations;
}

/// A method that solves the equations. `Problem::problem<T>()` makes its system in any numbers.
template <class Problem, class S>
class EquationsOfStep {
 public:
  static constexpr int n = Problem::dimension;
  using system_type = std::decay_t<decltype(Problem::template problem<S>().system)>;
  using state_type = PhaseState<S, n>;
  static constexpr int m = system_type::constraint_type::constraints;

  explicit EquationsOfStep(PartitionedEquations equations) : equations_(std::move(equations)) {}
  [[nodiscard]] state_type start(const Vector<S, n>& q, const Vector<S, n>& v) const { return {q, v}; }

  StepOutcome step(state_type& z, const S& h) {
    using E = Dual<double>;
    const int size = unknowns();
    const auto in_doubles = [&](const auto& x) {
      std::vector<double> y;
      for (Eigen::Index i = 0; i < x.size(); ++i) y.push_back(to_double(x(i)));
      return y;
    };
    const auto q = in_doubles(z.q), v = in_doubles(z.v);
    State<E> from;
    for (int i = 0; i < n; ++i) {
      from.q(i) = E(q[static_cast<std::size_t>(i)]);
      from.v(i) = E(v[static_cast<std::size_t>(i)]);
    }
    std::vector<double> x(static_cast<std::size_t>(size), 0.0);
    for (int i = 0; i < stages() * n; ++i) x[static_cast<std::size_t>(i)] = q[static_cast<std::size_t>(i % n)];
    GaussianElimination<double, Dynamic> solver;
    Matrix<double, Dynamic> matrix(size, size);
    bool converged = false;
    for (int iteration = 0; !converged && iteration < 50; ++iteration) {
      std::vector<E> of_duals(x.begin(), x.end());
      Vector<double, Dynamic> residual(size);
      for (int j = 0; j < size; ++j) {
        of_duals[static_cast<std::size_t>(j)].derivative = 1;
        const auto found = residual_at(in_doubles_.system, from, E(to_double(h)), of_duals);
        of_duals[static_cast<std::size_t>(j)].derivative = 0;
        for (int i = 0; i < size; ++i) {
          matrix(i, j) = found[static_cast<std::size_t>(i)].derivative;
          residual(i) = found[static_cast<std::size_t>(i)].value;
        }
      }
      if (solver.factor(matrix).singular) return {Failure::singular_matrix};
      solver.solve_in_place(residual);
      for (int i = 0; i < size; ++i) x[static_cast<std::size_t>(i)] -= residual(i);
      converged = residual.cwiseAbs().maxCoeff() < 1e-11;
    }
    if (!converged) return {Failure::no_convergence, 50};
    std::vector<S> exact;
    for (const double number : x) exact.emplace_back(number);
    converged = false;
    for (int iteration = 0; !converged && iteration < 20; ++iteration) {
      const auto residual = residual_at(problem_.system, z, h, exact);
      RealOf<S> largest(0);
      // Value and derivatives are corrected by the same matrix.
      for (int i = 0; i < size; ++i) {
        S update(0);
        for (int j = 0; j < size; ++j) update += S(inverse(solver, i, j, size)) * residual[static_cast<std::size_t>(j)];
        exact[static_cast<std::size_t>(i)] -= update;
        largest = larger(largest, magnitude(update));
      }
      converged = largest <= RealOf<S>(64) * ScalarTraits<S>::epsilon();
    }
    inverse_.resize(0, 0);
    if (!converged) return {Failure::no_convergence, 20};
    return finish(z, h, exact);
  }

  /// Returns the largest |g| at a stage of the last step.
  [[nodiscard]] double constraint_at_stages() const { return at_stages_; }

 private:
  template <class T>
  using State = PhaseState<T, n>;
  template <class T>
  static T number(const Float50& x) {
    if constexpr (std::constructible_from<T, Float50>)
      return T(x);
    else
      return T(to_double(x));
  }
  [[nodiscard]] int stages() const { return static_cast<int>(equations_.b.size()); }
  [[nodiscard]] int unknowns() const { return stages() * n + m * static_cast<int>(equations_.with_multiplier.size()); }
  double inverse(const GaussianElimination<double, Dynamic>& solver, int i, int j, int size) {
    if (inverse_.rows() != size) {
      inverse_ = Matrix<double, Dynamic>::Identity(size, size);
      for (int k = 0; k < size; ++k) solver.solve_in_place(inverse_.col(k));
    }
    return inverse_(i, j);
  }

  /// The changes of the momentum and M^-1 P_j, from the stages and the multipliers.
  template <class T>
  struct Parts {
    std::vector<Vector<T, n>> stages, impulses, velocities;
  };
  template <class System, class T>
  Parts<T> parts(const System& system, const State<T>& z, const T& h, const std::vector<T>& x) const {
    using V = Vector<T, n>;
    Parts<T> result;
    for (int i = 0; i < stages(); ++i) {
      V q;
      for (int l = 0; l < n; ++l) q(l) = x[static_cast<std::size_t>(i * n + l)];
      result.stages.push_back(q);
      V force = q;
      system.potential().gradient(q, force);
      result.impulses.push_back(V(-(h * number<T>(equations_.b(i))) * force));
    }
    for (std::size_t k = 0; k < equations_.with_multiplier.size(); ++k) {
      const auto stage = static_cast<std::size_t>(equations_.with_multiplier[k]);
      typename System::jacobian_type jacobian;
      system.constraint().jacobian(result.stages[stage], jacobian);
      for (int c = 0; c < m; ++c)
        for (int l = 0; l < n; ++l)
          result.impulses[stage](l) +=
              jacobian(c, l) * x[static_cast<std::size_t>(stages() * n + static_cast<int>(k) * m + c)];
    }
    const V p = system.momentum(z.v);
    for (int i = 0; i < stages(); ++i) {
      V of_stage = p;
      for (int j = 0; j < stages(); ++j)
        of_stage += number<T>(Float50(equations_.momenta(i, j) / equations_.b(j))) *
                    result.impulses[static_cast<std::size_t>(j)];
      result.velocities.push_back(system.velocity(of_stage));
    }
    return result;
  }
  template <class System, class T>
  std::vector<T> residual_at(const System& system, const State<T>& z, const T& h, const std::vector<T>& x) const {
    const Parts<T> of = parts(system, z, h, x);
    std::vector<T> result;
    for (int i = 0; i < stages(); ++i) {
      Vector<T, n> defect = of.stages[static_cast<std::size_t>(i)] - z.q;
      for (int j = 0; j < stages(); ++j)
        defect -= (h * number<T>(equations_.a(i, j))) * of.velocities[static_cast<std::size_t>(j)];
      for (int l = 0; l < n; ++l) result.push_back(defect(l));
    }
    for (const int stage : equations_.constrained) {
      typename System::multiplier_type g;
      system.constraint().value(of.stages[static_cast<std::size_t>(stage)], g);
      for (int c = 0; c < m; ++c) result.push_back(g(c));
    }
    return result;
  }
  StepOutcome finish(state_type& z, const S& h, const std::vector<S>& x) {
    using V = Vector<S, n>;
    const auto& system = problem_.system;
    const Parts<S> of = parts(system, z, h, x);
    RealOf<S> at_stages(0);
    V p = system.momentum(z.v);
    for (int i = 0; i < stages(); ++i) {
      const auto index = static_cast<std::size_t>(i);
      typename system_type::multiplier_type g;
      system.constraint().value(of.stages[index], g);
      at_stages = larger(at_stages, RealOf<S>(max_magnitude(g)));
      z.q += (h * number<S>(equations_.b(i))) * of.velocities[index];
      p += of.impulses[index];
    }
    at_stages_ = to_double(at_stages);
    z.v = system.velocity(p);
    if (!equations_.ends_on_tangent_bundle) return {};
    MultiplierSolve<system_type> multipliers(system, {});
    typename system_type::multiplier_type kappa;
    system.constraint().value(z.q, kappa);
    multipliers.set_directions(system, z.q);
    WorkCounters work;
    return multipliers.project_velocity(system, z.q, z.v, kappa, work);
  }

  PartitionedEquations equations_;
  std::decay_t<decltype(Problem::template problem<S>())> problem_ = Problem::template problem<S>();
  std::decay_t<decltype(Problem::template problem<Dual<double>>())> in_doubles_ =
      Problem::template problem<Dual<double>>();
  Matrix<double, Dynamic> inverse_;
  double at_stages_ = 0;
};

/// Returns a function of a system that makes the method of the equations in the system's numbers.
template <class Problem>
auto method_of(const PartitionedEquations& equations) {
  return [equations]<class System>(const System&) {
    return EquationsOfStep<Problem, typename System::scalar_type>(equations);
  };
}

}  // namespace livi::theorem
