// SPDX-License-Identifier: MIT
//
// livi-simulate under noise, run as a user runs it: means with their errors, paths whose steps do not exist, the same
// path for all steps, and that neither an interruption nor the number of threads changes a byte.
#include <cmath>
#include <livi/catalogue/ensemble.hpp>
#include <livi/trajectory/checkpoint.hpp>

#include "simulate_program.hpp"

namespace simulate_ensemble_test {

using namespace livi::test;

const Words sphere{"--system", "sphere-pendulum"}, obabo{"--method", "constrained-obabo"},
    baoab{"--method", "geodesic-baoab"};

// ---------------------------------------------------------------------------------------------------------------------
// Every method on every system.

struct Pair {
  std::string system, method;
};
std::ostream& operator<<(std::ostream& stream, const Pair& pair) {
  return stream << pair.method << " on " << pair.system;
}
std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (const auto& system : livi::stochastic_systems())
    for (const auto& method : livi::stochastic_methods()) pairs.push_back({system.name, method.name});
  return pairs;
}

TEST_F(Simulate, every_stochastic_method_runs_on_every_system_with_any_number_of_threads) {
  int runs = 0;
  for (const Pair& pair : all_pairs()) {
    // Three parts of the paths.
    const Words common{"--system", pair.system, "--method", pair.method, "--paths", "130", "--T", "0.2", "--h", "0.02"};
    const Result one = run(common + Words{"--threads", "1"}), two = run(common + Words{"--threads", "2"});
    ASSERT_EQ(one.status, 0) << pair << one;
    const Words lines = lines_of(one.out);
    ASSERT_EQ(lines.size(), 3U + 11U) << pair << one;
    EXPECT_SAYS(lines.back(), "           0.2           130 ");
    for (const char* bad : {"nan", "inf", " - "})
      EXPECT_EQ(one.out.find(bad, one.out.find("\n")), std::string::npos) << one;
    EXPECT_EQ(one.out, two.out) << pair;
    ++runs;
  }
  EXPECT_GE(runs, 5 * 11);
}

TEST_F(Simulate, an_interrupted_ensemble_with_other_threads_is_the_same_run) {
  for (const Pair& pair : all_pairs()) {
    // Files are slow: every method, and every system.
    if (pair.system != "sphere-pendulum" && pair.method != "commutator-rattle" && pair.method != "geodesic-baoab")
      continue;
    const Words common{"--system", pair.system, "--method", pair.method, "--paths", "130",      "--T",
                       "0.2",      "--h",       "0.02",     "--every",   "2",       "--single", "0,129"};
    const auto files_named = [](const std::string& name) {
      return Words{"--out", name + ".csv", "--single-out", name + "_paths.csv"};
    };
    const Result straight = run(common + Words{"--threads", "1"} + files_named("a"));
    ASSERT_EQ(straight.status, 0) << pair << straight;
    ASSERT_EQ(lines_of(text("a.csv")).size(), 1U + 6U);
    ASSERT_EQ(lines_of(text("a_paths.csv")).size(), 1U + 2U * 6U);
    // Between two rows.
    const Result first = run(common + Words{"--threads", "2", "--stop-after", "5"} + files_named("b"));
    ASSERT_EQ(first.status, 130) << pair << first;
    EXPECT_SAYS(first.error, "interrupted at step 5 of 10, t = 0.1");
    ASSERT_EQ(run({"--resume", "b.csv.checkpoint", "--threads", "2"}).status, 0) << pair;
    EXPECT_EQ(text("b.csv"), text("a.csv")) << pair;
    EXPECT_EQ(text("b_paths.csv"), text("a_paths.csv")) << pair;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// What rows say.

TEST_F(Simulate, the_mean_energy_grows_as_itos_formula_says) {
  // With gamma_i = q_i/2 on the unit sphere sum_i K_ii/2 = (3/4 - 1/4)/2 = 1/4 everywhere.
  const auto growth = [&](const Words& method) {
    const Result result =
        run(sphere + method +
            Words{"--paths", "4000", "--T", "4", "--h", "0.05", "--every", "80", "--seed", "7", "--out", "a.csv"});
    EXPECT_EQ(result.status, 0) << result;
    const std::vector<double> row = row_of(text("a.csv"), 1);
    EXPECT_EQ(row.at(0), 4);
    return std::pair{row.at(15), row.at(16)};
  };
  const auto [mean, error] = growth({});
  EXPECT_LT(std::abs(mean - 1), 4 * error);
  EXPECT_LT(error, 0.02) << "the variance of E is about that of a chi-squared number of its mean: (2/4000)^(1/2)";
  // Controls: the rate is that of another noise, and of a method that projects too much.
  const auto [weaker, of_weaker] = growth({"--noise", "0.4*q1,0.4*q2,0.4*q3"});
  EXPECT_GT(std::abs(weaker - 1), 4 * of_weaker);
  const auto [projected, of_projected] = growth({"--method", "projected-euler-maruyama"});
  EXPECT_GT(std::abs(projected - 1), 4 * of_projected);
}

TEST_F(Simulate, a_heat_bath_has_the_mean_height_of_its_temperature) {
  // On the unit sphere with V = z the heights have the density exp(-z/T), of the mean T - coth(1/T); friction and start are
  // forgotten after ten units of time but for exp(-10) or so. Kinetic and potential energy are on average T + that mean.
  const auto end = [&](const Words& method) {
    const Result result =
        run(sphere + method + Words{"--paths", "4000", "--T", "10", "--h", "0.1", "--every", "100", "--out", "a.csv"});
    EXPECT_EQ(result.status, 0) << result;
    return row_of(text("a.csv"), 1);
  };
  const double temperature = 0.4, mean = temperature - 1 / std::tanh(1 / temperature), of_start = 0.625 - 0.8;
  const Words warm{"--temperature", "0.4"};
  for (const Words& method : {obabo, baoab, baoab + Words{"--geodesic-steps", "2"}, obabo + Words{"--friction", "3"}}) {
    const std::vector<double> row = end(method + warm);
    // Errors of the step are h^2/4 at most (BO07.langevin.order).
    EXPECT_LT(std::abs(row.at(7) - mean), 4 * row.at(8) + 0.0025);
    EXPECT_LT(std::abs(row.at(15) - (temperature + mean - of_start)), 4 * row.at(16) + 0.0025);
    // That of the kinetic temperature is smaller than that (BO07.langevin.kinetic).
    EXPECT_LT(std::abs(row.at(17) - temperature), 4 * row.at(18) + 0.0025);
    EXPECT_LT(row.at(18), 0.4 * 1.2 / std::sqrt(4000.0)) << "|v|^2/2 is exponentially distributed, of deviation T";
    EXPECT_LT(row.at(8), 0.01) << "the variance of z is less than a third: (1/3/4000)^(1/2)";
  }
  // Controls: another temperature, and a bath too weak to be felt.
  EXPECT_GT(std::abs(end(obabo + Words{"--temperature", "0.5"}).at(7) - mean), 0.05);
  EXPECT_GT(std::abs(end(baoab + warm + Words{"--friction", "0.001"}).at(7) - mean), 0.05);
}

TEST_F(Simulate, a_heat_bath_without_friction_is_no_bath) {
  ASSERT_EQ(
      run(sphere + obabo + Words{"--friction", "0", "--paths", "3", "--T", "1", "--out", "a.csv", "--single-out", "s"})
          .status,
      0);
  ASSERT_EQ(run(sphere + Words{"--noise", "0*q1", "--paths", "1", "--T", "1", "--out", "b.csv"}).status, 0);
  const std::vector<double> quiet = row_of(text("a.csv"), 20), rattle = row_of(text("b.csv"), 20);
  for (std::size_t i = 4; i < 17; i += 2) {
    EXPECT_EQ(quiet.at(i), 0) << "all paths are one";
    EXPECT_EQ(quiet.at(i - 1), rattle.at(i - 1)) << "that of RATTLE";
  }
}

TEST_F(Simulate, a_path_in_a_heat_bath_ends_without_increments) {
  const Words hot = sphere + baoab + Words{"--temperature", "4", "--h", "1", "--paths", "40", "--T", "6"};
  const Result result = run(hot + Words{"--out", "a.csv", "--ended-out", "e.csv"});
  EXPECT_EQ(result.status, 1) << result;
  const Words ended = lines_of(text("e.csv"));
  ASSERT_GE(ended.size(), 1U + 5U);
  for (std::size_t k = 1; k < ended.size(); ++k)
    EXPECT_SAYS(ended[k], ",,the equation that determines the step has no solution");
  EXPECT_SAYS(result.error, "the equation that determines the step has no solution; h |p| = ");
  EXPECT_EQ(result.error.find("increment"), std::string::npos) << result.error;
  ASSERT_EQ(run(hot + Words{"--out", "b.csv", "--ended-out", "f.csv", "--stop-after", "3"}).status, 130);
  EXPECT_EQ(run({"--resume", "b.csv.checkpoint"}).status, 1);
  EXPECT_EQ(text("f.csv"), text("e.csv"));
  EXPECT_EQ(text("b.csv"), text("a.csv"));
}

TEST_F(Simulate, a_run_in_a_heat_bath_names_what_it_is_and_is_continued_as_that) {
  const Result table = run(sphere + baoab + Words{"--T", "0"});
  EXPECT_SAYS(table.out,
              "method geodesic-baoab, q 0.6,0,-0.8, v 0.4,1,0.3, friction 1, temperature 1, geodesic-steps 1,");
  EXPECT_SAYS(table.out, "GeodesicBaoab: weak order 2 (Leimkuhler and Matthews 2016)");
  EXPECT_EQ(table.out.find("noise"), std::string::npos) << table;
  ASSERT_EQ(run(sphere + obabo + Words{"--paths", "5", "--T", "1", "--out", "a.csv", "--checkpoint", "c"}).status, 0);
  const Result other = run({"--resume", "c", "--temperature", "2"});
  EXPECT_EQ(other.status, 2) << other;
  EXPECT_SAYS(other.error, "--temperature = 2: must be as in the checkpoint c, whose run has 1");
  ASSERT_EQ(run({"--resume", "c", "--T", "2.5"}).status, 0);
  ASSERT_EQ(run(sphere + obabo + Words{"--paths", "5", "--T", "2.5", "--out", "b.csv"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("b.csv"));
}

TEST_F(Simulate, names_what_its_columns_are) {
  ASSERT_EQ(run(sphere + Words{"--paths", "1", "--T", "0.1", "--out", "a.csv", "--single-out", "b.csv"}).status, 0);
  const Words rows = lines_of(text("a.csv"));
  EXPECT_EQ(
      rows[0],
      "time,paths,ended,q1,error_of_q1,q2,error_of_q2,q3,error_of_q3,v1,error_of_v1,v2,error_of_v2,v3,error_of_v3,"
      "energy_growth,error_of_energy_growth,constraint_defect,velocity_defect");
  EXPECT_EQ(rows[1], "0,1,0,0.6,,0,,-0.8,,0.4,,1,,0.3,,0,,0,0") << "one path has no errors";
  const Words single = lines_of(text("b.csv"));
  EXPECT_EQ(single[0], "time,path,q1,q2,q3,v1,v2,v3,energy,energy_error");
  const std::vector<double> means = row_of(text("a.csv"), 2), path = row_of(text("b.csv"), 2);
  EXPECT_EQ(path.at(2), means.at(3));
  ASSERT_EQ(run(sphere + obabo + Words{"--paths", "1", "--T", "0.1", "--out", "c.csv"}).status, 0);
  EXPECT_SAYS(
      lines_of(text("c.csv"))[0],
      ",energy_growth,error_of_energy_growth,kinetic_temperature,error_of_kinetic_temperature,constraint_defect,");
  // The start has |v|^2 = 0.16 + 1 + 0.09.
  EXPECT_DOUBLE_EQ(row_of(text("c.csv"), 0).at(17), 0.625);
  EXPECT_EQ(path.at(9), means.at(15));
}

TEST_F(Simulate, a_path_is_the_same_whatever_the_step) {
  const auto end = [&](const Words& words) {
    EXPECT_EQ(run(sphere + Words{"--paths", "1", "--T", "1.6", "--out", "a.csv"} + words).status, 0);
    const std::string all = text("a.csv");
    return row_of(all, lines_of(all).size() - 2);
  };
  const auto distance = [&](const Words& a, const Words& b) {
    const auto x = end(a), y = end(b);
    double most = 0;
    for (std::size_t i = 3; i < 15; i += 2) most = std::max(most, std::abs(x.at(i) - y.at(i)));
    return most;
  };
  const Words coarse{"--h", "0.1"}, fine{"--h", "0.025"};
  // Strong order one: 0.1 times a number of the size of one at most; another path differs by that size.
  EXPECT_LT(distance(coarse, fine), 0.1);
  EXPECT_LT(distance(coarse + Words{"--span", "0.4"}, fine + Words{"--span", "0.4"}), 0.1);
  EXPECT_GT(distance(coarse, fine + Words{"--seed", "2"}), 0.2);
  EXPECT_GT(distance(coarse, fine + Words{"--span", "0.4"}), 0.2);
}

TEST_F(Simulate, noise_may_be_written_in_several_ways) {
  const auto rows = [&](const char* noise) {
    EXPECT_EQ(run(sphere + Words{"--paths", "2", "--T", "0.5", "--out", "a.csv", "--noise", noise}).status, 0) << noise;
    return text("a.csv");
  };
  EXPECT_EQ(rows("0.5*q1,0.3*q2^2-q1*q3"), rows(" q1 * 0.5 , -q3*q1 + 0.15*2*q2*q2"));
  EXPECT_NE(rows("0.5*q1,0.3*q2^2-q1*q3"), rows("0.5*q1,0.3*q2^2+q1*q3"));
  EXPECT_NE(rows("0.5*q1"), rows("0.5*q1*q1"));
  // The terms of the table's first line are those that a checkpoint remembers.
  const Result table = run(sphere + Words{"--T", "0", "--noise", "-q1 + 1e-3*q3*q2"});
  EXPECT_SAYS(table.out, "noise -1*q1+0.001*q3*q2,");
}

TEST_F(Simulate, without_noise_every_path_is_the_orbit_of_rattle) {
  const Result result = run(sphere + Words{"--noise", "0*q1", "--paths", "3", "--T", "1", "--out", "a.csv"});
  ASSERT_EQ(result.status, 0);
  EXPECT_EQ(result.error, "livi-simulate: noise 1 of --noise is zero: it drives nothing\n");
  const Result one_of_three = run(sphere + Words{"--noise", "0.1*q1^2,q1,q1*q2-q2*q1", "--paths", "3", "--T", "0"});
  EXPECT_EQ(one_of_three.error, "livi-simulate: noise 3 of --noise is zero: it drives nothing\n");
  const std::vector<double> end = row_of(text("a.csv"), 20);
  for (std::size_t i = 4; i < 17; i += 2) EXPECT_EQ(end.at(i), 0) << "all paths are one";
  EXPECT_LT(std::abs(end.at(15)), 0.01) << "h^2 times a number of the size of one";
  EXPECT_NE(end.at(3), 0.6);
}

TEST_F(Simulate, a_table_of_an_ensemble_has_eleven_rows) {
  const Result result = run(sphere + Words{"--paths", "20", "--T", "5", "--threads", "2"});
  ASSERT_EQ(result.status, 0) << result;
  const Words lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 3U + 11U) << result.out;
  EXPECT_SAYS(lines[0], "system sphere-pendulum, method stochastic-rattle, q 0.6,0,-0.8,");
  EXPECT_SAYS(lines[0], "span 1.6, every 1, seed 1, paths 20");
  EXPECT_SAYS(lines[1], "StochasticRattle: strong order 1, 2 for constant K_ij, symplectic (Bou-Rabee and Owhadi");
  EXPECT_SAYS(lines[2], "energy growth     its error    mean of q1");
  for (std::size_t k = 0; k <= 10; ++k)
    EXPECT_EQ(std::strtod(lines[3 + k].c_str(), nullptr), 0.5 * static_cast<double>(k));
  EXPECT_EQ(lines_of(run(sphere + Words{"--T", "0"}).out).size(), 3U + 1U);
  EXPECT_EQ(lines_of(run(sphere + Words{"--T", "0.15"}).out).size(), 3U + 4U) << "no more rows than steps";
}

TEST_F(Simulate, lists_what_runs_under_noise_and_helps_with_it) {
  const Result listed = run({"--list"});
  EXPECT_SAYS(listed.out, "\nsystems under noise (--system), and where they start:\n  sphere-pendulum\n");
  EXPECT_SAYS(listed.out, "--noise=0.5*q1,0.5*q2,0.5*q3 --h=0.05");
  EXPECT_SAYS(listed.out, "  commutator-rattle                2    2    2    symplectic");
  EXPECT_SAYS(listed.out,
              "in a heat bath (--friction, --temperature, no --noise); weak order:\n  constrained-obabo   ");
  const Result helped = run({"--help"});
  EXPECT_SAYS(helped.out, "A step for which no multiplier exists ends its path");
  EXPECT_SAYS(helped.out, "--single-out");
}

// ---------------------------------------------------------------------------------------------------------------------
// Ends.

const Words too_large_a_step = sphere + Words{"--h", "0.8", "--paths", "40"};

TEST_F(Simulate, paths_whose_step_does_not_exist_end_alone_and_are_told) {
  std::string all = "0";
  for (int path = 1; path < 40; ++path) all += "," + std::to_string(path);
  const Result result = run(too_large_a_step + Words{"--T", "4", "--out", "a.csv", "--ended-out", "e.csv",
                                                     "--single-out", "s.csv", "--single", all});
  EXPECT_EQ(result.status, 1) << result;
  const Words said = lines_of(result.error), ended = lines_of(text("e.csv"));
  ASSERT_GE(ended.size(), 1U + 11U);
  EXPECT_EQ(ended[0], "path,step,time,h_times_momentum,largest_increment,reason");
  ASSERT_EQ(said.size(), 12U) << result.error;
  // At the start h |p| = 0.8 (5/4)^(1/2).
  EXPECT_EQ(said[0].find("livi-simulate: path 0 ended in step 1 after t = 0: the equation that determines the step has "
                         "no solution; h |p| = 0.8944271909"),
            0U)
      << said[0];
  EXPECT_EQ(said[10], "livi-simulate: more paths have ended, which are counted only (all: --ended-out)");
  EXPECT_EQ(said[11], "livi-simulate: " + std::to_string(ended.size() - 1) +
                          " of 40 paths have ended; from then on means are over the others, which are no fair sample");
  // Each row counts, and has the mean of those that go on.
  const std::string rows = text("a.csv"), single = text("s.csv");
  std::vector<long> ends;
  for (std::size_t k = 0; k + 1 < ended.size(); ++k) ends.push_back(static_cast<long>(row_of(text("e.csv"), k).at(1)));
  std::size_t next = 0;
  for (long step = 0; step <= 5; ++step) {
    const std::vector<double> row = row_of(rows, static_cast<std::size_t>(step));
    const auto over = std::ranges::count_if(ends, [&](long end) { return end <= step; });
    EXPECT_EQ(row.at(2), static_cast<double>(over));
    EXPECT_EQ(row.at(1), static_cast<double>(40 - over));
    double sum = 0;
    for (long path = 0; path < 40 - over; ++path) sum += row_of(single, next++).at(5);
    // Sums of 40 numbers that are smaller than 3.
    EXPECT_NEAR(row.at(9), sum / static_cast<double>(40 - over), 40 * 3 * 2.3e-16);
  }
  EXPECT_EQ(lines_of(single).size(), 1 + next);
  // Interrupted and continued, the run is the same.
  ASSERT_EQ(
      run(too_large_a_step + Words{"--T", "4", "--out", "b.csv", "--ended-out", "f.csv", "--stop-after", "2"}).status,
      130);
  EXPECT_EQ(run({"--resume", "b.csv.checkpoint"}).status, 1);
  EXPECT_EQ(text("b.csv"), rows);
  EXPECT_EQ(text("f.csv"), text("e.csv"));
}

TEST_F(Simulate, ends_when_all_paths_have_ended) {
  const Result result = run(sphere + Words{"--h", "4", "--paths", "3", "--T", "400", "--out", "a.csv"});
  EXPECT_EQ(result.status, 1) << result;
  EXPECT_SAYS(result.error, "livi-simulate: all paths have ended, the last before step ");
  EXPECT_EQ(lines_of(text("a.csv")).size(), 1U + 1U) << "no row is a mean of nothing";
}

TEST_F(Simulate, a_complete_ensemble_can_be_made_longer) {
  const auto common = [&](const char* end) { return sphere + Words{"--paths", "5", "--T", end}; };
  ASSERT_EQ(run(common("1") + Words{"--out", "a.csv", "--checkpoint", "c"}).status, 0);
  const Result back = run({"--resume", "c", "--T", "0.5"});
  EXPECT_EQ(back.status, 2) << back;
  EXPECT_SAYS(back.error, "--T = 0.5: must be at least 1, the time that the checkpoint has reached");
  const Result other = run({"--resume", "c", "--noise", "q1"});
  EXPECT_EQ(other.status, 2) << other;
  EXPECT_SAYS(other.error, "--noise = q1: must be as in the checkpoint c, whose run has 0.5*q1,0.5*q2,0.5*q3");
  const Result shown = run({"--resume", "c", "--single-out", "s.csv"});
  EXPECT_EQ(shown.status, 2) << shown;
  EXPECT_SAYS(shown.error, "--single-out = s.csv: cannot be added now");
  // A noise in other words is no other noise.
  ASSERT_EQ(run({"--resume", "c", "--T", "2.5", "--noise", "0.5*q1, 0.5*q2, q3*0.5"}).status, 0);
  ASSERT_EQ(run(common("2.5") + Words{"--out", "straight.csv"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
}

TEST_F(Simulate, the_last_state_of_an_ensemble_has_its_row_and_a_longer_run_does_without_it) {
  for (const Words& method : {Words{}, obabo}) {
    const auto common = [&](const char* end, const char* every) {
      return sphere + method + Words{"--paths", "70", "--T", end, "--every", every, "--single", "0,69"};
    };
    // 20 steps, with rows at 0, 8, 16 and 20.
    ASSERT_EQ(
        run(common("1", "8") + Words{"--out", "a.csv", "--single-out", "s.csv", "--checkpoint", "c", "--threads", "2"})
            .status,
        0);
    ASSERT_EQ(run(common("1", "1") + Words{"--out", "all.csv", "--single-out", "all_s.csv"}).status, 0);
    const Words rows = lines_of(text("a.csv")), all = lines_of(text("all.csv")), points = lines_of(text("s.csv")),
                all_points = lines_of(text("all_s.csv"));
    EXPECT_EQ(rows, (Words{all[0], all[1], all[9], all[17], all[21]}));
    ASSERT_EQ(points.size(), 1U + 2U * 4U);
    EXPECT_EQ(points[7], all_points[41]);
    EXPECT_EQ(points[8], all_points[42]);
    const std::string shorter = text("a.csv"), shorter_points = text("s.csv");
    ASSERT_EQ(run({"--resume", "c"}).status, 0) << "nothing is left to do";
    EXPECT_EQ(text("a.csv"), shorter);
    EXPECT_EQ(text("s.csv"), shorter_points);
    ASSERT_EQ(run({"--resume", "c", "--T", "2.5"}).status, 0);
    ASSERT_EQ(run(common("2.5", "8") + Words{"--out", "b.csv", "--single-out", "t.csv"}).status, 0);
    EXPECT_EQ(text("a.csv"), text("b.csv"));
    EXPECT_EQ(text("s.csv"), text("t.csv"));
  }
}

TEST_F(Simulate, a_killed_ensemble_continues_from_its_last_checkpoint) {
  const Words common = sphere + Words{"--paths", "100", "--every", "50", "--single", "3,99"};
  const pid_t child = start(common + Words{"--T", "1e6", "--out", "a.csv", "--single-out", "s.csv", "--checkpoint", "c",
                                           "--checkpoint-interval", "0.01"});
  EXPECT_TRUE(eventually([&] { return has("c") && livi::read_checkpoint(work() / "c").step > 0; }));
  kill(child, SIGKILL);
  EXPECT_EQ(finish(child).status, -SIGKILL);
  ASSERT_TRUE(has("a.csv.partial"));
  // As if rows had reached the disk that are later than the checkpoint, the last one in part.
  for (const char* file : {"a.csv.partial", "s.csv.partial"})
    std::ofstream(work() / file, std::ios::app) << "1e9,1,2\n1e9,";
  const long step = livi::read_checkpoint(work() / "c").step, more = step + 500;
  // To an end that both runs reach: 0.05 times a multiple of 50.
  const std::string stop = std::to_string(more);
  EXPECT_EQ(run({"--resume", "c", "--stop-after", stop, "--threads", "1"}).status, 130);
  EXPECT_EQ(run(common + Words{"--T", "1e6", "--out", "b.csv", "--single-out", "t.csv", "--stop-after", stop}).status,
            130);
  EXPECT_EQ(text("a.csv.partial"), text("b.csv.partial"));
  EXPECT_EQ(text("s.csv.partial"), text("t.csv.partial"));
  EXPECT_GT(lines_of(text("a.csv.partial")).size(), 10U);
}

TEST_F(Simulate, a_damaged_checkpoint_of_an_ensemble_is_refused) {
  ASSERT_EQ(run(sphere + Words{"--paths", "2", "--T", "1", "--out", "a.csv", "--checkpoint", "c"}).status, 0);
  const std::string whole = text("c"), rows = text("a.csv");
  livi::Checkpoint fewer = livi::Checkpoint::parse(whole);
  fewer.state = fewer.state.substr(0, fewer.state.rfind("running\n"));
  write(work() / "d", fewer.text());
  const Result result = run({"--resume", "d", "--T", "2"});
  EXPECT_EQ(result.status, 2) << result;
  EXPECT_SAYS(result.error, "checkpoint = end of text: must hold 2 paths");
  write(work() / "e", whole.substr(0, whole.size() / 2));
  EXPECT_EQ(run({"--resume", "e"}).status, 2);
  EXPECT_EQ(text("a.csv"), rows) << "nothing was touched";
  EXPECT_FALSE(has("a.csv.partial"));
}

}  // namespace simulate_ensemble_test
