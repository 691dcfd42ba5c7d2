// SPDX-License-Identifier: MIT
//
// Notes of claims: their words are compared, of the numbers in them those of certificates and limits.
#include <gtest/gtest.h>

#include <livi/report/compare.hpp>
#include <livi/report/schemas.hpp>
#include <nlohmann/json.hpp>

#include "verification/support/report_sample.hpp"

namespace compare_notes_test {

using namespace livi::test;
using nlohmann::json;

namespace fs = std::filesystem;

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

}  // namespace compare_notes_test
