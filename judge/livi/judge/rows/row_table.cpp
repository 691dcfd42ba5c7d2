// SPDX-License-Identifier: MIT
#include <livi/judge/rows/row_table.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace livi {
namespace row_table_detail {
namespace {

/// Kinds of problem that share rows. P: mechanical, timed and separable.
enum Group : unsigned { P = 1, B = 2, C = 4, K = 8, R = 16, A = 32, every = 63 };
constexpr std::array group_names{std::pair(P, "points"),           std::pair(B, "bath"), std::pair(C, "constrained"),
                                 std::pair(K, "constrained bath"), std::pair(R, "body"), std::pair(A, "adaptive")};

Group group_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::langevin:
      return B;
    case ProblemKind::constrained:
      return C;
    case ProblemKind::constrained_langevin:
      return K;
    case ProblemKind::body:
      return R;
    case ProblemKind::adaptive:
    case ProblemKind::extended:
      return A;
    default:
      return P;
  }
}

#define LIVI_ROW(id) TestId::id, #id

constexpr const char* rounding = "0 to 9.1e-13, or what is declared";
constexpr const char* rounding_or_exact = "0 to 9.1e-13; D digits: 10^(8-D); fractions: exactly 0";
constexpr const char* closed = "0 to 5.7e-14, or what is declared";
constexpr const char* bitwise = "all bits equal";
constexpr const char* below = "defects below the accepted ones";
constexpr const char* whole = "the declared order, up to 0.3";

constexpr std::array table{
    RowEntry{LIVI_ROW(protocol), "protocol", every, "a violation of the protocol",
             "whether the method keeps to the protocol", "no violation", "none: a violation ends the judgement",
             "requests that were not made"},
    RowEntry{LIVI_ROW(steps), "steps", every, "a method that fails on all problems",
             "whether the method can make a step", "one step on one problem", "none: shown only if all steps fail",
             "-"},
    RowEntry{LIVI_ROW(problem), "(name of a problem)", C | R, "a problem that the method declines",
             "why the problem is left out", "-", "none: nothing is measured", "-"},
    RowEntry{LIVI_ROW(order_q), "order of q", P | C | R | A, "order",
             "slope of position errors against the exact motion, steps halved", whole,
             "Verlet, RATTLE or a splitting with unequal halves; a wrong clock", "in double: orders above 10"},
    RowEntry{LIVI_ROW(order_p), "order of p", P | C | R | A, "order",
             "slope of momentum errors against the exact motion, steps halved", whole,
             "Verlet, RATTLE or a splitting with unequal halves; a wrong clock", "in double: orders above 10"},
    RowEntry{LIVI_ROW(order_negative), "order, negative steps", P | C | R | A, "order; not steps=forward",
             "slope of errors for steps of negative size", whole, "a method that uses |h|; a wrong clock",
             "in double: orders above 10"},
    RowEntry{LIVI_ROW(local_order), "order", P, "numbers=digits or rational; memory or tolerance",
             "why errors of single steps are not measured", "-", "none: nothing is measured", "-"},
    RowEntry{LIVI_ROW(symplectic), "symplectic", P, "symplectic",
             "change of loop integrals of p dq after one and two steps", "0 to 9.1e-13; D digits: 10^(8-D)",
             "Runge-Kutta 4, or explicit Euler where a tolerance is declared", below},
    RowEntry{LIVI_ROW(symplectic), "symplectic", C, "symplectic",
             "change of loop integrals of p dq on the constraint manifold", rounding,
             "RATTLE whose hidden constraint has the old derivatives", below},
    RowEntry{LIVI_ROW(symplectic), "symplectic", R, "symplectic", "change of loop integrals of mu . R^-1 dR on T*SO(3)",
             rounding, "Lie-Verlet without its quadratic terms", below},
    RowEntry{LIVI_ROW(symplectic), "symplectic", A, "symplectic; kind extended",
             "change of loop integrals of p dq - E dt after one and two steps", rounding,
             "the Hamiltonian method without the gradient of its density", below},
    RowEntry{LIVI_ROW(symplectic_dyadic), "symplectic, dyadic", P, "symplectic; a step that does not round",
             "J' Omega J - Omega from differences of steps on cubic problems", "exactly 0", "explicit Euler",
             "problems on which a step rounds"},
    RowEntry{LIVI_ROW(symplectic_complex), "symplectic, complex", P, "symplectic; numbers=complex",
             "J' Omega J - Omega by complex-step differentiation", rounding,
             "Runge-Kutta 4, or explicit Euler where a tolerance is declared", below},
    RowEntry{LIVI_ROW(symplectic_fractions), "symplectic, fractions", P, "symplectic; numbers=rational",
             "J' Omega J - Omega from tiny variations in fractions", "exactly 0", "Runge-Kutta 4",
             "problems that are not cubic"},
    RowEntry{LIVI_ROW(symplectic_reach), "symplectic, reach", P | A, "symplectic=yes",
             "the row symplectic for 1 to 48 degrees of freedom, other steps", rounding,
             "Runge-Kutta 4; the Hamiltonian method without the gradient of its density", below},
    RowEntry{LIVI_ROW(symplectic_reach), "symplectic, reach", R, "symplectic=yes",
             "the row symplectic for other steps and faster bodies", rounding,
             "Lie-Verlet without its quadratic terms in short steps", "steps above 0.52"},
    RowEntry{LIVI_ROW(symmetric), "symmetric", P, "symmetric", "distance from the start after steps of h and -h",
             rounding_or_exact, "symplectic Euler", below},
    RowEntry{LIVI_ROW(symmetric), "symmetric", C, "symmetric",
             "distance from the start after steps of h and -h, along the constraints", rounding,
             "RATTLE whose multipliers move positions only", below},
    RowEntry{LIVI_ROW(symmetric), "symmetric", R, "symmetric", "distance from the start after steps of h and -h",
             rounding, "a splitting with unequal halves", below},
    RowEntry{LIVI_ROW(symmetric), "symmetric", A, "symmetric",
             "distance in state and time after four steps each of h, -h, h", rounding,
             "steps of the old position's density", "defects of longer runs"},
    RowEntry{LIVI_ROW(symmetric_signs), "symmetric, both signs", P | C | R | A, "symmetric=yes; not steps=forward",
             "a step of -h beside one of h with time and momenta reversed", rounding,
             "a method that takes its adjoint, or uses |h|, where h < 0", below},
    RowEntry{LIVI_ROW(symmetric_order), "symmetric, order", P | C | R | A, "symmetric=yes; an odd order",
             "the parity of the declared order: a symmetric step has an even order", "an even order",
             "none: the declaration decides", "everything except the declaration"},
    RowEntry{LIVI_ROW(symmetric_reach), "symmetric, reach", P | A, "symmetric=yes",
             "the row symmetric for 1 to 48 degrees of freedom, other steps", rounding,
             "Runge-Kutta 4; steps of the old position's density", below},
    RowEntry{LIVI_ROW(symmetric_reach), "symmetric, reach", R, "symmetric=yes",
             "the rows on symmetry for other steps and faster bodies", rounding,
             "a step in three parts that takes its inverse in short steps", "steps above 0.52"},
    RowEntry{LIVI_ROW(linear_momentum), "linear momentum", P | C | A,
             "momentum; the kind mechanical, constrained or adaptive", "change of the linear momentum over 64 steps",
             rounding_or_exact, "a method that pushes one body", below},
    RowEntry{LIVI_ROW(angular_momentum), "angular momentum", P | C | A,
             "momentum; the kind mechanical, constrained or adaptive", "change of the angular momentum over 64 steps",
             rounding_or_exact, "Runge-Kutta 4; RATTLE with old derivatives; a method that pushes", below},
    RowEntry{LIVI_ROW(angular_momentum), "angular momentum", R, "momentum=angular",
             "change of the spatial momentum of free bodies and tops", rounding, "a splitting that pushes", below},
    RowEntry{LIVI_ROW(momentum), "momentum", P, "kinds without mechanical", "why no momentum is measured", "-",
             "none: nothing is measured", "-"},
    RowEntry{LIVI_ROW(gradients), "gradients", P | C | R | A, "gradients",
             "gradients or torques that a step after the first asks for", "the declared number",
             "a method that asks for more", "other costs"},
    RowEntry{LIVI_ROW(other_evaluations), "other evaluations", P, "- (never judged)",
             "values, Hessians and third derivatives that a step asks for", "-", "none: never judged", "-"},
    RowEntry{LIVI_ROW(free_particle), "free particle", P, "-", "one step of a free particle beside its closed form",
             closed, "Verlet with a drift of 1.001 h", "forces"},
    RowEntry{LIVI_ROW(precision), "precision", P, "no tolerance", "the momentum after a step of 2^-26 from rest",
             closed, "forces with 24 bits", "momenta that are position differences over h"},
    RowEntry{LIVI_ROW(constant_force), "constant force", P, "the kind mechanical",
             "one step under a constant force beside its closed form", closed, "Verlet with kicks of 0.501 h",
             "forces that vary"},
    RowEntry{LIVI_ROW(forces_of_time), "forces of time", P, "the kind timed",
             "integrals of the forces 1, t, t^2, ... below the order", closed, "Verlet with kicks of 0.501 h",
             "forces of position and time"},
    RowEntry{LIVI_ROW(repetition), "repetition", P | C | R | A, "-", "the same steps again, in another process",
             bitwise, "a counter that all runs share", "differences that appear only later"},
    RowEntry{LIVI_ROW(repetition), "repetition in the bath", K, "-",
             "32 steps under equal normal numbers, and under others", "no wrong step",
             "a method with random numbers of its own", "random numbers that differ between runs"},
    RowEntry{LIVI_ROW(batch), "batch", P | C | R | A, "-", "2 to 100 steps in one request beside single steps", bitwise,
             "a counter that all runs share", "requests for more steps"},
    RowEntry{LIVI_ROW(history), "history", P | C | R | A, "-", "a start after another run beside a new process",
             bitwise, "a start that keeps the old state", "state that only other runs leave"},
    RowEntry{LIVI_ROW(memory), "memory", P | C | R | A, "-", "a step that continues beside one that starts there",
             "0 to 5.7e-14; with memory=yes at least 9.1e-13", "a force or Jacobian that is not computed again",
             "memory below round-off"},
    RowEntry{LIVI_ROW(restart), "restart", P | C | R | A, "a method that saves",
             "a run that continues from its saved text, in another process", bitwise, "a saved text that loses bits",
             "differences that appear only later"},
    RowEntry{LIVI_ROW(restart), "restart in the bath", B, "a method that saves",
             "three steps with noise from a saved text", bitwise, "no thermostat after a restart",
             "differences that appear only later"},
    RowEntry{LIVI_ROW(start_of_time), "start of the time", C | R, "-",
             "eight steps from t = 0 beside those from 1024 and -3", bitwise, "forces that are halved after t = 1",
             "other times"},
    RowEntry{LIVI_ROW(double_digits), "double, many digits", P, "numbers=double,digits",
             "one step in both number types", closed, "forces with 24 bits", below},
    RowEntry{LIVI_ROW(double_fractions), "double, fractions", P, "numbers=double,rational",
             "one step in both number types", closed, "forces with 24 bits", below},
    RowEntry{LIVI_ROW(double_complex), "double, complex numbers", P, "numbers=double,complex",
             "one step in both number types", closed, "forces with 24 bits", below},
    RowEntry{LIVI_ROW(linear_stability), "linear stability", P, "stability; the kind mechanical; no memory",
             "h omega up to which the spectral radius is one", "the declared limit, up to 1e-4 of it", "Runge-Kutta 4",
             "windows of instability narrower than 1/16"},
    RowEntry{LIVI_ROW(stability_of_several), "stability of several", P, "stability above 0; the kind mechanical",
             "growth of three oscillators in 512 steps at 0.97 of the limit", "0 to 64", "Verlet beyond its limit",
             "growth at other steps"},
    RowEntry{LIVI_ROW(energy), "energy", P | A, "symplectic=yes (adaptive: or symmetric=yes); not --quick",
             "drift of the mean energy in 8192 steps, over its error", "0 to 0.1",
             "Runge-Kutta 4; steps of the old position's density", "a slower drift"},
    RowEntry{LIVI_ROW(later), "later", P | C | R | A, "no memory; not --quick",
             "steps after 1000 to 20000 beside a fresh start", closed, "a method that changes after ten thousand steps",
             "later changes"},
    RowEntry{LIVI_ROW(drawn_steps), "drawn steps", P | B | C | K | R, "-",
             "steps in random units beside the steps of each body alone", "round-off, or what is declared",
             "a method that fails in 7, 14, ... dimensions; one that reads the clock",
             "mistakes that units and other bodies do not change"},
    RowEntry{LIVI_ROW(local_error), "local error", P | B | C | R | A, "-",
             "errors of steps of h, h/2, h/4, ... beside the exact motion",
             "a fall by h^(r + 1/2), r the declared order up to 4, or 1",
             "drifts of 5/4 h; masses halved in short steps; a fast clock", "errors of higher orders than that"},
    RowEntry{LIVI_ROW(noise), "noise", B, "-", "whether a step on springs is affine in its normal numbers", rounding,
             "squares of normal numbers", "forces that are not linear"},
    RowEntry{LIVI_ROW(noise), "linear noise in the bath", K, "-",
             "velocities under several numbers beside the sum of effects", "0 to 1e-3, for h to 0",
             "noise without tails", "numbers above five"},
    RowEntry{LIVI_ROW(fresh_noise), "fresh noise", B, "-", "the map of four steps beside four maps of one", rounding,
             "one set of normal numbers in all steps", "more than four steps"},
    RowEntry{LIVI_ROW(fresh_noise), "fresh noise in the bath", K, "-",
             "covariance of two steps; a step of another size", "0 to 1e-3, for h to 0",
             "one set of normal numbers in all steps", "the third step and later ones"},
    RowEntry{LIVI_ROW(friction), "friction", B, "-", "decay of momenta of free bodies and bodies on springs",
             "0 to 1e-3, for h to 0", "friction once for every body", "factors wrong by less than 1e-3"},
    RowEntry{LIVI_ROW(friction), "friction in the bath", K, "-", "decay of velocities without noise",
             "0 to 1e-3, for h to 0", "friction of rate gamma/m", "factors wrong by less than 1e-3"},
    RowEntry{LIVI_ROW(noise_covariance), "noise of a body", B, "-", "variance per time of momenta of free bodies",
             "0 to 1e-3, for h to 0", "one normal number for all bodies", "factors wrong by less than 1e-3"},
    RowEntry{LIVI_ROW(noise_covariance), "noise in the bath", K, "-",
             "covariance of the noise of momenta along the constraints", "0 to 1e-3, for h to 0",
             "one normal number for all bodies", "factors wrong by less than 1e-3"},
    RowEntry{LIVI_ROW(noise_without_heat), "noise without heat", B, "-",
             "effect of noise at temperature 0, or friction 0", "exactly 0", "a temperature too high by 2^-20", "-"},
    RowEntry{LIVI_ROW(noise_later), "noise later", B, "-", "maps of a thousand steps, and of h/2, beside the first",
             rounding, "no thermostat after 500 steps", "later steps"},
    RowEntry{LIVI_ROW(sampling_q), "sampling of q", B, "sampling", "power of h in the stationary covariance's error",
             "the declared power or a higher one", "the Euler-Maruyama thermostat, of order one",
             "forces that are not linear"},
    RowEntry{LIVI_ROW(sampling_p), "sampling of p", B, "sampling", "power of h in the stationary covariance's error",
             "the declared power or a higher one", "the Euler-Maruyama thermostat, of order one",
             "forces that are not linear"},
    RowEntry{LIVI_ROW(sampling), "sampling of q and p", K, "sampling",
             "power of h by which a step leaves the Gibbs measure, less one", "the declared power or a higher one",
             "a thermostat of order one", "orders above two"},
    RowEntry{LIVI_ROW(without_friction), "without friction", K, "-",
             "64 steps beside the steps of the kind constrained", rounding, "steps of h (1 + h/8)", below},
    RowEntry{LIVI_ROW(noise_without_friction), "noise without friction", K, "-",
             "steps of 64 that change under other normal numbers", "exactly 0", "noise of 1e-13", "-"},
    RowEntry{LIVI_ROW(constraint), "constraint", C, "-",
             "distance of positions from the constraints after 24 and 256 steps", "0 to 1.4e-14, or what is declared",
             "RATTLE with one iteration", "longer runs"},
    RowEntry{LIVI_ROW(constraint), "constraint in the bath", K, "-",
             "distance of positions from the constraints in 512 steps", "0 to 64 round-offs, or what is declared",
             "positions too long by 1e-12", "longer runs"},
    RowEntry{LIVI_ROW(hidden_constraint), "hidden constraint", C, "hidden", "velocities across the constraints", closed,
             "SHAKE", "longer runs"},
    RowEntry{LIVI_ROW(hidden_constraint), "hidden constraint in the bath", K, "hidden=yes",
             "velocities across the constraints in 512 steps", "0 to 256 round-offs, or what is declared",
             "noise that is not projected", "longer runs"},
    RowEntry{LIVI_ROW(momentum_across), "momentum across", C, "symplectic=yes or symmetric=yes",
             "effect on a step of momenta across the constraints", rounding,
             "two parts, ordered by the sign of the last step", below},
    RowEntry{LIVI_ROW(constraint_evaluations), "constraint evaluations", C, "- (never judged)",
             "constraints and derivatives that a step asks for", "-", "none: never judged", "-"},
    RowEntry{LIVI_ROW(short_steps), "short steps", C | R, "-", "errors of steps of 2^-4 to 2^-9 over h, for h to 0",
             "0 to 9.3e-10; order one: 7.5e-9; or what is declared",
             "velocities or rotations too large by 1e-8; steps of 2 h", below},
    RowEntry{LIVI_ROW(short_steps), "short steps", A, "-", "a step of 2^-20 beside the equations, for 1 to 48 bodies",
             "0 to 2.4e-4", "a clock that is fast by 1/2 beyond ten", "errors below 2.4e-4"},
    RowEntry{LIVI_ROW(very_short_steps), "very short steps", C | R, "no large tolerance",
             "errors of single steps of 2^-10 to 2^-22 over h", "80 h^2, body 160 h^2; order one 18 h, body 36 h",
             "masses or rotations wrong by 1e-5, or halved inertia", below},
    RowEntry{LIVI_ROW(force), "force", C, "-", "a step of 2^-26 from rest beside the projected force",
             "0 to 5.7e-14; order one: 2.4e-7", "forces too strong by 1e-9",
             "momenta that are position differences over h"},
    RowEntry{LIVI_ROW(long_steps), "long steps", C, "-", "positions after steps up to h = 32 that do not fail",
             "0 to 1.4e-14, or what is declared", "RATTLE that hides its failures", "-"},
    RowEntry{LIVI_ROW(group), "group", R, "-", "distance of attitudes from SO(3) after 24 and 1024 steps",
             "1.4e-14 times the root of the steps", "rotations of second order in the angle", "longer runs"},
    RowEntry{LIVI_ROW(size_of_momentum), "size of momentum", R, "casimir",
             "change of |mu| of free bodies over 64 steps", rounding, "a momentum that grows", below},
    RowEntry{LIVI_ROW(torque), "torque", R, "no tolerance", "the momentum after a step of 2^-26 from rest",
             "0 to 5.7e-14; order one: 9.1e-13", "torques too strong by 1e-9",
             "momenta that are attitude differences over h"},
    RowEntry{LIVI_ROW(rest), "rest", R, "-", "motion of a free body at rest in 16 steps", closed,
             "a momentum that is pushed", below},
    RowEntry{LIVI_ROW(time), "time", A, "-", "steps whose time does not go with the sign of h", "exactly 0",
             "every seventh step backwards", "more than 96 steps"},
    RowEntry{LIVI_ROW(range_of_steps), "range of steps", A, "-",
             "longest over shortest of 512 steps on an elongated orbit", "at least 1.05", "constant steps", "-"},
    RowEntry{LIVI_ROW(start_of_clock), "start of the clock", A, "-",
             "32 steps that begin 1024 later beside those from now", rounding, "steps that grow with the time",
             "other times"},
    RowEntry{LIVI_ROW(clock), "clock", A, "order of two or more", "a step of 2^-26 beside the motion in its time",
             "0 to 5.7e-14", "a clock that is fast by 2^-32", "longer steps"},
    RowEntry{LIVI_ROW(clock_limit), "clock, h to 0", A, "-", "error at the clock's time over that time, for h to 0",
             "0 to 9.3e-10; order one: 7.5e-9", "a clock that is fast by 1e-8 in longer steps", below},
    RowEntry{LIVI_ROW(no_step), "no step", A, "-", "what is answered where all forces are NaN", "a failure",
             "a state of NaN", "-"},
    RowEntry{LIVI_ROW(steps_between), "steps between", A, "order of two or more",
             "single steps of 2^-17 to 2^-13 beside the motion", "1024 t^2 of the velocity",
             "a clock that is fast by 1e-3 for such h", below},
    RowEntry{LIVI_ROW(bits_of_h), "bits of h", A, "-", "lengths of steps near 2^-26, over h", rounding,
             "h rounded to 24 bits", "longer steps"},
    RowEntry{LIVI_ROW(extended), "extended", A, "kind extended", "eight steps of both kinds, and the change of E",
             rounding, "bodies that are free where the kind is extended", "more than eight steps"}};

#undef LIVI_ROW

/// Returns the end of a row's name: where the kinds of a method have rows with one name, they end with the kind.
std::string suffix_of(const RowId& id, const ForeignDeclaration& declares) {
  if (id.test == TestId::drawn_steps || id.test == TestId::local_error) {
    if (id.kind == ProblemKind::mechanical || id.kind == ProblemKind::adaptive) return "";
    if (id.kind == ProblemKind::langevin) return " in the bath";
    return id.kind == ProblemKind::constrained_langevin ? ", constrained bath" : ", " + kind_name(id.kind);
  }
  if (id.numbers == NumberType::digits) return ", digits";
  if (id.numbers == NumberType::rational) return ", fractions";
  const auto takes_others = [&](std::initializer_list<ProblemKind> own) {
    return !std::ranges::all_of(declares.kinds,
                                [&](ProblemKind kind) { return std::ranges::find(own, kind) != own.end(); });
  };
  const bool has_own_name = id.test == TestId::constraint || id.test == TestId::hidden_constraint ||
                            id.test == TestId::constraint_evaluations || id.test == TestId::long_steps ||
                            id.test == TestId::symmetric_order;
  if (has_own_name) return "";
  if (id.kind == ProblemKind::constrained &&
      takes_others({ProblemKind::constrained, ProblemKind::constrained_langevin}))
    return ", constrained";
  return id.kind == ProblemKind::body && takes_others({ProblemKind::body}) ? ", body" : "";
}

/// Returns whether rows of a test have this kind: rows on several kinds have the first one.
bool has_kind(TestId test, ProblemKind kind) {
  using enum ProblemKind;
  return test == TestId::drawn_steps || test == TestId::local_error ||
         (kind != timed && kind != separable && kind != extended);
}

/// Returns whether a test has a row of its own for these numbers.
bool has_numbers(TestId test, NumberType numbers) {
  using enum TestId;
  if (numbers == NumberType::real) return test != local_order;
  const bool is_symplectic = test == symplectic && numbers == NumberType::digits;
  return is_symplectic || test == symmetric || test == order_q || test == order_p || test == local_order ||
         test == linear_momentum || test == angular_momentum;
}

std::string groups_of(const RowEntry& entry) {
  if (entry.groups == every) return "all";
  std::string text;
  for (const auto& [group, name] : group_names)
    if (entry.groups & group) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace
}  // namespace row_table_detail
using namespace row_table_detail;

TestId property_of(TestId test) {
  using enum TestId;
  switch (test) {
    case order_p:
    case order_negative:
      return order_q;
    case symplectic_dyadic:
    case symplectic_complex:
    case symplectic_fractions:
    case symplectic_reach:
      return symplectic;
    case symmetric_signs:
    case symmetric_order:
    case symmetric_reach:
      return symmetric;
    case sampling_p:
    case sampling:
      return sampling_q;
    case clock_limit:
      return TestId::clock;
    default:
      return test;
  }
}

std::span<const RowEntry> row_table() { return table; }

const RowEntry& row_entry(const RowId& id) {
  const auto* const found = std::ranges::find_if(
      table, [&](const RowEntry& entry) { return entry.test == id.test && (entry.groups & group_of(id.kind)); });
  if (found == table.end()) throw std::logic_error("the table of rows has no entry for a test of this kind");
  return *found;
}

std::string row_name(const RowId& id, const ForeignDeclaration& declares) {
  return row_entry(id).name + suffix_of(id, declares);
}

std::optional<RowId> row_named(const std::string& name, const ForeignDeclaration& declares) {
  std::vector<ProblemKind> kinds = declares.kinds;
  kinds.push_back(ProblemKind::mechanical);  // of rows for several kinds
  for (const ProblemKind kind : kinds)
    for (const RowEntry& entry : table)
      for (const NumberType numbers : {NumberType::real, NumberType::digits, NumberType::rational})
        if (const RowId id(entry.test, kind, numbers); (entry.groups & group_of(kind)) && has_kind(entry.test, kind) &&
                                                       has_numbers(entry.test, numbers) &&
                                                       row_name(id, declares) == name)
          return id;
  return std::nullopt;
}

std::string row_table_markdown() {
  std::string text =
      "| row | kinds | needs | measured | accepted | negative control, rejected | not seen "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const RowEntry& entry : table) {
    std::string line;
    for (const std::string& cell :
         {std::string(entry.name), groups_of(entry), std::string(entry.needs), std::string(entry.measures),
          std::string(entry.accepted), std::string(entry.control), std::string(entry.blind)}) {
      line += "| ";
      for (const char c : cell) line += c == '|' ? "\\|" : std::string(1, c);
      line += " ";
    }
    text += line + "|\n";
  }
  return text;
}

std::string explained_row(const std::string& name) {
  // Two methods: the rows of one have names with their kinds, of the other without.
  ForeignDeclaration all;
  all.kinds = {ProblemKind::mechanical, ProblemKind::timed,       ProblemKind::separable,
               ProblemKind::langevin,   ProblemKind::constrained, ProblemKind::constrained_langevin,
               ProblemKind::body,       ProblemKind::adaptive,    ProblemKind::extended};
  const std::optional<RowId> row = row_named(name, all);
  std::string text;
  for (const RowEntry& entry : table) {
    const bool is_meant =
        row && name != row_entry(*row).name ? &entry == &row_entry(*row) : entry.id == name || entry.name == name;
    if (!is_meant) continue;
    text += (text.empty() ? "" : "\n") + std::string(entry.name) + "\n";
    for (const auto& [what, words] : {std::pair<const char*, std::string>{"id", entry.id},
                                      {"kinds", groups_of(entry)},
                                      {"needs", entry.needs},
                                      {"measured", entry.measures},
                                      {"accepted", entry.accepted},
                                      {"negative control", entry.control},
                                      {"not seen", entry.blind}})
      text += "  " + std::string(what) + ": " + words + "\n";
  }
  return text;
}

}  // namespace livi
