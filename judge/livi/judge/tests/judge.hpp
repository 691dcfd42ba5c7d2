// SPDX-License-Identifier: MIT
//
// The judge of one method (judgement.hpp): how rows are made, and which there are. What they measure is in
// measurements.hpp, heat_bath.hpp, constraints.hpp and rigid_bodies.hpp; methods that choose their steps have a judge of their own,
// adaptive_judgement.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/method/declared_accuracy.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/rows/judgement.hpp>
#include <livi/judge/tests/watched_subject.hpp>

namespace livi {

/// Does what judge() does, for a method that takes the kind adaptive.
void judge_adaptive_steps(ForeignSubject& subject, const JudgementOptions& options, Judgement& judgement);

namespace foreign_detail {

/// A measurement of a method: the one that is judged, or a control.
using Measure = std::function<Measured(ForeignSubject&)>;

/// A measurement of a method on a problem.
using MeasureOne = std::function<Measured(ForeignSubject&, const JudgedProblem&)>;
/// Measures on a problem; with a half or a quarter of its step where a step fails, for long ones may have no solution.
Measured with_steps_that_exist(JudgedProblem problem, const std::function<Measured(const JudgedProblem&)>& measure);
/// Returns the worst of a measurement over problems, each with steps that exist. What is visible on one problem refutes, also
/// where another could not be measured.
Measure over(const std::vector<const JudgedProblem*>& problems, const MeasureOne& measure, double visible);
/// Returns a time over which steps of a 2^k-th have as many bits as the step of a problem: at most `most`, three quarters of
/// it at least; a quarter of that where there are many equations, which is less work and tells the order, too.
double time_of(const JudgedProblem& problem, double most);

struct ControlOf {
  BuiltInMethod method;
  Expected expected;
};

class Judge {
 public:
  /// Draws the problems, and leaves out those that the method does not take. Throws ForeignFailure where none is left.
  Judge(ForeignSubject& subject, const JudgementOptions& options, Judgement& result);
  /// Adds all rows that apply.
  void run();

 private:
  friend class ManifoldJudge;
  friend class ConstrainedJudge;
  friend class BodyJudge;
  friend class ConstrainedBathJudge;

  [[nodiscard]] const ForeignDeclaration& declares() const { return result_.declares; }
  [[nodiscard]] bool only_constrained() const {
    return std::ranges::all_of(declares().kinds, [](ProblemKind kind) {
      return kind == ProblemKind::constrained || kind == ProblemKind::constrained_langevin;
    });
  }
  /// Returns whether the method takes no kind but those that have rows of their own beside the others.
  [[nodiscard]] bool has_only_own_rows() const {
    return std::ranges::all_of(declares().kinds, [](ProblemKind kind) {
      return kind == ProblemKind::constrained || kind == ProblemKind::constrained_langevin || kind == ProblemKind::body;
    });
  }
  /// Measures on the subject and on the controls, and adds a row. Without a declaration the measurement is a result.
  void row(const RowId& id, const std::string& declared, const std::string& evidence, Claim claim,
           const Measure& measure, const std::vector<ControlOf>& controls);
  /// Returns whether the method declares to be less accurate than its numbers; then controls are less subtle.
  [[nodiscard]] bool is_coarse() const { return !declared_accuracy(declares()).empty(); }
  /// Returns the control that is not symplectic.
  [[nodiscard]] BuiltInMethod is_not_symplectic() const;
  /// Returns what is said of a symmetric step.
  [[nodiscard]] const char* taken_back() const {
    return declares().forward ? "a step from its end, with momenta turned, leads back"
                              : "a step of -h takes back a step of h";
  }
  /// Says of the last row that it holds within what is declared, and not within rounding.
  void limit_to(double strict);
  /// Adds a row whose controls are to have another number than the method, for they are other methods.
  void row_beside(const RowId& id, const std::string& declared, const std::string& evidence, Claim claim,
                  const Measure& measure, const BuiltInMethod& right, const BuiltInMethod& wrong,
                  const Interval& interval, const std::string& why, const Measure& measure_control = {});
  /// Adds an undecided row for everything declared that no row has judged: silence is no confirmation.
  void what_no_row_judged();
  /// Says of small defects how large they are, and what is seen of them.
  void name_small_defects();
  /// Returns what is seen of small defects, each part after a "; ". A cause that is not seen is not said to be one.
  std::string seen_of_small_defects();
  /// Returns the larger one of the defects of loops and of reversal that are declared, for a step and for an eighth of it.
  std::pair<double, double> defects_of_two_steps();
  /// Returns whether the steps are seen to be drifts and kicks, which no iteration makes.
  bool is_of_drifts_and_kicks();
  /// Returns how far apart the last two positions are at which a step asks for forces, where each of the last three ways from
  /// one to the next is less than half of the one before, as in an iteration; nothing where they are not.
  std::optional<double> where_questions_end();
  /// Returns whether no step could be made, which a row says.
  [[nodiscard]] bool has_no_steps() const {
    return std::ranges::any_of(result_.rows, [](const JudgementRow& row) { return row.id.test == TestId::steps; });
  }
  /// Returns whether the defects of loops or of reversal fall by one power of h, two at least, where the step is halved four
  /// times. What an iteration leaves does not: somewhere on that way it makes a round less, and leaves more.
  bool falls_steadily();
  /// Adds a row that does not apply, with its reason.
  void does_not_apply(const RowId& id, const std::string& why) {
    result_.rows.push_back(row_that_does_not_apply(declares(), id, why));
  }
  /// Adds a row for a property that holds or fails, as declared.
  void property(const RowId& id, std::optional<bool> declared, const std::string& evidence, const std::string& what,
                const Bounds& bounds, const Measure& measure, const BuiltInMethod& without, const BuiltInMethod& with);
  /// Returns the problems on which a property is measured in a number type.
  std::vector<JudgedProblem> problems_for(NumberType type) const;
  /// Returns the worst of the measurements on some problems. An exact defect needs no other beside it.
  static Measured worst_over(const std::vector<JudgedProblem>& problems,
                             const std::function<Measured(const JudgedProblem&)>& measure);
  /// Returns the worst measurement over the problems for a number type.
  Measure over_generic(Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&, NumberType),
                       NumberType type);
  /// Returns the exact defect in double over the cubic problems, those left out on which the subject rounds; not measured
  /// where it does on the first.
  Measured dyadic_defect(ForeignSubject& subject);
  /// Adds the rows of the orders of q and p, from measurements on several problems: the lowest one is the order.
  void order_rows(ProblemKind kind, NumberType numbers, const std::string& evidence,
                  const std::function<std::vector<std::pair<std::string, MeasuredOrder>>(ForeignSubject&)>& every_time,
                  const BuiltInMethod& right = built_in_verlet(),
                  const BuiltInMethod& wrong = built_in_lopsided_verlet());
  /// Returns an order that was measured. Of high orders, of which double may show nothing, says that more digits decide them;
  /// throws ProblemRefused where the rows on many digits do.
  [[nodiscard]] Measured decided_in_digits(Measured order, NumberType numbers) const;
  /// Measures orders from long steps where the motion is that of springs but for a little.
  std::vector<std::pair<std::string, MeasuredOrder>> orders_on_gentle_problems(ForeignSubject& subject,
                                                                               double direction);
  /// Returns whether the subject makes a step on one of the problems; adds an undecided row with the first reason if it
  /// makes none, in place of that reason in every row.
  bool can_step(const std::vector<const JudgedProblem*>& problems, ProblemKind kind);
  // Rows of the table, in its order.
  /// Adds the rows of the kinds mechanical, timed, separable and langevin.
  void rows_of_points();
  void orders();
  void local_orders(NumberType type);
  void symplecticity();
  void symmetry();
  /// Adds what is to hold of a symmetric method beside its reversal, which a method that branches on the sign of h has, too.
  void smooth_symmetry();
  void momenta();
  void cost();
  /// Adds a row for what every method must do, declared or not.
  void duty(const RowId& id, const std::string& evidence, const std::string& what, double bound, const char* reason,
            const Measure& measure, const BuiltInMethod& without);
  /// Returns the control that loses bits, of a method that may lose some.
  [[nodiscard]] BuiltInMethod loses_bits() const;
  void closed_forms();
  /// Gives problems steps that the method makes.
  void make_possible(std::vector<JudgedProblem>& problems) const {
    for (JudgedProblem& problem : problems) problem.h = declares().possible_step(problem.h);
  }
  /// Returns those problems of many sizes that the method takes.
  std::vector<JudgedProblem> accepted_scaled_problems();
  /// Returns whether the motion of a problem is small beside one, where a tolerance is mostly not relative any more.
  static bool is_small(const JudgedProblem& problem);
  void reach();
  /// Adds the rows on steps at drawn places, for every kind.
  void drawn_steps();
  void dependence();
  void backwards();
  void number_types();
  void stability();
  void several_oscillators();
  void later();
  void energy();
  /// Adds the rows of a method with friction and noise.
  void heat_bath();
  /// Adds the rows of a method for constrained systems.
  void constrained();
  /// Adds the rows of such a method in a heat bath.
  void constrained_bath();
  /// Adds the rows of a method for rigid bodies.
  void bodies();

  WatchedSubject subject_;
  JudgementOptions options_;
  JudgedProblems problems_;
  Measurements measurements_;
  Judgement& result_;
  std::optional<bool> falls_steadily_;  ///< once it was measured
};

}  // namespace foreign_detail
}  // namespace livi
