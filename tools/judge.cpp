// SPDX-License-Identifier: MIT
// livi-judge: is this integrator, in any language, what it declares to be?
//
//   livi-judge -- python3 examples/judge/python/verlet.py
//   livi-judge --library ./libmine.so
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <livi/diagnostics/seed.hpp>
#include <livi/judge/doors/child_process.hpp>
#include <livi/judge/doors/library_host.hpp>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/output/judgement_files.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/tests/drawn_steps.hpp>
#include <livi/report/atomic_files.hpp>
#include <livi/text/counted.hpp>
#include <livi/trajectory/interrupt.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/program/command_line.hpp"

namespace {

/// Notes signals, from the start of the program on.
std::optional<livi::Interrupt> interrupt;

/// The options end and the command begins with "--": what comes after it belongs to the command.
std::vector<std::string> take_command(int& argc, char** argv) {
  for (int k = 1; k < argc; ++k)
    if (std::string(argv[k]) == "--") {
      std::vector<std::string> command(argv + k + 1, argv + argc);
      argc = k;
      return command;
    }
  return {};
}

/// Returns the command that serves a library: this program, as it was started.
std::vector<std::string> serving_command(const std::string& program, const std::string& library) {
  std::error_code error;
  const auto itself = std::filesystem::read_symlink("/proc/self/exe", error);
  // A name without a slash would be looked for in the system's folders.
  return {error ? program : itself.string(), "--serve-library",
          library.find('/') == std::string::npos ? "./" + library : library};
}

/// Returns the reproducer of a report as a file that a reader understands and a shell can repeat.
std::string reproducer_text(const livi::JudgementReport& report) {
  const livi::Reproducer& reproducer = report.reproducer;
  const std::string& library = report.through.library;
  std::string text = "smallest case found for '" + reproducer.test + "':\n" + reproducer.words;
  if (!reproducer.session.empty())
    text += "the session, which sed -n 's/^> //p' THIS_FILE | " +
            (library.empty() ? "COMMAND" : "livi-judge --serve-library " + library) + " repeats:\n" +
            reproducer.session;
  return text;
}

/// Says how long the judgement of a slow method will take, and what is shorter.
void warn_of_slow_steps(livi::ForeignSubject& subject, const livi::JudgementOptions& options) {
  constexpr double worth_a_word = 60;  // seconds
  if (!subject.declares().computes_in(livi::NumberType::real)) return;
  const auto problems = livi::judged_problems(subject.declares().kinds, options.seed, 0);
  // Methods that are only for constraints, or choose their steps, are judged with fewer steps.
  if (problems.generic.empty()) return;
  const livi::JudgedProblem& problem = problems.generic.front();
  livi::Forces<double> forces(problem);
  constexpr long steps = 4;
  double seconds = 0;
  try {
    const auto run = subject.in_double(forces);
    run->start(problem.start);
    // The fastest of three, for a program is slow at first, and others may disturb it.
    seconds = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
      const auto begin = std::chrono::steady_clock::now();
      run->step(problem.h, steps);
      seconds =
          std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / steps);
    }
  } catch (const livi::ForeignRefusal&) {
    return;  // the judgement will say so
  }
  const auto minutes = [&](const livi::JudgementOptions& of) {
    return std::ceil(seconds * static_cast<double>(livi::steps_of_judgement(of)) / 60);
  };
  if (minutes(options) * 60 <= worth_a_word) return;
  std::cerr << "livi-judge: a step takes about " << std::setprecision(2) << 1000 * seconds << " ms, the judgement some "
            << livi::counted(std::lround(minutes(options)), "minute");
  livi::JudgementOptions slow = options;
  slow.slow = true;
  if (!options.slow) std::cerr << "; --slow, with fewer steps, some " << minutes(slow);
  std::cerr << "\n";
}

/// Returns the first lines of a text.
std::string shortened(const std::string& text) {
  constexpr int most = 40;
  std::size_t at = 0;
  for (int line = 0; line < most; ++line) {
    at = text.find('\n', at);
    if (at == std::string::npos) return text;
    ++at;
  }
  return text.substr(0, at) + "... (--reproducer FILE writes all of it)\n";
}

/// What the options of the command line set.
struct Settings {
  livi::JudgementOptions options;
  livi::ChildLimits limits;
  bool quiet = false;
  std::string json, junit, tap, badge, reproducer, trace, library, served;
  unsigned line_limit = 1U << 20;
  double hunt = 0;  ///< minutes
  std::string explain;
};

void add_options(livi::CommandLine& application, Settings& settings) {
  application.add_seed(settings.options.seed, "of the problems and loops that are drawn");
  application.add_number("--time-limit", settings.limits.seconds, "seconds for every answer of the command");
  application.add_count("--line-limit", settings.line_limit, 1024, 1 << 30, "bytes of a line of the command");
  application.add_option("--json", settings.json, "file for the judgement as JSON");
  application.add_option("--junit", settings.junit, "file for it as JUnit XML, which CI servers show");
  application.add_option("--tap", settings.tap, "file for it as TAP 14");
  application.add_option("--badge", settings.badge, "file for a badge, SVG");
  application.add_option(
      "--reproducer", settings.reproducer,
      "file for the smallest case found in which a refuted declaration fails, as a session that can be\n"
      "repeated without livi");
  application.add_option("--trace", settings.trace,
                         "file for every line of the conversation, as it passes: '> ' to the command, '< ' from it");
  application.add_flag("--quick", settings.options.quick,
                       "without the long runs, of the rows energy and later; no verdict");
  application.add_flag("--slow", settings.options.slow,
                       "for steps that take milliseconds: as --quick, and orders from at most 256 steps");
  application.add_flag("--strict", settings.options.strict,
                       "asks that properties that are not declared be seen to fail");
  application.add_option("--library", settings.library, "shared library to judge, in place of a command");
  application.add_option("--serve-library", settings.served,
                         "answers, as a command that is judged, for a library; --library starts this");
  application.add_number("--hunt", settings.hunt,
                         "minutes for which steps are drawn, in place of a judgement; prints the smallest wrong ones");
  application.add_option(
      "--explain", settings.explain,
      "prints what a row measures, accepts, rejects and cannot see, in place of a judgement; \"table\" is\n"
      "the table of all rows, in Markdown");
  application.add_flag("--quiet", settings.quiet, "does not name the tests as they begin");
}

/// Writes the files that were asked for: all of them or none. What an earlier run wrote does not stay in their place, also
/// where they cannot be written.
void write_files(const Settings& settings, const livi::JudgementReport& report) {
  const bool is_reproduced = !report.reproducer.test.empty();
  livi::AtomicFiles files;
  const auto add = [&](const std::string& path, std::string (*text)(const livi::JudgementReport&)) {
    if (!path.empty()) files.add(path, text(report));
  };
  add(settings.json, livi::judgement_json);
  add(settings.junit, livi::judgement_junit);
  add(settings.tap, livi::judgement_tap);
  add(settings.badge, livi::judgement_badge);
  if (is_reproduced) add(settings.reproducer, reproducer_text);
  const auto remove = [](const std::string& path) {
    std::error_code error;
    if (!path.empty() && std::filesystem::is_regular_file(path, error))
      std::filesystem::remove(livi::end_of_links(path));
  };
  if (!is_reproduced) remove(settings.reproducer);
  try {
    files.commit();
  } catch (const std::exception&) {
    for (const std::string& path : {settings.json, settings.junit, settings.tap, settings.badge, settings.reproducer})
      remove(path);
    throw;
  }
}

/// Refuses numbers and paths that cannot be meant.
void refuse_senseless(const livi::CommandLine& application, const Settings& settings) {
  if (!(settings.limits.seconds > 0 && settings.limits.seconds <= 86400))
    throw std::runtime_error("--time-limit is " + std::to_string(settings.limits.seconds) +
                             "; allowed: a number above 0, at most 86400");
  if (application.given("--hunt") && !(settings.hunt > 0 && settings.hunt <= 1440))
    throw std::runtime_error("--hunt is " + std::to_string(settings.hunt) + "; allowed: minutes above 0, at most 1440");
  for (const char* option : {"--json", "--junit", "--tap", "--badge", "--reproducer"})
    if (application.given("--hunt") && application.given(option))
      throw std::runtime_error(std::string(option) + " with --hunt: a hunt judges nothing, and writes no such file");
  std::map<std::filesystem::path, std::string> files;
  for (const auto& [option, path] :
       std::initializer_list<std::pair<const char*, const std::string&>>{{"--json", settings.json},
                                                                         {"--junit", settings.junit},
                                                                         {"--tap", settings.tap},
                                                                         {"--badge", settings.badge},
                                                                         {"--reproducer", settings.reproducer},
                                                                         {"--trace", settings.trace}}) {
    if (!application.given(option)) continue;
    if (path.empty()) throw std::runtime_error(std::string(option) + " is empty; allowed: a path");
    std::error_code error;
    auto file = std::filesystem::weakly_canonical(std::filesystem::absolute(livi::end_of_links(path)), error);
    if (error) file = path;  // it cannot be written, which is said later
    if (const auto [other, is_new] = files.emplace(file, option); !is_new)
      throw std::runtime_error(std::string(option) + " is '" + path + "', the file of " + other->second +
                               "; allowed: a file of its own");
  }
}

/// Returns what the exit status says, as a sentence.
std::string closing_sentence(const livi::Judgement& judgement) {
  const auto rows_with = [&](std::initializer_list<livi::Verdict> verdicts) {
    return std::ranges::count_if(judgement.rows, [&](const livi::JudgementRow& row) {
      return std::ranges::find(verdicts, row.claim.verdict) != verdicts.end();
    });
  };
  const auto count_of = [](long rows) { return livi::counted(rows, "row") + (rows == 1 ? " is " : " are "); };
  const long refuted = rows_with({livi::Verdict::refuted}),
             open = rows_with({livi::Verdict::undecided, livi::Verdict::broken_control});
  if (!judgement.ended_by.empty())
    return judgement.has_all_rows ? "no verdict: the judgement has all its rows, but was ended after them"
                                  : "no verdict: the judgement ended before its last row";
  switch (judgement.exit_status()) {
    case 0:
      return "everything that was judged is confirmed";
    case 1:
      return count_of(refuted) + "refuted";
    case 3:
      return "no verdict: rows were left out; nothing that was judged is refuted";
    default:
      return open == 0 ? "nothing is declared that could be judged"
                       : "nothing is refuted, but " + count_of(open) + "not decided";
  }
}

/// Judges what `command` starts, and finds what is wrong with what is refuted. Throws what ends it; the report has what was
/// found before.
void judge_into(livi::JudgementReport& report, const Settings& settings, const std::vector<std::string>& command,
                std::ostream* trace) {
  livi::PipeSubject subject(std::make_unique<livi::ChildProcess>(command, settings.limits),
                            {.seconds = settings.limits.seconds, .own_host = !settings.library.empty()}, trace);
  report.judgement.declares = subject.declares();
  warn_of_slow_steps(subject, report.options);
  livi::judge(subject, report.options, report.judgement);
  if (report.judgement.exit_status() == 1) {
    if (report.options.progress) report.options.progress("diagnosis");
    report.diagnosis = livi::diagnose(subject, report.judgement);
    report.reproducer = livi::reproduce(subject, report.judgement);
  }
  subject.finish();
}

/// Writes the table and what was found to the standard output.
void print(const livi::JudgementReport& report) {
  if (report.judgement.rows.size() > (report.judgement.ended_by.empty() ? 0 : 1))
    std::cout << livi::judgement_table(report.judgement) << closing_sentence(report.judgement) << "\n";
  for (const std::string& sentence : report.diagnosis) std::cout << "likely: " << sentence << "\n";
  if (!report.reproducer.test.empty()) std::cout << "\n" << shortened(reproducer_text(report));
  std::cout << std::flush;
}

/// Draws steps until the time ends, and prints what was seen, however that ends; returns the exit status of the hunt.
int hunt(const Settings& settings, const std::vector<std::string>& command, std::ostream* trace) {
  using Clock = std::chrono::steady_clock;
  livi::Hunt seen;
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration<double>(60 * settings.hunt);
  auto next_line = begin;
  const auto goes_on = [&] {
    const auto now = Clock::now();
    if (!settings.quiet && now >= next_line) {
      long draws = 0;
      for (const auto& [kind, of_kind] : seen.draws) draws += of_kind;
      std::cerr << "  " << std::chrono::duration_cast<std::chrono::seconds>(now - begin).count()
                << " s: " << livi::counted(draws, "draw") << ", " << livi::counted(seen.found.size(), "row")
                << " with a wrong step\n";
      next_line = now + std::chrono::seconds(10);
    }
    return now < end;
  };
  std::string ended_by;
  try {
    livi::PipeSubject subject(std::make_unique<livi::ChildProcess>(command, settings.limits),
                              {.seconds = settings.limits.seconds, .own_host = !settings.library.empty()}, trace);
    livi::hunt_for_wrong_steps(subject, settings.options.seed, goes_on, seen);
    subject.finish();
  } catch (const std::exception& error) {
    ended_by = error.what();
  }
  std::map<std::string, long> drawn = seen.draws;
  for (const auto& [kind, lost] : seen.not_judged) drawn[kind];  // also if none could be compared
  for (const auto& [kind, draws] : drawn) {
    std::cout << kind << ": " << livi::counted(draws, "draw");
    if (const long lost = seen.not_judged[kind]; lost > 0) std::cout << ", " << lost << " not judged";
    std::cout << "\n";
  }
  std::cout << livi::table_of_drawn_ranges([&](const std::string& kind) { return drawn.contains(kind); });
  for (const auto& [row, found] : seen.found)
    std::cout << "\nsmallest case found for '" << row << "':\n"
              << found.reproducer.words << shortened(found.reproducer.session);
  if (!seen.first_failed.empty()) std::cout << "a step failed: " << seen.first_failed << "\n";
  if (!seen.first_undecided.empty()) std::cout << seen.first_undecided << "\n";
  if (seen.found.empty())
    std::cout << (seen.draws.empty() ? "no step could be compared\n" : "no wrong step was found\n");
  std::cout << std::flush;
  if (!ended_by.empty()) throw std::runtime_error(ended_by);
  return seen.exit_status();
}

/// Prints the entry of a row, or the table of all rows. Throws std::runtime_error if no row has the name.
int explain(const std::string& row) {
  const std::string text = row == "table" ? livi::row_table_markdown() : livi::explained_row(row);
  if (text.empty())
    throw std::runtime_error("--explain is '" + row + "'; allowed: a row, or table, which names all rows");
  std::cout << text;
  return 0;
}

/// Judges what `command` starts, prints what was found, writes the files and returns the exit status.
int judge(Settings settings, const std::vector<std::string>& command) {
  settings.limits.line_bytes = settings.line_limit;
  settings.limits.flushes = !settings.library.empty();  // the host of a library does
  livi::JudgementReport report;
  report.options = settings.options;
  if (!settings.quiet) report.options.progress = [](const std::string& test) { std::cerr << "  " << test << "\n"; };
  report.through = {
      .library = settings.library, .time_limit = settings.limits.seconds, .line_limit = settings.line_limit};
  if (settings.library.empty()) report.through.command = command;
  report.judgement.declares.name = command.front();
  report.judgement.seed = settings.options.seed;
  livi::JudgementReport unfinished = report;
  unfinished.judgement.end_early("the judgement has not ended");
  // The file-size limit is an error of a write, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  std::ofstream lines;
  if (!settings.trace.empty()) {
    // Without O_NONBLOCK the judge would wait for a reader of a pipe, who sees its end if this is closed before `lines` is open.
    const int descriptor = ::open(settings.trace.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0 && errno == ENXIO)
      throw std::runtime_error("--trace is '" + settings.trace + "', which no process reads");
    lines.open(settings.trace);
    if (descriptor >= 0) ::close(descriptor);
    if (!lines) throw std::runtime_error("--trace is '" + settings.trace + "', which cannot be written");
  }
  // Runs in a bath have the normal numbers of this seed.
  livi::set_judge_seed(settings.options.seed);
  std::ostream* const trace = settings.trace.empty() ? nullptr : &lines;
  const auto finish_trace = [&] {
    if (trace != nullptr && !lines.flush())
      throw std::runtime_error("--trace is '" + settings.trace + "', which could not be written to its end");
  };
  if (settings.hunt > 0) {
    const int status = hunt(settings, command, trace);
    finish_trace();
    return status;
  }
  // From here on no file has the verdict of an earlier run, however this one ends.
  write_files(settings, unfinished);
  std::string ended_by;
  try {
    judge_into(report, settings, command, trace);
  } catch (const std::exception& error) {
    ended_by = error.what();
    report.judgement.end_early(ended_by);
    report.diagnosis.clear();
    report.reproducer = {};
  }
  print(report);
  write_files(settings, report);
  if (!ended_by.empty()) throw std::runtime_error(ended_by);
  const int status = report.judgement.exit_status();
  if (status == 1 && !settings.reproducer.empty() && report.reproducer.test.empty())
    std::cerr << "livi-judge: no smaller case was found for what is refuted; '" << settings.reproducer
              << "' is not written\n";
  finish_trace();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  // First of all, so that a signal ends the judgement with its sentence whenever it comes.
  interrupt.emplace();
  livi::ChildProcess::set_interrupt([] { return interrupt->signal(); });
  livi::CommandLine application(
      "Judges an integrator in any language: livi-judge [options] -- command arguments...\n"
      "The command is started and asked for steps over its standard input and output; what it must answer is in\n"
      "docs/protocol.md. What it declares of itself must hold, and what it declares not to be must be seen to fail.\n"
      "Without a command, --library judges functions in a shared library: lib/livi/foreign/livi_judge.h.\n"
      "Exit code: 0 everything declared is confirmed, 1 something is refuted, 2 inconclusive, a control failed, or "
      "the\n"
      "command broke the protocol, 3 a partial run (--quick, --slow), which gives no verdict. With --hunt: 0 no wrong "
      "step was found, 1 one was, 2 none could be compared, or a step failed.",
      "livi-judge");
  application.usage("-- COMMAND [ARGUMENT]...");
  Settings settings;
  add_options(application, settings);
  std::vector<std::string> command = take_command(argc, argv);
  // Without the two dashes CLI11 would only say that it expects nothing.
  if (command.empty() && argc > 1 && argv[1][0] != '-') {
    std::cerr << "livi-judge: '" << argv[1] << "' is no option; a command begins after --: livi-judge -- " << argv[1]
              << " ...\n";
    return 2;
  }
  return application.run(argc, argv, [&] {
    if (application.given("--serve-library")) {
      const int signal = interrupt->signal();
      interrupt.reset();  // the library may have handlers of its own
      if (signal != 0) std::raise(signal);
      return livi::serve_library(settings.served);
    }
    if (application.given("--explain")) return explain(settings.explain);
    if (application.given("--library")) {
      if (!command.empty()) throw std::runtime_error("both --library and a command; allowed: one of them");
      if (settings.library.empty()) throw std::runtime_error("--library is empty; allowed: a path");
      command = serving_command(argv[0], settings.library);
    }
    if (command.empty()) throw std::runtime_error("no command: livi-judge [options] -- command arguments...");
    refuse_senseless(application, settings);
    return judge(settings, command);
  });
}
