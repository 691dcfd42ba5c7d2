// SPDX-License-Identifier: MIT
#include <livi/battery.hpp>

int main(int argc, char** argv) {  // kick, drift, kick; system.acceleration(q, a) is a = -M^-1 grad V(q)
  livi::Properties declared{.name = "my Verlet", .order = 2, .symmetric = true, .symplectic = true};
  declared.linear_momentum = declared.angular_momentum = true;
  declared.stability_limit = 2, declared.cost.gradients = 2;
  return livi::battery(argc, argv, declared, [](const auto& system, auto& q, auto& v, const auto& h) {
    auto a = q;
    system.acceleration(q, a), v += h / 2 * a, q += h * v;
    system.acceleration(q, a), v += h / 2 * a;
  });
}
