// SPDX-License-Identifier: MIT
//
// Methods for constrained systems under noise, and for such systems in a heat bath. Their blocks are those of method.hpp, but for
// the options that `make(system, options)` gets, StochasticOptions.
#pragma once

#include <livi/catalogue/ensemble.hpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/constrained_langevin.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>

namespace livi {

// The ways to make a method.
struct MakeStochasticRattle {
  template <class System>
  auto operator()(const System& system, const StochasticOptions& options) const {
    return StochasticRattle<System>(system, options.weights, options.newton);
  }
};
struct MakeVariationalEuler {
  EulerForce force;
  template <class System>
  auto operator()(const System& system, const StochasticOptions& options) const {
    return ConstrainedVariationalEuler<System>(system, force, VelocityProjection::after_step, options.newton);
  }
};
struct MakeConstrainedRungeKutta {
  template <class System>
  auto operator()(const System& system, const StochasticOptions& options) const {
    return ConstrainedPartitionedRungeKutta<System>(system, lobatto<ScalarOf<System>>(options.stages), options.weights,
                                                    TableauCondition::condition_2_1, options.newton);
  }
};
/// M(system, covariance, newton).
template <template <class> class M>
struct MakeWithCovariance {
  template <class System>
  auto operator()(const System& system, const StochasticOptions& options) const {
    return M<System>(system, options.covariance, options.newton);
  }
};
struct MakeConstrainedObabo {
  template <class System>
  auto operator()(const System& system, const StochasticOptions& options) const {
    return ConstrainedObabo<System>(system, bath_of(options), NormalNumbers(), options.newton);
  }
  static Bath<double> bath_of(const StochasticOptions& options) {
    return {options.friction, 1 / options.temperature, Friction::momentum};
  }
};
struct MakeGeodesicBaoab {
  template <class System>
  auto operator()(const System& system, const StochasticOptions& options) const {
    return GeodesicBaoab<System>(system, MakeConstrainedObabo::bath_of(options), NormalNumbers(),
                                 options.geodesic_steps, options.newton);
  }
};

inline auto stochastic_methods_of_the_library() {
  constexpr auto stochastic = SystemKind::stochastic;
  const Parameter weights_of_tableau{"weights", "increments or integrals", "integrals",
                                     "of the noise: b_j dW, or with I10"};
  return std::tuple{
      method<stochastic>({.name = "stochastic-rattle",
                          .type = "StochasticRattle",
                          .header = "stochastic_rattle.hpp",
                          .sentence = "The first to take: symplectic for each path, at the cost of RATTLE.",
                          .equation = "RATTLE, with kicks by the noise before and after",
                          .options = {noise_weights, newton_tolerance, newton_iterations}},
                         MakeStochasticRattle{}),
      method<stochastic>({.name = "constrained-variational-euler-a",
                          .type = "ConstrainedVariationalEuler",
                          .header = "constrained_variational_euler.hpp",
                          .sentence = "Of order one, with force and noise at the start of the step.",
                          .options = {newton_tolerance, newton_iterations}},
                         MakeVariationalEuler{EulerForce::at_start}),
      method<stochastic>({.name = "constrained-variational-euler-b",
                          .type = "ConstrainedVariationalEuler",
                          .header = "constrained_variational_euler.hpp",
                          .sentence = "The adjoint of A, with force and noise at the end of the step.",
                          .options = {newton_tolerance, newton_iterations}},
                         MakeVariationalEuler{EulerForce::at_end}),
      method<stochastic>({.name = "constrained-runge-kutta",
                          .type = "ConstrainedPartitionedRungeKutta",
                          .header = "constrained_runge_kutta.hpp",
                          .sentence = "Of order 2, 4 or 6 without noise: where the noise is weak.",
                          .equation = "Lobatto's methods IIIA and IIIB; Newton's method for all stages",
                          .options = {tableau_stages, weights_of_tableau, newton_tolerance, newton_iterations}},
                         MakeConstrainedRungeKutta{}),
      method<stochastic>({.name = "commutator-rattle",
                          .type = "CommutatorRattle",
                          .header = "commutator_rattle.hpp",
                          .sentence = "Of strong order two for all noises, with second derivatives.",
                          .equation = "RATTLE, with kicks by the noise and by -h/4 C_ij grad K_ij",
                          .options = {path_covariance, newton_tolerance, newton_iterations}},
                         MakeWithCovariance<CommutatorRattle>{}),
      method<stochastic>({.name = "staircase-rattle",
                          .type = "StaircaseRattle",
                          .header = "staircase_rattle.hpp",
                          .sentence = "Of strong order two for all noises, without second derivatives.",
                          .equation = "K + 1 steps of RATTLE for K noises, with kicks between them",
                          .options = {path_covariance, newton_tolerance, newton_iterations}},
                         MakeWithCovariance<StaircaseRattle>{}),
      method<stochastic>({.name = "projected-euler-maruyama",
                          .type = "ProjectedEulerMaruyama",
                          .header = "projected_methods.hpp",
                          .sentence = "For comparison: what is usual, not symplectic.",
                          .options = {newton_tolerance, newton_iterations}},
                         WithNewton<ProjectedEulerMaruyama>()),
      method<stochastic>({.name = "projected-heun",
                          .type = "ProjectedHeun",
                          .header = "projected_methods.hpp",
                          .sentence = "For comparison: of order two without noise, not symplectic.",
                          .options = {newton_tolerance, newton_iterations}},
                         WithNewton<ProjectedHeun>()),
      method<stochastic>(
          {.name = "unprojected-noise",
           .type = "UnprojectedNoise",
           .header = "projected_methods.hpp",
           .sentence = "For comparison: RATTLE that forgets the projection of the noise, and leaves the tangent space.",
           .options = {newton_tolerance, newton_iterations}},
          WithNewton<UnprojectedNoise>())};
}

/// Those in a heat bath, which know no noise potentials.
inline auto langevin_methods_of_the_library() {
  constexpr auto stochastic = SystemKind::stochastic;
  return std::tuple{
      method<stochastic>({.name = "constrained-obabo",
                          .type = "ConstrainedObabo",
                          .header = "constrained_langevin.hpp",
                          .sentence = "RATTLE in a heat bath, for any constant mass: for the kinetic temperature.",
                          .equation = "bath for h/2, RATTLE, bath for h/2",
                          .options = {bath_friction, bath_temperature, newton_tolerance, newton_iterations}},
                         MakeConstrainedObabo{}),
      method<stochastic>(
          {.name = "geodesic-baoab",
           .type = "GeodesicBaoab",
           .header = "constrained_langevin.hpp",
           .sentence = "g-BAOAB, for any constant mass: for averages of positions.",
           .equation = "kick for h/2, free motion for h/2, bath for h, free motion for h/2, kick for h/2",
           .options = {bath_friction, bath_temperature, bath_geodesic_steps, newton_tolerance, newton_iterations}},
          MakeGeodesicBaoab{})};
}

}  // namespace livi
