// SPDX-License-Identifier: MIT
// Adaptive steps: the figures of CS101.
#include "figure.hpp"

#include <algorithm>
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

/// The steps, or the energy errors, of the three methods on a regular motion.
Panel histories(const std::string& chain, const std::string& title, bool energies) {
  return {.title = title,
          .series = "regular_" + chain + "_*",
          .x = "t",
          .y = energies ? "energy_error" : "dt",
          .x_label = "t [time]",
          .y_label = energies ? "H - E_0 [energy]" : "dt [time]",
          .x_range = {{0, 20}},
          .legend = !energies,
          .width = 1.5,
          .curves = {{.title = "Hamiltonian", .colour = blue, .series = "hamiltonian"},
                     {.title = "variational", .colour = sky_blue, .series = "variational", .dashed = true},
                     {.title = "reversible", .colour = vermilion, .series = "reversible", .dashed = true}}};
}

/// Six runs of each method, under one entry of the legend.
std::vector<Curve> runs() {
  std::vector<Curve> curves;
  for (const auto& [method, colour] :
       {std::pair("reversible", vermilion), std::pair("hamiltonian", blue), std::pair("variational", sky_blue)})
    for (const char run : {'1', '2', '3', '4', '5', '6'})
      curves.push_back({.colour = colour, .series = method, .y = std::string("run_") + run});
  curves[0].title = "reversible";
  curves[6].title = "Hamiltonian";
  curves[12].title = "variational";
  return curves;
}

Figure adaptive_chains() {
  return {"adaptive_chains",
          "adaptive_chains",
          "Step histories and energies of adaptive methods on chains of springs (CS101, slides 24 to 26)",
          finding_of_chains,
          {{170,
            {histories("stiff_01", "Four masses, k = 50, maximum 0.1", false),
             histories("soft_02", "k = 5, maximum 0.2", false)}},
           {150, {histories("stiff_01", "Their energy error", true), histories("soft_02", "Their energy error", true)}},
           {240,
            {{.title = "Chaotic, k = 50: six starts",
              .series = "chaotic_*_energy",
              .x = "t",
              .x_label = "t [time]",
              .y_label = "H - E_0, means over 16 [energy]",
              .legend = true,
              .width = 1,
              .curves = runs()},
             {.title = "Root mean square change over a lag",
              .series = "chaotic_*_growth",
              .x = "lag",
              .y = "change",
              .x_label = "lag [time]",
              .y_label = "change [energy]",
              .log_x = true,
              .log_y = true,
              .legend = true,
              .width = 1.5,
              .curves = {{.title = "dt = h sigma(q_k)", .colour = black, .series = "explicit"},
                         {.title = "reversible", .colour = vermilion, .series = "reversible"},
                         {.title = "slide 28", .colour = orange, .series = "integrated", .dashed = true},
                         {.title = "constant", .colour = grey, .series = "constant", .dashed = true},
                         {.title = "Hamiltonian", .colour = blue, .series = "hamiltonian"},
                         {.title = "variational", .colour = sky_blue, .series = "variational"}}}}}}};
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

Figure step_rules() {
  Figure figure{"step_rules", "cs101_step_rules", "Points of motions under rules for the step (CS101, slide 18)",
                finding_of_rules};
  figure.rows = {{190, {}}, {190, {}}};
  const auto add = [&](const std::string& rule, const char* title, Colour colour) {
    const bool first = figure.rows[0].panels.empty();
    const auto panel = [&](const std::string& motion, const std::string& x, const std::string& y, double right) {
      return Panel{.title = title,
                   .series = motion + "_" + rule,
                   .x = x,
                   .y = y,
                   .x_label = x + " []",
                   .y_label = first ? y + " []" : "",
                   .x_range = {{right == 3 ? -3 : -1.75, right}},
                   .width = 1.5,
                   .curves = {{.colour = colour, .dots = true}}};
    };
    figure.rows[0].panels.push_back(panel("kepler", "x", "y", 0.55));
    figure.rows[0].panels.back().y_range = {{-1, 1}};
    figure.rows[1].panels.push_back(panel("pendulum", "q", "p", 3));
    figure.rows[1].panels.back().y_range = {{-2.2, 2.2}};
  };
  add("constant", "constant", black);
  add("equal_distances", "equal distances", blue);
  add("inverse_acceleration", "1/acceleration", vermilion);
  add("equal_states", "equal states", green);
  return figure;
}

// --- energy errors over 1000 periods and the steps of two, Kepler and the pendulum, slides 5 to 9, 23 and 24

std::string finding_of_energies(const ReportData& report) {
  // In oscillations of the Hamiltonian method.
  const double naive = report.measured("CS101.slide8.pendulum"), kept = report.measured("CS101.slide9.fixes");
  return sentence(std::string(naive >= 1 && kept <= 0.01
                                  ? "Over 1000 periods the energy drifts away with steps that only follow the motion, "
                                  : "Over 1000 periods the energy moves with steps that only follow the motion ") +
                      "on the pendulum by {} oscillations and more, with symplectic or reversible ones by {} at most",
                  {naive, kept});
}

Panel energies(const char* title, const char* series, std::vector<Curve> curves) {
  return {.title = title,
          .series = series,
          .x = "t",
          .y = "largest",
          .x_label = "t [periods]",
          .y_label = "largest |H - E_0| [energy]",
          .x_range = {{0, 1000}},
          .log_y = true,
          .legend = true,
          .curves = std::move(curves)};
}

Panel steps(const char* title, const char* series, std::vector<Curve> curves) {
  return {.title = title,
          .series = series,
          .x = "t",
          .y = "step",
          .x_label = "t [periods]",
          .y_label = "dt [time]",
          .x_range = {{0, 2}},
          .legend = true,
          .width = 1.5,
          .curves = std::move(curves)};
}

Figure adaptive_energy() {
  return {"adaptive_energy",
          "adaptive_energy",
          "Energy with adaptive steps (CS101): Kepler and the pendulum, their steps",
          finding_of_energies,
          {{300,
            {energies("Kepler, e = 0.6, dt = h r^{3/2}", "kepler60_*",
                      {{.title = "explicit", .colour = vermilion, .series = "kepler_explicit"},
                       {.title = "error control", .colour = orange, .series = "error_controlled"},
                       {.title = "constant", .colour = grey, .series = "constant"},
                       {.title = "reversible", .colour = green, .series = "kepler_reversible"},
                       {.title = "slide 28", .colour = green, .series = "kepler_integrated", .dashed = true},
                       {.title = "Hamiltonian", .colour = blue, .series = "kepler_hamiltonian"}}),
             energies("Pendulum from 2.5", "pendulum_*",
                      {{.title = "explicit, speed", .colour = vermilion, .series = "speed_explicit"},
                       {.title = "constant", .colour = grey, .series = "constant"},
                       {.title = "reversible", .colour = green, .series = "distances_reversible"},
                       {.title = "slide 28", .colour = green, .series = "distances_integrated", .dashed = true},
                       {.title = "Hamiltonian", .colour = blue, .series = "distances_hamiltonian"},
                       {.title = "reversible, speed", .colour = purple, .series = "speed_reversible"}})}},
           {240,
            {steps("Steps, Kepler", "steps_kepler60_*",
                   {{.title = "h r^{3/2}", .colour = blue, .series = "kepler"},
                    {.title = "h (E_0 - W)^{-1/2}", .colour = purple, .series = "distances"},
                    {.title = "error control", .colour = orange, .series = "error_controlled"}}),
             steps("Steps, pendulum", "steps_pendulum_*",
                   {{.title = "h (E_0 - W + 0.1)^{-1/2}", .colour = blue, .series = "distances"},
                    {.title = "equal distances of states", .colour = green, .series = "state"},
                    {.title = "h (v^2 + 0.1)^{-1/2}", .colour = purple, .series = "speed"}})}}}};
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

Figure skeel_spring() {
  const auto portrait = [](const char* title, const char* series, Colour colour) {
    return Panel{.title = title,
                 .series = series,
                 .x = "q",
                 .y = "p",
                 .x_label = "q",
                 .y_label = "p",
                 .x_range = {{-1.8, 1.8}},
                 .y_range = {{-1.8, 1.8}},
                 .width = 1,
                 .curves = {{.colour = colour, .dots = true}}};
  };
  return {"skeel_spring",
          "skeel_spring",
          "Skeel's spring (CS101, slide 6): phase portraits, growth of the energy",
          finding_of_spring,
          {{Drawing::axes_width(3),
            {portrait("0.2 where q p >= 0, 0.1 elsewhere", "portrait_quadrants", vermilion),
             portrait("constant steps 0.15", "portrait_constant", grey),
             portrait("variational, 0.1 to 0.2", "portrait_variational", blue)}},
           {260,
            {{.title = "The logarithm of the energy (dashed: closed form)",
              .x = "t",
              .y = "mean",
              .x_label = "t [periods]",
              .y_label = "log(E/E_0)",
              .x_range = {{0, 1000}},
              .legend = true,
              .curves = {{.title = "0.2 and 0.1", .colour = vermilion, .series = "quadrants_coarse"},
                         {.title = "0.1 and 0.05", .colour = orange, .series = "quadrants_fine"},
                         {.title = "0.1 and 0.2", .colour = purple, .series = "quadrants_exchanged"},
                         {.title = "0.2, 0.1 in turn", .colour = grey, .series = "alternating_coarse"},
                         {.title = "variational", .colour = blue, .series = "variational_mean"}}}}}},
          add_closed_forms};
}

// --- changes of the energy on chaotic orbits against the time between, slides 19 and 23

std::string finding_of_chaos(const ReportData& report) {
  const double reversible = report.measurement("coupled.reversible.power"),
               symplectic = report.measurement("coupled.hamiltonian.power"),
               coarse = report.measurement("coupled.hamiltonian_coarse.power");
  return sentence(std::string("On chaotic orbits the energy of the reversible method ") +
                      (reversible > 0.25 && symplectic < 0.25 ? "walks, as" : "moves as") +
                      " t^{{}}; that of the Hamiltonian method goes as t^{{}}, with twice the step as t^{{}}",
                  {reversible, symplectic, coarse});
}

Figure adaptive_chaos() {
  const auto panel = [](const char* title, const char* series, std::vector<Curve> curves) {
    return Panel{.title = title,
                 .series = series,
                 .x = "t",
                 .y = "change",
                 .x_label = "time between [periods]",
                 .y_label = "rms change of the mean energy [energy]",
                 .log_x = true,
                 .log_y = true,
                 .legend = true,
                 .curves = std::move(curves)};
  };
  return {"adaptive_chaos",
          "adaptive_chaos",
          "Energy of adaptive steps on chaotic orbits (CS101, slides 19 and 23)",
          finding_of_chaos,
          {{300,
            {panel("Coupled quartic oscillators, E = 10", "coupled_*",
                   {{.title = "explicit", .colour = vermilion, .series = "explicit"},
                    {.title = "reversible", .colour = green, .series = "reversible"},
                    {.title = "slide 28", .colour = green, .series = "integrated", .dashed = true},
                    {.title = "Hamiltonian", .colour = blue, .series = "hamiltonian"},
                    {.title = "Hamiltonian, 2 h", .colour = blue, .series = "hamiltonian_coarse", .dashed = true},
                    {.title = "constant", .colour = grey, .series = "constant"}}),
             panel("Henon-Heiles, E = 0.16", "henon_heiles160_*",
                   {{.title = "reversible", .colour = green, .series = "reversible"},
                    {.title = "mean of both ends", .colour = orange, .series = "reversible_steps"},
                    {.title = "reversible, (p, q)", .colour = purple, .series = "reversible_state"},
                    {.title = "Hamiltonian", .colour = blue, .series = "hamiltonian"}})}}}};
}

// --- up to a million periods of Kepler's ellipse with e = 0.9, slides 19 and 23

std::string finding_of_long_time(const ReportData& report) {
  return sentence(
      "Over 10^6 periods with e = 0.9 the logarithmic Hamiltonian errs by {} in the energy; the reversible method "
      "turns "
      "the perihelion by {} rad a period",
      {report.measurement("logarithmic.largest_energy_error"), report.measurement("reversible.turn_per_period")});
}

Figure adaptive_long() {
  const auto panel = [](const char* title, const char* column, const char* label, bool legend) {
    return Panel{
        .title = title,
        .x = "n",
        .y = column,
        .x_label = "t [periods]",
        .y_label = label,
        .log_x = true,
        .log_y = true,
        .legend = legend,
        .width = 1.5,
        .above = 0,  // where the perihelion has not turned yet there is no logarithm
        .curves = {{.title = "logarithmic H", .colour = blue, .series = "logarithmic"},
                   {.title = "reversible", .colour = green, .series = "reversible"},
                   {.title = "slide 28", .colour = orange, .series = "integrated", .dashed = true},
                   {.title = "Hamiltonian", .colour = vermilion, .series = "hamiltonian"},
                   {.title = "variational", .colour = purple, .series = "variational"},
                   {.title = "reversible, order 4", .colour = green, .series = "reversible4", .dashed = true},
                   {.title = "Hamiltonian, order 4", .colour = vermilion, .series = "hamiltonian4", .dashed = true}}};
  };
  return {"adaptive_long",
          "adaptive_long",
          "Up to a million periods with adaptive steps (CS101): energy and perihelion",
          finding_of_long_time,
          {{316,
            {panel("Largest energy error so far", "energy", "|H - E_0| at the aphelia", true),
             panel("Turn of the perihelion", "turn", "angle [rad]", false)}}}};
}

// --- force evaluations against errors of adaptive, constant and error-controlled steps, slides 3 and 4

std::string finding_of_work(const ReportData& report) {
  return sentence(
      "For an error of 1e-3 after 100 periods with e = 0.8 from the pericentre, Verlet's constant steps take "
      "{} times the forces of the Hamiltonian adaptive method",
      {report.measured("CS101.which.kepler")});
}

std::vector<Curve> methods_of_work(const std::vector<std::string>& left_out = {}) {
  std::vector<Curve> curves{
      {.title = "constant", .colour = grey, .series = "constant"},
      {.title = "h sigma(q_k)", .colour = black, .series = "explicit", .dashed = true},
      {.title = "reversible", .colour = green, .series = "reversible"},
      {.title = "Hamiltonian", .colour = vermilion, .series = "hamiltonian"},
      {.title = "Hamiltonian, order 4", .colour = vermilion, .series = "hamiltonian4", .dashed = true},
      {.title = "log. H, order 4", .colour = blue, .series = "logarithmic4", .dashed = true},
      {.title = "Dormand-Prince", .colour = orange, .series = "dopri5"},
      {.title = "Fehlberg 7(8)", .colour = purple, .series = "fehlberg78"}};
  std::erase_if(curves, [&](const Curve& curve) {
    return std::find(left_out.begin(), left_out.end(), curve.series) != left_out.end();
  });
  return curves;
}

/// The three errors of a problem on one scale. A run that leaves the orbit has errors of any size.
Row errors_of(const std::string& problem, const std::string& title, const char* label,
              std::pair<double, double> x_range, const std::vector<Curve>& methods) {
  Row row{190, {}};
  for (const std::string error : {"position", "phase", "energy"})
    row.panels.push_back({.title = title + ": " + error,
                          .series = problem + "_*",
                          .x = "calls",
                          .y = error,
                          .x_label = label,
                          .y_label = error == "position" ? "error" : "",
                          .x_range = x_range,
                          .y_range = {{1e-14, 10}},
                          .log_x = true,
                          .log_y = true,
                          .width = 1.5,
                          .clip = true,
                          .curves = methods});
  return row;
}

Figure adaptive_work_precision() {
  const std::pair<double, double> a_period{40, 60000};
  return {"adaptive_work_precision",
          "adaptive_work_precision",
          "Force evaluations against errors (CS101): adaptive, constant and error-controlled steps",
          finding_of_work,
          {errors_of("e60", "e = 0.6", "forces a period", a_period, methods_of_work()),
           errors_of("e80", "e = 0.8", "forces a period", a_period, methods_of_work()),
           errors_of("e99", "e = 0.99", "forces a period", a_period, methods_of_work()),
           errors_of("pythagorean", "Pythagorean", "forces", {2000, 3e6}, methods_of_work({"constant"})),
           {300,
            {{.title = "e = 0.8: what the energy says of the position",
              .series = "e80_*",
              .x = "position",
              .y = "energy",
              .x_label = "position error",
              .y_label = "energy error",
              .x_range = {{1e-10, 1}},
              .y_range = {{1e-14, 10}},
              .log_x = true,
              .log_y = true,
              .legend = true,
              .width = 1.5,
              .clip = true,
              .curves = methods_of_work()},
             {.title = "Kepler, e = 0.6: angle",
              .series = "growth_*",
              .x = "t",
              .y = "angle",
              .x_label = "t [periods]",
              .y_label = "error of the angle [rad]",
              .log_x = true,
              .log_y = true,
              .width = 1.5,
              .curves = methods_of_work({"hamiltonian4", "logarithmic4"})}}}}};
}

}  // namespace

std::vector<Figure> adaptive_figures() {
  return {adaptive_energy(),         skeel_spring(), adaptive_chaos(), adaptive_chains(), step_rules(),
          adaptive_work_precision(), adaptive_long()};
}

}  // namespace livi::plots
