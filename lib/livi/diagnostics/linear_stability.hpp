// SPDX-License-Identifier: MIT
//
// Linear stability, decided instead of sampled. On q'' = -z q with h = 1 (z = (h omega)^2) a step is a 2 x 2 matrix of
// rational functions of z, obtained from the integrator's own code. With determinant 1 it is stable where its trace T
// has |T| < 2 and unstable where |T| > 2; the signs of 4 - T^2 on (0, infinity) are a question about real roots of one
// polynomial, which Sturm's theorem answers for all z.
#pragma once

#include <array>
#include <cmath>

#include <livi/integrators/integrator.hpp>
#include <livi/scalar/rational_function.hpp>
#include <livi/systems/potentials.hpp>

namespace livi {

/// The matrix of one step in (q, v), entries [row][column].
template <class K>
struct StepMatrix {
  std::array<std::array<RationalFunction<K>, 2>, 2> entries;
  [[nodiscard]] RationalFunction<K> trace() const { return entries[0][0] + entries[1][1]; }
  [[nodiscard]] RationalFunction<K> determinant() const {
    return entries[0][0] * entries[1][1] - entries[0][1] * entries[1][0];
  }
};

/// Oscillator with unit mass and frequency squared z, the variable.
template <class K>
using VariableOscillator =
    MechanicalSystem<ScalarMass<RationalFunction<K>, 1>, HarmonicPotential<RationalFunction<K>, 1>>;

template <class K>
VariableOscillator<K> variable_oscillator() {
  return {ScalarMass<RationalFunction<K>, 1>(1),
          {Vector<RationalFunction<K>, 1>::Constant(RationalFunction<K>::variable())}};
}

/// `make(system)` returns the method. Throws std::domain_error if a step fails or is not linear in this sense.
template <class K, class Make>
StepMatrix<K> step_matrix(const Make& make) {
  using F = RationalFunction<K>;
  const VariableOscillator<K> system = variable_oscillator<K>();
  StepMatrix<K> m;
  for (std::size_t j = 0; j < 2; ++j) {
    auto method = make(system);
    auto z = method.start(Vector<F, 1>::Constant(F(j == 0 ? 1 : 0)), Vector<F, 1>::Constant(F(j == 1 ? 1 : 0)));
    if (const StepOutcome outcome = method.step(z, F(1)); !outcome.ok())
      throw std::domain_error("step_matrix: " + outcome.describe());
    m.entries[0][j] = z.q(0);
    m.entries[1][j] = z.v(0);
  }
  return m;
}

/// Where a method is stable, with z = (h omega)^2.
struct StabilityDecision {
  bool determinant_is_one = false;
  bool unconditional = false;  ///< |T| <= 2 for all z > 0
  int crossings = 0;           ///< roots of 4 - T^2 in (0, infinity) at which it changes sign
  /// The first crossing, to within 1e-18; both zero if there is none.
  Rational z_low = 0, z_high = 0;
  /// h omega there; infinite if there is none, 0 if the method is unstable for small z already.
  double limit = unlimited;
};

/// From the trace of a step with determinant 1. |T| = 2 at a root of even multiplicity (a touching) counts as stable
/// here: there eigenvalues meet without leaving the unit circle, and the matrix is +-I or a Jordan block whose powers
/// grow linearly; the neighbourhood is stable.
inline StabilityDecision decide_stability(const StepMatrix<Rational>& m) {
  using P = Polynomial<Rational>;
  StabilityDecision decision;
  decision.determinant_is_one = m.determinant() == RationalFunction<Rational>(1);
  const RationalFunction<Rational> trace = m.trace();
  // 4 - T^2 = (4 d^2 - n^2)/d^2 with T = n/d: the sign is that of the numerator.
  P inside = Rational(4) * trace.denominator() * trace.denominator() - trace.numerator() * trace.numerator();
  if (inside.is_zero()) {
    decision.unconditional = true;
    return decision;
  }
  while (inside[0] == 0) inside = P::divide(inside, P::variable()).first;  // z > 0
  // The factors of odd multiplicity: Yun's square-free decomposition.
  P odd = P::constant(1), rest = inside.monic();
  P common = P::greatest_common_divisor(rest, rest.derivative()), radical = P::divide(rest, common).first;
  for (int multiplicity = 1; radical.degree() > 0; ++multiplicity) {
    const P next = P::greatest_common_divisor(radical, common);
    if (multiplicity % 2 == 1) odd = odd * P::divide(radical, next).first;
    common = P::divide(common, next).first;
    radical = next;
  }
  const bool stable_at_zero = inside[0] > 0;
  if (odd.degree() > 0) {
    const SturmSequence sturm(odd);
    decision.crossings = sturm.roots(0);
    const Rational width = Rational(1) / Rational(1000000000000000000L);
    if (const auto root = sturm.smallest_root_above(0, width)) {
      decision.z_low = root->first;
      decision.z_high = root->second;
    }
  }
  decision.unconditional = stable_at_zero && decision.crossings == 0;
  if (!stable_at_zero) {
    decision.limit = 0;
  } else if (decision.crossings > 0) {
    decision.limit = std::sqrt(Rational((decision.z_low + decision.z_high) / 2).convert_to<double>());
  }
  return decision;
}

}  // namespace livi
