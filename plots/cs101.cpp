// SPDX-License-Identifier: MIT
// The code of the figures of CS101.
#include "figure.hpp"

#include <cmath>

namespace livi::plots {
namespace {

// --- chains of springs, slides 24 to 26

std::string finding_of_chains(const ReportData& report) {
  const double reversible = report.measurement("chaotic_reversible.exponent"),
               hamiltonian = report.measurement("chaotic_hamiltonian.exponent"),
               variational = report.measurement("chaotic_variational.exponent");
  const bool walks = reversible > 0.7 && reversible < 1.3,
             bounded = std::abs(hamiltonian) < 0.3 && std::abs(variational) < 0.3;
  return sentence(
      std::string(walks && bounded ? "On a chaotic chain the energy walks at random under the reversible adaptive "
                                     "method and is bounded under the symplectic ones"
                                   : "Mean square change of the energy of a chaotic chain: reversible; Hamiltonian, "
                                     "variational adaptive steps") +
          " (mean square change as lag^p, p = {}; {}, {})",
      {reversible, hamiltonian, variational});
}

// --- the points of a Kepler orbit and of a swing of the pendulum under four rules for the step, slide 18

std::string finding_of_rules(const ReportData& report) {
  const double of_kepler = report.measured("CS101.slide18.rules"),
               of_pendulum = report.measurement("pendulum.acceleration_over_constant.coarse");
  return sentence(std::string(of_kepler < 1 && of_pendulum > 1
                                  ? "1/acceleration spaces states best of slide 18's rules about a centre: "
                                  : "1/acceleration spaces states with ") +
                      "{} of the next rule's variation on Kepler's orbit, {} times that of constant steps on the "
                      "pendulum",
                  {of_kepler, of_pendulum});
}

// --- energy errors over 1000 periods and the steps of two, Kepler and the pendulum, slides 5 to 9, 23 and 24

std::string finding_of_adaptive_energies(const ReportData& report) {
  // In oscillations of the Hamiltonian method.
  const double naive = report.measured("CS101.slide8.pendulum"), kept = report.measured("CS101.slide9.fixes");
  return sentence(std::string(naive >= 1 && kept <= 0.01
                                  ? "Over 1000 periods the energy drifts away with steps that only follow the motion, "
                                  : "Over 1000 periods the energy moves with steps that only follow the motion ") +
                      "on the pendulum by {} oscillations and more, with symplectic or reversible ones by {} at most",
                  {naive, kept});
}

// --- Skeel's spring, slide 6: its states and its energy with changed steps

std::string finding_of_spring(const ReportData& report) {
  const double per_turn = report.measurement("quadrants_coarse.growth_per_turn"),
               closed_form = report.measurement("quadrants_coarse.growth_per_turn_closed_form"),
               bounded = report.measurement("variational_mean.largest_change_of_log_energy");
  return sentence(
      std::string(per_turn > 0.01 ? "Steps of 0.2 where q p >= 0 and 0.1 elsewhere pump Skeel's spring, "
                                  : "With steps of 0.2 where q p >= 0 and 0.1 elsewhere the energy changes ") +
          "by {:3} % a turn (closed form {:3} %); variational steps as different change it by {:2} % at "
          "most",
      {100 * per_turn, 100 * closed_form, 100 * bounded});
}

/// After each of the first three curves the line of its closed form.
void add_closed_forms(const ReportData& report, std::vector<Row>& rows) {
  std::vector<Curve>& curves = rows[1].panels[0].curves;
  std::size_t after = 1;
  for (const std::string run : {"quadrants_coarse", "quadrants_fine", "quadrants_exchanged"}) {
    const double end = report.series(run).column("t").back();
    const Curve line{.points = {{0, 0}, {end, report.measurement(run + ".growth_per_turn_closed_form") * end}},
                     .width = 1.2,
                     .dashed = true};
    curves.insert(curves.begin() + static_cast<std::ptrdiff_t>(after), line);
    after += 2;
  }
}

// --- changes of the energy on chaotic orbits against the time between, slides 19 and 23

std::string finding_of_adaptive_chaos(const ReportData& report) {
  const double reversible = report.measurement("coupled.reversible.power"),
               symplectic = report.measurement("coupled.hamiltonian.power"),
               coarse = report.measurement("coupled.hamiltonian_coarse.power");
  return sentence(std::string("On chaotic orbits the energy of the reversible method ") +
                      (reversible > 0.25 && symplectic < 0.25 ? "walks, as" : "moves as") +
                      " t^{{}}; that of the Hamiltonian method goes as t^{{}}, with twice the step as t^{{}}",
                  {reversible, symplectic, coarse});
}

}  // namespace

Special cs101() {
  return {{{"adaptive_chains", {finding_of_chains}},
           {"step_rules", {finding_of_rules}},
           {"adaptive_energy", {finding_of_adaptive_energies}},
           {"skeel_spring", {finding_of_spring, add_closed_forms}},
           {"adaptive_chaos", {finding_of_adaptive_chaos}}}};
}

}  // namespace livi::plots
