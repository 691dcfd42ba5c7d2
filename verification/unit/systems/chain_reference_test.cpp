// SPDX-License-Identifier: MIT
// The references of the chain of pendula (TO14, Section 4.2) against each other, against that of the double pendulum,
// and against what is known exactly.
#include "reference/chain_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/chain.hpp"

namespace chain_reference_test {

using livi::reference::Arithmetic;
using livi::reference::ChainFormulation;
using livi::reference::ChainParameters;
using livi::reference::ChainState;
using livi::reference::Method;
using livi::reference::slanted_chain;

/// Lengths sqrt 5, 1, 2, sqrt 2, 3, ... and a tangent velocity.
ChainParameters uneven_chain(int links, int gravity_sign) {
  ChainParameters chain;
  chain.gravity_sign = gravity_sign;
  chain.gravity = 0.75;
  const double dx[] = {1, 0, -2, 1, 0}, dy[] = {-2, -1, 0, 1, -3}, turn[] = {0.5, -0.25, 0, 1, 0.5};
  double x = 0, y = 0, vx = 0, vy = 0;
  for (int k = 0; k < links; ++k) {
    const int at = k % 5;
    chain.squared_lengths.push_back(dx[at] * dx[at] + dy[at] * dy[at]);
    x += dx[at], y += dy[at], vx -= turn[at] * dy[at], vy += turn[at] * dx[at];
    chain.initial_q.insert(chain.initial_q.end(), {x, y});
    chain.initial_v.insert(chain.initial_v.end(), {vx, vy});
  }
  return chain;
}

std::vector<ChainState> run(const ChainParameters& chain, ChainFormulation formulation, Method method, double end_time,
                            double tolerance, Arithmetic arithmetic = Arithmetic::extended_precision) {
  return livi::reference::integrate_chain(chain, formulation, method, arithmetic, end_time, 11, tolerance);
}

// Two derivations (tensions, full mass matrix), three integrators; 1e-12 wherever errors of 1e-17 do not grow by more
// than 1e5: hanging up to t = 50, standing up to t = 8 (a factor of 6 per unit of time, see chain_reference.hpp).
TEST(ChainReference, formulations_and_methods_agree) {
  for (const int links : {1, 2, 3, 10})
    for (const int sign : {1, -1}) {
      const double end = sign > 0 ? 50 : 8;
      for (const ChainParameters& chain : {slanted_chain(links, sign), uneven_chain(links, sign)}) {
        // The uneven one has energy to spare and is chaotic both ways.
        const double until = chain.gravity == 1.0 ? end : 8;
        const auto series = run(chain, ChainFormulation::tensions, Method::taylor, until, 1e-19);
        const auto full = run(chain, ChainFormulation::mass_matrix, Method::fehlberg78, until, 1e-17);
        EXPECT_LT(disagreement(series, full), 1e-12) << links << " links, gravity " << sign;
        if (links == 3) {
          const auto other = run(chain, ChainFormulation::tensions, Method::bulirsch_stoer, until, 1e-17);
          EXPECT_LT(disagreement(series, other), 1e-12);
        }
      }
    }
}

TEST(ChainReference, of_two_links_is_that_of_the_double_pendulum) {
  for (const int sign : {1, -1}) {
    ChainParameters chain;
    chain.gravity_sign = sign;
    chain.squared_lengths = {1, 2};
    chain.initial_q = {0, -1, 1, -2};
    chain.initial_v = {0, 0, 0, 0};
    livi::reference::DoublePendulumParameters pendulum;
    pendulum.gravity_sign = sign;
    const auto one = run(chain, ChainFormulation::tensions, Method::taylor, 10, 1e-19);
    const auto other = constrained_reference(pendulum, 10, 11);
    for (std::size_t k = 0; k < one.size(); ++k) {
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(one[k].q[i], other[k].q[i], 1e-12);
        EXPECT_NEAR(one[k].v[i], other[k].v[i], 1e-12);
      }
      for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(one[k].lambda[i], other[k].lambda[i], 1e-12);
    }
  }
}

// In 50 digits the right-hand sides of the two derivations are the same numbers at a state that nothing relates to a
// motion. Control: with one length changed by 1e-20 they are not.
TEST(ChainReference, right_hand_sides_agree_in_50_digits) {
  using S = livi::reference::FiftyDigits;
  for (const int links : {1, 2, 3, 12}) {
    const ChainParameters chain = uneven_chain(links, 1);
    const livi::reference::ChainByTensions<S> tensions(chain);
    livi::reference::ChainByMassMatrix<S> full(chain);
    const auto n = static_cast<std::size_t>(links);
    std::vector<S> x(2 * n), a(2 * n), b(2 * n);
    for (std::size_t i = 0; i < 2 * n; ++i) x[i] = S(static_cast<unsigned>((7 * i * i + 3) % 11)) / 4 - 1;
    const auto difference = [&] {
      tensions(x, a, S(0));
      full(x, b, S(0));
      S largest(0);
      for (std::size_t i = 0; i < 2 * n; ++i) largest = std::max(largest, S(abs(a[i] - b[i])));
      return largest;
    };
    EXPECT_LT(difference(), S("1e-45")) << links;
    full.length[n - 1] += S("1e-20");
    EXPECT_GT(difference(), S("1e-23")) << links;
  }
}

// Energy, the constraints and their rates, which no equation here enforces in Cartesian coordinates; and the
// multipliers: M q'' = -grad V + Dg' lambda along a centred difference of the velocities, whose error is of order h^2.
TEST(ChainReference, obeys_newton_in_cartesian_coordinates) {
  const ChainParameters chain = uneven_chain(6, 1);
  const double h = 1e-3;
  const auto states = livi::reference::integrate_chain(chain, ChainFormulation::tensions, Method::taylor,
                                                       Arithmetic::extended_precision, 2 * h, 3, 1e-19);
  const ChainState& at = states[1];
  const auto link = [](const std::vector<double>& of, std::size_t i) { return i < 2 ? of[i] : of[i] - of[i - 2]; };
  for (std::size_t i = 0; i < 12; ++i) {
    const double acceleration = (states[2].v[i] - states[0].v[i]) / (2 * h);
    double force = i % 2 == 1 ? -0.75 : 0;
    force += 2 * at.lambda[i / 2] * link(at.q, i);
    if (i + 2 < 12) force -= 2 * at.lambda[i / 2 + 1] * link(at.q, i + 2);
    EXPECT_NEAR(acceleration, force, 1e-4) << i;
  }
  for (std::size_t k = 0; k < 6; ++k) {
    const double dx = link(at.q, 2 * k), dy = link(at.q, 2 * k + 1);
    EXPECT_NEAR(dx * dx + dy * dy, chain.squared_lengths[k], 1e-14);
    EXPECT_NEAR(dx * link(at.v, 2 * k) + dy * link(at.v, 2 * k + 1), 0, 1e-14);
  }
}

TEST(ChainReference, knows_how_far_it_reaches) {
  const auto hanging = livi::reference::checked_chain_reference(slanted_chain(10), 50, 11, 1e-12);
  EXPECT_LT(hanging.disagreement, 1e-13);
  EXPECT_EQ(hanging.arithmetic, Arithmetic::extended_precision);
  const auto longer = livi::reference::checked_chain_reference(slanted_chain(3, -1), 8, 5, 1e-11);
  EXPECT_LT(longer.disagreement, 1e-12);
}

TEST(ChainReference, refuses_what_is_wrong) {
  const auto refusal = [](const ChainParameters& chain, Method method = Method::taylor,
                          ChainFormulation formulation = ChainFormulation::tensions) -> std::string {
    try {
      static_cast<void>(run(chain, formulation, method, 1, 1e-10));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  ChainParameters chain = slanted_chain(3);
  EXPECT_EQ(refusal(chain), "accepted");
  EXPECT_EQ(refusal(chain, Method::taylor, ChainFormulation::mass_matrix),
            "method = taylor, allowed are fehlberg78 and bulirsch_stoer");
  chain.initial_q[4] += 1e-6;
  EXPECT_EQ(refusal(chain).substr(0, 57), "chain reference: initial_q is off the constraint: g[2] = ");
  chain = slanted_chain(3);
  chain.initial_v[1] = 1;
  EXPECT_EQ(refusal(chain).substr(0, 56), "chain reference: initial_v is not tangent: (Dg v)[0] = -");
  chain = slanted_chain(3);
  chain.squared_lengths[1] = -5;
  EXPECT_EQ(refusal(chain), "chain reference: squared_lengths[1] = -5.000000, allowed are finite values > 0");
  chain = slanted_chain(3);
  chain.initial_v.pop_back();
  EXPECT_EQ(refusal(chain).substr(0, 40), "chain reference: initial_q and initial_v");
  EXPECT_THROW(static_cast<void>(slanted_chain(0)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(livi::reference::checked_chain_reference(slanted_chain(2), 1, 2, 1e-20)),
               std::invalid_argument);
}

}  // namespace chain_reference_test
