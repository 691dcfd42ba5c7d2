// SPDX-License-Identifier: MIT
#include "study/pages/strong_orders.hpp"
#include <livi/report/text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <tuple>

namespace livi {
namespace {

using nlohmann::json;

/// Returns what of a name comes after a prefix; nothing if it does not begin with it.
std::string after(const std::string& name, const std::string& prefix) {
  return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : std::string();
}

std::string number_cell(double value, const char* format) {
  if (!std::isfinite(value)) return "unknown";
  std::array<char, 48> digits{};
  std::snprintf(digits.data(), digits.size(), format, value);
  return digits.data();
}

}  // namespace

std::vector<StrongOrderTable> strong_order_tables(const Findings& findings) {
  std::vector<StrongOrderTable> tables;
  for (const json& report : findings.reports) {
    const json& parameters = report.at("parameters");
    std::map<std::string, double> numbers;
    for (const json& measurement : report.at("measurements"))
      if (measurement.at("value").is_number()) numbers[measurement.at("name")] = measurement.at("value");
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const auto number = [&](const std::string& name) {
      const auto found = numbers.find(name);
      return found == numbers.end() ? unknown : found->second;
    };
    for (const auto& [case_name, case_title] : parameters.items()) {
      const std::string of_case = after(case_name, "strong_order.case.");
      if (of_case.empty()) continue;
      StrongOrderTable table{report.at("experiment"), case_title, {}, {}};
      for (const auto& [method_name, method_title] : parameters.items()) {
        const std::string entry = of_case + "." + after(method_name, "strong_order.method.");
        if (entry.back() == '.' || !numbers.contains(entry + ".order.derived")) continue;
        StrongOrderRow row{method_title,
                           {},
                           number(entry + ".rms_error.half_width"),
                           number(entry + ".order"),
                           number(entry + ".order.half_width"),
                           number(entry + ".order.derived"),
                           number(entry + ".error_falls_from"),
                           number(entry + ".share"),
                           number(entry + ".share.derived")};
        std::vector<int> halvings;
        for (int k = 0; k < 64; ++k) {
          const double error = number(entry + ".rms_error.h=2^-" + std::to_string(k));
          if (std::isnan(error)) continue;
          halvings.push_back(k);
          row.errors.push_back(error);
        }
        if (table.rows.empty()) table.halvings = halvings;
        if (halvings != table.halvings) row.errors.assign(table.halvings.size(), unknown);
        table.rows.push_back(std::move(row));
      }
      std::stable_sort(table.rows.begin(), table.rows.end(), [](const StrongOrderRow& a, const StrongOrderRow& b) {
        const auto key = [](const StrongOrderRow& row) {
          return std::tuple(row.derived, std::isnan(row.order), std::isnan(row.order) ? 0 : row.order);
        };
        return key(a) < key(b);
      });
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

const std::vector<StrongOrderColumn>& strong_order_columns() {
  static const std::vector<StrongOrderColumn> columns{
      {"last power", "The power with which the error itself falls between the last two steps: what a user sees there."},
      {"order",
       "What the method tends to as h does to 0. The power of the distance from a method of order two at the same h, "
       "or "
       "that of the error if it is smaller; that of the error at the finest four steps for methods of several stages. "
       "With its 95 % interval over paths. Derived: by words of weight up to two."},
      {"falls so from",
       "The step from which on the error itself falls with that power, to within a quarter, between all neighbouring "
       "steps. Above it another part of the error is larger; where a dash stands, at all steps."},
      {"share",
       "What makes the order one: the error at the smallest step over that of RATTLE with dW/2 or, of methods of "
       "several stages with I10, over the distance of RATTLE with I10 from order two. Derived: in brackets."},
      {"95 %", "The 95 % intervals of the errors are, relative to them, at most what stands in the column."}};
  return columns;
}

std::vector<std::string> strong_order_heads(const StrongOrderTable& table) {
  std::vector<std::string> heads{"h ="};
  for (const int k : table.halvings) heads.push_back("2^-" + std::to_string(k));
  heads.insert(heads.end(), {"95 %, at most", "last power", "order", "derived", "falls so from", "share"});
  return heads;
}

std::vector<std::string> strong_order_cells(const StrongOrderRow& row) {
  std::vector<std::string> cells{row.method};
  for (const double error : row.errors) cells.push_back(number_cell(error, "%.4g"));
  cells.push_back(number_cell(100 * row.widest, "%.2g %%"));
  const std::size_t n = row.errors.size();
  cells.push_back(n < 2 ? "-" : number_cell(std::log2(row.errors[n - 2] / row.errors[n - 1]), "%.2f"));
  cells.push_back(number_cell(row.order, "%.3f") +
                  (std::isfinite(row.order) ? number_cell(row.half_width, " +- %.3f") : ""));
  cells.push_back(number_cell(row.derived, "%.3g"));
  cells.push_back(std::isnan(row.falls_from) ? "-" : number_cell(row.falls_from, "2^-%.0f"));
  cells.push_back(std::isnan(row.share) ? "-"
                                        : number_cell(row.share, "%.3f") + number_cell(row.derived_share, " (%.3f)"));
  return cells;
}

}  // namespace livi
