// SPDX-License-Identifier: MIT
#include <livi/battery.hpp>

template <class System>
struct MyVerlet {  // kick, drift, kick; system.acceleration(q, a) is a = -M^-1 grad V(q)
  const System& system;
  static livi::Properties declares() {
    return {.name = "my Verlet",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = 2,
            .cost = {.gradients = 2}};
  }
  void step(auto& q, auto& v, const auto& h) const {
    auto a = q;
    system.acceleration(q, a), v += h / 2 * a, q += h * v;
    system.acceleration(q, a), v += h / 2 * a;
  }
};

int main(int argc, char** argv) { return livi::battery<MyVerlet>(argc, argv); }
