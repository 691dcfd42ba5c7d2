// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>

namespace livi {

namespace {

using Family = std::vector<MethodEntry> (*)();

template <std::size_t N>
std::vector<MethodEntry> all_of(const Family (&families)[N]) {
  std::vector<MethodEntry> all;
  for (const Family family : families)
    for (MethodEntry& entry : family()) all.push_back(std::move(entry));
  return all;
}

}  // namespace

const std::vector<MethodEntry>& method_entries() {
  static const std::vector<MethodEntry> all =
      all_of({linearly_implicit_entries, newmark_entries, explicit_entries, midpoint_entries, constrained_entries,
              composition_entries, runge_kutta_entries, odeint_entries, lagrangian_entries, body_entries,
              matrix_entries, frame_entries, adaptive_entries, stochastic_entries});
  return all;
}

const std::vector<MethodEntry>& simulated_methods() {
  static const std::vector<MethodEntry> simulated = [] {
    std::vector<MethodEntry> list;
    for (const MethodEntry& entry : method_entries())
      if (entry.start) list.push_back(entry);
    return list;
  }();
  return simulated;
}

std::vector<NamedSubject> library_subjects() {
  std::vector<NamedSubject> all;
  // In the order of the reports.
  for (const MethodEntry& entry :
       all_of({explicit_entries, runge_kutta_entries, odeint_entries, linearly_implicit_entries, newmark_entries,
               midpoint_entries, composition_entries, constrained_entries, lagrangian_entries, body_entries}))
    for (NamedSubject& subject : entry.judged()) all.push_back(std::move(subject));
  return all;
}

const std::vector<std::string>& machinery_headers() {
  static const std::vector<std::string> headers{
      "body_step.hpp",                // the state of rigid bodies, and their equation
      "discrete_euler_poincare.hpp",  // the free motion of rigid bodies
      "implicit_position.hpp",        // the equation of Newmark's kind
      "integrator.hpp",               // what an integrator is
      "multiplier_solve.hpp",         // the equations of SHAKE and RATTLE
      "neighbour_sweep.hpp",          // Z&S on chains in one pass
      "newmark_stability.hpp",        // limits of h omega
  };
  return headers;
}

const std::vector<std::string>& adaptive_machinery_headers() {
  static const std::vector<std::string> headers{
      "adaptive_step.hpp",  // what methods with adaptive steps have in common
      "any_density.hpp",    // densities that are known at run time
      "step_density.hpp",   // the densities
  };
  return headers;
}

const std::vector<std::string>& stochastic_machinery_headers() {
  static const std::vector<std::string> headers{
      "brownian_path.hpp",        // stored paths
      "brownian_products.hpp",    // products of their noises
      "brownian_steps.hpp",       // paths step by step
      "noise_integrals.hpp",      // what a step gets of the noise
      "noise_products.hpp",       // the products K_ij
      "ornstein_uhlenbeck.hpp",   // the flow of a heat bath
      "partitioned_tableau.hpp",  // tableaux
      "path_covariance.hpp",      // the covariance of the noises within a step
      "run_along.hpp",            // a method along a path
  };
  return headers;
}

}  // namespace livi
