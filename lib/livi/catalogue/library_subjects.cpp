// SPDX-License-Identifier: MIT
#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> library_subjects() {
  std::vector<NamedSubject> all;
  for (auto make : {explicit_subjects, linearly_implicit_subjects, newmark_subjects, composition_subjects,
                    constrained_subjects, lagrangian_subjects, body_subjects})
    for (NamedSubject& subject : make()) all.push_back(std::move(subject));
  return all;
}

}  // namespace livi
