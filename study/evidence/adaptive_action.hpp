// SPDX-License-Identifier: MIT
//
// The discrete actions of CS101 slides 14 to 16, differentiated by dual numbers: nothing here knows the equations that
// the library's variational method solves.
//
//   substituted   L_d(q_k, q_{k+1}, h sigma) + E0 h sigma, sigma = sigma(q_k, q_{k+1})
//   augmented     sum of L_d(q_k, q_{k+1}, t_{k+1} - t_k) + lambda_{k+1} (t_{k+1} - t_k - h sigma(q_k, q_{k+1}))
//
// with L_d that of velocity Verlet and E0 the physical energy. Systems and densities are over dual numbers.
#pragma once

#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/scalar/dual.hpp>
#include <vector>

namespace livi::theorem {

/// L_d = d . M d / (2 dt) - dt (W(q_k) + W(q_{k+1})) / 2, d = q_{k+1} - q_k.
template <class System, class S = ScalarOf<System>>
S verlet_lagrangian(const System& system, const VectorOf<System>& q0, const VectorOf<System>& q1, const S& dt) {
  const VectorOf<System> d = q1 - q0;
  return dot_product(d, system.momentum(d)) / (S(2) * dt) -
         dt * (system.potential().value(q0) + system.potential().value(q1)) / S(2);
}

/// sigma(q_k, q_{k+1}) by a rule.
template <class Density, class V, class S = typename Density::scalar_type>
S density_between(const Density& density, StepRule rule, const V& q0, const V& q1) {
  if (rule == StepRule::start) return density.value(q0);
  if (rule == StepRule::midpoint) return density.value(V((q0 + q1) / S(2)));
  return (density.value(q0) + density.value(q1)) / S(2);
}

/// The action of two steps as a function of all its variables, and its derivatives.
template <class System, class Density>
class AugmentedAction {
 public:
  using D = ScalarOf<System>;
  using S = decltype(D::value);
  static constexpr int n = System::dimension;

  /// The variables: (q_0, q_1, q_2, t_0, t_1, t_2, lambda_1, lambda_2), and where they are.
  using Variables = std::vector<S>;
  static constexpr int times = 3 * n, multipliers = times + 3, count = multipliers + 2;

  AugmentedAction(const System& system, const Density& density, StepRule rule, const S& h)
      : system_(system), density_(density), rule_(rule), h_(h) {}

  /// Returns the derivative in a variable. `sign` is that of the terms with lambda in the action; without
  /// `extra_terms`, sigma is not differentiated.
  [[nodiscard]] S derivative(const Variables& at, int variable, int sign = 1, bool extra_terms = true) const {
    const auto number = [&](int i, bool varied = true) {
      return D(at[static_cast<std::size_t>(i)], S(varied && i == variable ? 1 : 0));
    };
    const auto position = [&](int k, bool varied = true) {
      VectorOf<System> q = zeros<VectorOf<System>>(n);
      for (int i = 0; i < n; ++i) q(i) = number(n * k + i, varied);
      return q;
    };
    D sum(0);
    for (int k = 0; k < 2; ++k) {
      const D dt = number(times + k + 1) - number(times + k);
      const D sigma = density_between(density_, rule_, position(k, extra_terms), position(k + 1, extra_terms));
      sum += verlet_lagrangian(system_, position(k), position(k + 1), dt) +
             D(sign) * number(multipliers + k) * (dt - D(h_) * sigma);
    }
    return sum.derivative;
  }
  /// Returns -dL_d/dt, the energy of step k = 0, 1.
  [[nodiscard]] S energy(const Variables& at, int k) const {
    Variables of_step = at;
    of_step[static_cast<std::size_t>(multipliers)] = of_step[static_cast<std::size_t>(multipliers + 1)] = S(0);
    // In the times at the outer ends, each of which is in one step only.
    return k == 0 ? derivative(of_step, times) : S(-derivative(of_step, times + 2));
  }
  /// Returns the largest derivative in some variables.
  [[nodiscard]] double largest(const Variables& at, int from, int to, int sign = 1, bool extra_terms = true) const {
    double result = 0;
    for (int i = from; i < to; ++i)
      result = std::max(result, to_double(magnitude(derivative(at, i, sign, extra_terms))));
    return result;
  }

 private:
  System system_;
  Density density_;
  StepRule rule_;
  S h_;
};

/// The substituted Lagrangian of one step; `energy` is the factor of h sigma.
template <class System, class Density>
class SubstitutedLagrangian {
 public:
  using D = ScalarOf<System>;
  using V = VectorOf<System>;
  SubstitutedLagrangian(const System& system, const Density& density, StepRule rule)
      : system_(system), density_(density), rule_(rule) {}

  [[nodiscard]] D value(const V& q0, const V& q1, const D& h, const D& energy) const {
    const D sigma = density_between(density_, rule_, q0, q1);
    return verlet_lagrangian(system_, q0, q1, D(h * sigma)) + energy * h * sigma;
  }
  /// Returns the derivatives in q_k (`of_end` false) or q_{k+1}.
  [[nodiscard]] V gradient(const V& q0, const V& q1, const D& h, const D& energy, bool of_end) const {
    V result = q0;
    for (Eigen::Index i = 0; i < q0.size(); ++i) {
      V a = q0, b = q1;
      (of_end ? b : a)(i).derivative = decltype(D::derivative)(1);
      result(i) = D(value(a, b, h, energy).derivative);
    }
    return result;
  }

 private:
  System system_;
  Density density_;
  StepRule rule_;
};

}  // namespace livi::theorem
