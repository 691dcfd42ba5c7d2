// SPDX-License-Identifier: MIT
// Theorem: the discrete Noether theorem for Z&S (TO14 Section 1): the discrete Lagrangian (2) is invariant when a group
// acts on positions and on the auxiliary accelerations together, the momenta of its Legendre transform (17) are M v of
// Z&S, and all momentum maps are conserved exactly; what simplified Z&S keeps of them, and how fast it loses the rest.
//
// Z&Ss and rotations: let A be the generator, A^T = -A, A M = M A, and B a = -g with B = M + c H, c = beta h^2.
// Invariance of V gives g . A x = 0 and H A x = A g. The torque of the force M a of Z&Ss is A x . M a = -A x . (g + c H
// a) = -c A g . a = c (A M a + c A H a) . a = c^2 a . A H a (a . A M a = 0 because A M is antisymmetric). That is of
// size h^4; a step changes the momentum map by h/2 times the torques at its two ends: h^5. For one particle in a
// central field H a is parallel to a and nothing is lost.
#include "study/evidence/certified.hpp"

#include <livi/integrators/velocity_verlet.hpp>
#include <livi/systems/potentials.hpp>

namespace livi::theorem {

Program this_program() {
  return {"discrete_noether",
          {"TO14", "Theorem 1.1(2)", "1, 2.1"},
          "momentum maps of Z&S are conserved exactly, by invariance of its discrete Lagrangian"};
}

namespace {

/// Particles in D dimensions with pair potentials u(r^2), u any quadratic polynomial of r^2, any masses; optionally
/// with a uniform field of strength 1e-6 that breaks every symmetry.
template <class T, int D>
struct PairWithField {
  using scalar_type = T;
  using vector_type = Vector<T, Dynamic>;
  using hessian_type = DenseHessian<T, Dynamic>;
  static constexpr int dimension = Dynamic;
  PairPotential<T, D, QuarticProfile<T>> pairs;
  vector_type field;
  T value(const vector_type& q) const {
    T sum = pairs.value(q);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += field(i) * q(i);
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    pairs.gradient(q, out);
    out += field;
  }
  void hessian(const vector_type& q, hessian_type& h) const { pairs.hessian(q, h); }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const { pairs.third(q, a, out); }
};

template <class T, int D>
using ParticleSystem = MechanicalSystem<FullMass<T, Dynamic>, PairWithField<T, D>>;

template <class T, int D, class K, class Convert>
ParticleSystem<T, D> draw_particles(Draw<K>& draw, int particles, bool broken, Convert convert,
                                    bool equal_masses = false) {
  const int n = D * particles;
  Matrix<T, Dynamic> mass = Matrix<T, Dynamic>::Constant(n, n, T(0));
  T m(0);
  for (int i = 0; i < particles; ++i) {
    if (i == 0 || !equal_masses) m = convert(draw.positive("m"));
    for (int k = 0; k < D; ++k) mass(D * i + k, D * i + k) = m;
  }
  const T stiffness = convert(draw.variable("k")), quartic = convert(draw.variable("c"));
  Vector<T, Dynamic> field = Vector<T, Dynamic>::Constant(n, T(0));
  if (broken)
    for (int i = 0; i < n; ++i) field(i) = T(1 + i) / T(1000000);
  const QuarticProfile<T> spring{stiffness, quartic};
  return {FullMass<T, Dynamic>(mass), PairWithField<T, D>{PairPotential<T, D, QuarticProfile<T>>(spring), field}};
}

/// Momentum maps of translations along each axis, or of rotations in each plane.
template <class T, int D>
std::vector<T> momentum_maps(const Vector<T, Dynamic>& q, const Vector<T, Dynamic>& p, bool translations) {
  std::vector<T> maps;
  for (int a = 0; a < D; ++a) {
    if (translations) {
      T sum(0);
      for (Eigen::Index i = a; i < q.size(); i += D) sum += p(i);
      maps.push_back(sum);
    } else {
      for (int b = 0; b < a; ++b) {
        T sum(0);
        for (Eigen::Index i = 0; i < q.size(); i += D) sum += q(i + b) * p(i + a) - q(i + a) * p(i + b);
        maps.push_back(sum);
      }
    }
  }
  return maps;
}

/// The change of all momentum maps over one step; with N > 0 the coefficient of h^N of it.
template <int D, class Factory>
struct MomentumIsConserved {
  int particles;
  bool translations;
  bool broken;
  Factory factory;
  bool equal_masses = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const auto system = draw_particles<K, D>(
        draw, particles, broken, [](const K& x) { return x; }, equal_masses);
    const K h = draw.positive("h"), beta = draw.positive("beta");
    const auto q = draw.variables("q", D * particles), p = draw.variables("p", D * particles);
    auto method = factory(system, beta);
    PhasePoint<K> end{q, p};
    advance(method, system, end.q, end.p, h);
    const auto before = momentum_maps<K, D>(q, p, translations),
               after = momentum_maps<K, D>(end.q, end.p, translations);
    std::vector<K> values;
    for (std::size_t i = 0; i < before.size(); ++i) values.push_back(after[i] - before[i]);
    return values;
  }
};

/// The coefficient of h^k in the change of angular momentum of three particles in the plane over one step of Z&Ss.
struct MomentumCoefficient {
  int k;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = PowerSeries<K, 6>;
    const auto series = [](const K& x) { return T(x); };
    const auto system = draw_particles<T, 2>(draw, 3, false, series);
    const Vector<T, Dynamic> q = draw.variables("q", 6).template cast<T>(),
                             p = draw.variables("p", 6).template cast<T>();
    auto method = simplified(system, T(draw.positive("beta")));
    PhasePoint<T> end{q, p};
    advance(method, system, end.q, end.p, T::variable());
    return {(momentum_maps<T, 2>(end.q, end.p, false)[0] - momentum_maps<T, 2>(q, p, false)[0])[k]};
  }
};

template <class Factory>
Combined conserved(bool translations, bool broken, Factory factory) {
  Combined result;
  result.add("three particles in the plane",
             certify(MomentumIsConserved<2, Factory>{3, translations, broken, factory}));
  result.add("two particles in space", certify(MomentumIsConserved<3, Factory>{2, translations, broken, factory}));
  return result;
}

TEST(Noether, momentum_maps_are_conserved) {
  const Combined found = all_of({conserved(true, false, zhang_skeel), conserved(false, false, zhang_skeel)});
  // Simplified Z&S: translations exactly, rotations not.
  EXPECT_EQ(conserved(true, false, simplified).nonzero, 0);
  EXPECT_GT(conserved(false, false, simplified).nonzero, 0);
  int order = 0;
  while (order < 6 && certify(MomentumCoefficient{order}).proved()) ++order;
  EXPECT_EQ(order, 5);
  EXPECT_TRUE(certify(MomentumCoefficient{5}).disproved());
  report().count("simplified_zs.rotations.first_power_of_h_lost_in_a_step", order);
  const auto one_particle = [](auto& draw) {
    using K = typename std::decay_t<decltype(draw.variables("q", 2))>::Scalar;
    CentralPotential<K, 3, QuarticProfile<K>> central{{draw.variable("k"), draw.variable("c")}};
    const MechanicalSystem<ScalarMass<K, 3>, CentralPotential<K, 3, QuarticProfile<K>>> system(
        ScalarMass<K, 3>(draw.positive("m")), central);
    Vector<K, 3> q = draw.variables("q", 3), p = draw.variables("p", 3);
    const auto before = momentum_maps<K, 3>(q, p, false);
    auto method = simplified(system, draw.positive("beta"));
    advance(method, system, q, p, draw.positive("h"));
    auto after = momentum_maps<K, 3>(q, p, false);
    for (std::size_t i = 0; i < after.size(); ++i) after[i] -= before[i];
    return after;
  };
  EXPECT_EQ(certify(one_particle).nonzero, 0);  // in a central field it conserves them
  // Three equal masses in the plane are such a case, too: then V is a function of the two singular values of the 2 x 2 matrix of
  // Jacobi coordinates, because the quartic invariants of the symmetric group of three particles have a rotation among
  // the particles as a further symmetry. a and H a are diagonal where that matrix is, A H a is not.
  EXPECT_TRUE(
      certify(MomentumIsConserved<2, std::decay_t<decltype(simplified)>>{3, false, false, simplified, true}).proved());
  EXPECT_TRUE(certify(MomentumIsConserved<2, std::decay_t<decltype(simplified)>>{4, false, false, simplified, true})
                  .disproved());
  expect_verdict(
      {.id = "TO14.thm1.1.2.momentum",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control("Z&S, a uniform field of 1e-6: translations", conserved(true, true, zhang_skeel)),
                    exact_control("Z&S, a uniform field of 1e-6: rotations", conserved(false, true, zhang_skeel)),
                    exact_control("Z&Ss: rotations", conserved(false, false, simplified))},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note =
           "Other symmetries that act linearly on positions and leave M and V invariant: by TO14.s1.noether. Z&Ss "
           "keeps linear momentum exactly and loses angular momentum at the rate h^5 a step (coefficients of h^0 to "
           "h^4 vanish identically, that of h^5 does not): its torque is (beta h^2)^2 a . A Hess V a. It keeps the "
           "angular momentum of one particle in a central field, and of three equal masses in the plane (not of "
           "four)."});
}

// --- the discrete Lagrangian -----------------------------------------------------------------------------------------

/// (2): h times kinetic energy, minus h/2 (beta h^2 a.M a/2 + V + beta h^2 a.grad V + beta^2 h^4 a.Hess V a/2) at both
/// ends.
template <class T, class System>
T discrete_lagrangian(const System& system, const T& h, const T& beta, const Vector<T, Dynamic> (&x)[2],
                      const Vector<T, Dynamic> (&a)[2]) {
  const Eigen::Index n = x[0].size();
  const auto dot = [n](const Vector<T, Dynamic>& u, const Vector<T, Dynamic>& v) {
    T sum(0);
    for (Eigen::Index i = 0; i < n; ++i) sum += u(i) * v(i);
    return sum;
  };
  const Vector<T, Dynamic> drift = (x[1] - x[0]) * (T(1) / h);
  T lagrangian = dot(drift, system.momentum(drift)) / T(2);
  const T c = beta * h * h;
  for (int i = 0; i < 2; ++i) {
    Vector<T, Dynamic> g = x[i], hessian_a = x[i];
    system.potential().gradient(x[i], g);
    DenseHessian<T, Dynamic> hessian(n);
    system.potential().hessian(x[i], hessian);
    hessian.multiply(a[i], hessian_a);
    lagrangian -= (c * dot(a[i], system.momentum(a[i])) / T(2) + system.potential().value(x[i]) + c * dot(a[i], g) +
                   c * c * dot(a[i], hessian_a) / T(2)) /
                  T(2);
  }
  return h * lagrangian;
}

/// (2) after a rotation (by a Cayley transform: every angle but pi) and a translation, minus (2) before, for any x and
/// a.
struct LagrangianIsInvariant {
  bool rotate_accelerations;
  bool broken = false;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const auto system = draw_particles<K, 2>(draw, 3, broken, [](const K& x) { return x; });
    const K h = draw.positive("h"), beta = draw.positive("beta"), t = draw.variable("t"), s = K(1) + t * t;
    const K cosine = (K(1) - t * t) / s, sine = K(2) * t / s;
    const Vector<K, Dynamic> shift = draw.variables("shift", 2);
    Vector<K, Dynamic> x[2], a[2], moved_x[2], moved_a[2];
    for (int i = 0; i < 2; ++i) {
      x[i] = draw.variables("x", 6);
      a[i] = draw.variables("a", 6);
      moved_x[i] = x[i];
      moved_a[i] = a[i];
      for (Eigen::Index k = 0; k < 6; k += 2) {
        moved_x[i](k) = cosine * x[i](k) - sine * x[i](k + 1) + shift(0);
        moved_x[i](k + 1) = sine * x[i](k) + cosine * x[i](k + 1) + shift(1);
        if (!rotate_accelerations) continue;
        moved_a[i](k) = cosine * a[i](k) - sine * a[i](k + 1);
        moved_a[i](k + 1) = sine * a[i](k) + cosine * a[i](k + 1);
      }
    }
    return {discrete_lagrangian<K>(system, h, beta, moved_x, moved_a) - discrete_lagrangian<K>(system, h, beta, x, a)};
  }
};

/// (17) at a step of Z&S from (x_0, p_0): -D_1 L_d - p_0 and D_2 L_d - p_1, the partial derivatives by duals at fixed
/// a, and dL_d/da = 0, with the a that solves (16).
struct LegendreTransformIsZhangSkeel {
  bool stationary = true;  ///< a solves (16); otherwise -M^-1 grad V
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    constexpr Eigen::Index n = 4;
    const auto system = draw_particles<T, 2>(draw, 2, false, [](const K& x) { return T(x); });
    const T h(draw.positive("h")), beta(draw.positive("beta"));
    auto method = zhang_skeel(system, beta);
    Vector<T, Dynamic> x[2], p[2], a[2];
    x[0] = draw.variables("q", n).template cast<T>();
    p[0] = draw.variables("p", n).template cast<T>();
    x[1] = x[0];
    p[1] = p[0];
    advance(method, system, x[1], p[1], h);
    SimplifiedZhangSkeelForce<std::decay_t<decltype(system)>, HessianPart::all> solve(system, {beta});
    WorkCounters work;
    for (int i = 0; i < 2; ++i) {
      a[i] = x[i];
      if (!stationary) {
        system.acceleration(x[i], a[i]);
      } else if (!solve(system, x[i], h, a[i], work).ok()) {
        throw StepFailed("singular");
      }
    }
    std::vector<K> values;
    for (int i = 0; i < 2; ++i)
      for (Eigen::Index k = 0; k < n; ++k) {
        x[i](k).derivative = K(1);
        const K by_x = discrete_lagrangian<T>(system, h, beta, x, a).derivative;
        x[i](k).derivative = K(0);
        a[i](k).derivative = K(1);
        const K by_a = discrete_lagrangian<T>(system, h, beta, x, a).derivative;
        a[i](k).derivative = K(0);
        values.push_back((i == 0 ? -by_x : by_x) - p[i](k).value);
        values.push_back(by_a);
      }
    return values;
  }
};

TEST(Noether, symmetry_of_the_discrete_lagrangian_carries_over) {
  Combined invariant, legendre;
  invariant.add("three particles in the plane", certify(LagrangianIsInvariant{true}));
  legendre.add("two particles in the plane", certify(LegendreTransformIsZhangSkeel{}));
  const Combined found = all_of({invariant, legendre});
  Combined without, broken, not_stationary;
  without.add("three particles in the plane", certify(LagrangianIsInvariant{false}));
  broken.add("three particles in the plane", certify(LagrangianIsInvariant{true, true}));
  not_stationary.add("two particles in the plane", certify(LegendreTransformIsZhangSkeel{false}));
  expect_verdict(
      {.id = "TO14.s1.noether",
       .measured = static_cast<double>(found.nonzero),
       .unit = exact_unit,
       .interval = {0, 0},
       .controls = {exact_control("the group acts on x alone", without),
                    exact_control("a uniform field of 1e-6", broken),
                    exact_control("(17) with a = -M^-1 grad V instead of (16)", not_stationary)},
       .evidence = Evidence::proved,
       .probability_bound = found.probability(),
       .note = "Invariance needs a to turn with x. It then conserves J = p . xi(x) with p of (17), because dL_d/da = 0 "
               "leaves -D_1 L_d . xi(x_k) = D_2 L_d . xi(x_k+1). J itself is certified in TO14.thm1.1.2.momentum."});
}

}  // namespace
}  // namespace livi::theorem
