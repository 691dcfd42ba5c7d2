// SPDX-License-Identifier: MIT
// Theorem: TO14 Remark 2.2: commutation makes the force's Jacobian symmetric, one degree of freedom always satisfies
// it, and so does a Hessian diagonalised by a fixed matrix: the last for a mass that suits the matrix only.
//
// From (*) of to14_theorem_2_1.cpp: with M = m I, m (Da - Da^T) = beta h^2 m (B^-1 W - W B^-1), zero exactly when B and
// W commute. With one degree of freedom all matrices are numbers. If Hess V(x) = R D(x) R^T with a fixed orthogonal R,
// then V = sum phi_i(r_i.x) up to linear terms, W = R D'(x) R^T, and B commutes with it when M does: M = m I, or any M
// that R diagonalises too. For other M the right statement is with columns u_i for which u_i . M^-1 u_j = 0, i not j:
// independent oscillators in mass-weighted coordinates.
#include "study/evidence/commutation.hpp"

namespace livi::theorem {

Program this_program() {
  return {"to14_remark_2_2",
          {"TO14", "Remark 2.2", "2.3"},
          "when the commutation condition of simplified Z&S holds: one degree of freedom, fixed eigenvectors"};
}

namespace {

TEST(Remark22, commuting_makes_the_jacobian_symmetric_for_scalar_masses_only) {
  Combined found;
  for (const Example example : {Example::central, Example::rotated}) {
    found.add("the condition", certify(ConditionHolds{example, Condition::commutes}));
    found.add("Da symmetric", certify(ConditionHolds{example, Condition::jacobian_symmetric}));
  }
  EXPECT_EQ(found.nonzero, 0) << found.disproof;
  // With M = diag(1, 4), commuting everywhere, Da is not symmetric. Then M Da would have to be.
  Combined with_mass;
  with_mass.add("the condition", certify(ConditionHolds{Example::ridge_commuting, Condition::commutes}));
  EXPECT_EQ(with_mass.nonzero, 0) << with_mass.disproof;
  with_mass.add("Da symmetric", certify(ConditionHolds{Example::ridge_commuting, Condition::jacobian_symmetric}));
  EXPECT_GT(with_mass.nonzero, 0) << "TO14.thm2.1.2.general-mass";
}

TEST(Remark22, one_degree_of_freedom_is_always_symplectic) {
  const std::vector<Family> one{{1, 4, Mass::diagonal}, {1, 7, Mass::diagonal}};
  const Combined found = certify_on<StepIsSymplectic>(one, simplified);
  // There the certificate has no power against the mutants of Z&S: that is why no test of the battery uses one.
  for (const int factor : {-1, 2}) EXPECT_EQ(certify_on<StepIsSymplectic>(one, Mutant{factor}).nonzero, 0);
  expect_verdict({.id = "TO14.rem2.2.one-dof",
                  .measured = static_cast<double>(found.nonzero),
                  .unit = exact_unit,
                  .interval = {0, 0},
                  .controls = {exact_control("two degrees of freedom, all quartic V",
                                             certify_on<StepIsSymplectic>({{2, 4, Mass::identity}}, simplified))},
                  .evidence = Evidence::proved,
                  .probability_bound = found.probability(),
                  .note =
                      "So are Z&S with the V''' term of the wrong sign or without its 1/2: one degree of freedom tells "
                      "none of them apart."});
}

TEST(Remark22, a_fixed_eigenbasis_suffices_for_scalar_masses_only) {
  Combined scalar;
  scalar.add("the condition", certify(ConditionHolds{Example::rotated, Condition::commutes}));
  scalar.add("symplectic", certify(ExampleIsSymplectic{Example::rotated}));
  EXPECT_EQ(scalar.nonzero, 0) << scalar.disproof;
  EXPECT_GT(nonzero(certify(ConditionHolds{Example::rotated_diagonal_mass, Condition::commutes})), 0);
  // With axes rotated against those of M it is not symplectic.
  EXPECT_GT(nonzero(certify(ExampleIsSymplectic{Example::rotated_diagonal_mass})), 0) << "TO14.thm2.1.2.general-mass";
  // It is for axes u_i with u_i . M^-1 u_j = 0, though B and W do not commute there.
  EXPECT_EQ(nonzero(certify(ExampleIsSymplectic{Example::ridge_symplectic})), 0);
}

}  // namespace
}  // namespace livi::theorem
