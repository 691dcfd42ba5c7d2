// SPDX-License-Identifier: MIT
//
// Tests whether a step solves the given equations if it couples bodies that do not interact: the convergence of its error, and its noise.
#include <livi/judge/tests/drawn_steps.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/method/declared_accuracy.hpp>

namespace livi {
using namespace foreign_detail;

bool DrawnSteps::couples_bodies() {
  // A draw of the kind body has one body. The length of an adaptive step depends on all bodies.
  if (ranges_.length == 0) return false;
  int more = 0;
  for (std::size_t a = 0; a < blocks_.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const DrawnOutcome two = compare(DrawnCase{.parts = {{a, 0, 1, 1}, {b, 0, 1, 1}}, .share = shares_.size() - 1});
      more += two.what == DrawnOutcome::What::differs ? 1 : two.what == DrawnOutcome::What::agrees ? -1 : 0;
    }
  return more > 0;
}

std::optional<bool> DrawnSteps::is_wrong(const DrawnCase& drawn, bool of_noise) {
  const std::optional<bool> is_of_another = is_of_another_equation(drawn);
  return is_of_another.value_or(false) || !of_noise || !has_another_noise(drawn) ? is_of_another : true;
}

bool DrawnSteps::has_noise(const DrawnCase& drawn) const {
  const JudgedProblem& problem = alone(drawn, drawn.parts.front());
  return problem.friction != 0 && problem.temperature != 0;
}

DrawnCase DrawnSteps::without_noise(DrawnCase drawn) const {
  const DrawnCase::Part& part = drawn.parts.front();
  const double friction = alone(drawn, part).friction;
  for (drawn.bath = 0; alone(drawn, part).friction != friction || has_noise(drawn); ++drawn.bath) {
  }
  return drawn;
}

DrawnCase DrawnSteps::alone_in_ordinary_units(DrawnCase drawn, const DrawnCase::Part& part) const {
  drawn.parts = {{part.block, part.start, 1, 1}};
  drawn.time = 1;
  drawn.t = 0;
  return drawn;
}

std::optional<bool> DrawnSteps::falls_slowly(DrawnCase drawn, bool beside_ordinary_units) {
  constexpr int levels = 7, in_a_row_at_least = 3;
  const double power = power_of_local_errors();
  // The round-off error is estimated as in `local_error`: momenta may be differences of positions over h.
  const double floor =
      8 * allowed_ * static_cast<double>(drawn.steps) * (drawn.of_time ? 1 + drawn.t * drawn.t / 16 : 1);
  struct OfPart {
    std::array<std::vector<double>, 2> errors;  ///< errors of q and p, at least what rounding is
    std::array<int, 2> in_a_row;
    Sizes size;
  };
  std::vector<OfPart> parts(drawn.parts.size(), OfPart{{}, {0, 0}, {0, 0}});
  for (drawn.level = 0; drawn.level < levels; ++drawn.level) {
    TimedPoint<double> start;
    std::string why;
    bool refused = false;
    const std::optional<TimedPoint<double>> end = run(drawn, start, why, refused);
    if (!end || !std::isfinite(size_of(*end))) return std::nullopt;
    Sizes of_all{0, 0};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const DrawnCase::Part& part = drawn.parts[k];
      const auto& right = exact(drawn, part);
      if (!right) return std::nullopt;
      const JudgedProblem& problem = alone(drawn, part);
      const TimedPoint<double>& from = blocks(drawn.of_time)[part.block].starts[part.start];
      const double heaviest = problem.kind == ProblemKind::separable ? 1 : extent_of(problem.masses),
                   length = std::abs(part.length);
      Sizes& size = parts[k].size;
      size.q = std::max({size.q, extent_of(from.q), extent_of(right->q)});
      size.p = std::max(
          {size.p, extent_of(from.p), extent_of(right->p), heaviest * size.q * 0x1p-12 / std::abs(share_of(drawn))});
      of_all.q = std::max(of_all.q, size.q * length);
      of_all.p = std::max(of_all.p, size.p * part.mass * length / drawn.time);
      add_declared(drawn, part, of_all);
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const DrawnCase::Part& part = drawn.parts[k];
      const TimedPoint<double> own = reduced(alone(drawn, part), part_of(drawn, k, *end));
      const TimedPoint<double>& right = *exact(drawn, part);
      const double length = std::abs(part.length);
      std::array<double, 2> in_ordinary_units{0, 0};
      if (beside_ordinary_units) {
        const Base& made = base(drawn, part);
        if (made.ends.size() < static_cast<std::size_t>(drawn.steps)) return std::nullopt;
        const TimedPoint<double>& other = made.ends[static_cast<std::size_t>(drawn.steps - 1)];
        in_ordinary_units = {largest_difference(other.q, right.q), largest_difference(other.p, right.p)};
      }
      const std::array<double, 2> errors{largest_difference(own.q, right.q), largest_difference(own.p, right.p)},
          floors{floor * of_all.q / length, floor * of_all.p / (part.mass * length / drawn.time)};
      for (std::size_t of = 0; of < errors.size(); ++of) {
        std::vector<double>& before = parts[k].errors[of];
        double bound = floors[of];
        for (std::size_t j = 0; j < before.size(); ++j)
          bound = std::max(bound, before[j] * std::exp2(-2 * power * static_cast<double>(before.size() - j)));
        int& in_a_row = parts[k].in_a_row[of];
        // Steps that are no less exact than those in ordinary units are steps of these equations.
        in_a_row = !before.empty() && errors[of] > bound && errors[of] > in_ordinary_units[of] ? in_a_row + 1 : 0;
        if (in_a_row >= in_a_row_at_least) return true;
        before.push_back(std::max(errors[of], floors[of]));
      }
    }
  }
  return false;
}

std::optional<bool> DrawnSteps::falls_slowly_in_ordinary_units(const DrawnCase& drawn, const DrawnCase::Part& part) {
  Key key = key_of(drawn, part);
  key.back() = static_cast<std::size_t>(drawn.steps);
  const auto known = slow_.find(key);
  if (known != slow_.end()) return known->second;
  return slow_[key] = falls_slowly(alone_in_ordinary_units(drawn, part), false);
}

std::optional<bool> DrawnSteps::is_of_another_equation(const DrawnCase& with_noise) {
  const DrawnCase drawn = without_noise(with_noise);
  const std::optional<bool> slowly = falls_slowly(drawn, false);
  if (slowly != true) return slowly;
  // Other rows judge errors that fall slowly in ordinary units.
  if (std::ranges::any_of(drawn.parts, [&](const DrawnCase::Part& part) {
        return falls_slowly_in_ordinary_units(drawn, part) == true;
      }))
    return std::nullopt;
  return falls_slowly(drawn, true);
}

std::optional<std::vector<double>> DrawnSteps::covariance(const DrawnCase& drawn) {
  const JudgedProblem problem = problem_of(drawn);
  const TimedPoint<double> start = start_of(drawn);
  Forces<double> forces(problem);
  // Returns the momenta in ordinary units after a step under one normal number.
  std::unique_ptr<ForeignRun<double>> run;
  const auto momenta_under = [&](std::size_t which, double number) {
    forces.normals.assign(which + 1, 0.0);
    forces.normals[which] = number;
    forces.asked = 0;
    run->start(start);
    run->step(problem.h, 1);
    const TimedPoint<double> end = run->point();
    std::vector<double> all;
    for (std::size_t k = 0; k < drawn.parts.size(); ++k)
      for (const double p : reduced(alone(drawn, drawn.parts[k]), part_of(drawn, k, end)).p) all.push_back(p);
    return all;
  };
  try {
    run = subject_.in_double(forces);
    const std::size_t n = momenta_under(0, 0).size(), numbers = forces.asked;
    if (numbers > most_normals) return std::nullopt;
    std::vector<double> all(n * n, 0.0);
    for (std::size_t which = 0; which < numbers; ++which) {
      std::vector<double> change = momenta_under(which, 1);
      const std::vector<double> other = momenta_under(which, -1);
      for (std::size_t i = 0; i < n; ++i) change[i] = (change[i] - other[i]) / 2;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n && change[i] != 0; ++j)
          all[i * n + j] += change[i] * change[j] / std::abs(share_of(drawn));
    }
    return all;
  } catch (const ForeignRefusal&) {
    return std::nullopt;
  }
}

bool DrawnSteps::has_another_noise(const DrawnCase& with_steps) {
  if (!blocks_.front().problem.has_bath() || !has_noise(with_steps)) return false;
  DrawnCase drawn = with_steps;
  drawn.steps = 1;
  constexpr int levels = 5, in_a_row_at_least = 3;
  constexpr double floor = 0x1p-16;
  std::vector<double> before;
  int in_a_row = 0;
  for (drawn.level = 0; drawn.level < levels && in_a_row < in_a_row_at_least; ++drawn.level) {
    auto all = covariance(drawn);
    if (!all) return false;
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(all->size()))));
    double size = 0, difference = 0;
    std::size_t first = 0;
    for (const DrawnCase::Part& part : drawn.parts) {
      const Key key = key_of(drawn, part);
      if (!covariances_.contains(key)) covariances_[key] = covariance(alone_in_ordinary_units(drawn, part));
      const auto& own = covariances_[key];
      if (!own) return false;
      size = std::max(size, extent_of(*own));
      const auto m = static_cast<std::size_t>(alone(drawn, part).momenta());
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) (*all)[(first + i) * n + first + j] -= (*own)[i * m + j];
      first += m;
    }
    difference = extent_of(*all) / size;
    // The difference of a right method is proportional to h and falls by four. Without noise in ordinary units it is not finite.
    if (!std::isfinite(difference)) return false;
    double bound = floor;
    for (std::size_t j = 0; j < before.size(); ++j)
      bound = std::max(bound, before[j] * std::exp2(-static_cast<double>(before.size() - j)));
    in_a_row = !before.empty() && difference > bound ? in_a_row + 1 : 0;
    before.push_back(std::max(difference, floor));
  }
  return in_a_row >= in_a_row_at_least;
}

std::optional<double> DrawnSteps::undeclared_tolerance(const DrawnCase& drawn, bool also_relative) {
  if (!declared_accuracy(subject_.declares()).empty()) return std::nullopt;
  double largest = 0;  // difference
  double moved = 0;    // in the last step that differs
  // Returns the defect of a case, or 0 if its step agrees or differs by a small relative error. Returns NaN if the step fails, or if the
  // difference is too large for an iteration.
  const auto defect_of = [&](const DrawnCase& one) {
    const DrawnOutcome outcome = compare(one);
    using enum DrawnOutcome::What;
    if (outcome.what == agrees || outcome.what == rounded ||
        (also_relative && outcome.what == differs && outcome.of_all < largest_stop))
      return 0.0;
    moved = outcome.moved;
    if (outcome.what != differs || !(outcome.absolute < largest_stop)) return not_a_number;
    largest = std::max(largest, outcome.absolute);
    return outcome.defect;
  };
  DrawnCase seen = drawn;
  if (!(defect_of(seen) > 0)) return defect_of(seen) == 0 ? std::optional(largest) : std::nullopt;
  // One body has one size, and a long step takes many iterations.
  for (const DrawnCase::Part& part : drawn.parts) {
    DrawnCase one = drawn;
    one.parts = {part};
    if (drawn.parts.size() == 1 || !(defect_of(one) > 0)) continue;
    seen = one;
    break;
  }
  // Errors of several steps may grow beyond what an iteration leaves.
  if (DrawnCase single = seen; seen.steps > 1) {
    single.steps = 1;
    if (defect_of(single) > 0) seen = single;
  }
  std::size_t longest = drawn.share;
  for (std::size_t k = 0; k < shares_.size(); ++k)
    if (shares_[k] / shares_[longest] > 1) longest = k;
  DrawnCase longer = seen;
  longer.share = longest;
  longer.time *= shares_[drawn.share] / shares_[longest];
  if (defect_of(longer) > 0) seen = longer;
  // Positions and momenta are larger in other units of length, momenta in other units of time.
  const auto larger = [&](int powers_of_four) {
    DrawnCase other = seen;
    for (DrawnCase::Part& part : other.parts)
      if (ranges_.length > 0) part.length = std::ldexp(part.length, 2 * powers_of_four);
    if (ranges_.length == 0) other.time = std::ldexp(other.time, -2 * powers_of_four);
    return defect_of(other);
  };
  // A mistake in a range of sizes has the same relative size everywhere in the range. The residual of an iteration has not.
  constexpr int most = 128, most_smaller = 16;
  constexpr double less = 4;
  const double first = larger(0);
  double now = first;
  bool falls = false;
  int k = 1;
  for (; k < most; ++k) {
    const double next = larger(k);
    if (std::isnan(next)) return std::nullopt;
    if (next == 0) break;
    falls = falls || next * less < now;
    now = std::min(now, next);
  }
  if (k == most) return std::nullopt;
  if (ranges_.length > 0 && moved < least_motion) return largest;
  for (int smaller = 1; smaller <= most_smaller && !falls; ++smaller) falls = larger(-smaller) > less * first;
  // Newton's iteration may end after its first round, which is a step of these equations.
  return falls || is_of_another_equation(seen) != true ? std::optional(largest) : std::nullopt;
}

}  // namespace livi
