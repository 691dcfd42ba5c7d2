// SPDX-License-Identifier: MIT
#include "reference/double_pendulum_methods.hpp"

#include <stdexcept>

#include "reference/double_pendulum.hpp"

namespace livi::reference {

namespace {

template <template <class> class System, class S>
std::vector<PendulumState> run(const DoublePendulumParameters& parameters, Method method, double end_time, int samples,
                               double tolerance) {
  const std::vector<S> times = equally_spaced_times<S>(end_time, samples);
  return to_double(odeint_trajectory(System<S>(parameters), times, S(tolerance), method));
}

template <class S>
std::vector<PendulumState> run(const DoublePendulumParameters& parameters, Formulation formulation, Method method,
                               double end_time, int samples, double tolerance) {
  switch (formulation) {
    case Formulation::angles:
      return run<AnglesSystem, S>(parameters, method, end_time, samples, tolerance);
    case Formulation::cartesian:
      return run<CartesianSystem, S>(parameters, method, end_time, samples, tolerance);
    case Formulation::penalised:
      return run<PenalisedSystem, S>(parameters, method, end_time, samples, tolerance);
  }
  throw std::invalid_argument("formulation: unknown value");
}

}  // namespace

std::vector<PendulumState> integrate(const DoublePendulumParameters& parameters, Formulation formulation, Method method,
                                     Arithmetic arithmetic, double end_time, int samples, double tolerance) {
  if (method == Method::taylor)
    return detail::integrate_by_taylor(parameters, formulation, arithmetic, end_time, samples, tolerance);
  return in_arithmetic(
      arithmetic, [&]<class S>() { return run<S>(parameters, formulation, method, end_time, samples, tolerance); });
}

}  // namespace livi::reference
