// SPDX-License-Identifier: MIT
//
// Paths of Brownian motion W on 0 <= t <= T, by the integrals that integrators ask for over each step of length h = T/2^level:
//
//   increment     W(t + h) - W(t)
//   integral      I10 = int_t^{t+h} (W(s) - W(t)) ds
//   squared       int_t^{t+h} (W(s) - W(t))^2 ds
//
// A path is one object for all step sizes: what holds over two neighbouring steps a, b of length h gives, exactly, what holds
// over both,
//
//   increment = a + b,   integral = I_a + h a + I_b,   squared = J_a + h a^2 + 2 a I_b + J_b                          (1)
//
// with a, b the increments. The other way round a step is divided: with zeta = I10 - h (increment)/2, which is independent of
// the increment and has the variance h^3/12, the halves of length d = h/2 have
//
//   a + b = increment,   a - b = 3 zeta/(2 d) + (d/2)^(1/2) xi_1,
//   zeta_a + zeta_b = zeta - d (a - b)/2,   zeta_a - zeta_b = (d^3/6)^(1/2) xi_2                                       (2)
//
// with standard normal xi_1, xi_2 (e = a - b and zeta have the covariance d^2, and variances 2 d and 2 d^3/3). The numbers xi
// are functions of seed, path, noise, level and index (normal_numbers.hpp): a path is the same whatever it is asked for, in
// whatever order, by however many threads, and a finer one has the values of a coarser one.
//
// The integral of the square is no Gaussian variable. On the finest level it is its mean under the other two,
//
//   h (increment)^2/3 + (increment) zeta + 6 zeta^2/(5 h) + h^2/15                                                    (3)
//
// (W between is increment (s/h) + 6 zeta s (h - s)/h^3 in the mean, with the variance s (h - s)/h - 3 s^2 (h - s)^2/h^3), on the
// others (1) of that. What is neglected has the mean zero and, over T, the size T^(1/2) h^(3/2) of the finest h.
#pragma once

#include <cmath>
#include <cstdint>
#include <livi/linalg/normal_numbers.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <string>
#include <vector>

namespace livi {

using BrownianIntegrals = NoiseIntegrals<double>;

/// Returns the integrals over two neighbouring steps of length h, (1).
inline BrownianIntegrals joined(const BrownianIntegrals& a, const BrownianIntegrals& b, double h) {
  return {a.increment + b.increment, a.integral + h * a.increment + b.integral,
          a.squared + h * a.increment * a.increment + 2 * a.increment * b.integral + b.squared};
}

/// Returns the increment and I10 over a whole path of length h by two standard normal numbers.
inline BrownianIntegrals undivided(double h, const double* xi) {
  const double zeta = std::sqrt(h * h * h / 12) * xi[1], w = std::sqrt(h) * xi[0];
  return {w, zeta + h * w / 2, 0};
}
/// Divides a step of length h into its halves a and b by two standard normal numbers, (2). Squares are left out.
inline void divide(const BrownianIntegrals& whole, double h, const double* xi, BrownianIntegrals& a,
                   BrownianIntegrals& b) {
  const double d = h / 2, zeta = whole.zeta(h);
  const double difference = 3 * zeta / (2 * d) + std::sqrt(d / 2) * xi[0];
  const double sum_of_zeta = zeta - d * difference / 2, difference_of_zeta = std::sqrt(d * d * d / 6) * xi[1];
  a.increment = (whole.increment + difference) / 2;
  b.increment = (whole.increment - difference) / 2;
  a.integral = (sum_of_zeta + difference_of_zeta) / 2 + d * a.increment / 2;
  b.integral = (sum_of_zeta - difference_of_zeta) / 2 + d * b.increment / 2;
}
/// Returns the mean of the integral of the square under increment and I10 of a step of length h, (3).
inline double mean_of_square(const BrownianIntegrals& of, double h) {
  const double zeta = of.zeta(h);
  return h * of.increment * of.increment / 3 + of.increment * zeta + 6 * zeta * zeta / (5 * h) + h * h / 15;
}
/// Returns which of the numbers of a path belong to the pieces of a level of a noise: nodes of different levels and
/// noises have numbers of their own.
inline std::uint64_t draw_of(int level, int noise) {
  return static_cast<std::uint64_t>(level) << 32 | static_cast<std::uint64_t>(noise);
}

/// One Brownian motion for each noise, independent of each other. Memory and time: three numbers for each finest step and
/// as many for all coarser ones; BrownianSteps (brownian_steps.hpp) has the same numbers without storing them.
class BrownianPath {
 public:
  /// The most finest steps of all noises together: 1.5 GiB.
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 25;

  /// Draws path number `path` of a seed, with `noises` >= 1 motions up to the time `end_time` > 0, in 2^`finest_level` steps
  /// at most. Throws InvalidParameter for others, and for more than `most_steps` steps of all noises together.
  BrownianPath(std::uint64_t seed, std::uint64_t path, int noises, double end_time, int finest_level)
      : end_time_(end_time), noises_(noises) {
    if (!(std::isfinite(end_time) && end_time > 0))
      throw InvalidParameter("end time of a Brownian path", end_time, "must be finite and > 0");
    if (noises < 1) throw InvalidParameter("number of noises", noises, "must be at least 1");
    if (finest_level < 0 || finest_level > 30 || static_cast<std::uint64_t>(noises) << finest_level > most_steps)
      throw InvalidParameter(
          "finest level of a Brownian path", finest_level,
          "must be from 0 to 25, and less for several noises: 2^25 steps of all together take 1.5 GiB");
    const NormalNumbers normal(seed, path);
    for (int noise = 0; noise < noises; ++noise) draw(normal, noise, finest_level);
  }

  [[nodiscard]] int noises() const { return noises_; }
  [[nodiscard]] double end_time() const { return end_time_; }
  [[nodiscard]] int finest_level() const { return static_cast<int>(levels_.size()) / noises_ - 1; }
  /// Returns the length of a step of a level.
  [[nodiscard]] double step(int level) const { return std::ldexp(end_time_, -level); }

  /// Returns the integrals of a noise over step number `index` of a level, 0 <= index < 2^level. Throws InvalidParameter for
  /// a noise, level or index that is not there.
  [[nodiscard]] const BrownianIntegrals& over(int noise, int level, std::uint64_t index) const {
    if (noise < 0 || noise >= noises_)
      throw InvalidParameter("noise", noise, "must be from 0 to " + std::to_string(noises_ - 1));
    if (level < 0 || level > finest_level())
      throw InvalidParameter("level of a Brownian path", level, "must be from 0 to " + std::to_string(finest_level()));
    const auto& steps = levels_[at(noise, level)];
    if (index >= steps.size())
      throw InvalidParameter("step of a Brownian path", static_cast<double>(index),
                             "must be from 0 to " + std::to_string(steps.size() - 1));
    return steps[index];
  }

 private:
  [[nodiscard]] std::size_t at(int noise, int level) const { return static_cast<std::size_t>(noise + noises_ * level); }

  void draw(const NormalNumbers& normal, int noise, int finest_level) {
    levels_.resize(static_cast<std::size_t>(noises_) * (static_cast<std::size_t>(finest_level) + 1));
    const auto numbers = [&](int level, std::uint64_t index, double* two) {
      normal(index, draw_of(level, noise), two, 2);
    };
    double xi[2];
    numbers(0, 0, xi);
    levels_[at(noise, 0)] = {undivided(end_time_, xi)};
    for (int level = 0; level < finest_level; ++level) {
      const auto& coarse = levels_[at(noise, level)];
      auto& fine = levels_[at(noise, level + 1)];
      fine.resize(2 * coarse.size());
      const double h = step(level);
      for (std::uint64_t k = 0; k < coarse.size(); ++k) {
        numbers(level + 1, k, xi);
        divide(coarse[k], h, xi, fine[2 * k], fine[2 * k + 1]);
      }
    }
    sum_squares(noise, finest_level);
  }
  void sum_squares(int noise, int finest_level) {
    const double h = step(finest_level);
    for (BrownianIntegrals& of : levels_[at(noise, finest_level)]) of.squared = mean_of_square(of, h);
    for (int level = finest_level - 1; level >= 0; --level) {
      const auto& fine = levels_[at(noise, level + 1)];
      auto& coarse = levels_[at(noise, level)];
      for (std::size_t k = 0; k < coarse.size(); ++k)
        coarse[k].squared = joined(fine[2 * k], fine[2 * k + 1], step(level + 1)).squared;
    }
  }

  double end_time_;
  int noises_;
  std::vector<std::vector<BrownianIntegrals>> levels_;
};

/// Returns an increment over a step h cut to |increment| <= (2 k h |ln h|)^(1/2), k > 0, where h < 1: what is cut off changes
/// the mean square by less than h^(k+1) (Milstein, Repin and Tretyakov 2002). Steps of implicit methods exist then for small h.
inline double truncated(double increment, double h, double k) {
  if (!(h > 0 && h < 1)) throw InvalidParameter("step of a truncated increment", h, "must be > 0 and < 1");
  if (!(std::isfinite(k) && k > 0)) throw InvalidParameter("k of a truncated increment", k, "must be finite and > 0");
  const double most = std::sqrt(-2 * k * h * std::log(h));
  return std::abs(increment) <= most ? increment : std::copysign(most, increment);
}

/// A smooth path W(t) = c sin(a t) in the place of a Brownian one, for tests: along it methods have the orders of ordinary
/// differential equations. Its integrals are exact.
class SmoothPath {
 public:
  /// Takes c, a > 0 and the end time > 0.
  SmoothPath(double amplitude, double frequency, double end_time) : c_(amplitude), a_(frequency), end_time_(end_time) {
    if (!std::isfinite(amplitude)) throw InvalidParameter("amplitude of a smooth path", amplitude, "must be finite");
    if (!(std::isfinite(frequency) && frequency > 0))
      throw InvalidParameter("frequency of a smooth path", frequency, "must be finite and > 0");
    if (!(std::isfinite(end_time) && end_time > 0))
      throw InvalidParameter("end time of a smooth path", end_time, "must be finite and > 0");
  }
  [[nodiscard]] double end_time() const { return end_time_; }
  [[nodiscard]] double step(int level) const { return std::ldexp(end_time_, -level); }
  /// Returns the integrals over step number `index` of a level, 0 <= index < 2^level; every noise is the same path. Throws
  /// InvalidParameter for another level than 0 to 52, the digits of a double, or an index that is not there.
  [[nodiscard]] BrownianIntegrals over(int, int level, std::uint64_t index) const {
    if (level < 0 || level > 52) throw InvalidParameter("level of a smooth path", level, "must be from 0 to 52");
    if (index >= 1ULL << level)
      throw InvalidParameter("step of a smooth path", static_cast<double>(index),
                             "must be from 0 to " + std::to_string((1ULL << level) - 1));
    const double h = step(level), t = static_cast<double>(index) * h;
    const double w = c_ * std::sin(a_ * t), of_w = c_ / a_ * (std::cos(a_ * t) - std::cos(a_ * (t + h)));
    const double of_square = c_ * c_ * (h / 2 - (std::sin(2 * a_ * (t + h)) - std::sin(2 * a_ * t)) / (4 * a_));
    return {c_ * std::sin(a_ * (t + h)) - w, of_w - h * w, of_square - 2 * w * of_w + h * w * w};
  }

 private:
  double c_, a_, end_time_;
};

}  // namespace livi
