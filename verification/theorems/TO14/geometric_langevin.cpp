// SPDX-License-Identifier: MIT
// Theorem: TO14 Section 4.3, Langevin dynamics and GLA: the invariant measure of (27), the exact flow of its bath, the
// bath with constraints, and what a symplectic step in between is good for
//
// Invariance. pi = exp(-beta H) is invariant under dx = b(x) dt + sigma dW if L* pi = 0, L* the Fokker-Planck operator;
// divided by pi, with D = sigma sigma^T/2 constant and diagonal,
//   L* pi/pi = -div b - b . grad ln pi + sum_i D_i (d_i^2 ln pi + (d_i ln pi)^2),
// a rational function of the state where V is a polynomial: certified.
//
// GLA on a harmonic system is a linear map with Gaussian noise, x <- C (J x) + noise of covariance N. Its invariant
// covariance, if there is one, is the sum of (C J)^k N (C J)^kT: no sampling, summed by doubling in 50 digits. If the
// step keeps a quadratic form v.M v + x.K' x (Verlet, Z&S: every kick-drift-kick method whose matrix M f'(x) is
// symmetric), the Gaussian with that exponent is invariant under the step (which keeps volume) and under the bath
// (which knows nothing of x): velocities have the right temperature exactly, positions the stiffness K' instead of K.
// For one mode of frequency w, with theta = (h w)^2, the variance of q by that of exp(-beta H) is then
//   Verlet 1/(1 - theta/4);   Z&S 1/(1 + (beta - 1/4) theta) at q, whatever the friction.
// RK4 damps a mode by (h w)^6/144 a step, in amplitude; the bath, by h gamma/(2 m). The balance of the two has a
// temperature that is too low by a part h^5 w^6 m/(72 gamma): divided by gamma.
//
// One file: what is proved of the bath, with and without constraints, is what the claims on the steps stand on.
#include <Eigen/Eigenvalues>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/water_cluster.hpp>
#include <optional>

#include "study/evidence/certified.hpp"

namespace livi::theorem {

Program this_program() {
  return {"geometric_langevin",
          {"TO14", "Section 4.3, (27)-(29)", "4.3"},
          "Langevin dynamics by GLA: invariant measures, exact baths, and the bias of the step in between"};
}

namespace {

using F = Float50;
constexpr Interval rounding{0, 1e-44};

// --- (28) -----------------------------------------------------------------------------------------------------------

/// L* pi/pi of (27) with friction -gamma v or -gamma p and noise of strength 2 D_i = noise * 2 Z_i/beta, Z_i the
/// friction that `matched` names: the system's own or the other one.
struct FokkerPlanck {
  Family family;
  Friction friction, matched;
  int noise = 1;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D1 = Dual<K>;
    using T = Dual<D1>;
    const auto system = draw_system<T>(draw, family);
    const K beta = draw.positive("beta"), gamma = draw.positive("gamma");
    const int n = family.n;
    const Vector<K, Dynamic> q = draw.variables("q", n), p = draw.variables("p", n);
    const auto z_of = [&](Friction which, int i) {
      return which == Friction::velocity ? gamma : K(gamma * system.mass().matrix()(i, i).value.value);
    };
    K sum(0);
    for (int i = 0; i < 2 * n; ++i) {
      Vector<T, Dynamic> x(n), y(n);
      for (int j = 0; j < n; ++j) {
        x(j) = T(D1(q(j), K(j == i ? 1 : 0)), D1(K(j == i ? 1 : 0), K(0)));
        y(j) = T(D1(p(j), K(n + j == i ? 1 : 0)), D1(K(n + j == i ? 1 : 0), K(0)));
      }
      const Vector<T, Dynamic> v = system.velocity(y);
      // Along coordinate i: the drift and its slope, ln pi = -beta H with its first and second.
      T drift = T(0);
      if (i < n) {
        drift = v(i);
      } else {
        Vector<T, Dynamic> gradient(n);
        system.potential().gradient(x, gradient);
        drift = -gradient(i - n) - T(D1(z_of(friction, i - n))) * v(i - n);
      }
      const T energy = system.energy(x, v);
      const K first = -(beta * energy.value.derivative), second = -(beta * energy.derivative.derivative);
      sum = sum - drift.value.derivative - drift.value.value * first;
      if (i >= n) sum = sum + K(noise) * z_of(matched, i - n) / beta * (second + first * first);
    }
    return {sum};
  }
};

TEST(TO14_eq28, canonical_measure_is_invariant) {
  const std::vector<Family> on{{2, 4, Mass::diagonal}, {3, 4, Mass::diagonal}, {2, 6, Mass::diagonal}};
  const auto with = [&](Friction friction, Friction matched, int noise) {
    return certify_each(on, [&](const Family& family) { return FokkerPlanck{family, friction, matched, noise}; });
  };
  const Combined found =
      all_of({with(Friction::velocity, Friction::velocity, 1), with(Friction::momentum, Friction::momentum, 1)});
  expect_verdict(
      {.id = "TO14.eq28.invariant-measure",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control("noise of twice the variance", with(Friction::velocity, Friction::velocity, 2)),
                    exact_control("friction without noise", with(Friction::velocity, Friction::velocity, 0)),
                    exact_control("friction -gamma v with the noise of -gamma p",
                                  with(Friction::velocity, Friction::momentum, 1))},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note = "With different masses friction and noise must be matched mass by mass (third control): equal gamma "
               "in both terms, as printed, is."});
}

// --- GLA ------------------------------------------------------------------------------------------------------------

using Harmonic = MechanicalSystem<DiagonalMass<F, Dynamic>, PolynomialPotential<F>>;
/// Two coupled oscillators with masses 1 and 3 and stiffness {{4, 1}, {1, 2}}: M and K do not commute.
Harmonic oscillators() {
  Vector<F, Dynamic> m(2);
  m << F(1), F(3);
  return {DiagonalMass<F, Dynamic>(m), {{{F(2), {2, 0}}, {F(1), {1, 1}}, {F(1), {0, 2}}}}};
}
using M4 = Matrix<F, 4>;
M4 product(const M4& a, const M4& b) {
  M4 c;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      c(i, j) = F(0);
      for (int k = 0; k < 4; ++k) c(i, j) += a(i, k) * b(k, j);
    }
  return c;
}
M4 transposed(const M4& a) { return a.transpose(); }
double size(const M4& a) { return to_double(max_magnitude(a)); }
double difference(const M4& a, const M4& b) { return size(M4(a - b)); }

/// Gives chosen numbers instead of normal ones: those of a unit vector.
struct UnitNoise {
  int index = -1;  ///< none
  void operator()(std::uint64_t, std::uint64_t, double* out, std::ptrdiff_t n) const {
    for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = i == index ? 1 : 0;
  }
};

/// One step of a linear method, or of GLA around it: x -> A x + noise of covariance N, x = (q, v).
struct GaussianStep {
  M4 a, noise;
};
template <class Make>
GaussianStep step_of(const Make& make, const F& h) {
  GaussianStep map;
  const auto end = [&](auto method, int unit) {
    Vector<F, Dynamic> q = Vector<F, Dynamic>::Constant(2, F(0)), v = q;
    if (unit >= 0) (unit < 2 ? q : v)(unit % 2) = F(1);
    auto z = method.start(q, v);
    EXPECT_TRUE(method.step(z, h).ok());
    Vector<F, 4> out;
    out << z.q(0), z.q(1), z.v(0), z.v(1);
    return out;
  };
  M4 b = M4::Constant(F(0));
  for (int i = 0; i < 4; ++i) map.a.col(i) = end(make(UnitNoise{}), i);
  for (int i = 0; i < 2; ++i) b.col(i) = end(make(UnitNoise{i}), -1);
  map.noise = product(b, transposed(b));
  return map;
}

/// The invariant covariance; nothing if the step does not forget its start.
std::optional<M4> invariant_covariance(const GaussianStep& step) {
  M4 power = step.a, sum = step.noise;
  for (int k = 0; k < 60; ++k) {
    sum += product(product(power, sum), transposed(power));
    power = product(power, power);
    if (!(size(power) < 1e30)) return std::nullopt;
    if (size(power) < 1e-60) return sum;
  }
  return std::nullopt;
}

const F inverse_temperature = ratio<F>(5, 2);

/// beta m <v v> and the covariance of q by that of exp(-beta H): largest deviations from 1, unit matrices.
struct Bias {
  double temperature = std::numeric_limits<double>::infinity(), position = temperature;
  [[nodiscard]] bool exists() const { return std::isfinite(temperature); }
};
Bias bias_of(const std::optional<M4>& covariance) {
  if (!covariance) return {};
  const M4& s = *covariance;
  const F m[2]{F(1), F(3)}, k[2][2]{{F(4), F(1)}, {F(1), F(2)}};
  Bias bias{0, 0};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const F one(i == j ? 1 : 0), velocity = inverse_temperature * m[i] * s(2 + i, 2 + j);
      const F position = inverse_temperature * (k[i][0] * s(0, j) + k[i][1] * s(1, j));
      bias.temperature = std::max(bias.temperature, to_double(F(abs(velocity - one))));
      bias.position = std::max(bias.position, to_double(F(abs(position - one))));
    }
  return bias;
}

template <class Method, class Normals>
auto langevin(Method method, const F& gamma, Normals normals, BathComposition composition) {
  return GeometricLangevin<Method, Normals>(std::move(method), Bath<F>{gamma, inverse_temperature}, normals,
                                            composition);
}

/// bias(factory, gamma, h): of GLA around the method that the factory makes.
template <class Factory>
Bias bias(const Factory& factory, const F& gamma, const F& h) {
  const Harmonic system = oscillators();
  return bias_of(invariant_covariance(step_of(
      [&](UnitNoise noise) { return langevin(factory(system), gamma, noise, BathComposition::after_step); }, h)));
}
constexpr auto verlet = [](const Harmonic& system) { return VelocityVerlet<Harmonic>(system); };
constexpr auto zs = [](const Harmonic& system) { return ZhangSkeel<Harmonic>(system, {ratio<F>(3, 10)}); };
constexpr auto rk4 = [](const Harmonic& system) { return RungeKutta4<Harmonic>(system); };
constexpr auto symplectic_euler = [](const Harmonic& system) { return SymplecticEuler<Harmonic>(system); };
constexpr auto explicit_euler = [](const Harmonic& system) { return ExplicitEuler<Harmonic>(system); };

TEST(TO14_s4_3, gla_composes_a_step_with_the_exact_bath) {
  // The step of GLA is C J and N: J that of the method, C and N the mean and the covariance of dv = -r v dt +
  // sqrt(2 r/(beta m)) dW after a time h, by the closed form.
  const Harmonic system = oscillators();
  const F gamma = ratio<F>(3, 10), h = ratio<F>(2, 5);
  double deviation = 0, one_rate = 0, euler = 0;
  const auto compare = [&](const auto& factory) {
    const GaussianStep inner = step_of([&](UnitNoise) { return factory(system); }, h);
    const GaussianStep found = step_of(
        [&](UnitNoise noise) { return langevin(factory(system), gamma, noise, BathComposition::after_step); }, h);
    const auto expected = [&](bool by_mass, bool first_order) {
      M4 c = M4::Identity(), n = M4::Constant(F(0));
      for (int i = 0; i < 2; ++i) {
        const F m = i == 0 ? F(1) : F(3), r = by_mass ? F(gamma / m) : gamma;
        c(2 + i, 2 + i) = first_order ? F(1 - r * h) : F(exp(F(-r * h)));
        n(2 + i, 2 + i) = (first_order ? F(2 * r * h) : F(1 - exp(F(-2 * r * h)))) / (inverse_temperature * m);
      }
      return std::max(difference(found.a, product(c, inner.a)), difference(found.noise, n));
    };
    deviation = std::max(deviation, expected(true, false));
    one_rate = std::max(one_rate, expected(false, false));
    euler = std::max(euler, expected(true, true));
  };
  compare(verlet);
  compare(zs);
  compare(rk4);
  compare(explicit_euler);
  report().measurement({.name = "step_and_noise.deviation_from_closed_form",
                        .value = deviation,
                        .tolerance = {.absolute = rounding.high},
                        .noise_floor = rounding.high});
  EXPECT_LE(deviation, rounding.high);
  EXPECT_GT(one_rate, 1e-3) << "one rate for both masses";
  EXPECT_GT(euler, 1e-3) << "the bath by Euler and Maruyama";
}

double exponent(double coarse, double fine, double ratio_of_arguments) {
  return std::log(coarse / fine) / std::log(ratio_of_arguments);
}

TEST(TO14_s4_3, a_symplectic_step_keeps_the_temperature) {
  // A friction of 1/100, weak as in the paper, and a strong one.
  const F weak = ratio<F>(1, 100), strong = ratio<F>(1, 1), h = ratio<F>(1, 10);
  double temperature = 0, dependence = 0;
  std::vector<std::vector<double>> rows;
  for (int twentieths = 1; twentieths <= 14; ++twentieths) {
    const F step = ratio<F>(twentieths, 20);
    std::vector<double> row{to_double(step)};
    for (const F& gamma : {weak, strong}) {
      const Bias of_verlet = bias(verlet, gamma, step), of_zs = bias(zs, gamma, step), of_rk4 = bias(rk4, gamma, step);
      temperature = std::max({temperature, of_verlet.temperature, of_zs.temperature});
      row.insert(row.end(), {of_verlet.temperature, of_zs.temperature, of_rk4.temperature, of_verlet.position,
                             of_zs.position, of_rk4.position});
    }
    dependence = std::max({dependence, std::abs(row[4] / row[10] - 1), std::abs(row[5] / row[11] - 1)});
    rows.push_back(std::move(row));
  }
  std::vector<Column> columns{{"h", ""}};
  for (const char* gamma : {"0.01", "1"})
    for (const char* what : {"temperature", "position"})
      for (const char* method : {"verlet", "zs", "rk4"})
        columns.push_back({std::string(what) + "." + method + ".gamma_" + gamma, ""});
  report().series("harmonic_bias", columns, rows);

  const auto fitted = [&](const char* name, double value) {
    report().measurement({.name = name, .value = value, .unit = "order"});
    return value;
  };
  const Bias rk_coarse = bias(rk4, weak, h), rk_fine = bias(rk4, weak, F(h / 2)), rk_weaker = bias(rk4, F(weak / 2), h);
  fitted("rk4.temperature.power_of_h", exponent(rk_coarse.temperature, rk_fine.temperature, 2));
  fitted("rk4.temperature.power_of_gamma", exponent(rk_coarse.temperature, rk_weaker.temperature, 2));
  fitted("verlet.position.power_of_h",
         exponent(bias(verlet, weak, h).position, bias(verlet, weak, F(h / 2)).position, 2));
  fitted("zs.position.power_of_h", exponent(bias(zs, weak, h).position, bias(zs, weak, F(h / 2)).position, 2));
  report().measurement(
      {.name = "symplectic.position_bias.dependence_on_gamma", .value = dependence, .tolerance = {.absolute = 1e-38}});
  EXPECT_LT(dependence, 1e-38);
  const Bias none = bias(explicit_euler, weak, ratio<F>(1, 10));
  EXPECT_FALSE(none.exists());
  expect_verdict(
      {.id = "TO14.s4.3.gla-symplectic-accurate",
       .measured = temperature,
       .interval = {0, 1e-38},
       .controls = {{.name = "RK4, gamma = 0.01, h = 0.5",
                     .measured = bias(rk4, weak, ratio<F>(1, 2)).temperature,
                     .interval = {0, 1e-38}},
                    {.name = "symplectic Euler, which is not symmetric and good but not exact, gamma = 0.01, h = 0.1",
                     .measured = bias(symplectic_euler, weak, h).temperature,
                     .interval = {0, 1e-38}},
                    {.name = "explicit Euler, gamma = 0.01, h = 0.1",
                     .measured = none.temperature,
                     .interval = {0, 1e-38},
                     .note = "there is no invariant distribution: the step gains more than the friction takes"}},
       .note = "The temperature is right for every h and gamma; positions have an error of order h^2 that does not "
               "depend on gamma (Verlet: variance times 1/(1 - (h w)^2/4), Z&S 1/(1 + (beta - 1/4) (h w)^2)). RK4 errs "
               "by h^5/gamma: better than Verlet at strong friction and small steps, hopeless at weak friction. A "
               "step that is symplectic and not symmetric keeps a form with products of q and v, which the bath does "
               "not. Trajectories are not looked at. Anharmonic motion: TO14.s4.3.gla-anharmonic."});
}

TEST(TO14_s4_3, position_bias_of_a_mode_is_that_of_the_closed_form) {
  // One coordinate of a diagonal system is a mode: masses 1 and 3 with stiffness 4 and 2.
  const Vector<F, Dynamic> m = (Vector<F, Dynamic>(2) << F(1), F(3)).finished();
  const Harmonic modes{DiagonalMass<F, Dynamic>(m), {{{F(2), {2, 0}}, {F(1), {0, 2}}}}};
  const F h = ratio<F>(1, 2), gamma = ratio<F>(1, 10), beta = ratio<F>(3, 10);
  double deviation = 0, without_quarter = 0;
  const auto covariance_of = [&](const auto& method) {
    return invariant_covariance(
        step_of([&](UnitNoise noise) { return langevin(method, gamma, noise, BathComposition::after_step); }, h));
  };
  const auto of_verlet = covariance_of(VelocityVerlet<Harmonic>(modes));
  const auto of_zs = covariance_of(ZhangSkeel<Harmonic>(modes, {beta}));
  ASSERT_TRUE(of_verlet && of_zs);
  for (int i = 0; i < 2; ++i) {
    const F stiffness = i == 0 ? F(4) : F(2), theta = h * h * stiffness / m(i), b = 1 + beta * theta;
    const F verlet_ratio = (*of_verlet)(i, i) * inverse_temperature * stiffness,
            zs_ratio = (*of_zs)(i, i) * inverse_temperature * stiffness / (b * b);  // at q = x/(1 + beta theta)
    const F quarter = theta / 4;
    deviation = std::max({deviation, to_double(F(abs(verlet_ratio * (1 - quarter) - 1))),
                          to_double(F(abs(zs_ratio * (1 + beta * theta - quarter) - 1)))});
    without_quarter = std::max(without_quarter, to_double(F(abs(zs_ratio * b - 1))));
  }
  expect_verdict(
      {.id = "TO14.s4.3.gla-mode-variance",
       .measured = deviation,
       .interval = {0, 1e-40},
       .controls = {{.name = "1/(1 + beta theta) for Z&S", .measured = without_quarter, .interval = {0, 1e-40}}}});
}

// --- constraints ----------------------------------------------------------------------------------------------------

/// The change of the covariance P M^-1 of tangent velocities (beta = 1) by the flow without constraints, of decay
/// factors c_i, and then the projection in a metric: of M (1 + C)^-1 or of M. All n (n + 1)/2 entries.
struct TangentBath {
  int n, m;
  bool metric_of_mass;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using Square = Matrix<K, Dynamic>;
    Vector<K, Dynamic> mass(n), decay(n), metric(n);
    for (int i = 0; i < n; ++i) {
      mass(i) = draw.positive("m" + std::to_string(i));
      decay(i) = draw.positive("c" + std::to_string(i));
      metric(i) = metric_of_mass ? mass(i) : K(mass(i) / (K(1) + decay(i)));
    }
    Square g(m, n);
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < n; ++i) g(k, i) = draw.variable("g" + std::to_string(k) + std::to_string(i));
    const auto times = [](const Square& a, const Square& b) {
      Square c = Square::Constant(a.rows(), b.cols(), K(0));
      for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index j = 0; j < b.cols(); ++j)
          for (Eigen::Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
      return c;
    };
    // 1 - D^-1 G^T (G D^-1 G^T)^-1 G.
    const auto projector = [&](const Vector<K, Dynamic>& d) {
      Square directions(n, m);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < m; ++k) directions(i, k) = g(k, i) / d(i);
      const Square a = times(g, directions);
      GaussianElimination<K, Dynamic> elimination;
      if (elimination.factor(a).singular) throw StepFailed("singular");
      Square p = Square::Constant(n, n, K(0));
      for (int j = 0; j < n; ++j) {
        Vector<K, Dynamic> mu = g.col(j);
        elimination.solve_in_place(mu);
        for (int i = 0; i < n; ++i) {
          p(i, j) = K(i == j ? 1 : 0);
          for (int k = 0; k < m; ++k) p(i, j) -= directions(i, k) * mu(k);
        }
      }
      return p;
    };
    Square tangent = projector(mass), flow = projector(metric), made = flow;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        tangent(i, j) = tangent(i, j) / mass(j);
        made(i, j) = flow(i, j) * (K(1) - decay(j) * decay(j)) / mass(j);
      }
    Square moved = flow;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) moved(i, j) = flow(i, j) * decay(j);
    const Square transposed_moved = moved.transpose(), transposed_flow = flow.transpose();
    const Square kept = times(times(moved, tangent), transposed_moved), noise = times(made, transposed_flow);
    std::vector<K> values;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) values.push_back(kept(i, j) + noise(i, j) - tangent(i, j));
    return values;
  }
};

TEST(TO14_s4_3, bath_with_constraints_keeps_the_tangent_maxwell_distribution) {
  Combined found, of_mass;
  for (const auto& [n, m] : {std::pair{2, 1}, {3, 1}, {4, 2}}) {
    const std::string name = std::to_string(n) + " coordinates, " + std::to_string(m) + " constraints";
    found.add(name, certify(TangentBath{n, m, false}));
    of_mass.add(name, certify(TangentBath{n, m, true}));
  }
  expect_verdict(
      {.id = "TO14.s4.3.constrained-bath",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control("the projection in the metric of M", of_mass)},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note = "The friction of (27) is the same gamma for hydrogen and oxygen: rates 16 to 1, which do not commute "
               "with the projection. Projecting in the metric of M, or leaving it to the multipliers of the next step, "
               "is too cold: by a part of first order in h gamma/m. With one rate for all masses both are exact."});
}

using Pendulum = ConstrainedSystem<DiagonalMass<F, 4>, GravityPotential<F, 4>, PlanarChainConstraint<F, 4>>;
Pendulum pendulum() {
  Vector<F, 4> m;
  m << F(1), F(1), F(16), F(16);
  Vector<F, 2> squared_lengths;
  squared_lengths << F(1), F(2);
  return {DiagonalMass<F, 4>(m), GravityPotential<F, 4>{F(1)}, PlanarChainConstraint<F, 4>{squared_lengths}};
}

/// GLA without any projection, as a naive program has it: the bath without constraints on the velocities of RATTLE.
template <class System>
class UnprojectedLangevin {
 public:
  UnprojectedLangevin(const System& system, const Vector<F, 4>& decay) : method_(system), decay_(decay) {}
  auto start(const Vector<F, 4>& q, const Vector<F, 4>& v) { return method_.start(q, v); }
  template <class State>
  StepOutcome step(State& z, const Vector<F, 4>& kick, const F& h) {
    z.v = z.v.cwiseProduct(decay_) + kick;
    return method_.step(z, h);
  }

 private:
  Rattle<System> method_;
  Vector<F, 4> decay_;
};

TEST(TO14_s4_3, multipliers_project_the_noise_themselves) {
  // RATTLE from (q, v) and from (q, P v): v and P v differ along M^-1 G^T, and so does what the multiplier adds.
  const Pendulum system = pendulum();
  const Vector<F, 4> decay = Vector<F, 4>::Constant(F(1)), none = Vector<F, 4>::Constant(F(0));
  UnprojectedLangevin<Pendulum> plain(system, decay);
  Vector<F, 4> kick, tangent, wrong;
  kick << ratio<F>(1, 5), ratio<F>(-3, 10), ratio<F>(1, 10), ratio<F>(2, 5);
  const Vector<F, 4> q = double_pendulum_start<F>();
  Shake<Pendulum> projector(system);
  auto state = projector.start(q, none);
  state.v = kick;
  ASSERT_TRUE(projector.tangent_velocity(state, tangent).ok());
  // The projection in the metric of the unit matrix.
  const ConstrainedSystem unit{DiagonalMass<F, 4>(Vector<F, 4>::Constant(F(1))), system.potential(),
                               system.constraint()};
  Shake<std::decay_t<decltype(unit)>> other(unit);
  auto other_state = other.start(q, none);
  other_state.v = kick;
  ASSERT_TRUE(other.tangent_velocity(other_state, wrong).ok());
  const F h = ratio<F>(1, 10);
  const auto end = [&](const Vector<F, 4>& with) {
    auto z = plain.start(q, none);
    EXPECT_TRUE(plain.step(z, with, h).ok());
    return z;
  };
  const auto unprojected = end(kick), projected = end(tangent), beside = end(wrong);
  const double change = to_double(max_magnitude(Vector<F, 4>(unprojected.q - projected.q))) +
                        to_double(max_magnitude(Vector<F, 4>(unprojected.v - projected.v)));
  const double in_the_other_metric = to_double(max_magnitude(Vector<F, 4>(unprojected.q - beside.q)));
  expect_verdict(
      {.id = "TO14.s4.3.multipliers-project",
       .measured = change,
       .interval = {0, 1e-40},
       .controls = {{.name = "the projection in the metric of the unit matrix",
                     .measured = in_the_other_metric,
                     .interval = {0, 1e-40}}},
       .note = "So a program that forgets the projection does not spin up; it reads a wrong kinetic energy if it reads "
               "it between bath and step, and with different rates it has the cold bias of the metric of M."});
}

}  // namespace
}  // namespace livi::theorem
