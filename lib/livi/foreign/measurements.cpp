// SPDX-License-Identifier: MIT
#include <livi/foreign/measured_text.hpp>
#include <livi/foreign/measurements.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <livi/foreign/declared_accuracy.hpp>
#include <livi/foreign/drawn_numbers.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon() / 2;

/// Returns the relative error of an operation in double that a subject declares.
double rounding_of(const ForeignSubject& subject) { return declared_rounding(subject.declares(), NumberType::real); }

template <class S>
double size_of(const S& x) {
  if constexpr (std::is_same_v<S, std::complex<double>> || std::is_same_v<S, double>) {
    return std::abs(x);
  } else {
    return std::abs(x.template convert_to<double>());
  }
}

template <class S>
double size_of(const TimedPoint<S>& z) {
  double largest = 0;
  for (const auto* x : {&z.q, &z.p})
    for (const S& entry : *x) largest = worse(largest, size_of(entry));
  return largest;
}

/// Returns the step of a problem. Fractions grow with every digit: for them it is the one next to it of five bits.
template <class S>
double step_of(const JudgedProblem& problem) {
  return std::is_same_v<S, Rational> ? std::round(32 * problem.h) / 32 : problem.h;
}

Float50 in_50_digits(double x) { return Float50(x); }
Float50 in_50_digits(const Float50& x) { return x; }
Float50 in_50_digits(const Rational& x) { return Float50(x); }

/// Returns the Euclidean distance of two vectors.
template <class S>
double distance(const std::vector<S>& a, const std::vector<Float50>& b) {
  Float50 sum(0);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Float50 difference = in_50_digits(a[i]) - b[i];
    sum += difference * difference;
  }
  return sqrt(sum).convert_to<double>();
}

template <class S>
TimedPoint<S> after(ForeignRun<S>& run, const TimedPoint<S>& from, const S& h, long steps) {
  run.start(from);
  run.step(h, steps);
  return run.point();
}

/// Returns the phase-space point as one vector of q and p.
template <class S>
std::vector<S> joined(const TimedPoint<S>& z) {
  std::vector<S> all = z.q;
  all.insert(all.end(), z.p.begin(), z.p.end());
  return all;
}
template <class S>
TimedPoint<S> split(const S& t, const std::vector<S>& all) {
  const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  return {t, {all.begin(), half}, {half, all.end()}};
}

}  // namespace

const TimedPoint<Float50>& Measurements::motion(const JudgedProblem& problem, double time) {
  const auto key = std::pair(problem.name, time);
  const auto found = motions_.find(key);
  if (found != motions_.end()) return found->second;
  // Rounding of double is 1e-16; short times are for local errors, which 50 digits measure.
  const double tolerance = std::abs(time) > 0x1p-6 ? 1e-21 : 1e-44;
  return motions_[key] = exact_motion(problem, point_in<Float50>(problem.start), Float50(time), tolerance);
}

void settle_order(MeasuredOrder& result, const std::vector<MeasuredError>& errors, const std::string& met) {
  const auto slope_of = [&](double MeasuredError::*of) {
    double slope = not_a_number, before = not_a_number;
    for (std::size_t k = 1; k < errors.size() && !(errors[k].*of < errors[k].floor); ++k) {
      before = slope;
      slope = std::log2(errors[k - 1].*of / errors[k].*of);
    }
    if (!std::isnan(before) && std::abs(slope) < 0.25 && before < 0.9 && errors.size() > 4)
      result.stalled = std::max(result.stalled, errors.back().*of);
    if (std::isnan(slope) || std::isnan(before)) {
      result.why_undecided = "errors meet " + met + " before two slopes are seen";
      result.shows_nothing = !errors.empty() && !std::isnan(errors.back().*of);
    } else if (std::abs(slope - before) > 0.4 && result.stalled == 0) {
      result.why_undecided = format("slopes have not settled: %.2f, then %.2f", before, slope);
      result.shows_nothing = true;
    }
    return slope;
  };
  result.q = slope_of(&MeasuredError::q);
  result.p = slope_of(&MeasuredError::p);
}

MeasuredOrder Measurements::order(ForeignSubject& subject, const JudgedProblem& problem, double time) {
  const TimedPoint<Float50> exact = motion(problem, time);
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  std::vector<MeasuredError> errors;
  const double of_one = rounding_of(subject) * (1 + size_of(exact));
  const bool is_coarse = !declared_accuracy(subject.declares()).empty();
  const double floor_of_one = (is_coarse ? 8 : 64) * of_one;
  MeasuredOrder result{not_a_number, not_a_number};
  // Methods of high order meet rounding after one or two halvings: they begin with a single step.
  const int coarsest = subject.declares().order.value_or(0) >= (is_coarse ? 3 : 6) ? 0 : 2;
  int first = coarsest;
  for (int level = coarsest; level <= finest_; ++level) {
    const long steps = 1L << level;
    const TimedPoint<double> end = after(*run, problem.start, time / static_cast<double>(steps), steps);
    // An error of 300 times the rounding of one step disturbs the slope by less than a hundredth; of 30 times what is
    // declared, which leaves fewer steps to see, by a tenth. Rounding adds up like a random walk.
    const double walk = std::sqrt(static_cast<double>(steps));
    const MeasuredError error{distance(end.q, exact.q), distance(end.p, exact.p),
                              (is_coarse ? 30 : 300) * of_one * walk};
    if (level < 2 && !(std::isfinite(error.q) && std::isfinite(error.p))) {
      first = level + 1;
      errors.clear();
      continue;
    }
    if (!std::isfinite(error.q) || !std::isfinite(error.p)) {
      result.why_undecided = format("after %ld steps the point is not finite", steps);
      return result;
    }
    errors.push_back(error);
    // Where errors are near rounding, finer steps show nothing more.
    if (std::max(error.q, error.p) < floor_of_one * walk) break;
  }
  // The last four say what the slope says.
  for (std::size_t k = errors.size() - std::min<std::size_t>(errors.size(), 4); k < errors.size(); ++k)
    result.table += format("%sh = 1/%ld: %.2g", result.table.empty() ? "" : ", ",
                           std::lround(std::ldexp(1.0, static_cast<int>(k) + first) / std::abs(time)),
                           std::max(errors[k].q, errors[k].p));
  settle_order(result, errors);
  return result;
}

namespace {

/// Returns the longer one of two steps from which a local order is measured.
double local_step(const JudgedProblem& problem) { return std::copysign(0x1p-10, problem.h); }

template <class S>
MeasuredOrder local_order_in(ForeignSubject& subject, const JudgedProblem& problem, const TimedPoint<Float50>& coarse,
                             const TimedPoint<Float50>& fine) {
  Forces<S> forces(problem);
  const auto run = subject.in<S>(forces);
  const auto start = point_in<S>(problem.start);
  const double h = local_step(problem);
  const auto one = after(*run, start, S(h), 1), other = after(*run, start, S(h / 2), 1);
  return {std::log2(distance(one.q, coarse.q) / distance(other.q, fine.q)) - 1,
          std::log2(distance(one.p, coarse.p) / distance(other.p, fine.p)) - 1};
}

}  // namespace

MeasuredOrder Measurements::local_order(ForeignSubject& subject, const JudgedProblem& problem, NumberType type) {
  const double h = local_step(problem);
  const TimedPoint<Float50> coarse = motion(problem, h), fine = motion(problem, h / 2);
  return type == NumberType::digits ? local_order_in<Float50>(subject, problem, coarse, fine)
                                    : local_order_in<Rational>(subject, problem, coarse, fine);
}

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
constexpr const char* not_smooth = "; the step is not smooth: the points of a small loop lie on no curve";

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
  const auto loops = loops_of(problem, seed, !many_digits ? 6 : problem.size() > 6 ? 1 : 4, !many_digits);
  // Half of what counts as holding.
  const double tolerance =
      (many_digits ? digits_bounds(subject.declares()) : double_bounds(subject.declares())).holds / 2;
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
        before.push_back(split(S(problem.start.t), z));
        run->start(before.back());
        run->step(S(problem.h), 1);
        once.push_back(run->point());
        run->step(S(2 * problem.h), 1);
        twice.push_back(run->point());
      }
      const ChangeOfLoop of_one = change_of_loop(before, once, cosine, sine, size * size * length, tolerance);
      const ChangeOfLoop of_two = change_of_loop(before, twice, cosine, sine, size * size * length, tolerance);
      const bool resolved = of_one.resolved && of_two.resolved;
      if (!resolved && shrinking < most_shrinkings) continue;
      for (const auto* change : {&of_one, &of_two}) {
        if (!is_worse(change->value, worst.value)) continue;
        worst.value = change->value;
        worst.note = format("%s, loop %zu of %zu, %s", problem.name.c_str(), number + 1, loops.size(),
                            change == &of_one ? "one step" : "two steps");
        if (!resolved) worst.note += not_smooth;
      }
      break;
    }
    if (std::isnan(worst.value)) return worst;
  }
  return worst;
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
  return type == NumberType::real ? loop_integral_in<double>(subject, problem, seed_)
                                  : loop_integral_in<Float50>(subject, problem, seed_);
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

namespace {

template <class S>
Measured reversal_in(ForeignSubject& subject, const JudgedProblem& problem) {
  Forces<S> forces(problem);
  const auto run = subject.in<S>(forces);
  const auto start = point_in<S>(problem.start);
  const double h = 2 * step_of<S>(problem);
  const auto there = after(*run, start, S(h), 1);
  const auto back = after(*run, there, S(-h), 1);
  // Positions and momenta have sizes of their own.
  double relative = 0;
  for (const auto part : {&TimedPoint<S>::q, &TimedPoint<S>::p}) {
    double size = 0, largest = 0;
    for (std::size_t i = 0; i < (start.*part).size(); ++i) {
      size = std::max({size, size_of((start.*part)[i]), size_of((there.*part)[i])});
      const double difference = size_of(S((back.*part)[i] - (start.*part)[i]));
      largest = worse(largest, difference);
    }
    if (std::isnan(largest) || largest > 0) relative = worse(relative, largest / size);
  }
  const bool exact = std::is_same_v<S, Rational>;
  std::string note = problem.name;
  if constexpr (std::is_same_v<S, double>) note += format(", %.3g ulps", relative / (2 * rounding));
  return {relative, note, exact};
}

template <class S>
Measured momentum_in(ForeignSubject& subject, const JudgedProblem& problem, const std::vector<MomentumMap>& maps) {
  Forces<S> forces(problem);
  const auto run = subject.in<S>(forces);
  const auto start = point_in<S>(problem.start);
  const bool exact = std::is_same_v<S, Rational>;
  const double h = step_of<S>(problem);
  // A method that is wrong backwards may gain energy there: few steps, before it is beyond all numbers.
  const auto end = after(*run, start, S(exact ? h : h / 4), exact ? 1 : h < 0 ? 8 : 64);
  const auto value = [](const MomentumMap& map, const TimedPoint<S>& z) {
    S sum(0);
    for (std::size_t i = 0; i < map.b.size(); ++i) sum = sum + S(map.b[i]) * z.p[i];
    for (std::size_t i = 0; i < map.a.size(); ++i)
      for (std::size_t j = 0; j < map.a.size(); ++j) sum = sum + S(map.a[i][j]) * z.q[i] * z.p[j];
    return sum;
  };
  Measured worst{0, "", exact};
  for (const MomentumMap& map : maps) {
    const double change = size_of(S(value(map, end) - value(map, start)));
    if (is_worse(change, worst.value)) worst = {change, map.name + " of " + problem.name, exact};
  }
  return worst;
}

}  // namespace

Measured Measurements::reversal(ForeignSubject& subject, const JudgedProblem& problem, NumberType type) {
  if (type == NumberType::rational) return reversal_in<Rational>(subject, problem);
  return type == NumberType::digits ? reversal_in<Float50>(subject, problem) : reversal_in<double>(subject, problem);
}

Measured Measurements::turned_step(ForeignSubject& subject, const JudgedProblem& problem) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const auto turned = [](TimedPoint<double> z) {
    for (double& p : z.p) p = -p;
    return z;
  };
  run->start(problem.start);
  run->step(-problem.h, 1);
  const TimedPoint<double> back = run->point();
  run->start(turned(problem.start));
  run->step(problem.h, 1);
  const std::vector<double> expected = joined(turned(run->point())), found = joined(back),
                            start = joined(problem.start);
  double size = 0, apart = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    size = worse(size, worse(std::abs(start[i]), std::abs(expected[i])));
    apart = worse(apart, std::abs(found[i] - expected[i]));
  }
  return {apart / size,
          problem.name + format(": a step of %g is not that of %g with momenta turned; a step that is one "
                                "smooth map of h through 0 has both",
                                -problem.h, problem.h)};
}

Measured Measurements::momentum(ForeignSubject& subject, const JudgedProblem& problem,
                                const std::vector<MomentumMap>& maps, NumberType type) {
  if (type == NumberType::rational) return momentum_in<Rational>(subject, problem, maps);
  return type == NumberType::digits ? momentum_in<Float50>(subject, problem, maps)
                                    : momentum_in<double>(subject, problem, maps);
}

namespace {

/// Calls `use` with a number of the first type in which the subject computes.
template <class Use>
Measured in_first_type(ForeignSubject& subject, const Use& use) {
  if (subject.declares().computes_in(NumberType::real)) return use(0.0);
  if (subject.declares().computes_in(NumberType::rational)) return use(Rational());
  if (subject.declares().computes_in(NumberType::digits)) return use(Float50());
  return use(std::complex<double>());
}

template <class S>
double differing(const TimedPoint<S>& a, const TimedPoint<S>& b) {
  const auto x = joined(a), y = joined(b);
  double count = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] == y[i])) ++count;
  return count;
}

/// The steps of a run in floating point; fractions grow with every step.
template <class S>
constexpr int steps_of_run = std::is_same_v<S, Rational> ? 3 : 15;

/// Makes steps that change in size and sign, one by one.
template <class S>
void walk(ForeignRun<S>& run, const JudgedProblem& problem, int steps) {
  constexpr std::array<double, 3> shares{1, -0.5, 0.75};
  for (int k = 0; k < steps; ++k) run.step(S(problem.h * shares[static_cast<std::size_t>(k % 3)]), 1);
}

/// Returns another start for a problem: the first one turned by one place.
template <class S>
TimedPoint<S> another_start(const JudgedProblem& problem) {
  if (!problem.other_start.q.empty()) return point_in<S>(problem.other_start);
  TimedPoint<double> z = problem.start;
  for (auto* x : {&z.q, &z.p})
    for (double& entry : *x) entry = 0.75 * entry + 0.125;
  z.t += 0.25;
  return point_in<S>(z);
}

}  // namespace

Measured Measurements::repetition(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem), other_forces(problem);
    const auto start = point_in<S>(problem.start);
    const auto run = subject.in<S>(forces);
    run->start(start);
    walk(*run, problem, steps_of_run<S>);
    const auto other = subject.another();
    const auto repeated = other->in<S>(other_forces);
    repeated->start(start);
    walk(*repeated, problem, steps_of_run<S>);
    return {differing(run->point(), repeated->point()), problem.name};
  });
}

Measured Measurements::batch(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    const auto start = point_in<S>(problem.start);
    const S h(problem.h / 16);  // a hundred of them are no long time
    double different = 0;
    for (const int count :
         std::is_same_v<S, Rational> ? std::vector<int>{3} : std::vector<int>{2, 3, 10, 15, 16, 100}) {
      const auto at_once = after(*run, start, h, count);
      run->start(start);
      for (int k = 0; k < count; ++k) run->step(h, 1);
      different += differing(at_once, run->point());
    }
    return {different, problem.name};
  });
}

Measured Measurements::history(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem), other_forces(problem);
    const auto run = subject.in<S>(forces);
    const S h(problem.h);
    run->start(another_start<S>(problem));
    walk(*run, problem, 2);
    const auto later = after(*run, point_in<S>(problem.start), h, 2);
    const auto other = subject.another();
    const auto fresh = other->in<S>(other_forces);
    return {differing(later, after(*fresh, point_in<S>(problem.start), h, 2)), problem.name};
  });
}

Measured Measurements::memory(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    std::vector<TimedPoint<S>> points;
    run->start(point_in<S>(problem.start));
    // Steps of one size, in which a method of several steps needs those before, and of changing size.
    const std::vector<double> divisors =
        std::is_same_v<S, Rational> ? std::vector<double>{1, 1, 2} : std::vector<double>{1, 1, 1, 1, 2, 3, 1, 2};
    for (const double divisor : divisors) {
      points.push_back(run->point());
      run->step(S(problem.h / divisor), 1);
    }
    points.push_back(run->point());
    Measured worst{0, problem.name};
    for (std::size_t at = 0; at < divisors.size(); ++at) {
      const auto anew = joined(after(*run, points[at], S(problem.h / divisors[at]), 1)), on = joined(points[at + 1]);
      for (std::size_t i = 0; i < on.size(); ++i) {
        const double difference = size_of(S(anew[i] - on[i])) / size_of(points[at + 1]);
        if (is_worse(difference, worst.value)) worst.value = difference;
      }
    }
    return worst;
  });
}

Measured Measurements::after_many_steps(ForeignSubject& subject, const JudgedProblem& problem) {
  constexpr long steps = 20000, at_once = 100;
  const double h = problem.h / 64;  // a method that is not stable is still near the motion
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  run->start(problem.start);
  for (long k = 0; k < steps; k += at_once) run->step(h, at_once);
  const TimedPoint<double> there = run->point();
  run->step(h, 1);
  const auto on = joined(run->point()), anew = joined(after(*run, there, h, 1));
  double largest = 0;
  for (std::size_t i = 0; i < on.size(); ++i) largest = worse(largest, std::abs(on[i] - anew[i]));
  return {largest / size_of(there), problem.name + format(", after %ld steps", steps)};
}

Measured Measurements::gradients(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    run->start(point_in<S>(problem.start));
    run->step(S(problem.h), 1);
    long least = std::numeric_limits<long>::max(), most = 0;
    for (int k = 0; k < (std::is_same_v<S, Rational> ? 2 : 64); ++k) {
      const long before = forces.gradients;
      run->step(S(problem.h), 1);
      least = std::min(least, forces.gradients - before);
      most = std::max(most, forces.gradients - before);
    }
    if (least != most) return {not_a_number, format("%ld to %ld in a step", least, most)};
    return {static_cast<double>(most)};
  });
}

Measured Measurements::other_evaluations(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    run->start(point_in<S>(problem.start));
    run->step(S(problem.h), 1);
    const long hessians = forces.hessians, thirds = forces.thirds, values = forces.values;
    run->step(S(problem.h), 1);
    return {static_cast<double>(forces.hessians + forces.thirds + forces.values - hessians - thirds - values),
            format("in a step: %ld Hessians, %ld third derivatives, %ld values", forces.hessians - hessians,
                   forces.thirds - thirds, forces.values - values)};
  });
}

std::string Measurements::why_refused(ForeignSubject& subject, const JudgedProblem& problem) {
  std::string why;
  in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    try {
      static_cast<void>(subject.in<S>(forces));
    } catch (const ProblemRefused& refused) {
      why = refused.what();
    }
    return {0};
  });
  return why;
}

std::string Measurements::why_nothing_is_saved(ForeignSubject& subject, const JudgedProblem& problem) {
  std::string why;
  in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    try {
      const auto run = subject.in<S>(forces);
      run->start(point_in<S>(problem.start));
      if (!run->save()) why = "it has no text for it";
    } catch (const ForeignRefusal& refusal) {
      why = refusal.what();
    }
    return {0};
  });
  return why;
}

Measured Measurements::restart(ForeignSubject& subject, const JudgedProblem& problem) {
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem), other_forces(problem);
    const auto run = subject.in<S>(forces);
    const int before = std::is_same_v<S, Rational> ? 1 : 7;
    run->start(point_in<S>(problem.start));
    walk(*run, problem, before);
    const std::optional<std::string> saved = run->save();
    if (!saved) throw ForeignRefusal("it saves nothing");
    walk(*run, problem, before);
    const auto other = subject.another();
    const auto continued = other->in<S>(other_forces);
    continued->restore(*saved);
    walk(*continued, problem, before);
    const auto end = run->point();
    const double elsewhere = differing(end, continued->point());
    // Also where it has a run of its own behind it.
    run->restore(*saved);
    walk(*run, problem, before);
    const double here = differing(end, run->point());
    return {elsewhere + here, problem.name + (here > elsewhere ? ", in the process that has gone on" : "")};
  });
}

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
    const auto end = after(*run, start, h, 1);
    const std::vector<S> v = forces.velocity(start.p);
    Measured worst{0, "free particles"};
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double advance = size_of(S((end.q[i] - start.q[i]) / h));
      const double wrong = worse(size_of(S((end.q[i] - start.q[i]) / h - v[i])), size_of(S(end.p[i] - start.p[i])));
      if (is_worse(wrong, worst.value))
        worst = {wrong, format("a step of h advances a free particle by %.10g h", advance / size_of(v[i]))};
    }
    return worst;
  });
}

Measured Measurements::constant_force(ForeignSubject& subject, int order, bool general) {
  JudgedProblem problem{.name = "a constant force", .masses = {1, 2}, .potential = {}};
  problem.potential.add(-1, {0}).add(0.5, {1});
  problem.start = {0, {0.5, 0.25}, {0.25, -0.5}};
  problem.h = 0.5;
  if (general) {
    make_general(problem);
    problem.start = {0, {0, 0}, {0, 0}};  // so that a short path has all its digits
  }
  return in_first_type(subject, [&]<class S>(S) -> Measured {
    Forces<S> forces(problem);
    const auto run = subject.in<S>(forces);
    const auto start = point_in<S>(problem.start);
    const S h(problem.h);
    const auto end = after(*run, start, h, 1);
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
        worst = {wrong, format("the momentum changes by %.10g times force times h", times_wanted(change))};
      if (const double wrong = size_of(S(path - wanted)); order >= 2 && is_worse(wrong, worst.value))
        worst = {wrong, format("the position changes by %.10g times h^2/2 times force over mass", times_wanted(path))};
    }
    return worst;
  });
}

Measured Measurements::precision(ForeignSubject& subject, const JudgedProblem& like) {
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
    const auto end = after(*run, start, S(h), 1);
    const std::vector<S> g = forces.gradient(start.t, start.q);
    Measured worst{0, "no number has lost its bits"};
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double force = size_of(S(end.p[i] + S(h) * g[i])) / (h * size_of(g[i]));
      const double place = size_of(S(end.q[i] - start.q[i])) / size_of(start.q[i]);
      if (is_worse(force, worst.value)) worst = {force, "forces lose bits"};
      if (is_worse(place, worst.value)) worst = {place, "positions lose bits"};
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
      problem.start = {0.1, {0}, {0}};
      Forces<S> forces(problem);
      const auto run = subject.in<S>(forces);
      // Times of all 53 bits.
      constexpr double h = 1.3;
      const auto end = after(*run, point_in<S>(problem.start), S(h), 1);
      const double exact = (std::pow(0.1 + h, power + 1) - std::pow(0.1, power + 1)) / (power + 1);
      const double wrong = size_of(S(end.p[0] - S(exact)));
      if (is_worse(wrong, worst.value)) worst = {wrong, format("largest for the force t^%d", power)};
    }
    return worst;
  });
}

namespace {

/// Returns the spectral radius of a step of the oscillator, exactly one where the step turns without growing.
double spectral_radius(ForeignRun<double>& run, double h) {
  const auto a = after<double>(run, {0, {1}, {0}}, h, 1), b = after<double>(run, {0, {0}, {1}}, h, 1);
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
    if (!std::isfinite(size)) return {std::numeric_limits<double>::max(), "it grows beyond all numbers"};
    largest = std::max(largest, size);
  }
  return {largest / size_of(problem.start), format("h omega = %.4g", h)};
}

Measured Measurements::energy_drift(ForeignSubject& subject, const JudgedProblem& problem, long steps) {
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
  // Errors of the size of rounding drift as they please.
  const double floor = rounding_of(subject) * static_cast<double>(steps) * std::abs(first);
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
