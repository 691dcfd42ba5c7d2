// SPDX-License-Identifier: MIT
//
// The second door of the judge, a shared library: whatever the library does to its process is said in one sentence, and
// the rows of evidence are those of the same method behind a pipe.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <livi/catalogue/library_subjects.hpp>
#include <livi/judge/doors/child_process.hpp>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/problems/number_text.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "verification/support/run_command.hpp"
#include "verification/support/temporary_folder.hpp"

namespace judge_library_test {

using namespace livi;

constexpr const char* library = LIVI_JUDGED_LIBRARY;

std::unique_ptr<PipeSubject> subject_of(const std::string& path, bool own_host = true, double seconds = 10) {
  return std::make_unique<PipeSubject>(
      std::make_unique<ChildProcess>(std::vector<std::string>{LIVI_JUDGE, "--serve-library", path},
                                     ChildLimits{.seconds = seconds}),
      ProtocolLimits{.own_host = own_host});
}

/// The habit that the library has while it is alive.
class WithHabit {
 public:
  explicit WithHabit(const std::string& habit) { ::setenv("LIVI_JUDGED_HABIT", habit.c_str(), 1); }
  ~WithHabit() { ::unsetenv("LIVI_JUDGED_HABIT"); }
  WithHabit(const WithHabit&) = delete;
  WithHabit& operator=(const WithHabit&) = delete;
};

/// Runs a few steps, and returns the sentence with which they end; empty if they do not.
std::string complaint(const std::string& path, double seconds = 10) {
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  try {
    const auto subject = subject_of(path, true, seconds);
    Forces<double> forces(problem);
    const auto run = subject->in_double(forces);
    run->start(problem.start);
    run->step(0.25, 3);
    subject->finish();
    return "";
  } catch (const ForeignFailure& failure) {
    return failure.what();
  }
}

struct Habit {
  const char* name;
  const char* sentence;  ///< a part of it
};
constexpr std::array habits{
    // With the address sanitizer the signal becomes a status.
    Habit{"crashes", "when it was to answer"},
    Habit{"aborts", "the method ended by signal 6 when it was to answer"},
    Habit{"aborts_at_once", "the method ended by signal 6 when it was to answer"},
    Habit{"aborts_at_the_end", "the method ended by signal 6 after its last answer"},
    Habit{"throws", "the method ended by signal 6 when it was to answer"},
    Habit{"exits", "the method ended with status 3 when it was to answer"},
    Habit{"exits_well", "the method ended with status 0 when it was to answer"},
    Habit{"hangs", "the method did not answer 'step "},
    Habit{"asks_without_end", "the method asked more than 30000 questions and made no step"},
    Habit{"asks_for_a_constraint",
          "the method asked for 'constraint' in a problem of the kind mechanical, which has none"},
    Habit{"asks_for_a_torque", "the method asked for 'torque' in a problem of the kind mechanical, which has none"},
    Habit{"closes_everything", "when it was to answer"},
    Habit{"leaves_a_process", "the method left processes of its own behind"},
    Habit{"is_of_another_version", "the library is made for version 2 of livi_judge.h; the judge has version 1"},
    Habit{"declares_nothing", "the library's livi_judge_declares returns a null pointer"},
    Habit{"declares_nonsense", "the method declares order='fourth'; allowed: a whole number from 1 to 20"},
    Habit{"declares_two_lines", "the library's declaration has more than one line"},
    Habit{"declares_fractions", "the library declares numbers other than double"},
};

TEST(JudgedLibrary, is_named_by_what_it_does_to_its_process) {
  EXPECT_EQ(complaint(library), "");
  for (const Habit& habit : habits) {
    const WithHabit with(habit.name);
    const std::string said = complaint(library, std::string(habit.name) == "hangs" ? 0.4 : 10);
    EXPECT_NE(said.find(habit.sentence), std::string::npos) << habit.name << ": '" << said << "'";
  }
}

TEST(JudgedLibrary, is_not_asked_whether_it_flushes_its_output) {
  const WithHabit with("hangs_at_once");
  const auto [status, said] = test::run_command(LIVI_JUDGE " --time-limit 0.4 --library " LIVI_JUDGED_LIBRARY);
  EXPECT_EQ(status, 2);
  EXPECT_EQ(said, "livi-judge: the method did not answer 'livi 1' within 0.4 s; --time-limit allows more\n");
}

TEST(JudgedLibrary, that_cannot_be_used_is_said_to_be) {
  EXPECT_NE(complaint("/nowhere/libnothing.so").find("the library cannot be loaded: /nowhere/libnothing.so"),
            std::string::npos);
  const std::filesystem::path folder = test::new_folder(), pipe = folder / "pipe.so";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(complaint(pipe.string(), 1), "the library cannot be loaded: " + pipe.string() + " is no regular file");
  std::filesystem::remove_all(folder);
  // A library that every system with a C compiler has.
  EXPECT_EQ(complaint("libm.so.6"), "the library 'libm.so.6' does not define livi_judge_version");
}

TEST(Problems, fit_into_the_buffers_that_the_protocol_promises) {
  std::size_t most = 0, longest = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable})
      for (const JudgedProblem& problem : judged_problems({kind}, seed, 5).generic) {
        most = std::max(most, problem.masses.size());
        std::string numbers;
        for (const std::vector<double>& x : {problem.start.q, problem.start.p})
          for (const double entry : x) numbers += " " + number_text(entry / 3, NumberForm::hex);
        longest = std::max(longest, numbers.size());
      }
  EXPECT_GE(most, 10U);
  EXPECT_LE(most, 64U);
  EXPECT_GE(longest, 20 * most);
  EXPECT_LE(longest, 4000U);
}

TEST(JudgedLibrary, may_print_and_read_as_it_likes) {
  for (const char* habit : {"prints", "reads"}) {
    const WithHabit with(habit);
    testing::internal::CaptureStderr();
    EXPECT_EQ(complaint(library), "") << habit;
    EXPECT_EQ(testing::internal::GetCapturedStderr(), std::string(habit) == "prints" ? "state 1 2 3\n" : "");
  }
}

TEST(JudgedLibrary, has_more_time_for_more_steps_at_once) {
  const WithHabit with("is_slow");
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).oscillator;
  // 640 steps of half a millisecond, in ten times the third of a second.
  const auto subject = subject_of(library, true, 0.3);
  Forces<double> forces(problem);
  const auto run = subject->in_double(forces);
  run->start(problem.start);
  EXPECT_NO_THROW(run->step(0.001, 640));
}

TEST(JudgedLibrary, may_refuse_a_step_and_give_a_reason) {
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  for (const auto& [habit, sentence] :
       {std::pair("fails", "a step failed: 'livi_judge_step returned 7', h = 0.25, in the problem double mechanical "),
        {"fails_with_a_reason", "a step failed: 'livi_judge_step returned 7: no convergence', h = 0.25, in"}}) {
    const WithHabit with(habit);
    const auto subject = subject_of(library);
    Forces<double> forces(problem);
    const auto run = subject->in_double(forces);
    run->start(problem.start);
    try {
      run->step(0.25, 1);
      FAIL() << "the step was made";
    } catch (const ForeignRefusal& refusal) {
      EXPECT_EQ(std::string(refusal.what()).rfind(sentence, 0), 0U) << refusal.what();
    }
  }
}

TEST(JudgedLibrary, may_decline_a_problem_and_give_a_reason) {
  const WithHabit with("declines");
  const JudgedProblems problems = judged_problems({ProblemKind::mechanical}, 1, 0);
  const auto subject = subject_of(library);
  Forces<double> taken(problems.cubic), declined(problems.oscillator);
  EXPECT_NO_THROW(static_cast<void>(subject->in_double(taken)));
  try {
    static_cast<void>(subject->in_double(declined));
    FAIL() << "the problem was taken";
  } catch (const ProblemRefused& refused) {
    EXPECT_STREQ(refused.what(),
                 "the method takes no problem with 1 degree of freedom of the kind mechanical in double: 'only three "
                 "degrees of freedom'");
  }
}

/// Forces that are not those of the problem.
class Constant final : public Forces<double> {
 public:
  using Forces::Forces;
  std::vector<double> gradient(const double&, const std::vector<double>& q) override {
    ++gradients;
    return std::vector<double>(q.size(), 1);
  }
};

TEST(JudgedLibrary, asks_the_judge_where_the_forces_are_not_those_of_the_problem) {
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).oscillator;
  const auto subject = subject_of(library);
  Constant forces(problem);
  const auto run = subject->in_double(forces);
  run->start({0, {0}, {0}});
  run->step(0.5, 2);
  EXPECT_EQ(run->point().p.front(), -1);
  EXPECT_EQ(forces.gradients, 3);
}

using Verdicts = std::map<std::string, Verdict>;

/// The verdicts of the judge, by row, after the same rows were found through the other door.
Verdicts verdicts_through_both_doors(const std::string& path = library) {
  const JudgementOptions options{.quick = true};
  const Judgement fast = judge(*subject_of(path), options), asking = judge(*subject_of(path, false), options);
  EXPECT_EQ(fast.rows.size(), asking.rows.size());
  Verdicts verdicts;
  for (std::size_t k = 0; k < std::min(fast.rows.size(), asking.rows.size()); ++k) {
    const JudgementRow &one = fast.rows[k], &other = asking.rows[k];
    EXPECT_EQ(one.test, other.test);
    EXPECT_EQ(one.claim.verdict, other.claim.verdict) << one.test;
    // The forces are the same numbers wherever they are computed, and so are the counts of them.
    EXPECT_TRUE(one.claim.measured == other.claim.measured ||
                (std::isnan(one.claim.measured) && std::isnan(other.claim.measured)))
        << one.test << ": " << one.claim.measured << ", " << other.claim.measured;
    verdicts[one.test] = one.claim.verdict;
  }
  return verdicts;
}

TEST(JudgedLibrary, has_the_verdicts_of_the_pipe_and_of_the_template) {
  const Verdicts verdicts = verdicts_through_both_doors();
  const auto subjects = library_subjects();
  const auto verlet = std::ranges::find(subjects, "VelocityVerlet", &NamedSubject::name);
  ASSERT_NE(verlet, subjects.end());
  const BatteryResult battery =
      run_battery(*verlet->subject, {.only = {"order of q", "order of p", "symplectic", "symmetric", "linear momentum",
                                              "angular momentum", "repetition", "history", "linear stability"}});
  int shared = 0;
  for (const BatteryRow& row : battery.rows) {
    const auto found = verdicts.find(row.test);
    if (found == verdicts.end()) continue;
    ++shared;
    EXPECT_EQ(row.claim.verdict, found->second) << row.test;
    EXPECT_EQ(found->second, Verdict::confirmed) << row.test;
  }
  // Those asked for, and memory, which the battery measures together with history.
  EXPECT_EQ(shared, 10);
}

TEST(JudgedLibrary, that_is_wrong_is_so_through_both_doors) {
  const WithHabit with("uses_the_old_force");
  const Verdicts verdicts = verdicts_through_both_doors();
  for (const char* row : {"order of q", "order of p", "symplectic", "symplectic, dyadic", "symmetric"}) {
    ASSERT_TRUE(verdicts.contains(row)) << row;
    EXPECT_EQ(verdicts.at(row), Verdict::refuted) << row;
  }
  EXPECT_EQ(verdicts.at("gradients"), Verdict::confirmed);
}

TEST(JudgedLibrary, has_the_verdicts_of_the_pipe_for_kinds_with_questions_of_their_own) {
  struct Example {
    const char* path;
    std::vector<std::string> rows;  ///< some that methods of other kinds have not
  };
  for (const auto& [path, rows] : {Example{LIVI_BODY_LIBRARY, {"group", "torque", "size of momentum"}},
                                   Example{LIVI_LANGEVIN_LIBRARY, {"noise", "friction", "sampling of p"}},
                                   Example{LIVI_LOGARITHMIC_LIBRARY, {"clock", "extended", "symplectic"}}}) {
    const Verdicts verdicts = verdicts_through_both_doors(path);
    for (const std::string& row : rows) {
      ASSERT_TRUE(verdicts.contains(row)) << path << ": " << row;
      EXPECT_EQ(verdicts.at(row), Verdict::confirmed) << path << ": " << row;
    }
    for (const auto& [row, verdict] : verdicts) EXPECT_NE(verdict, Verdict::refuted) << path << ": " << row;
  }
}

TEST(JudgedLibrary, that_pushes_the_wrong_way_is_told_the_sign) {
  const WithHabit with("takes_the_gradient_for_the_force");
  const Judgement judgement = judge(*subject_of(library), {.quick = true});
  const auto row = std::ranges::find(judgement.rows, "constant force", &JudgementRow::test);
  ASSERT_NE(row, judgement.rows.end());
  EXPECT_EQ(row->claim.verdict, Verdict::refuted);
  EXPECT_EQ(row->claim.note, "the momentum changes by -1 times force times h");
}

TEST(JudgedLibrary, goes_on_from_what_it_saved) {
  const JudgementOptions options{.quick = true};
  const auto restart = [&] {
    for (const JudgementRow& row : judge(*subject_of(library), options).rows)
      if (row.test == "restart") return row.claim.verdict;
    return Verdict::undecided;
  };
  EXPECT_EQ(restart(), Verdict::confirmed);
  const WithHabit with("saves_too_little");
  EXPECT_EQ(restart(), Verdict::refuted);
}

TEST(JudgedLibrary, that_cannot_save_is_said_to_have_answered_so) {
  const WithHabit with("saves_nothing");
  const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  const auto subject = subject_of(library);
  Forces<double> forces(problem);
  const auto run = subject->in_double(forces);
  run->start(problem.start);
  try {
    static_cast<void>(run->save());
    FAIL() << "it has saved";
  } catch (const ForeignRefusal& refusal) {
    EXPECT_STREQ(refusal.what(), "the method answered 'unsupported' to 'save': 'no space'");
  }
}

TEST(JudgedLibrary, has_the_exit_status_of_its_verdict) {
  const std::string command = LIVI_JUDGE " --quiet --quick --library " LIVI_JUDGED_LIBRARY " > /dev/null 2> /dev/null";
  const auto status = [&] {
    const int how = std::system(command.c_str());
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
  };
  EXPECT_EQ(status(), 3);
  {
    const WithHabit with("uses_the_old_force");
    EXPECT_EQ(status(), 1);
  }
  const WithHabit with("aborts");
  EXPECT_EQ(status(), 2);
}

}  // namespace judge_library_test
