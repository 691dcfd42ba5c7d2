// SPDX-License-Identifier: MIT
//
// livi-page: claims with all their parts, the answers to the questions of the headlines, and what is missing.
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <livi/report/report.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "page_findings.hpp"
#include "study/pages/docs.hpp"
#include "study/pages/headlines.hpp"
#include "study/pages/page.hpp"
#include "verification/support/text_of.hpp"

namespace page_test {

using namespace livi::test;
using livi::test::text_of;
using nlohmann::json;

namespace fs = std::filesystem;

TEST_F(Page, shows_every_part_of_a_claim) {
  const std::string html = page();
  for (const char* part :
       {"XX00.order", "Sec. 1", "the order is two if h &lt; 1 &amp; V is smooth", "</span> confirmed</span>",
        "measured", "1.988", "title=\"1.98765432109\"", "1.9 to 2.1", "the fit scatters by 0.05", "first-order method",
        "1.02", "also with a full mass", "with the power 1.988, Euler&#39;s with 1.02.",
        "Measured: 1.988 (accepted: 1.9 to 2.1). The test rejects 1 wrong variant and passes 1 correct one.",
        "&ldquo;words of its sentence&rdquo;", "<code>tools/reproduce sample</code>"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
  EXPECT_TRUE(contains(html, "&minus;7.25&#8239;&times;&#8239;10<sup>&minus;13</sup>&nbsp;J"));
  EXPECT_TRUE(contains(html, "<span class=number>at most -1e-12</span>"));
}

TEST_F(Page, lists_misprints_and_refuted_claims_with_their_notes) {
  const std::string html = page();
  const std::string errata = html.substr(html.find("<section id=errata>"),
                                         html.find("<section id=without-verdict>") - html.find("<section id=errata>"));
  EXPECT_TRUE(contains(errata, "XX00.sign"));
  EXPECT_TRUE(contains(errata, "A mass that falls | gains energy as printed."));
  EXPECT_TRUE(contains(errata, "<p>Printed: V = -g y<br><b>Right:</b> V = +g y &lt; 0</p>"));
  EXPECT_FALSE(contains(errata, "&minus;7.25")) << "a number of what is typing";
  EXPECT_TRUE(contains(errata, "XX00.bound"));
  EXPECT_TRUE(contains(errata, "The error grows with t and doubles."));
  EXPECT_FALSE(contains(errata, "XX00.order"));
}

TEST_F(Page, answers_the_question_of_the_headline_first) {
  const std::string html = page();
  const auto at = [&](const std::string& part) { return html.find(part); };
  const std::string section =
      html.substr(at("<section id=headlines>"), at("<section id=figures>") - at("<section id=headlines>"));
  for (const char* part : {"A document", "Does it work?", "class=\"verdict refuted\">no<", "Its order is 1.99.",
                           "Do not use it for long."})
    EXPECT_TRUE(contains(section, part)) << part;
  const std::vector<std::string> order{"<section id=headlines>", "<section id=figures>", "<section id=claims>",
                                       "<section id=errata>", "<footer id=provenance"};
  for (std::size_t k = 0; k + 1 < order.size(); ++k) EXPECT_LT(at(order[k]), at(order[k + 1])) << order[k];
  const std::string claims =
      html.substr(at("<section id=claims>"), at("<section id=errata>") - at("<section id=claims>"));
  EXPECT_TRUE(contains(claims, "<h3 id=\"XX00-method\">"));
}

// The rule of headlines.hpp, one case for each of its words.
TEST_F(Page, the_verdict_of_a_headline_follows_from_its_claims) {
  const auto verdict_with = [&](const std::vector<std::string>& verdicts, const std::string& only_if = "") {
    livi::Findings found = findings();
    json& claims = found.reports.at(0)["claims"];
    for (json& claim : claims) {
      if (claim["id"] == "XX00.order") claim["verdict"] = verdicts[0];
      if (claim["id"] == "XX00.bound") claim["verdict"] = verdicts[1];
    }
    if (!only_if.empty()) found.documents.at(0)["headlines"][0]["only_if"] = only_if;
    return livi::headlines(found).at(0).verdict;
  };
  EXPECT_EQ(verdict_with({"confirmed", "confirmed"}), "yes");
  EXPECT_EQ(verdict_with({"confirmed", "confirmed"}, "it rains"), "yes") << "no claim has a limit";
  EXPECT_EQ(verdict_with({"confirmed", "confirmed-with-limits"}), "yes, as far as tried");
  EXPECT_EQ(verdict_with({"confirmed", "confirmed-with-limits"}, "it rains"), "only if it rains");
  EXPECT_EQ(verdict_with({"misprint", "confirmed"}), "no");
  EXPECT_EQ(verdict_with({"misprint", "confirmed"}, "it is corrected"), "only if it is corrected");
  for (const char* only_if : {"", "it rains"}) {
    EXPECT_EQ(verdict_with({"confirmed-with-limits", "refuted"}, only_if), "no");
    EXPECT_EQ(verdict_with({"undecided", "refuted"}, only_if), "no");
    for (const char* open : {"undecided", "not-testable", "broken-control"}) {
      EXPECT_EQ(verdict_with({"confirmed-with-limits", open}, only_if), "open") << open;
      EXPECT_EQ(verdict_with({"misprint", open}, only_if), "open") << open;
    }
  }
  // What decides is confirmed; the other claim under the headline, which is refuted, is counted beside it.
  livi::Findings other = findings();
  other.documents.at(0)["headlines"][0]["deciding"] = {"XX00.order"};
  EXPECT_EQ(livi::headlines(other).at(0).verdict, "yes");
  EXPECT_EQ(livi::headlines(other).at(0).claims, 4);
  EXPECT_EQ(livi::headlines(other).at(0).refuted, std::vector<std::string>{"XX00.bound"});
  EXPECT_EQ(livi::verdict_with_refuted(livi::headlines(other).at(0), "**", "**"), "**yes** (1 of 4 claims refuted)");
  for (json& claim : other.reports.at(0)["claims"]) claim["verdict"] = "confirmed";
  EXPECT_EQ(livi::headlines(other).at(0).verdict, "yes");
  EXPECT_EQ(livi::verdict_with_refuted(livi::headlines(other).at(0), "**", "**"), "**yes**");
  livi::Findings missing = findings();
  missing.reports.at(0)["claims"].erase(2);
  EXPECT_EQ(livi::headlines(missing).at(0).verdict, "open") << "a claim without a verdict";
}

TEST_F(Page, headlines_take_numbers_of_claims_measurements_and_counts) {
  livi::Findings found = findings();
  found.reports.at(0)["measurements"] = {{{"name", "speed.ratio"}, {"value", 1.6180339}}};
  found.reports.at(0)["counts"] = {{"lost", 3}};
  json& headline = found.documents.at(0)["headlines"][0];
  headline["answer"] = "@{XX00.order} and @{sample:speed.ratio}.";
  headline["advice"] = "Mind the @{sample:lost}.";
  EXPECT_EQ(livi::headlines(found).at(0).answer, "1.99 and 1.62.");
  EXPECT_EQ(livi::headlines(found).at(0).advice, "Mind the 3.");
  for (const char* nobody_s : {"@{sample:none}", "@{XX00.later}", "@{speed}"}) {
    headline["answer"] = nobody_s;
    EXPECT_THROW(livi::headlines(found), livi::ReportError) << nobody_s;
  }
}

// Who asks for one figure alone has one report, and the page answers what that report answers.
TEST_F(Page, says_which_reports_a_headline_misses) {
  livi::Findings found = findings();
  found.documents.at(0)["claims"][0]["experiment"] = "elsewhere";  // XX00.order, which the answer names
  json& claims = found.reports.at(0)["claims"];
  for (std::size_t k = claims.size(); k-- > 0;) {
    if (claims[k]["id"] == "XX00.order")
      claims.erase(k);
    else if (claims[k]["id"] == "XX00.bound")
      claims[k]["verdict"] = "confirmed";
  }
  const livi::Headline headline = livi::headlines(found).at(0);
  EXPECT_EQ(headline.verdict, "not run here");
  EXPECT_EQ(headline.missing, std::vector<std::string>{"elsewhere"});
  EXPECT_EQ(headline.answer, "Not answered here, for want of reports; they are written by tools/reproduce elsewhere.");
  EXPECT_EQ(headline.advice, "Do not use it for long.");
  EXPECT_TRUE(contains(livi::claims_page(found, figures, results / "index.html"), ">not run here<"));
  EXPECT_THROW(livi::generated_pages(found), livi::ReportError);
  EXPECT_THROW(livi::with_headlines("<!-- headlines -->\n<!-- /headlines -->\n", found), livi::ReportError);

  // A number of an experiment that decides nothing here: the verdict stands, the sentence around the number does not.
  livi::Findings side = findings();
  side.documents.at(0)["claims"][3]["experiment"] = "elsewhere";  // XX00.later
  json& entry = side.documents.at(0)["headlines"][0];
  entry["advice"] = "Mind the @{elsewhere:lost}.";
  EXPECT_EQ(livi::headlines(side).at(0).verdict, "no");
  EXPECT_EQ(livi::headlines(side).at(0).advice, "");
  EXPECT_EQ(livi::headlines(side).at(0).missing, std::vector<std::string>{"elsewhere"});
  entry["advice"] = "Do not.";
  EXPECT_TRUE(livi::headlines(side).at(0).missing.empty()) << "what needs nothing of it misses nothing";
  entry["advice"] = "Mind the @{decides_nothing:lost}.";  // the experiment of no claim
  EXPECT_EQ(livi::headlines(side).at(0).missing, std::vector<std::string>{"decides_nothing"});

  // An answer keeps the sentences whose numbers are here.
  entry["advice"] = "Do not.";
  entry["answer"] = "It is 1.5 wide. It turns @{decides_nothing:times} times. It ends.";
  EXPECT_EQ(livi::headlines(side).at(0).answer, "It is 1.5 wide. It ends.");
  EXPECT_EQ(livi::headlines(side).at(0).missing, std::vector<std::string>{"decides_nothing"});
  EXPECT_THROW(livi::generated_pages(side), livi::ReportError);
  entry["answer"] = "It turns @{decides_nothing:times} times.";
  EXPECT_EQ(livi::headlines(side).at(0).answer,
            "Not answered here, for want of reports; they are written by tools/reproduce decides_nothing.");
}

// Who runs some of the programs has some of the reports; the page can be made, whichever is missing.
TEST_F(Page, headlines_of_the_documents_can_miss_any_report) {
  const fs::path source = LIVI_SOURCE_FOLDER;
  livi::Findings all =
      livi::read_findings(source / "results" / "baseline", source / "reference" / "claims", livi::Kind::baselines);
  for (const livi::Headline& headline : livi::headlines(all)) EXPECT_TRUE(headline.missing.empty()) << headline.key;
  std::size_t misses = 0;
  for (json& report : all.reports) {
    json missing = {{"experiment", "none"}, {"claims", json::array()}};
    missing.swap(report);
    for (const livi::Headline& headline : livi::headlines(all)) misses += headline.missing.size();
    missing.swap(report);
  }
  EXPECT_GT(misses, livi::headlines(all).size());
}

TEST_F(Page, is_filtered_without_scripts_and_names_what_a_claim_settles) {
  livi::Findings found = findings();
  found.registry[0]["answers"] = {"XX00.former"};
  found.registry[0]["also"] = {{{"place", "Sec. 7"}, {"anchor", "the same & again"}}};
  const std::string html = livi::claims_page(found, figures, results / "index.html");
  for (const char* part :
       {"id=f-undecided>", "id=d-XX00>",
        "body:has(#f-refuted:checked) #claims tbody tr:not(.v-refuted) { display: none; }",
        "body:has(#d-XX00:checked) #claims .group:not(.of-XX00) { display: none; }", "<div class=\"group of-XX00\">",
        "Settles <span class=id id=\"XX00.former\">XX00.former</span>", "follows from the numbers",
        "Sec. 7: &ldquo;the same &amp; again&rdquo;", "our judgement, which the numbers allow"})
    EXPECT_TRUE(contains(html, part)) << part;
  EXPECT_FALSE(contains(html, "<script"));
}

TEST_F(Page, what_the_registry_expects_to_be_undecided_is_no_alarm) {
  livi::Findings found = findings();
  for (json& claim : found.reports.at(0)["claims"])
    if (claim["id"] == "XX00.bound") claim["verdict"] = "undecided";
  const auto page_of = [&] { return livi::claims_page(found, figures, results / "index.html"); };
  EXPECT_TRUE(contains(page_of(), "<section id=open>"));
  for (json& claim : found.registry)
    if (claim["id"] == "XX00.bound") claim["verdict"] = "undecided";
  EXPECT_FALSE(contains(page_of(), "<section id=open>"));
}

TEST_F(Page, what_is_ours_stands_in_a_list_of_its_own) {
  livi::Report report("found", {"XX00", "Figure 2", ""});
  report.claim({.id = "XX00.found",
                .source = {"XX00", "Sec. 2"},
                .origin = livi::Origin::ours,
                .headline = "method",
                .statement = "a third step is better",
                .measured = 1,
                .interval = {0, 2},
                .reason = "r"});
  EXPECT_FALSE(contains(page(), "<section id=results>"));
  report.write(results);
  const std::string html = page();
  const auto results_at = html.find("<section id=results>");
  ASSERT_NE(results_at, std::string::npos);
  EXPECT_LT(html.find("<section id=errata>"), results_at);
  EXPECT_TRUE(contains(html.substr(results_at), "id=\"XX00.found\""));
  EXPECT_FALSE(contains(html.substr(0, results_at), "XX00.found"));
}

TEST_F(Page, what_is_ours_stands_by_subject) {
  livi::Findings found = findings();
  const auto html = [&] {
    const std::string whole = livi::claims_page(found, figures, results / "index.html");
    return whole.substr(whole.find("<section id=results>"));
  };
  json& claims = found.documents.at(0)["claims"];
  for (json& registered : claims) registered["origin"] = "ours";
  const std::string others = html();
  EXPECT_EQ(occurrences(others, "<h3>"), 1U);
  EXPECT_TRUE(contains(others, "<h3>Others</h3>"));
  for (json& registered : claims) registered["subject"] = registered["id"] == "XX00.bound" ? "Stiff systems" : "Noise";
  const std::string by_subject = html();
  EXPECT_EQ(occurrences(by_subject, "<h3>"), 2U);
  const auto stiff = by_subject.find("<h3>Stiff systems</h3>"), noise = by_subject.find("<h3>Noise</h3>"),
             bound = by_subject.find("<tr id=\"XX00.bound\""), order = by_subject.find("<tr id=\"XX00.order\"");
  EXPECT_LT(stiff, bound);
  EXPECT_LT(bound, noise);
  EXPECT_LT(noise, order);
}

TEST_F(Page, lists_registered_claims_without_a_verdict) {
  EXPECT_EQ(livi::without_verdict(findings()), std::vector<std::string>{"XX00.later"});
  const std::string html = page();
  EXPECT_TRUE(contains(html.substr(html.find("<section id=without-verdict>")), "XX00.later"));
  EXPECT_TRUE(contains(livi::claims_text(findings()), "1 registered without a verdict: XX00.later"));
}

TEST_F(Page, shows_figures_by_relative_links_and_names_absent_ones) {
  const std::string html = page();
  EXPECT_TRUE(contains(html, "<img src=\"../plots/figures/sample.svg\" alt=\"A figure that was drawn.\">"));
  EXPECT_FALSE(contains(html, "src=\"../plots/figures/absent.svg\""));
  EXPECT_TRUE(contains(html, "absent.svg has not been drawn"));
  EXPECT_TRUE(contains(html, "A figure that was not drawn."));
}

TEST_F(Page, needs_nothing_from_elsewhere) {
  const std::string html = page();
  for (const char* part : {"http:", "https:", "//", "<script", "<link", "@import", "url("}) {
    // The command line of a report may hold any path, but no link does.
    EXPECT_EQ(occurrences(html.substr(0, html.find("<footer")), part), 0U) << part;
  }
  EXPECT_TRUE(contains(html, "name=\"viewport\""));
}

TEST_F(Page, tells_where_it_comes_from) {
  const std::string html = page();
  const std::string footer = html.substr(html.find("<footer"));
  for (const char* part : {"Commit", "Compiler", "Flags", "-ffp-contract=off", "Processor", "sample.json", "unit_pages",
                           "eigen&nbsp;3."}) {
    EXPECT_TRUE(contains(footer, part)) << part;
  }
  EXPECT_TRUE(contains(html, "XX00, Figure 1 (Sec.&nbsp;4.1)"));
}

TEST_F(Page, an_undecided_claim_is_seen) {
  EXPECT_FALSE(contains(page(), "<section id=open>")) << "nothing is open before";
  livi::Report report("open", {"XX00", "Figure 2", ""});
  report.claim({.id = "XX00.later",
                .source = {"XX00", "Sec. 2"},
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "the run goes on",
                .interval = {0, 2},
                .reason = "r",
                .controls = {{.name = "explodes", .measured = kInfinity, .interval = {0, 2}, .note = "at t = 3"}},
                .note = "it stopped after 7 steps"});
  report.write(results);
  const std::string html = page();
  const std::string summary =
      html.substr(html.find("<ul class=summary>"), html.find("</header>") - html.find("<ul class=summary>"));
  EXPECT_TRUE(contains(summary, "<b>1</b> <span class=\"verdict undecided\">")) << summary;
  const std::string open =
      html.substr(html.find("<section id=open>"), html.find("<section id=claims>") - html.find("<section id=open>"));
  for (const char* part :
       {"XX00.later", "verdict undecided", "the run goes on", "it stopped after 7 steps", "The number is missing."})
    EXPECT_TRUE(contains(open, part)) << part;
  const std::string row = html.substr(html.find("<tr id=\"XX00.later\""));
  EXPECT_TRUE(contains(row.substr(0, row.find("</tr>")), "verdict undecided"));
  EXPECT_TRUE(contains(row.substr(0, row.find("</tr>")), "its run was lost"));
  EXPECT_TRUE(contains(html, "<a href=\"#open\">"));
  const std::string text = livi::claims_text(findings());
  EXPECT_TRUE(contains(text, "undecided              XX00.later\n")) << text;
  EXPECT_TRUE(contains(text, "4 claims: 1 confirmed, 1 refuted, 1 misprint, 1 undecided\n")) << text;
  EXPECT_TRUE(contains(text, "1 undecided: XX00.later\n")) << text;
  EXPECT_TRUE(contains(livi::claims_markdown(findings()), "**undecided**"));
}

TEST_F(Page, evidence_stands_apart_from_controls) {
  using livi::Expected;
  livi::Report report("cases", {"XX00", "Figure 3", ""});
  const livi::Interval two{1.9, 2.1};
  report.claim(
      {.id = "XX00.rule",
       .source = {"XX00", "Sec. 3"},
       .anchor = "words of its sentence",
       .headline = "method",
       .statement = "the order is two on every orbit",
       .measured = 2.01,
       .interval = two,
       .reason = "r",
       .controls = {{.name = "first-order method", .measured = 1.02, .interval = two},
                    {.name = "ellipse", .measured = 1.98, .interval = two, .expected = Expected::evidence},
                    {.name = "circle", .measured = 1.25, .interval = two, .expected = Expected::evidence},
                    {.name = "no orbit", .interval = two, .note = "not tried", .expected = Expected::evidence}}});
  report.write(results);
  const std::string html = page();
  const std::string row = html.substr(html.find("<tr id=\"XX00.rule\""));
  EXPECT_TRUE(contains(row, "The test rejects 1 wrong variant. Not for: circle. Also for: ellipse."));
  const std::string evidence = row.substr(row.find("<dt>Evidence</dt>"));
  EXPECT_LT(row.find("first-order method"), row.find("<dt>Evidence</dt>"));
  for (const char* part : {"ellipse: ", "<b>supports</b> the claim", "circle: ", "<b>contradicts</b> the claim",
                           "not measured. not tried"})
    EXPECT_TRUE(contains(evidence, part)) << part;
}

/// Between 0 (black) and 1 (white), as the Web Content Accessibility Guidelines 2 define it; `colour` is "#rrggbb".
double relative_luminance(const std::string& colour) {
  const auto linear = [&](std::size_t at) {
    const double c = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

// 7 is what these guidelines ask for at their highest level (AAA). Every badge has both colours of its own, so that it
// looks the same on the light and on the dark page.
TEST_F(Page, the_badge_of_every_verdict_is_readable) {
  const std::string html = page();
  for (const auto& [verdict, name] : livi::detail::verdict_names) {
    const std::string rule = "." + std::string(name) + " { background: #";
    ASSERT_EQ(occurrences(html, rule), 1U) << name;
    const auto at = html.find(rule) + rule.size() - 1;
    ASSERT_EQ(html.substr(at + 7, 10), "; color: #") << name;
    const double background = relative_luminance(html.substr(at, 7)),
                 text = relative_luminance(html.substr(at + 16, 7));
    EXPECT_GE((std::max(background, text) + 0.05) / (std::min(background, text) + 0.05), 7) << name;
  }
}

TEST_F(Page, a_broken_control_is_seen) {
  livi::Report report("broken", {"XX00", "Figure 2", ""});
  report.claim({.id = "XX00.later",
                .source = {"XX00", "Sec. 2"},
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "s",
                .measured = 1,
                .interval = {0, 2},
                .reason = "r",
                .controls = {{.name = "passes", .measured = 1.5, .interval = {0, 2}}}});
  report.write(results);
  EXPECT_TRUE(contains(page(), "verdict broken-control"));
  EXPECT_TRUE(contains(page(), "Measured: 1 (accepted: 0 to 2). 1 control is broken."));
  EXPECT_TRUE(contains(livi::claims_text(findings()), "1 broken control: XX00.later"));
  EXPECT_TRUE(contains(page().substr(page().find("<section id=open>")), "verdict broken-control"));
}

TEST_F(Page, text_has_a_line_for_each_claim_and_counts_verdicts) {
  const auto [status, output] = command("--text " + results.string());
  ASSERT_EQ(status, 0) << output;
  EXPECT_TRUE(contains(output, "confirmed              XX00.order\n")) << output;
  EXPECT_TRUE(contains(output, "We find: The error falls with the power 1.988")) << output;
  EXPECT_TRUE(contains(output, "3 claims: 1 confirmed, 1 refuted, 1 misprint\n")) << output;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
}

TEST_F(Page, text_breaks_its_lines_wherever_words_end) {
  // With the first id longer and longer, words end at every column.
  for (std::size_t more = 0; more < 12; ++more) {
    json entries = json::array();
    for (int k = 0; k < 40; ++k) {
      const std::string id = "XX00.later" + std::to_string(10 + k) + std::string(k == 0 ? more : 0, 'x');
      entries.push_back(registered(id));
    }
    for (const char* id : {"XX00.order", "XX00.sign", "XX00.bound"}) {
      entries.push_back(entries.front());
      entries.back()["id"] = id;
    }
    write_registry(entries);
    std::istringstream lines(livi::claims_text(findings()));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
  }
}

TEST_F(Page, markdown_is_one_table_whose_cells_cannot_break_it) {
  const auto [status, output] = command("--markdown " + results.string());
  ASSERT_EQ(status, 0) << output;
  EXPECT_EQ(occurrences(output, "\n"), 5U) << "two lines of head, three claims";
  EXPECT_TRUE(contains(output, "a sign \\| is printed wrong")) << output;
  EXPECT_TRUE(contains(output, "**misprint**"));
}

TEST_F(Page, the_command_writes_the_page_whole) {
  const fs::path page_file = results / "index.html";
  const std::string arguments = results.string() + " " + figures.string() + " ";
  EXPECT_EQ(command(arguments + page_file.string()).first, 0);
  const std::string before = text_of(page_file);
  EXPECT_EQ(before, page());
  EXPECT_EQ(run_command("ulimit -f 1; " + std::string(LIVI_BINARY_FOLDER) + "/tools/livi-page --registry " +
                        registry.string() + " " + arguments + page_file.string())
                .first,
            2)
      << "a full disk";
  EXPECT_EQ(text_of(page_file), before);
  EXPECT_EQ(command(arguments + (registry / "XX00.json" / "index.html").string()).first, 2);
}

TEST_F(Page, the_command_refuses_what_is_not_in_order) {
  const std::string arguments = results.string() + " " + figures.string() + " " + (results / "index.html").string();
  EXPECT_EQ(command("").first, 2);
  EXPECT_EQ(command(results.string()).first, 2);
  EXPECT_EQ(command("--text --markdown " + results.string()).first, 2);
  EXPECT_EQ(command("--text " + figures.string()).first, 2) << "a folder without reports";
  EXPECT_EQ(command("--text " + (folder / "nowhere").string()).first, 2);
  const std::string good = text_of(results / "sample.json");
  std::ofstream(results / "sample.json") << good.substr(0, good.size() / 2);
  const auto [status, output] = command(arguments);
  EXPECT_EQ(status, 2);
  EXPECT_TRUE(contains(output, (results / "sample.json").string())) << output;
  EXPECT_FALSE(fs::exists(results / "index.html"));
  std::ofstream(results / "sample.json") << good;
  std::ofstream(registry / "XX00.json") << "{}";
  EXPECT_EQ(command(arguments).first, 2);
}

}  // namespace page_test
