// SPDX-License-Identifier: MIT
//
// Orders that are decided exactly, by power series of residues; and the numbers with a cube root of two, which the
// composition of order four needs.
#include <gtest/gtest.h>

#include <livi/diagnostics/exact_order.hpp>
#include <livi/diagnostics/test_problems.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/cubic_number.hpp>

#include "study/evidence/certified_order.hpp"

namespace exact_order_test {

using livi::Certificate;
using livi::certify;
using livi::Dynamic;
using livi::PhasePoint;
using livi::Residue;
using livi::Vector;
using livi::theorem::LocalError;

using Cubic = livi::CubicNumber<Residue>;

TEST(CubicNumbers, are_a_field_with_a_cube_root_of_two) {
  using C = livi::CubicNumber<livi::Rational>;
  const C r = C::root(), x(3, livi::ratio<livi::Rational>(1, 2), -2);
  EXPECT_EQ(r * r * r, C(2));
  EXPECT_EQ(x / (x - r) * (x - r), x);
  EXPECT_EQ(C(1) / x * x, C(1));
  EXPECT_EQ((x + r) * (x - r), x * x - r * r);
}

TEST(Certificates, zhang_skeel_is_of_order_two_exactly) {
  const Certificate zero = certify(LocalError<Residue>{0, 2});
  EXPECT_TRUE(zero.proved()) << zero.describe();
  EXPECT_TRUE(certify(LocalError<Residue>{3, 3}).disproved());
}

TEST(Certificates, yoshidas_composition_is_of_order_four_exactly) {
  const Certificate zero = certify(LocalError<Cubic>{0, 4});
  EXPECT_TRUE(zero.proved()) << zero.describe();
  EXPECT_TRUE(certify(LocalError<Cubic>{5, 5}).disproved());
  EXPECT_TRUE(certify(LocalError<Cubic>{.from = 0, .to = 4, .middle = 1}).disproved());
}

using Series = livi::PowerSeries<Residue, 3>;
using SeriesSystem = livi::AnySystem<Series>;

/// A method of the library on a system, type-erased.
template <class Method>
class SeriesStepper final : public livi::AnyStepper<Series> {
 public:
  template <class Make>
  SeriesStepper(const SeriesSystem& system, const Make& make) : system_(system), method_(make(system_)) {}
  void start(const PhasePoint<Series>& z) override {
    state_ = method_.start(z.q, Vector<Series, Dynamic>(system_.velocity(z.p)));
  }
  livi::StepOutcome step(const Series& h) override { return method_.step(state_, h); }
  PhasePoint<Series> point() override { return {state_.q, system_.momentum(state_.v)}; }
  PhasePoint<Series> canonical(const PhasePoint<Series>& z, const Series&) override { return z; }
  void reverse() override { state_.v = -state_.v; }
  Series energy(const PhasePoint<Series>& z) override { return system_.energy(z.q, system_.velocity(z.p)); }
  livi::RealOf<Series> constraint_defect() override { return 0; }
  std::string save() override { return {}; }
  void load(const std::string&) override {}

 private:
  SeriesSystem system_;
  Method method_;
  typename Method::state_type state_;
};

template <class Method>
auto on_problem(std::size_t problem, Method make) {
  return [=] {
    const SeriesSystem system = livi::test_problem<Series>(problem).system;
    using Of = std::decay_t<decltype(make(system))>;
    return livi::SeriesProblem<3>{system, std::make_unique<SeriesStepper<Of>>(system, make)};
  };
}

/// Verlet with a force that is wrong by a factor 1 + 1e-60, on every step or on every second one.
struct SlightlyWrongVerlet {
  using state_type = livi::PhaseState<Series, Dynamic>;
  const SeriesSystem& system;
  bool every_step = true;
  int step_number = 0;
  static state_type start(const Vector<Series, Dynamic>& q, const Vector<Series, Dynamic>& v) { return {q, v}; }
  livi::StepOutcome step(state_type& z, const Series& h) {
    Series factor(1);
    for (int k = 0; k < 60; ++k) factor /= Series(10);
    factor = Series(1) + (every_step || ++step_number % 2 == 0 ? factor : Series(0));
    Vector<Series, Dynamic> a = z.q;
    system.acceleration(z.q, a);
    z.v += factor * h / Series(2) * a;
    z.q += h * z.v;
    system.acceleration(z.q, a);
    z.v += factor * h / Series(2) * a;
    return {};
  }
};

TEST(ExactOrders, of_rational_methods_are_decided_on_the_problems_of_the_battery) {
  const auto expect_two = [](std::size_t problem, const auto& make) {
    const livi::ExactOrder found = livi::exact_order<3>(on_problem(problem, make), 2, {0, 2});
    EXPECT_TRUE(found.exactly()) << found.describe();
    EXPECT_TRUE(livi::exact_order<3>(on_problem(problem, make), 1).higher());
  };
  for (const std::size_t problem : {1u, 2u}) {
    expect_two(problem, [](const SeriesSystem& s) { return livi::VelocityVerlet<SeriesSystem>(s); });
    expect_two(problem, [](const SeriesSystem& s) { return livi::ZhangSkeel<SeriesSystem>(s); });
    expect_two(problem, [](const SeriesSystem& s) { return livi::SimplifiedZhangSkeel<SeriesSystem>(s); });
    expect_two(problem, [](const SeriesSystem& s) {
      return livi::Newmark<SeriesSystem>(s, {.newton = {.fixed_iterations = 1}});
    });
    expect_two(problem, [](const SeriesSystem& s) { return livi::Newmark<SeriesSystem>(s); });  // exact after a few
  }
  expect_two(0, [](const SeriesSystem& s) {
    using Inner = livi::ZhangSkeel<SeriesSystem>;
    const auto f = [](int n) { return livi::ratio<Series>(n, 5); };
    return livi::Composition<Inner>(Inner(s), {"composition", "-", 2, {f(2), f(1), f(2)}});
  });
}

TEST(ExactOrders, notice_an_error_of_1e_60_and_what_only_a_second_step_does) {
  const auto wrong = [](const SeriesSystem& s) { return SlightlyWrongVerlet{s}; };
  const livi::ExactOrder found = livi::exact_order<3>(on_problem(1, wrong), 2);
  EXPECT_TRUE(found.lower()) << found.describe();
  EXPECT_TRUE(livi::exact_order<3>(on_problem(1, wrong), 0).exactly());  // q is right to h, v to h^0
  const auto alternating = [](const SeriesSystem& s) { return SlightlyWrongVerlet{.system = s, .every_step = false}; };
  EXPECT_TRUE(livi::exact_order<3>(on_problem(1, alternating), 2, {0, 1}).exactly());
  EXPECT_TRUE(livi::exact_order<3>(on_problem(1, alternating), 2, {0, 2}).lower());
  EXPECT_THROW(static_cast<void>(livi::exact_order<3>(on_problem(1, wrong), 3)), livi::InvalidParameter);
  EXPECT_THROW(static_cast<void>(livi::exact_order<3>(on_problem(1, wrong), 2, {-1, 2})), livi::InvalidParameter);
  EXPECT_THROW(static_cast<void>(livi::exact_order<3>(on_problem(1, wrong), 2, {2, 2})), livi::InvalidParameter);
}

/// The rule of Adams and Bashforth for the force, which starts with a rule of Euler's: a memory.
struct AdamsBashforthKick {
  struct state_type {
    Vector<Series, Dynamic> q, v, last;
    bool has_last;
  };
  const SeriesSystem& system;
  [[nodiscard]] state_type start(const Vector<Series, Dynamic>& q, const Vector<Series, Dynamic>& v) const {
    return {q, v, q, false};
  }
  [[nodiscard]] livi::StepOutcome step(state_type& z, const Series& h) const {
    Vector<Series, Dynamic> force(z.q.size());
    system.acceleration(z.q, force);
    z.q += h / Series(2) * z.v;
    z.v += h * force;
    if (z.has_last) z.v += h / Series(2) * (force - z.last);
    z.q += h / Series(2) * z.v;
    z.last = force;
    z.has_last = true;
    return {};
  }
};

TEST(ExactOrders, of_methods_with_a_memory_are_those_of_the_steps_after_it_is_filled) {
  const auto with_a_memory = [](const SeriesSystem& s) { return AdamsBashforthKick{s}; };
  EXPECT_TRUE(livi::exact_order<3>(on_problem(1, with_a_memory), 2).lower());  // the first step is Euler's
  EXPECT_TRUE(livi::exact_order<3>(on_problem(1, with_a_memory), 2, {4, 8}).exactly());
  const auto wrong = [](const SeriesSystem& s) { return SlightlyWrongVerlet{s}; };
  EXPECT_TRUE(livi::exact_order<3>(on_problem(1, wrong), 2, {4, 8}).lower());
}

TEST(ExactOrders, of_methods_that_are_not_rational_are_undecided) {
  using Inner = livi::VelocityVerlet<SeriesSystem>;
  const auto with_a_root = [](const SeriesSystem& s) {
    const Series half = sqrt(Series(4)) / Series(4);
    return livi::Composition<Inner>(Inner(s), {"composition", "-", 2, {half, half}});
  };
  const livi::ExactOrder undecided = livi::exact_order<3>(on_problem(1, with_a_root), 2);
  EXPECT_FALSE(undecided.exactly() || undecided.lower() || undecided.higher()) << undecided.describe();
  EXPECT_NE(undecided.describe().find("undecided"), std::string::npos) << undecided.describe();

  const auto with_a_kept_constant = [](const SeriesSystem& s) {
    static const Series half = livi::ratio<Series>(1, 2);
    return livi::Composition<Inner>(Inner(s), {"composition", "-", 2, {half, half}});
  };
  const livi::ExactOrder decided = livi::exact_order<3>(on_problem(1, with_a_kept_constant), 2);
  EXPECT_TRUE(decided.exactly()) << decided.describe();
}

}  // namespace exact_order_test
