// SPDX-License-Identifier: MIT
//
// The progress of a long run, for the person who waits.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace livi {

/// A timer that is due once every so many seconds, the first time after one interval. With an interval of 0 it is
/// always due.
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

/// A line on a stream that shows the progress at once and then once a second; it is wiped at the end.
class Progress {
 public:
  /// Shows progress on the standard error stream, or nothing if that is not a terminal, so that logs stay clean. `done`
  /// of `total` steps have been made; the remaining time is estimated from those that follow.
  explicit Progress(long total, long done = 0) : Progress(total, done, stderr, isatty(STDERR_FILENO) == 1) {}
  /// Shows progress on a stream that must outlive this object, or nothing unless `visible`.
  Progress(long total, long done, std::FILE* stream, bool visible)
      : total_(total), first_(done), stream_(stream), visible_(visible), start_(std::chrono::steady_clock::now()) {
    if (visible_) show(done);
  }
  ~Progress() {
    if (visible_) std::fputs("\r\033[K", stream_);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(long completed) {
    if (visible_ && every_second_.due()) show(completed);
  }

 private:
  void show(long completed) const {
    const double part = total_ > 0 ? static_cast<double>(completed) / static_cast<double>(total_) : 1;
    std::fprintf(stream_, "\r%3d %%  step %ld of %ld", static_cast<int>(100 * part), completed, total_);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (completed > first_ && seconds > 0)
      std::fprintf(stream_, ", %.0f s left",
                   seconds * static_cast<double>(total_ - completed) / static_cast<double>(completed - first_));
    std::fputs("\033[K", stream_);
    std::fflush(stream_);
  }

  long total_, first_;
  std::FILE* stream_;
  bool visible_;
  std::chrono::steady_clock::time_point start_;
  Periodically every_second_{1};
};

}  // namespace livi
