// SPDX-License-Identifier: MIT
//
// The smallest case in which a refuted declaration fails, for rigid bodies.
#include <livi/judge/hints/reproduction.hpp>

#include <cmath>
#include <utility>

#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/rigid_bodies.hpp>
#include <livi/judge/problems/attitude.hpp>

namespace livi::foreign_detail {
namespace {

using Point = TimedPoint<double>;
JudgedProblem body(const std::vector<double>& moments, const Terms& potential) {
  return {.name = "small",
          .kind = ProblemKind::body,
          .masses = {moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]},
          .potential = polynomial(potential)};
}
/// From the simplest one upwards: free bodies, tops, and the fixed problems of the judge.
std::vector<JudgedProblem> small_bodies() {
  std::vector<JudgedProblem> all{body({1, 1, 1}, {}), body({1, 2, 2.5}, {}), body({1, 1, 1}, {{1, {8}}}),
                                 body({1, 2, 2.5}, {{1, {8}}}), body({1, 2, 2.5}, {{1, {6}}, {0.5, {8}}})};
  JudgedProblem with_product = body({2, 2, 2}, {});
  with_product.masses[1] = with_product.masses[3] = 0.5;
  all.push_back(std::move(with_product));
  JudgedBodies fixed = judged_bodies(1, 0);
  for (auto* list : {&fixed.generic, &fixed.tops})
    for (JudgedProblem& problem : *list) all.push_back(std::move(problem));
  return all;
}
/// Returns the momentum in the axes of space.
Three<double> in_space(const Point& z) { return times(taken<Nine<double>>(z.q), taken<Three<double>>(z.p)); }
double length(const Three<double>& x) { return std::sqrt(dot(x, x)); }

class BodyReproduction final : public Reproduction {
 public:
  BodyReproduction(ForeignSubject& subject, const Judgement& judgement)
      : Reproduction(subject, judgement, ProblemKind::body), problems_(small_bodies()) {
    steps_ = {0.5, 0.25, 0.125};  // longer ones may have no solution
  }

 private:
  std::vector<Way> ways() override {
    return {{TestId::repetition, [this] { return repetition(); }},
            {TestId::group, [this] { return group(); }},
            {TestId::rest, [this] { return rest(); }},
            {TestId::history, [this] { return history(); }},
            {TestId::batch, [this] { return batch(); }},
            {TestId::memory, [this] { return memory(); }},
            {TestId::start_of_time, [this] { return time_of_start(); }},
            {TestId::symmetric, [this] { return symmetric(); }},
            {TestId::symmetric_signs, [this] { return both_signs(); }},
            {TestId::size_of_momentum, [this] { return size_of_momentum(); }},
            {TestId::angular_momentum, [this] { return angular_momentum(); }},
            {TestId::symplectic, [this] { return symplectic(); }},
            {TestId::torque, [this] { return short_steps(); }},
            {TestId::short_steps, [this] { return short_steps(); }},
            {TestId::very_short_steps, [this] { return short_steps(); }},
            {TestId::order_q, [this] { return order(1); }},
            {TestId::order_negative, [this] { return order(-1); }}};
  }
  [[nodiscard]] const std::vector<JudgedProblem>& problems() const override { return problems_; }
  [[nodiscard]] std::vector<Point> starts(const JudgedProblem& problem) const override {
    if (!problem.start.q.empty()) return {problem.start};
    // The axes of space, those exchanged in a circle, and a turn of 3, 4, 5 about the first.
    const std::vector<double> none{1, 0, 0, 0, 1, 0, 0, 0, 1}, circle{0, 0, 1, 1, 0, 0, 0, 1, 0},
        turn{1, 0, 0, 0, 0.6, -0.8, 0, 0.8, 0.6};
    return {{0, none, {0, 0, 1}}, {0, circle, {1, 0, 0}}, {0, none, {1, 0.5, 0.25}}, {0, turn, {0.5, -1, 0.75}}};
  }
  [[nodiscard]] Point elsewhere(const JudgedProblem& problem, const Point& z) const override {
    const auto all = starts(problem);
    return all.size() == 1 ? problem.other_start : difference(all.back(), z) == 0 ? all[0] : all.back();
  }
  [[nodiscard]] Point motion(const JudgedProblem& problem, const Point& z, double time) const override {
    const auto exact = body_motion(problem, point_in<Float50>(z), Float50(time), 1e-19 * std::abs(time));
    return {time, in_double(exact.q), in_double(exact.p)};
  }
  [[nodiscard]] std::string closed_form(const JudgedProblem& problem, const Point& z) const override {
    const bool is_free_ball = problem.potential.terms.empty() && problem.masses[0] == 1 && problem.masses[4] == 1;
    if (!is_free_ball) return "";
    return z.p[0] == 0 ? "the motion is a turn by t about the third axis, and mu is constant\n"
                       : "the motion is R exp(t hat(mu)), and mu is constant\n";
  }
  [[nodiscard]] std::string text_of_problem(const JudgedProblem& problem) const override {
    std::string text = problem.potential.text("R", 9);
    // R1 ... R9 are R11 ... R33, by rows.
    for (std::size_t at = text.find('R'); at != std::string::npos; at = text.find('R', at + 1)) {
      const int which = text[at + 1] - '1';
      text.replace(at + 1, 1, std::to_string(which / 3 + 1) + std::to_string(which % 3 + 1));
    }
    const auto& inertia = problem.masses;
    const bool is_diagonal = inertia[1] == 0 && inertia[2] == 0 && inertia[5] == 0;
    return "V = " + text +
           (is_diagonal ? ", moments of inertia " + text_of(std::vector<double>{inertia[0], inertia[4], inertia[8]})
                        : ", inertia " + rows_of(inertia));
  }
  [[nodiscard]] std::string text_of_point(const Point& z) const override {
    return "R = " + rows_of(z.q) + ", mu = " + text_of(z.p);
  }
  static std::string rows_of(const std::vector<double>& matrix) {
    std::string text;
    for (std::size_t i = 0; i < 9; ++i) text += (i == 0 ? "(" : i % 3 == 0 ? "; " : ", ") + text_of(matrix[i]);
    return text + ")";
  }

  bool group() {
    return search([&](const JudgedProblem& problem, const Point& z, double h) {
      for (const long steps : {1L, 128L}) {
        const auto r = taken<Nine<double>>(after(problem, z, h, steps).q);
        Nine<double> square = product(transposed(r), r);
        for (const std::size_t i : {0U, 4U, 8U}) square[i] -= 1;
        const double turned = determinant(r) - 1;
        if (!(worse(extent_of(listed(square)), std::abs(turned)) > visible_ * static_cast<double>(steps))) continue;
        return show_change(problem, z, h, steps,
                           "R'R - 1 = " + rows_of(listed(square)) + ", det R - 1 = " + text_of(turned) + " there");
      }
      return false;
    });
  }

  bool rest() {
    return search({problems_[0], problems_[1]}, [&](const JudgedProblem& problem, const Point& from, double h) {
      Point z = from;
      z.p = {0, 0, 0};
      if (!(difference(after(problem, z, h), z) > visible_)) return false;
      return show_change(problem, z, h, 1, "nothing moves this body");
    });
  }

  bool size_of_momentum() {
    return search({problems_[0], problems_[1]}, [&](const JudgedProblem& problem, const Point& z, double h) {
      for (long steps = 1; steps <= 64; steps *= 2) {
        const double before = length(taken<Three<double>>(z.p)),
                     now = length(taken<Three<double>>(after(problem, z, h, steps).p));
        if (!(std::abs(now - before) > visible_)) continue;
        return show_change(problem, z, h, steps, "|mu| = " + text_of(before) + " becomes " + text_of(now));
      }
      return false;
    });
  }

  bool angular_momentum() {
    const std::vector<JudgedProblem> symmetric(problems_.begin(), problems_.begin() + 5);
    return search(symmetric, [&](const JudgedProblem& problem, const Point& z, double h) {
      const bool is_free = problem.potential.terms.empty();
      const Three<double> before = in_space(z), now = in_space(after(problem, z, h)), change = sum(now, -1.0, before);
      if (!((is_free ? extent_of(listed(change)) : std::abs(change[2])) > visible_)) return false;
      const auto text = [&](const Three<double>& x) { return is_free ? text_of(listed(x)) : text_of(x[2]); };
      return show_change(problem, z, h, 1,
                         (is_free ? "the momentum in space, R mu = " : "its part about the vertical, (R mu)_3 = ") +
                             text(before) + " becomes " + text(now));
    });
  }

  bool symplectic() {
    const auto splitting = built_in_subject(built_in_body_splitting());
    const BodyMeasurements measurements(judgement_.seed);
    return search([&](const JudgedProblem& given, const Point& z, double h) {
      JudgedProblem problem = given;
      problem.start = z;
      problem.h = h;
      if (!(measurements.loop_integral(subject_, problem).value > visible_)) return false;
      Form form{6, {}, {}, "the sum of dR_ij ^ dP_ij, P = R hat(mu) / 2,", [](const Point& at) { return at.q; }, {}};
      form.momenta = [](const Point& at) {
        const auto p = product(taken<Nine<double>>(at.q), hat(taken<Three<double>>(at.p)));
        return listed(sum(Nine<double>{}, 0.5, p));
      };
      form.varied = [&](std::size_t i, double by) {
        Point from = z;
        Three<double> x{};
        if (i < 3) {
          x[i] = by;
          from.q = listed(product(taken<Nine<double>>(z.q), cayley(x)));
        } else {
          from.p[i - 3] += by;
        }
        return from;
      };
      form.name = [](std::size_t i) { return (i < 3 ? "a turn about axis " : "mu") + std::to_string(i % 3 + 1); };
      return form_changes(problem, z, h, form, *splitting);
    });
  }

  std::vector<JudgedProblem> problems_;
};

}  // namespace

Reproducer reproduce_bodies(ForeignSubject& subject, const Judgement& judgement, const std::optional<RowId>& only) {
  return BodyReproduction(subject, judgement).find(only);
}

}  // namespace livi::foreign_detail
