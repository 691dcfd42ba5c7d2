// SPDX-License-Identifier: MIT
//
// What is measured alike of steps on a manifold: the change of an integral along closed curves, which needs no chart, and steps
// of many sizes that are taken back. Only for the sources of constraints and of rigid bodies.
#pragma once

#include <functional>
#include <vector>

#include <livi/judge/measures/measurements.hpp>

namespace livi::foreign_detail {

/// The point of a closed curve of a size, about the start of a problem, at an angle.
using ClosedCurve = std::function<TimedPoint<double>(double size, double angle)>;
/// The integral over a curve of points that are equally spaced in the angle: of the points, only every `stride`-th one.
using LoopIntegral = std::function<double(const std::vector<TimedPoint<double>>& points, std::size_t stride)>;

/// Returns the largest change of an integral by one step and by two, over size^2 `unit`; with a `count` each of them is so
/// many steps, for methods whose later steps are others than the first. A curve has 48 points. It shrinks
/// where a step from one of them has no solution, and where half of the points show that the curve is too coarse for the
/// integral: its values differ by more than a thousandth of the change, and by more than `floor`.
Measured change_along_curves(ForeignRun<double>& run, const JudgedProblem& problem,
                             const std::vector<ClosedCurve>& curves, const LoopIntegral& integral, double unit,
                             double floor, long count = 1);

/// The steps of a method with a memory after which it is judged: those of its starting procedure are long past.
inline constexpr long steps_with_memory = 64;

/// Returns the point after `steps` of h from a start and as many of -h; or, of a `declaration` without steps back, as many of h
/// with the momenta turned before and after. A method with a memory may go on, or begin anew where it turns: `anew`.
TimedPoint<double> there_and_back(const ForeignDeclaration& declaration, ForeignRun<double>& run,
                                  const TimedPoint<double>& start, double h, long steps, bool anew);

/// Calls measure(start, h) for steps to be taken back: of h from two starts, and from the first of other sizes from 0.06 h to
/// 1.6 h, of both signs where the method makes such steps. So long a step may have no solution.
void for_steps_to_take_back(const ForeignDeclaration& declaration, const JudgedProblem& problem,
                            const std::function<void(const TimedPoint<double>& start, double h)>& measure);

}  // namespace livi::foreign_detail
