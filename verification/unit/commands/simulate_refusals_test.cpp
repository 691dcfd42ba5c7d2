// SPDX-License-Identifier: MIT
//
// What livi-simulate refuses before it does anything, with the words that name the option and what is allowed.

#include "simulate_program.hpp"

namespace simulate_refusals_test {

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
        Refusal{"more_memory_than_there_is",
                {"--system", "chain", "--n", "900000000", "--form", "constrained", "--method", "rattle"},
                "this needs more memory than is free"},
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

}  // namespace simulate_refusals_test
