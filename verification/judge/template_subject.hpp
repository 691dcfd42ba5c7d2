// SPDX-License-Identifier: MIT
//
// A method written as a template of this library (integrators/integrator.hpp) before the judge of methods from outside:
// its forces are those of the judge, in double.
#pragma once

#include <livi/diagnostics/mechanical_subject.hpp>
#include <livi/foreign/foreign_subject.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace livi {

/// The judge's forces as a potential.
struct ForcesPotential {
  using scalar_type = double;
  using vector_type = Vector<double, Dynamic>;
  using hessian_type = DenseHessian<double, Dynamic>;
  static constexpr int dimension = Dynamic;
  Forces<double>* forces;

  static std::vector<double> plain(const vector_type& x) { return {x.data(), x.data() + x.size()}; }
  static void set(vector_type& out, const std::vector<double>& x) {
    out = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  double value(const vector_type& q) const { return forces->value(0, plain(q)); }
  void gradient(const vector_type& q, vector_type& out) const { set(out, forces->gradient(0, plain(q))); }
  void hessian(const vector_type& q, hessian_type& h) const {
    const std::vector<double> entries = forces->hessian(0, plain(q));
    h.matrix = Eigen::Map<const Eigen::MatrixXd>(entries.data(), q.size(), q.size());
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    set(out, forces->third(0, plain(q), plain(a), plain(a)));
  }
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

/// The judge's forces as a system T(p) + V(q, t).
struct ForcesSeparable {
  using scalar_type = double;
  using vector_type = Vector<double, Dynamic>;
  Forces<double>* forces;
  void force(const vector_type& q, double t, vector_type& out) const {
    ForcesPotential::set(out, forces->gradient(t, ForcesPotential::plain(q)));
    out = -out;
  }
  void velocity(const vector_type& p, vector_type& out) const {
    ForcesPotential::set(out, forces->velocity(ForcesPotential::plain(p)));
  }
};

/// Method: a template with `step(q, p, t, h)`, made of `{{system}}`, for the kinds mechanical, timed and separable. It saves nothing.
template <template <class> class Method>
class SeparableTemplateSubject final : public ForeignSubject {
 public:
  SeparableTemplateSubject() {
    declaration_.kinds = {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable};
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<SeparableTemplateSubject>();
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    explicit Run(Forces<double>& forces) : system_{&forces} {}
    void start(const TimedPoint<double>& z) override {
      method_.emplace(Method<ForcesSeparable>{{system_}});
      ForcesPotential::set(q_, z.q);
      ForcesPotential::set(p_, z.p);
      t_ = z.t;
    }
    void step(const double& h, long count) override {
      for (; count > 0; --count) {
        method_->step(q_, p_, t_, h);
        t_ += h;
      }
    }
    TimedPoint<double> point() override { return {t_, ForcesPotential::plain(q_), ForcesPotential::plain(p_)}; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string&) override {}

   private:
    ForcesSeparable system_;
    std::optional<Method<ForcesSeparable>> method_;
    Vector<double, Dynamic> q_, p_;
    double t_ = 0;
  };
  ForeignDeclaration declaration_ = foreign_declaration(Method<ForcesSeparable>::declares());
};

/// Factory: `auto operator()(const AnySystem<double>&) const -> method`.
template <class Factory>
class TemplateSubject final : public ForeignSubject {
 public:
  explicit TemplateSubject(Factory factory) : factory_(std::move(factory)) {
    const JudgedProblem problem{.name = "a problem", .masses = {1, 1}, .potential = {}};
    Forces<double> forces(problem);
    const auto system = system_of(forces);
    declaration_ = foreign_declaration(factory_(system).declares());
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(forces, factory_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<TemplateSubject>(factory_);
  }

 private:
  static AnySystem<double> system_of(Forces<double>& forces) {
    const std::vector<double>& m = forces.problem().masses;
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(forces.problem().size(), forces.problem().size());
    for (Eigen::Index i = 0; i < mass.rows(); ++i) mass(i, i) = m[static_cast<std::size_t>(i)];
    return {FullMass<double, Dynamic>(mass), AnyPotential<double>(ForcesPotential{&forces}, forces.problem().size())};
  }

  class Run final : public ForeignRun<double> {
   public:
    using System = AnySystem<double>;
    using Method = decltype(std::declval<const Factory&>()(std::declval<const System&>()));
    using State =
        decltype(subject_detail::start_of(std::declval<const Method&>(), std::declval<const Vector<double, Dynamic>&>(),
                                          std::declval<const Vector<double, Dynamic>&>()));

    Run(Forces<double>& forces, const Factory& factory) : system_(system_of(forces)), factory_(factory) {}
    void start(const TimedPoint<double>& z) override {
      method_.emplace(factory_(system_));
      t_ = z.t;
      state_.emplace(
          subject_detail::start_of(*method_, vector(z.q), Vector<double, Dynamic>(system_.velocity(vector(z.p)))));
    }
    void step(const double& h, long count) override {
      for (long k = 0; k < count; ++k) {
        const StepOutcome outcome = subject_detail::step_of(*method_, *state_, h);
        if (!outcome.ok()) throw ForeignRefusal(outcome.describe());
        t_ += h;
      }
    }
    TimedPoint<double> point() override {
      return {t_, ForcesPotential::plain(state_->q), ForcesPotential::plain(system_.momentum(state_->v))};
    }
    std::optional<std::string> save() override { return save_state(*state_); }
    void restore(const std::string& text) override {
      method_.emplace(factory_(system_));
      const Vector<double, Dynamic> zero = Vector<double, Dynamic>::Zero(system_.size());
      state_.emplace(subject_detail::start_of(*method_, zero, zero));
      load_state(text, *state_);
    }

   private:
    static Vector<double, Dynamic> vector(const std::vector<double>& x) {
      return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    }

    System system_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<State> state_;
    double t_ = 0;
  };

  Factory factory_;
  ForeignDeclaration declaration_;
};

}  // namespace livi
