// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <livi/judge/tests/judge.hpp>

namespace livi::foreign_detail {

/// What is judged alike of methods whose states lie on a manifold: constrained systems and rigid bodies.
class ManifoldJudge {
 protected:
  using Problems = std::vector<const JudgedProblem*>;

  /// Words for the state, and the methods beside which one is judged: a right one, and wrong ones, by what they do.
  struct Kind {
    const char* state;
    const char* other_form;  ///< the reason of a bound on what a fresh start changes
    BuiltInMethod right, lopsided, absolute_step, counts_steps, remembers, keeps_force, forgets_in_saved, falls_asleep,
        tires, reads_clock;
  };

  ManifoldJudge(Judge& judge, ProblemKind of, Kind kind);
  ~ManifoldJudge() = default;

  /// Returns the order of a method on a problem over a time, of either sign.
  virtual MeasuredOrder order_on(ForeignSubject& subject, const JudgedProblem& problem, double time) = 0;

  /// Takes a problem into lists; where the method does not take it, a row says why.
  void take(const JudgedProblem& problem, std::initializer_list<Problems*> lists);
  /// Throws ForeignFailure where no generic problem was taken.
  void require_problems() const;
  /// Returns whether a step can be made; adds a row that says so if none can.
  [[nodiscard]] bool can_step() const;
  /// Returns the bounds for a method that leaves `times` what its iteration does.
  [[nodiscard]] Bounds bounds_of(double times) const;
  /// Adds a row for what every method must do, declared or not.
  void must(TestId test, const std::string& evidence, const std::string& what, double bound, const char* reason,
            const Measure& measure, const BuiltInMethod& wrong);
  /// Returns the row of a test for this kind of problem.
  [[nodiscard]] RowId row_of(TestId test) const { return {test, of_}; }
  // Rows of the table.
  void orders();
  void dependence();

  Judge& judge_;
  ProblemKind of_;
  Kind kind_;
  Problems generic_;  ///< those without a symmetry
  Problems every_;
  int order_;         ///< declared; 0: not
  double tolerance_;  ///< declared; 0: rounding
  Bounds rounding_ = double_bounds({});

 private:
  std::vector<std::pair<std::string, MeasuredOrder>> orders_in(ForeignSubject& subject, const Problems& problems,
                                                               double time);
  void negative_order();

  std::string refused_;  ///< why a problem was not taken
};

}  // namespace livi::foreign_detail
