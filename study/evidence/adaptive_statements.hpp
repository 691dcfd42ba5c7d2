// SPDX-License-Identifier: MIT
//
// Symplecticity of the adaptive methods of CS101 as a statement for certify() (diagnostics/certificate.hpp). A step
// solves equations for numbers, and is explicit in other parameters, the positions at both ends. From q_k, q_{k+1}, h
// and E0 follow dt = h (sigma(q_k) + sigma(q_{k+1}))/2, the momentum between M (q_{k+1} - q_k)/dt, and the momenta at
// both ends, all rational where W and sigma are. The form dq ^ dp - dt ^ dE0 at both ends is the same function of these
// parameters, or it is not.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

#include "study/evidence/certified.hpp"

namespace livi::theorem {

/// The formulas for the momenta at both ends.
enum class AdaptiveForm {
  hamiltonian,            ///< CS101 slide 13
  variational,            ///< CS101 slides 14 to 16, with the signs as derived
  gradient_of_the_start,  ///< slide 13 with the gradient of sigma at q_k in the last line
  multiplier_sign,        ///< the variational method with plus signs before the terms with lambda (slide 16)
  reversible,             ///< slide 20, which claims no symplecticity
};

/// The momenta at both ends of a step and its length in time.
template <class T>
struct Ends {
  Vector<T, Dynamic> p0, p1;
  T dt;
};
template <class T, class System, class Density>
Ends<T> ends_of(AdaptiveForm form, const System& system, const Density& density, const Vector<T, Dynamic>& q0,
                const Vector<T, Dynamic>& q1, const T& energy, const T& h) {
  const T half = h / T(2), s0 = density.value(q0), s1 = density.value(q1), dt = half * (s0 + s1);
  Vector<T, Dynamic> w = q1 - q0, g0 = q0, g1 = q0, force0 = q0, force1 = q0;
  w /= dt;
  const Vector<T, Dynamic> p = system.momentum(w);
  density.gradient(q0, g0);
  density.gradient(q1, g1);
  system.potential().gradient(q0, force0);
  system.potential().gradient(q1, force1);
  const T outside = dot_product(w, p) / T(2) - energy, w0 = system.potential().value(q0),
          w1 = system.potential().value(q1);
  const T e0 = outside + w0, e1 = outside + w1, lambda = (e0 + e1) / T(2);
  const T time = dt / T(2);
  switch (form) {
    case AdaptiveForm::hamiltonian:
      return {p + half * (s0 * force0 + e0 * g0), p - half * (s1 * force1 + e1 * g1), dt};
    case AdaptiveForm::gradient_of_the_start:
      return {p + half * (s0 * force0 + e0 * g0), p - half * (s1 * force1 + e1 * g0), dt};
    case AdaptiveForm::variational:
      return {p + time * force0 + (half * lambda) * g0, p - time * force1 - (half * lambda) * g1, dt};
    case AdaptiveForm::multiplier_sign:
      return {p + time * force0 - (half * lambda) * g0, p - time * force1 + (half * lambda) * g1, dt};
    case AdaptiveForm::reversible:
      break;
  }
  return {p + (half * s0) * force0, p - (half * s1) * force1, dt};
}

/// The form at both ends of a step, for all potentials and masses of a family, all h, E0 and positions; sigma is
/// c / (b - W) with all b and c, W the potential of the system or, if it is `unrelated`, any other of the family.
struct PreservesTheForm {
  AdaptiveForm form;
  Family family;
  bool unrelated = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    const int n = family.n;
    const auto system = draw_system<T>(draw, family);
    const auto other = unrelated ? draw_system<T>(draw, family) : system;
    const InverseKineticEnergy<PolynomialSystem<T>> density(other, T(draw.variable("b")), T(0), T(draw.positive("s")));
    const T h(draw.positive("h"));
    const auto end = [&](const Vector<T, Dynamic>& z, bool last) {
      const Vector<T, Dynamic> q0 = z.head(n), q1 = z.segment(n, n);
      const T t0 = z(2 * n), energy = z(2 * n + 1);
      const Ends<T> ends = ends_of<T>(form, system, density, q0, q1, energy, h);
      PhasePoint<T> point{Vector<T, Dynamic>(n + 1), Vector<T, Dynamic>(n + 1)};
      point.q << (last ? q1 : q0), (last ? T(t0 + ends.dt) : t0);
      point.p << (last ? ends.p1 : ends.p0), -energy;
      return point;
    };
    return symplecticity<K>(
        draw.variables("z", 2 * n + 2), [&](const auto& z) { return end(z, false); },
        [&](const auto& z) { return end(z, true); });
  }
};

/// The families on which the adaptive methods are decided. Degree five makes them all: the form depends on W, its gradient
/// and its Hessian at both ends of the step, and each choice of these is that of a polynomial of degree five. (Along the
/// line through both ends: six numbers, degree five. Across it, with the distance from the line as a factor: four numbers
/// and degree three for the gradient, two and degree one for the Hessian, of degree four and three in all.) The same holds
/// of sigma = c/(b - W) with another W: every positive sigma is one.
inline const std::vector<Family>& adaptive_families() {
  static const std::vector<Family> all{{2, 5, Mass::full}, {3, 3, Mass::diagonal}, {3, 5, Mass::full}};
  return all;
}
/// Decides a form on these families, for densities of the system's potential and of an unrelated one.
inline Combined certify_form(AdaptiveForm form) {
  Combined result;
  for (const Family& family : adaptive_families())
    for (const bool unrelated : {false, true})
      result.add(family.name() + (unrelated ? ", another density" : ""),
                 certify(PreservesTheForm{form, family, unrelated}));
  return result;
}

}  // namespace livi::theorem
