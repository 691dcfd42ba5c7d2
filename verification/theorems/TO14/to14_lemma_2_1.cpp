// SPDX-License-Identifier: MIT
// Theorem: TO14 Lemma 2.1: scheme (21) is symplectic when the Jacobian of its force is symmetric: right for M a
// multiple of the identity; in general M Df must be symmetric, and that is necessary too.
//
// The step is kick, drift, kick in (x, p = M v): p += h/2 M f(x), x += h M^-1 p, p += h/2 M f(x). A drift is
// symplectic; a kick changes dx ^ dp by h/2 sum_ij (M Df)_ij dx_i ^ dx_j, which vanishes exactly when M Df is
// symmetric. Two kicks of one step cannot cancel each other's change: only the second one's has a part dp ^ dp (see
// to14_theorem_2_1.cpp).
#include "study/evidence/certified.hpp"

namespace livi::theorem {

Program this_program() {
  return {"to14_lemma_2_1",
          {"TO14", "Lemma 2.1", "2.3"},
          "scheme (21) is symplectic when M Df is symmetric; Df symmetric is enough for scalar masses only"};
}

namespace {

/// What f of (21) is: a polynomial vector field of degree 3.
enum class Force {
  gradient,             ///< f = -grad U: Df symmetric
  gradient_after_mass,  ///< f = -M^-1 grad U: M Df symmetric
  any                   ///< no symmetry at all
};

struct SchemeIsSymplectic {
  int n;
  Mass mass;
  bool scaled;  ///< the mass times a variable: M = m I for Mass::identity
  Force force;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    Matrix<T, Dynamic> matrix = draw_mass<T>(draw, n, mass);
    if (scaled) matrix *= T(draw.positive("m"));
    const PolynomialSystem<T> system(FullMass<T, Dynamic>(matrix), {});
    // One potential, or one polynomial for each component.
    std::vector<PolynomialPotential<T>> fields;
    for (int i = 0; i < (force == Force::any ? n : 1); ++i)
      fields.push_back(polynomial<T>(n, 1, force == Force::any ? 3 : 4, [&] { return T(draw.variable("u")); }));
    const auto f = [&](const Vector<T, Dynamic>& x) {
      Vector<T, Dynamic> result = x;
      if (force == Force::any) {
        for (Eigen::Index i = 0; i < n; ++i) result(i) = fields[static_cast<std::size_t>(i)].value(x);
        return result;
      }
      fields.front().gradient(x, result);
      result = -result;
      if (force == Force::gradient_after_mass) result = system.velocity(result);
      return result;
    };
    GenericSymmetric method(system, f);
    const T h(draw.positive("h"));
    const PhasePoint<K> at{draw.variables("q", n), draw.variables("p", n)};
    return symplecticity<K>(at, [&](auto& q, auto& p) { advance(method, system, q, p, h); });
  }
};

Combined certify_all(std::initializer_list<SchemeIsSymplectic> statements) {
  Combined result;
  for (const SchemeIsSymplectic& statement : statements)
    result.add("n = " + std::to_string(statement.n), certify(statement));
  return result;
}

TEST(Lemma21, symmetric_jacobian_suffices_for_scalar_masses) {
  const Combined found = certify_all({{2, Mass::identity, true, Force::gradient},
                                      {3, Mass::identity, true, Force::gradient},
                                      {4, Mass::identity, true, Force::gradient}});
  expect_verdict(
      {.id = "TO14.lem2.1",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control(
                        "f any cubic vector field, M = m I",
                        certify_all({{2, Mass::identity, true, Force::any}, {3, Mass::identity, true, Force::any}})),
                    exact_control("f = -grad U with M diagonal",
                                  certify_all({{2, Mass::diagonal, false, Force::gradient},
                                               {3, Mass::diagonal, false, Force::gradient}}))},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note =
           "True in (x, M v) for M = m I; also in (x, v) with dx ^ dv for any M. In (x, M v), the form of Theorem 2.5, "
           "with another M it is false: see TO14.lem2.1.general-mass. Jacobians at a point are those of quadratic U, "
           "so that quartic U covers every C^1 force."});
}

TEST(Lemma21, the_right_condition_is_that_m_df_is_symmetric) {
  const auto wrong = [](int n, Mass mass) { return SchemeIsSymplectic{n, mass, false, Force::gradient}; };
  const auto right = [](int n, Mass mass) { return SchemeIsSymplectic{n, mass, false, Force::gradient_after_mass}; };
  const Combined corrected =
      certify_all({right(2, Mass::diagonal), right(2, Mass::full), right(3, Mass::diagonal), right(3, Mass::full)});
  EXPECT_EQ(corrected.nonzero, 0) << corrected.disproof;
  const Combined literal = certify_all({wrong(2, Mass::diagonal), wrong(2, Mass::full), wrong(3, Mass::full)});
  EXPECT_EQ(literal.disproved, 3);
  const auto witness = find_witness<Rational>(wrong(2, Mass::diagonal));
  EXPECT_GT(witness.nonzero, 0);
  EXPECT_EQ(evaluate<Rational>(right(2, Mass::full)).nonzero, 0);
  expect_verdict(
      {.id = "TO14.lem2.1.general-mass",
       .measured = static_cast<double>(corrected.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls =
           {exact_control("f = -grad U, M diagonal and full: Df symmetric, M Df not", literal),
            exact_control("f any cubic vector field, full M", certify_all({{2, Mass::full, false, Force::any}})),
            passing(exact_control("f = -grad U, M = m I", certify_all({{2, Mass::identity, true, Force::gradient},
                                                                       {3, Mass::identity, true, Force::gradient}})))},
       .evidence = Evidence::proved,
       .probability_bound = corrected.probability(),
       .note = "The lemma does not say in which variables it means symplectic; in (x, v) it is true as it stands "
               "(TO14.lem2.1). M Df symmetric is sufficient and necessary. Theorem 2.5 is not touched: M f is a "
               "gradient for Z&S. A symmetric Df that does not do: " +
               witness.witness.substr(0, witness.witness.find(" at "))});
}

}  // namespace
}  // namespace livi::theorem
