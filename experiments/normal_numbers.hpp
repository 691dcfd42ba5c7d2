// SPDX-License-Identifier: MIT
//
// Standard normal numbers that are a function of a seed and an index: the same whatever the order in which they are
// asked for, and by how many threads.
#pragma once

#include <Random123/philox.h>
#include <Random123/boxmuller.hpp>
#include <cstdint>
#include <livi/linalg/vector.hpp>

namespace livi {

/// The first n standard normal numbers of the sequence of `seed`: Philox 4x64 with key (seed, stream) and counter
/// (index/4), by Box and Muller.
inline Vector<double, Dynamic> normal_numbers(std::uint64_t seed, Eigen::Index n, std::uint64_t stream = 0) {
  Vector<double, Dynamic> xi(n);
  for (Eigen::Index k = 0; k < n; k += 4) {
    const r123::Philox4x64::ctr_type bits =
        r123::Philox4x64{}({{static_cast<std::uint64_t>(k / 4), 0, 0, 0}}, {{seed, stream}});
    const r123::double2 first = r123::boxmuller(bits[0], bits[1]), second = r123::boxmuller(bits[2], bits[3]);
    const double four[]{first.x, first.y, second.x, second.y};
    for (Eigen::Index i = 0; i < 4 && k + i < n; ++i) xi(k + i) = four[i];
  }
  return xi;
}

}  // namespace livi
