// SPDX-License-Identifier: MIT
#include "other_equations.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> of_other_equations() {
  const std::vector<std::string> orders{"order of q", "order of p", "exact order"};
  return {
      deceiver<ForceTooLargeBy1e8>("force_too_large_by_1e8", "the force times 1 + 1e-8", orders),
      deceiver<ForceTooLargeBy1e12>("force_too_large_by_1e12", "the force times 1 + 1e-12", orders),
      deceiver<ThirdInFloat>("third_in_float", "a constant typed in float", orders),
      deceiver<TermOfTheMass>("term_of_the_mass", "a term that vanishes for the masses of all fixed problems",
                              {"tiny steps", "reach"}),
      deceiver<MemoryHidesAForce, SavedState>("memory_hides_a_force", "the force times 1 + 1e-9, and a memory",
                                              {"tiny steps", "exact order"}),
      deceiver<SlightFriction>("slight_friction", "friction of 1e-9", {"symplectic", "certificate"}),
      deceiver<VanishingFriction>("vanishing_friction", "friction of 1e-30", {"symplectic", "certificate"}),
      deceiver<ForceDependsOnTime, SavedState>("force_depends_on_time", "the force times 1 + t/1e10",
                                               {"memory", "order of q", "order of p"}),
      deceiver<VanishingField>("vanishing_field", "a uniform field of 1e-20", {"linear momentum", "certificate"}),
      deceiver<UnequalAxes>("unequal_axes", "one coordinate drifts too far by 1e-12",
                            {"angular momentum", "certificate", "order of q", "exact order"}),
      deceiver<OneAndOneHalfExchanged>("one_and_one_half_exchanged", "1 and 1/2 of velocity Verlet", orders),
      deceiver<VelocityOfOrderOne>("velocity_of_order_one", "the second kick with the first force", orders),
      deceiver<SuzukiYoshidaOfOrderTwo>("suzuki_yoshida_of_order_two", "weights whose cubes do not cancel", orders),
      deceiver<YoshidaWithTenDigits>("yoshida_with_ten_digits", "order two with a constant of 1e-10", orders),
      deceiver<EighthOrderThatDoesNotAdvance>("eighth_order_that_does_not_advance", "fractions that add up to 0.2",
                                              orders),
      deceiver<KickAndDriftExchanged>("kick_and_drift_exchanged", "the roles of two tables", orders),
      deceiver<DeclaresOrderFour>("declares_order_four", "a method of order two", orders),
  };
}

}  // namespace livi::deceivers
