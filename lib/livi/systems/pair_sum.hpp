// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <livi/systems/potential.hpp>
#include <livi/systems/radial.hpp>

namespace livi {

/// A potential that is a sum over pairs of particles in D dimensions of functions of their squared distances, with all
/// its derivatives (the chain rule of TO14 (30), in squared distances). Coordinates are ordered particle by particle.
/// Derived has
///   for_each_pair(q, f)   calls f(i, j, d, u) for each pair that interacts: d = r_i - r_j, u the RadialDerivatives
/// Cost: one evaluation per pair. The functions named add_... add to their result; the others set it.
template <class Derived, class S, int D>
class PairSum {
 public:
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  static constexpr int dimension = Dynamic;

  S value(const vector_type& q) const {
    S sum(0);
    each(q, [&](Eigen::Index, Eigen::Index, const Vector<S, D>&, const RadialDerivatives<S>& u) { sum += u.value; });
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    out.setConstant(q.size(), S(0));
    add_gradient(q, out);
  }
  void add_gradient(const vector_type& q, vector_type& out) const {
    each(q, [&](Eigen::Index i, Eigen::Index j, const Vector<S, D>& d, const RadialDerivatives<S>& u) {
      add(i, j, (S(2) * u.first) * d, out);
    });
  }
  /// Sets h to the Hessian, of which only the lower triangle is written.
  template <class H>
  void hessian(const vector_type& q, H& h) const {
    h.set_zero();
    add_hessian(q, h);
  }
  template <class H>
  void add_hessian(const vector_type& q, H& h) const {
    each(q, [&](Eigen::Index i, Eigen::Index j, const Vector<S, D>& d, const RadialDerivatives<S>& u) {
      const Matrix<S, D> block = radial_hessian<S, D>(u, d);
      h.template add_block<D>(i, i, block);
      h.template add_block<D>(j, j, block);
      h.template add_block<D>(std::max(i, j), std::min(i, j), -block);
    });
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out.setConstant(q.size(), S(0));
    add_third(q, a, out);
  }
  void add_third(const vector_type& q, const vector_type& a, vector_type& out) const {
    each(q, [&](Eigen::Index i, Eigen::Index j, const Vector<S, D>& d, const RadialDerivatives<S>& u) {
      const Vector<S, D> relative = a.template segment<D>(i * D) - a.template segment<D>(j * D);
      add(i, j, radial_third<S, D>(u, d, relative), out);
    });
  }
  /// Sets out = Hess V(q) a without forming the matrix; out must not be a.
  void hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const {
    out.setConstant(q.size(), S(0));
    each(q, [&](Eigen::Index i, Eigen::Index j, const Vector<S, D>& d, const RadialDerivatives<S>& u) {
      const Vector<S, D> relative = a.template segment<D>(i * D) - a.template segment<D>(j * D);
      S along(0);
      for (int k = 0; k < D; ++k) along += d(k) * relative(k);
      add(i, j, (S(2) * u.first) * relative + (S(4) * u.second * along) * d, out);
    });
  }

 private:
  template <class F>
  void each(const vector_type& q, const F& f) const {
    static_cast<const Derived&>(*this).for_each_pair(q, f);
  }
  template <class V>
  static void add(Eigen::Index i, Eigen::Index j, const V& force, vector_type& out) {
    for (int k = 0; k < D; ++k) {
      out(i * D + k) += force(k);
      out(j * D + k) -= force(k);
    }
  }
};

}  // namespace livi
