// SPDX-License-Identifier: MIT
//
// Tests what a run depends on: the same run again (repetition), the object that makes the steps (history), the steps
// before (memory), and a run that is saved and resumed (restart).
#include <array>
#include <cmath>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <sstream>

namespace livi::battery_detail {

namespace {

/// Returns the saved state after each of `steps` steps of `h` from the long run's start; empty texts after a failed
/// step.
std::vector<std::string> states_of_run(const Subject& subject, double h, int steps, AnyStepper<double>* between) {
  const auto problem = *first(subject, ProblemRole::long_run);
  const auto stepper = subject.in_double(problem);
  stepper->start(convert_point<double>(subject.problems()[problem].points.front()));
  if (between)
    between->start(convert_point<double>(subject.problems()[*first(subject, ProblemRole::generic)].points.front()));
  std::vector<std::string> states;
  for (int k = 0; k < steps; ++k) {
    if (between) static_cast<void>(between->step(h));
    if (!stepper->step(h).ok()) return {};
    states.push_back(stepper->save());
  }
  return states;
}

int differing(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

/// Returns the number of states in which a second run, or one during which another object makes steps, differs from the
/// first.
double differences_of_repetition(const Subject& subject) {
  constexpr int steps = 1001;  // odd, so that an alternation is out of step in the second run
  constexpr double h = 1.0 / 64;
  const auto once = states_of_run(subject, h, steps, nullptr);
  const auto problem = *first(subject, ProblemRole::generic);
  const auto other = subject.in_double(problem);
  const auto again = states_of_run(subject, h, steps, nullptr), beside = states_of_run(subject, h, steps, other.get());
  if (once.empty() || again.empty() || beside.empty()) return not_a_number;
  return differing(once, again) + differing(once, beside);
}

/// Returns the number of states in which a run whose every step is made by a new object differs from one by a single
/// object.
double differences_of_history(const Subject& subject, int steps) {
  constexpr double h = 1.0 / 64;
  const auto problem = *first(subject, ProblemRole::long_run);
  const auto once = states_of_run(subject, h, steps, nullptr);
  if (once.empty()) return not_a_number;
  const PhasePoint<double> from = convert_point<double>(subject.problems()[problem].points.front());
  const auto piecewise = subject.in_double(problem);
  piecewise->start(from);
  std::string state = piecewise->save();
  std::vector<std::string> states;
  for (int k = 0; k < steps; ++k) {
    piecewise->start(from);
    piecewise->load(state);
    if (!piecewise->step(h).ok()) return not_a_number;
    state = piecewise->save();
    states.push_back(state);
  }
  return differing(once, states);
}

/// Steps that change their size and sign, and end where they began: a long run stays near its start.
constexpr std::array<double, 10> changing_steps{1, 1, 2, -1, -0.5, -0.5, 0.25, -0.25, -2, 0};

/// Returns the number of states that differ between three runs: one object makes all steps; each step is made by a new
/// object from the state saved before; an object that has made other steps is given that state. The runs are on all
/// fixed and drawn problems with at most ten degrees of freedom: M = I, diagonal and full, some with forces that depend
/// on time.
double differences_of_changing_steps(const Subject& subject, int periods) {
  int compared = 0, differ = 0;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!(is_generic(problems[i]) || is_drawn(problems[i])) || problems[i].points.front().q.size() > 10) continue;
    const PhasePoint<double> from = convert_point<double>(problems[i].points.front());
    const double unit = std::exp2(std::floor(std::log2(short_step(problems[i], 0)))) / 4;
    const auto once = subject.in_double(i), by_new = subject.in_double(i), used = subject.in_double(i);
    once->start(from);
    used->start(from);
    for (int k = 0; k < periods * static_cast<int>(changing_steps.size()); ++k) {
      const double h = unit * changing_steps[static_cast<std::size_t>(k) % changing_steps.size()];
      if (h == 0) {  // the used object goes elsewhere in between
        static_cast<void>(used->step(unit));
        continue;
      }
      const std::string before = once->save();
      by_new->start(from);
      by_new->load(before);
      used->load(before);
      const bool ok = once->step(h).ok(), ok_by_new = by_new->step(h).ok(), ok_used = used->step(h).ok();
      if (ok) ++compared;  // two failures are no comparison
      if (ok != ok_by_new || ok != ok_used || (ok && (once->save() != by_new->save() || once->save() != used->save())))
        ++differ;
      if (!ok) break;
      static_cast<void>(used->step(-h / 2));
    }
  }
  return compared == 0 ? not_a_number : differ;
}

/// The number of steps of a piece of a long run. It is a prime, so that something that happens every so many steps is
/// out of step.
constexpr int steps_of_a_piece = 997;
struct RunInPieces {
  double differing_states = 0;  ///< at the ends of pieces, each made by a new object from the state saved before
  double distance = 0;          ///< the largest, at the ends of pieces that are started anew from the point before
  int pieces = 0;               ///< number of pieces compared: all, unless the run left the orbit
};
RunInPieces run_in_pieces(const Subject& subject, int pieces) {
  constexpr double h = 1.0 / 64;
  const auto problem = *first(subject, ProblemRole::long_run);
  const auto straight = subject.in_double(problem), from_state = subject.in_double(problem),
             from_point = subject.in_double(problem);
  const PhasePoint<double> start = convert_point<double>(subject.problems()[problem].points.front());
  straight->start(start);
  RunInPieces result;
  for (int k = 0; k < pieces; ++k) {
    from_state->start(start);
    from_state->load(straight->save());
    from_point->start(straight->point());
    const bool ok = run_steps(*straight, h, steps_of_a_piece).ok(),
               ok_from_state = run_steps(*from_state, h, steps_of_a_piece).ok(),
               ok_from_point = run_steps(*from_point, h, steps_of_a_piece).ok();
    const PhasePoint<double> end = straight->point();
    const bool is_finite = end.q.allFinite() && end.p.allFinite();
    // An unstable method leaves the orbit sooner or later; then the comparisons before are enough.
    if (k >= 2 && ok == ok_from_state && (!ok || !is_finite)) break;
    if (!ok || !ok_from_state || !ok_from_point) return {not_a_number, not_a_number};
    if (straight->save() != from_state->save()) ++result.differing_states;
    const double size = 1 + std::max(end.q.cwiseAbs().maxCoeff(), end.p.cwiseAbs().maxCoeff());
    result.distance = larger(result.distance, distance(end, from_point->point()) / size);
    ++result.pieces;
  }
  return result;
}

/// Returns how much a run changes that is started anew from its own point: in 50 digits after seven steps.
Worst effect_of_memory(const Subject& subject) {
  Worst worst;
  const auto problem = *first(subject, ProblemRole::generic);
  for (const PhasePoint<Float50>& from : subject.problems()[problem].points) {
    const auto stepper = subject.in_50_digits(problem), fresh = subject.in_50_digits(problem);
    const Float50 h = Float50(1) / 8;
    stepper->start(from);
    bool ok = run_steps(*stepper, h, 7).ok();
    fresh->start(stepper->point());
    ok = ok && run_steps(*stepper, h, 3).ok() && run_steps(*fresh, h, 3).ok();
    worst.update(ok ? distance(stepper->point(), fresh->point()) : not_a_number, "after 7 steps");
  }
  return worst;
}

void count_row(Rows& rows, const std::string& test, const std::string& statement, const std::string& how,
               double measured, const std::string& control, double of_control) {
  Claim claim;
  claim.statement = statement;
  claim.how = how;
  claim.measured = measured;
  claim.unit = "states that differ";
  claim.interval = {0, 0};
  claim.reason = "the same operations on the same numbers";
  claim.controls = {{.name = control, .measured = of_control, .interval = {0, 0}}};
  rows.add(test, "yes", std::move(claim));
}

}  // namespace

void test_dependence(const Tested& tested) {
  static const double of_counter = differences_of_repetition(flawed(Flaw::counts_steps));
  count_row(tested.rows, "repetition", "the same run twice, and beside another one, is the same, bitwise",
            "the saved state after each of 1001 steps of h = 1/64, in double",
            differences_of_repetition(tested.subject), "Verlet with a counter shared by all objects", of_counter);

  const int steps = tested.options.quick ? 100 : 300, pieces = tested.options.quick ? 3 : 20,
            periods = tested.options.quick ? 4 : 40;
  const RunInPieces in_pieces = run_in_pieces(tested.subject, pieces);
  static const double of_object = differences_of_history(flawed(Flaw::in_object), 100);
  count_row(
      tested.rows, "history", "the state that is saved, and h, are all that a step depends on, bitwise",
      format("the saved state after each of %d steps, each by a new object, and after each of %d runs of %d steps; on "
             "all problems with at most ten degrees of freedom after each of %d steps whose sizes and signs change, by "
             "one object, by new ones, and by one that has made other steps",
             steps, pieces, steps_of_a_piece, periods * (static_cast<int>(changing_steps.size()) - 1)),
      differences_of_history(tested.subject, steps) + in_pieces.differing_states +
          differences_of_changing_steps(tested.subject, periods),
      "Verlet with a counter in the method", of_object);

  static const double of_state = effect_of_memory(flawed(Flaw::in_state)).value;
  Worst worst = effect_of_memory(tested.subject);
  // In double, a run that is started anew differs by roundings, which grow: on these orbits by less than a million in
  // the time of a piece, 16.
  constexpr double growing_roundings = 1e-8;
  if (!(in_pieces.distance < growing_roundings))
    worst.update(in_pieces.distance, format("in a run of %d steps", pieces * steps_of_a_piece));
  BatteryRow& row = tested.rows.add_defect(
      "memory", !tested.declared.memory, "a step depends on position and momentum alone", worst,
      {{.name = "Verlet with a counter in its state", .measured = of_state}},
      format("distance from a run begun anew: after three steps from the point reached in seven, in 50 "
             "digits; and at the end of each of %d runs of %d steps, in double",
             pieces, steps_of_a_piece),
      in_pieces.pieces == pieces || std::isnan(in_pieces.distance)
          ? ""
          : format("the run leaves the orbit after %d runs", in_pieces.pieces),
      Coefficients::cannot_matter);
  row.undeclared = false;  // a memory is declared
}

void test_restart(const Tested& tested) {
  const std::size_t problem = *first(tested.subject, ProblemRole::generic);
  const PhasePoint<double> at = convert_point<double>(tested.subject.problems()[problem].points.front());
  constexpr double h = 0.125;
  constexpr int steps = 20;
  const auto straight = tested.subject.in_double(problem);
  straight->start(at);
  bool ok = run_steps(*straight, h, steps).ok();
  const std::string end = straight->save();
  const auto saved_after = [&](int cut) {
    const auto interrupted = tested.subject.in_double(problem);
    interrupted->start(at);
    ok = ok && run_steps(*interrupted, h, cut).ok();
    return interrupted->save();
  };
  const auto resumed_end = [&](const std::string& text, int cut) -> std::string {
    const auto resumed = tested.subject.in_double(problem);
    resumed->start(at);
    resumed->load(text);
    return run_steps(*resumed, h, steps - cut).ok() ? resumed->save() : "failed";
  };
  int differ = 0;
  for (int cut = 0; cut <= steps; ++cut) differ += resumed_end(saved_after(cut), cut) == end ? 0 : 1;
  Claim claim;
  claim.statement = "20 steps are k steps, save, load and 20 - k steps, bitwise, for every k";
  claim.how = "the saved text of the two ends compared; a new method object resumes";
  claim.measured = ok ? differ : not_a_number;
  claim.unit = "runs that differ";
  claim.interval = {0, 0};
  claim.reason = "the same operations on the same numbers";
  // The controls are states with one field missing: each line of the saved text in turn is taken from the start of the
  // run instead.
  constexpr int cut = 7;
  const std::string saved = saved_after(cut);
  const auto fresh = tested.subject.in_double(problem);
  fresh->start(at);
  int detected = 0, fields = 0;
  std::istringstream lines(saved), fresh_lines(fresh->save());
  std::vector<std::string> of_saved, of_fresh;
  for (std::string line; std::getline(lines, line);) of_saved.push_back(line);
  for (std::string line; std::getline(fresh_lines, line);) of_fresh.push_back(line);
  for (std::size_t i = 0; i < of_saved.size(); ++i) {
    if (i < of_fresh.size() && of_saved[i] == of_fresh[i]) continue;  // nothing to miss
    ++fields;
    if (i >= of_fresh.size()) continue;
    std::string damaged;
    for (std::size_t k = 0; k < of_saved.size(); ++k) damaged += (k == i ? of_fresh[k] : of_saved[k]) + "\n";
    if (resumed_end(damaged, cut) != end) ++detected;
  }
  claim.controls = {
      {.name = "a state with one field lost", .measured = static_cast<double>(detected), .interval = {0, 0}}};
  tested.rows.add("restart", "yes", std::move(claim),
                  format("%d of the state's %d changing fields are noticed when lost", detected, fields));
}

}  // namespace livi::battery_detail
