// SPDX-License-Identifier: MIT
//
// Points of runs as what is measured of a method reads them, in whatever number type. Only for the sources of Measurements and
// of diagnoses.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/method/declared_accuracy.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi::foreign_detail {

inline constexpr double unit_rounding = std::numeric_limits<double>::epsilon() / 2;
/// A share of a step that has all 53 bits, and is in the middle between two numbers of 24.
inline constexpr double full_share = 0x1.c9a3d6f1b2e65p-1;

/// Returns the relative error of an operation in double that a subject declares.
inline double rounding_of(const ForeignSubject& subject) {
  return declared_rounding(subject.declares(), NumberType::real);
}

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

/// Returns where a state is not finite, as a sentence; empty if it is finite.
template <class S>
std::string not_finite_after(const TimedPoint<S>& z, long steps, const S& h, const JudgedProblem& problem) {
  const double size = worse(size_of(z), size_of(z.t));
  if (std::isfinite(size)) return "";
  return std::string("the state is ") + (std::isnan(size) ? "not a number" : "infinite") + " after " +
         counted(steps, "step") + format(" of |h| = %g on the problem '", size_of(h)) + problem.name + "'";
}

/// Returns a point with momenta and time turned.
template <class S>
TimedPoint<S> turned(TimedPoint<S> z) {
  z.t = S(0) - z.t;  // a zero without a sign
  for (S& p : z.p) p = -p;
  return z;
}

/// Returns the step of a problem. Fractions grow with every digit: for them it is the one next to it of five bits.
template <class S>
double step_of(const JudgedProblem& problem) {
  return std::is_same_v<S, Rational> ? std::round(32 * problem.h) / 32 : problem.h;
}

inline Float50 in_50_digits(double x) { return Float50(x); }
inline Float50 in_50_digits(const Float50& x) { return x; }
inline Float50 in_50_digits(const Rational& x) { return Float50(x); }

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

/// The steps of a method with a memory after which those of its starting procedure are over: 15 are those of order 16.
inline constexpr long steps_of_start = 16;
/// Begins a run at a point, and makes the steps of the starting procedure, of h each, if the method has a memory. Returns
/// the point from which its steps are looked at.
template <class S>
TimedPoint<S> begin(const ForeignSubject& subject, ForeignRun<S>& run, const TimedPoint<S>& from, const S& h) {
  run.start(from);
  if (!subject.declares().memory) return from;
  run.step(h, steps_of_start);
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

/// Neville's scheme: takes the values at half the step; the last of `rows` is then the value at zero of the polynomial through all.
inline void extrapolate(std::vector<std::vector<double>>& rows, const std::vector<double>& values) {
  std::vector<std::vector<double>> next{values};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<double> better = next.back();
    const double ratio = std::ldexp(1.0, static_cast<int>(k) + 1) - 1;
    for (std::size_t i = 0; i < better.size(); ++i) better[i] += (better[i] - rows[k][i]) / ratio;
    next.push_back(std::move(better));
  }
  rows = std::move(next);
}

/// Returns the rates of the coordinates and momenta of a method at a point, for h to 0, by a polynomial through steps of 2^-4
/// to 2^-9: good to 1e-9 where they are of order one.
inline std::vector<double> measured_rates(ForeignSubject& subject, const JudgedProblem& problem,
                                          const TimedPoint<double>& z) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const std::vector<double> from = joined(z);
  std::vector<std::vector<double>> rows;
  for (int level = 0; level < 6; ++level) {
    const double h = std::ldexp(0.0625, -level);
    std::vector<double> rate = joined(after(*run, z, h, 1));
    for (std::size_t i = 0; i < rate.size(); ++i) rate[i] = (rate[i] - from[i]) / h;
    extrapolate(rows, rate);
  }
  return rows.back();
}

/// Calls `use` with a number of the first type in which the subject computes.
template <class Use>
Measured in_first_type(ForeignSubject& subject, const Use& use) {
  if (subject.declares().computes_in(NumberType::real)) return use(0.0);
  if (subject.declares().computes_in(NumberType::rational)) return use(Rational());
  if (subject.declares().computes_in(NumberType::digits)) return use(Float50());
  return use(std::complex<double>());
}

}  // namespace livi::foreign_detail
