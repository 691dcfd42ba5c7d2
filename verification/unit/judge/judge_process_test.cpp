// SPDX-License-Identifier: MIT
//
// Methods that do not keep to the protocol: each is named in one sentence and ended with all its processes, whatever it
// does and wherever it dies. One file, for the command and its children are run and read in one way.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <livi/judge/doors/child_process.hpp>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "verification/judge/judgement_rows.hpp"
#include "verification/judge/mortal_child.hpp"
#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace judge_process_test {

using namespace livi;

namespace fs = std::filesystem;
using livi::test::text_of;

constexpr const char* child = LIVI_JUDGED_CHILD;

/// Runs a few steps, and returns the sentence with which they end; empty if they do not.
std::string complaint(const std::vector<std::string>& command, double seconds = 0.4) {
  const auto problems = judged_problems({ProblemKind::mechanical}, 1, 0);
  try {
    PipeSubject subject(
        std::make_unique<ChildProcess>(command, ChildLimits{.seconds = seconds, .line_bytes = 1U << 16}),
        {.questions_per_step = 100});
    Forces<double> forces(problems.generic.front());
    const auto run = subject.in_double(forces);
    run->start(problems.generic.front().start);
    run->step(0.25, 3);
    subject.finish();
    return "";
  } catch (const ForeignFailure& failure) {
    return failure.what();
  }
}

/// Returns whether this process has a child, ended or not.
bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

struct Habit {
  const char* name;
  const char* sentence;  ///< a part of it
};

class Habits : public testing::TestWithParam<Habit> {};

constexpr std::array habits{
    Habit{"hangs_at_hello", "did not answer 'livi 1' within 0.4 s; does it flush its output after every line?"},
    Habit{"hangs_at_step", "did not answer 'step "},
    Habit{"reads_no_more", "within 0.4 s"},
    Habit{"ends_at_step", "ended with status 3 when it was to answer"},
    Habit{"ends_at_gradient", "ended with status 3 when it was to answer 'step "},
    Habit{"ends_at_step_and_leaves_a_child", "ended with status 7 when it was to answer 'step "},
    Habit{"crashes_at_step", "ended by signal 6 when it was to answer"},
    Habit{"closes_output", "closed its output when it was to answer"},
    Habit{"closes_output_and_reads_on", "closed its output when it was to answer"},
    Habit{"writes_without_end", "wrote more than 65536 bytes without what was asked for: 'state 0 0"},
    Habit{"asks_without_end", "asked more than 300 questions and made no step"},
    Habit{"asks_for_noise", "the method asked for 'noise' in a problem of the kind mechanical, which has none"},
    Habit{"asks_for_a_constraint",
          "the method asked for 'constraint' in a problem of the kind mechanical, which has none"},
    Habit{"asks_for_a_torque", "the method asked for 'torque' in a problem of the kind mechanical, which has none"},
    Habit{"writes_a_long_number", "wrote a number of 30000 characters; allowed: up to 20000"},
    Habit{"answers_nonsense", "answered 'Traceback (most recent call last):' to 'step'"},
    Habit{"answers_an_empty_line", "wrote an empty line in answer to 'step'"},
    Habit{"answers_too_few", "wrote 1 number where 6 are expected: 'state 0x1p+0'"},
    Habit{"answers_no_number", "wrote 'six', which is no number in double: 'state 1 2 3 4 5 six'"},
    Habit{"asks_with_too_many", "wrote 7 numbers where 3 or 4 are expected: 'gradient 1 2 3 4 5 6 7'"},
    Habit{"notes_on_output", "answered 'now computing a force' to 'step'; notes belong on the standard error stream"},
    Habit{"writes_unasked", "'progress: 10 %'"},
    Habit{"greets_otherwise", "first line is 'Python 3.11.2 on linux'; expected: livi 1 key=value"},
    Habit{"speaks_another_version", "speaks version '2' of the protocol; the judge speaks version 1"},
    Habit{"declares_nonsense", "declares order='fourth'; allowed: a whole number from 1 to 20"},
    Habit{"says_more", "wrote 'one more thing' after its last answer"},
    Habit{"ends_with_status_3", "ended with status 3 after its last answer"},
    Habit{"does_not_end", "did not end when its input did"},
    Habit{"leaves_a_child_behind", "left processes of its own behind"},
    Habit{"leaves_a_child_with_its_output", "left processes of its own behind"},
};

TEST_P(Habits, are_named_and_ended) {
  const std::string said = complaint({child, GetParam().name});
  EXPECT_NE(said.find(GetParam().sentence), std::string::npos) << said;
  EXPECT_EQ(std::ranges::count(said, '\n'), 0) << said;
  EXPECT_FALSE(has_children());
}

INSTANTIATE_TEST_SUITE_P(All, Habits, testing::ValuesIn(habits), [](const auto& habit) { return habit.param.name; });

TEST(JudgedChild, that_behaves_is_not_complained_of) {
  EXPECT_EQ(complaint({child}, 10), "");
  EXPECT_EQ(complaint({child, "floods_errors"}, 10), "");
  EXPECT_EQ(complaint({child, "leaves_a_daemon_for_a_moment"}, 10), "");
  EXPECT_FALSE(has_children());
}

TEST(JudgedChild, that_cannot_be_started_is_named) {
  EXPECT_EQ(complaint({"/no/such/program"}), "'/no/such/program' cannot be started: No such file or directory");
  EXPECT_FALSE(has_children());
}

TEST(JudgedChild, is_ended_with_its_group_when_the_judge_lets_go) {
  int id = 0;
  {
    ChildProcess process({child, "leaves_a_child_behind"});
    id = process.id();
    process.send("livi 1");
    static_cast<void>(process.receive());
    EXPECT_EQ(::kill(-id, 0), 0);
  }
  // The grandchild is another's child now, who waits for it when he gets to it.
  for (int k = 0; k < 500 && ::kill(-id, 0) == 0; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_NE(::kill(-id, 0), 0);
  EXPECT_FALSE(has_children());
}

TEST(JudgedChild, is_judged_as_it_declares) {
  PipeSubject subject(std::make_unique<ChildProcess>(std::vector<std::string>{child}));
  const Judgement judgement = judge(subject, {.drawn = 1, .quick = true});
  subject.finish();
  EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  PipeSubject liar(std::make_unique<ChildProcess>(std::vector<std::string>{child, "declares_too_much"}));
  EXPECT_EQ(judge(liar, {.drawn = 1, .quick = true}).exit_status(), 1);
}

TEST(JudgedChild, that_saves_too_few_bits_is_refuted_by_restart_alone) {
  PipeSubject subject(std::make_unique<ChildProcess>(std::vector<std::string>{child, "saves_too_few_bits"}));
  for (const JudgementRow& row : judge(subject, {.drawn = 1, .quick = true}).rows)
    EXPECT_EQ(row.claim.verdict == Verdict::refuted, row.test == "restart") << row.test;
}

TEST(JudgedChild, whose_steps_fail_is_undecided) {
  PipeSubject subject(std::make_unique<ChildProcess>(std::vector<std::string>{child, "fails_its_steps"}));
  const Judgement judgement = judge(subject, {.drawn = 1, .quick = true});
  EXPECT_EQ(judgement.exit_status(), 2) << judgement_table(judgement);
}

// ---- the command --------------------------------------------------------------------------------------------------

class JudgeCommand : public livi::test::InFolder {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fs::exists(judge_program)) << "livi-judge is not built";
    fs::create_directory(folder / "work");
  }

  /// Exit status of livi-judge with these arguments in the folder work; what it writes is in `output` and `error`.
  int run(const std::string& arguments) {
    const std::string command =
        "cd '" + (folder / "work").string() + "' && '" + judge_program + "' " + arguments + " > ../out 2> ../error";
    const int status = std::system(command.c_str());
    output = text_of(folder / "out");
    error = text_of(folder / "error");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  /// Leaves out of `error` how long it will take, which is said where the machine is busy.
  void leave_out_estimate() {
    const std::size_t line = error.find("livi-judge: a step takes about ");
    if (line != std::string::npos) error.erase(line, error.find('\n', line) + 1 - line);
  }
  [[nodiscard]] std::string text(const char* file) const { return text_of(folder / "work" / file); }
  [[nodiscard]] bool nothing_written() const { return fs::is_empty(folder / "work"); }

  static constexpr const char* judge_program = LIVI_BINARY_FOLDER "/tools/livi-judge";
  std::string output, error;
};

TEST_F(JudgeCommand, refuses_bad_usage) {
  EXPECT_EQ(run("--help"), 0);
  EXPECT_NE(output.find("livi-judge [options] -- command arguments"), std::string::npos);
  EXPECT_NE(output.find("Usage: livi-judge [OPTIONS] -- COMMAND [ARGUMENT]...\n"), std::string::npos) << output;
  EXPECT_EQ(run(""), 2);
  EXPECT_EQ(error, "livi-judge: no command: livi-judge [options] -- command arguments...\n");
  EXPECT_EQ(run("true 1"), 2);
  EXPECT_EQ(error, "livi-judge: 'true' is no option; a command begins after --: livi-judge -- true ...\n");
  EXPECT_EQ(run("--bogus -- true"), 2);
  EXPECT_EQ(run("--time-limit 0 -- true"), 2);
  EXPECT_NE(error.find("--time-limit is 0"), std::string::npos);
  EXPECT_EQ(run("--json '' -- true"), 2);
  EXPECT_NE(error.find("--json is empty"), std::string::npos);
  EXPECT_EQ(run("--json a --junit a -- true"), 2);
  EXPECT_EQ(error, "livi-judge: --junit is 'a', the file of --json; allowed: a file of its own\n");
  fs::create_symlink("a", folder / "work" / "link");
  EXPECT_EQ(run("--json link --trace ./a -- true"), 2);
  EXPECT_EQ(error, "livi-judge: --trace is './a', the file of --json; allowed: a file of its own\n");
  fs::remove(folder / "work" / "link");
  EXPECT_TRUE(nothing_written());
  EXPECT_EQ(run("--quiet -- true"), 2);
  EXPECT_EQ(error, "livi-judge: the method ended with status 0 when it was to answer 'livi 1'\n");
}

TEST_F(JudgeCommand, shows_what_a_method_writes_as_plain_text) {
  EXPECT_EQ(run(std::string("--slow --junit j.xml --json j.json --trace t -- ") + child + " commands_the_terminal"), 2);
  for (const std::string& text : {output, error, text_of(folder / "work/j.xml"), text_of(folder / "work/j.json")}) {
    EXPECT_FALSE(text.empty());
    for (const char* command : {"\x1b", "\a", "\xc2\x9b", "\xe2\x80\xae", "\xff"})
      EXPECT_EQ(text.find(command), std::string::npos) << text;
  }
  EXPECT_NE(error.find("?[2J?2J?over??\n"), std::string::npos) << error;
  EXPECT_NE(output.find("a step failed: '?]0;title?\?'"), std::string::npos) << output;
}

// All processes of a judgement have one limit together, also those that are started anew for every other row.
TEST_F(JudgeCommand, passes_on_no_more_of_all_error_streams_than_of_one) {
  EXPECT_EQ(run(std::string("--quiet --slow -- ") + child + " floods_errors"), 3);
  EXPECT_LT(error.size(), (64U << 10) + 500) << error.size();
  EXPECT_NE(error.find("[more of the method's error stream is dropped]"), std::string::npos);
}

TEST_F(JudgeCommand, says_how_long_a_slow_method_will_take) {
  EXPECT_EQ(run(std::string("--quiet --quick -- ") + child + " begins_slowly"), 3);
  EXPECT_EQ(error.rfind("livi-judge: a step takes about ", 0), 0U) << error;
  EXPECT_NE(error.find(" minutes; --slow, with fewer steps, some "), std::string::npos) << error;
  EXPECT_EQ(run(std::string("--quiet --slow -- ") + child + " behaves"), 3);
}

TEST_F(JudgeCommand, traces_the_conversation_up_to_where_it_ends) {
  EXPECT_EQ(run(std::string("--quiet --time-limit 0.4 --trace t.txt -- ") + child + " hangs_at_step"), 2);
  const std::string trace = text("t.txt");
  EXPECT_EQ(trace.rfind("> livi 1\n< livi 1 ", 0), 0U) << trace;
  const std::string last = trace.substr(trace.rfind('\n', trace.size() - 2) + 1);
  EXPECT_EQ(last.rfind("> step ", 0), 0U) << last;
  EXPECT_NE(error.find("'" + last.substr(2, last.size() - 3)), std::string::npos) << "the message names it: " << error;
  EXPECT_EQ(run(std::string("--quiet --trace missing/t.txt -- ") + child), 2);
  EXPECT_EQ(error, "livi-judge: --trace is 'missing/t.txt', which cannot be written\n");
}

TEST_F(JudgeCommand, refuses_a_pipe_for_its_trace_that_nobody_reads) {
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string arguments = std::string("--quiet --trace ../pipe -- ") + child + " crashes_at_step";
  std::thread reader([&] {  // ends the wait of a judge that waits
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::close(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  });
  EXPECT_EQ(run(arguments), 2);
  EXPECT_EQ(error, "livi-judge: --trace is '../pipe', which no process reads\n");
  reader.join();
  const int descriptor = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_EQ(run(arguments), 2);
  std::array<char, 7> begin{};
  EXPECT_EQ(::read(descriptor, begin.data(), begin.size()), 7);
  EXPECT_EQ(std::string(begin.data(), begin.size()), "> livi ");
  ::close(descriptor);
}

TEST_F(JudgeCommand, writes_all_files_or_none) {
  const std::string files = "--quiet --json a.json --junit a.xml --tap a.tap --badge a.svg --reproducer a.txt -- ";
  EXPECT_EQ(run(files + child), 0) << output << error;
  EXPECT_NE(text("a.json").find("\"verdict\": \"confirmed\""), std::string::npos);
  EXPECT_NE(text("a.xml").find("failures=\"0\""), std::string::npos);
  EXPECT_NE(text("a.tap").find("TAP version 14"), std::string::npos);
  EXPECT_NE(text("a.svg").find("order 2, symplectic, symmetric"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "work" / "a.txt"));
  EXPECT_EQ(run("--quiet --quick --reproducer a.txt -- " + std::string(child) + " declares_too_much"), 1);
  // What is written down repeats itself, without the judge.
  const std::string again = "cd '" + (folder / "work").string() + "' && sed -n 's/^> //p' a.txt | '" + child +
                            "' declares_too_much | sed 1d > ../again && sed -n 's/^< //p' a.txt | diff - ../again";
  EXPECT_EQ(std::system(again.c_str()), 0) << text("a.txt");
  // Where there is no verdict the files say so: yesterday's badge does not outlive today's crash.
  EXPECT_EQ(run("--time-limit 0.4 " + files + child + " answers_nonsense"), 2);
  EXPECT_NE(text("a.json").find("\"verdict\": \"undecided\""), std::string::npos);
  EXPECT_NE(text("a.json").find("Traceback (most recent call last):"), std::string::npos);
  EXPECT_NE(text("a.xml").find("failures=\"0\" errors=\"1\""), std::string::npos);
  EXPECT_NE(text("a.tap").find("not ok 1 - protocol"), std::string::npos);
  EXPECT_NE(text("a.svg").find("livi-judge: undecided"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "work" / "a.txt")) << "the reproducer of an earlier run";
  fs::remove_all(folder / "work");
  fs::create_directory(folder / "work");
  EXPECT_EQ(run("--quiet --quick --json a.json --tap /proc/no/a.tap -- " + std::string(child)), 2);
  EXPECT_TRUE(nothing_written());
}

TEST_F(JudgeCommand, writes_through_a_link_and_leaves_it) {
  fs::create_symlink("../new/b.json", folder / "work" / "a.json");
  EXPECT_EQ(run(std::string("--quiet --slow --json a.json -- ") + child), 3);
  EXPECT_TRUE(fs::is_symlink(folder / "work" / "a.json"));
  EXPECT_NE(text_of(folder / "new/b.json").find("\"verdict\": \"partial\""), std::string::npos);
  fs::remove(folder / "work" / "a.json");
  fs::create_symlink("a.json", folder / "work" / "a.json");
  EXPECT_EQ(run(std::string("--quiet --slow --json a.json -- ") + child), 2);
  EXPECT_EQ(error, "livi-judge: ./a.json: cannot be written: Too many levels of symbolic links\n");
}

/// Expects that the files say that there is no verdict, and that nothing in them is of an earlier run.
#define EXPECT_NO_VERDICT(file) \
  EXPECT_NE(text(file).find("\"verdict\": \"undecided\",\n  \"exit_status\": 2"), std::string::npos) << text(file)

TEST_F(JudgeCommand, keeps_the_rows_before_a_crash) {
  std::ofstream(folder / "work" / "a.json") << R"({"verdict": "confirmed"})";
  EXPECT_EQ(run(std::string("--quiet --json a.json -- ") + child + " crashes_late"), 2);
  leave_out_estimate();
  EXPECT_NE(output.find("\norder of q                  2 "), std::string::npos) << output;
  EXPECT_NE(output.find("\nno verdict: the judgement ended before its last row\n"), std::string::npos) << output;
  EXPECT_EQ(error.rfind("livi-judge: the method ended by signal 6 when it was to answer 'step ", 0), 0U) << error;
  EXPECT_NE(error.find(", in the problem double mechanical "), std::string::npos) << error;
  EXPECT_NE(error.find(", begun at t = "), std::string::npos) << error;
  EXPECT_EQ(std::ranges::count(error, '\n'), 1) << error;
  EXPECT_NO_VERDICT("a.json");
  EXPECT_NE(text("a.json").find("\"test\": \"order of q\""), std::string::npos);
}

TEST_F(JudgeCommand, does_not_say_that_rows_are_missing_if_a_method_ends_badly) {
  EXPECT_EQ(run(std::string("--quiet --slow -- ") + child + " says_more"), 2);
  EXPECT_NE(output.find("\nlocal error, timed "), std::string::npos) << output;
  EXPECT_NE(output.find("\nno verdict: the judgement has all its rows, but was ended after them\n"), std::string::npos)
      << output;
}

TEST_F(JudgeCommand, says_once_that_no_step_can_be_made) {
  EXPECT_EQ(run(std::string("--quiet -- ") + child + " fails_its_steps"), 2);
  EXPECT_NE(output.find("no step could be made; the first: a step failed: 'no convergence after 50 iterations', h = "),
            std::string::npos)
      << output;
  EXPECT_EQ(std::ranges::count(output, '\n'), 4) << output;
}

TEST_F(JudgeCommand, keeps_no_earlier_verdict_where_the_disk_is_full) {
  // The blocks have 512 bytes: of files that do not fit, and of files that fit only while nothing is judged.
  for (const char* blocks : {"0", "6"}) {
    std::ofstream(folder / "work" / "a.json") << R"({"verdict": "confirmed"})";
    const std::string limited = "cd '" + (folder / "work").string() + "' && (ulimit -f " + blocks + "; '" +
                                judge_program + "' --quiet --slow --json a.json -- '" + child +
                                "' 2>&1 >/dev/null; echo \"status $?\") | cat > ../error";
    ASSERT_EQ(std::system(limited.c_str()), 0);
    error = text_of(folder / "error");
    EXPECT_FALSE(fs::exists(folder / "work" / "a.json")) << blocks << ": " << text("a.json");
    EXPECT_NE(error.find("a.json: cannot be written: File too large\nstatus 2\n"), std::string::npos)
        << blocks << ": " << error;
  }
}

TEST_F(JudgeCommand, finishes_a_judgement_whose_trace_meets_a_full_disk) {
  EXPECT_EQ(run(std::string("--quiet --slow --trace /dev/full --json a.json -- ") + child), 2);
  EXPECT_EQ(error, "livi-judge: --trace is '/dev/full', which could not be written to its end\n");
  EXPECT_NE(output.find("no verdict: rows were left out; nothing that was judged is refuted\n"), std::string::npos)
      << output;
  EXPECT_NE(text("a.json").find("\"verdict\": \"partial\""), std::string::npos);
}

TEST_F(JudgeCommand, ends_with_its_rows_and_its_method_when_it_is_interrupted) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL}) {
    const fs::path written = folder / "id", out = folder / "out", err = folder / "error";
    for (const fs::path& earlier : {written, out, err}) fs::remove(earlier);
    std::ofstream(folder / "work" / "a.json") << R"({"verdict": "confirmed"})";
    const std::string script = "echo $$ > '" + written.string() + ".part' && mv '" + written.string() + ".part' '" +
                               written.string() + "' && exec '" + child + "' hangs_late";
    const std::string json = (folder / "work" / "a.json").string();
    const pid_t id = ::fork();
    ASSERT_GE(id, 0);
    if (id == 0) {
      const auto opened = [](const fs::path& path) { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600); };
      if (::dup2(opened(out), 1) < 0 || ::dup2(opened(err), 2) < 0) ::_exit(127);
      ::execl(judge_program, judge_program, "--slow", "--time-limit", "60", "--json", json.c_str(), "--", "sh", "-c",
              script.c_str(), nullptr);
      ::_exit(127);
    }
    for (int k = 0; k < 3000 && text_of(err).find("hanging") == std::string::npos; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const pid_t of_method = std::stoi(text_of(written));
    EXPECT_EQ(::kill(of_method, 0), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::kill(id, signal);
    int status = 0;
    ASSERT_EQ(::waitpid(id, &status, 0), id);
    for (int k = 0; k < 500 && ::kill(of_method, 0) == 0; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_NE(::kill(of_method, 0), 0) << signal;
    EXPECT_NO_VERDICT("a.json");
    if (signal == SIGKILL) continue;
    ASSERT_TRUE(WIFEXITED(status)) << signal;
    EXPECT_EQ(WEXITSTATUS(status), 2) << signal;
    error = text_of(err), output = text_of(out);
    EXPECT_NE(output.find("\norder of q                  2 "), std::string::npos) << output;
    const std::string last = error.substr(error.rfind('\n', error.size() - 2) + 1);
    EXPECT_EQ(last.rfind("livi-judge: the judgement was interrupted by signal " + std::to_string(signal) + " (", 0), 0U)
        << error;
    EXPECT_NE(last.find(", in the problem double mechanical "), std::string::npos) << error;
  }
}

// While its output is not taken a program waits: here in the sentence about its arguments, before which it has done nothing.
TEST_F(JudgeCommand, takes_signals_from_its_start_on) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  while (::write(ends[1], "x", 1) == 1) continue;
  ::fcntl(ends[1], F_SETFL, 0);
  const pid_t id = ::fork();
  ASSERT_GE(id, 0);
  if (id == 0) {
    ::dup2(ends[1], 2);
    ::execl(judge_program, judge_program, "--bogus", nullptr);
    ::_exit(127);
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::kill(id, SIGTERM);
  ::close(ends[1]);
  for (std::array<char, 4096> taken; ::read(ends[0], taken.data(), taken.size()) > 0;) continue;
  ::close(ends[0]);
  int status = 0;
  ASSERT_EQ(::waitpid(id, &status, 0), id);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
}

TEST_F(JudgeCommand, hunts_to_the_end_of_the_time_and_says_what_was_drawn) {
  const std::string three_seconds = "--hunt 0.05 --seed 1 -- " + std::string(child);
  EXPECT_EQ(run("--quiet " + three_seconds), 0) << output << error;
  EXPECT_TRUE(error.empty()) << error;
  EXPECT_EQ(output.rfind("mechanical: ", 0), 0U) << output;
  EXPECT_NE(output.find("\n| mechanical | 1 to 64 |"), std::string::npos) << output;
  EXPECT_EQ(output.find("\n| body |"), std::string::npos) << output;
  EXPECT_NE(output.find("\nno wrong step was found\n"), std::string::npos) << output;
  EXPECT_EQ(run(three_seconds + " is_slow_in_fives"), 1);
  EXPECT_NE(error.find(" rows with a wrong step\n"), std::string::npos) << error;
  EXPECT_NE(output.find("\nsmallest case found for 'drawn steps, mechanical':\nmechanical, n = "), std::string::npos)
      << output;
  EXPECT_NE(output.find("\n> step "), std::string::npos) << output;
}

TEST_F(JudgeCommand, hunts_no_further_than_a_failure_and_says_what_was_seen_before) {
  EXPECT_EQ(run(std::string("--quiet --hunt 0.05 -- ") + child + " fails_its_steps"), 2);
  EXPECT_EQ(output.rfind("mechanical: 0 draws, ", 0), 0U) << output;
  EXPECT_NE(output.find("\nno step could be compared\n"), std::string::npos) << output;
  EXPECT_EQ(run(std::string("--quiet --hunt 1 -- ") + child + " crashes_late"), 2);
  EXPECT_EQ(output.rfind("mechanical: ", 0), 0U) << output;
  EXPECT_EQ(error.rfind("livi-judge: the method ended by signal 6 when it was to answer 'step ", 0), 0U) << error;
  EXPECT_NE(error.find(", in the problem "), std::string::npos) << error;
  EXPECT_EQ(run(std::string("--quiet --hunt 0.02 --trace /dev/full -- ") + child), 2);
  EXPECT_EQ(error, "livi-judge: --trace is '/dev/full', which could not be written to its end\n");
  // It is interrupted as a judgement is: once a wrong step was found, however long that took.
  const std::string interrupted = "cd '" + (folder / "work").string() + "' && { '" + judge_program +
                                  "' --hunt 60 -- '" + child +
                                  "' is_slow_in_fives > ../out 2> ../error & id=$!; until grep -q -E ' [1-9][0-9]* "
                                  "rows' ../error || ! kill -0 $id; "
                                  "do sleep 0.1; done; kill -TERM $id; wait $id; }";
  EXPECT_NE(std::system(interrupted.c_str()), 0);
  output = text_of(folder / "out"), error = text_of(folder / "error");
  EXPECT_NE(output.find("smallest case found for 'drawn steps, mechanical'"), std::string::npos) << output;
  EXPECT_NE(error.find("\nlivi-judge: the judgement was interrupted by signal 15 ("), std::string::npos) << error;
}

TEST_F(JudgeCommand, refuses_a_hunt_that_is_none) {
  const std::string quiet = std::string("--quiet -- ") + child;
  EXPECT_EQ(run("--hunt 0 " + quiet), 2);
  EXPECT_EQ(error, "livi-judge: --hunt is 0.000000; allowed: minutes above 0, at most 1440\n");
  EXPECT_EQ(run("--hunt 1 --json a.json " + quiet), 2);
  EXPECT_EQ(error, "livi-judge: --json with --hunt: a hunt judges nothing, and writes no such file\n");
  EXPECT_TRUE(nothing_written());
}

// ---- children that die ----------------------------------------------------------------------------------------------

using livi::test::MortalOutput;
using livi::test::SharedPage;

/// Where and how a child is to end.
struct Death {
  long line;     ///< the last one of the whole conversation
  double share;  ///< the part of that line that is still written
  MortalOutput::How how;
  int process;  ///< 0: it starts none; 1: one in its group; 2: one in a session of its own
};

class MortalChildren : public JudgeCommand {
 protected:
  void SetUp() override {
    JudgeCommand::SetUp();
    // Orphans come to this process, which sees what is left of them.
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    const std::string name = (folder / "page").string();
    descriptor = ::open(name.c_str(), O_RDWR | O_CREAT, 0600);
    ASSERT_GE(descriptor, 0);
    ASSERT_EQ(::ftruncate(descriptor, sizeof(SharedPage)), 0);
    page = livi::test::shared_page(descriptor);
    ASSERT_NE(page, nullptr);
    ::setenv("TMPDIR", (folder / "work").c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("TMPDIR");
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    ::close(descriptor);
  }

  /// Judges a child that is to die. Returns the exit status; the error stream is in `error`.
  int judge(const Death& death, bool with_badge) {
    has_badge = with_badge;
    fs::remove(folder / "work" / "badge.svg");
    page->lines = 0;
    page->processes = page->of_its_own = page->deaths = 0;
    const std::array words{std::to_string(descriptor), std::to_string(death.line), std::to_string(death.share),
                           std::to_string(death.how), std::to_string(death.process)};
    const std::string error_file = (folder / "error").string(), work = (folder / "work").string();
    const pid_t id = ::fork();
    if (id == 0) {
      const int to = ::open(error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (::dup2(::open("/dev/null", O_WRONLY), 1) < 0 || ::dup2(to, 2) < 0 || ::chdir(work.c_str()) != 0) ::_exit(127);
      // Options that are given twice have their last value.
      ::execl(judge_program, judge_program, "--quiet", "--slow", with_badge ? "--badge=badge.svg" : "--quiet", "--",
              child, "dies", words[0].c_str(), words[1].c_str(), words[2].c_str(), words[3].c_str(), words[4].c_str(),
              nullptr);
      ::_exit(127);
    }
    int status = 0;
    ::waitpid(id, &status, 0);
    error = text_of(error_file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// Returns what is wrong with what a judgement has left; nothing if all is well.
  std::string left_behind() {
    int ended = 0, alive = 0;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    // What its children had started was ended with their group, and belongs to this process since. Nothing else may.
    while (true) {
      const pid_t id = ::waitpid(-1, nullptr, WNOHANG);
      if (id > 0) ++ended;
      if (id < 0) break;
      if (id == 0 && std::chrono::steady_clock::now() > limit) {
        alive = 1;
        break;
      }
      if (id == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    std::string wrong;
    if (alive) wrong += "a process is alive; ";
    if (ended != page->of_its_own)
      wrong += std::to_string(ended) + " processes are left where children have started " +
               std::to_string(page->of_its_own) + "; ";
    for (const auto& file : fs::directory_iterator(folder / "work"))
      if (file.path().filename() != "badge.svg") wrong += file.path().filename().string() + " is left; ";
    if (has_badge && text("badge.svg").find("livi-judge: undecided") == std::string::npos)
      wrong += "the badge has a verdict; ";
    return wrong;
  }

  /// Returns what is wrong with the sentence about a death.
  [[nodiscard]] std::string wrong_sentence(const Death& death) const {
    constexpr std::array how{"the method ended by signal 9 ", "the method ended by signal 11 ",
                             "the method ended with status 3 ", "the method closed its output "};
    const bool said = error.rfind(std::string("livi-judge: ") + how[static_cast<std::size_t>(death.how)], 0) == 0 &&
                      (error.find("when it was to answer '") != std::string::npos ||
                       error.find("after its last answer") != std::string::npos);
    return said && std::ranges::count(error, '\n') == 1 ? "" : "it said '" + error + "'; ";
  }

  bool has_badge = false;
  int descriptor = -1;
  SharedPage* page = nullptr;
};

TEST_F(MortalChildren, are_named_wherever_they_die_and_leave_nothing_behind) {
  constexpr long never = 1L << 40;
  constexpr unsigned seed = 20261126;
  ASSERT_EQ(judge({never, 0, MortalOutput::killed, 0}, true), 2) << "nothing is declared";
  ASSERT_EQ(left_behind(), "");
  const long lines = page->lines;
  ASSERT_GT(lines, 1000);
  ASSERT_GT(page->processes, 1);
  std::mt19937_64 draw(seed);
  for (int run = 0; run < 1000; ++run) {
    const auto below = [&](std::uint64_t count) { return draw() % count; };
    // A closed output costs a tenth of a second each, in which the judge waits for the end of the child.
    const std::uint64_t how = below(20);
    const Death death{static_cast<long>(below(static_cast<std::uint64_t>(lines))),
                      static_cast<double>(below(1000)) / 1000,
                      how < 8    ? MortalOutput::killed
                      : how < 14 ? MortalOutput::crashed
                      : how < 19 ? MortalOutput::exited
                                 : MortalOutput::closed,
                      below(4) == 0 ? 1 : 0};
    // What is written is forced to the disk, which takes longer than the judgement.
    const int status = judge(death, run % 16 == 0);
    std::string wrong = left_behind() + wrong_sentence(death);
    if (status != 2) wrong += "status " + std::to_string(status) + "; ";
    if (page->deaths != 1) wrong += "it did not die; ";
    // What one judgement leaves behind is found after the next ones, too.
    ASSERT_EQ(wrong, "") << "seed " << seed << ", run " << run << ": line " << death.line << " of " << lines << ", "
                         << death.share << " of it, how " << death.how;
  }
}

TEST_F(MortalChildren, that_leave_something_are_seen_to) {
  const Death killed{100, 0.5, MortalOutput::killed, 0}, crashed{100, 0.5, MortalOutput::crashed, 0};
  EXPECT_EQ(judge(killed, true), 2);
  EXPECT_EQ(left_behind() + wrong_sentence(killed), "");
  EXPECT_NE(wrong_sentence(crashed), "");
  ++page->of_its_own;
  EXPECT_NE(left_behind(), "") << "one that has ended too early, or twice";
  std::ofstream(folder / "work" / ".badge.svg.tmp") << "half of it";
  EXPECT_NE(left_behind().find(".badge.svg.tmp is left; "), std::string::npos);
  // A process in a session of its own is beyond the judge's reach.
  judge({100, 0.5, MortalOutput::killed, 2}, false);
  EXPECT_EQ(left_behind().rfind("a process is alive; ", 0), 0U);
  ASSERT_GT(page->in_a_session, 1) << "0 and -1 are no processes: kill() would end others";
  ::kill(page->in_a_session, SIGKILL);
  ::waitpid(page->in_a_session, nullptr, 0);
}

}  // namespace judge_process_test
