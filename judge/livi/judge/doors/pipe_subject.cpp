// SPDX-License-Identifier: MIT
#include <livi/judge/doors/pipe_subject.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>
#include <typeinfo>

#include <livi/judge/doors/library_host.hpp>
#include <livi/judge/method/declared_accuracy.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/text/plain_text.hpp>

namespace livi {
namespace {

constexpr long most_normals = 4096;
/// The steps that a library may make within the limit for one answer; more have a longer one.
constexpr double steps_of_one_limit = 64;

/// What differs from one number type to another.
template <class S>
struct Texts;
template <>
struct Texts<double> {
  static constexpr const char* name = "double";
  static std::string write(double x, const Hello& hello) { return number_text(x, hello.form); }
  static std::optional<double> read(const std::string& text) { return parse_double(text); }
};
template <>
struct Texts<std::complex<double>> {
  static constexpr const char* name = "complex";
  static std::string write(const std::complex<double>& x, const Hello& hello) { return number_text(x, hello.form); }
  static std::optional<std::complex<double>> read(const std::string& text) { return parse_complex(text); }
};
template <>
struct Texts<Float50> {
  static constexpr const char* name = "digits";
  static std::string write(const Float50& x, const Hello& hello) {
    return number_text(x, hello.declaration.digits + 2);
  }
  static std::optional<Float50> read(const std::string& text) { return parse_digits(text); }
};
template <>
struct Texts<Rational> {
  static constexpr const char* name = "rational";
  static std::string write(const Rational& x, const Hello&) { return number_text(x); }
  static std::optional<Rational> read(const std::string& text) { return parse_rational(text); }
};

}  // namespace

PipeSubject::PipeSubject(std::unique_ptr<LineChannel> channel, ProtocolLimits limits, std::ostream* trace)
    : channel_(std::move(channel)), limits_(limits), trace_(trace) {
  try {
    send("livi " + std::to_string(protocol_version));
    const std::string line = receive();
    refuse_the_unusable(line);
    hello_ = parse_hello(line);
  } catch (const ForeignFailure&) {
    channel_->end();
    throw;
  }
}

PipeSubject::~PipeSubject() = default;

void PipeSubject::send(const std::string& line, bool is_answer) {
  if (record_) *record_ += "> " + line + "\n";
  // At once: what was said before a method hangs or dies is what one looks for.
  if (trace_) *trace_ << "> " << line << std::endl;
  is_answer ? channel_->send_answer(line) : channel_->send(line);
}
std::string PipeSubject::receive() {
  std::string line;
  try {
    line = channel_->receive();
  } catch (const ForeignFailure& failure) {
    // A fault in one dimension or kind is found by it.
    throw ForeignFailure(failure.what() + where_);
  }
  if (record_) *record_ += "< " + line + "\n";
  if (trace_) *trace_ << "< " << line << std::endl;
  return line;
}
void PipeSubject::refuse_the_unusable(const std::string& line) {
  const std::string word = "unusable ";
  if (limits_.own_host && line.rfind(word, 0) == 0) refuse(line.substr(word.size()));
}
void PipeSubject::refuse(const std::string& what) {
  channel_->end();
  throw ForeignFailure(what + where_);
}

template <class S>
class PipeSubject::Run final : public ForeignRun<S> {
 public:
  Run(PipeSubject& subject, Forces<S>& forces) : subject_(subject), forces_(forces) {
    const JudgedProblem& problem = forces.problem();
    std::string line =
        std::string("problem ") + Texts<S>::name + " " + kind_name(kind()) + " " + std::to_string(problem.momenta());
    for (const double m : problem.masses) line += " " + text(S(m));
    if (has_bath()) line += " " + text(S(problem.friction)) + " " + text(S(problem.temperature));
    if (has_constraints()) line += " " + std::to_string(problem.constraints.size());
    in_problem_ = std::string(", in the problem ") + Texts<S>::name + " " + kind_name(kind()) + " " +
                  std::to_string(problem.momenta());
    subject.where_ = in_problem_;
    expect_ok("problem", line);
    // A subclass of forces answers with something else, or writes down what was asked; so does a record of the session.
    if constexpr (std::is_same_v<S, double>)
      if (subject.limits_.own_host && !subject.record_ && typeid(forces) == typeid(Forces<double>))
        expect_ok("potential", potential_line(problem));
  }
  void start(const TimedPoint<S>& z) override {
    subject_.where_ = in_problem_ + ", begun at t = " + shown(z.t) + ", q = " + shown(z.q) + ", p = " + shown(z.p);
    expect_ok("start", "start " + text(z.t) + text(z.q) + text(z.p) + (has_energy() ? " " + text(z.energy) : ""));
    z_ = z;
  }
  void step(const S& h, long count) override {
    if constexpr (!std::is_same_v<S, std::complex<double>>)
      if (h < S(0) && subject_.declares().forward) throw ProblemRefused(makes_no_steps_back);
    subject_.send("step " + text(h) + " " + std::to_string(count));
    // A library is heard of again when it has made all of them.
    if (subject_.limits_.own_host)
      subject_.channel_->be_patient(std::max(1.0, static_cast<double>(count) / steps_of_one_limit));
    const std::string answer = converse("step", count);
    subject_.channel_->be_patient(1);
    const std::vector<std::string> words = words_of(answer);
    if (words[0] == "failed")
      throw ForeignRefusal("a step failed: " + quoted_text(after_word(answer, "failed")) + ", h = " + shown(h) +
                           subject_.where_);
    if (words[0] != "state") unexpected("step", answer);
    const std::size_t clock = has_clock() ? 1 : 0, expected = clock + n() + momenta() + (has_energy() ? 1 : 0);
    const auto numbers = numbers_of(words, expected, expected, answer);
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(clock);
    const auto half = first + static_cast<std::ptrdiff_t>(n());
    z_.q.assign(first, half);
    z_.p.assign(half, half + static_cast<std::ptrdiff_t>(momenta()));
    z_.t = has_clock() ? numbers.front() : z_.t + h * S(static_cast<double>(count));
    if (has_energy()) z_.energy = numbers.back();
  }
  TimedPoint<S> point() override { return z_; }
  std::optional<std::string> save() override {
    subject_.send("save");
    const std::string answer = converse("save", 1);
    if (words_of(answer)[0] != "saved") unexpected("save", answer);
    return after_word(answer, "saved");
  }
  void restore(const std::string& saved) override { expect_ok("restore", "restore " + saved); }

 private:
  [[nodiscard]] std::size_t n() const { return forces_.problem().masses.size(); }
  [[nodiscard]] std::size_t momenta() const { return static_cast<std::size_t>(forces_.problem().momenta()); }
  /// The kind as which the method is told the problem.
  [[nodiscard]] ProblemKind kind() const { return subject_.declares().told(forces_.problem().kind); }
  [[nodiscard]] bool has_bath() const {
    return kind() == ProblemKind::langevin || kind() == ProblemKind::constrained_langevin;
  }
  [[nodiscard]] bool has_constraints() const { return forces_.problem().has_constraints(); }
  [[nodiscard]] bool has_energy() const { return forces_.problem().has_energy(); }
  [[nodiscard]] bool has_clock() const { return forces_.problem().has_clock(); }
  [[nodiscard]] std::string text(const S& x) const { return Texts<S>::write(x, subject_.hello_); }
  [[nodiscard]] std::string text(const std::vector<S>& x) const {
    std::string result;
    for (const S& entry : x) result += " " + text(entry);
    return result;
  }
  /// Returns what follows the first word of a line and one space.
  static std::string after_word(const std::string& line, const std::string& word) {
    return line.substr(std::min(line.size(), line.find(word) + word.size() + 1));
  }
  /// Returns numbers as a sentence shows them: in decimals of double, the first ones of many.
  static std::string shown(const S& x) {
    if constexpr (std::is_same_v<S, double> || std::is_same_v<S, std::complex<double>>) {
      return number_text(x, NumberForm::decimal);
    } else {
      return number_text(x.template convert_to<double>(), NumberForm::decimal);
    }
  }
  static std::string shown(const std::vector<S>& x) {
    constexpr std::size_t most = 4;
    std::string result;
    for (std::size_t i = 0; i < std::min(x.size(), most); ++i) result += (i == 0 ? "(" : ", ") + shown(x[i]);
    return result + (x.size() > most ? ", ...)" : ")");
  }
  [[noreturn]] void unexpected(const std::string& request, const std::string& answer) {
    subject_.refuse("the method answered " + quoted_text(answer) + " to '" + request +
                    "'; notes belong on the standard error stream");
  }
  void expect_ok(const std::string& request, const std::string& line) {
    subject_.send(line);
    const std::string answer = converse(request, 1);
    if (words_of(answer)[0] != "ok") unexpected(request, answer);
  }
  /// Reads the numbers after the first word.
  std::vector<S> numbers_of(const std::vector<std::string>& words, std::size_t least, std::size_t most,
                            const std::string& line) {
    if (words.size() - 1 < least || words.size() - 1 > most)
      subject_.refuse("the method wrote " + counted(words.size() - 1, "number") + " where " + std::to_string(least) +
                      (least == most ? "" : " or " + std::to_string(most)) +
                      (most == 1 ? " is expected: " : " are expected: ") + quoted_text(line));
    std::vector<S> numbers;
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (words[k].size() > longest_number)
        subject_.refuse("the method wrote a number of " + std::to_string(words[k].size()) +
                        " characters; allowed: up to " + std::to_string(longest_number));
      const std::optional<S> number = Texts<S>::read(words[k]);
      if (!number)
        subject_.refuse("the method wrote " + quoted_text(words[k]) + ", which is no number in " + Texts<S>::name +
                        ": " + quoted_text(line));
      numbers.push_back(*number);
    }
    return numbers;
  }
  /// Answers the method's questions until it answers ours.
  std::string converse(const std::string& request, long steps) {
    using Clock = std::chrono::steady_clock;
    const long most = std::max<long>(1, steps) * subject_.limits_.questions_per_step;
    Clock::duration answering{};
    for (long questions = 0; questions <= most; ++questions) {
      std::string line = subject_.receive();
      const std::vector<std::string> words = words_of(line);
      subject_.refuse_the_unusable(line);
      if (words.empty()) subject_.refuse("the method wrote an empty line in answer to '" + request + "'");
      if (words[0] == "unsupported") {
        const std::string reason = words.size() == 1 ? "" : ": " + quoted_text(after_word(line, "unsupported"));
        if (request == "problem")
          throw ProblemRefused("the method takes no problem with " + counted(momenta(), "degree") +
                               " of freedom of the kind " + kind_name(kind()) + " in " + Texts<S>::name + reason);
        throw ForeignRefusal("the method answered 'unsupported' to '" + request + "'" + reason);
      }
      if (subject_.limits_.own_host && words[0] == "counted") {
        count(words, line);
        continue;
      }
      const auto begin = Clock::now();
      if (!answer_question(words, line)) return line;
      // Operations on fractions take time as the square of their length.
      answering += Clock::now() - begin;
      if (!std::is_same_v<S, Rational> || answering < std::chrono::duration<double>(subject_.limits_.seconds)) continue;
      const auto longest = std::ranges::max_element(words, {}, &std::string::size);
      subject_.refuse(foreign_detail::format(
          "the judge needs more than %g s for the fractions of one step, of up to %zu characters; "
          "--time-limit allows more",
          subject_.limits_.seconds, longest->size()));
    }
    subject_.refuse("the method asked more than " + std::to_string(most) + " questions and made no step");
  }
  /// Adds what the host of a library answered in the judge's place.
  void count(const std::vector<std::string>& words, const std::string& line) {
    std::size_t at = 1;
    for (long* const counter : {&forces_.gradients, &forces_.velocities, &forces_.hessians, &forces_.thirds,
                                &forces_.values, &forces_.constraints, &forces_.jacobians}) {
      const auto asked = at < words.size() ? whole_number(words[at++]) : std::nullopt;
      if (!asked || *asked < 0) subject_.refuse("the method wrote " + quoted_text(line) + " where counts are expected");
      *counter += *asked;
    }
  }
  /// Answers a question of the method; returns false if the line is none.
  bool answer_question(const std::vector<std::string>& words, const std::string& line) {
    const std::string& what = words[0];
    const bool timed = forces_.problem().kind == ProblemKind::timed;
    const auto with_time = [&](std::size_t vectors) {
      // The time may be left out where nothing depends on it.
      return numbers_of(words, vectors * n() + (timed ? 1 : 0), vectors * n() + 1, line);
    };
    const auto part = [&](const std::vector<S>& all, std::size_t from) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from * n());
      return std::vector<S>(begin, begin + static_cast<std::ptrdiff_t>(n()));
    };
    const auto time_of = [&](const std::vector<S>& all, std::size_t vectors) {
      return all.size() > vectors * n() ? all.back() : S(0);
    };
    std::vector<S> answer;
    if (what == "gradient") {
      const auto x = with_time(1);
      answer = forces_.gradient(time_of(x, 1), part(x, 0));
    } else if (what == "velocity") {
      answer = forces_.velocity(numbers_of(words, momenta(), momenta(), line));
    } else if (what == "hessian") {
      const auto x = with_time(1);
      answer = forces_.hessian(time_of(x, 1), part(x, 0));
    } else if (what == "third") {
      const auto x = with_time(3);
      answer = forces_.third(time_of(x, 3), part(x, 0), part(x, 1), part(x, 2));
    } else if (what == "noise" && has_bath()) {
      const auto count = words.size() == 2 ? whole_number(words[1]) : std::nullopt;
      if (!count || *count < 1 || *count > most_normals)
        subject_.refuse("the method wrote " + quoted_text(line) + "; allowed: noise k, k a whole number from 1 to " +
                        std::to_string(most_normals));
      answer = forces_.noise(static_cast<std::size_t>(*count));
    } else if (what == "constraint" && has_constraints()) {
      answer = forces_.constraint(numbers_of(words, n(), n(), line));
    } else if (what == "constraint_jacobian" && has_constraints()) {
      answer = forces_.constraint_jacobian(numbers_of(words, n(), n(), line));
    } else if (what == "torque" && forces_.problem().kind == ProblemKind::body) {
      answer = forces_.torque(numbers_of(words, n(), n(), line));
    } else if (what == "value") {
      const auto x = with_time(1);
      answer = {forces_.value(time_of(x, 1), part(x, 0))};
    } else if (what == "noise" || what == "constraint" || what == "constraint_jacobian" || what == "torque") {
      subject_.refuse("the method asked for '" + what + "' in a problem of the kind " + kind_name(kind()) +
                      ", which has none");
    } else {
      return false;
    }
    subject_.send(what + text(answer), true);
    return true;
  }

  PipeSubject& subject_;
  Forces<S>& forces_;
  TimedPoint<S> z_;
  std::string in_problem_;  ///< the problem as a sentence ends with it
};

std::unique_ptr<ForeignRun<double>> PipeSubject::in_double(Forces<double>& forces) {
  return std::make_unique<Run<double>>(*this, forces);
}
std::unique_ptr<ForeignRun<std::complex<double>>> PipeSubject::in_complex(Forces<std::complex<double>>& forces) {
  return std::make_unique<Run<std::complex<double>>>(*this, forces);
}
std::unique_ptr<ForeignRun<Float50>> PipeSubject::in_digits(Forces<Float50>& forces) {
  return std::make_unique<Run<Float50>>(*this, forces);
}
std::unique_ptr<ForeignRun<Rational>> PipeSubject::in_rational(Forces<Rational>& forces) {
  return std::make_unique<Run<Rational>>(*this, forces);
}

std::unique_ptr<ForeignSubject> PipeSubject::another() const {
  if (trace_) *trace_ << "# another process" << std::endl;
  return std::make_unique<PipeSubject>(channel_->another(), limits_, trace_);
}

void PipeSubject::finish() {
  send("bye");
  channel_->finish();
}

}  // namespace livi
