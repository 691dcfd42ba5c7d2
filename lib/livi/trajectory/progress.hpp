// SPDX-License-Identifier: MIT
//
// How far a long run is, for the person who waits.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace livi {

/// Says yes once every so many seconds, the first time after one interval. An interval of 0 says yes always.
class Periodically {
 public:
  explicit Periodically(double seconds) : interval_(seconds), last_(Clock::now()) {}
  bool due() {
    const auto now = Clock::now();
    if (std::chrono::duration<double>(now - last_).count() < interval_) return false;
    last_ = now;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double interval_;
  Clock::time_point last_;
};

/// One line on the standard error stream, at once and then once a second; wiped at the end. Silent when that stream is
/// not a terminal, so that logs stay clean.
class Progress {
 public:
  /// `done` of `total` steps lie behind; the time that is left is estimated from what follows.
  explicit Progress(long total, long done = 0)
      : total_(total), first_(done), visible_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {
    if (visible_) show(done);
  }
  ~Progress() {
    if (visible_) std::fputs("\r\033[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(long completed) {
    if (visible_ && every_second_.due()) show(completed);
  }

 private:
  void show(long completed) const {
    const double part = total_ > 0 ? static_cast<double>(completed) / static_cast<double>(total_) : 1;
    std::fprintf(stderr, "\r%3d %%  step %ld of %ld", static_cast<int>(100 * part), completed, total_);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (completed > first_ && seconds > 0)
      std::fprintf(stderr, ", %.0f s left",
                   seconds * static_cast<double>(total_ - completed) / static_cast<double>(completed - first_));
    std::fputs("\033[K", stderr);
    std::fflush(stderr);
  }

  long total_, first_;
  bool visible_;
  std::chrono::steady_clock::time_point start_;
  Periodically every_second_{1};
};

}  // namespace livi
