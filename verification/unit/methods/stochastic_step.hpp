// SPDX-License-Identifier: MIT
//
// What tests of stochastic steps share: defects of the constraints, and the symplecticity of a step with fixed
// integrals of the noise on the constrained phase space.
#pragma once

#include <livi/diagnostics/constrained_symplecticity.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <vector>

namespace livi::stochastic_test {

template <class System, class V>
double constraint_defect(const System& system, const V& q) {
  typename System::multiplier_type g;
  system.constraint().value(q, g);
  return to_double(max_magnitude(g));
}
template <class System, class V>
double tangent_defect(const System& system, const V& q, const V& v) {
  typename System::jacobian_type jacobian;
  system.constraint().jacobian(q, jacobian);
  typename System::multiplier_type rate;
  multiply(jacobian, v, rate);
  return to_double(max_magnitude(rate));
}

/// Returns integrals of some size of each noise over a step h.
template <class S>
std::vector<NoiseIntegrals<S>> fixed_noise(std::size_t count, double h) {
  std::vector<NoiseIntegrals<S>> noises;
  for (std::size_t i = 0; i < count; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1, w = sign * std::sqrt(h) * (0.8 + 0.3 * static_cast<double>(i));
    noises.push_back(NoiseIntegrals<double>{w, h * w / 2 - 0.2 * h * std::sqrt(h), h * w * w / 3}.cast<S>());
  }
  return noises;
}

/// Returns the largest change of the form of the constrained phase space over one step in 50 digits from the problem's
/// start, with the given integrals of the noises and, unless there are none, of their products. NaN if the step fails.
template <class MakeProblem, class Make>
double symplecticity(const MakeProblem& make_problem, const Make& make, double step,
                     std::span<const NoiseIntegrals<double>> integrals, std::span<const double> of_products) {
  using D = Dual<Float50>;
  const auto problem = make_problem(Float50(0));
  const auto in_duals = make_problem(D(0));
  std::vector<NoiseIntegrals<D>> noises;
  for (const auto& noise : integrals) noises.push_back(noise.cast<D>());
  const std::vector<D> products(of_products.begin(), of_products.end());
  const StepNoise<D> noise = products.empty() ? StepNoise<D>(noises) : StepNoise<D>(noises, products);
  const auto map = [&](auto& q, auto& v) {
    auto method = make(in_duals.system);
    auto z = method.start(q, v);
    const StepOutcome outcome = method.step(z, D(Float50(step)), noise);
    q = z.q;
    v = z.v;
    return outcome;
  };
  const double found = to_double(constrained_symplecticity(in_duals.system, map, problem.q, problem.v));
  return std::isinf(found) ? std::numeric_limits<double>::quiet_NaN() : found;
}
/// Returns it for fixed noise.
template <class MakeProblem, class Make>
double symplecticity(const MakeProblem& make_problem, const Make& make, double step) {
  const auto count = static_cast<std::size_t>(make_problem(Float50(0)).system.noise().count());
  return symplecticity(make_problem, make, step, fixed_noise<double>(count, step), {});
}

}  // namespace livi::stochastic_test
