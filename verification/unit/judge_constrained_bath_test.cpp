// SPDX-License-Identifier: MIT
//
// Methods for constrained systems in a heat bath before the judge: which flaw is seen by which measure, and that an honest method is
// cleared by all rows.
#include <gtest/gtest.h>
#include <livi/claims/heat_bath_measures.hpp>
#include <livi/foreign/built_in_methods.hpp>
#include <livi/foreign/constrained_bath.hpp>
#include <livi/foreign/constrained_methods.hpp>
#include <livi/foreign/hello.hpp>
#include <livi/foreign/judgement.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <set>

using namespace livi;
using namespace livi::battery_detail;

namespace {

enum class Flaw {
  none,
  friction_per_constraint,
  not_projected,
  across_as_declared,  ///< not projected either, and does not declare `hidden`
  twice_as_hot,
  shared_noise,        ///< all bodies have the numbers of the first
  old_noise,           ///< all steps have the numbers of the first one after a start
  clipped,             ///< numbers beyond 2 are 2
  noise_when_cold,     ///< without friction momenta get 1e-14 of a number
  other_when_cold,     ///< without friction steps are 1e-9 longer
  numbers_of_its_own,  ///< numbers that are not those of the judge
  bath_of_order_one,   ///< p (1 - gamma h) + (2 gamma T h m)^(1/2) noise
  late,                ///< as none, and declares averages of order three
  many_numbers,        ///< asks for 50 numbers that it does not use
};

/// RATTLE, then a heat bath over h.
class Run final : public ForeignRun<double> {
 public:
  Run(Forces<double>& forces, Flaw flaw)
      : forces_(forces),
        flaw_(flaw),
        without_bath_(forces.problem()),
        inner_forces_((without_bath_.kind = ProblemKind::constrained, without_bath_)),
        rattle_(built_in_subject(built_in_rattle())),
        inner_(rattle_->in_double(inner_forces_)) {}
  void start(const TimedPoint<double>& z) override {
    inner_->start(z);
    first_.reset();
  }
  void step(const double& h, long count) override {
    for (long k = 0; k < count; ++k) {
      const bool is_other = flaw_ == Flaw::other_when_cold && forces_.problem().friction == 0;
      inner_->step(is_other ? h * (1 + 1e-9) : h, 1);
      TimedPoint<double> z = inner_->point();
      if (forces_.problem().kind == ProblemKind::constrained_langevin) heat(z, h);
      inner_->start(z);
    }
  }
  TimedPoint<double> point() override { return inner_->point(); }
  std::optional<std::string> save() override { return {}; }
  void restore(const std::string&) override {}

 private:
  void heat(TimedPoint<double>& z, double h) {
    const JudgedProblem& problem = forces_.problem();
    const std::size_t n = z.p.size();
    if (problem.friction == 0) {
      if (flaw_ == Flaw::noise_when_cold) z.p[0] += 1e-14 * forces_.noise(1)[0];
      return;
    }
    std::vector<double> xi;
    if (flaw_ != Flaw::numbers_of_its_own) xi = forces_.noise(n);
    if (flaw_ == Flaw::numbers_of_its_own)
      for (std::size_t i = 0; i < n; ++i) xi.push_back(std::sin(static_cast<double>(++made_)));
    if (flaw_ == Flaw::many_numbers) static_cast<void>(forces_.noise(50));
    if (flaw_ == Flaw::old_noise) xi = first_ ? *first_ : first_.emplace(xi);
    for (std::size_t i = 0; i < n; ++i) {
      if (flaw_ == Flaw::shared_noise) xi[i] = xi[i % 3];
      if (flaw_ == Flaw::clipped) xi[i] = std::max(-2.0, std::min(2.0, xi[i]));
    }
    const bool first_order = flaw_ == Flaw::bath_of_order_one;
    const double rate = problem.friction * h, heat = problem.temperature * (flaw_ == Flaw::twice_as_hot ? 2 : 1),
                 variance = heat * (first_order ? 2 * rate : -std::expm1(-2 * rate));
    double decay = first_order ? 1 - rate : std::exp(-rate);
    if (flaw_ == Flaw::friction_per_constraint)
      decay = std::pow(decay, static_cast<double>(problem.constraints.size()));
    for (std::size_t i = 0; i < n; ++i) xi[i] *= std::sqrt(variance * problem.masses[i]);
    if (flaw_ != Flaw::not_projected && flaw_ != Flaw::across_as_declared) project(z.q, xi);
    for (std::size_t i = 0; i < n; ++i) z.p[i] = decay * z.p[i] + xi[i];
  }
  void project(const std::vector<double>& q, std::vector<double>& p) const {
    Forces<double> uncounted(forces_.problem());
    const std::vector<double> rows = uncounted.constraint_jacobian(q), &m = forces_.problem().masses;
    const std::size_t n = q.size(), c = rows.size() / n;
    std::vector<double> a(c * c), b(c);
    for (std::size_t i = 0; i < c; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        b[i] += rows[i * n + k] * p[k] / m[k];
        for (std::size_t j = 0; j < c; ++j) a[i * c + j] += rows[i * n + k] * rows[j * n + k] / m[k];
      }
    foreign_detail::solve_in_place(a, b);
    for (std::size_t i = 0; i < c; ++i)
      for (std::size_t k = 0; k < n; ++k) p[k] -= rows[i * n + k] * b[i];
  }

  Forces<double>& forces_;
  Flaw flaw_;
  JudgedProblem without_bath_;
  Forces<double> inner_forces_;
  std::unique_ptr<ForeignSubject> rattle_;
  std::unique_ptr<ForeignRun<double>> inner_;
  std::optional<std::vector<double>> first_;
  static inline long made_ = 0;
};

class Method final : public ForeignSubject {
 public:
  explicit Method(Flaw flaw) : flaw_(flaw), rattle_(built_in_subject(built_in_rattle())) {
    declaration_.name = "a bath around RATTLE";
    declaration_.kinds = {ProblemKind::constrained, ProblemKind::constrained_langevin};
    declaration_.order = 2;
    if (flaw != Flaw::across_as_declared) declaration_.hidden = true;
    declaration_.sampling = flaw == Flaw::late ? 3 : 2;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    if (forces.problem().kind == ProblemKind::constrained) return rattle_->in_double(forces);
    return std::make_unique<Run>(forces, flaw_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<Method>(flaw_); }

 private:
  Flaw flaw_;
  std::unique_ptr<ForeignSubject> rattle_;
  ForeignDeclaration declaration_;
};

using Tests = std::set<std::string>;

/// Returns the rows of the bath with a verdict.
Tests rows_with(Flaw flaw, Verdict verdict) {
  static std::map<Flaw, Judgement> judged;
  if (!judged.contains(flaw)) {
    Method method(flaw);
    judged.emplace(flaw, judge(method, {.drawn = 0, .quick = true, .slow = true}));
  }
  static const Tests others{"without friction", "noise without friction", "sampling of q and p"};
  Tests tests;
  int seen = 0;
  for (const JudgementRow& row : judged.at(flaw).rows) {
    if (row.test.find("in the bath") == std::string::npos && !others.contains(row.test)) continue;
    ++seen;
    EXPECT_NE(row.claim.verdict, Verdict::broken_control) << row.test << ": " << row.claim.note;
    if (row.claim.verdict == verdict) tests.insert(row.test);
  }
  EXPECT_EQ(seen, flaw == Flaw::across_as_declared ? 9 : 10);
  return tests;
}
Tests refuted(Flaw flaw) { return rows_with(flaw, Verdict::refuted); }

TEST(ConstrainedBath, clears_honest_methods) {
  EXPECT_EQ(rows_with(Flaw::none, Verdict::confirmed).size(), 10U);
  EXPECT_EQ(rows_with(Flaw::across_as_declared, Verdict::confirmed).size(), 9U);
}

TEST(ConstrainedBath, refutes_each_flaw_by_the_rows_that_it_belongs_to) {
  const std::string friction = "friction in the bath", noise = "noise in the bath", fresh = "fresh noise in the bath",
                    sampling = "sampling of q and p";
  EXPECT_EQ(refuted(Flaw::friction_per_constraint), (Tests{friction, sampling}));
  EXPECT_EQ(refuted(Flaw::not_projected), (Tests{"hidden constraint in the bath"}));
  EXPECT_EQ(refuted(Flaw::twice_as_hot), (Tests{noise, fresh, sampling}));
  EXPECT_EQ(refuted(Flaw::shared_noise), (Tests{noise, fresh, sampling}));
  EXPECT_EQ(refuted(Flaw::old_noise), (Tests{fresh}));
  EXPECT_EQ(refuted(Flaw::clipped), (Tests{"linear noise in the bath"}));
  EXPECT_EQ(refuted(Flaw::noise_when_cold), (Tests{"noise without friction"}));
  EXPECT_EQ(refuted(Flaw::other_when_cold), (Tests{"without friction"}));
  EXPECT_EQ(refuted(Flaw::bath_of_order_one), (Tests{sampling}));
  EXPECT_TRUE(refuted(Flaw::numbers_of_its_own).contains("repetition in the bath"));
}
TEST(ConstrainedBath, does_not_decide_what_its_rule_does_not_tell) {
  EXPECT_EQ(rows_with(Flaw::late, Verdict::undecided), Tests{"sampling of q and p"});
  EXPECT_EQ(rows_with(Flaw::many_numbers, Verdict::undecided), Tests{"sampling of q and p"});
}

TEST(ConstrainedBath, is_declared_beside_the_kind_constrained) {
  const ForeignDeclaration bath =
      parse_hello("livi 1 kinds=constrained,constrained_langevin sampling=2 hidden=yes").declaration;
  EXPECT_TRUE(bath.takes(ProblemKind::constrained_langevin));
  EXPECT_EQ(bath.sampling, 2);
  for (const char* line :
       {"livi 1 kinds=constrained_langevin", "livi 1 kinds=mechanical,constrained_langevin",
        "livi 1 kinds=constrained sampling=2", "livi 1 kinds=constrained,constrained_langevin numbers=rational"})
    EXPECT_THROW(parse_hello(line), ForeignFailure) << line;
}

}  // namespace
