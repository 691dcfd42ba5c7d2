// SPDX-License-Identifier: MIT
#include "study/pages/page_claims.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include <livi/report/report.hpp>

#include "study/pages/headlines.hpp"
#include "study/pages/row_text.hpp"

namespace livi::page_detail {

using nlohmann::json;

bool is_open(const std::string& verdict) { return verdict == "undecided" || verdict == "broken-control"; }

std::string in_words(const std::string& verdict) {
  std::string words = verdict;
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

std::map<std::string, int> count_verdicts(const Findings& findings) {
  std::map<std::string, int> counts;
  for (const json& report : findings.reports) {
    for (const json& claim : report.at("claims")) ++counts[claim.at("verdict")];
  }
  return counts;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

namespace {

/// Returns 7.25e-13 as 7.25 x 10^-13, in HTML.
std::string html_number(const std::string& number) {
  const auto e = number.find('e');
  if (e == std::string::npos) return number.front() == '-' ? "&minus;" + number.substr(1) : number;
  const int exponent = std::stoi(number.substr(e + 1));
  return html_number(number.substr(0, e)) + "&#8239;&times;&#8239;10<sup>" +
         (exponent < 0 ? "&minus;" + std::to_string(-exponent) : std::to_string(exponent)) + "</sup>";
}

}  // namespace

std::string html_measured(const json& measured, const std::string& unit) {
  if (measured.is_null()) return "no number";
  return "<span class=number title=\"" + measured.dump() + "\">" + html_number(short_number(measured)) +
         (unit.empty() ? "" : "&nbsp;" + escaped(unit)) + "</span>";
}

std::string html_interval(const json& interval) {
  return "<span class=number>" + escaped(interval_text(interval)) + "</span>";
}

std::string badge(const std::string& verdict) {
  static const std::map<std::string, const char*> signs{
      {"confirmed", "&#10003;"}, {"confirmed-with-limits", "&#10003;"},
      {"refuted", "&#10007;"},   {"misprint", "&#9998;"},
      {"undecided", "?"},        {"not-testable", "&#8211;"},
      {"result", "&#9679;"},     {"broken-control", "&#9888;"}};
  return "<span class=\"verdict " + verdict + "\"><span aria-hidden=true>" + signs.at(verdict) + "</span> " +
         in_words(verdict) + "</span>";
}

namespace {

bool is_evidence(const json& control) { return control.at("expected") == "evidence"; }

/// Returns whether a control had the expected outcome. One that must pass needs a number: if it was lost or not
/// measured it has failed or shown nothing.
bool is_as_expected(const json& control) {
  if (is_evidence(control)) return true;
  if (control.at("expected") == "fails") return control.at("failed").get<bool>();
  return !control.at("failed").get<bool>() && !control.at("measured").is_null();
}

std::string what_it_did(const json& control) {
  const bool failed = control.at("failed"), must_fail = control.at("expected") == "fails";
  if (is_evidence(control)) {
    if (control.at("measured").is_null() && !failed) return "not measured";
    return failed ? "<b>contradicts</b> the claim" : "<b>supports</b> the claim";
  }
  if (!is_as_expected(control)) return std::string("<b class=broken>did not ") + (must_fail ? "fail" : "pass") + "</b>";
  if (control.value("lost", false)) return "<b>failed</b>: its run was lost";
  return must_fail ? "<b>failed</b>, as it must" : "<b>passed</b>, as it must";
}

std::string controls_html(const json& controls) {
  std::string of_controls, of_evidence;
  for (const json& control : controls) {
    (is_evidence(control) ? of_evidence : of_controls) +=
        "<li>" + escaped(control.at("name")) + ": " + html_measured(control.at("measured"), "") +
        " where the claim would need " + html_interval(control.at("interval")) + "; " + what_it_did(control) +
        (control.contains("note") ? ". " + escaped(control.at("note")) : "") + "</li>\n";
  }
  const auto list = [](const char* title, const std::string& rows) {
    return rows.empty() ? "" : "<dt>" + std::string(title) + "</dt><dd><ul>\n" + rows + "</ul></dd>\n";
  };
  return list("Controls", of_controls) + list("Evidence", of_evidence);
}

std::string entry(const json& claim, const char* key, const char* title) {
  return claim.contains(key) ? "<dt>" + std::string(title) + "</dt><dd>" + escaped(claim.at(key)) + "</dd>\n" : "";
}

}  // namespace

std::string place_of(const json& claim) {
  const std::string place = escaped(claim.at("source").at("place"));
  return claim.contains("anchor") ? place + ": &ldquo;" + escaped(claim.at("anchor")) + "&rdquo;" : place;
}

namespace {

/// Returns whether the verdict follows from the numbers alone, or somebody proposed it and the numbers allow it.
std::string who_decides(const std::string& verdict) {
  if (verdict == "confirmed" || verdict == "refuted" || verdict == "result" || verdict == "broken-control")
    return "; follows from the numbers";
  return verdict == "undecided" || verdict == "not-testable" ? "; our judgement"
                                                             : "; our judgement, which the numbers allow";
}

}  // namespace

std::string finding_html(const json& claim, const json* registered) {
  const RowText text = row_text(claim, registered);
  return "<div class=finding>" + escaped(text.finding) + "</div><div class=reason>" + escaped(text.sure) + "</div>";
}

std::string claim_row(const json& claim, const std::string& experiment, const json* registered) {
  const std::string id = escaped(claim.at("id"));
  std::string row = "<tr id=\"" + id + "\" class=\"v-" + claim.at("verdict").get<std::string>() + "\">\n";
  row += "<td data-label=Claim><a class=id href=\"#" + id + "\">" + id + "</a> <span class=place>" + place_of(claim);
  if (registered != nullptr)
    for (const json& also : registered->value("also", json::array()))
      row += "; " + escaped(also.at("place")) + ": &ldquo;" + escaped(also.at("anchor")) + "&rdquo;";
  row += "</span><div class=statement>" + escaped(claim.at("statement")) + "</div>";
  if (registered != nullptr && registered->contains("answers")) {
    row += "<div class=reason>Settles ";
    const char* separator = "";
    for (const json& former : registered->at("answers")) {
      row += separator + std::string("<span class=id id=\"") + escaped(former) + "\">" + escaped(former) + "</span>";
      separator = ", ";
    }
    row += "</div>";
  }
  row += "</td>\n<td data-label=Verdict>" + badge(claim.at("verdict")) + "</td>\n";
  row += "<td data-label=\"We find\">" + finding_html(claim, registered) +
         "<details><summary>Details</summary><dl>\n<dt>Number</dt><dd>" +
         html_measured(claim.at("measured"), claim.at("unit")) + " where the claim needs " +
         html_interval(claim.at("interval")) + who_decides(claim.at("verdict")) + "</dd>\n" +
         entry(claim, "note", "Found") + entry(claim, "hypothesis", "Hypothesis") +
         entry(claim, "how", "Measured how") + entry(claim, "reason", "Why this interval") +
         controls_html(claim.at("controls")) + "<dt>Alone</dt><dd><code>tools/reproduce " + escaped(experiment) +
         "</code></dd></dl></details></td>\n</tr>\n";
  return row;
}

std::vector<Subject> own_results_by_subject(const Findings& findings) {
  std::vector<OwnResult> own;
  std::map<std::string, std::size_t> place;
  for (const json& report : findings.reports)
    for (const json& claim : report.at("claims")) {
      place[claim.at("id")] = own.size();
      own.push_back({&claim, nullptr, report.at("experiment")});
    }
  std::vector<Subject> subjects{{"Stiff systems", {}}, {"Rotations", {}},     {"Adaptive steps", {}},
                                {"Noise", {}},         {"Water and DNA", {}}, {"Others", {}}};
  const auto add = [&](const OwnResult& result, const std::string& title) {
    const auto subject =
        std::find_if(subjects.begin(), std::prev(subjects.end()), [&](const Subject& s) { return s.title == title; });
    subject->results.push_back(result);
  };
  for (const json& registry : findings.documents)
    for (const json& registered : registry.at("claims")) {
      const auto found = place.find(registered.at("id"));
      if (found == place.end()) continue;
      OwnResult& result = own[found->second];
      result.registered = &registered;
      if (registered.at("origin") == "ours") add(result, registered.value("subject", ""));
    }
  for (const OwnResult& result : own)
    if (result.registered == nullptr && result.claim->at("origin") == "ours") add(result, "");
  std::erase_if(subjects, [](const Subject& subject) { return subject.results.empty(); });
  return subjects;
}

std::string report_heading(const json& report) {
  const json& source = report.at("source");
  const std::string section = source.at("section");
  return escaped(source.at("document")) + ", " + escaped(source.at("item")) +
         (section.empty() ? "" : " (Sec.&nbsp;" + escaped(section) + ")");
}

std::string table_head(const char* says) {
  return std::string("<table class=claims>\n<thead><tr><th>") + says +
         "</th><th>Verdict</th><th>We find</th></tr></thead>\n<tbody>\n";
}

}  // namespace livi::page_detail
