// SPDX-License-Identifier: MIT
//
// One file, for it is one class, and each of its searches is a few lines that stand on those of the others.
#include <livi/judge/hints/reproduction.hpp>

#include <algorithm>
#include <cmath>

#include <livi/judge/doors/written_session.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/method/declared_accuracy.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi::foreign_detail {

std::string text_of(double x) { return number_text(x, NumberForm::decimal); }
std::string text_of(const std::vector<double>& x) {
  std::string text;
  for (const double entry : x) text += (text.empty() ? "" : ", ") + text_of(entry);
  return "(" + text + ")";
}

DyadicPolynomial polynomial(const Terms& terms) {
  DyadicPolynomial sum;
  for (const auto& [coefficient, variables] : terms) sum.add(coefficient, variables);
  return sum;
}
Terms unit_circle() { return {{1, {0, 0}}, {1, {1, 1}}, {-1, {}}}; }
Terms unit_rod() { return {{1, {0, 0}}, {-2, {0, 2}}, {1, {2, 2}}, {1, {1, 1}}, {-2, {1, 3}}, {1, {3, 3}}, {-1, {}}}; }
double value_of(const MomentumMap& map, const TimedPoint<double>& z) {
  double sum = 0;
  for (std::size_t i = 0; i < map.b.size(); ++i) sum += map.b[i] * z.p[i];
  for (std::size_t i = 0; i < map.a.size(); ++i)
    for (std::size_t j = 0; j < map.a.size(); ++j) sum += map.a[i][j] * z.q[i] * z.p[j];
  return sum;
}

Reproduction::Reproduction(ForeignSubject& subject, const Judgement& judgement, ProblemKind kind)
    : subject_(subject), judgement_(judgement), kind_(kind), visible_(allowed(judgement.declares, 1e-9)) {}

bool Reproduction::is_of_this_kind(const RowId& row) const {
  using enum ProblemKind;
  if (judgement_.declares.kinds.size() == 1) return true;
  if (row.kind == body || row.kind == constrained) return kind_ == row.kind;
  if (row.kind == langevin || row.kind == constrained_langevin) return false;  // these are of its own reproduction
  // The rows of reach are of mechanical problems alone: where one is confirmed, those of another kind refute the property.
  if (row.test == TestId::symplectic_reach || row.test == TestId::symmetric_reach) return kind_ == mechanical;
  if (kind_ == mechanical && (row == RowId(TestId::symplectic) || row == RowId(TestId::symmetric))) {
    const RowId reach = row.test == TestId::symplectic ? TestId::symplectic_reach : TestId::symmetric_reach;
    for (const JudgementRow& other : judgement_.rows)
      if (other.id == reach &&
          (other.claim.verdict == Verdict::confirmed || other.claim.verdict == Verdict::confirmed_with_limits))
        return false;
  }
  return kind_ != constrained && kind_ != body;
}

Reproducer Reproduction::find(const std::optional<RowId>& only) {
  Reproducer result;
  if (!judgement_.declares.computes_in(NumberType::real) || !judgement_.declares.takes(kind_)) return result;
  const std::vector<Way> all = ways();
  // The way of a row is that of its test, or else of its property.
  const auto way_of = [&](TestId test) {
    auto found = std::ranges::find(all, test, &Way::test);
    if (found == all.end()) found = std::ranges::find(all, property_of(test), &Way::test);
    return found == all.end() ? nullptr : &*found;
  };
  using enum TestId;
  const bool carries_over = carries_something_over();
  for (const Way& way : all) {
    // What is carried from run to run would show in a case, and not where it is repeated.
    if (carries_over && way.test != repetition && way.test != history && way.test != batch && way.test != memory)
      continue;
    // The first step of a method with a memory is none of those that follow, of which these properties are.
    if (judgement_.declares.memory && (way.test == symmetric || way.test == symmetric_signs || way.test == symplectic))
      continue;
    const auto row = std::ranges::find_if(judgement_.rows, [&](const JudgementRow& r) {
      return (!only || r.id == *only) && way_of(r.id.test) == &way && is_of_this_kind(r.id) &&
             r.claim.verdict == Verdict::refuted && r.declared != "no";
    });
    if (row == judgement_.rows.end()) continue;
    normals_.clear();
    try {
      if (!way.find()) continue;
    } catch (const ForeignRefusal&) {
      continue;
    }
    result.test = row->test;
    result.words = words_;
    result.session = session_;
    return result;
  }
  return result;
}

bool Reproduction::carries_something_over() const {
  const auto fresh = subject_.another();
  for (const JudgedProblem& problem : problems())
    for (const Point& z : starts(problem)) try {
        Forces<double> forces(problem);
        const auto run = fresh->in_double(forces);
        run->start(z);
        run->step(steps_[0], 1);
        static_cast<void>(after(problem, elsewhere(problem, z), steps_[1], 3));
        const Point end = after(problem, z, steps_[0]);
        if (difference(end, run->point()) != 0) return true;
      } catch (const ForeignRefusal&) {
        continue;
      }
  return false;
}

Reproduction::Point Reproduction::elsewhere(const JudgedProblem& problem, const Point& z) const {
  static_cast<void>(problem);
  Point other = z;
  for (double& q : other.q) q += 1;
  return other;
}
std::string Reproduction::closed_form(const JudgedProblem& problem, const Point& z) const {
  static_cast<void>(problem);
  static_cast<void>(z);
  return "";
}
Reproduction::Point Reproduction::reduced(const JudgedProblem& problem, const Point& z) const {
  static_cast<void>(problem);
  return z;
}
std::string Reproduction::text_of_problem(const JudgedProblem& problem) const {
  return "V = " + problem.potential.text("q", problem.size()) + ", masses " + text_of(problem.masses);
}
std::string Reproduction::text_of_point(const Point& z) const {
  return "q = " + text_of(z.q) + ", p = " + text_of(z.p);
}

bool Reproduction::search(const std::vector<JudgedProblem>& problems, const Fails& fails) const {
  for (const JudgedProblem& problem : problems)
    for (const Point& start : starts(problem))
      for (const double h : steps_) try {
          if (fails(problem, start, h)) return true;
        } catch (const ForeignRefusal&) {
          continue;
        }
  return false;
}

Reproduction::Point Reproduction::after(const JudgedProblem& problem, const Point& z, double h, long steps) const {
  Forces<double> forces(problem);
  forces.normals = normals_;
  const auto run = subject_.in_double(forces);
  run->start(z);
  run->step(h, steps);
  return run->point();
}

void Reproduction::replay(const JudgedProblem& problem, const std::function<void(ForeignRun<double>&)>& session) {
  session_ = written_session(subject_, problem, session, normals_);
}

void Reproduction::describe(const JudgedProblem& problem, const Point& z, double h) {
  words_ = text_of_problem(problem) + "\nstart: " + text_of_point(z) + ", h = " + text_of(h) + "\n";
}

std::string Reproduction::reached(const JudgedProblem& problem, const Point& z) const {
  const Point counts = reduced(problem, z);
  return text_of_point(z) + (difference(counts, z) > 1e-12 ? ", of which p = " + text_of(counts.p) + " counts" : "");
}

bool Reproduction::show_change(const JudgedProblem& problem, const Point& z, double h, long steps,
                               const std::string& what, const std::optional<Point>& seen) {
  const Point end = seen ? *seen : after(problem, z, h, steps);
  Point again;
  replay(problem, [&](ForeignRun<double>& run) {
    run.start(z);
    run.step(h, steps);
    again = run.point();
  });
  if (difference(again, end) != 0) return false;
  describe(problem, z, h);
  words_ += (steps == 1 ? "one step leads to " : std::to_string(steps) + " steps lead to ") + text_of_point(end) +
            "\n" + what + "\n";
  return true;
}

double Reproduction::difference(const Point& a, const Point& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) largest = std::max(largest, std::abs(a.q[i] - b.q[i]));
  for (std::size_t i = 0; i < a.p.size(); ++i) largest = std::max(largest, std::abs(a.p[i] - b.p[i]));
  return largest;
}

bool Reproduction::repetition() {
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    run->start(z);
    run->step(h, 1);
    const auto once = run->point();
    run->start(z);
    run->step(h, 1);
    if (difference(run->point(), once) == 0) return false;
    describe(problem, z, h);
    words_ +=
        "one step leads to " + text_of_point(once) + "\nthe same step leads to " + text_of_point(run->point()) + "\n";
    replay(problem, [&](ForeignRun<double>& again) {
      for (int k = 0; k < 2; ++k) {
        again.start(z);
        again.step(h, 1);
      }
    });
    return true;
  });
}

bool Reproduction::history() {
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    const Point other = elsewhere(problem, z);
    const auto anew = subject_.another();
    Forces<double> forces(problem), fresh_forces(problem);
    const auto fresh = anew->in_double(fresh_forces);
    fresh->start(z);
    fresh->step(h, 1);
    const auto run = subject_.in_double(forces);
    run->start(other);
    run->step(h, 1);
    run->start(z);
    run->step(h, 1);
    if (difference(run->point(), fresh->point()) == 0) return false;
    describe(problem, z, h);
    words_ += "one step leads to " + text_of_point(fresh->point()) + "\nafter a step from " + text_of_point(other) +
              " it leads to " + text_of_point(run->point()) + "\n";
    replay(problem, [&](ForeignRun<double>& again) {
      again.start(other);
      again.step(h, 1);
      again.start(z);
      again.step(h, 1);
    });
    return true;
  });
}

bool Reproduction::batch() {
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    run->start(z);
    run->step(h, 2);
    const auto at_once = run->point();
    run->start(z);
    run->step(h, 1);
    run->step(h, 1);
    if (difference(run->point(), at_once) == 0) return false;
    describe(problem, z, h);
    words_ += "two steps at once lead to " + text_of_point(at_once) + "\none after the other they lead to " +
              text_of_point(run->point()) + "\n";
    replay(problem, [&](ForeignRun<double>& again) {
      again.start(z);
      again.step(h, 2);
      again.start(z);
      again.step(h, 1);
      again.step(h, 1);
    });
    return true;
  });
}

bool Reproduction::memory() {
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    run->start(z);
    run->step(h, 1);
    const auto middle = run->point();
    run->step(h / 2, 1);
    const auto on = run->point();
    const auto anew = after(problem, middle, h / 2);
    if (!(difference(on, anew) > visible_)) return false;
    describe(problem, z, h);
    words_ += "one step leads to " + text_of_point(middle) + "\none of half the size goes on to " + text_of_point(on) +
              "\nstarted there, it leads to " + text_of_point(anew) + "\n";
    replay(problem, [&](ForeignRun<double>& again) {
      again.start(z);
      again.step(h, 1);
      again.step(h / 2, 1);
      again.start(middle);
      again.step(h / 2, 1);
    });
    return true;
  });
}

bool Reproduction::constraint() {
  return zero_after_steps(
      [](const JudgedProblem& problem, const Point& z) { return Manifold<double>(problem).values(z.q); }, "g(q)");
}
bool Reproduction::hidden_constraint() {
  return zero_after_steps(
      [](const JudgedProblem& problem, const Point& z) {
        const Manifold<double> manifold(problem);
        return manifold.velocities_across(manifold.normals(z.q), z.p);
      },
      "Dg M^-1 p");
}
bool Reproduction::zero_after_steps(
    const std::function<std::vector<double>(const JudgedProblem&, const Point&)>& values, const std::string& name) {
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    for (long steps = 1; steps <= 64; steps *= 2) {
      const std::vector<double> now = values(problem, after(problem, z, h, steps));
      if (!(extent_of(now) > visible_)) continue;
      return show_change(problem, z, h, steps, name + " = " + text_of(now) + " there");
    }
    return false;
  });
}

bool Reproduction::time_of_start() {
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    Point late = z;
    late.t = 1024;
    const Point end = after(problem, z, h), other = after(problem, late, h);
    if (difference(end, other) == 0) return false;
    describe(problem, z, h);
    words_ += "one step from t = 0 leads to " + text_of_point(end) + "\none from t = 1024 leads to " +
              text_of_point(other) + "\n";
    replay(problem, [&](ForeignRun<double>& again) {
      for (const Point& from : {z, late}) {
        again.start(from);
        again.step(h, 1);
      }
    });
    return true;
  });
}

namespace {

/// Returns whether T(-p) = T(p) and V(q, -t) = V(q, t).
bool is_even(const JudgedProblem& problem) {
  const auto is_odd = [](int exponent) { return exponent % 2 == 1; };
  return std::ranges::none_of(problem.potential.terms,
                              [&](const Monomial& term) {
                                return !term.factors.empty() && term.factors.back().first == problem.size() &&
                                       is_odd(term.factors.back().second);
                              }) &&
         std::ranges::none_of(problem.kinetic.terms, [&](const Monomial& term) {
           int degree = 0;
           for (const auto& [variable, exponent] : term.factors) degree += exponent;
           return is_odd(degree);
         });
}

}  // namespace

bool Reproduction::symmetric() {
  const bool forward = judgement_.declares.forward;
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    if (forward && !is_even(problem)) return false;
    const Point end = after(problem, z, h), there = forward ? turned(reduced(problem, end)) : reduced(problem, end);
    // Where a step leads far away, rounding comes back enlarged.
    constexpr double far = 64;
    if (!(difference(reduced(problem, end), z) < far)) return false;
    const double h_back = forward ? h : -h;
    const Point back = after(problem, there, h_back), start = forward ? turned(z) : z;
    if (!(difference(reduced(problem, back), start) > visible_)) return false;
    describe(problem, z, h);
    words_ += "a step of h leads to " + reached(problem, end) +
              (forward ? "\na step of h from there, with the momenta turned, leads to " + reached(problem, back) +
                             ", not to the start with its momenta turned\n"
                       : "\na step of -h from there leads to " + reached(problem, back) + ", not to the start\n");
    replay(problem, [&](ForeignRun<double>& again) {
      again.start(z);
      again.step(h, 1);
      again.start(there);
      again.step(h_back, 1);
    });
    return true;
  });
}

bool Reproduction::both_signs() {
  return search([&](const JudgedProblem& problem, const Point& z, double h) {
    if (!is_even(problem)) return false;
    const Point back = after(problem, z, -h), forth = after(problem, turned(z), h);
    if (!(difference(reduced(problem, back), turned(reduced(problem, forth))) > visible_)) return false;
    describe(problem, z, h);
    words_ += "a step of -h leads to " + reached(problem, back) + "\na step of h with the momenta" +
              (z.t != 0 ? " and the time" : "") + " turned leads to " + reached(problem, forth) +
              ", which differs by more than the sign of the momenta\n";
    replay(problem, [&](ForeignRun<double>& again) {
      again.start(z);
      again.step(-h, 1);
      again.start(turned(z));
      again.step(h, 1);
    });
    return true;
  });
}

bool Reproduction::short_steps(const std::vector<double>& signs, int powers) {
  for (const JudgedProblem& problem : problems())
    for (const Point& z : starts(problem))
      for (const double sign : signs) try {
          std::vector<double> sizes, errors;  // of single steps
          for (double h = sign / 4; std::abs(h) >= 0x1p-18; h /= 4) {
            sizes.push_back(h);
            errors.push_back(difference(reduced(problem, after(problem, z, h)), motion(problem, z, h)));
            if (sizes.size() < 3) continue;
            for (int power = 1; power <= powers; ++power)
              if (are_in_proportion(sizes, errors, power)) {
                show_short_steps(problem, z, {sizes.end() - 3, sizes.end()}, {errors.end() - 3, errors.end()}, power);
                return true;
              }
          }
        } catch (const ForeignRefusal&) {
          continue;
        }
  return false;
}

namespace {

double share_of(double error, double h, int power) { return error / std::pow(std::abs(h), power); }

}  // namespace

bool Reproduction::are_in_proportion(const std::vector<double>& sizes, const std::vector<double>& errors,
                                     int power) const {
  std::vector<double> shares;
  for (std::size_t k = sizes.size() - 3; k < sizes.size(); ++k) {
    if (!(errors[k] > visible_error(sizes[k]))) return false;
    shares.push_back(share_of(errors[k], sizes[k], power));
  }
  // Those of a step that follows the equations, or is of the order, are four times smaller at least, or grow by as much where
  // they are rounding.
  const auto is_near = [](double a, double b) { return a < 1.5 * b && b < 1.5 * a; };
  return is_near(shares[0], shares[1]) && is_near(shares[1], shares[2]);
}

void Reproduction::show_short_steps(const JudgedProblem& problem, const Point& z, const std::vector<double>& sizes,
                                    const std::vector<double>& errors, int power) {
  describe(problem, z, sizes[0]);
  words_ += closed_form(problem, z);
  words_ += "the motion over h leads to " + text_of_point(motion(problem, z, sizes[0])) + "\n";
  replay(problem, [&](ForeignRun<double>& again) {
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      again.start(z);
      again.step(sizes[k], 1);
      if (k == 0) words_ += "one step leads to " + reached(problem, again.point()) + "\n";
      words_ += format("one step of %.9g: the error over the step", sizes[k]) +
                (power == 1 ? std::string() : format("'s power %d", power)) +
                format(" is %.4g\n", share_of(errors[k], sizes[k], power));
    }
  });
  words_ += "with the step it would go to zero if the step " +
            (power == 1 ? std::string("followed the equations")
                        : format("were of order %d", judgement_.declares.order.value_or(power))) +
            "\n";
}

bool Reproduction::order(double time) {
  const int declared = judgement_.declares.order.value_or(0);
  // Below this errors are rounding, or what a declared tolerance leaves.
  const double least_error = allowed(judgement_.declares, 1e-12), least = std::pow(2.0, declared - 0.5);
  for (const JudgedProblem& problem : problems())
    for (const Point& z : starts(problem)) try {
        const Point right = motion(problem, z, time);
        // Two halvings at which the error falls too slowly, and not because it has met rounding.
        std::vector<double> errors;
        for (const long steps : {16L, 32L, 64L})
          errors.push_back(
              difference(reduced(problem, after(problem, z, time / static_cast<double>(steps), steps)), right));
        if (!(errors[2] > least_error && errors[0] < errors[1] * least && errors[1] < errors[2] * least)) continue;
        describe(problem, z, time / 8);
        words_ += closed_form(problem, z);
        words_ += format("the motion at t = %g: ", z.t + time) + text_of_point(right) + "\n";
        replay(problem, [&](ForeignRun<double>& again) {
          double before = 0;
          for (const long steps : {8L, 16L, 32L, 64L}) {
            again.start(z);
            again.step(time / static_cast<double>(steps), steps);
            const double error = difference(reduced(problem, again.point()), right);
            words_ += format("after %ld steps the error is %.4g", steps, error);
            if (before > 0)
              words_ += ", " + times_smaller(before / error) +
                        format("; order %d needs %.3g", declared, std::pow(2.0, declared));
            words_ += "\n";
            before = error;
          }
        });
        return true;
      } catch (const ForeignRefusal&) {
        continue;
      }
  return false;
}

namespace {

/// Differences of fourth order with variations of 1/256: areas are known to about 1e-10.
constexpr double variation = 0x1p-8;
double rounded(double area) { return std::abs(area) < 1e-12 ? 0 : area; }

}  // namespace

bool Reproduction::form_changes(const JudgedProblem& problem, const Point& z, double h, const Form& form,
                                ForeignSubject& right) {
  struct Found {
    double worst = -1, before = 0, after = 0;
    std::size_t at = 0, beside = 0;
  };
  using Map = std::function<Point(const Point&)>;
  const auto slopes_of = [&](const Map& map, double size) {
    std::vector<std::pair<std::vector<double>, std::vector<double>>> slopes;
    for (std::size_t i = 0; i < form.variations; ++i) {
      auto& [q, p] = slopes.emplace_back();
      for (const auto& [by, weight] : {std::pair(-2, 1), std::pair(-1, -8), std::pair(1, 8), std::pair(2, -1)}) {
        const Point end = map(form.varied(i, by * size));
        for (const auto& [to, numbers] : {std::pair(&q, form.positions(end)), {&p, form.momenta(end)}}) {
          to->resize(numbers.size(), 0.0);
          for (std::size_t k = 0; k < numbers.size(); ++k) (*to)[k] += weight * numbers[k] / (12 * size);
        }
      }
    }
    return slopes;
  };
  const auto change = [&](ForeignSubject& subject, double size) {
    Forces<double> forces(problem);
    const auto run = subject.in_double(forces);
    const Map stay = [](const Point& from) { return from; };
    const Map step = [&](const Point& from) {
      run->start(from);
      run->step(h, 1);
      return run->point();
    };
    const auto start = slopes_of(stay, size), end = slopes_of(step, size);
    const auto pair = [](const auto& slopes, std::size_t i, std::size_t j) {
      double sum = 0;
      for (std::size_t k = 0; k < slopes[i].first.size(); ++k)
        sum += slopes[i].first[k] * slopes[j].second[k] - slopes[i].second[k] * slopes[j].first[k];
      return sum;
    };
    Found found;
    for (std::size_t i = 0; i < form.variations; ++i)
      for (std::size_t j = i + 1; j < form.variations; ++j) {
        const double before = pair(start, i, j), after = pair(end, i, j), wrong = std::abs(after - before);
        if (wrong > found.worst) found = {wrong, before, after, i, j};
      }
    return found;
  };
  const Found found = change(subject_, variation);
  // What the differences leave of a step that is symplectic is no fault of this one; nor, of areas, is what they make of a
  // tolerance.
  if (!(found.worst > std::max(16 * visible_, 100 * change(right, variation).worst))) return false;
  // With variations of a quarter of the size it falls by 2^8; what a step does to the form does not change.
  if (!(change(subject_, variation / 4).worst > found.worst / 2)) return false;
  describe(problem, z, h);
  words_ += form.text + " of small variations of " + form.name(found.at) + " and " + form.name(found.beside) + ": " +
            format("%.9g at the start, %.9g after one step\n", rounded(found.before), rounded(found.after)) +
            "(differences (8 (f(1) - f(-1)) - f(2) + f(-2)) / 12 of steps from " + form.name(found.at) + ", then " +
            form.name(found.beside) + ", varied by -2, -1, 1 and 2 times 1/256)\n";
  replay(problem, [&](ForeignRun<double>& again) {
    for (const std::size_t i : {found.at, found.beside})
      for (const double by : {-2.0, -1.0, 1.0, 2.0}) {
        again.start(form.varied(i, by * variation));
        again.step(h, 1);
      }
  });
  return true;
}

}  // namespace livi::foreign_detail
