// SPDX-License-Identifier: MIT
//
// Searches over drawn steps: the worst of some, and the smallest one that is as wrong.
#include <livi/judge/tests/drawn_steps.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

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

/// How many cases there were, by what was seen.
struct Counts {
  long compared = 0, failed = 0, refused = 0, left_out = 0;
  std::string first_failed;  ///< in ordinary units
};

}  // namespace

Measured drawn_steps(ForeignSubject& subject, ProblemKind kind, std::uint64_t seed, double share) {
  DrawnSteps steps(subject, kind, seed);
  const DrawnRanges& ranges = *std::ranges::find(drawn_ranges(), kind, &DrawnRanges::kind);
  const long draws = std::max(16L, std::lround(share * ranges.draws));
  Counts counts;
  std::vector<std::pair<DrawnCase, double>> differing;
  double largest = 0, absolute = 0;
  for (long k = 0; k < draws; ++k) {
    const DrawnCase drawn = steps.draw();
    const DrawnOutcome outcome = steps.compare(drawn);
    using enum DrawnOutcome::What;
    switch (outcome.what) {
      case differs:
        differing.emplace_back(drawn, outcome.defect);
        absolute = worse(absolute, outcome.absolute);
        [[fallthrough]];
      case agrees:
        ++counts.compared;
        largest = worse(largest, outcome.what == agrees ? outcome.defect : 0);
        break;
      case failed:
        ++counts.failed;
        if (counts.first_failed.empty()) counts.first_failed = steps.failure_in_ordinary_units(drawn);
        break;
      case refused:
        ++counts.refused;
        break;
      case left_out:
        ++counts.left_out;
        break;
    }
  }
  std::string made = format("; %ld draws of seed %llu", counts.compared, static_cast<unsigned long long>(seed));
  if (counts.failed > 0) made += format(", %ld more failed", counts.failed);
  if (counts.refused > 0) made += format(", %ld problems were not taken", counts.refused);
  if (counts.compared == 0) {
    if (counts.refused > 0) throw ProblemRefused("the method takes none of the problems that are drawn");
    return {not_a_number, "no step could be made" + made};
  }
  // Those of a method that acts on all bodies at once are compared with its own errors.
  const bool acts_on_all = 2 * static_cast<long>(differing.size()) > counts.compared;
  int looked_at = 0;
  const auto wrong = std::ranges::find_if(differing, [&](const auto& one) {
    return !acts_on_all || steps.is_wrong(one.first, steps.is_noise_looked_at(one.first, looked_at));
  });
  // An iteration that ends at a tolerance differs a little in many units. A mistake in one place differs in few.
  const bool may_iterate = 8 * static_cast<long>(differing.size()) > counts.compared && absolute < 1e-6;
  if (wrong != differing.end() && may_iterate && declared_accuracy(subject.declares()).empty())
    return {not_a_number, format("%zu differ, by %.2g at most; if an iteration stops there, tolerance=%.0e declares it",
                                 differing.size(), absolute, std::pow(10, std::ceil(std::log10(absolute)))) +
                              made};
  if (wrong != differing.end())
    return {wrong->second, format("draw %llu: ", static_cast<unsigned long long>(wrong->first.number)) +
                               steps.words(wrong->first) + format("; %zu differ", differing.size()) + made};
  if (!counts.first_failed.empty()) return {not_a_number, counts.first_failed + made};
  if (acts_on_all)
    return {1, "steps of several bodies are not those of each alone, within errors of their order" + made};
  return {largest, "within what is allowed" + made};
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
        if (const Measured local = steps.local_error(); local.value > 1)
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
      std::vector<DrawnCase> differing;
      long compared = 0;
      for (int k = 0; k < per_seed && goes_on(); ++k) {
        const DrawnCase drawn = steps.draw();
        const DrawnOutcome outcome = steps.compare(drawn);
        if (outcome.what == failed && hunt.first_failed.empty())
          hunt.first_failed = steps.failure_in_ordinary_units(drawn);
        if (outcome.what == differs) differing.push_back(drawn);
        if (outcome.what != differs && outcome.what != agrees) continue;
        ++compared;
        ++hunt.draws[name];
      }
      const bool acts_on_all = 2 * static_cast<long>(differing.size()) > compared;
      int looked_at = 0;
      const auto wrong = std::ranges::find_if(differing, [&](const DrawnCase& drawn) {
        return !acts_on_all || steps.is_wrong(drawn, steps.is_noise_looked_at(drawn, looked_at));
      });
      const auto is_wrong = [&](const DrawnCase& drawn) {
        return steps.compare(drawn).what == differs && (!acts_on_all || steps.is_wrong(drawn, true));
      };
      if (wrong == differing.end()) continue;
      // What is found is kept before it is made smaller, which an interrupt or the end of the time may stop.
      const std::string row = row_entry({TestId::drawn_steps, kind}).name + (", " + name);
      const auto keep_case = [&](const DrawnCase& drawn) {
        auto others = static_cast<std::size_t>((drawn.t != 0) + (drawn.steps != 1) + (drawn.time != 1));
        for (const DrawnCase::Part& part : drawn.parts)
          others += static_cast<std::size_t>((part.length != 1) + (part.mass != 1) + (part.start != 0));
        const std::array<std::size_t, 2> size{static_cast<std::size_t>(steps.problem_of(drawn).momenta()), others};
        keep(row, size, [&] { return steps.reproducer(drawn); });
      };
      keep_case(*wrong);
      keep_case(
          steps.shrunk(*wrong, most_comparisons, [&](const DrawnCase& drawn) { return goes_on() && is_wrong(drawn); }));
    }
}

}  // namespace livi
