// SPDX-License-Identifier: MIT
// Work and precision of the methods on the double pendulum: counted arithmetic against error.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>

namespace livi::plots {

Plot work_precision() {
  return {
      "work_precision", "work_precision", "Work-precision diagram of all methods on the double pendulum",
      [](const ReportData& report, const std::filesystem::path& folder) {
        Drawing drawing(1080, 650);
        const auto curve = [&](const char* series, const char* title, const char* error, Colour colour,
                               bool dashed = false) {
          Points points = report.series(series).points("operations", error);
          for (auto& [x, y] : points) x = std::log10(x);
          return Curve{.points = points, .title = title, .colour = colour, .dashed = dashed};
        };
        const auto add_penalised = [&](Panel& panel, const char* error) {
          panel.curves.push_back(curve("verlet", "Verlet", error, Colour::green));
          panel.curves.push_back(curve("symplectic_euler", "Euler", error, Colour::green, true));
          panel.curves.push_back(curve("newmark", "Newmark, solved", error, Colour::blue));
          panel.curves.push_back(curve("pushforward_newmark", "push-forward", error, Colour::blue, true));
          panel.curves.push_back(curve("newmark_one_iteration", "Newmark, 1 it.", error, Colour::vermilion));
          panel.curves.push_back(curve("zhang_skeel", "Z\\\\&S", error, Colour::purple));
          panel.curves.push_back(curve("simplified_zhang_skeel", "Z\\\\&Ss", error, Colour::purple, true));
          panel.curves.push_back(curve("implicit_midpoint", "implicit midpoint", error, Colour::sky_blue));
        };
        Panel left{.title = "Error against the exact penalised motion"};
        add_penalised(left, "error_penalised");
        left.curves.push_back(curve("verlet_suzuki_4", "Suzuki 4 of Verlet", "error_penalised", Colour::orange));
        left.curves.push_back(
            curve("verlet_yoshida_4", "Yoshida 4 of Verlet", "error_penalised", Colour::orange, true));
        left.curves.push_back(curve("zhang_skeel_suzuki_4", "Suzuki 4 of Z\\\\&S", "error_penalised", Colour::yellow));
        left.curves.push_back(curve("odeint_mclachlan_4", "McLachlan 4", "error_penalised", Colour::grey));
        left.curves.push_back(curve("runge_kutta_4", "Runge-Kutta 4", "error_penalised", Colour::grey, true));
        Panel right{.title = "Error against the constrained motion"};
        right.curves.push_back(curve("shake", "SHAKE", "error_constrained", Colour::black));
        right.curves.push_back(curve("rattle", "RATTLE", "error_constrained", Colour::black, true));
        right.curves.push_back(curve("angles_variational_euler", "Euler, angles", "error_constrained", Colour::orange));
        add_penalised(right, "error_constrained");
        for (Panel* panel : {&left, &right}) {
          panel->x_label = "log_{10} of arithmetic operations to T = 10";
          panel->y_label = "largest position error [length]";
          panel->logarithmic_y = true;
          panel->legend = true;
        }
        left.x_range = {{3.8, 7.6}};
        left.y_range = {{1e-11, 2.0}};
        right.x_range = {{3.8, 8.0}};
        right.y_range = {{1e-7, 2.0}};
        drawing.add(std::move(left), {90, 34, 520, 450});
        drawing.add(std::move(right), {630, 34, 1060, 450});
        return drawing.write(folder, "work_precision");
      }};
}

}  // namespace livi::plots
