// SPDX-License-Identifier: MIT
//
// Numbers as texts of the protocol (docs/protocol.md): decimals of any length, hexadecimal floating point, fractions
// p/q, and pairs "re,im".
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <string_view>

#include <livi/scalar/multiprecision.hpp>

namespace livi {

/// The longest text of a number that is read: to read one takes time as its square.
inline constexpr std::size_t longest_number = 20000;

/// The forms in which numbers of double are written to a method.
enum class NumberForm { decimal, hex };

/// Returns the number that a text is, rounded to nearest where the type rounds; nothing if it is none. "nan" and "inf"
/// are numbers of double and of 50 digits. A number in double may be written in any of the forms; a pair is complex.
std::optional<double> parse_double(std::string_view text);
std::optional<std::complex<double>> parse_complex(std::string_view text);
std::optional<Float50> parse_digits(std::string_view text);
std::optional<Rational> parse_rational(std::string_view text);

/// Return the text of a number: decimals of double are the shortest that read back the same.
std::string number_text(double x, NumberForm form);
std::string number_text(const std::complex<double>& x, NumberForm form);
std::string number_text(const Float50& x, int digits);
std::string number_text(const Rational& x);

}  // namespace livi
