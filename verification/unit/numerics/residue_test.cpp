// SPDX-License-Identifier: MIT
//
// Residues are a field; they bound the degree and height of what a program computes, count its branches, and can be
// recorded and replayed modulo other primes.
#include <gtest/gtest.h>

#include <livi/diagnostics/certificate.hpp>
#include <livi/scalar/cubic_number.hpp>
#include <livi/scalar/dual.hpp>
#include <random>

namespace residue_test {

using livi::Dual;
using livi::magnitude;
using livi::Residue;

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

}  // namespace residue_test
