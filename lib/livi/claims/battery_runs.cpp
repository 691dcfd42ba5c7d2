// SPDX-License-Identifier: MIT
//
// Tests of whole runs: are steps of every size and sign, on every problem, steps of one and the same method, and does
// that method depend on nothing but its state?
#include <array>
#include <cmath>
#include <livi/claims/battery_rows.hpp>
#include <livi/diagnostics/measures.hpp>
#include <map>
#include <numbers>
#include <sstream>

namespace livi::battery_detail {

/// The flaw of a FlawedVerlet. Lopsided means half kicks of 0.501 h and 0.499 h: consistent, of order one.
enum class Flaw {
  lopsided,        ///< every step is lopsided
  other_equation,  ///< the force is 1 + 1e-12 times the right one
  absolute_step,   ///< a step of -h is one of h with the velocity reversed before and after
  first_step,      ///< the step size of the first call is kept
  single_number,   ///< in double, forces are rounded to float
  counts_steps,    ///< a counter shared by all objects makes every other step lopsided
  in_object,       ///< a counter in the method makes every other step lopsided
  in_state,        ///< a counter in the state makes every other step lopsided
  duals,           ///< lopsided under dual numbers
  beyond_six,      ///< more than six degrees of freedom: lopsided
};

/// Verlet with one flaw, which each test here must reject. It is one class so that it is compiled once.
template <class System>
class FlawedVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  struct state_type {
    VectorOf<System> q, v;
    S count{0};
    auto fields() { return std::tie(q, v, count); }
  };

  FlawedVerlet(const System& system, Flaw flaw) : system_(&system), flaw_(flaw), a_(system.size()) {}
  [[nodiscard]] state_type start(const VectorOf<System>& q, const VectorOf<System>& v) const { return {q, v, S(0)}; }
  StepOutcome step(state_type& z, const S& h) {
    static long counter = 0;
    bool lopsided = flaw_ == Flaw::lopsided || (flaw_ == Flaw::beyond_six && system_->size() > 6);
    if constexpr (std::same_as<S, Dual<Float50>>) lopsided = lopsided || flaw_ == Flaw::duals;
    if (flaw_ == Flaw::counts_steps) lopsided = ++counter % 2 == 0;
    if (flaw_ == Flaw::in_object) lopsided = ++steps_ % 2 == 0;
    if (flaw_ == Flaw::in_state) {
      lopsided = !(z.count == S(0));
      z.count = S(1) - z.count;
    }
    if (steps_made_++ == 0) first_ = h;
    S by = flaw_ == Flaw::first_step ? first_ : h;
    if (flaw_ == Flaw::absolute_step && leading(h) < RealOf<S>(0)) by = h / S(2);
    const S before = lopsided ? ratio<S>(501, 1000) : ratio<S>(1, 2);
    kick(z, before * by);
    z.q += by * z.v;
    kick(z, (S(1) - before) * by);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "Verlet with a flaw", .source = "-", .order = 2, .symmetric = true, .symplectic = true};
  }

 private:
  void kick(state_type& z, const S& by) {
    system_->acceleration(z.q, a_);
    if constexpr (std::same_as<S, double>) {
      if (flaw_ == Flaw::single_number) a_ = a_.unaryExpr(&to_24_bits).eval();
    }
    if (flaw_ == Flaw::other_equation) a_ *= S(1) + S(1) / (S(1000000) * S(1000000));
    z.v += by * a_;
  }
  /// Rounds x to the digits of float, in the range of double.
  static double to_24_bits(double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 24)), exponent - 24);
  }
  const System* system_;
  Flaw flaw_;
  long steps_ = 0, steps_made_ = 0;
  S first_{0};
  VectorOf<System> a_;
};

struct MakeFlawed {
  Flaw flaw;
  template <class System>
  auto operator()(const System& system) const {
    return FlawedVerlet<System>(system, flaw);
  }
};

namespace {

const Subject& flawed(Flaw flaw) {
  static std::vector<std::unique_ptr<Subject>> subjects(static_cast<std::size_t>(Flaw::beyond_six) + 1);
  auto& subject = subjects[static_cast<std::size_t>(flaw)];
  if (!subject) subject = std::make_unique<MechanicalSubject<MakeFlawed>>(MakeFlawed{flaw});
  return *subject;
}

bool is_generic(const ProblemSummary& problem) { return problem.role == ProblemRole::generic; }
bool is_drawn(const ProblemSummary& problem) { return problem.role == ProblemRole::drawn; }

/// Returns a step in which a motion changes little, at most eight.
double short_step(const ProblemSummary& problem, std::size_t point) {
  return 1 / std::max(0.125, problem.rates[point]);
}

// ---- tiny steps -----------------------------------------------------------------------------------------------------

/// Returns the coefficients of 1, h, h^2, ... of the polynomial through (nodes[i], values[i]), from Newton's divided
/// differences.
std::vector<Float50> interpolate(const std::vector<Float50>& nodes, std::vector<Float50> values) {
  const std::size_t n = nodes.size();
  for (std::size_t level = 1; level < n; ++level)
    for (std::size_t i = n - 1; i >= level; --i)
      values[i] = (values[i] - values[i - 1]) / (nodes[i] - nodes[i - level]);
  std::vector<Float50> coefficients(n, Float50(0));
  for (std::size_t i = n; i-- > 0;) {  // Horner's scheme in (h - nodes[i])
    for (std::size_t k = n - 1; k > 0; --k) coefficients[k] = coefficients[k - 1] - nodes[i] * coefficients[k];
    coefficients[0] = values[i] - nodes[i] * coefficients[0];
  }
  return coefficients;
}

/// The steps at whose beginning and end the error is taken: the first one; with a memory, which starts empty, the fifth
/// to the eighth of a run.
struct StepsOfOrder {
  int begun, ended;
};
StepsOfOrder steps_of_order(bool memory) { return memory ? StepsOfOrder{4, 8} : StepsOfOrder{0, 1}; }

/// The size of a violation of order conditions, and whether it is no more than the rounding of points to double.
struct ViolationOfOrder {
  double value = 0;
  bool is_rounding = false;
};

/// Returns how much the order conditions up to h^p are violated at a point, in 50 digits: the largest |c_k| / (|a_1|
/// r^(k-1)), k = 1, ..., p, where c_k and a_k are the coefficients of h^k in what the steps add to the error and in the
/// exact flow, and r is the rate at which the a_k grow.
///
/// Both kinds of coefficients are those of polynomials through many steps of one sign, at Chebyshev's nodes, where
/// coefficients suffer least from rounding, and again with one node left out; for an analytic step that changes next to
/// nothing. A coefficient that is a hundred times larger than all these changes is a violation. Any other cannot be
/// told from zero. Then there is
///   - no violation if the other nodes predict the middle error, as they do for an analytic step, and the changes are
///     small beside the largest violation that is allowed where r is its bound;
///   - a violation of the size of double's epsilon if they do so except for the rounding of points to double;
///   - no result (NaN) otherwise.
ViolationOfOrder violation_of_order(const Subject& subject, std::size_t problem, std::size_t point, int order, int sign,
                                    bool memory) {
  const PhasePoint<Float50>& from = subject.problems()[problem].points[point];
  const auto p = static_cast<std::size_t>(order);
  // The truncation error of the polynomial goes with a power of the farthest node over the radius of convergence, which
  // is about one over the rate; rounding goes with a power of one over the farthest node.
  const std::size_t count = order <= 6 ? 2 * p + 8 : 3 * p + 8;
  const double reach_of_nodes = order <= 3 ? 0x1p-7 : order <= 6 ? 0x1p-4 : 0x1p-2;
  const auto [begun, ended] = steps_of_order(memory);
  const Float50 farthest_node =
      Float50(sign * reach_of_nodes) / Float50(ended * subject.problems()[problem].rates[point]);
  const auto angle = [&](std::size_t i) {
    return std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  };
  const auto stepper = subject.in_50_digits(problem);
  std::vector<Float50> nodes;
  std::vector<std::vector<Float50>> errors, moves;  // by component, over h
  Float50 farthest = 0, farthest_of_flow = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Float50 node = farthest_node * Float50((1 - std::cos(angle(i))) / 2);
    stepper->start(from);
    if (!run_steps(*stepper, node, begun).ok()) return {not_a_number, false};
    const PhasePoint<Float50> before = stepper->point();
    if (!run_steps(*stepper, node, ended - begun).ok()) return {not_a_number, false};
    const PhasePoint<Float50> end = stepper->point(), exact = subject.short_flow(problem, point, node * ended),
                              exact_before = begun == 0 ? from : subject.short_flow(problem, point, node * begun);
    const auto n = static_cast<std::size_t>(end.q.size()), size = n + static_cast<std::size_t>(end.p.size());
    errors.resize(size);
    moves.resize(size);
    for (std::size_t c = 0; c < size; ++c) {
      const auto component = [&](const PhasePoint<Float50>& z) {
        return c < n ? z.q(static_cast<Eigen::Index>(c)) : z.p(static_cast<Eigen::Index>(c - n));
      };
      const Float50 move = component(exact) - component(exact_before);
      farthest = larger(farthest, Float50(abs(component(end) - component(before))));
      farthest_of_flow = larger(farthest_of_flow, Float50(abs(move)));
      errors[c].push_back((component(end) - component(before) - move) / node);
      moves[c].push_back(move / node);
    }
    nodes.push_back(node);
  }
  // At rest without forces nothing moves, so no step may move anything beyond rounding.
  const Float50 rounding = Float50(1e-40) * (1 + larger(max_magnitude(from.q), max_magnitude(from.p)));
  if (farthest_of_flow < rounding) return {farthest < rounding ? 0 : std::numeric_limits<double>::max(), false};
  std::vector<double> of_error(p, 0), of_rest(p, 0), of_flow(p + 1, 0);
  const auto without = [](std::vector<Float50> of_nodes, std::size_t node) {
    of_nodes.erase(of_nodes.begin() + static_cast<std::ptrdiff_t>(node));
    return of_nodes;
  };
  const std::size_t middle = count / 2;
  Float50 of_middle = 0;
  for (std::size_t c = 0; c < errors.size(); ++c) {
    const auto all = interpolate(nodes, errors[c]), flow = interpolate(nodes, moves[c]);
    for (std::size_t k = 0; k <= p; ++k) of_flow[k] = larger(of_flow[k], std::abs(to_double(flow[k])));
    for (std::size_t k = 0; k < p; ++k) of_error[k] = larger(of_error[k], std::abs(to_double(all[k])));
    // Several nodes are left out in turn: a function that is no polynomial may by chance change little when one is.
    for (const std::size_t left_out : {std::size_t{0}, count / 3, middle, count - 1}) {
      const auto fewer = interpolate(without(nodes, left_out), without(errors[c], left_out));
      for (std::size_t k = 0; k < p; ++k)
        of_rest[k] = larger(of_rest[k], std::abs(to_double(Float50(all[k] - fewer[k]))));
      if (left_out != middle) continue;
      Float50 foretold = 0;
      for (std::size_t k = fewer.size(); k-- > 0;) foretold = foretold * nodes[middle] + fewer[k];
      of_middle = larger(of_middle, Float50(abs(foretold - errors[c][middle])));
    }
  }
  const double size = 1 + std::max(largest_entry(from.q), largest_entry(from.p));
  // Each error is that of the points after each of `ended` steps, over its node. The weights of the other nodes in the
  // prediction of the middle error are quotients of the sines of the nodes' angles.
  double rounding_of_middle = 0;
  for (std::size_t i = 0; i < count; ++i)
    rounding_of_middle += std::sin(angle(i)) / std::sin(angle(middle)) / std::abs(to_double(nodes[i]));
  rounding_of_middle *= ended * std::numeric_limits<double>::epsilon() * size;
  double rate = 0;
  for (std::size_t k = 1; k <= p; ++k)
    rate = larger(rate, std::pow(of_flow[k] / of_flow[0], 1 / static_cast<double>(k)));
  // Rounding in 50 digits of the step and of the exact flow, over h, and the truncation error are below 1e-28.
  const bool is_analytic = to_double(of_middle) <= 1e-25 * of_flow[0],
             is_rounding = !is_analytic && to_double(of_middle) <= rounding_of_middle;
  // The nodes are as short as the bound on the rate asks. Their resolution is relative to that bound even where the
  // motion is slower by far, as that of particles at a great distance from each other.
  const double largest_rate = subject.problems()[problem].rates[point];
  ViolationOfOrder violation;
  for (std::size_t k = 0; k < p; ++k) {
    const double unit = of_flow[0] * std::pow(rate, static_cast<double>(k)), relative = of_error[k] / unit,
                 unit_of_changes = of_flow[0] * std::pow(larger(rate, largest_rate), static_cast<double>(k));
    if (std::isnan(relative)) return {not_a_number, false};
    const bool is_resolved = of_error[k] > 100 * of_rest[k],
               is_none = is_analytic && 100 * of_rest[k] <= largest_double_defect(order) * unit_of_changes;
    if (relative <= 1e-30 || (!is_resolved && is_none)) continue;
    if (!is_resolved && !is_rounding) return {not_a_number, false};
    const double found = is_resolved ? relative : std::numeric_limits<double>::epsilon();
    if (found > violation.value) violation = {found, !is_resolved};
  }
  return violation;
}

/// The violations on the fixed and the drawn problems, for large ones at one point; backwards from the first point of
/// each and from its last. Where no problems are drawn the expansion of the flow is not made once for all, and costs
/// much: there one point of one problem must do.
struct ViolationsOfOrder {
  Worst worst;
  bool is_rounding = false;  ///< whether the worst is a rounding of points
};
ViolationsOfOrder violations_of_order(const Subject& subject, int order, bool memory) {
  ViolationsOfOrder result;
  const auto& problems = subject.problems();
  const bool is_cheap = first(subject, ProblemRole::drawn).has_value();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_generic(problems[i]) && !is_drawn(problems[i])) continue;
    const std::size_t points = !is_cheap || problems[i].points.front().q.size() > 10 ? 1 : problems[i].points.size();
    for (std::size_t k = 0; k < points; ++k)
      for (const int sign : {1, -1})
        if ((is_cheap && (sign == 1 || k == 0 || k + 1 == points)) ||
            (sign == 1 && i == *first(subject, ProblemRole::generic))) {
          const ViolationOfOrder violation = violation_of_order(subject, i, k, order, sign, memory);
          if (violation.value > result.worst.value) result.is_rounding = violation.is_rounding;
          result.worst.update(violation.value, problems[i].name + (sign < 0 ? ", h < 0" : ""));
        }
  }
  return result;
}

void tiny_steps(const Subject& subject, const Properties& declared, Rows& rows) {
  static std::array<std::optional<double>, 2> kept;  // as a method without a memory, and as one with it
  std::optional<double>& of_flawed = kept[declared.memory ? 1 : 0];
  if (!of_flawed) of_flawed = violations_of_order(flawed(Flaw::other_equation), 2, declared.memory).worst.value;
  const auto [worst, is_rounding] = violations_of_order(subject, declared.order, declared.memory);
  Claim claim;
  claim.statement =
      format("no order condition up to h^%d is violated even a little, forwards and backwards", declared.order);
  claim.how =
      std::string("coefficients of h, ..., h^p of the error of ") +
      (declared.memory ? "the fifth to the eighth step" : "a step") +
      ", from polynomials through many small steps in 50 digits, on fixed and drawn problems, relative to those of the "
      "exact flow";
  claim.measured = worst.value;
  claim.interval = {0, least_double_defect};
  claim.reason = "what is smaller is no coefficient of a method in any precision that is used";
  claim.note = worst.value > 0 ? "largest on: " + worst.where : "";
  Rows::limit_to_double(claim, declared.order);
  // The control is of order two, whatever the method is.
  claim.controls = {{.name = "Verlet with a force 1 + 1e-12 times too large",
                     .measured = *of_flawed,
                     .interval = {0, std::min(claim.interval.high, largest_double_defect(2))}}};
  rows.add("tiny steps", std::to_string(declared.order), std::move(claim), is_rounding ? rounded_points : "");
}

// ---- negative steps, and a last step that is shorter ----------------------------------------------------------------

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

void order_of_runs(const Subject& subject, const Properties& declared, const BatteryOptions& options, Rows& rows) {
  const int even = declared.symmetric ? 2 : 1;
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
    auto& of_control = of_flawed[options.quick ? 1 : 0];
    if (!of_control.contains(c.flaw))
      of_control[c.flaw] = order_of_run(flawed(c.flaw), c.time, c.fraction, options.quick, 2, 1).value;
    const Order found = order_of_run(subject, c.time, c.fraction, options.quick, declared.order, c.slope_power);
    Claim claim;
    claim.statement = format(c.statement, declared.order);
    claim.how = c.how;
    claim.measured = found.value;
    claim.unit = "order";
    claim.interval = Interval::around(declared.order, 0.1);
    claim.reason = "what the extrapolation of slopes leaves, here with odd powers of h";
    claim.controls = {{.name = c.control, .measured = of_control[c.flaw], .interval = Interval::around(2, 0.1)}};
    rows.add(c.test, std::to_string(declared.order), std::move(claim), found.detail);
  }
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

void end_moved(const Subject& subject, Rows& rows) {
  Claim claim;
  claim.statement = "an end moved by one unit in the last place moves the result by as little";
  claim.how = "16 steps of 1/16 and one of 1/32, which is made longer by 2.2e-16, in double";
  claim.measured = effect_of_end(subject, std::numeric_limits<double>::epsilon());
  claim.unit = "epsilon";
  claim.interval = {0, 1000};
  claim.reason = "the change of time times a velocity of order one, and roundings of a few steps";
  claim.controls = {{.name = "the same method, the end moved by 1e-9",
                     .measured = effect_of_end(subject, 1e-9),
                     .interval = claim.interval}};
  rows.add("end moved", "-", std::move(claim));
}

// ---- number types ---------------------------------------------------------------------------------------------------

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

void number_types(const Subject& subject, const Properties& declared, Rows& rows) {
  static const double of_flawed = difference_of_number_types(flawed(Flaw::single_number)).worst.value;
  static const double of_duals = difference_of_duals(flawed(Flaw::duals)).value;
  rows.add_defect("duals", true, "the same method under dual numbers, from which its Jacobian is read",
                  difference_of_duals(subject),
                  {{.name = "Verlet that is lopsided under dual numbers", .measured = of_duals}},
                  "largest distance between values of duals and numbers of 50 digits after five steps of h = 1/16", "",
                  Coefficients::cannot_matter);
  const auto [worst, runs, that_fail] = difference_of_number_types(subject);
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
  rows.add("number types", "-", std::move(claim),
           that_fail == 0 ? "" : format("%d of %d runs fail at their first step in both types", that_fail, runs));

  static const double of_flawed_steps =
      difference_of_single_steps(flawed(Flaw::single_number), flawed(Flaw::single_number).declares()).worst.value;
  const DifferenceOfSteps single = difference_of_single_steps(subject, declared);
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
  rows.add("single steps", "-", std::move(of_steps),
           format("%d steps", single.steps) +
               (single.left_out == 0 ? "" : format("; that fail or overflow, left out: %d", single.left_out)));
}

// ---- what a run depends on ------------------------------------------------------------------------------------------

/// Returns the saved state after each of `steps` steps of `h` from the long run's start; empty texts after a failed
/// step.
std::vector<std::string> states_of_run(const Subject& subject, double h, int steps, AnyStepper<double>* between) {
  const auto problem = *first(subject, ProblemRole::long_run);
  const auto stepper = subject.in_double(problem);
  stepper->start(convert_point<double>(subject.problems()[problem].points.front()));
  if (between)
    between->start(convert_point<double>(subject.problems()[*first(subject, ProblemRole::generic)].points.front()));
  std::vector<std::string> states;
  for (int k = 0; k < steps; ++k) {
    if (between) static_cast<void>(between->step(h));
    if (!stepper->step(h).ok()) return {};
    states.push_back(stepper->save());
  }
  return states;
}

int differing(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

/// Returns the number of states in which a second run, or one during which another object makes steps, differs from the
/// first.
double differences_of_repetition(const Subject& subject) {
  constexpr int steps = 1001;  // odd, so that an alternation is out of step in the second run
  constexpr double h = 1.0 / 64;
  const auto once = states_of_run(subject, h, steps, nullptr);
  const auto problem = *first(subject, ProblemRole::generic);
  const auto other = subject.in_double(problem);
  const auto again = states_of_run(subject, h, steps, nullptr), beside = states_of_run(subject, h, steps, other.get());
  if (once.empty() || again.empty() || beside.empty()) return not_a_number;
  return differing(once, again) + differing(once, beside);
}

/// Returns the number of states in which a run whose every step is made by a new object differs from one by a single
/// object.
double differences_of_history(const Subject& subject, int steps) {
  constexpr double h = 1.0 / 64;
  const auto problem = *first(subject, ProblemRole::long_run);
  const auto once = states_of_run(subject, h, steps, nullptr);
  if (once.empty()) return not_a_number;
  const PhasePoint<double> from = convert_point<double>(subject.problems()[problem].points.front());
  const auto piecewise = subject.in_double(problem);
  piecewise->start(from);
  std::string state = piecewise->save();
  std::vector<std::string> states;
  for (int k = 0; k < steps; ++k) {
    piecewise->start(from);
    piecewise->load(state);
    if (!piecewise->step(h).ok()) return not_a_number;
    state = piecewise->save();
    states.push_back(state);
  }
  return differing(once, states);
}

/// Steps that change their size and sign, and end where they began: a long run stays near its start.
constexpr std::array<double, 10> changing_steps{1, 1, 2, -1, -0.5, -0.5, 0.25, -0.25, -2, 0};

/// Returns the number of states that differ between three runs: one object makes all steps; each step is made by a new
/// object from the state saved before; an object that has made other steps is given that state. The runs are on all
/// fixed and drawn problems with at most ten degrees of freedom: M = I, diagonal and full, some with forces that depend
/// on time.
double differences_of_changing_steps(const Subject& subject, int periods) {
  int compared = 0, differ = 0;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!(is_generic(problems[i]) || is_drawn(problems[i])) || problems[i].points.front().q.size() > 10) continue;
    const PhasePoint<double> from = convert_point<double>(problems[i].points.front());
    const double unit = std::exp2(std::floor(std::log2(short_step(problems[i], 0)))) / 4;
    const auto once = subject.in_double(i), by_new = subject.in_double(i), used = subject.in_double(i);
    once->start(from);
    used->start(from);
    for (int k = 0; k < periods * static_cast<int>(changing_steps.size()); ++k) {
      const double h = unit * changing_steps[static_cast<std::size_t>(k) % changing_steps.size()];
      if (h == 0) {  // the used object goes elsewhere in between
        static_cast<void>(used->step(unit));
        continue;
      }
      const std::string before = once->save();
      by_new->start(from);
      by_new->load(before);
      used->load(before);
      const bool ok = once->step(h).ok(), ok_by_new = by_new->step(h).ok(), ok_used = used->step(h).ok();
      if (ok) ++compared;  // two failures are no comparison
      if (ok != ok_by_new || ok != ok_used || (ok && (once->save() != by_new->save() || once->save() != used->save())))
        ++differ;
      if (!ok) break;
      static_cast<void>(used->step(-h / 2));
    }
  }
  return compared == 0 ? not_a_number : differ;
}

/// The number of steps of a piece of a long run. It is a prime, so that something that happens every so many steps is
/// out of step.
constexpr int steps_of_a_piece = 997;
struct RunInPieces {
  double differing_states = 0;  ///< at the ends of pieces, each made by a new object from the state saved before
  double distance = 0;          ///< the largest, at the ends of pieces that are started anew from the point before
  int pieces = 0;               ///< number of pieces compared: all, unless the run left the orbit
};
RunInPieces run_in_pieces(const Subject& subject, int pieces) {
  constexpr double h = 1.0 / 64;
  const auto problem = *first(subject, ProblemRole::long_run);
  const auto straight = subject.in_double(problem), from_state = subject.in_double(problem),
             from_point = subject.in_double(problem);
  const PhasePoint<double> start = convert_point<double>(subject.problems()[problem].points.front());
  straight->start(start);
  RunInPieces result;
  for (int k = 0; k < pieces; ++k) {
    from_state->start(start);
    from_state->load(straight->save());
    from_point->start(straight->point());
    const bool ok = run_steps(*straight, h, steps_of_a_piece).ok(),
               ok_from_state = run_steps(*from_state, h, steps_of_a_piece).ok(),
               ok_from_point = run_steps(*from_point, h, steps_of_a_piece).ok();
    const PhasePoint<double> end = straight->point();
    const bool is_finite = end.q.allFinite() && end.p.allFinite();
    // An unstable method leaves the orbit sooner or later; then the comparisons before are enough.
    if (k >= 2 && ok == ok_from_state && (!ok || !is_finite)) break;
    if (!ok || !ok_from_state || !ok_from_point) return {not_a_number, not_a_number};
    if (straight->save() != from_state->save()) ++result.differing_states;
    const double size = 1 + std::max(end.q.cwiseAbs().maxCoeff(), end.p.cwiseAbs().maxCoeff());
    result.distance = larger(result.distance, distance(end, from_point->point()) / size);
    ++result.pieces;
  }
  return result;
}

/// Returns how much a run changes that is started anew from its own point: in 50 digits after seven steps.
Worst effect_of_memory(const Subject& subject) {
  Worst worst;
  const auto problem = *first(subject, ProblemRole::generic);
  for (const PhasePoint<Float50>& from : subject.problems()[problem].points) {
    const auto stepper = subject.in_50_digits(problem), fresh = subject.in_50_digits(problem);
    const Float50 h = Float50(1) / 8;
    stepper->start(from);
    bool ok = run_steps(*stepper, h, 7).ok();
    fresh->start(stepper->point());
    ok = ok && run_steps(*stepper, h, 3).ok() && run_steps(*fresh, h, 3).ok();
    worst.update(ok ? distance(stepper->point(), fresh->point()) : not_a_number, "after 7 steps");
  }
  return worst;
}

void count_row(Rows& rows, const std::string& test, const std::string& statement, const std::string& how,
               double measured, const std::string& control, double of_control) {
  Claim claim;
  claim.statement = statement;
  claim.how = how;
  claim.measured = measured;
  claim.unit = "states that differ";
  claim.interval = {0, 0};
  claim.reason = "the same operations on the same numbers";
  claim.controls = {{.name = control, .measured = of_control, .interval = {0, 0}}};
  rows.add(test, "yes", std::move(claim));
}

void dependence(const Subject& subject, const Properties& declared, const BatteryOptions& options, Rows& rows) {
  static const double of_counter = differences_of_repetition(flawed(Flaw::counts_steps));
  count_row(rows, "repetition", "the same run twice, and beside another one, is the same, bitwise",
            "the saved state after each of 1001 steps of h = 1/64, in double", differences_of_repetition(subject),
            "Verlet with a counter shared by all objects", of_counter);

  const int steps = options.quick ? 100 : 300, pieces = options.quick ? 3 : 20, periods = options.quick ? 4 : 40;
  const RunInPieces in_pieces = run_in_pieces(subject, pieces);
  static const double of_object = differences_of_history(flawed(Flaw::in_object), 100);
  count_row(
      rows, "history", "the state that is saved, and h, are all that a step depends on, bitwise",
      format("the saved state after each of %d steps, each by a new object, and after each of %d runs of %d steps; on "
             "all problems with at most ten degrees of freedom after each of %d steps whose sizes and signs change, by "
             "one object, by new ones, and by one that has made other steps",
             steps, pieces, steps_of_a_piece, periods * (static_cast<int>(changing_steps.size()) - 1)),
      differences_of_history(subject, steps) + in_pieces.differing_states +
          differences_of_changing_steps(subject, periods),
      "Verlet with a counter in the method", of_object);

  static const double of_state = effect_of_memory(flawed(Flaw::in_state)).value;
  Worst worst = effect_of_memory(subject);
  // In double, a run that is started anew differs by roundings, which grow: on these orbits by less than a million in
  // the time of a piece, 16.
  constexpr double growing_roundings = 1e-8;
  if (!(in_pieces.distance < growing_roundings))
    worst.update(in_pieces.distance, format("in a run of %d steps", pieces * steps_of_a_piece));
  rows.add_defect("memory", !declared.memory, "a step depends on position and momentum alone", worst,
                  {{.name = "Verlet with a counter in its state", .measured = of_state}},
                  format("distance from a run begun anew: after three steps from the point reached in seven, in 50 "
                         "digits; and at the end of each of %d runs of %d steps, in double",
                         pieces, steps_of_a_piece),
                  in_pieces.pieces == pieces || std::isnan(in_pieces.distance)
                      ? ""
                      : format("the run leaves the orbit after %d runs", in_pieces.pieces),
                  Coefficients::cannot_matter);
}

// ---- restart --------------------------------------------------------------------------------------------------------

void restart(const Subject& subject, Rows& rows) {
  const std::size_t problem = *first(subject, ProblemRole::generic);
  const PhasePoint<double> at = convert_point<double>(subject.problems()[problem].points.front());
  constexpr double h = 0.125;
  constexpr int steps = 20;
  const auto straight = subject.in_double(problem);
  straight->start(at);
  bool ok = run_steps(*straight, h, steps).ok();
  const std::string end = straight->save();
  const auto saved_after = [&](int cut) {
    const auto interrupted = subject.in_double(problem);
    interrupted->start(at);
    ok = ok && run_steps(*interrupted, h, cut).ok();
    return interrupted->save();
  };
  const auto resumed_end = [&](const std::string& text, int cut) -> std::string {
    const auto resumed = subject.in_double(problem);
    resumed->start(at);
    resumed->load(text);
    return run_steps(*resumed, h, steps - cut).ok() ? resumed->save() : "failed";
  };
  int differ = 0;
  for (int cut = 0; cut <= steps; ++cut) differ += resumed_end(saved_after(cut), cut) == end ? 0 : 1;
  Claim claim;
  claim.statement = "20 steps are k steps, save, load and 20 - k steps, bitwise, for every k";
  claim.how = "the saved text of the two ends compared; a new method object resumes";
  claim.measured = ok ? differ : not_a_number;
  claim.unit = "runs that differ";
  claim.interval = {0, 0};
  claim.reason = "the same operations on the same numbers";
  // The controls are states with one field missing: each line of the saved text in turn is taken from the start of the
  // run instead.
  constexpr int cut = 7;
  const std::string saved = saved_after(cut);
  const auto fresh = subject.in_double(problem);
  fresh->start(at);
  int detected = 0, fields = 0;
  std::istringstream lines(saved), fresh_lines(fresh->save());
  std::vector<std::string> of_saved, of_fresh;
  for (std::string line; std::getline(lines, line);) of_saved.push_back(line);
  for (std::string line; std::getline(fresh_lines, line);) of_fresh.push_back(line);
  for (std::size_t i = 0; i < of_saved.size(); ++i) {
    if (i < of_fresh.size() && of_saved[i] == of_fresh[i]) continue;  // nothing to miss
    ++fields;
    if (i >= of_fresh.size()) continue;
    std::string damaged;
    for (std::size_t k = 0; k < of_saved.size(); ++k) damaged += (k == i ? of_fresh[k] : of_saved[k]) + "\n";
    if (resumed_end(damaged, cut) != end) ++detected;
  }
  claim.controls = {
      {.name = "a state with one field lost", .measured = static_cast<double>(detected), .interval = {0, 0}}};
  rows.add("restart", "yes", std::move(claim),
           format("%d of the state's %d changing fields are noticed when lost", detected, fields));
}

// ---- reach ----------------------------------------------------------------------------------------------------------

/// A step that is tried from a point. For a long one the motion is not smooth, so that an iteration need not converge.
struct TriedStep {
  Float50 h;
  bool is_long;
};

/// Returns a short step of each sign. From the first point there is also a long step and, where a step is no rational
/// function, one in between. That one is left out with many degrees of freedom, because an iteration that does not
/// converge costs fifty solves. Where kicks and drifts are both cubic, nine stages of a long step would leave the range
/// of every number type, so that the step in between replaces it.
std::vector<TriedStep> steps_to_try(const Subject& subject, std::size_t index, std::size_t point, bool rational,
                                    test_problems_detail::Drawing& drawing) {
  const ProblemSummary& problem = subject.problems()[index];
  const bool is_separable = subject.kind() == SubjectKind::separable;
  const Float50 unit = short_step(problem, point);
  const Float50 h = unit * drawing.of_size<Float50>(-1);
  std::vector<TriedStep> steps{{h, false}, {Float50((h < 0 ? 1 : -1) * unit * drawing.positive<Float50>(-4)), false}};
  if (point > 0 || (!rational && problem.points[point].q.size() > 10)) return steps;
  if (!rational) steps.push_back({Float50(unit * drawing.of_size<Float50>(2)), true});
  if (!is_separable) steps.push_back({drawing.of_size<Float50>(2), true});
  return steps;
}

/// Draws two tangent vectors that no method can know, for one entry of J'Omega J - Omega in a random basis.
std::vector<PhasePoint<Float50>> two_tangents(const ProblemSummary& problem, std::size_t point,
                                              test_problems_detail::Drawing& drawing) {
  const Eigen::Index n = problem.points[point].q.size(), m = problem.points[point].p.size();
  std::vector<PhasePoint<Float50>> tangents;
  for (int t = 0; t < 2; ++t) {
    if (problem.tangents.empty()) {
      const Vector<Float50, Dynamic> dq = drawing.vector<Float50>(n, -1), dp = drawing.vector<Float50>(m, -1);
      tangents.push_back({dq, dp});
      continue;
    }
    PhasePoint<Float50> sum{Vector<Float50, Dynamic>::Constant(n, Float50(0)),
                            Vector<Float50, Dynamic>::Constant(m, Float50(0))};
    for (const PhasePoint<Float50>& tangent : problem.tangents[point]) {
      const Float50 share = drawing.of_size<Float50>(-1);
      sum.q += share * tangent.q;
      sum.p += share * tangent.p;
    }
    tangents.push_back(std::move(sum));
  }
  return tangents;
}

/// Returns whether a method can make the step in 50 digits and with each of the tangents: an iteration that ends for
/// the point need not end for its derivative.
bool can_step(AnyStepper<Float50>& in_50_digits, AnyStepper<Dual<Float50>>& in_duals, const PhasePoint<Float50>& from,
              const std::vector<PhasePoint<Float50>>& tangents, const Float50& h) {
  return can_step(in_50_digits, from, h) && std::all_of(tangents.begin(), tangents.end(), [&](const auto& tangent) {
           return can_step(in_duals, with_tangent(from, tangent), Dual<Float50>(h));
         });
}

/// Measures what is conserved over one step, by name, relative to the sizes of position and momentum: momentum maps are
/// products of the two, and so are constraints (quadratic) and their rates.
void update_conserved(Worst& worst, const Subject& subject, const Properties& declared, std::size_t problem,
                      const PhasePoint<Float50>& from, const Float50& h, const std::string& where) {
  const ProblemSummary& summary = subject.problems()[problem];
  const bool is_body = subject.kind() == SubjectKind::rigid_body;
  const bool is_constrained = subject.kind() == SubjectKind::vector_space && !summary.tangents.empty();
  const bool is_measured =
      is_constrained || (is_body && declared.group) || declared.linear_momentum || declared.angular_momentum;
  if (!is_measured) return;
  const auto stepper = subject.in_50_digits(problem);
  stepper->start(from);
  if (!stepper->step(h).ok()) return worst.update(not_a_number, where);
  const PhasePoint<Float50> end = stepper->point();
  const auto size = [](const Vector<Float50, Dynamic>& a, const Vector<Float50, Dynamic>& b) {
    return Float50(1 + larger(max_magnitude(a), max_magnitude(b)));  // after long steps beyond the range of double
  };
  const Float50 size_of_q = size(from.q, end.q), size_of_p = size(from.p, end.p);
  const auto update = [&](const Float50& change, const Float50& scale, const std::string& name) {
    worst.update(to_double(Float50(abs(change) / scale)), where + ": " + name);
  };
  for (const auto& symmetry : summary.symmetries) {
    if (!(symmetry.is_translation ? declared.linear_momentum : declared.angular_momentum)) continue;
    const Float50 change = symmetry.momentum(end.q, end.p) - symmetry.momentum(from.q, from.p);
    update(change, size_of_q * size_of_p, symmetry.name);
  }
  if (summary.constant_size_of_momentum && declared.angular_momentum) {
    const auto length = [](const Vector<Float50, Dynamic>& p) {
      Float50 sum = 0;
      for (Eigen::Index i = 0; i < p.size(); ++i) sum += p(i) * p(i);
      return Float50(sqrt(sum));
    };
    update(length(end.p) - length(from.p), size_of_p, "Casimir function");
  }
  if (is_constrained) update(stepper->constraint_defect(), size_of_q * (size_of_q + size_of_p), "constraint");
  if (is_body && declared.group) update(stepper->constraint_defect(), 1, "group");
}

/// The largest defect of what is declared, on all points of the drawn problems, with steps of both signs. Short steps
/// that fail are not measured. A long step may fail or give NaN unless it is a rational function; only for
/// M q'' = -grad V do methods have to declare that.
struct DefectsOnDrawnProblems {
  Worst worst;
  int steps = 0, left_out = 0;
};
DefectsOnDrawnProblems defects_on_drawn_problems(const Subject& subject, const Properties& declared) {
  DefectsOnDrawnProblems result;
  Worst& worst = result.worst;
  const auto& problems = subject.problems();
  const bool is_mechanical =
      subject.kind() == SubjectKind::vector_space && problems[*first(subject, ProblemRole::drawn)].tangents.empty();
  const bool may_fail = !is_mechanical || !declared.rational;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_drawn(problems[i])) continue;
    test_problems_detail::Drawing drawing(judge_seed() ^ (0x100 + i));
    const auto in_duals = subject.in_duals(i);
    const auto in_50_digits = subject.in_50_digits(i);
    for (std::size_t k = 0; k < problems[i].points.size(); ++k) {
      const PhasePoint<Float50>& point = problems[i].points[k];
      // The form of bodies has a term with mu, so it is judged relative to the size of mu.
      const Float50 size_of_form =
          subject.kind() == SubjectKind::rigid_body ? Float50(1 + max_magnitude(point.p)) : Float50(1);
      const SymplecticForm form = [&](const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                                      const PhasePoint<Float50>& b) {
        return Float50(subject.form(at, a, b) / size_of_form);
      };
      for (const auto& [h, is_long] : steps_to_try(subject, i, k, !may_fail, drawing)) {
        const std::string where = problems[i].name + (h < 0 ? ", h < 0" : ", h > 0");
        const std::vector<PhasePoint<Float50>> tangents = two_tangents(problems[i], k, drawing);
        if (is_long && may_fail && !can_step(*in_50_digits, *in_duals, point, tangents, h)) {
          ++result.left_out;
          continue;
        }
        ++result.steps;
        for (const bool conjugate : {false, true})
          if (conjugate ? declared.conjugate_symplectic : declared.symplectic)
            worst.update(symplecticity_residual(*in_duals, point, tangents, h, 1,
                                                conjugate ? CanonicalMap(own_map) : CanonicalMap(identity), form, true),
                         where + (conjugate ? ": conjugate symplectic" : ": symplectic"));
        update_conserved(worst, subject, declared, i, point, h, where);
        // The equations of a long step have more than one solution, so the step back need not find the start.
        if (declared.symmetric && !is_long) {
          // The size is that of both ends: the kick of a force far out is larger than the point.
          in_50_digits->start(point);
          static_cast<void>(in_50_digits->step(h));  // a failure shows below
          const PhasePoint<Float50> end = in_50_digits->point();
          const double size = 1 + std::max({largest_entry(point.q), largest_entry(point.p), largest_entry(end.q),
                                            largest_entry(end.p)});
          worst.update(adjoint_defect(*in_50_digits, point, h) / size, where + ": adjoint");
          worst.update(reversal_defect(*in_50_digits, point, h, 1) / size, where + ": reversal");
        }
      }
    }
  }
  return result;
}

/// Returns, in words, what is drawn for a kind of subjects.
std::string drawn_of(const Subject& subject) {
  if (subject.kind() == SubjectKind::rigid_body)
    return "moments of inertia from 1/4 to 32, full and diagonal, angular velocities of sizes 1/64 to a million, at "
           "rest, about an axis";
  if (subject.kind() == SubjectKind::separable)
    return "1, 4, 6, 9 degrees of freedom, times of both signs up to 64, points of sizes 1/64 to 64, at rest";
  if (!subject.problems()[*first(subject, ProblemRole::drawn)].tangents.empty())
    return "ellipsoids, a chain and a rod, of 3 to 10 degrees of freedom, masses from 1/8 to 32, sizes 1/32 to 32, at "
           "rest";
  return "polynomials of 1, 2, 5, 7, 8, 16 and 41 to 48 degrees of freedom, sines, Gaussian functions and hyperbolas "
         "of 6 to 13, particles under softened gravity, a slow motion, full and diagonal masses, points of sizes "
         "from 1/64 to 1/4, of 1/2, from 1 to 16 and from 16 to a million, at rest, with zeros and equal entries";
}

void reach(const Subject& subject, const Properties& declared, Rows& rows) {
  const auto drawn = first(subject, ProblemRole::drawn);
  if (!drawn) {
    rows.does_not_apply("reach",
                        "problems of this kind are all fixed: each is a Lagrangian of its own, written by hand");
    return;
  }
  const bool has_rows = declared.symplectic || declared.conjugate_symplectic || declared.symmetric ||
                        declared.linear_momentum || declared.angular_momentum ||
                        (subject.kind() == SubjectKind::rigid_body && declared.group) ||
                        (subject.kind() == SubjectKind::vector_space && !subject.problems()[*drawn].tangents.empty());
  if (!has_rows) {
    rows.does_not_apply("reach", "neither symplecticity nor symmetry nor a conserved momentum is declared");
    return;
  }
  static const double of_flawed =
      defects_on_drawn_problems(flawed(Flaw::beyond_six), flawed(Flaw::beyond_six).declares()).worst.value;
  const DefectsOnDrawnProblems found = defects_on_drawn_problems(subject, declared);
  rows.add_defect(
      "reach", true,
      "what is declared of symplecticity, symmetry and conserved quantities holds on problems drawn at "
      "random",
      found.worst, {{.name = "Verlet that is lopsided beyond six degrees of freedom", .measured = of_flawed}},
      format("%s, steps of both signs; seed %llu", drawn_of(subject).c_str(),
             static_cast<unsigned long long>(judge_seed())),
      found.left_out == 0 ? format("%d steps", found.steps)
                          : format("%d steps; long steps that failed, left out: %d", found.steps, found.left_out));
}

}  // namespace

const ControlMethod& lopsided_control() {
  static const ControlMethod control{"Verlet with one coefficient moved by 1e-3",
                                     std::make_unique<MechanicalSubject<MakeFlawed>>(MakeFlawed{Flaw::lopsided})};
  return control;
}

double violation_of_order(const Subject& subject, int order) {
  return violations_of_order(subject, order, false).worst.value;
}

void test_runs(const Subject& subject, const Properties& declared, const BatteryOptions& options, Rows& rows) {
  if (declared.order > 0) {
    // Where coefficients are rounded the exact order refers to the measurement of the tiny steps.
    rows.test("tiny steps", {"tiny steps", "exact order"}, [&] { tiny_steps(subject, declared, rows); });
    rows.test("negative steps", {"negative steps", "last step shorter"},
              [&] { order_of_runs(subject, declared, options, rows); });
  }
  rows.test("end moved", [&] { end_moved(subject, rows); });
  rows.test("number types", {"number types", "duals", "single steps"}, [&] { number_types(subject, declared, rows); });
  rows.test("reach", [&] { reach(subject, declared, rows); });
  rows.test("repetition", {"repetition", "history", "memory"}, [&] { dependence(subject, declared, options, rows); });
  rows.test("restart", [&] { restart(subject, rows); });
}

}  // namespace livi::battery_detail
