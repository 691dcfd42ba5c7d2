// SPDX-License-Identifier: MIT
//
// What the programs about Section 2 of TO14 share: families of mechanical systems whose every coefficient is a
// variable, and statements about one step of a method on them, for certify() and evaluate()
// (diagnostics/certificate.hpp).
//
// A family "all polynomials of degree 4 in n variables, any mass" covers more than polynomials: whether M Df is
// symmetric at a point depends on the derivatives of V up to order four there, and every choice of these is the choice
// of a polynomial of degree four.
#pragma once

#include <livi/diagnostics/certificate.hpp>
#include <livi/integrators/kick_drift_kick.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/systems/polynomial.hpp>

#include "study/program/theorem.hpp"

namespace livi::theorem {

enum class Mass { identity, diagonal, full };

/// All polynomial potentials of degree `lowest` to `degree` in n variables with all masses of a kind.
struct Family {
  int n;
  int degree;
  Mass mass;
  int lowest = 1;
  [[nodiscard]] std::string name() const {
    return "degree " + std::to_string(degree) + ", n = " + std::to_string(n) +
           (mass == Mass::identity   ? ", M = I"
            : mass == Mass::diagonal ? ", M diagonal"
                                     : ", M full");
  }
};

/// The families that theorems are decided on.
inline const std::vector<Family>& families() {
  static const std::vector<Family> all{{2, 4, Mass::identity}, {2, 4, Mass::diagonal}, {2, 4, Mass::full},
                                       {3, 4, Mass::identity}, {3, 4, Mass::full},     {4, 3, Mass::diagonal},
                                       {4, 3, Mass::full}};
  return all;
}
/// A few of them, for what is slow or only has to fail.
inline const std::vector<Family>& few_families() {
  static const std::vector<Family> few{{2, 4, Mass::identity}, {2, 4, Mass::full}, {3, 4, Mass::diagonal}};
  return few;
}

template <class T>
using PolynomialSystem = MechanicalSystem<FullMass<T, Dynamic>, PolynomialPotential<T>>;

template <class T, class K>
Matrix<T, Dynamic> draw_mass(Draw<K>& draw, int n, Mass kind) {
  Matrix<T, Dynamic> mass = Matrix<T, Dynamic>::Constant(n, n, T(0));
  for (int i = 0; i < n; ++i) mass(i, i) = kind == Mass::identity ? T(1) : T(draw.positive("m" + std::to_string(i)));
  if (kind == Mass::full) {
    const Matrix<K, Dynamic> full = draw.symmetric("m", n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) mass(i, j) = T(full(i, j));
  }
  return mass;
}

/// A member of the family with numbers of type T made from those of the draw.
template <class T, class K>
PolynomialSystem<T> draw_system(Draw<K>& draw, const Family& family) {
  FullMass<T, Dynamic> mass(draw_mass<T>(draw, family.n, family.mass));
  int index = 0;
  return {std::move(mass), polynomial<T>(family.n, family.lowest, family.degree,
                                         [&] { return T(draw.variable("c" + std::to_string(index++))); })};
}

/// Returns the system in numbers of another type that are made from its own: duals, series.
template <class T, class K>
PolynomialSystem<T> in_numbers(const PolynomialSystem<K>& system) {
  PolynomialPotential<T> potential;
  for (const auto& [coefficient, exponents] : system.potential().monomials)
    potential.monomials.push_back({T(coefficient), exponents});
  return {FullMass<T, Dynamic>(system.mass().matrix().template cast<T>().eval()), std::move(potential)};
}

/// One step of size h from (q, p), which become its end.
template <class Method, class System, class V, class T>
void advance(Method& method, const System& system, V& q, V& p, const T& h) {
  auto state = method.start(q, system.velocity(p));
  if (!method.step(state, h).ok()) throw StepFailed("the step fails");
  q = state.q;
  p = system.momentum(state.v);
}

/// J'Omega J - Omega of one step, for all points, steps, beta and members of a family. Factory: (system, beta) ->
/// method.
template <class Factory>
struct StepIsSymplectic {
  Family family;
  Factory factory;
  int shrink = 1;  ///< divides h
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    const auto system = draw_system<T>(draw, family);
    const T h(draw.positive("h") / K(shrink)), beta(draw.positive("beta"));
    const PhasePoint<K> at{draw.variables("q", family.n), draw.variables("p", family.n)};
    auto method = factory(system, beta);
    return symplecticity<K>(at, [&](auto& q, auto& p) { advance(method, system, q, p, h); });
  }
};

/// step(-h) undoes step(h), and a step after turning the velocity does: all 4 n differences.
template <class Factory>
struct StepIsReversible {
  Family family;
  Factory factory;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const auto system = draw_system<K>(draw, family);
    const K h = draw.positive("h"), beta = draw.positive("beta");
    const PhasePoint<K> at{draw.variables("q", family.n), draw.variables("p", family.n)};
    auto method = factory(system, beta);
    PhasePoint<K> there = at;
    advance(method, system, there.q, there.p, h);
    PhasePoint<K> back = there, turned{there.q, -there.p};
    advance(method, system, back.q, back.p, K(-h));
    advance(method, system, turned.q, turned.p, h);
    turned.p = -turned.p;
    std::vector<K> values = differences(back, at);
    for (const K& d : differences(turned, at)) values.push_back(d);
    return values;
  }
};

inline constexpr auto zhang_skeel = []<class System, class T>(const System& system, const T& beta) {
  return ZhangSkeel<System>(system, {beta});
};
inline constexpr auto simplified = []<class System, class T>(const System& system, const T& beta) {
  return SimplifiedZhangSkeel<System>(system, {beta});
};

/// Z&S with its third-derivative term multiplied by a factor: 1 is (3), 0 is Z&Ss, -1 has the sign wrong, 2 lacks the
/// 1/2.
template <class System>
class ThirdDerivativeMutant {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  ThirdDerivativeMutant(const System& system, const S& beta, int factor)
      : beta_(beta), factor_(factor), exact_(system, {beta}), simplified_(system, {beta}) {}
  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work) {
    vector_type a = x;
    f = x;
    if (const StepOutcome outcome = exact_(system, x, h, f, work); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = simplified_(system, x, h, a, work); !outcome.ok()) return outcome;
    f = a + S(factor_) * (f - a);
    return {};
  }
  [[nodiscard]] Properties declares() const { return {.name = "mutant of Z&S", .order = 2, .symmetric = true}; }

 private:
  S beta_;
  int factor_;
  ZhangSkeelForce<System> exact_;
  SimplifiedZhangSkeelForce<System, HessianPart::all> simplified_;
};
struct Mutant {
  int factor;
  template <class System, class T>
  auto operator()(const System& system, const T& beta) const {
    return KickDriftKick<System, ThirdDerivativeMutant<System>>(system, {system, beta, factor});
  }
};

/// One Newton iteration of Newmark in the coordinates (13), with the acceleration that the method keeps.
struct OneStepNewmark {
  Family family;
  NewmarkGuess guess;
  NewmarkAcceleration acceleration;
  int shrink = 1;  ///< divides h
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    const auto system = draw_system<T>(draw, family);
    const T h(draw.positive("h") / K(shrink)), beta(draw.positive("beta")), c = beta * h * h;
    const Eigen::Index n = family.n;
    Newmark<PolynomialSystem<T>> method(
        system, {.beta = beta, .guess = guess, .acceleration = acceleration, .newton = {.fixed_iterations = 1}});
    const auto start = [&](const Vector<T, Dynamic>& z) {
      Vector<T, Dynamic> q = z.head(n), x = q;
      method.canonical_position(q, h, x);
      return PhasePoint<T>{x, z.tail(n)};
    };
    const auto end = [&](const Vector<T, Dynamic>& z) {
      auto state = method.start(z.head(n), system.velocity(z.tail(n)));
      if (!method.step(state, h).ok()) throw StepFailed("the step fails");
      return PhasePoint<T>{state.q - c * state.a, system.momentum(state.v)};
    };
    return symplecticity<K>(draw.variables("z", 2 * n), start, end);
  }
};

/// Certificates of all parts of one statement, such as its families or properties: it is proved by accident if any of
/// them is. What cannot be decided fails the test.
struct Combined {
  int nonzero = 0;               ///< functions that do not vanish, all parts
  int disproved = 0;             ///< parts that are disproved
  int undecided = 0;             ///< parts that are neither proved nor disproved
  double degree = 0;             ///< the largest bound
  std::string disproof = {};     ///< the first
  std::string undecidable = {};  ///< why the first undecided part is
  std::vector<Certificate> proofs = {};

  /// That the statement does not hold and was proved all the same: the sum over its parts.
  [[nodiscard]] double probability() const {
    CombinedProbability sum;
    for (const Certificate& certificate : proofs) sum.add(certificate);
    return sum.bound();
  }

  void add(const std::string& name, const Certificate& certificate) {
    EXPECT_NE(certificate.finding, Certificate::Finding::undecided) << name << ": " << certificate.note;
    nonzero += certificate.nonzero;
    switch (certificate.finding) {
      case Certificate::Finding::proved:
        proofs.push_back(certificate);
        degree = std::max(degree, certificate.degree);
        break;
      case Certificate::Finding::disproved:
        if (disproved++ == 0) disproof = name + ": " + certificate.describe();
        break;
      case Certificate::Finding::undecided:
        if (undecided++ == 0) undecidable = name + ": " + certificate.note;
    }
  }
  void add(const Combined& other) {
    if (disproved == 0) disproof = other.disproof;
    if (undecided == 0) undecidable = other.undecidable;
    nonzero += other.nonzero;
    disproved += other.disproved;
    undecided += other.undecided;
    degree = std::max(degree, other.degree);
    proofs.insert(proofs.end(), other.proofs.begin(), other.proofs.end());
  }
};
/// Several certificates, or several statements, as one.
inline Combined combined(const std::vector<Certificate>& certificates) {
  Combined result;
  for (const Certificate& certificate : certificates) result.add("a part", certificate);
  return result;
}
inline Combined all_of(const std::vector<Combined>& parts) {
  Combined result;
  for (const Combined& part : parts) result.add(part);
  return result;
}
template <template <class> class Statement, class Factory>
Combined certify_on(const std::vector<Family>& on, Factory factory) {
  Combined result;
  for (const Family& family : on) result.add(family.name(), certify(Statement<Factory>{family, factory}));
  return result;
}
/// Certifies statements that are made from a family, one after the other.
template <class Make>
Combined certify_each(const std::vector<Family>& on, Make make) {
  Combined result;
  for (const Family& family : on) result.add(family.name(), certify(make(family)));
  return result;
}

/// What a claim says of a wrong case: how many functions do not vanish, and the first.
inline Control exact_control(const std::string& name, const Combined& found) {
  return {.name = name, .measured = static_cast<double>(found.nonzero), .interval = {0, 0}, .note = found.disproof};
}

inline const char* const exact_unit = "functions";

/// A claim that rational functions vanish identically, all parts of it: proved, disproved, or undecided if nothing is
/// disproved and a part could not be decided.
inline Claim exactly(const Combined& found, Claim claim) {
  claim.measured = static_cast<double>(found.nonzero);
  claim.unit = exact_unit;
  claim.interval = {0, 0};
  if (found.disproved > 0) {
    claim.evidence = Evidence::disproved;
  } else if (found.undecided > 0 || found.proofs.empty()) {
    claim.measured = std::numeric_limits<double>::quiet_NaN();
    claim.note = "Not decided: " + found.undecidable + ". " + claim.note;
  } else {
    claim.evidence = Evidence::proved;
    claim.probability_bound = found.probability();
  }
  return claim;
}
/// Returns the claim decided by one certificate; its note is that of the claim if it has one, and the certificate in
/// words if not.
inline Claim exactly(const Certificate& found, Claim claim) {
  Combined combined;
  combined.add(claim.id, found);
  if (claim.note.empty()) claim.note = found.describe();
  return exactly(combined, std::move(claim));
}
/// A wrong case of such a claim.
inline Control exact_control(const std::string& name, const Certificate& found) {
  EXPECT_NE(found.finding, Certificate::Finding::undecided) << found.note;
  return {.name = name, .measured = static_cast<double>(found.nonzero), .interval = {0, 0}, .note = found.describe()};
}

/// A control that is known to hold: a right case of the claim, which must pass.
inline Control passing(Control control) {
  control.expected = Expected::passes;
  return control;
}

/// The largest over families of |J'Omega J - Omega| at a point of rationals of size one, in the arithmetic of K. The step
/// is a hundredth of that size: there M + beta h^2 Hess V is as well conditioned as M, whatever was drawn, so the rounding
/// is that of numbers of size one. At h of size one a draw near a singular matrix multiplies it by up to 1e14.
template <class K, template <class> class Statement, class Factory>
double largest_residual(const std::vector<Family>& on, Factory factory) {
  RealOf<K> largest(0);
  for (const Family& family : on)
    largest = larger(largest, evaluate<K>(Statement<Factory>{family, factory, 100}).largest);
  return to_double(largest);
}

}  // namespace livi::theorem
