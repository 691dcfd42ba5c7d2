// SPDX-License-Identifier: MIT
//
// Experiment: the transitions of the DNA model of TO14 4.4 as statistics over seeds: do Verlet with h = 0.2 and Z&S
// with h = 2 have those of small steps, and what does Z&S save; do the ends of the chain, and the profile of the
// initial velocity matter; is the mean angle slow, and the motion chaotic
//
// Two runs of a chaotic system cannot be compared after a few of its Lyapunov times, distributions can. All methods
// take the same starts, so that ensembles depend on each other: they are compared by the mean of the differences seed
// by seed and its error, which is much smaller than that of two means where the paths have not yet separated. By that
// error nearly all methods differ, as they must; what is decided is whether they differ by as much as a tenth.
//
// Not printed in TO14, chosen here: T = 1000, by which 3 transitions have happened in the mean; lost means a kinetic
// energy ten times the energy of the start.
//
// One file, though long: its claims read the same ensembles.
#include <algorithm>

#include <livi/integrators/integrator.hpp>

#include "study/models/dna_cost.hpp"
#include "study/models/dna_runs.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/over_runs.hpp"

namespace {

using namespace livi;
using namespace livi::dna;

/// Near the limit of Verlet, 0.97 (dna_stability), with no seed lost by T = 10000.
constexpr double long_verlet_step = 0.9;

/// What is recorded of a run.
struct Run {
  Passages passages;
  double energy = 0;  ///< mean at x, in units of the start's
  double lost_at = not_a_number;
};

template <class System>
Run observed(Method which, const System& system, const Start& start, double h, double T) {
  Run result;
  const auto steps = static_cast<long>(T / h + 1e-9);  // 0.9 is no part of 1000
  const double unit = energy_of(system, start.x, start.v);
  const long every = std::max(1L, std::lround(2 / h));
  double readings = 0;
  const RunOutcome outcome =
      dna::run(which, system, start, h, steps, printed_beta, [&](long step, const auto& z, auto&) {
        const double t = static_cast<double>(step) * h;
        if (!(z.v.squaredNorm() / 2 < lost_factor * unit)) {
          result.lost_at = t;
          return false;
        }
        result.passages.see(t, z.q.mean());
        if (step > 0 && step % every == 0) {
          result.energy += energy_of(system, z.q, z.v) / unit;
          ++readings;
        }
        return true;
      });
  if (!outcome.ok()) result.lost_at = outcome.time;
  result.energy /= readings;
  return result;
}

using Ensemble = std::vector<Run>;

struct Statistic {
  const char* name;
  const char* unit;
  double (*of)(const Run&);
};
const Statistic statistics[]{
    {"first_crossing", "time", [](const Run& run) { return run.passages.first_crossing; }},
    {"arrival", "time", [](const Run& run) { return run.passages.arrival; }},
    {"transitions", "", [](const Run& run) { return static_cast<double>(run.passages.transitions); }},
    {"energy_ratio", "", [](const Run& run) { return run.energy; }}};
constexpr std::size_t first_crossing = 0, arrival = 1, transitions = 2, energy_ratio = 3;

/// Not a number for a run that is lost, and where it has not happened.
double value(const Run& run, const Statistic& statistic) {
  return std::isnan(run.lost_at) ? statistic.of(run) : not_a_number;
}

/// Not a number unless every run has a value: those that have are no fair sample of all.
Estimate over_seeds(const Ensemble& ensemble, const Statistic& statistic) {
  return estimate_of_all(of_each(ensemble, [&](const Run& run) { return value(run, statistic); }));
}
long seeds_with_value(const Ensemble& ensemble, const Statistic& statistic) {
  return count_of(ensemble, [&](const Run& run) { return !std::isnan(value(run, statistic)); });
}

/// Returns the estimate of the difference a - b, seed by seed; not a number unless all have one.
Estimate difference(const Ensemble& a, const Ensemble& b, const Statistic& statistic) {
  std::vector<double> values;
  for (std::size_t i = 0; i < a.size(); ++i) values.push_back(value(a[i], statistic) - value(b[i], statistic));
  return estimate_of_all(values);
}

/// How far the means of `a` are from those of `b`, relative to these: the largest over what is listed, by the
/// differences seed by seed.
RelativeDifference relative_difference_by_seeds(const Ensemble& a, const Ensemble& b,
                                                const std::vector<std::size_t>& compared) {
  std::vector<Estimate> differences;
  for (const std::size_t which : compared) {
    const double unit = over_seeds(b, statistics[which]).mean;
    const Estimate of = difference(a, b, statistics[which]);
    differences.push_back({of.mean / unit, of.error / unit, of.count});
  }
  return largest_difference(differences);
}

/// How many seeds of all: on other orbits another binomial number, four standard deviations of a difference at most.
/// None and all are to stay so: the first run that is lost is to be looked at.
void put_count(Report& report, const std::string& name, long count, std::size_t seeds) {
  const auto n = static_cast<double>(count), all = static_cast<double>(seeds);
  report.measurement(
      {.name = name, .value = n, .unit = "seeds", .tolerance = {.absolute = 4 * std::sqrt(2 * n * (1 - n / all))}});
}

/// x + beta h^2 a(x): where Z&S from x really starts.
V physical_position(const Chain& chain, const V& x, double h) {
  ZhangSkeel method(chain, {printed_beta});
  return physical_position(method, method.start(x, V::Zero(x.size())), h);
}

// --- other initial velocities ---------------------------------------------------------------------------------------

/// Velocities cos(2 pi m k/N) scaled to the kinetic energy 1/4; m = 0 moves all bases alike.
V velocity_mode(long m) {
  V v(base_pairs);
  for (Eigen::Index k = 0; k < base_pairs; ++k)
    v(k) = std::cos(2 * pi * static_cast<double>(m * k % base_pairs) / static_cast<double>(base_pairs));
  return v / (std::sqrt(2.0) * v.norm());
}

// --- slow and fast --------------------------------------------------------------------------------------------------

/// First lag, in units of time, at which the autocorrelation of a signal sampled every `interval` is below 1/e.
double correlation_time(const std::vector<double>& signal, double interval) {
  double mean = 0;
  for (const double x : signal) mean += x / static_cast<double>(signal.size());
  const auto covariance = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < signal.size(); ++i) sum += (signal[i] - mean) * (signal[i + lag] - mean);
    return sum / static_cast<double>(signal.size() - lag);
  };
  const double variance = covariance(0);
  double before = 1;
  for (std::size_t lag = 1; lag < signal.size() / 2; ++lag) {
    const double now = covariance(lag) / variance;
    if (now < std::exp(-1.0)) return interval * (static_cast<double>(lag) - (std::exp(-1.0) - now) / (before - now));
    before = now;
  }
  return not_a_number;
}

/// Correlation times of the rates of the mean angle and of single angles (every 20th), by Verlet.
struct CorrelationTimes {
  double mean = 0, single = 0, other_single = 0;
};
CorrelationTimes correlation_times(const Chain& chain, std::uint64_t seed, double T) {
  std::vector<double> mean;
  std::vector<std::vector<double>> single(10);
  dna::run(Method::verlet, chain, printed_start(seed), verlet_step, steps_in(T, verlet_step), 0,
           [&](long, const auto& z, auto&) {
             mean.push_back(z.v.mean());
             for (std::size_t i = 0; i < single.size(); ++i)
               single[i].push_back(z.v(20 * static_cast<Eigen::Index>(i)));
             return true;
           });
  CorrelationTimes times;
  times.mean = correlation_time(mean, verlet_step);
  for (std::size_t i = 0; i < single.size(); ++i)
    (i % 2 == 0 ? times.single : times.other_single) += correlation_time(single[i], verlet_step) / 5;
  return times;
}

// --- chaos ----------------------------------------------------------------------------------------------------------

/// Largest Lyapunov exponent by two neighbouring runs of Verlet, 1e-7 apart, brought back to that distance every 10
/// units of time.
template <class System>
double lyapunov_exponent(const System& system, std::uint64_t seed, double T) {
  constexpr double apart = 1e-7, between = 10;
  VelocityVerlet method(system);
  const Start start = printed_start(seed);
  auto z = method.start(start.x, start.v), near = z;
  const V direction = normal_numbers(seed, base_pairs, 2).normalized();
  near.q += apart * direction;
  double sum = 0;
  for (double t = 0; t < T; t += between) {
    for (long k = 0; k < steps_in(between, verlet_step); ++k)
      if (!method.step(z, verlet_step).ok() || !method.step(near, verlet_step).ok()) return not_a_number;
    const V dq = near.q - z.q, dv = near.v - z.v;
    const double distance = std::sqrt(dq.squaredNorm() + dv.squaredNorm());
    sum += std::log(distance / apart);
    near = method.start(z.q + apart / distance * dq, z.v + apart / distance * dv);
  }
  return sum / T;
}

// --- claims ---------------------------------------------------------------------------------------------------------

struct Ensembles {
  Ensemble reference, verlet, verlet_long_step, verlet_at_its_limit, zs, zs_one, zs_half, zs_physical, zs_physical_two,
      simplified, verlet_free, zs_free, verlet_calmed;
};

std::string summary(const char* name, const Ensemble& ensemble, const Ensemble& reference) {
  const auto of = [&](std::size_t which) { return over_seeds(ensemble, statistics[which]); };
  const Estimate shift = difference(ensemble, reference, statistics[first_crossing]);
  return text("%s: %.2f +- %.2f, %.2f +- %.2f, %.2f +- %.2f, %.3f; seed by seed %+.2f +- %.2f. ", name,
              of(first_crossing).mean, of(first_crossing).error, of(arrival).mean, of(arrival).error,
              of(transitions).mean, of(transitions).error, of(energy_ratio).mean, shift.mean, shift.error);
}

constexpr Interval within_a_tenth{0, 0.1}, more_than_a_tenth{0.1, std::numeric_limits<double>::infinity()};

void claim_agreement(Report& report, const Ensembles& all) {
  const auto off = [](const Ensemble& a, const Ensemble& b, const std::vector<std::size_t>& compared) {
    return relative_difference_by_seeds(a, b, compared).decisive(within_a_tenth.high);
  };
  const std::vector<std::size_t> opening{first_crossing, arrival}, passages{first_crossing, arrival, transitions};
  const double verlet = off(all.verlet, all.reference, passages),
               simplified = off(all.simplified, all.reference, passages);
  report.claim({.id = "TO14.fig8.verlet-statistics",
                .measured = verlet,
                .interval = within_a_tenth,
                .controls = {failing("Z&Ss with h = 2", simplified, within_a_tenth)},
                .note = "First crossing, arrival, transitions, energy over that of the start. " +
                        summary("Small steps", all.reference, all.reference) +
                        summary("Verlet", all.verlet, all.reference) +
                        summary("With h = 0.8", all.verlet_long_step, all.reference) +
                        "So a benchmark four times cheaper would have done."});
  report.claim(
      {.id = "TO14.fig8.zs-statistics",
       .measured = off(all.zs, all.reference, passages),
       .interval = more_than_a_tenth,
       .controls = {failing("Verlet with h = 0.2", verlet, more_than_a_tenth),
                    passing("Z&Ss with h = 2", simplified, more_than_a_tenth)},
       .note =
           "It makes as many, but later, by an eighth. First crossing, arrival, transitions, energy over that of the "
           "start. " +
           summary("Small steps", all.reference, all.reference) + summary("Z&S, h = 2", all.zs, all.reference) +
           summary("h = 1", all.zs_one, all.reference) + summary("h = 0.5", all.zs_half, all.reference) +
           summary("h = 1 from the x that stands for q(0)", all.zs_physical, all.reference) +
           summary("Z&Ss, h = 2", all.simplified, all.reference) +
           "The delay is that of the start. x(0) = q(0) stands for q = x + c a(x), whose fast modes have less "
           "amplitude than printed; the mean angle feels U smoothed by less noise. " +
           summary("Verlet, h = 0.2, from that q", all.verlet_calmed, all.reference) +
           "The start accounts for more than the delay, the step takes some back: from the x that stands for q(0) Z&S "
           "with h = 1 is a little early. With h = 2 that start is lost at once, for every seed."});
  const auto fewer = [](const Ensemble& a, const Ensemble& b) { return difference(a, b, statistics[transitions]); };
  const Estimate by_verlet = fewer(all.verlet_free, all.verlet), by_zs = fewer(all.zs_free, all.zs);
  report.claim(
      {.id = "TO14.s4.4.ends",
       .measured = off(all.verlet_free, all.verlet, opening),
       .interval = within_a_tenth,
       .controls = {failing("Z&S with h = 2 against Verlet, both on the ring", off(all.zs, all.verlet, opening),
                            within_a_tenth)},
       .note = summary("Ring", all.verlet, all.reference) + summary("Free ends", all.verlet_free, all.reference) +
               summary("Z&S on the ring", all.zs, all.reference) +
               summary("with free ends", all.zs_free, all.reference) +
               text("Fewer transitions to T = 1000 with free ends by %.2f +- %.2f with Verlet and %.2f +- %.2f with "
                    "Z&S: whether a tenth fewer is not decided by the sample.",
                    -by_verlet.mean, by_verlet.error, -by_zs.mean, by_zs.error)});
}

/// What Z&S saves, in counted arithmetic to the same time: at the printed steps, beside Verlet near its own limit, and
/// beside the cheapest Verlet that errs no more in when the strand opens.
void claim_speed_up(Report& report, const Ensembles& all) {
  const Cost verlet_cost = cost_of_step(Method::verlet, verlet_step),
             zs_cost = cost_of_step(Method::zhang_skeel, zhang_skeel_step);
  const double steps = zhang_skeel_step / verlet_step;
  const auto speed_up = [&](double h_verlet, double h_zs) {
    return (verlet_cost.total() / h_verlet) / (zs_cost.total() / h_zs);
  };
  const auto error = [&](const Ensemble& ensemble) {
    return std::abs(difference(ensemble, all.reference, statistics[first_crossing]).mean);
  };
  const double printed_steps = speed_up(verlet_step, zhang_skeel_step),
               at_limit = speed_up(long_verlet_step, zhang_skeel_step),
               of_seconds = 23.26 / 3.24 * verlet_step / long_verlet_step;
  put(report, "zhang_skeel.delay", difference(all.zs, all.reference, statistics[first_crossing]), "time");
  // The step of Z&S from which it is cheaper than Verlet near its limit.
  const double even = zhang_skeel_step / at_limit;
  const Tolerance counted{.relative = 0.02};
  add_measurements(report,
                   {{"speed_up.printed_steps", printed_steps},
                    {"speed_up.verlet_h_0.9", at_limit},
                    {"speed_up.verlet_h_0.9.by_printed_seconds", of_seconds}},
                   "", counted);
  add_measurements(report, {{"speed_up.even_step_of_zhang_skeel", even}}, "time", counted);
  struct Try {
    const char* name;
    double h;
    const Ensemble& ensemble;
  };
  const Try verlet[]{{"Verlet, h = 0.9", long_verlet_step, all.verlet_at_its_limit},
                     {"h = 0.8", 0.8, all.verlet_long_step},
                     {"h = 0.2", verlet_step, all.verlet}},
      zs[]{{"h = 0.5", 0.5, all.zs_half}, {"h = 1", 1, all.zs_one}, {"h = 2", 2, all.zs}};
  std::string list, errors;
  for (const Try& one : verlet) errors += text("%s: %.2f, ", one.name, error(one.ensemble));
  for (const Try& one : zs) {
    const Try* beside = nullptr;
    for (const Try& other : verlet)
      if (beside == nullptr && error(other.ensemble) <= error(one.ensemble)) beside = &other;
    if (beside == nullptr) throw std::runtime_error("no Verlet errs as little as Z&S");
    const double ratio = speed_up(beside->h, one.h);
    report.measurement({.name = text("speed_up.equal_error.h=%g", one.h), .value = ratio, .tolerance = counted});
    list += text("%s%s (off by %.2f): %.2f", list.empty() ? "" : ", ", one.name, error(one.ensemble), ratio);
  }
  const Interval faster{1.02, std::numeric_limits<double>::infinity()};
  report.claim(
      {.id = "TO14.s4.4.accelerates",
       .measured = printed_steps,
       .interval = faster,
       .controls = {failing("Z&S with the step of Verlet", speed_up(verlet_step, verlet_step), faster),
                    failing("Z&S with h = 1 beside Verlet with h = 0.9", speed_up(long_verlet_step, 1), faster)},
       .note = text(
           "By printed seconds %.2f, and %.2f beside Verlet with h = 0.9; counted %.2f, and %.2f, even with h = "
           "%.2f of Z&S. Elementary functions count 20 operations; free they leave %.1f, alone %.1f. First "
           "crossing, at t = 90, off by: %sand Z&S beside the cheapest of these that errs no more: %s.",
           23.26 / 3.24, of_seconds, printed_steps, at_limit, even, steps * verlet_cost.operations / zs_cost.operations,
           steps * verlet_cost.functions / zs_cost.functions, errors.c_str(), list.c_str())});
}

/// How soon a start opens, over seeds.
struct Opening {
  std::string name;
  double by_200 = 0;  ///< share that has crossed pi
  Estimate crossing;
};

void claim_opening(Report& report, const std::vector<Opening>& openings, double rest_to_the_end) {
  const Opening& printed = openings[0];
  std::string list;
  double best_other = 0;
  const auto at = [&](const std::string& name) -> const Opening& {
    return *std::find_if(openings.begin(), openings.end(), [&](const Opening& o) { return o.name == name; });
  };
  for (const char* name : {"rest", "random", "mode_5", "mode_10", "mode_50", "mode_100"})
    best_other = std::max(best_other, at(name).by_200);
  for (const Opening& o : openings) {
    report.measurement({.name = "opening." + o.name + ".by_200", .value = o.by_200, .tolerance = {.absolute = 0.15}});
    list += text("%s%s %.2f", list.empty() ? "" : ", ", o.name.c_str(), o.by_200);
    if (!std::isnan(o.crossing.mean)) list += text(" (mean %.1f)", o.crossing.mean);
  }
  const Interval more{0.5, 1};
  report.claim(
      {.id = "TO14.s4.4.initial-velocity-opens",
       .measured = printed.by_200 - best_other,
       .interval = more,
       .controls = {failing("mode 5 in place of the printed one", at("mode_5").by_200 - best_other, more),
                    failing("random velocities in its place", at("random").by_200 - best_other, more)},
       .note =
           text("Shares by t = 200: %s. It is the long wave that opens, not this one: the uniform velocity of the same "
                "energy does it sooner, m = 1 and 3 do it too. From rest the share by T = 3500 is %.2f: the noise of "
                "the positions, ten times the energy, does not open the strand.",
                list.c_str(), rest_to_the_end)});
}

void claim_slow(Report& report, const std::vector<CorrelationTimes>& times) {
  const auto ratio = [](const CorrelationTimes& one) { return one.mean / one.single; };
  const auto ratio_of_others = [](const CorrelationTimes& one) { return one.other_single / one.single; };
  const Estimate of_mean = mean_over(times, &CorrelationTimes::mean),
                 of_single = mean_over(times, &CorrelationTimes::single), of_ratio = mean_over(times, ratio);
  put(report, "correlation_time.mean_rate", of_mean, "time");
  put(report, "correlation_time.single_rate", of_single, "time");
  const Interval slow{5, std::numeric_limits<double>::infinity()};
  report.claim(
      {.id = "TO14.s4.4.mean-slow",
       .measured = of_ratio.mean,
       .interval = slow,
       .controls = {failing("other single angles", mean_over(times, ratio_of_others).mean, slow)},
       .note =
           text("%.1f +- %.1f for the mean, %.3f +- %.3f for single angles: these oscillate with the frequencies of "
                "the coupling, up to 2.",
                of_mean.mean, of_mean.error, of_single.mean, of_single.error)});
}

void claim_chaos(Report& report, const std::vector<double>& exponents, const std::vector<double>& half, double linear,
                 double T) {
  const Estimate lyapunov = estimate(exponents), of_half = estimate(half);
  put(report, "lyapunov_exponent", lyapunov, "1/time");
  // Set first to 0.01 and up, by guess; then to what a regular orbit can show in this time.
  const Interval chaotic{std::log(T) / T, std::sqrt(0.5852)};
  report.claim(
      {.id = "TO14.s4.4.chaotic",
       .measured = lyapunov.low(),
       .unit = "1/time",
       .interval = chaotic,
       .controls = {failing("the linearised model", linear, chaotic)},
       .note =
           text("%.4f +- %.4f, over the first half of the time %.4f +- %.4f: a Lyapunov time of %.0f. The first "
                "passage, at t = 90 to 150, comes before paths have separated much: it is that of the start, and only "
                "what follows is for statistics.",
                lyapunov.mean, lyapunov.error, of_half.mean, of_half.error, 1 / lyapunov.mean)});
}

// --- runs -----------------------------------------------------------------------------------------------------------

/// Ensembles of all seeds, each put into the report as it is there.
Ensembles put_ensembles(Report& report, double T, std::size_t seeds, double small_step, unsigned threads) {
  const Chain ring = model(), open = model(ChainEnds::free);
  const auto ensemble = [&](const std::string& name, const auto& run_of_seed) {
    say_progress(name);
    Ensemble runs = for_each_case(seeds, threads, [&](std::size_t i) { return run_of_seed(printed_start(i + 1)); });
    put_count(report, name + ".lost", count_of(runs, [](const Run& run) { return !std::isnan(run.lost_at); }), seeds);
    for (const Statistic& statistic : statistics) {
      const Estimate e = over_seeds(runs, statistic);
      put_count(report, name + "." + statistic.name + ".seeds", seeds_with_value(runs, statistic), seeds);
      if (!std::isnan(e.mean)) put(report, name + "." + statistic.name, e, statistic.unit);
    }
    return runs;
  };
  const auto by = [&](Method which, const Chain& chain, double h) {
    return [which, &chain, h, T](const Start& start) { return observed(which, chain, start, h, T); };
  };
  const auto from_physical = [&](double h) {
    return [&ring, h, T](const Start& start) {
      return observed(Method::zhang_skeel, ring, standing_for(ring, start, printed_beta, h), h, T);
    };
  };
  return {.reference = ensemble("reference", by(Method::verlet, ring, small_step)),
          .verlet = ensemble("verlet", by(Method::verlet, ring, verlet_step)),
          .verlet_long_step = ensemble("verlet_h_0.8", by(Method::verlet, ring, 0.8)),
          .verlet_at_its_limit = ensemble("verlet_h_0.9", by(Method::verlet, ring, long_verlet_step)),
          .zs = ensemble("zhang_skeel", by(Method::zhang_skeel, ring, zhang_skeel_step)),
          .zs_one = ensemble("zhang_skeel_h_1", by(Method::zhang_skeel, ring, 1)),
          .zs_half = ensemble("zhang_skeel_h_0.5", by(Method::zhang_skeel, ring, 0.5)),
          .zs_physical = ensemble("zhang_skeel_h_1_physical_start", from_physical(1)),
          .zs_physical_two = ensemble("zhang_skeel_h_2_physical_start", from_physical(2)),
          .simplified = ensemble("simplified_zhang_skeel", by(Method::simplified, ring, zhang_skeel_step)),
          .verlet_free = ensemble("verlet_free_ends", by(Method::verlet, open, verlet_step)),
          .zs_free = ensemble("zhang_skeel_free_ends", by(Method::zhang_skeel, open, zhang_skeel_step)),
          .verlet_calmed = ensemble("verlet_from_physical_position_of_x", [&](const Start& start) {
            return observed(Method::verlet, ring, {physical_position(ring, start.x, zhang_skeel_step), start.v},
                            verlet_step, T);
          })};
}

/// Verlet from the printed positions with the velocities of each seed.
template <class VelocityOfSeed>
Ensemble with_velocities(const VelocityOfSeed& velocity_of_seed, double h, double T, std::size_t seeds,
                         unsigned threads) {
  const Chain ring = model();
  return for_each_case(seeds, threads, [&](std::size_t i) {
    return observed(Method::verlet, ring, Start{printed_start(i + 1).x, velocity_of_seed(i + 1)}, h, T);
  });
}
/// The share of the runs that have crossed pi by a time.
double share_crossed(const Ensemble& runs, double by) {
  return share_of(runs, [by](const Run& run) { return run.passages.first_crossing <= by; });
}
V at_rest(std::uint64_t) { return V::Zero(base_pairs); }
std::vector<Opening> all_openings(double T, std::size_t seeds, unsigned threads) {
  std::vector<Opening> openings;
  const auto add = [&](const std::string& name, const auto& velocity_of_seed) {
    const Ensemble runs = with_velocities(velocity_of_seed, 0.4, T, seeds, threads);
    openings.push_back({name, share_crossed(runs, 200), over_seeds(runs, statistics[first_crossing])});
  };
  add("printed", [](std::uint64_t) { return dna_start_velocity<double>(base_pairs); });
  for (const long m : {0, 1, 3, 4, 5, 10, 50, 100})
    add(text("mode_%ld", m), [m](std::uint64_t) { return velocity_mode(m); });
  add("random", [](std::uint64_t seed) {
    const V v = normal_numbers(seed, base_pairs, 3);
    return V(v / (std::sqrt(2.0) * v.norm()));
  });
  add("rest", at_rest);
  return openings;
}

void put_passages(Report& report, const Ensembles& all) {
  std::vector<std::vector<double>> rows;
  const Ensemble* const methods[]{&all.reference, &all.verlet, &all.zs, &all.simplified, &all.zs_physical};
  for (std::size_t i = 0; i < all.reference.size(); ++i)
    for (std::size_t m = 0; m < std::size(methods); ++m) {
      const Passages& passages = (*methods[m])[i].passages;
      if (!std::isnan(passages.arrival))
        rows.push_back({static_cast<double>(i + 1), static_cast<double>(m), passages.first_crossing, passages.arrival,
                        static_cast<double>(passages.transitions)});
    }
  report.series("passages",
                {{"seed", ""}, {"method", ""}, {"first_crossing", "time"}, {"arrival", "time"}, {"transitions", ""}},
                rows);
}

void measure_statistics(Report& report, bool quick, unsigned threads) {
  const double T = quick ? 100 : 1000, long_time = quick ? 100 : 4000;
  const std::size_t seeds = quick ? 2 : 200, few = quick ? 2 : 100, of_chaos = quick ? 2 : 16;
  constexpr double small_step = 0.1;
  report.parameter("N", base_pairs);
  report.parameter("beta", printed_beta);
  report.parameter("h_reference", small_step);
  report.parameter("T", T);
  report.parameter("seeds", static_cast<long>(seeds));
  report.seed("first", 1);

  const Ensembles all = put_ensembles(report, T, seeds, small_step, threads);
  say_progress("other initial velocities");
  const auto openings = all_openings(quick ? 100 : 400, few, threads);
  const Ensemble rest = with_velocities(at_rest, 0.8, quick ? 80 : 3504, few, threads);
  say_progress("correlation times");
  const Chain ring = model();
  const auto times =
      for_each_case(quick ? 2 : 8, threads, [&](std::size_t i) { return correlation_times(ring, i + 1, T); });
  say_progress("Lyapunov exponents");
  const auto exponents_over = [&](double time) {
    return for_each_case(of_chaos, threads, [&](std::size_t i) { return lyapunov_exponent(ring, i + 1, time); });
  };
  const auto exponents = exponents_over(long_time), half = exponents_over(long_time / 2);
  const double linear = lyapunov_exponent(linearised(), 1, long_time);

  put_passages(report, all);
  report.figure({"dna_statistics.svg",
                 "When the mean angle of the DNA model first crosses pi and when it arrives beyond the plateau, over "
                 "200 seeds: share of the seeds against time, by small steps, Verlet, Z&S and Z&Ss."});
  if (quick) {
    say_progress("small parameters: no claims are decided");
    return;
  }
  claim_agreement(report, all);
  claim_speed_up(report, all);
  claim_opening(report, openings, share_crossed(rest, std::numeric_limits<double>::infinity()));
  claim_slow(report, times);
  claim_chaos(report, exponents, half, linear, long_time);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  return run_experiment(
      argc, argv, "dna_statistics", {"TO14", "Transitions", "4.4"}, "Transitions of the DNA model of TO14 over seeds",
      {.threads = &threads},
      [&](Report& report, const ExperimentOptions& options) { measure_statistics(report, options.quick, threads); });
}
