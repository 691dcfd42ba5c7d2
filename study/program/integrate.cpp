// SPDX-License-Identifier: MIT
#include "study/program/integrate.hpp"

#include <algorithm>
#include <boost/numeric/odeint/integrate/integrate_times.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <livi/scalar/multiprecision.hpp>
#include <stdexcept>
#include <string>

namespace livi::theorem {
namespace {

/// odeint's algebra with a norm that does not look for State::value_type::value_type, which Boost's numbers define.
struct Algebra : boost::numeric::odeint::range_algebra {
  template <class State>
  [[nodiscard]] static typename State::value_type norm_inf(const State& x) {
    using std::abs;
    typename State::value_type largest(0);
    for (const auto& component : x) largest = std::max<typename State::value_type>(largest, abs(component));
    return largest;
  }
};

}  // namespace

template <class S>
void integrate(std::vector<S> x, const std::vector<S>& times, const std::type_identity_t<S>& tolerance,
               const std::type_identity_t<RightHandSide<S>>& right_hand_side,
               const std::type_identity_t<Observe<S>>& observe) {
  namespace odeint = boost::numeric::odeint;
  using State = std::vector<S>;
  const auto checked = [&](const State& at, State& rate, const S& t) {
    using std::isfinite;
    if (!std::all_of(at.begin(), at.end(), [](const S& component) { return isfinite(component); }))
      throw std::runtime_error("a value stopped being finite at t = " + std::to_string(static_cast<double>(t)));
    right_hand_side(at, rate, t);
  };
  odeint::integrate_times(
      odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<State, S, State, S, Algebra>()),
      checked, x, times.begin(), times.end(), S(1) / S(10000), observe);
}

template void integrate(std::vector<double>, const std::vector<double>&, const double&, const RightHandSide<double>&,
                        const Observe<double>&);
template void integrate(std::vector<Float50>, const std::vector<Float50>&, const Float50&,
                        const RightHandSide<Float50>&, const Observe<Float50>&);

}  // namespace livi::theorem
