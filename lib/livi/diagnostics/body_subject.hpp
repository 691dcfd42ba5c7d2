// SPDX-License-Identifier: MIT
//
// Any integrator for rigid bodies, Q' = Q hat(W), I W' = I W x W + tau(Q), as a Subject. Its points are q = the nine
// entries of Q by columns, p = mu = I W. Variations of q are those of the nine entries, and the form is the
// left-trivialised one (systems/lie_system.hpp). The method must offer, in order of preference where there is a choice:
//
//   declares()                            static or not, -> Properties
//   state_type and start(q, w)            or nothing: then its state is (q, w)
//   step(state, h) -> StepOutcome | void  or step(q, w, h), q (3 x 3) and w (3) by reference
//   state.q, state.w, state.fields()      as in integrators/body_step.hpp
//   canonical_momentum(w, h)              if it declares conjugate_symplectic
//   reverse(state)                        if reversing w does not reverse its state
//
// It is compiled for double, Float50 and Dual<Float50>.
#pragma once

#include <livi/diagnostics/mechanical_subject.hpp>
#include <livi/integrators/body_step.hpp>
#include <livi/systems/lie_system.hpp>

namespace livi {

/// Returns the problems for rigid bodies: a potential without symmetry and a full inertia; a heavy asymmetric top
/// (momentum about the vertical); the free body (momentum in space, |mu|); the stress test of BOS09 with its start and
/// the mirrored one; the heavy top with a transverse field that breaks the symmetry by 1e-6. All have three different
/// moments of inertia except the last two. Then follow problems drawn at random: a heavy body, a light one, a heavy top
/// in a weak field, a free body. Compiled once (battery library).
template <class S>
const std::vector<AnyBody<S>>& body_problems();
template <>
const std::vector<AnyBody<double>>& body_problems<double>();
template <>
const std::vector<AnyBody<Float50>>& body_problems<Float50>();
template <>
const std::vector<AnyBody<Dual<Float50>>>& body_problems<Dual<Float50>>();
const std::vector<ProblemSummary>& body_problem_summaries();
/// Returns the exact flow of a fixed problem, with an error below 1e-25.
PhasePoint<Float50> body_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);
PhasePoint<Float50> body_short_flow(std::size_t problem, std::size_t point, const Float50& time);
/// Returns the heavy asymmetric top, which counts its torques.
AnyBody<double> counting_body(std::shared_ptr<CountedCost> counts);
/// Returns Omega(mu) applied to two variations (dQ, dmu) of a point (Q, mu).
Float50 body_form(const PhasePoint<Float50>& at, const PhasePoint<Float50>& a, const PhasePoint<Float50>& b);

/// The state of a method without memory.
template <class S>
struct PlainBodyState {
  Matrix3<S> q;
  Vector3<S> w;
  auto fields() { return std::tie(q, w); }
};

/// The Subject of a method for rigid bodies. Factory: `auto operator()(const AnyBody<S>&) const -> method`.
template <class Factory>
class BodySubject final : public Subject {
 public:
  explicit BodySubject(Factory factory) : factory_(std::move(factory)) {}

  [[nodiscard]] SubjectKind kind() const override { return SubjectKind::rigid_body; }
  [[nodiscard]] Properties declares() const override { return factory_(body_problems<double>().front()).declares(); }
  [[nodiscard]] const std::vector<ProblemSummary>& problems() const override { return body_problem_summaries(); }
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const override {
    return std::make_unique<Stepper<double>>(body_problems<double>()[problem], factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const override {
    return std::make_unique<Stepper<Float50>>(body_problems<Float50>()[problem], factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const override {
    return std::make_unique<Stepper<Dual<Float50>>>(body_problems<Dual<Float50>>()[problem], factory_);
  }
  [[nodiscard]] PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                          const Float50& time) const override {
    return body_exact(problem, from, time);
  }
  [[nodiscard]] PhasePoint<Float50> short_flow(std::size_t problem, std::size_t point,
                                               const Float50& time) const override {
    return body_short_flow(problem, point, time);
  }
  [[nodiscard]] Float50 form(const PhasePoint<Float50>& at, const PhasePoint<Float50>& a,
                             const PhasePoint<Float50>& b) const override {
    return body_form(at, a, b);
  }
  /// Returns the number of counted runs: from two starts, the second backwards. Only torques are counted, for the
  /// equations in R^3 that methods solve contain none.
  [[nodiscard]] int counted_runs() const override { return 2; }
  bool count(CountedCost& cost, int run) const override {
    const auto counts = std::make_shared<CountedCost>();
    Stepper<double> stepper(counting_body(counts), factory_);
    stepper.start(convert_point<double>(problems()[1].points[static_cast<std::size_t>(run)]));
    constexpr int steps = 64;
    const double h = run == 0 ? 0.125 : -0.0625;
    if (!stepper.step(h).ok()) return false;
    *counts = {};
    for (int k = 0; k < steps; ++k)
      if (!stepper.step(h).ok()) return false;
    cost = {.gradients = counts->gradients / steps};
    return true;
  }

 private:
  template <class S>
  class Stepper final : public AnyStepper<S> {
   public:
    using Method = decltype(std::declval<const Factory&>()(std::declval<const AnyBody<S>&>()));

    Stepper(const AnyBody<S>& system, const Factory& factory) : system_(system), factory_(factory) {
      method_.emplace(factory_(system_));
    }
    void start(const PhasePoint<S>& z) override {
      method_.emplace(factory_(system_));  // so that nothing is remembered
      state_.emplace(start_of(*method_, matrix(z.q), system_.velocity(Vector3<S>(z.p))));
    }
    StepOutcome step(const S& h) override {
      if constexpr (requires {
                      { method_->step(*state_, h) } -> std::same_as<StepOutcome>;
                    }) {
        return method_->step(*state_, h);
      } else if constexpr (requires { method_->step(*state_, h); }) {
        method_->step(*state_, h);
        return {};
      } else {
        method_->step(state_->q, state_->w, h);
        return {};
      }
    }
    PhasePoint<S> point() override { return {vectorised(state_->q), system_.momentum(state_->w)}; }
    PhasePoint<S> canonical(const PhasePoint<S>& z, const S& h) override {
      if constexpr (requires { method_->canonical_momentum(state_->w, h); })
        return {z.q, method_->canonical_momentum(system_.velocity(Vector3<S>(z.p)), h)};
      static_cast<void>(h);
      return z;
    }
    void reverse() override {
      subject_detail::reverse_state(
          *method_, *state_, [](State& z) { z.w = -z.w; }, [&] { start(point()); });
    }
    S energy(const PhasePoint<S>& z) override { return system_.energy(matrix(z.q), system_.velocity(Vector3<S>(z.p))); }
    /// Returns |Q'Q - I|.
    RealOf<S> constraint_defect() override { return so3::orthogonality_defect<S>(state_->q); }
    std::string save() override { return subject_detail::save<S>(*state_); }
    void load(const std::string& text) override { subject_detail::load<S>(text, *state_); }

   private:
    static auto start_of(const Method& method, const Matrix3<S>& q, const Vector3<S>& w) {
      if constexpr (requires { method.start(q, w); }) {
        return method.start(q, w);
      } else {
        return PlainBodyState<S>{q, w};
      }
    }
    using State = decltype(start_of(std::declval<const Method&>(), std::declval<const Matrix3<S>&>(),
                                    std::declval<const Vector3<S>&>()));

    static Matrix3<S> matrix(const Vector<S, Dynamic>& q) { return Matrix3<S>(q.data()); }
    static Vector<S, Dynamic> vectorised(const Matrix3<S>& q) {
      Vector<S, Dynamic> v(9);
      for (int i = 0; i < 9; ++i) v(i) = q.data()[i];
      return v;
    }

    AnyBody<S> system_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<State> state_;
  };

  Factory factory_;
};

}  // namespace livi
