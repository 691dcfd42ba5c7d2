// SPDX-License-Identifier: MIT
//
// The order of a method, decided instead of measured: its first steps as power series in h over residues, from any
// point of a problem with rational data, minus the exact flow. A method of order p has zero coefficients of h^0 to h^p,
// and some coefficients of h^(p+1) that are not zero on some problem. An inconsistency of 1e-60 is as visible as one of
// 1.
#pragma once

#include <livi/diagnostics/certificate.hpp>
#include <livi/scalar/errors.hpp>
#include <livi/systems/any_system.hpp>

namespace livi {

/// A method on a problem, in power series over residues modulo the prime in force.
template <int N>
struct SeriesProblem {
  AnySystem<PowerSeries<Residue, N>> system;
  std::unique_ptr<AnyStepper<PowerSeries<Residue, N>>> stepper;
};

/// The choice of errors that are compared with zero: those after each of the first `ended` steps; or, where a memory
/// starts empty and `begun` > 0, the error that the steps after the first `begun` add together.
struct StepsCompared {
  int begun = 0, ended = 1;
};

/// The coefficients of h^from to h^to, to <= N, of the errors in q and v after steps of size h from any point. `make()`
/// returns a new SeriesProblem<N> each time, because constants belong to their prime.
template <int N, class Make>
struct OrderConditions {
  const Make& make;
  int from, to;
  StepsCompared steps;
  std::vector<Residue> operator()(Draw<Residue>& draw) const {
    using T = PowerSeries<Residue, N>;
    const SeriesProblem<N> problem = make();
    const Eigen::Index n = problem.system.size();
    const Vector<Residue, Dynamic> q = draw.variables("q", n), v = draw.variables("v", n);
    const auto [exact_q, exact_v] = flow_in_series<Residue, N>(
        q, v, [&](const Vector<T, Dynamic>& x, Vector<T, Dynamic>& a) { problem.system.acceleration(x, a); });
    const auto constant = [](const Residue& x) { return T(x); };
    problem.stepper->start({q.unaryExpr(constant), problem.system.momentum(Vector<T, Dynamic>(v.unaryExpr(constant)))});
    std::vector<Residue> values, before;
    for (int k = 1; k <= steps.ended; ++k) {
      if (const StepOutcome outcome = problem.stepper->step(T::variable()); !outcome.ok())
        throw StepFailed("a step as a series in h: " + outcome.describe());
      const PhasePoint<T> z = problem.stepper->point();
      const Vector<T, Dynamic> velocity = problem.system.velocity(z.p);
      Residue scale(1);  // k^j, for the flow at time k h
      for (int j = 0; j <= to; ++j, scale *= Residue(k)) {
        if (j < from) continue;
        for (Eigen::Index i = 0; i < n; ++i) values.push_back(z.q(i)[j] - scale * exact_q(i)[j]);
        for (Eigen::Index i = 0; i < n; ++i) values.push_back(velocity(i)[j] - scale * exact_v(i)[j]);
      }
      if (k == steps.begun) before = values;
      if (k <= steps.begun || (steps.begun > 0 && k < steps.ended)) values.clear();
    }
    for (std::size_t i = 0; i < before.size(); ++i) values[i] -= before[i];
    return values;
  }
};

/// The decision about the statement that a method has this order and no higher one on a problem.
struct ExactOrder {
  int order = 0;
  Certificate attained = {};  ///< the coefficients of h^0 to h^order vanish
  Certificate exceeded = {};  ///< the coefficients of h^(order + 1) vanish as well; asked only if `attained` is proved
  [[nodiscard]] bool exactly() const { return attained.proved() && exceeded.disproved(); }
  [[nodiscard]] bool lower() const { return attained.disproved(); }
  [[nodiscard]] bool higher() const { return attained.proved() && exceeded.proved(); }
  [[nodiscard]] std::string describe() const {
    const std::string asked = "order " + std::to_string(order);
    if (lower()) return "not of " + asked + ": " + attained.describe();
    if (exactly()) return "of " + asked + ": " + attained.describe() + "; no higher: " + exceeded.describe();
    if (higher()) return "of an order above " + std::to_string(order) + ": " + exceeded.describe();
    return asked + " " + (attained.proved() ? exceeded : attained).describe();
  }
};

/// Decides the order on one problem, for all points, from a fresh start. `make()` returns a new SeriesProblem<N>;
/// `order` is from 0 to N - 1 (InvalidParameter). Cost: O(N^2) times that of a step, at 5 to 6 points or more.
template <int N, class Make>
ExactOrder exact_order(const Make& make, int order, const StepsCompared& steps = {},
                       const CertificateOptions& options = {}) {
  if (order < 0 || order >= N)
    throw InvalidParameter("order", order, "series of " + std::to_string(N) + " terms decide orders below that");
  if (steps.begun < 0) throw InvalidParameter("steps.begun", steps.begun, "must be at least 0");
  if (steps.ended <= steps.begun)
    throw InvalidParameter("steps.ended", steps.ended, "must be above steps.begun = " + std::to_string(steps.begun));
  ExactOrder result{.order = order, .attained = certify(OrderConditions<N, Make>{make, 0, order, steps}, options)};
  if (result.attained.proved())
    result.exceeded = certify(OrderConditions<N, Make>{make, order + 1, order + 1, steps}, options);
  return result;
}

}  // namespace livi
