// SPDX-License-Identifier: MIT
//
// What the theorems about BO07 measure of a constrained method in 50 digits: constraints, momenta up to what is along Dg^T, the
// change of the form over two steps. A method is given as `make(system)`, a function of any number type; what it is measured on
// as a Problem of models/constrained_states.hpp.
#pragma once

#include <livi/claims/claim.hpp>
#include <livi/diagnostics/constrained_symplecticity.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <stdexcept>

#include "study/models/constrained_states.hpp"

namespace livi::theorem {

/// Rounding of 50 digits after some hundred operations, and 32 units of the solver of the multipliers.
inline constexpr Interval zero_of_50_digits{0, 1e-45};
inline constexpr double infinity = std::numeric_limits<double>::infinity(),
                        not_measured = std::numeric_limits<double>::quiet_NaN();

/// The smallest and the largest of a number over all cases. A claim that something vanishes is about the largest, a control
/// that it does not about the smallest. A NaN makes both NaN.
struct Extremes {
  double smallest = infinity, largest = 0;
  void add(double x) {
    smallest = -larger(-smallest, -x);
    largest = larger(largest, x);
  }
};

/// Returns x with A x = r. Throws std::runtime_error for a singular matrix.
template <class S>
Vector<S, Dynamic> solved(const Matrix<S, Dynamic>& a, const Vector<S, Dynamic>& r) {
  GaussianElimination<S, Dynamic> solver;
  Vector<S, Dynamic> x = r;
  if (solver.factor(a).singular) throw std::runtime_error("the matrix of the multipliers is singular");
  solver.solve_in_place(x);
  return x;
}
/// Returns Dg(q).
template <class System>
Matrix<ScalarOf<System>, Dynamic> gradients_of(const System& system, const VectorOf<System>& q) {
  typename System::jacobian_type jacobian;
  system.constraint().jacobian(q, jacobian);
  return jacobian;
}
/// Returns max |g(q)|.
template <class System>
double constraint_defect(const System& system, const VectorOf<System>& q) {
  typename System::multiplier_type g;
  system.constraint().value(q, g);
  return to_double(max_magnitude(g));
}
/// Returns max |Dg(q) v|.
template <class System>
double tangent_defect(const System& system, const VectorOf<System>& q, const VectorOf<System>& v) {
  return to_double(max_magnitude((gradients_of(system, q) * v).eval()));
}
/// Returns nu with which p - Dg(q)^T nu is the momentum of a tangent velocity.
template <class System, class S = ScalarOf<System>>
Vector<S, Dynamic> normal_part(const System& system, const VectorOf<System>& q, const VectorOf<System>& p) {
  const Matrix<S, Dynamic> gradients = gradients_of(system, q);
  Matrix<S, Dynamic> directions = gradients.transpose();
  for (Eigen::Index k = 0; k < directions.cols(); ++k)
    directions.col(k) = system.velocity(VectorOf<System>(directions.col(k)));
  return solved<S>(gradients * directions, gradients * system.velocity(p));
}
/// Returns the size of p without its part along Dg(q)^T: p as it is paired with tangent vectors.
template <class System>
double tangential_size(const System& system, const VectorOf<System>& q, const VectorOf<System>& p) {
  const VectorOf<System> rest = p - gradients_of(system, q).transpose() * normal_part(system, q, p);
  return to_double(max_magnitude(rest));
}
/// Returns -grad V(q).
template <class System>
VectorOf<System> force_at(const System& system, const VectorOf<System>& q) {
  VectorOf<System> gradient = q;
  system.potential().gradient(q, gradient);
  return -gradient;
}

/// Returns h times a speed for case number i of some: up to 1/2, which is half of the shortest rod.
inline double product(int i, int count) { return 0.5 * (i + 1) / count; }
/// Returns a random state whose largest speed times h is `product`.
template <class Problem, class S>
auto state_of(int number, const S& h, double product) {
  return Problem::template draw<S>(static_cast<std::uint64_t>(number), S(S(product) / h));
}

/// Advances under noise; without, if there is none.
template <class Method, class State, class S>
StepOutcome step_under(Method& method, State& z, const S& h, StepNoise<S> noises) {
  if constexpr (requires { method.declares_for_noise(); })
    if (!noises.empty()) return method.step(z, h, noises);
  if (!noises.empty()) throw std::logic_error("a method that takes no noise");
  return method.step(z, h);
}

/// Returns the change of the form of T*Q over two steps h = 1/8 from random states with h times the speed up to 1/4; with the
/// same random noise for all, or without.
template <class Problem, class Make>
Extremes form_over_two_steps(const Make& make, int states, bool with_noise = false) {
  using F = Float50;
  using D = Dual<F>;
  const auto problem = Problem::template problem<D>();
  const F h = ratio<F>(1, 8);
  const auto count = static_cast<std::size_t>(problem.system.noise().count());
  Extremes result;
  for (int i = 0; i < states; ++i) {
    const auto z = state_of<Problem>(i, h, product(i, states) / 2);
    const auto two_steps = [&](auto& q, auto& v) {
      auto method = make(problem.system);
      auto at = method.start(q, v);
      StepOutcome outcome;
      for (std::uint64_t k = 0; outcome.ok() && k < 2; ++k) {
        const auto noises = constrained_states::random_noise<D>(count, 0, k, 0.125);
        outcome = step_under(method, at, D(h), with_noise ? StepNoise<D>(noises) : StepNoise<D>());
      }
      q = at.q;
      v = at.v;
      return outcome;
    };
    result.add(to_double(constrained_symplecticity(problem.system, two_steps, z.q, z.v)));
  }
  return result;
}

}  // namespace livi::theorem
