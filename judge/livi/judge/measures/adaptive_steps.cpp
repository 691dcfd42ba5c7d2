// SPDX-License-Identifier: MIT
//
// One file, for what is measured here is measured of the same runs, whose steps and clock a method chooses.
#include <livi/judge/measures/adaptive_steps.hpp>

#include <algorithm>
#include <cmath>

#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

constexpr double half_an_ulp = 0x1p-53;

/// The subject's run with the time among the coordinates.
class ClockedRun final : public ForeignRun<double> {
 public:
  ClockedRun(ForeignSubject& subject, const JudgedProblem& problem)
      : forces_(problem), run_(subject.in_double(forces_)) {}
  void start(const TimedPoint<double>& z) override {
    run_->start({z.q.back(), {z.q.begin(), z.q.end() - 1}, {z.p.begin(), z.p.end() - 1}, -z.p.back()});
  }
  void step(const double& h, long count) override { run_->step(h, count); }
  TimedPoint<double> point() override {
    TimedPoint<double> z = run_->point();
    z.q.push_back(z.t);
    z.p.push_back(forces_.problem().kind == ProblemKind::extended ? -z.energy : 0);
    return z;
  }
  std::optional<std::string> save() override { return run_->save(); }
  void restore(const std::string& text) override { run_->restore(text); }

 private:
  Forces<double> forces_;
  std::unique_ptr<ForeignRun<double>> run_;
};

class ClockedSubject final : public ForeignSubject {
 public:
  ClockedSubject(ForeignSubject& subject, const JudgedProblem& problem)
      : subject_(&subject), problem_(&problem), declaration_(subject.declares()) {
    // What it keeps has no starting procedure: its first steps are judged, too.
    declaration_.memory = false;
  }
  ClockedSubject(std::unique_ptr<ForeignSubject> owned, const JudgedProblem& problem)
      : ClockedSubject(*owned, problem) {
    owned_ = std::move(owned);
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>&) override {
    return std::make_unique<ClockedRun>(*subject_, *problem_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<ClockedSubject>(subject_->another(), *problem_);
  }

 private:
  std::unique_ptr<ForeignSubject> owned_;
  ForeignSubject* subject_;
  const JudgedProblem* problem_;
  ForeignDeclaration declaration_;
};

/// Forces that are no numbers.
class NoForces final : public Forces<double> {
 public:
  using Forces<double>::Forces;
  std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
    return none(Forces<double>::gradient(t, q));
  }
  std::vector<double> hessian(const double& t, const std::vector<double>& q) override {
    return none(Forces<double>::hessian(t, q));
  }
  std::vector<double> third(const double& t, const std::vector<double>& q, const std::vector<double>& a,
                            const std::vector<double>& b) override {
    return none(Forces<double>::third(t, q, a, b));
  }
  double value(const double& t, const std::vector<double>& q) override {
    return Forces<double>::value(t, q) * not_a_number;
  }

 private:
  static std::vector<double> none(std::vector<double> x) {
    std::ranges::fill(x, not_a_number);
    return x;
  }
};

double distance_between(const std::vector<double>& a, const std::vector<Float50>& b) {
  Float50 sum(0);
  for (std::size_t i = 0; i < b.size(); ++i) sum += (Float50(a[i]) - b[i]) * (Float50(a[i]) - b[i]);
  return sqrt(sum).convert_to<double>();
}

double largest_of(const TimedPoint<double>& z) {
  double largest = 0;
  for (const auto* x : {&z.q, &z.p})
    for (const double entry : *x) largest = worse(largest, std::abs(entry));
  return largest;
}

}  // namespace

JudgedProblem below_zero(const JudgedProblem& problem) {
  JudgedProblem lower = problem;
  lower.kind = ProblemKind::adaptive;
  // V <= H on the motion; what is left is for variations of the start.
  const double energy = Forces<double>(lower).energy(lower.start);
  lower.potential.add(-std::exp2(std::ceil(std::log2(std::max(energy, 0.0) + 2))), {});
  return lower;
}

JudgedProblem elongated_orbit() {
  JudgedProblem problem{.name = "an elongated orbit", .kind = ProblemKind::adaptive, .masses = {1, 1}, .potential = {}};
  problem.potential.add(0.25, {0, 0, 0, 0}).add(0.5, {0, 0, 1, 1}).add(0.25, {1, 1, 1, 1});
  problem.start = {0, {2, 0}, {0, 0.25}};
  problem.h = 0x1p-4;
  return below_zero(problem);
}

JudgedProblem for_adaptive_steps(ForeignSubject& subject, const JudgedProblem& problem, ProblemKind kind) {
  JudgedProblem scaled = problem;
  scaled.kind = kind;
  Forces<double> forces(scaled);
  scaled.start.energy = forces.energy(scaled.start);
  const auto run = subject.in_double(forces);
  run->start(scaled.start);
  // So short that sigma is that of the start.
  constexpr double first = 0x1p-20;
  run->step(first, 1);
  const double density = std::abs(run->point().t - problem.start.t) / first;
  // Where this is no length, the rows that need a step say what is wrong.
  if (std::isfinite(density) && density > 0) scaled.h = problem.h / std::exp2(std::round(std::log2(density)));
  return scaled;
}

JudgedProblem orbit_for_adaptive_steps(ForeignSubject& subject) {
  JudgedProblem scaled = for_adaptive_steps(subject, elongated_orbit(), ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  run->start(scaled.start);
  // A turn from the outermost point and back takes 2.6; where steps at it are the shortest, others are far longer.
  const double h = scaled.h / 16;
  double t = scaled.start.t, longest = 0;
  for (int k = 0; k < 4096 && t < scaled.start.t + 4; ++k) {
    run->step(h, 1);
    longest = std::max(longest, run->point().t - t);
    t = run->point().t;
  }
  if (longest > 0 && std::isfinite(longest))
    scaled.h = h * std::exp2(std::round(std::log2(elongated_orbit().h / longest)));
  return scaled;
}

std::unique_ptr<ForeignSubject> clock_as_coordinate(ForeignSubject& subject, const JudgedProblem& problem) {
  return std::make_unique<ClockedSubject>(subject, problem);
}

JudgedProblem with_clock(const JudgedProblem& problem) {
  JudgedProblem clocked = problem;
  clocked.masses.push_back(1);
  clocked.start.q.push_back(problem.start.t);
  clocked.start.p.push_back(problem.kind == ProblemKind::extended ? -problem.start.energy : 0);
  return clocked;
}

MeasuredOrder order_in_time(ForeignSubject& subject, const JudgedProblem& problem, double time) {
  JudgedProblem whole = problem;
  whole.h = problem.h / std::exp2(std::ceil(std::log2(problem.h)));  // about 1, of as many bits
  const JudgedProblem scaled = for_adaptive_steps(subject, whole, ProblemKind::adaptive);
  const TimedPoint<Float50> there = exact_motion(scaled, point_in<Float50>(scaled.start), Float50(time), 1e-21);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  std::vector<MeasuredError> errors;
  MeasuredOrder result{not_a_number, not_a_number};
  // A method need not have long steps, and where its steps differ much the coarsest ones lead far beyond the time: the
  // first three sizes may be left out.
  constexpr int coarsest = 3, needed = 6, finest = 9;
  for (int level = coarsest; level <= finest; ++level) {
    const double h = std::copysign(std::ldexp(scaled.h, -level), time);
    const long most = 64L << level;
    TimedPoint<double> end = scaled.start;
    long steps = 0;
    try {
      run->start(scaled.start);
      for (; (end.t - scaled.start.t) * time < 1 && steps < most; ++steps) {
        run->step(h, 1);
        end = run->point();
      }
    } catch (const ForeignRefusal&) {
      if (level >= needed) throw;
      errors.clear();
      continue;
    }
    const double reached = (end.t - scaled.start.t) * time;
    if (!(reached >= 1 && reached < 1.5) || !std::isfinite(largest_of(end))) {
      errors.clear();
      if (level < needed && reached >= 1) continue;
      result.why_undecided = counted(steps, "step") + format(" of %g end at the time %.3g", h, end.t);
      return result;
    }
    const Float50 rest = Float50(end.t) - Float50(scaled.start.t) - Float50(time);
    const TimedPoint<Float50> exact = exact_motion(scaled, there, rest, 1e-21);
    double size = 1;
    for (const auto* x : {&exact.q, &exact.p})
      for (const Float50& entry : *x) size = std::max(size, std::abs(entry.convert_to<double>()));
    // Runs end within a step of 1; the error per time is smooth. An error of 300 roundings, which add up like a random
    // walk, is right to a hundredth.
    errors.push_back({distance_between(end.q, exact.q) / reached, distance_between(end.p, exact.p) / reached,
                      300 * half_an_ulp * size * std::sqrt(static_cast<double>(steps))});
    result.table +=
        format("%sh = %.4g: %.2g", result.table.empty() ? "" : ", ", h, std::max(errors.back().q, errors.back().p));
    if (std::max(errors.back().q, errors.back().p) < errors.back().floor / 4) break;
  }
  settle_order(result, errors);
  return result;
}

Measured error_of_the_clock(ForeignSubject& subject) {
  JudgedProblem problem{.name = "two oscillators under a constant force",
                        .kind = ProblemKind::adaptive,
                        .masses = {1, 2},
                        .potential = {}};
  problem.potential.add(0.75, {0}).add(-0.5, {1}).add(0.5, {0, 0}).add(0.25, {0, 1}).add(1, {1, 1}).add(-8, {});
  constexpr double h = 0x1p-26;
  Measured worst{-1};
  std::string left_out;
  for (const bool moves : {true, false}) {
    problem.start = {0, {0, 0}, {0, 0}};
    if (moves) problem.start.p = {0.75, -1.25};
    Forces<double> forces(problem);
    const auto run = subject.in_double(forces);
    TimedPoint<double> end;
    try {
      run->start(problem.start);
      run->step(h, 1);
      end = run->point();
    } catch (const ForeignRefusal& refusal) {
      // Some densities have no value at rest, or without a velocity that changes.
      left_out = format("; %s: ", moves ? "moving" : "at rest") + refusal.what();
      continue;
    }
    const std::vector<double> g = problem.potential.gradient(std::vector<double>{0, 0, 0}, 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const double m = problem.masses[i], v = problem.start.p[i] / m;
      const double expected = moves ? end.t * (v - end.t * g[i] / (2 * m)) : -end.t * g[i];
      const double relative = std::abs((moves ? end.q[i] : end.p[i]) / expected - 1);
      if (is_worse(relative, worst.value))
        worst = {relative, format("%s of body %d is %.15g times what it is after the time %.6g",
                                  moves ? "the way" : "the momentum", static_cast<int>(i) + 1,
                                  (moves ? end.q[i] : end.p[i]) / expected, end.t)};
    }
  }
  if (worst.value < 0) throw ForeignRefusal(left_out.substr(2));
  worst.note += left_out;
  return worst;
}

Measured steps_against_time(ForeignSubject& subject, const JudgedProblem& problem) {
  const JudgedProblem scaled = for_adaptive_steps(subject, problem, ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  double against = 0;
  std::string note = problem.name;
  for (const double direction : {1.0, -1.0}) {
    run->start(scaled.start);
    double t = scaled.start.t;
    for (int k = 0; k < 48; ++k) {
      run->step(direction * scaled.h / 4, 1);
      const double next = run->point().t;
      if (!(direction * next > direction * t)) {
        if (++against == 1) note += format(", h = %g: from the time %.17g to %.17g", direction * scaled.h / 4, t, next);
      }
      t = next;
    }
  }
  return {against, note};
}

Measured range_of_steps(ForeignSubject& subject) {
  const JudgedProblem scaled = orbit_for_adaptive_steps(subject);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  run->start(scaled.start);
  double t = scaled.start.t, shortest = infinity, longest = 0;
  for (int k = 0; k < 512; ++k) {
    run->step(scaled.h, 1);
    const double dt = std::abs(run->point().t - t);
    t = run->point().t;
    shortest = std::isnan(dt) ? dt : std::min(shortest, dt);
    longest = worse(longest, dt);
  }
  return {longest / shortest,
          format("steps from %.3g to %.3g in the time %.3g; h = %g", shortest, longest, t, scaled.h)};
}

Measured reversal_in_time(ForeignSubject& subject, const JudgedProblem& problem) {
  const JudgedProblem scaled = for_adaptive_steps(subject, problem, ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  constexpr long steps = 4;
  // Without another start between, what the method keeps beside its state has to come back, too, and then leads to the same
  // end again. A method without a memory could have one, of the way that it came.
  run->start(scaled.start);
  run->step(scaled.h, steps);
  const TimedPoint<double> there = run->point();
  if (!subject.declares().memory) run->start(there);
  run->step(-scaled.h, steps);
  const TimedPoint<double> back = run->point();
  run->step(scaled.h, steps);
  const TimedPoint<double> again = run->point();
  double relative = 0;
  for (const auto& [a, b] : {std::pair(back, scaled.start), std::pair(again, there)}) {
    relative = worse(relative, std::abs(a.t - b.t) / (1 + std::abs(there.t - scaled.start.t)));
    for (std::size_t i = 0; i < b.q.size(); ++i)
      for (const double x : {a.q[i] - b.q[i], a.p[i] - b.p[i]})
        relative = worse(relative, std::abs(x) / worse(largest_of(scaled.start), largest_of(there)));
  }
  std::string note = problem.name + format(", %ld steps and back: %.3g ulps", steps, relative / (2 * half_an_ulp));
  const auto density = [&](double h) {
    run->start(scaled.start);
    run->step(h, 1);
    return (run->point().t - scaled.start.t) / h;
  };
  if (relative > 0x1p-33 && std::abs(density(scaled.h) / density(scaled.h / 2) - 1) < 0x1p-48)
    note +=
        "; by its clock a step of h/2 is exactly half as long as one of h, as where its length comes from the start "
        "alone: "
        "a symmetric rule knows both ends";
  return {relative, note};
}

Measured later_by_the_clock(ForeignSubject& subject, const JudgedProblem& problem) {
  JudgedProblem scaled = for_adaptive_steps(subject, problem, ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  constexpr long steps = 32;
  const auto end_from = [&](double later) {
    TimedPoint<double> z = scaled.start;
    z.t += later;
    run->start(z);
    run->step(scaled.h / 4, steps);
    TimedPoint<double> end = run->point();
    end.t -= later;
    return end;
  };
  const TimedPoint<double> now = end_from(0), later = end_from(1024);
  // In units of the number of steps: each of them rounds the time.
  double largest = std::abs(later.t - now.t) / steps;
  for (std::size_t i = 0; i < now.q.size(); ++i)
    for (const double x : {later.q[i] - now.q[i], later.p[i] - now.p[i]})
      largest = worse(largest, std::abs(x) / largest_of(now));
  return {largest, problem.name};
}

Measured short_step_in_time(ForeignSubject& subject, const JudgedProblem& problem) {
  JudgedProblem brief = problem;
  brief.start.t = 0;  // so that the clock has all of its bits
  brief.h = 0x1p-20;
  const JudgedProblem scaled = for_adaptive_steps(subject, brief, ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  const std::vector<double> g = forces.gradient(0, scaled.start.q);
  double speed = 0, force = 0, error_of_q = 0, error_of_p = 0;
  for (const double direction : {1.0, -1.0}) {
    run->start(scaled.start);
    run->step(direction * scaled.h, 1);
    const TimedPoint<double> end = run->point();
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double m = scaled.masses[i], v = scaled.start.p[i] / m;
      speed = worse(speed, std::abs(v));
      force = worse(force, std::abs(g[i]));
      error_of_q = worse(error_of_q, std::abs((end.q[i] - scaled.start.q[i]) / end.t - v + 0.5 * end.t * g[i] / m));
      error_of_p = worse(error_of_p, std::abs((end.p[i] - scaled.start.p[i]) / end.t + g[i]));
    }
  }
  return {worse(error_of_q / speed, error_of_p / force),
          problem.name + format(": errors of %.3g of the velocity, and of %.3g of the force, in a step of %.3g",
                                error_of_q / speed, error_of_p / force, scaled.h)};
}

Measured ways_of_single_steps(ForeignSubject& subject, const JudgedProblem& problem) {
  Measured worst{0, problem.name};
  for (const double length : {0x1p-17, 0x1p-15, 0x1p-13}) {
    JudgedProblem brief = problem;
    brief.start.t = 0;
    brief.h = length;
    const JudgedProblem scaled = for_adaptive_steps(subject, brief, ProblemKind::adaptive);
    Forces<double> forces(scaled);
    const auto run = subject.in_double(forces);
    const std::vector<double> g = forces.gradient(0, scaled.start.q);
    double speed = 0;
    for (std::size_t i = 0; i < g.size(); ++i) speed = worse(speed, std::abs(scaled.start.p[i] / scaled.masses[i]));
    for (const double direction : {1.0, -1.0}) {
      run->start(scaled.start);
      run->step(direction * scaled.h, 1);
      const TimedPoint<double> end = run->point();
      for (std::size_t i = 0; i < g.size(); ++i) {
        const double m = scaled.masses[i], v = scaled.start.p[i] / m;
        const double wrong = std::abs((end.q[i] - scaled.start.q[i]) / end.t - v + 0.5 * end.t * g[i] / m);
        const double value = wrong / speed / (end.t * end.t);
        if (is_worse(value, worst.value))
          worst = {value,
                   problem.name + format(": an error of %.3g of the velocity in a step of %.3g, which takes %.3g",
                                         wrong / speed, direction * scaled.h, end.t)};
      }
    }
  }
  return worst;
}

Measured bits_of_steps(ForeignSubject& subject, const JudgedProblem& problem) {
  JudgedProblem brief = problem;
  brief.start.t = 0;
  brief.h = 0x1p-26;
  const JudgedProblem scaled = for_adaptive_steps(subject, brief, ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  const auto density = [&](double h) {
    double length = 0;
    for (const double direction : {1.0, -1.0}) {
      run->start(scaled.start);
      run->step(direction * h, 1);
      length += direction * run->point().t;
    }
    return length / (2 * h);
  };
  const double of_a_power = density(scaled.h);
  Measured worst{-1};
  for (const double share : {1.1, 1.2345678901234567, 1.4142135623730951, 1.9}) {
    const double ratio = density(scaled.h * share) / of_a_power;
    if (is_worse(std::abs(ratio - 1), worst.value))
      worst = {std::abs(ratio - 1),
               problem.name + format(": a step of h = %.17g is %.17g times as long, over h, as one of %g",
                                     scaled.h * share, ratio, scaled.h)};
  }
  return worst;
}

Measured clock_in_the_limit(ForeignSubject& subject, const JudgedProblem& problem) {
  JudgedProblem brief = problem;
  brief.start.t = 0;
  brief.h = problem.h / 4;
  const JudgedProblem scaled = for_adaptive_steps(subject, brief, ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  double speed = 0, force = 0;
  for (const double g : forces.gradient(0, scaled.start.q)) force = worse(force, std::abs(g));
  for (std::size_t i = 0; i < scaled.masses.size(); ++i)
    speed = worse(speed, std::abs(scaled.start.p[i]) / scaled.masses[i]);
  std::vector<std::vector<double>> errors;
  for (int level = 0; level < 6; ++level) {
    run->start(scaled.start);
    run->step(std::ldexp(scaled.h, -level), 1);
    const TimedPoint<double> end = run->point();
    if (!std::isfinite(end.t) || end.t == 0) return {not_a_number, problem.name + format(": it ends at %g", end.t)};
    const TimedPoint<Float50> exact =
        exact_motion(scaled, point_in<Float50>(scaled.start), Float50(end.t), 1e-19 * std::abs(end.t));
    auto& of_step = errors.emplace_back();
    for (std::size_t i = 0; i < end.q.size(); ++i) {
      of_step.push_back(Float50(Float50(end.q[i]) - exact.q[i]).convert_to<double>() / end.t / speed);
      of_step.push_back(Float50(Float50(end.p[i]) - exact.p[i]).convert_to<double>() / end.t / force);
    }
  }
  // Neville's scheme in place, for zero.
  for (std::size_t k = 1; k < errors.size(); ++k)
    for (std::size_t at = errors.size() - 1; at >= k; --at)
      for (std::size_t i = 0; i < errors[at].size(); ++i)
        errors[at][i] += (errors[at][i] - errors[at - 1][i]) / (std::ldexp(1.0, static_cast<int>(k)) - 1);
  double largest = 0;
  for (const double error : errors.back()) largest = worse(largest, std::abs(error));
  return {largest, problem.name + format(", steps of %.3g and shorter", scaled.h)};
}

Measured turned_step_in_time(ForeignSubject& subject, const JudgedProblem& problem) {
  const JudgedProblem scaled = for_adaptive_steps(subject, problem, ProblemKind::adaptive);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  const auto step_from = [&](const TimedPoint<double>& z, double h) {
    run->start(z);
    run->step(h, 1);
    return run->point();
  };
  const TimedPoint<double> start = scaled.start, back = step_from(start, -scaled.h),
                           expected = turned(step_from(turned(start), scaled.h));
  double apart = std::abs(back.t - expected.t) / (1 + std::abs(back.t - start.t));
  for (std::size_t i = 0; i < start.q.size(); ++i)
    for (const double x : {back.q[i] - expected.q[i], back.p[i] - expected.p[i]})
      apart = worse(apart, std::abs(x) / worse(largest_of(start), largest_of(expected)));
  constexpr double brief = 0x1p-20;
  const double density = step_from(start, brief).t - start.t,
               other = step_from(turned(start), brief).t - turned(start).t;
  if (std::abs(density - other) > 0x1p-10 * density)
    throw ProblemRefused("its steps are of another length where momenta are turned");
  return {apart,
          problem.name +
              format(": a step of %g is not that of %g with momenta turned, by which the equations do not change",
                     -scaled.h, scaled.h)};
}

Measured extended_beside_adaptive(ForeignSubject& subject, const JudgedProblem& problem) {
  const JudgedProblem plain = for_adaptive_steps(subject, problem, ProblemKind::adaptive);
  JudgedProblem shown = plain;
  shown.kind = ProblemKind::extended;
  Forces<double> forces(plain), forces_beside(shown);
  constexpr long steps = 8;
  constexpr double higher = 0x1p-20, amplified = 0x1p10;
  const auto end_from = [&](Forces<double>& of, const TimedPoint<double>& start, double h) {
    const auto run = subject.in_double(of);
    run->start(start);
    run->step(h, steps);
    return run->point();
  };
  Measured worst{-1};
  const auto measured = [&](double x, const std::string& what) {
    if (is_worse(x, worst.value)) worst = {x, problem.name + ": " + what};
  };
  for (const double h : {plain.h, -plain.h}) {
    const TimedPoint<double> there = end_from(forces, plain.start, h);
    for (const double by : {0.0, higher}) {
      TimedPoint<double> start = plain.start;
      start.energy += by;
      const TimedPoint<double> end = end_from(forces_beside, start, h);
      const double size = std::max(1.0, std::abs(start.energy));
      measured(std::abs(end.energy - start.energy) / size,
               format("the energy %.17g that it is to keep is %.17g after %ld steps", start.energy, end.energy, steps));
      double apart = std::abs(end.t - there.t) / (1 + std::abs(there.t - plain.start.t));
      for (std::size_t i = 0; i < there.q.size(); ++i)
        for (const double x : {end.q[i] - there.q[i], end.p[i] - there.p[i]})
          apart = worse(apart, std::abs(x) / worse(largest_of(plain.start), largest_of(there)));
      // A map that is continuous in E leads to a state nearby.
      if (by > 0) apart = apart < amplified * higher ? 0 : apart;
      measured(apart, format("with E = H%s %ld steps of the kind extended end %.3g from those of the kind adaptive",
                             by > 0 ? " + 2^-20" : "", steps, apart));
    }
  }
  return worst;
}

Measured state_without_forces(ForeignSubject& subject, const JudgedProblem& problem) {
  const JudgedProblem scaled = for_adaptive_steps(subject, problem, ProblemKind::adaptive);
  NoForces forces(scaled);
  const auto run = subject.in_double(forces);
  try {
    run->start(scaled.start);
    run->step(scaled.h, 1);
  } catch (const ForeignRefusal& refusal) {
    return {0, refusal.what()};
  }
  return {1, "where all forces are no numbers it answers with a state, and not with 'failed'"};
}

Measured energy_drift_in_time(ForeignSubject& subject) {
  constexpr long steps = 8192, per_sample = 2, blocks = 32;
  const JudgedProblem scaled = orbit_for_adaptive_steps(subject);
  Forces<double> forces(scaled);
  const auto run = subject.in_double(forces);
  run->start(scaled.start);
  const double first = forces.energy(scaled.start);
  struct Sample {
    double t, dt, error;
  };
  std::vector<Sample> samples;
  double t = scaled.start.t, largest = 0;
  for (long k = 0; k < steps; k += per_sample) {
    run->step(scaled.h, per_sample);
    const TimedPoint<double> z = run->point();
    const double error = forces.energy(z) - first;
    largest = std::max(largest, std::abs(error));
    if (!std::isfinite(error) || !(z.t > t)) return {std::numeric_limits<double>::max(), "the motion is lost"};
    samples.push_back({z.t, z.t - t, error});
    t = z.t;
  }
  // Means over equal times: short steps, of which there are many, have errors of their own.
  const double length = t - scaled.start.t;
  std::vector<double> sum(blocks, 0), weight(blocks, 0);
  for (const Sample& sample : samples) {
    const auto block = std::min<std::size_t>(
        blocks - 1, static_cast<std::size_t>((sample.t - scaled.start.t) / length * static_cast<double>(blocks)));
    sum[block] += sample.error * sample.dt;
    weight[block] += sample.dt;
  }
  double slope = 0, squares = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    const double x = (static_cast<double>(k) + 0.5) / blocks - 0.5;
    slope += x * sum[k] / weight[k];
    squares += x * x;
  }
  slope /= squares;
  const double floor = half_an_ulp * static_cast<double>(steps) * std::abs(first);
  return {std::abs(slope) / std::max(largest, floor),
          format("drift %.3g, largest energy error %.3g until t = %.4g", slope, largest, t)};
}

}  // namespace livi
