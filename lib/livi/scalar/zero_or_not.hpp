// SPDX-License-Identifier: MIT
//
// Sizes of numbers that have no order: residues modulo a prime, rational functions. All that can be asked of such a
// number is whether it is zero. A program that asks for more (whether one size is larger than another, whether a number
// is negative, what it is as a double) is refused with NotRational: a made-up answer would silently choose one of its
// branches, and what is then proved of that branch would be taken for a statement about the program.
//
// Where the library itself asks for an order and the answer cannot change the result, it says so with OrderAssumed:
// elimination looks for the largest pivot, but every pivot that is not zero leads to the same solution.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <livi/scalar/scalar.hpp>

namespace livi {

/// The exception for a program that does what no rational function does: a root, an elementary function, a comparison
/// by size.
class NotRational : public std::runtime_error {
 public:
  explicit NotRational(const std::string& what) : std::runtime_error(what + " is not a rational function") {}

 protected:
  struct Sentence {
    std::string text;
  };
  explicit NotRational(const Sentence& sentence) : std::runtime_error(sentence.text) {}
};

namespace zero_or_not_detail {
struct Assumptions {
  std::vector<OrderReason> in_force = {};
  std::array<bool, 4> used = {};
};
inline Assumptions& assumptions() {
  static thread_local Assumptions instance;
  return instance;
}
}  // namespace zero_or_not_detail

/// A size or a sign of a number without order. Constants are known numbers and behave as such. Of any other number it
/// is known whether it is zero, and of a size also that it is not negative. Comparisons that follow from this are
/// answered. All others throw NotRational or, during the life of an OrderAssumed, are answered with 1 in the place of
/// all that is not zero.
class ZeroOrNot {
 public:
  ZeroOrNot() = default;
  template <class T>
  requires std::integral<T> || std::floating_point<T> ZeroOrNot(T constant)
      : stand_in_(static_cast<double>(constant)) {}  // NOLINT(google-explicit-constructor)
  /// Returns what is known of the size of a number, or of the number itself, given whether it is zero.
  static ZeroOrNot size_of(bool is_zero) { return is_zero ? ZeroOrNot() : ZeroOrNot(1, Kind::size); }
  static ZeroOrNot sign_of(bool is_zero) { return is_zero ? ZeroOrNot() : ZeroOrNot(1, Kind::sign); }

  /// Returns the number where it is known; throws NotRational otherwise.
  [[nodiscard]] double known() const {
    if (kind_ != Kind::known) throw NotRational("the size of a number");
    return stand_in_;
  }

  friend ZeroOrNot operator-(const ZeroOrNot& x) {
    return {-x.stand_in_, x.kind_ == Kind::size ? Kind::sign : x.kind_};
  }
  friend ZeroOrNot operator+(const ZeroOrNot& a, const ZeroOrNot& b) {
    if (a.is_known_zero()) return b;
    if (b.is_known_zero()) return a;
    const double sum = a.stand_in_ + b.stand_in_;
    if (a.is_known() && b.is_known()) return sum;
    return {sum, a.is_not_negative() && b.is_not_negative() ? Kind::size : Kind::unknown};
  }
  friend ZeroOrNot operator-(const ZeroOrNot& a, const ZeroOrNot& b) { return a + -b; }
  friend ZeroOrNot operator*(const ZeroOrNot& a, const ZeroOrNot& b) {
    if (a.is_known_zero() || b.is_known_zero()) return 0;
    return {a.stand_in_ * b.stand_in_, kind_of_product(a, b)};
  }
  friend ZeroOrNot operator/(const ZeroOrNot& a, const ZeroOrNot& b) {
    return {a.stand_in_ / b.stand_in_, a.is_known_zero() && !b.is_known_zero() ? Kind::known : kind_of_product(a, b)};
  }
  ZeroOrNot& operator+=(const ZeroOrNot& b) { return *this = *this + b; }
  ZeroOrNot& operator-=(const ZeroOrNot& b) { return *this = *this - b; }
  ZeroOrNot& operator*=(const ZeroOrNot& b) { return *this = *this * b; }
  ZeroOrNot& operator/=(const ZeroOrNot& b) { return *this = *this / b; }
  friend ZeroOrNot abs(const ZeroOrNot& x) {
    return {std::abs(x.stand_in_), x.kind_ == Kind::sign ? Kind::size : x.kind_};
  }
  /// Returns the larger of two sizes (livi::larger), which is zero only if both are.
  friend ZeroOrNot larger(const ZeroOrNot& a, const ZeroOrNot& b) {
    if (a.is_known() && b.is_known()) return a.stand_in_ < b.stand_in_ || !(b.stand_in_ == b.stand_in_) ? b : a;
    const double stand_in = std::max(a.stand_in_, b.stand_in_);
    return {stand_in, a.is_not_negative() && b.is_not_negative() ? Kind::size : Kind::unknown};
  }

  friend bool operator==(const ZeroOrNot& a, const ZeroOrNot& b) {
    if (a.is_known() && b.is_known()) return a.stand_in_ == b.stand_in_;
    for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
      if (x.is_known() && (y.kind_ == Kind::size ? x.stand_in_ <= 0 : x.stand_in_ == 0 && y.kind_ == Kind::sign))
        return false;
    return answer(a.stand_in_ == b.stand_in_);
  }
  friend bool operator!=(const ZeroOrNot& a, const ZeroOrNot& b) { return !(a == b); }
  friend bool operator<(const ZeroOrNot& a, const ZeroOrNot& b) {
    if (a.is_known() && b.is_known()) return a.stand_in_ < b.stand_in_;
    if (a.is_known() && a.stand_in_ <= 0 && b.kind_ == Kind::size) return true;
    if (b.is_known() && b.stand_in_ <= 0 && a.kind_ == Kind::size) return false;
    return answer(a.stand_in_ < b.stand_in_);
  }
  friend bool operator<=(const ZeroOrNot& a, const ZeroOrNot& b) {
    if (a.is_known() && b.is_known()) return a.stand_in_ <= b.stand_in_;
    if (a.is_known() && a.stand_in_ <= 0 && b.kind_ == Kind::size) return true;
    if (b.is_known() && b.stand_in_ <= 0 && a.kind_ == Kind::size) return false;
    return answer(a.stand_in_ <= b.stand_in_);
  }
  friend bool operator>(const ZeroOrNot& a, const ZeroOrNot& b) { return b < a; }
  friend bool operator>=(const ZeroOrNot& a, const ZeroOrNot& b) { return b <= a; }

 private:
  /// What is known: the number; that it is neither zero nor negative; that it is not zero; nothing.
  enum class Kind { known, size, sign, unknown };
  ZeroOrNot(double stand_in, Kind kind) : stand_in_(stand_in), kind_(kind) {}

  [[nodiscard]] bool is_known() const { return kind_ == Kind::known; }
  [[nodiscard]] bool is_known_zero() const { return is_known() && stand_in_ == 0; }
  [[nodiscard]] bool is_not_negative() const { return kind_ == Kind::size || (is_known() && stand_in_ >= 0); }
  static Kind kind_of_product(const ZeroOrNot& a, const ZeroOrNot& b) {
    if (a.is_known() && b.is_known()) return Kind::known;
    for (const ZeroOrNot& x : {a, b})
      if (x.kind_ == Kind::unknown || (x.is_known() && !(x.stand_in_ != 0 && std::isfinite(x.stand_in_))))
        return Kind::unknown;
    return a.is_not_negative() && b.is_not_negative() ? Kind::size : Kind::sign;
  }
  static bool answer(bool of_stand_ins) {
    auto& assumptions = zero_or_not_detail::assumptions();
    if (assumptions.in_force.empty()) throw NotRational("an order of sizes or a sign");
    assumptions.used[static_cast<std::size_t>(assumptions.in_force.back())] = true;
    return of_stand_ins;
  }

  double stand_in_ = 0;  ///< the number itself if known; otherwise made from 0 and from 1 for what is not zero
  Kind kind_ = Kind::known;
};

template <>
struct ScalarTraits<ZeroOrNot> {
  using real = ZeroOrNot;
  static constexpr bool exact = true;
  static real epsilon() { return 0; }
  static real magnitude(const ZeroOrNot& x) { return abs(x); }
  static real leading(const ZeroOrNot& x) { return x; }
  static double to_double(const ZeroOrNot& x) { return x.known(); }
  static bool is_finite(const ZeroOrNot&) { return true; }
};

/// The OrderAssumed of ZeroOrNot (scalar.hpp): during its life all comparisons of its thread are answered, and those
/// that would have been refused are remembered.
template <>
class OrderAssumedFor<ZeroOrNot> {
 public:
  explicit OrderAssumedFor(OrderReason reason) { zero_or_not_detail::assumptions().in_force.push_back(reason); }
  OrderAssumedFor(const OrderAssumedFor&) = delete;
  OrderAssumedFor& operator=(const OrderAssumedFor&) = delete;
  ~OrderAssumedFor() { zero_or_not_detail::assumptions().in_force.pop_back(); }
  static void note(OrderReason reason) {
    zero_or_not_detail::assumptions().used[static_cast<std::size_t>(reason)] = true;
  }
};

/// Forgets the reasons for which an order was assumed in this thread.
inline void forget_assumed_orders() { zero_or_not_detail::assumptions().used = {}; }
/// Returns in words what this thread has assumed since then, in comparisons that would have been refused otherwise.
inline std::vector<std::string> assumed_orders() {
  constexpr std::array words = {"every pivot that is not zero is taken", "parameters are in their allowed range",
                                "no update of an iteration is damped", "one formula stands for a choice by size"};
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (zero_or_not_detail::assumptions().used[i]) result.emplace_back(words[i]);
  return result;
}

}  // namespace livi
