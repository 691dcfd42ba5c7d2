// SPDX-License-Identifier: MIT
//
// The rows of the battery of heat baths. What is measured of a method is measured of its controls, too: of one that must be rejected
// and of ConstrainedObabo or GeodesicBaoab, which must be cleared. One file: each row needs the measure and both kinds of controls.
#include <algorithm>
#include <cmath>
#include <livi/claims/battery/rows.hpp>
#include <livi/claims/heat_bath_controls.hpp>
#include <livi/diagnostics/seed.hpp>
#include <livi/integrators/rattle.hpp>
#include <map>
#include <numbers>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace livi {
namespace battery_detail {

namespace {

using C = HeatBathControl;
using D = BathStepper::D;
using Square = Matrix<double, Dynamic>;

constexpr double beta = 2.5;
constexpr Bath<double> warm{1, beta, Friction::momentum}, none{0, beta, Friction::momentum};

std::unique_ptr<BathStepper> run_of(const AnyHeatBathSubject& subject, std::size_t problem, const Bath<double>& bath,
                                    std::uint64_t stream) {
  return subject.in_bath(problem, bath, BathNumbers(judge_seed(), stream));
}
/// Makes steps; a step that cannot be made throws.
void steps(BathStepper& run, double h, int count) {
  for (int k = 0; k < count; ++k)
    if (const StepOutcome outcome = run.step(h); !outcome.ok()) throw std::runtime_error(outcome.describe());
}

// ---- steps without sampling ------------------------------------------------------------------------------------------

struct Constraints {
  Worst position, velocity;
};
Constraints constraints(const AnyHeatBathSubject& subject) {
  Constraints worst;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem)
    for (std::uint64_t stream = 0; stream < 8; ++stream) {
      const auto run = run_of(subject, problem, warm, stream);
      for (int k = 0; k < 64; ++k) {
        steps(*run, 1.0 / 32, 1);
        const auto [of_position, of_velocity] = run->defects();
        worst.position.update(of_position, run->name());
        worst.velocity.update(of_velocity, run->name());
      }
    }
  return worst;
}

/// Whether two runs are at the same point, to the bit.
bool same(const BathStepper& a, const BathStepper& b) { return a.q() == b.q() && a.v() == b.v(); }

/// Steps of 64 on each problem that differ under other numbers, without friction.
double changed_by_numbers_without_friction(const AnyHeatBathSubject& subject) {
  double changed = 0;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem) {
    const auto one = run_of(subject, problem, none, 1), other = run_of(subject, problem, none, 2);
    for (int k = 0; k < 64; ++k) {
      steps(*one, 1.0 / 32, 1);
      steps(*other, 1.0 / 32, 1);
      if (!same(*one, *other)) ++changed;
    }
  }
  return changed;
}
/// Those that differ from the method without friction that it is said to be; nothing if none is said.
std::optional<double> changed_from_limit(const AnyHeatBathSubject& subject) {
  double changed = 0;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem) {
    const auto one = run_of(subject, problem, none, 1), limit = subject.limit(problem);
    if (!limit) return {};
    for (int k = 0; k < 64; ++k) {
      steps(*one, 1.0 / 32, 1);
      steps(*limit, 1.0 / 32, 1);
      if (!same(*one, *limit)) ++changed;
    }
  }
  return changed;
}

/// The order without friction: the exponent of q and v at T = 1, on the problem where it is farthest from the declared one.
struct Order {
  double value = not_a_number;
  std::string detail;
};
Order order_without_friction(const AnyHeatBathSubject& subject, double declared) {
  Order result;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem) {
    // RATTLE with Richardson's extrapolation: its error is of order four, some (1/512)^4.
    const auto of_rattle = [&](int count) {
      const auto reference = heat_bath_detail::stepper_on(
          problem, []<class System>(const System& system) { return Rattle<System>(system); });
      steps(*reference, 1.0 / count, count);
      return std::pair(reference->q(), reference->v());
    };
    const auto coarse = of_rattle(256), fine = of_rattle(512);
    const D q = (4 * fine.first - coarse.first) / 3, v = (4 * fine.second - coarse.second) / 3;
    std::array<std::array<double, 3>, 2> errors{};
    const char* name = "";
    for (std::size_t k = 0; k < 3; ++k) {
      const auto run = run_of(subject, problem, none, 0);
      const int count = 16 << k;
      steps(*run, 1.0 / count, count);
      errors[0][k] = (run->q() - q).norm();
      errors[1][k] = (run->v() - v).norm();
      name = run->name();
    }
    for (const auto& of : errors) {
      // The next term of the slope goes as h or as h^2; a half of either is left.
      const double first = std::log2(of[0] / of[1]), second = std::log2(of[1] / of[2]),
                   slope = 1.5 * second - 0.5 * first;
      if (std::isnan(result.value) || std::abs(slope - declared) > std::abs(result.value - declared))
        result = {slope, format("%s: %.3f, then %.3f", name, first, second)};
    }
  }
  return result;
}

/// By how much the damping of velocities differs from gamma v, relatively, as h -> 0.
Worst wrong_friction(const AnyHeatBathSubject& subject) {
  Worst worst;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem) {
    const char* name = "";
    const auto wrong = [&](double h) {
      const auto silent = [] { return BathNumbers(std::make_shared<BathNumbers::Given>()); };
      const auto damped = subject.in_bath(problem, warm, silent()), free = subject.in_bath(problem, none, silent());
      steps(*damped, h, 1);
      steps(*free, h, 1);
      name = damped->name();
      return D((damped->v() - free->v()) / h + warm.gamma * damped->origin().second);
    };
    constexpr double h = 1.0 / 256;
    const D limit = 2 * wrong(h / 2) - wrong(h);
    worst.update(limit.norm() / (warm.gamma * subject.in_bath(problem, none, BathNumbers())->origin().second.norm()),
                 name);
  }
  return worst;
}

/// The covariance of the change of velocities over `count` steps, over h, by its columns.
Square covariance(const AnyHeatBathSubject& subject, std::size_t problem, double h, int count) {
  const auto numbers = std::make_shared<BathNumbers::Given>();
  const auto end = [&] {
    const auto run = subject.in_bath(problem, warm, BathNumbers(numbers));
    steps(*run, h, count);
    return run->v();
  };
  const D middle = end();  // which numbers there are
  Square sum = Square::Zero(middle.size(), middle.size());
  for (std::size_t k = 0; k < numbers->numbers.size(); ++k) {
    numbers->numbers[k].value = 1;
    const D above = end();
    numbers->numbers[k].value = -1;
    const D column = (above - end()) / (2 * std::sqrt(h));
    numbers->numbers[k].value = 0;
    sum += column * column.transpose();
  }
  return sum;
}
/// By how much the covariance of the noise differs from `count` times (2 gamma/beta) P M^-1 P^T, relatively, as h -> 0.
Worst wrong_noise(const AnyHeatBathSubject& subject, int count) {
  Worst worst;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem) {
    const auto run = subject.in_bath(problem, warm, BathNumbers());
    const D q = run->origin().first;
    Square expected(q.size(), q.size());
    for (Eigen::Index j = 0; j < q.size(); ++j)
      expected.col(j) = 2 * warm.gamma / beta * count * run->tangent(q, D(D::Unit(q.size(), j)));
    constexpr double h = 1.0 / 256;
    const Square limit = 2 * covariance(subject, problem, h / 2, count) - covariance(subject, problem, h, count);
    worst.update((limit - expected).norm() / expected.norm(), run->name());
  }
  return worst;
}

// ---- one step from the Gibbs measure -----------------------------------------------------------------------------------

using Rule = std::vector<std::pair<double, double>>;  ///< nodes and weights

/// Gauss's rule for the integral over [-1, 1], by Newton's method for the roots of Legendre's polynomial.
Rule legendre_rule(int n) {
  Rule rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 8; ++iteration) {
      double before = 1, here = x;
      for (int k = 2; k <= n; ++k) before = std::exchange(here, ((2 * k - 1) * x * here - (k - 1) * before) / k);
      slope = n * (x * here - before) / (x * x - 1);
      x -= here / slope;
    }
    rule.emplace_back(x, 2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}
/// Gauss's rule of four nodes for the mean over a standard normal number: its roots are (3 -+ 6^(1/2))^(1/2), right to degree
/// seven, three of f and h^4.
Rule normal_rule() {
  Rule rule;
  for (const double side : {-1, 1})
    for (const double root : {std::sqrt(3 - std::sqrt(6)), std::sqrt(3 + std::sqrt(6))}) {
      const double before = root * root * root - 3 * root;  // Hermite's polynomial of degree three
      rule.emplace_back(side * root, 24 / (16 * before * before));
    }
  return rule;
}

/// The defect |E[f(after a step)] - E[f]| of the Gibbs measure on the sphere, for f = z, z^2, v_z^2, |v|^2, v_z, z v_z and v_z |v|^2
/// together: of symmetric methods those that are even in v have a defect that is smaller by h. z has
/// the density exp(-beta z) on [-1, 1] (Archimedes), v is normal in the tangent plane. Not a number if a step has more than six
/// normal numbers, for which three nodes each, right to degree five, are too many together.
double defect_of_gibbs(const AnyHeatBathSubject& subject, double h) {
  const auto heights = legendre_rule(8), normal = normal_rule();
  const std::array<std::pair<double, double>, 3> of_noise{
      {{-std::sqrt(3), 1.0 / 6}, {0, 2.0 / 3}, {std::sqrt(3), 1.0 / 6}}};
  const auto numbers = std::make_shared<BathNumbers::Given>();
  const auto run = subject.in_bath(bath_place::sphere, warm, BathNumbers(numbers));
  steps(*run, h, 1);
  const std::size_t count = numbers->numbers.size();
  if (count > 6) return not_a_number;
  double total = 0;
  for (const auto& [z, weight] : heights) total += weight * std::exp(-beta * z);
  const auto values = [](const D& q, const D& v) {
    Vector<double, 7> all;
    all << q(2), q(2) * q(2), v(2) * v(2), v.squaredNorm(), v(2), q(2) * v(2), v(2) * v.squaredNorm();
    return all;
  };
  Vector<double, 7> defect = Vector<double, 7>::Zero();
  for (const auto& [z, weight] : heights) {
    const double radius = std::sqrt(1 - z * z), of_height = weight * std::exp(-beta * z) / total;
    const Vector<double, 3> q(radius, 0, z), down(z, 0, -radius), along(0, 1, 0);
    for (const auto& [first, of_first] : normal)
      for (const auto& [second, of_second] : normal) {
        const Vector<double, 3> v = (first * down + second * along) / std::sqrt(beta);
        const D at_q = q, at_v = v;
        std::vector<std::size_t> nodes(count, 0);
        for (std::size_t digit = 0; digit < std::max<std::size_t>(count, 1);) {
          double of_all = of_height * of_first * of_second;
          for (std::size_t i = 0; i < count; ++i) {
            numbers->numbers[i].value = of_noise[nodes[i]].first;
            of_all *= of_noise[nodes[i]].second;
          }
          run->start(at_q, at_v);
          steps(*run, h, 1);
          defect += of_all * (values(run->q(), run->v()) - values(at_q, at_v));
          for (digit = 0; digit < count && ++nodes[digit] == 3; ++digit) nodes[digit] = 0;
          if (count == 0) break;
        }
      }
  }
  return defect.norm();
}
/// The order of averages: one less than that of the defect.
double order_of_averages(const AnyHeatBathSubject& subject) {
  constexpr double h = 1.0 / 16;
  return std::log2(defect_of_gibbs(subject, h) / defect_of_gibbs(subject, h / 2)) - 1;
}

// ---- long runs -----------------------------------------------------------------------------------------------------------

/// A mean over independent runs, in standard errors from what it should be. Not a number for runs that do not differ.
double errors_from(double expected, const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, square = 0;
  for (const double value : values) mean += value / n;
  for (const double value : values) square += (value - mean) * (value - mean) / (n - 1);
  return square > 1e-20 ? std::abs(mean - expected) / std::sqrt(square / n) : not_a_number;
}

struct LongRuns {
  Worst momenta, heights;  ///< largest errors
};
/// Means over long runs: on the sphere of the velocities east and south, of their squares and product, and of z and z^2; on the others
/// of |p|^2 in the metric of the mass, which is d/beta.
LongRuns long_runs(const AnyHeatBathSubject& subject) {
  constexpr std::uint64_t runs = 32;
  constexpr int before = 160, after = 640;
  constexpr double h = 1.0 / 32;
  const double coth = 1 / std::tanh(beta);
  LongRuns found;
  std::array<std::vector<double>, 7> means;
  std::array<std::vector<double>, bath_place::count> energies;
  std::array<int, bath_place::count> dimension{};
  for (std::size_t problem = 0; problem < bath_place::count; ++problem)
    for (std::uint64_t stream = 0; stream < runs; ++stream) {
      const auto run = run_of(subject, problem, warm, 100 + stream);
      dimension[problem] = run->dimension();
      steps(*run, h, before);
      Vector<double, 7> sum = Vector<double, 7>::Zero();
      double energy = 0;
      for (int k = 0; k < after; ++k) {
        steps(*run, h, 1);
        const D q = run->q(), v = run->v();
        energy += v.dot(run->momentum(v)) / after;
        if (problem != bath_place::sphere) continue;
        const double radius = std::hypot(q(0), q(1)), east = (q(0) * v(1) - q(1) * v(0)) / radius,
                     south = (q(2) * (q(0) * v(0) + q(1) * v(1)) / radius - radius * v(2));
        Vector<double, 7> values;
        values << east, south, east * east, south * south, east * south, q(2), q(2) * q(2);
        sum += values / after;
      }
      energies[problem].push_back(energy);
      if (problem == bath_place::sphere)
        for (std::size_t i = 0; i < means.size(); ++i) means[i].push_back(sum(static_cast<Eigen::Index>(i)));
    }
  constexpr std::array<const char*, 7> names{"v east", "v south", "(v east)^2", "(v south)^2", "product", "z", "z^2"};
  const std::array<double, 7> expected{
      0, 0, 1 / beta, 1 / beta, 0, 1 / beta - coth, 1 + 2 / (beta * beta) - 2 * coth / beta};
  for (std::size_t i = 0; i < means.size(); ++i)
    (i < 5 ? found.momenta : found.heights).update(errors_from(expected[i], means[i]), names[i]);
  for (std::size_t problem = 0; problem < bath_place::count; ++problem)
    found.momenta.update(errors_from(dimension[problem] / beta, energies[problem]), "kinetic energy");
  return found;
}

// ---- runs again ------------------------------------------------------------------------------------------------------------

/// Steps of 32 on each problem that differ in a bit in a second run of the same numbers, and those that are the same under those of
/// another seed or stream.
double wrong_repetitions(const AnyHeatBathSubject& subject) {
  double wrong = 0;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem) {
    const auto one = run_of(subject, problem, warm, 5), again = run_of(subject, problem, warm, 5),
               stream = run_of(subject, problem, warm, 6),
               seed = subject.in_bath(problem, warm, BathNumbers(judge_seed() + 1, 5));
    for (int k = 0; k < 32; ++k) {
      for (BathStepper* run : {one.get(), again.get(), stream.get(), seed.get()}) steps(*run, 1.0 / 32, 1);
      wrong += !same(*one, *again) + same(*one, *stream) + same(*one, *seed);
    }
  }
  return wrong;
}
/// Steps of 32 on each problem that end elsewhere when a new object makes them from the saved state.
double lost_by_restart(const AnyHeatBathSubject& subject) {
  double lost = 0;
  for (std::size_t problem = 0; problem < bath_place::count; ++problem) {
    const auto whole = run_of(subject, problem, warm, 5);
    for (int k = 0; k < 32; ++k) {
      const auto resumed = run_of(subject, problem, warm, 5);
      resumed->load(whole->save());
      steps(*whole, 1.0 / 32, 1);
      steps(*resumed, 1.0 / 32, 1);
      lost += !same(*whole, *resumed);
    }
  }
  return lost;
}

// ---- rows --------------------------------------------------------------------------------------------------------------------

class HeatBathTests {
 public:
  HeatBathTests(const AnyHeatBathSubject& subject, const BatteryOptions& options)
      : subject_(subject),
        options_(options),
        declared_(subject.declares_for_noise()),
        rows_(result_.declares, result_.rows, options) {
    result_.declares = declared_.deterministic;
    result_.quick = options.quick;
    result_.only = options.only;
    result_.seed = judge_seed();
  }

  BatteryResult run() {
    test(
        "constraint", "positions are on the manifold", {0, 4},
        "coordinates are rounded, and the multiplier's part of each is: one rounding of g for each", "roundings",
        [](const auto& subject) { return constraints(subject).position; }, C::off_manifold,
        "largest |g| over eight runs of 64 steps of 1/32 on each problem");
    test(
        "hidden constraint", "velocities are tangent to the manifold", {0, 4},
        "a velocity is projected by one solve, whose rounding is that of G v before it, and rounded", "roundings",
        [](const auto& subject) { return constraints(subject).velocity; }, C::unprojected,
        "largest |G v|/max(1, |v|) in the same runs");
    test(
        "numbers without friction", "without friction nothing depends on normal numbers", {0, 0}, "counts are exact",
        "steps", [](const auto& subject) { return counted(changed_by_numbers_without_friction(subject)); },
        C::other_without_friction, "steps of 64 on each problem that differ in a bit under other numbers");
    rows_.test("limit without friction", [&] {
      if (!changed_from_limit(subject_)) {
        rows_.does_not_apply("limit without friction", "no method is said to be its limit");
        return;
      }
      add(
          "limit without friction", "without friction it is the method that is said to be its limit", {0, 0},
          "counts are exact", "steps",
          [](const auto& subject) { return counted(changed_from_limit(subject).value_or(not_a_number)); },
          C::rattle_of_other_rounding, C::obabo, "steps of 64 on each problem that differ in a bit", "yes");
    });
    const double order = declared_.deterministic.order;
    test(
        "order without friction", format("error of order %g without friction", order), Interval::around(order, 0.1),
        "what is left of the next term, which is relatively h^2 or h = 1/32", "order",
        [order](const auto& subject) {
          const Order found = order_without_friction(subject, order);
          return Worst{found.value, found.detail};
        },
        C::lopsided, "errors of q and v after one unit of time in steps of 1/16, 1/32, 1/64", format("%g", order));
    constexpr const char* of_limit =
        "the limit for h to 0 by extrapolation from 2^-8 and 2^-9, which leaves (gamma h)^2 = 1e-5 times a number of "
        "order one";
    test(
        "friction", "velocities are damped at the rate of the friction", {0, 1e-3}, of_limit, "",
        [](const auto& subject) { return wrong_friction(subject); }, C::friction_twice,
        "|(v(h) - v(h) without friction)/h + gamma v| over |gamma v|, all numbers zero");
    test(
        "noise", "the covariance of the noise of a step is that of the bath, in the tangent space", {0, 1e-3}, of_limit,
        "", [](const auto& subject) { return wrong_noise(subject, 1); }, C::unprojected,
        "difference of sum_k b_k b_k^T from (2 gamma/beta) P M^-1 P^T, relative, in the norm of Frobenius");
    test(
        "fresh noise", "two steps have numbers of their own", {0, 1e-3}, of_limit, "",
        [](const auto& subject) { return wrong_noise(subject, 2); }, C::old_noise,
        "that of two steps from twice of it");
    rows_.test("averages", [&] { averages(); });
    constexpr const char* of_sample =
        "5 standard errors: by Student's distribution for 32 runs one of ten means is beyond with a probability of "
        "2e-4; the step "
        "adds h^2/4, a hundredth of one";
    test(
        "momenta", "momenta have the mean and variance of the Gibbs measure in the tangent space", {0, 5}, of_sample,
        "standard errors", [this](const auto& subject) { return runs_of(subject).momenta; }, C::speed_limit,
        "largest distance of means over 32 runs of 20 units of time, h = 1/32, on the sphere and of |p|^2 on all");
    test(
        "heights", "heights on the sphere have the mean and mean square of their closed forms", {0, 5}, of_sample,
        "standard errors", [this](const auto& subject) { return runs_of(subject).heights; }, C::half_temperature,
        "largest distance of means of z and z^2 from 1/beta - coth beta and 1 + 2/beta^2 - 2 coth(beta)/beta in the "
        "same runs");
    test(
        "repetition", "a run is the same with the same seed and stream, and another with others", {0, 0},
        "counts are exact", "steps", [](const auto& subject) { return counted(wrong_repetitions(subject)); },
        C::own_numbers,
        "steps of 32 on each problem that differ in a bit, or that do not under another seed or stream");
    test(
        "restart", "fields() are all that a step depends on", {0, 0}, "counts are exact", "steps",
        [](const auto& subject) { return counted(lost_by_restart(subject)); }, C::counter_in_method,
        "steps of 32 on each problem that differ in a bit when a new object makes them from the saved state");
    for (const std::string& row : options_.only)
      if (!rows_.find(row)) throw InvalidParameter("only", row, "must be a row of the battery of heat baths");
    return std::move(result_);
  }

 private:
  static Worst counted(double number) { return {number, ""}; }
  /// The long runs of a subject, for both rows.
  const LongRuns& runs_of(const AnyHeatBathSubject& subject) {
    const auto [found, is_new] = runs_.try_emplace(&subject);
    if (is_new) found->second = long_runs(subject);
    return found->second;
  }

  template <class Measure>
  void test(const char* row, const std::string& statement, const Interval& interval, const char* reason,
            const char* unit, const Measure& measure, C wrong, const std::string& how,
            const std::string& declared = "yes") {
    rows_.test(row, [&] { add(row, statement, interval, reason, unit, measure, wrong, C::baoab, how, declared); });
  }
  /// Adds a row with its controls, one that must be outside the interval and one that must be inside.
  template <class Measure>
  void add(const char* row, const std::string& statement, const Interval& interval, const std::string& reason,
           const char* unit, const Measure& measure, C wrong, C right, const std::string& how,
           const std::string& declared) {
    const auto control = [&](C which, Expected expected) {
      const HeatBathControlMethod& method = heat_bath_control(which);
      // Other runs of the battery have the same control.
      static std::map<std::tuple<std::string, std::string, C>, double> kept;
      const auto [found, is_new] = kept.try_emplace({row, declared, which}, not_a_number);
      if (is_new) found->second = measure(*method.subject).value;
      return Control{.name = method.name,
                     .measured = found->second,
                     .interval = interval,
                     .note = expected == Expected::passes ? "in the interval" : "outside the interval",
                     .expected = expected};
    };
    const Worst worst = measure(subject_);
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = worst.value;
    claim.unit = unit;
    claim.interval = interval;
    claim.reason = reason;
    claim.controls = {control(wrong, Expected::fails), control(right, Expected::passes)};
    rows_.add(row, declared, claim, worst.where);
  }
  void averages() {
    const double order = declared_.weak_order;
    if (std::isnan(order)) {
      rows_.does_not_apply("averages", "no order of averages is declared");
      return;
    }
    const std::string how =
        "order of the defect E[f(after a step)] - E[f] of the Gibbs measure on the sphere, less one, f = z, z^2, "
        "v_z^2, |v|^2; "
        "steps of 1/16 and 1/32";
    const HeatBathControlMethod &wrong = heat_bath_control(C::first_order_bath), &right = heat_bath_control(C::baoab);
    const Interval two{1.7, infinity};
    Claim claim;
    claim.statement = format("averages over the stationary measure have errors of order %g", order);
    claim.how = how;
    claim.measured = order_of_averages(subject_);
    claim.unit = "order";
    claim.interval = {order - 0.3, infinity};
    claim.reason = "orders are whole numbers; the next term moves the slope by h or so. A higher order is no lie";
    claim.controls = {
        {.name = wrong.name, .measured = order_of_averages(*wrong.subject), .interval = two, .note = "as of order two"},
        {.name = right.name,
         .measured = order_of_averages(*right.subject),
         .interval = two,
         .note = "as of order two",
         .expected = Expected::passes}};
    rows_.add("averages", format("%g", order), claim);
  }

  const AnyHeatBathSubject& subject_;
  const BatteryOptions& options_;
  StochasticProperties declared_;
  BatteryResult result_;
  Rows rows_;
  std::map<const AnyHeatBathSubject*, LongRuns> runs_;
};

}  // namespace

}  // namespace battery_detail

BatteryResult run_heat_bath_battery(const AnyHeatBathSubject& subject, const BatteryOptions& options) {
  return battery_detail::HeatBathTests(subject, options).run();
}

}  // namespace livi
