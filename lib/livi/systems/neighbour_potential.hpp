// SPDX-License-Identifier: MIT
//
// Potentials of chains: V = sum_k w_k(x_{k-1}, x_k) over blocks x_0, x_1, ... of B coordinates, where w_0 depends on
// x_0 alone. A function of one block may belong to either of the block's terms; a potential of longer range has this
// form with larger blocks.
//
// Beside what potential.hpp asks for, such a potential may offer the derivatives of one term at a time:
//   block_size                                            B
//   neighbour_derivatives(at, before, here)               those of w_k at x_{k-1} = before, x_k = here
//   neighbour_third(at, before, here, a_before, a)        a . w_k''' . a, for the two blocks
// They are templates over the number type T of the blocks: T is scalar_type, or a pair of them for two terms at once
// (linalg/both_ends.hpp). A number that depends on k is at([&](Eigen::Index k) { return ...; }), which is a T. For
// k = 0 `before` and `a_before` are zero, as if the chain were fixed to the origin, and the results for x_{-1} are not
// read. Linearly implicit steps then compute, eliminate and forget row by row (integrators/neighbour_sweep.hpp).
#pragma once

#include <livi/systems/potential.hpp>

namespace livi {

/// The gradient and the Hessian of w(x_{k-1}, x_k). Only the lower triangles of symmetric blocks are read.
template <class S, int B>
struct NeighbourDerivatives {
  Vector<S, B> gradient_before, gradient;
  Matrix<S, B> hessian_before;  ///< (k-1, k-1)
  Matrix<S, B> hessian_cross;   ///< (k, k-1)
  Matrix<S, B> hessian;         ///< (k, k)
};

/// The vector a . w''' . a.
template <class S, int B>
struct NeighbourThird {
  Vector<S, B> before, here;
};

/// The place of one term, given by its index.
struct TermAt {
  Eigen::Index k;
  template <class F>
  auto operator()(const F& f) const {
    return f(k);
  }
};

template <class P>
concept NeighbourPotential = Potential<P> &&
    requires(const P& potential, const TermAt& at, const Vector<typename P::scalar_type, P::block_size>& block) {
  requires std::same_as<typename P::hessian_type, BlockTridiagonalHessian<typename P::scalar_type, P::block_size>>;
  {
    potential.neighbour_derivatives(at, block, block)
    } -> std::same_as<NeighbourDerivatives<typename P::scalar_type, P::block_size>>;
  {
    potential.neighbour_third(at, block, block, block, block)
    } -> std::same_as<NeighbourThird<typename P::scalar_type, P::block_size>>;
};

}  // namespace livi
