// SPDX-License-Identifier: MIT
//
// Problems for methods from outside: H(q, p, t) = T(p) + V(q, t), where T and V are polynomials whose coefficients are
// dyadic numbers of few bits. The same problem is therefore known exactly in double, complex and many-digit numbers and
// in fractions, and near dyadic points its forces in double have no rounding at all.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <livi/scalar/multiprecision.hpp>

namespace livi {

/// A term of a polynomial: coefficient times the product of variable^exponent, exponents >= 1, variables increasing.
struct Monomial {
  double coefficient = 0;
  std::vector<std::pair<int, int>> factors;
};

/// A polynomial in any number of variables.
struct DyadicPolynomial {
  std::vector<Monomial> terms;

  /// Adds coefficient times the product of the variables, which may repeat and stand in any order.
  DyadicPolynomial& add(double coefficient, std::vector<int> variables);
  /// Returns the value at x.
  template <class S>
  [[nodiscard]] S value(const std::vector<S>& x) const;
  /// Returns the derivatives with respect to the first n variables.
  template <class S>
  [[nodiscard]] std::vector<S> gradient(const std::vector<S>& x, int n) const;
  /// Returns the derivative with respect to one variable.
  [[nodiscard]] DyadicPolynomial derivative(int variable) const;
  /// Returns the largest total degree in the first n variables.
  [[nodiscard]] int degree(int n) const;
  /// Returns the polynomial as a text a person can type, variables named q1, q2, ...
  [[nodiscard]] std::string text(const std::string& letter, int n) const;
};

/// What a problem is, as the protocol names it.
enum class ProblemKind {
  mechanical,   ///< H = sum of p_i^2 / (2 m_i) + V(q)
  timed,        ///< H = sum of p_i^2 / (2 m_i) + V(q, t)
  separable,    ///< H = T(p) + V(q): velocities are asked for, too
  langevin,     ///< q' = p/m, dp = -(grad V + friction p) dt + (2 friction temperature m)^(1/2) dW, each body its own W
  constrained,  ///< as mechanical, under constraints g(q) = 0: constraints.hpp
  adaptive,     ///< H as mechanical; the method chooses its steps in time, h is its own variable's
  extended,     ///< as adaptive; start and state also have the energy that the method keeps
  body,         ///< a rigid body about a fixed point: rigid_bodies.hpp
  constrained_langevin,  ///< as constrained, with the friction and the noise of langevin: constrained_bath.hpp
};

/// A point with its time, n entries each; for the kind body the attitude's nine, by rows, and the body momentum's three.
template <class S>
struct TimedPoint {
  S t{0};
  std::vector<S> q, p;
  S energy{0};  ///< E0 of a method with adaptive steps, for the kind extended
};

/// A linear momentum map of a problem: sum of q_i A_ij p_j + sum of b_j p_j.
struct MomentumMap {
  std::string name;
  std::vector<std::vector<double>> a;  ///< n times n, or empty
  std::vector<double> b;               ///< n, or empty
};

struct JudgedProblem {
  std::string name;
  ProblemKind kind = ProblemKind::mechanical;
  std::vector<double> masses;  ///< n, dyadic; ones where the kind is separable; the inertia, by rows, of the kind body
  DyadicPolynomial potential;  ///< in q_1 ... q_n, t
  DyadicPolynomial kinetic = {};  ///< in p_1 ... p_n; for the kind separable
  TimedPoint<double> start = {};  ///< dyadic, where the motion is of order one
  std::vector<MomentumMap> linear = {}, angular = {};
  double h = 0.25;         ///< a step, of either sign, that is large for the motion and yet not beyond it
  double friction = 0;     ///< for the kind langevin, 1/time
  double temperature = 0;  ///< for the kind langevin, an energy: Boltzmann's constant is in it
  std::vector<DyadicPolynomial> constraints = {};  ///< for the kind constrained: g_a(q) = 0, fewer than n
  TimedPoint<double> other_start = {};  ///< for the kinds constrained and body: another point on the manifold

  /// Returns the number of coordinates: for the kind body those of the attitude, nine.
  [[nodiscard]] int size() const { return static_cast<int>(masses.size()); }
  /// Returns the number of momenta, which is that of the degrees of freedom but for the kind constrained.
  [[nodiscard]] int momenta() const { return kind == ProblemKind::body ? 3 : size(); }
  [[nodiscard]] bool has_bath() const {
    return kind == ProblemKind::langevin || kind == ProblemKind::constrained_langevin;
  }
  [[nodiscard]] bool has_constraints() const {
    return kind == ProblemKind::constrained || kind == ProblemKind::constrained_langevin;
  }
  /// Returns whether a state has an energy of its own, and whether the method says which time it reached.
  [[nodiscard]] bool has_energy() const { return kind == ProblemKind::extended; }
  [[nodiscard]] bool has_clock() const { return has_energy() || kind == ProblemKind::adaptive; }
};

/// The forces of a problem, as a method asks for them, and the number of times that it did.
template <class S>
class Forces {
 public:
  explicit Forces(const JudgedProblem& problem);  ///< which must outlive it
  explicit Forces(JudgedProblem&&) = delete;
  virtual ~Forces() = default;
  Forces(const Forces&) = delete;
  Forces& operator=(const Forces&) = delete;

  /// Returns dV/dq at (q, t), n entries.
  virtual std::vector<S> gradient(const S& t, const std::vector<S>& q);
  /// Returns dT/dp, n entries: p_i / m_i but for the kinds separable and body, where it is the angular velocity.
  virtual std::vector<S> velocity(const std::vector<S>& p);
  /// Returns the second derivatives of V, row by row, n^2 entries.
  virtual std::vector<S> hessian(const S& t, const std::vector<S>& q);
  /// Returns sum over j, k of V_ijk a_j b_k, n entries.
  virtual std::vector<S> third(const S& t, const std::vector<S>& q, const std::vector<S>& a, const std::vector<S>& b);
  virtual S value(const S& t, const std::vector<S>& q);
  /// Returns the torque of V in the axes of the body, three entries, which counts as a gradient: along Q hat(y) the
  /// derivative of V is -tau . y. Only for the kind body.
  virtual std::vector<S> torque(const std::vector<S>& q);
  /// Returns g(q), one entry for every constraint.
  virtual std::vector<S> constraint(const std::vector<S>& q);
  /// Returns the derivatives of g, row by row, a row of n entries for every constraint.
  virtual std::vector<S> constraint_jacobian(const std::vector<S>& q);
  /// Returns the next `count` entries of `normals`, zeros after its end: what a method takes for independent standard
  /// normal numbers.
  virtual std::vector<S> noise(std::size_t count);

  [[nodiscard]] const JudgedProblem& problem() const { return *problem_; }
  /// Returns T(p) + V(q, t), uncounted.
  [[nodiscard]] S energy(const TimedPoint<S>& z) const;

  long gradients = 0, hessians = 0, thirds = 0, values = 0, velocities = 0, constraints = 0, jacobians = 0;
  std::vector<S> normals = {};  ///< the noise of the steps to come, for the kind langevin
  std::size_t asked = 0;        ///< the normal numbers that were asked for since this was last set to zero

 private:
  const JudgedProblem* problem_;
};

/// The problems that every method is judged on, by what they are for.
struct JudgedProblems {
  std::vector<JudgedProblem> generic;  ///< no symmetry, Hessians that do not commute; the kinds asked for
  JudgedProblem cubic;                 ///< three degrees of freedom, cubic: exact in double for a step or two
  std::vector<JudgedProblem> cubics;   ///< that one first, drawn starts, masses, couplings, steps back; separable ones
  JudgedProblem particles;             ///< three bodies in the plane: translations and rotations
  std::vector<JudgedProblem> bodies;   ///< these first, and four drawn ones, whose step goes back
  JudgedProblem oscillator;            ///< q'' = -q
  JudgedProblem orbit;                 ///< Henon-Heiles, at an energy where the motion is regular
  JudgedProblem driven;                ///< its forces depend on time: the kind timed
};
/// Returns the fixed problems and `drawn` ones, up to twelve degrees of freedom, drawn from a seed; `kinds` are those
/// that a subject takes. The steps of drawn problems, but for the cubic ones, have all 53 bits, and the first one of each
/// kind goes back.
JudgedProblems judged_problems(const std::vector<ProblemKind>& kinds, std::uint64_t seed, int drawn);

/// Returns problems of 1 to 48 degrees of freedom, of degree six, that differ in the sizes of positions, masses and times
/// by up to 2^10, some at rest, some with steps that are no dyadic numbers. Their step `h` is short for their motion.
std::vector<JudgedProblem> scaled_problems(std::uint64_t seed);

/// Returns the motion from a point over `time`, by extrapolation of the leapfrog step in 50 digits until two columns of
/// its table agree to `tolerance` (relative to the size of the point). Throws std::runtime_error where they never do.
TimedPoint<Float50> exact_motion(const JudgedProblem& problem, const TimedPoint<Float50>& from, const Float50& time,
                                 double tolerance);

/// Returns a point in another number type; numbers of double are exact in all of them.
template <class S>
TimedPoint<S> point_in(const TimedPoint<double>& from) {
  TimedPoint<S> to{S(from.t), {}, {}};
  for (const double x : from.q) to.q.push_back(S(x));
  for (const double x : from.p) to.p.push_back(S(x));
  return to;
}

extern template class Forces<double>;
extern template class Forces<std::complex<double>>;
extern template class Forces<Float50>;
extern template class Forces<Rational>;

}  // namespace livi
