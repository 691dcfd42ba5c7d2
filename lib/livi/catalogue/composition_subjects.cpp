// SPDX-License-Identifier: MIT
#include <livi/integrators/composition.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> composition_subjects() {
  std::vector<NamedSubject> list;
  for (const int order : {4, 6, 8})
    list.push_back(
        mechanical("Yoshida_" + std::to_string(order) + "_ZhangSkeel", [order]<class System>(const System& s) {
          return Composition(ZhangSkeel<System>(s), yoshida<ScalarOf<System>>(order));
        }));
  for (const int order : {4, 6})
    list.push_back(
        mechanical("Suzuki_" + std::to_string(order) + "_ZhangSkeel", [order]<class System>(const System& s) {
          return Composition(ZhangSkeel<System>(s), suzuki<ScalarOf<System>>(order));
        }));
  list.push_back(mechanical("Yoshida_4_VelocityVerlet", []<class System>(const System& s) {
    return Composition(VelocityVerlet<System>(s), yoshida<ScalarOf<System>>(4));
  }));
  return list;
}

}  // namespace livi
