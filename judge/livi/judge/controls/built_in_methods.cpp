// SPDX-License-Identifier: MIT
#include <livi/judge/controls/built_in_methods.hpp>

#include <algorithm>
#include <cmath>

#include <livi/judge/problems/number_text.hpp>

namespace livi {
namespace {

using What = StepPart::What;

template <class S>
S ratio_of(double numerator, double denominator) {
  return S(numerator) / S(denominator);
}

template <class S>
class BuiltInRun final : public ForeignRun<S> {
 public:
  BuiltInRun(const BuiltInMethod& method, Forces<S>& forces) : method_(method), forces_(forces) {}

  void start(const TimedPoint<S>& z) override {
    z_ = z;
    if (method_.flaw != BuiltInFlaw::remembers) {
      last_.clear();
      normals_.clear();
      memory_ = S(0);
      steps_ = 0;
    }
    restored_ = false;
  }
  void step(const S& h, long count) override {
    for (long k = 0; k < count; ++k) {
      if (method_.tableau.empty()) {
        composed_step(h);
      } else {
        runge_kutta_step(h);
      }
    }
  }
  TimedPoint<S> point() override { return z_; }
  std::optional<std::string> save() override {
    std::string text = written(z_.t);
    for (const auto* x : {&z_.q, &z_.p})
      for (const S& entry : *x) text += " " + written(entry);
    return text;
  }
  void restore(const std::string& text) override {
    std::vector<S> numbers;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      numbers.push_back(read(text.substr(at, end - at)));
      at = end + 1;
    }
    const auto n = static_cast<std::ptrdiff_t>(forces_.problem().masses.size());
    last_.clear();
    z_ = {numbers.at(0), {numbers.begin() + 1, numbers.begin() + 1 + n}, {numbers.begin() + 1 + n, numbers.end()}};
    restored_ = true;
    if (method_.flaw == BuiltInFlaw::forgets_in_saved) z_.p[0] = z_.p[0] + S(0x1p-50);
  }

 private:
  static std::string written(const S& x) {
    if constexpr (std::is_same_v<S, Float50>) {
      return number_text(x, 60);
    } else if constexpr (std::is_same_v<S, Rational>) {
      return number_text(x);
    } else {
      return number_text(x, NumberForm::hex);
    }
  }
  static S read(const std::string& text) {
    if constexpr (std::is_same_v<S, Float50>) {
      return *parse_digits(text);
    } else if constexpr (std::is_same_v<S, Rational>) {
      return *parse_rational(text);
    } else if constexpr (std::is_same_v<S, double>) {
      return *parse_double(text);
    } else {
      return *parse_complex(text);
    }
  }
  std::vector<S> force(const S& t, const std::vector<S>& q) {
    std::vector<S> g = forces_.gradient(t, q);
    if constexpr (std::is_same_v<S, double>) {
      if (method_.flaw == BuiltInFlaw::single_number || method_.flaw == BuiltInFlaw::coarse_number)
        for (double& x : g) {
          const int bits = method_.flaw == BuiltInFlaw::single_number ? 24 : 8;
          int exponent = 0;
          const double fraction = std::frexp(x, &exponent);
          x = std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
        }
    }
    return g;
  }
  void composed_step(S h) {
    if (method_.flaw == BuiltInFlaw::still_in_sevens && z_.q.size() % 7 == 0) {
      z_.t = z_.t + h;
      return;
    }
    if constexpr (!std::is_same_v<S, std::complex<double>>)
      if (method_.flaw == BuiltInFlaw::absolute_step && h < S(0)) h = -h;
    static long steps_of_all = 0;
    const bool lopsided = (method_.flaw == BuiltInFlaw::counts_steps && ++steps_of_all % 2 == 0) ||
                          (method_.flaw == BuiltInFlaw::tires && ++steps_ > 10000);
    std::vector<S> first, first_velocity;
    S t = z_.t;
    S kick_by(0);
    std::vector<StepPart> parts = method_.parts;
    if constexpr (!std::is_same_v<S, std::complex<double>>)
      if (method_.flaw == BuiltInFlaw::turned_back && h < S(0)) std::ranges::reverse(parts);
    for (const StepPart& part : parts) {
      const S by = h * ratio_of<S>(part.numerator, part.denominator);
      if (part.what == What::drift || part.what == What::drift_with_first_velocity) {
        const bool is_old = part.what == What::drift_with_first_velocity && !first_velocity.empty();
        const std::vector<S> v = is_old ? first_velocity : forces_.velocity(z_.p);
        if (first_velocity.empty()) first_velocity = v;
        for (std::size_t i = 0; i < v.size(); ++i) z_.q[i] = z_.q[i] + by * v[i];
        t = t + by;
        continue;
      }
      if (part.what == What::heat_bath) {
        if constexpr (std::is_same_v<S, double>)
          if (forces_.problem().kind == ProblemKind::langevin) heat_bath(by);
        continue;
      }
      std::vector<S> g;
      if (part.what == What::kick_with_last_force && !last_.empty()) {
        g = last_;
      } else if (part.what == What::kick_with_first_force && !first.empty()) {
        g = first;
      } else {
        g = force(t, z_.q);
      }
      if (first.empty()) first = g;
      last_ = g;
      // What counts steps is seen in many of them, what tires in a single short one.
      const double by_what = method_.flaw == BuiltInFlaw::tires ? 750 : 501;
      const S share = lopsided && kick_by == S(0) ? by * ratio_of<S>(by_what, 500) : by;
      for (std::size_t i = 0; i < g.size(); ++i) z_.p[i] = z_.p[i] - share * g[i];
      kick_by = kick_by + by;
    }
    if (method_.flaw == BuiltInFlaw::pushes) z_.p[0] = z_.p[0] + h * S(0x1p-20);
    if (method_.flaw == BuiltInFlaw::pushes_hard) z_.p[0] = z_.p[0] + h * S(0x1p-8);
    if (method_.flaw == BuiltInFlaw::remembers) {
      z_.p[0] = z_.p[0] + memory_ * S(0x1p-30);
      memory_ = S(1);
    }
    z_.t = z_.t + h;
  }
  /// p to e^(-friction by) p + (m temperature (1 - e^(-2 friction by)))^(1/2) times normal numbers.
  void heat_bath(double by) requires std::is_same_v<S, double> {
    const JudgedProblem& problem = forces_.problem();
    const std::size_t n = z_.p.size();
    if (method_.flaw != BuiltInFlaw::old_noise || normals_.empty())
      normals_ = forces_.noise(method_.flaw == BuiltInFlaw::shared_noise ? 1 : n);
    const double temperature =
        method_.flaw == BuiltInFlaw::warm_without_heat ? problem.temperature + 0x1p-20 : problem.temperature;
    if (method_.flaw == BuiltInFlaw::bath_ends && ++steps_ > 500) return;
    if (method_.flaw == BuiltInFlaw::bath_is_not_saved && restored_) return;
    double damping = std::exp(-problem.friction * by), strength = -std::expm1(-2 * problem.friction * by);
    if (method_.flaw == BuiltInFlaw::first_order_bath) {
      damping = 1 - problem.friction * by;
      strength = 2 * problem.friction * by;
    }
    if (method_.flaw == BuiltInFlaw::friction_per_body) {
      const double times = static_cast<double>(n);
      strength = -std::expm1(-2 * problem.friction * by * times);
      damping = std::pow(damping, times);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double mass = method_.flaw == BuiltInFlaw::noise_without_mass ? 1 : problem.masses[i];
      double normal = normals_[method_.flaw == BuiltInFlaw::shared_noise     ? 0
                               : method_.flaw == BuiltInFlaw::noise_of_three ? i % 3
                                                                             : i];
      if (method_.flaw == BuiltInFlaw::squared_noise) normal *= normal;
      z_.p[i] = damping * z_.p[i] + std::sqrt(mass * temperature * strength) * normal;
    }
  }
  void runge_kutta_step(const S& h) {
    const std::size_t stages = method_.tableau.size() - 1, n = z_.q.size();
    std::vector<std::vector<S>> v, g;
    for (std::size_t i = 0; i <= stages; ++i) {
      TimedPoint<S> stage = z_;
      for (std::size_t j = 0; j < std::min(i, stages); ++j) {
        const S by = h * ratio_of<S>(method_.tableau[i][j], method_.tableau_denominator);
        stage.t = stage.t + by;
        for (std::size_t k = 0; k < n; ++k) {
          stage.q[k] = stage.q[k] + by * v[j][k];
          stage.p[k] = stage.p[k] - by * g[j][k];
        }
      }
      if (i == stages) {
        z_.q = stage.q;
        z_.p = stage.p;
        break;
      }
      v.push_back(forces_.velocity(stage.p));
      g.push_back(force(stage.t, stage.q));
    }
    z_.t = z_.t + h;
  }

  BuiltInMethod method_;
  Forces<S>& forces_;
  TimedPoint<S> z_;
  std::vector<S> last_, normals_;
  S memory_{0};
  long steps_ = 0;
  bool restored_ = false;
};

class BuiltInSubject final : public ForeignSubject {
 public:
  explicit BuiltInSubject(BuiltInMethod method) : method_(std::move(method)) {
    declaration_.name = method_.name;
    declaration_.numbers = {NumberType::real, NumberType::complex, NumberType::digits, NumberType::rational};
    declaration_.digits = 50;
    declaration_.kinds = {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable, ProblemKind::langevin};
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<BuiltInRun<double>>(method_, forces);
  }
  std::unique_ptr<ForeignRun<std::complex<double>>> in_complex(Forces<std::complex<double>>& forces) override {
    return std::make_unique<BuiltInRun<std::complex<double>>>(method_, forces);
  }
  std::unique_ptr<ForeignRun<Float50>> in_digits(Forces<Float50>& forces) override {
    return std::make_unique<BuiltInRun<Float50>>(method_, forces);
  }
  std::unique_ptr<ForeignRun<Rational>> in_rational(Forces<Rational>& forces) override {
    return std::make_unique<BuiltInRun<Rational>>(method_, forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<BuiltInSubject>(method_);
  }

 private:
  BuiltInMethod method_;
  ForeignDeclaration declaration_;
};

}  // namespace

BuiltInMethod built_in_verlet(BuiltInFlaw flaw) {
  const char* name = "velocity Verlet";
  switch (flaw) {
    case BuiltInFlaw::none:
      break;
    case BuiltInFlaw::absolute_step:
      name = "Verlet with the size of the step";
      break;
    case BuiltInFlaw::counts_steps:
      name = "Verlet, every other step lopsided";
      break;
    case BuiltInFlaw::single_number:
      name = "Verlet with forces of 24 bits";
      break;
    case BuiltInFlaw::coarse_number:
      name = "Verlet with forces of 8 bits";
      break;
    case BuiltInFlaw::remembers:
      name = "Verlet that remembers its last step";
      break;
    case BuiltInFlaw::pushes:
      name = "Verlet that pushes the first body";
      break;
    case BuiltInFlaw::pushes_hard:
      name = "Verlet that pushes the first body hard";
      break;
    case BuiltInFlaw::tires:
      name = "Verlet, lopsided after ten thousand steps";
      break;
    case BuiltInFlaw::still_in_sevens:
      name = "Verlet that stands still in 7, 14, ... dimensions";
      break;
    case BuiltInFlaw::forgets_in_saved:
      name = "Verlet that saves too few bits";
      break;
    default:
      break;  // flaws of heat baths
  }
  return {.name = name, .parts = {{What::kick, 1, 2}, {What::drift, 1}, {What::kick, 1, 2}}, .flaw = flaw};
}
BuiltInMethod built_in_lopsided_verlet() {
  return {.name = "lopsided Verlet", .parts = {{What::kick, 501, 1000}, {What::drift, 1}, {What::kick, 499, 1000}}};
}
BuiltInMethod built_in_symplectic_euler(BuiltInFlaw flaw) {
  return {.name = flaw == BuiltInFlaw::turned_back ? "symplectic Euler, its adjoint backwards" : "symplectic Euler",
          .parts = {{What::kick, 1}, {What::drift, 1}},
          .flaw = flaw};
}
BuiltInMethod built_in_explicit_euler() { return {.name = "explicit Euler", .tableau = {{}, {1}}}; }
BuiltInMethod built_in_runge_kutta_4() {
  return {.name = "Runge-Kutta 4", .tableau = {{}, {3}, {0, 3}, {0, 0, 6}, {1, 2, 2, 1}}, .tableau_denominator = 6};
}
BuiltInMethod built_in_baoab(BuiltInFlaw flaw) {
  const char* name = "BAOAB";
  switch (flaw) {
    case BuiltInFlaw::friction_per_body:
      name = "BAOAB with the friction once for every body";
      break;
    case BuiltInFlaw::noise_without_mass:
      name = "BAOAB with noise that forgets the masses";
      break;
    case BuiltInFlaw::shared_noise:
      name = "BAOAB with one noise for all bodies";
      break;
    case BuiltInFlaw::noise_of_three:
      name = "BAOAB with the noise of three bodies for all";
      break;
    case BuiltInFlaw::squared_noise:
      name = "BAOAB with squares of its noise";
      break;
    case BuiltInFlaw::old_noise:
      name = "BAOAB with the same noise in all steps";
      break;
    case BuiltInFlaw::warm_without_heat:
      name = "BAOAB, a little too warm";
      break;
    case BuiltInFlaw::first_order_bath:
      name = "BAOAB with Euler and Maruyama's heat bath";
      break;
    case BuiltInFlaw::bath_ends:
      name = "BAOAB without a bath from its 500th step on";
      break;
    case BuiltInFlaw::still_in_sevens:
      name = "BAOAB that stands still in 7, 14, ... dimensions";
      break;
    case BuiltInFlaw::bath_is_not_saved:
      name = "BAOAB that goes on without a bath";
      break;
    default:
      break;  // flaws of Verlet's method
  }
  return {
      .name = name,
      .parts = {{What::kick, 1, 2}, {What::drift, 1, 2}, {What::heat_bath, 1}, {What::drift, 1, 2}, {What::kick, 1, 2}},
      .flaw = flaw};
}
BuiltInMethod built_in_splitting(std::string name, const std::vector<double>& a, const std::vector<double>& b,
                                 bool kick_first) {
  BuiltInMethod method{.name = std::move(name)};
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    for (const bool kick : {kick_first, !kick_first}) {
      const auto& of = kick ? b : a;
      if (i < of.size()) method.parts.push_back({kick ? What::kick : What::drift, of[i]});
    }
  return method;
}

BuiltInMethod built_in_rattle(ConstrainedFlaw flaw) {
  return {.name = name_of_rattle(flaw), .constrained = ConstrainedSteps{.shares = {1}, .flaw = flaw}};
}
BuiltInMethod built_in_body_splitting(BodyFlaw flaw) {
  return {.name = name_of_body_splitting(flaw), .body = BodySteps{.shares = {1}, .flaw = flaw}};
}

std::unique_ptr<ForeignSubject> built_in_subject(const BuiltInMethod& method) {
  if (method.body) return body_subject(method.name, *method.body);
  if (method.constrained) return constrained_subject(method.name, *method.constrained);
  return std::make_unique<BuiltInSubject>(method);
}

}  // namespace livi
