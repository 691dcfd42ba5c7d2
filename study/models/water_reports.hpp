// SPDX-License-Identifier: MIT
//
// How the experiments on sampling of water clusters put ensembles and comparisons into a report and into words.
#pragma once

#include <algorithm>
#include <cmath>
#include <livi/report/report.hpp>
#include <livi/report/text.hpp>
#include <string>

#include "water_sampling.hpp"

namespace livi::water {

/// Inverse temperature of a room, 298 K.
constexpr double warm = 1.69;

/// Ensembles differ by more than sampling, a difference is resolved, when p is below this. How large it is is another
/// question, in the unit of the quantity: with enough runs every difference is resolved.
constexpr double level_of_difference = 0.01 / 4;

inline std::string summary(const char* name, const Ensemble& ensemble) {
  const auto of = [&](double Sample::*which) { return over_seeds(ensemble, which); };
  const Estimate r = of(&Sample::mean_distance), t = of(&Sample::temperature), i = of(&Sample::internal),
                 w = of(&Sample::turning);
  return text(
      "%s: mean distance %.4f +- %.4f, temperature %.3f +- %.3f, without rotation and drift of the whole %.3f +- %.3f, "
      "of the rotation %.2f +- %.2f. ",
      name, r.mean, r.error, t.mean, t.error, i.mean, i.error, w.mean, w.error);
}
inline std::string summary(const char* name, const Comparison& c) {
  return text(
      "%s: %.4f apart in total variation (halves of one set: %.4f), %.4f A as earth mover's distance (%.4f), %s (p = "
      "%.2g). ",
      name, c.apart.total_variation, c.floor.total_variation, c.apart.earth_mover, c.floor.earth_mover,
      c.p < level_of_difference ? "resolved" : "not resolved", c.p);
}

inline void put(Report& report, const std::string& name, const Estimate& e, const std::string& unit = "") {
  // Another machine's libm takes other paths: what it may find differs by two sampling errors.
  report.measurement({.name = name, .value = e.mean, .unit = unit, .tolerance = {.absolute = 4 * e.error}});
  report.measurement(
      {.name = name + ".standard_error", .value = e.error, .unit = unit, .tolerance = {.relative = 0.6}});
}

inline void put(Report& report, const std::string& name, const Ensemble& ensemble) {
  put(report, name + ".temperature", over_seeds(ensemble, &Sample::temperature));
  put(report, name + ".internal_temperature", over_seeds(ensemble, &Sample::internal));
  put(report, name + ".rotational_temperature", over_seeds(ensemble, &Sample::turning));
  put(report, name + ".mean_distance", over_seeds(ensemble, &Sample::mean_distance), "A");
  put(report, name + ".potential", over_seeds(ensemble, &Sample::potential), "kcal/mol");
}

inline void put(Report& report, const std::string& name, const Comparison& c) {
  // Distance and floor are both sampled.
  const double error = c.floor.total_variation;
  report.measurement(
      {.name = name + ".total_variation", .value = c.apart.total_variation, .tolerance = {.absolute = 2 * error}});
  report.measurement({.name = name + ".total_variation.floor", .value = error, .tolerance = {.relative = 0.5}});
  report.measurement({.name = name + ".earth_mover",
                      .value = c.apart.earth_mover,
                      .unit = "A",
                      .tolerance = {.absolute = 2 * c.floor.earth_mover}});
  // Of another sample of the same two distributions p is another number wherever it is not decided, and stays small
  // where it is: what it decides is a claim's.
  report.measurement({.name = name + ".p",
                      .value = c.p,
                      .tolerance = {.absolute = c.p < level_of_difference ? level_of_difference : 1}});
}

/// (one - rigid)/(other - rigid) of means, with the standard error that theirs make, which are independent.
inline Estimate ratio_of_shifts(const Estimate& one, const Estimate& other, const Estimate& rigid) {
  const double shift = other.mean - rigid.mean, ratio = (one.mean - rigid.mean) / shift;
  const double squares =
      std::pow(one.error, 2) + std::pow(ratio * other.error, 2) + std::pow((1 - ratio) * rigid.error, 2);
  return {ratio, std::sqrt(squares) / std::abs(shift), std::min({one.count, other.count, rigid.count})};
}

/// Mean distance of the second half of the seeds less that of the first.
inline double between_halves(const Ensemble& ensemble) {
  const auto middle = ensemble.begin() + static_cast<std::ptrdiff_t>(ensemble.size() / 2);
  return over_seeds({middle, ensemble.end()}, &Sample::mean_distance).mean -
         over_seeds({ensemble.begin(), middle}, &Sample::mean_distance).mean;
}

/// Distance of the histograms of the first half of the seeds and the second: two samples of one distribution.
inline Distance halves_apart(const Ensemble& ensemble, double bin_width) {
  const auto middle = ensemble.begin() + static_cast<std::ptrdiff_t>(ensemble.size() / 2);
  return compare(densities({ensemble.begin(), middle}, &Sample::physical),
                 densities({middle, ensemble.end()}, &Sample::physical), bin_width)
      .apart;
}

}  // namespace livi::water
