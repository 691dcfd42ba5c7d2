// SPDX-License-Identifier: MIT
//
// The interface of potentials. A potential V on R^n is any class with
//
//   scalar_type, dimension (n or Dynamic), vector_type = Vector<scalar_type, dimension>
//   value(q)                    -> V(q)
//   gradient(q, out)            out = grad V(q), n entries
// and, for the methods that need them,
//   hessian_type; hessian(q, H)            H = Hess V(q), its lower triangle, in the structure of linalg/hessian.hpp
//   gradient_and_hessian(q, out, H)        both in one pass (optional)
//   third(q, a, out)                       out = a . V'''(q) . a, the vector sum_jk V_ijk a_j a_k; never an n^3 tensor
//   shifted_force(mass, c, q, solver, third, f, ready, done)   f = a - c^2/2 M^-1 (a . V'''(q) . a) with
//                                          (M + c Hess V(q)) a = -grad V(q), or f = a if `third` (workspace) is null,
//                                          in fewer passes over q than the above take. Calls ready(k) once before q(k)
//                                          is read or f(k) written, and done(k) once when f(k) is final and q(k) is no
//                                          longer read; has block_size = 1 (optional)
//   hessian_product(q, a, out)             out = Hess V(q) a, without the matrix; out is not a
//   stiff_hessian(q, H)                    Hess of the stiff part V1/eps of V = V0 + V1/eps (TO14 (19))
//   stiff_force(mass, c, q, f)             f = a with (M + c Hess V1(q)/eps) a = -grad V(q), by the potential's own
//                                          algorithm; returns a FactorOutcome (optional)
//   stiff_third(q, a, out)                 third(q, a, out) of the stiff part
//   soft_hessian_product(q, a, out)        hessian_product(q, a, out) of the soft part V0
//
// Potentials of chains: V = sum_k w_k(x_{k-1}, x_k) over blocks x_0, x_1, ... of B coordinates, where w_0 depends on
// x_0 alone. A function of one block may belong to either of the block's terms; a potential of longer range has this
// form with larger blocks.
//
// Beside the above, such a potential may offer the derivatives of one term at a time:
//   block_size                                            B
//   neighbour_derivatives(at, before, here)               those of w_k at x_{k-1} = before, x_k = here
//   neighbour_third(at, before, here, a_before, a)        a . w_k''' . a, for the two blocks
// They are templates over the number type T of the blocks: T is scalar_type, or a pair of them for two terms at once
// (linalg/both_ends.hpp). A number that depends on k is at([&](Eigen::Index k) { return ...; }), which is a T. For
// k = 0 `before` and `a_before` are zero, as if the chain were fixed to the origin, and the results for x_{-1} are not
// read. Linearly implicit steps then compute, eliminate and forget row by row (integrators/neighbour_sweep.hpp).
#pragma once

#include <livi/linalg/hessian.hpp>

namespace livi {

template <class P>
concept Potential = requires(const P& potential, const typename P::vector_type& q, typename P::vector_type& out) {
  requires Scalar<typename P::scalar_type>;
  { potential.value(q) } -> std::convertible_to<typename P::scalar_type>;
  potential.gradient(q, out);
};

template <class P>
concept TwiceDifferentiable = Potential<P> &&
    requires(const P& potential, const typename P::vector_type& q, typename P::hessian_type& hessian) {
  potential.hessian(q, hessian);
};

template <class P>
concept ThriceDifferentiable = TwiceDifferentiable<P> &&
    requires(const P& potential, const typename P::vector_type& q, const typename P::vector_type& a,
             typename P::vector_type& out) {
  potential.third(q, a, out);
};

/// A potential V = V0 + V1/eps that names its stiff part.
template <class P>
concept StiffSplit = Potential<P> &&
    requires(const P& potential, const typename P::vector_type& q, typename P::hessian_type& hessian) {
  potential.stiff_hessian(q, hessian);
};

/// A split potential with the derivatives of its two parts that the variational form of TO14 (19) needs.
template <class P>
concept ThriceDifferentiableSplit = StiffSplit<P> &&
    requires(const P& potential, const typename P::vector_type& q, const typename P::vector_type& a,
             typename P::vector_type& out) {
  potential.stiff_third(q, a, out);
  potential.soft_hessian_product(q, a, out);
};

template <class P>
concept HasHessianProduct = requires(const P& potential, const typename P::vector_type& q,
                                     const typename P::vector_type& a, typename P::vector_type& out) {
  potential.hessian_product(q, a, out);
};

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
