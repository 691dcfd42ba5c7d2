// SPDX-License-Identifier: MIT
//
// The search for the smallest case in which a refuted declaration fails, for the judge's own sources: what is alike for every
// kind of problem. reproducer.cpp has the problems without constraints, reproducer_constrained.cpp, reproducer_bodies.cpp and
// reproducer_baths.cpp the others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <livi/judge/hints/diagnosis.hpp>

namespace livi::foreign_detail {

/// Returns the shortest text that reads back the same, and "(x1, x2, ...)" of several numbers.
std::string text_of(double x);
std::string text_of(const std::vector<double>& x);

/// The terms of a polynomial: a coefficient, and the variables of which it is a product.
using Terms = std::vector<std::pair<double, std::vector<int>>>;
DyadicPolynomial polynomial(const Terms& terms);
/// Return the constraints of a body on the unit circle, and of two bodies in the plane that are one apart.
Terms unit_circle();
Terms unit_rod();
/// Returns the value of a momentum map at a point.
double value_of(const MomentumMap& map, const TimedPoint<double>& z);

class Reproduction {
 public:
  using Point = TimedPoint<double>;

  /// `kind`: of the problems, whose rows are searched for.
  Reproduction(ForeignSubject& subject, const Judgement& judgement, ProblemKind kind);
  virtual ~Reproduction() = default;
  Reproduction(const Reproduction&) = delete;
  Reproduction& operator=(const Reproduction&) = delete;

  /// Returns the smallest case for a row, or for the first refuted one that has any; without a test if there is none.
  Reproducer find(const std::optional<RowId>& only);

 protected:
  /// A search for a case of the rows of a test, or of a property: it returns whether it has left words and a session.
  struct Way {
    TestId test;
    std::function<bool()> find;
  };
  /// Returns whether a case shows what is looked for, and leaves words and session if so.
  using Fails = std::function<bool(const JudgedProblem&, const Point&, double h)>;

  /// Returns all searches: what one step shows comes first, the order last.
  virtual std::vector<Way> ways() = 0;
  /// Return problems from the simplest one upwards, and their starts.
  [[nodiscard]] virtual const std::vector<JudgedProblem>& problems() const = 0;
  [[nodiscard]] virtual std::vector<Point> starts(const JudgedProblem& problem) const = 0;
  /// Returns the error of a single step of h that is more than rounding, and than what is declared.
  [[nodiscard]] virtual double visible_error(double h) const { return visible_ * std::abs(h); }
  /// Returns the signs that steps may have: there is no noise for a step back.
  [[nodiscard]] virtual std::vector<double> signs_of_steps() const {
    return judgement_.declares.forward ? std::vector<double>{1} : std::vector<double>{1, -1};
  }
  /// Returns a start that is another than z.
  [[nodiscard]] virtual Point elsewhere(const JudgedProblem& problem, const Point& z) const;
  /// Returns the motion from z over a time, rounded.
  [[nodiscard]] virtual Point motion(const JudgedProblem& problem, const Point& z, double time) const = 0;
  /// Returns the closed form of the motion from z as a line of words, if it has one that a reader knows.
  [[nodiscard]] virtual std::string closed_form(const JudgedProblem& problem, const Point& z) const;
  /// Returns the point without what is none of its state.
  [[nodiscard]] virtual Point reduced(const JudgedProblem& problem, const Point& z) const;
  [[nodiscard]] virtual std::string text_of_problem(const JudgedProblem& problem) const;
  [[nodiscard]] virtual std::string text_of_point(const Point& z) const;
  /// Returns whether a row is of this kind.
  [[nodiscard]] virtual bool is_of_this_kind(const RowId& row) const;

  // Ways for every kind.
  bool repetition();
  bool history();
  bool batch();
  bool memory();
  /// Positions off the constraints, velocities across them.
  bool constraint();
  bool hidden_constraint();
  /// A start at another time.
  bool time_of_start();
  bool symmetric();
  /// A step of -h beside one of h with momenta and time turned before and after, where the equations do not change by that.
  bool both_signs();
  /// Errors of single steps that are in proportion to the step: it follows other equations. Or to one of the first `powers`
  /// powers of it, where its order is to be as high. `signs`: those of the steps.
  bool short_steps(const std::vector<double>& signs, int powers = 1);
  bool short_steps() { return short_steps(signs_of_steps()); }
  /// Errors that fall too slowly; `time` is one, of either sign.
  bool order(double time);

  /// A sum of dq_i ^ dp_i of small variations of a start.
  struct Form {
    std::size_t variations;
    std::function<Point(std::size_t which, double by)> varied;
    std::function<std::string(std::size_t which)> name;                   ///< the name of a variation
    std::string text;                                                     ///< the name of the form
    std::function<std::vector<double>(const Point&)> positions, momenta;  ///< q and p of a point
  };
  /// Shows two variations of which a step changes the form; `right` is a method that changes none, for comparison.
  bool form_changes(const JudgedProblem& problem, const Point& z, double h, const Form& form, ForeignSubject& right);

  /// Calls `fails` on problems, starts and steps, small ones first, until it returns true. A step that does not exist is passed
  /// over, and a problem that the method does not take.
  bool search(const std::vector<JudgedProblem>& problems, const Fails& fails) const;
  bool search(const Fails& fails) const { return search(problems(), fails); }
  [[nodiscard]] Point after(const JudgedProblem& problem, const Point& z, double h, long steps = 1) const;
  /// Repeats a session in a process of its own, which is written down.
  void replay(const JudgedProblem& problem, const std::function<void(ForeignRun<double>&)>& session);
  /// Begins the words.
  void describe(const JudgedProblem& problem, const Point& z, double h);
  /// Writes down that steps change what they should not, from one value to another. Returns false where they do not lead to
  /// the same point, which was seen before, in a process of their own: then it is what was before that shows.
  bool show_change(const JudgedProblem& problem, const Point& z, double h, long steps, const std::string& what,
                   const std::optional<Point>& seen = {});
  /// Returns the text of the point that steps have reached, and of what of it counts if that is less.
  [[nodiscard]] std::string reached(const JudgedProblem& problem, const Point& z) const;
  static double difference(const Point& a, const Point& b);

  ForeignSubject& subject_;
  const Judgement& judgement_;
  const ProblemKind kind_;
  std::vector<double> steps_{1, 0.5, 0.25};  ///< from the simplest one
  double visible_;  ///< a defect that a reader can see in the printed numbers, and that no tolerance explains
  std::vector<double>
      normals_;  ///< what a method gets where it asks for noise in a case, then zeros; for problems in a bath
  std::string words_, session_;

 private:
  /// Returns whether a step is another one in a process that has made none but those of the simplest problems before.
  [[nodiscard]] bool carries_something_over() const;
  /// Returns whether the last three errors of steps are as much larger than `visible_error` and in proportion to a power of them.
  [[nodiscard]] bool are_in_proportion(const std::vector<double>& sizes, const std::vector<double>& errors,
                                       int power) const;
  void show_short_steps(const JudgedProblem& problem, const Point& z, const std::vector<double>& sizes,
                        const std::vector<double>& errors, int power);
  /// Shows some numbers, which are to be zero after a step, and are not.
  bool zero_after_steps(const std::function<std::vector<double>(const JudgedProblem&, const Point&)>& values,
                        const std::string& name);
};

/// Returns the smallest case for methods of the kinds constrained or body, or in a heat bath.
Reproducer reproduce_constrained(ForeignSubject& subject, const Judgement& judgement, const std::optional<RowId>& only);
Reproducer reproduce_bodies(ForeignSubject& subject, const Judgement& judgement, const std::optional<RowId>& only);
Reproducer reproduce_baths(ForeignSubject& subject, const Judgement& judgement, const std::optional<RowId>& only);

}  // namespace livi::foreign_detail
