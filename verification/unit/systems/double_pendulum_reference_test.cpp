// SPDX-License-Identifier: MIT
//
// The references of the double pendulum (TO14, Section 4.1) against each other and against what is known exactly.
// Every comparison has a control: the same comparison with one sign or factor changed must fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/double_pendulum.hpp"
#include "reference/double_pendulum_methods.hpp"
#include "reference/double_pendulum_reference.hpp"
#include "reference/double_pendulum_taylor.hpp"

namespace double_pendulum_reference_test {

using livi::reference::Arithmetic;
using livi::reference::CheckedReference;
using livi::reference::DoublePendulumParameters;
using livi::reference::FiftyDigits;
using livi::reference::Formulation;
using livi::reference::Method;
using livi::reference::PendulumState;

constexpr double end_time = 50.0;
constexpr int samples = 501;

DoublePendulumParameters pendulum(int gravity_sign) {
  DoublePendulumParameters parameters;
  parameters.gravity_sign = gravity_sign;
  return parameters;
}

double position_difference(const std::vector<PendulumState>& one, const std::vector<PendulumState>& other) {
  EXPECT_EQ(one.size(), other.size());
  double difference = 0.0;
  for (std::size_t k = 0; k < std::min(one.size(), other.size()); ++k)
    for (std::size_t i = 0; i < 4; ++i) difference = std::max(difference, std::abs(one[k].q[i] - other[k].q[i]));
  return difference;
}

/// Slope of log(error) against log(omega) by least squares.
double slope(const std::vector<double>& omegas, const std::vector<double>& errors) {
  double mean_x = 0.0, mean_y = 0.0, xy = 0.0, xx = 0.0;
  const double n = static_cast<double>(omegas.size());
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    mean_x += std::log(omegas[i]) / n;
    mean_y += std::log(errors[i]) / n;
  }
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    xy += (std::log(omegas[i]) - mean_x) * (std::log(errors[i]) - mean_y);
    xx += (std::log(omegas[i]) - mean_x) * (std::log(omegas[i]) - mean_x);
  }
  return xy / xx;
}

// ---- Controls: local copies of the equations with one mistake each.

/// The sign of the centrifugal term of theta'' is wrong.
struct WrongAngles : livi::reference::AnglesSystem<double> {
  using AnglesSystem::AnglesSystem;
  void operator()(const State& x, State& dxdt, const double& t) const {
    AnglesSystem::operator()(x, dxdt, t);
    const double s = std::sin(x[0] - x[1]), c = std::cos(x[0] - x[1]);
    dxdt[2] += 2.0 * length2 * s * x[3] * x[3] / (length1 * (2.0 - c * c));
  }
};

/// The multipliers without |w|^2, the part of the second derivative of the second constraint that velocities cause.
struct WrongCartesian : livi::reference::CartesianSystem<double> {
  using CartesianSystem::CartesianSystem;
  void operator()(const State& x, State& dxdt, const double& t) const {
    CartesianSystem::operator()(x, dxdt, t);
    const double dx = x[2] - x[0], dy = x[3] - x[1], wx = x[6] - x[4], wy = x[7] - x[5];
    const double missing = (wx * wx + wy * wy) / (2.0 * (dx * dx + dy * dy));
    dxdt[6] += missing * dx;
    dxdt[7] += missing * dy;
  }
};

// ---- The start, by hand.

TEST(DoublePendulumReference, StartMatchesHandComputation) {
  // r = (0, -1), d = (1, -1), at rest: [2 -2; -2 8] lambda = sign * (-1, 0), so lambda = -sign * (2/3, 1/6).
  for (const int sign : {1, -1}) {
    for (const Formulation formulation : {Formulation::angles, Formulation::cartesian}) {
      const auto states = livi::reference::integrate(pendulum(sign), formulation, Method::taylor,
                                                     Arithmetic::fifty_digits, 1e-3, 2, 1e-20);
      ASSERT_EQ(states.size(), 2U);
      EXPECT_EQ(states[0].t, 0.0);
      const std::array<double, 4> q{0.0, -1.0, 1.0, -2.0};
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(states[0].q[i], q[i], 1e-40);
        EXPECT_EQ(states[0].v[i], 0.0);
      }
      EXPECT_NEAR(states[0].lambda[0], -sign * 2.0 / 3.0, 2e-16);  // one rounding to double
      EXPECT_NEAR(states[0].lambda[1], -sign / 6.0, 2e-16);
      // a1 = -gamma e_y + 2 lambda1 r - 2 lambda2 d = sign * (1/3, 0), a2 = -gamma e_y + 2 lambda2 d = sign * (-1/3,
      // -2/3); v / t differs from it by O(t^2) = 1e-6.
      const std::array<double, 4> a{1.0 / 3.0, 0.0, -1.0 / 3.0, -2.0 / 3.0};
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(states[1].v[i] / 1e-3, sign * a[i], 2e-6);
    }
  }
}

TEST(DoublePendulumReference, AccelerationsObeyNewtonsEquations) {
  // M q'' = -grad V + Dg' lambda with q'' by central differences of v (error dt^2 times the third derivative of v,
  // of order 10 with gravity up) and lambda of either formulation. The control flips lambda.
  constexpr double dt = 1e-4;
  for (const int sign : {1, -1}) {
    for (const Formulation formulation : {Formulation::angles, Formulation::cartesian}) {
      const auto states = livi::reference::integrate(pendulum(sign), formulation, Method::taylor,
                                                     Arithmetic::extended_precision, 2.0, 20001, 1e-18);
      double defect = 0.0, control = 0.0;
      for (std::size_t k = 1; k + 1 < states.size(); k += 100) {
        const PendulumState& at = states[k];
        const double dx = at.q[2] - at.q[0], dy = at.q[3] - at.q[1];
        const std::array<double, 4> pull{2.0 * (at.lambda[0] * at.q[0] - at.lambda[1] * dx),
                                         2.0 * (at.lambda[0] * at.q[1] - at.lambda[1] * dy), 2.0 * at.lambda[1] * dx,
                                         2.0 * at.lambda[1] * dy};
        for (std::size_t i = 0; i < 4; ++i) {
          const double weight = i % 2 == 1 ? -sign : 0.0;
          const double a = (states[k + 1].v[i] - states[k - 1].v[i]) / (2.0 * dt);
          defect = std::max(defect, std::abs(a - weight - pull[i]));
          control = std::max(control, std::abs(a - weight + pull[i]));
        }
      }
      EXPECT_LT(defect, 1e-6) << livi::reference::name(formulation) << ", gravity sign " << sign;
      EXPECT_GT(control, 1e-1);
    }
  }
}

// ---- (23) is the pulled-back kinetic energy.

TEST(DoublePendulumReference, MassMatrix23IsThePulledBackKineticEnergy) {
  DoublePendulumParameters parameters;
  parameters.length1_squared = 1.7;
  parameters.length2_squared = 0.6;
  const double length1 = std::sqrt(1.7), length2 = std::sqrt(0.6);
  parameters.initial_q = {0.0, -length1, 0.0, -length1 - length2};
  const livi::reference::AnglesSystem<double> system(parameters);
  double difference = 0.0, control = 0.0;
  for (int i = 0; i < 50; ++i) {
    const double theta = 0.37 * i - 3.0, phi = 1.0 - 0.71 * i, u = std::sin(1.0 + i), w = std::cos(2.0 * i);
    const auto cartesian = system.state(0.0, {theta, phi, u, w});
    double kinetic = 0.0;
    for (const double v : cartesian.v) kinetic += 0.5 * v * v;
    const auto m = system.mass_matrix(theta, phi);
    // As printed: cos theta cos phi + sin theta sin phi.
    const double printed = length1 * length2 * (std::cos(theta) * std::cos(phi) + std::sin(theta) * std::sin(phi));
    EXPECT_NEAR(m[1], printed, 4e-16 * 50.0);  // angles up to 35 lose up to 6 bits in theta - phi
    difference = std::max(difference, std::abs(0.5 * (m[0] * u * u + 2.0 * m[1] * u * w + m[2] * w * w) - kinetic));
    control = std::max(control, std::abs(0.5 * (m[0] / 2.0 * u * u + 2.0 * m[1] * u * w + m[2] * w * w) - kinetic));
  }
  EXPECT_LT(difference, 1e-14);
  EXPECT_GT(control, 0.1);  // without the factor 2 of (23)
}

// ---- Two formulations, two integrators, several arithmetics.

class BothSigns : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Gravity, BothSigns, testing::Values(1, -1),
                         [](const auto& sign) { return sign.param == 1 ? "Down" : "Up"; });

TEST_P(BothSigns, FormulationsAgreeInFiftyDigits) {
  // Local errors of 1e-25 grow at most by about 1e12 (ErrorGrowth), so 1e-12 is met with a margin. Measured: 4e-16.
  const DoublePendulumParameters parameters = pendulum(GetParam());
  const auto angles = livi::reference::integrate(parameters, Formulation::angles, Method::taylor,
                                                 Arithmetic::fifty_digits, end_time, samples, 1e-27);
  const auto cartesian = livi::reference::integrate(parameters, Formulation::cartesian, Method::taylor,
                                                    Arithmetic::fifty_digits, end_time, samples, 1e-25);
  EXPECT_LT(livi::reference::disagreement(angles, cartesian), 1e-14);
}

TEST_P(BothSigns, OdeintConfirmsTheTaylorSeries) {
  const DoublePendulumParameters parameters = pendulum(GetParam());
  const CheckedReference reference = livi::reference::checked_constrained_reference(parameters, end_time, samples);
  const auto odeint = livi::reference::integrate(parameters, Formulation::cartesian, Method::bulirsch_stoer,
                                                 Arithmetic::fifty_digits, end_time, samples, 1e-23);
  EXPECT_LT(livi::reference::disagreement(reference.states, odeint), 1e-12);
  EXPECT_EQ(reference.arithmetic, GetParam() == 1 ? Arithmetic::extended_precision : Arithmetic::fifty_digits);
}

TEST_P(BothSigns, DoublePrecisionReachesItsLimit) {
  // Rounding errors of 1e-16 in each of some hundred steps. Down: the motion is regular and errors grow by a factor
  // below
  // 2. Up: by about 1e12, so double cannot give more than a few digits at t = 50, whichever equations and integrator.
  const int sign = GetParam();
  const DoublePendulumParameters parameters = pendulum(sign);
  const auto reference = livi::reference::constrained_reference(parameters, end_time, samples);
  for (const Formulation formulation : {Formulation::angles, Formulation::cartesian}) {
    for (const Method method : {Method::fehlberg78, Method::bulirsch_stoer, Method::taylor}) {
      const auto run = livi::reference::integrate(parameters, formulation, method, Arithmetic::double_precision,
                                                  end_time, samples, 1e-14);
      const double error = livi::reference::disagreement(reference, run);
      EXPECT_LT(error, sign == 1 ? 1e-10 : 1e-2)
          << livi::reference::name(formulation) << " " << livi::reference::name(method);
      EXPECT_GT(error, sign == 1 ? 1e-15 : 1e-7)
          << livi::reference::name(formulation) << " " << livi::reference::name(method);
    }
  }
}

TEST_P(BothSigns, WrongEquationsAreSeen) {
  // The agreement above would be worthless if wrong equations agreed too.
  const DoublePendulumParameters parameters = pendulum(GetParam());
  const auto times = livi::reference::equally_spaced_times<double>(2.0, 21);
  const auto reference = livi::reference::constrained_reference(parameters, 2.0, 21);
  const auto angles = livi::reference::odeint_trajectory(WrongAngles(parameters), times, 1e-13, Method::fehlberg78);
  const auto cartesian =
      livi::reference::odeint_trajectory(WrongCartesian(parameters), times, 1e-13, Method::fehlberg78);
  EXPECT_GT(livi::reference::disagreement(reference, angles), 1e-3);
  EXPECT_GT(livi::reference::disagreement(reference, cartesian), 1e-3);
  EXPECT_GT(
      livi::reference::disagreement(reference, livi::reference::constrained_reference(pendulum(-GetParam()), 2.0, 21)),
      1e-1);
}

TEST_P(BothSigns, InvariantsHoldFarBeyondDouble) {
  // In 50 digits with local errors below 1e-25: g and Dg v of the Cartesian run, on which nothing acts, its energy, and
  // the energy of the angle run. Errors along the flow do not change them, so there is no chaotic growth.
  const DoublePendulumParameters parameters = pendulum(GetParam());
  const auto times = livi::reference::equally_spaced_times<FiftyDigits>(end_time, 51);
  const livi::reference::CartesianSystem<FiftyDigits> cartesian(parameters);
  const livi::reference::AnglesSystem<FiftyDigits> angles(parameters);
  const FiftyDigits start(-3 * GetParam());  // V = sign * (-1 - 2), at rest
  const auto largest = [&](const auto& trajectory) {
    FiftyDigits defect(0);
    for (const auto& state : trajectory) {
      const auto g = livi::reference::constraint(parameters, state.q);
      const auto rate = livi::reference::constraint_rate(state.q, state.v);
      for (const FiftyDigits& value :
           {g[0], g[1], rate[0], rate[1], FiftyDigits(livi::reference::energy(parameters, state) - start)})
        if (abs(value) > defect) defect = abs(value);
    }
    return static_cast<double>(defect);
  };
  using livi::reference::taylor_trajectory;
  EXPECT_LT(largest(taylor_trajectory<livi::reference::CartesianExpansion<FiftyDigits>>(cartesian, times, 1e-25)),
            1e-22);
  EXPECT_LT(largest(taylor_trajectory<livi::reference::AnglesExpansion<FiftyDigits>>(angles, times, 1e-25)), 1e-22);
}

TEST_P(BothSigns, WrongEquationsBreakTheInvariants) {
  const DoublePendulumParameters parameters = pendulum(GetParam());
  const auto times = livi::reference::equally_spaced_times<double>(5.0, 51);
  double energy_error = 0.0, constraint_error = 0.0;
  for (const auto& state :
       livi::reference::odeint_trajectory(WrongAngles(parameters), times, 1e-13, Method::fehlberg78))
    energy_error = std::max(energy_error, std::abs(livi::reference::energy(parameters, state) + 3.0 * GetParam()));
  for (const auto& state :
       livi::reference::odeint_trajectory(WrongCartesian(parameters), times, 1e-13, Method::fehlberg78))
    constraint_error = std::max(constraint_error, std::abs(livi::reference::constraint(parameters, state.q)[1]));
  EXPECT_GT(energy_error, 1e-2);
  EXPECT_GT(constraint_error, 1e-2);
}

TEST_P(BothSigns, ErrorGrowth) {
  // A tangent perturbation of the initial velocity and its size at the end: how many digits a reference needs.
  // Measured: 1.71 with gravity down (regular motion), 1.8e11 with gravity up (chaotic, where only the order of
  // magnitude means anything).
  const double perturbation = GetParam() == 1 ? 1e-7 : 1e-18;
  DoublePendulumParameters parameters = pendulum(GetParam());
  const auto run = [&] {
    return livi::reference::integrate(parameters, Formulation::angles, Method::taylor, Arithmetic::fifty_digits,
                                      end_time, samples, 1e-30);
  };
  const auto exact = run();
  parameters.initial_v = {perturbation, 0.0, perturbation, 0.0};
  const double growth = livi::reference::disagreement(exact, run()) / perturbation;
  RecordProperty("growth", std::to_string(growth));
  EXPECT_GT(growth, GetParam() == 1 ? 1.0 : 1e9);
  EXPECT_LT(growth, GetParam() == 1 ? 3.0 : 1e14);
}

// ---- (c) The penalised system.

TEST_P(BothSigns, PenalisedSystemTendsToTheConstrainedOne) {
  // Remark 6.1: O(omega^-2) from a start with g = 0 and Dg v = 0. Early times, before the growth of errors matters.
  // 0.1 in the slope allows for the phase of the fast oscillation at the samples.
  DoublePendulumParameters parameters = pendulum(GetParam());
  const auto constrained = livi::reference::constrained_reference(parameters, 1.0, 101);
  std::vector<double> omegas, errors, off_tangent;
  for (const double omega : {40.0, 80.0, 160.0, 320.0, 640.0}) {
    parameters.omega = omega;
    parameters.initial_v = {0.0, 0.0, 0.0, 0.0};
    omegas.push_back(omega);
    errors.push_back(
        position_difference(livi::reference::penalised_reference(parameters, 1.0, 101, 1e-10), constrained));
    // Control, a violated hypothesis: a velocity along the normal of the first constraint.
    parameters.initial_v = {0.0, 0.5, 0.0, 0.5};
    off_tangent.push_back(
        position_difference(livi::reference::penalised_reference(parameters, 1.0, 101, 1e-10), constrained));
  }
  EXPECT_NEAR(slope(omegas, errors), -2.0, 0.1);
  EXPECT_GT(slope(omegas, off_tangent), -1.5);
}

TEST_P(BothSigns, PenalisedMultiplierOscillatesAboutTheMultiplier) {
  // -omega^2 g starts at 0 and swings about lambda; its mean over many periods is lambda's up to O(1 / omega).
  // The control is the mean of the opposite sign.
  DoublePendulumParameters parameters = pendulum(GetParam());
  parameters.omega = 400.0;
  const auto constrained = livi::reference::constrained_reference(parameters, 1.0, 10001);
  const auto penalised = livi::reference::penalised_reference(parameters, 1.0, 10001, 1e-10);
  for (std::size_t i = 0; i < 2; ++i) {
    double mean = 0.0, penalised_mean = 0.0;
    for (std::size_t k = 0; k < constrained.size(); ++k) {
      mean += constrained[k].lambda[i] / 10001.0;
      penalised_mean += penalised[k].lambda[i] / 10001.0;
    }
    EXPECT_EQ(penalised[0].lambda[i], 0.0);
    EXPECT_NEAR(penalised_mean, mean, 5e-3);
    EXPECT_GT(std::abs(penalised_mean + mean), 5e-2);
  }
}

TEST_P(BothSigns, PenalisedEnergyIsConstant) {
  DoublePendulumParameters parameters = pendulum(GetParam());
  double defect = 0.0, control = 0.0;
  for (const PendulumState& state : livi::reference::penalised_reference(parameters, 10.0, 1001)) {
    defect = std::max(defect, std::abs(livi::reference::penalised_energy(parameters, state) + 3.0 * GetParam()));
    control = std::max(control, std::abs(livi::reference::energy(parameters, state) + 3.0 * GetParam()));
  }
  // States are rounded to double: g has an error of 1e-15, omega^2 |g| is below 10.
  EXPECT_LT(defect, 1e-13);
  EXPECT_GT(control, 1e-4);  // without the energy of the penalty
}

TEST_P(BothSigns, OdeintConfirmsThePenalisedTaylorSeries) {
  // Thousands of steps with local errors of 1e-17, multiplied by omega^2 = 1e4 in lambda. Measured: 2e-12.
  for (const double omega : {20.0, 100.0}) {
    DoublePendulumParameters parameters = pendulum(GetParam());
    parameters.omega = omega;
    const auto reference = livi::reference::penalised_reference(parameters, 5.0, 51);
    for (const Method method : {Method::fehlberg78, Method::bulirsch_stoer}) {
      const auto odeint = livi::reference::integrate(parameters, Formulation::penalised, method,
                                                     Arithmetic::extended_precision, 5.0, 51, 1e-17);
      EXPECT_LT(livi::reference::disagreement(reference, odeint), 1e-11) << "omega = " << omega;
    }
    parameters.omega = omega * (1.0 + 1e-7);  // control: the comparison sees the eighth digit of omega
    EXPECT_GT(livi::reference::disagreement(reference, livi::reference::penalised_reference(parameters, 5.0, 51)),
              1e-9);
  }
}

// ---- Sampling and errors.

TEST(DoublePendulumReference, SamplesAreEquallySpacedAndIndependentOfTheirNumber) {
  const auto coarse = livi::reference::constrained_reference(pendulum(1), 7.0, 8);
  const auto fine = livi::reference::constrained_reference(pendulum(1), 7.0, 71);
  ASSERT_EQ(coarse.size(), 8U);
  ASSERT_EQ(fine.size(), 71U);
  for (std::size_t k = 0; k < coarse.size(); ++k) {
    EXPECT_EQ(coarse[k].t, static_cast<double>(k));
    EXPECT_EQ(fine[10 * k].t, coarse[k].t);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(coarse[k].q[i], fine[10 * k].q[i], 1e-15);
  }
}

TEST(DoublePendulumReference, RefusesBadParametersByName) {
  const auto message = [](const DoublePendulumParameters& parameters) -> std::string {
    try {
      (void)livi::reference::constrained_reference(parameters, 1.0, 2);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(DoublePendulumParameters{}), "accepted");
  DoublePendulumParameters bad;
  bad.gravity_sign = 0;
  EXPECT_NE(message(bad).find("gravity_sign = 0"), std::string::npos);
  bad = {};
  bad.gravity = -1.0;
  EXPECT_NE(message(bad).find("gravity = -1"), std::string::npos);
  bad = {};
  bad.length1_squared = 0.0;
  EXPECT_NE(message(bad).find("length1_squared = 0"), std::string::npos);
  bad = {};
  bad.length2_squared = nan;
  EXPECT_NE(message(bad).find("length2_squared"), std::string::npos);
  bad = {};
  bad.length2_squared = 2.0 + 1e-13;
  EXPECT_NE(message(bad).find("initial_q is off the constraint: g[1]"), std::string::npos);
  bad = {};
  bad.initial_q[2] = nan;
  EXPECT_NE(message(bad).find("initial_q[2]"), std::string::npos);
  bad = {};
  bad.initial_v = {0.0, 1e-10, 0.0, 0.0};
  EXPECT_NE(message(bad).find("initial_v is not tangent: (Dg v)[0]"), std::string::npos);
  bad = {};
  bad.initial_v[3] = nan;
  EXPECT_NE(message(bad).find("initial_v[3]"), std::string::npos);
  for (const double omega : {0.0, -20.0, nan}) {
    bad = {};
    bad.omega = omega;
    EXPECT_THROW((void)livi::reference::penalised_reference(bad, 1.0, 2), std::invalid_argument) << omega;
    EXPECT_EQ(message(bad), "accepted");  // the constrained system has no omega
  }
}

TEST(DoublePendulumReference, RefusesBadTimesAndTolerances) {
  const DoublePendulumParameters parameters;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double time : {0.0, -1.0, nan, infinity})
    EXPECT_THROW((void)livi::reference::constrained_reference(parameters, time, 2), std::invalid_argument) << time;
  for (const int count : {1, 0, -5})
    EXPECT_THROW((void)livi::reference::constrained_reference(parameters, 1.0, count), std::invalid_argument) << count;
  for (const double accuracy : {0.0, -1.0, 1e-15, 0.1, nan})
    EXPECT_THROW((void)livi::reference::constrained_reference(parameters, 1.0, 2, accuracy), std::invalid_argument);
  for (const Method method : {Method::fehlberg78, Method::bulirsch_stoer, Method::taylor})
    for (const double tolerance : {0.0, -1e-3, 2.0, nan})
      EXPECT_THROW((void)livi::reference::integrate(parameters, Formulation::angles, method,
                                                    Arithmetic::double_precision, 1.0, 2, tolerance),
                   std::invalid_argument);
  using livi::reference::double_pendulum_angles;
  EXPECT_THROW((void)double_pendulum_angles<double>(parameters, {}, 1e-10), std::invalid_argument);
  EXPECT_THROW((void)double_pendulum_angles<double>(parameters, {0.0, 1.0, 1.0}, 1e-10), std::invalid_argument);
  EXPECT_THROW((void)double_pendulum_angles<double>(parameters, {0.0, nan}, 1e-10), std::invalid_argument);
}

TEST(DoublePendulumReference, OverflowIsAnErrorNotANaN) {
  DoublePendulumParameters parameters;
  parameters.omega = 1e200;  // omega^2 overflows
  for (const Method method : {Method::fehlberg78, Method::bulirsch_stoer, Method::taylor})
    EXPECT_THROW((void)livi::reference::integrate(parameters, Formulation::penalised, method,
                                                  Arithmetic::double_precision, 1.0, 2, 1e-10),
                 std::runtime_error);
}

TEST(DoublePendulumReference, RefusesWhatItCannotKnow) {
  // Errors of the chaotic motion grow by about 1e12 in 50 time units, so 1e-25 is used up before t = 130.
  EXPECT_THROW((void)livi::reference::constrained_reference(pendulum(-1), 130.0, 2), std::runtime_error);
}

}  // namespace double_pendulum_reference_test
