// SPDX-License-Identifier: MIT
#pragma once

#include "simulate_systems.hpp"

#include <livi/integrators/integrator.hpp>
#include <livi/trajectory/trajectory.hpp>

#include <functional>
#include <memory>

namespace livi {

struct MethodOptions {
  double h = 0;
  double beta = 0;
  double newton_tolerance = 0;
  int newton_iterations = 0;
};

/// What can be said about a state.
struct Reading {
  Vector<double, Dynamic> q, v;        ///< v tangent where the method keeps another velocity (SHAKE)
  Vector<double, Dynamic> physical_q;  ///< q + beta h^2 a for methods that step another position; empty for others
};

/// A method on a system, running. Keeps a reference to the problem it was started on.
class Simulation {
 public:
  virtual ~Simulation() = default;
  [[nodiscard]] virtual Properties declares() const = 0;
  [[nodiscard]] virtual std::string save() const = 0;
  virtual void load(const std::string& state) = 0;
  virtual StepOutcome read(Reading& reading) = 0;
  /// As the method keeps them.
  [[nodiscard]] virtual const Vector<double, Dynamic>& position() const = 0;
  [[nodiscard]] virtual const Vector<double, Dynamic>& velocity() const = 0;
  /// Calls observe(k) at the present state, k = 0, and after each step, until it returns false or all steps are made.
  virtual RunOutcome run(long steps, const std::function<bool(long)>& observe) = 0;
};

struct MethodEntry {
  std::string name;
  bool constrained, has_beta, has_newton, has_physical_position;
  std::unique_ptr<Simulation> (*start)(const Problem& problem, const Vector<double, Dynamic>& q,
                                       const Vector<double, Dynamic>& v, const MethodOptions& options);
};

const std::vector<MethodEntry>& method_entries();

}  // namespace livi
