// SPDX-License-Identifier: MIT
#include <livi/judge/measures/constraints.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/measures/closed_curves.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Returns a point whose momentum has nothing across the constraints: of two that differ in that only, it is one.
TimedPoint<double> along(const Manifold<double>& manifold, TimedPoint<double> z) {
  z.p = manifold.tangent(z.q, z.p);
  return z;
}

/// Calls `use` with the points after steps of changing size, and after many short ones, as long as it returns true.
template <class Use>
void for_points_of_run(ForeignSubject& subject, const JudgedProblem& problem, const Use& use) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  run->start(problem.start);
  constexpr std::array<double, 3> shares{1, -0.5, 0.75};
  for (std::size_t k = 0; k < 24; ++k) {
    run->step(subject.declares().possible_step(problem.h * shares[k % 3]), 1);
    if (!use(run->point())) return;
  }
  run->start(problem.other_start);
  run->step(problem.h / 4, 256);
  use(run->point());
}

double length_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double entry : x) sum += entry * entry;
  return std::sqrt(sum);
}

/// Returns the largest |g_a| / |Dg_a| at q, over the size of q.
double distance_at(const JudgedProblem& problem, const std::vector<double>& q) {
  const Manifold<Float50> manifold(problem);
  const std::vector<Float50> there = in_50_digits(q), g = manifold.values(there);
  const auto rows = manifold.normals(there);
  double largest = 0;
  for (std::size_t a = 0; a < g.size(); ++a) largest = worse(largest, extent_of(g[a]) / length_of(in_double(rows[a])));
  return largest / extent_of(q);
}

}  // namespace

Measured distance_from_constraints(ForeignSubject& subject, const JudgedProblem& problem) {
  Measured worst{0, problem.name};
  for_points_of_run(subject, problem, [&](const TimedPoint<double>& z) {
    worst.value = worse(worst.value, distance_at(problem, z.q));
    // What happens far from the manifold, where forces may be of any size, says no more.
    return worst.value < 0x1p-10;
  });
  return worst;
}

Measured velocity_across_constraints(ForeignSubject& subject, const JudgedProblem& problem) {
  const Manifold<Float50> manifold(problem);
  Measured worst{0, problem.name};
  double without_masses = 0;
  for_points_of_run(subject, problem, [&](const TimedPoint<double>& z) {
    const auto rows = manifold.normals(in_50_digits(z.q));
    const std::vector<Float50> across = manifold.velocities_across(rows, in_50_digits(z.p));
    std::vector<double> v = z.p;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= problem.masses[i];
    for (std::size_t a = 0; a < rows.size(); ++a)
      worst.value = worse(worst.value, extent_of(across[a]) / length_of(in_double(rows[a])) / extent_of(v));
    for (const auto& row : rows) {
      Float50 sum(0);
      for (std::size_t i = 0; i < row.size(); ++i) sum += row[i] * Float50(z.p[i]);
      without_masses = worse(without_masses, extent_of(sum));
    }
    return std::isfinite(worst.value);
  });
  if (worst.value > 0x1p-30 && without_masses < 0x1p-40)
    worst.note += "; Dg p = 0 holds, without the masses, in place of Dg M^-1 p = 0";
  return worst;
}

const TimedPoint<Float50>& ConstrainedMeasurements::motion(const JudgedProblem& problem, double time) {
  auto [found, is_new] = motions_.try_emplace({problem.name, time});
  // Rounding of double is 1e-16, and that of a short step less.
  if (is_new)
    found->second =
        constrained_motion(problem, point_in<Float50>(problem.start), Float50(time), 1e-19 * std::abs(time));
  return found->second;
}

MeasuredOrder ConstrainedMeasurements::order(ForeignSubject& subject, const JudgedProblem& problem, double time,
                                             double distance) {
  const TimedPoint<Float50>& exact = motion(problem, time);
  const std::vector<double> q = in_double(exact.q), p = in_double(exact.p);
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  constexpr int coarsest = 3;
  const double size = 1 + std::max(extent_of(q), extent_of(p));
  // Rounding adds up like a random walk. What an iteration leaves in each step may have one sign; it is in the momentum as
  // large as in the position, for the part of it along Dg^T does not count.
  const auto floor_of = [&](int level) {
    const double steps = std::ldexp(1.0, level);
    return 300 * unit_rounding * size * std::sqrt(steps) + 16 * distance * steps;
  };
  std::vector<MeasuredError> errors;
  std::vector<double> sizes;
  MeasuredOrder result{not_a_number, not_a_number};
  // A short time has its finest step from fewer of them.
  const int finest = finest_ + static_cast<int>(std::ceil(std::log2(std::abs(time))));
  for (int level = coarsest; level <= finest; ++level) {
    const long steps = 1L << level;
    const TimedPoint<double> end = after(*run, problem.start, time / static_cast<double>(steps), steps);
    std::vector<double> away = end.q, off = manifold.tangent(end.q, end.p);
    for (std::size_t i = 0; i < away.size(); ++i) {
      away[i] -= q[i];
      off[i] -= p[i];
    }
    errors.push_back({extent_of(away), extent_of(off), floor_of(level)});
    sizes.push_back(time / static_cast<double>(steps));
    if (!std::isfinite(errors.back().q) || !std::isfinite(errors.back().p)) {
      result.why_undecided = "after " + counted(steps, "step") + " the point is not finite";
      return result;
    }
    if (std::max(errors.back().q, errors.back().p) < errors.back().floor) break;
  }
  result.table = table_of_errors(errors, sizes);
  settle_order(result, errors,
               distance > 128 * unit_rounding
                   ? format("%.2g, 16 times the distance from the constraints,", 16 * distance)
                   : "rounding");
  return result;
}

namespace {

/// Returns the sizes of the velocity, a sixteenth at least, and of the force where a problem starts.
std::pair<double, double> rates_at_start(const JudgedProblem& problem) {
  std::vector<double> v = problem.start.p;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] /= problem.masses[i];
  return {std::max(extent_of(v), 0.0625), extent_of(Manifold<double>(problem).force(problem.start.q))};
}

}  // namespace

Measured ConstrainedMeasurements::short_steps(ForeignSubject& subject, const JudgedProblem& problem, double left) {
  Measured from_start = short_steps_from(subject, problem);
  JudgedProblem rest = problem;
  rest.name += " from rest";
  rest.start.p.assign(rest.start.p.size(), 0.0);
  Measured from_rest = short_steps_from(subject, rest);
  // What an iteration leaves is as large at rest, where rates are as small as a sixteenth.
  if (left > 0) from_rest.value /= 8;
  return is_worse(from_rest.value, from_start.value) ? from_rest : from_start;
}

Measured ConstrainedMeasurements::short_steps_from(ForeignSubject& subject, const JudgedProblem& problem) {
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const auto [velocity, force] = rates_at_start(problem);
  constexpr int levels = 6;
  std::vector<std::vector<double>> rows;
  for (int level = 0; level < levels; ++level) {
    const double h = std::copysign(std::ldexp(0.0625 * full_share, -level), problem.h);
    const TimedPoint<Float50>& exact = motion(problem, h);
    const TimedPoint<double> end = after(*run, problem.start, h, 1);
    const std::vector<double> p = manifold.tangent(end.q, end.p);
    std::vector<double> errors;
    for (std::size_t i = 0; i < p.size(); ++i)
      errors.push_back(Float50(Float50(end.q[i]) - exact.q[i]).convert_to<double>() / h / velocity);
    for (std::size_t i = 0; i < p.size(); ++i)
      errors.push_back(Float50(Float50(p[i]) - exact.p[i]).convert_to<double>() / h / force);
    extrapolate(rows, errors);
  }
  const std::vector<double>& limit = rows.back();
  const auto half = limit.begin() + static_cast<std::ptrdiff_t>(problem.masses.size());
  const double of_q = extent_of(std::vector<double>(limit.begin(), half)),
               of_p = extent_of(std::vector<double>(half, limit.end()));
  return {worse(of_q, of_p),
          problem.name + (is_worse(of_p, of_q) ? ", the force along the constraints" : ", the velocity")};
}

Measured ConstrainedMeasurements::very_short_steps(ForeignSubject& subject, const JudgedProblem& problem,
                                                   double distance, int power) {
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const auto [velocity, force] = rates_at_start(problem);
  const double size = extent_of(problem.start.q), rounding = 16 * unit_rounding * size, left = 4 * distance * size;
  Measured worst{0, problem.name};
  // On problems with steps back the signs are the other ones.
  for (const double length : {-0x1p-10, 0x1p-12, -0x1p-14, 0x1p-18, -0x1p-22}) {
    const double h = subject.declares().possible_step(std::copysign(1.0, problem.h) * length * full_share),
                 once = std::abs(h);
    const TimedPoint<Float50>& exact = motion(problem, h);
    const TimedPoint<double> end = after(*run, problem.start, h, 1);
    const std::vector<double> p = manifold.tangent(end.q, end.p);
    double error = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double of_q = extent_of(Float50(Float50(end.q[i]) - exact.q[i])) - rounding - left;
      // Momenta may be differences of positions over h. What an iteration leaves in these is along Dg^T, at the start.
      const double of_p = extent_of(Float50(Float50(p[i]) - exact.p[i])) - problem.masses[i] * rounding / once -
                          problem.masses[i] * left;
      error = worse(error, of_q / once / velocity);
      error = worse(error, of_p / once / force);
    }
    error *= std::pow(0x1p-10 / std::abs(length), power);
    if (is_worse(error, worst.value)) worst = {error, problem.name + format(", h = %.3g", h)};
  }
  return worst;
}

namespace {

/// Returns the integral of p dq over a closed curve of points that are equally spaced in its parameter, over pi; dq is
/// the derivative of the trigonometric interpolation. Of the points, only every `stride`-th one.
double integral_of_p_dq(const std::vector<TimedPoint<double>>& points, std::size_t stride) {
  const std::size_t count = points.size() / stride;
  double sum = 0;
  for (std::size_t i = 0; i < points.front().q.size(); ++i)
    for (std::size_t k = 1; k < count / 2; ++k) {
      double aq = 0, bq = 0, ap = 0, bp = 0;
      for (std::size_t j = 0; j < count; ++j) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(j * k % count) / static_cast<double>(count);
        const double c = std::cos(angle), s = std::sin(angle);
        const TimedPoint<double>& z = points[j * stride];
        aq += z.q[i] * c;
        bq += z.q[i] * s;
        ap += z.p[i] * c;
        bp += z.p[i] * s;
      }
      sum += static_cast<double>(k) * (ap * bq - bp * aq);
    }
  return sum * 4 / static_cast<double>(count * count);
}

}  // namespace

Measured ConstrainedMeasurements::loop_integral(ForeignSubject& subject, const JudgedProblem& problem,
                                                double distance) const {
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const std::size_t n = manifold.size();
  DrawnNumbers random(seed_ ^ n);
  std::vector<ClosedCurve> curves(manifold.count() > 3 ? 2 : 4);  // many equations are much work
  for (ClosedCurve& curve : curves) {
    std::vector<double> u(2 * n), w(2 * n);
    for (auto* direction : {&u, &w})
      for (double& x : *direction) x = (static_cast<double>(random.below(17)) - 8) / 8;
    curve = [&, n, u, w](double size, double angle) {
      TimedPoint<double> z = problem.start;
      for (std::size_t i = 0; i < n; ++i) {
        z.q[i] += size * (u[i] * std::cos(angle) + w[i] * std::sin(angle));
        z.p[i] += size * (u[n + i] * std::cos(angle) + w[n + i] * std::sin(angle)) * problem.masses[i];
      }
      z.q = manifold.nearby(z.q);
      z.p = manifold.tangent(z.q, z.p);
      return z;
    };
  }
  // Momenta of a curve are its velocities times masses, most of which are two at most.
  const double unit = static_cast<double>(n) * std::max(1.0, extent_of(problem.masses) / 2);
  // Half of what counts as holding.
  return change_along_curves(*run, problem, curves, integral_of_p_dq, unit, std::max(0x1p-41, 1024 * distance));
}

Measured constrained_reversal(ForeignSubject& subject, const JudgedProblem& problem) {
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  Measured worst{0, problem.name};
  const auto try_one = [&](const TimedPoint<double>& start, double h) {
    const TimedPoint<double> there = along(manifold, after(*run, start, h, 1));
    const TimedPoint<double> back =
        subject.declares().forward ? turned(after(*run, turned(there), h, 1)) : after(*run, there, -h, 1);
    const std::vector<double> p = manifold.tangent(back.q, back.p);
    double difference = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      difference = worse(difference, std::abs(back.q[i] - start.q[i]) / extent_of(start.q));
      difference = worse(difference, std::abs(p[i] - start.p[i]) / extent_of(start.p));
    }
    if (is_worse(difference, worst.value)) worst = {difference, problem.name + format(", h = %.3g", h)};
  };
  for_steps_to_take_back(subject.declares(), problem, try_one);
  return worst;
}

Measured effect_of_momentum_across(ForeignSubject& subject, const JudgedProblem& problem) {
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  Measured worst{0, problem.name};
  TimedPoint<double> z = problem.start;
  for (const double share : {1.0, -0.5, 0.75}) {
    const ForeignDeclaration& declares = subject.declares();
    z = after(*run, z, declares.possible_step(problem.h * share), 1);
    // A state that is kept in a momentum may be the sign of the step before: the next one is of either.
    for (const double h : {problem.h, declares.possible_step(-problem.h)}) {
      const TimedPoint<double> with = after(*run, z, h, 1), without = after(*run, along(manifold, z), h, 1);
      const std::vector<double> p = manifold.tangent(with.q, with.p), other = manifold.tangent(without.q, without.p);
      double difference = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        difference = worse(difference, std::abs(with.q[i] - without.q[i]) / extent_of(problem.start.q));
        difference = worse(difference, std::abs(p[i] - other[i]) / extent_of(problem.start.p));
      }
      if (is_worse(difference, worst.value)) worst = {difference, problem.name + format(", h = %.3g", h)};
    }
  }
  return worst;
}

Measured constrained_turned_step(ForeignSubject& subject, const JudgedProblem& problem) {
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  Measured worst{0, problem.name};
  for_steps_to_take_back(subject.declares(), problem, [&](const TimedPoint<double>& start, double h) {
    const TimedPoint<double> taken = after(*run, start, -h, 1);
    const TimedPoint<double> expected = turned(after(*run, turned(start), h, 1));
    const std::vector<double> p = manifold.tangent(taken.q, taken.p), other = manifold.tangent(expected.q, expected.p);
    double apart = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      apart = worse(apart, std::abs(taken.q[i] - expected.q[i]) / extent_of(start.q));
      apart = worse(apart, std::abs(p[i] - other[i]) / extent_of(start.p));
    }
    if (is_worse(apart, worst.value)) worst = {apart, problem.name + format(", h = %.3g", h)};
  });
  return worst;
}

Measured constrained_momentum(ForeignSubject& subject, const JudgedProblem& problem,
                              const std::vector<MomentumMap>& maps) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const TimedPoint<double> end = after(*run, problem.start, problem.h / 4, 64);
  // What p has along Dg^T has no momentum: the symmetry moves along the manifold.
  const auto value = [](const MomentumMap& map, const TimedPoint<double>& z) {
    double sum = 0;
    for (std::size_t i = 0; i < map.b.size(); ++i) sum += map.b[i] * z.p[i];
    for (std::size_t i = 0; i < map.a.size(); ++i)
      for (std::size_t j = 0; j < map.a.size(); ++j) sum += map.a[i][j] * z.q[i] * z.p[j];
    return sum;
  };
  Measured worst{0, problem.name};
  for (const MomentumMap& map : maps) {
    const double change = std::abs(value(map, end) - value(map, problem.start));
    if (is_worse(change, worst.value)) worst = {change, map.name + ", " + problem.name};
  }
  return worst;
}

MeasuredForce force_along_manifold(ForeignSubject& subject, const JudgedProblem& problem) {
  const Manifold<double> manifold(problem);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  constexpr double h = 0x1p-26;
  TimedPoint<double> start = problem.start;
  start.p.assign(start.p.size(), 0.0);
  const TimedPoint<double> end = after(*run, start, h, 1);
  const std::vector<double> g = manifold.tangent(start.q, manifold.force(start.q)), p = manifold.tangent(end.q, end.p);
  MeasuredForce worst{{0, problem.name}, 0};
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double wrong = std::abs(p[i] / h + g[i]);
    worst.error.value = worse(worst.error.value, wrong / extent_of(manifold.force(start.q)));
    worst.in_roundings =
        worse(worst.in_roundings, wrong * h * h / unit_rounding / extent_of(problem.masses) / extent_of(start.q));
  }
  return worst;
}

Measured long_steps(ForeignSubject& subject) {
  // The unit sphere, without a force and with one, and rods. Steps of RATTLE without force exist for h |p| <= 1.
  JudgedProblem free{.name = "a free particle on the unit sphere",
                     .kind = ProblemKind::constrained,
                     .masses = {1, 1, 1},
                     .potential = {}};
  free.constraints.push_back(DyadicPolynomial{}.add(1, {0, 0}).add(1, {1, 1}).add(1, {2, 2}).add(-1, {}));
  free.start = {0, {1, 0, 0}, {0, 1, 0}};
  ConstrainedProblems problems = constrained_problems(1, 0);
  Measured worst{0};
  int failed = 0, made = 0;
  const auto try_one = [&](const JudgedProblem& problem, double h) {
    Forces<double> forces(problem);
    std::unique_ptr<ForeignRun<double>> run;
    try {
      run = subject.in_double(forces);
    } catch (const ProblemRefused&) {
      return;
    }
    run->start(problem.start);
    try {
      run->step(h, 1);
    } catch (const ForeignRefusal&) {
      ++failed;
      return;
    }
    ++made;
    const double distance = distance_at(problem, run->point().q);
    if (is_worse(distance, worst.value)) worst = {distance, problem.name + format(", h = %g", h)};
  };
  for (const double h : {0.99, 1.5, 4.0, 32.0}) try_one(free, h);
  for (const JudgedProblem* problem : {&problems.generic.front(), &problems.generic.back()})
    for (const double h : {1.0, 4.0, 32.0}) try_one(*problem, h);
  if (made + failed == 0) throw ProblemRefused("it takes none of the problems with long steps");
  worst.note +=
      (worst.note.empty() ? "" : "; ") + counted(made, "step") + format(" made, %d said to have failed", failed);
  if (std::isnan(worst.value))
    worst.note = "the position is not finite and the step is not said to have failed: " + worst.note;
  return worst;
}

Measured constraint_evaluations(ForeignSubject& subject, const JudgedProblem& problem) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  run->start(problem.start);
  long least = std::numeric_limits<long>::max(), most = 0;
  for (int k = 0; k < 16; ++k) {
    const long before = forces.constraints + forces.jacobians;
    run->step(problem.h, 1);
    least = std::min(least, forces.constraints + forces.jacobians - before);
    most = std::max(most, forces.constraints + forces.jacobians - before);
  }
  return {static_cast<double>(most), format("%ld to %ld in a step", least, most)};
}

std::string typical_constrained_mistake(ForeignSubject& subject) {
  using enum ConstrainedFlaw;
  const ConstrainedProblems problems = constrained_problems(1, 0);
  // From the problem that tells most apart to the simplest one.
  for (const std::size_t at : {2U, 1U, 0U}) {
    const JudgedProblem& problem = problems.generic[at];
    const auto step_of = [&](ForeignSubject& method) {
      Forces<double> forces(problem);
      const TimedPoint<double> end = after(*method.in_double(forces), problem.other_start, problem.h, 1);
      std::vector<double> z = end.q;
      z.insert(z.end(), end.p.begin(), end.p.end());
      return z;
    };
    const auto difference = [](const std::vector<double>& a, const std::vector<double>& b) {
      double largest = 0;
      for (std::size_t i = 0; i < a.size(); ++i) largest = worse(largest, std::abs(a[i] - b[i]));
      return largest;
    };
    try {
      const std::vector<double> mine = step_of(subject), right = step_of(*built_in_subject(built_in_rattle()));
      for (const ConstrainedFlaw flaw : {hidden_of_start, hidden_without_masses, momentum_of_free, half_in_momentum,
                                         direction_of_end, step_without_masses, forgets_last}) {
        const std::vector<double> wrong = step_of(*built_in_subject(built_in_rattle(flaw)));
        if (difference(mine, wrong) < 1e-10 && difference(right, wrong) > 1e-6)
          return "its step is that of " + name_of_rattle(flaw);
      }
      return "";
    } catch (const ForeignRefusal&) {
      continue;
    }
  }
  return "";
}

}  // namespace livi
