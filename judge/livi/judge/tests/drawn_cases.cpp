// SPDX-License-Identifier: MIT
//
// What is drawn: problems in ordinary units, and cases that are made of them.
#include <livi/judge/tests/drawn_steps.hpp>

#include <algorithm>
#include <cmath>

#include <livi/judge/measures/constraints.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/measures/rigid_bodies.hpp>
#include <livi/judge/problems/attitude.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Momenta that are nearly zero, and positions.
constexpr double nearly_at_rest = 0x1p-30, near_the_origin = 0x1p-20;

class Blocks {
 public:
  explicit Blocks(std::uint64_t seed) : random_(seed ^ 0xb10c5U) {}

  /// Bodies on springs that are not linear, each with its neighbour, under constant forces.
  JudgedProblem springs(int n, ProblemKind kind, bool ordinary_masses = false) {
    JudgedProblem problem{.name = "", .kind = kind, .masses = {}, .potential = {}};
    const bool equal = random_.below(3) == 0;
    for (int i = 0; i < n; ++i) {
      const double drawn = random_.below(2) == 0 ? std::array{1.0, 2.0, 0.5, 1.5}[random_.below(4)] : between(0.5, 2);
      problem.masses.push_back(kind == ProblemKind::separable ? 1 : equal && i > 0 ? problem.masses.front() : drawn);
      if (ordinary_masses) problem.masses.back() *= std::ldexp(1.0, static_cast<int>(random_.below(3)) - 1);
      const double m = problem.masses.back();
      problem.potential.add(m * between(0.25, 0.75), {i, i}).add(m * between(0.05, 0.125), {i, i, i, i});
      problem.potential.add(m * between(-0.5, 0.5), {i});
      if (i > 0)
        problem.potential.add(m * between(-0.25, 0.25), {i - 1, i}).add(m * between(-0.125, 0.125), {i - 1, i - 1, i});
      if (kind != ProblemKind::separable) continue;
      problem.kinetic.add(0.5, {i, i}).add(between(0.05, 0.125), {i, i, (i + 1) % n}).add(0.0625, {i, i, i, i});
      if (i > 0) problem.kinetic.add(between(-0.25, 0.25), {i - 1, i});
    }
    return problem;
  }
  /// Adds forces between any two bodies, of each body with two others.
  void connect(JudgedProblem& problem) {
    const auto n = static_cast<unsigned>(problem.size());
    for (int i = 0; i < problem.size(); ++i)
      for (const double of : {0.125, 0.0625}) {
        const double m = problem.masses[static_cast<std::size_t>(i)];
        const int other = static_cast<int>((static_cast<unsigned>(i) + 1 + random_.below(n - 1)) % n);
        problem.potential.add(m * between(-of, of), {i, other}).add(m * between(-of, of), {i, i, other});
      }
  }
  /// Adds forces of time, of degree two in it.
  void drive(JudgedProblem& problem) {
    const int t = problem.size();
    for (int i = 0; i < t; ++i) {
      const double m = problem.masses[static_cast<std::size_t>(i)];
      problem.potential.add(m * between(-1, 1), {i, t}).add(m * between(-0.25, 0.25), {i, i, t});
      problem.potential.add(m * between(-0.5, 0.5), {i, t, t});
    }
  }
  /// Starts of both signs, at rest and nearly so, near the origin, with equal entries.
  std::vector<TimedPoint<double>> starts(const JudgedProblem& problem, double t) {
    const auto n = static_cast<std::size_t>(problem.size());
    const auto drawn = [&] {
      TimedPoint<double> z{t, {}, {}};
      for (const double m : problem.masses) {
        z.q.push_back(sign() * between(0.25, 1));
        z.p.push_back(m * sign() * between(0.25, 1));
      }
      return z;
    };
    std::vector<TimedPoint<double>> all{drawn(), drawn()};
    const auto add = [&](double of_q, double of_p) {
      TimedPoint<double> z = drawn();
      for (double& q : z.q) q *= of_q;
      for (double& p : z.p) p *= of_p;
      all.push_back(std::move(z));
    };
    add(1, 0);
    add(1, nearly_at_rest);
    add(0, 1);
    add(near_the_origin, 1);
    all.push_back({t, std::vector<double>(n, 0.5), std::vector<double>(n, 0.25)});
    return all;
  }
  DrawnBlock block(JudgedProblem problem, bool of_time = false) {
    if (of_time) drive(problem);
    auto of = starts(problem, of_time ? 0.5 : 0);
    return {std::move(problem), std::move(of)};
  }
  /// A rotation drawn from the Cayley map, often near half a turn.
  std::vector<double> attitude() {
    const double far = random_.below(2) == 0 ? 2 : 64;
    const Three<Float50> x{Float50(between(-far, far)), Float50(between(-far, far)), Float50(between(-far, far))};
    return in_double(listed(cayley(x)));
  }
  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(random_.next() >> 11), -53);
  }
  double sign() { return random_.below(2) == 0 ? -1 : 1; }
  unsigned below(unsigned n) { return random_.below(n); }

 private:
  DrawnNumbers random_;
};

/// Returns the starts of a problem on a manifold, at rest, nearly so, and the other way.
std::vector<TimedPoint<double>> starts_on_manifold(const JudgedProblem& problem) {
  std::vector<TimedPoint<double>> all;
  for (const TimedPoint<double>& z : {problem.start, problem.other_start})
    for (const double times : {1.0, -1.0, 0.0, nearly_at_rest}) {
      all.push_back(z);
      for (double& p : all.back().p) p *= times;
    }
  return all;
}

/// Problems of many sizes, for methods whose step lengths follow all of the bodies.
std::vector<DrawnBlock> wholes(ProblemKind kind, Blocks& blocks, int most) {
  std::vector<DrawnBlock> all;
  for (int k = 0; k < 14; ++k) {
    const double n = std::exp2(blocks.between(0, std::log2(most + 0.99)));
    DrawnBlock whole = blocks.block(blocks.springs(k == 0 ? 7 : k == 1 ? 16 : static_cast<int>(n), kind, true));
    // A density has units, and need not have a value at rest or in the origin.
    whole.starts.resize(2);
    whole.starts[1].t = blocks.sign() * std::exp2(blocks.between(-10, 10));
    all.push_back(std::move(whole));
  }
  return all;
}

/// Coordinates where more than four steps are made at once, which would take the time of all other draws.
constexpr int most_of_many_steps = 8;

}  // namespace

std::vector<DrawnBlock> drawn_blocks(ProblemKind kind, std::uint64_t seed, bool of_time) {
  Blocks blocks(of_time ? ~seed : seed);
  std::vector<DrawnBlock> all;
  switch (kind) {
    case ProblemKind::constrained:
    case ProblemKind::constrained_langevin:
      for (JudgedProblem& problem : constrained_problems(seed, 2).generic) {
        const auto of = starts_on_manifold(problem);
        problem.kind = kind;
        all.push_back({std::move(problem), of});
      }
      return all;
    case ProblemKind::body: {
      JudgedBodies bodies = judged_bodies(seed, 3);
      for (std::vector<JudgedProblem>* const of : {&bodies.generic, &bodies.tops, &bodies.free})
        for (JudgedProblem& problem : *of) {
          auto starts = starts_on_manifold(problem);
          for (int k = 0; k < 3; ++k) starts.push_back({0, blocks.attitude(), problem.start.p});
          all.push_back({std::move(problem), std::move(starts)});
        }
      return all;
    }
    case ProblemKind::adaptive:
    case ProblemKind::extended:
      return wholes(kind, blocks, 48);
    default:
      for (const int n : {1, 1, 2, 3, 4}) all.push_back(blocks.block(blocks.springs(n, kind), of_time));
      return all;
  }
}

std::vector<DrawnBlock> drawn_networks(ProblemKind kind, std::uint64_t seed) {
  const DrawnRanges& ranges = *std::ranges::find(drawn_ranges(), kind, &DrawnRanges::kind);
  if (ranges.length == 0) return {};
  Blocks blocks(seed ^ 0x2e7U);
  std::vector<DrawnBlock> all;
  for (const double bits : {3.5, 5.0}) {
    const double n = std::exp2(blocks.between(bits, bits + 1));
    JudgedProblem problem = blocks.springs(std::min(static_cast<int>(n), ranges.coordinates), kind);
    blocks.connect(problem);
    all.push_back(blocks.block(std::move(problem), kind == ProblemKind::timed));
    all.back().starts.resize(4);
  }
  return all;
}

const std::vector<DrawnRanges>& drawn_ranges() {
  using enum ProblemKind;
  // Squares of positions, momenta, forces and of the products of two of them are numbers of double. Densities of steps and g have
  // units, so that positions there are of order one; so are moments of inertia.
  static const std::vector<DrawnRanges> all{
      {mechanical, 64, 200, 20, 100, 300, 64, 800}, {timed, 64, 100, 20, 100, 300, 64, 400},
      {separable, 64, 100, 20, 100, 300, 64, 400},  {langevin, 64, 100, 20, 100, 300, 64, 600},
      {constrained, 64, 0, 20, 100, 300, 64, 300},  {constrained_langevin, 64, 0, 20, 60, 300, 32, 100},
      {body, 3, 0, 2, 100, 300, 64, 600},           {adaptive, 48, 0, 2, 20, 10, 1, 28},
      {extended, 48, 0, 2, 20, 10, 1, 28}};
  return all;
}

std::string table_of_drawn_ranges(const std::function<bool(const std::string&)>& has_kind) {
  std::string text =
      "| kind | n | size of q | masses | h | time of the start | steps at once | draws |\n"
      "|---|---|---|---|---|---|---|---|\n";
  const auto range = [](int bits) {
    return bits == 0 ? std::string("of order one") : format("2^-%d to 2^%d", bits, bits);
  };
  for (const DrawnRanges& of : drawn_ranges()) {
    if (has_kind && !has_kind(kind_name(of.kind))) continue;
    const bool is_body = of.kind == ProblemKind::body,
               has_density = of.kind == ProblemKind::adaptive || of.kind == ProblemKind::extended;
    // The smallest problem with constraints has three coordinates.
    const int least = of.kind == ProblemKind::constrained || of.kind == ProblemKind::constrained_langevin ? 3 : 1;
    text += "| " + kind_name(of.kind) + " | " + (is_body ? "3" : format("%d to %d", least, of.coordinates)) + " | " +
            (is_body ? "all attitudes" : range(of.length)) + " | " +
            (of.kind == ProblemKind::separable ? "ones"
             : is_body                         ? "moments 1/8 to 40"
                                               : range(of.mass)) +
            " | " + (has_density ? format("2^-%d to 1/4", of.time) : range(of.time)) + " | 0, " + range(of.start) +
            " | " + (of.steps == 1 ? "1" : format("1 to %d", of.steps)) + format(" | %d |\n", of.draws);
  }
  return text;
}

double DrawnSteps::spread(Spread of) {
  const auto k = static_cast<std::size_t>(of);
  // Multiples of square roots of primes, modulo one.
  constexpr std::array<double, count_of_spreads> roots{1.4142135623730951, 1.7320508075688772, 2.23606797749979,
                                                       2.6457513110645907, 3.3166247903554,    3.605551275463989};
  const double x = shifts_[k] + roots[k] * static_cast<double>(drawn_);
  return x - std::floor(x);
}
double DrawnSteps::uniform() { return std::ldexp(static_cast<double>(random_.next() >> 11), -53); }
double DrawnSteps::exponent(int bits, double u) {
  // Half of them are within ten binary digits of one, a quarter within forty.
  if (u < 0.5) return std::min(bits, 10) * (4 * u - 1);
  if (u < 0.75) return std::min(bits, 40) * (8 * u - 5);
  return bits * (8 * u - 7);
}
double DrawnSteps::number(int bits, double u) {
  if (bits == 0) return 1;
  const double x = exponent(bits, u);
  switch (random_.below(4)) {
    case 0: {  // a number that a person writes
      const double digit = std::array{1.0, 2.0, 5.0}[random_.below(3)];
      const double tens = std::round(std::log10(2.0) * x / 2);
      return digit * std::pow(10.0, tens);
    }
    case 1:
      return std::exp2(std::round(x));
    default:
      return std::exp2(x);
  }
}

DrawnCase DrawnSteps::draw() {
  DrawnCase drawn{.number = ++drawn_};
  drawn.of_time = !timed_.empty() && random_.below(3) > 0;
  const auto& from = blocks(drawn.of_time);
  // Several steps at once: each number of steps is drawn in turn, small and large numbers mixed.
  if (6 * spread(Spread::steps) < 1) drawn.steps = 1 + (29 * ++drawn_at_once_) % ranges_.steps;
  const double of_n = spread(Spread::n);
  int n = static_cast<int>(of_n < 0.5 ? 1 + 2 * of_n * ranges_.coordinates : std::exp2(6 * of_n - 3));
  n = std::clamp(n, 1, drawn.steps > 4 ? most_of_many_steps : ranges_.coordinates);
  const bool is_body = ranges_.kind == ProblemKind::body, has_bath = blocks_.front().problem.has_bath();
  // Each bath in turn, also among those draws in which all bodies are equal, which are each eighth.
  drawn.bath = (drawn_ + drawn_ / 8) % count_of_baths;
  drawn.share = drawn.steps > 1 ? 2 + random_.below(2) : random_.below(static_cast<unsigned>(shares_.size()));
  if (drawn.steps > 1) drawn.bath %= 2;
  if (random_.below(16) != 0) drawn.time = number(ranges_.time, spread(Spread::time)) / std::abs(shares_[drawn.share]);
  const double length = random_.below(4) == 0 ? 1 : number(ranges_.length, spread(Spread::length)),
               mass = number(ranges_.mass, spread(Spread::mass));
  const unsigned kind_of_masses = random_.below(4);
  const bool several_lengths = ranges_.length > 0 && random_.below(4) == 0;
  // All bodies have one mass and one start, for example at rest, at the origin or at equal positions.
  const bool are_equal = drawn.number % 8 == 0;
  int left = n;
  do {
    DrawnCase::Part part{random_.below(static_cast<unsigned>(from.size())), 0, 1, 1};
    if (are_equal && !drawn.parts.empty()) part.block = drawn.parts.front().block;
    while (are_equal && from[part.block].problem.size() > from.front().problem.size())
      part.block = random_.below(static_cast<unsigned>(from.size()));
    const JudgedProblem& problem = from[part.block].problem;
    if (problem.size() > left && !drawn.parts.empty()) {
      if (ranges_.length == 0) break;
      continue;
    }
    if (problem.size() > left && ranges_.length > 0) continue;
    part.start = drawn.steps > 1 ? 0 : random_.below(static_cast<unsigned>(from[part.block].starts.size()));
    if (are_equal && !drawn.parts.empty()) part.start = drawn.parts.front().start;
    part.mass = kind_of_masses == 0 || are_equal ? mass
                : kind_of_masses == 1            ? number(ranges_.mass, uniform())
                                                 : mass * std::exp2(static_cast<double>(drawn.parts.size() % 7) - 3);
    // In half of these draws the mass is one.
    if (are_equal && drawn.number % 16 == 0 && ranges_.length > 0) part.mass = 1 / problem.masses.front();
    part.mass = std::clamp(part.mass, std::exp2(-ranges_.mass), std::exp2(ranges_.mass));
    // One temperature is that of all bodies, whose lengths are free where nothing holds them.
    if (ranges_.kind == ProblemKind::separable || (has_bath && ranges_.length == 0)) part.mass = mass;
    if (is_body) {
      const auto [least, most] = std::minmax({problem.masses[0], problem.masses[4], problem.masses[8]});
      while (part.mass != 1 && (least * part.mass < 0.25 || most * part.mass > 32))
        part.mass = std::sqrt(part.mass) > 1.1 || part.mass < 0.8 ? std::sqrt(part.mass) : 1;
    }
    part.length = has_bath ? length * std::sqrt(mass / part.mass) : length;
    if (ranges_.length == 0) part.length = 1;
    if (several_lengths && !has_bath && !are_equal) part.length *= std::exp2(static_cast<double>(random_.below(5)));
    if (!is_body && !are_equal && random_.below(2) == 0) part.length = -part.length;
    left -= problem.size();
    drawn.parts.push_back(part);
  } while (left > 0 && !is_body);
  if (drawn.of_time) {
    drawn.t = static_cast<double>(random_.below(33)) - 16;
  } else if (const double u = spread(Spread::start) * 4 - 1; u >= 0) {
    drawn.t = u < 1.5 ? number(ranges_.start, u / 1.5) : -number(ranges_.start, (u - 1.5) / 1.5);
  }
  return drawn;
}

}  // namespace livi
