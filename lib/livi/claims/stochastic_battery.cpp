// SPDX-License-Identifier: MIT
//
// The rows of the battery for methods under noise. One file: a row is what is measured of a method and, in the same words, of
// its control.
//
// Strong orders are those of the error at T = 1 along the same paths, against RATTLE with I10 on paths of 2^11 or 2^13 steps and
//
//   v += P M^-1 grad (-sum_ij K_ij (J_ij - I_i I_j/h)/2) after each step,   J_ij = int W_i W_j ds,   I_i = int W_i ds,
//
// over the step, with (4 x(h) - x(2 h))/3 against the error of the motion without noise. Why: in the frame of the momentum p - sum_i W_i grad gamma_i the noise is the Hamiltonian sum_i W_i v . grad gamma_i
// + sum_ij W_i W_j K_ij(q)/2 with the products K_ij of noise_products.hpp. RATTLE with I10 has the integral of the first part, but
// I_i I_j/h where the second has J_ij. What is then left is of weight 5/2 with mean zero, and the part of J_ij that a path does not
// know: together about 1e-7.
#include <livi/claims/stochastic_controls.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/diagnostics/seed.hpp>
#include <livi/stochastic/brownian_path.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <map>
#include <numbers>

namespace livi::battery_detail {

namespace {

using F = Float50;
using C = StochasticControl;
namespace place = stochastic_place;

const AnyStochasticSubject& control_subject(C control) {
  return static_cast<const AnyStochasticSubject&>(*stochastic_control(control).subject);
}
const std::string& control_name(C control) { return stochastic_control(control).name; }

template <class S>
auto noisy(const AnyStochasticSubject& subject, std::size_t problem) {
  if constexpr (std::same_as<S, double>) {
    return subject.noisy_in_double(problem);
  } else {
    return subject.noisy_in_50_digits(problem);
  }
}

/// Returns the noises of step number `index` of length h: increments and I10 of Brownian motions, and a square that fits them.
template <class S>
std::vector<NoiseIntegrals<S>> drawn_noises(std::size_t count, std::uint64_t stream, std::uint64_t index, double h) {
  const NormalNumbers normal(judge_seed(), stream);
  std::vector<NoiseIntegrals<S>> noises;
  for (std::size_t i = 0; i < count; ++i) {
    double xi[2];
    normal(index, i, xi, 2);
    const double w = std::sqrt(h) * xi[0], zeta = std::sqrt(h * h * h / 12) * xi[1];
    noises.push_back(NoiseIntegrals<double>{w, zeta + h * w / 2, h * w * w / 3 + w * zeta + h * h / 6}.cast<S>());
  }
  return noises;
}

/// Makes `steps` steps of length h under drawn noises. Returns whether all could be made.
template <class S, class Observe>
bool run_under_noise(NoisyStepper<S>& stepper, std::uint64_t stream, double h, int steps, const Observe& observe) {
  for (int k = 0; k < steps; ++k) {
    const auto noises = drawn_noises<S>(stepper.noises(), stream, static_cast<std::uint64_t>(k), h);
    if (!stepper.step_under(S(h), StepNoise<S>(noises)).ok()) return false;
    observe();
  }
  return true;
}
template <class S>
bool run_under_noise(NoisyStepper<S>& stepper, std::uint64_t stream, double h, int steps) {
  return run_under_noise(stepper, stream, h, steps, [] {});
}

/// Calls f with the place of each generic problem.
template <class Function>
void for_each_generic(const Function& f) {
  const auto& problems = stochastic_problem_summaries();
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (problems[i].role == ProblemRole::generic) f(i, problems[i]);
}
PhasePoint<F> widened(const PhasePoint<double>& z) { return {z.q.cast<F>(), z.p.cast<F>()}; }

// ---- constraints ------------------------------------------------------------------------------------------------------

/// Returns the largest |g| and |G v| in roundings, over eight runs of 64 steps on each generic problem.
std::pair<Worst, Worst> constraints_worst(const AnyStochasticSubject& subject) {
  std::pair<Worst, Worst> worst;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.noisy_in_double(i);
    for (std::uint64_t path = 0; path < 8; ++path) {
      stepper->start(convert_point<double>(problem.points.front()));
      const bool ok = run_under_noise(*stepper, 100 + path, 1.0 / 32, 64, [&] {
        const auto [of_position, of_velocity] = stepper->defects();
        worst.first.update(of_position / std::numeric_limits<double>::epsilon(), problem.name);
        worst.second.update(of_velocity / std::numeric_limits<double>::epsilon(), problem.name);
      });
      if (ok) continue;
      worst.first.update(not_a_number, problem.name);
      worst.second.update(not_a_number, problem.name);
    }
  });
  return worst;
}

// ---- what a step with fixed noises keeps --------------------------------------------------------------------------------

/// Returns the worst symplecticity defect of two steps on T*Q with one set of noises.
Worst symplectic_worst(const AnyStochasticSubject& subject, const F& h) {
  Worst worst;
  for (const std::size_t i : {place::varying_products, place::constant_products, place::rods}) {
    const ProblemSummary& problem = subject.problems()[i];
    const auto stepper = subject.noisy_in_duals(i);
    stepper->set_noises(drawn_noises<Dual<F>>(stepper->noises(), 200 + i, 0, to_double(h)));
    for (std::size_t k = 0; k < problem.points.size(); ++k)
      worst.update(symplecticity_residual(*stepper, problem.points[k], problem.tangents[k], h, 2, identity),
                   problem.name);
  }
  return worst;
}

/// Returns the noises of the way back over a step of length h.
std::vector<NoiseIntegrals<F>> backwards(std::vector<NoiseIntegrals<F>> noises, const F& h) {
  for (auto& [increment, integral, squared] : noises) {
    squared = -(squared - 2 * increment * integral + h * increment * increment);
    integral = h * increment - integral;
    increment = -increment;
  }
  return noises;
}

Worst symmetry_worst(const AnyStochasticSubject& subject) {
  Worst worst;
  const F h = F(1) / 8;
  for (const std::size_t i : {place::varying_products, place::constant_products, place::rods}) {
    const ProblemSummary& problem = subject.problems()[i];
    const auto stepper = subject.noisy_in_50_digits(i);
    for (const PhasePoint<F>& point : problem.points) {
      worst.update(reversal_defect<F>(*stepper, point, h, 3), problem.name + ", reversal");
      worst.update(adjoint_defect<F>(*stepper, point, h), problem.name + ", adjoint");
      const auto noises = drawn_noises<F>(stepper->noises(), 300 + i, 0, 0.125);
      stepper->start(point);
      bool ok = stepper->step_under(h, StepNoise<F>(noises)).ok();
      if (ok) stepper->start(stepper->point());
      const auto back = backwards(noises, h);
      ok = ok && stepper->step_under(F(-h), StepNoise<F>(back)).ok();
      worst.update(ok ? distance(stepper->point(), point) : not_a_number, problem.name + ", adjoint under noise");
    }
  }
  return worst;
}

/// Returns the largest change of the momentum along paths, on the problems of a role.
Worst momentum_worst(const AnyStochasticSubject& subject, ProblemRole role) {
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != role) continue;
    for (const auto& symmetry : problems[i].symmetries)
      for (const PhasePoint<F>& point : problems[i].points) {
        const auto stepper = subject.noisy_in_50_digits(i);
        stepper->start(point);
        const F before = symmetry.momentum(point.q, point.p);
        double largest = 0;
        const bool ok = run_under_noise(*stepper, 400 + i, 0.0625, 48, [&] {
          const PhasePoint<F> z = stepper->point();
          largest = larger(largest, std::abs(to_double(F(symmetry.momentum(z.q, z.p) - before))));
        });
        worst.update(ok ? largest : not_a_number, problems[i].name);
      }
  }
  return worst;
}

// ---- without noise ----------------------------------------------------------------------------------------------------

struct OrderWithoutNoise {
  double order = not_a_number;
  std::string detail;
};

/// The exponents of q and p after one unit of time, the one that is farther from `expected`.
OrderWithoutNoise order_without_noise(const AnyStochasticSubject& subject, double expected) {
  OrderWithoutNoise result{expected, ""};
  const int slope_power = subject.declares().symmetric ? 2 : 1;
  for (const std::size_t i : {place::varying_products, place::constant_products}) {
    const ProblemSummary& problem = subject.problems()[i];
    static std::map<std::size_t, PhasePoint<F>> exact;
    if (!exact.contains(i)) exact[i] = subject.exact(i, problem.points.front(), F(1));
    const auto stepper = subject.noisy_in_50_digits(i);
    const ConvergenceTable table =
        measure_convergence(*stepper, problem.points.front(), exact[i], F(1), 4, slope_power == 2 ? 6 : 8);
    for (const auto& errors : {table.vectors_q, table.vectors_p}) {
      const double order = fitted_exponent(errors, slope_power, table.steps);
      result.detail += format("%s%.3f", &errors == &table.vectors_q ? "" : " ", order);
      if (std::isnan(result.order) || std::abs(order - expected) <= std::abs(result.order - expected)) continue;
      result.order = order;
    }
    result.detail +=
        format(" on %s (errors %.1e, %.1e); ", problem.name.c_str(), table.error_q.back(), table.error_p.back());
  }
  return result;
}

/// Returns the number of steps, of 64 on each problem, that differ in a bit from the step without noise when all noises are zero.
double changed_by_no_noise(const AnyStochasticSubject& subject) {
  double changed = 0;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto with = subject.noisy_in_double(i), without = subject.noisy_in_double(i);
    const std::vector<NoiseIntegrals<double>> none(with->noises());
    for (const auto& stepper : {&with, &without}) (*stepper)->start(convert_point<double>(problem.points.front()));
    for (int k = 0; k < 64; ++k) {
      const bool ok = with->step_under(0.03125, StepNoise<double>(none)).ok() && without->step(0.03125).ok();
      changed += !ok ? not_a_number : with->save() == without->save() ? 0 : 1;
    }
  });
  return changed;
}

// ---- one short step ---------------------------------------------------------------------------------------------------

/// Returns the largest error of a step of h = 2^-52, in 50 digits, under noises +dW and -dW. Half of the difference of velocities
/// is sum_i dW_i P M^-1 grad gamma_i, half of the sum moves by h times the acceleration, and the position by h v. Each is relative
/// to its size. If `each`, the first of these for one noise after the other.
Worst short_step_worst(const AnyStochasticSubject& subject, bool each) {
  Worst worst;
  const F h = ldexp(F(1), -52);
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.noisy_in_50_digits(i);
    const PhasePoint<F>& point = problem.points.front();
    const std::size_t count = stepper->noises();
    for (std::size_t only = 0; only < (each ? count : 1); ++only) {
      auto noises = drawn_noises<F>(count, 500 + i, 0, to_double(h));
      for (std::size_t j = 0; j < count && each; ++j)
        if (j != only) noises[j] = {};
      stepper->start(point);
      const Vector<F, Dynamic> v = stepper->velocity(), rate = stepper->constrained_acceleration();
      Vector<F, Dynamic> expected = F(0) * v;
      for (std::size_t j = 0; j < count; ++j) expected += noises[j].increment * stepper->tangent_impulse(j);
      Vector<F, Dynamic> end[2], place_of[2];
      bool ok = true;
      for (const int sign : {0, 1}) {
        stepper->start(point);
        ok = ok && stepper->step_under(h, StepNoise<F>(noises)).ok();
        end[sign] = stepper->velocity() - v;
        place_of[sign] = stepper->point().q - point.q;
        for (auto& noise : noises) noise = {F(-noise.increment), F(-noise.integral), noise.squared};
      }
      const auto relative = [&](const Vector<F, Dynamic>& found, const Vector<F, Dynamic>& wanted) {
        const F largest = max_magnitude(wanted);
        return ok ? distance(Vector<F, Dynamic>(found / largest), Vector<F, Dynamic>(wanted / largest)) : not_a_number;
      };
      worst.update(relative((end[0] - end[1]) / F(2), expected),
                   problem.name + (each ? ", noise " + std::to_string(only + 1) : ", noise"));
      if (each) continue;
      worst.update(relative((end[0] + end[1]) / F(2), h * rate), problem.name + ", force");
      worst.update(relative((place_of[0] + place_of[1]) / F(2), h * v), problem.name + ", position");
    }
  });
  return worst;
}

// ---- paths ------------------------------------------------------------------------------------------------------------

using RoundInDouble = TestRoundSystem<double>;

/// One path: its integrals on the levels of a test, and the end of the reference along it.
struct ReferencePath {
  std::vector<std::vector<NoiseIntegrals<double>>> levels;  ///< by level, steps times noises
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
    const auto& noise = problem.system.noise();
    const int count = static_cast<int>(noise.count());
    const BrownianPath path(judge_seed(), 1000 * (problem_ + 1) + number, count, 1, finest_);
    ReferencePath result;
    for (int level = first_; level <= last_; ++level) {
      auto& integrals = result.levels.emplace_back();
      for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k)
        for (int i = 0; i < count; ++i) integrals.push_back(path.over(i, level, k));
    }
    run_reference(problem, path, result);
    return result;
  }
  void run_reference(const StochasticTestProblem<RoundInDouble>& problem, const BrownianPath& path,
                     ReferencePath& result) const;
  [[nodiscard]] double product_of_noises(const BrownianPath& path, int i, int j, int level, std::uint64_t k) const;

  std::size_t problem_;
  int first_, last_, finest_;
  std::vector<ReferencePath> paths_;
};

/// Returns J_ij over a step: on the finest level its mean under increments and I10, on the others the sum of that.
double ReferencePaths::product_of_noises(const BrownianPath& path, int i, int j, int level, std::uint64_t k) const {
  if (level == finest_) {
    const double h = path.step(level);
    const auto& a = path.over(i, level, k);
    const auto& b = path.over(j, level, k);
    const double za = a.zeta(h), zb = b.zeta(h);
    return h * a.increment * b.increment / 3 + (a.increment * zb + b.increment * za) / 2 + 6 * za * zb / (5 * h) +
           (i == j ? h * h / 15 : 0);
  }
  const double a = path.over(i, level + 1, 2 * k).increment, b = path.over(j, level + 1, 2 * k).increment;
  return product_of_noises(path, i, j, level + 1, 2 * k) + product_of_noises(path, i, j, level + 1, 2 * k + 1) +
         path.step(level + 1) * a * b + a * path.over(j, level + 1, 2 * k + 1).integral +
         b * path.over(i, level + 1, 2 * k + 1).integral;
}

void ReferencePaths::run_reference(const StochasticTestProblem<RoundInDouble>& problem, const BrownianPath& path,
                                   ReferencePath& result) const {
  using V = Vector<double, 3>;
  const auto& system = problem.system;
  const auto& noise = system.noise();
  const auto count = static_cast<int>(noise.count());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  // The unit normal of the sphere or the cylinder is linear in the position.
  const auto normal = [&](const V& q) { return system.constraint().is_sphere ? q : V(q(0), q(1), 0); };
  std::vector<NoiseIntegrals<double>> noises(at(count));
  std::vector<V> gradient(at(count));
  const auto set_gradients = [&](const V& q) {
    for (int i = 0; i < count; ++i) {
      gradient[at(i)] = V::Zero();
      noise.add_gradient(i, q, 1.0, gradient[at(i)]);
    }
  };
  const auto run = [&](int level) {
    const double h = path.step(level);
    StochasticRattle<RoundInDouble> method(system);
    auto z = method.start(problem.points.front().first, problem.points.front().second);
    set_gradients(z.q);
    result.martingale = 0;
    for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
      for (int i = 0; i < count; ++i) {
        noises[at(i)] = path.over(i, level, k);
        result.martingale += noises[at(i)].increment * z.v.dot(gradient[at(i)]);
      }
      if (!method.step(z, h, StepNoise<double>(noises)).ok())
        throw InvalidParameter("step of the reference", h, "must exist");
      const V n = normal(z.q);
      set_gradients(z.q);
      V kick = V::Zero();
      for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j) {
          const double left =
              product_of_noises(path, i, j, level, k) - noises[at(i)].integral * noises[at(j)].integral / h;
          const double weight = (i == j ? 0.5 : 1.0) * left;
          // grad K_ij for K_ij = g_i . g_j - (n . g_i)(n . g_j) with g = grad gamma.
          const double ni = n.dot(gradient[at(i)]), nj = n.dot(gradient[at(j)]);
          noise.add_hessian_product(i, z.q, -weight, V(gradient[at(j)] - nj * n), kick);
          noise.add_hessian_product(j, z.q, -weight, V(gradient[at(i)] - ni * n), kick);
          kick += weight * (nj * normal(gradient[at(i)]) + ni * normal(gradient[at(j)]));
        }
      z.v += kick - n * n.dot(kick);
    }
    return PhasePoint<double>{z.q, z.v};
  };
  const PhasePoint<double> coarse = run(finest_ - 1), fine = run(finest_);
  result.end = {(4 * fine.q - coarse.q) / 3, (4 * fine.p - coarse.p) / 3};
}

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
                                            const std::vector<NoiseIntegrals<double>>& integrals, int level) {
  const std::size_t count = stepper.noises();
  const double h = std::ldexp(1.0, -level);
  stepper.start(from);
  for (std::size_t k = 0; k < std::size_t{1} << level; ++k)
    if (!stepper.step_under(h, StepNoise<double>(integrals).subspan(k * count, count)).ok()) return std::nullopt;
  PhasePoint<double> end = stepper.point();
  if (!all_finite(end.q) || !all_finite(end.p)) return std::nullopt;
  return end;
}

/// A slope in log2 of mean values over levels, with three standard errors of it over independent paths.
struct Slope {
  double value = not_a_number, three_errors = not_a_number;
};

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

struct StrongOrder {
  Slope slope;                   ///< that of all levels taken
  Slope change;                  ///< from their coarser half to the finer
  double lost = 0;               ///< share of the paths on which a step could not be made
  int coarsest = 0, finest = 0;  ///< the levels taken
  std::size_t paths = 0;
  std::vector<double> errors;  ///< root mean squares, of all levels
};

/// Halves of levels whose slopes differ by more are not those of one power: a quarter is half-way between neighbouring orders.
constexpr double pre_asymptotic = 0.25;

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
  for (std::size_t batch = quick ? 64 : 256; result.paths < (quick ? 256 : 1024);) {
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

/// The mean energy at T = 1 under isotropic noise, less that of Ito's formula.
struct MeanEnergy {
  std::vector<double> bias;                                  ///< by level
  double limit = not_a_number, three_errors = not_a_number;  ///< 2 b(h/2) - b(h) on the finest two levels
  Slope slope;
  bool significant = true;  ///< whether the bias on every level is more than four standard errors
  std::size_t paths = 0;
};

/// sigma = 1/2: d E[H]/dt = sum_i E[K_ii]/2 = sigma^2 (3 - |q|^2)/2.
constexpr double energy_growth = 0.25;

/// Returns H(end) - H(start) - growth - martingale, in the mean zero.
double excess(NoisyStepper<double>& stepper, const PhasePoint<double>& end, const ReferencePath& path) {
  const PhasePoint<double> from =
      convert_point<double>(stochastic_problem_summaries()[place::isotropic_noise].points.front());
  return stepper.energy(end) - stepper.energy(from) - energy_growth - path.martingale;
}

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
  for (const auto& of_level : excesses) {
    result.bias.push_back(mean_of(of_level));
    result.significant = result.significant && std::abs(result.bias.back()) > 4 * error_of(of_level);
  }
  result.limit = mean_of(limit);
  result.three_errors = 3 * error_of(limit);
  result.slope = slope_of(excesses, 0, levels, 1);
  return result;
}

// ---- what a run depends on --------------------------------------------------------------------------------------------

/// Returns the number of steps, of 32 on each generic problem, that end elsewhere when a new object makes them from the saved
/// state.
double lost_by_restart(const AnyStochasticSubject& subject) {
  double lost = 0;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.noisy_in_double(i);
    const PhasePoint<double> from = convert_point<double>(problem.points.front());
    stepper->start(from);
    for (std::uint64_t k = 0; k < 32; ++k) {
      const auto fresh = subject.noisy_in_double(i);
      const auto noises = drawn_noises<double>(stepper->noises(), 600 + i, k, 0.03125);
      fresh->start(from);
      fresh->load(stepper->save());
      const StepNoise<double> span(noises);
      const bool ok = stepper->step_under(0.03125, span).ok() && fresh->step_under(0.03125, span).ok();
      lost += !ok ? not_a_number : fresh->save() == stepper->save() ? 0 : 1;
    }
  });
  return lost;
}

/// Returns the number of repeated runs, of two on each generic problem, that end elsewhere.
double changed_by_repetition(const AnyStochasticSubject& subject) {
  double changed = 0;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto run_of = [&](NoisyStepper<double>& stepper, std::uint64_t stream, int steps) {
      stepper.start(convert_point<double>(problem.points.front()));
      return run_under_noise(stepper, stream, 0.03125, steps) ? stepper.save() : std::string("a failure");
    };
    const auto stepper = subject.noisy_in_double(i), other = subject.noisy_in_double(i);
    const std::string first = run_of(*stepper, 700 + i, 32);
    static_cast<void>(run_of(*other, 800 + i, 5));
    changed += run_of(*stepper, 700 + i, 32) == first ? 0 : 1;
    changed += run_of(*other, 700 + i, 32) == first ? 0 : 1;
    if (first == "a failure") changed = not_a_number;
  });
  return changed;
}

/// Returns the largest distance between runs of 32 steps in double and in 50 digits under the same noises, over the size of the
/// point.
Worst number_types_worst(const AnyStochasticSubject& subject) {
  Worst worst;
  for_each_generic([&](std::size_t i, const ProblemSummary& problem) {
    const auto coarse = subject.noisy_in_double(i);
    const auto fine = subject.noisy_in_50_digits(i);
    coarse->start(convert_point<double>(problem.points.front()));
    fine->start(problem.points.front());
    const bool ok = run_under_noise(*coarse, 900 + i, 0.03125, 32) && run_under_noise(*fine, 900 + i, 0.03125, 32);
    const PhasePoint<F> end = fine->point();
    const double size = ok ? std::max(to_double(max_magnitude(end.q)), to_double(max_magnitude(end.p))) : not_a_number;
    worst.update(ok ? distance(widened(coarse->point()), end) / size : not_a_number, problem.name);
  });
  return worst;
}

// ---- where no step exists -----------------------------------------------------------------------------------------------

struct Existence {
  double wrong = 0;                 ///< steps that are reported as made and are none
  double longest = 0;               ///< the largest h |p| of those tried for which a step exists
  double shortest_none = infinity;  ///< the smallest h |p| of those tried for which none exists
};

/// Long steps of a free particle on the unit sphere from (1, 0, 0) along y, without noise: it goes by the angle h |p|. With r = q + h v
/// the multiplier exists for h |p| <= 1 exactly. A step that is made must be on the sphere. Where the motion stays on the half of the
/// sphere on which it begins, so must the step; beyond, it must be nearer than the radius to the motion.
template <class S>
void add_long_steps(const AnyStochasticSubject& subject, Existence& found) {
  const auto stepper = noisy<S>(subject, place::free_particle);
  const auto& start = subject.problems()[place::free_particle].points.front();
  const S h = S(1) / S(16);
  for (const double length : {0.5, 0.99, 0.999999, 1.000001, 1.01, 1.5, 3.0, 30.0, 1e8})
    for (const int sign : {1, -1}) {
      PhasePoint<S> from = convert_point<S>(start);
      from.p(1) = S(sign * 16 * length);
      stepper->start(from);
      const std::vector<NoiseIntegrals<S>> none(1);
      if (!stepper->step_under(h, StepNoise<S>(none)).ok()) {
        found.shortest_none = std::min(found.shortest_none, length);
        if (length <= 0.5) found.wrong = not_a_number;
        continue;
      }
      const PhasePoint<S> end = stepper->point();
      const bool finite = all_finite(end.q) && all_finite(end.p);
      const double away = finite ? std::hypot(to_double(end.q(0)) - std::cos(length),
                                              to_double(end.q(1)) - sign * std::sin(length), to_double(end.q(2)))
                                 : infinity;
      const bool near = length < 1.5 ? finite && to_double(end.q(0)) > 0 : away < 1;
      const bool right = finite && to_double(stepper->defects().first) < 1e-9 && near;
      if (right) found.longest = std::max(found.longest, length);
      found.wrong += right ? 0 : 1;
    }
}
/// Long kicks of two rods: a step that is made must be finite and on the constraints.
void add_long_kicks(const AnyStochasticSubject& subject, Existence& found) {
  const auto stepper = subject.noisy_in_double(place::rods);
  for (std::uint64_t k = 0; k < 64; ++k) {
    stepper->start(convert_point<double>(subject.problems()[place::rods].points.front()));
    auto noises = drawn_noises<double>(stepper->noises(), 950, k, 0.25);
    for (auto& noise : noises) noise = {16 * noise.increment, 16 * noise.integral, 256 * noise.squared};
    if (!stepper->step_under(0.25, StepNoise<double>(noises)).ok()) continue;
    const PhasePoint<double> end = stepper->point();
    const bool right = all_finite(end.q) && all_finite(end.p) && stepper->defects().first < 1e-9;
    found.wrong += right ? 0 : 1;
  }
}
Existence existence(const AnyStochasticSubject& subject) {
  Existence found;
  add_long_steps<double>(subject, found);
  add_long_steps<F>(subject, found);
  add_long_kicks(subject, found);
  return found;
}

// ---- the rows ---------------------------------------------------------------------------------------------------------

class StochasticTests {
 public:
  StochasticTests(const AnyStochasticSubject& subject, const BatteryOptions& options)
      : subject_(subject),
        options_(options),
        noise_(subject.declares_for_noise()),
        rows_(result_.declares, result_.rows, options) {
    result_.declares = subject.declares();
    result_.quick = options.quick;
    result_.only = options.only;
    result_.seed = judge_seed();
  }

  BatteryResult run() {
    rows_.test("constraints", {"constraint", "hidden constraint"}, [&] { constraints(); });
    rows_.test("symplectic", [&] { symplecticity(); });
    rows_.test("angular momentum", [&] { momentum(); });
    rows_.test("linear momentum",
               [&] { rows_.does_not_apply("linear momentum", "no problem of this kind has such a symmetry"); });
    rows_.test("order without noise", [&] { order(); });
    rows_.test("symmetric", [&] { symmetry(); });
    rows_.test("zero noise", [&] { zero_noise(); });
    rows_.test("short steps", [&] { short_steps(false); });
    rows_.test("each noise", [&] { short_steps(true); });
    rows_.test("strong order, constant K", [&] {
      strong("strong order, constant K", place::constant_products, noise_.strong_order_for_constant_products);
    });
    rows_.test("strong order", [&] { strong("strong order", place::varying_products, noise_.strong_order); });
    rows_.test("mean energy", {"mean energy", "weak order"}, [&] { energy(); });
    rows_.test("existence", [&] { exists(); });
    rows_.test("number types", [&] {
      static const double of_control = number_types_worst(control_subject(C::in_double)).value;
      of_all(
          "number types", "a run in double is the run in 50 digits", number_types_worst(subject_), 1e-11,
          "32 steps whose equations are solved to 32 units of 2e-16 and whose errors grow by a factor of up to ten "
          "are 2e-12",
          C::in_double, of_control,
          "largest distance after 32 steps of 1/32 on each problem under the same noises, over the size of the point");
    });
    rows_.test("repetition", [&] {
      count("repetition", "a run is the same when it is repeated, after another and by another object",
            changed_by_repetition(subject_), C::counter_shared,
            changed_by_repetition(control_subject(C::counter_shared)),
            "repeated runs of 32 steps that differ in a bit, in double");
    });
    rows_.test("restart", [&] {
      count("restart", "fields() are all that a step depends on", lost_by_restart(subject_), C::counter_in_method,
            lost_by_restart(control_subject(C::counter_in_method)),
            "steps of 32 on each problem that differ in a bit when a new object makes them from the saved state");
    });
    for (const std::string& row : options_.only)
      if (!rows_.find(row)) throw InvalidParameter("only", row, "must be a row of the battery that this method has");
    return std::move(result_);
  }

 private:
  const Properties& declared() const { return result_.declares; }

  /// Adds a row for the largest defect over all problems, which must be below a bound.
  void of_all(const std::string& row, const std::string& statement, const Worst& worst, double bound,
              const std::string& reason, C control, double of_control, const std::string& how,
              const std::string& unit = "") {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = worst.value;
    claim.unit = unit;
    claim.interval = {0, bound};
    claim.reason = reason;
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, bound}}};
    rows_.add(row, "yes", claim, worst.where);
  }
  /// Adds a row for a number of events, of which there must be none.
  void count(const std::string& row, const std::string& statement, double measured, C control, double of_control,
             const std::string& how, const std::string& detail = "") {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = measured;
    claim.interval = {0, 0};
    claim.reason = "counts are exact";
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, 0}}};
    rows_.add(row, "yes", claim, detail);
  }

  void constraints() {
    static const double of_manifold = constraints_worst(control_subject(C::off_manifold)).first.value,
                        of_velocity = constraints_worst(control_subject(C::unprojected)).second.value;
    const auto [position, velocity] = constraints_worst(subject_);
    const std::string how =
        "eight runs of 64 steps of 1/32 on each problem, in double; unit: 2e-16 times the square of the "
        "longest rod";
    of_all("constraint", "positions are on the manifold", position, 4,
           "coordinates are rounded, and the multiplier's part of each is: one rounding of g for each", C::off_manifold,
           of_manifold, "largest |g|; " + how, "roundings");
    of_all("hidden constraint", "velocities are tangent to the manifold", velocity, 4,
           "a velocity is projected by one solve, whose rounding is that of G v before it, and rounded", C::unprojected,
           of_velocity, "largest |G v|/max(1, |v|); " + how, "roundings");
  }

  void symplecticity() {
    const F h = F(1) / 16;
    static const double of_euler = symplectic_worst(control_subject(C::euler_maruyama), h).value,
                        of_heun = symplectic_worst(control_subject(C::heun), h).value;
    rows_.add_defect(
        "symplectic", declared().symplectic, "preserves dq ^ dp on T*Q for every path", symplectic_worst(subject_, h),
        {{.name = control_name(C::euler_maruyama), .measured = of_euler},
         {.name = control_name(C::heun), .measured = of_heun}},
        "max |J'Omega J - Omega| of two steps of 1/16 with fixed noises in tangent directions, J by exact duals in 50 "
        "digits");
  }

  void symmetry() {
    static const double of_euler = symmetry_worst(control_subject(C::euler)).value;
    rows_.add_defect(
        "symmetric", declared().symmetric, "its own adjoint, without noise and with the noise backwards",
        symmetry_worst(subject_), {{.name = control_name(C::euler), .measured = of_euler}},
        "distance from the start after three steps of 1/8, reversal, three steps; after a step of 1/8 and one "
        "of -1/8, without noise and with the integrals of the path forth and back; in 50 digits");
  }

  void momentum() {
    static const double of_broken = momentum_worst(control_subject(C::integrals), ProblemRole::broken).value;
    rows_.add_defect(
        "angular momentum", declared().angular_momentum,
        "conserves the momentum of a symmetry of the noises on every path",
        momentum_worst(subject_, ProblemRole::generic),
        {{.name = control_name(C::integrals) + ", the symmetry of a noise broken by 1e-6", .measured = of_broken}},
        "largest change over 48 steps of 1/16 under noise, in 50 digits");
  }

  void order() {
    if (declared().order < 1) {
      rows_.undecided("order without noise", std::to_string(declared().order),
                      {.statement = "the declared order is an order"}, "an order is at least 1");
      return;
    }
    static const double of_euler = order_without_noise(control_subject(C::euler), 2).order;
    const OrderWithoutNoise found = order_without_noise(subject_, declared().order);
    Claim claim;
    claim.statement = format("error of order %d without noise", declared().order);
    claim.how =
        "errors of q and p after one unit of time in steps of 1/16 to 1/64, or to 1/256 if it is not symmetric, "
        "in 50 digits, slope extrapolated";
    claim.measured = found.order;
    claim.unit = "order";
    claim.interval = Interval::around(declared().order, 0.05);
    claim.reason = "what the extrapolation of slopes leaves";
    claim.controls = {{.name = control_name(C::euler) + ", as of order two",
                       .measured = of_euler,
                       .interval = Interval::around(2, 0.05)}};
    rows_.add("order without noise", std::to_string(declared().order), claim, found.detail);
  }

  void zero_noise() {
    if (!subject_.steps_without_noise()) {
      rows_.does_not_apply("zero noise", "the method has no step without noise");
      return;
    }
    static const double of_control = changed_by_no_noise(control_subject(C::branch_without_noise));
    count("zero noise", "a step under noises that are zero is the step without noise", changed_by_no_noise(subject_),
          C::branch_without_noise, of_control, "steps of 64 on each problem that differ in a bit, in double");
  }

  void short_steps(bool each) {
    const C control = each ? C::exchanged_noises : C::nearly_strong_noise;
    static const double of_noise = short_step_worst(control_subject(C::nearly_strong_noise), false).value,
                        of_force = short_step_worst(control_subject(C::wrong_force), false).value,
                        of_exchanged = short_step_worst(control_subject(C::exchanged_noises), true).value,
                        of_one = short_step_worst(control_subject(C::one_noise_for_all), true).value;
    const C second = each ? C::one_noise_for_all : C::wrong_force;
    Claim claim;
    const Worst worst = short_step_worst(subject_, each);
    claim.statement = each ? "each noise acts by its own potential" : "noise and force are those of the system";
    claim.how = std::string("one step of 2^-52 in 50 digits under noises and their negatives: ") +
                (each ? "what changes sign with a noise, the others being zero, over its size"
                      : "what changes sign with the noises and what does not, over its size");
    claim.measured = worst.value;
    claim.interval = {0, 1e-12};
    claim.reason =
        "the next terms of the expansion are 2^-52 times derivatives of the motion, which are below 1000; "
        "coefficients with 16 digits err by 1e-16";
    claim.controls = {
        {.name = control_name(control), .measured = each ? of_exchanged : of_noise, .interval = claim.interval},
        {.name = control_name(second), .measured = each ? of_one : of_force, .interval = claim.interval}};
    rows_.add(each ? "each noise" : "short steps", "yes", claim, worst.where);
  }

  void strong(const std::string& row, std::size_t problem, double declared_order) {
    if (std::isnan(declared_order)) {
      rows_.does_not_apply(row, "no order is declared");
      return;
    }
    static std::map<std::pair<std::size_t, bool>, std::pair<StrongOrder, StrongOrder>> controls;
    const auto key = std::pair(problem, options_.quick);
    if (!controls.contains(key))
      controls[key] = {strong_order(control_subject(C::strong_noise), problem, options_.quick),
                       strong_order(control_subject(C::increments), problem, options_.quick)};
    const auto& [of_strong, of_increments] = controls[key];
    const StrongOrder found = strong_order(subject_, problem, options_.quick);
    const double width = found.slope.three_errors;
    // Where the interval of confidence reaches half-way to the next order, the claim's interval is empty.
    const double reach = std::max(0.25 - (std::isnan(width) ? 0 : width), 0.0);
    Claim claim;
    claim.statement = format("strong order %g%s", declared_order,
                             problem == place::constant_products ? " where the products K_ij are constant" : "");
    claim.how = format(
        "slope of the root mean square error of (q, p) at T = 1 along the same paths, steps of 2^-%d to 2^-%d, "
        "with three standard errors over paths",
        found.coarsest, found.finest);
    claim.measured = found.slope.value;
    claim.unit = "order";
    claim.interval = Interval::around(declared_order, reach);
    claim.reason = "orders are multiples of 1/2; the interval of confidence must end before half-way to the next one";
    claim.controls = {
        {.name = control_name(C::strong_noise), .measured = of_strong.slope.value, .interval = claim.interval},
        {.name = control_name(C::increments) + ", as of strong order 3/2",
         .measured = of_increments.slope.value,
         .interval = Interval::around(1.5, std::max(0.25 - of_increments.slope.three_errors, 0.0))}};
    std::string detail = format("%.3f +- %.3f, %zu paths, errors", found.slope.value, width, found.paths);
    for (const double error : found.errors) detail += format(" %.2e", error);
    const double distance = std::abs(found.slope.value - declared_order), most = options_.quick ? 0.15 : 0.05;
    // The slope of the finer half is nearer to what is declared than that of the coarser.
    const bool approaches = (declared_order - found.slope.value) * found.change.value > 0;
    std::string why;
    if (std::isnan(found.slope.value) && found.lost > 0)
      why = format("on %.1f %% of the paths a step could not be made", 100 * found.lost);
    else if (!(width <= most))
      why = format("the interval of confidence is +- %.3f, and must be at most %.2f", width, most);
    else if (distance > reach && distance < 0.5 - reach)
      why = "the interval of confidence reaches half-way to the next order";
    else if (distance > reach && approaches &&
             std::abs(found.change.value) > pre_asymptotic + found.change.three_errors)
      why = format("before the asymptotic range: the slope changes by %.2f from the coarser steps to the finer",
                   found.change.value);
    if (why.empty())
      rows_.add(row, format("%g", declared_order), claim, detail);
    else
      rows_.undecided(row, format("%g", declared_order), claim, why + "; " + detail);
  }

  void energy() {
    static std::map<bool, std::pair<MeanEnergy, Slope>> controls;
    if (!controls.contains(options_.quick)) {
      const MeanEnergy of_strong = mean_energy(control_subject(C::strong_noise), options_.quick);
      controls[options_.quick] = {of_strong, reference_energy(of_strong.paths)};
    }
    const auto& [of_strong, of_reference] = controls[options_.quick];
    const MeanEnergy found = mean_energy(subject_, options_.quick);
    // The bias of a method of weak order one is C h + D h^2: on h/2 and h, 2 b(h/2) - b(h) = -D h^2/2, a fraction h of the change.
    const double change = std::abs(found.bias.back() - found.bias[found.bias.size() - 2]);
    const double width = found.three_errors + change / 2;
    Claim claim;
    claim.statement = "the mean energy grows as Ito's formula says";
    claim.how = format(
        "H(1) - H(0) - T sum_i K_ii/2 under isotropic noise, less the stochastic integral of v . grad gamma_i "
        "along the exact motion, whose mean is zero; mean over %zu paths, extrapolated from steps of 1/16 and 1/32",
        found.paths);
    claim.measured = found.limit;
    claim.unit = "energy";
    // Wider than a quarter of the growth it says nothing for a method; what is outside all the same is wrong.
    const bool wide = width > energy_growth / 4, outside = std::abs(found.limit) > width;
    claim.interval = Interval::around(0, wide && !outside ? energy_growth / 4 : std::isfinite(width) ? width : 0);
    claim.reason = "three standard errors, and half of the change of the mean between the two steps";
    claim.controls = {{.name = control_name(C::strong_noise), .measured = of_strong.limit, .interval = claim.interval},
                      {.name = "the reference solution, in three standard errors of its own",
                       .measured = of_reference.value,
                       .interval = Interval::around(0, of_reference.three_errors),
                       .note = "mean over the same paths",
                       .expected = Expected::passes}};
    std::string detail =
        format("limit %.1e +- %.1e; bias at h = 1/4, 1/8, 1/16, 1/32:", found.limit, found.three_errors);
    for (const double bias : found.bias) detail += format(" %.2e", bias);
    if (wide && !outside)
      rows_.undecided("mean energy", "yes", claim,
                      format("the interval is +- %.2g, more than a quarter of the growth; ", width) + detail);
    else
      rows_.add("mean energy", "yes", claim, detail);
    weak(found, of_strong);
  }

  void weak(const MeanEnergy& found, const MeanEnergy& of_strong) {
    const double order = noise_.weak_order;
    if (std::isnan(order)) {
      rows_.does_not_apply("weak order", "no order is declared");
      return;
    }
    const double width = found.slope.three_errors, reach = std::max(0.5 - (std::isnan(width) ? 0 : width), 0.0);
    Claim claim;
    claim.statement = format("weak order %g of the mean energy", order);
    claim.how =
        "slope of the error of the mean energy at T = 1, steps of 1/4 to 1/32, with three standard errors over paths";
    claim.measured = found.slope.value;
    claim.unit = "order";
    claim.interval = Interval::around(order, reach);
    claim.reason = "weak orders are whole; the interval of confidence must end before half-way to the next one";
    claim.controls = {
        {.name = control_name(C::strong_noise), .measured = of_strong.slope.value, .interval = claim.interval}};
    const std::string detail = format("%.2f +- %.2f", found.slope.value, width);
    if (!found.significant || !(width <= 0.5))
      rows_.undecided("weak order", format("%g", order), claim,
                      "the error is not told from chance on every step size; " + detail);
    else
      rows_.add("weak order", format("%g", order), claim, detail);
  }

  /// Returns the mean excess of the reference itself, with three standard errors.
  static Slope reference_energy(std::size_t paths) {
    const auto stepper = control_subject(C::integrals).noisy_in_double(place::isotropic_noise);
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

  void exists() {
    static const Existence of_unguarded = existence(control_subject(C::unguarded)),
                           of_far = existence(control_subject(C::far_root));
    const Existence found = existence(subject_);
    Claim claim;
    claim.statement = "where no step exists it says so, and where one exists it takes the near root";
    claim.how =
        "steps of a free particle on the unit sphere over h |p| = 0.5 to 1e8, and of two rods under large noises: "
        "those "
        "that are said to be made and are not on the manifold, or nearer than its radius to the motion";
    claim.measured = found.wrong;
    claim.interval = {0, 0};
    claim.reason = "counts are exact";
    claim.controls = {{.name = control_name(C::unguarded), .measured = of_unguarded.wrong, .interval = {0, 0}},
                      {.name = control_name(C::far_root), .measured = of_far.wrong, .interval = {0, 0}}};
    rows_.add("existence", "yes", claim,
              format("a step exists at h |p| = %.7g, none at %.7g", found.longest, found.shortest_none));
  }

  const AnyStochasticSubject& subject_;
  const BatteryOptions& options_;
  StochasticProperties noise_;
  BatteryResult result_;
  Rows rows_;
};

}  // namespace

PhasePoint<double> end_of_reference(std::size_t problem, std::size_t number, int finest) {
  return ReferencePaths(problem, finest, finest, finest).end_of(number);
}

BatteryResult run_stochastic_tests(const AnyStochasticSubject& subject, const BatteryOptions& options) {
  return StochasticTests(subject, options).run();
}

}  // namespace livi::battery_detail

namespace livi {

PhasePoint<Float50> AnyStochasticSubject::exact(std::size_t problem, const PhasePoint<Float50>& from,
                                                const Float50& time) const {
  using F = Float50;
  // RATTLE is symmetric: its error is a series in h^2, of which each row of the table removes one more term.
  const auto stepper =
      battery_detail::control_subject(battery_detail::StochasticControl::integrals).noisy_in_50_digits(problem);
  std::vector<PhasePoint<F>> row;
  for (int k = 0; k < 7; ++k) {
    const int steps = 8 << k;
    stepper->start(from);
    if (!run_steps<F>(*stepper, F(time / steps), steps).ok())
      throw InvalidParameter("step of the flow without noise", to_double(F(time / steps)), "must exist");
    PhasePoint<F> entry = stepper->point();
    F power = 4;
    for (PhasePoint<F>& above : row) {
      const PhasePoint<F> before = above;
      above = entry;
      entry = {entry.q + (entry.q - before.q) / F(power - 1), entry.p + (entry.p - before.p) / F(power - 1)};
      power *= 4;
    }
    row.push_back(entry);
  }
  return row.back();
}

}  // namespace livi
