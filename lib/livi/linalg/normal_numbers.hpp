// SPDX-License-Identifier: MIT
//
// Standard normal numbers that are a function of a seed and an index: the same whatever the order in which they are
// asked for, by how many threads, and in which of several runs. Nothing is stored but the seed, so a run that is
// interrupted and resumed has the same noise.
//
// Philox 4x64 with ten rounds (Salmon, Moraes, Dror and Shaw 2011; Random123) is a bijection of a counter of 256 bits,
// chosen by a key of 128. Here
//   key = (seed, stream),   counter = (index/4, step, draw, 0),
// and Box and Muller make four normal numbers of the 256 bits.
#pragma once

#include <Random123/philox.h>
#include <Random123/boxmuller.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <livi/linalg/vector.hpp>

namespace livi {

/// The standard normal numbers of one seed. Different streams of a seed are independent, too. Cost: about 20 ns per
/// number; vectorised_normal_numbers.hpp has a faster one with the same numbers.
class NormalNumbers {
 public:
  explicit NormalNumbers(std::uint64_t seed = 0, std::uint64_t stream = 0) : key_{{seed, stream}} {}

  /// The first n numbers of a step (and, if it needs several sets of them, of a draw) to out[0], ..., out[n-1].
  void operator()(std::uint64_t step, std::uint64_t draw, double* out, std::ptrdiff_t n) const {
    for (std::ptrdiff_t i = 0; i < n; i += 4) {
      const auto bits = random_bits(step, draw, static_cast<std::uint64_t>(i / 4));
      const r123::double2 first = r123::boxmuller(bits[0], bits[1]), second = r123::boxmuller(bits[2], bits[3]);
      const double four[]{first.x, first.y, second.x, second.y};
      std::copy_n(four, std::min<std::ptrdiff_t>(4, n - i), out + i);
    }
  }

 protected:
  /// The 256 bits of numbers 4 block, ..., 4 block + 3.
  [[nodiscard]] r123::Philox4x64::ctr_type random_bits(std::uint64_t step, std::uint64_t draw,
                                                       std::uint64_t block) const {
    return r123::Philox4x64{}({{block, step, draw, 0}}, key_);
  }

 private:
  r123::Philox4x64::key_type key_;
};

/// The first n standard normal numbers of `seed` and `stream`, at step 0.
inline Vector<double, Dynamic> normal_numbers(std::uint64_t seed, Eigen::Index n, std::uint64_t stream = 0) {
  Vector<double, Dynamic> xi(n);
  NormalNumbers(seed, stream)(0, 0, xi.data(), n);
  return xi;
}

}  // namespace livi
