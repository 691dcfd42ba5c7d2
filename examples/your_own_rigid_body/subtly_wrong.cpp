// SPDX-License-Identifier: MIT
// LieVerlet without the terms h^2/4 (x . I x) x: still of order two, symmetric and on SO(3), but not what it declares.
#include <livi/battery.hpp>

template <class System>
struct MyLieVerlet {  // Q' = Q hat(W): q is Q, w is W in body axes, system.momentum(w) = I W
  const System& system;
  static livi::Properties declares() {
    return {.name = "my Lie-Verlet, simplified",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .angular_momentum = true,
            .cost = {.gradients = 2}};
  }
  void step(auto& q, auto& w, const auto& h) const {
    using V = std::decay_t<decltype(w)>;
    const auto half = h / 2;
    const V mu = system.momentum(w) + half * system.torque(q);
    V x = system.velocity(mu);  // I x + h/2 x cross I x + ... = mu, by iteration
    for (int i = 0; i < 150; ++i) {
      const V p = system.momentum(x);
      x = system.velocity(V(mu - half * livi::cross(x, p)));
    }
    const V p = system.momentum(x);
    q = q * livi::so3::cay(V(h * x));
    w = system.velocity(V(p - half * livi::cross(x, p) + half * system.torque(q)));
  }
};

int main(int argc, char** argv) { return livi::rigid_body_battery<MyLieVerlet>(argc, argv); }
