// SPDX-License-Identifier: MIT
// livi-compare: the accuracy regression, reports against committed baselines.
//
//   livi-compare results results/baseline
//   livi-compare results results/baseline --only fig01_double_pendulum --accept "the reference is now good to 1e-13"
#include <livi/report/compare.hpp>

#include "tools/command_line.hpp"

int main(int argc, char** argv) {
  CLI::App application(
      "Compares the reports in RESULTS with the baselines in BASELINE.\n"
      "Verdicts, counts and parameters must be equal, measurements within the tolerance their baseline states,\n"
      "orders within 0.05; a name or report on one side only is a difference.\n"
      "Exit status: 0 no difference, 1 differences (printed), 2 something could not be read or compared.",
      "livi-compare");
  std::string results;
  std::string baseline;
  std::string reason;
  std::vector<std::string> only;
  application.add_option("RESULTS", results, "folder of reports")->required();
  application.add_option("BASELINE", baseline, "folder of baselines")->required();
  const auto* accept =
      application.add_option("--accept", reason, "make the reports the baseline, for this reason, which is kept in it");
  application.add_option("--only", only, "compare these experiments only");
  return livi::run_command(application, argc, argv, [&] {
    if (accept->count() > 0) {
      for (const std::string& line : livi::accept_baseline(results, baseline, reason, only)) std::cout << line << "\n";
      return 0;
    }
    const livi::Comparison comparison = livi::compare_folders(results, baseline, only);
    const auto count =
        std::to_string(comparison.experiments.size()) + (comparison.experiments.size() == 1 ? " report" : " reports");
    if (comparison.differences.empty()) {
      std::cout << count << " compared with " << baseline << ": no difference\n";
      return 0;
    }
    std::cout << difference_table(comparison.differences) << "\n"
              << count << " compared with " << baseline << ": " << comparison.differences.size()
              << (comparison.differences.size() == 1 ? " difference\n" : " differences\n");
    return 1;
  });
}
