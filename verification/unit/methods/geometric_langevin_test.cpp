// SPDX-License-Identifier: MIT
//
// Langevin dynamics: the flow of the bath by its linearity (unit vectors for the velocities and for the noise, no
// sampling), with and without constraints; and the composition with methods: no friction is the method itself, runs
// may be interrupted, SHAKE is RATTLE, and what cannot be meant is refused.
#include <gtest/gtest.h>

#include <livi/integrators/newmark.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/trajectory/checkpoint.hpp>

namespace livi {

namespace geometric_langevin_test {

using F = Float50;
template <class S>
using Matrix4 = Matrix<S, 4>;

template <class S>
Vector<S, 4> masses() {
  Vector<S, 4> m;
  m << S(1), S(3), S(1) / S(2), S(2);
  return m;
}
template <class S>
auto free_system() {
  return MechanicalSystem<DiagonalMass<S, 4>, CoupledAnharmonicPotential<S, 4>>(DiagonalMass<S, 4>(masses<S>()),
                                                                                {S(3) / S(4), S(1) / S(2)});
}
template <class S>
using Pendulum = ConstrainedSystem<DiagonalMass<S, 4>, GravityPotential<S, 4>, PlanarChainConstraint<S, 4>>;
/// The double pendulum with four different masses (heavier along one axis than along the other): friction and
/// projection do not commute.
template <class S>
Pendulum<S> pendulum() {
  Vector<S, 2> squared_lengths;
  squared_lengths << S(1), S(2);
  return {DiagonalMass<S, 4>(masses<S>()), GravityPotential<S, 4>{S(1)}, PlanarChainConstraint<S, 4>{squared_lengths}};
}

/// v -> A v + B xi.
template <class S>
struct LinearMap {
  Matrix4<S> a, b;
};
template <class S, class System>
LinearMap<S> linear_map(OrnsteinUhlenbeck<System>& flow, const Vector<S, 4>& q, const S& t, const Matrix4<S>& tangent) {
  LinearMap<S> map;
  WorkCounters work;
  for (int j = 0; j < 4; ++j) {
    const Vector<S, 4> none = Vector<S, 4>::Constant(S(0));
    Vector<S, 4> unit = none, v = tangent.col(j), of_noise = none;
    unit(j) = S(1);
    EXPECT_TRUE(flow(q, v, none, t, work).ok());
    EXPECT_TRUE(flow(q, of_noise, unit, t, work).ok());
    map.a.col(j) = v;
    map.b.col(j) = of_noise;
  }
  return map;
}

template <class S>
Matrix4<S> product(const Matrix4<S>& a, const Matrix4<S>& b) {
  Matrix4<S> c;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      c(i, j) = S(0);
      for (int k = 0; k < 4; ++k) c(i, j) += a(i, k) * b(k, j);
    }
  return c;
}
template <class S>
Matrix4<S> diagonal(const Vector<S, 4>& d) {
  Matrix4<S> matrix = Matrix4<S>::Constant(S(0));
  for (int i = 0; i < 4; ++i) matrix(i, i) = d(i);
  return matrix;
}
template <class S>
Matrix4<S> difference(const Matrix4<S>& a, const Matrix4<S>& b) {
  return a - b;
}
template <class S>
Matrix4<S> transposed(const Matrix4<S>& a) {
  return a.transpose();
}
double size(const Matrix4<F>& a) { return to_double(max_magnitude(a)); }

TEST(OrnsteinUhlenbeck, has_the_mean_and_covariance_of_the_process) {
  const auto system = free_system<F>();
  const F gamma = ratio<F>(3, 10), beta = ratio<F>(5, 2), t = ratio<F>(7, 10);
  for (const Friction friction : {Friction::velocity, Friction::momentum}) {
    OrnsteinUhlenbeck flow(system, Bath<F>{gamma, beta, friction});
    const LinearMap<F> map =
        linear_map<F>(flow, Vector<F, 4>::Constant(F(0)), t, diagonal<F>(Vector<F, 4>::Constant(F(1))));
    Matrix4<F> mean = diagonal<F>(masses<F>()), covariance = mean;
    for (int i = 0; i < 4; ++i) {
      // dv = -r v dt + sqrt(2 r/(beta m)) dW: the integral of the squared noise from t to 0.
      const F m = masses<F>()(i), r = friction == Friction::velocity ? F(gamma / m) : gamma;
      mean(i, i) = exp(F(-r * t));
      covariance(i, i) = 2 * r / (beta * m) * (1 - exp(F(-2 * r * t))) / (2 * r);
    }
    EXPECT_LT(size(difference(map.a, mean)), 1e-48);
    EXPECT_LT(size(difference(product(map.b, transposed(map.b)), covariance)), 1e-48);
  }
}

struct Tangent {
  Matrix4<F> projector;   ///< to tangent velocities, in the metric of M
  Matrix4<F> covariance;  ///< covariance of tangent velocities at beta = 1: projector M^-1
};
Tangent tangent(const Pendulum<F>& system, const Vector<F, 4>& q) {
  Matrix<F, 2, 4> g;
  system.constraint().jacobian(q, g);
  Matrix4<F> identity = diagonal<F>(Vector<F, 4>::Constant(F(1))), inverse = identity, projector = identity;
  for (int i = 0; i < 4; ++i) inverse(i, i) = 1 / masses<F>()(i);
  F a[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      a[i][j] = 0;
      for (int k = 0; k < 4; ++k) a[i][j] += g(i, k) * inverse(k, k) * g(j, k);
    }
  const F determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  const F b[2][2]{{a[1][1] / determinant, -a[0][1] / determinant}, {-a[1][0] / determinant, a[0][0] / determinant}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l) projector(i, j) -= inverse(i, i) * g(k, i) * b[k][l] * g(l, j);
  return {projector, product(projector, inverse)};
}

/// exp(-t P R P) on tangent velocities, by its series.
Matrix4<F> tangent_decay(const Matrix4<F>& projector, const F& gamma, Friction friction, const F& t) {
  Vector<F, 4> rate;
  for (int i = 0; i < 4; ++i) rate(i) = friction == Friction::velocity ? F(gamma / masses<F>()(i)) : gamma;
  const Matrix4<F> generator = product(projector, product(diagonal<F>(rate), projector));
  Matrix4<F> sum = projector, term = projector;
  for (int k = 1; k < 60; ++k) {
    term = product(term, generator) * (-t / k);
    sum += term;
  }
  return sum;
}

const Vector<F, 4> bent(ratio<F>(3, 5), ratio<F>(-4, 5), ratio<F>(8, 5), ratio<F>(-9, 5));

TEST(OrnsteinUhlenbeck, keeps_the_maxwell_distribution_of_tangent_velocities) {
  const auto system = pendulum<F>();
  const Tangent at = tangent(system, bent);
  const F beta = ratio<F>(5, 2);
  Matrix<F, 2, 4> g;
  system.constraint().jacobian(bent, g);
  for (const F& t : {ratio<F>(1, 20), F(3)})
    for (const Friction friction : {Friction::velocity, Friction::momentum}) {
      OrnsteinUhlenbeck flow(system, Bath<F>{ratio<F>(7, 10), beta, friction});
      const LinearMap<F> map = linear_map<F>(flow, bent, t, at.projector);
      // A = A projector by construction, so A Sigma A^T + B B^T = Sigma with Sigma = P M^-1/beta.
      const Matrix4<F> kept = product(product(map.a, at.covariance), transposed(map.a)) / beta,
                       made = product(map.b, transposed(map.b));
      EXPECT_LT(size(difference(Matrix4<F>(kept + made), Matrix4<F>(at.covariance / beta))), 1e-48);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
          F of_mean(0), of_noise(0);
          for (int k = 0; k < 4; ++k) {
            of_mean += g(i, k) * map.a(k, j);
            of_noise += g(i, k) * map.b(k, j);
          }
          EXPECT_LT(to_double(abs(of_mean)), 1e-48);
          EXPECT_LT(to_double(abs(of_noise)), 1e-48);
        }
    }
}

TEST(OrnsteinUhlenbeck, projected_in_the_metric_of_the_mass_would_be_too_cold) {
  // What the test above tells from: the flow without constraints and then the projector.
  const auto system = pendulum<F>();
  const Tangent at = tangent(system, bent);
  const auto loss = [&](const F& t) {
    Vector<F, 4> c, s;
    for (int i = 0; i < 4; ++i) {
      c(i) = exp(F(-ratio<F>(7, 10) / masses<F>()(i) * t));
      s(i) = (1 - c(i) * c(i)) / masses<F>()(i);
    }
    const Matrix4<F> a = product(at.projector, product(diagonal<F>(c), at.projector));
    const Matrix4<F> covariance = product(product(a, at.covariance), transposed(a)) +
                                  product(product(at.projector, diagonal<F>(s)), transposed(at.projector));
    return F(difference(at.covariance, covariance).trace());
  };
  EXPECT_GT(to_double(loss(ratio<F>(1, 10))), 1e-4);
  EXPECT_NEAR(to_double(loss(ratio<F>(1, 100)) / loss(ratio<F>(1, 200))), 4, 0.1);  // t^2 a step
}

TEST(OrnsteinUhlenbeck, on_tangent_velocities_is_exact_for_one_rate_and_of_local_order_three_for_several) {
  const auto system = pendulum<F>();
  const Tangent at = tangent(system, bent);
  const F gamma = ratio<F>(7, 10);
  const auto error = [&](Friction friction, const F& t) {
    OrnsteinUhlenbeck flow(system, Bath<F>{gamma, F(1), friction});
    return size(
        difference(linear_map<F>(flow, bent, t, at.projector).a, tangent_decay(at.projector, gamma, friction, t)));
  };
  EXPECT_LT(error(Friction::momentum, ratio<F>(1, 2)), 1e-48);
  const double coarse = error(Friction::velocity, ratio<F>(1, 50)), fine = error(Friction::velocity, ratio<F>(1, 100));
  EXPECT_GT(fine, 1e-12);
  EXPECT_NEAR(std::log2(coarse / fine), 3, 0.05);
}

template <class System>
void expect_the_time_of_each_call(const System& system, const Vector<double, 4>& q) {
  const Bath<double> bath{0.7, 2};
  OrnsteinUhlenbeck<System> flow(system, bath);
  const Vector<double, 4> xi(0.3, -1.2, 0.8, 0.1);
  for (const double t : {0.3, 0.3, 0.1, 0.3, 2.0}) {
    OrnsteinUhlenbeck<System> fresh(system, bath);
    Vector<double, 4> v = Vector<double, 4>::Zero(), expected = v;
    WorkCounters work;
    ASSERT_TRUE(flow(q, v, xi, t, work).ok());
    ASSERT_TRUE(fresh(q, expected, xi, t, work).ok());
    EXPECT_EQ(v, expected) << t;
    EXPECT_EQ(flow.decay(t), fresh.decay(t)) << t;
  }
}
TEST(OrnsteinUhlenbeck, takes_the_time_of_each_call_and_not_that_of_the_first) {
  const Vector<double, 4> q(0.6, -0.8, 0.6, -0.8 - std::sqrt(2.0));
  expect_the_time_of_each_call(free_system<double>(), q);
  expect_the_time_of_each_call(pendulum<double>(), q);  // whose projection has a metric that depends on t
}

TEST(OrnsteinUhlenbeck, keeps_the_accuracy_of_weak_noise) {
  // 1 - c^2 of a rate of 1e-12 has four digits left if it is computed so.
  const auto system = free_system<double>();
  OrnsteinUhlenbeck flow(system, Bath<double>{1e-12, 1});
  Vector<double, 4> v = Vector<double, 4>::Zero(), one = Vector<double, 4>::Ones();
  WorkCounters work;
  ASSERT_TRUE(flow(v, v, one, 1.0, work).ok());
  for (int i = 0; i < 4; ++i) {
    const double m = masses<double>()(i);
    EXPECT_NEAR(v(i) / std::sqrt(2e-12 / (m * m)), 1, 1e-11);
  }
}

// --- composed with methods ------------------------------------------------------------------------------------------

template <class Method>
std::string text_after(Method method, const Vector<double, 4>& q, const Vector<double, 4>& v, double h, int steps) {
  auto z = method.start(q, v);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, h).ok());
  return save_state(z);
}

/// f(method, q, v) for methods of all kinds.
template <class Function>
void for_each_method(const Function& f) {
  static const auto free = free_system<double>();
  static const auto rigid = pendulum<double>();
  const Vector<double, 4> q(0.3, -0.2, 0.1, 0.4), v(0.5, 0.1, -0.3, 0.2), rest = Vector<double, 4>::Zero();
  const Vector<double, 4> hanging = double_pendulum_start<double>();
  f(VelocityVerlet(free), q, v);
  f(ZhangSkeel(free), q, v);
  f(SimplifiedZhangSkeel(free), q, v);
  f(Newmark(free), q, v);
  f(RungeKutta4(free), q, v);
  f(Shake(rigid), hanging, rest);
  f(Rattle(rigid), hanging, rest);
}

constexpr Bath<double> warm{0.4, 2.5};
constexpr double h = 0.05;

TEST(GeometricLangevin, without_friction_is_the_method_bitwise) {
  for_each_method([](const auto& method, const auto& q, const auto& v) {
    for (const auto composition : {BathComposition::after_step, BathComposition::around_step}) {
      const GeometricLangevin langevin(method, Bath<double>{0, 2.5}, NormalNumbers(3), composition);
      EXPECT_EQ(text_after(langevin, q, v, h, 20), text_after(method, q, v, h, 20) + "1 20\n");
      const Properties own = method.declares(), declared = langevin.declares();
      EXPECT_EQ(declared.order, own.order);
      EXPECT_EQ(declared.symplectic, own.symplectic);
    }
  });
}

TEST(GeometricLangevin, may_be_interrupted) {
  for_each_method([](const auto& method, const auto& q, const auto& v) {
    for (const auto composition : {BathComposition::after_step, BathComposition::around_step}) {
      const GeometricLangevin langevin(method, warm, NormalNumbers(3), composition);
      auto first = langevin, second = langevin;
      auto z = first.start(q, v);
      for (int k = 0; k < 7; ++k) ASSERT_TRUE(first.step(z, h).ok());
      auto resumed = second.start(q, v);
      load_state(save_state(z), resumed);
      EXPECT_EQ(resumed.steps, 7U);
      for (int k = 0; k < 13; ++k) ASSERT_TRUE(second.step(resumed, h).ok());
      EXPECT_EQ(save_state(resumed), text_after(langevin, q, v, h, 20)) << method.declares().name;
    }
  });
}

TEST(GeometricLangevin, changes_velocities_only_and_keeps_the_force) {
  const auto system = free_system<double>();
  const Vector<double, 4> q(0.3, -0.2, 0.1, 0.4), v(0.5, 0.1, -0.3, 0.2);
  VelocityVerlet verlet(system);
  GeometricLangevin langevin{VelocityVerlet(system), warm, NormalNumbers(3)};
  auto y = verlet.start(q, v);
  auto z = langevin.start(q, v);
  ASSERT_TRUE(verlet.step(y, h).ok() && langevin.step(z, h).ok());
  EXPECT_EQ(z.q, y.q);
  EXPECT_EQ(z.f, y.f);
  // The velocity is that of the bath with the noise of step 0.
  OrnsteinUhlenbeck flow(system, warm);
  WorkCounters work;
  ASSERT_TRUE(flow(y.q, y.v, normal_numbers(3, 4), h, work).ok());
  EXPECT_EQ(z.v, y.v);
}

TEST(GeometricLangevin, has_other_noise_before_the_step_than_after) {
  const auto system = free_system<double>();
  const Vector<double, 4> q(0.3, -0.2, 0.1, 0.4), v(0.5, 0.1, -0.3, 0.2);
  GeometricLangevin langevin{VelocityVerlet(system), warm, NormalNumbers(3), BathComposition::around_step};
  auto z = langevin.start(q, v);
  VelocityVerlet verlet(system);
  auto y = verlet.start(q, v);
  OrnsteinUhlenbeck flow(system, warm);
  WorkCounters work;
  const NormalNumbers normals(3);
  for (std::uint64_t k = 0; k < 3; ++k) {
    Vector<double, 4> before, after;
    normals(k, 1, before.data(), 4);
    normals(k, 0, after.data(), 4);
    ASSERT_TRUE(langevin.step(z, h).ok());
    ASSERT_TRUE(flow(y.q, y.v, before, h / 2, work).ok());
    ASSERT_TRUE(verlet.step(y, h).ok());
    ASSERT_TRUE(flow(y.q, y.v, after, h / 2, work).ok());
    EXPECT_EQ(z.q, y.q);
    EXPECT_EQ(z.v, y.v);
  }
}

TEST(GeometricLangevin, of_shake_is_that_of_rattle) {
  // Both are one map in exact arithmetic, with one rate and with several: 200 steps of rounding and of Newton's tolerance
  // on a motion that forgets it.
  const auto system = pendulum<double>();
  for (const Friction friction : {Friction::velocity, Friction::momentum})
    for (const auto composition : {BathComposition::after_step, BathComposition::around_step}) {
      const Bath<double> bath{0.4, 2.5, friction};
      GeometricLangevin of_shake{Shake(system), bath, NormalNumbers(3), composition};
      GeometricLangevin of_rattle{Rattle(system), bath, NormalNumbers(3), composition};
      const Vector<double, 4> q = double_pendulum_start<double>(), v = Vector<double, 4>::Zero();
      auto y = of_shake.start(q, v);
      auto z = of_rattle.start(q, v);
      Matrix<double, 2, 4> g;
      for (int k = 0; k < 200; ++k) {
        ASSERT_TRUE(of_shake.step(y, h).ok() && of_rattle.step(z, h).ok());
        system.constraint().jacobian(z.q, g);
        ASSERT_LT((g * z.v).cwiseAbs().maxCoeff(), 1e-13);
        system.constraint().jacobian(y.q, g);
        ASSERT_LT((g * y.v).cwiseAbs().maxCoeff(), 1e-13);
        ASSERT_LT((y.lambda - z.lambda).cwiseAbs().maxCoeff(), 1e-8);  // h^-2 roundings
      }
      EXPECT_LT((y.q - z.q).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_LT((y.v - z.v).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(GeometricLangevin, halves_around_steps_make_whole_baths) {
  // (half, step, half) n times is the first half, then n - 1 times (step, whole bath), then (step, half): with the
  // noise of two halves put together. Without noise (a cold bath) the two compositions are each other's.
  const auto system = free_system<double>();
  const Bath<double> cold{0.4, 1e300};
  const Vector<double, 4> q(0.3, -0.2, 0.1, 0.4), v(0.5, 0.1, -0.3, 0.2);
  GeometricLangevin around{VelocityVerlet(system), cold, NormalNumbers(3), BathComposition::around_step};
  GeometricLangevin after{VelocityVerlet(system), cold, NormalNumbers(3)};
  OrnsteinUhlenbeck flow(system, cold);
  auto y = around.start(q, v);
  auto z = after.start(q, v);
  const Vector<double, 4> none = Vector<double, 4>::Zero();
  WorkCounters work;
  ASSERT_TRUE(flow(q, z.v, none, h / 2, work).ok());
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(around.step(y, h).ok() && after.step(z, h).ok());
  EXPECT_LT((y.q - z.q).cwiseAbs().maxCoeff(), 1e-13);
  ASSERT_TRUE(flow(q, y.v, none, h / 2, work).ok());
  EXPECT_LT((y.v - z.v).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(GeometricLangevin, counts_the_solves_of_its_projections) {
  const auto rigid = pendulum<double>();
  GeometricLangevin langevin{Rattle(rigid), warm};
  Rattle rattle(rigid);
  const Vector<double, 4> q = double_pendulum_start<double>(), v = Vector<double, 4>::Zero();
  auto z = langevin.start(q, v);
  ASSERT_TRUE(langevin.step(z, h).ok());
  auto y = rattle.start(q, v);
  ASSERT_TRUE(rattle.step(y, h).ok());
  EXPECT_EQ(langevin.work().linear_solves, rattle.work().linear_solves + 1);
  EXPECT_EQ(langevin.work().newton_iterations, rattle.work().newton_iterations);
}

TEST(GeometricLangevin, declares_what_friction_leaves) {
  const auto system = free_system<double>();
  const Properties after = GeometricLangevin(VelocityVerlet(system), warm).declares();
  EXPECT_EQ(after.order, 1);
  EXPECT_FALSE(after.symplectic || after.symmetric || after.linear_momentum || after.angular_momentum);
  EXPECT_EQ(after.name, "GeometricLangevin of VelocityVerlet");
  EXPECT_EQ(
      GeometricLangevin(RungeKutta4(system), warm, NormalNumbers(), BathComposition::around_step).declares().order, 2);
}

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GeometricLangevin, refuses_what_cannot_be_meant) {
  const auto system = free_system<double>();
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto with = [&](double gamma, double beta) {
    return refusal([&] { GeometricLangevin(VelocityVerlet(system), Bath<double>{gamma, beta}); });
  };
  EXPECT_EQ(with(-0.1, 1), "gamma = -0.1: a friction must be finite and >= 0");
  EXPECT_EQ(with(nan, 1), "gamma = nan: a friction must be finite and >= 0");
  EXPECT_EQ(with(infinity, 1), "gamma = inf: a friction must be finite and >= 0");
  EXPECT_EQ(with(0.1, 0), "inverse temperature = 0: must be finite and > 0");
  EXPECT_EQ(with(0.1, -2), "inverse temperature = -2: must be finite and > 0");
  EXPECT_EQ(with(0.1, infinity), "inverse temperature = inf: must be finite and > 0");
  EXPECT_EQ(with(0.1, nan), "inverse temperature = nan: must be finite and > 0");
  EXPECT_EQ(with(0, 1), "accepted");
  GeometricLangevin langevin{VelocityVerlet(system), warm};
  auto z = langevin.start({0.3, -0.2, 0.1, 0.4}, {0.5, 0.1, -0.3, 0.2});
  EXPECT_EQ(refusal([&] { static_cast<void>(langevin.step(z, -0.1)); }),
            "h = -0.1: friction and noise go forward in time: must be finite and > 0");
  // Zero is not the time of a bath that was never used.
  EXPECT_EQ(refusal([&] { static_cast<void>(langevin.step(z, 0)); }),
            "h = 0: friction and noise go forward in time: must be finite and > 0");
}

}  // namespace geometric_langevin_test
}  // namespace livi
