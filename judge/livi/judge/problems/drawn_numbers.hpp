// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace livi {

/// A stream of pseudo-random numbers that is the same on every machine: splitmix64 (Steele, Lea and Flood 2014).
class DrawnNumbers {
 public:
  explicit DrawnNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// Returns a whole number from 0 to n - 1; n is small, so that the bias of 2^-32 n does not matter.
  unsigned below(unsigned n) { return static_cast<unsigned>(((next() >> 32) * n) >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace livi
