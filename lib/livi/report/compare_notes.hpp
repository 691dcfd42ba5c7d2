// SPDX-License-Identifier: MIT
//
// The notes of claims as livi-compare reads them: words are compared, and of the numbers those of certificates.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace livi {

/// A note with "#" for each number that is not part of a name, as in x2, and those numbers with their places.
struct MaskedNote {
  struct Number {
    std::size_t place;
    double value;
  };
  std::string text = {};
  std::vector<Number> numbers = {};
};
/// Returns a note without its numbers, and these.
MaskedNote without_numbers(const std::string& note);

/// Returns what is allowed for each number of a certificate that changed by more, in two notes with equal words; empty
/// if none did.
std::string lost_by_certificates(const MaskedNote& baseline, const MaskedNote& now);

}  // namespace livi
