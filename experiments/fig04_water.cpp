// SPDX-License-Identifier: MIT
//
// Experiment: Figure 4 of TO14: distances between the oxygens of seven water molecules at 10 K, by SHAKE and by
// simplified Z&S for stiff systems; whether they agree, and what makes the difference: model, method, sampling, start
//
// Three samples of one basin are compared, over seeds: rigid molecules by SHAKE; penalised ones by Z&Ss with the
// printed step; penalised ones by velocity Verlet with a quarter of the step, whose errors are far below sampling. What
// parts the first from the third is the model (omega = 20 lets hydrogen bonds stretch the molecules), what parts the
// second from the third is the method.
//
// At 10 K no cluster leaves its minimum in the time of the figure: the histogram is that of a basin, and of its start.
//
// Not printed in TO14, chosen here: Angstrom, atomic mass units, kcal/mol; Newmark's beta = 1/4; the start: the lowest
// minimum of the rigid model, equilibrated.
#include <livi/report/water_starts.hpp>
#include <livi/systems/vectorised_water.hpp>

#include "experiment.hpp"
#include "water_reports.hpp"

namespace {

using namespace livi;
using namespace livi::water;

const Place figure{"TO14", "Sec. 4.3, Fig. 4"};

constexpr Eigen::Index molecules = 7;
constexpr double bin_width = 0.02;
const Settings shake{.method = Method::shake}, stiff_zs{.method = Method::stiff_zhang_skeel},
    small_steps{.method = Method::verlet, .h = printed_step / 4};

/// A peak counts as clear if it stands out by five standard errors, and by half its height: noise on a density without
/// peaks makes none such (statistics_test).
constexpr double clear_errors = 5, clear_share = 0.5;
std::vector<Peak> clear_peaks(const Ensemble& ensemble) {
  std::vector<Peak> result;
  for (const Peak& peak : peaks(mean_density(densities(ensemble, &Sample::physical)), clear_errors))
    if (peak.prominence > clear_share * peak.height) result.push_back(peak);
  return result;
}
std::string list(const Ensemble& ensemble) {
  std::string result;
  for (const Peak& peak : clear_peaks(ensemble))
    result += text("%s%.2f A (%.0f errors)", result.empty() ? "" : ", ", ensemble[0].physical.middle(peak.bin),
                   std::min(peak.errors, 999.0));
  return result;
}

struct Ensembles {
  Ensemble shake, stiff_zs, small_steps, smaller_steps, other_basin, warm, twice_as_warm, lattice;
};

void claim_parameters(Report& report) {
  // Each printed number against the one that the runs have.
  const auto system = vectorised_water_cluster(molecules);
  const auto worst = [&](const Settings& set, Eigen::Index coordinates, double T) {
    double result = 0;
    for (const auto& [used, printed] :
         {std::pair{static_cast<double>(coordinates), 63.0}, std::pair{T, 10000.0}, std::pair{set.omega, 20.0},
          std::pair{set.h, 0.05}, std::pair{set.gamma, 0.01}, std::pair{set.inverse_temperature, 50.0}})
      result = std::max(result, std::abs(used - printed) / printed);
    return result;
  };
  Settings other = stiff_zs;
  other.gamma = 0.1;
  const Interval none{0, 1e-15};
  const double T = Duration().recorded;
  report.claim({.id = "TO14.fig4.parameters",
                .source = figure,
                .statement =
                    "Seven molecules, 63 degrees of freedom, T = 10000, omega = 20, h = 0.05 for both methods, "
                    "gamma = 0.01, inverse temperature 50.",
                .how = "largest relative deviation of what both methods run with from the printed numbers",
                .measured = std::max(worst(stiff_zs, system.size(), T), worst(shake, system.size(), T)),
                .interval = none,
                .reason = "the same numbers, to rounding",
                .controls = {{.name = "ten times the friction", .measured = worst(other, 63, T), .interval = none}},
                .note = "63 degrees of freedom are those of the penalised model; the rigid one has 42. Not printed: "
                        "the units (here Angstrom, atomic mass units, kcal/mol: h is 2.44 fs, the temperature 10.1 K), "
                        "Newmark's beta (here 1/4), and the start. The friction of (27) acts on velocities, -gamma v: "
                        "a molecule forgets its velocity in m/(3 gamma) = 600 units of time, so the figure's T has 17 "
                        "of these times, and what the start lacks is worth 2 % of the temperature: all runs "
                        "are equilibrated before."});
}

void claim_figure(Report& report, const Ensembles& all) {
  const auto density = [&](const Ensemble& e) { return densities(e, &Sample::physical); };
  const Comparison methods = compare(density(all.shake), density(all.stiff_zs), bin_width);
  const Comparison of_model = compare(density(all.shake), density(all.small_steps), bin_width);
  const Comparison of_method = compare(density(all.small_steps), density(all.stiff_zs), bin_width);
  const Comparison of_basin = compare(density(all.shake), density(all.other_basin), bin_width);
  // Of the same runs: what is between them is no sampling.
  std::vector<double> between_readings;
  const auto at_x = mean_density(densities(all.stiff_zs, &Sample::stored)), at_q = mean_density(density(all.stiff_zs));
  for (std::size_t b = 0; b < at_x.size(); ++b) between_readings.push_back(at_x[b].mean - at_q[b].mean);
  put(report, "shake_against_stiff_zs", methods);
  put(report, "shake_against_small_steps", of_model);
  put(report, "small_steps_against_stiff_zs", of_method);
  put(report, "other_basin", of_basin);
  const auto mean_distance = [](const Ensemble& e) { return over_seeds(e, &Sample::mean_distance); };
  const Estimate of_rigid = mean_distance(all.shake), of_zs = mean_distance(all.stiff_zs),
                 small = mean_distance(all.small_steps), smaller = mean_distance(all.smaller_steps);
  const double shift = of_zs.mean - of_rigid.mean;
  const Estimate ratio = ratio_of_shifts(small, of_zs, of_rigid);
  const Control basin{.name = "SHAKE in another basin against SHAKE in the lowest",
                      .measured = of_basin.p,
                      .interval = within_sampling};

  report.claim(
      {.id = "TO14.fig4",
       .source = figure,
       .statement =
           "The histograms of oxygen-oxygen distances by SHAKE and by simplified Z&S for stiff systems are the "
           "same.",
       .hypothesis = "16 seeds each, the printed parameters, beta = 1/4, one basin",
       .how = std::string(sampling_measure) + " (bins of 0.02 A)",
       .measured = methods.p,
       .interval = within_sampling,
       .reason = sampling_reason,
       .controls = {basin},
       .note =
           "The same peaks, a bin or two apart. " + summary("SHAKE", all.shake) + summary("Z&Ss", all.stiff_zs) +
           summary("SHAKE against Z&Ss", methods) +
           text("The penalised molecules are closer by %.4f A in the mean. It is the model, see TO14.fig4.model-error.",
                -shift)});
  report.claim(
      {.id = "TO14.fig4.model-error",
       .source = figure,
       .statement = "What parts the two histograms is the penalty: with omega = 20 it is not yet a constraint.",
       .hypothesis = "as TO14.fig4; the penalised model by velocity Verlet with h = 0.0125, 8 seeds",
       .how = "difference of the mean distances between the penalised model with small steps and SHAKE, over that "
              "between Z&Ss with the printed step and SHAKE",
       .measured = ratio.mean,
       .interval = {0.8, 1.2},
       .reason = "if the method had no part, one; sampling errors of the two differences are a few per cent each",
       .controls = {{.name = "half of SHAKE's seeds against the other half, as if these were penalised",
                     .measured = between_halves(all.shake) / shift,
                     .interval = {0.8, 1.2}}},
       .note = text("With its sampling error %.3f +- %.3f. Half of the small steps move the mean distance by %.4f +- "
                    "%.4f A. ",
                    ratio.mean, ratio.error, smaller.mean - small.mean, std::hypot(smaller.error, small.error)) +
               summary("Small steps", all.small_steps) + summary("Rigid against penalised", of_model) +
               summary("Z&Ss against small steps", of_method)});
  report.claim(
      {.id = "TO14.fig4.method-error",
       .source = figure,
       .statement = "On the penalised model Z&Ss with the printed step has the histogram that small steps have.",
       .hypothesis = "as TO14.fig4.model-error",
       .how = std::string(sampling_measure) + "; 16 and 8 seeds",
       .measured = of_method.p,
       .interval = within_sampling,
       .reason = sampling_reason,
       .controls = {{.name = "SHAKE against small steps on the penalised model",
                     .measured = of_model.p,
                     .interval = within_sampling},
                    basin},
       .note = summary("Z&Ss against small steps", of_method) +
               text("Z&Ss read at x is %.4f in total variation from Z&Ss read at q = x + beta h^2 a. ",
                    distance(between_readings, bin_width).total_variation) +
               "Where the position is read does not matter between oxygens; between O and H it does "
               "(TO14.s4.3.which-position)."});

  const Estimate temperature = over_seeds(all.stiff_zs, &Sample::temperature),
                 internal = over_seeds(all.stiff_zs, &Sample::internal),
                 turning = over_seeds(all.stiff_zs, &Sample::turning);
  const Interval right{0.97, 1.03};
  report.claim(
      {.id = "TO14.fig4.accurate-sampling",
       .source = figure,
       .statement = "Simplified Z&S samples the canonical measure accurately.",
       .hypothesis = "the printed parameters, beta = 1/4, 16 seeds",
       .how = "kinetic temperature of all 63 degrees of freedom over that of the bath",
       .measured = temperature.mean,
       .interval = right,
       .reason = "three per cent: three times the sampling error of 16 seeds for a method at the right temperature",
       .controls = {{.name = "SHAKE in a bath of twice the temperature, in units of the printed one",
                     .measured = 2 * over_seeds(all.twice_as_warm, &Sample::temperature).mean,
                     .interval = right}},
       .note = summary("Z&Ss", all.stiff_zs) + summary("Small steps", all.small_steps) + summary("SHAKE", all.shake) +
               text("Everything is right but the rotation of the cluster as a whole: the method does not keep angular "
                    "momentum, which grows to %.1f +- %.1f times its temperature until friction holds it. The "
                    "histogram hardly feels it. water_temperature follows it over h, beta, gamma and omega.",
                    turning.mean, turning.error)});
  report.claim(
      {.id = "TO14.fig4.internal-sampling",
       .source = figure,
       .statement = "Without the cluster's drift and rotation as a whole, Z&Ss is at the temperature of the bath.",
       .hypothesis = "the printed parameters, beta = 1/4, 16 seeds",
       .how = "kinetic temperature of the other 57 degrees of freedom over that of the bath",
       .measured = internal.mean,
       .interval = right,
       .reason = "three per cent: three times the sampling error",
       .controls = {{.name = "rotation of the whole", .measured = turning.mean, .interval = right}},
       .note = text("%.4f +- %.4f.", internal.mean, internal.error)});
}

void claim_peaks(Report& report, const Ensembles& all) {
  const auto count = [](const Ensemble& e) { return static_cast<double>(clear_peaks(e).size()); };
  report.measurement({.name = "peaks.shake", .value = count(all.shake), .tolerance = {.absolute = 1}});
  report.measurement({.name = "peaks.stiff_zs", .value = count(all.stiff_zs), .tolerance = {.absolute = 1}});
  report.measurement({.name = "peaks.warm", .value = count(all.warm), .tolerance = {.absolute = 1}});
  const Interval several{4, 21};
  report.claim(
      {.id = "TO14.fig4.peaks",
       .source = figure,
       .statement = "With seven molecules the peaks of the distribution are clearly distinguished.",
       .hypothesis =
           "16 seeds; a peak is clear if it stands out of its valleys by five standard errors and by half its "
           "height",
       .how = "number of clear peaks, the smaller of both methods",
       .measured = std::min(count(all.shake), count(all.stiff_zs)),
       .interval = several,
       .reason =
           "liquid water shows three shells; no more than the 21 pairs. Peaks and valleys are picked as extremes of "
           "300 "
           "bins, so that the errors describe them and are no significance; that a peak stands out by half its height "
           "is what noise does not make",
       .controls = {{.name = "SHAKE at 298 K", .measured = count(all.warm), .interval = several}},
       .note = "SHAKE: " + list(all.shake) + ". Z&Ss: " + list(all.stiff_zs) + ". At 298 K: " + list(all.warm) +
               ". At 10 K each pair of a solid cluster has its own distance: it is the temperature as much as the "
               "number of molecules that makes peaks."});
}

void claim_start(Report& report, const Ensembles& all) {
  const Comparison of_basin =
      compare(densities(all.shake, &Sample::physical), densities(all.other_basin, &Sample::physical), bin_width);
  const Comparison methods =
      compare(densities(all.shake, &Sample::physical), densities(all.stiff_zs, &Sample::physical), bin_width);
  report.claim(
      {.id = "TO14.fig4.start",
       .source = figure,
       .statement = "The histogram is one of thermal equilibrium: it does not depend on the start.",
       .hypothesis = "SHAKE, the printed parameters, from the lowest minimum and from the third (the second is left "
                     "for the first "
                     "within the equilibration)",
       .how = sampling_measure,
       .measured = of_basin.p,
       .interval = within_sampling,
       .reason = sampling_reason,
       .controls = {{.name = "SHAKE against Z&Ss in one basin", .measured = methods.p, .interval = within_sampling}},
       .note = summary("Basin against basin", of_basin) + summary("lowest", all.shake) +
               summary("third", all.other_basin) +
               "At 10 K a barrier of 1 kcal/mol is 50 times the temperature. The choice of basin moves more than the "
               "choice of method."});
  std::vector<double> beyond;
  for (const Sample& sample : all.lattice) {
    const std::vector<double> p = sample.physical.density();
    beyond.push_back(p.back() * bin_width);
  }
  const Estimate share = estimate(beyond);
  std::vector<double> of_minimum;
  for (const Sample& sample : all.shake) of_minimum.push_back(sample.physical.density().back() * bin_width);
  put(report, "lattice.share_beyond_8", share);
  put(report, "lattice.temperature", over_seeds(all.lattice, &Sample::temperature));
  const Interval broken{0.1, 1};
  report.claim(
      {.id = "TO14.fig4.lattice-start",
       .source = figure,
       .statement = "From molecules on a lattice of 3 A, side by side and at rest, the cluster does not stay together.",
       .hypothesis = "SHAKE, the printed friction and temperature from the first step, 8 seeds, T = 10000",
       .how = "share of the pairs of oxygens more than 8 A apart, mean over time and seeds",
       .measured = share.mean,
       .interval = broken,
       .reason = "a molecule that is gone is in 6 of 21 pairs; it is gone early in the run",
       .controls = {{.name = "from the minimum", .measured = estimate(of_minimum).mean, .interval = broken}},
       .note = text("%.3f +- %.3f. ", share.mean, share.error) + summary("Lattice", all.lattice)});
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  livi::use_at_most_four_lanes();  // the report is compared with that of other machines
  return run_experiment(
      argc, argv, "fig04_water", {"TO14", "Figure 4", "4.3"}, "Figure 4 of TO14: seven water molecules",
      {.threads = &threads}, [&](Report& report, const ExperimentOptions& options) {
        const std::size_t seeds = options.quick ? 2 : 16, of_others = options.quick ? 2 : 8;
        Duration duration;
        if (options.quick) duration = {.thermalised = 20, .settled = 20, .recorded = 100};
        report.parameter("N", molecules);
        report.parameter("omega", printed_omega);
        report.parameter("h", printed_step);
        report.parameter("gamma", printed_friction);
        report.parameter("inverse_temperature", printed_inverse_temperature);
        report.parameter("beta", chosen_beta);
        report.parameter("T", duration.recorded);
        report.parameter("seeds", static_cast<long>(seeds));
        report.seed("first", 1);

        const auto rigid = vectorised_water_cluster(molecules);
        const Histogram empty(2, 8, bin_width);
        const V minimum = water_start("heptamer").q, other = water_start("heptamer-3").q;
        Ensembles all;
        const auto run = [&](const Settings& set, const V& from, std::size_t n, const Duration& d) {
          return ensembles(rigid, {set}, d, from, n, threads, empty)[0];
        };
        say_progress("SHAKE");
        all.shake = run(shake, minimum, seeds, duration);
        say_progress("Z&Ss");
        all.stiff_zs = run(stiff_zs, minimum, seeds, duration);
        say_progress("small steps");
        all.small_steps = run(small_steps, minimum, of_others, duration);
        say_progress("other starts and temperatures");
        Settings apart = shake;
        apart.ensemble = 1;
        all.other_basin = run(apart, other, of_others, duration);
        Duration shorter = duration, at_once = duration;
        shorter.recorded /= 4;
        at_once.thermalised = at_once.settled = 0;
        all.warm =
            run({.method = Method::shake, .inverse_temperature = warm, .ensemble = 2}, minimum, of_others, shorter);
        all.twice_as_warm =
            run({.method = Method::shake, .inverse_temperature = printed_inverse_temperature / 2, .ensemble = 3},
                minimum, of_others, shorter);
        all.smaller_steps =
            run({.method = Method::verlet, .h = printed_step / 8, .ensemble = 1}, minimum, of_others, shorter);
        apart.ensemble = 4;
        all.lattice = run(apart, lattice(molecules, 3), of_others, at_once);
        put(report, "shake", all.shake);
        put(report, "stiff_zs", all.stiff_zs);
        put(report, "small_steps", all.small_steps);

        std::vector<std::vector<double>> rows;
        const auto of = [](const Ensemble& e) { return mean_density(densities(e, &Sample::physical)); };
        const auto by_shake = of(all.shake), by_zs = of(all.stiff_zs), by_small = of(all.small_steps),
                   in_other = of(all.other_basin);
        for (std::size_t b = 0; b + 1 < by_shake.size(); ++b)
          rows.push_back({empty.middle(b), by_shake[b].mean, by_shake[b].error, by_zs[b].mean, by_zs[b].error,
                          by_small[b].mean, by_small[b].error, in_other[b].mean, in_other[b].error});
        report.series("distances",
                      {{"r", "A"},
                       {"shake", "1/A"},
                       {"shake_error", "1/A"},
                       {"stiff_zs", "1/A"},
                       {"stiff_zs_error", "1/A"},
                       {"small_steps", "1/A"},
                       {"small_steps_error", "1/A"},
                       {"other_basin", "1/A"},
                       {"other_basin_error", "1/A"}},
                      rows);
        report.figure({"fig04.svg",
                       "Figure 4 of TO14: distances between oxygens of seven water molecules, by SHAKE and by "
                       "simplified Z&S, with the penalised model by small steps, and another basin."});
        if (options.quick) {
          say_progress("small parameters: no claims are decided");
          return;
        }
        claim_parameters(report);
        claim_figure(report, all);
        claim_peaks(report, all);
        claim_start(report, all);
      });
}
