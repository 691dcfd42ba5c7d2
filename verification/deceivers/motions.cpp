// SPDX-License-Identifier: MIT
#include "motions.hpp"
#include "exhibit.hpp"

namespace livi {

template class MechanicalSubject<deceivers::AnyFactory<deceivers::PlainState>>;
template class MechanicalSubject<deceivers::AnyFactory<deceivers::SavedState>>;
template class MechanicalSubject<deceivers::AnyFactory<deceivers::ForgetfulState>>;

namespace deceivers {
LIVI_MOTIONS_IN(, double)
LIVI_MOTIONS_IN(, Float50)
LIVI_MOTIONS_IN(, Dual<Float50>)
LIVI_MOTIONS_IN(, Dual<Residue>)
}  // namespace deceivers

}  // namespace livi
