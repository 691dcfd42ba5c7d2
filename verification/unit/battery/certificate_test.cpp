// SPDX-License-Identifier: MIT
//
// Certificates prove what holds and disprove what does not, and are a row of the battery.
#include <gtest/gtest.h>

#include <cstdio>
#include <livi/claims/battery.hpp>
#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/test_problems.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/cubic_number.hpp>
#include <livi/systems/polynomial.hpp>

// Methods for the battery (its templates must not see an anonymous namespace).
namespace certificate_test {

/// Z&Ss that claims to be symplectic; Verlet whose velocity is wrong by 1e-60; a method that is not rational.
template <class System>
struct Pretender : livi::SimplifiedZhangSkeel<System> {
  using livi::SimplifiedZhangSkeel<System>::SimplifiedZhangSkeel;
  [[nodiscard]] livi::Properties declares() const {
    auto properties = livi::SimplifiedZhangSkeel<System>::declares();
    properties.symplectic = true;
    return properties;
  }
};
template <class System>
struct TinyError {
  const System& system;
  static livi::Properties declares() {
    return {.name = "Verlet, wrong by 1e-60",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = 2,
            .cost = {.gradients = 2}};
  }
  void step(auto& q, auto& v, const auto& h) const {
    using S = std::decay_t<decltype(h)>;
    S tiny(1);
    for (int k = 0; k < 60; ++k) tiny /= S(10);
    auto a = q;
    system.acceleration(q, a), v += h / 2 * a, q += h * v;
    system.acceleration(q, a), v += h / 2 * a;
    if (q.size() > 1) v(0) += tiny * h * q(1) * q(1);
  }
};
template <class System>
struct WithRoot {
  const System& system;
  static livi::Properties declares() { return {.name = "a step with a root", .order = 1, .linear_momentum = true}; }
  void step(auto& q, auto& v, const auto& h) const {
    using std::sqrt;
    auto a = q;
    system.acceleration(q, a);
    v += sqrt(h * h + h * h * h * h) * a;
    q += h * v;
  }
};

}  // namespace certificate_test

namespace certificate_test {

using livi::Certificate;
using livi::certify;
using livi::Draw;
using livi::Dual;
using livi::Dynamic;
using livi::PhasePoint;
using livi::Residue;
using livi::Vector;

TEST(Certificates, hold_where_constants_are_kept_in_static_variables) {
  const auto statement = [](auto& draw) {
    using K = std::decay_t<decltype(draw.variable("x"))>;
    static const K third = K(1) / K(3);
    const K x = draw.variable("x");
    return std::vector{third * x * K(3) - x};
  };
  EXPECT_TRUE(certify(statement).proved());
  EXPECT_TRUE(certify(statement).proved());
  EXPECT_EQ(livi::evaluate<livi::Rational>(statement).nonzero, 0);
  const auto wrong = [](auto& draw) {
    using K = std::decay_t<decltype(draw.variable("x"))>;
    static const K factor = K(1) / K(3);
    const K x = draw.variable("x");
    return std::vector{factor * x - x};
  };
  EXPECT_TRUE(certify(wrong).disproved());
  // What depends on a variable is of one point only.
  const auto kept = [](auto& draw) {
    using K = std::decay_t<decltype(draw.variable("x"))>;
    const K x = draw.variable("x");
    static const K first = x;
    return std::vector{first - x};
  };
  const Certificate undecided = certify(kept);
  EXPECT_EQ(undecided.finding, Certificate::Finding::undecided);
  EXPECT_NE(undecided.note.find("static variable"), std::string::npos) << undecided.note;
}

TEST(Certificates, prove_identities_and_disprove_others) {
  const auto geometric = [](int last) {
    return [last](auto& draw) {
      auto x = draw.variable("x"), sum = decltype(x)(0), power = decltype(x)(1);
      for (int k = 0; k <= last; ++k, power *= x) sum += power;
      return std::vector{sum * (x - 1) - (power - 1)};
    };
  };
  const Certificate proved = certify(geometric(7));
  EXPECT_TRUE(proved.proved()) << proved.describe();
  EXPECT_EQ(proved.degree, 8);
  EXPECT_LE(proved.probability, 1e-30);
  EXPECT_GE(proved.points, 2);
  EXPECT_EQ(livi::evaluate<livi::Rational>(geometric(7)).nonzero, 0);

  const auto wrong = [&](auto& draw) {
    auto values = geometric(7)(draw);
    values[0] += draw.variable("y") / 1000000007;
    return values;
  };
  const Certificate disproved = certify(wrong);
  EXPECT_TRUE(disproved.disproved()) << disproved.describe();
  EXPECT_EQ(livi::find_witness<livi::Rational>(wrong).nonzero, 1);

  const Certificate root = certify([](auto& draw) { return std::vector{sqrt(draw.variable("x"))}; });
  EXPECT_EQ(root.finding, Certificate::Finding::undecided);
  const Certificate singular = certify([](auto& draw) {
    const auto x = draw.variable("x");
    return std::vector{x / (x - x)};
  });
  EXPECT_EQ(singular.finding, Certificate::Finding::undecided);
}

TEST(Certificates, of_branches_by_size_or_sign_are_undecided) {
  const auto expect_undecided = [](const auto& is_far) {
    const Certificate certificate = certify([&](Draw<Residue>& draw) {
      const Residue x = draw.variable("x");
      return std::vector{is_far(x) ? x : Residue(0)};
    });
    EXPECT_EQ(certificate.finding, Certificate::Finding::undecided) << certificate.describe();
    EXPECT_NE(certificate.note.find("is not a rational function"), std::string::npos) << certificate.note;
  };
  expect_undecided([](const Residue& x) { return livi::magnitude(x) > 2; });
  expect_undecided([](const Residue& x) { return livi::leading(x) < 0; });
  expect_undecided([](const Residue& x) { return livi::to_double(x) < 1; });
  expect_undecided([](const Residue& x) { return x < Residue(1); });
  expect_undecided([](const Residue& x) { return livi::leading(livi::CubicNumber<Residue>(x)) < 0; });
  expect_undecided([](const Residue& x) { return livi::leading(livi::PowerSeries<Residue, 2>(x)) < 0; });
  expect_undecided([](const Residue& x) { return abs(livi::leading(x)) > abs(livi::leading(Residue(x * x))); });
}

TEST(Certificates, of_a_multiple_of_the_primes_of_a_seed_need_another_seed) {
  // The program knows the generator: a number that is zero modulo every prime that the default seed draws.
  std::vector<std::uint64_t> primes;
  std::mt19937_64 generator(livi::CertificateOptions{}.seed);
  for (int k = 0; k < livi::CertificateOptions{}.least_points; ++k) {
    Residue::choose_prime(generator);
    primes.push_back(Residue::prime());
  }
  const auto multiple = [&](auto&) {
    Residue product(1);
    for (const std::uint64_t p : primes) product *= Residue(static_cast<std::int64_t>(p));
    return std::vector{product};
  };
  EXPECT_TRUE(certify(multiple).proved());  // a false proof: what a fixed seed cannot exclude
  const Certificate other = certify(multiple, {.seed = 1});
  EXPECT_TRUE(other.disproved()) << other.describe();
}

TEST(Certificates, name_their_seed) {
  const auto nothing = [](auto& draw) {
    const auto x = draw.variable("x");
    return std::vector{x - x};
  };
  const std::uint64_t usual = livi::judge_seed();
  EXPECT_EQ(usual, 20140825u);
  EXPECT_NE(certify(nothing).describe().find("seed 20140825"), std::string::npos) << certify(nothing).describe();
  livi::set_judge_seed(17);
  const Certificate other = certify(nothing);
  livi::set_judge_seed(usual);
  EXPECT_EQ(other.seed, 17u);
  EXPECT_NE(other.describe().find("seed 17,"), std::string::npos) << other.describe();
}

TEST(Certificates, add_up) {
  Certificate good;
  good.finding = Certificate::Finding::proved;
  good.probability = 1e-31;
  livi::CombinedProbability combined;
  EXPECT_EQ(combined.bound(), 0);
  combined.add(good);
  EXPECT_DOUBLE_EQ(combined.bound(), 1e-31);
  for (int k = 0; k < 10; ++k) combined.add(good);
  EXPECT_DOUBLE_EQ(combined.bound(), 1e-29);  // 11e-31
  EXPECT_THROW(combined.add(Certificate{}), std::logic_error);
  EXPECT_DOUBLE_EQ(livi::next_power_of_ten(1.001e-40), 1e-39);
  EXPECT_TRUE(std::isnan(livi::next_power_of_ten(std::nan(""))));
}

TEST(Certificates, take_more_points_and_bounds_from_the_branches_of_a_program) {
  // x^(2^k) is compared with zero: the accident that it is, at degree 2^k, is that of a deception.
  const auto branching = [](int k) {
    return [k](Draw<Residue>& draw) {
      const Residue x = draw.variable("x");
      Residue power = x;
      for (int i = 0; i < k; ++i) power *= power;
      return std::vector{power == Residue(0) ? x : Residue(0)};
    };
  };
  const Certificate certificate = certify(branching(20), {.least_points = 3});  // delta = 2^20 / 2^60
  EXPECT_TRUE(certificate.proved()) << certificate.describe();
  EXPECT_DOUBLE_EQ(certificate.probability, 1e-35);  // 2 * (2^-40)^3 = 1.5e-36
  EXPECT_EQ(certificate.points, 3);
  EXPECT_EQ(certify(branching(20), {.least_points = 2}).finding, Certificate::Finding::undecided);
  const Certificate deceived = certify(branching(40));  // delta = 9.5e-7: five points are not enough
  EXPECT_EQ(deceived.finding, Certificate::Finding::undecided) << deceived.describe();
  const Certificate patient = certify(branching(40), {.least_points = 6});
  EXPECT_TRUE(patient.proved()) << patient.describe();
  EXPECT_LE(patient.probability, 1e-30);
  // A disproof is that of the branch taken.
  const auto wrong = [&](Draw<Residue>& draw) {
    std::vector<Residue> values = branching(20)(draw);
    values[0] += Residue(1);
    return values;
  };
  EXPECT_DOUBLE_EQ(certify(wrong).probability, 1e-12);
}

/// A solver over residues against the same over rationals, which pivot by size: A x = b for matrices that rationals
/// exchange rows of.
TEST(Certificates, solvers_take_every_pivot_and_find_the_solution_of_the_production_path) {
  using livi::Rational;
  const auto solve = []<class S>(const std::array<int, 6>& a, S*) {
    livi::Matrix<S, 3> m;
    m << S(a[0]), S(a[1]), S(a[2]), S(a[1]), S(a[3]), S(a[4]), S(a[2]), S(a[4]), S(a[5]);
    Vector<S, 3> b(S(1), S(2), S(3));
    livi::SymmetricFactor<S, 3> factor;
    const livi::FactorOutcome outcome = factor.factor(m);
    if (!outcome.singular) factor.solve_in_place(b);
    return std::pair(outcome, b);
  };
  std::mt19937_64 generator(11);
  int exchanged = 0, singular = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Residue::choose_prime(generator);
    livi::forget_assumed_orders();
    std::array<int, 6> a;
    for (int& entry : a) entry = static_cast<int>(generator() % 5) - 2;
    const auto [exact, x] = solve(a, static_cast<Rational*>(nullptr));
    const auto [residue, y] = solve(a, static_cast<Residue*>(nullptr));
    ASSERT_EQ(exact.singular, residue.singular) << trial;
    singular += exact.singular;
    if (exact.singular) continue;
    exchanged += exact.indefinite;
    for (int i = 0; i < 3; ++i) {
      const auto whole = [](const livi::Integer& n) { return Residue(n.convert_to<long long>()); };
      EXPECT_EQ(y(i), whole(numerator(x(i))) / whole(denominator(x(i)))) << trial;
    }
    EXPECT_EQ(livi::assumed_orders(), std::vector<std::string>{"every pivot that is not zero is taken"});
  }
  EXPECT_GT(exchanged, 50);
  EXPECT_GT(singular, 0);
}

TEST(Certificates, are_not_deceived_by_multiples_of_large_numbers_or_by_high_degrees) {
  // x^(p-1) = 1 modulo p: true at every point of one field, no identity.
  const auto fermat = [](auto& draw) {
    const auto x = draw.variable("x");
    auto power = x;
    for (int k = 0; k < 60; ++k) power *= power;  // degree 2^60
    return std::vector{power - x};
  };
  EXPECT_FALSE(certify(fermat).proved());
  const auto high = [](auto& draw) {
    const auto x = draw.variable("x");
    auto power = x;
    for (int k = 0; k < 60; ++k) power *= power;
    return std::vector{power - power};
  };
  EXPECT_EQ(certify(high).finding, Certificate::Finding::undecided);  // true, but not to be proved with 61 bits
  const auto high_denominator = [](auto& draw) {
    const auto x = draw.variable("x");
    auto power = 1 / x;
    for (int k = 0; k < 60; ++k) power *= power;
    return std::vector{(power + x) - (x + power)};
  };
  EXPECT_EQ(certify(high_denominator).finding, Certificate::Finding::undecided);
}

// --- steps ----------------------------------------------------------------------------------------------------------

template <class K>
using System = livi::MechanicalSystem<livi::FullMass<K, Dynamic>, livi::PolynomialPotential<K>>;

/// Symplecticity of one step of Method on the general cubic of two variables with any mass.
template <template <class> class Method>
struct StepIsSymplectic {
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using D = Dual<K>;
    auto mass = draw.symmetric("m", 2).template cast<D>().eval();
    const System<D> system(livi::FullMass<D, Dynamic>(mass),
                           livi::polynomial<D>(2, 1, 3, [&] { return D(draw.variable("c")); }));
    const D h(draw.positive("h"));
    const PhasePoint<K> at{draw.variables("q", 2), draw.variables("p", 2)};
    return livi::symplecticity<K>(at, [&](auto& q, auto& p) {
      Method<System<D>> method(system);
      auto state = method.start(q, system.velocity(p));
      if (!method.step(state, h).ok()) throw livi::StepFailed("step");
      q = state.q;
      p = system.momentum(state.v);
    });
  }
};

TEST(Certificates, evaluation_of_what_always_fails_ends) {
  const auto fails = []<class K>(Draw<K>&) -> std::vector<K> { throw livi::StepFailed("always"); };
  EXPECT_THROW(livi::evaluate<livi::Rational>(fails), livi::StepFailed);
}

TEST(Certificates, of_steps) {
  const Certificate verlet = certify(StepIsSymplectic<livi::VelocityVerlet>{});
  EXPECT_TRUE(verlet.proved()) << verlet.describe();
  const Certificate zhang_skeel = certify(StepIsSymplectic<livi::ZhangSkeel>{});
  EXPECT_TRUE(zhang_skeel.proved()) << zhang_skeel.describe();
  const Certificate simplified = certify(StepIsSymplectic<livi::SimplifiedZhangSkeel>{});
  EXPECT_TRUE(simplified.disproved()) << simplified.describe();
  EXPECT_EQ(livi::evaluate<livi::Rational>(StepIsSymplectic<livi::ZhangSkeel>{}).nonzero, 0);
  EXPECT_GT(livi::find_witness<livi::Rational>(StepIsSymplectic<livi::SimplifiedZhangSkeel>{}).nonzero, 0);
}

// A small rational is 0 for one seed in 19, and a function that vanishes there is not zero for that.
TEST(Certificates, a_witness_is_looked_for_at_more_than_one_point) {
  const auto vanishes_at_zero = [](auto& draw) { return std::vector{draw.variable("x")}; };
  const auto vanishes = [](auto& draw) { return std::vector{draw.variable("x") * 0}; };
  int unlucky = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    unlucky += livi::evaluate<livi::Rational>(vanishes_at_zero, seed).nonzero == 0;
    EXPECT_EQ(livi::find_witness<livi::Rational>(vanishes_at_zero, seed).nonzero, 1) << seed;
  }
  EXPECT_GT(unlucky, 0);
  EXPECT_EQ(livi::find_witness<livi::Rational>(vanishes).nonzero, 0);
}

TEST(Certificates, name_what_the_library_assumes_of_order) {
  const auto assumed = [](const Certificate& certificate) { return certificate.assumed; };
  const std::string masses = "every pivot that is not zero is taken";
  EXPECT_EQ(assumed(certify(StepIsSymplectic<livi::ZhangSkeel>{})),
            (std::vector<std::string>{masses, "parameters are in their allowed range"}));
  EXPECT_NE(certify(StepIsSymplectic<livi::ZhangSkeel>{}).describe().find(masses), std::string::npos);
  const auto zero = [](auto& draw) { return std::vector{draw.variable("x") * 0}; };
  EXPECT_TRUE(assumed(certify(zero)).empty());
  // A recording assumes nothing of what was certified before it.
  static_cast<void>(certify(StepIsSymplectic<livi::ZhangSkeel>{}));
  EXPECT_TRUE(livi::record_statement(zero).assumed.empty());
}

TEST(Certificates, that_disprove_name_a_point_at_which_anyone_finds_the_same) {
  const Certificate certificate = certify([](auto& draw) {
    const auto x = draw.variable("x"), y = draw.positive("y");
    return std::vector{x * y - y};
  });
  ASSERT_TRUE(certificate.disproved());
  unsigned long long value = 0, prime = 0, x = 0, y = 0;
  ASSERT_EQ(
      std::sscanf(certificate.note.c_str(), "no. 0 is %llu modulo %llu at x = %llu, y = %llu", &value, &prime, &x, &y),
      4)
      << certificate.note;
  __extension__ typedef unsigned __int128 Wide;
  EXPECT_EQ(static_cast<unsigned long long>(Wide(x + prime - 1) * y % prime), value);
}

TEST(Certificates, degree_of_a_verlet_step_is_that_found_by_hand) {
  // V = c q^3/3, one variable, M = 1: with F(q) = -c q^2, q1 = q + h p + h^2/2 F(q) has degree 5 (h^2 c q^2), p1 = p +
  // h/2 (F(q) + F(q1)) has degree 1 + 1 + 2 * 5 = 12.
  std::mt19937_64 generator(3);
  Residue::choose_prime(generator);
  using R = Residue;
  livi::PolynomialPotential<R> cubic{{{R::variable(generator), {3}}}};
  const System<R> system(livi::FullMass<R, Dynamic>(livi::Matrix<R, Dynamic>::Constant(1, 1, R(1))), cubic);
  livi::VelocityVerlet method(system);
  const auto number = [&] { return Vector<R, Dynamic>(Vector<R, Dynamic>::Constant(1, R::variable(generator))); };
  auto state = method.start(number(), number());
  ASSERT_TRUE(method.step(state, R::variable(generator)).ok());
  EXPECT_EQ(state.q(0).degree(), 5);
  EXPECT_EQ(state.v(0).degree(), 12);
}

/// A palindrome of Z&S with fractions gamma, 1 - 2 gamma, gamma for every gamma.
template <bool Symplectic>
struct Palindrome {
  bool palindromic = true;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = std::conditional_t<Symplectic, Dual<K>, K>;
    const System<T> system(livi::FullMass<T, Dynamic>(draw.symmetric("m", 2).template cast<T>().eval()),
                           livi::polynomial<T>(2, 1, 3, [&] { return T(draw.variable("c")); }));
    const T gamma(draw.variable("gamma")), h(draw.positive("h"));
    livi::CompositionScheme<T> scheme{"composition", "-", 2, {gamma, T(1) - T(2) * gamma, gamma}};
    if (!palindromic) scheme.fractions = {gamma, gamma, T(1) - T(2) * gamma};
    using Inner = livi::ZhangSkeel<System<T>>;
    livi::Composition<Inner> method(Inner(system, {T(draw.positive("beta"))}), scheme);
    const PhasePoint<K> at{draw.variables("q", 2), draw.variables("p", 2)};
    const auto map = [&](auto& q, auto& p, const T& by) {
      auto state = method.start(q, system.velocity(p));
      if (!method.step(state, by).ok()) throw livi::StepFailed("step");
      q = state.q;
      p = system.momentum(state.v);
    };
    if constexpr (Symplectic) {
      return livi::symplecticity<K>(at, [&](auto& q, auto& p) { map(q, p, h); });
    } else {
      PhasePoint<K> back = at;
      map(back.q, back.p, h);
      map(back.q, back.p, -h);
      return livi::differences(back, at);
    }
  }
};

TEST(Certificates, palindromes_of_zhang_skeel_are_symplectic_and_symmetric_for_all_fractions) {
  const Certificate symplectic = certify(Palindrome<true>{}), symmetric = certify(Palindrome<false>{});
  EXPECT_TRUE(symplectic.proved()) << symplectic.describe();
  EXPECT_TRUE(symmetric.proved()) << symmetric.describe();
  EXPECT_TRUE(certify(Palindrome<true>{false}).proved());  // every composition is symplectic
  EXPECT_TRUE(certify(Palindrome<false>{false}).disproved());
}

// --- the battery ----------------------------------------------------------------------------------------------------

const livi::BatteryRow* row_of(const livi::BatteryResult& result, const std::string& test) {
  for (const auto& row : result.rows)
    if (row.test == test) return &row;
  return nullptr;
}

TEST(Certificates, are_a_row_of_the_battery) {
  const livi::BatteryOptions quick{.quick = true};
  const auto pretender = livi::run_battery<certificate_test::Pretender>(quick);
  const livi::BatteryRow* row = row_of(pretender, "certificate");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->claim.verdict, livi::Verdict::refuted);
  EXPECT_EQ(row->claim.measured, 1);

  // No residual in 50 digits can see this.
  const auto tiny = livi::run_battery<certificate_test::TinyError>(quick);
  EXPECT_EQ(row_of(tiny, "symplectic")->claim.verdict, livi::Verdict::confirmed);
  row = row_of(tiny, "certificate");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->claim.verdict, livi::Verdict::refuted);
  EXPECT_EQ(row->claim.measured, 4) << row->detail;

  // What cannot be followed is said, and is no confirmation.
  const auto with_root = livi::run_battery<certificate_test::WithRoot>(quick);
  EXPECT_EQ(row_of(with_root, "certificate")->claim.verdict, livi::Verdict::undecided);
  EXPECT_NE(with_root.exit_status(), 0);
}

}  // namespace certificate_test
