// SPDX-License-Identifier: MIT
#include "study/pages/row_text.hpp"

#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>
#include <livi/text/counted.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>

#include "study/pages/page_claims.hpp"

namespace livi {

using nlohmann::json;
using page_detail::in_words;

std::string interval_text(const json& interval) {
  const bool low = !interval[0].is_null(), high = !interval[1].is_null();
  if (low && high && interval[0] == interval[1]) return short_number(interval[0]) + " only";
  if (low && high) return short_number(interval[0]) + " to " + short_number(interval[1]);
  if (high) return "at most " + short_number(interval[1]);
  if (low && interval[0] == std::numeric_limits<double>::min()) return "more than 0";
  return low ? "at least " + short_number(interval[0]) : "any number";
}

std::string measured_text(const json& measured, const std::string& unit) {
  if (measured.is_null()) return "no number";
  return short_number(measured) + (unit.empty() ? "" : " " + unit);
}

namespace {

/// The sentences about the controls and about the evidence of a claim.
struct Tried {
  std::string controls;  ///< "The test rejects 2 wrong variants and passes 1 correct one."
  std::string named;     ///< "Not for: a pendulum. Also for: a spring."
  std::string counted;   ///< "Fails in 1 similar case, holds in 2."
};

Tried what_was_tried(const json& controls) {
  const auto failed = [](const json& c) { return c.at("failed").get<bool>(); };
  const auto passed = [&](const json& c) { return !failed(c) && !c.at("measured").is_null(); };
  std::ptrdiff_t broken = 0, wrong = 0, right = 0, against = 0, with = 0;
  std::string names_against, names_with;
  const auto add = [](std::string& names, const json& c) {
    names += (names.empty() ? "" : "; ") + c.at("name").get<std::string>();
  };
  for (const json& c : controls) {
    const std::string expected = c.at("expected");
    if (expected == "fails") ++(failed(c) ? wrong : broken);
    if (expected == "passes") ++(passed(c) ? right : broken);
    if (expected != "evidence") continue;
    if (failed(c)) ++against, add(names_against, c);
    if (passed(c)) ++with, add(names_with, c);
  }
  Tried tried;
  if (broken > 0) tried.controls = counted(broken, "control") + (broken == 1 ? " is broken. " : " are broken. ");
  const std::string correct = right > 0 ? "passes " + counted(right, "correct one") : "";
  if (wrong > 0)
    tried.controls +=
        "The test rejects " + counted(wrong, "wrong variant") + (right > 0 ? " and " + correct : "") + ".";
  else if (right > 0)
    tried.controls += "The test passes " + counted(right, "correct variant") + ".";
  else if (broken == 0)
    tried.controls = "No wrong variant was tested.";
  else
    tried.controls.pop_back();
  if (against > 0) {
    tried.named = " Not for: " + names_against + ".";
    tried.counted =
        " Fails in " + counted(against, "similar case") + (with > 0 ? ", holds in " + std::to_string(with) : "") + ".";
  } else if (with > 0) {
    tried.counted = " Holds in " + counted(with, "similar case") + ".";
  }
  if (with > 0) tried.named += " Also for: " + names_with + ".";
  return tried;
}

/// Returns how sure a finding is, before what else was tried: "Measured: 2.01 (accepted: 1.9 to 2.1, power of h).",
/// without the unit if the sentence of the finding has the number.
std::string evidence_in_words(const json& claim, bool has_number) {
  const std::string evidence = claim.at("evidence"), unit = claim.at("unit"), proved = "proved (p < ";
  if (evidence.starts_with(proved))
    return "Proved at random points, in exact arithmetic (chance of error below " + evidence.substr(proved.size()) +
           ".";
  if (evidence == "proved (exact)") return "Proved exactly.";
  std::string text = evidence == "measured"            ? "Measured"
                     : evidence == "argued"            ? "Argued"
                     : evidence == "disproved (exact)" ? "Shown by an exact example"
                                                       : evidence;
  if (claim.at("verdict") == "misprint" || evidence.find("proved") != std::string::npos) return text + ".";
  return text + ": " + measured_text(claim.at("measured"), "") + " (accepted: " + interval_text(claim.at("interval")) +
         (unit.empty() || has_number ? "" : ", " + unit) + ").";
}

/// Returns "True as stated." of what is shown exactly, and otherwise the number behind the first clause of how it is
/// obtained, if that is short.
std::string finding_without_words(const json& claim) {
  const std::string verdict = claim.at("verdict"), evidence = claim.at("evidence");
  if ((verdict == "result" || verdict == "confirmed") && evidence.find("proved") != std::string::npos)
    return "True as stated.";
  if (claim.at("measured").is_null()) return "The number is missing.";
  const std::string number = measured_text(claim.at("measured"), claim.at("unit")), how = claim.value("how", "");
  // Three dots end nothing.
  const auto ends_a_clause = [&](std::size_t i) {
    return (how[i] == ';' || how[i] == ':' || (how[i] == '.' && how[i - 1] != '.')) && how[i + 1] == ' ';
  };
  std::size_t end = 0;
  while (end < how.size() && (end == 0 || !ends_a_clause(end))) ++end;
  const std::string clause = how.substr(0, end);
  if (clause.empty() || clause.size() > 120) return "The number is " + number + ".";
  return clause.substr(0, clause.size() - (clause.back() == '.' ? 1 : 0)) + ": " + number + ".";
}

}  // namespace

RowText row_text(const json& claim, const json* registered) {
  RowText text{finding_without_words(claim), ""};
  bool has_number = false;
  // A sentence about one outcome says nothing about another.
  if (registered != nullptr && registered->contains("finds") && registered->at("verdict") == claim.at("verdict")) {
    json numbers{{"measured", measured_text(claim.at("measured"), "")}};
    for (const json& control : claim.at("controls"))
      numbers[control.at("name").get<std::string>()] = measured_text(control.at("measured"), "");
    const std::string finding = registered->at("finds");
    has_number = finding.find("@{measured}") != std::string::npos;
    text.finding = with_phrases(finding, numbers, claim.at("id"));
  }
  const std::string verdict = claim.at("verdict");
  if (verdict == "not-testable") return text;
  const Tried tried = what_was_tried(claim.at("controls"));
  text.sure = evidence_in_words(claim, has_number) + " " + tried.controls;
  // The names of similar cases stand where there is room for them.
  const std::size_t length =
      in_words(verdict).size() + 2 + text.finding.size() + 1 + text.sure.size() + tried.named.size();
  text.sure += length <= longest_visible_text ? tried.named : tried.counted;
  return text;
}

std::string visible_text(const json& claim, const json* registered) {
  const RowText text = row_text(claim, registered);
  return in_words(claim.at("verdict")) + ": " + text.finding + (text.sure.empty() ? "" : " " + text.sure);
}

namespace {

/// Returns the numbers in a text, without those that stand in a name or a formula: "2.5", "1e-5", "10".
std::vector<std::string> numbers_in(const std::string& text) {
  std::vector<std::string> numbers;
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '^'; };
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(i)) {
      ++i;
      continue;
    }
    const bool in_name = i > 0 && is_letter(text[i - 1]);
    const std::size_t first = i;
    while (is_digit(i) || (i < text.size() && text[i] == '.' && is_digit(i + 1))) ++i;
    if (i < text.size() && text[i] == 'e' && (is_digit(i + 1) || (text[i + 1] == '-' && is_digit(i + 2))))
      for (i += 2; is_digit(i);) ++i;
    if (!in_name) numbers.push_back(text.substr(first, i - first));
  }
  return numbers;
}

/// Returns all texts and numbers of a row.
std::string all_of(const json& claim) {
  std::string text;
  for (const char* key : {"statement", "hypothesis", "how", "reason", "note"}) text += claim.value(key, "") + " ";
  const auto add = [&](const json& of) {
    text += measured_text(of.at("measured"), "") + " " + interval_text(of.at("interval")) + " ";
  };
  add(claim);
  for (const json& control : claim.at("controls")) {
    add(control);
    text += control.at("name").get<std::string>() + " " + control.value("note", "") + " ";
  }
  return text;
}

}  // namespace

std::vector<std::string> row_text_problems(const Findings& findings) {
  std::vector<std::string> problems;
  std::map<std::string, const json*> registry;
  for (const json& entry : findings.registry) registry.emplace(entry.at("id"), &entry);
  const auto look_at = [&](const json& claim) {
    const std::string id = claim.at("id");
    const auto entry = registry.find(id);
    if (entry == registry.end()) return;
    const auto add = [&](const std::string& what) { problems.push_back("claim '" + id + "': " + what); };
    const json& registered = *entry->second;
    try {
      const std::size_t length = visible_text(claim, &registered).size();
      if (length > longest_visible_text)
        add("has " + std::to_string(length) + " characters before its details; allowed are " +
            std::to_string(longest_visible_text));
    } catch (const ReportError& error) {
      return problems.push_back(error.what());
    }
    if (!registered.contains("finds")) {
      if (registered.at("origin") != "ours") add("has a number without a sentence that says what was found ('finds')");
      return;
    }
    const std::string finding = registered.at("finds");
    std::istringstream words(finding);
    if (std::distance(std::istream_iterator<std::string>(words), {}) < 5 || finding.back() != '.')
      add("its finding is no sentence");
    std::string typed = finding;  // without the names of numbers
    for (auto at = typed.find("@{"); at != std::string::npos; at = typed.find("@{", at))
      typed.replace(at, typed.find('}', at) + 1 - at, "#");
    const std::vector<std::string> of_row = numbers_in(all_of(claim));
    for (const std::string& number : numbers_in(typed)) {
      if (std::count_if(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c); }) >= 12)
        add("its finding has a certificate: " + number);
      else if (number.size() > 1 && std::find(of_row.begin(), of_row.end(), number) == of_row.end())
        add("its finding has the number " + number + ", which is not in the row");
    }
  };
  for (const json& report : findings.reports)
    for (const json& claim : report.at("claims")) look_at(claim);
  return problems;
}

}  // namespace livi
