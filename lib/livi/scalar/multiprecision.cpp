// SPDX-License-Identifier: MIT
//
// The numbers of multiprecision.hpp. One file, for each of them is made of Boost's, whose headers take the compiler longer
// than all that is written here.
#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <istream>
#include <limits>
#include <new>
#include <ostream>
#include <stdexcept>
#include <type_traits>
// After <cstdint>, whose intmax_t it takes.
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

#include <livi/scalar/boost_multiprecision.hpp>
#include <livi/scalar/multiprecision.hpp>

namespace livi {

struct IntegerAccess {
  static BoostInteger& number(Integer& x) { return *std::launder(reinterpret_cast<BoostInteger*>(x.number_)); }
  static const BoostInteger& number(const Integer& x) {
    return *std::launder(reinterpret_cast<const BoostInteger*>(x.number_));
  }
  static Integer made(BoostInteger&& x) {
    Integer result;
    number(result) = std::move(x);
    return result;
  }
  static_assert(sizeof(Integer::number_) == sizeof(BoostInteger) && alignof(Integer) >= alignof(BoostInteger));
};
struct RationalAccess {
  static BoostRational& number(Rational& x) { return *std::launder(reinterpret_cast<BoostRational*>(x.number_)); }
  static const BoostRational& number(const Rational& x) {
    return *std::launder(reinterpret_cast<const BoostRational*>(x.number_));
  }
  static Rational made(BoostRational&& x) {
    Rational result;
    number(result) = std::move(x);
    return result;
  }
  static_assert(sizeof(Rational::number_) == sizeof(BoostRational) && alignof(Rational) >= alignof(BoostRational));
};

namespace {
BoostInteger& at(Integer& x) { return IntegerAccess::number(x); }
const BoostInteger& at(const Integer& x) { return IntegerAccess::number(x); }
BoostRational& at(Rational& x) { return RationalAccess::number(x); }
const BoostRational& at(const Rational& x) { return RationalAccess::number(x); }

/// Sees to it that MPFR gives back, when this thread ends, the constants such as pi that it keeps for each thread.
void forget_constants_when_the_thread_ends() {
  struct AtTheEnd {
    ~AtTheEnd() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const AtTheEnd at_the_end;
  static_cast<void>(at_the_end);
}

// Sums and products of regular numbers, rounded to nearest as MPFR does it. MPFR's own take twice the time, 25 and
// 18 ns for 50 digits: they branch on bits of the significands, which a processor cannot guess, and need their arguments
// in another form. A significand has n limbs, the highest bit of the highest set, the lowest `spare` bits of the lowest zero.
using Limb = std::uint64_t;
__extension__ typedef unsigned __int128 TwoLimbs;

/// Rounds s, whose lowest `spare` bits are too many, to nearest, and to even from the middle. `lost` is not zero where the
/// number is not s but between s and the next that the limbs can have. Returns the change of the exponent, 0 or 1.
template <int n, int spare>
[[gnu::always_inline]] inline int round_to_nearest(Limb* s, Limb lost) {
  static_assert(spare >= 2);  // the middle is no bit that `lost` stands for
  const Limb is_odd = s[0] >> spare & 1;
  TwoLimbs sum = TwoLimbs(s[0] | Limb(lost != 0)) + ((Limb(1) << (spare - 1)) - 1 + is_odd);
  s[0] = Limb(sum) >> spare << spare;
#pragma GCC unroll 8
  for (int i = 1; i < n; ++i) s[i] = Limb(sum = (sum >> 64) + s[i]);
  if (sum >> 64 == 0) return 0;
  s[n - 1] = Limb(1) << 63;
  return 1;
}

/// Writes b 2^-shift to s and returns what of it is lost, some number that is not zero where the lost bits are not.
template <int n>
[[gnu::always_inline]] inline Limb shift_right(Limb* s, const Limb* b, unsigned shift) {
  const unsigned bits = shift % 64, whole = std::min(shift / 64, unsigned(n));
  if (whole == 0) {
#pragma GCC unroll 8
    for (int i = 0; i < n - 1; ++i) s[i] = b[i] >> bits | b[i + 1] << 1 << (63 - bits);
    s[n - 1] = b[n - 1] >> bits;
    return b[0] << 1 << (63 - bits);
  }
  Limb wide[2 * n + 1] = {}, lost = 0;
  std::copy(b, b + n, wide);
  for (unsigned i = 0; i < whole; ++i) lost |= wide[i];
#pragma GCC unroll 8
  for (unsigned i = 0; i < unsigned(n); ++i) s[i] = wide[i + whole] >> bits | wide[i + whole + 1] << 1 << (63 - bits);
  return lost | wide[whole] << 1 << (63 - bits);
}

/// Writes a + b 2^-shift to s. Returns the change of the exponent.
template <int n, int spare>
[[gnu::always_inline]] inline int add(Limb* s, const Limb* a, const Limb* b, unsigned shift) {
  Limb lost = shift_right<n>(s, b, shift);
  TwoLimbs sum = 0;
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) s[i] = Limb(sum = (sum >> 64) + a[i] + s[i]);
  const int carry = int(sum >> 64);
  lost |= s[0] & Limb(carry);
#pragma GCC unroll 8
  for (int i = 0; i < n - 1; ++i) s[i] = s[i] >> carry | (s[i + 1] & Limb(carry)) << 63;
  s[n - 1] = s[n - 1] >> carry | Limb(carry) << 63;
  return carry + round_to_nearest<n, spare>(s, lost);
}

/// Writes |a - b 2^-shift| to s. Returns the change of the exponent; s is zero where the difference is.
template <int n, int spare>
[[gnu::always_inline]] inline int subtract(Limb* s, const Limb* a, const Limb* b, unsigned shift, bool& is_negative) {
  // Where bits are lost, shift > spare >= 2 and the difference above 1/4: it moves up by a bit at most.
  const Limb lost = shift_right<n>(s, b, shift);
  Limb borrow = lost != 0;
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) {
    const TwoLimbs difference = TwoLimbs(a[i]) - s[i] - borrow;
    s[i] = Limb(difference);
    borrow = Limb(difference >> 64) & 1;
  }
  is_negative = borrow != 0;  // only without a shift
  if (is_negative) {
    TwoLimbs sum = TwoLimbs(1) << 64;
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) s[i] = Limb(sum = (sum >> 64) + ~s[i]);
  }
  int change = 0;
  for (; s[n - 1] == 0 && change > -64 * n; change -= 64) {
    std::copy_backward(s, s + n - 1, s + n);
    s[0] = 0;
  }
  if (s[n - 1] == 0) return 0;
  const int zeros = std::countl_zero(s[n - 1]);
#pragma GCC unroll 8
  for (int i = n - 1; i > 0; --i) s[i] = s[i] << zeros | s[i - 1] >> 1 >> (63 - zeros);
  s[0] <<= zeros;
  return change - zeros + round_to_nearest<n, spare>(s, lost);
}

/// Writes a b to s. Returns the change of the exponent.
template <int n, int spare>
[[gnu::always_inline]] inline int multiply(Limb* s, const Limb* a, const Limb* b) {
  Limb product[2 * n] = {};
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) {
    TwoLimbs sum = 0;
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) product[i + j] = Limb(sum = (sum >> 64) + TwoLimbs(a[i]) * b[j] + product[i + j]);
    product[i + n] = Limb(sum >> 64);
  }
  const int zeros = int(~product[2 * n - 1] >> 63);  // at most one: both factors are at least 1/2
  Limb lost = product[n - 1] << zeros;
#pragma GCC unroll 8
  for (int i = 0; i < n - 1; ++i) {
    lost |= product[i];
  }
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) s[i] = product[n + i] << zeros | product[n + i - 1] >> 1 >> (63 - zeros);
  return round_to_nearest<n, spare>(s, lost) - zeros;
}
}  // namespace

// Written as the manual of MPFR has it in "Custom Interface".
template <unsigned D>
class FloatOfDigits<D>::Argument {
  static_assert(std::is_trivially_copyable_v<FloatOfDigits> && std::is_trivially_destructible_v<FloatOfDigits>);
  static_assert(std::is_same_v<mp_limb_t, std::uint64_t> && mpfr_custom_get_size(bits) == sizeof limbs_);
  static_assert(nan == MPFR_NAN_KIND && infinite == MPFR_INF_KIND && zero == MPFR_ZERO_KIND &&
                regular == MPFR_REGULAR_KIND);
  static_assert(std::numeric_limits<BoostFloat<D>>::digits == bits);
  static_assert(std::numeric_limits<BoostFloat<D>>::max_digits10 == std::numeric_limits<FloatOfDigits>::max_digits10);

 public:
  explicit Argument(const FloatOfDigits& x) {
    mpfr_custom_init_set(number_, x.kind_, x.exponent_, bits, const_cast<std::uint64_t*>(x.limbs_));
  }
  operator mpfr_srcptr() const { return number_; }  // NOLINT(google-explicit-constructor): that is what it is for

  // result = a + b, where b has this kind in the place of its own, and result = a b. The result may be a or b; it is written limb by limb
  // and last, for a number that is copied just after it was written has to be waited for.
  static void set_to_sum(FloatOfDigits& result, const FloatOfDigits& a, const FloatOfDigits& b, std::int32_t kind_of_b);
  static void set_to_product(FloatOfDigits& result, const FloatOfDigits& a, const FloatOfDigits& b);

 private:
  mpfr_t number_;
};

// Results do not share limbs with arguments: MPFR would have to know that by its own pointers.
template <unsigned D>
template <class Operation>
FloatOfDigits<D> FloatOfDigits<D>::computed(const Operation& operation) {
  FloatOfDigits result;
  mpfr_t number;
  mpfr_custom_init(result.limbs_, bits);
  mpfr_custom_init_set(number, MPFR_ZERO_KIND, 0, bits, result.limbs_);
  operation(number);
  result.kind_ = mpfr_custom_get_kind(number);
  if (mpfr_regular_p(number)) result.exponent_ = static_cast<std::int32_t>(mpfr_custom_get_exp(number));
  return result;
}

template <unsigned D>
void FloatOfDigits<D>::Argument::set_to_sum(FloatOfDigits& result, const FloatOfDigits& a, const FloatOfDigits& b,
                                            std::int32_t kind_of_b) {
  const std::int32_t kind_of_a = a.kind_;
  if (std::abs(kind_of_a) == regular && std::abs(kind_of_b) == regular) [[likely]] {
    const bool b_is_larger = a.exponent_ < b.exponent_;
    const FloatOfDigits &larger = b_is_larger ? b : a, &smaller = b_is_larger ? a : b;
    const auto shift = static_cast<unsigned>(larger.exponent_ - smaller.exponent_);
    Limb s[limbs];
    int change;
    bool is_negative = false;
    if (kind_of_a == kind_of_b) {
      change = add<limbs, 64 * limbs - bits>(s, larger.limbs_, smaller.limbs_, shift);
    } else {
      change = subtract<limbs, 64 * limbs - bits>(s, larger.limbs_, smaller.limbs_, shift, is_negative);
      if (s[limbs - 1] == 0) {
        result = FloatOfDigits();
        return;
      }
    }
    const std::int32_t exponent = larger.exponent_ + change;
    if (std::abs(exponent) <= largest_exponent) [[likely]] {
      const std::int32_t kind = b_is_larger ? kind_of_b : kind_of_a;
      for (int i = 0; i < limbs; ++i) result.limbs_[i] = s[i];
      result.exponent_ = exponent;
      result.kind_ = is_negative ? -kind : kind;
      return;
    }
  } else if (a.is_finite() && b.is_finite()) {
    // Zeros are common: parts of polynomials, of Hessians, of dual numbers.
    if (std::abs(kind_of_a) == regular) {
      result = a;
    } else if (std::abs(kind_of_b) == regular || kind_of_a == kind_of_b) {
      result = b;
      result.kind_ = kind_of_b;
    } else {
      result = FloatOfDigits();  // 0 - 0
    }
    return;
  }
  FloatOfDigits signed_b = b;
  signed_b.kind_ = kind_of_b;
  result = computed([&](mpfr_ptr sum) { mpfr_add(sum, Argument(a), Argument(signed_b), MPFR_RNDN); });
}
template <unsigned D>
void FloatOfDigits<D>::Argument::set_to_product(FloatOfDigits& result, const FloatOfDigits& a, const FloatOfDigits& b) {
  const std::int32_t sign = (a.kind_ < 0) == (b.kind_ < 0) ? 1 : -1;
  if (std::abs(a.kind_) == regular && std::abs(b.kind_) == regular) [[likely]] {
    Limb s[limbs];
    const int change = multiply<limbs, 64 * limbs - bits>(s, a.limbs_, b.limbs_);
    const std::int64_t exponent = std::int64_t(a.exponent_) + b.exponent_ + change;
    if (std::abs(exponent) <= largest_exponent) [[likely]] {
      for (int i = 0; i < limbs; ++i) result.limbs_[i] = s[i];
      result.exponent_ = static_cast<std::int32_t>(exponent);
      result.kind_ = sign * regular;
      return;
    }
  } else if (a.is_finite() && b.is_finite()) {  // one of them is zero
    result = FloatOfDigits();
    result.kind_ = sign * zero;
    return;
  }
  result = computed([&](mpfr_ptr product) { mpfr_mul(product, Argument(a), Argument(b), MPFR_RNDN); });
}
template <unsigned D>
FloatOfDigits<D>::FloatOfDigits(const char* text) : FloatOfDigits(from_boost<D>(BoostFloat<D>(text))) {}
template <unsigned D>
FloatOfDigits<D>::FloatOfDigits(const Integer& x) : FloatOfDigits(from_boost<D>(BoostFloat<D>(at(x)))) {}
template <unsigned D>
FloatOfDigits<D>::FloatOfDigits(const Rational& x) : FloatOfDigits(from_boost<D>(BoostFloat<D>(at(x)))) {}
template <unsigned D>
void FloatOfDigits<D>::set(double x) {
  *this = computed([&](mpfr_ptr result) { mpfr_set_d(result, x, MPFR_RNDN); });
}
template <unsigned D>
void FloatOfDigits<D>::set(long double x) {
  *this = computed([&](mpfr_ptr result) { mpfr_set_ld(result, x, MPFR_RNDN); });
}
template <unsigned D>
void FloatOfDigits<D>::set(long long x) {
  // The magnitude of the smallest number is no long long.
  set(x < 0 ? 0 - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x));
  if (x < 0) kind_ = -kind_;
}
template <unsigned D>
void FloatOfDigits<D>::set(unsigned long long x) {
  static_assert(sizeof x == sizeof limbs_[0]);
  *this = FloatOfDigits();
  if (x == 0) return;
  const int leading_zeros = std::countl_zero(x);
  limbs_[limbs - 1] = x << leading_zeros;
  exponent_ = 64 - leading_zeros;
  kind_ = regular;
}
template <unsigned D>
template <unsigned Other>
void FloatOfDigits<D>::set(const FloatOfDigits<Other>& x) {
  const typename FloatOfDigits<Other>::Argument argument(x);
  *this = computed([&](mpfr_ptr result) { mpfr_set(result, argument, MPFR_RNDN); });
}
template <unsigned D>
double FloatOfDigits<D>::to_double() const {
  return is_nan() ? std::numeric_limits<double>::quiet_NaN() : mpfr_get_d(Argument(*this), MPFR_RNDN);
}
template <unsigned D>
long double FloatOfDigits<D>::to_long_double() const {
  return is_nan() ? std::numeric_limits<long double>::quiet_NaN() : mpfr_get_ld(Argument(*this), MPFR_RNDN);
}
template <unsigned D>
long long FloatOfDigits<D>::to_long_long() const {
  if (is_nan()) throw std::runtime_error("NaN is no whole number");
  return mpfr_get_sj(Argument(*this), MPFR_RNDZ);
}
template <unsigned D>
unsigned long long FloatOfDigits<D>::to_unsigned_long_long() const {
  if (is_nan()) throw std::runtime_error("NaN is no whole number");
  return mpfr_get_uj(Argument(*this), MPFR_RNDZ);
}
template <unsigned D>
std::string FloatOfDigits<D>::str(std::streamsize digits, std::ios_base::fmtflags flags) const {
  return to_boost(*this).str(digits, flags);
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator+=(const FloatOfDigits& b) {
  Argument::set_to_sum(*this, *this, b, b.kind_);
  return *this;
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator-=(const FloatOfDigits& b) {
  Argument::set_to_sum(*this, *this, b, -b.kind_);
  return *this;
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator*=(const FloatOfDigits& b) {
  Argument::set_to_product(*this, *this, b);
  return *this;
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator/=(const FloatOfDigits& b) {
  return *this = quotient(*this, b);
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::sum(const FloatOfDigits& a, const FloatOfDigits& b) {
  FloatOfDigits result;
  Argument::set_to_sum(result, a, b, b.kind_);
  return result;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::difference(const FloatOfDigits& a, const FloatOfDigits& b) {
  FloatOfDigits result;
  Argument::set_to_sum(result, a, b, -b.kind_);
  return result;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::product(const FloatOfDigits& a, const FloatOfDigits& b) {
  FloatOfDigits result;
  Argument::set_to_product(result, a, b);
  return result;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::quotient(const FloatOfDigits& a, const FloatOfDigits& b) {
  FloatOfDigits result;
  // Formulas divide by two more often than by anything else.
  bool by_power_of_two = b.limbs_[limbs - 1] == Limb(1) << 63;
  for (int i = 0; i < limbs - 1; ++i) by_power_of_two = by_power_of_two && b.limbs_[i] == 0;
  if (by_power_of_two && std::abs(a.kind_) == regular && std::abs(b.kind_) == regular) {
    result = a;
    result.exponent_ = a.exponent_ - b.exponent_ + 1;
    result.kind_ = a.kind_ == b.kind_ ? regular : -regular;
    if (std::abs(result.exponent_) <= largest_exponent) return result;
  }
  result = computed([&](mpfr_ptr quotient) { mpfr_div(quotient, Argument(a), Argument(b), MPFR_RNDN); });
  return result;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::angle(const FloatOfDigits& y, const FloatOfDigits& x) {
  forget_constants_when_the_thread_ends();
  return computed([&](mpfr_ptr result) { mpfr_atan2(result, Argument(y), Argument(x), MPFR_RNDN); });
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::power(const FloatOfDigits& x, const FloatOfDigits& y) {
  forget_constants_when_the_thread_ends();
  return computed([&](mpfr_ptr result) { mpfr_pow(result, Argument(x), Argument(y), MPFR_RNDN); });
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::power(const FloatOfDigits& x, int n) {
  forget_constants_when_the_thread_ends();
  return computed([&](mpfr_ptr result) { mpfr_pow_si(result, Argument(x), n, MPFR_RNDN); });
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::scaled(const FloatOfDigits& x, int exponent) {
  return computed([&](mpfr_ptr result) { mpfr_mul_2si(result, Argument(x), exponent, MPFR_RNDN); });
}
template <unsigned D>
bool FloatOfDigits<D>::equal(const FloatOfDigits& a, const FloatOfDigits& b) {
  return compare(a, b) == 0;
}
template <unsigned D>
std::partial_ordering FloatOfDigits<D>::compare(const FloatOfDigits& a, const FloatOfDigits& b) {
  if (a.is_nan() || b.is_nan()) return std::partial_ordering::unordered;
  const auto rank = [](std::int32_t kind) {
    return kind == regular ? 1 : kind == -regular ? -1 : kind == infinite ? 2 : kind == -infinite ? -2 : 0;
  };
  const int rank_of_a = rank(a.kind_), rank_of_b = rank(b.kind_);
  if (rank_of_a != rank_of_b || (rank_of_a != 1 && rank_of_a != -1)) return rank_of_a <=> rank_of_b;
  std::partial_ordering order = a.exponent_ <=> b.exponent_;
  for (int k = limbs - 1; order == 0 && k >= 0; --k) order = a.limbs_[k] <=> b.limbs_[k];
  return rank_of_a > 0 ? order : 0 <=> order;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::of(Function function) const {
  forget_constants_when_the_thread_ends();
  const Argument x(*this);
  return computed([&](mpfr_ptr result) {
    switch (function) {
      case Function::sqrt:
        return mpfr_sqrt(result, x, MPFR_RNDN);
      case Function::exp:
        return mpfr_exp(result, x, MPFR_RNDN);
      case Function::expm1:
        return mpfr_expm1(result, x, MPFR_RNDN);
      case Function::log1p:
        return mpfr_log1p(result, x, MPFR_RNDN);
      case Function::log:
        return mpfr_log(result, x, MPFR_RNDN);
      case Function::log10:
        return mpfr_log10(result, x, MPFR_RNDN);
      case Function::sin:
        return mpfr_sin(result, x, MPFR_RNDN);
      case Function::cos:
        return mpfr_cos(result, x, MPFR_RNDN);
      case Function::tan:
        return mpfr_tan(result, x, MPFR_RNDN);
      case Function::asin:
        return mpfr_asin(result, x, MPFR_RNDN);
      case Function::acos:
        return mpfr_acos(result, x, MPFR_RNDN);
      case Function::atan:
        return mpfr_atan(result, x, MPFR_RNDN);
      case Function::sinh:
        return mpfr_sinh(result, x, MPFR_RNDN);
      case Function::cosh:
        return mpfr_cosh(result, x, MPFR_RNDN);
      case Function::tanh:
        return mpfr_tanh(result, x, MPFR_RNDN);
      case Function::floor:
        return mpfr_floor(result, x);
      case Function::ceil:
        return mpfr_ceil(result, x);
      case Function::round:
        return mpfr_round(result, x);
      case Function::trunc:
        return mpfr_trunc(result, x);
    }
    mpfr_set_nan(result);
    return 0;
  });
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::fraction(int* exponent) const {
  FloatOfDigits result = *this;
  *exponent = std::exchange(result.exponent_, 0);
  return result;
}
template <unsigned D>
std::ostream& FloatOfDigits<D>::write(std::ostream& out) const {
  return out << to_boost(*this);
}
template <unsigned D>
std::istream& FloatOfDigits<D>::read(std::istream& in) {
  BoostFloat<D> x;
  if (in >> x) *this = from_boost<D>(x);
  return in;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::limit(Limit which) {
  FloatOfDigits result;
  result.kind_ = regular;
  result.limbs_[limbs - 1] = std::uint64_t(1) << 63;
  switch (which) {
    case Limit::epsilon:
      result.exponent_ = 2 - bits;
      break;
    case Limit::smallest:
      result.exponent_ = -largest_exponent;
      break;
    case Limit::largest:
      result.exponent_ = largest_exponent;
      std::ranges::fill(result.limbs_, ~std::uint64_t(0));
      result.limbs_[0] <<= 64 * limbs - bits;
      break;
    case Limit::infinity:
      result.kind_ = infinite;
      break;
    case Limit::nan:
      result.kind_ = nan;
      break;
  }
  return result;
}

template class FloatOfDigits<50>;
template class FloatOfDigits<60>;
template class FloatOfDigits<100>;
template void FloatOfDigits<50>::set(const FloatOfDigits<60>&);
template void FloatOfDigits<50>::set(const FloatOfDigits<100>&);
template void FloatOfDigits<60>::set(const FloatOfDigits<50>&);
template void FloatOfDigits<60>::set(const FloatOfDigits<100>&);
template void FloatOfDigits<100>::set(const FloatOfDigits<50>&);
template void FloatOfDigits<100>::set(const FloatOfDigits<60>&);

Integer::Integer() { new (number_) BoostInteger(); }
Integer::Integer(const char* decimal) { new (number_) BoostInteger(decimal); }
Integer::Integer(const Float50& x) { new (number_) BoostInteger(to_boost(x)); }
Integer::Integer(const Float100& x) { new (number_) BoostInteger(to_boost(x)); }
Integer::Integer(const Integer& x) { new (number_) BoostInteger(at(x)); }
Integer::Integer(Integer&& x) noexcept { new (number_) BoostInteger(std::move(at(x))); }
Integer& Integer::operator=(const Integer& x) {
  at(*this) = at(x);
  return *this;
}
Integer& Integer::operator=(Integer&& x) noexcept {
  at(*this) = std::move(at(x));
  return *this;
}
Integer::~Integer() { at(*this).~BoostInteger(); }
void Integer::set(long long x) { at(*this) = x; }
void Integer::set(unsigned long long x) { at(*this) = x; }
double Integer::to_double() const { return at(*this).convert_to<double>(); }
long long Integer::to_long_long() const { return at(*this).convert_to<long long>(); }
unsigned long long Integer::to_unsigned_long_long() const { return at(*this).convert_to<unsigned long long>(); }
std::string Integer::str() const { return at(*this).str(); }
Integer& Integer::operator+=(const Integer& b) {
  at(*this) += at(b);
  return *this;
}
Integer& Integer::operator-=(const Integer& b) {
  at(*this) -= at(b);
  return *this;
}
Integer& Integer::operator*=(const Integer& b) {
  at(*this) *= at(b);
  return *this;
}
Integer& Integer::operator/=(const Integer& b) {
  at(*this) /= at(b);
  return *this;
}
Integer& Integer::operator%=(const Integer& b) {
  at(*this) %= at(b);
  return *this;
}
Integer Integer::negated() const { return IntegerAccess::made(-at(*this)); }
int Integer::compare(const Integer& a, const Integer& b) { return at(a).compare(at(b)); }
Integer Integer::greatest_common_divisor(const Integer& a, const Integer& b) {
  return IntegerAccess::made(gcd(at(a), at(b)));
}
Integer Integer::least_common_multiple(const Integer& a, const Integer& b) {
  return IntegerAccess::made(lcm(at(a), at(b)));
}
Integer Integer::square_root(const Integer& x) { return IntegerAccess::made(sqrt(at(x))); }
Integer Integer::power(const Integer& x, unsigned n) { return IntegerAccess::made(pow(at(x), n)); }
std::size_t Integer::highest_bit() const { return msb(at(*this)); }
std::ostream& Integer::write(std::ostream& out) const { return out << at(*this); }

Rational::Rational() { new (number_) BoostRational(); }
Rational::Rational(double x) { new (number_) BoostRational(x); }
Rational::Rational(long double x) { new (number_) BoostRational(x); }
Rational::Rational(const Integer& x) { new (number_) BoostRational(at(x)); }
Rational::Rational(const Integer& numerator, const Integer& denominator) {
  if (denominator < 0) {  // Boost refuses it
    new (number_) BoostRational(-at(numerator), -at(denominator));
  } else {
    new (number_) BoostRational(at(numerator), at(denominator));
  }
}
Rational::Rational(const char* fraction) { new (number_) BoostRational(fraction); }
Rational::Rational(const Rational& x) { new (number_) BoostRational(at(x)); }
Rational::Rational(Rational&& x) noexcept { new (number_) BoostRational(std::move(at(x))); }
Rational& Rational::operator=(const Rational& x) {
  at(*this) = at(x);
  return *this;
}
Rational& Rational::operator=(Rational&& x) noexcept {
  at(*this) = std::move(at(x));
  return *this;
}
Rational::~Rational() { at(*this).~BoostRational(); }
void Rational::set(long long x) { at(*this) = x; }
void Rational::set(unsigned long long x) { at(*this) = x; }
double Rational::to_double() const { return at(*this).convert_to<double>(); }
long long Rational::to_long_long() const { return at(*this).convert_to<long long>(); }
unsigned long long Rational::to_unsigned_long_long() const { return at(*this).convert_to<unsigned long long>(); }
std::string Rational::str() const { return at(*this).str(); }
Rational& Rational::operator+=(const Rational& b) {
  at(*this) += at(b);
  return *this;
}
Rational& Rational::operator-=(const Rational& b) {
  at(*this) -= at(b);
  return *this;
}
Rational& Rational::operator*=(const Rational& b) {
  at(*this) *= at(b);
  return *this;
}
Rational& Rational::operator/=(const Rational& b) {
  at(*this) /= at(b);
  return *this;
}
Rational Rational::negated() const { return RationalAccess::made(-at(*this)); }
bool Rational::equal(const Rational& a, const Rational& b) { return at(a) == at(b); }
int Rational::compare(const Rational& a, const Rational& b) { return at(a).compare(at(b)); }
Integer Rational::numerator_of() const { return IntegerAccess::made(BoostInteger(numerator(at(*this)))); }
Integer Rational::denominator_of() const { return IntegerAccess::made(BoostInteger(denominator(at(*this)))); }
std::ostream& Rational::write(std::ostream& out) const { return out << at(*this); }
std::istream& Rational::read(std::istream& in) { return in >> at(*this); }

}  // namespace livi
