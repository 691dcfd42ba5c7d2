// SPDX-License-Identifier: MIT
// Steps on the penalised double pendulum against omega: explicit, adaptive, Zhang-Skeel.
#include "drawing.hpp"
#include "figures.hpp"

#include <array>
#include <cmath>

namespace livi::plots {

Plot stiff_steps() {
  return {"stiff_steps", "stiff_steps", "steps of Verlet, an adaptive method and Zhang-Skeel against omega",
          [](const ReportData& report, const std::filesystem::path& folder) {
            struct Entry {
              const char* column;
              const char* title;
              Colour colour;
              bool dashed;
            };
            constexpr std::array<Entry, 3> entries{{
                {"zhang_skeel_step", "Zhang-Skeel, error 0.02 to t = 10", Colour::purple, false},
                {"verlet_limit", "Verlet, largest stable", Colour::black, false},
                {"adaptive_mean_step", "Cash-Karp 5(4), tolerance 10^{-5}, mean", Colour::orange, true},
            }};
            const Series series = report.series("steps");
            Panel panel{.title = "Steps on the penalised double pendulum",
                        .x_label = "log_{10} omega",
                        .y_label = with_unit("h", series.unit("verlet_limit")),
                        .y_range = {{1e-4, 0.2}},
                        .logarithmic_y = true,
                        .legend = true};
            for (const Entry& entry : entries) {
              Points points = series.points("omega", entry.column);
              for (auto& point : points) point.first = std::log10(point.first);
              panel.curves.push_back(
                  {.points = points, .title = entry.title, .colour = entry.colour, .width = 2, .dashed = entry.dashed});
            }
            Drawing drawing(1000, 500);
            drawing.add(std::move(panel), {90, 34, 960, 340});
            return drawing.write(folder, "stiff_steps");
          }};
}

}  // namespace livi::plots
