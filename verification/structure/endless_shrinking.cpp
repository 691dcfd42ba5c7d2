// SPDX-License-Identifier: MIT
// A property that always fails and whose counterexample has a smaller one without end: to look for the smallest would
// never come to the line that tells it.
#include "verification/support/fixed_seed.hpp"

RC_GTEST_PROP(EndlessShrinking, says_its_counterexample, ()) {
  const int drawn = *rc::gen::shrink(rc::gen::just(4711), [](int x) { return rc::seq::just(x); });
  RC_LOG() << "drawn: " << drawn;
  RC_FAIL("every number is a counterexample");
}
