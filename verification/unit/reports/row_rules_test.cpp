// SPDX-License-Identifier: MIT
#include <livi/report/row_rules.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <map>

namespace row_rules_test {

using livi::Claim;
using livi::Origin;
using nlohmann::json;

const std::map<std::string, Claim> registered{{"XX00.said", {.id = "XX00.said", .origin = Origin::statement}},
                                              {"XX00.other", {.id = "XX00.other", .origin = Origin::number}},
                                              {"XX00.ours", {.id = "XX00.ours", .origin = Origin::ours}}};

json control(const char* name, double measured, const char* expected) {
  return {{"name", name}, {"measured", measured}, {"interval", {1.9, 2.1}}, {"expected", expected}};
}

json row(const char* id, double measured) {
  return {{"id", id},
          {"unit", "order"},
          {"verdict", "confirmed"},
          {"measured", measured},
          {"interval", {1.9, 2.1}},
          {"controls", {control("Euler's method", 1.01, "fails"), control("e = 0.3", 1.2, "evidence")}}};
}

/// The problems of three rows of a report, the first, another and one of ours, after a change.
std::vector<std::string> problems_after(const std::function<void(json&)>& change) {
  json rows{row("XX00.said", 2.01), row("XX00.other", 1.99), row("XX00.ours", 2.01)};
  change(rows);
  return livi::row_problems({{{"claims", rows}}}, registered);
}

void expect_problem(const std::function<void(json&)>& change, const std::string& id, const std::string& words) {
  const auto problems = problems_after(change);
  ASSERT_EQ(problems.size(), 1U) << words;
  EXPECT_TRUE(problems[0].starts_with("claim '" + id + "': ")) << problems[0];
  EXPECT_NE(problems[0].find(words), std::string::npos) << problems[0];
}

TEST(RowRules, accept_rows_in_order) {
  EXPECT_EQ(problems_after([](json&) {}), std::vector<std::string>{});
}

TEST(RowRules, want_a_negative_control_in_the_interval_of_each_claim) {
  const std::string words = "no negative control";
  for (const std::size_t i : {0U, 2U}) {
    const std::string id = i == 0 ? "XX00.said" : "XX00.ours";
    expect_problem([&](json& rows) { rows[i]["controls"].erase(0); }, id, words);
    expect_problem([&](json& rows) { rows[i]["controls"][0]["expected"] = "passes"; }, id, words);
    expect_problem([&](json& rows) { rows[i]["controls"][0]["interval"] = {0, 1}; }, id, words);
  }
  EXPECT_EQ(problems_after([](json& rows) {
              rows[0]["controls"].clear();
              rows[0]["verdict"] = "not-testable";
            }).size(),
            0U);
}

TEST(RowRules, count_a_misprint_once) {
  std::map<std::string, Claim> with_misprint = registered;
  with_misprint["XX00.sign"] = {.id = "XX00.sign", .verdict = livi::Verdict::misprint};
  Claim& said = with_misprint["XX00.said"];
  said.verdict = livi::Verdict::confirmed_with_limits;
  said.note = "With a minus sign (XX00.sign)";
  const auto problems = [&] { return livi::row_problems({{{"claims", {row("XX00.said", 2.01)}}}}, with_misprint); };
  ASSERT_EQ(problems().size(), 1U);
  EXPECT_NE(problems()[0].find("a misprint counts once"), std::string::npos) << problems()[0];
  said.origin = Origin::reading;
  EXPECT_EQ(problems(), std::vector<std::string>{});
  said.origin = Origin::statement;
  said.note = "For small steps";
  EXPECT_EQ(problems(), std::vector<std::string>{});
}

TEST(RowRules, want_a_positive_control_where_the_number_is_outside_or_missing) {
  for (const json& measured : {json(1.5), json(2.5), json(nullptr)}) {
    const auto change = [&](json& rows) { rows[0]["measured"] = measured; };
    expect_problem(change, "XX00.said", "no positive control");
    EXPECT_EQ(problems_after([&](json& rows) {
                change(rows);
                rows[0]["controls"].push_back(control("Verlet", 2.0, "passes"));
              }).size(),
              0U);
  }
  expect_problem(
      [](json& rows) {
        rows[0]["measured"] = 1.5;
        rows[0]["controls"].push_back(control("Verlet", 2.0, "passes"));
        rows[0]["controls"].back()["interval"] = {1.5, 2.5};
      },
      "XX00.said", "no positive control");
  // An open end is no limit.
  EXPECT_EQ(problems_after([](json& rows) {
              rows[0]["measured"] = 7.5;
              rows[0]["interval"] = rows[0]["controls"][0]["interval"] = {1.9, nullptr};
            }).size(),
            0U);
}

TEST(RowRules, want_cases_of_the_claims_own_sentence_to_be_evidence) {
  for (const char* name : {"e = 0.3", "k = 50", "pendulum", "the pendulum from rest at 3", "Kepler, e = 0.6",
                           "chaotic motion", "the same motion, from its lowest point", "from rest", "32 pendula"}) {
    const auto as = [&](std::size_t i, const char* expected) {
      return [=](json& rows) { rows[i]["controls"].push_back(control(name, 1.2, expected)); };
    };
    expect_problem(as(1, "fails"), "XX00.other", "'" + std::string(name) + "' is a case of the claim's own sentence");
    EXPECT_EQ(problems_after(as(1, "evidence")).size(), 0U) << name;
    EXPECT_EQ(problems_after(as(2, "fails")).size(), 0U) << "ours: its conditions are part of it";
  }
  EXPECT_EQ(problems_after([](json& rows) {
              rows[0]["controls"].push_back(control("two pendula, where nothing is claimed", 1.2, "fails"));
            }).size(),
            0U);
}

TEST(RowRules, want_intervals_that_tell_one_order_of_ours_from_the_next) {
  const auto wide = [](std::size_t i) {
    return [=](json& rows) { rows[i]["interval"] = rows[i]["controls"][0]["interval"] = {1.0, 2.5}; };
  };
  expect_problem(wide(2), "XX00.ours", "room for two orders");
  EXPECT_EQ(problems_after(wide(0)).size(), 0U) << "a document may say: at least of order one";
}

TEST(RowRules, want_one_row_for_one_number_of_a_document) {
  const auto both = [](double number) {
    return [=](json& rows) {
      for (std::size_t i = 0; i < 3; ++i) {
        rows[i]["measured"] = number;
        rows[i]["interval"] = rows[i]["controls"][0]["interval"] = {number, number};
      }
    };
  };
  expect_problem(both(2.125), "XX00.other", "has the number of 'XX00.said'");
  EXPECT_EQ(problems_after(both(2)).size(), 0U) << "counts";
  EXPECT_EQ(problems_after(both(1.25e-50)).size(), 0U) << "rounding errors";
}

TEST(RowRules, are_for_registered_claims) {
  EXPECT_EQ(problems_after([](json& rows) {
              rows[0]["controls"].clear();
              rows[0]["id"] = "method.order";
            }).size(),
            0U);
}

}  // namespace row_rules_test
