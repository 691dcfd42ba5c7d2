// SPDX-License-Identifier: MIT
// Energy over long times: linearised SHAKE, and symmetric methods on an orbit without reversal symmetry.
#include "drawing.hpp"
#include "figures.hpp"

namespace livi::plots {
namespace long_time_parts {

std::string finding(const ReportData& report) {
  const auto change = [&](const char* series) {
    const Points points = report.series(series).points("t", "energy_error");
    return number(points.back().second - points.front().second);
  };
  return "The mean energy changes by " + change("shake_one_iteration") +
         " with one iteration of SHAKE from multiplier zero and by " + change("shake_one_iteration_guessed") +
         " from the last one; on the rotor by " + change("rotor_simplified_zhang_skeel") + " with Z&Ss and by " +
         change("rotor_zhang_skeel") + " with Z&S";
}

}  // namespace long_time_parts

Plot long_time() {
  using namespace long_time_parts;
  return {"long_time", "long_time", "Energy over long times: linearised SHAKE; symmetric methods on a turning rotor",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const auto curve = [&](const char* series, const char* title, Colour colour, bool dashed = false) {
              return curve_of(report.series(series), "t", "energy_error", title, colour, dashed, 1.5);
            };
            Panel shake{.title = "SHAKE, double pendulum"};
            shake.curves = {curve("shake_converged", "converged", Colour::black),
                            curve("shake_one_iteration", "one iteration from zero", Colour::vermilion),
                            curve("shake_one_iteration_guessed", "from the last multiplier", Colour::blue, true)};
            Panel rotor{.title = "Turning rotor"};
            rotor.curves = {curve("rotor_simplified_zhang_skeel", "Z&Ss", Colour::purple, true),
                            curve("rotor_zhang_skeel", "Z&S", Colour::purple),
                            curve("rotor_pushforward_newmark", "push-forward Newmark", Colour::blue, true)};
            for (Panel* panel : {&shake, &rotor}) {
              panel->x_label = "t [time]";
              panel->y_label = "mean energy error [energy]";
              panel->legend = true;
            }
            drawing.row(296, {std::move(shake), std::move(rotor)});
            return drawing.write(folder, "long_time");
          }};
}

}  // namespace livi::plots
