// SPDX-License-Identifier: MIT
//
// Experiment: the transitions of the DNA model of TO14 4.4 as statistics over seeds: do Verlet with h = 0.2 and Z&S
// with h = 2 have those of small steps; do the ends of the chain, and the profile of the initial velocity matter; is
// the mean angle slow, and the motion chaotic
//
// Two runs of a chaotic system cannot be compared after a few of its Lyapunov times, distributions can. All methods
// take the same starts, and what is tested is the mean of the differences seed by seed: its standard error has no part
// that all methods share.
//
// Not printed in TO14, chosen here: T = 1000, by which 3 transitions have happened in the mean; lost means a kinetic
// energy ten times the energy of the start.
#include <algorithm>

#include "dna_runs.hpp"
#include "experiment.hpp"
#include "parallel.hpp"

namespace {

using namespace livi;
using namespace livi::dna;

const Place section{"TO14", "Sec. 4.4"}, figure{"TO14", "Sec. 4.4, Fig. 8"};

/// What is recorded of a run.
struct Run {
  Passages passages;
  double energy = 0;  ///< mean at x, in units of the start's
  double lost_at = not_a_number;
};

template <class System>
Run observed(Method which, const System& system, const Start& start, double h, double T) {
  Run result;
  const double unit = energy_of(system, start.x, start.v);
  const long every = std::max(1L, std::lround(2 / h));
  double readings = 0;
  const RunOutcome outcome =
      dna::run(which, system, start, h, steps_in(T, h), printed_beta, [&](long step, const auto& z, auto&) {
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
constexpr std::size_t first_crossing = 0, arrival = 1, transitions = 2;

Estimate over_seeds(const Ensemble& ensemble, const Statistic& statistic) {
  std::vector<double> values;
  for (const Run& run : ensemble)
    values.push_back(std::isnan(run.lost_at) ? statistic.of(run) : not_a_number);
  return estimate(values);
}

/// Of the difference a - b, seed by seed, where both have a value.
Estimate difference(const Ensemble& a, const Ensemble& b, const Statistic& statistic) {
  std::vector<double> values;
  for (std::size_t i = 0; i < a.size(); ++i)
    values.push_back(std::isnan(a[i].lost_at) && std::isnan(b[i].lost_at) ? statistic.of(a[i]) - statistic.of(b[i])
                                                                          : not_a_number);
  return estimate(values);
}

/// The mean difference in standard errors.
double deviation(const Ensemble& a, const Ensemble& b, std::size_t which) {
  const Estimate d = difference(a, b, statistics[which]);
  return d.mean / d.error;
}

/// The largest magnitude over first crossing, arrival and number of transitions.
double largest_deviation(const Ensemble& a, const Ensemble& b) {
  double largest = 0;
  for (const std::size_t which : {first_crossing, arrival, transitions})
    largest = std::max(largest, std::abs(deviation(a, b, which)));
  return largest;
}

void put(Report& report, const std::string& name, const Estimate& e, const std::string& unit = "") {
  // Another machine's libm takes another of the chaotic orbits: what it may find differs by two sampling errors.
  report.measurement({.name = name, .value = e.mean, .unit = unit, .tolerance = {.absolute = 4 * e.error}});
  report.measurement(
      {.name = name + ".standard_error", .value = e.error, .unit = unit, .tolerance = {.relative = 0.5}});
}

// -------------------------------------------------------------------------------------------------------------------
// other initial velocities

/// Velocities cos(2 pi m k/N) scaled to the kinetic energy 1/4; m = 0 moves all bases alike.
V velocity_mode(long m) {
  V v(base_pairs);
  for (Eigen::Index k = 0; k < base_pairs; ++k)
    v(k) = std::cos(2 * pi * static_cast<double>(m * k % base_pairs) / static_cast<double>(base_pairs));
  return v / (std::sqrt(2.0) * v.norm());
}

// -------------------------------------------------------------------------------------------------------------------
// slow and fast

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
    if (now < std::exp(-1.0))
      return interval * (static_cast<double>(lag) - (std::exp(-1.0) - now) / (before - now));
    before = now;
  }
  return not_a_number;
}

/// Of the rates of the mean angle and of single angles (every 20th), by Verlet.
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

// -------------------------------------------------------------------------------------------------------------------
// chaos

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

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  return run_experiment(
      argc, argv, "dna_statistics", {"TO14", "Transitions", "4.4"}, "Transitions of the DNA model of TO14 over seeds",
      [&](CLI::App& application) {
        application.add_option("--threads", threads, "threads to compute with; the report does not depend on it")
            ->check(CLI::Range(1, 1024));
      },
      [&](Report& report, const ExperimentOptions& options) {
        const double T = options.quick ? 100 : 1000;
        const std::size_t seeds = options.quick ? 2 : 200;
        constexpr double small_step = 0.1;
        report.parameter("N", base_pairs);
        report.parameter("beta", printed_beta);
        report.parameter("h_reference", small_step);
        report.parameter("T", T);
        report.parameter("seeds", static_cast<long>(seeds));
        report.seed("first", 1);

        const Chain ring = model(), open = model(ChainEnds::free);
        std::vector<std::pair<std::string, Ensemble>> ensembles;
        const auto add = [&](const std::string& name, const auto& run_of_seed) -> const Ensemble& {
          say_progress(name);
          ensembles.emplace_back(name, for_each_case(seeds, threads, [&](std::size_t i) {
            return run_of_seed(printed_start(i + 1));
          }));
          return ensembles.back().second;
        };
        ensembles.reserve(20);
        const auto by = [&](Method which, const Chain& chain, double h) {
          return [which, &chain, h, T](const Start& start) { return observed(which, chain, start, h, T); };
        };
        const auto mapped = [&](double h) {
          return [&ring, h, T](const Start& start) {
            return observed(Method::zhang_skeel, ring, standing_for(ring, start, printed_beta, h), h, T);
          };
        };
        const Ensemble& reference = add("reference", by(Method::verlet, ring, small_step));
        const Ensemble& verlet = add("verlet", by(Method::verlet, ring, verlet_step));
        const Ensemble& long_verlet = add("verlet_h_0.8", by(Method::verlet, ring, 0.8));
        const Ensemble& zs = add("zhang_skeel", by(Method::zhang_skeel, ring, zhang_skeel_step));
        const Ensemble& zs_one = add("zhang_skeel_h_1", by(Method::zhang_skeel, ring, 1));
        const Ensemble& zs_half = add("zhang_skeel_h_0.5", by(Method::zhang_skeel, ring, 0.5));
        const Ensemble& zs_mapped = add("zhang_skeel_h_1_physical_start", mapped(1));
        const Ensemble& zs_mapped_two = add("zhang_skeel_h_2_physical_start", mapped(2));
        const Ensemble& simplified = add("simplified_zhang_skeel", by(Method::simplified, ring, zhang_skeel_step));
        const Ensemble& verlet_open = add("verlet_free_ends", by(Method::verlet, open, verlet_step));
        const Ensemble& zs_open = add("zhang_skeel_free_ends", by(Method::zhang_skeel, open, zhang_skeel_step));
        for (const auto& [name, e] : ensembles) {
          std::printf("%-32s", name.c_str());
          for (const auto& s : statistics) { const Estimate v = over_seeds(e, s), d = difference(e, reference, s); std::printf(" %s %.3f+-%.3f (d %.3f z %.1f n %zu)", s.name, v.mean, v.error, d.mean, d.mean/d.error, v.count); }
          std::printf("\n");
        }
        for (long m : {0L, 1L, 2L, 3L, 5L, 10L, 50L, 100L, -1L, -2L}) {
          const auto e = for_each_case(100, threads, [&](std::size_t i) { Start s = printed_start(i + 1);
            if (m >= 0) s.v = velocity_mode(m); else if (m == -1) s.v.setZero(); else { s.v = normal_numbers(i + 1, base_pairs, 3); s.v /= std::sqrt(2.0) * s.v.norm(); }
            return observed(Method::verlet, ring, s, verlet_step, 400); });
          const Estimate v = over_seeds(e, statistics[0]); double by100 = 0, by400 = 0; for (auto& r : e) { by100 += r.passages.first_crossing < 100; by400 += r.passages.first_crossing < 400; }
          Start q{V::Constant(base_pairs, .8), velocity_mode(std::max(m, 0L))}; if (m == -1) q.v.setZero(); if (m == -2) { q.v = normal_numbers(1, base_pairs, 3); q.v /= std::sqrt(2.0) * q.v.norm(); }
          const Run quiet = observed(Method::verlet, ring, q, verlet_step, 2000);
          std::printf("m %ld crossing %.2f +- %.2f by100 %.2f by400 %.2f quiet %.1f\n", m, v.mean, v.error, by100/100, by400/100, quiet.passages.first_crossing);
        }
        for (int s = 1; s < 4; ++s) { const auto c = correlation_times(ring, s, 1000); std::printf("corr %.2f %.3f %.3f\n", c.mean, c.single, c.other_single); }
        for (int s = 1; s < 4; ++s) std::printf("lyap %.4f linear %.5f\n", lyapunov_exponent(ring, s, 2000), lyapunov_exponent(linearised(), s, 2000));
        (void)verlet; (void)long_verlet; (void)zs; (void)zs_one; (void)zs_half; (void)zs_mapped; (void)zs_mapped_two; (void)simplified; (void)verlet_open; (void)zs_open; (void)T; (void)put;
      });
}
