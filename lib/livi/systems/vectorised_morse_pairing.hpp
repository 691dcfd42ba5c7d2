// SPDX-License-Identifier: MIT
//
// The Morse pairing of dna_chain.hpp for many bases at once, in double, with the vector instructions of the processor.
// They are chosen when the program runs, so a portable build is fast too. Compiled once, in livi::vectorised.
//
// sin, cos and exp are Highway's, documented there as accurate to 3, 3 and 1 units in the last place for |q| <= 39000
// and exponents up to 706; vectorised_morse_pairing_test.cpp measures them. Larger angles and NaN are
// evaluated base by base as in MorsePairing. Processors with different instructions may differ in the last places.
#pragma once

#include <livi/systems/dna_chain.hpp>

namespace livi {

/// The pairing of MorsePairing<double>, for one number at a time or for many.
class VectorisedMorsePairing : public MorsePairing<double> {
 public:
  /// Throws InvalidParameter where MorsePairing does, and if a x0 > 700: exp(a x0) would leave the range of double.
  explicit VectorisedMorsePairing(const DnaParameters<double>& parameters);

  using MorsePairing<double>::derivatives;
  /// Writes epsilon U', epsilon U'' and epsilon U''' of n angles; `second` and `third` may be null, but not `second`
  /// alone. The results for an angle depend on that angle alone.
  void derivatives(const double* q, std::ptrdiff_t n, double* first, double* second, double* third) const;
};

/// Computes sin, cos and exp of n numbers each, |angle| <= 39000 and exponent <= 706, as VectorisedMorsePairing does.
/// It is public so that their accuracy can be examined.
void vectorised_elementary_functions(const double* angle, const double* exponent, std::ptrdiff_t n, double* sine,
                                     double* cosine, double* exponential);

/// Returns the name that Highway gives to the instructions in use: "AVX3", "AVX2", "SSE4", ...
const char* vectorised_instructions();

using VectorisedDnaChain = KleinGordonChain<VectorisedMorsePairing>;

/// Returns dna_chain<double> with the vectorised pairing.
inline VectorisedDnaChain vectorised_dna_chain(Eigen::Index n, ChainEnds ends = ChainEnds::periodic,
                                               const DnaParameters<double>& parameters = {}) {
  return klein_gordon_chain(n, VectorisedMorsePairing(parameters), ends);
}

}  // namespace livi
