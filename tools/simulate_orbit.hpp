// SPDX-License-Identifier: MIT
//
// A run of livi-simulate without noise: one orbit.
#pragma once

#include <livi/trajectory/checkpoint.hpp>

#include <optional>

#include "simulate_run.hpp"
#include "simulate_settings.hpp"

namespace livi {

/// Runs, or continues what was `resumed`, writes rows and checkpoints and returns the exit status.
int run_orbit(Settings settings, Files files, std::optional<Checkpoint> resumed);

}  // namespace livi
