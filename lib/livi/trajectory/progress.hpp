// SPDX-License-Identifier: MIT
//
// The progress of a long run, for the person who waits.
#pragma once

#include <unistd.h>

#include <algorithm>
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
      : Progress("step", 17, static_cast<double>(total), static_cast<double>(done), stream, visible) {}
  ~Progress() {
    if (visible_) std::fputs("\r\033[K", stream_);
  }
  /// Shows how far a run is in time, under the same conditions.
  static Progress of_time(double end, double reached) {
    return of_time(end, reached, stderr, isatty(STDERR_FILENO) == 1);
  }
  static Progress of_time(double end, double reached, std::FILE* stream, bool visible) {
    return {"time", 6, end, reached, stream, visible};
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(long completed) { at_time(static_cast<double>(completed)); }
  void at_time(double reached) {
    if (visible_ && every_second_.due()) show(reached);
  }

 private:
  /// `word` says what is counted, to so many digits.
  Progress(const char* word, int digits, double total, double done, std::FILE* stream, bool visible)
      : word_(word),
        digits_(digits),
        total_(total),
        first_(done),
        stream_(stream),
        visible_(visible),
        start_(std::chrono::steady_clock::now()) {
    if (visible_) show(done);
  }

  void show(double completed) const {
    const double part = total_ > 0 ? std::min(completed / total_, 1.0) : 1;
    std::fprintf(stream_, "\r%3d %%  %s %.*g of %.*g", static_cast<int>(100 * part), word_, digits_, completed, digits_,
                 total_);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (completed > first_ && seconds > 0)
      std::fprintf(stream_, ", %.0f s left", seconds * std::max(total_ - completed, 0.0) / (completed - first_));
    std::fputs("\033[K", stream_);
    std::fflush(stream_);
  }

  const char* word_;
  int digits_;
  double total_, first_;
  std::FILE* stream_;
  bool visible_;
  std::chrono::steady_clock::time_point start_;
  Periodically every_second_{1};
};

}  // namespace livi
