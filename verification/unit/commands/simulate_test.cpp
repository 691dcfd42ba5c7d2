// SPDX-License-Identifier: MIT
//
// livi-simulate: what it says and writes, for every method and system, and what it says of numbers that fail.
#include <livi/catalogue/methods.hpp>
#include <livi/trajectory/checkpoint.hpp>

#include "simulate_program.hpp"

namespace simulate_test {

using livi::Checkpoint;
using namespace livi::test;

// ---------------------------------------------------------------------------------------------------------------------
// What is written.

TEST_F(Simulate, shows_something_nice_without_arguments) {
  const Result result = run({});
  EXPECT_EQ(result.status, 0) << result;
  EXPECT_EQ(result.error, "") << "no progress where no terminal is";
  EXPECT_SAYS(result.out, "ZhangSkeel: order 2, symmetric, symplectic");
  const Words lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 3U + 11U) << result.out;
  EXPECT_EQ(std::strtod(lines.back().c_str(), nullptr), 50.0);
  EXPECT_EQ(files(), Words{});
}

TEST_F(Simulate, lists_methods_as_they_declare_themselves) {
  const Result result = run({"--list"});
  EXPECT_EQ(result.status, 0) << result;
  const auto line = [&](const std::string& name) {
    for (const std::string& l : lines_of(result.out))
      if (l.find("  " + name + " ") == 0) return l.substr(26, 30);
    return std::string();
  };
  EXPECT_EQ(line("zhang-skeel"), "2      yes        yes         ");
  EXPECT_EQ(line("simplified-zhang-skeel"), "2      yes        no          ");
  EXPECT_EQ(line("newmark"), "2      yes        conjugate   ");
  EXPECT_EQ(line("symplectic-euler"), "1      no         yes         ");
  EXPECT_EQ(line("yoshida-8-zhang-skeel"), "8      yes        yes         ");
  EXPECT_EQ(line("runge-kutta-4"), "4      no         no          ");
  for (const char* system :
       {"oscillator", "henon-heiles", "coupled-anharmonic", "central-field", "kepler", "particles", "double-pendulum"})
    EXPECT_SAYS(result.out, "  " + std::string(system) + "\n");
  EXPECT_SAYS(result.out, "order  symmetric  symplectic  h omega below   source\n");
  EXPECT_SAYS(result.out, "1 or more numbers; default --q=1 --v=0\n");
}

TEST_F(Simulate, helps) {
  const Result result = run({"--help"});
  EXPECT_EQ(result.status, 0);
  for (const char* part : {"--newton-tolerance", "livi-simulate --system kepler", "OUT.partial", "Exit status"})
    EXPECT_SAYS(result.out, part);
  EXPECT_EQ(result.out.find("--stop-after"), std::string::npos) << "an option for tests";
  for (const char* option : {"--help", "--list"}) {
    const Result full = run({option}, [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
    EXPECT_EQ(full.status, 2) << full;
    EXPECT_EQ(full.error, "livi-simulate: the standard output cannot be written\n");
  }
}

TEST_F(Simulate, the_commands_of_the_help_run) {
  // The third one with a shorter time.
  EXPECT_EQ(run({"--system", "kepler", "--method", "velocity-verlet", "--h", "0.005", "--T", "1000", "--every", "20",
                 "--out", "kepler.csv"})
                .status,
            0);
  EXPECT_EQ(lines_of(text("kepler.csv")).size(), 1U + 10001U);
  EXPECT_EQ(run({"--form", "constrained", "--method", "rattle", "--T", "1000", "--every", "1000", "--out", "long.csv",
                 "--checkpoint", "long.checkpoint"})
                .status,
            0);
  EXPECT_EQ(lines_of(text("long.csv")).size(), 1U + 11U);
}

TEST_F(Simulate, rows_are_those_of_the_method_to_the_last_bit) {
  // Symplectic Euler on q'' = -omega^2 q, by hand. 0.1 * k and not a sum of steps is the time.
  const Result result = run({"--system", "oscillator", "--omega", "1.5", "--method", "symplectic-euler", "--q", "0.75",
                             "--v", "-0.25", "--T", "2", "--every", "2", "--out", "rows.csv"});
  ASSERT_EQ(result.status, 0) << result;
  const std::string csv = text("rows.csv");
  ASSERT_EQ(lines_of(csv).size(), 1U + 11U);
  EXPECT_EQ(lines_of(csv)[0], "time,q1,v1,energy,energy_error");
  const double h = 0.1;
  double q = 0.75, v = -0.25;
  const auto energy = [&] { return v * v / 2 + 2.25 * q * q / 2; };
  const double first = energy();
  for (std::size_t k = 0; k <= 20; ++k) {
    if (k % 2 == 0) {
      EXPECT_EQ(row_of(csv, k / 2), (std::vector<double>{static_cast<double>(k) * h, q, v, energy(), energy() - first}))
          << k;
    }
    v += h * -(2.25 * q);
    q += h * v;
  }
  EXPECT_EQ(files(), Words{"rows.csv"});
}

TEST_F(Simulate, numbers_are_the_shortest_that_read_back) {
  ASSERT_EQ(run({"--system", "oscillator", "--q", "0.1", "--T", "0.3", "--out", "rows.csv"}).status, 0);
  const std::string csv = text("rows.csv");
  EXPECT_EQ(lines_of(csv)[1].substr(0, 8), "0,0.1,0,") << csv;
  EXPECT_EQ(lines_of(csv)[4].substr(0, 20), "0.30000000000000004,") << "0.1 * 3 in double";
}

TEST_F(Simulate, zhang_skeel_shows_the_physical_position_too) {
  const double beta = 0.3, h = 0.5, c = beta * h * h;
  ASSERT_EQ(run({"--system", "oscillator", "--mass", "2", "--beta", "0.3", "--h", "0.5", "--T", "5", "--out", "z.csv"})
                .status,
            0);
  EXPECT_EQ(lines_of(text("z.csv"))[0], "time,q1,v1,energy,energy_error,physical_q1");
  for (std::size_t k = 0; k <= 10; ++k) {
    const std::vector<double> row = row_of(text("z.csv"), k);
    // x + c a with (2 + c) a = -x: two roundings of numbers up to one.
    EXPECT_NEAR(row.at(5), row.at(1) * (1 - c / (2 + c)), 4e-16) << k;
  }
  ASSERT_EQ(run({"--system", "oscillator", "--method", "newmark", "--out", "n.csv"}).status, 0);
  EXPECT_EQ(lines_of(text("n.csv"))[0], "time,q1,v1,energy,energy_error");
}

TEST_F(Simulate, masses_are_scalars_diagonals_or_matrices) {
  const Words common{"--system", "coupled-anharmonic", "--T", "3", "--out"};
  const auto rows = [&](const std::string& mass) {
    EXPECT_EQ(run(common + Words{"m.csv", "--mass", mass}).status, 0) << mass;
    return text("m.csv");
  };
  EXPECT_EQ(rows("2"), rows("2,2"));
  EXPECT_EQ(rows("2,2"), rows("2,0,0,2"));
  EXPECT_NE(rows("2,2"), rows("2,3"));
  EXPECT_NE(rows("2,0,0,2"), rows("2,0.5,0.5,2"));
  EXPECT_NE(rows("2"), rows("1"));
}

TEST_F(Simulate, every_name_starts_its_method_and_every_option_reaches_it) {
  for (const livi::MethodEntry& method : livi::simulated_methods()) {
    if (method.adaptive) continue;  // simulate_adaptive_test.cpp
    const std::string& name = method.name;
    const bool constrained = method.kind == livi::SystemKind::constrained;
    Words common{"--method", name, "--T", "1"};
    if (!constrained) common = common + Words{"--system", "coupled-anharmonic"};
    const auto rows = [&](const Words& more) {
      const Result result = run(common + more + Words{"--out", "rows.csv"});
      EXPECT_EQ(result.status, 0) << result;
      return text("rows.csv");
    };
    const Result shown = run(common);
    EXPECT_SAYS(shown.out, "\n" + method.declares(method.defaults).name + ": order ");
    const std::string plain = rows({});
    if (method.has(livi::newmark_beta)) {
      EXPECT_EQ(plain, rows({"--beta", "0.25"})) << name;
      EXPECT_NE(plain, rows({"--beta", "0.26"})) << name;
    }
    if (method.has(livi::newton_tolerance)) {
      EXPECT_NE(plain, rows({"--newton-tolerance", "0.01"})) << name;
      EXPECT_EQ(run(common + Words{"--newton-iterations", "1"}).status, 1) << name;
    }
  }
  for (const Words& words : {Words{"--form", "penalised"}, Words{"--system", "oscillator"}}) {
    ASSERT_EQ(run(words + Words{"--T", "1", "--out", "a.csv"}).status, 0);
    ASSERT_EQ(run(words + Words{"--T", "1", "--omega", "20.5", "--out", "b.csv"}).status, 0);
    EXPECT_NE(text("a.csv"), text("b.csv"));
  }
}

TEST_F(Simulate, energies_of_the_systems_are_those_of_their_description) {
  // At rest in q: V of --list, by hand.
  const auto energy = [&](const std::string& system, const std::string& q) {
    EXPECT_EQ(run({"--system", system, "--q", q, "--T", "0", "--out", "e.csv"}).status, 0) << system;
    EXPECT_EQ(lines_of(text("e.csv")).size(), 2U);
    return row_of(text("e.csv"), 0).at(1 + 2 * static_cast<std::size_t>(1 + std::count(q.begin(), q.end(), ',')));
  };
  // Sums of a few terms below ten: a few roundings.
  EXPECT_NEAR(energy("oscillator", "1,2"), 2.5, 1e-15);
  EXPECT_NEAR(energy("henon-heiles", "1,0.5"), 0.625 + 0.5 - 0.125 / 3, 1e-15);
  EXPECT_NEAR(energy("coupled-anharmonic", "1,2"), 2.5 + 3.0 * (2 + 4) / 8 + (1.0 + 16) / 8, 4e-15);
  EXPECT_NEAR(energy("central-field", "1,2"), 2.5 + 25.0 / 8, 4e-15);
  EXPECT_NEAR(energy("kepler", "3,4"), -0.2, 1e-16);
  EXPECT_NEAR(energy("particles", "0,0,1,2"), 2.5 + 25.0 / 8, 4e-15);
  // g = (0.25 - 1, 1 - 2) and omega^2 / 2 = 200; heights -0.5 and -1.5.
  EXPECT_NEAR(energy("double-pendulum", "0,-0.5,0,-1.5"), 200 * (0.5625 + 1) - 2, 1e-13);
}

TEST_F(Simulate, chains_are_those_of_the_paper) {
  // Three links of squared length 5 on the constraint: 200 (g_1^2 + ...) vanishes, heights -2, -4, -6.
  ASSERT_EQ(run({"--system", "chain", "--n", "3", "--T", "0", "--out", "c.csv"}).status, 0);
  std::vector<double> row = row_of(text("c.csv"), 0);
  ASSERT_EQ(row.size(), 1U + 6U + 6U + 3U + 6U);
  row.resize(16);
  EXPECT_EQ(row, (std::vector<double>{0, 1, -2, 2, -4, 3, -6, 0, 0, 0, 0, 0, 0, -12, 0, 0}));
  // (31) at rest: neighbours' squares / 2 and epsilon U, by hand; the ring closes between the last and the first.
  const auto energy = [&](const char* ends) {
    EXPECT_EQ(run({"--system", "dna", "--q", "0.8,1.2,3", "--ends", ends, "--T", "0", "--out", "d.csv"}).status, 0);
    return row_of(text("d.csv"), 0).at(7);
  };
  const auto u = [](double q) { return std::pow(std::exp(-7 * (1 - std::cos(q) - 0.3)) - 1, 2) / 1400; };
  const double open = (0.4 * 0.4 + 1.8 * 1.8) / 2 + u(0.8) + u(1.2) + u(3);
  EXPECT_NEAR(energy("free"), open, 1e-15);
  EXPECT_NEAR(energy("periodic"), open + 2.2 * 2.2 / 2, 2e-15);
}

TEST_F(Simulate, dna_starts_from_its_seed) {
  const auto rows = [&](const Words& more) {
    EXPECT_EQ(run(Words{"--system", "dna", "--n", "50", "--T", "10", "--out", "d.csv"} + more).status, 0);
    return text("d.csv");
  };
  const std::string first = rows({});
  EXPECT_EQ(lines_of(first).size(), 1U + 6U);  // h = 2
  EXPECT_EQ(first, rows({"--seed", "1"}));
  EXPECT_NE(first, rows({"--seed", "2"}));
  EXPECT_NE(first, rows({"--ends", "free"}));
  EXPECT_NE(first, rows({"--mass", "1.5"}));
  EXPECT_EQ(row_of(first, 0).size(), 1U + 3U * 50U + 2U);
  const Result shown = run({"--system", "dna", "--T", "10"});
  EXPECT_SAYS(shown.out, "dna, method zhang-skeel, ends periodic, n 200, seed 1, mass 1, beta 0.3, h 2,");
  EXPECT_SAYS(shown.out, " q8 ");
  EXPECT_EQ(shown.out.find(" q9 "), std::string::npos);
}

TEST_F(Simulate, every_method_runs_on_chains) {
  for (const char* system : {"dna", "chain"})
    for (const char* method : {"zhang-skeel", "simplified-zhang-skeel", "stiff-zhang-skeel",
                               "variational-stiff-zhang-skeel", "newmark", "pushforward-newmark", "velocity-verlet",
                               "symplectic-euler", "implicit-midpoint", "yoshida-4-zhang-skeel", "runge-kutta-4"}) {
      const Result result =
          run({"--system", system, "--n", "5", "--method", method, "--h", "0.01", "--T", "1", "--out", "m.csv"});
      ASSERT_EQ(result.status, 0) << system << " " << method << result;
      // All of order two and more at h omega < 1/2: the energy errs by a few percent of the largest term, 1 or 10.
      EXPECT_LT(std::abs(row_of(text("m.csv"), 100).at(system == std::string("dna") ? 12 : 22)), 0.5) << method;
    }
}

TEST_F(Simulate, shake_and_rattle_are_one_orbit_on_the_constraint) {
  const std::string names = "time,q1,q2,q3,q4,v1,v2,v3,v4,energy,energy_error,constraint_defect";
  for (const char* method : {"shake", "rattle"}) {
    ASSERT_EQ(run({"--method", method, "--T", "5", "--out", std::string(method) + ".csv"}).status, 0);
    EXPECT_EQ(lines_of(text(std::string(method) + ".csv"))[0], names);
  }
  for (std::size_t k = 0; k <= 50; ++k) {
    const auto shake = row_of(text("shake.csv"), k), rattle = row_of(text("rattle.csv"), k);
    // The two differ by roundings, which 50 steps of a regular orbit magnify by less than a thousand.
    for (std::size_t i = 0; i < shake.size(); ++i) EXPECT_NEAR(shake[i], rattle[i], 1e-12) << k << " " << i;
    EXPECT_LE(shake.back(), 1e-14) << "Newton's tolerance is 32 roundings";
  }
  ASSERT_EQ(run({"--T", "5", "--out", "penalised.csv"}).status, 0);
  EXPECT_EQ(lines_of(text("penalised.csv"))[0], names + ",physical_q1,physical_q2,physical_q3,physical_q4");
  EXPECT_GT(row_of(text("penalised.csv"), 50).at(11), 1e-6) << "a penalty only approximates the constraint";
}

TEST_F(Simulate, gravity_as_printed_pulls_upward) {
  for (const auto& [gravity, energy] : {std::pair{"down", -3.0}, std::pair{"as-printed", 3.0}}) {
    ASSERT_EQ(run({"--method", "rattle", "--gravity", gravity, "--T", "0.1", "--out", "g.csv"}).status, 0);
    EXPECT_EQ(row_of(text("g.csv"), 0).at(9), energy);
  }
}

TEST_F(Simulate, an_earlier_file_is_replaced_by_a_complete_one_only) {
  write(work() / "out.csv", "earlier\n");
  EXPECT_EQ(run({"--out", "out.csv", "--stop-after", "10"}).status, 130);
  EXPECT_EQ(text("out.csv"), "earlier\n");
  EXPECT_EQ(run({"--out", "out.csv"}).status, 0);
  EXPECT_EQ(lines_of(text("out.csv")).size(), 1U + 501U);
  EXPECT_FALSE(has("out.csv.partial"));
}

TEST_F(Simulate, progress_goes_to_a_terminal_and_nowhere_else) {
  const Result to_a_file = run({"--out", "a.csv"});
  ASSERT_EQ(to_a_file.status, 0) << to_a_file;
  EXPECT_EQ(to_a_file.out, "");
  EXPECT_EQ(to_a_file.error, "");

  // The other half needs a pseudo-terminal, which not every machine has; what Progress shows is tested in
  // trajectory_test.
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return;
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  ASSERT_EQ(fcntl(terminal, F_SETFL, O_NONBLOCK), 0);  // to find nothing is a failure, not a wait
  const std::string name = ptsname(terminal);
  // Kept open here, or what was written is gone with its last writer.
  const int other_end = open(name.c_str(), O_RDWR | O_NOCTTY);
  ASSERT_GE(other_end, 0);
  const Result to_a_terminal = run({"--out", "b.csv"}, [&] { dup2(other_end, STDERR_FILENO); });
  ASSERT_EQ(to_a_terminal.status, 0) << to_a_terminal;
  char text_on_terminal[4096];
  const ssize_t length = read(terminal, text_on_terminal, sizeof text_on_terminal);
  close(other_end);
  close(terminal);
  ASSERT_GT(length, 0);
  EXPECT_SAYS(std::string(text_on_terminal, static_cast<std::size_t>(length)), "  0 %  step 0 of 500");
  EXPECT_EQ(text("a.csv"), text("b.csv"));
  EXPECT_EQ(to_a_terminal.out, "");
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbers that fail.

class SimulateFails : public Simulate {
 protected:
  /// Status 1 with these words, and the rows of all steps up to the last good one (`rows` of them, if it is not 0).
  void expect_failure(const Words& arguments, const std::string& message, std::size_t rows = 0) {
    const Result result = run(arguments + Words{"--out", "a.csv"});
    EXPECT_EQ(result.status, 1) << result;
    EXPECT_EQ(result.error.find("livi-simulate: " + message), 0U) << message << " in: " << result.error;
    EXPECT_EQ(files(), Words{"a.csv"});
    const Words lines = lines_of(result.error);
    ASSERT_EQ(lines.size(), 3U) << result;
    EXPECT_EQ(lines[2], "livi-simulate: the rows so far are in a.csv");
    const std::string start = "livi-simulate: last good state: step ";
    ASSERT_EQ(lines[1].find(start), 0U) << lines[1];
    const long step = std::strtol(lines[1].c_str() + start.size(), nullptr, 10);
    const Words csv = lines_of(text("a.csv"));
    if (rows > 0) {
      EXPECT_EQ(csv.size(), 1 + rows);
    }
    if (message.find("stopped in step") == 0) {
      EXPECT_EQ(csv.size(), static_cast<std::size_t>(step) + 2);
      // q of the message, as in the row.
      const std::size_t q = lines[1].find("q = ") + 4, end = lines[1].find(", v = ");
      EXPECT_SAYS("," + csv.back(), "," + lines[1].substr(q, end - q) + ",");
    } else {
      EXPECT_EQ(csv.size(), static_cast<std::size_t>(step) + 1) << "without the row that cannot be";
    }
    for (const std::string& line : csv)
      for (const char* bad : {"nan", "inf"}) EXPECT_EQ(line.find(bad), std::string::npos) << line;
  }
};

TEST_F(SimulateFails, henon_heiles_escapes) {
  // Beyond y = 1 on the axis the force leads away, and is infinite in finite time. The energy is a cube and overflows
  // first.
  expect_failure({"--system", "henon-heiles", "--method", "velocity-verlet", "--q", "0,1.1"},
                 "stopped at the row of step ");
  // Without rows on the way the state itself does.
  const Result result = run({"--system", "henon-heiles", "--method", "velocity-verlet", "--q", "0,1.1", "--every",
                             "1000000", "--out", "b.csv", "--checkpoint", "c"});
  EXPECT_EQ(result.status, 1) << result;
  EXPECT_SAYS(result.error, "a value is not finite\nlivi-simulate: last good state: step ");
  EXPECT_EQ(lines_of(text("b.csv")).size(), 2U);
  const Checkpoint last = livi::read_checkpoint(work() / "c");
  EXPECT_SAYS(result.error, "last good state: step " + std::to_string(last.step) + ",");
  EXPECT_EQ(run({"--resume", "c"}).status, 1) << "it fails again";
}

TEST_F(SimulateFails, no_checkpoint_takes_a_row_that_failed_as_written) {
  const Words escape{"--system", "henon-heiles", "--method", "velocity-verlet", "--q", "0,1.1", "--h", "0.125"};
  const Result first = run(escape + Words{"--out", "a.csv"});
  ASSERT_EQ(first.status, 1) << first;
  const std::string words = "stopped at the row of step ";
  ASSERT_NE(first.error.find(words), std::string::npos) << first.error;
  const long failing = std::strtol(first.error.c_str() + first.error.find(words) + words.size(), nullptr, 10);
  ASSERT_GT(failing, 1);
  // A run that ends with the row that fails.
  const Words last =
      escape +
      Words{"--T", std::to_string(0.125 * static_cast<double>(failing)), "--out", "b.csv", "--checkpoint", "c"};
  EXPECT_EQ(run(last).status, 1);
  EXPECT_LT(livi::read_checkpoint(work() / "c").step, failing);
  const Result resumed = run({"--resume", "c"});
  EXPECT_EQ(resumed.status, 1) << resumed;
  EXPECT_SAYS(resumed.error, words + std::to_string(failing));
  EXPECT_EQ(text("b.csv"), text("a.csv"));
  EXPECT_EQ(lines_of(text("b.csv")).size(), static_cast<std::size_t>(failing) + 1) << "without the row that cannot be";
  // Also where every step has its checkpoint.
  EXPECT_EQ(run(last + Words{"--checkpoint-interval", "0"}).status, 1);
  EXPECT_EQ(livi::read_checkpoint(work() / "c").step, failing - 1);
}

TEST_F(SimulateFails, the_penalised_pendulum_under_printed_gravity) {
  expect_failure({"--gravity", "as-printed", "--method", "zhang-skeel", "--h", "0.1"}, "stopped at the row of step ");
}

TEST_F(SimulateFails, an_iteration_does_not_converge) {
  expect_failure({"--method", "implicit-midpoint", "--newton-iterations", "1"},
                 "stopped in step 1 after t = 0: no convergence after 1 iterations", 1);
  expect_failure({"--method", "shake", "--newton-iterations", "2"},
                 "stopped in step 1 after t = 0: no convergence after 2", 1);
}

TEST_F(SimulateFails, a_matrix_is_singular) {
  // M + beta h^2 Hess V = diag(1 + 1 + 2 y, 1 + 1 - 2 y), y = 1: an equilibrium, too.
  const Words singular{"--system", "henon-heiles", "--q", "0,1", "--beta", "1", "--h", "1"};
  expect_failure(singular + Words{"--method", "simplified-zhang-skeel"},
                 "stopped in step 1 after t = 0: singular matrix at pivot 1", 1);
  // Z&S needs it for the physical position of the first row already.
  const Result result = run(singular + Words{"--method", "zhang-skeel", "--out", "b.csv"});
  EXPECT_EQ(result.status, 1);
  EXPECT_SAYS(result.error,
              "before the first step: singular matrix at pivot 1\nlivi-simulate: last good state: step 0");
  EXPECT_FALSE(has("b.csv"));
}

}  // namespace simulate_test
