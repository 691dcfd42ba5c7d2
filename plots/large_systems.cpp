// SPDX-License-Identifier: MIT
// Time of a step per unknown against the number of unknowns, beside the bandwidth of the memory. Drawn from timings: it
// differs between two runs.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace livi::plots {
namespace large_systems_parts {

struct Entry {
  const char* system;  ///< as the report names it
  const char* title;
  Colour colour;
};
/// In the order of the legend.
constexpr std::array<Entry, 6> entries{{
    {"chain.zhang_skeel", "chain, Zhang-Skeel", Colour::blue},
    {"chain.simplified_zhang_skeel", "chain, simplified Zhang-Skeel", Colour::sky_blue},
    {"chain.hand_written", "chain, Zhang-Skeel by hand", Colour::orange},
    {"dna.zhang_skeel", "DNA, Zhang-Skeel", Colour::vermilion},
    {"dna.simplified_zhang_skeel", "DNA, simplified Zhang-Skeel", Colour::purple},
    {"dna.velocity_verlet", "DNA, velocity Verlet", Colour::green},
}};

/// n against nanoseconds.
Points per_unknown(const std::map<std::string, double>& timing, const std::string& system) {
  const std::string prefix = system + ".per_unknown.n=";
  Points points;
  for (const auto& [name, seconds] : timing) {
    if (name.rfind(prefix, 0) != 0) continue;
    double n = 0;
    const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), n);
    if (error != std::errc() || end != name.data() + name.size() || !(n > 0))
      throw PlotError("timing '" + name + "': has no size");
    points.emplace_back(n, 1e9 * seconds);
  }
  if (points.empty()) throw PlotError("timing: has no '" + prefix + "*'");
  std::sort(points.begin(), points.end());
  return points;
}

std::string finding(const ReportData& report, const Points& chain) {
  const auto operations = [&](const char* name) { return number(report.measurement(name)); };
  const bool linear = std::abs(report.measurement("chain.zhang_skeel.slope_of_operations") - 1) < 0.01 &&
                      std::abs(report.measurement("dna.zhang_skeel.slope_of_operations") - 1) < 0.01;
  const auto [least, most] =
      std::minmax_element(chain.begin(), chain.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return "A step of Z&S takes " + operations("chain.zhang_skeel.operations_per_unknown") +
         " operations an unknown on the chain and " + operations("dna.zhang_skeel.operations_per_unknown") + " on DNA" +
         (linear ? ", however long" : "") + "; on the chain " + number(least->second) + " to " + number(most->second) +
         " ns an unknown";
}

}  // namespace large_systems_parts

Plot large_systems() {
  using namespace large_systems_parts;
  return {"large_systems", "large_systems", "Time of a step per unknown on long chains",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const auto timing = report.timing();
            Panel panel{
                .title = "Time of a step per unknown, one thread (dashed: what the memory needs to move its bytes)",
                .x_label = "n",
                .y_label = "ns",
                .logarithmic_x = true,
                .legend = true};
            Points of_chain;
            double highest = 0, smallest = 0, largest_n = 0;
            for (const Entry& entry : entries) {
              const Points points = per_unknown(timing, entry.system);
              for (const auto& [n, ns] : points) highest = std::max(highest, ns);
              if (of_chain.empty()) of_chain = points;  // the first entry is Z&S on the chain
              smallest = points.front().first;
              largest_n = points.back().first;
              panel.curves.push_back({.points = points, .title = entry.title, .colour = entry.colour, .width = 2});
              panel.curves.push_back({.points = points, .colour = entry.colour, .width = 7, .dots = true});
              const auto moved = timing.find(std::string(entry.system) + ".per_unknown.at_the_bandwidth_of_the_triad");
              if (moved == timing.end()) continue;
              const double ns = 1e9 * moved->second;
              panel.curves.push_back(
                  {.points = {{smallest, ns}, {largest_n, ns}}, .colour = entry.colour, .width = 1, .dashed = true});
            }
            panel.x_range = {{smallest / 1.25, largest_n * 1.25}};
            panel.y_range = {{0, 1.05 * highest}};
            Drawing drawing(finding(report, of_chain));
            drawing.row(340, {std::move(panel)});
            return drawing.write(folder, "large_systems");
          }};
}

}  // namespace livi::plots
