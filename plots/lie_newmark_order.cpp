// SPDX-License-Identifier: MIT
// Figures 3 and 5 of BOS09: errors at T = 5 against the step.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>

namespace livi::plots {

Plot lie_newmark_order() {
  return {"lie_newmark_order", "lie_newmark_order",
          "Error at T = 5 against the step (BOS09, Figures 3 and 5): NMB, VLV, LIEMID[EA]",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(1080, 470);
            const auto panel = [&](const char* column, const char* title, const char* label) {
              Panel result{
                  .title = title, .x_label = "log_{10} h", .y_label = label, .logarithmic_y = true, .legend = true};
              const auto add = [&](const char* series, const char* name, Colour colour, bool dashed) {
                Points points = report.series(series).points("h", column);
                for (auto& [x, y] : points) x = std::log10(x);
                result.curves.push_back({.points = points, .title = name, .colour = colour, .dashed = dashed});
              };
              add("newmark_cayley", "NMB", Colour::vermilion, false);
              add("newmark_exponential", "NMB, exp", Colour::vermilion, true);
              add("verlet_cayley", "VLV", Colour::blue, false);
              add("verlet_exponential", "VLV, exp", Colour::blue, true);
              add("midpoint_exponential", "LIEMID[EA]", Colour::orange, false);
              add("slope_two", "slope 2", Colour::grey, true);
              return result;
            };
            drawing.add(panel("error_q", "Configuration", "dist(Q, reference)"), {100, 34, 520, 350});
            drawing.add(panel("error_w", "Body angular velocity", "|W - reference| [1/time]"), {640, 34, 1060, 350});
            return drawing.write(folder, "lie_newmark_order");
          }};
}

}  // namespace livi::plots
