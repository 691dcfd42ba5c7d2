// SPDX-License-Identifier: MIT
//
// Experiment: accuracy of the rigid-body methods of BOS09 (Figures 3 and 5): errors of Q and W at T = 5 against the
// step, their symmetry, how well they stay on SO(3), and what a step costs
#include <algorithm>
#include <chrono>
#include <cmath>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/scalar/multiprecision.hpp>

#include "reference/rigid_body_reference.hpp"
#include "study/cost/counted_arithmetic.hpp"
#include "study/models/stress_test_methods.hpp"
#include "study/program/experiment.hpp"
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
  report.claim({.id = "BOS09.fig3.reference",
                .measured = printed.disagreement,
                .interval = {0, 1e-12},
                .controls = {{.name = "the same with alpha larger by 1e-9",
                              .measured =
                                  [&] {
                                    RigidBodyParameters moved;
                                    moved.alpha += 1e-9;
                                    return disagreement(printed.states,
                                                        checked_rigid_body_reference(moved, end_time, 101).states);
                                  }(),
                              .interval = {0, 1e-12}}},
                .note = "A record of what was run, and ode45 is not at hand. What can be said: two references by other "
                        "methods agree so well that no error in Figure 3 depends on which was taken."});

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
  report.claim(
      {.id = "BOS09.eq1-2.flow",
       .measured = std::max(orthogonality, residual),
       .interval = {0, 1e-10},
       .controls = {{.name = "W x I W for I W x W in (2)", .measured = wrong_residual, .interval = {0, 1e-10}}},
       .note = text("|Q'Q - I| is %.0e, the residuals are %.0e.", orthogonality, residual)});

  // There, W -> -W, and there again.
  const BodyPoint end = point(printed.states.back());
  const auto back = [&](double sign) {
    const auto there = checked_rigid_body_reference(parameters_of({end.q, sign * end.w}), end_time, 2);
    const BodyPoint arrived = point(there.states.back()), start = printed_start();
    return std::max(max_magnitude(Matrix3<double>(arrived.q - start.q)),
                    max_magnitude(Vector3<double>(arrived.w - sign * start.w)));
  };
  const double reversal = back(-1);
  report.claim({.id = "BOS09.eq3.even",
                .measured = reversal,
                .interval = {0, 1e-12},
                .controls = {{.name = "without turning W", .measured = back(1), .interval = {0, 1e-12}}}});
  report.claim({.id = "BOS09.flow.structure",
                .measured = std::max(energy, reversal),
                .interval = {0, 1e-12},
                .controls = {{.name = "the kinetic energy alone", .measured = wrong_energy, .interval = {0, 1e-12}}},
                .note = "That it is symplectic: BOS09.spec.form."});
}

void orders(Report& report, const BodyPoint& exact) {
  const Body system = stress_test<double>();
  std::vector<Errors> all;
  for_each_method(system, [&](const char* name, const auto& method) {
    const Errors errors = measure_errors(method, printed_start(), exact);
    std::vector<std::vector<double>> table;
    for (std::size_t k = 0; k < errors.h.size(); ++k) table.push_back({errors.h[k], errors.q[k], errors.w[k]});
    report.series(name, {{"h", "time"}, {"error_q", ""}, {"error_w", "1/time"}}, table);
    report.measurement({.name = std::string(name) + ".order_q",
                        .value = errors.order_q(),
                        .unit = "order",
                        .tolerance = {.absolute = 0.005}});
    report.measurement({.name = std::string(name) + ".order_w",
                        .value = errors.order_w(),
                        .unit = "order",
                        .tolerance = {.absolute = 0.005}});
    report.measurement(
        {.name = std::string(name) + ".finest_error_q", .value = errors.q.back(), .tolerance = {.relative = 1e-4}});
    report.measurement({.name = std::string(name) + ".finest_error_w",
                        .value = errors.w.back(),
                        .unit = "1/time",
                        .tolerance = {.relative = 1e-4}});
    all.push_back(errors);
  });
  std::vector<std::vector<double>> guide;
  for (const double h : all[newmark].h) guide.push_back({h, 0.02 * h * h, 0.02 * h * h});
  report.series("slope_two", {{"h", "time"}, {"error_q", ""}, {"error_w", "1/time"}}, guide);

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
  report.claim(
      {.id = "BOS09.fig3",
       .measured = worst({newmark, verlet}),
       .unit = "order",
       .interval = two,
       .controls = others,
       .note = text("NMB %.4f (Q), %.4f (W); VLV %.4f, %.4f. Errors with h = 5/1024: NMB %.2e, %.2e; VLV %.2e, "
                    "%.2e: at T = 5 VLV is the less accurate of the two, by factors of %.2f and %.2f.",
                    all[newmark].order_q(), all[newmark].order_w(), all[verlet].order_q(), all[verlet].order_w(),
                    all[newmark].q.back(), all[newmark].w.back(), all[verlet].q.back(), all[verlet].w.back(),
                    all[verlet].q.back() / all[newmark].q.back(), all[verlet].w.back() / all[newmark].w.back())});
  report.claim(
      {.id = "BOS09.fig5",
       .measured = worst({newmark, verlet, midpoint}),
       .unit = "order",
       .interval = two,
       .controls = others,
       .note = text("LIEMID[EA] %.4f (Q), %.4f (W); errors with h = 5/1024: %.2e, %.2e.", all[midpoint].order_q(),
                    all[midpoint].order_w(), all[midpoint].q.back(), all[midpoint].w.back())});
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
  report.claim({.id = "BOS09.both.order2",
                .measured = worst({newmark, newmark_exponential, verlet, verlet_exponential}),
                .unit = "order",
                .interval = two,
                .controls = others,
                .note = text("From a generic start (orders of Q, W): %s; farthest from two: %.3f.",
                             generic_orders.c_str(), generic_worst)});
  report.measurement({.name = "generic_start.order_farthest_from_two",
                      .value = generic_worst,
                      .unit = "order",
                      .tolerance = {.absolute = 0.005}});
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
  const Interval rounding{0, static_cast<double>(steps) * 4 * std::numeric_limits<double>::epsilon()};
  report.claim(
      {.id = "BOS09.both.so3",
       .measured = std::max(of_newmark, of_verlet),
       .interval = rounding,
       .controls = {{.name = "Runge-Kutta of order 4 on the nine entries, 2000 steps",
                     .measured = defect(MatrixRungeKutta4<Body>(system), 2000),
                     .interval = rounding}},
       .note = text("NMB %.0e, VLV %.0e, after a hundredth of the steps %.0e.", of_newmark, of_verlet, early)});
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

struct Cost {
  double torques = 0, iterations = 0, operations = 0, seconds = 0;
};

void cost(Report& report) {
  using Counting = LieSystem<DiagonalMass<Counted, 3>, CountingTorque<ShellPotential<Counted>>>;
  const StressTestSystem<Counted> plain = stress_test<Counted>();
  const Counting system(plain.inertia(), CountingTorque<ShellPotential<Counted>>(plain.potential()));
  constexpr int steps = 1000;
  const BodyPoint start = generic_start();
  const auto count = [&](auto method, double h) {
    Cost result;
    const Matrix3<Counted> q = start.q.unaryExpr([](double x) { return Counted(x); });
    const Vector3<Counted> w = start.w.unaryExpr([](double x) { return Counted(x); });
    auto z = method.start(q, w);
    const long before = *system.potential().torques;
    const Operations operations = count_operations([&] {
      for (int k = 0; k < steps; ++k)
        if (!method.step(z, Counted(h)).ok()) result.iterations = infinity;
    });
    result.torques = static_cast<double>(*system.potential().torques - before) / steps;
    result.iterations += static_cast<double>(method.work().newton_iterations) / steps;
    result.operations = static_cast<double>(operations.total()) / steps;
    return result;
  };
  std::vector<Cost> all;
  for_each_method(system, [&](const char* name, const auto& method) {
    const Cost of = count(method, 0.125);
    all.push_back(of);
    const std::string label(name);
    report.measurement({.name = label + ".torques_per_step", .value = of.torques});
    report.measurement(
        {.name = label + ".newton_iterations_per_step", .value = of.iterations, .tolerance = {.absolute = 0.05}});
    report.measurement({.name = label + ".operations_per_step",
                        .value = of.operations,
                        .unit = "operations",
                        .tolerance = {.relative = 0.02}});
  });
  const Body timed = stress_test<double>();
  for_each_method(timed, [&](const char* name, auto method) {
    auto z = method.start(start.q, start.w);
    constexpr int number = 100000;
    bool good = true;
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; good && k < number; ++k) good = method.step(z, 0.125).ok();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (good) report.timing(std::string(name) + ".seconds_per_step", seconds.count() / number);
  });
  const LieSystem<DiagonalMass<double, 3>, ShellPotential<double>> three(
      DiagonalMass<double, 3>(Vector3<double>(2, 3, 4)), timed.potential());
  const auto iterations_of = [&](auto method) {
    auto z = method.start(start.q, start.w);
    for (int k = 0; k < steps; ++k)
      if (!method.step(z, 0.125).ok()) return infinity;
    return static_cast<double>(method.work().newton_iterations) / steps;
  };
  using Three = std::decay_t<decltype(three)>;
  const double newmark_three = iterations_of(LieNewmark<Three>(three)),
               verlet_three = iterations_of(LieVerlet<Three>(three));
  const Cost fine = count(LieVerlet<Counting>(system), 0.001), coarse = count(LieVerlet<Counting>(system), 0.25),
             fine_newmark = count(LieNewmark<Counting>(system), 0.001),
             coarse_newmark = count(LieNewmark<Counting>(system), 0.25),
             fine_midpoint = count(MidpointRule<Counting>(system), 0.001),
             coarse_midpoint = count(MidpointRule<Counting>(system), 0.25);
  report.claim(
      {.id = "BOS09.both.cost",
       .measured = all[verlet].operations / all[newmark].operations,
       .interval = {0.5, 2},
       .controls = {{.name = "LIEMID[EA] over NMB",
                     .measured = all[midpoint].operations / all[newmark].operations,
                     .interval = {0.5, 2}}},
       .note = text("Operations a step: NMB %.0f, VLV %.0f, LIEMID[EA] %.0f; one torque each. Newton iterations: "
                    "%.2f, %.2f, %.2f. With I1 = I2 the third component of (6) is explicit and the other two "
                    "are linear, so that NMB needs one; with moments 2, 3, 4 it needs %.2f, VLV %.2f.",
                    all[newmark].operations, all[verlet].operations, all[midpoint].operations, all[newmark].iterations,
                    all[verlet].iterations, all[midpoint].iterations, newmark_three, verlet_three)});
  // The maps alone, at h W0 and at a large step.
  const auto of_map = [](auto map, double length) {
    const Vector3<Counted> x = vector3<Counted>(Counted(0.6 * length), Counted(0.0), Counted(0.8 * length));
    Matrix3<Counted> q;
    return static_cast<double>(count_operations([&] { q = map.map(x); }).total());
  };
  const double cay = of_map(CayleyMap(), 0.16), exponential = of_map(ExponentialMap(), 0.16),
               far = of_map(ExponentialMap(), 1.5);
  report.claim({.id = "BOS09.eq7.cheap",
                .measured = exponential / cay,
                .interval = {1.5, infinity},
                .controls = {{.name = "the Cayley map at |x| = 1.5",
                              .measured = of_map(CayleyMap(), 1.5) / cay,
                              .interval = {1.5, infinity}}},
                .note = text("%.0f operations against %.0f (a series; at |x| = 1.5 %.0f, among them a root and two "
                             "sines). Of a whole step of NMB, %.0f and %.0f operations, the map is a small part, and "
                             "with VLV the exponential map costs %.0f against %.0f because its derivative enters (8). "
                             "NMB with the exponential map is of order two as well (BOS09.both.order2).",
                             cay, exponential, far, all[newmark].operations, all[newmark_exponential].operations,
                             all[verlet_exponential].operations, all[verlet].operations)});
  const auto torques = [](const Cost& small, const Cost& large) { return std::max(small.torques, large.torques); };
  const Control midpoint_rule{.name = "the midpoint rule on SO(3), implicit in the torque",
                              .measured = torques(fine_midpoint, coarse_midpoint),
                              .interval = {1, 1},
                              .note = text("%.2f with h = 0.001", fine_midpoint.torques)};
  report.claim({.id = "BOS09.eq4-6.implicit",
                .measured = torques(fine_newmark, coarse_newmark),
                .interval = {1, 1},
                .controls = {midpoint_rule},
                .note = text("Newton iterations of (6) a step: %.2f and %.2f. One is enough because I1 = I2: (6) then "
                             "gives W_3 at once and two linear equations; with moments 2, 3, 4 it is %.2f (h = 0.125).",
                             coarse_newmark.iterations, fine_newmark.iterations, newmark_three)});
  report.claim({.id = "BOS09.eq8-10.implicit",
                .measured = torques(fine, coarse),
                .interval = {1, 1},
                .controls = {midpoint_rule},
                .note = text("Newton iterations of (8) a step: %.2f and %.2f.", coarse.iterations, fine.iterations)});
  report.claim(
      {.id = "BOS09.app.more-implicit",
       .measured = all[midpoint].iterations / all[verlet].iterations,
       .interval = {1.5, 2.5},
       .controls = {{.name = "VLV with the exponential map",
                     .measured = all[verlet_exponential].iterations / all[verlet].iterations,
                     .interval = {1.5, 2.5}}},
       .note = text("Operations over those of VLV: %.2f.", all[midpoint].operations / all[verlet].operations)});
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
          report.measurement({.name = "verlet_cayley.order_q",
                              .value = errors.order_q(),
                              .unit = "order",
                              .tolerance = {.absolute = 0.005}});
          return;
        }
        orders(report, point(printed.states.back()));
        symmetry(report);
        say_progress("a million steps");
        group(report, 1000000);
        say_progress("cost");
        cost(report);
        report.figure({"lie_newmark_order.svg",
                       "Error at T = 5 against the step h = 5/2^k, k = 4..10, in the configuration (left) and the body "
                       "angular velocity (right): NMB, VLV (Figure 3 of BOS09) and LIEMID[EA] (Figure 5)."});
      });
}
