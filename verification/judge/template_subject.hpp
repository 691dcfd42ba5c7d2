// SPDX-License-Identifier: MIT
//
// A method written as a template of this library (integrators/integrator.hpp, integrators/body_step.hpp) before the judge of
// methods from outside: its forces, torques, constraints and their Jacobians are those of the judge, in double.
#pragma once

#include <livi/diagnostics/mechanical_subject.hpp>
#include <livi/judge/method/foreign_subject.hpp>
#include <livi/systems/constraints.hpp>
#include <livi/systems/lie_system.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace livi {

inline std::vector<double> plain(const Vector<double, Dynamic>& x) { return {x.data(), x.data() + x.size()}; }
inline Vector<double, Dynamic> vector_of(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
/// Nine numbers by rows, as the judge writes them.
inline Matrix3<double> matrix_of(const std::vector<double>& x) { return Matrix3<double>(x.data()).transpose(); }

/// The judge's forces as a potential.
struct ForcesPotential {
  using scalar_type = double;
  using vector_type = Vector<double, Dynamic>;
  using hessian_type = DenseHessian<double, Dynamic>;
  static constexpr int dimension = Dynamic;
  Forces<double>* forces;

  double value(const vector_type& q) const { return forces->value(0, plain(q)); }
  void gradient(const vector_type& q, vector_type& out) const { out = vector_of(forces->gradient(0, plain(q))); }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.matrix = vector_of(forces->hessian(0, plain(q))).reshaped(q.size(), q.size());
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out = vector_of(forces->third(0, plain(q), plain(a), plain(a)));
  }
};

/// The judge's constraints.
struct ForcesConstraint {
  using scalar_type = double;
  using vector_type = Vector<double, Dynamic>;
  using multiplier_type = Vector<double, Dynamic>;
  using jacobian_type = Matrix<double, Dynamic>;
  static constexpr int dimension = Dynamic;
  static constexpr int constraints = Dynamic;
  Forces<double>* forces;

  void value(const vector_type& q, multiplier_type& g) const { g = vector_of(forces->constraint(plain(q))); }
  void jacobian(const vector_type& q, jacobian_type& jacobian) const {
    const vector_type rows = vector_of(forces->constraint_jacobian(plain(q)));
    jacobian = rows.reshaped(q.size(), rows.size() / q.size()).transpose();
  }
};

/// The judge's torques as a potential on SO(3).
struct ForcesTorque {
  using scalar_type = double;
  Forces<double>* forces;

  static std::vector<double> by_rows(const Matrix3<double>& q) {
    const Matrix3<double> turned = q.transpose();
    return {turned.data(), turned.data() + 9};
  }
  double value(const Matrix3<double>& q) const { return forces->value(0, by_rows(q)); }
  void torque(const Matrix3<double>& q, Vector3<double>& out) const { out = vector_of(forces->torque(by_rows(q))); }
};

/// The judge's forces as a system T(p) + V(q, t).
struct ForcesSeparable {
  using scalar_type = double;
  using vector_type = Vector<double, Dynamic>;
  Forces<double>* forces;
  void force(const vector_type& q, double t, vector_type& out) const {
    out = -vector_of(forces->gradient(t, plain(q)));
  }
  void velocity(const vector_type& p, vector_type& out) const { out = vector_of(forces->velocity(plain(p))); }
};

// What a template steps: a system made of the judge's forces, and the states of a method for it. A setting has `kinds`, a
// problem `example`, system_of(forces), start(method, system, z), point(system, state), and adapt(declaration) for what its
// kinds say otherwise than the battery.

/// M q'' = -grad V.
struct MechanicalSetting {
  using System = AnySystem<double>;
  static std::vector<ProblemKind> kinds() { return {ProblemKind::mechanical}; }
  static JudgedProblem example() { return {.name = "a problem", .masses = {1, 1}, .potential = {}}; }
  static void adapt(ForeignDeclaration&) {}
  static FullMass<double, Dynamic> mass(const JudgedProblem& problem) {
    return FullMass<double, Dynamic>(vector_of(problem.masses).asDiagonal());
  }
  static System system_of(Forces<double>& forces) {
    return {mass(forces.problem()), AnyPotential<double>(ForcesPotential{&forces}, forces.problem().size())};
  }
  static auto start(const auto& method, const auto& system, const TimedPoint<double>& z) {
    return subject_detail::start_of(method, vector_of(z.q), Vector<double, Dynamic>(system.velocity(vector_of(z.p))));
  }
  static TimedPoint<double> point(const auto& system, const auto& state) {
    return {0, plain(state.q), plain(system.momentum(state.v))};
  }
};

/// Such systems under constraints g(q) = 0, with velocities along them.
struct ConstrainedSetting : MechanicalSetting {
  using System = ConstrainedSystem<FullMass<double, Dynamic>, ForcesPotential, ForcesConstraint>;
  static std::vector<ProblemKind> kinds() { return {ProblemKind::constrained}; }
  /// The battery asks of every method that its velocities lie along the constraints, and knows no limit of stability there.
  static void adapt(ForeignDeclaration& declaration) {
    declaration.hidden = true;
    declaration.stability_limit.reset();
  }
  static System system_of(Forces<double>& forces) {
    return {mass(forces.problem()), ForcesPotential{&forces}, ForcesConstraint{&forces}};
  }
};

/// A rigid body about a fixed point.
struct BodySetting {
  using System = LieSystem<FullMass<double, 3>, ForcesTorque>;
  static std::vector<ProblemKind> kinds() { return {ProblemKind::body}; }
  static JudgedProblem example() {
    return {.name = "a body", .kind = ProblemKind::body, .masses = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .potential = {}};
  }
  /// Linear momentum is none of a body's. Where the battery says angular momentum it means the size of a free body's, too.
  static void adapt(ForeignDeclaration& declaration) {
    declaration.linear_momentum.reset();
    if (declaration.angular_momentum == true) declaration.casimir = true;
  }
  static System system_of(Forces<double>& forces) {
    return {FullMass<double, 3>(matrix_of(forces.problem().masses)), ForcesTorque{&forces}};
  }
  static auto start(const auto& method, const System& system, const TimedPoint<double>& z) {
    return method.start(matrix_of(z.q), system.velocity(Vector3<double>(z.p.data())));
  }
  static TimedPoint<double> point(const System& system, const auto& state) {
    return {0, ForcesTorque::by_rows(state.q), plain(system.momentum(state.w))};
  }
};

/// H = T(p) + V(q, t), for methods with `step(q, p, t, h)`, which have no state of their own and save nothing.
struct SeparableSetting {
  using System = ForcesSeparable;
  struct State {
    Vector<double, Dynamic> q, p;
  };
  static std::vector<ProblemKind> kinds() {
    return {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable};
  }
  static JudgedProblem example() { return MechanicalSetting::example(); }
  static void adapt(ForeignDeclaration&) {}
  static System system_of(Forces<double>& forces) { return {&forces}; }
  static State start(const auto&, const System&, const TimedPoint<double>& z) {
    return {vector_of(z.q), vector_of(z.p)};
  }
  static TimedPoint<double> point(const System&, const State& state) { return {0, plain(state.q), plain(state.p)}; }
};

/// Returns what a method declares in the words of this judge.
inline ForeignDeclaration foreign_declaration(const Properties& declared) {
  ForeignDeclaration declaration;
  declaration.name = declared.name.empty() ? "a template" : declared.name;
  declaration.order = declared.order;
  declaration.symplectic = declared.symplectic;
  declaration.symmetric = declared.symmetric;
  declaration.linear_momentum = declared.linear_momentum;
  declaration.angular_momentum = declared.angular_momentum;
  declaration.memory = declared.memory;
  if (!std::isnan(declared.stability_limit)) declaration.stability_limit = declared.stability_limit;
  if (!declared.cost.iterative) declaration.gradients = declared.cost.gradients;
  return declaration;
}

/// Factory: `auto operator()(const Setting::System&) const -> method`.
template <class Setting, class Factory>
class TemplateSubject final : public ForeignSubject {
 public:
  explicit TemplateSubject(Factory factory) : factory_(std::move(factory)) {
    const JudgedProblem problem = Setting::example();
    Forces<double> forces(problem);
    const auto system = Setting::system_of(forces);
    declaration_ = foreign_declaration(factory_(system).declares());
    declaration_.kinds = Setting::kinds();
    Setting::adapt(declaration_);
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(forces, factory_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<TemplateSubject>(factory_);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    using System = typename Setting::System;
    using Method = decltype(std::declval<const Factory&>()(std::declval<const System&>()));
    using State = decltype(Setting::start(std::declval<const Method&>(), std::declval<const System&>(),
                                          std::declval<const TimedPoint<double>&>()));

    Run(Forces<double>& forces, const Factory& factory)
        : forces_(forces), system_(Setting::system_of(forces)), factory_(factory) {}
    void start(const TimedPoint<double>& z) override {
      method_.emplace(factory_(system_));
      t_ = z.t;
      state_.emplace(Setting::start(*method_, system_, z));
    }
    void step(const double& h, long count) override {
      for (; count > 0; --count) {
        if constexpr (requires { method_->step(state_->q, state_->p, t_, h); }) {
          method_->step(state_->q, state_->p, t_, h);
        } else if (const StepOutcome outcome = subject_detail::step_of(*method_, *state_, h); !outcome.ok()) {
          throw ForeignRefusal(outcome.describe());
        }
        t_ += h;
      }
    }
    TimedPoint<double> point() override {
      TimedPoint<double> z = Setting::point(system_, *state_);
      z.t = t_;
      return z;
    }
    std::optional<std::string> save() override {
      if constexpr (requires { state_->fields(); }) {
        return save_state(*state_);
      } else {
        return std::nullopt;
      }
    }
    void restore(const std::string& text) override {
      const JudgedProblem& problem = forces_.problem();
      const auto momenta = static_cast<std::size_t>(problem.momenta());
      // A state of the right size.
      start({0, std::vector<double>(problem.masses.size()), std::vector<double>(momenta)});
      if constexpr (requires { state_->fields(); }) load_state(text, *state_);
    }

   private:
    Forces<double>& forces_;
    System system_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<State> state_;
    double t_ = 0;
  };

  Factory factory_;
  ForeignDeclaration declaration_;
};

/// Returns a method, made of a system by a factory, as a subject.
template <class Setting, class Factory>
TemplateSubject<Setting, Factory> template_subject(Factory factory) {
  return TemplateSubject<Setting, Factory>(std::move(factory));
}

}  // namespace livi
