// SPDX-License-Identifier: MIT
//
// livi-simulate, run as a user runs it: what it refuses, what it writes, and that an interrupted run continued is the
// run that was never interrupted, byte for byte.
#include <livi/catalogue/methods.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/interrupt.hpp>

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "simulate_program.hpp"

namespace {

namespace fs = std::filesystem;
using livi::Checkpoint;
using livi::InvalidParameter;
using namespace livi::test;

// ---------------------------------------------------------------------------------------------------------------------
// Refusals.

TEST_P(SimulateRefuses, with_status_2_and_leaves_nothing) { expect_refused(GetParam()); }

const Words kepler{"--system", "kepler"};
const Words henon{"--system", "henon-heiles"};
const Words rods{"--form", "constrained"};

INSTANTIATE_TEST_SUITE_P(
    Everything, SimulateRefuses,
    testing::Values(
        Refusal{"h_zero", {"--h", "0"}, "--h = 0: must be finite and > 0"},
        Refusal{"h_negative", {"--h", "-0.1"}, "--h = -0.1: must be finite and > 0"},
        Refusal{"h_nan", {"--h", "nan"}, "--h = nan: must be finite and > 0"},
        Refusal{"h_inf", {"--h", "inf"}, "--h = inf: must be finite and > 0"},
        Refusal{"h_no_number", {"--h", "0.1x"}, "--h = '0.1x': must be a number"},
        Refusal{"h_empty", {"--h", ""}, "--h = '': must be a number"},
        Refusal{"beta_negative", {"--beta", "-0.25"}, "--beta = -0.25: must be finite and >= 0"},
        Refusal{"beta_nan", {"--beta", "nan"}, "--beta = nan: must be finite and >= 0"},
        Refusal{"beta_inf", {"--beta", "inf"}, "--beta = inf: must be finite and >= 0"},
        Refusal{"beta_of_verlet", henon + Words{"--method", "velocity-verlet", "--beta", "0.3"},
                "--beta = 0.3: has no meaning for velocity-verlet on henon-heiles"},
        Refusal{"T_negative", {"--T", "-1"}, "--T = -1: must be finite and >= 0"},
        Refusal{"T_nan", {"--T", "nan"}, "--T = nan: must be finite and >= 0"},
        Refusal{"T_inf", {"--T", "inf"}, "--T = inf: must be finite and >= 0"},
        Refusal{"T_no_multiple", {"--h", "0.1", "--T", "0.25"}, "T = 0.25: must be a multiple of the step h = 0.1"},
        Refusal{"T_too_many_steps", {"--T", "1e300"}, "--T = 1e+300: must be at most 2^53 steps of h = 0.1"},
        Refusal{"every_zero", {"--every", "0"}, "--every = 0: must be from 1 to "},
        Refusal{"every_fraction", {"--every", "1.5"}, "--every = '1.5': must be a whole number"},
        Refusal{"system_unknown", {"--system", "pendulum"}, "--system = pendulum: must be one of double-pendulum, osc"},
        Refusal{"method_unknown", {"--method", "verlet"}, "--method = verlet: must be one of zhang-skeel, simpl"},
        Refusal{"option_unknown", {"--frobnicate", "1"}, "The following arguments were not expected: "},
        Refusal{"argument_unexpected", {"kepler"}, "The following argument was not expected: kepler"},
        Refusal{"list_and_more", {"--list", "--h", "0.1"}, "--list = with --h: must be the only option"},
        Refusal{"value_missing", {"--out", "o", "--h"}, "--h"},
        Refusal{"form_unknown", {"--form", "rigid"}, "--form = rigid: must be penalised or constrained"},
        Refusal{"form_elsewhere", henon + Words{"--form", "penalised"}, "--form = penalised: has no meaning for"},
        Refusal{"gravity_unknown", {"--gravity", "up"}, "--gravity = up: must be down or as-printed"},
        Refusal{"omega_zero", {"--omega", "0"}, "--omega = 0: must be finite and > 0"},
        Refusal{"omega_negative", {"--system", "oscillator", "--omega", "-2"}, "--omega = -2: must be finite and > 0"},
        Refusal{"omega_nan", {"--omega", "nan"}, "--omega = nan: must be finite and > 0"},
        Refusal{"omega_elsewhere", kepler + Words{"--omega", "2"}, "--omega = 2: has no meaning for"},
        Refusal{"n_zero", {"--system", "dna", "--n", "0"}, "--n = 0: must be from 1 to "},
        Refusal{"n_elsewhere", kepler + Words{"--n", "3"}, "--n = 3: has no meaning for"},
        Refusal{"n_beside_q", {"--system", "dna", "--q", "1,2", "--n", "2"}, "--n = 2: has no meaning for"},
        Refusal{"seed_zero", {"--system", "dna", "--seed", "0"}, "--seed = 0: must be from 1 to "},
        Refusal{"seed_of_chain", {"--system", "chain", "--seed", "2"}, "--seed = 2: has no meaning for"},
        Refusal{"ends_unknown", {"--system", "dna", "--ends", "open"}, "--ends = open: must be periodic or free"},
        Refusal{"ends_elsewhere", kepler + Words{"--ends", "free"}, "--ends = free: has no meaning for"},
        Refusal{"v_length_of_chain",
                {"--system", "chain", "--n", "2", "--v", "0,0"},
                "--v = 0,0: must have as many numbers as --q, which has 4"},
        Refusal{"q_of_half_a_pendulum", {"--system", "chain", "--q", "1,2,3"}, "--q = 1,2,3: chain needs 2, 4, 6"},
        Refusal{"mass_matrix_of_dna",
                {"--system", "dna", "--n", "2", "--mass", "1,0,0,1"},
                "--mass = 4 numbers: for 2 degrees of freedom in a chain give 1 number (scalar) or 2 (diagonal)"},
        Refusal{"mass_nan_of_dna", {"--system", "dna", "--mass", "nan"}, "--mass: mass[0] = nan: a mass must be"},
        Refusal{"mass_zero", {"--mass", "0"}, "--mass, number 1 = 0: a mass must be finite and > 0"},
        Refusal{"mass_negative", kepler + Words{"--mass", "1,-2"},
                "--mass, number 2 = -2: a mass must be finite and > "},
        Refusal{"mass_nan", {"--mass", "nan"}, "--mass, number 1 = nan: a mass must be finite and > 0"},
        Refusal{"mass_inf", {"--mass", "inf"}, "--mass, number 1 = inf: a mass must be finite and > 0"},
        Refusal{"mass_matrix_nan", kepler + Words{"--mass", "1,0,0,nan"}, "--mass, number 4 = nan: must be finite"},
        Refusal{"mass_not_symmetric", kepler + Words{"--mass", "1,0.5,0.25,1"},
                "--mass: mass(1,0) - mass(0,1) = -0.25: a mass matrix must be symmetric"},
        Refusal{"mass_indefinite", kepler + Words{"--mass", "1,2,2,1"},
                "--mass: pivot 1 of the mass = -3: a mass matrix must be symmetric positive definite"},
        Refusal{"mass_count",
                {"--mass", "1,2,3"},
                "--mass = 3 numbers: for 4 degrees of freedom give 1 number (scalar), 4 (diagonal) or 16 (the full"},
        Refusal{"mass_no_number", {"--mass", "1,,2"}, "--mass, number 2 = '': must be a number"},
        Refusal{"q_length", kepler + Words{"--q", "1,2,3"}, "--q = 1,2,3: kepler needs 2 numbers"},
        Refusal{"q_of_half_a_particle",
                {"--system", "particles", "--q", "0,1,2,3,4"},
                "--q = 0,1,2,3,4: particles needs 4"},
        Refusal{"q_nan", kepler + Words{"--q", "nan,1"}, "--q = nan,1: must be finite"},
        Refusal{"v_length",
                {"--system", "oscillator", "--q", "1,2", "--v", "1"},
                "--v = 1: must have as many numbers as --q, which has 2"},
        Refusal{"v_inf", kepler + Words{"--v", "0,inf"}, "--v = 0,inf: must be finite"},
        Refusal{"q_off_the_constraint", rods + Words{"--q", "0,-1,1,-2.5"}, "initial position: constraint g[1] = 1.25"},
        Refusal{"v_not_tangent", rods + Words{"--v", "0,1,0,0"}, "initial velocity: constraint rate (Dg v)[0] = -2"},
        Refusal{"energy_infinite", kepler + Words{"--q", "0,0"}, "energy of --q and --v = -inf: must be finite"},
        Refusal{"rattle_without_constraints", henon + Words{"--method", "rattle"},
                "--method = rattle: needs constraints: --system double-pendulum --form constrained"},
        Refusal{"verlet_with_constraints", rods + Words{"--method", "velocity-verlet"},
                "--method = velocity-verlet: knows no constraints"},
        Refusal{"newton_tolerance_zero",
                {"--method", "newmark", "--newton-tolerance", "0"},
                "--newton-tolerance = 0: must be finite and > 0"},
        Refusal{"newton_iterations_zero",
                {"--method", "newmark", "--newton-iterations", "0"},
                "--newton-iterations = 0: must be from 1 to 1000000"},
        Refusal{"newton_elsewhere", {"--newton-iterations", "5"}, "--newton-iterations = 5: has no meaning for zhang-"},
        Refusal{
            "interval_negative", {"--checkpoint-interval", "-1"}, "--checkpoint-interval = -1: must be a number of"},
        Refusal{"out_empty", {"--out", ""}, "--out = '': must name a file"},
        Refusal{"out_is_a_folder", {"--out", ".."}, "--out = ..: must name a regular file"},
        Refusal{"out_is_a_pipe", {"--out", "../pipe"}, "--out = ../pipe: must name a regular file"},
        Refusal{"out_in_no_folder",
                {"--out", "absent/out.csv"},
                "--out = absent/out.csv: must be in a folder that is there"},
        Refusal{"checkpoint_in_no_folder",
                {"--out", "o", "--checkpoint", "absent/c"},
                "--checkpoint = absent/c: must be in a folder that is there"},
        Refusal{"no_value",
                {"--out", "o", "--h"},
                "--h: needs a value: step (default: see --list); of adaptive steps the fictitious one"},
        Refusal{"option_for_a_value",
                {"--h", "--T", "1"},
                "--h = --T: needs a value, and this is an option: step (default"},
        Refusal{"two_values", {"--h", "0.1", "--h", "0.2"}, "--h: must be given once"},
        Refusal{"every_beyond_counting",
                {"--every", "9223372036854775808"},
                "--every = 9223372036854775808: must be from 1 to 9223372036854775807"},
        Refusal{
            "tolerance_that_takes_every_guess",
            {"--method", "newmark", "--newton-tolerance", "1"},
            "--newton-tolerance = 1: must be > 0 and at most 0.01, a part of 1 plus the largest coordinate; from 1 on "
            "every guess would be taken"},
        Refusal{
            "checkpoint_is_a_folder", {"--out", "o", "--checkpoint", ".."}, "--checkpoint = ..: must name a regular"},
        Refusal{"checkpoint_cannot_be",
                {"--out", "o", "--checkpoint", "../file/c"},
                "--checkpoint = ../file/c: must be in a fold"},
        Refusal{
            "one_file_for_both", {"--out", "o", "--checkpoint", "./o"}, "--out = o: must not be the file of --check"},
        Refusal{"resume_absent",
                {"--resume", "absent"},
                "--resume = absent: must be a checkpoint that can be read: No such file or directory"},
        Refusal{"resume_a_folder", {"--resume", ".."}, "--resume = ..: must be a file, and is a folder"}),
    [](const auto& instance) { return instance.param.name; });

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

// ---------------------------------------------------------------------------------------------------------------------
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

// ---------------------------------------------------------------------------------------------------------------------
// The pieces of the library.

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

}  // namespace
