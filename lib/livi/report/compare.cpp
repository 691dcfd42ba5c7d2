// SPDX-License-Identifier: MIT
#include <livi/report/atomic_files.hpp>
#include <livi/report/compare.hpp>
#include <livi/report/compare_notes.hpp>
#include <livi/report/registry.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <set>
#include <system_error>

namespace livi {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string short_text(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(),
          std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 3).ptr};
}

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Returns "2.01", or "no number".
std::string number_or_none(const json& value) { return value.is_null() ? "no number" : number_text(value); }

/// Returns "[1.9, 2.1]", "at most 2.1", "at least 1.9" or "any number".
std::string interval_text(const json& interval) {
  const bool low = !interval[0].is_null(), high = !interval[1].is_null();
  if (low && high) return "[" + number_text(interval[0]) + ", " + number_text(interval[1]) + "]";
  if (high) return "at most " + number_text(interval[1]);
  return low ? "at least " + number_text(interval[0]) : "any number";
}

std::string tolerance_text(const json& tolerance) {
  return number_text(tolerance.at("absolute")) + " + " + number_text(tolerance.at("relative")) + " |value|";
}

/// Returns -1 below the interval, 0 inside, 1 above it.
int side_of(const json& interval, double number) {
  if (!interval[0].is_null() && number < interval[0].get<double>()) return -1;
  return !interval[1].is_null() && number > interval[1].get<double>() ? 1 : 0;
}

/// Returns the distance from a number to the nearest end of its interval that it could cross, or its own size where
/// there is no such end.
double margin_of(const json& interval, double number) {
  const bool of_magnitudes = interval[0] == 0.0 && !interval[1].is_null() && number >= 0;
  double margin = std::numeric_limits<double>::infinity();
  if (!interval[0].is_null() && !of_magnitudes) margin = std::abs(number - interval[0].get<double>());
  if (!interval[1].is_null()) margin = std::min(margin, std::abs(number - interval[1].get<double>()));
  return std::isinf(margin) ? std::abs(number) : margin;
}

/// Collects the differences of one experiment.
class Differences {
 public:
  /// `other_sample`: numbers were made by other vector instructions than those of the baseline.
  Differences(const std::string& experiment, bool other_sample) : other_sample_(other_sample) {
    found_.experiments.push_back(experiment);
    if (other_sample) found_.other_samples.push_back(experiment);
  }

  [[nodiscard]] bool other_sample() const { return other_sample_; }

  /// Assigns all further differences to this claim; to none if it is empty.
  void of_claim(const std::string& claim) { claim_ = claim; }

  /// Adds a difference; `name` is that of a part if a claim has been set.
  void add(const std::string& name, const std::string& baseline, const std::string& now, const std::string& tolerance) {
    const std::string part = name.empty() ? "" : " (" + name + ")";
    found_.differences.push_back({found_.experiments.front(), claim_.empty() ? name : "claim " + claim_ + part,
                                  baseline, now, tolerance, claim_, claim_.empty() ? "" : name});
  }

  template <typename Text>
  void exact(const std::string& name, const json& baseline, const json& now, const Text& text) {
    if (baseline != now) add(name, text(baseline), text(now), "exact");
  }
  void exact(const std::string& name, const json& baseline, const json& now) { exact(name, baseline, now, text_of); }

  /// Compares an entry that may be absent.
  void exact_entry(const std::string& name, const char* key, const json& baseline, const json& now) {
    const auto text = [&](const json& value) { return value.contains(key) ? text_of(value.at(key)) : "missing"; };
    const auto entry = [&](const json& value) { return value.contains(key) ? value.at(key) : json(); };
    if (entry(baseline) != entry(now)) add(name, text(baseline), text(now), "exact");
  }

  void within(const std::string& name, double baseline, double now, double tolerance) {
    const double distance = std::abs(now - baseline);
    if (distance <= tolerance) {
      found_.moved += distance > 0 ? 1U : 0U;
    } else {
      add(name, number_text(baseline), number_text(now),
          short_text(tolerance) + " (off by " + short_text(distance) + ")");
    }
  }

  /// Compares the number of a claim or control by its margin in the interval of the baseline.
  void judged(const std::string& name, const json& baseline, const json& now, const json& interval) {
    if (baseline.is_null() || now.is_null()) {
      exact(name, baseline, now, number_or_none);
    } else if (side_of(interval, baseline) != side_of(interval, now)) {
      add(name, number_text(baseline), number_text(now), "the same side of " + interval_text(interval));
    } else if (other_sample_) {
      found_.moved += baseline != now ? 1U : 0U;
    } else {
      within(name, baseline, now, margin_share * margin_of(interval, baseline));
    }
  }

  void note(const std::string& name, const json& baseline, const json& now) {
    const auto of = [](const json& value) { return value.value("note", ""); };
    if (other_sample_) {
      found_.moved += of(baseline) != of(now) ? 1U : 0U;
      return;
    }
    const MaskedNote was = without_numbers(of(baseline)), is = without_numbers(of(now));
    if (was.text != is.text) {
      add(name, baseline.contains("note") ? of(baseline) : "missing", now.contains("note") ? of(now) : "missing",
          "its words");
    } else if (const std::string lost = lost_by_certificates(was, is); !lost.empty()) {
      add(name, of(baseline), of(now), lost);
    } else {
      found_.moved += of(baseline) != of(now) ? 1U : 0U;
    }
  }

  /// Calls `both(name, baseline, now)` for names on both sides; a name on one side only is a difference.
  template <typename Both>
  void matched(const std::string& prefix, const std::map<std::string, json>& baseline,
               const std::map<std::string, json>& now, const Both& both) {
    for (const auto& [name, value] : baseline) {
      const auto other = now.find(name);
      if (other == now.end()) {
        add(prefix + name, "present", "missing", "exact");
      } else {
        both(prefix + name, value, other->second);
      }
    }
    for (const auto& [name, value] : now) {
      if (!baseline.contains(name)) add(prefix + name, "missing", "present", "exact");
    }
  }

  Comparison take() { return std::move(found_); }

 private:
  bool other_sample_;
  std::string claim_;
  Comparison found_;
};

std::map<std::string, json> by_key(const json& object) {
  std::map<std::string, json> entries;
  for (const auto& [key, value] : object.items()) entries.emplace(key, value);
  return entries;
}

std::map<std::string, json> by_name(const json& array, const char* name) {
  std::map<std::string, json> entries;
  for (const json& value : array) entries.emplace(value.at(name).get<std::string>(), value);
  return entries;
}

void compare_measurement(Differences& differences, const std::string& name, const json& baseline, const json& now) {
  differences.exact(name + " (unit)", baseline.at("unit"), now.at("unit"));
  const json& tolerance = baseline.at("tolerance");
  const double value = baseline.at("value"), value_now = now.at("value");
  const auto tolerated = [](const json& of, double at) {
    return of.at("absolute").get<double>() + of.at("relative").get<double>() * std::abs(at);
  };
  double allowed = baseline.at("unit") == "order" ? order_tolerance : tolerated(tolerance, value);
  if (differences.other_sample()) {
    // Each sample may be off by what is tolerated, which is estimated from some dozens of runs.
    constexpr double estimate_of_estimate = 4;
    const double was = tolerated(tolerance, value), is = tolerated(now.at("tolerance"), value_now);
    if (is > estimate_of_estimate * was || was > estimate_of_estimate * is)
      differences.add(name + " (tolerance)", tolerance_text(tolerance), tolerance_text(now.at("tolerance")),
                      "a factor of four");
    allowed *= 2;
  } else {
    differences.exact(name + " (tolerance)", tolerance, now.at("tolerance"), tolerance_text);
    differences.exact_entry(name + " (noise floor)", "noise_floor", baseline, now);
  }
  differences.within(name, value, value_now, allowed);
  if (baseline.contains("h_exponent") && now.contains("h_exponent")) {
    differences.within(name + " (h exponent)", baseline.at("h_exponent"), now.at("h_exponent"), order_tolerance);
  } else {
    differences.exact_entry(name + " (h exponent)", "h_exponent", baseline, now);
  }
}

void compare_control(Differences& differences, const std::string& name, const json& baseline, const json& now) {
  differences.exact(name + ", interval", baseline.at("interval"), now.at("interval"), interval_text);
  differences.exact(name + ", expected", baseline.at("expected"), now.at("expected"));
  differences.exact(name + ", failed", baseline.at("failed"), now.at("failed"));
  differences.exact_entry(name + ", lost", "lost", baseline, now);
  differences.judged(name + ", measured", baseline.at("measured"), now.at("measured"), baseline.at("interval"));
  differences.note(name + ", note", baseline, now);
}

void compare_claim(Differences& differences, const json& baseline, const json& now) {
  differences.exact("verdict", baseline.at("verdict"), now.at("verdict"));
  differences.exact("evidence", baseline.at("evidence"), now.at("evidence"));
  differences.judged("measured", baseline.at("measured"), now.at("measured"), baseline.at("interval"));
  differences.exact("unit", baseline.at("unit"), now.at("unit"));
  differences.exact("interval", baseline.at("interval"), now.at("interval"), interval_text);
  differences.exact("reason", baseline.at("reason"), now.at("reason"));
  differences.exact("origin", baseline.at("origin"), now.at("origin"));
  differences.exact_entry("anchor", "anchor", baseline, now);
  differences.exact("headline", baseline.at("headline"), now.at("headline"));
  differences.exact("document", baseline.at("source").at("document"), now.at("source").at("document"));
  differences.exact("place", baseline.at("source").at("place"), now.at("source").at("place"));
  differences.exact("statement", baseline.at("statement"), now.at("statement"));
  for (const char* key : {"hypothesis", "how"}) differences.exact_entry(key, key, baseline, now);
  differences.note("note", baseline, now);
  differences.matched(
      "control ", by_name(baseline.at("controls"), "name"), by_name(now.at("controls"), "name"),
      [&](const std::string& name, const json& was, const json& is) { compare_control(differences, name, was, is); });
}

/// Returns a short description of a claim that is on one side only.
std::string brief(const json& claim) {
  return " (" + claim.at("verdict").get<std::string>() + ": " + claim.at("statement").get<std::string>() + ")";
}

/// The contents of both folders, read and checked, by experiment.
struct Reports {
  std::map<std::string, json> results;
  std::map<std::string, json> baselines;
};

Reports read_folders(const fs::path& results, const fs::path& baseline, const std::vector<std::string>& only,
                     Folders allowed) {
  Reports folders;
  std::string problems;
  const auto wanted = [&](const std::string& experiment) {
    return only.empty() || std::find(only.begin(), only.end(), experiment) != only.end();
  };
  const auto collect = [&](const fs::path& folder, bool baselines, bool both, std::map<std::string, json>& into) {
    for (const fs::path& file : list_reports(folder)) {
      if (!wanted(file.stem().string())) continue;
      try {
        json report = read_report(file);
        if (!both && report.contains("baseline") != baselines) {
          throw ReportError(file.string() + ": is " +
                            (baselines ? "a report, not a baseline" : "a baseline, not a report"));
        }
        into.emplace(file.stem().string(), std::move(report));
      } catch (const ReportError& error) {
        problems += (problems.empty() ? "" : "\n") + std::string(error.what());
      }
    }
  };
  collect(results, false, allowed == Folders::any_and_baselines, folders.results);
  if (!(allowed == Folders::reports_and_possible_baselines && !fs::exists(baseline)))
    collect(baseline, true, false, folders.baselines);
  if (!problems.empty()) throw ReportError(problems);
  for (const std::string& experiment : only) {
    if (!folders.results.contains(experiment) && !folders.baselines.contains(experiment)) {
      throw ReportError("experiment '" + experiment + "': neither " + results.string() + " nor " + baseline.string() +
                        " has " + experiment + ".json");
    }
  }
  if (folders.results.empty() && folders.baselines.empty()) {
    throw ReportError("nothing to compare: neither " + results.string() + " nor " + baseline.string() +
                      " has a report");
  }
  return folders;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 16> buffer{};
  std::strftime(buffer.data(), buffer.size(), "%Y-%m-%d", &utc);
  return buffer.data();
}

/// Returns the seeds of a report or baseline; null if it does not state them.
json seeds_of(const json& report) {
  const json& provenance = report.at("provenance");
  return provenance.contains("seeds") ? provenance.at("seeds") : json();
}

/// Returns whether the numbers of a report were made by other vector instructions, or on another processor, than those of its baseline, and
/// depend on that.
bool is_another_sample(const json& now, const json& baseline) {
  const json &is = now.at("provenance"), &was = baseline.at("provenance");
  constexpr const char* instructions = "vector_instructions";
  if (!is.contains(instructions)) return false;
  return is.at("cpu") != was.at("cpu") || (was.contains(instructions) && is.at(instructions) != was.at(instructions));
}

/// Returns the content of a baseline, without who made it and when.
json content(json baseline) {
  baseline["seeds"] = seeds_of(baseline);
  baseline.erase("provenance");
  baseline.erase("baseline");
  return baseline;
}

}  // namespace

Comparison compare_reports(const json& now, const json& baseline) {
  Differences differences(baseline.at("experiment"), is_another_sample(now, baseline));
  const auto exact = [&](const std::string& name, const json& was, const json& is) {
    differences.exact(name, was, is);
  };
  differences.matched("source ", by_key(baseline.at("source")), by_key(now.at("source")), exact);
  differences.matched("parameter ", by_key(baseline.at("parameters")), by_key(now.at("parameters")), exact);
  const json seeds_were = seeds_of(baseline), seeds_are = seeds_of(now);
  if (seeds_were.is_null() || seeds_are.is_null()) {
    const auto presence = [](const json& seeds) { return seeds.is_null() ? "missing" : "present"; };
    if (seeds_were != seeds_are) differences.add("seeds", presence(seeds_were), presence(seeds_are), "exact");
  } else {
    differences.matched("seed ", by_key(seeds_were), by_key(seeds_are), exact);
  }
  differences.matched("count ", by_key(baseline.at("counts")), by_key(now.at("counts")), exact);
  differences.matched("", by_name(baseline.at("measurements"), "name"), by_name(now.at("measurements"), "name"),
                      [&](const std::string& name, const json& was, const json& is) {
                        compare_measurement(differences, name, was, is);
                      });
  const auto claims_were = by_name(baseline.at("claims"), "id"), claims_are = by_name(now.at("claims"), "id");
  for (const auto& [id, was] : claims_were) {
    differences.of_claim(id);
    const auto is = claims_are.find(id);
    if (is == claims_are.end()) {
      differences.add("", "present" + brief(was), "missing", "exact");
    } else {
      compare_claim(differences, was, is->second);
    }
  }
  for (const auto& [id, is] : claims_are) {
    differences.of_claim(id);
    if (!claims_were.contains(id)) differences.add("", "missing", "present" + brief(is), "exact");
  }
  return differences.take();
}

Comparison compare_folders(const fs::path& results, const fs::path& baseline, const std::vector<std::string>& only,
                           Folders allowed) {
  const Reports folders = read_folders(results, baseline, only, allowed);
  Comparison comparison;
  std::set<std::string> experiments;
  for (const auto& [experiment, report] : folders.results) experiments.insert(experiment);
  for (const auto& [experiment, report] : folders.baselines) experiments.insert(experiment);
  const auto presence = [](const json& report) {
    const auto claims = report.at("claims").size();
    return "present (" + std::to_string(claims) + (claims == 1 ? " claim)" : " claims)");
  };
  for (const std::string& experiment : experiments) {
    comparison.experiments.push_back(experiment);
    if (!folders.results.contains(experiment)) {
      comparison.differences.push_back(
          {experiment, "report", presence(folders.baselines.at(experiment)), "missing", "exact"});
    } else if (!folders.baselines.contains(experiment)) {
      comparison.differences.push_back(
          {experiment, "report", "missing", presence(folders.results.at(experiment)), "exact"});
    } else {
      auto found = compare_reports(folders.results.at(experiment), folders.baselines.at(experiment));
      std::move(found.differences.begin(), found.differences.end(), std::back_inserter(comparison.differences));
      comparison.moved += found.moved;
      comparison.other_samples.insert(comparison.other_samples.end(), found.other_samples.begin(),
                                      found.other_samples.end());
    }
  }
  return comparison;
}

json make_baseline(const json& report, const std::string& reason, const std::string& date) {
  json baseline = report;
  for (const char* key : {"series", "figures", "timing"}) baseline.erase(key);
  json provenance;
  for (const char* key : {"commit", "compiler", "cpu", "dirty", "seeds", "vector_instructions"}) {
    if (report.at("provenance").contains(key)) provenance[key] = report.at("provenance").at(key);
  }
  baseline["provenance"] = std::move(provenance);
  baseline["baseline"] = {{"reason", reason}, {"date", date}};
  return baseline;
}

/// Returns whether the registry expects a claim to be undecided for good: what a document leaves open, or asks more of
/// than can be measured.
static bool is_expected_to_be_undecided(const std::string& id) {
  const auto registered = registered_claims().find(id);
  return registered != registered_claims().end() && registered->second.verdict == Verdict::undecided;
}

std::vector<std::string> accept_baseline(const fs::path& results, const fs::path& baseline, const std::string& reason,
                                         const std::vector<std::string>& only) {
  if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw ReportError("the reason for a new baseline is empty; say why the numbers may change");
  }
  const Reports folders = read_folders(results, baseline, only, Folders::reports_and_possible_baselines);
  std::string never_expected;
  for (const auto& [experiment, report] : folders.results) {
    for (const json& claim : report.at("claims")) {
      const bool broken = claim.at("verdict") == "broken-control";
      if (!broken && (claim.at("verdict") != "undecided" || is_expected_to_be_undecided(claim.at("id")))) continue;
      never_expected += (never_expected.empty() ? "" : "\n") + (results / (experiment + ".json")).string() +
                        ": claim '" + claim.at("id").get<std::string>() + "' " +
                        (broken ? "has a control that did not fail" : "is undecided") + "; it cannot be a baseline";
    }
  }
  if (!never_expected.empty()) throw ReportError(never_expected);

  std::vector<std::string> lines;
  AtomicFiles files;
  for (const auto& [experiment, report] : folders.results) {
    const fs::path file = baseline / (experiment + ".json");
    json accepted = make_baseline(report, reason, today());
    check_report(accepted, file.string());
    const auto previous = folders.baselines.find(experiment);
    if (previous != folders.baselines.end() && content(previous->second) == content(accepted)) {
      lines.push_back("unchanged  " + file.string());
      continue;
    }
    lines.push_back((previous == folders.baselines.end() ? "new        " : "replaced   ") + file.string());
    files.add(file, accepted.dump(2) + "\n");
  }
  files.commit();
  for (const auto& [experiment, previous] : folders.baselines) {
    if (folders.results.contains(experiment)) continue;
    const fs::path file = baseline / (experiment + ".json");
    std::error_code error;
    if (!fs::remove(file, error)) throw ReportError(file.string() + ": cannot be removed: " + error.message());
    lines.push_back("removed    " + file.string());
  }
  return lines;
}

}  // namespace livi
