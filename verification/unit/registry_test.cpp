// SPDX-License-Identifier: MIT
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace {

using nlohmann::json;

const std::filesystem::path kRegistry = std::filesystem::path(LIVI_SOURCE_FOLDER) / "reference" / "claims.json";

std::string error_after(const std::function<void(json&)>& change) {
  json registry = livi::read_json(kRegistry);
  change(registry);
  try {
    livi::check_registry(registry, "claims.json");
  } catch (const livi::ReportError& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, is_valid) { EXPECT_NO_THROW(livi::read_registry(kRegistry)); }

TEST(Registry, holds_the_claims_of_figure_1) {
  std::size_t figure_1 = 0;
  for (const json& claim : livi::read_registry(kRegistry)) {
    figure_1 += claim["experiment"] == "fig01_double_pendulum" ? 1U : 0U;
  }
  EXPECT_GE(figure_1, 12U);
}

TEST(Registry, refuses_an_id_that_occurs_twice) {
  EXPECT_NE(error_after([](json& r) { r[1]["id"] = r[0]["id"]; }).find("/1/id"), std::string::npos);
}

TEST(Registry, refuses_an_id_of_another_document) {
  EXPECT_NE(error_after([](json& r) { r[2]["document"] = "BO07"; }).find("/2/id"), std::string::npos);
}

TEST(Registry, refuses_each_violation_of_the_schema) {
  for (const char* key : {"id", "document", "place", "kind", "statement", "check", "experiment"}) {
    EXPECT_NE(error_after([&](json& r) { r[3].erase(key); }).find("claims.json: /3: "), std::string::npos) << key;
    EXPECT_NE(error_after([&](json& r) { r[3][key] = ""; }).find(std::string("/3/") + key), std::string::npos) << key;
  }
  EXPECT_NE(error_after([](json& r) { r[0]["kind"] = "rumour"; }).find("/0/kind"), std::string::npos);
  EXPECT_NE(error_after([](json& r) { r[0]["page"] = "12"; }).find("/0: "), std::string::npos);
  EXPECT_NE(error_after([](json& r) { r = json::object(); }).find("/: "), std::string::npos);
}

}  // namespace
