// SPDX-License-Identifier: MIT
//
// The normal numbers of normal_numbers.hpp, computed with the vector instructions of the processor, which are chosen
// when the program runs. Compiled once, in livi::vectorised.
#pragma once

#include <livi/linalg/normal_numbers.hpp>

namespace livi {

/// The numbers of NormalNumbers to 1e-13: sin, cos and log are Highway's instead of the C library's, a few units in the
/// last place apart. A number does not depend on how many are asked for. Cost: about 3 ns per number with AVX-512.
class VectorisedNormalNumbers : public NormalNumbers {
 public:
  using NormalNumbers::NormalNumbers;
  void operator()(std::uint64_t step, std::uint64_t draw, double* out, std::ptrdiff_t n) const;
};

/// Applies the method of Box and Muller as VectorisedNormalNumbers does: writes n numbers, of which 2 k and 2 k + 1 are
/// made from the random bits angle[k] and radius[k]. It is public so that its accuracy can be examined.
void vectorised_box_muller(const std::uint64_t* angle, const std::uint64_t* radius, std::ptrdiff_t n, double* out);

}  // namespace livi
