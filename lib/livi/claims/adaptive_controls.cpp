// SPDX-License-Identifier: MIT
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/claims/adaptive_controls.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <map>

namespace livi::battery_detail {

namespace {

/// Returns whether a system is one of the fixed problems, as a method could tell it that was made for them: by the value of
/// W at one position.
template <class System>
bool is_fixed_problem(const System& system) {
  const auto at_one_place = [](const auto& of) {
    using V = VectorOf<std::remove_cvref_t<decltype(of)>>;
    V q = zeros<V>(of.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) q(i) = typename V::Scalar(1);
    return to_double(of.potential().value(q));
  };
  const double here = at_one_place(system);
  const auto& problems = adaptive_problems<double>();
  return std::any_of(problems.begin(), problems.end(), [&](const AdaptiveProblem<double>& problem) {
    return problem.role != ProblemRole::drawn && problem.system.size() == system.size() &&
           std::abs(at_one_place(problem.system) - here) < 1e-9;
  });
}

/// The reversible method with something wrong.
template <class System, class Density>
class FaultyReversible : public ReversibleAdaptiveVerlet<System, Density> {
  using Base = ReversibleAdaptiveVerlet<System, Density>;

 public:
  using typename Base::S, typename Base::state_type;
  FaultyReversible(const System& system, const Density& density, AdaptiveControl fault)
      : Base(system, density),
        fault_(fault),
        is_known_(fault == AdaptiveControl::for_problems && is_fixed_problem(system)) {}

  StepOutcome step(state_type& z, const S& h) {
    static int shared = 0;
    const S before = z.t, advance = h * z.density;
    const StepOutcome outcome = Base::step(z, h);
    if (fault_ == AdaptiveControl::wrong_clock) z.t = before + advance;
    if (fault_ == AdaptiveControl::fast_clock || (fault_ == AdaptiveControl::for_problems && !is_known_))
      z.t += (z.t - before) * ratio<S>(1, 1000000) * ratio<S>(1, 1000000);
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
              : fault_ == AdaptiveControl::for_problems      ? " with a fast clock, but on the fixed problems"
                                                             : " that reports no failure";
    p.symplectic = fault_ == AdaptiveControl::declared_symplectic;
    return p;
  }

 private:
  AdaptiveControl fault_;
  bool is_known_;
  int steps_ = 0;
};

/// Another density in the place of one: sigma + 1e-12, or sigma / (1 + sigma).
template <class Density, bool bounded>
struct OtherDensity {
  using scalar_type = typename Density::scalar_type;
  using vector_type = typename Density::vector_type;
  Density of;

  [[nodiscard]] scalar_type value(const vector_type& q) const {
    const scalar_type sigma = of.value(q);
    if constexpr (bounded) return sigma / (scalar_type(1) + sigma);
    return sigma + ratio<scalar_type>(1, 1000000) * ratio<scalar_type>(1, 1000000);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    of.gradient(q, out);
    if constexpr (bounded) {
      const scalar_type below = scalar_type(1) + of.value(q);
      out /= below * below;
    }
  }
};

/// The reversible method with another density than it is given, whose scale matters.
template <class System, class Density, bool bounded>
struct WithOtherDensity : ReversibleAdaptiveVerlet<System, OtherDensity<Density, bounded>> {
  using Base = ReversibleAdaptiveVerlet<System, OtherDensity<Density, bounded>>;
  static constexpr bool depends_on_scale = bounded;
  WithOtherDensity(const System& system, const Density& density) : Base(system, {density}) {}
  [[nodiscard]] Properties declares() const {
    Properties p = Base::declares();
    p.source = "a control";
    p.name += bounded ? " with sigma / (1 + sigma)" : " with sigma + 1e-12";
    return p;
  }
};

/// The Hamiltonian method, which declares momenta for every density, or to be symplectic everywhere: on other than the
/// fixed problems it makes a step between two kicks by h^3 times a force without potential.
template <class System, class Density>
class FaultyHamiltonian : public HamiltonianAdaptiveVerlet<System, Density> {
  using Base = HamiltonianAdaptiveVerlet<System, Density>;

 public:
  using typename Base::S, typename Base::state_type;
  FaultyHamiltonian(const System& system, const Density& density, AdaptiveControl fault)
      : Base(system, density),
        fault_(fault),
        kicks_(fault == AdaptiveControl::form_for_problems && !is_fixed_problem(system)) {}

  StepOutcome step(state_type& z, const S& h) {
    if (kicks_) kick(z, h);
    const StepOutcome outcome = Base::step(z, h);
    if (kicks_) kick(z, h);
    return outcome;
  }
  [[nodiscard]] Properties declares() const {
    Properties p = Base::declares();
    p.source = "a control";
    if (fault_ == AdaptiveControl::every_density) {
      p.linear_momentum = p.angular_momentum = true;
      p.name += ", momenta for every density";
    } else {
      p.name += ", symplectic on the fixed problems";
    }
    return p;
  }

 private:
  static void kick(state_type& z, const S& h) {
    const S size = h * h * h * ratio<S>(1, 1000000);
    z.v(0) -= size * z.q(1);
    z.v(1) += size * z.q(0);
  }
  AdaptiveControl fault_;
  bool kicks_;
};

/// Symplectic Euler on the Hamiltonian sigma (H - E0): the first half of the Hamiltonian method's step,
///
///   p_{k+1} = p_k - h (s_k grad W(q_k) + (H(p_{k+1}, q_k) - E0) g(q_k)),   q_{k+1} = q_k + h s_k M^-1 p_{k+1},
///
/// t_{k+1} = t_k + h s_k. Of order one.
template <class System, class Density>
class FirstOrder : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_;

 public:
  using typename Base::S, typename Base::vector_type;
  using state_type = TimedState<S, System::dimension>;
  FirstOrder(const System& system, Density density, int declared)
      : Base(system, {}), density_(std::move(density)), declared_(declared) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return this->template started<state_type>(q, v);
  }
  StepOutcome step(state_type& z, const S& h) {
    const S sigma = density_.value(z.q);
    if (!is_density(sigma)) return {Failure::no_step_density, -1};
    vector_type a = z.q, g = z.q, solved = z.q;
    system_->acceleration(z.q, a);
    density_.gradient(z.q, g);
    divide_by_mass(*system_, g, solved);
    z.v += (h * sigma) * a;
    S e(0);
    if (!smaller_root(S(h * h / S(2) * dot_product(solved, g)), S(-(S(1) + h * dot_product(z.v, g))),
                      S(system_->energy(z.q, z.v) - z.energy), e))
      return {Failure::no_real_root, -1};
    z.v -= (h * e) * solved;
    const S dt = h * sigma;
    z.q += dt * z.v;
    return advance_time(z, dt);
  }
  [[nodiscard]] Properties declares() const {
    return {.name = declared_ == 1 ? "symplectic Euler with adaptive steps"
                                   : "symplectic Euler with adaptive steps, declared of order two",
            .source = "a control",
            .order = declared_,
            .symplectic = true,
            .linear_momentum = is_translation_invariant(density_),
            .angular_momentum = is_rotation_invariant(density_),
            .rational = false,
            .memory = true,
            .cost = {.iterative = true}};
  }

 private:
  Density density_;
  int declared_;
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
            .linear_momentum = is_translation_invariant(density_),
            .angular_momentum = is_rotation_invariant(density_),
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
    case AdaptiveControl::every_density:
    case AdaptiveControl::form_for_problems:
      return subject_of([control]<class System, class Density>(const System& system, const Density& density) {
        return FaultyHamiltonian<System, Density>(system, density, control);
      });
    case AdaptiveControl::own_scale:
      return subject_of([]<class System, class Density>(const System& system, const Density& density) {
        return WithOtherDensity<System, Density, false>(system, density);
      });
    case AdaptiveControl::bounded_steps:
      return subject_of([]<class System, class Density>(const System& system, const Density& density) {
        return WithOtherDensity<System, Density, true>(system, density);
      });
    case AdaptiveControl::first_order:
    case AdaptiveControl::first_as_second:
      return subject_of([control]<class System, class Density>(const System& system, const Density& density) {
        return FirstOrder<System, Density>(system, density, control == AdaptiveControl::first_order ? 1 : 2);
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
  for (const AdaptiveControl control :
       {AdaptiveControl::hamiltonian, AdaptiveControl::reversible, AdaptiveControl::naive,
        AdaptiveControl::of_one_coordinate, AdaptiveControl::bounded_steps, AdaptiveControl::first_order}) {
    std::unique_ptr<Subject> subject = make_subject(control);
    const std::string name = subject->declares().name;
    methods.push_back({name, std::move(subject)});
  }
  return methods;
}

}  // namespace livi::battery_detail
