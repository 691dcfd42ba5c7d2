// SPDX-License-Identifier: MIT
//
// The seed of everything that a judgement draws at random: evaluation points of certificates, problems, points, steps.
//
// A bound on the probability of an accident is a statement about a random seed. With a fixed seed it says that only a
// program made for this very seed could deceive the judge; with a seed that is drawn afterwards, none could. So reports
// name the seed, programs take it as an option, and a result that depends on it is no result.
#pragma once

#include <atomic>
#include <cstdint>

namespace livi {

/// The seed of reports, so that they can be repeated.
inline constexpr std::uint64_t default_seed = 20140825;

namespace seed_detail {
inline std::atomic<std::uint64_t>& of_process() {
  static std::atomic<std::uint64_t> seed{default_seed};
  return seed;
}
}  // namespace seed_detail

/// Returns the seed in force in this process, for all threads.
inline std::uint64_t judge_seed() { return seed_detail::of_process(); }
/// Sets the seed in force. Must be called before anything is judged: what was drawn before keeps its seed.
inline void set_judge_seed(std::uint64_t seed) { seed_detail::of_process() = seed; }

}  // namespace livi
