// SPDX-License-Identifier: MIT
//
// RATTLE along a staircase: strong order two without second derivatives. A step h under K noises is n = K + 1 steps h/n
// of RATTLE. Between them the momentum is kicked as by a noise that stays at omega_1, ..., omega_n in turn, from W = 0
// before to dW after:
//
//   kick omega_1;   RATTLE(h/n);   kick omega_2 - omega_1;   RATTLE(h/n);   ...;   RATTLE(h/n);   kick dW - omega_n.
//
// The staircase omega has the mean in time I10/h and the covariance C within the step (path_covariance.hpp) of the
// noise:
//
//   sum_k omega_k/n = I10/h,      sum_k (omega_k - I10/h)(omega_k - I10/h)^T/n = C.                                (1)
//
// By (1) of commutator_rattle.hpp the noise enters through words of weight at most two by these alone, so that the
// strong order is 3/2 at least. It is two if the word of weight 5/2, int (t - h/2) omega_i dt {H, L_i}, has the mean
// zero; with it a mean of 5/2 would add up to 3/2. So omega must not prefer a direction: where the noise changes its
// sign, the staircase does, as far as this moment is concerned. (With K = 1 and always the positive root of C, order
// 3/2 is measured.)
//
// (1) is solved by
//
//   omega_k = I10/h + sum_r l_r e_r(k),      C = sum_r l_r l_r^T,
//
// with e_r the orthonormal polynomial of degree r on the n equidistant steps, and vectors
//
//   l_1 = C w/(w.C w)^(1/2),   l_2 = -C' zeta/(zeta.C' zeta)^(1/2),   C' = C - l_1 l_1^T,   ...
//
// and so on with the unit vector of the largest variance left. Each takes one rank from C. Since a straight path rises
// along w, and a bent one bends against zeta, the staircase is near the path. For one noise
//
//   omega = I10/h -+ sign(dW) C^(1/2).
//
// Only e_1 has a moment int (t - h/2) e_1, and l_1 is odd in the noise. Passed the other way (h < 0) odd polynomials
// change their signs, and so do their l_r with dW: the step is symmetric. It is a product of RATTLE's steps and kicks,
// so it is symplectic for each path. n cannot be smaller: n steps have a covariance of rank n - 1 at most.
#pragma once

#include <livi/integrators/rattle.hpp>
#include <livi/stochastic/path_covariance.hpp>
#include <livi/systems/stochastic_system.hpp>

namespace livi {

/// The steps omega_1, ..., omega_n of the staircase of n - 1 noises.
template <class S>
class Staircase {
 public:
  Staircase(Eigen::Index noises, PathCovariance taken)
      : covariance_(noises, taken),
        polynomials_(noises, noises + 1),
        left_(zeros<Matrix<S, Dynamic>>(noises, noises)),
        direction_(zeros<Vector<S, Dynamic>>(noises)),
        column_(direction_),
        steps_(zeros<Matrix<S, Dynamic>>(noises, noises + 1)) {
    using std::sqrt;
    // Gram and Schmidt, twice for the rounding, on powers of k - (n + 1)/2.
    const auto n = static_cast<int>(noises) + 1;
    for (int r = 0; r + 1 < n; ++r) {
      for (int k = 0; k < n; ++k) {
        const S x = ratio<S>(2 * k + 1 - n, 2);
        polynomials_(r, k) = r == 0 ? x : S(polynomials_(r - 1, k) * x);
      }
      for (int pass = 0; pass < 2; ++pass) {
        for (int s = -1; s < r; ++s) {
          S product(0);
          for (int k = 0; k < n; ++k) product += (s < 0 ? S(1) : polynomials_(s, k)) * polynomials_(r, k) / S(n);
          for (int k = 0; k < n; ++k) polynomials_(r, k) -= product * (s < 0 ? S(1) : polynomials_(s, k));
        }
        S square(0);
        for (int k = 0; k < n; ++k) square += polynomials_(r, k) * polynomials_(r, k) / S(n);
        const S size = sqrt(square);
        for (int k = 0; k < n; ++k) polynomials_(r, k) /= size;
      }
    }
  }

  /// Computes the staircase of a step h.
  void set(const StepNoise<S>& noises, const S& h) {
    using std::sqrt;
    covariance_.set(noises, h);
    left_ = covariance_.matrix();
    const Eigen::Index m = steps_.rows();
    S trace(0);
    for (Eigen::Index i = 0; i < m; ++i) {
      steps_.row(i).setConstant(S(noises[static_cast<std::size_t>(i)].integral / h));
      trace += left_(i, i);
    }
    for (Eigen::Index r = 0; r < m; ++r) {
      // What is left of C in a direction may be rounding, or nothing: then the largest variance is taken.
      if (r > 1 || !take(trace, [&](Eigen::Index i) { return along(noises[static_cast<std::size_t>(i)], r, h); })) {
        Eigen::Index largest = 0;
        for (Eigen::Index i = 1; i < m; ++i)
          if (leading(left_(largest, largest)) < leading(left_(i, i))) largest = i;
        const bool negative = leading(along(noises[0], r % 2, h)) < RealOf<S>(0);
        if (!take(trace, [&](Eigen::Index i) { return S(i == largest ? (negative ? -1 : 1) : 0); })) return;
      }
      for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index k = 0; k <= m; ++k) steps_(i, k) += column_(i) * polynomials_(r, k);
        for (Eigen::Index j = 0; j < m; ++j) left_(i, j) -= column_(i) * column_(j);
      }
    }
  }
  /// Returns omega of all noises, one a row.
  [[nodiscard]] const Matrix<S, Dynamic>& steps() const { return steps_; }

 private:
  /// Returns the entry of the direction of l_1 (r = 0) or l_2 (r = 1).
  static S along(const NoiseIntegrals<S>& noise, Eigen::Index r, const S& h) {
    return r == 0 ? noise.increment : S(-noise.zeta(h) / h);
  }
  /// Sets column_ to C' x/(x.C' x)^(1/2) for the direction x, if that is more than rounding of C.
  template <class Direction>
  bool take(const S& trace, const Direction& direction) {
    using std::sqrt;
    S square(0), length(0);
    for (Eigen::Index i = 0; i < direction_.size(); ++i) {
      direction_(i) = direction(i);
      length += direction_(i) * direction_(i);
    }
    for (Eigen::Index i = 0; i < direction_.size(); ++i) {
      column_(i) = S(0);
      for (Eigen::Index j = 0; j < direction_.size(); ++j) column_(i) += left_(i, j) * direction_(j);
      square += column_(i) * direction_(i);
    }
    if (!(leading(S(trace * length)) * RealOf<S>(64) * ScalarTraits<S>::epsilon() < leading(square))) return false;
    const S root = sqrt(square);
    for (Eigen::Index i = 0; i < column_.size(); ++i) column_(i) /= root;
    return true;
  }

  StepCovariance<S> covariance_;
  Matrix<S, Dynamic> polynomials_;  ///< e_r(k), one r a row
  Matrix<S, Dynamic> left_;         ///< what of C the first vectors have left
  Vector<S, Dynamic> direction_, column_;
  Matrix<S, Dynamic> steps_;
};

/// RATTLE along a staircase: strong order two with the covariance of the noises within the step, 3/2 with a mean of it,
/// weak order two with each. A step whose multiplier does not exist has the outcome no_real_root. Cost for K noises: K
/// + 1 steps of RATTLE.
template <class System>
class StaircaseRattle {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = typename Rattle<System>::state_type;

  explicit StaircaseRattle(const System& system, PathCovariance taken = PathCovariance::exact,
                           NewtonOptions<S> newton = {})
      : taken_(taken),
        rattle_(system, newton),
        staircase_(system.noise().count(), taken),
        impulse_(zeros<vector_type>(system.size())) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return rattle_.start(q, v); }
  StepOutcome step(state_type& z, const S& h) {
    const S part = h / S(static_cast<int>(parts()));
    for (Eigen::Index k = 0; k < parts(); ++k)
      if (const StepOutcome outcome = rattle_.step(z, part); !outcome.ok()) return outcome;
    return {};
  }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(system(), noises);
    staircase_.set(noises, h);
    const S part = h / S(static_cast<int>(parts()));
    for (Eigen::Index k = 0; k < parts(); ++k)
      if (const StepOutcome outcome = rattle_.step(z, part, Kicks{*this, noises, k}); !outcome.ok()) return outcome;
    return {};
  }

  [[nodiscard]] Properties declares() const { return declares_for_noise().deterministic; }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    Properties properties = rattle_.declares();
    properties.name = "StaircaseRattle" + in_name_of_method(taken_);
    properties.source = "livi; RATTLE of Bou-Rabee and Owhadi 2007 (5)";
    properties.rational = false;
    properties.stability_limit = 2 * static_cast<double>(parts());
    properties.cost.gradients = static_cast<int>(parts());
    return {.deterministic = properties,
            .strong_order = taken_ == PathCovariance::exact ? 2 : 1.5,
            .strong_order_for_constant_products = 2,
            .weak_order = 2,
            .means_of_products = taken_ != PathCovariance::exact};
  }
  [[nodiscard]] const WorkCounters& work() const { return rattle_.work(); }
  [[nodiscard]] const System& system() const { return rattle_.system(); }

 private:
  struct Kicks {
    static constexpr bool nearest = true;
    StaircaseRattle& method;
    const StepNoise<S>& noises;
    Eigen::Index k;

    void at_start(const vector_type& q, vector_type& v) const {
      if (k == 0)
        method.system().kick(
            q, [&](Eigen::Index i) { return omega(i, 0); }, method.impulse_, v);
    }
    void at_end(const vector_type& q, vector_type& v) const {
      const auto next = [&](Eigen::Index i) {
        return k + 1 < method.parts() ? omega(i, k + 1) : noises[static_cast<std::size_t>(i)].increment;
      };
      method.system().kick(
          q, [&](Eigen::Index i) { return S(next(i) - omega(i, k)); }, method.impulse_, v);
    }
    [[nodiscard]] const S& omega(Eigen::Index i, Eigen::Index step) const { return method.staircase_.steps()(i, step); }
  };
  [[nodiscard]] Eigen::Index parts() const { return staircase_.steps().cols(); }

  PathCovariance taken_;
  Rattle<System> rattle_;
  Staircase<S> staircase_;
  vector_type impulse_;
};

}  // namespace livi
