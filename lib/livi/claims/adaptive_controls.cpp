// SPDX-License-Identifier: MIT
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/claims/adaptive_controls.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <map>

namespace livi::battery_detail {

namespace {

/// The reversible method with something wrong.
template <class System, class Density>
class FaultyReversible : public ReversibleAdaptiveVerlet<System, Density> {
  using Base = ReversibleAdaptiveVerlet<System, Density>;

 public:
  using typename Base::S, typename Base::state_type;
  FaultyReversible(const System& system, const Density& density, AdaptiveControl fault)
      : Base(system, density), fault_(fault) {}

  StepOutcome step(state_type& z, const S& h) {
    static int shared = 0;
    const S before = z.t, advance = h * z.density;
    const StepOutcome outcome = Base::step(z, h);
    if (fault_ == AdaptiveControl::wrong_clock) z.t = before + advance;
    if (fault_ == AdaptiveControl::fast_clock) z.t += (z.t - before) * ratio<S>(1, 1000000) * ratio<S>(1, 1000000);
    if constexpr (std::same_as<S, double>)
      if (fault_ == AdaptiveControl::clock_in_double) z.t += (z.t - before) * 1e-9;
    const bool moved = (fault_ == AdaptiveControl::counter_in_method && ++steps_ >= 10) ||
                       (fault_ == AdaptiveControl::counter_late && ++steps_ >= 1000) ||
                       (fault_ == AdaptiveControl::late && leading(z.t) > RealOf<S>(300)) ||
                       (fault_ == AdaptiveControl::long_steps && magnitude(h) > RealOf<S>(0.5)) ||
                       (fault_ == AdaptiveControl::counter_shared && ++shared % 3 == 0);
    if (moved) z.v *= S(1) + ratio<S>(1, 1000000) * ratio<S>(1, 1000000);
    return fault_ == AdaptiveControl::unguarded ? StepOutcome{} : outcome;
  }
  [[nodiscard]] Properties declares() const {
    Properties p = Base::declares();
    if (fault_ == AdaptiveControl::reversible) return p;
    p.source = "a control";
    p.name += fault_ == AdaptiveControl::declared_symplectic ? ", declared symplectic"
              : fault_ == AdaptiveControl::wrong_clock       ? " with a clock that advances by h sigma(q_k)"
              : fault_ == AdaptiveControl::fast_clock        ? " with a clock that is fast by 1e-12"
              : fault_ == AdaptiveControl::clock_in_double   ? " with a clock that is fast by 1e-9 in double"
              : fault_ == AdaptiveControl::late              ? " that is wrong after t = 300"
              : fault_ == AdaptiveControl::long_steps        ? " that is wrong for long steps"
              : fault_ == AdaptiveControl::counter_in_method ? " with a counter in the method"
              : fault_ == AdaptiveControl::counter_late      ? " with a counter that waits for the thousandth step"
              : fault_ == AdaptiveControl::counter_shared    ? " with a counter shared by all objects"
                                                             : " that reports no failure";
    p.symplectic = fault_ == AdaptiveControl::declared_symplectic;
    return p;
  }

 private:
  AdaptiveControl fault_;
  int steps_ = 0;
};

/// A density that no momentum map survives.
template <class System>
struct OneCoordinate {
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr bool translations = false, rotations = false;
  [[nodiscard]] scalar_type value(const vector_type& q) const {
    using std::sqrt;
    return sqrt(scalar_type(scalar_type(1) + q(0) * q(0)));
  }
  void gradient(const vector_type& q, vector_type& out) const {
    out = zeros<vector_type>(q.size());
    out(0) = q(0) / value(q);
  }
};

/// The variational method with the mean of sigma at both ends (adaptive/variational_adaptive_verlet.hpp), but
///
///   p_k = -D1 L_d - h lambda D1 sigma,      p_{k+1} = D2 L_d + h lambda D2 sigma,
///
/// by iteration: of order two, symmetric, with every momentum, and not symplectic.
template <class System, class Density>
class PrintedSign : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_;

 public:
  using typename Base::S, typename Base::vector_type;
  using state_type = TimedState<S, System::dimension>;
  PrintedSign(const System& system, Density density) : Base(system, {}), density_(std::move(density)) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return this->template started<state_type>(q, v);
  }
  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2), before = density_.value(z.q), potential = system_->potential().value(z.q);
    if (!is_density(before)) return {Failure::no_step_density, -1};
    vector_type a = z.q, g = z.q, w = z.v, x = z.q;
    system_->acceleration(z.q, a);
    density_.gradient(z.q, g);
    divide_by_mass(*system_, vector_type(g), g);
    S dt = h * before, lambda(0);
    // Derivatives converge after values: as many iterations again.
    int enough = 500;
    bool converged = false;
    for (int iteration = 1; iteration < enough; ++iteration) {
      w = z.v + (dt / S(2)) * a + (half * lambda) * g;
      x = z.q + dt * w;
      const S next = half * (before + density_.value(x));
      lambda = (dot_product(w, system_->momentum(w)) + potential + system_->potential().value(x)) / S(2) - z.energy;
      if (!is_finite(next) || !is_finite(lambda)) return {Failure::no_step_density, -1};
      const bool close = magnitude(S(next - dt)) <= RealOf<S>(32) * ScalarTraits<S>::epsilon() * magnitude(dt);
      dt = next;
      if (close && !converged) enough = 2 * iteration + 4;
      converged = converged || close;
    }
    if (!converged) return {Failure::no_convergence, enough};
    system_->acceleration(x, a);
    density_.gradient(x, g);
    divide_by_mass(*system_, vector_type(g), g);
    z.q = x;
    z.v = w + (dt / S(2)) * a + (half * lambda) * g;
    return advance_time(z, dt);
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "the variational method with the other sign of sigma",
            .source = "a control; CS101 slide 16",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .rational = false,
            .memory = true,
            .cost = {.iterative = true}};
  }

 private:
  Density density_;
};

template <class Factory>
std::unique_ptr<Subject> subject_of(Factory factory) {
  return std::make_unique<AdaptiveSubject<Factory>>(std::move(factory));
}

std::unique_ptr<Subject> make_subject(AdaptiveControl control) {
  switch (control) {
    case AdaptiveControl::hamiltonian:
      return subject_of([]<class System, class Density>(const System& system, const Density& density) {
        return HamiltonianAdaptiveVerlet<System, Density>(system, density);
      });
    case AdaptiveControl::of_one_coordinate:
      return subject_of([]<class System>(const System& system) {
        return HamiltonianAdaptiveVerlet<System, OneCoordinate<System>>(system, {});
      });
    case AdaptiveControl::naive:
      return subject_of([]<class System, class Density>(const System& system, const Density& density) {
        return ExplicitSteps(VelocityVerlet<System>(system), density);
      });
    case AdaptiveControl::printed_sign:
      return subject_of([]<class System, class Density>(const System& system, const Density& density) {
        return PrintedSign<System, Density>(system, density);
      });
    default:
      return subject_of([control]<class System, class Density>(const System& system, const Density& density) {
        return FaultyReversible<System, Density>(system, density, control);
      });
  }
}

}  // namespace

const ControlMethod& adaptive_control(AdaptiveControl control) {
  static std::map<AdaptiveControl, ControlMethod> kept;
  const auto found = kept.find(control);
  if (found != kept.end()) return found->second;
  std::unique_ptr<Subject> subject = make_subject(control);
  const std::string name = subject->declares().name;
  return kept.emplace(control, ControlMethod{name, std::move(subject)}).first->second;
}

std::vector<ControlMethod> honest_adaptive_methods() {
  std::vector<ControlMethod> methods;
  for (const AdaptiveControl control : {AdaptiveControl::hamiltonian, AdaptiveControl::reversible,
                                        AdaptiveControl::naive, AdaptiveControl::of_one_coordinate}) {
    std::unique_ptr<Subject> subject = make_subject(control);
    const std::string name = subject->declares().name;
    methods.push_back({name, std::move(subject)});
  }
  return methods;
}

}  // namespace livi::battery_detail
