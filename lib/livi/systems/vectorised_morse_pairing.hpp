// SPDX-License-Identifier: MIT
//
// The Morse pairing of dna_chain.hpp for many bases at once, in double, with the vector instructions of the processor
// at hand: chosen when the program runs, so a portable build is fast too. Compiled once, in livi::vectorised.
//
// sin, cos and exp are Highway's, stated there to be within 3, 3 and 1 units in the last place for |q| <= 39000 and
// exponents up to 706; verification/unit/vectorised_morse_pairing_test.cpp measures them. Beyond, and for what is not a
// number, base by base as in MorsePairing. Processors with different instructions may differ in the last places.
#pragma once

#include <livi/systems/dna_chain.hpp>

namespace livi {

/// As MorsePairing<double>, a number at a time or many.
class VectorisedMorsePairing : public MorsePairing<double> {
 public:
  /// InvalidParameter as for MorsePairing, or if a x0 > 700: exp(a x0) would leave the range of double.
  explicit VectorisedMorsePairing(const DnaParameters<double>& parameters);

  using MorsePairing<double>::derivatives;
  /// epsilon U', U'', U''' of n angles; `second` and `third` may be null, but not `second` alone. What
  /// is written for an angle depends on that angle alone.
  void derivatives(const double* q, std::ptrdiff_t n, double* first, double* second, double* third) const;
};

/// sin, cos and exp as VectorisedMorsePairing uses them, n numbers each: for those who want to know how accurate they
/// are. |angle| <= 39000, exponent <= 706.
void vectorised_elementary_functions(const double* angle, const double* exponent, std::ptrdiff_t n, double* sine,
                                     double* cosine, double* exponential);

/// The instructions in use, as Highway names them: "AVX3", "AVX2", "SSE4", ...
const char* vectorised_instructions();

using VectorisedDnaChain = KleinGordonChain<VectorisedMorsePairing>;

/// dna_chain<double> with the vectorised pairing.
inline VectorisedDnaChain vectorised_dna_chain(Eigen::Index n, ChainEnds ends = ChainEnds::periodic,
                                               const DnaParameters<double>& parameters = {}) {
  return klein_gordon_chain(n, VectorisedMorsePairing(parameters), ends);
}

}  // namespace livi
