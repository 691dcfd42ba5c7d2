// SPDX-License-Identifier: MIT
//
// What integrators are to each other: identities that hold to the last digit, exactly in rationals or to 1e-45 in 50
// digits, on potentials whose Hessians do not commute, with scalar, diagonal and full masses.
#include <gtest/gtest.h>

#include <livi/integrators/generic_consistent.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/potentials.hpp>

namespace integrator_identities_test {

using livi::CoupledAnharmonicPotential;
using livi::Dual;
using livi::Float50;
using livi::FullMass;
using livi::GaussianElimination;
using livi::HenonHeilesPotential;
using livi::Matrix;
using livi::MechanicalSystem;
using livi::ratio;
using livi::Rational;
using livi::RealOf;
using livi::ScalarMass;
using livi::Vector;

using Q = Rational;

// --- the system -----------------------------------------------------------------------------------------------------

enum class MassKind { identity, diagonal, full };

template <class S>
Matrix<S, 3> mass_matrix(MassKind kind) {
  Matrix<S, 3> m = Matrix<S, 3>::Constant(S(0));
  for (int i = 0; i < 3; ++i) m(i, i) = S(kind == MassKind::diagonal && i == 1 ? 4 : 1);
  if (kind == MassKind::full) m << S(3), S(1), S(0), S(1), S(2), ratio<S>(-1, 2), S(0), ratio<S>(-1, 2), S(1);
  return m;
}

template <class S>
using Anharmonic = CoupledAnharmonicPotential<S, 3>;
template <class S>
Anharmonic<S> anharmonic() {
  return {ratio<S>(3, 4), ratio<S>(1, 2)};
}
template <class S>
using System = MechanicalSystem<FullMass<S, 3>, Anharmonic<S>>;
template <class S>
System<S> make_system(MassKind kind) {
  return {FullMass<S, 3>(mass_matrix<S>(kind)), anharmonic<S>()};
}
template <class S>
Vector<S, 3> position() {
  return {ratio<S>(1, 2), ratio<S>(-2, 5), ratio<S>(3, 10)};
}
template <class S>
Vector<S, 3> velocity() {
  return {ratio<S>(1, 3), ratio<S>(1, 4), ratio<S>(-1, 5)};
}

constexpr MassKind every_mass[] = {MassKind::identity, MassKind::diagonal, MassKind::full};

template <class V>
RealOf<typename V::Scalar> difference(const V& a, const V& b) {
  return livi::max_magnitude(V(a - b));
}

// --- Z&S is velocity Verlet on a modified potential -----------------------------------------------------------------

/// U = V - c/2 grad V . (M + c Hess V)^-1 grad V, c = beta h^2; its gradient by dual numbers through the linear solve.
template <class S>
struct ModifiedPotential {
  using scalar_type = S;
  using vector_type = Vector<S, 3>;
  static constexpr int dimension = 3;
  MassKind mass;
  S c;

  template <class T>
  T value_in(const Vector<T, 3>& q) const {
    Vector<T, 3> gradient;
    livi::DenseHessian<T, 3> hessian;
    anharmonic<T>().gradient(q, gradient);
    anharmonic<T>().hessian(q, hessian);
    Matrix<T, 3> matrix = mass_matrix<T>(mass) + T(c) * hessian.matrix;
    Vector<T, 3> a = gradient;
    GaussianElimination<T, 3> solver;
    EXPECT_FALSE(solver.factor(matrix).singular);
    solver.solve_in_place(a);
    T product(0);
    for (int i = 0; i < 3; ++i) product += gradient(i) * a(i);
    return anharmonic<T>().value(q) - T(c) * product / T(2);
  }
  S value(const vector_type& q) const { return value_in<S>(q); }
  void gradient(const vector_type& q, vector_type& out) const {
    for (int i = 0; i < 3; ++i) {
      Vector<Dual<S>, 3> z;
      for (int k = 0; k < 3; ++k) z(k) = Dual<S>(q(k), S(k == i ? 1 : 0));
      out(i) = value_in<Dual<S>>(z).derivative;
    }
  }
};

template <class S, class Method>
RealOf<S> distance_to_verlet_on_modified_potential(MassKind kind) {
  const S h = ratio<S>(1, 8), beta = ratio<S>(1, 3);
  const System<S> system = make_system<S>(kind);
  const MechanicalSystem<FullMass<S, 3>, ModifiedPotential<S>> modified(FullMass<S, 3>(mass_matrix<S>(kind)),
                                                                        ModifiedPotential<S>{kind, beta * h * h});
  Method method(system, {beta});
  livi::VelocityVerlet verlet(modified);
  auto a = method.start(position<S>(), velocity<S>());
  auto b = verlet.start(position<S>(), velocity<S>());
  RealOf<S> largest(0);
  for (int k = 0; k < 100; ++k) {
    EXPECT_TRUE(method.step(a, h).ok());
    EXPECT_TRUE(verlet.step(b, h).ok());
    largest = livi::larger(largest, livi::larger(difference(a.q, b.q), difference(a.v, b.v)));
  }
  EXPECT_GT(difference(a.q, position<S>()), RealOf<S>(0.1));  // it went somewhere
  return largest;
}

// The orbit is regular and the steps number 100: rounding errors of 1e-16 (1e-50) grow to some hundred times that.
TEST(ZhangSkeel, is_velocity_verlet_on_the_modified_potential) {
  for (const MassKind kind : every_mass) {
    EXPECT_LE((distance_to_verlet_on_modified_potential<double, livi::ZhangSkeel<System<double>>>(kind)), 1e-13);
    EXPECT_LE((distance_to_verlet_on_modified_potential<Float50, livi::ZhangSkeel<System<Float50>>>(kind)),
              Float50("1e-45"));
    // Without the third-derivative term it is not.
    EXPECT_GE((distance_to_verlet_on_modified_potential<double, livi::SimplifiedZhangSkeel<System<double>>>(kind)),
              1e-5);
  }
}

TEST(ZhangSkeel, with_beta_zero_is_velocity_verlet) {
  for (const MassKind kind : every_mass) {
    const auto system = make_system<Q>(kind);
    livi::ZhangSkeel<System<Q>> method(system, {Q(0)});
    livi::SimplifiedZhangSkeel<System<Q>> simplified(system, {Q(0)});
    livi::VelocityVerlet verlet(system);
    auto a = method.start(position<Q>(), velocity<Q>());
    auto b = verlet.start(position<Q>(), velocity<Q>());
    auto c = simplified.start(position<Q>(), velocity<Q>());
    for (int k = 0; k < 2; ++k) {
      ASSERT_TRUE(method.step(a, ratio<Q>(1, 8)).ok());
      ASSERT_TRUE(verlet.step(b, ratio<Q>(1, 8)).ok());
      ASSERT_TRUE(simplified.step(c, ratio<Q>(1, 8)).ok());
      EXPECT_TRUE(a.q == b.q && a.v == b.v);
      EXPECT_TRUE(c.q == b.q && c.v == b.v);
    }
  }
}

// --- families (20) and (21) -----------------------------------------------------------------------------------------

/// a, and beta^2/2 M^-1 a . V''' . a, by the formulas of (3) and a dense solve of its own.
struct Formula {
  MassKind kind;
  Q c;  // beta h^2
  Vector<Q, 3> a(const Vector<Q, 3>& x) const {
    livi::DenseHessian<Q, 3> hessian;
    anharmonic<Q>().hessian(x, hessian);
    Vector<Q, 3> result;
    anharmonic<Q>().gradient(x, result);
    GaussianElimination<Q, 3> solver;
    EXPECT_FALSE(solver.factor(mass_matrix<Q>(kind) + c * hessian.matrix).singular);
    solver.solve_in_place(result);
    for (int i = 0; i < 3; ++i) result(i) = -result(i);
    return result;
  }
  Vector<Q, 3> half_third(const Vector<Q, 3>& x, const Q& beta) const {
    Vector<Q, 3> t;
    anharmonic<Q>().third(x, a(x), t);
    GaussianElimination<Q, 3> mass;
    EXPECT_FALSE(mass.factor(mass_matrix<Q>(kind)).singular);
    mass.solve_in_place(t);
    for (int i = 0; i < 3; ++i) t(i) *= beta * beta / 2;
    return t;
  }
};

TEST(Families, contain_zhang_skeel_exactly) {
  const Q h = ratio<Q>(1, 4), beta = ratio<Q>(1, 3), h2 = h * h, h4 = h2 * h2, h6 = h4 * h2;
  for (const MassKind kind : every_mass) {
    const auto system = make_system<Q>(kind);
    const Formula formula{kind, beta * h2};
    livi::ZhangSkeel<System<Q>> reference(system, {beta});
    auto z = reference.start(position<Q>(), velocity<Q>());
    ASSERT_TRUE(reference.step(z, h).ok());

    // (21) with f of (3)
    livi::GenericSymmetric symmetric(system, [&](const Vector<Q, 3>& x) {
      Vector<Q, 3> f = formula.a(x);
      f -= h4 * formula.half_third(x, beta);
      return f;
    });
    auto s = symmetric.start(position<Q>(), velocity<Q>());
    ASSERT_TRUE(symmetric.step(s, h).ok());
    EXPECT_TRUE(s.q == z.q && s.v == z.v);

    // (20) with f = beta Hess V, g = -beta^2/2 M^-1 a . V''' . a: only with the term that is not printed
    const auto f = [&](const Vector<Q, 3>& x) {
      livi::DenseHessian<Q, 3> hessian;
      anharmonic<Q>().hessian(x, hessian);
      return Matrix<Q, 3>(beta * hessian.matrix);
    };
    const auto g = [&](const Vector<Q, 3>& x) {
      const Vector<Q, 3> half = formula.half_third(x, beta);
      return Vector<Q, 3>(-half);
    };
    livi::GenericConsistent included(system, f, g, livi::PositionCorrection::included);
    auto i = included.start(position<Q>(), velocity<Q>());
    ASSERT_TRUE(included.step(i, h).ok());
    EXPECT_TRUE(i.q == z.q && i.v == z.v);

    livi::GenericConsistent printed(system, f, g, livi::PositionCorrection::as_printed);
    auto p = printed.start(position<Q>(), velocity<Q>());
    ASSERT_TRUE(printed.step(p, h).ok());
    const Vector<Q, 3> missing = z.q - p.q, expected = (h6 / 2) * g(position<Q>());
    EXPECT_TRUE(missing == expected);
    EXPECT_NE(expected(0), 0);
  }
}

TEST(Families, zhang_skeel_gives_its_physical_position) {
  const Q h = ratio<Q>(1, 4), beta = ratio<Q>(1, 3), c = beta * h * h;
  const auto system = make_system<Q>(MassKind::full);
  livi::ZhangSkeel<System<Q>> method(system, {beta});
  livi::WorkCounters work;
  Vector<Q, 3> q = position<Q>();
  ASSERT_TRUE(method.force().physical_position(system, position<Q>(), h, q, work).ok());
  const Vector<Q, 3> expected = position<Q>() + c * Formula{MassKind::full, c}.a(position<Q>());
  EXPECT_TRUE(q == expected);
}

// --- symmetric methods reverse exactly ------------------------------------------------------------------------------

template <class Method>
void expect_reverses_exactly(Method method) {
  const Q h = ratio<Q>(1, 4);
  auto z = method.start(position<Q>(), velocity<Q>());
  ASSERT_TRUE(method.step(z, h).ok());
  EXPECT_FALSE(z.q == position<Q>());
  ASSERT_TRUE(method.step(z, Q(-h)).ok());
  EXPECT_TRUE(z.q == position<Q>() && z.v == velocity<Q>());
}

TEST(Symmetric, methods_are_undone_by_a_step_backward) {
  const auto system = make_system<Q>(MassKind::full);
  expect_reverses_exactly(livi::ZhangSkeel<System<Q>>(system));
  expect_reverses_exactly(livi::SimplifiedZhangSkeel<System<Q>>(system));
  expect_reverses_exactly(livi::VelocityVerlet(system));
}

/// The force belongs to the step it was computed for: a step of another length starts from a new one.
TEST(Symmetric, methods_recompute_a_force_of_another_step) {
  const auto system = make_system<double>(MassKind::full);
  livi::ZhangSkeel<System<double>> method(system);
  auto z = method.start(position<double>(), velocity<double>());
  ASSERT_TRUE(method.step(z, ratio<double>(1, 4)).ok());
  auto fresh = method.start(z.q, z.v);
  ASSERT_TRUE(method.step(z, ratio<double>(1, 2)).ok());
  ASSERT_TRUE(method.step(fresh, ratio<double>(1, 2)).ok());
  EXPECT_TRUE(z.q == fresh.q && z.v == fresh.v);
  // A step of the same length keeps it: one solve per step.
  const long before = method.work().linear_solves;
  ASSERT_TRUE(method.step(z, ratio<double>(1, 2)).ok());
  EXPECT_EQ(method.work().linear_solves, before + 1);
}

// --- Z&Ss and Newmark -----------------------------------------------------------------------------------------------

// TO14: (18)'s third line is the first Newton iterate of (14) from a = 0.
TEST(SimplifiedZhangSkeel, is_one_newton_iteration_of_the_pushforward) {
  const Q h = ratio<Q>(1, 4), beta = ratio<Q>(1, 3);
  for (const MassKind kind : every_mass) {
    const auto system = make_system<Q>(kind);
    livi::NewtonOptions<Q> once;
    once.fixed_iterations = 1;
    livi::PushforwardNewmarkForce<System<Q>> newton(system, {beta, once});
    livi::SimplifiedZhangSkeelForce<System<Q>, livi::HessianPart::all> simplified(system, {beta});
    livi::WorkCounters work;
    Vector<Q, 3> y = position<Q>(), a = position<Q>();
    ASSERT_TRUE(newton.physical_position(system, position<Q>(), h, y, work).ok());
    ASSERT_TRUE(simplified(system, position<Q>(), h, a, work).ok());
    const Vector<Q, 3> of_newton = (y - position<Q>()) / Q(beta * h * h);
    EXPECT_TRUE(of_newton == a);
    EXPECT_EQ(work.newton_iterations, 1);
    EXPECT_TRUE(a == (Formula{kind, beta * h * h}.a(position<Q>())));
  }
}

TEST(Newmark, is_conjugate_to_its_pushforward_through_eta) {
  using S = Float50;
  const S h = ratio<S>(1, 4), beta = ratio<S>(1, 3);
  for (const MassKind kind : every_mass) {
    const auto system = make_system<S>(kind);
    livi::Newmark<System<S>> newmark(system, {.beta = beta});
    livi::PushforwardNewmark<System<S>> pushforward(system, {beta});
    auto z = newmark.start(position<S>(), velocity<S>());
    Vector<S, 3> x = position<S>(), eta = x;
    newmark.canonical_position(position<S>(), h, x);
    // (13) by hand
    Vector<S, 3> by_hand;
    system.potential().gradient(position<S>(), by_hand);
    by_hand = position<S>() + (beta * h * h) * system.velocity(by_hand);
    EXPECT_LE(difference(x, by_hand), S("1e-48"));
    auto y = pushforward.start(x, velocity<S>());
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(newmark.step(z, h).ok());
      ASSERT_TRUE(pushforward.step(y, h).ok());
      newmark.canonical_position(z.q, h, eta);
      // Each Newton solve ends within 32 epsilon = 6e-50.
      EXPECT_LE(difference(eta, y.q), S("1e-46"));
      EXPECT_LE(difference(z.v, y.v), S("1e-46"));
    }
    // The physical position of x is q.
    livi::WorkCounters work;
    ASSERT_TRUE(pushforward.force().physical_position(system, y.q, h, eta, work).ok());
    EXPECT_LE(difference(eta, z.q), S("1e-46"));
  }
}

TEST(Newmark, satisfies_its_definition_for_any_beta_and_gamma) {
  using S = Float50;
  const S h = ratio<S>(1, 4), beta = ratio<S>(3, 10), gamma = ratio<S>(7, 10);
  for (const MassKind kind : every_mass) {
    const auto system = make_system<S>(kind);
    livi::Newmark<System<S>> newmark(system, {.beta = beta, .gamma = gamma});
    auto z = newmark.start(position<S>(), velocity<S>());
    Vector<S, 3> q = z.q, v = z.v, a, next_a;
    for (int k = 0; k < 3; ++k) {
      ASSERT_TRUE(newmark.step(z, h).ok());
      system.acceleration(q, a);
      system.acceleration(z.q, next_a);
      const Vector<S, 3> q_next = q + h * v + (h * h / 2) * ((1 - 2 * beta) * a + (2 * beta) * next_a);
      const Vector<S, 3> v_next = v + h * ((1 - gamma) * a + gamma * next_a);
      EXPECT_LE(difference(z.q, q_next), S("1e-48"));
      EXPECT_LE(difference(z.v, v_next), S("1e-48"));
      q = z.q;
      v = z.v;
    }
  }
}

// Every reading of "one iteration" gives another method; converged, all are Newmark.
TEST(Newmark, does_not_depend_on_guess_or_acceleration_once_converged) {
  using S = Float50;
  const S h = ratio<S>(1, 4);
  const auto system = make_system<S>(MassKind::full);
  std::vector<Vector<S, 3>> converged, once;
  for (const auto guess : {livi::NewmarkGuess::last_position, livi::NewmarkGuess::ballistic,
                           livi::NewmarkGuess::zero_acceleration, livi::NewmarkGuess::constant_acceleration})
    for (const auto acceleration : {livi::NewmarkAcceleration::recomputed, livi::NewmarkAcceleration::carried})
      for (const int iterations : {0, 1}) {
        livi::NewmarkOptions<S> options{.guess = guess, .acceleration = acceleration};
        options.newton.fixed_iterations = iterations;
        livi::Newmark<System<S>> method(system, options);
        auto z = method.start(position<S>(), velocity<S>());
        for (int k = 0; k < 10; ++k) ASSERT_TRUE(method.step(z, h).ok());
        (iterations == 0 ? converged : once).push_back(z.q);
        EXPECT_EQ(method.declares().symplectic, false);
        EXPECT_EQ(method.declares().conjugate_symplectic, iterations == 0);
        if (iterations == 1) {
          EXPECT_EQ(method.work().newton_iterations, 10);
        }
      }
  for (std::size_t i = 0; i < converged.size(); ++i) {
    EXPECT_LE(difference(converged[i], converged[0]), S("1e-46")) << i;
    EXPECT_GE(difference(once[i], converged[0]), S("1e-9")) << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE(difference(once[i], once[j]), S("1e-9")) << i << " " << j;
  }
}

// --- other methods satisfy their equations --------------------------------------------------------------------------

TEST(ImplicitMidpoint, satisfies_its_definition) {
  using S = Float50;
  const S h = ratio<S>(1, 4);
  const auto system = make_system<S>(MassKind::full);
  livi::ImplicitMidpoint method(system);
  auto z = method.start(position<S>(), velocity<S>());
  Vector<S, 3> q = z.q, v = z.v, a;
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(method.step(z, h).ok());
    const Vector<S, 3> midpoint = (q + z.q) / S(2);
    system.acceleration(midpoint, a);
    const Vector<S, 3> v_next = v + h * a, q_next = q + (h / 2) * (v + z.v);
    EXPECT_LE(difference(z.v, v_next), S("1e-48"));
    EXPECT_LE(difference(z.q, q_next), S("1e-48"));
    q = z.q;
    v = z.v;
  }
}

TEST(SymplecticEuler, kicks_then_drifts) {
  const Q h = ratio<Q>(1, 4);
  const auto system = make_system<Q>(MassKind::full);
  livi::SymplecticEuler method(system);
  auto z = method.start(position<Q>(), velocity<Q>());
  ASSERT_TRUE(method.step(z, h).ok());
  Vector<Q, 3> a;
  system.acceleration(position<Q>(), a);
  const Vector<Q, 3> v = velocity<Q>() + h * a, q = position<Q>() + h * v;
  EXPECT_TRUE(z.v == v && z.q == q);
}

/// The 2 x 2 matrix of a step on q'' = -k q.
template <class Make>
Matrix<Q, 2> oscillator_matrix(const Q& k, const Q& h, const Make& make) {
  using Oscillator = MechanicalSystem<ScalarMass<Q, 1>, livi::HarmonicPotential<Q, 1>>;
  const Oscillator system{ScalarMass<Q, 1>(2), {Vector<Q, 1>::Constant(2 * k)}};  // k/m is what counts
  auto method = make(system);
  Matrix<Q, 2> m;
  for (int j = 0; j < 2; ++j) {
    auto z = method.start(Vector<Q, 1>::Constant(j == 0 ? 1 : 0), Vector<Q, 1>::Constant(j == 1 ? 1 : 0));
    EXPECT_TRUE(method.step(z, h).ok());
    m(0, j) = z.q(0);
    m(1, j) = z.v(0);
  }
  return m;
}

// Exactly, by hand: the classical methods, and TO14's Theorem 2.2: four methods share the trace 2 - z/(1 + beta z).
TEST(LinearProblem, has_the_matrices_of_the_textbooks) {
  const Q h = ratio<Q>(2, 3), k = ratio<Q>(5, 2), z = k * h * h, beta = ratio<Q>(1, 3);
  const auto expect = [](const Matrix<Q, 2>& m, const Q& a, const Q& b, const Q& c, const Q& d) {
    EXPECT_EQ(m(0, 0), a);
    EXPECT_EQ(m(0, 1), b);
    EXPECT_EQ(m(1, 0), c);
    EXPECT_EQ(m(1, 1), d);
  };
  const auto matrix = [&](const auto& make) { return oscillator_matrix(k, h, make); };
  expect(matrix([]<class T>(const T& s) { return livi::VelocityVerlet<T>(s); }), 1 - z / 2, h, -k * h * (1 - z / 4),
         1 - z / 2);
  expect(matrix([]<class T>(const T& s) { return livi::SymplecticEuler<T>(s); }), 1 - z, h, -k * h, 1);
  expect(matrix([]<class T>(const T& s) { return livi::ExplicitEuler<T>(s); }), 1, h, -k * h, 1);
  const Q diagonal = 1 - z / 2 + z * z / 24, off = 1 - z / 6;
  expect(matrix([]<class T>(const T& s) { return livi::RungeKutta4<T>(s); }), diagonal, h * off, -k * h * off,
         diagonal);
  const Q w = z / 4;
  expect(matrix([]<class T>(const T& s) { return livi::ImplicitMidpoint<T>(s); }), (1 - w) / (1 + w), h / (1 + w),
         -k * h / (1 + w), (1 - w) / (1 + w));
  const auto expect_theorem_2_2 = [&](const Matrix<Q, 2>& m) {
    EXPECT_EQ(m(0, 0) + m(1, 1), 2 - z / (1 + beta * z));
    EXPECT_EQ(m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0), 1);
  };
  expect_theorem_2_2(matrix([&]<class T>(const T& s) { return livi::ZhangSkeel<T>(s, {beta}); }));
  expect_theorem_2_2(matrix([&]<class T>(const T& s) { return livi::SimplifiedZhangSkeel<T>(s, {beta}); }));
  expect_theorem_2_2(matrix([&]<class T>(const T& s) { return livi::Newmark<T>(s, {.beta = beta}); }));
  expect_theorem_2_2(matrix([&]<class T>(const T& s) { return livi::PushforwardNewmark<T>(s, {beta}); }));
}

TEST(RungeKutta4, has_order_four_on_a_nonlinear_problem) {
  using S = Float50;
  const auto system = make_system<S>(MassKind::full);
  livi::RungeKutta4 method(system);
  std::vector<Vector<S, 3>> ends;
  for (const int steps : {8, 16, 32}) {
    auto z = method.start(position<S>(), velocity<S>());
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(method.step(z, ratio<S>(1, steps)).ok());
    ends.push_back(z.q);
  }
  // Differences of successive halvings fall by 2^4, up to their own O(h).
  const double factor = livi::to_double(S(difference(ends[0], ends[1]) / difference(ends[1], ends[2])));
  EXPECT_GE(factor, 14);
  EXPECT_LE(factor, 19);
}

}  // namespace integrator_identities_test
