// SPDX-License-Identifier: MIT
//
// Tests number types: is the method in double, in 50 digits and in dual numbers over them one and the same? Runs and
// single steps, near and far.
#include <cmath>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/seed.hpp>
#include <optional>

namespace livi::battery_detail {

namespace {

/// A number of steps of size h, which is one number in both types.
struct RunOfSteps {
  double h;
  int steps;
};

/// Returns the distance between a run in double and one in 50 digits, in epsilon of the size of the point, up to the
/// step at which both fail or the motion is four times as far as it began; nothing if both fail in the first step. A
/// method that computes a velocity from its positions, (q_1 - q_0)/h, divides their roundings by h: where h < 1/16, for
/// masses of order one, the size grows with 1/h. (Newmark's method, with the acceleration (q_1 - r)/(h^2/4) that it
/// carries, meets three of them twice with the weight h/2: twelve, divided by h.)
std::optional<double> difference_of_runs(AnyStepper<double>& in_double, AnyStepper<Float50>& in_50_digits,
                                         const PhasePoint<Float50>& from, const RunOfSteps& run, double mass) {
  in_double.start(convert_point<double>(from));
  // The point is not rounded, for the rounded one may miss a constraint; the difference at the start is a rounding like
  // others.
  in_50_digits.start(from);
  double largest = 0;
  // Where potentials have no lower bound a motion from far out goes to infinity in finite time. Comparing there would
  // only show how a rounding grows.
  const double far = 4 * (1 + largest_entry(from.q)), unit = std::sqrt(mass);
  for (int step = 0; step < run.steps; ++step) {
    const bool first_ok = in_double.step(run.h).ok(), second_ok = in_50_digits.step(Float50(run.h)).ok();
    if (!first_ok && !second_ok && step == 0) return std::nullopt;
    if (!first_ok && !second_ok) break;
    if (!first_ok || !second_ok) {
      // A step to beyond the largest double succeeds only in the other type, which is then far away.
      const double q = first_ok ? largest_entry(in_double.point().q) : largest_entry(in_50_digits.point().q);
      if (q > far) break;
      return not_a_number;
    }
    const PhasePoint<double> z = in_double.point();
    const PhasePoint<Float50> exact = in_50_digits.point();
    // Sizes are taken in units of time in which masses are of order one.
    const double size = 1 + std::max(largest_entry(exact.q), largest_entry(exact.p) / unit);
    if (!std::isfinite(size)) break;  // beyond the largest double
    const double quotients = std::max(1.0, 0.0625 * unit / std::abs(run.h));
    const double difference = std::hypot(distance(Vector<Float50, Dynamic>(z.q.cast<Float50>()), exact.q),
                                         distance(Vector<Float50, Dynamic>(z.p.cast<Float50>()), exact.p) / unit);
    largest = larger(largest, difference / (size * quotients));
    if (largest_entry(exact.q) > far) break;
  }
  return largest / std::numeric_limits<double>::epsilon();
}

struct DifferenceOfTypes {
  Worst worst;
  int runs = 0, that_fail = 0;  ///< runs that fail at their first step in both types
};
/// Returns the largest difference between the types: on the fixed problems a hundred steps of 1/16, some backwards,
/// some that are no binary fractions, and some long ones; on the drawn problems ten steps from each point.
DifferenceOfTypes difference_of_number_types(const Subject& subject) {
  DifferenceOfTypes result;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_generic(problems[i]) && !is_drawn(problems[i])) continue;
    const auto in_double = subject.in_double(i);
    const auto in_50_digits = subject.in_50_digits(i);
    for (std::size_t k = 0; k < (is_drawn(problems[i]) ? problems[i].points.size() : 1); ++k) {
      std::vector<RunOfSteps> runs{{0.0625, 100}, {-0.0625, 20}, {0.01, 20}, {-0.013, 20}, {0.27, 4}, {-0.27, 4}};
      if (is_drawn(problems[i])) {
        const double h = std::exp2(std::floor(std::log2(short_step(problems[i], k))));
        // Only forwards: backwards a method with a partial solve amplifies roundings on stiff problems.
        runs = {{h, problems[i].points[k].q.size() > 10 ? 4 : 10}};
      }
      for (const RunOfSteps& run : runs) {
        ++result.runs;
        const auto difference =
            difference_of_runs(*in_double, *in_50_digits, problems[i].points[k], run, problems[i].mass);
        if (difference)
          result.worst.update(*difference, problems[i].name + format(", h = %g", run.h));
        else
          ++result.that_fail;
      }
    }
  }
  if (result.that_fail == result.runs) result.worst.update(not_a_number, "every run fails at its first step");
  return result;
}

/// A point and a step for a comparison of single steps.
struct SingleStep {
  PhasePoint<Float50> from;
  double h;
};

/// Draws a point of size 1e-6 to 1e6 and a step of size 1e-6 to 4 of either sign. The step is short for the motion
/// where a long one may have no solution of its equations, and where only momenta can be scaled.
SingleStep draw_single_step(const Subject& subject, const Properties& declared, std::size_t problem,
                            test_problems_detail::Drawing& drawing) {
  const ProblemSummary& summary = subject.problems()[problem];
  const auto point = static_cast<std::size_t>(drawing.below(static_cast<int>(summary.points.size())));
  SingleStep single{summary.points[point], 0};
  const int size = drawing.below(41) - 20;
  double rate = 0;
  const bool is_free = subject.kind() == SubjectKind::vector_space && summary.tangents.empty();
  if (is_free) {
    const Eigen::Index n = single.from.q.size();
    single.from = {drawing.vector<Float50>(n, size), drawing.vector<Float50>(n, size)};
    rate = rate_of_motion(single.from);
  } else {
    // Tangency of a velocity is judged in absolute terms.
    const double factor = std::exp2(subject.kind() == SubjectKind::separable      ? 0
                                    : subject.kind() == SubjectKind::vector_space ? std::min(size, 0)
                                                                                  : size);
    single.from.p *= Float50(factor);
    rate = summary.rates[point] * std::max(1.0, factor);
  }
  // Binary fractions with few digits are exact in double.
  single.h = to_double(drawing.of_size<Float50>(drawing.below(22) - 20));
  const DeclaredCost& cost = declared.cost;
  if (!is_free || cost.iterative || cost.hessians > 0 || cost.linear_solves > 0 || !declared.rational)
    while (std::abs(single.h) * rate > 1) single.h /= 2;
  return single;
}

struct DifferenceOfSteps {
  Worst worst;
  int steps = 0, left_out = 0;  ///< left out: they fail in a type, or leave the range of double
};

/// Returns the difference of single steps in double from those in 50 digits. q and p are each measured in units of the
/// effect of errors of epsilon in q, p and h, and of epsilon m |q|/|h| for a momentum that is computed from positions:
/// the method is not to blame for what a step amplifies.
DifferenceOfSteps difference_of_single_steps(const Subject& subject, const Properties& declared) {
  DifferenceOfSteps result;
  const auto& problems = subject.problems();
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), range = 1e150;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_generic(problems[i]) && !is_drawn(problems[i])) continue;
    test_problems_detail::Drawing drawing(judge_seed() ^ (0x500 + i));
    const auto in_double = subject.in_double(i);
    const auto in_50_digits = subject.in_50_digits(i);
    for (int k = 0; k < (problems[i].points.front().q.size() > 10 ? 2 : 6); ++k) {
      const auto [from, h] = draw_single_step(subject, declared, i, drawing);
      const auto step = [&](const PhasePoint<Float50>& at, const Float50& by) {
        in_50_digits->start(at);
        return in_50_digits->step(by).ok() ? std::optional(in_50_digits->point()) : std::nullopt;
      };
      const auto exact = step(from, Float50(h));
      in_double->start(convert_point<double>(from));
      const bool ok = in_double->step(h).ok();
      const PhasePoint<double> end = in_double->point();
      if (!ok || !exact || std::max(largest_entry(exact->q), largest_entry(exact->p)) > range) {
        ++result.left_out;
        continue;
      }
      double of_q = largest_entry(exact->q), of_p = largest_entry(exact->p) + problems[i].mass * of_q / std::abs(h);
      const Float50 little = Float50(1e-20);
      const auto moved = [&](const Float50& x) {
        return Float50(x * (1 + (drawing.below(2) == 0 ? little : Float50(-little))));
      };
      bool is_regular = true;
      for (int trial = 0; trial < 2; ++trial) {
        PhasePoint<Float50> near = from;
        if (problems[i].tangents.empty()) near.q = near.q.unaryExpr(moved);
        near.p *= moved(Float50(1));  // stays tangent
        const auto other = step(near, moved(Float50(h)));
        is_regular = is_regular && other;
        if (!other) break;
        of_q = std::max(of_q, distance(other->q, exact->q) / 1e-20);
        of_p = std::max(of_p, distance(other->p, exact->p) / 1e-20);
      }
      if (!is_regular) {
        ++result.left_out;
        continue;
      }
      ++result.steps;
      const std::string where = problems[i].name + format(", one step of %g", h);
      // A NaN in double, where there is a number in 50 digits, is as wrong as any number.
      const auto update = [&](double difference) {
        result.worst.update(std::isfinite(difference) ? difference : std::numeric_limits<double>::max(), where);
      };
      update(distance(Vector<Float50, Dynamic>(end.q.cast<Float50>()), exact->q) / (epsilon * of_q));
      update(distance(Vector<Float50, Dynamic>(end.p.cast<Float50>()), exact->p) / (epsilon * of_p));
    }
  }
  if (result.steps == 0) result.worst.update(not_a_number, "no single step can be made");
  return result;
}

/// Returns the difference between the values of dual numbers, which give Jacobians, and 50 digits: five steps of 1/16,
/// relative to the size of the point, not in epsilon.
Worst difference_of_duals(const Subject& subject) {
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_generic(problems[i])) continue;
    const PhasePoint<Float50>& from = problems[i].points.front();
    const auto in_duals = subject.in_duals(i);
    const auto in_50_digits = subject.in_50_digits(i);
    in_duals->start(convert_point<Dual<Float50>>(from));
    in_50_digits->start(from);
    const Float50 h = Float50(1) / 16;
    if (!run_steps(*in_duals, Dual<Float50>(h), 5).ok() || !run_steps(*in_50_digits, h, 5).ok()) {
      worst.update(not_a_number, problems[i].name);
      continue;
    }
    const auto values = [](const Vector<Dual<Float50>, Dynamic>& x) {
      return Vector<Float50, Dynamic>(x.unaryExpr([](const Dual<Float50>& d) { return d.value; }));
    };
    const PhasePoint<Dual<Float50>> z = in_duals->point();
    const PhasePoint<Float50> exact = in_50_digits->point();
    const double size = 1 + std::max(largest_entry(exact.q), largest_entry(exact.p));
    worst.update(distance({values(z.q), values(z.p)}, exact) / size, problems[i].name);
  }
  return worst;
}

}  // namespace

void test_number_types(const Tested& tested) {
  static const double of_flawed = difference_of_number_types(flawed(Flaw::single_number)).worst.value;
  static const double of_duals = difference_of_duals(flawed(Flaw::duals)).value;
  tested.rows.add_defect(
      "duals", true, "the same method under dual numbers, from which its Jacobian is read",
      difference_of_duals(tested.subject),
      {{.name = "Verlet that is lopsided under dual numbers", .measured = of_duals}},
      "largest distance between values of duals and numbers of 50 digits after five steps of h = 1/16", "",
      Coefficients::cannot_matter);
  const auto [worst, runs, that_fail] = difference_of_number_types(tested.subject);
  Claim claim;
  claim.statement = "the same method in double and in 50 digits";
  claim.how =
      "largest distance between the two runs, relative to the size of the point, times 1/(16 h) where h < 1/16: "
      "hundred steps on the fixed problems, and fewer backwards, decimal and long ones; ten on the drawn problems, "
      "four on large ones";
  claim.measured = worst.value;
  claim.unit = "epsilon";
  claim.interval = {0, 2000};
  claim.reason =
      "about twenty roundings in each of hundred steps, as if all went the same way; or twelve of positions, divided "
      "by "
      "h to a velocity, in each of ten";
  claim.note = "largest on: " + worst.where;
  claim.controls = {
      {.name = "Verlet with forces rounded to float in double", .measured = of_flawed, .interval = claim.interval}};
  tested.rows.add(
      "number types", "-", std::move(claim),
      that_fail == 0 ? "" : format("%d of %d runs fail at their first step in both types", that_fail, runs));

  static const double of_flawed_steps =
      difference_of_single_steps(flawed(Flaw::single_number), flawed(Flaw::single_number).declares()).worst.value;
  const DifferenceOfSteps single = difference_of_single_steps(tested.subject, tested.declared);
  Claim of_steps;
  of_steps.statement = "the same method in double and in 50 digits, near and far, with short steps and long ones";
  of_steps.how =
      "single steps from drawn points of sizes from 1e-6 to 1e6, |h| from 1e-6 to 4, of both signs; distances in units "
      "of what errors of epsilon of q, p and h make, and of epsilon |q/h| of velocities";
  of_steps.measured = single.worst.value;
  of_steps.unit = "epsilon";
  of_steps.interval = {0, 2000};
  of_steps.reason = "some hundred roundings in a step, and masses up to 32";
  of_steps.note = "largest on: " + single.worst.where;
  of_steps.controls = {{.name = "Verlet with forces rounded to float in double",
                        .measured = of_flawed_steps,
                        .interval = of_steps.interval}};
  tested.rows.add("single steps", "-", std::move(of_steps),
                  format("%d steps", single.steps) +
                      (single.left_out == 0 ? "" : format("; that fail or overflow, left out: %d", single.left_out)));
}

}  // namespace livi::battery_detail
