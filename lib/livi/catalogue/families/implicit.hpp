// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/pushforward_newmark.hpp>

namespace livi {

inline auto newmark_methods() {
  // The configurations of one iteration are every reading of "one iteration of the nonlinear solve".
  using enum NewmarkGuess;
  using enum NewmarkAcceleration;
  return std::tuple{
      method<SystemKind::mechanical>(
          {.name = "newmark",
           .type = "Newmark",
           .header = "newmark.hpp",
           .sentence = "The implicit method of structural mechanics: symplectic after a map, if it is solved.",
           .equation = "q' = q + h v + h^2 ((1/2 - beta) a + beta a'); v' = v + h ((1 - gamma) a + gamma a')",
           .options = {newmark_beta, newton_tolerance, newton_iterations, newmark_gamma, fixed_iterations},
           .subjects =
               {{"Newmark"},
                {"Newmark_beta_0.4", {2, 5}},
                {"Newmark_gamma_0.6", {2, 5}, {3, 5}},
                {"Newmark_one_iteration_last_position_recomputed", {2, 5}, {1, 2}, last_position, recomputed, 1},
                {"Newmark_one_iteration_last_position_carried", {2, 5}, {1, 2}, last_position, carried, 1},
                {"Newmark_one_iteration_ballistic_recomputed", {2, 5}, {1, 2}, ballistic, recomputed, 1},
                {"Newmark_one_iteration_ballistic_carried", {2, 5}, {1, 2}, ballistic, carried, 1},
                {"Newmark_one_iteration_zero_acceleration_recomputed",
                 {2, 5},
                 {1, 2},
                 zero_acceleration,
                 recomputed,
                 1},
                {"Newmark_one_iteration_zero_acceleration_carried", {2, 5}, {1, 2}, zero_acceleration, carried, 1},
                {"Newmark_one_iteration_constant_acceleration_recomputed",
                 {2, 5},
                 {1, 2},
                 constant_acceleration,
                 recomputed,
                 1},
                {"Newmark_one_iteration_constant_acceleration_carried",
                 {2, 5},
                 {1, 2},
                 constant_acceleration,
                 carried,
                 1}}},
          []<class System>(const System& system, const NewmarkOptions<ScalarOf<System>>& options) {
            return Newmark<System>(system, options);
          }),
      method<SystemKind::mechanical>(
          {.name = "pushforward-newmark",
           .type = "PushforwardNewmark",
           .header = "pushforward_newmark.hpp",
           .sentence = "Newmark's method in the coordinates in which it is symplectic.",
           .equation = "M a = -grad V(x + beta h^2 a); kick, drift, kick with a",
           .options = {newmark_beta, newton_tolerance, newton_iterations, fixed_iterations},
           .subjects = {{"PushforwardNewmark"}}},
          []<class System>(const System& system, const NewmarkOptions<ScalarOf<System>>& options) {
            return PushforwardNewmark<System>(system, {.beta = options.beta, .newton = options.newton});
          })};
}

inline auto midpoint_methods() {
  return std::tuple{method<SystemKind::mechanical>(
      {.name = "implicit-midpoint",
       .type = "ImplicitMidpoint",
       .header = "implicit_midpoint.hpp",
       .sentence = "The symplectic method for any Hamiltonian, here for mechanical ones: solved by Newton's method.",
       .equation = "m = (q + q')/2; v' = v - h M^-1 grad V(m)",
       .options = {newton_tolerance, newton_iterations, fixed_iterations},
       .subjects = {{"ImplicitMidpoint"}, {.subject = "ImplicitMidpoint_one_iteration", .fixed_iterations = 1}}},
      WithNewton<ImplicitMidpoint>())};
}

}  // namespace livi
