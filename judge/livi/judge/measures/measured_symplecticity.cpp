// SPDX-License-Identifier: MIT
//
// Measurements: what a step does to loop integrals of p dq and to the form dq ^ dp.
#include <livi/judge/measures/run_points.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <livi/judge/problems/drawn_numbers.hpp>

namespace livi {
using namespace foreign_detail;

namespace {

/// A closed curve of phase space: centre + size (u cos + w sin).
struct Loop {
  std::vector<double> u, w;
};

/// Returns loops in every plane of two coordinates where these are few, and some across all of them.
std::vector<Loop> loops_of(const JudgedProblem& problem, std::uint64_t seed, int across, bool planes) {
  const auto n = static_cast<std::size_t>(2 * problem.size());
  std::vector<Loop> loops;
  if (planes && n <= 6)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        Loop loop{std::vector<double>(n, 0), std::vector<double>(n, 0)};
        loop.u[i] = loop.w[j] = 1;
        loops.push_back(std::move(loop));
      }
  DrawnNumbers random(seed ^ n);
  for (int k = 0; k < across; ++k) {
    Loop loop;
    // A loop is no point: with one degree of freedom all entries may be drawn as zeros.
    for (auto* direction : {&loop.u, &loop.w}) {
      do {
        direction->clear();
        for (std::size_t i = 0; i < n; ++i) direction->push_back((static_cast<double>(random.below(17)) - 8) / 8);
      } while (std::ranges::all_of(*direction, [](double x) { return x == 0; }));
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

/// Returns the integral of p dq over a closed curve through `points`, equally spaced in its parameter: the derivative
/// dq is that of the trigonometric interpolation, so that the error falls faster than any power of their number.
template <class S>
S integral_of_p_dq(const std::vector<TimedPoint<S>>& points, const std::vector<S>& cosine, const std::vector<S>& sine) {
  const std::size_t count = points.size();
  S sum(0);
  for (std::size_t i = 0; i < points.front().q.size(); ++i)
    for (std::size_t k = 1; k < count / 2; ++k) {
      // Fourier coefficients a cos + b sin of q and p; the integral is pi times the sum of k (a_p b_q - b_p a_q).
      S aq(0), bq(0), ap(0), bp(0);
      for (std::size_t j = 0; j < count; ++j) {
        const std::size_t at = j * k % count;
        aq = aq + points[j].q[i] * cosine[at];
        bq = bq + points[j].q[i] * sine[at];
        ap = ap + points[j].p[i] * cosine[at];
        bp = bp + points[j].p[i] * sine[at];
      }
      sum = sum + S(static_cast<double>(k)) * (ap * bq - bp * aq);
    }
  const double scale = 2.0 / static_cast<double>(count);
  return sum * S(scale * scale);  // without the factor pi, which all loops share
}

/// The loops' size, and the number of points on each. With these the trigonometric series of most steps has fallen below
/// rounding before the points are too few for it; where half of the points show that it has not, the loop shrinks.
template <class S>
struct LoopShape {
  static constexpr double size = 0.25;
  static constexpr std::size_t points = 32;
};
template <>
struct LoopShape<Float50> {
  static constexpr double size = 1.0 / 64;
  static constexpr std::size_t points = 48;
};

/// By four each. What is left of a smooth map on a loop of a thousandth is a parabola: where half of the points still show
/// something else, the step is not smooth, which is a defect of it and none of the loop.
constexpr int most_shrinkings = 4;
constexpr const char* not_smooth =
    "; the points of a small loop lie on no curve: the step is not smooth there, or makes its numbers so large that "
    "they are rounded";

Measured lost_loops(const JudgedProblem& problem) {
  return {.value = not_a_number,
          .note = problem.name + ": the loops are lost in the rounding of where a step leads",
          .cause = Cause::lost_in_rounding};
}

/// The change of the integral of p dq from one closed curve to another, in units of `size`, from all of their points.
struct ChangeOfLoop {
  double value;
  bool resolved;  ///< half of the points give the same up to `tolerance`, or a thousandth of it
};
template <class S>
ChangeOfLoop change_of_loop(const std::vector<TimedPoint<S>>& before, const std::vector<TimedPoint<S>>& after,
                            const std::vector<S>& cosine, const std::vector<S>& sine, double size, double tolerance) {
  const auto every_other = [](const auto& all) {
    auto half = all;
    half.clear();
    for (std::size_t k = 0; k < all.size(); k += 2) half.push_back(all[k]);
    return half;
  };
  const S whole = integral_of_p_dq(after, cosine, sine) - integral_of_p_dq(before, cosine, sine);
  const auto cosine_of_half = every_other(cosine), sine_of_half = every_other(sine);
  const S half = integral_of_p_dq(every_other(after), cosine_of_half, sine_of_half) -
                 integral_of_p_dq(every_other(before), cosine_of_half, sine_of_half);
  const double value = size_of(whole) / size, difference = size_of(S(whole - half)) / size;
  // A value that is no number is not to be tried again.
  return {value, std::isnan(value) || difference <= std::max(tolerance, value / 1000)};
}

/// Returns the change that the rounding of points of such a size and spread may make, in units of `size`.
template <class S>
double rounding_of_loop(const std::vector<TimedPoint<S>>& points, double size) {
  double sum = 0;
  for (std::size_t i = 0; i < points.front().q.size(); ++i) {
    double largest_q = 0, largest_p = 0, spread_of_q = 0, spread_of_p = 0;
    for (const TimedPoint<S>& z : points) {
      largest_q = std::max(largest_q, size_of(z.q[i]));
      largest_p = std::max(largest_p, size_of(z.p[i]));
      spread_of_q = std::max(spread_of_q, size_of(S(z.q[i] - points.front().q[i])));
      spread_of_p = std::max(spread_of_p, size_of(S(z.p[i] - points.front().p[i])));
    }
    sum += largest_q * spread_of_p + largest_p * spread_of_q;
  }
  return size_of(S(std::numeric_limits<S>::epsilon())) * sum / size;
}

template <class S>
Measured loop_integral_in(ForeignSubject& subject, const JudgedProblem& problem, std::uint64_t seed) {
  using std::cos, std::sin;
  constexpr std::size_t count = LoopShape<S>::points;
  std::vector<S> cosine(count, S(0)), sine(count, S(0));
  const S pi = acos(S(-1));
  for (std::size_t k = 0; k < count; ++k) {
    const S angle = S(2) * pi * S(static_cast<double>(k)) / S(static_cast<double>(count));
    cosine[k] = cos(angle);
    sine[k] = sin(angle);
  }
  Forces<S> forces(problem);
  const auto run = subject.in<S>(forces);
  const std::vector<S> centre = joined(point_in<S>(problem.start));
  Measured worst{0};
  const bool many_digits = std::is_same_v<S, Float50>;
  // In many digits a loop takes its time.
  const bool memory = subject.declares().memory;
  const auto loops = loops_of(problem, seed,
                              memory               ? 2
                              : !many_digits       ? 6
                              : problem.size() > 6 ? 1
                                                   : 4,
                              !many_digits && !memory);
  // Half of what counts as holding.
  const double tolerance =
      (many_digits ? digits_bounds(subject.declares()) : double_bounds(subject.declares())).holds / 2;
  std::size_t left_out = 0;
  for (std::size_t number = 0; number < loops.size(); ++number) {
    const Loop& loop = loops[number];
    std::vector<TimedPoint<S>> before, once, twice;
    double length = 0;
    for (std::size_t i = 0; i < loop.u.size(); ++i)
      length = std::max({length, loop.u[i] * loop.u[i], loop.w[i] * loop.w[i]});
    double size = LoopShape<S>::size;
    for (int shrinking = 0;; ++shrinking, size /= 4) {
      before.clear();
      once.clear();
      twice.clear();
      for (std::size_t k = 0; k < count; ++k) {
        std::vector<S> z = centre;
        for (std::size_t i = 0; i < z.size(); ++i)
          z[i] = z[i] + S(size) * (S(loop.u[i]) * cosine[k] + S(loop.w[i]) * sine[k]);
        // A method with a memory makes many short steps, after those of its starting procedure.
        const S h(memory ? problem.h / static_cast<double>(steps_of_start) : problem.h);
        const long steps = memory ? steps_of_start : 1;
        before.push_back(begin(subject, *run, split(S(problem.start.t), z), h));
        run->step(h, steps);
        once.push_back(run->point());
        run->step(memory ? h : S(2 * problem.h), steps);
        twice.push_back(run->point());
      }
      const ChangeOfLoop of_one = change_of_loop(before, once, cosine, sine, size * size * length, tolerance);
      const ChangeOfLoop of_two = change_of_loop(before, twice, cosine, sine, size * size * length, tolerance);
      const bool resolved = of_one.resolved && of_two.resolved;
      if (!resolved && shrinking < most_shrinkings) continue;
      // A step that leads far away, or bends what is near, shows nothing on a loop that its numbers do not resolve.
      if (!resolved &&
          std::max(of_one.value, of_two.value) <= 64 * std::max(rounding_of_loop(once, size * size * length),
                                                                rounding_of_loop(twice, size * size * length))) {
        ++left_out;
        break;
      }
      for (const auto* change : {&of_one, &of_two}) {
        if (!is_worse(change->value, worst.value)) continue;
        worst.value = change->value;
        worst.note = format("%s, loop %zu of %zu, %s", problem.name.c_str(), number + 1, loops.size(),
                            memory              ? "after the steps of its start"
                            : change == &of_one ? "one step"
                                                : "two steps");
        if (!resolved) worst.note += not_smooth;
      }
      break;
    }
    if (std::isnan(worst.value)) return worst;
  }
  if (left_out == loops.size()) return lost_loops(problem);
  return worst;
}

/// Returns the same, of shorter steps where those of the problem lead so far away that nothing is left of the loops.
template <class S>
Measured loop_integral_of_short_steps(ForeignSubject& subject, const JudgedProblem& problem, std::uint64_t seed) {
  const Measured of_problem = loop_integral_in<S>(subject, problem, seed);
  constexpr double shares[]{4, 16};
  for (const double share : shares) {
    if (!std::isnan(of_problem.value) || of_problem.cause != Cause::lost_in_rounding) break;
    JudgedProblem shorter = problem;
    shorter.h /= share;
    Measured of_shorter = loop_integral_in<S>(subject, shorter, seed);
    if (std::isnan(of_shorter.value)) continue;
    of_shorter.note += format(", steps of h/%g: longer ones lead too far away", share);
    return of_shorter;
  }
  return of_problem;
}

/// Returns the largest entry of J^T Omega J - Omega, J given by its columns.
template <class S>
S symplectic_defect(const std::vector<std::vector<S>>& columns) {
  const std::size_t n = columns.size() / 2;
  S worst(0);
  for (std::size_t a = 0; a < 2 * n; ++a)
    for (std::size_t b = a + 1; b < 2 * n; ++b) {
      S form(b == a + n ? -1 : 0);
      for (std::size_t i = 0; i < n; ++i)
        form = form + columns[a][i] * columns[b][n + i] - columns[a][n + i] * columns[b][i];
      if (form < S(0)) form = -form;
      // What is no number stays the worst.
      if (worst == worst && !(form <= worst)) worst = form;
    }
  return worst;
}

}  // namespace

Measured Measurements::loop_integral(ForeignSubject& subject, const JudgedProblem& problem, NumberType type) {
  return type == NumberType::real ? loop_integral_of_short_steps<double>(subject, problem, seed_)
                                  : loop_integral_of_short_steps<Float50>(subject, problem, seed_);
}

Measured Measurements::one_loop(ForeignSubject& subject, const JudgedProblem& problem) {
  constexpr std::size_t count = 16;
  std::vector<double> cosine(count, 0), sine(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    cosine[k] = std::cos(2 * std::numbers::pi * static_cast<double>(k) / count);
    sine[k] = std::sin(2 * std::numbers::pi * static_cast<double>(k) / count);
  }
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  // Positions and momenta have sizes of their own, and the loop has a sixteenth of each.
  double of_q = 0, of_p = 0;
  for (const double q : problem.start.q) of_q = std::max(of_q, std::abs(q));
  for (const double p : problem.start.p) of_p = std::max(of_p, std::abs(p));
  if (of_q == 0) of_q = 1;
  if (of_p == 0) of_p = of_q * problem.masses[0] / problem.h / 4;
  const Loop loop = loops_of(problem, seed_, 1, false).front();
  const auto n = static_cast<std::size_t>(problem.size());
  // In units of the loop's size, as everywhere; rounding, in proportion to the size of the numbers, is 16 times as large.
  double share = 1.0 / 16;
  for (int shrinking = 0;; ++shrinking, share /= 4) {
    std::vector<TimedPoint<double>> before, once;
    for (std::size_t k = 0; k < count; ++k) {
      TimedPoint<double> z = problem.start;
      for (std::size_t i = 0; i < n; ++i) {
        z.q[i] += of_q * share * (loop.u[i] * cosine[k] + loop.w[i] * sine[k]);
        z.p[i] += of_p * share * (loop.u[n + i] * cosine[k] + loop.w[n + i] * sine[k]);
      }
      before.push_back(z);
      once.push_back(after(*run, z, 2 * problem.h, 1));
    }
    const ChangeOfLoop change =
        change_of_loop(before, once, cosine, sine, static_cast<double>(n) * of_q * share * of_p * share,
                       double_bounds(subject.declares()).holds / 2);
    if (change.resolved) return {change.value, problem.name};
    if (shrinking == most_shrinkings) return {change.value, problem.name + not_smooth};
  }
}

Measured Measurements::complex_step(ForeignSubject& subject, const JudgedProblem& problem) {
  using Complex = std::complex<double>;
  Forces<Complex> forces(problem);
  const auto run = subject.in_complex(forces);
  const auto centre = joined(point_in<Complex>(problem.start));
  std::vector<std::vector<double>> columns;
  for (std::size_t j = 0; j < centre.size(); ++j) {
    auto z = centre;
    z[j] += Complex(0, 0x1p-200);
    std::vector<double> column;
    for (const Complex& entry : joined(after(*run, split(Complex(problem.start.t), z), Complex(problem.h), 1)))
      column.push_back(std::ldexp(entry.imag(), 200));
    columns.push_back(std::move(column));
  }
  return {symplectic_defect(columns), problem.name};
}

Measured Measurements::exact_in_fractions(ForeignSubject& subject, const JudgedProblem& problem) {
  Forces<Rational> forces(problem);
  const auto run = subject.in_rational(forces);
  const Rational h(step_of<Rational>(problem)), t(problem.start.t);
  const auto centre = joined(point_in<Rational>(problem.start));
  const auto end = joined(after(*run, split(t, centre), h, 1));
  Integer common(1);
  for (const Rational& entry : end) common = lcm(common, denominator(entry));
  // A derivative of P/Q has at most the denominator Q^2, and an entry of J^T Omega J, a sum of products of two, Q^4: if
  // it is not zero, it is at least 2^-(4 bits). A variation of s changes it by s times numbers of moderate size.
  const auto bits = static_cast<unsigned>(msb(common) + 1);
  const unsigned exponent = 8 * bits + 128;
  const Rational s(Integer(1), pow(Integer(2), exponent));
  std::vector<std::vector<Rational>> columns;
  for (std::size_t j = 0; j < centre.size(); ++j) {
    auto z = centre;
    z[j] += s;
    std::vector<Rational> column = joined(after(*run, split(t, z), h, 1));
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - end[i]) / s;
    columns.push_back(std::move(column));
  }
  const Rational defect = symplectic_defect(columns);
  const bool zero = defect < Rational(Integer(1), pow(Integer(2), 4 * bits + 64));
  return {zero ? 0 : size_of(defect),
          format("%s; variations of 2^-%u, no value but zero is below 2^-%u", problem.name.c_str(), exponent, 4 * bits),
          true};
}

Measured Measurements::exact_in_double(ForeignSubject& subject, const JudgedProblem& problem) {
  // Through nine points goes one polynomial of degree eight; that its four highest differences vanish in every entry of
  // every line is no accident of rounding.
  constexpr int reach = 4, degree = 4;
  constexpr double unit = 0.25;
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const auto centre = joined(problem.start);
  std::vector<std::vector<Rational>> columns;
  for (std::size_t j = 0; j < centre.size(); ++j) {
    std::vector<std::vector<Rational>> differences;  // of all entries, at -reach ... reach
    for (int k = -reach; k <= reach; ++k) {
      auto z = centre;
      z[j] += unit * k;
      std::vector<Rational> entries;
      for (const double entry : joined(after(*run, split(problem.start.t, z), problem.h, 1))) {
        if (!std::isfinite(entry)) return {not_a_number, "a value is not finite"};
        entries.emplace_back(entry);
      }
      differences.push_back(std::move(entries));
    }
    // Newton's forward differences at -reach: f(-reach + x) = sum of D_k binomial(x, k).
    std::vector<std::vector<Rational>> leading{differences.front()};
    for (int order = 1; order <= 2 * reach; ++order) {
      for (std::size_t k = 0; k + 1 < differences.size(); ++k)
        for (std::size_t i = 0; i < centre.size(); ++i) differences[k][i] = differences[k + 1][i] - differences[k][i];
      differences.pop_back();
      leading.push_back(differences.front());
    }
    for (std::size_t order = degree + 1; order < leading.size(); ++order)
      for (const Rational& entry : leading[order])
        if (!(entry == Rational(0)))
          return {not_a_number, "its operations round, or its step is of a higher degree than four"};
    // The derivative of binomial(x, k) at x = reach.
    std::vector<Rational> column(centre.size());
    for (int order = 1; order <= degree; ++order) {
      Rational slope;
      for (int leave = 0; leave < order; ++leave) {
        Rational product(1);
        for (int m = 0; m < order; ++m)
          if (m != leave) product *= Rational(reach - m);
        slope += product;
      }
      for (int m = 2; m <= order; ++m) slope /= Rational(m);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] += slope * leading[static_cast<std::size_t>(order)][i];
    }
    for (Rational& entry : column) entry /= Rational(unit);
    columns.push_back(std::move(column));
  }
  return {size_of(symplectic_defect(columns)), problem.name, true};
}

}  // namespace livi
