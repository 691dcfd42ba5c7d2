// SPDX-License-Identifier: MIT
//
// The covariance of noises about their means in time over one step from t to t + h,
//
//   C_ij = 1/h int_t^{t+h} (W_i - m_i)(W_j - m_j) ds = J_ij/h - m_i m_j,     m_i = I10_i/h,
//
// with J_ij the integral of the product of W_i and W_j, both from W(t) on. It is what a step of RATTLE with I10 does
// not know of the noise (commutator_rattle.hpp). With w = dW and zeta = I10 - h w/2,
//
//   its mean under w and zeta   w_i w_j/12 + zeta_i zeta_j/(5 h^2) + delta_ij h/15
//   its mean                    delta_ij h/6.
//
// The first is that of brownian_path.hpp for J_ij. Of a single noise C has the variance h^2/45, as the sum of the
// squares of independent normal numbers with the variances h/(k pi)^2. The mean under w and zeta has the variance 13
// h^2/900 of it, 65 in a hundred; so what it leaves has 0.59 times the size of what the mean leaves.
#pragma once

#include <livi/stochastic/noise_integrals.hpp>

namespace livi {

/// What a step takes for the covariance of the noises within it: the covariance itself, for which it is to be given the
/// integrals of squares and of all products; its mean under increments and I10; or its mean.
enum class PathCovariance { exact, conditional_mean, mean };

/// Returns the name of what is taken, as it stands in names of methods: empty for the covariance itself.
inline std::string in_name_of_method(PathCovariance taken) {
  switch (taken) {
    case PathCovariance::exact:
      return "";
    case PathCovariance::conditional_mean:
      return ", conditional mean";
    case PathCovariance::mean:
      return ", mean";
  }
  return "";
}

/// The matrix C of a step.
template <class S>
class StepCovariance {
 public:
  StepCovariance(Eigen::Index noises, PathCovariance taken)
      : taken_(taken), matrix_(zeros<Matrix<S, Dynamic>>(noises, noises)) {}

  /// Computes C of a step h. For h < 0 it is that of the same piece of the path, passed the other way. Throws
  /// InvalidParameter if the covariance itself is asked for, and there are several noises without products.
  void set(const StepNoise<S>& noises, const S& h) {
    if (taken_ == PathCovariance::exact && !noises.has_products())
      throw InvalidParameter("number of products of noises", 0,
                             "must be that of their pairs for the covariance itself");
    const S length = leading(h) < RealOf<S>(0) ? S(-h) : h;
    for (std::size_t i = 0; i < noises.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const auto &a = noises[i], &b = noises[j];
        S& entry = matrix_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        if (taken_ == PathCovariance::exact) {
          entry = (noises.product(i, j) - a.integral * b.integral / h) / h;
        } else if (taken_ == PathCovariance::conditional_mean) {
          entry = a.increment * b.increment / S(12) + a.zeta(h) * b.zeta(h) / (S(5) * h * h);
          if (i == j) entry += length / S(15);
        } else {
          entry = i == j ? S(length / S(6)) : S(0);
        }
        matrix_(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = entry;
      }
  }
  [[nodiscard]] const Matrix<S, Dynamic>& matrix() const { return matrix_; }

 private:
  PathCovariance taken_;
  Matrix<S, Dynamic> matrix_;
};

}  // namespace livi
