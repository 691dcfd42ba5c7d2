// SPDX-License-Identifier: MIT
// livi-plot: draws the figures from the reports, and from nothing else.
//
//   livi-plot results plots/figures          every figure
//   livi-plot results plots/figures fig01    one
#include "figures.hpp"

#include "study/program/command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace {

using namespace livi::plots;

std::vector<Plot> all_plots() {
  return {fig01(),
          fig02(),
          fig03(),
          fig04(),
          fig07(),
          fig05(),
          fig06(),
          fig08(),
          fig09(),
          fig10(),
          fig11(),
          cpu_times(),
          double_pendulum_chaos(),
          work_precision(),
          chain_work_precision(),
          long_time(),
          stability_thresholds(),
          nonlinear_stability(),
          stiff_steps(),
          chain_thresholds(),
          water_stability(),
          dna_stability(),
          dna_statistics(),
          geometric_langevin(),
          langevin_sampling(),
          large_systems(),
          lie_newmark_drift(),
          lie_newmark_order(),
          lie_newmark_path(),
          magnetised_body_stability(),
          water_temperature(),
          adaptive_energy(),
          skeel_spring(),
          adaptive_chaos(),
          adaptive_chains(),
          step_rules(),
          adaptive_work_precision(),
          adaptive_long(),
          energy_growth(),
          sphere_paths(),
          strong_orders(),
          constrained_sampling()};
}

bool is_named(const Plot& plot, const std::string& name) { return plot.name == name || plot.experiment == name; }

/// Draws the plots, or leaves out, saying so, those whose report has not been made.
void draw(const std::vector<Plot>& plots, const std::string& results, const std::string& figures, bool available) {
  for (const Plot& plot : plots) {
    if (available && !std::filesystem::exists(std::filesystem::path(results) / (plot.experiment + ".json"))) {
      std::cout << plot.name << ": left out, there is no report of " << plot.experiment << "\n";
      continue;
    }
    for (const auto& file : plot.draw(ReportData(results, plot.experiment), figures)) {
      std::cout << file.string() << "\n";
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  livi::CommandLine application(
      "Draws figures (SVG, and PNG where gnuplot can) from the reports in RESULTS into the folder FIGURES.\n"
      "Exit status: 0 drawn, 2 a report or gnuplot is missing or not in order; previous figures are then left as they "
      "were.",
      "livi-plot");
  std::string results, figures;
  std::vector<std::string> names;
  bool list = false, available = false;
  application.add_flag("--list", list, "list the figures and the reports they are drawn from");
  application.add_flag("--available", available, "leave out, saying so, the figures whose report has not been made");
  application.add_option("RESULTS", results, "folder of reports");
  application.add_option("FIGURES", figures, "folder for the figures");
  application.add_option("NAME", names,
                         "the figures to draw, by their own name or that of their experiment; none for all");
  return application.run(argc, argv, [&] {
    std::vector<Plot> plots = all_plots();
    if (list) {
      for (const Plot& plot : plots) std::cout << plot.name << "  " << plot.experiment << "  " << plot.what << "\n";
      return 0;
    }
    if (figures.empty()) throw PlotError("RESULTS and FIGURES are required; see livi-plot --help");
    for (const std::string& name : names)
      if (std::none_of(plots.begin(), plots.end(), [&](const Plot& plot) { return is_named(plot, name); }))
        throw PlotError("there is no figure '" + name + "'; livi-plot --list shows what there is");
    if (!names.empty())
      std::erase_if(plots, [&](const Plot& plot) {
        return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return is_named(plot, name); });
      });
    draw(plots, results, figures, available);
    return 0;
  });
}
