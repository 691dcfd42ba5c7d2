// SPDX-License-Identifier: MIT
// livi-simulate: the integrators and systems of the library from the shell.
//
//   livi-simulate
//   livi-simulate --system kepler --method velocity-verlet --h 0.005 --T 1000 --every 20 --out kepler.csv
//   livi-simulate --form constrained --method rattle --T 1e6 --every 1000 --out long.csv --checkpoint long.checkpoint
//
// One file: the options that are resolved here name a run in its rows and in its checkpoint, and resume it.
#include <livi/catalogue/methods.hpp>
#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <livi/trajectory/progress.hpp>
#include "study/program/command_line.hpp"
#include "study/program/number_texts.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulate_rows.hpp"

namespace livi {

namespace {

namespace fs = std::filesystem;

/// The exit status after a signal, and after a numerical failure.
constexpr int interrupted_status = 130, failed_status = 1;

constexpr const char* documentation =
    R"(Simulates a mechanical system and shows or writes its orbit.

Examples:
  livi-simulate                    the double pendulum of TO14 4.1 (penalised, omega 20) by Zhang and Skeel's method
  livi-simulate --system kepler --method velocity-verlet --h 0.005 --T 1000 --every 20 --out kepler.csv
  livi-simulate --form constrained --method rattle --T 1e6 --every 1000 --out long.csv --checkpoint long.checkpoint
)";

constexpr const char* footer =
    R"(Rows (--out): one line of names, then time, q1.., v1.., energy, energy_error (energy minus that of the start) and, where
they have a meaning, constraint_defect (the largest |g_i|) and physical_q1.. . Methods that step another position than
the physical one (zhang-skeel, pushforward-newmark) take --q as, and write in q1.., the x of the paper; physical_q is
x + beta h^2 a. v of shake is its tangent velocity. Numbers are the shortest that read back unchanged.
Without --out, a table of eleven rows goes to the standard output. --q without --v starts at rest.

While a run lasts its rows are in OUT.partial, which replaces OUT when it is complete; what an earlier run has left in
OUT.partial is overwritten. A checkpoint is written at the start, every minute, at the end and on interruption (Ctrl-C,
SIGTERM; to OUT.checkpoint when --checkpoint is not given); where the numbers of a row fail, the last one before stays.
--resume FILE continues, to the last bit, the run that wrote FILE: other options need not be repeated; --T may be larger
than it was.

Exit status: 0 done; 1 the numbers failed (no convergence, a singular matrix, a value that is not finite): step, time
and last good state are printed, and the rows so far delivered; 2 bad input or a file that cannot be read or written;
130 interrupted.)";

// --- Lists of numbers as text ----------------------------------------------------------------------------------------

/// Separated by commas, blanks allowed around them.
std::vector<double> parse_list(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string entry = text.substr(begin, end - begin);
    entry.erase(0, std::min(entry.find_first_not_of(' '), entry.size()));
    entry.erase(entry.find_last_not_of(' ') + 1);
    numbers.push_back(parse_number(option + ", number " + std::to_string(numbers.size() + 1), entry));
    begin = end + 1;
  }
  return numbers;
}

template <class Numbers>
std::string join(const Numbers& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ",") + shortest(x);
  return text;
}

// --- What a run is ---------------------------------------------------------------------------------------------------

enum class Kind { word, number, count, list };

/// An option that is part of what a run is: a checkpoint remembers it.
struct OptionEntry {
  const char* name;
  Kind kind;
  const char* help;
};

constexpr OptionEntry option_entries[] = {
    {"system", Kind::word, "one of --list (default double-pendulum)"},
    {"n", Kind::count, "of chain and dna: how many pendulums or base pairs (default 10, 200)"},
    {"ends", Kind::word, "of dna: periodic or free (default periodic)"},
    {"seed", Kind::count, "of dna: of the random numbers it starts from (default 1)"},
    {"form", Kind::word, "of the pendulums: penalised or constrained (default: what the method needs)"},
    {"gravity", Kind::word, "of the pendulums: down, or as-printed (upward) (default down)"},
    {"omega", Kind::number, "of the penalty (default 20), or of the oscillator (default 1)"},
    {"mass", Kind::list, "1 number (scalar), n (diagonal) or n*n (full, row by row) (default 1)"},
    {"q", Kind::list, "initial position, numbers separated by commas (default: see --list)"},
    {"v", Kind::list, "initial velocity"},
    {"method", Kind::word, "one of --list (default zhang-skeel, rattle for --form constrained)"},
    {"beta", Kind::number, "Newmark's beta (default 0.4 for the pendulums, 0.3 for dna, else 0.25)"},
    {"newton-tolerance", Kind::number, "relative size of the last Newton update (default 32 roundings)"},
    {"newton-iterations", Kind::count, "limit of Newton iterations in a step (default 50)"},
    {"h", Kind::number, "step (default 0.01 for kepler, 0.05 for chain, 2 for dna, else 0.1)"},
    {"T", Kind::number, "end time, a multiple of the step (default 50)"},
    {"every", Kind::count, "write every K-th step (default 1)"}};

std::string canonical(const OptionEntry& option, const std::string& text) {
  const std::string name = std::string("--") + option.name;
  switch (option.kind) {
    case Kind::word:
      return text;
    case Kind::number:
      return shortest(parse_number(name, text));
    case Kind::count:
      return std::to_string(parse_count(name, text));
    case Kind::list:
      return join(parse_list(name, text));
  }
  return text;
}

using Options = std::map<std::string, std::string>;

/// The options of a run, all defaults filled in and everything checked that can be checked before it starts.
struct Settings {
  const SystemEntry* system = nullptr;
  const MethodEntry* method = nullptr;
  SystemOptions system_options;
  double h = 0;
  NewmarkOptions<double> method_options;
  Vector<double, Dynamic> q, v;
  double end_time = 0;
  long steps = 0, every = 1;
  std::vector<std::pair<std::string, std::string>> words;  ///< name and canonical text of all that apply

  [[nodiscard]] std::string describe() const {
    std::string text;
    for (const auto& [name, value] : words) text += (text.empty() ? "" : ", ") + name + " " + value;
    return text;
  }
};

template <class Entry>
const Entry& choose(const std::string& option, const std::string& name, const std::vector<Entry>& entries) {
  std::string allowed;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
    allowed += (allowed.empty() ? "" : ", ") + entry.name;
  }
  throw InvalidParameter(option, name, "must be one of " + allowed);
}

Vector<double, Dynamic> initial_data(const std::string& option, const std::string& text, const SystemEntry& system) {
  const std::vector<double> numbers = parse_list(option, text);
  if (!system.allows_size(numbers.size()))
    throw InvalidParameter(option, text, system.name + " needs " + system.allowed_sizes);
  for (const double x : numbers)
    if (!std::isfinite(x)) throw InvalidParameter(option, text, "must be finite");
  return Vector<double, Dynamic>::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

/// The options of a run as they are asked for, one by one: what nobody has asked for has no meaning for the run.
class OptionsOfRun {
 public:
  explicit OptionsOfRun(const Options& options) : given_(options), left_(options) {}

  [[nodiscard]] bool has(const std::string& name) const { return given_.count(name) > 0; }
  [[nodiscard]] const std::string& given(const std::string& name) const { return given_.at(name); }

  /// The canonical value of an option that applies.
  std::string take(const char* name, const std::string& otherwise) {
    const auto found = given_.find(name);
    left_.erase(name);
    const auto& entry = *std::find_if(std::begin(option_entries), std::end(option_entries),
                                      [&](const OptionEntry& o) { return std::string(o.name) == name; });
    words_.emplace_back(name, canonical(entry, found == given_.end() ? otherwise : found->second));
    return words_.back().second;
  }
  std::string one_of(const char* name, const std::string& otherwise, const char* a, const char* b) {
    const std::string word = take(name, otherwise);
    if (word != a && word != b)
      throw InvalidParameter(std::string("--") + name, word, std::string("must be ") + a + " or " + b);
    return word;
  }
  double finite(const char* name, const std::string& otherwise, bool zero_allowed) {
    const std::string text = take(name, otherwise);
    const double x = parse_number(name, text);
    if (!std::isfinite(x) || x < 0 || (x == 0 && !zero_allowed))
      throw InvalidParameter(std::string("--") + name, text,
                             zero_allowed ? "must be finite and >= 0" : "must be finite and > 0");
    return x;
  }
  long positive_count(const char* name, const std::string& otherwise, long most) {
    const long count = parse_count(name, take(name, otherwise));
    if (count < 1 || count > most)
      throw InvalidParameter(std::string("--") + name, count, "must be from 1 to " + std::to_string(most));
    return count;
  }

  /// InvalidParameter if an option was given that nobody has asked for.
  void require_all_taken(const std::string& run) const {
    if (!left_.empty())
      throw InvalidParameter("--" + left_.begin()->first, left_.begin()->second, "has no meaning for " + run);
  }
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& words() const { return words_; }

 private:
  const Options& given_;
  Options left_;
  std::vector<std::pair<std::string, std::string>> words_;
};

/// System and method. Returns the form of the double pendulum, empty for other systems.
std::string resolve_system_and_method(Settings& settings, OptionsOfRun& options) {
  const SystemEntry& system = choose("--system", options.take("system", "double-pendulum"), simulated_systems());
  settings.system = &system;
  if (options.has("method")) settings.method = &choose("--method", options.given("method"), simulated_methods());
  std::string form;
  if (system.has("form")) {
    const bool constrained_method = settings.method != nullptr && settings.method->kind == SystemKind::constrained;
    form = options.one_of("form", constrained_method ? "constrained" : "penalised", "penalised", "constrained");
    settings.system_options.gravity =
        options.one_of("gravity", "down", "down", "as-printed") == "down" ? Gravity::down : Gravity::as_printed;
  }
  const bool constrained = settings.system_options.constrained = form == "constrained";
  const std::string method_name = options.take("method", constrained ? "rattle" : "zhang-skeel");
  settings.method = &choose("--method", method_name, simulated_methods());
  if ((settings.method->kind == SystemKind::constrained) != constrained)
    throw InvalidParameter("--method", method_name,
                           constrained
                               ? "knows no constraints; use shake or rattle, or --form penalised"
                               : "needs constraints: --system double-pendulum --form constrained (or --system chain)");
  if (system.has("omega") && !constrained)
    settings.system_options.omega = options.finite("omega", system.otherwise("omega"), false);
  if (system.has("ends"))
    settings.system_options.ends =
        options.one_of("ends", "periodic", "periodic", "free") == "periodic" ? ChainEnds::periodic : ChainEnds::free;
  return form;
}

void resolve_start(Settings& settings, OptionsOfRun& options) {
  const SystemEntry& system = *settings.system;
  if (system.make_start != nullptr && !options.has("q")) {
    const long n = options.positive_count("n", system.otherwise("n"), 1000000000);
    const long seed = system.has("seed") ? options.positive_count("seed", "1", std::numeric_limits<long>::max()) : 1;
    std::tie(settings.q, settings.v) =
        system.make_start(static_cast<Eigen::Index>(n), static_cast<std::uint64_t>(seed));
    if (options.has("v")) settings.v = initial_data("--v", options.take("v", ""), system);
  } else {
    settings.q = initial_data("--q", options.take("q", system.q), system);
    const auto n = static_cast<std::size_t>(settings.q.size());
    settings.v =
        initial_data("--v", options.take("v", options.has("q") ? join(std::vector<double>(n, 0)) : system.v), system);
  }
  if (settings.v.size() != settings.q.size())
    throw InvalidParameter("--v", join(settings.v),
                           "must have as many numbers as --q, which has " + std::to_string(settings.q.size()));
  settings.system_options.mass = parse_list("--mass", options.take("mass", "1"));
}

void resolve_steps(Settings& settings, OptionsOfRun& options) {
  const SystemEntry& system = *settings.system;
  NewmarkOptions<double>& of_method = settings.method_options;
  if (settings.method->has(newmark_beta)) of_method.beta = options.finite("beta", system.beta, true);
  if (settings.method->has(newton_tolerance)) {
    const NewtonOptions<double> otherwise;
    of_method.newton.tolerance = options.finite("newton-tolerance", shortest(otherwise.tolerance), false);
    of_method.newton.max_iterations = static_cast<int>(
        options.positive_count("newton-iterations", std::to_string(otherwise.max_iterations), 1000000));
  }
  settings.h = options.finite("h", system.h, false);
  settings.end_time = options.finite("T", "50", true);
  constexpr double most_steps = 9007199254740992;  // beyond 2^53 the time of a step is not a number of its own
  if (settings.end_time / settings.h > most_steps)
    throw InvalidParameter("--T", shortest(settings.end_time),
                           "must be at most 2^53 steps of h = " + shortest(settings.h));
  settings.steps = steps_in(settings.end_time, settings.h);
  settings.every = options.positive_count("every", "1", std::numeric_limits<long>::max());
}

Settings resolve(const Options& given) {
  Settings settings;
  OptionsOfRun options(given);
  const std::string form = resolve_system_and_method(settings, options);
  resolve_start(settings, options);
  resolve_steps(settings, options);
  options.require_all_taken(settings.method->name + " on " + settings.system->name +
                            (form.empty() ? "" : " (" + form + ")"));
  settings.words = options.words();
  return settings;
}

// --- One run ---------------------------------------------------------------------------------------------------------

struct Files {
  fs::path out, checkpoint;
  bool checkpoint_on_interruption_only = false;
  double interval = 60;  ///< seconds between checkpoints
  long stop_after = -1;  ///< as if interrupted after this step; -1 never
};

class Runner {
 public:
  Runner(Settings settings, Files files, std::optional<Checkpoint> resumed)
      : settings_(std::move(settings)),
        files_(std::move(files)),
        resumed_(std::move(resumed)),
        problem_(
            make_problem(*settings_.system, static_cast<std::size_t>(settings_.q.size()), settings_.system_options)),
        simulation_(
            settings_.method->start(problem_, settings_.q, settings_.v, settings_.h, settings_.method_options)) {
    const double energy = problem_.energy(settings_.q, settings_.v);
    if (!std::isfinite(energy)) throw InvalidParameter("energy of --q and --v", energy, "must be finite");
    failure_ = simulation_->read(reading_);
    if (!failure_.ok()) return;
    first_energy_ = problem_.energy(reading_.q, reading_.v);
    if (resumed_) {
      if (resumed_->step > settings_.steps)
        throw InvalidParameter(
            "--T", shortest(settings_.end_time),
            "must be at least " + shortest(time_of(resumed_->step)) + ", the time that the checkpoint has reached");
      simulation_->load(resumed_->state);
      reached_ = resumed_->step;
    }
  }

  int run() {
    if (!failure_.ok()) return report_failure("before the first step: " + failure_.describe());
    const Interrupt interrupt;
    try {
      open_rows();
      return finish(integrate(interrupt), interrupt);
    } catch (const ReportError& error) {
      // What is kept is decided here, and said.
      std::string message = error.what();
      if (rows_) {
        const bool delivered = rows_->delivered(), kept = rows_->kept() > 0;
        const fs::path partial = rows_->partial();
        rows_.reset();
        message += delivered ? "\nthe rows are in " + files_.out.string()
                   : kept ? "\nthe rows up to step " + std::to_string(kept_step_) + " are kept in " + partial.string() +
                                "; to continue: livi-simulate --resume " + files_.checkpoint.string()
                          : "\nno rows of this run were kept";
      }
      throw ReportError(message);
    }
  }

 private:
  [[nodiscard]] double time_of(long step) const { return static_cast<double>(step) * settings_.h; }

  void open_rows() {
    if (files_.out.empty()) return;
    if (resumed_ && resumed_->setting("rows") != "none") {
      const std::string& rows = resumed_->setting("rows");
      const std::size_t space = std::min(rows.find(' '), rows.size());
      rows_.emplace(files_.out,
                    parse<std::uintmax_t>("rows of the checkpoint", rows.substr(0, space), "must be a size"),
                    rows.substr(std::min(space + 1, rows.size())));
      if (rows_->kept() > 0) kept_step_ = reached_;
    } else {
      rows_.emplace(files_.out);
      std::string names = "time";
      const auto several = [&](const std::string& name) {
        for (Eigen::Index i = 1; i <= settings_.q.size(); ++i) names += "," + name + std::to_string(i);
      };
      several("q");
      several("v");
      names += ",energy,energy_error";
      if (problem_.constraint) names += ",constraint_defect";
      if (reading_.physical_q.size() > 0) several("physical_q");
      rows_->append(names + "\n");
    }
  }

  RunOutcome integrate(const Interrupt& interrupt) {
    Progress progress(settings_.steps, reached_);
    Periodically checkpoint_due(files_.interval);
    const long first = reached_;
    return simulation_->run(settings_.steps - first, [&](long k) {
      reached_ = first + k;
      // The row of the step that a checkpoint has reached is in its rows already.
      const bool is_new = k > 0 || !resumed_;
      const bool in_table = files_.out.empty() && shown_ <= 10 && reached_ >= next_in_table();
      if ((is_new && reached_ % settings_.every == 0 && rows_) || in_table) {
        if (!add_row(in_table)) return false;
      }
      progress.at(reached_);
      if (k == 0 && has_checkpoint()) write_checkpoint();
      if (reached_ == settings_.steps) return true;
      if (interrupt.requested() || (files_.stop_after >= 0 && reached_ >= files_.stop_after)) {
        interrupted_ = true;
        return false;
      }
      if (k > 0 && has_checkpoint() && checkpoint_due.due()) write_checkpoint();
      return true;
    });
  }

  int finish(const RunOutcome& outcome, const Interrupt& interrupt) {
    const std::string reached = "step " + std::to_string(reached_) + " of " + std::to_string(settings_.steps) +
                                ", t = " + shortest(time_of(reached_));
    if (!failure_.ok() || !outcome.ok()) {
      const std::string time = "t = " + shortest(time_of(reached_)) + ": ";
      const int status = report_failure(
          failure_.ok()
              ? "stopped in step " + std::to_string(reached_ + 1) + " after " + time + outcome.step.describe()
              : "stopped at the row of step " + std::to_string(reached_) + ", " + time +
                    (failure_.failure == Failure::not_finite ? "its energy is not finite" : failure_.describe()));
      if (rows_) {
        rows_->deliver();
        say("the rows so far are in " + files_.out.string());
      }
      // A run continued from here would take the row of this step as written: where it could not be, the checkpoint
      // before stays.
      if (has_checkpoint() && failure_.ok()) write_checkpoint();
      print_table();
      return status;
    }
    if (interrupted_) {
      print_table();
      const int signal = interrupt.signal();
      const std::string by = signal == SIGTERM ? " by SIGTERM" : signal == SIGHUP ? " by SIGHUP" : "";
      if (!rows_ && !has_checkpoint()) {
        say("interrupted" + by + " at " + reached + "; nothing was kept, for want of --out and --checkpoint");
        return interrupted_status;
      }
      write_checkpoint();
      say("interrupted" + by + " at " + reached);
      if (rows_) say("the rows so far are in " + rows_->partial().string());
      say("to continue: livi-simulate --resume " + files_.checkpoint.string());
      return interrupted_status;
    }
    if (rows_) rows_->deliver();
    if (has_checkpoint()) write_checkpoint();
    print_table();
    return 0;
  }

  [[nodiscard]] bool has_checkpoint() const {
    return !files_.checkpoint.empty() && !files_.checkpoint_on_interruption_only;
  }

  void write_checkpoint() {
    if (rows_ && !rows_->delivered()) rows_->sync();
    Checkpoint checkpoint{settings_.words, reached_, simulation_->save()};
    checkpoint.settings.emplace_back("out", files_.out.string());
    checkpoint.settings.emplace_back(
        "rows", rows_ ? std::to_string(rows_->bytes()) + " " + rows_->checksum() : std::string("none"));
    write_file_atomically(files_.checkpoint, checkpoint.text());
    if (!rows_) return;
    rows_->keep();
    kept_step_ = reached_;
  }

  [[nodiscard]] double defect() const {
    Vector<double, Dynamic> g;
    problem_.constraint->value(reading_.q, g);
    return max_magnitude(g);
  }

  /// To the file or the table; false, with the failure noted, when something about the state is not finite.
  bool add_row(bool in_table) {
    failure_ = simulation_->read(reading_);
    if (!failure_.ok()) return false;
    const double energy = problem_.energy(reading_.q, reading_.v), error = energy - first_energy_;
    if (!std::isfinite(error) || !all_finite(reading_.v) || !all_finite(reading_.physical_q)) {
      failure_ = {Failure::not_finite, -1};
      return false;
    }
    if (in_table) {
      char text[32];
      const auto add = [&](double x) {
        std::snprintf(text, sizeof text, "%14.6g", x);
        table_ += text;
      };
      add(time_of(reached_));
      for (const double x : reading_.q.head(shown_positions())) add(x);
      add(error);
      if (problem_.constraint) add(defect());
      table_ += "\n";
      while (shown_ <= 10 && next_in_table() <= reached_) ++shown_;
    }
    if (rows_) {
      std::string& row = row_;
      row = shortest(time_of(reached_));
      const auto add = [&](double x) { (row += ',') += shortest(x); };
      for (const double x : reading_.q) add(x);
      for (const double x : reading_.v) add(x);
      add(energy);
      add(error);
      if (problem_.constraint) add(defect());
      for (const double x : reading_.physical_q) add(x);
      row += '\n';
      rows_->append(row);
    }
    return true;
  }

  /// The table shows the first positions of a long chain, files have them all.
  [[nodiscard]] Eigen::Index shown_positions() const { return std::min<Eigen::Index>(settings_.q.size(), 8); }
  /// Eleven rows, equally spaced as far as whole steps allow.
  [[nodiscard]] long next_in_table() const {
    return static_cast<long>(std::floor(static_cast<double>(settings_.steps) * static_cast<double>(shown_) / 10));
  }

  void print_table() const {
    if (!files_.out.empty()) return;
    const Properties properties = simulation_->declares();
    std::string names = "          time";
    const auto add = [&](const std::string& name) {
      names += std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + name;
    };
    for (Eigen::Index i = 1; i <= shown_positions(); ++i) add("q" + std::to_string(i));
    add("energy error");
    if (problem_.constraint) add("defect");
    std::cout << settings_.describe() << "\n"
              << properties.name << ": order " << properties.order << (properties.symmetric ? ", symmetric" : "")
              << (properties.symplectic ? ", symplectic" : "") << " (" << properties.source << ")\n"
              << names << "\n"
              << table_;
  }

  int report_failure(const std::string& what) {
    say(what);
    const std::string state = "last good state: step " + std::to_string(reached_) +
                              ", t = " + shortest(time_of(reached_)) + ", q = " + join(simulation_->position()) +
                              ", v = " + join(simulation_->velocity());
    say(state);
    return failed_status;
  }

  static void say(const std::string& line) { std::cerr << "livi-simulate: " << line << "\n"; }

  Settings settings_;
  Files files_;
  std::optional<Checkpoint> resumed_;
  Problem problem_;
  std::unique_ptr<Simulation> simulation_;
  std::optional<Rows> rows_;
  Reading reading_;
  StepOutcome failure_;
  double first_energy_ = 0;
  long reached_ = 0, kept_step_ = 0, shown_ = 0;
  bool interrupted_ = false;
  std::string row_, table_;
};

void print_list() {
  std::cout << "systems (--system), and where they start:\n";
  for (const SystemEntry& entry : simulated_systems())
    std::cout << "  " << entry.name << "\n      " << entry.description << "\n      q and v: " << entry.allowed_sizes
              << "; default "
              << (entry.make_start != nullptr ? "--n=" + entry.otherwise("n") : "--q=" + entry.q + " --v=" + entry.v)
              << "\n";
  std::cout << "\nmethods (--method), as they declare themselves (with beta 0.4):\n";
  const auto line = [](const std::string& name, const std::string& order, const std::string& symmetric,
                       const std::string& symplectic, const std::string& limit, const std::string& source) {
    char text[512];
    std::snprintf(text, sizeof text, "  %-23s %-7s%-11s%-12s%-16s%s\n", name.c_str(), order.c_str(), symmetric.c_str(),
                  symplectic.c_str(), limit.c_str(), source.c_str());
    std::cout << text;
  };
  line("", "order", "symmetric", "symplectic", "h omega below", "source");
  for (const MethodEntry& method : simulated_methods()) {
    const Settings settings = resolve({{"method", method.name}});
    const Problem problem = make_problem(*settings.system, 4, settings.system_options);
    const auto simulation = method.start(problem, settings.q, settings.v, settings.h, settings.method_options);
    const Properties properties = simulation->declares();
    char limit[32] = "-";
    if (std::isfinite(properties.stability_limit))
      std::snprintf(limit, sizeof limit, "%.4g", properties.stability_limit);
    line(method.name, std::to_string(properties.order), properties.symmetric ? "yes" : "no",
         properties.symplectic             ? "yes"
         : properties.conjugate_symplectic ? "conjugate"
                                           : "no",
         properties.stability_limit == unlimited ? "no limit" : limit, properties.source);
  }
}

int simulate(Options given, Files files, const std::string& resume) {
  std::optional<Checkpoint> resumed;
  if (!resume.empty()) {
    resumed = read_checkpoint(resume);
    Options recorded;
    for (const OptionEntry& option : option_entries) {
      const auto found = std::find_if(resumed->settings.begin(), resumed->settings.end(),
                                      [&](const auto& setting) { return setting.first == option.name; });
      if (found != resumed->settings.end()) recorded[option.name] = found->second;
    }
    for (const OptionEntry& option : option_entries) {
      const auto wanted = given.find(option.name);
      if (wanted == given.end() || std::string(option.name) == "T") continue;
      const auto has = recorded.find(option.name);
      if (has == recorded.end() || has->second != canonical(option, wanted->second))
        throw InvalidParameter(std::string("--") + option.name, wanted->second,
                               "must be as in the checkpoint " + resume + ", whose run has " +
                                   (has == recorded.end() ? "no " + std::string(option.name) : has->second));
    }
    if (given.count("T") > 0) recorded["T"] = given.at("T");
    given = recorded;
    const fs::path recorded_out = resumed->setting("out");
    if (recorded_out.empty() && !files.out.empty())
      throw InvalidParameter("--out", files.out.string(),
                             "cannot be added now: the checkpoint " + resume + " is of a run without");
    if (files.out.empty()) files.out = recorded_out;
    if (files.checkpoint.empty()) files.checkpoint = resume;
  }
  if (files.checkpoint.empty() && !files.out.empty()) {
    files.checkpoint = files.out.string() + ".checkpoint";
    files.checkpoint_on_interruption_only = true;
  }
  Settings settings = resolve(given);
  if (!files.checkpoint.empty()) require_file_or_nothing("--checkpoint", files.checkpoint);
  if (!files.out.empty()) {
    require_different("--out", files.out, "--checkpoint", files.checkpoint);
    require_different("--checkpoint", files.checkpoint, "--out in progress", Rows::partial_of(files.out));
    if (resumed) require_different("--out", files.out, "--resume", resume);
  }
  return Runner(std::move(settings), std::move(files), std::move(resumed)).run();
}

}  // namespace

}  // namespace livi

int main(int argc, char** argv) {
  // A file that grows beyond the limit of its size is an error of write(), as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  livi::CommandLine application(livi::documentation, "livi-simulate");
  application.footer(livi::footer);
  std::map<std::string, std::string> texts;
  for (const auto& option : livi::option_entries)
    application.add_option(std::string("--") + option.name, texts[option.name], option.help);
  std::string out, checkpoint, resume, interval = "60", stop_after = "-1";
  application.add_option("--out", out, "write the rows to this file (CSV)");
  application.add_option("--checkpoint", checkpoint, "write checkpoints to this file (default: that of --resume)");
  application.add_option("--checkpoint-interval", interval, "seconds between two checkpoints (default 60)");
  application.add_option("--resume", resume, "continue from this checkpoint");
  application.add_option("--stop-after", stop_after, "", {.hidden = true});  // as if interrupted after this step
  bool list = false;
  application.add_flag("--list", list, "the systems and methods, with what each method declares");
  return application.run(argc, argv, [&] {
    if (list) {
      for (const std::string& option : application.all_given())
        if (option != "--list") throw livi::InvalidParameter("--list", "with " + option, "must be the only option");
      livi::print_list();
      return 0;
    }
    for (const auto& [option, file] : {std::pair{"--out", &out}, {"--checkpoint", &checkpoint}, {"--resume", &resume}})
      if (application.given(option) && file->empty()) throw livi::InvalidParameter(option, "''", "must name a file");
    livi::Options given;
    for (const auto& option : livi::option_entries)
      if (application.given(std::string("--") + option.name)) given[option.name] = texts[option.name];
    livi::Files files{.out = out,
                      .checkpoint = checkpoint,
                      .interval = livi::parse_number("--checkpoint-interval", interval),
                      .stop_after = livi::parse_count("--stop-after", stop_after)};
    if (!(files.interval >= 0))
      throw livi::InvalidParameter("--checkpoint-interval", interval, "must be a number of seconds >= 0");
    return livi::simulate(given, files, resume);
  });
}
