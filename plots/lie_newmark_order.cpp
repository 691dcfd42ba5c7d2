// SPDX-License-Identifier: MIT
// Figures 3 and 5 of BOS09: errors at T = 5 against the step.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>
#include <string>

namespace livi::plots {
namespace lie_newmark_order_parts {

std::string finding(const ReportData& report) {
  const double order = report.measured("BOS09.fig5");
  const std::string powers = "(the power farthest from two is " + number(order, 4) + ")";
  return (std::abs(order - 2) < 0.05 ? "Errors of NMB, VLV and LIEMID[EA] fall as h^2 " + powers
                                     : "Errors of NMB, VLV and LIEMID[EA] " + powers) +
         "; at T = 5 VLV errs " +
         number(report.measurement("verlet_cayley.finest_error_q") /
                report.measurement("newmark_cayley.finest_error_q")) +
         " times as much as NMB in Q";
}

}  // namespace lie_newmark_order_parts

Plot lie_newmark_order() {
  using namespace lie_newmark_order_parts;
  return {"lie_newmark_order", "lie_newmark_order",
          "Error at T = 5 against the step (BOS09, Figures 3 and 5): NMB, VLV, LIEMID[EA]",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const auto panel = [&](const char* column, const char* title, const char* label) {
              Panel result{.title = title,
                           .x_label = "h",
                           .y_label = label,
                           .logarithmic_x = true,
                           .logarithmic_y = true,
                           .legend = true};
              const auto add = [&](const char* series, const char* name, Colour colour, bool dashed) {
                result.curves.push_back(curve_of(report.series(series), "h", column, name, colour, dashed, 1.5));
              };
              add("newmark_cayley", "NMB", Colour::vermilion, false);
              add("newmark_exponential", "NMB, exp", Colour::vermilion, true);
              add("verlet_cayley", "VLV", Colour::blue, false);
              add("verlet_exponential", "VLV, exp", Colour::blue, true);
              add("midpoint_exponential", "LIEMID[EA]", Colour::orange, false);
              add("slope_two", "slope 2", Colour::grey, true);
              return result;
            };
            drawing.row(316, {panel("error_q", "Configuration", "dist(Q, reference)"),
                              panel("error_w", "Body angular velocity", "|W - reference| [1/time]")});
            return drawing.write(folder, "lie_newmark_order");
          }};
}

}  // namespace livi::plots
