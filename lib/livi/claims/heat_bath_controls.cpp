// SPDX-License-Identifier: MIT
//
// Wrong heat baths: O(h/2) RATTLE O(h/2), with one flaw each.
#include <array>
#include <cmath>
#include <livi/claims/heat_bath_controls.hpp>
#include <livi/stochastic/constrained_langevin.hpp>

namespace livi::battery_detail {

namespace {

using C = HeatBathControl;

template <class System>
class FlawedObabo {
 public:
  using vector_type = VectorOf<System>;
  using state_type = typename ConstrainedObabo<System, BathNumbers>::state_type;

  FlawedObabo(const System& system, const Bath<double>& bath, const BathNumbers& numbers, C flaw)
      : rattle_(system),
        gamma_(flaw == C::friction_of_one && bath.gamma != 0 ? 1 : bath.gamma),
        beta_(flaw == C::heat_of_one_bath ? 2.5 : bath.inverse_temperature),
        flaw_(flaw),
        numbers_(flaw == C::own_numbers ? BathNumbers(7) : numbers),
        whole_(system, {1, beta_, Friction::momentum}) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {rattle_.start(q, v), 0}; }
  StepOutcome step(state_type& z, double h) {
    if (const StepOutcome outcome = bath(z, h, 1); !outcome.ok()) return outcome;
    const double length = flaw_ == C::lopsided ? h * (1 + h / 8) : h;
    if (const StepOutcome outcome = rattle_.step(z, length); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = bath(z, h, 0); !outcome.ok()) return outcome;
    ++z.steps;
    if (flaw_ == C::off_manifold) z.q *= 1 + 1e-12;
    if (flaw_ == C::speed_limit && z.v.dot(rattle_.system().momentum(z.v)) > 8 / beta_) z.v *= 0.5;
    if (flaw_ == C::counter_in_method && ++made_ > 10) z.v *= 1 + 1e-12;
    if (flaw_ == C::rattle_of_other_rounding) z.v *= 1 + 4 * std::numeric_limits<double>::epsilon();
    return {};
  }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    Properties properties{.name = "a wrong heat bath", .source = "livi/claims/heat_bath_controls.cpp", .order = 2};
    return {.deterministic = properties, .weak_order = flaw_ == C::first_order_declared ? 1.0 : 2.0};
  }

 private:
  /// Half of the bath of a step h.
  StepOutcome bath(state_type& z, double h, std::uint64_t draw) {
    const double t = h / 2;
    if (flaw_ == C::one_noise_for_both) draw = 0;
    if (gamma_ == 0) {
      if (flaw_ != C::other_without_friction) return {};
      double xi = 0;
      numbers_(z.steps, draw, &xi, 1);
      z.v *= 1 - 1e-13 * xi;
      return {};
    }
    vector_type xi = numbers(z.steps, draw);
    if (flaw_ == C::shared_noise)
      for (Eigen::Index i = 3; i < xi.size(); ++i) xi(i) = xi(i % 3);
    if (flaw_ == C::warm_by_mass)
      for (Eigen::Index i = 0; i < xi.size(); ++i) xi(i) *= std::sqrt(mass(i));
    // The bath's noise alone, of a step with e^(-2 t) = 1/2: of variance 1/(2 beta) along each direction.
    vector_type noise = vector_type::Zero();
    if (const StepOutcome outcome = whole_(z.q, noise, xi, std::log(2) / 2, work_); !outcome.ok()) return outcome;
    noise *= std::sqrt(2);
    if (flaw_ == C::unprojected)
      for (Eigen::Index i = 0; i < xi.size(); ++i) noise(i) = xi(i) / std::sqrt(mass(i) * beta_);
    if (flaw_ == C::half_temperature) noise /= std::sqrt(2);
    noise *= std::sqrt(heat(z, h));
    const bool first_order = flaw_ == C::first_order_bath || flaw_ == C::first_order_declared;
    const double decay = first_order ? 1 - gamma_ * t : std::exp(-gamma_ * t),
                 amplitude = first_order ? std::sqrt(2 * gamma_ * t) : std::sqrt(-std::expm1(-2 * gamma_ * t));
    if (flaw_ == C::friction_by_mass) {
      vector_type damped = z.v;
      for (Eigen::Index i = 0; i < damped.size(); ++i) damped(i) *= std::exp(-gamma_ * t / mass(i));
      z.v = rattle_projected(z.q, damped) + amplitude * noise;
      return {};
    }
    z.v = (flaw_ == C::friction_twice ? decay * decay : decay) * z.v + amplitude * noise;
    return {};
  }
  vector_type numbers(std::uint64_t step, std::uint64_t draw) const {
    const bool is_later = step / 64 % 2 == 1;
    vector_type xi;
    numbers_(flaw_ == C::old_noise                      ? 0
             : flaw_ == C::repeating_noise              ? step % 128
             : flaw_ == C::antithetic_noise && is_later ? step - 64
                                                        : step,
             draw, xi.data(), xi.size());
    if (flaw_ == C::antithetic_noise && is_later) xi = -xi;
    if (flaw_ == C::clipped_noise) xi = xi.cwiseMax(-2.5).cwiseMin(2.5);
    return xi;
  }
  /// The temperature of the noise of a step over what it should be.
  [[nodiscard]] double heat(const state_type& z, double h) const {
    constexpr bool is_sphere = std::same_as<System, BathSphere>, is_chain = std::same_as<System, BathChain>;
    if (flaw_ == C::noise_by_friction) return gamma_;
    if (flaw_ == C::warm_later && z.steps > 3) return 1.2;
    if (flaw_ == C::warm_on_one_side && is_sphere) return 1 + z.q(1) / 2;
    if (flaw_ == C::warm_on_the_rods && !is_sphere && !is_chain) return 1 + h;
    if (flaw_ == C::warm_on_the_chain && is_chain) return 1 + h / 4;
    return 1;
  }
  /// The tangent part of a velocity.
  vector_type rattle_projected(const vector_type& q, vector_type v) {
    // Without noise and for a short time the bath is its projection.
    const vector_type none = vector_type::Zero();
    static_cast<void>(whole_(q, v, none, 1e-300, work_));
    return v;
  }
  /// The mass of a coordinate, without what couples it to others.
  [[nodiscard]] double mass(Eigen::Index i) const {
    return rattle_.system().momentum(vector_type(vector_type::Unit(i)))(i);
  }

  Rattle<System> rattle_;
  double gamma_, beta_;
  C flaw_;
  BathNumbers numbers_;
  TangentOrnsteinUhlenbeck<System> whole_;
  WorkCounters work_;
  int made_ = 0;
};

template <class Factory>
std::unique_ptr<AnyHeatBathSubject> subject_of(Factory factory) {
  return std::make_unique<HeatBathSubject<Factory>>(std::move(factory));
}
constexpr auto rattle = []<class System>(const System& system) { return Rattle<System>(system); };

HeatBathControlMethod make(C control) {
  const auto flawed = [control](const char* name) {
    const auto factory = [control]<class System>(const System& system, const Bath<double>& bath,
                                                 const BathNumbers& numbers) {
      return FlawedObabo<System>(system, bath, numbers, control);
    };
    return HeatBathControlMethod{
        name, std::make_unique<HeatBathSubject<decltype(factory), decltype(rattle)>>(factory, rattle)};
  };
  switch (control) {
    case C::obabo: {
      const auto factory = []<class System>(const System& system, const Bath<double>& bath,
                                            const BathNumbers& numbers) {
        return ConstrainedObabo<System, BathNumbers>(system, bath, numbers);
      };
      return {"ConstrainedObabo",
              std::make_unique<HeatBathSubject<decltype(factory), decltype(rattle)>>(factory, rattle)};
    }
    case C::baoab:
      return {"GeodesicBaoab",
              subject_of([]<class System>(const System& system, const Bath<double>& bath, const BathNumbers& numbers) {
                return GeodesicBaoab<System, BathNumbers>(system, bath, numbers);
              })};
    case C::friction_of_one:
      return flawed("friction of one");
    case C::heat_of_one_bath:
      return flawed("the temperature of another bath");
    case C::noise_by_friction:
      return flawed("noise gamma^(1/2) times too strong");
    case C::clipped_noise:
      return flawed("noise without tails");
    case C::repeating_noise:
      return flawed("noise that repeats itself");
    case C::antithetic_noise:
      return flawed("noise with the other sign later");
    case C::warm_later:
      return flawed("noise too strong from the fourth step on");
    case C::warm_on_one_side:
      return flawed("noise too strong on one side of the sphere");
    case C::warm_on_the_rods:
      return flawed("noise too strong on the rods");
    case C::warm_on_the_chain:
      return flawed("noise too strong on the chain");
    case C::friction_twice:
      return flawed("friction applied twice");
    case C::friction_by_mass:
      return flawed("friction of the rate gamma/m");
    case C::warm_by_mass:
      return flawed("noise m^(1/2) times too strong");
    case C::unprojected:
      return flawed("noise that is not projected");
    case C::shared_noise:
      return flawed("noise shared between particles");
    case C::half_temperature:
      return flawed("noise of half the temperature");
    case C::one_noise_for_both:
      return flawed("one noise for both halves of the bath");
    case C::old_noise:
      return flawed("the noise of the first step in every step");
    case C::own_numbers:
      return flawed("numbers of its own");
    case C::first_order_bath:
      return flawed("bath of order one, which declares two");
    case C::first_order_declared:
      return flawed("bath of order one");
    case C::lopsided:
      return flawed("motion over h (1 + h/8)");
    case C::off_manifold:
      return flawed("positions 1 + 1e-12 times too long");
    case C::other_without_friction:
      return flawed("noise of 1e-13 without friction");
    case C::rattle_of_other_rounding:
      return flawed("RATTLE but for rounding");
    case C::speed_limit:
      return flawed("speeds halved beyond a limit");
    case C::counter_in_method:
      return flawed("a counter in the method");
  }
  throw std::logic_error("a control that there is not");
}

}  // namespace

const HeatBathControlMethod& heat_bath_control(HeatBathControl control) {
  static std::array<std::unique_ptr<HeatBathControlMethod>, 29> made;
  auto& kept = made.at(static_cast<std::size_t>(control));
  if (!kept) kept = std::make_unique<HeatBathControlMethod>(make(control));
  return *kept;
}

}  // namespace livi::battery_detail
