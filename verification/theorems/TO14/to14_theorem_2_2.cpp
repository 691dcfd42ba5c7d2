// SPDX-License-Identifier: MIT
// Theorem: TO14 Theorem 2.2: Z&S is unconditionally linearly stable if and only if beta >= 1/4; the same for Newmark,
// its push-forward and Z&Ss; what compositions keep of it
//
// The test equation is q'' = -omega^2 q, h = 1, z = (h omega)^2. It decides M q'' = -K q in any dimension: there all
// four methods advance by q_{k+1} - 2 q_k + q_{k-1} = -h^2 (M + beta h^2 K)^-1 K q_k (in x), a rational function of
// M^-1 K, so the modes of M^-1 K decouple. From the integrators' own code, in exact arithmetic:
//
//   T(z) = 2 - z/(1 + beta z),  2 - T = z/(1 + beta z) > 0,  2 + T = (4 + (4 beta - 1) z)/(1 + beta z).
//
// beta = 1/4 + s, s >= 0: both numerators have no negative coefficient in z and s: |T| < 2 for every z > 0 (and no
// double eigenvalue, so no growth at all). beta = 1/4 - s, 0 < s <= 1/4: 2 + T has its only root at z = 1/s and is
// negative beyond: unstable for h omega > 1/sqrt(s) = 2/sqrt(1 - 4 beta).
#include "study/program/theorem.hpp"

#include <livi/diagnostics/linear_stability.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

namespace livi::theorem {

Program this_program() {
  return {"to14_theorem_2_2",
          {"TO14", "Theorem 2.2", "2.3"},
          "Z&S, Z&Ss, Newmark and push-forward Newmark are unconditionally linearly stable if and only if beta >= 1/4"};
}

}  // namespace livi::theorem

namespace {

using namespace livi;
using theorem::expect_verdict;
using InS = RationalFunction<Rational>;  // of s = |beta - 1/4|
using InZ = RationalFunction<InS>;       // of z, with coefficients in s
using OfZ = RationalFunction<Rational>;  // of z, beta a number

/// The step matrix of a method for beta = 1/4 + sign s, s a variable.
template <template <class> class Method>
StepMatrix<InS> with_variable_beta(int sign) {
  const InS s = InS::variable(), beta = InS(ratio<Rational>(1, 4)) + InS(sign) * s;
  return step_matrix<InS>([&]<class System>(const System& system) { return Method<System>(system, {InZ(beta)}); });
}

int negative_coefficients(const Polynomial<Rational>& p) {
  return static_cast<int>(std::ranges::count_if(p.coefficients(), [](const Rational& c) { return c < 0; }));
}
int negative_coefficients(const Polynomial<InS>& p) {
  int count = 0;
  for (const InS& c : p.coefficients())
    count += negative_coefficients(c.numerator()) + negative_coefficients(c.denominator());
  return count;
}
/// 0 shows that f > 0 for all z > 0, s >= 0 (f is not zero).
int negative_coefficients(const InZ& f) {
  return negative_coefficients(f.numerator()) + negative_coefficients(f.denominator()) + (f.is_zero() ? 1 : 0);
}

/// Negative coefficients of 2 - T and 2 + T, plus one if the determinant is not 1.
int against_unconditional_stability(const StepMatrix<InS>& m) {
  const InZ trace = m.trace();
  return negative_coefficients(InZ(2) - trace) + negative_coefficients(InZ(2) + trace) +
         (m.determinant() == InZ(1) ? 0 : 1);
}

/// 2 + T for beta = 1/4 - s vanishes at z = 1/s for every s, and its numerator is of degree one in z: counts what
/// fails.
int against_the_threshold(const StepMatrix<InS>& m) {
  const InZ f = InZ(2) + m.trace();
  const InS root = InS(1) / InS::variable();
  return (f.numerator().degree() == 1 ? 0 : 1) + (f.numerator()(root) == InS(0) ? 0 : 1);
}

Claim stability_claim(const std::string& id, int found, int control, const std::string& note) {
  return {.id = id,
          .measured = static_cast<double>(found),
          .unit = "coefficients",
          .interval = {0, 0},
          .controls = {{.name = "beta = 1/4 - s", .measured = static_cast<double>(control), .interval = {0, 0}}},
          .evidence = Evidence::proved,
          .note = note};
}

TEST(Theorem_2_2, if_) {
  const StepMatrix<InS> above = with_variable_beta<ZhangSkeel>(1), below = with_variable_beta<ZhangSkeel>(-1);
  expect_verdict(stability_claim("TO14.thm2.2.if", against_unconditional_stability(above),
                                 against_unconditional_stability(below),
                                 "T = 2 - z/(1 + beta z), z = (h omega)^2; |T| < 2 strictly, at beta = 1/4 too, so no "
                                 "mode grows even linearly; T tends to -2 as z grows when beta = 1/4."));
  expect_verdict(stability_claim("TO14.thm1.1.1", against_unconditional_stability(above),
                                 against_unconditional_stability(below),
                                 "The statement of Theorem 2.2, 'if' part, decided by the same exact trace."));
}

TEST(Theorem_2_2, only_if) {
  const StepMatrix<InS> below = with_variable_beta<ZhangSkeel>(-1), above = with_variable_beta<ZhangSkeel>(1);
  expect_verdict(
      {.id = "TO14.thm2.2.only-if",
       .measured = static_cast<double>(against_the_threshold(below)),
       .unit = "failures",
       .interval = {0, 0},
       .controls = {{.name = "beta = 1/4 + s",
                     .measured = static_cast<double>(against_the_threshold(above)),
                     .interval = {0, 0}}},
       .evidence = Evidence::proved,
       .note = "Beyond h omega = 2/sqrt(1 - 4 beta) the trace is below -2: unstable, with this exact limit."});
}

TEST(Theorem_2_2, the_same_for_the_other_three) {
  const StepMatrix<InS> simplified = with_variable_beta<SimplifiedZhangSkeel>(1);
  expect_verdict(stability_claim("TO14.thm2.1.1", against_unconditional_stability(simplified),
                                 against_unconditional_stability(with_variable_beta<SimplifiedZhangSkeel>(-1)),
                                 "On a quadratic potential V''' = 0: Z&Ss and Z&S are the same map."));
  const StepMatrix<InS> pushed = with_variable_beta<PushforwardNewmark>(1);
  expect_verdict(stability_claim("TO14.int3.linear-stability", against_unconditional_stability(pushed),
                                 against_unconditional_stability(with_variable_beta<PushforwardNewmark>(-1)),
                                 "On a quadratic potential its step is that of Z&S."));
  const auto newmark = [](int sign) {
    const InS beta = InS(ratio<Rational>(1, 4)) + InS(sign) * InS::variable();
    return step_matrix<InS>(
        [&]<class System>(const System& system) { return Newmark<System>(system, {.beta = InZ(beta)}); });
  };
  expect_verdict(stability_claim("TO14.int2.linear-stability", against_unconditional_stability(newmark(1)),
                                 against_unconditional_stability(newmark(-1)),
                                 "Its trace is that of Z&S, as conjugacy through (13) demands."));
  // Conjugate or identical: one trace.
  const InZ trace = with_variable_beta<ZhangSkeel>(1).trace();
  EXPECT_TRUE(simplified.trace() == trace);
  EXPECT_TRUE(pushed.trace() == trace);
  EXPECT_TRUE(newmark(1).trace() == trace);
}

// What a user asks next: the exact limits of the compositions. Their fractions are irrational; here they are the
// rationals of 17 digits that a
// computer uses in their place, for which the decision is exact.
CompositionScheme<Rational> rational_scheme(const CompositionScheme<Float100>& scheme) {
  CompositionScheme<Rational> rounded{scheme.name, scheme.source, scheme.order, {}};
  const Rational scale(pow(Integer(10), 17));
  for (const Float100& fraction : scheme.fractions)
    rounded.fractions.push_back(Rational(Integer(round(fraction * Float100(scale)))) / scale);
  return rounded;
}

/// A composition of the exact step matrix of one stage at z and fraction gamma: h enters as gamma^2 z and, in the
/// off-diagonal entries, as gamma. Products of polynomials over one denominator: nothing is reduced before the end.
StabilityDecision composed(const StepMatrix<Rational>& stage, const CompositionScheme<Rational>& scheme) {
  using P = Polynomial<Rational>;
  P denominator = P::constant(1);
  for (const auto& row : stage.entries)
    for (const OfZ& entry : row)
      denominator =
          P::divide(denominator * entry.denominator(), P::greatest_common_divisor(denominator, entry.denominator()))
              .first;
  std::array<std::array<P, 2>, 2> product{{{P::constant(1), P()}, {P(), P::constant(1)}}};
  P product_denominator = P::constant(1);
  for (const Rational& gamma : scheme.fractions) {
    const auto at_fraction = [&](const P& p) {
      std::vector<Rational> c = p.coefficients();
      Rational power = 1;
      for (Rational& entry : c) {
        entry *= power;
        power *= gamma * gamma;
      }
      return P(std::move(c));
    };
    std::array<std::array<P, 2>, 2> m, next;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const OfZ& entry = stage.entries[i][j];
        m[i][j] = (i == j  ? Rational(1)
                   : i < j ? gamma
                           : Rational(1) / gamma) *
                  at_fraction(entry.numerator() * P::divide(denominator, entry.denominator()).first);
      }
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) next[i][j] = m[i][0] * product[0][j] + m[i][1] * product[1][j];
    product = next;
    product_denominator = product_denominator * at_fraction(denominator);
  }
  StepMatrix<Rational> result;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) result.entries[i][j] = OfZ(product[i][j], product_denominator);
  return decide_stability(result);
}

/// Returns whether |T| <= 2 at h omega, from a step in double, independently.
template <class Make>
bool stable_in_double(double h_omega, const Make& make) {
  const MechanicalSystem<ScalarMass<double, 1>, HarmonicPotential<double, 1>> oscillator(
      ScalarMass<double, 1>(1), {Vector<double, 1>::Constant(1)});
  double trace = 0;
  for (const int j : {0, 1}) {
    auto method = make(oscillator);
    auto z = method.start(Vector<double, 1>::Constant(j == 0), Vector<double, 1>::Constant(j == 1));
    EXPECT_TRUE(method.step(z, h_omega).ok());
    trace += j == 0 ? z.q(0) : z.v(0);
  }
  return std::abs(trace) <= 2 + 1e-9;  // rounding of a product of up to five matrices of size h^2
}

TEST(Theorem_2_2, exact_limits_of_methods_and_compositions) {
  const auto zhang_skeel = [](const Rational& beta) {
    return step_matrix<Rational>(
        [&]<class System>(const System& system) { return ZhangSkeel<System>(system, {OfZ(beta)}); });
  };
  const auto verlet =
      step_matrix<Rational>([]<class System>(const System& system) { return VelocityVerlet<System>(system); });
  const auto record = [](const std::string& name, const StabilityDecision& decision) {
    EXPECT_TRUE(decision.determinant_is_one) << name;
    theorem::report().count(name + ".unconditional", decision.unconditional ? 1 : 0);
    theorem::report().count(name + ".crossings", decision.crossings);
    if (!decision.unconditional)
      theorem::report().measurement(
          {.name = name + ".limit", .value = decision.limit, .unit = "h omega", .tolerance = {.relative = 1e-14}});
    return decision;
  };
  EXPECT_DOUBLE_EQ(record("verlet", decide_stability(verlet)).limit, 2);
  EXPECT_DOUBLE_EQ(record("zhang_skeel.beta_3_16", decide_stability(zhang_skeel(ratio<Rational>(3, 16)))).limit, 4);
  EXPECT_TRUE(record("zhang_skeel.beta_1_4", decide_stability(zhang_skeel(ratio<Rational>(1, 4)))).unconditional);
  EXPECT_TRUE(
      record("implicit_midpoint", decide_stability(step_matrix<Rational>([]<class System>(const System& system) {
               return ImplicitMidpoint<System>(system);
             })))
          .unconditional);
  const auto agrees_in_double = [](const StabilityDecision& decision, const auto& make) {
    if (decision.unconditional) {
      for (double h = 0.01; h < 1e3; h *= 1.1) EXPECT_TRUE(stable_in_double(h, make)) << h;
    } else {
      for (double fraction = 0.01; fraction < 1; fraction += 0.01)
        EXPECT_TRUE(stable_in_double(fraction * decision.limit, make)) << fraction;
      EXPECT_FALSE(stable_in_double(1.001 * decision.limit, make));
    }
  };
  const CompositionScheme<double> yoshida = livi::yoshida<double>(4), suzuki = livi::suzuki<double>(4);
  const auto yoshida_4 = rational_scheme(livi::yoshida<Float100>(4)),
             suzuki_4 = rational_scheme(livi::suzuki<Float100>(4));
  for (const auto& [name, scheme, of_double] :
       {std::tuple("yoshida_4", yoshida_4, yoshida), std::tuple("suzuki_4", suzuki_4, suzuki)}) {
    const CompositionScheme<double> in_double = of_double;
    agrees_in_double(record(std::string(name) + ".verlet", composed(verlet, scheme)), [&](const auto& system) {
      return Composition(VelocityVerlet<std::decay_t<decltype(system)>>(system), in_double);
    });
    for (const auto& [beta_name, beta] :
         {std::pair("beta_1_4", ratio<Rational>(1, 4)), std::pair("beta_2_5", ratio<Rational>(2, 5))}) {
      const double beta_in_double = beta.convert_to<double>();
      agrees_in_double(record(std::string(name) + ".zhang_skeel." + beta_name, composed(zhang_skeel(beta), scheme)),
                       [&](const auto& system) {
                         return Composition(ZhangSkeel<std::decay_t<decltype(system)>>(system, {beta_in_double}),
                                            in_double);
                       });
    }
  }
}

}  // namespace
