// SPDX-License-Identifier: MIT
#include <cmath>

#include <livi/foreign/adaptive_steps.hpp>
#include <livi/foreign/built_in_methods.hpp>
#include <livi/foreign/manifold.hpp>
#include <livi/foreign/measurements.hpp>
#include <livi/foreign/reproduction.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Problems from the simplest one upwards: a coordinate with each power, two with masses, and so on.
std::vector<JudgedProblem> small_problems(const JudgedProblem& last) {
  std::vector<JudgedProblem> all;
  const auto add = [&](std::vector<double> masses, const Terms& terms) {
    JudgedProblem problem{.name = "", .masses = std::move(masses), .potential = polynomial(terms)};
    problem.name = "V = " + problem.potential.text("q", problem.size());
    all.push_back(std::move(problem));
  };
  add({1}, {});
  add({1}, {{1, {0}}});
  add({1}, {{0.5, {0, 0}}});
  add({2}, {{0.5, {0, 0}}});
  add({1}, {{0.5, {0, 0}}, {1, {0, 0, 0}}});
  add({1}, {{0.5, {0, 0}}, {0.25, {0, 0, 0, 0}}});
  add({1, 1}, {{0.5, {0, 0}}, {0.5, {1, 1}}, {1, {0, 0, 1}}});
  add({1, 2}, {{0.5, {0, 0}}, {0.5, {1, 1}}, {1, {0, 0, 1}}});
  add({1, 2}, {{0.5, {0, 0}}, {0.5, {1, 1}}, {1, {0, 0, 1}}, {0.25, {0, 0, 0, 0}}});
  all.push_back(last);
  return all;
}

/// Two bodies on a line, which conserve their momentum, and one in the plane round a centre, which conserves its spin.
JudgedProblem small_symmetric_problem(bool angular) {
  JudgedProblem problem{.name = "", .masses = {1, 1}, .potential = {}};
  if (angular) {
    problem.potential.add(0.5, {0, 0}).add(0.5, {1, 1});
    problem.angular.push_back({"q1 p2 - q2 p1", {{0, 1}, {-1, 0}}, {}});
  } else {
    problem.potential.add(0.5, {0, 0}).add(-1, {0, 1}).add(0.5, {1, 1});
    problem.linear.push_back({"p1 + p2", {}, {1, 1}});
  }
  problem.name = "V = " + problem.potential.text("q", 2);
  problem.start = {0, {1, 0}, {0, 1}};
  return problem;
}

/// Starts of small whole numbers for n degrees of freedom.
std::vector<TimedPoint<double>> small_starts(const JudgedProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.size());
  std::vector<TimedPoint<double>> starts;
  for (const auto& [q, p] : {std::pair(1.0, 0.0), std::pair(0.0, 1.0), std::pair(1.0, 1.0), std::pair(0.5, -0.25)}) {
    TimedPoint<double> z{0, std::vector<double>(n, q), std::vector<double>(n, p)};
    for (std::size_t i = 1; i < n; ++i) {
      z.q[i] /= static_cast<double>(1 + i);
      z.p[i] /= -static_cast<double>(1 + i);
    }
    starts.push_back(std::move(z));
  }
  if (!problem.start.q.empty()) starts.push_back(problem.start);
  return starts;
}

class MechanicalReproduction final : public Reproduction {
 public:
  MechanicalReproduction(ForeignSubject& subject, const Judgement& judgement)
      : Reproduction(subject, judgement, ProblemKind::mechanical),
        problems_(small_problems(judged_problems({ProblemKind::mechanical}, judgement.seed, 0).generic.front())),
        measurements_(judgement.seed) {}

 private:
  std::vector<Way> ways() override {
    return {{"repetition", [this] { return repetition(); }},
            {"free particle", [this] { return one_step_beside(0, false); }},
            {"constant force", [this] { return one_step_beside(1, true); }},
            {"history", [this] { return history(); }},
            {"batch", [this] { return batch(); }},
            {"memory", [this] { return memory(); }},
            {"symmetric", [this] { return symmetric(); }},
            {"symmetric, both signs", [this] { return both_signs(); }},
            {"linear momentum", [this] { return momentum(false); }},
            {"angular momentum", [this] { return momentum(true); }},
            {"symplectic", [this] { return symplectic(); }},
            {"order of", [this] { return order(1); }},
            {"order, negative", [this] { return order(-1); }}};
  }
  [[nodiscard]] const std::vector<JudgedProblem>& problems() const override { return problems_; }
  [[nodiscard]] std::vector<Point> starts(const JudgedProblem& problem) const override { return small_starts(problem); }
  [[nodiscard]] Point motion(const JudgedProblem& given, const Point& z, double time) const override {
    JudgedProblem problem = given;
    problem.start = z;
    problem.name += " from " + text_of_point(z);  // its motion is remembered under this name
    const auto exact = exact_motion(problem, point_in<Float50>(z), Float50(time), 1e-20);
    return {time, in_double(exact.q), in_double(exact.p)};
  }

  /// The motion over one step in closed form, of a particle without a force or with a constant one.
  bool one_step_beside(std::size_t number, bool force) {
    std::vector<JudgedProblem> chosen(2, problems_[number]);
    chosen.back().masses = {2};
    const bool second_order = judgement_.declares.order.value_or(1) >= 2;
    return search(chosen, [&](const JudgedProblem& problem, const Point& z, double h) {
      const double g = force ? 1 : 0, m = problem.masses[0];
      const Point right{0, {z.q[0] + h * z.p[0] / m - h * h / 2 * g / m}, {z.p[0] - h * g}};
      Point end = after(problem, z, h);
      if (!second_order && force) end.q = right.q;
      if (!(difference(end, right) > visible_)) return false;
      show_change(problem, z, h, 1, "the motion leads to " + text_of_point(right));
      return true;
    });
  }

  bool momentum(bool angular) {
    const JudgedProblem problem = small_symmetric_problem(angular);
    const MomentumMap& map = angular ? problem.angular.front() : problem.linear.front();
    return search({problem}, [&](const JudgedProblem&, const Point& z, double h) {
      const double before = value_of(map, z), now = value_of(map, after(problem, z, h));
      if (!(std::abs(now - before) > visible_)) return false;
      show_change(problem, z, h, 1, map.name + " = " + text_of(before) + " becomes " + text_of(now));
      return true;
    });
  }

  bool symplectic() {
    const auto verlet = built_in_subject(built_in_verlet());
    return search([&](const JudgedProblem& given, const Point& z, double h) {
      JudgedProblem problem = given;
      problem.start = z;
      problem.h = h;
      const auto n = static_cast<std::size_t>(problem.size());
      if (!(measurements_.loop_integral(subject_, problem, NumberType::real).value > visible_)) return false;
      Form form{2 * n, {}, {}, "dq ^ dp", [](const Point& at) { return at.q; }, [](const Point& at) { return at.p; }};
      form.varied = [&](std::size_t i, double by) {
        Point from = z;
        (i < n ? from.q[i] : from.p[i - n]) += by;
        return from;
      };
      form.name = [&](std::size_t i) { return (i < n ? "q" : "p") + std::to_string(i % n + 1); };
      return form_changes(problem, z, h, form, *verlet);
    });
  }

  std::vector<JudgedProblem> problems_;
  Measurements measurements_;
};

}  // namespace

Reproducer reproduce(ForeignSubject& subject, const Judgement& judgement, const std::string& only) {
  if (judgement.declares.takes(ProblemKind::adaptive)) return reproduce_adaptive_steps(subject, judgement, only);
  Reproducer found = MechanicalReproduction(subject, judgement).find(only);
  if (found.test.empty()) found = reproduce_constrained(subject, judgement, only);
  if (found.test.empty()) found = reproduce_bodies(subject, judgement, only);
  if (found.test.empty()) found = reproduce_baths(subject, judgement, only);
  return found;
}

}  // namespace livi
