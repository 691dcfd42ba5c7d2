// SPDX-License-Identifier: MIT
// The leapfrog with E0 taken where each step begins, not where the motion began: still of order two, and its energy may
// look well, but not what it declares.
#include <livi/battery.hpp>

template <class System>
struct MyLeapfrog {  // q' = v / (K - E0), t' = 1 / (K - E0), v' = a / -W in the fictitious time
  const System& system;
  static livi::Properties declares() {
    return {.name = "my leapfrog, E0 of each step",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true};
  }
  livi::StepOutcome step(auto& z, const auto& h) const {
    auto a = z.q;
    z.energy = system.energy(z.q, z.v);
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
