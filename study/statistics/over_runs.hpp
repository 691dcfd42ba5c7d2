// SPDX-License-Identifier: MIT
//
// One number of each run, or one question to each. What is read is a member of a run or a function of it.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "estimate.hpp"

namespace livi {

template <class Runs, class Read>
std::vector<double> of_each(const Runs& runs, const Read& read) {
  std::vector<double> values;
  for (const auto& run : runs) values.push_back(std::invoke(read, run));
  return values;
}
template <class Runs, class Read>
Estimate mean_over(const Runs& runs, const Read& read) {
  return estimate(of_each(runs, read));
}
/// Returns for how many of the runs it is so.
template <class Runs, class IsSo>
long count_of(const Runs& runs, const IsSo& is_so) {
  return std::count_if(runs.begin(), runs.end(), is_so);
}
template <class Runs, class IsSo>
double share_of(const Runs& runs, const IsSo& is_so) {
  return static_cast<double>(count_of(runs, is_so)) / static_cast<double>(runs.size());
}

}  // namespace livi
