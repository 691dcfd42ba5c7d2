// SPDX-License-Identifier: MIT
//
// Where the search for mistakes in a heat bath looks: bodies without a force, free or under constraints, in baths that differ in one
// parameter each.
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include <livi/judge/hints/diagnosis.hpp>

namespace livi::foreign_detail {

/// The parameters of a bath, of which what its steps do is a product of powers: friction gamma, temperature T, mass m, number of
/// bodies N, of constraints c, size of the step h.
using Parameters = std::array<double, 6>;

/// A problem without a force, and a point on it; the parameters that all of its bodies have, the mass of the first one among them.
struct BathPlace {
  JudgedProblem problem;
  TimedPoint<double> start;
  Parameters values{};

  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(problem.masses.size()); }
  [[nodiscard]] bool is_free() const { return problem.constraints.empty(); }
  /// Returns a momentum without what it has along the constraints' gradients.
  [[nodiscard]] Eigen::VectorXd along(const TimedPoint<double>& z) const;
  /// Returns the matrix of that, at a position.
  [[nodiscard]] Eigen::MatrixXd projection(const std::vector<double>& q) const;
  /// Returns the problem without its bath.
  [[nodiscard]] JudgedProblem without_bath() const;
};

/// Returns places of which each has one parameter that no one before has, and a last one of unlike masses in another bath.
std::vector<BathPlace> places_in_baths(bool constrained);

/// What a limit for h to 0 is known to: the bound of the rows, which refute what is farther away.
constexpr double limit_accuracy = 1e-3;
/// A size of step in which all but noise is nothing: on a surface what is not linear in a number x is h x^2 of what is.
constexpr double tiny_step = 0x1p-20;

inline Eigen::VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
/// Returns |a - b| / |b|; no number if b is zero, or of another size than a.
inline double apart(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() ? (a - b).norm() / b.norm() : not_a_number;
}

/// Returns what a step takes for its normal numbers, before anything else: none, numbers of its own, numbers with a mean, or, where that
/// is refuted (`is_not_linear`), what is not the number. Empty where it says nothing, or not the same in all places.
std::string mistake_of_numbers(ForeignSubject& subject, const std::vector<BathPlace>& places, bool is_not_linear);
/// Returns in which step of a run the bath has the size of an earlier step, if it has in all places.
std::string mistake_of_sizes(ForeignSubject& subject, const std::vector<BathPlace>& places);
/// Returns what is wrong in the motion of bodies on springs in a bath, without noise: forces or velocities by a factor.
std::string mistake_of_motion(ForeignSubject& subject);

}  // namespace livi::foreign_detail
