// SPDX-License-Identifier: MIT
#include <livi/report/row_rules.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace livi {
namespace {

using nlohmann::json;

/// Returns whether a name says only on which motion something is looked at: "e = 0.3", "32 pendula". The words are
/// those of the programs.
bool names_only_a_motion(const std::string& name) {
  constexpr std::string_view motions[] = {"e = ",     "k = ",    "pendulum",        "the pendulum",
                                          "Kepler, ", "chaotic", "the same motion", "from "};
  if (std::any_of(std::begin(motions), std::end(motions), [&](auto start) { return name.starts_with(start); }))
    return true;
  const auto end_of_count = std::find_if_not(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); });
  return end_of_count != name.begin() && std::string(end_of_count, name.end()) == " pendula";
}

bool is_inside(const json& measured, const json& interval) {
  return !measured.is_null() && (interval[0].is_null() || measured >= interval[0]) &&
         (interval[1].is_null() || measured <= interval[1]);
}

/// Returns whether an interval with two ends has room for more than one whole number.
bool holds_two_whole_numbers(const json& interval) {
  return !interval[0].is_null() && !interval[1].is_null() &&
         std::floor(interval[1].get<double>()) - std::ceil(interval[0].get<double>()) >= 1;
}

/// Returns whether a number identifies what was measured: neither a count nor a rounding error.
bool is_distinctive(const json& measured) {
  return measured.is_number() && measured != std::round(measured.get<double>()) &&
         std::abs(measured.get<double>()) > 1e-30;
}

}  // namespace

std::vector<std::string> row_problems(const std::vector<json>& reports,
                                      const std::map<std::string, Claim>& registered) {
  std::vector<std::string> problems;
  std::map<double, std::string> row_of_number;
  const auto look_at = [&](const json& claim) {
    const std::string id = claim.at("id"), unit = claim.at("unit");
    const auto found = registered.find(id);
    if (found == registered.end()) return;
    const auto add = [&](const std::string& what) { problems.push_back("claim '" + id + "': " + what); };
    const bool is_ours = found->second.origin == Origin::ours;
    bool can_fail = false, can_pass = false;
    for (const json& control : claim.at("controls")) {
      const bool must_fail = control.at("expected") == "fails";
      const bool is_judged_alike = control.at("interval") == claim.at("interval");
      can_fail = can_fail || (must_fail && is_judged_alike);
      can_pass = can_pass || (control.at("expected") == "passes" && is_judged_alike);
      if (must_fail && !is_ours && names_only_a_motion(control.at("name")))
        add("control '" + control.at("name").get<std::string>() + "' is a case of the claim's own sentence: evidence");
    }
    if (found->second.verdict == Verdict::confirmed_with_limits && found->second.origin != Origin::reading) {
      for (const auto& [other, misprint] : registered)
        if (misprint.verdict == Verdict::misprint && found->second.note.find(other) != std::string::npos)
          add("its limit is the misprint '" + other + "', which has its own row: a misprint counts once");
    }
    if (claim.at("verdict") != "not-testable") {
      if (!can_fail) add("no negative control fails in its interval: nothing shows that its number could");
      if (!can_pass && !is_inside(claim.at("measured"), claim.at("interval")))
        add("its number is outside of its interval, and no positive control shows that a right case is inside");
    }
    if (is_ours && (unit.find("order") != std::string::npos || unit.find("power") != std::string::npos) &&
        holds_two_whole_numbers(claim.at("interval")))
      add("its interval has room for two orders");
    if (is_ours || !is_distinctive(claim.at("measured"))) return;
    const auto [first, is_new] = row_of_number.emplace(claim.at("measured").get<double>(), id);
    if (!is_new) add("has the number of '" + first->second + "': one claim, found in two places ('also')");
  };
  for (const json& report : reports)
    for (const json& claim : report.at("claims")) look_at(claim);
  return problems;
}

}  // namespace livi
