// SPDX-License-Identifier: MIT
// Regular and chaotic motion of the double pendulum: Poincare sections, growth of a tangent vector, a family of starts.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace livi::plots {
namespace double_pendulum_chaos_parts {

std::string finding(const ReportData& report) {
  double printed = 0;
  for (const char* method :
       {"row1_benchmark", "row2_shake", "row3_variational_euler", "row4_newmark", "row6_zhang_skeel"})
    printed = std::max(printed, report.measurement("printed." + std::string(method) + ".exponent"));
  const double high = report.measurement("high.constrained.exponent");
  const std::string numbers = "Lyapunov exponents of the five symplectic runs from it are at most " + number(printed) +
                              ", that of the exact motion from (2, 2) is " + number(high);
  return printed < 0.005 && high > 0.1 ? "The start of Figure 1 is regular: " + numbers
                                       : "The start of Figure 1: " + numbers;
}

}  // namespace double_pendulum_chaos_parts

Plot double_pendulum_chaos() {
  using namespace double_pendulum_chaos_parts;
  return {"double_pendulum_chaos", "double_pendulum_chaos",
          "Chaos in the double pendulum of TO14 4.1: Poincare sections and Lyapunov exponents",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const std::array<std::pair<const char*, const char*>, 3> sections{
                {{"section_low", "Section, energy -3 (Figure 1)"},
                 {"section_middle", "Section, energy -1.2"},
                 {"section_high", "Section, energy 1.42"}}};
            std::vector<Panel> of_sections;
            for (const auto& [name, title] : sections) {
              Panel panel;
              panel.curves = {{.points = report.series(name).points("phi", "p_phi"),
                               .colour = Colour::blue,
                               .width = 2.5,
                               .dots = true}};
              panel.title = title;
              panel.x_label = "phi";
              panel.y_label = "momentum of phi";
              of_sections.push_back(std::move(panel));
            }
            drawing.row(240, std::move(of_sections));
            const auto curve = [&](const char* series, const char* title, Colour colour, bool dashed = false) {
              return curve_of(report.series(series), "t", "log_size", title, colour, dashed, 1.5);
            };
            Panel growth;
            growth.curves = {curve("constrained_printed", "exact, Figure 1", Colour::grey),
                             curve("constrained_high", "exact, (2, 2)", Colour::black),
                             curve("penalised_high", "exact penalised", Colour::black, true),
                             curve("row2_shake_high", "SHAKE", Colour::orange),
                             curve("row4_newmark_high", "Newmark, solved", Colour::blue),
                             curve("row5_newmark_one_iteration_high", "Newmark, 1 iteration", Colour::vermilion)};
            growth.title = "Size of a tangent vector";
            growth.x_label = "t [time]";
            growth.y_label = "natural logarithm";
            growth.legend = true;

            const Series family = report.series("family");
            const auto of_family = [&](const char* column, const char* title, Colour colour, bool dashed = false) {
              return curve_of(family, "angle", column, title, colour, dashed, 1.5);
            };
            Panel exponents;
            exponents.curves = {of_family("constrained", "exact", Colour::black),
                                of_family("penalised", "exact penalised", Colour::black, true),
                                of_family("shake", "SHAKE", Colour::orange),
                                of_family("newmark", "Newmark, solved", Colour::blue),
                                of_family("newmark_one_iteration", "Newmark, 1 iteration", Colour::vermilion),
                                of_family("zhang_skeel", "Z&S", Colour::purple)};
            exponents.title = "Exponent over T = 400 (off the scale: left)";
            exponents.x_label = "both angles of the start at rest";
            exponents.y_label = "exponent [1/time]";
            exponents.y_range = {{-0.02, 0.6}};
            exponents.x_range = {{0, 3.1}};
            exponents.legend = true;
            drawing.row(320, {std::move(growth), std::move(exponents)});
            return drawing.write(folder, "double_pendulum_chaos");
          }};
}

}  // namespace livi::plots
