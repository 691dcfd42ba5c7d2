// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>

namespace livi {

/// Asks again and again whether something has come, for as long as it takes to put a process to sleep and to wake it, some
/// ten microseconds. Two processes that answer each other within a microsecond then never sleep. Where nothing comes in
/// that time, because the other process is slow or has no processor, it is not tried for some time: for twice as many
/// waits as before, up to a thousand.
class ShortWait {
 public:
  /// Returns whether has_come() was true.
  template <class HasCome>
  bool operator()(const HasCome& has_come) {
    if (left_out_ < to_leave_out_) {
      ++left_out_;
      return false;
    }
    left_out_ = 0;
    using Clock = std::chrono::steady_clock;
    const auto limit = Clock::now() + std::chrono::microseconds(20);
    do {
      if (has_come()) {
        to_leave_out_ = 0;
        return true;
      }
    } while (Clock::now() < limit);
    to_leave_out_ = std::min(2 * to_leave_out_ + 1, 1000);
    return false;
  }

 private:
  int to_leave_out_ = 0, left_out_ = 0;
};

}  // namespace livi
