// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace livi::plots {
namespace {

using nlohmann::json;

std::string read_text(const std::filesystem::path& file) {
  std::error_code ignored;
  // A pipe or a device may never end.
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
    throw PlotError(file.string() + ": is no regular file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw PlotError(file.string() + ": cannot be read: " + std::generic_category().message(errno));
  // In blocks: to pass the buffer of the stream on as a whole would hide an error in the middle of the file.
  std::string text, block(1 << 16, '\0');
  errno = 0;
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0)
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) throw PlotError(file.string() + ": cannot be read: " + std::generic_category().message(errno));
  if (text.empty()) throw PlotError(file.string() + ": is empty");
  // json::parse() takes a byte of zero for the end.
  if (text.find('\0') != std::string::npos) throw PlotError(file.string() + ": has bytes of zero: it is no text");
  return text;
}

/// One more than there are commas; the last may be empty.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    cells.push_back(line.substr(begin, comma - begin));
    if (comma == std::string::npos) return cells;
    begin = comma + 1;
  }
}

}  // namespace

const std::vector<double>& Series::column(const std::string& name) const {
  const auto found = columns_.find(name);
  if (found == columns_.end()) throw PlotError(file_.string() + ": has no column '" + name + "'");
  return found->second;
}

Points Series::points(const std::string& x, const std::string& y) const {
  const auto& xs = column(x);
  const auto& ys = column(y);
  Points points(xs.size());
  for (std::size_t i = 0; i < xs.size(); ++i) points[i] = {xs[i], ys[i]};
  return points;
}

std::string Series::unit(const std::string& name) const {
  const auto found = units_.find(name);
  return found == units_.end() ? "" : found->second;
}

ReportData::ReportData(const std::filesystem::path& folder, const std::string& experiment)
    : folder_(folder), file_(folder / (experiment + ".json")) {
  try {
    report_ = std::make_shared<const json>(json::parse(read_text(file_)));
    if (report_->at("schema") != "livi.report/1") throw PlotError(file_.string() + ": is not a livi.report/1");
    if (report_->at("experiment") != experiment) {
      throw PlotError(file_.string() + ": is not the report of '" + experiment + "'");
    }
  } catch (const json::exception& error) {
    throw PlotError(file_.string() + ": is not a report: " + error.what());
  }
}

const Series& ReportData::series(const std::string& name) const {
  const auto known = series_.find(name);
  return known != series_.end() ? known->second : series_.emplace(name, read(name)).first->second;
}

Series ReportData::read(const std::string& name) const {
  std::filesystem::path file;
  std::vector<std::string> names;
  std::map<std::string, std::string> units;
  std::size_t announced = 0;
  try {
    for (const json& series : report_->at("series")) {
      if (series.at("name") != name) continue;
      file = folder_ / series.at("file").get<std::string>();
      announced = series.at("rows").get<std::size_t>();
      for (const json& column : series.at("columns")) {
        names.push_back(column.at("name"));
        // Columns are found by name: two of one name would be one of twice the rows.
        if (!units.emplace(names.back(), column.at("unit").get<std::string>()).second) {
          throw PlotError(file_.string() + ": series '" + name + "': column '" + names.back() + "' occurs twice");
        }
      }
    }
  } catch (const json::exception& error) {
    throw PlotError(file_.string() + ": is not a report: " + error.what());
  }
  if (file.empty()) throw PlotError(file_.string() + ": has no series '" + name + "'");

  std::istringstream lines(read_text(file));
  std::string line;
  std::getline(lines, line);
  if (cells_of(line) != names) {
    throw PlotError(file.string() + ": line 1: is '" + line + "', not the columns that " + file_.filename().string() +
                    " announces");
  }
  std::map<std::string, std::vector<double>> columns;
  std::size_t rows = 0;
  for (std::size_t number = 2; std::getline(lines, line); ++number, ++rows) {
    const auto cells = cells_of(line);
    const auto refuse = [&] {
      throw PlotError(file.string() + ": line " + std::to_string(number) + ": is '" + line + "', not " +
                      std::to_string(names.size()) + " finite numbers");
    };
    if (cells.size() != names.size()) refuse();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      double value = 0;
      const char* end = cells[i].data() + cells[i].size();
      const auto [stopped, error] = std::from_chars(cells[i].data(), end, value);
      if (error != std::errc() || stopped != end || !std::isfinite(value)) refuse();
      columns[names[i]].push_back(value);
    }
  }
  if (columns.empty()) throw PlotError(file.string() + ": has no rows");
  if (rows != announced) {
    throw PlotError(file.string() + ": has " + std::to_string(rows) + " rows of numbers, but " +
                    file_.filename().string() + " announces " + std::to_string(announced));
  }
  return {file, std::move(columns), std::move(units)};
}

double ReportData::measurement(const std::string& name) const {
  if (const auto value = number_in("measurements", "name", name, "value")) return *value;
  throw PlotError(file_.string() + ": has no number '" + name + "' in its measurements");
}

double ReportData::measured(const std::string& claim) const {
  if (const auto value = number_in("claims", "id", claim, "measured")) return *value;
  throw PlotError(file_.string() + ": has no number '" + claim + "' in its claims");
}

double ReportData::number(const std::string& name) const {
  const auto value = number_in("measurements", "name", name, "value");
  return value ? *value : measured(name);
}

std::optional<double> ReportData::number_in(const char* list, const char* key, const std::string& name,
                                            const char* field) const {
  try {
    for (const json& entry : report_->at(list)) {
      if (entry.at(key) == name && entry.at(field).is_number()) return entry.at(field).get<double>();
    }
  } catch (const json::exception& error) {
    throw PlotError(file_.string() + ": is not a report: " + error.what());
  }
  return std::nullopt;
}

Points thinned(const Points& points, std::size_t buckets) {
  if (points.size() <= 2 * buckets) return points;
  Points kept;
  kept.reserve(2 * buckets);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const auto at = [&](std::size_t i) {
      return points.begin() + static_cast<Points::difference_type>(i * points.size() / buckets);
    };
    auto [low, high] = std::minmax_element(at(bucket), at(bucket + 1),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
    if (high < low) std::swap(low, high);
    kept.push_back(*low);
    if (high != low) kept.push_back(*high);
  }
  return kept;
}

Points running_maximum(const Points& points) {
  Points rising = points;
  double reached = 0;
  for (auto& [x, y] : rising) {
    reached = std::max(reached, std::abs(y));
    y = reached;
  }
  return rising;
}

double largest(const Points& points) {
  double reached = 0;
  for (const auto& [x, y] : points) reached = std::max(reached, std::abs(y));
  return reached;
}

}  // namespace livi::plots
