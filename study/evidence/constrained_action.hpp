// SPDX-License-Identifier: MIT
//
// The constrained action sum of BO07, Section 2, from its definition, with noise potentials beside the Lagrangian,
// L = v . M v/2 - V(q). Over steps k = 0, ..., N - 1 with a tableau a, b it is the sum of
//
//   sum_i h b_i L(Q_i, V_i) + sum_i,l B_i,l gamma_l(Q_i) + sum_i mu_i . g(Q_i)
//     + sum_i P_i . (Q_i - q_k - h sum_j a_ij V_j) + p_{k+1} . (q_{k+1} - q_k - h sum_j b_j V_j),                         (1)
//
// with B_i,l = b_i dW_l, and without mu_i where b_i = 0. (mu_i is h b_i Lambda_i.) End points are fixed, everything else is
// varied. It is differentiated by dual numbers: nothing here knows the equations of the method.
//
// Critical points have, in this order from the derivatives in Q_i, V_i and q_k,
//
//   P_i = -I_i,   M V_i = p_{k+1} - sum_j (a_ji/b_i) I_j,   p_{k+1} = p_k + sum_i I_i,
//   I_i = h b_i F(Q_i) + sum_l B_i,l grad gamma_l(Q_i) + Dg(Q_i)^T mu_i,
//
// which is where variables_of() puts the variables of a method's steps.
#pragma once

#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/stochastic/partitioned_tableau.hpp>
#include <livi/systems/stochastic_system.hpp>
#include <vector>

namespace livi::theorem {

/// What a method did in a step: where it was, its momentum then, its stages and their multipliers.
template <class S, int N>
struct RecordedStep {
  Vector<S, N> q, p;
  std::vector<Vector<S, N>> stages;
  std::vector<Vector<S, Dynamic>> multipliers;  ///< mu_i
};

/// Whether the sum has a constraint for every stage, or for the last one of every step but the last: that leaves each inner
/// position with one.
enum class ConstraintsOfAction { every_stage, once_a_node, none };

/// The sum (1). `Problem::problem<T>()` makes the system in any numbers. increments[k] are those of the noises in step k,
/// or nothing.
template <class Problem>
class ConstrainedAction {
 public:
  static constexpr int n = Problem::dimension;
  static constexpr int m =
      std::decay_t<decltype(Problem::template problem<double>().system)>::constraint_type::constraints;

  template <class S>
  ConstrainedAction(const PartitionedTableau<S>& tableau, const S& h, int steps,
                    const std::vector<std::vector<S>>& increments = {},
                    ConstraintsOfAction constraints = ConstraintsOfAction::every_stage)
      : s_(static_cast<int>(tableau.stages())), steps_(steps), constraints_(constraints) {
    in_duals_.set(tableau, h, increments);
    in_double_.set(tableau, h, increments);
  }

  /// The variables: positions q_0, ..., q_N, and then for each step Q, V, P, p, mu.
  [[nodiscard]] int count() const { return n * (steps_ + 1) + steps_ * of_step(); }
  [[nodiscard]] int steps() const { return steps_; }
  /// Returns where the position number k begins.
  [[nodiscard]] static int node(int k) { return n * k; }
  /// Returns where Q_i and V_i of step k begin, i from 0.
  [[nodiscard]] int stage(int k, int i) const { return block(k) + i * n; }
  [[nodiscard]] int velocity(int k, int i) const { return block(k) + (s_ + i) * n; }
  /// Returns where the momentum p_{k+1} of step k begins.
  [[nodiscard]] int momentum(int k) const { return block(k) + 3 * s_ * n; }
  /// Returns whether a variable is varied: it is neither an end point nor a number that the sum does not contain.
  [[nodiscard]] bool varied(int i) const {
    if (i < n) return false;
    if (i < n * (steps_ + 1)) return i < n * steps_;
    const int k = (i - n * (steps_ + 1)) / of_step(), local = i - block(k);
    if (s_ * n <= local && local < 2 * s_ * n) return in_double_.b[static_cast<std::size_t>((local - s_ * n) / n)] != 0;
    if (local < (3 * s_ + 1) * n) return true;
    return constrained(k, (local - (3 * s_ + 1) * n) / m);
  }

  /// Returns all derivatives; those of variables that are not varied, too.
  [[nodiscard]] std::vector<Float50> gradient(const std::vector<Float50>& at) const {
    return gradient_in<Float50>(in_duals_, at);
  }
  /// Returns the largest derivative in what is varied.
  [[nodiscard]] double largest(const std::vector<Float50>& at) const {
    const auto all = gradient(at);
    Float50 result(0);
    for (int i = 0; i < count(); ++i)
      if (varied(i)) result = larger(result, magnitude(all[static_cast<std::size_t>(i)]));
    return to_double(result);
  }
  /// Returns the first and second derivatives in double precision.
  void derivatives(const std::vector<double>& at, Vector<double, Dynamic>& first,
                   Matrix<double, Dynamic>& second) const {
    using D = Dual<double>;
    using DD = Dual<D>;
    first = Vector<double, Dynamic>::Constant(count(), 0);
    second = Matrix<double, Dynamic>::Constant(count(), count(), 0);
    for (int k = 0; k < steps_; ++k) {
      const int locals = 2 * n + of_step();
      std::vector<DD> x(static_cast<std::size_t>(locals));
      for (int i = 0; i < locals; ++i)
        x[static_cast<std::size_t>(i)] = DD(D(at[static_cast<std::size_t>(global(k, i))]));
      for (int i = 0; i < locals; ++i) {
        x[static_cast<std::size_t>(i)].value.derivative = 1;
        for (int j = 0; j <= i; ++j) {
          x[static_cast<std::size_t>(j)].derivative.value = 1;
          const DD value = of_one_step(in_double_, k, x);
          x[static_cast<std::size_t>(j)].derivative.value = 0;
          second(global(k, i), global(k, j)) += value.derivative.derivative;
          if (i != j) second(global(k, j), global(k, i)) += value.derivative.derivative;
          if (i == j) first(global(k, i)) += value.derivative.value;
        }
        x[static_cast<std::size_t>(i)].value.derivative = 0;
      }
    }
  }

  /// Returns the variables of steps of a method that ends at q_end.
  [[nodiscard]] std::vector<Float50> variables_of(const std::vector<RecordedStep<Float50, n>>& steps,
                                                  const Vector<Float50, n>& q_end) const {
    using F = Float50;
    using V = Vector<F, n>;
    const auto problem = Problem::template problem<F>();
    std::vector<F> at(static_cast<std::size_t>(count()), F(0));
    const auto put = [&](int first, const auto& x) {
      for (Eigen::Index i = 0; i < x.size(); ++i) at[static_cast<std::size_t>(first + i)] = x(i);
    };
    put(node(steps_), q_end);
    for (int k = 0; k < steps_; ++k) {
      const auto& step = steps[static_cast<std::size_t>(k)];
      put(node(k), step.q);
      std::vector<V> impulses;
      V p = step.p;
      for (int i = 0; i < s_; ++i) {
        impulses.push_back(impulse(problem.system, k, i, step));
        p += impulses.back();
      }
      put(momentum(k), p);
      for (int i = 0; i < s_; ++i) {
        const auto index = static_cast<std::size_t>(i);
        put(block(k) + i * n, step.stages[index]);
        put(block(k) + (2 * s_ + i) * n, V(-impulses[index]));
        put(block(k) + (3 * s_ + 1) * n + i * m, step.multipliers[index]);
        const F b = in_duals_.b[index].value;
        if (b == F(0)) continue;
        V of_stage = p;
        for (int j = 0; j < s_; ++j)
          of_stage -=
              F(in_duals_.a[static_cast<std::size_t>(j * s_ + i)].value / b) * impulses[static_cast<std::size_t>(j)];
        put(block(k) + (s_ + i) * n, problem.system.velocity(of_stage));
      }
    }
    return at;
  }

 private:
  /// The sum's numbers in a type, and its system.
  template <class T>
  struct Numbers {
    std::decay_t<decltype(Problem::template problem<T>())> problem = Problem::template problem<T>();
    std::vector<T> a, b;  ///< a by rows
    T h;
    std::vector<std::vector<T>> increments;

    template <class S>
    void set(const PartitionedTableau<S>& tableau, const S& step, const std::vector<std::vector<S>>& of_noises) {
      for (Eigen::Index i = 0; i < tableau.stages(); ++i) {
        b.push_back(converted(tableau.b(i)));
        for (Eigen::Index j = 0; j < tableau.stages(); ++j) a.push_back(converted(tableau.a(i, j)));
      }
      h = converted(step);
      for (const auto& of_step : of_noises) {
        increments.emplace_back();
        for (const S& x : of_step) increments.back().push_back(converted(x));
      }
    }
    template <class S>
    static T converted(const S& x) {
      if constexpr (std::constructible_from<T, S>)
        return T(x);
      else
        return T(to_double(x));
    }
  };

  [[nodiscard]] int of_step() const { return (3 * s_ + 1) * n + s_ * m; }
  [[nodiscard]] int block(int k) const { return n * (steps_ + 1) + k * of_step(); }
  /// Returns the index of a variable of step k: its two positions, and then its block.
  [[nodiscard]] int global(int k, int local) const {
    return local < 2 * n ? node(k) + local : block(k) + local - 2 * n;
  }
  [[nodiscard]] bool constrained(int k, int stage) const {
    if (in_double_.b[static_cast<std::size_t>(stage)] == 0) return false;
    switch (constraints_) {
      case ConstraintsOfAction::every_stage:
        return true;
      case ConstraintsOfAction::once_a_node:
        return 0 < stage && (stage + 1 < s_ || k + 1 < steps_);
      case ConstraintsOfAction::none:
        return false;
    }
    return false;
  }

  template <class S, class T>
  std::vector<S> gradient_in(const Numbers<T>& numbers, const std::vector<S>& at) const {
    std::vector<S> result(at.size(), S(0));
    const int locals = 2 * n + of_step();
    std::vector<T> x(static_cast<std::size_t>(locals));
    for (int k = 0; k < steps_; ++k) {
      for (int i = 0; i < locals; ++i) x[static_cast<std::size_t>(i)] = T(at[static_cast<std::size_t>(global(k, i))]);
      for (int i = 0; i < locals; ++i) {
        x[static_cast<std::size_t>(i)].derivative = S(1);
        result[static_cast<std::size_t>(global(k, i))] += of_one_step(numbers, k, x).derivative;
        x[static_cast<std::size_t>(i)].derivative = S(0);
      }
    }
    return result;
  }

  /// Returns the sum of step k in its own variables.
  template <class T, class X>
  [[nodiscard]] X of_one_step(const Numbers<T>& numbers, int k, const std::vector<X>& x) const {
    using V = Vector<X, n>;
    const auto at = [&](int first) {
      V y;
      for (int i = 0; i < n; ++i) y(i) = x[static_cast<std::size_t>(first + i)];
      return y;
    };
    const auto& system = numbers.problem.system;
    const V from = at(0), to = at(n);
    const auto stage = [&](int i) { return at((2 + i) * n); };
    const auto velocity = [&](int i) { return at((2 + s_ + i) * n); };
    const auto number = [](const auto& of) { return X(of); };
    X sum(0);
    V end = to - from;
    for (int i = 0; i < s_; ++i) {
      const auto index = static_cast<std::size_t>(i);
      const V q = stage(i), v = velocity(i);
      const X hb = number(numbers.h) * number(numbers.b[index]);
      sum += hb * (X(v.dot(system.momentum(v))) / X(2) - system.potential().value(q));
      if (!numbers.increments.empty()) {
        const auto& increments = numbers.increments[static_cast<std::size_t>(k)];
        for (std::size_t l = 0; l < increments.size(); ++l)
          sum +=
              number(numbers.b[index]) * number(increments[l]) * system.noise().value(static_cast<Eigen::Index>(l), q);
      }
      if (constrained(k, i)) {
        typename std::decay_t<decltype(system)>::multiplier_type g;
        system.constraint().value(q, g);
        for (int c = 0; c < m; ++c) sum += x[static_cast<std::size_t>((3 + 3 * s_) * n + i * m + c)] * g(c);
      }
      V defect = q - from;
      for (int j = 0; j < s_; ++j)
        defect -= (number(numbers.h) * number(numbers.a[static_cast<std::size_t>(i * s_ + j)])) * velocity(j);
      sum += X(at((2 + 2 * s_ + i) * n).dot(defect));
      end -= hb * v;
    }
    return sum + X(at((2 + 3 * s_) * n).dot(end));
  }

  template <class System>
  [[nodiscard]] Vector<Float50, n> impulse(const System& system, int k, int stage,
                                           const RecordedStep<Float50, n>& step) const {
    using F = Float50;
    const auto index = static_cast<std::size_t>(stage);
    const Vector<F, n>& q = step.stages[index];
    const F b = in_duals_.b[index].value;
    Vector<F, n> force = zeros<Vector<F, n>>();
    system.potential().gradient(q, force);
    force *= F(-in_duals_.h.value * b);
    if (!in_duals_.increments.empty()) {
      const auto& increments = in_duals_.increments[static_cast<std::size_t>(k)];
      for (std::size_t l = 0; l < increments.size(); ++l)
        system.noise().add_gradient(static_cast<Eigen::Index>(l), q, F(b * increments[l].value), force);
    }
    typename System::jacobian_type jacobian;
    system.constraint().jacobian(q, jacobian);
    for (int c = 0; c < m; ++c)
      for (int i = 0; i < n; ++i) force(i) += jacobian(c, i) * step.multipliers[index](c);
    return force;
  }

  int s_, steps_;
  ConstraintsOfAction constraints_;
  Numbers<Dual<Float50>> in_duals_;
  Numbers<Dual<Dual<double>>> in_double_;
};

}  // namespace livi::theorem
