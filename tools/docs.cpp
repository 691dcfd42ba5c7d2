// SPDX-License-Identifier: MIT
// livi-docs: the pages of docs/ and the parts of the README that are made from what was found, and docs/methods.md.
//
//   livi-docs results/baseline docs README.md
//   livi-docs --check results/baseline docs README.md
#include <livi/report/atomic_files.hpp>
#include <livi/text/text_file.hpp>

#include <filesystem>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "study/pages/docs.hpp"
#include "study/pages/equations.hpp"
#include "study/pages/headlines.hpp"
#include "study/program/command_line.hpp"

namespace {

/// Returns what a file has; nothing if there is none yet.
std::string text_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return "";
  livi::FileText file = livi::read_text_file(path);
  if (!file.problem.empty()) throw std::runtime_error(path.string() + ": " + file.problem);
  return std::move(file.text);
}

}  // namespace

int main(int argc, char** argv) {
  livi::CommandLine application(
      "Writes the pages of DOCS (claims, errata, results, battery, equations) and the headlines in README from the\n"
      "baselines and the registries of claims, and the page of methods from the catalogue; or checks that they are so\n"
      "already.\n"
      "Exit status: 0 written, or all is so; 1 --check found what is stale (each file on a line); 2 an input is not "
      "in\n"
      "order or a file cannot be written.",
      "livi-docs");
  std::string baselines, docs, readme, registry = LIVI_REGISTRY, tree = LIVI_TREE;
  bool check = false;
  application.add_option("BASELINES", baselines, "folder of baselines", {.required = true});
  application.add_option("DOCS", docs, "folder of pages", {.required = true});
  application.add_option("README", readme, "the README", {.required = true});
  application.add_flag("--check", check, "write nothing; say which files are stale");
  application.add_registry(registry,
                           "folder of the registries of claims (default: reference/claims of the source tree)");
  application.add_option("--tree", tree,
                         "folder of lib, experiments, verification and plots (default: the source tree)");
  return application.run(argc, argv, [&] {
    const livi::Findings findings = livi::read_findings(baselines, registry, livi::Kind::baselines);
    std::map<std::filesystem::path, std::string> files;
    for (const auto& [name, text] : livi::generated_pages(findings)) files[std::filesystem::path(docs) / name] = text;
    files[std::filesystem::path(docs) / "methods.md"] =
        livi::methods_page(livi::method_entries(), livi::system_entries(), livi::density_entries());
    files[std::filesystem::path(docs) / "equations.md"] = livi::equations_page(findings, tree);
    files[readme] = livi::with_headlines(text_of(readme), findings);
    int stale = 0;
    livi::AtomicFiles written;
    for (const auto& [file, text] : files) {
      if (text_of(file) == text) continue;
      ++stale;
      std::cout << file.string() << (check ? " is stale; run tools/docs" : "") << "\n";
      if (!check) written.add(file, text);
    }
    written.commit();
    return check && stale > 0 ? 1 : 0;
  });
}
