// SPDX-License-Identifier: MIT
//
// Any method for constrained systems under noise (stochastic/noise_integrals.hpp) as a Subject. The method must offer, in order of
// preference where there is a choice:
//
//   declares_for_noise(), or declares()   static or not, -> StochasticProperties
//   start(q, v)                           or nothing: then its state is a PhaseState
//   step(state, h, noises) -> StepOutcome with one NoiseIntegrals for each noise potential, and the integrals of all products
//   step(state, h) -> StepOutcome         the step without noise, if it has one of its own
//   state.q, .v, state.fields()
//
// It is compiled for double, Float50 and Dual<Float50>, and for two systems: a particle on a sphere or a cylinder, whose
// multiplier is known in closed form, and two rods with a full mass matrix, for which Newton's method solves.
#pragma once

#include <livi/diagnostics/mechanical_subject.hpp>
#include <livi/linalg/multiplier_matrix.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <livi/systems/stochastic_problems.hpp>

namespace livi {

/// The potential V = a . q + q . A q / 2 with symmetric A.
template <class S>
struct TestField {
  using scalar_type = S;
  using vector_type = Vector<S, 3>;
  using hessian_type = DenseHessian<S, 3>;
  static constexpr int dimension = 3;
  vector_type slope;    ///< a
  Matrix<S, 3> matrix;  ///< A

  S value(const vector_type& q) const {
    vector_type image;
    gradient(q, image);
    S sum(0);
    for (int i = 0; i < 3; ++i) sum += (slope(i) + image(i)) * q(i);
    return sum / S(2);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    for (int i = 0; i < 3; ++i) out(i) = slope(i) + matrix(i, 0) * q(0) + matrix(i, 1) * q(1) + matrix(i, 2) * q(2);
  }
  void hessian(const vector_type&, hessian_type& h) const { h.matrix = matrix; }
  void third(const vector_type&, const vector_type&, vector_type& out) const { out.setConstant(S(0)); }
};

/// The unit sphere, or the unit cylinder about the third axis: one class, so that a method is compiled once.
template <class S>
struct TestRound {
  using scalar_type = S;
  using vector_type = Vector<S, 3>;
  using multiplier_type = Vector<S, 1>;
  using jacobian_type = Matrix<S, 1, 3>;
  static constexpr int dimension = 3;
  static constexpr int constraints = 1;
  bool is_sphere = true;

  void value(const vector_type& q, multiplier_type& g) const {
    is_sphere ? sphere().value(q, g) : cylinder().value(q, g);
  }
  void jacobian(const vector_type& q, jacobian_type& jacobian) const {
    is_sphere ? sphere().jacobian(q, jacobian) : cylinder().jacobian(q, jacobian);
  }
  template <class H>
  void add_hessian(const vector_type& q, const multiplier_type& w, H& h) const {
    is_sphere ? sphere().add_hessian(q, w, h) : cylinder().add_hessian(q, w, h);
  }
  void curvature(const vector_type& q, const vector_type& a, multiplier_type& w) const {
    is_sphere ? sphere().curvature(q, a, w) : cylinder().curvature(q, a, w);
  }
  void add_hessian_product(const vector_type& q, const multiplier_type& w, const vector_type& a,
                           vector_type& out) const {
    is_sphere ? sphere().add_hessian_product(q, w, a, out) : cylinder().add_hessian_product(q, w, a, out);
  }
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}
  bool nearest_root(const vector_type& r, const vector_type& d, multiplier_type& mu) const {
    return is_sphere ? sphere().nearest_root(r, d, mu) : cylinder().nearest_root(r, d, mu);
  }

 private:
  static RoundConstraint<S, 3> sphere() { return {S(1)}; }
  static RoundConstraint<S, 3, 2> cylinder() { return {S(1)}; }
};

template <class S>
using TestRoundSystem = StochasticSystem<ScalarMass<S, 3>, TestField<S>, TestRound<S>, QuadraticNoise<S, 3>>;
template <class S>
using TestRodSystem = DoubleSpherePendulum<S, QuadraticNoise<S, 6>>;

/// What keeps a system and its noises: nothing, rotations about the third axis, or translations along it.
enum class ProblemSymmetry { none, rotations, translations };

template <class System>
struct StochasticTestProblem {
  using S = typename System::scalar_type;
  using V = typename System::vector_type;
  std::string name;
  ProblemRole role;
  System system;
  std::vector<std::pair<V, V>> points;  ///< position and velocity
  ProblemSymmetry symmetry = ProblemSymmetry::none;
  double squared_length = 1;  ///< length^2 of the longest rod: the constraint is rounded in proportion to it
};

template <class S>
struct StochasticTestProblems {
  std::vector<StochasticTestProblem<TestRoundSystem<S>>> round;
  std::vector<StochasticTestProblem<TestRodSystem<S>>> rods;
};
/// Returns the problems under noise; those of rods follow the round ones. Compiled once (battery library).
template <class S>
const StochasticTestProblems<S>& stochastic_test_problems();
template <>
const StochasticTestProblems<double>& stochastic_test_problems<double>();
template <>
const StochasticTestProblems<Float50>& stochastic_test_problems<Float50>();
template <>
const StochasticTestProblems<Dual<Float50>>& stochastic_test_problems<Dual<Float50>>();
const std::vector<ProblemSummary>& stochastic_problem_summaries();

/// The places of problems that tests ask for by name.
namespace stochastic_place {
inline constexpr std::size_t varying_products = 0,  ///< sphere, V = z; noises x y and z^2/2 + x
    constant_products = 1,                          ///< cylinder, V = x z + z^2/2; noises z/2 and z/4
    symmetric_noise = 2,                            ///< sphere, V = z; noises z/2 and (x^2 + y^2 - z^2)/4
    broken_symmetry = 3,                            ///< symmetric_noise with 1e-6 x in the first noise
    isotropic_noise = 4,                            ///< sphere, V = z; noises x/2, y/2, z/2
    free_particle = 5,                              ///< unit sphere, no force, noise y
    translations = 6,                               ///< cylinder, V = x + x y/2; noises x/2 and x y/2
    broken_translations = 7,                        ///< translations with 1e-6 z in the first noise
    rods = 8,                                       ///< double pendulum, full masses, two noises
    symmetric_rods = 9;                             ///< double pendulum, with noises that rotations keep
}  // namespace stochastic_place

/// The integrals over one step with their memory, of which StepNoise is a view: those of each noise, and of the products of two
/// in the order of StepNoise.
template <class S>
struct DrawnNoise {
  std::vector<NoiseIntegrals<S>> noises;
  std::vector<S> products;

  /// Returns a number of noises that are zero.
  static DrawnNoise none(std::size_t count) {
    return {std::vector<NoiseIntegrals<S>>(count), std::vector<S>(count * (count - 1) / 2, S(0))};
  }
  operator StepNoise<S>() const { return {noises, products}; }
};

/// A method under noise, running. Steps are those with the noises in force, or without noise.
template <class S>
class NoisyStepper : public AnyStepper<S> {
 public:
  /// Sets the noises of the steps that follow; nothing takes the method's step without noise, where it has one.
  void set_noises(std::optional<DrawnNoise<S>> noises) { noises_ = std::move(noises); }
  /// Makes a step with noises that stay where they are.
  virtual StepOutcome step_under(const S& h, StepNoise<S> noises) = 0;
  /// Returns |g| and |G v|/max(1, |v|), over the squared length of the longest rod.
  [[nodiscard]] virtual std::pair<RealOf<S>, RealOf<S>> defects() = 0;
  [[nodiscard]] virtual std::size_t noises() const = 0;
  /// Returns P M^-1 grad gamma_i with the projection P on tangent vectors, which a unit of noise i adds to the velocity.
  [[nodiscard]] virtual Vector<S, Dynamic> tangent_impulse(std::size_t noise) = 0;
  /// Returns P M^-1 grad sum_i K_ii, by differences: to some 2^-80, or what rounding leaves.
  [[nodiscard]] virtual Vector<S, Dynamic> gradient_of_products() = 0;
  /// Returns the acceleration without noise, that of the multiplier with it.
  [[nodiscard]] virtual Vector<S, Dynamic> constrained_acceleration() = 0;
  [[nodiscard]] virtual Vector<S, Dynamic> velocity() = 0;

 protected:
  std::optional<DrawnNoise<S>> noises_;
};

/// Adds M^-1 G(q)^T kappa to w, with the kappa for which then G w = rate.
template <class System, class V>
void correct_rate(const System& system, const V& q, const typename System::multiplier_type& rate, V& w) {
  typename System::jacobian_type jacobian;
  system.constraint().jacobian(q, jacobian);
  MultiplierMatrix<typename System::jacobian_type, typename System::mass_type> matrix(system.mass());
  matrix.set_directions(system.mass(), jacobian);
  static_cast<void>(matrix.factor(jacobian));
  typename System::multiplier_type kappa = rate;
  multiply(jacobian, w, kappa);
  kappa = rate - kappa;
  matrix.solve_in_place(kappa);
  V column = w;
  matrix.push(kappa, column);
  w += column;
}

/// What the battery asks of a method under noise beside what it asks of every subject.
class AnyStochasticSubject : public Subject {
 public:
  [[nodiscard]] SubjectKind kind() const final { return SubjectKind::stochastic; }
  [[nodiscard]] const std::vector<ProblemSummary>& problems() const final { return stochastic_problem_summaries(); }
  [[nodiscard]] Properties declares() const final { return declares_for_noise().deterministic; }
  [[nodiscard]] virtual StochasticProperties declares_for_noise() const = 0;
  /// Returns the flow without noise, to some 1e-20, by extrapolation of RATTLE.
  [[nodiscard]] PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                          const Float50& time) const final;
  bool count(CountedCost&, int) const final { return false; }
  /// Returns whether the method has a step without noise.
  [[nodiscard]] virtual bool steps_without_noise() const = 0;
  [[nodiscard]] virtual std::unique_ptr<NoisyStepper<double>> noisy_in_double(std::size_t problem) const = 0;
  [[nodiscard]] virtual std::unique_ptr<NoisyStepper<Float50>> noisy_in_50_digits(std::size_t problem) const = 0;
  [[nodiscard]] virtual std::unique_ptr<NoisyStepper<Dual<Float50>>> noisy_in_duals(std::size_t problem) const = 0;
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const final {
    return noisy_in_double(problem);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const final {
    return noisy_in_50_digits(problem);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const final {
    return noisy_in_duals(problem);
  }
};

/// The Subject of a method under noise. Factory: `auto operator()(const System&) const -> method`, for the systems and number
/// types named at the head of this file.
template <class Factory>
class StochasticSubject final : public AnyStochasticSubject {
 public:
  explicit StochasticSubject(Factory factory) : factory_(std::move(factory)) {}

  [[nodiscard]] StochasticProperties declares_for_noise() const override {
    const auto method = factory_(stochastic_test_problems<double>().round.front().system);
    return declared_by(method);
  }
  [[nodiscard]] bool steps_without_noise() const override { return Stepper<TestRoundSystem<double>>::has_own_step; }
  [[nodiscard]] std::unique_ptr<NoisyStepper<double>> noisy_in_double(std::size_t problem) const override {
    return make<double>(problem);
  }
  [[nodiscard]] std::unique_ptr<NoisyStepper<Float50>> noisy_in_50_digits(std::size_t problem) const override {
    return make<Float50>(problem);
  }
  [[nodiscard]] std::unique_ptr<NoisyStepper<Dual<Float50>>> noisy_in_duals(std::size_t problem) const override {
    return make<Dual<Float50>>(problem);
  }

 private:
  template <class Method>
  static StochasticProperties declared_by(const Method& method) {
    if constexpr (requires { method.declares_for_noise(); }) {
      return method.declares_for_noise();
    } else {
      return method.declares();
    }
  }

  template <class System>
  class Stepper final : public NoisyStepper<ScalarOf<System>> {
   public:
    using S = ScalarOf<System>;
    using V = VectorOf<System>;
    using D = Vector<S, Dynamic>;
    using Method = decltype(std::declval<const Factory&>()(std::declval<const System&>()));
    using State = decltype(subject_detail::start_of(std::declval<const Method&>(), std::declval<const V&>(),
                                                    std::declval<const V&>()));
    static constexpr bool has_own_step = requires(Method & method, State& state, const S& h) {
      { method.step(state, h) } -> std::same_as<StepOutcome>;
    };

    Stepper(const StochasticTestProblem<System>& problem, const Factory& factory)
        : problem_(problem), factory_(factory), none_(DrawnNoise<S>::none(noises())) {
      method_.emplace(factory_(problem_.system));
    }
    void start(const PhasePoint<S>& z) override {
      method_.emplace(factory_(problem_.system));  // so that nothing is remembered
      state_.emplace(subject_detail::start_of(*method_, V(z.q), V(problem_.system.velocity(V(z.p)))));
    }
    StepOutcome step(const S& h) override {
      if (this->noises_) return step_under(h, *this->noises_);
      if constexpr (has_own_step) {
        return method_->step(*state_, h);
      } else {
        return step_under(h, none_);
      }
    }
    StepOutcome step_under(const S& h, StepNoise<S> noises) override { return method_->step(*state_, h, noises); }
    PhasePoint<S> point() override { return {D(state_->q), D(problem_.system.momentum(state_->v))}; }
    PhasePoint<S> canonical(const PhasePoint<S>& z, const S&) override { return z; }
    void reverse() override {
      if constexpr (requires { method_->reverse(*state_); }) {
        method_->reverse(*state_);
      } else {
        state_->v = -state_->v;
        if (!declared_by(*method_).deterministic.memory) start(point());
      }
    }
    S energy(const PhasePoint<S>& z) override {
      return problem_.system.energy(V(z.q), V(problem_.system.velocity(V(z.p))));
    }
    RealOf<S> constraint_defect() override {
      const auto [of_position, of_velocity] = defects();
      return larger(of_position, of_velocity);
    }
    std::pair<RealOf<S>, RealOf<S>> defects() override {
      typename System::multiplier_type g;
      typename System::jacobian_type jacobian;
      problem_.system.constraint().value(state_->q, g);
      const RealOf<S> of_position = max_magnitude(g), length(problem_.squared_length);
      problem_.system.constraint().jacobian(state_->q, jacobian);
      multiply(jacobian, state_->v, g);
      return {of_position / length, max_magnitude(g) / (length * larger(RealOf<S>(1), max_magnitude(state_->v)))};
    }
    std::size_t noises() const override { return static_cast<std::size_t>(problem_.system.noise().count()); }
    D tangent_impulse(std::size_t noise) override {
      return projected(state_->q, gradient_of_noise(state_->q, static_cast<Eigen::Index>(noise)));
    }
    D gradient_of_products() override {
      S step(1);
      for (int i = 0; i < 40; ++i) step = step / S(2);
      V gradient = state_->q, q = state_->q;
      for (Eigen::Index j = 0; j < q.size(); ++j) {
        q(j) = state_->q(j) + step;
        const S above = sum_of_products(q);
        q(j) = state_->q(j) - step;
        gradient(j) = (above - sum_of_products(q)) / (S(2) * step);
        q(j) = state_->q(j);
      }
      return projected(q, gradient);
    }
    D constrained_acceleration() override {
      V a = state_->q;
      problem_.system.acceleration(state_->q, a);
      typename System::multiplier_type rate;
      problem_.system.constraint().curvature(state_->q, state_->v, rate);
      rate = -rate;
      correct_rate(problem_.system, V(state_->q), rate, a);
      return a;
    }
    D velocity() override { return state_->v; }
    std::string save() override { return subject_detail::save<S>(*state_); }
    void load(const std::string& text) override { subject_detail::load<S>(text, *state_); }

   private:
    V gradient_of_noise(const V& q, Eigen::Index noise) const {
      V gradient = q;
      gradient.setConstant(S(0));
      problem_.system.noise().add_gradient(noise, q, S(1), gradient);
      return gradient;
    }
    /// Returns P M^-1 w with the projection P of q.
    V projected(const V& q, V w) const {
      problem_.system.mass().solve_in_place(w);
      typename System::multiplier_type rate;
      problem_.system.constraint().value(q, rate);
      rate.setConstant(S(0));
      correct_rate(problem_.system, q, rate, w);
      return w;
    }
    /// Returns sum_i K_ii, also beside the manifold.
    S sum_of_products(const V& q) const {
      S sum(0);
      for (Eigen::Index i = 0; i < problem_.system.noise().count(); ++i) {
        const V gradient = gradient_of_noise(q, i), impulse = projected(q, gradient);
        for (Eigen::Index j = 0; j < q.size(); ++j) sum += gradient(j) * impulse(j);
      }
      return sum;
    }

    StochasticTestProblem<System> problem_;
    Factory factory_;
    DrawnNoise<S> none_;
    std::optional<Method> method_;
    std::optional<State> state_;
  };

  template <class S>
  std::unique_ptr<NoisyStepper<S>> make(std::size_t problem) const {
    const auto& problems = stochastic_test_problems<S>();
    if (problem < problems.round.size())
      return std::make_unique<Stepper<TestRoundSystem<S>>>(problems.round[problem], factory_);
    return std::make_unique<Stepper<TestRodSystem<S>>>(problems.rods[problem - problems.round.size()], factory_);
  }

  Factory factory_;
};

}  // namespace livi
