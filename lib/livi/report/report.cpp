// SPDX-License-Identifier: MIT
#include <livi/report/atomic_files.hpp>
#include <livi/report/provenance.hpp>
#include <livi/report/registry.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace livi {
namespace {

using nlohmann::json;

bool is_experiment_name(const std::string& name) {
  if (name.empty() || name.front() < 'a' || name.front() > 'z') return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
}

bool is_series_name(const std::string& name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                              std::string::npos;
}

/// Returns a number as JSON, which has no infinities: an open end of an interval, and the number of a control that blew
/// up, become null.
json finite_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json to_json(const Interval& interval) {
  return json::array({finite_or_null(interval.low), finite_or_null(interval.high)});
}

void add_text(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json to_json(const Measurement& measurement) {
  json result{
      {"name", measurement.name},
      {"value", measurement.value},
      {"unit", measurement.unit},
      {"tolerance", {{"absolute", measurement.tolerance.absolute}, {"relative", measurement.tolerance.relative}}}};
  if (measurement.noise_floor) result["noise_floor"] = *measurement.noise_floor;
  if (measurement.h_exponent) result["h_exponent"] = *measurement.h_exponent;
  return result;
}

json to_json(const Claim& claim) {
  json controls = json::array();
  for (const Control& control : claim.controls) {
    json entry{{"name", control.name},
               {"measured", finite_or_null(control.measured)},
               {"interval", to_json(control.interval)},
               {"expected", to_string(control.expected)},
               {"failed", control.failed()}};
    if (control.lost()) entry["lost"] = true;
    add_text(entry, "note", control.note);
    controls.push_back(std::move(entry));
  }
  json result{{"id", claim.id},
              {"source", {{"document", claim.source.document}, {"place", claim.source.place}}},
              {"origin", to_string(claim.origin)},
              {"headline", claim.headline},
              {"statement", claim.statement},
              {"measured", finite_or_null(claim.measured)},
              {"unit", claim.unit},
              {"interval", to_json(claim.interval)},
              {"reason", claim.reason},
              {"controls", std::move(controls)},
              {"verdict", to_string(claim.verdict)},
              {"evidence", evidence_text(claim.evidence, claim.probability_bound)}};
  add_text(result, "anchor", claim.anchor);
  add_text(result, "hypothesis", claim.hypothesis);
  add_text(result, "how", claim.how);
  add_text(result, "note", claim.note);
  return result;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> buffer{};
  text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

std::string csv(const std::vector<Column>& columns, const std::vector<std::vector<double>>& rows) {
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ",") + column.name;
  text += '\n';
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      append_number(text, row[i]);
    }
    text += '\n';
  }
  return text;
}

bool contains_no_finite_number(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return !std::isfinite(*number);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    return !std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); });
  }
  return false;
}

}  // namespace

Report::Report(std::string experiment, Source source) : experiment_(std::move(experiment)), source_(std::move(source)) {
  if (!is_experiment_name(experiment_)) {
    throw ReportError(
        "report '" + experiment_ +
        "': the name of an experiment has lower-case letters, digits, '_' and '-', and begins with a letter");
  }
  if (source_.document.empty() || source_.item.empty()) {
    throw ReportError("report '" + experiment_ + "': the source lacks its document or its item");
  }
}

void Report::refuse(const std::string& name, const std::string& why) const {
  throw ReportError("report '" + experiment_ + "': " + name + ": " + why);
}

void Report::require_new(const std::string& kind, const std::string& name, bool exists) const {
  if (name.empty()) refuse(kind, "the name is empty");
  if (exists) refuse(kind + " '" + name + "'", "this name is used twice");
}

void Report::parameter(const std::string& name, ParameterValue value) {
  require_new("parameter", name, parameters_.contains(name));
  if (contains_no_finite_number(value)) refuse("parameter '" + name + "'", "is not a finite number");
  parameters_.emplace(name, std::move(value));
}

void Report::measurement(Measurement measurement) {
  const std::string& name = measurement.name;
  const bool used = std::any_of(measurements_.begin(), measurements_.end(),
                                [&](const Measurement& other) { return other.name == name; });
  require_new("measurement", name, used || counts_.contains(name));
  const std::string what = "measurement '" + name + "'";
  if (!std::isfinite(measurement.value)) {
    refuse(what, "the value is " + std::to_string(measurement.value) + "; a measurement is a finite number");
  }
  const auto [absolute, relative] = measurement.tolerance;
  if (!(std::isfinite(absolute) && std::isfinite(relative) && absolute >= 0 && relative >= 0)) {
    refuse(what, "the tolerance must be finite and not negative");
  }
  if (measurement.noise_floor && !(std::isfinite(*measurement.noise_floor) && *measurement.noise_floor >= 0)) {
    refuse(what, "the noise floor must be finite and not negative");
  }
  if (measurement.h_exponent && !std::isfinite(*measurement.h_exponent))
    refuse(what, "the exponent of h is not finite");
  measurements_.push_back(std::move(measurement));
}

void Report::add_count(const std::string& name, std::int64_t value) {
  const bool used = std::any_of(measurements_.begin(), measurements_.end(),
                                [&](const Measurement& other) { return other.name == name; });
  require_new("count", name, used || counts_.contains(name));
  counts_.emplace(name, value);
}

Verdict Report::claim(Claim claim) {
  const bool used =
      std::any_of(claims_.begin(), claims_.end(), [&](const Claim& other) { return other.id == claim.id; });
  require_new("claim", claim.id, used);
  try {
    claim = with_registered_texts(std::move(claim));
    claim.verdict = decide(claim);
  } catch (const std::invalid_argument& error) {
    throw ReportError("report '" + experiment_ + "': " + error.what());
  }
  if (std::isinf(claim.measured)) {
    refuse("claim '" + claim.id + "'",
           "the measured value is infinite; measure something finite, such as the time of a blow-up, or leave NaN for "
           "what could not be measured");
  }
  claims_.push_back(std::move(claim));
  return claims_.back().verdict;
}

void Report::series(const std::string& name, std::vector<Column> columns, std::vector<std::vector<double>> rows) {
  const bool used =
      std::any_of(series_.begin(), series_.end(), [&](const Series& other) { return other.name == name; });
  require_new("series", name, used);
  const std::string what = "series '" + name + "'";
  if (!is_series_name(name)) refuse(what, "the name of a series has letters, digits, '_' and '-'");
  if (columns.empty()) refuse(what, "has no columns");
  std::set<std::string> names;
  for (const Column& column : columns) {
    if (!names.insert(column.name).second) refuse(what, "two columns are named '" + column.name + "'");
    if (column.name.empty() || column.name.find_first_of(",\" \t\r\n") != std::string::npos) {
      refuse(what, "column '" + column.name + "': the name of a column is not empty and has no blank, comma or quote");
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string where = "row " + std::to_string(i);
    if (rows[i].size() != columns.size()) {
      refuse(what, where + " has " + std::to_string(rows[i].size()) + " numbers for " + std::to_string(columns.size()) +
                       " columns");
    }
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (!std::isfinite(rows[i][j])) {
        refuse(what,
               where + ", column '" + columns[j].name + "': " + std::to_string(rows[i][j]) + " is not a finite number");
      }
    }
  }
  series_.push_back({name, std::move(columns), std::move(rows)});
}

void Report::figure(Figure figure) {
  const bool used =
      std::any_of(figures_.begin(), figures_.end(), [&](const Figure& other) { return other.file == figure.file; });
  require_new("figure", figure.file, used);
  if (figure.caption.empty()) refuse("figure '" + figure.file + "'", "the caption is empty");
  figures_.push_back(std::move(figure));
}

void Report::seed(const std::string& name, std::uint64_t value) {
  require_new("seed", name, seeds_.contains(name));
  seeds_.emplace(name, value);
}

void Report::vector_instructions(const std::string& name) { vector_instructions_ = name; }

void Report::timing(const std::string& name, double seconds) {
  require_new("timing", name, name == "whole_run" || timing_.contains(name));
  if (!(std::isfinite(seconds) && seconds >= 0)) refuse("timing '" + name + "'", "is not a number of seconds");
  timing_.emplace(name, seconds);
}

std::string Report::json() const {
  nlohmann::json result{
      {"schema", "livi.report/1"},
      {"experiment", experiment_},
      {"source", {{"document", source_.document}, {"item", source_.item}, {"section", source_.section}}},
      {"parameters", nlohmann::json::object()},
      {"measurements", nlohmann::json::array()},
      {"counts", counts_},
      {"claims", nlohmann::json::array()},
      {"series", nlohmann::json::array()},
      {"figures", nlohmann::json::array()},
      {"provenance", provenance(seeds_)},
      {"timing", timing_}};
  if (!vector_instructions_.empty()) result["provenance"]["vector_instructions"] = vector_instructions_;
  for (const auto& [name, value] : parameters_) {
    std::visit([&, key = name](const auto& known) { result["parameters"][key] = known; }, value);
  }
  for (const Measurement& measurement : measurements_) result["measurements"].push_back(to_json(measurement));
  for (const Claim& claim : claims_) result["claims"].push_back(to_json(claim));
  for (const Series& series : series_) {
    nlohmann::json columns = nlohmann::json::array();
    for (const Column& column : series.columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
    result["series"].push_back({{"name", series.name},
                                {"columns", std::move(columns)},
                                {"file", series_file(series.name)},
                                {"rows", series.rows.size()}});
  }
  for (const Figure& figure : figures_) {
    result["figures"].push_back({{"file", figure.file}, {"caption", figure.caption}});
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  result["timing"]["whole_run"] = elapsed.count();
  check_report(result, experiment_ + ".json");
  // A byte that is not UTF-8 (a command line may hold any) becomes the replacement character.
  return result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::filesystem::path Report::write(const std::filesystem::path& folder) const {
  AtomicFiles files;
  for (const Series& series : series_) files.add(folder / series_file(series.name), csv(series.columns, series.rows));
  auto path = folder / (experiment_ + ".json");
  // The report comes last, so that a reader who finds it finds its series, too.
  files.add(path, json());
  files.commit();
  return path;
}

}  // namespace livi
