// SPDX-License-Identifier: MIT
#include "separable.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> of_separable_hamiltonians() {
  return {
      separable<ForgetsLateTimes>("forgets_late_times", "kicks at another time where |t| > 4", {"reach", "tiny steps"}),
      separable<EulerBeforeZero>("euler_before_zero", "another method for t < 0", {"symmetric", "tiny steps"}),
      separable<EulerInThePast>("euler_in_the_past", "another method for t < -3", {"reach", "tiny steps"}),
      separable<LopsidedInManyDimensions>("lopsided_in_many_dimensions", "kicks of 501/1000 for n > 3",
                                          {"reach", "tiny steps"}),
      separable<FrictionOfLargeMomenta>("friction_of_large_momenta", "friction of 1e-9 where |p| > 8",
                                        {"reach", "tiny steps"}),
      separable<AnotherDriveInDouble>("another_drive_in_double", "in double, another force where |t| > 8",
                                      {"number types"}),
      separable<HonestVerlet>("honest_verlet", "the method of Stoermer and Verlet", {}),
      separable<NineVerlets>("nine_verlets", "a composition of order four", {}),
  };
}

}  // namespace livi::deceivers
