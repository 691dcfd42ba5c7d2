// SPDX-License-Identifier: MIT
#include "declarations.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> with_false_declarations() {
  return {
      deceiver<HidesSymplecticity>("hides_symplecticity", "it is symplectic", {"symplectic"}),
      deceiver<HidesAngularMomentum>("hides_angular_momentum", "it conserves angular momentum", {"angular momentum"}),
      deceiver<DeclaresAMemoryItHasNot>("declares_a_memory_it_has_not", "it has no memory", {"memory"}),
      deceiver<StableUpToTooMuch>("stable_up_to_too_much", "its limit is 2", {"linear stability"}),
      deceiver<StableUpToALittleTooMuch>("stable_up_to_a_little_too_much", "its limit is smaller by 1e-9",
                                         {"linear stability"}),
      deceiver<HeunWithALimit>("heun_with_a_limit", "it is never stable", {"linear stability"}),
      deceiver<NarrowResonances>("narrow_resonances", "windows of instability of relative width 1e-4",
                                 {"linear stability"}),
      deceiver<NarrowWindow>("narrow_window", "grows for 1.0050 < h < 1.0060",
                             {"linear stability", "certificate", "reach"}),
      deceiver<UnconditionalUpToABound>("unconditional_up_to_a_bound", "unstable beyond h = 20000",
                                        {"linear stability", "certificate"}),
      deceiver<OneGradientMore>("one_gradient_more", "two gradients, one declared", {"cost"}),
      deceiver<OneGradientMoreNowAndThen>("one_gradient_more_now_and_then", "a gradient every 32 steps", {"cost"}),
      deceiver<SolveNotMade>("solve_not_made", "no linear solve is made", {"cost"}),
      deceiver<MapToZero>("map_to_zero", "its map has no inverse", {"canonical map", "conjugate symplectic"}),
      deceiver<MapTooSmall>("map_too_small", "its map is 1e-50 q", {"canonical map", "conjugate symplectic"}),
      deceiver<MapThatDependsOnTheStep>("map_that_depends_on_the_step", "its map is h^512 q",
                                        {"canonical map", "conjugate symplectic"}),
      deceiver<MapWithoutDerivative>("map_without_derivative", "its map is constant on every rounding",
                                     {"canonical map", "conjugate symplectic"}),
      deceiver<MapThatDependsOnTheMass>("map_that_depends_on_the_mass", "its map is zero where it must not be",
                                        {"canonical map", "conjugate symplectic"}),
  };
}

}  // namespace livi::deceivers
