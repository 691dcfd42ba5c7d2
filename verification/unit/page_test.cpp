// SPDX-License-Identifier: MIT
#include <livi/report/docs.hpp>
#include <livi/report/headlines.hpp>
#include <livi/report/page.hpp>
#include <livi/report/report.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

#include "text_of.hpp"

namespace {

using livi::Verdict;
using nlohmann::json;
namespace fs = std::filesystem;
using livi::test::text_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::pair<int, std::string> run(const std::string& command) {
  FILE* pipe = popen(("( " + command + " ) 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

class Page : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "livi_page_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr) << std::strerror(errno);
    folder = pattern;
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
    entries[1].update({{"verdict", "misprint"}, {"printed", "V = -g y"}, {"right", "V = +g y < 0"}});
    write_registry(entries);
  }
  void TearDown() override { fs::remove_all(folder); }

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
    const json whole{{"document", "XX00"}, {"title", "A document"}, {"headlines", {headline}}, {"claims", claims}};
    std::ofstream(registry / "XX00.json") << whole.dump();
  }
  livi::Findings findings() const { return livi::read_findings(results, registry); }
  std::string page() const { return livi::claims_page(findings(), figures, results / "index.html"); }
  std::pair<int, std::string> command(const std::string& arguments) const {
    return run(std::string(LIVI_BINARY_FOLDER) + "/tools/livi-page --registry " + registry.string() + " " + arguments);
  }

  fs::path folder;
  fs::path results;
  fs::path figures;
  fs::path registry;
};

TEST_F(Page, shows_every_part_of_a_claim) {
  const std::string html = page();
  for (const char* part :
       {"XX00.order", "Sec. 1", "the order is two if h &lt; 1 &amp; V is smooth", "</span> confirmed</span>",
        "measured", "1.988", "title=\"1.98765432109\"", "1.9 to 2.1", "the fit scatters by 0.05", "first-order method",
        "1.02", "also with a full mass", "1 failing and 1 passing control", "&ldquo;words of its sentence&rdquo;",
        "<code>tools/reproduce sample</code>"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
  EXPECT_TRUE(contains(html, "&minus;7.25&#8239;&times;&#8239;10<sup>&minus;13</sup>&nbsp;J"));
  EXPECT_TRUE(contains(html, "at most &minus;1&#8239;&times;&#8239;10<sup>&minus;12</sup>"));
}

TEST_F(Page, lists_misprints_and_refuted_claims_with_their_notes) {
  const std::string html = page();
  const std::string errata = html.substr(html.find("<section id=errata>"),
                                         html.find("<section id=without-verdict>") - html.find("<section id=errata>"));
  EXPECT_TRUE(contains(errata, "XX00.sign"));
  EXPECT_TRUE(contains(errata, "literal: V = -g y; corrected: V = +g y"));
  EXPECT_TRUE(contains(errata, "<p>Printed: V = -g y<br><b>Right:</b> V = +g y &lt; 0</p>"));
  EXPECT_FALSE(contains(errata, "&minus;7.25")) << "a number of what is typing";
  EXPECT_TRUE(contains(errata, "XX00.bound"));
  EXPECT_TRUE(contains(errata, "it grows with t"));
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
  const auto verdict_with = [&](const std::vector<std::string>& verdicts) {
    livi::Findings found = findings();
    json& claims = found.reports.at(0)["claims"];
    for (json& claim : claims) {
      if (claim["id"] == "XX00.order") claim["verdict"] = verdicts[0];
      if (claim["id"] == "XX00.bound") claim["verdict"] = verdicts[1];
    }
    return livi::headlines(found).at(0).verdict;
  };
  EXPECT_EQ(verdict_with({"confirmed", "confirmed"}), "yes");
  EXPECT_EQ(verdict_with({"confirmed", "confirmed-with-limits"}), "yes, within limits");
  EXPECT_EQ(verdict_with({"misprint", "confirmed"}), "yes, within limits");
  EXPECT_EQ(verdict_with({"confirmed-with-limits", "refuted"}), "no");
  EXPECT_EQ(verdict_with({"undecided", "refuted"}), "no");
  for (const char* open : {"undecided", "not-testable", "broken-control"})
    EXPECT_EQ(verdict_with({"confirmed", open}), "not decided") << open;
  // What decides is confirmed, but the other claim under the headline is refuted: no plain yes.
  livi::Findings other = findings();
  other.documents.at(0)["headlines"][0]["deciding"] = {"XX00.order"};
  EXPECT_EQ(livi::headlines(other).at(0).verdict, "yes, within limits");
  EXPECT_EQ(livi::headlines(other).at(0).claims, 4);
  EXPECT_EQ(livi::headlines(other).at(0).refuted, std::vector<std::string>{"XX00.bound"});
  EXPECT_EQ(livi::verdict_with_refuted(livi::headlines(other).at(0), "**", "**"),
            "**yes, within limits** (1 of 4 claims refuted)");
  for (json& claim : other.reports.at(0)["claims"]) claim["verdict"] = "confirmed";
  EXPECT_EQ(livi::headlines(other).at(0).verdict, "yes");
  EXPECT_EQ(livi::verdict_with_refuted(livi::headlines(other).at(0), "**", "**"), "**yes**");
  livi::Findings missing = findings();
  missing.reports.at(0)["claims"].erase(2);
  EXPECT_EQ(livi::headlines(missing).at(0).verdict, "not decided") << "a claim without a verdict";
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
  for (const char* nobody_s : {"@{sample:none}", "@{XX00.later}", "@{other:speed.ratio}", "@{speed}"}) {
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
}

TEST_F(Page, is_filtered_without_scripts_and_names_what_a_claim_settles) {
  livi::Findings found = findings();
  found.registry[0]["answers"] = {"XX00.former"};
  const std::string html = livi::claims_page(found, figures, results / "index.html");
  for (const char* part :
       {"id=f-undecided>", "id=d-XX00>",
        "body:has(#f-refuted:checked) #claims tbody tr:not(.v-refuted) { display: none; }",
        "body:has(#d-XX00:checked) #claims .group:not(.of-XX00) { display: none; }", "<div class=\"group of-XX00\">",
        "Settles <span class=id id=\"XX00.former\">XX00.former</span>", "follows from the numbers",
        "our judgement, which the numbers allow"})
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
  for (const char* part :
       {"Commit", "Compiler", "Flags", "-ffp-contract=off", "Processor", "sample.json", "page_test", "eigen&nbsp;3."}) {
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
       {"XX00.later", "verdict undecided", "the run goes on", "it stopped after 7 steps", "no number"})
    EXPECT_TRUE(contains(open, part)) << part;
  const std::string row = html.substr(html.find("<tr id=\"XX00.later\""));
  EXPECT_TRUE(contains(row.substr(0, row.find("</tr>")), "verdict undecided"));
  EXPECT_TRUE(contains(row.substr(0, row.find("</tr>")), "its run was lost"));
  EXPECT_TRUE(contains(html, "<a href=\"#open\">"));
  const std::string text = livi::claims_text(findings());
  EXPECT_TRUE(contains(text, "undecided              XX00.later  no number")) << text;
  EXPECT_TRUE(contains(text, "4 claims: 1 confirmed, 1 refuted, 1 misprint, 1 undecided\n")) << text;
  EXPECT_TRUE(contains(text, "1 undecided: XX00.later\n")) << text;
  EXPECT_TRUE(contains(livi::claims_markdown(findings()), "**undecided**"));
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
  EXPECT_TRUE(contains(page(), "1 of 1 controls are broken"));
  EXPECT_TRUE(contains(livi::claims_text(findings()), "1 broken control: XX00.later"));
  EXPECT_TRUE(contains(page().substr(page().find("<section id=open>")), "verdict broken-control"));
}

TEST_F(Page, text_has_a_line_for_each_claim_and_counts_verdicts) {
  const auto [status, output] = command("--text " + results.string());
  ASSERT_EQ(status, 0) << output;
  EXPECT_TRUE(contains(output, "confirmed              XX00.order  1.988 order; holds for [1.9, 2.1]; measured\n"))
      << output;
  EXPECT_TRUE(contains(output, "holds for <= -1e-12"));
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
        "**no.** (1 of 4 claims refuted) Its order is 1.99. *Do not use it for long.*",
        "- 4 statements: 1 confirmed, 1 misprint, 1 refuted, 1 without a verdict\n",
        "<a id=\"XX00.order\"></a>Sec. 1: \"words of its sentence\".",
        "**confirmed**: 1.988 order (holds for 1.9 to 2.1). also with a full mass",
        "first-order method: 1.02, fails; another of order two: 2, passes; `tools/reproduce sample`"})
    EXPECT_TRUE(contains(claims, part)) << part << claims;
}

TEST_F(Page, docs_list_errata_and_what_is_ours_apart) {
  livi::Findings found = findings();
  for (json& registered : found.documents.at(0)["claims"])
    if (registered["id"] == "XX00.order") registered["origin"] = "ours";
  const auto pages = pages_of(found);
  const std::string& errata = pages.at("errata.md");
  EXPECT_TRUE(contains(errata, "## XX00: misprints")) << errata;
  EXPECT_TRUE(contains(errata, "`XX00.sign` | V = -g y | V = +g y \\< 0 | literal:")) << errata;
  EXPECT_LT(errata.find("XX00.sign"), errata.find("## XX00: refuted"));
  EXPECT_LT(errata.find("## XX00: refuted"), errata.find("XX00.bound"));
  EXPECT_FALSE(contains(errata, "XX00.order"));
  EXPECT_TRUE(contains(pages.at("results.md"), "XX00.order"));
  EXPECT_FALSE(contains(pages.at("results.md"), "XX00.sign"));
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

TEST_F(Page, the_headlines_of_a_readme_stand_between_their_marks) {
  const std::string before = "# A\n<!-- headlines -->\nold\n<!-- /headlines -->\nafter\n";
  const std::string after = livi::with_headlines(before, findings());
  EXPECT_TRUE(contains(after,
                       "| [Does it work?](docs/claims-XX00.md#method) | **no** (1 of 4 claims refuted) |\n"
                       "<!-- /headlines -->\nafter\n"))
      << after;
  EXPECT_FALSE(contains(after, "old"));
  EXPECT_EQ(livi::with_headlines(after, findings()), after);
  for (const char* wrong : {"", "<!-- headlines -->\n", "<!-- /headlines --><!-- headlines -->\n"})
    EXPECT_THROW(livi::with_headlines(wrong, findings()), livi::ReportError) << wrong;
  EXPECT_THROW(livi::with_headlines(before + before, findings()), livi::ReportError);
}

TEST_F(Page, the_command_writes_the_page_whole) {
  const fs::path page_file = results / "index.html";
  const std::string arguments = results.string() + " " + figures.string() + " ";
  EXPECT_EQ(command(arguments + page_file.string()).first, 0);
  const std::string before = text_of(page_file);
  EXPECT_EQ(before, page());
  EXPECT_EQ(run("ulimit -f 1; " + std::string(LIVI_BINARY_FOLDER) + "/tools/livi-page --registry " + registry.string() +
                " " + arguments + page_file.string())
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

}  // namespace
