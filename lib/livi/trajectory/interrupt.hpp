// SPDX-License-Identifier: MIT
//
// Stopping a run between two steps instead of in the middle of one.
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

/// While it lives, the first SIGINT (Ctrl-C), SIGTERM or SIGHUP is only noted; a second one ends the program as usual.
/// Signals that are ignored (nohup, a background job of a script) stay so. One at a time in a program: signals belong
/// to the process.
class Interrupt {
 public:
  Interrupt() {
    if (alive().exchange(true)) throw std::logic_error("livi::Interrupt: only one may live at a time");
    received().store(0);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction previous {};
      sigaction(signal, nullptr, &previous);
      // SA_SIGINFO and plain handlers share the field in which SIG_IGN is found.
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
  /// The signal that asked, 0 if none did.
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
