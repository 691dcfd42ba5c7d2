// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <livi/stochastic/brownian_path.hpp>
#include <optional>
#include <sstream>

namespace livi {

/// Sets noises to the integrals of all noises of a path over step number `index` of a level.
template <class Path, class S>
void integrals_over(const Path& path, int level, std::uint64_t index, std::vector<NoiseIntegrals<S>>& noises) {
  for (std::size_t i = 0; i < noises.size(); ++i)
    noises[i] = path.over(static_cast<int>(i), level, index).template cast<S>();
}

/// A step along a path that could not be made.
struct FailedStep {
  StepOutcome outcome;
  std::uint64_t path = 0;        ///< number of the path
  std::uint64_t step = 0;        ///< number of the step on its level
  double h = 0;                  ///< length of the step
  double h_times_momentum = 0;   ///< h |p| before the step, without its noise
  double largest_increment = 0;  ///< the largest |dW| of its noises; not a number for a method that takes none

  [[nodiscard]] std::string describe() const {
    std::ostringstream text;
    text << "path " << path << ", step " << step << " of length " << h << ": " << outcome.describe()
         << " (h |p| = " << h_times_momentum;
    if (!std::isnan(largest_increment)) text << ", largest increment " << largest_increment;
    return text.str() + ")";
  }
};

/// Runs a stochastic method along a path, with the 2^level steps of a level, from the state z on. It gets integrals of
/// products of noises from a path that has them (brownian_products.hpp). Returns the step that could not be made, if
/// there is one; z is then the state before it. observe(k, z) is called after step k = 1, 2, ...
template <class Method, class Path, class Observe>
std::optional<FailedStep> run_along(Method& method, typename Method::state_type& z, const Path& path, int level,
                                    std::uint64_t number_of_path, const Observe& observe) {
  using S = ScalarOf<typename Method::system_type>;
  std::vector<NoiseIntegrals<S>> noises(static_cast<std::size_t>(method.system().noise().count()));
  const double h = path.step(level);
  std::vector<S> products;
  typename Method::state_type before = z;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    integrals_over(path, level, k, noises);
    StepNoise<S> noise(noises);
    if constexpr (requires { path.products_over(level, k); }) {
      products.clear();
      for (const double product : path.products_over(level, k)) products.push_back(S(product));
      noise = StepNoise<S>(noises, products);
    }
    if (const StepOutcome outcome = method.step(z, S(h), noise); !outcome.ok()) {
      z = before;
      const auto p = method.system().momentum(z.v);
      FailedStep failed{outcome, number_of_path, k, h, 0, 0};
      double square = 0;
      for (Eigen::Index i = 0; i < p.size(); ++i) square += to_double(S(p(i) * p(i)));
      failed.h_times_momentum = h * std::sqrt(square);
      for (const auto& integrals : noises)
        failed.largest_increment = std::max(failed.largest_increment, std::abs(to_double(integrals.increment)));
      return failed;
    }
    before = z;
    observe(k + 1, z);
  }
  return {};
}
template <class Method, class Path>
std::optional<FailedStep> run_along(Method& method, typename Method::state_type& z, const Path& path, int level,
                                    std::uint64_t number_of_path = 0) {
  return run_along(method, z, path, level, number_of_path, [](std::uint64_t, const auto&) {});
}

}  // namespace livi
