// SPDX-License-Identifier: MIT
#include "reference/double_pendulum_reference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/double_pendulum.hpp"
#include "reference/double_pendulum_taylor.hpp"

namespace livi::reference {

namespace {

template <template <class> class System, template <class> class Expansion, class S>
std::vector<PendulumState> run(const DoublePendulumParameters& parameters, double end_time, int samples,
                               double tolerance) {
  const std::vector<S> times = equally_spaced_times<S>(end_time, samples);
  return to_double(taylor_trajectory<Expansion<S>>(System<S>(parameters), times, tolerance));
}

template <class S>
std::vector<PendulumState> run(const DoublePendulumParameters& parameters, Formulation formulation, double end_time,
                               int samples, double tolerance) {
  switch (formulation) {
    case Formulation::angles:
      return run<AnglesSystem, AnglesExpansion, S>(parameters, end_time, samples, tolerance);
    case Formulation::cartesian:
      return run<CartesianSystem, CartesianExpansion, S>(parameters, end_time, samples, tolerance);
    case Formulation::penalised:
      return run<PenalisedSystem, PenalisedExpansion, S>(parameters, end_time, samples, tolerance);
  }
  throw std::invalid_argument("formulation: unknown value");
}

CheckedReference checked(const DoublePendulumParameters& parameters, double end_time, int samples, double accuracy,
                         std::initializer_list<Attempt<Formulation>> attempts) {
  return first_agreement<CheckedReference>(
      "double pendulum", end_time, accuracy, attempts, [&](Arithmetic arithmetic, const Run<Formulation>& of) {
        return detail::integrate_by_taylor(parameters, of.formulation, arithmetic, end_time, samples, of.tolerance);
      });
}

}  // namespace

std::string name(Formulation formulation) {
  switch (formulation) {
    case Formulation::angles:
      return "angles";
    case Formulation::cartesian:
      return "cartesian";
    case Formulation::penalised:
      return "penalised";
  }
  throw std::invalid_argument("formulation: unknown value");
}

std::string name(Method method) {
  switch (method) {
    case Method::fehlberg78:
      return "fehlberg78";
    case Method::bulirsch_stoer:
      return "bulirsch_stoer";
    case Method::taylor:
      return "taylor";
  }
  throw std::invalid_argument("method: unknown value");
}

std::string name(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::double_precision:
      return "double";
    case Arithmetic::extended_precision:
      return "long double";
    case Arithmetic::fifty_digits:
      return "50 digits";
  }
  throw std::invalid_argument("arithmetic: unknown value");
}

std::vector<PendulumState> detail::integrate_by_taylor(const DoublePendulumParameters& parameters,
                                                       Formulation formulation, Arithmetic arithmetic, double end_time,
                                                       int samples, double tolerance) {
  return in_arithmetic(arithmetic,
                       [&]<class S>() { return run<S>(parameters, formulation, end_time, samples, tolerance); });
}

double disagreement(const std::vector<PendulumState>& one, const std::vector<PendulumState>& other) {
  if (one.size() != other.size())
    throw std::invalid_argument("disagreement: trajectories of " + std::to_string(one.size()) + " and " +
                                std::to_string(other.size()) + " samples");
  double difference = 0.0, multiplier_difference = 0.0, multiplier = 1.0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (one[k].t != other[k].t) throw std::invalid_argument("disagreement: sample times differ");
    for (std::size_t i = 0; i < 4; ++i) {
      difference = std::max(difference, std::abs(one[k].q[i] - other[k].q[i]));
      difference = std::max(difference, std::abs(one[k].v[i] - other[k].v[i]));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      multiplier = std::max(multiplier, std::abs(one[k].lambda[i]));
      multiplier_difference = std::max(multiplier_difference, std::abs(one[k].lambda[i] - other[k].lambda[i]));
    }
  }
  return std::max(difference, multiplier_difference / multiplier);
}

// Long double carries 64 bits on the machines of the reports; where it is only a double, the comparison sends the run
// to 50 digits, whose tolerances leave 13 digits for the growth of errors. The multiprecision cost grows with the
// square of the order, hence no tighter than needed.
CheckedReference checked_constrained_reference(const DoublePendulumParameters& parameters, double end_time, int samples,
                                               double accuracy) {
  return checked(parameters, end_time, samples, accuracy,
                 {{Arithmetic::extended_precision,
                   0.1,
                   {Formulation::angles, Method::taylor, 1e-19},
                   {Formulation::cartesian, Method::taylor, 1e-20}},
                  {Arithmetic::fifty_digits,
                   1.0,
                   {Formulation::angles, Method::taylor, 1e-27},
                   {Formulation::cartesian, Method::taylor, 1e-25}}});
}

CheckedReference checked_penalised_reference(const DoublePendulumParameters& parameters, double end_time, int samples,
                                             double accuracy) {
  return checked(parameters, end_time, samples, accuracy,
                 {{Arithmetic::extended_precision,
                   0.1,
                   {Formulation::penalised, Method::taylor, 1e-20},
                   {Formulation::penalised, Method::taylor, 1e-18}},
                  {Arithmetic::fifty_digits,
                   1.0,
                   {Formulation::penalised, Method::taylor, 1e-27},
                   {Formulation::penalised, Method::taylor, 1e-25}}});
}

std::vector<PendulumState> constrained_reference(const DoublePendulumParameters& parameters, double end_time,
                                                 int samples, double accuracy) {
  return checked_constrained_reference(parameters, end_time, samples, accuracy).states;
}

std::vector<PendulumState> penalised_reference(const DoublePendulumParameters& parameters, double end_time, int samples,
                                               double accuracy) {
  return checked_penalised_reference(parameters, end_time, samples, accuracy).states;
}

}  // namespace livi::reference
