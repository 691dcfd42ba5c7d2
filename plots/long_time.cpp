// SPDX-License-Identifier: MIT
// Energy over long times: linearised SHAKE, and symmetric methods on an orbit without reversal symmetry.
#include "drawing.hpp"
#include "figures.hpp"

namespace livi::plots {

Plot long_time() {
  return {"long_time", "long_time", "Energy over long times: linearised SHAKE; symmetric methods on a turning rotor",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(1080, 440);
            const auto curve = [&](const char* series, const char* title, Colour colour, bool dashed = false) {
              return Curve{.points = report.series(series).points("t", "energy_error"),
                           .title = title,
                           .colour = colour,
                           .dashed = dashed};
            };
            Panel shake{.title = "SHAKE, double pendulum"};
            shake.curves = {curve("shake_converged", "converged", Colour::black),
                            curve("shake_one_iteration", "one iteration from zero", Colour::vermilion),
                            curve("shake_one_iteration_guessed", "from the last multiplier", Colour::blue, true)};
            Panel rotor{.title = "Turning rotor"};
            rotor.curves = {curve("rotor_simplified_zhang_skeel", "Z\\\\&Ss", Colour::purple, true),
                            curve("rotor_zhang_skeel", "Z\\\\&S", Colour::purple),
                            curve("rotor_pushforward_newmark", "push-forward Newmark", Colour::blue, true)};
            for (Panel* panel : {&shake, &rotor}) {
              panel->x_label = "t [time]";
              panel->y_label = "mean energy error [energy]";
              panel->legend = true;
            }
            drawing.add(std::move(shake), {100, 34, 520, 330});
            drawing.add(std::move(rotor), {640, 34, 1060, 330});
            return drawing.write(folder, "long_time");
          }};
}

}  // namespace livi::plots
