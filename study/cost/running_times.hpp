// SPDX-License-Identifier: MIT
//
// The running times that TO14 prints, beside counted arithmetic, in one way for all sections. The paper calls its
// seconds platform dependent and a qualitative illustration: they are not judged. Judged is the order of the methods in
// them, by the first of three counts:
//
//   general      nonlinear equations by a general solver, which is told nothing but the function (the paper: fsolve),
//                linear ones by their structure (in 4.3 both are solved molecule by molecule)
//   dense        the same, and the linear systems with full matrices, too
//   structured   both by their structure, as this library does
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/program/experiment.hpp"
#include "study/statistics/estimate.hpp"

namespace livi::running_times {

struct Method {
  std::string name;                   ///< name of its measurements
  std::string in_words;               ///< name of its line in a table
  double printed;                     ///< seconds
  double general, dense, structured;  ///< operations of the whole run
  double seconds = not_a_number;      ///< measured on this machine, structured, if it was timed
};

/// Counts are reproduced to 2 per cent on other machines: what differs by less has no order.
constexpr double dearer = 1.02;

/// Returns the share of the pairs of methods that `cost` puts in the order of the printed seconds.
template <class Cost>
double share_in_order(const std::vector<Method>& methods, const Cost& cost) {
  double same = 0, all = 0;
  for (std::size_t i = 0; i < methods.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool first_is_dearer = methods[i].printed > methods[j].printed;
      const double ratio = first_is_dearer ? cost(methods[i]) / cost(methods[j]) : cost(methods[j]) / cost(methods[i]);
      same += ratio >= dearer ? 1 : 0;
      all += 1;
    }
  return same / all;
}
inline double share_in_order(const std::vector<Method>& methods) {
  return share_in_order(methods, [](const Method& method) { return method.general; });
}

/// Most pairs, that is more than half.
inline constexpr Interval most_pairs{0.5000001, 1};

/// All methods over the last one: the name of a line in the table as a parameter, its ratios as measurements. `size` is
/// that of the system where a section has several.
inline void put(Report& report, const std::vector<Method>& methods, int size = 0) {
  const Method& last = methods.back();
  for (const Method& method : methods) {
    if (&method == &last) continue;
    const std::string pair =
        "running_time." + method.name + "_over_" + last.name + (size == 0 ? "" : text(".N=%d", size));
    report.parameter(pair, method.in_words + " over " + last.in_words + (size == 0 ? "" : text(", N = %d", size)));
    report.measurement(
        {.name = pair + ".printed", .value = method.printed / last.printed, .tolerance = {.relative = 1e-9}});
    for (const auto& [name, value] : {std::pair{".general", method.general / last.general},
                                      {".dense", method.dense / last.dense},
                                      {".structured", method.structured / last.structured}})
      report.measurement({.name = pair + name, .value = value, .tolerance = {.relative = 0.02}});
    if (method.seconds > 0 && last.seconds > 0) report.timing(pair + ".seconds", method.seconds / last.seconds);
  }
}

}  // namespace livi::running_times
