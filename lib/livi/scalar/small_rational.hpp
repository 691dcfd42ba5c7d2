// SPDX-License-Identifier: MIT
//
// Rational numbers a/b 2^e with a and b odd and below 2^63. A result that does not fit becomes unknown. Residues keep
// what they know of constants in this form. The power of two stands apart because doubles have one: 0.1 is
// 3602879701896397 2^-55.
#pragma once

#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

namespace livi {

class SmallRational {
 public:
  /// Makes zero.
  SmallRational() = default;
  SmallRational(std::int64_t integer) : numerator_(integer) {  // NOLINT(google-explicit-constructor)
    if (integer == smallest) *this = unknown();
    reduce();
  }
  /// Returns the value that stands for a number which is not known.
  static SmallRational unknown() {
    SmallRational x;
    x.denominator_ = 0;
    return x;
  }

  [[nodiscard]] bool is_known() const { return denominator_ != 0; }
  [[nodiscard]] std::int64_t numerator() const { return numerator_; }
  [[nodiscard]] std::int64_t denominator() const { return denominator_; }  ///< positive; 0 if the number is unknown
  [[nodiscard]] int exponent() const { return exponent_; }                 ///< e of the power of two

  friend SmallRational operator-(SmallRational x) {
    x.numerator_ = -x.numerator_;
    return x;
  }
  friend SmallRational operator+(SmallRational x, SmallRational y) {
    if (!x.is_known() || !y.is_known()) return unknown();
    if (x.numerator_ == 0) return y;
    if (y.numerator_ == 0) return x;
    if (x.exponent_ < y.exponent_) std::swap(x, y);
    const int shift = x.exponent_ - y.exponent_;
    if (shift > 62) return unknown();
    SmallRational sum;
    sum.exponent_ = y.exponent_;
    std::int64_t a = 0, b = 0;
    if (__builtin_mul_overflow(x.numerator_, std::int64_t(1) << shift, &a) ||
        __builtin_mul_overflow(a, y.denominator_, &a) || __builtin_mul_overflow(y.numerator_, x.denominator_, &b) ||
        __builtin_add_overflow(a, b, &sum.numerator_) || sum.numerator_ == smallest ||
        __builtin_mul_overflow(x.denominator_, y.denominator_, &sum.denominator_))
      return unknown();
    sum.reduce();
    return sum;
  }
  friend SmallRational operator-(const SmallRational& x, const SmallRational& y) { return x + -y; }
  friend SmallRational operator*(const SmallRational& x, const SmallRational& y) {
    if (!x.is_known() || !y.is_known()) return unknown();
    // Common factors are cancelled first, so that every result that fits is found.
    const std::int64_t first = std::gcd(x.numerator_, y.denominator_), second = std::gcd(y.numerator_, x.denominator_);
    SmallRational product;
    product.exponent_ = x.exponent_ + y.exponent_;
    if (__builtin_mul_overflow(x.numerator_ / first, y.numerator_ / second, &product.numerator_) ||
        product.numerator_ == smallest ||
        __builtin_mul_overflow(x.denominator_ / second, y.denominator_ / first, &product.denominator_) ||
        product.exponent_ > largest_exponent || product.exponent_ < -largest_exponent)
      return unknown();
    product.reduce();
    return product;
  }
  /// Divides x by y, which must not be zero.
  friend SmallRational operator/(const SmallRational& x, const SmallRational& y) {
    if (!y.is_known()) return unknown();
    SmallRational inverse;
    inverse.numerator_ = y.numerator_ < 0 ? -y.denominator_ : y.denominator_;
    inverse.denominator_ = y.numerator_ < 0 ? -y.numerator_ : y.numerator_;
    inverse.exponent_ = -y.exponent_;
    return x * inverse;
  }
  friend bool operator==(const SmallRational&, const SmallRational&) = default;

 private:
  static constexpr std::int64_t smallest = INT64_MIN;  // has no negative
  static constexpr int largest_exponent = 1 << 20;

  void reduce() {
    if (!is_known()) return;
    if (numerator_ == 0) {
      *this = SmallRational();
      return;
    }
    const std::int64_t common = std::gcd(numerator_, denominator_);
    numerator_ /= common;
    denominator_ /= common;
    const int above = std::countr_zero(static_cast<std::uint64_t>(numerator_)),
              below = std::countr_zero(static_cast<std::uint64_t>(denominator_));
    numerator_ >>= above;
    denominator_ >>= below;
    exponent_ += above - below;
  }

  std::int64_t numerator_ = 0, denominator_ = 1;
  int exponent_ = 0;
};

}  // namespace livi
