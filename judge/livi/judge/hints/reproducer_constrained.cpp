// SPDX-License-Identifier: MIT
//
// The smallest case in which a refuted declaration fails, for constrained systems.
#include <livi/judge/hints/reproduction.hpp>

#include <cmath>
#include <utility>

#include <livi/judge/measures/constraints.hpp>
#include <livi/judge/measures/manifold.hpp>

namespace livi::foreign_detail {
namespace {

using Point = TimedPoint<double>;
Terms unit_sphere() { return {{1, {0, 0}}, {1, {1, 1}}, {1, {2, 2}}, {-1, {}}}; }

JudgedProblem constrained(std::vector<double> masses, const Terms& constraint, const Terms& potential) {
  JudgedProblem problem{.name = "small",
                        .kind = ProblemKind::constrained,
                        .masses = std::move(masses),
                        .potential = polynomial(potential)};
  problem.constraints.push_back(polynomial(constraint));
  return problem;
}

/// From the simplest one upwards: circles, spheres, and the fixed problems of the judge.
std::vector<JudgedProblem> small_constrained_problems() {
  std::vector<JudgedProblem> all{constrained({1, 1}, unit_circle(), {}), constrained({1, 1}, unit_circle(), {{1, {1}}}),
                                 constrained({1, 2}, unit_circle(), {{1, {1}}}),
                                 constrained({1, 1, 1}, unit_sphere(), {{1, {2}}}),
                                 constrained({1, 2, 4}, unit_sphere(), {{1, {2}}, {0.5, {0, 1}}})};
  JudgedProblem two_rods = constrained({1, 1, 1, 1}, unit_circle(), {{1, {1}}, {1, {3}}});
  two_rods.constraints.push_back(polynomial(unit_rod()));
  two_rods.start = {0, {1, 0, 2, 0}, {0, 1, 0, 0.5}};
  two_rods.other_start = {0, {0, 1, 1, 1}, {0.5, 0, 0.5, -1}};
  all.push_back(std::move(two_rods));
  for (JudgedProblem& problem : constrained_problems(1, 0).generic) all.push_back(std::move(problem));
  return all;
}

/// Two bodies in the plane on a rod, which conserve their momenta; a circle and a sphere, their spin.
std::vector<JudgedProblem> small_symmetric_problems(bool angular) {
  std::vector<JudgedProblem> all;
  const MomentumMap spin{"q1 p2 - q2 p1", {{0, 1}, {-1, 0}}, {}};
  if (angular) {
    all = {constrained({1, 1}, unit_circle(), {}), constrained({1, 1, 1}, unit_sphere(), {{1, {2}}})};
    for (JudgedProblem& problem : all) problem.angular = {spin};
  } else {
    all = {constrained({1, 1, 2, 2}, unit_rod(), {})};
    all.front().linear = {{"p1 + p3", {}, {1, 0, 1, 0}}, {"p2 + p4", {}, {0, 1, 0, 1}}};
    all.front().start = {0, {0, 0, 1, 0}, {1, 0, 2, 2}};
  }
  all.push_back(constrained_problems(1, 0).bodies);
  return all;
}

class ConstrainedReproduction final : public Reproduction {
 public:
  ConstrainedReproduction(ForeignSubject& subject, const Judgement& judgement)
      : Reproduction(subject, judgement, ProblemKind::constrained), problems_(small_constrained_problems()) {
    steps_ = {0.5, 0.25, 0.125};  // longer ones may have no solution
  }

 private:
  std::vector<Way> ways() override {
    return {{TestId::repetition, [this] { return repetition(); }},
            {TestId::constraint, [this] { return constraint(); }},
            {TestId::hidden_constraint, [this] { return hidden_constraint(); }},
            {TestId::history, [this] { return history(); }},
            {TestId::batch, [this] { return batch(); }},
            {TestId::memory, [this] { return memory(); }},
            {TestId::start_of_time, [this] { return time_of_start(); }},
            {TestId::momentum_across, [this] { return momentum_across(); }},
            {TestId::symmetric, [this] { return symmetric(); }},
            {TestId::symmetric_signs, [this] { return both_signs(); }},
            {TestId::linear_momentum, [this] { return momentum(false); }},
            {TestId::angular_momentum, [this] { return momentum(true); }},
            {TestId::symplectic, [this] { return symplectic(); }},
            {TestId::force, [this] { return short_steps(); }},
            {TestId::short_steps, [this] { return short_steps(); }},
            {TestId::very_short_steps, [this] { return short_steps(); }},
            {TestId::order_q, [this] { return order(1); }},
            {TestId::order_negative, [this] { return order(-1); }}};
  }
  [[nodiscard]] const std::vector<JudgedProblem>& problems() const override { return problems_; }
  [[nodiscard]] std::vector<Point> starts(const JudgedProblem& problem) const override {
    if (!problem.start.q.empty()) return {problem.start};
    // A point on an axis, and one whose coordinates are those of a right-angled triangle; velocities along the surface.
    std::vector<Point> all{{0, {1, 0}, {0, 1}}, {0, {0.6, 0.8}, {0.8, -0.6}}, {0, {0, 1}, {-0.5, 0}}};
    if (problem.size() == 3) all = {{0, {1, 0, 0}, {0, 1, 0.5}}, {0, {0, 0.6, 0.8}, {0.5, 0.8, -0.6}}};
    for (Point& z : all)
      for (std::size_t i = 0; i < z.p.size(); ++i) z.p[i] *= problem.masses[i];
    return all;
  }
  [[nodiscard]] Point elsewhere(const JudgedProblem& problem, const Point& z) const override {
    const auto all = starts(problem);
    return all.size() == 1 ? problem.other_start : difference(all[0], z) == 0 ? all[1] : all[0];
  }
  [[nodiscard]] Point motion(const JudgedProblem& problem, const Point& z, double time) const override {
    // To rounding of double in the error of a short step.
    const auto exact = constrained_motion(problem, point_in<Float50>(z), Float50(time), 1e-19 * std::abs(time));
    return {time, in_double(exact.q), in_double(exact.p)};
  }
  [[nodiscard]] std::string closed_form(const JudgedProblem& problem, const Point& z) const override {
    const bool is_circle = problem.size() == 2 && problem.potential.terms.empty() && z.q[0] == 1 && z.p[1] == 1;
    return is_circle ? "the motion is q = (cos t, sin t), p = (-sin t, cos t)\n" : "";
  }
  [[nodiscard]] Point reduced(const JudgedProblem& problem, const Point& z) const override {
    return {z.t, z.q, Manifold<double>(problem).tangent(z.q, z.p)};
  }
  [[nodiscard]] std::string text_of_problem(const JudgedProblem& problem) const override {
    std::string text = Reproduction::text_of_problem(problem);
    const auto& all = problem.constraints;
    for (std::size_t a = 0; a < all.size(); ++a)
      text += ", g" + (all.size() == 1 ? "" : std::to_string(a + 1)) + " = " + all[a].text("q", problem.size());
    return text;
  }

  bool momentum_across() {
    return search([&](const JudgedProblem& problem, const Point& z, double h) {
      for (const double next : {h, judgement_.declares.possible_step(-h)}) {
        const Point end = after(problem, z, h), along = reduced(problem, end);
        const Point with = after(problem, end, next), without = after(problem, along, next);
        if (!(difference(reduced(problem, with), reduced(problem, without)) > visible_)) continue;
        describe(problem, z, h);
        words_ += "a step of h leads to " + text_of_point(end) + "\none of " + text_of(next) + " from there leads to " +
                  reached(problem, with) +
                  "\nwithout what p has there along Dg', that is from p = " + text_of(along.p) + ", it leads to " +
                  reached(problem, without) + "\n";
        replay(problem, [&](ForeignRun<double>& again) {
          again.start(z);
          again.step(h, 1);
          for (const Point& from : {end, along}) {
            again.start(from);
            again.step(next, 1);
          }
        });
        return true;
      }
      return false;
    });
  }

  bool momentum(bool angular) {
    return search(small_symmetric_problems(angular), [&](const JudgedProblem& problem, const Point& z, double h) {
      for (const MomentumMap& map : angular ? problem.angular : problem.linear) {
        const double before = value_of(map, z), now = value_of(map, after(problem, z, h));
        if (!(std::abs(now - before) > visible_)) continue;
        return show_change(problem, z, h, 1, map.name + " = " + text_of(before) + " becomes " + text_of(now));
      }
      return false;
    });
  }

  bool symplectic() {
    const auto rattle = built_in_subject(built_in_rattle());
    const ConstrainedMeasurements measurements(judgement_.seed);
    return search([&](const JudgedProblem& given, const Point& z, double h) {
      JudgedProblem problem = given;
      problem.start = z;
      problem.h = h;
      if (!(measurements.loop_integral(subject_, problem, visible_ / 1024).value > visible_)) return false;
      const Manifold<double> manifold(problem);
      const std::size_t n = manifold.size();
      Form form{2 * n,
                {},
                {},
                "dq ^ dp on the constraints,",
                [](const Point& at) { return at.q; },
                [](const Point& at) { return at.p; }};
      // Moved in space, and put back on the manifold: on a circle all of this is along it.
      form.varied = [&](std::size_t i, double by) {
        Point from = z;
        (i < n ? from.q[i] : from.p[i - n]) += by;
        from.q = manifold.nearby(from.q);
        from.p = manifold.tangent(from.q, from.p);
        return from;
      };
      form.name = [&](std::size_t i) { return (i < n ? "q" : "p") + std::to_string(i % n + 1); };
      return form_changes(problem, z, h, form, *rattle);
    });
  }

  std::vector<JudgedProblem> problems_;
};

}  // namespace

Reproducer reproduce_constrained(ForeignSubject& subject, const Judgement& judgement,
                                 const std::optional<RowId>& only) {
  return ConstrainedReproduction(subject, judgement).find(only);
}

}  // namespace livi::foreign_detail
