// SPDX-License-Identifier: MIT
// RATTLE that takes the gradients of the noise potentials once a step, for both kicks: nothing changes where they are linear, as in
// every published test, nor do the orders elsewhere; but the step is neither symplectic nor symmetric.
#include <livi/battery.hpp>
#include <livi/integrators/multiplier_solve.hpp>

template <class System>
struct MyRattle {
  using V = livi::VectorOf<System>;
  const System& system;
  livi::MultiplierSolve<System> multipliers;
  typename System::multiplier_type mu = livi::zeros<typename System::multiplier_type>();
  livi::WorkCounters work = {};
  explicit MyRattle(const System& of) : system(of), multipliers(of, livi::NewtonOptions<livi::ScalarOf<System>>{}) {}
  static livi::StochasticProperties declares() {
    return {.deterministic = {.name = "my RATTLE, one gradient",
                              .order = 2,
                              .symmetric = true,
                              .symplectic = true,
                              .linear_momentum = true,
                              .angular_momentum = true,
                              .rational = false},
            .strong_order = 1,
            .strong_order_for_constant_products = 1};
  }
  // Its state is that of a method without start(): q and v.
  livi::StepOutcome step(auto& z, const auto& h, auto noises) {
    const V old = z.q;
    kick(z, old, h, noises);
    multipliers.set_directions(system, old);
    const V predicted = old + h * z.v;
    mu.setConstant(h - h);  // the guess
    // The multiplier need not exist: the outcome says so.
    if (const auto outcome = multipliers.solve_nearest_position(system, old, predicted, mu, z.q, work); !outcome.ok())
      return outcome;
    z.v += multipliers.push(mu) / h;
    kick(z, old, h, noises);
    multipliers.set_directions(system, z.q);
    return multipliers.project_velocity(system, z.q, z.v, mu, work);
  }
  // Adds h/2 of the acceleration at z.q, and dW/2 of each noise at `at`.
  void kick(auto& z, const V& at, const auto& h, auto noises) const {
    V a = z.q;
    system.acceleration(z.q, a);
    z.v += h / 2 * a;
    system.kick(
        at, [&](auto i) { return decltype(h / 2)(noises[static_cast<std::size_t>(i)].increment / 2); }, a, z.v);
  }
};

int main(int argc, char** argv) { return livi::stochastic_battery<MyRattle>(argc, argv); }
