// SPDX-License-Identifier: MIT
//
// The rows of the battery of heat baths. What is measured of a method is measured of its controls, too: of one that must be rejected
// and of ConstrainedObabo or GeodesicBaoab, which must be cleared.
#include <cmath>
#include <livi/claims/heat_bath_controls.hpp>
#include <livi/claims/heat_bath_measures.hpp>
#include <livi/diagnostics/seed.hpp>
#include <map>
#include <tuple>
#include <utility>

namespace livi {
namespace battery_detail {

namespace {

using C = HeatBathControl;

class HeatBathTests {
 public:
  HeatBathTests(const AnyHeatBathSubject& subject, const BatteryOptions& options)
      : subject_(subject),
        options_(options),
        declared_(subject.declares_for_noise()),
        rows_(result_.declares, result_.rows, options) {
    result_.declares = declared_.deterministic;
    result_.quick = options.quick;
    result_.only = options.only;
    result_.seed = judge_seed();
  }

  BatteryResult run() {
    manifold();
    without_friction();
    friction_and_noise();
    rows_.test("averages", [&] { averages(); });
    means();
    runs_again();
    for (const std::string& row : options_.only)
      if (!rows_.find(row)) throw InvalidParameter("only", row, "must be a row of the battery of heat baths");
    return std::move(result_);
  }

 private:
  void manifold() {
    test(
        "constraint", "positions are on the manifold", {0, 4},
        "coordinates are rounded, and the multiplier's part of each is: one rounding of g for each", "roundings",
        [](const auto& subject) { return bath_constraints(subject).position; }, C::off_manifold,
        "largest |g| over eight runs of 64 steps of 1/32 on each problem, four in each bath");
    test(
        "hidden constraint", "velocities are tangent to the manifold", {0, 4},
        "a velocity is projected by one solve, whose rounding is that of G v before it, and rounded", "roundings",
        [](const auto& subject) { return bath_constraints(subject).velocity; }, C::unprojected,
        "largest |G v|/max(1, |v|) in the same runs");
  }
  void without_friction() {
    test(
        "numbers without friction", "without friction nothing depends on normal numbers", {0, 0}, "counts are exact",
        "steps", [](const auto& subject) { return counted(changed_by_numbers_without_friction(subject)); },
        C::other_without_friction, "steps of 64 on each problem that differ in a bit under other numbers");
    rows_.test("limit without friction", [&] {
      if (!changed_from_limit(subject_)) {
        rows_.does_not_apply("limit without friction", "no method is said to be its limit");
        return;
      }
      add("limit without friction", "without friction it is the method that is said to be its limit", {0, 0},
          "counts are exact", "steps",
          [](const auto& subject) { return counted(changed_from_limit(subject).value_or(not_a_number)); },
          C::rattle_of_other_rounding, C::obabo, "steps of 64 on each problem that differ in a bit", "yes", {0, 0});
    });
    const double order = declared_.deterministic.order;
    test(
        "order without friction", format("error of order %g without friction", order), Interval::around(order, 0.1),
        "what is left of the next term, which is relatively h^2 or h = 1/32", "order",
        [order](const auto& subject) { return order_without_friction(subject, order); }, C::lopsided,
        "errors of q and v after one unit of time in steps of 1/16, 1/32, 1/64", format("%g", order));
  }
  void friction_and_noise() {
    constexpr const char* of_limit =
        "the limit for h to 0 by extrapolation from 2^-9 and 2^-10, which leaves (gamma h)^2, at most 3e-5, times a "
        "number of order ten";
    test(
        "friction", "velocities are damped at the rate of the friction", {0, 1e-3}, of_limit, "",
        [](const auto& subject) { return wrong_friction(subject); }, C::friction_of_one,
        "|(v(h) - v(h) without friction)/h + gamma v| over |gamma v|, all numbers zero, in two baths");
    test(
        "linear noise", "short steps are linear in their normal numbers, those up to five", {0, 1e-3},
        "terms of degree three are h u^2 of the linear ones; extrapolation from h = 2^-12 and numbers u = 5 leaves the "
        "square of it, 4e-5, times a number of order ten",
        "", [](const auto& subject) { return nonlinear_noise(subject); }, C::clipped_noise,
        "half the difference of velocities under numbers u and -u of 1.5 to 5, from the sum of what each does alone, "
        "relative");
    test(
        "noise", "the covariance of the noise of a step is that of the bath, in the tangent space", {0, 1e-3}, of_limit,
        "", [](const auto& subject) { return wrong_noise(subject, 1); }, C::noise_by_friction,
        "difference of sum_k b_k b_k^T from (2 gamma/beta) P M^-1 P^T, relative, in the norm of Frobenius, in two "
        "baths");
    test(
        "fresh noise", "two steps have numbers of their own", {0, 1e-3}, of_limit, "",
        [](const auto& subject) { return wrong_noise(subject, 2); }, C::old_noise,
        "that of two steps from twice of it");
    test(
        "numbers used once", "no step asks for numbers of another", {0, 0}, "counts are exact", "steps",
        [](const auto& subject) { return counted(steps_with_old_numbers(subject)); }, C::repeating_noise,
        "steps of 4096 on one problem that ask for a number that another has asked for");
  }
  void means() {
    constexpr const char* of_sample =
        "a twentieth: the standard error is at most 1 %, or the row is undecided, and by Student's distribution for "
        "twice 16 runs one of twelve means is five of them off with a probability of 3e-4; the step adds some "
        "h^2/4 = 0.4 %";
    const std::string reason =
        std::string(of_sample) + (allowed() == too_large_a_size ? ""
                                                                : "; at order one it adds up to gamma h/2 instead, a "
                                                                  "seventh in the mean of both baths");
    test(
        "momenta", "momenta have the mean and variance of the Gibbs measure in the tangent space", {0, allowed()},
        reason, "", [this](const auto& subject) { return runs_of(subject).momenta; }, C::speed_limit,
        "largest relative error of means over 32 runs, 16 in each bath, of 150 units of time or, on the sphere, 650, "
        "h = 1/8, on the chain 3/32: of v and v v^T on the sphere, of |p|^2 on all",
        "yes", Interval{0, too_large_a_size});
    test(
        "positions", "positions have the means of the Gibbs measure", {0, allowed()}, reason, "",
        [this](const auto& subject) { return runs_of(subject).positions; }, C::half_temperature,
        "largest error, in lengths of a rod, of means of z and z^2 on the sphere, of the heights of both rods, and of "
        "the squared cosine between those of the chain, in the same runs",
        "yes", Interval{0, too_large_a_size});
  }
  /// What means may be off by: more where the method does not declare averages of order two.
  [[nodiscard]] double allowed() const { return declared_.weak_order >= 2 ? too_large_a_size : 0.2; }
  void runs_again() {
    test(
        "repetition", "a run is the same with the same seed and stream, and another with others", {0, 0},
        "counts are exact", "steps", [](const auto& subject) { return counted(wrong_repetitions(subject)); },
        C::own_numbers,
        "steps of 32 on each problem that differ in a bit, or that do not under another seed or stream");
    test(
        "restart", "fields() are all that a step depends on", {0, 0}, "counts are exact", "steps",
        [](const auto& subject) { return counted(lost_by_restart(subject)); }, C::counter_in_method,
        "steps of 32 on each problem that differ in a bit when a new object makes them from the saved state");
  }

  static Worst counted(double number) { return {number, ""}; }
  /// The long runs of a subject, for both rows. Runs that throw are not kept, so that each row says why there are none.
  const LongRuns& runs_of(const AnyHeatBathSubject& subject) {
    const auto found = runs_.find(&subject);
    return found != runs_.end()
               ? found->second
               : runs_.emplace(&subject, long_runs(subject, &subject == &subject_ ? allowed() : too_large_a_size))
                     .first->second;
  }
  /// Measures a control, once for all runs of the battery. What throws is not kept.
  template <class Measure>
  static double of_control(const std::string& row, const std::string& declared, C which, const Measure& measure) {
    static std::map<std::tuple<std::string, std::string, C>, double> kept;
    const std::tuple key(row, declared, which);
    const auto found = kept.find(key);
    return found != kept.end() ? found->second
                               : kept.emplace(key, measure(*heat_bath_control(which).subject).value).first->second;
  }

  template <class Measure>
  void test(const char* row, const std::string& statement, const Interval& interval, const std::string& reason,
            const char* unit, const Measure& measure, C wrong, const std::string& how,
            const std::string& declared = "yes", const std::optional<Interval>& of_controls = {}) {
    rows_.test(row, [&] {
      add(row, statement, interval, reason, unit, measure, wrong, C::baoab, how, declared,
          of_controls.value_or(interval));
    });
  }
  /// Adds a row with its controls, one that must be outside the interval of controls and one that must be inside.
  template <class Measure>
  void add(const char* row, const std::string& statement, const Interval& interval, const std::string& reason,
           const char* unit, const Measure& measure, C wrong, C right, const std::string& how,
           const std::string& declared, const Interval& of_controls) {
    const auto control = [&](C which, Expected expected) {
      return Control{.name = heat_bath_control(which).name,
                     .measured = of_control(row, declared, which, measure),
                     .interval = of_controls,
                     .note = expected == Expected::passes ? "in the interval" : "outside the interval",
                     .expected = expected};
    };
    const Worst worst = measure(subject_);
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = worst.value;
    claim.unit = unit;
    claim.interval = interval;
    claim.reason = reason;
    claim.controls = {control(wrong, Expected::fails), control(right, Expected::passes)};
    rows_.add(row, declared, claim, worst.where);
  }
  void averages() {
    const double order = declared_.weak_order;
    if (std::isnan(order)) {
      rows_.does_not_apply("averages", "no order of averages is declared");
      return;
    }
    Claim claim;
    claim.statement = format("averages over the stationary measure have errors of order %g", order);
    claim.how =
        "lowest order of the defect E[f(after a step)] - E[f] of the Gibbs measure, less one, steps of 1/32 and 1/64: "
        "on "
        "the sphere in two baths, f = z, z^2, v_z^2, |v|^2, v_z, z v_z, v_z |v|^2, e, e v_e, e |v|^2, e horizontal; on "
        "the chain of the cosine c between its rods, c^2, squares of velocities, products with c and of its rate";
    claim.unit = "order";
    claim.interval = {order - 0.3, infinity};
    claim.reason = "orders are whole numbers; the next term moves the slope by h or so. A higher order is no lie";
    if (order > 2) {
      rows_.undecided("averages", format("%g", order), claim, "the rule for normal numbers tells no order beyond two");
      return;
    }
    const auto control = [](C which, Expected expected) {
      return Control{
          .name = heat_bath_control(which).name,
          .measured = of_control("averages", "", which, [](const auto& subject) { return order_of_averages(subject); }),
          .interval = {1.7, infinity},
          .note = "as of order two",
          .expected = expected};
    };
    const Worst lowest = order_of_averages(subject_);
    claim.measured = lowest.value;
    claim.controls = {control(C::first_order_bath, Expected::fails), control(C::baoab, Expected::passes)};
    rows_.add("averages", format("%g", order), claim, lowest.where);
  }

  const AnyHeatBathSubject& subject_;
  const BatteryOptions& options_;
  StochasticProperties declared_;
  BatteryResult result_;
  Rows rows_;
  std::map<const AnyHeatBathSubject*, LongRuns> runs_;
};

}  // namespace

}  // namespace battery_detail

BatteryResult run_heat_bath_battery(const AnyHeatBathSubject& subject, const BatteryOptions& options) {
  return battery_detail::HeatBathTests(subject, options).run();
}

}  // namespace livi
