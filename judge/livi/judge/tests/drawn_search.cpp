// SPDX-License-Identifier: MIT
//
// Searches over drawn steps: the worst of some, and the smallest one that is as wrong.
#include <livi/judge/tests/drawn_steps.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <livi/judge/doors/written_session.hpp>
#include <livi/judge/hints/reproduction.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/run_points.hpp>

namespace livi {
using namespace foreign_detail;

std::string DrawnSteps::words(const DrawnCase& drawn) {
  const JudgedProblem problem = problem_of(drawn);
  const TimedPoint<double> start = start_of(drawn);
  const auto [light, heavy] = std::ranges::minmax(problem.masses);
  std::string text = format("%s, n = %d", kind_name(ranges_.kind).c_str(), problem.momenta());
  if (ranges_.kind != ProblemKind::separable && ranges_.kind != ProblemKind::body)
    text += light == heavy ? format(", masses %.6g", light) : format(", masses %.6g to %.6g", light, heavy);
  text += format(", |q| up to %.3g, |p| up to %.3g, t = %.6g, h = %.10g", extent_of(start.q), extent_of(start.p),
                 start.t, problem.h);
  return text + (drawn.steps == 1 ? "" : format(", %ld steps at once", drawn.steps));
}

std::string DrawnSteps::failure_in_ordinary_units(DrawnCase drawn) {
  drawn.time = 1;
  drawn.t = 0;
  for (DrawnCase::Part& part : drawn.parts) part.length = part.mass = 1;
  const DrawnOutcome outcome = compare(drawn);
  return outcome.what == DrawnOutcome::What::failed ? words(drawn) + ": " + outcome.note : "";
}

DrawnCase DrawnSteps::shrunk(DrawnCase drawn, int most, const std::function<bool(const DrawnCase&)>& is_wrong) {
  const auto try_it = [&](const DrawnCase& smaller) {
    if (most-- <= 0 || !is_wrong(smaller)) return false;
    drawn = smaller;
    return true;
  };
  bool has_shrunk = true;
  while (has_shrunk && most > 0) {
    has_shrunk = false;
    // Fewer bodies: halves, quarters, single ones.
    for (std::size_t width = drawn.parts.size() / 2; width > 0; width /= 2)
      for (std::size_t at = 0; at + width <= drawn.parts.size() && drawn.parts.size() > width;) {
        DrawnCase fewer = drawn;
        fewer.parts.erase(fewer.parts.begin() + static_cast<std::ptrdiff_t>(at),
                          fewer.parts.begin() + static_cast<std::ptrdiff_t>(at + width));
        if (!try_it(fewer)) {
          at += width;
        } else {
          has_shrunk = true;
        }
      }
    const auto changed = [&](const auto& change) {
      DrawnCase other = drawn;
      change(other);
      if (try_it(other)) has_shrunk = true;
    };
    if (drawn.t != 0) changed([](DrawnCase& x) { x.t = 0; });
    if (drawn.steps > 1) changed([](DrawnCase& x) { x.steps = 1; });
    if (drawn.steps > 2) changed([](DrawnCase& x) { x.steps /= 2; });
    if (drawn.time != 1) changed([](DrawnCase& x) { x.time = 1; });
    const auto parts = [&](const auto& is_other, const auto& change) {
      if (std::ranges::any_of(drawn.parts, is_other))
        changed([&](DrawnCase& x) {
          for (DrawnCase::Part& part : x.parts) change(part);
        });
    };
    if (!blocks_.front().problem.has_bath()) {
      parts([](const auto& part) { return part.length != 1; }, [](auto& part) { part.length = 1; });
      parts([](const auto& part) { return part.mass != 1; }, [](auto& part) { part.mass = 1; });
    }
    parts([](const auto& part) { return part.start != 0; }, [](auto& part) { part.start = 0; });
  }
  return drawn;
}

Reproducer DrawnSteps::reproducer(const DrawnCase& drawn) {
  const JudgedProblem problem = problem_of(drawn);
  const TimedPoint<double> start = start_of(drawn);
  Reproducer found{
      .test = row_entry({TestId::drawn_steps, ranges_.kind}).name, .words = words(drawn) + "\n", .session = ""};
  constexpr std::size_t few = 12;
  if (problem.potential.terms.size() <= few)
    found.words += "V = " + problem.potential.text("q", problem.size()) + ", masses " + text_of(problem.masses) + "\n";
  if (start.q.size() <= few)
    found.words += "t = " + text_of(start.t) + ", q = " + text_of(start.q) + ", p = " + text_of(start.p) + "\n";
  DrawnOutcome outcome = compare(drawn);
  found.words += format(
      "it differs by %.2g of its size from what the method makes of these bodies alone, in units in which "
      "all is of order one\n",
      outcome.of_all);
  found.session = written_session(
      subject_, problem,
      [&](ForeignRun<double>& run) {
        run.start(start);
        run.step(problem.h, drawn.steps);
      },
      normals(drawn));
  return found;
}

namespace {

/// What was seen of the draws of a judgement.
struct SeenDraws {
  struct Differing {
    DrawnCase drawn;
    DrawnOutcome outcome;
  };
  long draws = 0, compared = 0, failed = 0, refused = 0, left_out = 0, rounded = 0;
  std::string first_failed = {};  ///< in ordinary units
  std::vector<Differing> differing = {};
  double largest = 0;  ///< defect of those that agree

  [[nodiscard]] long not_judged() const { return failed + refused + left_out + rounded; }
  /// Returns whether enough was judged to confirm: half of what the method takes, and a 32nd of all.
  [[nodiscard]] bool is_enough() const { return 2 * compared >= draws - refused && 32 * compared >= draws; }
  [[nodiscard]] std::string words(std::uint64_t seed) const {
    std::string text = counted(draws, "draw") + " of seed " + std::to_string(seed);
    if (not_judged() == 0) return text;
    text += format(", %ld of ", not_judged()) + counted(draws, "draw") + " not judged";
    const char* between = ": ";
    for (const auto& [count, what] :
         {std::pair(failed, "failed"), std::pair(refused, "were declined"),
          std::pair(left_out, "failed in ordinary units"), std::pair(rounded, "hidden by the rounding of t")})
      if (count > 0) text += std::exchange(between, ", ") + format("%ld ", count) + what;
    return text;
  }
};

SeenDraws compared_draws(DrawnSteps& steps, long draws) {
  SeenDraws seen{.draws = draws};
  for (long k = 0; k < draws; ++k) {
    const DrawnCase drawn = steps.draw();
    const DrawnOutcome outcome = steps.compare(drawn);
    using enum DrawnOutcome::What;
    switch (outcome.what) {
      case differs:
        seen.differing.push_back({drawn, outcome});
        ++seen.compared;
        break;
      case agrees:
        ++seen.compared;
        seen.largest = worse(seen.largest, outcome.defect);
        break;
      case failed:
        ++seen.failed;
        if (seen.first_failed.empty()) seen.first_failed = steps.failure_in_ordinary_units(drawn);
        break;
      case refused:
        ++seen.refused;
        break;
      case left_out:
        ++seen.left_out;
        break;
      case rounded:
        ++seen.rounded;
        break;
    }
  }
  return seen;
}

/// Finds the wrong step among those that differ, and what an iteration may have left, which stops at a tolerance. The
/// errors of a method that may act on all bodies at once are looked at: if more than half differ; or if one differs by much, and more
/// than an eighth, or two bodies in ordinary units.
class WrongAmong {
 public:
  WrongAmong(DrawnSteps& steps, const ForeignDeclaration& declares, const std::vector<SeenDraws::Differing>& differing,
             long compared)
      : steps_(&steps),
        many_differ_(8 * std::ssize(differing) > compared),
        acts_on_all_(2 * std::ssize(differing) > compared ||
                     (has_large(differing) && (many_differ_ || steps.couples_bodies()))),
        may_stop_(declared_accuracy(declares).empty()),
        noises_left_(std::clamp(compared / 8, 2L, 8L)) {}
  [[nodiscard]] bool acts_on_all() const { return acts_on_all_; }
  bool operator()(const DrawnCase& drawn, const DrawnOutcome& outcome) {
    // The noise of each of the first ones is looked at, which takes some hundred steps.
    const bool of_noise = acts_on_all_ && steps_->has_noise(drawn) && noises_left_-- > 0;
    if (acts_on_all_) {
      const std::optional<bool> is_wrong = steps_->is_wrong(drawn, of_noise);
      ++(is_wrong ? seen_ : unseen_);
      if (is_wrong != true) return false;
    }
    if (!may_stop_ || !(outcome.absolute < largest_stop)) return true;
    // Each of the first ones is looked at, which takes some hundred steps.
    constexpr int most = 12;
    const auto tolerance = stopped_ < most ? steps_->undeclared_tolerance(drawn, many_differ_) : outcome.absolute;
    if (!tolerance) return true;
    ++stopped_;
    largest_ = std::max({largest_, *tolerance, outcome.absolute});
    return false;
  }
  /// Returns why the cases that differ decide nothing: an iteration may have stopped, or errors could be compared in less than half of
  /// them; empty if they decide.
  [[nodiscard]] std::string why_undecided() const {
    if (stopped_ > 0)
      return format("%d differ, by %.2g at most; if an absolute tolerance explains it, tolerance=%.0e declares it",
                    stopped_, largest_, std::pow(10, std::ceil(std::log10(largest_))));
    return acts_on_all_ && seen_ < std::max(1, unseen_)
               ? "steps couple bodies that do not interact; the errors of too few draws could be compared"
               : "";
  }

 private:
  /// Returns whether a difference is larger than what an iteration leaves.
  static bool has_large(const std::vector<SeenDraws::Differing>& differing) {
    return std::ranges::any_of(differing, [](const auto& one) { return !(one.outcome.absolute < largest_stop); });
  }

  DrawnSteps* steps_;
  bool many_differ_, acts_on_all_, may_stop_;
  int stopped_ = 0, seen_ = 0, unseen_ = 0;
  long noises_left_;
  double largest_ = 0;
};

}  // namespace

Measured drawn_steps(ForeignSubject& subject, ProblemKind kind, std::uint64_t seed, double share) {
  DrawnSteps steps(subject, kind, seed);
  const DrawnRanges& ranges = *std::ranges::find(drawn_ranges(), kind, &DrawnRanges::kind);
  const SeenDraws seen = compared_draws(steps, std::max(16L, std::lround(share * ranges.draws)));
  const std::string made = "; " + seen.words(seed);
  if (seen.compared == 0) {
    if (seen.refused > 0) throw ProblemRefused("the method takes none of the problems that are drawn");
    return {not_a_number, "no step could be made" + made};
  }
  WrongAmong is_wrong(steps, subject.declares(), seen.differing, seen.compared);
  for (const auto& [drawn, outcome] : seen.differing)
    if (is_wrong(drawn, outcome))
      return {outcome.defect, format("draw %llu: ", static_cast<unsigned long long>(drawn.number)) +
                                  steps.words(drawn) + format("; %zu differ", seen.differing.size()) + made};
  if (const std::string why = is_wrong.why_undecided(); !why.empty()) return {not_a_number, why + made};
  if (!seen.first_failed.empty()) return {not_a_number, seen.first_failed + made};
  if (!seen.is_enough())
    return {
        not_a_number,
        format(
            "too few draws were judged, %ld of %ld; to decide it, the method must not fail, or answer 'unsupported' to "
            "problems beyond its limit",
            seen.compared, seen.draws) +
            made};
  Measured measured{seen.largest, "within what is allowed" + made};
  if (is_wrong.acts_on_all()) measured = {1, "steps couple bodies that do not interact; their errors converge" + made};
  if (seen.not_judged() > 0) measured.cause = Cause::some_not_judged;
  return measured;
}

int Hunt::exit_status() const {
  if (!found.empty()) return 1;
  const bool too_few = std::ranges::any_of(not_judged, [this](const auto& of) {
    const auto judged = draws.find(of.first);
    return judged == draws.end() || judged->second < of.second;
  });
  return draws.empty() || too_few || !first_failed.empty() || !first_undecided.empty() ? 2 : 0;
}

void hunt_for_wrong_steps(ForeignSubject& subject, std::uint64_t seed, const std::function<bool()>& goes_on,
                          Hunt& hunt) {
  using enum DrawnOutcome::What;
  constexpr int most_comparisons = 400, per_seed = 256;
  const auto keep = [&](const std::string& row, const std::array<std::size_t, 2>& size,
                        const std::function<Reproducer()>& reproducer) {
    const auto known = hunt.found.find(row);
    if (known == hunt.found.end() || size < known->second.size)
      hunt.found.insert_or_assign(row, Hunt::Found{reproducer(), size});
  };
  for (; goes_on(); ++seed)
    for (const ProblemKind kind : subject.declares().kinds) {
      if (!goes_on()) return;
      DrawnSteps steps(subject, kind, seed);
      const std::string name = kind_name(kind);
      const char* const local_error = row_entry(TestId::local_error).name;
      // What is no number, and a step that fails, are no verdict.
      try {
        const Measured local = steps.local_error();
        if (std::isnan(local.value) && hunt.first_undecided.empty()) hunt.first_undecided = name + ": " + local.note;
        if (local.value > 1)
          keep(local_error + (", " + name), {0, 0}, [&] {
            return Reproducer{.test = local_error,
                              .words = format("seed %llu: ", static_cast<unsigned long long>(seed)) + local.note + "\n",
                              .session = ""};
          });
      } catch (const ForeignRefusal& refusal) {
        if (hunt.first_failed.empty()) hunt.first_failed = refusal.what();
      }
      if (kind == ProblemKind::adaptive || kind == ProblemKind::extended) {
        hunt.draws[name] += 1;
        continue;
      }
      std::vector<SeenDraws::Differing> differing;
      long compared = 0;
      for (int k = 0; k < per_seed && goes_on(); ++k) {
        const DrawnCase drawn = steps.draw();
        const DrawnOutcome outcome = steps.compare(drawn);
        if (outcome.what == failed && hunt.first_failed.empty())
          hunt.first_failed = steps.failure_in_ordinary_units(drawn);
        if (outcome.what == differs) differing.push_back({drawn, outcome});
        const bool is_judged = outcome.what == differs || outcome.what == agrees;
        if (is_judged) ++compared;
        // Where the method has a limit it may decline what is beyond.
        if (outcome.what != refused) ++(is_judged ? hunt.draws : hunt.not_judged)[name];
      }
      WrongAmong is_first_wrong(steps, subject.declares(), differing, compared);
      const auto wrong = std::ranges::find_if(
          differing, [&](const SeenDraws::Differing& one) { return is_first_wrong(one.drawn, one.outcome); });
      if (const std::string why = is_first_wrong.why_undecided(); !why.empty() && hunt.first_undecided.empty())
        hunt.first_undecided = name + ": " + why;
      if (wrong == differing.end()) continue;
      const auto is_wrong = [&](const DrawnCase& drawn) {
        const DrawnOutcome outcome = steps.compare(drawn);
        return outcome.what == differs && (!is_first_wrong.acts_on_all() || steps.is_wrong(drawn, true) == true) &&
               (outcome.absolute >= largest_stop || !steps.undeclared_tolerance(drawn, false));
      };
      // What is found is kept before it is made smaller, which an interrupt or the end of the time may stop.
      const std::string row = row_entry({TestId::drawn_steps, kind}).name + (", " + name);
      const auto keep_case = [&](const DrawnCase& drawn) {
        auto others = static_cast<std::size_t>((drawn.t != 0) + (drawn.steps != 1) + (drawn.time != 1));
        for (const DrawnCase::Part& part : drawn.parts)
          others += static_cast<std::size_t>((part.length != 1) + (part.mass != 1) + (part.start != 0));
        const std::array<std::size_t, 2> size{static_cast<std::size_t>(steps.problem_of(drawn).momenta()), others};
        keep(row, size, [&] { return steps.reproducer(drawn); });
      };
      keep_case(wrong->drawn);
      keep_case(steps.shrunk(wrong->drawn, most_comparisons,
                             [&](const DrawnCase& drawn) { return goes_on() && is_wrong(drawn); }));
    }
}

}  // namespace livi
