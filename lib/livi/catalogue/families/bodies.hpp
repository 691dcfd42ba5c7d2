// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/linearized_so3.hpp>

namespace livi {

template <class System>
using MuntheKaas = RungeKuttaMuntheKaas4<System>;

template <template <class, class> class M, class Map>
struct WithMap {
  template <class System, class Options>
  auto operator()(const System& system, const Options& options) const {
    return M<System, Map>(system, options.newton);
  }
};

inline auto body_methods() {
  using so3::CayleyMap, so3::ExponentialMap;
  const auto info = [](const char* name, const char* type, const char* header, const char* subject,
                       const char* sentence) {
    return MethodInfo{.name = name,
                      .type = type,
                      .header = header,
                      .sentence = sentence,
                      .options = {newton_tolerance, newton_iterations},
                      .subjects = {{subject}}};
  };
  constexpr auto body = SystemKind::rigid_body;
  const char* const newmark = "Newmark's method of structural mechanics for rigid bodies: its energy drifts.";
  const char* const verlet = "The Verlet method of rigid bodies: symplectic, with one torque a step.";
  const char* const midpoint = "Two halves of a step by the midpoint rule: its energy drifts less than Lie-Newmark's.";
  return std::tuple{
      method<body>(info("lie-newmark-cayley", "LieNewmark, CayleyMap", "lie_newmark.hpp", "LieNewmark_Cayley", newmark),
                   WithMap<LieNewmark, CayleyMap>()),
      method<body>(info("lie-newmark-exponential", "LieNewmark, ExponentialMap", "lie_newmark.hpp",
                        "LieNewmark_exponential", newmark),
                   WithMap<LieNewmark, ExponentialMap>()),
      method<body>(info("lie-verlet-cayley", "LieVerlet, CayleyMap", "lie_verlet.hpp", "LieVerlet_Cayley", verlet),
                   WithMap<LieVerlet, CayleyMap>()),
      method<body>(info("lie-verlet-exponential", "LieVerlet, ExponentialMap", "lie_verlet.hpp",
                        "LieVerlet_exponential", verlet),
                   WithMap<LieVerlet, ExponentialMap>()),
      method<body>(info("lie-midpoint-exponential", "LieMidpoint, ExponentialMap", "lie_midpoint.hpp",
                        "LieMidpoint_exponential", midpoint),
                   WithMap<LieMidpoint, ExponentialMap>()),
      method<body>(
          info("lie-midpoint-cayley", "LieMidpoint, CayleyMap", "lie_midpoint.hpp", "LieMidpoint_Cayley", midpoint),
          WithMap<LieMidpoint, CayleyMap>()),
      method<body>(info("cayley-variational-euler", "CayleyVariationalEuler", "cayley_variational_euler.hpp",
                        "CayleyVariationalEuler", "The symplectic Euler method on the rotation group."),
                   WithNewton<CayleyVariationalEuler>()),
      method<body>({.name = "runge-kutta-munthe-kaas-4",
                    .type = "RungeKuttaMuntheKaas4",
                    .header = "body_runge_kutta.hpp",
                    .sentence = "Kutta's method in the chart: stays on the group, and has no other structure.",
                    .subjects = {{"RungeKuttaMuntheKaas4"}}},
                   Plain<MuntheKaas>()),
      method<body>({.name = "matrix-runge-kutta-4",
                    .type = "MatrixRungeKutta4",
                    .header = "body_runge_kutta.hpp",
                    .sentence = "Kutta's method on twelve numbers: leaves the group.",
                    .subjects = {{"MatrixRungeKutta4"}}},
                   Plain<MatrixRungeKutta4>())};
}

/// The methods of TO14 4.5, for the nine entries of a matrix near SO(3).
inline auto matrix_methods() {
  const Parameter beta{"beta", ">= 0", "1/2", "beta of TO14 (36), twice that of Z&S"};
  return std::tuple{
      method<SystemKind::rotation_matrix>({.name = "linearized-so3",
                                           .type = "LinearizedSO3",
                                           .header = "linearized_so3.hpp",
                                           .sentence = "Z&S on 3 x 3 matrices, solved by their structure.",
                                           .options = {beta},
                                           .defaults = {.beta = {1, 2}}},
                                          WithBeta<LinearizedSO3>()),
      method<SystemKind::rotation_matrix>({.name = "linearized-so3-euler",
                                           .type = "LinearizedSO3Euler",
                                           .header = "linearized_so3.hpp",
                                           .sentence = "The first-order form of LinearizedSO3.",
                                           .options = {beta},
                                           .defaults = {.beta = {1, 2}}},
                                          WithBeta<LinearizedSO3Euler>())};
}

}  // namespace livi
