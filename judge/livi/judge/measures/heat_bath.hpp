// SPDX-License-Identifier: MIT
//
// What the judge measures on methods with friction and noise, the kind langevin:
//   q' = p/m,  dp = -(grad V(q) + gamma p) dt + (2 gamma T m)^(1/2) dW,
// gamma the friction, T the temperature, an independent W for every body. The judge gives the normal numbers. A step on a
// quadratic potential is then an affine map, (q, p) -> A (q, p) + B xi with the numbers xi of the step, and known to
// rounding from as many steps as it has columns: nothing here is sampled.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include <livi/judge/measures/measurements.hpp>

namespace livi {

/// Return problems of bodies of different masses, three of them and twelve in other baths: coupled by springs, or free.
JudgedProblem bodies_in_a_heat_bath();
JudgedProblem many_bodies_in_a_heat_bath();
JudgedProblem free_bodies_in_a_heat_bath(JudgedProblem problem = bodies_in_a_heat_bath());

/// Return the battery's pendulum on the unit sphere and its chain of three bodies on two rods, in a bath. Its rods with a full mass
/// matrix are none of the protocol's problems.
inline JudgedProblem sphere_in_a_heat_bath() {
  JudgedProblem problem{.name = "a pendulum on the unit sphere in a bath",
                        .kind = ProblemKind::constrained_langevin,
                        .masses = {1, 1, 1},
                        .potential = {}};
  problem.potential.add(1, {2});
  problem.constraints.push_back(DyadicPolynomial{}.add(1, {0, 0}).add(1, {1, 1}).add(1, {2, 2}).add(-1, {}));
  return problem;
}
inline JudgedProblem chain_in_a_heat_bath() {
  JudgedProblem problem{.name = "three bodies on two rods in a bath",
                        .kind = ProblemKind::constrained_langevin,
                        .masses = {2, 2, 2, 1, 1, 1, 4, 4, 4},
                        .potential = {}};
  for (const int first : {0, 3}) {
    DyadicPolynomial g;
    for (int i = first; i < first + 3; ++i) g.add(1, {i, i}).add(-2, {i, i + 3}).add(1, {i + 3, i + 3});
    problem.constraints.push_back(g.add(-1, {}));
  }
  return problem;
}

/// Makes `count` steps of size h from a point under given normal numbers, zeros after their end; returns where they led. `asked`
/// becomes the number of normal numbers that were asked for.
TimedPoint<double> step_in_bath(ForeignRun<double>& run, Forces<double>& forces, const TimedPoint<double>& from,
                                const std::vector<double>& normals, double h, long count = 1,
                                std::size_t* asked = nullptr);

/// The affine map of steps: z = (q, p) -> a z + b xi, without a constant on the problems here.
struct AffineStep {
  Eigen::MatrixXd a, b;
};
/// Returns the map of `count` steps from its values at zero and at the unit vectors.
AffineStep affine_step(ForeignSubject& subject, const JudgedProblem& problem, double h, long count = 1);
/// Return the matrix of the rates at which z = (q, p) changes on springs without noise, for h to 0 by extrapolation from 2^-8 and 2^-9,
/// and what it is to be: M^-1, -K and -gamma.
Eigen::MatrixXd rates_on_springs(ForeignSubject& subject, const JudgedProblem& problem);
Eigen::MatrixXd right_rates_on_springs(const JudgedProblem& problem);
/// Returns the solution of S = A S A^T + B B^T; nothing where steps do not forget where they began.
std::optional<Eigen::MatrixXd> stationary_covariance(const AffineStep& step);

// step_is_affine, fresh_noise, friction_of_free_bodies and noise_of_free_bodies return the worse value of both; a value above
// 1e-3 of three bodies comes before any of twelve. The others are measured on three.

/// Returns the largest difference between one step at a point drawn from the seed, with noise, and the affine map of the
/// step, relative to the size of the point; or at the same point under numbers of plus and minus eight. NaN where the method asks for
/// no noise.
Measured step_is_affine(ForeignSubject& subject, std::uint64_t seed);
/// Returns the largest difference between four steps, asked for at once, and the affine map of one, applied four times with
/// fresh noise: noise that is taken twice, or momentum that is not that of the end, shows.
Measured fresh_noise(ForeignSubject& subject);
/// Returns the largest difference between the affine map of a step and two steps, one with noise and one without, after a
/// thousand from rest without noise, then a step of half the size and one of the whole: what changes later in a run, and what
/// is kept of a size.
Measured noise_later(ForeignSubject& subject);
/// Returns the largest difference between steps with noise that go on from a saved text, in another process and here, and
/// those that went on at once. Throws ForeignRefusal where nothing is saved.
Measured restart_in_a_bath(ForeignSubject& subject);
/// Returns the largest relative error of the friction matrix of free bodies: of -(dp_i/dp_j - delta_ij) / (h gamma) for h
/// to 0, by extrapolation from 2^-8 and 2^-9, against delta_ij; or of the rates of change of positions and momenta on springs,
/// without noise, against p/m and -grad V - gamma p, relative to the largest.
Measured friction_of_free_bodies(ForeignSubject& subject);
/// Returns the largest error of (B B^T)_ij / (2 h gamma T (m_i m_j)^(1/2)) of the momenta of free bodies for h to 0, by the
/// same extrapolation, against delta_ij. NaN where steps are not linear in their numbers.
Measured noise_of_free_bodies(ForeignSubject& subject);
/// Returns the largest entry of B at temperature 0, or without friction.
Measured noise_without_heat(ForeignSubject& subject);
/// Returns the power of h with which the stationary covariance of positions, or of momenta, of bodies on springs tends to
/// T K^-1, or to T M: from the finest two steps of 2^-2 ... 2^-7 whose errors are above rounding. The covariance is the
/// solution of S = A S A^T + B B^T. Returns `exact_sampling` where all errors are rounding, or what the method declares, NaN where there is no
/// stationary covariance, or where steps are not linear in their numbers.
Measured sampling_order(ForeignSubject& subject, bool momentum);
/// What sampling_order() returns instead of infinity.
inline constexpr double exact_sampling = 20;

}  // namespace livi
