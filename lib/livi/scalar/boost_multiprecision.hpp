// SPDX-License-Identifier: MIT
//
// Between the numbers of multiprecision.hpp and Boost's own, for programs that use other parts of Boost with them.
// Parsing Boost.Multiprecision takes the compiler some seconds: other headers do without.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <new>

#include <livi/scalar/multiprecision.hpp>

namespace livi {

/// Expression templates are off: Eigen needs operators that return values.
template <unsigned Digits>
using BoostFloat =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>, boost::multiprecision::et_off>;
using BoostInteger =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using BoostRational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational::backend_type, boost::multiprecision::et_off>;

struct FloatAccess {
  template <unsigned Digits>
  static BoostFloat<Digits>& number(FloatOfDigits<Digits>& x) {
    return *std::launder(reinterpret_cast<BoostFloat<Digits>*>(x.number_));
  }
  template <unsigned Digits>
  static const BoostFloat<Digits>& number(const FloatOfDigits<Digits>& x) {
    return *std::launder(reinterpret_cast<const BoostFloat<Digits>*>(x.number_));
  }
};

/// Returns the number as Boost's.
template <unsigned Digits>
const BoostFloat<Digits>& to_boost(const FloatOfDigits<Digits>& x) {
  return FloatAccess::number(x);
}
template <unsigned Digits>
FloatOfDigits<Digits> from_boost(const BoostFloat<Digits>& x) {
  FloatOfDigits<Digits> result;
  FloatAccess::number(result) = x;
  return result;
}

}  // namespace livi
