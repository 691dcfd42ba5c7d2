// SPDX-License-Identifier: MIT
// The running times of TO14 4.1: printed ratios beside counted arithmetic.
#include "drawing.hpp"
#include "figures.hpp"

#include <array>
#include <string>
#include <vector>

namespace livi::plots {
namespace cpu_times_parts {

constexpr std::array<const char*, 7> row_names{
    "benchmark,\\nh = 0.005", "SHAKE", "variational\\nEuler",      "Newmark,\\nsolved",
    "Newmark,\\n1 iteration", "Z&S",   "Newmark, 1,\\ndifferenced"};
constexpr std::size_t row_of_shake = 1;

constexpr double bottom = 0.1;

/// Bars from the bottom of the scale to `tops`, each `aside` of the number of its row: one line to and fro, dense
/// enough to fill them.
Points bars(const std::vector<double>& tops, double aside) {
  Points points;
  constexpr int strokes = 60;
  for (std::size_t row = 0; row < tops.size(); ++row) {
    const double centre = static_cast<double>(row) + aside;
    points.emplace_back(centre - 0.18, bottom);
    for (int k = 0; k <= strokes; ++k) {
      const double x = centre - 0.18 + 0.36 * k / strokes;
      points.emplace_back(x, k % 2 == 0 ? bottom : tops[row]);
      points.emplace_back(x, k % 2 == 0 ? tops[row] : bottom);
    }
    points.emplace_back(centre + 0.18, bottom);
  }
  return points;
}

std::string finding(const ReportData& report, double printed, double counted) {
  return "With a general solver, as the paper has, counted arithmetic puts " +
         number(100 * report.measurement("running_time.share_of_pairs_in_order.general")) +
         " % of the pairs of methods in the printed order; with its own solver SHAKE takes " + number(counted) +
         " times the work of Z&S, printed " + number(printed);
}

}  // namespace cpu_times_parts

Plot cpu_times() {
  using namespace cpu_times_parts;
  return {"cpu_times", "cpu_times", "Running times of TO14 4.1: printed ratios and counted arithmetic",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("ratios");
            const auto& printed = series.column("printed");
            const auto& counted = series.column("counted");
            if (printed.size() <= row_of_shake || printed.size() > row_names.size())
              throw PlotError("cpu_times: the series 'ratios' has rows of unknown methods");
            Panel panel{.title =
                            "Work over that of Z&S (the printed times are meant as qualitative); below each method: "
                            "printed | counted",
                        .y_label = "work / work of Z&S",
                        .x_range = {{-0.6, static_cast<double>(printed.size()) - 0.4}},
                        .y_range = {{bottom, 2000.0}},
                        .logarithmic_y = true,
                        .legend = true};
            panel.curves = {{.points = bars(printed, -0.2), .title = "printed: seconds", .colour = Colour::grey},
                            {.points = bars(counted, 0.2), .title = "counted: operations", .colour = Colour::blue}};
            for (std::size_t row = 0; row < printed.size(); ++row) {
              std::string name = row_names[row];
              name += (name.find("\\n") == std::string::npos ? "\\n\\n" : "\\n") + number(printed[row], 3) + " | " +
                      number(counted[row], 3);
              panel.x_names.emplace_back(static_cast<double>(row), name);
            }
            Drawing drawing(finding(report, printed[row_of_shake], counted[row_of_shake]));
            drawing.row(330, {std::move(panel)});
            return drawing.write(folder, "cpu_times");
          }};
}

}  // namespace livi::plots
