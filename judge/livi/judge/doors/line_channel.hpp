// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

namespace livi {

/// Lines of text to and from somebody. Everything that can go wrong throws ForeignFailure, after which the other side is
/// ended.
class LineChannel {
 public:
  virtual ~LineChannel() = default;
  /// Sends one line, without its end.
  virtual void send(const std::string& line) = 0;
  /// Sends one line that answers a question of the other side, which still has to answer the line before it.
  virtual void send_answer(const std::string& line) { send(line); }
  /// Returns the next line, without its end.
  virtual std::string receive() = 0;
  /// Allows so many times the usual time for each answer from now on.
  virtual void be_patient(double /*times*/) {}
  /// Ends the other side, which has nothing more to say.
  virtual void finish() = 0;
  /// Ends the other side at once, because of what it said.
  virtual void end() noexcept = 0;
  /// Returns a channel to another one of the same kind.
  [[nodiscard]] virtual std::unique_ptr<LineChannel> another() const = 0;
};

}  // namespace livi
