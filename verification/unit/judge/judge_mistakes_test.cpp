// SPDX-License-Identifier: MIT
//
// The typical mistake that the judge names in a refuted method for forces of time, separable systems or rigid bodies. Judgements are
// made up here: they say which row is refuted.
#include <gtest/gtest.h>

#include <cmath>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/problems/attitude.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "judged_verlet.hpp"
#include "made_up_judgements.hpp"
#include "verification/judge/declaring.hpp"
#include "verification/judge/mistaken.hpp"

namespace judge_mistakes_test {

using namespace livi;
using namespace livi::test;

std::string said_of(ForeignSubject& subject, const std::string& refuted = "order of q") {
  std::string all;
  for (const std::string& sentence : diagnose(subject, with_row(subject.declares(), refuted))) all += sentence + "\n";
  return all;
}

TEST(ClockDiagnosis, names_mistakes_that_explain_the_order) {
  struct Expected {
    BuiltInMethod method;
    int order;
    OtherTime other;
    std::string sentence;  ///< none where it is empty
  };
  using What = StepPart::What;
  const BuiltInMethod verlet = built_in_verlet();
  // It asks once in a step, but for the first one.
  const BuiltInMethod remembering{.name = "x",
                                  .parts = {{What::kick_with_last_force, 1, 2}, {What::drift, 1}, {What::kick, 1, 2}}};
  const auto of_step = [](double steps) { return [=](const Asked& at) { return at.begin + steps * at.h; }; };
  const auto late = [](double steps) { return [=](const Asked& at) { return at.begin + (at.share + steps) * at.h; }; };
  // The number of the part of Yoshida's step at whose beginning, or end, the force is due.
  const auto number = [](double share) {
    return share < -1e-9 ? 2.0 : share < 1e-9 ? 0.0 : share > 1 + 1e-9 ? 1.0 : 3.0;
  };
  const std::string still = "the clock stands still: all forces are those of one time";
  const std::vector<Expected> all{
      {verlet, 2, of_the_start, still},
      {remembering, 2, of_the_start, still},
      {yoshida(), 4, of_the_start, still},
      {verlet, 2, [](const Asked& at) { return at.start + at.share * at.h; },
       "the clock does not go on from step to step: every step begins at the time of the start"},
      {verlet, 2, [](const Asked& at) { return at.begin - at.start + at.share * at.h; },
       "the time of a start is not read: the clock begins at zero"},
      {verlet, 2, of_the_size, "in steps back the clock goes forwards, as by abs(h)"},
      {verlet, 2, [](const Asked& at) { return at.h < 0 ? at.start : at.begin + at.share * at.h; },
       "in steps back " + still},
      {verlet, 2, [](const Asked& at) { return 2 * at.begin - at.start + 2 * at.share * at.h; },
       "the clock goes on by 2 h in a step of h"},
      {yoshida(), 4, [=](const Asked& at) { return at.start + 3 * (at.begin - at.start) + number(at.share) * at.h; },
       "the clock goes on by 3 h in a step of h, by h in each part of the step"},
      {yoshida(), 4, [=](const Asked& at) { return at.begin + number(at.share) / 3 * at.h; },
       "the clock goes on by 0.3333 h in every part of a step, as if all were equally long"},
      {verlet, 2, of_step(0), "all forces of a step are those of the time with which a step begins"},
      {remembering, 2, of_step(0), "all forces of a step are those of the time with which a step begins"},
      {position_verlet(), 2, of_step(1), "all forces of a step are those of the time with which a step ends"},
      {yoshida(), 4, of_step(0.5), "all forces of a step are those of the time in the middle of the step"},
      {verlet, 2, late(1), "the clock is a step ahead"},
      {verlet, 2, late(0.5), "the clock is half a step ahead"},
      {verlet, 2, late(-0.5), "the clock is half a step behind"},
      {remembering, 2, late(-1), "the clock is a step behind"},
      {built_in_runge_kutta_4(), 4, of_step(0), "all forces of a step are those of the time with which a step begins"},
      {built_in_runge_kutta_4(), 4, [](const Asked& at) { return at.begin + at.share * at.share * at.h; },
       "forces of a step from t on are those of t + 0 h, 0.25 h, 0.25 h, 1 h, due at t + 0 h, 0.5 h, 0.5 h, 1 h"},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h * (1 + at.begin - at.start); },
       "the clock does not go evenly"},
      {verlet, 2, [](const Asked& at) { return at.start + (at.made + at.share) * at.h; },
       "the clock is the number of steps times the size of the last one"},
      {verlet, 2, with_six_digits, "times come with 6 digits"},
      {verlet, 2, [](const Asked& at) { return static_cast<double>(static_cast<float>(at.begin + at.share * at.h)); },
       "times pass through single precision"},
      {verlet, 2, [](const Asked& at) { return -(at.begin + at.share * at.h); }, "forces are those of the time -t"},
      {yoshida(), 4, [](const Asked& at) { return -(at.begin + at.share * at.h); }, "forces are those of the time -t"},
      {remembering, 2, [](const Asked& at) { return 2 * (at.begin + at.share * at.h); },
       "forces are those of the time 2 t"},
      {built_in_runge_kutta_4(), 4, [](const Asked& at) { return at.begin + at.share * at.h + 1; },
       "forces are those of the time t + 1"},
      {verlet, 2, [](const Asked& at) { return 0.25 - 1.5 * (at.begin + at.share * at.h); },
       "forces are those of the time -1.5 t + 0.25"},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h - 1e-4; },
       "forces are those of the time t - 0.0001"},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + 1e6; },
       "forces are those of the time t + 1000000"},
      {verlet, 2, [](const Asked&) { return -3; }, "the clock stands still: all forces are those of the time -3"},
      // With every force at its time it is not of its order either, or as it stands it is.
      {built_in_lopsided_verlet(), 2, [](const Asked& at) { return -(at.begin + at.share * at.h); }, ""},
      // Not so in all steps, from all starts, forwards and backwards, or in steps of all sizes.
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.made > 1 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.made > 1 ? 1.5 : 0.5); }, ""},
      {verlet, 2, [](const Asked& at) { return std::abs(at.begin + at.share * at.h); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.start > 0 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.h > 0 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (std::abs(at.h) > 0.4 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return (1 + at.h) * (at.begin + at.share * at.h); }, ""},
      // Times of few digits that have lost none.
      {verlet, 2, [](const Asked& at) { return at.made + 1; }, ""},
      // A law of one start is none of the other.
      {verlet, 2, [](const Asked& at) { return at.begin + (at.start > 0 ? 0 : at.share) * at.h; }, ""},
      // Wrong by what does not go with h: no law of one step is one of the other.
      {verlet, 2,
       [](const Asked& at) { return std::ldexp(std::floor(std::ldexp(at.begin + at.share * at.h, 10)), -10); }, ""},
      // Right, or right enough for its order: forces of the middle are of order two, and of any time of the step of order one.
      {verlet, 2, late(0), ""},
      {yoshida(), 4, late(0), ""},
      {built_in_runge_kutta_4(), 4, late(0), ""},
      {verlet, 2, of_step(0.5), ""},
      {built_in_symplectic_euler(), 1, of_step(1), ""},
      // With every force at its time it is not of its order either.
      {built_in_lopsided_verlet(), 2, of_the_start, ""},
      {verlet, 4, of_step(0.5), ""}};
  for (const auto& [method, order, other, sentence] : all) {
    OtherTimes subject(method, declaring(ProblemKind::timed, order), other);
    EXPECT_EQ(mistake_of_clock(subject, 1),
              sentence.empty() ? "" : sentence + "; with every force at its time the order is " + std::to_string(order))
        << method.name;
  }
  // Times of the middle are harmless: what is named is the clock.
  const auto middle_of = [](const auto& begin) {
    return [=](const Asked& at) { return begin(at) + (at.h < 0 ? -0.5 : 0.5) * std::abs(at.h); };
  };
  const std::vector<std::pair<OtherTime, std::string>> of_middles{
      {[](const Asked& at) { return -(at.begin + at.h / 2); }, "forces are those of the time -t"},
      {[](const Asked& at) { return at.start + std::abs(at.begin - at.start) + std::abs(at.h) / 2; },
       "in steps back the clock goes forwards, as by abs(h)"},
      {[](const Asked& at) { return at.start + (at.made + 0.5) * at.h; },
       "the clock is the number of steps times the size of the last one"},
      {middle_of([](const Asked& at) { return at.begin - at.start; }),
       "the time of a start is not read: the clock begins at zero"},
      {[](const Asked& at) { return static_cast<double>(static_cast<float>(at.begin + at.h / 2)); },
       "times pass through single precision"}};
  for (const auto& [other, sentence] : of_middles) {
    OtherTimes subject(verlet, declaring(ProblemKind::timed), other);
    EXPECT_EQ(mistake_of_clock(subject, 1), sentence + "; with steps that begin at their time the order is 2");
  }
  OtherTimes fast(verlet, declaring(ProblemKind::timed),
                  [](const Asked& at) { return at.begin + 1e-4 * (at.begin - at.start) + 1.0001 * at.share * at.h; });
  EXPECT_EQ(mistake_of_clock(fast, 1),
            "the clock goes on by 1.0001 h in a step of h; with every force at its time the order is 2");
  // A judgement says it, of a method that takes other kinds, too; of one that is not refuted it is not asked.
  ForeignDeclaration declares = declaring(ProblemKind::mechanical);
  declares.kinds.push_back(ProblemKind::timed);
  OtherTimes subject(verlet, declares, of_the_start);
  EXPECT_EQ(said_of(subject, "forces of time"), still + "; with every force at its time the order is 2\n");
  EXPECT_TRUE(diagnose(subject, with_row(declares, "forces of time", Verdict::confirmed)).empty());
}

TEST(SeparableDiagnosis, says_that_coefficients_are_none) {
  using Vector = EulerForSeparable::Vector;
  // A velocity of a momentum that is 1e-6 too large is not 1 + 1e-6 times too large.
  EulerForSeparable moved([](Forces<double>& forces, const Vector& q, const Vector& p) {
    Vector other = p, force = forces.gradient(0, q);
    for (double& x : other) x += 1e-6;
    for (double& x : force) x = -x;
    return std::pair(forces.velocity(other), force);
  });
  EXPECT_EQ(said_of(moved),
            "its steps have no constant coefficients: in one of 1 from the momentum 1 and one of 1/2 from 1/2 a free "
            "particle advances by 1.000001 and 1.000002 times h p, and kicks sum to 1 and 1\n");
}

TEST(SeparableDiagnosis, names_mistaken_equations_of_any_method) {
  using Vector = EulerForSeparable::Vector;
  const auto times = [](double factor, Vector x) {
    for (double& entry : x) entry *= factor;
    return x;
  };
  const auto right = [=](double of_q, double of_p) {
    return [=](Forces<double>& forces, const Vector& q, const Vector& p) {
      return std::pair(times(of_q, forces.velocity(p)), times(of_p, forces.gradient(0, q)));
    };
  };
  const std::string exchanged = "kinetic and potential energy are exchanged: ";
  const std::vector<std::pair<std::string, EulerForSeparable::Rates>> all{
      {"", right(1, -1)},
      {"the sign of the force is turned round", right(1, 1)},
      {"positions go against dT/dp: its sign is turned round", right(-1, -1)},
      {"positions move with 0.25 times dT/dp", right(0.25, -1)},
      {"momenta get 2 times the force", right(1, -2)},
      {"the momentum is taken for dT/dp",
       [=](Forces<double>& forces, const Vector& q, const Vector& p) {
         return std::pair(p, times(-1, forces.gradient(0, q)));
       }},
      {exchanged + "dV/dq moves positions, dT/dp momenta",
       [=](Forces<double>& forces, const Vector& q, const Vector& p) {
         return std::pair(times(-1, forces.gradient(0, q)), forces.velocity(p));
       }},
      {exchanged + "dV/dq is taken at momenta, dT/dp at positions",
       [=](Forces<double>& forces, const Vector& q, const Vector& p) {
         return std::pair(forces.gradient(0, p), times(-1, forces.velocity(q)));
       }},
      {"dT/dp is taken at positions",
       [=](Forces<double>& forces, const Vector& q, const Vector&) {
         return std::pair(forces.velocity(q), times(-1, forces.gradient(0, q)));
       }},
      {"dV/dq is taken at momenta", [=](Forces<double>& forces, const Vector&, const Vector& p) {
         return std::pair(forces.velocity(p), times(-1, forces.gradient(0, p)));
       }}};
  for (const auto& [sentence, rates] : all) {
    EulerForSeparable subject(rates);
    EXPECT_EQ(said_of(subject), sentence.empty() ? "" : sentence + "\n");
  }
}

TEST(SeparableDiagnosis, names_mistaken_steps_and_none_of_right_ones) {
  using What = StepPart::What;
  const auto said = [](const BuiltInMethod& method, int order = 2, bool is_symmetric = true) {
    ForeignDeclaration declaration = declaring(ProblemKind::separable, order);
    declaration.symmetric = is_symmetric;
    Declaring subject(method, declaration);
    return said_of(subject);
  };
  const auto parts = [](std::vector<StepPart> of_step) {
    return BuiltInMethod{.name = "x", .parts = std::move(of_step)};
  };
  const std::string steps = "its steps are those of ";
  const StepPart half_kick{What::kick, 1, 2}, half_drift{What::drift, 1, 2};
  const std::vector<std::pair<BuiltInMethod, std::string>> all{
      {built_in_symplectic_euler(), "symplectic Euler, kick first: there is no half step"},
      {parts({half_kick, {What::drift, 1}}), "Verlet whose second half kick is missing"},
      {parts({{What::drift, 1}, half_kick}), "Verlet whose first half kick is missing"},
      {parts({half_drift, {What::kick, 1}}), "position Verlet whose second half drift is missing"},
      {parts({{What::kick, 1}, half_drift}), "position Verlet whose first half drift is missing"},
      {parts({{What::kick, 0}, {What::drift, 1}, {What::kick_with_first_force, 1, 2}, half_kick}),
       "Verlet whose position moves with the old momentum: the term h^2/2 of the force is missing"},
      {parts({half_drift, {What::kick, 1}, {What::drift_with_first_velocity, 1, 2}}),
       "position Verlet whose second half drift uses the velocity of the old momentum"}};
  for (const auto& [method, sentence] : all) EXPECT_EQ(said(method), steps + sentence + "\n");
  EXPECT_EQ(said(built_in_verlet(BuiltInFlaw::absolute_step)),
            "a step of -h is one of h: the sign of the step is lost, as by abs(h)\n");
  EXPECT_EQ(said(built_in_splitting("x", livi::test::drifts, livi::test::kicks, true), 4),
            "its coefficients are of order 4 only where T is quadratic\n");
  // The third order of Ruth (1983), and with the wrong flow first; of any T and V that is the same as the vectors exchanged.
  const auto ruth = [](bool kick_first) {
    return built_in_splitting("Ruth", {2.0 / 3, -2.0 / 3, 1}, {7.0 / 24, 3.0 / 4, -1.0 / 24}, kick_first);
  };
  EXPECT_EQ(said(ruth(false), 3, false),
            "the roles of its two coefficient vectors look exchanged: with them exchanged the order is 3\n");
  // What is declared symmetric is not made so by them.
  EXPECT_EQ(said(ruth(false), 3).find("exchanged"), std::string::npos);
  EXPECT_EQ(said(ruth(true), 3), "");
  for (const auto& [method, order] : std::vector<std::pair<BuiltInMethod, int>>{
           {built_in_verlet(), 2}, {yoshida(), 4}, {built_in_runge_kutta_4(), 4}, {built_in_symplectic_euler(), 1}})
    EXPECT_EQ(said(method, order), "") << method.name;
}

using foreign_detail::Nine;
using foreign_detail::Three;
using Rates = std::pair<Nine<double>, Three<double>>;
using Equations = std::function<Rates(const Nine<double>& inertia, const Nine<double>& r, const Three<double>& mu,
                                      const Three<double>& w, const Three<double>& torque)>;

/// Explicit Euler steps of equations in the nine numbers and mu, right or not.
class EulerForBodies final : public ForeignSubject {
 public:
  explicit EulerForBodies(Equations equations)
      : equations_(std::move(equations)), declaration_(declaring(ProblemKind::body)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<EulerForBodies>(equations_);
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(equations_, forces);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    Run(const Equations& equations, Forces<double>& forces) : equations_(equations), forces_(forces) {}
    void start(const TimedPoint<double>& z) override { z_ = z; }
    void step(const double& h, long count) override {
      using foreign_detail::sum;
      for (long k = 0; k < count; ++k) {
        const auto r = foreign_detail::taken<Nine<double>>(z_.q);
        const auto mu = foreign_detail::taken<Three<double>>(z_.p);
        const auto [of_r, of_mu] = equations_(foreign_detail::taken<Nine<double>>(forces_.problem().masses), r, mu,
                                              foreign_detail::taken<Three<double>>(forces_.velocity(z_.p)),
                                              foreign_detail::taken<Three<double>>(forces_.torque(z_.q)));
        z_ = {z_.t + h, foreign_detail::listed(sum(r, h, of_r)), foreign_detail::listed(sum(mu, h, of_mu))};
      }
    }
    TimedPoint<double> point() override { return z_; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw ForeignRefusal(text); }

   private:
    const Equations& equations_;
    Forces<double>& forces_;
    TimedPoint<double> z_;
  };

  Equations equations_;
  ForeignDeclaration declaration_;
};

TEST(BodyDiagnosis, names_mistaken_equations_of_any_method) {
  using namespace foreign_detail;
  using Matrix = Nine<double>;
  using Vector = Three<double>;
  const auto turning = [](const Matrix& r, const Vector& w) { return product(r, hat(w)); };
  const auto with_torque = [&](const std::function<Vector(const Matrix&, const Vector&)>& mistaken) {
    return [=](const Matrix&, const Matrix& r, const Vector& mu, const Vector& w, const Vector& tau) {
      return Rates{turning(r, w), sum(cross(mu, w), 1.0, mistaken(r, tau))};
    };
  };
  const auto with_velocity = [&](const std::function<Vector(const Matrix&, const Vector&)>& mistaken) {
    return [=](const Matrix& inertia, const Matrix& r, const Vector& mu, const Vector&, const Vector& tau) {
      const Vector w = mistaken(inertia, mu);
      return Rates{turning(r, w), sum(cross(mu, w), 1.0, tau)};
    };
  };
  const auto with_turn = [](const std::function<Matrix(const Matrix&, const Vector&)>& mistaken) {
    return [=](const Matrix&, const Matrix& r, const Vector& mu, const Vector& w, const Vector& tau) {
      return Rates{mistaken(r, w), sum(cross(mu, w), 1.0, tau)};
    };
  };
  const std::vector<std::pair<const char*, Equations>> all{
      {"taken for ones in the axes of space",
       with_torque([](const Matrix& r, const Vector& tau) { return times(transposed(r), tau); })},
      {"torques are turned into the axes of space",
       with_torque([](const Matrix& r, const Vector& tau) { return times(r, tau); })},
      {"the sign of the torque", with_torque([](const Matrix&, const Vector& tau) { return sum(tau, -2.0, tau); })},
      {"the momentum gets no torque", with_torque([](const Matrix&, const Vector&) { return Vector{}; })},
      {"the momentum gets 2 times the torque",
       with_torque([](const Matrix&, const Vector& tau) { return sum(tau, 1.0, tau); })},
      {"the momentum gets 0.5 times the torque",
       with_torque([](const Matrix&, const Vector& tau) { return sum(tau, -0.5, tau); })},
      {"mu x W is missing",
       [=](const Matrix&, const Matrix& r, const Vector&, const Vector& w, const Vector& tau) {
         return Rates{turning(r, w), tau};
       }},
      {"W x mu for mu x W",
       [=](const Matrix&, const Matrix& r, const Vector& mu, const Vector& w, const Vector& tau) {
         return Rates{turning(r, w), sum(tau, 1.0, cross(w, mu))};
       }},
      {"the angular velocity is taken for one in the axes of space",
       with_turn([](const Matrix& r, const Vector& w) { return product(hat(w), r); })},
      {"R' = -R hat(W)", with_turn([](const Matrix& r, const Vector& w) { return product(r, transposed(hat(w))); })},
      {"by columns",
       with_turn([](const Matrix& r, const Vector& w) { return transposed(product(transposed(r), hat(w))); })},
      {"the momentum is taken for one in the axes of space",
       [=](const Matrix& inertia, const Matrix& r, const Vector& mu, const Vector&, const Vector& tau) {
         return Rates{turning(r, solved(inertia, times(transposed(r), mu))), times(r, tau)};
       }},
      {"taken for the angular velocity", with_velocity([](const Matrix&, const Vector& mu) { return mu; })},
      {"turn 1.5 times as fast",
       with_velocity([](const Matrix& inertia, const Vector& mu) { return sum(Vector{}, 1.5, solved(inertia, mu)); })},
      {"the sign of W is turned round",
       with_velocity([](const Matrix& inertia, const Vector& mu) { return sum(Vector{}, -1.0, solved(inertia, mu)); })},
      {"W = I mu", with_velocity([](const Matrix& inertia, const Vector& mu) { return times(inertia, mu); })},
      // Right equations, and turns that are none.
      {"up to order 1, which leaves SO(3)", with_torque([](const Matrix&, const Vector& tau) { return tau; })}};
  for (const auto& [part, equations] : all) {
    EulerForBodies subject(equations);
    const std::string said = said_of(subject);
    expect_part(said, part, "Euler");
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  }
}

TEST(BodyDiagnosis, names_mistaken_steps_and_none_of_right_ones) {
  using enum BodyFlaw;
  const auto said = [](BodyFlaw flaw, BodyRule rule = BodyRule::splitting) {
    Declaring subject(body_of(flaw, rule), declaring(ProblemKind::body));
    return said_of(subject);
  };
  expect_part(said(old_torque), "torques are taken at the attitude with which a step begins", "old torque");
  expect_part(said(off_the_group), "the terms of exp(hat(x)) up to order 2", "off the group");
  expect_part(said(without_products, BodyRule::lie_verlet), "only the diagonal of the inertia", "Lie-Verlet");
  expect_part(said(as_if_symmetric), "the second moment of inertia is taken for the first", "as if symmetric");
  expect_part(said(torque_of_space, BodyRule::runge_kutta), "taken for ones in the axes of space", "Runge-Kutta");
  Declaring short_of_terms(body_of(without_quadratic, BodyRule::lie_verlet), declaring(ProblemKind::body));
  EXPECT_EQ(said_of(short_of_terms, "symplectic"), "its step is that of Lie-Verlet without its quadratic terms\n");
  // What it does wrong explains no other row, and one torque is right where the order is one.
  EXPECT_EQ(said_of(short_of_terms, "order of q"), "");
  Declaring one_torque(body_of(kicks_at_start), declaring(ProblemKind::body, 1));
  EXPECT_EQ(said_of(one_torque), "");
  expect_part(said(absolute_step), "the sign of the step is lost", "absolute step");
  Declaring halves({.name = "x", .body = BodySteps{{0.5}}}, declaring(ProblemKind::body));
  expect_part(said_of(halves), "a step of h goes as far as the motion does in 0.5 h", "steps of h/2");
  for (const BodyRule rule : {BodyRule::splitting, BodyRule::lie_verlet, BodyRule::runge_kutta})
    for (const BodyFlaw flaw : {none, strong_torque, pushes}) EXPECT_EQ(said(flaw, rule), "");
  // A method that is not refuted is not asked.
  Declaring subject(body_of(old_torque), declaring(ProblemKind::body));
  EXPECT_TRUE(diagnose(subject, with_row(subject.declares(), "order of q", Verdict::confirmed)).empty());
}

}  // namespace judge_mistakes_test
