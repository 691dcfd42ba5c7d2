// SPDX-License-Identifier: MIT
#include "reference/integration.hpp"

#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <boost/numeric/odeint/integrate/integrate_times.hpp>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>

namespace livi::reference::detail {
namespace {

/// odeint's algebra with a norm that does not look for State::value_type::value_type, which Boost's numbers define.
struct Algebra : boost::numeric::odeint::range_algebra {
  template <class S>
  static S norm_inf(const std::vector<S>& x) {
    using std::abs;
    S largest(0);
    for (const S& component : x) {
      const S magnitude = abs(component);
      if (magnitude > largest) largest = magnitude;
    }
    return largest;
  }
};

}  // namespace

template <class S>
void integrate_vector(const RightHandSide<S>& right_hand_side, std::vector<S> x, const std::vector<S>& times,
                      const S& tolerance, Method method, const Observer<S>& observe) {
  namespace odeint = boost::numeric::odeint;
  using State = std::vector<S>;
  const auto integrate = [&](auto&& stepper) {
    odeint::integrate_times(stepper, std::ref(right_hand_side), x, times.begin(), times.end(), S(1) / S(1000), observe);
  };
  switch (method) {
    case Method::fehlberg78:
      return integrate(
          odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_fehlberg78<State, S, State, S, Algebra>()));
    case Method::bulirsch_stoer:
      return integrate(odeint::bulirsch_stoer<State, S, State, S, Algebra>(tolerance, tolerance));
    case Method::taylor:
      break;
  }
  throw std::invalid_argument("method = " + name(method) + ", allowed are fehlberg78 and bulirsch_stoer");
}

template void integrate_vector(const RightHandSide<double>&, std::vector<double>, const std::vector<double>&,
                               const double&, Method, const Observer<double>&);
template void integrate_vector(const RightHandSide<long double>&, std::vector<long double>,
                               const std::vector<long double>&, const long double&, Method,
                               const Observer<long double>&);
template void integrate_vector(const RightHandSide<FiftyDigits>&, std::vector<FiftyDigits>,
                               const std::vector<FiftyDigits>&, const FiftyDigits&, Method,
                               const Observer<FiftyDigits>&);

}  // namespace livi::reference::detail
