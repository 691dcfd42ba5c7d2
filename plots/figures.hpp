// SPDX-License-Identifier: MIT
#pragma once

#include "report_data.hpp"

#include <functional>
#include <string>
#include <vector>

namespace livi::plots {

/// A plot: the report it is drawn from, and how. It may draw several files, whose names begin with its own.
struct Plot {
  std::string name;
  std::string experiment;
  std::string what;
  std::function<std::vector<std::filesystem::path>(const ReportData&, const std::filesystem::path& folder)> draw;
};

/// Figure 1 of TO14: fig01 (errors in six rows) and fig01_energy.
Plot fig01();
/// Running times of TO14 4.1: printed ratios and counted arithmetic.
Plot cpu_times();
/// Chaos in the double pendulum: Poincare sections and Lyapunov exponents.
Plot double_pendulum_chaos();
/// Counted work against error of all methods on the double pendulum.
Plot work_precision();
/// Counted work against error on the chain of pendula, and with real springs.
Plot chain_work_precision();
/// Energy over long times: linearised SHAKE, symmetric methods on a rotor.
Plot long_time();
/// Figure 11 of TO14, from a computed motion.
Plot fig11();
/// Figure 2 of TO14: the constraints against omega, and the multipliers.
Plot fig02();
/// Figure 3 of TO14: the chain of ten pendula, with errors.
Plot fig03();
/// Stability of the chain of pendula against omega, h and n: chain_thresholds.
Plot chain_thresholds();
/// Stability against omega, h and beta: stability_thresholds.
Plot stability_thresholds();
/// Push-forward Newmark near a stable equilibrium: nonlinear_stability.
Plot nonlinear_stability();
/// Steps on the penalised double pendulum against omega: stiff_steps.
Plot stiff_steps();
/// Figure 4 of TO14: distances between the oxygens of seven water molecules.
Plot fig04();
/// Figure 7 of TO14: the same of a hundred.
Plot fig07();
/// Figure 5 of TO14: multipliers of rigid and of penalised water.
Plot fig05();
/// Figure 6 of TO14: energy and momenta of a water cluster.
Plot fig06();
/// Stability of Integrator 5 of TO14 on a water cluster.
Plot water_stability();
/// Figure 8 of TO14: transitions and energies of the DNA model.
Plot fig08();
/// How long methods last on the DNA model: dna_stability.
Plot dna_stability();
/// When the strand opens, over seeds: dna_statistics.
Plot dna_statistics();
/// Time of a step per unknown against the number of unknowns: large_systems.
Plot large_systems();
/// GLA on harmonic motion: bias of temperature and positions against h.
Plot geometric_langevin();
/// Angles of rigid and restrained trimers under GLA.
Plot langevin_sampling();
/// Figures 1 and 4 of BOS09: energy errors in the stress test.
Plot lie_newmark_drift();
/// Figures 3 and 5 of BOS09: errors against the step.
Plot lie_newmark_order();
/// Figure 2 of BOS09: the path in the axis-angle ball; energy over six million steps.
Plot lie_newmark_path();
/// Figure 9 of TO14: snapshots of the magnetised body.
Plot fig09();
/// Figure 10 of TO14: energy, group structure and deviation of the magnetised body.
Plot fig10();
/// The magnetised body over beta and h omega: magnetised_body_stability.
Plot magnetised_body_stability();
/// Temperatures of seven water molecules under the methods of TO14 4.3.
Plot water_temperature();
/// Slides 24 to 26 of CS101: step histories and energies on chains.
Plot adaptive_chains();
/// Slide 18 of CS101: points of motions under rules for the step.
Plot step_rules();
/// Slides 5 to 9, 23 and 24 of CS101: energy and steps of adaptive methods, Kepler and the pendulum.
Plot adaptive_energy();
/// Slide 6 of CS101: Skeel's spring, phase portraits and growth of the energy.
Plot skeel_spring();
/// Slides 19 and 23 of CS101 on chaotic orbits: how the energy of adaptive methods walks.
Plot adaptive_chaos();
/// Slides 3 and 4 of CS101: force evaluations against errors.
Plot adaptive_work_precision();
/// A million periods with adaptive steps (CS101).
Plot adaptive_long();
/// Section 1 of BO07: the energy that noise brings.
Plot energy_growth();
/// One path of the noise on the sphere (BO07).
Plot sphere_paths();
/// Strong orders of RATTLE with int W dt (BO07).
Plot strong_orders();
/// Section 1 of BO07: Langevin dynamics with constraints, averages and a trimer's angle.
Plot constrained_sampling();

}  // namespace livi::plots
