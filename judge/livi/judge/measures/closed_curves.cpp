// SPDX-License-Identifier: MIT
#include <livi/judge/measures/closed_curves.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi::foreign_detail {

namespace {

constexpr std::size_t points_on_curve = 48;

/// The points of a curve, and where one step and another of twice the size lead them: fewer, where a step has no solution.
struct MovedCurve {
  std::vector<TimedPoint<double>> before, once, twice;
  [[nodiscard]] bool whole() const { return twice.size() == points_on_curve; }
};
MovedCurve moved(ForeignRun<double>& run, const JudgedProblem& problem, const ClosedCurve& curve, double size,
                 bool may_fail, long count) {
  MovedCurve points;
  for (std::size_t k = 0; k < points_on_curve; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / points_on_curve;
    points.before.push_back(curve(size, angle));
    run.start(points.before.back());
    try {
      run.step(problem.h, count);
      points.once.push_back(run.point());
      run.step(2 * problem.h, count);
    } catch (const ForeignRefusal&) {
      if (!may_fail) throw;
      break;
    }
    points.twice.push_back(run.point());
  }
  return points;
}

}  // namespace

Measured change_along_curves(ForeignRun<double>& run, const JudgedProblem& problem,
                             const std::vector<ClosedCurve>& curves, const LoopIntegral& integral, double unit,
                             double floor, long count) {
  Measured worst{0, problem.name};
  constexpr int most_shrinkings = 3;
  for (std::size_t number = 0; number < curves.size(); ++number) {
    double size = 0.125;
    for (int shrinking = 0;; ++shrinking, size /= 2) {
      // Far from the start a step may have no solution.
      const MovedCurve points = moved(run, problem, curves[number], size, shrinking < most_shrinkings, count);
      if (!points.whole()) continue;
      bool resolved = true;
      std::array<double, 2> changes{};
      const double unit_of_size = size * size * unit;
      for (const auto* end : {&points.once, &points.twice}) {
        const double whole = integral(*end, 1) - integral(points.before, 1);
        const double half = integral(*end, 2) - integral(points.before, 2);
        changes[end == &points.once ? 0 : 1] = std::abs(whole) / unit_of_size;
        // A value that is no number is not to be tried again.
        resolved = resolved &&
                   !(std::abs(whole - half) / unit_of_size > std::max(floor, std::abs(whole) / unit_of_size / 1000));
      }
      if (!resolved && shrinking < most_shrinkings) continue;
      for (const double change : changes) {
        if (!is_worse(change, worst.value)) continue;
        worst = {change, format("%s, loop %zu of %zu, %s", problem.name.c_str(), number + 1, curves.size(),
                                &change == changes.data() ? "one step" : "two steps")};
        if (!resolved) worst.note += "; the step is not smooth: the points of a small loop lie on no curve";
      }
      break;
    }
    if (std::isnan(worst.value)) return worst;
  }
  return worst;
}

TimedPoint<double> there_and_back(const ForeignDeclaration& declaration, ForeignRun<double>& run,
                                  const TimedPoint<double>& start, double h, long steps, bool anew) {
  run.start(start);
  run.step(h, steps);
  if (declaration.forward) {
    run.start(turned(run.point()));
    run.step(h, steps);
    return turned(run.point());
  }
  if (anew) run.start(run.point());
  run.step(-h, steps);
  return run.point();
}

void for_steps_to_take_back(const ForeignDeclaration& declaration, const JudgedProblem& problem,
                            const std::function<void(const TimedPoint<double>& start, double h)>& measure) {
  for (const TimedPoint<double>* start : {&problem.start, &problem.other_start}) measure(*start, problem.h);
  // In shorter steps momenta that are differences of positions are rounding.
  for (const double share : {-1.0, 0.0618033988749895, -0.237})
    measure(problem.start, declaration.possible_step(problem.h * share));
  for (const double share : {1.6180339887498949, -1.6180339887498949}) {
    try {
      measure(problem.start, declaration.possible_step(problem.h * share));
    } catch (const ForeignRefusal&) {
      continue;
    }
  }
}

}  // namespace livi::foreign_detail
