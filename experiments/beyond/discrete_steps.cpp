// SPDX-License-Identifier: MIT
// Theorem: CS101 slide 19, with steps that are powers of two of one length: must a reversible method change them at the ends
// of blocks only? Hernandez and Dehnen (2024, arXiv:2401.07113) find of a global step that it has to be done so "or similar".
// A rule that looks at the state alone must, and is then reversible up to the error of a step; a rule with one number of
// memory need not
//
// Let phi be a step of half the length and psi one of the whole, both reversible: R phi R = phi^-1 with R the turning round of
// the velocities. A rule that looks at the state alone, and at where the steps from it lead, is the set A of the states from
// which the whole step is taken: F = psi on A, phi elsewhere. F is reversible iff R F R F = 1. Then F is one to one, so that
// psi(x) = phi(y) with x in A and y not in A is excluded: theta = phi^-1 psi maps A into A. If two half steps are the whole
// one, psi = phi^2, theta is phi: who takes a whole step takes whole steps for ever, as the way back says of half steps.
//
// In blocks, F = phi^2 elsewhere, and theta = phi^-2 psi is the identity if psi = phi^2, which excludes nothing. If it is not,
// a rule in blocks is irreversible where theta leads out of A: seldom, for theta is 1 + O(h^3).
//
// With one number l beside the state, l' = l + g(x), a step of the length that l' says, l'' = l' + g(x'), where g is odd under
// R: turned round, the step begins with l'' - g(x') = l'. That is reversible whatever g is, and in no blocks. Below, l is an
// integer modulo three, and l' = 0 says that the step is whole.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <livi/adaptive/step_control.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>

#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"discrete_steps",
          {"CS101", "Slide 19, steps that are powers of two", "19"},
          "Reversible methods whose steps have one of several lengths: by exhaustion on a small phase space"};
}

namespace {

using namespace adaptive_problems;
using F = Float50;

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- all rules on a small phase space ---------------------------------------------------------------------------------

/// Positions and momenta modulo four: sixteen states, x = 4 q + p.
constexpr unsigned side = 4, states = side * side;
using Map = std::array<std::uint8_t, states>;

std::uint8_t state(unsigned q, unsigned p) { return static_cast<std::uint8_t>(side * (q % side) + p % side); }
std::uint8_t turned(unsigned x) { return state(x / side, side - x % side); }

/// Velocity Verlet in these integers with the force table number `table` of 4^4: kicks by the force, a drift of `length` p.
Map verlet(unsigned table, unsigned length) {
  const auto force = [table](unsigned q) { return table >> (2 * (q % side)) & 3U; };
  Map map{};
  for (unsigned x = 0; x < states; ++x) {
    unsigned q = x / side, p = x % side + length * force(q);
    q = (q + length * p) % side;
    map[x] = state(q, p + length * force(q));
  }
  return map;
}
Map twice(const Map& map) {
  Map result{};
  for (unsigned x = 0; x < states; ++x) result[x] = map[map[x]];
  return result;
}

/// What is found of all rules over some pairs of maps: how many are reversible, and how many of these take both steps on one
/// motion.
struct Rules {
  long reversible = 0, changing = 0;
};
/// Adds all rules A: `whole` on A, `other` elsewhere.
void add_all_rules(const Map& whole, const Map& other, Rules& found) {
  for (std::uint32_t a = 0; a < (1U << states); ++a) {
    const auto in_a = [a](unsigned x) { return (a >> x & 1U) != 0; };
    const auto next = [&](unsigned x) { return in_a(x) ? whole[x] : other[x]; };
    bool reversible = true, changes = false;
    for (unsigned x = 0; reversible && x < states; ++x) {
      const unsigned y = next(x);
      reversible = next(turned(y)) == turned(x);
      changes = changes || in_a(x) != in_a(y);
    }
    found.reversible += reversible ? 1 : 0;
    found.changing += reversible && changes ? 1 : 0;
  }
}
/// What the maps of two pairs are.
enum class Whole { two_halves, verlet };
enum class Elsewhere { one_half, block_of_two };

/// All rules for every fifth force table.
Rules all_rules(Whole whole, Elsewhere elsewhere) {
  Rules found;
  for (unsigned table = 1; table < 256; table += 5) {
    const Map half = verlet(table, 1);
    add_all_rules(whole == Whole::two_halves ? twice(half) : verlet(table, 2),
                  elsewhere == Elsewhere::one_half ? half : twice(half), found);
  }
  return found;
}

/// All rules with a number l modulo three as memory and g odd: how many of them are reversible, how many take both steps on
/// one motion, and how many begin a whole step an odd number of half steps after the start.
struct RulesWithMemory {
  long all = 0, reversible = 0, changing = 0, unsynchronised = 0;
};
/// A state with its number.
struct Remembering {
  unsigned x, l;
  friend bool operator==(const Remembering&, const Remembering&) = default;
};
struct RuleWithMemory {
  Map half, whole;
  std::array<unsigned, states> g;
  /// Returns l', which says what step is taken from z.
  [[nodiscard]] unsigned between(const Remembering& z) const { return (z.l + g[z.x]) % 3; }
  [[nodiscard]] bool takes_whole(const Remembering& z) const { return between(z) == 0; }
  [[nodiscard]] Remembering next(const Remembering& z) const {
    const unsigned y = takes_whole(z) ? whole[z.x] : half[z.x];
    return {y, (between(z) + g[y]) % 3};
  }
};
void add_rule(const RuleWithMemory& rule, RulesWithMemory& found) {
  bool reversible = true, changing = false, unsynchronised = false;
  for (unsigned x = 0; x < states; ++x)
    for (const unsigned l : {0U, 1U, 2U}) {
      const Remembering z{x, l}, after = rule.next(z);
      reversible = reversible && rule.next({turned(after.x), after.l}) == Remembering{turned(x), l};
      Remembering at = z;
      unsigned halves = 0;
      for (unsigned k = 0; k < 3 * states; ++k) {
        changing = changing || rule.takes_whole(at) != rule.takes_whole(z);
        unsynchronised = unsynchronised || (rule.takes_whole(at) && halves % 2 == 1);
        halves += rule.takes_whole(at) ? 2 : 1;
        at = rule.next(at);
      }
    }
  ++found.all;
  found.reversible += reversible ? 1 : 0;
  found.changing += changing ? 1 : 0;
  found.unsynchronised += unsynchronised ? 1 : 0;
}
/// The odd function number `index` of 3^4: it is 0 where p = -p, and g(q, 3) = -g(q, 1).
std::array<unsigned, states> odd_function(unsigned index) {
  std::array<unsigned, states> g{};
  for (unsigned q = 0; q < side; ++q, index /= 3) {
    g[state(q, 1)] = index % 3;
    g[state(q, 3)] = (3 - index % 3) % 3;
  }
  return g;
}
RulesWithMemory all_rules_with_memory() {
  RulesWithMemory found;
  for (unsigned table = 1; table < 256; table += 5)
    for (unsigned index = 0; index < 81; ++index)
      add_rule({verlet(table, 1), verlet(table, 2), odd_function(index)}, found);
  return found;
}

TEST(DiscreteSteps, chosen_from_the_state_alone_never_change_outside_of_blocks) {
  const Rules alone = all_rules(Whole::two_halves, Elsewhere::one_half),
              blocks = all_rules(Whole::two_halves, Elsewhere::block_of_two);
  EXPECT_GT(alone.reversible, 0);
  expect_verdict(in_one_interval(
      {.id = "CS101.discrete.state-alone",
       .measured = static_cast<double>(alone.changing),
       .unit = "rules",
       .interval = {0, 0},
       .controls = {{.name = "changed at the ends of blocks of two halves only",
                     .measured = static_cast<double>(blocks.changing)}},
       .note = text("%ld of 51 * 65536 rules are reversible, in blocks %ld.", alone.reversible, blocks.reversible)}));
}

TEST(DiscreteSteps, in_blocks_are_reversible_only_where_two_halves_are_the_whole) {
  const Rules exact = all_rules(Whole::two_halves, Elsewhere::block_of_two),
              verlet_steps = all_rules(Whole::verlet, Elsewhere::block_of_two);
  const auto share = [](const Rules& of) { return static_cast<double>(of.changing) / (51.0 * 65536); };
  expect_verdict(
      in_one_interval({.id = "CS101.discrete.blocks",
                       .measured = share(verlet_steps),
                       .interval = {0, 0.1},
                       .controls = {{.name = "where the whole step is two half steps", .measured = share(exact)}},
                       .note = text("%ld rules in blocks against %ld are reversible and change the step.",
                                    verlet_steps.changing, exact.changing)}));
}

TEST(DiscreteSteps, with_one_number_of_memory_are_reversible_and_change_at_any_time) {
  const RulesWithMemory found = all_rules_with_memory();
  EXPECT_GT(found.changing, 0);
  EXPECT_GT(found.unsynchronised, 0);
  const Rules alone = all_rules(Whole::verlet, Elsewhere::one_half);
  expect_verdict(in_one_interval(
      {.id = "CS101.discrete.memory",
       .measured = static_cast<double>(found.reversible) / static_cast<double>(found.all),
       .interval = {1, 1},
       .controls = {{.name = "rules that look at the state alone",
                     .measured = static_cast<double>(alone.reversible) / (51.0 * 65536)}},
       .note = text(
           "Of %ld rules %ld change the step on a motion, and %ld begin a whole step after an odd number of halves.",
           found.all, found.changing, found.unsynchronised)}));
}

// --- Kepler's ellipse -------------------------------------------------------------------------------------------------

/// Steps 2^n of an inner method: the largest not above h/z_{k+1/2}, where z follows 1/sigma by its rate at both ends,
///
///   z_{k+1/2} = z_k exp(b(y_k)),   z_{k+1} = z_{k+1/2} exp(b(y_{k+1})),   b = -2^m/2 d(log sigma)/dt,
///
/// 2^m the largest not above h sigma(y); b is odd in the velocities. Without memory: the largest not above h sigma(q_k).
template <class Inner, class Density>
class PowersOfTwo {
 public:
  using system_type = typename Inner::system_type;
  using S = ScalarOf<system_type>;
  using vector_type = VectorOf<system_type>;
  using state_type = ControlledState<typename Inner::state_type, S>;
  PowersOfTwo(Inner inner, Density density, bool memory)
      : inner_(std::move(inner)),
        density_(std::move(density)),
        memory_(memory),
        gradient_(zeros<vector_type>(system().size())) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return {inner_.start(q, v), S(0), S(0), S(S(1) / density_.value(q))};
  }
  [[nodiscard]] const system_type& system() const { return inner_.system(); }
  StepOutcome step(state_type& z, const S& h) {
    if (memory_) follow(z, h);
    const S dt = power_of_two(memory_ ? S(h / z.control) : S(h * density_.value(z.q)));
    if (const StepOutcome outcome = inner_.step(z, dt); !outcome.ok()) return outcome;
    if (memory_) follow(z, h);
    return advance_time(z, dt);
  }

 private:
  /// Returns the largest power of two not above a positive number.
  static S power_of_two(const S& above) {
    S power(1);
    while (above < power) power /= S(2);
    while (S(2) * power <= above) power *= S(2);
    return power;
  }
  void follow(state_type& z, const S& h) {
    using std::exp;
    const S sigma = density_.value(z.q);
    density_.gradient(z.q, gradient_);
    z.control *= exp(S(-power_of_two(S(h * sigma)) * dot_product(gradient_, z.v) / (S(2) * sigma)));
  }
  Inner inner_;
  Density density_;
  bool memory_;
  vector_type gradient_;
};

template <class S>
auto powers_of_two(const Kepler<S>& system, bool memory) {
  return PowersOfTwo<VelocityVerlet<Kepler<S>>, KeplerDensity<Kepler<S>>>(VelocityVerlet<Kepler<S>>(system), {},
                                                                          memory);
}

/// How far 300 steps on an ellipse, a turn, and 300 steps lead from the start.
double reversal_on_ellipse(bool memory) {
  const Kepler<F> system = kepler<F>();
  auto method = powers_of_two(system, memory);
  const auto from = pericentre<F>(ratio<F>(3, 5));
  auto z = method.start(from.q, from.v);
  for (const bool back : {false, true}) {
    for (int k = 0; k < 300; ++k)
      if (!method.step(z, ratio<F>(1, 20)).ok()) return infinity;
    if (!back) z.v = -z.v;
  }
  return to_double(max_magnitude(z.q - from.q));
}

/// The energy over 1000 periods: its mean over the last ten against that over the first ten, in units of its range in the
/// first ten; how often the step changes, and how often it grows at a time that is no multiple of the new step.
struct LongRun {
  double drift = 0;
  long changes = 0, unsynchronised = 0;
};
LongRun thousand_periods(bool memory) {
  const Kepler<double> system = kepler<double>();
  auto method = powers_of_two(system, memory);
  const auto from = pericentre(0.6);
  const double period = 2 * std::numbers::pi, h = 1.0 / 32, end = 1000 * period;
  AdaptiveTrajectory run(method, method.start(from.q, from.v), h, end);
  LongRun found;
  double sum[2] = {}, time[2] = {}, least = infinity, most = -infinity, last = 0, begun = 0;
  for (const auto& point : run) {
    const auto& z = point.state;
    if (point.step > 1 && z.last_step != last) {
      ++found.changes;
      if (last < z.last_step && std::fmod(begun, z.last_step) != 0) ++found.unsynchronised;
    }
    last = z.last_step;
    begun = z.t;
    const double energy = system.energy(z.q, z.v);
    if (z.t < 10 * period) {
      least = std::min(least, energy);
      most = std::max(most, energy);
    }
    if (10 * period <= z.t && z.t <= end - 10 * period) continue;
    const std::size_t window = z.t < 10 * period ? 0 : 1;
    sum[window] += energy * z.last_step;
    time[window] += z.last_step;
  }
  found.drift = run.outcome().ok() ? std::abs(sum[1] / time[1] - sum[0] / time[0]) / (most - least) : infinity;
  return found;
}

TEST(DiscreteSteps, follow_keplers_ellipse_reversibly_in_no_blocks) {
  const LongRun with = thousand_periods(true), without = thousand_periods(false);
  EXPECT_GT(with.unsynchronised, 0);
  expect_verdict(in_one_interval(
      {.id = "CS101.discrete.kepler",
       .measured = reversal_on_ellipse(true),
       .interval = {0, 1e-45},
       .controls = {{.name = "the largest power of two not above h sigma(q_k)",
                     .measured = reversal_on_ellipse(false)}},
       .note = text(
           "In 1000 periods the step changes %ld times and grows %ld times at a time that is no multiple of the new "
           "step.",
           with.changes, with.unsynchronised)}));
  expect_verdict(in_one_interval(
      {.id = "CS101.discrete.energy",
       .measured = with.drift,
       .interval = {0, 1},
       .controls = {{.name = "the largest power of two not above h sigma(q_k)", .measured = without.drift}}}));
}

}  // namespace
}  // namespace livi::theorem
