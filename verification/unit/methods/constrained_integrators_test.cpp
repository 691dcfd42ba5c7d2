// SPDX-License-Identifier: MIT
//
// SHAKE and RATTLE, their multipliers, and variational Euler in generalised coordinates.
#include <gtest/gtest.h>

#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/any_constraint.hpp>
#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/double_pendulum.hpp>

namespace constrained_integrators_test {

using livi::Dual;
using livi::Dynamic;
using livi::Failure;
using livi::Float50;
using livi::FullMass;
using livi::Gravity;
using livi::Matrix;
using livi::QuadraticConstraint;
using livi::ratio;
using livi::Rattle;
using livi::Shake;
using livi::Vector;

using F = Float50;

template <class V>
double difference(const V& a, const V& b) {
  return livi::to_double(livi::max_magnitude(V(a - b)));
}

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const livi::InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

/// The pendulum with unequal, coupled masses: M^-1 does not commute with anything.
template <class S>
using HeavyPendulum =
    livi::ConstrainedSystem<FullMass<S, 4>, livi::GravityPotential<S, 4>, livi::PlanarChainConstraint<S, 4>>;
template <class S>
HeavyPendulum<S> heavy_pendulum(Gravity direction = Gravity::down) {
  Matrix<S, 4> m = Matrix<S, 4>::Constant(S(0));
  for (int i = 0; i < 4; ++i) m(i, i) = S(i + 2);
  m(2, 0) = m(0, 2) = m(3, 1) = m(1, 3) = S(1);
  const auto unit = livi::double_pendulum<S>(direction);
  return {FullMass<S, 4>(m), unit.potential(), unit.constraint()};
}
template <class S>
Vector<S, 4> moving() {
  return {S(1), S(0), S(2), S(1)};  // tangent at (0, -1, 1, -2)
}

/// The multiplier of M q'' = -grad V + Dg^T lambda for a motion with g = 0: Dg q'' + q' . Hess g . q' = 0.
template <class System>
typename System::multiplier_type analytic_multiplier(const System& system, const typename System::vector_type& q,
                                                     const typename System::vector_type& v) {
  using S = typename System::scalar_type;
  typename System::jacobian_type g;
  typename System::multiplier_type curvature;
  typename System::vector_type a = q;
  system.constraint().jacobian(q, g);
  system.constraint().curvature(q, v, curvature);
  system.acceleration(q, a);
  constexpr int m = System::constraint_type::constraints;
  Matrix<S, m> matrix;
  for (int k = 0; k < m; ++k) {
    const typename System::vector_type row = g.row(k).transpose();
    const typename System::vector_type direction = system.velocity(row);
    for (int i = 0; i < m; ++i) {
      matrix(i, k) = S(0);
      for (Eigen::Index j = 0; j < q.size(); ++j) matrix(i, k) += g(i, j) * direction(j);
    }
  }
  typename System::multiplier_type lambda;
  for (int i = 0; i < m; ++i) {
    lambda(i) = -curvature(i);
    for (Eigen::Index j = 0; j < q.size(); ++j) lambda(i) -= g(i, j) * a(j);
  }
  livi::GaussianElimination<S, m> solver;
  EXPECT_FALSE(solver.factor(matrix).singular);
  solver.solve_in_place(lambda);
  return lambda;
}

// --- equations ------------------------------------------------------------------------------------------------------

// Newton ends within 32 epsilon = 6e-50, divided by h^2 for a multiplier.
TEST(Shake, satisfies_its_two_step_form) {
  const auto system = heavy_pendulum<F>();
  Shake method(system);
  const F h = ratio<F>(1, 16);
  auto z = method.start(livi::double_pendulum_start<F>(), moving<F>());
  Vector<F, 4> before = z.q, now = z.q;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(method.step(z, h).ok());
    Matrix<F, 2, 4> jacobian;
    system.constraint().jacobian(now, jacobian);
    Vector<F, 4> force;
    system.potential().gradient(now, force);
    force = -force + jacobian.transpose() * z.lambda;
    const Vector<F, 4> a = system.velocity(force);
    const Vector<F, 4> expected =
        k == 0 ? Vector<F, 4>(now + h * moving<F>() + (h * h / 2) * a) : Vector<F, 4>(2 * now - before + h * h * a);
    EXPECT_LE(difference(z.q, expected), 1e-46) << k;
    Vector<F, 2> g;
    system.constraint().value(z.q, g);
    EXPECT_LE(livi::to_double(livi::max_magnitude(g)), 1e-48) << k;
    before = now;
    now = z.q;
  }
}

TEST(Rattle, satisfies_its_definition) {
  const auto system = heavy_pendulum<F>();
  Rattle method(system);
  const F h = ratio<F>(1, 16);
  auto z = method.start(livi::double_pendulum_start<F>(), moving<F>());
  for (int k = 0; k < 20; ++k) {
    const Vector<F, 4> q = z.q, v = z.v;
    ASSERT_TRUE(method.step(z, h).ok());
    const auto acceleration = [&](const Vector<F, 4>& at, const Vector<F, 2>& lambda) {
      Matrix<F, 2, 4> jacobian;
      Vector<F, 4> force;
      system.constraint().jacobian(at, jacobian);
      system.potential().gradient(at, force);
      force = -force + jacobian.transpose() * lambda;
      return system.velocity(force);
    };
    const Vector<F, 4> half = v + (h / 2) * acceleration(q, z.lambda), q_next = q + h * half,
                       v_next = half + (h / 2) * acceleration(z.q, z.kappa);
    EXPECT_LE(difference(z.q, q_next), 1e-46) << k;
    EXPECT_LE(difference(z.v, v_next), 1e-46) << k;
    Matrix<F, 2, 4> jacobian;
    Vector<F, 2> g;
    system.constraint().jacobian(z.q, jacobian);
    system.constraint().value(z.q, g);
    const Vector<F, 2> rate = jacobian * z.v;
    EXPECT_LE(livi::to_double(livi::max_magnitude(g)), 1e-48) << k;
    EXPECT_LE(livi::to_double(livi::max_magnitude(rate)), 1e-48) << k;
  }
}

TEST(Shake, and_rattle_have_the_same_positions_and_tangent_velocities) {
  const F h = ratio<F>(1, 16);
  for (const Gravity direction : {Gravity::down, Gravity::as_printed}) {
    const auto system = heavy_pendulum<F>(direction);
    Shake shake(system);
    Rattle rattle(system);
    auto a = shake.start(livi::double_pendulum_start<F>(), moving<F>());
    auto b = rattle.start(livi::double_pendulum_start<F>(), moving<F>());
    for (int k = 0; k < 50; ++k) {
      ASSERT_TRUE(shake.step(a, h).ok());
      ASSERT_TRUE(rattle.step(b, h).ok());
      EXPECT_LE(difference(a.q, b.q), 1e-44) << k;
      Vector<F, 4> v;
      ASSERT_TRUE(shake.tangent_velocity(a, v).ok());
      EXPECT_LE(difference(v, b.v), 1e-43) << k;
      EXPECT_GE(difference(a.v, b.v), 1e-4) << "SHAKE's own velocity is not tangent";
    }
  }
}

// --- multipliers ----------------------------------------------------------------------------------------------------

struct MultiplierErrors {
  double shake_first = 0, rattle_first = 0, shake = 0, rattle_mean = 0;
};

/// Against the multiplier of the differential-algebraic equation at the method's own (q_k, v_k), up to T = 1.
MultiplierErrors multiplier_errors(const Vector<F, 4>& v0, int steps) {
  const auto system = heavy_pendulum<F>();
  const F h = ratio<F>(1, steps);
  Shake shake(system);
  Rattle rattle(system);
  auto a = shake.start(livi::double_pendulum_start<F>(), v0);
  auto b = rattle.start(livi::double_pendulum_start<F>(), v0);
  MultiplierErrors errors;
  for (int k = 0; k < steps; ++k) {
    const Vector<F, 2> exact = analytic_multiplier(system, b.q, b.v), kappa = b.kappa;
    EXPECT_TRUE(shake.step(a, h).ok());
    EXPECT_TRUE(rattle.step(b, h).ok());
    const Vector<F, 2> mean = (b.lambda + kappa) / F(2);
    if (k == 0) {
      errors.shake_first = difference(a.lambda, exact);
      errors.rattle_first = difference(b.lambda, exact);
    } else {
      errors.shake = std::max(errors.shake, difference(a.lambda, exact));
      errors.rattle_mean = std::max(errors.rattle_mean, difference(mean, exact));
    }
  }
  return errors;
}

void expect_order(double coarse, double fine, double order) {
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << coarse << " " << fine;
}

// Every multiplier of SHAKE is that of t_k, when the step begins, to O(h^2); so is the mean of RATTLE's two. From rest
// the first step is no exception. From a moving start it is: the step is then not centred at t_0, and both first
// multipliers are right to O(h) only.
TEST(Multipliers, are_those_of_the_equations_at_the_time_the_step_begins) {
  const MultiplierErrors coarse = multiplier_errors(Vector<F, 4>(0, 0, 0, 0), 64),
                         fine = multiplier_errors(Vector<F, 4>(0, 0, 0, 0), 128);
  expect_order(coarse.shake_first, fine.shake_first, 2);
  expect_order(coarse.rattle_first, fine.rattle_first, 2);
  expect_order(coarse.shake, fine.shake, 2);
  expect_order(coarse.rattle_mean, fine.rattle_mean, 2);
  EXPECT_LE(fine.shake, 1e-2);
  const MultiplierErrors coarse_moving = multiplier_errors(moving<F>(), 256),
                         fine_moving = multiplier_errors(moving<F>(), 512);
  expect_order(coarse_moving.shake_first, fine_moving.shake_first, 1);
  expect_order(coarse_moving.rattle_first, fine_moving.rattle_first, 1);
  expect_order(coarse_moving.shake, fine_moving.shake, 2);
  expect_order(coarse_moving.rattle_mean, fine_moving.rattle_mean, 2);
}

// --- other sizes and types ------------------------------------------------------------------------------------------

TEST(ConstrainedIntegrators, give_the_same_orbit_with_sizes_known_at_run_time) {
  const auto fixed = heavy_pendulum<double>();
  Matrix<double, Dynamic> m = Matrix<double, Dynamic>::Zero(4, 4);
  for (int i = 0; i < 4; ++i) m(i, i) = i + 2;
  m(2, 0) = m(0, 2) = m(3, 1) = m(1, 3) = 1;
  struct Gravity4 : livi::GravityPotential<double, 4> {  // AnyPotential wants a Hessian
    using hessian_type = livi::DenseHessian<double, 4>;
    void hessian(const vector_type&, hessian_type& h) const { h.set_zero(); }
    void third(const vector_type&, const vector_type&, vector_type& out) const { out.setZero(); }
  };
  const livi::AnyConstrainedSystem<double> dynamic{
      FullMass<double, Dynamic>(m), {Gravity4{{1.0}}, 4}, {fixed.constraint(), 2}};
  const auto run_time = [](const auto& x) { return Vector<double, Dynamic>(x); };
  const auto expect_same = [&](auto a, auto b) {
    const Vector<double, Dynamic> q = livi::double_pendulum_start<double>(), v = moving<double>();
    auto x = a.start(livi::double_pendulum_start<double>(), moving<double>());
    auto y = b.start(q, v);
    for (int k = 0; k < 40; ++k) {
      ASSERT_TRUE(a.step(x, 0.05).ok());
      ASSERT_TRUE(b.step(y, 0.05).ok());
    }
    EXPECT_LE(difference(run_time(x.q), y.q), 1e-12);
    EXPECT_LE(difference(run_time(x.v), y.v), 1e-11);
    EXPECT_GE(difference(run_time(x.q), q), 0.1);
  };
  expect_same(Shake(fixed), Shake(dynamic));
  expect_same(Rattle(fixed), Rattle(dynamic));
}

/// V = height.
struct Fall {
  using scalar_type = double;
  using vector_type = Vector<double, 3>;
  [[maybe_unused]] static constexpr int dimension = 3;
  double value(const vector_type& q) const { return q(2); }
  void gradient(const vector_type&, vector_type& out) const { out = {0, 0, 1}; }
};
using OnASurface = livi::ConstrainedSystem<livi::ScalarMass<double, 3>, Fall, QuadraticConstraint<double, 3>>;
OnASurface on_a_surface(double x, double y, double z, double level) {
  return {livi::ScalarMass<double, 3>(2), {}, {Vector<double, 3>(x, y, z).asDiagonal(), level}};
}

TEST(ConstrainedIntegrators, keep_a_particle_on_an_ellipsoid) {
  const auto system = on_a_surface(1, 2, 3, 1.5);
  Rattle method(system);
  auto z = method.start({0, 0, 1}, {1, 0.5, 0});
  const double energy = system.energy(z.q, z.v);
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(method.step(z, 0.02).ok());
    EXPECT_NEAR(z.q(0) * z.q(0) + 2 * z.q(1) * z.q(1) + 3 * z.q(2) * z.q(2), 3, 1e-13);
    EXPECT_NEAR(z.q(0) * z.v(0) + 2 * z.q(1) * z.v(1) + 3 * z.q(2) * z.v(2), 0, 1e-13);
    EXPECT_NEAR(system.energy(z.q, z.v), energy, 1e-2);
  }
  EXPECT_LT(z.q(2), 0.5);  // it slid
}

// --- refusals and failures ------------------------------------------------------------------------------------------

TEST(ConstrainedIntegrators, refuse_inconsistent_initial_data) {
  const auto system = livi::double_pendulum<double>();
  const Vector<double, 4> q = livi::double_pendulum_start<double>(), rest(0, 0, 0, 0);
  const auto expect = [&](auto method) {
    EXPECT_EQ(refusal([&] {
                static_cast<void>(method.start({0, -1, 1, -2.5}, rest));
              }),
              "initial position: constraint g[1] = 1.25: must vanish to within 9.09495e-13");
    EXPECT_EQ(refusal([&] {
                static_cast<void>(method.start(q, {0, 1, 0, 1}));
              }),
              "initial velocity: constraint rate (Dg v)[0] = -2: must vanish to within 9.09495e-13");
    EXPECT_EQ(refusal([&] { static_cast<void>(method.start(q, rest)); }), "accepted");
  };
  expect(Shake(system));
  expect(Rattle(system));
}

TEST(ConstrainedIntegrators, say_why_they_stop) {
  const auto pendulum = livi::double_pendulum<double>();
  livi::NewtonOptions<double> once;
  once.max_iterations = 1;
  const auto expect = [&](auto method, const auto& q, const auto& v, double h, Failure failure, int detail) {
    auto z = method.start(q, v);
    const livi::StepOutcome outcome = method.step(z, h);
    EXPECT_EQ(outcome.failure, failure);
    EXPECT_EQ(outcome.detail, detail);
  };
  const Vector<double, 4> q = livi::double_pendulum_start<double>(), v = moving<double>();
  expect(Shake(pendulum, once), q, v, 0.2, Failure::no_convergence, 1);
  expect(Rattle(pendulum, once), q, v, 0.2, Failure::no_convergence, 1);
  once.max_iterations = 0;
  EXPECT_EQ(refusal([&] { Shake method(pendulum, once); }), "Newton max_iterations = 0: must be >= 1");
  // The apex of a cone: Dg = 0.
  const auto cone = on_a_surface(1, 1, -1, 0);
  const Vector<double, 3> apex(0, 0, 0);
  expect(Shake(cone), apex, apex, 0.1, Failure::singular_matrix, 0);
  expect(Rattle(cone), apex, apex, 0.1, Failure::singular_matrix, 0);
}

// --- generalised coordinates ----------------------------------------------------------------------------------------

/// v . M v / 2 - V with a constant full mass and an anharmonic V.
struct ConstantMass {
  using scalar_type = F;
  using vector_type = Vector<F, 2>;
  static constexpr int dimension = 2;
  template <class T>
  T operator()(const Vector<T, 2>& q, const Vector<T, 2>& v) const {
    const T kinetic = (T(3) * v(0) * v(0) + T(2) * v(0) * v(1) + T(2) * v(1) * v(1)) / T(2);
    return kinetic - (q(0) * q(0) / T(2) + q(0) * q(0) * q(1) + q(1) * q(1) * q(1) * q(1) / T(4));
  }
};
struct ItsPotential {
  using scalar_type = F;
  using vector_type = Vector<F, 2>;
  static constexpr int dimension = 2;
  F value(const vector_type& q) const { return -ConstantMass{}(q, Vector<F, 2>(0, 0)); }
  void gradient(const vector_type& q, vector_type& out) const {
    out = {q(0) + 2 * q(0) * q(1), q(0) * q(0) + q(1) * q(1) * q(1)};
  }
};

TEST(VariationalEulerGeneralized, is_symplectic_euler_when_the_mass_is_constant) {
  Matrix<F, 2> m;
  m << 3, 1, 1, 2;
  const livi::MechanicalSystem<FullMass<F, 2>, ItsPotential> system(FullMass<F, 2>(m), {});
  const ConstantMass lagrangian;
  livi::VariationalEulerGeneralized general(lagrangian);
  livi::SymplecticEuler euler(system);
  const Vector<F, 2> q(ratio<F>(1, 3), ratio<F>(-1, 2)), v(ratio<F>(1, 5), ratio<F>(1, 4));
  auto a = general.start(q, v);
  auto b = euler.start(q, v);
  EXPECT_LE(difference(a.p, system.momentum(v)), 1e-48);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(general.step(a, ratio<F>(1, 8)).ok());
    ASSERT_TRUE(euler.step(b, ratio<F>(1, 8)).ok());
    EXPECT_LE(difference(a.q, b.q), 1e-46);
    EXPECT_LE(difference(a.p, system.momentum(b.v)), 1e-46);
    EXPECT_LE(difference(a.v, b.v), 1e-46);
  }
  // Linear in w: the second iteration finds nothing left to do.
  EXPECT_LE(general.work().newton_iterations, 2 * 20);
}

TEST(VariationalEulerGeneralized, satisfies_the_discrete_euler_lagrange_equations_in_angles) {
  const auto lagrangian = livi::double_pendulum_lagrangian<F>();
  livi::VariationalEulerGeneralized method(lagrangian);
  const F h = ratio<F>(1, 16);
  auto z = method.start({0, ratio<F>(3, 4)}, {ratio<F>(1, 2), -1});
  for (int k = 0; k < 10; ++k) {
    const auto before = z;
    ASSERT_TRUE(method.step(z, h).ok());
    const Vector<F, 2> w = (z.q - before.q) / h;
    Vector<F, 2> dq, dv;
    livi::lagrangian_gradients(lagrangian, before.q, w, dq, dv);
    const Vector<F, 2> p = dv - h * dq;
    EXPECT_LE(difference(before.p, p), 1e-46);
    EXPECT_LE(difference(z.p, dv), 1e-46);
  }
  EXPECT_GT(method.work().newton_iterations, 2 * 10);  // nonlinear: the mass depends on position
  livi::NewtonOptions<F> once;
  once.max_iterations = 1;
  livi::VariationalEulerGeneralized hurried(lagrangian, once);
  auto y = hurried.start({0, ratio<F>(3, 4)}, {ratio<F>(1, 2), -1});
  const livi::StepOutcome outcome = hurried.step(y, h);
  EXPECT_EQ(outcome.failure, Failure::no_convergence);
  EXPECT_EQ(outcome.detail, 1);
}

// Energy and acceleration in angles against those of the Cartesian equations with multipliers.
TEST(VariationalEulerGeneralized, rests_on_the_cartesian_mechanics) {
  const auto lagrangian = livi::double_pendulum_lagrangian<F>();
  const auto system = livi::double_pendulum<F>();
  const Vector<F, 2> q(ratio<F>(2, 5), ratio<F>(-3, 4)), v(ratio<F>(1, 2), -1);
  const Vector<F, 2> a = livi::euler_lagrange_acceleration(lagrangian, q, v);
  // r(t) with theta(t) = q + v t + a t^2/2 to second order, by nested duals: value, r', r''.
  using D2 = Dual<Dual<F>>;
  Vector<D2, 2> angles;
  for (int i = 0; i < 2; ++i) angles(i) = D2(Dual<F>(q(i), v(i)), Dual<F>(v(i), a(i)));
  const Vector<D2, 4> r = livi::double_pendulum_lagrangian<D2>().cartesian(angles);
  Vector<F, 4> position, rate, second;
  for (int i = 0; i < 4; ++i) {
    position(i) = r(i).value.value;
    rate(i) = r(i).value.derivative;
    second(i) = r(i).derivative.derivative;
  }
  EXPECT_LE(abs(livi::lagrangian_energy(lagrangian, q, v) - system.energy(position, rate)), F("1e-47"));
  Matrix<F, 2, 4> jacobian;
  system.constraint().jacobian(position, jacobian);
  Vector<F, 4> force;
  system.potential().gradient(position, force);
  force = -force + jacobian.transpose() * analytic_multiplier(system, position, rate);
  EXPECT_LE(difference(second, system.velocity(force)), 1e-47);
}

struct Massless {
  using scalar_type = F;
  using vector_type = Vector<F, 2>;
  static constexpr int dimension = 2;
  template <class T>
  T operator()(const Vector<T, 2>& q, const Vector<T, 2>& v) const {
    return v(0) * v(0) / T(2) - q(1) * q(1);
  }
};

TEST(VariationalEulerGeneralized, refuses_or_stops_at_a_degenerate_lagrangian) {
  const Massless lagrangian;
  const Vector<F, 2> q(1, 1), v(1, 1);
  EXPECT_EQ(refusal([&] { static_cast<void>(livi::euler_lagrange_acceleration(lagrangian, q, v)); }),
            "Lagrangian = singular d2L/dv2: must be regular in the velocity");
  livi::VariationalEulerGeneralized method(lagrangian);
  auto z = method.start(q, v);
  const livi::StepOutcome outcome = method.step(z, ratio<F>(1, 8));
  EXPECT_EQ(outcome.failure, Failure::singular_matrix);
  EXPECT_EQ(outcome.detail, 1);
}

}  // namespace constrained_integrators_test
