// SPDX-License-Identifier: MIT
//
// What the battery examines: a method together with the problems it can be put on, in four number types: double for
// long runs and restarts, 50 digits for orders and residuals, duals over 50 digits for Jacobians, duals over residues
// modulo a prime for certificates.
#pragma once

#include <livi/diagnostics/test_problems.hpp>
#include <livi/scalar/residue.hpp>

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
};

/// Where a method's points live, which decides the methods that its tests must reject.
enum class SubjectKind { vector_space, rigid_body };

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
  /// The exact flow of a problem (diagnostics/taylor_flow.hpp), good to 1e-45.
  [[nodiscard]] virtual PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                                  const Float50& time) const = 0;
  /// The symplectic form at a point on two variations of it.
  [[nodiscard]] virtual Float50 form(const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                     const PhasePoint<Float50>& b) const {
    return canonical_form(at, a, b);
  }
  /// Evaluations in one step once running, averaged over ten; false if the method cannot be counted.
  virtual bool count(CountedCost& cost) const = 0;
};

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
PhasePoint<Float50> mechanical_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);
/// Henon-Heiles with every evaluation counted.
AnySystem<double> counting_system(std::shared_ptr<CountedCost> counts);

}  // namespace livi
