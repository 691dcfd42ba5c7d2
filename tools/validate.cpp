// SPDX-License-Identifier: MIT
// livi-validate: are these files valid reports, baselines or registries?
//
//   livi-validate results/*.json
//   livi-validate --registry reference/claims results/*.json reference/claims/*.json
#include <livi/report/registry.hpp>
#include <livi/report/report.hpp>
#include <livi/report/row_rules.hpp>
#include <livi/report/schemas.hpp>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/program/command_line.hpp"

namespace {

/// What the file is; throws if it is not valid. A report is added to `reports`.
std::string validate(const std::filesystem::path& file, std::vector<nlohmann::json>& reports) {
  if (const auto document = livi::read_json(file); document.is_object() && document.contains("headlines")) {
    const auto registry = livi::read_registry(file);
    return "registry of " + std::to_string(registry.at("claims").size()) + " claims";
  }
  auto report = livi::read_report(file);
  livi::check_series(report, file);
  livi::check_registered_texts(report, file.string());
  reports.push_back(std::move(report));
  return reports.back().contains("baseline") ? "baseline" : "report";
}

}  // namespace

int main(int argc, char** argv) {
  livi::CommandLine application(
      "Checks reports and baselines (with the series beside them) and registries of claims: against their schema,\n"
      "names that occur twice, verdicts that do not follow from their numbers, and, with --registry, claims of the\n"
      "documents with other texts than in the registry or without the controls that a row needs.\n"
      "Exit status: 0 all valid, 2 one is not (each problem with its file and its place in it).",
      "livi-validate");
  std::vector<std::string> files;
  application.add_option("FILE", files, "reports, baselines or registries", {.required = true});
  std::string registry;
  application.add_registry(registry,
                           "folder of the registries of claims, whose texts the reports must have (default: no "
                           "registry, and the texts are not compared)");
  return application.run(argc, argv, [&] {
    if (!registry.empty()) livi::use_registry(registry);
    std::string problems;
    std::vector<nlohmann::json> reports;
    for (const std::string& file : files) {
      try {
        const std::string what = validate(file, reports);  // before anything is said about the file
        std::cout << file << ": valid " << what << "\n";
      } catch (const livi::ReportError& error) {
        problems += (problems.empty() ? "" : "\n") + std::string(error.what());
      }
    }
    for (const std::string& problem : livi::row_problems(reports)) problems += (problems.empty() ? "" : "\n") + problem;
    if (!problems.empty()) throw livi::ReportError(problems);
    return 0;
  });
}
