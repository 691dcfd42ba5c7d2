// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/explicit.hpp>

namespace livi {

std::vector<MethodEntry> explicit_entries() { return entries_of("Explicit", explicit_methods()); }
std::vector<MethodEntry> runge_kutta_entries() { return entries_of("Not geometric", runge_kutta_methods()); }
std::vector<MethodEntry> odeint_entries() { return entries_of("Boost.Odeint", odeint_methods()); }

}  // namespace livi
