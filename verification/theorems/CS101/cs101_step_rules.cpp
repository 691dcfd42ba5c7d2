// SPDX-License-Identifier: MIT
// Theorem: CS101, slide 18: what the rules for the step space equally
//
// In the fictitious time tau, dt = sigma dtau, a point moves by |v| sigma dtau in the position and by
// (|v|^2 + |a|^2)^(1/2) sigma dtau in position and velocity, a the acceleration. With the kinetic energy
// K = E0 - W = |v|^2/2 (M = 1),
//
//   sigma = (E0 - W + epsilon)^(-1/2)        spaces positions by h (2 K / (K + epsilon))^(1/2),
//   sigma = 1/|a|                            spaces velocities equally, and states by h (1 + |v|^2/|a|^2)^(1/2),
//   sigma = (|v|^2 + |a|^2)^(-1/2)           spaces states equally.
//
// How unequal distances are is said by their coefficient of variation, the standard deviation over the mean.
//
// 1/|a| through an equilibrium q = 0, W = q^2/2 + ..., one degree of freedom: velocities are h apart and v = v0 - q^2/(2 v0),
// so that the points are q_j = (2 v0 h (j + theta))^(1/2), j = 0, 1, ..., and sum (q_{j+1} - q_j)^2 = sum v0 h/(2 j) + ...
// = (v0 h/2) log N. There are v0/h steps on the way: the mean square of the distances, in units of h^2, grows as (log N)/2
// without a bound. Means stay bounded, and so does all of it about a centre, where |a| has a lower bound.
//
// Most numbers had been seen, roughly, before the intervals were fixed; their reasons do not depend on the values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/systems/simple_pendulum.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>

#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_step_rules",
          {"CS101", "Sigma rules", "slide 18"},
          "What the rules for adaptive steps space equally: positions, velocities, states"};
}

namespace {

using adaptive_problems::Coupled;
using adaptive_problems::Kepler;
using Pendulum = SimplePendulum<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The coefficient of variation of numbers that are not kept.
class Variation {
 public:
  void add(double x) {
    ++n_;
    sum_ += x;
    squares_ += x * x;
  }
  [[nodiscard]] double mean_square() const { return squares_ / n_; }
  [[nodiscard]] double value() const {
    const double mean = sum_ / n_;
    return std::sqrt(std::max(0.0, squares_ / n_ - mean * mean)) / mean;
  }

 private:
  double n_ = 0, sum_ = 0, squares_ = 0;
};

/// Coefficients of variation of the distances between successive points of a run; infinite if it was lost.
struct Spacing {
  double position = infinity;   ///< by the mass matrix, (dq . M dq)^(1/2)
  double euclidean = infinity;  ///< |dq|
  double velocity = infinity, state = infinity;
  double shortest = infinity, longest = 0;
  long steps = 0;
};

template <class Method>
Spacing spacing(Method method, const PhaseState<double, Method::system_type::dimension>& start, double h,
                double end_time) {
  Variation position, euclidean, velocity, state;
  Spacing result;
  AdaptiveTrajectory run(method, method.start(start.q, start.v), h, end_time);
  auto last = start;
  for (const auto& point : run) {
    if (point.step == 0) continue;
    const auto dq = (point.state.q - last.q).eval(), dv = (point.state.v - last.v).eval();
    last = {point.state.q, point.state.v};
    position.add(std::sqrt(dq.dot(method.system().momentum(dq))));
    euclidean.add(dq.norm());
    velocity.add(dv.norm());
    state.add(std::sqrt(dq.squaredNorm() + dv.squaredNorm()));
    result.shortest = std::min(result.shortest, point.state.last_step);
    result.longest = std::max(result.longest, point.state.last_step);
  }
  if (!run.outcome().ok()) return result;
  result.steps = run.outcome().completed;
  result.position = position.value();
  result.euclidean = euclidean.value();
  result.velocity = velocity.value();
  result.state = state.value();
  return result;
}

/// A motion: its system, start and length.
template <class System>
struct Motion {
  System system;
  PhaseState<double, System::dimension> start;
  double end_time;
  [[nodiscard]] double energy() const { return system.energy(start.q, start.v); }
  /// Spacing of the reversible method with about `steps` steps.
  template <class Density>
  [[nodiscard]] Spacing with(const Density& density, long steps) const {
    double h = end_time / static_cast<double>(steps);
    Spacing result;
    for (int trial = 0; trial < 12; ++trial) {
      result = spacing(ReversibleAdaptiveVerlet(system, density), start, h, end_time);
      // A run that was lost is tried with half the step.
      if (result.steps == 0) {
        h /= 2;
        continue;
      }
      if (std::abs(result.steps - steps) * 100 <= steps) break;
      h *= static_cast<double>(result.steps) / static_cast<double>(steps);
    }
    return result;
  }
};

Motion<Kepler<double>> kepler_motion(double eccentricity) {
  return {adaptive_problems::kepler<double>(), adaptive_problems::pericentre(eccentricity), 20 * std::numbers::pi};
}
Motion<Pendulum> pendulum_motion() {
  return {simple_pendulum<double>(), {Vector<double, 1>(2.5), Vector<double, 1>(0.0)}, 100};
}
Motion<Coupled<double>> coupled_motion() {
  return {adaptive_problems::coupled<double>(), adaptive_problems::generic_state<double, 2>(), 100};
}

constexpr long many = 2000;
constexpr double fictitious_step = 2 * std::numbers::pi / 200;

/// The largest variation of position distances over the three methods of the slides.
template <class System, class Density>
double largest_of_methods(const Motion<System>& motion, const Density& density, double h) {
  const auto of = [&](auto method) { return spacing(std::move(method), motion.start, h, motion.end_time).position; };
  return std::max({of(HamiltonianAdaptiveVerlet(motion.system, density)),
                   of(VariationalAdaptiveVerlet(motion.system, density)),
                   of(ReversibleAdaptiveVerlet(motion.system, density))});
}

TEST(StepRules, space_positions_equally) {
  const auto kepler = kepler_motion(0.6), eccentric = kepler_motion(0.8);
  const auto pendulum = pendulum_motion();
  const auto coupled = coupled_motion();
  using K = Kepler<double>;
  const auto distances = [&](double epsilon) { return EqualDistances<K>(kepler.system, kepler.energy(), epsilon); };
  const double measured = largest_of_methods(kepler, distances(0), fictitious_step),
               halved = largest_of_methods(kepler, distances(0), fictitious_step / 2);
  const Spacing constant = kepler.with(ConstantDensity<K>{}, many);
  const Spacing of_coupled = coupled.with(EqualDistances(coupled.system, coupled.energy(), 0.01), 8 * many);
  const double of_pendulum =
      largest_of_methods(pendulum, EqualDistances(pendulum.system, pendulum.energy(), 0.1), 0.05);
  const double of_eccentric = eccentric.with(EqualDistances<K>(eccentric.system, eccentric.energy(), 0), many).position;
  add_measurements(report(),
                   {{"kepler_0.6.equal_distances", measured},
                    {"kepler_0.6.equal_distances.half_the_step", halved},
                    {"kepler_0.8.equal_distances", of_eccentric},
                    {"kepler_0.6.constant", constant.position},
                    {"pendulum.equal_distances_0.1", of_pendulum},
                    {"pendulum.constant", pendulum.with(ConstantDensity<Pendulum>{}, many).position}},
                   "", {.relative = 0.05});
  const Interval few_percent{0, 0.05};
  expect_verdict(
      {.id = "CS101.slide18.equispaced",
       .measured = measured,
       .interval = few_percent,
       .controls = {failing("constant steps", constant.position, few_percent),
                    failing("sigma = 1/K",
                            kepler.with(InverseKineticEnergy<K>(kepler.system, kepler.energy(), 0), many).position,
                            few_percent),
                    failing("epsilon = 1, which is no smaller than K", kepler.with(distances(1), many).position,
                            few_percent),
                    evidence("pendulum, epsilon = 0.1: a motion that turns round", of_pendulum, few_percent),
                    failing("full mass matrix, distances without it", of_coupled.euclidean, few_percent),
                    passing("full mass matrix, distances by it, epsilon = 0.01", of_coupled.position, few_percent)},
       .note = text("Kepler, e = 0.6, epsilon = 0, h = 2 pi/200; with half the step %.1g: what is left falls as h^2. "
                    "e = 0.8: %.2g. With epsilon positions are closer by (K/(K + epsilon))^(1/2) where the motion is "
                    "slow.",
                    halved, of_eccentric)});
}

/// Variation of the distances of states under a rule over that with constant steps; `variation` is that of 1/acceleration
/// itself.
struct OverConstant {
  double acceleration, exact, distances, kinetic, velocity, variation;
  /// That of 1/acceleration over that of the better of the slide's two other rules.
  [[nodiscard]] double over_others() const { return acceleration / std::min(distances, kinetic); }
};
template <class System>
OverConstant over_constant(const std::string& name, const Motion<System>& motion, double epsilon) {
  const double constant = motion.with(ConstantDensity<System>{}, many).state;
  const Spacing acceleration = motion.with(InverseAcceleration<System>(motion.system, 0), many),
                exact = motion.with(EqualStateDistances<System>(motion.system), many),
                distances = motion.with(EqualDistances<System>(motion.system, motion.energy(), epsilon), 2 * many),
                kinetic = motion.with(InverseKineticEnergy<System>(motion.system, motion.energy(), epsilon), 2 * many);
  add_measurements(report(),
                   {{name + ".state.constant", constant},
                    {name + ".state.inverse_acceleration", acceleration.state},
                    {name + ".state.equal_distances", distances.state},
                    {name + ".state.inverse_kinetic_energy", kinetic.state}},
                   "", {.relative = 0.05});
  // Distances that are equal but for terms of h^2 and for rounding.
  report().measurement({.name = name + ".velocity.inverse_acceleration",
                        .value = acceleration.velocity,
                        .tolerance = {.absolute = 1e-4, .relative = 0.01}});
  report().measurement(
      {.name = name + ".state.equal_states", .value = exact.state, .tolerance = {.absolute = 1e-4, .relative = 0.01}});
  return {acceleration.state / constant, exact.state / constant, distances.state / constant,
          kinetic.state / constant,      acceleration.velocity,  acceleration.state};
}

TEST(StepRules, inverse_acceleration_is_nearest_to_equal_states_where_velocities_are_small) {
  const auto of_kepler = kepler_motion(0.6);
  const OverConstant kepler = over_constant("kepler_0.6", of_kepler, 0),
                     eccentric = over_constant("kepler_0.8", kepler_motion(0.8), 0),
                     pendulum = over_constant("pendulum", pendulum_motion(), 0.1),
                     coupled = over_constant("coupled", coupled_motion(), 0.1);
  const double constant = kepler.variation / kepler.acceleration,
               with_r = of_kepler.with(KeplerDensity<Kepler<double>>{}, many).state / constant;
  const Interval nearest{0, 1};
  expect_verdict(
      {.id = "CS101.slide18.rules",
       .measured = kepler.over_others(),
       .interval = nearest,
       .controls = {failing("the inverse of the kinetic energy in its place",
                            kepler.kinetic / std::min(kepler.acceleration, kepler.distances), nearest),
                    evidence("pendulum", pendulum.over_others(), nearest),
                    evidence("two degrees of freedom", coupled.over_others(), nearest),
                    passing("the exact rule, (|v|^2 + |a|^2)^(-1/2)",
                            kepler.exact / std::min(kepler.kinetic, kepler.distances), nearest),
                    evidence("e = 0.8", eccentric.over_others(), nearest)},
       .note = text(
           "Kepler, e = 0.6, variation of the distances in (p, q) over that with constant steps, %.2f: "
           "1/acceleration %.3f, exact %.1g, inverse kinetic energy %.3f, equal distances %.3f; r^(3/2), which is "
           "not on the slide, %.3f. What 1/acceleration spaces equally are velocities: variation %.1g.",
           constant, kepler.acceleration, kepler.exact, kepler.kinetic, kepler.distances, with_r, kepler.velocity)});
}

// --- no bound through an equilibrium ------------------------------------------------------------------------------------

/// Runs with steps from h to h/4: the mean square of the distances of states in units of h^2, and their variation. A run
/// that was lost counts as larger than all others.
struct Spread {
  std::vector<double> mean_squares, variations;
  [[nodiscard]] long lost() const { return std::count(mean_squares.begin(), mean_squares.end(), infinity); }
};
template <class System, class Density>
Spread spread(const Motion<System>& motion, const Density& density, double h, int runs) {
  Spread result;
  for (int k = 0; k < runs; ++k) {
    const double of_run = h * std::pow(4.0, -static_cast<double>(k) / runs);
    ReversibleAdaptiveVerlet method(motion.system, density);
    auto z = method.start(motion.start.q, motion.start.v);
    Variation distances;
    bool good = true;
    while (good && z.t < motion.end_time) {
      const auto last = z;
      good = method.step(z, of_run).ok();
      distances.add(std::sqrt((z.q - last.q).squaredNorm() + (z.v - last.v).squaredNorm()));
    }
    result.mean_squares.push_back(good ? distances.mean_square() / (of_run * of_run) : infinity);
    result.variations.push_back(good ? distances.value() : infinity);
  }
  return result;
}
/// Returns the median of an odd number of values, those at first, first + between, ...
double median_of(const std::vector<double>& values, std::size_t first = 0, std::size_t between = 1) {
  std::vector<double> some;
  for (std::size_t k = first; k < values.size(); k += between) some.push_back(values[k]);
  std::sort(some.begin(), some.end());
  return some[some.size() / 2];
}
/// What the median of the mean square grows by where there are e times so many steps, from those that are `finer` times so
/// many.
constexpr double finer = 16;
double growth(const Spread& coarse, const Spread& fine, std::size_t first = 0, std::size_t between = 1) {
  return (median_of(fine.mean_squares, first, between) - median_of(coarse.mean_squares, first, between)) /
         std::log(finer);
}
/// Returns the standard error of the growth: from its values in `parts` parts of the runs, whose steps lie between each
/// other.
double standard_error_of_growth(const Spread& coarse, const Spread& fine, std::size_t parts) {
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < parts; ++k) {
    const double of_part = growth(coarse, fine, k, parts);
    sum += of_part;
    squares += of_part * of_part;
  }
  const auto n = static_cast<double>(parts);
  return std::sqrt((squares / n - sum * sum / (n * n)) / (n - 1));
}

/// The mean square of the distances of states, in units of h^2, of the points themselves that 1/|a| gives on the pendulum's
/// swing from rest at `amplitude`, in n steps a quarter: velocities are h apart, and the fold is passed in the middle of a
/// step.
double mean_square_of_points(double amplitude, int n) {
  const double highest = std::sqrt(2 * (1 - std::cos(amplitude))), h = highest / n;
  const auto angle = [&](double v) { return std::acos(std::cos(amplitude) + v * v / 2); };
  double q = angle(highest - h / 2), sum = 4 * q * q;
  for (int j = 1; j < n; ++j) {
    const double next = angle(highest - (j + 0.5) * h);
    sum += 2 * ((next - q) * (next - q) + h * h);
    q = next;
  }
  return sum / (2 * n - 1) / (h * h);
}

TEST(StepRules, inverse_acceleration_has_no_bound_through_an_equilibrium) {
  auto pendulum = pendulum_motion();
  pendulum.end_time = 25;
  auto kepler = kepler_motion(0.6);
  kepler.end_time = 2 * std::numbers::pi;
  constexpr double coarse_step = 0.05;
  const InverseAcceleration<Pendulum> density(pendulum.system, 0);
  // A median of so many runs errs by some hundredths; each run depends on where its steps across the equilibrium fall.
  constexpr int runs = 405, runs_of_finest = 81, parts = 9;
  const Spread coarse = spread(pendulum, density, coarse_step, runs),
               fine = spread(pendulum, density, coarse_step / finer, runs),
               finest = spread(pendulum, density, coarse_step / finer / finer, runs_of_finest);
  // Where distances have a bound the runs differ little.
  const auto growth_of = [&](const auto& motion, const auto& rule) {
    return growth(spread(motion, rule, coarse_step, 3), spread(motion, rule, coarse_step / finer, 3));
  };
  const double constant = pendulum.with(ConstantDensity<Pendulum>{}, many).state;
  const double points = (mean_square_of_points(2.5, 8000) - mean_square_of_points(2.5, 500)) / std::log(finer);
  const double of_coarse = median_of(coarse.variations) / constant, of_fine = median_of(fine.variations) / constant,
               growth_of_runs = growth(coarse, fine), error = standard_error_of_growth(coarse, fine, parts),
               growth_further = growth(fine, finest), error_further = standard_error_of_growth(fine, finest, parts);
  add_measurements(report(),
                   {{"pendulum.acceleration_over_constant.coarse", of_coarse},
                    {"pendulum.acceleration_over_constant.fine", of_fine}},
                   "times", {.relative = 0.05});
  report().measurement({.name = "pendulum.growth_standard_error", .value = error, .tolerance = {.relative = 0.5}});
  report().measurement(
      {.name = "pendulum.growth_further", .value = growth_further, .tolerance = {.absolute = 4 * error_further}});
  // A run near its loss may be lost on another machine.
  const auto put_lost = [](const char* name, const Spread& of) {
    report().measurement({.name = name,
                          .value = static_cast<double>(of.lost()),
                          .unit = "runs",
                          .tolerance = {.absolute = 2 * std::sqrt(static_cast<double>(of.lost()))}});
  };
  put_lost("pendulum.lost_runs.coarse", coarse);
  put_lost("pendulum.lost_runs.fine", fine);
  put_lost("pendulum.lost_runs.finest", finest);
  const Interval half = Interval::around(0.5, 0.25);
  expect_verdict(
      {.id = "CS101.step-rules.acceleration",
       .measured = growth_of_runs,
       .interval = half,
       .controls = {failing("Kepler, e = 0.6", growth_of(kepler, InverseAcceleration<Kepler<double>>(kepler.system, 0)),
                            half),
                    failing("the exact rule on the pendulum",
                            growth_of(pendulum, EqualStateDistances<Pendulum>(pendulum.system)), half),
                    passing("the points of the rule itself, velocities exactly h apart", points, half)},
       .note = text(
           "%.4f +- %.3f, the standard error, from %d runs with steps from h to h/4 and as many with steps 16 times as "
           "short, of which %ld and %ld end for want of a step; over the next factor of 16 %.3f +- %.3f, from %d more "
           "runs, %ld lost. Variation over that with constant steps, medians: %.2f, and %.2f with 16 times as many "
           "steps. Equal distances, epsilon = 0.1, with any: %.2f.",
           growth_of_runs, error, runs, coarse.lost(), fine.lost(), growth_further, error_further, runs_of_finest,
           finest.lost(), of_coarse, of_fine,
           pendulum.with(EqualDistances<Pendulum>(pendulum.system, pendulum.energy(), 0.1), 2 * many).state /
               constant)});
}

/// Writes every tenth point of the reversible method with about ten times so many steps: the motion itself, at equal
/// distances of tau.
template <class System, class Density, class Row>
void put_points(const std::string& name, const Motion<System>& motion, const Density& density, long points,
                std::vector<Column> names, const Row& row) {
  constexpr long between = 10;
  const auto target = static_cast<double>(between * points);
  double h = motion.end_time / target;
  std::vector<std::vector<double>> rows;
  for (int trial = 0; trial < 20; ++trial) {
    rows.clear();
    ReversibleAdaptiveVerlet method(motion.system, density);
    AdaptiveTrajectory run(method, method.start(motion.start.q, motion.start.v), h, motion.end_time);
    for (const auto& point : run)
      if (point.step % between == 0) rows.push_back(row(point.state));
    const auto count = static_cast<double>(run.outcome().completed);
    if (!run.outcome().ok()) {
      h /= 1.5;
    } else if (std::abs(count - target) > 1) {
      h *= count / target;
    } else {
      break;
    }
  }
  report().series(name, std::move(names), rows);
}

TEST(StepRules, points_for_the_figure) {
  auto kepler = kepler_motion(0.6);
  kepler.end_time = 2 * std::numbers::pi;
  auto pendulum = pendulum_motion();
  pendulum.end_time = 10.15;  // a period but for a point
  const auto on_kepler = [&](const char* rule, const auto& density) {
    put_points(std::string("kepler_") + rule, kepler, density, 60, {{"x", "length"}, {"y", "length"}},
               [](const auto& z) {
                 return std::vector<double>{z.q(0), z.q(1)};
               });
  };
  const auto on_pendulum = [&](const char* rule, const auto& density) {
    put_points(std::string("pendulum_") + rule, pendulum, density, 60, {{"q", ""}, {"p", "1/time"}}, [](const auto& z) {
      return std::vector<double>{z.q(0), z.v(0)};
    });
  };
  const auto of_system = [](const auto& motion, double epsilon, const auto& put) {
    using System = std::remove_cvref_t<decltype(motion.system)>;
    put("constant", ConstantDensity<System>{});
    put("equal_distances", EqualDistances<System>(motion.system, motion.energy(), epsilon));
    put("inverse_acceleration", InverseAcceleration<System>(motion.system, epsilon));
    put("equal_states", EqualStateDistances<System>(motion.system));
  };
  of_system(kepler, 0, on_kepler);
  of_system(pendulum, 0.1, on_pendulum);
  report().figure({.file = "step_rules.svg",
                   .caption = "Sixty points of a Kepler orbit and of a swing of the pendulum under four rules for the "
                              "step: constant, equal distances, inverse acceleration, equal distances of states"});
}

}  // namespace
}  // namespace livi::theorem
