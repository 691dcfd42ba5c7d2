// SPDX-License-Identifier: MIT
//
// The tests of the battery, each in a source of its own; battery.cpp has their order. Only for the battery's own sources.
#pragma once

#include <array>

#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/rows.hpp>
#include <livi/diagnostics/subject.hpp>

namespace livi::battery_detail {

/// What a test is given. It adds its rows to `rows`.
struct Tested {
  const Subject& subject;
  const Properties& declared;
  const BatteryOptions& options;
  const Controls& controls;  ///< those of its kind
  Rows& rows;
};

/// The number of steps of the runs over which the declarations of a method with a memory are also measured: it may
/// change its behaviour after any number of steps.
inline constexpr int steps_with_memory = 400;

/// The detail of the row "tiny steps" if no order condition is seen to be violated and the errors are those of points
/// that have the digits of double.
inline constexpr const char* rounded_points = "the errors are those of points that are rounded to double";

/// Returns the names of the two rows of the order, of positions and of momenta or velocities.
std::array<const char*, 2> names_of_order(bool rigid_body);
void test_order(const Tested& tested);
/// Tests symplecticity, in canonical coordinates too where they are declared.
void test_symplecticity(const Tested& tested);
void test_symmetry(const Tested& tested);
void test_linear_momentum(const Tested& tested);
void test_angular_momentum(const Tested& tested);

void test_tiny_steps(const Tested& tested);
/// Tests the orders backwards and with a last step that is shorter.
void test_order_of_runs(const Tested& tested);
void test_end_moved(const Tested& tested);
/// Tests double, 50 digits and dual numbers.
void test_number_types(const Tested& tested);
void test_reach(const Tested& tested);
/// Tests repetition, history and memory.
void test_dependence(const Tested& tested);
void test_restart(const Tested& tested);

void test_certificate(const Tested& tested);
void test_exact_order(const Tested& tested);
/// Tests whether the method that is decided exactly is the one that runs.
void test_exact_types(const Tested& tested);
void test_linear_stability(const Tested& tested);
void test_coupled_oscillators(const Tested& tested);

/// Test rigid bodies.
void test_casimir(const Tested& tested);
void test_stress(const Tested& tested);
void test_group(const Tested& tested);

/// Test problems of vector spaces.
void test_energy(const Tested& tested);
void test_constraint(const Tested& tested);

void test_cost(const Tested& tested);

/// Returns the largest violation of the order conditions up to h^order (tiny_steps.cpp).
double violation_of_order(const Subject& subject, int order);

}  // namespace livi::battery_detail
