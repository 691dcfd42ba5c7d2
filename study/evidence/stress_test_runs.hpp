// SPDX-License-Identifier: MIT
//
// Runs of the stress test of BOS09 Section 3: drifts of the energy, their sizes, the growth of variations, and the drift that e_3 predicts.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/diagnostics/body_symplecticity.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/report/text.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "study/models/stress_test_methods.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/energy_drift.hpp"

namespace livi::stress_test_runs {

using so3::CayleyMap;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

using Body = StressTestSystem<double>;
using Start = BodyPoint;

/// The printed start and four others on regular orbits (BOS09.abs.battery shows that they are).
inline std::vector<Start> regular_starts() {
  return {printed_start(), start_with(0.3, 0.2, 0.5), start_with(0.6, -0.3, 0.4), start_with(0.9, 0.5, 0.3),
          start_with(0.5, 0.1, 0.2)};
}

/// `energy(q, w)` of the states of a run.
template <class Method, class Energy>
Drift measure_drift(Method method, const Start& start, double h, double end_time, const Energy& energy) {
  auto z = method.start(start.q, start.w);
  return measure_energy_drift(
      h, end_time, [&](double by) { return method.step(z, by); }, [&] { return energy(z.q, z.w); });
}
template <class Method>
Drift measure_drift(const Method& method, const Start& start, double h, double end_time) {
  const auto& system = method.system();
  return measure_drift(method, start, h, end_time, [&](const auto& q, const auto& w) { return system.energy(q, w); });
}

/// The p for which a + b t^p leaves the least scatter, 0.1 <= p <= 4, by golden section: the power of time with which
/// the means move.
inline double power_of_time(const Drift& drift) {
  const auto scatter = [&](double p) {
    std::vector<double> x;
    for (const double t : drift.t) x.push_back(std::pow(t / drift.end_time, p));
    return fitted_line(x, drift.mean).scatter;
  };
  double low = 0.1, high = 4;
  constexpr double golden = 1 / std::numbers::phi;
  for (int k = 0; k < 60; ++k) {
    const double width = golden * (high - low), left = high - width, right = low + width;
    (scatter(left) < scatter(right) ? high : low) = scatter(left) < scatter(right) ? right : left;
  }
  return (low + high) / 2;
}

template <class System>
using Verlet = LieVerlet<System, CayleyMap>;

// --- the orbit ------------------------------------------------------------------------------------------------------

/// Growth of a variation of the flow, per unit of time, in the second half of [0, end_time]: the fourth-order
/// Runge-Kutta-Munthe-Kaas method over dual numbers. A variation on a torus grows like t, so that this is
/// ln 2/(end_time/2) there; on a chaotic orbit it tends to the largest Lyapunov exponent.
struct Growth {
  double rate = infinity, energy_error = infinity;
};
template <class System, class PlainSystem>
Growth variation_growth(const System& system, const PlainSystem& plain, const Start& start, double h, double end_time) {
  using D = Dual<double>;
  RungeKuttaMuntheKaas4<System> method(system);
  const Vector3<double> eta(0.3, -0.5, 0.4), nu(0.4, 0.3, -0.5);
  const Matrix3<double> turned = start.q * so3::hat(eta);
  Matrix3<D> q;
  Vector3<D> w;
  for (int i = 0; i < 9; ++i) q.coeffRef(i) = D(start.q.coeff(i), turned.coeff(i));
  for (int i = 0; i < 3; ++i) w(i) = D(start.w(i), nu(i));
  auto z = method.start(q, w);
  const long steps = std::lround(end_time / h);
  double growth = 0, at_half = 0;
  const auto value = [](const auto& m) { return m.unaryExpr([](const D& x) { return x.value; }).eval(); };
  for (long k = 1; k <= steps; ++k) {
    if (!method.step(z, D(h)).ok()) return {};
    if (k % 16 != 0 && k != steps && k != steps / 2) continue;
    double square = 0;
    for (int i = 0; i < 9; ++i) square += z.q.coeff(i).derivative * z.q.coeff(i).derivative / 2;
    for (int i = 0; i < 3; ++i) square += z.w(i).derivative * z.w(i).derivative;
    const double size = std::sqrt(square);
    growth += std::log(size);
    for (int i = 0; i < 9; ++i) z.q.coeffRef(i).derivative /= size;
    for (int i = 0; i < 3; ++i) {
      z.w(i).derivative /= size;
      z.torque(i).derivative /= size;
    }
    if (k == steps / 2) at_half = growth;
  }
  return {(growth - at_half) / (end_time / 2),
          std::abs(plain.energy(value(z.q), value(z.w)) - plain.energy(start.q, start.w))};
}

/// A heavy body; symmetric about the third axis (Lagrange's integrable case), or with three different moments and the
/// weight off the axes (which is not integrable).
template <class S>
LieSystem<DiagonalMass<S, 3>, HeavyTopPotential<S>> heavy_top(bool symmetric) {
  return {DiagonalMass<S, 3>(symmetric ? vector3<S>(S(2), S(2), S(4)) : vector3<S>(S(1), S(2), S(3))),
          {S(1), symmetric ? vector3<S>(S(0), S(0), S(1)) : vector3<S>(ratio<S>(7, 10), ratio<S>(1, 2), S(1))}};
}

/// <e_3> of each method along the exact orbit from `start`: (error of a step h - error of a step -h)/(2 h^3), which is
/// e_3 + O(h^2), averaged.
inline std::vector<double> predicted_coefficients(const Start& start, double end_time) {
  constexpr double h = 0.03, step = 0.025;
  constexpr int between = 4;
  const Body system = stress_test<double>();
  RungeKuttaMuntheKaas4<Body> reference(system);
  auto z = reference.start(start.q, start.w);
  const auto samples = std::lround(end_time / (between * step));
  const std::vector<double> weights = smooth_weights(samples);
  std::vector<double> sums(number_of_methods, 0.0);
  for (const double weight : weights) {
    for (int k = 0; k < between; ++k)
      if (!reference.step(z, step).ok()) return std::vector<double>(number_of_methods, infinity);
    std::size_t index = 0;
    for_each_method(system, [&](const char*, auto method) {
      const auto energy_after = [&](double by) {
        auto there = method.start(z.q, z.w);
        return method.step(there, by).ok() ? system.energy(there.q, there.w) : infinity;
      };
      sums[index++] += weight * (energy_after(h) - energy_after(-h)) / (2 * h * h * h);
    });
  }
  return sums;
}

struct Runs {
  std::string name;
  std::vector<Drift> forward, mirrored;
};

/// The least of the runs with the two larger steps, from both starts.
inline double least_significance(const Runs& runs) {
  double least = infinity;
  for (const auto* list : {&runs.forward, &runs.mirrored})
    for (std::size_t k = 0; k < 2; ++k) least = std::min(least, (*list)[k].significance());
  return least;
}

inline std::vector<Runs> stress_runs(Report& report, double end_time) {
  const Body system = stress_test<double>();
  std::vector<Runs> all;
  for_each_method(system, [&](const char* name, const auto& method) {
    Runs runs{name, {}, {}};
    for (const bool mirror : {false, true}) {
      for (const double h : {0.25, 0.125, 0.0625}) {
        const Start start = mirror ? printed_start().mirrored() : printed_start();
        const Drift drift = measure_drift(method, start, h, end_time);
        const std::string label = std::string(name) + (mirror ? ".mirrored" : "") + text(".h%.0f", 10000 * h);
        add_measurements(report, {{label + ".slope", drift.slope}}, "energy/time",
                         {.absolute = 4 * drift.standard_error, .relative = 1e-3});
        add_measurements(report, {{label + ".slope_standard_error", drift.standard_error}}, "energy/time",
                         {.relative = 0.5});
        add_measurements(report, {{label + ".largest_error", drift.largest}}, "energy", {.relative = 0.02});
        if (!mirror && h > 0.1) {
          std::vector<std::vector<double>> table;
          for (std::size_t k = 0; k < drift.t.size(); ++k)
            table.push_back({drift.t[k], drift.mean[k], drift.low[k], drift.high[k]});
          report.series(text("%s_h%.0f", name, 10000 * h), columns({{"t", "time"}}, {"mean", "low", "high"}, "energy"),
                        table);
        }
        (mirror ? runs.mirrored : runs.forward).push_back(drift);
      }
    }
    all.push_back(std::move(runs));
    say_progress(name, static_cast<double>(all.size()) / 6);
  });
  return all;
}

/// "-0.0581 +- 0.0018, 11.4 oscillations, resolved (129 standard errors)": the change of the energy over the run.
inline std::string in_words(const Drift& drift, const Drift& oscillation) {
  return text("%.3g +- %#.2g, %.3g oscillations, %s (%.3g standard errors)", drift.change(),
              drift.half_width() * drift.end_time, drift.size(oscillation),
              drift.resolved() ? "resolved" : "not resolved", drift.significance());
}

/// The runs of a method beside those of VLV with the same steps: sizes of their drifts.
class Sizes {
 public:
  Sizes(const Runs& of, const Runs& verlet) : of_(&of), verlet_(&verlet) {}
  /// The least and the largest at the two steps of the paper.
  [[nodiscard]] double least() const { return std::min(forward(0), forward(1)); }
  [[nodiscard]] double largest() const { return std::max(forward(0), forward(1)); }
  [[nodiscard]] double least_of_both_starts() const { return std::min({least(), mirrored(0), mirrored(1)}); }
  [[nodiscard]] double largest_of_both_starts() const { return std::max({largest(), mirrored(0), mirrored(1)}); }
  [[nodiscard]] std::string in_words() const {
    std::string result = "Change of the energy over T, +- four standard errors of the slope: ";
    for (std::size_t k = 0; k < of_->forward.size(); ++k) {
      const Drift& drift = of_->forward[k];
      result += text("%sh = %.4g: %s, |E - E0| at most %.3g", k == 0 ? "" : "; ", drift.step,
                     stress_test_runs::in_words(drift, verlet_->forward[k]).c_str(), drift.largest);
    }
    return result;
  }

 private:
  [[nodiscard]] double forward(std::size_t k) const { return of_->forward[k].size(verlet_->forward[k]); }
  [[nodiscard]] double mirrored(std::size_t k) const { return of_->mirrored[k].size(verlet_->mirrored[k]); }
  const Runs *of_, *verlet_;
};

inline Sizes sizes(const std::vector<Runs>& runs, MethodIndex of) { return {runs[of], runs[verlet]}; }

/// The power of h between the k-th run and the next.
inline double local_power(const std::vector<Drift>& runs, std::size_t k) {
  return std::log(runs[k].slope / runs[k + 1].slope) / std::log(runs[k].step / runs[k + 1].step);
}
/// The drift from -W0 over that from W0.
inline double reversed(const Runs& runs, std::size_t k) { return runs.mirrored[k].slope / runs.forward[k].slope; }

}  // namespace livi::stress_test_runs
