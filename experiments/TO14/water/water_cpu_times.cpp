// SPDX-License-Identifier: MIT
//
// Experiment: the running times of TO14 4.3: SHAKE and simplified Z&S (Integrator 5) on clusters of 7 and 100 water
// molecules, split into forces, Hessians, linear and nonlinear solves, as counted arithmetic and timed side by side
#include <array>
#include <cmath>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>

#include "study/cost/counted_arithmetic.hpp"
#include "study/cost/general_solver.hpp"
#include "study/cost/running_times.hpp"
#include "study/models/water_steps.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"

namespace {

using namespace livi;
using water_steps::beta, water_steps::h, water_steps::omega;
using C = Vector<Counted, Dynamic>;
using D = Vector<double, Dynamic>;

WaterModel<Counted> counted_model() {
  const WaterModel<double> m = tip3p<double>();
  return {m.oxygen_mass, m.hydrogen_mass, m.squared_oh, m.squared_hh, m.coulomb, m.repulsion, m.attraction};
}
C counted(const D& x) { return x.cast<Counted>(); }
D plain(const C& x) {
  D y(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) y(i) = x(i).value();
  return y;
}

/// (24), its gradient not counted: so that the rest of a step is. The forces are counted once, by `force_operations`.
struct UncountedForces {
  using scalar_type = Counted;
  using vector_type = C;
  [[maybe_unused]] static constexpr int dimension = Dynamic;
  VectorisedWaterPotential potential;

  [[nodiscard]] Counted value(const C& q) const { return potential.value(plain(q)); }
  void gradient(const C& q, C& out) const {
    D gradient(q.size());
    potential.gradient(plain(q), gradient);
    out = counted(gradient);
  }
};

/// The gradient of (24) without anything that is not needed for it; with `value`, the energy too.
template <class S>
void bare_gradient(const WaterModel<S>& model, const Vector<S, Dynamic>& q, Vector<S, Dynamic>& out, S* value) {
  using std::sqrt;
  const S twelve_repulsion = S(12) * model.repulsion, six_attraction = S(6) * model.attraction;
  const S strengths[]{S(4) * model.coulomb, S(-2) * model.coulomb, model.coulomb};  // by the number of hydrogens
  out.setConstant(q.size(), S(0));
  for (Eigen::Index i = 3; i < q.size() / 3; ++i)
    for (Eigen::Index j = 0; j < i - i % 3; ++j) {
      const S x = q(3 * i) - q(3 * j), y = q(3 * i + 1) - q(3 * j + 1), z = q(3 * i + 2) - q(3 * j + 2);
      const S inverse = S(1) / (x * x + y * y + z * z);
      const int hydrogens = (i % 3 > 0 ? 1 : 0) + (j % 3 > 0 ? 1 : 0);
      const S energy = strengths[hydrogens] * sqrt(inverse);
      S pull = energy * inverse;
      if (value) *value += energy;
      if (hydrogens == 0) {
        const S six = inverse * inverse * inverse;
        pull += six * (twelve_repulsion * six - six_attraction) * inverse;
        if (value) *value += six * (model.repulsion * six - model.attraction);
      }
      const S force[]{pull * x, pull * y, pull * z};
      for (int k = 0; k < 3; ++k) {
        out(3 * i + k) -= force[k];
        out(3 * j + k) += force[k];
      }
    }
}

/// Operations per step, in parts. `other`: the kicks and drifts of a step.
struct Counts {
  double forces = 0, values = 0;
  double penalty_gradient = 0, hessian = 0, linear_solve = 0, other_of_zhang_skeel = 0;
  double multipliers = 0, first_iteration = 0, iterations = 0, other_of_shake = 0;
  [[nodiscard]] double zhang_skeel() const {
    return forces + penalty_gradient + hessian + linear_solve + other_of_zhang_skeel;
  }
  [[nodiscard]] double shake() const { return forces + multipliers + other_of_shake; }
};
double operations(const auto& work) { return static_cast<double>(count_operations(work).total()); }

/// Counts `steps` steps of each method from states of the bath.
Counts count(Eigen::Index molecules, int steps) {
  const water_steps::Cluster cluster(molecules);
  Counts counts;
  const WaterModel<Counted> model = counted_model();
  using Mass = DiagonalMass<Counted, Dynamic>;
  const ConstrainedSystem<Mass, UncountedForces, WaterRigidity<Counted>> rigid(
      water_masses<Counted>(molecules, model), {VectorisedWaterPotential(tip3p<double>())},
      WaterRigidity<Counted>{model.squared_oh, model.squared_hh});
  const auto restrained = penalised(rigid, Counted(omega));
  const auto step = [&](auto& method, auto& z) {
    if (!method.step(z, Counted(h)).ok()) throw std::runtime_error("a step of " + method.declares().name);
  };
  const auto average_step = [&](auto& method, auto& z) {
    return operations([&] {
             for (int k = 0; k < steps; ++k) step(method, z);
           }) /
           steps;
  };

  C gradient(9 * molecules);
  const C q = counted(cluster.rigid_state.q), x = counted(cluster.restrained_state.q);
  counts.forces = operations([&] { bare_gradient<Counted>(model, q, gradient, nullptr); });
  Counted value(0);
  counts.values = operations([&] { bare_gradient<Counted>(model, q, gradient, &value); }) - counts.forces;
  D of_library(9 * molecules);
  const double value_of_library = cluster.rigid.potential().value_and_gradient(cluster.rigid_state.q, of_library);
  if (!((plain(gradient) - of_library).cwiseAbs().maxCoeff() <= 1e-10) ||
      !(std::abs(value.value() - value_of_library) <= 1e-8))
    throw std::runtime_error("the counted forces are not those of the library");

  // Integrator 5.
  StiffZhangSkeel zhang_skeel(restrained, {Counted(beta)});
  auto z = zhang_skeel.start(x, counted(cluster.restrained_state.v));
  step(zhang_skeel, z);  // its force is known now
  TriangleHessian<Counted> hessian(9 * molecules);
  ShiftedSolver<TriangleHessian<Counted>> solver;
  counts.penalty_gradient = operations([&] { restrained.potential().penalty.gradient(x, gradient); });
  counts.hessian = operations([&] { restrained.potential().stiff_hessian(x, hessian); });
  counts.linear_solve = operations([&] {
    if (solver.factor(restrained.mass(), Counted(beta * h * h), hessian).singular) throw std::runtime_error("singular");
    solver.solve_in_place(gradient);
  });
  counts.other_of_zhang_skeel =
      average_step(zhang_skeel, z) - counts.penalty_gradient - counts.hessian - counts.linear_solve;

  // SHAKE, its multipliers with the guesses of the step.
  Shake shake(rigid);
  auto y = shake.start(q, counted(cluster.rigid_state.v));
  step(shake, y);
  const long iterations = shake.work().newton_iterations;
  const double whole = average_step(shake, y);
  counts.iterations = static_cast<double>(shake.work().newton_iterations - iterations) / steps;
  using System = std::remove_const_t<decltype(rigid)>;
  for (const bool once : {false, true}) {
    MultiplierSolve<System> solve(rigid,
                                  once ? NewtonOptions<Counted>{.fixed_iterations = 1} : NewtonOptions<Counted>{});
    auto w = shake.start(q, counted(cluster.rigid_state.v));
    Shake again(rigid);
    step(again, w);
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
      const C r = w.q + Counted(h) * (w.v + Counted(h / 2) * w.f);
      C mu = Counted(h * h) * w.lambda, next = w.q;
      WorkCounters work;
      sum += operations([&] {
        solve.set_directions(rigid, w.q);
        if (!solve.solve_position(rigid, r, mu, next, work).ok()) throw std::runtime_error("multipliers");
        [[maybe_unused]] const C& pushed = solve.push(mu);
      });
      step(again, w);
    }
    (once ? counts.first_iteration : counts.multipliers) = sum / steps;
  }
  counts.other_of_shake = whole - counts.multipliers;
  return counts;
}

/// One solve of g(r + M^-1 G^T mu) = 0 for the 3 N multipliers by the general solver, M^-1 G^T a full matrix.
double general_solver_operations(Eigen::Index molecules) {
  const water_steps::Cluster cluster(molecules);
  const WaterModel<Counted> model = counted_model();
  const GenerallySolved<WaterRigidity<Counted>> constraint{{model.squared_oh, model.squared_hh}};
  GenerallySolved<WaterRigidity<Counted>>::multiplier_equations equations(constraint,
                                                                          water_masses<Counted>(molecules, model));
  const C q = counted(cluster.rigid_state.q);
  D acceleration(q.size());
  cluster.rigid.acceleration(cluster.rigid_state.q, acceleration);
  const C r = counted(cluster.rigid_state.q + h * (cluster.rigid_state.v + h / 2 * acceleration));
  C mu = C::Constant(3 * molecules, Counted(0)), next = r;
  return operations([&] {
    equations.set_directions(q);
    if (equations.solve_position(r, {}, mu, next).failure != MultiplierOutcome::Failure::none)
      throw std::runtime_error("the general solver does not converge");
  });
}

/// Factor and solve with the whole M + c Hess V1 as one dense matrix.
double dense_solve_operations(Eigen::Index molecules) {
  const WaterModel<Counted> model = counted_model();
  const WaterPenalty<Counted, DenseHessian<Counted, Dynamic>> penalty(model.squared_oh, model.squared_hh,
                                                                      Counted(omega * omega));
  const C q = counted(water_steps::positions(molecules));
  DenseHessian<Counted, Dynamic> hessian(q.size());
  penalty.hessian(q, hessian);
  ShiftedSolver<DenseHessian<Counted, Dynamic>> solver;
  C b = q;
  return operations([&] {
    if (solver.factor(water_masses<Counted>(molecules, model), Counted(beta * h * h), hessian).singular)
      throw std::runtime_error("singular");
    solver.solve_in_place(b);
  });
}

/// Exponent of N between two sizes.
double exponent(double small, double large, double ratio_of_sizes) {
  return std::log(large / small) / std::log(ratio_of_sizes);
}

/// The Hessian of (24), all pairs.
double full_hessian_operations(Eigen::Index molecules) {
  const C q = counted(water_steps::positions(molecules));
  DenseHessian<Counted, Dynamic> full(q.size());
  return operations([&] { WaterPotential<Counted>(counted_model()).hessian(q, full); });
}

using CountsBySize = std::map<Eigen::Index, Counts>;
CountsBySize put_counts(Report& report, const std::vector<Eigen::Index>& sizes) {
  CountsBySize counts;
  std::vector<std::vector<double>> table;
  for (const Eigen::Index n : sizes) {
    const Counts c = counts[n] = count(n, n > 100 ? 2 : 10);
    const std::string base = text("N=%ld.", static_cast<long>(n));
    add_measurements(report,
                     {{base + "forces", c.forces},
                      {base + "energy", c.values},
                      {base + "penalty_gradient", c.penalty_gradient},
                      {base + "stiff_hessian", c.hessian},
                      {base + "linear_solve", c.linear_solve},
                      {base + "multipliers", c.multipliers},
                      {base + "zhang_skeel_step", c.zhang_skeel()},
                      {base + "shake_step", c.shake()}},
                     "operations", {.relative = 0.1});
    report.measurement({.name = base + "newton_iterations", .value = c.iterations, .tolerance = {.absolute = 1}});
    table.push_back({static_cast<double>(n), c.forces, c.penalty_gradient + c.hessian, c.linear_solve,
                     c.other_of_zhang_skeel, c.multipliers, c.other_of_shake});
  }
  report.series("operations",
                columns({{"N", "molecules"}},
                        {"forces", "penalty_and_hessian", "linear_solve", "other_of_zhang_skeel", "multipliers",
                         "other_of_shake"},
                        "operations"),
                table);
  return counts;
}

/// Median seconds of the parts of a step, by N and part. In turns, so that a slow moment of the machine meets all parts
/// alike.
using Seconds = std::map<std::string, double>;
Seconds put_times(Report& report, int repetitions) {
  Seconds median;
  for (const Eigen::Index n : {Eigen::Index(7), Eigen::Index(100), Eigen::Index(1000)}) {
    const water_steps::Cluster cluster(n);
    auto parts = water_steps::parts(cluster);
    const int batch = n > 500 ? 2 : n > 50 ? 100 : 2000;
    std::map<std::string, std::vector<double>> seconds;
    for (int repetition = 0; repetition < repetitions; ++repetition)
      for (auto& part : parts) {
        const double begin = water_steps::thread_seconds();
        part.run(batch);
        seconds[part.name].push_back((water_steps::thread_seconds() - begin) / batch);
      }
    for (auto& [name, times] : seconds) {
      std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
      const std::string full = "N=" + std::to_string(n) + "." + name;
      median[full] = times[static_cast<std::size_t>(repetitions) / 2];
      report.timing("median." + full, median[full]);
    }
  }
  return median;
}

/// What TO14 prints, in seconds of a whole run with h = 0.05: T = 10000 for 7 molecules, 1000 for 100.
namespace printed {
constexpr double steps_of_7 = 200000, steps_of_100 = 20000;
constexpr double shake_of_7 = 13472, zhang_skeel_of_7 = 1549, shake_of_100 = 42234, zhang_skeel_of_100 = 30059;
constexpr double nonlinear_of_7 = 12284, linear_of_7 = 67, nonlinear_of_100 = 14272, linear_of_100 = 319;
constexpr double forces_of_100 = 28000;
/// Per step and molecule, or pair of molecules.
const double milliseconds_of_7 = 1e3 * nonlinear_of_7 / steps_of_7 / 7,
             milliseconds_of_100 = 1e3 * nonlinear_of_100 / steps_of_100 / 100,
             microseconds_of_a_pair_of_7 = 1e6 * (shake_of_7 - nonlinear_of_7) / steps_of_7 / 21,
             microseconds_of_a_pair_of_100 = 1e6 * forces_of_100 / steps_of_100 / 4950;
}  // namespace printed

/// What the controls count.
struct Others {
  double general, general_at_once;  ///< the general solver, N = 7: molecule by molecule, and all at once
  double dense_exponent;            ///< power of N of a dense solve
  double full_hessian;              ///< N = 100
};
Others put_others(Report& report) {
  say_progress("controls");
  const Others others{.general = 7 * general_solver_operations(1),
                      .general_at_once = general_solver_operations(7),
                      .dense_exponent = exponent(dense_solve_operations(5), dense_solve_operations(20), 4),
                      .full_hessian = full_hessian_operations(100)};
  add_measurements(report,
                   {{"N=7.general_solver.molecule_by_molecule", others.general},
                    {"N=7.general_solver.all_at_once", others.general_at_once}},
                   "operations", {.relative = 0.4});
  add_measurements(report,
                   {{"printed.milliseconds_of_a_nonlinear_solve.N=7", printed::milliseconds_of_7},
                    {"printed.milliseconds_of_a_nonlinear_solve.N=100", printed::milliseconds_of_100},
                    {"printed.microseconds_of_a_pair.N=7", printed::microseconds_of_a_pair_of_7},
                    {"printed.microseconds_of_a_pair.N=100", printed::microseconds_of_a_pair_of_100}},
                   "", {.relative = 1e-9});
  add_measurements(report, {{"dense_solve.exponent", others.dense_exponent}}, "", {.absolute = 0.01});
  add_measurements(report, {{"N=100.full_hessian", others.full_hessian}}, "operations", {.relative = 0.02});
  return others;
}

/// SHAKE and Integrator 5 at one size. The printed seconds of nonlinear solves are proportional to the number of
/// molecules: one call of the solver each. Dense is all multipliers of a step at once, and one matrix for all
/// molecules.
std::vector<running_times::Method> methods_at(Eigen::Index n, const Counts& c, const Seconds& median,
                                              double shake_seconds, double zs_seconds, double general_of_molecule,
                                              double at_once) {
  const double rest = c.shake() - c.multipliers;
  const auto seconds = [&](const char* method) {
    const auto found = median.find("N=" + std::to_string(n) + "." + method);
    return found == median.end() ? not_a_number : found->second;
  };
  return {{"shake", "SHAKE", shake_seconds, rest + general_of_molecule * static_cast<double>(n), rest + at_once,
           c.shake(), seconds("shake")},
          {"zhang_skeel", "Z&Ss", zs_seconds, c.zhang_skeel(),
           c.zhang_skeel() - c.linear_solve + dense_solve_operations(n), c.zhang_skeel(), seconds("zhang_skeel")}};
}

void claim_cpu_times(Report& report, const Counts& seven, const Counts& hundred, const Seconds& median,
                     const Others& others) {
  const double seven_ratio = seven.shake() / seven.zhang_skeel(),
               hundred_ratio = hundred.shake() / hundred.zhang_skeel();
  add_measurements(report,
                   {{"N=7.shake_over_zhang_skeel", seven_ratio},
                    {"N=100.shake_over_zhang_skeel", hundred_ratio},
                    {"N=7.multipliers_over_linear_solve", seven.multipliers / seven.linear_solve},
                    {"N=100.multipliers_over_linear_solve", hundred.multipliers / hundred.linear_solve},
                    {"N=7.first_iteration_over_linear_solve", seven.first_iteration / seven.linear_solve}},
                   "", {.relative = 0.1});
  say_progress("the general solver, N = 100");
  const auto of_seven = methods_at(7, seven, median, printed::shake_of_7, printed::zhang_skeel_of_7, others.general / 7,
                                   others.general_at_once),
             of_hundred = methods_at(100, hundred, median, printed::shake_of_100, printed::zhang_skeel_of_100,
                                     others.general / 7, general_solver_operations(100));
  running_times::put(report, of_seven, 7);
  running_times::put(report, of_hundred, 100);
  const auto share = [&](const auto& cost) {
    return (running_times::share_in_order(of_seven, cost) + running_times::share_in_order(of_hundred, cost)) / 2;
  };
  using Method = running_times::Method;
  report.claim(
      {.id = "TO14.s4.3.cpu-n7",
       .measured = share([](const Method& m) { return m.general; }),
       .interval = running_times::most_pairs,
       .controls = {failing("three multipliers at a time in SHAKE, a full matrix of all molecules in Z&Ss",
                            share([](const Method& m) { return m.name == "shake" ? m.structured : m.dense; }),
                            running_times::most_pairs)},
       .note =
           text("Of two pairs, N = 7 and 100. SHAKE over Z&Ss, printed %.2f and %.2f; counted %.2f and %.2f with "
                "the general solver for each molecule, %.2f and %.2f with it for all at once and one full matrix "
                "in Z&Ss, %.2f and %.2f with Newton's method to rounding. Of nonlinear to linear solves printed "
                "%.0f and %.0f, counted %.2f. ",
                printed::shake_of_7 / printed::zhang_skeel_of_7, printed::shake_of_100 / printed::zhang_skeel_of_100,
                of_seven[0].general / of_seven[1].general, of_hundred[0].general / of_hundred[1].general,
                of_seven[0].dense / of_seven[1].dense, of_hundred[0].dense / of_hundred[1].dense, seven_ratio,
                hundred_ratio, printed::nonlinear_of_7 / printed::linear_of_7,
                printed::nonlinear_of_100 / printed::linear_of_100, others.general / seven.linear_solve) +
           text("Operations of a step, N = 7: SHAKE %.0f, Z&Ss %.0f, of which forces %.0f in both; multipliers "
                "%.0f in %.2f iterations, penalty, Hessian and linear solve %.0f. N = 100: SHAKE %.0f, Z&Ss "
                "%.0f, forces %.0f in both; multipliers %.0f, penalty, Hessian and linear solve %.0f. ",
                seven.shake(), seven.zhang_skeel(), seven.forces, seven.multipliers, seven.iterations,
                seven.penalty_gradient + seven.hessian + seven.linear_solve, hundred.shake(), hundred.zhang_skeel(),
                hundred.forces, hundred.multipliers,
                hundred.penalty_gradient + hundred.hessian + hundred.linear_solve) +
           text("The printed seconds of nonlinear solves are %.1f ms a step and molecule with 7 molecules and "
                "%.1f ms with 100, what a call of the general solver takes in 4.1 (7.6 to 10.6 ms): one call a "
                "molecule. The forces take %.0f microseconds a pair of molecules in both runs.",
                printed::milliseconds_of_7, printed::milliseconds_of_100, printed::microseconds_of_a_pair_of_7)});
}

void claim_forces(Report& report, const CountsBySize& counts, const Others& others) {
  const auto in_shake = [&](Eigen::Index n) { return counts.at(n).forces / counts.at(n).shake(); };
  const auto in_zhang_skeel = [&](Eigen::Index n) { return counts.at(n).forces / counts.at(n).zhang_skeel(); };
  report.claim(
      {.id = "TO14.s4.3.force-bottleneck",
       .measured = std::min(in_shake(100), in_zhang_skeel(100)),
       .interval = {0.5, 1},
       .controls = {failing("one molecule", in_zhang_skeel(1), {0.5, 1}),
                    failing("the printed seconds of SHAKE at N = 7, where it is not said",
                            (printed::shake_of_7 - printed::nonlinear_of_7) / printed::shake_of_7, {0.5, 1})},
       .note = text("Shares in SHAKE and Z&S: N = 7 %.3f and %.3f, N = 100 %.3f and %.3f, N = 1000 %.4f and "
                    "%.4f: nine pairs of atoms for every pair of molecules, against a fixed cost per molecule.",
                    in_shake(7), in_zhang_skeel(7), in_shake(100), in_zhang_skeel(100), in_shake(1000),
                    in_zhang_skeel(1000))});
  const Counts& hundred = counts.at(100);
  const double with_forces = hundred.forces + hundred.values;
  report.claim({.id = "TO14.s4.3.hessian-cheap",
                .measured = (with_forces + hundred.penalty_gradient + hundred.hessian) / with_forces,
                .interval = {1, 1.1},
                .controls = {failing("the Hessian of (24), all pairs, in its place",
                                     (with_forces + others.full_hessian) / with_forces, {1, 1.1})},
                .note = "It is so because only the stiff part of the Hessian is taken, three springs a molecule; with "
                        "the Hessian of all pairs, as Z&Ss has it, the control is what is paid."});
}

void claim_linear_solve(Report& report, const CountsBySize& counts, const Others& others) {
  const double ten = counts.at(10).linear_solve, thousand = counts.at(1000).linear_solve;
  report.claim(
      {.id = "TO14.s4.3.linear-solve-o-n",
       .measured = exponent(ten, thousand, 100),
       .interval = {0.99, 1.01},
       .controls = {failing("one dense matrix for all molecules, N = 5 to 20", others.dense_exponent, {0.99, 1.01})},
       .note = text("%.0f operations a molecule. Timed with vector instructions: timing, "
                    "median.N=*.linear_solve.",
                    thousand / 1000)});
}

void measure_costs(Report& report, bool quick) {
  report.parameter("h", h);
  report.parameter("omega", omega);
  report.parameter("beta", beta);
  report.parameter("friction", water_steps::bath.gamma);
  report.parameter("inverse_temperature", water_steps::bath.inverse_temperature);

  say_progress("counting");
  const CountsBySize counts =
      put_counts(report, quick ? std::vector<Eigen::Index>{1, 7} : std::vector<Eigen::Index>{1, 7, 10, 100, 1000});
  say_progress("timing");
  const Seconds median = put_times(report, quick ? 3 : 9);
  if (quick) {
    say_progress("not all sizes: no claims are decided");
    return;
  }
  const Others others = put_others(report);
  claim_cpu_times(report, counts.at(7), counts.at(100), median, others);
  claim_forces(report, counts, others);
  claim_linear_solve(report, counts, others);
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(argc, argv, "water_cpu_times", {"TO14", "Running times", "4.3"},
                        "The running times of TO14 4.3, counted and timed", {},
                        [](Report& report, const ExperimentOptions& options) { measure_costs(report, options.quick); });
}
