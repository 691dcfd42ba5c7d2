// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <utility>

#include <livi/scalar/scalar.hpp>

namespace livi {

/// A vector of N entries; N may be Eigen::Dynamic. Fixed sizes live on the stack and unroll; neither kind allocates
/// inside a step.
template <class S, int N>
using Vector = Eigen::Matrix<S, N, 1>;
template <class S, int Rows, int Columns = Rows>
using Matrix = Eigen::Matrix<S, Rows, Columns>;

using Eigen::Dynamic;

/// Returns a vector or matrix of zeros: of its fixed size, or of the size given where that is Dynamic (0 if none is).
/// Workspaces start so because an uninitialised double may be a signalling NaN when it is copied.
template <class M>
M zeros(Eigen::Index rows = 0, Eigen::Index columns = 0) {
  constexpr int r = M::RowsAtCompileTime, c = M::ColsAtCompileTime;
  return M::Constant(r == Dynamic ? rows : r, c == Dynamic ? columns : c, typename M::Scalar(0));
}

/// Calls f.template operator()<i>() for i = 0, Step, ... below N: a loop that is unrolled by construction, with
/// constant indices. f returns true to go on; the result is false if it stopped early.
template <int N, int Step = 1, class F>
constexpr bool static_for(F&& f) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return (f.template operator()<I * Step>() && ...); }
  (std::make_integer_sequence<int, (N + Step - 1) / Step>{});
}

// With sanitizers, which instrument each inlined operation, flattened code would take minutes to compile.
#if defined(__SANITIZE_ADDRESS__)
#define LIVI_FLATTEN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIVI_FLATTEN
#endif
#endif
#ifndef LIVI_FLATTEN
#define LIVI_FLATTEN [[gnu::flatten]]
#endif

/// Calls f with everything it calls inlined, for a loop over floating-point numbers. For other number types it calls f
/// plainly, since inlining would not be worth the compilation or the code.
template <class S, class F>
LIVI_FLATTEN decltype(auto) call_inlined(const F& f) requires std::floating_point<S> {
  return f();
}
template <class S, class F>
decltype(auto) call_inlined(const F& f) {
  return f();
}

#undef LIVI_FLATTEN

/// Returns the largest magnitude() of the entries, their derivatives and coefficients included; NaN if any is NaN.
template <class Derived>
RealOf<typename Derived::Scalar> max_magnitude(const Eigen::MatrixBase<Derived>& m) {
  if constexpr (std::floating_point<typename Derived::Scalar>) {
    if (m.size() > 0) return m.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>();
  }
  RealOf<typename Derived::Scalar> largest(0);
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    for (Eigen::Index i = 0; i < m.rows(); ++i) largest = larger(largest, magnitude(m(i, j)));
  return largest;
}

template <class Derived>
bool all_finite(const Eigen::MatrixBase<Derived>& m) {
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      if (!is_finite(m(i, j))) return false;
  return true;
}

}  // namespace livi
