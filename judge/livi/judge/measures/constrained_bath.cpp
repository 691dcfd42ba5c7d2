// SPDX-License-Identifier: MIT
#include <livi/judge/measures/constrained_bath.hpp>

#include <algorithm>
#include <cmath>

#include <livi/integrators/rattle.hpp>
#include <livi/judge/measures/run_points.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Forces whose normal numbers are those of the battery: of the step at hand, one draw for each question.
class BathForces final : public Forces<double> {
 public:
  BathForces(const JudgedProblem& problem, BathNumbers numbers) : Forces(problem), numbers_(std::move(numbers)) {}
  std::vector<double> noise(std::size_t count) override {
    std::vector<double> xi(count);
    numbers_(step, draw++, xi.data(), static_cast<std::ptrdiff_t>(count));
    return xi;
  }
  std::uint64_t step = 0, draw = 0;

 private:
  BathNumbers numbers_;
};

/// A running method on a problem of the battery, whose geometry is that of the battery's own steppers.
class ForeignBathRun final : public BathStepper {
 public:
  ForeignBathRun(ForeignSubject& method, std::size_t problem, JudgedProblem judged, BathNumbers numbers)
      : geometry_(heat_bath_detail::stepper_on(
            problem, []<class System>(const System& system) { return Rattle<System>(system); })),
        judged_(std::move(judged)),
        forces_(judged_, std::move(numbers)),
        run_(method.in_double(forces_)) {
    const auto [q, v] = geometry_->origin();
    ForeignBathRun::start(q, v);
  }

  [[nodiscard]] const char* name() const override { return geometry_->name(); }
  [[nodiscard]] std::pair<D, D> origin() const override { return geometry_->origin(); }
  void start(const D& q, const D& v) override {
    const D p = geometry_->momentum(v);
    z_ = {0, {q.begin(), q.end()}, {p.begin(), p.end()}};
    forces_.step = forces_.draw = 0;
    run_->start(z_);
  }
  StepOutcome step(double h) override {
    forces_.draw = 0;
    run_->step(h, 1);
    z_ = run_->point();
    if (std::isnan(size_of(z_))) throw ForeignRefusal("a state is not a number");
    ++forces_.step;
    return {};
  }
  [[nodiscard]] D q() const override { return vector_of(z_.q); }
  /// Without what the momentum has along Dg^T, which a method that does not declare `hidden` may leave in it.
  [[nodiscard]] D v() const override { return geometry_->tangent(q(), vector_of(z_.p)); }
  [[nodiscard]] std::pair<double, double> defects() const override {
    Forces<double> uncounted(judged_);
    const std::vector<double> g = uncounted.constraint(z_.q), jacobian = uncounted.constraint_jacobian(z_.q);
    const D p = vector_of(z_.p), velocity = p.cwiseQuotient(vector_of(judged_.masses));
    double position = 0, across = 0;
    for (std::size_t a = 0; a < g.size(); ++a) {
      const D row = Eigen::Map<const D>(jacobian.data() + a * judged_.masses.size(), velocity.size());
      position = worse(position, std::abs(g[a]));
      across = worse(across, std::abs(row.dot(velocity)));
    }
    constexpr double rounding = std::numeric_limits<double>::epsilon();
    return {position / rounding, across / rounding / std::max(1.0, velocity.cwiseAbs().maxCoeff())};
  }
  [[nodiscard]] D tangent(const D& q, const D& w) const override { return geometry_->tangent(q, w); }
  [[nodiscard]] D momentum(const D& v) const override { return geometry_->momentum(v); }
  [[nodiscard]] int dimension() const override { return geometry_->dimension(); }
  [[nodiscard]] std::string save() const override {
    throw std::logic_error("what a method from outside keeps is judged without a bath");
  }
  void load(const std::string&) override { static_cast<void>(save()); }

 private:
  static D vector_of(const std::vector<double>& x) {
    return Eigen::Map<const D>(x.data(), static_cast<Eigen::Index>(x.size()));
  }

  std::unique_ptr<BathStepper> geometry_;
  JudgedProblem judged_;
  BathForces forces_;
  std::unique_ptr<ForeignRun<double>> run_;
  TimedPoint<double> z_;
};

JudgedProblem judged_on(std::size_t problem) {
  return problem == bath_place::sphere ? sphere_in_a_heat_bath() : chain_in_a_heat_bath();
}

}  // namespace

StochasticProperties ForeignHeatBath::declares_for_noise() const {
  return {.deterministic = {.name = method_.declares().name, .source = method_.declares().source},
          .weak_order = static_cast<double>(method_.declares().sampling.value_or(0))};
}
std::unique_ptr<BathStepper> ForeignHeatBath::in_bath(std::size_t problem, const Bath<double>& bath,
                                                      const BathNumbers& numbers) const {
  JudgedProblem judged = judged_on(problem);
  judged.friction = bath.gamma;
  judged.temperature = 1 / bath.inverse_temperature;
  return std::make_unique<ForeignBathRun>(method_, problem, std::move(judged), numbers);
}
std::unique_ptr<BathStepper> ForeignHeatBath::limit(std::size_t problem) const {
  JudgedProblem judged = judged_on(problem);
  judged.kind = ProblemKind::constrained;
  return std::make_unique<ForeignBathRun>(method_, problem, std::move(judged), BathNumbers());
}

}  // namespace livi
