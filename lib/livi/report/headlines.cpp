// SPDX-License-Identifier: MIT
#include <livi/report/headlines.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <map>

namespace livi {
namespace {

using nlohmann::json;

std::string verdict_of(const std::vector<std::string>& deciding, const std::map<std::string, const json*>& decided,
                       bool another_is_refuted) {
  bool refuted = false, open = false, limited = false;
  for (const std::string& id : deciding) {
    const auto found = decided.find(id);
    const std::string verdict = found == decided.end() ? "undecided" : found->second->at("verdict").get<std::string>();
    refuted = refuted || verdict == "refuted";
    limited = limited || verdict == "confirmed-with-limits" || verdict == "misprint";
    open = open || verdict == "undecided" || verdict == "not-testable" || verdict == "broken-control";
  }
  return refuted ? "no" : open ? "not decided" : limited || another_is_refuted ? "yes, within limits" : "yes";
}

/// Returns a number as one would say it in a sentence.
std::string in_three_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

}  // namespace

std::vector<Headline> headlines(const Findings& findings) {
  std::map<std::string, const json*> decided;
  // The numbers that answers name, as phrases.
  json numbers = json::object();
  for (const json& report : findings.reports) {
    const std::string experiment = report.at("experiment");
    for (const json& claim : report.at("claims")) {
      decided.emplace(claim.at("id"), &claim);
      if (claim.at("measured").is_number())
        numbers[claim.at("id").get<std::string>()] = in_three_digits(claim.at("measured"));
    }
    for (const json& measurement : report.value("measurements", json::array()))
      if (measurement.at("value").is_number())
        numbers[experiment + ":" + measurement.at("name").get<std::string>()] =
            in_three_digits(measurement.at("value"));
    const json counts = report.value("counts", json::object());  // items() of a temporary would outlive it
    for (const auto& [name, count] : counts.items())
      numbers[experiment + ":" + name] = std::to_string(count.get<long long>());
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
      headline.verdict = verdict_of(headline.deciding, decided, !headline.refuted.empty());
      headline.answer = with_phrases(entry.at("answer"), numbers, "headline " + headline.key);
      headline.advice = with_phrases(entry.at("advice"), numbers, "headline " + headline.key);
      result.push_back(std::move(headline));
    }
  return result;
}

std::string verdict_with_refuted(const Headline& headline, const std::string& before, const std::string& after) {
  const std::string verdict = before + headline.verdict + after;
  if (headline.refuted.empty()) return verdict;
  return verdict + " (" + std::to_string(headline.refuted.size()) + " of " + std::to_string(headline.claims) +
         (headline.claims == 1 ? " claim" : " claims") + " refuted)";
}

}  // namespace livi
