// SPDX-License-Identifier: MIT
//
// Methods of several steps, which declare a memory: their starting procedure is not held against the steps after it.
#include <gtest/gtest.h>
#include <livi/judge/doors/hello.hpp>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verification/judge/judgement_rows.hpp"

namespace judge_memory_test {

using namespace livi;
using Vector = std::vector<double>;

/// A method of several steps. A start, or another size of the step, begins its starting procedure anew.
struct Rule {
  enum class What {
    leapfrog,     ///< momenta at the middle of steps, of which the first is that after half a step of Euler
    stoermer,     ///< positions of two times, from Taylor's series
    adams_2,      ///< Adams and Bashforth, begun by Euler
    adams_4,      ///< begun by Runge and Kutta
    differences,  ///< backward differences of order two, by fixed-point iteration, begun by the implicit Euler method
    midpoint,     ///< y(t + h) = y(t - h) + 2 h f(y(t)), begun by Euler
  };
  What what;
  double force_times = 1;  ///< in all steps but the first
  long first_steps = 3;    ///< the starting procedure of adams_4
};

class MultistepRun final : public ForeignRun<double> {
 public:
  MultistepRun(Rule rule, Forces<double>& forces) : rule_(rule), forces_(forces) {}
  void start(const TimedPoint<double>& z) override {
    z_ = z;
    h_ = 0;
  }
  void step(const double& h, long count) override {
    for (; count > 0; --count) one(h);
  }
  [[nodiscard]] TimedPoint<double> point() override { return z_; }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string& text) override { throw ForeignRefusal(text); }

 private:
  struct State {
    Vector q, p;
  };
  [[nodiscard]] State rates(const State& y, double times) {
    State f{y.p, forces_.gradient(0, y.q)};
    for (std::size_t i = 0; i < y.q.size(); ++i) {
      f.q[i] /= forces_.problem().masses[i];
      f.p[i] *= -times;
    }
    return f;
  }
  static State plus(State y, double by, const State& f) {
    for (std::size_t i = 0; i < y.q.size(); ++i) {
      y.q[i] += by * f.q[i];
      y.p[i] += by * f.p[i];
    }
    return y;
  }
  void one(double h) {
    using enum Rule::What;
    if (h != h_) history_.clear();
    h_ = h;
    made_ = history_.empty() ? 1 : made_ + 1;
    const bool first = history_.empty();
    const double times = first ? 1 : rule_.force_times;
    const State y{z_.q, z_.p};
    State next = y;
    if (rule_.what == leapfrog || rule_.what == stoermer) {
      // Both have p between the times of q; of leapfrog it is that of the step, of Stoermer the way over h.
      const State f = rates(y, times);
      next = plus(y, h * (first ? 0.5 : 1), {Vector(y.q.size(), 0), f.p});
      for (std::size_t i = 0; i < y.q.size(); ++i) {
        const double mass = forces_.problem().masses[i];
        if (rule_.what == leapfrog || first) {
          next.q[i] += h * next.p[i] / mass;
        } else {
          next.q[i] = 2 * y.q[i] - history_.back().q[i] + h * h * f.p[i] / mass;
        }
        if (rule_.what == stoermer) next.p[i] = mass * (next.q[i] - y.q[i]) / h;
      }
      history_ = {y};
    } else if (rule_.what == adams_2 || rule_.what == adams_4) {
      const State f = rates(y, times);
      const std::size_t known = history_.size();  // the last rate is at the end
      if (rule_.what == adams_2) {
        next = first ? plus(y, h, f) : plus(plus(y, 1.5 * h, f), -0.5 * h, history_.back());
      } else if (made_ <= rule_.first_steps) {
        const State b = rates(plus(y, h / 2, f), 1), c = rates(plus(y, h / 2, b), 1), d = rates(plus(y, h, c), 1);
        next = plus(plus(plus(plus(y, h / 6, f), h / 3, b), h / 3, c), h / 6, d);
      } else {
        next = plus(y, 55 * h / 24, f);
        next = plus(next, -59 * h / 24, history_[known - 1]);
        next = plus(next, 37 * h / 24, history_[known - 2]);
        next = plus(next, -9 * h / 24, history_[known - 3]);
      }
      history_.push_back(f);
      if (history_.size() > 3) history_.erase(history_.begin());
    } else if (rule_.what == differences) {
      State known = y;
      if (!first)
        known = plus(plus({Vector(y.q.size(), 0), Vector(y.q.size(), 0)}, 4.0 / 3, y), -1.0 / 3, history_.back());
      for (int k = 0; k < 200; ++k) {
        const State before = next;
        next = plus(known, first ? h : 2 * h / 3, rates(next, times));
        if (before.q == next.q && before.p == next.p) break;
      }
      history_ = {y};
    } else {
      next = first ? plus(y, h, rates(y, 1)) : plus(history_.back(), 2 * h, rates(y, times));
      history_ = {y};
    }
    z_ = {z_.t + h, next.q, next.p};
  }

  Rule rule_;
  Forces<double>& forces_;
  TimedPoint<double> z_;
  double h_ = 0;
  long made_ = 0;  ///< steps of this size
  std::vector<State> history_;
};

class Multistep final : public ForeignSubject {
 public:
  Multistep(Rule rule, std::string declared)
      : rule_(rule),
        declared_(std::move(declared)),
        declaration_(parse_hello("livi 1 memory=yes " + declared_).declaration) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<MultistepRun>(rule_, forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Multistep>(rule_, declared_);
  }

 private:
  Rule rule_;
  std::string declared_;
  ForeignDeclaration declaration_;
};

Judgement judged(Rule rule, const std::string& declared, std::uint64_t seed = 1) {
  Multistep subject(rule, declared);
  return judge(subject, {.seed = seed, .quick = true});
}

TEST(JudgeMemory, right_methods_are_confirmed_with_every_seed) {
  using enum Rule::What;
  for (const auto& [what, declared] : {std::pair(leapfrog, "symplectic=yes gradients=1 momentum=linear"),
                                       {stoermer, "symplectic=yes gradients=1 momentum=linear"},
                                       {adams_2, "order=2 symplectic=no symmetric=no gradients=1 momentum=linear"},
                                       {adams_4, "order=4 symplectic=no symmetric=no gradients=1 momentum=linear"},
                                       {differences, "order=2 symplectic=no symmetric=no momentum=linear"},
                                       {midpoint, "order=2 gradients=1 momentum=linear"}})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Judgement judgement = judged({what}, declared, seed);
      for (const JudgementRow& row : judgement.rows) {
        // Momenta of Stoermer's method are differences of positions, which have no more bits in a step of 2^-26.
        if (what == stoermer && row.test == "precision") continue;
        EXPECT_NE(row.claim.verdict, Verdict::refuted) << declared << ", " << row.test << ": " << row.claim.note;
        EXPECT_NE(row.claim.verdict, Verdict::undecided) << declared << ", " << row.test << ": " << row.claim.note;
      }
    }
}

TEST(JudgeMemory, right_methods_may_begin_with_fifteen_steps_of_another) {
  for (const long first_steps : {4, 8, 15}) {
    const Judgement judgement = judged({Rule::What::adams_4, 1, first_steps}, "order=4 symplectic=no symmetric=no");
    for (const JudgementRow& row : judgement.rows) {
      EXPECT_NE(row.claim.verdict, Verdict::refuted) << first_steps << ", " << row.test << ": " << row.claim.note;
      EXPECT_NE(row.claim.verdict, Verdict::undecided) << first_steps << ", " << row.test << ": " << row.claim.note;
    }
  }
}

// Steps of one are too long for it: it grows beyond all numbers.
TEST(JudgeMemory, of_a_method_that_is_not_stable_is_seen) {
  Multistep subject({Rule::What::adams_4}, "order=4");
  JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  problem.h = 1;
  const double memory = Measurements(1).memory(subject, problem).value;
  EXPECT_GT(memory, 1e-3);
  EXPECT_TRUE(std::isfinite(memory));
}

TEST(JudgeMemory, wrong_methods_are_refuted) {
  using enum Rule::What;
  const auto expect_refuted = [](Rule rule, const std::string& declared, const std::string& test) {
    const Judgement judgement = judged(rule, declared);
    bool found = false;
    for (const JudgementRow& row : judgement.rows)
      found = found || (row.test == test && row.claim.verdict == Verdict::refuted);
    EXPECT_TRUE(found) << test << "\n" << judgement_table(judgement);
  };
  expect_refuted({adams_2}, "order=2 symplectic=yes", "symplectic");
  // Their starting procedures leave as much: not refuted, and not confirmed.
  for (const auto& [what, declared] : {std::pair(adams_4, "order=4 symmetric=yes"), {differences, "symmetric=yes"}})
    EXPECT_FALSE(livi::test::is_cleared(judged({what}, declared))) << declared;
  expect_refuted({leapfrog}, "symplectic=no", "symplectic");
  expect_refuted({adams_2, 1.001}, "order=2", "order of q");
  expect_refuted({adams_2, 1 + 1e-9}, "order=2", "constant force");
  expect_refuted({stoermer, 1.001}, "symplectic=yes", "constant force");
}

}  // namespace judge_memory_test
