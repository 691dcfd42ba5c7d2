// SPDX-License-Identifier: MIT
// The references of the rigid body (BOS09, Section 3) against each other and against what is known exactly. Every
// comparison has a control: the same comparison with something changed must fail.
#include "reference/rigid_body_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace rigid_body_reference_test {

using namespace livi::reference;

std::vector<RigidBodyState> run(const RigidBodyParameters& parameters, RigidBodyFormulation formulation, Method method,
                                Arithmetic arithmetic, double tolerance) {
  return integrate_rigid_body(parameters, formulation, method, arithmetic, 5.0, 11, tolerance);
}

TEST(RigidBodyReference, FormulationsMethodsAndArithmeticsAgree) {
  const RigidBodyParameters parameters;
  const auto digits =
      run(parameters, RigidBodyFormulation::quaternions, Method::bulirsch_stoer, Arithmetic::fifty_digits, 1e-22);
  for (const auto formulation : {RigidBodyFormulation::quaternions, RigidBodyFormulation::matrices})
    for (const Method method : {Method::fehlberg78, Method::bulirsch_stoer})
      EXPECT_LT(disagreement(digits, run(parameters, formulation, method, Arithmetic::extended_precision, 1e-17)),
                1e-14)
          << name(formulation) << ", " << name(method);
  RigidBodyParameters moved;
  moved.alpha += 1e-10;
  EXPECT_GT(disagreement(digits, checked_rigid_body_reference(moved, 5.0, 11).states), 1e-12);
  moved = {};
  moved.attractor_angle += 1e-9;
  EXPECT_GT(disagreement(digits, checked_rigid_body_reference(moved, 5.0, 11).states), 1e-12);
}

TEST(RigidBodyReference, ATurnAboutAnAxisIsAPendulumOfOneAngle) {
  // alpha = 0, Q = exp(angle e1), W = angle' e1: moment angle'' = -d/dangle (2 sqrt 2 sin(angle/2) - 1)^2. Its energy
  // is moment angle'^2/2 + (...)^2, and Q stays a turn about e1.
  RigidBodyParameters parameters;
  parameters.alpha = 0;
  parameters.initial_rotation = {1.1, 0, 0};
  parameters.initial_w = {0.2, 0, 0};
  const auto states = checked_rigid_body_reference(parameters, 5.0, 51).states;
  const auto energy = [&](const RigidBodyState& state, double depth) {
    const double angle = std::atan2(state.q[5], state.q[4]), well = depth * std::sin(angle / 2) - 1;
    return parameters.moments[0] * state.w[0] * state.w[0] / 2 + well * well;
  };
  double error = 0, control = 0;
  for (const RigidBodyState& state : states) {
    EXPECT_EQ(state.w[1], 0);
    EXPECT_NEAR(state.q[0], 1, 1e-15);
    const double depth = 2 * std::sqrt(2.0);
    error = std::max(error, std::abs(energy(state, depth) - energy(states.front(), depth)));
    control = std::max(control, std::abs(energy(state, 2) - energy(states.front(), 2)));
  }
  EXPECT_LT(error, 1e-14);
  EXPECT_GT(control, 1e-2);
}

TEST(RigidBodyReference, RefusesBadInputByName) {
  const auto message = [](const RigidBodyParameters& parameters) -> std::string {
    try {
      (void)checked_rigid_body_reference(parameters, 1.0, 2);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({}), "accepted");
  RigidBodyParameters bad;
  bad.moments[1] = 0;
  EXPECT_NE(message(bad).find("moments[1] = 0"), std::string::npos);
  bad = {};
  bad.alpha = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(bad).find("alpha = nan"), std::string::npos);
  bad = {};
  bad.attractor_axis = {0, 0, 0};
  EXPECT_NE(message(bad).find("attractor_axis = 0"), std::string::npos);
  bad = {};
  bad.initial_rotation = {0, 3.2, 0};
  EXPECT_NE(message(bad).find("initial_rotation"), std::string::npos);
  EXPECT_THROW((void)run({}, RigidBodyFormulation::matrices, Method::taylor, Arithmetic::double_precision, 1e-10),
               std::invalid_argument);
  EXPECT_THROW((void)run({}, RigidBodyFormulation::matrices, Method::fehlberg78, Arithmetic::double_precision, 0),
               std::invalid_argument);
  EXPECT_THROW((void)checked_rigid_body_reference({}, 1.0, 2, 1e-20), std::invalid_argument);
  EXPECT_THROW((void)checked_rigid_body_reference({}, -1.0, 2), std::invalid_argument);
}

TEST(RigidBodyReference, TheSingularityIsAnErrorNotANaN) {
  RigidBodyParameters parameters;
  parameters.initial_rotation = {0, 0, 0};  // the tip of the cone: 0/0 in the torque
  EXPECT_THROW((void)checked_rigid_body_reference(parameters, 1.0, 2), std::runtime_error);
}

}  // namespace rigid_body_reference_test
