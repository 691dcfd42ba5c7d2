// SPDX-License-Identifier: MIT
//
// Steps of heat baths without sampling: constraints, the limit without friction, friction and noise as h -> 0, runs again.
#include <algorithm>
#include <cmath>
#include <livi/claims/heat_bath_measures.hpp>
#include <livi/claims/heat_bath_runs.hpp>
#include <livi/integrators/rattle.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace livi::battery_detail {

namespace {

using Square = Matrix<double, Dynamic>;
using Given = BathNumbers::Given;

constexpr Bath<double> none{0, judged_baths[0].inverse_temperature, Friction::momentum};

using Path = std::vector<std::pair<D, D>>;  ///< positions and velocities
/// The points after each of `count` steps of 1/32. Runs are made one after the other, for a method may have but one at a time.
Path path(const std::unique_ptr<BathStepper>& run, int count) {
  Path points;
  for (int k = 0; k < count; ++k) {
    steps(*run, 1.0 / 32, 1);
    points.emplace_back(run->q(), run->v());
  }
  return points;
}
/// How many points are the same, to the bit.
double same_points(const Path& a, const Path& b) {
  double same = 0;
  for (std::size_t k = 0; k < a.size(); ++k) same += a[k] == b[k];
  return same;
}

/// The velocity after `count` steps from the start under given numbers, those that are not given being zero.
D velocity_after(const AnyHeatBathSubject& subject, std::size_t problem, const Bath<double>& bath,
                 const std::shared_ptr<Given>& numbers, double h, int count) {
  const auto run = subject.in_bath(problem, bath, BathNumbers(numbers));
  steps(*run, h, count);
  return run->v();
}
/// The columns b_k: half the differences of velocities under +1 and -1 of number k, over h^(1/2). `numbers` become those that the
/// steps ask for, all zero.
Square columns_of_noise(const AnyHeatBathSubject& subject, std::size_t problem, const Bath<double>& bath,
                        const std::shared_ptr<Given>& numbers, double h, int count) {
  const D middle = velocity_after(subject, problem, bath, numbers, h, count);
  Square columns(middle.size(), static_cast<Eigen::Index>(numbers->numbers.size()));
  for (std::size_t k = 0; k < numbers->numbers.size(); ++k) {
    numbers->numbers[k].value = 1;
    const D above = velocity_after(subject, problem, bath, numbers, h, count);
    numbers->numbers[k].value = -1;
    const D below = velocity_after(subject, problem, bath, numbers, h, count);
    numbers->numbers[k].value = 0;
    columns.col(static_cast<Eigen::Index>(k)) = (above - below) / (2 * std::sqrt(h));
  }
  return columns;
}
/// The step from which limits are extrapolated, with its half.
constexpr double short_step = 0x1p-9;

}  // namespace

BathConstraints bath_constraints(const AnyHeatBathSubject& subject) {
  BathConstraints worst;
  for (const std::size_t problem : subject.problems())
    for (std::uint64_t stream = 0; stream < 8; ++stream) {
      const auto run = run_of(subject, problem, judged_baths.at(stream % 2), stream);
      for (int k = 0; k < 64; ++k) {
        steps(*run, 1.0 / 32, 1);
        const auto [of_position, of_velocity] = run->defects();
        worst.position.update(of_position, run->name());
        worst.velocity.update(of_velocity, run->name());
      }
    }
  return worst;
}

double changed_by_numbers_without_friction(const AnyHeatBathSubject& subject) {
  double changed = 0;
  for (const std::size_t problem : subject.problems()) {
    const Path one = path(run_of(subject, problem, none, 1), 64), other = path(run_of(subject, problem, none, 2), 64);
    changed += 64 - same_points(one, other);
  }
  return changed;
}
std::optional<double> changed_from_limit(const AnyHeatBathSubject& subject) {
  double changed = 0;
  for (const std::size_t problem : subject.problems()) {
    const Path one = path(run_of(subject, problem, none, 1), 64);
    const auto limit = subject.limit(problem);
    if (!limit) return {};
    changed += 64 - same_points(one, path(limit, 64));
  }
  return changed;
}

Worst order_without_friction(const AnyHeatBathSubject& subject, double declared) {
  Worst result{not_a_number, ""};
  for (const std::size_t problem : subject.problems()) {
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

Worst wrong_friction(const AnyHeatBathSubject& subject) {
  Worst worst;
  for (const Bath<double>& bath : judged_baths)
    for (const std::size_t problem : subject.problems()) {
      const auto run = subject.in_bath(problem, bath, BathNumbers());
      const D v = run->origin().second;
      const auto wrong = [&](double h) {
        const auto silent = std::make_shared<Given>();
        const D damped = velocity_after(subject, problem, bath, silent, h, 1),
                free = velocity_after(subject, problem, none, silent, h, 1);
        return D((damped - free) / h + bath.gamma * v);
      };
      const D limit = 2 * wrong(short_step / 2) - wrong(short_step);
      worst.update(limit.norm() / (bath.gamma * v.norm()), named(run->name(), bath));
    }
  return worst;
}

Worst nonlinear_noise(const AnyHeatBathSubject& subject) {
  // Terms of degree three are h u^2 of the linear ones for numbers u.
  constexpr double h = 0x1p-12;
  constexpr std::array sizes{1.5, 2.25, 3.5, 5.0};
  Worst worst;
  for (const std::size_t problem : subject.problems()) {
    const Bath<double>& bath = judged_baths[0];
    const auto run = subject.in_bath(problem, bath, BathNumbers());
    for (std::size_t shift = 0; shift < sizes.size(); ++shift) {
      // The difference from the sum, and the sum.
      const auto apart = [&](double step) {
        const auto numbers = std::make_shared<Given>();
        const Square columns = columns_of_noise(subject, problem, bath, numbers, step, 1);
        D sum = D::Zero(columns.rows());
        for (std::size_t k = 0; k < numbers->numbers.size(); ++k) {
          double& value = numbers->numbers[k].value;
          value = (k / 2 % 2 == 0 ? 1 : -1) * sizes.at((k + shift) % sizes.size());
          sum += value * columns.col(static_cast<Eigen::Index>(k));
        }
        const D above = velocity_after(subject, problem, bath, numbers, step, 1);
        for (Given::Number& number : numbers->numbers) number.value = -number.value;
        const D below = velocity_after(subject, problem, bath, numbers, step, 1);
        return std::pair(D((above - below) / (2 * std::sqrt(step)) - sum), sum);
      };
      const auto whole = apart(h), half = apart(h / 2);
      const D limit = 2 * half.first - whole.first;
      worst.update(limit.norm() / whole.second.norm(), run->name());
    }
  }
  return worst;
}

Worst wrong_noise(const AnyHeatBathSubject& subject, int count) {
  Worst worst;
  for (const Bath<double>& bath : judged_baths)
    for (const std::size_t problem : subject.problems()) {
      const auto run = subject.in_bath(problem, bath, BathNumbers());
      const D q = run->origin().first;
      Square expected(q.size(), q.size());
      for (Eigen::Index j = 0; j < q.size(); ++j)
        expected.col(j) = 2 * bath.gamma / bath.inverse_temperature * count * run->tangent(q, D(D::Unit(q.size(), j)));
      const auto covariance = [&](double h) {
        const auto numbers = std::make_shared<Given>();
        const Square columns = columns_of_noise(subject, problem, bath, numbers, h, count);
        return Square(columns * columns.transpose());
      };
      const Square limit = 2 * covariance(short_step / 2) - covariance(short_step);
      worst.update((limit - expected).norm() / expected.norm(), named(run->name(), bath));
    }
  return worst;
}

double steps_with_old_numbers(const AnyHeatBathSubject& subject) {
  const auto numbers = std::make_shared<Given>();
  const auto run = subject.in_bath(subject.problems().front(), judged_baths[0], BathNumbers(numbers));
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::ptrdiff_t>> asked;
  double old = 0;
  for (int k = 0; k < 4096; ++k) {
    numbers->numbers.clear();
    steps(*run, 1.0 / 32, 1);
    bool is_old = false;
    for (const Given::Number& number : numbers->numbers)
      is_old |= !asked.emplace(number.step, number.draw, number.index).second;
    old += is_old;
  }
  return old;
}

double wrong_repetitions(const AnyHeatBathSubject& subject) {
  double wrong = 0;
  for (const std::size_t problem : subject.problems()) {
    const Bath<double>& bath = judged_baths.at(problem % 2);
    const Path one = path(run_of(subject, problem, bath, 5), 32), again = path(run_of(subject, problem, bath, 5), 32),
               stream = path(run_of(subject, problem, bath, 6), 32),
               seed = path(subject.in_bath(problem, bath, BathNumbers(judge_seed() + 1, 5)), 32);
    wrong += 32 - same_points(one, again) + same_points(one, stream) + same_points(one, seed);
  }
  return wrong;
}
double lost_by_restart(const AnyHeatBathSubject& subject) {
  double lost = 0;
  for (const std::size_t problem : subject.problems()) {
    const Bath<double>& bath = judged_baths.at(problem % 2);
    const auto whole = run_of(subject, problem, bath, 5);
    for (int k = 0; k < 32; ++k) {
      const auto resumed = run_of(subject, problem, bath, 5);
      resumed->load(whole->save());
      steps(*whole, 1.0 / 32, 1);
      steps(*resumed, 1.0 / 32, 1);
      lost += whole->q() != resumed->q() || whole->v() != resumed->v();
    }
  }
  return lost;
}

}  // namespace livi::battery_detail
