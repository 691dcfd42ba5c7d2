// SPDX-License-Identifier: MIT
//
// Runs with adaptive steps on several problems, with several densities, by all methods: their energy drifts in one
// table, in units of the oscillation of the Hamiltonian method. Two steps that are no part of the library: that of the
// velocity alone, and that of an estimate of the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "study/statistics/adaptive_energy.hpp"

namespace livi {

/// The density sigma = (|v|^2 + epsilon)^(-1/2): the velocity alone (slide 8).
template <class System>
struct InverseSpeed {
  using scalar_type = double;
  using vector_type = VectorOf<System>;
  double epsilon;
  [[nodiscard]] double value(const vector_type&, const vector_type& v) const {
    return 1 / std::sqrt(dot_product(v, v) + epsilon);
  }
};

/// Verlet with steps from an estimate of the error, the distance of its step from that of the symplectic Euler method
/// (slide 4): dt becomes 0.85 dt (tolerance/distance)^(1/2), and a step with a larger distance is repeated.
template <class System>
class ErrorControlledVerlet {
 public:
  using system_type = System;
  using vector_type = VectorOf<System>;
  struct state_type : TimedState<double, System::dimension> {
    double next{0};  ///< the length that is tried next
  };
  ErrorControlledVerlet(const System& system, double tolerance) : verlet_(system), tolerance_(tolerance) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    state_type z;
    z.q = q;
    z.v = v;
    return z;
  }
  /// The argument is the length of the first step.
  StepOutcome step(state_type& z, double h) {
    double dt = z.next > 0 ? z.next : h;
    for (int attempt = 1; attempt <= 50; ++attempt) {
      auto trial = verlet_.start(z.q, z.v);
      if (const StepOutcome outcome = verlet_.step(trial, dt); !outcome.ok()) return outcome;
      vector_type a = z.q;
      system().acceleration(z.q, a);
      const vector_type v = z.v + dt * a, dq = trial.q - z.q - dt * v, dv = trial.v - v;
      const double distance = std::sqrt(dot_product(dq, dq) + dot_product(dv, dv)), length = dt;
      if (!std::isfinite(distance)) return {Failure::not_finite, attempt};
      dt *= std::clamp(0.85 * std::sqrt(tolerance_ / distance), 0.2, 5.0);
      if (distance > tolerance_) continue;
      z.q = trial.q;
      z.v = trial.v;
      z.next = dt;
      return advance_time(z, length);
    }
    return {Failure::no_convergence, 50};
  }
  [[nodiscard]] const System& system() const { return verlet_.system(); }

 private:
  VelocityVerlet<System> verlet_;
  double tolerance_;
};

enum class Family { constant, naive, hamiltonian, variational, reversible, integrated, other };

/// A run of a method on a problem with a density; its unit is in the table.
struct NamedRun {
  std::string problem, density, method;
  Family family = Family::other;
  AdaptiveDrift drift = {};
  [[nodiscard]] std::string name() const { return problem + "." + (density.empty() ? "" : density + ".") + method; }
};

/// All runs. A problem is "kepler60", "kepler80" or "pendulum".
class Table {
 public:
  explicit Table(long periods) : periods_(periods) {}
  [[nodiscard]] long periods() const { return periods_; }

  template <class Method, int N>
  void add(NamedRun run, Method&& method, PeriodicMotion<N> motion, double h) {
    motion.periods = periods_;
    run.drift = measure_adaptive_energy(method, motion, h);
    runs_.push_back(std::move(run));
  }
  [[nodiscard]] const std::vector<NamedRun>& runs() const { return runs_; }
  [[nodiscard]] const NamedRun& run(const std::string& name) const {
    const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const NamedRun& r) { return r.name() == name; });
    if (found == runs_.end()) throw std::invalid_argument("there is no run " + name);
    return *found;
  }
  [[nodiscard]] const AdaptiveDrift& drift(const std::string& name) const { return run(name).drift; }

  /// Returns the size of the drift in oscillations of the Hamiltonian method; an infinity for a lost run.
  [[nodiscard]] double size(const NamedRun& run) const {
    const bool by_position = run.density == "kepler" || run.density == "distances";
    const std::string density = by_position ? run.density : run.problem == "pendulum" ? "distances" : "kepler";
    return run.drift.size(drift(run.problem + "." + density + ".hamiltonian"));
  }
  [[nodiscard]] double size(const std::string& name) const { return size(run(name)); }
  /// Returns the largest and the least size of the runs for which `is_so`.
  template <class IsSo>
  [[nodiscard]] double largest(const IsSo& is_so) const {
    double result = 0;
    for (const NamedRun& run : runs_)
      if (is_so(run)) result = std::max(result, size(run));
    return result;
  }
  template <class IsSo>
  [[nodiscard]] double least(const IsSo& is_so) const {
    double result = std::numeric_limits<double>::infinity();
    for (const NamedRun& run : runs_)
      if (is_so(run)) result = std::min(result, size(run));
    return result;
  }
  /// Returns the least size of the naive runs, the control of what does not drift.
  [[nodiscard]] double least_naive() const {
    return least([](const NamedRun& run) { return run.family == Family::naive; });
  }

 private:
  long periods_;
  std::vector<NamedRun> runs_;
};

/// Every method for a density of the position.
template <class System, class Density, int N>
void add_position_density(Table& table, const std::string& problem, const std::string& name, const System& system,
                          const Density& density, const PeriodicMotion<N>& motion, double h) {
  using Verlet = VelocityVerlet<System>;
  using Hamiltonian = HamiltonianAdaptiveVerlet<System, Density>;
  using Variational = VariationalAdaptiveVerlet<System, Density>;
  const auto add = [&](const char* method, Family family, auto&& of) {
    table.add({problem, name, method, family}, of, motion, h);
  };
  add("explicit", Family::naive, ExplicitSteps<Verlet, Density>(Verlet(system), density));
  add("hamiltonian", Family::hamiltonian, Hamiltonian(system, density));
  add("hamiltonian_dkd", Family::hamiltonian, Hamiltonian(system, density, StepParts::drift_kick_drift));
  add("variational_start", Family::variational, Variational(system, density, StepRule::start));
  add("variational_mean", Family::variational, Variational(system, density, StepRule::mean));
  add("variational_midpoint", Family::variational, Variational(system, density, StepRule::midpoint));
  add("variational_density", Family::variational,
      Variational(system, density, StepRule::mean, PotentialWeight::density));
  add("reversible", Family::reversible, ReversibleAdaptiveVerlet<System, Density>(system, density));
  add("reversible_steps", Family::reversible, ReversibleSteps<Verlet, Density>(Verlet(system), density));
  add("integrated", Family::integrated, IntegratedSteps<Verlet, Density>(Verlet(system), density));
}

/// Every method for a density of position and velocity.
template <class System, class Density, int N>
void add_state_density(Table& table, const std::string& problem, const std::string& name, const System& system,
                       const Density& density, const PeriodicMotion<N>& motion, double h) {
  using Verlet = VelocityVerlet<System>;
  const auto add = [&](const char* method, Family family, auto&& of) {
    table.add({problem, name, method, family}, of, motion, h);
  };
  add("explicit", Family::naive, ExplicitSteps<Verlet, Density>(Verlet(system), density));
  add("reversible", Family::reversible, ReversibleAdaptiveVerlet<System, Density>(system, density));
  add("reversible_steps", Family::reversible, ReversibleSteps<Verlet, Density>(Verlet(system), density));
}

template <class System, int N>
void add_constant(Table& table, const std::string& problem, const System& system, const PeriodicMotion<N>& motion,
                  double h) {
  using Verlet = VelocityVerlet<System>;
  table.add({problem, "", "constant", Family::constant},
            ExplicitSteps<Verlet, ConstantDensity<System>>(Verlet(system), {}), motion, h);
}

}  // namespace livi
