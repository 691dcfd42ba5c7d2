// SPDX-License-Identifier: MIT
//
// Experiment: the running times of TO14 4.1: seven methods on the double pendulum to T = 50, as counted arithmetic with
// a general nonlinear solver and with the library's, and timed side by side; the step of the benchmark
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>
#include <livi/integrators/zhang_skeel.hpp>

#include "study/cost/counted_arithmetic.hpp"
#include "study/cost/general_solver.hpp"
#include "study/cost/running_times.hpp"
#include "study/models/stiff_pendulum.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"

namespace {

using namespace livi;
using stiff_pendulum::Reference;

constexpr double omega = 20, beta = 0.4, large_step = 0.1, small_step = large_step / omega;

/// The rows of the paper's list, in the order of its sentence, and the variants measured beside them.
enum class Row {
  benchmark,
  shake,
  variational_euler,
  newmark,
  newmark_one_step,
  zhang_skeel,
  newmark_one_step_differenced,
  newmark_differenced
};
struct RowName {
  Row row;
  const char* name;
  double printed;  ///< seconds; 0: not printed
};
/// In the order of Row.
constexpr std::array<RowName, 8> rows{{{Row::benchmark, "benchmark", 91.3},
                                       {Row::shake, "shake", 3.8},
                                       {Row::variational_euler, "variational_euler", 1.0},
                                       {Row::newmark, "newmark", 5.3},
                                       {Row::newmark_one_step, "newmark_one_step", 0.2},
                                       {Row::zhang_skeel, "zhang_skeel", 0.4},
                                       {Row::newmark_one_step_differenced, "newmark_one_step_differenced", 2.6},
                                       {Row::newmark_differenced, "newmark_differenced", 0}}};

/// What a row did.
struct Run {
  long steps = 0;
  WorkCounters work;
  Operations operations;
  double error = 0;  ///< largest error of x2, y2 at multiples of the large step, if a reference was given
  [[nodiscard]] double total() const { return static_cast<double>(operations.total()); }
  [[nodiscard]] double per_step() const { return total() / static_cast<double>(steps); }
};

template <class Method, class Position>
Run complete(Method& method, typename Method::state_type start, double h, double end_time, const Reference* reference,
             const Position& position) {
  using S = ScalarOf<typename Method::system_type>;
  Run result;
  result.steps = steps_in(end_time, h);
  const long every = steps_in(large_step, h);
  result.operations = count_operations([&] {
    Trajectory run(method, std::move(start), S(h), result.steps);
    if (reference == nullptr) {
      run.complete();
      return;
    }
    for (const auto& point : run) {
      if (point.step % every != 0) continue;
      const auto q = position(point.state);
      const auto& exact = (*reference)[static_cast<std::size_t>(point.step / every)];
      for (const int i : {2, 3})
        result.error = std::max(result.error, std::abs(to_double(q(i)) - exact.q[static_cast<std::size_t>(i)]));
    }
  });
  result.work = method.work();
  return result;
}

/// One row over the scalar S: Counted counts, double is timed.
template <class S>
Run run_row(Row row, double h, double end_time, const Reference* reference = nullptr) {
  using V = Vector<S, 4>;
  const auto constrained = double_pendulum<S>();
  const auto system = penalised(constrained, S(omega));
  const V q0 = double_pendulum_start<S>(), rest = V::Constant(S(0));
  const auto at_q = [](const auto& z) { return z.q; };
  const auto finish = [&](auto method) {
    auto start = method.start(q0, rest);
    return complete(method, std::move(start), h, end_time, reference, at_q);
  };
  const auto one_step = stiff_pendulum::one_iteration(S(beta));
  using Potential = std::decay_t<decltype(system.potential())>;
  const MechanicalSystem<ScalarMass<S, 4>, DifferencedHessian<Potential>> differenced(system.mass(),
                                                                                      {system.potential()});
  switch (row) {
    case Row::benchmark: {
      const auto lagrangian = double_pendulum_lagrangian<S>();
      VariationalEulerGeneralized method(lagrangian);
      const Vector<S, 2> angles(S(0), S(std::atan(1.0))), still(S(0), S(0));
      auto start = method.start(angles, still);
      return complete(method, std::move(start), h, end_time, reference,
                      [&](const auto& z) { return lagrangian.cartesian(z.q); });
    }
    case Row::shake:
      return finish(Shake(constrained));
    case Row::variational_euler:
      return finish(SymplecticEuler(system));
    case Row::newmark:
      return finish(Newmark(system, NewmarkOptions<S>{.beta = S(beta)}));
    case Row::newmark_one_step:
      return finish(Newmark(system, one_step));
    case Row::zhang_skeel:
      return finish(ZhangSkeel(system, {S(beta)}));
    case Row::newmark_one_step_differenced:
      return finish(Newmark(differenced, one_step));
    case Row::newmark_differenced:
      // Differences leave an error of 1e-8 in the matrix: convergence is linear, and ends above rounding.
      return finish(Newmark(differenced, NewmarkOptions<S>{.beta = S(beta), .newton = {.tolerance = 1e-13}}));
  }
  throw std::invalid_argument("row");
}

double printed_seconds(Row row) { return rows[static_cast<std::size_t>(row)].printed; }
double step_of(Row row) { return row == Row::benchmark || row == Row::variational_euler ? small_step : large_step; }

// --- methods with the general solver, operations to the end ---------------------------------------------------------

void require(const MultiplierOutcome& outcome) {
  if (outcome.failure != MultiplierOutcome::Failure::none) throw std::runtime_error("the general solver");
}

double benchmark_by_general_solver(double end_time) {
  using V = Vector<Counted, 2>;
  const auto lagrangian = double_pendulum_lagrangian<Counted>();
  const Counted h = small_step;
  V q(Counted(0), Counted(std::atan(1.0))), p(Counted(0), Counted(0)), w = p, dq = p, dv = p;
  GeneralSolver solver;
  GeneralSolver::V unknowns = w;
  return static_cast<double>(count_operations([&] {
                               for (long k = 0; k < steps_in(end_time, small_step); ++k) {
                                 require(solver(
                                     [&](const GeneralSolver::V& at, GeneralSolver::V& f) {
                                       w = at;
                                       lagrangian_gradients(lagrangian, q, w, dq, dv);
                                       f = dv - h * dq - p;
                                     },
                                     unknowns));
                                 w = unknowns;
                                 lagrangian_gradients(lagrangian, q, w, dq, dv);
                                 q += h * w;
                                 p = dv;
                               }
                             }).total());
}

double newmark_by_general_solver(double end_time) {
  using V = Vector<Counted, 4>;
  const auto system = penalised(double_pendulum<Counted>(), Counted(omega));
  const Counted h = large_step, c = beta * large_step * large_step;
  V q = double_pendulum_start<Counted>(), v = V::Constant(Counted(0)), a = v, next = q, force = v;
  system.acceleration(q, a);
  GeneralSolver solver;
  return static_cast<double>(count_operations([&] {
                               for (long k = 0; k < steps_in(end_time, large_step); ++k) {
                                 v += h / Counted(2) * a;
                                 const V known = q + h * v - c * a;
                                 GeneralSolver::V unknowns = known + c * a;
                                 require(solver(
                                     [&](const GeneralSolver::V& at, GeneralSolver::V& f) {
                                       next = at;
                                       system.acceleration(next, force);
                                       f = next - known - c * force;
                                     },
                                     unknowns));
                                 q = unknowns;
                                 system.acceleration(q, a);
                                 v += h / Counted(2) * a;
                               }
                             }).total());
}

double shake_by_general_solver(double end_time) {
  const auto system = generally_solved(double_pendulum<Counted>());
  Shake method(system);
  auto start = method.start(double_pendulum_start<Counted>(), Vector<Counted, 4>::Constant(Counted(0)));
  return complete(method, std::move(start), large_step, end_time, nullptr, [](const auto& z) { return z.q; }).total();
}

// --- measurements ---------------------------------------------------------------------------------------------------

using Runs = std::map<Row, Run>;

/// Runs every row over counted arithmetic: its counts, and the printed ratios beside the counted ones.
Runs counted_runs(Report& report, double end_time) {
  Runs counted;
  std::vector<std::vector<double>> table;
  for (const auto& [row, name, printed] : rows) {
    const Run& run = counted[row] = run_row<Counted>(row, step_of(row), end_time);
    const std::string base = std::string(name) + ".";
    report.count(base + "steps", run.steps);
    report.count(base + "linear_solves", run.work.linear_solves);
    report.count(base + "newton_iterations", run.work.newton_iterations);
    add_measurements(report, {{base + "operations", run.total()}, {base + "operations_per_step", run.per_step()}},
                     "operations", {.relative = 0.02});
    if (printed > 0)
      table.push_back(
          {static_cast<double>(row), printed / printed_seconds(Row::zhang_skeel), run.total(), run.per_step()});
  }
  for (auto& line : table) line[2] /= counted[Row::zhang_skeel].total();
  report.series("ratios", {{"row", ""}, {"printed", "of Z&S"}, {"counted", "of Z&S"}, {"operations_per_step", ""}},
                table);
  return counted;
}

/// Median seconds of nine runs of every row.
std::map<Row, double> median_seconds(Report& report, double end_time) {
  // Interleaved, so that a slow moment of the machine meets all rows alike.
  constexpr int repetitions = 9;
  std::map<Row, std::vector<double>> seconds;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (const auto& [row, name, printed] : rows) {
      const auto begin = std::chrono::steady_clock::now();
      run_row<double>(row, step_of(row), end_time);
      seconds[row].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
  std::map<Row, double> median;
  for (const auto& [row, name, printed] : rows) {
    auto& times = seconds[row];
    std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
    report.timing(std::string("median.") + name, median[row] = times[repetitions / 2]);
  }
  return median;
}

/// The step of the benchmark, which is not printed: what the printed seconds say of it, and the errors that go with it.
struct BenchmarkStep {
  double low = 0, high = 0;  ///< the least and the largest that the seconds allow
  double error = 0;          ///< the error with h = 0.005
  double shake_error = 0;    ///< the error of SHAKE
};
BenchmarkStep benchmark_step(Report& report, double end_time) {
  const Reference exact = stiff_pendulum::constrained_motion(end_time, large_step);
  const auto error = [&](const std::string& name, Row row, double h) {
    const double value = run_row<double>(row, h, end_time, &exact).error;
    add_measurements(report, {{name, value}}, "length", {.relative = 1e-6});
    return value;
  };
  BenchmarkStep step;
  step.shake_error = error("shake.error", Row::shake, large_step);
  error("benchmark.error.h=0.01", Row::benchmark, 0.01);
  step.error = error("benchmark.error.h=0.005", Row::benchmark, 0.005);
  error("benchmark.error.h=0.001", Row::benchmark, 0.001);
  // Seconds of one call of the nonlinear solver, from the rows that make 500 of them.
  const auto inferred = [](Row row) { return 50 * (printed_seconds(row) / 500) / printed_seconds(Row::benchmark); };
  step.low = inferred(Row::shake);
  step.high = inferred(Row::newmark);
  add_measurements(report, {{"benchmark.step_inferred.low", step.low}, {"benchmark.step_inferred.high", step.high}}, "",
                   {.relative = 1e-9});
  return step;
}

/// Operations with the Hessian from differences over those with the analytic one, Newmark with one iteration; with one
/// iteration and iterated to convergence.
struct Differencing {
  double one_step, solved;
};
Differencing differencing(Report& report, const Runs& counted) {
  const double analytic = counted.at(Row::newmark_one_step).total();
  const Differencing over{counted.at(Row::newmark_one_step_differenced).total() / analytic,
                          counted.at(Row::newmark_differenced).total() / analytic};
  add_measurements(report,
                   {{"differenced_over_analytic.operations", over.one_step},
                    {"differenced_over_analytic.iterated_to_convergence.operations", over.solved}},
                   "", {.relative = 0.02});
  return over;
}

// --- the order of the running times ---------------------------------------------------------------------------------

using running_times::Method;

std::vector<Method> priced_methods(const Runs& counted, const std::map<Row, double>& median, double end_time) {
  std::vector<Method> methods;
  const auto add = [&](Row row, const char* in_words, double general) {
    // Four unknowns in a full matrix: nothing is left that could be dense.
    methods.push_back({rows[static_cast<std::size_t>(row)].name, in_words, printed_seconds(row), general, general,
                       counted.at(row).total(), median.at(row)});
  };
  const auto add_as_counted = [&](Row row, const char* in_words) { add(row, in_words, counted.at(row).total()); };
  add(Row::benchmark, "benchmark", benchmark_by_general_solver(end_time));
  add(Row::shake, "SHAKE", shake_by_general_solver(end_time));
  add_as_counted(Row::variational_euler, "variational Euler");
  add(Row::newmark, "Newmark", newmark_by_general_solver(end_time));
  add_as_counted(Row::newmark_one_step, "one-step Newmark");
  add_as_counted(Row::newmark_one_step_differenced, "one-step Newmark (Hessian approximated)");
  add_as_counted(Row::zhang_skeel, "Z&S");
  return methods;
}

/// The largest factor by which a ratio of two costs differs from the printed ratio.
template <class Cost>
double largest_mismatch(const std::vector<Method>& methods, const Cost& cost) {
  double low = 1e300, high = 0;
  for (const auto& method : methods) {
    low = std::min(low, cost(method) / method.printed);
    high = std::max(high, cost(method) / method.printed);
  }
  return high / low;
}

/// The pairs that `cost` puts in another order than the printed one.
template <class Cost>
std::string out_of_order(const std::vector<Method>& methods, const Cost& cost) {
  std::string list;
  for (const auto& one : methods)
    for (const auto& other : methods)
      if (one.printed > other.printed && !(cost(one) >= running_times::dearer * cost(other)))
        list += text("%s%s over %s, printed %.2g, counted %.2g", list.empty() ? "" : "; ", one.in_words.c_str(),
                     other.in_words.c_str(), one.printed / other.printed, cost(one) / cost(other));
  return list.empty() ? "none" : list;
}

void claim_of_the_order(Report& report, const std::vector<Method>& methods, const BenchmarkStep& benchmark,
                        const Differencing& over) {
  const auto general = [](const Method& m) { return m.general; };
  const auto structured = [](const Method& m) { return m.structured; };
  const auto steps = [](const Method& m) {
    return m.name == "benchmark" || m.name == "variational_euler" ? large_step / small_step : 1.0;
  };
  // One call of a solver, one explicit step, one step with a linear solve, in seconds.
  const auto prices = [&](const Method& m) {
    const bool solver =
        m.name == "benchmark" || m.name == "shake" || m.name == "newmark" || m.name == "newmark_one_step_differenced";
    return steps(m) * (solver ? 9.1e-3 : m.name == "variational_euler" ? 1e-4 : 6e-4);
  };
  const double in_order = running_times::share_in_order(methods, general),
               in_order_structured = running_times::share_in_order(methods, structured);
  add_measurements(report,
                   {{"running_time.share_of_pairs_in_order.general", in_order},
                    {"running_time.share_of_pairs_in_order.structured", in_order_structured}},
                   "", {.absolute = 0.05});
  report.claim(in_one_interval(
      {.id = "TO14.s4.1.cpu-times",
       .measured = in_order,
       .interval = running_times::most_pairs,
       .controls = {{.name = "every step of every method one unit",
                     .measured = running_times::share_in_order(methods, steps)}},
       .note = text("Of 21 pairs; out of order: %s. With the library's solvers and derivatives %.0f are in order; "
                    "out of it: %s. The largest factor between a counted and a printed ratio is %.0f. The list "
                    "is that of calls of a general solver: SHAKE and Newmark make 500, 7.6 and 10.6 ms each. "
                    "At that price 91.3 s are 8600 to 12000 calls, so the unprinted step of the benchmark is "
                    "between %.4f and %.4f: 0.005, as in row 3. Three prices (9.1 ms a call of the solver, 0.1 "
                    "ms an explicit step, 0.6 ms a step with one linear solve) give all printed ratios within a "
                    "factor %.1f. At h = 0.005 the benchmark's own error is %.2g, a %.0fth of SHAKE's. "
                    "Differencing the Hessian costs four more gradients, a factor %.2f, and %.2f if iterated to "
                    "convergence; printed: 13.",
                    out_of_order(methods, general).c_str(), 21 * in_order_structured,
                    out_of_order(methods, structured).c_str(), largest_mismatch(methods, general), benchmark.low,
                    benchmark.high, largest_mismatch(methods, prices), benchmark.error,
                    benchmark.shake_error / benchmark.error, over.one_step, over.solved)}));
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "cpu_times", {"TO14", "Running times", "4.1"}, "The running times of TO14 4.1, counted and timed", {},
      [&](Report& report, const ExperimentOptions& options) {
        const double end_time = options.quick ? 5 : 50;
        report.parameter("h", large_step);
        report.parameter("h_small", small_step);
        report.parameter("beta", beta);
        report.parameter("omega", omega);
        report.parameter("T", end_time);

        say_progress("counting");
        const Runs counted = counted_runs(report, end_time);
        report.figure({"cpu_times.svg",
                       "The running times printed in TO14 4.1 beside counted arithmetic, both in units of Z&S: "
                       "benchmark (variational Euler in the angles, h = 0.005), SHAKE, variational Euler on the "
                       "penalised system, Newmark solved, Newmark with one iteration (analytic and differenced "
                       "Hessian), Z&S. The printed ratios are those of calling a general nonlinear solver."});
        say_progress("timing");
        const std::map<Row, double> median = median_seconds(report, end_time);
        say_progress("the benchmark's step");
        const BenchmarkStep benchmark = benchmark_step(report, end_time);
        if (options.quick) {
          say_progress("not the printed end time: no claims are decided");
          return;
        }
        const Differencing over = differencing(report, counted);
        say_progress("the general solver");
        const std::vector<Method> methods = priced_methods(counted, median, end_time);
        running_times::put(report, methods);
        claim_of_the_order(report, methods, benchmark, over);
      });
}
