// SPDX-License-Identifier: MIT
//
// The battery's rows, table and exit status, on methods of the library.
#include <livi/battery.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include <livi/catalogue/library_subjects.hpp>
#include "verification/support/text_of.hpp"

namespace battery_test {

using livi::BatteryResult;
using livi::BatteryRow;
using livi::Interval;
using livi::Verdict;

const livi::Subject& library_subject(const std::string& name) {
  static const auto subjects = livi::library_subjects();
  for (const auto& subject : subjects)
    if (subject.name == name) return *subject.subject;
  throw std::invalid_argument("no integrator '" + name + "' in the library");
}

BatteryResult result_of(std::initializer_list<Verdict> verdicts, bool quick = false) {
  BatteryResult result;
  result.quick = quick;
  for (const Verdict verdict : verdicts) {
    result.rows.emplace_back();
    result.rows.back().claim.verdict = verdict;
  }
  return result;
}

TEST(Battery, has_an_exit_status_for_each_outcome) {
  using enum Verdict;
  EXPECT_EQ(result_of({confirmed, confirmed_with_limits, not_testable}).exit_status(), 0);
  EXPECT_EQ(result_of({confirmed, refuted, confirmed}).exit_status(), 1);
  EXPECT_EQ(result_of({undecided, refuted}).exit_status(), 1);
  EXPECT_EQ(result_of({confirmed, undecided}).exit_status(), 2);
  EXPECT_EQ(result_of({refuted, broken_control}).exit_status(), 1);
  EXPECT_EQ(result_of({}).exit_status(), 2) << "nothing was tested";
  EXPECT_EQ(result_of({confirmed}, true).exit_status(), 3) << "a quick run is no verdict";
  EXPECT_EQ(result_of({refuted}, true).exit_status(), 1);
  EXPECT_EQ(result_of({undecided}, true).exit_status(), 2);
}

// A control that is a constant, or another method than it says, has another number. Each range is that of the method
// named, by hand or from runs of that method alone.
TEST(Battery, has_controls_with_the_numbers_of_the_methods_that_they_name) {
  const std::map<std::string, Interval> expected{
      // Between its second order, which the errors still show in part at h = 1/256, and its first.
      {"order of q: Verlet with one coefficient moved by 1e-3", {1.2, 1.4}},
      {"order of p: Verlet with one coefficient moved by 1e-3", {2.4, 2.6}},
      {"symplectic: RungeKutta4", {1e-8, 1e-2}},
      {"symplectic: SimplifiedZhangSkeel", {1e-8, 1e-1}},
      {"symmetric: SymplecticEuler", {1e-2, 10}},
      {"linear momentum: the same method, the symmetry broken by 1e-6", {1e-7, 1e-4}},
      {"angular momentum: the same method, the symmetry broken by 1e-6", {1e-8, 1e-5}},
      {"tiny steps: Verlet with a force 1 + 1e-12 times too large", {1e-14, 1e-11}},
      {"negative steps: Verlet that makes half a step for a negative one", {-0.5, 1.5}},
      {"last step shorter: Verlet that keeps its first step", {0.5, 1.5}},
      {"end moved: the same method, the end moved by 1e-9", {1e5, 1e8}},
      {"number types: Verlet with forces rounded to float in double", {1e4, 1e10}},
      // A relative rounding of 2^-25 is 2^27 = 1.3e8 epsilon.
      {"single steps: Verlet with forces rounded to float in double", {1e7, 1e9}},
      {"duals: Verlet that is lopsided under dual numbers", {1e-8, 1e-2}},
      {"reach: Verlet that is lopsided beyond six degrees of freedom", {1e-10, 1}},
      {"repetition: Verlet with a counter shared by all objects", {500, 2002}},
      {"history: Verlet with a counter in the method", {90, 100}},
      {"memory: Verlet with a counter in its state", {1e-8, 1e-1}},
      {"restart: a state with one field lost", {1, 10}},
      {"certificate: SimplifiedZhangSkeel declared to be what ZhangSkeel is", {2, 2}},
      {"exact order: Verlet with one coefficient moved by 1e-3", {1, 1}},
      {"exact types: Verlet in exact types, symplectic Euler in others", {0.1, 10}},
      {"linear stability: VelocityVerlet, declared stable up to 2.001", {0.5 - 1e-12, 0.5 + 1e-12}},
      // With (h omega)^2 = (0.99 * 2.2)^2 a step multiplies by -2.3109: log10 of it, times 2^20.
      {"coupled oscillators: VelocityVerlet, declared stable up to 2.2", {3.814e5, 3.816e5}},
      {"energy drift: RungeKutta4", {-1e-3, -1e-9}},
      {"cost: VelocityVerlet declared with one gradient more", {1, 1}}};
  std::map<std::string, double> found;
  for (const BatteryRow& row : livi::run_battery(library_subject("VelocityVerlet")).rows)
    for (const auto& control : row.claim.controls) found[row.test + ": " + control.name] = control.measured;
  for (const auto& [name, range] : expected) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_TRUE(range.contains(found[name])) << name << ": " << found[name];
  }
  EXPECT_EQ(found.size(), expected.size()) << "every control has a range here";
}

TEST(Battery, counts_on_henon_and_heiles) {
  const auto counts = std::make_shared<livi::CountedCost>();
  const auto system = livi::counted_run(0, counts).system;
  livi::Vector<double, livi::Dynamic> q(2), a(2);
  q << 0.3, 0.2;
  system.acceleration(q, a);
  EXPECT_NEAR(a(0), -(0.3 + 2 * 0.3 * 0.2), 1e-15);
  EXPECT_NEAR(a(1), -(0.2 + 0.3 * 0.3 - 0.2 * 0.2), 1e-15);
  EXPECT_EQ(counts->gradients, 1);
  EXPECT_EQ(counts->values, 0);
  static_cast<void>(system.potential().value(q));
  EXPECT_EQ(counts->values, 1);
}

/// A row as battery_rows.txt has it.
std::string text_of_row(const BatteryRow& row) {
  std::ostringstream text;
  text.precision(4);
  text << row.test << " | " << row.declared << " | " << row.claim.measured << " | " << to_string(row.claim.verdict)
       << " | " << evidence_text(row.claim.evidence, row.claim.probability_bound) << " | " << row.claim.note << " | "
       << row.detail;
  for (const auto& control : row.claim.controls) text << " | " << control.name << ": " << control.measured;
  return text.str();
}

/// Whether two rows say the same: words exactly; numbers to 2 %, what is below 1e-40 being zero in 50 digits. With
/// `any_numbers` these are free.
bool same_row(const std::string& is, const std::string& was, bool any_numbers) {
  const auto apart = [](std::string line) {
    for (char& c : line) c = std::string("[](),:;<=").find(c) == std::string::npos ? c : ' ';
    return std::istringstream(line);
  };
  std::istringstream words = apart(is), old_words = apart(was);
  std::string word, old_word;
  while (words >> word) {
    if (!(old_words >> old_word)) return false;
    if (word == old_word) continue;
    char *end = nullptr, *old_end = nullptr;
    const double value = std::strtod(word.c_str(), &end), old_value = std::strtod(old_word.c_str(), &old_end);
    if (*end != '\0' || *old_end != '\0') return false;
    if (any_numbers || std::abs(value - old_value) <= 0.02 * std::abs(old_value)) continue;
    if (!(std::abs(value) < 1e-40 && std::abs(old_value) < 1e-40)) return false;
  }
  return !(old_words >> old_word);
}

// Every row of a method for each kind of problem: what was measured, where, with which controls. A battery that leaves
// out a problem, a step or an index of what it looks at has other numbers.
class BatteryRows : public testing::TestWithParam<const char*> {};

TEST_P(BatteryRows, are_what_they_were) {
  // Rounding in double decides these numbers, or the scatter of a long run, or the primes that are drawn; their bounds
  // are in the verdict.
  const std::set<std::string> of_chance{"symmetric",    "end moved",   "number types",
                                        "energy drift", "stress test", "certificate"};
  const std::string name = GetParam(), begin = name + ": ";
  std::istringstream known(
      livi::test::text_of(std::string(LIVI_SOURCE_FOLDER) + "/verification/unit/battery/battery_rows.txt"));
  std::vector<std::string> expected;
  for (std::string line; std::getline(known, line);)
    if (line.starts_with(begin)) expected.push_back(line.substr(begin.size()));
  const BatteryResult result = livi::run_battery(library_subject(name), {.strict = true});
  EXPECT_EQ(result.rows.size(), expected.size());
  expected.resize(result.rows.size());
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const std::string is = text_of_row(result.rows[i]);
    EXPECT_TRUE(same_row(is, expected[i], of_chance.contains(result.rows[i].test)))
        << "is\n  " << is << "\nand was\n  " << expected[i] << "\nif that is meant, the new text is what the commit "
        << "should show; with LIVI_NEW_ROWS=FILE in the environment it is added to that";
    if (const char* file = std::getenv("LIVI_NEW_ROWS")) std::ofstream(file, std::ios::app) << begin << is << "\n";
  }
}

INSTANTIATE_TEST_SUITE_P(Battery, BatteryRows,
                         testing::Values("VelocityVerlet", "Rattle", "LieNewmark_Cayley", "Newmark", "RungeKutta4",
                                         "VariationalEulerGeneralized"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Battery, shows_its_rows_in_a_table) {
  BatteryResult result;
  result.declares.name = "Made up";
  result.seed = 17;
  const auto add = [&](const std::string& test, const std::string& declared, double measured, Verdict verdict,
                       const std::string& note, const std::string& detail) -> BatteryRow& {
    BatteryRow& row = result.rows.emplace_back();
    row.test = test;
    row.declared = declared;
    row.detail = detail;
    row.claim.measured = measured;
    row.claim.verdict = verdict;
    row.claim.note = note;
    return row;
  };
  add("order of q", "2", 2.00012345, Verdict::confirmed, "not shown", "");
  add("a test of which the name is long", "twelve chars", -1.5e-50, Verdict::confirmed_with_limits, "up to 1", "seen");
  add("cost", "1", 2, Verdict::refuted, "more than that", "");
  add("constraint", "-", 0, Verdict::not_testable, "", "there is none");
  add("memory", "yes", 0, Verdict::broken_control, "", "").claim.controls = {
      {.name = "good", .measured = 2, .interval = {0, 1}}, {.name = "bad", .measured = 0.5, .interval = {0, 1}}};
  EXPECT_EQ(livi::battery_table(result),
            "Made up, seed 17\n"
            "test                  declared    measured      verdict\n"
            "order of q            2           2             confirmed\n"
            "a test of which the name is long twelve chars -1.5e-50      confirmed-with-limits   up to 1   seen\n"
            "cost                  1           2             refuted   more than that\n"
            "constraint            -           -             does not apply: there is none\n"
            "memory                yes         0             broken-control\n"
            "  control 'bad' was not rejected: 0.5\n");
  result.declares.source = "a paper";
  result.quick = true;
  EXPECT_TRUE(livi::battery_table(result).starts_with("Made up (a paper), seed 17; QUICK RUN: NO VERDICT\n"));
}

TEST(Battery, is_a_program_with_options) {
  const auto run = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "battery");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status =
        livi::battery_program(library_subject("VelocityVerlet"), static_cast<int>(pointers.size()), pointers.data());
    const std::string out = testing::internal::GetCapturedStdout();
    return std::tuple(status, out, testing::internal::GetCapturedStderr());
  };
  const auto [status, out, progress] = run({"--quick", "--seed", "4711"});
  EXPECT_EQ(status, 3);
  EXPECT_NE(out.find("seed 4711; QUICK RUN: NO VERDICT\n"), std::string::npos) << out;
  EXPECT_NE(progress.find("  symplectic\n"), std::string::npos) << progress;
  // A seed that is in force stays so where none is given.
  EXPECT_NE(std::get<1>(run({"--quick", "--only", "cost"})).find("seed 4711"), std::string::npos);
  const auto [helped, help, nothing] = run({"--help"});
  EXPECT_EQ(helped, 0);
  for (const char* option : {"--out", "--certificate", "--quick", "--only", "--seed"})
    EXPECT_NE(help.find(option), std::string::npos) << option;
  EXPECT_EQ(nothing, "");
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--seed", "many"},
                                                {"--seed", "-1"},
                                                {"--seed", "18446744073709551616"},
                                                {"--seed", "0x10"},
                                                {"--seed", "7 "},
                                                {"--frobnicate"},
                                                {"--only", "symmetry"}}) {
    const auto [refused, printed, why] = run(wrong);
    EXPECT_EQ(refused, 2);
    EXPECT_EQ(printed, "");
    EXPECT_NE(why.find(wrong.back()), std::string::npos) << why;
  }
  for (const char* option : {"--seed", "--out", "--certificate"}) {
    const auto [refused, printed, why] = run({"--quick", option, ""});
    EXPECT_EQ(refused, 2) << option;
    EXPECT_EQ(printed, "");
    EXPECT_NE(why.find(option), std::string::npos) << why;
  }
  livi::set_judge_seed(livi::default_seed);
}

TEST(Battery, says_that_a_quick_run_is_no_verdict) {
  const BatteryResult result = livi::run_battery(library_subject("VelocityVerlet"), {.quick = true});
  EXPECT_EQ(result.exit_status(), 3);
  EXPECT_NE(livi::battery_table(result).find("NO VERDICT"), std::string::npos);
}

// A row that belongs to no test could not be asked for; one that misses what another test has found would be another
// row.
TEST(Battery, gives_each_row_alone_as_it_gives_it_among_all) {
  for (const char* name : {"VelocityVerlet", "Newmark", "LieVerlet_Cayley", "Rattle"}) {
    const livi::Subject& subject = library_subject(name);
    for (const BatteryRow& row : livi::run_battery(subject, {.quick = true}).rows) {
      const BatteryResult part = livi::run_battery(subject, {.quick = true, .only = {row.test}});
      const auto found =
          std::find_if(part.rows.begin(), part.rows.end(), [&](const auto& r) { return r.test == row.test; });
      ASSERT_NE(found, part.rows.end()) << name << ": " << row.test;
      EXPECT_EQ(text_of_row(*found), text_of_row(row)) << name;
      EXPECT_LE(part.rows.size(), 4u) << name << ": " << row.test << " is one of the rows of its test, not of all";
    }
  }
}

TEST(Battery, says_that_a_part_of_the_rows_is_no_verdict) {
  const BatteryResult result = livi::run_battery(library_subject("VelocityVerlet"), {.only = {"symmetric"}});
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows.front().claim.verdict, Verdict::confirmed);
  EXPECT_EQ(result.exit_status(), 3);
  EXPECT_NE(livi::battery_table(result).find("A PART OF THE ROWS: NO VERDICT"), std::string::npos);
  EXPECT_THROW(static_cast<void>(livi::run_battery(library_subject("VelocityVerlet"), {.only = {"symmetry"}})),
               livi::InvalidParameter);
}

TEST(Battery, judges_undeclared_properties_only_if_it_is_strict) {
  for (const bool strict : {false, true}) {
    const BatteryResult result =
        livi::run_battery(library_subject("Newmark"), {.only = {"symplectic"}, .strict = strict});
    const auto row = std::ranges::find(result.rows, "symplectic", &BatteryRow::test);
    ASSERT_NE(row, result.rows.end());
    EXPECT_EQ(row->declared, strict ? "no" : "-");
    EXPECT_EQ(row->claim.verdict, strict ? Verdict::confirmed : Verdict::result);
    EXPECT_GT(row->claim.measured, 1e-9);
  }
}

/// The exit status of battery_program with these options.
int run_program(const livi::Subject& subject, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "battery");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  return livi::battery_program(subject, static_cast<int>(pointers.size()), pointers.data());
}

TEST(Battery, writes_what_it_decided_exactly_for_others_to_check) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "livi_battery_certificates";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto written = [&](const std::string& name) {
    std::ifstream in(folder / name);
    return nlohmann::json::parse(in);
  };
  EXPECT_EQ(run_program(library_subject("SymplecticEuler"),
                        {"--quick", "--seed", "5", "--certificate", (folder / "euler.json").string()}),
            3);
  const auto euler = written("euler.json");
  std::map<std::string, std::map<std::string, int>> found;  // findings of properties
  for (const auto& certificate : euler["certificates"]) {
    EXPECT_EQ(certificate["method"], "SymplecticEuler");
    EXPECT_EQ(certificate["seed"], "5");
    ++found[certificate["property"]][certificate["finding"]];
  }
  EXPECT_EQ(euler["methods"], nlohmann::json({{"SymplecticEuler", euler["certificates"].size()}}));
  EXPECT_GT(found["symplectic"]["proved"], 0);
  EXPECT_EQ(found["symplectic"]["disproved"], 0);
  EXPECT_GT(found["symmetric"]["disproved"], 0);
  EXPECT_GT(found["angular momentum"]["proved"], 0);

  // Nothing is decided of rigid bodies, and the file says so.
  EXPECT_EQ(
      run_program(library_subject("LieVerlet_Cayley"), {"--quick", "--certificate", (folder / "body.json").string()}),
      3);
  const auto body = written("body.json");
  EXPECT_TRUE(body["certificates"].empty());
  EXPECT_FALSE(body["left_out"].empty());

  EXPECT_EQ(run_program(library_subject("SymplecticEuler"),
                        {"--quick", "--certificate", (folder / "euler.json" / "below_a_file.json").string()}),
            2);
  EXPECT_EQ(written("euler.json"), euler) << "what was written is not lost";
  livi::set_judge_seed(livi::default_seed);
}

// In a process of its own: what is drawn keeps the seed that it was drawn with.
TEST(Battery, has_the_same_verdicts_with_another_seed) {
  livi::set_judge_seed(4711);
  for (const char* name : {"VelocityVerlet", "ZhangSkeel", "RungeKutta4", "odeint_mclachlan_sb3a"}) {
    const BatteryResult result = livi::run_battery(library_subject(name), {.strict = true});
    EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
    EXPECT_NE(livi::battery_table(result).find("seed 4711"), std::string::npos);
  }
  livi::set_judge_seed(livi::default_seed);
}

}  // namespace battery_test
