// SPDX-License-Identifier: MIT
//
// The rows, controls and tests of the battery, whose headers are in battery/.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <livi/claims/battery.hpp>
#include <livi/claims/battery/canonical_maps.hpp>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/rows.hpp>
#include <livi/claims/battery/step_statements.hpp>
#include <livi/claims/battery/tests.hpp>
