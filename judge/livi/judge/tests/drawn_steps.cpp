// SPDX-License-Identifier: MIT
#include <livi/judge/tests/drawn_steps.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <livi/judge/measures/adaptive_steps.hpp>
#include <livi/judge/measures/extrapolation.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/rigid_body_motion.hpp>
#include <livi/judge/tests/falling_errors.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using Point = TimedPoint<double>;
using Seen = DrawnOutcome::What;

/// Binary digits of units where numbers have 24 bits, or equations are solved to an absolute tolerance.
constexpr int single_bits = 12;
/// The relative difference that is none: 4096 roundings, for the sums of a step over 64 bodies, and what an iteration leaves that
/// ends where rounding begins. A wrong step differs by a share of its length, which is 2^-9 of the motion or more.
constexpr double rounding_of_steps = 0x1p-40;
/// Steps over the unit of the time: from 2^-9 to 2^-1, of both signs.
constexpr std::size_t count_of_shares = 14;
/// Friction and temperature of the baths, in units.
struct BathOf {
  double friction, temperature;
};
constexpr std::array<BathOf, DrawnSteps::count_of_frictions> baths{
    {{0.75, 1.5}, {2, 0.5}, {0.75, 0}, {0, 1.5}, {2, 0}}};

bool is_of_time(ProblemKind kind) { return kind == ProblemKind::timed; }

/// Returns the coefficients of a polynomial in q where q is in units of `length`, times `energy`. `time`: the unit of the time, which
/// begins `later` of it later, of the variable `size`.
DyadicPolynomial in_units(const DyadicPolynomial& of, double energy, double length, int size, double time, double later,
                          int first) {
  DyadicPolynomial to;
  for (const Monomial& term : of.terms) {
    double coefficient = term.coefficient * energy;
    Monomial moved{0, {}};
    int power = 0;
    for (const auto& [variable, exponent] : term.factors) {
      if (variable >= size) {
        power = exponent;
        continue;
      }
      coefficient *= std::pow(length, -exponent);
      moved.factors.emplace_back(variable + first, exponent);
    }
    // s^k, s = t / time - later
    double choose = 1;
    for (int k = power; k >= 0; --k) {
      Monomial one = moved;
      one.coefficient = coefficient * choose * std::pow(time, -k) * std::pow(-later, power - k);
      if (k > 0) one.factors.emplace_back(-1, k);  // the number of the time is not known here
      if (one.coefficient != 0) to.terms.push_back(std::move(one));
      choose = choose * k / (power - k + 1);
    }
  }
  return to;
}

/// The motion of a problem alone, in double; with friction, and without noise.
std::optional<Point> motion_of(const JudgedProblem& problem, const Point& from, double time) {
  using State = std::vector<double>;
  State z = joined(from);
  z.push_back(from.t);
  const auto n = static_cast<std::ptrdiff_t>(problem.size()), m = static_cast<std::ptrdiff_t>(problem.momenta());
  const double tolerance = rounding_of_steps / 4 * std::max(size_of(from), 0x1p-10);
  const auto moved = [&](const auto& motion) {
    return extrapolated_motion(
        [&](const State& x) {
          State rates = motion(x);
          for (std::ptrdiff_t i = n; i < n + m && problem.friction != 0; ++i)
            rates[static_cast<std::size_t>(i)] -= problem.friction * x[static_cast<std::size_t>(i)];
          rates.push_back(1);
          return rates;
        },
        z, time, tolerance);
  };
  std::optional<State> end;
  if (problem.has_constraints()) {
    const Manifold<double> manifold(problem);
    end = moved([&](const State& x) { return manifold.motion({x.begin(), x.end() - 1}); });
  } else if (problem.kind == ProblemKind::body) {
    const RigidBody<double> body(problem);
    end = moved([&](const State& x) { return body.motion(x); });
  } else {
    Forces<double> forces(problem);
    end = moved([&](const State& x) {
      State rates = forces.velocity({x.begin() + n, x.end() - 1});
      for (const double g : forces.gradient(x.back(), {x.begin(), x.begin() + n})) rates.push_back(-g);
      return rates;
    });
  }
  if (!end) return std::nullopt;
  return Point{from.t + time, {end->begin(), end->begin() + n}, {end->begin() + n, end->begin() + n + m}};
}

}  // namespace

DrawnSteps::DrawnSteps(ForeignSubject& subject, ProblemKind kind, std::uint64_t seed)
    : subject_(subject),
      seed_(seed),
      ranges_(*std::ranges::find(drawn_ranges(), kind, &DrawnRanges::kind)),
      random_(seed ^ 0xd2a3U),
      blocks_(drawn_blocks(kind, seed, false)),
      allowed_(allowed(subject.declares(), rounding_of_steps)) {
  if (is_of_time(kind)) timed_ = drawn_blocks(kind, seed, true);
  for (const bool of_time : {false, true})
    for (const DrawnBlock& block : blocks(of_time))
      for (const BathOf& bath : baths) {
        JudgedProblem& problem = alone_[of_time ? 1 : 0].emplace_back(block.problem);
        if (!problem.has_bath()) continue;
        problem.friction = bath.friction;
        problem.temperature = bath.temperature;
      }
  if (!declared_accuracy(subject.declares()).empty())
    for (int* const bits : {&ranges_.length, &ranges_.mass, &ranges_.time}) *bits = std::min(*bits, single_bits);
  const bool has_bath = blocks_.front().problem.has_bath(), forwards = has_bath || subject.declares().forward;
  for (double& shift : shifts_) shift = uniform();
  drawn_at_once_ = static_cast<long>(shifts_[static_cast<std::size_t>(Spread::steps)] * ranges_.steps);
  DrawnNumbers of_shares(seed ^ 0x54a2e5U);
  for (std::size_t k = 0; k < count_of_shares; ++k) {
    const double u = std::ldexp(static_cast<double>(of_shares.next() >> 11), -53);
    shares_.push_back((forwards || k % 2 == 0 ? 1 : -1) *
                      std::exp2(-9 + 8 * (static_cast<double>(k) + u) / static_cast<double>(count_of_shares)));
  }
  if (!has_bath || blocks_.size() < 3) return;
  // Where normal numbers are asked for in another order, all of a step are the same.
  DrawnCase two{.parts = {{0, 0, 1, 1}, {2, 0, 1, 1}}, .share = 6};
  has_own_normals_ = compare(two).what == Seen::agrees;
}

JudgedProblem DrawnSteps::problem_of(const DrawnCase& drawn) const {
  JudgedProblem whole{.name = "", .kind = ranges_.kind, .masses = {}, .potential = {}, .h = step_of(drawn)};
  int first = 0;
  for (const DrawnCase::Part& part : drawn.parts) {
    const JudgedProblem& problem = alone(drawn, part);
    const int n = problem.size();
    const double energy = part.mass * (part.length / drawn.time) * (part.length / drawn.time),
                 momentum = part.mass * part.length / drawn.time;
    for (const double m : problem.masses)
      whole.masses.push_back(ranges_.kind == ProblemKind::separable ? 1 : m * part.mass);
    const auto add = [&](DyadicPolynomial& to, const DyadicPolynomial& of, double unit, double size) {
      DyadicPolynomial moved = in_units(of, unit, size, n, drawn.time, drawn.of_time ? drawn.t : 0, first);
      std::ranges::move(moved.terms, std::back_inserter(to.terms));
    };
    if (ranges_.kind == ProblemKind::body) {
      whole.potential = in_units(problem.potential, energy, 1, 9, 1, 0, 0);
    } else {
      add(whole.potential, problem.potential, energy, part.length);
    }
    add(whole.kinetic, problem.kinetic, energy, momentum);
    for (const DyadicPolynomial& g : problem.constraints)
      whole.constraints.push_back(in_units(g, 1, part.length, n, 1, 0, first));
    whole.friction = problem.friction / drawn.time;
    whole.temperature = problem.temperature * energy;
    first += n;
  }
  for (Monomial& term : whole.potential.terms)
    for (auto& [variable, exponent] : term.factors)
      if (variable < 0) variable = whole.size();
  return whole;
}

TimedPoint<double> DrawnSteps::start_of(const DrawnCase& drawn) const {
  Point z{drawn.t, {}, {}};
  for (const DrawnCase::Part& part : drawn.parts) {
    const Point& from = blocks(drawn.of_time)[part.block].starts[part.start];
    if (drawn.of_time) z.t = (from.t + drawn.t) * drawn.time;
    const double momentum = part.mass * part.length / drawn.time;
    for (const double q : from.q) z.q.push_back(q * part.length);
    for (const double p : from.p) z.p.push_back(p * momentum);
  }
  return z;
}

TimedPoint<double> DrawnSteps::part_of(const DrawnCase& drawn, std::size_t which, const Point& z) const {
  std::size_t at_q = 0, at_p = 0;
  for (std::size_t k = 0;; ++k) {
    const DrawnCase::Part& part = drawn.parts[k];
    const JudgedProblem& problem = blocks(drawn.of_time)[part.block].problem;
    const auto n = static_cast<std::size_t>(problem.size()), m = static_cast<std::size_t>(problem.momenta());
    if (k == which) {
      Point own{0, {}, {}};
      const double momentum = part.mass * part.length / drawn.time;
      for (std::size_t i = 0; i < n; ++i) own.q.push_back(z.q[at_q + i] / part.length);
      for (std::size_t i = 0; i < m; ++i) own.p.push_back(z.p[at_p + i] / momentum);
      return own;
    }
    at_q += n;
    at_p += m;
  }
}

std::vector<double> DrawnSteps::normals(const DrawnCase& drawn) const {
  std::vector<double> all;
  if (!blocks_.front().problem.has_bath()) return all;
  constexpr std::array<double, 8> numbers{0.5, -1.25, 2, -0.375, 1, -2.5, 0.75, -0.125};
  // A step may ask for a number of each body several times.
  constexpr long in_a_step = 16;
  for (long row = 0; row < in_a_step * drawn.steps; ++row)
    for (const DrawnCase::Part& part : drawn.parts)
      for (int i = 0; i < blocks(drawn.of_time)[part.block].problem.size(); ++i) {
        const double number = numbers[static_cast<std::size_t>(row + (has_own_normals_ ? i : 0)) % numbers.size()];
        // A position of the other sign has noise of the other sign.
        all.push_back(part.length < 0 && has_own_normals_ ? -number : number);
      }
  return all;
}

DrawnSteps::Key DrawnSteps::key_of(const DrawnCase& drawn, const DrawnCase::Part& part) const {
  return {drawn.of_time ? 1U : 0U,
          part.block,
          part.start,
          drawn.share + count_of_shares * static_cast<std::size_t>(drawn.level),
          blocks_.front().problem.has_bath() ? drawn.bath : 0,
          0};
}

const DrawnSteps::Base& DrawnSteps::base(const DrawnCase& drawn, const DrawnCase::Part& part) {
  const auto steps = static_cast<std::size_t>(drawn.steps);
  Base& made = bases_[key_of(drawn, part)];
  if (made.ends.size() >= steps || made.has_ended) return made;
  const JudgedProblem& problem = alone(drawn, part);
  const Point& start = blocks(drawn.of_time)[part.block].starts[part.start];
  Forces<double> forces(problem);
  DrawnCase one = drawn;
  one.parts = {part};
  one.parts.front().length = std::abs(part.length);
  // All steps that are drawn at once are points of one run.
  if (one.steps > 1) one.steps = std::max(one.steps, static_cast<long>(ranges_.steps));
  forces.normals = normals(one);
  made = {.ends = {}, .has_ended = false, .is_refused = false, .v = Forces<double>(problem).velocity(start.p), .g = {}};
  made.g = problem.kind == ProblemKind::body ? Forces<double>(problem).torque(start.q)
                                             : Forces<double>(problem).gradient(start.t, start.q);
  try {
    const auto run = subject_.in_double(forces);
    run->start(start);
    for (long k = 0; k < one.steps && !made.has_ended; ++k) {
      run->step(share_of(drawn), 1);
      made.ends.push_back(reduced(problem, run->point()));
      made.has_ended = !std::isfinite(size_of(made.ends.back()));
    }
    if (made.has_ended) made.ends.pop_back();
  } catch (const ProblemRefused&) {
    made.has_ended = made.is_refused = true;
  } catch (const ForeignRefusal&) {
    made.has_ended = true;
  }
  return made;
}

std::optional<TimedPoint<double>> DrawnSteps::run(const DrawnCase& drawn, Point& start, std::string& why,
                                                  bool& refused) {
  const JudgedProblem problem = problem_of(drawn);
  start = start_of(drawn);
  Forces<double> forces(problem);
  forces.normals = normals(drawn);
  try {
    const auto run = subject_.in_double(forces);
    run->start(start);
    run->step(problem.h, drawn.steps);
    return run->point();
  } catch (const ProblemRefused& refusal) {
    refused = true;
    why = refusal.what();
  } catch (const ForeignRefusal& refusal) {
    why = refusal.what();
  }
  return std::nullopt;
}

void DrawnSteps::add_declared(const DrawnCase& drawn, const DrawnCase::Part& part, Sizes& of_all) const {
  // A tolerance is absolute below one, of positions and of momenta, which a step turns into positions.
  if (declared_accuracy(subject_.declares()).empty()) return;
  const JudgedProblem& problem = alone(drawn, part);
  const double h = std::abs(step_of(drawn)),
               heaviest = problem.kind == ProblemKind::separable ? 1 : extent_of(problem.masses);
  double lightest = heaviest;
  for (const double m : problem.masses)
    if (m > 0) lightest = std::min(lightest, m);
  of_all.q = std::max({of_all.q, 1.0, h, h / (lightest * part.mass)});
  of_all.p = std::max({of_all.p, 1.0, heaviest * part.mass * (1 + 1 / h)});
}

DrawnOutcome DrawnSteps::compare(const DrawnCase& drawn) {
  const DrawnOutcome outcome = compare(drawn, drawn.of_time);
  if (outcome.what != Seen::differs || drawn.of_time || drawn.t == 0) return outcome;
  DrawnCase at_zero = drawn;
  at_zero.t = 0;
  const bool explains = compare(at_zero, false).what == Seen::agrees && compare(drawn, true).what == Seen::agrees;
  return explains ? DrawnOutcome{Seen::rounded} : outcome;
}

DrawnOutcome DrawnSteps::compare(const DrawnCase& drawn, bool times_are_rounded) {
  for (const DrawnCase::Part& part : drawn.parts) {
    const Base& made = base(drawn, part);
    if (made.is_refused) return {Seen::refused};
    if (made.ends.size() < static_cast<std::size_t>(drawn.steps)) return {Seen::left_out};
  }
  Point start;
  std::string why;
  bool refused = false;
  const std::optional<Point> end = run(drawn, start, why, refused);
  if (!end) return {.what = refused ? Seen::refused : Seen::failed, .note = why};
  if (!std::isfinite(size_of(*end))) return {.what = Seen::failed, .note = "the point is not finite"};
  const double share = std::abs(share_of(drawn));
  const auto last = static_cast<std::size_t>(drawn.steps - 1);
  // What an iteration leaves is by the size of the largest numbers.
  std::vector<Sizes> sizes;
  Sizes of_all{0, 0};
  const double many = static_cast<double>(drawn.steps);
  for (const DrawnCase::Part& part : drawn.parts) {
    const Base& made = base(drawn, part);
    const JudgedProblem& problem = alone(drawn, part);
    const Point& from = blocks(drawn.of_time)[part.block].starts[part.start];
    const double heaviest = problem.kind == ProblemKind::separable ? 1 : extent_of(problem.masses);
    Sizes size{0, 0};
    size.q = std::max({extent_of(from.q), extent_of(made.ends[last].q), share * extent_of(made.v)});
    size.p = std::max(
        {extent_of(from.p), extent_of(made.ends[last].p), share * extent_of(made.g), heaviest * size.q / share});
    const double length = std::abs(part.length), momentum = part.mass * length / drawn.time;
    of_all.q = std::max(of_all.q, size.q * length);
    of_all.p = std::max(of_all.p, size.p * momentum);
    add_declared(drawn, part, of_all);
    sizes.push_back(size);
  }
  // Forces of time have the rounding of the time, to its second power.
  const double times = many * (drawn.of_time ? 1 + drawn.t * drawn.t / 16 : 1);
  // A rounded h moves a body at rest by its square.
  const double of_h = times_are_rounded ? many * std::abs(start.t / step_of(drawn)) * 0x1p-52 : 0,
               of_times = of_h * (2 + of_h);
  const auto beyond_rounding = [](double difference, double rounding) {
    return difference <= rounding ? 0 : std::isfinite(rounding) ? difference - rounding : difference;
  };
  DrawnOutcome outcome{Seen::agrees};
  for (std::size_t k = 0; k < drawn.parts.size(); ++k) {
    const DrawnCase::Part& part = drawn.parts[k];
    const Base& made = base(drawn, part);
    const Point own = reduced(alone(drawn, part), part_of(drawn, k, *end));
    const double length = std::abs(part.length), momentum = part.mass * length / drawn.time;
    const Point from = reduced(alone(drawn, part), blocks(drawn.of_time)[part.block].starts[part.start]);
    const double moved_q = largest_difference(made.ends[last].q, from.q) + many * share * extent_of(made.v),
                 moved_p = largest_difference(made.ends[last].p, from.p) + many * share * extent_of(made.g),
                 of_q = beyond_rounding(largest_difference(own.q, made.ends[last].q), of_times * moved_q),
                 of_p = beyond_rounding(largest_difference(own.p, made.ends[last].p), of_times * moved_p);
    const double defect =
        worse(of_q / std::max(sizes[k].q, of_all.q / length), of_p / std::max(sizes[k].p, of_all.p / momentum)) /
        (allowed_ * times);
    for (std::size_t j = 0; j <= last; ++j)
      outcome.moved =
          std::max(outcome.moved, length * largest_difference(made.ends[j].q, j == 0 ? from.q : made.ends[j - 1].q));
    const double size_q = std::max(1.0, sizes[k].q * length), size_p = std::max(1.0, sizes[k].p * momentum);
    const JudgedProblem& problem = alone(drawn, part);
    const double per_time =
        (problem.kind == ProblemKind::separable ? 1 : extent_of(problem.masses)) * part.mass / std::abs(step_of(drawn));
    // What an iteration for positions leaves is in momenta times m / h, and the other way round.
    outcome.absolute = worse(outcome.absolute, std::min(worse(of_q * length, of_p * momentum / per_time) / size_q,
                                                        worse(of_p * momentum, of_q * length * per_time) / size_p));
    outcome.of_all =
        worse(outcome.of_all,
              worse(of_q / sizes[k].q, of_p / std::max(extent_of(made.ends[last].p), share * extent_of(made.g))));
    if (is_worse(defect, outcome.defect) || std::isnan(defect))
      outcome.defect = std::isnan(defect) ? std::numeric_limits<double>::max() : defect;
  }
  if (outcome.defect > 1) outcome.what = Seen::differs;
  return outcome;
}

const std::optional<TimedPoint<double>>& DrawnSteps::exact(const DrawnCase& drawn, const DrawnCase::Part& part) {
  Key key = key_of(drawn, part);
  key.back() = static_cast<std::size_t>(drawn.steps);
  const auto known = exact_.find(key);
  if (known != exact_.end()) return known->second;
  const JudgedProblem& problem = alone(drawn, part);
  std::optional<Point> motion = motion_of(problem, blocks(drawn.of_time)[part.block].starts[part.start],
                                          share_of(drawn) * static_cast<double>(drawn.steps));
  if (motion) motion = reduced(problem, *motion);
  return exact_[key] = std::move(motion);
}

double DrawnSteps::power_of_local_errors() const {
  // A starting procedure may be of lower order. An adaptive method declares the order of its runs.
  const ForeignDeclaration& declares = subject_.declares();
  const JudgedProblem& problem = blocks_.front().problem;
  if (declares.memory || problem.has_clock() || problem.has_bath()) return 1.5;
  return std::clamp(declares.order.value_or(1), 1, highest_local_order) + 0.5;
}

Measured DrawnSteps::local_error() {
  Measured worst{0};
  const bool has_clock = blocks_.front().problem.has_clock();
  const double floor = 8 * allowed_, power = power_of_local_errors();
  std::size_t made = 0;
  long compared = 0;
  int failed = 0;  // long steps
  for (const std::vector<DrawnBlock>& some : {blocks_, timed_, drawn_networks(ranges_.kind, seed_)})
    for (const DrawnBlock& block : some)
      for (const Point& start : block.starts) {
        JudgedProblem problem = block.problem;
        problem.start = start;
        const bool forwards = subject_.declares().forward || problem.has_bath();
        problem.h = (++made % 2 == 0 && !forwards ? -1 : 1) * std::abs(shares_.back()) / 2;
        problem.friction = 0;  // a bath without friction and noise
        try {
          if (has_clock) problem = for_adaptive_steps(subject_, below_zero(problem), ranges_.kind);
          Forces<double> forces(problem);
          if (problem.has_bath()) forces.normals.assign(32 * start.q.size(), 1);
          const auto run = subject_.in_double(forces);
          FallingErrors errors(power, !has_clock);
          const int levels = has_clock ? 20 : 11;
          double of_q = 0, of_p = 0;
          for (int level = 0; level < levels; ++level) {
            const double h = std::ldexp(problem.h, -level);
            Point from, end;
            try {
              from = begin(subject_, *run, problem.start, h);
              run->step(h, 1);
              end = run->point();
            } catch (const ForeignRefusal&) {
              if (level > 3) throw;
              ++failed;
              continue;
            }
            const double time = has_clock ? end.t - from.t : h;
            const auto not_finite = [&] {
              return Measured{not_a_number, format("n = %d, h = %g: the point is not finite", problem.momenta(), h)};
            };
            if (std::isnan(worse(size_of(from), worse(size_of(end), time)))) return not_finite();
            if (!std::isfinite(time) || time == 0) break;
            const auto exact = motion_of(problem, from, time);
            if (!exact) continue;
            end = reduced(problem, end);
            const Point right = reduced(problem, *exact);
            of_q = std::max({of_q, extent_of(from.q), extent_of(right.q)});
            of_p = std::max({of_p, extent_of(from.p), extent_of(right.p), 0x1p-30});
            const double once = std::abs(time), rounding = floor * (1 + std::abs(from.t) / std::max(of_q, 1.0)),
                         e_q = largest_difference(end.q, right.q) / of_q,
                         // Momenta may be differences of positions over h.
                e_p = largest_difference(end.p, right.p) /
                      std::max(of_p, extent_of(problem.masses) * of_q * 0x1p-12 / once),
                         error = worse(e_q, e_p);
            if (!std::isfinite(error)) return not_finite();
            errors.add(once, error, rounding);
            ++compared;
          }
          const FallingErrors::Excess most = errors.worst();
          if (is_worse(most.value, worst.value))
            worst = {std::isfinite(most.value) ? most.value : std::numeric_limits<double>::max(),
                     format("n = %d, h = %g, %s: an error of %.2g, but at most %.2g is expected from longer steps",
                            problem.momenta(), std::copysign(most.length, problem.h),
                            extent_of(start.p) == 0 ? "at rest" : "from a drawn start", most.error, most.bound)};
        } catch (const ProblemRefused&) {
          continue;
        }
      }
  if (compared == 0) return {not_a_number, "no step could be compared with an exact motion"};
  if (failed > 0) {
    worst.cause = Cause::some_not_judged;
    worst.note += (worst.note.empty() ? "" : "; ") + counted(failed, "long step") + " failed";
  }
  return worst;
}

}  // namespace livi
