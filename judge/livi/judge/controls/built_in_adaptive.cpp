// SPDX-License-Identifier: MIT
#include <livi/judge/controls/built_in_adaptive.hpp>

#include <cmath>
#include <vector>

#include <livi/judge/problems/number_text.hpp>

namespace livi {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
/// Returns a + c b.
Vector sum(Vector a, double c, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += c * b[i];
  return a;
}
double sigma(const Vector& q) { return 1 / (1 + dot(q, q)); }
Vector sigma_gradient(const Vector& q) {
  const double s = sigma(q);
  return sum(Vector(q.size(), 0.0), -2 * s * s, q);
}

class AdaptiveRun final : public ForeignRun<double> {
 public:
  AdaptiveRun(const BuiltInAdaptiveMethod& method, Forces<double>& forces) : method_(method), forces_(forces) {}

  void start(const TimedPoint<double>& z) override {
    z_ = z;
    if (method_.rule == AdaptiveRule::hamiltonian && forces_.problem().kind != ProblemKind::extended)
      z_.energy = kinetic(z.p) + forces_.value(z.t, z.q);
    inverse_density_ = 1 / sigma(z.q);
    if (is(AdaptiveFlaw::odd_start)) inverse_density_ *= 1 + 0.25 * std::tanh(dot(z.q, velocity(z.p)));
    steps_ = 0;
    if (!is(AdaptiveFlaw::remembers)) memory_ = 0;
  }
  void step(const double& h, long count) override {
    for (long k = 0; k < count; ++k) one_step(h);
  }
  TimedPoint<double> point() override { return z_; }
  std::optional<std::string> save() override {
    std::string text = number_text(z_.t, NumberForm::hex);
    for (const auto* x : {&z_.q, &z_.p})
      for (const double entry : *x) text += " " + number_text(entry, NumberForm::hex);
    return text + " " + number_text(z_.energy, NumberForm::hex) + " " + number_text(inverse_density_, NumberForm::hex) +
           " " + std::to_string(steps_);
  }
  void restore(const std::string& text) override {
    Vector numbers;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      numbers.push_back(*parse_double(text.substr(at, end - at)));
      at = end + 1;
    }
    const auto n = static_cast<std::ptrdiff_t>(forces_.problem().masses.size());
    const auto q = numbers.begin() + 1, p = q + n;
    z_ = {numbers.at(0), {q, p}, {p, p + n}, *(p + n)};
    inverse_density_ = *(p + n + 1);
    steps_ = static_cast<long>(*(p + n + 2));
    if (is(AdaptiveFlaw::forgets_in_saved)) z_.p[0] += 0x1p-50;
  }

 private:
  [[nodiscard]] bool is(AdaptiveFlaw flaw) const { return method_.flaw == flaw; }
  [[nodiscard]] Vector velocity(const Vector& p) const {
    Vector v = p;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= forces_.problem().masses[i];
    return v;
  }
  [[nodiscard]] double kinetic(const Vector& p) const { return dot(p, velocity(p)) / 2; }
  Vector gradient(const Vector& q) { return forces_.gradient(z_.t, q); }

  /// The length of a step that solves dt = f(dt), by iteration from a guess; no number where it does not come to rest.
  template <class F>
  static double solved(double dt, const F& f) {
    for (int k = 0; k < 200; ++k) {
      const double next = f(dt);
      if (!(std::abs(next - dt) > 0x1p-50 * std::abs(dt))) return next;
      dt = next;
    }
    return std::nan("");
  }
  /// What flaws of any method make of the length of a step.
  double flawed(double dt, double h) {
    static long steps_of_all = 0;
    if (is(AdaptiveFlaw::old_density) || (is(AdaptiveFlaw::tires) && ++steps_ > 10000)) dt = h * sigma(z_.q);
    if (is(AdaptiveFlaw::constant_steps)) dt = h;
    if (is(AdaptiveFlaw::of_the_time)) dt *= 1 + 0x1p-30 * z_.t;
    if (is(AdaptiveFlaw::counts_steps) && ++steps_of_all % 2 == 0) dt *= 1 + 1.0 / 500;
    if (is(AdaptiveFlaw::clock_backwards) && ++steps_ % 7 == 0) dt = -dt;
    if (is(AdaptiveFlaw::remembers)) dt *= 1 + 0x1p-20 * std::exchange(memory_, 1);
    return dt;
  }
  void one_step(double h) {
    if (is(AdaptiveFlaw::absolute_step)) h = std::abs(h);
    if (is(AdaptiveFlaw::free_if_extended) && forces_.problem().kind == ProblemKind::extended) {
      z_.q = sum(z_.q, h, velocity(z_.p));
      z_.t += h;
      return;
    }
    if (is(AdaptiveFlaw::single_step)) h = static_cast<double>(static_cast<float>(h));
    const TimedPoint<double> before = z_;
    const Vector g = gradient(z_.q);
    if (is(AdaptiveFlaw::asks_twice)) static_cast<void>(gradient(z_.q));
    const double dt = method_.rule == AdaptiveRule::hamiltonian ? hamiltonian_step(h, g) : verlet_step(h, g);
    z_.t = before.t + (is(AdaptiveFlaw::old_clock) ? h * sigma(before.q) : dt);
    if (is(AdaptiveFlaw::fast_beyond_ten) && before.q.size() > 10) z_.t += dt / 2;
    if (is(AdaptiveFlaw::fast_clock)) z_.t += 0x1p-32 * dt;
    if (is(AdaptiveFlaw::fast_in_between) && std::abs(h) > 2e-6 && std::abs(h) < 2e-4) z_.t += 1e-3 * dt;
    if (is(AdaptiveFlaw::fast_when_long) && std::abs(h) > 1e-6) z_.t += 1e-8 * dt;
    if (is(AdaptiveFlaw::pushes)) z_.p[0] += h * 0x1p-20;
    const bool made = std::isfinite(dot(z_.q, z_.q) + dot(z_.p, z_.p)) && std::isfinite(z_.t) && z_.t != before.t;
    if (made || is(AdaptiveFlaw::fails_silently)) return;
    z_ = before;
    throw ForeignRefusal("a step failed: it has no length");
  }
  /// Makes Verlet's step; returns its length.
  double verlet_step(double h, const Vector& g) {
    // d(1/sigma)/dtau on the motion, which keeps z = 1/sigma beside it.
    const auto rate = [&] { return 2 * sigma(z_.q) * dot(z_.q, velocity(z_.p)); };
    double dt = h * sigma(z_.q);
    if (method_.rule == AdaptiveRule::integrated) {
      inverse_density_ += h / 2 * rate();
      dt = h / inverse_density_;
    } else {
      const double of_end = !is(AdaptiveFlaw::density_by_sign) ? 0.5 : h > 0 ? 0 : 1;
      dt = solved(dt, [&](double length) {
        const Vector end = sum(z_.q, length, velocity(sum(z_.p, -length / 2, g)));
        return h * ((1 - of_end) * sigma(z_.q) + of_end * sigma(end));
      });
    }
    dt = flawed(dt, h);
    z_.p = sum(z_.p, -dt / 2, g);
    z_.q = sum(z_.q, dt, velocity(z_.p));
    z_.p = sum(z_.p, -dt / 2, gradient(z_.q));
    if (method_.rule == AdaptiveRule::integrated) inverse_density_ += h / 2 * rate();
    return dt;
  }
  /// Makes the step of CS101, slide 13; returns its length.
  double hamiltonian_step(double h, const Vector& g) {
    const double half = h / 2, s = sigma(z_.q), with = is(AdaptiveFlaw::without_gradients) ? 0 : half;
    if (is(AdaptiveFlaw::own_energy)) z_.energy = kinetic(z_.p) + forces_.value(z_.t, z_.q);
    const auto energy_error = [&] { return kinetic(z_.p) + forces_.value(z_.t, z_.q) - z_.energy; };
    Vector of_sigma = sigma_gradient(z_.q);
    z_.p = sum(z_.p, -half * s, g);
    // e = H - E0 after the kick by -e grad sigma: a e^2 + b e + c = 0.
    const double a = with * with * kinetic(of_sigma), b = -1 - with * dot(of_sigma, velocity(z_.p)), c = energy_error();
    z_.p = sum(z_.p, -with * 2 * c / (std::sqrt(b * b - 4 * a * c) - b), of_sigma);
    const Vector v = velocity(z_.p);
    const double dt = flawed(solved(h * s, [&](double length) { return half * (s + sigma(sum(z_.q, length, v))); }), h);
    z_.q = sum(z_.q, dt, v);
    of_sigma = sigma_gradient(z_.q);
    const double e = energy_error();
    z_.p = sum(sum(z_.p, -half * sigma(z_.q), gradient(z_.q)), -with * e, of_sigma);
    return dt;
  }

  BuiltInAdaptiveMethod method_;
  Forces<double>& forces_;
  TimedPoint<double> z_;
  double inverse_density_ = 1, memory_ = 0;
  long steps_ = 0;
};

class AdaptiveSubject final : public ForeignSubject {
 public:
  explicit AdaptiveSubject(const BuiltInAdaptiveMethod& method) : method_(method) {
    declaration_.name = method.name();
    declaration_.kinds = {ProblemKind::adaptive, ProblemKind::extended};
    declaration_.memory = method.rule != AdaptiveRule::reversible;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<AdaptiveRun>(method_, forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<AdaptiveSubject>(method_);
  }

 private:
  BuiltInAdaptiveMethod method_;
  ForeignDeclaration declaration_;
};

}  // namespace

std::string BuiltInAdaptiveMethod::name() const {
  const std::string of = rule == AdaptiveRule::integrated   ? "integrated steps"
                         : rule == AdaptiveRule::reversible ? "reversible steps"
                                                            : "Hamiltonian steps";
  switch (flaw) {
    case AdaptiveFlaw::none:
      return of;
    case AdaptiveFlaw::old_density:
      return "steps of the old position's density";
    case AdaptiveFlaw::old_clock:
      return of + " with a clock of the old density";
    case AdaptiveFlaw::fast_clock:
      return of + " with a clock that is fast by 2^-32";
    case AdaptiveFlaw::clock_backwards:
      return of + ", every seventh backwards";
    case AdaptiveFlaw::absolute_step:
      return of + " with the size of h";
    case AdaptiveFlaw::constant_steps:
      return "constant steps";
    case AdaptiveFlaw::of_the_time:
      return of + " that depend on the time";
    case AdaptiveFlaw::counts_steps:
      return of + ", every other one longer";
    case AdaptiveFlaw::remembers:
      return of + " that remember the last run";
    case AdaptiveFlaw::forgets_in_saved:
      return of + " that save too few bits";
    case AdaptiveFlaw::pushes:
      return of + " that push the first body";
    case AdaptiveFlaw::asks_twice:
      return of + " with three gradients";
    case AdaptiveFlaw::fails_silently:
      return of + " that never fail";
    case AdaptiveFlaw::without_gradients:
      return of + " without the density's gradient";
    case AdaptiveFlaw::tires:
      return of + ", naive after ten thousand";
    case AdaptiveFlaw::free_if_extended:
      return of + " of free bodies where the kind is extended";
    case AdaptiveFlaw::fast_beyond_ten:
      return of + " with a clock that is fast beyond ten degrees of freedom";
    case AdaptiveFlaw::fast_in_between:
      return of + " with a clock that is fast by 1e-3 in some short steps";
    case AdaptiveFlaw::fast_when_long:
      return of + " with a clock that is fast by 1e-8 in longer steps";
    case AdaptiveFlaw::density_by_sign:
      return "steps of the old density, backwards of the new one";
    case AdaptiveFlaw::odd_start:
      return of + " that begin otherwise where bodies go out";
    case AdaptiveFlaw::single_step:
      return of + " of h in 24 bits";
    case AdaptiveFlaw::own_energy:
      return of + " of the energy of each start";
  }
  return of;
}

std::unique_ptr<ForeignSubject> adaptive_subject(const BuiltInAdaptiveMethod& method) {
  return std::make_unique<AdaptiveSubject>(method);
}

}  // namespace livi
