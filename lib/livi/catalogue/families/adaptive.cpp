// SPDX-License-Identifier: MIT
//
// Methods with adaptive steps, compiled once for each type of a Problem's systems: densities are known at run time.
#include <livi/catalogue/adaptive_simulation.hpp>
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/adaptive.hpp>

namespace livi {

namespace {

/// Starts a method on a system with the density of the options.
template <class Make, class System>
std::unique_ptr<Simulation> start_on(const MethodInfo& info, const Make& make, const System& system,
                                     const Vector<double, Dynamic>& q, const Vector<double, Dynamic>& v, double h,
                                     const MethodOptions& options) {
  const auto started = [&](const auto& density) -> std::unique_ptr<Simulation> {
    auto made = make(system, density, options);
    return std::make_unique<AdaptiveSimulationOf<decltype(made)>>(std::move(made), q, v, h);
  };
  if constexpr (needs_negative_potential<Make>) {
    const double w = system.potential().value(q);
    if (!(w < 0)) throw InvalidParameter("W at --q", w, "must be < 0 for " + info.name + ", which takes its logarithm");
  }
  if constexpr (Make::densities == StepDensities::none) {
    return started(ConstantDensity<System>{});
  } else {
    const DensityEntry& entry = density_entry(options.density);
    if constexpr (Make::densities == StepDensities::of_state) {
      if (entry.of_state) return started(make_state_density(entry.kind, system, options.epsilon));
    }
    if (entry.of_state)
      throw InvalidParameter("--density", entry.name,
                             "depends on the velocity; " + info.name + " needs a density of the position");
    return started(make_position_density(entry.kind, system, system.energy(q, v), options.epsilon));
  }
}

template <SystemKind Kind, class Make>
MethodEntry adaptive_entry(const Method<Kind, Make>& method) {
  MethodEntry entry{method.info, Kind, {}, {}, {}};
  entry.family = "Adaptive steps";
  entry.adaptive = true;
  entry.densities = Make::densities;
  entry.declares = [method](const Configuration& configuration) {
    const auto of = [&](const auto& system) {
      using System = std::decay_t<decltype(system)>;
      return method.make(system, ConstantDensity<System>{}, MethodOptions{{configuration.options<double>()}})
          .declares();
    };
    const SystemOptions options{.omega = 1, .constrained = Kind == SystemKind::constrained, .mass = {1}};
    const Problem problem = make_problem(simulated_systems().front(), 4, options);
    if constexpr (Kind == SystemKind::constrained) {
      return of(*problem.constrained);
    } else {
      return of(*problem.mechanical);
    }
  };
  // These subjects are of methods with constant steps; those here go through livi::adaptive_battery.
  entry.judged = [] { return std::vector<NamedSubject>(); };
  entry.start = [method](const Problem& problem, const auto& q, const auto& v, double h,
                         const MethodOptions& options) -> std::unique_ptr<Simulation> {
    const auto on_system = [&](const auto& system) {
      return start_on(method.info, method.make, system, q, v, h, options);
    };
    if constexpr (Kind == SystemKind::constrained) {
      return on_system(*problem.constrained);
    } else {
      return problem.on_unconstrained(on_system);
    }
  };
  return entry;
}

}  // namespace

std::vector<MethodEntry> adaptive_entries() {
  std::vector<MethodEntry> entries;
  const auto add = [&](const auto& method) { entries.push_back(adaptive_entry(method)); };
  for_each_method_of(adaptive_verlet_methods(), add);
  for_each_method_of(methods_without_density(), add);
  for_each_method_of(composed_adaptive_methods(), add);
  for_each_method_of(controlled_methods(), add);
  for_each_method_of(controlled_constrained_methods(), add);
  return entries;
}

}  // namespace livi
