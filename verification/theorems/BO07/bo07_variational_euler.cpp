// SPDX-License-Identifier: MIT
// Theorem: BO07 (6) to (8) and Theorem 2.6: the two constrained variational Euler methods and their projection
//
// (6), (7) and (8) are lost in the text at hand. What is said of them leaves this, with F = -grad V and G = Dg:
//
//   A (6)   p' = p + h F(q) + G(q)' mu,   q+ = q + h M^-1 p',   g(q+) = 0
//   B (8)   p' = p + G(q)' mu,            q+ = q + h M^-1 p',   g(q+) = 0,   p'' = p' + h F(q+)
//   (7)     p+ = p' (or p'') + G(q+)' kappa,   G(q+) M^-1 p+ = 0.
//
// (6) is A because the document compares (6) with (7) to the constrained symplectic Euler method, which is A. The tableau of A has
// a second stage whose weight is zero; a = 1, b = 1 with the constraint at its stage, implicit Euler, is B.
//
// Both have one discrete Euler-Lagrange equation, M (q_{k+1} - 2 q_k + q_{k-1}) = h^2 F(q_k) + G(q_k)' nu, as RATTLE has.
//
// Why (7) is symplectic: dq ^ d(G' kappa) = -d(dg . kappa) = 0 where g = 0. The same holds for any multiple of G', so that
// a step without (7) has the same form; and (7) is cosmetic: the next step depends on p through p + G(q)' mu alone.
//
// One file: all claims are about two methods, and the wrong ones beside them.
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>

#include "study/evidence/constrained_action.hpp"
#include "study/evidence/constrained_measures.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"bo07_variational_euler",
          {"BO07", "(6) to (8), Theorem 2.6", "Sec. 2"},
          "(6) to (8) and Theorem 2.6: constrained variational Euler methods"};
}

namespace {

using namespace constrained_states;
using F = Float50;
using D = Dual<F>;

const Interval zero = zero_of_50_digits;
constexpr EulerForce both_forces[] = {EulerForce::at_start, EulerForce::at_end};

// --- the methods and wrong ones ---------------------------------------------------------------------------------------

/// What follows (6) or (8).
enum class Projection {
  momentum,      ///< (7)
  none,          ///< nothing
  velocity,      ///< v+ = v + G(q+)' kappa: orthogonal in the Euclidean metric
  old_gradient,  ///< p+ = p + G(q)' kappa
};

/// Steps of (6) or (8) with any of the projections. The velocity before the projection is that of the library's positions.
template <class System>
class EulerVariant {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using V = VectorOf<System>;
  EulerVariant(const System& system, EulerForce force, Projection projection)
      : force_(force), projection_(projection), method_(system, force) {}
  [[nodiscard]] auto start(const V& q, const V& v) const { return method_.start(q, v); }
  template <class State>
  StepOutcome step(State& z, const S& h, const std::vector<NoiseIntegrals<S>>& noises = {}) {
    const V from = z.q;
    const StepOutcome outcome = noises.empty() ? method_.step(z, h) : method_.step(z, h, StepNoise<S>(noises));
    if (!outcome.ok() || projection_ == Projection::momentum) return outcome;
    const System& system = method_.system();
    z.v = (z.q - from) / h;
    if (force_ == EulerForce::at_end) {
      V acceleration = z.q;
      system.acceleration(z.q, acceleration);
      z.v += h * acceleration;
      if (!noises.empty())
        system.kick(
            z.q, [&](Eigen::Index i) { return noises[static_cast<std::size_t>(i)].increment; }, acceleration, z.v);
    }
    if (projection_ == Projection::none) return outcome;
    const auto gradient = gradients_of(system, z.q);
    Matrix<S, Dynamic> directions =
        (projection_ == Projection::velocity ? gradient : gradients_of(system, from)).transpose();
    if (projection_ == Projection::old_gradient)
      for (Eigen::Index k = 0; k < directions.cols(); ++k) directions.col(k) = system.velocity(V(directions.col(k)));
    z.v -= directions * solved<S>(gradient * directions, gradient * z.v);
    return outcome;
  }

 private:
  EulerForce force_;
  Projection projection_;
  ConstrainedVariationalEuler<System> method_;
};
auto euler(EulerForce force, Projection projection = Projection::momentum) {
  return [=]<class System>(const System& system) { return EulerVariant<System>(system, force, projection); };
}
inline constexpr auto projected_explicit_euler = []<class System>(const System& system) {
  return ProjectedEulerMaruyama<System>(system);
};

/// The constrained symplectic Euler method of Hairer, Lubich and Wanner (VII.1.3) for a Hamiltonian H(q, p) of which only the
/// values are known: derivatives are those of dual numbers.
template <class Problem>
class HamiltonianEuler {
 public:
  static constexpr int n = Problem::dimension;
  using V = Vector<F, n>;
  struct State {
    V q, p;
  };
  /// Moves a point by h, with the projection of the momentum or without.
  bool step(State& z, const F& h, bool project) {
    const Matrix<F, Dynamic> old = gradients_of(in_floats_.system, z.q);
    const V free = z.p - h * derivative(z, false), rest = derivative({z.q, zeros<V>()}, true);
    // H_pp G', which is constant where H is quadratic in p.
    Matrix<F, Dynamic> columns = old.transpose();
    for (Eigen::Index k = 0; k < columns.cols(); ++k)
      columns.col(k) = derivative({z.q, V(old.row(k).transpose())}, true) - rest;
    Vector<F, Dynamic> lambda = zeros<Vector<F, Dynamic>>(old.rows());
    const V from = z.q;
    for (int iteration = 0; iteration < 20; ++iteration) {
      z.p = free - h * (old.transpose() * lambda);
      z.q = from + h * derivative({from, z.p}, true);
      typename System::multiplier_type g;
      in_floats_.system.constraint().value(z.q, g);
      const Vector<F, Dynamic> change = solved<F>(gradients_of(in_floats_.system, z.q) * columns, g) / (h * h);
      lambda += change;
      if (to_double(max_magnitude(change)) < 1e-40) {
        // Newton's method: the next error is of the size of its square.
        z.p = free - h * (old.transpose() * lambda);
        z.q = from + h * derivative({from, z.p}, true);
        if (project) {
          const Matrix<F, Dynamic> now = gradients_of(in_floats_.system, z.q);
          Matrix<F, Dynamic> at_end = now.transpose();
          for (Eigen::Index k = 0; k < at_end.cols(); ++k)
            at_end.col(k) = derivative({z.q, V(now.row(k).transpose())}, true) - derivative({z.q, zeros<V>()}, true);
          z.p -= now.transpose() * solved<F>(now * at_end, now * derivative(z, true));
        }
        return true;
      }
    }
    return false;
  }

 private:
  using Floats = std::decay_t<decltype(Problem::template problem<F>())>;
  using System = std::decay_t<decltype(std::declval<Floats>().system)>;
  /// H_p or H_q.
  [[nodiscard]] V derivative(const State& z, bool in_momentum) const {
    using W = Vector<D, n>;
    W q, p;
    for (int i = 0; i < n; ++i) {
      q(i) = D(z.q(i));
      p(i) = D(z.p(i));
    }
    V result;
    for (int i = 0; i < n; ++i) {
      D& varied = in_momentum ? p(i) : q(i);
      varied.derivative = F(1);
      result(i) = D(D(p.dot(in_duals_.system.velocity(p))) / D(2) + in_duals_.system.potential().value(q)).derivative;
      varied.derivative = F(0);
    }
    return result;
  }
  Floats in_floats_ = Problem::template problem<F>();
  std::decay_t<decltype(Problem::template problem<D>())> in_duals_ = Problem::template problem<D>();
};

// --- measures ---------------------------------------------------------------------------------------------------------

/// Returns the largest derivative of the action sum of A or B in what is inside of three positions. Variables that the positions
/// leave open have the values that make the other equations true.
template <class Problem>
double action_defect(EulerForce force, const std::array<Vector<F, Problem::dimension>, 3>& q, const F& h) {
  using V = Vector<F, Problem::dimension>;
  const auto problem = Problem::template problem<F>();
  const Vector<F, Dynamic> none = zeros<Vector<F, Dynamic>>(ConstrainedAction<Problem>::m);
  const V first = problem.system.momentum(V((q[1] - q[0]) / h)), second = problem.system.momentum(V((q[2] - q[1]) / h));
  const V inner = h * force_at(problem.system, q[1]);
  const Vector<F, Dynamic> mu = normal_part(problem.system, q[1], V(second - first - inner));
  if (force == EulerForce::at_start) {
    const ConstrainedAction<Problem> action(variational_euler_tableau<F>(force), h, 2);
    return action.largest(
        action.variables_of({{q[0], V(first - h * force_at(problem.system, q[0])), {q[0], q[1]}, {none, none}},
                             {q[1], first, {q[1], q[2]}, {mu, none}}},
                            q[2]));
  }
  // a = 1, b = 1 and the constraint at the stage.
  PartitionedTableau<F> tableau{"implicit Euler", Matrix<F, Dynamic>::Constant(1, 1, F(1)),
                                Vector<F, Dynamic>::Constant(1, F(1)), 1};
  const ConstrainedAction<Problem> action(tableau, h, 2);
  return action.largest(action.variables_of({{q[0], first, {q[1]}, {mu}}, {q[1], second, {q[2]}, {none}}}, q[2]));
}

/// Returns three positions of a method; nothing if a step fails.
template <class Problem, class Make>
std::optional<std::array<Vector<F, Problem::dimension>, 3>> three_positions(const Make& make, int number, const F& h,
                                                                            double product) {
  const auto problem = Problem::template problem<F>();
  auto method = make(problem.system);
  const auto from = state_of<Problem>(number, h, product);
  auto z = method.start(from.q, from.v);
  std::array<Vector<F, Problem::dimension>, 3> q{z.q, z.q, z.q};
  for (std::size_t k = 1; k < 3; ++k) {
    if (!method.step(z, h).ok()) return {};
    q[k] = z.q;
  }
  return q;
}
template <class Problem, class Make>
Extremes action_defects(EulerForce force, const Make& make, int states) {
  const F h = ratio<F>(1, 8);
  Extremes result;
  for (int i = 0; i < states; ++i) {
    const auto q = three_positions<Problem>(make, i, h, product(i, states));
    result.add(q ? action_defect<Problem>(force, *q, h) : infinity);
  }
  return result;
}

constexpr int few_states = 4;

// --- (6) --------------------------------------------------------------------------------------------------------------

/// States without a step of A, and the largest |g| after one.
template <class Problem>
std::pair<int, double> steps_exist(int states) {
  const auto problem = Problem::template problem<F>();
  const F h = ratio<F>(1, 8);
  std::pair<int, double> result{0, 0};
  for (int i = 0; i < states; ++i) {
    ConstrainedVariationalEuler method(problem.system);
    const auto from = state_of<Problem>(i, h, product(i, states));
    auto z = method.start(from.q, from.v);
    if (method.step(z, h).ok())
      result.second = larger(result.second, constraint_defect(problem.system, z.q));
    else
      ++result.first;
  }
  return result;
}

/// Steps on the sphere whose multiplier acts along G(q+): q+ is the direction of q + h v + h^2 F(q).
struct MultiplierAtEnd {
  const std::decay_t<decltype(Sphere::problem<F>().system)>& system;
  [[nodiscard]] PhaseState<F, 3> start(const Vector<F, 3>& q, const Vector<F, 3>& v) const { return {q, v}; }
  StepOutcome step(PhaseState<F, 3>& z, const F& h) const {
    const Vector<F, 3> to = z.q + h * (z.v + h * force_at(system, z.q)), from = z.q;
    using std::sqrt;
    z.q = to / F(sqrt(F(to.dot(to))));
    z.v = (z.q - from) / h;
    return {};
  }
};

TEST(Equation6, is_a_variational_integrator_outside_of_condition_2_1) {
  constexpr int states = 1000, of_action = 20;
  EXPECT_FALSE(satisfies_condition_2_1(variational_euler_tableau<F>(EulerForce::at_start)));
  const auto sphere = steps_exist<Sphere>(states), pendulum = steps_exist<DoubleSphere>(states);
  const int without = sphere.first + pendulum.first;
  const double constraint = std::max(sphere.second, pendulum.second);
  const auto a = euler(EulerForce::at_start);
  const double action = std::max(action_defects<Sphere>(EulerForce::at_start, a, of_action).largest,
                                 action_defects<DoubleSphere>(EulerForce::at_start, a, of_action).largest);
  const auto at_end = [](const auto& system) { return MultiplierAtEnd{system}; };
  const auto beyond = three_positions<Sphere>(a, 0, ratio<F>(1, 8), 1.5);
  expect_verdict(in_one_interval(
      {.id = "BO07.eq6.relaxed",
       .measured = without == 0 ? std::max(constraint, action) : not_measured,
       .interval = zero,
       .controls = {{.name = "multiplier along G(q+)",
                     .measured = action_defects<Sphere>(EulerForce::at_start, at_end, of_action).smallest},
                    {.name = "projected explicit Euler",
                     .measured =
                         action_defects<Sphere>(EulerForce::at_start, projected_explicit_euler, of_action).smallest},
                    {.name = "h |p| = 1.5 on the sphere",
                     .measured = beyond ? 0 : infinity,
                     .note = beyond ? "It has a step." : "It has no step: no point of the sphere can be reached."}},
       .note = text(
           "%d states of either system, %d of them without a step; constraint after a step %.0e, derivatives of the "
           "action sum of two steps from %d states %.0e.",
           states, without, constraint, of_action, action)}));
}

TEST(Equation6, leaves_the_tangent_space_by_half_of_h_p_squared) {
  constexpr int states = 100;
  const F h = ratio<F>(1, 8);
  // |q+ . p'| over h |p'|^2/2, before and after (7).
  const auto ratios = [&](bool project) {
    Extremes result;
    for (int i = 0; i < states; ++i) {
      const auto z = state_of<Sphere>(i, h, product(i, states));
      HamiltonianEuler<Sphere> method;
      HamiltonianEuler<Sphere>::State at{z.q, z.v};
      result.add(method.step(at, h, project) ? std::abs(to_double(F(at.q.dot(at.p) / (h * at.p.dot(at.p) / F(2)))))
                                             : std::numeric_limits<double>::quiet_NaN());
    }
    return result;
  };
  const Extremes before = ratios(false), after = ratios(true);
  expect_verdict(
      in_one_interval({.id = "BO07.eq6.hidden",
                       .measured = before.smallest,
                       .interval = {0.999, 1.001},
                       .controls = {{.name = "after (7)", .measured = after.largest}},
                       .note = text("Over the states it is from %.12f to %.12f.", before.smallest, before.largest)}));
}

// --- (7) --------------------------------------------------------------------------------------------------------------

/// Returns the change of dq ^ dp on {g(q) = 0} x R^n by the projection alone: (7), or the one of the velocity.
template <class Problem>
Extremes form_under_projection(Projection projection, int states) {
  const auto problem = Problem::template problem<D>();
  using System = std::decay_t<decltype(problem.system)>;
  const F h = ratio<F>(1, 8);
  Extremes result;
  for (int i = 0; i < states; ++i) {
    auto z = state_of<Problem>(i, h, product(i, states));
    z.v += z.q;  // it is not tangent
    const auto project = [&](auto& q, auto& v) {
      if (projection == Projection::momentum) {
        MultiplierSolve<System> multipliers(problem.system, {});
        typename System::multiplier_type kappa;
        problem.system.constraint().value(q, kappa);
        WorkCounters work;
        multipliers.set_directions(problem.system, q);
        return multipliers.project_velocity(problem.system, q, v, kappa, work);
      }
      const auto gradient = gradients_of(problem.system, q);
      v -= gradient.transpose() * solved<D>(gradient * gradient.transpose(), gradient * v);
      return StepOutcome{};
    };
    result.add(to_double(
        change_of_form(problem.system, project, z.q, z.v, tangent_vectors_of_positions(problem.system, z.q))));
  }
  return result;
}

TEST(Equation7, is_symplectic_and_so_is_its_composition_with_6) {
  const double alone = form_under_projection<DoubleSphere>(Projection::momentum, few_states).largest,
               composed = form_over_two_steps<DoubleSphere>(euler(EulerForce::at_start), few_states).largest,
               omitted =
                   form_over_two_steps<DoubleSphere>(euler(EulerForce::at_start, Projection::none), few_states).largest;
  const auto with = [](Projection projection) {
    return form_over_two_steps<DoubleSphere>(euler(EulerForce::at_start, projection), few_states).smallest;
  };
  expect_verdict(in_one_interval(
      {.id = "BO07.eq7.projection",
       .measured = std::max(alone, composed),
       .interval = zero,
       .controls = {{.name = "v+ = v + G' kappa alone",
                     .measured = form_under_projection<DoubleSphere>(Projection::velocity, few_states).smallest},
                    {.name = "(6), then v+ = v + G' kappa", .measured = with(Projection::velocity)},
                    {.name = "(6), then along G at the old position", .measured = with(Projection::old_gradient)}},
       .note = text(
           "(7) alone %.0e, (6) and (7) %.0e. Without (7) the form does not change either, %.0e: it does not see what "
           "is along G'.",
           alone, composed, omitted)}));
}

/// Returns the largest difference of the positions of two runs with noise, h = 1/10, and of the momenta at their end after
/// one projection.
template <class Problem>
double difference_of_runs(EulerForce force, Projection first, Projection second, int steps) {
  const auto problem = Problem::template problem<F>();
  const F h = ratio<F>(1, 10);
  auto a = euler(force, first)(problem.system), b = euler(force, second)(problem.system);
  auto z = a.start(problem.q, problem.v), w = z;
  F largest(0);
  for (int k = 0; k < steps; ++k) {
    const auto noises = random_noise<F>(static_cast<std::size_t>(problem.system.noise().count()), 0,
                                        static_cast<std::uint64_t>(k), 0.1);
    if (!a.step(z, h, noises).ok() || !b.step(w, h, noises).ok()) return infinity;
    largest = larger(largest, RealOf<F>(max_magnitude(z.q - w.q)));
  }
  for (auto* state : {&z, &w}) {
    const auto p = problem.system.momentum(state->v);
    const auto gradient = gradients_of(problem.system, state->q);
    const auto kappa = normal_part(problem.system, state->q, p);
    state->v = problem.system.velocity(Vector<F, Problem::dimension>(p - gradient.transpose() * kappa));
  }
  return to_double(larger(largest, RealOf<F>(max_magnitude(z.v - w.v))));
}

TEST(Equation7, is_not_seen_by_the_next_step) {
  constexpr int steps = 100;
  double largest = 0, wrong = infinity;
  for (const EulerForce force : both_forces) {
    largest = larger(largest, difference_of_runs<DoubleSphere>(force, Projection::momentum, Projection::none, steps));
    wrong = std::min(wrong, difference_of_runs<DoubleSphere>(force, Projection::momentum, Projection::velocity, steps));
  }
  EXPECT_LT(largest, zero.high);
  EXPECT_GT(wrong, zero.high);
}

// --- what the methods are ---------------------------------------------------------------------------------------------

/// Returns the largest difference of the method with a tableau from the Hamiltonian form, 20 steps h = 1/10.
template <class Problem>
double difference_from_hamiltonian(EulerForce force) {
  const auto problem = Problem::template problem<F>();
  const F h = ratio<F>(1, 10);
  ConstrainedPartitionedRungeKutta method(problem.system, variational_euler_tableau<F>(force), NoiseWeights::increments,
                                          TableauCondition::weights_may_vanish);
  auto z = method.start(problem.q, problem.v);
  HamiltonianEuler<Problem> hamiltonian;
  typename HamiltonianEuler<Problem>::State w{problem.q, problem.system.momentum(problem.v)};
  F largest(0);
  for (int k = 0; k < 20; ++k) {
    if (!method.step(z, h).ok() || !hamiltonian.step(w, h, true)) return std::numeric_limits<double>::quiet_NaN();
    largest = larger(largest, larger(RealOf<F>(max_magnitude(z.q - w.q)),
                                     RealOf<F>(max_magnitude(problem.system.momentum(z.v) - w.p))));
  }
  return to_double(largest);
}

TEST(Equations6And7, are_the_constrained_symplectic_euler_method) {
  expect_verdict(
      in_one_interval({.id = "BO07.eq6-7.euler",
                       .measured = difference_from_hamiltonian<DoubleSphere>(EulerForce::at_start),
                       .interval = zero,
                       .controls = {{.name = "B and (7)",
                                     .measured = difference_from_hamiltonian<DoubleSphere>(EulerForce::at_end)}}}));
}

/// Returns how far a step of a method and the step -h of another lead from random states.
template <class Problem>
Extremes return_defect(EulerForce there, EulerForce back, int states) {
  const auto problem = Problem::template problem<F>();
  const F h = ratio<F>(1, 8);
  Extremes result;
  for (int i = 0; i < states; ++i) {
    ConstrainedVariationalEuler first(problem.system, there), second(problem.system, back);
    const auto from = state_of<Problem>(i, h, product(i, states));
    auto z = first.start(from.q, from.v);
    if (!first.step(z, h).ok() || !second.step(z, F(-h)).ok())
      result.add(infinity);
    else
      result.add(to_double(larger(RealOf<F>(max_magnitude(z.q - from.q)),
                                  RealOf<F>(max_magnitude(problem.system.momentum(z.v - from.v))))));
  }
  return result;
}

TEST(Equation8, is_the_adjoint_of_6_and_comes_from_implicit_euler) {
  constexpr int states = 20;
  const double action = action_defects<DoubleSphere>(EulerForce::at_end, euler(EulerForce::at_end), states).largest,
               adjoint = return_defect<DoubleSphere>(EulerForce::at_end, EulerForce::at_start, states).largest;
  expect_verdict(in_one_interval(
      {.id = "BO07.eq8.single-stage",
       .measured = std::max(action, adjoint),
       .interval = zero,
       .controls =
           {{.name = "A and (7) in the place of B",
             .measured = return_defect<DoubleSphere>(EulerForce::at_start, EulerForce::at_start, states).smallest},
            {.name = "action sum at projected explicit Euler",
             .measured = action_defects<DoubleSphere>(EulerForce::at_end, projected_explicit_euler, states).smallest}},
       .note = text(
           "Action sum with a = 1, b = 1 at the positions of B %.0e; a step of B and one of A back %.0e. A and B have "
           "the same discrete Euler-Lagrange equation: they differ in what the momentum is at a position.",
           action, adjoint)}));
}

// --- Theorem 2.6 ------------------------------------------------------------------------------------------------------

TEST(Theorem26, the_compositions_are_symplectic) {
  double largest = 0;
  for (const EulerForce force : both_forces)
    largest = larger(larger(largest, form_over_two_steps<Sphere>(euler(force), few_states).largest),
                     form_over_two_steps<DoubleSphere>(euler(force), few_states).largest);
  expect_verdict(in_one_interval(
      {.id = "BO07.thm2.6.symplectic",
       .measured = largest,
       .interval = zero,
       .controls = {
           {.name = "projected explicit Euler",
            .measured = form_over_two_steps<Sphere>(projected_explicit_euler, few_states).smallest},
           {.name = "A, then v+ = v + G' kappa",
            .measured = form_over_two_steps<DoubleSphere>(euler(EulerForce::at_start, Projection::velocity), few_states)
                            .smallest},
           {.name = "B, then v+ = v + G' kappa",
            .measured = form_over_two_steps<DoubleSphere>(euler(EulerForce::at_end, Projection::velocity), few_states)
                            .smallest}}}));
}

TEST(Theorem26, the_compositions_have_order_one) {
  const std::vector<int> steps{20, 40, 80, 160, 320, 640};
  const auto problem = Sphere::problem<double>();
  const Orders a = orders_on_the_sphere(euler(EulerForce::at_start), problem, steps),
               b = orders_on_the_sphere(euler(EulerForce::at_end), problem, steps);
  const double of_a = a.farther_from(1), of_b = b.farther_from(1);
  auto weak = problem;
  weak.system = {problem.system.mass(),
                 {problem.system.potential().slope / 2},
                 problem.system.constraint(),
                 problem.system.noise()};
  const auto rattle = []<class System>(const System& system) { return Rattle<System>(system); };
  expect_verdict(
      in_one_interval({.id = "BO07.thm2.6.order1",
                       .measured = std::abs(of_a - 1) < std::abs(of_b - 1) ? of_b : of_a,
                       .unit = "order",
                       .interval = {0.9, 1.1},
                       .controls = {{.name = "RATTLE", .measured = orders_on_the_sphere(rattle, problem, steps).q},
                                    {.name = "A with half the force",
                                     .measured = orders_on_the_sphere(euler(EulerForce::at_start), weak, steps).q}},
                       .note = text("A: %.3f in q, %.3f in p. B: %.3f, %.3f.", a.q, a.v, b.q, b.v)}));
}

}  // namespace
}  // namespace livi::theorem
