// SPDX-License-Identifier: MIT
//
// Methods in a heat bath, free or under constraints, right and wrong in many ways: BAOAB, or RATTLE and then the bath.
#pragma once

#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/controls/constrained_methods.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// What the bath of a step does; the exact one if nothing is said.
struct BathRules {
  /// The bath of one momentum over a step: gamma, T, m, h, the numbers of bodies and of constraints, the mass of the first one.
  struct Of {
    double gamma, temperature, mass, h, bodies, constraints, first_mass;
  };
  std::function<double(const Of&)> decay = [](const Of& of) { return std::exp(-of.gamma * of.h); };
  std::function<double(const Of&)> variance = [](const Of& of) {
    return of.temperature * of.mass * -std::expm1(-2 * of.gamma * of.h);
  };
  std::function<std::size_t(std::size_t)> number = [](std::size_t i) { return i; };  ///< which one a momentum has
  std::function<double(double)> taken_for = [](double x) { return x; };              ///< what stands for a number
  std::function<double(long)> noise_in_step = [](long) {
    return 1.0;
  };                                ///< a factor, by the number of steps after a start
  bool projected = true;            ///< noise is projected to the constraints, with the masses
  bool projected_by_masses = true;  ///< or without them
  bool in_halves = false;           ///< over h/2, then again with the same numbers
  bool first_numbers = false;       ///< those of the first step after a start in all steps
  bool next_numbers = false;        ///< those of the step before
  bool asks = true;                 ///< for the judge's numbers; else there is no noise
  long asks_every = 1;              ///< noise comes in each step of so many
  bool has_own_numbers = false;
  bool begins_own_anew = false;  ///< at each start
  int superfluous = 0;           ///< numbers that it asks for and does not use
  double when_cold = 0;          ///< what a number adds to the first momentum without friction
  double longer_when_cold = 0;   ///< share by which steps are longer without friction
  double forces_times = 1;       ///< without constraints, as the next one
  bool forces_per_body = false;  ///< forces are times the number of bodies, too
  double drifts_times = 1;
  bool first_size = false;    ///< the bath of each step is that of the size of the first one after a start
  bool size_before = false;   ///< the bath of each step is that of the size of the one before
  bool longest_size = false;  ///< the bath of each step is that of the longest one so far
  double rounds_to = 0;       ///< each step ends at a multiple of it; 0: not rounded
  /// Under constraints: kick, motion without forces, bath, motion, kick, each of the motions in so many steps of RATTLE (geodesic BAOAB,
  /// Leimkuhler and Matthews 2016); 0: RATTLE, then the bath.
  int geodesic_steps = 0;
};

class BathMethod final : public livi::ForeignSubject {
 public:
  explicit BathMethod(BathRules rules, bool constrained, int sampling = 2, bool hidden = true,
                      bool single_precision = false)
      : rules_(std::move(rules)), constrained_(constrained) {
    using livi::ProblemKind;
    declaration_.name = "a bath";
    declaration_.kinds = {ProblemKind::mechanical, ProblemKind::langevin};
    if (constrained) declaration_.kinds = {ProblemKind::constrained, ProblemKind::constrained_langevin};
    declaration_.order = 2;
    declaration_.sampling = sampling;
    declaration_.single_precision = single_precision;
    if (constrained && hidden) declaration_.hidden = true;
  }
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return declaration_; }
  livi::ForeignDeclaration& will_declare() { return declaration_; }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    if (forces.problem().has_bath()) return std::make_unique<Run>(forces, rules_);
    return inner_subject(constrained_)->in_double(forces);
  }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    auto same = std::make_unique<BathMethod>(rules_, constrained_);
    same->declaration_ = declaration_;
    return same;
  }

 private:
  static std::unique_ptr<livi::ForeignSubject> inner_subject(bool constrained) {
    return livi::built_in_subject(constrained ? livi::built_in_rattle() : livi::built_in_verlet());
  }

  class Run final : public livi::ForeignRun<double> {
   public:
    Run(livi::Forces<double>& forces, const BathRules& rules)
        : forces_(forces),
          rules_(rules),
          constrained_(forces.problem().has_constraints()),
          without_bath_(forces.problem()),
          inner_forces_((without_bath_.kind = livi::ProblemKind::constrained, prepared(without_bath_, rules))),
          rattle_(inner_subject(true)) {
      if (constrained_) inner_ = rattle_->in_double(inner_forces_);
    }
    void start(const livi::TimedPoint<double>& z) override {
      z_ = z;
      last_.clear();
      first_h_ = 0;
      steps_ = 0;
      if (rules_.begins_own_anew) made_ = 0;
    }
    void step(const double& h, long count) override {
      EXPECT_GT(h, 0) << "there is no noise for a step back";
      for (long k = 0; k < count; ++k) {
        ++steps_;
        const double by = forces_.problem().friction == 0 ? h * (1 + rules_.longer_when_cold) : h;
        if (constrained_ && rules_.geodesic_steps > 0) {
          kick_along(by / 2);
          geodesic(by / 2);
          bath(h);
          geodesic(by / 2);
          kick_along(by / 2);
        } else if (constrained_) {
          inner_->start(z_);
          inner_->step(by, 1);
          z_ = inner_->point();
          bath(h);
        } else {
          kick(by / 2);
          drift(by / 2);
          bath(h);
          drift(by / 2);
          kick(by / 2);
        }
        for (std::vector<double>* x : {&z_.q, &z_.p})
          for (double& entry : *x)
            if (rules_.rounds_to > 0) entry = std::round(entry / rules_.rounds_to) * rules_.rounds_to;
      }
    }
    livi::TimedPoint<double> point() override { return z_; }
    std::optional<std::string> save() override { return {}; }
    void restore(const std::string&) override {}

   private:
    static livi::JudgedProblem& prepared(livi::JudgedProblem& problem, const BathRules& rules) {
      if (rules.geodesic_steps > 0) problem.potential = {};
      return problem;
    }
    void kick_along(double by) {
      std::vector<double> g = forces_.gradient(0.0, z_.q);
      project(g);
      for (std::size_t i = 0; i < g.size(); ++i) z_.p[i] -= by * g[i];
    }
    void geodesic(double by) {
      inner_->start(z_);
      inner_->step(by / rules_.geodesic_steps, rules_.geodesic_steps);
      z_ = inner_->point();
    }
    void kick(double by) {
      const std::vector<double> g = forces_.gradient(0.0, z_.q);
      for (std::size_t i = 0; i < g.size(); ++i)
        z_.p[i] -= by * rules_.forces_times * (rules_.forces_per_body ? static_cast<double>(g.size()) : 1) * g[i];
    }
    void drift(double by) {
      for (std::size_t i = 0; i < z_.q.size(); ++i)
        z_.q[i] += by * rules_.drifts_times * z_.p[i] / forces_.problem().masses[i];
    }
    std::vector<double> numbers() {
      const std::size_t n = z_.p.size();
      std::vector<double> xi(n, 0.0);
      if (rules_.has_own_numbers) {
        for (double& x : xi) x = std::sin(static_cast<double>(++made_));
        return xi;
      }
      if (!rules_.asks || steps_ % rules_.asks_every != 0) return xi;
      if (rules_.first_numbers && !last_.empty()) return last_;
      xi = forces_.noise(n);
      if (rules_.superfluous > 0) static_cast<void>(forces_.noise(static_cast<std::size_t>(rules_.superfluous)));
      if (rules_.next_numbers) std::swap(xi, last_);
      if (rules_.next_numbers) xi.resize(n, 0.0);
      if (rules_.first_numbers) last_ = xi;
      return xi;
    }
    void bath(double h) {
      if (first_h_ == 0) first_h_ = h;
      if (rules_.first_size) h = first_h_;
      if (rules_.size_before) std::swap(h, first_h_);
      if (rules_.longest_size) h = first_h_ = std::max(h, first_h_);
      const livi::JudgedProblem& problem = forces_.problem();
      const std::size_t n = z_.p.size();
      if (problem.friction == 0 && constrained_) {
        if (rules_.when_cold != 0) z_.p[0] += rules_.when_cold * forces_.noise(1)[0];
        return;
      }
      const std::vector<double> xi = numbers();
      const double bodies = static_cast<double>(constrained_ ? n / 3 : n),
                   constraints = static_cast<double>(problem.constraints.size());
      for (int half = 0; half < (rules_.in_halves ? 2 : 1); ++half) {
        std::vector<double> noise(n);
        for (std::size_t i = 0; i < n; ++i) {
          const BathRules::Of of{problem.friction, problem.temperature, problem.masses[i], rules_.in_halves ? h / 2 : h,
                                 bodies,           constraints,         problem.masses[0]};
          noise[i] =
              rules_.noise_in_step(steps_) * std::sqrt(rules_.variance(of)) * rules_.taken_for(xi[rules_.number(i)]);
          z_.p[i] *= rules_.decay(of);
        }
        if (constrained_ && rules_.projected) project(noise);
        for (std::size_t i = 0; i < n; ++i) z_.p[i] += noise[i];
      }
    }
    void project(std::vector<double>& p) const {
      livi::Forces<double> uncounted(forces_.problem());
      const std::vector<double> rows = uncounted.constraint_jacobian(z_.q);
      const std::size_t n = p.size(), c = rows.size() / n;
      std::vector<double> a(c * c), b(c);
      const auto mass = [&](std::size_t k) { return rules_.projected_by_masses ? forces_.problem().masses[k] : 1; };
      for (std::size_t i = 0; i < c; ++i)
        for (std::size_t k = 0; k < n; ++k) {
          b[i] += rows[i * n + k] * p[k] / mass(k);
          for (std::size_t j = 0; j < c; ++j) a[i * c + j] += rows[i * n + k] * rows[j * n + k] / mass(k);
        }
      livi::foreign_detail::solve_in_place(a, b);
      for (std::size_t i = 0; i < c; ++i)
        for (std::size_t k = 0; k < n; ++k) p[k] -= rows[i * n + k] * b[i];
    }

    livi::Forces<double>& forces_;
    BathRules rules_;
    bool constrained_;
    livi::JudgedProblem without_bath_;
    livi::Forces<double> inner_forces_;
    std::unique_ptr<livi::ForeignSubject> rattle_;
    std::unique_ptr<livi::ForeignRun<double>> inner_;
    livi::TimedPoint<double> z_;
    std::vector<double> last_;
    double first_h_ = 0;
    long steps_ = 0;
    static inline long made_ = 0;
  };

  BathRules rules_;
  bool constrained_;
  livi::ForeignDeclaration declaration_;
};
