// SPDX-License-Identifier: MIT
//
// Weak orders of methods under noise: mean errors over paths beside those of a reference, their powers of h, and what of a power is known.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <livi/report/text.hpp>
#include <string>
#include <vector>

#include "study/evidence/strong_order_runs.hpp"
#include "study/program/estimates.hpp"
#include "study/program/report_parts.hpp"

namespace livi::strong_orders {

inline constexpr int weak_coarsest = 3, weak_levels = 4;  // h = 2^-3 ... 2^-6
inline const std::vector<const char*> function_names{"x", "z", "energy"};
inline constexpr std::size_t functions = 3;
using Values = std::array<double, functions>;

inline Values values_at(const State& end) { return {end(0), end(2), end.tail<3>().squaredNorm() / 2 + end(2)}; }

/// Means over paths at each step, with a number of each path.
using OverPaths = std::vector<std::array<double, weak_levels>>;

inline Estimate mean_at(const OverPaths& values, std::size_t level) {
  return mean_over(values, [level](const auto& of_path) { return of_path[level]; });
}

/// A function of means at all steps, from independent sets of paths, with its standard error by its derivatives.
struct Derived {
  double value = not_a_number, error = not_a_number;
  [[nodiscard]] std::string words() const { return text("%.3f +- %.3f (95 %%)", value, 1.96 * error); }
};

/// Returns the standard error of sum_k d_k m_k of means m_k over one set of paths.
inline double error_of_sum(const OverPaths& values, const std::array<double, weak_levels>& d) {
  return mean_over(values,
                   [&](const auto& of_path) {
                     double sum = 0;
                     for (std::size_t k = 0; k < weak_levels; ++k) sum += d[k] * of_path[k];
                     return sum;
                   })
      .error;
}

/// Returns the weights with which a line y = s + p x, fitted with the standard errors of y, gives s and p.
struct LineWeights {
  std::array<double, weak_levels> of_slope{}, of_start{};
};
inline LineWeights line_weights(const std::array<double, weak_levels>& x,
                                const std::array<double, weak_levels>& errors) {
  double w = 0, wx = 0, wxx = 0;
  for (std::size_t k = 0; k < weak_levels; ++k) {
    const double weight = 1 / (errors[k] * errors[k]);
    w += weight;
    wx += weight * x[k];
    wxx += weight * x[k] * x[k];
  }
  LineWeights result;
  for (std::size_t k = 0; k < weak_levels; ++k) {
    const double weight = 1 / (errors[k] * errors[k]), determinant = w * wxx - wx * wx;
    result.of_slope[k] = weight * (w * x[k] - wx) / determinant;
    result.of_start[k] = weight * (wxx - wx * x[k]) / determinant;
  }
  return result;
}

/// The methods whose means are compared, each with those of (b').
inline const std::vector<Method> weak_methods{
    {"rattle_increments", Kind::increments},
    {"rattle_integrals", Kind::integrals},
    {"rattle_weak", Kind::weak},
    {"increments_plus_h_8", Kind::exact, {.diagonal = 0, .add = 0.25, .half_of_zeta = true}},
    {"increments_minus_h_8", Kind::exact, {.diagonal = 0, .add = -0.25, .half_of_zeta = true}},
    {"potential_minus_h_8", Kind::exact, {.add = -0.25}}};

/// Differences of the means of the methods from those of (b'), [method][function], and the errors of (b').
struct WeakRuns {
  std::vector<std::array<OverPaths, functions>> differences;
  std::array<OverPaths, functions> of_conditional;
};

inline WeakRuns weak_runs(const Case& coupled, std::size_t paths, unsigned threads) {
  const auto problem = sphere({0});
  using OnOne = std::vector<std::array<Values, weak_levels>>;
  const auto runs = for_each_case(paths, threads, [&](std::size_t number) {
    OnOne result(weak_methods.size());
    for (std::size_t k = 0; k < weak_levels; ++k) {
      const int level = weak_coarsest + static_cast<int>(k);
      // On the finest level of a path the integral of the square is the mean under increment and zeta.
      const BrownianPathWithProducts path(seed + 100, number, 1, 1, level);
      const NoisesOf given(path, 1);
      const auto mean = [&](Method method) {
        Values values = values_at(end_of(problem, method, given, level));
        if (method.kind == Kind::increments || method.change.half_of_zeta) return values;
        method.change.turned = true;
        const Values other = values_at(end_of(problem, method, given, level));
        for (std::size_t f = 0; f < functions; ++f) values[f] = (values[f] + other[f]) / 2;
        return values;
      };
      const Values of_conditional = mean({"conditional", Kind::exact});
      for (std::size_t m = 0; m < weak_methods.size(); ++m) {
        const Values values = mean(weak_methods[m]);
        for (std::size_t f = 0; f < functions; ++f) result[m][k][f] = values[f] - of_conditional[f];
      }
    }
    return result;
  });
  WeakRuns result;
  result.differences.resize(weak_methods.size());
  for (const OnOne& run : runs)
    for (std::size_t m = 0; m < weak_methods.size(); ++m)
      for (std::size_t f = 0; f < functions; ++f) {
        auto& at = result.differences[m][f].emplace_back();
        for (std::size_t k = 0; k < weak_levels; ++k) at[k] = run[m][k][f];
      }
  for (const OnPath& path : coupled.paths)
    for (std::size_t f = 0; f < functions; ++f) {
      auto& at = result.of_conditional[f].emplace_back();
      for (std::size_t k = 0; k < weak_levels; ++k)
        at[k] = values_at(path.conditional[k + weak_coarsest - coarsest])[f] - values_at(path.end)[f];
    }
  return result;
}

/// The mean error of a method for one function: its difference from (b') and the error of (b').
inline Estimate weak_error(const WeakRuns& runs, std::size_t m, std::size_t f, std::size_t k) {
  const Estimate difference = mean_at(runs.differences[m][f], k), of_conditional = mean_at(runs.of_conditional[f], k);
  return {difference.mean + of_conditional.mean, std::hypot(difference.error, of_conditional.error), difference.count};
}

/// Returns p of (mean error) ~ h^p, by a line through logarithms with their errors.
inline Derived weak_power(const WeakRuns& runs, std::size_t m, std::size_t f) {
  std::array<double, weak_levels> x{}, errors{}, y{}, d{};
  for (std::size_t k = 0; k < weak_levels; ++k) {
    const Estimate e = weak_error(runs, m, f, k);
    x[k] = -(weak_coarsest + static_cast<double>(k)) * std::log(2.0);
    y[k] = std::log(std::abs(e.mean));
    errors[k] = e.error / std::abs(e.mean);
    d[k] = 1 / e.mean;
    // An error that changes its sign has no power.
    if (k > 0 && d[k] * d[k - 1] < 0) return {not_a_number, not_a_number};
  }
  const LineWeights weights = line_weights(x, errors);
  Derived result{0, 0};
  for (std::size_t k = 0; k < weak_levels; ++k) {
    result.value += weights.of_slope[k] * y[k];
    d[k] *= weights.of_slope[k];
  }
  result.error = std::hypot(error_of_sum(runs.differences[m][f], d), error_of_sum(runs.of_conditional[f], d));
  return result;
}

/// Returns the difference of a method from (b') as a part of that which the potential U - (h/8) sum_i K_ii makes, by a
/// line in h to h = 0.
inline Derived share_of_order_one(const WeakRuns& runs, std::size_t m, std::size_t f) {
  const OverPaths &of = runs.differences[m][f], &predicted = runs.differences.back()[f];
  std::array<double, weak_levels> h{}, errors{}, y{};
  OverPaths together(of.size());
  for (std::size_t k = 0; k < weak_levels; ++k) {
    const double made = mean_at(predicted, k).mean;
    y[k] = mean_at(of, k).mean / made;
    h[k] = std::ldexp(1.0, -weak_coarsest - static_cast<int>(k));
    // A path moves the ratio by (its difference - ratio its prediction)/(mean prediction).
    for (std::size_t path = 0; path < of.size(); ++path)
      together[path][k] = (of[path][k] - y[k] * predicted[path][k]) / made;
    errors[k] = mean_at(together, k).error;
  }
  const LineWeights weights = line_weights(h, errors);
  Derived result{0, error_of_sum(together, weights.of_start)};
  for (std::size_t k = 0; k < weak_levels; ++k) result.value += weights.of_start[k] * y[k];
  return result;
}

inline std::size_t weak_method(const std::string& name) {
  for (std::size_t m = 0; m < weak_methods.size(); ++m)
    if (weak_methods[m].name == name) return m;
  throw std::logic_error("no method " + name);
}

inline void put_weak(Report& report, const WeakRuns& runs) {
  for (std::size_t m = 0; m < weak_methods.size(); ++m)
    for (std::size_t f = 0; f < functions && weak_methods[m].change == Change{}; ++f) {
      const std::string name = std::string("weak.") + weak_methods[m].name + "." + function_names[f];
      for (std::size_t k = 0; k < weak_levels; ++k)
        put_estimate(report, name + text(".mean_error.h=2^-%zu", weak_coarsest + k), weak_error(runs, m, f, k), "",
                     0.3);
    }
}

/// The power farthest from two among the functions, or the share of a function; not a number if it is not known to within
/// `widest`, with 95 %.
struct Weakly {
  double value = not_a_number;  ///< the one farthest from two of those that have a power
  bool all = true;              ///< each mean error has a power
  std::string words;
};
inline Weakly weak_powers(const WeakRuns& runs, const char* method, double widest) {
  Weakly result;
  bool any = false, known = true;
  for (std::size_t f = 0; f < functions; ++f) {
    const Derived power = weak_power(runs, weak_method(method), f);
    const bool has_power = !std::isnan(power.value);
    result.words += (f == 0 ? "" : ", ") + std::string(function_names[f]) + " " +
                    (has_power ? power.words() : std::string("changes its sign"));
    result.all = result.all && has_power;
    if (!has_power) continue;
    known = known && 1.96 * power.error <= widest;
    if (!any || std::abs(power.value - 2) > std::abs(result.value - 2)) result.value = power.value;
    any = true;
  }
  if (!known) result.value = not_a_number;
  return result;
}

}  // namespace livi::strong_orders
