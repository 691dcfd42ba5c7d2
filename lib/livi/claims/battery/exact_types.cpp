// SPDX-License-Identifier: MIT
//
// Is the method that is decided in exact types the one that runs in floating point? A program may differ between number
// types, by intention or by a forgotten specialisation; then a certificate is about another method.
#include <array>
#include <livi/claims/battery/mechanical_control.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/step_statements.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <optional>
#include <random>

namespace livi::battery_detail {

namespace {

using test_problems_detail::Drawing;

/// The control: Verlet where it is decided, and symplectic Euler where it runs.
template <class System>
using Forked =
    std::conditional_t<ScalarTraits<ScalarOf<System>>::exact, VelocityVerlet<System>, SymplecticEuler<System>>;

const ControlMethod& forked_control() {
  static const auto control = mechanical_control<Forked>("Verlet in exact types, symplectic Euler in others");
  return control;
}

Float50 to_50_digits(const Rational& x) { return Float50(Float50(numerator(x)) / Float50(denominator(x))); }

/// Returns the residue of a rational number modulo the prime in force.
std::uint64_t modulo_prime(const Rational& x) {
  const Integer p = Residue::prime();
  const auto reduce = [&](const Integer& n) { return static_cast<std::uint64_t>(((n % p) + p) % p); };
  using namespace residue_detail;
  const std::uint64_t prime = Residue::prime(), below = reduce(denominator(x));
  if (below == 0) throw SingularPoint();
  return multiply(reduce(numerator(x)), power(below, prime - 2, prime), prime);
}

/// Returns a small dyadic number, as Drawing makes them, as a residue.
Residue in_residues(const Rational& x) {
  return Residue(numerator(x).convert_to<long long>()) / Residue(denominator(x).convert_to<long long>());
}

template <class To, class Convert>
PhasePoint<To> converted(const PhasePoint<Rational>& z, const Convert& convert) {
  const auto each = [&](const Rational& x) { return To(convert(x)); };
  return {z.q.unaryExpr(each), z.p.unaryExpr(each)};
}

struct Comparison {
  double largest = 0;             ///< relative difference; NaN where a step fails in one of the types
  std::string where;              ///< where the largest was found
  int steps = 0, expansions = 0;  ///< numbers of comparisons
  int left_out = 0;               ///< points without a comparison, because their numbers are too long
  int problems = 0;
  void update(double difference, const std::string& name) {
    if (std::isnan(largest)) return;
    if (std::isnan(difference) || difference > largest) {
      // A difference beyond every double is still a difference, but infinity is no measurement.
      largest = difference > std::numeric_limits<double>::max() ? std::numeric_limits<double>::max() : difference;
      where = name;
    }
  }
};

/// Returns run(), or false at a pole of the step, which drawn numbers meet practically never.
template <class Run>
bool unless_singular(const Run& run) {
  try {
    return run();
  } catch (const std::overflow_error&) {
  } catch (const SingularPoint&) {
  }
  return false;
}

/// Returns the largest |x - y| over the largest |y|.
double relative_difference(const Vector<Float50, Dynamic>& x, const Vector<Float50, Dynamic>& y) {
  Float50 size = 0, difference = 0;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    size = larger(size, Float50(abs(y(i))));
    difference = larger(difference, Float50(abs(x(i) - y(i))));
  }
  return difference == 0 ? 0 : to_double(Float50(difference / size));
}

/// A number known modulo a product of primes, from its residues.
class ModuloPrimes {
 public:
  void add(std::uint64_t residue, std::uint64_t prime) {
    using namespace residue_detail;
    const auto of_product = static_cast<std::uint64_t>(Integer(product_ % prime)),
               of_value = static_cast<std::uint64_t>(Integer(value_ % prime));
    const std::uint64_t missing = (residue + (prime - of_value)) % prime;
    value_ += product_ * Integer(multiply(missing, power(of_product, prime - 2, prime), prime));
    product_ *= prime;
  }
  /// Returns the rational number whose numerator and denominator have together 64 binary digits fewer than the product,
  /// so that an accident has a probability below 1e-19; nothing if there is none (Wang 1981).
  [[nodiscard]] std::optional<Rational> rational() const {
    const Integer bound = sqrt(product_);
    Integer r0 = product_, r1 = value_, t0 = 0, t1 = 1;
    while (r1 > bound) {
      const Integer quotient = r0 / r1, r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;
      r0 = r1;
      r1 = r2;
      t0 = t1;
      t1 = t2;
    }
    const auto digits = [](const Integer& x) { return x == 0 ? 0 : static_cast<int>(msb(abs(x))) + 1; };
    if (t1 == 0 || digits(r1) + digits(t1) + 64 > digits(product_)) return std::nullopt;
    return t1 < 0 ? Rational(-r1, -t1) : Rational(r1, t1);
  }

 private:
  Integer value_ = 0, product_ = 1;
};

/// Steps from constants, in rational numbers, in 50 digits, in residues and in series.
class StepsInAllTypes {
 public:
  StepsInAllTypes(const Subject& subject, std::size_t problem, Comparison& comparison)
      : subject_(subject),
        problem_(problem),
        name_(subject.problems()[problem].name),
        comparison_(comparison),
        in_rationals_(subject.in_functions_of_step(problem)),
        in_50_digits_(subject.in_50_digits(problem)),
        generator_(judge_seed()) {}

  /// Compares all these steps from one point. The rational numbers of a step that solves, or composes others, may have
  /// millions of digits. Where they prevent every comparison of steps, the coefficients of h, ..., h^6 are compared if
  /// `expand`.
  void compare(const PhasePoint<Rational>& from, const std::vector<Rational>& steps, bool expand) {
    constexpr double largest_height = 20000;  // binary digits
    const int before = comparison_.steps + comparison_.expansions;
    for (const Rational& h : steps)
      if (unless_singular([&] { return compare_residues(from, h) <= largest_height; }))
        unless_singular([&] { return compare_rationals(from, h); });
    const auto is_compared = [&] { return comparison_.steps + comparison_.expansions > before; };
    if (!is_compared() && expand && !unless_singular([&] { return compare_expansions(from); }))
      unless_singular([&] {  // a step that divides by h has no expansion
        static_cast<void>(compare_residues(from, steps.front()));
        return compare_rationals(from, steps.front());
      });
    if (!is_compared()) ++comparison_.left_out;
  }

 private:
  PhasePoint<Float50> step_in_50_digits(const PhasePoint<Rational>& from, const Float50& h) {
    in_50_digits_->start(converted<Float50>(from, to_50_digits));
    if (!in_50_digits_->step(h).ok()) comparison_.update(not_a_number, name_ + ": the step fails in 50 digits");
    return in_50_digits_->point();
  }

  bool compare_rationals(const PhasePoint<Rational>& from, const Rational& h) {
    using F = FunctionOfStep;
    in_rationals_->start(converted<F>(from, [](const Rational& x) { return x; }));
    if (!in_rationals_->step(F(h)).ok()) throw StepFailed("the step fails in rational numbers");
    const PhasePoint<F> end = in_rationals_->point();
    const auto value = [](const F& x) { return x(Rational(0)); };
    const PhasePoint<Rational> exact{end.q.unaryExpr(value), end.p.unaryExpr(value)};
    const PhasePoint<Float50> rounded = step_in_50_digits(from, to_50_digits(h)),
                              expected = converted<Float50>(exact, to_50_digits);
    comparison_.update(relative_difference(rounded.q, expected.q), name_ + ": q in 50 digits");
    comparison_.update(relative_difference(rounded.p, expected.p), name_ + ": p in 50 digits");
    bool same = true;
    for (Eigen::Index i = 0; i < exact.q.size(); ++i)
      same = same && residues_.q(i).value.value() == modulo_prime(exact.q(i)) &&
             residues_.p(i).value.value() == modulo_prime(exact.p(i));
    comparison_.update(same ? 0 : 1, name_ + ": residues");
    ++comparison_.steps;
    return true;
  }

  /// Compares a step in residues with the constant terms of one in series. Returns a bound of the binary digits of its
  /// rational numbers.
  double compare_residues(const PhasePoint<Rational>& from, const Rational& h) {
    Residue::choose_prime(generator_);
    using D = Dual<Residue>;
    const auto duals = subject_.in_residues(problem_);
    duals->start(converted<D>(from, in_residues));
    bool ok = duals->step(D(in_residues(h))).ok();
    residues_ = duals->point();
    using T = ExactSeries;
    const auto series = subject_.in_series(problem_);
    series->start(converted<T>(from, in_residues));
    ok = ok && series->step(T(in_residues(h))).ok();
    if (!ok) throw StepFailed("the step fails in residues");
    const PhasePoint<T> end = series->point();
    bool same = true;
    double height = 0;
    for (Eigen::Index i = 0; i < from.q.size(); ++i) {
      same = same && residues_.q(i).value.value() == end.q(i)[0].value() &&
             residues_.p(i).value.value() == end.p(i)[0].value();
      height = std::max({height, residues_.q(i).value.height(), residues_.p(i).value.height()});
    }
    comparison_.update(same ? 0 : 1, name_ + ": series");
    return height;
  }

  /// Returns the coefficients of 1, h, ..., h^order of a step, first those of q, from as many primes as are needed.
  template <int order>
  std::vector<std::array<Rational, order + 1>> expansion(const PhasePoint<Rational>& from) {
    constexpr int most_primes = 32;
    const Eigen::Index n = from.q.size();
    const auto size = static_cast<std::size_t>(2 * n);
    std::vector<std::array<ModuloPrimes, order + 1>> modulo(size);
    std::vector<std::array<Rational, order + 1>> found(size);
    const auto are_found = [&] {
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j <= order; ++j) {
          const std::optional<Rational> coefficient = modulo[i][j].rational();
          if (!coefficient) return false;
          found[i][j] = *coefficient;
        }
      return true;
    };
    for (int primes = 1; primes <= most_primes; ++primes) {
      Residue::choose_prime(generator_);
      const auto series = subject_.in_series(problem_);
      series->start(converted<ExactSeries>(from, in_residues));
      if (!series->step(ExactSeries::variable()).ok()) throw StepFailed("the step fails in series");
      const PhasePoint<ExactSeries> end = series->point();
      for (Eigen::Index i = 0; i < 2 * n; ++i)
        for (int j = 0; j <= order; ++j)
          modulo[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].add(
              (i < n ? end.q(i) : end.p(i - n))[j].value(), Residue::prime());
      if (primes % 4 == 0 && are_found()) return found;
    }
    throw NotRational("a coefficient of a step with more than a thousand binary digits");
  }

  /// Compares a step with h = +-2^-24 of the time of the motion in 50 digits with the sum of its expansion to h^6,
  /// whose coefficients are found from many primes. The remainder is 2^-168 of the motion. The difference is relative
  /// to the term of h^3, in which methods of order two differ.
  bool compare_expansions(const PhasePoint<Rational>& from) {
    constexpr int order = 6, power = -24;
    const Eigen::Index n = from.q.size();
    const std::vector<std::array<Rational, order + 1>> coefficients = expansion<order>(from);
    Rational size = 1;
    for (Eigen::Index i = 0; i < n; ++i) size = larger(size, Rational(abs(from.q(i))));
    const Float50 scale = Float50(pow(Float50(2), power));
    for (const int sign : {1, -1}) {
      const Float50 h = sign * scale / (8 * to_50_digits(size));
      const PhasePoint<Float50> rounded = step_in_50_digits(from, h);
      PhasePoint<Float50> expected = rounded;
      for (Eigen::Index i = 0; i < 2 * n; ++i) {
        Float50 sum = 0;
        for (int j = order; j >= 0; --j)
          sum = sum * h + to_50_digits(coefficients[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
        (i < n ? expected.q(i) : expected.p(i - n)) = sum;
      }
      const double term = std::exp2(3 * power);
      comparison_.update(relative_difference(rounded.q, expected.q) / term, name_ + ": expansion of q in 50 digits");
      comparison_.update(relative_difference(rounded.p, expected.p) / term, name_ + ": expansion of p in 50 digits");
    }
    ++comparison_.expansions;
    return true;
  }

  const Subject& subject_;
  std::size_t problem_;
  const std::string& name_;
  Comparison& comparison_;
  std::unique_ptr<AnyStepper<FunctionOfStep>> in_rationals_;
  std::unique_ptr<AnyStepper<Float50>> in_50_digits_;
  PhasePoint<Dual<Residue>> residues_;  ///< the last end of a step in residues
  std::mt19937_64 generator_;
};

/// Compares the matrix of a step on the oscillator, decided for all h, with that in 50 digits at some h.
void compare_oscillator(const Subject& subject, Comparison& comparison) {
  const auto problem = first(subject, ProblemRole::oscillator);
  if (!problem) return;
  const auto exact = subject.in_functions_of_step(*problem);
  if (!exact) return;
  using F = FunctionOfStep;
  const auto rounded = subject.in_50_digits(*problem);
  Drawing drawing(judge_seed());
  for (const PhasePoint<Float50>& from : subject.problems()[*problem].points) {
    const auto constant = [](const Float50& x) { return F(Rational(to_double(x))); };  // 0 or 1
    exact->start({from.q.unaryExpr(constant), from.p.unaryExpr(constant)});
    if (!exact->step(F::variable()).ok()) return;  // then nothing is decided with it
    const PhasePoint<F> end = exact->point();
    for (const int power : {-8, -3, -1, 0, 1, 2, 5, 9})
      for (const int sign : {1, -1}) {
        const auto h = Rational(sign * drawing.positive<Rational>(power));
        rounded->start(from);
        const bool ok = rounded->step(to_50_digits(h)).ok();
        const PhasePoint<Float50> at = rounded->point();
        const auto value = [&](const F& x) { return to_50_digits(x(h)); };
        // q and p are compared together: each alone may nearly vanish.
        Vector<Float50, Dynamic> x(2), y(2);
        x << at.q(0), at.p(0);
        const bool is_regular = unless_singular([&] {
          y << value(end.q(0)), value(end.p(0));
          return true;
        });
        if (!is_regular) continue;
        comparison.update(ok ? relative_difference(x, y) : not_a_number, "oscillator");
        ++comparison.steps;
      }
  }
}

/// Compares on the problems of the exact statements, from near to far, with short and long steps of both signs.
void compare_problems(const Subject& subject, Comparison& comparison) {
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_decided(problems[i]) || problems[i].role == ProblemRole::oscillator) continue;
    if (subject.in_residues(i) == nullptr) continue;
    ++comparison.problems;
    Drawing drawing(judge_seed() ^ (0x200 + i));
    StepsInAllTypes steps(subject, i, comparison);
    const Eigen::Index n = problems[i].points.front().q.size();
    // With many degrees of freedom the numbers of a step that solves have some thousand digits.
    std::vector<int> sizes{7};
    if (n <= 3) sizes = {-5, -1, 7};
    if (n <= 2) sizes = {-20, -5, -1, 1, 4, 7, 12, 20};
    for (const int size : sizes) {
      const PhasePoint<Rational> from{drawing.vector<Rational>(n, size), drawing.vector<Rational>(n, size - 1)};
      std::vector<Rational> sizes_of_steps{drawing.of_size<Rational>(-std::max(size, 0) - drawing.below(6))};
      // Far out, a long step of a method that solves has too few digits left for a comparison.
      if (size <= 7) sizes_of_steps.push_back(drawing.of_size<Rational>(2 - drawing.below(4)));
      // Expansions cost much, so there are some near, far, and at the ends.
      steps.compare(from, sizes_of_steps, size == -20 || size == -1 || size == 7 || size == 20);
    }
  }
}

/// Runs a comparison. Returns what it throws, which is the reason why nothing is decided in exact types.
template <class Run>
std::string why_undecided(const Run& run) {
  try {
    run();
    return {};
  } catch (const NotRational& error) {
    return error.what();
  } catch (const StepFailed& error) {
    return error.what();
  }
}

}  // namespace

void test_exact_types(const Tested& tested) {
  const std::string test = "exact types";
  Comparison found;
  // A step that is not rational may be so on the oscillator, for which stability is decided.
  static_cast<void>(why_undecided([&] { compare_oscillator(tested.subject, found); }));
  const int on_oscillator = found.steps;
  std::string why = why_undecided([&] { compare_problems(tested.subject, found); });
  const bool only_oscillator = found.problems == 0 || (!why.empty() && !tested.declared.rational);
  if (why.empty() && found.problems > 0 && found.steps + found.expansions == on_oscillator)
    why = "the step has a pole at every point";
  if (only_oscillator && on_oscillator == 0) {
    tested.rows.does_not_apply(test, why.empty() ? "nothing is decided in exact types for this kind of problem"
                                                 : "the step is declared not to be a rational function: " + why);
    return;
  }
  static const double of_forked = [] {
    Comparison comparison;
    compare_oscillator(*forked_control().subject, comparison);
    return comparison.largest;
  }();
  Claim claim;
  claim.statement = "the same method in exact types, in which it is decided, and in floating point";
  claim.how =
      "the matrix of a step on the oscillator, rational numbers against 50 digits, relative to the largest entry";
  if (!only_oscillator)
    claim.how +=
        "; and one step from drawn points of sizes from 1e-6 to 1e6 with steps of both signs, the same and against "
        "residues and series of residues, exactly (1 where they differ); where rational numbers have more than six "
        "thousand digits, the expansion to h^6";
  claim.measured = found.largest;
  claim.unit = "relative";
  claim.interval = {0, least_double_defect};
  claim.reason =
      "rounding in 50 digits, times what long steps from far points lose by cancellation: at most the cube of h^2 V'', "
      "1e24; what is smaller is no coefficient of a method in any precision that is used";
  if (found.largest > 0) claim.note = "largest on: " + found.where;
  Rows::limit_to_double(claim);
  claim.controls = {{.name = forked_control().name, .measured = of_forked, .interval = claim.interval}};
  if (!why.empty() && !only_oscillator) return tested.rows.undecided(test, "-", std::move(claim), why);
  tested.rows.add(
      test, "-", std::move(claim),
      format("%d steps, %d expansions", found.steps, found.expansions) +
          (found.left_out == 0 ? "" : format("; from %d points nothing: numbers too long", found.left_out)));
}

}  // namespace livi::battery_detail
