// SPDX-License-Identifier: MIT
//
// Tests the order: slopes of errors against the exact flow, in 50 digits; also of runs with negative steps, and of runs
// whose last step is shorter. And an end that is moved by one unit in the last place.
#include <array>
#include <cmath>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <map>

namespace livi::battery_detail {

namespace {

struct Orders {
  double q, p;
  ConvergenceTable table;
};
/// Returns the orders of a method on a problem, from runs as long as those of the method under test.
Orders orders_of(const Tested& tested, const Subject& subject, std::size_t problem, int slope_power, bool memory) {
  const ProblemSummary& summary = subject.problems()[problem];
  const PhasePoint<Float50>& from = summary.points.front();
  const Float50 time(memory ? 4 : 1);
  auto stepper = subject.in_50_digits(problem);
  // At h = 1/64 the control of rigid bodies still looks like a method of order two.
  const int last = (tested.options.quick && !tested.controls.rigid_body ? 6 : 8) + (memory ? 2 : 0);
  ConvergenceTable table =
      measure_convergence(*stepper, from, subject.exact(problem, from, time), time, last - 6, last);
  return {fitted_exponent(table.vectors_q, slope_power, table.steps),
          fitted_exponent(table.vectors_p, slope_power, table.steps), std::move(table)};
}

/// Returns that order of q or p which is farthest from the declared one.
double farthest_order(const ConvergenceTable& table, int order, int slope_power) {
  double farthest = order;
  for (const auto* errors : {&table.vectors_q, &table.vectors_p}) {
    const double found = fitted_exponent(*errors, slope_power, table.steps);
    if (std::isnan(found) || !(std::abs(found - order) <= std::abs(farthest - order))) farthest = found;
    if (std::isnan(farthest)) break;
  }
  return farthest;
}

struct Order {
  double value = not_a_number;
  std::string detail;
};

/// Returns the order on the first generic problem over `time`, which is not a multiple of h if `fraction` is not zero:
/// then the last step is that fraction of h.
Order order_of_run(const Subject& subject, const Float50& time, const Float50& fraction, bool quick, int order,
                   int slope_power) {
  const auto problem = *first(subject, ProblemRole::generic);
  const PhasePoint<Float50>& from = subject.problems()[problem].points.front();
  const PhasePoint<Float50> exact = subject.exact(problem, from, time);
  const auto stepper = subject.in_50_digits(problem);
  const int last = quick ? 6 : 8;
  ConvergenceTable table;
  for (int power = last - 6; power <= last; ++power) {
    const int whole_steps = 1 << power;
    const Float50 h = time / (Float50(whole_steps) + fraction);
    stepper->start(from);
    bool ok = run_steps(*stepper, h, whole_steps).ok();
    if (fraction != 0) ok = ok && stepper->step(Float50(fraction * h)).ok();
    table.add(std::abs(to_double(Float50(time / h))), ok, stepper->point(), exact);
  }
  return {farthest_order(table, order, slope_power),
          format("errors at h = 1/%.4g: %.2e, %.2e", table.steps.back(), table.error_q.back(), table.error_p.back())};
}

/// Returns by how much the end of a run in double changes, in epsilon, when its time 33/32 is moved by `by`.
double effect_of_end(const Subject& subject, double by) {
  const auto problem = *first(subject, ProblemRole::generic);
  const PhasePoint<double> from = convert_point<double>(subject.problems()[problem].points.front());
  std::vector<PhasePoint<double>> ends;
  for (const double time : {1.03125, 1.03125 + by}) {
    const auto stepper = subject.in_double(problem);
    constexpr double h = 0.0625;
    stepper->start(from);
    if (!run_steps(*stepper, h, 16).ok() || !stepper->step(time - 16 * h).ok()) return not_a_number;
    ends.push_back(stepper->point());
  }
  return distance(ends[0], ends[1]) / std::numeric_limits<double>::epsilon();
}

}  // namespace

std::array<const char*, 2> names_of_order(bool rigid_body) {
  return rigid_body ? std::array<const char*, 2>{"order of Q", "order of W"}
                    : std::array<const char*, 2>{"order of q", "order of p"};
}

void test_order(const Tested& tested) {
  const bool rigid_body = tested.controls.rigid_body;
  if (tested.declared.order < 0) {
    tested.rows.undecided("order", std::to_string(tested.declared.order),
                          {.statement = "the declared order is an order"}, "an order is at least 1; 0 declares none");
    return;
  }
  const int slope_power = tested.declared.symmetric ? 2 : 1;
  // The worst of the problems is the one farthest from what is declared.
  double worst_q = tested.declared.order, worst_p = tested.declared.order;
  const std::array<const char*, 2> letters =
      rigid_body ? std::array<const char*, 2>{"Q", "W"} : std::array<const char*, 2>{"q", "p"};
  const std::array<const char*, 2> names = names_of_order(rigid_body);
  std::string detail;
  for_each_generic(tested.subject, [&](std::size_t i, const ProblemSummary& problem) {
    // Without torques a method of kicks and free steps is better than in general: (34) is of order two in W there.
    if (problem.constant_size_of_momentum) return;
    const Orders orders = orders_of(tested, tested.subject, i, slope_power, tested.declared.memory);
    detail += format("%s: %s %.3f, %s %.3f (errors at h = 1/%.0f: %.2e, %.2e); ", problem.name.c_str(), letters[0],
                     orders.q, letters[1], orders.p, orders.table.steps.back() / (tested.declared.memory ? 4 : 1),
                     orders.table.error_q.back(), orders.table.error_p.back());
    const auto farther = [&](double candidate, double so_far) {
      if (std::isnan(so_far)) return false;  // a failure on one problem cannot be mended by another
      return !(std::abs(candidate - tested.declared.order) <= std::abs(so_far - tested.declared.order));
    };
    if (farther(orders.q, worst_q)) worst_q = orders.q;
    if (farther(orders.p, worst_p)) worst_p = orders.p;
  });
  // One result is kept for quick runs, one for others.
  static std::array<OncePerKind<Orders>, 2> kept;
  const Orders& lopsided = kept[tested.options.quick ? 1 : 0](tested.controls, [&] {
    const Subject& subject = *tested.controls.lopsided->subject;
    return orders_of(tested, subject, *first(subject, ProblemRole::generic), 2, false);
  });
  for (const bool position : {true, false}) {
    Claim claim;
    const char* const letter = letters[position ? 0 : 1];
    const bool is_declared = tested.declared.order > 0;
    claim.statement = is_declared ? format("global error of %s of order %d", letter, tested.declared.order)
                                  : format("no order of %s is declared", letter);
    claim.how = format(
        "errors at T = %d against the exact flow, halvings of h in 50 digits, slope extrapolated; where they are "
        "below "
        "1e-12, of differences of errors, in which the rounding of coefficients cancels",
        tested.declared.memory ? 4 : 1);
    claim.measured = position ? worst_q : worst_p;
    claim.unit = "order";
    claim.interval = is_declared ? Interval::around(tested.declared.order, 0.05) : Interval{};
    claim.reason = is_declared ? "what the extrapolation of slopes leaves at h = 1/256: the square of the next term of "
                                 "the error expansion"
                               : "nothing is declared; the number is for information";
    claim.controls = {{.name = tested.controls.lopsided->name,
                       .measured = position ? lopsided.q : lopsided.p,
                       .interval = Interval::around(2, 0.05)}};
    tested.rows.add(names[position ? 0 : 1], is_declared ? std::to_string(tested.declared.order) : "-", claim,
                    position ? detail : "");
  }
}

void test_order_of_runs(const Tested& tested) {
  const int even = tested.declared.symmetric ? 2 : 1;
  struct Case {
    const char *test, *statement, *how, *control;
    Flaw flaw;
    Float50 time, fraction;
    int slope_power;
  };
  const Case cases[] = {
      {"negative steps", "of order %d backwards in time", "errors at T = -1 against the exact flow, halvings of h",
       "Verlet that makes half a step for a negative one", Flaw::absolute_step, Float50(-1), Float50(0), even},
      {"last step shorter", "of order %d at an end between two steps",
       "errors at T = 1 against the exact flow, up to 256 steps and 3/8 of one", "Verlet that keeps its first step",
       Flaw::first_step, Float50(1), Float50(Float50(3) / 8), 1}};
  // Results are kept for quick runs and for others.
  static std::array<std::map<Flaw, double>, 2> of_flawed;
  for (const Case& c : cases) {
    auto& of_control = of_flawed[tested.options.quick ? 1 : 0];
    if (!of_control.contains(c.flaw))
      of_control[c.flaw] = order_of_run(flawed(c.flaw), c.time, c.fraction, tested.options.quick, 2, 1).value;
    const Order found =
        order_of_run(tested.subject, c.time, c.fraction, tested.options.quick, tested.declared.order, c.slope_power);
    Claim claim;
    claim.statement = format(c.statement, tested.declared.order);
    claim.how = c.how;
    claim.measured = found.value;
    claim.unit = "order";
    claim.interval = Interval::around(tested.declared.order, 0.1);
    claim.reason = "what the extrapolation of slopes leaves, here with odd powers of h";
    claim.controls = {{.name = c.control, .measured = of_control[c.flaw], .interval = Interval::around(2, 0.1)}};
    tested.rows.add(c.test, std::to_string(tested.declared.order), std::move(claim), found.detail);
  }
}

void test_end_moved(const Tested& tested) {
  Claim claim;
  claim.statement = "an end moved by one unit in the last place moves the result by as little";
  claim.how = "16 steps of 1/16 and one of 1/32, which is made longer by 2.2e-16, in double";
  claim.measured = effect_of_end(tested.subject, std::numeric_limits<double>::epsilon());
  claim.unit = "epsilon";
  claim.interval = {0, 1000};
  claim.reason = "the change of time times a velocity of order one, and roundings of a few steps";
  claim.controls = {{.name = "the same method, the end moved by 1e-9",
                     .measured = effect_of_end(tested.subject, 1e-9),
                     .interval = claim.interval}};
  tested.rows.add("end moved", "-", std::move(claim));
}

}  // namespace livi::battery_detail
