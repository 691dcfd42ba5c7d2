// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/families/compositions.hpp>
#include <livi/catalogue/families/explicit.hpp>
#include <livi/catalogue/families/implicit.hpp>
#include <livi/catalogue/families/linearly_implicit.hpp>

namespace livi {

/// Returns all methods that run on mechanical systems, in the order of the catalogue.
inline auto mechanical_methods() {
  return std::tuple_cat(linearly_implicit_methods(), newmark_methods(), explicit_methods(), midpoint_methods(),
                        composition_methods(), runge_kutta_methods(), odeint_methods());
}

}  // namespace livi
