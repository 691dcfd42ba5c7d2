// SPDX-License-Identifier: MIT
//
// Single steps at random places. The equations of motion do not change with the units of length, mass and time, and bodies that do
// not interact move as each body does alone. A step of several bodies in units of their own therefore equals the method's own steps
// of each body alone in ordinary units, up to round-off. This test needs no constant that depends on the method. Steps of each body
// alone are compared with the exact motion: their error falls at least as h^2.
//
// Some methods act on all bodies at once, for example those that conserve the energy. If more than half of the steps differ, their
// steps are compared with the exact motion, at temperature 0 if there is friction. If errors of shorter and shorter steps fall as h, the
// steps solve another equation; errors of a right method fall at least as h^2. The covariance of the noise is compared with the
// covariance in ordinary units.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>
#include <livi/judge/rows/judgement.hpp>

namespace livi {

/// The ranges from which steps of a kind are drawn, and how many are in a judgement. What is outside is not seen.
struct DrawnRanges {
  ProblemKind kind;
  int coordinates;  ///< n is from 1, or what the smallest problem has, to this
  int length;       ///< binary digits of the sizes of positions, of either sign
  int mass;         ///< binary digits of masses
  int time;         ///< binary digits of h
  int start;        ///< binary digits of the time of the start
  int steps;        ///< asked for at once
  int draws;        ///< in a judgement
};
const std::vector<DrawnRanges>& drawn_ranges();
/// Returns the ranges as a table of Markdown: of all kinds, or of those for which `has_kind` returns true.
std::string table_of_drawn_ranges(const std::function<bool(const std::string&)>& has_kind = nullptr);

/// A problem in ordinary units, with starts.
struct DrawnBlock {
  JudgedProblem problem;
  std::vector<TimedPoint<double>> starts;
};
/// Returns the problems of which drawn ones are made. `of_time`: forces depend on time.
std::vector<DrawnBlock> drawn_blocks(ProblemKind kind, std::uint64_t seed, bool of_time);
/// Returns two problems with more bodies, in which any two may interact; none for kinds whose length has no unit.
std::vector<DrawnBlock> drawn_networks(ProblemKind kind, std::uint64_t seed);

/// A step at a drawn place.
struct DrawnCase {
  struct Part {
    std::size_t block, start;
    double length, mass;  ///< the units
  };
  std::uint64_t number = 0;  ///< which one of its seed
  std::vector<Part> parts = {};
  std::size_t share = 0;  ///< which of the shares of the unit of time a step is
  double time = 1;        ///< the unit
  long steps = 1;         ///< asked for at once
  bool of_time = false;   ///< forces depend on time
  double t = 0;           ///< the time of the start; where forces depend on it, in units of the time
  std::size_t bath = 0;   ///< which of the baths
  int level = 0;          ///< a step is shorter by as many powers of four
};

/// What is seen of a case.
struct DrawnOutcome {
  enum class What { agrees, differs, failed, refused, left_out, rounded } what = What::left_out;
  double defect = 0;    ///< over what is allowed
  double of_all = 0;    ///< the largest difference, over the size of what it is of
  double absolute = 0;  ///< the largest difference of positions or of momenta, over their size where that is above one
  double moved = 0;     ///< the largest change of a position in one step
  std::string note = {};
};

/// Draws steps of one kind, and compares those of one subject, which must outlive it.
class DrawnSteps {
 public:
  static constexpr unsigned count_of_baths = 4;      ///< that are drawn
  static constexpr unsigned count_of_frictions = 5;  ///< these, and one with friction and without noise

  DrawnSteps(ForeignSubject& subject, ProblemKind kind, std::uint64_t seed);

  /// Returns the next case.
  DrawnCase draw();
  /// Compares a step with the steps in ordinary units. If a method takes the times t and t + h, the rounding of t changes h: a difference
  /// that this explains, and that a start at time 0 does not have, is `rounded`.
  DrawnOutcome compare(const DrawnCase& drawn);
  /// Returns whether a step of two problems that do not interact is another one than the steps of each, in ordinary units, for most pairs.
  bool couples_bodies();
  /// Returns whether a step does not solve the given equations, for a method that couples bodies. `of_noise`: also looks at its noise.
  /// Returns nothing if the errors cannot be compared.
  std::optional<bool> is_wrong(const DrawnCase& drawn, bool of_noise);
  /// Returns whether errors of shorter and shorter steps fall more slowly than h^(r + 1/2), as in `local_error`, and are larger than in
  /// ordinary units, where they fall faster.
  /// Returns nothing if they do in ordinary units too, which other rows judge, or if a step fails or has no exact motion.
  std::optional<bool> is_of_another_equation(const DrawnCase& drawn);
  /// Returns whether the noise has another covariance than in ordinary units, also in short steps.
  bool has_another_noise(const DrawnCase& drawn);
  /// Returns the largest difference found if an absolute tolerance explains it that is not declared. Either an iteration stops there: in
  /// larger units the difference decreases and ends at round-off. Or a motion is taken for none: no step that differs moves a position
  /// by `least_motion`. `also_relative`: the difference may also end at a small share of the numbers.
  std::optional<double> undeclared_tolerance(const DrawnCase& drawn, bool also_relative);
  /// Returns the smallest case found that is as wrong, by at most `most` comparisons.
  DrawnCase shrunk(DrawnCase drawn, int most, const std::function<bool(const DrawnCase&)>& is_wrong);
  [[nodiscard]] std::string words(const DrawnCase& drawn);
  /// Returns what fails where the units of a case are one and its time is zero; empty if nothing does.
  std::string failure_in_ordinary_units(DrawnCase drawn);
  /// Returns words and session of a case.
  Reproducer reproducer(const DrawnCase& drawn);
  /// Returns by how much errors of steps of each problem alone fall more slowly than by h^(r + 1/2), at most; one or less is right. r is
  /// the declared order, and at most `highest_local_order`; 1 for methods with memory, adaptive ones, and in a bath.
  Measured local_error();

  [[nodiscard]] JudgedProblem problem_of(const DrawnCase& drawn) const;
  [[nodiscard]] double step_of(const DrawnCase& drawn) const { return share_of(drawn) * drawn.time; }
  [[nodiscard]] bool has_noise(const DrawnCase& drawn) const;

 private:
  struct Base {
    std::vector<TimedPoint<double>> ends;  ///< after one step, two, ...
    bool has_ended;                        ///< the next step failed
    bool is_refused;                       ///< the method declined the problem
    std::vector<double> v, g;              ///< velocities and gradient at the start
  };
  /// Sizes of positions and momenta.
  struct Sizes {
    double q, p;
  };
  using Key = std::array<std::size_t, 6>;

  static constexpr int highest_local_order = 4;
  [[nodiscard]] double power_of_local_errors() const;
  DrawnOutcome compare(const DrawnCase& drawn, bool times_are_rounded);
  [[nodiscard]] const std::vector<DrawnBlock>& blocks(bool of_time) const { return of_time ? timed_ : blocks_; }
  [[nodiscard]] const JudgedProblem& alone(const DrawnCase& drawn, const DrawnCase::Part& part) const {
    return alone_[drawn.of_time ? 1 : 0][part.block * count_of_frictions + drawn.bath];
  }
  const Base& base(const DrawnCase& drawn, const DrawnCase::Part& part);
  std::optional<TimedPoint<double>> run(const DrawnCase& drawn, TimedPoint<double>& start, std::string& why,
                                        bool& refused);
  /// Returns the exact motion of a part alone over the steps of a case, in ordinary units.
  const std::optional<TimedPoint<double>>& exact(const DrawnCase& drawn, const DrawnCase::Part& part);
  [[nodiscard]] Key key_of(const DrawnCase& drawn, const DrawnCase::Part& part) const;
  /// Returns the step in units of the time.
  [[nodiscard]] double share_of(const DrawnCase& drawn) const {
    return std::ldexp(shares_[drawn.share], -2 * drawn.level);
  }
  /// Returns a case with the same friction and without noise.
  [[nodiscard]] DrawnCase without_noise(DrawnCase drawn) const;
  /// Returns a part of a case alone, in ordinary units.
  [[nodiscard]] DrawnCase alone_in_ordinary_units(DrawnCase drawn, const DrawnCase::Part& part) const;
  /// Makes sizes at least those below which a declared tolerance is absolute.
  void add_declared(const DrawnCase& drawn, const DrawnCase::Part& part, Sizes& of_all) const;
  /// Return whether errors of steps shorter by powers of four fall more slowly than by h^(r + 1/2), three times in a row. Return nothing
  /// if a step fails or has no exact motion. `beside_ordinary_units`: only errors that are larger than there count.
  std::optional<bool> falls_slowly(DrawnCase drawn, bool beside_ordinary_units);
  std::optional<bool> falls_slowly_in_ordinary_units(const DrawnCase& drawn, const DrawnCase::Part& part);
  /// Returns the covariance matrix of all momenta after a step, row by row, divided by the step size, in ordinary units. Costs two steps
  /// for each normal number of a step. Returns nothing if a step fails or takes more than `most_normals` of them.
  std::optional<std::vector<double>> covariance(const DrawnCase& drawn);
  static constexpr std::size_t most_normals = 32;
  [[nodiscard]] TimedPoint<double> start_of(const DrawnCase& drawn) const;
  /// Returns the part of a point that belongs to one block, in ordinary units.
  [[nodiscard]] TimedPoint<double> part_of(const DrawnCase& drawn, std::size_t which,
                                           const TimedPoint<double>& z) const;
  [[nodiscard]] std::vector<double> normals(const DrawnCase& drawn) const;
  /// What is spread evenly over the draws of a seed, each for itself, so that no range of it is left out by chance.
  enum class Spread { n, steps, time, length, mass, start };
  static constexpr std::size_t count_of_spreads = 6;
  /// Return a number from 0 to 1, for this draw, or from the generator.
  double spread(Spread of);
  double uniform();
  /// Return the binary logarithm of a number within 2^-bits and 2^bits, and the number, of which u is the share.
  static double exponent(int bits, double u);
  double number(int bits, double u);

  ForeignSubject& subject_;
  std::uint64_t seed_;
  DrawnRanges ranges_;
  DrawnNumbers random_;
  std::vector<DrawnBlock> blocks_, timed_;
  std::array<std::vector<JudgedProblem>, 2> alone_;  ///< each block in each bath, without and with forces of time
  std::vector<double> shares_;
  std::array<double, count_of_spreads> shifts_{};
  std::map<Key, Base> bases_;
  std::map<Key, std::optional<TimedPoint<double>>> exact_;
  std::map<Key, std::optional<bool>> slow_;
  std::map<Key, std::optional<std::vector<double>>> covariances_;
  std::uint64_t drawn_ = 0;
  long drawn_at_once_ = 0;       ///< several steps; it begins anywhere
  double allowed_;               ///< the relative difference that is none
  bool has_own_normals_ = true;  ///< each coordinate has a normal number of its own
};

/// Returns the worst of as many drawn steps of a kind as there are in a judgement: over what is allowed, one is the bound.
/// `share`: of that number.
Measured drawn_steps(ForeignSubject& subject, ProblemKind kind, std::uint64_t seed, double share);

namespace foreign_detail {

/// Returns a point without what is none of its state.
inline TimedPoint<double> reduced(const JudgedProblem& problem, TimedPoint<double> z) {
  if (problem.has_constraints() && std::isfinite(size_of(z))) z.p = Manifold<double>(problem).tangent(z.q, z.p);
  return z;
}
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = worse(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace foreign_detail

/// What the rows say on errors of single steps.
inline constexpr const char
    *local_error_statement = "the error of a step of h falls as its order says, at least by h^(3/2)",
    *local_error_reason =
        "a step of another equation has an error in proportion to h; one of order r has one of h^(r + 1), "
        "which is asked up to r = 4";

/// Differences that an iteration may leave which stops at an absolute tolerance.
inline constexpr double largest_stop = 1e-6;
/// Steps that move positions by less may be taken for none: it is the round-off of numbers of order ten.
inline constexpr double least_motion = 0x1p-49;

/// What a hunt has seen.
struct Hunt {
  struct Found {
    Reproducer reproducer;
    /// Number of momenta, and of what is not zero or one, by which the smallest case is kept.
    std::array<std::size_t, 2> size;
  };
  std::map<std::string, long> draws = {};       ///< steps that could be compared, by kind
  std::map<std::string, long> not_judged = {};  ///< steps that failed or were declined, by kind
  std::map<std::string, Found> found = {};      ///< the smallest wrong step, by row
  std::string first_failed;                     ///< in ordinary units
  std::string first_undecided;                  ///< why steps that differ decide nothing

  /// Returns 1 if a step is wrong; 2 if nothing can be said: no step could be compared, or fewer than were not, or some stop at a
  /// tolerance or fail in ordinary units; else 0.
  [[nodiscard]] int exit_status() const;
};
/// Draws steps of all kinds that a method takes, with one seed after the other, until `goes_on` returns false. A step that
/// differs is made smaller. What was seen so far is in `hunt`, also where it is left by an exception.
void hunt_for_wrong_steps(ForeignSubject& subject, std::uint64_t seed, const std::function<bool()>& goes_on,
                          Hunt& hunt);

}  // namespace livi
