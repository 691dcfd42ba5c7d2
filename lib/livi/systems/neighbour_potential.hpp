// SPDX-License-Identifier: MIT
//
// Potentials of chains: V = sum_k w_k(x_{k-1}, x_k) over blocks x_0, x_1, ... of B coordinates, w_0 of x_0 alone. What
// is a block's own may go with either of its terms; a potential of longer range is of this form with larger blocks.
//
// Such a potential may, beside what potential.hpp asks for, hand out the derivatives of one term at a time:
//   block_size                                            B
//   neighbour_derivatives(at, before, here)               of w_k at x_{k-1} = before, x_k = here
//   neighbour_third(at, before, here, a_before, a)        a . w_k''' . a, for the two blocks
// as templates over the number type T of the blocks: T is scalar_type, or two of them, for two terms at once
// (linalg/both_ends.hpp). What depends on k is at([&](Eigen::Index k) { return ...; }), a T. For k = 0 `before` and
// `a_before` are zero, as if the chain were fixed to the origin, and what is returned for x_{-1} is not read.
// Linearly implicit steps then compute, eliminate and forget row by row (integrators/neighbour_sweep.hpp).
#pragma once

#include <livi/systems/potential.hpp>

namespace livi {

/// Gradient and Hessian of w(x_{k-1}, x_k). Of the symmetric blocks the lower triangle counts.
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

/// One term, by its index.
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
