// SPDX-License-Identifier: MIT
//
// The battery on methods for H(q, p, t) = T(p) + V(q, t): a right one is confirmed, wrong ones are named by the row
// that their error belongs to.
#include <gtest/gtest.h>

#include <livi/battery.hpp>
#include <map>
#include <string>

// In a namespace with a name: the battery makes types of them.
namespace separable_battery_test {

/// What is wrong with a step of Stoermer and Verlet.
enum class Error {
  none,
  force_at_beginning,      ///< both kicks at the time of the beginning
  force_at_zero,           ///< both at time 0
  time_from_zero,          ///< at t - t_0 and t - t_0 + h
  momentum_for_velocity,   ///< q' = p
  quadratic_kinetic,       ///< q' = T''(0) p
  even_kinetic,            ///< q' = (grad T(p) - grad T(-p))/2
  kick_ahead_of_negative,  ///< the second kick at t + |h|
  euler,                   ///< the explicit method of Euler
};

/// One class for all errors, so that it is compiled once.
template <class System>
struct Verlet {
  const System& system;
  Error error;
  using S = typename System::scalar_type;
  using V = typename System::vector_type;

  static livi::Properties declares() {
    return {.name = "Stoermer-Verlet",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = 2,
            .cost = {.gradients = 2}};
  }
  /// State: the time of the start, beside what all have.
  struct state_type {
    V q, p;
    S t, start;
    auto fields() { return std::tie(q, p, t, start); }
  };
  state_type start(const V& q, const V& p, const S& t) const { return {q, p, t, t}; }
  void step(state_type& z, const S& h) const {
    if (error == Error::euler) {
      const V old = z.q;
      drift(z, h);
      z.p += h * force(old, z.t, z);
    } else {
      S end = z.t + h;
      if (error == Error::force_at_beginning) end = z.t;
      if (error == Error::kick_ahead_of_negative)
        if (livi::leading(h) < livi::RealOf<S>(0)) end = z.t - h;
      z.p += h / S(2) * force(z.q, z.t, z);
      drift(z, h);
      z.p += h / S(2) * force(z.q, end, z);
    }
    z.t += h;
  }

 private:
  V force(const V& q, const S& t, const state_type& z) const {
    V f(q.size());
    system.force(q, error == Error::force_at_zero ? S(0) : error == Error::time_from_zero ? S(t - z.start) : t, f);
    return f;
  }
  void drift(state_type& z, const S& h) const {
    V v(z.p.size());
    system.velocity(z.p, v);
    if (error == Error::momentum_for_velocity) v = z.p;
    if (error == Error::even_kinetic) {
      V back = v;
      system.velocity(V(-z.p), back);
      v = (v - back) / S(2);
    }
    if (error == Error::quadratic_kinetic) {
      // Central differences of grad T far inside the range where it is linear.
      const S small = S(1) / S(1 << 30);
      V back = v;
      system.velocity(V(small * z.p), v);
      system.velocity(V(-small * z.p), back);
      v = (v - back) / (S(2) * small);
    }
    z.q += h * v;
  }
};

struct MakeVerlet {
  Error error;
  template <class System>
  auto operator()(const System& system) const {
    return Verlet<System>{system, error};
  }
};
/// Verlet in the plainest form that is accepted.
template <class System>
struct PlainVerlet {
  const System& system;
  static livi::Properties declares() {
    livi::Properties declared = Verlet<System>::declares();
    declared.stability_limit = livi::undeclared;
    return declared;
  }
  void step(auto& q, auto& p, const auto& t, const auto& h) const {
    auto rate = q;
    system.force(q, t, rate);
    p += h / 2 * rate;
    system.velocity(p, rate);
    q += h * rate;
    system.force(q, t + h, rate);
    p += h / 2 * rate;
  }
};

}  // namespace separable_battery_test

namespace separable_battery_test {

using namespace separable_battery_test;
using livi::BatteryResult;
using livi::BatteryRow;
using livi::Verdict;

BatteryResult result_of(Error error, const livi::BatteryOptions& options = {}) {
  return livi::run_battery(livi::SeparableSubject(MakeVerlet{error}), options);
}

/// Rows whose declaration is refuted.
std::map<std::string, std::string> refuted_by(Error error) {
  std::map<std::string, std::string> refuted;
  for (const BatteryRow& row : result_of(error, {.quick = true}).rows)
    if (row.claim.verdict == Verdict::refuted) refuted[row.test] = row.claim.note + "; " + row.detail;
  return refuted;
}

TEST(SeparableBattery, confirms_stoermer_verlet) {
  const BatteryResult result = result_of(Error::none);
  EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
  std::map<std::string, Verdict> verdicts;
  for (const BatteryRow& row : result.rows) verdicts[row.test] = row.claim.verdict;
  for (const char* test : {"order of q", "order of p", "tiny steps", "negative steps", "last step shorter", "end moved",
                           "number types", "duals", "symplectic", "symmetric", "linear momentum", "angular momentum",
                           "repetition", "history", "memory", "restart", "energy drift", "linear stability", "cost"})
    EXPECT_EQ(verdicts[test], Verdict::confirmed) << test << "\n" << livi::battery_table(result);
  EXPECT_EQ(verdicts["constraint"], Verdict::not_testable) << "there is none";
}

TEST(SeparableBattery, confirms_a_method_whose_time_is_kept_for_it) {
  const BatteryResult result = livi::run_separable_battery<PlainVerlet>();
  EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
}

TEST(SeparableBattery, refutes_forces_at_the_time_of_the_beginning) {
  const auto refuted = refuted_by(Error::force_at_beginning);
  for (const char* test : {"order of q", "order of p", "tiny steps", "symmetric"})
    EXPECT_TRUE(refuted.contains(test)) << test;
  EXPECT_FALSE(refuted.contains("symplectic")) << "a kick at a wrong time is one";
}

TEST(SeparableBattery, refutes_forces_at_time_zero) {
  const auto refuted = refuted_by(Error::force_at_zero);
  for (const char* test : {"order of q", "order of p", "tiny steps"}) EXPECT_TRUE(refuted.contains(test)) << test;
}

TEST(SeparableBattery, refutes_times_that_are_counted_from_the_start) {
  const auto refuted = refuted_by(Error::time_from_zero);
  for (const char* test : {"order of q", "order of p", "tiny steps"}) EXPECT_TRUE(refuted.contains(test)) << test;
}

TEST(SeparableBattery, refutes_momentum_taken_for_velocity) {
  const auto refuted = refuted_by(Error::momentum_for_velocity);
  for (const char* test : {"order of q", "order of p", "tiny steps"}) EXPECT_TRUE(refuted.contains(test)) << test;
  EXPECT_FALSE(refuted.contains("symplectic")) << "it is Verlet of another Hamiltonian";
}

TEST(SeparableBattery, refutes_a_kinetic_energy_taken_to_be_quadratic) {
  const auto refuted = refuted_by(Error::quadratic_kinetic);
  for (const char* test : {"order of q", "order of p", "tiny steps"}) EXPECT_TRUE(refuted.contains(test)) << test;
}

TEST(SeparableBattery, refutes_a_kinetic_energy_taken_to_be_even) {
  const auto refuted = refuted_by(Error::even_kinetic);
  for (const char* test : {"order of q", "order of p", "tiny steps"}) EXPECT_TRUE(refuted.contains(test)) << test;
}

TEST(SeparableBattery, refutes_a_kick_at_the_wrong_time_of_negative_steps) {
  const auto refuted = refuted_by(Error::kick_ahead_of_negative);
  for (const char* test : {"negative steps", "symmetric"}) EXPECT_TRUE(refuted.contains(test)) << test;
  ASSERT_TRUE(refuted.contains("tiny steps"));
  EXPECT_NE(refuted.at("tiny steps").find("h < 0"), std::string::npos);
  EXPECT_FALSE(refuted.contains("order of q"));
}

TEST(SeparableBattery, refutes_the_method_of_euler_declared_symplectic) {
  const auto refuted = refuted_by(Error::euler);
  for (const char* test : {"order of q", "order of p", "symplectic", "symmetric", "linear stability"})
    EXPECT_TRUE(refuted.contains(test)) << test;
}

// The reference solutions solve the equations: their derivative is the right-hand side, and they come back.
TEST(SeparableBattery, has_reference_solutions_of_its_problems) {
  using livi::Float50;
  using livi::PhasePoint;
  using V = livi::Vector<Float50, livi::Dynamic>;
  const auto& problems = livi::separable_problems<Float50>();
  const Float50 small = ldexp(Float50(1), -40), quarter = ldexp(Float50(1), -2);
  const auto largest = [](const V& v) {
    double size = 0;
    for (Eigen::Index k = 0; k < v.size(); ++k) size = std::max(size, std::abs(livi::to_double(v(k))));
    return size;
  };
  for (std::size_t i = 0; i < problems.size(); ++i)
    for (std::size_t k = 0; k < problems[i].points.size(); ++k) {
      if (problems[i].role == livi::ProblemRole::drawn) continue;  // of these there is the short flow alone
      const PhasePoint<Float50>& from = problems[i].points[k];
      const Eigen::Index n = from.p.size();
      const PhasePoint<Float50> after = livi::separable_exact(i, from, small),
                                before = livi::separable_exact(i, from, -small),
                                soon = livi::separable_short_flow(i, k, small),
                                back = livi::separable_exact(i, livi::separable_exact(i, from, quarter), -quarter);
      V velocity(n), force(n);
      problems[i].system.velocity(from.p, velocity);
      problems[i].system.force(V(from.q.head(n)), from.q(n), force);
      // Central differences: third derivatives of the motion times 2^-80 = 1e-24.
      EXPECT_LT(largest((after.q - before.q).head(n) / (2 * small) - velocity), 1e-20) << problems[i].name;
      EXPECT_LT(largest((after.p - before.p) / (2 * small) - force), 1e-20) << problems[i].name;
      EXPECT_LT(largest(soon.q - after.q) + largest(soon.p - after.p), 1e-45) << problems[i].name;
      EXPECT_LT(largest(back.q - from.q) + largest(back.p - from.p), 1e-25) << problems[i].name;
    }
}

// H(q, -p, 2 t_r - t) has the motion run backwards, though T is not even; turned again it is H, its time moved.
TEST(SeparableBattery, turns_a_system_about_the_present) {
  using V = livi::Vector<double, livi::Dynamic>;
  // T has terms of degree three; V depends on time.
  const auto& line = livi::separable_problems<double>()[4].system;
  livi::ReversibleSeparable<double> turning(line);
  V q(3), p(3), expected(3), found(3);
  q << 0.5, -0.25, 1;
  p << 0.75, -1, 0.5;
  turning.turn(1.25);
  turning.velocity(p, found);
  line.velocity(V(-p), expected);
  EXPECT_EQ(found, V(-expected));
  for (const auto& [t, system_time] : {std::pair(1.25, 1.25), std::pair(1.5, 1.0), std::pair(-1.0, 3.5)}) {
    EXPECT_EQ(turning.system_time(t), system_time);
    turning.force(q, t, found);
    line.force(q, system_time, expected);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(turning.energy(q, p, t), line.energy(q, V(-p), system_time));
  }
  turning.turn(2);  // the system's time is 1/2
  turning.velocity(p, found);
  line.velocity(p, expected);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(turning.system_time(2), 0.5);
  EXPECT_EQ(turning.system_time(3), 1.5);
  turning.reset();
  EXPECT_EQ(turning.system_time(3), 3);
}

}  // namespace separable_battery_test
