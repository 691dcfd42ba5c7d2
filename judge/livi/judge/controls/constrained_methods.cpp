// SPDX-License-Identifier: MIT
#include <livi/judge/controls/constrained_methods.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi {
namespace {

using Vector = std::vector<double>;

class ConstrainedRun final : public ForeignRun<double> {
 public:
  ConstrainedRun(ConstrainedSteps steps, Forces<double>& forces) : steps_(std::move(steps)), forces_(forces) {
    if (!forces.problem().has_constraints()) throw ProblemRefused("it takes constrained problems only");
  }

  void start(const TimedPoint<double>& z) override {
    z_ = z;
    first_jacobian_.clear();
    made_ = 0;
    if (!is(ConstrainedFlaw::remembers)) multipliers_.assign(count(), 0.0);
    multipliers_.resize(count(), 0.0);
  }
  void step(const double& h, long times) override {
    for (long k = 0; k < times; ++k) {
      for (const double share : shares_of(h)) one_step((is(ConstrainedFlaw::absolute_step) ? std::abs(h) : h) * share);
      if (leaves_mark()) mark(h);
      z_.t += h;
    }
  }
  TimedPoint<double> point() override { return z_; }
  std::optional<std::string> save() override {
    std::string text = number_text(z_.t, NumberForm::hex);
    for (const auto* x : {&z_.q, &z_.p})
      for (const double entry : *x) text += " " + number_text(entry, NumberForm::hex);
    for (const double entry : multipliers_) text += " " + number_text(entry, NumberForm::hex);
    return text;
  }
  void restore(const std::string& text) override {
    Vector numbers;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      numbers.push_back(*parse_double(text.substr(at, end - at)));
      at = end + 1;
    }
    const auto n = static_cast<std::ptrdiff_t>(size());
    const auto q = numbers.begin() + 1, p = q + n, rest = p + n;
    first_jacobian_.clear();
    z_ = {numbers.at(0), {q, p}, {p, rest}};
    multipliers_ = {rest, numbers.end()};
    if (is(ConstrainedFlaw::forgets_in_saved)) z_.p[0] += 0x1p-50;
  }

 private:
  [[nodiscard]] bool is(ConstrainedFlaw flaw) const { return steps_.flaw == flaw; }
  [[nodiscard]] std::size_t size() const { return forces_.problem().masses.size(); }
  [[nodiscard]] std::size_t count() const { return forces_.problem().constraints.size(); }
  /// The constraints that are enforced.
  [[nodiscard]] std::size_t enforced() const {
    return is(ConstrainedFlaw::forgets_last) && count() > 1 ? count() - 1 : count();
  }
  [[nodiscard]] double mass(std::size_t i) const { return forces_.problem().masses[i] * share_of_mass_; }
  [[nodiscard]] bool has_equal_masses() const {
    const Vector& masses = forces_.problem().masses;
    return std::ranges::all_of(masses, [&](double m) { return m == masses.front(); });
  }

  [[nodiscard]] bool leaves_mark() const {
    return is(ConstrainedFlaw::keeps_sign_across) || is(ConstrainedFlaw::stops_by_sign_across);
  }
  /// Returns the shares of h; of a method with a mark, those after a step of the other sign may be others.
  Vector shares_of(double h) {
    if (!leaves_mark()) return steps_.shares;
    const Vector here = forces_.constraint_jacobian(z_.q);
    double across = 0;
    for (std::size_t k = 0; k < size(); ++k) across += here[k] * z_.p[k] / mass(k);
    const bool is_back = std::abs(across) > 1e-6 && (across > 0) != (h > 0);
    if (is(ConstrainedFlaw::stops_by_sign_across)) return {is_back ? 0.5 : 1};
    return is_back ? Vector{0.6, 0.4} : Vector{0.4, 0.6};
  }
  /// Leaves the sign of h in what the momentum has across the first constraint.
  void mark(double h) {
    const Vector here = forces_.constraint_jacobian(z_.q);
    for (std::size_t k = 0; k < size(); ++k) z_.p[k] += std::copysign(1e-3, h) * here[k];
  }

  /// Returns the derivatives along which the multipliers of a step from q push.
  Vector pushing(const Vector& q) {
    if (!is(ConstrainedFlaw::old_jacobian)) return forces_.constraint_jacobian(q);
    if (first_jacobian_.empty()) first_jacobian_ = forces_.constraint_jacobian(q);
    return first_jacobian_;
  }
  /// Returns the matrix A W B^T of two Jacobians, W the inverse masses or one.
  [[nodiscard]] Vector product(const Vector& a, const Vector& b, bool masses) const {
    const std::size_t n = size(), m = enforced();
    Vector result(m * m, 0.0);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t k = 0; k < n; ++k) result[i * m + j] += a[i * n + k] * b[j * n + k] / (masses ? mass(k) : 1);
    return result;
  }
  /// Returns row i of J, times v.
  [[nodiscard]] double row_times(const Vector& jacobian, std::size_t i, const Vector& v) const {
    double sum = 0;
    for (std::size_t k = 0; k < size(); ++k) sum += jacobian[i * size() + k] * v[k];
    return sum;
  }
  void kick(Vector& p, double by) {
    const Vector g = forces_.gradient(0.0, z_.q);
    const bool weak = (is(ConstrainedFlaw::weak_for_many) && count() > 3) ||
                      (is(ConstrainedFlaw::weak_for_equal_masses) && has_equal_masses()) ||
                      (is(ConstrainedFlaw::reads_clock) && std::abs(z_.t) > 1);
    const double strength = is(ConstrainedFlaw::strong_force) ? by * (1 + 1e-9) : weak ? by / 2 : by;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] -= strength * g[i];
  }

  /// The constraints at Q; or their expansions at q to second order, for a method that knows quadratic ones only.
  Vector constraints_at(const Vector& from, const Vector& to) {
    if (!is(ConstrainedFlaw::as_if_quadratic)) return forces_.constraint(to);
    Vector middle(size()), way(size());
    for (std::size_t i = 0; i < size(); ++i) {
      way[i] = to[i] - from[i];
      middle[i] = from[i] + 0x1p-4 * way[i];
    }
    const Vector there = forces_.constraint_jacobian(from), near = forces_.constraint_jacobian(middle);
    Vector result = forces_.constraint(from);
    for (std::size_t a = 0; a < count(); ++a)
      result[a] += row_times(there, a, way) + (row_times(near, a, way) - row_times(there, a, way)) * 8;
    return result;
  }

  /// Moves p and q to the manifold by multipliers along `direction`; q is where the step began.
  void to_the_manifold(Vector& p, Vector& to, const Vector& from, double h) {
    const std::size_t n = size(), m = enforced();
    const Vector direction = pushing(from);
    const Vector free = to, free_p = p;
    Vector multipliers = multipliers_;
    const double weight = is(ConstrainedFlaw::half_in_momentum) ? 0.5 : is(ConstrainedFlaw::momentum_of_free) ? 0 : 1;
    const bool masses = !is(ConstrainedFlaw::step_without_masses);
    const auto apply = [&](const Vector& along) {
      for (std::size_t k = 0; k < n; ++k) {
        double push = 0;
        for (std::size_t a = 0; a < m; ++a) push += along[a * n + k] * multipliers[a];
        to[k] = free[k] - h * push / (masses ? mass(k) : 1);
        p[k] = free_p[k] - weight * push;
      }
    };
    apply(direction);
    double last = std::numeric_limits<double>::infinity();
    constexpr int most = 60;
    for (int iteration = 0; iteration < most; ++iteration) {
      Vector residual = constraints_at(from, to);
      residual.resize(m);
      const Vector here = forces_.constraint_jacobian(to);
      const Vector along = is(ConstrainedFlaw::direction_of_end) ? here : direction;
      Vector matrix = product(here, along, masses);
      double distance = 0;
      for (std::size_t a = 0; a < m; ++a) distance = foreign_detail::worse(distance, std::abs(residual[a]));
      if (is(ConstrainedFlaw::early_end) && distance < 1e-8) return;
      foreign_detail::solve_in_place(matrix, residual);
      double change = 0;
      for (std::size_t a = 0; a < m; ++a) {
        multipliers[a] += residual[a] / h;
        change = foreign_detail::worse(change, std::abs(residual[a]));
      }
      apply(along);
      if (is(ConstrainedFlaw::one_iteration)) return;
      // Where its steps are those of rounding they do not get smaller any more; a chain has some hundred roundings.
      if (change <= 1e-12 && change >= last / 2) {
        if (is(ConstrainedFlaw::remembers)) multipliers_ = multipliers;
        return;
      }
      last = change;
    }
    if (!is(ConstrainedFlaw::hides_failure)) throw ForeignRefusal("the multipliers do not converge");
  }

  void one_step(double h) {
    if (is(ConstrainedFlaw::falls_asleep) && ++made_ > 10000) h /= 2;
    if (is(ConstrainedFlaw::float_step)) h = static_cast<double>(static_cast<float>(h));
    if (is(ConstrainedFlaw::asleep_at_rest) && std::ranges::all_of(z_.p, [](double p) { return p == 0; })) return;
    const double length = std::abs(h);
    const bool is_short = length > 1e-7 && length < 1.0 / 600;
    share_of_mass_ = is_short && is(ConstrainedFlaw::light_when_short)       ? 0.5
                     : is_short && is(ConstrainedFlaw::too_light_when_short) ? 1 - 1e-5
                                                                             : 1;
    const double moved = is(ConstrainedFlaw::kicks_at_start)                                          ? -0.5
                         : is(ConstrainedFlaw::lopsided_in_between) && length > 0.13 && length < 0.99 ? 0.1
                                                                                                      : 0;
    static long steps_of_all = 0;
    const bool lopsided = is(ConstrainedFlaw::lopsided) ||
                          (is(ConstrainedFlaw::counts_steps) && ++steps_of_all % 2 == 0) ||
                          (is(ConstrainedFlaw::tires) && ++made_ > 10000);
    const Vector from = z_.q;
    Vector p = z_.p, to(size());
    kick(p, h * ((lopsided ? 0.501 : 0.5) - moved));
    const double drift = is(ConstrainedFlaw::long_drift) ? h * (1 + 1e-8) : h;
    for (std::size_t i = 0; i < p.size(); ++i) to[i] = from[i] + drift * p[i] / mass(i);
    to_the_manifold(p, to, from, drift);
    if (is(ConstrainedFlaw::from_differences))
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = mass(i) * (to[i] - from[i]) / h;
    z_.q = to;
    kick(p, h * ((lopsided ? 0.499 : 0.5) + moved));
    if (is(ConstrainedFlaw::pushes)) p[0] += h * 0x1p-10;
    if (!is(ConstrainedFlaw::without_hidden)) to_the_tangent_space(p, from);
    z_.p = p;
  }
  void to_the_tangent_space(Vector& p, const Vector& from) {
    const std::size_t n = size(), m = enforced();
    const Vector here = forces_.constraint_jacobian(z_.q);
    const Vector along = is(ConstrainedFlaw::hidden_of_start) ? forces_.constraint_jacobian(from) : here;
    const bool masses = !is(ConstrainedFlaw::hidden_without_masses);
    Vector velocity(n), multipliers(m);
    for (std::size_t k = 0; k < n; ++k) velocity[k] = p[k] / (masses ? mass(k) : 1);
    for (std::size_t a = 0; a < m; ++a) multipliers[a] = row_times(here, a, velocity);
    Vector matrix = product(here, along, masses);
    foreign_detail::solve_in_place(matrix, multipliers);
    for (std::size_t a = 0; a < m; ++a)
      for (std::size_t k = 0; k < n; ++k) p[k] -= along[a * n + k] * multipliers[a];
  }

  ConstrainedSteps steps_;
  Forces<double>& forces_;
  TimedPoint<double> z_;
  Vector first_jacobian_, multipliers_;
  long made_ = 0;
  double share_of_mass_ = 1;
};

class ConstrainedSubject final : public ForeignSubject {
 public:
  ConstrainedSubject(std::string name, ConstrainedSteps steps) : steps_(std::move(steps)) {
    declaration_.name = std::move(name);
    declaration_.kinds = {ProblemKind::constrained};
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<ConstrainedRun>(steps_, forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<ConstrainedSubject>(declaration_.name, steps_);
  }

 private:
  ConstrainedSteps steps_;
  ForeignDeclaration declaration_;
};

}  // namespace

std::string name_of_rattle(ConstrainedFlaw flaw) {
  switch (flaw) {
    case ConstrainedFlaw::none:
      return "RATTLE";
    case ConstrainedFlaw::without_hidden:
      return "SHAKE";
    case ConstrainedFlaw::hidden_of_start:
      return "RATTLE whose hidden constraint is met along the old derivatives";
    case ConstrainedFlaw::hidden_without_masses:
      return "RATTLE whose hidden constraint forgets the masses";
    case ConstrainedFlaw::momentum_of_free:
      return "RATTLE whose multipliers move positions only";
    case ConstrainedFlaw::half_in_momentum:
      return "RATTLE with half of the multipliers in the momentum";
    case ConstrainedFlaw::direction_of_end:
      return "RATTLE with multipliers along the derivatives at the end";
    case ConstrainedFlaw::step_without_masses:
      return "RATTLE whose multipliers forget the masses";
    case ConstrainedFlaw::one_iteration:
      return "RATTLE with one iteration";
    case ConstrainedFlaw::early_end:
      return "RATTLE that iterates to 1e-8";
    case ConstrainedFlaw::forgets_last:
      return "RATTLE without the last constraint";
    case ConstrainedFlaw::hides_failure:
      return "RATTLE that hides its failures";
    case ConstrainedFlaw::as_if_quadratic:
      return "RATTLE for quadratic constraints";
    case ConstrainedFlaw::strong_force:
      return "RATTLE with forces too strong by 1e-9";
    case ConstrainedFlaw::long_drift:
      return "RATTLE with velocities too large by 1e-8";
    case ConstrainedFlaw::from_differences:
      return "RATTLE with momenta from differences of positions";
    case ConstrainedFlaw::asleep_at_rest:
      return "RATTLE that does not move from rest";
    case ConstrainedFlaw::reads_clock:
      return "RATTLE with half of the force after t = 1";
    case ConstrainedFlaw::too_light_when_short:
      return "RATTLE with masses too small by 1e-5 in short steps";
    case ConstrainedFlaw::falls_asleep:
      return "RATTLE with half of the step after ten thousand";
    case ConstrainedFlaw::tires:
      return "RATTLE, lopsided after ten thousand steps";
    case ConstrainedFlaw::weak_for_many:
      return "RATTLE with half of the force under many constraints";
    case ConstrainedFlaw::weak_for_equal_masses:
      return "RATTLE with half of the force on equal masses";
    case ConstrainedFlaw::float_step:
      return "RATTLE with steps of 24 bits";
    case ConstrainedFlaw::lopsided_in_between:
      return "RATTLE, lopsided for steps between 0.13 and 0.99";
    case ConstrainedFlaw::light_when_short:
      return "RATTLE with half of the masses in short steps";
    case ConstrainedFlaw::keeps_sign_across:
      return "RATTLE in two parts that remembers its direction";
    case ConstrainedFlaw::stops_by_sign_across:
      return "RATTLE with half of the step where it turns back";
    case ConstrainedFlaw::kicks_at_start:
      return "RATTLE with one kick";
    case ConstrainedFlaw::lopsided:
      return "lopsided RATTLE";
    case ConstrainedFlaw::absolute_step:
      return "RATTLE with the size of the step";
    case ConstrainedFlaw::pushes:
      return "RATTLE that pushes";
    case ConstrainedFlaw::old_jacobian:
      return "RATTLE with the derivatives of its first step";
    case ConstrainedFlaw::counts_steps:
      return "RATTLE, every other step lopsided";
    case ConstrainedFlaw::remembers:
      return "RATTLE that remembers its last multipliers";
    case ConstrainedFlaw::forgets_in_saved:
      return "RATTLE that saves too few bits";
  }
  return "";
}

std::vector<double> suzuki_shares() {
  const double outer = 1 / (4 - std::cbrt(4.0));
  return {outer, outer, 1 - 4 * outer, outer, outer};
}

std::unique_ptr<ForeignSubject> constrained_subject(const std::string& name, const ConstrainedSteps& steps) {
  return std::make_unique<ConstrainedSubject>(name, steps);
}

}  // namespace livi
