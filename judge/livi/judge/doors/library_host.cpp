// SPDX-License-Identifier: MIT
#include <livi/judge/doors/library_host.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>

#include <livi/foreign/livi_judge.h>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/doors/short_wait.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi {
namespace {

/// What the library can be asked, and the longest text that it may save.
constexpr long longest_saved = 1L << 16;
constexpr std::array required = {"livi_judge_version", "livi_judge_declares", "livi_judge_start", "livi_judge_step"};

/// Calls a function of the library. An exception that it lets out ends the process, as in any program in C.
template <class Result, class... Arguments, class... Given>
Result call(Result (*function)(Arguments...), Given... given) noexcept {
  return function(given...);
}

/// Why the library cannot be judged; a whole sentence.
struct Unusable {
  std::string why;
};

double number_of(const std::string& word) {
  const std::optional<double> number = parse_double(word);
  if (!number) throw std::runtime_error("'" + word + "' is no number");
  return *number;
}
long count_of(const std::string& word) {
  long count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size()) throw std::runtime_error("'" + word + "' is no count");
  return count;
}

/// Lines over two descriptors, which the library does not know.
class Lines {
 public:
  Lines() {
    // Low numbers are those that a library that closes descriptors, or writes to one, is most likely to hit.
    in_ = ::fcntl(0, F_DUPFD_CLOEXEC, 100);
    out_ = ::fcntl(1, F_DUPFD_CLOEXEC, 100);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (in_ < 0 || out_ < 0 || nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(2, 1) < 0)
      throw std::runtime_error(std::string("descriptors cannot be moved: ") + std::strerror(errno));
    ::close(nothing);
  }
  void write(std::string line) const {
    line += '\n';
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t count = ::write(out_, line.data() + at, line.size() - at);
      if (count < 0 && errno != EINTR) ::_exit(1);
      if (count > 0) at += static_cast<std::size_t>(count);
    }
  }
  /// Returns the next line. Where the input ends the process does, whatever the library is doing.
  std::string read() {
    while (true) {
      if (const auto at = buffer_.find('\n'); at != std::string::npos) {
        std::string line = buffer_.substr(0, at);
        buffer_.erase(0, at + 1);
        return line;
      }
      pollfd input{in_, POLLIN, 0};
      wait_shortly_([&] { return ::poll(&input, 1, 0) != 0; });
      std::array<char, 65536> more;
      const ssize_t count = ::read(in_, more.data(), more.size());
      if (count == 0 || (count < 0 && errno != EINTR)) ::_exit(0);
      if (count > 0) buffer_.append(more.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int in_ = -1, out_ = -1;
  std::string buffer_;
  ShortWait wait_shortly_;
};

class Host {
 public:
  explicit Host(const std::string& path) : path_(path) {}

  void serve() {
    while (true) {
      const std::string line = lines_.read();
      const std::vector<std::string> words = words_of(line);
      const std::string& what = words.empty() ? line : words[0];
      if (what == "livi") {
        lines_.write(hello());
      } else if (what == "problem") {
        take_problem(words);
      } else if (what == "potential") {
        read_potential_line(line, judged_);
        forces_.emplace(judged_);
        lines_.write("ok");
      } else if (what == "start") {
        const std::vector<double> x = numbers(words, 1);
        expect_questions(1);
        call(start_, &problem_, x.at(0), x.data() + 1, x.data() + 1 + judged_.masses.size());
        lines_.write(counts() + "ok");
      } else if (what == "step") {
        step(number_of(words.at(1)), count_of(words.at(2)));
      } else if (what == "save" && save_) {
        std::vector<char> text(static_cast<std::size_t>(longest_saved), '\0');
        const bool saved = call(save_, text.data(), longest_saved) == 0;
        text.back() = '\0';
        lines_.write(saved ? std::string("saved ") + text.data() : with_reason("unsupported", " "));
      } else if (what == "restore" && restore_) {
        expect_questions(1);
        const bool restored = call(restore_, &problem_, line.c_str() + std::strlen("restore ")) == 0;
        lines_.write(counts() + (restored ? "ok" : with_reason("unsupported", " ")));
      } else if (what == "bye") {
        return;
      } else {
        lines_.write("unsupported");
      }
    }
  }
  /// Tells the judge why nothing can be judged.
  void give_up(const Unusable& unusable) const { lines_.write("unusable " + unusable.why); }

 private:
  /// Loads the library and returns the answer to the judge's first line.
  std::string hello() {
    // To open a pipe may wait for ever. A name without a folder is looked for where the system has its libraries.
    std::error_code error;
    if (path_.find('/') != std::string::npos && std::filesystem::exists(path_, error) &&
        !std::filesystem::is_regular_file(path_, error))
      throw Unusable{"the library cannot be loaded: " + path_ + " is no regular file"};
    void* const library = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw Unusable{std::string("the library cannot be loaded: ") + ::dlerror()};
    for (const char* const name : required)
      if (!::dlsym(library, name)) throw Unusable{"the library '" + path_ + "' does not define " + name};
    const int version = call(function<int()>(library, "livi_judge_version"));
    if (version != LIVI_JUDGE_VERSION)
      throw Unusable{"the library is made for version " + std::to_string(version) +
                     " of livi_judge.h; the judge has version " + std::to_string(LIVI_JUDGE_VERSION)};
    start_ = function<decltype(livi_judge_start)>(library, "livi_judge_start");
    step_ = function<decltype(livi_judge_step)>(library, "livi_judge_step");
    save_ = function<decltype(livi_judge_save)>(library, "livi_judge_save");
    restore_ = function<decltype(livi_judge_restore)>(library, "livi_judge_restore");
    takes_ = function<decltype(livi_judge_takes)>(library, "livi_judge_takes");
    reason_ = function<decltype(livi_judge_reason)>(library, "livi_judge_reason");
    const char* const declared = call(function<decltype(livi_judge_declares)>(library, "livi_judge_declares"));
    if (!declared) throw Unusable{"the library's livi_judge_declares returns a null pointer"};
    std::string line = "livi " + std::to_string(protocol_version) + " " + declared;
    if (line.find('\n') != std::string::npos) throw Unusable{"the library's declaration has more than one line"};
    const ForeignDeclaration declaration = [&] {
      try {
        return parse_hello(line).declaration;
      } catch (const ForeignFailure& failure) {
        throw Unusable{failure.what()};
      }
    }();
    if (declaration.numbers != std::vector{NumberType::real})
      throw Unusable{"the library declares numbers other than double, in which alone a library is judged"};
    if (line.find(" form=") == std::string::npos) line += " form=hex";
    return line;
  }
  template <class Function>
  static Function* function(void* library, const char* name) {
    // POSIX promises that a function's address goes through a pointer to void; C++ has no other way to say so.
    return reinterpret_cast<Function*>(::dlsym(library, name));
  }
  static std::vector<double> numbers(const std::vector<std::string>& words, std::size_t from) {
    std::vector<double> x;
    for (std::size_t k = from; k < words.size(); ++k) x.push_back(number_of(words[k]));
    return x;
  }

  void take_problem(const std::vector<std::string>& words) {
    forces_.reset();
    judged_ = {};
    if (words.at(1) != "double") {
      lines_.write("unsupported");
      return;
    }
    kind_ = words.at(2);
    judged_.kind = kind_named(kind_).value();
    judged_.masses = numbers(words, 4);
    const auto last = [this] {
      const double number = judged_.masses.back();
      judged_.masses.pop_back();
      return number;
    };
    const int constraints = judged_.has_constraints() ? static_cast<int>(last()) : 0;
    if (judged_.has_bath()) {
      judged_.temperature = last();
      judged_.friction = last();
    }
    problem_ = {.n = judged_.momenta(),
                .kind = kind_.c_str(),
                .masses = judged_.masses.data(),
                .judge = this,
                .gradient = [](void* host, double t, const double* q,
                               double* g) { static_cast<Host*>(host)->answer("gradient", t, {q}, g); },
                .velocity = [](void* host, const double* p,
                               double* v) { static_cast<Host*>(host)->answer("velocity", std::nullopt, {p}, v); },
                .hessian = [](void* host, double t, const double* q,
                              double* h) { static_cast<Host*>(host)->answer("hessian", t, {q}, h); },
                .third =
                    [](void* host, double t, const double* q, const double* a, const double* b, double* w) {
                      static_cast<Host*>(host)->answer("third", t, {q, a, b}, w);
                    },
                .value =
                    [](void* host, double t, const double* q) {
                      double value = 0;
                      static_cast<Host*>(host)->answer("value", t, {q}, &value);
                      return value;
                    },
                .constraints = constraints,
                .constraint = [](void* host, const double* q,
                                 double* g) { static_cast<Host*>(host)->answer("constraint", std::nullopt, {q}, g); },
                .constraint_jacobian =
                    [](void* host, const double* q, double* dg) {
                      static_cast<Host*>(host)->answer("constraint_jacobian", std::nullopt, {q}, dg);
                    },
                .friction = judged_.friction,
                .temperature = judged_.temperature,
                .noise = [](void* host, int count,
                            double* x) { static_cast<Host*>(host)->ask("noise " + std::to_string(count), x); },
                .torque = [](void* host, const double* q,
                             double* tau) { static_cast<Host*>(host)->answer("torque", std::nullopt, {q}, tau); }};
    lines_.write(takes_ && call(takes_, &problem_) != 0 ? with_reason("unsupported", " ") : "ok");
  }

  /// Returns an answer with the first line of the library's reason for it behind it, if it gives one.
  [[nodiscard]] std::string with_reason(const std::string& answer, const std::string& between) const {
    const char* const reason = reason_ ? call(reason_) : nullptr;
    return reason ? answer + between + std::string(reason, std::strcspn(reason, "\r\n")) : answer;
  }
  void expect_questions(long steps) {
    asked_ = 0;
    most_ = steps * ProtocolLimits{}.questions_per_step;
  }
  /// Returns the line that tells the judge what was asked in its place, with its end: it goes before the answer to its
  /// request, in one piece with it.
  std::string counts() {
    if (!forces_) return "";
    std::string line = "counted";
    for (long* const counter : {&forces_->gradients, &forces_->velocities, &forces_->hessians, &forces_->thirds,
                                &forces_->values, &forces_->constraints, &forces_->jacobians}) {
      line += " " + std::to_string(*counter);
      *counter = 0;
    }
    return line + "\n";
  }
  void step(double h, long count) {
    expect_questions(count);
    const auto momenta = static_cast<std::size_t>(judged_.momenta());
    std::vector<double> q(judged_.masses.size() + (judged_.has_clock() ? 1 : 0));
    std::vector<double> p(momenta + (judged_.has_energy() ? 1 : 0));
    const int status = call(step_, h, count, q.data(), p.data());
    std::string line = counts();
    if (status != 0) {
      lines_.write(line + with_reason("failed livi_judge_step returned " + std::to_string(status), ": "));
      return;
    }
    line += "state";
    // The time comes first in a line, and last in what the library writes.
    if (judged_.has_clock()) std::rotate(q.begin(), q.end() - 1, q.end());
    for (const std::vector<double>& x : {q, p})
      for (const double entry : x) line += " " + number_text(entry, NumberForm::hex);
    lines_.write(line);
  }

  /// Asks the judge.
  void ask(const std::string& question, double* to) {
    lines_.write(question);
    std::ranges::copy(numbers(words_of(lines_.read()), 1), to);
  }
  /// Answers the library: from the potential, if it is known here, or by asking the judge.
  void answer(const char* what, std::optional<double> t, std::initializer_list<const double*> vectors, double* to) {
    const std::string_view which = what;
    if ((which.starts_with("constraint") && !judged_.has_constraints()) ||
        (which == "torque" && judged_.kind != ProblemKind::body)) {
      give_up({"the method asked for '" + std::string(which) + "' in a problem of the kind " + kind_name(judged_.kind) +
               ", which has none"});
      ::_exit(1);
    }
    const auto n = which == "velocity" ? static_cast<std::size_t>(judged_.momenta()) : judged_.masses.size();
    if (!forces_) {
      std::string line = what;
      for (const double* const x : vectors)
        for (std::size_t i = 0; i < n; ++i) line += " " + number_text(x[i], NumberForm::hex);
      if (t) line += " " + number_text(*t, NumberForm::hex);
      ask(line, to);
      return;
    }
    if (++asked_ > most_) {
      give_up({"the method asked more than " + std::to_string(most_) + " questions and made no step"});
      ::_exit(1);
    }
    std::vector<std::vector<double>> x;
    for (const double* const vector : vectors) x.emplace_back(vector, vector + n);
    if (which == "value") {
      *to = forces_->value(*t, x[0]);
      return;
    }
    const std::vector<double> values = which == "gradient"              ? forces_->gradient(*t, x[0])
                                       : which == "velocity"            ? forces_->velocity(x[0])
                                       : which == "hessian"             ? forces_->hessian(*t, x[0])
                                       : which == "constraint"          ? forces_->constraint(x[0])
                                       : which == "constraint_jacobian" ? forces_->constraint_jacobian(x[0])
                                       : which == "torque"              ? forces_->torque(x[0])
                                                                        : forces_->third(*t, x[0], x[1], x[2]);
    std::copy(values.begin(), values.end(), to);
  }

  std::string path_, kind_;
  Lines lines_;
  decltype(livi_judge_start)* start_ = nullptr;
  decltype(livi_judge_step)* step_ = nullptr;
  decltype(livi_judge_save)* save_ = nullptr;
  decltype(livi_judge_restore)* restore_ = nullptr;
  decltype(livi_judge_takes)* takes_ = nullptr;
  decltype(livi_judge_reason)* reason_ = nullptr;
  JudgedProblem judged_;
  livi_judge_problem problem_{};
  std::optional<Forces<double>> forces_;  ///< only where the judge told the potential
  long asked_ = 0, most_ = 0;
};

void write_polynomial(std::string& line, const DyadicPolynomial& polynomial) {
  line += " " + std::to_string(polynomial.terms.size());
  for (const Monomial& term : polynomial.terms) {
    line += " " + number_text(term.coefficient, NumberForm::hex) + " " + std::to_string(term.factors.size());
    for (const auto& [variable, exponent] : term.factors)
      line += " " + std::to_string(variable) + " " + std::to_string(exponent);
  }
}
DyadicPolynomial read_polynomial(const std::vector<std::string>& words, std::size_t& at) {
  DyadicPolynomial polynomial;
  for (long terms = count_of(words.at(at++)); terms > 0; --terms) {
    Monomial term{number_of(words.at(at++)), {}};
    for (long factors = count_of(words.at(at++)); factors > 0; --factors) {
      const long variable = count_of(words.at(at++));
      term.factors.emplace_back(static_cast<int>(variable), static_cast<int>(count_of(words.at(at++))));
    }
    polynomial.terms.push_back(std::move(term));
  }
  return polynomial;
}

}  // namespace

std::string potential_line(const JudgedProblem& problem) {
  std::string line = "potential";
  write_polynomial(line, problem.potential);
  write_polynomial(line, problem.kinetic);
  line += " " + std::to_string(problem.constraints.size());
  for (const DyadicPolynomial& g : problem.constraints) write_polynomial(line, g);
  return line;
}
void read_potential_line(const std::string& line, JudgedProblem& problem) {
  const std::vector<std::string> words = words_of(line);
  std::size_t at = 1;
  problem.potential = read_polynomial(words, at);
  problem.kinetic = read_polynomial(words, at);
  problem.constraints.clear();
  for (long count = count_of(words.at(at++)); count > 0; --count)
    problem.constraints.push_back(read_polynomial(words, at));
}

int serve_library(const std::string& path) {
  Host host(path);
  try {
    host.serve();
    return 0;
  } catch (const Unusable& unusable) {
    host.give_up(unusable);
    return 1;
  }
}

}  // namespace livi
