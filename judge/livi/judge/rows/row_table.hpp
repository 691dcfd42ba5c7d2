// SPDX-License-Identifier: MIT
//
// The table of the judge's rows: for each test its id, its name, what it needs and measures, what is accepted, which wrong method it
// must reject, and what it cannot see. docs/judge.md and `livi-judge --explain` print this table.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <livi/judge/method/foreign_subject.hpp>

namespace livi {

/// What a row tests. The names of these ids are the `id` of a row in JSON; they stay when a display name changes.
enum class TestId {
  protocol,
  steps,
  problem,
  order_q,
  order_p,
  order_negative,
  local_order,
  symplectic,
  symplectic_dyadic,
  symplectic_complex,
  symplectic_fractions,
  symplectic_reach,
  symmetric,
  symmetric_signs,
  symmetric_order,
  symmetric_reach,
  linear_momentum,
  angular_momentum,
  momentum,
  gradients,
  other_evaluations,
  free_particle,
  precision,
  constant_force,
  forces_of_time,
  repetition,
  batch,
  history,
  memory,
  restart,
  start_of_time,
  double_digits,
  double_fractions,
  double_complex,
  linear_stability,
  stability_of_several,
  energy,
  later,
  drawn_steps,
  local_error,
  noise,
  fresh_noise,
  friction,
  noise_covariance,
  noise_without_heat,
  noise_later,
  sampling_q,
  sampling_p,
  sampling,
  without_friction,
  noise_without_friction,
  constraint,
  hidden_constraint,
  momentum_across,
  constraint_evaluations,
  short_steps,
  very_short_steps,
  force,
  long_steps,
  group,
  size_of_momentum,
  torque,
  rest,
  time,
  range_of_steps,
  start_of_clock,
  clock,
  clock_limit,
  no_step,
  steps_between,
  bits_of_h,
  extended
};

/// Returns the property of which a test is one: TestId::symplectic_reach is of TestId::symplectic, TestId::order_p of TestId::order_q, and so on;
/// the test itself if it is of no other.
TestId property_of(TestId test);

/// Which row: what it tests, on which kind of problem, and in which numbers. Rows on several kinds without constraints, noise or a
/// choice of steps have the kind mechanical.
struct RowId {
  TestId test;
  ProblemKind kind = ProblemKind::mechanical;
  NumberType numbers = NumberType::real;

  RowId(TestId of, ProblemKind on = ProblemKind::mechanical, NumberType in = NumberType::real)
      : test(of), kind(on), numbers(in) {}
  bool operator==(const RowId&) const = default;
};

/// An entry of the table. Texts are phrases; "-" stands for nothing.
struct RowEntry {
  TestId test;
  const char* id;
  const char* name;  ///< for display
  unsigned groups;   ///< a bit for each group of kinds whose row this is
  const char* needs;
  const char* measures;
  const char* accepted;
  const char* control;  ///< the wrong method that must be rejected; begins with "none" where there is none
  const char* blind;    ///< what the row cannot see
};

/// Returns the table, in the order of the rows.
std::span<const RowEntry> row_table();
/// Returns the entry of a row. Throws std::logic_error if the table has none.
const RowEntry& row_entry(const RowId& id);
/// Returns the name under which a row is shown: names of two rows of a method differ. It ends with the numbers or, where a method
/// takes several kinds, with the kind.
std::string row_name(const RowId& id, const ForeignDeclaration& declares);
/// Returns the row of a method that has a name, or nothing if none has it.
std::optional<RowId> row_named(const std::string& name, const ForeignDeclaration& declares);

/// Returns the table in Markdown.
std::string row_table_markdown();
/// Returns the entries of a row in words, one for each group of kinds; `name` is an id, or a name as a judgement shows it. Returns an
/// empty text if no row has it.
std::string explained_row(const std::string& name);

}  // namespace livi
