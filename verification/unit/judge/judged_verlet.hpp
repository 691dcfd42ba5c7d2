// SPDX-License-Identifier: MIT
//
// What a right declaration of Verlet says, and of a method of order four, and which rows of a judgement have a verdict.
#pragma once

#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/rows/judgement.hpp>
#include <string>
#include <vector>

#include "verification/judge/declaring.hpp"
#include "verification/judge/judgement_rows.hpp"

namespace livi::test {

/// What Verlet is, in all number types and kinds of problem.
inline ForeignDeclaration of_verlet() {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.order = 2;
  declaration.symplectic = declaration.symmetric = declaration.linear_momentum = declaration.angular_momentum = true;
  declaration.gradients = 2;
  declaration.stability_limit = 2;
  declaration.numbers = {NumberType::real, NumberType::complex, NumberType::digits, NumberType::rational};
  declaration.digits = 50;
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable};
  return declaration;
}

inline Judgement judged(const BuiltInMethod& method, const ForeignDeclaration& declaration) {
  Declaring subject(method, declaration);
  return judge(subject, {.drawn = 1});
}

/// Fourth order with two vectors of four coefficients (McLachlan and Atela 1992), kick first.
inline const std::vector<double> drifts{0.5153528374311229364, -0.085782019412973646, 0.4415830236164665242,
                                        0.1288461583653841854};
inline const std::vector<double> kicks{0.1344961992774310892, -0.2248198030794208058, 0.7563200005156682911,
                                       0.3340036032863214255};
inline ForeignDeclaration of_order_four() {
  ForeignDeclaration declaration = of_verlet();
  declaration.order = 4;
  declaration.gradients = 4;
  declaration.symmetric = false;
  declaration.stability_limit = std::nullopt;
  declaration.numbers = {NumberType::real};
  declaration.kinds = {ProblemKind::mechanical};
  return declaration;
}

}  // namespace livi::test
