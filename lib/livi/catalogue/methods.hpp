// SPDX-License-Identifier: MIT
//
// Every integrator of the library, compiled once. A method comes into this list by its block in a header of families/
// (method.hpp).
#pragma once

#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/catalogue/densities.hpp>
#include <livi/catalogue/method.hpp>
#include <livi/catalogue/simulation.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace livi {

struct NamedSubject;

/// The choices that a user has about a method.
struct MethodOptions : NewmarkOptions<double> {
  StepRule rule = StepRule::mean;
  DensityKind density = DensityKind::constant;
  double epsilon = 0;  ///< that of the density
};

/// A method of the catalogue.
struct MethodEntry : MethodInfo {
  SystemKind kind;
  /// Returns what it declares with these options, on a system of its kind.
  std::function<Properties(const Configuration& options)> declares;
  /// Returns its configurations before the judge; none where the battery knows no test for its kind.
  std::function<std::vector<NamedSubject>()> judged;
  /// Starts it on a problem that its kind allows; empty for methods of systems that are no Problem. Throws
  /// InvalidParameter, with the names of options of livi-simulate, for a density that it does not take.
  std::function<std::unique_ptr<Simulation>(const Problem& problem, const Vector<double, Dynamic>& q,
                                            const Vector<double, Dynamic>& v, double h, const MethodOptions& options)>
      start;
  std::string under_noise = {};  ///< what a stochastic method declares beside, in words
};

/// Returns all methods.
const std::vector<MethodEntry>& method_entries();
/// Returns those that start on a Problem: what livi-simulate knows.
const std::vector<MethodEntry>& simulated_methods();
/// Returns the headers of lib/livi/integrators that define no method: what methods have in common.
const std::vector<std::string>& machinery_headers();
/// Returns those of lib/livi/adaptive.
const std::vector<std::string>& adaptive_machinery_headers();
/// Returns those of lib/livi/stochastic.
const std::vector<std::string>& stochastic_machinery_headers();

}  // namespace livi
