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
//             the statement. Zeros at k points prove it unless an accident of probability at most epsilon^k happened,
//             where for a nonzero numerator P of degree d and height H (log2 of the sum of |coefficients|)
//
//               epsilon <= (d / 2^60 + (H / 60) / 2^53) / (1 - the same sum for the product of all divisors).
//
//             First term: P, not zero modulo the prime p > 2^60, has at most d p^(m-1) zeros among p^m points
//             (Schwartz, Zippel). Second: a coefficient of P that is not zero is below 2^H, so at most H/60 primes
//             above 2^60 divide it, of more than 2^53 between 2^60 and 2^61 (pi(2x) - pi(x) > 3x/(5 log x), Rosser and
//             Schoenfeld 1962). Denominator: singular points are drawn again. d and H are computed by the examined
//             program itself, at every point; the largest count. They are wrong only if at every point the program was
//             deceived about two divisors or a branch, which has a probability of the same form, delta^k, with the sum
//             over all comparisons. k is chosen such that epsilon^k + delta^k <= 1e-30; the generator has a fixed seed,
//             so that the run can be repeated.
//   witness   at small rational points, exactly: the point and the value in a form that can be checked by hand.
//
// Branches: what is examined is the branch taken at generic points, where no pivot vanishes.
#pragma once

#include <functional>
#include <random>
#include <sstream>

#include <livi/diagnostics/any_stepper.hpp>
#include <livi/scalar/power_series.hpp>
#include <livi/scalar/residue.hpp>

namespace livi {

/// What certify() found.
struct Certificate {
  enum class Finding { proved, disproved, undecided };
  Finding finding = Finding::undecided;
  std::string note = {};   ///< disproved: the value and the point; undecided: why
  double degree = 0;       ///< bound of the degree of the numerators
  double height = 0;       ///< bound of log2 of the sum of their absolute coefficients
  int functions = 0;       ///< how many functions have to vanish
  int nonzero = 0;         ///< how many did not at the last point
  int points = 0;          ///< points at which they were evaluated
  double probability = 1;  ///< that a statement that does not hold passes; 0 if disproved

  [[nodiscard]] bool proved() const { return finding == Finding::proved; }
  [[nodiscard]] bool disproved() const { return finding == Finding::disproved; }
  [[nodiscard]] std::string describe() const {
    std::ostringstream text;
    text.precision(3);
    switch (finding) {
      case Finding::proved:
        text << functions << " rational functions of degree <= " << degree << ", height <= " << height
             << " bits vanish at " << points << " points modulo 61-bit primes, p < " << probability;
        break;
      case Finding::disproved:
        text << nonzero << " of " << functions << " rational functions do not vanish: " << note;
        break;
      case Finding::undecided:
        text << "undecided: " << note;
    }
    return text.str();
  }
};

/// The step of a method failed (a singular matrix, no convergence): nothing follows.
class StepFailed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Supplies the variables of a statement: random residues, or rationals of size below one with small denominators.
template <class K>
class Draw {
 public:
  explicit Draw(std::mt19937_64& generator) : generator_(&generator) {}

  K variable(const std::string& name) {
    if constexpr (std::same_as<K, Residue>) {
      const Residue x = Residue::variable(*generator_);
      point_ << name << " = " << x.value() << ", ";
      return x;
    } else {
      return record(name, below(19) - 9, 10 + below(9));
    }
  }
  /// Positive where signs matter: step sizes, masses.
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
  /// A symmetric matrix, any at all; positive definite where signs matter.
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
  /// The point so far, in words.
  [[nodiscard]] std::string point() const { return point_.str(); }

 private:
  int below(int n) { return static_cast<int>((*generator_)() % static_cast<unsigned>(n)); }
  K record(const std::string& name, int numerator, int denominator) {
    const K x = ratio<K>(numerator, denominator);
    point_ << name << " = " << numerator << "/" << denominator << ", ";
    return x;
  }
  std::mt19937_64* generator_;
  std::ostringstream point_;
};

struct CertificateOptions {
  std::uint64_t seed = 20140825;
  double probability = 1e-30;  ///< the bound to be reached
  int most_points = 64;
};

/// Decides whether all of statement(Draw<Residue>&) -> std::vector<Residue> vanish identically.
template <class Statement>
Certificate certify(Statement&& statement, const CertificateOptions& options = {}) {
  Certificate result;
  std::mt19937_64 generator(options.seed);
  int wanted = 1;
  double regular = 1, delta = 0;
  for (int singular = 0; result.points < wanted;) {
    Residue::choose_prime(generator);
    Draw<Residue> draw(generator);
    std::vector<Residue> values;
    try {
      values = statement(draw);
    } catch (const SingularPoint& error) {
      if (++singular == 20) return result.note = error.what() + std::string(" at every point"), result;
      continue;
    } catch (const StepFailed& error) {
      if (++singular == 20) return result.note = error.what(), result;
      continue;
    } catch (const NotRational& error) {
      return result.note = error.what(), result;
    }
    ++result.points;
    result.functions = static_cast<int>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].is_zero()) continue;
      if (result.nonzero++ == 0) {
        std::string point = draw.point();
        if (point.size() > 160) point = point.substr(0, 160) + "... ";
        result.note = "no. " + std::to_string(i) + " is " + std::to_string(values[i].value()) + " modulo " +
                      std::to_string(Residue::prime()) + " at " + point + "seed " + std::to_string(options.seed);
      }
    }
    if (result.nonzero > 0) {
      result.finding = Certificate::Finding::disproved;
      result.probability = 0;
      return result;
    }
    for (const Residue& value : values) {
      result.degree = std::max(result.degree, value.degree());
      result.height = std::max(result.height, value.height());
    }
    const auto accident = [](double degree, double height) {
      return degree * std::exp2(-60) + height / 60 * std::exp2(-53);
    };
    const auto divisors = Residue::all_divisors(), comparisons = Residue::comparisons();
    regular = std::min(regular, 1 - accident(divisors.degree, divisors.height));
    delta = std::max(delta, accident(comparisons.degree, comparisons.height));
    const double epsilon = accident(result.degree, result.height) / regular;
    if (!(regular > 0.5) || !(epsilon < 0.5) || !(delta < 0.5))
      return result.note = "the bounds of degree and height are too large for 61-bit primes", result;
    const double worst = std::max({epsilon, delta, 1e-100});
    wanted = std::max(2, static_cast<int>(std::ceil(std::log(options.probability / 2) / std::log(worst))));
    if (wanted > options.most_points)
      return result.note = "more than " + std::to_string(options.most_points) + " points needed", result;
    const double accidents = std::pow(epsilon, result.points) + std::pow(delta, result.points);
    result.probability = std::pow(10.0, std::ceil(std::log10(std::max(accidents, 1e-300))));  // the next power of ten
  }
  result.finding = Certificate::Finding::proved;
  return result;
}

/// The same functions at small random points in an exact or multiprecision K: how many did not vanish at the first
/// regular point, the largest of them, and the first as text. StepFailed if none of 1000 points is regular.
template <class K>
struct Evaluation {
  int nonzero = 0;
  RealOf<K> largest{0};
  std::string witness = {};
};
template <class K, class Statement>
Evaluation<K> evaluate(Statement&& statement, std::uint64_t seed = 20140825) {
  std::mt19937_64 generator(seed);
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

// ---------------------------------------------------------------------------------------------------------------------
// Statements. A map takes q and p, vectors of Dual<K> (of K where no derivative is needed), and overwrites them.

/// Entries of J^T Omega J of `after` minus those of `before`, where columns are tangent vectors (dq, dp).
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

/// The derivative of map(z) -> (q, p), z any parameters: a matrix with a column for each parameter.
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

/// Symplecticity between two maps from one set of parameters, the start and the end of a step: an explicit map has the
/// identity for its start; an implicit one becomes explicit with other parameters.
template <class K, class Start, class End>
std::vector<K> symplecticity(const Vector<K, Dynamic>& parameters, Start&& start, End&& end) {
  return form_differences<K>(jacobian_of<K>(parameters, start), jacobian_of<K>(parameters, end));
}

/// Symplecticity of a map of (q, p).
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

/// All differences of two phase points.
template <class K>
std::vector<K> differences(const PhasePoint<K>& a, const PhasePoint<K>& b) {
  std::vector<K> result;
  for (Eigen::Index i = 0; i < a.q.size(); ++i) result.push_back(a.q(i) - b.q(i));
  for (Eigen::Index i = 0; i < a.p.size(); ++i) result.push_back(a.p(i) - b.p(i));
  return result;
}

/// Coefficients of h^0 to h^N of a step of size h = the series variable minus those of the exact flow of M q'' = -grad
/// V, of q and v, in this order: coefficients[k] holds 2n numbers. acceleration(q, a) and step(q, v, h) act on vectors
/// of PowerSeries<K, N>.
template <class K, int N, class Acceleration, class Step>
std::vector<std::vector<K>> order_coefficients(const Vector<K, Dynamic>& q, const Vector<K, Dynamic>& v,
                                               Acceleration&& acceleration, Step&& step) {
  using T = PowerSeries<K, N>;
  const Eigen::Index n = q.size();
  Vector<T, Dynamic> start_q(n), start_v(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    start_q(i) = T(q(i));
    start_v(i) = T(v(i));
  }
  Vector<T, Dynamic> exact_q = start_q, exact_v = start_v, a = start_q;
  for (int pass = 0; pass <= N; ++pass) {  // Picard iteration: each pass is right to one more order
    acceleration(exact_q, a);
    for (Eigen::Index i = 0; i < n; ++i) {
      exact_v(i) = start_v(i) + a(i).integral();
      exact_q(i) = start_q(i) + exact_v(i).integral();
    }
  }
  step(start_q, start_v, T::variable());
  std::vector<std::vector<K>> coefficients(N + 1);
  for (int k = 0; k <= N; ++k) {
    for (Eigen::Index i = 0; i < n; ++i)
      coefficients[static_cast<std::size_t>(k)].push_back(start_q(i)[k] - exact_q(i)[k]);
    for (Eigen::Index i = 0; i < n; ++i)
      coefficients[static_cast<std::size_t>(k)].push_back(start_v(i)[k] - exact_v(i)[k]);
  }
  return coefficients;
}

}  // namespace livi
