// SPDX-License-Identifier: MIT
//
// What the experiments on the chain of n pendula of TO14 4.2 share: the system, its start, and the runs of SHAKE and
// Z&S.
//
// Unit masses, links of length L = sqrt 5, V = gravity * sum of the heights; the start (i, -2i), i = 1 .. n, is a
// straight line at the angle atan(1/2) from the vertical. Coordinates (x_1, y_1, ..., x_n, y_n).
#pragma once

#include <cmath>
#include <limits>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/planar_chain.hpp>
#include <livi/trajectory/trajectory.hpp>
#include <string>
#include <vector>

namespace livi::hanging_chain {

template <class S>
using Coordinates = Vector<S, Dynamic>;

constexpr double squared_length = 5, printed_beta = 0.4, printed_omega = 20, printed_step = 0.05;
constexpr int printed_links = 10;
/// The coefficient of the sum of the heights: with +1 the chain hangs, -1 is the text as printed.
constexpr double gravity_down = 1, gravity_as_printed = -1;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The structure of the Hessian decides the linear algebra of all methods: block-tridiagonal at O(n), or dense.
template <class S = double, class Hessian = BlockTridiagonalHessian<S, 2>>
auto chain(Eigen::Index links, double gravity = gravity_down) {
  return ConstrainedSystem(
      ScalarMass<S, Dynamic>(S(1), 2 * links), GravityPotential<S, Dynamic>{S(gravity)},
      PlanarChainConstraint<S, Dynamic, Hessian>{Coordinates<S>::Constant(links, S(squared_length))});
}
using Constrained = decltype(chain<double>(1));
using Penalised = decltype(penalised(chain<double>(1), 20.0));

template <class S = double>
Coordinates<S> straight_start(Eigen::Index links) {
  Coordinates<S> q(2 * links);
  for (Eigen::Index k = 0; k < links; ++k) {
    q(2 * k) = S(static_cast<double>(k + 1));
    q(2 * k + 1) = S(static_cast<double>(-2 * (k + 1)));
  }
  return q;
}

template <class S = double>
Coordinates<S> at_rest(Eigen::Index links) {
  return Coordinates<S>::Constant(2 * links, S(0));
}

/// Where Z&S starts: at x(0) = q(0), or at the x that stands for q(0), x(0) = eta(q(0)) = q + beta h^2 M^-1 grad V.
enum class StartAt { position, mapped };

inline Coordinates<double> start_of(StartAt at, const Penalised& system, double beta, double h) {
  const Coordinates<double> q = straight_start(system.size() / 2);
  Coordinates<double> x = q;
  if (at == StartAt::mapped) Newmark(system, {.beta = beta}).canonical_position(q, h, x);
  return x;
}

}  // namespace livi::hanging_chain
