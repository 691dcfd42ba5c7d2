// SPDX-License-Identifier: MIT
//
// Mutants of the steps at drawn places: run_mutant.
#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_methods.cpp>
#include <livi/judge/controls/constrained_methods.cpp>
#include <livi/judge/controls/rigid_body_methods.cpp>
#include <livi/judge/hints/reproduction.cpp>
#include <livi/judge/measures/closed_curves.cpp>
#include <livi/judge/measures/constrained_problems.cpp>
#include <livi/judge/measures/measured_dependence.cpp>
#include <livi/judge/measures/measured_motions.cpp>
#include <livi/judge/measures/measured_symplecticity.cpp>
#include <livi/judge/measures/measurements.cpp>
#include <livi/judge/measures/rigid_bodies.cpp>
#include <livi/judge/measures/rigid_body_problems.cpp>
#include <livi/judge/method/foreign_subject.cpp>
#include <livi/judge/problems/attitude.hpp>
#include <livi/judge/problems/exact_motion.cpp>
#include <livi/judge/problems/judged_problem.cpp>
#include <livi/judge/problems/judged_problems.cpp>
#include <livi/judge/problems/number_text.cpp>
#include <livi/judge/rows/row_table.cpp>
#include <livi/judge/tests/drawn_cases.cpp>
#include <livi/judge/tests/drawn_evidence.cpp>
#include <livi/judge/tests/drawn_search.cpp>
#include <livi/judge/tests/drawn_steps.cpp>

#include <limits>

#include "verification/judge/wrong_places.hpp"

// Steps of methods that choose them: foreign_adaptive_judge.cpp.
livi::JudgedProblem livi::below_zero(const JudgedProblem& problem) { return problem; }
livi::JudgedProblem livi::for_adaptive_steps(ForeignSubject&, const JudgedProblem& problem, ProblemKind) {
  return problem;
}
// No method here is behind a pipe.
std::string livi::foreign_detail::written_session(const ForeignSubject&, const JudgedProblem&,
                                                  const std::function<void(ForeignRun<double>&)>&,
                                                  const std::vector<double>&) {
  return "";
}

namespace {

using namespace livi;

double worst(const WrongPlace& place, double share = 1, std::uint64_t seed = 1) {
  WrongSomewhere subject(place);
  return drawn_steps(subject, place.kind, seed, share).value;
}
double local_error(const WrongPlace& place) {
  WrongSomewhere subject(place);
  return DrawnSteps(subject, place.kind, 1).local_error().value;
}

TEST(DrawnSteps, of_right_methods_are_those_of_each_body_alone) {
  for (const WrongPlace& right : right_methods()) {
    EXPECT_LT(worst(right, 0.5), 0.125) << right.name;
    EXPECT_LT(local_error(right), 0.5) << right.name;
  }
}
TEST(DrawnSteps, of_methods_that_are_wrong_in_one_place_are_named) {
  for (const WrongPlace& place : wrong_places())
    if (place.kind == ProblemKind::mechanical || place.kind == ProblemKind::body)
      EXPECT_GT(std::max({worst(place), worst(place, 1, 2), worst(place, 1, 3), local_error(place)}), 1)
          << kind_name(place.kind) << ", " << place.name;
}
TEST(DrawnSteps, of_methods_that_are_wrong_in_most_places_are_named) {
  for (const WrongPlace& place : wrong_in_most_places())
    EXPECT_TRUE(worst(place) > 1 || local_error(place) > 1) << kind_name(place.kind) << ", " << place.name;
}
TEST(DrawnSteps, of_positions_or_momenta_alone_are_compared) {
  // Drifts and kicks that are wrong for many bodies.
  for (const bool of_q : {true, false}) {
    BuiltInMethod wrong = built_in_splitting("x", {of_q ? 1.25 : 1}, {0.5, of_q ? 0.5 : 0.75}, true);
    const auto subject = built_in_subject(wrong);
    EXPECT_GT(DrawnSteps(*subject, ProblemKind::mechanical, 1).local_error().value, 1) << of_q;
  }
}
TEST(DrawnSteps, that_are_wrong_are_made_smaller) {
  WrongSomewhere subject(
      {ProblemKind::mechanical, "n = 14", Mistake::still, [](const StepPlace& at) { return at.n == 14; }});
  Hunt hunt;
  long asked = 0;
  hunt_for_wrong_steps(
      subject, 1, [&] { return ++asked < 20000; }, hunt);
  EXPECT_EQ(hunt.found.at("drawn steps, mechanical").size[0], 14U);
  EXPECT_NE(hunt.found.at("drawn steps, mechanical").reproducer.words.find("t = 0"), std::string::npos);
}

/// Verlet, whose first position and momentum are others after a step of more than `most` coordinates.
class Spoilt final : public ForeignSubject {
 public:
  Spoilt(double of_q, double of_p, std::size_t most = 4) : of_q_(of_q), of_p_(of_p), most_(most) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return verlet_->declares(); }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Spoilt>(of_q_, of_p_, most_);
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(verlet_->in_double(forces), of_q_, of_p_, most_);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    Run(std::unique_ptr<ForeignRun<double>> verlet, double of_q, double of_p, std::size_t most)
        : verlet_(std::move(verlet)), of_q_(of_q), of_p_(of_p), most_(most) {}
    void start(const TimedPoint<double>& z) override { verlet_->start(z); }
    void step(const double& h, long count) override { verlet_->step(h, count); }
    TimedPoint<double> point() override {
      TimedPoint<double> z = verlet_->point();
      if (z.q.size() > most_) z.q[0] *= of_q_, z.p[0] *= of_p_;
      return z;
    }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw ForeignRefusal(text); }

   private:
    std::unique_ptr<ForeignRun<double>> verlet_;
    double of_q_, of_p_;
    std::size_t most_;
  };
  double of_q_, of_p_;
  std::size_t most_;
  std::unique_ptr<ForeignSubject> verlet_ = built_in_subject(built_in_verlet());
};
double worst(Spoilt subject) { return drawn_steps(subject, ProblemKind::mechanical, 1, 1).value; }

TEST(DrawnSteps, are_compared_by_position_and_by_momentum) {
  EXPECT_LT(worst({1, 1}), 0.125);
  EXPECT_GT(worst({1.01, 1}), 1);
  EXPECT_GT(worst({1, 1.01}), 1);
}
TEST(DrawnSteps, that_are_no_numbers_are_no_verdict) {
  for (const std::size_t most : {4U, 60U}) EXPECT_TRUE(std::isnan(worst({not_a_number, 1, most}))) << most;
  class Nowhere final : public ForeignRun<double> {
   public:
    explicit Nowhere(double end) : end_(end) {}
    void start(const TimedPoint<double>& z) override { z_ = z; }
    void step(const double&, long) override { z_.q[0] = end_; }
    TimedPoint<double> point() override { return z_; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw ForeignRefusal(text); }

   private:
    double end_;
    TimedPoint<double> z_;
  };
  class Subject final : public ForeignSubject {
   public:
    explicit Subject(double end) : end_(end) {}
    [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
    [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<Subject>(end_); }
    std::unique_ptr<ForeignRun<double>> in_double(Forces<double>&) override { return std::make_unique<Nowhere>(end_); }

   private:
    double end_;
    ForeignDeclaration declaration_{.name = "x"};
  };
  for (const double end : {not_a_number, std::numeric_limits<double>::infinity()}) {
    Subject subject(end);
    EXPECT_TRUE(std::isnan(drawn_steps(subject, ProblemKind::mechanical, 1, 1).value)) << end;
    EXPECT_TRUE(std::isnan(DrawnSteps(subject, ProblemKind::mechanical, 1).local_error().value)) << end;
  }
}

}  // namespace
