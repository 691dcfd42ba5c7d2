// SPDX-License-Identifier: MIT
//
// Tableaux of partitioned Runge-Kutta methods for constrained systems (Jay 1996; BO07 Section 2): the
// matrix a and the weights b of the positions. The matrix of the momenta is the conjugate one,
//
//   a^_ij = b_j - b_j a_ji / b_i,
//
// for which the method is variational. Condition 2.1 of the document makes a step end on the constraint, with one multiplier
// left for the velocity:
//
//   a_1j = 0,   a_sj = b_j,   b_j != 0.
//
// Tableaux (6) and (8), of the two variational Euler methods, keep its first two parts only; where b_j = 0 column j of a is zero,
// so that a^ is not needed there.
#pragma once

#include <livi/linalg/vector.hpp>
#include <livi/scalar/errors.hpp>
#include <optional>
#include <string>

namespace livi {

/// A tableau of s stages for the positions. Throws nothing by itself: methods check it.
template <class S>
struct PartitionedTableau {
  std::string name;
  Matrix<S, Dynamic> a;  ///< s x s
  Vector<S, Dynamic> b;  ///< s
  int order = 0;         ///< without noise

  [[nodiscard]] Eigen::Index stages() const { return b.size(); }
  /// Returns c_i = sum_j a_ij.
  [[nodiscard]] S node(Eigen::Index i) const {
    S sum(0);
    for (Eigen::Index j = 0; j < stages(); ++j) sum += a(i, j);
    return sum;
  }
};

/// Returns the first entry that violates a part of Condition 2.1, or nothing. Entries agree to four roundings.
template <class S>
std::optional<InvalidParameter> violation_of_condition_2_1(const PartitionedTableau<S>& tableau,
                                                           bool weights_may_vanish = false) {
  const Eigen::Index s = tableau.stages();
  const auto differ = [](const S& x, const S& y) {
    return !(magnitude(S(x - y)) <= RealOf<S>(4) * ScalarTraits<S>::epsilon() * (RealOf<S>(1) + magnitude(y)));
  };
  const auto entry = [](const char* of, Eigen::Index i, Eigen::Index j) {
    return std::string(of) + "(" + std::to_string(i + 1) + "," + std::to_string(j + 1) + ")";
  };
  if (s < 2 || tableau.a.rows() != s || tableau.a.cols() != s)
    return InvalidParameter("stages of the tableau", static_cast<double>(s),
                            "must be at least 2, with a square matrix of as many rows");
  for (Eigen::Index j = 0; j < s; ++j) {
    if (differ(tableau.a(0, j), S(0)))
      return InvalidParameter(entry("a", 0, j), to_double(tableau.a(0, j)), "must be 0: Condition 2.1, a_1j = 0");
    if (differ(tableau.a(s - 1, j), tableau.b(j)))
      return InvalidParameter(entry("a", s - 1, j), to_double(tableau.a(s - 1, j)),
                              "must be the weight of its column: Condition 2.1, a_sj = b_j");
    if (differ(tableau.b(j), S(0))) continue;
    if (!weights_may_vanish)
      return InvalidParameter("b(" + std::to_string(j + 1) + ")", to_double(tableau.b(j)),
                              "must not be 0: Condition 2.1, b_j != 0");
    for (Eigen::Index i = 0; i < s; ++i)
      if (differ(tableau.a(i, j), S(0)))
        return InvalidParameter(entry("a", i, j), to_double(tableau.a(i, j)), "must be 0 where the weight b_j is");
  }
  if (differ(tableau.node(s - 1), S(1)))
    return InvalidParameter("sum of the weights of the tableau", to_double(tableau.node(s - 1)), "must be 1");
  return {};
}

/// Returns whether a tableau has two stages or more and satisfies Condition 2.1.
template <class S>
bool satisfies_condition_2_1(const PartitionedTableau<S>& tableau) {
  return !violation_of_condition_2_1(tableau);
}

/// Returns the tableau of Lobatto's methods IIIA with IIIB of 2, 3 or 4 stages, of order 2, 4 and 6: RATTLE is the first. Throws
/// InvalidParameter for other numbers of stages.
template <class S>
PartitionedTableau<S> lobatto(int stages) {
  PartitionedTableau<S> tableau{"Lobatto IIIA-IIIB, " + std::to_string(stages) + " stages",
                                Matrix<S, Dynamic>(stages, stages), Vector<S, Dynamic>(stages), 2 * stages - 2};
  auto& a = tableau.a;
  const auto over = [](int numerator, int denominator) { return ratio<S>(numerator, denominator); };
  if (stages == 2) {
    a << S(0), S(0), over(1, 2), over(1, 2);
  } else if (stages == 3) {
    a << S(0), S(0), S(0), over(5, 24), over(1, 3), over(-1, 24), over(1, 6), over(2, 3), over(1, 6);
  } else if (stages == 4) {
    if constexpr (ScalarTraits<S>::exact) {
      throw InvalidParameter("stages of Lobatto's method", stages,
                             "must be 2 or 3 in exact numbers: 4 need a square root");
    } else {
      using std::sqrt;
      const S r = sqrt(S(5)), d(120);
      a << S(0), S(0), S(0), S(0),                                                     //
          (S(11) + r) / d, (S(25) - r) / d, (S(25) - S(13) * r) / d, (r - S(1)) / d,   //
          (S(11) - r) / d, (S(25) + S(13) * r) / d, (S(25) + r) / d, (-r - S(1)) / d,  //
          over(1, 12), over(5, 12), over(5, 12), over(1, 12);
    }
  } else {
    throw InvalidParameter("stages of Lobatto's method", stages, "must be 2, 3 or 4");
  }
  tableau.b = a.row(stages - 1).transpose();
  return tableau;
}

/// Where a variational Euler method takes its force and its noise.
enum class EulerForce {
  at_start,  ///< (6) of the document, method A
  at_end,    ///< (8), method B, the adjoint of A
};

/// Returns the tableau of (6) or (8), whose weights vanish at one stage.
template <class S>
PartitionedTableau<S> variational_euler_tableau(EulerForce force) {
  const bool start = force == EulerForce::at_start;
  PartitionedTableau<S> tableau{start ? "constrained variational Euler A" : "constrained variational Euler B",
                                Matrix<S, Dynamic>::Constant(2, 2, S(0)), Vector<S, Dynamic>::Constant(2, S(0)), 1};
  tableau.a(1, start ? 0 : 1) = tableau.b(start ? 0 : 1) = S(1);
  return tableau;
}

}  // namespace livi
