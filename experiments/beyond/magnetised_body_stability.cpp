// SPDX-License-Identifier: MIT
// Experiment: stability of the variational linearised integrator on SO(3) of TO14 4.5 over beta and h omega: the linear
// threshold in its normalisation, and what is left of it on the turning body
//
// Near R = I the penalty is 2 omega^2 |X + X'|_F^2/4 for R = I + X, M = 1/2: six symmetric modes of frequency nu =
// sqrt(8) omega, three neutral ones. The trapezoidal form is Z&S with beta/2, so with z = (h nu)^2 = 8 (h omega)^2
//   cos theta = 1 - z/(2 (1 + beta z/2)),
// stable to theta = pi at 8 (h omega)^2 (1 - 2 beta) = 4: for all h omega from beta = 1/2 on, at beta = 0.4 up to
// h omega = 1.58. Rotation numbers 1/3 at 8 (h omega)^2 (1 - 3 beta/2) = 3 (h omega = 0.968 at beta = 0.4), for beta <
// 2/3; 1/4 at 8 (h omega)^2 (1 - beta) = 2, for beta < 1.
#include <livi/integrators/zhang_skeel.hpp>

#include "study/models/magnetised_body.hpp"
#include "study/program/experiment.hpp"

namespace {

using namespace livi;
using namespace livi::magnetised_body;
using D = Dual<double>;

/// cos theta of the mode R = diag(1 + s, 1, 1): half the trace of its 2 x 2 map, by duals at the equilibrium R = I.
template <class Method>
double half_trace(double beta, double h_omega) {
  const auto system = penalised_body<D>(D(0), D(h_omega));  // h = 1
  double sum = 0;
  for (const bool velocity : {false, true}) {
    Method method(system, {D(beta)});
    Vector<D, 9> x = matrix_position(identity3<D>()), v = Vector<D, 9>::Constant(D(0));
    (velocity ? v : x)(0).derivative = 1;
    auto z = method.start(x, v);
    if (!method.step(z, D(1)).ok()) return -infinity;
    sum += (velocity ? z.v : z.q)(0).derivative;
  }
  return sum / 2;
}
using Trapezoidal = LinearizedSO3<PenalisedBody<D>>;
using FirstOrder = LinearizedSO3Euler<PenalisedBody<D>>;
using Vectorised = ZhangSkeel<PenalisedBody<D>>;

/// The smallest beta with |cos theta| <= 1 at this h omega.
template <class Method>
double threshold(double h_omega) {
  double low = 0.01, high = 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (half_trace<Method>(middle, h_omega) >= -1 ? high : low) = middle;
  }
  return high;
}

/// A run has left SO(3) when |R'R - I| is above this: the singular values are then no longer near one.
constexpr double left_group = 0.5;
struct Outcome {
  double left_at;  ///< end of the run if it never did
  double defect;
};
Outcome outcome_of(double beta, double h_omega, double until, int per_sample = 1) {
  const Run run = trapezoidal(1, h_omega * per_sample / printed_step, beta, per_sample, until);
  Outcome outcome{std::min(run.lost_at, until), 0};
  for (std::size_t k = 0; k < run.seen.size(); ++k) {
    const double defect = group_defect(run.seen[k].r);
    outcome.defect = std::max(outcome.defect, defect);
    if (defect > left_group) {
      outcome.left_at = static_cast<double>(k) / 10;
      break;
    }
  }
  return outcome;
}

double third_order_resonance(double beta) { return std::sqrt(3 / (8 * (1 - 1.5 * beta))); }
double linear_limit(double beta) { return std::sqrt(0.5 / (1 - 2 * beta)); }

/// Returns the largest h omega of the map that is kept with any beta.
double map(Report& report, double until, double beta_step, double h_omega_step) {
  std::vector<std::vector<double>> rows;
  long left = 0;
  double largest_kept = 0;
  for (int i = 0; 0.25 + beta_step * i < 0.7501; ++i)
    for (int j = 0; 0.5 + h_omega_step * j < 4.001; ++j) {
      const double beta = 0.25 + beta_step * i, h_omega = 0.5 + h_omega_step * j;
      const Outcome outcome = outcome_of(beta, h_omega, until);
      left += outcome.left_at < until ? 1 : 0;
      if (!(outcome.left_at < until)) largest_kept = std::max(largest_kept, h_omega);
      rows.push_back({beta, h_omega, outcome.left_at});
    }
  report.measurement({.name = "map.share_left",
                      .value = static_cast<double>(left) / static_cast<double>(rows.size()),
                      .tolerance = {.absolute = 0.02}});
  report.series("map", {{"beta", ""}, {"h_omega", ""}, {"left_at", "time"}}, rows);
  rows.clear();
  for (double h_omega = 0.5; h_omega < 2; h_omega += 0.005) {
    std::vector<double> row{h_omega};
    for (const double beta : {0.25, 0.4, 0.5, 0.6})
      row.push_back(std::min(outcome_of(beta, h_omega, until).defect, 10.0));
    rows.push_back(row);
  }
  report.series("scan", {{"h_omega", ""}, {"beta_0.25", ""}, {"beta_0.4", ""}, {"beta_0.5", ""}, {"beta_0.6", ""}},
                rows);
  rows.clear();
  for (double beta = 0.25; beta < 0.7501; beta += 0.005)
    rows.push_back({beta, beta < 0.5 ? std::min(linear_limit(beta), 10.0) : 10.0,
                    beta < 0.6666 ? std::min(third_order_resonance(beta), 10.0) : 10.0,
                    std::sqrt(2 / (8 * (1 - beta)))});
  report.series("lines", {{"beta", ""}, {"linear_limit", ""}, {"one_third", ""}, {"one_quarter", ""}}, rows);
  report.measurement({.name = "map.largest_kept_h_omega", .value = largest_kept, .tolerance = {.absolute = 0.1}});
  return largest_kept;
}

void claim_threshold(Report& report) {
  const double at_infinity = threshold<Trapezoidal>(1e3), first_order = threshold<FirstOrder>(1e3),
               vectorised = threshold<Vectorised>(1e3), printed = threshold<Trapezoidal>(1),
               at_ten = threshold<Trapezoidal>(10), at_hundred = threshold<Trapezoidal>(100),
               by_formula = 0.5 - 0.25 / (10 * 10);
  for (const auto& [name, value] : {std::pair{"trapezoidal", at_infinity},
                                    {"first_order", first_order},
                                    {"zhang_skeel_in_R9", vectorised},
                                    {"trapezoidal.h_omega=1", printed},
                                    {"trapezoidal.h_omega=10", at_ten},
                                    {"trapezoidal.h_omega=10.minus_formula", at_ten - by_formula}})
    report.measurement({.name = text("beta_threshold.%s", name), .value = value, .tolerance = {.absolute = 1e-9}});
  // For fixed beta, where the method is left of its threshold.
  double low = 0.1, high = 10;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (half_trace<Trapezoidal>(printed_beta, middle) < -1 ? high : low) = middle;
  }
  report.measurement({.name = "linear_limit.beta=0.4", .value = high, .tolerance = {.absolute = 1e-9}});
  const Interval half = Interval::around(0.5, 1e-4);
  report.claim(
      {.id = "TO14.s4.5.beta-threshold",
       .measured = at_infinity,
       .interval = half,
       .controls = {{.name = "Z&S in R^9, whose beta is per mass", .measured = vectorised, .interval = half},
                    {.name = "h omega = 10", .measured = at_ten, .interval = half},
                    {.name = "h omega = 100", .measured = at_hundred, .interval = half, .expected = Expected::passes}},
       .note =
           text("The threshold is %.7f, 1/2 - 1/(4 (h omega)^2): a is a force here and the mass 1/2, so beta counts "
                "half (Z&S in R^9, beta per mass: %.7f). The first-order form, the same linear map up to a half kick: "
                "%.7f. At the printed h omega = 1 any beta above %.4f is stable, "
                "and beta = 0.4 is up to h omega = %.4f: the printed run is stable, not unconditionally.",
                at_infinity, vectorised, first_order, printed, high)});
}

/// The smallest h omega, in steps of 1 %, at which the printed motion leaves SO(3) by T = 50.
double first_left(double beta, int per_sample) {
  for (double h_omega = 1.2; h_omega < 20; h_omega *= 1.01)
    if (outcome_of(beta, h_omega, 50, per_sample).left_at < 50) return h_omega;
  return infinity;
}

void claim_turning(Report& report, double largest_kept) {
  std::string list;
  double at_half = 0, at_printed = 0, at_half_with_half_the_step = 0;
  for (const int per_sample : {1, 2, 4}) {
    const double h = printed_step / per_sample, half = first_left(0.5, per_sample),
                 printed = first_left(printed_beta, per_sample);
    if (per_sample == 1) {
      at_half = half;
      at_printed = printed;
    }
    if (per_sample == 2) at_half_with_half_the_step = half;
    list += text("h = %g: %.2f (%.2f); ", h, half, printed);
    for (const auto& [beta, value] : {std::pair{0.5, half}, {printed_beta, printed}})
      report.measurement(
          {.name = text("first_left.beta=%g.h=%g", beta, h), .value = value, .tolerance = {.relative = 0.05}});
  }
  const Interval stated = Interval::around(1.73, 0.03);  // one step of the scan each way
  report.claim(
      {.id = "TO14.s4.5.stability-on-the-turning-body",
       .measured = at_half,
       .interval = stated,
       .controls = {{.name = "beta = 0.4, below the threshold", .measured = at_printed, .interval = stated},
                    {.name = "half the step", .measured = at_half_with_half_the_step, .interval = stated}},
       .note =
           text("First h omega with beta = 1/2 (and 0.4): %swith smaller steps it grows, so it is not a linear limit "
                "but the quadratic part of the constraint, as for the double pendulum of 4.1. Below 1/2 turning "
                "lowers the linear limit (%.2f at beta = 0.4). No beta of 0.25 ... 0.75 gets beyond h omega = %.2f at "
                "h = 0.1 (series map).",
                list.c_str(), linear_limit(printed_beta), largest_kept)});

  const Outcome longer = outcome_of(printed_beta, printed_step * printed_omega, 1e4);
  report.measurement({.name = "printed.left_at", .value = longer.left_at, .unit = "time"});
  report.measurement({.name = "printed.group_defect_to_1e4", .value = longer.defect, .tolerance = {.relative = 0.05}});
}

/// Largest stretch over its start of R = diag(1 + s, 1, 1) at rest, without field, in 2000 steps; capped at 10.
double growth(double beta, double h_omega, double s) {
  const auto system = penalised_body<double>(0, h_omega / printed_step);
  LinearizedSO3<PenalisedBody<double>> method(system, {beta});
  M3 r = identity3<double>();
  r(0, 0) += s;
  auto z = method.start(matrix_position(r), Vector<double, 9>::Zero());
  double largest = 0;
  for (int k = 0; k < 2000; ++k) {
    if (!method.step(z, printed_step).ok()) return 10;
    largest = std::max(largest, std::abs(z.q(0) - 1) / s);
    if (!(largest < 10)) return 10;
  }
  return largest;
}
constexpr double confined = 1.6;

/// theta/(2 pi), see the head of this file.
double rotation_number(double beta, double h_omega) {
  const double z = 8 * h_omega * h_omega;
  return std::acos(1 - z / (2 * (1 + beta * z / 2))) / (2 * std::acos(-1.0));
}

/// The middle of the h omega within 15 % of `around` at which a stretch s grows; NaN where none does.
double middle_of_growth(double beta, double around, double s) {
  double low = infinity, high = 0;
  for (int k = -150; k <= 150; ++k) {
    const double h_omega = around * (1 + 0.001 * k);
    if (growth(beta, h_omega, s) <= confined) continue;
    low = std::min(low, h_omega);
    high = std::max(high, h_omega);
  }
  return high > 0 ? (low + high) / 2 : std::numeric_limits<double>::quiet_NaN();
}
/// The smallest stretch, in steps of 2 %, that is not confined.
double smallest_lost(double beta, double h_omega) {
  for (double s = 1e-3; s < 0.5; s *= 1.02)
    if (growth(beta, h_omega, s) > confined) return s;
  return 0.5;
}

/// The growth of a stretch of 0.05 against h omega, which goes up by `factor`.
void stretches(Report& report, double factor) {
  std::vector<std::vector<double>> rows;
  for (double h_omega = 0.5; h_omega < 2; h_omega *= factor) {
    rows.push_back({h_omega});
    for (const double beta : {0.3, 0.4, 0.5, 0.6}) rows.back().push_back(growth(beta, h_omega, 0.05));
  }
  report.series("stretch", {{"h_omega", ""}, {"beta_0.3", ""}, {"beta_0.4", ""}, {"beta_0.5", ""}, {"beta_0.6", ""}},
                rows);
}

void claim_resonance(Report& report) {
  double farthest = 0;
  std::string list;
  for (const double beta : {0.3, 0.4, 0.5}) {
    const double predicted = third_order_resonance(beta), found = middle_of_growth(beta, predicted, 0.01);
    const double distance = std::abs(rotation_number(beta, found) - 1.0 / 3);
    if (!(distance <= farthest)) farthest = distance;
    list += text("beta = %g: %.3f, predicted %.3f; ", beta, found, predicted);
    report.measurement(
        {.name = text("resonance.h_omega.beta=%g", beta), .value = found, .tolerance = {.relative = 0.01}});
  }
  const double at_printed = smallest_lost(printed_beta, printed_step * printed_omega),
               beside = smallest_lost(printed_beta, 0.8);
  report.measurement({.name = "smallest_lost_stretch.h_omega=1", .value = at_printed, .tolerance = {.relative = 0.05}});
  report.measurement({.name = "smallest_lost_stretch.h_omega=0.8", .value = beside, .tolerance = {.relative = 0.05}});
  // First asked of h omega itself, within 3 %: 3.4 % at beta = 1/2, for towards beta = 2/3 a given shift of the
  // rotation number is an ever wider one of h omega. The rotation number is the right measure.
  const Interval near{0, 0.01};
  report.claim(
      {.id = "TO14.s4.5.resonance",
       .measured = farthest,
       .interval = near,
       .controls = {{.name = "rotation number by the formula with beta not halved, beta = 0.3",
                     .measured = std::abs(
                         rotation_number(0.6, middle_of_growth(0.3, third_order_resonance(0.3), 0.01)) - 1.0 / 3),
                     .interval = near}},
       .note =
           text("h omega: %sThe printed h omega = 1 with beta = 0.4 lies in the flank of this resonance: there a "
                "stretch of %.3f is lost, at h omega = 0.8 only one of %.3f. The printed motion stays (|R'R - I| to "
                "T = 1e4: measurement printed.group_defect_to_1e4). From beta = 2/3 on no step meets it. Larger "
                "stretches also meet the resonance of order four, 8 (h omega)^2 (1 - beta) = 2.",
                list.c_str(), at_printed, beside)});
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "magnetised_body_stability", {"TO14", "stability of (37)", "4.5"},
      "stability of the magnetised body over beta and h omega", {},
      [](Report& report, const ExperimentOptions& options) {
        report.parameter("h", printed_step);
        report.parameter("B_mu", 1.0);
        report.figure({"magnetised_body_stability.svg",
                       "The magnetised body over beta and h omega: where variational Z&S leaves SO(3), "
                       "and the growth of a stretch of 0.05 at rest."});
        const double largest_kept = map(report, 100, options.quick ? 0.05 : 0.01, options.quick ? 0.25 : 0.05);
        stretches(report, options.quick ? 1.02 : 1.004);
        if (options.quick) {
          say_progress("quick: no claims are decided");
          return;
        }
        claim_threshold(report);
        claim_turning(report, largest_kept);
        claim_resonance(report);
      });
}
