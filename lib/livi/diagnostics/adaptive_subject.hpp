// SPDX-License-Identifier: MIT
//
// Any method with adaptive steps (adaptive/adaptive_step.hpp) as a Subject. Its points live in the phase space extended by
// the time and its momentum: q holds the n positions and the time, p the n momenta and -E0. The method must offer, in
// order of preference where there is a choice:
//
//   declares()                            static or not, -> Properties; symplectic means dq ^ dp - dt ^ dE0
//   start(q, v)                           or nothing: then its state is a TimedState
//   step(state, h) -> StepOutcome | void  h is the fictitious step; advances state.t, too
//   state.q, .v, .t, state.fields()       and state.energy, which is E0, where the step depends on it
//   reverse(state)                        if reversing v does not reverse its state
//   static constexpr bool depends_on_scale = true   if c sigma with the fictitious step h / c is another motion, as where
//                                         steps have a largest length
//
// It is compiled for double, Float50 and Dual<Float50>. A method that is made of a system and a step density is given the
// densities of the problems; one that is made of a system alone brings its own. What the former declares of momenta may
// depend on density.translations and density.rotations (adaptive/step_density.hpp).
#pragma once

#include <livi/adaptive/adaptive_step.hpp>
#include <livi/diagnostics/mechanical_subject.hpp>

namespace livi {

/// The step densities of the battery, one class for all, so that a method is compiled once.
template <class S>
class TestDensity {
 public:
  enum class Kind {
    equal_distances,         ///< (bound - W)^(-1/2)
    inverse_kinetic_energy,  ///< 1 / (bound - W)
    of_centre,               ///< |q|^(3/2), on problems without translations
    of_first_coordinate,     ///< (1 + q_0^2)^(1/2), which has no symmetry
  };
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  bool translations, rotations;

  TestDensity(Kind kind, AnySystem<S> system, S bound, S factor = S(1))
      : translations(kind == Kind::equal_distances || kind == Kind::inverse_kinetic_energy),
        rotations(kind != Kind::of_first_coordinate),
        kind_(kind),
        system_(std::move(system)),
        bound_(std::move(bound)),
        factor_(std::move(factor)) {}
  /// Returns c sigma, for sigma that has no factor yet.
  [[nodiscard]] TestDensity times(const S& c) const { return {kind_, system_, bound_, c}; }

  [[nodiscard]] S value(const vector_type& q) const { return factor_ * plain_value(q); }
  void gradient(const vector_type& q, vector_type& out) const {
    const S sigma = plain_value(q);
    if (kind_ == Kind::of_centre) {
      out = (factor_ * (S(3) * sigma / (S(2) * dot_product(q, q)))) * q;
    } else if (kind_ == Kind::of_first_coordinate) {
      out = zeros<vector_type>(q.size());
      out(0) = factor_ * (q(0) / sigma);
    } else {
      system_.potential().gradient(q, out);
      out *= factor_ * (kind_ == Kind::equal_distances ? S(sigma * sigma * sigma / S(2)) : S(sigma * sigma));
    }
  }

 private:
  [[nodiscard]] S plain_value(const vector_type& q) const {
    using std::sqrt;
    if (kind_ == Kind::of_first_coordinate) return sqrt(S(S(1) + q(0) * q(0)));
    if (kind_ == Kind::of_centre) {
      const S r = sqrt(dot_product(q, q));
      return r * sqrt(r);
    }
    const S kinetic = bound_ - system_.potential().value(q);
    return S(1) / (kind_ == Kind::equal_distances ? S(sqrt(kinetic)) : kinetic);
  }

  Kind kind_;
  AnySystem<S> system_;
  S bound_, factor_;
};

template <class S>
struct AdaptiveProblem {
  std::string name;
  ProblemRole role;
  AnySystem<S> system;
  TestDensity<S> density;
  std::vector<LinearSymmetry<S>> symmetries;  ///< matrices of n + 1 rows and columns: the time does not take part
  std::vector<PhasePoint<S>> points;          ///< with p(n) = 0: the method chooses E0
};

/// Returns the problems for adaptive steps. Three generic ones, with two, three and six degrees of freedom, masses
/// diag(1, 4), full and diag(1, 2, 3), and a density of each kind; three particles with translations broken by 1e-6; Kepler's
/// problem with e = 0.6 and the chaotic Henon-Heiles problem at E = 0.14 for long runs; two starts with no step: the
/// density is negative, and a particle in Kepler's centre; the three particles with translations and rotations, and a
/// density without; two problems drawn with the seed in force, polynomials on a full mass and two particles under softened
/// gravity, each with one of the densities made of W. W is negative along all of these motions, as the logarithmic
/// Hamiltonian needs it: constants are added to potentials. Compiled once (battery library).
template <class S>
const std::vector<AdaptiveProblem<S>>& adaptive_problems();
template <>
const std::vector<AdaptiveProblem<double>>& adaptive_problems<double>();
template <>
const std::vector<AdaptiveProblem<Float50>>& adaptive_problems<Float50>();
template <>
const std::vector<AdaptiveProblem<Dual<Float50>>>& adaptive_problems<Dual<Float50>>();
const std::vector<ProblemSummary>& adaptive_problem_summaries();
/// The places of problems that tests ask for by name.
inline constexpr std::size_t three_particles = 2, regular_orbit = 4, chaotic_orbit = 5, negative_density = 6,
                             in_the_centre = 7, density_without_symmetry = 8, first_drawn = 9;
/// Returns the exact flow of a generic or drawn problem from a point, for a time; p(n) of the result is 0.
PhasePoint<Float50> adaptive_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);
/// Returns Kepler's problem, which counts its evaluations.
AdaptiveProblem<double> counting_kepler(std::shared_ptr<CountedCost> counts);

/// What the battery asks of an adaptive method beside what it asks of every subject.
class AnyAdaptiveSubject : public Subject {
 public:
  [[nodiscard]] SubjectKind kind() const final { return SubjectKind::adaptive; }
  [[nodiscard]] const std::vector<ProblemSummary>& problems() const final { return adaptive_problem_summaries(); }
  [[nodiscard]] PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                          const Float50& time) const final {
    return adaptive_exact(problem, from, time);
  }
  bool count(CountedCost&, int) const final { return false; }
  /// Returns whether the method takes the densities of the problems, and does not bring its own.
  [[nodiscard]] virtual bool takes_density() const = 0;
  /// Returns what the method declares when it is made for a problem: of momenta it may depend on the density.
  [[nodiscard]] virtual Properties declares_on(std::size_t problem) const = 0;
  /// Returns whether the method says that c sigma with the fictitious step h / c is another motion.
  [[nodiscard]] virtual bool depends_on_scale() const = 0;
  /// Returns the method on a problem with c sigma in the place of sigma; the same as in_50_digits() if it takes no density.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<Float50>> with_density_times(const Float50& c,
                                                                                std::size_t problem) const = 0;
  /// Returns the method on Kepler's problem, with evaluations of W counted.
  [[nodiscard]] virtual std::unique_ptr<AnyStepper<double>> counting(std::shared_ptr<CountedCost> counts) const = 0;
};

/// The Subject of a method with adaptive steps. Factory: `auto operator()(const AnySystem<S>&, const TestDensity<S>&)
/// const -> method`, or of the system alone, for all types S named at the head of this file.
template <class Factory>
class AdaptiveSubject final : public AnyAdaptiveSubject {
 public:
  explicit AdaptiveSubject(Factory factory) : factory_(std::move(factory)) {}

  /// Returns what the method declares on the three particles, which have all symmetries, as their density has.
  [[nodiscard]] Properties declares() const override { return declares_on(three_particles); }
  [[nodiscard]] Properties declares_on(std::size_t problem) const override {
    return make(factory_, adaptive_problems<double>()[problem]).declares();
  }
  [[nodiscard]] bool depends_on_scale() const override {
    using Method = decltype(make(factory_, adaptive_problems<double>().front()));
    if constexpr (requires { Method::depends_on_scale; }) return Method::depends_on_scale;
    return false;
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> with_density_times(const Float50& c,
                                                                        std::size_t problem) const override {
    AdaptiveProblem<Float50> scaled = adaptive_problems<Float50>()[problem];
    scaled.density = scaled.density.times(c);
    return std::make_unique<Stepper<Float50>>(std::move(scaled), factory_);
  }
  [[nodiscard]] bool takes_density() const override {
    return std::invocable<const Factory&, const AnySystem<double>&, const TestDensity<double>&>;
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const override {
    return std::make_unique<Stepper<double>>(adaptive_problems<double>()[problem], factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const override {
    return std::make_unique<Stepper<Float50>>(adaptive_problems<Float50>()[problem], factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const override {
    return std::make_unique<Stepper<Dual<Float50>>>(adaptive_problems<Dual<Float50>>()[problem], factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> counting(std::shared_ptr<CountedCost> counts) const override {
    return std::make_unique<Stepper<double>>(counting_kepler(std::move(counts)), factory_);
  }

 private:
  template <class S>
  static auto make(const Factory& factory, const AdaptiveProblem<S>& problem) {
    if constexpr (std::invocable<const Factory&, const AnySystem<S>&, const TestDensity<S>&>) {
      return factory(problem.system, problem.density);
    } else {
      return factory(problem.system);
    }
  }

  template <class S>
  class Stepper final : public AnyStepper<S> {
   public:
    using V = Vector<S, Dynamic>;
    using Method = decltype(make(std::declval<const Factory&>(), std::declval<const AdaptiveProblem<S>&>()));

    Stepper(AdaptiveProblem<S> problem, const Factory& factory) : problem_(std::move(problem)), factory_(factory) {
      method_.emplace(make(factory_, problem_));
    }
    /// Starts at a point. Where the value of p(n) is 0 the method chooses that of E0, and p(n) brings the derivative.
    void start(const PhasePoint<S>& z) override {
      method_.emplace(make(factory_, problem_));  // so that nothing is remembered
      const Eigen::Index n = problem_.system.size();
      state_.emplace(start_of(*method_, problem_.system, z.q.head(n), problem_.system.velocity(V(z.p.head(n)))));
      state_->t = z.q(n);
      minus_energy_ = z.p(n);
      if constexpr (has_energy) {
        const bool is_chosen = value_of(z.p(n)) == S(0);
        state_->energy = is_chosen ? S(value_of(state_->energy) - z.p(n)) : S(-z.p(n));
      }
    }
    StepOutcome step(const S& h) override { return subject_detail::step_of(*method_, *state_, h); }
    PhasePoint<S> point() override {
      const Eigen::Index n = problem_.system.size();
      PhasePoint<S> z{V(n + 1), V(n + 1)};
      z.q.head(n) = state_->q;
      z.p.head(n) = problem_.system.momentum(state_->v);
      z.q(n) = state_->t;
      z.p(n) = minus_energy_;
      if constexpr (has_energy) z.p(n) = -state_->energy;
      return z;
    }
    PhasePoint<S> canonical(const PhasePoint<S>& z, const S&) override { return z; }
    /// Reverses the velocity and the time, which comes back to where it began.
    void reverse() override {
      if constexpr (requires { method_->reverse(*state_); }) {
        method_->reverse(*state_);
      } else {
        state_->v = -state_->v;
      }
      state_->t = -state_->t;
    }
    S energy(const PhasePoint<S>& z) override {
      const Eigen::Index n = problem_.system.size();
      return problem_.system.energy(V(z.q.head(n)), problem_.system.velocity(V(z.p.head(n))));
    }
    RealOf<S> constraint_defect() override { return RealOf<S>(0); }
    std::string save() override { return subject_detail::save<S>(*state_); }
    void load(const std::string& text) override { subject_detail::load<S>(text, *state_); }

   private:
    static S value_of(const S& x) {
      if constexpr (requires { x.derivative; }) {
        return S(x.value);
      } else {
        return x;
      }
    }
    static auto start_of(const Method& method, const AnySystem<S>& system, const V& q, const V& v) {
      if constexpr (requires { method.start(q, v); }) {
        return method.start(q, v);
      } else {
        TimedState<S, Dynamic> z;
        z.q = q;
        z.v = v;
        z.energy = system.energy(q, v);
        return z;
      }
    }
    using State = decltype(start_of(std::declval<const Method&>(), std::declval<const AnySystem<S>&>(),
                                    std::declval<const V&>(), std::declval<const V&>()));
    static constexpr bool has_energy = requires(State & z) { z.energy = S(0); };

    AdaptiveProblem<S> problem_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<State> state_;
    S minus_energy_{0};  ///< p(n) of a method that does not know E0
  };

  Factory factory_;
};

}  // namespace livi
