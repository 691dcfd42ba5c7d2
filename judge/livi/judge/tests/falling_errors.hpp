// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <livi/judge/measures/run_points.hpp>

namespace livi::foreign_detail {

/// Errors of shorter and shorter steps from one start, which are to fall as a power of the length.
class FallingErrors {
 public:
  /// An error over its bound by longer steps, with the length of its step.
  struct Excess {
    double value, length, error, bound;
  };
  /// `may_divide`: the method may be too exact in long steps. Lengths of adaptive steps become so short that momenta lose their weight.
  FallingErrors(double power, bool may_divide) : power_(power), may_divide_(may_divide) {}
  void add(double length, double error, double rounding) {
    Excess now{0, length, error, 0};
    for (const auto& [longer, its] : before_) now.bound = std::max(now.bound, its * std::pow(length / longer, power_));
    if (before_.size() >= 2 && error > rounding) now.value = error / now.bound;
    in_a_row_ = now.value > 1 ? in_a_row_ + 1 : 0;
    // A method that divides long steps is too exact in them: its errors are no larger than shorter steps foretell, which fall.
    constexpr double much = 8;
    fallen_ = now.value > 0 && now.value <= 1 ? fallen_ * before_.back().second / error : 1;
    if (may_divide_ && fallen_ >= much)
      std::erase_if(shown_, [&](const Excess& one) {
        return one.error <= 2 * error * std::pow(one.length / length, power_ + 0.5);
      });
    // Terms of the error may cancel in longer steps, which are no bound then: a little of excess at one length shows nothing.
    if (now.value >= 4 || in_a_row_ >= 3) {
      shown_.push_back(now);
    } else {
      now.value = std::min(now.value, 1.0);
      if (is_worse(now.value, largest_.value)) largest_ = now;
    }
    before_.emplace_back(length, error);
  }
  /// Returns the largest one, which is more than one if errors do not fall.
  [[nodiscard]] Excess worst() const {
    Excess worst = largest_;
    for (const Excess& one : shown_)
      if (is_worse(one.value, worst.value)) worst = one;
    return worst;
  }

 private:
  double power_;
  bool may_divide_;
  std::vector<std::pair<double, double>> before_;  ///< lengths and errors
  int in_a_row_ = 0;                               ///< errors that are too large
  double fallen_ = 1;                              ///< by what errors have fallen that are not, in a row
  Excess largest_{0, 0, 0, 0};                     ///< the largest one that shows nothing
  std::vector<Excess> shown_;
};

}  // namespace livi::foreign_detail
