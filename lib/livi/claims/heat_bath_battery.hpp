// SPDX-License-Identifier: MIT
//
// The battery of heat baths on constrained systems: is a Langevin method what it declares to be? It keeps to the manifold and its
// tangent spaces, is a deterministic method without friction, has the friction and the noise of the bath it is given, each with
// numbers of its own, and samples the Gibbs measure with errors of the order that it declares for averages.
//
//   dq = M^-1 p dt,   dp = -grad V(q) dt - gamma p dt + (2 gamma/beta)^(1/2) M^(1/2) dW + G^T d lambda,   g(q) = 0
//
// What a short step does with its numbers is linear in them. So its noise is not sampled: with the columns b_k, half the
// differences of velocities after a step under +1 and -1 of number k, all others zero, over h^(1/2),
//
//   sum_k b_k b_k^T -> (2 gamma/beta) P M^-1 P^T  as h -> 0,
//
// which is wrong if noise is too strong, of another mass, shared by particles, or not projected; over two steps together it
// is twice that, if no number serves twice. That a step is linear in numbers of up to five is seen, too. The order of averages is that of
// the defect with which one step leaves the Gibbs measure, E[f(after a step)] - E[f] = O(h^(order + 1)), by rules for the state and the
// numbers, without sampling: on the sphere and on the chain. Sampled are only means over long runs, on all problems: an error is told
// where it is a twentieth of the quantity, however significant a smaller one is.
//
// Covered are three problems of up to three particles and nine coordinates, with masses up to 4 and one full mass matrix, two baths, and
// runs of up to 5360 steps. Not seen are numbers that serve again after more than 4096 steps, or that a method makes of its own
// where it takes care to have others for each seed and stream; noise that is wrong beyond five; errors of order h of averages on the
// rods alone that are below a twentieth at h = 1/8. A method that makes other numbers of its normal ones, as the three values of weak
// methods, is refuted as not linear: its averages may be right, but its short steps are not those of the equation. Orders of averages
// beyond two are not told.
#pragma once

#include <livi/claims/battery_result.hpp>
#include <livi/diagnostics/heat_bath_subject.hpp>

namespace livi {

/// Runs all tests, or those asked for. Takes half a second.
BatteryResult run_heat_bath_battery(const AnyHeatBathSubject& subject, const BatteryOptions& options = {});

/// Runs the battery on Method<System, BathNumbers>, which is constructed of a system, a bath and numbers.
template <template <class, class> class Method>
BatteryResult run_heat_bath_battery(const BatteryOptions& options = {}) {
  return run_heat_bath_battery(
      HeatBathSubject([]<class System>(const System& system, const Bath<double>& bath, const BathNumbers& numbers) {
        return Method<System, BathNumbers>(system, bath, numbers);
      }),
      options);
}

}  // namespace livi
