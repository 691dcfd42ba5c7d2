// SPDX-License-Identifier: MIT
//
// What the battery of heat baths measures of a method, and in the same words of its controls. Only for the judge's own sources.
#pragma once

#include <array>
#include <livi/claims/battery/rows.hpp>
#include <livi/diagnostics/heat_bath_subject.hpp>
#include <optional>
#include <string>

namespace livi::battery_detail {

/// The baths in which everything is measured. Neither rate nor temperature is one or the same in both, nor is their product or quotient:
/// what is ignored, or multiplied once too often, is wrong in one bath at least.
inline constexpr std::array<Bath<double>, 2> judged_baths{
    {{1.5, 2.5, Friction::momentum}, {3.1, 1.6, Friction::momentum}}};

// ---- steps (heat_bath_steps.cpp) ----------------------------------------------------------------------------------------

struct BathConstraints {
  Worst position, velocity;
};
/// Returns the largest |g| and |G v| in roundings over eight runs of 64 steps on each problem, four in each bath.
BathConstraints bath_constraints(const AnyHeatBathSubject& subject);

/// Returns how many steps of 64 on each problem differ under other numbers, without friction.
double changed_by_numbers_without_friction(const AnyHeatBathSubject& subject);
/// Returns how many of them differ from the method without friction that it is said to be; nothing if none is said.
std::optional<double> changed_from_limit(const AnyHeatBathSubject& subject);
/// Returns the order without friction: the exponent of the errors of q and v at T = 1, on the problem where it is farthest from
/// the declared one.
Worst order_without_friction(const AnyHeatBathSubject& subject, double declared);

/// Returns by how much the damping of velocities differs from gamma v, relatively, as h -> 0.
Worst wrong_friction(const AnyHeatBathSubject& subject);
/// Returns by how much the odd part of what a step does with numbers of up to five differs from the sum of what it does with each,
/// relatively, as h -> 0.
Worst nonlinear_noise(const AnyHeatBathSubject& subject);
/// Returns by how much the covariance of the noise of `count` steps differs from `count` times (2 gamma/beta) P M^-1 P^T, relatively,
/// as h -> 0.
Worst wrong_noise(const AnyHeatBathSubject& subject, int count);
/// Returns how many steps of 4096 on the first problem ask for numbers that another has asked for.
double steps_with_old_numbers(const AnyHeatBathSubject& subject);

/// Returns how many steps of 32 on each problem differ in a bit in a second run of the same numbers, and how many are the same under
/// those of another seed or stream.
double wrong_repetitions(const AnyHeatBathSubject& subject);
/// Returns how many steps of 32 on each problem end elsewhere when a new object makes them from the saved state.
double lost_by_restart(const AnyHeatBathSubject& subject);

// ---- averages (heat_bath_averages.cpp) ----------------------------------------------------------------------------------

/// How many positions the Gibbs measure is integrated with: `few` for steps that take a millisecond, in one bath, 31 in place of 106.
enum class GibbsPositions { many, few };
/// Returns the order of averages where it is lowest: the order of the defect of the Gibbs measure after a step, minus one. Returns NaN if
/// the slopes have not settled. Throws std::runtime_error if a step asks for too many random numbers.
Worst order_of_averages(const AnyHeatBathSubject& subject, GibbsPositions positions = GibbsPositions::many);

struct LongRuns {
  Worst momenta,
      positions;  ///< largest errors, in the size of the quantity; not a number where the sample is too small
};
/// The relative error of a mean that is too large.
inline constexpr double too_large_a_size = 0.05;
/// Returns the errors of means over 32 long runs, sixteen in each bath. Throws std::runtime_error where a step cannot be made.
LongRuns long_runs(const AnyHeatBathSubject& subject, double too_large = too_large_a_size);

}  // namespace livi::battery_detail
