// SPDX-License-Identifier: MIT
//
// water_cluster.hpp in double with the vector instructions of the processor at hand: chosen when the program runs, so a
// portable build is fast too. Compiled once, in livi::vectorised. The pair potential, Integrator 5 with its linear
// solve, and the multipliers of SHAKE and RATTLE.
//
// Lanes run over molecules. Pairs: in round s = 1, 2, ..., (N-1)/2 molecule i meets molecule i + s (mod N), in round
// N/2 of an even N only the first N/2 do: every pair meets once, and what the lanes need lies side by side when the
// coordinates are stored by kind (x of all oxygens, y of all oxygens, ...) and the ring once and a half.
//
// 1 / r starts from the processor's approximation and is refined to rounding: 1.5 units in the last place (2.5 without
// fused operations), of squared distances above 1e-37 square Angstrom; above 1e38 it may be taken for zero. Atoms
// closer than that, and coordinates that are not numbers, give a result that is not finite. Sums are taken in an order
// that depends on N and on the number of lanes alone: one machine gives the same bits always; processors with different
// instructions may differ in the last places. What is solved for one molecule depends on that molecule alone.
#pragma once

#include <livi/systems/water_cluster.hpp>

namespace livi {

using RestrainedWater = WaterPenalty<double, TriangleHessian<double>>;

/// As WaterPotential<double>. 9 N (N-1) / 2 pairs of atoms. May be used by several threads at once: each keeps a
/// workspace of its own, of about 27 N numbers, which it allocates on first use and when N grows.
class VectorisedWaterPotential : public WaterPotential<double> {
 public:
  using WaterPotential<double>::WaterPotential;

  double value(const vector_type& q) const;
  void gradient(const vector_type& q, vector_type& out) const;
  void add_gradient(const vector_type& q, vector_type& out) const;
  /// Both in one pass.
  double value_and_gradient(const vector_type& q, vector_type& out) const;
  /// As potential.hpp has it, V1 the penalty. A molecule whose block is not safely positive definite goes through
  /// ShiftedSolver<TriangleHessian<double>>, alone.
  FactorOutcome stiff_force(const RestrainedWater& penalty, const DiagonalMass<double, Dynamic>& mass, double c,
                            const vector_type& q, vector_type& f) const;
};

/// What stiff_force does after the pairs: f enters as grad V0(q) and becomes a of (M + c Hess V1) a = -grad V0 - grad
/// V1.
FactorOutcome vectorised_stiff_solve(const RestrainedWater& penalty, const DiagonalMass<double, Dynamic>& mass,
                                     double c, const Vector<double, Dynamic>& q, Vector<double, Dynamic>& f);

/// The multipliers of rigid water as constraints.hpp has it: three equations a molecule, Newton's method until each has
/// converged.
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
  vector_type twice_inverse_mass_;  ///< atom by atom
  vector_type old_;
};

/// (25) with the multipliers solved for so.
struct VectorisedWaterRigidity : WaterRigidity<double> {
  using multiplier_equations = VectorisedWaterMultipliers;
};

/// From now on in this process vectors have at most four lanes, even where there is AVX-512, which is twice as fast:
/// for chaotic runs that are to be the same on more processors.
void use_at_most_four_lanes();

/// 1 / sqrt(x) as VectorisedWaterPotential takes it, n numbers: for those who want to know how accurate it is.
void vectorised_reciprocal_roots(const double* x, std::ptrdiff_t n, double* out);

/// Fused products and sums on registers alone, `rounds` times 16 independent ones in every lane, to learn how many the
/// processor can do. Returns how many operations these were, a fused one counted as two.
double vectorised_fused_operations(std::ptrdiff_t rounds);

/// water_cluster<double>, vectorised. Shake, Rattle and, on the penalised system, StiffZhangSkeel take the vectorised
/// ways by themselves.
inline auto vectorised_water_cluster(Eigen::Index molecules, const WaterModel<double>& model = tip3p<double>()) {
  const auto plain = water_cluster<double>(molecules, model);
  return ConstrainedSystem<DiagonalMass<double, Dynamic>, VectorisedWaterPotential, VectorisedWaterRigidity>(
      plain.mass(), VectorisedWaterPotential(model), VectorisedWaterRigidity{plain.constraint()});
}

}  // namespace livi
