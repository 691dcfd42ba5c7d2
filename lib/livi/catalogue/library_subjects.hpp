// SPDX-License-Identifier: MIT
//
// Every integrator of the library, in the configurations that the reports and tests speak of, as Subjects of the
// battery.
#pragma once

#include <livi/claims/battery.hpp>
#include <memory>
#include <string>
#include <vector>

namespace livi {

struct NamedSubject {
  std::string name;  ///< letters, digits and '_': also a test's name
  std::unique_ptr<Subject> subject;
};

/// Returns the integrators, in the order of the reports. Each should confirm all that it declares.
std::vector<NamedSubject> library_subjects();

template <class Factory>
NamedSubject mechanical(const std::string& name, Factory factory) {
  return {name, std::make_unique<MechanicalSubject<Factory>>(std::move(factory))};
}
template <class Factory>
NamedSubject constrained(const std::string& name, Factory factory) {
  return {name, std::make_unique<ConstrainedSubject<Factory>>(std::move(factory))};
}
template <class Factory>
NamedSubject lagrangian(const std::string& name, Factory factory) {
  return {name, std::make_unique<LagrangianSubject<Factory>>(std::move(factory))};
}

template <class Factory>
NamedSubject rigid_body(const std::string& name, Factory factory) {
  return {name, std::make_unique<BodySubject<Factory>>(std::move(factory))};
}

}  // namespace livi
