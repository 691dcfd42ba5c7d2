// SPDX-License-Identifier: MIT
//
// livi-simulate with adaptive steps, run as a user runs it: times and steps of its rows, where it ends, how it fails, and
// that an interrupted run continued is the run that was never interrupted, byte for byte.
#include <livi/catalogue/methods.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <livi/trajectory/checkpoint.hpp>

#include <cmath>

#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>

#include "simulate_program.hpp"

namespace simulate_adaptive_test {

using namespace livi::test;

Words adaptive_methods() {
  Words names;
  for (const livi::MethodEntry& method : livi::simulated_methods())
    if (method.adaptive) names.push_back(method.name);
  return names;
}
std::string test_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// A system on which a method runs for a time of 20 in some hundred steps.
Words fitting(const std::string& method) {
  // Kane's method needs nearly round ellipses.
  if (method == "symplectic-energy-momentum") return {"--system", "kepler", "--eccentricity", "0.2", "--h", "0.05"};
  if (method == "reversible-steps-rattle") return {"--system", "chain", "--n", "2", "--h", "0.05"};
  return {"--system", "kepler", "--h", "0.05"};
}

const Words hamiltonian{"--method", "hamiltonian-adaptive-verlet"};
const Words kepler{"--system", "kepler"};

// ---------------------------------------------------------------------------------------------------------------------
// Refusals.

using SimulateAdaptiveRefuses = SimulateRefuses;

TEST_P(SimulateAdaptiveRefuses, with_status_2_and_leaves_nothing) { expect_refused(GetParam()); }

const Words on_kepler = kepler + hamiltonian;

INSTANTIATE_TEST_SUITE_P(
    AdaptiveSteps, SimulateAdaptiveRefuses,
    testing::Values(
        Refusal{"composition_of_steps_that_are_not_symmetric",
                kepler + Words{"--method", "yoshida-4-variational-adaptive-verlet", "--rule", "start"},
                "composition of VariationalAdaptiveVerlet = order 2: the schemes raise the order of symmetric methods"},
        Refusal{"logarithm_of_a_positive_potential",
                {"--system", "oscillator", "--method", "yoshida-4-logarithmic-hamiltonian"},
                "W at --q = 0.5: must be < 0 for yoshida-4-logarithmic-hamiltonian, which takes its logarithm"},
        Refusal{"eccentricity_one", on_kepler + Words{"--eccentricity", "1"},
                "--eccentricity = 1: must be at least 0 and less than 1"},
        Refusal{"eccentricity_negative", on_kepler + Words{"--eccentricity", "-0.1"},
                "--eccentricity = -0.1: must be finite and >= 0"},
        Refusal{"eccentricity_nan", on_kepler + Words{"--eccentricity", "nan"}, "--eccentricity = nan: must be finite"},
        Refusal{
            "eccentricity_beside_q", on_kepler + Words{"--eccentricity", "0.5", "--q", "1,0"},
            "--eccentricity = 0.5: has no meaning for hamiltonian-adaptive-verlet on kepler with the density kepler"},
        Refusal{"eccentricity_elsewhere", hamiltonian + Words{"--system", "henon-heiles", "--eccentricity", "0.5"},
                "--eccentricity = 0.5: has no meaning for"},
        Refusal{"epsilon_negative", hamiltonian + Words{"--system", "simple-pendulum", "--epsilon", "-0.1"},
                "--epsilon = -0.1: must be finite and >= 0"},
        Refusal{"epsilon_nan", hamiltonian + Words{"--system", "simple-pendulum", "--epsilon", "nan"},
                "--epsilon = nan: must be finite and >= 0"},
        Refusal{"epsilon_of_a_density_without", on_kepler + Words{"--epsilon", "0.1"},
                "--epsilon = 0.1: has no meaning for hamiltonian-adaptive-verlet on kepler with the density kepler"},
        Refusal{"density_unknown", on_kepler + Words{"--density", "small"},
                "--density = small: must be one of constant, equal-distances, inverse-kinetic-energy, inv"},
        Refusal{"density_of_the_state", on_kepler + Words{"--density", "equal-state-distances"},
                "--density = equal-state-distances: depends on the velocity; hamiltonian-adaptive-verlet needs one of"},
        Refusal{"density_of_the_state_integrated",
                kepler + Words{"--method", "integrated-steps-velocity-verlet", "--density", "equal-state-distances"},
                "--density = equal-state-distances: depends on the velocity; integrated-steps-velocity-verlet needs"},
        Refusal{"density_of_a_method_without",
                kepler + Words{"--method", "logarithmic-hamiltonian", "--density", "kepler"},
                "--density = kepler: has no meaning for logarithmic-hamiltonian on kepler"},
        Refusal{"density_of_constant_steps", kepler + Words{"--method", "velocity-verlet", "--density", "kepler"},
                "--density = kepler: has no meaning for velocity-verlet on kepler"},
        Refusal{"limit_of_constant_steps", kepler + Words{"--method", "velocity-verlet", "--steps-limit", "5"},
                "--steps-limit = 5: has no meaning for velocity-verlet on kepler"},
        Refusal{"rule_unknown", kepler + Words{"--method", "variational-adaptive-verlet", "--rule", "end"},
                "--rule = end: must be mean, midpoint or start"},
        Refusal{"rule_elsewhere", on_kepler + Words{"--rule", "mean"}, "--rule = mean: has no meaning for"},
        Refusal{"limit_zero", on_kepler + Words{"--steps-limit", "0"}, "--steps-limit = 0: must be from 1 to "},
        Refusal{"every_time_zero", on_kepler + Words{"--every-time", "0"}, "--every-time = 0: must be finite and > 0"},
        Refusal{"every_time_too_small", on_kepler + Words{"--every-time", "1e-300"},
                "--every-time = 1e-300: must be at least 2^-53 of --T"},
        Refusal{"every_time_of_constant_steps", kepler + Words{"--method", "velocity-verlet", "--every-time", "0.5"},
                "--every-time = 0.5: has no meaning for velocity-verlet on kepler"},
        Refusal{"T_before_0", on_kepler + Words{"--T", "-1"}, "--T = -1: must be finite and >= 0"},
        Refusal{"h_zero", on_kepler + Words{"--h", "0"}, "--h = 0: must be finite and > 0"},
        Refusal{
            "constraints", hamiltonian + Words{"--form", "constrained"},
            "--method = hamiltonian-adaptive-verlet: knows no constraints; use shake, rattle or reversible-steps-r"},
        Refusal{"no_constraints", kepler + Words{"--method", "reversible-steps-rattle"},
                "--method = reversible-steps-rattle: needs constraints"},
        Refusal{"mass_of_a_body_too_few",
                {"--system", "pythagorean", "--method", "velocity-verlet", "--mass", "3,4"},
                "--mass = 2 numbers: for 3 bodies give 1 number or 3"},
        Refusal{"mass_of_a_body_negative",
                {"--system", "pythagorean", "--method", "logarithmic-hamiltonian", "--mass", "3,-4,5"},
                "--mass, number 2 = -4: a mass must be finite and > 0"},
        Refusal{"bodies_at_one_place",
                {"--system", "pythagorean", "--method", "velocity-verlet", "--q", "1,2,3,4,1,2"},
                "energy of --q and --v = -inf: must be finite"},
        Refusal{"bodies_at_one_place_whose_step_is_zero",
                hamiltonian + Words{"--system", "pythagorean", "--q", "1,2,3,4,1,2"},
                "energy of --q and --v = -inf: must be finite; bodies at one place have none"},
        Refusal{"ellipse_of_two_masses", on_kepler + Words{"--mass", "1,2"},
                "--mass = 2: an ellipse has equal masses; for others give --q and --v"},
        Refusal{"q_of_half_a_body",
                {"--system", "outer-solar-system", "--method", "velocity-verlet", "--q", "1,2,3,4"},
                "--q = 1,2,3,4: outer-solar-system needs 6, 9, 12, ... numbers (x, y and z of each)"},
        Refusal{"q_of_two_angles",
                {"--system", "simple-pendulum", "--method", "velocity-verlet", "--q", "1,2"},
                "--q = 1,2: simple-pendulum needs 1 number"}),
    [](const auto& instance) { return instance.param.name; });

// ---------------------------------------------------------------------------------------------------------------------
// What is written.

TEST_F(Simulate, an_ellipse_has_its_size_whatever_the_mass) {
  // The energy of an ellipse with major half-axis 1 in the potential -1/|q|.
  for (const char* const mass : {"1", "4", "0.3"}) {
    ASSERT_EQ(run(on_kepler + Words{"--eccentricity", "0.8", "--mass", mass, "--T", "0", "--out", "a.csv"}).status, 0);
    EXPECT_NEAR(row_of(text("a.csv"), 0).at(6), -0.5, 1e-15) << mass;
  }
}

TEST_F(Simulate, adaptive_rows_are_those_of_the_method_to_the_last_bit) {
  ASSERT_EQ(run(on_kepler + Words{"--eccentricity", "0.8", "--h", "0.05", "--T", "3", "--out", "a.csv"}).status, 0);
  const std::string csv = text("a.csv");
  EXPECT_EQ(lines_of(csv)[0], "time,dt,q1,q2,v1,v2,energy,energy_error");
  const livi::SystemEntry& entry = *std::ranges::find(livi::simulated_systems(), "kepler", &livi::SystemEntry::name);
  const livi::Problem problem = livi::make_problem(entry, 2, {.mass = {1}});
  using System = livi::AnySystem<double>;
  const System& system = *problem.mechanical;
  livi::HamiltonianAdaptiveVerlet<System, livi::KeplerDensity<System>> method(system, {});
  const Eigen::Vector2d q(1 - 0.8, 0), v(0, std::sqrt(1.8 / (1 - 0.8)));
  livi::AdaptiveTrajectory trajectory(method, method.start(q, v), 0.05, 3.0);
  const double first = system.energy(q, v);
  std::size_t k = 0;
  for (const auto& point : trajectory) {
    const auto& z = point.state;
    const double energy = system.energy(z.q, z.v);
    EXPECT_EQ(row_of(csv, k++),
              (std::vector<double>{z.t, z.last_step, z.q(0), z.q(1), z.v(0), z.v(1), energy, energy - first}));
  }
  EXPECT_EQ(lines_of(csv).size(), 1 + k);
  EXPECT_GT(k, 20U);
}

TEST_F(Simulate, rows_at_times_asked_for_are_interpolated_and_end_at_the_end) {
  const Words common = on_kepler + Words{"--eccentricity", "0.8", "--h", "0.05", "--T", "3"};
  ASSERT_EQ(run(common + Words{"--every-time", "0.7", "--out", "a.csv"}).status, 0);
  const std::string csv = text("a.csv");
  ASSERT_EQ(lines_of(csv).size(), 7U);
  const livi::SystemEntry& entry = *std::ranges::find(livi::simulated_systems(), "kepler", &livi::SystemEntry::name);
  const livi::Problem problem = livi::make_problem(entry, 2, {.mass = {1}});
  using System = livi::AnySystem<double>;
  const System& system = *problem.mechanical;
  livi::HamiltonianAdaptiveVerlet<System, livi::KeplerDensity<System>> method(system, {});
  const Eigen::Vector2d q(1 - 0.8, 0), v(0, std::sqrt(1.8 / (1 - 0.8)));
  const double times[] = {0, 0.7, 2 * 0.7, 3 * 0.7, 4 * 0.7, 3};
  for (std::size_t k = 0; k < std::size(times); ++k) {
    livi::AdaptiveTrajectory trajectory(method, method.start(q, v), 0.05, times[k]);
    trajectory.complete();
    const auto z = trajectory.at(times[k]);
    const double energy = system.energy(z.q, z.v), dt = trajectory.state().last_step;
    EXPECT_EQ(row_of(csv, k), (std::vector<double>{times[k], dt, z.q(0), z.q(1), z.v(0), z.v(1), energy,
                                                   energy - system.energy(q, v)}));
  }
  // A multiple of the time that is the end but for its rounding is the end: 30 times 0.1 is more than 3.
  ASSERT_EQ(run(common + Words{"--every-time", "0.1", "--out", "b.csv"}).status, 0);
  EXPECT_EQ(lines_of(text("b.csv")).size(), 1U + 31U);
  EXPECT_EQ(row_of(text("b.csv"), 30).at(0), 3);
}

TEST_F(Simulate, rows_of_steps_and_the_end_itself) {
  const Words common = on_kepler + Words{"--h", "0.05", "--T", "3", "--every", "4"};
  ASSERT_EQ(run(common + Words{"--out", "steps.csv"}).status, 0);
  ASSERT_EQ(run(common + Words{"--every-time", "3", "--out", "a.csv"}).status, 0);
  const Words steps = lines_of(text("steps.csv")), rows = lines_of(text("a.csv"));
  const std::size_t before = steps.size() - (row_of(text("steps.csv"), steps.size() - 2).at(0) < 3 ? 0 : 1);
  ASSERT_EQ(rows.size(), before + 1);
  EXPECT_EQ(Words(rows.begin(), rows.end() - 1), Words(steps.begin(), steps.begin() + static_cast<long>(before)));
  EXPECT_EQ(row_of(text("a.csv"), rows.size() - 2).at(0), 3);
}

TEST_F(Simulate, rows_at_times_asked_for_are_the_same_when_a_run_is_interrupted_or_made_longer) {
  const auto common = [&](const char* end) {
    return on_kepler + Words{"--h", "0.05", "--every-time", "0.3", "--T", end};
  };
  ASSERT_EQ(run(common("25") + Words{"--out", "straight.csv"}).status, 0);
  ASSERT_EQ(run(common("10") + Words{"--out", "a.csv", "--checkpoint", "c", "--stop-after", "50"}).status, 130);
  ASSERT_EQ(run({"--resume", "c", "--stop-after", "77"}).status, 130);
  ASSERT_EQ(run({"--resume", "c"}).status, 0);
  const std::string shorter = text("a.csv");
  ASSERT_EQ(run(common("10") + Words{"--out", "b.csv"}).status, 0);
  EXPECT_EQ(shorter, text("b.csv"));
  EXPECT_EQ(row_of(shorter, 34).at(0), 10) << "after 33 times 0.3";
  ASSERT_EQ(run({"--resume", "c"}).status, 0) << "nothing is left to do";
  EXPECT_EQ(text("a.csv"), shorter);
  ASSERT_EQ(run({"--resume", "c", "--T", "25"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv")) << "the row at the old end is gone";
}

class SimulateAdaptive : public Simulate, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Method, SimulateAdaptive, testing::ValuesIn(adaptive_methods()),
                         [](const auto& instance) { return test_name(instance.param); });

TEST_P(SimulateAdaptive, ends_with_the_first_step_at_or_beyond_the_end) {
  const Words common = Words{"--method", GetParam()} + fitting(GetParam()) + Words{"--T", "20"};
  ASSERT_EQ(run(common + Words{"--out", "a.csv"}).status, 0);
  const std::string csv = text("a.csv");
  EXPECT_EQ(lines_of(csv)[0].substr(0, 11), "time,dt,q1,");
  const std::size_t rows = lines_of(csv).size() - 1;
  ASSERT_GT(rows, 100U);
  EXPECT_EQ(row_of(csv, 0).at(0), 0);
  EXPECT_EQ(row_of(csv, 0).at(1), 0) << "no step leads to the start";
  double shortest = 20, longest = 0;
  for (std::size_t k = 1; k < rows; ++k) {
    const double before = row_of(csv, k - 1).at(0), time = row_of(csv, k).at(0), dt = row_of(csv, k).at(1);
    // A composition's dt is that of its last stage.
    if (!GetParam().starts_with("yoshida") && !GetParam().starts_with("suzuki")) {
      EXPECT_EQ(before + dt, time) << k;
    }
    EXPECT_LT(before, time);
    EXPECT_LT(before, 20);
    shortest = std::min(shortest, time - before);
    longest = std::max(longest, time - before);
  }
  EXPECT_GE(row_of(csv, rows - 1).at(0), 20);
  EXPECT_GT(longest, 1.05 * shortest) << "the steps follow the motion";
  ASSERT_EQ(run(common + Words{"--out", "b.csv"}).status, 0);
  EXPECT_EQ(text("b.csv"), csv);
}

TEST_P(SimulateAdaptive, interrupted_and_resumed_run_is_the_straight_one_byte_for_byte) {
  const Words common = Words{"--method", GetParam()} + fitting(GetParam()) + Words{"--T", "20", "--every", "3"};
  ASSERT_EQ(run(common + Words{"--out", "straight.csv"}).status, 0);
  const Result first = run(common + Words{"--out", "a.csv", "--checkpoint", "a.checkpoint", "--stop-after", "50"});
  ASSERT_EQ(first.status, 130) << first;
  EXPECT_SAYS(first.error, "interrupted at step 50, t = ");
  EXPECT_SAYS(first.error, " of 20\n");
  EXPECT_EQ(text("a.csv.partial"), text("straight.csv").substr(0, text("a.csv.partial").size()));
  ASSERT_EQ(run({"--resume", "a.checkpoint", "--stop-after", "77"}).status, 130);
  ASSERT_EQ(run(common + Words{"--resume", "a.checkpoint"}).status, 0) << "the same options again";
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
}

TEST_P(SimulateAdaptive, options_reach_it) {
  const livi::MethodEntry& method = *std::ranges::find(livi::simulated_methods(), GetParam(), &livi::MethodEntry::name);
  const Words common = Words{"--method", method.name} + fitting(method.name) + Words{"--T", "5"};
  const auto rows = [&](const Words& more) {
    const Result result = run(common + more + Words{"--out", "rows.csv"});
    EXPECT_EQ(result.status, 0) << result;
    return text("rows.csv");
  };
  const Result shown = run(common);
  EXPECT_SAYS(shown.out, "\n" + method.declares(method.defaults).name + ": order ");
  if (method.has(livi::newton_tolerance)) {
    EXPECT_NE(rows({}), rows({"--newton-tolerance", "0.01"}));
    Words long_steps = common + Words{"--newton-iterations", "1"};
    std::replace(long_steps.begin(), long_steps.end(), std::string("0.05"), std::string("0.2"));
    const Result result = run(long_steps);
    EXPECT_EQ(result.status, 1) << result;
    EXPECT_SAYS(result.error, "no convergence after ");
  }
  if (method.densities == livi::StepDensities::none) return;
  std::vector<std::string> all;
  for (const livi::DensityEntry& density : livi::density_entries()) {
    if (density.of_state && method.densities == livi::StepDensities::of_position) continue;
    const Words of_density{"--density", density.name};
    if (!density.has_epsilon) {
      all.push_back(rows(of_density));
      continue;
    }
    for (const char* epsilon : {"0.5", "1"}) all.push_back(rows(of_density + Words{"--epsilon", epsilon}));
  }
  EXPECT_EQ(all.size(), method.densities == livi::StepDensities::of_position ? 8U : 10U);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end()) << "each density and epsilon has rows of its own";
}

TEST_F(Simulate, rules_reach_the_variational_method) {
  const auto rows = [&](const Words& rule) {
    EXPECT_EQ(
        run(kepler + Words{"--method", "variational-adaptive-verlet", "--T", "5", "--out", "a.csv"} + rule).status, 0);
    return text("a.csv");
  };
  EXPECT_EQ(rows({}), rows({"--rule", "mean"}));
  EXPECT_NE(rows({"--rule", "mean"}), rows({"--rule", "midpoint"}));
  EXPECT_NE(rows({"--rule", "mean"}), rows({"--rule", "start"}));
  EXPECT_NE(rows({"--rule", "midpoint"}), rows({"--rule", "start"}));
}

TEST_F(Simulate, a_table_of_adaptive_steps_has_eleven_rows_spaced_in_time) {
  const Result result = run(on_kepler + Words{"--T", "40", "--h", "0.03"});
  ASSERT_EQ(result.status, 0) << result;
  const Words lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 3U + 11U) << result.out;
  EXPECT_SAYS(lines[0], "density kepler, h 0.03, T 40, steps-limit 100000000");
  EXPECT_SAYS(lines[1], "HamiltonianAdaptiveVerlet: order 2, symmetric, symplectic");
  EXPECT_EQ(lines[2].substr(0, 28), "          time            dt");
  for (std::size_t k = 0; k <= 10; ++k) {
    const double time = std::strtod(lines[3 + k].c_str(), nullptr);
    EXPECT_GE(time, 4.0 * static_cast<double>(k));
    EXPECT_LT(time, 4.0 * static_cast<double>(k) + 0.1) << "no step is longer";
  }
  const Result at_once = run(on_kepler + Words{"--T", "0"});
  EXPECT_EQ(lines_of(at_once.out).size(), 3U + 1U) << "the start is the end";
}

TEST_F(Simulate, lists_adaptive_steps_and_helps_with_them) {
  const Result listed = run({"--list"});
  EXPECT_SAYS(listed.out, "\nmethods with adaptive steps:\n");
  EXPECT_SAYS(listed.out,
              "  reversible-adaptive-verlet             2      yes        no          q, or q and v   CS101");
  EXPECT_SAYS(listed.out, "  equal-distances         sigma = (E0 - W + epsilon)^(-1/2)\n");
  EXPECT_SAYS(listed.out, "default --eccentricity=0.6\n      --h=0.01; adaptive steps: --density=kepler\n");
  EXPECT_SAYS(listed.out, "adaptive steps: --density=inverse-kinetic-energy --epsilon=1\n");
  const Result helped = run({"--help"});
  EXPECT_SAYS(helped.out, "The run ends with the first step at or beyond --T");
  EXPECT_SAYS(helped.out, "--steps-limit");
}

/// Every method with adaptive steps on every system, as they are by default, until T = 2. Only the steps of Kane's methods may
/// end on the way, and do where the help says so; what does not fit is refused with its reason.
TEST_F(Simulate, methods_with_adaptive_steps_run_on_all_systems_or_say_why_not) {
  Words ended;
  int completed = 0;
  for (const livi::SystemEntry& system : livi::simulated_systems())
    for (const std::string& method : adaptive_methods()) {
      const Result result = run({"--system", system.name, "--method", method, "--T", "2"});
      const std::string pair = method + " on " + system.name;
      if (result.status == 0) {
        ++completed;
      } else if (result.status == 1) {
        ended.push_back(pair);
        EXPECT_SAYS(result.error, "the equation that determines the step has no solution");
        EXPECT_TRUE(method == "symplectic-energy-momentum" || method == "midpoint-energy-momentum") << pair;
      } else {
        EXPECT_EQ(result.status, 2) << pair << ": " << result;
        EXPECT_TRUE(result.error.find("needs constraints") != std::string::npos ||
                    result.error.find("must be < 0 for " + method) != std::string::npos)
            << pair << ": " << result;
      }
    }
  EXPECT_GE(completed, 275);
  const auto ends = [&](const std::string& pair) { return std::count(ended.begin(), ended.end(), pair) == 1; };
  for (const char* oscillating : {"oscillator", "henon-heiles", "coupled-anharmonic", "simple-pendulum", "kepler"}) {
    EXPECT_TRUE(ends(std::string("symplectic-energy-momentum on ") + oscillating)) << oscillating;
    EXPECT_FALSE(ends(std::string("midpoint-energy-momentum on ") + oscillating)) << oscillating;
  }
}

TEST_F(Simulate, systems_of_the_literature_on_adaptive_steps_start_as_they_say) {
  const auto first = [&](const Words& words) {
    EXPECT_EQ(run(words + Words{"--method", "velocity-verlet", "--T", "0", "--out", "a.csv"}).status, 0);
    return row_of(text("a.csv"), 0);
  };
  const auto kepler_row = first({"--system", "kepler", "--eccentricity", "0.75"});
  EXPECT_EQ(kepler_row.at(1), 0.25);
  EXPECT_EQ(kepler_row.at(4), std::sqrt(7.0));
  EXPECT_NEAR(kepler_row.at(5), -0.5, 1e-15);
  EXPECT_EQ(first(kepler), first({"--system", "kepler", "--q", "0.4,0", "--v", "0,2"})) << "the default, e = 0.6";
  EXPECT_EQ(first({"--system", "simple-pendulum", "--q", "0.5"}).at(3), -std::cos(0.5));
  // -3 4/5 - 3 5/4 - 4 5/3, from sides 5, 4 and 3: three roundings.
  EXPECT_NEAR(first({"--system", "pythagorean"}).at(13), -12.0 / 5 - 15.0 / 4 - 20.0 / 3, 1e-14);
  // Two bodies with masses 2 and 3 at a distance of 5, one of which moves: 2 4^2/2 - 6/5.
  EXPECT_NEAR(first({"--system", "pythagorean", "--q", "0,0,3,4", "--v", "4,0,0,0", "--mass", "2,3"}).at(9), 14.8,
              1e-14);
  EXPECT_EQ(first({"--system", "outer-solar-system"}).size(), 1U + 36U + 2U);
  // Jupiter is bound: kinetic and potential energy of the two heaviest, by hand to four digits.
  EXPECT_NEAR(first({"--system", "outer-solar-system"}).at(37), -3.1e-8, 0.3e-8);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ends.

TEST_F(Simulate, a_complete_run_of_adaptive_steps_can_be_made_longer) {
  const auto common = [&](const char* end) { return on_kepler + Words{"--h", "0.05", "--T", end}; };
  ASSERT_EQ(run(common("10") + Words{"--out", "a.csv", "--checkpoint", "c"}).status, 0);
  const std::string shorter = text("a.csv");
  ASSERT_EQ(run({"--resume", "c"}).status, 0) << "nothing is left to do";
  ASSERT_EQ(run({"--resume", "c", "--T", "10"}).status, 0) << "nor is it in other words";
  EXPECT_EQ(text("a.csv"), shorter);
  const Result back = run({"--resume", "c", "--T", "9"});
  EXPECT_EQ(back.status, 2) << back;
  EXPECT_SAYS(back.error, "--T = 9: must be at least 10.0");
  EXPECT_SAYS(back.error, ", the time that the checkpoint has reached");
  ASSERT_EQ(run({"--resume", "c", "--T", "25"}).status, 0);
  ASSERT_EQ(run(common("25") + Words{"--out", "straight.csv"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
}

TEST_F(Simulate, adaptive_steps_end_at_their_limit_and_go_on_beyond_it) {
  const Words common = on_kepler + Words{"--h", "0.05", "--T", "10"};
  const Result limited = run(common + Words{"--steps-limit", "60", "--out", "a.csv", "--checkpoint", "c"});
  EXPECT_EQ(limited.status, 1) << limited;
  EXPECT_SAYS(limited.error, "livi-simulate: stopped after step 60, t = ");
  EXPECT_SAYS(limited.error, ": no more steps are allowed (--steps-limit), T = 10 is not reached\n");
  EXPECT_SAYS(limited.error, "livi-simulate: last good state: step 60, t = ");
  EXPECT_SAYS(limited.error, "livi-simulate: the rows so far are in a.csv\n");
  EXPECT_EQ(lines_of(text("a.csv")).size(), 1U + 61U);
  const Result back = run({"--resume", "c", "--steps-limit", "59"});
  EXPECT_EQ(back.status, 2) << back;
  EXPECT_SAYS(back.error, "--steps-limit = 59: must be at least 60, the steps of the checkpoint");
  EXPECT_EQ(run({"--resume", "c"}).status, 1) << "the limit is still there";
  ASSERT_EQ(run({"--resume", "c", "--steps-limit", "1000"}).status, 0);
  ASSERT_EQ(run(common + Words{"--out", "straight.csv"}).status, 0);
  EXPECT_EQ(text("a.csv"), text("straight.csv"));
  // A limit that is just enough is none.
  const std::string exactly = std::to_string(lines_of(text("straight.csv")).size() - 2);
  EXPECT_EQ(run(common + Words{"--steps-limit", exactly, "--out", "b.csv"}).status, 0);
}

struct AdaptiveFailure {
  std::string name;
  Words arguments;
  std::string reason;
};
std::ostream& operator<<(std::ostream& stream, const AdaptiveFailure& failure) { return stream << failure.name; }

class SimulateAdaptiveFails : public Simulate, public testing::WithParamInterface<AdaptiveFailure> {};

TEST_P(SimulateAdaptiveFails, with_step_time_and_reason) {
  const Result result = run(GetParam().arguments + Words{"--out", "a.csv"});
  EXPECT_EQ(result.status, 1) << result;
  const Words lines = lines_of(result.error);
  ASSERT_EQ(lines.size(), 3U) << result;
  const std::string start = "livi-simulate: stopped in step ";
  ASSERT_EQ(lines[0].find(start), 0U) << result;
  const auto step = static_cast<std::size_t>(std::strtol(lines[0].c_str() + start.size(), nullptr, 10));
  const Words csv = lines_of(text("a.csv"));
  ASSERT_EQ(csv.size(), 1 + step) << "rows of the start and of all steps before";
  // The time is that of the last row.
  EXPECT_SAYS(lines[0], " after t = " + csv.back().substr(0, csv.back().find(',')) + ": " + GetParam().reason);
  for (const std::string& line : csv)
    for (const char* bad : {"nan", "inf"}) EXPECT_EQ(line.find(bad), std::string::npos) << line;
}

INSTANTIATE_TEST_SUITE_P(
    AdaptiveSteps, SimulateAdaptiveFails,
    testing::Values(
        // On this ellipse the sign of the term that determines the step changes.
        AdaptiveFailure{
            "no_root", kepler + Words{"--method", "symplectic-energy-momentum", "--eccentricity", "0.6"},
            "the equation that determines the step has no solution; where the dt^2 term of its discrete energy "
            "changes sign there is none, whatever --h"},
        AdaptiveFailure{"no_density_at_rest", hamiltonian + Words{"--system", "simple-pendulum", "--epsilon", "0"},
                        "the step density is not finite and positive; a smaller --h or a larger --epsilon may go on"},
        // It turns round and round, through W = -cos q > 0.
        AdaptiveFailure{"no_logarithm_any_more",
                        {"--system", "simple-pendulum", "--method", "logarithmic-hamiltonian", "--q", "0", "--v", "3"},
                        "the step density is not finite and positive; W must stay < 0: where it does, a smaller --h "
                        "may go on"},
        AdaptiveFailure{"no_convergence", on_kepler + Words{"--newton-iterations", "1"},
                        "no convergence after 1 iterations; a smaller --h or a larger --epsilon may go on"},
        // A fall into the centre: the steps shrink until the time does not change.
        AdaptiveFailure{
            "fall_into_the_centre",
            kepler + Words{"--method", "explicit-steps-velocity-verlet", "--q", "1,0", "--density",
                           "inverse-acceleration", "--epsilon", "0", "--h", "0.01", "--steps-limit", "1000000"},
            "the step is too small to change the time"}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace simulate_adaptive_test
