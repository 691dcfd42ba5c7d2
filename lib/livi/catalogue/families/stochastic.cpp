// SPDX-License-Identifier: MIT
//
// Methods and systems under noise, compiled once for each other.
#include <livi/catalogue/ensemble_of.hpp>
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/stochastic.hpp>
#include <livi/systems/stochastic_problems.hpp>

namespace livi {

namespace {

constexpr auto water_field = 0.3, water_noise = 0.5;

template <int N>
QuadraticNoise<double, N> of_size(const AnyNoise& noise) {
  QuadraticNoise<double, N> sized;
  for (const AnyNoise::Term& term : noise.terms) sized.terms.push_back({term.force, term.matrix});
  return sized;
}

/// Calls f with the problem of an entry.
template <class F>
auto on_problem(const StochasticSystemEntry& entry, const AnyNoise& noise, const F& f) {
  if (entry.name == "sphere-pendulum") return f(sphere_pendulum<double>(of_size<3>(noise)));
  if (entry.name == "cylinder-pendulum") return f(cylinder_pendulum<double>(of_size<3>(noise)));
  if (entry.name == "double-sphere-pendulum") return f(double_sphere_pendulum<double>(of_size<6>(noise)));
  if (entry.name == "plane-particle") return f(plane_particle<double>(Vector<double, 3>{0, 1, 0}, of_size<3>(noise)));
  const auto water = water_in_field<double>(water_field, water_noise);
  using Constraint = std::decay_t<decltype(water.system.constraint())>;
  using System =
      StochasticSystem<DiagonalMass<double, 9>, UniformField<double, 9>, Constraint, QuadraticNoise<double, 9>>;
  return f(StochasticProblem<System>{
      {water.system.mass(), water.system.potential(), water.system.constraint(), of_size<9>(noise)}, water.q, water.v});
}

template <class Make>
StochasticMethodEntry entry_of(const char* family, const Method<SystemKind::stochastic, Make>& method) {
  StochasticMethodEntry entry{method.info, {}, {}};
  entry.family = family;
  entry.folder = "stochastic";
  entry.declares = [method](const StochasticOptions& options) {
    const auto problem = sphere_pendulum<double>(QuadraticNoise<double, 3>{});
    return method.make(problem.system, options).declares_for_noise();
  };
  entry.start = [method](const StochasticSystemEntry& system, const AnyNoise& noise, const Vector<double, Dynamic>& q,
                         const Vector<double, Dynamic>& v, const StochasticOptions& options,
                         const EnsembleOptions& ensemble) {
    return on_problem(system, noise, [&](const auto& problem) -> std::unique_ptr<Ensemble> {
      using System = std::decay_t<decltype(problem.system)>;
      auto kept = std::make_shared<const System>(problem.system);
      auto made = method.make(*kept, options);
      return std::make_unique<EnsembleOf<decltype(made)>>(std::move(kept), std::move(made), q, v, ensemble);
    });
  };
  return entry;
}

std::string order_in_words(double order) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", order);
  return text;
}

}  // namespace

std::string orders_in_words(const StochasticProperties& declared) {
  std::string words;
  const auto add = [&](const std::string& name, double order) {
    if (!std::isnan(order)) words += (words.empty() ? "" : ", ") + name + order_in_words(order);
  };
  add("strong order ", declared.strong_order);
  if (declared.strong_order_for_constant_products > declared.strong_order)
    words += ", " + order_in_words(declared.strong_order_for_constant_products) + " for constant K_ij";
  add("weak order ", declared.weak_order);
  return words;
}

const std::vector<StochasticSystemEntry>& stochastic_systems() {
  using Start = std::pair<Vector<double, Dynamic>, Vector<double, Dynamic>>;
  const auto entry = [](const char* name, const char* description, const char* sizes, bool (*allows)(std::size_t),
                        const char* h, const char* noise) {
    SystemEntry system{.name = name,
                       .description = description,
                       .kinds = {SystemKind::stochastic},
                       .header = "stochastic_problems.hpp",
                       .allowed_sizes = sizes,
                       .allows_size = allows,
                       .h = h};
    system.parameters = {{"noise", "polynomials of degree 1 or 2", noise, "the noise potentials"}};
    return StochasticSystemEntry{system, noise};
  };
  static const std::vector<StochasticSystemEntry> entries = [&] {
    const auto three = [](std::size_t n) { return n == 3; };
    auto sphere = entry("sphere-pendulum", "a particle on the unit sphere, V = q3", "3 numbers", three, "0.05",
                        "0.5*q1,0.5*q2,0.5*q3");
    sphere.q = "0.6,0,-0.8";
    sphere.v = "0.4,1,0.3";
    auto cylinder = entry("cylinder-pendulum", "a particle on the cylinder q1^2 + q2^2 = 1, V = q1 q3 + q3^2/2",
                          "3 numbers", three, "0.05", "0.5*q3");
    cylinder.q = "0.6,0.8,0.3";
    cylinder.v = "-0.8,0.6,0.4";
    auto two = entry(
        "double-sphere-pendulum", "bobs of mass 1 and 2 on heavy rods of length 1 and 2 in space: a full mass matrix",
        "6 numbers (x, y, z of each bob)", [](std::size_t n) { return n == 6; }, "0.02", "0.5*q1,0.5*q5");
    two.make_start = [](const StartOptions&) -> Start {
      const auto problem = double_sphere_pendulum<double>(QuadraticNoise<double, 6>{});
      return {problem.q, problem.v};
    };
    two.start = "the rods along (3,0,-4) and (2,3,-6), both in motion";
    auto water = entry(
        "water-in-field", "a rigid molecule, TIP3P, with the charges -2, 1, 1 in a field of 0.3 along q3; oxygen first",
        "9 numbers (x, y, z of each atom)", [](std::size_t n) { return n == 9; }, "0.05",
        "0.5*q4+0.5*q7-1*q1,0.5*q5+0.5*q8-1*q2,0.5*q6+0.5*q9-1*q3");
    water.make_start = [](const StartOptions&) -> Start {
      const auto problem = water_in_field<double>(water_field, water_noise);
      return {problem.q, problem.v};
    };
    water.start = "turning with (0.1,0.2,0.05) about its oxygen";
    auto plane = entry("plane-particle", "a particle on the plane q3 = 0, V = q2: methods with I10 are exact",
                       "3 numbers", three, "0.05", "0.5*q1,0.5*q2");
    plane.q = "0,0,0";
    plane.v = "0.5,-0.25,0";
    return std::vector{sphere, cylinder, two, water, plane};
  }();
  return entries;
}

const std::vector<StochasticMethodEntry>& stochastic_methods() {
  static const std::vector<StochasticMethodEntry> entries = [] {
    std::vector<StochasticMethodEntry> list;
    const auto add = [&](const char* family, const auto& methods) {
      for_each_method_of(methods, [&](const auto& method) { list.push_back(entry_of(family, method)); });
    };
    add("Noise on constrained systems", stochastic_methods_of_the_library());
    add("Heat baths on constrained systems", langevin_methods_of_the_library());
    return list;
  }();
  return entries;
}

std::vector<MethodEntry> stochastic_entries() {
  std::vector<MethodEntry> entries;
  for (const StochasticMethodEntry& method : stochastic_methods()) {
    MethodEntry entry{method, SystemKind::stochastic, {}, {}, {}};
    entry.declares = [declares = method.declares](const Configuration&) { return declares({}).deterministic; };
    // livi::stochastic_battery judges those that take the integrals of paths.
    entry.judged = [] { return std::vector<NamedSubject>(); };
    entry.under_noise = orders_in_words(method.declares({}));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace livi
