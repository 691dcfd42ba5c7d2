// SPDX-License-Identifier: MIT
#include "reference/chain_reference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/chain.hpp"

namespace livi::reference {

namespace {

template <class S>
std::vector<ChainState> run(const ChainParameters& parameters, ChainFormulation formulation, Method method,
                            double end_time, int samples, double tolerance) {
  const std::vector<S> times = equally_spaced_times<S>(end_time, samples);
  if (formulation == ChainFormulation::tensions) {
    const ChainByTensions<S> system(parameters);
    if (method == Method::taylor) return taylor_chain_trajectory(system, times, tolerance);
    return odeint_chain_trajectory(system, times, tolerance, method);
  }
  if (formulation != ChainFormulation::mass_matrix) throw std::invalid_argument("formulation: unknown value");
  return odeint_chain_trajectory(ChainByMassMatrix<S>(parameters), times, tolerance, method);
}

/// Beyond, the cubic cost of the full mass matrix is not worth what it checks.
constexpr std::size_t longest_with_full_matrix = 16;

}  // namespace

ChainParameters slanted_chain(int links, int gravity_sign) {
  if (links < 1) throw std::invalid_argument("links = " + std::to_string(links) + ": at least one is needed");
  ChainParameters parameters;
  parameters.gravity_sign = gravity_sign;
  for (int k = 1; k <= links; ++k) {
    parameters.squared_lengths.push_back(5.0);
    parameters.initial_q.insert(parameters.initial_q.end(), {static_cast<double>(k), -2.0 * k});
  }
  parameters.initial_v.assign(parameters.initial_q.size(), 0.0);
  return parameters;
}

std::string name(ChainFormulation formulation) {
  switch (formulation) {
    case ChainFormulation::tensions:
      return "tensions";
    case ChainFormulation::mass_matrix:
      return "mass matrix";
  }
  throw std::invalid_argument("formulation: unknown value");
}

std::vector<ChainState> integrate_chain(const ChainParameters& parameters, ChainFormulation formulation, Method method,
                                        Arithmetic arithmetic, double end_time, int samples, double tolerance) {
  return in_arithmetic(
      arithmetic, [&]<class S>() { return run<S>(parameters, formulation, method, end_time, samples, tolerance); });
}

double disagreement(const std::vector<ChainState>& one, const std::vector<ChainState>& other) {
  if (one.size() != other.size())
    throw std::invalid_argument("disagreement: trajectories of " + std::to_string(one.size()) + " and " +
                                std::to_string(other.size()) + " samples");
  double worst = 0.0;
  for (const auto member : {&ChainState::q, &ChainState::v, &ChainState::lambda}) {
    double difference = 0.0, size = 1.0;
    for (std::size_t k = 0; k < one.size(); ++k) {
      const std::vector<double>&a = one[k].*member, &b = other[k].*member;
      if (one[k].t != other[k].t || a.size() != b.size())
        throw std::invalid_argument("disagreement: sample times or sizes differ");
      for (std::size_t i = 0; i < a.size(); ++i) {
        size = std::max(size, std::abs(a[i]));
        difference = std::max(difference, std::abs(a[i] - b[i]));
      }
    }
    worst = std::max(worst, difference / size);
  }
  return worst;
}

CheckedChainReference checked_chain_reference(const ChainParameters& parameters, double end_time, int samples,
                                              double accuracy) {
  using Run = Run<ChainFormulation>;
  const bool full = parameters.links() <= longest_with_full_matrix;
  const Run by_series{ChainFormulation::tensions, Method::taylor, 1e-19};
  return first_agreement<CheckedChainReference, ChainFormulation>(
      "chain", end_time, accuracy,
      {{Arithmetic::extended_precision, 0.1, by_series,
        full ? Run{ChainFormulation::mass_matrix, Method::fehlberg78, 1e-17}
             : Run{ChainFormulation::tensions, Method::fehlberg78, std::max(1e-17, 1e-4 * accuracy)}},
       {Arithmetic::fifty_digits, 1.0, Run{ChainFormulation::tensions, Method::taylor, 1e-35},
        Run{ChainFormulation::tensions, Method::taylor, 1e-32}},
       {Arithmetic::fifty_digits, 1.0, Run{ChainFormulation::tensions, Method::taylor, 1e-46},
        Run{ChainFormulation::tensions, Method::taylor, 1e-43}}},
      [&](Arithmetic arithmetic, const Run& of) {
        return integrate_chain(parameters, of.formulation, of.method, arithmetic, end_time, samples, of.tolerance);
      });
}

}  // namespace livi::reference
