// SPDX-License-Identifier: MIT
//
// The integrals of products of two noises along a Brownian path (brownian_path.hpp), over each step from t to t + h:
//
//   J_ij = int_t^{t+h} (W_i(s) - W_i(t)) (W_j(s) - W_j(t)) ds,      i < j
//
// By polarisation J_ij = (J(W_i + W_j) - J(W_i) - J(W_j))/2 from integrals of squares, for the sum of two paths is a
// path. So the formulas of the squares give these. Over two neighbouring steps a, b of length h, exactly,
//
//   J_ij = J_ij^a + h a_i a_j + a_i I_j^b + a_j I_i^b + J_ij^b                                                     (1)
//
// with the increments a_i and integrals I_i^b, and on the finest level the mean under increments w and zeta
//
//   J_ij = h w_i w_j/3 + (w_i zeta_j + w_j zeta_i)/2 + 6 zeta_i zeta_j/(5 h).                                       (2)
//
// Nothing is added to (2) as to the mean of a square: deviations of two noises from their means are independent.
#pragma once

#include <livi/stochastic/brownian_path.hpp>

namespace livi {

/// Returns the integral of the product of two noises over two neighbouring steps of length h, (1): a and b are the
/// integrals of the two noises over the first and over the second step, and `of_a`, `of_b` those of their product.
inline double joined_product(const std::array<BrownianIntegrals, 2>& a, double of_a,
                             const std::array<BrownianIntegrals, 2>& b, double of_b, double h) {
  return of_a + h * a[0].increment * a[1].increment + a[0].increment * b[1].integral + a[1].increment * b[0].integral +
         of_b;
}

/// Returns the mean of the integral of the product of two noises under their increments and I10 over a step of length
/// h, (2).
inline double mean_of_product(const BrownianIntegrals& a, const BrownianIntegrals& b, double h) {
  return h * a.increment * b.increment / 3 + (a.increment * b.zeta(h) + b.increment * a.zeta(h)) / 2 +
         6 * a.zeta(h) * b.zeta(h) / (5 * h);
}

/// A Brownian path with the integrals of all products of two different noises. Memory and time beside those of the
/// path: a number for each pair and each step of each level.
class BrownianPathWithProducts : public BrownianPath {
 public:
  /// Draws a path as BrownianPath does. Throws InvalidParameter where the products take more than 1 GiB.
  BrownianPathWithProducts(std::uint64_t seed, std::uint64_t path, int noises, double end_time, int finest_level)
      : BrownianPath(seed, path, noises, end_time, finest_level),
        pairs_(static_cast<std::size_t>(noises) * static_cast<std::size_t>(noises - 1) / 2),
        products_(static_cast<std::size_t>(finest_level) + 1) {
    if (pairs_ > (std::uint64_t{1} << 30) / (2 * sizeof(double)) >> finest_level)
      throw InvalidParameter(
          "finest level of a Brownian path", finest_level,
          "is too large: the products of " + std::to_string(noises) + " noises must take at most 1 GiB");
    for (int level = finest_level; level >= 0; --level) {
      products_[static_cast<std::size_t>(level)].resize(pairs_ << level);
      const double h = step(level);
      std::size_t pair = 0;
      for (int i = 0; i < noises; ++i)
        for (int j = i + 1; j < noises; ++j, ++pair)
          for (std::uint64_t k = 0; k < 1ULL << level; ++k)
            at(level, k, pair) =
                level == finest_level
                    ? mean_of_product(over(i, level, k), over(j, level, k), h)
                    : joined_product(both(i, j, level + 1, 2 * k), at(level + 1, 2 * k, pair),
                                     both(i, j, level + 1, 2 * k + 1), at(level + 1, 2 * k + 1, pair), h / 2);
    }
  }

  /// Returns the products over step number `index` of a level, in the order of StepNoise. Throws InvalidParameter for a
  /// level or index that is not there.
  [[nodiscard]] std::span<const double> products_over(int level, std::uint64_t index) const {
    static_cast<void>(over(0, level, index));
    return {products_[static_cast<std::size_t>(level)].data() + pairs_ * index, pairs_};
  }

 private:
  [[nodiscard]] std::array<BrownianIntegrals, 2> both(int i, int j, int level, std::uint64_t k) const {
    return {over(i, level, k), over(j, level, k)};
  }
  double& at(int level, std::uint64_t k, std::size_t pair) {
    return products_[static_cast<std::size_t>(level)][pairs_ * k + pair];
  }

  std::size_t pairs_;
  std::vector<std::vector<double>> products_;
};

}  // namespace livi
