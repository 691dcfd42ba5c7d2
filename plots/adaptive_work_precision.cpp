// SPDX-License-Identifier: MIT
// Slides 3 and 4 of CS101: force evaluations against errors of adaptive, constant and error-controlled steps.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>
#include <utility>
#include <vector>

namespace livi::plots {
namespace {

std::string finding(const ReportData& report) {
  return "For an error of 1e-3 after 100 periods with e = 0.8, Verlet's constant steps take " +
         number(report.measured("CS101.which.kepler")) +
         " times the forces of the best adaptive method that keeps the energy";
}

}  // namespace

Plot adaptive_work_precision() {
  return {"adaptive_work_precision", "adaptive_work_precision",
          "Force evaluations against errors (CS101): adaptive, constant and error-controlled steps",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            using Entry = std::pair<const char*, const char*>;
            const std::vector<Entry> methods{{"constant", "constant"},         {"explicit", "explicit"},
                                             {"reversible", "reversible"},     {"reversible4", "reversible, order 4"},
                                             {"logarithmic", "logarithmic H"}, {"logarithmic6", "log. H, order 6"},
                                             {"dopri5", "Dormand-Prince"},     {"bulirsch_stoer", "Bulirsch-Stoer"}};
            const std::vector<std::pair<Colour, bool>> looks{
                {Colour::grey, false}, {Colour::orange, true}, {Colour::green, false},     {Colour::green, true},
                {Colour::blue, false}, {Colour::blue, true},   {Colour::vermilion, false}, {Colour::purple, false}};
            const auto panel = [&](const std::string& problem, const char* title, const char* label, bool legend) {
              Panel result{.title = title,
                           .x_label = label,
                           .y_label = "position error [length]",
                           .logarithmic_x = true,
                           .logarithmic_y = true,
                           .legend = legend};
              for (std::size_t k = 0; k < methods.size(); ++k)
                if (problem != "pythagorean" || k > 0)
                  result.curves.push_back(curve_of(report.series(problem + "_" + methods[k].first), "calls", "position",
                                                   methods[k].second, looks[k].first, looks[k].second, 1.5));
              return result;
            };
            drawing.row(300, {panel("e80", "Kepler, e = 0.8, 100.25 periods", "forces a period", true),
                              panel("e99", "Kepler, e = 0.99, 100.25 periods", "forces a period", false)});
            Panel growth{.title = "Kepler, e = 0.6: angle",
                         .x_label = "t [periods]",
                         .y_label = "error of the angle [rad]",
                         .logarithmic_x = true,
                         .logarithmic_y = true};
            for (const std::size_t k : {0UL, 1UL, 2UL, 4UL, 6UL, 7UL})
              growth.curves.push_back(curve_of(report.series(std::string("growth_") + methods[k].first), "t", "angle",
                                               methods[k].second, looks[k].first, looks[k].second, 1.5));
            drawing.row(300, {panel("pythagorean", "Pythagorean problem, t = 20", "forces", false), growth});
            return drawing.write(folder, "adaptive_work_precision");
          }};
}

}  // namespace livi::plots
