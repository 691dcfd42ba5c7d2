// SPDX-License-Identifier: MIT
//
// A program at the other end of a pipe, which may do anything. It runs in a process group of its own. Whatever happens,
// the group is ended and the program is waited for, and no other process is touched. POSIX only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <livi/judge/doors/line_channel.hpp>
#include <livi/judge/doors/short_wait.hpp>

namespace livi {

struct ChildLimits {
  double seconds = 10;                ///< for every answer
  bool flushes = false;               ///< whether the child is known to flush its output
  std::size_t line_bytes = 1U << 20;  ///< length of a line that the child writes
  std::size_t error_bytes =
      64U << 10;  ///< amount of the error streams that is passed on, of it and others made from it together
};

/// A child process as a channel of lines. Its standard error stream is passed on to ours as plain text, up to a
/// limit for it and all others that are made from it, after which it is read and dropped. It ends with this process, however that ends.
class ChildProcess final : public LineChannel {
 public:
  /// Starts the command (a program, found as the shell does, and its arguments); throws ForeignFailure if it cannot be
  /// started. From then on SIGPIPE is ignored in this process.
  explicit ChildProcess(std::vector<std::string> command, ChildLimits limits = {});
  ~ChildProcess() override;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void send(const std::string& line) override;
  void send_answer(const std::string& line) override;
  std::string receive() override;
  void be_patient(double times) override { patience_ = times; }
  /// Closes the child's input and waits for its end. Throws ForeignFailure if it does not end within the limit, ends by
  /// a signal or with a status other than 0, writes another line, or leaves processes behind; these are ended.
  void finish() override;
  void end() noexcept override;
  [[nodiscard]] std::unique_ptr<LineChannel> another() const override;

  /// Returns the process id of the child; 0 after its end.
  [[nodiscard]] int id() const { return id_; }
  /// Sets where a wait asks whether the judge is to end: returns the signal, after which the wait throws ForeignFailure,
  /// or 0. For all children.
  static void set_interrupt(int (*requested)());

 private:
  enum class Wait { line, output_taken, end };
  void pump(Wait until);
  bool has_line();
  /// Returns whether the child has ended; it is not waited for.
  [[nodiscard]] bool has_ended() const;
  bool read_some(int& descriptor, bool is_error);
  [[noreturn]] void fail(const std::string& what);
  std::string reap() noexcept;
  void close_all() noexcept;

  std::vector<std::string> command_;
  ChildLimits limits_;
  int id_ = 0, in_ = -1, out_ = -1, err_ = -1;
  std::string sent_, received_;
  std::string request_;  ///< the last line that was sent and is no answer
  std::size_t scanned_ = 0;
  std::shared_ptr<std::size_t> passed_on_ = std::make_shared<std::size_t>(0);  ///< how much of all error streams
  ShortWait wait_shortly_;
  double patience_ = 1;  ///< times the limit of seconds
  bool heard_ = false;   ///< whether it has ever answered
};

}  // namespace livi
