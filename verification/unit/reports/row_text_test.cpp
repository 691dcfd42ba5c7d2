// SPDX-License-Identifier: MIT
//
// What a reader sees of a row before its details, and the rules for it.
#include <livi/report/report.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

#include "study/pages/row_text.hpp"

namespace row_text_test {

using nlohmann::json;

json claim() {
  return {{"id", "XX00.said"},
          {"statement", "The order is two."},
          {"how", "power of h in the error; a line through three steps"},
          {"reason", "the fit scatters by 0.05"},
          {"unit", "power of h"},
          {"verdict", "confirmed"},
          {"evidence", "measured"},
          {"measured", 2.0125},
          {"interval", {1.9, 2.1}},
          {"note", "1.98 with half the mass."},
          {"controls",
           {{{"name", "Euler's method"},
             {"measured", 1.25},
             {"interval", {1.9, 2.1}},
             {"expected", "fails"},
             {"failed", true}},
            {{"name", "Heun"}, {"measured", 2.5}, {"interval", {1.9, 2.1}}, {"expected", "fails"}, {"failed", true}}}}};
}

json registered() {
  return {{"id", "XX00.said"},
          {"origin", "statement"},
          {"verdict", "confirmed"},
          {"finds", "The error falls as h^@{measured}, Euler's as h^@{Euler's method}; 1.98 with half the mass."}};
}

std::vector<std::string> problems_after(const std::function<void(json&, json&)>& change) {
  json found = claim(), entry = registered();
  change(found, entry);
  livi::Findings findings;
  findings.reports = {{{"claims", json::array({found})}}};
  findings.registry = json::array({entry});
  return livi::row_text_problems(findings);
}

void expect_problem(const std::function<void(json&, json&)>& change, const std::string& words) {
  const auto problems = problems_after(change);
  ASSERT_EQ(problems.size(), 1U) << words;
  EXPECT_TRUE(problems[0].starts_with("claim 'XX00.said': ")) << problems[0];
  EXPECT_NE(problems[0].find(words), std::string::npos) << problems[0];
}

TEST(RowText, says_what_was_found_then_how_sure_then_what_is_accepted) {
  const json entry = registered();
  EXPECT_EQ(livi::visible_text(claim(), &entry),
            "confirmed: The error falls as h^2.013, Euler's as h^1.25; 1.98 with half the mass. "
            "Measured: 2.013 (accepted: 1.9 to 2.1). The test rejects 2 wrong variants.");
}

TEST(RowText, of_a_claim_without_a_finding_is_its_measure_and_its_number) {
  json found = claim();
  EXPECT_EQ(livi::row_text(found, nullptr).finding, "power of h in the error: 2.013 power of h.");
  found["how"] = "Power of h, h = 1 ... 1/8. By a line.";
  EXPECT_EQ(livi::row_text(found, nullptr).finding, "Power of h, h = 1 ... 1/8: 2.013 power of h.");
  found["how"] = std::string(200, 'x');
  EXPECT_EQ(livi::row_text(found, nullptr).finding, "The number is 2.013 power of h.");
  found["measured"] = nullptr;
  EXPECT_EQ(livi::row_text(found, nullptr).finding, "The number is missing.");
  found["evidence"] = "proved (exact)";
  EXPECT_EQ(livi::row_text(found, nullptr).finding, "True as stated.");
  found["verdict"] = "undecided";
  EXPECT_EQ(livi::row_text(found, nullptr).finding, "The number is missing.");
}

TEST(RowText, with_another_verdict_than_expected_leaves_out_the_sentence_of_the_registry) {
  const json entry = registered();
  json found = claim();
  found["verdict"] = "refuted";
  EXPECT_EQ(livi::row_text(found, &entry).finding, "power of h in the error: 2.013 power of h.");
}

TEST(RowText, counts_controls_by_what_they_did) {
  json found = claim();
  json& controls = found["controls"];
  controls.push_back(controls[0]);
  controls.back().update({{"expected", "passes"}, {"failed", false}});
  controls.push_back(controls[0]);
  controls.back()["expected"] = "evidence";
  const std::string number = "Measured: 2.013 (accepted: 1.9 to 2.1, power of h). ";
  const auto sure = [&] { return livi::row_text(found, nullptr).sure; };
  EXPECT_EQ(sure(), number + "The test rejects 2 wrong variants and passes 1 correct one. Not for: Euler's method.");
  controls.push_back(controls[2]);
  controls.back().update({{"name", "Heun"}, {"expected", "evidence"}});
  EXPECT_EQ(sure(), number +
                        "The test rejects 2 wrong variants and passes 1 correct one. Not for: Euler's method. "
                        "Also for: Heun.");
  // Without room for the names they are counted.
  controls.back()["name"] = std::string(200, 'x');
  EXPECT_EQ(sure(), number +
                        "The test rejects 2 wrong variants and passes 1 correct one. Fails in 1 similar case, "
                        "holds in 1.");
  controls.erase(3);
  EXPECT_EQ(sure(), number + "The test rejects 2 wrong variants and passes 1 correct one. Holds in 1 similar case.");
  controls.erase(3);
  controls[0]["failed"] = false;
  EXPECT_EQ(sure(), number + "1 control is broken. The test rejects 1 wrong variant and passes 1 correct one.");
  controls.erase(1);
  EXPECT_EQ(sure(), number + "1 control is broken. The test passes 1 correct variant.");
  controls.erase(1);
  EXPECT_EQ(sure(), number + "1 control is broken.");
  controls.clear();
  EXPECT_EQ(sure(), number + "No wrong variant was tested.");
}

TEST(RowText, has_no_number_to_accept_in_a_proof_or_a_misprint) {
  json found = claim();
  const auto sure = [&] { return livi::row_text(found, nullptr).sure; };
  found["evidence"] = "proved (p < 1e-58)";
  EXPECT_EQ(
      sure(),
      "Proved at random points, in exact arithmetic (chance of error below 1e-58). The test rejects 2 wrong variants.");
  found["evidence"] = "disproved (exact)";
  EXPECT_EQ(sure(), "Shown by an exact example. The test rejects 2 wrong variants.");
  found["evidence"] = "measured";
  found["verdict"] = "misprint";
  EXPECT_EQ(sure(), "Measured. The test rejects 2 wrong variants.");
  found["verdict"] = "not-testable";
  EXPECT_EQ(sure(), "");
}

TEST(RowText, says_intervals_in_words) {
  EXPECT_EQ(livi::interval_text({1.9, 2.1}), "1.9 to 2.1");
  EXPECT_EQ(livi::interval_text({0, 0}), "0 only");
  EXPECT_EQ(livi::interval_text({nullptr, 0.5}), "at most 0.5");
  EXPECT_EQ(livi::interval_text({3, nullptr}), "at least 3");
  EXPECT_EQ(livi::interval_text({std::numeric_limits<double>::min(), nullptr}), "more than 0");
  EXPECT_EQ(livi::interval_text({nullptr, nullptr}), "any number");
}

TEST(RowTextRules, accept_a_row_in_order) {
  EXPECT_EQ(problems_after([](json&, json&) {}), std::vector<std::string>{});
}

TEST(RowTextRules, want_at_most_300_characters) {
  // The rest of the row has 98 characters.
  const auto with_finding_of = [](std::size_t length) {
    return [=](json&, json& entry) {
      std::string text = "It is two and ";
      while (text.size() < length - 1) text += 'x';
      entry["finds"] = text + ".";
    };
  };
  EXPECT_EQ(problems_after(with_finding_of(202)).size(), 0U);
  expect_problem(with_finding_of(203), "has 301 characters before its details; allowed are 300");
}

TEST(RowTextRules, want_a_sentence_of_each_claim_of_a_document) {
  expect_problem([](json&, json& entry) { entry.erase("finds"); }, "has a number without a sentence");
  EXPECT_EQ(problems_after([](json&, json& entry) {
              entry.erase("finds");
              entry["origin"] = "ours";
            }).size(),
            0U);
  for (const char* bare : {"@{measured} power of h.", "The power of h is @{measured}", "0."})
    expect_problem([=](json&, json& entry) { entry["finds"] = bare; }, "is no sentence");
}

TEST(RowTextRules, want_typed_numbers_to_be_those_of_the_row) {
  const auto with = [](const char* finding) { return [=](json&, json& entry) { entry["finds"] = finding; }; };
  expect_problem(with("The error falls as h^2, and Euler's is 1.23 times it."), "the number 1.23, which is not in");
  EXPECT_EQ(problems_after(with("The error falls as h^2.013 and Euler's as 1.25, for q_12 too.")).size(), 0U);
  // A number of the note that a run has changed.
  expect_problem([](json& found, json&) { found["note"] = "1.99 with half the mass."; }, "the number 1.98");
  expect_problem([](json&, json& entry) { entry["finds"] = "It is @{Verlet} where it was two before."; },
                 "'@{Verlet}' names no phrase");
}

TEST(RowTextRules, want_no_certificate_in_a_sentence) {
  expect_problem(
      [](json& found, json& entry) {
        found["note"] = "not 0 but 1482211408424540360";
        entry["finds"] = "It is not zero but 1482211408424540360 at a point.";
      },
      "has a certificate: 1482211408424540360");
}

}  // namespace row_text_test
