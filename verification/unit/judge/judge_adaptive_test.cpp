// SPDX-License-Identifier: MIT
//
// The rows of the judge for methods that choose their steps in time: which flaw is refuted by which rows, that honest
// methods are cleared, what cannot be judged, and what passes through the protocol.
#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_adaptive.hpp>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/measures/adaptive_steps.hpp>
#include <livi/judge/tests/drawn_steps.hpp>

#include <cmath>
#include <set>

#include "verification/judge/declaring.hpp"

namespace judge_adaptive_test {

using namespace livi;

using enum AdaptiveRule;
using enum AdaptiveFlaw;
using Tests = std::set<std::string>;

using Declaring = DeclaringMethod<BuiltInAdaptiveMethod>;

/// What the rule's method has when it is right.
ForeignDeclaration right_declaration(AdaptiveRule rule) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {ProblemKind::adaptive};
  declaration.order = 2;
  declaration.symmetric = declaration.angular_momentum = true;
  // The Hamiltonian method pushes by the gradient of a density round a centre.
  declaration.linear_momentum = rule != hamiltonian;
  declaration.gradients = 2;
  declaration.memory = rule != reversible;
  if (rule == hamiltonian) {
    declaration.kinds.push_back(ProblemKind::extended);
    declaration.symplectic = true;
  }
  return declaration;
}

Tests rows_with(Verdict verdict, const BuiltInAdaptiveMethod& method, const ForeignDeclaration& declaration) {
  Declaring subject(method, declaration);
  Tests tests;
  for (const JudgementRow& row : judge(subject, {.drawn = 1}).rows) {
    EXPECT_NE(row.claim.verdict, Verdict::broken_control) << row.test << ": " << row.claim.note;
    if (row.claim.verdict == verdict) tests.insert(row.test);
  }
  return tests;
}
Tests refuted(AdaptiveFlaw flaw, AdaptiveRule rule = reversible) {
  return rows_with(Verdict::refuted, {rule, flaw}, right_declaration(rule));
}

TEST(AdaptiveJudgement, clears_honest_methods) {
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian}) {
    const ForeignDeclaration declaration = right_declaration(rule);
    // Five of the 30 rows may not apply: four without an energy, late steps of a method with memory.
    const std::size_t rows = 30U - 4U * (rule != hamiltonian) - (rule != reversible);
    EXPECT_EQ(rows_with(Verdict::confirmed, {rule}, declaration).size(), rows) << BuiltInAdaptiveMethod{rule}.name();
    EXPECT_EQ(rows_with(Verdict::refuted, {rule}, declaration), Tests{}) << BuiltInAdaptiveMethod{rule}.name();
    EXPECT_EQ(rows_with(Verdict::undecided, {rule}, declaration), Tests{}) << BuiltInAdaptiveMethod{rule}.name();
  }
}

TEST(AdaptiveJudgement, holds_no_density_against_a_method_that_is_not_even_in_momenta) {
  EXPECT_EQ(refuted(odd_start, integrated), Tests{});
  const ForeignDeclaration declaration = right_declaration(integrated);
  EXPECT_EQ(rows_with(Verdict::undecided, {integrated, odd_start}, declaration), Tests{});
  EXPECT_EQ(rows_with(Verdict::not_testable, {integrated, odd_start}, declaration).count("symmetric, both signs"), 1U);
}

TEST(AdaptiveJudgement, refutes_each_flaw_by_the_rows_that_it_belongs_to) {
  // The naive rule has the order that is declared, and the momenta: symmetry and the energy see it.
  EXPECT_EQ(refuted(old_density), (Tests{"symmetric", "symmetric, reach", "energy"}));
  EXPECT_EQ(refuted(old_clock), (Tests{"order of q", "order of p", "order, negative steps", "steps between",
                                       "symmetric", "symmetric, reach"}));
  EXPECT_EQ(refuted(fast_clock), (Tests{"clock"}));
  EXPECT_EQ(refuted(clock_backwards), (Tests{"time", "symmetric", "symmetric, reach", "memory", "later", "energy"}));
  EXPECT_TRUE(refuted(absolute_step).count("time"));
  EXPECT_EQ(refuted(constant_steps), (Tests{"range of steps"}));
  EXPECT_EQ(refuted(of_the_time), (Tests{"start of the clock", "symmetric", "symmetric, reach"}));
  EXPECT_EQ(refuted(forgets_in_saved), (Tests{"restart"}));
  EXPECT_EQ(refuted(asks_twice), (Tests{"gradients"}));
  EXPECT_EQ(refuted(fails_silently), (Tests{"no step"}));
  EXPECT_EQ(refuted(tires), (Tests{"later"}));
  for (const char* row : {"short steps", "local error"}) EXPECT_TRUE(refuted(fast_beyond_ten).count(row)) << row;
  EXPECT_TRUE(refuted(fast_in_between).count("steps between"));
  EXPECT_EQ(refuted(single_step), (Tests{"bits of h"}));
  EXPECT_EQ(refuted(fast_when_long), (Tests{"clock, h to 0"}));
  EXPECT_EQ(refuted(density_by_sign), (Tests{"bits of h", "symmetric, both signs", "energy"}));
  for (const char* row : {"repetition", "batch"}) EXPECT_TRUE(refuted(counts_steps).count(row)) << row;
  EXPECT_TRUE(refuted(remembers).count("history"));
  for (const char* row : {"linear momentum", "angular momentum"}) EXPECT_TRUE(refuted(pushes).count(row)) << row;
  // Reversible and of order two, and not symplectic; the energy of a regular motion does not see it.
  EXPECT_EQ(refuted(without_gradients, hamiltonian),
            (Tests{"symplectic", "symplectic, reach", "linear momentum", "memory"}));
  EXPECT_EQ(refuted(own_energy, hamiltonian), (Tests{"symplectic", "symplectic, reach", "symmetric", "symmetric, reach",
                                                     "extended", "memory", "energy"}));
  // Free motion is symplectic: loops alone do not see that it is another method.
  EXPECT_EQ(refuted(free_if_extended, hamiltonian), (Tests{"extended", "local error, extended"}));
}

TEST(AdaptiveJudgement, judges_symplecticity_where_it_is_defined_only) {
  ForeignDeclaration declaration = right_declaration(hamiltonian);
  declaration.kinds = {ProblemKind::adaptive};
  EXPECT_EQ(rows_with(Verdict::undecided, {hamiltonian}, declaration), (Tests{"symplectic"}));
  // What is declared not to hold must be seen to fail.
  declaration = right_declaration(hamiltonian);
  declaration.symplectic = false;
  EXPECT_EQ(rows_with(Verdict::refuted, {hamiltonian}, declaration), (Tests{"symplectic"}));
  declaration.linear_momentum = true;
  declaration.memory = false;
  EXPECT_EQ(rows_with(Verdict::refuted, {hamiltonian, without_gradients}, declaration), Tests{});
}

TEST(AdaptiveJudgement, refutes_an_odd_order_of_a_symmetric_method) {
  ForeignDeclaration declaration = right_declaration(reversible);
  declaration.order = 1;
  EXPECT_EQ(rows_with(Verdict::refuted, {reversible}, declaration),
            (Tests{"order of q", "order of p", "order, negative steps", "symmetric, order"}));
}

TEST(AdaptiveJudgement, says_what_is_wrong) {
  const auto note = [](AdaptiveFlaw flaw) {
    const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
    return reversal_in_time(*adaptive_subject({reversible, flaw}), problem).note;
  };
  EXPECT_NE(note(old_density).find("comes from the start alone"), std::string::npos) << note(old_density);
  for (const AdaptiveFlaw flaw : {none, of_the_time, counts_steps})
    EXPECT_EQ(note(flaw).find("comes from the start alone"), std::string::npos) << note(flaw);
}

/// Judges a flawed method; returns what is said of it, and its smallest case.
std::pair<std::vector<std::string>, Reproducer> looked_into(AdaptiveFlaw flaw, int order = 2) {
  ForeignDeclaration declaration = right_declaration(reversible);
  declaration.order = order;
  Declaring subject({reversible, flaw}, declaration);
  const Judgement judgement = judge(subject, {.drawn = 0, .quick = true});
  return {diagnose(subject, judgement), reproduce(subject, judgement)};
}
TEST(AdaptiveJudgement, looks_for_typical_mistakes_and_small_cases) {
  const auto says = [](AdaptiveFlaw flaw, const std::string& words) {
    const auto said = looked_into(flaw).first;
    return said.size() == 1 && said.front().find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(old_density, "as of a density at their start alone"));
  EXPECT_TRUE(says(fast_clock, "a free body moves for the time"));
  EXPECT_TRUE(says(absolute_step, "takes the size of h for h"));
  // A right method that declares too much is accused of nothing.
  EXPECT_TRUE(looked_into(none, 3).first.empty());
  EXPECT_TRUE(looked_into(none, 3).second.test.empty());
  const Reproducer naive = looked_into(old_density).second, backwards = looked_into(clock_backwards).second;
  EXPECT_EQ(naive.test, "symmetric");
  EXPECT_NE(naive.words.find("V = 0.5*q1^2 - 8, masses 1\nstart: t = 0, q = 1, p = 1"), std::string::npos)
      << naive.words;
  EXPECT_EQ(backwards.test, "time");
  EXPECT_NE(backwards.words.find("step 7, of h, leads from the time"), std::string::npos) << backwards.words;
}

/// Integrated steps whose time, or first momentum, is no number after a step.
class Numberless final : public ForeignRun<double> {
 public:
  Numberless(std::unique_ptr<ForeignRun<double>> run, bool time) : run_(std::move(run)), time_(time) {}
  void start(const TimedPoint<double>& z) override { run_->start(z); }
  void step(const double& h, long count) override { run_->step(h, count); }
  [[nodiscard]] TimedPoint<double> point() override {
    TimedPoint<double> z = run_->point();
    (time_ ? z.t : z.p[0]) = std::nan("");
    return z;
  }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  std::unique_ptr<ForeignRun<double>> run_;
  bool time_;
};
class NumberlessSubject final : public ForeignSubject {
 public:
  explicit NumberlessSubject(bool time) : time_(time) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return right_->declares(); }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Numberless>(right_->in_double(forces), time_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<NumberlessSubject>(time_);
  }

 private:
  std::unique_ptr<ForeignSubject> right_ = adaptive_subject({integrated});
  bool time_;
};
TEST(AdaptiveJudgement, never_takes_what_is_no_number_for_small) {
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  for (const bool time : {true, false}) {
    NumberlessSubject subject(time);
    EXPECT_TRUE(std::isnan(order_in_time(subject, problem, 1).q));
    EXPECT_NE(order_in_time(subject, problem, 1).why_undecided, "");
    // With memory: otherwise the method is begun where the time is no number, and refuses that.
    EXPECT_TRUE(std::isnan(reversal_in_time(subject, problem).value));
    EXPECT_TRUE(std::isnan(later_by_the_clock(subject, problem).value));
    EXPECT_TRUE(std::isnan(error_of_the_clock(subject).value));
    EXPECT_GT(energy_drift_in_time(subject).value, 1e300);
    EXPECT_TRUE(std::isnan(DrawnSteps(subject, ProblemKind::adaptive, 1).local_error().value));
    if (!time) continue;
    EXPECT_EQ(steps_against_time(subject, problem).value, 96);
    EXPECT_TRUE(std::isnan(range_of_steps(subject).value));
  }
}

// --- the protocol -----------------------------------------------------------------------------------------------------

/// Answers line by line what it is told to, and writes down what is sent.
class Script final : public LineChannel {
 public:
  explicit Script(std::vector<std::string> answers, std::vector<std::string>* sent)
      : answers_(std::move(answers)), sent_(sent) {}
  void send(const std::string& line) override { sent_->push_back(line); }
  std::string receive() override { return answers_.at(next_++); }
  void finish() override {}
  void end() noexcept override {}
  [[nodiscard]] std::unique_ptr<LineChannel> another() const override {
    return std::make_unique<Script>(answers_, sent_);
  }

 private:
  std::vector<std::string> answers_;
  std::size_t next_ = 0;
  std::vector<std::string>* sent_;
};

/// Makes one step of 1/2 on a problem of one degree of freedom; returns where it led, and what was sent.
TimedPoint<double> step_through(ProblemKind kind, const std::string& state, std::vector<std::string>& sent) {
  PipeSubject subject(
      std::make_unique<Script>(std::vector<std::string>{"livi 1 kinds=adaptive,extended", "ok", "ok", state}, &sent));
  JudgedProblem problem{.name = "one", .kind = kind, .masses = {2}, .potential = {}};
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  run->start({0.25, {1}, {-3}, 1.5});
  run->step(0.5, 1);
  return run->point();
}

TEST(AdaptiveProtocol, states_have_their_time_and_their_energy) {
  std::vector<std::string> sent;
  TimedPoint<double> z = step_through(ProblemKind::adaptive, "state 0.375 7 8", sent);
  EXPECT_EQ(z.t, 0.375);
  EXPECT_EQ(z.q, std::vector<double>{7});
  EXPECT_EQ(z.p, std::vector<double>{8});
  EXPECT_EQ(sent[1], "problem double adaptive 1 2");
  EXPECT_EQ(sent[2], "start 0.25 1 -3");
  sent.clear();
  z = step_through(ProblemKind::extended, "state 0.375 7 8 1.5", sent);
  EXPECT_EQ(z.t, 0.375);
  EXPECT_EQ(z.p, std::vector<double>{8});
  EXPECT_EQ(z.energy, 1.5);
  EXPECT_EQ(sent[1], "problem double extended 1 2");
  EXPECT_EQ(sent[2], "start 0.25 1 -3 1.5");
  for (const auto& [kind, state] : {std::pair(ProblemKind::adaptive, "state 7 8"),
                                    {ProblemKind::adaptive, "state 0.375 7 8 1.5"},
                                    {ProblemKind::extended, "state 0.375 7 8"}})
    EXPECT_THROW(step_through(kind, state, sent), ForeignFailure) << state;
}

TEST(AdaptiveProtocol, declarations_that_cannot_be_judged_are_refused) {
  EXPECT_TRUE(parse_hello("livi 1 kinds=adaptive").declaration.takes(ProblemKind::adaptive));
  EXPECT_TRUE(parse_hello("livi 1 kinds=extended,adaptive").declaration.takes(ProblemKind::extended));
  for (const char* line :
       {"livi 1 kinds=extended", "livi 1 kinds=adaptive,mechanical", "livi 1 kinds=mechanical,extended",
        "livi 1 kinds=adaptive,adaptive", "livi 1 kinds=adaptive numbers=rational",
        "livi 1 kinds=adaptive numbers=double,complex", "livi 1 kinds=adaptive stability=2"})
    EXPECT_THROW(parse_hello(line), ForeignFailure) << line;
}

}  // namespace judge_adaptive_test
