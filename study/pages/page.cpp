// SPDX-License-Identifier: MIT
#include "study/pages/page.hpp"

#include <livi/claims/claim.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <system_error>

#include "study/pages/headlines.hpp"
#include "study/pages/page_claims.hpp"
#include "study/pages/strong_orders.hpp"

namespace livi {
namespace {

using nlohmann::json;
using namespace page_detail;
namespace fs = std::filesystem;

std::map<std::string, const json*> registry_of(const Findings& findings) {
  std::map<std::string, const json*> registered;
  for (const json& entry : findings.registry) registered.emplace(entry.at("id"), &entry);
  return registered;
}

/// Returns the rows of the claims that are shown, in the order of the reports.
template <class IsShown>
std::string rows_of(const Findings& findings, const IsShown& is_shown) {
  const auto registered = registry_of(findings);
  std::string rows;
  for (const json& report : findings.reports)
    for (const json& claim : report.at("claims")) {
      if (!is_shown(claim)) continue;
      const auto entry = registered.find(claim.at("id"));
      rows += claim_row(claim, report.at("experiment"), entry == registered.end() ? nullptr : entry->second);
    }
  return rows;
}

/// Returns the title of a document, if it has a registry.
std::string title_of(const Findings& findings, const std::string& document) {
  for (const json& registry : findings.documents)
    if (registry.at("document") == document) return registry.at("title");
  return "";
}

std::string anchor_of(const Headline& headline) { return escaped(headline.document + "-" + headline.key); }

/// Returns the badge of a headline's verdict, which looks like that of a claim.
std::string headline_badge(const Headline& headline) {
  const std::string& verdict = headline.verdict;
  const char* const like = verdict == "yes" ? "confirmed"
                           : verdict == "yes, as far as tried" || verdict.starts_with("only if ")
                               ? "confirmed-with-limits"
                           : verdict == "no" ? "refuted"
                                             : "undecided";
  return verdict_with_refuted(headline, "<span class=\"verdict " + std::string(like) + "\">", "</span>");
}

std::string headlines_section(const std::vector<Headline>& all, const Findings& findings) {
  if (all.empty()) return "";
  std::string html = "<section id=headlines>\n<h2>Does the paper hold?</h2>\n";
  std::string document;
  for (const Headline& headline : all) {
    if (headline.document != document) {
      if (!document.empty()) html += "</ul>\n";
      document = headline.document;
      html += "<h3>" + escaped(title_of(findings, document)) + "</h3>\n<ul class=cards>\n";
    }
    html += "<li><p>" + headline_badge(headline) + " <a href=\"#" + anchor_of(headline) + "\"><b>" +
            escaped(headline.question) + "</b></a></p>\n<p>" + escaped(headline.answer) + "</p>\n<p class=advice>" +
            escaped(headline.advice) + "</p></li>\n";
  }
  return html + "</ul>\n</section>\n";
}

/// Returns the filter of the claims, which needs no scripts: a choice hides the other rows, and sections that become
/// empty.
std::string filter(const Findings& findings) {
  std::string html = "<form class=filter><b>Show</b> <label><input type=radio name=v checked> all</label>", style;
  for (const auto& [value, name] : detail::verdict_names) {
    const std::string verdict(name);
    if (verdict == "result" || verdict == "broken-control") continue;
    html += " <label><input type=radio name=v id=f-" + verdict + "> " + in_words(verdict) + "</label>";
    const std::string chosen = "body:has(#f-" + verdict + ":checked) #claims ";
    style += chosen + "tbody tr:not(.v-" + verdict + ") { display: none; }\n" + chosen + ".group:not(:has(.v-" +
             verdict + ")) { display: none; }\n";
  }
  html += "<br><b>of</b> <label><input type=radio name=d checked> all documents</label>";
  for (const json& registry : findings.documents) {
    const std::string document = escaped(registry.at("document"));
    html += " <label><input type=radio name=d id=d-" + document + "> " + document + "</label>";
    style += "body:has(#d-" + document + ":checked) #claims .group:not(.of-" + document + ") { display: none; }\n";
  }
  return html + "</form>\n<style>\n" + style + "</style>\n";
}

std::string claims_section(const std::vector<Headline>& all, const Findings& findings) {
  std::string html = "<section id=claims>\n<h2>Claims</h2>\n" + filter(findings);
  std::set<std::pair<std::string, std::string>> shown;
  for (const Headline& headline : all) {
    const std::string rows = rows_of(findings, [&](const json& claim) {
      return claim.at("source").at("document") == headline.document && claim.at("headline") == headline.key &&
             claim.at("origin") != "ours";
    });
    shown.insert({headline.document, headline.key});
    if (rows.empty()) continue;
    html += "<div class=\"group of-" + escaped(headline.document) + "\">\n<h3 id=\"" + anchor_of(headline) + "\">" +
            escaped(headline.document) + ": " + escaped(headline.question) + " " + headline_badge(headline) +
            "</h3>\n" + table_head("The paper says") + rows + "</tbody>\n</table>\n</div>\n";
  }
  // These are claims without a registry, such as those of a battery.
  const std::string others = rows_of(findings, [&](const json& claim) {
    return claim.at("origin") != "ours" && !shown.contains({claim.at("source").at("document"), claim.at("headline")});
  });
  if (!others.empty())
    html +=
        "<div class=group>\n<h3>Others</h3>\n" + table_head("What is said") + others + "</tbody>\n</table>\n</div>\n";
  return html + "</section>\n";
}

std::string own_results_section(const Findings& findings) {
  const std::vector<Subject> subjects = own_results_by_subject(findings);
  if (subjects.empty()) return "";
  std::string html =
      "<section id=results>\n<h2>Results of our own</h2>\n<p>Found on the way. No document says them, and none is "
      "judged by them.</p>\n";
  for (const Subject& subject : subjects) {
    html += "<h3>" + subject.title + "</h3>\n" + table_head("We say");
    for (const OwnResult& result : subject.results)
      html += claim_row(*result.claim, result.experiment, result.registered);
    html += "</tbody>\n</table>\n";
  }
  return html + "</section>\n";
}

/// Returns a card for each claim that is shown, with what was found; empty if there is none.
template <class IsShown>
std::string cards(const Findings& findings, const IsShown& is_shown) {
  const auto registered = registry_of(findings);
  std::string items;
  for (const json& report : findings.reports) {
    for (const json& claim : report.at("claims")) {
      if (!is_shown(claim)) continue;
      const std::string verdict = claim.at("verdict"), id = escaped(claim.at("id"));
      items += "<li><p>" + badge(verdict) + " <a class=id href=\"#" + id + "\">" + id + "</a> <span class=place>" +
               escaped(claim.at("source").at("document")) + ", " + place_of(claim) +
               "</span></p>\n<p class=statement>" + escaped(claim.at("statement")) + "</p>\n";
      const auto entry = registered.find(claim.at("id"));
      const bool is_corrected = entry != registered.end() && entry->second->contains("right");
      if (is_corrected)
        items += "<p>Printed: " + escaped(entry->second->at("printed")) + "<br><b>Right:</b> " +
                 escaped(entry->second->at("right")) + "</p>\n";
      items += finding_html(claim, entry == registered.end() ? nullptr : entry->second);
      if (is_open(verdict) && claim.contains("note")) items += "<p>" + escaped(claim.at("note")) + "</p>\n";
      items += "</li>\n";
    }
  }
  return items;
}

std::string errata_section(const Findings& findings) {
  std::string items = cards(findings, [](const json& claim) {
    return claim.at("verdict") == "misprint" || claim.at("verdict") == "refuted";
  });
  if (items.empty()) items = "<li><p>None so far.</p></li>\n";
  return "<section id=errata>\n<h2>Misprints and refuted claims</h2>\n<p>What a reader of the documents should change "
         "or not rely "
         "on.</p>\n<ul class=cards>\n" +
         items + "</ul>\n</section>\n";
}

/// Returns the section above everything else: the claims that are not yet judged. What the registry expects to be
/// undecided is listed among the other claims.
std::string open_section(const Findings& findings) {
  const auto registered = registry_of(findings);
  const std::string items = cards(findings, [&](const json& claim) {
    const auto entry = registered.find(claim.at("id"));
    const bool is_expected = entry != registered.end() && entry->second->at("verdict") == claim.at("verdict");
    return is_open(claim.at("verdict")) && !is_expected;
  });
  if (items.empty()) return "";
  return "<section id=open>\n<h2>Undecided, or with a broken control</h2>\n<p>These wait for something: a better "
         "measurement, a number, or a control that does as it must. Each note says for which.</p>\n<ul class=cards>\n" +
         items + "</ul>\n</section>\n";
}

std::string url(const std::string& path) {
  std::string result;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string("/._-~").find(c) != std::string::npos) {
      result += c;
    } else {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "%%%02X", byte);
      result += code.data();
    }
  }
  return result;
}

std::string figures_section(const Findings& findings, const fs::path& figures, const fs::path& page) {
  const auto whole = [](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path)); };
  const fs::path relative = whole(figures).lexically_relative(whole(page).parent_path());
  std::string html;
  for (const json& report : findings.reports) {
    for (const json& figure : report.at("figures")) {
      const std::string file = figure.at("file");
      html += "<figure id=\"" + escaped(file) + "\">\n";
      if (fs::exists(figures / file)) {
        const std::string link = url((relative / file).generic_string());
        html +=
            "<a href=\"" + link + "\"><img src=\"" + link + "\" alt=\"" + escaped(figure.at("caption")) + "\"></a>\n";
      } else {
        html += "<p class=missing>" + escaped(file) + " has not been drawn.</p>\n";
      }
      html += "<figcaption>" + escaped(figure.at("caption")) + " <span class=place>" + report_heading(report) +
              "; drawn from " + escaped(report.at("experiment")) + ".json</span></figcaption>\n</figure>\n";
    }
  }
  if (html.empty()) return "";
  return "<section id=figures>\n<h2>Figures</h2>\n" + html + "</section>\n";
}

/// Returns the tables of strong orders, folded, one for each case.
std::string strong_orders_section(const Findings& findings) {
  std::string html;
  for (const StrongOrderTable& table : strong_order_tables(findings)) {
    const std::vector<std::string> heads = strong_order_heads(table);
    html += "<details>\n<summary>" + escaped(table.title) + "</summary>\n<table>\n<thead><tr>";
    for (const std::string& head : heads) html += "<th>" + escaped(head) + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const StrongOrderRow& row : table.rows) {
      const std::vector<std::string> cells = strong_order_cells(row);
      html += "<tr>";
      for (std::size_t k = 0; k < cells.size(); ++k)
        html += "<td" +
                (k == 0 ? std::string(" class=statement") : " data-label=\"" + escaped(heads[k]) + "\" class=number") +
                ">" + escaped(cells[k]) + "</td>";
      html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n</details>\n";
  }
  if (html.empty()) return "";
  std::string meanings;
  for (const StrongOrderColumn& column : strong_order_columns())
    meanings += std::string("<dt>") + column.name + "</dt><dd>" + escaped(column.meaning) + "</dd>\n";
  return "<section id=strong-orders>\n<h2>Strong orders under noise</h2>\n<p>Root mean square errors of (q, p) at T = "
         "1 "
         "along the same paths, by method, for each noise.</p>\n<dl>\n" +
         meanings + "</dl>\n" + html + "</section>\n";
}

std::string without_verdict_section(const Findings& findings) {
  const auto missing = without_verdict(findings);
  if (missing.empty()) return "";
  std::map<std::string, json> registered;
  for (const json& claim : findings.registry) registered.emplace(claim.at("id"), claim);
  std::string items;
  for (const std::string& id : missing) {
    const json& claim = registered.at(id);
    items += "<li><p><span class=id>" + escaped(id) + "</span> <span class=place>" + escaped(claim.at("place")) +
             "</span></p>\n<p class=statement>" + escaped(claim.at("statement")) +
             "</p>\n<p class=reason>To be decided by " + escaped(claim.at("experiment")) + ".</p></li>\n";
  }
  return "<section id=without-verdict>\n<h2>Registered claims without a verdict</h2>\n<ul class=cards>\n" + items +
         "</ul>\n</section>\n";
}

std::string provenance_value(const json& value) {
  if (value.is_string()) return escaped(value);
  if (!value.is_object()) return escaped(value.dump());
  std::string text;
  for (const auto& [name, version] : value.items()) {
    text += (text.empty() ? "" : ", ") + escaped(name) + "&nbsp;" + provenance_value(version);
  }
  return text;
}

std::string commit_text(const json& provenance) {
  const std::string commit = provenance.at("commit");
  const json& dirty = provenance.at("dirty");
  return escaped(commit.substr(0, 12)) + (dirty.is_boolean() && dirty.get<bool>() ? " with uncommitted changes" : "");
}

std::string provenance_section(const Findings& findings) {
  std::vector<std::pair<std::string, std::string>> common;
  const auto gather = [&](const std::string& title, const auto& text_of) {
    std::set<std::string> values;
    for (const json& report : findings.reports) {
      const std::string text = text_of(report.at("provenance"));
      if (!text.empty()) values.insert(text);
    }
    std::string joined;
    for (const std::string& value : values) joined += (joined.empty() ? "" : "<br>") + value;
    if (!joined.empty()) common.emplace_back(title, joined);
  };
  const auto value_of = [](const char* key) {
    return [key](const json& provenance) {
      return provenance.contains(key) ? provenance_value(provenance.at(key)) : std::string();
    };
  };
  gather("Commit", commit_text);
  gather("Compiler", value_of("compiler"));
  gather("Flags", value_of("flags"));
  gather("Contraction of a*b+c", value_of("contraction"));
  gather("Processor", value_of("cpu"));
  gather("Libraries", value_of("libraries"));
  std::string html = "<footer id=provenance>\n<h2>Where this comes from</h2>\n<dl class=provenance>\n";
  for (const auto& [title, value] : common) html += "<dt>" + title + "</dt><dd>" + value + "</dd>\n";
  html += "</dl>\n<table>\n<thead><tr><th>Report</th><th>Made</th><th>Run time</th></tr></thead>\n<tbody>\n";
  for (const json& report : findings.reports) {
    const json& provenance = report.at("provenance");
    const json& timing = report.at("timing");
    html += "<tr><td data-label=Report>" + escaped(report.at("experiment")) + ".json<div class=reason><code>" +
            escaped(provenance.value("command_line", "")) + "</code></div></td><td data-label=Made>" +
            escaped(provenance.value("date", "unknown")) + "</td><td data-label=\"Run time\">" +
            (timing.contains("whole_run") ? html_measured(timing.at("whole_run"), "s") : "unknown") + "</td></tr>\n";
  }
  return html + "</tbody>\n</table>\n</footer>\n";
}

std::string summary(const Findings& findings) {
  const auto counts = count_verdicts(findings);
  std::string html = "<ul class=summary>\n";
  for (const auto& [value, name] : detail::verdict_names) {
    const std::string verdict(name);
    const auto found = counts.find(verdict);
    if (found != counts.end()) html += "<li><b>" + std::to_string(found->second) + "</b> " + badge(verdict) + "</li>\n";
  }
  const auto missing = without_verdict(findings).size();
  if (missing > 0)
    html += "<li><b>" + std::to_string(missing) + "</b> <a href=\"#without-verdict\">without a verdict</a></li>\n";
  return html + "</ul>\n";
}

constexpr const char* kHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>livi: claims and verdicts</title>
<style>
:root { --text: #1d2126; --soft: #59626c; --line: #d9dee3; --paper: #ffffff; --panel: #f5f7f9; --link: #00528a; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ec; --soft: #a3adb8; --line: #39424c; --paper: #14181c; --panel: #1d2329; --link: #7cc0ee; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.25rem 4rem; background: var(--paper); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0.5rem 0 0.75rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }
p { margin: 0.4rem 0; }
a { color: var(--link); }
.lead { max-width: 48rem; font-size: 1.05rem; }
nav a { margin-right: 1.1rem; white-space: nowrap; }
.summary { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; list-style: none; padding: 0; margin: 1rem 0; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: 0.85rem; color: var(--soft); font-weight: 600; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
td { vertical-align: top; padding: 0.7rem 0.75rem 0.7rem 0; border-bottom: 1px solid var(--line); }
.claims { table-layout: fixed; } .claims th:nth-child(1) { width: 42%; } .claims th:nth-child(2) { width: 13rem; }
.advice { font-style: italic; }
.filter { margin: 0.5rem 0; font-size: 0.92rem; } .filter label { margin-left: 0.8rem; white-space: nowrap; }
tr:target td { background: var(--panel); }
.verdict { display: inline-block; padding: 0.1rem 0.6rem; border-radius: 1rem; font-size: 0.85rem; font-weight: 600; white-space: nowrap; }
.confirmed { background: #d3f0e4; color: #00503a; } .confirmed-with-limits { background: #fcefc7; color: #614300; }
.refuted { background: #fbd9c7; color: #7c2600; } .misprint { background: #f2dae8; color: #742856; }
.undecided { background: #dbe4fb; color: #23407e; } .not-testable { background: #e3e6e9; color: #40474e; }
.result { background: #d8ecf5; color: #0b4a66; } .broken-control { background: #860000; color: #ffffff; }
.reason, .place { color: var(--soft); font-size: 0.85rem; }
.reason { margin-top: 0.2rem; }
.id { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; font-size: 0.85rem; text-decoration: none; }
a.id:hover { text-decoration: underline; }
.place { margin-left: 0.4rem; }
.statement { margin-top: 0.2rem; }
.number { font-variant-numeric: tabular-nums; }
.broken { color: #b00000; }
details { margin-top: 0.35rem; } summary { cursor: pointer; color: var(--soft); font-size: 0.85rem; }
dl { margin: 0.5rem 0; } dt { font-weight: 600; font-size: 0.85rem; } dd { margin: 0 0 0.5rem; } dd ul { margin: 0; padding-left: 1.1rem; }
details dl { border-left: 3px solid var(--line); padding-left: 0.8rem; font-size: 0.92rem; }
.cards { list-style: none; padding: 0; display: grid; gap: 0.8rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); }
.cards li { background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.6rem 0.9rem; }
figure { margin: 1.25rem 0 2rem; } figure img { width: 100%; max-width: 62rem; height: auto; background: #ffffff; border: 1px solid var(--line); border-radius: 0.4rem; }
figcaption { max-width: 62rem; font-size: 0.92rem; margin-top: 0.4rem; }
.missing { border: 1px dashed var(--line); padding: 1rem; color: var(--soft); }
footer { font-size: 0.9rem; } .provenance { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; } .provenance dd { margin: 0; min-width: 0; }
code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; font-size: 0.85em; overflow-wrap: anywhere; }
@media (max-width: 48rem) {
  body { padding: 1rem 0.9rem 3rem; } h1 { font-size: 1.5rem; }
  table, tbody, tr, td { display: block; width: auto !important; } thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: 0.7rem 0; } td { border: 0; padding: 0.15rem 0; }
  td[data-label]:not([data-label=Claim]):not([data-label=Verdict])::before { content: attr(data-label) ": "; color: var(--soft); font-size: 0.85rem; }
  .provenance { display: block; } .provenance dd { margin-bottom: 0.5rem; }
}
@media print { details > * { display: block; } nav { display: none; } }
</style>
</head>
<body>
)html";

}  // namespace

std::string claims_page(const Findings& findings, const fs::path& figures, const fs::path& page) {
  const std::string drawn = figures_section(findings, figures, page);
  std::string html = kHead;
  html +=
      "<header>\n<h1>What the documents claim, and what was measured</h1>\n<p class=lead>livi reproduces the figures "
      "and tests the statements of its documents. Each claim below has one number: it is confirmed if the number lies "
      "where the claim needs it, and refuted if it does not and the same test was seen to say no and to say yes. "
      "Limits, misprints and what cannot be decided are our judgement, and said to be. Everything here is taken from "
      "the reports that the experiments wrote.</p>\n<nav>";
  const std::string open = open_section(findings);
  const std::vector<Headline> all = headlines(findings);
  const std::string asked = headlines_section(all, findings), own = own_results_section(findings),
                    orders = strong_orders_section(findings);
  if (!open.empty()) html += "<a href=\"#open\">Undecided</a> ";
  if (!asked.empty()) html += "<a href=\"#headlines\">Does the paper hold?</a> ";
  if (!drawn.empty()) html += "<a href=\"#figures\">Figures</a> ";
  html += "<a href=\"#claims\">Claims</a> <a href=\"#errata\">Errata</a> ";
  if (!own.empty()) html += "<a href=\"#results\">Results of our own</a> ";
  if (!orders.empty()) html += "<a href=\"#strong-orders\">Strong orders</a> ";
  html += "<a href=\"#provenance\">Where this comes from</a></nav>\n" + summary(findings) + "</header>\n<main>\n" +
          open + asked + drawn + claims_section(all, findings) + errata_section(findings) + own + orders +
          without_verdict_section(findings) + "</main>\n" + provenance_section(findings) + "</body>\n</html>\n";
  return html;
}

}  // namespace livi
