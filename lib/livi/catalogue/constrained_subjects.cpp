// SPDX-License-Identifier: MIT
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>

#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> constrained_subjects() {
  std::vector<NamedSubject> list;
  list.push_back(constrained("Shake", []<class System>(const System& s) { return Shake<System>(s); }));
  list.push_back(constrained("Rattle", []<class System>(const System& s) { return Rattle<System>(s); }));
  return list;
}

}  // namespace livi
