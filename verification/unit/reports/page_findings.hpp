// SPDX-License-Identifier: MIT
//
// Findings of a made-up document, for tests of the page and of the documents that are made from them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <livi/report/report.hpp>
#include <nlohmann/json.hpp>

#include "study/pages/headlines.hpp"
#include "study/pages/page.hpp"
#include "verification/support/run_command.hpp"
#include "verification/support/temporary_folder.hpp"

namespace livi::test {

using nlohmann::json;
namespace fs = std::filesystem;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class Page : public InFolder {
 protected:
  void SetUp() override {
    results = folder / "results";
    figures = folder / "plots" / "figures";
    registry = folder / "claims";
    fs::create_directories(figures);
    fs::create_directories(registry);
    std::ofstream(figures / "sample.svg") << "<svg/>";

    livi::Report report("sample", {"XX00", "Figure 1", "4.1"});
    livi::Claim claim{.id = "XX00.order",
                      .source = {"XX00", "Sec. 1"},
                      .anchor = "words of its sentence",
                      .headline = "method",
                      .statement = "the order is two if h < 1 & V is smooth",
                      .measured = 1.98765432109,
                      .unit = "order",
                      .interval = {1.9, 2.1},
                      .reason = "the fit scatters by 0.05",
                      .controls = {{.name = "first-order method", .measured = 1.02, .interval = {1.9, 2.1}},
                                   {.name = "another of order two",
                                    .measured = 2.0,
                                    .interval = {1.9, 2.1},
                                    .expected = livi::Expected::passes}},
                      .note = "also with a full mass"};
    report.claim(claim);
    claim.id = "XX00.sign";
    claim.statement = "a sign | is printed wrong";
    claim.verdict = Verdict::misprint;
    claim.note = "literal: V = -g y; corrected: V = +g y";
    claim.measured = -7.25e-13;
    claim.interval = {-kInfinity, -1e-12};
    for (livi::Control& control : claim.controls) control.interval = claim.interval;
    claim.controls.back().measured = -3.5;
    claim.unit = "J";
    report.claim(claim);
    claim.id = "XX00.bound";
    claim.statement = "the error is bounded";
    claim.verdict = Verdict::confirmed;
    claim.note = "it grows with t";
    claim.measured = 2.0;
    report.claim(claim);
    report.figure({"sample.svg", "A figure that was drawn."});
    report.figure({"absent.svg", "A figure that was not drawn."});
    report.write(results);

    json entries = json::array();
    for (const char* id : {"XX00.order", "XX00.sign", "XX00.bound", "XX00.later"}) entries.push_back(registered(id));
    entries[0]["finds"] = "The error falls with the power @{measured}, Euler's with @{first-order method}.";
    entries[1].update({{"verdict", "misprint"}, {"printed", "V = -g y"}, {"right", "V = +g y < 0"}});
    entries[1]["finds"] = "A mass that falls | gains energy as printed.";
    entries[2].update({{"verdict", "refuted"}, {"finds", "The error grows with t and doubles."}});
    write_registry(entries);
  }

  static json registered(const std::string& id) {
    return {{"id", id},
            {"place", "Sec. 1"},
            {"origin", "statement"},
            {"anchor", "words of its sentence"},
            {"headline", "method"},
            {"statement", "what the registry says of it"},
            {"how", "measure"},
            {"reason", "it scatters"},
            {"verdict", "confirmed"},
            {"experiment", "sample"}};
  }
  void write_registry(const json& claims) const {
    const json headline{{"key", "method"},
                        {"question", "Does it work?"},
                        {"deciding", {"XX00.order", "XX00.bound"}},
                        {"answer", "Its order is @{XX00.order}."},
                        {"advice", "Do not use it for long."}};
    const json whole{{"document", "XX00"},      {"title", "A document"},
                     {"summary", "It fails."},  {"symbols", {{{"symbol", "h"}, {"meaning", "length of a step"}}}},
                     {"headlines", {headline}}, {"claims", claims}};
    std::ofstream(registry / "XX00.json") << whole.dump();
  }
  livi::Findings findings() const { return livi::read_findings(results, registry); }
  std::string page() const { return livi::claims_page(findings(), figures, results / "index.html"); }
  std::pair<int, std::string> command(const std::string& arguments) const {
    return run_command(std::string(LIVI_BINARY_FOLDER) + "/tools/livi-page --registry " + registry.string() + " " +
                       arguments);
  }

  fs::path results;
  fs::path figures;
  fs::path registry;
};

}  // namespace livi::test
