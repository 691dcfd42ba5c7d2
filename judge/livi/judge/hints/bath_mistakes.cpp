// SPDX-License-Identifier: MIT
//
// Mistakes of methods in a heat bath that no law of powers says: what stands for normal numbers, steps whose bath has the size of an
// earlier one, and forces or velocities that are wrong where there is a bath.
#include <livi/judge/hints/bath_places.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <livi/judge/measures/heat_bath.hpp>

namespace livi::foreign_detail {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Point = TimedPoint<double>;

/// What single normal numbers do to bodies at rest, in tiny steps.
class NumbersAtRest {
 public:
  NumbersAtRest(ForeignSubject& subject, const BathPlace& place)
      : subject_(subject), place_(place), rest_(place.start) {
    std::ranges::fill(rest_.p, 0.0);
    silent_ = in_a_session({});
    asked_ = count_;
  }

  [[nodiscard]] std::string mistake(bool is_not_linear) {
    constexpr double nothing = 1e-8;
    const bool moves = silent_.norm() > nothing;
    if (moves && (in_a_session({}) != silent_ || is_of_fixed_numbers()))
      return "it has random numbers of its own: bodies at rest move without a force, and under normal numbers that are "
             "all zero";
    if (asked_ == 0 && !moves && has_no_noise_later())
      return "there is no noise: no normal number is asked for, and bodies at rest stay there";
    if (asked_ == 0) return "";
    // The number that does most shows what is taken for it.
    for (std::size_t j = 0; j < asked_; ++j)
      for (const double x : {-4.0, 4.0})
        if (const VectorXd of = under(j, x); of.norm() > most_.norm()) most_ = of, which_ = j;
    if (!(most_.norm() > 0)) return "";
    if (moves && has_a_mean()) return format("normal numbers have a mean: %.4g is added to each", mean_);
    if (!is_not_linear) return "";
    if (is_taken_for([](double x) { return x * x; })) return "the square of a normal number stands in its place";
    if (is_taken_for([](double x) { return std::abs(x); })) return "the size of a normal number stands in its place";
    if (is_taken_for([](double x) { return x < 0 ? -1.0 : 1.0; }))
      return "nothing but the sign of a normal number counts";
    if (const std::string few = few_values(); !few.empty()) return few;
    return clipped();
  }

 private:
  [[nodiscard]] VectorXd end(ForeignSubject& subject, const std::vector<double>& normals, double size = tiny_step,
                             long steps = 1) {
    Forces<double> forces(place_.problem);
    const auto run = subject.in_double(forces);
    return vector_of(step_in_bath(*run, forces, rest_, normals, size, steps, &count_).p);
  }
  [[nodiscard]] VectorXd in_a_session(const std::vector<double>& normals, double size = tiny_step, long steps = 1) {
    return end(*subject_.another(), normals, size, steps);
  }
  /// Returns whether later steps have no noise either: it may come in every tenth step.
  [[nodiscard]] bool has_no_noise_later() {
    const VectorXd later =
        in_a_session(std::vector<double>(static_cast<std::size_t>(silent_.size()), 1), tiny_step, 64);
    return count_ == 0 && !(later.norm() > 0);
  }
  /// Returns what number j does where it is x and all others are zero.
  [[nodiscard]] VectorXd under(std::size_t j, double x) {
    std::vector<double> normals(j + 1, 0.0);
    normals[j] = x;
    return end(subject_, normals) - silent_;
  }
  /// Returns whether what moves bodies at rest depends on no number of the judge, goes with the root of the step, and is another in
  /// the next step: numbers that each session makes in the same order.
  [[nodiscard]] bool is_of_fixed_numbers() {
    for (const double x : {-8.0, -1.0, 1.0, 8.0})
      if (in_a_session(std::vector<double>(static_cast<std::size_t>(2 * silent_.size()), x)) != silent_) return false;
    return apart(2 * in_a_session({}, tiny_step / 4), silent_) < limit_accuracy &&
           apart(in_a_session({}, tiny_step, 2), 2 * silent_) > limit_accuracy;
  }
  /// Returns whether steps are linear in their numbers but for one that is added to all of them.
  [[nodiscard]] bool has_a_mean() {
    const VectorXd unit = under(which_, 1);
    for (const double x : {-3.0, -1.0, 0.25, 3.0})
      if (!(apart(under(which_, x), x * unit) < limit_accuracy)) return false;
    VectorXd of_ones = VectorXd::Zero(silent_.size());
    for (std::size_t j = 0; j < asked_; ++j) of_ones += under(j, 1);
    mean_ = silent_.dot(of_ones) / of_ones.squaredNorm();
    // The root of a quarter of the step is a half.
    return apart(silent_, mean_ * of_ones) < limit_accuracy &&
           apart(2 * in_a_session({}, tiny_step / 4), silent_) < limit_accuracy;
  }
  /// Returns whether a value stands for the number, times anything and but for what zero does.
  [[nodiscard]] bool is_taken_for(const std::function<double(double)>& value) {
    constexpr std::array places{-3.0, -1.0, -0.25, 0.25, 0.5, 1.0, 2.0, 4.0};
    const double low = std::ranges::min(places, {}, value), high = std::ranges::max(places, {}, value);
    const VectorXd at_low = under(which_, low), unit = (under(which_, high) - at_low) / (value(high) - value(low));
    return std::ranges::all_of(places, [&](double x) {
      const VectorXd expected = at_low + (value(x) - value(low)) * unit;
      return (under(which_, x) - expected).norm() < limit_accuracy * most_.norm();
    });
  }
  /// Returns the sentence on numbers for which one of a few stands.
  [[nodiscard]] std::string few_values() {
    std::vector<double> values;  // as shares of what does most
    for (int k = -64; k <= 64; ++k) {
      // Numbers with many digits, which lie on no one's grid.
      const VectorXd of = under(which_, k / 16.0 + 0x1p-20 / 3);
      const double share = of.dot(most_) / most_.squaredNorm();
      if (!((of - share * most_).norm() < limit_accuracy * most_.norm())) return "";
      if (std::ranges::none_of(values, [&](double known) { return std::abs(known - share) < limit_accuracy; }))
        values.push_back(share);
      constexpr std::size_t few = 8;
      if (values.size() > few) return "";
    }
    return format("for every normal number stands one of %d values", static_cast<int>(values.size()));
  }
  /// Returns the sentence on numbers that are clipped: inside of that a number is itself, just outside and far away it is that, with
  /// its sign.
  [[nodiscard]] std::string clipped() {
    const VectorXd unit = 64 * under(which_, 0x1p-6);
    const double least = under(which_, 8).norm() / unit.norm();
    if (!(least > 0 && least < 8)) return "";
    for (const double x : {0.125, 0.5, 0.75, 0.9, 0.99, 1.01, 1.25, 2.0, 16.0})
      for (const double sign : {-1.0, 1.0}) {
        const double number = sign * x * least;
        if (!(apart(under(which_, number), std::clamp(number, -least, least) * unit) < limit_accuracy)) return "";
      }
    return format("normal numbers are clipped: those beyond %.4g have the effect of that", least);
  }

  ForeignSubject& subject_;
  const BathPlace& place_;
  Point rest_;
  VectorXd silent_, most_ = VectorXd::Zero(place_.size());
  std::size_t asked_ = 0, which_ = 0, count_ = 0;
  double mean_ = 0;
};

/// What the bath of a step does, beside the same step without one: the last one of a run.
struct LastStep {
  VectorXd damping, position;
  MatrixXd noise;
};
/// Returns it for steps of some sizes from a point; `anew` where the last one is after a start of its own, with another size.
LastStep last_step(ForeignSubject& subject, const BathPlace& place, const std::vector<double>& sizes,
                   std::optional<double> anew = {}) {
  Forces<double> forces(place.problem);
  const auto run = subject.in_double(forces);
  Point before;
  const auto end_under = [&](const std::vector<double>& normals, std::size_t* asked = nullptr) {
    forces.normals.clear();
    run->start(place.start);
    for (std::size_t k = 0; k + 1 < sizes.size(); ++k) run->step(sizes[k], 1);
    before = run->point();
    if (anew) run->start(before);
    forces.normals = normals;
    forces.asked = 0;
    run->step(anew.value_or(sizes.back()), 1);
    if (asked) *asked = forces.asked;
    return run->point();
  };
  std::size_t asked = 0;
  const Point silent = end_under({}, &asked);
  LastStep last;
  last.noise.resize(place.size(), static_cast<Eigen::Index>(asked));
  for (std::size_t j = 0; j < asked; ++j) {
    std::vector<double> normals(asked, 0.0);
    normals[j] = 1;
    last.noise.col(static_cast<Eigen::Index>(j)) = place.along(end_under(normals)) - place.along(silent);
  }
  last.position = vector_of(silent.q) - vector_of(before.q);
  // Constraints turn momenta by more than friction changes them: that is taken away.
  const JudgedProblem problem = place.without_bath();
  Forces<double> without(problem);
  const auto free = subject.in_double(without);
  free->start(before);
  free->step(anew.value_or(sizes.back()), 1);
  last.damping = place.along(silent) - place.along(free->point());
  return last;
}

/// Which parts of a step have the size of an earlier one.
struct Kept {
  bool damping, noise, position;
  bool operator==(const Kept&) const = default;
  [[nodiscard]] bool any() const { return damping || noise || position; }
};

}  // namespace

std::string mistake_of_numbers(ForeignSubject& subject, const std::vector<BathPlace>& places, bool is_not_linear) {
  const std::string said = NumbersAtRest(subject, places.front()).mistake(is_not_linear);
  return said.empty() || NumbersAtRest(subject, places.back()).mistake(is_not_linear) != said ? "" : said;
}

std::string mistake_of_sizes(ForeignSubject& subject, const std::vector<BathPlace>& places) {
  // What is left of the limit for h to 0 is some h of it.
  constexpr double near = 0.01, h = 0x1p-10;
  const std::array sizes{h, h / 2, h / 8};
  std::optional<Kept> of_first, of_before;
  for (const BathPlace& place : {places.front(), places.back()})
    for (const bool falls : {true, false}) {
      std::vector<double> three(sizes.begin(), sizes.end());
      if (!falls) std::ranges::reverse(three);
      const LastStep last = last_step(subject, place, three);
      const auto is_of = [&](double size) {
        const LastStep other = last_step(subject, place, three, size);
        return Kept{apart(last.damping, other.damping) < near, apart(last.noise, other.noise) < near,
                    apart(last.position, other.position) < near};
      };
      const Kept right = is_of(three[2]), first = is_of(three[0]), before = is_of(three[1]);
      // Each part is of one size, or nothing is said.
      const auto is_one = [](bool a, bool b, bool c) { return a + b + c == 1; };
      if (!is_one(right.damping, first.damping, before.damping) || !is_one(right.noise, first.noise, before.noise) ||
          !is_one(right.position, first.position, before.position))
        return "";
      if ((of_first && *of_first != first) || (of_before && *of_before != before)) return "";
      of_first = first;
      of_before = before;
    }
  if (of_first->any() == of_before->any()) return "";
  const Kept& kept = of_first->any() ? *of_first : *of_before;
  const std::string what = kept.position && kept.damping && kept.noise ? "all of a step has"
                           : kept.damping && kept.noise                ? "friction and noise have"
                           : kept.damping                              ? "friction has"
                           : kept.noise                                ? "noise has"
                                                                       : "";
  if (what.empty() || (kept.position && !(kept.damping && kept.noise))) return "";
  return "where steps change their size, " + what + " that of " +
         (of_first->any() ? "the first step after a start" : "the step before");
}

std::string mistake_of_motion(ForeignSubject& subject) {
  struct Part {
    const char* name;
    double factor = 1;
    bool is_plain = true;  ///< in proportion to what is right
  };
  std::vector<Part> parts{{"forces"}, {"velocities"}};
  bool is_first = true;
  for (const JudgedProblem& problem : {bodies_in_a_heat_bath(), many_bodies_in_a_heat_bath()}) {
    const Eigen::Index n = problem.size();
    const MatrixXd found = rates_on_springs(subject, problem), right = right_rates_on_springs(problem);
    for (Part& part : parts) {
      const bool of_forces = &part == parts.data();
      const auto block = [&](const MatrixXd& all) {
        return MatrixXd(of_forces ? all.bottomLeftCorner(n, n) : all.topRightCorner(n, n));
      };
      const MatrixXd is = block(found), expected = block(right);
      const double factor = is.cwiseProduct(expected).sum() / expected.squaredNorm();
      part.is_plain = part.is_plain && (is - factor * expected).norm() < limit_accuracy * expected.norm() &&
                      (is_first || std::abs(factor - part.factor) < limit_accuracy);
      if (is_first) part.factor = factor;
    }
    is_first = false;
  }
  std::string said;
  for (const Part& part : parts) {
    if (!part.is_plain) return "";
    if (!(std::abs(part.factor - 1) > limit_accuracy)) continue;
    said += (said.empty() ? "in the bath " : " and ") + std::string(part.name) +
            (std::abs(part.factor) < limit_accuracy       ? " are ignored"
             : std::abs(part.factor + 1) < limit_accuracy ? " have the other sign"
                                                          : format(" are %.4g times what they are to be", part.factor));
  }
  return said;
}

}  // namespace livi::foreign_detail
