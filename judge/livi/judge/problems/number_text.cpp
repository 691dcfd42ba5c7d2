// SPDX-License-Identifier: MIT
#include <livi/judge/problems/number_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace livi {
namespace {

/// The longest exponent that is read: 10^9999 is beyond every number type but fractions, whose size it bounds.
constexpr std::size_t longest_exponent = 4;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Takes a sign from the front of a text; returns whether it was a minus.
bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
  const bool minus = text.front() == '-';
  text.remove_prefix(1);
  return minus;
}

/// Returns 1, -1 for an infinity and 2 for what is no number, of either case; 0 for another text.
int special(std::string_view text) {
  const bool minus = take_sign(text);
  std::string lower(text.substr(0, 8));
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (text.size() > 8) return 0;
  if (lower == "inf" || lower == "infinity") return minus ? -1 : 1;
  return lower == "nan" ? 2 : 0;
}

/// A decimal or hexadecimal number, taken apart: sign, digits before and after the point, exponent.
struct Parts {
  bool minus = false, hex = false;
  std::string digits;  ///< all digits, without the point
  long after_point = 0, exponent = 0;
};

std::optional<Parts> parts_of(std::string_view text) {
  if (text.size() > longest_number) return std::nullopt;
  Parts parts;
  parts.minus = take_sign(text);
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    parts.hex = true;
    text.remove_prefix(2);
  }
  bool point = false;
  while (!text.empty()) {
    const char c = text.front();
    if (parts.hex ? is_hex_digit(c) : is_digit(c)) {
      parts.digits += c;
      if (point) ++parts.after_point;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  if (parts.digits.empty()) return std::nullopt;
  if (text.empty()) return parts;
  // Fortran writes the exponent of double precision with a D.
  const char mark = text.front();
  if (!(parts.hex ? mark == 'p' || mark == 'P' : mark == 'e' || mark == 'E' || mark == 'd' || mark == 'D'))
    return std::nullopt;
  text.remove_prefix(1);
  const bool minus = take_sign(text);
  if (text.empty() || text.size() > longest_exponent || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  for (const char c : text) parts.exponent = 10 * parts.exponent + (c - '0');
  if (minus) parts.exponent = -parts.exponent;
  return parts;
}

std::optional<Integer> integer_of(std::string_view text) {
  const bool minus = take_sign(text);
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  while (text.size() > 1 && text.front() == '0') text.remove_prefix(1);  // a leading zero would mean octal
  const Integer x{std::string(text)};
  return minus ? -x : x;
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  if (text.size() > longest_number) return std::nullopt;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto numerator = integer_of(text.substr(0, slash));
    const std::string_view below = text.substr(slash + 1);
    if (below.empty() || !is_digit(below.front())) return std::nullopt;
    const auto denominator = integer_of(below);
    if (!numerator || !denominator || *denominator == Integer(0)) return std::nullopt;
    return Rational(*numerator, *denominator);
  }
  const auto parts = parts_of(text);
  if (!parts) return std::nullopt;
  Integer digits;
  if (parts->hex) {
    for (const char c : parts->digits)
      digits = digits * Integer(16) + Integer(is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
  } else {
    digits = *integer_of(parts->digits);
  }
  const long exponent = parts->exponent - (parts->hex ? 4 : 1) * parts->after_point;
  const Integer power = pow(Integer(parts->hex ? 2 : 10), static_cast<unsigned>(std::abs(exponent)));
  const Rational size = exponent < 0 ? Rational(digits, power) : Rational(Integer(digits * power));
  return parts->minus ? -size : size;
}

namespace {

/// Reads a number in the forms that most programs write, [-]digits[.digits][e[-]digits] and [-]0xhex[.hex][p[-]digits]:
/// no allocation. Other texts are left to those who know all forms.
std::optional<double> parse_plain(std::string_view text) {
  const bool minus = !text.empty() && text.front() == '-';
  std::string_view size = text.substr(minus ? 1 : 0);
  const bool hex = size.size() > 2 && size[0] == '0' && size[1] == 'x';
  if (hex) size.remove_prefix(2);
  if (size.empty() || !(hex ? is_hex_digit(size.front()) : is_digit(size.front()))) return std::nullopt;
  // An exponent has at most four digits.
  const auto mark = size.find(hex ? 'p' : 'e');
  if (mark != std::string_view::npos && size.size() - mark - 1 > longest_exponent) return std::nullopt;
  double x = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), x,
                                            hex ? std::chars_format::hex : std::chars_format::general);
  if (error != std::errc() || end != size.data() + size.size()) return std::nullopt;
  return minus ? -x : x;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  if (text.size() <= 40)
    if (const std::optional<double> plain = parse_plain(text)) return plain;
  if (const int kind = special(text); kind != 0)
    return kind == 2 ? std::numeric_limits<double>::quiet_NaN() : kind * std::numeric_limits<double>::infinity();
  if (text.find('/') != std::string_view::npos) {
    const auto fraction = parse_rational(text);
    return fraction ? std::optional(fraction->convert_to<double>()) : std::nullopt;
  }
  const auto parts = parts_of(text);
  if (!parts) return std::nullopt;
  std::string plain(text);
  if (parts->hex) {
    plain.erase(0, plain.find_first_of("xX") + 1);
  } else {
    std::ranges::replace(plain, 'd', 'e');
    std::ranges::replace(plain, 'D', 'e');
    if (plain.front() == '+' || plain.front() == '-') plain.erase(0, 1);
  }
  // from_chars knows neither a sign before the number other than minus, nor "0x".
  double x = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), x,
                                            parts->hex ? std::chars_format::hex : std::chars_format::general);
  if (error == std::errc::result_out_of_range) {
    // Too small or too large: zero or infinity, as in every language.
    const bool zero = parts->digits.find_first_not_of('0') == std::string::npos;
    const double exponent = static_cast<double>(parts->exponent) * (parts->hex ? 1 : 3.3) +
                            static_cast<double>(parts->digits.size()) * (parts->hex ? 4 : 3.3) -
                            static_cast<double>(parts->after_point) * (parts->hex ? 4 : 3.3);
    x = zero || exponent < 0 ? 0 : std::numeric_limits<double>::infinity();
  } else if (error != std::errc() || end != plain.data() + plain.size()) {
    return std::nullopt;
  }
  return parts->minus ? -x : x;
}

std::optional<std::complex<double>> parse_complex(std::string_view text) {
  const auto comma = text.find(',');
  const auto re = parse_double(text.substr(0, comma));
  const auto im = comma == std::string_view::npos ? std::optional(0.0) : parse_double(text.substr(comma + 1));
  if (!re || !im) return std::nullopt;
  return std::complex<double>(*re, *im);
}

std::optional<Float50> parse_digits(std::string_view text) {
  if (const int kind = special(text); kind != 0)
    return kind == 2 ? std::numeric_limits<Float50>::quiet_NaN() : kind * std::numeric_limits<Float50>::infinity();
  const auto parts = parts_of(text);
  if (parts && !parts->hex) {
    std::string plain(text);
    std::ranges::replace(plain, 'd', 'e');
    std::ranges::replace(plain, 'D', 'e');
    return Float50(plain);
  }
  const auto fraction = parse_rational(text);
  return fraction ? std::optional(Float50(*fraction)) : std::nullopt;
}

std::string number_text(double x, NumberForm form) {
  if (std::isnan(x)) return "nan";  // without a sign, whatever its bits are
  std::array<char, 64> buffer{};
  char* begin = buffer.data();
  if (form == NumberForm::hex && std::isfinite(x)) {
    if (std::signbit(x)) *begin++ = '-';
    *begin++ = '0';
    *begin++ = 'x';
    begin = std::to_chars(begin, buffer.data() + buffer.size(), std::abs(x), std::chars_format::hex).ptr;
  } else {
    begin = std::to_chars(begin, buffer.data() + buffer.size(), x).ptr;
  }
  return {buffer.data(), begin};
}
std::string number_text(const std::complex<double>& x, NumberForm form) {
  return number_text(x.real(), form) + "," + number_text(x.imag(), form);
}
std::string number_text(const Float50& x, int digits) { return x.str(digits, std::ios_base::scientific); }
std::string number_text(const Rational& x) {
  const Integer below = denominator(x);
  return below == Integer(1) ? numerator(x).str() : numerator(x).str() + "/" + below.str();
}

}  // namespace livi
