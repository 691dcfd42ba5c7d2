// SPDX-License-Identifier: MIT
#include <livi/report/registry.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

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

static std::map<std::string, Claim>& claims_in_use() {
  static std::map<std::string, Claim> claims;
  return claims;
}

void use_registry(const std::filesystem::path& folder) {
  std::map<std::string, Claim> claims;
  for (const json& registry : read_registries(folder)) claims.merge(claims_of_registry(registry));
  claims_in_use() = std::move(claims);
}

const std::map<std::string, Claim>& registered_claims() { return claims_in_use(); }

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
  for (const Control& control : claim.controls)
    if (control.measured == claim.measured && control.measured != std::round(control.measured))
      throw ReportError("claim '" + claim.id + "': control '" + control.name + "' has the number of the measurement, " +
                        std::to_string(claim.measured) + "; it is a copy");
  // The note begins with the limits.
  if (!entry.note.empty()) claim.note = entry.note + "." + (claim.note.empty() ? "" : " " + claim.note);
  return claim;
}

void check_registered_texts(const json& report, const std::string& file,
                            const std::map<std::string, Claim>& registered) {
  const auto has_registry = [&](const std::string& document) {
    return std::any_of(registered.begin(), registered.end(),
                       [&](const auto& entry) { return entry.second.source.document == document; });
  };
  for (const json& claim : report.at("claims")) {
    const std::string id = claim.at("id");
    const auto refuse = [&](const std::string& what) { throw ReportError(file + ": claim '" + id + "': " + what); };
    const auto found = registered.find(id);
    if (found == registered.end()) {
      if (has_registry(claim.at("source").at("document"))) refuse("is not in the registry of its document");
      continue;
    }
    const Claim& entry = found->second;
    const auto compare = [&](const std::string& text, const std::string& of_registry, const char* what) {
      if (text != of_registry) refuse("its " + std::string(what) + " is not that of the registry");
    };
    compare(claim.at("source").at("document"), entry.source.document, "document");
    compare(claim.at("source").at("place"), entry.source.place, "place");
    compare(claim.at("origin"), std::string(to_string(entry.origin)), "origin");
    compare(claim.value("anchor", ""), entry.anchor, "anchor");
    compare(claim.at("headline"), entry.headline, "headline");
    compare(claim.at("statement"), entry.statement, "statement");
    compare(claim.value("hypothesis", ""), entry.hypothesis, "hypothesis");
    compare(claim.value("how", ""), entry.how, "how");
    compare(claim.at("reason"), entry.reason, "reason");
    if (!claim.value("note", "").starts_with(entry.note)) refuse("its note does not begin with its limits");
  }
}

}  // namespace livi
