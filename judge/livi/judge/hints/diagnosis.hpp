// SPDX-License-Identifier: MIT
//
// What a refuted method probably does wrong, found by a search over typical mistakes: each is a method of which it is
// known what it does, and which is compared with the one at hand. A diagnosis is a hint, no verdict.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <livi/judge/measures/found_coefficients.hpp>
#include <livi/judge/rows/judgement.hpp>

namespace livi {

/// Returns sentences about what a method that was judged probably does wrong; none where nothing typical fits.
std::vector<std::string> diagnose(ForeignSubject& subject, const Judgement& judgement);
/// Returns what it does for a method that takes the kind adaptive.
std::vector<std::string> diagnose_adaptive_steps(ForeignSubject& subject, const Judgement& judgement);
/// Returns such a sentence about the clock of a method that takes the kind timed; an empty one where it is right.
std::string mistake_of_clock(ForeignSubject& subject, std::uint64_t seed);
/// Returns such sentences about a method that was refuted for the kind body.
std::vector<std::string> diagnose_bodies(ForeignSubject& subject, const Judgement& judgement);
/// Returns such sentences about a method that was refuted in a heat bath, for the kinds langevin and constrained_langevin.
std::vector<std::string> diagnose_baths(ForeignSubject& subject, const Judgement& judgement);

/// The smallest case found in which a refuted declaration fails: words for everything, and, of a method behind a pipe,
/// the session. Lines of it that begin with "> " are what the method is sent, so that
/// `sed -n 's/^> //p' FILE | command` repeats it without livi.
struct Reproducer {
  std::string test;  ///< the row; empty if there is none
  std::string words;
  std::string session;
};
/// Searches from the smallest problems, numbers and steps upwards. `only` is the row that is to be reproduced: the
/// first refuted one if it is not given.
Reproducer reproduce(ForeignSubject& subject, const Judgement& judgement, const std::optional<RowId>& only = {});
/// Returns what it does for a method that takes the kind adaptive.
Reproducer reproduce_adaptive_steps(ForeignSubject& subject, const Judgement& judgement,
                                    const std::optional<RowId>& only = {});

}  // namespace livi
