// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/systems.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/trajectory.hpp>

#include <functional>
#include <memory>
#include <optional>

namespace livi {

/// What can be said about a state.
struct Reading {
  Vector<double, Dynamic> q, v;        ///< v tangent where the method keeps another velocity (SHAKE)
  Vector<double, Dynamic> physical_q;  ///< q + beta h^2 a for methods that step another position; empty for others
};

/// The time of a method with adaptive steps, and the length of the step that led there, 0 at the start.
struct Clock {
  double time, last_step;
};

/// A method on a system, running. Keeps a reference to the problem it was started on.
class Simulation {
 public:
  virtual ~Simulation() = default;
  [[nodiscard]] virtual Properties declares() const = 0;
  [[nodiscard]] virtual std::string save() const = 0;
  virtual void load(const std::string& state) = 0;
  virtual StepOutcome read(Reading& reading) = 0;
  /// Returns the clock of the state; none where the time is the number of steps times h.
  [[nodiscard]] virtual std::optional<Clock> clock() const { return {}; }
  /// Sets position and velocity at a time within the last step of a method with a clock, while run() observes, by the cubic
  /// polynomial of adaptive_trajectory.hpp. Returns false for other methods.
  virtual bool read_at(double, Reading&) const { return false; }
  /// Returns the state before the last step of a method with a clock, as save() does, while run() observes.
  [[nodiscard]] virtual std::string save_before() const { return {}; }
  /// Returns the position as the method keeps it.
  [[nodiscard]] virtual const Vector<double, Dynamic>& position() const = 0;
  /// Returns the velocity as the method keeps it.
  [[nodiscard]] virtual const Vector<double, Dynamic>& velocity() const = 0;
  /// Calls observe(k) at the present state, k = 0, and after each step, until it returns false or all steps are made.
  virtual RunOutcome run(long steps, const std::function<bool(long)>& observe) = 0;
};

/// A method in its state. Base: Simulation, or what a program adds to it.
template <class Method, class Base = Simulation>
class SimulationOf : public Base {
  using V = Vector<double, Dynamic>;

 public:
  SimulationOf(Method method, const V& q, const V& v, double h)
      : method_(std::move(method)), state_(method_.start(q, v)), h_(h) {}

  [[nodiscard]] Properties declares() const override { return method_.declares(); }
  [[nodiscard]] std::string save() const override { return save_state(state_); }
  void load(const std::string& state) override { load_state(state, state_); }
  [[nodiscard]] const V& position() const override { return state_.q; }
  [[nodiscard]] const V& velocity() const override { return state_.v; }

  StepOutcome read(Reading& reading) override {
    reading.q = state_.q;
    reading.v = state_.v;
    if constexpr (requires { method_.tangent_velocity(state_, reading.v); })
      return method_.tangent_velocity(state_, reading.v);
    if constexpr (requires(WorkCounters & work) {
                    method_.force().physical_position(method_.system(), state_.q, h_, reading.physical_q, work);
                  }) {
      WorkCounters work;
      return method_.force().physical_position(method_.system(), state_.q, h_, reading.physical_q, work);
    }
    return {};
  }

  RunOutcome run(long steps, const std::function<bool(long)>& observe) override {
    Trajectory trajectory(method_, state_, h_, steps);
    for (const auto& point : trajectory) {
      state_ = point.state;
      if (!observe(point.step)) break;
    }
    return trajectory.outcome();
  }

 protected:
  Method method_;
  typename Method::state_type state_;
  double h_;
};

}  // namespace livi
