// SPDX-License-Identifier: MIT
//
// Subjects: what the battery examines, which is a method together with the problems on which it can run, in six number
// types. double serves long runs and restarts, 50 digits orders and residuals, and dual numbers over 50 digits
// Jacobians. Where the step is a rational function, dual numbers over residues modulo a prime serve certificates, power
// series over residues exact orders, and rational functions of h linear stability.
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
  /// At points[i], a bound of the rate at which the motion changes, in radians or in shares of its size per time: from
  /// there, steps below 1/rates[i] are short.
  std::vector<double> rates = {};
  double mass = 1;  ///< factor by which masses are larger than of order one
};

/// Returns the largest absolute entry of a vector of 50 digits.
inline double largest_entry(const auto& v) {
  double largest = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) largest = std::max(largest, std::abs(to_double(v(i))));
  return largest;
}
/// Returns the rate of motion where potentials have degree four, coefficients of order one, and masses are above 1/8.
inline double rate_of_motion(const PhasePoint<Float50>& z) { return 8 * (1 + largest_entry(z.q)); }

/// The expansion of a step in h, modulo a prime, with enough terms for every order up to nine.
using ExactSeries = PowerSeries<Residue, 10>;
/// A number that depends on h, exactly.
using FunctionOfStep = RationalFunction<Rational>;

/// The kind of space in which a method's points live. It decides which methods its tests must reject.
enum class SubjectKind { vector_space, rigid_body, separable, adaptive, stochastic };

/// A method together with the problems on which it can run, in all number types of the battery.
class Subject {
 public:
  virtual ~Subject() = default;
  [[nodiscard]] virtual SubjectKind kind() const { return SubjectKind::vector_space; }
  [[nodiscard]] virtual Properties declares() const = 0;
  [[nodiscard]] virtual const std::vector<ProblemSummary>& problems() const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const = 0;
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const = 0;
  /// Returns the method with the prime in force, for polynomial problems; null where there is no such form. May throw
  /// NotRational.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<Dual<Residue>>> in_residues(std::size_t /*problem*/) const {
    return nullptr;
  }
  /// Returns the method as series with the prime in force, for polynomial problems; null where there is no such form.
  /// May throw NotRational.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<ExactSeries>> in_series(std::size_t /*problem*/) const {
    return nullptr;
  }
  /// Returns the method in functions of h, for the oscillator and, where there are residues, for the other polynomial
  /// problems; null where there is no such form. May throw NotRational.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<FunctionOfStep>> in_functions_of_step(
      std::size_t /*problem*/) const {
    return nullptr;
  }
  /// Returns the exact flow of a fixed problem (diagnostics/taylor_flow.hpp); `time` may have either sign. The relative
  /// error is below 1e-36 for |time| up to 1, below 1e-45 for |time| up to 1/64 (bodies: 1e-25 and 1e-40).
  [[nodiscard]] virtual PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                                  const Float50& time) const = 0;
  /// Returns the exact flow from points[point] for a short time, a few hundredths of that of the motion; also for drawn
  /// problems. Its coefficients of time^k, k <= 12, are right to rounding.
  [[nodiscard]] virtual PhasePoint<Float50> short_flow(std::size_t problem, std::size_t point,
                                                       const Float50& time) const {
    return exact(problem, problems()[problem].points[point], time);
  }
  /// Returns the symplectic form at a point, applied to two variations of it.
  [[nodiscard]] virtual Float50 form(const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                     const PhasePoint<Float50>& b) const {
    return canonical_form(at, a, b);
  }
  /// Returns whether problems of this kind count evaluations.
  [[nodiscard]] virtual bool can_be_counted() const { return true; }
  /// Returns the number of runs in which evaluations are counted.
  [[nodiscard]] virtual int counted_runs() const { return 1; }
  /// Counts the evaluations in one step of a running method, averaged over 64; returns false if a step fails. Linear
  /// solves are those that the method reports (`work()`), NaN if it reports nothing.
  virtual bool count(CountedCost& cost, int run) const = 0;
};

namespace subject_detail {

/// Reverses the velocity (or momentum) of a running method by `turn(state)`, in the way described at
/// AnyStepper::reverse().
template <class Method, class State, class Turn, class Restart>
void reverse_state(Method& method, State& state, const Turn& turn, const Restart& restart) {
  if constexpr (requires { method.reverse(state); }) {
    method.reverse(state);
  } else {
    turn(state);
    if (!method.declares().memory) restart();
  }
}

/// Returns the text of a stepper's state in double. Runs in other number types are not interrupted: their text is
/// empty.
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

/// Returns the test problems without their systems, compiled once (battery library).
const std::vector<ProblemSummary>& mechanical_problem_summaries();
/// Returns the systems of the test problems, compiled once (battery library).
template <class S>
const std::vector<TestProblem<S>>& mechanical_problems();
template <>
const std::vector<TestProblem<double>>& mechanical_problems<double>();
template <>
const std::vector<TestProblem<Float50>>& mechanical_problems<Float50>();
template <>
const std::vector<TestProblem<Dual<Float50>>>& mechanical_problems<Dual<Float50>>();
/// Makes a test problem anew: its constants are residues modulo the prime in force.
TestProblem<Dual<Residue>> mechanical_problem_in_residues(std::size_t problem);
TestProblem<ExactSeries> mechanical_problem_in_series(std::size_t problem);
TestProblem<FunctionOfStep> mechanical_problem_in_functions_of_step(std::size_t problem);
PhasePoint<Float50> mechanical_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);
PhasePoint<Float50> mechanical_short_flow(std::size_t problem, std::size_t point, const Float50& time);
/// Returns the number of Taylor steps of a reference solution: sixteen per unit of time.
inline int reference_steps(const Float50& time) {
  return std::max(1, static_cast<int>(std::ceil(16 * std::abs(to_double(time)))));
}
/// A system with every evaluation counted, the start of a run, and its step.
struct CountedRun {
  AnySystem<double> system;
  PhasePoint<double> from;
  double h;
};
/// The number of counted runs: Henon-Heiles; a drawn polynomial with full masses, backwards; drawn particles under
/// softened gravity.
inline constexpr int number_of_counted_runs = 3;
CountedRun counted_run(int run, std::shared_ptr<CountedCost> counts);

}  // namespace livi
