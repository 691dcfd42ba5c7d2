// SPDX-License-Identifier: MIT
// Orders and residuals of the library's integrators as the battery measures them, for the theorems about order.
#pragma once

#include <gtest/gtest.h>

#include <livi/diagnostics/measures.hpp>

#include <livi/catalogue/library_subjects.hpp>

namespace livi::theorem {

/// The integrator of the library with this name.
inline const Subject& library_subject(const std::string& name) {
  static const std::vector<NamedSubject> all = library_subjects();
  const auto found = std::ranges::find(all, name, &NamedSubject::name);
  if (found == all.end()) throw std::invalid_argument("no integrator of the library is named " + name);
  return *found->subject;
}

/// Observed orders of q and p on every generic problem of the battery: the smallest and the largest.
struct OrderRange {
  double lowest = 1e9, highest = -1e9;
  [[nodiscard]] double farthest_from(double order) const {
    return std::abs(lowest - order) > std::abs(highest - order) ? lowest : highest;
  }
};

/// Global errors at T = 1 in 50 digits, three halvings up to 2^`last_power` steps, slopes extrapolated by the power
/// `slope_power` (2 for symmetric methods, whose errors are even in h). On the problems with `named` in their name.
inline OrderRange observed_orders(const Subject& subject, int slope_power, int last_power,
                                  const std::string& named = "") {
  OrderRange range;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic || problems[i].name.find(named) == std::string::npos) continue;
    auto stepper = subject.in_50_digits(i);
    const Float50 time(1);
    const ConvergenceTable table =
        measure_convergence(*stepper, problems[i].points.front(), subject.exact(i, problems[i].points.front(), time),
                            time, last_power - 2, last_power);
    for (const auto& errors : {table.error_q, table.error_p}) {
      const double order = fitted_exponent(errors, slope_power);
      range.lowest = std::min(range.lowest, order);
      range.highest = std::max(range.highest, order);
    }
  }
  return range;
}

/// Largest |J'Omega J - Omega| over the generic problems and their points, two steps of h = 1/4, 50 digits.
inline double symplecticity_of(const Subject& subject) {
  double worst = 0;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic) continue;
    auto stepper = subject.in_duals(i);
    for (const auto& point : problems[i].points)
      worst = larger(worst, symplecticity_residual(
                                *stepper, point, {}, ratio<Float50>(1, 4), 2,
                                [](auto&, const PhasePoint<Dual<Float50>>& z, const Dual<Float50>&) { return z; }));
  }
  return worst;
}

/// Largest distance from the start after a step of h = 1/4 and one of -h, 50 digits.
inline double asymmetry_of(const Subject& subject) {
  double worst = 0;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic) continue;
    auto stepper = subject.in_50_digits(i);
    for (const auto& point : problems[i].points)
      worst = larger(worst, adjoint_defect(*stepper, point, ratio<Float50>(1, 4)));
  }
  return worst;
}

}  // namespace livi::theorem
