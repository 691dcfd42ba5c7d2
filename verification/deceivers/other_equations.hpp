// SPDX-License-Identifier: MIT
//
// Deceivers that solve another equation, nearly: forces a little too large, terms that vanish on fixed problems,
// friction, forces that depend on time, coefficients that are not those of the method.
#pragma once

#include <array>
#include <cmath>

#include "motions.hpp"

namespace livi::deceivers {

/// The force times 1 + 10^-8: 50 digits see it only where h^2 is smaller. Row: order.
template <class System>
struct ForceTooLargeBy1e8 {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h, S(S(1) + tiny<S>(8)));
  }
};

/// The force times 1 + 10^-12. Row: order.
template <class System>
struct ForceTooLargeBy1e12 {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h, S(S(1) + tiny<S>(12)));
  }
};

/// The force in three thirds of a step, a third typed in float: consistent to 3e-8. Row: order.
template <class System>
struct ThirdInFloat {
  const System& system;
  static Properties declares() {
    Properties declared = as_symplectic_euler();
    declared.cost.gradients = 3;
    return declared;
  }
  void step(auto& z, const auto& h) {
    const auto third = ScalarOf<System>(static_cast<double>(1.0f / 3));
    for (int k = 0; k < 3; ++k) kick(system, z, ScalarOf<System>(third * h));
    drift(z, h);
  }
};

/// The force times 1 + M_01 M_02, zero for every diagonal mass and for one that is tridiagonal. Row: reach.
template <class System>
struct TermOfTheMass {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S term = z.q.size() < 3 ? S(0) : S(mass_entry(system, 0, 1) * mass_entry(system, 0, 2));
    verlet(system, z, h, S(S(1) + term));
  }
};

/// Friction of 10^-9. Row: symplectic, order, or energy drift.
template <class System>
struct SlightFriction {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    scale(z.v, S(S(1) - h * tiny<S>(9)));
  }
};

/// Friction of 10^-30, below any tolerance but that of 50 digits. Row: symplectic or certificate.
template <class System>
struct VanishingFriction {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    scale(z.v, S(S(1) - h * tiny<S>(30)));
  }
};

/// The force grows with time, 1 + t / 10^10; the time is in the state and saved. Row: memory or order.
template <class System>
struct ForceDependsOnTime {
  const System& system;
  static Properties declares() { return as_verlet(); }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h, S(S(1) + z.step * tiny<S>(10)));
    z.step += h;
  }
};

/// A uniform field of 10^-20. Row: linear momentum.
template <class System>
struct VanishingField {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    z.v(0) += h * tiny<S>(20);
  }
};

/// The drift of the first coordinate is too long by 10^-12: angular momentum is lost with it. Row: order or angular
/// momentum.
template <class System>
struct UnequalAxes {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S half = h / S(2);
    kick(system, z, half);
    drift(z, h);
    z.q(0) += h * tiny<S>(12) * z.v(0);
    kick(system, z, half);
  }
};

/// Velocity Verlet with 1 and 1/2 exchanged. Row: order.
template <class System>
struct OneAndOneHalfExchanged {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symmetric = declared.symplectic = declared.angular_momentum = false;
    declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    auto v = z.v;
    kick(system, z.q, v, h);  // q += h v + h^2 a where h^2 a / 2 is right
    auto end = z.q;
    drift(end, v, h);
    kick(system, z.q, z.v, S(h / S(2)));
    kick(system, end, z.v, S(h / S(2)));
    z.q = end;
  }
};

/// A position of order two with a velocity of order one. Row: order of p.
template <class System>
struct VelocityOfOrderOne {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symmetric = declared.symplectic = declared.angular_momentum = false;
    declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
    return declared;
  }
  void step(auto& z, const auto& h) {  // the second kick with the force at the start: v of order one, and so q
    using S = ScalarOf<System>;
    const auto q = z.q;
    kick(system, z, S(h / S(2)));
    drift(z, h);
    kick(system, q, z.v, S(h / S(2)));
  }
};

/// Fractions of a composition of Verlet steps.
template <class System, std::size_t N>
void compose(const System& system, auto& z, const auto& h, const std::array<double, N>& fractions) {
  for (const double fraction : fractions) verlet(system, z, ScalarOf<System>(ScalarOf<System>(fraction) * h));
}
inline Properties as_composition(int order, int gradients) {
  Properties declared = as_verlet();
  declared.order = order;
  declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
  declared.cost.gradients = gradients;
  return declared;
}

/// The weights of "Suzuki and Yoshida" with three stages that several programs have: their cubes add up to 0.85, not to
/// zero. Row: order.
template <class System>
struct SuzukiYoshidaOfOrderTwo {
  const System& system;
  static Properties declares() { return as_composition(4, 6); }
  void step(auto& z, const auto& h) {
    compose(system, z, h, std::array{0.8289815435887510, -0.6579630871775020, 0.8289815435887510});
  }
};

/// Yoshida's composition with ten digits: symmetric, symplectic, and of order two with a constant of 10^-11. Row:
/// order.
template <class System>
struct YoshidaWithTenDigits {
  const System& system;
  static Properties declares() { return as_composition(4, 6); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S side = S(1351207192) / S(1000000000), middle = S(1) - S(2) * side;
    for (const S& fraction : {side, middle, side}) verlet(system, z, S(fraction * h));
  }
};

/// "Order eight": a palindrome whose fractions add up to 0.2031, so that a step of h advances by 0.2 h. Symplectic and
/// symmetric, and no drift. Row: order.
template <class System>
struct EighthOrderThatDoesNotAdvance {
  const System& system;
  static Properties declares() { return as_composition(8, 10); }
  void step(auto& z, const auto& h) {
    compose(system, z, h,
            std::array{0.74167036435061, -0.40910082580003, -0.46203907710116, -0.40910082580003, 0.74167036435061});
  }
};

/// The kicks and drifts of McLachlan and Atela 1992, order 4 when each stage kicks by b, then drifts by a.
struct McLachlanAtela4 {
  static constexpr std::array<double, 4> a{0.5153528374311229364, -0.085782019412973646, 0.4415830236164665242,
                                           0.1288461583653841854};
  static constexpr std::array<double, 4> b{0.1344961992774310892, -0.2248198030794208058, 0.7563200005156682911,
                                           0.3340036032863214255};
  static Properties declares() {
    Properties declared = as_composition(4, 4);
    declared.symmetric = false;
    return declared;
  }
};

/// McLachlan and Atela's method with the roles of kick and drift exchanged: of order three but on quadratic potentials.
/// Row: order.
template <class System>
struct KickAndDriftExchanged {
  const System& system;
  static Properties declares() { return McLachlanAtela4::declares(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    for (std::size_t i = 0; i < 4; ++i) {
      kick(system, z, S(S(McLachlanAtela4::a[i]) * h));
      drift(z, S(S(McLachlanAtela4::b[i]) * h));
    }
  }
};

/// Verlet that declares order four. Row: order.
template <class System>
struct DeclaresOrderFour {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.order = 4;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Heun's method with a force that is 1 + 1e-9 times what it should be; a declared memory of no use. Row: tiny steps,
/// exact order.
template <class System>
struct MemoryHidesAForce {
  const System& system;
  static Properties declares() {
    Properties declared = as_heun();
    declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
    declared.memory = true;
    return declared;
  }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S factor = S(1) + tiny<S>(9) + z.step * tiny<S>(17), half = factor * h / S(2);
    auto end_q = z.q, end_v = z.v;
    const auto velocity = z.v;
    drift(end_q, z.v, h);
    kick(system, z.q, end_v, S(factor * h));
    kick(system, z.q, z.v, half);
    kick(system, end_q, z.v, half);
    drift(z.q, velocity, S(h / S(2)));
    drift(z.q, end_v, S(h / S(2)));
    z.step = S(1) - z.step;
  }
};

}  // namespace livi::deceivers
