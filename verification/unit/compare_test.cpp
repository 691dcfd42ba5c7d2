// SPDX-License-Identifier: MIT
#include <livi/report/compare.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

#include "text_of.hpp"

namespace {

using livi::ReportError;
using nlohmann::json;
namespace fs = std::filesystem;
using livi::test::text_of;

livi::Report sample(const std::string& experiment = "sample") {
  livi::Report report(experiment, {"XX00", "Figure 1", "4.1"});
  report.parameter("h", 0.1);
  report.measurement({.name = "loose", .value = 10.0, .unit = "m", .tolerance = {.absolute = 0.5, .relative = 0.01}});
  report.measurement({.name = "strict", .value = 3.0, .unit = "m", .tolerance = {}});
  report.measurement({.name = "order_of_q", .value = 2.0, .unit = "order", .tolerance = {}});
  report.measurement(
      {.name = "defect", .value = 1e-12, .unit = "", .tolerance = {.absolute = 1e-12}, .h_exponent = 5.0});
  report.count("solves", 500);
  report.claim({.id = "XX00.order",
                .source = {"XX00", "Sec. 1"},
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "the method has order two",
                .measured = 2.01,
                .interval = {1.9, 2.1},
                .reason = "the fit scatters by 0.05",
                .controls = {{.name = "first-order method", .measured = 1.02, .interval = {1.9, 2.1}}}});
  report.claim({.id = "XX00.symplectic",
                .source = {"XX00", "Sec. 2"},
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "a step preserves the form",
                .hypothesis = "M is positive definite",
                .how = "residual of the form in 50 digits",
                .measured = 2.5e-50,
                .unit = "length",
                .interval = {0, 1e-45},
                .reason = "50 digits less those of some hundred terms",
                .controls = {{.name = "explicit Euler", .measured = 0.5, .interval = {0, 1e-45}},
                             {.name = "a step of 10",
                              .measured = std::numeric_limits<double>::infinity(),
                              .interval = {0, 1e-45},
                              .note = "it blew up"}},
                .note = "largest at x2 = 0.25, of 40 random states"});
  report.seed("states", 20140825);
  report.series("row", {{"t", "s"}}, {{0.0}, {0.1}});
  report.timing("shake", 0.25);
  return report;
}

/// The sample as JSON, made once: a report asks git for its commit.
const json& sample_report() {
  static const json report = json::parse(sample().json());
  return report;
}

/// The names of the differences after `change` is applied to the report of this run, separated by "; ".
std::string names_after(const std::function<void(json&)>& change) {
  const json& report = sample_report();
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  json now = report;
  change(now);
  std::string names;
  for (const auto& difference : livi::compare_reports(now, baseline).differences) {
    EXPECT_EQ(difference.experiment, "sample");
    names += (names.empty() ? "" : "; ") + difference.name;
  }
  return names;
}

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

TEST(Compare, notes_are_compared_but_for_the_numbers_in_them) {
  const auto change = [](const char* note) { return names_after([&](json& r) { r["claims"][1]["note"] = note; }); };
  EXPECT_EQ(change("largest at x2 = -3.5e-07, of 41 random states"), "");
  EXPECT_EQ(change("largest at x2 = 3, of 41.5 random states"), "");
  for (const char* note : {"largest at x3 = 0.25, of 40 random states", "smallest at x2 = 0.25, of 40 random states",
                           "largest at x2 = 0.25, of no random states", "largest at x2 = 0.25, 3, of 40 random states",
                           "largest at x2 = nan, of 40 random states", ""})
    EXPECT_EQ(change(note), "claim XX00.symplectic (note)") << note;
  EXPECT_EQ(names_after([](json& r) { r["claims"][1].erase("note"); }), "claim XX00.symplectic (note)");
  json report = sample_report();
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  report["claims"][1]["note"] = "largest at x2 = 0.5, of 40 random states";
  EXPECT_EQ(livi::compare_reports(report, baseline).moved, 1U);
}

/// The tolerances of the differences after the note of the second claim is changed from `was` to `now`.
std::string allowed_of_note(const std::string& was, const std::string& now) {
  json report = sample_report();
  report["claims"][1]["note"] = was;
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  report["claims"][1]["note"] = now;
  std::string allowed;
  for (const auto& difference : livi::compare_reports(report, baseline).differences) {
    EXPECT_EQ(difference.name, "claim XX00.symplectic (note)");
    allowed += (allowed.empty() ? "" : "; ") + difference.tolerance;
  }
  return allowed;
}

TEST(Compare, a_certificate_in_a_note_may_have_another_seed_but_not_say_less) {
  const std::string was =
      "Three masses: 66 rational functions of degree <= 73, height <= 30.8 bits vanish at 5 points modulo 61-bit "
      "primes of seed 20140825, p < 1e-74; every pivot that is not zero is taken";
  const auto change = [&](const std::string& what, const std::string& by) {
    std::string now = was;
    now.replace(now.find(what), what.size(), by);
    return allowed_of_note(was, now);
  };
  EXPECT_EQ(change("seed 20140825", "seed 7"), "");
  EXPECT_EQ(change("66 rational", "0 rational"), "as many rational functions");
  EXPECT_EQ(change("66 rational", "67 rational"), "as many rational functions");
  EXPECT_EQ(change("degree <= 73", "degree <= 0"), "the same degree");
  EXPECT_EQ(change("degree <= 73", "degree <= 74"), "the same degree");
  for (const char* height : {"30.7", "30.9"}) EXPECT_EQ(change("30.8", height), "") << height;
  for (const char* height : {"0.0", "30.4", "31.2"}) {
    EXPECT_EQ(change("30.8", height), "the same height to three digits") << height;
  }
  EXPECT_EQ(change("5 points", "4 points"), "no fewer points");
  EXPECT_EQ(change("5 points", "6 points"), "") << "more points say more";
  EXPECT_EQ(change("61-bit", "3-bit"), "primes of as many bits");
  EXPECT_EQ(change("p < 1e-74", "p < 1e-73"), "") << "one power of ten is its rounding";
  EXPECT_EQ(change("p < 1e-74", "p < 1e-72"), "p at most ten times as large");
  EXPECT_EQ(change("p < 1e-74", "p < 1e-1"), "p at most ten times as large");
  EXPECT_EQ(change("p < 1e-74", "p < 1e-90"), "") << "a smaller probability says more";
  EXPECT_EQ(allowed_of_note(was,
                            "Three masses: 0 rational functions of degree <= 0, height <= 0.0 bits vanish at 1 points "
                            "modulo 61-bit primes of seed 7, p < 1e-1; every pivot that is not zero is taken"),
            "as many rational functions, the same degree, the same height to three digits, no fewer points, p at most "
            "ten times as large");
  EXPECT_EQ(allowed_of_note("that is proved (p < 1e-30)", "that is proved (p < 0.5)"), "p at most ten times as large");
}

// "confirmed with limits" is a statement with this limit.
TEST(Compare, a_limit_of_the_battery_may_not_grow) {
  const std::string was = "down to a defect of 2.4e-16, as coefficients in double precision leave; largest on: n = 2";
  const auto now = [](const std::string& limit) {
    return "down to a defect of " + limit + ", as coefficients in double precision leave; largest on: n = 3";
  };
  for (const char* limit : {"1e-16", "2.3e-15"}) EXPECT_EQ(allowed_of_note(was, now(limit)), "") << limit;
  for (const char* limit : {"2.5e-15", "2.4e-1"})
    EXPECT_EQ(allowed_of_note(was, now(limit)), "a defect at most ten times as large") << limit;
}

TEST(Compare, the_second_certificate_of_a_note_is_read_as_the_first) {
  const std::string one =
                        "4 rational functions of degree <= 4, height <= 14.4 bits vanish at 5 points modulo 61-bit "
                        "primes of seed 20140825, p < 1e-82",
                    weak =
                        "4 rational functions of degree <= 4, height <= 14.4 bits vanish at 1 points modulo 61-bit "
                        "primes of seed 20140825, p < 1e-16";
  EXPECT_EQ(allowed_of_note(one + "; no higher: " + one, one + "; no higher: " + weak),
            "no fewer points, p at most ten times as large");
}

TEST(Compare, a_certificate_that_disproves_keeps_its_functions) {
  const std::string was =
      "4 of 8 rational functions do not vanish: no. 0 is 793256269135798312 modulo 2052301348925177657 at m0 = "
      "1817366862551641611, c1 ... seed 20140825";
  EXPECT_EQ(
      allowed_of_note(was,
                      "4 of 8 rational functions do not vanish: no. 0 is 17 modulo 1152921504606846997 at m0 = 5, "
                      "c1 ... seed 7"),
      "");
  const auto change = [&](const std::string& what, const std::string& by) {
    std::string now = was;
    now.replace(now.find(what), what.size(), by);
    return allowed_of_note(was, now);
  };
  EXPECT_EQ(change("4 of", "1 of"), "as many rational functions that do not vanish");
  EXPECT_EQ(change("of 8", "of 4"), "as many rational functions");
  EXPECT_EQ(change("no. 0", "no. 3"), "the same first function that does not vanish");
}

TEST(Compare, the_certificates_of_the_committed_baselines_cannot_be_weakened_unseen) {
  std::size_t certificates = 0;
  for (const fs::path& file : livi::list_reports(fs::path(LIVI_SOURCE_FOLDER) / "results" / "baseline")) {
    const json baseline = livi::read_json(file);
    json now = baseline;
    std::size_t changes = 0;
    const auto weaken = [&](json& of) {
      std::string note = of.value("note", "");
      std::size_t found = 0;
      for (const std::string words : {" points modulo 61-bit primes", " rational functions do not vanish"}) {
        for (std::size_t at = note.find(words); at != std::string::npos; at = note.find(words, at + 1)) {
          note[at - 1] = note[at - 1] == '1' ? '0' : '1';
          ++found;
        }
      }
      certificates += found;
      changes += found > 0 ? 1U : 0U;
      if (found > 0) of["note"] = note;
    };
    for (json& claim : now["claims"]) {
      weaken(claim);
      for (json& control : claim["controls"]) weaken(control);
    }
    EXPECT_EQ(livi::compare_reports(now, baseline).differences.size(), changes) << file;
  }
  EXPECT_GT(certificates, 100U);
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

TEST(Compare, the_table_shows_both_numbers_and_the_tolerance) {
  const auto table = livi::difference_table({{"sample", "loose", "10", "10.7", "0.6 (off by 0.7)"}});
  EXPECT_EQ(table,
            "experiment  name   baseline  now   tolerance\n"
            "sample      loose  10        10.7  0.6 (off by 0.7)\n");
}

TEST(Compare, the_table_shows_which_tolerance_a_report_has_and_had) {
  const json baseline = livi::make_baseline(sample_report(), "first", "2024-01-31");
  json now = sample_report();
  now["measurements"][0]["tolerance"]["relative"] = 0.25;
  const std::string table = livi::difference_table(livi::compare_reports(now, baseline).differences);
  EXPECT_NE(table.find("0.5 + 0.01 |value|"), std::string::npos) << table;
  EXPECT_NE(table.find("0.5 + 0.25 |value|"), std::string::npos) << table;
}

TEST(Compare, the_table_cuts_no_character_of_several_bytes) {
  std::string cut;
  for (int i = 0; i < 60; ++i) cut += "\u00e4";
  // The difference is at an odd byte, and at an even one.
  for (const std::string& begin : {cut, "a" + cut}) {
    const std::string table = livi::difference_table({{"sample", "c", begin + "x" + cut, begin + "y" + cut, "exact"}});
    EXPECT_NO_THROW(static_cast<void>(json(table).dump())) << table;
  }
}

TEST(Compare, the_table_shows_of_long_texts_what_differs) {
  const std::string begin(200, 'a'), end(200, 'z');
  const auto table =
      livi::difference_table({{"sample", "claim c (reason)", begin + " was " + end, begin + " is " + end, "exact"}});
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 160U) << line;
  EXPECT_NE(table.find("aaa was zzz"), std::string::npos) << table;
  EXPECT_NE(table.find("aaa is zzz"), std::string::npos) << table;
}

TEST(Compare, the_explanation_says_claim_by_claim_which_words_went_and_came) {
  const json& report = sample_report();
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  json now = report;
  now["counts"]["solves"] = 501;
  now["claims"][0]["statement"] = "the method never has order three";
  now["claims"][0]["verdict"] = "refuted";
  now["claims"][0]["measured"] = 2.2;
  now["claims"][0]["interval"] = {nullptr, 2.1};
  now["claims"][0]["controls"][0]["measured"] = 1.2;
  now["claims"][1]["reason"] = "50 digits  less those of some hundred terms";
  EXPECT_EQ(livi::explanation(livi::compare_reports(now, baseline).differences),
            "sample\n"
            "  count solves: 500 -> 501\n"
            "  claim XX00.order\n"
            "    verdict: confirmed -> refuted\n"
            "    measured: 2.01 -> 2.2; allowed: the same side of [1.9, 2.1]\n"
            "    interval: [1.9, 2.1] -> at most 2.1\n"
            "    statement\n"
            "      was: the method has order [-two-]\n"
            "      now: the method {+never+} has order {+three+}\n"
            "    control first-order method, measured: 1.02 -> 1.2; allowed: 0.044 (off by 0.18)\n"
            "  claim XX00.symplectic\n"
            "    reason: white space only\n"
            "      was: \"50 digits less those of some hundred terms\"\n"
            "      now: \"50 digits  less those of some hundred terms\"\n");
}

TEST(Compare, the_explanation_marks_each_run_of_words) {
  const auto text = [](const char* was, const char* now) {
    return livi::explanation({{"sample", "claim c (note)", was, now, "its words", "c", "note"}});
  };
  EXPECT_EQ(text("a b c d e f g", "a c e g h i"),
            "sample\n  claim c\n    note\n"
            "      was: a [-b-] c [-d-] e [-f-] g\n"
            "      now: a c e g {+h i+}\n");
  EXPECT_EQ(text("x y a b", "a b c d"),
            "sample\n  claim c\n    note\n"
            "      was: [-x y-] a b\n"
            "      now: a b {+c d+}\n");
  // Three words are read at one glance.
  EXPECT_EQ(text("a b c", "a b c d e"), "sample\n  claim c\n    note: a b c -> a b c d e\n");
}

TEST(Compare, the_explanation_breaks_long_texts_into_lines) {
  std::string was;
  for (int i = 0; i < 200; ++i) was += "word" + std::to_string(i) + " ";
  std::string now = was;
  now.replace(now.find("word150"), 7, "another");
  const std::string text = livi::explanation({{"sample", "claim c (note)", was, now, "its words", "c", "note"}});
  EXPECT_NE(text.find("[-word150-] word151"), std::string::npos) << text;
  EXPECT_NE(text.find("word149 {+another+} word151"), std::string::npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
}

TEST(Compare, the_explanation_tells_what_a_claim_on_one_side_says) {
  const json& report = sample_report();
  json now = report;
  now["claims"].erase(0);
  EXPECT_EQ(
      livi::explanation(livi::compare_reports(now, livi::make_baseline(report, "first", "2024-01-31")).differences),
      "sample\n"
      "  claim XX00.order: present (confirmed: the method has order two) -> missing\n");
}

class CompareFolders : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "livi_compare_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr) << std::strerror(errno);
    folder = pattern;
    results = folder / "results";
    baseline = folder / "baseline";
    sample().write(results);
    livi::accept_baseline(results, baseline, "the first");
  }
  void TearDown() override { fs::remove_all(folder); }

  /// Rewrites the report of this run.
  void change(const std::function<void(json&)>& action) const {
    json report = json::parse(std::ifstream(results / "sample.json"));
    action(report);
    std::ofstream(results / "sample.json") << report.dump();
  }

  /// Exit status and all output of a command.
  static std::pair<int, std::string> run(const std::string& command) {
    FILE* pipe = popen((std::string(LIVI_BINARY_FOLDER) + "/tools/" + command + " 2>&1").c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer{};
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
  }
  std::pair<int, std::string> compare(const std::string& options = "") const {
    return run("livi-compare " + results.string() + " " + baseline.string() + " " + options);
  }

  fs::path folder;
  fs::path results;
  fs::path baseline;
};

TEST_F(CompareFolders, the_command_says_same_different_or_broken) {
  EXPECT_EQ(compare().first, 0) << compare().second;
  change([](json& r) { r["measurements"][0]["value"] = 10.7; });
  const auto [status, output] = compare();
  EXPECT_EQ(status, 1);
  for (const char* part : {"loose", "10", "10.7", "0.6"}) EXPECT_NE(output.find(part), std::string::npos) << output;
  std::ofstream(results / "sample.json") << "{";
  EXPECT_EQ(compare().first, 2);
  EXPECT_NE(compare().second.find((results / "sample.json").string()), std::string::npos);
}

TEST_F(CompareFolders, a_corrupted_baseline_is_named) {
  std::ofstream(baseline / "sample.json") << text_of(results / "sample.json").substr(0, 100);
  const auto [status, output] = compare();
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find((baseline / "sample.json").string() + ": is not JSON"), std::string::npos) << output;
}

TEST_F(CompareFolders, every_corrupted_file_is_named) {
  std::ofstream(baseline / "sample.json") << "";
  std::ofstream(results / "sample.json") << "[1,";
  const auto [status, output] = compare();
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find((baseline / "sample.json").string()), std::string::npos) << output;
  EXPECT_NE(output.find((results / "sample.json").string()), std::string::npos) << output;
}

TEST_F(CompareFolders, a_forged_verdict_is_refused) {
  change([](json& r) { r["claims"][0]["measured"] = 5; });
  const auto [status, output] = compare();
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("/claims/0/verdict"), std::string::npos) << output;
}

TEST_F(CompareFolders, missing_and_new_reports_are_differences) {
  sample("another").write(results);
  EXPECT_EQ(compare().first, 1);
  EXPECT_NE(compare().second.find("another"), std::string::npos);
  EXPECT_NE(compare().second.find("present (2 claims)"), std::string::npos) << compare().second;
  livi::Report single("single", {"XX00", "Figure 2", ""});
  single.claim({.id = "XX00.single",
                .source = {"XX00", "Sec. 3"},
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "one is one",
                .measured = 1,
                .interval = {1, 1},
                .reason = "counted"});
  single.write(results);
  EXPECT_NE(compare().second.find("present (1 claim)"), std::string::npos) << compare().second;
  fs::remove(results / "single.json");
  EXPECT_EQ(compare("--only sample").first, 0);
  fs::remove(results / "another.json");
  fs::remove(results / "sample.json");
  EXPECT_EQ(compare().first, 1);
  EXPECT_EQ(compare("--only sample").first, 1);
}

TEST_F(CompareFolders, comparing_nothing_is_no_success) {
  EXPECT_EQ(compare("--only nobody").first, 2);
  EXPECT_NE(compare("--only nobody").second.find("'nobody'"), std::string::npos);
  fs::create_directory(folder / "empty");
  EXPECT_EQ(run("livi-compare " + (folder / "empty").string() + " " + (folder / "empty").string()).first, 2);
  EXPECT_EQ(run("livi-compare " + (folder / "absent").string() + " " + baseline.string()).first, 2);
  EXPECT_EQ(run("livi-compare").first, 2);
  EXPECT_EQ(compare("--frobnicate").first, 2);
  EXPECT_EQ(run("livi-compare --help").first, 0);
}

TEST_F(CompareFolders, folders_the_wrong_way_round_are_refused) {
  const auto [status, output] = run("livi-compare " + baseline.string() + " " + results.string());
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("is a baseline, not a report"), std::string::npos) << output;
  EXPECT_EQ(run("livi-compare --explain " + baseline.string() + " " + results.string()).first, 2);
  EXPECT_EQ(run("livi-compare " + baseline.string() + " " + baseline.string()).first, 2)
      << "a baseline beside itself is no comparison of a run";
}

TEST_F(CompareFolders, two_baselines_are_explained) {
  fs::copy(baseline, folder / "older");
  EXPECT_EQ(run("livi-compare --explain " + baseline.string() + " " + (folder / "older").string()).first, 0);
  change([](json& r) { r["claims"][0]["statement"] = "the method has order three"; });
  ASSERT_EQ(compare("--accept 'another order'").first, 0);
  const auto [status, output] = run("livi-compare --explain " + baseline.string() + " " + (folder / "older").string());
  EXPECT_EQ(status, 1);
  EXPECT_NE(output.find("order [-two-]"), std::string::npos) << output;
  EXPECT_NE(output.find("order {+three+}"), std::string::npos) << output;
}

TEST_F(CompareFolders, explain_replaces_the_table) {
  change([](json& r) { r["claims"][0]["reason"] = "the fit scatters by 0.06"; });
  const auto [status, output] = compare("--explain");
  EXPECT_EQ(status, 1);
  EXPECT_NE(output.find("  claim XX00.order\n    reason\n"), std::string::npos) << output;
  EXPECT_NE(output.find("1 difference\n"), std::string::npos) << output;
  change([](json& r) {
    r["claims"][0]["reason"] = "the fit scatters by 0.05";
    r["claims"][0]["measured"] = 2.011;
  });
  EXPECT_EQ(compare("--explain").first, 0);
  EXPECT_NE(compare().second.find(": no difference; 1 number moved within tolerance"), std::string::npos)
      << compare().second;
}

TEST_F(CompareFolders, accepting_prints_what_changed_before_it_is_written) {
  change([](json& r) { r["claims"][0]["statement"] = "the method has order three"; });
  const auto [status, output] = compare("--accept 'another order'");
  EXPECT_EQ(status, 0) << output;
  EXPECT_LT(output.find("order {+three+}"), output.find("replaced ")) << output;
  change([](json& r) { r["claims"][0]["statement"] = "the method has order four"; });
  fs::permissions(baseline / "sample.json", fs::perms{0444});
  const auto [refused, words] = compare("--accept ' '");
  EXPECT_EQ(refused, 2);
  EXPECT_NE(words.find("order {+four+}"), std::string::npos) << "said even where nothing is written: " << words;
}

TEST_F(CompareFolders, a_baseline_without_seeds_is_replaced) {
  json old = json::parse(text_of(baseline / "sample.json"));
  old["provenance"].erase("seeds");
  std::ofstream(baseline / "sample.json") << old.dump(2);
  const auto [status, output] = compare();
  EXPECT_EQ(status, 1);
  EXPECT_NE(output.find("seeds"), std::string::npos) << output;
  EXPECT_NE(compare("--accept 'with its seeds'").second.find("replaced "), std::string::npos);
  EXPECT_EQ(compare().first, 0);
}

TEST_F(CompareFolders, a_baseline_keeps_its_reason_and_a_short_provenance) {
  const json kept = livi::read_report(baseline / "sample.json");
  EXPECT_EQ(kept["baseline"]["reason"], "the first");
  EXPECT_EQ(kept["baseline"]["date"].get<std::string>().size(), 10U);
  for (const char* key : {"timing", "series", "figures"}) EXPECT_FALSE(kept.contains(key)) << key;
  EXPECT_EQ(kept["provenance"].size(), 5U);
  EXPECT_EQ(kept["provenance"]["seeds"], json({{"states", 20140825}}));
}

TEST_F(CompareFolders, accepting_replaces_what_changed_and_nothing_else) {
  sample("another").write(results);
  change([](json& r) { r["counts"]["solves"] = 501; });
  EXPECT_EQ(compare("--only another --accept 'a second experiment'").first, 0);
  EXPECT_EQ(json::parse(text_of(baseline / "sample.json"))["counts"]["solves"], 500);
  const std::string another = text_of(baseline / "another.json");
  const auto [status, output] = compare("--accept 'one solve more at the start'");
  EXPECT_EQ(status, 0) << output;
  EXPECT_EQ(json::parse(text_of(baseline / "sample.json"))["counts"]["solves"], 501);
  EXPECT_EQ(json::parse(text_of(baseline / "sample.json"))["baseline"]["reason"], "one solve more at the start");
  EXPECT_EQ(text_of(baseline / "another.json"), another) << "an unchanged baseline keeps its reason";
  EXPECT_EQ(compare().first, 0);
  fs::remove(results / "another.json");
  EXPECT_EQ(compare("--accept 'the second experiment is gone'").first, 0);
  EXPECT_FALSE(fs::exists(baseline / "another.json"));
}

TEST_F(CompareFolders, no_reason_no_new_baseline) {
  const std::string before = text_of(baseline / "sample.json");
  change([](json& r) { r["counts"]["solves"] = 501; });
  for (const char* reason : {"''", "' '"}) EXPECT_EQ(compare(std::string("--accept ") + reason).first, 2) << reason;
  EXPECT_EQ(compare("--accept").first, 2);
  EXPECT_EQ(text_of(baseline / "sample.json"), before);
}

TEST_F(CompareFolders, a_broken_control_cannot_be_accepted) {
  const std::string before = text_of(baseline / "sample.json");
  change([](json& r) {
    r["claims"][0]["controls"][0]["measured"] = 2.0;
    r["claims"][0]["controls"][0]["failed"] = false;
    r["claims"][0]["verdict"] = "broken-control";
  });
  EXPECT_EQ(compare().first, 1);
  const auto [status, output] = compare("--accept 'it is only a control'");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("XX00.order"), std::string::npos) << output;
  EXPECT_EQ(text_of(baseline / "sample.json"), before);
}

TEST_F(CompareFolders, an_undecided_claim_cannot_be_accepted) {
  const std::string before = text_of(baseline / "sample.json");
  change([](json& r) {
    r["claims"][0]["verdict"] = "undecided";
    r["claims"][0]["measured"] = nullptr;
    r["claims"][0]["note"] = "the run ended early";
  });
  EXPECT_EQ(compare().first, 1);
  const auto [status, output] = compare("--accept 'it will do'");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("claim 'XX00.order' is undecided"), std::string::npos) << output;
  EXPECT_EQ(text_of(baseline / "sample.json"), before);
}

TEST_F(CompareFolders, validate_names_the_file_and_the_place) {
  const std::string report = (results / "sample.json").string();
  const std::string registry = std::string(LIVI_SOURCE_FOLDER) + "/reference/claims/TO14.json";
  const auto [good, listed] =
      run("livi-validate " + report + " " + (baseline / "sample.json").string() + " " + registry);
  EXPECT_EQ(good, 0) << listed;
  EXPECT_NE(listed.find(report + ": valid report"), std::string::npos) << listed;
  change([](json& r) { r["counts"]["solves"] = "many"; });
  const auto [bad, output] = run("livi-validate " + report + " " + registry);
  EXPECT_EQ(bad, 2);
  EXPECT_NE(output.find(report + ": /counts/solves: "), std::string::npos) << output;
  EXPECT_EQ(output.find(report + ": valid"), std::string::npos) << output;
  EXPECT_NE(output.find(registry + ": valid registry"), std::string::npos)
      << "the other files are checked, too: " << output;
}

TEST_F(CompareFolders, validate_looks_at_the_series_beside_a_report) {
  std::ofstream(results / "sample.row.csv") << "t\n0\n";
  EXPECT_EQ(run("livi-validate " + (results / "sample.json").string()).first, 2);
  EXPECT_EQ(run("livi-validate").first, 2);
  EXPECT_EQ(run("livi-validate " + (folder / "absent.json").string()).first, 2);
}

TEST_F(CompareFolders, commands_work_from_any_folder) {
  const auto [status, output] = [&] {
    const fs::path here = fs::current_path();
    fs::current_path("/");
    auto result = compare();
    fs::current_path(here);
    return result;
  }();
  EXPECT_EQ(status, 0) << output;
}

}  // namespace
