// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>

#include <livi/foreign/adaptive_steps.hpp>
#include <livi/foreign/built_in_methods.hpp>
#include <livi/foreign/diagnosis.hpp>
#include <livi/foreign/measured_text.hpp>
#include <livi/foreign/measurements.hpp>
#include <livi/foreign/number_text.hpp>
#include <livi/foreign/pipe_subject.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

std::string number(double x) { return number_text(x, NumberForm::decimal); }
std::string list(const std::vector<double>& x) {
  std::string text;
  for (const double entry : x) text += (text.empty() ? "" : ", ") + number(entry);
  return "(" + text + ")";
}
std::string point_text(const TimedPoint<double>& z) { return "q = " + list(z.q) + ", p = " + list(z.p); }

/// Problems from the simplest one upwards: a coordinate with each power, two with masses, and so on.
std::vector<JudgedProblem> small_problems(const JudgedProblem& last) {
  std::vector<JudgedProblem> all;
  const auto add = [&](std::vector<double> masses, std::initializer_list<std::pair<double, std::vector<int>>> terms) {
    JudgedProblem problem{.name = "", .masses = std::move(masses), .potential = {}};
    for (const auto& [coefficient, variables] : terms) problem.potential.add(coefficient, variables);
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

class Reproduction {
 public:
  Reproduction(ForeignSubject& subject, const Judgement& judgement)
      : subject_(subject),
        judgement_(judgement),
        last_(judged_problems({ProblemKind::mechanical}, judgement.seed, 0).generic.front()),
        measurements_(judgement.seed) {}

  Reproducer find(const std::string& only) {
    Reproducer result;
    if (!judgement_.declares.computes_in(NumberType::real) || !judgement_.declares.takes(ProblemKind::mechanical))
      return result;
    // What one step shows comes first, the order last.
    using Find = bool (Reproduction::*)();
    const std::vector<std::pair<const char*, Find>> ways{{"repetition", &Reproduction::repetition},
                                                         {"free particle", &Reproduction::free_particle},
                                                         {"constant force", &Reproduction::constant_force},
                                                         {"history", &Reproduction::history},
                                                         {"batch", &Reproduction::batch},
                                                         {"memory", &Reproduction::memory},
                                                         {"symmetric", &Reproduction::symmetric},
                                                         {"linear momentum", &Reproduction::linear_momentum},
                                                         {"angular momentum", &Reproduction::angular_momentum},
                                                         {"symplectic", &Reproduction::symplectic},
                                                         {"order of", &Reproduction::order},
                                                         {"order, negative", &Reproduction::order_backwards}};
    for (const auto& [test, way] : ways) {
      if (!only.empty() && only.rfind(test, 0) != 0) continue;
      const auto row = std::ranges::find_if(judgement_.rows, [&, name = std::string(test)](const JudgementRow& r) {
        return r.test.rfind(name, 0) == 0 && r.claim.verdict == Verdict::refuted && r.declared != "no";
      });
      if (row == judgement_.rows.end()) continue;
      try {
        if (!(this->*way)()) continue;
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

 private:
  /// Repeats a session in a process of its own, which is written down.
  void replay(const JudgedProblem& problem, const std::function<void(ForeignRun<double>&)>& session) {
    const auto anew = subject_.another();
    auto* pipe = dynamic_cast<PipeSubject*>(anew.get());
    Forces<double> forces(problem);
    session_ = pipe ? "> livi " + std::to_string(protocol_version) + "\n" : "";
    if (pipe) pipe->record(&session_);
    session(*anew->in_double(forces));
    if (pipe) pipe->record(nullptr);
    if (pipe) session_ += "> bye\n";
  }
  void describe(const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
    words_ = problem.name.rfind("V =", 0) == 0 ? problem.name : "V = " + problem.potential.text("q", problem.size());
    words_ += ", masses " + list(problem.masses) + "\nstart: " + point_text(z) + ", h = " + number(h) + "\n";
  }
  /// Calls `fails` on problems, starts and steps, small ones first, until it returns true.
  bool search(const std::vector<JudgedProblem>& problems,
              const std::function<bool(const JudgedProblem&, const TimedPoint<double>&, double)>& fails) {
    for (const JudgedProblem& problem : problems)
      for (const TimedPoint<double>& start : small_starts(problem))
        for (const double h : {1.0, 0.5, 0.25})
          if (fails(problem, start, h)) return true;
    return false;
  }
  TimedPoint<double> one_step(const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
    Forces<double> forces(problem);
    const auto run = subject_.in_double(forces);
    run->start(z);
    run->step(h, 1);
    return run->point();
  }
  static double difference(const TimedPoint<double>& a, const TimedPoint<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.q.size(); ++i)
      largest = std::max({largest, std::abs(a.q[i] - b.q[i]), std::abs(a.p[i] - b.p[i])});
    return largest;
  }
  /// A defect that a reader can see in the printed numbers.
  static constexpr double visible = 1e-9;

  bool free_particle() { return closed_form(1, false); }
  bool constant_force() { return closed_form(2, true); }
  bool closed_form(std::size_t problems, bool force) {
    const auto small = small_problems(last_);
    std::vector<JudgedProblem> chosen{small[problems - 1]};
    chosen.push_back(chosen.front());
    chosen.back().masses = {2};
    const bool second_order = judgement_.declares.order.value_or(1) >= 2;
    return search(chosen, [&](const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
      const double g = force ? 1 : 0, m = problem.masses[0];
      const TimedPoint<double> right{0, {z.q[0] + h * z.p[0] / m - h * h / 2 * g / m}, {z.p[0] - h * g}};
      TimedPoint<double> end = one_step(problem, z, h);
      if (!second_order && force) end.q = right.q;
      if (!(difference(end, right) > visible)) return false;
      describe(problem, z, h);
      words_ += "one step leads to " + point_text(end) + "\nthe motion leads to " + point_text(right) + "\n";
      replay(problem, [&](ForeignRun<double>& run) {
        run.start(z);
        run.step(h, 1);
      });
      return true;
    });
  }

  bool history() {
    return search(small_problems(last_), [&](const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
      TimedPoint<double> other = z;
      for (double& q : other.q) q += 1;
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
      words_ += "one step leads to " + point_text(fresh->point()) + "\nafter a step from " + point_text(other) +
                " it leads to " + point_text(run->point()) + "\n";
      replay(problem, [&](ForeignRun<double>& again) {
        again.start(other);
        again.step(h, 1);
        again.start(z);
        again.step(h, 1);
      });
      return true;
    });
  }

  bool repetition() {
    return search(small_problems(last_), [&](const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
      Forces<double> forces(problem);
      const auto run = subject_.in_double(forces);
      run->start(z);
      run->step(h, 1);
      const auto once = run->point();
      run->start(z);
      run->step(h, 1);
      if (difference(run->point(), once) == 0) return false;
      describe(problem, z, h);
      words_ += "one step leads to " + point_text(once) + "\nthe same step leads to " + point_text(run->point()) + "\n";
      replay(problem, [&](ForeignRun<double>& again) {
        for (int k = 0; k < 2; ++k) {
          again.start(z);
          again.step(h, 1);
        }
      });
      return true;
    });
  }

  bool batch() {
    return search(small_problems(last_), [&](const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
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
      words_ += "two steps at once lead to " + point_text(at_once) + "\none after the other they lead to " +
                point_text(run->point()) + "\n";
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

  bool memory() {
    return search(small_problems(last_), [&](const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
      Forces<double> forces(problem);
      const auto run = subject_.in_double(forces);
      run->start(z);
      run->step(h, 1);
      const auto middle = run->point();
      run->step(h / 2, 1);
      const auto on = run->point();
      const auto anew = one_step(problem, middle, h / 2);
      if (!(difference(on, anew) > visible)) return false;
      describe(problem, z, h);
      words_ += "one step leads to " + point_text(middle) + "\none of half the size goes on to " + point_text(on) +
                "\nstarted there, it leads to " + point_text(anew) + "\n";
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

  bool symmetric() {
    return search(small_problems(last_), [&](const JudgedProblem& problem, const TimedPoint<double>& z, double h) {
      const auto there = one_step(problem, z, h), back = one_step(problem, there, -h);
      if (!(difference(back, z) > visible)) return false;
      describe(problem, z, h);
      words_ += "a step of h leads to " + point_text(there) + "\na step of -h from there leads to " + point_text(back) +
                ", not to the start\n";
      replay(problem, [&](ForeignRun<double>& again) {
        again.start(z);
        again.step(h, 1);
        again.start(there);
        again.step(-h, 1);
      });
      return true;
    });
  }

  bool linear_momentum() { return momentum(false); }
  bool angular_momentum() { return momentum(true); }
  bool momentum(bool angular) {
    const JudgedProblem problem = small_symmetric_problem(angular);
    const MomentumMap& map = angular ? problem.angular.front() : problem.linear.front();
    return search({problem}, [&](const JudgedProblem&, const TimedPoint<double>& z, double h) {
      const auto value = [&](const TimedPoint<double>& at) {
        return angular ? at.q[0] * at.p[1] - at.q[1] * at.p[0] : at.p[0] + at.p[1];
      };
      const auto end = one_step(problem, z, h);
      if (!(std::abs(value(end) - value(z)) > visible)) return false;
      describe(problem, z, h);
      words_ += "one step leads to " + point_text(end) + "\n" + map.name + " = " + number(value(z)) + " becomes " +
                number(value(end)) + "\n";
      replay(problem, [&](ForeignRun<double>& again) {
        again.start(z);
        again.step(h, 1);
      });
      return true;
    });
  }

  bool symplectic() {
    // Differences of fourth order with variations of 1/256: areas are known to about 1e-10.
    constexpr double variation = 0x1p-8, visible_area = 1e-8;
    return search(small_problems(last_), [&](const JudgedProblem& given, const TimedPoint<double>& z, double h) {
      JudgedProblem problem = given;
      problem.start = z;
      problem.h = h;
      const auto n = static_cast<std::size_t>(problem.size());
      const auto varied = [&](std::size_t i, double by) {
        TimedPoint<double> from = z;
        (i < n ? from.q[i] : from.p[i - n]) += by;
        return from;
      };
      if (!(measurements_.loop_integral(subject_, problem, NumberType::real).value > visible)) return false;
      struct Form {
        double worst = -1, area = 0;
        std::size_t at = 0, beside = 0;
      };
      const auto form_after_a_step = [&](ForeignSubject& subject) {
        Form found;
        Forces<double> forces(problem);
        const auto run = subject.in_double(forces);
        std::vector<std::vector<double>> columns;
        for (std::size_t i = 0; i < 2 * n; ++i) {
          std::vector<double> column(2 * n, 0);
          for (const auto& [by, weight] : {std::pair(-2, 1), std::pair(-1, -8), std::pair(1, 8), std::pair(2, -1)}) {
            run->start(varied(i, by * variation));
            run->step(h, 1);
            const TimedPoint<double> end = run->point();
            for (std::size_t k = 0; k < n; ++k) {
              column[k] += weight * end.q[k] / (12 * variation);
              column[n + k] += weight * end.p[k] / (12 * variation);
            }
          }
          columns.push_back(std::move(column));
        }
        for (std::size_t i = 0; i < 2 * n; ++i)
          for (std::size_t j = i + 1; j < 2 * n; ++j) {
            double form = 0;
            for (std::size_t k = 0; k < n; ++k)
              form += columns[i][k] * columns[j][n + k] - columns[i][n + k] * columns[j][k];
            const double wrong = std::abs(form - (j == i + n ? 1 : 0));
            if (wrong > found.worst) found = {wrong, form, i, j};
          }
        return found;
      };
      const Form found = form_after_a_step(subject_);
      const double worst = found.worst, area = found.area;
      const std::size_t at = found.at, beside = found.beside;
      // What the differences leave of a step that is symplectic is no fault of this one.
      if (!(worst > 100 * form_after_a_step(*built_in_subject(built_in_verlet())).worst)) return false;
      if (!(worst > visible_area)) return false;
      const auto name = [&](std::size_t i) { return (i < n ? "q" : "p") + std::to_string(i % n + 1); };
      describe(problem, z, h);
      words_ += "dq ^ dp of small variations of " + name(at) + " and " + name(beside) + ": " +
                (beside == at + n ? "1" : "0") + " at the start, " + format("%.10g", area) + " after one step\n" +
                "(differences (8 (f(1) - f(-1)) - f(2) + f(-2)) / 12 of steps from " + name(at) + ", then " +
                name(beside) + ", varied by -2, -1, 1 and 2 times 1/256)\n";
      replay(problem, [&](ForeignRun<double>& again) {
        for (const std::size_t i : {at, beside})
          for (const double by : {-2.0, -1.0, 1.0, 2.0}) {
            again.start(varied(i, by * variation));
            again.step(h, 1);
          }
      });
      return true;
    });
  }

  bool order() { return order_over(1); }
  bool order_backwards() { return order_over(-1); }
  bool order_over(double time) {
    const int declared = judgement_.declares.order.value_or(0);
    for (const JudgedProblem& given : small_problems(last_))
      for (const TimedPoint<double>& z : small_starts(given)) {
        JudgedProblem problem = given;
        problem.start = z;
        problem.name += " from " + point_text(z);  // its motion is remembered under this name
        const auto exact = exact_motion(problem, point_in<Float50>(z), Float50(time), 1e-20);
        TimedPoint<double> right{time, {}, {}};
        for (const Float50& x : exact.q) right.q.push_back(x.convert_to<double>());
        for (const Float50& x : exact.p) right.p.push_back(x.convert_to<double>());
        // Two halvings at which the error falls too slowly, and not because it has met rounding.
        Forces<double> forces(problem);
        std::vector<double> errors;
        {
          const auto run = subject_.in_double(forces);
          for (const long steps : {16L, 32L, 64L}) {
            run->start(z);
            run->step(time / static_cast<double>(steps), steps);
            errors.push_back(difference(run->point(), right));
          }
        }
        const double least = std::pow(2.0, declared - 0.5);
        if (!(errors[2] > 1e-12 && errors[0] < errors[1] * least && errors[1] < errors[2] * least)) continue;
        describe(given, z, time / 8);
        words_ += format("the motion at t = %g: ", time) + point_text(right) + "\n";
        replay(problem, [&](ForeignRun<double>& again) {
          double before = 0;
          for (const long steps : {8L, 16L, 32L, 64L}) {
            again.start(z);
            again.step(time / static_cast<double>(steps), steps);
            const double error = difference(again.point(), right);
            words_ += format("after %ld steps the error is %.4g", steps, error);
            words_ += before > 0 ? format(", %.3g times smaller; order %d needs %.3g\n", before / error, declared,
                                          std::pow(2.0, declared))
                                 : std::string("\n");
            before = error;
          }
        });
        return true;
      }
    return false;
  }

  ForeignSubject& subject_;
  const Judgement& judgement_;
  JudgedProblem last_;
  Measurements measurements_;
  std::string words_, session_;
};

}  // namespace

Reproducer reproduce(ForeignSubject& subject, const Judgement& judgement, const std::string& only) {
  if (judgement.declares.takes(ProblemKind::adaptive)) return reproduce_adaptive_steps(subject, judgement, only);
  return Reproduction(subject, judgement).find(only);
}

}  // namespace livi
