// SPDX-License-Identifier: MIT
//
// Signals that stop a run between two steps instead of in the middle of one.
//
//   const Interrupt interrupt;
//   for (const auto& point : run) if (interrupt.requested()) break;      // then save the state
#pragma once

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <utility>
#include <vector>

namespace livi {

/// A guard during whose life the first SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT is only noted; a second one of its kind ends
/// the program as usual. Signals that are ignored (nohup, a background job of a script) stay ignored. Only one may live
/// at a time, because signals belong to the process: another one throws std::logic_error.
class Interrupt {
 public:
  Interrupt() {
    if (alive().exchange(true)) throw std::logic_error("livi::Interrupt: only one may live at a time");
    received().store(0);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      struct sigaction previous {};
      sigaction(signal, nullptr, &previous);
      // Plain handlers share their field with those of SA_SIGINFO, so SIG_IGN is found here for both.
      if (previous.sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_handler = [](int number) { received().store(number); };
      sigemptyset(&action.sa_mask);
      action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
      sigaction(signal, &action, nullptr);
      previous_.emplace_back(signal, previous);
    }
  }
  ~Interrupt() {
    for (const auto& [signal, action] : previous_) sigaction(signal, &action, nullptr);
    alive().store(false);
  }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] bool requested() const { return received().load(std::memory_order_relaxed) != 0; }
  /// Returns the signal that was received, 0 if none was.
  [[nodiscard]] int signal() const { return received().load(); }

 private:
  static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may store to lock-free atomics only");
  static std::atomic<int>& received() {
    static std::atomic<int> value{0};
    return value;
  }
  static std::atomic<bool>& alive() {
    static std::atomic<bool> value{false};
    return value;
  }
  std::vector<std::pair<int, struct sigaction>> previous_;
};

}  // namespace livi
