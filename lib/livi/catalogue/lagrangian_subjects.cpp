// SPDX-License-Identifier: MIT
#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> lagrangian_subjects() {
  std::vector<NamedSubject> list;
  list.push_back(lagrangian("VariationalEulerGeneralized", []<class Lagrangian>(const Lagrangian& l) {
    return VariationalEulerGeneralized<Lagrangian>(l);
  }));
  return list;
}

}  // namespace livi
