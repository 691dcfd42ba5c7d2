// SPDX-License-Identifier: MIT
//
// Experiment: BO07 abstract: strong and weak orders of RATTLE and other methods under noise, and what decides them
//
// The expansion of a step is derived in livi/stochastic/commutator_rattle.hpp, that of the staircase in
// staircase_rattle.hpp, those of methods with several stages in constrained_runge_kutta.hpp and of projected methods in
// projected_methods.hpp, that of the weights of weak order two in stochastic_rattle.hpp. In short: RATTLE with I10 lacks
// the kick of (h/2) sum_ij C_ij K_ij in each step, C the covariance of the noises within the step. It is of weight two
// and has the mean (h^2/12) sum_i K_ii.
//
// How orders are read. All methods run on the same paths. (a) is CommutatorRattle, of strong order two for all K_ij. The
// error of a method is that of (a) and its distance from (a) at the same h. RATTLE's own error, h^2, has large
// coefficients, and the words that make an order of 1 or 3/2 have small ones: with the noise 0.5 q_x the error of RATTLE
// with I10 falls like h^1.6 at h = 2^-3 and like h^1.0 at 2^-8. A power fitted to such an error is a mean of two orders,
// and no order. The distance from (a) has no part of RATTLE's own error and shows the order at all steps. So the power
// that is judged is the smaller of two: that of the distance, and that of the error. Where there is no distance, it is
// that of the error. Powers over the steps from 2^-5 on are reported beside: where they differ, the error has not come
// to its order. The step from which it has is reported, too: from there on no power between neighbouring steps is
// farther than a quarter, half-way to the next order, from the power that is judged.
//
// With dW alone a step has sum_j h (1 - c_j) B_j = h dW/2 for I10 whatever the method, as long as sum b_j c_j = 1/2: zeta is
// lacking, alike for all. In the place of int W W there is h sum_i b_i W_i W_i with W_i = dW sum_j a^_ij: dW/2 at both stages of
// RATTLE, c_i dW where IIIB has three stages or more. So of the mean h^2/2 of int W W h^2/4 and h^2/6 are lacking, and with I10
// and two stages h^2/6. zeta has mean zero: its part, Z, adds to that of the mean, M for RATTLE with dW/2, in squares. With E and D
// the error of RATTLE with dW/2 and the distance of RATTLE with I10 from order two,
//
//   E^2 = Z^2 + M^2,   D^2 = (2/3)^2 M^2,   three and four stages with dW:   Z^2 + (2/3)^2 M^2 = E^2 - (5/4) D^2,
//
// so that errors hardly tell what part of M is lacking, for M^2 is a thirtieth of E^2. The difference of two methods with dW
// does: zeta is not in it. The distance of RATTLE with dW/2 from such a method, each less its own error without what is lacking,
//
//   (RATTLE - (a)) - (method - reference), or (RATTLE - (a)) - (method - (a)) for one with RATTLE's own error,           (3)
//
// is the part of M in which they differ: M/3 = D/2 for three and four stages. If they lacked a half of M it were 3 D/4; if five
// sixths, D/4.
//
// With the weights of weak order two the square of what is lacking is (3^(1/2) - 1)^2 Z^2 = (3^(1/2) - 1)^2 (E^2 - (9/4) D^2). With
// I10 and more stages the share of D is a half and two fifths.
//
// Methods of three and four stages do not share RATTLE's own error, so that their distance from (a) is no measure of
// what they lack. Their own error is of order four or six without noise. The power that is judged is that of their error
// from 2^-5 on.
//
// The reference is (a) at 2^-11. Its own error is a third of its distance from (a) at 2^-10, since (a) has order two.
//
// Weak orders. (increment, zeta) and (increment, -zeta) have one law; the mean over both has no part of first order in
// zeta, which is most of the spread. So means of methods at one h are compared on paths of their own, each taken with
// zeta and with -zeta, with those of (b'), CommutatorRattle with the mean of C under increments and zeta. The mean error
// of (b') comes from the coupled paths of the strong orders.
//
// The powers of a prototype on other paths had been seen before the intervals were fixed; these are around the derived
// orders.
//
// One file, though long: all claims but those on one step read the same paths, and each compares methods of all kinds.
#include <algorithm>
#include <cmath>
#include <functional>
#include <livi/stochastic/brownian_products.hpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/run_along.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <map>
#include <optional>
#include <string>

#include "study/evidence/noise_words.hpp"
#include "study/evidence/strong_order_runs.hpp"
#include "study/evidence/weak_order_runs.hpp"
#include "study/models/noise_on_manifolds.hpp"
#include "study/program/controls.hpp"
#include "study/program/estimates.hpp"
#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/fitted_line.hpp"
#include "study/statistics/over_runs.hpp"
#include "study/statistics/power_over_paths.hpp"

using namespace livi;
using namespace livi::strong_orders;

namespace {

// --- methods ----------------------------------------------------------------------------------------------------------

/// Puts what the table of orders says of a method besides its errors.
void put_row(Report& report, const std::string& name, double derived, const Order& order) {
  double widest = 0;
  for (std::size_t k = 0; k < levels; ++k)
    widest = std::max(widest, 1.96 * order.errors_of_error[k] / order.error.rms[k]);
  report.measurement(
      {.name = name + ".rms_error.half_width", .value = widest, .unit = "relative", .tolerance = {.relative = 0.3}});
  report.measurement({.name = name + ".order.derived", .value = derived, .unit = "power of h"});
  // A quick run has few paths: the power may be unknown.
  if (std::isfinite(order.power()))
    report.measurement({.name = name + ".order", .value = order.power(), .unit = "order"});
  report.measurement({.name = name + ".order.half_width",
                      .value = order.half_width(),
                      .unit = "power of h",
                      .tolerance = {.relative = 0.3}});
  if (const double from = order.falls_from(); !std::isnan(from))
    report.measurement({.name = name + ".error_falls_from",
                        .value = from,
                        .unit = "halvings of a step of one",
                        .tolerance = {.absolute = 1}});
}

void put_strong(Report& report, const Case& of) {
  std::string with_amplitude = of.title;
  with_amplitude.insert(of.title.find(", ") + 2, "0.5 ");
  report.parameter("strong_order.case." + of.name, with_amplitude);
  std::vector<std::string> names, distant;
  long lost = 0;
  for (const OnPath& path : of.paths) lost += path.lost;
  report.count(of.name + ".runs_that_failed", lost);
  const Estimate of_reference = error_of_reference(of);
  report.measurement({.name = of.name + ".error_of_reference",
                      .value = of_reference.mean,
                      .unit = "length",
                      .tolerance = {.absolute = 4 * of_reference.error}});
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < levels; ++k) rows.push_back({std::ldexp(1.0, -coarsest - static_cast<int>(k))});
  for (const Method& method : of.methods) {
    const Order& order = of.at(method.name);
    const std::string name = of.name + "." + method.name;
    for (std::size_t k = 0; k < levels; ++k)
      report.measurement({.name = name + text(".rms_error.h=2^-%zu", coarsest + k),
                          .value = order.error.rms[k],
                          .unit = "length",
                          .tolerance = {.absolute = 4 * order.errors_of_error[k]}});
    const auto put = [&](const std::string& which, const PathPower& power, const PathPower& late) {
      report.measurement({.name = name + which, .value = power.power, .unit = "order"});
      report.measurement({.name = name + which + ".half_width",
                          .value = 1.96 * power.standard_error,
                          .unit = "power of h",
                          .tolerance = {.relative = 0.3}});
      report.measurement({.name = name + which + ".from_2^-5", .value = late.power, .unit = "order"});
    };
    put(".power_of_error", order.error, order.late_error);
    if (!order.is_commutator()) {
      put(".power_of_distance", order.distance, order.late_distance);
      distant.push_back(std::string(method.name) + "_distance");
    }
    if (!method.title.empty()) {
      put_row(report, name, derived_order(method.kind, of), order);
      if (const auto share = share_at_order_one(of, method))
        add_measurements(report, {{name + ".share", share->found}, {name + ".share.derived", share->derived}}, "",
                         {.absolute = 0.01});
    }
    names.push_back(method.name);
    for (std::size_t k = 0; k < levels; ++k)
      append(rows[k], {order.error.rms[k], order.errors_of_error[k], of.paths.size()});
  }
  for (const Method& method : of.methods)
    for (std::size_t k = 0; k < levels && !of.at(method.name).is_commutator(); ++k)
      append(rows[k], {of.at(method.name).distance.rms[k], of.at(method.name).errors_of_distance[k], of.paths.size()});
  names.insert(names.end(), distant.begin(), distant.end());
  report.series(of.name, with_errors({{"h", "time"}}, names, "length"), rows);
}

/// Returns a control with a note if it has no number.
Control noted(Control control, const std::string& note) {
  if (!std::isfinite(control.measured)) control.note = note;
  return control;
}

/// Powers of a method in several cases.
struct Powers {
  double farthest = not_a_number;  ///< from the order
  std::string words;
};
Powers powers_of(const std::vector<Case>& cases, const std::vector<const char*>& names, const char* method,
                 double order) {
  Powers result;
  bool any = false;
  for (const char* name : names)
    for (const Case& of : cases)
      if (of.name == name) {
        // What a distance says about an error depends on the order of (a).
        const bool decides =
            of.at(method).by_error() || Interval::around(2, 0.1).contains(of.at(commutator.name).error.power);
        const double power = decides ? of.at(method).power() : not_a_number;
        // A power that is not a number is the farthest, whatever comes after it.
        if (!any || std::isnan(power) || std::abs(power - order) > std::abs(result.farthest - order))
          result.farthest = power;
        any = true;
        result.words += (result.words.empty() ? "" : "; ") + of.title + ": " + of.at(method).words();
      }
  return result;
}

/// Returns the errors of a method over those of (a) on the finest steps, case by case.
std::string sizes_of(const std::vector<Case>& cases, const std::vector<const char*>& names, const char* method) {
  std::string words;
  for (const char* name : names)
    for (const Case& of : cases)
      if (of.name == name)
        words += (words.empty() ? "" : "; ") + of.title + ": " +
                 text("%.3g", of.at(method).error.rms.back() / of.at(commutator.name).error.rms.back());
  return words;
}
/// Returns a sentence on the errors of a method at h = 2^-8 over those of the exact C.
std::string sentence_on_sizes(const std::vector<Case>& cases, const std::vector<const char*>& names, const char* method,
                              const char* title) {
  return std::string(" At h = 2^-8 the error ") + title + " is, over that with the exact C, " +
         sizes_of(cases, names, method) + ".";
}

/// Returns the error of the staircase over that of (a), both with the RATTLE steps of (a) at 2^-8: K + 1 = 2^k for K noises.
double staircase_at_equal_cost(const Case& of, std::size_t k) {
  return of.at("staircase").error.rms[levels - 1 - k] / of.at(commutator.name).error.rms.back();
}

/// The largest difference of a power from the order that is derived.
struct Deviation {
  double largest = 0;  ///< not a number if a power is none
  std::string words;   ///< where it is
};
/// Returns that of all methods of the table in the named cases. `as` changes what the cases are taken for: then it is that
/// of the methods for which another order would be derived.
Deviation deviation_from_derived(const std::vector<Case>& cases, const std::vector<const char*>& names,
                                 const std::function<void(Case&)>& as = {}) {
  Deviation result;
  for (const Case& of : cases) {
    if (std::find(names.begin(), names.end(), of.name) == names.end()) continue;
    Case taken{of.name, of.title, of.constant, of.tangent, {}, {}};
    if (as) as(taken);
    for (const Method& method : of.methods) {
      if (method.title.empty()) continue;
      const double derived = derived_order(method.kind, taken);
      if (as && derived == derived_order(method.kind, of)) continue;
      const double deviation = std::abs(powers_of(cases, {of.name.c_str()}, method.name, derived).farthest - derived);
      if (deviation <= result.largest || std::isnan(result.largest)) continue;
      result = {deviation,
                method.title + ", " + of.title + ": " + of.at(method.name).words() + text(", derived %.3g", derived)};
    }
  }
  return result;
}
/// Returns the orders of a method in the named cases, in words.
std::string orders_of(const std::vector<Case>& cases, const std::vector<const char*>& names, const char* method) {
  return powers_of(cases, names, method, 1).words;
}

/// The power of the error of RATTLE without noise.
double power_without_noise() {
  const auto problem = sphere({0});
  const BrownianPathWithProducts path(seed, 0, 1, 1, reference);
  const NoisesOf nothing(path, 1);
  const Method method{"rattle", Kind::integrals, {.none = true}};
  const State end = end_of(problem, method, nothing, reference);
  std::vector<double> errors;
  for (std::size_t k = 0; k < levels; ++k)
    errors.push_back((end_of(problem, method, nothing, coarsest + static_cast<int>(k)) - end).norm());
  return fitted_power(steps_from(coarsest), errors).slope;
}

/// Returns, in words, the errors of the staircase beside those of the kick of the commutator.
std::string words_on_the_staircase(const std::vector<Case>& cases) {
  const Case& x = cases.front();
  return text(
             " With as many steps of RATTLE as the kick of the commutator at h = 2^-8 its error is %.2f times that "
             "with one noise (0.5 q_x), %.2f times with three.",
             staircase_at_equal_cost(x, 1), staircase_at_equal_cost(cases[3], 2)) +
         text(" At the same h it is %.2f of that with one noise, %.2f with three.",
              x.at("staircase").error.rms.back() / x.at("commutator").error.rms.back(),
              cases[3].at("staircase").error.rms.back() / cases[3].at("commutator").error.rms.back()) +
         text(
             " There the reference errs by %.2f of it, with three noises. Derived in "
             "livi/stochastic/staircase_rattle.hpp.",
             error_of_reference(cases[3]).mean / cases[3].at("staircase").error.rms.back());
}

void claims_of_strong_orders(Report& report, const std::vector<Case>& cases) {
  const std::vector<const char*> all{"sphere_x", "sphere_z", "sphere_xy", "sphere_xyz", "cylinder_z", "cylinder_x"},
      varying{"sphere_x", "sphere_z", "sphere_xy", "cylinder_x"};
  const auto power = [&](const char* name, const char* method) { return powers_of(cases, {name}, method, 1).farthest; };
  const auto claim = [&](const char* id, const std::vector<const char*>& names, const char* method, double order,
                         std::vector<Control> controls, const std::string& note = "") {
    const Powers of = powers_of(cases, names, method, order);
    report.claim(in_one_interval({.id = id,
                                  .measured = of.farthest,
                                  .unit = "power of h",
                                  .interval = Interval::around(order, 0.1),
                                  .controls = std::move(controls),
                                  .note = of.words + "." + note}));
  };
  const std::string no_power = "no power within 0.05, or (a) has not order two";
  const auto no = [&](const std::string& name, const char* in, const char* method) {
    return noted(failing(name, power(in, method), {}), no_power);
  };
  const auto integrals_on_cylinder = no("RATTLE with I10, cylinder, 0.5 z", "cylinder_z", "rattle_integrals");
  const auto integrals_on_sphere = no("RATTLE with I10, sphere, 0.5 q_x", "sphere_x", "rattle_integrals");
  const auto integrals_of_three = no("RATTLE with I10, sphere, 0.5 (q_x, q_y, q_z)", "sphere_xyz", "rattle_integrals");

  claim("BO07.abs.rattle-strong1", all, "rattle_increments", 1,
        {no("without the noise at the end of the step", "sphere_x", "first_half"),
         no("another path for each step size", "sphere_x", "fresh_paths"), integrals_on_cylinder,
         noted(passing("Euler A, sphere, 0.5 q_x", power("sphere_x", "euler_a"), {}), no_power)});
  const Powers a = powers_of(cases, all, "euler_a", 1), b = powers_of(cases, all, "euler_b", 1);
  const bool of_a = !(std::abs(b.farthest - 1) >= std::abs(a.farthest - 1));
  report.claim(in_one_interval({.id = "BO07.strong.euler",
                                .measured = of_a ? a.farthest : b.farthest,
                                .unit = "power of h",
                                .interval = Interval::around(1, 0.1),
                                .controls = {integrals_on_cylinder},
                                .note = "A: " + a.words + ". B: " + b.words + "."}));
  const Case& x = cases.front();
  const std::string derived = " Derived in livi/stochastic/commutator_rattle.hpp.";
  claim("BO07.abs.rattle-strong2", {"cylinder_z", "plane_xy"}, "rattle_integrals", 2,
        {no("RATTLE with dW/2, cylinder, 0.5 z", "cylinder_z", "rattle_increments"), integrals_on_sphere,
         integrals_of_three, passing("RATTLE without noise, sphere", power_without_noise(), {})},
        " With constant K_ij the method is the one with the kick of the commutator, but for rounding." + derived);
  claim(
      "BO07.strong.trace", {"sphere_xyz"}, "rattle_integrals", 1.5, {integrals_on_sphere, integrals_on_cylinder},
      text(" The power of the error itself is %.2f over all steps and %.2f from 2^-5 on: RATTLE's own error, of order "
           "two, is larger.",
           cases[3].at("rattle_integrals").error.power, cases[3].at("rattle_integrals").late_error.power) +
          sentence_on_sizes(cases, {"sphere_xyz"}, "rattle_integrals", "of RATTLE with I10") + derived);
  claim(
      "BO07.strong.varying", varying, "rattle_integrals", 1, {integrals_on_cylinder, integrals_of_three},
      text(" With 0.5 q_x the power of the error itself is %.2f over all steps and %.2f from 2^-5 on, on the cylinder "
           "%.2f and %.2f.",
           x.at("rattle_integrals").error.power, x.at("rattle_integrals").late_error.power,
           cases[5].at("rattle_integrals").error.power, cases[5].at("rattle_integrals").late_error.power) +
          sentence_on_sizes(cases, varying, "rattle_integrals", "of RATTLE with I10") + derived);
  claim("BO07.strong.mean-corrected", varying, "commutator_mean", 1.5,
        {no("the potential with - (h/12) sum_i K_ii", "sphere_x", "commutator_minus_mean"), integrals_on_sphere},
        text(" With the mean under increments and I10 the distance from order two is %.2f of that.",
             x.at("commutator_conditional_mean").distance.rms.back() / x.at("commutator_mean").distance.rms.back()) +
            sentence_on_sizes(cases, varying, "commutator_mean", "with the mean of C") +
            sentence_on_sizes(cases, varying, "commutator_conditional_mean", "with its mean under increments and I10") +
            derived);
  claim("BO07.strong.two", {"sphere_x", "sphere_z", "cylinder_x"}, "commutator", 2,
        {no("C replaced by its mean h/6", "sphere_x", "commutator_mean"), integrals_on_sphere,
         no("the sign of C turned", "sphere_x", "commutator_turned")},
        text(" The reference errs by %.3f of the error at 2^-8 (0.5 q_x).",
             error_of_reference(x).mean / x.at("commutator").error.rms.back()) +
            derived);
  claim("BO07.strong.two-several", {"sphere_xy", "sphere_xyz"}, "commutator", 2,
        {no("C_ij of i = j only, 0.5 (q_x, q_y, q_z)", "sphere_xyz", "diagonal")}, derived);
  claim("BO07.strong.composition", all, "staircase", 2,
        {no("steps with the mean I10/h only, 0.5 q_x", "sphere_x", "staircase_without_covariance"),
         no("a staircase that always rises, 0.5 q_x", "sphere_x", "rising_staircase")},
        words_on_the_staircase(cases));
}

void claims_of_projected_methods_and_stages(Report& report, const std::vector<Case>& cases) {
  const std::vector<const char*> all{"sphere_x", "sphere_z", "sphere_xy", "sphere_xyz", "cylinder_z", "cylinder_x"},
      varying{"sphere_x", "sphere_z", "sphere_xy", "cylinder_x"},
      not_tangent{"sphere_x", "sphere_z", "sphere_xy", "sphere_xyz", "cylinder_x", "cylinder_normal"};
  const auto no = [&](const std::string& name, const char* in, const char* method) {
    return noted(failing(name, powers_of(cases, {in}, method, 1).farthest, {}),
                 "no power within 0.05, or (a) has not order two");
  };
  const auto row = [&](const char* id, double measured, double order, std::vector<Control> controls,
                       const std::string& note) {
    report.claim(in_one_interval({.id = id,
                                  .measured = measured,
                                  .unit = "power of h",
                                  .interval = Interval::around(order, 0.1),
                                  .controls = std::move(controls),
                                  .note = note}));
  };
  const auto farther = [](const Powers& a, const Powers& b, double order) {
    const bool of_a = !(std::abs(b.farthest - order) >= std::abs(a.farthest - order));
    // A power that is not a number is the farthest.
    return std::isnan(b.farthest) || (!of_a && !std::isnan(a.farthest)) ? b.farthest : a.farthest;
  };

  const Powers forgets = powers_of(cases, not_tangent, "unprojected", 0.5);
  row("BO07.strong.unprojected", forgets.farthest, 0.5,
      {no("cylinder, 0.5 z, whose gradient is tangent", "cylinder_z", "unprojected"),
       no("projected Euler-Maruyama, sphere, 0.5 q_x", "sphere_x", "euler_maruyama")},
      forgets.words + ". Derived in livi/stochastic/projected_methods.hpp.");
  const Powers three = powers_of(cases, varying, "three_stages", 1), four = powers_of(cases, varying, "four_stages", 1);
  row("BO07.strong.stages", farther(three, four, 1), 1,
      {no("three stages, cylinder, 0.5 z, where K is constant", "cylinder_z", "three_stages"),
       no("four stages, sphere, 0.5 (q_x, q_y, q_z), where the trace is", "sphere_xyz", "four_stages")},
      "Three stages: " + three.words + ". Four: " + four.words +
          ". Elsewhere, three stages: " + orders_of(cases, {"cylinder_z", "sphere_xyz"}, "three_stages") +
          "; four: " + orders_of(cases, {"cylinder_z", "sphere_xyz"}, "four_stages") +
          ". Derived in livi/stochastic/constrained_runge_kutta.hpp.");
}

/// The errors with dW alone of the methods with several stages, found over derived.
void claim_of_stages_with_increments(Report& report, const std::vector<Case>& cases) {
  // The rms of (3), in units of D.
  const auto apart = [](const Case& of, const std::string& name) {
    const auto at = std::find_if(of.methods.begin(), of.methods.end(), [&](const Method& m) { return m.name == name; });
    const auto index = static_cast<std::size_t>(at - of.methods.begin());
    const Estimate squares =
        estimate_of_all(of_each(of.paths, [&](const OnPath& p) { return p.from_increments[index]; }));
    const double root = std::sqrt(squares.mean), d = of.at("rattle_integrals").distance.rms.back();
    return Estimate{root / d, squares.error / (2 * root * d), squares.count};
  };
  const Case& sphere_x = cases.front();
  double farthest = 0.5;
  std::string words;
  for (const Case& of : cases)
    for (const Method& method : of.methods) {
      if (method.kind != Kind::three_stages_increments && method.kind != Kind::four_stages_increments) continue;
      const Share share = *share_at_order_one(of, method);
      words += (words.empty() ? "" : "; ") + method.title + ", " + of.title +
               text(": error over that of RATTLE %.4f (derived: %.4f), order ", share.found, share.derived) +
               of.at(method.name).words();
      if (of.constant != Constant::nothing) continue;
      const Estimate distance = apart(of, method.name);
      put_estimate(report, of.name + "." + method.name + ".from_rattle_increments", distance, "D", 0.3);
      words += text(", distance %.4f +- %.4f D", distance.mean, 1.96 * distance.error);
      if (!(std::abs(distance.mean - 0.5) <= std::abs(farthest - 0.5))) farthest = distance.mean;
    }
  const Interval half = Interval::around(0.5, 0.125);
  report.claim(
      {.id = "BO07.strong.stages-increments",
       .measured = farthest,
       .unit = "D",
       .interval = half,
       .controls = {failing("RATTLE with dW/2 and half of the mean that it lacks", apart(sphere_x, "half_of_mean").mean,
                            half),
                    failing("RATTLE with dW/2 and all of that mean", apart(sphere_x, "whole_mean").mean, half),
                    failing("three stages with I10", apart(sphere_x, "three_stages").mean, half),
                    passing("RATTLE with dW/2 and a third of that mean", apart(sphere_x, "third_of_mean").mean, half)},
       .note = words + "."});
}

/// The powers that are derived, for all methods at once.
void claims_of_the_table(Report& report, const std::vector<Case>& cases) {
  const std::vector<const char*> quadratic{"sphere_product", "sphere_normal", "cylinder_normal"};
  const auto derived = [&](const char* id, const std::vector<const char*>& names, std::vector<Control> controls) {
    const Deviation of = deviation_from_derived(cases, names);
    report.claim(in_one_interval({.id = id,
                                  .measured = of.largest,
                                  .unit = "power of h",
                                  .interval = {0, 0.1},
                                  .controls = std::move(controls),
                                  .note = "The largest: " + of.words + "."}));
  };
  const auto taken = [&](const char* name, const std::vector<const char*>& names,
                         const std::function<void(Case&)>& as) {
    return failing(name, deviation_from_derived(cases, names, as).largest, {});
  };
  derived("BO07.strong.quadratic", quadratic,
          {taken("0.5 q_x q_z, as if its K were constant", {"sphere_product"},
                 [](Case& of) { of.constant = Constant::products; }),
           taken("|q|^2/4, as if its gradient had a tangent part and K varied", {"sphere_normal"},
                 [](Case& of) { of.constant = Constant::nothing; }),
           taken("0.5 z + (x^2 + y^2)/4, as if its gradient were tangent", {"cylinder_normal"},
                 [](Case& of) { of.tangent = true; })});
}

// --- the part of weight two, in words ---------------------------------------------------------------------------------

/// Returns V_ii over steps of length one, of which the mean is derived to be 1/6.
Estimate mean_of_v() {
  std::vector<double> values;
  for (std::uint64_t number = 0; number < 20000; ++number) {
    const BrownianIntegrals of = BrownianPath(seed + 200, number, 1, 1, 4).over(0, 0, 0);
    values.push_back(of.squared - of.integral * of.integral);
  }
  return estimate_of_all(values);
}

void local_error(Report& report) {
  using noise_words::Fraction, noise_words::Words;
  const Words a{{"A", 1}};
  int left = 0, least_with_j = std::numeric_limits<int>::max(), least_with_increments = least_with_j, of_i10 = 0,
      below_two = 0;
  const std::uint64_t draws = 20;
  for (std::uint64_t number = 0; number < draws; ++number) {
    const noise_words::Noises noises(number);
    const Words exact = noises.exact();
    // Returns the error of RATTLE with these weights, less the statement with V_ij or int W_i W_j.
    const auto rest = [&](const std::array<Fraction, 2>& b, bool covariance) {
      Words error = sum(noises.rattle(b), exact, -1);
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
          const Fraction mean = covariance ? noises.i10(i) * noises.i10(j) : Fraction(0);
          error = sum(
              error,
              noise_words::commutator({{i == 0 ? "1" : "2", 1}}, noise_words::commutator({{j == 0 ? "1" : "2", 1}}, a)),
              Fraction(1, 2) * (noises.j(i, j) - mean));
        }
      return number_of(error);
    };
    const std::array<Fraction, 2> i10{noises.i10(0), noises.i10(1)},
        halves{Fraction(1, 2) * noises.increment(0), Fraction(1, 2) * noises.increment(1)};
    left = std::max(left, rest(i10, true));
    const Words error = sum(noises.rattle(i10), exact, -1);
    of_i10 = std::max(of_i10, number_of(error));
    for (const auto& [word, value] : error)
      if (noise_words::weight(word) < noise_words::largest_weight && !value.vanishes()) ++below_two;
    least_with_j = std::min(least_with_j, rest(i10, false));
    least_with_increments = std::min(least_with_increments, rest(halves, true));
  }
  const Estimate v = mean_of_v();
  put_estimate(report, "mean_of_v", v, "time^2", 0.1);
  report.claim(in_one_interval(
      {.id = "BO07.strong.local-error",
       .measured = static_cast<double>(left),
       .unit = "words",
       .interval = {0, 0},
       .controls = {failing("int W_i W_j in the place of V_ij, the least", least_with_j, {}),
                    failing("RATTLE with dW/2, the least", least_with_increments, {})},
       .evidence = Evidence::measured,
       .note = text(
           "%d pairs of paths. RATTLE with I10 has %d words with the wrong coefficient, %d of them of less weight than "
           "two. The mean of V_ii is %.4f +- %.4f (95 %%) of h^2 (derived: 1/6).",
           static_cast<int>(draws), of_i10, below_two, v.mean, 1.96 * v.error)}));
}

// --- weak orders ------------------------------------------------------------------------------------------------------

void weak_claims(Report& report, const WeakRuns& runs) {
  // The function whose predicted difference has the most standard errors at the coarsest step.
  std::size_t function = 0;
  const auto resolved = [&](std::size_t f) {
    const Estimate e = mean_at(runs.differences.back()[f], 0);
    return std::abs(e.mean) / e.error;
  };
  for (std::size_t f = 1; f < functions; ++f)
    if (resolved(f) > resolved(function)) function = f;
  const auto share = [&](const char* method) {
    Derived result = share_of_order_one(runs, weak_method(method), function);
    if (!(result.error <= 0.05)) result.value = not_a_number;
    return result;
  };
  const Derived of_increments = share("rattle_increments"), of_integrals = share("rattle_integrals"),
                of_weak = share("rattle_weak");
  report.claim(in_one_interval(
      {.id = "BO07.weak.plain",
       .measured = of_increments.value,
       .interval = {0.8, 1.2},
       .controls = {noted(failing("RATTLE with I10", of_integrals.value, {}), "not known to within a twentieth"),
                    noted(failing("RATTLE with 3^(1/2) zeta", of_weak.value, {}), "not known to within a twentieth")},
       .note =
           text("The mean of %s at T = 1; the differences of means are %s of what the potential makes with dW/2, %s "
                "with I10 (derived: 2/3), %s with 3^(1/2) zeta (derived: 0).",
                function_names[function], of_increments.words().c_str(), of_integrals.words().c_str(),
                of_weak.words().c_str()) +
           " Derived in livi/stochastic/stochastic_rattle.hpp."}));
  // Where the weights of weak order two pay: their mean error of z over that of dW/2.
  std::string sizes;
  for (std::size_t k = 0; k < weak_levels; ++k) {
    const auto& by_weights = runs.differences[weak_method("rattle_weak")][1];
    const auto& by_halves = runs.differences[weak_method("rattle_increments")][1];
    const double plain = weak_error(runs, weak_method("rattle_increments"), 1, k).mean,
                 ratio = weak_error(runs, weak_method("rattle_weak"), 1, k).mean / plain;
    // A path moves the ratio by (its numerator - ratio its denominator)/(mean denominator).
    std::vector<double> together;
    for (std::size_t path = 0; path < by_weights.size(); ++path)
      together.push_back((by_weights[path][k] - ratio * by_halves[path][k]) / plain);
    const double error =
        std::hypot(estimate_of_all(together).error, (1 - ratio) / plain * mean_at(runs.of_conditional[1], k).error);
    sizes += text("%s%.2f +- %.2f at 2^-%zu", k == 0 ? "" : ", ", ratio, 1.96 * error, weak_coarsest + k);
  }
  const std::string unknown = "not known to within 0.3";
  const Weakly two_by_weights = weak_powers(runs, "rattle_weak", 0.3);
  const auto powers = [&](const char* method) { return weak_powers(runs, method, 0.3).value; };
  report.claim(in_one_interval(
      {.id = "BO07.weak.two",
       .measured = two_by_weights.all ? two_by_weights.value : not_a_number,
       .unit = "power of h",
       .interval = {1.6, 2.4},
       .controls =
           {noted(failing("dW/2", powers("rattle_increments"), {}), unknown),
            noted(failing("dW/2 and the potential U - (h/8) sum_i K_ii", powers("increments_minus_h_8"), {}), unknown),
            noted(passing("dW/2 and the potential U + (h/8) sum_i K_ii", powers("increments_plus_h_8"), {}), unknown)},
       .note = "Powers of the mean errors: " + two_by_weights.words + "; with dW/2 and U + (h/8) sum_i K_ii " +
               weak_powers(runs, "increments_plus_h_8", 0.3).words + "; with dW/2 alone " +
               weak_powers(runs, "rattle_increments", 0.3).words + ". The mean error of z over that with dW/2 alone: " +
               sizes + ". Derived in livi/stochastic/stochastic_rattle.hpp."}));
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = 1;
  return run_experiment(
      argc, argv, "strong_orders", {"BO07", "strong orders", "1"},
      "Strong and weak orders of RATTLE under noise, and what decides them", {.threads = &threads},
      [&](Report& report, const ExperimentOptions& options) {
        const std::size_t paths = options.quick ? 20 : 2000, weak_paths = options.quick ? 20 : 5000;
        report.seed("paths", seed);
        report.parameter("paths", static_cast<std::int64_t>(paths));
        report.parameter("paths of weak orders", static_cast<std::int64_t>(weak_paths));
        std::vector<Case> cases{
            make_case("sphere_x", "sphere, q_x", Constant::nothing, false, sphere({0}),
                      {of_stages,
                       of_stages_with_increments,
                       of_increments_with_mean,
                       {{"first_half", Kind::integrals, {.first_half = true}},
                        {"fresh_paths", Kind::increments, {.fresh = true}},
                        {"commutator_turned", Kind::exact, {.diagonal = -1}},
                        {"commutator_minus_mean", Kind::exact, {.diagonal = 0, .add = -1.0 / 6}},
                        {"staircase_without_covariance", Kind::staircase, {.diagonal = 0}},
                        {"rising_staircase", Kind::rising}}}),
            make_case("sphere_z", "sphere, q_z", Constant::nothing, false, sphere({2}), {of_stages}),
            make_case("sphere_xy", "sphere, (q_x, q_y)", Constant::nothing, false, sphere({0, 1}), {of_stages}),
            make_case("sphere_xyz", "sphere, (q_x, q_y, q_z)", Constant::trace, false, sphere({0, 1, 2}),
                      {of_stages, {{"diagonal", Kind::exact, {.mixed = 0}}}}),
            make_case("cylinder_z", "cylinder, z", Constant::products, true, cylinder({2}),
                      {of_stages, of_stages_with_increments}),
            make_case("cylinder_x", "cylinder, x", Constant::nothing, false, cylinder({0}), {of_stages}),
            make_case("plane_xy", "plane, (x, y)", Constant::products, true, plane({0, 1})),
            make_case("sphere_product", "sphere, q_x q_z", Constant::nothing, false, sphere_under_product(),
                      {{of_stages.front()}}),
            make_case("sphere_normal", "sphere, |q|^2/2", Constant::potentials, false, sphere_under_normal()),
            make_case("cylinder_normal", "cylinder, (z + (x^2 + y^2)/2)", Constant::products, false,
                      cylinder_with_normal())};
        run_all(cases, paths, threads);
        say_progress("strong orders: done");
        for (const Case& of : cases) put_strong(report, of);
        for (const Method& method : cases.front().methods)
          if (!method.title.empty()) report.parameter(std::string("strong_order.method.") + method.name, method.title);
        const WeakRuns weak = weak_runs(cases.front(), weak_paths, threads);
        say_progress("weak orders: done");
        put_weak(report, weak);
        if (options.quick) return;
        claims_of_strong_orders(report, cases);
        claims_of_projected_methods_and_stages(report, cases);
        claim_of_stages_with_increments(report, cases);
        claims_of_the_table(report, cases);
        local_error(report);
        weak_claims(report, weak);
        report.figure({"strong_orders.svg",
                       "Errors of RATTLE with I10 and its distance from a method of order two against h, for noises "
                       "with constant K_ij, constant trace and neither."});
      });
}
