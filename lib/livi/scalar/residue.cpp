// SPDX-License-Identifier: MIT
#include <livi/scalar/residue.hpp>

namespace livi {
namespace residue_detail {

bool is_prime(std::uint64_t n) {
  constexpr std::uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (const std::uint64_t b : bases)
    if (n % b == 0) return n == b;
  if (n < 2) return false;
  std::uint64_t odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  const Modulus modulus(n);
  for (const std::uint64_t b : bases) {
    std::uint64_t x = modulus.power(b, odd);
    bool composite = x != 1 && x != n - 1;
    for (int i = 1; composite && i < twos; ++i) {
      x = modulus.multiply(x, x);
      composite = x != n - 1;
    }
    if (composite) return false;
  }
  return true;
}

std::uint32_t next_epoch() {
  static std::atomic<std::uint32_t> epochs{0};
  return ++epochs;
}

Field& field() {
  static thread_local Field instance;
  return instance;
}

}  // namespace residue_detail

Residue::Residue(const Residue& x) = default;
Residue& Residue::operator=(const Residue& x) = default;
Residue::~Residue() = default;

Residue::Residue(const Whole& constant) {
  const long long wide = constant.value;
  const auto& field = residue_detail::field();
  const std::uint64_t p = field.modulus.value();
  const std::uint64_t size = (wide < 0 ? ~static_cast<std::uint64_t>(wide) + 1 : static_cast<std::uint64_t>(wide));
  value_ = size < p ? size : size % p;
  if (wide < 0) value_ = field.modulus.negative(value_);
  if (size != 0) degree_ = 0, height_ = std::log2(static_cast<double>(size));
  constant_ = SmallRational(wide);
  epoch_ = field.epoch;
  if (field.recorder) number_ = field.recorder->append_constant(wide);
}

Residue::Residue(double constant) {
  if (!std::isfinite(constant)) throw NotRational("an infinite constant");
  int exponent = 0;
  auto mantissa = static_cast<long long>(std::ldexp(std::frexp(constant, &exponent), 53));
  exponent -= 53;
  for (; mantissa != 0 && mantissa % 2 == 0 && exponent < 0; mantissa /= 2) ++exponent;
  *this = Residue(mantissa);
  if (mantissa == 0) return;
  const Residue two(2);
  for (; exponent < 0; ++exponent) *this /= two;
  for (; exponent > 0; --exponent) *this *= two;
}

residue_detail::Events Residue::all_divisors() {
  residue_detail::Events sum;
  for (const auto& divisor : residue_detail::field().divisors) sum.add(divisor.degree, divisor.height);
  return sum;
}

residue_detail::Events Residue::comparisons() {
  residue_detail::Events sum = branches();
  const auto& divisors = residue_detail::field().divisors;
  for (std::size_t i = 0; i < divisors.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      sum.add(2 * std::max(divisors[i].degree, divisors[j].degree),
              2 * (std::max(divisors[i].height, divisors[j].height) + 1));
  return sum;
}

bool Residue::compare_with_zero() const {
  auto& field = residue_detail::field();
  if (epoch_ != field.epoch) return renewed().compare_with_zero();
  field.comparisons.add(degree_, height_);
  if (field.recorder) field.recorder->comparisons.push_back({number(field), value_ == 0});
  return value_ == 0;
}

std::uint64_t Residue::value() const { return epoch_ == residue_detail::field().epoch ? value_ : renewed().value_; }

void Residue::record_output() const {
  auto& field = residue_detail::field();
  if (epoch_ != field.epoch) return renewed().record_output();
  if (field.recorder) field.recorder->outputs.push_back(number(field));
}

Residue& Residue::operator+=(const Residue& b) {
  auto& field = residue_detail::field();
  if (b.epoch_ != field.epoch) return *this += b.renewed();
  if (epoch_ != field.epoch) *this = renewed();
  constant_ = constant_ + b.constant_;
  const std::uint64_t p = field.modulus.value(), sum = value_ + b.value_;
  value_ = sum >= p ? sum - p : sum;
  record(field, StraightLineProgram::Operation::add, b);
  bound_sum(b);
  return *this;
}

Residue& Residue::operator-=(const Residue& b) {
  auto& field = residue_detail::field();
  if (b.epoch_ != field.epoch) return *this -= b.renewed();
  if (epoch_ != field.epoch) *this = renewed();
  constant_ = constant_ - b.constant_;
  value_ = value_ >= b.value_ ? value_ - b.value_ : value_ + field.modulus.value() - b.value_;
  record(field, StraightLineProgram::Operation::subtract, b);
  bound_sum(b);
  return *this;
}

Residue& Residue::operator*=(const Residue& b) {
  auto& field = residue_detail::field();
  if (b.epoch_ != field.epoch) return *this *= b.renewed();
  if (epoch_ != field.epoch) *this = renewed();
  constant_ = constant_ * b.constant_;
  value_ = field.modulus.multiply(value_, b.value_);
  record(field, StraightLineProgram::Operation::multiply, b);
  if (zero_by_construction() || b.zero_by_construction()) {
    value_ = 0;
    constant_ = {};
    degree_ = -std::numeric_limits<double>::infinity();
    height_ = 0;
    exponents_.clear();
    return *this;
  }
  degree_ += b.degree_;
  height_ += b.height_;
  if (exponents_.size() < b.exponents_.size()) exponents_.resize(b.exponents_.size(), 0);
  for (std::size_t i = 0; i < b.exponents_.size(); ++i) {
    exponents_[i] += b.exponents_[i];
    if (exponents_[i] < largest_exponent) continue;
    exponents_[i] = largest_exponent;  // beyond any bound that is of use
    degree_ = std::numeric_limits<double>::infinity();
  }
  return *this;
}

Residue& Residue::operator/=(const Residue& b) {
  auto& field = residue_detail::field();
  if (b.epoch_ != field.epoch) return *this /= b.renewed();
  if (epoch_ != field.epoch) *this = renewed();
  if (b.value_ == 0) throw SingularPoint();
  if (&b == this) return *this /= Residue(b);
  constant_ = constant_ / b.constant_;
  if (value_ != 0) value_ = field.modulus.multiply(value_, field.inverse(b.value_));
  record(field, StraightLineProgram::Operation::divide, b);
  const bool unit = b.degree_ == 0 && b.height_ == 0;  // the numerator of the divisor is 1 or -1
  // Zero, too, is undefined where the divisor vanishes.
  const std::size_t index = unit ? 0 : b.index_of_numerator(field);
  if (zero_by_construction()) return *this;
  const auto& table = field.divisors;
  for (std::size_t i = 0; i < b.exponents_.size(); ++i) {  // times the denominator of the divisor
    const std::uint32_t excess = b.exponents_[i];
    const std::uint32_t cancelled = std::min(excess, i < exponents_.size() ? exponents_[i] : 0);
    if (cancelled > 0) exponents_[i] -= cancelled;
    degree_ += (excess - cancelled) * table[i].degree;
    height_ += (excess - cancelled) * table[i].height;
  }
  if (unit) return *this;
  if (exponents_.size() <= index) exponents_.resize(index + 1, 0);
  ++exponents_[index];
  return *this;
}

Residue Residue::negative() const {
  auto& field = residue_detail::field();
  if (epoch_ != field.epoch) return renewed().negative();
  Residue a = *this;
  a.constant_ = -a.constant_;
  a.value_ = field.modulus.negative(a.value_);
  if (field.recorder) a.number_ = field.recorder->append(StraightLineProgram::Operation::negate, a.number(field));
  return a;
}

bool Residue::equal(const Residue& a, const Residue& b) {
  if (b.zero_by_construction()) return a.compare_with_zero();
  if (a.zero_by_construction()) return b.compare_with_zero();
  return (a - b).compare_with_zero();
}

Residue Residue::renewed() const {
  if (zero_by_construction()) {
    Residue zero;
    zero.epoch_ = residue_detail::field().epoch;
    return zero;
  }
  if (!constant_.is_known()) throw MadeBeforeThePrime();
  Residue x(constant_.numerator());
  if (constant_.denominator() != 1) x /= Residue(constant_.denominator());
  if (constant_.exponent() != 0) {
    const Residue two(2);
    for (int k = constant_.exponent(); k < 0; ++k) x /= two;
    for (int k = constant_.exponent(); k > 0; --k) x *= two;
  }
  return x;
}

std::uint32_t Residue::number(residue_detail::Field& field) const {
  if (epoch_ == field.epoch && number_ != not_recorded) return number_;
  if (zero_by_construction()) return field.recorder->append_constant(0);
  throw std::logic_error("a number that was made before the recording began");
}

void Residue::record(residue_detail::Field& field, StraightLineProgram::Operation operation, const Residue& b) {
  if (!field.recorder) return;
  const std::uint32_t first = number(field), second = b.number(field);
  number_ = field.recorder->append(operation, first, second);
}

std::size_t Residue::index_of_numerator(residue_detail::Field& field) const {
  auto& table = field.divisors;
  const std::uint64_t p = field.modulus.value();
  std::uint64_t numerator = value_;
  for (std::size_t i = 0; i < exponents_.size(); ++i)
    if (exponents_[i] != 0)
      numerator = field.modulus.multiply(numerator, field.modulus.power(table[i].residue, exponents_[i]));
  numerator = std::min(numerator, p - numerator);
  std::size_t index = 0;
  while (index < table.size() && table[index].residue != numerator) ++index;
  if (index == table.size()) {
    table.push_back({degree_, height_, numerator});
  } else {
    table[index].degree = std::max(table[index].degree, degree_);
    table[index].height = std::max(table[index].height, height_);
  }
  return index;
}

double Residue::carry(double difference) {
  if (difference == 0) return 1;
  if (difference > 54) return 0;
  return std::log2(1 + std::exp2(-difference));
}

template <class Exponent>
void Residue::bound_sum(double degree, double height, std::size_t exponents, const Exponent& exponent) {
  const auto& table = residue_detail::field().divisors;
  if (exponents_.size() < exponents) exponents_.resize(exponents, 0);
  if (zero_by_construction()) {
    degree_ = degree, height_ = height;
    for (std::size_t i = 0; i < exponents_.size(); ++i) exponents_[i] = exponent(i);
    return;
  }
  for (std::size_t i = 0; i < exponents_.size(); ++i) {
    const std::uint32_t other = exponent(i);
    const std::uint32_t common = std::max(exponents_[i], other);
    degree_ += (common - exponents_[i]) * table[i].degree;
    height_ += (common - exponents_[i]) * table[i].height;
    degree += (common - other) * table[i].degree;
    height += (common - other) * table[i].height;
    exponents_[i] = common;
  }
  degree_ = std::max(degree_, degree);
  const double larger_height = std::max(height_, height);
  height_ = larger_height + carry(std::abs(height_ - height));
}

void Residue::bound_sum(const Residue& b) {
  if (!b.zero_by_construction())
    bound_sum(b.degree_, b.height_, b.exponents_.size(), [&b](std::size_t i) { return b.exponent(i); });
}

void Residue::bound_sum_with_product(const Residue& a, const Residue& b) {
  double degree = a.degree_ + b.degree_;
  for (std::size_t i = 0; i < std::min(a.exponents_.size(), b.exponents_.size()); ++i)
    if (a.exponents_[i] + b.exponents_[i] >= largest_exponent) degree = std::numeric_limits<double>::infinity();
  bound_sum(degree, a.height_ + b.height_, std::max(a.exponents_.size(), b.exponents_.size()),
            [&](std::size_t i) { return std::min(a.exponent(i) + b.exponent(i), largest_exponent); });
}

void SumOfProducts<Residue>::include(const Residue& a, const Residue& b, StraightLineProgram::Operation operation) {
  if (b.epoch_ != field_->epoch) return include(a, b.renewed(), operation);
  if (a.epoch_ != field_->epoch) return include(a.renewed(), b, operation);
  if (sum_.epoch_ != field_->epoch) *this = SumOfProducts(sum_.renewed());
  if (field_->recorder) {
    const std::uint32_t first = a.number(*field_), second = b.number(*field_);
    const std::uint32_t product = field_->recorder->append(StraightLineProgram::Operation::multiply, first, second);
    const std::uint32_t sum = sum_.number(*field_);
    sum_.number_ = field_->recorder->append(operation, sum, product);
  }
  if (a.zero_by_construction() || b.zero_by_construction()) return;
  const bool add = operation == StraightLineProgram::Operation::add;
  value_ = field_->modulus.add_product(value_, a.value_, add ? b.value_ : field_->modulus.negative(b.value_));
  const SmallRational product = a.constant_ * b.constant_;
  sum_.constant_ = add ? sum_.constant_ + product : sum_.constant_ - product;
  sum_.bound_sum_with_product(a, b);
}

Residue SumOfProducts<Residue>::value() const {
  Residue sum = sum_;
  if (sum.epoch_ == field_->epoch) sum.value_ = field_->modulus.remainder(value_);
  return sum;
}

Replay replay(const StraightLineProgram& program, const std::vector<std::uint64_t>& values, std::uint64_t prime) {
  using Operation = StraightLineProgram::Operation;
  const residue_detail::Modulus modulus(prime);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(program.instructions.size());
  for (const auto& [operation, a, b] : program.instructions) {
    switch (operation) {
      case Operation::variable:
        numbers.push_back(values.at(a));
        break;
      case Operation::constant: {
        const std::int64_t c = program.constants.at(a);
        const std::uint64_t size = (c < 0 ? ~static_cast<std::uint64_t>(c) + 1 : static_cast<std::uint64_t>(c)) % prime;
        numbers.push_back(c < 0 ? modulus.negative(size) : size);
        break;
      }
      case Operation::add:
        numbers.push_back((numbers.at(a) + numbers.at(b)) % prime);
        break;
      case Operation::subtract:
        numbers.push_back((numbers.at(a) + modulus.negative(numbers.at(b))) % prime);
        break;
      case Operation::multiply:
        numbers.push_back(modulus.multiply(numbers.at(a), numbers.at(b)));
        break;
      case Operation::divide:
        if (numbers.at(b) == 0) throw SingularPoint();
        numbers.push_back(modulus.multiply(numbers.at(a), modulus.inverse(numbers.at(b))));
        break;
      case Operation::negate:
        numbers.push_back(modulus.negative(numbers.at(a)));
    }
  }
  Replay result;
  for (const auto& [number, zero] : program.comparisons)
    result.same_branches = result.same_branches && (numbers.at(number) == 0) == zero;
  for (const std::uint32_t output : program.outputs) result.outputs.push_back(numbers.at(output));
  return result;
}

}  // namespace livi
