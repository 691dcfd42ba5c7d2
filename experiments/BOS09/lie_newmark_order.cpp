// SPDX-License-Identifier: MIT
//
// Experiment: accuracy of the rigid-body methods of BOS09 (Figures 3 and 5): errors of Q and W at T = 5 against the
// step, their symmetry, how well they stay on SO(3), and what a step costs
//
// One file, for the statements on accuracy and on cost are about the same six methods and belong to each other.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/scalar/multiprecision.hpp>

#include "reference/rigid_body_reference.hpp"
#include "study/cost/counted_arithmetic.hpp"
#include "study/models/stress_test_methods.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/fitted_line.hpp"

namespace {

using namespace livi;
using so3::CayleyMap;
using so3::ExponentialMap;

constexpr double infinity = std::numeric_limits<double>::infinity(), end_time = 5;
constexpr int first_power = 4, last_power = 10;

using Body = StressTestSystem<double>;

BodyPoint point(const reference::RigidBodyState& state) {
  return {Matrix3<double>(state.q.data()), Vector3<double>(state.w.data())};
}
/// The printed system with another start.
reference::RigidBodyParameters parameters_of(const BodyPoint& start) {
  reference::RigidBodyParameters parameters;
  const Vector3<double> rotation = so3::log(start.q);
  for (std::size_t i = 0; i < 3; ++i) {
    parameters.initial_rotation[i] = rotation(static_cast<Eigen::Index>(i));
    parameters.initial_w[i] = start.w(static_cast<Eigen::Index>(i));
  }
  return parameters;
}
double length(const Vector3<double>& v) { return std::sqrt(dot(v, v)); }

/// Errors at T = 5 with h = 5/2^k.
struct Errors {
  std::vector<double> h, q, w;
  [[nodiscard]] double order_q() const { return fitted_power(h, q).slope; }
  [[nodiscard]] double order_w() const { return fitted_power(h, w).slope; }
  /// Returns that of the two orders which is farther from two.
  [[nodiscard]] double worse() const {
    return std::abs(order_q() - 2) > std::abs(order_w() - 2) ? order_q() : order_w();
  }
};
template <class Method>
Errors measure_errors(Method method, const BodyPoint& start, const BodyPoint& exact) {
  Errors errors;
  for (int k = first_power; k <= last_power; ++k) {
    const long steps = 1L << k;
    const double h = end_time / static_cast<double>(steps);
    auto z = method.start(start.q, start.w);
    bool good = true;
    for (long i = 0; good && i < steps; ++i) good = method.step(z, h).ok();
    errors.h.push_back(h);
    errors.q.push_back(good ? so3::distance(z.q, exact.q) : infinity);
    errors.w.push_back(good ? length(z.w - exact.w) : infinity);
  }
  return errors;
}

/// Lie-Newmark without (6): W_{k+1} = W_{k+1/2} + h/2 I^-1 (I W_{k+1/2} x W_{k+1/2} + tau(Q_{k+1})). Explicit, of order
/// one and not symmetric: a control.
template <class System>
class ExplicitNewmark {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;
  explicit ExplicitNewmark(const System& system) : system_(&system) {}
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }
  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    const Vector3<S> middle = z.w + half * system_->acceleration(z.w, z.torque);
    z.q = z.q * CayleyMap::map(Vector3<S>(h * middle));
    z.torque = system_->torque(z.q);
    z.w = middle + half * system_->acceleration(middle, z.torque);
    return {};
  }

 private:
  const System* system_;
};

/// The midpoint rule on SO(3), Q_{k+1} = Q_k cay(h W), W_{k+1} = W_k + h I^-1 (I W x W + tau(Q_k cay(h W/2))), W the
/// mean of W_k and W_{k+1}: implicit in the torque, which every iteration of its equation asks for. A control.
template <class System>
class MidpointRule {
 public:
  using S = ScalarOf<System>;
  explicit MidpointRule(const System& system) : system_(&system) {}
  [[nodiscard]] BodyState<S> start(const Matrix3<S>& q, const Vector3<S>& w) const {
    return {q, w, system_->torque(q)};
  }
  StepOutcome step(BodyState<S>& z, const S& h) {
    const S half = h / S(2);
    Vector3<S> middle = z.w;
    for (int iteration = 1; iteration <= 200; ++iteration) {
      const Matrix3<S> q = z.q * CayleyMap::map(Vector3<S>(half * middle));
      const Vector3<S> next = z.w + half * system_->acceleration(middle, system_->torque(q)), change = next - middle;
      middle = next;
      ++work_.newton_iterations;
      if (max_magnitude(change) <= 32 * std::numeric_limits<double>::epsilon()) {
        z.q = z.q * CayleyMap::map(Vector3<S>(h * middle));
        z.w = S(2) * middle - z.w;
        return {};
      }
    }
    return {Failure::no_convergence, 200};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }

 private:
  const System* system_;
  WorkCounters work_;
};

/// Neither W parallel to I W, nor an attitude about an axis of inertia.
BodyPoint generic_start() { return {so3::exp(Vector3<double>(0.5, -0.4, 0.6)), Vector3<double>(0.5, -0.4, 0.7)}; }

void flow(Report& report, const reference::CheckedRigidBodyReference& printed) {
  using namespace reference;
  const Body system = stress_test<double>();
  RigidBodyParameters moved;
  moved.alpha += 1e-9;
  report.claim(in_one_interval(
      {.id = "BOS09.fig3.reference",
       .measured = printed.disagreement,
       .interval = {0, 1e-12},
       .controls = {{.name = "the same with alpha larger by 1e-9",
                     .measured =
                         disagreement(printed.states, checked_rigid_body_reference(moved, end_time, 101).states)}},
       .note = "A record of what was run, and ode45 is not at hand. What can be said: two references by other "
               "methods agree so well that no error in Figure 3 depends on which was taken."}));

  // Rates by differences of order six between samples, on quaternions and on matrices.
  const auto samples = [&](RigidBodyFormulation formulation) {
    return integrate_rigid_body({}, formulation, Method::bulirsch_stoer, Arithmetic::extended_precision, 5, 1001,
                                1e-17);
  };
  const auto of_matrices = samples(RigidBodyFormulation::matrices);
  double orthogonality = 0, residual = 0, wrong_residual = 0, energy = 0, wrong_energy = 0;
  const double spacing = 5.0 / 1000, initial = system.energy(point(of_matrices[0]).q, point(of_matrices[0]).w);
  for (std::size_t k = 3; k + 3 < of_matrices.size(); ++k) {
    const auto at = [&](int by) { return point(of_matrices[static_cast<std::size_t>(static_cast<long>(k) + by)]); };
    const BodyPoint z = at(0);
    const auto rate = [&](const auto& part) {
      return ((45 * (part(at(1)) - part(at(-1))) - 9 * (part(at(2)) - part(at(-2))) + (part(at(3)) - part(at(-3)))) /
              (60 * spacing))
          .eval();
    };
    const Matrix3<double> of_q = rate([](const BodyPoint& p) { return p.q; });
    const Vector3<double> of_w = rate([](const BodyPoint& p) { return p.w; });
    const Vector3<double> torque = system.torque(z.q), mu = system.momentum(z.w);
    const Vector3<double> left = system.momentum(of_w);
    orthogonality = std::max(orthogonality, so3::orthogonality_defect(z.q));
    residual = std::max({residual, max_magnitude(Matrix3<double>(of_q - z.q * so3::hat(z.w))),
                         max_magnitude(Vector3<double>(left - cross(mu, z.w) - torque))});
    wrong_residual = std::max(wrong_residual, max_magnitude(Vector3<double>(left + cross(mu, z.w) - torque)));
    energy = std::max(energy, std::abs(system.energy(z.q, z.w) - initial));
    wrong_energy = std::max(wrong_energy, std::abs(system.energy(z.q, z.w) - system.potential().value(z.q) - initial));
  }
  report.claim(in_one_interval({.id = "BOS09.eq1-2.flow",
                                .measured = std::max(orthogonality, residual),
                                .interval = {0, 1e-10},
                                .controls = {{.name = "W x I W for I W x W in (2)", .measured = wrong_residual}},
                                .note = text("|Q'Q - I| is %.0e, the residuals are %.0e.", orthogonality, residual)}));

  // There, W -> -W, and there again.
  const BodyPoint end = point(printed.states.back());
  const auto back = [&](double sign) {
    const auto there = checked_rigid_body_reference(parameters_of({end.q, sign * end.w}), end_time, 2);
    const BodyPoint arrived = point(there.states.back()), start = printed_start();
    return std::max(max_magnitude(Matrix3<double>(arrived.q - start.q)),
                    max_magnitude(Vector3<double>(arrived.w - sign * start.w)));
  };
  const double reversal = back(-1);
  report.claim(in_one_interval({.id = "BOS09.eq3.even",
                                .measured = reversal,
                                .interval = {0, 1e-12},
                                .controls = {{.name = "without turning W", .measured = back(1)}}}));
  report.claim(in_one_interval({.id = "BOS09.flow.structure",
                                .measured = std::max(energy, reversal),
                                .interval = {0, 1e-12},
                                .controls = {{.name = "the kinetic energy alone", .measured = wrong_energy}}}));
}

void orders(Report& report, const BodyPoint& exact) {
  const Body system = stress_test<double>();
  const std::vector<Column> error_columns{{"h", "time"}, {"error_q", ""}, {"error_w", "1/time"}};
  std::vector<Errors> all;
  for_each_method(system, [&](const char* name, const auto& method) {
    const Errors errors = measure_errors(method, printed_start(), exact);
    std::vector<std::vector<double>> table;
    for (std::size_t k = 0; k < errors.h.size(); ++k) table.push_back({errors.h[k], errors.q[k], errors.w[k]});
    report.series(name, error_columns, table);
    const std::string base = std::string(name) + ".";
    add_measurements(report, {{base + "order_q", errors.order_q()}, {base + "order_w", errors.order_w()}}, "order",
                     {.absolute = 0.005});
    add_measurements(report, {{base + "finest_error_q", errors.q.back()}}, "", {.relative = 1e-4});
    add_measurements(report, {{base + "finest_error_w", errors.w.back()}}, "1/time", {.relative = 1e-4});
    all.push_back(errors);
  });
  std::vector<std::vector<double>> guide;
  for (const double h : all[newmark].h) guide.push_back({h, 0.02 * h * h, 0.02 * h * h});
  report.series("slope_two", error_columns, guide);

  const Errors of_euler = measure_errors(ExplicitNewmark<Body>(system), printed_start(), exact),
               of_fourth = measure_errors(RungeKuttaMuntheKaas4<Body>(system), printed_start(), exact);
  const Interval two{1.95, 2.05};
  const auto worst = [&](std::initializer_list<std::size_t> of) {
    double result = 2;
    for (const std::size_t k : of)
      if (std::abs(all[k].worse() - 2) > std::abs(result - 2)) result = all[k].worse();
    return result;
  };
  const std::vector<Control> others{
      {.name = "NMB with (6) made explicit, Q", .measured = of_euler.order_q(), .interval = two},
      {.name = "NMB with (6) made explicit, W", .measured = of_euler.order_w(), .interval = two},
      {.name = "a Runge-Kutta-Munthe-Kaas method of order 4, Q", .measured = of_fourth.order_q(), .interval = two}};
  // From a generic start, where nothing is parallel to anything.
  const auto generic = reference::checked_rigid_body_reference(parameters_of(generic_start()), end_time, 2);
  std::string generic_orders;
  double generic_worst = 2;
  for_each_method(system, [&](const char* name, const auto& method) {
    const Errors errors = measure_errors(method, generic_start(), point(generic.states.back()));
    generic_orders +=
        text("%s%s %.3f, %.3f", generic_orders.empty() ? "" : "; ", name, errors.order_q(), errors.order_w());
    if (std::abs(errors.worse() - 2) > std::abs(generic_worst - 2)) generic_worst = errors.worse();
  });
  report.claim(
      {.id = "BOS09.fig5",
       .measured = worst({newmark, newmark_exponential, verlet, verlet_exponential, midpoint}),
       .unit = "order",
       .interval = two,
       .controls = others,
       .note =
           text("NMB %.4f (Q), %.4f (W); VLV %.4f, %.4f; LIEMID[EA] %.4f, %.4f. Errors with h = 5/1024: NMB %.2e, "
                "%.2e; VLV %.2e, %.2e; LIEMID[EA] %.2e, %.2e: at T = 5 VLV is less accurate than NMB, by factors of "
                "%.2f and %.2f. From a generic start (orders of Q, W): %s; farthest from two: %.3f.",
                all[newmark].order_q(), all[newmark].order_w(), all[verlet].order_q(), all[verlet].order_w(),
                all[midpoint].order_q(), all[midpoint].order_w(), all[newmark].q.back(), all[newmark].w.back(),
                all[verlet].q.back(), all[verlet].w.back(), all[midpoint].q.back(), all[midpoint].w.back(),
                all[verlet].q.back() / all[newmark].q.back(), all[verlet].w.back() / all[newmark].w.back(),
                generic_orders.c_str(), generic_worst)});
  add_measurements(report, {{"generic_start.order_farthest_from_two", generic_worst}}, "order", {.absolute = 0.005});
}

/// Distance from the start after a step h and a step -h, in 50 digits.
template <class Method>
double adjoint_defect(Method method) {
  const Matrix3<Float50> q =
      so3::exp(vector3<Float50>(ratio<Float50>(1, 2), ratio<Float50>(-2, 5), ratio<Float50>(3, 5)));
  const Vector3<Float50> w = vector3<Float50>(ratio<Float50>(1, 2), ratio<Float50>(-2, 5), ratio<Float50>(7, 10));
  const Float50 h = ratio<Float50>(1, 4);
  auto z = method.start(q, w);
  if (!method.step(z, h).ok() || !method.step(z, Float50(-h)).ok()) return infinity;
  return std::max(to_double(max_magnitude(Matrix3<Float50>(z.q - q))),
                  to_double(max_magnitude(Vector3<Float50>(z.w - w))));
}

void symmetry(Report& report) {
  const StressTestSystem<Float50> system = stress_test<Float50>();
  using System = StressTestSystem<Float50>;
  const double of_newmark = std::max(adjoint_defect(LieNewmark<System>(system)),
                                     adjoint_defect(LieNewmark<System, ExponentialMap>(system))),
               of_verlet = std::max(adjoint_defect(LieVerlet<System>(system)),
                                    adjoint_defect(LieVerlet<System, ExponentialMap>(system))),
               of_midpoint = std::max(adjoint_defect(LieMidpoint<System>(system)),
                                      adjoint_defect(LieMidpoint<System, CayleyMap>(system))),
               of_euler = adjoint_defect(ExplicitNewmark<System>(system));
  const Interval zero{0, 1e-45};
  const Control control{.name = "NMB with (6) made explicit", .measured = of_euler, .interval = zero};
  report.claim({.id = "BOS09.both.symmetric",
                .measured = std::max(of_newmark, of_verlet),
                .interval = zero,
                .controls = {control}});
  report.claim({.id = "BOS09.app.symmetric",
                .measured = of_midpoint,
                .interval = zero,
                .controls = {control},
                .note = "The order: BOS09.fig5."});
}

void group(Report& report, long steps) {
  const Body system = stress_test<double>();
  const auto defect = [&](auto method, long number) {
    auto z = method.start(printed_start().q, printed_start().w);
    for (long k = 0; k < number; ++k)
      if (!method.step(z, 0.25).ok()) return infinity;
    return so3::orthogonality_defect(z.q);
  };
  const double of_newmark = defect(LieNewmark<Body>(system), steps), of_verlet = defect(LieVerlet<Body>(system), steps),
               early = defect(LieVerlet<Body>(system), steps / 100);
  report.claim(in_one_interval(
      {.id = "BOS09.both.so3",
       .measured = std::max(of_newmark, of_verlet),
       .interval = {0, static_cast<double>(steps) * 4 * std::numeric_limits<double>::epsilon()},
       .controls = {{.name = "Runge-Kutta of order 4 on the nine entries, 2000 steps",
                     .measured = defect(MatrixRungeKutta4<Body>(system), 2000)}},
       .note = text("NMB %.0e, VLV %.0e, after a hundredth of the steps %.0e.", of_newmark, of_verlet, early)}));
}

/// Counting how often a torque is asked for.
template <class P>
struct CountingTorque : P {
  std::shared_ptr<long> torques = std::make_shared<long>(0);
  explicit CountingTorque(const P& potential) : P(potential) {}
  void torque(const Matrix3<typename P::scalar_type>& q, Vector3<typename P::scalar_type>& out) const {
    ++*torques;
    P::torque(q, out);
  }
};

using CountedBody = LieSystem<DiagonalMass<Counted, 3>, CountingTorque<ShellPotential<Counted>>>;
CountedBody counted_body() {
  const StressTestSystem<Counted> plain = stress_test<Counted>();
  return {plain.inertia(), CountingTorque<ShellPotential<Counted>>(plain.potential())};
}

/// What a step costs, in the mean over 1000 steps from the generic start.
struct Cost {
  double torques = 0, iterations = 0, operations = 0;
};
constexpr int counted_steps = 1000;

template <class Method>
Cost count_cost(const CountedBody& system, Method method, double h) {
  const auto counted = [](const auto& m) { return m.unaryExpr([](double x) { return Counted(x); }).eval(); };
  auto z = method.start(counted(generic_start().q), counted(generic_start().w));
  const long before = *system.potential().torques;
  Cost result;
  const Operations operations = count_operations([&] {
    for (int k = 0; k < counted_steps; ++k)
      if (!method.step(z, Counted(h)).ok()) result.iterations = infinity;
  });
  result.torques = static_cast<double>(*system.potential().torques - before) / counted_steps;
  result.iterations += static_cast<double>(method.work().newton_iterations) / counted_steps;
  result.operations = static_cast<double>(operations.total()) / counted_steps;
  return result;
}

/// The methods in the order of MethodIndex, with h = 0.125.
std::vector<Cost> measure_costs(Report& report) {
  const CountedBody system = counted_body();
  std::vector<Cost> all;
  for_each_method(system, [&](const char* name, const auto& method) {
    const Cost& of = all.emplace_back(count_cost(system, method, 0.125));
    const std::string label(name);
    add_measurements(report, {{label + ".torques_per_step", of.torques}}, "");
    add_measurements(report, {{label + ".newton_iterations_per_step", of.iterations}}, "", {.absolute = 0.05});
    add_measurements(report, {{label + ".operations_per_step", of.operations}}, "operations", {.relative = 0.02});
  });
  return all;
}

void time_methods(Report& report) {
  const Body system = stress_test<double>();
  for_each_method(system, [&](const char* name, auto method) {
    auto z = method.start(generic_start().q, generic_start().w);
    constexpr int number = 100000;
    bool good = true;
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; good && k < number; ++k) good = method.step(z, 0.125).ok();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (good) report.timing(std::string(name) + ".seconds_per_step", seconds.count() / number);
  });
}

/// Newton iterations a step of a method on a body with moments 2, 3, 4, with h = 0.125.
template <template <class...> class Method>
double iterations_with_three_moments() {
  const Body body(DiagonalMass<double, 3>(Vector3<double>(2, 3, 4)), stress_test<double>().potential());
  Method<Body> method(body);
  auto z = method.start(generic_start().q, generic_start().w);
  for (int k = 0; k < counted_steps; ++k)
    if (!method.step(z, 0.125).ok()) return infinity;
  return static_cast<double>(method.work().newton_iterations) / counted_steps;
}

void claim_of_the_costs(Report& report, const std::vector<Cost>& all) {
  report.claim(in_one_interval(
      {.id = "BOS09.both.cost",
       .measured = all[verlet].operations / all[newmark].operations,
       .interval = {0.5, 2},
       .controls = {{.name = "LIEMID[EA] over NMB", .measured = all[midpoint].operations / all[newmark].operations}},
       .note = text("Operations a step: NMB %.0f, VLV %.0f, LIEMID[EA] %.0f; one torque each. Newton iterations: "
                    "%.2f, %.2f, %.2f. With I1 = I2 the third component of (6) is explicit and the other two "
                    "are linear, so that NMB needs one; with moments 2, 3, 4 it needs %.2f, VLV %.2f.",
                    all[newmark].operations, all[verlet].operations, all[midpoint].operations, all[newmark].iterations,
                    all[verlet].iterations, all[midpoint].iterations, iterations_with_three_moments<LieNewmark>(),
                    iterations_with_three_moments<LieVerlet>())}));
}

/// The maps alone, at h W0 and at a large step.
void claim_of_the_maps(Report& report, const std::vector<Cost>& all) {
  const auto operations = [](auto map, double length) {
    const Vector3<Counted> x = vector3<Counted>(Counted(0.6 * length), Counted(0.0), Counted(0.8 * length));
    Matrix3<Counted> q;
    return static_cast<double>(count_operations([&] { q = map.map(x); }).total());
  };
  const double cay = operations(CayleyMap(), 0.16), exponential = operations(ExponentialMap(), 0.16);
  report.claim(in_one_interval(
      {.id = "BOS09.eq7.cheap",
       .measured = exponential / cay,
       .interval = {1.5, infinity},
       .controls = {{.name = "the Cayley map at |x| = 1.5", .measured = operations(CayleyMap(), 1.5) / cay}},
       .note = text("%.0f operations against %.0f (a series; at |x| = 1.5 %.0f, among them a root and two "
                    "sines). Of a whole step of NMB, %.0f and %.0f operations, the map is a small part, and "
                    "with VLV the exponential map costs %.0f against %.0f because its derivative enters (8). "
                    "NMB with the exponential map is of order two as well (BOS09.fig5).",
                    cay, exponential, operations(ExponentialMap(), 1.5), all[newmark].operations,
                    all[newmark_exponential].operations, all[verlet_exponential].operations, all[verlet].operations)}));
}

/// The cost with a small step and with that of the stress test.
struct CostOfSteps {
  Cost fine, coarse;
  [[nodiscard]] double torques() const { return std::max(fine.torques, coarse.torques); }
};
template <class Method>
CostOfSteps cost_of_steps() {
  const CountedBody system = counted_body();
  return {count_cost(system, Method(system), 0.001), count_cost(system, Method(system), 0.25)};
}

void claims_of_implicit_steps(Report& report, const std::vector<Cost>& all) {
  const CostOfSteps of_newmark = cost_of_steps<LieNewmark<CountedBody>>(),
                    of_verlet = cost_of_steps<LieVerlet<CountedBody>>(),
                    of_midpoint = cost_of_steps<MidpointRule<CountedBody>>();
  const Interval one{1, 1}, twice{1.5, 2.5};
  const Control midpoint_rule{.name = "the midpoint rule on SO(3), implicit in the torque",
                              .measured = of_midpoint.torques(),
                              .interval = one,
                              .note = text("%.2f with h = 0.001", of_midpoint.fine.torques)};
  report.claim({.id = "BOS09.eq4-6.implicit",
                .measured = of_newmark.torques(),
                .interval = one,
                .controls = {midpoint_rule},
                .note = text("Newton iterations of (6) a step: %.2f and %.2f. One is enough because I1 = I2: (6) then "
                             "gives W_3 at once and two linear equations; with moments 2, 3, 4 it is %.2f (h = 0.125).",
                             of_newmark.coarse.iterations, of_newmark.fine.iterations,
                             iterations_with_three_moments<LieNewmark>())});
  report.claim({.id = "BOS09.eq8-10.implicit",
                .measured = of_verlet.torques(),
                .interval = one,
                .controls = {midpoint_rule},
                .note = text("Newton iterations of (8) a step: %.2f and %.2f.", of_verlet.coarse.iterations,
                             of_verlet.fine.iterations)});
  report.claim(in_one_interval(
      {.id = "BOS09.app.more-implicit",
       .measured = all[midpoint].iterations / all[verlet].iterations,
       .interval = twice,
       .controls = {{.name = "VLV with the exponential map",
                     .measured = all[verlet_exponential].iterations / all[verlet].iterations}},
       .note = text("Operations over those of VLV: %.2f.", all[midpoint].operations / all[verlet].operations)}));
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "lie_newmark_order", {"BOS09", "Figures 3 and 5", "3; App. A"},
      "Errors at T = 5, symmetry, group structure and cost of rigid-body methods", {},
      [&](Report& report, const ExperimentOptions& options) {
        report.parameter("T", end_time);
        report.parameter("first_power", first_power);
        report.parameter("last_power", last_power);
        say_progress("reference");
        const auto printed = reference::checked_rigid_body_reference({}, end_time, 101);
        report.measurement(
            {.name = "reference.disagreement", .value = printed.disagreement, .tolerance = {.absolute = 1e-13}});
        if (!options.quick) flow(report, printed);
        say_progress("orders");
        if (options.quick) {
          const Errors errors =
              measure_errors(LieVerlet<Body>(stress_test<double>()), printed_start(), point(printed.states.back()));
          add_measurements(report, {{"verlet_cayley.order_q", errors.order_q()}}, "order", {.absolute = 0.005});
          return;
        }
        orders(report, point(printed.states.back()));
        symmetry(report);
        say_progress("a million steps");
        group(report, 1000000);
        say_progress("cost");
        const std::vector<Cost> costs = measure_costs(report);
        time_methods(report);
        claim_of_the_costs(report, costs);
        claim_of_the_maps(report, costs);
        claims_of_implicit_steps(report, costs);
        report.figure({"lie_newmark_order.svg",
                       "Error at T = 5 against the step h = 5/2^k, k = 4..10, in the configuration (left) and the body "
                       "angular velocity (right): NMB, VLV (Figure 3 of BOS09) and LIEMID[EA] (Figure 5)."});
      });
}
