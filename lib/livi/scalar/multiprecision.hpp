// SPDX-License-Identifier: MIT
//
// 50- and 100-digit floating point and exact rationals, from Boost.Multiprecision. Expression templates are off: Eigen
// needs operators that return values.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/eigen.hpp>

#include <livi/scalar/scalar.hpp>

namespace livi::detail {
/// A matrix or vector expression of Eigen, or one of its base classes.
template <class T>
concept EigenExpression = requires(const T& t) {
  []<class Derived>(const Eigen::EigenBase<Derived>&) {}(t);
};
}  // namespace livi::detail

// Boost 1.74 asks of every type that meets a cpp_int whether it is a container of bytes, and breaks on Eigen 3.4's
// expressions, whose const_iterator is void. No matrix is a container of bytes.
template <livi::detail::EigenExpression T>
struct boost::multiprecision::detail::is_byte_container<T> : std::false_type {};

namespace livi {

using Float50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using Float100 =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational::backend_type, boost::multiprecision::et_off>;

template <unsigned Digits>
struct ScalarTraits<
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>, boost::multiprecision::et_off>> {
  using real =
      boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>, boost::multiprecision::et_off>;
  static constexpr bool exact = false;
  static real epsilon() { return std::numeric_limits<real>::epsilon(); }
  static real magnitude(const real& x) { return abs(x); }
  static const real& leading(const real& x) { return x; }
  static double to_double(const real& x) { return x.template convert_to<double>(); }
  static bool is_finite(const real& x) { return isfinite(x); }
};

template <>
struct ScalarTraits<Rational> {
  using real = Rational;
  static constexpr bool exact = true;
  static real epsilon() { return 0; }
  static real magnitude(const Rational& x) { return abs(x); }
  static const real& leading(const Rational& x) { return x; }
  static double to_double(const Rational& x) { return x.convert_to<double>(); }
  static bool is_finite(const Rational&) { return true; }
};

}  // namespace livi
