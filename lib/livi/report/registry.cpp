// SPDX-License-Identifier: MIT
#include <livi/report/registry.hpp>
#include <livi/report/registry_texts.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

namespace livi {

using nlohmann::json;

std::map<std::string, Claim> claims_of_registry(const json& registry) {
  const json phrases = registry.value("phrases", json::object());
  const auto text = [&](const json& entry, const char* key) {
    return with_phrases(entry.value(key, ""), phrases, entry.at("id"));
  };
  std::map<std::string, Claim> claims;
  for (const json& entry : registry.at("claims")) {
    Claim claim{.id = entry.at("id"),
                .source = {registry.at("document"), entry.at("place")},
                .origin = *origin_from(entry.at("origin").get<std::string>()),
                .anchor = entry.value("anchor", ""),
                .headline = entry.at("headline"),
                .statement = text(entry, "statement"),
                .hypothesis = text(entry, "hypothesis"),
                .how = text(entry, "how"),
                .reason = text(entry, "reason"),
                .verdict = *verdict_from(entry.at("verdict").get<std::string>()),
                .note = text(entry, "limits")};
    claims.emplace(claim.id, std::move(claim));
  }
  return claims;
}

const std::map<std::string, Claim>& registered_claims() {
  static const std::map<std::string, Claim> claims = [] {
    std::map<std::string, Claim> all;
    for (const std::string& text : registry_texts()) {
      const json registry = json::parse(text);
      check_registry(registry, "reference/claims/" + registry.value("document", "?") + ".json");
      all.merge(claims_of_registry(registry));
    }
    return all;
  }();
  return claims;
}

Claim with_registered_texts(Claim claim, const std::map<std::string, Claim>& registered) {
  const auto found = registered.find(claim.id);
  if (found == registered.end()) return claim;
  const Claim& entry = found->second;
  const auto refuse = [&](const std::string& what) {
    throw ReportError("claim '" + claim.id + "': its " + what + " is that of the registry; leave it out");
  };
  const auto take = [&](std::string Claim::*member, const char* what) {
    if (!(claim.*member).empty()) refuse(what);
    claim.*member = entry.*member;
  };
  take(&Claim::anchor, "anchor");
  take(&Claim::headline, "headline");
  take(&Claim::statement, "statement");
  take(&Claim::hypothesis, "hypothesis");
  take(&Claim::how, "how");
  take(&Claim::reason, "reason");
  if (!claim.source.document.empty() || !claim.source.place.empty()) refuse("source");
  if (claim.verdict != Verdict::confirmed) refuse("verdict");
  claim.source = entry.source;
  claim.origin = entry.origin;
  claim.verdict = entry.verdict;
  // The limits are the first words of what was found.
  if (!entry.note.empty()) claim.note = entry.note + "." + (claim.note.empty() ? "" : " " + claim.note);
  return claim;
}

}  // namespace livi
