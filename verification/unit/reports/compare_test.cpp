// SPDX-License-Identifier: MIT
//
// What is a difference between a report and its baseline, and what is not.
#include <gtest/gtest.h>

#include <functional>
#include <livi/report/compare.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>
#include <nlohmann/json.hpp>

#include "verification/support/report_sample.hpp"

namespace compare_test {

using namespace livi::test;
using nlohmann::json;

namespace fs = std::filesystem;

TEST(Compare, a_report_is_equal_to_its_baseline) {
  EXPECT_EQ(names_after([](json&) {}), "");
}

TEST(Compare, provenance_timing_and_series_are_free) {
  EXPECT_EQ(names_after([](json& r) {
              r["provenance"]["cpu"] = "another";
              r["timing"]["shake"] = 1000;
              r["series"][0]["rows"] = 1;
            }),
            "");
}

// A motion that is chaotic parts from that of another processor with the first rounding.
TEST(Compare, numbers_of_other_vector_instructions_are_another_sample) {
  const auto names = [](const std::function<void(json&)>& change, bool is_named = true) {
    return names_after([&](json& r) {
      r["provenance"]["cpu"] = "another";
      if (is_named) r["provenance"]["vector_instructions"] = "wide";
      change(r);
    });
  };
  const auto with_value = [](double value, double tolerance) {
    return [=](json& r) {
      r["measurements"][0]["value"] = value;
      r["measurements"][0]["tolerance"]["absolute"] = tolerance;
    };
  };
  // 0.5 + 0.01 * 10 is tolerated of one sample.
  EXPECT_EQ(names(with_value(11.19, 1)), "");
  EXPECT_EQ(names(with_value(11.21, 1)), "loose");
  EXPECT_EQ(names(with_value(8.79, 1)), "loose");
  EXPECT_EQ(names(with_value(20, 100)), "loose (tolerance); loose");
  EXPECT_EQ(names(with_value(10, 0.01)), "loose (tolerance)");
  // Nothing is free where no instructions are named, or where they and the processor are those of the baseline.
  EXPECT_EQ(names(with_value(10, 1), false), "loose (tolerance)");
  EXPECT_EQ(names_after([&](json& r) {
              r["provenance"]["vector_instructions"] = "wide";
              with_value(10, 1)(r);
            }),
            "loose (tolerance)");
  // Statements and verdicts are not free, nor is the side of an interval.
  EXPECT_EQ(names([](json& r) { r["claims"][0]["statement"] = "another"; }), "claim XX00.order (statement)");
  EXPECT_EQ(names([](json& r) { r["claims"][0]["verdict"] = "refuted"; }), "claim XX00.order (verdict)");
  EXPECT_EQ(names([](json& r) { r["claims"][0]["measured"] = 2.09; }), "");
  EXPECT_EQ(names([](json& r) { r["claims"][0]["measured"] = 2.11; }), "claim XX00.order (measured)");
  EXPECT_EQ(names([](json& r) { r["claims"][0]["note"] = "four errors"; }), "");
}

TEST(Compare, numbers_move_within_their_tolerance_on_both_sides) {
  // 0.5 + 0.01 * 10 = 0.6 is allowed.
  for (const double inside : {9.41, 10.59})
    EXPECT_EQ(names_after([&](json& r) { r["measurements"][0]["value"] = inside; }), "");
  for (const double outside : {9.39, 10.61}) {
    EXPECT_EQ(names_after([&](json& r) { r["measurements"][0]["value"] = outside; }), "loose");
  }
}

TEST(Compare, a_tolerance_of_zero_asks_for_the_same_bits) {
  EXPECT_EQ(names_after([](json& r) { r["measurements"][1]["value"] = 3.0000000000000004; }), "strict");
}

TEST(Compare, a_report_cannot_loosen_its_own_tolerance) {
  EXPECT_EQ(names_after([](json& r) {
              r["measurements"][0]["tolerance"]["absolute"] = 100;
              r["measurements"][0]["value"] = 20;
            }),
            "loose (tolerance); loose");
}

TEST(Compare, orders_are_held_within_a_twentieth) {
  EXPECT_EQ(names_after([](json& r) { r["measurements"][2]["value"] = 2.04; }), "");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][2]["value"] = 2.06; }), "order_of_q");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][2]["value"] = 1.94; }), "order_of_q");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][3]["h_exponent"] = 5.04; }), "");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][3]["h_exponent"] = 5.06; }), "defect (h exponent)");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][3].erase("h_exponent"); }), "defect (h exponent)");
}

// The first relative tolerance allows 60 of a baseline of 100, but 80 of a value of 160.
TEST(Compare, tolerances_are_relative_to_the_baseline) {
  json report = sample_report();
  report["measurements"][0]["value"] = 100.0;
  report["measurements"][0]["tolerance"] = {{"absolute", 10.0}, {"relative", 0.5}};
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  const auto found = [&](double value) {
    json now = report;
    now["measurements"][0]["value"] = value;
    return livi::compare_reports(now, baseline).differences.size();
  };
  EXPECT_EQ(found(159.9), 0U);
  EXPECT_EQ(found(160.1), 1U) << "relative to the new value, 10 + 0.5 * 160.1 = 90 would be allowed";
  EXPECT_EQ(found(40.1), 0U) << "relative to the new value, only 10 + 0.5 * 40.1 = 30 would be allowed";
  EXPECT_EQ(found(39.9), 1U);
}

TEST(Compare, counts_parameters_and_seeds_are_exact) {
  EXPECT_EQ(names_after([](json& r) { r["counts"]["solves"] = 501; }), "count solves");
  EXPECT_EQ(names_after([](json& r) { r["parameters"]["h"] = 0.05; }), "parameter h");
  EXPECT_EQ(names_after([](json& r) { r["provenance"]["seeds"]["states"] = 20140826; }), "seed states");
  EXPECT_EQ(names_after([](json& r) { r["provenance"]["seeds"].erase("states"); }), "seed states");
  EXPECT_EQ(names_after([](json& r) { r["provenance"]["seeds"]["more"] = 1; }), "seed more");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][0]["unit"] = "mm"; }), "loose (unit)");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][0]["noise_floor"] = 1; }), "loose (noise floor)");
  EXPECT_EQ(names_after([](json& r) { r["source"]["item"] = "Figure 2"; }), "source item");
}

TEST(Compare, a_baseline_without_seeds_is_different_from_a_report_even_without_any) {
  json report = sample_report();
  report["provenance"]["seeds"] = json::object();
  json baseline = livi::make_baseline(report, "first", "2024-01-31");
  EXPECT_TRUE(livi::compare_reports(report, baseline).differences.empty());
  baseline["provenance"].erase("seeds");
  EXPECT_NO_THROW(livi::check_report(baseline, "sample.json"));
  const auto differences = livi::compare_reports(report, baseline).differences;
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].name, "seeds");
  EXPECT_EQ(differences[0].baseline, "missing");
}

TEST(Compare, each_part_of_a_claim_is_exact) {
  const std::string first = "claim XX00.order";
  const auto change = [](const char* key, const json& value) {
    return names_after([&](json& r) { r["claims"][0][key] = value; });
  };
  EXPECT_EQ(change("verdict", "refuted"), first + " (verdict)");
  EXPECT_EQ(change("evidence", "argued"), first + " (evidence)");
  EXPECT_EQ(change("statement", "the method has not order two"), first + " (statement)");
  EXPECT_EQ(change("reason", "because"), first + " (reason)");
  EXPECT_EQ(change("hypothesis", "h < 1"), first + " (hypothesis)") << "it had none";
  EXPECT_EQ(change("how", "by eye"), first + " (how)") << "it said nothing";
  EXPECT_EQ(change("unit", "m"), first + " (unit)");
  EXPECT_EQ(change("interval", {1.9, 2.2}), first + " (interval)");
  EXPECT_EQ(change("interval", {nullptr, 2.1}), first + " (interval)");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["source"]["place"] = "Sec. 9"; }), first + " (place)");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["source"]["document"] = "YY00"; }), first + " (document)");
  for (const char* key : {"hypothesis", "how"})
    EXPECT_EQ(names_after([&](json& r) { r["claims"][1].erase(key); }),
              std::string("claim XX00.symplectic (") + key + ")");
}

TEST(Compare, each_part_of_a_control_is_compared) {
  const auto change = [](std::size_t control, const char* key, const json& value) {
    return names_after([&](json& r) { r["claims"][1]["controls"][control][key] = value; });
  };
  const std::string euler = "claim XX00.symplectic (control explicit Euler, ";
  const std::string blown_up = "claim XX00.symplectic (control a step of 10, ";
  EXPECT_EQ(change(0, "measured", 0.6), euler + "measured)");
  EXPECT_EQ(change(0, "measured", nullptr), euler + "measured)");
  EXPECT_EQ(change(0, "interval", {0, 1e-44}), euler + "interval)");
  EXPECT_EQ(change(0, "interval", {nullptr, 1e-45}), euler + "interval)");
  EXPECT_EQ(change(0, "failed", false), euler + "failed)");
  EXPECT_EQ(change(0, "lost", true), euler + "lost)");
  EXPECT_EQ(change(0, "note", "as it must"), euler + "note)");
  EXPECT_EQ(change(1, "measured", 3.0), blown_up + "measured)") << "it had no number";
  EXPECT_EQ(change(1, "note", "it was not run"), blown_up + "note)");
  EXPECT_EQ(names_after([](json& r) { r["claims"][1]["controls"][1].erase("lost"); }), blown_up + "lost)");
}

/// The interval of a claim, its number in the baseline, and numbers that are the same to the comparison or are not.
struct Margin {
  json interval;
  double was;
  std::vector<double> same;
  std::vector<double> different;
};

TEST(Compare, the_numbers_of_claims_and_controls_move_by_a_twentieth_of_their_margin) {
  const json open;
  const std::vector<Margin> margins{
      // Between two ends: the nearest is 0.09 away.
      {{1.9, 2.1}, 2.01, {2.0144, 2.0056}, {2.0146, 2.0054, 2.11, 1.8}},
      // On an end, and where the interval is one number: not at all.
      {{0.5, 1.0}, 1.0, {}, {0.9999999}},
      {{0.0, 0.0}, 0.0, {}, {1e-300, -1e-300}},
      // Outside the interval of one number: by a twentieth of the way to it.
      {{15.0, 15.0}, 13.0, {13.09}, {13.11, 12.89, 15.0, 17.0}},
      // A magnitude far below its bound; zero is no end of its interval, but a negative number is another matter.
      {{0.0, 1e-45}, 2.5e-50, {0.0, 4.9e-47}, {6e-47, 1e-44, -1e-50}},
      {{0.0, 1.0}, 0.99, {0.9904}, {0.9906, 0.98}},
      // Below its bound by many powers of ten, which is refuted.
      {{1e-20, open}, 8e-51, {1e-48, 4.9e-22}, {6e-22, 1e-19}},
      // One-sided bounds, and an interval over many powers of ten: relatively.
      {{4.0, open}, 1385.0, {1450, 1320}, {1460, 1310}},
      {{open, 1e-14}, -0.065, {-0.0681, -0.0618}, {-0.0684, -0.0616, 0.1}},
      {{1e-6, 1e6}, 1.6e-5, {1.67e-5}, {1.7e-5, 1.0}},
      {{open, open}, 8.0, {8.3}, {8.5, 7.5}},
  };
  for (const Margin& margin : margins) {
    json report = sample_report();
    const auto set = [&](json& of, double number) {
      of["claims"][0]["measured"] = number;
      of["claims"][0]["controls"][0]["measured"] = number;
    };
    report["claims"][0]["interval"] = margin.interval;
    report["claims"][0]["controls"][0]["interval"] = margin.interval;
    set(report, margin.was);
    const json baseline = livi::make_baseline(report, "first", "2024-01-31");
    const auto found = [&](double number) {
      json now = report;
      set(now, number);
      return livi::compare_reports(now, baseline);
    };
    for (const double number : margin.same) {
      EXPECT_EQ(found(number).differences.size(), 0U) << margin.interval << " " << margin.was << " " << number;
      EXPECT_EQ(found(number).moved, 2U);
    }
    for (const double number : margin.different)
      EXPECT_EQ(found(number).differences.size(), 2U) << margin.interval << " " << margin.was << " " << number;
    EXPECT_EQ(found(margin.was).moved, 0U);
  }
}

TEST(Compare, no_number_equals_no_number_only) {
  json report = sample_report();
  report["claims"][0]["measured"] = nullptr;
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  EXPECT_TRUE(livi::compare_reports(report, baseline).differences.empty());
  report["claims"][0]["measured"] = 2.0;
  ASSERT_EQ(livi::compare_reports(report, baseline).differences.size(), 1U);
  EXPECT_EQ(livi::compare_reports(report, baseline).differences[0].baseline, "no number");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["measured"] = nullptr; }), "claim XX00.order (measured)");
}

/// Every claim turned into another one: what is changed is seen, each by itself.
TEST(Compare, a_claim_cannot_become_its_opposite_or_empty_unseen) {
  const auto replaced = [](json& number) { number = number.is_null() ? json(1.0) : json(-3.0 * number.get<double>()); };
  const std::vector<std::pair<std::string, std::function<void(json & report)>>> changes{
      {"statement",
       [](json& r) {
         for (json& c : r["claims"]) c["statement"] = "It is false that " + c["statement"].get<std::string>();
       }},
      {"interval",
       [](json& r) {
         for (json& c : r["claims"]) c["interval"] = {-1e300, 1e300};
       }},
      {"measured",
       [&](json& r) {
         for (json& c : r["claims"]) replaced(c["measured"]);
       }},
      {"reason",
       [](json& r) {
         for (json& c : r["claims"]) c["reason"] = "because";
       }},
      {"hypothesis",
       [](json& r) {
         for (json& c : r["claims"]) c["hypothesis"] = "none";
       }},
      {"measured)",
       [&](json& r) {
         for (json& c : r["claims"])
           for (json& control : c["controls"]) replaced(control["measured"]);
       }},
      {"interval)",
       [](json& r) {
         for (json& c : r["claims"])
           for (json& control : c["controls"]) control["interval"] = {-1e300, 1e300};
       }},
      {"tolerance",
       [](json& r) {
         for (json& m : r["measurements"]) m["tolerance"]["absolute"] = 1e9;
       }},
  };
  const json& report = sample_report();
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  const auto things = [&](const std::string& what) {
    if (what == "tolerance") return report["measurements"].size();
    if (!what.ends_with(')')) return report["claims"].size();
    std::size_t controls = 0;
    for (const json& claim : report["claims"]) controls += claim["controls"].size();
    return controls;
  };
  for (const auto& [what, change] : changes) {
    json now = report;
    change(now);
    const auto found = livi::compare_reports(now, baseline).differences;
    EXPECT_EQ(found.size(), things(what)) << what;
    for (const auto& difference : found) EXPECT_NE(difference.name.find(what), std::string::npos) << difference.name;
  }
}

// The committed baselines themselves: each claim is changed in each way, and each change is seen in each claim.
TEST(Compare, no_claim_of_the_committed_baselines_can_be_turned_unseen) {
  std::size_t claims = 0;
  for (const fs::path& file : livi::list_reports(fs::path(LIVI_SOURCE_FOLDER) / "results" / "baseline")) {
    const json baseline = livi::read_json(file);
    EXPECT_TRUE(livi::compare_reports(baseline, baseline).differences.empty()) << file;
    json now = baseline;
    std::size_t changes = 0;
    for (json& claim : now["claims"]) {
      claim["statement"] = "It is false that " + claim["statement"].get<std::string>();
      claim["interval"] = {-1e300, 1e300};
      claim["reason"] = "because";
      claim["hypothesis"] = "none";
      // Beyond any margin.
      claim["measured"] = claim["measured"].is_null() ? 1.0 : -1e280;
      changes += 5;
      for (json& control : claim["controls"]) {
        control["interval"] = {-1e300, 1e300};
        control["measured"] = control["measured"].is_null() ? 1.0 : -1e280;
        changes += 2;
      }
      ++claims;
    }
    for (json& measurement : now["measurements"]) {
      measurement["tolerance"]["absolute"] = 1e9;
      ++changes;
    }
    EXPECT_EQ(livi::compare_reports(now, baseline).differences.size(), changes) << file;
  }
  EXPECT_GT(claims, 300U);
}

TEST(Compare, names_on_one_side_only_are_differences) {
  EXPECT_EQ(names_after([](json& r) { r["measurements"].erase(0); }), "loose");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][0]["name"] = "other"; }), "loose; other");
  EXPECT_EQ(names_after([](json& r) { r["claims"].erase(0); }), "claim XX00.order");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["id"] = "XX00.other"; }), "claim XX00.order; claim XX00.other");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["controls"] = json::array(); }),
            "claim XX00.order (control first-order method)");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["controls"][0]["name"] = "other"; }),
            "claim XX00.order (control first-order method); claim XX00.order (control other)");
  EXPECT_EQ(names_after([](json& r) { r["counts"]["more"] = 1; }), "count more");
  EXPECT_EQ(names_after([](json& r) { r["counts"].erase("solves"); }), "count solves");
  EXPECT_EQ(names_after([](json& r) { r["parameters"]["more"] = 1; }), "parameter more");
}

}  // namespace compare_test
