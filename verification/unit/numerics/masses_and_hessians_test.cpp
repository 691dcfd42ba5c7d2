// SPDX-License-Identifier: MIT
//
// Masses apply, solve and refuse what is no mass; Hessians add their blocks.
#include <gtest/gtest.h>

#include <limits>
#include <livi/linalg/hessian.hpp>
#include <livi/linalg/mass.hpp>
#include <livi/scalar/multiprecision.hpp>

namespace masses_and_hessians_test {

using livi::BlockDiagonalHessian;
using livi::BlockTridiagonalHessian;
using livi::DenseHessian;
using livi::DiagonalMass;
using livi::Dynamic;
using livi::FullMass;
using livi::Matrix;
using livi::Rational;
using livi::ScalarMass;
using livi::Vector;

using Q = Rational;

template <class Hessian>
void expect_blocks_add(bool with_neighbours) {
  Hessian h(4);
  Matrix<double, 2> block;
  block << 1, 2, 2, 4;
  h.add_block(0, 0, block);
  h.add_block(1, 1, block);
  h.add_block(1, 1, block);
  if constexpr (!std::same_as<Hessian, BlockDiagonalHessian<double, 2>>) {
    if (with_neighbours) h.add_block(1, 0, block);
  }
  Vector<double, Dynamic> x(4), y(4);
  x << 1, 0, 0, 1;
  h.multiply(x, y);
  const double n = with_neighbours ? 1 : 0;
  EXPECT_EQ(y, (Vector<double, 4>(1 + 2 * n, 2 + 4 * n, 4 + 1 * n, 8 + 2 * n)));
  h.set_zero();
  h.multiply(x, y);
  EXPECT_EQ(y, (Vector<double, 4>(0, 0, 0, 0)));
  EXPECT_EQ(h.size(), 4);
}

TEST(Hessians, add_blocks) {
  expect_blocks_add<DenseHessian<double, Dynamic>>(true);
  expect_blocks_add<BlockDiagonalHessian<double, 2>>(false);
  expect_blocks_add<BlockTridiagonalHessian<double, 2>>(true);
}

// --- masses ---------------------------------------------------------------------------------------------------------

template <class Mass, class V>
void expect_applies_and_solves(const Mass& mass, const V& v, const V& image) {
  EXPECT_EQ(mass.size(), v.size());
  V out = v;
  mass.apply(v, out);
  EXPECT_EQ(out, image);
  out = v;
  mass.apply(out, out);  // in place
  EXPECT_EQ(out, image);
  mass.solve_in_place(out);
  EXPECT_EQ(out, v);
}

TEST(Masses, apply_and_solve) {
  const Vector<Q, 2> v(2, -3);
  expect_applies_and_solves(ScalarMass<Q, 2>(5), v, Vector<Q, 2>(10, -15));
  expect_applies_and_solves(DiagonalMass<Q, 2>(Vector<Q, 2>(1, 4)), v, Vector<Q, 2>(2, -12));
  Matrix<Q, 2> full;
  full << 3, 1, 1, 2;
  expect_applies_and_solves(FullMass<Q, 2>(full), v, Vector<Q, 2>(3, -4));
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

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Its reciprocal is infinite.
constexpr double denormal = 1e-310;

TEST(Masses, refuse_what_is_not_symmetric_positive_definite) {
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>(0); }), "mass = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>(-1); }), "mass = -1: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{nan}; }), "mass = nan: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{infinity}; }), "mass = inf: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(1, infinity)); }),
            "mass[1] = inf: a mass must be finite and positive");
  const std::string large = ": a mass must be large enough for its reciprocal to be finite";
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{denormal}; }), "mass = 1e-310" + large);
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(1, denormal)); }), "mass[1] = 1e-310" + large);
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{std::numeric_limits<double>::min()}; }), "accepted");
  static_assert(!std::is_constructible_v<ScalarMass<double, Dynamic>, double>, "a dynamic size must be given");
  EXPECT_EQ(refusal([] { ScalarMass<Q, 2>(0); }), "mass = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(1, 0)); }),
            "mass[1] = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<Q, 2>(Vector<Q, 2>(0, 1)); }), "mass[0] = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(nan, 1)); }),
            "mass[0] = nan: a mass must be finite and positive");
  const auto full = [](double a, double b, double c, double d) {
    return refusal([&] {
      Matrix<double, 2> m;
      m << a, b, c, d;
      FullMass<double, 2>{m};
    });
  };
  const std::string definite = ": a mass matrix must be symmetric positive definite: all pivots of its elimination > 0";
  EXPECT_EQ(full(2, 1, 1, 3), "accepted");
  EXPECT_EQ(full(2, 1, 0.5, 3), "mass(1,0) - mass(0,1) = -0.5: a mass matrix must be symmetric");
  EXPECT_EQ(full(1, 2, 2, 1), "pivot 1 of the mass = -3" + definite);
  EXPECT_EQ(full(0, 0, 0, 0), "pivot 0 of the mass = 0" + definite);
  EXPECT_EQ(full(1, 1, 1, 1), "pivot 1 of the mass = 0" + definite);
  EXPECT_EQ(full(1, 0, 0, denormal), "pivot 1 of the mass = 1e-310" + definite);
  EXPECT_EQ(full(1, 0, 0, -1), "pivot 1 of the mass = -1" + definite);
  EXPECT_EQ(full(nan, 0, 0, 1), "mass(0,0) = nan: a mass must be finite");
  EXPECT_EQ(full(1, 0, nan, 1), "mass(1,0) = nan: a mass must be finite");
  EXPECT_EQ(full(1, 0, 0, std::numeric_limits<double>::infinity()), "mass(1,1) = inf: a mass must be finite");
  // Symmetric to rounding is symmetric.
  EXPECT_EQ(full(1, 0.1, 0.1 + 1e-17, 1), "accepted");
}

}  // namespace masses_and_hessians_test
