// SPDX-License-Identifier: MIT
//
// Residues bound the degree and height of what a program computes, and certificates prove what holds and disprove what
// does not.
#include <gtest/gtest.h>

#include <cstdio>

#include <livi/claims/battery.hpp>
#include <livi/diagnostics/exact_order.hpp>
#include <livi/diagnostics/test_problems.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/cubic_number.hpp>
#include <livi/systems/polynomial.hpp>

#include "study/evidence/certified_order.hpp"

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

namespace {

using livi::Certificate;
using livi::certify;
using livi::Draw;
using livi::Dual;
using livi::Dynamic;
using livi::magnitude;
using livi::PhasePoint;
using livi::Residue;
using livi::Vector;
using livi::theorem::LocalError;

/// A prime and two variables of it.
struct Residues : testing::Test {
  std::mt19937_64 generator{7};
  Residue x, y;
  Residues() {
    Residue::choose_prime(generator);
    x = Residue::variable(generator);
    y = Residue::variable(generator);
  }
};

TEST_F(Residues, are_a_field) {
  EXPECT_EQ(x / y * y, x);
  EXPECT_EQ((x + y) * (x - y), x * x - y * y);
  EXPECT_EQ(Residue(1) / x - Residue(1) / y, (y - x) / (x * y));
  EXPECT_EQ(Residue(-3) + Residue(3), Residue(0));
  EXPECT_EQ(Residue(0.375) * Residue(8), Residue(3));
  EXPECT_EQ(Residue(-6.0), Residue(-6));
  EXPECT_NE(Residue(0.1) * Residue(10), Residue(1));  // the double 0.1 is not a tenth
  EXPECT_THROW(x / Residue(0), livi::SingularPoint);
  EXPECT_THROW(static_cast<void>(sqrt(x)), livi::NotRational);
  EXPECT_THROW(static_cast<void>(x < y), livi::NotRational);
}

TEST_F(Residues, primes_are_those_of_trial_division) {
  for (std::uint64_t n = 0; n < 5000; ++n) {
    bool prime = n > 1;
    for (std::uint64_t d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    EXPECT_EQ(livi::residue_detail::is_prime(n), prime) << n;
  }
  EXPECT_TRUE(livi::residue_detail::is_prime((std::uint64_t(1) << 61) - 1));  // Mersenne
  EXPECT_FALSE(livi::residue_detail::is_prime(std::uint64_t(1373653) * std::uint64_t(3215031751)));
  EXPECT_FALSE(livi::residue_detail::is_prime(std::uint64_t(3825123056546413051)));  // strong to bases 2, ..., 23
  EXPECT_GT(Residue::prime(), std::uint64_t(1) << 60);
}

/// Slowly: what the fast arithmetic is compared with.
__extension__ typedef unsigned __int128 Wide;
std::uint64_t slow_product(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(Wide(a) * b % p);
}

TEST_F(Residues, of_products_are_those_of_a_division) {
  constexpr std::uint64_t one = 1;
  // The first and the last primes between 2^60 and 2^61, the largest below 2^63, and small ones.
  const std::uint64_t moduli[] = {
      (one << 60) + 33, (one << 61) - 31, (one << 61) - 1, (one << 63) - 25, (one << 32) + 15, 65537, 3, 2,
      Residue::prime()};
  for (const std::uint64_t p : moduli) {
    EXPECT_TRUE(livi::residue_detail::is_prime(p)) << p;
    const livi::residue_detail::Modulus modulus(p);
    std::vector<std::uint64_t> numbers = {0, 1, 2 % p, p / 2, (p + 1) / 2, p - 2, p - 1};
    for (int k = 0; k < 200; ++k) numbers.push_back(generator() % p);
    Wide sum = 0;
    std::uint64_t slow_sum = 0;
    for (const std::uint64_t a : numbers) {
      for (const std::uint64_t b : numbers) {
        const std::uint64_t product = slow_product(a, b, p);
        ASSERT_EQ(modulus.multiply(a, b), product) << a << " * " << b << " modulo " << p;
        sum = modulus.add_product(sum, a, b);
        slow_sum = static_cast<std::uint64_t>((Wide(slow_sum) + product) % p);
        ASSERT_EQ(modulus.remainder(sum), slow_sum) << p;
      }
      ASSERT_EQ((Wide(a) + modulus.negative(a)) % p, 0) << a << " modulo " << p;
      if (a != 0) {
        ASSERT_EQ(slow_product(modulus.inverse(a), a, p), 1) << a << " modulo " << p;
        ASSERT_LT(modulus.inverse(a), p) << a;
      }
      ASSERT_EQ(modulus.power(a, 5), slow_product(slow_product(slow_product(a, a, p), slow_product(a, a, p), p), a, p));
    }
    for (Wide all_largest = 0, k = 1; k < 300; ++k) {
      all_largest = modulus.add_product(all_largest, p - 1, p - 1);
      ASSERT_EQ(modulus.remainder(all_largest), k % p) << p;
    }
    // Below 2^64 p, on both sides of the multiples of p, where an estimated quotient is most likely to be wrong.
    for (int k = 0; k < 20000; ++k) {
      const std::uint64_t quotient = k < 10000 ? generator() : ~std::uint64_t(0) - (generator() % 100);
      const std::uint64_t near = generator() % 3 == 0 ? 0 : generator() % 2 == 0 ? p - 1 : generator() % p;
      ASSERT_EQ(modulus.remainder(Wide(quotient) * p + near), near) << quotient << " * " << p;
    }
  }
}

TEST_F(Residues, of_sums_of_products_are_those_of_the_operations) {
  const auto same = [](const Residue& a, const Residue& b) {
    EXPECT_EQ(a.value(), b.value());
    EXPECT_EQ(a.degree(), b.degree());
    EXPECT_EQ(a.height(), b.height());
    EXPECT_EQ(a.zero_by_construction(), b.zero_by_construction());
  };
  const auto compare = [&](const std::vector<Residue>& numbers) {
    for (const Residue& start : numbers) {
      Residue slow = start;
      livi::SumOfProducts<Residue> sum(start);
      same(sum.value(), slow);
      for (const Residue& a : numbers) {
        for (const Residue& b : numbers) {
          if (&a < &b) {
            slow += a * b;
            sum.add(a, b);
          } else {
            slow -= a * b;
            sum.subtract(a, b);
          }
          same(sum.value(), slow);
        }
      }
    }
  };
  const Residue third = Residue(1) / Residue(3), tenth(0.1);
  compare({Residue(), Residue(0), Residue(1), Residue(-1), third, tenth, x, x - x, x / y, y / (x + y), x + third / y});
  const Residue old = x;
  Residue::choose_prime(generator);
  const Residue z = Residue::variable(generator);
  compare({Residue(), third, z, tenth / z, Residue(2)});  // constants follow to the new prime
  livi::SumOfProducts<Residue> sum(third);
  EXPECT_THROW(sum.add(old, z), livi::MadeBeforeThePrime);
  EXPECT_THROW(sum.subtract(z, old), livi::MadeBeforeThePrime);
  EXPECT_THROW(livi::SumOfProducts<Residue>(old).add(z, z), livi::MadeBeforeThePrime);
  // A constant that is known stays known: it follows to the next prime; others do not.
  sum.add(third, tenth);
  livi::SumOfProducts<Residue> variable(third);
  variable.add(third, z);
  const Residue constant = sum.value(), other = variable.value();
  Residue::choose_prime(generator);
  EXPECT_EQ(constant, Residue(1) / Residue(3) + Residue(0.1) / Residue(3));
  EXPECT_THROW(static_cast<void>(other.value()), livi::MadeBeforeThePrime);
}

TEST_F(Residues, of_sums_of_products_are_recorded_as_the_operations) {
  const auto recorded = [this](auto&& sum) {
    livi::StraightLineProgram program;
    const livi::ResidueRecording recording(program, generator);
    const Residue a = Residue::variable(generator), b = Residue::variable(generator);
    sum(a, b, Residue(), a / b).record_output();
    return program;
  };
  const auto slow = recorded([](const Residue& a, const Residue& b, const Residue& zero, const Residue& c) {
    Residue sum = zero;
    sum += a * b;
    sum -= b * zero;
    sum -= c * a;
    return sum;
  });
  const auto fast = recorded([](const Residue& a, const Residue& b, const Residue& zero, const Residue& c) {
    livi::SumOfProducts<Residue> sum(zero);
    sum.add(a, b);
    sum.subtract(b, zero);
    sum.subtract(c, a);
    return sum.value();
  });
  ASSERT_EQ(fast.instructions.size(), slow.instructions.size());
  for (std::size_t i = 0; i < slow.instructions.size(); ++i) {
    EXPECT_EQ(fast.instructions[i].operation, slow.instructions[i].operation) << i;
    EXPECT_EQ(fast.instructions[i].a, slow.instructions[i].a) << i;
    EXPECT_EQ(fast.instructions[i].b, slow.instructions[i].b) << i;
  }
  EXPECT_EQ(fast.outputs, slow.outputs);
}

TEST_F(Residues, know_degree_and_height_of_the_numerator) {
  const auto expect = [](const Residue& r, double degree, double height) {
    EXPECT_EQ(r.degree(), degree);
    EXPECT_NEAR(r.height(), height, 1e-12);
  };
  expect(x * x * y + Residue(3) * x, 3, 2);  // 1 + 3 = 4 = 2^2
  expect((x + y) * (x - y), 2, 2);           // without cancellation: 2 * 2
  expect(x / y, 1, 0);
  expect(x / y + y / x, 2, 1);                                                 // (x^2 + y^2)/(x y)
  expect(x / (x + y) + y / (x + y), 1, 1);                                     // one denominator, recognised
  expect(x / (x + y) - y / (Residue(0) - x - y), 1, 1);                        // up to sign
  expect(Residue(1) / (Residue(1) / (x + y)), 1, 1);                           // a denominator becomes the numerator
  expect(x / (x + y) * (x + y), 2, 1);                                         // not cancelled: a bound
  expect(Residue(1) / Residue(4) + Residue(1) / Residue(2), 0, std::log2(6));  // 6/8
  EXPECT_LT(Residue(0).degree(), 0);
  EXPECT_LT((Residue(0) * x).degree(), 0);
  expect(Residue(0) + x, 1, 0);
}

TEST_F(Residues, belong_to_the_prime_that_they_were_made_with) {
  const Residue nothing, difference = x - x, square = x * x;
  Residue::choose_prime(generator);
  const Residue z = Residue::variable(generator);
  EXPECT_THROW(static_cast<void>(z + x), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(x - z), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(square * z), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(z / x), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(z == x), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(-x), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(x.value()), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(x.is_zero()), livi::MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(magnitude(difference)), livi::MadeBeforeThePrime);  // zero modulo the old prime
  EXPECT_EQ(z + nothing, z);  // zero by construction is zero modulo all primes
  EXPECT_TRUE((nothing * z).is_zero());
}

TEST_F(Residues, of_constants_follow_to_any_prime) {
  const Residue third = Residue(1) / Residue(3), tenth(0.1), none = Residue(2) - Residue(2), product = third * tenth;
  const Residue large = Residue(INT64_MAX) * Residue(INT64_MAX - 1);  // beyond 63 bits: not known
  Residue::choose_prime(generator);
  const Residue z = Residue::variable(generator);
  EXPECT_EQ(z * third * Residue(3), z);
  EXPECT_EQ(third * z * Residue(3), z);
  EXPECT_EQ(z / third, z * Residue(3));
  EXPECT_EQ(third / z, Residue(1) / (Residue(3) * z));
  EXPECT_EQ(third - z, Residue(1) / Residue(3) - z);
  EXPECT_EQ(-third, Residue(-1) / Residue(3));
  EXPECT_EQ(tenth, Residue(0.1));
  EXPECT_EQ(product, Residue(0.1) / Residue(3));
  EXPECT_EQ(third.value(), (Residue(1) / Residue(3)).value());
  EXPECT_EQ(z + none, z);
  EXPECT_EQ(third.degree(), 0);
  EXPECT_NEAR(third.height(), 0, 1e-12);
  Residue sum = third;
  sum += sum;
  EXPECT_EQ(sum, Residue(2) / Residue(3));
  EXPECT_THROW(static_cast<void>(z + large), livi::MadeBeforeThePrime);
  // Its divisor is one of the field in force.
  Residue::choose_prime(generator);
  const Residue w = Residue::variable(generator), quotient = w / (w + Residue(1)) + third;
  EXPECT_EQ(quotient.degree(), 1);  // (3 w + w + 1) / (3 (w + 1))
  EXPECT_NEAR(quotient.height(), std::log2(5), 1e-12);
}

TEST(SmallRationals, are_exact_or_unknown) {
  using livi::SmallRational;
  std::mt19937_64 generator(3);
  const auto exact = [](const SmallRational& x) {
    livi::Rational power = 1;
    for (int k = 0; k < std::abs(x.exponent()); ++k) power *= 2;
    const livi::Rational quotient = livi::Rational(x.numerator()) / x.denominator();
    return livi::Rational(x.exponent() < 0 ? quotient / power : quotient * power);
  };
  int known = 0;
  for (int k = 0; k < 4000; ++k) {
    const auto draw = [&] {
      // All sizes, both signs, zero now and then.
      const auto integer = [&] { return static_cast<std::int64_t>(generator()) >> (generator() % 64); };
      const std::int64_t denominator = integer();
      return SmallRational(integer()) / SmallRational(denominator == 0 ? 1 : denominator);
    };
    const SmallRational x = draw(), y = draw();
    if (!x.is_known() || !y.is_known()) continue;
    const auto expect = [&](const SmallRational& result, const livi::Rational& expected) {
      if (!result.is_known()) return;
      ++known;
      EXPECT_EQ(exact(result), expected);
      EXPECT_GT(result.denominator(), 0);
    };
    expect(x + y, exact(x) + exact(y));
    expect(x - y, exact(x) - exact(y));
    expect(x * y, exact(x) * exact(y));
    if (y.numerator() != 0) expect(x / y, exact(x) / exact(y));
    expect(-x, -exact(x));
  }
  EXPECT_GT(known, 8000) << "most of them fit";
  EXPECT_FALSE(SmallRational(INT64_MIN).is_known());
  EXPECT_FALSE((SmallRational(INT64_MAX) + SmallRational(INT64_MAX)).is_known());
  EXPECT_FALSE((SmallRational::unknown() * SmallRational(0)).is_known());
}

TEST_F(Residues, have_no_size_and_no_sign) {
  using livi::leading, livi::magnitude, livi::NotRational;
  EXPECT_TRUE(magnitude(x - x) == 0);
  EXPECT_TRUE(0 < magnitude(x));
  EXPECT_FALSE(magnitude(x) <= 0);
  EXPECT_TRUE(leading(x) != 0);
  EXPECT_TRUE(magnitude(Dual<Residue>(Residue(0), x)) != 0);
  EXPECT_THROW(static_cast<void>(magnitude(x) < 2), NotRational);
  EXPECT_THROW(static_cast<void>(magnitude(x) < magnitude(y)), NotRational);
  EXPECT_THROW(static_cast<void>(magnitude(x) == 1), NotRational);
  EXPECT_THROW(static_cast<void>(leading(x) < 0), NotRational);
  EXPECT_THROW(static_cast<void>(leading(Residue(1)) > 0), NotRational);
  EXPECT_THROW(static_cast<void>(leading(x) + leading(y) == 0), NotRational);  // they may cancel
  EXPECT_THROW(static_cast<void>(livi::to_double(x)), NotRational);
  EXPECT_THROW(static_cast<void>(livi::to_double(magnitude(x))), NotRational);
}

TEST_F(Residues, count_every_comparison_that_a_branch_may_depend_on) {
  const auto counted = [](const auto& compare) {
    const auto before = Residue::branches();
    static_cast<void>(compare());
    return Residue::branches().degree - before.degree;
  };
  EXPECT_EQ(counted([&] { return x * x == y; }), 2);
  EXPECT_EQ(counted([&] { return x != y; }), 1);
  EXPECT_EQ(counted([&] { return x * x * x == Residue(0); }), 3);
  EXPECT_EQ(counted([&] { return magnitude(x); }), 1);
  EXPECT_EQ(counted([&] { return livi::CubicNumber<Residue>(x, y, x) == livi::CubicNumber<Residue>(x, y, y); }), 3);
  EXPECT_EQ(counted([&] { return livi::CubicNumber<Residue>(x, y, x) == livi::CubicNumber<Residue>(y, y, y); }), 1);

  // Divisors are recognised up to sign: the sum and the difference of each pair must not vanish.
  static_cast<void>(x / (x + y) / (x * y));
  EXPECT_EQ(Residue::comparisons().degree - Residue::branches().degree, 2 * 2);
  EXPECT_EQ(Residue::comparisons().height - Residue::branches().height, 2 * 2);  // x y and x + y: at most 1 + 1 bits
  static_cast<void>(x / (x + y));                                                // the same polynomials again
  EXPECT_EQ(Residue::comparisons().degree - Residue::branches().degree, 2 * 2);
}

TEST_F(Residues, zero_divided_is_undefined_where_the_divisor_vanishes) {
  EXPECT_TRUE((Residue(0) / (x + y)).is_zero());
  EXPECT_EQ(Residue::all_divisors().degree, 1);
}

/// Values as text, to be replayed with nothing but the list of operations.
TEST_F(Residues, computations_can_be_recorded_and_replayed_modulo_other_primes) {
  const auto statement = [](auto& draw) {
    const auto a = draw.variable("a"), b = draw.variable("b");
    auto quotient = (a * a - b * b) / (a + b) * 0.375;  // 3/8 (a - b)
    if (quotient == a) quotient = a;
    return std::vector{quotient - (a - b) * 3 / 8, -quotient - decltype(quotient)()};
  };
  const livi::RecordedStatement recorded = livi::record_statement(statement);
  EXPECT_EQ(recorded.program.variables, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(recorded.program.outputs.size(), 2u);
  ASSERT_EQ(recorded.program.comparisons.size(), 1u);
  EXPECT_FALSE(recorded.program.comparisons[0].zero);
  const livi::Replay same = livi::replay(recorded.program, recorded.values, recorded.prime);
  EXPECT_EQ(same.outputs, recorded.outputs);
  EXPECT_TRUE(same.same_branches);
  EXPECT_EQ(same.outputs[0], 0u);
  EXPECT_NE(same.outputs[1], 0u);
  // By hand modulo 101, where 1/8 = 38: a = 7, b = 3, -3/8 (a - b) = -(12 * 38) = -456 = 49.
  const livi::Replay other = livi::replay(recorded.program, {7, 3}, 101);
  EXPECT_EQ(other.outputs, (std::vector<std::uint64_t>{0, 49}));
  EXPECT_TRUE(other.same_branches);
  // 3/8 (a - b) = a where 5 a = -3 b: a = 3, b = -5.
  EXPECT_FALSE(livi::replay(recorded.program, {3, 96}, 101).same_branches);
  EXPECT_THROW(static_cast<void>(livi::replay(recorded.program, {3, 98}, 101)), livi::SingularPoint);
  EXPECT_EQ(livi::residue_detail::field().recorder, nullptr);

  livi::StraightLineProgram program;
  const Residue before = x;
  const livi::ResidueRecording recording(program, generator);
  EXPECT_THROW(static_cast<void>(before + Residue(1)), livi::MadeBeforeThePrime);
}

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

// --- orders ---------------------------------------------------------------------------------------------------------

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

}  // namespace
