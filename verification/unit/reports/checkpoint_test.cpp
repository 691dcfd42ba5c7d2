// SPDX-License-Identifier: MIT
//
// Checkpoints, saved states and the interruption of a run, as the library offers them.
#include <gtest/gtest.h>

#include <csignal>
#include <livi/integrators/integrator.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/interrupt.hpp>

namespace checkpoint_test {

using livi::Checkpoint;
using livi::InvalidParameter;

TEST(CheckpointText, comes_back_as_it_was) {
  Checkpoint checkpoint{{{"method", "rattle"}, {"note", "two words, = and  blanks"}, {"empty", ""}}, 12, "1 0x1p+0\n"};
  const Checkpoint back = Checkpoint::parse(checkpoint.text());
  EXPECT_EQ(back.settings, checkpoint.settings);
  EXPECT_EQ(back.step, 12);
  EXPECT_EQ(back.state, checkpoint.state);
  EXPECT_EQ(back.setting("note"), "two words, = and  blanks");
  EXPECT_THROW(static_cast<void>(back.setting("absent")), InvalidParameter);
  EXPECT_EQ(Checkpoint::parse(Checkpoint{}.text()).state, "");
}

TEST(CheckpointText, refuses_what_would_not_come_back) {
  EXPECT_THROW(static_cast<void>((Checkpoint{{{"two words", "x"}}, 0, ""}.text())), InvalidParameter);
  EXPECT_THROW(static_cast<void>((Checkpoint{{{"step", "x"}}, 0, ""}.text())), InvalidParameter);
  EXPECT_THROW(static_cast<void>((Checkpoint{{{"name", "two\nlines"}}, 0, ""}.text())), InvalidParameter);
  EXPECT_THROW(static_cast<void>(Checkpoint::parse("livi checkpoint 2\n")), InvalidParameter);
  // Whole, but without its step.
  std::string text = "livi checkpoint 1\nmethod rattle\n";
  livi::Checksum checksum;
  checksum.add(text);
  text += "checksum " + checksum.text() + "\n";
  EXPECT_THROW(static_cast<void>(Checkpoint::parse(text)), InvalidParameter);
}

TEST(CheckpointText, checksum_is_that_of_fnv_1a) {
  // The published test vectors of the 64-bit hash.
  livi::Checksum checksum;
  EXPECT_EQ(checksum.text(), "cbf29ce484222325");
  checksum.add("foo");
  checksum.add("bar");
  EXPECT_EQ(checksum.text(), "85944171f73967e8");
}

TEST(SavedState, of_another_size_is_refused) {
  livi::PhaseState<double, livi::Dynamic> two, three;
  two.q = two.v = Eigen::Vector2d(0.1, -0.2);
  three.q = three.v = Eigen::Vector3d(1, 2, 3);
  EXPECT_THROW(livi::load_state(livi::save_state(three), two), InvalidParameter);
  EXPECT_EQ(two.q, Eigen::Vector2d(0.1, -0.2)) << "left as it was";
  livi::PhaseState<double, livi::Dynamic> unsized;
  livi::load_state(livi::save_state(two), unsized);
  EXPECT_EQ(unsized.q, two.q);
}

TEST(InterruptRequest, notes_the_first_signal_and_restores_the_handlers) {
  struct sigaction ours {};
  ours.sa_handler = [](int) {};
  struct sigaction previous {};
  sigaction(SIGTERM, &ours, &previous);
  {
    const livi::Interrupt interrupt;
    EXPECT_FALSE(interrupt.requested());
    EXPECT_THROW(livi::Interrupt(), std::logic_error) << "signals belong to the process";
    raise(SIGTERM);
    EXPECT_TRUE(interrupt.requested());
    EXPECT_EQ(interrupt.signal(), SIGTERM);
    struct sigaction now {};
    sigaction(SIGTERM, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL) << "a second signal ends the program";
  }
  struct sigaction after {};
  sigaction(SIGTERM, &previous, &after);
  EXPECT_EQ(after.sa_handler, ours.sa_handler);
  const livi::Interrupt again;
  EXPECT_FALSE(again.requested()) << "an old signal is not this one's";
}

}  // namespace checkpoint_test
