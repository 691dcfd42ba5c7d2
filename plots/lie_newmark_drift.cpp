// SPDX-License-Identifier: MIT
// Figures 1 and 4 of BOS09: energy errors of rigid-body methods in the stress test.
#include "drawing.hpp"
#include "figures.hpp"

namespace livi::plots {
namespace lie_newmark_drift_parts {

std::string finding(const ReportData& report) {
  const double nmb = report.measured("BOS09.fig1.nmb"), midpoint = report.measured("BOS09.fig4.drift"),
               vlv = report.measured("BOS09.fig1.vlv");
  const std::string drifts = "at least " + number(nmb) + " and " + number(midpoint) + " times the oscillation of VLV's",
                    mean = "VLV's mean by " + number(vlv) + " of it at most";
  if (nmb > 1 && midpoint > 1 && vlv < 0.1)
    return "The energies of NMB and LIEMID[EA] drift, by " + drifts +
           " to T = 15000; that of VLV does not, its mean moves by " + number(vlv) + " of it at most";
  return "To T = 15000 the energies of NMB and LIEMID[EA] change by " + drifts + ", " + mean;
}

}  // namespace lie_newmark_drift_parts

Plot lie_newmark_drift() {
  using namespace lie_newmark_drift_parts;
  return {
      "lie_newmark_drift", "lie_newmark_drift",
      "Energy error in the stress test of BOS09 (its Figures 1 and 4): NMB, LIEMID[EA], VLV",
      [](const ReportData& report, const std::filesystem::path& folder) {
        Drawing drawing(finding(report));
        const auto panel = [&](const std::string& first, const char* name, Colour colour, const std::string& step,
                               const char* title) {
          Panel result{.title = title,
                       .x_label = "t [time]",
                       .y_label = "E - E_0 [energy]",
                       .x_range = {{0, 15000}},
                       .legend = true};
          const auto add = [&](const std::string& method, const char* legend, Colour of) {
            const Series series = report.series(method + "_h" + step);
            result.curves.push_back({.points = series.points("t", "low"), .colour = of, .width = 0.7, .dashed = true});
            result.curves.push_back({.points = series.points("t", "high"), .colour = of, .width = 0.7, .dashed = true});
            result.curves.push_back(
                {.points = series.points("t", "mean"), .title = legend, .colour = of, .width = 2.2});
          };
          add(first, name, colour);
          add("verlet_cayley", "VLV", Colour::blue);
          return result;
        };
        drawing.row(280, {panel("newmark_cayley", "NMB", Colour::vermilion, "1250", "NMB and VLV, h = 0.125"),
                          panel("newmark_cayley", "NMB", Colour::vermilion, "2500", "NMB and VLV, h = 0.25")});
        drawing.row(
            280, {panel("midpoint_exponential", "LIEMID[EA]", Colour::orange, "1250", "LIEMID[EA] and VLV, h = 0.125"),
                  panel("midpoint_exponential", "LIEMID[EA]", Colour::orange, "2500", "LIEMID[EA] and VLV, h = 0.25")});
        return drawing.write(folder, "lie_newmark_drift");
      }};
}

}  // namespace livi::plots
