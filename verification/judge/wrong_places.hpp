// SPDX-License-Identifier: MIT
//
// Right methods that are wrong in one place, made of (kind, place, mistake).
#pragma once

#include <livi/judge/controls/built_in_methods.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Where a step is made.
struct StepPlace {
  double n, mass, q, p, h, t;  ///< the first mass, the largest sizes
  long steps;                  ///< asked for at once
};
struct WrongPlace {
  livi::ProblemKind kind;
  std::string name;
  bool is_longer;  ///< the step is longer by a thousandth; else it is none
  std::function<bool(const StepPlace&)> is_wrong;
};

/// A method of the library that makes another step in one place.
class WrongSomewhere final : public livi::ForeignSubject {
 public:
  explicit WrongSomewhere(WrongPlace place) : place_(std::move(place)), right_(built_in_subject(method())) {
    declaration_ = right_->declares();
    declaration_.name = place_.name;
    declaration_.numbers = {livi::NumberType::real};
  }
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    return std::make_unique<WrongSomewhere>(place_);
  }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    return std::make_unique<Run>(right_->in_double(forces), forces, place_);
  }

 private:
  [[nodiscard]] livi::BuiltInMethod method() const {
    switch (place_.kind) {
      case livi::ProblemKind::langevin:
        return livi::built_in_baoab();
      case livi::ProblemKind::constrained:
      case livi::ProblemKind::constrained_langevin:  // without a bath: what drawn steps compare has no need of one
        return livi::built_in_rattle();
      case livi::ProblemKind::body:
        return livi::built_in_body_splitting();
      default:
        return livi::built_in_verlet();
    }
  }
  class Run final : public livi::ForeignRun<double> {
   public:
    Run(std::unique_ptr<livi::ForeignRun<double>> run, livi::Forces<double>& forces, const WrongPlace& place)
        : run_(std::move(run)), problem_(&forces.problem()), place_(&place) {}
    void start(const livi::TimedPoint<double>& z) override { run_->start(z); }
    void step(const double& h, long count) override {
      const livi::TimedPoint<double> z = run_->point();
      const auto largest = [](const std::vector<double>& x) {
        double size = 0;
        for (const double entry : x) size = std::max(size, std::abs(entry));
        return size;
      };
      const bool wrong = place_->is_wrong(
          {static_cast<double>(problem_->momenta()), problem_->masses[0], largest(z.q), largest(z.p), h, z.t, count});
      if (wrong && !place_->is_longer) return;
      run_->step(wrong ? h * 1.001 : h, count);
    }
    livi::TimedPoint<double> point() override { return run_->point(); }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw livi::ForeignRefusal(text); }

   private:
    std::unique_ptr<livi::ForeignRun<double>> run_;
    const livi::JudgedProblem* problem_;
    const WrongPlace* place_;
  };
  WrongPlace place_;
  std::unique_ptr<livi::ForeignSubject> right_;
  livi::ForeignDeclaration declaration_;
};

inline std::vector<WrongPlace> wrong_places() {
  using enum livi::ProblemKind;
  std::vector<WrongPlace> all;
  for (const livi::ProblemKind kind :
       {mechanical, timed, separable, langevin, constrained, constrained_langevin, body}) {
    const bool is_body = kind == body, is_constrained = kind == constrained || kind == constrained_langevin,
               has_masses = kind != separable && !is_body, has_sizes = !is_constrained && !is_body;
    bool longer = false;
    const auto add = [&](const std::string& name, std::function<bool(const StepPlace&)> is_wrong) {
      all.push_back({kind, name, longer = !longer, std::move(is_wrong)});
    };
    for (const double n : {1.0, 3.0, 17.0, 37.0, 49.0, 64.0})
      if (!is_body && (!is_constrained || (n > 3 && n < 60)))
        add("n = " + std::to_string(static_cast<int>(n)), [n](const StepPlace& at) { return at.n == n; });
    if (has_masses) {
      add("a mass of 512", [](const StepPlace& at) { return at.mass == 512; });
      add("masses near 1e-5", [](const StepPlace& at) { return at.mass > 8e-6 && at.mass < 1.2e-5; });
      add("masses of 1000 and more", [](const StepPlace& at) { return at.mass >= 1000; });
    }
    if (has_sizes) {
      add("|q| in 1000 to 2000", [](const StepPlace& at) { return at.q > 1000 && at.q < 2000; });
      add("|q| below 1e-9", [](const StepPlace& at) { return at.q < 1e-9 && at.q > 0; });
      add("|q| above 1e12", [](const StepPlace& at) { return at.q > 1e12; });
      add("|p| in 1e-3 to 2e-3", [](const StepPlace& at) { return at.p > 1e-3 && at.p < 2e-3; });
    }
    if (kind != langevin && kind != constrained_langevin) add("h < -8", [](const StepPlace& at) { return at.h < -8; });
    add("h in 1e-3 to 2e-3", [](const StepPlace& at) { return at.h > 1e-3 && at.h < 2e-3; });
    add("h in 3e-6 to 6e-6", [](const StepPlace& at) { return at.h > 3e-6 && at.h < 6e-6; });
    add("h above 1e6", [](const StepPlace& at) { return at.h > 1e6; });
    add("t in 5 to 6", [](const StepPlace& at) { return at.t > 5 && at.t < 6; });
    add("t below -1000", [](const StepPlace& at) { return at.t < -1000; });
    add("7 steps at once", [](const StepPlace& at) { return at.steps == 7; });
    add("31 steps at once", [](const StepPlace& at) { return at.steps == 31; });
  }
  return all;
}

/// Return the methods of which these are made.
inline std::vector<WrongPlace> right_methods() {
  using enum livi::ProblemKind;
  std::vector<WrongPlace> all;
  for (const livi::ProblemKind kind : {mechanical, timed, separable, langevin, constrained, constrained_langevin, body})
    all.push_back({kind, "right", false, [](const StepPlace&) { return false; }});
  return all;
}
