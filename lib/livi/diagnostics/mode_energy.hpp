// SPDX-License-Identifier: MIT
//
// The energy of a harmonic mode under a linearly implicit or explicit kick-drift-kick method, in closed form.
//
// Notation: a mode x'' = -w^2 x of unit mass, theta = h^2 w^2, c = beta h^2. Z&S and Z&Ss (TO14 (3), (18)) have the
// force -w~^2 x with w~^2 = w^2/(1 + beta theta): the third derivative is zero. Velocity Verlet is beta = 0. A step,
//   x' = x + h v - h^2/2 w~^2 x,   v' = v - h/2 w~^2 (x + x'),
// has determinant 1 and trace 2 cos phi = 2 - h^2 w~^2, and conserves
//   v^2 + w^^2 x^2,   w^ = sin(phi)/h,   w^^2 = w~^2 (1 - h^2 w~^2/4) = w^2 (1 + (beta - 1/4) theta)/(1 + beta
//   theta)^2:
//   x_n = x_0 cos(n phi) + v_0/w^ sin(n phi),   v_n = v_0 cos(n phi) - w^ x_0 sin(n phi).
//   (a)
// Nothing is damped, but the conserved quantity is not the energy (v^2 + w^2 x^2)/2. The average of the energy over the
// phase is
//   from rest:                      1/2 (1 + (1 + (beta - 1/4) theta)/(1 + beta theta)^2)   of its start,        (b)
//   from x = 0 with a velocity:     1/2 (1 + (1 + beta theta)^2/(1 + (beta - 1/4) theta)),                       (c)
// less than the start in (b), more in (c). At the physical position q = x + c a = x/(1 + beta theta), and started from
// the x that stands for q, the method is Newmark's and the two averages are
//   from rest: 1 + (beta - 1/4) theta/2,     from a velocity: 1/2 (1 + 1/(1 + (beta - 1/4) theta)),              (d)
// exactly 1 for beta = 1/4.
#pragma once

#include <livi/scalar/scalar.hpp>

#include <cmath>

namespace livi {

/// The position x and velocity v of a mode.
template <class S>
struct ModePoint {
  S x, v;
};

/// The position at which the energy of a run is evaluated: the x that the method stores, or the physical position
/// x + beta h^2 a(x).
enum class PositionReading { stored, physical };

/// One mode under Z&S or Z&Ss with Newmark's beta; velocity Verlet for beta = 0. Takes the frequency squared and h > 0.
template <class S>
class ModeUnderStep {
 public:
  ModeUnderStep(const S& frequency_squared, const S& h, const S& beta)
      : w2_(frequency_squared), h_(h), factor_(S(1) + beta * h * h * frequency_squared), modified_(w2_ / factor_) {}

  /// Returns w~^2, the frequency squared of the modified force.
  [[nodiscard]] S modified_frequency_squared() const { return modified_; }
  /// Returns w^^2 of the conserved quantity v^2 + w^^2 x^2. It is negative where the method is unstable.
  [[nodiscard]] S kept_frequency_squared() const { return modified_ * (S(1) - h_ * h_ * modified_ / S(4)); }
  /// Returns cos phi, where phi is the angle by which a step turns.
  [[nodiscard]] S cosine() const { return S(1) - h_ * h_ * modified_ / S(2); }
  /// Returns x/q = 1 + beta theta.
  [[nodiscard]] S stored_over_physical() const { return factor_; }

  [[nodiscard]] ModePoint<S> step(const ModePoint<S>& z) const {
    const S half = h_ / S(2), v = z.v - half * modified_ * z.x, x = z.x + h_ * v;
    return {x, v - half * modified_ * x};
  }
  [[nodiscard]] S energy(const ModePoint<S>& z, PositionReading at) const {
    const S q = at == PositionReading::stored ? z.x : S(z.x / factor_);
    return (z.v * z.v + w2_ * q * q) / S(2);
  }
  /// Returns the mean of energy() over all phases, for a start z of a stable mode with w > 0.
  [[nodiscard]] S mean_energy(const ModePoint<S>& z, PositionReading at) const {
    const S kept = kept_frequency_squared(), twice_invariant = (z.v * z.v + kept * z.x * z.x) / S(2);
    return (twice_invariant + stiffness(at) * twice_invariant / kept) / S(2);
  }
  /// Returns the mean of energy() over the steps 1, ..., n, from geometric sums of cos(2 k phi) and sin(2 k phi).
  [[nodiscard]] S mean_energy(const ModePoint<S>& z, PositionReading at, long n) const {
    using std::acos, std::cos, std::sin, std::sqrt;
    const S phi = acos(cosine()), kept = kept_frequency_squared();
    const S envelope = sin(whole<S>(n) * phi) / (whole<S>(n) * sin(phi)), middle = whole<S>(n + 1) * phi;
    const S even = (z.x * z.x - z.v * z.v / kept) / S(2), odd = z.x * z.v / sqrt(kept);
    const S of_phase = envelope * (even * cos(middle) + odd * sin(middle));
    return mean_energy(z, at) + (stiffness(at) - kept) * of_phase / S(2);
  }

 private:
  [[nodiscard]] S stiffness(PositionReading at) const {
    return at == PositionReading::stored ? w2_ : S(w2_ / (factor_ * factor_));
  }

  S w2_, h_, factor_, modified_;
};

}  // namespace livi
