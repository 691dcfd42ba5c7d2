// SPDX-License-Identifier: MIT
//
// Methods that are what they declare, some in ways that a judge may take for deceit: they must be cleared.
#pragma once

#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/linalg/shifted_solver.hpp>

#include "other_equations.hpp"

namespace livi::deceivers {

/// Verlet with as few words as possible: no source, no stability limit.
template <class System>
struct FewWords {
  const System& system;
  static Properties declares() {
    return {.order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .cost = {.gradients = 2}};
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Unstable for every step, and says so: |R(iy)|^2 = 1 + y^4 / 4.
template <class System>
struct NeverStable {
  const System& system;
  static Properties declares() { return as_heun(); }
  void step(auto& z, const auto& h) { heun(system, z, h); }
};

/// The classical method of Kutta.
template <class System>
struct Kutta4 {
  const System& system;
  static Properties declares() {
    return {.source = "Kutta 1901",
            .order = 4,
            .linear_momentum = true,
            .stability_limit = 2.8284271247461903,  // 2 sqrt 2
            .cost = {.gradients = 4}};
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S half = h / S(2), sixth = h / S(6), third = h / S(3);
    const auto q = z.q, v = z.v;
    auto stage_q = q, stage_v = v, force = q;
    for (int stage = 0; stage < 4; ++stage) {
      const S weight = stage % 3 == 0 ? sixth : third, to_next = stage == 2 ? h : half;
      system.acceleration(stage_q, force);
      drift(z.q, stage_v, weight);
      drift(z.v, force, weight);
      stage_q = q;
      drift(stage_q, stage_v, to_next);
      stage_v = v;
      drift(stage_v, force, to_next);
    }
  }
};

/// Constants in a static, the idiom of C++: made once for each number type.
template <class System>
struct ConstantsInAStatic {
  const System& system;
  static Properties declares() {
    Properties declared = as_composition(2, 6);
    declared.stability_limit = 6;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    static const S third = ratio<S>(1, 3);
    for (int k = 0; k < 3; ++k) verlet(system, z, S(third * h));
  }
};

/// Yoshida's composition with the sixteen digits of double: of order four down to 10^-16.
template <class System>
struct YoshidaInDouble {
  const System& system;
  static Properties declares() { return as_composition(4, 6); }
  void step(auto& z, const auto& h) {
    compose(system, z, h, std::array{1.3512071919596578, -1.7024143839193153, 1.3512071919596578});
  }
};

/// With 24 digits: of order four down to 10^-24.
template <class System>
struct YoshidaWith24Digits {
  const System& system;
  static Properties declares() { return as_composition(4, 6); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    S outer(0);  // 1.351207191959657634047688
    for (const int digits : {47688, 657634, 191959, 351207}) outer = (outer + S(digits)) / S(1000000);
    outer += S(1);
    verlet(system, z, S(outer * h));
    verlet(system, z, S((S(1) - S(2) * outer) * h));
    verlet(system, z, S(outer * h));
  }
};

/// The method of McLachlan and Atela with the digits that were printed.
template <class System>
struct McLachlanAtelaInDouble {
  const System& system;
  static Properties declares() { return McLachlanAtela4::declares(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    for (std::size_t i = 0; i < 4; ++i) {
      kick(system, z, S(S(McLachlanAtela4::b[i]) * h));
      drift(z, S(S(McLachlanAtela4::a[i]) * h));
    }
  }
};

/// Suzuki's composition with fifteen digits.
template <class System>
struct SuzukiInDouble {
  const System& system;
  static Properties declares() { return as_composition(4, 10); }
  void step(auto& z, const auto& h) {
    compose(system, z, h,
            std::array{0.414490771794376, 0.414490771794376, -0.657963087177503, 0.414490771794376, 0.414490771794376});
  }
};

/// A coefficient with a root, (3 - sqrt 3)/6 (McLachlan 1995): not rational, and said so.
template <class System>
struct CoefficientWithARoot {
  const System& system;
  static Properties declares() {
    Properties declared = as_composition(2, 3);
    declared.rational = false;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    using std::sqrt;
    const S side = (S(3) - sqrt(S(3))) / S(6), half = h / S(2);
    kick(system, z, S(side * h));
    drift(z, half);
    kick(system, z, S((S(1) - S(2) * side) * h));
    drift(z, half);
    kick(system, z, S(side * h));
  }
};

/// Its state carries the force, so that a step takes one.
template <class System>
struct CarriesTheForce {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost.gradients = 1;
    return declared;
  }
  auto start(const auto& q, const auto& v) const {
    auto force = q;
    system.acceleration(q, force);
    return ForceState<ScalarOf<System>, Dynamic>{q, v, force, {}};
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S half = h / S(2);
    drift(z.v, z.f, half);
    drift(z, h);
    system.acceleration(z.q, z.f);
    drift(z.v, z.f, half);
  }
};

/// Adams and Bashforth's kick from the last two forces: a memory, declared.
template <class System>
struct DeclaresItsMemory {
  const System& system;
  static Properties declares() {
    return {.source = "Adams and Bashforth 1883",
            .order = 2,
            .linear_momentum = true,
            .memory = true,
            .stability_limit = std::numeric_limits<double>::quiet_NaN(),
            .cost = {.gradients = 1}};
  }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S half = h / S(2);
    auto force = z.q;
    system.acceleration(z.q, force);
    drift(z, half);
    drift(z.v, force, z.step == S(0) ? h : S(S(3) * half));
    if (!(z.step == S(0))) drift(z.v, z.f, S(-half));
    drift(z, half);
    z.f = force;
    z.step = h;
  }
};

/// Symplectic Euler: of order one, not symmetric, and right backwards.
template <class System>
struct PlainSymplecticEuler {
  const System& system;
  static Properties declares() { return as_symplectic_euler(); }
  void step(auto& z, const auto& h) { kick_drift(system, z, h); }
};

/// Unconditionally stable, by kicks t (M + h^2/4 Hess V)^-1 f that stiffness weakens: a report must be able to say so.
template <class System>
struct Unconditional {
  using S = ScalarOf<System>;
  const System& system;
  ShiftedSolver<DenseHessian<S, Dynamic>> solver{};
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symplectic = declared.angular_momentum = false;
    declared.stability_limit = unlimited;
    declared.cost = {.gradients = 2, .hessians = 2};
    return declared;
  }
  StepOutcome kick_weakly(auto& z, const S& t, const S& c) {
    DenseHessian<S, Dynamic> hessian(z.q.size());
    system.potential().hessian(z.q, hessian);
    if (const FactorOutcome outcome = solver.factor(system.mass(), c, hessian); outcome.singular)
      return {Failure::singular_matrix, 0};
    Vector<S, Dynamic> force = z.q;
    system.potential().gradient(z.q, force);
    solver.solve_in_place(force);
    drift(z.v, force, S(-t));
    return {};
  }
  StepOutcome step(auto& z, const auto& h) {
    const S half = h / S(2), c = h * h / S(4);
    if (const StepOutcome outcome = kick_weakly(z, half, c); !outcome.ok()) return outcome;
    drift(z, h);
    return kick_weakly(z, half, c);
  }
};

/// The leapfrog method: its state has the velocity of the half step before, and nothing in it is of use after the
/// velocity is turned round.
template <class System>
struct Staggered {
  const System& system;
  static Properties declares() { return as_verlet(); }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, v, {}}; }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    auto a = z.q;
    system.acceleration(z.q, a);
    drift(z.f, a, S((z.step + h) / S(2)));  // from the middle of the last step, or from the start
    drift(z.q, z.f, h);
    system.acceleration(z.q, a);
    z.v = z.f;
    drift(z.v, a, S(h / S(2)));
    z.step = h;
  }
};

/// Compositions of order eight and six (Yoshida 1990) with the digits of double, and with fifteen.
inline Properties as_long_composition(int order, int stages) {
  Properties declared = as_verlet();
  declared.order = order;
  declared.stability_limit = undeclared;
  declared.cost.gradients = 2 * stages;
  declared.rational = stages < 9;  // the degrees of more are beyond what certificates can bound
  return declared;
}
template <class System>
struct YoshidaOrderEight {
  const System& system;
  static Properties declares() { return as_long_composition(8, 15); }
  void step(auto& z, const auto& h) {
    compose(system, z, h,
            std::array{0.74167036435061295345, -0.40910082580003159400, 0.19075471029623837995, -0.57386247111608226666,
                       0.29906418130365592384, 0.33462491824529818378, 0.31529309239676659663, -0.79688793935291635402,
                       0.31529309239676659663, 0.33462491824529818378, 0.29906418130365592384, -0.57386247111608226666,
                       0.19075471029623837995, -0.40910082580003159400, 0.74167036435061295345});
  }
};
template <class System>
struct YoshidaOrderSix {
  const System& system;
  static Properties declares() { return as_long_composition(6, 7); }
  void step(auto& z, const auto& h) {
    compose(system, z, h,
            std::array{0.784513610477560, 0.235573213359357, -1.17767998417887, 1.315186320683906, -1.17767998417887,
                       0.235573213359357, 0.784513610477560});
  }
};

/// The implicit midpoint rule by Newton's method, iterated to convergence, and said not to be rational.
template <class System>
struct MidpointByNewton {
  const System& system;
  ImplicitMidpoint<System> inner{system};
  [[nodiscard]] Properties declares() const {
    Properties declared = inner.declares();
    declared.rational = false;
    return declared;
  }
  StepOutcome step(auto& z, const auto& h) { return inner.step(z, h); }
};

}  // namespace livi::deceivers
