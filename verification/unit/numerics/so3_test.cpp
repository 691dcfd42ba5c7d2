// SPDX-License-Identifier: MIT
//
// SO(3): the group axioms and the two maps, on random vectors and at the places where formulas break (0, the seams of
// the series, near pi), in double and in 50 digits; derivatives against dual numbers; the Cayley map over rationals.
#include <gtest/gtest.h>

#include <livi/liegroup/so3.hpp>
#include <livi/scalar/multiprecision.hpp>

#include "verification/support/fixed_seed.hpp"

namespace so3_test {

using livi::Dual;
using livi::Float100;
using livi::Float50;
using livi::identity3;
using livi::magnitude;
using livi::Matrix3;
using livi::max_magnitude;
using livi::ratio;
using livi::Rational;
using livi::Vector3;
using livi::vector3;
namespace so3 = livi::so3;
using so3::CayleyMap;
using so3::ExponentialMap;

int between(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)); }

/// Returns a vector of any size up to `largest`: a tenth are below 1e-4, a tenth near the seam of the series at |x| =
/// 1.
Vector3<Float50> random_vector(const Float50& largest) {
  for (;;) {
    Vector3<Float50> x;
    for (int i = 0; i < 3; ++i) x(i) = ratio<Float50>(between(-1000000, 1000000), 1000000);
    const Float50 length = sqrt(livi::dot(x, x));
    if (length == 0 || length > 1) continue;
    const int kind = between(0, 9);
    if (kind == 0) return x / Float50(10000);
    if (kind == 1) return x * (Float50(1) + ratio<Float50>(between(-9, 9), 1000000)) / length;
    return largest * x;
  }
}
template <class S>
Vector3<S> in(const Vector3<Float50>& x) {
  if constexpr (std::same_as<S, double>) {
    return vector3(livi::to_double(x(0)), livi::to_double(x(1)), livi::to_double(x(2)));
  } else {
    return vector3(S(x(0)), S(x(1)), S(x(2)));
  }
}
/// x + s e_i as a dual number in s.
template <class S>
Vector3<Dual<S>> varied(const Vector3<S>& x, int i) {
  Vector3<Dual<S>> y = vector3(Dual<S>(x(0)), Dual<S>(x(1)), Dual<S>(x(2)));
  y(i).derivative = S(1);
  return y;
}
template <class S>
Matrix3<S> value(const Matrix3<Dual<S>>& m) {
  return m.unaryExpr([](const Dual<S>& d) { return d.value; });
}
template <class S>
Matrix3<S> derivative(const Matrix3<Dual<S>>& m) {
  return m.unaryExpr([](const Dual<S>& d) { return d.derivative; });
}
template <class S>
double size(const S& x) {
  return livi::to_double(max_magnitude(x));
}
const Float50 pi = acos(Float50(-1));

/// A few roundings of numbers of size one, with room for a product of three matrices.
template <class S>
double rounding() {
  return 40 * livi::to_double(livi::ScalarTraits<S>::epsilon());
}
constexpr double floor_50 = 1e-45;

// --- hat and vee ----------------------------------------------------------------------------------------------------

RC_GTEST_PROP(Hat, is_the_cross_product_and_vee_undoes_it, ()) {
  const auto x = random_vector(3), y = random_vector(3);
  const Matrix3<Float50> m = so3::hat(x);
  RC_ASSERT(size(Vector3<Float50>(m * y - livi::cross(x, y))) < floor_50);
  RC_ASSERT(Matrix3<Float50>(m.transpose()) == Matrix3<Float50>(-m));
  RC_ASSERT(so3::vee(m) == x);
  // hat(x cross y) is the commutator.
  RC_ASSERT(size(Matrix3<Float50>(so3::hat(livi::cross(x, y)) - (m * so3::hat(y) - so3::hat(y) * m))) < floor_50);
}
TEST(Hat, is_that_of_the_papers) {
  Matrix3<double> printed;
  printed << 0, -3, 2, 3, 0, -1, -2, 1, 0;
  EXPECT_EQ(so3::hat(vector3(1.0, 2.0, 3.0)), printed);
}

// --- both maps ------------------------------------------------------------------------------------------------------

/// What both maps do, for |x| up to `largest`. `S` is the number type, `floor` its noise.
template <class Map, class S>
void check_group(const Vector3<Float50>& exact_x, double floor) {
  const Vector3<S> x = in<S>(exact_x), minus = -x;
  const Matrix3<S> q = Map::map(x);
  RC_ASSERT(livi::to_double(so3::orthogonality_defect(q)) < floor);
  const S determinant = livi::dot<S>(q.col(0), livi::cross<S>(q.col(1), q.col(2)));
  RC_ASSERT(livi::to_double(magnitude(S(determinant - S(1)))) < floor);
  RC_ASSERT(size(Matrix3<S>(Map::map(minus) - q.transpose())) < floor);  // the inverse
  RC_ASSERT(size(Vector3<S>(q * x - x)) < floor * (1 + size(x)));        // x is the axis
  const S half = S(1) / S(2);
  const Matrix3<S> thrice = Map::map(Vector3<S>(half * x)) * Map::map(Vector3<S>(x)) * Map::map(Vector3<S>(half * x));
  RC_ASSERT(size(Matrix3<S>(thrice.transpose() * thrice - identity3<S>())) < 3 * floor);
  // tau(-x) dtau ... : dtau_-x = tau(x) dtau_x, and the inverse is the inverse.
  RC_ASSERT(size(Matrix3<S>(Map::differential(minus) - q * Map::differential(x))) < floor);
  RC_ASSERT(size(Matrix3<S>(Map::inverse_differential(x) * Map::differential(x) - identity3<S>())) <
            floor * (1 + size(Map::inverse_differential(x))));
  const Vector3<S> m = in<S>(random_vector(2));
  RC_ASSERT(size(Vector3<S>(Map::pull_back(x, m) - Map::inverse_differential(x).transpose() * m)) <
            floor * (1 + size(Map::inverse_differential(x))));
}

/// Derivatives by duals: Q' dQ = hat(dtau_x dx), and the derivative of the pull-back.
template <class Map, class S>
void check_derivatives(const Vector3<Float50>& exact_x, double floor) {
  const Vector3<S> x = in<S>(exact_x), m = in<S>(random_vector(2));
  const Matrix3<S> q = Map::map(x), d = Map::differential(x), dm = Map::pull_back_derivative(x, m);
  const double scale = 1 + size(Map::inverse_differential(x));
  for (int i = 0; i < 3; ++i) {
    const Vector3<Dual<S>> y = varied(x, i);
    const Matrix3<Dual<S>> rotation = Map::map(y);
    const Matrix3<S> body = q.transpose() * derivative(rotation);
    RC_ASSERT(size(Vector3<S>(so3::vee(body) - d.col(i))) < floor);
    RC_ASSERT(size(Matrix3<S>(body + body.transpose())) < floor);
    const auto pulled = Map::pull_back(y, vector3(Dual<S>(m(0)), Dual<S>(m(1)), Dual<S>(m(2))));
    for (int k = 0; k < 3; ++k)
      RC_ASSERT(livi::to_double(magnitude(S(pulled(k).derivative - dm(k, i)))) < floor * scale * scale);
    // The inverse map has the inverse derivative: log(exp(x + dx)) = x + dx.
    const auto back = Map::inverse(rotation);
    for (int k = 0; k < 3; ++k) {
      RC_ASSERT(livi::to_double(magnitude(S(back(k).value - x(k)))) < floor * scale * scale);
      RC_ASSERT(livi::to_double(magnitude(S(back(k).derivative - S(k == i ? 1 : 0)))) < floor * scale * scale);
    }
  }
}

RC_GTEST_PROP(Exponential, is_a_rotation_about_its_vector, ()) {
  const auto x = random_vector(3);
  check_group<ExponentialMap, double>(x, rounding<double>());
  check_group<ExponentialMap, Float50>(x, floor_50);
}
RC_GTEST_PROP(Cayley, is_a_rotation_about_its_vector, ()) {
  const auto x = random_vector(5);
  check_group<CayleyMap, double>(x, rounding<double>());
  check_group<CayleyMap, Float50>(x, floor_50);
}
RC_GTEST_PROP(Exponential, has_its_derivatives, ()) {
  const auto x = random_vector(3);
  check_derivatives<ExponentialMap, double>(x, 10 * rounding<double>());
  check_derivatives<ExponentialMap, Float50>(x, floor_50);
}
RC_GTEST_PROP(Cayley, has_its_derivatives, ()) {
  const auto x = random_vector(5);
  check_derivatives<CayleyMap, double>(x, 10 * rounding<double>());
  check_derivatives<CayleyMap, Float50>(x, floor_50);
}
RC_GTEST_PROP(Exponential, is_the_one_parameter_group, ()) {
  const auto x = random_vector(2);
  const Float50 s = ratio<Float50>(between(-100, 100), 100), t = ratio<Float50>(between(-100, 100), 100);
  const auto at = [&](const Float50& u) { return so3::exp(Vector3<Float50>(u * x)); };
  RC_ASSERT(size(Matrix3<Float50>(at(s) * at(t) - at(s + t))) < floor_50);
}
RC_GTEST_PROP(Exponential, in_double_is_that_of_50_digits, ()) {
  // Both are of one x: a double is also a number of 50 digits.
  const Vector3<double> x = in<double>(random_vector(3));
  const Vector3<Float50> same = vector3<Float50>(x(0), x(1), x(2));
  const auto agrees = [](const auto& of_double, const auto& of_50) {
    double largest = 0;
    for (Eigen::Index i = 0; i < of_double.size(); ++i)
      largest = std::max(largest, livi::to_double(Float50(abs(Float50(of_double(i)) - of_50(i)))));
    return largest < 8 * 2.3e-16 * (1 + size(of_double));
  };
  RC_ASSERT(agrees(so3::exp(x), so3::exp(same)));
  RC_ASSERT(agrees(ExponentialMap::differential(x), ExponentialMap::differential(same)));
  RC_ASSERT(agrees(ExponentialMap::inverse_differential(x), ExponentialMap::inverse_differential(same)));
}

/// The error of the inverse maps at all angles up to a hair below pi, relative: an angle of pi - 1e-9 is resolved as
/// well as one of 1e-9.
template <class Map, class S>
double worst_inverse(const Vector3<Float50>& axis, double epsilon) {
  double worst = 0;
  for (int k = 1; k <= 12; ++k) {
    for (const bool near_pi : {false, true}) {
      const Float50 hair = pow(Float50(10), -k);
      const Float50 angle = near_pi ? Float50(pi - hair) : hair;
      const Vector3<Float50> exact = angle * axis;
      const Matrix3<Float50> rotation = so3::exp(exact);
      Matrix3<S> q;
      for (Eigen::Index i = 0; i < 9; ++i) q(i) = static_cast<S>(rotation(i));
      const Vector3<S> log = Map::inverse(q);
      for (int i = 0; i < 3; ++i)
        worst = std::max(worst, livi::to_double(Float50(abs(Float50(log(i)) - exact(i)))) / epsilon);
    }
  }
  return worst;
}
RC_GTEST_PROP(Logarithm, is_accurate_at_all_angles, ()) {
  const auto x = random_vector(1);
  const Vector3<Float50> axis = x / Float50(sqrt(livi::dot(x, x)));
  // The entries of q are rounded: half an ulp of 1 changes the angle by up to 3/2 ulps of 1.
  RC_ASSERT((worst_inverse<ExponentialMap, double>(axis, 2.2e-16)) < 16);
  RC_ASSERT((worst_inverse<ExponentialMap, Float50>(axis, 1e-49)) < 16);
}
TEST(Logarithm, of_half_turns_is_one_of_the_two) {
  for (int i = 0; i < 3; ++i) {
    Matrix3<double> q = -identity3<double>();
    q(i, i) = 1;
    const Vector3<double> x = so3::log(q);
    EXPECT_NEAR(std::abs(x(i)), M_PI, 1e-15);
    EXPECT_LT(so3::distance(so3::exp(x), q), 1e-15);
    EXPECT_THROW(CayleyMap::inverse(q), livi::InvalidParameter);
  }
}
TEST(Logarithm, of_the_identity_is_zero_with_its_derivative) {
  const Vector3<double> zero = vector3(0.0, 0.0, 0.0);
  EXPECT_EQ(so3::log(identity3<double>()), zero);
  for (int i = 0; i < 3; ++i) {
    const auto back = so3::log(so3::exp(varied(zero, i)));
    for (int k = 0; k < 3; ++k) EXPECT_EQ(back(k).derivative, k == i ? 1 : 0);
  }
}

/// Against 50 digits: the largest relative error in roundings.
template <class F>
double worst_error(const F& f) {
  double worst = 0;
  for (int k = -400; k <= 60; ++k) {
    const double t = std::pow(10, k / 100.0);
    const Float50 exact = f(Float50(t));
    worst = std::max(worst, livi::to_double(Float50(abs(Float50(f(t)) - exact) / abs(exact))));
  }
  return worst / std::numeric_limits<double>::epsilon();
}
// From t = |x|^2 = 1e-4 to 4, beyond the seam: where the closed forms begin they leave a sixth of what they subtract, a
// twelfth for the last one, so that a rounding or two become at most 12 and 24.
TEST(Coefficients, lose_at_most_one_digit) {
  EXPECT_LT(worst_error([](const auto& t) { return so3::detail::sine_quotient(t); }), 4);
  EXPECT_LT(worst_error([](const auto& t) { return so3::detail::cosine_quotient(t); }), 4);
  EXPECT_LT(worst_error([](const auto& t) { return so3::detail::cubic_quotient(t); }), 12);
  EXPECT_LT(worst_error([](const auto& t) { return so3::detail::cotangent_quotient(t); }), 24);
}

TEST(Orthogonality, sees_a_shear_that_leaves_all_lengths) {
  // Columns of length one that are not at right angles: Q'Q has ones on its diagonal.
  Matrix3<double> q = identity3<double>();
  q(0, 1) = 0.6;
  q(1, 1) = 0.8;
  EXPECT_NEAR(so3::orthogonality_defect(q), 0.6, 1e-15);
  q = identity3<double>();
  q(2, 0) = 1e-8;
  EXPECT_NEAR(so3::orthogonality_defect(q), 1e-8, 1e-15);
  EXPECT_EQ(so3::orthogonality_defect(identity3<double>()), 0);
}

// The seam: the series below and the closed form above t = 1 are the same function, in every number type.
TEST(Coefficients, series_and_closed_forms_meet) {
  const auto jump = [](const auto& f, auto below, auto above) {
    return livi::to_double(magnitude(decltype(below)(f(below) - f(above))));
  };
  const auto all = [&](auto below, auto above, double floor) {
    EXPECT_LT(jump([](auto t) { return so3::detail::sine_quotient(t); }, below, above), floor);
    EXPECT_LT(jump([](auto t) { return so3::detail::cosine_quotient(t); }, below, above), floor);
    EXPECT_LT(jump([](auto t) { return so3::detail::cubic_quotient(t); }, below, above), floor);
    EXPECT_LT(jump([](auto t) { return so3::detail::cotangent_quotient(t); }, below, above), floor);
  };
  all(1 - 1e-16, 1 + 2e-16, 1e-15);
  all(Float50(Float50(1) - Float50(1e-48)), Float50(Float50(1) + Float50(1e-48)), 1e-47);
  all(Float100(Float100(1) - Float100("1e-98")), Float100(Float100(1) + Float100("1e-98")), 1e-97);
}
TEST(Coefficients, at_zero_are_the_leading_terms) {
  EXPECT_EQ(so3::detail::sine_quotient(0.0), 1);
  EXPECT_EQ(so3::detail::cosine_quotient(0.0), 0.5);
  EXPECT_EQ(so3::detail::cubic_quotient(0.0), 1.0 / 6);
  EXPECT_EQ(so3::detail::cotangent_quotient(0.0), 1.0 / 12);
}
TEST(Coefficients, of_what_is_not_a_number_are_none) {
  EXPECT_TRUE(std::isnan(so3::detail::sine_quotient(std::nan(""))));
  EXPECT_FALSE(livi::all_finite(so3::exp(vector3(std::nan(""), 0.0, 0.0))));
}

// cay and exp agree to third order: |cay(s x) - exp(s x)| = s^3 |x|^3 / 12 + O(s^5) along hat(x).
TEST(Cayley, is_the_exponential_up_to_the_third_order) {
  const Vector3<Float50> x = vector3<Float50>(ratio<Float50>(3, 5), ratio<Float50>(-2, 5), ratio<Float50>(4, 5));
  std::vector<Float50> distances;
  for (const int n : {1024, 2048}) {
    const Vector3<Float50> y = x / Float50(n);
    distances.push_back(so3::distance(so3::cay(y), so3::exp(y)));
  }
  EXPECT_NEAR(std::log2(livi::to_double(distances[0] / distances[1])), 3, 1e-5);
}

RC_GTEST_PROP(Cayley, is_exact_over_rationals, ()) {
  Vector3<Rational> x, m;
  for (int i = 0; i < 3; ++i) {
    x(i) = ratio<Rational>(between(-50, 50), between(1, 20));
    m(i) = ratio<Rational>(between(-50, 50), between(1, 20));
  }
  const Matrix3<Rational> q = CayleyMap::map(x), one = identity3<Rational>();
  RC_ASSERT(Matrix3<Rational>(q.transpose() * q) == one);
  RC_ASSERT(CayleyMap::inverse(q) == x);
  // (I - hat(x)/2) q = I + hat(x)/2
  const Matrix3<Rational> half = so3::hat(x) / Rational(2);
  RC_ASSERT(Matrix3<Rational>((one - half) * q) == Matrix3<Rational>(one + half));
  RC_ASSERT(Matrix3<Rational>(CayleyMap::differential(x) * CayleyMap::inverse_differential(x)) == one);
  RC_ASSERT(CayleyMap::pull_back(x, m) == Vector3<Rational>(CayleyMap::inverse_differential(x).transpose() * m));
}

// --- distance -------------------------------------------------------------------------------------------------------

RC_GTEST_PROP(Distance, is_that_of_the_paper_and_invariant, ()) {
  const Matrix3<Float50> a = so3::exp(random_vector(3)), b = so3::exp(random_vector(3)), c = so3::exp(random_vector(3));
  const Float50 d = so3::distance(a, b);
  const Float50 by_trace = sqrt(2 * livi::trace(Matrix3<Float50>(identity3<Float50>() - a.transpose() * b)));
  RC_ASSERT(abs(d - by_trace) < 1e-22);  // the trace cancels: half the digits where a and b are close
  RC_ASSERT(abs(so3::distance(Matrix3<Float50>(c * a), Matrix3<Float50>(c * b)) - d) < floor_50);
  RC_ASSERT(abs(so3::distance(Matrix3<Float50>(a * c), Matrix3<Float50>(b * c)) - d) < floor_50);
  RC_ASSERT(so3::distance(a, c) <= d + so3::distance(b, c) + floor_50);
  // 2 sqrt 2 sin(angle/2)
  const Vector3<Float50> relative = so3::log(Matrix3<Float50>(a.transpose() * b));
  RC_ASSERT(abs(d - 2 * sqrt(Float50(2)) * sin(sqrt(livi::dot(relative, relative)) / 2)) < 1e-40);
}

// --- linear equations -----------------------------------------------------------------------------------------------

RC_GTEST_PROP(ThreeEquations, are_solved, ()) {
  Matrix3<Float50> a;
  for (Eigen::Index i = 0; i < 9; ++i) a(i) = ratio<Float50>(between(-100, 100), 100);
  for (int i = 0; i < 3; ++i) a(i, i) += Float50(4);
  const auto x = random_vector(3);
  Vector3<Float50> b = a * x;
  RC_ASSERT(!livi::solve_three_equations(a, b).singular);
  RC_ASSERT(size(Vector3<Float50>(b - x)) < floor_50);
}
TEST(ThreeEquations, that_are_singular_are_reported) {
  Matrix3<double> a;
  a << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  Vector3<double> b(1, 2, 3);
  EXPECT_TRUE(livi::solve_three_equations(a, b).singular);
  a(2, 2) = std::nan("");
  EXPECT_TRUE(livi::solve_three_equations(a, b).singular);
}

}  // namespace so3_test
