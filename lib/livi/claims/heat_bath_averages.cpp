// SPDX-License-Identifier: MIT
//
// Averages of heat baths: how one step leaves the Gibbs measure, without sampling, and means over long runs.
//
// The Gibbs measure of positions has the density exp(-beta V) det(G M^-1 G^T)^(1/2) in the directions of the rods, each uniform
// on its sphere: on the pendulum the determinant is constant; on two rods a and b it is a constant less a multiple of (a . b)^2.
// Velocities are normal with the covariance P M^-1 P^T/beta.
//
// What a step does to a function of degree d in v is a sum of terms of order h^k of degrees up to d + k in v and in the normal
// numbers together, for a number comes with h^(1/2). So a rule for both together that is right to degree five is right up to h^2 for d
// of up to three, and changes what is of h^3 by a factor: defects of order h^2 and h^3 are told apart, and no order of averages
// beyond two is seen. The rule of 2 n^2 + 1 nodes (McNamee and Stenger 1967): with u = 3^(1/2), the middle, of weight
// 1 + n (n - 7)/18, all +-u e_i, of (4 - n)/18, and all +-u e_i +- u e_j, of 1/36.
#include <algorithm>
#include <cmath>
#include <functional>
#include <livi/claims/heat_bath_measures.hpp>
#include <livi/claims/heat_bath_runs.hpp>
#include <numbers>
#include <utility>

namespace livi::battery_detail {

namespace {

constexpr double pi = std::numbers::pi;
/// The constants of det(G M^-1 G^T) over the factor of -c^2, c = a . b. On the chain of masses m_1, m, m_2 it is
/// (1/m_1 + 1/m)(1/m + 1/m_2) - c^2/m^2.
constexpr double chain_determinant = (1.0 / 2 + 1) * (1 + 1.0 / 4);
/// On the rods, with the entries n_ij of the inverse of the mass matrix: n_11 (n_11 - 2 n_12 + n_22) - (n_11 - n_12)^2 c^2.
constexpr double rods_determinant = 2.5 * (2.5 + 2 * 0.25 + 2) / ((2.5 + 0.25) * (2.5 + 0.25));
/// What the potential energy of the rods grows by from the middle of a rod's sphere to its top.
constexpr std::array rods_weights{2.5 + 2.75, 2 * 2.75};
using Rule = std::vector<std::pair<double, double>>;  ///< nodes and weights

/// Gauss's rule for the integral over [-1, 1], by Newton's method for the roots of Legendre's polynomial.
Rule legendre_rule(int n) {
  Rule rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0;
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
/// Calls f(numbers, weight) at the nodes of the rule of degree five for n standard normal numbers.
template <class Function>
void for_normal_numbers(Eigen::Index n, const Function& f) {
  const double u = std::sqrt(3.0);
  const auto count = static_cast<double>(n);
  D x = D::Zero(n);
  f(x, 1 + count * (count - 7) / 18);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (const double of_i : {u, -u}) {
      x(i) = of_i;
      f(x, (4 - count) / 18);
      for (Eigen::Index j = 0; j < i; ++j) {
        for (const double of_j : {u, -u}) {
          x(j) = of_j;
          f(x, 1.0 / 36);
        }
        x(j) = 0;
      }
    }
    x(i) = 0;
  }
}

// ---- one step from the Gibbs measure -----------------------------------------------------------------------------------

/// A position of a problem with its part of the Gibbs measure.
struct GibbsPoint {
  D q;
  double weight;
};
/// A problem on which the Gibbs measure is integrated, and functions of (q, v) of degree three or less in v.
struct GibbsProblem {
  std::size_t problem;
  std::vector<GibbsPoint> (*points)(const Bath<double>& bath, GibbsPositions positions);
  D (*values)(const D& q, const D& v);
};
void normalise(std::vector<GibbsPoint>& points) {
  double total = 0;
  for (const GibbsPoint& point : points) total += point.weight;
  for (GibbsPoint& point : points) point.weight /= total;
}

/// Heights by Gauss's rule, with the density exp(-beta z) on [-1, 1] (Archimedes), and six azimuths or four.
std::vector<GibbsPoint> points_of_sphere(const Bath<double>& bath, GibbsPositions positions) {
  const int azimuths = positions == GibbsPositions::many ? 6 : 4;
  std::vector<GibbsPoint> points;
  for (const auto& [z, weight] : legendre_rule(positions == GibbsPositions::many ? 8 : 6))
    for (int k = 0; k < azimuths; ++k) {
      const double radius = std::sqrt(1 - z * z), azimuth = (k + 0.2) * 2 * pi / azimuths;
      D q(3);
      q << radius * std::cos(azimuth), radius * std::sin(azimuth), z;
      points.push_back({q, weight * std::exp(-bath.inverse_temperature * z)});
    }
  normalise(points);
  return points;
}
/// z, z^2, v_z^2, |v|^2, v_z, z v_z, v_z |v|^2, and e, e v_e, e |v|^2 with a horizontal direction e.
D values_on_sphere(const D& q, const D& v) {
  const double squares = v.squaredNorm(), e = 0.6 * q(0) + 0.8 * q(1), v_e = 0.6 * v(0) + 0.8 * v(1);
  D all(10);
  all << q(2), q(2) * q(2), v(2) * v(2), squares, v(2), q(2) * v(2), v(2) * squares, e, e * v_e, e * squares;
  return all;
}
/// Angles between the rods: nothing else tells one position from another, for there is no force.
std::vector<GibbsPoint> points_of_chain(const Bath<double>&, GibbsPositions positions) {
  std::vector<GibbsPoint> points;
  for (const auto& [c, weight] : legendre_rule(positions == GibbsPositions::many ? 10 : 7)) {
    const D first{{2.0 / 3, -1.0 / 3, 2.0 / 3}}, across{{2.0 / 3, 2.0 / 3, -1.0 / 3}};
    D q = D::Zero(9);
    q.head(3) = first;
    q.tail(3) = c * first + std::sqrt(1 - c * c) * across;
    points.push_back({q, weight * std::sqrt(chain_determinant - c * c)});
  }
  normalise(points);
  return points;
}
/// With c = a . b: c, c^2, squares of the velocities of each particle, c |v|^2, c' and c' |v|^2, |v|^2 that of the first and the last.
D values_on_chain(const D& q, const D& v) {
  const D a = q.head(3) - q.segment(3, 3), b = q.tail(3) - q.segment(3, 3), of_a = v.head(3) - v.segment(3, 3),
          of_b = v.tail(3) - v.segment(3, 3);
  const double c = a.dot(b), rate = of_a.dot(b) + a.dot(of_b), first = v.head(3).squaredNorm(),
               last = v.tail(3).squaredNorm();
  D all(8);
  all << c, c * c, first, v.segment(3, 3).squaredNorm(), last, c * (first + last), rate, rate * (first + last);
  return all;
}
constexpr std::array gibbs_problems{GibbsProblem{bath_place::sphere, points_of_sphere, values_on_sphere},
                                    GibbsProblem{bath_place::chain, points_of_chain, values_on_chain}};

/// A basis of the tangent space that is orthonormal in the metric of the mass, by columns.
Matrix<double, Dynamic> tangent_basis(const BathStepper& run, const D& q) {
  Matrix<double, Dynamic> basis(q.size(), run.dimension());
  Eigen::Index found = 0;
  for (Eigen::Index i = 0; i < q.size() && found < basis.cols(); ++i) {
    D t = run.tangent(q, D(D::Unit(q.size(), i)));
    // Twice, as one pass of Gram and Schmidt leaves what it cancels of rounding.
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < found; ++j) t -= run.momentum(basis.col(j)).dot(t) * basis.col(j);
    const double length = std::sqrt(run.momentum(t).dot(t));
    // Among n vectors that span the space those are left out that are nearly combinations of the earlier ones.
    if (length > 0.05) basis.col(found++) = t / length;
  }
  if (found < basis.cols()) throw std::logic_error("a tangent space without a basis");
  return basis;
}
/// The size of E[f(after a step)] - E[f] over all functions together: of symmetric methods those that are even in v have a defect
/// that is smaller by h.
double defect_of_gibbs(const AnyHeatBathSubject& subject, const GibbsProblem& gibbs, const Bath<double>& bath,
                       GibbsPositions positions, double h) {
  const auto numbers = std::make_shared<BathNumbers::Given>();
  const auto run = subject.in_bath(gibbs.problem, bath, BathNumbers(numbers));
  steps(*run, h, 1);
  const auto count = static_cast<Eigen::Index>(numbers->numbers.size());
  // The nodes of 40 numbers with 7 velocities are 4419, what the battery has time for.
  if (count > 40)
    throw std::runtime_error(
        format("a step asks for %d normal numbers, and the rule has time for 40", static_cast<int>(count)));
  D defect;
  for (const auto& [q, weight] : gibbs.points(bath, positions)) {
    const Matrix<double, Dynamic> basis = tangent_basis(*run, q) / std::sqrt(bath.inverse_temperature);
    for_normal_numbers(basis.cols() + count, [&, &q = q, &weight = weight](const D& x, double of_node) {
      const D v = basis * x.head(basis.cols());
      for (Eigen::Index i = 0; i < count; ++i)
        numbers->numbers[static_cast<std::size_t>(i)].value = x(basis.cols() + i);
      run->start(q, v);
      steps(*run, h, 1);
      const D change = weight * of_node * (gibbs.values(run->q(), run->v()) - gibbs.values(q, v));
      defect = defect.size() == 0 ? change : D(defect + change);
    });
  }
  return defect.norm();
}

// ---- means over long runs ------------------------------------------------------------------------------------------------

/// What is averaged on a problem: the differences of quantities from their means in the Gibbs measure, in their sizes. The first
/// `momenta` are of velocities.
struct LongRun {
  std::size_t problem;
  double h;
  int steps;  ///< after the first 20 units of time
  std::vector<const char*> names;
  std::size_t momenta;
  std::function<D(const BathStepper& run, const Bath<double>& bath)> differences;
};
double energy_difference(const BathStepper& run, const D& v, const Bath<double>& bath) {
  return bath.inverse_temperature * v.dot(run.momentum(v)) / run.dimension() - 1;
}
LongRun on_the_sphere() {
  return {bath_place::sphere,
          1.0 / 8,
          5200,
          {"v east", "v south", "(v east)^2", "(v south)^2", "product", "z", "z^2"},
          5,
          [](const BathStepper& run, const Bath<double>& bath) {
            const D q = run.q(), v = run.v();
            const double beta = bath.inverse_temperature, unit = std::sqrt(beta), coth = 1 / std::tanh(beta),
                         radius = std::hypot(q(0), q(1)), east = unit * (q(0) * v(1) - q(1) * v(0)) / radius,
                         south = unit * (q(2) * (q(0) * v(0) + q(1) * v(1)) / radius - radius * v(2));
            D all(7);
            all << east, south, east * east - 1, south * south - 1, east * south, q(2) - (1 / beta - coth),
                q(2) * q(2) - (1 + 2 / (beta * beta) - 2 * coth / beta);
            return all;
          }};
}
/// The means of the heights of both rods, over the lengths of the rods, by rules for two heights and the azimuth between them.
std::pair<double, double> mean_heights_of_rods(double beta) {
  double total = 0, first = 0, second = 0;
  const Rule rule = legendre_rule(16);
  for (const auto& [z, of_z] : rule)
    for (const auto& [y, of_y] : rule)
      for (int k = 0; k < 16; ++k) {
        const double c = z * y + std::sqrt((1 - z * z) * (1 - y * y)) * std::cos(pi * (k + 0.5) / 16),
                     weight = of_z * of_y * std::exp(-beta * (rods_weights[0] * z + rods_weights[1] * y)) *
                              std::sqrt(rods_determinant - c * c);
        total += weight;
        first += weight * z;
        second += weight * y;
      }
  return {first / total, second / total};
}
LongRun on_the_rods() {
  std::array<std::pair<double, double>, judged_baths.size()> expected;
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected.at(i) = mean_heights_of_rods(judged_baths.at(i).inverse_temperature);
  return {bath_place::rods,
          1.0 / 8,
          1200,
          {"kinetic energy of the rods", "height of the first rod", "height of the second rod"},
          1,
          [expected](const BathStepper& run, const Bath<double>& bath) {
            const D q = run.q(), v = run.v();
            const bool is_first = bath.inverse_temperature == judged_baths[0].inverse_temperature;
            const auto& [first, second] = expected.at(is_first ? 0 : 1);
            D all(3);
            all << energy_difference(run, v, bath), q(2) - first, (q(5) - q(2)) / 2 - second;
            return all;
          }};
}
LongRun on_the_chain() {
  double total = 0, squares = 0;
  for (const auto& [c, weight] : legendre_rule(16)) {
    total += weight * std::sqrt(chain_determinant - c * c);
    squares += weight * std::sqrt(chain_determinant - c * c) * c * c;
  }
  // With steps of 1/8 one of a million or so is too long for its velocity, and has no multiplier.
  return {bath_place::chain,
          3.0 / 32,
          1600,
          {"kinetic energy of the chain", "squared cosine between its rods"},
          1,
          [expected = squares / total](const BathStepper& run, const Bath<double>& bath) {
            const D q = run.q(), v = run.v();
            const double c = (q.head(3) - q.segment(3, 3)).dot(q.tail(3) - q.segment(3, 3));
            D all(2);
            all << energy_difference(run, v, bath), c * c - expected;
            return all;
          }};
}

/// The largest of several sizes, of which some could not be told.
class LargestSize {
 public:
  explicit LargestSize(double too_large) : too_large_(too_large) {}
  /// Takes the means of runs, of which those with an odd number are in another bath than the others. The size is that of their mean. It
  /// is told where the standard error is at most 1 %, or where the size is too large and five standard errors.
  void add(const std::vector<double>& means, const char* name) {
    double mean = 0, variance = 0;
    const auto n = static_cast<double>(means.size()) / 2;
    for (const std::size_t bath : {0U, 1U}) {
      double here = 0, squares = 0;
      for (std::size_t i = bath; i < means.size(); i += 2) here += means[i] / n;
      for (std::size_t i = bath; i < means.size(); i += 2) squares += (means[i] - here) * (means[i] - here) / (n - 1);
      // Runs that do not differ are no sample.
      if (!(squares > 1e-20)) return unknown_.update(not_a_number, std::string(name) + ": all runs are alike");
      mean += here / 2;
      variance += squares / n / 4;
    }
    const double size = std::abs(mean), error = std::sqrt(variance);
    if (error <= 0.01 || size > std::max(too_large_, 5 * error)) {
      told_.update(size, format("%s: %.2g, standard error %.1g", name, mean, error));
    } else {
      unknown_.update(not_a_number, format("%s: %.2g, standard error %.1g", name, mean, error));
    }
  }
  /// The largest, if it is too large, or if all were told.
  [[nodiscard]] Worst worst() const {
    return told_.value > too_large_ || !std::isnan(unknown_.value) ? told_ : unknown_;
  }

 private:
  double too_large_;
  Worst told_, unknown_;
};

}  // namespace

namespace {

/// Convergence orders of averages, from the defects of steps of h and h/2, and of 3h/2 and h. NaN if a defect cannot be measured.
struct Slopes {
  double order, longer;
  /// Returns whether both slopes agree, or are both far below the declared order.
  [[nodiscard]] bool have_settled(double declared) const {
    return std::abs(order - longer) <= 0.15 || (order < declared - 0.5 && longer < declared - 0.5);
  }
};
Slopes slopes_of_defects(const AnyHeatBathSubject& subject, const GibbsProblem& gibbs, const Bath<double>& bath,
                         GibbsPositions positions, double h) {
  const auto defect = [&](double of) { return defect_of_gibbs(subject, gibbs, bath, positions, of); };
  const double longest = defect(1.5 * h), whole = defect(h), half = defect(h / 2);
  return {std::log2(whole / half) - 1, std::log(longest / whole) / std::log(1.5) - 1};
}

}  // namespace

Worst order_of_averages(const AnyHeatBathSubject& subject, GibbsPositions positions) {
  // What few nodes leave of the integral of h^2 is smaller beside the h^3 of longer steps.
  const double h = positions == GibbsPositions::many ? 1.0 / 32 : 1.0 / 16;
  const double declared = subject.declares_for_noise().weak_order;
  const auto problems = subject.problems();
  Worst lowest{not_a_number, ""};
  std::string unsettled;
  for (const GibbsProblem& gibbs : gibbs_problems) {
    if (std::ranges::find(problems, gibbs.problem) == problems.end()) continue;
    for (const Bath<double>& bath : judged_baths) {
      // The chain has many numbers and no force: one bath does for it.
      const bool in_both = gibbs.problem == bath_place::sphere && positions == GibbsPositions::many;
      if (!in_both && &bath != &judged_baths[0]) continue;
      Slopes slopes = slopes_of_defects(subject, gibbs, bath, positions, h);
      // Where the h^3 is small, few nodes leave more than it is.
      if (positions == GibbsPositions::few && !slopes.have_settled(declared))
        slopes = slopes_of_defects(subject, gibbs, bath, GibbsPositions::many, h);
      const std::string where = named(subject.in_bath(gibbs.problem, bath, BathNumbers())->name(), bath);
      if (std::isnan(slopes.order)) return {slopes.order, where};
      if (!slopes.have_settled(declared)) {
        unsettled = format(
            "%s: the slope has not settled, %.2f between h = %g and %g, %.2f between %g and %g; shorter "
            "steps decide it",
            where.c_str(), slopes.longer, 1.5 * h, h, slopes.order, h, h / 2);
      } else if (!(slopes.order >= lowest.value)) {
        lowest = {slopes.order, where};
      }
    }
  }
  const bool is_too_low = lowest.value < declared - 0.3;
  return is_too_low || unsettled.empty() ? lowest : Worst{not_a_number, unsettled};
}

LongRuns long_runs(const AnyHeatBathSubject& subject, double too_large) {
  constexpr std::uint64_t runs = 32;
  const auto problems = subject.problems();
  LargestSize momenta(too_large), positions(too_large);
  for (const LongRun& quantities : {on_the_sphere(), on_the_rods(), on_the_chain()}) {
    if (std::ranges::find(problems, quantities.problem) == problems.end()) continue;
    std::vector<std::vector<double>> means(quantities.names.size());
    for (std::uint64_t stream = 0; stream < runs; ++stream) {
      const Bath<double>& bath = judged_baths.at(stream % 2);
      const auto run = run_of(subject, quantities.problem, bath, 100 + stream);
      steps(*run, quantities.h, static_cast<int>(20 / quantities.h));
      D sum = D::Zero(static_cast<Eigen::Index>(means.size()));
      for (int k = 0; k < quantities.steps; ++k) {
        steps(*run, quantities.h, 1);
        sum += quantities.differences(*run, bath) / quantities.steps;
      }
      for (std::size_t i = 0; i < means.size(); ++i) means[i].push_back(sum(static_cast<Eigen::Index>(i)));
    }
    for (std::size_t i = 0; i < means.size(); ++i)
      (i < quantities.momenta ? momenta : positions).add(means[i], quantities.names[i]);
  }
  return {momenta.worst(), positions.worst()};
}

}  // namespace livi::battery_detail
