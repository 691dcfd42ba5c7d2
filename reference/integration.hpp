// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
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
/// Writes the derivative of x at time t into dxdt, which has the size of x.
template <class S>
using RightHandSide = std::function<void(const std::vector<S>& x, std::vector<S>& dxdt, const S& t)>;
template <class S>
using Observer = std::function<void(const std::vector<S>& x, const S& t)>;
/// Integrates by an odeint method, which is compiled once for each arithmetic whatever the system is.
template <class S>
void integrate_vector(const RightHandSide<S>& right_hand_side, std::vector<S> x, const std::vector<S>& times,
                      const S& tolerance, Method method, const Observer<S>& observe);
}  // namespace detail

/// Runs `system`, dxdt = system(x, dxdt, t), from x = system.initial() through `times` (increasing, the first one is
/// the start) by an odeint method whose steps end exactly on them; observe(x, t) at each. tolerance is both the
/// absolute and the relative bound on the local error. Errors: std::invalid_argument for Method::taylor;
/// boost::numeric::odeint::no_progress_error, a std::runtime_error.
template <class S, class System, class Observe>
void integrate_by_odeint(const System& system, const std::vector<S>& times, const S& tolerance, Method method,
                         const Observe& observe) {
  using State = typename System::State;
  State state = system.initial(), change = state;
  detail::integrate_vector<S>(
      [&](const std::vector<S>& at, std::vector<S>& dxdt, const S& time) {
        std::ranges::copy(at, state.begin());
        system(state, change, time);
        std::ranges::copy(change, dxdt.begin());
      },
      std::vector<S>(state.begin(), state.end()), times, tolerance, method,
      [&](const std::vector<S>& at, const S& time) {
        std::ranges::copy(at, state.begin());
        observe(state, time);
      });
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
