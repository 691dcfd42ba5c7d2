// SPDX-License-Identifier: MIT
//
// The orbit of a method with a clock of its own, up to a time:
//
//   AdaptiveTrajectory run(method, method.start(q, v), h, end_time);
//   for (const auto& point : run) fold(point.state.t, point.state);   // the start, then every step
//   if (!run.outcome().ok()) ...                                      // why it ended early
//   run.at(end_time)                                                  // position and velocity at a time asked for
//
// The last step goes beyond the end time as its density says; nothing shortens it, because a step of another length
// would be a step of another method. What holds at the end time itself is read off by interpolation.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>
#include <livi/trajectory/trajectory.hpp>

namespace livi {

/// Returns position and velocity at a time between two states, by the cubic polynomial through positions and
/// velocities at both (Hermite): errors of order four in the position and three in the velocity.
template <class S, class State, int N = decltype(State::q)::SizeAtCompileTime>
PhaseState<S, N> interpolate(const State& before, const State& after, const S& time) {
  const S length = after.t - before.t;
  if (length == S(0)) return {before.q, before.v};
  const S s = (time - before.t) / length, r = S(1) - s;
  return {
      r * r * (S(1) + S(2) * s) * before.q + s * s * (S(1) + S(2) * r) * after.q +
          (length * s * r) * (r * before.v - s * after.v),
      (S(6) * s * r / length) * (after.q - before.q) + r * (r - S(2) * s) * before.v + s * (s - S(2) * r) * after.v};
}

/// A run of a method with adaptive steps, computed lazily: two states in memory, however long the run.
template <AdaptiveMethod Method>
class AdaptiveTrajectory {
 public:
  using S = ScalarOf<typename Method::system_type>;
  using state_type = typename Method::state_type;

  struct Point {
    long step;
    const state_type& state;
  };

  /// Prepares a run of fictitious steps h > 0 until the time is at least `end_time`, which must not be before the
  /// start's; keeps a reference to the method. The caller of a run that may need too many steps counts them.
  AdaptiveTrajectory(Method& method, state_type start, const S& h, const S& end_time)
      : method_(&method),
        state_(std::move(start)),
        before_(state_),
        trial_(state_),
        h_(require_step(h)),
        end_time_(end_time) {
    if (!is_finite(end_time) || leading(end_time) < leading(state_.t))
      throw InvalidParameter("end time", to_double(end_time),
                             "must be finite and not before the start, " + std::to_string(to_double(state_.t)));
    outcome_.time = to_double(state_.t);
  }

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Point;
    explicit Iterator(AdaptiveTrajectory* run) : run_(run) {}
    Point operator*() const { return {run_->outcome_.completed, run_->state_}; }
    Iterator& operator++() {
      run_->advance();
      return *this;
    }
    void operator++(int) { run_->advance(); }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.run_->finished(); }

   private:
    AdaptiveTrajectory* run_;
  };

  Iterator begin() { return Iterator(this); }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

  /// Runs to the end without visiting the points.
  const RunOutcome& complete() {
    while (!finished_) advance();
    return outcome_;
  }
  [[nodiscard]] bool finished() const { return finished_; }
  /// Returns how the run ended, or how far it is.
  [[nodiscard]] const RunOutcome& outcome() const { return outcome_; }
  /// Returns the last good state.
  [[nodiscard]] const state_type& state() const { return state_; }
  /// Returns the state before the last good one; at the start the start itself.
  [[nodiscard]] const state_type& before() const { return before_; }

  /// Returns position and velocity at a time within the last step. Throws InvalidParameter for another time.
  [[nodiscard]] auto at(const S& time) const {
    if (!(leading(before_.t) <= leading(time) && leading(time) <= leading(state_.t)))
      throw InvalidParameter("time", to_double(time),
                             "must be within the last step, from " + std::to_string(to_double(before_.t)) + " to " +
                                 std::to_string(to_double(state_.t)));
    return interpolate(before_, state_, time);
  }

 private:
  void advance() {
    if (!(leading(state_.t) < leading(end_time_))) {
      finished_ = true;
      return;
    }
    trial_ = state_;
    outcome_.step = method_->step(trial_, h_);
    if (outcome_.step.ok() && !(all_finite(trial_.q) && all_finite(velocity_of(trial_)) && is_finite(trial_.t)))
      outcome_.step = {Failure::not_finite, -1};
    // A clock that stands still or goes back never reaches the end.
    if (outcome_.step.ok() && !(leading(state_.t) < leading(trial_.t))) outcome_.step = {Failure::step_too_small, -1};
    if (!outcome_.step.ok()) {
      finished_ = true;
      return;
    }
    std::swap(before_, state_);
    std::swap(state_, trial_);
    ++outcome_.completed;
    outcome_.time = to_double(state_.t);
  }

  Method* method_;
  state_type state_, before_, trial_;
  S h_, end_time_;
  RunOutcome outcome_;
  bool finished_ = false;
};

}  // namespace livi
