// SPDX-License-Identifier: MIT
//
// Measurements: what a step depends on beside its start and its size, and what it evaluates.
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace livi {
using namespace foreign_detail;

namespace {

/// Returns the number of entries that differ; no number where one of them is none, which is equal to nothing.
template <class S>
double differing(const TimedPoint<S>& a, const TimedPoint<S>& b) {
  const auto x = joined(a), y = joined(b);
  double count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] == x[i] && y[i] == y[i])) return not_a_number;
    if (!(x[i] == y[i])) ++count;
  }
  return count;
}

/// The steps of a run in floating point; fractions grow with every step.
template <class S>
constexpr int steps_of_run = std::is_same_v<S, Rational> ? 3 : 15;

/// Makes steps that change in size and, if the method goes back, in sign, one by one.
template <class S>
void walk(const ForeignSubject& subject, ForeignRun<S>& run, const JudgedProblem& problem, int steps) {
  constexpr std::array<double, 3> shares{1, -0.5, 0.75};
  for (int k = 0; k < steps; ++k)
    run.step(S(subject.declares().possible_step(problem.h * shares[static_cast<std::size_t>(k % 3)])), 1);
}

/// Returns another start for a problem: the first one turned by one place.
template <class S>
TimedPoint<S> another_start(const JudgedProblem& problem) {
  if (!problem.other_start.q.empty()) return point_in<S>(problem.other_start);
  TimedPoint<double> z = problem.start;
  for (auto* x : {&z.q, &z.p})
    for (double& entry : *x) entry = 0.75 * entry + 0.125;
  z.t += 0.25;
  return point_in<S>(z);
}

}  // namespace

Measured Measurements::repetition(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem), other_forces(problem);
    const auto start = point_in<S>(problem.start);
    const auto run = subject.in<S>(forces);
    run->start(start);
    walk(subject, *run, problem, steps_of_run<S>);
    const auto other = subject.another();
    const auto repeated = other->in<S>(other_forces);
    repeated->start(start);
    walk(subject, *repeated, problem, steps_of_run<S>);
    return {differing(run->point(), repeated->point()), problem.name};
  });
}

Measured Measurements::batch(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    const auto start = point_in<S>(problem.start);
    const S h(problem.h / 16);  // a hundred of them are no long time
    double different = 0;
    for (const int count :
         std::is_same_v<S, Rational> ? std::vector<int>{3} : std::vector<int>{2, 3, 10, 15, 16, 100}) {
      const auto at_once = after(*run, start, h, count);
      run->start(start);
      for (int k = 0; k < count; ++k) run->step(h, 1);
      different += differing(at_once, run->point());
    }
    return {different, problem.name};
  });
}

Measured Measurements::history(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem), fresh_forces(problem), later_forces(problem);
    const S h(problem.h);
    const auto start = point_in<S>(problem.start);
    const auto run = subject.in<S>(forces);
    run->start(another_start<S>(problem));
    walk(subject, *run, problem, 2);
    const auto later = after(*run, start, h, 2);
    const auto other = subject.another();
    const auto fresh = other->in<S>(fresh_forces);
    const auto end = after(*fresh, start, h, 2);
    const double differ = differing(later, end);
    if (differ > 0 || problem.kind == ProblemKind::separable) return {differ, problem.name};
    // A process that has made steps of a problem with other masses makes the same ones: what a method keeps of a problem is of no
    // other one.
    JudgedProblem heavier = problem;
    for (double& m : heavier.masses) m *= 2;
    Forces<S> heavier_forces(heavier);
    const auto used = subject.another();
    try {
      const auto before = used->in<S>(heavier_forces);
      before->start(start);
      walk(subject, *before, heavier, 2);
    } catch (const ProblemRefused&) {
      return {differ, problem.name};
    }
    const auto behind = used->in<S>(later_forces);
    return {differing(after(*behind, start, h, 2), end), problem.name + ", after one with masses twice as large"};
  });
}

Measured Measurements::memory(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    std::vector<TimedPoint<S>> points;
    run->start(point_in<S>(problem.start));
    // Steps of one size, in which a method of several steps needs those before, and of changing size; and of one size with
    // both signs, for what is kept may go by the square of h.
    std::vector<double> steps, divisors{1, -1, 2};
    if constexpr (!std::is_same_v<S, Rational>) {
      // A method with a declared memory may begin with fifteen steps of a starting procedure.
      divisors.assign(subject.declares().memory ? 17 : 4, 1.0);
      divisors.insert(divisors.end(), {2, 3, 1, -1});
    }
    points.push_back(run->point());
    for (const double divisor : divisors) {
      const double h = subject.declares().possible_step(problem.h / divisor);
      run->step(S(h), 1);
      // A method of several steps may not be stable with such steps. Those before it grows show its memory.
      constexpr double far = 0x1p20;
      if (subject.declares().memory && !steps.empty() && !(size_of(run->point()) < far)) break;
      steps.push_back(h);
      points.push_back(run->point());
    }
    Measured worst{0, problem.name};
    for (std::size_t at = 0; at < steps.size(); ++at) {
      const auto anew = joined(after(*run, points[at], S(steps[at]), 1)), on = joined(points[at + 1]);
      for (std::size_t i = 0; i < on.size(); ++i) {
        const double difference = size_of(S(anew[i] - on[i])) / size_of(points[at + 1]);
        if (is_worse(difference, worst.value)) worst.value = difference;
      }
    }
    return worst;
  });
}

Measured Measurements::after_many_steps(ForeignSubject& subject, const JudgedProblem& problem) {
  constexpr long steps = 20000, looks = 32, between = (steps - 1000) / looks, at_once = 100;
  const double h = problem.h / 64;  // a method that is not stable is still near the motion
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  DrawnNumbers random(seed_ ^ 0x1a7e5U);
  run->start(problem.start);
  struct Look {
    long made, next;
    TimedPoint<double> there, on;
  };
  std::vector<Look> seen;
  long made = 0;
  const auto look_after = [&](long count, long next) {
    for (long left = count - made; left > 0; left -= at_once) run->step(h, std::min(left, at_once));
    TimedPoint<double> there = run->point();
    run->step(h, next);
    made = count + next;
    seen.push_back({count, next, std::move(there), run->point()});
  };
  // Counts that no method can know, odd ones and even ones by turns: what is wrong may be so for a while, or every other time.
  for (long k = 0; k < looks; ++k) {
    const long count = 1000 + k * between + static_cast<long>(random.below(static_cast<unsigned>(between - 2)));
    look_after(count + (count + k) % 2, 1);
  }
  // More than a thousand of them without a gap: what is wrong may be so once in as many. Sixteen together are a quarter of h,
  // in which roundings hardly grow.
  for (int k = 0; k < 64; ++k) look_after(std::max(made, steps), 16);
  Measured worst{0, problem.name};
  for (const Look& look : seen) {
    const auto on = joined(look.on), anew = joined(after(*run, look.there, h, look.next));
    double largest = 0;
    for (std::size_t i = 0; i < on.size(); ++i) largest = worse(largest, std::abs(on[i] - anew[i]));
    largest /= size_of(look.there);
    if (is_worse(largest, worst.value)) worst = {largest, problem.name + ", after " + counted(look.made, "step")};
  }
  return worst;
}

Measured Measurements::start_of_time(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto from = [&](double t) {
      // Each in a run of its own: what a start does not forget is another row's.
      const auto run = subject.in<S>(forces);
      auto start = point_in<S>(problem.start);
      start.t = S(t);
      run->start(start);
      walk(subject, *run, problem, 8);
      return run->point();
    };
    const auto now = from(0);
    Measured worst{0, problem.name};
    for (const double t : {1024.0, -3.0}) {
      const double different = differing(now, from(t));
      if (is_worse(different, worst.value)) worst = {different, problem.name + format(", from t = %g", t)};
    }
    return worst;
  });
}

Measured Measurements::gradients(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    static_cast<void>(begin(subject, *run, point_in<S>(problem.start), S(problem.h)));
    run->step(S(problem.h), 1);
    long least = std::numeric_limits<long>::max(), most = 0;
    for (int k = 0; k < (std::is_same_v<S, Rational> ? 2 : 64); ++k) {
      const long before = forces.gradients;
      run->step(S(problem.h), 1);
      least = std::min(least, forces.gradients - before);
      most = std::max(most, forces.gradients - before);
    }
    if (least != most) return {not_a_number, format("%ld to %ld in a step", least, most)};
    return {static_cast<double>(most), format("%ld in each step after the first", most)};
  });
}

Measured Measurements::other_evaluations(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    run->start(point_in<S>(problem.start));
    run->step(S(problem.h), 1);
    const long hessians = forces.hessians, thirds = forces.thirds, values = forces.values;
    run->step(S(problem.h), 1);
    return {static_cast<double>(forces.hessians + forces.thirds + forces.values - hessians - thirds - values),
            "in a step: " + counted(forces.hessians - hessians, "Hessian") + ", " +
                counted(forces.thirds - thirds, "third derivative") + ", " + counted(forces.values - values, "value")};
  });
}

std::string Measurements::why_refused(ForeignSubject& subject, const JudgedProblem& problem) {
  std::string why;
  in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    try {
      static_cast<void>(subject.in<S>(forces));
    } catch (const ProblemRefused& refused) {
      why = refused.what();
    }
    return {0};
  });
  return why;
}

std::string Measurements::why_no_step(ForeignSubject& subject, const std::vector<const JudgedProblem*>& problems) {
  std::string first;
  // A long step may have no solution.
  for (const double share : {1.0, 0x1p-6, 0x1p-16})
    for (const JudgedProblem* const problem : problems) {
      std::string why;
      in_first_type(subject, [&]<class S>(S) -> Measured {
        Forces<S> forces(*problem);
        try {
          const auto run = subject.in<S>(forces);
          run->start(point_in<S>(problem->start));
          const S h(share * step_of<S>(*problem));
          run->step(h, 1);
          why = not_finite_after(run->point(), 1, h, *problem);
          if (!why.empty() && first.empty()) first = "inconclusive: " + why;
        } catch (const ForeignRefusal& refusal) {
          why = refusal.what();
        }
        return {0};
      });
      if (why.empty()) return "";
      if (first.empty()) first = "no step could be made; the first: " + why;
    }
  return first;
}

std::string Measurements::why_nothing_is_saved(ForeignSubject& subject, const JudgedProblem& problem) {
  std::string why;
  in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    try {
      const auto run = subject.in<S>(forces);
      run->start(point_in<S>(problem.start));
      if (!run->save()) why = "it has no text for it";
    } catch (const ForeignRefusal& refusal) {
      why = refusal.what();
    }
    return {0};
  });
  return why;
}

Measured Measurements::restart(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem), other_forces(problem);
    const auto run = subject.in<S>(forces);
    constexpr bool fractions = std::is_same_v<S, Rational>;
    const int before = fractions ? 1 : 7;
    TimedPoint<double> start = problem.start;
    // A time of all bits and digits: fewer of them are another time.
    if (!fractions) start.t += 1.0 / 3;
    run->start(point_in<S>(start));
    walk(subject, *run, problem, before);
    const std::optional<std::string> saved = run->save();
    if (!saved) throw ForeignRefusal("it saves nothing");
    walk(subject, *run, problem, before);
    const auto other = subject.another();
    const auto continued = other->in<S>(other_forces);
    continued->restore(*saved);
    walk(subject, *continued, problem, before);
    const auto end = run->point();
    const double elsewhere = differing(end, continued->point());
    // Also where it has a run of its own behind it.
    run->restore(*saved);
    walk(subject, *run, problem, before);
    const double here = differing(end, run->point());
    return {elsewhere + here, problem.name + (here > elsewhere ? ", in the process that has gone on" : "")};
  });
}

}  // namespace livi
