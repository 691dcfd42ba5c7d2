// SPDX-License-Identifier: MIT
//
// What a refuted method with adaptive steps probably does wrong, and the smallest case found in which it fails.
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/measures/adaptive_steps.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <livi/judge/doors/written_session.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using Point = TimedPoint<double>;
using Session = std::function<std::vector<Point>(ForeignRun<double>&)>;

/// Returns whether something is refuted that is declared to hold.
bool fails(const Judgement& judgement, TestId property) {
  return is_refuted(judgement, property) && !(property == TestId::symmetric && judgement.declares.symmetric == false);
}

std::string list_of(const std::vector<double>& x) {
  std::string text;
  for (const double entry : x) text += " " + number_text(entry, NumberForm::decimal);
  return text;
}
std::string text_of_state(const Point& z) {
  return "t = " + number_text(z.t, NumberForm::decimal) + ", q =" + list_of(z.q) + ", p =" + list_of(z.p);
}

/// A free body: V is a constant.
JudgedProblem free_body() {
  JudgedProblem problem{.name = "a free body", .kind = ProblemKind::adaptive, .masses = {2}, .potential = {}};
  problem.potential.add(-8, {});
  problem.start = {0, {0.5}, {3}};
  return problem;
}
/// From the simplest one upwards: one coordinate, the harmonic force first, then two.
std::vector<JudgedProblem> small_problems() {
  std::vector<JudgedProblem> all;
  const auto add = [&](std::vector<double> masses, std::initializer_list<std::pair<double, std::vector<int>>> terms) {
    JudgedProblem problem{.name = "", .kind = ProblemKind::adaptive, .masses = std::move(masses), .potential = {}};
    for (const auto& [coefficient, variables] : terms) problem.potential.add(coefficient, variables);
    problem.potential.add(-8, {});
    problem.start = {0, std::vector<double>(problem.masses.size(), 1), std::vector<double>(problem.masses.size(), 1)};
    all.push_back(std::move(problem));
  };
  add({1}, {{0.5, {0, 0}}});
  add({2}, {{0.5, {0, 0}}, {0.25, {0, 0, 0, 0}}});
  add({1, 2}, {{0.5, {0, 0}}, {0.5, {1, 1}}, {1, {0, 0, 1}}});
  return all;
}

std::vector<Point> points_of(ForeignSubject& subject, const JudgedProblem& problem, const Session& session) {
  Forces<double> forces(problem);
  return session(*subject.in_double(forces));
}
/// The points after steps of these sizes in one run.
Session steps_of(const Point& start, std::vector<double> sizes) {
  return [start, sizes](ForeignRun<double>& run) {
    std::vector<Point> points;
    run.start(start);
    for (const double h : sizes) {
      run.step(h, 1);
      points.push_back(run.point());
    }
    return points;
  };
}

/// What a small case shows: the words for it; empty where it does not show what is looked for.
struct Case {
  TestId test;
  std::vector<double> sizes;  ///< steps one after the other, in units of h
  std::function<std::string(const JudgedProblem&, const std::vector<Point>&)> words;
};
/// A defect that a reader can see in the printed numbers.
constexpr double visible_defect = 1e-9;

std::vector<Case> cases() {
  const auto time = [](const JudgedProblem& problem, const std::vector<Point>& points) -> std::string {
    double t = problem.start.t;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const bool forwards = k < 8;
      if (!(forwards ? points[k].t > t : points[k].t < t))
        return format("step %zu, of %s, leads from the time %.17g to %.17g\n", k + 1, forwards ? "h" : "-h", t,
                      points[k].t);
      t = points[k].t;
    }
    return "";
  };
  const auto symmetric = [](const JudgedProblem& problem, const std::vector<Point>& points) -> std::string {
    const Point& back = points[1];
    double largest = std::abs(back.t - problem.start.t);
    for (std::size_t i = 0; i < back.q.size(); ++i)
      largest = std::max({largest, std::abs(back.q[i] - problem.start.q[i]), std::abs(back.p[i] - problem.start.p[i])});
    if (!(largest > visible_defect)) return "";
    return "a step of h leads to " + text_of_state(points[0]) + "\none of -h, which follows it, to " +
           text_of_state(back) + ", not to the start\n";
  };
  return {{TestId::time, {1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1}, time},
          {TestId::symmetric, {1, -1}, symmetric}};
}

}  // namespace

std::vector<std::string> diagnose_adaptive_steps(ForeignSubject& subject, const Judgement& judgement) {
  std::vector<std::string> said;
  const auto time_after = [&](const JudgedProblem& problem, double h) {
    return points_of(subject, problem, steps_of(problem.start, {h})).front().t;
  };
  try {
    const JudgedProblem free = for_adaptive_steps(subject, free_body(), ProblemKind::adaptive);
    const double t = free.start.t;
    const double forth = time_after(free, free.h);
    if (fails(judgement, TestId::time) && forth != t && time_after(free, -free.h) == forth)
      said.push_back("a step of -h is one of h: it takes the size of h for h");
    const auto time_of_motion = [&](const JudgedProblem& body) {
      const Point end = points_of(subject, body, steps_of(body.start, {body.h})).front();
      return std::pair((end.q[0] - body.start.q[0]) / (body.start.p[0] / body.masses[0]), end.t - body.start.t);
    };
    const auto [of_motion, by_clock] = time_of_motion(free);
    // So of a body of another mass, or it is the mass that is wrong.
    JudgedProblem heavier = free;
    heavier.masses[0] *= 3;
    heavier.start.p[0] *= 3;
    const auto [of_heavier, by_other_clock] = time_of_motion(heavier);
    if (fails(judgement, TestId::order_q) || fails(judgement, TestId::clock))
      if (std::abs(of_motion / by_clock - 1) > 0x1p-44 && std::abs(of_heavier / of_motion - 1) < 0x1p-44 &&
          std::abs(by_other_clock / by_clock - 1) < 0x1p-44)
        said.push_back(format("in a step of h = %g a free body moves for the time %.15g, and the clock shows %.15g",
                              free.h, of_motion, by_clock));
    const JudgedProblem moving = for_adaptive_steps(subject, small_problems()[1], ProblemKind::adaptive);
    const double whole = time_after(moving, moving.h), half = time_after(moving, moving.h / 2);
    if (fails(judgement, TestId::symmetric) && std::abs(whole / (2 * half) - 1) < 0x1p-48)
      said.push_back(
          "steps of h and of h/2 are as long as one number times h and h/2, as of a density at their start alone: take "
          "the density at both ends, or advance one over it, too, as examples/judge/python/adaptive.py does");
  } catch (const ForeignRefusal&) {
    return said;
  }
  return said;
}

Reproducer reproduce_adaptive_steps(ForeignSubject& subject, const Judgement& judgement,
                                    const std::optional<RowId>& only) {
  for (const Case& small : cases()) {
    if (!fails(judgement, small.test) || (only && property_of(only->test) != small.test)) continue;
    for (const JudgedProblem& problem : small_problems()) {
      try {
        const double h = for_adaptive_steps(subject, problem, ProblemKind::adaptive).h;
        std::vector<double> sizes = small.sizes;
        for (double& size : sizes) size *= h;
        const Session session = steps_of(problem.start, sizes);
        const std::string words = small.words(problem, points_of(subject, problem, session));
        if (words.empty()) continue;
        Reproducer found{row_entry({small.test, ProblemKind::adaptive}).name,
                         "V = " + problem.potential.text("q", problem.size()) + ", masses" + list_of(problem.masses) +
                             "\nstart: " + text_of_state(problem.start) +
                             ", h = " + number_text(h, NumberForm::decimal) + "\n" + words,
                         ""};
        found.session = written_session(subject, problem, [&](ForeignRun<double>& run) { session(run); });
        return found;
      } catch (const ForeignRefusal&) {
        continue;
      }
    }
  }
  return {};
}

}  // namespace livi
