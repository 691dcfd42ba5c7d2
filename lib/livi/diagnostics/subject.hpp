// SPDX-License-Identifier: MIT
//
// What the battery examines: a method together with the problems it can be put on, in six number types: double for
// long runs and restarts, 50 digits for orders and residuals, duals over 50 digits for Jacobians; and, where the step
// is a rational function, duals over residues modulo a prime for certificates, power series over them for exact orders,
// rational functions of h for linear stability.
#pragma once

#include <livi/diagnostics/test_problems.hpp>
#include <livi/scalar/power_series.hpp>
#include <livi/scalar/rational_function.hpp>
#include <livi/scalar/residue.hpp>
#include <livi/trajectory/checkpoint.hpp>

namespace livi {

/// A problem without its number type.
struct ProblemSummary {
  std::string name;
  ProblemRole role = ProblemRole::generic;
  std::vector<PhasePoint<Float50>> points;  ///< generic, exactly on the constraint manifold where there is one
  /// At points[i], a basis of the tangent directions (dq, dp) in which the map may be varied; empty means all of R^2n.
  std::vector<std::vector<PhasePoint<Float50>>> tangents;
  std::vector<LinearSymmetry<Float50>> symmetries;
  bool constant_size_of_momentum = false;  ///< |p| is a constant of the motion: the Casimir function of the free body
  /// At points[i], how fast the motion changes, at most, in radians or in shares of its size per time: from there,
  /// steps below 1/rates[i] are short.
  std::vector<double> rates = {};
  double mass = 1;  ///< how many times larger than of order one masses are
};

/// Of a vector of 50 digits, in size.
inline double largest_entry(const auto& v) {
  double largest = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) largest = std::max(largest, std::abs(to_double(v(i))));
  return largest;
}
/// The rate where potentials have degree four, coefficients of order one, and masses are above 1/8.
inline double rate_of_motion(const PhasePoint<Float50>& z) { return 8 * (1 + largest_entry(z.q)); }

/// The expansion of a step in h, modulo a prime: enough terms for every order up to nine.
using ExactSeries = PowerSeries<Residue, 10>;
/// A number that depends on h, exactly.
using FunctionOfStep = RationalFunction<Rational>;

/// Where a method's points live, which decides the methods that its tests must reject.
enum class SubjectKind { vector_space, rigid_body, separable };

class Subject {
 public:
  virtual ~Subject() = default;
  [[nodiscard]] virtual SubjectKind kind() const { return SubjectKind::vector_space; }
  [[nodiscard]] virtual Properties declares() const = 0;
  [[nodiscard]] virtual const std::vector<ProblemSummary>& problems() const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const = 0;
  /// With the prime in force, for polynomial problems; null where there is no such form. May throw NotRational.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<Dual<Residue>>> in_residues(std::size_t /*problem*/) const {
    return nullptr;
  }
  /// With the prime in force, for polynomial problems; null where there is no such form. May throw NotRational.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<ExactSeries>> in_series(std::size_t /*problem*/) const {
    return nullptr;
  }
  /// For the oscillator and, where there are residues, the other polynomial problems; null where there is no such form.
  /// May throw NotRational.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<FunctionOfStep>> in_functions_of_step(
      std::size_t /*problem*/) const {
    return nullptr;
  }
  /// The exact flow of a fixed problem (diagnostics/taylor_flow.hpp); `time` of either sign. Relative error below 1e-36
  /// for |time| up to 1, below 1e-45 for |time| up to 1/64 (bodies: 1e-25 and 1e-40).
  [[nodiscard]] virtual PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                                  const Float50& time) const = 0;
  /// The same from points[point] for a short time, a few hundredths of that of the motion; for drawn problems, too. Its
  /// coefficients of time^k, k <= 12, are right to rounding.
  [[nodiscard]] virtual PhasePoint<Float50> short_flow(std::size_t problem, std::size_t point,
                                                       const Float50& time) const {
    return exact(problem, problems()[problem].points[point], time);
  }
  /// The symplectic form at a point on two variations of it.
  [[nodiscard]] virtual Float50 form(const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                     const PhasePoint<Float50>& b) const {
    return canonical_form(at, a, b);
  }
  /// Whether problems of this kind count evaluations.
  [[nodiscard]] virtual bool can_be_counted() const { return true; }
  /// In how many runs they are counted.
  [[nodiscard]] virtual int counted_runs() const { return 1; }
  /// Evaluations in one step once running, averaged over 64; false if a step fails. Linear solves are what the method
  /// says of itself (`work()`), NaN if it says nothing.
  virtual bool count(CountedCost& cost, int run) const = 0;
};

namespace subject_detail {

/// Turns the velocity (or momentum) of a running method by `turn(state)`, as AnyStepper::reverse() says.
template <class Method, class State, class Turn, class Restart>
void reverse_state(Method& method, State& state, const Turn& turn, const Restart& restart) {
  if constexpr (requires { method.reverse(state); }) {
    method.reverse(state);
  } else {
    turn(state);
    if (!method.declares().memory) restart();
  }
}

/// The text of a stepper's state in double. Runs in other number types are not interrupted: theirs is empty.
template <class S, class State>
std::string save(const State& state) {
  if constexpr (std::same_as<S, double>) {
    return save_state(state);
  } else {
    return {};
  }
}
template <class S, class State>
void load(const std::string& text, State& state) {
  if constexpr (std::same_as<S, double>) load_state(text, state);
  static_cast<void>(text);
}

}  // namespace subject_detail

template <class To>
PhasePoint<To> convert_point(const PhasePoint<Float50>& from) {
  const auto convert = [](const Float50& x) {
    if constexpr (std::same_as<To, double>) {
      return to_double(x);
    } else {
      return To(x);
    }
  };
  return {from.q.unaryExpr(convert), from.p.unaryExpr(convert)};
}

/// The test problems without their systems, compiled once (battery library).
const std::vector<ProblemSummary>& mechanical_problem_summaries();
/// The systems of the test problems, compiled once.
template <class S>
const std::vector<TestProblem<S>>& mechanical_problems();
template <>
const std::vector<TestProblem<double>>& mechanical_problems<double>();
template <>
const std::vector<TestProblem<Float50>>& mechanical_problems<Float50>();
template <>
const std::vector<TestProblem<Dual<Float50>>>& mechanical_problems<Dual<Float50>>();
/// A test problem made anew: its constants are residues modulo the prime in force.
TestProblem<Dual<Residue>> mechanical_problem_in_residues(std::size_t problem);
TestProblem<ExactSeries> mechanical_problem_in_series(std::size_t problem);
TestProblem<FunctionOfStep> mechanical_problem_in_functions_of_step(std::size_t problem);
PhasePoint<Float50> mechanical_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);
PhasePoint<Float50> mechanical_short_flow(std::size_t problem, std::size_t point, const Float50& time);
/// Taylor steps of a reference solution: sixteen per unit of time.
inline int reference_steps(const Float50& time) {
  return std::max(1, static_cast<int>(std::ceil(16 * std::abs(to_double(time)))));
}
/// A system with every evaluation counted, where a run begins, and its step.
struct CountedRun {
  AnySystem<double> system;
  PhasePoint<double> from;
  double h;
};
/// Henon-Heiles; a drawn polynomial, full masses, backwards; drawn particles under softened gravity.
inline constexpr int number_of_counted_runs = 3;
CountedRun counted_run(int run, std::shared_ptr<CountedCost> counts);

}  // namespace livi
