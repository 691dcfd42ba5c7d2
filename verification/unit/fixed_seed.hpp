// SPDX-License-Identifier: MIT
#pragma once

#include <rapidcheck/gtest.h>

#include <cstdlib>

namespace livi::test {

/// Random cases are the same in every run; RC_PARAMS="seed=..." in the environment tries others.
inline const int fixed_seed = setenv("RC_PARAMS", "seed=20140 max_success=100", 0);

}  // namespace livi::test
