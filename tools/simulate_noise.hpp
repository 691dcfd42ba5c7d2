// SPDX-License-Identifier: MIT
//
// Noise potentials as texts: "0.5*q1, 0.3*q2^2 - q1*q3" are two.
#pragma once

#include <livi/catalogue/ensemble.hpp>

#include <string>
#include <vector>

namespace livi {

/// A term c q_i or c q_i q_j of a noise potential, with i >= j counted from 1; j is 0 for a linear one.
struct NoiseTerm {
  double strength;
  long i, j;
};
/// The terms of each noise.
using NoiseTerms = std::vector<std::vector<NoiseTerm>>;

/// Reads the text of an option. Throws InvalidParameter, which says what is wrong where, for anything else.
NoiseTerms parse_noise(const std::string& option, const std::string& text);
/// Returns the text that every way of writing the same terms in the same order has.
std::string describe_noise(const NoiseTerms& noise);
/// Returns the potentials for n coordinates. Throws InvalidParameter for a term of another one.
AnyNoise make_noise(const std::string& option, const NoiseTerms& noise, long n);

}  // namespace livi
