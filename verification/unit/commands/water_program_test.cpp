// SPDX-License-Identifier: MIT
//
// livi-water, run as a user runs it: what it refuses, what it writes, and that neither threads nor an interruption
// change a byte of it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <livi/report/water_starts.hpp>
#include <livi/systems/water_cluster.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace water_program_test {

namespace fs = std::filesystem;
using livi::WaterFrame;
using livi::test::text_of;

class Water : public livi::test::InFolder {
 protected:
  void SetUp() override { fs::create_directory(folder / "work"); }

  /// Exit status of the program with these arguments in the folder work; its error stream is in `error`.
  int run(const std::string& arguments) {
    const std::string command = "cd '" + (folder / "work").string() +
                                "' && '" LIVI_BINARY_FOLDER "/tools/livi-water' " + arguments + " > ../out 2> ../error";
    const int status = std::system(command.c_str());
    error = text_of(folder / "error");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] std::string text(const std::string& file) const { return text_of(folder / "work" / file); }
  void write(const std::string& file, const std::string& content) const {
    std::ofstream(folder / "work" / file, std::ios::binary) << content;
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder / "work")) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  /// A column of the rows, by its name.
  [[nodiscard]] std::vector<double> column(const std::string& file, const std::string& name) const {
    std::istringstream lines(text(file));
    std::string line, entry;
    std::getline(lines, line);
    std::istringstream names(line);
    std::size_t which = 0;
    while (std::getline(names, entry, ',') && entry != name) ++which;
    EXPECT_EQ(entry, name);
    std::vector<double> numbers;
    while (std::getline(lines, line)) {
      std::istringstream entries(line);
      for (std::size_t k = 0; k <= which; ++k) std::getline(entries, entry, ',');
      numbers.push_back(std::strtod(entry.c_str(), nullptr));
    }
    return numbers;
  }

  std::string error;
};

TEST_F(Water, refuses_bad_input_and_leaves_nothing) {
  const std::pair<const char*, const char*> cases[]{
      {"--out o --step-size 0", "--step-size = 0: must be finite and > 0"},
      {"--out o --step-size nan", "--step-size = nan: must be finite and > 0"},
      {"--out o --step-size 0.05x", "--step-size = '0.05x': must be a number"},
      {"--out o --steps -1", "--steps = -1: must be from 0 to 9007199254740992\n"},
      {"--out o --steps 1.5", "--steps = '1.5': must be a whole number"},
      {"--out o --equilibration -1", "--equilibration = -1: must be from 0 to 9007199254740992\n"},
      {"--out o --every 0", "--every = 0: must be from 1 to 9007199254740992\n"},
      {"--out o --seeds 0", "--seeds = 0: must be from 1 to "},
      {"--out o --threads 0", "--threads = 0: must be from 1 to "},
      {"--out o --friction -1", "--friction = -1: must be finite and >= 0"},
      {"--out o --omega 0", "--omega = 0: must be finite and > 0"},
      {"--out o --omega 20 --method shake", "--omega = 20: has no meaning for shake, whose molecules are rigid"},
      {"--out o --beta 0.3 --method velocity-verlet", "--beta = 0.3: has no meaning for velocity-verlet"},
      {"--out o --beta -1", "--beta = -1: must be finite and >= 0"},
      {"--out o --temperature 0", "--temperature = 0: must be finite and > 0"},
      {"--out o --temperature 1e-320", "--temperature = 1e-320: must have an inverse that is a number > 0"},
      {"--out o --temperature 10 --inverse-temperature 50", "--temperature = 10: must not be given beside"},
      {"--out o --inverse-temperature inf", "--inverse-temperature = inf: must be finite and > 0"},
      {"--out o --method verlet", "--method = verlet: must be one of stiff-zhang-skeel, "},
      {"--out o --seeds 100000 --steps 9007199254740992",
       "--steps = 9007199254740992: must be at most 92233720368547 "},
      {"--out o --friction 0 --equilibration 5", "--equilibration = 5: has no meaning without friction"},
      {"--out o --start ../moving.xyz --friction 0 --seeds 2",
       "--seeds = 2: must be 1, for without friction and with the velocities of ../moving.xyz all runs are the same"},
      {"--out o --start ../moving.xyz --friction 0 --temperature 10",
       "--temperature = 10: has no meaning without friction, with the velocities of ../moving.xyz"},
      {"--out o --start ../moving.xyz --friction 0 --inverse-temperature 10",
       "--inverse-temperature = 10: has no meaning without friction, with the velocities of ../moving.xyz"},
      {"--out o --start '../two\nlines.xyz'", "--start = ../two"},
      {"--out o --start octamer", "--start = octamer: must be one of dimer, "},
      {"--out o --start missing.xyz", "missing.xyz: cannot be read: No such file or directory"},
      {"--out o --start ../bad.xyz", "../bad.xyz:4: element = 'C': must be O or H"},
      {"--out o --start ../bent.xyz", "--start = ../bent.xyz: atom 2 is 0.29"},
      {"--out o --start ../same.xyz", "energy of --start = "},
      {"--out ''", "--out = '': must name files"},
      {"--out ../folder", "--out = ../folder.1.xyz: must name a regular file"},
      {"--out nowhere/o", "nowhere/o.1.xyz.partial: cannot be written: No such file"},
      {"", "--out is required"},
      {"--out o --frobnicate 1", "The following arguments were not expected: "}};
  std::ofstream(folder / "bad.xyz") << "3\n\nO 0 0 0\nC 1 0 0\nH 0 1 0\n";
  std::ofstream(folder / "bent.xyz") << "3\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.5 0\n";
  const std::string molecule = "O 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n";
  std::ofstream(folder / "same.xyz") << "6\n\n" << molecule << molecule;
  std::ofstream(folder / "two\nlines.xyz") << "3\n\n" << molecule;
  std::ofstream(folder / "moving.xyz")
      << "3\nProperties=species:S:1:pos:R:3:velo:R:3\nO 0 0 0 1 0 0\nH 0.96 0 0 1 0 0\nH -0.24 0.93 0 1 0 0\n";
  fs::create_directory(folder / "folder.1.xyz");
  for (const auto& [arguments, message] : cases) {
    EXPECT_EQ(run(arguments), 2) << arguments << error;
    EXPECT_EQ(error.substr(0, error.find('\n') + 1).find(message), std::string("livi-water: ").size())
        << arguments << error;
    EXPECT_EQ(files(), std::vector<std::string>{}) << arguments;
    EXPECT_EQ(text_of(folder / "out"), "");
  }
}

TEST_F(Water, writes_frames_and_observables) {
  ASSERT_EQ(run("--out o --steps 100 --every 10 --method rattle --friction 0 --temperature 30"), 0) << error;
  EXPECT_EQ(files(), (std::vector<std::string>{"o.1.checkpoint", "o.1.csv", "o.1.xyz", "o.json"}));
  const auto frames = livi::parse_xyz(text("o.1.xyz"), "o.1.xyz");
  ASSERT_EQ(frames.size(), 11U);
  EXPECT_EQ(frames[10].v.size(), 63);
  EXPECT_EQ(frames[10].remark("time"), "5");
  // Symplectic, without a bath: the energy of about 1 kcal/mol above the minimum comes and goes within h^2 of it.
  const auto energy = column("o.1.csv", "energy");
  ASSERT_EQ(energy.size(), 11U);
  for (const double e : energy) EXPECT_NEAR(e, energy[0], 0.05);
  EXPECT_NE(energy[3], energy[0]);
  for (const char* name : {"momentum_x", "angular_momentum_z"})
    for (const double p : column("o.1.csv", name)) EXPECT_NEAR(p, column("o.1.csv", name)[0], 1e-10) << name;
  for (const double g : column("o.1.csv", "max_constraint")) EXPECT_LE(g, 1e-12);
  // Drawn at 30 K: 42 directions, so that the first temperature has a standard error of 30 sqrt(2/42) = 6.5 K.
  EXPECT_NEAR(column("o.1.csv", "temperature")[0], 30, 5 * 6.5);
  // The end is a start.
  ASSERT_EQ(run("--out p --start o.1.xyz --steps 0 --method rattle"), 0) << error;
  const WaterFrame again = livi::parse_xyz(text("p.1.xyz"), "p.1.xyz")[0];
  EXPECT_LE((again.q - frames[10].q).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((again.v - frames[10].v).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(Water, all_methods_run) {
  for (const char* method :
       {"stiff-zhang-skeel", "zhang-skeel", "simplified-zhang-skeel", "variational-stiff-zhang-skeel", "newmark",
        "pushforward-newmark", "implicit-midpoint", "yoshida-4-zhang-skeel", "velocity-verlet", "shake", "rattle"}) {
    EXPECT_EQ(run(std::string("--out o --steps 40 --every 40 --step-size 0.02 --method ") + method), 0)
        << method << error;
    EXPECT_EQ(column("o.1.csv", "energy").size(), 2U);
  }
}

/// At 1/50 kcal/mol the rigid heptamer is a harmonic body with 36 vibrations: in the mean kT/2 = 0.01 each above the
/// minimum, 18 kT = 0.36; the mean of 8 seeds has a standard error of 0.36 sqrt(2/36/8) = 0.03, anharmonic terms are of
/// the order of kT over the depth of a hydrogen bond, 1 in 100. Kinetic energy: 42 directions, 10.06 K, standard error
/// 10.06 sqrt(2/42/8) = 0.78.
TEST_F(Water, equilibration_warms_the_potential) {
  const double minimum = std::strtod(livi::water_start("heptamer").remark("energy").c_str(), nullptr);
  for (const char* steps : {"0", "6000"}) {
    ASSERT_EQ(run(std::string("--out o --seeds 8 --method rattle --steps 0 --equilibration ") + steps), 0) << error;
    double potential = 0, temperature = 0;
    for (int seed = 1; seed <= 8; ++seed) {
      const std::string file = "o." + std::to_string(seed) + ".csv";
      potential += column(file, "potential_energy").at(0) / 8 - minimum / 8;
      temperature += column(file, "temperature").at(0) / 8;
    }
    EXPECT_NEAR(temperature, 10.06, 4 * 0.78);
    EXPECT_NEAR(potential, steps[0] == '0' ? 0 : 0.36, steps[0] == '0' ? 1e-10 : 4 * 0.03);
  }
}

/// From one start that has velocities, without equilibration: what differs between seeds is the bath alone.
TEST_F(Water, seeds_have_noise_of_their_own) {
  ASSERT_EQ(run("--out start --steps 5 --every 5"), 0) << error;
  for (const std::string method : {"stiff-zhang-skeel", "rattle"}) {
    ASSERT_EQ(
        run("--out o --start start.1.xyz --seeds 3 --seed 7 --steps 10 --every 10 --friction 1 --method " + method), 0)
        << error;
    const auto energy = [&](int seed) { return column("o." + std::to_string(seed) + ".csv", "energy"); };
    for (const int seed : {7, 8, 9}) {
      ASSERT_EQ(energy(seed).size(), 2U);
      EXPECT_EQ(energy(seed)[0], energy(7)[0]) << seed;
    }
    EXPECT_NE(energy(7)[1], energy(8)[1]);
    EXPECT_NE(energy(8)[1], energy(9)[1]);
    EXPECT_NE(energy(7)[1], energy(9)[1]);
  }
}

/// The numbers of a row, from the frame with the same step and in other words: molecule by molecule, the springs of the
/// penalty by the lengths of the sides.
TEST_F(Water, rows_are_those_of_their_frames) {
  constexpr double boltzmann = 8.31446261815324 / 4184, omega = 15;  // kcal/(mol K)
  ASSERT_EQ(run("--out o --steps 30 --every 10 --friction 0.5 --temperature 40 --omega 15"), 0) << error;
  const auto frames = livi::parse_xyz(text("o.1.xyz"), "o.1.xyz");
  ASSERT_EQ(frames.size(), 4U);
  const livi::WaterModel<double> model = livi::tip3p<double>();
  for (std::size_t row = 0; row < frames.size(); ++row) {
    const auto &q = frames[row].q, &v = frames[row].v;
    double of_oxygen = 0, of_hydrogen = 0, penalty = 0, constraint = 0, momentum[3] = {}, angular[3] = {};
    for (Eigen::Index atom = 0; atom < q.size() / 3; ++atom) {
      const bool oxygen = atom % 3 == 0;
      const double m = oxygen ? model.oxygen_mass : model.hydrogen_mass;
      const double x[3] = {q(3 * atom), q(3 * atom + 1), q(3 * atom + 2)},
                   u[3] = {v(3 * atom), v(3 * atom + 1), v(3 * atom + 2)};
      for (int k = 0; k < 3; ++k) {
        (oxygen ? of_oxygen : of_hydrogen) += m * u[k] * u[k] / 2;
        momentum[k] += m * u[k];
        angular[k] += m * (x[(k + 1) % 3] * u[(k + 2) % 3] - x[(k + 2) % 3] * u[(k + 1) % 3]);
      }
    }
    for (Eigen::Index molecule = 0; molecule < q.size() / 9; ++molecule)
      for (const auto& [one, other, squared] :
           {std::tuple{0, 1, model.squared_oh}, {0, 2, model.squared_oh}, {1, 2, model.squared_hh}}) {
        double length = -squared;
        for (int k = 0; k < 3; ++k)
          length += std::pow(q(9 * molecule + 3 * one + k) - q(9 * molecule + 3 * other + k), 2);
        penalty += omega * omega / 2 * length * length;
        constraint = std::max(constraint, std::abs(length));
      }
    const double potential = livi::WaterPotential<double>(model).value(q), kinetic = of_oxygen + of_hydrogen,
                 molecules = static_cast<double>(q.size()) / 9;
    // Sums in another order, of numbers up to 60 kcal/mol.
    const auto near = [&](const std::string& name, double expected) {
      EXPECT_NEAR(column("o.1.csv", name).at(row), expected, 1e-11 * std::max(1.0, std::abs(expected)))
          << name << " " << row;
    };
    near("time", 0.5 * static_cast<double>(row));
    near("energy", kinetic + potential + penalty);
    near("kinetic_energy", kinetic);
    near("potential_energy", potential);
    near("penalty_energy", penalty);
    near("temperature", 2 * kinetic / (9 * molecules * boltzmann));
    near("temperature_oxygen", 2 * of_oxygen / (3 * molecules * boltzmann));
    near("temperature_hydrogen", 2 * of_hydrogen / (6 * molecules * boltzmann));
    for (int k = 0; k < 3; ++k) {
      const std::string axis(1, static_cast<char>('x' + k));
      near("momentum_" + axis, momentum[k]);
      near("angular_momentum_" + axis, angular[k]);
    }
    near("max_constraint", constraint);
    if (row == 0) continue;
    // What is recomputed is there: no number that would pass as zero.
    EXPECT_GT(penalty, 1e-3);
    EXPECT_GT(std::abs(angular[0]) + std::abs(angular[1]) + std::abs(angular[2]), 1e-2);
  }
}

/// Means over time after the start, and over the seeds, recomputed from the rows.
TEST_F(Water, means_are_those_of_the_rows) {
  ASSERT_EQ(run("--out o --seeds 3 --steps 50 --every 10 --temperature 40 --friction 0.5"), 0) << error;
  const auto report = nlohmann::json::parse(text("o.json"));
  ASSERT_EQ(report["runs"].size(), 3U);
  const char* const names[] = {"energy",      "kinetic_energy",     "potential_energy",    "penalty_energy",
                               "temperature", "temperature_oxygen", "temperature_hydrogen"};
  for (const std::string name : names) {
    std::vector<double> means;
    for (const auto& one : report["runs"]) {
      EXPECT_EQ(one["outcome"], "complete");
      const auto rows = column("o." + std::to_string(one["seed"].get<int>()) + ".csv", name);
      ASSERT_EQ(rows.size(), 6U);
      double mean = 0;
      for (std::size_t k = 1; k < rows.size(); ++k) mean += rows[k] / 5;
      // Sums in another order.
      EXPECT_NEAR(one["mean"][name].get<double>(), mean, 1e-12 * std::max(1.0, std::abs(mean))) << name;
      means.push_back(mean);
    }
    double mean = 0, squares = 0;
    for (const double x : means) mean += x / 3;
    for (const double x : means) squares += (x - mean) * (x - mean);
    const double error_of_mean = std::sqrt(squares / 6);  // 3 seeds, 2 degrees of freedom
    const auto& over_seeds = report["over_seeds"][name];
    EXPECT_NEAR(over_seeds["mean"].get<double>(), mean, 1e-12 * std::max(1.0, std::abs(mean))) << name;
    EXPECT_NEAR(over_seeds["standard_error"].get<double>(), error_of_mean, 1e-9 * error_of_mean) << name;
  }
}

/// A run that failed has means of its own rows, but no part in those over the seeds.
TEST_F(Water, means_over_seeds_leave_failed_runs_out) {
  EXPECT_EQ(run("--out o --method velocity-verlet --step-size 1 --every 1 --seeds 2"), 1);
  const auto report = nlohmann::json::parse(text("o.json"));
  ASSERT_EQ(report["runs"].size(), 2U);
  for (const auto& one : report["runs"]) {
    EXPECT_NE(one["outcome"], "complete");
    // There is something to leave out.
    EXPECT_TRUE(one["mean"].contains("energy")) << one;
  }
  EXPECT_FALSE(report.contains("over_seeds")) << report["over_seeds"];
}

TEST_F(Water, threads_change_nothing) {
  ASSERT_EQ(run("--out one --seeds 3 --equilibration 5 --steps 60 --every 7 --threads 1"), 0) << error;
  ASSERT_EQ(run("--out two --seeds 3 --equilibration 5 --steps 60 --every 7 --threads 2"), 0) << error;
  EXPECT_EQ(text("one.json"), text("two.json"));
  for (const char* kind : {".1.xyz", ".2.xyz", ".3.xyz", ".3.csv", ".3.checkpoint"})
    EXPECT_EQ(text(std::string("one") + kind), text(std::string("two") + kind));
  EXPECT_NE(text("one.1.xyz"), text("one.2.xyz"));
}

TEST_F(Water, a_run_continued_is_the_run_that_was_not_interrupted) {
  for (const char* method : {"stiff-zhang-skeel", "shake"}) {
    const std::string whole = std::string("--out whole_") + method, parts = std::string("--out ") + method;
    const std::string what = std::string(" --seeds 2 --equilibration 5 --steps 60 --every 7 --method ") + method;
    ASSERT_EQ(run(whole + what), 0) << error;
    EXPECT_EQ(run(parts + " --threads 2 --stop-after 20" + what), 130) << error;
    EXPECT_FALSE(fs::exists(folder / "work" / (method + std::string(".json"))));
    EXPECT_FALSE(fs::exists(folder / "work" / (method + std::string(".1.csv"))));
    // Once more interrupted, at a step that is a row; the remainder of a frame behind the checkpoint is cut off.
    EXPECT_EQ(run(parts + " --resume --stop-after 42" + what), 130) << error;
    std::ofstream(folder / "work" / (method + std::string(".2.xyz.partial")), std::ios::app) << "21\nhalf a fra";
    ASSERT_EQ(run(parts + " --resume" + what), 0) << error;
    for (const char* kind : {".1.xyz", ".2.xyz", ".1.csv", ".2.csv", ".1.checkpoint", ".json"})
      EXPECT_EQ(text(std::string(method) + kind), text("whole_" + std::string(method) + kind)) << method << kind;
  }
}

TEST_F(Water, an_equilibration_continued_is_the_one_that_was_not_interrupted) {
  for (const std::string method : {"stiff-zhang-skeel", "shake"}) {
    const std::string what = " --seeds 2 --equilibration 40 --steps 20 --every 7 --method " + method;
    ASSERT_EQ(run("--out whole_" + method + what), 0) << error;
    // A checkpoint of another run is not taken for one of this.
    ASSERT_EQ(run("--out " + method + " --steps 3 --seeds 2"), 0) << error;
    EXPECT_EQ(run("--out " + method + " --stop-equilibration-after 13" + what), 130) << error;
    EXPECT_NE(error.find("seed 2: interrupted in the equilibration, at step 13 of 40"), std::string::npos) << error;
    EXPECT_EQ(run("--out " + method + " --resume --stop-equilibration-after 0" + what), 130) << error;
    EXPECT_NE(error.find("seed 1: interrupted in the equilibration, at step 13 of 40"), std::string::npos) << error;
    ASSERT_EQ(run("--out " + method + " --resume" + what), 0) << error;
    for (const char* kind : {".1.xyz", ".2.xyz", ".1.csv", ".2.csv", ".1.checkpoint", ".json"})
      EXPECT_EQ(text(method + kind), text("whole_" + method + kind)) << method << kind;
  }
}

/// Killed as soon as there is a checkpoint; each step of the equilibration writes one.
TEST_F(Water, an_equilibration_that_was_killed_continues) {
  const std::string what = " --start dimer --equilibration 30000 --steps 20";
  ASSERT_EQ(run("--out whole" + what), 0) << error;
  const std::string program = "'" LIVI_BINARY_FOLDER "/tools/livi-water' --out o --checkpoint-interval 0" + what,
                    script = "cd '" + (folder / "work").string() + "' && { " + program +
                             " & }; for k in $(seq 400); do test -e o.1.checkpoint && break; sleep 0.05; done;" +
                             " kill -9 $!; wait $!; true";
  ASSERT_EQ(std::system(script.c_str()), 0);
  ASSERT_NE(text("o.1.checkpoint").find("\nphase equilibration\n"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "work" / "o.1.csv"));
  ASSERT_EQ(run("--out o --resume" + what), 0) << error;
  for (const char* kind : {".1.xyz", ".1.csv", ".1.checkpoint", ".json"})
    EXPECT_EQ(text(std::string("o") + kind), text(std::string("whole") + kind)) << kind;
}

TEST_F(Water, resuming_needs_the_same_run) {
  ASSERT_EQ(run("--out o --steps 20"), 0) << error;
  const std::string before = text("o.1.csv");
  for (const auto& [option, message] :
       {std::pair{"--steps 10", "--steps = 10: must be at least 20"},
        std::pair{"--steps 40 --omega 30",
                  "--omega = 30: must be as in the checkpoint o.1.checkpoint, whose run has 20"},
        std::pair{"--steps 40 --method shake", "--method = shake: must be as in"}}) {
    EXPECT_EQ(run(std::string("--out o --resume ") + option), 2);
    EXPECT_NE(error.find(message), std::string::npos) << error;
    EXPECT_EQ(text("o.1.csv"), before);
  }
  // A run that is complete may be made longer.
  ASSERT_EQ(run("--out o --resume --steps 40"), 0) << error;
  ASSERT_EQ(run("--out p --steps 40"), 0) << error;
  EXPECT_EQ(text("o.1.csv"), text("p.1.csv"));
  write("o.1.csv", "damaged");
  EXPECT_EQ(run("--out o --resume --steps 60"), 2);
  EXPECT_NE(error.find("neither in o.1.csv.partial nor in this file"), std::string::npos) << error;
}

TEST_F(Water, says_where_the_numbers_fail) {
  // Far beyond the stability limit of the penalty.
  EXPECT_EQ(run("--out o --method velocity-verlet --step-size 0.5 --every 1000"), 1);
  EXPECT_EQ(error.find("livi-water: seed 1: stopped in step "), 0U) << error;
  EXPECT_EQ(files(), (std::vector<std::string>{"o.1.checkpoint", "o.1.csv", "o.1.xyz", "o.json"}));
}

/// Neither rows nor means nor a checkpoint of an earlier run with the same --out stay.
TEST_F(Water, a_failed_equilibration_has_no_rows) {
  ASSERT_EQ(run("--out o --steps 100"), 0) << error;
  ASSERT_NE(text("o.json").find("\"mean\""), std::string::npos);
  const std::string what = "--out o --step-size 2 --equilibration 1000 --method shake --steps 100";
  for (const std::string resume : {"", " --resume"}) {
    EXPECT_EQ(run(what + resume), 1);
    EXPECT_EQ(error.find("livi-water: seed 1: equilibration: "), 0U) << error;
    EXPECT_EQ(text("o.json").find("\"mean\""), std::string::npos);
    EXPECT_NE(text("o.json").find("\"outcome\": \"equilibration: "), std::string::npos);
    EXPECT_EQ(text("o.1.xyz"), "");
    EXPECT_TRUE(column("o.1.csv", "energy").empty());
  }
}

/// A restrained molecule so far beyond the limit of stability that its energy overflows before its coordinates do: the
/// row fails, not the step. Continued, the run ends there again, the same step being its last or not.
TEST_F(Water, a_failed_row_is_not_skipped) {
  const std::string what = "--out o --method velocity-verlet --step-size 1 --every 1";
  EXPECT_EQ(run(what), 1);
  const std::string failure = error, place = "at the row of step ";
  ASSERT_NE(failure.find(place), std::string::npos) << failure;
  const std::string rows = text("o.1.csv"), report = text("o.json");
  const long step = std::strtol(failure.c_str() + failure.find(place) + place.size(), nullptr, 10);
  EXPECT_EQ(column("o.1.csv", "energy").size(), static_cast<std::size_t>(step));
  EXPECT_EQ(run(what + " --resume"), 1);
  EXPECT_EQ(error, failure);
  EXPECT_EQ(text("o.1.csv"), rows);
  EXPECT_EQ(text("o.json"), report);
  EXPECT_EQ(run(what + " --resume --steps " + std::to_string(step)), 1);
  EXPECT_EQ(error, failure);
}

TEST_F(Water, a_start_may_have_a_name_of_any_bytes) {
  const std::string name = "\xff\xfe.xyz";
  write(name, "3\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n");
  ASSERT_EQ(run("--out o --steps 20 --start '" + name + "'"), 0) << error;
  EXPECT_NE(text("o.json").find("\"start\": \"\xef\xbf\xbd\xef\xbf\xbd.xyz\""), std::string::npos) << text("o.json");
}

}  // namespace water_program_test
