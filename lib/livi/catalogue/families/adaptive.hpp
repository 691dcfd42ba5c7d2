// SPDX-License-Identifier: MIT
//
// Methods with adaptive steps. Their blocks are those of method.hpp, but for what makes them: `make(system, density,
// options)`, with a step density of a kind that `Make::densities` names, which a method without a density ignores.
#pragma once

#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/midpoint_energy_momentum.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/symplectic_energy_momentum.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/catalogue/method.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

namespace livi {

// The ways to make a method.
struct MakeHamiltonian {
  static constexpr StepDensities densities = StepDensities::of_position;
  StepParts parts;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density& density, const Options& options) const {
    return HamiltonianAdaptiveVerlet<System, Density>(system, density, parts, options.newton);
  }
};
struct MakeVariational {
  static constexpr StepDensities densities = StepDensities::of_position;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density& density, const Options& options) const {
    return VariationalAdaptiveVerlet<System, Density>(system, density, options.rule, PotentialWeight::time,
                                                      options.newton);
  }
};
struct MakeReversible {
  static constexpr StepDensities densities = StepDensities::of_state;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density& density, const Options& options) const {
    return ReversibleAdaptiveVerlet<System, Density>(system, density, options.newton);
  }
};
/// A method that takes no density: M(system, newton) or M(system).
template <template <class> class M>
struct MakeWithoutDensity {
  static constexpr StepDensities densities = StepDensities::none;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density&, const Options& options) const {
    if constexpr (std::is_constructible_v<M<System>, const System&, decltype(options.newton)>) {
      return M<System>(system, options.newton);
    } else {
      return M<System>(system);
    }
  }
};
/// Reversible steps of the method that `Inner` makes of its options.
template <class Inner>
struct MakeReversibleStepsOf {
  static constexpr StepDensities densities = StepDensities::of_state;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density& density, const Options& options) const {
    return ReversibleSteps(Inner()(system, options), density, options.newton);
  }
};
struct MakeExplicitSteps {
  static constexpr StepDensities densities = StepDensities::of_state;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density& density, const Options&) const {
    return ExplicitSteps(VelocityVerlet<System>(system), density);
  }
};
struct MakeIntegratedSteps {
  static constexpr StepDensities densities = StepDensities::of_position;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density& density, const Options&) const {
    return IntegratedSteps(VelocityVerlet<System>(system), density);
  }
};

/// A composition of the method that `Inner` makes: of one type, whichever scheme it has.
template <class Inner>
struct MakeComposition {
  static constexpr StepDensities densities = Inner::densities;
  Inner inner;
  bool suzuki_fractal;
  int order;
  template <class System, class Density, class Options>
  auto operator()(const System& system, const Density& density, const Options& options) const {
    using S = ScalarOf<System>;
    return Composition(inner(system, density, options), suzuki_fractal ? suzuki<S>(order) : yoshida<S>(order));
  }
};

/// Whether what a way makes is for potentials W < 0 only.
template <class Make>
inline constexpr bool needs_negative_potential = false;
template <>
inline constexpr bool needs_negative_potential<MakeWithoutDensity<LogarithmicHamiltonian>> = true;
template <class Inner>
inline constexpr bool needs_negative_potential<MakeComposition<Inner>> = needs_negative_potential<Inner>;

inline const Parameter density_of_position{"density", "one of the position", "that of the system", "step density"};
inline const Parameter density_of_state{"density", "any", "that of the system", "step density"};
inline const Parameter density_epsilon{"epsilon", ">= 0", "that of the system",
                                       "bounds the step where the density has it"};
inline const Parameter step_rule{"rule", "mean, midpoint or start", "mean", "where sigma of a step is taken"};
inline const Parameter symmetric_step_rule{"rule", "mean or midpoint", "mean", "where sigma of a step is taken"};
inline const Parameter potential_weight{"weight", "time or density", "time", "how W enters the discrete Lagrangian"};

/// Returns what the catalogue says of a method of lib/livi/adaptive.
inline MethodInfo adaptive_info(const char* name, const char* type, const char* header, const char* sentence,
                                const char* equation, std::vector<Parameter> options) {
  return {.name = name,
          .type = type,
          .header = header,
          .sentence = sentence,
          .equation = equation,
          .options = std::move(options),
          .folder = "adaptive"};
}

/// The methods that are Stoermer-Verlet in a time of its own.
inline auto adaptive_verlet_methods() {
  constexpr auto mechanical = SystemKind::mechanical;
  const std::vector<Parameter> of_newton{density_of_position, density_epsilon, newton_tolerance, newton_iterations};
  const char* const quadratic = "kick, drift, kick of sigma (H - E0), with a quadratic equation and one for sigma'";
  return std::tuple{
      method<mechanical>(
          adaptive_info("hamiltonian-adaptive-verlet", "HamiltonianAdaptiveVerlet", "hamiltonian_adaptive_verlet.hpp",
                        "For steps that follow the position and long runs: symplectic in extended phase space.",
                        quadratic, of_newton),
          MakeHamiltonian{StepParts::kick_drift_kick}),
      method<mechanical>(adaptive_info("hamiltonian-adaptive-verlet-dkd", "HamiltonianAdaptiveVerlet, drift-kick-drift",
                                       "hamiltonian_adaptive_verlet.hpp",
                                       "Drifts at both ends of the step instead of kicks: symplectic, too.",
                                       "drift, kick, drift of sigma (H - E0)", of_newton),
                         MakeHamiltonian{StepParts::drift_kick_drift}),
      method<mechanical>(
          adaptive_info(
              "variational-adaptive-verlet", "VariationalAdaptiveVerlet", "variational_adaptive_verlet.hpp",
              "The step as a constraint of the action, by a multiplier: symplectic; it solves for two "
              "numbers.",
              "stationary L_d + lambda (dt - h sigma), L_d that of Verlet",
              {density_of_position, density_epsilon, step_rule, newton_tolerance, newton_iterations, potential_weight}),
          MakeVariational{}),
      method<mechanical>(
          adaptive_info("reversible-adaptive-verlet", "ReversibleAdaptiveVerlet", "reversible_adaptive_verlet.hpp",
                        "For steps that follow the velocity, too: reversible, not symplectic.",
                        "s = sigma(q, v''); kick by h/2 s, drift by h/2 (s + s'), kick by h/2 s'",
                        {density_of_state, density_epsilon, newton_tolerance, newton_iterations}),
          MakeReversible{})};
}

/// The methods that choose their steps without a density.
inline auto methods_without_density() {
  constexpr auto mechanical = SystemKind::mechanical;
  return std::tuple{
      method<mechanical>(
          adaptive_info(
              "symplectic-energy-momentum", "SymplecticEnergyMomentum", "symplectic_energy_momentum.hpp",
              "Keeps its discrete energy by the choice of dt: h is the first step. Ends in every oscillation of one "
              "degree of freedom about a minimum, and on Kepler's ellipses beyond e = 0.395.",
              "Verlet with dt such that -dL_d/d(dt) stays what it was", {newton_tolerance, newton_iterations}),
          MakeWithoutDensity<SymplecticEnergyMomentum>{}),
      method<mechanical>(
          adaptive_info("midpoint-energy-momentum", "MidpointEnergyMomentum", "midpoint_energy_momentum.hpp",
                        "Keeps that of the midpoint rule, for which there is a step wherever W is convex.",
                        "midpoint rule with dt such that -dL_d/d(dt) stays what it was",
                        {newton_tolerance, newton_iterations}),
          MakeWithoutDensity<MidpointEnergyMomentum>{}),
      method<mechanical>(
          adaptive_info("logarithmic-hamiltonian", "LogarithmicHamiltonian", "logarithmic_hamiltonian.hpp",
                        "For close encounters under gravity, W < 0: explicit and symplectic.",
                        "drift by dt = h/2 / (K - E0), kick by h / -W, drift", {}),
          MakeWithoutDensity<LogarithmicHamiltonian>{})};
}

/// The combinators, of the methods for mechanical systems that one would put into them.
inline auto controlled_methods() {
  constexpr auto mechanical = SystemKind::mechanical;
  const std::vector<Parameter> of_newton{density_of_state, density_epsilon, newton_tolerance, newton_iterations};
  const char* const mean = "dt = h (sigma + sigma')/2";
  return std::tuple{
      method<mechanical>(adaptive_info("explicit-steps-velocity-verlet", "ExplicitSteps, VelocityVerlet",
                                       "step_control.hpp", "What one does first: neither symplectic nor reversible.",
                                       "Verlet with dt = h sigma", {density_of_state, density_epsilon}),
                         MakeExplicitSteps{}),
      method<mechanical>(
          adaptive_info("integrated-steps-velocity-verlet", "IntegratedSteps, VelocityVerlet", "step_control.hpp",
                        "Explicit and reversible: 1/sigma is integrated beside the motion.",
                        "z'' = z - h/2 d(log sigma)/dt, Verlet with dt = h/z'', z' = z'' - h/2 d(log sigma)'/dt",
                        {density_of_position, density_epsilon}),
          MakeIntegratedSteps{}),
      method<mechanical>(
          adaptive_info("reversible-steps-velocity-verlet", "ReversibleSteps, VelocityVerlet", "step_control.hpp",
                        "Reversible steps of any symmetric method, here Verlet.", mean, of_newton),
          MakeReversibleStepsOf<Plain<VelocityVerlet>>{}),
      method<mechanical>(
          adaptive_info("reversible-steps-zhang-skeel", "ReversibleSteps, ZhangSkeel", "step_control.hpp",
                        "For stiff springs: reversible steps of Z&S.", mean,
                        {density_of_state, density_epsilon, newmark_beta, newton_tolerance, newton_iterations}),
          MakeReversibleStepsOf<WithBeta<ZhangSkeel>>{})};
}

/// Returns the compositions of order four and six of one method: Yoshida's, and Suzuki's of order four, whose steps are shorter.
template <class Inner>
auto compositions_of(const std::string& method_name, const std::string& words, const std::vector<Parameter>& options,
                     const Inner& inner) {
  const auto entry = [&](const std::string& scheme, const std::string& sentence, bool suzuki_fractal, int order) {
    return method<SystemKind::mechanical>(MethodInfo{.name = scheme + "-" + method_name,
                                                     .type = "Composition",
                                                     .header = "composition.hpp",
                                                     .sentence = sentence + " of " + words + ".",
                                                     .options = options},
                                          MakeComposition<Inner>{inner, suzuki_fractal, order});
  };
  return std::tuple{entry("yoshida-4", "Order four in 3 steps", false, 4),
                    entry("suzuki-4", "Order four in 5 shorter steps", true, 4),
                    entry("yoshida-6", "Order six in 9 steps", false, 6)};
}

/// The compositions of the symmetric methods above, in the fictitious time.
inline auto composed_adaptive_methods() {
  const std::vector<Parameter> of_newton{density_of_position, density_epsilon, newton_tolerance, newton_iterations};
  return std::tuple_cat(
      compositions_of("hamiltonian-adaptive-verlet", "the Hamiltonian adaptive Verlet method", of_newton,
                      MakeHamiltonian{StepParts::kick_drift_kick}),
      compositions_of("variational-adaptive-verlet", "the variational adaptive Verlet method",
                      {density_of_position, density_epsilon, symmetric_step_rule, newton_tolerance, newton_iterations},
                      MakeVariational{}),
      compositions_of("reversible-adaptive-verlet", "the reversible adaptive Verlet method",
                      {density_of_state, density_epsilon, newton_tolerance, newton_iterations}, MakeReversible{}),
      compositions_of("integrated-steps-velocity-verlet", "the explicit, reversible steps of Verlet",
                      {density_of_position, density_epsilon}, MakeIntegratedSteps{}),
      compositions_of("logarithmic-hamiltonian", "the logarithmic Hamiltonian, for close encounters", {},
                      MakeWithoutDensity<LogarithmicHamiltonian>{}));
}

/// The combinators, of methods for constraints.
inline auto controlled_constrained_methods() {
  return std::tuple{method<SystemKind::constrained>(
      adaptive_info("reversible-steps-rattle", "ReversibleSteps, Rattle", "step_control.hpp",
                    "For rigid bonds and joints: reversible steps of RATTLE.", "dt = h (sigma + sigma')/2",
                    {density_of_state, density_epsilon, newton_tolerance, newton_iterations}),
      MakeReversibleStepsOf<WithNewton<Rattle>>{})};
}

}  // namespace livi
