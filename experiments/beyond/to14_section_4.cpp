// SPDX-License-Identifier: MIT
// Theorem: TO14 Section 4: which integrator serves which subsection
//
// The text says it in one sentence. What tells the integrators apart on the systems themselves, at the printed
// parameters: Integrator 1 is symplectic (4.1 explains the errors of its rival by the loss of that), so is what comes
// from the variational formulation (4.5), Integrators 4 and 5 are not; the matrix of Integrator 5 falls into molecules
// (4.3), that of Integrator 1 does not.
#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/integrators/linearized_so3.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/dna_chain.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/water_cluster.hpp>
#include <random>

#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"to14_section_4", {"TO14", "Section 4", "4"}, "Which integrator serves which subsection"};
}

namespace {

using F = Float50;
using D = Dual<F>;

struct Row {
  std::string section, assigned;
  bool fits = false;        ///< the assigned integrator is what the subsection needs
  bool rival_fits = false;  ///< Integrator 5 in the place of 1, 1 in that of 5, or (37) without its correction
};

/// Near a given position, so that nothing is special.
template <class V>
V generic(V at, unsigned seed, double size) {
  std::mt19937_64 generator(seed);
  for (Eigen::Index i = 0; i < at.size(); ++i)
    at(i) += F(size * (static_cast<double>(generator() >> 11) * 0x1p-52 - 1));
  return at;
}

template <class System, class Make, class V>
bool is_symplectic(const System& system, const Make& make, const V& q, const F& h) {
  const V v = generic(V(V::Constant(q.size(), F(0))), 4, 0.3);
  return step_symplecticity(system, make, q, v, h, CanonicalCoordinates::own) < F("1e-35");
}
template <class System, class V>
Row symplectic_row(const std::string& section, const System& system, const V& at, const F& h, const F& beta) {
  const V q = generic(at, 3, 0.1);
  Row row{section, {}};
  row.fits = is_symplectic(
      system,
      [&](const System& s) {
        ZhangSkeel<System> method(s, {D(beta)});
        row.assigned = method.declares().name;
        return method;
      },
      q, h);
  row.rival_fits = is_symplectic(
      system, [&](const System& s) { return StiffZhangSkeel<System>(s, {D(beta)}); }, q, h);
  return row;
}

/// Whether a matrix on water falls into blocks of 9.
bool falls_into_molecules(const DenseHessian<double, Dynamic>& hessian) {
  for (Eigen::Index i = 0; i < hessian.size(); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (i / 9 != j / 9 && hessian.matrix(i, j) != 0) return false;
  return true;
}
Row water_row() {
  const auto system = penalised(water_cluster<double, DenseHessian<double, Dynamic>>(7), 20.0);
  const Vector<double, 9> shape = water_molecule(tip3p<double>());
  Vector<double, Dynamic> q(63);
  for (Eigen::Index i = 0; i < 63; ++i) q(i) = shape(i % 9) + static_cast<double>(i % 3 == i / 9 % 3 ? 3 * (i / 9) : 0);
  DenseHessian<double, Dynamic> stiff(63), whole(63);
  system.potential().stiff_hessian(q, stiff);
  system.potential().hessian(q, whole);
  return {"4.3", StiffZhangSkeel(system).declares().name, falls_into_molecules(stiff), falls_into_molecules(whole)};
}

Row body_row() {
  const auto system = penalised_body<D>(D(1), D(10));
  Vector<F, 9> at = Vector<F, 9>::Constant(F(0));
  at(0) = at(4) = at(8) = F(1);
  const Vector<F, 9> q = generic(at, 3, 0.1);
  const D beta = ratio<D>(2, 5);
  const F h = ratio<F>(1, 10);
  Row row{"4.5", {}};
  row.fits = is_symplectic(
      system,
      [&](const PenalisedBody<D>& s) {
        LinearizedSO3<PenalisedBody<D>> method(s, {beta});
        row.assigned = method.declares().name;
        return method;
      },
      q, h);
  row.rival_fits = is_symplectic(
      system,
      [&](const PenalisedBody<D>& s) {
        return SimplifiedZhangSkeel<PenalisedBody<D>>(s, {beta / D(2)});  // the mass is 1/2
      },
      q, h);
  return row;
}

std::vector<Row> rows() {
  const F two_fifths = ratio<F>(2, 5);
  std::vector<Row> all;
  all.push_back(symplectic_row("4.1", penalised(livi::double_pendulum<D>(), D(20)),
                               Vector<F, 4>(livi::double_pendulum_start<F>()), ratio<F>(1, 10), two_fifths));
  {
    using Constraint = PlanarChainConstraint<D, Dynamic, BlockTridiagonalHessian<D, 2>>;
    const ConstrainedSystem<ScalarMass<D, Dynamic>, GravityPotential<D, Dynamic>, Constraint> chain(
        ScalarMass<D, Dynamic>(D(1), 20), {D(1)}, Constraint{Vector<D, Dynamic>::Constant(10, D(5))});
    Vector<F, Dynamic> at(20);
    for (int k = 0; k < 10; ++k) {
      at(2 * k) = F(k + 1);
      at(2 * k + 1) = F(-2 * (k + 1));
    }
    all.push_back(symplectic_row("4.2", penalised(chain, D(20)), at, ratio<F>(1, 20), two_fifths));
  }
  all.push_back(water_row());
  all.push_back(symplectic_row("4.4", dna_chain<D>(12),
                               Vector<F, Dynamic>(Vector<F, Dynamic>::Constant(12, two_fifths)), F(2),
                               ratio<F>(3, 10)));
  all.push_back(body_row());
  return all;
}

}  // namespace

TEST(TO14_s4, each_section_has_its_integrator) {
  int wrong = 0, wrong_with_rivals = 0;
  for (const Row& row : rows()) {
    report().parameter("integrator_of_section_" + row.section, row.assigned);
    wrong += row.fits ? 0 : 1;
    wrong_with_rivals += row.rival_fits ? 0 : 1;
    const char* expected = row.section == "4.3"   ? "StiffZhangSkeel"
                           : row.section == "4.5" ? "LinearizedSO3"
                                                  : "ZhangSkeel";
    EXPECT_EQ(row.assigned, expected) << row.section;
  }
  report().count("subsections_whose_integrator_does_not_fit", wrong);
  report().count("subsections_whose_rival_does_not_fit", wrong_with_rivals);
  EXPECT_EQ(wrong, 0);
  // Integrator 5 in 4.1, 4.2 and 4.4, Integrator 1 in 4.3, and (37) without its correction. In 4.1 and 4.2 gravity has
  // no Hessian: there Integrator 5 is Integrator 4, and its variational form is Integrator 1.
  EXPECT_EQ(wrong_with_rivals, 5);
}

}  // namespace livi::theorem
