// SPDX-License-Identifier: MIT
#include <cmath>

#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/hints/reproduction.hpp>
#include <livi/judge/measures/adaptive_steps.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/method/declared_accuracy.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Problems of a kind from the simplest one upwards: a coordinate with each power, two with masses, and so on; with forces of
/// time, or with kinetic energies that are not quadratic nor even, where the kind is such.
std::vector<JudgedProblem> small_problems(ProblemKind kind, std::uint64_t seed) {
  std::vector<JudgedProblem> all;
  const auto add = [&](std::vector<double> masses, const Terms& terms, const Terms& kinetic = {}) {
    JudgedProblem problem{.name = "",
                          .kind = kind,
                          .masses = std::move(masses),
                          .potential = polynomial(terms),
                          .kinetic = polynomial(kinetic)};
    problem.name = "V = " + problem.potential.text("q", problem.size());
    all.push_back(std::move(problem));
  };
  const Terms nothing{}, constant{{1, {0}}}, spring{{0.5, {0, 0}}}, cubic{{0.5, {0, 0}}, {1, {0, 0, 0}}},
      quartic{{0.5, {0, 0}}, {0.25, {0, 0, 0, 0}}}, two{{0.5, {0, 0}}, {0.5, {1, 1}}, {1, {0, 0, 1}}};
  if (kind == ProblemKind::separable) {
    add({1}, nothing, spring);
    add({1}, constant, spring);
    add({1}, spring, spring);
    add({1}, nothing, quartic);
    add({1}, nothing, cubic);
    add({1}, spring, quartic);
    add({1}, spring, cubic);
    add({1}, cubic, spring);
    add({1}, cubic, quartic);
    add({1, 1}, two, two);
  } else {
    constexpr int t = 1;
    const bool timed = kind == ProblemKind::timed;
    add({1}, nothing);
    add({1}, constant);
    if (timed) {
      add({1}, {{1, {0, t}}});
      add({1}, {{1, {0, t, t}}});
    }
    add({1}, spring);
    if (timed) add({1}, {{0.5, {0, 0, t}}});
    add({2}, spring);
    add({1}, cubic);
    add({1}, quartic);
    add({1, 1}, two);
    add({1, 2}, two);
    if (!timed) add({1, 2}, {{0.5, {0, 0}}, {0.5, {1, 1}}, {1, {0, 0, 1}}, {0.25, {0, 0, 0, 0}}});
  }
  all.push_back(judged_problems({kind}, seed, 0).generic.front());
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
  if (problem.kind == ProblemKind::timed) {
    starts.push_back(starts.front());
    starts.back().t = 1;
  }
  if (!problem.start.q.empty()) starts.push_back(problem.start);
  return starts;
}

/// The search on problems of the kinds mechanical, timed and separable.
class MechanicalReproduction final : public Reproduction {
 public:
  MechanicalReproduction(ForeignSubject& subject, const Judgement& judgement, ProblemKind kind)
      : Reproduction(subject, judgement, kind),
        problems_(small_problems(kind, judgement.seed)),
        measurements_(judgement.seed) {
    steps_.push_back(1.0 / 3);  // of all bits and digits
  }

 private:
  std::vector<Way> ways() override {
    std::vector<Way> all{{TestId::repetition, [this] { return repetition(); }},
                         {TestId::free_particle, [this] { return free_particle(); }},
                         {TestId::history, [this] { return history(); }},
                         {TestId::batch, [this] { return batch(); }},
                         {TestId::memory, [this] { return memory(); }},
                         {TestId::precision, [this] { return precision(); }},
                         {TestId::symmetric, [this] { return symmetric(); }},
                         {TestId::symmetric_signs, [this] { return both_signs(); }},
                         {TestId::symplectic, [this] { return symplectic(); }},
                         {TestId::order_q, [this] { return single_steps(1) || order(1); }},
                         {TestId::order_negative, [this] { return single_steps(-1) || order(-1); }}};
    // Rows that are of one of the kinds alone.
    const auto early = all.begin() + 2;
    if (kind_ == ProblemKind::timed) all.insert(early, {TestId::forces_of_time, [this] { return force_of_time(); }});
    if (kind_ == ProblemKind::mechanical) {
      all.insert(early, {TestId::constant_force, [this] { return constant_force(); }});
      const auto late = std::ranges::find(all, TestId::symplectic, &Way::test);
      all.insert(late, {{TestId::linear_momentum, [this] { return momentum(false); }},
                        {TestId::angular_momentum, [this] { return momentum(true); }}});
    }
    return all;
  }
  [[nodiscard]] const std::vector<JudgedProblem>& problems() const override { return problems_; }
  [[nodiscard]] std::vector<Point> starts(const JudgedProblem& problem) const override { return small_starts(problem); }
  [[nodiscard]] Point elsewhere(const JudgedProblem& problem, const Point& z) const override {
    Point other = Reproduction::elsewhere(problem, z);
    if (kind_ == ProblemKind::timed) other.t += 1;
    return other;
  }
  [[nodiscard]] std::string text_of_problem(const JudgedProblem& problem) const override {
    if (kind_ != ProblemKind::separable) return Reproduction::text_of_problem(problem);
    // Masses mean nothing beside T.
    return "T = " + problem.kinetic.text("p", problem.size()) + ", V = " + problem.potential.text("q", problem.size());
  }
  [[nodiscard]] std::string text_of_point(const Point& z) const override {
    const std::string time = kind_ == ProblemKind::timed ? "t = " + text_of(z.t) + ", " : "";
    return time + Reproduction::text_of_point(z);
  }
  /// Numbers are of order one, and motions known to all digits. A method has some dozens of coefficients with 16 digits.
  [[nodiscard]] double visible_error(double h) const override {
    static_cast<void>(h);
    return exact_;
  }
  [[nodiscard]] Point motion(const JudgedProblem& given, const Point& z, double time) const override {
    JudgedProblem problem = given;
    problem.start = z;
    problem.name += " from " + text_of_point(z);  // its motion is remembered under this name
    const auto exact = exact_motion(problem, point_in<Float50>(z), Float50(time), 1e-20);
    Point end{z.t + time, in_double(exact.q), in_double(exact.p)};
    // What the computation of the motion leaves of a zero.
    for (std::vector<double>* x : {&end.q, &end.p})
      for (double& entry : *x)
        if (std::abs(entry) < 1e-20) entry = 0;
    return end;
  }

  bool free_particle() {
    std::vector<JudgedProblem> chosen;
    for (const JudgedProblem& problem : problems_)
      if (problem.size() == 1 && problem.potential.terms.empty()) chosen.push_back(problem);
    if (kind_ != ProblemKind::separable) {
      for (const double mass : {2.0, 1.0 / 3}) {
        chosen.push_back(chosen.back());
        chosen.back().masses = {mass};
      }
    }
    return search(chosen, [&](const JudgedProblem& problem, const Point& z, double h) {
      const double v = Forces<double>(problem).velocity(z.p)[0];
      return is_elsewhere(problem, z, h, {z.t + h, {z.q[0] + h * v}, z.p});
    });
  }
  bool constant_force() {
    std::vector<JudgedProblem> chosen(3, problems_[1]);
    chosen[1].masses = {2};
    chosen[2].masses = {1.0 / 3};  // of all bits and digits
    const bool second_order = judgement_.declares.order.value_or(1) >= 2;
    return search(chosen, [&](const JudgedProblem& problem, const Point& z, double h) {
      const double m = problem.masses[0];
      return is_elsewhere(problem, z, h, {0, {z.q[0] + h * z.p[0] / m - h * h / 2 / m}, {z.p[0] - h}}, second_order);
    });
  }
  /// A force t^k, k below the order, of which the momentum is known in closed form.
  bool force_of_time() {
    const int order = std::min(judgement_.declares.order.value_or(1), 4);
    // A time of few digits is no other where they are all that it has.
    for (const double later : {0.0, 1.0 / 3})
      for (int k = 0; k < order; ++k) {
        std::vector<int> variables(static_cast<std::size_t>(k) + 1, 1);
        variables.front() = 0;
        const JudgedProblem problem{.name = "a force of time",
                                    .kind = ProblemKind::timed,
                                    .masses = {1},
                                    .potential = polynomial({{-1, variables}})};
        const bool found = search({problem}, [&](const JudgedProblem&, Point z, double h) {
          z.t += later;
          const double change = (std::pow(z.t + h, k + 1) - std::pow(z.t, k + 1)) / (k + 1);
          return is_elsewhere(problem, z, h, {z.t + h, z.q, {z.p[0] + change}}, false);
        });
        if (found) return true;
      }
    return false;
  }
  /// Shows a step that does not lead where the motion does, in its momentum alone if positions do not count.
  bool is_elsewhere(const JudgedProblem& problem, const Point& z, double h, Point right, bool positions_count = true) {
    const Point end = after(problem, z, h);
    if (!positions_count) right.q = end.q;
    if (!(difference(end, right) > exact_)) return false;
    return show_change(problem, z, h, 1,
                       "the motion leads to " + (positions_count ? text_of_point(right) : "p = " + text_of(right.p)),
                       end);
  }

  /// A step from rest on a spring that is so short that the momentum is -h times the gradient, and the position what it was.
  bool precision() {
    JudgedProblem problem{.name = "a spring",
                          .kind = kind_,
                          .masses = {1},
                          .potential = polynomial({{0.5, {0, 0}}}),
                          .kinetic = polynomial({{0.5, {0, 0}}})};
    if (kind_ != ProblemKind::separable) problem.kinetic = {};
    for (const double q : {1.0, 1.0 / 3})
      for (const double h : {0x1p-26, -0x1p-26}) try {
          if (h < 0 && judgement_.declares.forward) continue;
          const Point z{0, {q}, {0}}, end = after(problem, z, h);
          if (!(std::abs(end.q[0] - q) > exact_ * q || std::abs(end.p[0] + h * q) > exact_ * std::abs(h) * q)) continue;
          return show_change(problem, z, h, 1,
                             "but for a share of h^2 the motion leads to q = " + text_of(z.q) +
                                 ", p = -h dV/dq = " + text_of(std::vector<double>{-h * q}),
                             end);
        } catch (const ForeignRefusal&) {
          continue;
        }
    return false;
  }

  /// Errors of single steps that fall by too low a power. The first step of a method with a memory is none of those that follow.
  bool single_steps(double sign) {
    return !judgement_.declares.memory && short_steps({sign}, judgement_.declares.order.value_or(0));
  }

  bool momentum(bool angular) {
    const JudgedProblem problem = small_symmetric_problem(angular);
    const MomentumMap& map = angular ? problem.angular.front() : problem.linear.front();
    return search({problem}, [&](const JudgedProblem&, const Point& z, double h) {
      const Point end = after(problem, z, h);
      const double before = value_of(map, z), now = value_of(map, end);
      if (!(std::abs(now - before) > visible_)) return false;
      return show_change(problem, z, h, 1, map.name + " = " + text_of(before) + " becomes " + text_of(now), end);
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
  /// A step whose closed form is known is wrong by more than its coefficients' last digits, or what is declared.
  const double exact_ = allowed(judgement_.declares, 0x1p-44);
};

}  // namespace

Reproducer reproduce(ForeignSubject& subject, const Judgement& judgement, const std::optional<RowId>& only) {
  if (judgement.declares.takes(ProblemKind::adaptive)) return reproduce_adaptive_steps(subject, judgement, only);
  Reproducer found;
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable})
    if (found.test.empty()) found = MechanicalReproduction(subject, judgement, kind).find(only);
  if (found.test.empty()) found = reproduce_constrained(subject, judgement, only);
  if (found.test.empty()) found = reproduce_bodies(subject, judgement, only);
  if (found.test.empty()) found = reproduce_baths(subject, judgement, only);
  return found;
}

}  // namespace livi
