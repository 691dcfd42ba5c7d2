// SPDX-License-Identifier: MIT
#include <istream>
#include <livi/scalar/boost_multiprecision.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <ostream>
#include <type_traits>

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
template <unsigned D>
BoostFloat<D>& at(FloatOfDigits<D>& x) {
  return FloatAccess::number(x);
}
template <unsigned D>
const BoostFloat<D>& at(const FloatOfDigits<D>& x) {
  return FloatAccess::number(x);
}
BoostInteger& at(Integer& x) { return IntegerAccess::number(x); }
const BoostInteger& at(const Integer& x) { return IntegerAccess::number(x); }
BoostRational& at(Rational& x) { return RationalAccess::number(x); }
const BoostRational& at(const Rational& x) { return RationalAccess::number(x); }
}  // namespace

template <unsigned D>
FloatOfDigits<D>::FloatOfDigits() {
  using Number = BoostFloat<D>;
  static_assert(sizeof(number_) == sizeof(Number) && alignof(FloatOfDigits) >= alignof(Number));
  static_assert(std::is_trivially_destructible_v<Number> && std::is_trivially_copyable_v<FloatOfDigits>);
  static_assert(std::numeric_limits<Number>::digits == std::numeric_limits<FloatOfDigits>::digits);
  static_assert(std::numeric_limits<Number>::max_digits10 == std::numeric_limits<FloatOfDigits>::max_digits10);
  new (number_) Number();
}
template <unsigned D>
FloatOfDigits<D>::FloatOfDigits(const char* text) {
  new (number_) BoostFloat<D>(text);
}
template <unsigned D>
FloatOfDigits<D>::FloatOfDigits(const Integer& x) {
  new (number_) BoostFloat<D>(at(x));
}
template <unsigned D>
FloatOfDigits<D>::FloatOfDigits(const Rational& x) {
  new (number_) BoostFloat<D>(at(x));
}
template <unsigned D>
void FloatOfDigits<D>::set(double x) {
  new (number_) BoostFloat<D>(x);
}
template <unsigned D>
void FloatOfDigits<D>::set(long double x) {
  new (number_) BoostFloat<D>(x);
}
template <unsigned D>
void FloatOfDigits<D>::set(long long x) {
  new (number_) BoostFloat<D>(x);
}
template <unsigned D>
void FloatOfDigits<D>::set(unsigned long long x) {
  new (number_) BoostFloat<D>(x);
}
template <unsigned D>
template <unsigned Other>
void FloatOfDigits<D>::set(const FloatOfDigits<Other>& x) {
  new (number_) BoostFloat<D>(at(x));
}
template <unsigned D>
double FloatOfDigits<D>::to_double() const {
  return at(*this).template convert_to<double>();
}
template <unsigned D>
long double FloatOfDigits<D>::to_long_double() const {
  return at(*this).template convert_to<long double>();
}
template <unsigned D>
long long FloatOfDigits<D>::to_long_long() const {
  return at(*this).template convert_to<long long>();
}
template <unsigned D>
unsigned long long FloatOfDigits<D>::to_unsigned_long_long() const {
  return at(*this).template convert_to<unsigned long long>();
}
template <unsigned D>
std::string FloatOfDigits<D>::str(std::streamsize digits, std::ios_base::fmtflags flags) const {
  return at(*this).str(digits, flags);
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator+=(const FloatOfDigits& b) {
  at(*this) += at(b);
  return *this;
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator-=(const FloatOfDigits& b) {
  at(*this) -= at(b);
  return *this;
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator*=(const FloatOfDigits& b) {
  at(*this) *= at(b);
  return *this;
}
template <unsigned D>
FloatOfDigits<D>& FloatOfDigits<D>::operator/=(const FloatOfDigits& b) {
  at(*this) /= at(b);
  return *this;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::sum(const FloatOfDigits& a, const FloatOfDigits& b) {
  return from_boost<D>(at(a) + at(b));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::difference(const FloatOfDigits& a, const FloatOfDigits& b) {
  return from_boost<D>(at(a) - at(b));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::product(const FloatOfDigits& a, const FloatOfDigits& b) {
  return from_boost<D>(at(a) * at(b));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::quotient(const FloatOfDigits& a, const FloatOfDigits& b) {
  return from_boost<D>(at(a) / at(b));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::angle(const FloatOfDigits& y, const FloatOfDigits& x) {
  return from_boost<D>(atan2(at(y), at(x)));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::power(const FloatOfDigits& x, const FloatOfDigits& y) {
  return from_boost<D>(pow(at(x), at(y)));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::power(const FloatOfDigits& x, int n) {
  return from_boost<D>(pow(at(x), n));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::scaled(const FloatOfDigits& x, int exponent) {
  return from_boost<D>(ldexp(at(x), exponent));
}
template <unsigned D>
bool FloatOfDigits<D>::equal(const FloatOfDigits& a, const FloatOfDigits& b) {
  return at(a) == at(b);
}
template <unsigned D>
std::partial_ordering FloatOfDigits<D>::compare(const FloatOfDigits& a, const FloatOfDigits& b) {
  if (a.is_nan() || b.is_nan()) return std::partial_ordering::unordered;
  return at(a).compare(at(b)) <=> 0;
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::negative() const {
  return from_boost<D>(-at(*this));
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::of(Function function) const {
  const BoostFloat<D>& x = at(*this);
  switch (function) {
    case Function::abs:
      return from_boost<D>(abs(x));
    case Function::sqrt:
      return from_boost<D>(sqrt(x));
    case Function::exp:
      return from_boost<D>(exp(x));
    case Function::expm1:
      return from_boost<D>(expm1(x));
    case Function::log1p:
      return from_boost<D>(log1p(x));
    case Function::log:
      return from_boost<D>(log(x));
    case Function::log10:
      return from_boost<D>(log10(x));
    case Function::sin:
      return from_boost<D>(sin(x));
    case Function::cos:
      return from_boost<D>(cos(x));
    case Function::tan:
      return from_boost<D>(tan(x));
    case Function::asin:
      return from_boost<D>(asin(x));
    case Function::acos:
      return from_boost<D>(acos(x));
    case Function::atan:
      return from_boost<D>(atan(x));
    case Function::sinh:
      return from_boost<D>(sinh(x));
    case Function::cosh:
      return from_boost<D>(cosh(x));
    case Function::tanh:
      return from_boost<D>(tanh(x));
    case Function::floor:
      return from_boost<D>(floor(x));
    case Function::ceil:
      return from_boost<D>(ceil(x));
    case Function::round:
      return from_boost<D>(round(x));
    case Function::trunc:
      return from_boost<D>(trunc(x));
  }
  return limit(Limit::nan);
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::fraction(int* exponent) const {
  return from_boost<D>(frexp(at(*this), exponent));
}
template <unsigned D>
bool FloatOfDigits<D>::is_finite() const {
  return boost::multiprecision::isfinite(at(*this));
}
template <unsigned D>
bool FloatOfDigits<D>::is_nan() const {
  return boost::multiprecision::isnan(at(*this));
}
template <unsigned D>
std::ostream& FloatOfDigits<D>::write(std::ostream& out) const {
  return out << at(*this);
}
template <unsigned D>
std::istream& FloatOfDigits<D>::read(std::istream& in) {
  return in >> at(*this);
}
template <unsigned D>
FloatOfDigits<D> FloatOfDigits<D>::limit(Limit which) {
  using Limits = std::numeric_limits<BoostFloat<D>>;
  switch (which) {
    case Limit::epsilon:
      return from_boost<D>(Limits::epsilon());
    case Limit::smallest:
      return from_boost<D>((Limits::min)());
    case Limit::largest:
      return from_boost<D>((Limits::max)());
    case Limit::infinity:
      return from_boost<D>(Limits::infinity());
    case Limit::nan:
      break;
  }
  return from_boost<D>(Limits::quiet_NaN());
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
Integer::Integer(const Float50& x) { new (number_) BoostInteger(at(x)); }
Integer::Integer(const Float100& x) { new (number_) BoostInteger(at(x)); }
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
