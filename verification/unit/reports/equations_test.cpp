// SPDX-License-Identifier: MIT
//
// The page of places: what is read from registries, reports and headers, and that the committed page names only what exists.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <livi/report/report.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "page_findings.hpp"
#include "study/pages/equations.hpp"

namespace equations_test {

using namespace livi::test;
using nlohmann::json;

std::string named(const std::set<livi::DocumentPlace>& places) {
  std::string names;
  for (const livi::DocumentPlace& place : places) names += (names.empty() ? "" : "; ") + place.name();
  return names;
}

TEST(Equations, places_are_read_in_registries_and_reports) {
  for (const auto& [text, names] : std::map<std::string, std::string>{
           {"Sec. 1, Thm 1.1(2)", "Theorem 1.1"},
           {"Sec. 2.1, Integrator 3, eqs. (12)-(14), (16)", "(12); (13); (14); (16); Integrator 3"},
           {"Sec. 4.1, Fig. 2(b) and Results", "Figure 2"},
           {"Abstract; Secs. 2, 3; App. A", "Section 2; Section 3; Abstract; Appendix A"},
           {"Sec. 1, footnote 1", "Section 1"},
           {"(6) to (8), Theorem 2.6", "(6); (7); (8); Theorem 2.6"},
           {"Lemmas and figures", ""}})
    EXPECT_EQ(named(livi::places_in(text, false)), names) << text;
  EXPECT_EQ(named(livi::places_in("slides 2 and 9 to 11, 28", true)), "slide 2; slide 9; slide 10; slide 11; slide 28");
}

TEST(Equations, headers_cite_in_one_form) {
  const auto cited = livi::cited_places(
      "The map XX00 (13), (15)-(17) of YY00 Theorem 2.1. In ZZ00 (5), (6) of XX00 4.5: slides 3 and 4 of YY00.",
      {"XX00", "YY00"});
  EXPECT_EQ(named(cited.at("XX00")), "(13); (15); (16); (17); Section 4.5");
  EXPECT_EQ(named(cited.at("YY00")), "Theorem 2.1");
}

/// Writes a tree with a header, a program and a figure of the sample's findings.
fs::path tree_of_sample(const fs::path& tree) {
  for (const char* folder : {"lib/livi/integrators", "experiments/XX00", "plots/figures"})
    fs::create_directories(tree / folder);
  std::ofstream(tree / "lib/livi/integrators/a.hpp")
      << "// SPDX\n//\n// A method,\n// XX00 (3), and its map.\nint x;  // XX00\nint y;\n// (9)\n";
  std::ofstream(tree / "experiments/XX00/sample.cpp") << "int main() {}\n";
  std::ofstream(tree / "plots/xx00.json")
      << R"([{"name": "shape", "experiment": "sample"}, {"name": "lost", "experiment": "sample"}])";
  std::ofstream(tree / "plots/figures/shape.svg") << "<svg/>";
  return tree;
}

TEST_F(Page, equations_have_header_program_claims_and_figure) {
  const fs::path tree = tree_of_sample(folder / "tree");
  livi::Findings found = findings();
  for (json& report : found.reports)
    report["source"] = {{"document", "XX00"}, {"item", "(3) to (4)"}, {"section", "1"}};
  for (json& registered : found.documents.at(0)["claims"]) registered["place"] = "Sec. 1, (3)";
  const std::string page = livi::equations_page(found, tree);
  EXPECT_TRUE(contains(page, "| (3) | integrators/a.hpp | sample | [order](claims-XX00.md#XX00.order) ")) << page;
  EXPECT_TRUE(contains(page, "| [shape](../plots/figures/shape.svg) |\n| (4) | | sample | | shape |\n")) << page;
  EXPECT_FALSE(contains(page, "lost") || contains(page, "(9)")) << page;
  // A program without its source.
  fs::remove(tree / "experiments/XX00/sample.cpp");
  EXPECT_THROW(livi::equations_page(found, tree), livi::ReportError);
}

/// Returns the headers, programs and figures on a page of equations that are not in the tree.
std::vector<std::string> missing_on(const std::string& page, const fs::path& tree) {
  std::set<std::string> programs;
  for (const char* folder : {"experiments", "verification/theorems"})
    for (const auto& entry : fs::recursive_directory_iterator(tree / folder))
      programs.insert(entry.path().stem().string());
  std::vector<std::string> missing;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string cell, word;
    for (int column = 0; std::getline(cells, cell, '|'); ++column) {
      std::istringstream words(cell);
      while (words >> word) {
        const bool is_header = column == 2 && word.find('/') != std::string::npos;
        const bool is_program = column == 3 && word != "programs" && word.front() != '-';
        const std::size_t link = word.find("](../");
        if ((is_header && !fs::exists(tree / "lib/livi" / word)) || (is_program && programs.count(word) == 0) ||
            (link != std::string::npos && !fs::exists(tree / word.substr(link + 5, word.size() - link - 6))))
          missing.push_back(word);
      }
    }
  }
  return missing;
}

TEST(Equations, page_names_only_what_exists_and_is_short) {
  const fs::path tree = LIVI_SOURCE_FOLDER;
  std::ostringstream text;
  text << std::ifstream(tree / "docs/equations.md").rdbuf();
  const std::string page = text.str();
  ASSERT_GT(page.size(), 10000u);
  EXPECT_LT(page.size(), 25000u);
  EXPECT_EQ(missing_on(page, tree), std::vector<std::string>());
  EXPECT_EQ(
      missing_on("| (1) | systems/gone.hpp systems/potential.hpp | fig01_gone fig03_chain | [a](claims-TO14.md#a) | "
                 "[fig77](../plots/figures/fig77.svg) |\n",
                 tree),
      (std::vector<std::string>{"systems/gone.hpp", "fig01_gone", "[fig77](../plots/figures/fig77.svg)"}));
}

}  // namespace equations_test
