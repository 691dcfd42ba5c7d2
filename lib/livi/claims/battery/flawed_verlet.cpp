// SPDX-License-Identifier: MIT
//
// Verlet with one flaw, compiled once: the control of the tests of runs, each of which must reject a flaw of its own.
#include <cmath>
#include <livi/claims/battery/controls.hpp>
#include <livi/diagnostics/mechanical_subject.hpp>

namespace livi::battery_detail {

/// Verlet with one flaw. It is one class so that it is compiled once.
template <class System>
class FlawedVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  struct state_type {
    VectorOf<System> q, v;
    S count{0};
    auto fields() { return std::tie(q, v, count); }
  };

  FlawedVerlet(const System& system, Flaw flaw) : system_(&system), flaw_(flaw), a_(system.size()) {}
  [[nodiscard]] state_type start(const VectorOf<System>& q, const VectorOf<System>& v) const { return {q, v, S(0)}; }
  StepOutcome step(state_type& z, const S& h) {
    static long counter = 0;
    bool lopsided = flaw_ == Flaw::lopsided || (flaw_ == Flaw::beyond_six && system_->size() > 6);
    if constexpr (std::same_as<S, Dual<Float50>>) lopsided = lopsided || flaw_ == Flaw::duals;
    if (flaw_ == Flaw::counts_steps) lopsided = ++counter % 2 == 0;
    if (flaw_ == Flaw::in_object) lopsided = ++steps_ % 2 == 0;
    if (flaw_ == Flaw::in_state) {
      lopsided = !(z.count == S(0));
      z.count = S(1) - z.count;
    }
    if (steps_made_++ == 0) first_ = h;
    S by = flaw_ == Flaw::first_step ? first_ : h;
    if (flaw_ == Flaw::absolute_step && leading(h) < RealOf<S>(0)) by = h / S(2);
    const S before = lopsided ? ratio<S>(501, 1000) : ratio<S>(1, 2);
    kick(z, before * by);
    z.q += by * z.v;
    kick(z, (S(1) - before) * by);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "Verlet with a flaw", .source = "-", .order = 2, .symmetric = true, .symplectic = true};
  }

 private:
  void kick(state_type& z, const S& by) {
    system_->acceleration(z.q, a_);
    if constexpr (std::same_as<S, double>) {
      if (flaw_ == Flaw::single_number) a_ = a_.unaryExpr(&to_24_bits).eval();
    }
    if (flaw_ == Flaw::other_equation) a_ *= S(1) + S(1) / (S(1000000) * S(1000000));
    z.v += by * a_;
  }
  /// Rounds x to the digits of float, in the range of double.
  static double to_24_bits(double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 24)), exponent - 24);
  }
  const System* system_;
  Flaw flaw_;
  long steps_ = 0, steps_made_ = 0;
  S first_{0};
  VectorOf<System> a_;
};

struct MakeFlawed {
  Flaw flaw;
  template <class System>
  auto operator()(const System& system) const {
    return FlawedVerlet<System>(system, flaw);
  }
};

const Subject& flawed(Flaw flaw) {
  static std::vector<std::unique_ptr<Subject>> subjects(static_cast<std::size_t>(Flaw::beyond_six) + 1);
  auto& subject = subjects[static_cast<std::size_t>(flaw)];
  if (!subject) subject = std::make_unique<MechanicalSubject<MakeFlawed>>(MakeFlawed{flaw});
  return *subject;
}

const ControlMethod& lopsided_control() {
  static const ControlMethod control{"Verlet with one coefficient moved by 1e-3",
                                     std::make_unique<MechanicalSubject<MakeFlawed>>(MakeFlawed{Flaw::lopsided})};
  return control;
}

}  // namespace livi::battery_detail
