// SPDX-License-Identifier: MIT
//
// Random systems (M + c H) x = b near poles, and the judge of their solutions: see solver_stress_test.cpp.
#pragma once

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <livi/linalg/shifted_solver.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace solver_stress_test {

using livi::DiagonalMass;
using livi::Dynamic;
using livi::FactorOutcome;
using livi::Matrix;
using livi::ShiftedSolver;
using V = livi::Vector<double, Dynamic>;
using Wide = long double;
using Digits100 =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// The letter k of the head of this file.
inline constexpr double allowed_roundings = 1000;
inline constexpr int problems = 100000;
/// One solution of so many is compared with one of 100 digits.
inline const long compare_every = [] {
  const char* const text = std::getenv("LIVI_STRESS_COMPARE_EVERY");
  const long every = text ? std::strtol(text, nullptr, 10) : 100;
  if (every < 1)
    throw std::invalid_argument(std::string("LIVI_STRESS_COMPARE_EVERY is '") + text + "', not a number above 0");
  return every;
}();

/// Full matrices as rows of numbers.
template <class R>
using Rows = std::vector<std::vector<R>>;

struct Random {
  std::mt19937_64 generator{20141};
  int below(int n) { return static_cast<int>(generator() % static_cast<unsigned>(n)); }
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(generator); }
  /// Returns a number of any size between 1e-18 and 1, of either sign; sometimes 0.
  double tiny() { return below(12) == 0 ? 0 : (below(2) ? 1 : -1) * std::pow(10, between(-18, 0)); }
  double sign() { return below(2) ? 1 : -1; }
};

/// A symmetric matrix of `rows` rows in blocks of `block`, near a pole in one of several ways; neighbouring blocks are
/// coupled if `coupled`.
inline Rows<double> near_a_pole(Random& random, int rows, int block, bool coupled) {
  const auto n = static_cast<std::size_t>(rows), b = static_cast<std::size_t>(block);
  const double dominant = 2 * block + 2;
  Rows<double> a(n, std::vector<double>(n));
  const auto direction = [](std::size_t i) { return std::cos(1.0 + static_cast<double>(i)); };
  const int kind = random.below(6);
  const auto set = [&](std::size_t i, std::size_t j, double x) { a[i][j] = a[j][i] = x; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (i / b == j / b || (coupled && i / b == j / b + 1)) set(i, j, random.between(-1, 1));
  for (std::size_t first = 0; first < n; first += b) {
    const bool here = random.below(2) == 0;
    for (std::size_t i = first; i < std::min(n, first + b); ++i) {
      if (kind == 0) a[i][i] += dominant;                                    // definite
      if (kind == 1 && here) set(i, i, random.tiny());                       // small pivots
      if (kind == 2 || kind == 3) a[i][i] += (here ? -dominant : dominant);  // indefinite
      if (kind == 4)                                                         // blocks of rank one, nearly
        for (std::size_t j = first; j <= i; ++j) {
          set(i, j, direction(i) * direction(j) + random.tiny());
          if (coupled && i >= b && random.below(3) == 0) set(i, i - b, random.tiny());
        }
    }
  }
  if (kind == 5) {  // scaled Laplacian of a chain: semidefinite, and a little more or less
    for (auto& row : a) std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t i = 1; i < n; ++i)
      if (coupled || i / b == (i - 1) / b) {
        const double link = std::pow(10, random.between(-3, 3));
        a[i][i] += link;
        a[i - 1][i - 1] += link;
        set(i, i - 1, -link);
      }
    for (std::size_t i = 0; i < n; ++i) a[i][i] += random.below(3) ? 0 : random.tiny();
  }
  if (kind == 3) a[0][0] = random.tiny();
  return a;
}

/// Pivots of two rows or of one, by the largest entries (Bunch and Parlett): the number of negative eigenvalues.
inline int negative_eigenvalues(Rows<Wide> a) {
  int negative = 0;
  for (std::size_t n = a.size(); n > 0;) {
    std::size_t p = 0, q = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (std::abs(a[i][j]) > std::abs(a[p][q])) p = i, q = j;
    if (a[p][q] == 0) break;
    std::size_t diagonal = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (std::abs(a[i][i]) > std::abs(a[diagonal][diagonal])) diagonal = i;
    if (std::abs(a[diagonal][diagonal]) > 0.64L * std::abs(a[p][q])) p = q = diagonal;
    const auto move = [&](std::size_t from, std::size_t to) {
      std::swap(a[from], a[to]);
      for (auto& row : a) std::swap(row[from], row[to]);
    };
    const std::size_t size = p == q ? 1 : 2;
    move(p, n - 1);
    if (size == 2) move(q, n - 2);
    n -= size;
    if (size == 1) {
      negative += a[n][n] < 0;
      for (std::size_t i = 0; i < n; ++i) {
        const Wide l = a[i][n] / a[n][n];
        for (std::size_t j = 0; j <= i; ++j) a[j][i] = a[i][j] -= l * a[n][j];
      }
    } else {
      const Wide x = a[n][n], y = a[n][n + 1], z = a[n + 1][n + 1], d = x * z - y * y;
      negative += d < 0 ? 1 : x < 0 ? 2 : 0;
      for (std::size_t i = 0; i < n; ++i) {
        const Wide u = (a[i][n] * z - a[i][n + 1] * y) / d, v = (a[i][n + 1] * x - a[i][n] * y) / d;
        for (std::size_t j = 0; j <= i; ++j) a[j][i] = a[i][j] -= u * a[n][j] + v * a[n + 1][j];
      }
    }
  }
  return negative;
}

struct System {
  Rows<Wide> a;    ///< m + c h
  Wide terms = 0;  ///< T
  V right;
  Wide right_size = 0;  ///< size of the numbers the right-hand side is computed from, where it is not given
  bool symmetric = true;
};

struct Seen {
  long solved = 0, singular = 0, indefinite = 0, wrong = 0, wrong_count = 0, called_singular = 0, sampled = 0,
       sample_wrong = 0;
  Wide worst = 0;
  std::string first;
};

inline Wide largest(const V& x) {
  Wide size = 0;
  for (double entry : x) size = std::max(size, std::abs(Wide(entry)));
  return size;
}
inline Rows<Wide> shifted(Rows<Wide> a, Wide by) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i][i] += by;
  return a;
}

/// |x - A^-1 b| and |A^-1| in 100 digits, by complete pivoting.
inline std::pair<Wide, Wide> error_in_100_digits(const System& system, const V& x) {
  const std::size_t n = system.a.size();
  Rows<Digits100> a(n, std::vector<Digits100>(2 * n + 1));
  std::vector<std::size_t> column(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = system.a[i][j];
    a[i][n] = system.right(static_cast<Eigen::Index>(i));
    a[i][n + 1 + i] = 1;
  }
  for (std::size_t s = 0; s < n; ++s) {
    std::size_t p = s, q = s;
    for (std::size_t i = s; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (abs(a[i][j]) > abs(a[p][q])) p = i, q = j;
    std::swap(a[s], a[p]);
    column[s] = q;
    const Digits100 pivot = a[s][q];
    for (auto& entry : a[s]) entry /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const Digits100 factor = a[i][q];
      if (i != s && factor != 0)
        for (std::size_t j = 0; j < 2 * n + 1; ++j) a[i][j] -= factor * a[s][j];
    }
  }
  Digits100 error = 0, inverse = 0;
  for (std::size_t s = 0; s < n; ++s) {
    const Digits100 difference = abs(a[s][n] - Digits100(x(static_cast<Eigen::Index>(column[s]))));
    Digits100 sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += abs(a[s][n + 1 + j]);
    if (difference > error) error = difference;
    if (sum > inverse) inverse = sum;
  }
  return {static_cast<Wide>(error), static_cast<Wide>(inverse)};
}

inline void judge(Seen& seen, const System& system, const FactorOutcome& outcome, const V& x) {
  const std::size_t n = system.a.size();
  const auto describe = [&](const std::string& what) {
    if (!seen.first.empty()) return;
    std::ostringstream text;
    text.precision(17);
    text << what << " negative " << outcome.negative << " pivot " << outcome.pivot << " x " << x.transpose() << " b "
         << system.right.transpose() << " A ";
    for (const auto& row : system.a)
      for (const Wide entry : row) text << entry << " ";
    seen.first = text.str();
  };
  if (outcome.singular) {
    ++seen.singular;
    // 1e4: a pivot at n epsilon leaves the smallest eigenvalue there, up to what elimination hides, 2^n at the most.
    if (system.symmetric && negative_eigenvalues(shifted(system.a, 1e4 * epsilon * system.terms)) ==
                                negative_eigenvalues(shifted(system.a, -1e4 * epsilon * system.terms))) {
      ++seen.called_singular;
      describe("not singular");
    }
    return;
  }
  ++seen.solved;
  Wide residual = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Wide rest = system.right(static_cast<Eigen::Index>(i));
    for (std::size_t j = 0; j < n; ++j) rest -= system.a[i][j] * Wide(x(static_cast<Eigen::Index>(j)));
    residual = std::isnan(rest) ? rest : std::max(residual, std::abs(rest));
  }
  const Wide unit = system.terms * largest(x) + std::max(system.right_size, largest(system.right));
  seen.worst = std::max(seen.worst, residual / (epsilon * unit));
  if (!(residual <= allowed_roundings * epsilon * unit)) {
    ++seen.wrong;
    describe("residual " + std::to_string(static_cast<double>(residual / unit)));
  }
  if (system.symmetric) {
    seen.indefinite += outcome.indefinite;
    // That of a matrix within rounding.
    const int least = negative_eigenvalues(shifted(system.a, allowed_roundings * epsilon * system.terms)),
              most = negative_eigenvalues(shifted(system.a, -allowed_roundings * epsilon * system.terms));
    if (outcome.negative < least || outcome.negative > most || outcome.indefinite != (outcome.negative > 0)) {
      ++seen.wrong_count;
      describe("count, not " + std::to_string(least) + " to " + std::to_string(most));
    }
  }
  if (seen.solved % compare_every == 0) {
    ++seen.sampled;
    const auto [error, inverse] = error_in_100_digits(system, x);
    if (!(error <= inverse * allowed_roundings * epsilon * unit)) {
      ++seen.sample_wrong;
      describe("error " + std::to_string(static_cast<double>(error)));
    }
  }
}

inline void expect_none_wrong(const std::string& name, const Seen& seen, bool may_be_indefinite = true,
                              bool may_be_singular = true) {
  EXPECT_EQ(seen.wrong, 0) << name << ": " << seen.first;
  EXPECT_EQ(seen.wrong_count, 0) << name << ": " << seen.first;
  EXPECT_EQ(seen.called_singular, 0) << name << ": " << seen.first;
  EXPECT_EQ(seen.sample_wrong, 0) << name << ": " << seen.first;
  // There was something to see.
  EXPECT_GT(seen.solved, problems / 2) << name;
  if (may_be_singular) {
    EXPECT_GT(seen.singular, problems / 1000) << name;
  }
  EXPECT_GT(seen.sampled, seen.solved / (2 * compare_every)) << name;
  if (may_be_indefinite) {
    EXPECT_GT(seen.indefinite, problems / 10) << name;
  }
  std::printf("%-40s solved %ld, singular %ld, indefinite %ld, worst residual %.3Lg epsilon\n", name.c_str(),
              seen.solved, seen.singular, seen.indefinite, seen.worst);
}

/// Right-hand sides without pattern, or of a solution of modest size, which hides what an inverse does to large ones.
inline void set_right(Random& random, System& system) {
  const auto n = static_cast<Eigen::Index>(system.a.size());
  system.right.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) system.right(i) = random.between(-1, 1);
  if (random.below(2)) return;
  const V x = system.right;
  for (Eigen::Index i = 0; i < n; ++i) {
    Wide sum = 0;
    for (Eigen::Index j = 0; j < n; ++j)
      sum += system.a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] * Wide(x(j));
    system.right(i) = static_cast<double>(sum);
  }
}

/// M and H with M + c H near `wanted`: h = (wanted - m) / c, rounded.
template <class Set>
System make_system(Random& random, const Rows<double>& wanted, const V& masses, double c, const Set& set) {
  System system;
  const std::size_t n = wanted.size();
  system.a.assign(n, std::vector<Wide>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    Wide sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double m = i == j ? masses(static_cast<Eigen::Index>(i)) : 0, h = (wanted[i][j] - m) / c;
      if (j <= i) set(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j), h);
      system.a[i][j] = Wide(m) + Wide(c) * Wide(h);
      sum += Wide(m) + std::abs(Wide(c) * Wide(h));
    }
    system.terms = std::max(system.terms, sum);
  }
  set_right(random, system);
  return system;
}
inline V random_masses(Random& random, int n) {
  V masses(n);
  for (double& m : masses) m = random.between(0.5, 2);
  return masses;
}

template <class Hessian, class Set>
void stress(const std::string& name, int block, int most_blocks, bool coupled, const Set& set) {
  Random random;
  Seen seen;
  ShiftedSolver<Hessian> solver;
  constexpr bool fixed = Hessian::dimension != Dynamic;
  for (int problem = 0; problem < problems; ++problem) {
    const int n = fixed ? Hessian::dimension : block * (1 + random.below(most_blocks));
    const V masses = random_masses(random, n);
    const double c = random.between(0.1, 1);
    Hessian hessian(n);
    hessian.set_zero();
    const auto wanted = near_a_pole(random, n, block, coupled);
    const System system = make_system(random, wanted, masses, c,
                                      [&](Eigen::Index i, Eigen::Index j, double h) { set(hessian, i, j, h); });
    using Vector = typename Hessian::vector_type;
    Vector x = system.right;
    const FactorOutcome outcome = solver.factor(DiagonalMass<double, Hessian::dimension>(Vector(masses)), c, hessian);
    if (!outcome.singular) solver.solve_in_place(x);
    judge(seen, system, outcome, x);
  }
  expect_none_wrong(name, seen);
}

}  // namespace solver_stress_test
