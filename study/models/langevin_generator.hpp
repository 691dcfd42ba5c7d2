// SPDX-License-Identifier: MIT
//
// The generator of Langevin dynamics on the sphere: how far a measure is from invariant, over monomials of degree four and less.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "study/models/langevin_averages.hpp"
#include "study/models/sphere_ensembles.hpp"

namespace livi::on_manifolds {

using sphere::Space;

inline constexpr double friction = 1;

/// What of the constrained Langevin process is left out, or wrong; or has friction and noise along n = e_z - z q only.
struct Process {
  double beta_of_noise = 1;  ///< in units of beta
  bool curvature = true, projected = true;
  bool along_z = false;
  bool weighted = false;  ///< the measure is that of Gibbs times L_z^2
};

/// Returns the exponents of all monomials of degree four and less in q and v.
inline std::vector<std::array<int, 6>> monomials_of_degree_four() {
  std::vector<std::array<int, 6>> monomials;
  std::array<int, 6> e{};
  const std::function<void(std::size_t, int)> choose = [&](std::size_t at, int left) {
    if (at == 6) {
      monomials.push_back(e);
      return;
    }
    for (e[at] = 0; e[at] <= left; ++e[at]) choose(at + 1, left - e[at]);
    e[at] = 0;
  };
  choose(0, 4);
  return monomials;
}

/// The coefficients of L at a state, of the derivatives by v and by two components of v, and the weight of the state.
struct Coefficients {
  Space drift;
  Matrix<double, 3> covariance;
  double weight;
};
inline Coefficients coefficients(const Process& process, double beta, const Space& q, const Space& v, double weight) {
  const Space n = Space(0, 0, 1) - q(2) * q;
  Coefficients of;
  of.weight = process.weighted ? weight * beta * std::pow(q(0) * v(1) - q(1) * v(0), 2) : weight;
  of.drift = -n - friction * (process.along_z ? Space(n.dot(v) * n) : v);
  if (process.curvature) of.drift -= v.squaredNorm() * q;
  of.covariance.setIdentity();
  if (process.along_z) {
    of.covariance = n * n.transpose();
  } else if (process.projected) {
    of.covariance -= q * q.transpose();
  }
  of.covariance *= friction / (beta * process.beta_of_noise);
  return of;
}

/// The largest |E[L f]|/(E[(L f)^2])^(1/2) over monomials f of degree four and less, for each of some processes.
inline std::vector<double> not_invariant(double beta, const std::vector<Process>& processes) {
  const std::vector<std::array<int, 6>> monomials = monomials_of_degree_four();
  const std::size_t count = processes.size();
  std::vector<Coefficients> of(count);
  std::vector<std::vector<double>> mean(count, std::vector<double>(monomials.size(), 0)), square(mean);
  constexpr int turns = 10;
  const auto at_state = [&](const Space& q, const Space& v, double weight) {
    std::array<std::array<double, 6>, 6> powers{};  // of x_i, from -1 on; x^-1 comes with a factor zero
    for (std::size_t i = 0; i < 6; ++i) {
      const double x = i < 3 ? q(static_cast<Eigen::Index>(i)) : v(static_cast<Eigen::Index>(i) - 3);
      powers[i][1] = 1;
      for (std::size_t k = 2; k < 6; ++k) powers[i][k] = powers[i][k - 1] * x;
    }
    for (std::size_t p = 0; p < count; ++p) of[p] = coefficients(processes[p], beta, q, v, weight);
    for (std::size_t m = 0; m < monomials.size(); ++m) {
      // The derivative of x_i^k is k x_i^(k - 1).
      const auto value = [&](std::size_t first, std::size_t second) {
        double product = 1;
        for (std::size_t i = 0; i < 6; ++i) {
          int k = monomials[m][i];
          for (const std::size_t by : {first, second})
            if (by == i) {
              if (k == 0) return 0.0;
              product *= k--;
            }
          product *= powers[i][static_cast<std::size_t>(k) + 1];
        }
        return product;
      };
      double transport = 0;
      Space by_v;
      Matrix<double, 3> twice_by_v;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto at = static_cast<Eigen::Index>(i);
        transport += v(at) * value(i, 6);
        by_v(at) = value(i + 3, 6);
        for (std::size_t j = 0; j <= i; ++j) {
          const auto other = static_cast<Eigen::Index>(j);
          twice_by_v(at, other) = twice_by_v(other, at) = value(i + 3, j + 3);
        }
      }
      for (std::size_t p = 0; p < count; ++p) {
        const double generator = transport + of[p].drift.dot(by_v) + of[p].covariance.cwiseProduct(twice_by_v).sum();
        mean[p][m] += of[p].weight * generator;
        square[p][m] += of[p].weight * generator * generator;
      }
    }
  };
  langevin::for_each_state(beta, 16, 8, 10, [&](const Space& q, const Space& v, double weight) {
    for (int k = 0; k < turns; ++k) {
      const double angle = 2 * std::numbers::pi * k / turns, c = std::cos(angle), s = std::sin(angle);
      const auto turned = [&](const Space& a) { return Space(c * a(0) - s * a(1), s * a(0) + c * a(1), a(2)); };
      // The rule has one side of v; the other is its reflection.
      at_state(turned(q), turned(v), weight / (2 * turns));
      at_state(turned(q), turned({v(0), -v(1), v(2)}), weight / (2 * turns));
    }
  });
  std::vector<double> largest(count, 0);
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t m = 0; m < monomials.size(); ++m)
      if (square[p][m] > 0) largest[p] = larger(largest[p], std::abs(mean[p][m]) / std::sqrt(square[p][m]));
  return largest;
}

}  // namespace livi::on_manifolds
