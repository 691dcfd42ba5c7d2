// SPDX-License-Identifier: MIT
//
// Measurements: steps where the motion is known in closed form, and long runs.
#include <livi/judge/measures/found_coefficients.hpp>
#include <livi/judge/measures/run_points.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace livi {
using namespace foreign_detail;

namespace {

/// Masses, and a step, that no short format holds.
void make_general(JudgedProblem& problem) {
  for (std::size_t i = 0; i < problem.masses.size(); ++i) problem.masses[i] = i % 2 == 0 ? 12.011 : 1.0 / 3;
  problem.h = 0.1;
}

}  // namespace

Measured Measurements::free_particle(ForeignSubject& subject, const JudgedProblem& like, bool general) {
  JudgedProblem problem = like;
  if (general && problem.kind != ProblemKind::separable) make_general(problem);
  problem.name = "free particles";
  problem.potential = {};
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    const auto start = point_in<S>(problem.start);
    const S h(problem.h);
    const auto begun = begin(subject, *run, start, h);
    run->step(h, 1);
    const auto end = run->point();
    const std::vector<S> v = forces.velocity(start.p);
    Measured worst{0, "free particles"};
    for (std::size_t i = 0; i < v.size(); ++i) {
      const S advance = (end.q[i] - begun.q[i]) / h;
      if (const double wrong = size_of(S(advance - v[i])); is_worse(wrong, worst.value))
        worst = {wrong, format("a step of h advances a free particle of the mass %.6g by %s h times its velocity",
                               problem.masses[i], unlike(size_of(advance) / size_of(v[i]), 1, 10).c_str())};
      if (const double wrong = size_of(S(end.p[i] - start.p[i])); is_worse(wrong, worst.value))
        worst = {.value = wrong,
                 .note = format("the momentum of a free particle becomes %s times what it was",
                                unlike(size_of(end.p[i]) / size_of(start.p[i]), 1, 10).c_str()),
                 .cause = Cause::changed_momentum};
    }
    return worst;
  });
}

Measured Measurements::constant_force(ForeignSubject& subject, int order, double h_of_step, bool general) {
  JudgedProblem problem{.name = "a constant force", .masses = {1, 2}, .potential = {}};
  problem.potential.add(-1, {0}).add(0.5, {1});
  problem.start = {0, {0.5, 0.25}, {0.25, -0.5}};
  problem.h = h_of_step;
  if (general) {
    make_general(problem);
    problem.start = {0, {0, 0}, {0, 0}};  // so that a short path has all its digits
  }
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    const S h(problem.h);
    const auto start = begin(subject, *run, point_in<S>(problem.start), h);
    run->step(h, 1);
    const auto end = run->point();
    Measured worst{0, problem.name};
    const std::array<double, 2> force{1, -0.5};
    for (std::size_t i = 0; i < 2; ++i) {
      const S change = (end.p[i] - start.p[i]) / h, wanted(force[i]);
      const S m(problem.masses[i]);
      const S path = (end.q[i] - start.q[i] - h * start.p[i] / m) / (h * h / S(2)) * m;
      const auto times_wanted = [&](const S& x) {
        const double sign = size_of(S(x + wanted)) < size_of(S(x - wanted)) ? -1 : 1;
        return sign * size_of(x) / size_of(wanted);
      };
      if (const double wrong = size_of(S(change - wanted)); is_worse(wrong, worst.value))
        worst = {wrong,
                 format("the momentum changes by %s times force times h", unlike(times_wanted(change), 1, 10).c_str())};
      if (const double wrong = size_of(S(path - wanted)); order >= 2 && is_worse(wrong, worst.value))
        worst = {wrong, format("the position changes by %s times h^2/2 times force over mass",
                               unlike(times_wanted(path), 1, 10).c_str())};
    }
    return worst;
  });
}

namespace {

/// Returns whether momenta are m (q1 - q0) / h, as where velocities are differences of positions: after a step of 2^-20 from rest
/// each is a whole number of the last bits of its position, and right to four of them. Half of the kick may come after the
/// difference.
bool momenta_are_differences(ForeignRun<double>& run, Forces<double>& forces, const TimedPoint<double>& start) {
  constexpr double h = 0x1p-20;
  const TimedPoint<double> end = after(run, start, h, 1);
  const std::vector<double> g = forces.gradient(start.t, start.q);
  const std::vector<double>& masses = forces.problem().masses;
  return std::ranges::any_of(std::array{0.0, 0.5}, [&](double later) {
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double last_bit = std::ldexp(1.0, std::ilogb(start.q[i]) - 52);
      const double kick = -h * h * g[i] / masses[i] / last_bit, bits = end.p[i] * h / masses[i] / last_bit,
                   difference = bits - later * kick;
      if (!(std::abs(difference - std::round(difference)) < 0x1p-10) || !(std::abs(bits - kick) < 4)) return false;
    }
    return true;
  });
}

}  // namespace

Measured Measurements::precision(ForeignSubject& subject, const JudgedProblem& like, bool is_control) {
  JudgedProblem problem = like;
  // A force that depends on time changes by a share of h.
  std::erase_if(problem.potential.terms, [&](const Monomial& term) {
    return !term.factors.empty() && term.factors.back().first >= problem.size();
  });
  constexpr double h = 0x1p-26;
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    TimedPoint<S> start{S(problem.start.t), {}, {}};
    for (int i = 0; i < problem.size(); ++i) {
      start.q.push_back(S(1.0 / (3 + 2 * i)));  // the double next to it
      start.p.push_back(S(0));
    }
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    if constexpr (std::is_same_v<S, double>)
      if (!is_control && momenta_are_differences(*run, forces, start))
        throw ProblemRefused(
            "momenta are differences of positions over h: after a step of 2^-26 they are the rounding of positions");
    start = begin(subject, *run, start, S(h));
    run->step(S(h), 1);
    const auto end = run->point();
    const std::vector<S> g = forces.gradient(start.t, start.q);
    Measured worst{0, "no number has lost its bits"};
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double force = size_of(S(end.p[i] - start.p[i] + S(h) * g[i])) / (h * size_of(g[i]));
      const double place = size_of(S(end.q[i] - start.q[i])) / size_of(start.q[i]);
      if (is_worse(force, worst.value)) worst = {force, "momenta are off by this share of h times the gradient"};
      if (is_worse(place, worst.value)) worst = {place, "positions are off by this share"};
    }
    if constexpr (std::is_same_v<S, double>) {
      const auto is_short = [](double x) { return static_cast<double>(static_cast<float>(x)) == x; };
      const bool is_at_rest = std::ranges::all_of(end.p, [](double x) { return x == 0; });
      if (worst.value > 0 && std::isfinite(worst.value) && !is_at_rest && std::ranges::all_of(end.p, is_short)) {
        worst.note += "; all momenta have 24 bits";
        worst.cause = Cause::short_numbers;
      }
    }
    return worst;
  });
}

Measured Measurements::forces_of_time(ForeignSubject& subject, int order) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Measured worst{0};
    for (int power = 0; power < std::min(order, 4); ++power) {
      JudgedProblem problem{.name = "a force of time", .kind = ProblemKind::timed, .masses = {1}, .potential = {}};
      std::vector<int> variables(static_cast<std::size_t>(power) + 1, 1);
      variables.front() = 0;
      problem.potential.add(-1, variables);
      const double t = 1.0 / 3;  // with 0.3 the end would have two digits
      problem.start = {t, {0}, {0}};
      Forces<S> forces(problem);
      const auto run = subject.in<S>(forces);
      // Times of all 53 bits, also in the middle of the step.
      constexpr double h = 1.3;
      const auto begun = begin(subject, *run, point_in<S>(problem.start), S(h));
      run->step(S(h), 1);
      const double from = subject.declares().memory ? t + h * static_cast<double>(steps_of_start) : t;
      const double exact = (std::pow(from + h, power + 1) - std::pow(from, power + 1)) / (power + 1);
      const double wrong = size_of(S(run->point().p[0] - begun.p[0] - S(exact)));
      if (is_worse(wrong, worst.value)) worst = {wrong, format("largest for the force t^%d", power)};
    }
    return worst;
  });
}

namespace {

/// Returns the spectral radius of a step of the oscillator, exactly one where the step turns without growing. Throws ForeignRefusal
/// if a state is not a number.
double spectral_radius(ForeignRun<double>& run, double h) {
  const auto a = after<double>(run, {0, {1}, {0}}, h, 1), b = after<double>(run, {0, {0}, {1}}, h, 1);
  if (std::isnan(worse(size_of(a), size_of(b)))) throw ForeignRefusal("a state is not a number");
  const double trace = a.q[0] + b.p[0], determinant = a.q[0] * b.p[0] - a.p[0] * b.q[0];
  const double under = trace * trace / 4 - determinant;
  if (under <= 0) return std::sqrt(std::abs(determinant));
  return std::abs(trace) / 2 + std::sqrt(under);
}

}  // namespace

Measured Measurements::stability_limit(ForeignSubject& subject, double most) {
  JudgedProblem problem{.name = "oscillator", .masses = {1}, .potential = {}};
  problem.potential.add(0.5, {0, 0});
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  // Rounding of a trace of size h^2 and of a determinant near one.
  const double growth = double_bounds(subject.declares()).holds;
  const auto stable = [&](double h) { return spectral_radius(*run, h) <= 1 + growth * (1 + h * h); };
  double low = 0, high = 0;
  // A sixteenth: narrower windows of instability are not seen.
  for (int k = 1; k / 16.0 <= most && high == 0; ++k) (stable(k / 16.0) ? low : high) = k / 16.0;
  if (high == 0) return {low, "stable in the whole range"};
  for (int k = 0; k < 30; ++k) {
    const double middle = (low + high) / 2;
    (stable(middle) ? low : high) = middle;
  }
  // Where all short steps grow, growth is a power of h, seen from where it is more than rounding on. At a limit it rises from none.
  const auto growth_at = [&](double h) { return spectral_radius(*run, h) - 1; };
  const double once = growth_at(high), twice = growth_at(std::sqrt(2) * high), fourfold = growth_at(2 * high);
  const double power = 2 * std::log2(twice / once), next = 2 * std::log2(fourfold / twice);
  if (power > 1.5 && power < 16 && std::abs(next - power) < 1)
    return {0,
            format("short steps grow, by %.2g at h omega = %.3g and with h^%.0f; in double this is seen from %.3g on",
                   fourfold, 2 * high, std::round(power), high)};
  return {low, format("unstable at %.6g", high)};
}

Measured Measurements::growth_of_several(ForeignSubject& subject, double h) {
  JudgedProblem problem{.name = "three oscillators", .masses = {1, 2, 0.5}, .potential = {}};
  problem.potential.add(0.5, {0, 0}).add(0.25, {1, 1}).add(0.015625, {2, 2});
  problem.start = {0, {1, 1, 1}, {0, 0.5, 0.25}};
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  run->start(problem.start);
  double largest = 0;
  for (int k = 0; k < 32; ++k) {
    run->step(h, 16);
    const double size = size_of(run->point());
    // No step is so unstable that the first ones grow beyond all numbers.
    if (!std::isfinite(size))
      return {k == 0 ? not_a_number : std::numeric_limits<double>::max(), "it grows beyond all numbers"};
    largest = std::max(largest, size);
  }
  return {largest / size_of(problem.start), format("h omega = %.4g", h)};
}

Measured Measurements::energy_drift(ForeignSubject& subject, const JudgedProblem& problem, long steps,
                                    double rounding) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  constexpr long per_sample = 16, blocks = 32;
  const long samples = steps / per_sample;
  run->start(problem.start);
  const double first = forces.energy(problem.start);
  double largest = 0;
  std::vector<double> mean(blocks, 0);
  for (long k = 0; k < samples; ++k) {
    run->step(problem.h, per_sample);
    const double error = forces.energy(run->point()) - first;
    largest = std::max(largest, std::abs(error));
    // Beyond what double holds is a drift, and not a number that is missing.
    if (!std::isfinite(error)) return {std::numeric_limits<double>::max(), "the energy grows beyond all numbers"};
    mean[static_cast<std::size_t>(k * blocks / samples)] +=
        error * static_cast<double>(blocks) / static_cast<double>(samples);
  }
  // The slope of the line through the means of the blocks, times the length of the run.
  double slope = 0, weight = 0;
  for (long k = 0; k < blocks; ++k) {
    const double x = (static_cast<double>(k) + 0.5) / blocks - 0.5;
    slope += x * mean[static_cast<std::size_t>(k)];
    weight += x * x;
  }
  slope /= weight;
  // Errors of q and p of this size drift as they please. Numbers are of order one.
  double of_one = 0;
  for (const std::vector<double>& rates :
       {forces.velocity(problem.start.p), forces.gradient(problem.start.t, problem.start.q)})
    for (const double rate : rates) of_one += std::abs(rate);
  const double floor = rounding * static_cast<double>(steps) * of_one;
  return {std::abs(slope) / std::max(largest, floor),
          format("drift %.3g, largest energy error %.3g in %ld steps", slope, largest, steps)};
}

Measured Measurements::number_types(ForeignSubject& subject, const JudgedProblem& problem, NumberType other) {
  const auto compare = [&]<class S>(S) -> Measured {
    const double h = step_of<S>(problem);
    Forces<double> forces(problem);
    const auto in_double = joined(after(*subject.in_double(forces), problem.start, h, 1));
    Forces<S> forces_of_other(problem);
    const auto there = joined(after(*subject.in<S>(forces_of_other), point_in<S>(problem.start), S(h), 1));
    Measured worst{0, problem.name};
    double size = 0;
    for (const S& entry : there) size = worse(size, size_of(entry));
    for (std::size_t i = 0; i < there.size(); ++i) {
      const double difference = size_of(S(there[i] - S(in_double[i]))) / size;
      if (is_worse(difference, worst.value)) worst.value = difference;
    }
    return worst;
  };
  if (other == NumberType::digits) return compare(Float50());
  if (other == NumberType::rational) return compare(Rational());
  return compare(std::complex<double>());
}

}  // namespace livi
