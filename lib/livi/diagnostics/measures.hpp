// SPDX-License-Identifier: MIT
//
// Measurements of a method. Each function returns numbers, never a judgement: intervals and controls are in the battery
// (claims/battery/).
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <livi/diagnostics/any_stepper.hpp>
#include <livi/diagnostics/correlated_residuals.hpp>

namespace livi {

/// Returns the exponent p of e(h) ~ h^p from errors at h, h/2, h/4, ...: the last two local slopes, extrapolated by the
/// power with which slopes converge (2 for methods even in h, 1 for others). NaN when an error is zero or not finite,
/// or there are fewer than three.
inline double fitted_exponent(const std::vector<double>& errors, int slope_power) {
  const std::size_t n = errors.size();
  if (n < 3) return std::numeric_limits<double>::quiet_NaN();
  const double last = std::log2(errors[n - 2] / errors[n - 1]), before = std::log2(errors[n - 3] / errors[n - 2]);
  return last + (last - before) / (std::exp2(slope_power) - 1);
}

/// Returns the exponent p of e(h) ~ h^p from errors with steps[i] = T/h steps, in any ratio above one, by an
/// extrapolation of the last two local slopes.
inline double fitted_exponent(const std::vector<double>& errors, int slope_power, const std::vector<double>& steps) {
  const std::size_t n = errors.size();
  if (n < 3 || steps.size() != n) return std::numeric_limits<double>::quiet_NaN();
  const auto slope = [&](std::size_t i) {
    return std::log(errors[i - 1] / errors[i]) / std::log(steps[i] / steps[i - 1]);
  };
  const double last = slope(n - 1), before = slope(n - 2);
  return last + (last - before) / (std::pow(steps[n - 1] / steps[n - 2], slope_power) - 1);
}

template <class S>
double distance(const Vector<S, Dynamic>& a, const Vector<S, Dynamic>& b) {
  using std::sqrt;
  S sum(0);
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += (a(i) - b(i)) * (a(i) - b(i));
  return to_double(S(sqrt(sum)));
}

/// Returns the exponent of vectors of errors that belong to increasing numbers of steps. Coefficients with finitely
/// many digits add nearly one and the same vector to every error, which hides a small error. Where the last error is
/// below 1e-12, the exponent is therefore that of differences of successive errors, the last three that are not smaller
/// than the last error.
inline double fitted_exponent(const std::vector<Vector<Float50, Dynamic>>& errors, int slope_power,
                              const std::vector<double>& steps) {
  constexpr double least_error = 1e-12;
  const auto size = [](const Vector<Float50, Dynamic>& x) { return std::sqrt(to_double(Float50(x.squaredNorm()))); };
  const auto last_three = [&](const std::vector<double>& values) {
    const auto three = [&](const std::vector<double>& all) {
      return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(values.size()) - 3,
                                 all.begin() + static_cast<std::ptrdiff_t>(values.size()));
    };
    return fitted_exponent(three(values), slope_power, three(steps));
  };
  std::vector<double> sizes, differences;
  for (const auto& error : errors) sizes.push_back(size(error));
  if (sizes.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  if (!(sizes.back() < least_error)) return last_three(sizes);
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) {
    differences.push_back(size(errors[i] - errors[i + 1]));
    if (differences.back() < sizes.back()) {
      differences.pop_back();
      break;
    }
  }
  return last_three(differences.size() < 3 ? sizes : differences);
}

template <class S>
double distance(const PhasePoint<S>& a, const PhasePoint<S>& b) {
  return std::hypot(distance(a.q, b.q), distance(a.p, b.p));
}

/// Runs `steps` steps; returns the outcome of the first that fails.
template <class S>
StepOutcome run_steps(AnyStepper<S>& stepper, const S& h, int steps) {
  for (int k = 0; k < steps; ++k)
    if (const StepOutcome outcome = stepper.step(h); !outcome.ok()) return outcome;
  return {};
}

/// The global errors at time T for T/h steps, of q and of p, as sizes and as vectors. After a failure they are NaN.
struct ConvergenceTable {
  std::vector<double> steps, error_q, error_p;
  std::vector<Vector<Float50, Dynamic>> vectors_q, vectors_p;

  void add(double number_of_steps, bool ok, const PhasePoint<Float50>& end, const PhasePoint<Float50>& exact) {
    const Float50 nothing = std::numeric_limits<Float50>::quiet_NaN();
    steps.push_back(number_of_steps);
    error_q.push_back(ok ? distance(end.q, exact.q) : to_double(nothing));
    error_p.push_back(ok ? distance(end.p, exact.p) : to_double(nothing));
    vectors_q.emplace_back(end.q - exact.q);
    vectors_p.emplace_back(end.p - exact.p);
    if (ok) return;
    vectors_q.back().setConstant(nothing);
    vectors_p.back().setConstant(nothing);
  }
};

inline ConvergenceTable measure_convergence(AnyStepper<Float50>& stepper, const PhasePoint<Float50>& from,
                                            const PhasePoint<Float50>& exact, const Float50& time, int first_power,
                                            int last_power) {
  ConvergenceTable table;
  for (int power = first_power; power <= last_power; ++power) {
    const int steps = 1 << power;
    stepper.start(from);
    const bool ok = run_steps(stepper, Float50(time / steps), steps).ok();
    table.add(steps, ok, stepper.point(), exact);
  }
  return table;
}

/// The map that is applied to both ends of a step to give the coordinates in which the canonical form is expected.
using CanonicalMap = std::function<PhasePoint<Dual<Float50>>(AnyStepper<Dual<Float50>>&,
                                                             const PhasePoint<Dual<Float50>>&, const Dual<Float50>& h)>;

/// A symplectic form: its value at a point, applied to two variations of it.
using SymplecticForm =
    std::function<Float50(const PhasePoint<Float50>& at, const PhasePoint<Float50>& a, const PhasePoint<Float50>& b)>;

/// Returns a point as dual numbers whose derivative is the tangent vector, so that a map of it has the derivative of
/// the map along the tangent.
inline PhasePoint<Dual<Float50>> with_tangent(const PhasePoint<Float50>& at, const PhasePoint<Float50>& tangent) {
  const auto join = [](const Vector<Float50, Dynamic>& values, const Vector<Float50, Dynamic>& derivatives) {
    Vector<Dual<Float50>, Dynamic> x(values.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      x(i) = Dual<Float50>(values(i));
      x(i).derivative = derivatives(i);
    }
    return x;
  };
  return {join(at.q, tangent.q), join(at.p, tangent.p)};
}

/// Returns the largest entry of J^T Omega J - Omega over the given tangent directions (all of R^2n if empty), for the
/// map of `steps` steps of size h from `at`, with J from exact dual numbers in 50 digits. More than one step
/// differentiates also what the method remembers between steps. NaN if a step fails. If `relative`, each entry is
/// divided by the larger of 1 and the product of the sizes of its two vectors, for steps that stretch them.
inline double symplecticity_residual(AnyStepper<Dual<Float50>>& stepper, const PhasePoint<Float50>& at,
                                     const std::vector<PhasePoint<Float50>>& tangents, const Float50& h, int steps,
                                     const CanonicalMap& map, const SymplecticForm& form = canonical_form<Float50>,
                                     bool relative = false) {
  using D = Dual<Float50>;
  const Eigen::Index n = at.q.size(), m = at.p.size();
  const auto directions = tangents.empty() ? n + m : static_cast<Eigen::Index>(tangents.size());
  std::vector<PhasePoint<Float50>> before, after;
  PhasePoint<Float50> first, last;  // the ends of the step, which do not depend on the direction
  const auto derivative = [](const PhasePoint<D>& z) {
    return PhasePoint<Float50>{z.q.unaryExpr([](const D& x) { return x.derivative; }),
                               z.p.unaryExpr([](const D& x) { return x.derivative; })};
  };
  const auto value = [](const PhasePoint<D>& z) {
    return PhasePoint<Float50>{z.q.unaryExpr([](const D& x) { return x.value; }),
                               z.p.unaryExpr([](const D& x) { return x.value; })};
  };
  for (Eigen::Index j = 0; j < directions; ++j) {
    PhasePoint<Float50> tangent;
    if (tangents.empty()) {
      tangent.q = Vector<Float50, Dynamic>::NullaryExpr(n, [&](Eigen::Index i) { return Float50(j == i ? 1 : 0); });
      tangent.p = Vector<Float50, Dynamic>::NullaryExpr(m, [&](Eigen::Index i) { return Float50(j == n + i ? 1 : 0); });
    } else {
      tangent = tangents[static_cast<std::size_t>(j)];
    }
    const PhasePoint<D> z = with_tangent(at, tangent);
    stepper.start(z);
    if (!run_steps(stepper, D(h), steps).ok()) return std::numeric_limits<double>::quiet_NaN();
    const PhasePoint<D> start = map(stepper, z, D(h)), end = map(stepper, stepper.point(), D(h));
    before.push_back(derivative(start));
    after.push_back(derivative(end));
    first = value(start);
    last = value(end);
  }
  const auto size = [](const PhasePoint<Float50>& z) {
    Float50 sum = 0;
    for (const Vector<Float50, Dynamic>* x : {&z.q, &z.p})
      for (Eigen::Index i = 0; i < x->size(); ++i) sum += abs((*x)(i));
    return sum;
  };
  Float50 largest = 0;
  for (std::size_t a = 0; a < before.size(); ++a)
    for (std::size_t b = a + 1; b < before.size(); ++b) {
      Float50 entry = abs(form(last, after[a], after[b]) - form(first, before[a], before[b]));
      if (relative) entry /= std::max(Float50(1), Float50(size(after[a]) * size(after[b])));
      largest = larger(largest, entry);
    }
  return to_double(largest);
}

/// Returns by how much `steps` steps forward, a reversal, and `steps` steps again miss the start.
template <class S>
double reversal_defect(AnyStepper<S>& stepper, const PhasePoint<S>& at, const S& h, int steps) {
  stepper.start(at);
  if (!run_steps(stepper, h, steps).ok()) return std::numeric_limits<double>::quiet_NaN();
  stepper.reverse();
  if (!run_steps(stepper, h, steps).ok()) return std::numeric_limits<double>::quiet_NaN();
  stepper.reverse();
  return distance(stepper.point(), at);
}

/// Returns whether a method can make a step of size h. A method that reports no outcome shows that it cannot by a
/// result that is no number. A step to beyond 1e50 does not count: there all 50 digits are in front of the point, and a
/// sine has none.
template <class S>
bool can_step(AnyStepper<S>& stepper, const PhasePoint<S>& from, const S& h) {
  stepper.start(from);
  if (!stepper.step(h).ok()) return false;
  const PhasePoint<S> end = stepper.point();
  const auto is_near = [](const S& x) { return std::abs(to_double(x)) <= 1e50; };
  return all_finite(end.q) && all_finite(end.p) && std::all_of(end.q.begin(), end.q.end(), is_near) &&
         std::all_of(end.p.begin(), end.p.end(), is_near);
}

/// Returns by how much a step of -h after a step of h misses the start: zero when the method is its own adjoint.
template <class S>
double adjoint_defect(AnyStepper<S>& stepper, const PhasePoint<S>& at, const S& h) {
  stepper.start(at);
  if (!stepper.step(h).ok()) return std::numeric_limits<double>::quiet_NaN();
  const PhasePoint<S> there = stepper.point();
  stepper.start(there);
  if (!stepper.step(S(-h)).ok()) return std::numeric_limits<double>::quiet_NaN();
  return distance(stepper.point(), at);
}

/// Returns by how much a step of -h after a long step of h misses the start, relative to the size of the ends and to
/// the factor by which the step back enlarges a change of its beginning: roundings are as large as that. The factor of
/// the step forth does not count, for a hypersensitive step would excuse itself. Nothing if one of the steps does not
/// exist: it may be too long for a method's equations, or too far for its stages.
inline std::optional<double> adjoint_defect_of_long_step(AnyStepper<Float50>& stepper, const PhasePoint<Float50>& at,
                                                         const Float50& h) {
  const Float50 little = 1e-30;
  const auto end_of = [&](const PhasePoint<Float50>& from, const Float50& by) -> std::optional<PhasePoint<Float50>> {
    if (!can_step(stepper, from, by)) return std::nullopt;
    return stepper.point();
  };
  const auto moved = [&](PhasePoint<Float50> z) {
    // Only the momentum is changed: positions may be bound to a manifold, along which momenta may be scaled.
    z.p *= 1 + little;
    return z;
  };
  const auto there = end_of(at, h);
  if (!there) return std::nullopt;
  const auto back = end_of(*there, Float50(-h)), back_moved = end_of(moved(*there), Float50(-h));
  if (!back || !back_moved) return std::nullopt;
  const auto largest = [](const PhasePoint<Float50>& z) { return larger(max_magnitude(z.q), max_magnitude(z.p)); };
  const double of_back = distance(*back, *back_moved) / 1e-30,
               size = to_double(Float50(1 + larger(largest(at), largest(*there))));
  return distance(*back, at) / (size * std::max(1.0, of_back));
}

/// Returns the largest change of a momentum map over `steps` steps.
inline double momentum_defect(AnyStepper<Float50>& stepper, const PhasePoint<Float50>& at,
                              const LinearSymmetry<Float50>& symmetry, const Float50& h, int steps) {
  stepper.start(at);
  const Float50 initial = symmetry.momentum(at.q, at.p);
  Float50 largest = 0;
  for (int k = 0; k < steps; ++k) {
    if (!stepper.step(h).ok()) return std::numeric_limits<double>::quiet_NaN();
    const PhasePoint<Float50> z = stepper.point();
    largest = larger(largest, Float50(abs(symmetry.momentum(z.q, z.p) - initial)));
  }
  return to_double(largest);
}

/// Returns the largest change of |p| over `steps` steps.
inline double casimir_defect(AnyStepper<Float50>& stepper, const PhasePoint<Float50>& at, const Float50& h, int steps) {
  const auto size = [](const Vector<Float50, Dynamic>& p) {
    Float50 sum = 0;
    for (Eigen::Index i = 0; i < p.size(); ++i) sum += p(i) * p(i);
    return Float50(sqrt(sum));
  };
  stepper.start(at);
  Float50 largest = 0;
  for (int k = 0; k < steps; ++k) {
    if (!stepper.step(h).ok()) return std::numeric_limits<double>::quiet_NaN();
    largest = larger(largest, Float50(abs(size(stepper.point().p) - size(at.p))));
  }
  return to_double(largest);
}

/// The linear trend of the energy over a run: least squares through the means of `blocks` equal blocks. Oscillations
/// inside a block average out. The standard error comes from the scatter of block means about the line, and is enlarged
/// by the correlation of neighbours (correlated_residuals.hpp, which says how often chance exceeds four of it).
struct EnergyDrift {
  double slope = std::numeric_limits<double>::quiet_NaN();
  double standard_error = std::numeric_limits<double>::quiet_NaN();
  double largest_error = 0;  ///< max |E - E_0|
  double time = 0;
  double initial_energy = 0;
  std::vector<double> means = {};  ///< the mean of E - E_0 in each block
};

inline EnergyDrift measure_energy_drift(AnyStepper<double>& stepper, const PhasePoint<double>& at, double h, int blocks,
                                        int steps_per_block) {
  EnergyDrift drift;
  stepper.start(at);
  const double initial = stepper.energy(at);
  drift.initial_energy = initial;
  std::vector<double>& means = drift.means;
  for (int b = 0; b < blocks; ++b) {
    double sum = 0;
    for (int k = 0; k < steps_per_block; ++k) {
      if (!stepper.step(h).ok()) return drift;
      const double error = stepper.energy(stepper.point()) - initial;
      if (!std::isfinite(error)) return drift;
      sum += error;
      drift.largest_error = std::max(drift.largest_error, std::abs(error));
    }
    means.push_back(sum / steps_per_block);
  }
  drift.time = h * blocks * steps_per_block;
  const double block_time = h * steps_per_block, centre = (blocks - 1) / 2.0;
  double mean = 0, sxx = 0, sxy = 0;
  for (const double m : means) mean += m / blocks;
  for (int b = 0; b < blocks; ++b) {
    sxx += (b - centre) * (b - centre);
    sxy += (b - centre) * (means[static_cast<std::size_t>(b)] - mean);
  }
  const double slope_per_block = sxy / sxx;
  double residual = 0;
  std::vector<double> residuals;
  for (int b = 0; b < blocks; ++b) {
    residuals.push_back(means[static_cast<std::size_t>(b)] - mean - slope_per_block * (b - centre));
    residual += residuals.back() * residuals.back();
  }
  drift.slope = slope_per_block / block_time;
  drift.standard_error = correlation_factor(residuals) * std::sqrt(residual / (blocks - 2) / sxx) / block_time;
  return drift;
}

/// Returns the spectral radius of the 2 x 2 matrix of a step on q'' = -q (the oscillator problem), from the images of
/// two basis points. NaN if a step fails.
template <class S>
S oscillator_spectral_radius(AnyStepper<S>& stepper, const S& h) {
  using std::sqrt, std::abs;
  S m[2][2];
  for (int j = 0; j < 2; ++j) {
    PhasePoint<S> z{Vector<S, Dynamic>::Constant(1, S(0)), Vector<S, Dynamic>::Constant(1, S(0))};
    (j == 0 ? z.q : z.p)(0) = S(1);
    stepper.start(z);
    if (!stepper.step(h).ok()) return std::numeric_limits<S>::quiet_NaN();
    const PhasePoint<S> end = stepper.point();
    m[0][j] = end.q(0);
    m[1][j] = end.p(0);
  }
  const S trace = m[0][0] + m[1][1], determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  const S discriminant = trace * trace / S(4) - determinant;
  if (discriminant <= S(0)) return S(sqrt(determinant));
  return S(abs(trace)) / S(2) + S(sqrt(discriminant));
}

/// The stability of a method on the oscillator, as far as it was scanned.
struct ScannedStability {
  /// The smallest h omega at which the spectral radius exceeds 1 by more than rounding: `unlimited` if none is found, 0
  /// if the first one of the scan is unstable, NaN if a step fails below.
  double limit = std::numeric_limits<double>::quiet_NaN();
  std::optional<double> fails_from = std::nullopt;  ///< the first h omega at which a step fails
};

/// Brackets the limit on a logarithmic grid of 2400 steps from 1e-2 to 1e4, then bisects. In 50 digits an instability
/// of h^4/8 is visible from the first grid point on; windows narrower than the grid are not.
template <class S>
ScannedStability measure_stability_limit(AnyStepper<S>& stepper) {
  // Near a double eigenvalue rounding appears as its square root.
  using std::sqrt;
  const S tolerance = S(100) * S(sqrt(std::numeric_limits<S>::epsilon()));
  ScannedStability result;
  const auto unstable = [&](double h) {
    const S radius = oscillator_spectral_radius(stepper, S(h));
    if (!(radius == radius) && !result.fails_from) result.fails_from = h;
    return !(radius < S(1) + tolerance);
  };
  constexpr int per_decade = 400;
  double stable = 0;
  for (int k = -2 * per_decade; k <= 4 * per_decade; ++k) {
    const double h = std::pow(10.0, static_cast<double>(k) / per_decade);
    if (!unstable(h)) {
      stable = h;
      continue;
    }
    if (result.fails_from) return result;
    double high = h;
    if (stable > 0)
      for (int i = 0; i < 60 && high - stable > 1e-14 * high; ++i) {
        const double middle = (stable + high) / 2;
        (unstable(middle) ? high : stable) = middle;
      }
    if (!result.fails_from) result.limit = stable == 0 ? 0 : (stable + high) / 2;
    return result;
  }
  result.limit = unlimited;
  return result;
}

}  // namespace livi
