// SPDX-License-Identifier: MIT
//
// Attitudes and vectors in space, for the judge's own sources. An attitude R is a rotation matrix whose columns are the
// body's axes in space, nine numbers by rows; R' = R hat(W), where hat(x) y = x cross y.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace livi::foreign_detail {

template <class S>
using Three = std::array<S, 3>;
template <class S>
using Nine = std::array<S, 9>;

/// Returns the first numbers of some as a vector, or a matrix by rows.
template <class Array, class S>
Array taken(const std::vector<S>& numbers) {
  Array a;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = typename Array::value_type(numbers[i]);
  return a;
}
template <class Array>
std::vector<typename Array::value_type> listed(const Array& a) {
  return {a.begin(), a.end()};
}
template <class S>
S dot(const Three<S>& a, const Three<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class S>
Three<S> cross(const Three<S>& a, const Three<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// Returns a + s b.
template <class Array, class S>
Array sum(Array a, const S& s, const Array& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] + s * b[i];
  return a;
}
/// Returns m x.
template <class S>
Three<S> times(const Nine<S>& m, const Three<S>& x) {
  Three<S> y;
  for (std::size_t i = 0; i < 3; ++i) y[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2];
  return y;
}
/// Returns the product a b.
template <class S>
Nine<S> product(const Nine<S>& a, const Nine<S>& b) {
  Nine<S> c;
  for (std::size_t i = 0; i < 9; i += 3)
    for (std::size_t j = 0; j < 3; ++j) c[i + j] = a[i] * b[j] + a[i + 1] * b[3 + j] + a[i + 2] * b[6 + j];
  return c;
}
template <class S>
Nine<S> transposed(const Nine<S>& m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}
template <class S>
Nine<S> hat(const Three<S>& x) {
  return {S(0), S(-x[2]), x[1], x[2], S(0), S(-x[0]), S(-x[1]), x[0], S(0)};
}
/// Returns 2 x, where hat(x) is the antisymmetric part of m.
template <class S>
Three<S> twice_the_vector_of(const Nine<S>& m) {
  return {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
}
/// Returns I + a hat(x) + b hat(x)^2.
template <class S>
Nine<S> turned_by(const Three<S>& x, const S& a, const S& b) {
  const Nine<S> first = hat(x), second = product(first, first);
  Nine<S> r{S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)};
  for (std::size_t i = 0; i < 9; ++i) r[i] = r[i] + a * first[i] + b * second[i];
  return r;
}
/// Returns the Cayley map (I - hat(x)/2)^-1 (I + hat(x)/2).
template <class S>
Nine<S> cayley(const Three<S>& x) {
  const S share = S(1) / (S(1) + dot(x, x) / S(4));
  return turned_by(x, share, S(share / S(2)));
}
template <class S>
S determinant(const Nine<S>& m) {
  return dot(Three<S>{m[0], m[1], m[2]}, cross(Three<S>{m[3], m[4], m[5]}, Three<S>{m[6], m[7], m[8]}));
}
/// Returns x of m x = b, by Cramer's rule.
template <class S>
Three<S> solved(const Nine<S>& m, const Three<S>& b) {
  const Three<S> x{m[0], m[3], m[6]}, y{m[1], m[4], m[7]}, z{m[2], m[5], m[8]}, yz = cross(y, z);
  const S volume = dot(x, yz);
  return {dot(b, yz) / volume, dot(b, cross(z, x)) / volume, dot(b, cross(x, y)) / volume};
}
/// Returns the torque of a potential with the derivatives g in the nine numbers of the attitude, in the body's axes:
/// g . R hat(y) = y . twice_the_vector_of(R^T g), and the torque is minus that.
template <class S>
Three<S> torque_of(const Nine<S>& attitude, const Nine<S>& g) {
  const Three<S> t = twice_the_vector_of(product(transposed(attitude), g));
  return {S(-t[0]), S(-t[1]), S(-t[2])};
}

}  // namespace livi::foreign_detail
