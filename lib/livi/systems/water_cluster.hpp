// SPDX-License-Identifier: MIT
//
// Clusters of N water molecules (TO14 4.3): TIP3P, rigid by constraints or restrained by a stiff penalty.
//
//   V  = sum over pairs of molecules of  sum_ij Kc Q_i Q_j / r_ij  +  A / r_OO^12 - C / r_OO^6            (24)
//   g  = (|d_0|^2 - r_OH^2, |d_1|^2 - r_OH^2, |d_2|^2 - r_HH^2) per molecule, d_0 = H1 - O, d_1 = H2 - O,
//        d_2 = H1 - H2                                                                                    (25)
//   V~ = V + omega^2 |g|^2 / 2                                                                            (26)
//
// 9 N coordinates: molecule by molecule, in each O, H1, H2 (the paper has H, O, H), in each x, y, z. Three equations
// per molecule, in the order of (25). No cutoff, no box.
//
// TO14 prints no units. Here they are Angstrom, atomic mass units and kcal/mol; the unit of time is then 48.888 fs.
#pragma once

#include <cmath>

#include <livi/systems/constraints.hpp>
#include <livi/systems/pair_sum.hpp>

namespace livi {

/// The parameters of a three-site water model.
template <class S>
struct WaterModel {
  S oxygen_mass, hydrogen_mass;
  S squared_oh, squared_hh;  ///< squared lengths of the sides of the rigid molecule
  S coulomb;                 ///< Kc times the squared charge of a hydrogen; the charge of the oxygen is -2 of these
  S repulsion, attraction;   ///< A and C
};

/// Returns the TIP3P model of Jorgensen et al. 1983: r_OH = 0.9572 A, angle 104.52 degrees, Q_H = 0.417 e, A = 582000
/// kcal A^12/mol, C = 595 kcal A^6/mol; Kc = 332.06371 kcal A/(mol e^2). r_HH = 2 r_OH sin(angle/2).
template <class S>
WaterModel<S> tip3p() {
  using std::acos, std::cos;
  const S oh = ratio<S>(9572, 10000), angle = ratio<S>(10452, 18000) * acos(S(-1)), charge = ratio<S>(417, 1000);
  return {.oxygen_mass = ratio<S>(159994, 10000),
          .hydrogen_mass = ratio<S>(1008, 1000),
          .squared_oh = oh * oh,
          .squared_hh = S(2) * oh * oh * (S(1) - cos(angle)),
          .coulomb = ratio<S>(33206371, 100000) * charge * charge,
          .repulsion = S(582000),
          .attraction = S(595)};
}

/// Returns Kc Q_i Q_j / sqrt(s) and its derivatives in s, for strength = Kc Q_i Q_j.
template <class S>
RadialDerivatives<S> coulomb(const S& strength, const S& s) {
  using std::sqrt;
  const S inverse = S(1) / s, u = strength * sqrt(inverse), half = u * inverse / S(2), quarter = half * inverse / S(2);
  return {u, -half, S(3) * quarter, S(-15) / S(2) * quarter * inverse};
}
template <class S>
RadialDerivatives<S> lennard_jones(const S& repulsion, const S& attraction, const S& s) {
  const S inverse = S(1) / s, cube = inverse * inverse * inverse, six = attraction * cube,
          twelve = repulsion * cube * cube;
  return {twelve - six, (S(3) * six - S(6) * twelve) * inverse, (S(42) * twelve - S(12) * six) * inverse * inverse,
          (S(60) * six - S(336) * twelve) * cube};
}

/// The potential TO14 (24) without the kinetic energy, for every number type that has sqrt. Cost 9 N (N-1) / 2 pairs.
template <class S>
struct WaterPotential : PairSum<WaterPotential<S>, S, 3> {
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;
  WaterModel<S> model;

  explicit WaterPotential(const WaterModel<S>& m) : model(m) {}

  template <class F>
  void for_each_pair(const vector_type& q, const F& f) const {
    const Eigen::Index atoms = q.size() / 3;
    for (Eigen::Index i = 3; i < atoms; ++i)
      for (Eigen::Index j = 0; j < i - i % 3; ++j) {
        Vector<S, 3> d;
        for (int k = 0; k < 3; ++k) d(k) = q(3 * i + k) - q(3 * j + k);
        const S s = d(0) * d(0) + d(1) * d(1) + d(2) * d(2);
        const bool oxygen_i = i % 3 == 0, oxygen_j = j % 3 == 0;
        const int charges = (oxygen_i ? -2 : 1) * (oxygen_j ? -2 : 1);
        RadialDerivatives<S> u = coulomb<S>(S(charges) * model.coulomb, s);
        if (oxygen_i && oxygen_j) {
          const RadialDerivatives<S> w = lennard_jones<S>(model.repulsion, model.attraction, s);
          u = {u.value + w.value, u.first + w.first, u.second + w.second, u.third + w.third};
        }
        f(i, j, d, u);
      }
  }
};

/// The penalty omega^2 |g|^2 / 2 of TO14 (26). `Hessian` is TriangleHessian<S>, BlockDiagonalHessian<S, 9> or
/// DenseHessian<S, Dynamic>, which hold the same matrix. Cost O(N), except for a dense Hessian.
template <class S, class Hessian>
struct WaterPenalty : PairSum<WaterPenalty<S, Hessian>, S, 3> {
  using Sum = PairSum<WaterPenalty<S, Hessian>, S, 3>;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = Hessian;
  S squared_oh, squared_hh;
  S stiffness;  ///< omega^2

  WaterPenalty(const S& oh, const S& hh, const S& omega_squared)
      : squared_oh(oh), squared_hh(hh), stiffness(omega_squared) {}

  void hessian(const vector_type& q, hessian_type& h) const {
    if constexpr (std::same_as<Hessian, TriangleHessian<S>>) {
      Eigen::Index side = 0;
      for_each_pair(q, [&](Eigen::Index, Eigen::Index, const Vector<S, 3>& d, const RadialDerivatives<S>& u) {
        auto& triangle = h.triangles[static_cast<std::size_t>(side / 3)];
        const Eigen::Index k = side++ % 3;
        triangle.sides.col(k) = d;
        triangle.tension(k) = S(2) * u.first;
        triangle.stiffness(k) = S(4) * u.second;
      });
    } else {
      Sum::hessian(q, h);
    }
  }
  /// Calls f for the three sides of each molecule, in the order of TO14 (25).
  template <class F>
  void for_each_pair(const vector_type& q, const F& f) const {
    using Sides = TriangleHessian<S>;
    for (Eigen::Index first = 0; first < q.size() / 3; first += 3)
      for (int side = 0; side < 3; ++side) {
        const Eigen::Index i = first + Sides::side_end[side], j = first + Sides::side_start[side];
        Vector<S, 3> d;
        for (int k = 0; k < 3; ++k) d(k) = q(3 * i + k) - q(3 * j + k);
        f(i, j, d,
          DistancePenaltyProfile<S>{stiffness,
                                    side == 2 ? squared_hh : squared_oh}(d(0) * d(0) + d(1) * d(1) + d(2) * d(2)));
      }
  }
};

/// The constraints TO14 (25). `Hessian` is the structure of the penalty's Hessian.
template <class S, class Hessian = TriangleHessian<S>>
struct WaterRigidity {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using multiplier_type = Vector<S, Dynamic>;
  using jacobian_type = BlockDiagonalJacobian<S, 3, 9>;
  static constexpr int dimension = Dynamic;
  static constexpr int constraints = Dynamic;
  S squared_oh, squared_hh;

  void value(const vector_type& q, multiplier_type& g) const {
    g.resize(q.size() / 3);
    each_side(q, [&](Eigen::Index m, Eigen::Index, Eigen::Index, const Vector<S, 3>& d) {
      g(m) = d(0) * d(0) + d(1) * d(1) + d(2) * d(2) - (m % 3 == 2 ? squared_hh : squared_oh);
    });
  }
  void jacobian(const vector_type& q, jacobian_type& jacobian) const {
    jacobian.resize(q.size() / 3);
    jacobian.own.setConstant(S(0));
    each_side(q, [&](Eigen::Index m, Eigen::Index i, Eigen::Index j, const Vector<S, 3>& d) {
      for (int k = 0; k < 3; ++k) {
        jacobian.own(3 * (i % 3) + k, m) = d(k) + d(k);
        jacobian.own(3 * (j % 3) + k, m) = -(d(k) + d(k));
      }
    });
  }
  template <class H>
  void add_hessian(const vector_type& q, const multiplier_type& w, H& h) const {
    each_side(q, [&](Eigen::Index m, Eigen::Index i, Eigen::Index j, const Vector<S, 3>&) {
      Matrix<S, 3> block = Matrix<S, 3>::Constant(S(0));
      for (int k = 0; k < 3; ++k) block(k, k) = S(2) * w(m);
      h.template add_block<3>(i, i, block);
      h.template add_block<3>(j, j, block);
      h.template add_block<3>(std::max(i, j), std::min(i, j), -block);
    });
  }
  void curvature(const vector_type&, const vector_type& a, multiplier_type& w) const {
    w.resize(a.size() / 3);
    each_side(a, [&](Eigen::Index m, Eigen::Index, Eigen::Index, const Vector<S, 3>& d) {
      w(m) = S(2) * (d(0) * d(0) + d(1) * d(1) + d(2) * d(2));
    });
  }
  void add_hessian_product(const vector_type&, const multiplier_type& w, const vector_type& a, vector_type& out) const {
    each_side(a, [&](Eigen::Index m, Eigen::Index i, Eigen::Index j, const Vector<S, 3>& d) {
      for (int k = 0; k < 3; ++k) {
        out(3 * i + k) += S(2) * w(m) * d(k);
        out(3 * j + k) -= S(2) * w(m) * d(k);
      }
    });
  }
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {
  }  // g is quadratic
  [[nodiscard]] WaterPenalty<S, Hessian> penalty(const S& stiffness) const {
    return {squared_oh, squared_hh, stiffness};
  }

 private:
  /// Calls f(m, i, j, d) for each equation m, which fixes the length of d = r_i - r_j.
  template <class F>
  void each_side(const vector_type& q, const F& f) const {
    using Sides = TriangleHessian<S>;
    for (Eigen::Index m = 0; m < q.size() / 3; ++m) {
      const Eigen::Index i = m - m % 3 + Sides::side_end[m % 3], j = m - m % 3 + Sides::side_start[m % 3];
      Vector<S, 3> d;
      for (int k = 0; k < 3; ++k) d(k) = q(3 * i + k) - q(3 * j + k);
      f(m, i, j, d);
    }
  }
};

/// Returns the masses of N molecules, coordinate by coordinate.
template <class S>
DiagonalMass<S, Dynamic> water_masses(Eigen::Index molecules, const WaterModel<S>& model) {
  Vector<S, Dynamic> masses(9 * molecules);
  for (Eigen::Index i = 0; i < masses.size(); ++i) masses(i) = i % 9 < 3 ? model.oxygen_mass : model.hydrogen_mass;
  return DiagonalMass<S, Dynamic>(masses);
}

/// Returns the constrained system of N rigid molecules; penalised(water_cluster(N), omega) is TO14 (26) with a Hessian
/// of the given structure. The two structures that are block-diagonal serve the methods that need the stiff part alone
/// (Integrator 5), DenseHessian the others. Throws InvalidParameter for less than one molecule.
template <class S, class Hessian = TriangleHessian<S>>
auto water_cluster(Eigen::Index molecules, const WaterModel<S>& model = tip3p<S>()) {
  if (molecules < 1) throw InvalidParameter("molecules", static_cast<double>(molecules), "must be at least 1");
  using Constraint = WaterRigidity<S, Hessian>;
  return ConstrainedSystem<DiagonalMass<S, Dynamic>, WaterPotential<S>, Constraint>(
      water_masses(molecules, model), WaterPotential<S>(model), Constraint{model.squared_oh, model.squared_hh});
}

/// Returns the rigid molecule in its own frame: oxygen at the origin, hydrogens at (-+ r_HH/2, height, 0).
template <class S>
Vector<S, 9> water_molecule(const WaterModel<S>& model) {
  using std::sqrt;
  Vector<S, 9> r = Vector<S, 9>::Constant(S(0));
  r(3) = -sqrt(model.squared_hh) / S(2);
  r(6) = -r(3);
  r(4) = r(7) = sqrt(model.squared_oh - model.squared_hh / S(4));
  return r;
}

}  // namespace livi
