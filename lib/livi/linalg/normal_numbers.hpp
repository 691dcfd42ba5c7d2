// SPDX-License-Identifier: MIT
//
// Standard normal numbers as a function of a seed and an index. They are the same whatever the order in which they are
// asked for, by however many threads, and in whichever of several runs. Only the seed is stored, so a run that is
// interrupted and resumed has the same noise.
//
// Philox 4x64 with ten rounds (Salmon, Moraes, Dror and Shaw 2011; Random123) is a bijection of a counter of 256 bits,
// chosen by a key of 128. Here
//   key = (seed, stream),   counter = (index/4, step, draw, 0),
// and the method of Box and Muller turns the 256 bits into four normal numbers.
#pragma once

#include <Random123/philox.h>
#include <Random123/boxmuller.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <livi/linalg/vector.hpp>

namespace livi {

/// The standard normal numbers of one seed. Different streams of a seed are independent. Cost: about 20 ns per number;
/// vectorised_normal_numbers.hpp computes the same numbers faster.
class NormalNumbers {
 public:
  explicit NormalNumbers(std::uint64_t seed = 0, std::uint64_t stream = 0) : key_{{seed, stream}} {}

  /// Writes the first n numbers of a step to out[0], ..., out[n-1]. A step that needs several sets of numbers tells
  /// them apart by `draw`.
  void operator()(std::uint64_t step, std::uint64_t draw, double* out, std::ptrdiff_t n) const {
    for (std::ptrdiff_t i = 0; i < n; i += 4) {
      const auto bits = random_bits(step, draw, static_cast<std::uint64_t>(i / 4));
      for (std::ptrdiff_t pair = 0; pair < 2 && i + 2 * pair < n; ++pair) {
        const auto at = static_cast<std::size_t>(2 * pair);
        const r123::double2 numbers = r123::boxmuller(bits[at], bits[at + 1]);
        out[i + 2 * pair] = numbers.x;
        if (i + 2 * pair + 1 < n) out[i + 2 * pair + 1] = numbers.y;
      }
    }
  }

 protected:
  /// Returns the 256 bits that numbers 4 block, ..., 4 block + 3 are made from.
  [[nodiscard]] r123::Philox4x64::ctr_type random_bits(std::uint64_t step, std::uint64_t draw,
                                                       std::uint64_t block) const {
    return r123::Philox4x64{}({{block, step, draw, 0}}, key_);
  }

 private:
  r123::Philox4x64::key_type key_;
};

/// Returns the first n standard normal numbers of `seed` and `stream`, at step 0.
inline Vector<double, Dynamic> normal_numbers(std::uint64_t seed, Eigen::Index n, std::uint64_t stream = 0) {
  Vector<double, Dynamic> xi(n);
  NormalNumbers(seed, stream)(0, 0, xi.data(), n);
  return xi;
}

}  // namespace livi
