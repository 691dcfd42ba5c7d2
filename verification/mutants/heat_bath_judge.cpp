// SPDX-License-Identifier: MIT
//
// The battery of heat baths, on ConstrainedObabo, which it must clear with all its controls as expected; compiled in seconds: see
// methods.hpp.
#include <gtest/gtest.h>

#include <livi/claims/battery/rows.cpp>
#include <livi/claims/heat_bath_averages.cpp>
#include <livi/claims/heat_bath_battery.cpp>
#include <livi/claims/heat_bath_controls.cpp>
#include <livi/claims/heat_bath_steps.cpp>
#include <livi/judge/controls/constrained_methods.hpp>
#include <livi/judge/measures/constrained_bath.cpp>
#include <livi/judge/method/foreign_subject.cpp>
#include <livi/judge/problems/judged_problem.cpp>
#include <livi/judge/problems/number_text.cpp>

namespace livi::battery_detail {
namespace {

/// Expects that these rows confirm ConstrainedObabo.
void expect_confirmed(const std::vector<std::string>& rows) {
  const BatteryResult result = run_heat_bath_battery(*heat_bath_control(C::obabo).subject, {.only = rows});
  EXPECT_EQ(result.rows.size(), rows.size());
  for (const BatteryRow& row : result.rows)
    EXPECT_EQ(row.claim.verdict, Verdict::confirmed) << row.test << ", measured " << row.claim.measured;
}

TEST(HeatBathBattery, is_measured_without_sampling) { expect_confirmed({"friction", "linear noise", "noise"}); }
TEST(HeatBathBattery, has_controls_that_fail) {
  expect_confirmed({"numbers without friction", "limit without friction", "numbers used once", "repetition"});
}
TEST(HeatBathBattery, has_runs_that_can_be_repeated) { expect_confirmed({"repetition", "restart"}); }
/// The order of averages of a control.
double order_of(C control) { return order_of_averages(*heat_bath_control(control).subject, GibbsPositions::few).value; }
TEST(HeatBathBattery, tells_the_order_of_averages) { EXPECT_NEAR(order_of(C::baoab), 2, 0.3); }
TEST(HeatBathBattery, tells_averages_of_each_problem) {
  EXPECT_LT(order_of(C::warm_on_one_side), 1.7);
  EXPECT_LT(order_of(C::warm_on_the_chain), 1.7);
}
TEST(HeatBathBattery, knows_the_gibbs_measure) {
  // By midpoint rules of 400 and 800 polar angles with extrapolation, which leaves 1e-10.
  const auto [first, second] = mean_heights_of_rods(2.5);
  EXPECT_NEAR(first, -0.9196533676, 1e-9);
  EXPECT_NEAR(second, -0.9234964341, 1e-9);
  // A velocity of the mean energy is no difference.
  const auto run = heat_bath_control(C::obabo).subject->in_bath(bath_place::chain, judged_baths[0], BathNumbers());
  const D v = run->origin().second, thermal = v * std::sqrt(7 / (2.5 * v.dot(run->momentum(v))));
  EXPECT_NEAR(energy_difference(*run, thermal, judged_baths[0]), 0, 1e-14);
}

/// A bath without a motion, as a method from outside: exact friction and noise of the problem, projected along its constraints.
class BathAlone final : public ForeignSubject {
 public:
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    kind = forces.problem().kind;
    return std::make_unique<Run>(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<BathAlone>(); }

  ProblemKind kind = ProblemKind::mechanical;  ///< the kind of the last problem

 private:
  struct Run final : ForeignRun<double> {
    explicit Run(Forces<double>& of) : forces(of) {}
    void start(const TimedPoint<double>& from) override { z = from; }
    void step(const double& h, long) override {
      const JudgedProblem& problem = forces.problem();
      const std::vector<double> rows = forces.constraint_jacobian(z.q), xi = forces.noise(z.p.size());
      const double decay = std::exp(-problem.friction * h);
      const std::size_t n = z.p.size(), c = problem.constraints.size();
      for (std::size_t i = 0; i < n; ++i)
        z.p[i] = decay * z.p[i] + std::sqrt(problem.temperature * problem.masses[i] * (1 - decay * decay)) * xi[i];
      std::vector<double> a(c * c), b(c);
      for (std::size_t i = 0; i < c; ++i)
        for (std::size_t k = 0; k < n; ++k) {
          b[i] += rows[i * n + k] * z.p[k] / problem.masses[k];
          for (std::size_t j = 0; j < c; ++j) a[i * c + j] += rows[i * n + k] * rows[j * n + k] / problem.masses[k];
        }
      foreign_detail::solve_in_place(a, b);
      for (std::size_t i = 0; i < c; ++i)
        for (std::size_t k = 0; k < n; ++k) z.p[k] -= rows[i * n + k] * b[i];
    }
    TimedPoint<double> point() override { return z; }
    std::optional<std::string> save() override { return {}; }
    void restore(const std::string&) override {}
    Forces<double>& forces;
    TimedPoint<double> z;
  };
  ForeignDeclaration declaration_;
};
TEST(ForeignHeatBath, is_the_bath_that_the_battery_measures) {
  BathAlone method;
  const ForeignHeatBath bath(method);
  EXPECT_LT(wrong_friction(bath).value, 1e-3);
  EXPECT_LT(wrong_noise(bath, 1).value, 1e-3);
  EXPECT_LT(wrong_noise(bath, 2).value, 1e-3);
  EXPECT_EQ(wrong_repetitions(bath), 0);
  EXPECT_EQ(method.kind, ProblemKind::constrained_langevin);
  EXPECT_NE(bath.limit(bath_place::chain), nullptr);
  EXPECT_EQ(method.kind, ProblemKind::constrained);
  // At 1.001 q, with a velocity of q.
  const auto run = bath.in_bath(bath_place::sphere, judged_baths[0], BathNumbers());
  const D q = run->origin().first;
  run->start(1.001 * q, q);
  const auto [position, velocity] = run->defects();
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(position * rounding, 0.002001, 1e-12);
  EXPECT_NEAR(velocity * rounding, 2.002, 1e-12);
}

}  // namespace
}  // namespace livi::battery_detail
