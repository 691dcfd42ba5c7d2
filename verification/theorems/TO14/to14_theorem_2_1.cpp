// SPDX-License-Identifier: MIT
// Theorem: when simplified Z&S is symplectic and reversible (TO14 Theorem 2.1): the commutation condition is right, and
// necessary, for M a multiple of the identity; for other masses it is neither sufficient nor necessary, and the right
// condition is derived and proved.
//
// With c = beta h^2, g = grad V, H = Hess V, B = M + c H, the force per mass a = -B^-1 g and the matrix W = V'''.B^-1 g
// of the paper: differentiating B a = -g in direction e_j gives B (Da)_j = -H_j - c (V'''.a)_j, V'''.a = -W, so
//
//   M Da = -M B^-1 H + c M B^-1 W,   and M B^-1 H = (M - M B^-1 M)/c is symmetric, so
//   M Da - (M Da)^T = c (M B^-1 W - W B^-1 M).                                                                     (*)
//
// A step of (21) is kick, drift, kick. With alpha(x) the antisymmetric part of M Df, the 2-form dx ^ dp changes by h/2
// times alpha at the start and alpha at the end. The latter is the only term with dp ^ dp (x_1 = x_0 + h M^-1 p_0 +
// ...), so a step is symplectic exactly when alpha vanishes at both ends. Hence Z&Ss is symplectic if *and only if*
// M B^-1 W is symmetric where it goes, equivalently W M^-1 B = B M^-1 W: B and W commute with M^-1 between them. For M
// = m I that is the paper's condition. For other M take coordinates M^(1/2) x, in which the paper's condition is this
// one.
#include "study/evidence/commutation.hpp"

#include <livi/integrators/symplectic_euler.hpp>

namespace livi::theorem {

Program this_program() {
  return {"to14_theorem_2_1",
          {"TO14", "Theorem 2.1", "2.2"},
          "when simplified Z&S is symplectic: the commutation condition is right for scalar masses only"};
}

namespace {

TEST(Theorem21, derivation_holds_for_every_potential_and_mass) {
  EXPECT_EQ(nonzero(certify(ConditionHolds{Example::general, Condition::derivation})), 0);
  EXPECT_EQ(nonzero(certify(ConditionHolds{Example::general, Condition::equivalence})), 0);
  // Neither condition holds in general.
  EXPECT_GT(nonzero(certify(ConditionHolds{Example::general, Condition::commutes})), 0);
  EXPECT_GT(nonzero(certify(ConditionHolds{Example::general, Condition::symmetric})), 0);
}

TEST(Theorem21, commuting_suffices_for_scalar_masses) {
  Combined found;
  found.add("(*) for all quartic V and all masses", certify(ConditionHolds{Example::general, Condition::derivation}));
  for (const Example example : {Example::central, Example::rotated}) {
    found.add("the condition", certify(ConditionHolds{example, Condition::commutes}));
    found.add("symplectic", certify(ExampleIsSymplectic{example}));
  }
  const double general = nonzero(certify(ExampleIsSymplectic{Example::general_scalar}));
  EXPECT_GT(nonzero(certify(ConditionHolds{Example::general_scalar, Condition::commutes})), 0);
  expect_verdict(
      {.id = "TO14.thm2.1.2",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {{.name = "all quartic V with M = m I, which do not commute",
                     .measured = general,
                     .interval = {0, 0}}},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note =
           "True for M = m I, and there also necessary: M Da - (M Da)^T = beta h^2 (M B^-1 W - W B^-1 M) (certified "
           "for all quartic V and all masses), and a step is symplectic exactly when this vanishes at both its "
           "ends. Central fields satisfy it though their Hessians have no fixed axes. For other M see "
           "TO14.thm2.1.2.general-mass."});
}

TEST(Theorem21, commuting_is_neither_sufficient_nor_necessary_for_other_masses) {
  // (A): commutes, not symplectic.
  EXPECT_EQ(nonzero(certify(ConditionHolds{Example::ridge_commuting, Condition::commutes})), 0);
  const Certificate a = certify(ExampleIsSymplectic{Example::ridge_commuting});
  EXPECT_GT(find_witness<Rational>(ExampleIsSymplectic{Example::ridge_commuting}).nonzero, 0);
  EXPECT_EQ(evaluate<Rational>(ConditionHolds{Example::ridge_commuting, Condition::commutes}).nonzero, 0);
  // (B): symplectic, does not commute.
  EXPECT_GT(nonzero(certify(ConditionHolds{Example::ridge_symplectic, Condition::commutes})), 0);
  const auto symplectic_everywhere = [](std::initializer_list<Example> examples) {
    Combined found;
    for (const Example example : examples) found.add("symplectic", certify(ExampleIsSymplectic{example}));
    return found;
  };
  // The corrected condition tells both right.
  EXPECT_GT(nonzero(certify(ConditionHolds{Example::ridge_commuting, Condition::symmetric})), 0);
  EXPECT_EQ(nonzero(certify(ConditionHolds{Example::ridge_symplectic, Condition::symmetric})), 0);
  expect_verdict(exactly(
      a,
      {.id = "TO14.thm2.1.2.general-mass",
       .controls = {exact_control("all quartic V with the same M, which do not commute",
                                  certify(ExampleIsSymplectic{Example::general_two_masses})),
                    passing(exact_control("M = m I, V central or separable, which commute",
                                          symplectic_everywhere({Example::central, Example::rotated}))),
                    passing(exact_control("the right condition with M = diag(1, 4): V = phi_1(x_1 + x_2) + "
                                          "phi_2(x_1 - 4 x_2)",
                                          symplectic_everywhere({Example::ridge_symplectic})))},
       .note =
           "False for unequal masses: with beta h^2 A = diag(4, 1), V = x.A x/2 + phi(x_1 + x_2) and any quartic phi, "
           "B and W commute and a step changes the form, in (x, M v) and in (x, v). Right, sufficient and necessary: "
           "M B^-1 W symmetric; for M = m I that is the condition of the paper. Remark 2.2 has the same error: "
           "commuting does not make Da symmetric, and fixed axes u_i of Hess V suffice where u_i . M^-1 u_j = 0."}));
}

// --- the order of the defect, and reversibility ----------------------------------------------------------------------

/// The coefficients of h^from, ..., h^to of J'Omega J - Omega; without that of h^5 in dx_0 ^ dx_1 if so asked, by the
/// formula -beta^2 (H M^-1 W - W M^-1 H), W = V'''.M^-1 grad V, H = Hess V.
template <int N>
struct FormCoefficients {
  Family family;
  int from, to;
  bool without_formula = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using Series = PowerSeries<K, N>;
    using T = Dual<Series>;
    const auto number = [](const K& x) { return T(Series(x)); };
    const Matrix<K, Dynamic> mass = draw_mass<K>(draw, family.n, family.mass);
    Matrix<T, Dynamic> in_series(family.n, family.n);
    for (int i = 0; i < family.n; ++i)
      for (int j = 0; j < family.n; ++j) in_series(i, j) = number(mass(i, j));
    using System = PolynomialSystem<T>;
    const auto potential = polynomial<K>(family.n, 1, family.degree, [&] { return draw.variable("v"); });
    PolynomialPotential<T> potential_in_series;
    PolynomialPotential<Dual<K>> potential_in_duals;
    for (const auto& monomial : potential.monomials) {
      potential_in_series.monomials.push_back({number(monomial.coefficient), monomial.exponents});
      potential_in_duals.monomials.push_back({Dual<K>(monomial.coefficient), monomial.exponents});
    }
    const System system(FullMass<T, Dynamic>(in_series), potential_in_series);
    const K beta = draw.positive("beta");
    SimplifiedZhangSkeel<System> method(system, {number(beta)});
    const PhasePoint<K> at{draw.variables("q", family.n), draw.variables("p", family.n)};
    const PhasePoint<Series> start{at.q.template cast<Series>(), at.p.template cast<Series>()};
    const auto entries =
        symplecticity<Series>(start, [&](auto& q, auto& p) { advance(method, system, q, p, T(Series::variable())); });
    std::vector<K> values;
    for (const Series& entry : entries)
      for (int k = from; k <= to; ++k) values.push_back(entry[k]);
    if (without_formula) {  // c = 0: B = M, W = V'''.M^-1 grad V
      const Linearisation<K> limit = linearise<K>(mass, potential, potential_in_duals, at.q, K(0));
      DenseHessian<K, Dynamic> hessian(family.n);
      potential.hessian(at.q, hessian);
      const Matrix<K, Dynamic> product = hessian.matrix * inverse_times<K>(mass, limit.w);
      values[static_cast<std::size_t>(5 - from)] += beta * beta * (product(0, 1) - product(1, 0));
    }
    return values;
  }
};

TEST(Theorem21, the_defect_of_simplified_zhang_skeel_begins_with_h5) {
  const Family family{2, 4, Mass::full};
  int first = 0;
  Combined vanishing;
  while (first <= 6) {
    const Certificate certificate = certify(FormCoefficients<6>{family, first, first});
    if (nonzero(certificate) > 0) break;
    vanishing.add("a coefficient", certificate);
    ++first;
  }
  EXPECT_TRUE(certify(FormCoefficients<6>{family, 0, 5, true}).proved());  // the formula of the note, and nothing else
  const Combined other = certify_on<StepIsSymplectic>(few_families(), simplified);
  EXPECT_EQ(other.disproved, static_cast<int>(few_families().size()));
  expect_verdict(
      {.id = "TO14.int4.not-always-symplectic",
       .measured = static_cast<double>(first),
       .unit = "power of h",
       .interval = {5, 5},
       .controls = {{.name = "quadratic V, where V''' = 0: no coefficient up to h^6",
                     .measured = static_cast<double>(
                         nonzero(certify(FormCoefficients<6>{{2, 2, Mass::full}, 0, 6})) == 0 ? 7 : 0),
                     .interval = {5, 5}}},
       .evidence = Evidence::proved,
       .probability_bound = vanishing.probability(),
       .note =
           "The coefficient of h^5 in the dx ^ dx part is -beta^2 (Hess V M^-1 W - W M^-1 Hess V), W = V'''.M^-1 grad "
           "V: by M B^-1 W - W B^-1 M = -beta h^2 (Hess V M^-1 W - W M^-1 Hess V) + O(h^4), times beta h^2 by (*), "
           "times h/2 for each of two kicks. The paper's h^5 is right, for the form as for the terms dropped. "
           "Witness: " +
           other.disproof});
}

TEST(Theorem21, simplified_zhang_skeel_is_reversible) {
  const Combined found = certify_on<StepIsReversible>(few_families(), simplified);
  const auto newmark = []<class System, class T>(const System& system, const T& beta) {
    return Newmark<System>(system, {.beta = beta, .newton = {.fixed_iterations = 1}});
  };
  const auto euler = []<class System, class T>(const System& system, const T&) {
    return SymplecticEuler<System>(system);
  };
  expect_verdict(
      {.id = "TO14.thm2.1.4",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control("Newmark with one Newton iteration",
                                  certify_on<StepIsReversible>({{2, 3, Mass::full}}, newmark)),
                    exact_control("symplectic Euler", certify_on<StepIsReversible>({{2, 3, Mass::full}}, euler))},
       .evidence = Evidence::proved,
       .probability_bound = found.probability()});
}

// --- Remark 2.2 ------------------------------------------------------------------------------------------------------

}  // namespace
}  // namespace livi::theorem
