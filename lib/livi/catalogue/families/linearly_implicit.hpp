// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/variational_stiff_zhang_skeel.hpp>
#include <livi/integrators/zhang_skeel.hpp>

namespace livi {

inline auto linearly_implicit_methods() {
  return std::tuple{
      method<SystemKind::mechanical>(
          {.name = "zhang-skeel",
           .type = "ZhangSkeel",
           .header = "zhang_skeel.hpp",
           .sentence = "For stiff springs: symplectic, with one symmetric linear solve a step.",
           .equation =
               "(M + c Hess V) a = -grad V, c = beta h^2; f = a - c^2/2 M^-1 (a . V''' . a); kick, drift, kick with f",
           .options = {newmark_beta},
           .subjects = {{"ZhangSkeel"}, {"ZhangSkeel_beta_0.4", {2, 5}}, {"ZhangSkeel_beta_0.1", {1, 10}}}},
          WithBeta<ZhangSkeel>()),
      method<SystemKind::mechanical>({.name = "simplified-zhang-skeel",
                                      .type = "SimplifiedZhangSkeel",
                                      .header = "simplified_zhang_skeel.hpp",
                                      .sentence = "Z&S without the third derivative of V: cheaper, and not symplectic.",
                                      .equation = "(M + c Hess V) a = -grad V; kick, drift, kick with a",
                                      .options = {newmark_beta},
                                      .subjects = {{"SimplifiedZhangSkeel"}}},
                                     WithBeta<SimplifiedZhangSkeel>()),
      method<SystemKind::split>(
          {.name = "stiff-zhang-skeel",
           .type = "StiffZhangSkeel",
           .header = "simplified_zhang_skeel.hpp",
           .sentence = "Simplified Z&S with the Hessian of the stiff part only: the cheapest, and not symplectic.",
           .equation = "(M + c Hess V1) a = -grad V; kick, drift, kick with a",
           .options = {newmark_beta},
           .subjects = {{"StiffZhangSkeel"}}},
          WithBeta<StiffZhangSkeel>()),
      method<SystemKind::split>(
          {.name = "variational-stiff-zhang-skeel",
           .type = "VariationalStiffZhangSkeel",
           .header = "variational_stiff_zhang_skeel.hpp",
           .sentence = "For stiff springs beside many soft degrees of freedom: the matrix has the Hessian of the stiff "
                       "part only, and yet it is symplectic.",
           .equation =
               "(M + c Hess V1) a = -grad V; M f = M a - c Hess V0 a - c^2/2 (a . V1''' . a); kick, drift, kick with f",
           .options = {newmark_beta},
           .subjects = {{"VariationalStiffZhangSkeel"}}},
          WithBeta<VariationalStiffZhangSkeel>())};
}

}  // namespace livi
