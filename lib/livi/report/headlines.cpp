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

std::string verdict_of(const std::vector<std::string>& deciding, const std::map<std::string, const json*>& decided) {
  bool refuted = false, open = false, limited = false;
  for (const std::string& id : deciding) {
    const auto found = decided.find(id);
    const std::string verdict = found == decided.end() ? "undecided" : found->second->at("verdict").get<std::string>();
    refuted = refuted || verdict == "refuted";
    limited = limited || verdict == "confirmed-with-limits" || verdict == "misprint";
    open = open || verdict == "undecided" || verdict == "not-testable" || verdict == "broken-control";
  }
  return refuted ? "no" : open ? "not decided" : limited ? "yes, within limits" : "yes";
}

/// As one would say it in a sentence.
std::string in_three_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

}  // namespace

std::vector<Headline> headlines(const Findings& findings) {
  std::map<std::string, const json*> decided;
  for (const json& report : findings.reports)
    for (const json& claim : report.at("claims")) decided.emplace(claim.at("id"), &claim);
  std::vector<Headline> result;
  for (const json& registry : findings.documents)
    for (const json& entry : registry.at("headlines")) {
      Headline headline{.document = registry.at("document"),
                        .key = entry.at("key"),
                        .question = entry.at("question"),
                        .advice = entry.at("advice"),
                        .deciding = entry.at("deciding").get<std::vector<std::string>>()};
      headline.verdict = verdict_of(headline.deciding, decided);
      // The numbers that the answer names, as phrases.
      json numbers = json::object();
      for (const auto& [id, claim] : decided)
        if (claim->at("measured").is_number()) numbers[id] = in_three_digits(claim->at("measured"));
      headline.answer = with_phrases(entry.at("answer"), numbers, "headline " + headline.key);
      result.push_back(std::move(headline));
    }
  return result;
}

}  // namespace livi
