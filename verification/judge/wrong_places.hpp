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
  double lightest, heaviest, friction, temperature;
};
/// What is wrong there: there is no step, or it is one with another length or of another problem.
enum class Mistake {
  still,
  longer,    ///< by a thousandth
  force,     ///< too strong by 1 %
  friction,  ///< twice as much, in balance with its noise
  noise,     ///< its variance is doubled
  low_order  ///< one torque, at the start, where order two is declared; for rigid bodies
};
struct WrongPlace {
  livi::ProblemKind kind;
  std::string name;
  Mistake mistake;
  std::function<bool(const StepPlace&)> is_wrong;
};

/// A method of the library that makes another step in one place.
class WrongSomewhere final : public livi::ForeignSubject {
 public:
  explicit WrongSomewhere(WrongPlace place)
      : place_(std::move(place)),
        right_(built_in_subject(method())),
        other_(built_in_subject(place_.mistake == Mistake::low_order
                                    ? livi::built_in_body_splitting(livi::BodyFlaw::kicks_at_start)
                                    : method())) {
    declaration_ = right_->declares();
    declaration_.name = place_.name;
    declaration_.numbers = {livi::NumberType::real};
    if (place_.mistake == Mistake::low_order) declaration_.order = 2;
  }
  [[nodiscard]] const livi::ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<livi::ForeignSubject> another() const override {
    return std::make_unique<WrongSomewhere>(place_);
  }
  std::unique_ptr<livi::ForeignRun<double>> in_double(livi::Forces<double>& forces) override {
    return std::make_unique<Run>(*right_, *other_, forces, place_);
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
        // Symplectic Euler where forces are to be wrong: of order one.
        return place_.mistake == Mistake::force ? livi::built_in_splitting("symplectic Euler", {1}, {1}, true)
                                                : livi::built_in_verlet();
    }
  }
  /// The forces of another problem, with the numbers of the right one.
  class Others final : public livi::Forces<double> {
   public:
    Others(const livi::JudgedProblem& problem, livi::Forces<double>& right)
        : livi::Forces<double>(problem), right_(&right) {}
    std::vector<double> noise(std::size_t count) override { return right_->noise(count); }

   private:
    livi::Forces<double>* right_;
  };
  class Run final : public livi::ForeignRun<double> {
   public:
    Run(livi::ForeignSubject& method, livi::ForeignSubject& other, livi::Forces<double>& forces,
        const WrongPlace& place)
        : problem_(&forces.problem()),
          another_(changed(forces.problem(), place.mistake)),
          others_(another_, forces),
          run_(method.in_double(forces)),
          wrong_run_(other.in_double(others_)),
          place_(&place) {}
    void start(const livi::TimedPoint<double>& z) override { run_->start(z); }
    void step(const double& h, long count) override {
      const livi::TimedPoint<double> z = run_->point();
      const auto largest = [](const std::vector<double>& x) {
        double size = 0;
        for (const double entry : x) size = std::max(size, std::abs(entry));
        return size;
      };
      const auto [light, heavy] = std::ranges::minmax(problem_->masses);
      const bool wrong =
          place_->is_wrong({static_cast<double>(problem_->momenta()), problem_->masses[0], largest(z.q), largest(z.p),
                            h, z.t, count, light, heavy, problem_->friction, problem_->temperature});
      if (wrong && place_->mistake == Mistake::still) return;
      if (!wrong || place_->mistake == Mistake::longer) {
        run_->step(wrong ? h * 1.001 : h, count);
        return;
      }
      wrong_run_->start(z);
      wrong_run_->step(h, count);
      run_->start(wrong_run_->point());
    }
    livi::TimedPoint<double> point() override { return run_->point(); }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw livi::ForeignRefusal(text); }

   private:
    static livi::JudgedProblem changed(livi::JudgedProblem problem, Mistake mistake) {
      if (mistake == Mistake::force)
        for (livi::Monomial& term : problem.potential.terms) term.coefficient *= 1.01;
      if (mistake == Mistake::friction) problem.friction *= 2;
      if (mistake == Mistake::noise) problem.temperature *= 2;
      return problem;
    }

    const livi::JudgedProblem* problem_;
    livi::JudgedProblem another_;
    Others others_;
    std::unique_ptr<livi::ForeignRun<double>> run_, wrong_run_;
    const WrongPlace* place_;
  };
  WrongPlace place_;
  std::unique_ptr<livi::ForeignSubject> right_, other_;
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
      longer = !longer;
      all.push_back({kind, name, longer ? Mistake::longer : Mistake::still, std::move(is_wrong)});
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

/// Returns places at which all bodies of a large system are alike.
inline std::vector<WrongPlace> wrong_where_all_are_alike() {
  using enum livi::ProblemKind;
  std::vector<WrongPlace> all;
  for (const livi::ProblemKind kind : {mechanical, timed, separable, langevin}) {
    if (kind != separable) {
      all.push_back({kind, "n above 8 with equal masses", Mistake::longer,
                     [](const StepPlace& at) { return at.n > 8 && at.lightest == at.heaviest; }});
      all.push_back({kind, "n above 8 with masses of one", Mistake::force,
                     [](const StepPlace& at) { return at.n > 8 && at.lightest == 1 && at.heaviest == 1; }});
    }
    all.push_back(
        {kind, "n above 6 at rest", Mistake::still, [](const StepPlace& at) { return at.n > 6 && at.p == 0; }});
    all.push_back(
        {kind, "n above 6 at the origin", Mistake::longer, [](const StepPlace& at) { return at.n > 6 && at.q == 0; }});
  }
  return all;
}

/// Return methods that are wrong in most of a range, and in friction or noise. Each is to be named.
inline std::vector<WrongPlace> wrong_in_most_places() {
  using enum livi::ProblemKind;
  const auto none_of = [](double x, std::initializer_list<double> known) {
    return std::ranges::none_of(known, [x](double one) { return std::abs(x - one) <= 1e-9 * one; });
  };
  std::vector<WrongPlace> all;
  for (const livi::ProblemKind kind : {mechanical, timed}) {
    all.push_back({kind, "forces, masses beyond 1/16 and 16", Mistake::force,
                   [](const StepPlace& at) { return at.lightest < 1 / 16.0 || at.heaviest > 16; }});
    all.push_back({kind, "no step, masses beyond 1/4 and 4", Mistake::still,
                   [](const StepPlace& at) { return at.lightest < 0.25 || at.heaviest > 4; }});
    all.push_back({kind, "length, |q| beyond 1/64 and 64", Mistake::longer,
                   [](const StepPlace& at) { return at.q < 1 / 64.0 || at.q > 64; }});
    all.push_back({kind, "forces, n above 4", Mistake::force, [](const StepPlace& at) { return at.n > 4; }});
    all.push_back({kind, "length, |h| beyond 1/2 and 2^-9", Mistake::longer,
                   [](const StepPlace& at) { return std::abs(at.h) > 0.5 || std::abs(at.h) < 1 / 512.0; }});
  }
  for (const Mistake mistake : {Mistake::friction, Mistake::noise}) {
    const std::string name = mistake == Mistake::friction ? "friction" : "noise";
    // The row `friction` and the ordinary units have these.
    all.push_back({langevin, name + ", gamma except four values", mistake, [=](const StepPlace& at) {
                     return none_of(at.friction, {0, 0.75, 21.0 / 16, 2});
                   }});
    all.push_back({langevin, name + ", gamma above 3", mistake, [](const StepPlace& at) { return at.friction > 3; }});
    all.push_back({langevin, name + ", n above 4", mistake, [](const StepPlace& at) { return at.n > 4; }});
    all.push_back({langevin, name + ", masses beyond 1/16 and 16", mistake,
                   [](const StepPlace& at) { return at.lightest < 1 / 16.0 || at.heaviest > 16; }});
    all.push_back({langevin, name + ", n = 37", mistake, [](const StepPlace& at) { return at.n == 37; }});
    all.push_back({langevin, name + ", t below -1000", mistake, [](const StepPlace& at) { return at.t < -1000; }});
    all.push_back({langevin, name + ", T in 5 to 50", mistake,
                   [](const StepPlace& at) { return at.temperature > 5 && at.temperature < 50; }});
  }
  return all;
}

/// Return the methods of which these are made.
inline std::vector<WrongPlace> right_methods() {
  using enum livi::ProblemKind;
  std::vector<WrongPlace> all;
  for (const livi::ProblemKind kind : {mechanical, timed, separable, langevin, constrained, constrained_langevin, body})
    all.push_back({kind, "right", Mistake::still, [](const StepPlace&) { return false; }});
  return all;
}
