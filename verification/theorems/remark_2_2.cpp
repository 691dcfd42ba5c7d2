// SPDX-License-Identifier: MIT
// Theorem: TO14 Remark 2.2: commutation makes the force's Jacobian symmetric, one degree of freedom always satisfies
// it, and so does a Hessian diagonalised by a fixed matrix: the last for a mass that suits the matrix only.
//
// From (*) of theorem_2_1.cpp: with M = m I, m (Da - Da^T) = beta h^2 m (B^-1 W - W B^-1), zero exactly when B and W
// commute. With one degree of freedom all matrices are numbers. If Hess V(x) = R D(x) R^T with a fixed orthogonal R,
// then V = sum phi_i(r_i.x) up to linear terms, W = R D'(x) R^T, and B commutes with it when M does: M = m I, or any M
// that R diagonalises too. For other M the right statement is with columns u_i for which u_i . M^-1 u_j = 0, i not j:
// independent oscillators in mass-weighted coordinates.
#include "verification/theorems/commutation.hpp"

namespace livi::theorem {

Program this_program() {
  return {"remark_2_2",
          {"TO14", "Remark 2.2", "2.3"},
          "when the commutation condition of simplified Z&S holds: one degree of freedom, fixed eigenvectors"};
}

namespace {

TEST(Remark22, commuting_makes_the_jacobian_symmetric_for_scalar_masses) {
  Combined found;
  for (const Example example : {Example::central, Example::rotated}) {
    found.add("the condition", certify(ConditionHolds{example, Condition::commutes}));
    found.add("Da symmetric", certify(ConditionHolds{example, Condition::jacobian_symmetric}));
  }
  // With M = diag(1, 4), commuting everywhere, Da is not symmetric; nor is the symmetry of Da what counts then.
  const double with_mass = nonzero(certify(ConditionHolds{Example::ridge_commuting, Condition::jacobian_symmetric}));
  expect_verdict(
      Verdict::confirmed_with_limits,
      {.id = "TO14.rem2.2.commuting-gives-symmetric",
       .source = {"TO14", "Sec. 2.3, Remark 2.2"},
       .statement =
           "The commutation condition makes the Jacobian of the force of Z&Ss symmetric, hence Z&Ss symplectic.",
       .hypothesis = "M = m I; central and separable quartic V",
       .how = std::string("B W - W B and Da - Da^T on all central quartic V in three dimensions and all V separable in "
                          "rotated axes; ") +
              exactly_how,
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .reason = exact_reason,
       .controls = {{.name = "all quartic V with M = m I, which do not commute",
                     .measured =
                         nonzero(certify(ConditionHolds{Example::general_scalar, Condition::jacobian_symmetric})),
                     .interval = {0, 0}},
                    {.name = "M = diag(1, 4), V = x.A x/2 + phi(x_1 + x_2), which commutes",
                     .measured = with_mass,
                     .interval = {0, 0}}},
       .verdict = Verdict::confirmed_with_limits,
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note = "True for M = m I and any V, by Da - Da^T = beta h^2 (B^-1 W - W B^-1), and there also necessary. For "
               "other masses "
               "commuting does not give a symmetric Da (second control), and what must be symmetric is M Da."});
}

TEST(Remark22, one_degree_of_freedom_is_always_symplectic) {
  const std::vector<Family> one{{1, 4, Mass::diagonal}, {1, 7, Mass::diagonal}};
  const Combined found = certify_on<StepIsSymplectic>(one, simplified);
  // There the certificate has no power against the mutants of Z&S: that is why no test of the battery uses one.
  for (const int factor : {-1, 2}) EXPECT_EQ(certify_on<StepIsSymplectic>(one, Mutant{factor}).nonzero, 0);
  expect_verdict(
      Verdict::confirmed,
      {.id = "TO14.rem2.2.one-dof",
       .source = {"TO14", "Sec. 2.3, Remark 2.2"},
       .statement = "With one degree of freedom the condition holds and Z&Ss is symplectic.",
       .hypothesis = "all polynomials V of degree 7, any mass",
       .how = std::string("J'Omega J - Omega for all V of degree 7 and all masses; ") + exactly_how,
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .reason = exact_reason,
       .controls = {exact_control("two degrees of freedom, all quartic V",
                                  certify_on<StepIsSymplectic>({{2, 4, Mass::identity}}, simplified))},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note = "So are Z&S with the V''' term of the wrong sign or without its 1/2: one degree of freedom tells "
               "none of them apart."});
}

TEST(Remark22, a_fixed_eigenbasis_suffices_for_scalar_masses) {
  Combined scalar;
  scalar.add("the condition", certify(ConditionHolds{Example::rotated, Condition::commutes}));
  scalar.add("symplectic", certify(ExampleIsSymplectic{Example::rotated}));
  EXPECT_GT(nonzero(certify(ConditionHolds{Example::rotated_diagonal_mass, Condition::commutes})), 0);
  const auto witness = find_witness<Rational>(ExampleIsSymplectic{Example::rotated_diagonal_mass});
  EXPECT_GT(witness.nonzero, 0);
  EXPECT_EQ(nonzero(certify(ExampleIsSymplectic{Example::ridge_symplectic})), 0);
  expect_verdict(
      Verdict::confirmed_with_limits,
      {.id = "TO14.rem2.2.fixed-diagonaliser",
       .source = {"TO14", "Sec. 2.3, Remark 2.2"},
       .statement = "If one matrix diagonalises Hess V at all positions, the condition holds and Z&Ss is symplectic.",
       .hypothesis = "M = m I, two degrees of freedom",
       .how = std::string("B W - W B and J'Omega J - Omega for V = phi_1(r_1.x) + phi_2(r_2.x), all quartic phi_i, "
                          "axes at any angle; ") +
              exactly_how,
       .measured = static_cast<double>(scalar.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .reason = exact_reason,
       .controls = {{.name = "the same V with M diagonal",
                     .measured = nonzero(certify(ExampleIsSymplectic{Example::rotated_diagonal_mass})),
                     .interval = {0, 0},
                     .note = witness.witness},
                    {.name = "all quartic V, M = m I",
                     .measured = nonzero(certify(ExampleIsSymplectic{Example::general_scalar})),
                     .interval = {0, 0}}},
       .verdict = Verdict::confirmed_with_limits,
       .evidence = Evidence::proved,
       .probability_bound = scalar.probability(),
       .note =
           "False as printed for other masses: with M diagonal and axes rotated against those of M neither does B "
           "commute with W nor is Z&Ss symplectic (first control; a rational point in its note). Right for any M: V = "
           "sum phi_i(u_i.x) with u_i . M^-1 u_j = 0 for i not j; certified for u = (1, 1), (1, -4), M = diag(1, 4)."});
}

}  // namespace
}  // namespace livi::theorem
