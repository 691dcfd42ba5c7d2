// SPDX-License-Identifier: MIT
//
// Tests of whole runs: are steps of every size and sign, on every problem, steps of one and the same method, and does
// that method depend on nothing but its state?
#include <livi/claims/battery_rows.hpp>
#include <livi/diagnostics/measures.hpp>
#include <sstream>

namespace livi::battery_detail {

/// What is wrong with a FlawedVerlet.
enum class Flaw {
  other_equation,  ///< the force is 1 + 1e-12 times what it should be
  absolute_step,   ///< a step of -h is one of h with the velocity turned round, and turned back by half
  first_step,      ///< the step of the first call is kept
  single_number,   ///< in double, forces are rounded to float
  counts_steps,    ///< a counter shared by all objects makes every other step lopsided
  in_object,       ///< the same, the counter in the method
  in_state,        ///< the same, the counter in the state
  duals,           ///< lopsided under dual numbers
  beyond_six,      ///< more than six degrees of freedom: lopsided
};

/// Verlet with one flaw: what each test here must reject. One class, so that it is compiled once.
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
    bool lopsided = flaw_ == Flaw::beyond_six && system_->size() > 6;
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
      if (flaw_ == Flaw::single_number) a_ = a_.template cast<float>().template cast<double>().eval();
    }
    if (flaw_ == Flaw::other_equation) a_ *= S(1) + S(1) / (S(1000000) * S(1000000));
    z.v += by * a_;
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

double largest_entry(const Vector<Float50, Dynamic>& v) {
  double largest = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) largest = std::max(largest, std::abs(to_double(v(i))));
  return largest;
}

/// How fast the motion changes at a point, at most: the potentials have degree four and masses above 1/8.
double rate_at(const PhasePoint<Float50>& z) { return 8 * (1 + largest_entry(z.q)); }

// ---------------------------------------------------------------------------------------------------------------------
// tiny steps

/// Coefficients of 1, h, h^2, ... of the polynomial through (nodes[i], values[i]): Newton's divided differences,
/// expanded.
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

/// How much the order conditions up to h^p are violated at a point, in 50 digits: the largest |c_k| / (|a_1| r^(k-1)),
/// k = 1, ..., p, where c_k and a_k are the coefficients of h^k in the error of a step and in the exact flow, and r is
/// the rate at which the latter grow. Both are read off polynomials through steps h, 2h, 3h, ... of one sign; what
/// changes when the last node is left out is not told from zero.
double violation_of_order(const Subject& subject, std::size_t problem, std::size_t point, int order, int sign) {
  const PhasePoint<Float50>& from = subject.problems()[problem].points[point];
  const auto p = static_cast<std::size_t>(order);
  const std::size_t count = 2 * p + 8;
  const int reach_of_nodes = order <= 3 ? -10 : order <= 5 ? -7 : -5;  // what is left out goes with its power
  const Float50 h =
      sign * Float50(pow(Float50(2), reach_of_nodes + 3)) / Float50(static_cast<int>(count) * rate_at(from));
  const auto stepper = subject.in_50_digits(problem);
  std::vector<Float50> nodes;
  std::vector<std::vector<Float50>> errors, moves;  // by component, over h
  for (std::size_t i = 1; i <= count; ++i) {
    const Float50 node = h * static_cast<int>(i);
    stepper->start(from);
    if (!stepper->step(node).ok()) return not_a_number;
    const PhasePoint<Float50> end = stepper->point(), exact = subject.short_flow(problem, point, node);
    const auto n = static_cast<std::size_t>(end.q.size()), size = n + static_cast<std::size_t>(end.p.size());
    errors.resize(size);
    moves.resize(size);
    for (std::size_t c = 0; c < size; ++c) {
      const auto component = [&](const PhasePoint<Float50>& z) {
        return c < n ? z.q(static_cast<Eigen::Index>(c)) : z.p(static_cast<Eigen::Index>(c - n));
      };
      errors[c].push_back((component(end) - component(exact)) / node);
      moves[c].push_back((component(exact) - component(from)) / node);
    }
    nodes.push_back(node);
  }
  std::vector<double> of_error(p, 0), of_rest(p, 0), of_flow(p + 1, 0);
  for (std::size_t c = 0; c < errors.size(); ++c) {
    const auto all = interpolate(nodes, errors[c]), flow = interpolate(nodes, moves[c]);
    auto fewer_nodes = nodes;
    fewer_nodes.pop_back();
    errors[c].pop_back();
    const auto fewer = interpolate(fewer_nodes, errors[c]);
    for (std::size_t k = 0; k <= p; ++k) of_flow[k] = larger(of_flow[k], std::abs(to_double(flow[k])));
    for (std::size_t k = 0; k < p; ++k) {
      of_error[k] = larger(of_error[k], std::abs(to_double(all[k])));
      of_rest[k] = larger(of_rest[k], std::abs(to_double(Float50(all[k] - fewer[k]))));
    }
  }
  double rate = 0, violation = 0;
  for (std::size_t k = 1; k <= p; ++k)
    rate = larger(rate, std::pow(of_flow[k] / of_flow[0], 1 / static_cast<double>(k)));
  for (std::size_t k = 0; k < p; ++k) {
    const double relative = of_error[k] / (of_flow[0] * std::pow(rate, static_cast<double>(k)));
    if (std::isnan(relative)) return not_a_number;
    if (of_error[k] > 100 * of_rest[k] && relative > 1e-30) violation = larger(violation, relative);
  }
  return violation;
}

/// On the fixed and the drawn problems, of the large ones one point. Where there is no expansion of the flow that is
/// made once, it costs much: one point of one problem.
Worst violations_of_order(const Subject& subject, int order) {
  Worst worst;
  const auto& problems = subject.problems();
  const bool is_cheap = first(subject, ProblemRole::drawn).has_value() || subject.kind() == SubjectKind::separable;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_generic(problems[i]) && !is_drawn(problems[i])) continue;
    const std::size_t points = !is_cheap || problems[i].points.front().q.size() > 10 ? 1 : problems[i].points.size();
    for (std::size_t k = 0; k < points; ++k)
      for (const int sign : {1, -1})
        if (is_cheap || (sign == 1 && i == *first(subject, ProblemRole::generic)))
          worst.update(violation_of_order(subject, i, k, order, sign), problems[i].name + (sign < 0 ? ", h < 0" : ""));
  }
  return worst;
}

void tiny_steps(const Subject& subject, const Properties& declared, Rows& rows) {
  if (declared.memory) {
    rows.does_not_apply("tiny steps", "with a memory, the first step from a fresh start is not one of a run");
    return;
  }
  static const double of_flawed = violations_of_order(flawed(Flaw::other_equation), 2).value;
  const Worst worst = violations_of_order(subject, declared.order);
  Claim claim;
  claim.statement =
      format("no order condition up to h^%d is violated even a little, forwards and backwards", declared.order);
  claim.how =
      "coefficients of h, ..., h^p of the error of a step, from polynomials through many small steps in 50 digits, on "
      "fixed and drawn problems, relative to those of the exact flow";
  claim.measured = worst.value;
  claim.interval = {0, least_double_defect};
  claim.reason = "what is smaller is no coefficient of a method in any precision that is used";
  claim.note = worst.value > 0 ? "largest on: " + worst.where : "";
  Rows::limit_to_double(claim);
  claim.controls = {
      {.name = "Verlet with a force 1 + 1e-12 times too large", .measured = of_flawed, .interval = claim.interval}};
  rows.add("tiny steps", std::to_string(declared.order), std::move(claim));
}

// ---------------------------------------------------------------------------------------------------------------------
// negative steps, and a last step that is shorter

/// Farthest of the orders of q and p from the one declared.
double farthest_order(const std::vector<double>& error_q, const std::vector<double>& error_p,
                      const std::vector<double>& steps, int order, int slope_power) {
  double farthest = order;
  for (const auto* errors : {&error_q, &error_p}) {
    const double found = fitted_exponent(*errors, slope_power, steps);
    if (std::isnan(found) || !(std::abs(found - order) <= std::abs(farthest - order))) farthest = found;
    if (std::isnan(farthest)) break;
  }
  return farthest;
}

struct Order {
  double value = not_a_number;
  std::string detail;
};

/// Of the first generic problem, over `time`, which is not a multiple of h when `fraction` is not zero: then the last
/// step is that fraction of h.
Order order_of_run(const Subject& subject, const Float50& time, const Float50& fraction, bool quick, int order,
                   int slope_power) {
  const auto problem = *first(subject, ProblemRole::generic);
  const PhasePoint<Float50>& from = subject.problems()[problem].points.front();
  const PhasePoint<Float50> exact = subject.exact(problem, from, time);
  const auto stepper = subject.in_50_digits(problem);
  const int last = quick ? 6 : 8;
  std::vector<double> steps, error_q, error_p;
  for (int power = last - 2; power <= last; ++power) {
    const int whole_steps = 1 << power;
    const Float50 h = time / (Float50(whole_steps) + fraction);
    stepper->start(from);
    bool ok = run_steps(*stepper, h, whole_steps).ok();
    if (fraction != 0) ok = ok && stepper->step(Float50(fraction * h)).ok();
    const PhasePoint<Float50> end = stepper->point();
    steps.push_back(std::abs(to_double(Float50(time / h))));
    error_q.push_back(ok ? distance(end.q, exact.q) : not_a_number);
    error_p.push_back(ok ? distance(end.p, exact.p) : not_a_number);
  }
  return {farthest_order(error_q, error_p, steps, order, slope_power),
          format("errors at h = 1/%.4g: %.2e, %.2e", steps.back(), error_q.back(), error_p.back())};
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
      {"negative steps", "of order %d backwards in time",
       "errors at T = -1 against the exact flow, three halvings of h",
       "Verlet that makes half a step for a negative one", Flaw::absolute_step, Float50(-1), Float50(0), even},
      {"last step shorter", "of order %d at an end between two steps",
       "errors at T = 1 against the exact flow, 64, 128 and 256 steps and 3/8 of one",
       "Verlet that keeps its first step", Flaw::first_step, Float50(1), Float50(Float50(3) / 8), 1}};
  for (const Case& c : cases) {
    const Order found = order_of_run(subject, c.time, c.fraction, options.quick, declared.order, c.slope_power);
    Claim claim;
    claim.statement = format(c.statement, declared.order);
    claim.how = c.how;
    claim.measured = found.value;
    claim.unit = "order";
    claim.interval = Interval::around(declared.order, 0.1);
    claim.reason = "what the extrapolation of slopes leaves, here with odd powers of h";
    claim.controls = {{.name = c.control,
                       .measured = order_of_run(flawed(c.flaw), c.time, c.fraction, options.quick, 2, 1).value,
                       .interval = Interval::around(2, 0.1)}};
    rows.add(c.test, std::to_string(declared.order), std::move(claim), found.detail);
  }
}

/// The end of a run in double, 33/32, moved by `by`: how far the ends differ, in epsilon.
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

// ---------------------------------------------------------------------------------------------------------------------
// number types

/// The same number in both types: what a step is given.
struct RunOfSteps {
  double h;
  int steps;
};

/// Distance between a run in double and one in 50 digits, in epsilon of the size of the point; zero where both end at
/// the same step because it fails.
double difference_of_runs(AnyStepper<double>& in_double, AnyStepper<Float50>& in_50_digits,
                          const PhasePoint<Float50>& from, const RunOfSteps& run) {
  in_double.start(convert_point<double>(from));
  // Not the rounded point, which may miss a constraint: the difference at the start is a rounding as others are.
  in_50_digits.start(from);
  double largest = 0;
  for (int step = 0; step < run.steps; ++step) {
    const bool first_ok = in_double.step(run.h).ok(), second_ok = in_50_digits.step(Float50(run.h)).ok();
    if (!first_ok && !second_ok) break;
    if (!first_ok || !second_ok) return not_a_number;
    const PhasePoint<double> z = in_double.point();
    const PhasePoint<Float50> exact = in_50_digits.point();
    const double size = 1 + std::max(largest_entry(exact.q), largest_entry(exact.p));
    largest = larger(largest, distance({z.q.cast<Float50>(), z.p.cast<Float50>()}, exact) / size);
  }
  return largest / std::numeric_limits<double>::epsilon();
}

/// The largest of these: on the fixed problems hundred steps of 1/16, and some backwards, some that are no binary
/// fractions, some long ones; on the drawn ones ten steps from each point.
Worst difference_of_number_types(const Subject& subject) {
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_generic(problems[i]) && !is_drawn(problems[i])) continue;
    const auto in_double = subject.in_double(i);
    const auto in_50_digits = subject.in_50_digits(i);
    for (std::size_t k = 0; k < (is_drawn(problems[i]) ? problems[i].points.size() : 1); ++k) {
      std::vector<RunOfSteps> runs{{0.0625, 100}, {-0.0625, 20}, {0.01, 20}, {-0.013, 20}, {0.27, 4}, {-0.27, 4}};
      if (is_drawn(problems[i])) {
        const double h = std::exp2(-std::ceil(std::log2(rate_at(problems[i].points[k]))));
        // Forwards only: backwards a method in part solved amplifies roundings on stiff problems.
        runs = {{h, 10}};
      }
      for (const RunOfSteps& run : runs)
        worst.update(difference_of_runs(*in_double, *in_50_digits, problems[i].points[k], run),
                     problems[i].name + format(", h = %g", run.h));
    }
  }
  return worst;
}

/// The same for the values of duals, from which Jacobians are read: five steps of 1/16, relative to the size of the
/// point, not in epsilon.
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

void number_types(const Subject& subject, Rows& rows) {
  static const double of_flawed = difference_of_number_types(flawed(Flaw::single_number)).value;
  static const double of_duals = difference_of_duals(flawed(Flaw::duals)).value;
  rows.add_defect("duals", true, "the same method under dual numbers, from which its Jacobian is read",
                  difference_of_duals(subject),
                  {{.name = "Verlet that is lopsided under dual numbers", .measured = of_duals}},
                  "largest distance between values of duals and numbers of 50 digits after five steps of h = 1/16");
  const Worst worst = difference_of_number_types(subject);
  Claim claim;
  claim.statement = "the same method in double and in 50 digits";
  claim.how =
      "largest distance between the two runs, relative to the size of the point: hundred steps on the fixed problems, "
      "and fewer backwards, decimal and long ones; ten on the drawn problems";
  claim.measured = worst.value;
  claim.unit = "epsilon";
  claim.interval = {0, 2000};
  claim.reason = "about twenty roundings in each of hundred steps, as if all went the same way";
  claim.note = "largest on: " + worst.where;
  claim.controls = {
      {.name = "Verlet with forces rounded to float in double", .measured = of_flawed, .interval = claim.interval}};
  rows.add("number types", "-", std::move(claim));
}

// ---------------------------------------------------------------------------------------------------------------------
// what a run depends on

/// Steps of `h` from the long run's start, the saved state after each; empty after a failed step.
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

/// States in which a second run, and one during which another object makes steps, differ from the first.
double differences_of_repetition(const Subject& subject) {
  constexpr int steps = 1001;  // odd: an alternation is out of step in the second run
  constexpr double h = 1.0 / 64;
  const auto once = states_of_run(subject, h, steps, nullptr);
  const auto problem = *first(subject, ProblemRole::generic);
  const auto other = subject.in_double(problem);
  const auto again = states_of_run(subject, h, steps, nullptr), beside = states_of_run(subject, h, steps, other.get());
  if (once.empty() || again.empty() || beside.empty()) return not_a_number;
  return differing(once, again) + differing(once, beside);
}

/// States in which a run whose every step is made by a new object differs from one that one object makes.
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

/// How much a run changes that is begun anew from its own point: in 50 digits after seven steps; in double after
/// thousand, where only what is far above rounding counts.
Worst effect_of_memory(const Subject& subject) {
  Worst worst;
  const auto problem = *first(subject, ProblemRole::generic);
  const auto begun_anew = [&]<class S>(AnyStepper<S>& stepper, AnyStepper<S>& fresh, const PhasePoint<S>& from,
                                       const S& h, int before, int after) {
    stepper.start(from);
    if (!run_steps(stepper, h, before).ok()) return not_a_number;
    fresh.start(stepper.point());
    if (!run_steps(stepper, h, after).ok() || !run_steps(fresh, h, after).ok()) return not_a_number;
    return distance(stepper.point(), fresh.point());
  };
  for (std::size_t k = 0; k < subject.problems()[problem].points.size(); ++k) {
    const auto stepper = subject.in_50_digits(problem), fresh = subject.in_50_digits(problem);
    worst.update(begun_anew(*stepper, *fresh, subject.problems()[problem].points[k], Float50(Float50(1) / 8), 7, 3),
                 "after 7 steps");
  }
  const auto on_orbit = *first(subject, ProblemRole::long_run);
  const auto stepper = subject.in_double(on_orbit), fresh = subject.in_double(on_orbit);
  const double late = begun_anew(*stepper, *fresh, convert_point<double>(subject.problems()[on_orbit].points.front()),
                                 1.0 / 64, 1001, 3);
  if (!(late < 1e-11)) worst.update(late, "after 1001 steps");
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

  const int steps = options.quick ? 100 : 1500;
  static const double of_object = differences_of_history(flawed(Flaw::in_object), 100);
  count_row(rows, "history", "the state that is saved is all that a step depends on, bitwise",
            format("the saved state after each of %d steps, each by a new object", steps),
            differences_of_history(subject, steps), "Verlet with a counter in the method", of_object);

  static const double of_state = effect_of_memory(flawed(Flaw::in_state)).value;
  rows.add_defect("memory", !declared.memory, "a step depends on position and momentum alone",
                  effect_of_memory(subject), {{.name = "Verlet with a counter in its state", .measured = of_state}},
                  "distance after three steps from a run begun anew at the point reached");
}

// ---------------------------------------------------------------------------------------------------------------------
// restart

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
  // A state with one field lost: each line of the saved text in turn is taken from the start of the run instead.
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
    if (i < of_fresh.size() && of_saved[i] == of_fresh[i]) continue;  // nothing to lose
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

// ---------------------------------------------------------------------------------------------------------------------
// reach

PhasePoint<Dual<Float50>> identity(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                   const Dual<Float50>&) {
  return z;
}
PhasePoint<Dual<Float50>> own_map(AnyStepper<Dual<Float50>>& stepper, const PhasePoint<Dual<Float50>>& z,
                                  const Dual<Float50>& h) {
  return stepper.canonical(z, h);
}

/// Largest defect of what is declared, on all points of the drawn problems, with steps of both signs.
Worst defects_on_drawn_problems(const Subject& subject, const Properties& declared) {
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_drawn(problems[i])) continue;
    const Eigen::Index n = problems[i].points.front().q.size();
    test_problems_detail::Drawing drawing(judge_seed() ^ (0x100 + i));
    for (const PhasePoint<Float50>& point : problems[i].points) {
      const Float50 unit = Float50(Float50(1) / Float50(rate_at(point)));
      std::vector<Float50> steps{Float50(unit * drawing.of_size<Float50>(-1)),
                                 Float50(-unit * drawing.of_size<Float50>(-4))};
      // A rational step is symplectic for long steps, too; an iteration need not converge there.
      const bool is_near = &point == &problems[i].points.front();
      if (declared.rational && is_near) steps.push_back(drawing.of_size<Float50>(2));
      for (const Float50& h : steps) {
        const std::string sign = h < 0 ? ", h < 0" : ", h > 0";
        if (declared.symplectic || declared.conjugate_symplectic) {
          // Two tangent vectors: an entry of J'Omega J - Omega in a basis that no method can know.
          std::vector<PhasePoint<Float50>> tangents;
          for (int t = 0; t < 2; ++t)
            tangents.push_back({drawing.vector<Float50>(n, -1), drawing.vector<Float50>(n, -1)});
          const auto stepper = subject.in_duals(i);
          for (const bool conjugate : {false, true})
            if (conjugate ? declared.conjugate_symplectic : declared.symplectic)
              worst.update(symplecticity_residual(*stepper, point, tangents, h, 1,
                                                  conjugate ? CanonicalMap(own_map) : CanonicalMap(identity),
                                                  canonical_form<Float50>, true),
                           problems[i].name + sign + (conjugate ? ": conjugate symplectic" : ": symplectic"));
        }
        if (declared.symmetric && abs(h) < 1) {
          const double size = 1 + std::max(largest_entry(point.q), largest_entry(point.p));
          const auto stepper = subject.in_50_digits(i);
          worst.update(adjoint_defect(*stepper, point, h) / size, problems[i].name + sign + ": adjoint");
          worst.update(reversal_defect(*stepper, point, h, 1) / size, problems[i].name + sign + ": reversal");
        }
      }
    }
  }
  return worst;
}

void reach(const Subject& subject, const Properties& declared, Rows& rows) {
  if (!first(subject, ProblemRole::drawn)) {
    rows.does_not_apply("reach", "problems are drawn for M q'' = -grad V only");
    return;
  }
  if (!declared.symplectic && !declared.conjugate_symplectic && !declared.symmetric) {
    rows.does_not_apply("reach", "neither symplecticity nor symmetry is declared");
    return;
  }
  static const double of_flawed =
      defects_on_drawn_problems(flawed(Flaw::beyond_six), flawed(Flaw::beyond_six).declares()).value;
  rows.add_defect(
      "reach", true, "what is declared of symplecticity and symmetry holds on problems drawn at random",
      defects_on_drawn_problems(subject, declared),
      {{.name = "Verlet that is lopsided beyond six degrees of freedom", .measured = of_flawed}},
      format("1, 2, 5, 7, 40 degrees of freedom, full and diagonal masses, points of sizes 1/64 to 64, steps "
             "of both signs; seed %llu",
             static_cast<unsigned long long>(judge_seed())));
}

}  // namespace

double violation_of_order(const Subject& subject, int order) { return violations_of_order(subject, order).value; }

void test_runs(const Subject& subject, const Properties& declared, const BatteryOptions& options, Rows& rows) {
  const auto test = [&](const std::string& name, const auto& run) {
    if (options.progress) options.progress(name);
    rows.guard(name, run);
  };
  if (declared.order > 0) {
    test("tiny steps", [&] { tiny_steps(subject, declared, rows); });
    test("negative steps", [&] { order_of_runs(subject, declared, options, rows); });
  }
  test("end moved", [&] { end_moved(subject, rows); });
  test("number types", [&] { number_types(subject, rows); });
  test("reach", [&] { reach(subject, declared, rows); });
  test("repetition", [&] { dependence(subject, declared, options, rows); });
  test("restart", [&] { restart(subject, rows); });
}

}  // namespace livi::battery_detail
