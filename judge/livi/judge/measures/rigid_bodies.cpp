// SPDX-License-Identifier: MIT
#include <livi/judge/measures/rigid_bodies.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include <livi/judge/measures/closed_curves.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/problems/rigid_body_motion.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using Vector3d = Three<double>;
using Matrix3d = Nine<double>;
/// Returns the size of the momenta of a problem: those of its start, or of a velocity of one.
double size_of_momenta(const JudgedProblem& problem) {
  return std::max(extent_of(problem.start.p), extent_of(problem.masses));
}

/// Returns the largest difference of two points, momenta relative to a size.
template <class S>
double difference(const TimedPoint<double>& a, const TimedPoint<S>& b, double of_momenta) {
  double largest = 0;
  for (std::size_t i = 0; i < 9; ++i) largest = worse(largest, extent_of(S(S(a.q[i]) - b.q[i])));
  for (std::size_t i = 0; i < 3; ++i) largest = worse(largest, extent_of(S(S(a.p[i]) - b.p[i])) / of_momenta);
  return largest;
}

double distance_at(const std::vector<double>& q) {
  const auto r = taken<Nine<Float50>>(q);
  double largest = extent_of(Float50(determinant(r) - Float50(1)));
  const Nine<Float50> square = product(transposed(r), r);
  for (std::size_t i = 0; i < 9; ++i)
    largest = worse(largest, extent_of(Float50(square[i] - Float50(i % 4 == 0 ? 1 : 0))));
  return largest;
}

/// Returns the motion of a problem from its start, which is computed once.
const TimedPoint<Float50>& motion_of(const JudgedProblem& problem, double time) {
  // Many methods are compared with these motions, which do not depend on them.
  static std::map<std::pair<std::string, std::vector<double>>, TimedPoint<Float50>> known;
  std::vector<double> numbers{time};
  for (const auto* of : {&problem.masses, &problem.start.q, &problem.start.p})
    numbers.insert(numbers.end(), of->begin(), of->end());
  auto [found, is_new] = known.try_emplace({problem.name, numbers});
  // Rounding of double is 1e-16, and that of a short step less.
  if (is_new)
    found->second = body_motion(problem, point_in<Float50>(problem.start), Float50(time), 1e-19 * std::abs(time));
  return found->second;
}

}  // namespace

JudgedProblem at_speed(JudgedProblem problem, double speed, double h) {
  for (TimedPoint<double>* start : {&problem.start, &problem.other_start})
    for (double& mu : start->p) mu *= speed;
  problem.h = h;
  if (speed != 1) problem.name += speed == 0 ? " from rest" : format(" at %g times the speed", speed);
  return problem;
}

Measured distance_from_group(ForeignSubject& subject, const JudgedProblem& problem, bool adds_up) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  Measured worst{0, problem.name};
  double made = 0;
  const auto look = [&] {
    const double distance = distance_at(run->point().q) / (adds_up ? made : std::sqrt(made));
    if (is_worse(distance, worst.value)) worst = {distance, problem.name + format(", after %g steps", made)};
  };
  run->start(problem.start);
  constexpr std::array<double, 3> shares{1, -0.5, 0.75};
  for (std::size_t k = 0; k < 24; ++k) {
    run->step(subject.declares().possible_step(problem.h * shares[k % 3]), 1);
    ++made;
    look();
  }
  run->start(problem.other_start);
  made = 0;
  for (const long count : {128L, 384L, 512L}) {
    run->step(problem.h / 4, count);
    made += static_cast<double>(count);
    look();
  }
  return worst;
}

namespace {

/// Returns whether the last two slopes above the floor differ by less than 0.15.
bool has_settled(const std::vector<MeasuredError>& errors, double MeasuredError::*of) {
  double slope = not_a_number, before = not_a_number;
  for (std::size_t k = 1; k < errors.size() && !(errors[k].*of < errors[k].floor); ++k) {
    before = slope;
    slope = std::log2(errors[k - 1].*of / errors[k].*of);
  }
  return std::abs(slope - before) < 0.15;
}

}  // namespace

MeasuredOrder BodyMeasurements::order(ForeignSubject& subject, const JudgedProblem& problem, double time,
                                      double left) const {
  const TimedPoint<Float50>& exact = motion_of(problem, time);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const double of_momenta = size_of_momenta(problem);
  // Methods of high order meet rounding, or what an iteration leaves, after one or two halvings: they begin with one step.
  // A tenth of a rounding disturbs their slopes by less than a seventh.
  const int coarsest = subject.declares().order.value_or(0) >= (left > 0 ? 2 : 6) ? 0 : 2;
  std::vector<MeasuredError> errors;
  std::vector<double> sizes;
  MeasuredOrder result{not_a_number, not_a_number};
  const int finest = finest_ + static_cast<int>(std::ceil(std::log2(std::abs(time))));
  for (int level = coarsest; level <= finest; ++level) {
    const long steps = 1L << level;
    TimedPoint<double> end;
    try {
      end = after(*run, problem.start, time / static_cast<double>(steps), steps);
    } catch (const ForeignRefusal&) {
      if (level >= 2) throw;
      errors.clear();
      sizes.clear();
      continue;
    }
    MeasuredError error{0, 0, 0};
    for (std::size_t i = 0; i < 9; ++i) error.q = worse(error.q, extent_of(Float50(Float50(end.q[i]) - exact.q[i])));
    for (std::size_t i = 0; i < 3; ++i)
      error.p = worse(error.p, extent_of(Float50(Float50(end.p[i]) - exact.p[i])) / of_momenta);
    // Rounding adds up like a random walk; what an iteration leaves may have one sign.
    const auto many = static_cast<double>(steps);
    error.floor = (coarsest == 0 ? 60 : 600) * unit_rounding * std::sqrt(many) + 16 * left * many;
    errors.push_back(error);
    sizes.push_back(time / static_cast<double>(steps));
    if (!std::isfinite(error.q) || !std::isfinite(error.p)) {
      result.why_undecided = "after " + counted(steps, "step") + " the point is not finite";
      return result;
    }
    if (std::max(error.q, error.p) < error.floor) break;
  }
  result.table = table_of_errors(errors, sizes);
  settle_order(result, errors);
  // Slopes of steps that are long for the motion are those of the method only where they have settled: their difference from
  // the order halves at least from one to the next, so that half of 0.3 is right to that.
  if (coarsest == 0) {
    const bool settled =
        result.why_undecided.empty() &&
        (left > 0 || (has_settled(errors, &MeasuredError::q) && has_settled(errors, &MeasuredError::p)));
    if (!settled) {
      if (result.why_undecided.empty()) result.why_undecided = "slopes of long steps have not settled";
      result.q = result.p = not_a_number;
      result.shows_nothing = true;
    }
  }
  return result;
}

namespace {

/// The rates at which attitude and momentum change where a problem starts.
struct Rates {
  double of_r, of_mu;
};
Rates rates_of_body_at_start(const JudgedProblem& problem) {
  const RigidBody<double> body(problem);
  const auto r = taken<Matrix3d>(problem.start.q);
  const auto mu = taken<Vector3d>(problem.start.p);
  // What changes slowly, as the momentum of a ball without a torque or the attitude of a body at rest, does so at a rate of
  // rounding: over the time of a radian, or one.
  const double turning = extent_of(listed(body.velocity(mu)));
  return {std::max(turning, 0.0625),
          std::max(extent_of(listed(body.force(r, mu))), size_of_momenta(problem) * std::max(turning, 1.0) / 8)};
}

}  // namespace

Measured BodyMeasurements::short_steps(ForeignSubject& subject, const JudgedProblem& problem, double left) const {
  // Slower than the sixty-fourth part, and faster than any other row looks at, by a power of two.
  Measured worst{0};
  for (const double speed : {1.0, 0.0, 0x1p-6, 8.0}) {
    if (speed == 0 && problem.potential.terms.empty()) continue;
    Measured one = short_steps_from(
        subject, at_speed(problem, speed, std::copysign(0.0625, problem.h) / std::max(speed / 2, 1.0)));
    // What an iteration leaves is as large at rest, where rates are as small as a sixteenth.
    if (left > 0 && speed != 1) one.value /= 8;
    if (worst.note.empty() || is_worse(one.value, worst.value)) worst = one;
  }
  return worst;
}

Measured BodyMeasurements::short_steps_from(ForeignSubject& subject, const JudgedProblem& problem) const {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const Rates rates = rates_of_body_at_start(problem);
  constexpr int levels = 6;
  std::vector<std::vector<double>> rows;
  for (int level = 0; level < levels; ++level) {
    const double h = std::ldexp(full_share * problem.h, -level);
    const TimedPoint<Float50>& exact = motion_of(problem, h);
    const TimedPoint<double> end = after(*run, problem.start, h, 1);
    std::vector<double> errors;
    for (std::size_t i = 0; i < 9; ++i)
      errors.push_back(Float50(Float50(end.q[i]) - exact.q[i]).convert_to<double>() / h / rates.of_r);
    for (std::size_t i = 0; i < 3; ++i)
      errors.push_back(Float50(Float50(end.p[i]) - exact.p[i]).convert_to<double>() / h / rates.of_mu);
    extrapolate(rows, errors);
  }
  const std::vector<double>& limit = rows.back();
  const double of_r = extent_of(std::vector<double>(limit.begin(), limit.begin() + 9)),
               of_mu = extent_of(std::vector<double>(limit.begin() + 9, limit.end()));
  return {worse(of_r, of_mu), problem.name + (is_worse(of_mu, of_r) ? ", the momentum" : ", the attitude")};
}

Measured BodyMeasurements::very_short_steps(ForeignSubject& subject, const JudgedProblem& problem, double left,
                                            int power) const {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const Rates rates = rates_of_body_at_start(problem);
  // Momenta may be differences of attitudes over h.
  const double rounding = 32 * unit_rounding + 4 * left, of_momenta = size_of_momenta(problem);
  Measured worst{0, problem.name};
  // On problems with steps back the signs are the other ones.
  for (const double length : {-0x1p-10, 0x1p-12, -0x1p-14, 0x1p-18, -0x1p-22}) {
    const double h = subject.declares().possible_step(std::copysign(1.0, problem.h) * length * full_share),
                 once = std::abs(h);
    const TimedPoint<Float50>& exact = motion_of(problem, h);
    const TimedPoint<double> end = after(*run, problem.start, h, 1);
    double error = 0;
    for (std::size_t i = 0; i < 9; ++i)
      error = worse(error, (extent_of(Float50(Float50(end.q[i]) - exact.q[i])) - rounding) / once / rates.of_r);
    for (std::size_t i = 0; i < 3; ++i)
      error = worse(error, (extent_of(Float50(Float50(end.p[i]) - exact.p[i])) - rounding * of_momenta / once) / once /
                               rates.of_mu);
    error *= std::pow(0x1p-10 / std::abs(length), power);
    if (is_worse(error, worst.value)) worst = {error, problem.name + format(", h = %.3g", h)};
  }
  return worst;
}

namespace {

/// Returns the integral of sum of P_ij dR_ij, P = R hat(mu) / 2, over a closed curve of points that are equally spaced in its
/// parameter, over pi; dR is the derivative of the trigonometric interpolation, which at the points is
/// dR_j = sum over k of (-1)^(j - k) cot((s_j - s_k) / 2) / 2 R_k. Of the points, only every `stride`-th one.
double integral_of_form(const std::vector<TimedPoint<double>>& points, std::size_t stride) {
  const std::size_t count = points.size() / stride;
  std::vector<Matrix3d> r, p;
  for (std::size_t j = 0; j < count; ++j) {
    r.push_back(taken<Matrix3d>(points[j * stride].q));
    p.push_back(product(r.back(), hat(taken<Vector3d>(points[j * stride].p))));
  }
  double total = 0;
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t k = 0; k < j; ++k) {
      const double angle = std::numbers::pi * static_cast<double>(j - k) / static_cast<double>(count);
      double there = 0;
      for (std::size_t i = 0; i < 9; ++i) there += p[j][i] * r[k][i] - p[k][i] * r[j][i];
      total += ((j - k) % 2 == 0 ? 0.25 : -0.25) * there / std::tan(angle);
    }
  return 2 * total / static_cast<double>(count);
}

}  // namespace

Measured BodyMeasurements::loop_integral(ForeignSubject& subject, const JudgedProblem& problem,
                                         const LoopsOf& loops) const {
  const RigidBody<double> body(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const auto around = taken<Matrix3d>(problem.start.q);
  const Vector3d velocity = body.velocity(taken<Vector3d>(problem.start.p));
  DrawnNumbers random(seed_ ^ 0x100bU);
  const auto drawn = [&] {
    Vector3d x;
    for (double& entry : x) entry = (static_cast<double>(random.below(17)) - 8) / 8;
    return x;
  };
  std::vector<ClosedCurve> curves(loops.curves);
  const double speed = loops.speed;
  for (ClosedCurve& curve : curves) {
    const Vector3d u = drawn(), v = drawn(), a = drawn(), b = drawn();
    curve = [&, u, v, a, b, speed](double size, double angle) -> TimedPoint<double> {
      const double c = size * std::cos(angle), s = size * std::sin(angle);
      Vector3d x, w = velocity;
      for (std::size_t i = 0; i < 3; ++i) {
        x[i] = c * u[i] + s * v[i];
        w[i] += speed * (c * a[i] + s * b[i]);
      }
      return {0, listed(product(around, cayley(x))), listed(body.momentum(w))};
    };
  }
  // Half of what counts as holding.
  return change_along_curves(*run, problem, curves, integral_of_form, speed * 3 * extent_of(problem.masses), 0x1p-41,
                             loops.steps);
}

Measured body_reversal(ForeignSubject& subject, const JudgedProblem& problem, long steps) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  Measured worst{0, problem.name};
  const auto try_one = [&](const TimedPoint<double>& start, double h) {
    const auto missed_if = [&](bool anew) {
      return difference(there_and_back(subject.declares(), *run, start, h, steps, anew), start,
                        size_of_momenta(problem));
    };
    double missed = missed_if(true);
    if (steps > 1) missed = std::min(missed, missed_if(false));
    if (is_worse(missed, worst.value)) worst = {missed, problem.name + format(", h = %.3g", h)};
  };
  for_steps_to_take_back(subject.declares(), problem, try_one);
  return worst;
}

Measured body_turned_step(ForeignSubject& subject, const JudgedProblem& problem) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  Measured worst{0, problem.name};
  for_steps_to_take_back(subject.declares(), problem, [&](const TimedPoint<double>& start, double h) {
    const TimedPoint<double> taken_back = after(*run, start, -h, 1);
    const TimedPoint<double> expected = turned(after(*run, turned(start), h, 1));
    const double apart = difference(taken_back, expected, size_of_momenta(problem));
    if (is_worse(apart, worst.value)) worst = {apart, problem.name + format(", h = %.3g", h)};
  });
  return worst;
}

namespace {

/// Calls `use` with the points before and after 64 steps of half of h, and 32 of h, of half of it back and of a seventh.
template <class Use>
void for_ends_of_64_steps(ForeignSubject& subject, const JudgedProblem& problem, const Use& use) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  for (const TimedPoint<double>* start : {&problem.start, &problem.other_start})
    for (const auto& [share, steps] : {std::pair(0.5, 64L), {1.0, 32L}, {-0.5, 32L}, {1.0 / 7, 32L}})
      use(*start, after(*run, *start, subject.declares().possible_step(problem.h * share), steps));
}

}  // namespace

Measured change_of_spatial_momentum(ForeignSubject& subject, const JudgedProblem& problem, int axis) {
  Measured worst{0, problem.name};
  for_ends_of_64_steps(subject, problem, [&](const TimedPoint<double>& start, const TimedPoint<double>& end) {
    const auto in_space = [](const TimedPoint<double>& z) { return times(taken<Matrix3d>(z.q), taken<Vector3d>(z.p)); };
    const Vector3d before = in_space(start), after = in_space(end);
    for (std::size_t i = 0; i < 3; ++i) {
      if (axis >= 0 && i != static_cast<std::size_t>(axis)) continue;
      const double change = std::abs(after[i] - before[i]) / size_of_momenta(problem);
      if (is_worse(change, worst.value)) worst = {change, problem.name + format(", axis %zu of space", i + 1)};
    }
  });
  return worst;
}

Measured change_of_size_of_momentum(ForeignSubject& subject, const JudgedProblem& problem) {
  Measured worst{0, problem.name};
  for_ends_of_64_steps(subject, problem, [&](const TimedPoint<double>& start, const TimedPoint<double>& end) {
    const auto size_of = [](const TimedPoint<double>& z) {
      const auto mu = taken<Vector3d>(z.p);
      return std::sqrt(dot(mu, mu));
    };
    worst.value = worse(worst.value, std::abs(size_of(end) / size_of(start) - 1));
  });
  return worst;
}

MeasuredTorque torque_from_rest(ForeignSubject& subject, const JudgedProblem& problem, bool for_short_steps) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  constexpr double h = 0x1p-26;
  MeasuredTorque worst{{0, problem.name}, 0};
  for (TimedPoint<double> start : {problem.start, problem.other_start}) {
    start.p.assign(3, 0.0);
    std::vector<double> rate = after(*run, start, h, 1).p;
    for (double& entry : rate) entry /= h;
    if (for_short_steps) {
      const std::vector<double> longer = after(*run, start, 2 * h, 1).p;
      for (std::size_t i = 0; i < 3; ++i) rate[i] = 2 * rate[i] - longer[i] / (2 * h);
    }
    const std::vector<double> tau = listed(RigidBody<double>(problem).torque(taken<Matrix3d>(start.q)));
    for (std::size_t i = 0; i < 3; ++i) {
      const double wrong = std::abs(rate[i] - tau[i]);
      worst.error.value = worse(worst.error.value, wrong / extent_of(tau));
      worst.in_roundings = worse(worst.in_roundings, wrong * h * h / unit_rounding / extent_of(problem.masses));
    }
  }
  return worst;
}

Measured motion_at_rest(ForeignSubject& subject, JudgedProblem problem) {
  problem.start.p.assign(3, 0.0);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  run->start(problem.start);
  constexpr std::array<double, 4> shares{1, -0.5, 0.75, -2};
  for (std::size_t k = 0; k < 16; ++k) run->step(subject.declares().possible_step(problem.h * shares[k % 4]), 1);
  return {difference(run->point(), problem.start, size_of_momenta(problem)), problem.name + " at rest"};
}

}  // namespace livi
