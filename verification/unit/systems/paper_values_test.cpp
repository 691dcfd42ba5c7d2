// SPDX-License-Identifier: MIT
//
// The numbers that the documents print: their form, and that they are the defaults of the reference.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "reference/double_pendulum_reference.hpp"

namespace paper_values_test {

using livi::reference::DoublePendulumParameters;

// ---- The printed numbers.

nlohmann::json paper_values() {
  std::ifstream file(LIVI_REFERENCE_FOLDER "/paper_values.json");
  return nlohmann::json::parse(file);
}

/// Problems of a table of printed values; empty if it is in order.
std::vector<std::string> problems(const nlohmann::json& table) {
  std::vector<std::string> found;
  const auto say = [&](bool good, const std::string& what) {
    if (!good) found.push_back(what);
  };
  say(table.value("schema", "") == "livi.paper_values/1", "schema");
  say(table.value("document", "") == "TO14", "document");
  std::set<std::string> ids;
  for (const char* part : {"values", "not_printed"}) {
    if (!table.contains(part) || !table[part].is_array() || table[part].empty()) {
      found.push_back(part);
      continue;
    }
    for (const nlohmann::json& row : table[part]) {
      std::set<std::string> keys;
      for (const auto& item : row.items()) keys.insert(item.key());
      std::set<std::string> expected{"id", "place", "unit", "description"};
      if (std::string(part) == "values") expected.insert("value");
      const std::string id = row.contains("id") && row["id"].is_string() ? row["id"].get<std::string>() : "(no id)";
      say(keys == expected, id + ": keys");
      say(id.starts_with("TO14.") && ids.insert(id).second, id + ": id");
      for (const char* text : {"place", "unit", "description"})
        say(row.contains(text) && row[text].is_string() && !row[text].get<std::string>().empty(), id + ": " + text);
      if (row.contains("description") && row["description"].is_string())
        say(row["description"].get<std::string>().find_first_of("\"'") == std::string::npos, id + ": quotes");
      if (row.contains("value")) {
        const nlohmann::json& value = row["value"];
        bool numbers = value.is_number() || (value.is_array() && !value.empty());
        if (value.is_array())
          for (const nlohmann::json& entry : value) numbers = numbers && entry.is_number();
        say(numbers, id + ": value");
      }
    }
  }
  return found;
}

TEST(PaperValues, FollowTheirForm) {
  const nlohmann::json table = paper_values();
  EXPECT_EQ(problems(table), std::vector<std::string>{});

  nlohmann::json broken = table;
  broken["values"][0].erase("unit");
  EXPECT_FALSE(problems(broken).empty());
  broken = table;
  broken["values"][1]["value"] = "20";
  EXPECT_FALSE(problems(broken).empty());
  broken = table;
  broken["values"][2]["id"] = table["values"][3]["id"];
  EXPECT_FALSE(problems(broken).empty());
  broken = table;
  broken["not_printed"][0]["value"] = 50;
  EXPECT_FALSE(problems(broken).empty());
}

TEST(PaperValues, AreTheDefaultsOfTheReference) {
  const nlohmann::json table = paper_values();
  const auto value = [&](const std::string& id) -> nlohmann::json {
    for (const nlohmann::json& row : table["values"])
      if (row["id"] == "TO14." + id) return row["value"];
    ADD_FAILURE() << id << " is missing";
    return 0;
  };
  const DoublePendulumParameters parameters;
  EXPECT_EQ(value("fig1.initial-position"), nlohmann::json(parameters.initial_q));
  for (const double v : parameters.initial_v) EXPECT_EQ(value("fig1.initial-momentum"), nlohmann::json(v));
  EXPECT_EQ(value("fig1.length1").get<double>(), std::sqrt(parameters.length1_squared));
  EXPECT_EQ(value("fig1.length2").get<double>(), std::sqrt(parameters.length2_squared));
  EXPECT_EQ(value("s4.1.gravity").get<double>(), parameters.gravity);
  EXPECT_EQ(value("fig1.omega").get<double>(), parameters.omega);
  // What the paper says twice agrees with itself.
  EXPECT_EQ(value("s4.1.unstable-omega").get<double>() * value("s4.1.unstable-omega").get<double>(),
            value("s4.1.unstable-stiffness").get<double>());
  EXPECT_NEAR(value("fig1.row3-h-omega").get<double>() / value("fig1.omega").get<double>() *
                  value("fig1.row3-step-ratio").get<double>(),
              value("fig1.step").get<double>(), 1e-16);
}

}  // namespace paper_values_test
