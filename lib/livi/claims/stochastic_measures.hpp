// SPDX-License-Identifier: MIT
//
// What the battery measures of a method under noise, and in the same words of its controls. Only for the battery's own sources.
// Every method gets the integrals of all products of two noises: those that do not ask for them are not changed by them.
#pragma once

#include <livi/claims/stochastic_controls.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/seed.hpp>
#include <livi/stochastic/brownian_products.hpp>

namespace livi::battery_detail {

namespace place = stochastic_place;

inline const AnyStochasticSubject& control_subject(StochasticControl control) {
  return static_cast<const AnyStochasticSubject&>(*stochastic_control(control).subject);
}
inline const std::string& control_name(StochasticControl control) { return stochastic_control(control).name; }

/// Calls f with the place of each generic problem.
template <class Function>
void for_each_generic(const Function& f) {
  const auto& problems = stochastic_problem_summaries();
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (problems[i].role == ProblemRole::generic) f(i, problems[i]);
}

// ---- steps (stochastic_steps.cpp) ---------------------------------------------------------------------------------------

/// Returns the largest |g| and |G v| in roundings, over eight runs of 64 steps on each generic problem.
std::pair<Worst, Worst> constraints_worst(const AnyStochasticSubject& subject);
/// Returns the worst symplecticity defect of two steps on T*Q with one set of noises.
Worst symplectic_worst(const AnyStochasticSubject& subject, const Float50& h);
/// Returns the worst distance from the start after steps there and back, without noise and under noise.
Worst symmetry_worst(const AnyStochasticSubject& subject);
/// Returns the largest change of the momentum of translations, or of rotations, along paths, on the problems of a role.
Worst momentum_worst(const AnyStochasticSubject& subject, ProblemRole role, bool translations);

struct OrderWithoutNoise {
  double order = not_a_number;
  std::string detail;
};
/// Returns the exponents of q and p after one unit of time, the one that is farther from `expected`.
OrderWithoutNoise order_without_noise(const AnyStochasticSubject& subject, double expected);
/// Returns the number of steps, of 64 on each problem, that differ in a bit from the step without noise when all noises are zero.
double changed_by_no_noise(const AnyStochasticSubject& subject);
/// Returns by what a step of h = 2^-52 under noises that are zero differs from the step without noise, in 50 digits and over h^2,
/// besides a kick by -c h^2 grad sum_i K_ii with 0 <= c <= 1/4: the mean of int W^2 is h^2/2, of which a method may know nothing
/// by the increments and I10, and it enters by its half.
Worst left_of_mean_kick(const AnyStochasticSubject& subject);
/// Returns the largest error of a step of h = 2^-52, in 50 digits, under noises +dW and -dW. Half of the difference of velocities
/// is sum_i dW_i P M^-1 grad gamma_i, half of the sum moves by h times the acceleration, and the position by h v. Each is relative
/// to its size. If `each`, the first of these for one noise after the other.
Worst short_step_worst(const AnyStochasticSubject& subject, bool each);
/// Returns the number of steps, of 32 on each generic problem, that end elsewhere when a new object makes them from the saved
/// state.
double lost_by_restart(const AnyStochasticSubject& subject);
/// Returns the number of repeated runs, of two on each generic problem, that end elsewhere.
double changed_by_repetition(const AnyStochasticSubject& subject);
/// Returns the largest distance between runs of 32 steps in double and in 50 digits under the same noises, over the size of the
/// point.
Worst number_types_worst(const AnyStochasticSubject& subject);

struct Existence {
  double wrong = 0;                 ///< steps that are reported as made and are none
  double longest = 0;               ///< the largest h |p| of those tried for which a step exists
  double shortest_none = infinity;  ///< the smallest h |p| of those tried for which none exists
};
Existence existence(const AnyStochasticSubject& subject);

// ---- paths (stochastic_paths.cpp) ---------------------------------------------------------------------------------------

/// A slope in log2 of mean values over levels, with three standard errors of it over independent paths.
struct Slope {
  double value = not_a_number, three_errors = not_a_number;
};

struct StrongOrder {
  Slope slope;                   ///< that of all levels taken
  Slope change;                  ///< from their coarser half to the finer
  double lost = 0;               ///< share of the paths on which a step could not be made
  int coarsest = 0, finest = 0;  ///< the levels taken
  std::size_t paths = 0;
  std::vector<double> errors;  ///< root mean squares, of all levels
};
/// Halves of levels whose slopes differ by more are not those of one power: a quarter is half-way between neighbouring orders.
inline constexpr double pre_asymptotic = 0.25;
StrongOrder strong_order(const AnyStochasticSubject& subject, std::size_t problem, bool quick);

/// The mean energy at T = 1 under isotropic noise, less that of Ito's formula.
struct MeanEnergy {
  std::vector<double> bias;                                  ///< by level
  double limit = not_a_number, three_errors = not_a_number;  ///< 2 b(h/2) - b(h) on the finest two levels
  std::size_t paths = 0;
};
/// sigma = 1/2: d E[H]/dt = sum_i E[K_ii]/2 = sigma^2 (3 - |q|^2)/2.
inline constexpr double energy_growth = 0.25;
MeanEnergy mean_energy(const AnyStochasticSubject& subject, bool quick);
/// Returns the mean excess of the reference itself, with three standard errors.
Slope reference_energy(std::size_t paths);

// ---- means (stochastic_means.cpp) ---------------------------------------------------------------------------------------

struct WeakOrder {
  double order = not_a_number;   ///< extrapolated to h = 0
  double change = not_a_number;  ///< how the slope changes from the coarser pair of steps to the finer
  std::vector<double> errors;    ///< errors of the means after one step, by step size
};
/// Returns the weak order by the error of means after one step on the round problem with products that vary, or on the rods.
WeakOrder weak_order(const AnyStochasticSubject& subject, std::size_t problem = place::varying_products);

}  // namespace livi::battery_detail
