// SPDX-License-Identifier: MIT
#include <livi/foreign/pipe_subject.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>
#include <typeinfo>

#include <livi/foreign/declared_accuracy.hpp>
#include <livi/foreign/library_host.hpp>

namespace livi {
namespace {

/// The longest texts that a method may give itself.
constexpr std::size_t longest_name = 200;
constexpr int most_digits = 50, fewest_digits = 20;
constexpr long most_normals = 4096;
/// The steps that a library may make within the limit for one answer; more have a longer one.
constexpr double steps_of_one_limit = 64;

std::optional<long> whole_number(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(at); end != std::string::npos; begin = end + 1, end = text.find(at, begin))
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

/// The words `key=value` of a line; a value in double quotes may hold spaces.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& line, std::size_t at) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (true) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string::npos) return pairs;
    const auto equals = line.find('=', at);
    const auto space = line.find_first_of(" \t", at);
    if (equals == std::string::npos || space < equals || equals == at)
      throw ForeignFailure("in its declaration the method wrote " + quoted(line.substr(at, space - at)) +
                           " where key=value is expected");
    const std::string key = line.substr(at, equals - at);
    std::size_t end = 0;
    std::string value;
    if (equals + 1 < line.size() && line[equals + 1] == '"') {
      end = line.find('"', equals + 2);
      if (end == std::string::npos)
        throw ForeignFailure("in the method's declaration the quotes of " + quoted(key) + " are not closed");
      value = line.substr(equals + 2, end - equals - 2);
      ++end;
    } else {
      end = std::min(space, line.size());
      value = line.substr(equals + 1, end - equals - 1);
    }
    for (const auto& [earlier, _] : pairs)
      if (earlier == key) throw ForeignFailure("the method declares " + quoted(key) + " twice");
    pairs.emplace_back(key, value);
    at = end;
  }
}

bool yes_or_no(const std::string& key, const std::string& value) {
  if (value == "yes" || value == "no") return value == "yes";
  throw ForeignFailure("the method declares " + key + "=" + quoted(value) + "; allowed: yes, no");
}

void declare_numbers(ForeignDeclaration& declaration, const std::string& value) {
  declaration.numbers.clear();
  for (const std::string& word : split(value, ',')) {
    NumberType type = NumberType::real;
    if (word == "double") {
      type = NumberType::real;
    } else if (word == "complex") {
      type = NumberType::complex;
    } else if (word == "rational") {
      type = NumberType::rational;
    } else if (word.rfind("digits:", 0) == 0) {
      type = NumberType::digits;
      const auto digits = whole_number(word.substr(7));
      if (!digits || *digits < fewest_digits)
        throw ForeignFailure("the method declares numbers=" + quoted(value) + "; allowed: digits:D with D from " +
                             std::to_string(fewest_digits));
      // More digits than the judge has are of no use to it, but no fault.
      declaration.digits = static_cast<int>(std::min<long>(*digits, most_digits));
    } else {
      throw ForeignFailure("the method declares numbers=" + quoted(value) +
                           "; allowed: double, complex, digits:D, rational, with commas between them");
    }
    if (declaration.computes_in(type))
      throw ForeignFailure("the method declares a number type twice: " + quoted(value));
    declaration.numbers.push_back(type);
  }
}

void declare_kinds(ForeignDeclaration& declaration, const std::string& value) {
  declaration.kinds.clear();
  for (const std::string& word : split(value, ',')) {
    const auto kind = word == "mechanical"    ? std::optional(ProblemKind::mechanical)
                      : word == "timed"       ? std::optional(ProblemKind::timed)
                      : word == "separable"   ? std::optional(ProblemKind::separable)
                      : word == "langevin"    ? std::optional(ProblemKind::langevin)
                      : word == "constrained" ? std::optional(ProblemKind::constrained)
                      : word == "adaptive"    ? std::optional(ProblemKind::adaptive)
                      : word == "extended"    ? std::optional(ProblemKind::extended)
                      : word == "body"        ? std::optional(ProblemKind::body)
                                              : std::nullopt;
    if (!kind || declaration.takes(*kind))
      throw ForeignFailure(
          "the method declares kinds=" + quoted(value) +
          "; allowed: mechanical, timed, separable, langevin, constrained, adaptive, extended, body, with "
          "commas between them, each once");
    declaration.kinds.push_back(*kind);
  }
  if (declaration.takes(ProblemKind::langevin) && !declaration.takes(ProblemKind::mechanical))
    throw ForeignFailure("the method declares kinds=" + quoted(value) +
                         "; langevin needs mechanical beside it: without friction and noise it is a method for that");
  const bool adapts = declaration.takes(ProblemKind::adaptive), extends = declaration.takes(ProblemKind::extended);
  if ((adapts || extends) && (!adapts || declaration.kinds.size() != (extends ? 2U : 1U)))
    throw ForeignFailure("the method declares kinds=" + quoted(value) +
                         "; adaptive stands alone, or with extended beside it: steps that the method chooses are "
                         "judged by rows of their own");
}

/// What is not named is left open, but by `no`.
void declare_momentum(ForeignDeclaration& declaration, const std::string& value) {
  if (value == "no") {
    declaration.linear_momentum = declaration.angular_momentum = false;
    return;
  }
  for (const std::string& word : split(value, ',')) {
    if (word == "linear") {
      declaration.linear_momentum = true;
    } else if (word == "angular") {
      declaration.angular_momentum = true;
    } else {
      throw ForeignFailure("the method declares momentum=" + quoted(value) +
                           "; allowed: no, linear, angular, or linear,angular");
    }
  }
}

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

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text.substr(0, 60)) result += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  return "'" + result + (text.size() > 60 ? "..." : "") + "'";
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at != std::string::npos;) {
    const auto end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

Hello parse_hello(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty() || words[0] != "livi")
    throw ForeignFailure("the method's first line is " + quoted(line) + "; expected: livi 1 key=value ...");
  if (words.size() < 2 || words[1] != std::to_string(protocol_version))
    throw ForeignFailure("the method speaks version " + quoted(words.size() < 2 ? "" : words[1]) +
                         " of the protocol; the judge speaks version " + std::to_string(protocol_version));
  // A terminal would obey them.
  if (std::ranges::any_of(line, [](unsigned char c) { return (c < 32 && c != '\t') || c == 127; }))
    throw ForeignFailure("the method's first line has control characters: " + quoted(line));
  Hello hello;
  ForeignDeclaration& declaration = hello.declaration;
  const auto after = line.find(words[1], line.find("livi") + 4) + words[1].size();
  for (const auto& [key, value] : pairs_of(line, after)) {
    if (key == "name" || key == "source") {
      if (value.size() > longest_name)
        throw ForeignFailure("the method's " + key + " is longer than " + std::to_string(longest_name) + " bytes");
      (key == "name" ? declaration.name : declaration.source) = value;
    } else if (key == "order") {
      const auto order = whole_number(value);
      if (!order || *order < 1 || *order > 20)
        throw ForeignFailure("the method declares order=" + quoted(value) + "; allowed: a whole number from 1 to 20");
      declaration.order = static_cast<int>(*order);
    } else if (key == "symplectic") {
      declaration.symplectic = yes_or_no(key, value);
    } else if (key == "symmetric") {
      declaration.symmetric = yes_or_no(key, value);
    } else if (key == "memory") {
      declaration.memory = yes_or_no(key, value);
    } else if (key == "momentum") {
      declare_momentum(declaration, value);
    } else if (key == "gradients") {
      const auto count = whole_number(value);
      if (!count || *count < 0 || *count > 10000)
        throw ForeignFailure("the method declares gradients=" + quoted(value) +
                             "; allowed: a whole number from 0 to 10000");
      declaration.gradients = static_cast<double>(*count);
    } else if (key == "stability") {
      const auto limit = parse_double(value);
      if (!limit || std::isnan(*limit) || *limit < 0)
        throw ForeignFailure("the method declares stability=" + quoted(value) + "; allowed: a number >= 0, or inf");
      declaration.stability_limit = *limit;
    } else if (key == "sampling") {
      const auto power = whole_number(value);
      if (!power || *power < 1 || *power > 20)
        throw ForeignFailure("the method declares sampling=" + quoted(value) +
                             "; allowed: a whole number from 1 to 20");
      declaration.sampling = static_cast<int>(*power);
    } else if (key == "hidden") {
      declaration.hidden = yes_or_no(key, value);
    } else if (key == "casimir") {
      declaration.casimir = yes_or_no(key, value);
    } else if (key == "tolerance") {
      const auto tolerance = parse_double(value);
      // Less is rounding, and with more nothing would be judged.
      if (!tolerance || !(*tolerance >= 1e-15 && *tolerance <= 1e-6))
        throw ForeignFailure("the method declares tolerance=" + quoted(value) +
                             "; allowed: a number from 1e-15 to 1e-6");
      declaration.tolerance = *tolerance;
    } else if (key == "precision") {
      if (value != "double" && value != "single")
        throw ForeignFailure("the method declares precision=" + quoted(value) + "; allowed: double, single");
      declaration.single_precision = value == "single";
    } else if (key == "numbers") {
      declare_numbers(declaration, value);
    } else if (key == "form") {
      if (value != "decimal" && value != "hex")
        throw ForeignFailure("the method declares form=" + quoted(value) + "; allowed: decimal, hex");
      hello.form = value == "hex" ? NumberForm::hex : NumberForm::decimal;
    } else if (key == "kinds") {
      declare_kinds(declaration, value);
    } else {
      throw ForeignFailure("the method declares " + quoted(key) +
                           ", which is no key of the protocol; allowed: name, source, order, symplectic, symmetric, "
                           "momentum, gradients, stability, sampling, hidden, casimir, memory, tolerance, precision, "
                           "numbers, form, kinds");
    }
  }
  if (declaration.sampling && !declaration.takes(ProblemKind::langevin))
    throw ForeignFailure(
        "the method declares sampling, which is judged on problems of the kind langevin only; its kinds "
        "do not name it");
  for (const ProblemKind kind : {ProblemKind::langevin, ProblemKind::constrained, ProblemKind::body})
    if (declaration.takes(kind) && !declaration.computes_in(NumberType::real))
      throw ForeignFailure("the method declares the kind " + kind_name(kind) +
                           ", which is judged in double only; its numbers do not name it");
  if (declaration.hidden && !declaration.takes(ProblemKind::constrained))
    throw ForeignFailure(
        "the method declares hidden, which is judged on problems of the kind constrained only; its kinds do not name "
        "it");
  if (declaration.casimir && !declaration.takes(ProblemKind::body))
    throw ForeignFailure(
        "the method declares casimir, which is judged on problems of the kind body only; its kinds do not name it");
  if (declaration.kinds == std::vector{ProblemKind::body}) {
    if (declaration.linear_momentum == true)
      throw ForeignFailure(
          "the method declares momentum=linear, which a body about a fixed point has not; its kinds name "
          "no other problem");
    declaration.linear_momentum.reset();
  }
  if (declaration.takes(ProblemKind::adaptive)) {
    if (declaration.numbers != std::vector{NumberType::real})
      throw ForeignFailure(
          "the method declares the kind adaptive, which is judged in double only; its numbers name another type");
    if (declaration.stability_limit)
      throw ForeignFailure(
          "the method declares stability, which is that of steps of one size; its kinds name adaptive");
    if (const std::string accuracy = declared_accuracy(declaration); !accuracy.empty())
      throw ForeignFailure("the method declares " + accuracy +
                           ", up to which no step is judged that the method chooses; its kinds name adaptive");
  }
  if (declaration.name.empty()) declaration.name = "a method without a name";
  return hello;
}

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

void PipeSubject::send(const std::string& line) {
  if (record_) *record_ += "> " + line + "\n";
  // At once: what was said before a method hangs or dies is what one looks for.
  if (trace_) *trace_ << "> " << line << std::endl;
  channel_->send(line);
}
std::string PipeSubject::receive() {
  std::string line = channel_->receive();
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
  throw ForeignFailure(what);
}

template <class S>
class PipeSubject::Run final : public ForeignRun<S> {
 public:
  Run(PipeSubject& subject, Forces<S>& forces) : subject_(subject), forces_(forces) {
    const JudgedProblem& problem = forces.problem();
    std::string line = std::string("problem ") + Texts<S>::name + " " + kind_name(problem.kind) + " " +
                       std::to_string(problem.momenta());
    for (const double m : problem.masses) line += " " + text(S(m));
    if (problem.kind == ProblemKind::langevin)
      line += " " + text(S(problem.friction)) + " " + text(S(problem.temperature));
    if (problem.kind == ProblemKind::constrained) line += " " + std::to_string(problem.constraints.size());
    expect_ok("problem", line);
    // A subclass of forces answers with something else, or writes down what was asked; so does a record of the session.
    if constexpr (std::is_same_v<S, double>)
      if (subject.limits_.own_host && !subject.record_ && typeid(forces) == typeid(Forces<double>))
        expect_ok("potential", potential_line(problem));
  }
  void start(const TimedPoint<S>& z) override {
    expect_ok("start", "start " + text(z.t) + text(z.q) + text(z.p) + (has_energy() ? " " + text(z.energy) : ""));
    z_ = z;
  }
  void step(const S& h, long count) override {
    subject_.send("step " + text(h) + " " + std::to_string(count));
    // A library is heard of again when it has made all of them.
    if (subject_.limits_.own_host)
      subject_.channel_->be_patient(std::max(1.0, static_cast<double>(count) / steps_of_one_limit));
    const std::string answer = converse("step", count);
    subject_.channel_->be_patient(1);
    const std::vector<std::string> words = words_of(answer);
    if (words[0] == "failed")
      throw ForeignRefusal("a step failed: " +
                           quoted(answer.substr(std::min(answer.size(), answer.find("failed") + 7))));
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
    const auto at = answer.find("saved") + 5;
    return answer.substr(std::min(answer.size(), at + 1));
  }
  void restore(const std::string& saved) override { expect_ok("restore", "restore " + saved); }

 private:
  [[nodiscard]] std::size_t n() const { return forces_.problem().masses.size(); }
  [[nodiscard]] std::size_t momenta() const { return static_cast<std::size_t>(forces_.problem().momenta()); }
  [[nodiscard]] bool has_energy() const { return forces_.problem().kind == ProblemKind::extended; }
  [[nodiscard]] bool has_clock() const { return has_energy() || forces_.problem().kind == ProblemKind::adaptive; }
  [[nodiscard]] std::string text(const S& x) const { return Texts<S>::write(x, subject_.hello_); }
  [[nodiscard]] std::string text(const std::vector<S>& x) const {
    std::string result;
    for (const S& entry : x) result += " " + text(entry);
    return result;
  }
  [[noreturn]] void unexpected(const std::string& request, const std::string& answer) {
    subject_.refuse("the method answered " + quoted(answer) + " to '" + request +
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
      subject_.refuse("the method wrote " + std::to_string(words.size() - 1) + " numbers where " +
                      std::to_string(least) + (least == most ? "" : " or " + std::to_string(most)) +
                      " are expected: " + quoted(line));
    std::vector<S> numbers;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const std::optional<S> number = Texts<S>::read(words[k]);
      if (!number)
        subject_.refuse("the method wrote " + quoted(words[k]) + ", which is no number in " + Texts<S>::name + ": " +
                        quoted(line));
      numbers.push_back(*number);
    }
    return numbers;
  }
  /// Answers the method's questions until it answers ours.
  std::string converse(const std::string& request, long steps) {
    const long most = std::max<long>(1, steps) * subject_.limits_.questions_per_step;
    for (long questions = 0; questions <= most; ++questions) {
      std::string line = subject_.receive();
      const std::vector<std::string> words = words_of(line);
      subject_.refuse_the_unusable(line);
      if (words.empty()) subject_.refuse("the method wrote an empty line in answer to '" + request + "'");
      if (words[0] == "unsupported") {
        if (request == "problem")
          throw ProblemRefused("the method takes no problem with " + std::to_string(momenta()) +
                               (momenta() == 1 ? " degree" : " degrees") + " of freedom of the kind " +
                               kind_name(forces_.problem().kind) + " in " + Texts<S>::name);
        throw ForeignRefusal("the method does not know '" + request + "'");
      }
      if (subject_.limits_.own_host && words[0] == "counted") {
        count(words, line);
      } else if (!answer_question(words, line)) {
        return line;
      }
    }
    subject_.refuse("the method asked more than " + std::to_string(most) + " questions and made no step");
  }
  /// Adds what the host of a library answered in the judge's place.
  void count(const std::vector<std::string>& words, const std::string& line) {
    std::size_t at = 1;
    for (long* const counter : {&forces_.gradients, &forces_.velocities, &forces_.hessians, &forces_.thirds,
                                &forces_.values, &forces_.constraints, &forces_.jacobians}) {
      const auto asked = at < words.size() ? whole_number(words[at++]) : std::nullopt;
      if (!asked) subject_.refuse("the method wrote " + quoted(line) + " where counts are expected");
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
    } else if (what == "noise" && forces_.problem().kind == ProblemKind::langevin) {
      const auto count = words.size() == 2 ? whole_number(words[1]) : std::nullopt;
      if (!count || *count < 1 || *count > most_normals)
        subject_.refuse("the method wrote " + quoted(line) + "; allowed: noise k, k a whole number from 1 to " +
                        std::to_string(most_normals));
      answer = forces_.noise(static_cast<std::size_t>(*count));
    } else if (what == "constraint" && forces_.problem().kind == ProblemKind::constrained) {
      answer = forces_.constraint(numbers_of(words, n(), n(), line));
    } else if (what == "constraint_jacobian" && forces_.problem().kind == ProblemKind::constrained) {
      answer = forces_.constraint_jacobian(numbers_of(words, n(), n(), line));
    } else if (what == "torque" && forces_.problem().kind == ProblemKind::body) {
      answer = forces_.torque(numbers_of(words, n(), n(), line));
    } else if (what == "value") {
      const auto x = with_time(1);
      answer = {forces_.value(time_of(x, 1), part(x, 0))};
    } else if (what == "noise" || what == "constraint" || what == "constraint_jacobian" || what == "torque") {
      subject_.refuse("the method asked for '" + what + "' in a problem of the kind " +
                      kind_name(forces_.problem().kind) + ", which has none");
    } else {
      return false;
    }
    subject_.send(what + text(answer));
    return true;
  }

  PipeSubject& subject_;
  Forces<S>& forces_;
  TimedPoint<S> z_;
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
