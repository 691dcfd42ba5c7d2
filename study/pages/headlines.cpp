// SPDX-License-Identifier: MIT
#include "study/pages/headlines.hpp"
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace livi {
namespace {

using nlohmann::json;

std::string verdict_of(const std::vector<std::string>& deciding, const std::string& only_if,
                       const std::map<std::string, const json*>& decided, const std::set<std::string>& not_run) {
  bool refuted = false, open = false, limited = false, misprinted = false, absent = false;
  for (const std::string& id : deciding) {
    absent = absent || not_run.contains(id);
    const auto found = decided.find(id);
    const std::string verdict = found == decided.end() ? "undecided" : found->second->at("verdict").get<std::string>();
    refuted = refuted || verdict == "refuted";
    limited = limited || verdict == "confirmed-with-limits";
    misprinted = misprinted || verdict == "misprint";
    open = open || verdict == "undecided" || verdict == "not-testable" || verdict == "broken-control";
  }
  return refuted                         ? "no"
         : absent                        ? "not run here"
         : open                          ? "open"
         : misprinted && only_if.empty() ? "no"
         : !limited && !misprinted       ? "yes"
         : only_if.empty()               ? "yes, as far as tried"
                                         : "only if " + only_if;
}

/// Returns a number as one would say it in a sentence.
std::string in_three_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

/// Returns the experiment that writes the number which an answer names: that of a claim, or the part of
/// "experiment:name" before the colon. Empty if the name is of neither kind.
std::string writer_of(const std::string& name, const std::map<std::string, std::string>& experiment_of) {
  const auto claim = experiment_of.find(name);
  if (claim != experiment_of.end()) return claim->second;
  const auto colon = name.find(':');
  return colon == std::string::npos ? "" : name.substr(0, colon);
}

std::string what_is_missing(const std::vector<std::string>& experiments) {
  std::string names;
  for (const std::string& experiment : experiments) names += " " + experiment;
  return "Not answered here, for want of reports; they are written by tools/reproduce" + names + ".";
}

/// Returns the sentences of a text in which no number is missing.
template <class Missing>
std::string sentences_at_hand(const std::string& text, const Missing& missing_in) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = text.find(". ", at), end = stop == std::string::npos ? text.size() : stop + 1;
    const std::string sentence = text.substr(at, end - at);
    if (missing_in(sentence).empty()) kept += (kept.empty() ? "" : " ") + sentence;
    at = end + 1;
  }
  return kept;
}

}  // namespace

std::vector<Headline> headlines(const Findings& findings) {
  std::map<std::string, const json*> decided;
  // The numbers that answers name, as phrases.
  json numbers = json::object();
  std::set<std::string> reported;
  for (const json& report : findings.reports) {
    const std::string experiment = report.at("experiment");
    reported.insert(experiment);
    for (const json& claim : report.at("claims")) {
      decided.emplace(claim.at("id"), &claim);
      if (claim.at("measured").is_number())
        numbers[claim.at("id").get<std::string>()] = in_three_digits(claim.at("measured"));
    }
    if (report.contains("measurements"))
      for (const json& measurement : report.at("measurements"))
        if (measurement.at("value").is_number())
          numbers[experiment + ":" + measurement.at("name").get<std::string>()] =
              in_three_digits(measurement.at("value"));
    if (report.contains("counts"))
      for (const auto& [name, count] : report.at("counts").items())
        numbers[experiment + ":" + name] = std::to_string(count.get<long long>());
  }
  // The claims whose experiment has no report here, and who would decide each claim.
  std::set<std::string> not_run;
  std::map<std::string, std::string> experiment_of;
  for (const json& registry : findings.documents)
    for (const json& claim : registry.at("claims")) {
      const std::string id = claim.at("id"), experiment = claim.at("experiment");
      experiment_of.emplace(id, experiment);
      if (!reported.contains(experiment)) not_run.insert(id);
    }
  std::vector<Headline> result;
  for (const json& registry : findings.documents)
    for (const json& entry : registry.at("headlines")) {
      Headline headline{.document = registry.at("document"),
                        .key = entry.at("key"),
                        .question = entry.at("question"),
                        .deciding = entry.at("deciding").get<std::vector<std::string>>()};
      for (const json& claim : registry.at("claims")) {
        if (claim.at("headline") != headline.key || claim.at("origin") == "ours") continue;
        ++headline.claims;
        const auto found = decided.find(claim.at("id"));
        if (found != decided.end() && found->second->at("verdict") == "refuted")
          headline.refuted.push_back(claim.at("id"));
      }
      headline.verdict = verdict_of(headline.deciding, entry.value("only_if", ""), decided, not_run);
      const std::string place = "headline " + headline.key, answer = entry.at("answer"), advice = entry.at("advice");
      // A number of a report that is not here is missing; any other must be there.
      const auto missing_in = [&](const std::string& text) {
        std::set<std::string> missing;
        for (const std::string& name : phrases_named(text, place)) {
          const std::string writer = writer_of(name, experiment_of);
          if (!writer.empty() && !reported.contains(writer)) missing.insert(writer);
        }
        return missing;
      };
      std::set<std::string> missing = missing_in(answer), of_advice = missing_in(advice);
      const bool advisable = of_advice.empty();
      missing.merge(of_advice);
      bool decided_here = true;
      for (const std::string& id : headline.deciding) {
        if (!not_run.contains(id)) continue;
        missing.insert(experiment_of.at(id));
        decided_here = false;
      }
      headline.missing.assign(missing.begin(), missing.end());
      const std::string at_hand = decided_here ? sentences_at_hand(answer, missing_in) : "";
      headline.answer = at_hand.empty() ? what_is_missing(headline.missing) : with_phrases(at_hand, numbers, place);
      headline.advice = advisable ? with_phrases(advice, numbers, place) : "";
      result.push_back(std::move(headline));
    }
  return result;
}

std::vector<Headline> answered_headlines(const Findings& findings) {
  std::vector<Headline> all = headlines(findings);
  for (const Headline& headline : all)
    if (!headline.missing.empty())
      throw ReportError("headline " + headline.document + " " + headline.key + ": no report of " +
                        headline.missing.front());
  return all;
}

std::string verdict_with_refuted(const Headline& headline, const std::string& before, const std::string& after) {
  const std::string verdict = before + headline.verdict + after;
  if (headline.refuted.empty()) return verdict;
  return verdict + " (" + std::to_string(headline.refuted.size()) + " of " + std::to_string(headline.claims) +
         (headline.claims == 1 ? " claim" : " claims") + " refuted)";
}

std::string with_headlines(const std::string& readme, const Findings& findings) {
  const std::string begin = "<!-- headlines -->\n", end = "<!-- /headlines -->";
  const auto from = readme.find(begin), to = readme.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from ||
      readme.find(begin, from + 1) != std::string::npos || readme.find(end, to + 1) != std::string::npos)
    throw ReportError("the README must have '<!-- headlines -->' and '<!-- /headlines -->' once each, in this order");
  const std::vector<Headline> all = answered_headlines(findings);
  std::string lines;
  for (const json& registry : findings.documents) {
    const std::string document = registry.at("document");
    // The answers in the order of their rules, with the number of questions that have each.
    std::vector<std::pair<std::string, int>> answers{
        {"yes", 0}, {"yes, as far as tried", 0}, {"only if ...", 0}, {"no", 0}, {"open", 0}};
    int questions = 0;
    for (const Headline& headline : all) {
      if (headline.document != document) continue;
      ++questions;
      const std::string answer = headline.verdict.starts_with("only if ") ? "only if ..." : headline.verdict;
      const auto counted = std::ranges::find(answers, answer, &std::pair<std::string, int>::first);
      if (counted == answers.end())
        throw ReportError("headline " + document + " " + headline.key + ": no answer is '" + answer + "'");
      ++counted->second;
    }
    std::string counts;
    for (const auto& [answer, count] : answers)
      if (count > 0)
        counts += (counts.empty() ? "" : "; ") + std::string("**") + answer + "** " + std::to_string(count);
    lines += "- [" + document + "](docs/claims-" + document + ".md): " + registry.at("title").get<std::string>() +
             ". " + registry.at("summary").get<std::string>() + " " + std::to_string(questions) +
             (questions == 1 ? " question: " : " questions: ") + counts + ".\n";
  }
  return readme.substr(0, from + begin.size()) + lines + readme.substr(to);
}

}  // namespace livi
