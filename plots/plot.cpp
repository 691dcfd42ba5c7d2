// SPDX-License-Identifier: MIT
// livi-plot: draws the figures from the reports, and from nothing else.
//
//   livi-plot results plots/figures          every figure
//   livi-plot results plots/figures fig01    one
#include "figure.hpp"

#include "study/program/command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace {

using namespace livi::plots;

bool is_named(const Figure& figure, const std::string& name) {
  return figure.name == name || figure.experiment == name;
}

/// Draws the figures, or leaves out, saying so, those whose report has not been made.
void draw(const std::vector<Figure>& figures, const std::string& results, const std::string& folder, bool available) {
  for (const Figure& figure : figures) {
    if (available && !std::filesystem::exists(std::filesystem::path(results) / (figure.experiment + ".json"))) {
      std::cout << figure.name << ": left out, there is no report of " << figure.experiment << "\n";
      continue;
    }
    const ReportData report(results, figure.experiment);
    const Drawing drawing = drawing_of(figure, report);
    for (const auto& file : drawing.write(folder, figure.name)) std::cout << file.string() << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  livi::CommandLine application(
      "Draws figures (SVG, and PNG where gnuplot can) from the reports in RESULTS into the folder FIGURES.\n"
      "Exit status: 0 drawn, 2 a report or gnuplot is missing or not in order; previous figures are then left as they "
      "were.",
      "livi-plot");
  std::string results, folder, specifications = LIVI_PLOT_SPECIFICATIONS;
  std::vector<std::string> names;
  bool list = false, available = false;
  application.add_flag("--list", list, "list the figures and the reports they are drawn from");
  application.add_flag("--available", available, "leave out, saying so, the figures whose report has not been made");
  application.add_option("--specifications", specifications, "folder of the figures' specifications");
  application.add_option("RESULTS", results, "folder of reports");
  application.add_option("FIGURES", folder, "folder for the figures");
  application.add_option("NAME", names,
                         "the figures to draw, by their own name or that of their experiment; none for all");
  return application.run(argc, argv, [&] {
    std::vector<Figure> figures = all_figures(specifications);
    if (list) {
      for (const Figure& figure : figures)
        std::cout << figure.name << "  " << figure.experiment << "  " << figure.what << "\n";
      return 0;
    }
    if (folder.empty()) throw PlotError("RESULTS and FIGURES are required; see livi-plot --help");
    for (const std::string& name : names)
      if (std::none_of(figures.begin(), figures.end(), [&](const Figure& figure) { return is_named(figure, name); }))
        throw PlotError("there is no figure '" + name + "'; livi-plot --list shows what there is");
    if (!names.empty())
      std::erase_if(figures, [&](const Figure& figure) {
        return std::none_of(names.begin(), names.end(),
                            [&](const std::string& name) { return is_named(figure, name); });
      });
    draw(figures, results, folder, available);
    return 0;
  });
}
