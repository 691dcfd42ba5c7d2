// SPDX-License-Identifier: MIT
//
// Methods that do not keep to the protocol: each is named in one sentence and ended with all its processes, whatever it
// does and wherever it dies.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <livi/foreign/child_process.hpp>
#include <livi/foreign/judgement.hpp>
#include <livi/foreign/pipe_subject.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace livi;

namespace {

constexpr const char* child = LIVI_BINARY_FOLDER "/verification/judged_child";

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
    Habit{"hangs_at_hello", "did not answer within 0.4 s"},
    Habit{"hangs_at_step", "did not answer within 0.4 s"},
    Habit{"reads_no_more", "did not answer within 0.4 s"},
    Habit{"ends_at_step", "ended with status 3 when it was to answer"},
    Habit{"crashes_at_step", "ended by signal 6 when it was to answer"},
    Habit{"closes_output", "closed its output when it was to answer"},
    Habit{"writes_without_end", "wrote more than 65536 bytes without what was asked for: 'state 0 0"},
    Habit{"asks_without_end", "asked more than 300 questions and made no step"},
    Habit{"answers_nonsense", "answered 'Traceback (most recent call last):' to 'step'"},
    Habit{"answers_an_empty_line", "wrote an empty line in answer to 'step'"},
    Habit{"answers_too_few", "wrote 1 numbers where 6 are expected: 'state 0x1p+0'"},
    Habit{"answers_no_number", "wrote 'six', which is no number in double: 'state 1 2 3 4 5 six'"},
    Habit{"asks_with_too_many", "wrote 7 numbers where 3 or 4 are expected: 'gradient 1 2 3 4 5 6 7'"},
    Habit{"notes_on_output", "answered 'now computing a force' to 'step'"},
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

/// Kills the child before one of the lines.
class KillingChannel final : public LineChannel {
 public:
  explicit KillingChannel(long at) : process_({child}), left_(at) {}
  void send(const std::string& line) override {
    count();
    process_.send(line);
  }
  std::string receive() override {
    count();
    return process_.receive();
  }
  void finish() override { process_.finish(); }
  void end() noexcept override { process_.end(); }
  [[nodiscard]] std::unique_ptr<LineChannel> another() const override { return process_.another(); }

 private:
  void count() {
    if (left_-- == 0) ::kill(process_.id(), SIGKILL);
  }
  ChildProcess process_;
  long left_;
};

TEST(JudgedChild, may_die_before_any_line) {
  for (long at = 0; at < 40; ++at) {
    // Each line of the first judgement, then ever more seldom.
    const long line = at < 20 ? at : at * at;
    try {
      PipeSubject subject(std::make_unique<KillingChannel>(line));
      judge(subject, {.drawn = 0, .quick = true});
      ADD_FAILURE() << "died before line " << line << " and was judged";
    } catch (const ForeignFailure& failure) {
      EXPECT_NE(std::string(failure.what()).find("ended by signal 9"), std::string::npos) << failure.what();
    }
    EXPECT_FALSE(has_children());
  }
}

TEST(JudgedChild, is_judged_as_it_declares) {
  PipeSubject subject(std::make_unique<ChildProcess>(std::vector<std::string>{child}));
  const Judgement judgement = judge(subject, {.drawn = 1, .quick = true});
  subject.finish();
  EXPECT_EQ(judgement.exit_status(), 0) << judgement_table(judgement);
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

}  // namespace
