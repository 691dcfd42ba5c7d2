// SPDX-License-Identifier: MIT
//
// The manifold of a constrained problem as the judge knows it, for its own sources.
#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include <livi/judge/controls/constrained_methods.hpp>
#include <livi/judge/problems/judged_problem.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi::foreign_detail {

/// Return the largest absolute value; no number if one of them is none.
template <class S>
double extent_of(const S& x) {
  if constexpr (std::is_same_v<S, double>) {
    return std::abs(x);
  } else {
    return std::abs(x.template convert_to<double>());
  }
}
template <class S>
double extent_of(const std::vector<S>& x) {
  double largest = 0;
  for (const S& entry : x) largest = worse(largest, extent_of(entry));
  return largest;
}

/// The manifold of a problem, uncounted.
template <class S>
class Manifold {
 public:
  explicit Manifold(const JudgedProblem& problem) : problem_(&problem) {
    for (const DyadicPolynomial& g : problem.constraints) {
      auto& of_g = slopes_.emplace_back();
      for (int i = 0; i < problem.size(); ++i) of_g.push_back(g.derivative(i));
    }
  }
  [[nodiscard]] std::size_t size() const { return problem_->masses.size(); }
  [[nodiscard]] std::size_t count() const { return problem_->constraints.size(); }
  [[nodiscard]] S mass(std::size_t i) const { return S(problem_->masses[i]); }
  [[nodiscard]] std::vector<S> force(const std::vector<S>& q) const {
    return problem_->potential.gradient(q, problem_->size());
  }
  [[nodiscard]] std::vector<S> values(const std::vector<S>& q) const {
    std::vector<S> result;
    for (const DyadicPolynomial& g : problem_->constraints) result.push_back(g.value(q));
    return result;
  }
  [[nodiscard]] std::vector<std::vector<S>> normals(const std::vector<S>& q) const {
    std::vector<std::vector<S>> rows;
    for (const DyadicPolynomial& g : problem_->constraints) rows.push_back(g.gradient(q, problem_->size()));
    return rows;
  }
  /// Returns v^T D^2 g_a v.
  [[nodiscard]] std::vector<S> curvature(const std::vector<S>& q, const std::vector<S>& v) const {
    std::vector<S> result;
    for (const auto& slopes : slopes_) {
      S sum(0);
      for (std::size_t i = 0; i < size(); ++i) {
        if (slopes[i].terms.empty()) continue;
        const std::vector<S> row = slopes[i].gradient(q, problem_->size());
        for (std::size_t j = 0; j < size(); ++j) sum += v[i] * row[j] * v[j];
      }
      result.push_back(sum);
    }
    return result;
  }
  /// Returns A^-1 b, A = Dg M^-1 Dg^T.
  [[nodiscard]] std::vector<S> multipliers(const std::vector<std::vector<S>>& rows, std::vector<S> b) const {
    std::vector<S> matrix(count() * count(), S(0));
    for (std::size_t i = 0; i < count(); ++i)
      for (std::size_t j = 0; j < count(); ++j)
        for (std::size_t k = 0; k < size(); ++k) matrix[i * count() + j] += rows[i][k] * rows[j][k] / mass(k);
    solve_in_place(matrix, b);
    return b;
  }
  [[nodiscard]] std::vector<S> velocities_across(const std::vector<std::vector<S>>& rows,
                                                 const std::vector<S>& p) const {
    std::vector<S> result;
    for (const auto& row : rows) {
      S sum(0);
      for (std::size_t k = 0; k < size(); ++k) sum += row[k] * p[k] / mass(k);
      result.push_back(sum);
    }
    return result;
  }
  /// Returns p without what it has along Dg^T, so that Dg M^-1 p = 0.
  [[nodiscard]] std::vector<S> tangent(const std::vector<S>& q, std::vector<S> p) const {
    const auto rows = normals(q);
    const std::vector<S> mu = multipliers(rows, velocities_across(rows, p));
    for (std::size_t a = 0; a < count(); ++a)
      for (std::size_t k = 0; k < size(); ++k) p[k] -= rows[a][k] * mu[a];
    return p;
  }
  /// Returns a point of the manifold near q, by Newton's iteration along M^-1 Dg(q)^T.
  [[nodiscard]] std::vector<S> nearby(const std::vector<S>& q) const {
    const auto along = normals(q);
    std::vector<S> to = q;
    for (int iteration = 0; iteration < 12; ++iteration) {
      const auto rows = normals(to);
      std::vector<S> matrix(count() * count(), S(0)), nu = values(to);
      for (std::size_t i = 0; i < count(); ++i)
        for (std::size_t j = 0; j < count(); ++j)
          for (std::size_t k = 0; k < size(); ++k) matrix[i * count() + j] += rows[i][k] * along[j][k] / mass(k);
      solve_in_place(matrix, nu);
      for (std::size_t a = 0; a < count(); ++a)
        for (std::size_t k = 0; k < size(); ++k) to[k] -= along[a][k] * nu[a] / mass(k);
    }
    return to;
  }
  /// Returns the derivatives of (q, p) along the motion, 2n numbers.
  [[nodiscard]] std::vector<S> motion(const std::vector<S>& z) const {
    const auto half = z.begin() + static_cast<std::ptrdiff_t>(size());
    const std::vector<S> q(z.begin(), half), p(half, z.end());
    const auto rows = normals(q);
    std::vector<S> v(p), g = force(q);
    for (std::size_t k = 0; k < size(); ++k) v[k] = p[k] / mass(k);
    std::vector<S> b = curvature(q, v);
    const std::vector<S> pushed = velocities_across(rows, g);
    for (std::size_t a = 0; a < count(); ++a) b[a] -= pushed[a];
    const std::vector<S> lambda = multipliers(rows, b);
    std::vector<S> result = v;
    for (std::size_t k = 0; k < size(); ++k) {
      S change = -g[k];
      for (std::size_t a = 0; a < count(); ++a) change -= rows[a][k] * lambda[a];
      result.push_back(change);
    }
    return result;
  }

 private:
  const JudgedProblem* problem_;
  std::vector<std::vector<DyadicPolynomial>> slopes_;  ///< dg_a / dq_i
};

inline std::vector<double> in_double(const std::vector<Float50>& x) {
  std::vector<double> result;
  for (const Float50& entry : x) result.push_back(entry.convert_to<double>());
  return result;
}
inline std::vector<Float50> in_50_digits(const std::vector<double>& x) { return {x.begin(), x.end()}; }

}  // namespace livi::foreign_detail
