// SPDX-License-Identifier: MIT
//
// The controls of each kind of subjects, and the honest methods, compiled once.
#include <livi/claims/adaptive_controls.hpp>
#include <livi/claims/battery/mechanical_control.hpp>
#include <livi/claims/stochastic_controls.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

namespace livi::battery_detail {

/// LieVerlet with half kicks of 0.501 h and 0.499 h: consistent, of order one.
template <class System>
class LopsidedLieVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;
  explicit LopsidedLieVerlet(const System& system) : system_(&system), free_(NewtonOptions<S>()) {}
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }
  StepOutcome step(state_type& z, const S& h) {
    Vector3<S> mu = system_->momentum(z.w) + (ratio<S>(501, 1000) * h) * z.torque;
    if (const StepOutcome outcome = free_.drift(*system_, h, z.q, mu, z.w, work_); !outcome.ok()) return outcome;
    z.torque = system_->torque(z.q);
    z.w = system_->velocity(mu + (ratio<S>(499, 1000) * h) * z.torque);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "LieVerlet with one coefficient moved by 1e-3", .source = "-", .order = 1};
  }

 private:
  const System* system_;
  DiscreteEulerPoincare<System, so3::CayleyMap> free_;
  WorkCounters work_;
};

namespace {

/// Returns Method<System> as a control on the problems of rigid bodies.
template <template <class...> class Method>
ControlMethod body_control(const std::string& name) {
  const auto factory = []<class System>(const System& system) { return Method<System>(system); };
  return {name, std::make_unique<BodySubject<decltype(factory)>>(factory)};
}

/// Applies Newmark's map TO14 (13).
PhasePoint<Dual<Float50>> map_of_newmark(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                         const Dual<Float50>& h) {
  const auto& system = mechanical_problems<Dual<Float50>>().front().system;
  Newmark method(system);
  PhasePoint<Dual<Float50>> mapped = z;
  method.canonical_position(z.q, h, mapped.q);
  return mapped;
}

/// Applies the map of CayleyVariationalEuler, the conjugation of (34).
PhasePoint<Dual<Float50>> map_of_34(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                    const Dual<Float50>& h) {
  const auto& body = body_problems<Dual<Float50>>().front();
  const CayleyVariationalEuler method(body);
  return {z.q, method.canonical_momentum(body.velocity(Vector3<Dual<Float50>>(z.p)), h)};
}

}  // namespace

const ControlMethod& simplified_control() {
  static const ControlMethod control = mechanical_control<SimplifiedZhangSkeel>("SimplifiedZhangSkeel");
  return control;
}
const ControlMethod& zhang_skeel_control() {
  static const ControlMethod control = mechanical_control<ZhangSkeel>("ZhangSkeel");
  return control;
}
const ControlMethod& verlet_control() {
  static const ControlMethod control = mechanical_control<VelocityVerlet>("VelocityVerlet");
  return control;
}

const Controls& controls_of(SubjectKind kind) {
  if (kind == SubjectKind::rigid_body) {
    static const ControlMethod lopsided =
                                   body_control<LopsidedLieVerlet>("LieVerlet with one coefficient moved by 1e-3"),
                               runge_kutta = body_control<RungeKuttaMuntheKaas4>("RungeKuttaMuntheKaas4"),
                               asymmetric = body_control<CayleyVariationalEuler>("CayleyVariationalEuler"),
                               not_symplectic = body_control<LieNewmark>("LieNewmark"),
                               verlet = body_control<LieVerlet>("LieVerlet"),
                               off_the_group = body_control<MatrixRungeKutta4>("MatrixRungeKutta4");
    static const Controls of_bodies{.rigid_body = true,
                                    .lopsided = &lopsided,
                                    .runge_kutta = &runge_kutta,
                                    .asymmetric = &asymmetric,
                                    .not_symplectic = &not_symplectic,
                                    .symplectic = &verlet,
                                    .verlet = &verlet,
                                    .off_the_group = &off_the_group,
                                    .name_of_map = "the map of (34)",
                                    .map = &map_of_34};
    return of_bodies;
  }
  static const ControlMethod runge_kutta = mechanical_control<RungeKutta4>("RungeKutta4"),
                             asymmetric = mechanical_control<SymplecticEuler>("SymplecticEuler");
  static const Controls of_vector_spaces{.rigid_body = false,
                                         .lopsided = &lopsided_control(),
                                         .runge_kutta = &runge_kutta,
                                         .asymmetric = &asymmetric,
                                         .not_symplectic = &simplified_control(),
                                         .symplectic = &zhang_skeel_control(),
                                         .verlet = &verlet_control(),
                                         .off_the_group = nullptr,
                                         .name_of_map = "Newmark's map",
                                         .map = &map_of_newmark};
  return of_vector_spaces;
}

const std::vector<ControlMethod>& honest_methods(SubjectKind kind) {
  static const std::vector<ControlMethod> of_vector_spaces = [] {
    std::vector<ControlMethod> methods;
    methods.push_back(mechanical_control<VelocityVerlet>("VelocityVerlet"));
    methods.push_back(mechanical_control<Newmark>("Newmark"));
    methods.push_back(mechanical_control<SimplifiedZhangSkeel>("SimplifiedZhangSkeel"));
    methods.push_back(mechanical_control<SymplecticEuler>("SymplecticEuler"));
    methods.push_back(mechanical_control<RungeKutta4>("RungeKutta4"));
    const auto rattle = []<class System>(const System& system) { return Rattle<System>(system); };
    methods.push_back({"Rattle", std::make_unique<ConstrainedSubject<decltype(rattle)>>(rattle)});
    return methods;
  }();
  static const std::vector<ControlMethod> of_bodies = [] {
    std::vector<ControlMethod> methods;
    methods.push_back(body_control<LieVerlet>("LieVerlet"));
    methods.push_back(body_control<CayleyVariationalEuler>("CayleyVariationalEuler"));
    methods.push_back(body_control<LieNewmark>("LieNewmark"));
    methods.push_back(body_control<MatrixRungeKutta4>("MatrixRungeKutta4"));
    return methods;
  }();
  if (kind == SubjectKind::adaptive) {
    static const std::vector<ControlMethod> with_adaptive_steps = honest_adaptive_methods();
    return with_adaptive_steps;
  }
  if (kind == SubjectKind::stochastic) {
    static const std::vector<ControlMethod> under_noise = honest_stochastic_methods();
    return under_noise;
  }
  return kind == SubjectKind::rigid_body ? of_bodies : of_vector_spaces;
}

}  // namespace livi::battery_detail
