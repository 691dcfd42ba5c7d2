// SPDX-License-Identifier: MIT
//
// A method behind a channel of lines: the judge's side of the protocol of docs/protocol.md.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <livi/judge/doors/hello.hpp>
#include <livi/judge/doors/line_channel.hpp>
#include <livi/judge/method/foreign_subject.hpp>

namespace livi {

/// What a method may ask for while it makes a step; beyond it, it counts as one that never ends.
struct ProtocolLimits {
  long questions_per_step = 10000;
  double seconds = 10;  ///< for what the judge itself computes in fractions before one request is answered
  /// The other side is the judge's own host of a library (library_host.hpp): it computes the forces where nothing but
  /// their number matters to the judge, and says in one sentence what cannot be judged.
  bool own_host = false;
};

class PipeSubject final : public ForeignSubject {
 public:
  /// Greets the method and reads its declaration; throws ForeignFailure.
  explicit PipeSubject(std::unique_ptr<LineChannel> channel, ProtocolLimits limits = {}, std::ostream* trace = nullptr);
  ~PipeSubject() override;

  [[nodiscard]] const ForeignDeclaration& declares() const override { return hello_.declaration; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override;
  [[nodiscard]] std::unique_ptr<ForeignRun<std::complex<double>>> in_complex(
      Forces<std::complex<double>>& forces) override;
  [[nodiscard]] std::unique_ptr<ForeignRun<Float50>> in_digits(Forces<Float50>& forces) override;
  [[nodiscard]] std::unique_ptr<ForeignRun<Rational>> in_rational(Forces<Rational>& forces) override;
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override;
  /// Says goodbye and waits for the end of the method. Throws ForeignFailure.
  void finish();
  /// Sets a text to which every line is added from now on, those to the method after "> ", its own after "< "; null for
  /// none.
  void record(std::string* text) { record_ = text; }
  /// Sets a stream to which every line of this method, and of others begun from it, is written as it passes, with the
  /// same marks; "# another process" stands before the lines of another. Null for none. It must outlive them.
  void trace(std::ostream* lines) { trace_ = lines; }

 private:
  template <class S>
  class Run;
  void send(const std::string& line, bool is_answer = false);
  std::string receive();
  void refuse_the_unusable(const std::string& line);
  [[noreturn]] void refuse(const std::string& what);

  std::unique_ptr<LineChannel> channel_;
  ProtocolLimits limits_;
  Hello hello_;
  std::string* record_ = nullptr;
  std::ostream* trace_ = nullptr;
  std::string where_;  ///< the last problem and the last start, as a sentence ends with them
};

}  // namespace livi
