// SPDX-License-Identifier: MIT
//
// What makes entries of the catalogue from the methods of a family; for its sources only. Each family is compiled in a
// file of families/: on the battery's systems in all numbers, and in double on those of livi-simulate.
#pragma once

#include <livi/catalogue/library_subjects.hpp>
#include <livi/catalogue/methods.hpp>
#include <livi/systems/penalised_body.hpp>

namespace livi {

// The families. Each is defined in a source of families/.
std::vector<MethodEntry> linearly_implicit_entries();
std::vector<MethodEntry> newmark_entries();
std::vector<MethodEntry> midpoint_entries();
std::vector<MethodEntry> explicit_entries();
std::vector<MethodEntry> runge_kutta_entries();
std::vector<MethodEntry> odeint_entries();
std::vector<MethodEntry> composition_entries();
std::vector<MethodEntry> constrained_entries();
std::vector<MethodEntry> lagrangian_entries();
std::vector<MethodEntry> body_entries();
std::vector<MethodEntry> matrix_entries();
std::vector<MethodEntry> frame_entries();
std::vector<MethodEntry> adaptive_entries();
std::vector<MethodEntry> stochastic_entries();

/// A method with its options chosen: a factory for subjects.
template <class Make>
struct Configured {
  Make make;
  Configuration configuration;
  template <class System>
  auto operator()(const System& system) const {
    return make(system, configuration.options<typename System::scalar_type>());
  }
};

/// Makes the entry of a method.
template <SystemKind Kind, class Make>
MethodEntry entry_of(const char* family, const Method<Kind, Make>& method) {
  MethodEntry entry{method.info, Kind, {}, {}, {}};
  entry.family = family;
  const auto judge = [&]<class ToJudge>(ToJudge to_judge) {
    entry.judged = [method, to_judge] {
      std::vector<NamedSubject> list;
      for (const Configuration& configuration : method.info.subjects)
        list.push_back(to_judge(configuration.subject, Configured<Make>{method.make, configuration}));
      return list;
    };
    entry.declares = [method, to_judge](const Configuration& options) {
      return to_judge("", Configured<Make>{method.make, options}).subject->declares();
    };
  };
  const auto start_on = [&](auto on_system) {
    entry.start = [method, on_system](const Problem& problem, const auto& q, const auto& v, double h,
                                      const MethodOptions& options) -> std::unique_ptr<Simulation> {
      return on_system(problem, [&](const auto& system) -> std::unique_ptr<Simulation> {
        auto made = method.make(system, options);
        return std::make_unique<SimulationOf<decltype(made)>>(std::move(made), q, v, h);
      });
    };
  };
  if constexpr (Method<Kind, Make>::mechanical) {
    judge([](const auto& name, auto factory) { return mechanical(name, factory); });
    start_on([](const Problem& problem, const auto& f) { return problem.on_unconstrained(f); });
  } else if constexpr (Kind == SystemKind::constrained) {
    judge([](const auto& name, auto factory) { return constrained(name, factory); });
    start_on([](const Problem& problem, const auto& f) { return f(*problem.constrained); });
  } else if constexpr (Kind == SystemKind::lagrangian) {
    judge([](const auto& name, auto factory) { return lagrangian(name, factory); });
  } else if constexpr (Kind == SystemKind::rigid_body) {
    judge([](const auto& name, auto factory) { return rigid_body(name, factory); });
  } else {
    entry.judged = [] { return std::vector<NamedSubject>(); };
    entry.declares = [method](const Configuration& options) {
      const auto system = [] {
        if constexpr (Kind == SystemKind::rotation_matrix) {
          return penalised_body<double>(1, 10);
        } else {
          return penalised(double_pendulum<double>(), 20.0);
        }
      }();
      return method.make(system, options.options<double>()).declares();
    };
  }
  return entry;
}

/// Makes the entries of a family.
template <class Methods>
std::vector<MethodEntry> entries_of(const char* family, const Methods& methods) {
  std::vector<MethodEntry> entries;
  for_each_method_of(methods, [&](const auto& method) { entries.push_back(entry_of(family, method)); });
  return entries;
}

}  // namespace livi
