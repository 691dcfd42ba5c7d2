// SPDX-License-Identifier: MIT
//
// The rows on steps at drawn places.
#include <livi/judge/tests/drawn_steps.hpp>
#include <livi/judge/tests/judge.hpp>

#include <map>
#include <tuple>

namespace livi::foreign_detail {

namespace {

struct KindOfRow {
  ProblemKind kind;
  BuiltInMethod right, wrong, long_drift;
};

/// Measures a control once for each seed: its measurement does not depend on the method that is judged.
Measured measured_once(TestId test, ProblemKind kind, const ForeignSubject& control, std::uint64_t seed,
                       const std::function<Measured()>& measure) {
  thread_local std::map<std::tuple<TestId, ProblemKind, std::string, std::uint64_t>, Measured> known;
  const std::tuple key{test, kind, control.declares().name, seed};
  const auto at = known.find(key);
  return at != known.end() ? at->second : known.emplace(key, measure()).first->second;
}

}  // namespace

void Judge::drawn_steps() {
  if (!declares().computes_in(NumberType::real)) return;
  using enum ProblemKind;
  const BuiltInMethod verlet = built_in_verlet(), still = built_in_verlet(BuiltInFlaw::still_in_sevens),
                      drifts = built_in_splitting("Verlet with a drift of 5/4", {1.25}, {0.5, 0.5}, true);
  const std::vector<KindOfRow> rows{
      {mechanical, verlet, still, drifts},
      {timed, verlet, still, drifts},
      {separable, verlet, still, drifts},
      {langevin, built_in_baoab(), built_in_baoab(BuiltInFlaw::still_in_sevens), drifts},
      {constrained, built_in_rattle(), built_in_rattle(ConstrainedFlaw::reads_clock),
       built_in_rattle(ConstrainedFlaw::light_when_short)},
      {constrained_langevin, built_in_rattle(), built_in_rattle(ConstrainedFlaw::reads_clock),
       built_in_rattle(ConstrainedFlaw::light_when_short)},
      {body, built_in_body_splitting(), built_in_body_splitting(BodyFlaw::reads_clock),
       built_in_body_splitting(BodyFlaw::light_when_short)}};
  const double share = options_.slow ? 1.0 / 16 : 1;
  for (const KindOfRow& of : rows) {
    if (!declares().takes(of.kind)) continue;
    const ProblemKind kind = of.kind;
    Claim claim;
    claim.statement = "a step is that of these equations in all units of length, mass and time, and for each body";
    claim.interval = {0, 1};
    claim.reason = "rounding, or what is declared, of the largest numbers: the method itself says what a step is";
    row({TestId::drawn_steps, kind}, "yes", "beside steps of each body in ordinary units", claim,
        [this, kind, share](ForeignSubject& subject) {
          if (&subject == &subject_) return livi::drawn_steps(subject, kind, options_.seed, share);
          return measured_once(TestId::drawn_steps, kind, subject, options_.seed,
                               [&] { return livi::drawn_steps(subject, kind, options_.seed, 1.0 / 8); });
        },
        {{of.wrong, Expected::fails}, {of.right, Expected::passes}});
    if (kind == constrained_langevin) continue;  // its local errors are those without friction
    claim.statement = local_error_statement;
    claim.reason = local_error_reason;
    row({TestId::local_error, kind}, "yes", "single steps of h, h/2, ... beside the exact motion", claim,
        [this, kind](ForeignSubject& subject) {
          const auto measure = [&] { return DrawnSteps(subject, kind, options_.seed).local_error(); };
          if (&subject == &subject_) return measure();
          return measured_once(TestId::local_error, kind, subject, options_.seed, measure);
        },
        {{of.long_drift, Expected::fails}, {of.right, Expected::passes}});
  }
}

}  // namespace livi::foreign_detail
