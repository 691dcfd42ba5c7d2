// SPDX-License-Identifier: MIT
//
// The pair potential of water_cluster.hpp in double with the vector instructions of the processor at hand: chosen when
// the program runs, so a portable build is fast too. Compiled once, in livi::vectorised.
//
// Lanes run over molecules. In round s = 1, 2, ..., (N-1)/2 molecule i meets molecule i + s (mod N), in round N/2 of an
// even N only the first N/2 do: every pair meets once, and what the lanes need lies side by side when the coordinates
// are stored by kind (x of all oxygens, y of all oxygens, ...) and the ring once and a half.
//
// 1 / r starts from the processor's approximation and is refined to rounding: 1 unit in the last place, of squared
// distances between 1e-37 and 1e38 square Angstrom; beyond, the result is not finite. Atoms at one place, and
// coordinates that are not numbers, give a result that is not finite. Sums are taken in an order that depends on N and
// on the number of lanes alone: one machine gives the same bits always; processors with different instructions may
// differ in the last places.
#pragma once

#include <livi/systems/water_cluster.hpp>

namespace livi {

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
};

/// 1 / sqrt(x) as VectorisedWaterPotential takes it, n numbers: for those who want to know how accurate it is.
void vectorised_reciprocal_roots(const double* x, std::ptrdiff_t n, double* out);

/// water_cluster<double> with the vectorised potential.
inline auto vectorised_water_cluster(Eigen::Index molecules, const WaterModel<double>& model = tip3p<double>()) {
  const auto plain = water_cluster<double>(molecules, model);
  using Constraint = WaterRigidity<double>;
  return ConstrainedSystem<DiagonalMass<double, Dynamic>, VectorisedWaterPotential, Constraint>(
      plain.mass(), VectorisedWaterPotential(model), plain.constraint());
}

}  // namespace livi
