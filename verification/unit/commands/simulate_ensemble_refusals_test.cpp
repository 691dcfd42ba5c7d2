// SPDX-License-Identifier: MIT
//
// What livi-simulate refuses of runs under noise and in a bath.
#include <cmath>

#include "simulate_program.hpp"

namespace simulate_ensemble_refusals_test {

using namespace livi::test;

const Words sphere{"--system", "sphere-pendulum"}, obabo{"--method", "constrained-obabo"},
    baoab{"--method", "geodesic-baoab"};

// ---------------------------------------------------------------------------------------------------------------------
// Refusals.

using SimulateEnsembleRefuses = SimulateRefuses;

TEST_P(SimulateEnsembleRefuses, with_status_2_and_leaves_nothing) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    UnderNoise, SimulateEnsembleRefuses,
    testing::Values(
        Refusal{"other_method", sphere + Words{"--method", "rattle"},
                "--method = rattle: is not for systems under noise, which sphere-pendulum is"},
        Refusal{"unknown_method", sphere + Words{"--method", "heun"}, "--method = heun: must be one of stochastic-rat"},
        Refusal{"other_system",
                {"--system", "kepler", "--method", "stochastic-rattle"},
                "--method = stochastic-rattle: is for systems under noise, which kepler is not"},
        Refusal{"noise_of_no_coordinate", sphere + Words{"--noise", "0.5*q4"},
                "--noise = q4: must be one of q1 to q3, the coordinates of the system"},
        Refusal{"noise_of_degree_three", sphere + Words{"--noise", "q1,q1*q2*q3"},
                "--noise, noise 2 = q1*q2*q3: must have terms of degree 1 or 2; one has 3 coordinates"},
        Refusal{"noise_of_degree_zero", sphere + Words{"--noise", "0.5"},
                "--noise, noise 1 = 0.5: must have terms of degree 1 or 2; one has 0 coordinates"},
        Refusal{"noise_that_is_none", sphere + Words{"--noise", "0.5*x"},
                "--noise, noise 1 = 0.5*x: must be terms such as 0.5*q1, -q2, 0.3*q1*q2 or q3^2 with + or - between "
                "them; character 5 cannot be understood"},
        Refusal{
            "noise_empty", sphere + Words{"--noise", "q1,"},
            "--noise, noise 2 = '': must be terms such as 0.5*q1, -q2, 0.3*q1*q2 or q3^2 with + or - between them; it "
            "ends where a term is missing"},
        Refusal{
            "noise_cubed", sphere + Words{"--noise", "q1^3"},
            "--noise, noise 1 = q1^3: must be terms such as 0.5*q1, -q2, 0.3*q1*q2 or q3^2 with + or - between them; "
            "character 4 is not the power 2"},
        Refusal{"noise_infinite", sphere + Words{"--noise", "1e300*1e300*q1"},
                "--noise, noise 1 = 1e300*1e300*q1: must have finite strengths"},
        Refusal{"noise_elsewhere", {"--system", "kepler", "--noise", "q1"}, "--noise = q1: has no meaning for"},
        Refusal{"no_paths", sphere + Words{"--paths", "0"}, "--paths = 0: must be from 1 to 1000000"},
        Refusal{"paths_beyond_memory", sphere + Words{"--paths", "1000001"},
                "--paths = 1000001: must be from 1 to 1000000"},
        Refusal{"paths_of_water_beyond_memory",
                {"--system", "water-in-field", "--paths", "333334"},
                "--paths = 333334: must be from 1 to 333333"},
        Refusal{"paths_elsewhere", {"--system", "kepler", "--paths", "3"}, "--paths = 3: has no meaning for"},
        Refusal{"seed_zero", sphere + Words{"--seed", "0"}, "--seed = 0: must be from 1 to"},
        Refusal{"seed_beyond_counting", sphere + Words{"--seed", "99999999999999999999"},
                "--seed = 99999999999999999999: must be from 1 to 9223372036854775807"},
        Refusal{"refined_beyond_counting",
                sphere + Words{"--method", "commutator-rattle", "--refine", "99999999999999999999"},
                "--refine = 99999999999999999999: must be from 0 to 12"},
        Refusal{"noise_without_a_value", sphere + Words{"--out", "o", "--noise"},
                "--noise: needs a value: under noise: the potentials"},
        Refusal{"noise_without_a_number", sphere + Words{"--noise", "0.5*q"},
                "--noise, noise 1 = 0.5*q: must be terms such as 0.5*q1, -q2, 0.3*q1*q2 or q3^2 with + or - between "
                "them; it ends where a number of a coordinate is missing"},
        Refusal{"noise_of_coordinate_zero", sphere + Words{"--noise", "q1, q0"},
                "--noise, noise 2 =  q0: must be terms such as 0.5*q1, -q2, 0.3*q1*q2 or q3^2 with + or - between "
                "them; character 3 is not a number of a coordinate"},
        Refusal{"noise_beyond_numbers", sphere + Words{"--noise", "1e999*q1"},
                "--noise, noise 1 = 1e999*q1: must have numbers that can be held; that of character 1 has too many "
                "digits or too large an exponent"},
        Refusal{"tolerance_that_takes_every_guess", sphere + Words{"--newton-tolerance", "0.011"},
                "--newton-tolerance = 0.011: must be > 0 and at most 0.01, a part of 1 plus the largest coordinate"},
        Refusal{"checkpoint_in_no_folder", sphere + Words{"--out", "a.csv", "--checkpoint", "none/of/c"},
                "--checkpoint = none/of/c: must be in a folder that is there"},
        Refusal{"single_out_in_no_folder", sphere + Words{"--single-out", "none/s.csv"},
                "--single-out = none/s.csv: must be in a folder that is there"},
        Refusal{"no_threads", sphere + Words{"--threads", "0"}, "--threads = 0: must be from 1 to 1024"},
        Refusal{"threads_elsewhere",
                {"--system", "kepler", "--threads", "1"},
                "--threads = 1: has no meaning for a run without noise"},
        Refusal{"single_out_elsewhere",
                {"--system", "kepler", "--single-out", "s.csv"},
                "--single-out = s.csv: has no meaning for a run without noise"},
        Refusal{"ended_out_elsewhere",
                {"--system", "kepler", "--ended-out", "e.csv"},
                "--ended-out = e.csv: has no meaning for a run without noise"},
        Refusal{"span_that_is_no_multiple", sphere + Words{"--h", "0.1", "--span", "1"},
                "--span = 1: must be h = 0.1 times a power of two, from 1 to 2^40: 0.1, 0.2, 0.4, ..."},
        Refusal{"span_below_the_step", sphere + Words{"--h", "0.1", "--span", "0.05"}, "--span = 0.05: must be h = "},
        Refusal{"end_between_steps", sphere + Words{"--h", "0.3", "--T", "1"},
                "T = 1: must be a multiple of the step h = 0.3"},
        Refusal{"single_without_a_file", sphere + Words{"--single", "1"},
                "--single = 1: needs --single-out, a file for the paths"},
        Refusal{"single_beyond", sphere + Words{"--paths", "5", "--single", "5", "--single-out", "s.csv"},
                "--single = 5: must be whole numbers from 0 to 4"},
        Refusal{"single_between", sphere + Words{"--single", "0.5", "--single-out", "s.csv"},
                "--single = 0.5: must be whole numbers from 0 to 999"},
        Refusal{"single_twice", sphere + Words{"--single", "1,1", "--single-out", "s.csv"},
                "--single = 1: must be in rising order, each once"},
        Refusal{"single_out_is_out", sphere + Words{"--out", "a.csv", "--single-out", "a.csv"},
                "--single-out = a.csv: must not be the file of --out"},
        Refusal{"ended_out_is_partial", sphere + Words{"--out", "a.csv", "--ended-out", "a.csv.partial"},
                "--ended-out = a.csv.partial: must not be the file of --out in progress"},
        Refusal{"ended_out_is_a_pipe", sphere + Words{"--ended-out", "../pipe"},
                "--ended-out = ../pipe: must name a regular file"},
        Refusal{"ended_out_in_no_folder", sphere + Words{"--ended-out", "none/e.csv"},
                "--ended-out = none/e.csv: must be in a folder that is there"},
        Refusal{"single_out_is_a_pipe", sphere + Words{"--single-out", "../pipe"},
                "--single-out = ../pipe: must name a regular file"},
        Refusal{"weights_unknown", sphere + Words{"--weights", "both"},
                "--weights = both: must be increments, integrals or weak for stochastic-rattle"},
        Refusal{"weights_of_a_tableau", sphere + Words{"--method", "constrained-runge-kutta", "--weights", "weak"},
                "--weights = weak: must be increments or integrals for constrained-runge-kutta"},
        Refusal{"weights_of_euler", sphere + Words{"--method", "projected-heun", "--weights", "weak"},
                "--weights = weak: has no meaning for projected-heun on sphere-pendulum"},
        Refusal{"covariance_unknown", sphere + Words{"--method", "staircase-rattle", "--covariance", "none"},
                "--covariance = none: must be exact, conditional-mean or mean"},
        Refusal{"stages", sphere + Words{"--method", "constrained-runge-kutta", "--stages", "5"},
                "--stages = 5: must be 2, 3 or 4"},
        Refusal{"refined_too_far", sphere + Words{"--method", "commutator-rattle", "--refine", "13"},
                "--refine = 13: must be from 0 to 12"},
        Refusal{"refined_for_nothing",
                sphere + Words{"--method", "commutator-rattle", "--covariance", "mean", "--refine", "2"},
                "--refine = 2: has no meaning for"},
        Refusal{"friction_negative", sphere + obabo + Words{"--friction", "-1"},
                "--friction = -1: must be finite and >= 0"},
        Refusal{"friction_infinite", sphere + baoab + Words{"--friction", "inf"},
                "--friction = inf: must be finite and >= 0"},
        Refusal{"friction_of_another_method", sphere + Words{"--friction", "1"},
                "--friction = 1: has no meaning for stochastic-rattle on sphere-pendulum"},
        Refusal{"temperature_zero", sphere + obabo + Words{"--temperature", "0"},
                "--temperature = 0: must be finite and > 0"},
        Refusal{"temperature_without_an_inverse", sphere + baoab + Words{"--temperature", "1e-320"},
                "--temperature = 1e-320: must have an inverse that is finite"},
        Refusal{"geodesic_steps_none", sphere + baoab + Words{"--geodesic-steps", "0"},
                "--geodesic-steps = 0: must be from 1 to 1000"},
        Refusal{"geodesic_steps_too_many", sphere + baoab + Words{"--geodesic-steps", "1001"},
                "--geodesic-steps = 1001: must be from 1 to 1000"},
        Refusal{"geodesic_steps_of_another_method", sphere + obabo + Words{"--geodesic-steps", "2"},
                "--geodesic-steps = 2: has no meaning for constrained-obabo on sphere-pendulum"},
        Refusal{"noise_in_a_bath", sphere + obabo + Words{"--noise", "q1"},
                "--noise = q1: has no meaning for constrained-obabo on sphere-pendulum"},
        Refusal{"span_in_a_bath", sphere + obabo + Words{"--span", "1.6"},
                "--span = 1.6: has no meaning for constrained-obabo on sphere-pendulum"},
        Refusal{"bath_elsewhere",
                {"--system", "kepler", "--method", "geodesic-baoab"},
                "--method = geodesic-baoab: is for systems under noise, which kepler is not"},
        Refusal{"start_off_the_constraint", sphere + Words{"--q", "0,0,2"}, "initial position: constraint g[0] = 1.5"},
        Refusal{"velocity_off_the_constraint", sphere + Words{"--q", "0,0,1", "--v", "0,0,1"},
                "initial velocity: constraint rate (Dg v)[0] = 1"},
        Refusal{"mass", sphere + Words{"--mass", "2"}, "--mass = 2: has no meaning for"}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace simulate_ensemble_refusals_test
