// SPDX-License-Identifier: MIT
#include <livi/report/atomic_files.hpp>
#include <livi/report/compare.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
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

/// Collects the differences of one experiment.
class Differences {
 public:
  explicit Differences(std::string experiment) : experiment_(std::move(experiment)) {}

  void add(const std::string& name, const std::string& baseline, const std::string& now, const std::string& tolerance) {
    found_.push_back({experiment_, name, baseline, now, tolerance});
  }

  void exact(const std::string& name, const json& baseline, const json& now) {
    if (baseline != now) add(name, text_of(baseline), text_of(now), "exact");
  }

  void within(const std::string& name, double baseline, double now, double tolerance) {
    const double distance = std::abs(now - baseline);
    if (distance <= tolerance) return;
    add(name, number_text(baseline), number_text(now),
        short_text(tolerance) + " (off by " + short_text(distance) + ")");
  }

  /// Calls `both(name, baseline, now)` for names on both sides; a name on one side is a difference.
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

  std::vector<Difference> take() { return std::move(found_); }

 private:
  std::string experiment_;
  std::vector<Difference> found_;
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

void compare_optional(Differences& differences, const std::string& name, const char* key, const json& baseline,
                      const json& now) {
  if (baseline.contains(key) != now.contains(key)) {
    const auto presence = [&](const json& value) { return value.contains(key) ? "present" : "missing"; };
    differences.add(name, presence(baseline), presence(now), "exact");
  } else if (baseline.contains(key)) {
    differences.within(name, baseline.at(key), now.at(key), order_tolerance);
  }
}

void compare_measurement(Differences& differences, const std::string& name, const json& baseline, const json& now) {
  differences.exact(name + " (unit)", baseline.at("unit"), now.at("unit"));
  const double value = baseline.at("value");
  const json& tolerance = baseline.at("tolerance");
  const double allowed = baseline.at("unit") == "order" ? order_tolerance
                                                        : tolerance.at("absolute").get<double>() +
                                                              tolerance.at("relative").get<double>() * std::abs(value);
  differences.within(name, value, now.at("value"), allowed);
  compare_optional(differences, name + " (h exponent)", "h_exponent", baseline, now);
}

void compare_claim(Differences& differences, const std::string& name, const json& baseline, const json& now) {
  differences.exact(name, baseline.at("verdict"), now.at("verdict"));
  differences.exact(name + " (evidence)", baseline.at("evidence"), now.at("evidence"));
  differences.matched(name + " control ", by_name(baseline.at("controls"), "name"), by_name(now.at("controls"), "name"),
                      [](const std::string&, const json&, const json&) {});
}

/// Both folders read and checked, by experiment.
struct Folders {
  std::map<std::string, json> results;
  std::map<std::string, json> baselines;
};

Folders read_folders(const fs::path& results, const fs::path& baseline, const std::vector<std::string>& only,
                     bool baseline_may_be_absent) {
  Folders folders;
  std::string problems;
  const auto wanted = [&](const std::string& experiment) {
    return only.empty() || std::find(only.begin(), only.end(), experiment) != only.end();
  };
  const auto collect = [&](const fs::path& folder, bool baselines, std::map<std::string, json>& into) {
    for (const fs::path& file : list_reports(folder)) {
      if (!wanted(file.stem().string())) continue;
      try {
        json report = read_report(file);
        if (report.contains("baseline") != baselines) {
          throw ReportError(file.string() + ": is " +
                            (baselines ? "a report, not a baseline" : "a baseline, not a report"));
        }
        into.emplace(file.stem().string(), std::move(report));
      } catch (const ReportError& error) {
        problems += (problems.empty() ? "" : "\n") + std::string(error.what());
      }
    }
  };
  collect(results, false, folders.results);
  if (!(baseline_may_be_absent && !fs::exists(baseline))) collect(baseline, true, folders.baselines);
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

/// What a baseline says, apart from who made it when.
json content(json baseline) {
  baseline.erase("provenance");
  baseline.erase("baseline");
  return baseline;
}

}  // namespace

std::vector<Difference> compare_reports(const json& now, const json& baseline) {
  Differences differences(baseline.at("experiment"));
  const auto exact = [&](const std::string& name, const json& was, const json& is) {
    differences.exact(name, was, is);
  };
  differences.matched("source ", by_key(baseline.at("source")), by_key(now.at("source")), exact);
  differences.matched("parameter ", by_key(baseline.at("parameters")), by_key(now.at("parameters")), exact);
  differences.matched("count ", by_key(baseline.at("counts")), by_key(now.at("counts")), exact);
  differences.matched("", by_name(baseline.at("measurements"), "name"), by_name(now.at("measurements"), "name"),
                      [&](const std::string& name, const json& was, const json& is) {
                        compare_measurement(differences, name, was, is);
                      });
  differences.matched(
      "claim ", by_name(baseline.at("claims"), "id"), by_name(now.at("claims"), "id"),
      [&](const std::string& name, const json& was, const json& is) { compare_claim(differences, name, was, is); });
  return differences.take();
}

Comparison compare_folders(const fs::path& results, const fs::path& baseline, const std::vector<std::string>& only) {
  const Folders folders = read_folders(results, baseline, only, false);
  Comparison comparison;
  std::set<std::string> experiments;
  for (const auto& [experiment, report] : folders.results) experiments.insert(experiment);
  for (const auto& [experiment, report] : folders.baselines) experiments.insert(experiment);
  for (const std::string& experiment : experiments) {
    comparison.experiments.push_back(experiment);
    if (!folders.results.contains(experiment)) {
      comparison.differences.push_back({experiment, "report", "present", "missing", "exact"});
    } else if (!folders.baselines.contains(experiment)) {
      comparison.differences.push_back({experiment, "report", "missing", "present", "exact"});
    } else {
      auto found = compare_reports(folders.results.at(experiment), folders.baselines.at(experiment));
      std::move(found.begin(), found.end(), std::back_inserter(comparison.differences));
    }
  }
  return comparison;
}

json make_baseline(const json& report, const std::string& reason, const std::string& date) {
  json baseline = report;
  for (const char* key : {"series", "figures", "timing"}) baseline.erase(key);
  json provenance;
  for (const char* key : {"commit", "compiler", "cpu", "dirty"}) provenance[key] = report.at("provenance").at(key);
  baseline["provenance"] = std::move(provenance);
  baseline["baseline"] = {{"reason", reason}, {"date", date}};
  return baseline;
}

std::vector<std::string> accept_baseline(const fs::path& results, const fs::path& baseline, const std::string& reason,
                                         const std::vector<std::string>& only) {
  if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw ReportError("the reason for a new baseline is empty; say why the numbers may change");
  }
  const Folders folders = read_folders(results, baseline, only, true);
  std::string broken;
  for (const auto& [experiment, report] : folders.results) {
    for (const json& claim : report.at("claims")) {
      if (claim.at("verdict") != "broken-control") continue;
      broken += (broken.empty() ? "" : "\n") + (results / (experiment + ".json")).string() + ": claim '" +
                claim.at("id").get<std::string>() + "' has a control that did not fail; it cannot be a baseline";
    }
  }
  if (!broken.empty()) throw ReportError(broken);

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

std::string difference_table(const std::vector<Difference>& differences) {
  std::vector<std::array<std::string, 5>> rows{{"experiment", "name", "baseline", "now", "tolerance"}};
  for (const Difference& difference : differences) {
    rows.push_back({difference.experiment, difference.name, difference.baseline, difference.now, difference.tolerance});
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    table += line + "\n";
  }
  return table;
}

}  // namespace livi
