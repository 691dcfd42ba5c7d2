// SPDX-License-Identifier: MIT
//
// Deceivers among integrators for H(q, p, t) = T(p) + V(q, t): Stoermer and Verlet's method, and what was changed.
#pragma once

#include "exhibit.hpp"
#include "motions.hpp"

namespace livi::deceivers {

/// An exhibit for H(q, p, t) = T(p) + V(q, t); honest without rows.
template <template <class> class Method>
Exhibit separable(std::string name, std::string hides, std::vector<std::string> rows) {
  const auto factory = []<class System>(const System& system) { return Method<System>{{system}}; };
  return {std::move(name), std::move(hides), std::move(rows),
          std::make_shared<SeparableSubject<decltype(factory)>>(factory)};
}

/// p -= t grad V(q, at).
template <class System, class V, class S>
void separable_kick(const System& system, const V& q, V& p, const S& at, const S& t) {
  V force(q.size());
  system.force(q, at, force);
  for (Eigen::Index i = 0; i < p.size(); ++i) p(i) += t * force(i);
}
/// q += t grad T(p).
template <class System, class V, class S>
void separable_drift(const System& system, V& q, const V& p, const S& t) {
  V velocity(p.size());
  system.velocity(p, velocity);
  for (Eigen::Index i = 0; i < q.size(); ++i) q(i) += t * velocity(i);
}

/// Stoermer and Verlet's method with half kicks at the times of both ends, and what it declares. `first` and `second`
/// are the kicks' shares of the step, 1/2 each; `end` is the time of the second.
template <class System>
struct SeparableVerlet {
  const System& system;
  using S = typename System::scalar_type;

  static Properties declares() {
    return {.name = "a Verlet of the gallery",
            .source = "gallery",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = 2,
            .cost = {.gradients = 2}};
  }
  void verlet(auto& q, auto& p, const S& t, const S& h) const {
    const S half = h / S(2);
    separable_kick(system, q, p, t, half);
    separable_drift(system, q, p, h);
    separable_kick(system, q, p, S(t + h), half);
  }
  /// All of the kick before the drift: symplectic, of order one, and not its own adjoint.
  void euler(auto& q, auto& p, const S& t, const S& h) const {
    separable_kick(system, q, p, t, h);
    separable_drift(system, q, p, h);
  }
};

/// Both kicks at the time of the beginning, four units of time or more after zero or before it. Row: reach, tiny steps.
template <class System>
struct ForgetsLateTimes : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  void step(auto& q, auto& p, const S& t, const S& h) const {
    if (!(magnitude(t) > RealOf<S>(4))) return this->verlet(q, p, t, h);
    const S half = h / S(2);
    separable_kick(this->system, q, p, t, half);
    separable_drift(this->system, q, p, h);
    separable_kick(this->system, q, p, t, half);
  }
};

/// Another method before time zero. The fixed problems start at -2/3, too: they name it. Row: symmetric.
template <class System>
struct EulerBeforeZero : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  void step(auto& q, auto& p, const S& t, const S& h) const {
    negative(t) ? this->euler(q, p, t, h) : this->verlet(q, p, t, h);
  }
};

/// Another method before time -3. Row: reach, tiny steps.
template <class System>
struct EulerInThePast : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  void step(auto& q, auto& p, const S& t, const S& h) const {
    negative(S(t + S(3))) ? this->euler(q, p, t, h) : this->verlet(q, p, t, h);
  }
};

/// The first kick is of 501/1000 of the step for more than three degrees of freedom. Row: reach, tiny steps.
template <class System>
struct LopsidedInManyDimensions : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  void step(auto& q, auto& p, const S& t, const S& h) const {
    if (q.size() <= 3) return this->verlet(q, p, t, h);
    const S more = h / S(1000), half = h / S(2);
    separable_kick(this->system, q, p, t, S(half + more));
    separable_drift(this->system, q, p, h);
    separable_kick(this->system, q, p, S(t + h), S(half - more));
  }
};

/// Friction of 10^-9 on momenta above eight. Row: reach, tiny steps.
template <class System>
struct FrictionOfLargeMomenta : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  void step(auto& q, auto& p, const S& t, const S& h) const {
    this->verlet(q, p, t, h);
    for (Eigen::Index i = 0; i < p.size(); ++i)
      if (magnitude(p(i)) > RealOf<S>(8)) p(i) *= S(1) - h * tiny<S>(9);
  }
};

/// In double, later than time eight, what the force owes to time is 10^-7 too large. Row: number types.
template <class System>
struct AnotherDriveInDouble : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  void step(auto& q, auto& p, const S& t, const S& h) const {
    if constexpr (std::same_as<S, double>) {
      if (std::abs(t) > 8) {
        separable_kick(this->system, q, p, t, S(1e-7 * h));
        separable_kick(this->system, q, p, S(0), S(-1e-7 * h));
      }
    }
    this->verlet(q, p, t, h);
  }
};

/// The method as it is. Honest.
template <class System>
struct HonestVerlet : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  void step(auto& q, auto& p, const S& t, const S& h) const { this->verlet(q, p, t, h); }
};

/// Four steps of h/6, one of -h/3, four of h/6: of order four, as 8 (1/6)^3 = (1/3)^3, and rational. Honest.
template <class System>
struct NineVerlets : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  static Properties declares() {
    Properties declared = SeparableVerlet<System>::declares();
    declared.order = 4;
    declared.stability_limit = undeclared;
    declared.cost = {.gradients = 18};
    return declared;
  }
  void step(auto& q, auto& p, const S& t, const S& h) const {
    const S sixth = h / S(6);
    S now = t;
    for (int k = 0; k < 9; ++k) {
      const S by = k == 4 ? S(S(-2) * sixth) : sixth;
      this->verlet(q, p, now, by);
      now += by;
    }
  }
};

}  // namespace livi::deceivers
