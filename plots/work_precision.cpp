// SPDX-License-Identifier: MIT
// Work and precision of the methods on the double pendulum: counted arithmetic against error.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace work_precision_parts {

/// The arithmetic of Z&S over that of push-forward Newmark at this error, as its measurement names it.
double over_pushforward(const ReportData& report, const std::string& error) {
  const std::string at = ".operations_for_error=" + error;
  return report.measurement("zhang_skeel" + at) / report.measurement("pushforward_newmark" + at);
}

}  // namespace work_precision_parts

Plot work_precision() {
  using namespace work_precision_parts;
  return {"work_precision", "work_precision", "Work-precision diagram of all methods on the double pendulum",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing("At errors of 10^{-2} and 10^{-4} against the exact penalised motion Z&S takes " +
                            number(over_pushforward(report, "0.01")) + " and " +
                            number(over_pushforward(report, "0.0001")) +
                            " times the arithmetic of push-forward Newmark, if that is solved to rounding");
            const auto curve = [&](const char* series, const char* title, const char* error, Colour colour,
                                   bool dashed = false) {
              return curve_of(report.series(series), "operations", error, title, colour, dashed);
            };
            const auto penalised = [&](const char* error) {
              return std::vector<Curve>{
                  curve("verlet", "Verlet", error, Colour::green),
                  curve("symplectic_euler", "variational Euler", error, Colour::green, true),
                  curve("newmark", "Newmark, solved", error, Colour::blue),
                  curve("pushforward_newmark", "push-forward Newmark", error, Colour::blue, true),
                  curve("newmark_one_iteration", "Newmark, one iteration", error, Colour::vermilion),
                  curve("zhang_skeel", "Z&S", error, Colour::purple),
                  curve("simplified_zhang_skeel", "Z&Ss", error, Colour::purple, true),
                  curve("implicit_midpoint", "implicit midpoint", error, Colour::sky_blue)};
            };
            const char* const of_penalised = "error_penalised";
            Panel second{.curves = penalised(of_penalised), .title = "Order 2, to the exact penalised motion"};
            Panel fourth{.title = "Order 4, to the exact penalised motion"};
            fourth.curves = {curve("verlet_suzuki_4", "Suzuki 4 of Verlet", of_penalised, Colour::orange),
                             curve("verlet_yoshida_4", "Yoshida 4 of Verlet", of_penalised, Colour::orange, true),
                             curve("zhang_skeel_suzuki_4", "Suzuki 4 of Z&S", of_penalised, Colour::purple),
                             curve("odeint_mclachlan_4", "McLachlan 4", of_penalised, Colour::grey),
                             curve("runge_kutta_4", "Runge-Kutta 4", of_penalised, Colour::black, true),
                             curve("verlet", "Verlet, order 2", of_penalised, Colour::green)};
            const char* const of_constrained = "error_constrained";
            Panel penalties{.curves = penalised(of_constrained), .title = "Penalties, to the constrained motion"};
            Panel constraints{.title = "Constraints, to the constrained motion"};
            constraints.curves = {
                curve("shake", "SHAKE", of_constrained, Colour::black),
                curve("rattle", "RATTLE", of_constrained, Colour::black, true),
                curve("angles_variational_euler", "variational Euler, angles", of_constrained, Colour::orange),
                curve("zhang_skeel", "Z&S, penalised", of_constrained, Colour::purple)};
            for (Panel* panel : {&second, &fourth, &penalties, &constraints}) {
              panel->x_label = "arithmetic operations to T = 10";
              panel->y_label = "largest position error [length]";
              panel->logarithmic_x = true;
              panel->logarithmic_y = true;
              panel->legend = true;
            }
            second.x_range = fourth.x_range = {{6e3, 4e7}};
            fourth.y_range = {{1e-11, 2.0}};
            penalties.x_range = constraints.x_range = {{6e3, 1e8}};
            second.y_range = penalties.y_range = constraints.y_range = {{1e-7, 2.0}};
            drawing.row(300, {std::move(second), std::move(fourth)});
            drawing.row(300, {std::move(penalties), std::move(constraints)});
            return drawing.write(folder, "work_precision");
          }};
}

}  // namespace livi::plots
