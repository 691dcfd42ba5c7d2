// SPDX-License-Identifier: MIT
// The references of the magnetised body (TO14, Section 4.5) against each other, against 50 digits, and against what is
// known exactly. The controls, one sign or one digit changed, must fail.
#include "reference/magnetised_body_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace magnetised_body_reference_test {

using namespace livi::reference;

constexpr double end_time = 50;
constexpr int samples = 101;

std::vector<MagnetisedBodyState> of(BodyFormulation formulation, Method method, Arithmetic arithmetic, double tolerance,
                                    const MagnetisedBodyParameters& parameters = {}) {
  return integrate(parameters, formulation, method, arithmetic, end_time, samples, tolerance);
}

TEST(MagnetisedBodyReference, quaternions_matrices_and_fifty_digits_agree) {
  const auto extended = Arithmetic::extended_precision;
  const auto quaternion = of(BodyFormulation::quaternion, Method::fehlberg78, extended, 1e-17);
  const auto matrix = of(BodyFormulation::matrix, Method::bulirsch_stoer, extended, 1e-17);
  const auto exact = of(BodyFormulation::quaternion, Method::fehlberg78, Arithmetic::fifty_digits, 1e-20);
  EXPECT_LT(disagreement(quaternion, matrix), 1e-12);
  EXPECT_LT(disagreement(quaternion, exact), 1e-12);
  MagnetisedBodyParameters other;
  other.strength = 1 + 1e-10;
  EXPECT_GT(disagreement(exact, of(BodyFormulation::matrix, Method::bulirsch_stoer, extended, 1e-17, other)), 1e-11);
}

/// Largest changes of E, W_3 and e3 . R W.
std::array<double, 3> changes(const std::vector<MagnetisedBodyState>& run, double strength) {
  const auto invariants = [&](const MagnetisedBodyState& z) {
    return std::array<double, 3>{(z.w[0] * z.w[0] + z.w[1] * z.w[1] + z.w[2] * z.w[2]) / 2 + strength * z.r[8], z.w[2],
                                 z.r[2] * z.w[0] + z.r[5] * z.w[1] + z.r[8] * z.w[2]};
  };
  std::array<double, 3> worst{};
  for (const MagnetisedBodyState& z : run)
    for (std::size_t i = 0; i < 3; ++i)
      worst[i] = std::max(worst[i], std::abs(invariants(z)[i] - invariants(run.front())[i]));
  return worst;
}

TEST(MagnetisedBodyReference, keeps_its_invariants) {
  MagnetisedBodyParameters generic;
  generic.strength = -0.7;
  generic.initial_rotation = {0.3, -0.5, 0.4};
  const auto run = magnetised_body_reference(generic, end_time, samples);
  for (const double change : changes(run, generic.strength)) EXPECT_LT(change, 1e-12);
  EXPECT_GT(changes(run, 0.7)[0], 1e-2);
}

TEST(MagnetisedBodyReference, the_penalised_motion_tends_to_it) {
  const auto limit = magnetised_body_reference({}, 5, 51);
  const auto off = [&](double omega) {
    MagnetisedBodyParameters parameters;
    parameters.omega = omega;
    return disagreement(limit, penalised_body_reference(parameters, 5, 51));
  };
  // As omega^-2.
  EXPECT_NEAR(std::log2(off(40) / off(80)), 2, 0.5);
}

TEST(MagnetisedBodyReference, refuses_bad_input) {
  MagnetisedBodyParameters bad;
  bad.omega = 0;
  EXPECT_THROW(static_cast<void>(magnetised_body_reference(bad, 1, 2)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(magnetised_body_reference({}, -1, 2)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(magnetised_body_reference({}, 1, 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(magnetised_body_reference({}, 1, 2, 0)), std::invalid_argument);
}

}  // namespace magnetised_body_reference_test
