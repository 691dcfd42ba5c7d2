// SPDX-License-Identifier: MIT
// livi-page: what the reports found, as a web page, as text or as a Markdown table.
//
//   livi-page results plots/figures results/index.html
//   livi-page --text results
#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "study/pages/page.hpp"
#include "study/program/command_line.hpp"

int main(int argc, char** argv) {
  livi::CommandLine application(
      "Writes the claims of all reports in RESULTS, with verdicts and figures, as one web page; or prints them.\n"
      "Exit status: 0 written, 2 a report or the registry is missing or not in order, or the page cannot be written.",
      "livi-page");
  std::string results;
  std::string figures;
  std::string page;
  std::string registry = LIVI_REGISTRY;
  bool text = false;
  bool markdown = false;
  application.add_option("RESULTS", results, "folder of reports", {.required = true});
  application.add_option("FIGURES", figures, "folder of figures");
  application.add_option("OUT.html", page, "the page to write");
  application.add_flag("--text", text, "print the claims as text");
  application.add_flag("--markdown", markdown, "print the claims as a Markdown table");
  application.add_registry(registry,
                           "folder of the registries of claims (default: reference/claims of the source tree)");
  application.exclude("--text", {"--markdown", "FIGURES", "OUT.html"});
  application.exclude("--markdown", {"FIGURES", "OUT.html"});
  return application.run(argc, argv, [&] {
    if (!text && !markdown && page.empty()) {
      throw livi::ReportError("FIGURES and OUT.html are required, unless --text or --markdown is given");
    }
    const livi::Findings findings = livi::read_findings(results, registry);
    if (text) {
      std::cout << livi::claims_text(findings);
    } else if (markdown) {
      std::cout << livi::claims_markdown(findings);
    } else {
      livi::write_file_atomically(page, livi::claims_page(findings, figures, page));
      std::cout << page << "\n";
    }
    return 0;
  });
}
