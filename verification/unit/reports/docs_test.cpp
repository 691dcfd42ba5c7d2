// SPDX-License-Identifier: MIT
//
// livi-docs: the pages that are made of findings, and the headlines of a README.
#include <gtest/gtest.h>

#include <livi/report/report.hpp>
#include <nlohmann/json.hpp>

#include "page_findings.hpp"
#include "study/pages/docs.hpp"
#include "study/pages/headlines.hpp"
#include "study/pages/page.hpp"

namespace docs_test {

using namespace livi::test;
using nlohmann::json;

/// What livi-docs makes of the same findings, with a battery of one method.
std::map<std::string, std::string> pages_of(livi::Findings findings) {
  findings.reports.push_back({{"experiment", "battery_table"},
                              {"claims", json::array()},
                              {"counts", {{"Verlet.exit_status", 0}}},
                              {"measurements", {{{"name", "Verlet.order of q"}, {"value", 1.99951}}}},
                              {"parameters",
                               {{"Verlet.order of q.declared", "2"},
                                {"Verlet.order of q.verdict", "confirmed"},
                                {"Verlet.symplectic.declared", "yes"},
                                {"Verlet.symplectic.verdict", "refuted"},
                                {"Verlet.certificate.declared", "-"},
                                {"Verlet.certificate.verdict", "not-testable"}}}});
  return livi::generated_pages(findings);
}

TEST_F(Page, docs_have_the_claims_under_their_headlines) {
  const std::string claims = pages_of(findings()).at("claims-XX00.md");
  for (const char* part :
       {"## <a id=\"method\"></a>Does it work?",
        "**no.** (1 of 4 claims refuted) Its order is 1.99. *Do not use it for long.*", "**It fails.**\n",
        "In the rows:\n\n- h: length of a step\n",
        "- 4 statements: 1 confirmed, 1 misprint, 1 refuted, 1 without a verdict\n",
        "<a id=\"XX00.order\"></a>Sec. 1: \"words of its sentence\".",
        "| **confirmed**: The error falls with the power 1.988, Euler's with 1.02. "
        "*Measured: 1.988 (accepted: 1.9 to 2.1). The test rejects 1 wrong variant and passes 1 correct one.*"
        "<details><summary>details</summary>Number: 1.988 order. also with a full mass Controls: "
        "first-order method: 1.02, fails; another of order two: 2, passes. `tools/reproduce sample`</details> |\n"})
    EXPECT_TRUE(contains(claims, part)) << part << claims;
}

TEST_F(Page, docs_print_evidence_apart_from_controls) {
  livi::Findings found = findings();
  json& controls = found.reports.at(0)["claims"][0]["controls"];
  json with = controls[0], against = controls[1];
  with.update({{"name", "ellipse"}, {"measured", 2.05}, {"expected", "evidence"}, {"failed", false}});
  against.update({{"name", "circle"}, {"measured", 1.25}, {"expected", "evidence"}, {"failed", true}});
  controls.insert(controls.begin(), against);
  controls.push_back(with);
  // What was not measured supports nothing.
  with.update({{"name", "parabola"}, {"measured", nullptr}});
  controls.push_back(with);
  const std::string claims = pages_of(found).at("claims-XX00.md");
  EXPECT_TRUE(contains(claims, "passes 1 correct one. Not for: circle. Also for: ellipse.*")) << claims;
  EXPECT_TRUE(contains(claims,
                       "first-order method: 1.02, fails; another of order two: 2, passes. "
                       "Evidence: circle: 1.25, contradicts; ellipse: 2.05, supports; parabola: not measured. "
                       "`tools/reproduce sample`"))
      << claims;
}

TEST_F(Page, docs_have_every_place_that_says_the_same) {
  livi::Findings found = findings();
  for (json& registered : found.documents.at(0)["claims"])
    if (registered["id"] == "XX00.order") registered["also"] = {{{"place", "Sec. 7"}, {"anchor", "once more"}}};
  const std::string claims = pages_of(found).at("claims-XX00.md");
  EXPECT_TRUE(contains(claims, "Sec. 1: \"words of its sentence\"; Sec. 7: \"once more\".")) << claims;
}

TEST_F(Page, docs_list_errata_and_what_is_ours_apart) {
  livi::Findings found = findings();
  for (json& registered : found.documents.at(0)["claims"])
    if (registered["id"] == "XX00.order") registered["origin"] = "ours";
  const auto pages = pages_of(found);
  const std::string& errata = pages.at("errata.md");
  EXPECT_TRUE(contains(errata, "## XX00: misprints")) << errata;
  EXPECT_TRUE(contains(errata,
                       "`XX00.sign` | V = -g y | V = +g y \\< 0 | "
                       "A mass that falls \\| gains energy as printed. *Measured. The test rejects 1 wrong variant "
                       "and passes 1 correct one.*<details><summary>details</summary>literal:"))
      << errata;
  EXPECT_LT(errata.find("XX00.sign"), errata.find("## XX00: refuted"));
  EXPECT_LT(errata.find("## XX00: refuted"), errata.find("XX00.bound"));
  EXPECT_FALSE(contains(errata, "XX00.order"));
  found.documents.at(0)["errata"] = {
      {{"place", "Sec. 9"}, {"anchor", "one two three"}, {"printed", "a | b"}, {"right", "c"}, {"why", "because"}}};
  EXPECT_TRUE(contains(pages_of(found).at("errata.md"),
                       "| Sec. 9: \"one two three\" | a \\| b | c | because *Read, not measured.* |\n"));
  EXPECT_TRUE(contains(pages.at("results.md"), "## Others\n"));
  EXPECT_TRUE(contains(pages.at("results.md"), "XX00.order"));
  EXPECT_FALSE(contains(pages.at("results.md"), "XX00.sign"));
}

TEST_F(Page, docs_have_our_results_by_subject_and_say_what_is_known) {
  livi::Findings found = findings();
  const auto make_ours = [&](const char* id, const char* subject) -> json& {
    json& claims = found.documents.at(0)["claims"];
    json& registered = *std::find_if(claims.begin(), claims.end(), [&](const json& c) { return c["id"] == id; });
    registered["origin"] = "ours";
    registered["subject"] = subject;
    return registered;
  };
  make_ours("XX00.order", "Noise").update({{"known", "Euler 1768"}, {"front", 2}, {"advice", "Halve the step."}});
  make_ours("XX00.sign", "Stiff systems");
  const std::string page = pages_of(found).at("results.md");
  EXPECT_LT(page.find("## Stiff systems\n"), page.find("XX00.sign")) << page;
  EXPECT_LT(page.find("XX00.sign"), page.find("## Noise\n")) << page;
  EXPECT_LT(page.find("## Noise\n"), page.find("id=\"XX00.order\"")) << page;
  EXPECT_TRUE(contains(page, "`XX00.order`. Known: Euler 1768 |")) << page;
  EXPECT_FALSE(contains(page, "## Others")) << page;
  EXPECT_TRUE(contains(page,
                       "## Worth knowing\n\n2. the order is two if h \\< 1 & V is smooth "
                       "*Measured: 1.988 (accepted: 1.9 to 2.1). The test rejects 1 wrong variant and passes 1 "
                       "correct one.* Halve the step. ([row](#XX00.order))\n\n## Stiff systems\n"))
      << page;
}

TEST_F(Page, docs_have_the_rows_of_the_battery) {
  const std::string battery = pages_of(findings()).at("battery.md");
  EXPECT_TRUE(contains(battery, "| Verlet | 2: 2 | - | yes (refuted) |")) << battery;
  EXPECT_THROW(livi::generated_pages(findings()), livi::ReportError) << "no report of the battery";
}

TEST(MethodsPage, has_a_row_for_each_method_and_system) {
  livi::MethodEntry method{{.name = "my-method",
                            .type = "MyMethod",
                            .header = "my_method.hpp",
                            .sentence = "Good | cheap.",
                            .equation = "q' = q",
                            .options = {{"beta", "> 0", "1/4", "a number"}},
                            .family = "Mine"},
                           livi::SystemKind::constrained,
                           {},
                           {},
                           {}};
  method.declares = [](const livi::Configuration& options) {
    return livi::Properties{.source = "Nobody 1999",
                            .order = options.beta.denominator,
                            .symplectic = true,
                            .linear_momentum = true,
                            .stability_limit = 2,
                            .cost = {.gradients = 3, .linear_solves = 1}};
  };
  livi::MethodEntry adaptive = method;
  adaptive.name = "my-adaptive-method";
  adaptive.family = "Mine, adaptive";
  adaptive.folder = "adaptive";
  adaptive.adaptive = true;
  const std::string page = livi::methods_page(
      {method, adaptive},
      {{.name = "my-system", .description = "mine", .kinds = {livi::SystemKind::split}, .header = "my.hpp"}},
      {{livi::DensityKind::constant, "my-density", "|v|", true, false}});
  for (const char* part :
       {"## Mine\n", "| my-method<br>`MyMethod` | Good \\| cheap.<br>q' = q | constrained | order 4, symplectic, ",
        ", linear momentum, stable to h omega = 2 | 3 gradients, 1 linear solve | `beta` \\> 0 (1/4), a number | ",
        " | Nobody 1999<br>`integrators/my_method.hpp` |\n", "## Mine, adaptive\n\n`h` is the fictitious step",
        "| my-density | \\|v\\| | position and velocity |\n\n| method |", "| my-adaptive-method<br>`MyMethod` |",
        " | Nobody 1999<br>`adaptive/my_method.hpp` |\n",
        "| my-system | mine | stiff and soft |  | `systems/my.hpp` |\n"})
    EXPECT_TRUE(contains(page, part)) << part << page;
}

TEST_F(Page, docs_have_the_running_times_by_section) {
  livi::Findings found = findings();
  const auto add = [&](const char* experiment, const char* section, const char* pair, const char* name) {
    json measurements = json::array();
    double value = 7.17901;
    for (const char* column : {".printed", ".general", ".dense", ".structured"}) {
      measurements.push_back({{"name", std::string(pair) + column}, {"value", value}});
      value /= 2;
    }
    found.reports.push_back({{"experiment", experiment},
                             {"source", {{"document", "XX00"}, {"item", "Times"}, {"section", section}}},
                             {"claims", json::array()},
                             {"measurements", measurements},
                             {"parameters", {{pair, name}, {"h", 0.1}}}});
  };
  add("a", "4.2", "running_time.one_over_other", "One | two over other");
  add("b", "4.1", "running_time.third_over_other", "Third over other");
  const std::string times = pages_of(found).at("running-times.md");
  EXPECT_TRUE(contains(times, "| XX00, 4.2 | One \\| two over other | 7.179 | 3.59 | 1.795 | 0.8974 |\n")) << times;
  EXPECT_LT(times.find("Third over other"), times.find("One \\| two over other")) << times;
  EXPECT_EQ(occurrences(times, "XX00"), 2U) << "what names no running time has no line";
  found.reports.back()["measurements"].erase(2);
  EXPECT_THROW(pages_of(found), livi::ReportError) << "a line without one of its numbers";
}

TEST_F(Page, docs_have_the_strong_orders_of_each_case) {
  livi::Findings found = findings();
  json measurements = json::array();
  const auto add = [&](const std::string& name, double value) {
    measurements.push_back({{"name", name}, {"value", value}});
  };
  for (const char* method : {"fast", "slow"}) {
    const std::string entry = std::string("ball.") + method;
    add(entry + ".rms_error.h=2^-3", 0.25);
    add(entry + ".rms_error.h=2^-4", 0.0625);
    add(entry + ".rms_error.half_width", 0.0213);
    add(entry + ".order.derived", method[0] == 'f' ? 2 : 1.5);
    add(entry + ".order", method[0] == 'f' ? 2.0004 : 1.4912);
    add(entry + ".order.half_width", 0.0071);
  }
  add("ball.fast.error_falls_from", 3);
  add("ball.slow.share", 0.5014);
  add("ball.slow.share.derived", 0.5);
  add("ball.control.rms_error.h=2^-3", 7);
  found.reports.push_back({{"experiment", "a"},
                           {"source", {{"document", "XX00"}, {"item", "Orders"}, {"section", "4"}}},
                           {"claims", json::array()},
                           {"measurements", measurements},
                           {"parameters",
                            {{"strong_order.case.ball", "ball, x"},
                             {"strong_order.method.fast", "fast | method"},
                             {"strong_order.method.slow", "slow method"},
                             {"strong_order.method.other", "method that has not run"}}}});
  const std::string page = pages_of(found).at("strong-orders.md");
  EXPECT_TRUE(contains(
      page,
      "\n## ball, x\n\n| h = | 2^-3 | 2^-4 | 95 %, at most | last power | order | derived | falls so from | share |\n"
      "|---|---|---|---|---|---|---|---|---|\n"
      "| slow method | 0.25 | 0.0625 | 2.1 % | 2.00 | 1.491 +- 0.007 | 1.5 | - | 0.501 (0.500) |\n"
      "| fast \\| method | 0.25 | 0.0625 | 2.1 % | 2.00 | 2.000 +- 0.007 | 2 | 2^-3 | - |\n"))
      << page;
  EXPECT_FALSE(contains(page, "control")) << "a control has no title";
  EXPECT_FALSE(contains(page, "has not run"));
  const auto html = [&] {
    // The page shows provenance and figures of reports, too.
    found.reports.back()["provenance"] = found.reports.front().at("provenance");
    found.reports.back()["timing"] = json::object();
    found.reports.back()["figures"] = json::array();
    return livi::claims_page(found, figures, results / "index.html");
  };
  EXPECT_TRUE(
      contains(html(),
               "<summary>ball, x</summary>\n<table>\n<thead><tr><th>h =</th><th>2^-3</th><th>2^-4</th>"
               "<th>95 %, at most</th><th>last power</th><th>order</th><th>derived</th><th>falls so "
               "from</th><th>share</th></tr></thead>\n"
               "<tbody>\n<tr><td class=statement>slow method</td><td data-label=\"2^-3\" class=number>0.25</td>"))
      << html();
  EXPECT_TRUE(contains(html(), "<a href=\"#strong-orders\">"));
  // A quick run has few paths: the power may be unknown.
  found.reports.back()["measurements"].erase(4);
  EXPECT_TRUE(contains(html(), "data-label=\"order\" class=number>unknown</td>")) << html();
  EXPECT_THROW(pages_of(found), livi::ReportError) << "a method without its order";
}

TEST_F(Page, readme_counts_the_answers_between_its_marks) {
  const std::string before = "# A\n<!-- headlines -->\nold\n<!-- /headlines -->\nafter\n";
  const std::string after = livi::with_headlines(before, findings());
  EXPECT_TRUE(contains(after, "# A\n<!-- headlines -->\n- [XX00](docs/claims-XX00.md): "));
  EXPECT_TRUE(contains(after, ". It fails. 1 question: **no** 1.\n<!-- /headlines -->\nafter\n")) << after;
  EXPECT_FALSE(contains(after, "old"));
  EXPECT_EQ(livi::with_headlines(after, findings()), after);
  for (const char* wrong : {"", "<!-- headlines -->\n", "<!-- /headlines --><!-- headlines -->\n"})
    EXPECT_THROW(livi::with_headlines(wrong, findings()), livi::ReportError) << wrong;
  EXPECT_THROW(livi::with_headlines(before + before, findings()), livi::ReportError);
}

}  // namespace docs_test
