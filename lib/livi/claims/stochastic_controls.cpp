// SPDX-License-Identifier: MIT
#include <livi/claims/stochastic_controls.hpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <map>

namespace livi::battery_detail {

namespace {

using C = StochasticControl;

/// Returns x/10^exponent.
template <class S>
S tiny(int exponent) {
  S value(1);
  for (int i = 0; i < exponent; ++i) value *= ratio<S>(1, 10);
  return value;
}

/// RATTLE under noise with something wrong, or nothing.
template <class System>
class FaultyRattle : public StochasticRattle<System> {
  using Base = StochasticRattle<System>;

 public:
  using typename Base::S, typename Base::state_type, typename Base::vector_type;
  FaultyRattle(const System& system, C fault)
      : Base(system, fault == C::weak ? NoiseWeights::weak
                     : fault == C::increments || fault == C::three_halves || fault == C::increments_of_weak_order_two
                         ? NoiseWeights::increments
                         : NoiseWeights::integrals),
        fault_(fault) {}

  StepOutcome step(state_type& z, const S& h) { return after(z, z, h, Base::step(z, h)); }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    const state_type before = z;
    own_.assign(noises.begin(), noises.end());
    const std::size_t count = own_.size();
    bool none = true;
    for (std::size_t i = 0; i < count; ++i) {
      NoiseIntegrals<S>& noise = own_[i];
      none = none && magnitude(noise.increment) <= RealOf<S>(0);
      if (fault_ == C::one_noise_for_all) noise = noises[0];
      if (fault_ == C::exchanged_noises) noise = noises[count - 1 - i];
      if (fault_ == C::strong_noise) scale(noise, sqrt_of_two());
      if (fault_ == C::nearly_strong_noise) scale(noise, S(S(1) + tiny<S>(10)));
      if (fault_ == C::first_half || fault_ == C::old_gradient) {
        // B1 = dW/2 + zeta/h and B2 = 0: the increment B1 with I10 = h B1.
        const S first = noise.increment / S(2) + noise.zeta(h) / h;
        noise = {first, S(h * first), S(0)};
      }
      if (fault_ == C::unprojected) noise = {};
    }
    const StepOutcome outcome = Base::step(z, h, StepNoise<S>(own_));
    if (fault_ == C::unprojected || fault_ == C::old_gradient) {
      vector_type impulse = z.q;
      const vector_type at = fault_ == C::old_gradient ? before.q : z.q;
      this->system().kick(
          at,
          [&](Eigen::Index i) {
            const auto& given = noises[static_cast<std::size_t>(i)];
            return fault_ == C::unprojected ? given.increment : S(given.increment / S(2) - given.zeta(h) / h);
          },
          impulse, z.v);
      if (fault_ == C::old_gradient && !none) project(z);
    }
    if (fault_ == C::branch_without_noise && none) z.v *= S(1) + tiny<S>(15);
    return after(before, z, h, outcome);
  }
  [[nodiscard]] Properties declares() const { return declares_for_noise().deterministic; }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    StochasticProperties p = Base::declares_for_noise();
    if (fault_ == C::integrals || fault_ == C::increments || fault_ == C::weak) return p;
    if (fault_ == C::three_halves) p.strong_order_for_constant_products = 1.5;
    if (fault_ == C::increments_of_weak_order_two) p.weak_order = 2;
    p.deterministic.source = "a control";
    p.deterministic.name = std::string("RATTLE under noise") +
                           (fault_ == C::three_halves                   ? ", dW/2, declared of strong order 3/2"
                            : fault_ == C::increments_of_weak_order_two ? ", dW/2, declared of weak order two"
                            : fault_ == C::unprojected                  ? " whose kick has no multiplier"
                            : fault_ == C::off_manifold                 ? " that leaves the manifold by 1e-12"
                            : fault_ == C::one_noise_for_all            ? " with one noise for all"
                            : fault_ == C::exchanged_noises             ? " with its noises exchanged"
                            : fault_ == C::strong_noise                 ? ", noise too strong by the root of two"
                            : fault_ == C::nearly_strong_noise          ? ", noise too strong by 1e-10"
                            : fault_ == C::first_half                   ? " that forgets the second kick"
                            : fault_ == C::old_gradient         ? ", second kick with the gradient of the old position"
                            : fault_ == C::wrong_force          ? ", force too strong by 1e-10"
                            : fault_ == C::branch_without_noise ? " that is another step where the noise is zero"
                            : fault_ == C::in_double            ? " that is wrong by 1e-9 in double"
                            : fault_ == C::counter_in_method    ? " with a counter in the method"
                            : fault_ == C::counter_shared       ? " with a counter shared by all objects"
                            : fault_ == C::unguarded            ? " that reports no failure"
                                                                : " that takes the far root of a long step");
    return p;
  }

 private:
  static S sqrt_of_two() {
    using std::sqrt;
    return S(sqrt(S(2)));
  }
  static void scale(NoiseIntegrals<S>& noise, const S& by) {
    noise = {S(noise.increment * by), S(noise.integral * by), S(noise.squared * by * by)};
  }
  void project(state_type& z) {
    typename System::multiplier_type rate;
    this->system().constraint().value(z.q, rate);
    rate.setConstant(S(0));
    correct_rate(this->system(), z.q, rate, z.v);
  }
  StepOutcome after(const state_type& before, state_type& z, const S& h, const StepOutcome& outcome) {
    static int shared = 0;
    if (fault_ == C::off_manifold) z.q *= S(1) + tiny<S>(12);
    if (fault_ == C::wrong_force) {
      z.v += h * tiny<S>(10) * z.f;
      project(z);
    }
    if constexpr (std::same_as<S, double>)
      if (fault_ == C::in_double) z.v *= 1 + 1e-9;
    if ((fault_ == C::counter_in_method && ++steps_ >= 10) || (fault_ == C::counter_shared && ++shared % 3 == 0))
      z.v *= S(1) + tiny<S>(12);
    if (fault_ == C::far_root && magnitude(S(h * h * before.v(1) * before.v(1))) > RealOf<S>(4) / RealOf<S>(5))
      z.q(0) = -z.q(0);
    return fault_ == C::unguarded ? StepOutcome{} : outcome;
  }

  C fault_;
  int steps_ = 0;
  std::vector<NoiseIntegrals<S>> own_;
};

/// RATTLE with the kick of its commutator, with something wrong, or nothing.
template <class System>
class FaultyCommutator : public CommutatorRattle<System> {
  using Base = CommutatorRattle<System>;

 public:
  using typename Base::S, typename Base::state_type;
  FaultyCommutator(const System& system, C fault)
      : Base(system, fault == C::commutator || fault == C::turned_covariances ? PathCovariance::exact
                     : fault == C::conditional_mean                           ? PathCovariance::conditional_mean
                                                                              : PathCovariance::mean),
        fault_(fault) {}

  using Base::step;
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    if (fault_ == C::turned_mean || fault_ == C::mean_and_branch) return step_of_zero(z, h, noises);
    if (fault_ != C::turned_covariances) return Base::step(z, h, noises);
    turned_.clear();
    for (std::size_t i = 0; i < noises.size(); ++i)
      // C_ij = (J_ij - I_i I_j/h)/h
      for (std::size_t j = i + 1; j < noises.size(); ++j)
        turned_.push_back(S(S(2) * noises[i].integral * noises[j].integral / h - noises.product(i, j)));
    return Base::step(z, h, {noises, turned_});
  }
  [[nodiscard]] Properties declares() const { return declares_for_noise().deterministic; }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    StochasticProperties p = Base::declares_for_noise();
    if (fault_ == C::commutator || fault_ == C::mean || fault_ == C::conditional_mean) return p;
    p.deterministic.source = "a control";
    p.deterministic.name += fault_ == C::turned_covariances ? ", covariances of noises with the opposite sign"
                            : fault_ == C::turned_mean      ? ", with the opposite sign where the noises are zero"
                            : fault_ == C::mean_and_branch  ? ", another step by roundings where the noises are zero"
                                                            : ", declared of strong order two";
    if (fault_ == C::turned_covariances || fault_ == C::mean_covariance) p.strong_order = 2;
    return p;
  }

 private:
  StepOutcome step_of_zero(state_type& z, const S& h, StepNoise<S> noises) {
    state_type without = z;
    if (const StepOutcome outcome = Base::step(z, h, noises); !outcome.ok()) return outcome;
    for (const NoiseIntegrals<S>& noise : noises)
      if (!(magnitude(noise.increment) <= RealOf<S>(0))) return {};
    if (fault_ == C::mean_and_branch) {
      z.v *= S(1) + tiny<S>(15);
      return {};
    }
    const StepOutcome outcome = Base::step(without, h);
    z.v = S(2) * without.v - z.v;
    z.q = without.q;
    // A velocity that is reflected at another point is tangent but for h^3.
    typename System::multiplier_type rate;
    this->system().constraint().value(z.q, rate);
    rate.setConstant(S(0));
    correct_rate(this->system(), z.q, rate, z.v);
    return outcome;
  }

  C fault_;
  std::vector<S> turned_;
};

/// A method with other declarations.
template <class Method>
struct Declaring : Method {
  Declaring(Method method, C as) : Method(std::move(method)), as_(as) {}
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    StochasticProperties p = Method::declares_for_noise();
    Properties& d = p.deterministic;
    if (as_ == C::declared_variational || as_ == C::heun_declared_symplectic) {
      d.name += ", declared symplectic";
      d.symplectic = true;
      d.angular_momentum = as_ == C::declared_variational;
    }
    if (as_ == C::euler_of_order_two) {
      d.name += ", declared of order two";
      d.order = 2;
    }
    if (as_ == C::weakly_of_order_one || as_ == C::weakly_of_order_two) {
      p.weak_order = as_ == C::weakly_of_order_one ? 1 : 2;
      d.name += format(", declared of weak order %g", p.weak_order);
    }
    if (as_ == C::symmetric_euler) {
      d.name += ", declared symmetric";
      d.symmetric = true;
    }
    return p;
  }
  C as_;
};

template <class Factory>
std::unique_ptr<Subject> subject_of(Factory factory) {
  return std::make_unique<StochasticSubject<Factory>>(std::move(factory));
}

std::unique_ptr<Subject> make_subject(C control) {
  switch (control) {
    case C::euler:
    case C::euler_of_order_two:
    case C::symmetric_euler:
      return subject_of([control]<class System>(const System& system) {
        return Declaring(ConstrainedVariationalEuler<System>(system), control);
      });
    case C::euler_maruyama:
    case C::weakly_of_order_one:
    case C::weakly_of_order_two:
    case C::declared_variational:
      return subject_of([control]<class System>(const System& system) {
        return Declaring(ProjectedEulerMaruyama<System>(system), control);
      });
    case C::heun:
    case C::heun_declared_symplectic:
      return subject_of(
          [control]<class System>(const System& system) { return Declaring(ProjectedHeun<System>(system), control); });
    case C::commutator:
    case C::turned_covariances:
    case C::mean_covariance:
    case C::mean:
    case C::conditional_mean:
    case C::turned_mean:
    case C::mean_and_branch:
      return subject_of(
          [control]<class System>(const System& system) { return FaultyCommutator<System>(system, control); });
    case C::staircase:
      return subject_of([]<class System>(const System& system) { return StaircaseRattle<System>(system); });
    default:
      return subject_of(
          [control]<class System>(const System& system) { return FaultyRattle<System>(system, control); });
  }
}

ControlMethod make_control(C control) {
  std::unique_ptr<Subject> subject = make_subject(control);
  const std::string name = subject->declares().name;
  return {name, std::move(subject)};
}

}  // namespace

const ControlMethod& stochastic_control(StochasticControl control) {
  static std::map<StochasticControl, ControlMethod> kept;
  const auto found = kept.find(control);
  return found != kept.end() ? found->second : kept.emplace(control, make_control(control)).first->second;
}

std::vector<ControlMethod> honest_stochastic_methods() {
  std::vector<ControlMethod> methods;
  for (const C control : {C::integrals, C::increments, C::weak, C::commutator, C::mean, C::conditional_mean,
                          C::staircase, C::euler, C::euler_maruyama, C::heun, C::weakly_of_order_one})
    methods.push_back(make_control(control));
  return methods;
}

}  // namespace livi::battery_detail
