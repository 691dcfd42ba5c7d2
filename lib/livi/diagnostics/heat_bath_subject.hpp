// SPDX-License-Identifier: MIT
//
// Any method for constrained Langevin dynamics (stochastic/constrained_langevin.hpp) as a subject of the battery of heat baths.
// It is made of a system, a bath and a source of normal numbers, and must offer, in double:
//
//   declares_for_noise()                -> StochasticProperties: the order without friction, and that of averages (weak_order)
//   start(q, v)
//   step(state, h) -> StepOutcome       which asks normals(step, draw, out, n) for n standard normal numbers
//   state.q, .v, state.fields()
//
// The systems are a pendulum on the unit sphere, two rods with a full mass matrix under gravity, and a chain of three particles of
// unlike masses on two rods, without a force. The bath has one rate for all momenta.
#pragma once

#include <livi/linalg/multiplier_matrix.hpp>
#include <livi/linalg/normal_numbers.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <livi/stochastic/ornstein_uhlenbeck.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace livi {

/// The normal numbers of a run: by seed and stream, or given one by one.
class BathNumbers {
 public:
  /// Numbers that are given. What was asked for is noted; what was not given is zero.
  struct Given {
    struct Number {
      std::uint64_t step, draw;
      std::ptrdiff_t index;
      double value;
    };
    std::vector<Number> numbers;

    Number& at(std::uint64_t step, std::uint64_t draw, std::ptrdiff_t index) {
      for (Number& number : numbers)
        if (number.step == step && number.draw == draw && number.index == index) return number;
      return numbers.emplace_back(Number{step, draw, index, 0});
    }
  };

  explicit BathNumbers(std::uint64_t seed = 0, std::uint64_t stream = 0) : by_counter_(seed, stream) {}
  explicit BathNumbers(std::shared_ptr<Given> given) : given_(std::move(given)) {}

  void operator()(std::uint64_t step, std::uint64_t draw, double* out, std::ptrdiff_t n) const {
    if (!given_) return by_counter_(step, draw, out, n);
    for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = given_->at(step, draw, i).value;
  }

 private:
  NormalNumbers by_counter_;
  std::shared_ptr<Given> given_;
};

using BathSphere = ConstrainedSystem<ScalarMass<double, 3>, UniformField<double, 3>, RoundConstraint<double, 3>>;
using BathRods = ConstrainedSystem<FullMass<double, 6>, UniformField<double, 6>, RodConstraints<double, 2, 2>>;
using BathChain = ConstrainedSystem<DiagonalMass<double, 9>, UniformField<double, 9>, RodConstraints<double, 3, 2>>;

/// A system in a bath, and where it starts.
template <class System>
struct BathProblem {
  const char* name;
  System system;
  typename System::vector_type q, v;
  double squared_length;  ///< square of the length of the longest rod
};
inline BathProblem<BathSphere> sphere_in_bath() {
  const auto problem = sphere_pendulum<double>(coordinate_noise<double, 3>(0, std::array{0}));
  return {"sphere",
          {problem.system.mass(), problem.system.potential(), problem.system.constraint()},
          problem.q,
          problem.v,
          1};
}
inline BathProblem<BathRods> rods_in_bath() {
  const auto problem = double_sphere_pendulum<double>(coordinate_noise<double, 6>(0, std::array{0}));
  return {"rods",
          {problem.system.mass(), problem.system.potential(), problem.system.constraint()},
          problem.q,
          problem.v,
          4};
}
inline BathProblem<BathChain> chain_in_bath() {
  Vector<double, 9> mass, q, v;
  mass << 2, 2, 2, 1, 1, 1, 4, 4, 4;
  q << 1, 0, 0, 0, 0, 0, 0.6, 0.8, 0;
  v << 0.1, 0.5, -0.3, 0.1, -0.2, 0.2, 0.5, -0.5, 0.4;
  using Rods = RodConstraints<double, 3, 2>;
  return {"chain",
          {DiagonalMass<double, 9>(mass),
           {zeros<Vector<double, 9>>()},
           Rods{{typename Rods::Rod{0, 1, 1}, typename Rods::Rod{1, 2, 1}}}},
          q,
          v,
          1};
}
/// The places of the problems.
namespace bath_place {
inline constexpr std::size_t sphere = 0, rods = 1, chain = 2, count = 3;
}

/// A method in a bath, running on one problem.
class BathStepper {
 public:
  using D = Vector<double, Dynamic>;
  virtual ~BathStepper() = default;
  [[nodiscard]] virtual const char* name() const = 0;
  /// The start of the problem, tangent to rounding.
  [[nodiscard]] virtual std::pair<D, D> origin() const = 0;
  virtual void start(const D& q, const D& v) = 0;
  virtual StepOutcome step(double h) = 0;
  [[nodiscard]] virtual D q() const = 0;
  [[nodiscard]] virtual D v() const = 0;
  /// |g| and |G v|/max(1, |v|) in roundings of the squared length of the longest rod.
  [[nodiscard]] virtual std::pair<double, double> defects() const = 0;
  /// P M^-1 w at a position.
  [[nodiscard]] virtual D tangent(const D& q, const D& w) const = 0;
  [[nodiscard]] virtual D momentum(const D& v) const = 0;
  /// The dimension of the manifold.
  [[nodiscard]] virtual int dimension() const = 0;
  [[nodiscard]] virtual std::string save() const = 0;
  virtual void load(const std::string& text) = 0;
};

/// What the battery asks of a method.
class AnyHeatBathSubject {
 public:
  virtual ~AnyHeatBathSubject() = default;
  [[nodiscard]] virtual StochasticProperties declares_for_noise() const = 0;
  /// Returns the places of the problems that it takes.
  [[nodiscard]] virtual std::vector<std::size_t> problems() const {
    return {bath_place::sphere, bath_place::rods, bath_place::chain};
  }
  /// Returns a new method on a problem.
  [[nodiscard]] virtual std::unique_ptr<BathStepper> in_bath(std::size_t problem, const Bath<double>& bath,
                                                             const BathNumbers& numbers) const = 0;
  /// Returns the method that it is said to be without friction; null if none is said.
  [[nodiscard]] virtual std::unique_ptr<BathStepper> limit(std::size_t problem) const = 0;
};

namespace heat_bath_detail {

/// A running method of any type.
template <class Method, class System>
class Stepper final : public BathStepper {
 public:
  using V = typename System::vector_type;
  using State = typename Method::state_type;
  /// `make(system)` returns the method.
  template <class Make>
  Stepper(const BathProblem<System>& problem, const Make& make)
      : problem_(problem),
        method_(make(problem_.system)),
        state_(method_.start(tangent_start().first, tangent_start().second)) {}
  Stepper(const Stepper&) = delete;

  [[nodiscard]] const char* name() const override { return problem_.name; }
  [[nodiscard]] std::pair<D, D> origin() const override {
    const auto [q, v] = tangent_start();
    return {D(q), D(v)};
  }
  void start(const D& q, const D& v) override { state_ = method_.start(V(q), V(v)); }
  StepOutcome step(double h) override { return method_.step(state_, h); }
  [[nodiscard]] D q() const override { return state_.q; }
  [[nodiscard]] D v() const override { return state_.v; }
  [[nodiscard]] std::pair<double, double> defects() const override {
    typename System::multiplier_type g;
    problem_.system.constraint().value(state_.q, g);
    const double unit = std::numeric_limits<double>::epsilon() * problem_.squared_length,
                 of_position = max_magnitude(g);
    typename System::jacobian_type jacobian;
    problem_.system.constraint().jacobian(state_.q, jacobian);
    multiply(jacobian, state_.v, g);
    return {of_position / unit, max_magnitude(g) / unit / std::max(1.0, max_magnitude(state_.v))};
  }
  [[nodiscard]] D tangent(const D& q, const D& w) const override {
    return project(V(q), problem_.system.velocity(V(w)));
  }
  [[nodiscard]] D momentum(const D& v) const override { return problem_.system.momentum(V(v)); }
  [[nodiscard]] int dimension() const override {
    return System::vector_type::RowsAtCompileTime - System::constraint_type::constraints;
  }
  [[nodiscard]] std::string save() const override { return save_state(state_); }
  void load(const std::string& text) override { load_state(text, state_); }

 private:
  V project(const V& q, V v) const {
    const System& system = problem_.system;
    typename System::jacobian_type jacobian;
    system.constraint().jacobian(q, jacobian);
    MultiplierMatrix<typename System::jacobian_type, typename System::mass_type> matrix(system.mass());
    matrix.set_directions(system.mass(), jacobian);
    static_cast<void>(matrix.factor(jacobian));
    typename System::multiplier_type kappa;
    system.constraint().value(q, kappa);
    multiply(jacobian, v, kappa);
    kappa = -kappa;
    matrix.solve_in_place(kappa);
    V column = v;
    matrix.push(kappa, column);
    return v + column;
  }
  [[nodiscard]] std::pair<V, V> tangent_start() const { return {problem_.q, project(problem_.q, problem_.v)}; }

  BathProblem<System> problem_;
  Method method_;
  State state_;
};

template <class System, class Make>
std::unique_ptr<BathStepper> stepper(const BathProblem<System>& problem, const Make& make) {
  return std::make_unique<Stepper<decltype(make(problem.system)), System>>(problem, make);
}
template <class Make>
std::unique_ptr<BathStepper> stepper_on(std::size_t problem, const Make& make) {
  if (problem == bath_place::sphere) return stepper(sphere_in_bath(), make);
  if (problem == bath_place::rods) return stepper(rods_in_bath(), make);
  return stepper(chain_in_bath(), make);
}

/// No limit is said.
struct NoLimit {};

}  // namespace heat_bath_detail

/// The subject of a method. `factory(system, bath, numbers)` makes it, `limit(system)` the method that it is without friction,
/// to the bit.
template <class Factory, class Limit = heat_bath_detail::NoLimit>
class HeatBathSubject final : public AnyHeatBathSubject {
 public:
  explicit HeatBathSubject(Factory factory, Limit limit = {})
      : factory_(std::move(factory)), limit_(std::move(limit)) {}

  [[nodiscard]] StochasticProperties declares_for_noise() const override {
    const auto problem = sphere_in_bath();
    return factory_(problem.system, Bath<double>{1, 1, Friction::momentum}, BathNumbers()).declares_for_noise();
  }
  [[nodiscard]] std::unique_ptr<BathStepper> in_bath(std::size_t problem, const Bath<double>& bath,
                                                     const BathNumbers& numbers) const override {
    return heat_bath_detail::stepper_on(problem, [&](const auto& system) { return factory_(system, bath, numbers); });
  }
  [[nodiscard]] std::unique_ptr<BathStepper> limit(std::size_t problem) const override {
    if constexpr (std::same_as<Limit, heat_bath_detail::NoLimit>) {
      static_cast<void>(problem);
      return nullptr;
    } else {
      return heat_bath_detail::stepper_on(problem, limit_);
    }
  }

 private:
  Factory factory_;
  Limit limit_;
};

}  // namespace livi
