// SPDX-License-Identifier: MIT
//
// The water of water_cluster.hpp in double with the vector instructions of the processor: the pair potential,
// Integrator 5 with its linear solve, and the multipliers of SHAKE and RATTLE. The instructions are chosen when the
// program runs, so a portable build is fast too. Compiled once, in livi::vectorised.
//
// Lanes run over molecules. Pairs are visited in rounds: in round s = 1, 2, ..., (N-1)/2 molecule i meets molecule
// i + s (mod N); in round N/2 of an even N only the first N/2 do. Every pair meets once, and the numbers for the lanes
// lie side by side when the coordinates are stored by kind (x of all oxygens, y of all oxygens, ...) and around the
// ring one and a half times.
//
// 1 / r starts from the processor's approximation and is refined to 1.5 units in the last place (2.5 without fused
// operations), for squared distances above 1e-37 square Angstrom; above 1e38 it may become zero. Atoms closer than
// that, and coordinates that are not numbers, give a result that is not finite. Sums are taken in an order that depends
// on N and on the number of lanes alone: one machine always gives the same bits; processors with different instructions
// may differ in the last places. The solution for one molecule depends on that molecule alone.
#pragma once

#include <livi/systems/water_cluster.hpp>

namespace livi {

using RestrainedWater = WaterPenalty<double, TriangleHessian<double>>;

/// The potential of WaterPotential<double>, from 9 N (N-1) / 2 pairs of atoms. It may be used by several threads at
/// once: each keeps a workspace of about 27 N numbers, which it allocates on first use and when N grows.
class VectorisedWaterPotential : public WaterPotential<double> {
 public:
  using WaterPotential<double>::WaterPotential;

  double value(const vector_type& q) const;
  void gradient(const vector_type& q, vector_type& out) const;
  void add_gradient(const vector_type& q, vector_type& out) const;
  /// Sets out to the gradient and returns the value, in one pass.
  double value_and_gradient(const vector_type& q, vector_type& out) const;
  /// Computes the stiff force as potential.hpp describes it, with V1 the penalty. A molecule whose block is not safely
  /// positive definite is solved alone by ShiftedSolver<TriangleHessian<double>>.
  FactorOutcome stiff_force(const RestrainedWater& penalty, const DiagonalMass<double, Dynamic>& mass, double c,
                            const vector_type& q, vector_type& f) const;
};

/// Solves the linear system of stiff_force() after the pairs: f enters as grad V0(q) and becomes the solution a of
/// (M + c Hess V1) a = -grad V0 - grad V1.
FactorOutcome vectorised_stiff_solve(const RestrainedWater& penalty, const DiagonalMass<double, Dynamic>& mass,
                                     double c, const Vector<double, Dynamic>& q, Vector<double, Dynamic>& f);

/// The multipliers of rigid water with the interface of constraints.hpp: three equations per molecule, solved by
/// Newton's method until each has converged.
class VectorisedWaterMultipliers {
 public:
  using vector_type = Vector<double, Dynamic>;

  VectorisedWaterMultipliers(const WaterRigidity<double>& constraint, const DiagonalMass<double, Dynamic>& mass)
      : squared_{constraint.squared_oh, constraint.squared_hh}, twice_inverse_mass_(mass.size() / 3) {
    for (Eigen::Index i = 0; i < twice_inverse_mass_.size(); ++i) twice_inverse_mass_(i) = 2 * mass.reciprocal(3 * i);
  }

  void set_directions(const vector_type& q) { old_ = q; }
  template <class Newton>
  MultiplierOutcome solve_position(const vector_type& r, const Newton& newton, vector_type& mu, vector_type& q) {
    return solve_position(r, newton.tolerance, newton.max_iterations, newton.fixed_iterations, mu, q);
  }
  MultiplierOutcome project_velocity(const vector_type& q, vector_type& v, vector_type& kappa);
  void push(const vector_type& mu, vector_type& out) const;

 private:
  MultiplierOutcome solve_position(const vector_type& r, double tolerance, int max_iterations, int fixed_iterations,
                                   vector_type& mu, vector_type& q);

  double squared_[2];
  vector_type twice_inverse_mass_;  ///< 2 / m, atom by atom
  vector_type old_;
};

/// The constraints TO14 (25) with the vectorised solution for the multipliers.
struct VectorisedWaterRigidity : WaterRigidity<double> {
  using multiplier_equations = VectorisedWaterMultipliers;
};

/// Limits vectors to four lanes from now on in this process, even where AVX-512 would be twice as fast, so that chaotic
/// runs are the same on more processors.
void use_at_most_four_lanes();

/// Computes 1 / sqrt(x) of n numbers as VectorisedWaterPotential does. It is public so that its accuracy can be
/// examined.
void vectorised_reciprocal_roots(const double* x, std::ptrdiff_t n, double* out);

/// Executes fused products and sums on registers alone, `rounds` times 16 independent ones in every lane, to measure
/// how many the processor can do. Returns the number of operations, a fused one counted as two.
double vectorised_fused_operations(std::ptrdiff_t rounds);

/// Returns water_cluster<double> with the vectorised types. Shake, Rattle and, on the penalised system, StiffZhangSkeel
/// use the vectorised algorithms without further options.
inline auto vectorised_water_cluster(Eigen::Index molecules, const WaterModel<double>& model = tip3p<double>()) {
  const auto plain = water_cluster<double>(molecules, model);
  return ConstrainedSystem<DiagonalMass<double, Dynamic>, VectorisedWaterPotential, VectorisedWaterRigidity>(
      plain.mass(), VectorisedWaterPotential(model), VectorisedWaterRigidity{plain.constraint()});
}

}  // namespace livi
