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

}  // namespace livi
