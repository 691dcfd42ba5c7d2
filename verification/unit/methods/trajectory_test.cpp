// SPDX-License-Identifier: MIT
//
// Runs: every point is visited once and at the right time, a run stops where it must and keeps the last good state,
// senseless lengths are refused, a state survives its text to the last bit, and progress is shown to those who wait
// only.
#include <gtest/gtest.h>

#include <livi/integrators/newmark.hpp>
#include <livi/integrators/odeint_adapter.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/progress.hpp>
#include <livi/trajectory/trajectory.hpp>

namespace trajectory_test {

using livi::Dynamic;
using livi::Failure;
using livi::Float100;
using livi::Float50;
using livi::HenonHeilesPotential;
using livi::MechanicalSystem;
using livi::Rational;
using livi::ScalarMass;
using livi::StepOutcome;
using livi::Trajectory;
using livi::Vector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const livi::InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

// --- trajectories ---------------------------------------------------------------------------------------------------

struct OneDimensional {
  using scalar_type = double;
  using vector_type = Vector<double, 1>;
};

/// Adds h to q in every step, and fails in the step it is told to.
class Counting {
 public:
  using system_type = OneDimensional;
  using state_type = livi::PhaseState<double, 1>;
  enum class Kind { never, singular, no_convergence, nan_in_q, infinity_in_v };

  explicit Counting(Kind kind = Kind::never, long failing_step = 0) : kind_(kind), failing_step_(failing_step) {}
  [[nodiscard]] static state_type start() { return {Vector<double, 1>(0.0), Vector<double, 1>(1.0)}; }
  StepOutcome step(state_type& z, double h) {
    ++steps_;
    z.q(0) += h;
    if (steps_ != failing_step_ || kind_ == Kind::never) return {};
    if (kind_ == Kind::singular) return {Failure::singular_matrix, 3};
    if (kind_ == Kind::no_convergence) return {Failure::no_convergence, 50};
    (kind_ == Kind::nan_in_q ? z.q(0) : z.v(0)) = kind_ == Kind::nan_in_q ? nan : infinity;
    return {};
  }
  [[nodiscard]] long steps() const { return steps_; }

 private:
  Kind kind_;
  long failing_step_, steps_ = 0;
};

TEST(Trajectory, visits_every_point_at_multiples_of_h) {
  Counting method;
  const double h = 0.1;
  Trajectory run(method, Counting::start(), h, 1000);
  long visited = 0;
  for (const auto& point : run) {
    EXPECT_EQ(point.step, visited);
    EXPECT_EQ(point.time, static_cast<double>(visited) * h);  // a sum of a thousand tenths is off by 1e-12
    EXPECT_NEAR(point.state.q(0), point.time, 1e-11);
    ++visited;
  }
  EXPECT_EQ(visited, 1001);
  EXPECT_EQ(method.steps(), 1000);
  EXPECT_TRUE(run.outcome().ok());
  EXPECT_TRUE(run.finished());
  EXPECT_EQ(run.outcome().completed, 1000);
  EXPECT_EQ(run.outcome().time, 1000 * h);
  EXPECT_EQ(run.outcome().describe(), "completed 1000 steps");
}

TEST(Trajectory, of_no_steps_is_its_start) {
  Counting method;
  Trajectory run(method, Counting::start(), 0.5, 0);
  long visited = 0;
  for (const auto& point : run) {
    EXPECT_EQ(point.time, 0);
    ++visited;
  }
  EXPECT_EQ(visited, 1);
  EXPECT_EQ(method.steps(), 0);
}

TEST(Trajectory, advances_with_either_increment) {
  Counting method;
  Trajectory run(method, Counting::start(), 0.5, 3);
  auto at = run.begin();
  at++;
  EXPECT_EQ((*at).step, 1);
  EXPECT_EQ((*++at).step, 2);
}

TEST(Trajectory, may_be_left_and_taken_up_again) {
  Counting method;
  Trajectory run(method, Counting::start(), 0.5, 10);
  for (const auto& point : run)
    if (point.step == 4) break;
  EXPECT_EQ(run.outcome().completed, 4);
  EXPECT_FALSE(run.finished());
  EXPECT_EQ(run.complete().completed, 10);
  EXPECT_EQ(method.steps(), 10);
  EXPECT_EQ(run.state().q(0), 5);
}

TEST(Trajectory, stops_at_a_failure_with_the_last_good_state) {
  using Kind = Counting::Kind;
  const auto expect = [](Kind kind, Failure failure, const std::string& text) {
    Counting method(kind, 5);
    Trajectory run(method, Counting::start(), 0.5, 10);
    long visited = 0;
    for (const auto& point : run) {
      EXPECT_TRUE(std::isfinite(point.state.q(0)) && std::isfinite(point.state.v(0)));
      ++visited;
    }
    EXPECT_EQ(visited, 5);  // the start and four good steps
    EXPECT_EQ(method.steps(), 5);
    EXPECT_FALSE(run.outcome().ok());
    EXPECT_EQ(run.outcome().step.failure, failure);
    EXPECT_EQ(run.outcome().completed, 4);
    EXPECT_EQ(run.outcome().time, 2);
    EXPECT_EQ(run.state().q(0), 2);
    EXPECT_EQ(run.outcome().describe(), "stopped in step 5 after t = 2: " + text);
  };
  expect(Kind::singular, Failure::singular_matrix, "singular matrix at pivot 3");
  expect(Kind::no_convergence, Failure::no_convergence, "no convergence after 50 iterations");
  expect(Kind::nan_in_q, Failure::not_finite, "a value is not finite");
  expect(Kind::infinity_in_v, Failure::not_finite, "a value is not finite");
}

TEST(Trajectory, refuses_steps_and_lengths_that_mean_nothing) {
  Counting method;
  const auto with = [&](double h, long steps) {
    return refusal([&] { Trajectory run(method, Counting::start(), h, steps); });
  };
  EXPECT_EQ(with(0, 10), "h = 0: a step must be finite and > 0");
  EXPECT_EQ(with(-0.5, 10), "h = -0.5: a step must be finite and > 0");
  EXPECT_EQ(with(nan, 10), "h = nan: a step must be finite and > 0");
  EXPECT_EQ(with(infinity, 10), "h = inf: a step must be finite and > 0");
  EXPECT_EQ(with(0.5, -1), "steps = -1: must be >= 0");
  EXPECT_EQ(with(0.5, 10), "accepted");
}

TEST(Steps, of_a_time_must_be_whole) {
  EXPECT_EQ(livi::steps_in(50, 0.1), 500);
  EXPECT_EQ(livi::steps_in(0.3, 0.1), 3);  // 0.3 / 0.1 < 3
  EXPECT_EQ(livi::steps_in(0, 0.1), 0);
  EXPECT_EQ(livi::steps_in(1e6, 1e-3), 1000000000);
  EXPECT_EQ(livi::steps_in(3e14, 0.3), 1000000000000000);
  const auto with = [](double time, double h) { return refusal([&] { static_cast<void>(livi::steps_in(time, h)); }); };
  EXPECT_EQ(with(-1, 0.1), "T = -1: an end time must be finite and >= 0");
  EXPECT_EQ(with(nan, 0.1), "T = nan: an end time must be finite and >= 0");
  EXPECT_EQ(with(infinity, 0.1), "T = inf: an end time must be finite and >= 0");
  EXPECT_EQ(with(1, 0), "h = 0: a step must be finite and > 0");
  EXPECT_EQ(with(1, 0.3), "T = 1: must be a multiple of the step h = 0.3");
  EXPECT_EQ(with(1e-7, 3e-8), "T = 1e-07: must be a multiple of the step h = 3e-08");
  EXPECT_EQ(with(0.05, 0.1), "T = 0.05: must be a multiple of the step h = 0.1");
  EXPECT_EQ(with(1000.0000001, 0.5), "T = 1000: must be a multiple of the step h = 0.5");
  EXPECT_EQ(with(600000000.5, 1), "T = 6e+08: must be a multiple of the step h = 1");
  EXPECT_EQ(with(1e300, 1e-3), "T = 1e+300: is more steps of h = 0.001 than can be counted");
}

// --- checkpoints ----------------------------------------------------------------------------------------------------

template <class State>
bool bitwise_equal(State a, State b) {
  const auto same = [](const auto& x, const auto& y) {
    if constexpr (requires {
                    x.size();
                    x(0);
                  }) {
      if (x.size() != y.size()) return false;
      for (Eigen::Index i = 0; i < x.size(); ++i)
        if (!(x(i) == y(i))) return false;
      return true;
    } else {
      return x == y;
    }
  };
  return std::apply([&](auto&... x) { return std::apply([&](auto&... y) { return (same(x, y) && ...); }, b.fields()); },
                    a.fields());
}

/// n steps are k steps, save, load into a fresh state, n - k steps.
template <class Method, class V, class S>
void expect_survives_its_text(Method method, const V& q, const V& v, const S& h) {
  auto z = method.start(q, v);
  for (int k = 0; k < 7; ++k) ASSERT_TRUE(method.step(z, h).ok());
  auto restored = method.start(q, v);
  const std::string text = livi::save_state(z);
  livi::load_state(text, restored);
  EXPECT_TRUE(bitwise_equal(z, restored)) << text;
  EXPECT_EQ(livi::save_state(restored), text);
  for (int k = 0; k < 7; ++k) {
    ASSERT_TRUE(method.step(z, h).ok());
    ASSERT_TRUE(method.step(restored, h).ok());
  }
  EXPECT_TRUE(bitwise_equal(z, restored));
  EXPECT_FALSE(bitwise_equal(z, method.start(q, v)));
}

template <class S>
using HenonHeiles = MechanicalSystem<ScalarMass<S, 2>, HenonHeilesPotential<S>>;
template <class S>
HenonHeiles<S> henon_heiles() {
  return {ScalarMass<S, 2>(S(1)), {}};
}
template <class S>
Vector<S, 2> position() {
  return {livi::ratio<S>(3, 10), livi::ratio<S>(1, 5)};
}
template <class S>
Vector<S, 2> velocity() {
  return {livi::ratio<S>(1, 10), livi::ratio<S>(-1, 4)};
}

TEST(Checkpoint, of_every_kind_of_state_is_bitwise) {
  const auto system = henon_heiles<double>();
  const auto q = position<double>(), v = velocity<double>();
  expect_survives_its_text(livi::SymplecticEuler(system), q, v, 0.125);
  expect_survives_its_text(livi::ZhangSkeel<HenonHeiles<double>>(system), q, v, 0.125);
  expect_survives_its_text(livi::Newmark<HenonHeiles<double>>(system), q, v, 0.125);
  expect_survives_its_text(livi::OdeintVelocityVerlet(system), q, v, 0.125);
  const auto pendulum = livi::double_pendulum<double>();
  const Vector<double, 4> start = livi::double_pendulum_start<double>(), moving(1, 0, 2, 1);
  expect_survives_its_text(livi::Shake(pendulum), start, moving, 0.03);
  expect_survives_its_text(livi::Rattle(pendulum), start, moving, 0.03);
  const auto lagrangian = livi::double_pendulum_lagrangian<double>();
  expect_survives_its_text(livi::VariationalEulerGeneralized(lagrangian), q, v, 0.03);
}

TEST(Checkpoint, is_bitwise_in_every_number_type) {
  const auto check = [](auto number, const auto& h) {
    using S = decltype(number);
    const auto system = henon_heiles<S>();
    expect_survives_its_text(livi::ZhangSkeel<HenonHeiles<S>>(system), position<S>(), velocity<S>(), h);
  };
  check(0.0L, 0.1L);
  check(Float50(0), livi::ratio<Float50>(1, 7));
  check(Float100(0), livi::ratio<Float100>(1, 7));
  // Rationals grow with every step: the state alone.
  livi::PhaseState<Rational, 2> z{position<Rational>(), velocity<Rational>()}, restored = z;
  z.q(0) = Rational("-123456789012345678901234567890/7");
  livi::load_state(livi::save_state(z), restored);
  EXPECT_TRUE(bitwise_equal(z, restored));
}

TEST(Checkpoint, keeps_extreme_numbers) {
  livi::PhaseState<double, Dynamic> z{Vector<double, Dynamic>::Zero(5), Vector<double, Dynamic>::Zero(1)};
  auto restored = z;
  z.q << -0.0, std::numeric_limits<double>::denorm_min(), -std::numeric_limits<double>::max(), 0.1, infinity;
  z.v << 1e-300;
  livi::load_state(livi::save_state(z), restored);
  EXPECT_TRUE(bitwise_equal(z, restored));
  EXPECT_TRUE(std::signbit(restored.q(0)));
}

template <class S>
void expect_refused(const std::string& text, const std::string& message) {
  livi::PhaseState<S, 2> z{position<S>(), velocity<S>()};
  const auto before = z;
  EXPECT_EQ(refusal([&] { livi::load_state(text, z); }), message);
  EXPECT_TRUE(bitwise_equal(z, before)) << "changed by " << text;
}

TEST(Checkpoint, refuses_a_damaged_text_and_leaves_the_state_alone) {
  EXPECT_EQ(livi::save_state(livi::PhaseState<double, 2>{{1, 0.5}, {0, -2}}), "2 0x1p+0 0x1p-1\n2 0x0p+0 -0x1p+1\n");
  expect_refused<double>("", "checkpoint = end of text: must hold one line per field");
  expect_refused<double>("2 1 2\n", "checkpoint = end of text: must hold one line per field");
  expect_refused<double>("2 1 2\n2 3 4\n2 5 6\n", "checkpoint = 2 5 6: must end after the last field");
  expect_refused<double>("2 1 2\n2 3\n", "checkpoint line = 2 3: must hold 2 entries");
  expect_refused<double>("2 1 2\n2 3 4 5\n", "checkpoint line = 2 3 4 5: must hold 2 entries");
  expect_refused<double>("2 1 2\n3 3 4 5\n", "checkpoint line = 3 3 4 5: must hold 2 entries");
  expect_refused<double>("x 1 2\n2 3 4\n", "checkpoint line = x 1 2: must start with the number of its entries");
  expect_refused<double>("-2 1 2\n2 3 4\n", "checkpoint line = -2 1 2: must start with the number of its entries");
  for (const std::string entry : {"zwei", "1.5abc", "0x", "1,5", "--1"}) {
    const std::string text = "2 1 2\n2 3 " + entry + "\n",
                      message = "checkpoint entry = " + entry + ": must be a number";
    expect_refused<double>(text, message);
    expect_refused<long double>(text, message);
    expect_refused<Float50>(text, message);
    if (entry != "0x") expect_refused<Rational>(text, message);  // Boost reads it as 0
  }
  // a flag
  struct Flag {
    bool first = true;
    auto fields() { return std::tie(first); }
  } flag;
  EXPECT_EQ(refusal([&] { livi::load_state("1 2\n", flag); }), "checkpoint entry = 2: must be 0 or 1");
  EXPECT_EQ(refusal([&] { livi::load_state("2 0 1\n", flag); }), "checkpoint line = 2 0 1: must hold one entry");
  livi::load_state("1 0\n", flag);
  EXPECT_FALSE(flag.first);
}

// --- progress -------------------------------------------------------------------------------------------------------

/// What is written on the stream that `write` gets.
template <class Write>
std::string written(const Write& write) {
  char* text = nullptr;
  std::size_t length = 0;
  std::FILE* stream = open_memstream(&text, &length);
  write(stream);
  std::fclose(stream);
  const std::string result(text, length);
  std::free(text);
  return result;
}

TEST(Progress, is_one_line_at_once_and_wiped_at_the_end) {
  EXPECT_EQ(written([](std::FILE* stream) {
              livi::Progress progress(500, 125, stream, true);
              progress.at(126);  // within the first second
            }),
            "\r 25 %  step 125 of 500\033[K\r\033[K");
}

TEST(Progress, in_time_is_at_most_all_of_it) {
  const auto shown = [](double reached) {
    return written(
        [=](std::FILE* stream) { const auto progress = livi::Progress::of_time(50, reached, stream, true); });
  };
  EXPECT_EQ(shown(12.5), "\r 25 %  time 12.5 of 50\033[K\r\033[K");
  EXPECT_EQ(shown(50.25), "\r100 %  time 50.25 of 50\033[K\r\033[K") << "the last step goes beyond the end";
}

TEST(Progress, is_silent_where_it_is_not_visible) {
  EXPECT_EQ(written([](std::FILE* stream) {
              livi::Progress progress(500, 0, stream, false);
              progress.at(499);
            }),
            "");
}

}  // namespace trajectory_test
