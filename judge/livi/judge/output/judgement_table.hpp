// SPDX-License-Identifier: MIT
//
// A judgement as a table for a terminal.
#pragma once

#include <string>

#include <livi/judge/rows/judgement.hpp>

namespace livi {

/// Returns the judgement as a table for a terminal.
std::string judgement_table(const Judgement& judgement);

}  // namespace livi
