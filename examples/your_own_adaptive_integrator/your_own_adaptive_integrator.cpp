// SPDX-License-Identifier: MIT
// The battery on a method with adaptive steps: leapfrog for log(K - E0) - log(-W), with dt = h / (K - E0).
#include <livi/battery.hpp>

template <class System>
struct MyLeapfrog {  // q' = v / (K - E0), t' = 1 / (K - E0), v' = a / -W in the fictitious time
  const System& system;
  static livi::Properties declares() {
    return {.name = "my leapfrog",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true};
  }
  // Its state is that of a method without start(): q, v, t, and energy, which is E0, the energy of the start.
  livi::StepOutcome step(auto& z, const auto& h) const {
    auto a = z.q;
    if (!livi::is_finite(z.energy)) return {livi::Failure::not_finite};
    drift(z, h);
    system.acceleration(z.q, a);
    z.v += h / -system.potential().value(z.q) * a;
    drift(z, h);
    return {};
  }
  void drift(auto& z, const auto& h) const {
    const auto rate = system.energy(z.q, z.v) - system.potential().value(z.q) - z.energy;
    z.last_step = h / 2 / rate;
    z.q += z.last_step * z.v;
    z.t += z.last_step;
  }
};

int main(int argc, char** argv) { return livi::adaptive_battery<MyLeapfrog>(argc, argv); }
