// SPDX-License-Identifier: MIT
#include <livi/report/registry.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>

namespace registry_test {

using nlohmann::json;

const std::filesystem::path kRegistries = std::filesystem::path(LIVI_SOURCE_FOLDER) / "reference" / "claims";
constexpr const char* kDocuments[] = {"TO14", "BOS09", "CS101", "BO07"};

std::string error_after(const std::function<void(json&)>& change) {
  json registry = livi::read_registry(kRegistries / "TO14.json");
  change(registry);
  try {
    livi::check_registry(registry, "TO14.json");
  } catch (const livi::ReportError& error) {
    return error.what();
  }
  return "";
}

/// The place of a claim of that origin.
std::size_t first_of(const std::string& origin) {
  const json claims = livi::read_registry(kRegistries / "TO14.json").at("claims");
  std::size_t i = 0;
  while (claims.at(i).at("origin") != origin) ++i;
  return i;
}

TEST(Registry, is_valid) {
  const json claims = livi::registered_claims(kRegistries);
  std::size_t of_documents = 0;
  for (const char* document : kDocuments)
    of_documents += livi::read_registry(kRegistries / (std::string(document) + ".json")).at("claims").size();
  EXPECT_EQ(claims.size(), of_documents);
}

TEST(Registry, holds_the_claims_of_figure_1) {
  std::size_t figure_1 = 0;
  for (const json& claim : livi::registered_claims(kRegistries)) {
    figure_1 += claim["experiment"] == "fig01_double_pendulum" ? 1U : 0U;
  }
  EXPECT_GE(figure_1, 10U);
}

TEST(Registry, has_a_claim_for_every_headline) {
  for (const char* document : kDocuments) {
    const json registry = livi::read_registry(kRegistries / (std::string(document) + ".json"));
    std::set<std::string> answered;
    for (const json& claim : registry.at("claims")) answered.insert(claim.at("headline"));
    for (const json& headline : registry.at("headlines"))
      EXPECT_TRUE(answered.contains(headline.at("key"))) << headline.at("key");
  }
}

TEST(Registry, refuses_an_id_or_a_headline_that_occurs_twice) {
  EXPECT_NE(error_after([](json& r) { r["claims"][1]["id"] = r["claims"][0]["id"]; }).find("/claims/1/id"),
            std::string::npos);
  EXPECT_NE(error_after([](json& r) { r["headlines"][1]["key"] = r["headlines"][0]["key"]; }).find("/headlines/1/key"),
            std::string::npos);
}

TEST(Registry, refuses_an_id_of_another_document) {
  EXPECT_NE(error_after([](json& r) { r["document"] = "BO07"; }).find("/claims/0/id"), std::string::npos);
}

TEST(Registry, refuses_a_claim_without_a_headline_of_its_document) {
  EXPECT_NE(error_after([](json& r) { r["claims"][4]["headline"] = "lie-verlet"; }).find("/claims/4/headline"),
            std::string::npos);
}

TEST(Registry, wants_an_anchor_of_three_to_six_words_or_a_formula_for_what_is_not_ours) {
  const std::size_t said = first_of("statement"), ours = first_of("ours");
  const std::string at_said = "/claims/" + std::to_string(said), at_ours = "/claims/" + std::to_string(ours);
  EXPECT_NE(error_after([&](json& r) { r["claims"][said].erase("anchor"); }).find(at_said + ": has no anchor"),
            std::string::npos);
  EXPECT_NE(error_after([&](json& r) {
              r["claims"][said]["anchor"] = "one two three four five six seven";
            }).find(at_said + "/anchor: has 7 words"),
            std::string::npos);
  for (const auto& anchor : {std::pair("one two", false), {"one two three", true}, {"\\frac{1}{2}", true}})
    EXPECT_EQ(error_after([&](json& r) { r["claims"][said]["anchor"] = anchor.first; }).empty(), anchor.second)
        << anchor.first;
  EXPECT_NE(error_after([&](json& r) { r["claims"][ours]["anchor"] = "said"; }).find(at_ours + ": has an anchor"),
            std::string::npos);
}

TEST(Registry, wants_what_is_right_beside_what_is_printed_of_a_misprint_and_of_nothing_else) {
  const json claims = livi::read_registry(kRegistries / "TO14.json").at("claims");
  const auto misprint = static_cast<std::size_t>(std::distance(
      claims.begin(),
      std::find_if(claims.begin(), claims.end(), [](const json& c) { return c.at("verdict") == "misprint"; })));
  ASSERT_LT(misprint, claims.size());
  const std::size_t other = first_of("ours");
  for (const char* key : {"printed", "right"}) {
    const auto at = [&](std::size_t i) { return "/claims/" + std::to_string(i) + "/" + key; };
    EXPECT_NE(error_after([&](json& r) { r["claims"][misprint].erase(key); }).find(at(misprint)), std::string::npos);
    EXPECT_NE(error_after([&](json& r) { r["claims"][other][key] = "x^2"; }).find(at(other)), std::string::npos);
  }
}

TEST(Registry, wants_a_result_for_what_is_ours_and_for_nothing_else) {
  const std::size_t said = first_of("statement"), ours = first_of("ours");
  const auto error = [&](std::size_t i, const char* verdict) {
    return error_after([&](json& r) { r["claims"][i]["verdict"] = verdict; });
  };
  EXPECT_NE(error(said, "result").find("/claims/" + std::to_string(said) + "/verdict"), std::string::npos);
  EXPECT_NE(error(ours, "confirmed").find("/claims/" + std::to_string(ours) + "/verdict"), std::string::npos);
}

TEST(Registry, wants_a_claim_that_interprets_its_document_to_be_a_reading) {
  const std::size_t said = first_of("statement");
  const std::string at = "/claims/" + std::to_string(said) + "/origin: ";
  for (const char* words : {"Damped is read as decaying", "Taken literally", "(12) is lost in the text at hand",
                            "S, which the document does not define", "the slide does not say"}) {
    const auto with_words = [&](json& r) { r["claims"][said]["hypothesis"] = words; };
    EXPECT_NE(error_after(with_words).find(at), std::string::npos) << words;
    EXPECT_EQ(error_after([&](json& r) {
                with_words(r);
                r["claims"][said]["origin"] = "reading";
                r["claims"][said]["verdict"] = "confirmed-with-limits";
                r["claims"][said]["limits"] = "for this reading";
              }),
              "")
        << words;
  }
  EXPECT_NE(error_after([&](json& r) {
              r["phrases"]["lost"] = "Formulas are lost in the text at hand.";
              r["claims"][said]["hypothesis"] = "@{lost} M = I";
            }).find(at),
            std::string::npos)
      << "a phrase";
}

TEST(Registry, wants_a_reading_to_hold_within_limits_or_to_be_open) {
  const std::size_t reading = first_of("reading");
  for (const char* verdict : {"confirmed", "refuted", "misprint"})
    EXPECT_NE(error_after([&](json& r) {
                r["claims"][reading]["verdict"] = verdict;
                r["claims"][reading].erase("limits");
              }).find("a reading holds within limits or decides nothing"),
              std::string::npos)
        << verdict;
  for (const char* verdict : {"undecided", "not-testable"})
    EXPECT_EQ(error_after([&](json& r) { r["claims"][reading]["verdict"] = verdict; }), "") << verdict;
}

TEST(Registry, wants_the_places_that_say_the_same_to_have_anchors) {
  const std::size_t said = first_of("statement"), ours = first_of("ours");
  const auto error = [&](std::size_t i, const json& also) {
    return error_after([&](json& r) { r["claims"][i]["also"] = also; });
  };
  EXPECT_EQ(error(said, {{{"place", "Remark 2.2"}, {"anchor", "one two three"}}}), "");
  EXPECT_NE(error(said, {{{"place", "Remark 2.2"}}}).find("/also"), std::string::npos);
  EXPECT_NE(error(said, {{{"place", "Remark 2.2"}, {"anchor", "one two"}}}).find("/also/0/anchor"), std::string::npos);
  EXPECT_NE(error(ours, {{{"place", "Remark 2.2"}, {"anchor", "one two three"}}}).find("/also"), std::string::npos);
}

TEST(Registry, wants_anchors_of_what_reading_shows_to_be_wrong) {
  const json entry{{"place", "Sec. 9"}, {"anchor", "one two three"}, {"printed", "a"}, {"right", "b"}, {"why", "c"}};
  EXPECT_EQ(error_after([&](json& r) { r["errata"] = {entry}; }), "");
  for (const auto& [key, value] : entry.items()) {
    json without = entry;
    without.erase(key);
    EXPECT_NE(error_after([&](json& r) { r["errata"] = {without}; }).find("/errata/0"), std::string::npos) << key;
  }
  json short_anchor = entry;
  short_anchor["anchor"] = "one";
  EXPECT_NE(error_after([&](json& r) { r["errata"] = {short_anchor}; }).find("/errata/0/anchor"), std::string::npos);
}

TEST(Registry, wants_a_condition_of_eight_words_only_where_a_deciding_claim_has_a_limit) {
  const json registry = livi::read_registry(kRegistries / "TO14.json");
  std::map<std::string, std::string> verdict_of;
  for (const json& claim : registry.at("claims")) verdict_of[claim.at("id")] = claim.at("verdict");
  // The place of a headline one of whose deciding claims, or all, have that verdict.
  const auto first_with = [&](const std::string& verdict, bool all) {
    const json& headlines = registry.at("headlines");
    return static_cast<std::size_t>(std::find_if(headlines.begin(), headlines.end(),
                                                 [&](const json& headline) {
                                                   std::size_t count = 0;
                                                   for (const json& id : headline.at("deciding"))
                                                     count += verdict_of.at(id) == verdict ? 1U : 0U;
                                                   return all ? count == headline.at("deciding").size() : count > 0;
                                                 }) -
                                    headlines.begin());
  };
  const auto error = [&](std::size_t i, const char* only_if) {
    return error_after([&](json& r) { r["headlines"].at(i)["only_if"] = only_if; });
  };
  const std::size_t confirmed = first_with("confirmed", true);
  const auto error_of_limited = [&](const char* only_if) {
    return error_after([&](json& r) {
      json& headline = r["headlines"].at(confirmed);
      headline["only_if"] = only_if;
      for (json& claim : r["claims"])
        if (claim["id"] == headline["deciding"][0])
          claim.update({{"verdict", "confirmed-with-limits"}, {"limits", "For small steps"}});
    });
  };
  EXPECT_EQ(error_of_limited("one two three four five six seven eight"), "");
  EXPECT_NE(error_of_limited("one two three four five six seven eight nine").find("has 9 words"), std::string::npos);
  EXPECT_NE(error(confirmed, "it rains").find("no deciding claim has a limit"), std::string::npos);
  for (const char* verdict : {"refuted", "undecided"})
    EXPECT_NE(error(first_with(verdict, false), "it rains").find("a deciding claim is '" + std::string(verdict)),
              std::string::npos)
        << verdict;
}

TEST(Registry, puts_phrases_in_their_places) {
  const json phrases{{"rounding", "rounding of 50 digits"}};
  EXPECT_EQ(livi::with_phrases("@{rounding}, no more; {q}", phrases, "XX00.a"), "rounding of 50 digits, no more; {q}");
  EXPECT_EQ(livi::with_phrases("twice: @{rounding}@{rounding}", phrases, "XX00.a"),
            "twice: rounding of 50 digitsrounding of 50 digits");
  for (const char* wrong : {"@{round}", "@{rounding", "@{}"}) {
    EXPECT_THROW(livi::with_phrases(wrong, phrases, "XX00.a"), livi::ReportError) << wrong;
    const std::string error = error_after([&](json& r) { r["claims"][2]["reason"] = wrong; });
    EXPECT_NE(error.find("/claims/2/reason"), std::string::npos) << error;
  }
}

TEST(Registry, is_empty_before_a_program_names_a_folder) {
  // In a process that runs no other test before: other tests read the registry.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(livi::registered_claims().empty() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(Registry, is_read_from_the_folder_that_a_program_names) {
  const auto& claims = livi::registered_claims();
  livi::use_registry(kRegistries);
  const json registered = livi::registered_claims(kRegistries);
  EXPECT_EQ(claims.size(), registered.size());
  for (const json& claim : registered) {
    const auto found = claims.find(claim.at("id"));
    ASSERT_NE(found, claims.end()) << claim.at("id");
    EXPECT_EQ(found->second.headline, claim.at("headline"));
    EXPECT_EQ(to_string(found->second.verdict), claim.at("verdict"));
    EXPECT_EQ(found->second.reason.find("@{"), std::string::npos) << found->second.reason;
  }
}

TEST(Registry, a_folder_without_it_is_refused_with_what_is_needed) {
  const auto error_of = [](const std::filesystem::path& folder) -> std::string {
    try {
      livi::use_registry(folder);
    } catch (const livi::ReportError& error) {
      return error.what();
    }
    return "";
  };
  const std::string needed = "a folder with registries of claims (*.json) is needed";
  for (const std::filesystem::path& folder :
       {kRegistries / "absent", kRegistries / "TO14.json", kRegistries.parent_path().parent_path() / "tools"}) {
    const std::string error = error_of(folder);
    EXPECT_TRUE(error.starts_with(folder.string() + ": ")) << error;
    EXPECT_NE(error.find(needed), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_TRUE(
      error_of(kRegistries.parent_path()).starts_with((kRegistries.parent_path() / "paper_values.json").string()))
      << "a file that is no registry";
}

TEST(Registry, has_the_results_of_our_own_in_a_folder_by_subject) {
  const auto is_ours = [](const json& claim) { return claim.at("origin") == "ours"; };
  for (const char* document : kDocuments) {
    const std::filesystem::path file = kRegistries / (std::string(document) + ".json");
    for (const json& claim : livi::read_json(file).at("claims")) EXPECT_FALSE(is_ours(claim)) << claim.at("id");
    for (const json& claim : livi::read_registry(file).at("claims"))
      EXPECT_EQ(claim.contains("subject"), is_ours(claim)) << claim.at("id");
  }
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "livi_registry_beyond";
  std::filesystem::remove_all(folder);
  std::filesystem::copy(kRegistries, folder, std::filesystem::copy_options::recursive);
  const std::filesystem::path file = folder / "beyond" / "stiff.json";
  const json good = livi::read_json(file);
  const auto error_of = [&](const std::function<void(json&)>& change) -> std::string {
    json results = good;
    change(results);
    std::ofstream(file) << results;
    try {
      (void)livi::read_registries(folder);
    } catch (const livi::ReportError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of([](json&) {}), "");
  const auto expect_error = [&](const std::function<void(json&)>& change, const std::string& words) {
    const std::string error = error_of(change);
    EXPECT_NE(error.find(words), std::string::npos) << "expected '" << words << "', got '" << error << "'";
  };
  expect_error([](json& r) { r.erase("subject"); }, "must have 'subject'");
  expect_error([](json& r) { r["document"] = "TO14"; }, "and nothing else");
  expect_error([](json& r) { r["claims"][0]["origin"] = "statement"; }, "is no result of our own");
  expect_error([](json& r) { r["claims"][0]["id"] = 1; }, "is no result of our own");
  expect_error([](json& r) { r["claims"][0]["id"] = "XX00.a"; }, "\"XX00.a\" is beside no registry of its document");
  expect_error([](json& r) { r["claims"][0]["headline"] = "none"; }, "'none' is not among the keys");
  std::filesystem::remove_all(folder);
}

TEST(Registry, gives_a_claim_its_texts_which_a_program_does_not_repeat) {
  const std::map<std::string, livi::Claim> registered{{"XX00.a",
                                                       {.id = "XX00.a",
                                                        .source = {"XX00", "Sec. 1"},
                                                        .origin = livi::Origin::number,
                                                        .anchor = "of order two",
                                                        .headline = "order",
                                                        .statement = "the order is two",
                                                        .hypothesis = "h < 1",
                                                        .how = "a fit",
                                                        .reason = "it scatters",
                                                        .verdict = livi::Verdict::confirmed_with_limits,
                                                        .note = "For h < 1"}}};
  livi::Claim measured{.id = "XX00.a", .measured = 2.01, .interval = {1.9, 2.1}};
  const auto whole = [&](const livi::Claim& claim) { return livi::with_registered_texts(claim, registered); };
  EXPECT_EQ(whole(measured).statement, "the order is two");
  EXPECT_EQ(whole(measured).measured, 2.01);
  EXPECT_EQ(whole(measured).note, "For h < 1.");
  EXPECT_EQ(decide(whole(measured)), livi::Verdict::confirmed_with_limits);
  measured.note = "Seen twice.";
  EXPECT_EQ(whole(measured).note, "For h < 1. Seen twice.");
  for (std::string livi::Claim::*text : {&livi::Claim::anchor, &livi::Claim::headline, &livi::Claim::statement,
                                         &livi::Claim::hypothesis, &livi::Claim::how, &livi::Claim::reason}) {
    livi::Claim twice = measured;
    twice.*text = "said again";
    EXPECT_THROW(whole(twice), livi::ReportError);
  }
  livi::Claim other = measured;
  other.source = {"XX00", "Sec. 1"};
  EXPECT_THROW(whole(other), livi::ReportError);
  other = measured;
  other.verdict = livi::Verdict::misprint;
  EXPECT_THROW(whole(other), livi::ReportError);
  other = measured;
  other.id = "XX00.b";
  EXPECT_EQ(whole(other).statement, "") << "of no document of the registry: its texts are its own";
  // A copy of the measurement is no control; counts may agree.
  measured.controls = {
      {.name = "the same", .measured = 2.01, .interval = {1.9, 2.1}, .expected = livi::Expected::passes}};
  EXPECT_THROW(whole(measured), livi::ReportError);
  measured.measured = measured.controls[0].measured = 2;
  EXPECT_EQ(whole(measured).controls.size(), 1U);
}

TEST(Registry, headlines_name_claims_and_numbers_of_reports) {
  const auto error = [](const char* key, const std::string& text) {
    return error_after([&](json& r) { r["headlines"][0][key] = text; });
  };
  const std::string id = livi::read_json(kRegistries / "TO14.json").at("claims")[0].at("id");
  for (const char* key : {"answer", "advice"}) {
    EXPECT_EQ(error(key, "It is @{" + id + "}, and @{fig01:any.number}."), "");
    for (const char* wrong : {"@{TO14.none}", "@{TO14.none", "@{}"})
      EXPECT_NE(error(key, wrong).find(key), std::string::npos) << wrong;
  }
}

TEST(Registry, is_what_reports_say) {
  const std::map<std::string, livi::Claim> registered{{"XX00.a",
                                                       {.id = "XX00.a",
                                                        .source = {"XX00", "Sec. 1"},
                                                        .origin = livi::Origin::statement,
                                                        .anchor = "of order two",
                                                        .headline = "order",
                                                        .statement = "the order is two",
                                                        .how = "a fit",
                                                        .reason = "it scatters",
                                                        .note = "For h < 1"}}};
  const json said{{"id", "XX00.a"},
                  {"source", {{"document", "XX00"}, {"place", "Sec. 1"}}},
                  {"origin", "statement"},
                  {"anchor", "of order two"},
                  {"headline", "order"},
                  {"statement", "the order is two"},
                  {"how", "a fit"},
                  {"reason", "it scatters"},
                  {"note", "For h < 1. Seen."}};
  const auto error_of = [&](const json& claim) -> std::string {
    try {
      livi::check_registered_texts({{"claims", {claim}}}, "a.json", registered);
    } catch (const livi::ReportError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(said), "");
  for (const char* key : {"origin", "anchor", "headline", "statement", "how", "hypothesis", "reason", "note"}) {
    json other = said;
    other[key] = "something else";
    EXPECT_NE(error_of(other).find("registry"), key == std::string("note") ? 0 : std::string::npos) << key;
    EXPECT_NE(error_of(other), "") << key;
  }
  for (const char* key : {"document", "place"}) {
    json other = said;
    other["source"][key] = "elsewhere";
    EXPECT_NE(error_of(other), "") << key;
  }
  json unknown = said;
  unknown["id"] = "XX00.b";
  EXPECT_EQ(error_of(unknown), "a.json: claim 'XX00.b': is not in the registry of its document");
  unknown["source"]["document"] = "a method";
  EXPECT_EQ(error_of(unknown), "");
}

TEST(Registry, refuses_each_violation_of_the_schema) {
  for (const char* key : {"id", "place", "origin", "headline", "statement", "how", "reason", "verdict", "experiment"}) {
    EXPECT_NE(error_after([&](json& r) { r["claims"][3].erase(key); }).find("TO14.json: /claims/3: "),
              std::string::npos)
        << key;
    EXPECT_NE(error_after([&](json& r) { r["claims"][3][key] = ""; }).find(std::string("/claims/3/") + key),
              std::string::npos)
        << key;
  }
  EXPECT_NE(error_after([](json& r) { r["claims"][0]["origin"] = "rumour"; }).find("/claims/0/origin"),
            std::string::npos);
  EXPECT_NE(error_after([](json& r) { r["claims"][0]["page"] = "12"; }).find("/claims/0: "), std::string::npos);
  EXPECT_NE(error_after([](json& r) { r = json::array(); }).find("/: "), std::string::npos);
}

}  // namespace registry_test
