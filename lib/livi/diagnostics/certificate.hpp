// SPDX-License-Identifier: MIT
//
// Certificates: exact statements about a step map whose step is a rational function of position, momentum, step size
// and parameters, as that of every explicit or linearly implicit method on a polynomial potential is.
//
// A statement is a list of rational functions that must vanish identically: the entries of J'Omega J - Omega, of
// step(-h) o step(h) - id, of the change of a momentum map, of coefficients of h^k. It is written once, as a function
// of a Draw that supplies the variables, and decided in two ways:
//
//   certify   at random points modulo random 61-bit primes (scalar/residue.hpp). One value that is not zero disproves
//             the statement. Zeros at all of k points prove it unless an accident happened. A point is a deception if
//             two different divisors agree there, or if an intermediate result on which the program branches is zero
//             there but not identically: an event of probability at most delta. At any other point the program took its
//             generic branch, and the degree d and the height H (log2 of the sum of |coefficients|) that it computed
//             bound those of the numerators. A numerator P that is not identically zero vanishes there with a
//             probability of at most
//
//               epsilon <= (d / 2^60 + (H / 60) / 2^53) / (1 - the same sum for all divisors and branches).
//
//             First term: P, not zero modulo the prime p > 2^60, has at most d p^(m-1) zeros among p^m points
//             (Schwartz, Zippel). Second term: a coefficient of P that is not zero is below 2^H, so at most H/60 primes
//             above 2^60 divide it, of more than 2^53 between 2^60 and 2^61 (pi(2x) - pi(x) > 3x/(5 log x), Rosser and
//             Schoenfeld 1962). Denominator: singular points are drawn again. delta is this expression with the sums of
//             degrees and heights over all differences that are compared. The largest d, H and delta of all points
//             count: they are right if one point is no deception. So a false statement is proved with probability at
//             most
//
//               (epsilon + delta)^k + delta^k0.
//
//             The first term is for all k points being zeros or deceptions. The second is for wrong bounds in the
//             choice of k, for which the first k0 points must be deceptions; k0 is fixed beforehand. k is chosen such
//             that the sum is below 1e-30.
//   witness   at small rational points, exactly: the point and the value in a form that can be checked by hand.
//
// The probability is over seeds of the generator of points and primes. For the one seed that is used there is none: the
// program is deterministic, and what remains is the belief that the examined program was not made for that seed. (The
// product of the primes that a seed draws is zero modulo each of them; another seed disproves that it is zero.) So the
// seed is part of a certificate, and judge_seed() is another one where a program is told so.
//
// Branches: numbers that have no order (scalar/zero_or_not.hpp) can be compared with zero only, so a statement about a
// program that branches by size or sign is undecided. Where the library itself needs an order that cannot change the
// result, the certificate names it (`assumed`). Branches on zero are those of generic points, where no pivot vanishes.
// A certificate does not see code that only floating-point numbers execute.
#pragma once

#include <functional>
#include <random>
#include <sstream>

#include <livi/diagnostics/any_stepper.hpp>
#include <livi/diagnostics/seed.hpp>
#include <livi/scalar/power_series.hpp>
#include <livi/scalar/residue.hpp>

namespace livi {

/// Returns the smallest power of ten that is not below a probability, which is printed as its bound. NaN stays NaN.
inline double next_power_of_ten(double probability) {
  if (probability == 0) return 0;
  // A power of ten itself must not become the next one by the rounding of its logarithm.
  return std::pow(10.0, std::ceil(std::log10(std::max(probability, 1e-300)) - 1e-9));
}

/// The result of certify().
struct Certificate {
  enum class Finding { proved, disproved, undecided };
  Finding finding = Finding::undecided;
  std::string note = {};  ///< disproved: the value and the point; undecided: why
  double degree = 0;      ///< bound of the degree of the numerators
  double height = 0;      ///< bound of log2 of the sum of their absolute coefficients
  int functions = 0;      ///< number of functions that have to vanish
  int nonzero = 0;        ///< number of functions that did not vanish at the last point
  int points = 0;         ///< points at which they were evaluated
  /// A bound. Proved: the share of seeds that would prove the statement if it were false. Disproved: the share of seeds
  /// whose point is not on the generic branch; 0 if there was no branch.
  double probability = 1;
  std::uint64_t seed = 0;  ///< seed of the generator of points and primes
  /// What the library assumed about order, if anything (scalar/zero_or_not.hpp).
  std::vector<std::string> assumed = {};

  [[nodiscard]] bool proved() const { return finding == Finding::proved; }
  [[nodiscard]] bool disproved() const { return finding == Finding::disproved; }
  [[nodiscard]] std::string describe() const {
    std::ostringstream text;
    text.precision(3);
    switch (finding) {
      case Finding::proved:
        text << functions << " rational functions of degree <= " << degree << ", height <= " << height
             << " bits vanish at " << points << " points modulo 61-bit primes of seed " << seed << ", p < "
             << probability;
        break;
      case Finding::disproved:
        text << nonzero << " of " << functions << " rational functions do not vanish: " << note;
        break;
      case Finding::undecided:
        text << "undecided: " << note;
    }
    for (const std::string& assumption : assumed) text << "; " << assumption;
    return text.str();
  }
};

/// The bound for a claim that rests on several certificates: it is false if any of them is, so their bounds add up.
class CombinedProbability {
 public:
  /// Adds a certificate. Throws std::logic_error if it is undecided, for no claim can rest on that.
  void add(const Certificate& certificate) {
    if (certificate.finding == Certificate::Finding::undecided)
      throw std::logic_error("an undecided certificate has no probability: " + certificate.note);
    sum_ += certificate.probability;
  }
  /// Returns the sum as a power of ten; 0 if nothing was added.
  [[nodiscard]] double bound() const { return next_power_of_ten(sum_); }

 private:
  double sum_ = 0;
};

/// The exception for a step that failed (a singular matrix, no convergence): nothing follows.
class StepFailed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The supplier of the variables of a statement: random residues, or rationals of size below one with small
/// denominators.
template <class K>
class Draw {
 public:
  explicit Draw(std::mt19937_64& generator) : generator_(&generator) {}

  K variable(const std::string& name) {
    if constexpr (std::same_as<K, Residue>) {
      const Residue x = Residue::variable(*generator_, name);
      point_ << name << " = " << x.value() << ", ";
      residues_.push_back(x.value());
      return x;
    } else {
      return record(name, below(19) - 9, 10 + below(9));
    }
  }
  /// Draws a number that is positive where signs matter: a step size, a mass.
  K positive(const std::string& name) {
    if constexpr (std::same_as<K, Residue>) {
      return variable(name);
    } else {
      return record(name, 1 + below(9), 10);
    }
  }
  Vector<K, Dynamic> variables(const std::string& name, Eigen::Index n) {
    Vector<K, Dynamic> x(n);
    for (Eigen::Index i = 0; i < n; ++i) x(i) = variable(name + std::to_string(i));
    return x;
  }
  /// Draws a symmetric matrix, which is positive definite where signs matter.
  Matrix<K, Dynamic> symmetric(const std::string& name, Eigen::Index n) {
    Matrix<K, Dynamic> m(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) {
        m(i, j) = variable(name + std::to_string(i) + std::to_string(j));
        if constexpr (!std::same_as<K, Residue>) m(i, j) = i == j ? K(n + 1 + below(3)) : m(i, j) / K(10);
        m(j, i) = m(i, j);
      }
    return m;
  }
  /// Returns the point so far, in words.
  [[nodiscard]] std::string point() const { return point_.str(); }
  /// Returns the values of the residues so far, in the order of their draws.
  [[nodiscard]] const std::vector<std::uint64_t>& residues() const { return residues_; }

 private:
  int below(int n) { return static_cast<int>((*generator_)() % static_cast<unsigned>(n)); }
  K record(const std::string& name, int numerator, int denominator) {
    const K x = ratio<K>(numerator, denominator);
    point_ << name << " = " << numerator << "/" << denominator << ", ";
    return x;
  }
  std::mt19937_64* generator_;
  std::ostringstream point_;
  std::vector<std::uint64_t> residues_;
};

struct CertificateOptions {
  std::uint64_t seed = judge_seed();
  double probability = 1e-30;  ///< the bound to be reached
  int least_points = 5;        ///< k0 above: enough for delta < 8e-7, which compositions of three solving steps need
  int most_points = 64;
};

namespace certificate_detail {

/// Returns the share of seeds for which polynomials of these degrees and heights, together, vanish by accident.
inline double accident(const residue_detail::Events& events) {
  return events.degree * std::exp2(-60) + events.height / 60 * std::exp2(-53);
}

}  // namespace certificate_detail

/// Decides whether all functions of statement(Draw<Residue>&) -> std::vector<Residue> vanish identically.
template <class Statement>
Certificate certify(Statement&& statement, const CertificateOptions& options = {}) {
  using certificate_detail::accident;
  Certificate result;
  result.seed = options.seed;
  std::mt19937_64 generator(options.seed);
  const int least = std::max(options.least_points, 1);
  int wanted = least;
  double regular = 1, delta = 0;
  const auto undecided = [&](const std::string& why) {
    result.note = why;
    result.assumed = assumed_orders();
    return result;
  };
  forget_assumed_orders();
  for (int singular = 0; result.points < wanted;) {
    Residue::choose_prime(generator);
    Draw<Residue> draw(generator);
    std::vector<Residue> values;
    try {
      values = statement(draw);
      int nonzero = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].is_zero()) continue;
        if (nonzero++ == 0) {
          std::string point = draw.point();
          if (point.size() > 160) point.replace(160, std::string::npos, "... ");
          result.note = "no. " + std::to_string(i) + " is " + std::to_string(values[i].value()) + " modulo " +
                        std::to_string(Residue::prime()) + " at " + point + "seed " + std::to_string(options.seed);
        }
      }
      result.nonzero = nonzero;
    } catch (const SingularPoint& error) {
      if (++singular == 20) return undecided(error.what() + std::string(" at every point"));
      continue;
    } catch (const StepFailed& error) {
      if (++singular == 20) return undecided(error.what());
      continue;
    } catch (const NotRational& error) {
      return undecided(error.what());
    }
    ++result.points;
    result.functions = static_cast<int>(values.size());
    result.assumed = assumed_orders();
    const double branches = accident(Residue::branches());
    regular = std::min(regular, 1 - accident(Residue::all_divisors()) - branches);
    if (result.nonzero > 0) {
      result.finding = Certificate::Finding::disproved;
      result.probability = regular > 0.5 ? next_power_of_ten(branches / regular) : 1;
      return result;
    }
    for (const Residue& value : values) {
      result.degree = std::max(result.degree, value.degree());
      result.height = std::max(result.height, value.height());
    }
    const double epsilon = accident({result.degree, result.height}) / regular;
    delta = std::max(delta, accident(Residue::comparisons()) / regular);
    if (!(regular > 0.5) || !(epsilon + delta < 0.5))
      return undecided("the bounds of degree and height are too large for 61-bit primes");
    const auto points_for = [&](double accident_of_one) {
      return static_cast<int>(
          std::ceil(std::log(options.probability / 2) / std::log(std::max(accident_of_one, 1e-100))));
    };
    if (least < points_for(delta))
      return undecided("so many comparisons need least_points = " + std::to_string(points_for(delta)));
    wanted = std::max(least, points_for(epsilon + delta));
    if (wanted > options.most_points)
      return undecided("more than " + std::to_string(options.most_points) + " points needed");
    result.probability =
        next_power_of_ten(std::max(std::pow(epsilon + delta, result.points) + std::pow(delta, least), 1e-300));
  }
  result.finding = Certificate::Finding::proved;
  return result;
}

/// The computation of certify() at its first regular point, as a list of operations that can be checked without it.
struct RecordedStatement {
  StraightLineProgram program = {};        ///< its outputs are the functions that have to vanish
  std::vector<std::uint64_t> values = {};  ///< values of its variables, modulo `prime`
  std::uint64_t prime = 0;
  std::vector<std::uint64_t> outputs = {};  ///< values of its outputs
  std::uint64_t seed = 0;
  std::vector<std::string> assumed = {};  ///< `assumed` of the Certificate
};
/// Records the computation of a statement. Throws what the statement throws: NotRational, StepFailed, SingularPoint.
template <class Statement>
RecordedStatement record_statement(Statement&& statement, const CertificateOptions& options = {}) {
  RecordedStatement result;
  result.seed = options.seed;
  std::mt19937_64 generator(options.seed);
  forget_assumed_orders();
  const ResidueRecording recording(result.program, generator);
  Draw<Residue> draw(generator);
  for (const Residue& value : statement(draw)) {
    value.record_output();
    result.outputs.push_back(value.value());
  }
  result.values = draw.residues();
  result.prime = Residue::prime();
  result.assumed = assumed_orders();
  return result;
}

/// The values of a statement at small random points in an exact or multiprecision K: how many did not vanish at the
/// first regular point, the largest of them, and the first as text. evaluate() throws StepFailed if none of 1000 points
/// is regular.
template <class K>
struct Evaluation {
  int nonzero = 0;
  RealOf<K> largest{0};
  std::string witness = {};
};
template <class K, class Statement>
Evaluation<K> evaluate(Statement&& statement, std::mt19937_64& generator) {
  constexpr int attempts = 1000;  // singular points are rare; a step that always fails would be drawn for ever
  for (int attempt = 1;; ++attempt) {
    Draw<K> draw(generator);
    std::vector<K> values;
    try {
      values = statement(draw);
    } catch (const StepFailed&) {
      if (attempt == attempts) throw;
      continue;
    }
    Evaluation<K> result;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (magnitude(values[i]) == RealOf<K>(0)) continue;
      if (result.nonzero++ == 0) {
        std::ostringstream text;
        text << "no. " << i << " is " << values[i] << " at " << draw.point();
        result.witness = text.str();
      }
      result.largest = larger(result.largest, magnitude(values[i]));
    }
    return result;
  }
}
template <class K, class Statement>
Evaluation<K> evaluate(Statement&& statement, std::uint64_t seed = judge_seed()) {
  std::mt19937_64 generator(seed);
  return evaluate<K>(statement, generator);
}

/// Returns the values at the first of at most 1000 points where a function does not vanish; at the last of them if all
/// vanish everywhere. One point is not enough to see that a function is not zero: a small rational is 0 with
/// probability 1/19.
template <class K, class Statement>
Evaluation<K> find_witness(Statement&& statement, std::uint64_t seed = judge_seed()) {
  std::mt19937_64 generator(seed);
  Evaluation<K> found = evaluate<K>(statement, generator);
  for (int point = 1; point < 1000 && found.nonzero == 0; ++point) found = evaluate<K>(statement, generator);
  return found;
}

// ---- Statements -----------------------------------------------------------------------------------------------------
//
// A map takes q and p, vectors of Dual<K> (of K where no derivative is needed), and overwrites them.

/// Returns the entries of J^T Omega J of `after` minus those of `before`, where columns are tangent vectors (dq, dp).
template <class K>
std::vector<K> form_differences(const Matrix<K, Dynamic>& before, const Matrix<K, Dynamic>& after) {
  const Eigen::Index n = before.rows() / 2;
  const auto form = [n](const Matrix<K, Dynamic>& m, Eigen::Index a, Eigen::Index b) {
    K sum(0);
    for (Eigen::Index i = 0; i < n; ++i) sum += m(i, a) * m(n + i, b) - m(n + i, a) * m(i, b);
    return sum;
  };
  std::vector<K> differences;
  for (Eigen::Index a = 0; a < before.cols(); ++a)
    for (Eigen::Index b = a + 1; b < before.cols(); ++b) differences.push_back(form(after, a, b) - form(before, a, b));
  return differences;
}

/// Returns the derivative of map(z) -> (q, p) for any parameters z: a matrix with one column for each parameter.
template <class K, class Map>
Matrix<K, Dynamic> jacobian_of(const Vector<K, Dynamic>& z, Map&& map) {
  Matrix<K, Dynamic> columns;
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    Vector<Dual<K>, Dynamic> dual(z.size());
    for (Eigen::Index i = 0; i < z.size(); ++i) dual(i) = Dual<K>(z(i), K(i == j ? 1 : 0));
    const PhasePoint<Dual<K>> image = map(dual);
    const Eigen::Index n = image.q.size();
    if (j == 0) columns = Matrix<K, Dynamic>::Constant(2 * n, z.size(), K(0));
    for (Eigen::Index i = 0; i < n; ++i) {
      columns(i, j) = image.q(i).derivative;
      columns(n + i, j) = image.p(i).derivative;
    }
  }
  return columns;
}

/// Returns the symplecticity defects between two maps of one set of parameters, the start and the end of a step. An
/// explicit map has the identity for its start; an implicit one becomes explicit with other parameters.
template <class K, class Start, class End>
std::vector<K> symplecticity(const Vector<K, Dynamic>& parameters, Start&& start, End&& end) {
  return form_differences<K>(jacobian_of<K>(parameters, start), jacobian_of<K>(parameters, end));
}

/// Returns the symplecticity defects of a map of (q, p).
template <class K, class Map>
std::vector<K> symplecticity(const PhasePoint<K>& at, Map&& map) {
  const Eigen::Index n = at.q.size();
  Vector<K, Dynamic> z(2 * n);
  z << at.q, at.p;
  Matrix<K, Dynamic> before = Matrix<K, Dynamic>::Constant(2 * n, 2 * n, K(0));
  for (Eigen::Index i = 0; i < 2 * n; ++i) before(i, i) = K(1);
  const auto split = [&](const Vector<Dual<K>, Dynamic>& dual) {
    PhasePoint<Dual<K>> point{dual.head(n), dual.tail(n)};
    map(point.q, point.p);
    return point;
  };
  return form_differences<K>(before, jacobian_of<K>(z, split));
}

/// Returns all differences of two phase points.
template <class K>
std::vector<K> differences(const PhasePoint<K>& a, const PhasePoint<K>& b) {
  std::vector<K> result;
  for (Eigen::Index i = 0; i < a.q.size(); ++i) result.push_back(a.q(i) - b.q(i));
  for (Eigen::Index i = 0; i < a.p.size(); ++i) result.push_back(a.p(i) - b.p(i));
  return result;
}

/// Returns the exact flow of M q'' = -grad V from (q, v) as series in time: position and velocity. acceleration(q, a)
/// acts on vectors of PowerSeries<K, N>.
template <class K, int N, class Acceleration>
std::pair<Vector<PowerSeries<K, N>, Dynamic>, Vector<PowerSeries<K, N>, Dynamic>> flow_in_series(
    const Vector<K, Dynamic>& q, const Vector<K, Dynamic>& v, Acceleration&& acceleration) {
  using T = PowerSeries<K, N>;
  const Eigen::Index n = q.size();
  const Vector<T, Dynamic> start_q = q.unaryExpr([](const K&x) { return T(x); }),
                           start_v = v.unaryExpr([](const K&x) { return T(x); });
  Vector<T, Dynamic> exact_q = start_q, exact_v = start_v, a = start_q;
  for (int right = 0; right <= N; right += 2) {  // Picard iteration: each pass makes two more orders of v right
    acceleration(exact_q, a);
    for (Eigen::Index i = 0; i < n; ++i) {
      exact_v(i) = start_v(i) + a(i).integral();
      exact_q(i) = start_q(i) + exact_v(i).integral();
    }
  }
  return {exact_q, exact_v};
}

/// Returns the coefficients of h^0 to h^N of a step, of size h = the series variable, minus those of the exact flow of
/// M q'' = -grad V: coefficients[k] holds 2n numbers, of q, then of v. acceleration(q, a) and step(q, v, h) act on
/// vectors of PowerSeries<K, N>.
template <class K, int N, class Acceleration, class Step>
std::vector<std::vector<K>> order_coefficients(const Vector<K, Dynamic>& q, const Vector<K, Dynamic>& v,
                                               Acceleration&& acceleration, Step&& step) {
  using T = PowerSeries<K, N>;
  const Eigen::Index n = q.size();
  const auto [exact_q, exact_v] = flow_in_series<K, N>(q, v, acceleration);
  Vector<T, Dynamic> end_q = q.unaryExpr([](const K&x) { return T(x); }),
                     end_v = v.unaryExpr([](const K&x) { return T(x); });
  step(end_q, end_v, T::variable());
  std::vector<std::vector<K>> coefficients(N + 1);
  for (int k = 0; k <= N; ++k) {
    for (Eigen::Index i = 0; i < n; ++i)
      coefficients[static_cast<std::size_t>(k)].push_back(end_q(i)[k] - exact_q(i)[k]);
    for (Eigen::Index i = 0; i < n; ++i)
      coefficients[static_cast<std::size_t>(k)].push_back(end_v(i)[k] - exact_v(i)[k]);
  }
  return coefficients;
}

}  // namespace livi
