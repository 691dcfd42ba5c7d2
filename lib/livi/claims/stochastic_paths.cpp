// SPDX-License-Identifier: MIT
//
// What the battery measures of a method under noise along Brownian paths.
//
// Strong orders are those of the error at T = 1 along the same paths, against the method of stochastic_reference.hpp on paths of
// 2^11 or 2^13 steps, with (4 x(h) - x(2 h))/3 against the error of the motion without noise. A method gets the integrals of the
// same path, so that what the finest steps do not know of products is nobody's error. What the reference has left is of weight 5/2
// with mean zero, about 1e-7.
#include <livi/claims/stochastic_measures.hpp>
#include <livi/claims/stochastic_reference.hpp>
#include <map>
#include <numbers>

namespace livi::battery_detail {

namespace {

/// The noises of one path on a level: the integrals of each, and of the products of two, step after step.
struct NoisesOnLevel {
  std::vector<NoiseIntegrals<double>> noises;
  std::vector<double> products;
  [[nodiscard]] StepNoise<double> over(std::size_t step, std::size_t count) const {
    const std::size_t pairs = count * (count - 1) / 2;
    return {std::span(noises).subspan(step * count, count), std::span(products).subspan(step * pairs, pairs)};
  }
};
NoisesOnLevel noises_on_level(const BrownianPathWithProducts& path, int level) {
  NoisesOnLevel result;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    for (int i = 0; i < path.noises(); ++i) result.noises.push_back(path.over(i, level, k));
    const auto products = path.products_over(level, k);
    result.products.insert(result.products.end(), products.begin(), products.end());
  }
  return result;
}

/// One path: its integrals on the levels of a test, and the end of the reference along it.
struct ReferencePath {
  std::vector<NoisesOnLevel> levels;
  PhasePoint<double> end;
  double martingale =
      0;  ///< sum_k sum_i dW_i v_k . grad gamma_i(q_k) over the steps of the reference: its mean is zero
};

/// Paths with their references, drawn once and extended when more are asked for.
class ReferencePaths {
 public:
  ReferencePaths(std::size_t problem, int first, int last, int finest)
      : problem_(problem), first_(first), last_(last), finest_(finest) {}

  [[nodiscard]] int first() const { return first_; }
  [[nodiscard]] int last() const { return last_; }
  [[nodiscard]] std::size_t problem() const { return problem_; }
  [[nodiscard]] PhasePoint<double> end_of(std::size_t number) const { return draw(number).end; }
  const ReferencePath& path(std::size_t number) {
    while (paths_.size() <= number) paths_.push_back(draw(paths_.size()));
    return paths_[number];
  }

 private:
  [[nodiscard]] ReferencePath draw(std::size_t number) const {
    const auto& problem = stochastic_test_problems<double>().round[problem_];
    const auto count = static_cast<std::size_t>(problem.system.noise().count());
    const BrownianPathWithProducts path(judge_seed(), 1000 * (problem_ + 1) + number, static_cast<int>(count), 1,
                                        finest_);
    ReferencePath result;
    for (int level = first_; level <= last_; ++level) result.levels.push_back(noises_on_level(path, level));
    const auto run = [&](int level) {
      const NoisesOnLevel noises = noises_on_level(path, level);
      ReferenceMethod method(problem.system);
      auto z = method.start(problem.points.front().first, problem.points.front().second);
      result.martingale = 0;
      for (std::size_t k = 0; k < std::size_t{1} << level; ++k) {
        const StepNoise<double> noise = noises.over(k, count);
        for (std::size_t i = 0; i < count; ++i)
          result.martingale += noise[i].increment * z.v.dot(method.gradients()[i]);
        method.step(z, path.step(level), noise);
      }
      return PhasePoint<double>{z.q, z.v};
    };
    const PhasePoint<double> coarse = run(finest_ - 1), fine = run(finest_);
    result.end = {(4 * fine.q - coarse.q) / 3, (4 * fine.p - coarse.p) / 3};
    return result;
  }

  std::size_t problem_;
  int first_, last_, finest_;
  std::vector<ReferencePath> paths_;
};

/// Returns the paths for a test of strong order.
ReferencePaths& order_paths(std::size_t problem) {
  static std::map<std::size_t, ReferencePaths> kept;
  const auto found = kept.find(problem);
  if (found != kept.end()) return found->second;
  // Where products vary, the part of order one of methods with I10 is small beside that of order two down to 1/32.
  const bool varying = problem == place::varying_products;
  return kept.emplace(problem, varying ? ReferencePaths(problem, 5, 9, 13) : ReferencePaths(problem, 3, 8, 11))
      .first->second;
}
ReferencePaths& energy_paths() {
  static ReferencePaths paths(place::isotropic_noise, 2, 5, 9);
  return paths;
}

/// Runs a method along a path on a level; nothing if a step cannot be made.
std::optional<PhasePoint<double>> end_along(NoisyStepper<double>& stepper, const PhasePoint<double>& from,
                                            const NoisesOnLevel& noises, int level) {
  const std::size_t count = stepper.noises();
  const double h = std::ldexp(1.0, -level);
  stepper.start(from);
  for (std::size_t k = 0; k < std::size_t{1} << level; ++k)
    if (!stepper.step_under(h, noises.over(k, count)).ok()) return std::nullopt;
  PhasePoint<double> end = stepper.point();
  if (!all_finite(end.q) || !all_finite(end.p)) return std::nullopt;
  return end;
}

/// The values x of paths on levels: x[level][path]. Means are those of x.
using ByLevel = std::vector<std::vector<double>>;
double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}
/// Returns the slope of scale log2 |mean| against minus the level, by least squares, of the levels from `begin` to `end`, or the
/// change of the slope from the first half of the levels to the second. The standard error is that of the linear part: paths move
/// the logarithm of a mean by their share of it.
Slope slope_of(const ByLevel& x, std::size_t begin, std::size_t end, double scale, bool change = false) {
  const std::size_t n = end - begin;
  std::vector<double> weights(n, 0.0);
  const auto add = [&](std::size_t from, std::size_t to, double sign) {
    const double middle = (static_cast<double>(from) + static_cast<double>(to) - 1) / 2;
    double squares = 0;
    for (std::size_t l = from; l < to; ++l)
      squares += (static_cast<double>(l) - middle) * (static_cast<double>(l) - middle);
    for (std::size_t l = from; l < to; ++l) weights[l] -= sign * (static_cast<double>(l) - middle) / squares;
  };
  if (change) {
    add(n / 2, n, 1);
    add(0, n - n / 2, -1);
  } else {
    add(0, n, 1);
  }
  Slope slope{0, 0};
  const std::size_t paths = x[begin].size();
  std::vector<double> share(paths, 0.0);
  for (std::size_t l = 0; l < n; ++l) {
    const double mean = mean_of(x[begin + l]);
    slope.value += weights[l] * scale * std::log2(std::abs(mean));
    for (std::size_t k = 0; k < paths; ++k)
      share[k] += weights[l] * scale / std::numbers::ln2 * (x[begin + l][k] / mean - 1);
  }
  double squares = 0;
  for (const double value : share) squares += value * value;
  slope.three_errors = 3 * std::sqrt(squares) / static_cast<double>(paths);
  return slope;
}

}  // namespace

StrongOrder strong_order(const AnyStochasticSubject& subject, std::size_t problem, bool quick) {
  ReferencePaths& reference = order_paths(problem);
  const auto stepper = subject.noisy_in_double(problem);
  const PhasePoint<double> from = convert_point<double>(subject.problems()[problem].points.front());
  const int last = quick ? reference.first() + 3 : reference.last();
  const auto levels = static_cast<std::size_t>(last - reference.first() + 1);
  const double wanted = quick ? 0.15 : 0.05;
  StrongOrder result;
  ByLevel squares(levels);
  std::size_t lost = 0;
  for (std::size_t batch = quick ? 64 : 256; result.paths < (quick ? 256 : 2048);) {
    for (std::size_t k = 0; k < batch; ++k, ++result.paths) {
      const ReferencePath& path = reference.path(result.paths);
      std::vector<double> of_path;
      for (std::size_t l = 0; l < levels; ++l) {
        const auto end = end_along(*stepper, from, path.levels[l], reference.first() + static_cast<int>(l));
        if (!end) break;
        const double error = distance(*end, path.end);
        of_path.push_back(error * error);
      }
      // A path counts on all levels or on none.
      if (of_path.size() < levels) {
        ++lost;
        continue;
      }
      for (std::size_t l = 0; l < levels; ++l) squares[l].push_back(of_path[l]);
    }
    if (2 * lost > result.paths) break;
    // The coarsest levels are left out while the slope is still changing.
    std::size_t begin = 0;
    for (;; ++begin) {
      result.slope = slope_of(squares, begin, levels, 0.5);
      result.change = slope_of(squares, begin, levels, 0.5, true);
      const bool changes = std::abs(result.change.value) > pre_asymptotic + result.change.three_errors;
      if (!changes || levels - begin <= (quick ? 3 : 4)) break;
    }
    result.coarsest = reference.first() + static_cast<int>(begin);
    result.finest = last;
    if (result.slope.three_errors <= wanted) break;
    batch = result.paths;
  }
  result.lost = static_cast<double>(lost) / static_cast<double>(result.paths);
  for (const auto& of_level : squares)
    result.errors.push_back(of_level.empty() ? not_a_number : std::sqrt(mean_of(of_level)));
  // A hundredth of the paths changes the mean square of errors with light tails by some hundredths, and slopes by less.
  if (result.lost > 0.01) result.slope = {};
  return result;
}

namespace {

/// Returns H(end) - H(start) - growth - martingale, in the mean zero.
double excess(NoisyStepper<double>& stepper, const PhasePoint<double>& end, const ReferencePath& path) {
  const PhasePoint<double> from =
      convert_point<double>(stochastic_problem_summaries()[place::isotropic_noise].points.front());
  return stepper.energy(end) - stepper.energy(from) - energy_growth - path.martingale;
}

}  // namespace

MeanEnergy mean_energy(const AnyStochasticSubject& subject, bool quick) {
  ReferencePaths& reference = energy_paths();
  const auto stepper = subject.noisy_in_double(reference.problem());
  const PhasePoint<double> from = convert_point<double>(subject.problems()[reference.problem()].points.front());
  MeanEnergy result;
  result.paths = quick ? 256 : 1024;
  const auto levels = static_cast<std::size_t>(reference.last() - reference.first() + 1);
  ByLevel excesses(levels);
  for (std::size_t k = 0; k < result.paths; ++k)
    for (std::size_t l = 0; l < levels; ++l) {
      const ReferencePath& path = reference.path(k);
      const auto end = end_along(*stepper, from, path.levels[l], reference.first() + static_cast<int>(l));
      excesses[l].push_back(end ? excess(*stepper, *end, path) : not_a_number);
    }
  std::vector<double> limit;
  const auto& fine = excesses[levels - 1];
  const auto& coarse = excesses[levels - 2];
  for (std::size_t k = 0; k < result.paths; ++k) limit.push_back(2 * fine[k] - coarse[k]);
  const auto error_of = [](const std::vector<double>& x) {
    const double mean = mean_of(x);
    double squares = 0;
    for (const double value : x) squares += (value - mean) * (value - mean);
    return std::sqrt(squares) / static_cast<double>(x.size());
  };
  for (const auto& of_level : excesses) result.bias.push_back(mean_of(of_level));
  result.limit = mean_of(limit);
  result.three_errors = 3 * error_of(limit);
  return result;
}

Slope reference_energy(std::size_t paths) {
  const auto stepper = control_subject(StochasticControl::integrals).noisy_in_double(place::isotropic_noise);
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < paths; ++k) {
    const ReferencePath& path = energy_paths().path(k);
    const double value = excess(*stepper, path.end, path);
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(paths);
  return {sum / n, 3 * std::sqrt((squares / n - sum * sum / (n * n)) / n)};
}

PhasePoint<double> end_of_reference(std::size_t problem, std::size_t number, int finest) {
  return ReferencePaths(problem, finest, finest, finest).end_of(number);
}

}  // namespace livi::battery_detail
