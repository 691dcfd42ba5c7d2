// SPDX-License-Identifier: MIT
// Work and precision on the chain of pendula: counted arithmetic against error for 10, 100 and 1000 links, and with
// real springs.
#include "drawing.hpp"
#include "figures.hpp"

#include <array>
#include <cmath>

namespace livi::plots {

Plot chain_work_precision() {
  return {"chain_work_precision", "chain_work_precision",
          "Work-precision diagrams of the chain: multipliers, penalties, angles",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(1080, 1080);
            const auto curve = [&](const std::string& series, const char* title, Colour colour, bool dashed = false) {
              Points points = report.series(series).points("operations", "error");
              for (auto& [x, y] : points) x = std::log10(x);
              return Curve{.points = points, .title = title, .colour = colour, .dashed = dashed};
            };
            const auto finish = [](Panel& panel, double from, double to) {
              panel.x_label = "log_{10} of arithmetic operations to t = 5";
              panel.y_label = "error of the position at t = 5 [length]";
              panel.logarithmic_y = true;
              panel.legend = true;
              panel.x_range = {{from, to}};
              panel.y_range = {{1e-9, 1.0}};
            };
            constexpr std::array<Box, 4> boxes{
                {{90, 40, 520, 390}, {630, 40, 1060, 390}, {90, 580, 520, 930}, {630, 580, 1060, 930}}};
            std::size_t place = 0;
            for (const auto& [links, from] : {std::pair{10, 4.0}, std::pair{100, 5.0}, std::pair{1000, 6.0}}) {
              const std::string n = "n" + std::to_string(links) + "_";
              Panel panel{.title = std::to_string(links) + " links"};
              panel.curves = {curve(n + "shake", "SHAKE", Colour::black),
                              curve(n + "rattle", "RATTLE", Colour::black, true)};
              if (links < 1000)
                panel.curves.push_back(curve(n + "zhang_skeel_20", "Z\\\\&S, {/Symbol w} = 20", Colour::yellow));
              panel.curves.push_back(curve(n + "zhang_skeel_200", "Z\\\\&S, 200", Colour::orange));
              panel.curves.push_back(curve(n + "zhang_skeel_2000", "Z\\\\&S, 2000", Colour::vermilion));
              panel.curves.push_back(curve(n + "zhang_skeel_20000", "Z\\\\&S, 20000", Colour::purple));
              panel.curves.push_back(curve(n + "runge_kutta_4", "angles, order 4", Colour::sky_blue));
              panel.curves.push_back(curve(n + "dormand_prince_5", "angles, order 5", Colour::blue));
              panel.curves.push_back(curve(n + "fehlberg_8", "angles, order 8", Colour::green));
              finish(panel, from, from + 3);
              drawing.add(std::move(panel), boxes[place++]);
            }
            Panel springs{.title = "100 real springs, {/Symbol w} = 200, error against their motion"};
            springs.curves = {curve("elastic_shake", "SHAKE", Colour::black),
                              curve("elastic_verlet", "Verlet", Colour::green),
                              curve("elastic_zhang_skeel", "Z\\\\&S, {/Symbol b} = 1/4", Colour::purple)};
            finish(springs, 5.0, 8.5);
            drawing.add(std::move(springs), boxes[place]);
            return drawing.write(folder, "chain_work_precision");
          }};
}

}  // namespace livi::plots
