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
#include "study/program/experiment.hpp"

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
  double forces = 0, values = 0, full_hessian = 0;
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
  const auto average = [&](const auto& work) { return operations(work) / steps; };

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
  if (!zhang_skeel.step(z, Counted(h)).ok()) throw std::runtime_error("a step of Z&S");  // its force is known now
  TriangleHessian<Counted> hessian(9 * molecules);
  ShiftedSolver<TriangleHessian<Counted>> solver;
  counts.penalty_gradient = operations([&] { restrained.potential().penalty.gradient(x, gradient); });
  counts.hessian = operations([&] { restrained.potential().stiff_hessian(x, hessian); });
  counts.linear_solve = operations([&] {
    if (solver.factor(restrained.mass(), Counted(beta * h * h), hessian).singular) throw std::runtime_error("singular");
    solver.solve_in_place(gradient);
  });
  const double step = average([&] {
    for (int k = 0; k < steps; ++k)
      if (!zhang_skeel.step(z, Counted(h)).ok()) throw std::runtime_error("a step of Z&S");
  });
  counts.other_of_zhang_skeel = step - counts.penalty_gradient - counts.hessian - counts.linear_solve;

  // SHAKE, its multipliers with the guesses of the step.
  Shake shake(rigid);
  auto y = shake.start(q, counted(cluster.rigid_state.v));
  if (!shake.step(y, Counted(h)).ok()) throw std::runtime_error("a step of SHAKE");
  std::vector<C> before, predicted, guesses;
  const long iterations = shake.work().newton_iterations;
  const double whole = average([&] {
    for (int k = 0; k < steps; ++k)
      if (!shake.step(y, Counted(h)).ok()) throw std::runtime_error("a step of SHAKE");
  });
  counts.iterations = static_cast<double>(shake.work().newton_iterations - iterations) / steps;
  using System = std::remove_const_t<decltype(rigid)>;
  for (const bool once : {false, true}) {
    MultiplierSolve<System> solve(rigid,
                                  once ? NewtonOptions<Counted>{.fixed_iterations = 1} : NewtonOptions<Counted>{});
    auto w = shake.start(q, counted(cluster.rigid_state.v));
    Shake again(rigid);
    if (!again.step(w, Counted(h)).ok()) throw std::runtime_error("a step of SHAKE");
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
      if (!again.step(w, Counted(h)).ok()) throw std::runtime_error("a step of SHAKE");
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

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "water_cpu_times", {"TO14", "Running times", "4.3"},
      "The running times of TO14 4.3, counted and timed", {}, [&](Report& report, const ExperimentOptions& options) {
        report.parameter("h", h);
        report.parameter("omega", omega);
        report.parameter("beta", beta);
        report.parameter("friction", water_steps::bath.gamma);
        report.parameter("inverse_temperature", water_steps::bath.inverse_temperature);

        say_progress("counting");
        std::map<Eigen::Index, Counts> counts;
        std::vector<std::vector<double>> table;
        const std::vector<Eigen::Index> sizes =
            options.quick ? std::vector<Eigen::Index>{1, 7} : std::vector<Eigen::Index>{1, 7, 10, 100, 1000};
        for (const Eigen::Index n : sizes) {
          const Counts c = counts[n] = count(n, n > 100 ? 2 : 10);
          const std::string base = "N=" + std::to_string(n) + ".";
          const auto number = [&](const char* name, double value) {
            report.measurement(
                {.name = base + name, .value = value, .unit = "operations", .tolerance = {.relative = 0.1}});
          };
          number("forces", c.forces);
          number("energy", c.values);
          number("penalty_gradient", c.penalty_gradient);
          number("stiff_hessian", c.hessian);
          number("linear_solve", c.linear_solve);
          number("multipliers", c.multipliers);
          number("zhang_skeel_step", c.zhang_skeel());
          number("shake_step", c.shake());
          report.measurement({.name = base + "newton_iterations", .value = c.iterations, .tolerance = {.absolute = 1}});
          table.push_back({static_cast<double>(n), c.forces, c.penalty_gradient + c.hessian, c.linear_solve,
                           c.other_of_zhang_skeel, c.multipliers, c.other_of_shake});
        }
        report.series("operations",
                      {{"N", "molecules"},
                       {"forces", "operations"},
                       {"penalty_and_hessian", "operations"},
                       {"linear_solve", "operations"},
                       {"other_of_zhang_skeel", "operations"},
                       {"multipliers", "operations"},
                       {"other_of_shake", "operations"}},
                      table);

        // In turns, so that a slow moment of the machine meets all parts alike.
        say_progress("timing");
        const int repetitions = options.quick ? 3 : 9;
        std::map<std::string, double> median;
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
        if (options.quick) {
          say_progress("not all sizes: no claims are decided");
          return;
        }

        say_progress("controls");
        const double general = 7 * general_solver_operations(1), general_at_once = general_solver_operations(7);
        report.measurement({.name = "N=7.general_solver.molecule_by_molecule",
                            .value = general,
                            .unit = "operations",
                            .tolerance = {.relative = 0.4}});
        report.measurement({.name = "N=7.general_solver.all_at_once",
                            .value = general_at_once,
                            .unit = "operations",
                            .tolerance = {.relative = 0.4}});
        // Printed seconds by step (T = 10000 and 1000, h = 0.05), molecule or pair of molecules.
        const double steps_of_7 = 200000, steps_of_100 = 20000;
        report.measurement({.name = "printed.milliseconds_of_a_nonlinear_solve.N=7",
                            .value = 1e3 * 12284 / steps_of_7 / 7,
                            .tolerance = {.relative = 1e-9}});
        report.measurement({.name = "printed.milliseconds_of_a_nonlinear_solve.N=100",
                            .value = 1e3 * 14272 / steps_of_100 / 100,
                            .tolerance = {.relative = 1e-9}});
        report.measurement({.name = "printed.microseconds_of_a_pair.N=7",
                            .value = 1e6 * (13472 - 12284) / steps_of_7 / 21,
                            .tolerance = {.relative = 1e-9}});
        report.measurement({.name = "printed.microseconds_of_a_pair.N=100",
                            .value = 1e6 * 28000 / steps_of_100 / 4950,
                            .tolerance = {.relative = 1e-9}});
        const double dense_exponent = exponent(dense_solve_operations(5), dense_solve_operations(20), 4);
        report.measurement({.name = "dense_solve.exponent", .value = dense_exponent, .tolerance = {.absolute = 0.01}});

        const Counts &seven = counts[7], &hundred = counts[100], &thousand = counts[1000], &one = counts[1];
        C hessian_point = counted(water_steps::positions(100));
        DenseHessian<Counted, Dynamic> full(hessian_point.size());
        const double full_hessian =
            operations([&] { WaterPotential<Counted>(counted_model()).hessian(hessian_point, full); });
        report.measurement({.name = "N=100.full_hessian",
                            .value = full_hessian,
                            .unit = "operations",
                            .tolerance = {.relative = 0.02}});

        const double seven_ratio = seven.shake() / seven.zhang_skeel(),
                     hundred_ratio = hundred.shake() / hundred.zhang_skeel();
        for (const auto& [name, value] :
             {std::pair{"N=7.shake_over_zhang_skeel", seven_ratio},
              {"N=100.shake_over_zhang_skeel", hundred_ratio},
              {"N=7.multipliers_over_linear_solve", seven.multipliers / seven.linear_solve},
              {"N=100.multipliers_over_linear_solve", hundred.multipliers / hundred.linear_solve},
              {"N=7.first_iteration_over_linear_solve", seven.first_iteration / seven.linear_solve}})
          report.measurement({.name = name, .value = value, .tolerance = {.relative = 0.1}});

        // SHAKE and Integrator 5 at one size. The printed seconds of nonlinear solves are proportional to the number of
        // molecules: one call of the solver each. Dense is all multipliers of a step at once, and one matrix for all
        // molecules.
        say_progress("the general solver, N = 100");
        const auto at_size = [&](Eigen::Index n, double shake_seconds, double zs_seconds, double at_once) {
          const Counts& c = counts[n];
          const double rest = c.shake() - c.multipliers;
          const auto seconds = [&](const char* method) {
            const auto found = median.find("N=" + std::to_string(n) + "." + method);
            return found == median.end() ? not_a_number : found->second;
          };
          return std::vector<running_times::Method>{
              {"shake", "SHAKE", shake_seconds, rest + general / 7 * static_cast<double>(n), rest + at_once, c.shake(),
               seconds("shake")},
              {"zhang_skeel", "Z&Ss", zs_seconds, c.zhang_skeel(),
               c.zhang_skeel() - c.linear_solve + dense_solve_operations(n), c.zhang_skeel(), seconds("zhang_skeel")}};
        };
        const auto of_seven = at_size(7, 13472, 1549, general_at_once),
                   of_hundred = at_size(100, 42234, 30059, general_solver_operations(100));
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
             .controls = {{.name = "three multipliers at a time in SHAKE, a full matrix of all molecules in Z&Ss",
                           .measured =
                               share([](const Method& m) { return m.name == "shake" ? m.structured : m.dense; }),
                           .interval = running_times::most_pairs}},
             .note =
                 text("Of two pairs, N = 7 and 100. SHAKE over Z&Ss, printed %.2f and %.2f; counted %.2f and %.2f with "
                      "the general solver for each molecule, %.2f and %.2f with it for all at once and one full matrix "
                      "in Z&Ss, %.2f and %.2f with Newton's method to rounding. Of nonlinear to linear solves printed "
                      "%.0f and %.0f, counted %.2f. ",
                      13472.0 / 1549, 42234.0 / 30059, of_seven[0].general / of_seven[1].general,
                      of_hundred[0].general / of_hundred[1].general, of_seven[0].dense / of_seven[1].dense,
                      of_hundred[0].dense / of_hundred[1].dense, seven_ratio, hundred_ratio, 12284.0 / 67,
                      14272.0 / 319, general / seven.linear_solve) +
                 text("Operations of a step, N = 7: SHAKE %.0f, Z&Ss %.0f, of which forces %.0f in both; multipliers "
                      "%.0f in %.2f iterations, penalty, Hessian and linear solve %.0f. N = 100: SHAKE %.0f, Z&Ss "
                      "%.0f, forces %.0f in both; multipliers %.0f, penalty, Hessian and linear solve %.0f. ",
                      seven.shake(), seven.zhang_skeel(), seven.forces, seven.multipliers, seven.iterations,
                      seven.penalty_gradient + seven.hessian + seven.linear_solve, hundred.shake(),
                      hundred.zhang_skeel(), hundred.forces, hundred.multipliers,
                      hundred.penalty_gradient + hundred.hessian + hundred.linear_solve) +
                 text("The printed seconds of nonlinear solves are %.1f ms a step and molecule with 7 molecules and "
                      "%.1f ms with 100, what a call of the general solver takes in 4.1 (7.6 to 10.6 ms): one call a "
                      "molecule. The forces take %.0f microseconds a pair of molecules in both runs.",
                      1e3 * 12284 / steps_of_7 / 7, 1e3 * 14272 / steps_of_100 / 100,
                      1e6 * (13472 - 12284) / steps_of_7 / 21)});
        const double share_of_shake = hundred.forces / hundred.shake(),
                     share_of_zhang_skeel = hundred.forces / hundred.zhang_skeel();
        report.claim(
            {.id = "TO14.s4.3.force-bottleneck",
             .measured = std::min(share_of_shake, share_of_zhang_skeel),
             .interval = {0.5, 1},
             .controls = {{.name = "one molecule", .measured = one.forces / one.zhang_skeel(), .interval = {0.5, 1}},
                          {.name = "the printed seconds of SHAKE at N = 7, where it is not said",
                           .measured = (13472.0 - 12284.0) / 13472.0,
                           .interval = {0.5, 1}}},
             .note = text("Shares in SHAKE and Z&S: N = 7 %.3f and %.3f, N = 100 %.3f and %.3f, N = 1000 %.4f and "
                          "%.4f: nine pairs of atoms for every pair of molecules, against a fixed cost per molecule.",
                          seven.forces / seven.shake(), seven.forces / seven.zhang_skeel(), share_of_shake,
                          share_of_zhang_skeel, thousand.forces / thousand.shake(),
                          thousand.forces / thousand.zhang_skeel())});
        const double with_forces = hundred.forces + hundred.values;
        report.claim(
            {.id = "TO14.s4.3.hessian-cheap",
             .measured = (with_forces + hundred.penalty_gradient + hundred.hessian) / with_forces,
             .interval = {1, 1.1},
             .controls = {{.name = "the Hessian of (24), all pairs, in its place",
                           .measured = (with_forces + full_hessian) / with_forces,
                           .interval = {1, 1.1}}},
             .note = "It is so because only the stiff part of the Hessian is taken, three springs a molecule; with the "
                     "Hessian of all pairs, as Z&Ss has it, the control is what is paid."});
        const double linear_exponent = exponent(counts[10].linear_solve, thousand.linear_solve, 100);
        report.claim({.id = "TO14.s4.3.linear-solve-o-n",
                      .measured = linear_exponent,
                      .interval = {0.99, 1.01},
                      .controls = {{.name = "one dense matrix for all molecules, N = 5 to 20",
                                    .measured = dense_exponent,
                                    .interval = {0.99, 1.01}}},
                      .note = text("%.0f operations a molecule. Timed with vector instructions: timing, "
                                   "median.N=*.linear_solve.",
                                   thousand.linear_solve / 1000)});
      });
}
