// SPDX-License-Identifier: MIT
//
// The writer of rows.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <livi/claims/battery/rows.hpp>

namespace livi::battery_detail {

std::string format(const char* pattern, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

BatteryRow& Rows::add(const std::string& test, const std::string& declared_text, Claim claim,
                      const std::string& detail) {
  identify(test, claim);
  if (!std::isfinite(claim.measured))
    claim.note += std::string(claim.note.empty() ? "" : "; ") + "the method failed here: nothing was measured";
  claim.verdict = decide(claim);
  rows_.push_back({test, declared_text, std::move(claim), detail});
  return rows_.back();
}

void Rows::undecided(const std::string& test, const std::string& declared_text, Claim claim, const std::string& why) {
  claim.measured = not_a_number;
  claim.note = why;
  identify(test, claim);
  if (claim.reason.empty()) claim.reason = "undecided";
  claim.evidence = Evidence::measured;
  claim.probability_bound = std::nullopt;
  claim.verdict = decide(claim);
  rows_.push_back({test, declared_text, std::move(claim), why});
}

void Rows::test(const std::string& name, std::initializer_list<const char*> writes, const std::function<void()>& make) {
  const auto& only = options_.only;
  const auto is_asked_for = [&](const char* row) { return std::find(only.begin(), only.end(), row) != only.end(); };
  if (!only.empty() && std::none_of(writes.begin(), writes.end(), is_asked_for)) return;
  if (options_.progress) options_.progress(name);
  try {
    make();
  } catch (const std::exception& error) {
    undecided(name, "", {.statement = "the test '" + name + "' can be made"}, std::string("it threw: ") + error.what());
  }
}

void Rows::does_not_apply(const std::string& test, const std::string& why) {
  Claim claim;
  claim.statement = "the test '" + test + "' does not apply: " + why;
  claim.reason = "not tested";
  claim.note = why;
  claim.verdict = Verdict::not_testable;
  identify(test, claim);
  rows_.push_back({test, "-", std::move(claim), why});
}

const BatteryRow* Rows::find(const std::string& test) const {
  for (const BatteryRow& row : rows_)
    if (row.test == test) return &row;
  return nullptr;
}

BatteryRow& Rows::add_defect(const std::string& test, bool holds, const std::string& what, const Worst& worst,
                             std::vector<Control> control_runs, const std::string& how, const std::string& detail,
                             Coefficients coefficients) {
  Claim claim;
  claim.statement = holds ? what : "not " + what;
  claim.how = how;
  claim.measured = worst.value;
  claim.interval = holds ? Interval{0, floor_50} : Interval{visible_50, infinity};
  claim.reason = holds ? floor_50_reason : visible_50_reason;
  claim.note = "largest on: " + worst.where;
  if (holds && coefficients == Coefficients::can_matter) limit_to_double(claim);
  for (Control& control : control_runs) control.interval = {0, holds ? claim.interval.high : floor_50};
  claim.controls = std::move(control_runs);
  BatteryRow& row = add(test, yes_no(holds), std::move(claim), detail);
  row.undeclared = !holds;
  return row;
}

void Rows::limit_to_double(Claim& claim, int order) {
  if (!(claim.measured > least_double_defect && claim.measured <= largest_double_defect(order))) return;
  claim.interval.high = largest_double_defect(order);
  claim.reason = double_defect_reason;
  claim.note =
      format("down to a defect of %.1e, as coefficients in double precision leave; ", claim.measured) + claim.note;
  claim.verdict = Verdict::confirmed_with_limits;
}

void Rows::identify(const std::string& test, Claim& claim) const {
  claim.id = "battery." + test;
  // The document of this claim is the method's own declaration.
  claim.source = {declared_.name.empty() ? "a method without a name" : declared_.name,
                  declared_.source.empty() ? "declares()" : declared_.source};
  claim.anchor = "declares()";
  claim.headline = test;
  // Other intervals are those of the control's own order and limits; in this method's interval it would have the
  // property.
  for (Control& control : claim.controls) {
    const bool same = control.interval.low == claim.interval.low && control.interval.high == claim.interval.high;
    if (!same && control.note.empty()) control.note = "in this interval it would be what it is tested for";
  }
}

}  // namespace livi::battery_detail
