// SPDX-License-Identifier: MIT
//
// Symplecticity of the adaptive methods of CS101, proved (study/evidence/adaptive_statements.hpp says how). That the
// library's methods take these steps is seen in 50 digits.
#include <gtest/gtest.h>

#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>

#include "study/evidence/adaptive_statements.hpp"

namespace livi {

namespace adaptive_certificate_test {

using theorem::Family, theorem::PolynomialSystem, theorem::PreservesTheForm, theorem::Ends, theorem::ends_of;
using Form = theorem::AdaptiveForm;

void expect(Form form, Certificate::Finding finding) {
  for (const Family& family : theorem::adaptive_families())
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

}  // namespace adaptive_certificate_test
}  // namespace livi
