// SPDX-License-Identifier: MIT
#include <livi/judge/measures/heat_bath.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <livi/judge/method/declared_accuracy.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using MatrixXd = Eigen::MatrixXd;
using VectorXd = Eigen::VectorXd;

VectorXd vector_of(const TimedPoint<double>& z) {
  const auto n = static_cast<Eigen::Index>(z.q.size());
  VectorXd result(2 * n);
  result << Eigen::Map<const VectorXd>(z.q.data(), n), Eigen::Map<const VectorXd>(z.p.data(), n);
  return result;
}

VectorXd step_from(ForeignRun<double>& run, Forces<double>& forces, const VectorXd& z,
                   const std::vector<double>& normals, double h, long count, std::size_t* asked = nullptr) {
  const Eigen::Index n = forces.problem().size();
  const TimedPoint<double> from{0, {z.data(), z.data() + n}, {z.data() + n, z.data() + 2 * n}};
  return vector_of(step_in_bath(run, forces, from, normals, h, count, asked));
}

MatrixXd spring_matrix(const JudgedProblem& problem) {
  const int n = problem.size();
  MatrixXd k(n, n);
  for (int j = 0; j < n; ++j) {
    std::vector<double> unit(static_cast<std::size_t>(n) + 1, 0.0);
    unit[static_cast<std::size_t>(j)] = 1;
    k.col(j) = Eigen::Map<const VectorXd>(problem.potential.gradient(unit, n).data(), n);
  }
  return k;
}

VectorXd masses_of(const JudgedProblem& problem) {
  return Eigen::Map<const VectorXd>(problem.masses.data(), problem.size());
}

/// The largest entry; no number if one of them is none, which Eigen's maximum may pass over.
double largest_entry(const MatrixXd& matrix) {
  return matrix.allFinite() ? matrix.cwiseAbs().maxCoeff() : not_a_number;
}

/// Says which entry of a matrix that should be the identity is farthest from it.
Measured distance_from_identity(const MatrixXd& matrix, const char* what) {
  if (!matrix.allFinite()) return {not_a_number, std::string("the ") + what + " is not finite"};
  Eigen::Index i = 0, j = 0;
  const Eigen::Index n = matrix.rows();
  const double value = (matrix - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(&i, &j);
  const std::string note =
      i == j ? format("the %s of body %d is %.4g times what it is to be", what, static_cast<int>(i) + 1, matrix(i, i))
             : format("the %s of bodies %d and %d is connected: %.4g", what, static_cast<int>(i) + 1,
                      static_cast<int>(j) + 1, matrix(i, j));
  return {value, note};
}

/// Returns the limit for h to 0 of f(h) = limit + O(h), up to O(h^2).
template <class F>
MatrixXd limit_of(const F& f) {
  return 2 * f(0x1p-9) - f(0x1p-8);
}

constexpr const char* no_noise_asked =
    "the method asks for no noise: random numbers of its own cannot be judged, those of 'noise k' can";

}  // namespace

TimedPoint<double> step_in_bath(ForeignRun<double>& run, Forces<double>& forces, const TimedPoint<double>& from,
                                const std::vector<double>& normals, double h, long count, std::size_t* asked) {
  forces.normals = normals;
  run.start(from);
  forces.asked = 0;
  run.step(h, count);
  if (asked) *asked = forces.asked;
  return run.point();
}
AffineStep affine_step(ForeignSubject& subject, const JudgedProblem& problem, double h, long count) {
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const Eigen::Index n = 2 * problem.size();
  std::size_t asked = 0;
  const VectorXd zero = VectorXd::Zero(n), at_zero = step_from(*run, forces, zero, {}, h, count, &asked);
  AffineStep step{MatrixXd(n, n), MatrixXd(n, static_cast<Eigen::Index>(asked))};
  for (Eigen::Index j = 0; j < n; ++j)
    step.a.col(j) = step_from(*run, forces, VectorXd::Unit(n, j), {}, h, count) - at_zero;
  for (std::size_t j = 0; j < asked; ++j) {
    std::vector<double> normals(asked, 0.0);
    normals[j] = 1;
    step.b.col(static_cast<Eigen::Index>(j)) = step_from(*run, forces, zero, normals, h, count) - at_zero;
  }
  return step;
}

std::optional<MatrixXd> stationary_covariance(const AffineStep& step) {
  const Eigen::Index n = step.a.rows();
  if (!step.a.allFinite() || !step.b.allFinite()) return std::nullopt;
  if (!(step.a.eigenvalues().cwiseAbs().maxCoeff() < 1)) return std::nullopt;
  MatrixXd equation = MatrixXd::Identity(n * n, n * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) equation.block(i * n, j * n, n, n) -= step.a(i, j) * step.a;
  const MatrixXd noise = step.b * step.b.transpose();
  const VectorXd solution = equation.fullPivLu().solve(Eigen::Map<const VectorXd>(noise.data(), n * n));
  return MatrixXd(Eigen::Map<const MatrixXd>(solution.data(), n, n));
}

MatrixXd rates_on_springs(ForeignSubject& subject, const JudgedProblem& problem) {
  const MatrixXd one = MatrixXd::Identity(2 * problem.size(), 2 * problem.size());
  return limit_of([&](double h) { return MatrixXd((affine_step(subject, problem, h).a - one) / h); });
}
MatrixXd right_rates_on_springs(const JudgedProblem& problem) {
  const Eigen::Index n = problem.size();
  MatrixXd right = MatrixXd::Zero(2 * n, 2 * n);
  right.topRightCorner(n, n) = masses_of(problem).cwiseInverse().asDiagonal();
  right.bottomLeftCorner(n, n) = -spring_matrix(problem);
  right.bottomRightCorner(n, n) = -problem.friction * MatrixXd::Identity(n, n);
  return right;
}

JudgedProblem bodies_in_a_heat_bath() {
  JudgedProblem problem{
      .name = "three bodies on springs", .kind = ProblemKind::langevin, .masses = {2, 1, 0.5}, .potential = {}};
  problem.potential.add(1.5, {0, 0}).add(1, {0, 1}).add(1, {1, 1}).add(0.5, {1, 2}).add(0.5, {2, 2});
  problem.friction = 0.75;
  problem.temperature = 1.5;
  return problem;
}
JudgedProblem many_bodies_in_a_heat_bath() {
  JudgedProblem problem{
      .name = "twelve bodies on springs", .kind = ProblemKind::langevin, .masses = {}, .potential = {}};
  for (int i = 0; i < 12; ++i) {
    // From 5/8 to 2, no two neighbours alike.
    problem.masses.push_back(0.625 + 0.125 * ((5 * i) % 12));
    problem.potential.add(0.75, {i, i});
    if (i > 0) problem.potential.add(0.25, {i - 1, i});
  }
  problem.friction = 1.3125;
  problem.temperature = 0.8125;
  problem.h = 0.1875;
  return problem;
}
JudgedProblem free_bodies_in_a_heat_bath(JudgedProblem problem) {
  problem.name = "free bodies";
  problem.potential = {};
  return problem;
}

namespace {

/// What is plainly wrong of few bodies is said of few.
constexpr double plain = 1e-3;

/// Returns the worst of a measure on few bodies and on many.
template <class MeasureOn>
Measured on_few_and_many(const MeasureOn& measure) {
  const Measured few = measure(bodies_in_a_heat_bath()), many = measure(many_bodies_in_a_heat_bath());
  return is_worse(many.value, few.value) && !(few.value > plain) ? many : few;
}

Measured step_is_affine_on(ForeignSubject& subject, const JudgedProblem& problem, std::uint64_t seed) {
  const AffineStep step = affine_step(subject, problem, problem.h);
  if (step.b.cols() == 0) return {not_a_number, no_noise_asked};
  DrawnNumbers random(seed);
  const auto drawn = [&] { return (static_cast<double>(random.below(512)) - 256) / 128; };
  VectorXd z(step.a.rows()), normals(step.b.cols());
  for (double& x : z) x = drawn();
  for (double& x : normals) x = 4 * drawn();
  // Then plus and minus eight, which in a run no number reaches: what is clipped is not affine, whatever was drawn.
  VectorXd eights(normals.size());
  for (Eigen::Index i = 0; i < eights.size(); ++i) eights(i) = i % 2 == 0 ? 8 : -8;
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  double error = 0;
  for (const VectorXd& numbers : {normals, eights, VectorXd(-eights)}) {
    const VectorXd end = step_from(*run, forces, z, {numbers.begin(), numbers.end()}, problem.h, 1);
    error = worse(error, largest_entry(end - step.a * z - step.b * numbers) / (z.norm() + numbers.norm()));
  }
  return {error, counted(step.b.cols(), "normal number") + " in a step"};
}

Measured fresh_noise_on(ForeignSubject& subject, const JudgedProblem& problem) {
  const AffineStep one = affine_step(subject, problem, problem.h), four = affine_step(subject, problem, problem.h, 4);
  if (one.b.cols() == 0) return {not_a_number, no_noise_asked};
  if (four.b.cols() != 4 * one.b.cols())
    return {1, "one step asks for " + counted(one.b.cols(), "normal number") +
                   format(", four steps for %d", static_cast<int>(four.b.cols()))};
  const MatrixXd twice = one.a * one.a;
  MatrixXd expected(one.b.rows(), four.b.cols());
  expected << twice * one.a * one.b, twice * one.b, one.a * one.b, one.b;
  return {worse(largest_entry(four.a - twice * twice), largest_entry(four.b - expected)),
          "against the map of one step, four times"};
}

Measured friction_on(ForeignSubject& subject, const JudgedProblem& problem) {
  const Eigen::Index n = problem.size();
  const MatrixXd friction = limit_of([&](double h) {
    const MatrixXd a = affine_step(subject, problem, h).a.bottomRightCorner(n, n);
    return MatrixXd((MatrixXd::Identity(n, n) - a) / (h * problem.friction));
  });
  return distance_from_identity(friction, "friction");
}

/// Returns the largest error of the rates of change on springs without noise, relative to the largest rate.
Measured motion_on(ForeignSubject& subject, const JudgedProblem& problem) {
  const Eigen::Index n = problem.size();
  const MatrixXd right = right_rates_on_springs(problem), rates = rates_on_springs(subject, problem);
  if (!rates.allFinite()) return {not_a_number, "the motion on springs is not finite"};
  Eigen::Index i = 0, j = 0;
  const double value = (rates - right).cwiseAbs().maxCoeff(&i, &j) / right.cwiseAbs().maxCoeff();
  const auto body = [&](Eigen::Index k) { return static_cast<int>(k % n) + 1; };
  return {value, format("on springs without noise the rate of %c%d under a change of %c%d is %.6g in place of %.6g",
                        i < n ? 'q' : 'p', body(i), j < n ? 'q' : 'p', body(j), rates(i, j), right(i, j))};
}

/// Returns whether what numbers of some sizes do in a step is the sum of what each does where it is one, to what the rows of a limit
/// refute. Nothing else tells from ones what the variance under normal numbers is.
bool is_linear_in_numbers(ForeignSubject& subject, const JudgedProblem& problem, double h) {
  const AffineStep step = affine_step(subject, problem, h);
  if (step.b.cols() == 0) return true;  // which other words say
  const VectorXd rest = VectorXd::Zero(step.a.rows());
  VectorXd numbers(step.b.cols());
  for (Eigen::Index i = 0; i < numbers.size(); ++i) numbers(i) = i % 2 == 0 ? 3 : -2;
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  const VectorXd silent = step_from(*run, forces, rest, {}, h, 1);
  return std::ranges::all_of(std::array{1.0, -1.0, 0.25}, [&](double by) {
    const VectorXd xi = by * numbers, end = step_from(*run, forces, rest, {xi.begin(), xi.end()}, h, 1);
    const VectorXd expected = step.b * xi;
    return !((end - silent - expected).norm() > plain * expected.norm());
  });
}
constexpr const char* not_linear =
    "steps are not linear in their normal numbers (row 'noise'), so that ones do not tell the variance";

Measured noise_of_bodies_on(ForeignSubject& subject, const JudgedProblem& problem) {
  if (!is_linear_in_numbers(subject, problem, 0x1p-8)) return {not_a_number, not_linear};
  const Eigen::Index n = problem.size();
  const VectorXd scale = (2 * problem.friction * problem.temperature * masses_of(problem)).cwiseSqrt();
  bool asks = true;
  const MatrixXd noise = limit_of([&](double h) {
    const AffineStep step = affine_step(subject, problem, h);
    if (step.b.cols() == 0) {
      asks = false;
      return MatrixXd(MatrixXd::Zero(n, n));
    }
    const MatrixXd b = step.b.bottomRows(n);
    const MatrixXd scaled = scale.cwiseInverse().asDiagonal() * b;
    return MatrixXd(scaled * scaled.transpose() / h);
  });
  if (!asks) return {1, no_noise_asked};
  return distance_from_identity(noise, "noise");
}

}  // namespace

Measured step_is_affine(ForeignSubject& subject, std::uint64_t seed) {
  return on_few_and_many([&](const JudgedProblem& problem) { return step_is_affine_on(subject, problem, seed); });
}
Measured fresh_noise(ForeignSubject& subject) {
  return on_few_and_many([&](const JudgedProblem& problem) { return fresh_noise_on(subject, problem); });
}
Measured friction_of_free_bodies(ForeignSubject& subject) {
  const Measured free = on_few_and_many([&](const JudgedProblem&problem) {
    return friction_on(subject, free_bodies_in_a_heat_bath(problem));
  }),
                 on_springs = motion_on(subject, bodies_in_a_heat_bath());
  // A friction that is wrong is wrong on springs, too, and said of free bodies.
  if (free.value > plain) return free;
  JudgedProblem without = bodies_in_a_heat_bath();
  without.friction = 0;
  Measured of_limit = motion_on(subject, without);
  of_limit.note += ", at friction 0";
  const Measured& worst = is_worse(of_limit.value, on_springs.value) ? of_limit : on_springs;
  return is_worse(worst.value, free.value) ? worst : free;
}
Measured noise_of_free_bodies(ForeignSubject& subject) {
  return on_few_and_many(
      [&](const JudgedProblem& problem) { return noise_of_bodies_on(subject, free_bodies_in_a_heat_bath(problem)); });
}

Measured noise_later(ForeignSubject& subject) {
  const JudgedProblem problem = bodies_in_a_heat_bath();
  const AffineStep whole = affine_step(subject, problem, problem.h),
                   half = affine_step(subject, problem, problem.h / 2);
  if (whole.b.cols() == 0) return {not_a_number, no_noise_asked};
  if (!is_linear_in_numbers(subject, problem, problem.h)) return {not_a_number, not_linear};
  Forces<double> forces(problem);
  const auto run = subject.in_double(forces);
  // The maps that are compared have no constant.
  if (largest_entry(step_from(*run, forces, VectorXd::Zero(whole.a.rows()), {}, problem.h, 1)) > plain)
    return {not_a_number, "from rest and without noise a step moves the bodies (row 'noise')"};
  constexpr long run_length = 1000;
  step_from(*run, forces, VectorXd::Zero(whole.a.rows()), {}, problem.h, 1);
  VectorXd now = VectorXd::Zero(whole.a.rows());
  // The error of the next step of the run, under numbers of its own, against the map from where the run is.
  const auto error_of_next = [&](const AffineStep& step, double h, long k) {
    VectorXd normals(step.b.cols());
    for (Eigen::Index i = 0; i < normals.size(); ++i)
      normals(i) = static_cast<double>((3 * k + 5 * i) % 7 - 3) / 3;  // of all bits
    forces.normals.assign(normals.begin(), normals.end());
    forces.asked = 0;
    run->step(h, 1);
    const VectorXd before = now;
    now = vector_of(run->point());
    return largest_entry(now - step.a * before - step.b * normals);
  };
  double later = 0;
  long where = 0;
  for (long k = 1; k <= run_length && !(later > plain); ++k)
    if (const double error = error_of_next(whole, problem.h, k); is_worse(error, later)) later = error, where = k + 1;
  if (later > plain) return {later, format("step %ld of a run, against the map of the first one", where)};
  // A step of another size shows what is kept of the size before.
  const double other = worse(error_of_next(half, problem.h / 2, 1), error_of_next(whole, problem.h, 2));
  if (is_worse(other, later))
    return {other, "steps of h/2 and of h in a run of steps of h, against their maps after a start"};
  return {later, format("largest in step %ld of a run of %ld, against the map of the first one", where, run_length)};
}

Measured restart_in_a_bath(ForeignSubject& subject) {
  const JudgedProblem problem = bodies_in_a_heat_bath();
  Forces<double> forces(problem), other_forces(problem);
  const auto run = subject.in_double(forces);
  std::vector<double> normals;
  for (int i = 0; i < 4096; ++i) normals.push_back(1.0 / (1 + i % 7) - 0.375);
  const auto go_on = [&](ForeignRun<double>& one, Forces<double>& of) {
    of.normals = normals;
    of.asked = 0;
    one.step(problem.h, 3);
    return vector_of(one.point());
  };
  run->start({0, {0.5, -0.25, 1}, {0.25, 0.5, -0.5}});
  go_on(*run, forces);
  const std::optional<std::string> saved = run->save();
  if (!saved) throw ForeignRefusal("it saves nothing");
  const VectorXd end = go_on(*run, forces);
  const auto another = subject.another();
  const auto continued = another->in_double(other_forces);
  continued->restore(*saved);
  const double elsewhere = largest_entry(go_on(*continued, other_forces) - end);
  run->restore(*saved);
  return {worse(elsewhere, largest_entry(go_on(*run, forces) - end)), "three steps with noise from a saved text"};
}

Measured noise_without_heat(ForeignSubject& subject) {
  double largest = 0;
  for (const bool cold : {true, false}) {
    JudgedProblem problem = bodies_in_a_heat_bath();
    (cold ? problem.temperature : problem.friction) = 0;
    const AffineStep step = affine_step(subject, problem, problem.h);
    if (!step.a.allFinite() || !step.b.allFinite()) return {not_a_number, "the end of a step is not finite"};
    if (step.b.size() > 0) largest = std::max(largest, step.b.cwiseAbs().maxCoeff());
  }
  return {largest, "temperature 0, and friction 0"};
}

Measured sampling_order(ForeignSubject& subject, bool momentum) {
  const JudgedProblem problem = bodies_in_a_heat_bath();
  if (!is_linear_in_numbers(subject, problem, 0x1p-3)) return {not_a_number, not_linear};
  const Eigen::Index n = problem.size();
  const MatrixXd right = problem.temperature * (momentum ? MatrixXd(masses_of(problem).asDiagonal())
                                                         : MatrixXd(spring_matrix(problem).inverse()));
  const VectorXd scale = right.diagonal().cwiseSqrt().cwiseInverse();
  std::vector<double> errors;
  std::string table;
  double coldest = 1, warmest = 1;
  for (int k = 2; k <= 7; ++k) {
    const AffineStep step = affine_step(subject, problem, std::ldexp(1.0, -k));
    if (step.b.cols() == 0) return {not_a_number, no_noise_asked};
    const auto covariance = stationary_covariance(step);
    if (!covariance)
      return {not_a_number, format("no stationary covariance at h = 2^-%d: what was is not forgotten", k)};
    const MatrixXd block = momentum ? covariance->bottomRightCorner(n, n) : covariance->topLeftCorner(n, n);
    errors.push_back((scale.asDiagonal() * (block - right) * scale.asDiagonal()).cwiseAbs().maxCoeff());
    const VectorXd ratios = block.diagonal().cwiseQuotient(right.diagonal());
    coldest = ratios.minCoeff();
    warmest = ratios.maxCoeff();
    table += format("%s2^-%d: %.2e", k == 2 ? "" : ", ", k, errors.back());
  }
  // The rounding of A, or what is declared, over the share 1 - |A|^2, some h gamma, by which a step forgets.
  const auto least_error = [&](std::size_t k) {
    const double h = std::ldexp(1.0, -2 - static_cast<int>(k));
    return allowed(subject.declares(), 0x1p-40 * h) / h;
  };
  double order = exact_sampling;
  for (std::size_t k = 1; k < errors.size() && errors[k] > least_error(k); ++k)
    order = std::log2(errors[k - 1] / errors[k]);
  std::string note =
      (momentum ? "covariance of momenta against T M, h = " : "covariance of positions against T K^-1, h = ") + table;
  const std::string declared = declared_accuracy(subject.declares());
  if (order == exact_sampling)
    note += "; nothing but " + (declared.empty() ? "rounding" : "what " + declared + " leaves") + ", shown as order 20";
  if (order < 0.5)
    note += warmest - coldest < 1e-3 * warmest
                ? format("; in small steps the temperature is %.4g times that of the bath", (coldest + warmest) / 2)
                : format("; in small steps bodies have temperatures from %.4g to %.4g times that of the bath", coldest,
                         warmest);
  return {std::min(order, exact_sampling), note};
}

}  // namespace livi
