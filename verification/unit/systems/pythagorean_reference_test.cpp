// SPDX-License-Identifier: MIT
// The reference of the Pythagorean problem: its kept digits are computed anew, its equations are compared with those of
// the library, and its end with what is published.
#include "reference/pythagorean_states.hpp"

#include <gtest/gtest.h>

#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/gravity.hpp>

namespace pythagorean_reference_test {

using livi::Float100;
using livi::Float50;
using livi::reference::advance;
using livi::reference::GravityExpansion;
using livi::reference::largest_difference;
using livi::reference::PlanarBodies;
using livi::reference::pythagorean_start;

template <class S>
PlanarBodies<S> kept(int t) {
  return livi::reference::pythagorean_state<S>(t, [](const char* digits) { return S(digits); });
}

/// The largest difference from the kept state at t = 10, 20, ..., end.
template <class S>
std::vector<double> differences(PlanarBodies<S> bodies, int end, double tolerance) {
  std::vector<double> found;
  for (int t = 10; t <= end; t += 10) {
    advance(bodies, S(10), tolerance);
    found.push_back(largest_difference(bodies, kept<S>(t)));
  }
  return found;
}

// Half a unit of the fiftieth digit of the largest number, 6.9, at these times. 1.3 s.
TEST(PythagoreanReference, all_kept_digits_come_again_in_a_hundred_digits) {
  for (const double difference : differences(pythagorean_start<Float100>(), 20, 1e-62)) EXPECT_LT(difference, 5e-50);
}

// A rounding, 1e-50, grows by 1e13 until t = 70 (next test), and by 1e6 until t = 20; there are some thousand of them.
// 2.4 s.
TEST(PythagoreanReference, fifty_digits_lead_to_the_kept_end) {
  const std::vector<double> found = differences(pythagorean_start<Float50>(), 70, 1e-50);
  ASSERT_EQ(found.size(), 7U);
  EXPECT_LT(found[1], 1e-41);
  EXPECT_LT(found[6], 1e-33);
  // The arithmetic decides, not the digits that are kept: those have more.
  EXPECT_GT(found[6], 1e-40);
}

TEST(PythagoreanReference, differences_at_the_start_grow_by_1e13) {
  PlanarBodies<long double> moved = pythagorean_start<long double>();
  moved.q[0] += 1e-15L;
  PlanarBodies<long double> same = pythagorean_start<long double>();
  advance(moved, 70.0L, 1e-19);
  advance(same, 70.0L, 1e-19);
  const double growth = largest_difference(moved, same) / 1e-15;
  EXPECT_GT(growth, 1e12);
  EXPECT_LT(growth, 1e14);
}

TEST(PythagoreanReference, its_equations_are_those_of_the_library) {
  // Coefficient 1 of v is the acceleration. The energy is kept to rounding, through the closest encounter.
  const auto problem = livi::pythagorean_problem<Float50>();
  const auto vector = [](const std::vector<Float50>& x) {
    return livi::Vector<Float50, livi::Dynamic>(Eigen::Map<const livi::Vector<Float50, livi::Dynamic>>(x.data(), 6));
  };
  const PlanarBodies<Float50> start = pythagorean_start<Float50>();
  for (Eigen::Index i = 0; i < 6; ++i) {
    EXPECT_EQ(problem.q(i), start.q[static_cast<std::size_t>(i)]);
    EXPECT_EQ(problem.v(i), start.v[static_cast<std::size_t>(i)]);
  }
  const Float50 energy = Float50(-769) / Float50(60);
  for (const int t : {10, 20, 40, 70}) {
    const PlanarBodies<Float50> at = kept<Float50>(t);
    GravityExpansion<Float50> series(3, 2);
    for (std::size_t i = 0; i < 6; ++i) {
      series.q[i][0] = at.q[i];
      series.v[i][0] = at.v[i];
    }
    series.expand(at.masses);
    livi::Vector<Float50, livi::Dynamic> acceleration(6);
    problem.system.acceleration(vector(at.q), acceleration);
    for (Eigen::Index i = 0; i < 6; ++i)
      EXPECT_LT(livi::to_double(abs(series.v[static_cast<std::size_t>(i)][1] - acceleration(i))), 1e-46) << t;
    // The kept digits are rounded: the energy is off by forces and velocities, at most some tens, times that.
    EXPECT_LT(livi::to_double(abs(problem.system.energy(vector(at.q), vector(at.v)) - energy)), 1e-46) << t;
  }
}

// Szebehely and Peters 1967: a distance of 0.0004 at t = 15.83; after t = 60 masses 4 and 5 stay together as a pair and
// mass 3 is thrown out.
TEST(PythagoreanReference, ends_as_published) {
  PlanarBodies<long double> bodies = pythagorean_start<long double>();
  const auto distance = [&](std::size_t i, std::size_t j) {
    return static_cast<double>(
        std::hypot(bodies.q[2 * j] - bodies.q[2 * i], bodies.q[2 * j + 1] - bodies.q[2 * i + 1]));
  };
  double closest = 10, when = 0;
  advance(bodies, 15.82L, 1e-19);
  for (int k = 0; k < 20000; ++k) {
    if (distance(1, 2) < closest) {
      closest = distance(1, 2);
      when = 15.82 + k * 1e-6;
    }
    advance(bodies, 1e-6L, 1e-19);
  }
  EXPECT_NEAR(closest, 0.0004, 0.00005);
  EXPECT_NEAR(when, 15.83, 0.005);

  // The energies of the two parts: mass 3 with the pair's centre, and the pair.
  struct Parts {
    double outer, pair, distance;
  };
  const auto parts = [](int t) {
    const PlanarBodies<Float50> at = kept<Float50>(t);
    const auto x = [](const std::vector<Float50>& of, int i) {
      return livi::to_double(of[static_cast<std::size_t>(i)]);
    };
    double r2 = 0, w2 = 0, d2 = 0, u2 = 0;
    for (int axis = 0; axis < 2; ++axis) {
      const auto outer = [&](const std::vector<Float50>& of) {
        return x(of, axis) - (4 * x(of, 2 + axis) + 5 * x(of, 4 + axis)) / 9;
      };
      const auto inner = [&](const std::vector<Float50>& of) { return x(of, 4 + axis) - x(of, 2 + axis); };
      r2 += outer(at.q) * outer(at.q);
      w2 += outer(at.v) * outer(at.v);
      d2 += inner(at.q) * inner(at.q);
      u2 += inner(at.v) * inner(at.v);
    }
    return Parts{w2 / 2 - 12 / std::sqrt(r2), u2 / 2 - 9 / std::sqrt(d2), std::sqrt(r2)};
  };
  const Parts before = parts(50), at_60 = parts(60), at_70 = parts(70);
  EXPECT_LT(at_60.pair, 0);
  EXPECT_LT(at_70.pair, 0);
  EXPECT_GT(at_60.outer, 0);
  EXPECT_GT(at_70.outer, 0);
  EXPECT_GT(at_70.distance, at_60.distance);
  // Not yet at t = 50, when mass 3 has to come back.
  EXPECT_LT(before.outer, 0);
}

TEST(PythagoreanReference, bad_input_is_refused_by_name) {
  PlanarBodies<double> bodies = pythagorean_start<double>();
  const auto message = [&](double tolerance) -> std::string {
    try {
      advance(bodies, 1.0, tolerance);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message(0).find("tolerance = 0"), std::string::npos);
  EXPECT_NE(message(std::nan("")).find("tolerance = nan"), std::string::npos);
  EXPECT_EQ(message(1e-10), "accepted");
  bodies.q = {0, 0, 0, 0, 1, 1};
  EXPECT_NE(message(1e-10).find("not finite"), std::string::npos);
  EXPECT_THROW(kept<Float50>(15), std::out_of_range);
}

}  // namespace pythagorean_reference_test
