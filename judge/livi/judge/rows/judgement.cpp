// SPDX-License-Identifier: MIT
#include <livi/judge/rows/judgement.hpp>

namespace livi {

int Judgement::exit_status() const {
  const ExitCode code = ended_by.empty() ? exit_code(rows, partial) : ExitCode::inconclusive;
  return static_cast<int>(code == ExitCode::confirmed && !declares.declares_something() ? ExitCode::inconclusive
                                                                                        : code);
}

void Judgement::end_early(const std::string& reason) {
  ended_by = reason;
  rows.push_back(undecided_row(declares, TestId::protocol, "the method keeps to the protocol to its end", reason));
}

ForeignDeclaration judged_declaration(const ForeignDeclaration& declares, bool strict) {
  using enum ProblemKind;
  ForeignDeclaration judged = declares;
  if (!strict) return judged;
  const auto is_no = [](std::optional<bool>& property, bool applies) {
    if (applies && !property) property = false;
  };
  is_no(judged.symplectic, !declares.takes(adaptive) || declares.takes(extended));
  is_no(judged.symmetric, true);
  const bool has_linear = declares.takes(mechanical) || declares.takes(constrained) || declares.takes(adaptive);
  is_no(judged.linear_momentum, has_linear);
  is_no(judged.angular_momentum, has_linear || declares.takes(body));
  is_no(judged.hidden, declares.takes(constrained));
  is_no(judged.casimir, declares.takes(body));
  return judged;
}

Claim claim_of_row(const ForeignDeclaration& declares, const RowId& id) {
  Claim claim;
  claim.id = std::string("judge.") + row_entry(id).id;
  claim.source = {declares.name, declares.source.empty() ? "hello" : declares.source};
  claim.headline = row_name(id, declares);
  claim.anchor = "hello";
  return claim;
}

JudgementRow row_that_does_not_apply(const ForeignDeclaration& declares, const RowId& id, const std::string& why,
                                     const std::string& name) {
  Claim claim = claim_of_row(declares, id);
  claim.statement = claim.note = why;
  claim.verdict = Verdict::not_testable;
  return {id, name.empty() ? claim.headline : name, "-", "-", claim};
}

JudgementRow undecided_row(const ForeignDeclaration& declares, const RowId& id, const std::string& statement,
                           const std::string& note) {
  Claim claim = claim_of_row(declares, id);
  claim.statement = statement;
  claim.measured = std::numeric_limits<double>::quiet_NaN();
  claim.interval = {0, 0};
  claim.reason = "undecided";
  claim.note = note;
  claim.verdict = Verdict::undecided;
  return {id, claim.headline, "yes", "-", claim};
}

JudgementRow odd_order_of_symmetric(const ForeignDeclaration& declares, const RowId& id) {
  const int order = declares.order.value_or(0);
  Claim claim = claim_of_row(declares, id);
  claim.statement = "the order of a symmetric method is even";
  claim.measured = order % 2;
  claim.interval = {0, 0};
  claim.reason =
      "the leading error of a step is that of its adjoint times (-1)^order: of a step that is its own it vanishes "
      "where the order is odd";
  claim.note = "order=" + std::to_string(order) +
               " symmetric=yes: a symmetric step that is one smooth map of h through 0 has an even order";
  claim.verdict = claim.interval.contains(claim.measured) ? Verdict::confirmed : Verdict::refuted;
  return {id, claim.headline, "yes", "declared", claim};
}

}  // namespace livi
