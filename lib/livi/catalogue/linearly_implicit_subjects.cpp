// SPDX-License-Identifier: MIT
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/variational_stiff_zhang_skeel.hpp>
#include <livi/integrators/zhang_skeel.hpp>

#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> linearly_implicit_subjects() {
  std::vector<NamedSubject> list;
  list.push_back(mechanical("ZhangSkeel", []<class System>(const System& s) { return ZhangSkeel<System>(s); }));
  list.push_back(mechanical("ZhangSkeel_beta_0.4", []<class System>(const System& s) {
    return ZhangSkeel<System>(s, {ratio<ScalarOf<System>>(2, 5)});
  }));
  list.push_back(mechanical("ZhangSkeel_beta_0.1", []<class System>(const System& s) {
    return ZhangSkeel<System>(s, {ratio<ScalarOf<System>>(1, 10)});
  }));
  list.push_back(mechanical("SimplifiedZhangSkeel",
                            []<class System>(const System& s) { return SimplifiedZhangSkeel<System>(s); }));
  list.push_back(
      mechanical("StiffZhangSkeel", []<class System>(const System& s) { return StiffZhangSkeel<System>(s); }));
  list.push_back(mechanical("VariationalStiffZhangSkeel",
                            []<class System>(const System& s) { return VariationalStiffZhangSkeel<System>(s); }));
  return list;
}

}  // namespace livi
