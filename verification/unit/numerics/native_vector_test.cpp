// SPDX-License-Identifier: MIT
//
// The kernels of chains compiled with -O3 -march=native, where the compiler vectorises them, against the same templates
// over a number whose every operation is a call, which no compiler vectorises: bit for bit, contraction being off.
//
// Why: g++ 12.2 emits wrong code at -O3 -march=haswell and newer for a loop with a guarded pair of loads. The control
// shows it where the compiler has it.
#include <gtest/gtest.h>

#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/planar_chain.hpp>
#include <random>

namespace livi::test {

/// A double that is computed with one operation at a time.
class OneByOne {
 public:
  OneByOne() = default;
  OneByOne(int x) : x_(x) {}     // NOLINT(google-explicit-constructor): constants of formulas
  OneByOne(double x) : x_(x) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] double value() const { return x_; }

  [[gnu::noinline]] OneByOne& operator+=(const OneByOne& b) { return x_ = x_ + b.x_, *this; }
  [[gnu::noinline]] OneByOne& operator-=(const OneByOne& b) { return x_ = x_ - b.x_, *this; }
  [[gnu::noinline]] OneByOne& operator*=(const OneByOne& b) { return x_ = x_ * b.x_, *this; }
  [[gnu::noinline]] OneByOne& operator/=(const OneByOne& b) { return x_ = x_ / b.x_, *this; }
  friend OneByOne operator+(OneByOne a, const OneByOne& b) { return a += b; }
  friend OneByOne operator-(OneByOne a, const OneByOne& b) { return a -= b; }
  friend OneByOne operator*(OneByOne a, const OneByOne& b) { return a *= b; }
  friend OneByOne operator/(OneByOne a, const OneByOne& b) { return a /= b; }
  friend OneByOne operator-(const OneByOne& a) { return {-a.x_}; }
  friend bool operator==(const OneByOne& a, const OneByOne& b) { return a.x_ == b.x_; }

 private:
  volatile double x_ = 0;

 public:
  OneByOne(const OneByOne& b) : x_(b.x_) {}
  OneByOne& operator=(const OneByOne& b) { return x_ = b.x_, *this; }
};

}  // namespace livi::test

template <>
struct livi::ScalarTraits<livi::test::OneByOne> {
  using S = livi::test::OneByOne;
  using real = double;
  static constexpr bool exact = false;
  static real epsilon() { return std::numeric_limits<double>::epsilon(); }
  static real magnitude(const S& x) { return std::abs(x.value()); }
  static real leading(const S& x) { return x.value(); }
  static double to_double(const S& x) { return x.value(); }
  static bool is_finite(const S& x) { return std::isfinite(x.value()); }
};
template <>
struct Eigen::NumTraits<livi::test::OneByOne> : Eigen::GenericNumTraits<livi::test::OneByOne> {
  using Real = livi::test::OneByOne;
  using NonInteger = livi::test::OneByOne;
  using Nested = livi::test::OneByOne;
  using Literal = livi::test::OneByOne;
};

namespace {

using livi::BlockTridiagonalHessian;
using livi::Dynamic;
using livi::ScalarMass;
using livi::Vector;
using livi::test::OneByOne;

template <class S>
using Penalty = livi::PlanarChainPenalty<S, Dynamic, BlockTridiagonalHessian<S, 2>>;
template <class S>
using Constraint = livi::PlanarChainConstraint<S, Dynamic, BlockTridiagonalHessian<S, 2>>;
template <class S>
using Pendula = livi::PenalisedPotential<livi::GravityPotential<S, Dynamic>, Penalty<S>>;

/// Numbers that are equal over both types; 0.1 to 2 in size.
class Numbers {
 public:
  template <class S>
  static Vector<S, Dynamic> vector(Eigen::Index n, unsigned seed) {
    std::mt19937 bits(seed);
    Vector<S, Dynamic> v(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double size = 0.1 + 1.9 * static_cast<double>(bits()) / 4294967296.0;
      v(i) = S(bits() % 2 == 0 ? size : -size);
    }
    return v;
  }
};
template <class S>
Penalty<S> penalty(Eigen::Index n) {
  return {Numbers::vector<S>(n, 1).cwiseProduct(Numbers::vector<S>(n, 1)), S(25.0)};
}

double value(double x) { return x; }
double value(const OneByOne& x) { return x.value(); }
template <class A, class B>
void expect_same_bits(const A& a, const B& b, const char* what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j)
      ASSERT_EQ(value(a(i, j)), value(b(i, j))) << what << " " << i << " " << j;
}
/// `compute` over both types for chains short and long, even and odd.
template <class Compute>
void expect_the_same(const char* what, const Compute& compute) {
  for (const Eigen::Index n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33, 100}) {
    SCOPED_TRACE(n);
    expect_same_bits(compute.template operator()<double>(n), compute.template operator()<OneByOne>(n), what);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// --- the control ----------------------------------------------------------------------------------------------------

[[gnu::noinline]] void guarded_differences(const double* q, double* d, int n) {
  for (int k = 0; k < n; ++k) {
    const double x = k ? q[2 * k - 2] : 0, y = k ? q[2 * k - 1] : 0;
    d[2 * k] = q[2 * k] - x;
    d[2 * k + 1] = q[2 * k + 1] - y;
  }
}

TEST(Control, guarded_pairs_of_loads_are_wrong_where_the_compiler_is) {
  const auto q = Numbers::vector<double>(74, 7);
  Vector<double, Dynamic> d = Vector<double, Dynamic>::Zero(74);
  guarded_differences(q.data(), d.data(), 37);
  int wrong = 0;
  for (Eigen::Index i = 0; i < 74; ++i) {
    const OneByOne before(i < 2 ? 0.0 : q(i - 2));
    if (d(i) != (OneByOne(q(i)) - before).value()) ++wrong;
  }
  RecordProperty("wrong_numbers", wrong);
  std::cout << "guarded pairs of loads: " << wrong << " of 74 numbers wrong with " << __VERSION__ << "\n";
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12 && __GNUC_MINOR__ == 2 && defined(__AVX2__) && \
    !defined(__SANITIZE_ADDRESS__)
  EXPECT_GT(wrong, 0) << "this compiler is known for it: is the test compiled with -O3 -march=native?";
#endif
}

// --- the library ----------------------------------------------------------------------------------------------------

TEST(Gradient, of_links) {
  expect_the_same("gradient", []<class S>(Eigen::Index n) {
    Vector<S, Dynamic> out = Vector<S, Dynamic>::Constant(2 * n, S(0));
    penalty<S>(n).gradient(Numbers::vector<S>(2 * n, 2), out);
    return out;
  });
}
TEST(Gradient, of_links_and_gravity) {
  expect_the_same("gradient", []<class S>(Eigen::Index n) {
    Vector<S, Dynamic> out = Vector<S, Dynamic>::Constant(2 * n, S(0));
    Pendula<S>{{S(0.7)}, penalty<S>(n)}.gradient(Numbers::vector<S>(2 * n, 2), out);
    return out;
  });
}
TEST(Value, of_links) {
  expect_the_same("value", []<class S>(Eigen::Index n) {
    return Vector<S, 1>::Constant(penalty<S>(n).value(Numbers::vector<S>(2 * n, 2))).eval();
  });
}
TEST(Hessian, of_links) {
  expect_the_same("hessian", []<class S>(Eigen::Index n) {
    BlockTridiagonalHessian<S, 2> h(2 * n);
    Vector<S, Dynamic> out = Vector<S, Dynamic>::Constant(2 * n, S(0));
    penalty<S>(n).gradient_and_hessian(Numbers::vector<S>(2 * n, 2), out, h);
    livi::Matrix<S, Dynamic, 8> entries(n, 8);
    for (Eigen::Index k = 0; k < n; ++k)
      for (int i = 0; i < 4; ++i) {
        entries(k, i) = h.diagonal[static_cast<std::size_t>(k)](i / 2, i % 2);
        entries(k, 4 + i) = h.lower[static_cast<std::size_t>(k)](i / 2, i % 2);
      }
    return entries;
  });
}
TEST(Third, of_links) {
  expect_the_same("third", []<class S>(Eigen::Index n) {
    Vector<S, Dynamic> out = Vector<S, Dynamic>::Constant(2 * n, S(0));
    penalty<S>(n).third(Numbers::vector<S>(2 * n, 2), Numbers::vector<S>(2 * n, 3), out);
    return out;
  });
}
TEST(Constraint, value_and_curvature) {
  expect_the_same("constraint", []<class S>(Eigen::Index n) {
    const Constraint<S> constraint{Numbers::vector<S>(n, 1)};
    Vector<S, Dynamic> g, w;
    constraint.value(Numbers::vector<S>(2 * n, 2), g);
    constraint.curvature(Numbers::vector<S>(2 * n, 2), Numbers::vector<S>(2 * n, 3), w);
    livi::Matrix<S, Dynamic, 2> both(n, 2);
    both << g, w;
    return both;
  });
}
TEST(Solver, of_block_tridiagonal_matrices) {
  expect_the_same("solver", []<class S>(Eigen::Index n) {
    BlockTridiagonalHessian<S, 2> h(2 * n);
    penalty<S>(n).hessian(Numbers::vector<S>(2 * n, 2), h);
    livi::ShiftedSolver<BlockTridiagonalHessian<S, 2>> solver;
    EXPECT_FALSE(solver.factor(ScalarMass<S, Dynamic>(S(1.3), 2 * n), S(0.01), h).singular);
    auto b = Numbers::vector<S>(2 * n, 4);
    solver.solve_in_place(b);
    return b;
  });
}

/// Three steps, all of the state.
template <template <class> class Method, class S>
livi::Matrix<S, Dynamic, 3> three_steps(Eigen::Index n) {
  const livi::MechanicalSystem<ScalarMass<S, Dynamic>, Pendula<S>> system{ScalarMass<S, Dynamic>(S(1.3), 2 * n),
                                                                          {{S(0.7)}, penalty<S>(n)}};
  Method<std::decay_t<decltype(system)>> method(system);
  auto z = method.start(Numbers::vector<S>(2 * n, 2), Numbers::vector<S>(2 * n, 5));
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(method.step(z, S(0.01)).ok());
  livi::Matrix<S, Dynamic, 3> state(2 * n, 3);
  state << z.q, z.v, z.f;
  return state;
}
TEST(Step, of_zhang_skeel) {
  expect_the_same("Z&S", []<class S>(Eigen::Index n) { return three_steps<livi::ZhangSkeel, S>(n); });
}
TEST(Step, of_simplified_zhang_skeel) {
  expect_the_same("Z&Ss", []<class S>(Eigen::Index n) { return three_steps<livi::SimplifiedZhangSkeel, S>(n); });
}
TEST(Step, of_stiff_zhang_skeel_which_stores_the_hessian) {
  expect_the_same("(19)", []<class S>(Eigen::Index n) { return three_steps<livi::StiffZhangSkeel, S>(n); });
}
TEST(Step, of_velocity_verlet) {
  expect_the_same("Verlet", []<class S>(Eigen::Index n) { return three_steps<livi::VelocityVerlet, S>(n); });
}

}  // namespace
