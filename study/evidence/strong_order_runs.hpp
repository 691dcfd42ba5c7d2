// SPDX-License-Identifier: MIT
//
// Strong orders of methods under noise: the methods, their runs along the same paths, and the powers with which their errors fall.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <livi/report/text.hpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "study/models/noise_on_manifolds.hpp"
#include "study/program/estimates.hpp"
#include "study/program/parallel.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/over_runs.hpp"
#include "study/statistics/power_over_paths.hpp"

namespace livi::strong_orders {

enum class Kind {
  euler_a,
  euler_b,
  increments,
  weak,
  integrals,
  mean,
  conditional_mean,
  exact,
  staircase,
  rising,
  euler_maruyama,
  heun,
  unprojected,
  three_stages,
  four_stages,
  three_stages_increments,
  four_stages_increments
};

/// A method, with what is changed in its noise.
struct Method {
  const char* name;
  Kind kind;
  Change change = {};
  std::string title = {};  ///< in the table of orders; of controls, which are not in it, none
};
/// (a)
inline const Method commutator{"commutator", Kind::exact, {}, "RATTLE with I10 and the kick of C"};
/// The methods of the table; the first is (a).
inline const std::vector<Method> table{
    commutator,
    {"euler_a", Kind::euler_a, {}, "variational Euler A"},
    {"euler_b", Kind::euler_b, {}, "variational Euler B"},
    {"rattle_increments", Kind::increments, {}, "RATTLE with dW/2"},
    {"rattle_weak", Kind::weak, {}, "RATTLE with dW/2 +- 3^(1/2) zeta/h"},
    {"rattle_integrals", Kind::integrals, {}, "RATTLE with I10"},
    {"commutator_mean", Kind::mean, {}, "RATTLE with I10 and the kick of the mean of C"},
    {"commutator_conditional_mean",
     Kind::conditional_mean,
     {},
     "RATTLE with I10 and the kick of the mean of C under dW and I10"},
    {"staircase", Kind::staircase, {}, "RATTLE along a staircase"},
    {"euler_maruyama", Kind::euler_maruyama, {}, "projected Euler-Maruyama"},
    {"heun", Kind::heun, {}, "projected Heun"},
    {"unprojected", Kind::unprojected, {}, "RATTLE that forgets the noise's projection"}};
/// Lobatto's methods with I10, which cost some twenty and forty times as much as RATTLE.
inline const std::vector<Method> of_stages{{"three_stages", Kind::three_stages, {}, "three stages (Lobatto) with I10"},
                                           {"four_stages", Kind::four_stages, {}, "four stages (Lobatto) with I10"}};
inline const std::vector<Method> of_stages_with_increments{
    {"three_stages_increments", Kind::three_stages_increments, {}, "three stages (Lobatto) with dW"},
    {"four_stages_increments", Kind::four_stages_increments, {}, "four stages (Lobatto) with dW"}};
/// RATTLE with dW/2 and a part of the mean of int W W that it lacks, h^2/4.
inline const std::vector<Method> of_increments_with_mean{
    {"third_of_mean", Kind::exact, {.diagonal = 0, .add = 0.25 / 3, .half_of_zeta = true}},
    {"half_of_mean", Kind::exact, {.diagonal = 0, .add = 0.25 / 2, .half_of_zeta = true}},
    {"whole_mean", Kind::exact, {.diagonal = 0, .add = 0.25, .half_of_zeta = true}}};
inline bool is_of_stages(Kind kind) {
  return kind == Kind::three_stages || kind == Kind::four_stages || kind == Kind::three_stages_increments ||
         kind == Kind::four_stages_increments;
}

/// An integrator whose step has all its parts inlined: a fifth of the time would go into calls, and into vectors that are stored
/// for them in parts and loaded as a whole.
template <class Integrator>
struct InlinedSteps : Integrator {
  StepOutcome step(typename Integrator::state_type& z, double h, StepNoise<double> noises) {
    return call_inlined<double>([&] { return Integrator::step(z, h, noises); });
  }
};

/// Returns where a path ends at T = 1 by the steps of a level; not a number if a step does not exist.
template <class Problem, class Integrator>
State end_by(const Problem& problem, Integrator method, const NoisesOf& noises, int level) {
  InlinedSteps<Integrator> integrator{std::move(method)};
  auto z = integrator.start(problem.q, problem.v);
  if (run_along(integrator, z, noises, level)) return State::Constant(not_a_number);
  State end;
  end << z.q, z.v;
  return end;
}
template <class Problem>
State end_of(const Problem& problem, const Method& method, const NoisesOf& of_path, int level) {
  const auto& system = problem.system;
  const NoisesOf noises(of_path.path, of_path.noises, method.change);
  const auto rattle = [&](NoiseWeights weights) {
    return end_by(problem, StochasticRattle(system, weights), noises, level);
  };
  const auto with_kick = [&](PathCovariance taken) {
    return end_by(problem, CommutatorRattle(system, taken), noises, level);
  };
  const auto euler = [&](EulerForce force) {
    return end_by(problem, ConstrainedVariationalEuler(system, force), noises, level);
  };
  const auto lobattos = [&](int stages, NoiseWeights weights) {
    // The update after one of 1e-8 is of its square.
    NewtonOptions<double> newton;
    newton.tolerance = 1e-8;
    return end_by(problem,
                  ConstrainedPartitionedRungeKutta(system, lobatto<double>(stages), weights,
                                                   TableauCondition::condition_2_1, newton),
                  noises, level);
  };
  switch (method.kind) {
    case Kind::euler_a:
      return euler(EulerForce::at_start);
    case Kind::euler_b:
      return euler(EulerForce::at_end);
    case Kind::increments:
      return rattle(NoiseWeights::increments);
    case Kind::weak:
      return rattle(NoiseWeights::weak);
    case Kind::integrals:
      return rattle(NoiseWeights::integrals);
    case Kind::mean:
      return with_kick(PathCovariance::mean);
    case Kind::conditional_mean:
      return with_kick(PathCovariance::conditional_mean);
    case Kind::exact:
      return with_kick(PathCovariance::exact);
    case Kind::staircase:
      return end_by(problem, StaircaseRattle(system), noises, level);
    case Kind::rising:
      return end_by(problem, RisingStaircase(system), noises, level);
    case Kind::euler_maruyama:
      return end_by(problem, ProjectedEulerMaruyama(system), noises, level);
    case Kind::heun:
      return end_by(problem, ProjectedHeun(system), noises, level);
    case Kind::unprojected:
      return end_by(problem, UnprojectedNoise(system), noises, level);
    case Kind::three_stages:
      return lobattos(3, NoiseWeights::integrals);
    case Kind::four_stages:
      return lobattos(4, NoiseWeights::integrals);
    case Kind::three_stages_increments:
      return lobattos(3, NoiseWeights::increments);
    case Kind::four_stages_increments:
      return lobattos(4, NoiseWeights::increments);
  }
  throw std::logic_error("a kind of method that there is not");
}

// --- strong orders ----------------------------------------------------------------------------------------------------

/// A case on one path: squares for each method at all steps, and the ends that weak orders need.
struct OnPath {
  std::vector<std::vector<double>> errors, distances;  ///< [method][step], to the reference and to (a) at the same step
  std::vector<double> from_increments;                 ///< [method], square of (3), at the smallest step
  std::array<State, levels> conditional;               ///< where (b') ends
  State end;                                           ///< where the reference ends
  double half_as_fine = not_a_number;                  ///< square of the distance of (a) at 2^-10 from the reference
  long lost = 0;
};

/// A method on all paths of a case.
struct Order {
  PathPower error, distance, late_error, late_distance;  ///< late: h <= 2^-5
  std::vector<double> errors_of_error,
      errors_of_distance;  ///< standard errors of both in the mean square, at each step
  bool of_stages = false;  ///< judged by the error, h <= 2^-5

  /// Returns whether the method is (a) but for rounding, at most some 1e-14 in 256 steps.
  [[nodiscard]] bool is_commutator() const {
    return std::all_of(distance.rms.begin(), distance.rms.end(), [](double x) { return x < 1e-12; });
  }
  /// Returns whether the error is judged, and not the distance.
  [[nodiscard]] bool by_error() const { return of_stages || is_commutator() || error.power <= distance.power; }
  [[nodiscard]] const PathPower& judged() const { return of_stages ? late_error : by_error() ? error : distance; }
  [[nodiscard]] double half_width() const { return 1.96 * judged().standard_error; }
  /// Returns the power that is judged: not a number if its 95 % interval is wider than 0.05 to either side.
  [[nodiscard]] double power() const { return half_width() <= 0.05 ? judged().power : not_a_number; }
  [[nodiscard]] std::string words() const {
    if (of_stages) return text("%.3f +- %.3f from 2^-5 on (95 %%; %.3f over all)", power(), half_width(), error.power);
    return text("%.3f +- %.3f (95 %%; %.3f from 2^-5 on)", power(), half_width(),
                (by_error() ? late_error : late_distance).power);
  }
  /// Returns k of the step 2^-k from which on the error falls as the power that is judged: no power between neighbouring
  /// steps is half-way to the next order. Not a number if it does not to the last step.
  [[nodiscard]] double falls_from() const {
    double from = not_a_number;
    for (std::size_t k = levels - 1; k-- > 0;) {
      if (!(std::abs(std::log2(error.rms[k] / error.rms[k + 1]) - power()) <= 0.25)) break;
      from = coarsest + static_cast<double>(k);
    }
    return from;
  }
};

/// What is constant on the constraint manifold.
enum class Constant {
  potentials,  ///< the gamma_i, so that noise does nothing
  products,    ///< all K_ij
  trace,       ///< sum_i K_ii
  nothing
};

/// A system under a noise.
struct Case {
  std::string name;  ///< as in names of measurements
  std::string title;
  Constant constant;
  bool tangent;  ///< the gradients of the noises are
  std::vector<Method> methods;
  std::function<OnPath(const BrownianPathWithProducts&, std::uint64_t)> run;
  std::map<std::string, Order> orders = {};
  std::vector<OnPath> paths = {};
  [[nodiscard]] const Order& at(const std::string& method) const { return orders.at(method); }
};

inline constexpr std::uint64_t paths_of_reference = 200;  ///< on which the error of the reference is measured

template <class Problem>
OnPath run_on(const Problem& problem, const std::vector<Method>& methods, const BrownianPathWithProducts& path,
              std::uint64_t number) {
  const NoisesOf given(path, static_cast<std::size_t>(problem.system.noise().count()));
  OnPath result;
  result.end = end_of(problem, commutator, given, reference);
  if (number < paths_of_reference)
    result.half_as_fine = (end_of(problem, commutator, given, reference - 1) - result.end).squaredNorm();
  std::array<State, levels> of_commutator;
  State of_increments = State::Constant(not_a_number);
  for (const Method& method : methods) {
    std::vector<double>&errors = result.errors.emplace_back(), &distances = result.distances.emplace_back();
    for (std::size_t k = 0; k < levels; ++k) {
      const int level = coarsest + static_cast<int>(k);
      State end;
      if (method.change.fresh)
        end = end_of(problem, {method.name, method.kind},
                     {BrownianPathWithProducts(seed + 1 + k, number, path.noises(), 1, level), given.noises}, level);
      else
        end = end_of(problem, method, given, level);
      if (result.errors.size() == 1) of_commutator[k] = end;
      errors.push_back((end - result.end).squaredNorm());
      distances.push_back((end - of_commutator[k]).squaredNorm());
      if (method.kind == Kind::conditional_mean) result.conditional[k] = end;
      if (!std::isfinite(errors.back())) ++result.lost;
      if (k + 1 < levels) continue;
      const State& without_error = is_of_stages(method.kind) ? result.end : of_commutator[k];
      if (method.kind == Kind::increments && !method.change.fresh) of_increments = end;
      result.from_increments.push_back((of_increments - of_commutator[k] - end + without_error).squaredNorm());
    }
  }
  return result;
}

/// Returns the strong order that is derived for a method of the table.
inline double derived_order(Kind kind, const Case& of) {
  const bool no_noise = of.constant == Constant::potentials;
  const double without_covariance = of.constant == Constant::nothing ? 1 : of.constant == Constant::trace ? 1.5 : 2;
  switch (kind) {
    case Kind::euler_a:
    case Kind::euler_b:
    case Kind::euler_maruyama:
      return 1;
    case Kind::increments:
    case Kind::weak:
    case Kind::heun:
    case Kind::three_stages_increments:
    case Kind::four_stages_increments:
      return no_noise ? 2 : 1;
    case Kind::integrals:
    case Kind::three_stages:
    case Kind::four_stages:
      return without_covariance;
    case Kind::mean:
    case Kind::conditional_mean:
      return std::max(without_covariance, 1.5);
    case Kind::exact:
    case Kind::staircase:
      return 2;
    case Kind::unprojected:
      return of.tangent ? 1 : 0.5;
    case Kind::rising:
      break;
  }
  throw std::logic_error("no order is derived for this kind of method");
}

/// Returns a case with the methods of the table and others.
template <class Problem>
Case make_case(const std::string& name, const std::string& title, Constant constant, bool tangent,
               const Problem& problem, const std::vector<std::vector<Method>>& others = {}) {
  Case result{name, title, constant, tangent, table, {}};
  for (const auto& more : others) result.methods.insert(result.methods.end(), more.begin(), more.end());
  result.run = [problem, methods = result.methods](const BrownianPathWithProducts& path, std::uint64_t number) {
    return run_on(problem, methods, path, number);
  };
  return result;
}

inline std::vector<double> errors_in_mean_square(const PathPower& of, const std::vector<std::vector<double>>& squares) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < levels; ++k)
    errors.push_back(mean_over(squares, [k](const auto& of_path) { return of_path[k]; }).error / (2 * of.rms[k]));
  return errors;
}

/// Runs all cases on the same paths: one with fewer noises than three takes the first of them.
inline void run_all(std::vector<Case>& cases, std::size_t paths, unsigned threads) {
  auto runs = for_each_case(paths, threads, [&](std::size_t number) {
    const BrownianPathWithProducts path(seed, number, 3, 1, reference);
    std::vector<OnPath> of_cases;
    for (const Case& of : cases) of_cases.push_back(of.run(path, number));
    return of_cases;
  });
  const auto late = [](const std::vector<std::vector<double>>& squares) {
    std::vector<std::vector<double>> result;
    for (const auto& of : squares) result.emplace_back(of.end() - 4, of.end());
    return result;
  };
  for (std::size_t c = 0; c < cases.size(); ++c) {
    for (std::size_t m = 0; m < cases[c].methods.size(); ++m) {
      std::vector<std::vector<double>> errors, distances;
      for (const auto& run : runs) {
        errors.push_back(run[c].errors[m]);
        distances.push_back(run[c].distances[m]);
      }
      Order& order = cases[c].orders[cases[c].methods[m].name];
      const Kind kind = cases[c].methods[m].kind;
      order.of_stages = is_of_stages(kind);
      order.error = power_over_paths(steps_from(coarsest), errors);
      order.late_error = power_over_paths(steps_from(5, 4), late(errors));
      order.distance = power_over_paths(steps_from(coarsest), distances);
      order.late_distance = power_over_paths(steps_from(5, 4), late(distances));
      order.errors_of_error = errors_in_mean_square(order.error, errors);
      order.errors_of_distance = errors_in_mean_square(order.distance, distances);
    }
    for (auto& run : runs) cases[c].paths.push_back(std::move(run[c]));
  }
}

/// Returns the error of the reference in the mean square: a third of the distance from (a) at 2^-10.
inline Estimate error_of_reference(const Case& of) {
  const std::size_t count = std::min<std::size_t>(of.paths.size(), paths_of_reference);
  const Estimate squares = estimate_of_all(of_each(
      std::vector<OnPath>(of.paths.begin(), of.paths.begin() + static_cast<long>(count)), &OnPath::half_as_fine));
  const double distance = std::sqrt(squares.mean);
  return {distance / 3, squares.error / (6 * distance), count};
}

/// What makes a method's order one, at the smallest step, as a share of that of RATTLE with dW/2 or, for methods with I10, with I10.
struct Share {
  double found, derived;
};
/// Returns it where it is derived; the head of this file says how.
inline std::optional<Share> share_at_order_one(const Case& of, const Method& method) {
  if (of.constant == Constant::potentials) return {};
  const double own = of.at(method.name).error.rms.back(), e = of.at("rattle_increments").error.rms.back(),
               d = of.at("rattle_integrals").is_commutator() ? 0 : of.at("rattle_integrals").distance.rms.back(),
               mean_less = d * d / (e * e);
  switch (method.kind) {
    case Kind::weak:
      return Share{own / e, (std::sqrt(3) - 1) * std::sqrt(1 - 9 * mean_less / 4)};
    case Kind::three_stages_increments:
    case Kind::four_stages_increments:
      return Share{own / e, std::sqrt(1 - 5 * mean_less / 4)};
    case Kind::three_stages:
    case Kind::four_stages:
      if (of.constant != Constant::nothing) return {};
      return Share{own / d, method.kind == Kind::three_stages ? 0.5 : 0.4};
    default:
      return {};
  }
}

}  // namespace livi::strong_orders
