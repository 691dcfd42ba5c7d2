// SPDX-License-Identifier: MIT
// Theorem: TO14 Theorem 2.3 (consistency of the family (20) for arbitrary f and g) and the term that (20) lacks
//
// The step of (20) and the exact flow, from the same state, are power series in h with rational coefficients when V, f
// and g are polynomials with rational coefficients: they agree up to h^2 and differ at h^3, exactly. f and g enter the
// step first at h^4 (x: h^2/2 times h^2 f a) and h^3 (v: h/2 times 2 h^2 f a ...), beyond what order two asks for.
#include "verification/theorems/theorem.hpp"

#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/taylor_flow.hpp>
#include <livi/integrators/generic_consistent.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/potentials.hpp>

#include <random>

namespace livi::theorem {

Program this_program() {
  return {"theorem_2_3",
          {"TO14", "Theorem 2.3", "2.3"},
          "The family (20) is consistent of order two for arbitrary f and g; what it lacks to contain Z&S"};
}

}  // namespace livi::theorem

namespace {

using namespace livi;
using theorem::expect_verdict;
using Q = Rational;
constexpr int n = 3;
template <class S>
using System = MechanicalSystem<FullMass<S, n>, CoupledAnharmonicPotential<S, n>>;
template <class S>
System<S> make_system(const S& mass_factor = S(1)) {
  Matrix<S, n> m;
  m << S(3), S(1), S(0), S(1), S(2), ratio<S>(-1, 2), S(0), ratio<S>(-1, 2), S(1);
  return {FullMass<S, n>(mass_factor * m), {ratio<S>(3, 4), ratio<S>(1, 2)}};
}

/// Polynomials of degree two with random rational coefficients: the entries of f (n x n) and g (n).
struct RandomFunctions {
  std::array<std::array<Q, 4>, n * n + n> coefficients;
  explicit RandomFunctions(std::mt19937_64& random) {
    std::uniform_int_distribution<int> numerator(-9, 9);
    for (auto& entry : coefficients)
      for (Q& c : entry) c = Q(numerator(random), 7);
  }
  template <class S>
  S entry(std::size_t k, const Vector<S, n>& x) const {
    const auto& c = coefficients[k];
    return S(c[0]) + S(c[1]) * x(0) + S(c[2]) * x(1) * x(2) + S(c[3]) * x(2) * x(2);
  }
  template <class S>
  auto f() const {
    return [this](const Vector<S, n>& x) {
      Matrix<S, n> m;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) m(i, j) = entry<S>(static_cast<std::size_t>(n * i + j), x);
      return m;
    };
  }
  template <class S>
  auto g() const {
    return [this](const Vector<S, n>& x) {
      Vector<S, n> v;
      for (int i = 0; i < n; ++i) v(i) = entry<S>(static_cast<std::size_t>(n * n + i), x);
      return v;
    };
  }
};

constexpr int terms = 5;
using T = PowerSeries<Q, terms>;

/// The exact flow from (q, v) as series in time: Picard iteration.
std::pair<Vector<T, n>, Vector<T, n>> flow_series(const Vector<Q, n>& q, const Vector<Q, n>& v) {
  const System<T> system = make_system<T>();
  Vector<T, n> qs, vs, a;
  for (int i = 0; i < n; ++i) {
    qs(i) = T(q(i));
    vs(i) = T(v(i));
  }
  const Vector<T, n> q0 = qs, v0 = vs;
  for (int pass = 0; pass <= terms; ++pass) {
    system.acceleration(qs, a);
    for (int i = 0; i < n; ++i) {
      vs(i) = v0(i) + a(i).integral();
      qs(i) = q0(i) + vs(i).integral();
    }
  }
  return {qs, vs};
}

/// Coefficients of h^0..h^2 in which a step differs from the flow, and of h^3.
struct Truncation {
  int up_to_second = 0, third = 0;
};
/// `mass_factor` other than 1 is the control: the step is then that of another system.
Truncation truncation(const RandomFunctions& functions, PositionCorrection correction, const Q& mass_factor,
                      const Vector<Q, n>& q, const Vector<Q, n>& v) {
  const System<T> system = make_system<T>(T(mass_factor));
  Vector<T, n> qs, vs;
  for (int i = 0; i < n; ++i) {
    qs(i) = T(q(i));
    vs(i) = T(v(i));
  }
  GenericConsistent method(system, functions.f<T>(), functions.g<T>(), correction);
  auto z = method.start(qs, vs);
  EXPECT_TRUE(method.step(z, T::variable()).ok());
  const auto exact = flow_series(q, v);
  Truncation result;
  for (int i = 0; i < n; ++i)
    for (const T& difference : {T(z.q(i) - exact.first(i)), T(z.v(i) - exact.second(i))}) {
      for (int k = 0; k <= 2; ++k) result.up_to_second += difference[k] == 0 ? 0 : 1;
      result.third += difference[3] == 0 ? 0 : 1;
    }
  return result;
}

/// Order of the local error of velocity Verlet at x = 0 for V' = |x|^(3/2) sign x, C^2 but not C^3: measured.
double rough_exponent(bool rough) {
  std::vector<double> errors;
  for (const int k : {4, 5, 6, 7}) {
    const Float50 h = ratio<Float50>(1, 1 << k);
    // From x = 0, v = 1: to the order asked, the force along the path is t^(3/2) (or t^3 for V = x^4/4).
    const Float50 power = rough ? ratio<Float50>(3, 2) : Float50(3);
    const Float50 step = -h * pow(h, power) / 2, exact = -pow(h, power + 1) / (power + 1);
    errors.push_back(to_double(Float50(abs(step - exact))));
  }
  return fitted_exponent(errors, 1);
}

TEST(Theorem_2_3, consistency) {
  std::mt19937_64 random(23);
  std::uniform_int_distribution<int> numerator(-12, 12);
  const auto vector = [&] {
    return Vector<Q, n>(Q(numerator(random), 12), Q(numerator(random), 12), Q(numerator(random), 12));
  };
  int up_to_second = 0, third = 0, wrong = 0, third_included = 0;
  constexpr int draws = 10;
  for (int k = 0; k < draws; ++k) {
    const RandomFunctions functions(random);
    const Vector<Q, n> q = vector(), v = vector();
    for (const auto correction : {PositionCorrection::as_printed, PositionCorrection::included}) {
      const Truncation t = truncation(functions, correction, 1, q, v);
      up_to_second += t.up_to_second;
      (correction == PositionCorrection::as_printed ? third : third_included) += t.third;
    }
    wrong += truncation(functions, PositionCorrection::as_printed, Q(11, 10), q, v).up_to_second;
  }
  theorem::report().seed("f and g", 23);
  theorem::report().count("entries_that_differ_at_h3", third);
  EXPECT_GT(third, 0) << "the order would be higher than two";
  EXPECT_EQ(third, third_included);
  const double rough = rough_exponent(true);
  theorem::report().measurement({.name = "rough_potential.local_exponent", .value = rough, .unit = "order"});
  EXPECT_NEAR(rough, 2.5, 0.01);
  expect_verdict(
      Verdict::confirmed,
      {.id = "TO14.thm2.3",
       .source = {"TO14", "Sec. 2.3, Thm 2.3"},
       .statement = "The family (20) has a truncation error of third order, whatever f and g are, for V in C^3.",
       .hypothesis = "three anharmonic degrees of freedom, full mass; f and g polynomials with random rational "
                     "coefficients, ten draws; (20) as printed and with g in the position",
       .how = "coefficients of h^0, h^1, h^2 in which a step and the exact flow differ, exact power series",
       .measured = static_cast<double>(up_to_second),
       .unit = "coefficients",
       .interval = {0, 0},
       .reason = "exact arithmetic: a coefficient vanishes or it does not",
       .controls = {{.name = "a mass off by a tenth", .measured = static_cast<double>(wrong), .interval = {0, 0}},
                    {.name = "V' = |x|^(3/2) sign x, not C^3: local exponent below three",
                     .measured = 3 - rough,
                     .interval = {-0.05, 0.05}}},
       .evidence = Evidence::proved,
       .note = "At h^3 they do differ: the order is two and not more. f and g may be any bounded functions: they "
               "enter first at h^3 in v and h^4 in x. That V is C^3 is needed: with V' = |x|^(3/2) sign x the "
               "local error is h^(5/2)."});
}

TEST(Theorem_2_3, missing_g) {
  std::mt19937_64 random(20);
  std::uniform_int_distribution<int> numerator(-12, 12);
  const auto vector = [&] {
    return Vector<Q, n>(Q(numerator(random), 12), Q(numerator(random), 12), Q(numerator(random), 12));
  };
  const System<Q> system = make_system<Q>();
  int printed = 0, corrected = 0, half_corrected = 0, not_the_gap = 0;
  constexpr int draws = 10;
  for (int k = 0; k < draws; ++k) {
    const Q h(1 + k, 20), beta(2, 5), c = beta * h * h;
    const Vector<Q, n> x = vector(), v = vector();
    // f and g that make (20) into (3): f = beta Hess V, g = -(beta^2/2) M^-1 a.V'''.a (g depends on h through a).
    const auto f = [&](const Vector<Q, n>& at) {
      DenseHessian<Q, n> hessian;
      system.potential().hessian(at, hessian);
      return Matrix<Q, n>(beta * hessian.matrix);
    };
    const auto g = [&](const Vector<Q, n>& at) {
      Vector<Q, n> a = at, third = at;
      DenseHessian<Q, n> hessian;
      ShiftedSolver<DenseHessian<Q, n>> solver;
      system.potential().hessian(at, hessian);
      EXPECT_FALSE(solver.factor(system.mass(), c, hessian).singular);
      system.potential().gradient(at, a);
      a = -a;
      solver.solve_in_place(a);
      system.potential().third(at, a, third);
      return Vector<Q, n>(-beta * beta / 2 * system.velocity(third));
    };
    ZhangSkeel zhang_skeel(system, {beta});
    auto z = zhang_skeel.start(x, v);
    EXPECT_TRUE(zhang_skeel.step(z, h).ok());
    const auto entries = [&](PositionCorrection correction, const Q& factor) {
      GenericConsistent method(
          system, f, [&](const Vector<Q, n>& at) { return Vector<Q, n>(factor * g(at)); }, correction);
      auto w = method.start(x, v);
      EXPECT_TRUE(method.step(w, h).ok());
      int different = 0;
      const Vector<Q, n> gap = z.q - w.q;
      const Q h6 = h * h * h * h * h * h;
      const Vector<Q, n> expected = h6 / 2 * g(x);
      for (int i = 0; i < n; ++i) {
        different += gap(i) == 0 ? 0 : 1;
        if (correction == PositionCorrection::as_printed) not_the_gap += gap(i) == expected(i) ? 0 : 1;
      }
      return different;
    };
    printed += entries(PositionCorrection::as_printed, 1);
    corrected += entries(PositionCorrection::included, 1);
    half_corrected += entries(PositionCorrection::included, Q(1, 2));
  }
  EXPECT_EQ(corrected, 0);
  EXPECT_EQ(not_the_gap, 0);
  expect_verdict(
      Verdict::misprint,
      {.id = "TO14.eq20.missing-g",
       .source = {"TO14", "Sec. 2.3, eq. (20)"},
       .statement = "(20), of which Corollary 2.1 takes Z&S to be a member, has g in the velocity update only.",
       .how =
           "entries of the position after one step in which (20) as printed differs from Z&S, f and g chosen to fit; "
           "exact",
       .measured = static_cast<double>(printed),
       .unit = "entries",
       .interval = {0, 0},
       .reason = "a member of the family equals it exactly",
       .controls = {{.name = "with the missing term and half of g",
                     .measured = static_cast<double>(half_corrected),
                     .interval = {0, 0}}},
       .verdict = Verdict::misprint,
       .evidence = Evidence::disproved,
       .note =
           "As printed the positions differ by exactly h^6 g(x_k)/2. With + h^6 g(x_k)/2 in the first line, (20) is "
           "Z&S "
           "for f = beta Hess V, g = -(beta^2/2) M^-1 a.V'''.a, exactly, and the truncation error keeps its order. g "
           "then depends on h through a, which 'arbitrary functions of x' does not say but the proof does not mind."});
}

}  // namespace
