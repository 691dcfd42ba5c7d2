// SPDX-License-Identifier: MIT
//
// How the experiments on sampling of water clusters put ensembles and comparisons into a report and into words.
#pragma once

#include <algorithm>
#include <cmath>
#include <livi/report/report.hpp>
#include <livi/report/text.hpp>
#include <livi/systems/vectorised_morse_pairing.hpp>
#include <string>

#include "study/program/estimates.hpp"
#include "water_sampling.hpp"

namespace livi::water {

/// Inverse temperature of a room, 298 K.
constexpr double warm = 1.69;

/// Ensembles differ by more than sampling, a difference is resolved, when p is below this. How large it is is another
/// question, in the unit of the quantity: with enough runs every difference is resolved.
constexpr double level_of_difference = 0.01 / 4;

inline Estimate mean_distance(const Ensemble& ensemble) { return over_seeds(ensemble, &Sample::mean_distance); }

inline std::string summary(const char* name, const Ensemble& ensemble) {
  const auto of = [&](double Sample::*which) { return over_seeds(ensemble, which); };
  const Estimate r = mean_distance(ensemble), t = of(&Sample::temperature), i = of(&Sample::internal),
                 w = of(&Sample::turning);
  return text(
      "%s: mean distance %.4f +- %.4f, temperature %.3f +- %.3f, without rotation and drift of the whole %.3f +- %.3f, "
      "of the rotation %.2f +- %.2f. ",
      name, r.mean, r.error, t.mean, t.error, i.mean, i.error, w.mean, w.error);
}
/// Whether the difference of two ensembles is resolved, in words.
inline const char* resolution(const Comparison& c) { return c.p < level_of_difference ? "resolved" : "not resolved"; }
inline std::string summary(const char* name, const Comparison& c) {
  return text(
      "%s: %.4f apart in total variation (halves of one set: %.4f), %.4f A as earth mover's distance (%.4f), %s (p = "
      "%.2g). ",
      name, c.apart.total_variation, c.floor.total_variation, c.apart.earth_mover, c.floor.earth_mover, resolution(c),
      c.p);
}

/// Parameters of an experiment on clusters of so many molecules, with so many seeds, the first of which is 1.
inline void put_parameters(Report& report, Eigen::Index molecules, double beta, double T, std::size_t seeds) {
  report.parameter("N", molecules);
  report.parameter("omega", printed_omega);
  report.parameter("gamma", printed_friction);
  report.parameter("inverse_temperature", printed_inverse_temperature);
  report.parameter("beta", beta);
  report.parameter("T", T);
  report.parameter("seeds", static_cast<long>(seeds));
  report.seed("first", 1);
  report.vector_instructions(vectorised_instructions());
}

inline void put(Report& report, const std::string& name, const Estimate& e, const std::string& unit = "") {
  put_estimate(report, name, e, unit, 0.6);
}

inline void put(Report& report, const std::string& name, const Ensemble& ensemble) {
  put(report, name + ".temperature", over_seeds(ensemble, &Sample::temperature));
  put(report, name + ".internal_temperature", over_seeds(ensemble, &Sample::internal));
  put(report, name + ".rotational_temperature", over_seeds(ensemble, &Sample::turning));
  put(report, name + ".mean_distance", mean_distance(ensemble), "A");
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
  // Another sample of the two distributions has another p wherever it is not decided, and stays small
  // where it is: what it decides is a claim's.
  report.measurement({.name = name + ".p",
                      .value = c.p,
                      .tolerance = {.absolute = c.p < level_of_difference ? level_of_difference : 1}});
}

/// The densities of distances between oxygens, but for what is beyond the last bin: a series of their means over seeds.
inline void put_distances(Report& report, const std::vector<std::pair<std::string, const Ensemble*>>& all) {
  std::vector<std::string> names;
  std::vector<std::vector<Estimate>> means;
  for (const auto& [name, ensemble] : all) {
    names.push_back(name);
    means.push_back(mean_density(densities(*ensemble, &Sample::physical)));
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t b = 0; b + 1 < means.front().size(); ++b) {
    rows.push_back({all.front().second->front().physical.middle(b)});
    for (const auto& mean : means) append(rows.back(), mean[b]);
  }
  report.series("distances", with_errors({{"r", "A"}}, names, "1/A"), rows);
}

/// Compares the distances between oxygens of two ensembles, and puts what is found into the report.
inline Comparison put_comparison(Report& report, const std::string& name, const Ensemble& a, const Ensemble& b) {
  const Comparison c =
      compare(densities(a, &Sample::physical), densities(b, &Sample::physical), a.front().physical.width);
  put(report, name, c);
  return c;
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
  return mean_distance({middle, ensemble.end()}).mean - mean_distance({ensemble.begin(), middle}).mean;
}

/// Distance of the histograms of the first half of the seeds and the second: two samples of one distribution.
inline Distance halves_apart(const Ensemble& ensemble) {
  const auto middle = ensemble.begin() + static_cast<std::ptrdiff_t>(ensemble.size() / 2);
  return compare(densities({ensemble.begin(), middle}, &Sample::physical),
                 densities({middle, ensemble.end()}, &Sample::physical), ensemble.front().physical.width)
      .apart;
}

}  // namespace livi::water
