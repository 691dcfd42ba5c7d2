// SPDX-License-Identifier: MIT
//
// The orbit of a step map, computed lazily: one state in memory, however long the run.
//
//   Trajectory run(method, method.start(q, v), h, steps);
//   for (const auto& point : run) fold(point.time, point.state);  // steps + 1 points, the start included
//   if (!run.outcome().ok()) ...                                  // why it ended early and at which step;
//                                                                 // state() is the last good one
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>

#include <livi/integrators/integrator.hpp>

namespace livi {

/// The end of a run.
struct RunOutcome {
  StepOutcome step;    ///< outcome of the last step attempted
  long completed = 0;  ///< steps that succeeded
  double time = 0;     ///< time reached

  [[nodiscard]] bool ok() const { return step.ok(); }
  [[nodiscard]] std::string describe() const {
    if (ok()) return "completed " + std::to_string(completed) + " steps";
    std::ostringstream text;
    text << "stopped in step " << completed + 1 << " after t = " << time << ": " << step.describe();
    return text.str();
  }
};

/// Throws InvalidParameter unless h is finite and > 0; returns it.
template <class S>
const S& require_step(const S& h) {
  const OrderAssumed<S> all_steps(OrderReason::parameters);
  if (!is_finite(h) || !(RealOf<S>(0) < leading(h)))
    throw InvalidParameter("h", to_double(h), "a step must be finite and > 0");
  return h;
}

/// Returns the number of steps of size h in a time T >= 0. Throws InvalidParameter unless that is a whole number of
/// steps to within 1e-9 of a step, or to rounding where the steps are so many that rounding is more.
inline long steps_in(double end_time, double h) {
  require_step(h);
  if (!(end_time >= 0) || !std::isfinite(end_time))
    throw InvalidParameter("T", end_time, "an end time must be finite and >= 0");
  const double steps = std::round(end_time / h);
  std::ostringstream of_h;
  of_h << "h = " << h;
  if (std::abs(end_time / h - steps) > std::max(1e-9, 4 * std::numeric_limits<double>::epsilon() * steps))
    throw InvalidParameter("T", end_time, "must be a multiple of the step " + of_h.str());
  if (!(steps < 0x1p62))
    throw InvalidParameter("T", end_time, "is more steps of " + of_h.str() + " than can be counted");
  return static_cast<long>(steps);
}

template <class Method>
class Trajectory {
 public:
  using S = ScalarOf<typename Method::system_type>;
  using state_type = typename Method::state_type;

  struct Point {
    long step;
    S time;  ///< step * h, not an accumulated sum
    const state_type& state;
  };

  /// Prepares a run of `steps` >= 0 steps; keeps a reference to the method.
  Trajectory(Method& method, state_type start, const S& h, long steps)
      : method_(&method), state_(std::move(start)), trial_(state_), h_(require_step(h)), steps_(steps) {
    if (steps < 0) throw InvalidParameter("steps", steps, "must be >= 0");
  }

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Point;
    explicit Iterator(Trajectory* run) : run_(run) {}
    Point operator*() const { return run_->point(); }
    Iterator& operator++() {
      run_->advance();
      return *this;
    }
    void operator++(int) { run_->advance(); }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.run_->finished(); }

   private:
    Trajectory* run_;
  };

  Iterator begin() { return Iterator(this); }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

  /// Runs to the end without visiting the points.
  const RunOutcome& complete() {
    while (!finished_) advance();
    return outcome_;
  }
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] const RunOutcome& outcome() const { return outcome_; }
  [[nodiscard]] const state_type& state() const { return state_; }

 private:
  [[nodiscard]] Point point() const { return {outcome_.completed, whole<S>(outcome_.completed) * h_, state_}; }
  void advance() {
    if (outcome_.completed == steps_) {
      finished_ = true;
      return;
    }
    trial_ = state_;
    outcome_.step = method_->step(trial_, h_);
    if (outcome_.step.ok() && !(all_finite(trial_.q) && all_finite(velocity_of(trial_))))
      outcome_.step = {Failure::not_finite, -1};
    if (!outcome_.step.ok()) {
      finished_ = true;
      return;
    }
    std::swap(state_, trial_);
    ++outcome_.completed;
    outcome_.time = static_cast<double>(outcome_.completed) * to_double(h_);
  }

  /// Returns v, or W of a rigid body.
  static const auto& velocity_of(const state_type& z) {
    if constexpr (requires { z.v; }) {
      return z.v;
    } else {
      return z.w;
    }
  }

  Method* method_;
  state_type state_, trial_;
  S h_;
  long steps_;
  RunOutcome outcome_;
  bool finished_ = false;
};

}  // namespace livi
