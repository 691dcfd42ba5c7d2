// SPDX-License-Identifier: MIT
// livi-compare: the regression, reports against committed baselines.
//
//   livi-compare results results/baseline --explain
//   livi-compare results results/baseline --only fig01_double_pendulum --accept "the reference is now good to 1e-13"
//   livi-compare results/baseline older/baseline --explain
#include <livi/report/compare.hpp>
#include <livi/report/registry.hpp>
#include <livi/text/counted.hpp>

#include <iostream>
#include <string>
#include <vector>

#include "study/program/command_line.hpp"

namespace {

/// "\n4 reports are of another processor's vector instructions, ..., another sample: fig04_water, ..."; nothing where none is.
std::string other_samples(const livi::Comparison& comparison) {
  std::string names;
  for (const std::string& name : comparison.other_samples) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? ""
                       : "\nThe numbers of these reports were made by another processor's vector instructions than "
                         "those of their "
                         "baselines, with which chaotic motions part: another sample, of which statements and verdicts "
                         "are compared, and "
                         "measurements to twice their tolerance: " +
                             names;
}

/// "72 reports compared with results/baseline: 3 differences; 5 moved within tolerance"
std::string summary(const livi::Comparison& comparison, const std::string& baseline) {
  const auto found = comparison.differences.size();
  return livi::counted(comparison.experiments.size(), "report") + " compared with " + baseline + ": " +
         (found == 0 ? "no difference" : livi::counted(found, "difference")) +
         (comparison.moved == 0
              ? ""
              : "; " + livi::counted(comparison.moved, "number") + " moved within tolerance or in a note") +
         other_samples(comparison) + "\n";
}

}  // namespace

int main(int argc, char** argv) {
  livi::CommandLine application(
      "Compares the reports in RESULTS, what is now, with the baselines in BASELINE, what was.\n"
      "All that is a statement must be equal: statements, hypotheses, intervals, reasons, verdicts, evidence, "
      "controls,\n"
      "parameters, counts, seeds. Measurements may move within the tolerance their baseline states, orders by 0.05, "
      "the\n"
      "numbers of claims and controls by a twentieth of their distance to the end of their interval. A name or report "
      "on\n"
      "one side only is a difference.\n"
      "Exit status: 0 no difference or accepted, 1 differences (printed), 2 something could not be read, compared or\n"
      "accepted.",
      "livi-compare");
  std::string results;
  std::string baseline;
  std::string reason;
  std::string registry;
  std::vector<std::string> only;
  bool explain = false;
  application.add_option("RESULTS", results, "folder of reports; with --explain, of reports or baselines",
                         {.required = true});
  application.add_option("BASELINE", baseline, "folder of baselines", {.required = true});
  application.add_flag("--explain", explain, "say claim by claim what changed, with all words, instead of a table");
  application.add_option(
      "--accept", reason,
      "explain what changed, then make the reports the baseline, for this reason, which is kept in it");
  application.add_option("--only", only, "compare these experiments only");
  application.add_registry(registry,
                           "folder of the registries of claims: --accept then takes claims that they expect to be "
                           "undecided (default: no registry, and no undecided claim is accepted)");
  return application.run(argc, argv, [&] {
    if (!registry.empty()) livi::use_registry(registry);
    if (application.given("--accept")) {
      const auto comparison =
          livi::compare_folders(results, baseline, only, livi::Folders::reports_and_possible_baselines);
      if (!comparison.differences.empty()) std::cout << livi::explanation(comparison.differences) << "\n";
      std::cout << summary(comparison, baseline) << std::flush;
      for (const std::string& line : livi::accept_baseline(results, baseline, reason, only)) std::cout << line << "\n";
      return 0;
    }
    const livi::Comparison comparison = livi::compare_folders(
        results, baseline, only, explain ? livi::Folders::any_and_baselines : livi::Folders::reports_and_baselines);
    if (!comparison.differences.empty())
      std::cout << (explain ? livi::explanation(comparison.differences)
                            : livi::difference_table(comparison.differences))
                << "\n";
    std::cout << summary(comparison, baseline);
    return comparison.differences.empty() ? 0 : 1;
  });
}
