// SPDX-License-Identifier: MIT
//
// Experiment: the running times of TO14 4.2: SHAKE with two steps and Z&S on the chain of ten pendula, with a general
// nonlinear solver, with dense and with banded linear algebra, as counted arithmetic, and timed side by side; and the
// cost of both at equal error
#include <algorithm>
#include <array>
#include <map>

#include "reference/chain_reference.hpp"
#include "study/cost/counted_arithmetic.hpp"
#include "study/cost/general_solver.hpp"
#include "study/cost/running_times.hpp"
#include "study/cost/seconds.hpp"
#include "study/models/hanging_chain.hpp"
#include "study/program/experiment.hpp"

namespace {

using namespace livi;
using namespace livi::hanging_chain;

enum class Algebra { banded, dense };
constexpr std::array algebras{Algebra::banded, Algebra::dense};
const char* name(Algebra algebra) { return algebra == Algebra::banded ? "banded" : "dense"; }

/// The printed list.
enum class Row { shake_half_step, shake, zhang_skeel };
struct RowName {
  Row row;
  const char* name;
  double step, printed;
};
constexpr std::array<RowName, 3> rows{{{Row::shake_half_step, "shake_half_step", printed_step / 2, 16.5},
                                       {Row::shake, "shake", printed_step, 8.1},
                                       {Row::zhang_skeel, "zhang_skeel", printed_step, 1.1}}};

struct Run {
  long steps = 0;
  WorkCounters work;
  Operations operations;
  Coordinates<double> end;
  [[nodiscard]] double per_step() const { return static_cast<double>(operations.total()) / static_cast<double>(steps); }
  [[nodiscard]] double total() const { return static_cast<double>(operations.total()); }
};

template <class S, class Method>
Run complete(Method method, int links, double h, double end_time) {
  Run result;
  result.steps = steps_in(end_time, h);
  auto start = method.start(straight_start<S>(links), at_rest<S>(links));
  result.operations = count_operations([&] {
    Trajectory run(method, std::move(start), S(h), result.steps);
    if (!run.complete().ok()) throw std::runtime_error(run.outcome().describe());
    result.end.resize(2 * links);
    for (Eigen::Index i = 0; i < result.end.size(); ++i) result.end(i) = to_double(run.state().q(i));
  });
  result.work = method.work();
  return result;
}

template <class S>
Run run_shake(Algebra algebra, int links, double h, double end_time) {
  const auto run = [&](const auto& system) { return complete<S>(Shake(system), links, h, end_time); };
  if (algebra == Algebra::banded) return run(chain<S>(links));
  return run(chain<S, DenseHessian<S, Dynamic>>(links));
}

template <class S>
Run run_zhang_skeel(Algebra algebra, int links, double omega, double h, double end_time) {
  const auto run = [&](const auto& constrained) {
    const auto system = penalised(constrained, S(omega));
    return complete<S>(ZhangSkeel(system, {S(printed_beta)}), links, h, end_time);
  };
  if (algebra == Algebra::banded) return run(chain<S>(links));
  return run(chain<S, DenseHessian<S, Dynamic>>(links));
}

template <class S>
Run run_row(const RowName& row, Algebra algebra, double end_time, int links = printed_links) {
  if (row.row == Row::zhang_skeel) return run_zhang_skeel<S>(algebra, links, printed_omega, row.step, end_time);
  return run_shake<S>(algebra, links, row.step, end_time);
}

/// All ten multipliers by a solver that is told nothing but the function.
double shake_by_general_solver(double h, double end_time) {
  const auto system = generally_solved(chain<Counted, DenseHessian<Counted, Dynamic>>(printed_links));
  return complete<Counted>(Shake(system), printed_links, h, end_time).total();
}

// --- at equal error --------------------------------------------------------------------------------------------------

using Reference = std::vector<reference::ChainState>;

template <class Method>
double largest_error(Method method, double h, double end_time, const Reference& exact) {
  const long every = steps_in(end_time / static_cast<double>(exact.size() - 1), h);
  Trajectory run(method, method.start(straight_start(printed_links), at_rest(printed_links)), h, steps_in(end_time, h));
  double largest = 0;
  for (const auto& point : run) {
    if (point.step % every != 0) continue;
    const auto& q = exact[static_cast<std::size_t>(point.step / every)].q;
    for (std::size_t i = 0; i < q.size(); ++i)
      largest = std::max(largest, std::abs(point.state.q(static_cast<Eigen::Index>(i)) - q[i]));
  }
  return run.outcome().ok() ? largest : infinity;
}
double shake_error(double h, double end_time, const Reference& exact) {
  const auto system = chain(printed_links);
  return largest_error(Shake(system), h, end_time, exact);
}
double zhang_skeel_error(double omega, double h, double end_time, const Reference& exact) {
  const auto system = penalised(chain(printed_links), omega);
  return largest_error(ZhangSkeel(system, {printed_beta}), h, end_time, exact);
}

// --- counted and timed -----------------------------------------------------------------------------------------------

/// One number or run for each row of the printed list with each algebra.
template <class T>
using Table = std::map<std::pair<Row, Algebra>, T>;
template <class Function>
void for_each_entry(const Function& f) {
  for (const RowName& row : rows)
    for (const Algebra algebra : algebras) f(row, algebra);
}
double total(const Table<Run>& counted, Row row, Algebra algebra) { return counted.at({row, algebra}).total(); }

Table<Run> counted_runs(Report& report, double end_time) {
  say_progress("counting");
  Table<Run> counted;
  for_each_entry([&](const RowName& row, Algebra algebra) {
    const Run run = counted[{row.row, algebra}] = run_row<Counted>(row, algebra, end_time);
    const std::string base = text("%s.%s.", row.name, name(algebra));
    report.count(base + "steps", run.steps);
    report.count(base + "linear_solves", run.work.linear_solves);
    report.count(base + "newton_iterations", run.work.newton_iterations);
    for (const auto& [what, value] : {std::pair{"operations", run.total()}, {"operations_per_step", run.per_step()}})
      report.measurement({.name = base + what, .value = value, .unit = "operations", .tolerance = {.relative = 0.02}});
  });
  const double zs = total(counted, Row::zhang_skeel, Algebra::banded);
  std::vector<std::vector<double>> table;
  for (const RowName& row : rows)
    table.push_back({row.step, row.printed / rows[2].printed, total(counted, row.row, Algebra::banded) / zs,
                     total(counted, row.row, Algebra::dense) / zs});
  report.series("ratios",
                {{"h", "time"}, {"printed", "of Z&S"}, {"banded", "of banded Z&S"}, {"dense", "of banded Z&S"}}, table);
  return counted;
}

/// Median seconds of a run, the runs interleaved, so that a slow moment of the machine meets all rows alike.
Table<double> timed_runs(Report& report, double end_time) {
  say_progress("timing");
  Table<std::vector<double>> seconds;
  for (int repetition = 0; repetition < 9; ++repetition)
    for_each_entry([&](const RowName& row, Algebra algebra) {
      seconds[{row.row, algebra}].push_back(seconds_of([&] { run_row<double>(row, algebra, end_time); }));
    });
  Table<double> medians;
  for_each_entry([&](const RowName& row, Algebra algebra) {
    report.timing(text("median.%s.%s", row.name, name(algebra)),
                  medians[{row.row, algebra}] = median(seconds[{row.row, algebra}]));
  });
  for (const Algebra of_shake : algebras)
    for (const Algebra of_zs : algebras)
      report.timing(text("ratio.shake_%s.zhang_skeel_%s", name(of_shake), name(of_zs)),
                    medians[{Row::shake, of_shake}] / medians[{Row::zhang_skeel, of_zs}]);
  return medians;
}

/// The errors of both methods at the printed parameters, the steps at which each is as accurate as the other, and the
/// operations of SHAKE over those of Z&S there.
struct EqualError {
  double of_shake, of_zs;
  double shake_step = 0.5;           ///< the largest of 0.5/m, m a whole number, at which SHAKE is as accurate as Z&S
  double zs_step = 0, zs_omega = 0;  ///< the largest step at which Z&S is as accurate as SHAKE, over omega of a grid
  double at_error_of_zs = 0, at_error_of_shake = 0;
};
EqualError equal_error(Report& report, const Table<Run>& counted, double end_time) {
  say_progress("equal error");
  const Reference exact = reference::integrate_chain(reference::slanted_chain(printed_links),
                                                     reference::ChainFormulation::tensions, reference::Method::taylor,
                                                     reference::Arithmetic::extended_precision, end_time, 101, 1e-19);
  EqualError found{shake_error(printed_step, end_time, exact),
                   zhang_skeel_error(printed_omega, printed_step, end_time, exact)};
  for (int m = 1; m <= 20; ++m) {
    found.shake_step = 0.5 / m;
    if (shake_error(found.shake_step, end_time, exact) <= found.of_zs) break;
  }
  for (int m = 5; m <= 80 && found.zs_step == 0; m += m < 20 ? 1 : 4)
    for (double h2_omega = 0.02; h2_omega < 0.3; h2_omega *= 1.25) {
      const double h = 0.5 / m, omega = h2_omega / (h * h);
      if (zhang_skeel_error(omega, h, end_time, exact) > found.of_shake) continue;
      found.zs_step = h;
      found.zs_omega = omega;
      break;
    }
  for (const auto& [what, value] : {std::pair{"shake.error", found.of_shake}, {"zhang_skeel.error", found.of_zs}})
    report.measurement({.name = what, .value = value, .unit = "length", .tolerance = {.relative = 1e-5}});
  for (const auto& [what, value, unit] : {std::tuple{"shake_step", found.shake_step, "time"},
                                          {"zhang_skeel_step", found.zs_step, "time"},
                                          {"zhang_skeel_omega", found.zs_omega, ""}})
    report.measurement(
        {.name = text("equal_error.%s", what), .value = value, .unit = unit, .tolerance = {.relative = 1e-9}});
  found.at_error_of_zs = run_shake<Counted>(Algebra::banded, printed_links, found.shake_step, end_time).total() /
                         total(counted, Row::zhang_skeel, Algebra::banded);
  found.at_error_of_shake =
      total(counted, Row::shake, Algebra::banded) /
      run_zhang_skeel<Counted>(Algebra::banded, printed_links, found.zs_omega, found.zs_step, end_time).total();
  for (const auto& [what, value] : {std::pair{"zhang_skeel", found.at_error_of_zs}, {"shake", found.at_error_of_shake}})
    report.measurement({.name = text("equal_error.shake_over_zhang_skeel.at_error_of_%s", what),
                        .value = value,
                        .tolerance = {.relative = 0.02}});
  return found;
}

void claim_cpu_times(Report& report, const Table<Run>& counted, const Table<double>& seconds, const EqualError& equal,
                     double end_time) {
  const auto of = [&](Row row, Algebra algebra) { return total(counted, row, algebra); };
  const auto ratio = [&](Algebra shake, Algebra zhang_skeel) {
    return of(Row::shake, shake) / of(Row::zhang_skeel, zhang_skeel);
  };
  for (const Algebra shake : algebras)
    for (const Algebra zhang_skeel : algebras)
      report.measurement({.name = text("ratio.shake_%s.zhang_skeel_%s", name(shake), name(zhang_skeel)),
                          .value = ratio(shake, zhang_skeel),
                          .tolerance = {.relative = 0.02}});
  const double halving = of(Row::shake_half_step, Algebra::banded) / of(Row::shake, Algebra::banded);
  report.measurement({.name = "ratio.shake_half_step.shake", .value = halving, .tolerance = {.relative = 0.02}});
  const auto iterations = [&](Row row) {
    const Run& run = counted.at({row, Algebra::banded});
    return static_cast<double>(run.work.newton_iterations) / static_cast<double>(run.steps);
  };
  say_progress("the general solver");
  using running_times::Method;
  const auto method = [&](std::size_t i, const char* in_words, double general, double dense) {
    const auto& [row, name, step, printed] = rows[i];
    return Method{
        name, in_words, printed, general, dense, of(row, Algebra::banded), seconds.at({row, Algebra::banded})};
  };
  const double half_step = shake_by_general_solver(printed_step / 2, end_time),
               step = shake_by_general_solver(printed_step, end_time);
  const std::vector<Method> methods{
      method(0, "SHAKE (h = 0.025)", half_step, half_step), method(1, "SHAKE (h = 0.05)", step, step),
      method(2, "Z&S", of(Row::zhang_skeel, Algebra::banded), of(Row::zhang_skeel, Algebra::dense))};
  running_times::put(report, methods);
  const auto full_in_zs = [](const Method& m) { return m.name == "zhang_skeel" ? m.dense : m.structured; };
  // Milliseconds of a step: printed seconds over the steps to T = 50.
  const double shake_call = 8.1, half_step_call = 16.5 / 2, zhang_skeel_step = 1.1;
  report.claim(
      {.id = "TO14.s4.2.cpu-times",
       .measured = running_times::share_in_order(methods),
       .interval = running_times::most_pairs,
       .controls = {{.name = "three diagonals in SHAKE, a full matrix in Z&S",
                     .measured = running_times::share_in_order(methods, full_in_zs),
                     .interval = running_times::most_pairs}},
       .note =
           text("Of three pairs. SHAKE over Z&S with the same step, printed: %.1f; counted: %.1f with the general "
                "solver, %.1f with a full matrix in Z&S, too, %.2f with SHAKE's three diagonals, which with the full "
                "matrix of Z&S make %.2f. SHAKE takes %.2f Newton iterations a step (%.2f with half the step, so that "
                "halving h costs a factor %.2f; printed: 2.04). With T = 50 the printed seconds are 1000 and 2000 "
                "calls of a solver at %.1f and %.2f ms, beside 7.6 ms for the two multipliers of 4.1: the price of a "
                "call, whatever is solved; a step of Z&S costs %.1f ms, 0.8 ms in 4.1. At equal error, with the "
                "structure: as accurate as Z&S (%.1e) SHAKE is with h = %.3g, at %.2f of the operations; to be as "
                "accurate as SHAKE (%.1e) Z&S needs h = %.3g and omega = %.0f, and SHAKE costs %.2f of it.",
                rows[1].printed / rows[2].printed, methods[1].general / methods[2].general,
                methods[1].dense / methods[2].dense, ratio(Algebra::banded, Algebra::banded),
                ratio(Algebra::banded, Algebra::dense), iterations(Row::shake), iterations(Row::shake_half_step),
                halving, shake_call, half_step_call, zhang_skeel_step, equal.of_zs, equal.shake_step,
                equal.at_error_of_zs, equal.of_shake, equal.zs_step, equal.zs_omega, equal.at_error_of_shake)});
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(argc, argv, "chain_cpu_times", {"TO14", "Running times", "4.2"},
                        "The running times of TO14 4.2, counted and timed", {},
                        [](Report& report, const ExperimentOptions& options) {
                          const double end_time = options.quick ? 5 : 50;
                          report.parameter("n", printed_links);
                          report.parameter("h", printed_step);
                          report.parameter("beta", printed_beta);
                          report.parameter("omega", printed_omega);
                          report.parameter("T", end_time);
                          const Table<Run> counted = counted_runs(report, end_time);
                          const Table<double> seconds = timed_runs(report, end_time);
                          if (options.quick) {
                            say_progress("not the figure's end time: no claims are decided");
                            return;
                          }
                          const EqualError equal = equal_error(report, counted, end_time);
                          claim_cpu_times(report, counted, seconds, equal, end_time);
                        });
}
