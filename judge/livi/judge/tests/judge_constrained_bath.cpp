// SPDX-License-Identifier: MIT
//
// The rows of methods for constrained systems in a heat bath. What they measure, and the methods beside which one is judged, are those
// of the battery of heat baths.
#include <algorithm>
#include <cmath>

#include <livi/claims/heat_bath_controls.hpp>
#include <livi/claims/heat_bath_measures.hpp>
#include <livi/claims/heat_bath_runs.hpp>
#include <livi/judge/measures/constrained_bath.hpp>
#include <livi/judge/tests/judge.hpp>

namespace livi::foreign_detail {

namespace {

using C = battery_detail::HeatBathControl;
using battery_detail::Worst;
using MeasureBath = std::function<Worst(const AnyHeatBathSubject&)>;

/// The largest distance from the method that it is said to be without friction, relative to the size of the point, after 64 steps on
/// each problem.
Worst distance_from_limit(const AnyHeatBathSubject& subject) {
  using battery_detail::D;
  constexpr Bath<double> none{0, 2.5, Friction::momentum};
  Worst worst;
  for (const std::size_t problem : subject.problems()) {
    const auto end_of = [](const std::unique_ptr<BathStepper>& run) {
      battery_detail::steps(*run, 1.0 / 32, 64);
      D z(2 * run->q().size());
      z << run->q(), run->v();
      return z;
    };
    const D end = end_of(subject.in_bath(problem, none, BathNumbers(1, 1))), limit = end_of(subject.limit(problem));
    worst.update((end - limit).norm() / limit.norm(), problem == bath_place::sphere ? "sphere" : "chain");
  }
  return worst;
}

/// The largest distance between a step of half the size in a run, and the same step from a start there, relative to the size of the
/// point. Both are without noise: the friction has the size of a step, or of the one before.
Worst step_of_another_size(const AnyHeatBathSubject& subject) {
  constexpr Bath<double> bath{0.75, 0.625, Friction::momentum};
  constexpr double h = 1.0 / 8;
  Worst worst;
  for (const std::size_t problem : subject.problems()) {
    const auto begun = [&] {
      return subject.in_bath(problem, bath, BathNumbers(std::make_shared<BathNumbers::Given>()));
    };
    // One run is at work at a time.
    battery_detail::D q, v, end_q, end_v;
    {
      const auto run = begun();
      battery_detail::steps(*run, h, 2);
      q = run->q(), v = run->v();
      battery_detail::steps(*run, h / 2, 1);
      end_q = run->q(), end_v = run->v();
    }
    const auto fresh = begun();
    fresh->start(q, v);
    battery_detail::steps(*fresh, h / 2, 1);
    const double apart = std::hypot((end_q - fresh->q()).norm(), (end_v - fresh->v()).norm());
    worst.update(apart / std::hypot(q.norm(), v.norm()), "a step of h/2 after two of h");
  }
  return worst;
}

}  // namespace

/// Adds the rows of constrained systems in a bath to those of a judge.
class ConstrainedBathJudge {
 public:
  explicit ConstrainedBathJudge(Judge& judge)
      : judge_(judge),
        tolerance_(std::max(judge.declares().tolerance, judge.declares().single_precision ? 0x1p-22 : 0)) {}

  void run() {
    manifold();
    without_friction();
    friction_and_noise();
    sampling();
  }

 private:
  using Measured = livi::Measured;

  /// Returns a battery's measure as one of the judge. What throws is not measured; a method that is gone is.
  static Measure on_subject(const MeasureBath& measure) {
    return [measure](ForeignSubject& method) {
      try {
        const Worst worst = measure(ForeignHeatBath(method));
        return Measured{worst.value, worst.where};
      } catch (const ForeignFailure&) {
        throw;
      } catch (const ForeignRefusal&) {
        throw;
      } catch (const std::runtime_error& error) {
        return Measured{battery_detail::not_a_number, error.what()};
      }
    };
  }
  /// Adds a row with its controls, one that must be outside their interval and one that must be inside.
  void add(TestId test, const std::string& declared, const std::string& evidence, Claim claim,
           const MeasureBath& measure, C wrong, C right, const Interval& of_controls) {
    judge_.row({test, ProblemKind::constrained_langevin}, declared, evidence, std::move(claim), on_subject(measure),
               {});
    Claim& written = judge_.result_.rows.back().claim;
    if (declared == "-" || written.verdict == Verdict::not_testable) return;
    for (const auto& [which, expected] : {std::pair(wrong, Expected::fails), std::pair(right, Expected::passes)}) {
      const auto& control = battery_detail::heat_bath_control(which);
      written.controls.push_back({control.name, measure(OnForeignProblems(*control.subject)).value, of_controls,
                                  "the battery's, on the same problems", expected});
    }
    written.verdict = Verdict::confirmed;  // so that it is decided anew, with its controls
    written.verdict = decide(written);
  }
  /// Adds a row that is obligatory. Controls declare nothing: they are judged as methods that do not either, by `strict`.
  void must(TestId test, const std::string& evidence, const std::string& what, double strict, double of_declared,
            const char* reason, const MeasureBath& measure, C wrong) {
    Claim claim;
    claim.statement = what;
    claim.interval = {0, std::max(strict, of_declared)};
    claim.reason = reason;
    add(test, "yes", evidence, std::move(claim), measure, wrong, C::obabo, {0, strict});
    judge_.limit_to(strict);
  }

  void manifold() {
    must(
        TestId::constraint, "eight runs of 64 steps", "positions lie on the constraints", 64, tolerance_ * 0x1p52,
        "roundings: some dozens of operations, as often as an iteration ends beside it; or the tolerance that the "
        "method declares",
        [](const auto& subject) { return battery_detail::bath_constraints(subject).position; }, C::off_manifold);
    if (judge_.declares().hidden == true)
      must(
          TestId::hidden_constraint, "eight runs of 64 steps", "velocities lie along the constraints", 256,
          tolerance_ * 0x1p52, "roundings: some hundred operations; or the tolerance that the method declares",
          [](const auto& subject) { return battery_detail::bath_constraints(subject).velocity; }, C::unprojected);
  }
  void without_friction() {
    must(TestId::without_friction, "64 steps beside the kind constrained",
         "without friction it is the method of the kind constrained", 0x1p-40, tolerance_ * 64,
         "64 steps with some dozens of roundings, or the tolerance, in each, on motions that part by a factor of up to "
         "ten",
         distance_from_limit, C::lopsided);
    must(
        TestId::noise_without_friction, "64 steps under two sets of numbers", "without friction noise has no effect", 0,
        0, "a factor of zero: exactly nothing",
        [](const auto& subject) {
          return Worst{battery_detail::changed_by_numbers_without_friction(subject), "steps that differ in a bit"};
        },
        C::other_without_friction);
  }
  void friction_and_noise() {
    constexpr const char* of_limit =
        "the limit for h to 0 by extrapolation from 2^-9 and 2^-10, which leaves (gamma h)^2, at most 3e-5, times a "
        "number of order ten; or the tolerance that the method declares, over h";
    constexpr double bound = 1e-3;
    const double of_declared = tolerance_ * 0x1p12;
    must(
        TestId::noise, "one step, h to 0", "short steps are linear in their normal numbers, those up to five", bound,
        of_declared,
        "terms of degree three are h u^2 of the linear ones; extrapolation from h = 2^-12 and numbers u = 5 leaves the "
        "square of it, 4e-5, times a number of order ten",
        battery_detail::nonlinear_noise, C::clipped_noise);
    const Claim& of_numbers = judge_.result_.rows.back().claim;
    // Nothing finite is measured of a method that asks for no numbers.
    const bool is_linear = !std::isfinite(of_numbers.measured) || of_numbers.measured <= of_numbers.interval.high;
    // What follows is measured under zeros and ones. Controls are linear.
    const auto if_linear = [is_linear](const MeasureBath& measure) -> MeasureBath {
      return [is_linear, measure](const AnyHeatBathSubject& subject) {
        if (!is_linear && dynamic_cast<const ForeignHeatBath*>(&subject) != nullptr)
          throw std::runtime_error(
              "steps are not linear in their normal numbers (row 'linear noise in the bath'): what zeros and ones do "
              "says "
              "nothing of this");
        return measure(subject);
      };
    };
    must(TestId::friction, "one step, h to 0, in two baths", "velocities are damped at the rate of the friction", bound,
         of_declared, of_limit, if_linear(battery_detail::wrong_friction), C::friction_by_mass);
    must(TestId::noise_covariance, "one step, h to 0, in two baths",
         "the covariance of the noise of momenta is that of the bath, along the constraints", bound, of_declared,
         of_limit, if_linear([](const auto& subject) { return battery_detail::wrong_noise(subject, 1); }),
         C::shared_noise);
    must(TestId::fresh_noise, "two steps, h to 0, in two baths, and of two sizes",
         "two steps have numbers of their own, and each its size", bound, of_declared, of_limit,
         if_linear([](const auto& subject) {
           Worst worst = battery_detail::wrong_noise(subject, 2);
           const Worst of_sizes = step_of_another_size(subject);
           worst.update(of_sizes.value, of_sizes.where);
           return worst;
         }),
         C::old_noise);
    must(
        TestId::repetition, "32 steps again, and under other numbers",
        "a run is the same under the same numbers, and another under others", 0, 0, "counts are exact",
        [](const auto& subject) {
          return Worst{battery_detail::wrong_repetitions(subject), "wrong steps"};
        },
        C::own_numbers);
  }
  void sampling() {
    const auto declared = judge_.declares().sampling;
    Claim claim;
    claim.statement = format("the error of stationary averages is O(h^%d)", declared.value_or(0));
    claim.interval = {declared.value_or(0) - 0.3, infinity};
    claim.reason = "orders are whole numbers; the next term moves the slope by h or so. A higher order is no lie";
    const MeasureBath measure = [](const AnyHeatBathSubject& subject) {
      if (subject.declares_for_noise().weak_order > 2)
        throw std::runtime_error("the rule for normal numbers tells no order beyond two");
      return battery_detail::order_of_averages(subject, battery_detail::GibbsPositions::few);
    };
    add(TestId::sampling, declared ? std::to_string(*declared) : "-", "one step from the Gibbs measure",
        std::move(claim), measure, C::first_order_bath, C::obabo, {1.7, infinity});
  }

  Judge& judge_;
  double tolerance_;  ///< declared; 0: rounding
};

void Judge::constrained_bath() { ConstrainedBathJudge(*this).run(); }

}  // namespace livi::foreign_detail
