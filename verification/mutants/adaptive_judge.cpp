// SPDX-License-Identifier: MIT
//
// What the battery for adaptive steps sees of a method: points of the extended phase space, reversal, densities; compiled
// in seconds: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/adaptive_subject.hpp>

namespace livi {

// A problem of its own, and what is not run here.
template <class S>
std::vector<AdaptiveProblem<S>> one_problem() {
  const AnySystem<S> system = fixed_problem<S>(1).system;
  const auto vector = [](int a, int b, int c) { return test_problems_detail::rationals<S>({{a, 4}, {b, 4}, {c, 4}}); };
  return {{"one",
           ProblemRole::generic,
           system,
           {TestDensity<S>::Kind::of_centre, system, S(0)},
           {},
           {{vector(1, 2, 3), vector(2, -1, 0)}}}};
}
template <>
const std::vector<AdaptiveProblem<double>>& adaptive_problems<double>() {
  static const auto problems = one_problem<double>();
  return problems;
}
template <>
const std::vector<AdaptiveProblem<Float50>>& adaptive_problems<Float50>() {
  static const auto problems = one_problem<Float50>();
  return problems;
}
template <>
const std::vector<AdaptiveProblem<Dual<Float50>>>& adaptive_problems<Dual<Float50>>() {
  static const auto problems = one_problem<Dual<Float50>>();
  return problems;
}
const std::vector<ProblemSummary>& adaptive_problem_summaries() {
  static const std::vector<ProblemSummary> none;
  return none;
}
PhasePoint<Float50> adaptive_exact(std::size_t, const PhasePoint<Float50>& from, const Float50&) { return from; }
AdaptiveProblem<double> counting_kepler(std::shared_ptr<CountedCost>) { return adaptive_problems<double>().front(); }

}  // namespace livi

namespace {

using namespace livi;

/// Drifts by h sigma, and kicks nothing.
template <class System, class Density>
struct Drift {
  const System& system;
  Density density;
  static Properties declares() { return {.name = "drift", .order = 1}; }
  void step(auto& z, const auto& h) const {
    z.last_step = h * density.value(z.q);
    z.q += z.last_step * z.v;
    z.t += z.last_step;
  }
};

struct MakeDrift {
  template <class System, class Density>
  auto operator()(const System& system, const Density& density) const {
    return Drift<System, Density>{system, density};
  }
};

class Subjects : public testing::Test {
 protected:
  const AdaptiveSubject<MakeDrift> subject{MakeDrift()};
  const PhasePoint<double> from = adaptive_problems<double>().front().points.front();
};

TEST_F(Subjects, come_back_in_position_and_time) {
  const auto stepper = subject.in_double(0);
  stepper->start(from);
  EXPECT_EQ(stepper->point().q, from.q);
  EXPECT_TRUE(stepper->step(0.25).ok());
  EXPECT_GT(stepper->point().q(2), from.q(2));
  EXPECT_TRUE(stepper->step(-0.25).ok());
  stepper->start(from);
  stepper->reverse();
  EXPECT_EQ(stepper->point().q(2), -from.q(2));
  EXPECT_EQ(stepper->point().p(0), -from.p(0));
}
TEST_F(Subjects, have_minus_the_energy_as_the_momentum_of_time) {
  const auto stepper = subject.in_double(0);
  stepper->start(from);
  EXPECT_EQ(stepper->point().p(2), -stepper->energy(from));
  PhasePoint<double> given = from;
  given.p(2) = 7;
  stepper->start(given);
  EXPECT_EQ(stepper->point().p(2), 7);
}
TEST_F(Subjects, vary_the_energy_apart_from_position_and_velocity) {
  using D = Dual<Float50>;
  const auto stepper = subject.in_duals(0);
  PhasePoint<D> z = adaptive_problems<D>().front().points.front();
  z.q(0).derivative = 1;
  stepper->start(z);
  EXPECT_EQ(stepper->point().p(2).derivative, Float50(0));
  z.p(2).derivative = 3;
  stepper->start(z);
  EXPECT_EQ(stepper->point().p(2).derivative, Float50(3));
}
TEST_F(Subjects, take_a_number_times_the_density) {
  const auto plain = subject.in_50_digits(0), scaled = subject.with_density_times(Float50(4), 0);
  const PhasePoint<Float50>& point = adaptive_problems<Float50>().front().points.front();
  const auto after = [&](AnyStepper<Float50>& stepper, const Float50& h) {
    stepper.start(point);
    EXPECT_TRUE(stepper.step(h).ok());
    return stepper.point().q;
  };
  EXPECT_EQ(after(*scaled, Float50(0.25)), after(*plain, Float50(1)));
  EXPECT_NE(after(*scaled, Float50(1)), after(*plain, Float50(1)));
}
TEST(TestDensities, have_their_own_gradients) {
  using Kind = TestDensity<double>::Kind;
  const AnySystem<double>& system = adaptive_problems<double>().front().system;
  for (const Kind kind :
       {Kind::equal_distances, Kind::inverse_kinetic_energy, Kind::of_centre, Kind::of_first_coordinate}) {
    const TestDensity<double> plain(kind, system, 5), density = plain.times(3);
    Vector<double, Dynamic> q = test_problems_detail::rationals<double>({{1, 2}, {-1, 3}}), gradient = q;
    density.gradient(q, gradient);
    EXPECT_EQ(density.value(q), 3 * plain.value(q));
    for (Eigen::Index i = 0; i < 2; ++i) {
      Vector<double, Dynamic> a = q, b = q;
      a(i) -= 1e-5;
      b(i) += 1e-5;
      EXPECT_NEAR(gradient(i), (density.value(b) - density.value(a)) / 2e-5, 1e-8);
    }
  }
}
}  // namespace
