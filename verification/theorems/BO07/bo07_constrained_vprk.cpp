// SPDX-License-Identifier: MIT
// Theorem: BO07, Section 2 to (5), Condition 2.1 and Theorem 2.5: constrained variational partitioned Runge-Kutta methods
//
// The formulas of Section 2 are lost in the text at hand. Its definitions leave one action sum, that of constrained_action.hpp,
// whose critical points are the equations of lib/livi/stochastic/constrained_runge_kutta.hpp. Condition 2.1 is read as in Jay
// (1996): b_j != 0, a_1j = 0, a_sj = b_j.
//
// The action sum has the constraint of an inner position q_k twice, from the last stage of one step and the first of the next.
// Both multipliers act along Dg(q_k)^T, so that only their sum is determined, and with it p_k is up to what is along Dg(q_k)^T.
// The same is open at both ends, whose momenta no derivative asks for. So a critical point has m free directions at each of its
// N + 1 positions; a method takes the one with Dg M^-1 p = 0. "If and only if" is of positions, and of momenta paired with
// tangent vectors.
//
// One file: the claims share the methods, their runs, and the action whose critical points they are.
#include <Eigen/LU>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>

#include "study/evidence/constrained_action.hpp"
#include "study/evidence/constrained_measures.hpp"
#include "study/evidence/partitioned_equations.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"bo07_constrained_vprk",
          {"BO07", "Section 2, Theorem 2.5", "Sec. 2"},
          "Section 2 and Theorem 2.5: constrained variational partitioned Runge-Kutta methods"};
}

namespace {

using namespace constrained_states;
using F = Float50;

const Interval zero = zero_of_50_digits;

// --- methods ----------------------------------------------------------------------------------------------------------

/// The tableau of RATTLE with other weights: it satisfies Condition 2.1.
template <class S>
PartitionedTableau<S> with_weights(const S& first) {
  PartitionedTableau<S> tableau = lobatto<S>(2);
  tableau.a(1, 0) = tableau.b(0) = first;
  tableau.a(1, 1) = tableau.b(1) = S(1) - first;
  return tableau;
}
auto lobatto_method(int stages, NoiseWeights weights = NoiseWeights::increments) {
  return [=]<class System>(const System& system) {
    return ConstrainedPartitionedRungeKutta<System>(system, lobatto<ScalarOf<System>>(stages), weights);
  };
}
auto weighted_method(const char* first) {
  return [=]<class System>(const System& system) {
    using S = ScalarOf<System>;
    if constexpr (std::floating_point<S>)
      return ConstrainedPartitionedRungeKutta<System>(system, with_weights<S>(to_double(F(first))));
    else
      return ConstrainedPartitionedRungeKutta<System>(system, with_weights<S>(S(F(first))));
  };
}
auto euler_method(EulerForce force) {
  return [=]<class System>(const System& system) {
    return ConstrainedPartitionedRungeKutta<System>(system, variational_euler_tableau<ScalarOf<System>>(force),
                                                    NoiseWeights::increments, TableauCondition::weights_may_vanish);
  };
}
auto euler_by_hand(EulerForce force) {
  return [=]<class System>(const System& system) { return ConstrainedVariationalEuler<System>(system, force); };
}
auto rattle_by_hand(NoiseWeights weights) {
  return [=]<class System>(const System& system) { return StochasticRattle<System>(system, weights); };
}
inline constexpr auto library_rattle = []<class System>(const System& system) { return Rattle<System>(system); };
inline constexpr auto projected_heun = []<class System>(const System& system) { return ProjectedHeun<System>(system); };

PartitionedEquations lobatto_equations(int stages) { return equations_of(lobatto<F>(stages)); }
/// The three-stage pair without the multiplier of its inner stage.
PartitionedEquations without_inner_multiplier() {
  PartitionedEquations equations = lobatto_equations(3);
  equations.with_multiplier = {0};
  equations.constrained = {2};
  return equations;
}
/// Gauss's two stages with a constraint and a multiplier at either: a_1j is not 0.
PartitionedEquations gauss() {
  using std::sqrt;
  const F r = sqrt(F(3)) / F(6), quarter = ratio<F>(1, 4);
  Matrix<F, Dynamic> a(2, 2);
  a << quarter, quarter - r, quarter + r, quarter;
  const Vector<F, Dynamic> b = Vector<F, Dynamic>::Constant(2, ratio<F>(1, 2));
  return {a, conjugate_matrix(a, b), b, {0, 1}, {0, 1}, false};
}
/// The three-stage pair with the last row of a moved by 1e-6 from b.
PartitionedEquations last_row_moved() {
  PartitionedEquations equations = lobatto_equations(3);
  const F small = F("1e-6");
  equations.a(2, 0) += small;
  equations.a(2, 1) -= small;
  equations.momenta = conjugate_matrix(equations.a, equations.b);
  return equations;
}

// --- runs -------------------------------------------------------------------------------------------------------------

enum class Noise { none, some };

/// The increments of the noises, integrals of some size, in steps of 1/10.
template <class Problem>
std::vector<NoiseIntegrals<F>> noise_of(int step, Noise noise) {
  const auto count = static_cast<std::size_t>(Problem::template problem<F>().system.noise().count());
  if (noise == Noise::none) return std::vector<NoiseIntegrals<F>>(count);
  return random_noise<F>(count, 0, static_cast<std::uint64_t>(step), 0.1);
}
/// Returns the largest difference of q and p = M v in 20 steps h = 1/10 of two methods.
template <class Problem, class First, class Second>
double difference(const First& first, const Second& second, Noise noise) {
  const auto problem = Problem::template problem<F>();
  const F h = ratio<F>(1, 10);
  auto a = first(problem.system);
  auto b = second(problem.system);
  auto z = a.start(problem.q, problem.v);
  auto w = b.start(problem.q, problem.v);
  F largest(0);
  for (int k = 0; k < 20; ++k) {
    const auto noises = noise_of<Problem>(k, noise);
    const StepNoise<F> some = noise == Noise::some ? StepNoise<F>(noises) : StepNoise<F>();
    if (!step_under(a, z, h, some).ok() || !step_under(b, w, h, some).ok()) return not_measured;
    largest = larger(largest, larger(RealOf<F>(max_magnitude(z.q - w.q)),
                                     RealOf<F>(max_magnitude(problem.system.momentum(z.v - w.v)))));
  }
  return to_double(largest);
}
/// Returns it as the largest, or the smallest, over both problems, with noise and without.
template <class First, class Second>
Extremes differences(const First& first, const Second& second) {
  Extremes result;
  for (const Noise noise : {Noise::none, Noise::some}) {
    result.add(difference<Sphere>(first, second, noise));
    result.add(difference<DoubleSphere>(first, second, noise));
  }
  return result;
}

TEST(Definition23, matrix_and_weights_determine_the_method) {
  Extremes all;
  for (const NoiseWeights weights : {NoiseWeights::increments, NoiseWeights::integrals})
    all.add(differences(lobatto_method(2, weights), rattle_by_hand(weights)).largest);
  for (const EulerForce force : {EulerForce::at_start, EulerForce::at_end})
    all.add(differences(euler_method(force), euler_by_hand(force)).largest);
  auto moved = lobatto<F>(2);
  moved.a(1, 0) += F("1e-6");
  EXPECT_FALSE(satisfies_condition_2_1(moved));
  expect_verdict(in_one_interval(
      {.id = "BO07.def2.3.rk",
       .measured = all.largest,
       .interval = zero,
       .controls =
           {{.name = "entries of a and b moved by 1e-6",
             .measured = differences(weighted_method("0.500001"), rattle_by_hand(NoiseWeights::increments)).smallest},
            {.name = "b = (0.6, 0.4)",
             .measured = differences(weighted_method("0.6"), rattle_by_hand(NoiseWeights::increments)).smallest}},
       .note = "One entry of a cannot be moved alone: Condition 2.1 would not hold, and the tableau is refused."}));
}

TEST(Equation5, is_rattle) {
  const double distance = std::max(difference<Sphere>(lobatto_method(2), library_rattle, Noise::none),
                                   difference<DoubleSphere>(lobatto_method(2), library_rattle, Noise::none)),
               form = std::max(form_over_two_steps<Sphere>(lobatto_method(2), 4).largest,
                               form_over_two_steps<DoubleSphere>(lobatto_method(2), 4).largest);
  PartitionedEquations not_tangent = lobatto_equations(2);
  not_tangent.ends_on_tangent_bundle = false;
  expect_verdict(in_one_interval(
      {.id = "BO07.eq5.rattle",
       .measured = larger(distance, form),
       .interval = zero,
       .controls = {{.name = "a = (0, 0; 1, 0)",
                     .measured = difference<Sphere>(euler_method(EulerForce::at_start), library_rattle, Noise::none)},
                    {.name = "velocities that are not tangent (SHAKE)",
                     .measured = difference<Sphere>(method_of<Sphere>(not_tangent), library_rattle, Noise::none)}},
       .note = text("Difference %.0e, change of the form %.0e.", distance, form)}));
}

// --- constraints ------------------------------------------------------------------------------------------------------

/// Constraints after a step h = 1/8 from random states, and at its stages.
struct Constraints {
  Extremes stages, end;
  int without_step = 0;
};
template <class Problem>
Constraints constraints_of(int stages, int states, double most = 1) {
  const auto problem = Problem::template problem<F>();
  const F h = ratio<F>(1, 8);
  Constraints result;
  auto method = lobatto_method(stages)(problem.system);
  for (int i = 0; i < states; ++i) {
    const auto from = state_of<Problem>(i, h, most * product(i, states));
    auto z = method.start(from.q, from.v);
    if (!method.step(z, h).ok()) {
      ++result.without_step;
      continue;
    }
    double at_stages = 0;
    for (int k = 0; k < stages; ++k) at_stages = larger(at_stages, constraint_defect(problem.system, method.stage(k)));
    result.stages.add(at_stages);
    result.end.add(larger(constraint_defect(problem.system, z.q), tangent_defect(problem.system, z.q, z.v)));
  }
  return result;
}
/// As constraints_of(), on the sphere, for equations that need not be right.
Constraints constraints_of(const PartitionedEquations& equations, int states) {
  const auto problem = Sphere::problem<F>();
  const F h = ratio<F>(1, 8);
  Constraints result;
  EquationsOfStep<Sphere, F> method(equations);
  for (int i = 0; i < states; ++i) {
    auto z = state_of<Sphere>(i, h, product(i, states));
    if (!method.step(z, h).ok()) {
      ++result.without_step;
      continue;
    }
    result.stages.add(method.constraint_at_stages());
    result.end.add(larger(constraint_defect(problem.system, z.q), tangent_defect(problem.system, z.q, z.v)));
  }
  return result;
}
constexpr int few = 10;

TEST(Definition24, the_constraint_holds_at_every_stage) {
  constexpr int states = 100;
  Extremes all, by_equations;
  int lost = 0;
  for (const int stages : {2, 3}) {
    for (const Constraints& found :
         {constraints_of<Sphere>(stages, states), constraints_of<DoubleSphere>(stages, states)}) {
      all.add(found.stages.largest);
      lost += found.without_step;
    }
    const Constraints found = constraints_of(lobatto_equations(stages), few);
    by_equations.add(found.without_step == 0 ? found.stages.largest : not_measured);
  }
  EXPECT_LT(by_equations.largest, zero.high);
  const Constraints at_end = constraints_of(gauss(), few), inner = constraints_of(without_inner_multiplier(), few);
  EXPECT_EQ(inner.without_step + at_end.without_step, 0);
  expect_verdict(in_one_interval(
      {.id = "BO07.def2.4.stages",
       .measured = lost == 0 ? all.largest : not_measured,
       .interval = zero,
       .controls = {{.name = "three stages, no multiplier at the inner one", .measured = inner.stages.smallest},
                    {.name = "Gauss's two stages, read at the end of the step", .measured = at_end.end.smallest}},
       .note = text("The equations as they stand, solved apart, have %.0e on the sphere.", by_equations.largest)}));
}

TEST(Condition21, makes_a_step_end_on_the_constrained_phase_space) {
  constexpr int states = 100;
  Extremes all;
  int lost = 0;
  for (const int stages : {2, 3, 4}) {
    EXPECT_TRUE(satisfies_condition_2_1(lobatto<F>(stages)));
    for (const Constraints& found :
         {constraints_of<Sphere>(stages, states), constraints_of<DoubleSphere>(stages, states)}) {
      all.add(found.end.largest);
      lost += found.without_step;
    }
  }
  // (6) without (7): what the positions say of the momentum.
  Extremes not_projected;
  const auto problem = Sphere::problem<F>();
  const F h = ratio<F>(1, 8);
  for (int i = 0; i < few; ++i) {
    const auto from = state_of<Sphere>(i, h, product(i, few));
    auto method = euler_method(EulerForce::at_start)(problem.system);
    auto z = method.start(from.q, from.v);
    not_projected.add(method.step(z, h).ok() ? tangent_defect(problem.system, z.q, Vector<F, 3>((z.q - from.q) / h))
                                             : not_measured);
  }
  const Constraints of_gauss = constraints_of(gauss(), few), moved = constraints_of(last_row_moved(), few);
  EXPECT_EQ(of_gauss.without_step + moved.without_step, 0);
  expect_verdict(in_one_interval(
      {.id = "BO07.cond2.1",
       .measured = lost == 0 ? all.largest : not_measured,
       .interval = zero,
       .controls = {
           {.name = "Gauss's two stages: a_1j is not 0", .measured = of_gauss.end.smallest},
           {.name = "a = (0, 0; 1, 0), b = (1, 0), not projected: b_2 is 0", .measured = not_projected.smallest},
           {.name = "three stages, last row of a moved by 1e-6 from b", .measured = moved.end.smallest}}}));
}

// --- the action -------------------------------------------------------------------------------------------------------

/// Four steps h = 1/10 of a method: what it did, and where it ended.
template <class Problem>
struct Curve {
  std::vector<RecordedStep<F, Problem::dimension>> steps;
  Vector<F, Problem::dimension> q_end, p_end;
  std::vector<std::vector<F>> increments;
};
constexpr int steps_of_curve = 4;
const F& step_of_curve() {
  static const F h = ratio<F>(1, 10);
  return h;
}
/// `sign` is that of the force.
template <class Problem>
Curve<Problem> curve_of(const PartitionedTableau<F>& tableau, Noise noise, int sign = 1) {
  auto problem = Problem::template problem<F>();
  using System = std::decay_t<decltype(problem.system)>;
  problem.system = System(problem.system.mass(), {F(sign) * problem.system.potential().slope},
                          problem.system.constraint(), problem.system.noise());
  ConstrainedPartitionedRungeKutta<System> method(problem.system, tableau);
  auto z = method.start(problem.q, problem.v);
  Curve<Problem> curve;
  for (int k = 0; k < steps_of_curve; ++k) {
    RecordedStep<F, Problem::dimension> step{z.q, problem.system.momentum(z.v), {}, {}};
    const auto noises = noise_of<Problem>(k, noise);
    curve.increments.emplace_back();
    for (const auto& of : noises) curve.increments.back().push_back(of.increment);
    if (!method.step(z, step_of_curve(), StepNoise<F>(noises)).ok()) throw std::runtime_error("a step fails");
    for (int i = 0; i < tableau.stages(); ++i) {
      step.stages.push_back(method.stage(i));
      step.multipliers.emplace_back(method.multiplier(i));
    }
    curve.steps.push_back(step);
  }
  curve.q_end = z.q;
  curve.p_end = problem.system.momentum(z.v);
  return curve;
}

/// Returns positions on the constraint nearest to a point: rods turned to it.
Vector<double, 3> on_constraint(const Vector<double, 3>& q) { return q.normalized(); }
Vector<double, 6> on_constraint(const Vector<double, 6>& q) {
  Vector<double, 6> result;
  result.head(3) = q.head(3).normalized();
  result.tail(3) = result.head(3) + 2 * (q.tail(3) - q.head(3)).normalized();
  return result;
}

/// Second derivatives of the sum in what is varied, as Newton's method needs them. Pivots at most 1e-9 of the largest are none.
struct SecondDerivatives {
  std::vector<int> variables;
  Eigen::FullPivLU<Matrix<double, Dynamic>> factors;
  Vector<double, Dynamic> first;
  /// The smallest pivot that counts, over the largest; the largest that does not.
  double smallest_pivot = infinity, largest_zero = 0;

  template <class Action>
  SecondDerivatives(const Action& action, const std::vector<double>& at) {
    Vector<double, Dynamic> gradient;
    Matrix<double, Dynamic> matrix;
    action.derivatives(at, gradient, matrix);
    for (int i = 0; i < action.count(); ++i)
      if (action.varied(i)) variables.push_back(i);
    const auto size = static_cast<Eigen::Index>(variables.size());
    Matrix<double, Dynamic> varied(size, size);
    first.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      first(i) = gradient(variables[static_cast<std::size_t>(i)]);
      for (Eigen::Index j = 0; j < size; ++j)
        varied(i, j) = matrix(variables[static_cast<std::size_t>(i)], variables[static_cast<std::size_t>(j)]);
    }
    factors.setThreshold(1e-9);
    factors.compute(varied);
    const auto pivots = factors.matrixLU().diagonal().cwiseAbs();
    for (Eigen::Index i = 0; i < size; ++i)
      (i < factors.rank() ? smallest_pivot : largest_zero) = i < factors.rank()
                                                                 ? std::min(smallest_pivot, pivots(i) / pivots(0))
                                                                 : std::max(largest_zero, pivots(i) / pivots(0));
  }
  [[nodiscard]] int kernel() const {
    return static_cast<int>(variables.size() - static_cast<std::size_t>(factors.rank()));
  }
};

/// Returns the critical point between two positions by Newton's method from the straight line between them, moved to the
/// constraint: in double precision, and then to 50 digits with the last second derivatives. Nothing if it does not converge.
template <class Problem>
std::optional<std::vector<F>> critical_point(const ConstrainedAction<Problem>& action,
                                             const PartitionedTableau<F>& tableau,
                                             const Vector<F, Problem::dimension>& from,
                                             const Vector<F, Problem::dimension>& to) {
  constexpr int n = Problem::dimension;
  using V = Vector<double, n>;
  const auto problem = Problem::template problem<double>();
  const auto in_double = [](const Vector<F, n>& q) {
    V x;
    for (int i = 0; i < n; ++i) x(i) = to_double(q(i));
    return x;
  };
  const V first = in_double(from), last = in_double(to);
  std::vector<RecordedStep<F, n>> guess;
  const double h = to_double(step_of_curve());
  const auto on_line = [&](double at) { return V(on_constraint(V(first + at / action.steps() * (last - first)))); };
  std::vector<double> x(static_cast<std::size_t>(action.count()), 0.0);
  const auto put = [&](int where, const V& y) {
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(where + i)] = y(i);
  };
  for (int k = 0; k <= action.steps(); ++k) put(action.node(k), on_line(k));
  for (int k = 0; k < action.steps(); ++k) {
    const V v = (on_line(k + 1) - on_line(k)) / h;
    for (int i = 0; i < tableau.stages(); ++i) {
      put(action.stage(k, i), on_line(k + to_double(tableau.node(i))));
      put(action.velocity(k, i), v);
    }
    put(action.momentum(k), problem.system.momentum(v));
  }
  std::optional<SecondDerivatives> second;
  bool converged = false;
  for (int iteration = 0; !converged && iteration < 30; ++iteration) {
    second.emplace(action, x);
    const Vector<double, Dynamic> update = second->factors.solve(second->first);
    for (std::size_t i = 0; i < second->variables.size(); ++i)
      x[static_cast<std::size_t>(second->variables[i])] -= update(static_cast<Eigen::Index>(i));
    converged = update.cwiseAbs().maxCoeff() < 1e-9;
  }
  if (!converged) return {};
  std::vector<F> exact(x.begin(), x.end());
  for (int i = 0; i < n; ++i) {
    exact[static_cast<std::size_t>(i)] = from(i);
    exact[static_cast<std::size_t>(action.node(action.steps()) + i)] = to(i);
  }
  for (int iteration = 0; iteration < 12; ++iteration) {
    const auto gradient = action.gradient(exact);
    Vector<double, Dynamic> residual = second->first;
    F largest(0);
    for (std::size_t i = 0; i < second->variables.size(); ++i) {
      const F& derivative = gradient[static_cast<std::size_t>(second->variables[i])];
      largest = larger(largest, magnitude(derivative));
      residual(static_cast<Eigen::Index>(i)) = to_double(derivative);
    }
    if (to_double(largest) < 1e-48) return exact;
    const Vector<double, Dynamic> update = second->factors.solve(residual);
    for (std::size_t i = 0; i < second->variables.size(); ++i)
      exact[static_cast<std::size_t>(second->variables[i])] -= F(update(static_cast<Eigen::Index>(i)));
  }
  return {};
}

/// What is compared at the curve of a method.
struct ActionFindings {
  double derivatives = 0;  ///< the largest derivative of the sum at the method's curve
  double curve = 0;  ///< the largest difference of positions and tangential momenta from those of the critical point
  double ends = 0;   ///< the largest difference of the momenta at both ends, from the derivatives in the end points
  double next = 0;   ///< that of the momentum one step after the start from the derivative at the start
};
template <class Problem>
Vector<F, Problem::dimension> part(const std::vector<F>& x, int first) {
  Vector<F, Problem::dimension> y;
  for (int i = 0; i < Problem::dimension; ++i) y(i) = x[static_cast<std::size_t>(first + i)];
  return y;
}
/// The findings for the curve of `tableau` in the sum of another, `with`, that of the noise in it and its constraints.
template <class Problem>
ActionFindings findings(const PartitionedTableau<F>& tableau, Noise noise,
                        ConstraintsOfAction constraints = ConstraintsOfAction::every_stage, bool forget_noise = false) {
  using V = Vector<F, Problem::dimension>;
  const auto problem = Problem::template problem<F>();
  const Curve<Problem> curve = curve_of<Problem>(tableau, noise);
  const ConstrainedAction<Problem> action(tableau, step_of_curve(), steps_of_curve,
                                          forget_noise ? std::vector<std::vector<F>>() : curve.increments, constraints);
  ActionFindings result;
  const std::vector<F> at = action.variables_of(curve.steps, curve.q_end);
  result.derivatives = action.largest(at);
  const auto critical = critical_point(action, tableau, curve.steps[0].q, curve.q_end);
  if (!critical) return {result.derivatives, not_measured, not_measured, not_measured};
  for (int k = 1; k < steps_of_curve; ++k) {
    const auto& step = curve.steps[static_cast<std::size_t>(k)];
    const V q = part<Problem>(*critical, action.node(k)), p = part<Problem>(*critical, action.momentum(k - 1));
    result.curve = larger(result.curve, to_double(max_magnitude(q - step.q)));
    result.curve = larger(result.curve, tangential_size(problem.system, step.q, V(p - step.p)));
  }
  const auto gradient = action.gradient(*critical);
  const V start = -part<Problem>(gradient, action.node(0)), end = part<Problem>(gradient, action.node(steps_of_curve));
  result.ends = larger(tangential_size(problem.system, curve.steps[0].q, V(start - curve.steps[0].p)),
                       tangential_size(problem.system, curve.q_end, V(end - curve.p_end)));
  result.next = tangential_size(problem.system, curve.steps[0].q, V(start - curve.steps[1].p));
  return result;
}
/// All four cases of a tableau: both problems, with noise and without.
template <class Use>
void for_all_cases(const Use& use) {
  for (const int stages : {2, 3})
    for (const Noise noise : {Noise::none, Noise::some}) {
      use(findings<Sphere>(lobatto<F>(stages), noise));
      use(findings<DoubleSphere>(lobatto<F>(stages), noise));
    }
}

TEST(Theorem25, the_method_and_the_critical_points_are_the_same_curves) {
  Extremes derivatives, curves, ends;
  double next = infinity;
  for_all_cases([&](const ActionFindings& found) {
    derivatives.add(found.derivatives);
    curves.add(found.curve);
    ends.add(found.ends);
    next = std::min(next, found.next);
  });
  // One position moved along the constraint, another quadrature, the other force.
  const Curve<Sphere> curve = curve_of<Sphere>(lobatto<F>(2), Noise::some),
                      other = curve_of<Sphere>(lobatto<F>(2), Noise::some, -1);
  const ConstrainedAction<Sphere> action(lobatto<F>(2), step_of_curve(), steps_of_curve, curve.increments),
      weighted(with_weights<F>(F("0.6")), step_of_curve(), steps_of_curve, curve.increments);
  std::vector<F> moved = action.variables_of(curve.steps, curve.q_end);
  const Vector<F, 3> direction = curve.steps[2].p;
  for (int i = 0; i < 3; ++i) {
    const F change = F("1e-6") * direction(i);
    for (const int where : {action.node(2), action.stage(1, 1), action.stage(2, 0)})
      moved[static_cast<std::size_t>(where + i)] += change;
  }
  expect_verdict(in_one_interval(
      {.id = "BO07.thm2.5.critical",
       .measured = larger(derivatives.largest, curves.largest),
       .interval = {0, 1e-40},
       .controls = {{.name = "one position moved by 1e-6 along Q", .measured = action.largest(moved)},
                    {.name = "action sum with b = (0.6, 0.4)",
                     .measured = weighted.largest(weighted.variables_of(curve.steps, curve.q_end))},
                    {.name = "the other sign of the force in the method",
                     .measured = action.largest(action.variables_of(other.steps, other.q_end))}},
       .note = text(
           "Derivatives at the methods' curves %.0e; critical points, found from straight lines, lie %.0e from them.",
           derivatives.largest, curves.largest)}));
  const auto wrong = [](ConstraintsOfAction constraints, bool forget_noise) {
    return findings<Sphere>(lobatto<F>(2), Noise::some, constraints, forget_noise).ends;
  };
  expect_verdict(in_one_interval(
      {.id = "BO07.sect2.no-legendre",
       .measured = ends.largest,
       .interval = {0, 1e-40},
       .controls = {{.name = "without the multipliers", .measured = wrong(ConstraintsOfAction::none, false)},
                    {.name = "without the noise", .measured = wrong(ConstraintsOfAction::every_stage, true)},
                    {.name = "the momentum one step later", .measured = next}}}));
}

/// Returns (dimension of the kernel of the second derivatives) - m (N + 1).
template <class Problem>
int surplus_of_kernel(int stages, ConstraintsOfAction constraints, double& smallest_pivot, double& largest_zero) {
  const Curve<Problem> curve = curve_of<Problem>(lobatto<F>(stages), Noise::some);
  const ConstrainedAction<Problem> action(lobatto<F>(stages), step_of_curve(), steps_of_curve, curve.increments,
                                          constraints);
  std::vector<double> at;
  for (const F& x : action.variables_of(curve.steps, curve.q_end)) at.push_back(to_double(x));
  const SecondDerivatives second(action, at);
  smallest_pivot = std::min(smallest_pivot, second.smallest_pivot);
  largest_zero = std::max(largest_zero, second.largest_zero);
  return second.kernel() - ConstrainedAction<Problem>::m * (steps_of_curve + 1);
}

TEST(Theorem25, a_critical_point_has_free_multipliers_at_every_position) {
  double smallest_pivot = infinity, largest_zero = 0;
  int most = 0, once = -1000;
  for (const int stages : {2, 3}) {
    for (const int surplus :
         {surplus_of_kernel<Sphere>(stages, ConstraintsOfAction::every_stage, smallest_pivot, largest_zero),
          surplus_of_kernel<DoubleSphere>(stages, ConstraintsOfAction::every_stage, smallest_pivot, largest_zero)})
      most = std::max(most, std::abs(surplus));
    for (const int surplus :
         {surplus_of_kernel<Sphere>(stages, ConstraintsOfAction::once_a_node, smallest_pivot, largest_zero),
          surplus_of_kernel<DoubleSphere>(stages, ConstraintsOfAction::once_a_node, smallest_pivot, largest_zero)})
      once = std::max(once, surplus);
  }
  // A rank in double precision: pivots that count and those that do not are far apart.
  EXPECT_GT(smallest_pivot, 1e3 * 1e-9);
  EXPECT_LT(largest_zero, 1e-3 * 1e-9);
  expect_verdict(in_one_interval(
      {.id = "BO07.thm2.5.degenerate",
       .measured = static_cast<double>(most),
       .unit = "directions",
       .interval = {0, 0},
       .controls = {{.name = "the constraint once at each inner position", .measured = static_cast<double>(once)}},
       .note = text(
           "Pivots that count are at least %.0e of the largest, the others at most %.0e. With the constraint once the "
           "kernel has no dimension.",
           smallest_pivot, largest_zero)}));
}

// --- existence and the form -------------------------------------------------------------------------------------------

/// Returns how many of some states on the sphere have no step of RATTLE, where h times the tangential momentum of the first half
/// step is from 1.01 to 1.5.
int without_step_beyond(int states) {
  const auto problem = Sphere::problem<F>();
  const F h = ratio<F>(1, 8);
  auto method = lobatto_method(2)(problem.system);
  int without = 0;
  for (int i = 0; i < states; ++i) {
    auto z = state_of<Sphere>(i, h, 1.01 + 0.49 * i / states);
    const Vector<F, 3> force = force_at(problem.system, z.q);
    z.v -= h / F(2) * (force - z.q.dot(force) * z.q);
    without += method.step(z, h).ok() ? 0 : 1;
  }
  return without;
}

TEST(Theorem25, has_a_solution_while_steps_are_small) {
  constexpr int states = 1000;
  int without = 0;
  double defect = 0;
  for (const int stages : {2, 3})
    for (const Constraints& found :
         {constraints_of<Sphere>(stages, states), constraints_of<DoubleSphere>(stages, states)}) {
      without += found.without_step;
      defect = larger(defect, found.end.largest);
    }
  EXPECT_LT(defect, zero.high);
  const Constraints fast = constraints_of<DoubleSphere>(2, states, 3);
  expect_verdict(in_one_interval({.id = "BO07.thm2.5.existence",
                                  .measured = static_cast<double>(without),
                                  .unit = "states",
                                  .interval = {0, 0},
                                  .controls = {{.name = "h |P_t| from 1.01 to 1.5 on the sphere",
                                                .measured = static_cast<double>(without_step_beyond(100))}},
                                  .note = text("Both constraints hold to %.0e. With rods of the double pendulum that "
                                               "turn by up to 1/2 in a step %d of %d states "
                                               "have no step of RATTLE.",
                                               defect, fast.without_step, states)}));
}

TEST(Theorem25, the_flow_map_is_symplectic) {
  Extremes all;
  for (const int stages : {2, 3, 4}) {
    all.add(form_over_two_steps<Sphere>(lobatto_method(stages), 4).largest);
    all.add(form_over_two_steps<DoubleSphere>(lobatto_method(stages), stages == 4 ? 1 : 4).largest);
  }
  PartitionedEquations same_matrix = lobatto_equations(3);
  same_matrix.momenta = same_matrix.a;
  const PartitionedEquations right = lobatto_equations(3);
  EXPECT_LT(form_over_two_steps<Sphere>(method_of<Sphere>(right), 1).largest, zero.high);
  expect_verdict(in_one_interval(
      {.id = "BO07.thm2.5.symplectic",
       .measured = all.largest,
       .interval = zero,
       .controls = {{.name = "Lobatto IIIA for the momenta, too, three stages",
                     .measured = form_over_two_steps<Sphere>(method_of<Sphere>(same_matrix), 2).smallest},
                    {.name = "projected Heun", .measured = form_over_two_steps<Sphere>(projected_heun, 4).smallest}}}));
}

// --- orders -----------------------------------------------------------------------------------------------------------

TEST(Orders, rattle_has_order_two) {
  const auto problem = Sphere::problem<double>();
  auto weak = problem;
  weak.system = {problem.system.mass(),
                 {problem.system.potential().slope / 2},
                 problem.system.constraint(),
                 problem.system.noise()};
  const std::vector<int> steps{10, 20, 40, 80, 160}, fewer{10, 20, 40, 80};
  const Orders rattle = orders_on_the_sphere(lobatto_method(2), problem, steps);
  expect_verdict(in_one_interval(
      {.id = "BO07.eq5.order2",
       .measured = rattle.farther_from(2),
       .unit = "order",
       .interval = {1.95, 2.05},
       .controls = {{.name = "Euler A",
                     .measured = orders_on_the_sphere(euler_method(EulerForce::at_start), problem, steps).q},
                    {.name = "three stages", .measured = orders_on_the_sphere(lobatto_method(3), problem, fewer).q},
                    {.name = "half the force", .measured = orders_on_the_sphere(lobatto_method(2), weak, steps).q}},
       .note = text("%.4f in q, %.4f in p.", rattle.q, rattle.v)}));
}

}  // namespace
}  // namespace livi::theorem
