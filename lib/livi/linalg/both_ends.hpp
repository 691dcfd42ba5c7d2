// SPDX-License-Identifier: MIT
//
// Pairs of numbers, one for each end of a chain, on which the same operations are done at the same time: in one
// register where the standard library has std::experimental::simd (two doubles on every x86-64), one after the other
// elsewhere. Both results are bit by bit those of S alone.
#pragma once

#include <livi/linalg/vector.hpp>

#if __has_include(<experimental/simd>)
#include <experimental/simd>
#endif

namespace livi {

template <class S>
class BothEnds {
 public:
  BothEnds() = default;
  BothEnds(int constant) : front_(constant), back_(constant) {}       // NOLINT(google-explicit-constructor): formulas
  BothEnds(const S& constant) : front_(constant), back_(constant) {}  // NOLINT(google-explicit-constructor)
  BothEnds(const S& front, const S& back) : front_(front), back_(back) {}
  [[nodiscard]] const S& front() const { return front_; }
  [[nodiscard]] const S& back() const { return back_; }

  friend BothEnds operator+(const BothEnds& a, const BothEnds& b) { return {a.front_ + b.front_, a.back_ + b.back_}; }
  friend BothEnds operator-(const BothEnds& a, const BothEnds& b) { return {a.front_ - b.front_, a.back_ - b.back_}; }
  friend BothEnds operator*(const BothEnds& a, const BothEnds& b) { return {a.front_ * b.front_, a.back_ * b.back_}; }
  friend BothEnds operator/(const BothEnds& a, const BothEnds& b) { return {a.front_ / b.front_, a.back_ / b.back_}; }
  friend BothEnds operator-(const BothEnds& a) { return {-a.front_, -a.back_}; }
  friend bool operator==(const BothEnds& a, const BothEnds& b) { return a.front_ == b.front_ && a.back_ == b.back_; }
  BothEnds& operator+=(const BothEnds& b) { return *this = *this + b; }
  BothEnds& operator-=(const BothEnds& b) { return *this = *this - b; }
  BothEnds& operator*=(const BothEnds& b) { return *this = *this * b; }
  BothEnds& operator/=(const BothEnds& b) { return *this = *this / b; }

  /// Returns the pair of the front of `a` and the back of `b`.
  friend BothEnds front_and_back(const BothEnds& a, const BothEnds& b) { return {a.front_, b.back_}; }

 private:
  S front_{}, back_{};
};

#if __has_include(<experimental/simd>)
template <>
class BothEnds<double> {
  using Pair = std::experimental::simd<double, std::experimental::simd_abi::deduce_t<double, 2>>;

 public:
  BothEnds() : pair_(0.0) {}
  BothEnds(int constant) : pair_(static_cast<double>(constant)) {}  // NOLINT(google-explicit-constructor): formulas
  BothEnds(double constant) : pair_(constant) {}                    // NOLINT(google-explicit-constructor)
  BothEnds(double front, double back) : pair_([&](auto end) { return end == 0 ? front : back; }) {}
  [[nodiscard]] double front() const { return pair_[0]; }
  [[nodiscard]] double back() const { return pair_[1]; }

  friend BothEnds operator+(const BothEnds& a, const BothEnds& b) { return BothEnds(a.pair_ + b.pair_); }
  friend BothEnds operator-(const BothEnds& a, const BothEnds& b) { return BothEnds(a.pair_ - b.pair_); }
  friend BothEnds operator*(const BothEnds& a, const BothEnds& b) { return BothEnds(a.pair_ * b.pair_); }
  friend BothEnds operator/(const BothEnds& a, const BothEnds& b) { return BothEnds(a.pair_ / b.pair_); }
  friend BothEnds operator-(const BothEnds& a) { return BothEnds(-a.pair_); }
  friend bool operator==(const BothEnds& a, const BothEnds& b) { return all_of(a.pair_ == b.pair_); }
  BothEnds& operator+=(const BothEnds& b) { return *this = *this + b; }
  BothEnds& operator-=(const BothEnds& b) { return *this = *this - b; }
  BothEnds& operator*=(const BothEnds& b) { return *this = *this * b; }
  BothEnds& operator/=(const BothEnds& b) { return *this = *this / b; }

  friend BothEnds front_and_back(const BothEnds& a, const BothEnds& b) { return {a.front(), b.back()}; }
  friend BothEnds sizes(const BothEnds& a) { return BothEnds(abs(a.pair_)); }
  /// Returns whether a < b at both ends.
  friend bool all_less(const BothEnds& a, const BothEnds& b) { return all_of(a.pair_ < b.pair_); }

 private:
  explicit BothEnds(const Pair& pair) : pair_(pair) {}
  Pair pair_;
};
#endif

template <class S, int Rows, int Columns>
Matrix<BothEnds<S>, Rows, Columns> both_ends(const Matrix<S, Rows, Columns>& front,
                                             const Matrix<S, Rows, Columns>& back) {
  Matrix<BothEnds<S>, Rows, Columns> both;
  for (int j = 0; j < Columns; ++j)
    for (int i = 0; i < Rows; ++i) both(i, j) = {front(i, j), back(i, j)};
  return both;
}
template <class S, int Rows, int Columns>
Matrix<S, Rows, Columns> front_of(const Matrix<BothEnds<S>, Rows, Columns>& both) {
  Matrix<S, Rows, Columns> front;
  for (int j = 0; j < Columns; ++j)
    for (int i = 0; i < Rows; ++i) front(i, j) = both(i, j).front();
  return front;
}
template <class S, int Rows, int Columns>
Matrix<S, Rows, Columns> back_of(const Matrix<BothEnds<S>, Rows, Columns>& both) {
  Matrix<S, Rows, Columns> back;
  for (int j = 0; j < Columns; ++j)
    for (int i = 0; i < Rows; ++i) back(i, j) = both(i, j).back();
  return back;
}

}  // namespace livi

template <class S>
struct Eigen::NumTraits<livi::BothEnds<S>> : Eigen::GenericNumTraits<livi::BothEnds<S>> {
  using Real = livi::BothEnds<S>;
  using NonInteger = livi::BothEnds<S>;
  using Nested = livi::BothEnds<S>;
  using Literal = livi::BothEnds<S>;
};
