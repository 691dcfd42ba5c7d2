// SPDX-License-Identifier: MIT
//
// Experiment: a hundred times longer than the stress test of BOS09: T = 1.5e6 with h = 0.25, that is 6 million steps;
// and the path of Figure 2
#include <algorithm>
#include <cmath>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/systems/rotation_potentials.hpp>

#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/program/report_parts.hpp"

namespace {

using namespace livi;

constexpr double infinity = std::numeric_limits<double>::infinity(), h = 0.25;
/// At the pass between the well and Q_m (BOS09.confined.exact) U is 1.608, 0.938 above the energy of the start, and
/// dist(Q, I) is 2.503.
constexpr double pass_height = 0.938, pass_distance = 2.503;

constexpr int windows = 150;

using Body = StressTestSystem<double>;

/// A run in equal windows: of each the mean and the extremes of the energy error and the extremes of dist(Q, I).
struct LongRun {
  std::vector<double> t, mean, low, high, least_distance, greatest_distance;
  double orthogonality = 0;
  /// Whether the energy has risen above the pass to Q_m (or a step has failed): the run ends there. What follows would
  /// be chaotic, and tell nothing that can be repeated on another machine.
  bool left = false;

  /// The largest energy error in the windows [from, to); infinite for a run that left, wherever.
  [[nodiscard]] double largest(std::size_t from = 0, std::size_t to = windows) const {
    double result = 0;
    for (std::size_t k = from; k < std::min(to, t.size()); ++k) result = std::max({result, high[k], -low[k]});
    return left ? infinity : result;
  }
  /// That in the last tenth of the run over that in the first.
  [[nodiscard]] double growth() const { return left ? infinity : largest(windows - 15) / largest(0, 15); }
  [[nodiscard]] double farthest() const {
    return left ? infinity : *std::max_element(greatest_distance.begin(), greatest_distance.end());
  }
};

template <class Method>
LongRun run(Method method, const Vector3<double>& w, double window) {
  const auto& system = method.system();
  auto z = method.start(stress_test_start<double>().first, w);
  const double initial = system.energy(z.q, z.w);
  const auto steps = std::lround(window / h);
  LongRun result;
  for (int k = 0; k < windows; ++k) {
    double sum = 0, low = infinity, high = -infinity, least = infinity, greatest = 0;
    for (long i = 0; i < steps; ++i) {
      const double error = method.step(z, h).ok() ? system.energy(z.q, z.w) - initial : infinity;
      if (!(error < pass_height)) {
        result.left = true;
        return result;
      }
      sum += error;
      low = std::min(low, error);
      high = std::max(high, error);
      const double trace_of_q = trace(z.q);
      least = std::min(least, 6 - 2 * trace_of_q);
      greatest = std::max(greatest, 6 - 2 * trace_of_q);
    }
    result.t.push_back((k + 0.5) * window);
    result.mean.push_back(sum / static_cast<double>(steps));
    result.low.push_back(low);
    result.high.push_back(high);
    result.least_distance.push_back(std::sqrt(least));
    result.greatest_distance.push_back(std::sqrt(greatest));
  }
  result.orthogonality = so3::orthogonality_defect(z.q);
  return result;
}

struct LongRuns {
  LongRun verlet, newmark, newmark_mirrored, midpoint;
};
LongRuns long_runs(double window, unsigned threads) {
  const Body system = stress_test<double>();
  const Vector3<double> w = stress_test_start<double>().second;
  std::vector<LongRun> runs = for_each_case(4, threads, [&](std::size_t k) {
    switch (k) {
      case 0:
        return run(LieMidpoint<Body>(system), w, window);  // the longest first
      case 1:
        return run(LieVerlet<Body>(system), w, window);
      case 2:
        return run(LieNewmark<Body>(system), w, window);
      default:
        return run(LieNewmark<Body>(system), Vector3<double>(-w), window);
    }
  });
  return {std::move(runs[1]), std::move(runs[2]), std::move(runs[3]), std::move(runs[0])};
}

void put(Report& report, const std::string& name, const LongRun& of) {
  std::vector<std::vector<double>> table;
  for (std::size_t k = 0; k < of.t.size(); ++k)
    table.push_back({of.t[k], of.mean[k], of.low[k], of.high[k], of.least_distance[k], of.greatest_distance[k]});
  report.series(
      name,
      columns(columns({{"t", "time"}}, {"mean", "low", "high"}, "energy"), {"least_distance", "greatest_distance"}),
      table);
}

/// Q in the ball of axis times angle, with U there.
void path(Report& report) {
  const Body system = stress_test<double>();
  LieNewmark<Body> method(system);
  const auto [q, w] = stress_test_start<double>();
  auto z = method.start(q, w);
  std::vector<std::vector<double>> points;
  double farthest = 0;
  for (int k = 0; k < 60000; ++k) {
    if (!method.step(z, h).ok()) break;
    const Vector3<double> x = so3::log(z.q);
    farthest = std::max(farthest, std::sqrt(dot(x, x)));
    if (k < 1200) points.push_back({x(0), x(1), x(2)});
  }
  report.series("path", {{"x", "rad"}, {"y", "rad"}, {"z", "rad"}}, points);
  // Level lines of U on two planes that contain the axis of Q_m: on every ray from I the well is crossed on its inner
  // and on its outer side.
  const Vector3<double> along = Vector3<double>(1, 0, 1) / std::sqrt(2.0),
                        across[] = {Vector3<double>(0, 1, 0), Vector3<double>(1, 0, -1) / std::sqrt(2.0)};
  for (int plane = 0; plane < 2; ++plane)
    for (const double level : {0.1, 0.67, 1.4}) {
      std::vector<std::vector<double>> inner, outer;
      for (int k = 0; k <= 360; ++k) {
        const double phi = k * 3.14159265358979324 / 180;
        const Vector3<double> ray = std::cos(phi) * along + std::sin(phi) * across[plane];
        const auto above = [&](double angle) {
          return system.potential().value(so3::exp(Vector3<double>(angle * ray))) > level;
        };
        // The well is lowest near 0.72; between there and the ends U crosses the level once.
        const auto crossing = [&](double low, double high) {
          for (int i = 0; i < 50; ++i) ((above((low + high) / 2) ? high : low)) = (low + high) / 2;
          return (low + high) / 2;
        };
        const auto point = [&](double angle) {
          return std::vector<double>{angle * std::cos(phi), angle * std::sin(phi)};
        };
        if (above(1e-6)) inner.push_back(point(crossing(0.72, 1e-6)));
        outer.push_back(point(crossing(0.72, 2.16)));
      }
      const std::string name = text("level_plane%.0f_u%.0f", plane + 1.0, 100 * level);
      if (!inner.empty()) report.series(name + "_inner", {{"along", "rad"}, {"across", "rad"}}, inner);
      report.series(name + "_outer", {{"along", "rad"}, {"across", "rad"}}, outer);
    }
  const Vector3<double> attractor = so3::log(system.potential().attractor);
  report.series("attractor", {{"x", "rad"}, {"y", "rad"}, {"z", "rad"}}, {{attractor(0), attractor(1), attractor(2)}});
  report.claim(in_one_interval({.id = "BOS09.fig2",
                                .measured = farthest,
                                .unit = "rad",
                                .interval = {0.7, 2.17},
                                .controls = {{.name = "Q_m", .measured = std::sqrt(dot(attractor, attractor))}},
                                .note = text("It gets to an angle of %.3f; the pass to Q_m is at 2.17, Q_m at %.2f.",
                                             farthest, std::sqrt(dot(attractor, attractor)))}));
}

void claims_of_verlet(Report& report, const LongRuns& runs, double window) {
  const auto& [verlet, newmark, mirrored, midpoint] = runs;
  add_measurements(report, {{"verlet.largest_error", verlet.largest()}}, "energy", {.relative = 0.05});
  add_measurements(report, {{"verlet.orthogonality_defect", verlet.orthogonality}}, "", {.absolute = 1e-10});
  report.claim(in_one_interval(
      {.id = "BOS09.confined.vlv",
       .measured = verlet.farthest(),
       .interval = {0, pass_distance},
       .controls = {{.name = "NMB from -W0, whose energy rises",
                     .measured = mirrored.farthest(),
                     .note = "its energy rises above the pass"}},
       .note = text("The largest energy error in the last tenth of the run is %.4f of that in the first; "
                    "|Q'Q - I| is %.0e at the end.",
                    verlet.growth(), verlet.orthogonality)}));
  report.claim(in_one_interval(
      {.id = "BOS09.long.bounded",
       .measured = verlet.growth(),
       .interval = {0.9, 1.1},
       .controls = {{.name = "NMB", .measured = newmark.growth(), .note = "its energy rises above the pass"}},
       .note = text("VLV: %.3g at most. NMB loses energy at first, turns, and rises above the pass after t = %.2g; "
                    "from -W0 after t = %.2g. LIEMID[EA]: %.3g at most, in the last tenth %.3g times as much as in "
                    "the first. Only the beginning of that, the drift along a family of tori, is more than "
                    "qualitative: where it leaves them hangs on roundings.",
                    verlet.largest(), newmark.t.back() + window / 2, mirrored.t.back() + window / 2, midpoint.largest(),
                    midpoint.growth())}));
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = processors();
  return run_experiment(
      argc, argv, "lie_newmark_long", {"BOS09", "Long runs and Figure 2", "3"},
      "Six million steps of the stress test; the path in the axis-angle ball", {.threads = &threads},
      [&](Report& report, const ExperimentOptions& options) {
        const double window = options.quick ? 100 : 10000;
        report.parameter("T", windows * window);
        report.parameter("h", h);
        say_progress("six million steps of each");
        const LongRuns runs = long_runs(window, threads);
        put(report, "verlet", runs.verlet);
        put(report, "newmark", runs.newmark);
        put(report, "newmark_mirrored", runs.newmark_mirrored);
        put(report, "midpoint", runs.midpoint);
        say_progress("path");
        if (options.quick) return;
        path(report);
        claims_of_verlet(report, runs, window);
        report.figure(
            {"lie_newmark_path.svg",
             "Figure 2 of BOS09: the path of NMB, h = 0.25, t <= 300, in the axis-angle ball, projected on "
             "two planes that contain the axis of Q_m (dot), with level lines of U on these planes (0.1, 0.67 "
             "= E0, 1.4). Right: energy errors to T = 1.5e6, until the energy rises above the pass."});
      });
}
