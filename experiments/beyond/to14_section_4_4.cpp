// SPDX-License-Identifier: MIT
// Theorem: TO14 Section 4.4: (31) and its energy; the linear theory behind Figure 8: what Z&S keeps of a mode, and the
// energy that shows; and when its modified potential is bounded below
//
// Formulas and derivation: livi/diagnostics/mode_energy.hpp, experiments/TO14/dna/dna_stability.cpp. A mode is a chain
// of one particle in a harmonic well, run by the library's own methods in 50 digits. Its mean energy over all phases is
// a mean over finitely many steps if a step turns it by a rational part of a whole turn:
//   cos phi = 1 - h^2 w~^2/2, so theta = s/(1 - beta s) with s = 2 - 2 cos phi gives the angle phi.
#include <Eigen/Eigenvalues>
#include <livi/diagnostics/mode_energy.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/dna_chain.hpp>
#include <random>

#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"to14_section_4_4",
          {"TO14", "Section 4.4", "4.4"},
          "Z&S on a harmonic mode: what is kept, which energy shows, and when the modified potential is bounded below"};
}

namespace {

using F = Float50;
using V = Vector<F, Dynamic>;

struct HarmonicWell {
  using scalar_type = F;
  F stiffness;
  [[nodiscard]] F value(const F& x) const { return stiffness * x * x / 2; }
  [[nodiscard]] OnSiteDerivatives<F> derivatives(const F& x) const { return {stiffness * x, stiffness, F(0)}; }
};

F pi() { return 4 * atan(F(1)); }

/// A mode that a step turns by 2 pi turns/steps.
struct RationalMode {
  int turns, steps;
  F h, beta;
  [[nodiscard]] F frequency_squared() const {
    const F s = 2 - 2 * cos(2 * pi() * turns / steps);
    return s / (1 - beta * s) / (h * h);
  }
};

/// Sums along `steps` steps of a method; the readings are those of ModeUnderStep.
struct Sums {
  F stored = 0, physical = 0, kept_spread = 0;
};

template <class Method>
Sums along(Method method, const F& w2, const ModePoint<F>& start, const F& h, const F& beta, long steps) {
  const ModeUnderStep<F> mode(w2, h, beta);
  Sums sums;
  const auto kept = [&](const auto& z) { return F(z.v(0) * z.v(0) + mode.kept_frequency_squared() * z.q(0) * z.q(0)); };
  auto z = method.start(V::Constant(1, start.x), V::Constant(1, start.v));
  const F first = kept(z);
  for (long k = 0; k < steps; ++k) {
    EXPECT_TRUE(method.step(z, h).ok());
    const F x = z.q(0), v = z.v(0), q = x / (1 + beta * h * h * w2);
    sums.stored += (v * v + w2 * x * x) / 2;
    sums.physical += (v * v + w2 * q * q) / 2;
    sums.kept_spread = larger(sums.kept_spread, F(abs(kept(z) / first - 1)));
  }
  sums.stored /= steps;
  sums.physical /= steps;
  return sums;
}

/// The largest relative deviations over several modes, methods and starts.
struct Deviations {
  F mean = 0, finite_mean = 0, kept = 0;
  F beside = 0;  ///< deviation of the mean, with beta moved by 1e-6 in the closed form
};

Deviations deviations() {
  Deviations worst;
  const auto see = [](F& largest, const F& measured, const F& expected) {
    largest = larger(largest, F(abs(measured / expected - 1)));
  };
  for (const RationalMode& rational :
       {RationalMode{1, 5, 2, F(3) / 10}, RationalMode{3, 10, 2, F(3) / 10}, RationalMode{2, 7, 1, F(1) / 4},
        RationalMode{1, 12, F(1) / 2, F(2) / 5}, RationalMode{1, 7, F(1) / 5, 0}}) {
    const F w2 = rational.frequency_squared(), &h = rational.h, &beta = rational.beta;
    const auto chain = klein_gordon_chain(1, HarmonicWell{w2}, ChainEnds::free);
    const ModeUnderStep<F> mode(w2, h, beta), beside(w2, h, F(beta + F(1) / 1000000));
    for (const ModePoint<F>& start : {ModePoint<F>{1, 0}, ModePoint<F>{0, 1}, ModePoint<F>{F(3) / 7, F(-2) / 3}}) {
      const auto compare = [&](const auto& method) {
        // Twice the angle goes once round, so half a period would do; a whole one is n steps.
        const Sums period = along(method, w2, start, h, beta, rational.steps),
                   part = along(method, w2, start, h, beta, 17);
        see(worst.mean, period.stored, mode.mean_energy(start, PositionReading::stored));
        see(worst.mean, period.physical, mode.mean_energy(start, PositionReading::physical));
        see(worst.beside, period.stored, beside.mean_energy(start, PositionReading::stored));
        see(worst.finite_mean, part.stored, mode.mean_energy(start, PositionReading::stored, 17));
        see(worst.finite_mean, part.physical, mode.mean_energy(start, PositionReading::physical, 17));
        worst.kept = larger(worst.kept, period.kept_spread);
      };
      if (beta == 0) {
        compare(VelocityVerlet(chain));
      } else {
        compare(ZhangSkeel(chain, {beta}));
        compare(SimplifiedZhangSkeel(chain, {beta}));
      }
    }
  }
  return worst;
}

/// Formulas (b), (c), (d) of mode_energy.hpp against its mean_energy.
F largest_formula_deviation() {
  F worst = 0;
  const auto see = [&](const F& a, const F& b) { worst = larger(worst, F(abs(a / b - 1))); };
  for (const F& h : {F(1) / 5, F(1), F(2)})
    for (const F& w2 : {F(1) / 28, F(1), F(4)}) {
      const F beta = F(3) / 10, theta = h * h * w2, b = 1 + beta * theta, quarter = 1 + (beta - F(1) / 4) * theta;
      const ModeUnderStep<F> mode(w2, h, beta);
      const auto ratio = [&](const ModePoint<F>& stored, const ModePoint<F>& physical, PositionReading at) {
        return F(mode.mean_energy(stored, at) / ((physical.v * physical.v + w2 * physical.x * physical.x) / 2));
      };
      see(ratio({1, 0}, {1, 0}, PositionReading::stored), F((1 + quarter / (b * b)) / 2));
      see(ratio({0, 1}, {0, 1}, PositionReading::stored), F((1 + b * b / quarter) / 2));
      see(ratio({b, 0}, {1, 0}, PositionReading::physical), F(1 + (beta - F(1) / 4) * theta / 2));
      see(ratio({0, 1}, {0, 1}, PositionReading::physical), F((1 + 1 / quarter) / 2));
    }
  return worst;
}

constexpr Interval rounding{0, 1e-45};

}  // namespace

TEST(TO14_s4_4, a_mode_keeps_an_invariant_of_its_own) {
  const Deviations found = deviations();
  const auto chain = klein_gordon_chain(1, HarmonicWell{F(4)}, ChainEnds::free);
  // The energy itself, in the place of what is kept.
  F energy_spread = 0;
  ZhangSkeel method(chain, {F(3) / 10});
  auto z = method.start(V::Constant(1, F(1)), V::Constant(1, F(0)));
  for (int k = 0; k < 10; ++k) {
    EXPECT_TRUE(method.step(z, F(2)).ok());
    energy_spread = larger(energy_spread, F(abs((z.v(0) * z.v(0) + 4 * z.q(0) * z.q(0)) / 4 - 1)));
  }
  expect_verdict(
      {.id = "TO14.s4.4.mode-invariant",
       .measured = to_double(found.kept),
       .interval = rounding,
       .controls = {{.name = "the energy, w = 2, h = 2", .measured = to_double(energy_spread), .interval = rounding}}});
}

TEST(TO14_s4_4, mean_energy_of_a_mode) {
  const Deviations found = deviations();
  report().measurement({.name = "mode.formulas_of_head.deviation",
                        .value = to_double(largest_formula_deviation()),
                        .tolerance = {.absolute = 1e-45}});
  expect_verdict({.id = "TO14.s4.4.mode-energy",
                  .measured = to_double(larger(larger(found.mean, found.finite_mean), largest_formula_deviation())),
                  .interval = rounding,
                  .controls = {{.name = "beta moved by 1e-6 in the closed form",
                                .measured = to_double(found.beside),
                                .interval = rounding}}});
}

namespace {

/// x.K x/2 - (c/2) F.(1 + c K + c D)^-1 F, F = -K x: the modified potential of Z&S for V = x.K x/2 + sum U(x_k), less
/// the parts that the force of U makes. And the other form of it.
struct TwoForms {
  F direct, woodbury;
};
TwoForms modified_potential(const Matrix<F, Dynamic>& K, const V& d, const F& c, const V& x) {
  const auto n = x.size();
  const Matrix<F, Dynamic> one = Matrix<F, Dynamic>::Identity(n, n);
  Matrix<F, Dynamic> shifted = one + c * K, D = Matrix<F, Dynamic>::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    shifted(i, i) += c * d(i);
    D(i, i) = c / (1 + c * d(i));
  }
  const V Kx = K * x;
  const V solved = shifted.fullPivLu().solve(Kx);
  const Matrix<F, Dynamic> inverse = K.fullPivLu().solve(one) + D;
  const V other = inverse.fullPivLu().solve(x);
  return {F(x.dot(Kx) / 2 - c / 2 * Kx.dot(solved)), F(x.dot(other) / 2)};
}

}  // namespace

TEST(TO14_s4_4, the_modified_potential_is_bounded_below) {
  // A chain of 6 between walls, so that K is regular; c = 1.2 as in Figure 8.
  constexpr Eigen::Index n = 6;
  const F c = F(6) / 5;
  Matrix<F, Dynamic> K = Matrix<F, Dynamic>::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    K(i, i) = 2;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -1;
  }
  std::mt19937_64 generator(4404);
  const auto uniform = [&] { return F(static_cast<double>(generator() >> 11) * 0x1p-52 - 1); };
  F deviation = 0, least = 1, least_beyond = 1;
  for (int trial = 0; trial < 200; ++trial) {
    V x(n), d(n), beyond(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      x(i) = uniform();
      d(i) = F(-5852) / 10000 + (uniform() + 1) * F(429) / 1000;  // epsilon U'' of the model
      beyond(i) = -1 / c - F(1) / 10;
    }
    const TwoForms within = modified_potential(K, d, c, x), past = modified_potential(K, beyond, c, x);
    deviation = larger(deviation, F(abs(within.direct / within.woodbury - 1)));
    const F size = x.dot(x);
    if (within.direct / size < least) least = within.direct / size;
    if (past.direct / size < least_beyond) least_beyond = past.direct / size;
  }
  report().measurement({.name = "modified_potential.least_rayleigh_quotient",
                        .value = to_double(least),
                        .tolerance = {.relative = 1e-9}});
  const Interval positive{0, std::numeric_limits<double>::infinity()};
  report().measurement({.name = "modified_potential.two_forms.deviation",
                        .value = to_double(deviation),
                        .tolerance = {.absolute = 1e-43}});
  EXPECT_LT(to_double(deviation), 1e-43);
  expect_verdict(
      {.id = "TO14.s4.4.modified-potential-bounded",
       .measured = to_double(least),
       .interval = positive,
       .controls = {
           {.name = "1 + c U'' < 0 on every site", .measured = to_double(least_beyond), .interval = positive}}});
}

namespace {

/// The largest deviation of the library's accelerations from (31) typed as printed on a ring, U' by dual numbers, and
/// from the slope of the library's energy along each coordinate.
struct ForceDeviations {
  F from_equation = 0, from_energy = 0;
};
ForceDeviations of_model(ChainEnds ends, const F& epsilon) {
  using D = Dual<F>;
  constexpr Eigen::Index n = 7;
  const auto system = dna_chain<F>(n, ends);
  const auto energy = dna_chain<D>(n, ends);
  std::mt19937_64 engine(4);
  std::uniform_int_distribution<int> thousandth(-4000, 4000);
  ForceDeviations result;
  for (int trial = 0; trial < 10; ++trial) {
    V q(n), acceleration(n);
    for (Eigen::Index k = 0; k < n; ++k) q(k) = F(thousandth(engine)) / 1000;
    system.acceleration(q, acceleration);
    for (Eigen::Index k = 0; k < n; ++k) {
      const D angle(q(k), F(1)), e = exp(D(F(-7)) * (D(F(1)) - cos(angle) - D(F(3) / 10))) - D(F(1));
      const F printed = q((k + 1) % n) - 2 * q(k) + q((k + n - 1) % n) - epsilon * (e * e).derivative;
      result.from_equation = std::max<F>(result.from_equation, abs(acceleration(k) - printed));
      Vector<D, Dynamic> along(n);
      for (Eigen::Index i = 0; i < n; ++i) along(i) = D(q(i), F(i == k ? 1 : 0));
      const F slope = energy.potential().value(along).derivative;
      result.from_energy = std::max<F>(result.from_energy, abs(acceleration(k) + slope));
    }
  }
  return result;
}

}  // namespace

TEST(TO14_s4_4, the_printed_equation_is_that_of_an_energy) {
  const F epsilon = F(1) / 1400;
  const ForceDeviations ring = of_model(ChainEnds::periodic, epsilon), open = of_model(ChainEnds::free, epsilon),
                        other = of_model(ChainEnds::periodic, epsilon / 2);
  const double deviation = to_double(std::max<F>(ring.from_equation, ring.from_energy));
  report().measurement({.name = "ring.deviation_from_printed_forces",
                        .value = deviation,
                        .tolerance = {.absolute = rounding.high},
                        .noise_floor = rounding.high});
  EXPECT_LE(deviation, rounding.high);
  // With free ends the equation of the two end bases lacks a neighbour; their forces are minus the slope of an energy,
  // too.
  EXPECT_GT(to_double(open.from_equation), 1e-3);
  EXPECT_LT(to_double(open.from_energy), 1e-45);
  EXPECT_GT(to_double(other.from_equation), 1e-6) << "half the strength of the pairing";
}

}  // namespace livi::theorem
