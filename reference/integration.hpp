// SPDX-License-Identifier: MIT
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/numeric/odeint/algebra/algebra_dispatcher.hpp>
#include <boost/numeric/odeint/integrate/integrate_times.hpp>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/double_pendulum_reference.hpp"

/// What all references share: times, Boost.Odeint's methods, the choice of an arithmetic, and the comparison of two
/// independent runs by which the accuracy of a reference is known.
namespace livi::reference {

using FiftyDigits =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

/// Times k * end_time / (samples - 1), exact up to one rounding in S. samples >= 2, end_time > 0 and finite.
template <class S>
[[nodiscard]] std::vector<S> equally_spaced_times(double end_time, int samples) {
  if (!(end_time > 0.0) || !std::isfinite(end_time))
    throw std::invalid_argument("end_time = " + std::to_string(end_time) + ": a positive finite time is needed");
  if (samples < 2) throw std::invalid_argument("samples = " + std::to_string(samples) + ": at least 2 are needed");
  std::vector<S> times;
  times.reserve(static_cast<std::size_t>(samples));
  for (int k = 0; k < samples; ++k) times.push_back(S(k) * S(end_time) / S(samples - 1));
  return times;
}

/// f.operator()<S>() with the numbers that `arithmetic` names.
template <class F>
auto in_arithmetic(Arithmetic arithmetic, const F& f) {
  switch (arithmetic) {
    case Arithmetic::double_precision:
      return f.template operator()<double>();
    case Arithmetic::extended_precision:
      return f.template operator()<long double>();
    case Arithmetic::fifty_digits:
      return f.template operator()<FiftyDigits>();
  }
  throw std::invalid_argument("arithmetic: unknown value");
}

namespace detail {

/// odeint's algebra with a norm that does not look for State::value_type::value_type, which Boost's numbers define.
template <class State>
struct Algebra : boost::numeric::odeint::algebra_dispatcher<State>::algebra_type {
  [[nodiscard]] static typename State::value_type norm_inf(const State& x) {
    using std::abs;
    typename State::value_type largest(0);
    for (const auto& component : x) {
      const typename State::value_type magnitude = abs(component);
      if (magnitude > largest) largest = magnitude;
    }
    return largest;
  }
};

}  // namespace detail

/// Runs `system`, dxdt = system(x, dxdt, t), from x = system.initial() through `times` (increasing, the first one is
/// the start) by an odeint method whose steps end exactly on them; observe(x, t) at each. tolerance is both the
/// absolute and the relative bound on the local error. Errors: std::invalid_argument for Method::taylor;
/// boost::numeric::odeint::no_progress_error, a std::runtime_error.
template <class S, class System, class Observe>
void integrate_by_odeint(const System& system, const std::vector<S>& times, const S& tolerance, Method method,
                         const Observe& observe) {
  namespace odeint = boost::numeric::odeint;
  using State = typename System::State;
  using Algebra = detail::Algebra<State>;
  // odeint copies what it is given; the reference keeps one system.
  const auto right_hand_side = [&system](const State& at, State& dxdt, const S& t) { system(at, dxdt, t); };
  const auto integrate = [&](auto&& stepper) {
    State x = system.initial();
    odeint::integrate_times(stepper, right_hand_side, x, times.begin(), times.end(), S(1) / S(1000), observe);
  };
  switch (method) {
    case Method::fehlberg78: {
      // static, hence zero before odeint copies its unused workspace
      static const odeint::runge_kutta_fehlberg78<State, S, State, S, Algebra> prototype;
      return integrate(odeint::make_controlled(tolerance, tolerance, prototype));
    }
    case Method::bulirsch_stoer:
      return integrate(odeint::bulirsch_stoer<State, S, State, S, Algebra>(tolerance, tolerance));
    case Method::taylor:
      break;
  }
  throw std::invalid_argument("method = " + name(method) + ", allowed are fehlberg78 and bulirsch_stoer");
}

template <class Formulation>
struct Run {
  Formulation formulation;
  Method method;
  double tolerance;
};

template <class Formulation>
struct Attempt {
  Arithmetic arithmetic;
  /// Fraction of the wanted accuracy within which the two runs must agree.
  double margin;
  Run<Formulation> first, second;
};

/// Two independent runs per attempt, run(arithmetic, of) each: the first attempt whose runs agree is the result, a
/// Checked with `states`, `disagreement` and `arithmetic`. `system`: what is integrated, for messages. Errors:
/// std::invalid_argument if accuracy is not from 1e-14 to 1e-2, std::runtime_error if no two runs agree.
template <class Checked, class Formulation, class RunOf>
[[nodiscard]] Checked first_agreement(const std::string& system, double end_time, double accuracy,
                                      std::initializer_list<Attempt<Formulation>> attempts, const RunOf& run) {
  std::ostringstream message;
  message << system << " reference: ";
  if (!(accuracy >= 1e-14 && accuracy <= 1e-2)) {
    message << "accuracy = " << accuracy << ", allowed are values from 1e-14 to 1e-2";
    throw std::invalid_argument(message.str());
  }
  Checked reference;
  for (const Attempt<Formulation>& attempt : attempts) {
    reference.arithmetic = attempt.arithmetic;
    reference.states = run(attempt.arithmetic, attempt.first);
    reference.disagreement = disagreement(reference.states, run(attempt.arithmetic, attempt.second));
    if (reference.disagreement <= attempt.margin * accuracy) return reference;
  }
  message << "no reference to " << accuracy << " up to t = " << end_time << ": two runs in "
          << name(reference.arithmetic) << " differ by " << reference.disagreement;
  throw std::runtime_error(message.str());
}

}  // namespace livi::reference
