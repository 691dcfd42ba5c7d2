// SPDX-License-Identifier: MIT
//
// Methods of the tests of stochastic orders, and the noise along a path.
#pragma once

#include <livi/stochastic/brownian_products.hpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>

namespace livi::stochastic_test {

/// The integrals of all noises of a path and of their products.
class Noise {
 public:
  Noise(std::uint64_t path, int noises, int finest, double end = 1)
      : path_(20070418, path, noises, end, finest), noises_(static_cast<std::size_t>(noises)) {}
  /// Returns those over a step of a level. They are valid until the next call.
  StepNoise<double> over(int level, std::uint64_t k) {
    for (int i = 0; i < path_.noises(); ++i) noises_[static_cast<std::size_t>(i)] = path_.over(i, level, k);
    return {noises_, path_.products_over(level, k)};
  }
  [[nodiscard]] const BrownianPathWithProducts& path() const { return path_; }

 private:
  BrownianPathWithProducts path_;
  std::vector<NoiseIntegrals<double>> noises_;
};

constexpr auto commutator = [](PathCovariance taken) {
  return [taken]<class System>(const System& system) { return CommutatorRattle<System>(system, taken); };
};
constexpr auto staircase = [](PathCovariance taken) {
  return [taken]<class System>(const System& system) { return StaircaseRattle<System>(system, taken); };
};
constexpr auto rattle = [](NoiseWeights weights) {
  return [weights]<class System>(const System& system) { return StochasticRattle<System>(system, weights); };
};

}  // namespace livi::stochastic_test
