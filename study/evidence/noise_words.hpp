// SPDX-License-Identifier: MIT
//
// The free algebra of a motion A without noise (weight 1) and of kicks B_1, B_2 by two noises that commute (weight 1/2
// each), up to weight two, in exact fractions. A word is a string of the letters A, 1, 2 with neighbouring kicks in
// order. Along paths W_1, W_2 that are polynomials, over the step 0 <= t <= 1,
//
//   exact motion   sum over words of (iterated integral of the word) (word), with dt for A and dW_i for B_i,
//   RATTLE         exp(sum_i b_i B_i) exp(A) exp(sum_i (W_i(1) - b_i) B_i).
//
// Coefficients are polynomials in the moments of the paths: an identity that holds for paths drawn at random, exactly,
// is no accident.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <livi/linalg/normal_numbers.hpp>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace livi::noise_words {

/// A fraction of 64-bit integers in lowest terms. Throws std::overflow_error where these do not do.
class Fraction {
 public:
  Fraction(std::int64_t numerator = 0, std::int64_t denominator = 1) : n_(numerator), d_(denominator) {
    const std::int64_t common = std::gcd(n_, d_) * (d_ < 0 ? -1 : 1);
    n_ /= common;
    d_ /= common;
  }
  friend Fraction operator*(const Fraction& a, const Fraction& b) {
    const Fraction x(a.n_, b.d_), y(b.n_, a.d_);  // crosswise, so that the products are as small as they can be
    return {product(x.n_, y.n_), product(x.d_, y.d_)};
  }
  friend Fraction operator+(const Fraction& a, const Fraction& b) {
    const std::int64_t common = std::gcd(a.d_, b.d_);
    std::int64_t sum = 0;
    if (__builtin_add_overflow(product(a.n_, b.d_ / common), product(b.n_, a.d_ / common), &sum)) overflow();
    return {sum, product(a.d_ / common, b.d_)};
  }
  friend Fraction operator-(const Fraction& a, const Fraction& b) { return a + Fraction(-1) * b; }
  [[nodiscard]] bool vanishes() const { return n_ == 0; }

 private:
  [[noreturn]] static void overflow() { throw std::overflow_error("fraction: more than 64 bits"); }
  static std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) overflow();
    return result;
  }
  std::int64_t n_, d_;
};

/// A sum of words with coefficients.
using Words = std::map<std::string, Fraction>;

constexpr int largest_weight = 4;  ///< in halves
inline int weight(const std::string& word) {
  return static_cast<int>(word.size()) + static_cast<int>(std::count(word.begin(), word.end(), 'A'));
}
/// Returns the word with neighbouring kicks in order.
inline std::string ordered(std::string word) {
  for (auto first = word.begin(); first != word.end();) {
    const auto last = std::find(first, word.end(), 'A');
    std::sort(first, last);
    first = last == word.end() ? last : last + 1;
  }
  return word;
}
/// Returns a + factor b.
inline Words sum(Words a, const Words& b, const Fraction& factor = 1) {
  for (const auto& [word, value] : b) a[word] = a[word] + factor * value;
  return a;
}
inline Words product(const Words& a, const Words& b) {
  Words result;
  for (const auto& [left, x] : a)
    for (const auto& [right, y] : b)
      if (weight(left) + weight(right) <= largest_weight) {
        Fraction& of = result[ordered(left + right)];
        of = of + x * y;
      }
  return result;
}
inline Words commutator(const Words& a, const Words& b) { return sum(product(a, b), product(b, a), -1); }
inline Words exponential(const Words& a) {
  Words result{{"", 1}}, term = result;
  for (int n = 1; n <= largest_weight; ++n) {
    term = product(term, sum({}, a, Fraction(1, n)));
    result = sum(result, term);
  }
  return result;
}
/// Returns how many words do not vanish.
inline int number_of(const Words& words) {
  return static_cast<int>(
      std::count_if(words.begin(), words.end(), [](const auto& entry) { return !entry.second.vanishes(); }));
}

/// A polynomial by its coefficients.
using Polynomial = std::vector<Fraction>;

inline Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial result(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] = result[i + j] + a[i] * b[j];
  return result;
}
inline Polynomial derivative(const Polynomial& a) {
  Polynomial result;
  for (std::size_t k = 1; k < a.size(); ++k) result.push_back(Fraction(static_cast<std::int64_t>(k)) * a[k]);
  return result;
}
/// Returns the integral from 0 on.
inline Polynomial integral(const Polynomial& a) {
  Polynomial result{0};
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(Fraction(1, static_cast<std::int64_t>(k) + 1) * a[k]);
  return result;
}
inline Fraction at_one(const Polynomial& a) { return std::accumulate(a.begin(), a.end(), Fraction(0)); }

/// Two noises over a step of length one.
class Noises {
 public:
  /// Draws cubic paths with W(0) = 0 and coefficients from -4 to 4.
  explicit Noises(std::uint64_t number) {
    double xi[6];
    NormalNumbers(20070418, number)(0, 0, xi, 6);
    for (std::size_t i = 0; i < 2; ++i) {
      paths_[i] = {0};
      for (std::size_t k = 0; k < 3; ++k)
        paths_[i].push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(2 * xi[3 * i + k]), -4, 4));
    }
  }
  [[nodiscard]] Fraction increment(std::size_t i) const { return at_one(paths_[i]); }
  [[nodiscard]] Fraction i10(std::size_t i) const { return at_one(integral(paths_[i])); }
  /// Returns int W_i W_j dt.
  [[nodiscard]] Fraction j(std::size_t i, std::size_t k) const {
    return at_one(integral(product(paths_[i], paths_[k])));
  }
  [[nodiscard]] Words exact() const {
    Words result;
    add_words(result, "", {1});
    return result;
  }
  /// Returns RATTLE with the weights b at the start of the step.
  [[nodiscard]] Words rattle(const std::array<Fraction, 2>& b) const {
    const Words first{{"1", b[0]}, {"2", b[1]}}, last{{"1", increment(0) - b[0]}, {"2", increment(1) - b[1]}};
    return product(product(exponential(first), exponential({{"A", 1}})), exponential(last));
  }

 private:
  /// Adds all words that begin with this one, whose iterated integral is given.
  void add_words(Words& words, const std::string& word, const Polynomial& iterated) const {
    Fraction& of = words[ordered(word)];
    of = of + at_one(iterated);
    if (weight(word) + 2 <= largest_weight) add_words(words, word + "A", integral(iterated));
    if (weight(word) + 1 > largest_weight) return;
    for (std::size_t i = 0; i < 2; ++i)
      add_words(words, word + (i == 0 ? "1" : "2"), integral(product(iterated, derivative(paths_[i]))));
  }

  std::array<Polynomial, 2> paths_;
};

}  // namespace livi::noise_words
