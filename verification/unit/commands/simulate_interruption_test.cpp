// SPDX-License-Identifier: MIT
//
// livi-simulate interrupted, killed, continued, and on disks that are full: the rows are those of one straight run, or
// those of the last checkpoint.
#include <sys/mount.h>
#include <sys/resource.h>
#include <livi/trajectory/checkpoint.hpp>

#include "simulate_program.hpp"

namespace simulate_interruption_test {

using livi::Checkpoint;
using namespace livi::test;

namespace fs = std::filesystem;

// Interruption.

class SimulateEvery : public Simulate, public testing::WithParamInterface<const char*> {};

TEST_P(SimulateEvery, interrupted_and_resumed_run_is_the_straight_one_byte_for_byte) {
  const std::string method = GetParam();
  Words common{"--method", method, "--T", "20", "--every", "3"};
  const bool constrained = method == "shake" || method == "rattle";
  common = common + (constrained ? Words{"--mass", "1,1,3,3"}
                                 : Words{"--system", "coupled-anharmonic", "--q", "0.5,-0.4,0.3", "--v",
                                         "0.3,0.25,-0.2", "--mass", "3,1,0,1,2,-0.5,0,-0.5,1"});
  ASSERT_EQ(run(common + Words{"--out", "straight.csv"}).status, 0);
  const Result first = run(common + Words{"--out", "a.csv", "--checkpoint", "a.checkpoint", "--stop-after", "70"});
  ASSERT_EQ(first.status, 130) << first;
  EXPECT_SAYS(first.error, "interrupted at step 70 of 200, t = 7\n");
  EXPECT_SAYS(first.error, "the rows so far are in a.csv.partial\n");
  EXPECT_SAYS(first.error, "to continue: livi-simulate --resume a.checkpoint\n");
  EXPECT_EQ(files(), (Words{"a.checkpoint", "a.csv.partial", "straight.csv"}));
  EXPECT_EQ(text("a.csv.partial"), text("straight.csv").substr(0, text("a.csv.partial").size()));
  const Result second = run({"--resume", "a.checkpoint", "--stop-after", "101"});
  ASSERT_EQ(second.status, 130) << second;
  ASSERT_EQ(run(common + Words{"--resume", "a.checkpoint"}).status, 0) << "the same options again are no contradiction";
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
  EXPECT_FALSE(has("a.csv.partial"));
}

INSTANTIATE_TEST_SUITE_P(Method, SimulateEvery,
                         testing::Values("velocity-verlet", "symplectic-euler", "zhang-skeel", "simplified-zhang-skeel",
                                         "stiff-zhang-skeel", "newmark", "pushforward-newmark", "implicit-midpoint",
                                         "shake", "rattle", "yoshida-4-zhang-skeel", "yoshida-6-zhang-skeel",
                                         "yoshida-8-zhang-skeel", "runge-kutta-4"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class SimulateChain : public Simulate, public testing::WithParamInterface<Words> {};

TEST_P(SimulateChain, interrupted_and_resumed_run_is_the_straight_one_byte_for_byte) {
  const Words common = GetParam() + Words{"--every", "3"};
  ASSERT_EQ(run(common + Words{"--out", "straight.csv"}).status, 0);
  const Result first = run(common + Words{"--out", "a.csv", "--checkpoint", "a.checkpoint", "--stop-after", "40"});
  ASSERT_EQ(first.status, 130) << first;
  const Result other = run({"--resume", "a.checkpoint", "--n", "31"});
  EXPECT_EQ(other.status, 2);
  EXPECT_SAYS(other.error, "--n = 31: must be as in the checkpoint a.checkpoint, whose run has ");
  ASSERT_EQ(run({"--resume", "a.checkpoint"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
}

INSTANTIATE_TEST_SUITE_P(Of, SimulateChain,
                         testing::Values(Words{"--system", "dna", "--n", "301", "--seed", "7", "--T", "200"},
                                         Words{"--system", "dna", "--method", "velocity-verlet", "--h", "0.2", "--ends",
                                               "free", "--T", "20"},
                                         Words{"--system", "chain", "--T", "5"},
                                         Words{"--system", "chain", "--form", "constrained", "--n", "4", "--T", "5"}));

TEST_F(Simulate, the_last_state_has_its_row_and_a_longer_run_does_without_it) {
  for (const Words& method : {Words{"--system", "kepler", "--method", "velocity-verlet", "--h", "0.1"},
                              Words{"--system", "kepler", "--method", "hamiltonian-adaptive-verlet", "--h", "0.1"}}) {
    const Words common = method + Words{"--every", "4"};
    ASSERT_EQ(run(common + Words{"--T", "1", "--out", "a.csv", "--checkpoint", "c"}).status, 0);
    ASSERT_EQ(run(method + Words{"--T", "1", "--out", "all.csv"}).status, 0);
    const Words rows = lines_of(text("a.csv")), all = lines_of(text("all.csv"));
    ASSERT_NE((all.size() - 2) % 4, 0U) << "or nothing is tried";
    EXPECT_EQ(rows.size(), 1 + (all.size() - 2) / 4 + 2);
    EXPECT_EQ(rows.back(), all.back());
    const std::string shorter = text("a.csv");
    ASSERT_EQ(run({"--resume", "c"}).status, 0) << "nothing is left to do";
    EXPECT_EQ(text("a.csv"), shorter);
    ASSERT_EQ(run({"--resume", "c", "--T", "2"}).status, 0);
    ASSERT_EQ(run(common + Words{"--T", "2", "--out", "straight.csv"}).status, 0);
    EXPECT_EQ(text("a.csv"), text("straight.csv"));
  }
}

TEST_F(Simulate, a_complete_run_can_be_made_longer) {
  ASSERT_EQ(run({"--T", "10", "--out", "a.csv", "--checkpoint", "a.checkpoint"}).status, 0);
  const std::string shorter = text("a.csv");
  ASSERT_EQ(run({"--resume", "a.checkpoint"}).status, 0) << "nothing is left to do";
  EXPECT_EQ(text("a.csv"), shorter);
  ASSERT_EQ(run({"--resume", "a.checkpoint", "--T", "25"}).status, 0);
  ASSERT_EQ(run({"--T", "25", "--out", "straight.csv"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
  const Result back = run({"--resume", "a.checkpoint", "--T", "5"});
  EXPECT_EQ(back.status, 2);
  EXPECT_SAYS(back.error, "--T = 5: must be at least 25, the time that the checkpoint has reached");
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
}

TEST_F(Simulate, an_interruption_at_the_last_step_is_none) {
  EXPECT_EQ(run({"--T", "10", "--out", "a.csv", "--stop-after", "100"}).status, 0);
  EXPECT_EQ(files(), Words{"a.csv"});
}

TEST_F(Simulate, without_files_nothing_is_kept_and_it_says_so) {
  const Result result = run({"--stop-after", "3"});
  EXPECT_EQ(result.status, 130);
  EXPECT_SAYS(result.error, "nothing was kept");
  EXPECT_EQ(files(), Words{});
}

TEST_F(Simulate, a_checkpoint_needs_no_rows) {
  ASSERT_EQ(run({"--T", "10", "--checkpoint", "straight"}).status, 0);
  ASSERT_EQ(run({"--T", "10", "--checkpoint", "c", "--stop-after", "40"}).status, 130);
  EXPECT_NE(text("c"), text("straight"));
  const Result added = run({"--resume", "c", "--out", "a.csv"});
  EXPECT_EQ(added.status, 2);
  EXPECT_SAYS(added.error, "--out = a.csv: cannot be added now");
  ASSERT_EQ(run({"--resume", "c"}).status, 0);
  EXPECT_EQ(text("c"), text("straight"));
}

/// A run that lasts for days, if it is let.
const Words endless{"--system", "oscillator", "--method", "velocity-verlet", "--T", "1e9", "--every", "1000"};

class SimulateSignal : public Simulate {
 protected:
  /// Continues the endless run for another 5000 steps, and compares with a straight run of that length.
  void expect_straight_continuation(const std::string& checkpoint) {
    const long reached = livi::read_checkpoint(work() / checkpoint).step;
    const std::string end = std::to_string(reached / 10000 * 1000 + 1500);  // h = 0.1
    const Result resumed = run({"--resume", checkpoint, "--T", end});
    ASSERT_EQ(resumed.status, 0) << resumed;
    Words straight = endless + Words{"--out", "straight.csv"};
    straight[5] = end;
    ASSERT_EQ(run(straight).status, 0);
    EXPECT_EQ(text("a.csv"), text("straight.csv"));
    EXPECT_GT(reached, 0);
  }
};

TEST_F(SimulateSignal, interrupt_terminate_and_hang_up_finish_the_step) {
  for (const auto& [signal, words] :
       {std::pair{SIGINT, "interrupted at step "}, std::pair{SIGTERM, "interrupted by SIGTERM at step "},
        std::pair{SIGHUP, "interrupted by SIGHUP at step "}}) {
    const pid_t child = start(endless + Words{"--out", "a.csv"});
    EXPECT_TRUE(eventually([&] { return has("a.csv.partial") && fs::file_size(work() / "a.csv.partial") > 0; }));
    kill(child, signal);
    const Result result = finish(child);
    EXPECT_EQ(result.status, 130) << result;
    EXPECT_SAYS(result.error, words);
    EXPECT_SAYS(result.error, "--resume a.csv.checkpoint");
    expect_straight_continuation("a.csv.checkpoint");
    for (const std::string& file : files()) fs::remove(work() / file);
  }
}

TEST_F(SimulateSignal, a_killed_run_continues_from_its_last_checkpoint) {
  const pid_t child = start(endless + Words{"--out", "a.csv", "--checkpoint", "c", "--checkpoint-interval", "0.01"});
  EXPECT_TRUE(eventually([&] { return has("c") && livi::read_checkpoint(work() / "c").step > 0; }));
  kill(child, SIGKILL);
  EXPECT_EQ(finish(child).status, -SIGKILL);
  ASSERT_TRUE(has("a.csv.partial"));
  // As if rows had reached the disk that are later than the checkpoint, the last one in part.
  std::ofstream(work() / "a.csv.partial", std::ios::app) << "1e9,1,2\n1e9,";
  expect_straight_continuation("c");
}

TEST_F(SimulateSignal, ignored_signals_stay_ignored) {
  const pid_t child = start(endless + Words{"--out", "a.csv"}, [] { std::signal(SIGHUP, SIG_IGN); });
  EXPECT_TRUE(eventually([&] { return has("a.csv.partial") && fs::file_size(work() / "a.csv.partial") > 0; }));
  kill(child, SIGHUP);
  const auto size = fs::file_size(work() / "a.csv.partial");
  EXPECT_TRUE(eventually([&] { return fs::file_size(work() / "a.csv.partial") > size; })) << "it goes on";
  kill(child, SIGINT);
  const Result result = finish(child);
  EXPECT_SAYS(result.error, "interrupted at step ");
}

TEST_F(SimulateSignal, two_runs_do_not_write_one_file) {
  const pid_t child = start(endless + Words{"--out", "a.csv"});
  EXPECT_TRUE(eventually([&] { return has("a.csv.partial") && fs::file_size(work() / "a.csv.partial") > 0; }));
  const auto size = fs::file_size(work() / "a.csv.partial");
  const Result second = run({"--out", "a.csv"});
  EXPECT_EQ(second.status, 2);
  EXPECT_SAYS(second.error, "a.csv.partial: is being written by another run");
  EXPECT_GE(fs::file_size(work() / "a.csv.partial"), size);
  kill(child, SIGINT);
  EXPECT_EQ(finish(child).status, 130);
  expect_straight_continuation("a.csv.checkpoint");
}

// ---------------------------------------------------------------------------------------------------------------------
// Checkpoints that cannot be continued.

class SimulateCheckpoint : public Simulate {
 protected:
  void SetUp() override {
    Simulate::SetUp();
    ASSERT_EQ(run({"--out", "a.csv", "--checkpoint", "c", "--stop-after", "50"}).status, 130);
    rows = text("a.csv.partial");
    checkpoint = text("c");
  }
  /// Refused with these words; the rows and the checkpoint are as they were.
  void expect_refused(const Words& arguments, const std::string& message) {
    const std::string before = text("c");
    const Result result = run(Words{"--resume", "c"} + arguments);
    EXPECT_EQ(result.status, 2) << result;
    EXPECT_EQ(result.error.find("livi-simulate: " + message), 0U) << message << " in: " << result.error;
    EXPECT_EQ(text("c"), before);
    EXPECT_EQ(text("a.csv.partial"), rows);
    EXPECT_FALSE(has("a.csv"));
  }
  std::string rows, checkpoint;
};

TEST_F(SimulateCheckpoint, of_another_run_are_refused) {
  expect_refused({"--method", "newmark"},
                 "--method = newmark: must be as in the checkpoint c, whose run has zhang-skeel");
  expect_refused({"--system", "kepler"},
                 "--system = kepler: must be as in the checkpoint c, whose run has double-pendulum");
  expect_refused({"--h", "0.05"}, "--h = 0.05: must be as in the checkpoint c, whose run has 0.1");
  expect_refused({"--omega", "21"}, "--omega = 21: must be as in the checkpoint c, whose run has 20");
  expect_refused({"--beta", "0.25"}, "--beta = 0.25: must be as in the checkpoint c, whose run has 0.4");
  expect_refused({"--every", "2"}, "--every = 2: must be as in the checkpoint c, whose run has 1");
  expect_refused({"--mass", "2"}, "--mass = 2: must be as in the checkpoint c, whose run has 1");
  expect_refused({"--q", "0,-1,-1,-2"}, "--q = 0,-1,-1,-2: must be as in the checkpoint c, whose run has 0,-1,1,-2");
  expect_refused({"--newton-iterations", "3"},
                 "--newton-iterations = 3: must be as in the checkpoint c, whose run has "
                 "no newton-iterations");
  expect_refused({"--T", "4.9"}, "--T = 4.9: must be at least 5, the time that the checkpoint has reached");
  expect_refused({"--out", "other.csv"}, "other.csv: the first ");
  expect_refused({"--out", "c"}, "--out = c: must not be the file of --");
}

TEST_F(SimulateCheckpoint, damaged_anywhere_are_refused) {
  for (std::size_t i = 0; i < checkpoint.size(); i += 7) {
    std::string damaged = checkpoint;
    damaged[i] = damaged[i] == '1' ? '2' : '1';
    write(work() / "c", damaged);
    expect_refused({}, "checkpoint c = " + std::to_string(checkpoint.size()) + " bytes: is ");
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, checkpoint.size() / 2, checkpoint.size() - 1}) {
    write(work() / "c", checkpoint.substr(0, length));
    expect_refused({}, "checkpoint c = " + std::to_string(length) + " bytes: is ");
  }
  write(work() / "c", rows);
  expect_refused({}, "checkpoint c = " + std::to_string(rows.size()) + " bytes: is not a checkpoint: ");
}

TEST_F(SimulateCheckpoint, whole_but_senseless_are_refused) {
  const auto changed = [&](const std::function<void(Checkpoint&)>& change) {
    Checkpoint c = Checkpoint::parse(checkpoint);
    change(c);
    write(work() / "c", c.text());
  };
  const auto set = [](Checkpoint& c, const std::string& name, const std::string& value) {
    for (auto& [key, old] : c.settings)
      if (key == name) old = value;
  };
  changed([&](Checkpoint& c) { set(c, "h", "-1"); });
  expect_refused({}, "--h = -1: must be finite and > 0");
  changed([&](Checkpoint& c) { set(c, "method", "verlet"); });
  expect_refused({}, "--method = verlet: must be one of ");
  changed([&](Checkpoint& c) { c.settings.pop_back(); });
  expect_refused({}, "checkpoint setting = rows: is missing");
  changed([&](Checkpoint& c) { c.state = "3 0x1p+0 0x1p+0 0x1p+0\n" + c.state.substr(c.state.find('\n') + 1); });
  expect_refused({}, "checkpoint line = 3 0x1p+0 0x1p+0 0x1p+0: must hold 4 entries");
  changed([&](Checkpoint& c) { c.state += "1 0x1p+0\n"; });
  expect_refused({}, "checkpoint = 1 0x1p+0: must end after the last field");
}

TEST_F(SimulateCheckpoint, without_their_rows_are_refused) {
  rows[40] = rows[40] == '1' ? '2' : '1';
  write(work() / "a.csv.partial", rows);
  expect_refused({}, "a.csv: the first " + std::to_string(rows.size()) +
                         " bytes of the rows that the checkpoint "
                         "continues are neither in a.csv.partial");
  rows = rows.substr(0, rows.size() - 1);
  write(work() / "a.csv.partial", rows);
  expect_refused({}, "a.csv: the first " + std::to_string(rows.size() + 1) + " bytes");
  fs::remove(work() / "a.csv.partial");
  rows = "";
  expect_refused({}, "a.csv: the first ");
  EXPECT_FALSE(has("a.csv.partial"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Disks that are full.

/// More rows than a hundred kilobytes hold.
const Words large{"--system", "particles", "--T", "200"};

TEST_F(Simulate, beyond_the_limit_of_file_sizes_nothing_half_written_remains) {
  const auto limit = [] {
    const rlimit size{200000, 200000};
    setrlimit(RLIMIT_FSIZE, &size);
  };
  const Result result = run(large + Words{"--out", "a.csv"}, limit);
  EXPECT_EQ(result.status, 2) << result;
  EXPECT_EQ(result.error,
            "livi-simulate: a.csv.partial: cannot be written: File too large\nlivi-simulate: no rows of this run were "
            "kept\n");
  EXPECT_EQ(files(), Words{});
}

TEST_F(Simulate, beyond_the_limit_of_file_sizes_rows_of_a_checkpoint_are_kept) {
  const auto limit = [] {
    const rlimit size{200000, 200000};
    setrlimit(RLIMIT_FSIZE, &size);
  };
  write(work() / "a.csv", "earlier\n");
  const Result result = run(large + Words{"--out", "a.csv", "--checkpoint", "c", "--checkpoint-interval", "0"}, limit);
  EXPECT_EQ(result.status, 2) << result;
  EXPECT_SAYS(result.error, "a.csv.partial: cannot be written: File too large\n");
  EXPECT_SAYS(result.error, "are kept in a.csv.partial; to continue: livi-simulate --resume c\n");
  EXPECT_EQ(files(), (Words{"a.csv", "a.csv.partial", "c"}));
  EXPECT_EQ(text("a.csv"), "earlier\n");
  EXPECT_EQ(text("a.csv.partial").back(), '\n') << "no row in part";
  const long step = livi::read_checkpoint(work() / "c").step;
  EXPECT_SAYS(result.error, "the rows up to step " + std::to_string(step) + " are kept");
  EXPECT_EQ(lines_of(text("a.csv.partial")).size(), static_cast<std::size_t>(step) + 2);
  // Continued, it fails once more, and says what is kept now.
  const Result again = run({"--resume", "c", "--checkpoint-interval", "1000"}, limit);
  EXPECT_EQ(again.status, 2) << again;
  EXPECT_SAYS(again.error,
              "the rows up to step " + std::to_string(livi::read_checkpoint(work() / "c").step) + " are kept");
  ASSERT_EQ(run({"--resume", "c"}).status, 0);
  ASSERT_EQ(run(large + Words{"--out", "straight.csv"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
}

TEST_F(Simulate, on_a_full_disk_nothing_half_written_remains) {
  const fs::path small = work() / "small";
  fs::create_directory(small);
  // Only root may mount; the limit of file sizes above is the same error for everybody.
  if (mount("none", small.c_str(), "tmpfs", 0, "size=128k") != 0) return;
  const Result result = run(large + Words{"--out", "small/a.csv"});
  const bool nothing = fs::is_empty(small);
  const Result kept = run(large + Words{"--out", "small/a.csv", "--checkpoint", "c", "--checkpoint-interval", "0"});
  const std::string rows = text_of(small / "a.csv.partial");
  Words left;
  for (const auto& entry : fs::directory_iterator(small)) left.push_back(entry.path().filename());
  const Result no_checkpoint = [&] {
    write(small / "filler", std::string(200000, 'x'));
    return run({"--out", "b.csv", "--checkpoint", "small/c"});
  }();
  const bool no_temporary = !fs::exists(small / "c");
  const auto entries = std::distance(fs::directory_iterator(small), fs::directory_iterator());
  umount2(small.c_str(), MNT_DETACH);

  EXPECT_EQ(result.status, 2) << result;
  EXPECT_EQ(result.error,
            "livi-simulate: small/a.csv.partial: cannot be written: No space left on device\n"
            "livi-simulate: no rows of this run were kept\n");
  EXPECT_TRUE(nothing);
  EXPECT_EQ(kept.status, 2) << kept;
  EXPECT_SAYS(kept.error, "are kept in small/a.csv.partial; to continue: livi-simulate --resume c\n");
  EXPECT_EQ(left, Words{"a.csv.partial"});
  // Continued where there is room.
  write(work() / "a.csv.partial", rows);
  ASSERT_EQ(run({"--resume", "c", "--out", "a.csv"}).status, 0);
  ASSERT_EQ(run(large + Words{"--out", "straight.csv"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv"));

  EXPECT_EQ(no_checkpoint.status, 2) << no_checkpoint;
  EXPECT_SAYS(no_checkpoint.error, "small/c: cannot be ");
  EXPECT_TRUE(no_temporary);
  EXPECT_EQ(entries, 2) << "the filler and the rows above";
  EXPECT_FALSE(has("b.csv"));
  EXPECT_FALSE(has("b.csv.partial"));
}

}  // namespace simulate_interruption_test
