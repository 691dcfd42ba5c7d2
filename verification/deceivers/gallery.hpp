// SPDX-License-Identifier: MIT
//
// The exhibits, room by room: each is compiled on its own.
#pragma once

#include "exhibit.hpp"

namespace livi::deceivers {

std::vector<Exhibit> with_hidden_state();
std::vector<Exhibit> with_branches();
std::vector<Exhibit> of_other_equations();
std::vector<Exhibit> with_false_declarations();
std::vector<Exhibit> that_fail();
std::vector<Exhibit> of_number_types();
std::vector<Exhibit> of_rigid_bodies();
std::vector<Exhibit> of_constrained_systems();
std::vector<Exhibit> of_separable_hamiltonians();
std::vector<Exhibit> in_places_seldom_visited();
std::vector<Exhibit> of_changing_steps();
std::vector<Exhibit> that_are_honest();

}  // namespace livi::deceivers
