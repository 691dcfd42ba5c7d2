// SPDX-License-Identifier: MIT
//
// Work that is counted instead of timed. `Counted` is a double that counts its own arithmetic: the integrators of the
// library are templates over the scalar, so one run over it does the same arithmetic as over double and says how much
// it was, to the last operation and on every machine. `CountingPotential` counts evaluations of derivatives.
#pragma once

#include <cmath>
#include <livi/systems/potential.hpp>
#include <memory>

namespace livi {

/// Additions and subtractions, multiplications, divisions, and elementary functions; a change of sign is free.
struct Operations {
  long additions = 0, multiplications = 0, divisions = 0, functions = 0;
  /// All alike: what a processor with pipelined arithmetic does is closer to this than to any table of weights.
  [[nodiscard]] long total() const { return additions + multiplications + divisions + functions; }
};

class Counted {
 public:
  Counted() = default;
  Counted(int x) : x_(x) {}     // NOLINT(google-explicit-constructor): constants of formulas
  Counted(double x) : x_(x) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] double value() const { return x_; }
  explicit operator double() const { return x_; }
  /// Returns the operations of the whole program so far.
  static Operations& operations() {
    static Operations counters;
    return counters;
  }

  Counted& operator+=(const Counted& b) { return ++operations().additions, x_ += b.x_, *this; }
  Counted& operator-=(const Counted& b) { return ++operations().additions, x_ -= b.x_, *this; }
  Counted& operator*=(const Counted& b) { return ++operations().multiplications, x_ *= b.x_, *this; }
  Counted& operator/=(const Counted& b) { return ++operations().divisions, x_ /= b.x_, *this; }
  friend Counted operator+(Counted a, const Counted& b) { return a += b; }
  friend Counted operator-(Counted a, const Counted& b) { return a -= b; }
  friend Counted operator*(Counted a, const Counted& b) { return a *= b; }
  friend Counted operator/(Counted a, const Counted& b) { return a /= b; }
  friend Counted operator-(const Counted& a) { return {-a.x_}; }
  friend bool operator==(const Counted& a, const Counted& b) { return a.x_ == b.x_; }
  friend auto operator<=>(const Counted& a, const Counted& b) { return a.x_ <=> b.x_; }

  friend bool isfinite(const Counted& a) { return std::isfinite(a.x_); }
  friend Counted abs(const Counted& a) { return {std::abs(a.x_)}; }
  friend Counted sqrt(const Counted& a) { return ++operations().functions, Counted(std::sqrt(a.x_)); }
  friend Counted sin(const Counted& a) { return ++operations().functions, Counted(std::sin(a.x_)); }
  friend Counted cos(const Counted& a) { return ++operations().functions, Counted(std::cos(a.x_)); }
  friend Counted exp(const Counted& a) { return ++operations().functions, Counted(std::exp(a.x_)); }
  friend Counted log(const Counted& a) { return ++operations().functions, Counted(std::log(a.x_)); }

 private:
  double x_ = 0;
};

/// Comparisons of sizes are control flow: `real` is double, and they are not counted.
template <>
struct ScalarTraits<Counted> {
  using real = double;
  static constexpr bool exact = false;
  static real epsilon() { return std::numeric_limits<double>::epsilon(); }
  static real magnitude(const Counted& x) { return std::abs(x.value()); }
  static real leading(const Counted& x) { return x.value(); }
  static double to_double(const Counted& x) { return x.value(); }
  static bool is_finite(const Counted& x) { return std::isfinite(x.value()); }
};

/// Operations that `work` does.
template <class Work>
Operations count_operations(const Work& work) {
  const Operations before = Counted::operations();
  work();
  const Operations& after = Counted::operations();
  return {after.additions - before.additions, after.multiplications - before.multiplications,
          after.divisions - before.divisions, after.functions - before.functions};
}

/// How often a potential was asked for its derivatives.
struct Evaluations {
  long gradients = 0, hessians = 0, third_derivatives = 0;
};

/// Any potential, counting.
template <class P>
struct CountingPotential {
  using scalar_type = typename P::scalar_type;
  using vector_type = typename P::vector_type;
  using hessian_type = typename P::hessian_type;
  static constexpr int dimension = P::dimension;
  P base;
  std::shared_ptr<Evaluations> counts;

  scalar_type value(const vector_type& q) const { return base.value(q); }
  void gradient(const vector_type& q, vector_type& out) const {
    ++counts->gradients;
    base.gradient(q, out);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    ++counts->hessians;
    base.hessian(q, h);
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    ++counts->third_derivatives;
    base.third(q, a, out);
  }
  void stiff_hessian(const vector_type& q, hessian_type& h) const {
    ++counts->hessians;
    base.stiff_hessian(q, h);
  }
};

/// A potential whose Hessian is not given but approximated: forward differences of the gradient, n more gradients.
template <class P>
struct DifferencedHessian {
  using scalar_type = typename P::scalar_type;
  using vector_type = typename P::vector_type;
  using hessian_type = DenseHessian<scalar_type, P::dimension>;
  static constexpr int dimension = P::dimension;
  P base;
  /// The square root of the rounding error: truncation and cancellation are then alike.
  scalar_type increment = scalar_type(0x1p-26);

  scalar_type value(const vector_type& q) const { return base.value(q); }
  void gradient(const vector_type& q, vector_type& out) const { base.gradient(q, out); }
  void hessian(const vector_type& q, hessian_type& h) const {
    vector_type at = q;
    base.gradient(q, at);
    difference(q, at, h);
  }
  void gradient_and_hessian(const vector_type& q, vector_type& out, hessian_type& h) const {
    base.gradient(q, out);
    difference(q, out, h);
  }

 private:
  void difference(const vector_type& q, const vector_type& at_q, hessian_type& h) const {
    vector_type moved = q, column = q;
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      moved(j) += increment;
      base.gradient(moved, column);
      moved(j) = q(j);
      for (Eigen::Index i = 0; i < q.size(); ++i) h.matrix(i, j) = (column(i) - at_q(i)) / increment;
    }
  }
};

}  // namespace livi

template <>
struct Eigen::NumTraits<livi::Counted> : Eigen::GenericNumTraits<livi::Counted> {
  using Real = livi::Counted;
  using NonInteger = livi::Counted;
  using Nested = livi::Counted;
  using Literal = livi::Counted;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 2,
    MulCost = 2
  };
};
