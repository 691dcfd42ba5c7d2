// SPDX-License-Identifier: MIT
//
// Seconds of a piece of work on this machine: they go to the timing part of a report and are not judged.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace livi {

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds of the processor, which other programs on the machine do not lengthen.
template <class Work>
double processor_seconds_of(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// The middle one of an odd number of times.
inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class Work>
double median_seconds(int repetitions, const Work& work) {
  std::vector<double> times;
  for (int repetition = 0; repetition < repetitions; ++repetition) times.push_back(seconds_of(work));
  return median(times);
}

}  // namespace livi
