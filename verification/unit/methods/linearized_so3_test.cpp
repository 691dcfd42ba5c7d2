// SPDX-License-Identifier: MIT
//
// LinearizedSO3 (TO14 (36), (37)): its structured solve against the nine equations, against the stationarity of the
// truncated action by automatic differentiation, and against Z&S in R^9; its structure; and that what the paper prints
// differs in each of its misprints.
#include <gtest/gtest.h>

#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/integrators/linearized_so3.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/power_series.hpp>

#include "study/misprints/linearized_so3_as_printed.hpp"
#include "verification/support/fixed_seed.hpp"

namespace linearized_so3_test {

using namespace livi;

int between(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)); }
Float50 number() { return ratio<Float50>(between(-100, 100), 100); }
Vector3<Float50> random_vector() { return vector3(number(), number(), number()); }
template <class M>
double size(const M& m) {
  return to_double(max_magnitude(m));
}
constexpr double floor_50 =
    1e-44;  // two orders above the battery's: c = 2 omega^2 beta h^2 is of size one, omega^2 100

/// Off SO(3) by `percent`, a velocity, a penalty, a step with h omega up to `largest` percent.
struct RandomCase {
  Matrix3<Float50> r;
  Vector<Float50, 9> v;
  Float50 beta, omega, h, strength;
  explicit RandomCase(int percent = 10, int largest = 400)
      : r(so3::exp(random_vector())),
        beta(ratio<Float50>(between(10, 80), 100)),
        omega(between(5, 20)),
        h(ratio<Float50>(between(1, largest), 100) / omega),
        strength(number()) {
    for (int i = 0; i < 9; ++i) {
      r.data()[i] += number() * percent / 100;
      v(i) = number();
    }
  }
  [[nodiscard]] Float50 c() const { return 2 * omega * omega * beta * h * h; }
  template <class S = Float50>
  [[nodiscard]] PenalisedBody<S> system() const {
    return penalised_body<S>(S(strength), S(omega));
  }
};
using System = PenalisedBody<Float50>;
using Force = LinearizedSO3Force<Float50>;

Matrix3<Float50> right_side(const RandomCase& random) {
  Matrix3<Float50> right =
      -2 * random.omega * random.omega * (random.r * PenalisedBodyPotential<Float50>::defect(random.r));
  right(2, 2) -= random.strength;
  return right;
}

RC_GTEST_PROP(Equation37, is_solved_by_its_structure, ()) {
  const RandomCase random;
  WorkCounters work;
  Matrix3<Float50> a, dense;
  RC_ASSERT(Force({random.beta}).solve(random.system().potential(), random.r, random.c(), a, work).ok());
  RC_ASSERT(work.linear_solves == 1);
  RC_ASSERT(Force::solve_dense(random.r, random.c(), right_side(random), dense, work).ok());
  const double scale = 1 + size(dense);
  RC_ASSERT(size(Matrix3<Float50>(a - dense)) < floor_50 * scale);
  // (37) itself.
  const auto& r = random.r;
  const Matrix3<Float50> rt = r.transpose(), at = a.transpose();
  const Matrix3<Float50> left = a + random.c() * (a * rt * r + r * at * r + r * rt * a - a);
  RC_ASSERT(size(Matrix3<Float50>(left - right_side(random))) < floor_50 * scale * 100);
}
RC_GTEST_PROP(Equation37, is_solved_in_double_near_and_far_from_the_group, ()) {
  // percent = 100: R need not even be invertible, and the nine equations take over.
  const RandomCase random(between(0, 1) == 0 ? 5 : 100);
  const auto in_double = [](const Matrix3<Float50>& m) {
    return Matrix3<double>(m.unaryExpr([](const Float50& x) { return to_double(x); }));
  };
  WorkCounters work;
  Matrix3<double> a;
  const Matrix3<double> r = in_double(random.r);
  const double omega = to_double(random.omega), c = to_double(random.c());
  RC_ASSERT(LinearizedSO3Force<double>({to_double(random.beta)})
                .solve({to_double(random.strength), omega * omega}, r, c, a, work)
                .ok());
  const Matrix3<double> rt = r.transpose(), at = a.transpose();
  Matrix3<double> residual = a + c * (a * rt * r + r * at * r + r * rt * a - a) +
                             2 * omega * omega * (r * PenalisedBodyPotential<double>::defect(r));
  residual(2, 2) += to_double(random.strength);
  // Backward stable: rounding of the terms, the largest of which are omega^2 |R|^3 and c |R|^2 |a|.
  const double terms = 1 + omega * omega * std::pow(1 + size(r), 3) + (1 + c * std::pow(1 + size(r), 2)) * size(a);
  RC_ASSERT(size(residual) < 1e-13 * terms);
}

/// The truncated action of (36) with the missing h, after a change of a by e at second order: the part of L_d that
/// depends on R_k and a, from the exact discrete Lagrangian by power series in the size of a.
RC_GTEST_PROP(Equation37, is_stationarity_of_the_truncated_action, ()) {
  const RandomCase random;
  using P = PowerSeries<Float50, 3>;
  using T = Dual<P>;
  WorkCounters work;
  Matrix3<Float50> a;
  RC_ASSERT(Force({random.beta}).solve(random.system().potential(), random.r, random.c(), a, work).ok());
  const Float50 b = random.beta * random.h * random.h;
  // -b/2 tr(a'a) - V(R + b s a) at s = 1, truncated after s^2; derivatives in one entry of a and of R by duals.
  const auto action = [&](int in_a, int in_r) {
    const P s = P::variable();
    Vector<T, 9> x;
    T squares(0);
    for (int i = 0; i < 9; ++i) {
      const T entry(P(a.data()[i]), P(i == in_a ? 1 : 0));
      squares += entry * entry;
      x(i) = T(P(random.r.data()[i]), P(i == in_r ? 1 : 0)) + T(P(b) * s) * entry;
    }
    const PenalisedBodyPotential<T> potential{T(P(random.strength)), T(P(random.omega * random.omega))};
    const T v = potential.value(x);
    return Float50(-b / 2 * squares.derivative[0] - (v.derivative[0] + v.derivative[1] + v.derivative[2]));
  };
  Vector<Float50, 9> f;
  RC_ASSERT(Force({random.beta})(random.system(), matrix_position(random.r), random.h, f, work).ok());
  const double scale = (1 + to_double(random.omega * random.omega)) * (1 + size(a)) * (1 + size(a));
  for (int i = 0; i < 9; ++i) {
    RC_ASSERT(to_double(Float50(abs(action(i, -1)))) < floor_50 * scale);  // (37)
    // p_k = -D_1 L_d = (R_{k+1} - R_k)/(2h) - h f_k: f is the derivative in R, per mass twice of it.
    RC_ASSERT(to_double(Float50(abs(Float50(2 * action(-1, i) - f(i))))) < floor_50 * scale);
  }
}

RC_GTEST_PROP(LinearizedSO3, is_zhang_skeel_with_half_its_beta, ()) {
  // Stable for all beta, with velocities that do not leave the neighbourhood of SO(3).
  const RandomCase random(10, 100);
  const System system = random.system();
  LinearizedSO3<System> linearized(system, {random.beta});
  ZhangSkeel<System> vectorised(system, {Float50(random.beta / 2)});
  auto x = linearized.start(matrix_position(random.r), random.v);
  auto y = vectorised.start(matrix_position(random.r), random.v);
  for (int k = 0; k < 5; ++k) {
    RC_ASSERT(linearized.step(x, random.h).ok());
    RC_ASSERT(vectorised.step(y, random.h).ok());
  }
  RC_ASSERT(size(Vector<Float50, 9>(x.q - y.q)) < 1e-38);
  RC_ASSERT(size(Vector<Float50, 9>(x.v - y.v)) < 1e-38);
}

/// Symplecticity of the 18-dimensional map, relative to nothing: entries of J are of size one to ten here.
template <class Make>
double defect(const RandomCase& random, const Make& make) {
  using D = Dual<Float50>;
  return to_double(step_symplecticity(random.system<D>(), make, matrix_position(random.r), random.v, random.h,
                                      CanonicalCoordinates::own));
}
RC_GTEST_PROP(LinearizedSO3, is_symplectic_and_as_printed_is_not, ()) {
  const RandomCase random(10, 100);
  using D = Dual<Float50>;
  using SystemD = PenalisedBody<D>;
  const D beta(random.beta);
  const auto with = [&]<class Method>(std::in_place_type_t<Method>) {
    return defect(random, [&](const SystemD& s) { return Method(s, {beta}); });
  };
  constexpr double symplectic = 1e-40;  // c and omega^2 up to 100 and 400
  RC_ASSERT(with(std::in_place_type<LinearizedSO3<SystemD>>) < symplectic);
  RC_ASSERT(with(std::in_place_type<LinearizedSO3Euler<SystemD>>) < symplectic);
  // Without a field a = R g(R'R) for a function g of symmetric matrices, and so is every f printed: such a force has a
  // potential whatever its signs, and the misprints do not show.
  RC_PRE(random.c() > Float50(1) / 100 && abs(random.strength) > Float50(1) / 10);
  RC_ASSERT(with(std::in_place_type<misprints::WithPrintedForce<SystemD>>) > 1e-20);
  RC_ASSERT(with(std::in_place_type<misprints::WithPrintedSign<SystemD>>) > 1e-20);
  RC_ASSERT(with(std::in_place_type<misprints::WithPrintedTransposes<SystemD>>) > 1e-20);
}

/// Orders at T = 1 from differences of successive halvings.
template <class Method>
double order(double beta, int finest) {
  const auto system = penalised_body<double>(1, 4);
  const Matrix3<double> r = so3::exp(Vector3<double>(0.3, -0.5, 0.4));
  const auto end = [&](int steps) {
    Method method(system, {beta});
    auto z = method.start(matrix_position(r), matrix_velocity(r, Vector3<double>(1, 0.2, 0.1)));
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, 1.0 / steps).ok());
    return z.q;
  };
  const auto a = end(finest / 4), b = end(finest / 2), c = end(finest);
  return std::log2((a - b).norm() / (b - c).norm());
}
TEST(LinearizedSO3, has_its_orders) {
  using S = PenalisedBody<double>;
  EXPECT_NEAR(order<LinearizedSO3<S>>(0.4, 512), 2, 0.05);
  EXPECT_NEAR(order<LinearizedSO3Euler<S>>(0.4, 4096), 1, 0.05);
  // p_{k+1} in the drift is the force of the end before its beginning: the method as printed, taken as an implicit
  // equation, is of order one.
  EXPECT_NEAR(order<misprints::WithPrintedDrift<S>>(0.4, 4096), 1, 0.05);
}
TEST(LinearizedSO3, declares_the_threshold_of_its_beta) {
  const auto system = penalised_body<double>(1, 10);
  using S = PenalisedBody<double>;
  EXPECT_EQ(LinearizedSO3<S>(system).declares().stability_limit, unlimited);
  EXPECT_NEAR(LinearizedSO3<S>(system, {0.4}).declares().stability_limit, 2 / std::sqrt(0.2), 1e-12);
  EXPECT_THROW(LinearizedSO3<S>(system, {-1}), InvalidParameter);
  EXPECT_THROW(penalised_body<double>(1, 0), InvalidParameter);
}

RC_GTEST_PROP(PenalisedBody, has_its_derivatives, ()) {
  const RandomCase random;
  Vector<double, 9> x;
  for (int i = 0; i < 9; ++i) x(i) = to_double(random.r.data()[i]);
  RC_ASSERT(check_derivatives(PenalisedBodyPotential<double>{0.7, 25}, x).ok());
}
TEST(PenalisedBody, with_the_printed_sign_of_the_penalty_leaves_the_group) {
  const auto defect_at = [](double sign) {
    const PenalisedBody<double> system{ScalarMass<double, 9>(0.5), {1, sign * 100}};
    LinearizedSO3<PenalisedBody<double>> method(system, {0.4});
    const Matrix3<double> r = identity3<double>();
    auto z = method.start(matrix_position(r), matrix_velocity(r, Vector3<double>(1, 0.2, 0.1)));
    for (int k = 0; k < 100; ++k)
      if (!method.step(z, 0.01).ok()) return std::numeric_limits<double>::infinity();
    return so3::orthogonality_defect(PenalisedBodyPotential<double>::matrix(z.q));
  };
  EXPECT_LT(defect_at(1), 0.05);  // |Omega|^2/omega^2
  EXPECT_GT(defect_at(-1), 1);
}

}  // namespace linearized_so3_test
