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
    const auto none = livi::StepOutcome{livi::Failure::no_step_density};
    if (!drift(z, h)) return none;
    const auto depth = -system.potential().value(z.q);
    if (!livi::is_density(depth)) return none;
    system.acceleration(z.q, a);
    z.v += h / depth * a;
    return drift(z, h) ? livi::StepOutcome{} : none;
  }
  bool drift(auto& z, const auto& h) const {
    const auto rate = system.energy(z.q, z.v) - system.potential().value(z.q) - z.energy;
    if (!livi::is_density(rate)) return false;
    z.last_step = h / 2 / rate;
    z.q += z.last_step * z.v;
    z.t += z.last_step;
    return true;
  }
};

int main(int argc, char** argv) { return livi::adaptive_battery<MyLeapfrog>(argc, argv); }
