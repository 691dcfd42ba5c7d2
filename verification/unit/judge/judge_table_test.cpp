// SPDX-License-Identifier: MIT
//
// The table of rows: every row that a judgement has is in it, and it has no other rows.
#include <gtest/gtest.h>
#include <livi/judge/rows/row_table.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "judged_verlet.hpp"
#include "verification/judge/bath_method.hpp"
#include "verification/support/text_of.hpp"

namespace judge_table_test {

using namespace livi;
using namespace livi::test;
using enum ProblemKind;

using Entries = std::set<const RowEntry*>;

/// Keeps the entries of the rows of judgements. Says of rows that do not keep to their entry what is wrong.
class Seen {
 public:
  void judge(ForeignSubject&& subject, const JudgementOptions& options = {.drawn = 0, .quick = true, .slow = true}) {
    const Judgement judgement = livi::judge(subject, options);
    std::set<std::string> names;
    for (const JudgementRow& row : judgement.rows) {
      const RowEntry& entry = row_entry(row.id);
      entries.insert(&entry);
      EXPECT_TRUE(names.insert(row.test).second) << row.test << " is the name of two rows";
      EXPECT_EQ(row_named(row.test, judgement.declares), row.id) << row.test;
      if (row.claim.verdict == Verdict::confirmed) {
        EXPECT_EQ(std::string(entry.control).starts_with("none"), row.claim.controls.empty()) << row.test;
      }
    }
  }
  Entries entries;
};

/// Returns the entries of the rows that right methods of all kinds have, with and without a memory.
Entries seen_entries() {
  Seen seen;
  ForeignDeclaration verlet = of_verlet();
  verlet.kinds = {mechanical, timed};
  seen.judge(Declaring(built_in_verlet(), verlet));
  verlet.numbers = {NumberType::real, NumberType::rational};
  verlet.memory = true;
  verlet.order = 1;
  verlet.stability_limit = std::nullopt;  // not judged with a memory
  seen.judge(Declaring(built_in_verlet(), verlet));
  verlet.numbers = {NumberType::real};
  verlet.kinds = {separable};
  seen.judge(Declaring(built_in_verlet(), verlet));
  verlet = {};
  verlet.name = "x";
  verlet.symplectic = true;
  seen.judge(Declaring(built_in_verlet(), verlet), {.drawn = 0});  // with the long runs
  seen.judge(BathMethod({}, false));
  seen.judge(BathMethod({}, true));
  ForeignDeclaration manifold;
  manifold.name = "x";
  manifold.order = 2;
  manifold.symplectic = manifold.symmetric = true;
  manifold.kinds = {constrained};
  seen.judge(Declaring(built_in_rattle(), manifold));
  manifold.kinds = {body};
  seen.judge(Declaring(built_in_body_splitting(), manifold));
  manifold.kinds = {adaptive, extended};
  seen.judge(DeclaringMethod<BuiltInAdaptiveMethod>({AdaptiveRule::hamiltonian}, manifold));
  return seen.entries;
}

TEST(RowTable, has_the_rows_of_judgements_and_no_others) {
  // These rows say that there is nothing to measure.
  const std::map<TestId, const char*> elsewhere{
      {TestId::protocol, "a violation of the protocol: judge_process_test"},
      {TestId::steps, "a method that fails on all problems: judge_failures_test"},
      {TestId::problem, "a method that declines a problem: judge_kinds_test"}};
  const Entries seen = seen_entries();
  for (const RowEntry& entry : row_table())
    EXPECT_EQ(seen.contains(&entry), !elsewhere.contains(entry.test)) << entry.name << ": " << entry.measures;
}

TEST(RowTable, has_distinct_entries_with_short_texts) {
  std::set<std::pair<TestId, unsigned>> groups;
  std::map<std::string, TestId> ids;
  for (const RowEntry& entry : row_table()) {
    for (unsigned group = 1; group <= entry.groups; group *= 2)
      if (entry.groups & group) {
        EXPECT_TRUE(groups.emplace(entry.test, group).second) << entry.name << " has two entries for a kind";
      }
    EXPECT_EQ(ids.emplace(entry.id, entry.test).first->second, entry.test) << entry.id;
    for (const std::string text : {entry.measures, entry.accepted, entry.control, entry.blind}) {
      EXPECT_LE(std::ranges::count(text, ' '), 14) << text;
      EXPECT_NE(text, "") << entry.name;
    }
  }
}

TEST(RowTable, is_that_of_the_document) {
  EXPECT_NE(text_of(LIVI_SOURCE_FOLDER "/docs/judge.md").find("\n" + row_table_markdown() + "\n"), std::string::npos)
      << "docs/judge.md does not have the table of `livi-judge --explain table`";
}

TEST(RowTable, explains_rows_by_id_and_by_name) {
  const auto entries_of = [](const std::string& name) {
    const std::string text = explained_row(name);
    return text.empty() ? 0 : std::ranges::count(text, '\n') / 8;
  };
  EXPECT_EQ(entries_of("symplectic"), 4);
  for (const char* name : {"symplectic, body", "symplectic, digits", "order of q, fractions", "drawn steps, timed",
                           "restart in the bath", "size_of_momentum", "order_negative"})
    EXPECT_EQ(entries_of(name), 1) << name;
  for (const char* name : {"", "symplectic, ", "no row", "table"}) EXPECT_EQ(entries_of(name), 0) << name;
}

}  // namespace judge_table_test
