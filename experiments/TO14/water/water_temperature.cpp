// SPDX-License-Identifier: MIT
//
// Experiment: temperatures of seven water molecules under the methods of TO14 4.3, over the step and Newmark's beta;
// which position is sampled; SHAKE's tolerances; the part of the start
//
// Linear theory. One mode of unit mass, x'' = -w^2 x, theta = (h w)^2. A step of (19) keeps v^2 + w^^2 x^2, w^^2 = w^2
// (1 + (beta - 1/4) theta)/(1 + beta theta)^2 (diagnostics/mode_energy.hpp), and so the normal distribution with the
// covariance diag(T/w^^2, T) of (x, v). The bath keeps it too: v has the variance T and is independent of x. It is the
// solution of the discrete Lyapunov equation C = A C A^T + Q, for every friction. So
//   <v^2> = T: the kinetic temperature is right whatever h;
//   w^2 <x^2>/T = (1 + beta theta)^2/(1 + (beta - 1/4) theta);
//   w^2 <q^2>/T = 1/(1 + (beta - 1/4) theta) at q = x/(1 + beta theta): right for beta = 1/4.
// For the equations of a molecule, J = Dg, theta becomes the matrix h^2 omega^2 J M^-1 J^T, and omega^2 <g g^T>/T the
// matrix of these functions of it.
//
// Its eigenvalues are the squares of h times the three stiff frequencies of a molecule. With s = r_OH^2, cos = cos of
// the angle, 1/m and 1/M the inverse masses of H and O, J M^-1 J^T has the antisymmetric stretch
//   4 s (1/m + 1/M - cos/M)
// and, for the symmetric stretch and the bend, the 2 x 2 matrix
//   [4 s (1/m + 1/M + cos/M), sqrt(2) 4 s (1 - cos)/m; same, 16 s (1 - cos)/m].
//
// Beyond linear theory. Z&Ss does not keep angular momentum, and nothing else holds the rotation of the whole cluster
// than friction. Its temperature is therefore told apart from that of the rest.
//
// One file, though long: the claims read the same runs.
#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/mode_energy.hpp>
#include <livi/report/water_starts.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/vectorised_water.hpp>

#include "study/models/water_reports.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"

namespace {

using namespace livi;
using namespace livi::water;

constexpr Eigen::Index molecules = 7;
constexpr double bin_width = 0.02;
const std::vector<double> steps{0.05, 0.035, 0.025, 0.0125};
const std::vector<double> betas{0.2,  0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28,
                                0.29, 0.3,  0.32, 0.35, 0.4,  0.5,  0.75, 1};
/// A fifth of the printed one: what a step does to the rotation of the whole then adds up for five times as long.
constexpr double little_friction = printed_friction / 5;
using Cluster = decltype(vectorised_water_cluster(molecules));

struct Row {
  double parameter;
  Ensemble ensemble;
};
using Table = std::vector<Row>;

struct Runs {
  Table shake, stiff_zs, by_beta;  ///< over steps, steps, betas
  Ensemble small_steps, loose, tight, one_iteration, from_rest, variational, variational_printed_step, simplified,
      variational_freely, simplified_freely;
};

const Ensemble& at(const Table& table, double parameter) {
  for (const Row& row : table)
    if (row.parameter == parameter) return row.ensemble;
  throw std::invalid_argument("no such row");
}

std::string line(const Row& row) {
  const auto of = [&](double Sample::*which) { return over_seeds(row.ensemble, which); };
  if (const double lost = share_lost(row.ensemble); lost > 0)
    return text("%g: %.0f %% of the runs lost. ", row.parameter, 100 * lost);
  const Estimate t = of(&Sample::temperature), o = of(&Sample::oxygen), h = of(&Sample::hydrogen),
                 i = of(&Sample::internal), w = of(&Sample::turning);
  return text("%g: %.3f +- %.3f, O %.3f +- %.3f, H %.3f +- %.3f, rotation %.2f +- %.2f, rest %.3f +- %.3f. ",
              row.parameter, t.mean, t.error, o.mean, o.error, h.mean, h.error, w.mean, w.error, i.mean, i.error);
}
// --- linear theory --------------------------------------------------------------------------------------------------

/// The entries of A C A^T - C of a step, C = diag(T/w^^2, T) with T/w^^2 as the formula says. `colder`: velocities
/// colder by 1/1000.
struct LyapunovResidual {
  bool colder = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const K theta = draw.positive("theta"), beta = draw.positive("beta"), h = draw.positive("h"),
            T = draw.positive("T"), w2 = theta / (h * h), factor = K(1) + beta * theta;
    const ModeUnderStep<K> mode(w2, h, beta);
    const K x2 = T * factor * factor / (w2 * (K(1) + (beta - ratio<K>(1, 4)) * theta)),
            v2 = colder ? K(T - ratio<K>(1, 1000)) : T;
    // Columns of A.
    const auto from_x = mode.step({K(1), K(0)}), from_v = mode.step({K(0), K(1)});
    return {from_x.x * from_x.x * x2 + from_v.x * from_v.x * v2 - x2,
            from_x.v * from_x.v * x2 + from_v.v * from_v.v * v2 - v2,
            from_x.x * from_x.v * x2 + from_v.x * from_v.v * v2};
  }
};

void claim_linear_theory(Report& report) {
  const Certificate found = certify(LyapunovResidual{}), colder = certify(LyapunovResidual{true});
  const Interval zero{0, 0};
  report.claim(
      {.id = "TO14.s4.3.linear-temperature",
       .measured = found.proved()      ? 0.0
                   : found.disproved() ? found.nonzero
                                       : std::nan(""),
       .unit = "functions",
       .interval = zero,
       .controls = {{.name = "velocities colder by 1/1000",
                     .measured = static_cast<double>(colder.nonzero),
                     .interval = zero,
                     .note = colder.describe()}},
       .evidence = found.proved()      ? Evidence::proved
                   : found.disproved() ? Evidence::disproved
                                       : Evidence::measured,
       .probability_bound = found.proved() ? std::optional(found.probability) : std::nullopt,
       .note = text(
           "%s. So a wrong kinetic temperature comes from nonlinearity, and a bond has the right fluctuations only "
           "where it is read at q.",
           found.describe().c_str())});
}

/// J M^-1 J^T of a molecule.
Matrix<double, 3> stiff_matrix() {
  const auto molecule = water_cluster<double>(1);
  const V q = water_molecule(tip3p<double>());
  WaterRigidity<double>::jacobian_type jacobian;
  molecule.constraint().jacobian(q, jacobian);
  Matrix<double, 3> result = Matrix<double, 3>::Zero();
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
      for (int i = 0; i < 9; ++i) result(k, l) += jacobian.own(i, k) * jacobian.own(i, l) / molecule.mass().diagonal(i);
  return result;
}

struct Frequencies {
  double bend, antisymmetric, symmetric;  ///< for omega = 1
};
Frequencies stiff_frequencies() {
  const WaterModel<double> w = tip3p<double>();
  const double s = w.squared_oh, cosine = 1 - w.squared_hh / (2 * s), m = 1 / w.hydrogen_mass, M = 1 / w.oxygen_mass;
  const double stretch = 4 * s * (m + M + cosine * M), bend = 16 * s * (1 - cosine) * m,
               both = std::sqrt(2.0) * 4 * s * (1 - cosine) * m;
  const double middle = (stretch + bend) / 2, half = std::hypot((stretch - bend) / 2, both);
  return {std::sqrt(middle - half), std::sqrt(4 * s * (m + M - cosine * M)), std::sqrt(middle + half)};
}

/// Entry (0, 0) of f of the matrix theta = h^2 omega^2 J M^-1 J^T: what omega^2 <g^2>/T of a bond should be.
struct Spread {
  double stored, physical;
};
Spread predicted_spread(double h, double omega, double beta) {
  const Matrix<double, 3> theta = h * h * omega * omega * stiff_matrix(), one = Matrix<double, 3>::Identity();
  const Matrix<double, 3> factor = one + beta * theta, kept = one + (beta - 0.25) * theta;
  GaussianElimination<double, 3> elimination;
  Vector<double, 3> column = one.col(0);
  if (elimination.factor(kept).singular) throw std::runtime_error("linear stability limit");
  elimination.solve_in_place(column);
  return {(factor * factor * column)(0), column(0)};
}

void claim_frequencies(Report& report) {
  const Frequencies f = stiff_frequencies();
  // The characteristic polynomial of J M^-1 J^T at the squares of the frequencies, in units of its constant term.
  const auto residual = [](double square) {
    const Matrix<double, 3> m = stiff_matrix(), r = m - square * Matrix<double, 3>::Identity();
    const auto determinant = [](const Matrix<double, 3>& a) {
      return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
             a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
    };
    return std::abs(determinant(r) / determinant(m));
  };
  double worst = 0;
  for (const double w : {f.bend, f.antisymmetric, f.symmetric}) worst = std::max(worst, residual(w * w));
  const WaterModel<double> model = tip3p<double>();
  const double unit = printed_step * printed_omega;
  for (const auto& [name, w] :
       {std::pair{"bend", f.bend}, {"antisymmetric_stretch", f.antisymmetric}, {"symmetric_stretch", f.symmetric}})
    report.measurement(
        {.name = text("h_times_frequency.%s", name), .value = unit * w, .tolerance = {.relative = 1e-12}});
  const Interval round{0, 1e-12};
  report.claim(
      {.id = "TO14.s4.3.stiff-frequencies",
       .measured = worst,
       .interval = round,
       .controls = {failing("O-H as a diatomic molecule, w^2 = 4 s (1/m + 1/M)",
                            residual(4 * model.squared_oh * (1 / model.hydrogen_mass + 1 / model.oxygen_mass)), round)},
       .note = text("At omega = 20, h = 0.05: h w = %.4f (bend), %.4f (antisymmetric), %.4f (symmetric). Velocity "
                    "Verlet needs less than 2: at omega = 20 a step below %.4f. Newmark's beta is stable in linear "
                    "theory from 1/4 - 1/(h w)^2 = %.4f on.",
                    unit * f.bend, unit * f.antisymmetric, unit * f.symmetric, 2 / (printed_omega * f.symmetric),
                    0.25 - 1 / std::pow(unit * f.symmetric, 2))});
}

void claim_position(Report& report, const Runs& runs) {
  const Ensemble& printed = at(runs.stiff_zs, printed_step);
  const Estimate at_x = over_seeds(printed, &Sample::stored_spread),
                 at_q = over_seeds(printed, &Sample::physical_spread);
  const Interval near{0.95, 1.05};
  std::string others;
  for (const double beta : {0.3, 0.4}) {
    const Spread p = predicted_spread(printed_step, printed_omega, beta);
    const Ensemble& e = at(runs.by_beta, beta);
    others += text("beta = %g: at x %.2f (predicted %.2f), at q %.3f (%.3f). ", beta,
                   over_seeds(e, &Sample::stored_spread).mean, p.stored, over_seeds(e, &Sample::physical_spread).mean,
                   p.physical);
  }
  put(report, "spread.at_x", at_x);
  put(report, "spread.at_q", at_q);
  report.claim(
      {.id = "TO14.s4.3.which-position",
       .measured = at_q.mean,
       .interval = near,
       .controls = {failing("read at x", at_x.mean, near)},
       .note = text("At q %.3f +- %.3f, at x %.3f +- %.3f: the bonds seem to fluctuate %.1f times as much as they do. ",
                    at_q.mean, at_q.error, at_x.mean, at_x.error, std::sqrt(at_x.mean)) +
               others});
}

// --- temperatures ---------------------------------------------------------------------------------------------------

/// The largest deviation of a temperature from the bath's, in units of that, and the largest in its standard errors:
/// how large it is, and whether it is resolved.
struct Off {
  double size = 0, errors = 0;
  void add(const Ensemble& ensemble, const std::vector<double Sample::*>& of_sample) {
    for (const auto which : of_sample) {
      const Estimate t = over_seeds(ensemble, which);
      if (!std::isfinite(t.mean)) size = errors = infinity;  // runs were lost
      size = std::max(size, std::abs(t.mean - 1));
      errors = std::max(errors, std::abs(t.mean - 1) / t.error);
    }
  }
};
Off off(const Ensemble& ensemble, const std::vector<double Sample::*>& of_sample) {
  Off result;
  result.add(ensemble, of_sample);
  return result;
}
/// Temperatures of a run, as measurements and series name them.
const std::vector<std::pair<std::string, double Sample::*>> temperatures{{"temperature", &Sample::temperature},
                                                                         {"oxygen", &Sample::oxygen},
                                                                         {"hydrogen", &Sample::hydrogen},
                                                                         {"rotation", &Sample::turning},
                                                                         {"internal", &Sample::internal}};
const std::vector<double Sample::*> by_species{&Sample::temperature, &Sample::oxygen, &Sample::hydrogen};

void put_table(Report& report, const std::string& name, const Table& table) {
  for (const Row& row : table) {
    const std::string of = text("%s.%g", name.c_str(), row.parameter);
    if (share_lost(row.ensemble) > 0) {
      report.measurement({.name = of + ".lost", .value = share_lost(row.ensemble), .tolerance = {.absolute = 0.5}});
      continue;
    }
    for (const auto& [which, read] : temperatures) put(report, of + "." + which, over_seeds(row.ensemble, read));
    put(report, of + ".mean_distance", mean_distance(row.ensemble), "A");
  }
}

/// Series of the temperatures, but for what was lost.
void put_series(Report& report, const std::string& name, const std::string& parameter, const Table& table) {
  std::vector<std::vector<double>> rows;
  for (const Row& row : table) {
    if (share_lost(row.ensemble) > 0) continue;
    rows.push_back({row.parameter});
    for (const auto& [which, read] : temperatures) append(rows.back(), over_seeds(row.ensemble, read));
  }
  std::vector<std::string> names;
  for (const auto& [which, read] : temperatures) names.push_back(which);
  if (!rows.empty()) report.series(name, with_errors({{parameter, ""}}, names, ""), rows);
}

void claim_temperatures(Report& report, const Runs& runs) {
  Off internal;
  for (const Row& row : runs.stiff_zs) internal.add(row.ensemble, {&Sample::internal});
  // `count`: as many numbers as are looked at.
  const auto found = [](const Off& o, std::size_t count) {
    const double resolved = largest_deviation(count, 8);
    return text("The largest of %zu deviations in its standard errors is %.1f; beyond %.1f one would be resolved: %s. ",
                count, o.errors, resolved, o.errors > resolved ? "resolved" : "not resolved");
  };
  const Interval tenth{0, 0.1};
  report.claim(
      {.id = "TO14.s4.3.temperature.stiff-zs",
       .measured = internal.size,
       .interval = tenth,
       .controls = {failing("all of it, h = 0.05", off(at(runs.stiff_zs, printed_step), by_species).size, tenth)},
       .note = found(internal, 4) + "Penalised, small steps, " + line({0.0125, runs.small_steps})});
}

void claim_rotation(Report& report, const Runs& runs) {
  const auto turning = [&](const Ensemble& e) { return over_seeds(e, &Sample::turning); };
  put(report, "variational.rotation", turning(runs.variational));
  put(report, "variational.little_friction.rotation", turning(runs.variational_freely));
  put(report, "stiff_zs.little_friction.rotation", turning(runs.simplified_freely));
  const Interval near{0.7, 1.3};
  report.claim(
      {.id = "TO14.s4.3.variational-temperature",
       .measured = turning(runs.variational_freely).mean,
       .interval = near,
       .controls = {failing("Z&Ss with the same step, beta and friction", turning(runs.simplified_freely).mean, near)},
       .note = "A fifth of the friction: variational " + line({little_friction, runs.variational_freely}) + "Z&Ss " +
               line({little_friction, runs.simplified_freely}) + "The printed friction: variational " +
               line({printed_friction, runs.variational}) + "Z&Ss " + line({printed_friction, runs.simplified}) +
               text("With the printed friction this step parts the two no more than sampling does. The variational "
                    "form keeps angular momentum for good (TO14.s4.3.variational-stiff.momenta); with the printed step "
                    "it is lost: %.0f of 4 seeds.",
                    4 * share_lost(runs.variational_printed_step))});
  // What a start at rest costs: the mean of the first 1000 units of time.
  put(report, "from_rest.temperature", over_seeds(runs.from_rest, &Sample::temperature));
}

void claim_tolerances(Report& report, const Runs& runs) {
  const auto largest = [](const Ensemble& e) {
    double worst = 0;
    for (const Sample& sample : e)
      worst = std::isnan(sample.constraint) ? infinity : std::max(worst, sample.constraint);
    return worst;
  };
  const auto describe = [&](const char* name, const Ensemble& e) {
    const Estimate t = over_seeds(e, &Sample::temperature);
    return text("%s: |g| <= %.1e, %.2f iterations per step, temperature %.3f +- %.3f. ", name, largest(e),
                over_seeds(e, &Sample::iterations).mean, t.mean, t.error);
  };
  const Interval below{0, 1e-10};
  report.claim(
      {.id = "TO14.s4.3.solver-tolerances",
       .measured = largest(runs.tight),
       .unit = "A^2",
       .interval = below,
       .controls = {failing("1e-6 in the variables alone", largest(runs.loose), below),
                    failing("one iteration", largest(runs.one_iteration), below)},
       .note = describe("1e-6", runs.loose) + describe("1e-10", runs.tight) +
               describe("to rounding", at(runs.shake, printed_step)) + describe("One iteration", runs.one_iteration) +
               "No tolerance changes the statistics; the printed ones cost two to three iterations per step."});
}

// --- runs ------------------------------------------------------------------------------------------------------------

/// How the ensembles of this experiment are sampled.
struct Sampling {
  const Cluster rigid = vectorised_water_cluster(molecules);
  const V minimum = water_start("heptamer").q;
  const Histogram empty{2, 8, bin_width};
  bool quick;
  unsigned threads;

  [[nodiscard]] std::size_t seeds() const { return quick ? 2 : 8; }
  [[nodiscard]] std::size_t few() const { return quick ? 2 : 4; }
  [[nodiscard]] double scale() const { return quick ? 0.005 : 1; }
  [[nodiscard]] Duration lasting(double T) const {
    return {.thermalised = quick ? 5.0 : 60.0, .settled = 1000 * scale(), .recorded = T * scale()};
  }
  [[nodiscard]] Ensemble run(const Settings& set, std::size_t n, const Duration& d) const {
    return ensembles(rigid, {set}, d, minimum, n, threads, empty)[0];
  }
};

void run_over_parameters(const Sampling& how, Runs& runs) {
  say_progress("over the step");
  for (const double h : steps) {
    const Duration duration = how.lasting(h == steps.back() ? 5000 : 10000);
    runs.shake.push_back({h, how.run({.method = Method::shake, .h = h}, how.seeds(), duration)});
    runs.stiff_zs.push_back({h, how.run({.h = h}, how.seeds(), duration)});
  }
  runs.small_steps = how.run({.method = Method::verlet, .h = steps.back()}, how.seeds(), how.lasting(5000));
  say_progress("over beta");
  for (const double beta : betas) runs.by_beta.push_back({beta, how.run({.beta = beta}, how.few(), how.lasting(2500))});
}

/// The variational form and Z&Ss with one step and beta, in the printed bath and with little friction.
void run_variational(const Sampling& how, Runs& runs) {
  Duration freely = how.lasting(20000);
  freely.thermalised *= printed_friction / little_friction;
  freely.settled = how.lasting(5000).recorded;
  Settings variational{.method = Method::variational, .h = 0.035, .beta = 0.3}, simplified{.h = 0.035, .beta = 0.3};
  runs.variational = how.run(variational, how.seeds(), how.lasting(5000));
  runs.simplified = how.run(simplified, how.seeds(), how.lasting(5000));
  variational.gamma = simplified.gamma = little_friction;
  runs.variational_freely = how.run(variational, how.seeds(), freely);
  runs.simplified_freely = how.run(simplified, how.seeds(), freely);
  runs.variational_printed_step = how.run({.method = Method::variational, .beta = 0.3}, how.few(), how.lasting(2500));
}

void run_shake(const Sampling& how, Runs& runs) {
  say_progress("SHAKE");
  const auto tolerance = [&](double size, int iterations) {
    NewtonOptions<double> newton;
    newton.tolerance = size;
    newton.fixed_iterations = iterations;
    return how.run({.method = Method::shake, .newton = newton}, how.few(), how.lasting(2000));
  };
  runs.loose = tolerance(1e-6, 0);
  runs.tight = tolerance(1e-10, 0);
  runs.one_iteration = tolerance(1e-6, 1);
  const Duration at_once{.thermalised = 0, .settled = 0, .recorded = 1000 * how.scale()};
  runs.from_rest = how.run({.method = Method::shake}, how.seeds(), at_once);
}

void measure_temperatures(Report& report, const Sampling& how) {
  put_parameters(report, molecules, chosen_beta, 10000 * how.scale(), how.seeds());
  Runs runs;
  run_over_parameters(how, runs);
  run_variational(how, runs);
  run_shake(how, runs);
  put_table(report, "shake", runs.shake);
  put_table(report, "stiff_zs", runs.stiff_zs);
  put_table(report, "by_beta", runs.by_beta);
  put_series(report, "shake", "h", runs.shake);
  put_series(report, "stiff_zs", "h", runs.stiff_zs);
  put_series(report, "by_beta", "beta", runs.by_beta);
  report.figure({"water_temperature.svg",
                 "Kinetic temperatures of seven water molecules under SHAKE and under simplified Z&S, against "
                 "the step and against Newmark's beta."});
  if (how.quick) {
    say_progress("small parameters: no claims are decided");
    return;
  }
  claim_linear_theory(report);
  claim_frequencies(report);
  claim_position(report, runs);
  claim_temperatures(report, runs);
  claim_rotation(report, runs);
  claim_tolerances(report, runs);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  livi::use_at_most_four_lanes();  // the report is compared with that of other machines
  return run_experiment(argc, argv, "water_temperature", {"TO14", "text", "4.3"},
                        "Temperatures of water clusters, TO14 4.3", {.threads = &threads},
                        [&](Report& report, const ExperimentOptions& options) {
                          measure_temperatures(report, {.quick = options.quick, .threads = threads});
                        });
}
