// SPDX-License-Identifier: MIT
//
// Between the numbers of multiprecision.hpp and Boost's own, for programs that use other parts of Boost with them.
// Parsing Boost.Multiprecision takes the compiler some seconds: other headers do without.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <iterator>
#include <limits>

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
  static BoostFloat<Digits> to_boost(const FloatOfDigits<Digits>& x) {
    using Float = FloatOfDigits<Digits>;
    using Limits = std::numeric_limits<BoostFloat<Digits>>;
    BoostFloat<Digits> result;
    if (x.is_nan()) return Limits::quiet_NaN();
    if (!x.is_finite()) {
      result = Limits::infinity();
    } else if (x.kind_ == Float::regular || x.kind_ == -Float::regular) {
      BoostInteger significand;
      import_bits(significand, std::begin(x.limbs_), std::end(x.limbs_), 64, false);
      result = ldexp(BoostFloat<Digits>(significand), x.exponent_ - 64 * Float::limbs);
    }
    return x.kind_ < 0 ? BoostFloat<Digits>(-result) : result;
  }
  template <unsigned Digits>
  static FloatOfDigits<Digits> from_boost(const BoostFloat<Digits>& x) {
    using Float = FloatOfDigits<Digits>;
    Float result;
    int exponent = 0;
    if (isnan(x)) {
      result.kind_ = Float::nan;
      return result;
    }
    if (isfinite(x) && x != 0) {
      const BoostFloat<Digits> fraction = frexp(abs(x), &exponent);
      if (exponent >= -Float::largest_exponent && exponent <= Float::largest_exponent) {
        const BoostInteger significand = BoostInteger(ldexp(fraction, Float::bits))
                                         << (64 * Float::limbs - Float::bits);
        export_bits(significand, result.limbs_, 64, false);
        result.exponent_ = exponent;
        result.kind_ = Float::regular;
      }
    }
    if (isinf(x) || exponent > Float::largest_exponent) result.kind_ = Float::infinite;
    if (signbit(x)) result.kind_ = -result.kind_;
    return result;
  }
};

/// Returns the number as Boost's, exactly: its exponents have twice the range.
template <unsigned Digits>
BoostFloat<Digits> to_boost(const FloatOfDigits<Digits>& x) {
  return FloatAccess::to_boost(x);
}
/// Returns Boost's number; infinite or zero where its exponent is out of range.
template <unsigned Digits>
FloatOfDigits<Digits> from_boost(const BoostFloat<Digits>& x) {
  return FloatAccess::from_boost(x);
}

}  // namespace livi
