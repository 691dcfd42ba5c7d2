// SPDX-License-Identifier: MIT
// Work and precision on the chain of pendula: counted arithmetic against error for 10, 100 and 1000 links, and with
// real springs.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>
#include <vector>

namespace livi::plots {
namespace chain_work_precision_parts {

std::string finding(const ReportData& report) {
  const auto over_shake = [&](const std::string& links) {
    const std::string at = ".operations.n=" + links + ".error=1e-3";
    return number(report.measurement("zhang_skeel" + at) / report.measurement("shake" + at));
  };
  return "For an error of 10^{-3} Z&S takes " + over_shake("10") + ", " + over_shake("100") + " and " +
         over_shake("1000") + " times the arithmetic of SHAKE on 10, 100 and 1000 links, but on stiff real springs " +
         number(report.measured("TO14.s4.2.work-precision.real-springs-zs-cheaper-than-verlet")) + " of Verlet's";
}

}  // namespace chain_work_precision_parts

Plot chain_work_precision() {
  using namespace chain_work_precision_parts;
  return {"chain_work_precision", "chain_work_precision",
          "Work-precision diagrams of the chain: multipliers, penalties, angles",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const auto curve = [&](const std::string& series, const char* title, Colour colour, bool dashed = false) {
              return curve_of(report.series(series), "operations", "error", title, colour, dashed);
            };
            const auto finish = [](Panel& panel, double from, double to) {
              panel.x_label = "arithmetic operations to t = 5";
              panel.y_label = "error of the position at t = 5 [length]";
              panel.logarithmic_x = true;
              panel.logarithmic_y = true;
              panel.legend = true;
              panel.x_range = {{from, to}};
              panel.y_range = {{1e-9, 1.0}};
            };
            std::vector<Panel> panels;
            for (const auto& [links, from] : {std::pair{10, 1e4}, std::pair{100, 1e5}, std::pair{1000, 1e6}}) {
              const std::string n = "n" + std::to_string(links) + "_";
              Panel panel{.title = std::to_string(links) + " links"};
              // RATTLE has the positions of SHAKE and takes more arithmetic: it would be a ninth curve.
              panel.curves = {curve(n + "shake", "SHAKE", Colour::black)};
              if (links < 1000)
                panel.curves.push_back(curve(n + "zhang_skeel_20", "Z&S, omega = 20", Colour::orange, true));
              panel.curves.push_back(curve(n + "zhang_skeel_200", "Z&S, omega = 200", Colour::orange));
              panel.curves.push_back(curve(n + "zhang_skeel_2000", "Z&S, omega = 2000", Colour::vermilion));
              panel.curves.push_back(curve(n + "zhang_skeel_20000", "Z&S, omega = 20000", Colour::purple));
              panel.curves.push_back(curve(n + "runge_kutta_4", "angles, order 4", Colour::sky_blue));
              panel.curves.push_back(curve(n + "dormand_prince_5", "angles, order 5", Colour::blue));
              panel.curves.push_back(curve(n + "fehlberg_8", "angles, order 8", Colour::green));
              finish(panel, from, from * 1e3);
              panels.push_back(std::move(panel));
            }
            Panel springs{.title = "100 real springs, omega = 200, error to their motion"};
            springs.curves = {curve("elastic_shake", "SHAKE", Colour::black),
                              curve("elastic_verlet", "Verlet", Colour::green),
                              curve("elastic_zhang_skeel", "Z&S, beta = 1/4", Colour::purple)};
            finish(springs, 1e5, 3e8);
            drawing.row(320, {std::move(panels[0]), std::move(panels[1])});
            drawing.row(320, {std::move(panels[2]), std::move(springs)});
            return drawing.write(folder, "chain_work_precision");
          }};
}

}  // namespace livi::plots
