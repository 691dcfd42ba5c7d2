// SPDX-License-Identifier: MIT
#include <livi/judge/controls/rigid_body_methods.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <livi/judge/problems/attitude.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using Vector3d = Three<double>;
using Matrix3d = Nine<double>;

/// Returns exp(hat(x)). The half angle loses no bits where the angle is small.
Matrix3d exponential(const Vector3d& x) {
  const double square = dot(x, x), angle = std::sqrt(square);
  if (angle < 1e-8) return turned_by(x, 1.0, 0.5);
  const double half = std::sin(angle / 2);
  return turned_by(x, std::sin(angle) / angle, 2 * half * half / square);
}

/// The row l_k of L^-1 and the pivot d_k of an inertia L D L^T.
struct Axis {
  Vector3d row;
  double pivot;
};
std::array<Axis, 3> axes_of(Matrix3d inertia) {
  std::array<Axis, 3> axes{{{{1, 0, 0}, 0}, {{0, 1, 0}, 0}, {{0, 0, 1}, 0}}};
  for (std::size_t k = 0; k < 3; ++k) {
    axes[k].pivot = inertia[4 * k];
    for (std::size_t i = k + 1; i < 3; ++i) {
      const double factor = inertia[3 * i + k] / inertia[4 * k];
      for (std::size_t j = 0; j < 3; ++j) inertia[3 * i + j] -= factor * inertia[3 * k + j];
      axes[i].row = sum(axes[i].row, -factor, axes[k].row);
    }
  }
  return axes;
}

class BodyRun final : public ForeignRun<double> {
 public:
  BodyRun(BodySteps steps, Forces<double>& forces) : steps_(std::move(steps)), forces_(forces) {
    const JudgedProblem& problem = forces.problem();
    if (problem.kind != ProblemKind::body) throw ProblemRefused("it takes rigid bodies only");
    inertia_ = taken<Matrix3d>(problem.masses);
    has_equal_moments_ = inertia_[0] == inertia_[4] || inertia_[4] == inertia_[8];
    if (is(BodyFlaw::without_products))
      for (const std::size_t i : {1U, 2U, 3U, 5U, 6U, 7U}) inertia_[i] = 0;
    if (is(BodyFlaw::as_if_symmetric)) inertia_[4] = inertia_[0];
    axes_ = axes_of(inertia_);
  }

  void start(const TimedPoint<double>& z) override {
    t_ = z.t;
    r_ = taken<Matrix3d>(z.q);
    mu_ = taken<Vector3d>(z.p);
    made_ = 0;
    has_rates_ = false;
    if (!is(BodyFlaw::remembers)) has_torque_ = false;
  }
  void step(const double& h, long count) override {
    for (long k = 0; k < count; ++k) {
      for (const double share : steps_.shares) one_step((is(BodyFlaw::absolute_step) ? std::abs(h) : h) * share);
      t_ += h;
    }
  }
  TimedPoint<double> point() override {
    TimedPoint<double> z{t_, listed(r_), listed(mu_)};
    if (is(BodyFlaw::left_handed) && made_ >= 100)
      for (const std::size_t i : {2U, 5U, 8U}) z.q[i] = -z.q[i];
    return z;
  }
  std::optional<std::string> save() override {
    std::string text = number_text(t_, NumberForm::hex) + " " + std::to_string(made_);
    for (const double entry : r_) text += " " + number_text(entry, NumberForm::hex);
    for (const double entry : mu_) text += " " + number_text(entry, NumberForm::hex);
    text += has_torque_ ? " 1" : " 0";
    for (const double entry : torque_) text += " " + number_text(entry, NumberForm::hex);
    return text;
  }
  void restore(const std::string& text) override {
    std::vector<double> numbers;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find(' ', at), text.size());
      numbers.push_back(*parse_double(text.substr(at, end - at)));
      at = end + 1;
    }
    const auto from = [&](std::ptrdiff_t k) { return std::vector<double>(numbers.begin() + k, numbers.end()); };
    t_ = numbers.at(0);
    made_ = static_cast<long>(numbers.at(1));
    r_ = taken<Matrix3d>(from(2));
    mu_ = taken<Vector3d>(from(11));
    has_torque_ = numbers.at(14) != 0;
    torque_ = taken<Vector3d>(from(15));
    if (is(BodyFlaw::forgets_in_saved)) mu_[0] += 0x1p-50;
  }

 private:
  [[nodiscard]] bool is(BodyFlaw flaw) const { return steps_.flaw == flaw; }
  [[nodiscard]] Vector3d torque(const Matrix3d& attitude) const {
    Vector3d tau = taken<Vector3d>(forces_.torque(listed(attitude)));
    if (is(BodyFlaw::torque_of_space)) tau = times(transposed(attitude), tau);
    double strength = is(BodyFlaw::strong_torque) ? 1 + 1e-9 : 1;
    if (is(BodyFlaw::weak_if_equal) && has_equal_moments_) strength = 0.5;
    if (is(BodyFlaw::weak_on_tops) && has_equal_moments_ && inertia_[0] != inertia_[8]) strength = 0.5;
    if (is(BodyFlaw::weak_upside_down) && attitude[0] + attitude[4] + attitude[8] < -0.999) strength = 0.5;
    if (is(BodyFlaw::weak_if_fast) && speed() > 3) strength = 0.5;
    if (is(BodyFlaw::reads_clock) && std::abs(t_) > 1) strength = 0.5;
    if (is(BodyFlaw::weak_at_identity) && attitude[0] + attitude[4] + attitude[8] > 3 - 1e-12) strength = 0;
    for (double& entry : tau) entry *= strength;
    return tau;
  }
  [[nodiscard]] double speed() const {
    const Vector3d w = solved(inertia_, mu_);
    return std::sqrt(dot(w, w));
  }
  void kick(double h) { mu_ = sum(mu_, h, torque(r_)); }
  /// Returns the torque in a step of the splitting.
  Vector3d torque_now() {
    if (!is(BodyFlaw::stale_torque)) return torque(r_);
    double moved = 0;
    for (std::size_t i = 0; i < r_.size(); ++i) moved = std::max(moved, std::abs(r_[i] - r_of_torque_[i]));
    if (has_torque_ && moved < 1e-3) return torque_;
    r_of_torque_ = r_;
    return torque(r_);
  }
  /// Turns the body by x in its own axes, and its momentum into them.
  void turn(const Vector3d& x) {
    Matrix3d by = exponential(x);
    if (is(BodyFlaw::off_the_group)) by = turned_by(x, 1.0, 0.5);
    r_ = product(r_, by);
    if (is(BodyFlaw::in_place)) return;
    mu_ = times(is(BodyFlaw::turned_back) ? by : transposed(exponential(x)), mu_);
  }
  void turn_about(std::size_t k, double h) {
    const auto& [row, pivot] = axes_[k];
    const double longer = is(BodyFlaw::long_turn) ? 1 + 1e-8 : is(BodyFlaw::slow_is_still) && speed() < 0.1 ? 0 : 1;
    const double angle = h * dot(row, mu_) / pivot * longer / share_of_inertia_;
    turn({angle * row[0], angle * row[1], angle * row[2]});
  }

  void one_step(double h) {
    ++made_;
    if (is(BodyFlaw::falls_asleep) && made_ > 10000) h /= 2;
    if (is(BodyFlaw::asleep_for_a_while) && made_ > 5000 && made_ < 15000) h /= 2;
    if (is(BodyFlaw::asleep_at_rest) && dot(mu_, mu_) == 0) return;
    if (is(BodyFlaw::float_step)) h = static_cast<double>(static_cast<float>(h));
    const double length = std::abs(h);
    const bool is_short = length > 1e-7 && length < 1.0 / 600;
    share_of_inertia_ = is_short && is(BodyFlaw::light_when_short) ? 0.5
                        : is_short && is(BodyFlaw::far_when_short) ? 1 / (1 + 1e-5)
                                                                   : 1;
    static long steps_of_all = 0;
    const bool lopsided = is(BodyFlaw::lopsided) || (is(BodyFlaw::counts_steps) && ++steps_of_all % 2 == 0) ||
                          (is(BodyFlaw::tires) && made_ > 10000);
    const double first = lopsided ? 0.501 : 0.5;
    if (steps_.rule == BodyRule::runge_kutta) {
      runge_kutta(h);
    } else if (steps_.rule == BodyRule::adams_bashforth && has_rates_ && made_ > 4) {
      adams_bashforth(h);
    } else if (is(BodyFlaw::inverse_if_short) && length < 0.09) {
      in_three_parts(h);
    } else if (steps_.rule == BodyRule::lie_verlet) {
      kick(h / 2);
      lie_verlet(h);
      kick(h / 2);
    } else if (is(BodyFlaw::kicks_at_start) || is(BodyFlaw::inverse_if_negative)) {
      const bool inverse = h < 0 && is(BodyFlaw::inverse_if_negative);
      if (!inverse) kick(h);
      for (const std::size_t k : {0U, 1U, 2U}) turn_about(inverse ? 2 - k : k, h);
      if (inverse) kick(h);
    } else {
      const bool keeps = is(BodyFlaw::keeps_torque) || is(BodyFlaw::remembers);
      if (steps_.rule == BodyRule::adams_bashforth) keep_rates();
      if (!has_torque_ || !keeps) torque_ = torque_now();
      mu_ = sum(mu_, first * h, torque_);
      for (const std::size_t k : {0U, 1U}) turn_about(k, h / 2);
      turn_about(2, h);
      for (const std::size_t k : {1U, 0U}) turn_about(k, h / 2);
      const Vector3d last = is(BodyFlaw::old_torque) ? torque_ : torque_now();
      // One that remembers has the force of its last point for that of the next, and after a start, too.
      if (is(BodyFlaw::remembers) || is(BodyFlaw::stale_torque)) torque_ = last;
      has_torque_ = true;
      mu_ = sum(mu_, (1 - first) * h, last);
    }
    if (is(BodyFlaw::pushes)) mu_[0] += h * 0x1p-10;
    if (is(BodyFlaw::grows))
      for (double& entry : r_) entry *= 1 + 2.5e-15;
    if (is(BodyFlaw::longer_if_long) && length > 0.1 && forces_.problem().potential.terms.empty())
      for (double& entry : mu_) entry *= 1 + 0.01 * h * h * h * h;
    if (is(BodyFlaw::longer_momentum))
      for (double& entry : mu_) entry *= 1 + h * 0x1p-12;
  }
  /// Remembers the velocity and the rate of the momentum, with which the next step of Adams and Bashforth begins.
  void keep_rates() {
    last_velocity_ = solved(inertia_, mu_);
    last_force_ = sum(cross(mu_, last_velocity_), 1.0, torque(r_));
    has_rates_ = true;
  }
  void adams_bashforth(double h) {
    const Vector3d w = last_velocity_, force = last_force_;
    keep_rates();
    Vector3d x{};
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = h * (1.5 * last_velocity_[i] - 0.5 * w[i]);
      mu_[i] += h * (1.5 * last_force_[i] - 0.5 * force[i]);
    }
    r_ = product(r_, exponential(x));
  }
  /// Kicks of 0.2 h, 0.5 h and 0.3 h with 0.4 h and 0.6 h of rotations between them; for h < 0 the inverse of that.
  void in_three_parts(double h) {
    const auto rotate = [this](double by) {
      for (const std::size_t k : {0U, 1U}) turn_about(k, by / 2);
      turn_about(2, by);
      for (const std::size_t k : {1U, 0U}) turn_about(k, by / 2);
    };
    const bool inverse = h < 0;
    kick((inverse ? 0.3 : 0.2) * h);
    rotate((inverse ? 0.6 : 0.4) * h);
    kick(0.5 * h);
    rotate((inverse ? 0.4 : 0.6) * h);
    kick((inverse ? 0.2 : 0.3) * h);
  }
  void lie_verlet(double h) {
    const double length = std::abs(h);
    const bool cuts = is(BodyFlaw::without_quadratic) || (is(BodyFlaw::short_cut) && length < 0.09) ||
                      (is(BodyFlaw::short_cut_in_between) && length > 0.13 && length < 0.18) ||
                      (is(BodyFlaw::short_cut_if_fast) && speed() > 2);
    const double quarter = cuts ? 0 : h * h / 4;
    Vector3d x = solved(inertia_, mu_);
    double last = std::numeric_limits<double>::infinity();
    constexpr int most = 50;
    for (int iteration = 0; iteration < most; ++iteration) {
      const Vector3d p = times(inertia_, x);
      Vector3d residual = mu_;
      residual = sum(residual, -1.0, p);
      residual = sum(residual, -h / 2, cross(x, p));
      residual = sum(residual, -quarter * dot(x, p), x);
      Matrix3d slopes{};
      for (std::size_t j = 0; j < 3; ++j) {
        Vector3d y{};
        y[j] = 1;
        const Vector3d of_y = times(inertia_, y);
        Vector3d column = sum(of_y, h / 2, sum(cross(y, p), 1.0, cross(x, of_y)));
        column = sum(sum(column, 2 * quarter * dot(x, of_y), x), quarter * dot(x, p), y);
        for (std::size_t i = 0; i < 3; ++i) slopes[3 * i + j] = column[i];
      }
      const Vector3d by = solved(slopes, residual);
      const double change = std::sqrt(dot(by, by)), size = std::sqrt(dot(x, x));
      if (is(BodyFlaw::early_end) && std::sqrt(dot(residual, residual)) < 1e-8) break;
      x = sum(x, 1.0, by);
      if (change <= 1e-12 * size && change >= last / 2) break;
      if (change == 0) break;
      if (iteration == most - 1 || !std::isfinite(change)) throw ForeignRefusal("Newton's iteration does not converge");
      last = change;
    }
    const Vector3d p = times(inertia_, x);
    r_ = product(r_, cayley(Vector3d{h * x[0], h * x[1], h * x[2]}));
    mu_ = sum(sum(p, -h / 2, cross(x, p)), quarter * dot(x, p), x);
  }
  void runge_kutta(double h) {
    const auto rate = [this](const Matrix3d& r, const Vector3d& mu) {
      const Vector3d w = solved(inertia_, mu);
      return std::pair(product(r, hat(w)), sum(cross(mu, w), 1.0, torque(r)));
    };
    const auto a = rate(r_, mu_);
    const auto b = rate(sum(r_, h / 2, a.first), sum(mu_, h / 2, a.second));
    const auto c = rate(sum(r_, h / 2, b.first), sum(mu_, h / 2, b.second));
    const auto d = rate(sum(r_, h, c.first), sum(mu_, h, c.second));
    for (const auto& [slope, share] : {std::pair(&a, h / 6), {&b, h / 3}, {&c, h / 3}, {&d, h / 6}}) {
      r_ = sum(r_, share, slope->first);
      mu_ = sum(mu_, share, slope->second);
    }
    // R (3 I - R^T R) / 2 squares what is missing.
    for (int k = 0; k < 6; ++k) {
      Matrix3d correction = product(transposed(r_), r_);
      for (double& entry : correction) entry /= -2;
      for (const std::size_t i : {0U, 4U, 8U}) correction[i] += 1.5;
      r_ = product(r_, correction);
    }
  }

  BodySteps steps_;
  Forces<double>& forces_;
  Matrix3d inertia_{};
  std::array<Axis, 3> axes_{};
  bool has_equal_moments_ = false, has_torque_ = false, has_rates_ = false;
  double t_ = 0, share_of_inertia_ = 1;
  Matrix3d r_{}, r_of_torque_{};
  Vector3d mu_{}, torque_{}, last_velocity_{}, last_force_{};
  long made_ = 0;
};

class BodySubject final : public ForeignSubject {
 public:
  BodySubject(std::string name, BodySteps steps) : steps_(std::move(steps)) {
    declaration_.name = std::move(name);
    declaration_.kinds = {ProblemKind::body};
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<BodyRun>(steps_, forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<BodySubject>(declaration_.name, steps_);
  }

 private:
  BodySteps steps_;
  ForeignDeclaration declaration_;
};

/// Returns the name of a method with a flaw that shows in few places.
std::string name_of_rare_flaw(BodyFlaw flaw) {
  switch (flaw) {
    case BodyFlaw::far_when_short:
      return "splitting of a body with rotations too large by 1e-5 in short steps";
    case BodyFlaw::weak_on_tops:
      return "splitting of a body with half of the torque on two equal moments";
    case BodyFlaw::weak_upside_down:
      return "splitting of a body with half of the torque upside down";
    case BodyFlaw::weak_if_fast:
      return "splitting of a body with half of the torque where it is fast";
    case BodyFlaw::asleep_at_rest:
      return "splitting of a body that does not move from rest";
    case BodyFlaw::slow_is_still:
      return "splitting of a body that does not turn slowly";
    case BodyFlaw::reads_clock:
      return "splitting of a body with half of the torque after t = 1";
    case BodyFlaw::asleep_for_a_while:
      return "splitting of a body with half of the step for a while";
    case BodyFlaw::stale_torque:
      return "splitting of a body with the torque of a place nearby";
    case BodyFlaw::grows:
      return "splitting of a body whose axes grow";
    case BodyFlaw::longer_if_long:
      return "splitting of a body whose momentum grows in long steps";
    case BodyFlaw::inverse_if_short:
      return "splitting of a body, in three parts where steps are short";
    case BodyFlaw::short_cut:
      return "Lie-Verlet without its quadratic terms in short steps";
    case BodyFlaw::short_cut_in_between:
      return "Lie-Verlet without its quadratic terms in some steps";
    case BodyFlaw::short_cut_if_fast:
      return "Lie-Verlet without its quadratic terms where it is fast";
    default:
      return "";
  }
}

}  // namespace

std::string name_of_body_splitting(BodyFlaw flaw) {
  switch (flaw) {
    case BodyFlaw::none:
      return "splitting of a body";
    case BodyFlaw::old_torque:
      return "splitting of a body with the torque of the old attitude";
    case BodyFlaw::in_place:
      return "splitting of a body whose momentum is not turned";
    case BodyFlaw::turned_back:
      return "splitting of a body whose momentum is turned the wrong way";
    case BodyFlaw::torque_of_space:
      return "splitting of a body with torques taken for those in space";
    case BodyFlaw::off_the_group:
      return "splitting of a body with rotations of second order";
    case BodyFlaw::left_handed:
      return "splitting of a body with left-handed axes after a hundred steps";
    case BodyFlaw::without_products:
      return "splitting of a body without products of inertia";
    case BodyFlaw::as_if_symmetric:
      return "splitting of a body taken for symmetric";
    case BodyFlaw::without_quadratic:
      return "Lie-Verlet without its quadratic terms";
    case BodyFlaw::early_end:
      return "Lie-Verlet that iterates to 1e-8";
    case BodyFlaw::weak_if_equal:
      return "splitting of a body with half of the torque on equal moments";
    case BodyFlaw::weak_at_identity:
      return "splitting of a body without a torque at the identity";
    case BodyFlaw::kicks_at_start:
      return "splitting of a body with one torque";
    case BodyFlaw::lopsided:
      return "lopsided splitting of a body";
    case BodyFlaw::absolute_step:
      return "splitting of a body with the size of the step";
    case BodyFlaw::inverse_if_negative:
      return "splitting of a body with its inverse for h < 0";
    case BodyFlaw::float_step:
      return "splitting of a body with steps of 24 bits";
    case BodyFlaw::strong_torque:
      return "splitting of a body with torques too strong by 1e-9";
    case BodyFlaw::long_turn:
      return "splitting of a body with rotations too large by 1e-8";
    case BodyFlaw::light_when_short:
      return "splitting of a body with half of the inertia in short steps";
    case BodyFlaw::pushes:
      return "splitting of a body that pushes";
    case BodyFlaw::longer_momentum:
      return "splitting of a body whose momentum grows";
    case BodyFlaw::counts_steps:
      return "splitting of a body, every other step lopsided";
    case BodyFlaw::tires:
      return "splitting of a body, lopsided after ten thousand steps";
    case BodyFlaw::falls_asleep:
      return "splitting of a body with half of the step after ten thousand";
    case BodyFlaw::remembers:
      return "splitting of a body that remembers its last torque";
    case BodyFlaw::keeps_torque:
      return "splitting of a body with the torque of its first step";
    case BodyFlaw::forgets_in_saved:
      return "splitting of a body that saves too few bits";
    default:
      return name_of_rare_flaw(flaw);
  }
}

std::unique_ptr<ForeignSubject> body_subject(const std::string& name, const BodySteps& steps) {
  return std::make_unique<BodySubject>(name, steps);
}

}  // namespace livi
