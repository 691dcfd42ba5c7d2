// SPDX-License-Identifier: MIT
//
// Symplecticity of the adaptive methods of CS101, proved: a step solves equations for numbers, and is explicit in other
// parameters, the positions at both ends. From q_k, q_{k+1}, h and E0 follow dt = h (sigma(q_k) + sigma(q_{k+1}))/2,
// the momentum between M (q_{k+1} - q_k)/dt, and the momenta at both ends, all rational where W and sigma are. The form
// dq ^ dp - dt ^ dE0 at both ends is the same function of these parameters, or it is not. That the library's methods
// take these steps is seen in 50 digits.
#include <gtest/gtest.h>

#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>

#include "study/evidence/certified.hpp"

namespace livi {
namespace {

using theorem::Family, theorem::PolynomialSystem;

enum class Form {
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
Ends<T> ends_of(Form form, const System& system, const Density& density, const Vector<T, Dynamic>& q0,
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
    case Form::hamiltonian:
      return {p + half * (s0 * force0 + e0 * g0), p - half * (s1 * force1 + e1 * g1), dt};
    case Form::gradient_of_the_start:
      return {p + half * (s0 * force0 + e0 * g0), p - half * (s1 * force1 + e1 * g0), dt};
    case Form::variational:
      return {p + time * force0 + (half * lambda) * g0, p - time * force1 - (half * lambda) * g1, dt};
    case Form::multiplier_sign:
      return {p + time * force0 - (half * lambda) * g0, p - time * force1 + (half * lambda) * g1, dt};
    case Form::reversible:
      break;
  }
  return {p + (half * s0) * force0, p - (half * s1) * force1, dt};
}

/// The form at both ends of a step, for all potentials and masses of a family, all h, E0 and positions; sigma is
/// c / (b - W) with all b and c, W the potential of the system or, if it is `unrelated`, any other of the family.
struct PreservesTheForm {
  Form form;
  Family family;
  bool unrelated = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    const int n = family.n;
    const auto system = theorem::draw_system<T>(draw, family);
    const auto other = unrelated ? theorem::draw_system<T>(draw, family) : system;
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

const std::vector<Family>& decided_on() {
  using theorem::Mass;
  static const std::vector<Family> all{{2, 4, Mass::full}, {3, 3, Mass::diagonal}, {3, 4, Mass::full}};
  return all;
}
void expect(Form form, Certificate::Finding finding) {
  for (const Family& family : decided_on())
    for (const bool unrelated : {false, true}) {
      const Certificate found = certify(PreservesTheForm{form, family, unrelated});
      EXPECT_EQ(found.finding, finding) << family.name() << (unrelated ? ", another density: " : ": ")
                                        << found.describe();
      if (finding == Certificate::Finding::proved) {
        EXPECT_LT(found.probability, 1e-30);
      }
    }
}
TEST(AdaptiveCertificates, the_hamiltonian_method_is_symplectic) {
  expect(Form::hamiltonian, Certificate::Finding::proved);
}
TEST(AdaptiveCertificates, the_variational_method_is_symplectic) {
  expect(Form::variational, Certificate::Finding::proved);
}
TEST(AdaptiveCertificates, with_a_wrong_gradient_or_sign_they_are_not) {
  expect(Form::gradient_of_the_start, Certificate::Finding::disproved);
  expect(Form::multiplier_sign, Certificate::Finding::disproved);
}
TEST(AdaptiveCertificates, the_reversible_method_is_not_symplectic) {
  expect(Form::reversible, Certificate::Finding::disproved);
}

// --- the library's methods take these steps ----------------------------------------------------------------------------

using F = Float50;
using System = PolynomialSystem<F>;
using Density = InverseKineticEnergy<System>;

/// Returns how far a step of the method is from the end that the formulas give, from the start that they give.
template <class Make>
F distance(Form form, const Make& make, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  Draw<F> draw(generator);
  const System system = theorem::draw_system<F>(draw, {2, 4, theorem::Mass::full});
  const F h = draw.positive("h") / F(50), energy = draw.variable("E");
  // Kinetic energies of about 20, well above what W is near the origin.
  const Density density(system, F(20), F(0), F(20));
  const Vector<F, Dynamic> q0 = draw.variables("q", 2), v = draw.variables("v", 2), q1 = q0 + h * v;
  const Ends<F> ends = ends_of<F>(form, system, density, q0, q1, energy, h);
  auto method = make(system, density);
  auto z = method.start(q0, system.velocity(ends.p0));
  z.energy = energy;
  EXPECT_TRUE(method.step(z, h).ok()) << draw.point();
  return larger(larger(RealOf<F>(max_magnitude(z.q - q1)), RealOf<F>(max_magnitude(system.momentum(z.v) - ends.p1))),
                magnitude(F(z.t - ends.dt)));
}
TEST(AdaptiveCertificates, the_methods_of_the_library_are_those_that_are_certified) {
  const auto hamiltonian = [](const System& system, const Density& density) {
    return HamiltonianAdaptiveVerlet<System, Density>(system, density);
  };
  const auto variational = [](const System& system, const Density& density) {
    return VariationalAdaptiveVerlet<System, Density>(system, density);
  };
  const auto reversible = [](const System& system, const Density& density) {
    return ReversibleAdaptiveVerlet<System, Density>(system, density);
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_LT(distance(Form::hamiltonian, hamiltonian, seed), F(1e-45)) << seed;
    EXPECT_LT(distance(Form::variational, variational, seed), F(1e-45)) << seed;
    EXPECT_LT(distance(Form::reversible, reversible, seed), F(1e-45)) << seed;
    // Controls, more than twenty digits apart from that: the wrong forms, and one method for another.
    EXPECT_GT(distance(Form::gradient_of_the_start, hamiltonian, seed), F(1e-20)) << seed;
    EXPECT_GT(distance(Form::multiplier_sign, variational, seed), F(1e-20)) << seed;
    EXPECT_GT(distance(Form::hamiltonian, variational, seed), F(1e-20)) << seed;
  }
}

}  // namespace
}  // namespace livi
