// SPDX-License-Identifier: MIT
#include <livi/foreign/judgement.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <livi/foreign/built_in_methods.hpp>
#include <livi/foreign/declared_accuracy.hpp>
#include <livi/foreign/heat_bath.hpp>
#include <livi/foreign/measured_text.hpp>
#include <livi/foreign/measurements.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

constexpr Bounds exact_bounds{0, std::numeric_limits<double>::denorm_min(), "exact: zero or not", 0};

constexpr Interval growth_of_stable_steps{0, 64};

using Measure = std::function<Measured(ForeignSubject&)>;

struct ControlOf {
  BuiltInMethod method;
  Expected expected;
};

class Judge {
 public:
  Judge(ForeignSubject& subject, const JudgementOptions& options)
      : subject_(subject),
        options_(options),
        problems_(judged_problems(subject.declares().kinds, options.seed, options.drawn)),
        measurements_(options.seed, options.slow ? 8 : 11) {
    result_.declares = subject.declares();
    result_.seed = options.seed;
    std::string refused;
    std::erase_if(problems_.generic, [&](const JudgedProblem& problem) {
      const std::string why = measurements_.why_refused(subject, problem);
      if (!why.empty()) refused = why;
      return !why.empty();
    });
    if (problems_.generic.empty()) throw ForeignFailure(refused + ", nor any other problem of the judge");
    // The first one says why a row does not apply.
    for (auto* problems : {&problems_.cubics, &problems_.bodies})
      for (std::size_t k = problems->size(); k-- > 1;)
        if (!measurements_.why_refused(subject, (*problems)[k]).empty())
          problems->erase(problems->begin() + static_cast<std::ptrdiff_t>(k));
  }

  Judgement run() {
    if (declares().computes_in(NumberType::real)) orders();
    for (const NumberType type : {NumberType::digits, NumberType::rational})
      if (declares().computes_in(type)) local_orders(type);
    symplecticity();
    symmetry();
    momenta();
    cost();
    closed_forms();
    reach();
    dependence();
    if (declares().computes_in(NumberType::real)) {
      backwards();
      number_types();
      stability();
      several_oscillators();
      if (!options_.quick && !options_.slow) {
        energy();
        later();
      }
      if (declares().takes(ProblemKind::langevin)) heat_bath();
    }
    what_no_row_judged();
    if (!is_coarse()) name_small_defects();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const ForeignDeclaration& declares() const { return result_.declares; }

  /// Measures on the subject and on the controls, and adds a row. Without a declaration the measurement is a result.
  void row(const std::string& test, const std::string& declared, const std::string& evidence, Claim claim,
           const Measure& measure, const std::vector<ControlOf>& controls) {
    if (options_.progress) options_.progress(test);
    claim.id = "judge." + test;
    claim.source = {declares().name, declares().source.empty() ? "hello" : declares().source};
    claim.headline = test;
    claim.anchor = "hello";
    Measured measured{not_a_number};
    try {
      measured = measure(subject_);
    } catch (const ProblemRefused& refused) {
      does_not_apply(test, refused.what());
      return;
    } catch (const ForeignRefusal& refusal) {
      measured.note = refusal.what();
    }
    claim.measured = measured.value;
    if (claim.note.empty()) claim.note = measured.note;
    if (!std::isfinite(claim.measured))
      claim.note = "not measured" + std::string(claim.note.empty() ? ": the value is not finite" : ": " + claim.note);
    if (declared == "-") {
      claim.verdict = std::isfinite(claim.measured) ? Verdict::result : Verdict::not_testable;
    } else {
      for (const ControlOf& control : controls) {
        const auto method = built_in_subject(control.method);
        const Measured of_control = measure(*method);
        claim.controls.push_back({control.method.name, of_control.value, claim.interval,
                                  of_control.note.empty() ? "no note" : of_control.note, control.expected});
      }
      if (measured.exact && std::isfinite(measured.value))
        claim.evidence = measured.value == 0 ? Evidence::proved : Evidence::disproved;
      claim.verdict = decide(claim);
    }
    result_.rows.push_back({test, declared, evidence, std::move(claim), ""});
  }

  /// Returns whether the method declares to be less accurate than its numbers; then controls are less subtle.
  [[nodiscard]] bool is_coarse() const { return !declared_accuracy(declares()).empty(); }
  [[nodiscard]] BuiltInMethod is_not_symplectic() const {
    return is_coarse() ? built_in_explicit_euler() : built_in_runge_kutta_4();
  }

  /// Says of the last row that it holds within what is declared, and not within rounding.
  void limit_to(double strict) {
    Claim& claim = result_.rows.back().claim;
    if (claim.verdict != Verdict::confirmed || claim.measured <= strict || claim.interval.low > 0) return;
    claim.verdict = Verdict::confirmed_with_limits;
    claim.note =
        format("up to %.2g, for it declares ", claim.interval.high) + declared_accuracy(declares()) + "; " + claim.note;
  }

  /// Adds a row whose controls are to have another number than the method, for they are other methods.
  void row_beside(const std::string& test, const std::string& declared, const std::string& evidence, Claim claim,
                  const Measure& measure, const BuiltInMethod& right, const BuiltInMethod& wrong,
                  const Interval& interval, const std::string& why, const Measure& measure_control = {}) {
    row(test, declared, evidence, std::move(claim), measure, {});
    if (declared == "-" || result_.rows.back().claim.verdict == Verdict::not_testable) return;
    Claim& written = result_.rows.back().claim;
    for (const auto& [method, expected] : {std::pair(right, Expected::passes), std::pair(wrong, Expected::fails)}) {
      const auto control = built_in_subject(method);
      const Measured measured = (measure_control ? measure_control : measure)(*control);
      written.controls.push_back({method.name, measured.value, interval, why, expected});
    }
    written.verdict = Verdict::confirmed;  // so that it is decided anew, with its controls
    written.verdict = decide(written);
  }

  /// Adds an undecided row for everything declared that no row has judged: silence is no confirmation.
  void what_no_row_judged() {
    const auto is_judged = [this](const std::string& test) {
      return std::ranges::any_of(result_.rows, [&](const JudgementRow& row) {
        return row.test.rfind(test, 0) == 0 && row.declared != "-" && row.claim.verdict != Verdict::not_testable;
      });
    };
    const ForeignDeclaration& declared = declares();
    for (const auto& [is_declared, test, needs] :
         {std::tuple(declared.order.has_value(), "order of", "numbers of double, many digits or fractions"),
          std::tuple(declared.symplectic.has_value(), "symplectic", "a kind of problem and numbers that it takes"),
          std::tuple(declared.symmetric.has_value(), "symmetric", "numbers of double, many digits or fractions"),
          std::tuple(declared.linear_momentum.has_value(), "linear momentum",
                     "the kind mechanical, and numbers of double, many digits or fractions"),
          std::tuple(declared.angular_momentum.has_value(), "angular momentum",
                     "the kind mechanical, and numbers of double, many digits or fractions"),
          std::tuple(declared.gradients.has_value(), "gradients", "a step"),
          std::tuple(declared.stability_limit.has_value(), "linear stability",
                     "the kind mechanical, and numbers of double"),
          std::tuple(declared.sampling.has_value(), "sampling of", "the kind langevin")}) {
      if (!is_declared || is_judged(test)) continue;
      Claim claim;
      claim.id = std::string("judge.") + test;
      claim.source = {declared.name, declared.source.empty() ? "hello" : declared.source};
      claim.headline = test;
      claim.anchor = "hello";
      claim.statement = "what is declared of this holds";
      claim.measured = not_a_number;
      claim.interval = {0, 0};
      claim.reason = "undecided";
      claim.note = std::string("declared, and not judged: it is judged on ") + needs;
      claim.verdict = Verdict::undecided;
      result_.rows.push_back({test, "yes", "-", std::move(claim), ""});
    }
  }

  /// Says of small defects what leaves such, and how it is declared.
  void name_small_defects() {
    // Numbers of 24 bits are wrong by at most 2^-25 of the next power of two.
    const bool single = std::ranges::any_of(result_.rows, [](const JudgementRow& row) {
      return row.test == "precision" && row.claim.measured > 0x1p-30 && row.claim.measured <= 0x1p-23;
    });
    // An iteration is not told from a method of high order by more; loops that shrink multiply what single precision
    // leaves by a thousand.
    const double largest_small = single ? 1e-3 : 1e-5;
    std::vector<JudgementRow*> small;
    for (JudgementRow& row : result_.rows) {
      const Claim& claim = row.claim;
      if (claim.verdict == Verdict::refuted && row.declared == "yes" && claim.interval.low == 0 &&
          claim.interval.high > 0 && claim.measured < largest_small)
        small.push_back(&row);
    }
    const bool falls = !small.empty() && !single && falls_with_the_step();
    for (JudgementRow* const row : small) {
      std::string& note = row->claim.note;
      note += format("; a defect of %.2g, ", row->claim.measured);
      if (single) {
        note += "as numbers of single precision leave: precision=single declares it";
      } else if (falls) {
        note += "which falls with h as the error of a method does, and no iteration";
      } else {
        note += "as an iteration that stops early leaves: tolerance=T declares it, T being where it stops";
      }
    }
  }
  /// Returns whether the defects of loops or of reversal fall by more than 2^9 where the step is an eighth: what an
  /// iteration leaves falls by less than its rate of convergence, some h^2, in one more round.
  bool falls_with_the_step() {
    if (!declares().computes_in(NumberType::real)) return false;
    JudgedProblem problem = problems_.generic.front();
    const auto defect = [&] {
      const double loops =
          declares().symplectic == true ? measurements_.loop_integral(subject_, problem, NumberType::real).value : 0;
      return worse(
          loops, declares().symmetric == true ? measurements_.reversal(subject_, problem, NumberType::real).value : 0);
    };
    const double before = defect();
    problem.h /= 8;
    return defect() * 512 < before;
  }

  void does_not_apply(const std::string& test, const std::string& why) {
    Claim claim;
    claim.id = "judge." + test;
    claim.statement = why;
    claim.note = why;
    claim.verdict = Verdict::not_testable;
    result_.rows.push_back({test, "-", "-", std::move(claim), why});
  }

  /// Adds a row for a property that holds or fails, as declared.
  void property(const std::string& test, std::optional<bool> declared, const std::string& evidence,
                const std::string& what, const Bounds& bounds, const Measure& measure, const BuiltInMethod& without,
                const BuiltInMethod& with) {
    Claim claim;
    const bool holds = declared.value_or(true);
    claim.statement = holds ? what : "not: " + what;
    claim.interval = holds ? Interval{0, bounds.holds} : Interval{bounds.visible, infinity};
    claim.reason = bounds.reason;
    row(test,
        !declared   ? "-"
        : *declared ? "yes"
                    : "no",
        evidence, std::move(claim), measure,
        {{without, holds ? Expected::fails : Expected::passes}, {with, holds ? Expected::passes : Expected::fails}});
    limit_to(bounds.strict);
  }

  /// Returns the problems on which a property is measured in a number type.
  std::vector<JudgedProblem> problems_for(NumberType type) const {
    if (type != NumberType::rational) return problems_.generic;
    // Fractions grow with the degree of the forces: of the mechanical ones two fixed problems of degree four, and cubic
    // ones.
    std::vector<JudgedProblem> all;
    for (std::size_t k = 0; k < problems_.generic.size(); ++k)
      if (k < 2 || problems_.generic[k].kind != ProblemKind::mechanical) all.push_back(problems_.generic[k]);
    for (const JudgedProblem& problem : problems_.cubics)
      if (problem.name != problems_.cubic.name) all.push_back(problem);
    return all;
  }

  /// Returns the worst of the measurements on some problems. An exact defect needs no other beside it.
  static Measured worst_over(const std::vector<JudgedProblem>& problems,
                             const std::function<Measured(const JudgedProblem&)>& measure) {
    Measured worst{-1};
    for (const JudgedProblem& problem : problems) {
      const Measured measured = measure(problem);
      if (is_worse(measured.value, worst.value)) worst = measured;
      if (std::isnan(worst.value) || (worst.exact && worst.value > 0)) break;
    }
    return worst;
  }

  /// Returns the worst measurement over the problems for a number type.
  Measure over_generic(Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&, NumberType),
                       NumberType type) {
    return [this, measure, type](ForeignSubject& subject) {
      return worst_over(problems_for(type),
                        [&](const JudgedProblem& problem) { return (measurements_.*measure)(subject, problem, type); });
    };
  }

  /// Returns the exact defect in double over the cubic problems, those left out on which the subject rounds; not measured
  /// where it does on the first.
  Measured dyadic_defect(ForeignSubject& subject) {
    Measured worst{-1};
    std::size_t exact = 0;
    for (const JudgedProblem& problem : problems_.cubics) {
      Measured measured{not_a_number};
      try {
        measured = measurements_.exact_in_double(subject, problem);
      } catch (const ForeignRefusal& refusal) {
        measured.note = refusal.what();
      }
      if (std::isnan(measured.value)) {
        if (exact == 0) return measured;
        continue;
      }
      ++exact;
      if (is_worse(measured.value, worst.value)) worst = measured;
    }
    worst.note += format("; without rounding on %zu of %zu problems", exact, problems_.cubics.size());
    return worst;
  }

  void order_rows(
      const std::string& suffix, const std::string& evidence,
      const std::function<std::vector<std::pair<std::string, MeasuredOrder>>(ForeignSubject&)>& every_time) {
    // Both rows have the same steps, which are most of those of a judgement.
    std::vector<std::pair<std::string, MeasuredOrder>> of_subject;
    const auto measure = [&](ForeignSubject& subject) {
      if (&subject != &subject_) return every_time(subject);
      if (of_subject.empty()) of_subject = every_time(subject);
      return of_subject;
    };
    for (const bool momentum : {false, true}) {
      Claim claim;
      const int order = declares().order.value_or(0);
      claim.statement = "the order is " + std::to_string(order);
      claim.interval = declares().order ? Interval::around(order, 0.3) : Interval{};
      claim.reason = "orders are whole numbers: the declared one lies inside, its neighbours outside";
      const Measure worst = [&](ForeignSubject& subject) {
        Measured lowest{infinity};
        std::string left_out;
        for (const auto& [name, measured] : measure(subject)) {
          const double value = momentum ? measured.p : measured.q;
          // A slope that is far from the declared one refutes, settled or not.
          const bool far = declares().order && std::abs(value - order) > 0.7;
          // Where errors are rounding from the start, or slopes do not settle before, other problems decide.
          if (!far && measured.shows_nothing) {
            left_out = name + ": " + measured.why_undecided;
            continue;
          }
          if (!far && (std::isnan(value) || !measured.why_undecided.empty()))
            return Measured{not_a_number, name + ": " + measured.why_undecided};
          if (value < lowest.value) {
            lowest = {value, name + (measured.table.empty() ? "" : ", errors at " + measured.table)};
            if (measured.stalled > 0)
              lowest.note = format(
                                "errors stop falling at %.2g, far above rounding: coefficients with few digits, or "
                                "another equation; ",
                                measured.stalled) +
                            lowest.note;
          }
        }
        if (std::isinf(lowest.value)) return Measured{not_a_number, left_out};
        return lowest;
      };
      row_beside(std::string(momentum ? "order of p" : "order of q") + suffix,
                 declares().order ? std::to_string(order) : "-", evidence, std::move(claim), worst, built_in_verlet(),
                 built_in_lopsided_verlet(), Interval::around(2, 0.3), "the control is to be of order two",
                 [&](ForeignSubject& subject) {
                   double lowest = infinity;
                   for (const auto& [name, measured] : measure(subject))
                     lowest = std::min(lowest, momentum ? measured.p : measured.q);
                   return Measured{lowest};
                 });
    }
  }

  void orders() {
    order_rows("", "errors against the exact motion, double", [this](ForeignSubject& subject) {
      std::vector<std::pair<std::string, MeasuredOrder>> measured;
      for (const JudgedProblem& problem : problems_.generic)
        measured.emplace_back(problem.name, measurements_.order(subject, problem, 1));
      return measured;
    });
  }
  void local_orders(NumberType type) {
    const bool fractions = type == NumberType::rational;
    if (declares().tolerance > 0 && !fractions) {
      does_not_apply("order, digits", "errors of single steps are less than its tolerance");
      return;
    }
    order_rows(fractions ? ", fractions" : ", digits",
               fractions ? "local errors, fractions" : "local errors, many digits",
               [this, type](ForeignSubject& subject) {
                 std::vector<std::pair<std::string, MeasuredOrder>> measured;
                 for (const JudgedProblem& problem : problems_.generic)
                   measured.emplace_back(problem.name, measurements_.local_order(subject, problem, type));
                 // Without drawn problems none goes back.
                 JudgedProblem back = problems_.generic.front();
                 back.h = -back.h;
                 measured.emplace_back(back.name + ", negative steps", measurements_.local_order(subject, back, type));
                 return measured;
               });
  }

  void symplecticity() {
    const auto declared = declares().symplectic;
    const std::string what = "a step preserves dq ^ dp";
    const BuiltInMethod without = is_not_symplectic(), with = built_in_verlet();
    if (declares().computes_in(NumberType::real)) {
      property("symplectic", declared, "loop integral, double", what, double_bounds(declares()),
               over_generic(&Measurements::loop_integral, NumberType::real), without, with);
      const auto exactly = [this](ForeignSubject& subject) { return dyadic_defect(subject); };
      if (problems_.cubics.empty()) {
        does_not_apply("symplectic, dyadic", "it does not take the kind of problem whose operations are exact");
      } else if (const Measured first = exactly(subject_); std::isnan(first.value)) {
        does_not_apply("symplectic, dyadic", first.note);
      } else {
        property("symplectic, dyadic", declared, "exact Jacobian, double", what, exact_bounds, exactly,
                 built_in_explicit_euler(), with);
      }
    }
    if (declares().computes_in(NumberType::complex))
      property(
          "symplectic, complex", declared, "complex-step Jacobian", what, double_bounds(declares()),
          [this](ForeignSubject& subject) {
            return worst_over(problems_.generic, [&](const JudgedProblem& problem) {
              return measurements_.complex_step(subject, problem);
            });
          },
          without, with);
    if (declares().computes_in(NumberType::digits))
      property("symplectic, digits", declared, format("loop integral, %d digits", declares().digits), what,
               digits_bounds(declares()), over_generic(&Measurements::loop_integral, NumberType::digits), without,
               with);
    if (declares().computes_in(NumberType::rational)) {
      if (!problems_.cubics.empty()) {
        property(
            "symplectic, fractions", declared, "exact, fractions", what, exact_bounds,
            [this](ForeignSubject& subject) {
              return worst_over(problems_.cubics, [&](const JudgedProblem& problem) {
                return measurements_.exact_in_fractions(subject, problem);
              });
            },
            without, with);
      } else {
        does_not_apply("symplectic, fractions", "it does not take the kind of problem of this row");
      }
    }
  }

  void symmetry() {
    const auto declared = declares().symmetric;
    const std::string what = "a step of -h takes back a step of h";
    const BuiltInMethod without = built_in_symplectic_euler(), with = built_in_verlet();
    if (declares().computes_in(NumberType::real))
      property("symmetric", declared, "reversal, double", what, double_bounds(declares()),
               over_generic(&Measurements::reversal, NumberType::real), without, with);
    if (declares().computes_in(NumberType::digits))
      property("symmetric, digits", declared, format("reversal, %d digits", declares().digits), what,
               digits_bounds(declares()), over_generic(&Measurements::reversal, NumberType::digits), without, with);
    if (declares().computes_in(NumberType::rational))
      property("symmetric, fractions", declared, "exact, fractions", what, exact_bounds,
               over_generic(&Measurements::reversal, NumberType::rational), without, with);
  }

  void momenta() {
    if (!declares().takes(ProblemKind::mechanical)) {
      does_not_apply("momentum", "it does not take the kind of problem that has momentum maps");
      return;
    }
    for (const bool angular : {false, true}) {
      const auto declared = angular ? declares().angular_momentum : declares().linear_momentum;
      const std::string test = angular ? "angular momentum" : "linear momentum";
      const BuiltInMethod without =
          angular ? is_not_symplectic() : built_in_verlet(is_coarse() ? BuiltInFlaw::pushes_hard : BuiltInFlaw::pushes);
      for (const auto& [type, suffix, evidence, bounds] :
           {std::tuple(NumberType::real, "", "64 steps, double", double_bounds(declares())),
            std::tuple(NumberType::digits, ", digits", "64 steps, many digits", digits_bounds(declares())),
            std::tuple(NumberType::rational, ", fractions", "exact, one step, fractions", exact_bounds)}) {
        if (!declares().computes_in(type)) continue;
        const NumberType in = type;
        property(
            test + suffix, declared, evidence, test + " is conserved", bounds,
            [this, angular, in](ForeignSubject& subject) {
              return worst_over(problems_.bodies, [&](const JudgedProblem& problem) {
                return measurements_.momentum(subject, problem, angular ? problem.angular : problem.linear, in);
              });
            },
            without, built_in_verlet());
      }
    }
  }

  void cost() {
    Claim claim;
    const auto declared = declares().gradients;
    claim.statement = format("a step after the first takes %g gradients", declared.value_or(0));
    claim.interval = declared ? Interval{*declared, *declared} : Interval{};
    claim.reason = "counts are whole numbers";
    row_beside(
        "gradients", declared ? format("%g", *declared) : "-", "counted", std::move(claim),
        [this](ForeignSubject& subject) { return measurements_.gradients(subject, problems_.generic.front()); },
        built_in_verlet(), built_in_runge_kutta_4(), {2, 2}, "the control is to take two gradients");
    // Not declared, and yet paid for.
    Claim others;
    others.statement = "the Hessians, third derivatives and values of V that a step takes";
    others.reason = "a count";
    row("other evaluations", "-", "counted", std::move(others),
        [this](ForeignSubject& subject) { return measurements_.other_evaluations(subject, problems_.generic.front()); },
        {});
  }

  /// Adds a row for what every method must do, declared or not.
  void duty(const std::string& test, const std::string& evidence, const std::string& what, double bound,
            const char* reason, const Measure& measure, const BuiltInMethod& without) {
    Claim claim;
    claim.statement = what;
    claim.interval = {0, bound == 0 ? 0 : allowed(declares(), bound)};
    claim.reason = claim.interval.high > bound ? reason_of_declared : reason;
    row(test, "yes", evidence, std::move(claim), measure,
        {{without, Expected::fails}, {built_in_verlet(), Expected::passes}});
    limit_to(bound);
  }

  /// Returns the control that loses bits, of a method that may lose some.
  [[nodiscard]] BuiltInMethod loses_bits() const {
    return built_in_verlet(is_coarse() ? BuiltInFlaw::coarse_number : BuiltInFlaw::single_number);
  }

  void closed_forms() {
    const bool exact = !declares().computes_in(NumberType::real) && declares().computes_in(NumberType::rational);
    constexpr double bound = 0x1p-44;
    constexpr const char* reason = "coefficients with 16 digits, some dozens of them: 1e-16 each";
    // Verlet with one coefficient that is wrong by one per thousand.
    const BuiltInMethod long_drift = built_in_splitting("Verlet with a drift of 1001/1000", {1.001}, {0.5, 0.5}, true);
    const BuiltInMethod strong_kick = built_in_splitting("Verlet with kicks of 501/1000", {1}, {0.501, 0.501}, true);
    const std::string evidence = exact ? "closed form, fractions" : "closed form";
    duty(
        "free particle", evidence, "a step of h advances a free particle by h times its velocity", bound, reason,
        [this](ForeignSubject& subject) {
          Measured worst = measurements_.free_particle(subject, problems_.generic.front());
          const Measured general = measurements_.free_particle(subject, problems_.generic.front(), true);
          return is_worse(general.value, worst.value) ? general : worst;
        },
        long_drift);
    if (declares().tolerance > 0) {
      does_not_apply("precision", "what a step of 2^-26 changes is less than its tolerance");
    } else {
      duty(
          "precision", "step of 2^-26 from rest", "no bits of numbers are lost", bound, reason,
          [this](ForeignSubject& subject) {
            Measured worst = measurements_.precision(subject, problems_.generic.front());
            if (!declares().takes(ProblemKind::mechanical)) return worst;
            for (const JudgedProblem& problem : accepted_scaled_problems()) {
              if (problem.size() == 3) continue;  // of ordinary size, of other dimensions
              const Measured measured = measurements_.precision(subject, problem);
              if (is_worse(measured.value, worst.value)) worst = measured;
            }
            return worst;
          },
          loses_bits());
    }
    const int order = declares().order.value_or(1);
    if (declares().takes(ProblemKind::mechanical))
      duty(
          "constant force", evidence, "a step under a constant force is right", bound, reason,
          [this, order](ForeignSubject& subject) {
            const Measured dyadic = measurements_.constant_force(subject, order);
            const Measured general = measurements_.constant_force(subject, order, true);
            return is_worse(general.value, dyadic.value) ? general : dyadic;
          },
          strong_kick);
    if (declares().takes(ProblemKind::timed)) {
      Claim claim;
      claim.statement = "forces 1, t, t^2 up to t^(order - 1) are integrated exactly";
      claim.interval = {0, allowed(declares(), bound)};
      claim.reason = claim.interval.high > bound ? reason_of_declared : reason;
      row("forces of time", "yes", evidence, std::move(claim),
          [this, order](ForeignSubject& subject) { return measurements_.forces_of_time(subject, order); },
          {{strong_kick, Expected::fails}, {built_in_runge_kutta_4(), Expected::passes}});
      limit_to(bound);
    }
  }

  /// Returns those problems of many sizes that the method takes.
  std::vector<JudgedProblem> accepted_scaled_problems() {
    std::vector<JudgedProblem> problems = scaled_problems(options_.seed);
    std::erase_if(problems,
                  [&](const JudgedProblem& problem) { return !measurements_.why_refused(subject_, problem).empty(); });
    return problems;
  }

  /// Returns whether the motion of a problem is small beside one, where a tolerance is mostly not relative any more.
  static bool is_small(const JudgedProblem& problem) {
    const auto largest = [](const std::vector<double>& x) {
      double size = 0;
      for (const double entry : x) size = std::max(size, std::abs(entry));
      return size;
    };
    return largest(problem.start.q) < 0.125 || largest(problem.start.p) < 0.125;
  }

  void reach() {
    if (!declares().computes_in(NumberType::real) || !declares().takes(ProblemKind::mechanical)) return;
    // What holds on the problems above is to hold on others: of other sizes, masses, steps and numbers of bodies.
    for (const bool symplectic : {true, false}) {
      if ((symplectic ? declares().symplectic : declares().symmetric) != true) continue;
      const std::string test = symplectic ? "symplectic, reach" : "symmetric, reach";
      property(
          test, true, symplectic ? "loop integrals, double" : "reversal, double",
          "the property holds for all sizes, masses, steps and degrees of freedom", double_bounds(declares()),
          [this, symplectic](ForeignSubject& subject) {
            Measured worst{-1};
            for (const JudgedProblem& problem : accepted_scaled_problems()) {
              if (declares().tolerance > 0 && is_small(problem)) continue;
              const Measured measured = symplectic ? measurements_.one_loop(subject, problem)
                                                   : measurements_.reversal(subject, problem, NumberType::real);
              if (is_worse(measured.value, worst.value)) worst = measured;
              if (std::isnan(worst.value)) break;
            }
            return worst;
          },
          is_not_symplectic(), built_in_verlet());
    }
  }

  void dependence() {
    // The first problem of every kind that the method takes.
    std::vector<const JudgedProblem*> kinds;
    for (const JudgedProblem& problem : problems_.generic)
      if (std::ranges::none_of(kinds, [&](const JudgedProblem* other) { return other->kind == problem.kind; }))
        kinds.push_back(&problem);
    const auto on_kinds = [this, kinds](Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&)) {
      return [this, kinds, measure](ForeignSubject& subject) {
        Measured worst{-1};
        for (const JudgedProblem* problem : kinds) {
          const Measured measured = (measurements_.*measure)(subject, *problem);
          if (is_worse(measured.value, worst.value)) worst = measured;
        }
        return worst;
      };
    };
    const JudgedProblem& problem = problems_.generic.front();
    constexpr const char* bitwise = "the same operations on the same numbers: no entry differs";
    duty("repetition", "bitwise, in another process", "the same steps lead to the same numbers", 0, bitwise,
         on_kinds(&Measurements::repetition), built_in_verlet(BuiltInFlaw::counts_steps));
    duty("batch", "bitwise", "k steps at once are k steps one by one", 0, bitwise, on_kinds(&Measurements::batch),
         built_in_verlet(BuiltInFlaw::counts_steps));
    duty("history", "bitwise, beside another process", "a start forgets the run before it", 0, bitwise,
         on_kinds(&Measurements::history), built_in_verlet(BuiltInFlaw::remembers));
    const BuiltInMethod old_force{.name = "Verlet that never computes its force anew",
                                  .parts = {{StepPart::What::kick_with_last_force, 1, 2},
                                            {StepPart::What::drift, 1},
                                            {StepPart::What::kick_with_last_force, 1, 2}}};
    if (declares().memory) {
      Claim claim;
      claim.statement = "a step depends on more than time, position and momentum";
      claim.interval = {allowed(declares(), 0x1p-40), infinity};
      claim.reason = "a memory that changes no more than rounding is none";
      row("memory", "yes", "steps of one size, and of changing size", std::move(claim), on_kinds(&Measurements::memory),
          {{built_in_verlet(), Expected::fails}, {old_force, Expected::passes}});
    } else {
      duty("memory", "steps of one size, and of changing size", "a step depends on time, position and momentum alone",
           0x1p-44, "rounding: a method may keep q and p in another form", on_kinds(&Measurements::memory), old_force);
    }
    if (const std::string why = measurements_.why_nothing_is_saved(subject_, problem); !why.empty()) {
      does_not_apply("restart", "nothing is saved: " + why);
      return;
    }
    duty("restart", "bitwise, in another process", "a run continues from what was saved", 0, bitwise,
         on_kinds(&Measurements::restart), built_in_verlet(BuiltInFlaw::forgets_in_saved));
  }

  void backwards() {
    if (!declares().order) return;
    const int order = *declares().order;
    Claim claim;
    claim.statement = "with negative steps the order is " + std::to_string(order);
    claim.interval = Interval::around(order, 0.3);
    claim.reason = "orders are whole numbers: the declared one lies inside, its neighbours outside";
    const Measure measure = [this, order](ForeignSubject& subject) {
      const JudgedProblem& first = problems_.generic.front();
      // Without drawn problems the first is the largest, too.
      const JudgedProblem& largest = *std::ranges::max_element(problems_.generic, {}, &JudgedProblem::size);
      Measured lowest{infinity};
      for (const JudgedProblem* problem : {&first, &largest}) {
        // What the first one refutes needs no other, on which its numbers may grow beyond those that a client can read.
        if (std::isfinite(lowest.value) && (problem == &first || std::abs(lowest.value - order) > 0.3)) break;
        const MeasuredOrder measured = measurements_.order(subject, *problem, -1);
        if (problem != &first && measured.shows_nothing) break;
        if (!measured.why_undecided.empty())
          return Measured{not_a_number, problem->name + ": " + measured.why_undecided};
        const double lower = std::min(measured.q, measured.p);
        if (lower < lowest.value) lowest = {lower, problem->name + ", errors at " + measured.table};
      }
      return lowest;
    };
    row_beside("order, negative steps", std::to_string(order), "errors against the exact motion, double",
               std::move(claim), measure, built_in_verlet(), built_in_verlet(BuiltInFlaw::absolute_step),
               Interval::around(2, 0.3), "the control is to be of order two");
  }

  void number_types() {
    for (const auto& [type, name] :
         {std::pair(NumberType::digits, "many digits"), std::pair(NumberType::rational, "fractions"),
          std::pair(NumberType::complex, "complex numbers")}) {
      if (!declares().computes_in(type)) continue;
      const NumberType other = type;
      duty(
          std::string("double, ") + name, "one step in both", std::string("a step in double is that in ") + name,
          0x1p-44, "rounding in double: some hundred operations of 1.1e-16",
          [this, other](ForeignSubject& subject) {
            return worst_over(problems_for(other), [&](const JudgedProblem& problem) {
              return measurements_.number_types(subject, problem, other);
            });
          },
          loses_bits());
    }
  }

  void stability() {
    if (!declares().takes(ProblemKind::mechanical)) return;
    const auto declared = declares().stability_limit;
    const double most = declared && std::isinf(*declared) ? 64 : std::max(8.0, 2 * declared.value_or(0));
    const double growth = is_coarse() ? double_bounds(declares()).holds : 0;
    Claim claim;
    claim.statement = format("q'' = -omega^2 q is stable up to h omega = %g", declared.value_or(0));
    claim.interval = !declared               ? Interval{}
                     : std::isinf(*declared) ? Interval{most, most}
                     : *declared == 0
                         ? Interval{0, std::max(0x1p-5, 2 * std::sqrt(std::sqrt(growth)))}
                         : Interval::around(*declared, 1e-4 * (1 + *declared) + growth * (1 + *declared * *declared));
    claim.reason =
        "bisection of a step whose spectral radius is known to 1e-12, of which the square root is taken at the limit; "
        "near zero growth of h^4 is seen from there on only; growth of less than is declared is none";
    row_beside(
        "linear stability", declared ? format("%g", *declared) : "-", "spectral radius of a step, double",
        std::move(claim),
        [this, most](ForeignSubject& subject) { return measurements_.stability_limit(subject, most); },
        built_in_verlet(), built_in_runge_kutta_4(), Interval::around(2, 3e-4),
        "the control is to be stable up to two");
  }

  void several_oscillators() {
    const auto declared = declares().stability_limit;
    if (!declares().takes(ProblemKind::mechanical) || !declared || *declared == 0) return;
    const double h = std::isinf(*declared) ? 16 : 0.97 * *declared;
    Claim claim;
    claim.statement = "several oscillators are stable as far as one is";
    claim.interval = growth_of_stable_steps;
    // Near the limit the ellipse of Verlet has the axes 1 and (1 - (h omega / 2)^2)^(-1/2), 4.1 at 0.97 of it.
    claim.reason = "orbits of a stable step are ellipses, of axes up to some tens at 0.97 of the limit";
    row("stability of several", format("%g", *declared), "512 steps, double", std::move(claim),
        [this, h](ForeignSubject& subject) { return measurements_.growth_of_several(subject, h); }, {});
    if (result_.rows.back().claim.verdict == Verdict::not_testable) return;
    Claim& written = result_.rows.back().claim;
    for (const double at : {1.94, 2.06}) {
      const auto control = built_in_subject(built_in_verlet());
      written.controls.push_back({format("Verlet at h omega = %g", at),
                                  measurements_.growth_of_several(*control, at).value, growth_of_stable_steps,
                                  "its limit is two", at < 2 ? Expected::passes : Expected::fails});
    }
    written.verdict = Verdict::confirmed;
    written.verdict = decide(written);
  }

  void later() {
    if (!declares().takes(ProblemKind::mechanical) || declares().memory) return;
    duty(
        "later", "a step after 20000", "late steps are those of a fresh start", 0x1p-44,
        "rounding: a method may keep q and p in another form",
        [this](ForeignSubject& subject) { return measurements_.after_many_steps(subject, problems_.orbit); },
        built_in_verlet(BuiltInFlaw::tires));
  }

  void energy() {
    if (!declares().takes(ProblemKind::mechanical)) return;
    const auto declared = declares().symplectic;
    Claim claim;
    claim.statement = "the energy of a regular motion does not drift";
    claim.interval = {0, 0.1};
    claim.reason = "the mean of a bounded error changes by a small share of its size; that of a drift by all of it";
    row("energy", declared == true ? "yes" : "-", "8192 steps, double", std::move(claim),
        [this](ForeignSubject& subject) { return measurements_.energy_drift(subject, problems_.orbit, 8192); },
        {{built_in_runge_kutta_4(), Expected::fails}, {built_in_verlet(), Expected::passes}});
  }

  /// Adds the rows of a method with friction and noise.
  void heat_bath() {
    const auto must = [this](const std::string& test, const std::string& evidence, const std::string& what,
                             const Interval& interval, const char* reason, const Measure& measure, BuiltInFlaw wrong) {
      Claim claim;
      claim.statement = what;
      claim.interval = interval;
      claim.reason = reason;
      row(test, "yes", evidence, std::move(claim), measure,
          {{built_in_baoab(wrong), Expected::fails}, {built_in_baoab(), Expected::passes}});
    };
    const Bounds bounds = double_bounds(declares());
    constexpr const char* of_limit =
        "the limit for h to 0 by extrapolation from 2^-8 and 2^-9, which leaves (gamma h)^2 = 1e-5 times a number of "
        "order "
        "one; a factor of the friction or the noise that is wrong is farther away";
    must(
        "noise", "affine map of a step", "on springs a step is affine in position, momentum and noise",
        {0, bounds.holds}, bounds.reason,
        [this](ForeignSubject& subject) { return step_is_affine(subject, options_.seed); }, BuiltInFlaw::squared_noise);
    must("fresh noise", "affine map of two steps", "two steps are one step twice, each with normal numbers of its own",
         {0, bounds.holds}, bounds.reason, fresh_noise, BuiltInFlaw::old_noise);
    must("friction", "free bodies, h to 0", "momenta of free bodies decay at the rate of the friction", {0, 1e-3},
         of_limit, friction_of_free_bodies, BuiltInFlaw::friction_per_body);
    must("noise of a body", "free bodies, h to 0",
         "momenta get 2 friction temperature m of variance per time, each body alone", {0, 1e-3}, of_limit,
         noise_of_free_bodies, BuiltInFlaw::shared_noise);
    must("noise without heat", "affine map of a step", "without temperature or friction noise has no effect", {0, 0},
         "a factor of zero: exactly nothing", noise_without_heat, BuiltInFlaw::warm_without_heat);
    const auto declared = declares().sampling;
    for (const bool momentum : {false, true}) {
      Claim claim;
      claim.statement = format("the error of the stationary covariance is O(h^%d)", declared.value_or(0));
      claim.interval = {declared.value_or(0) - 0.3, infinity};
      claim.reason = "orders are whole numbers, and on springs some methods have a higher one than otherwise";
      row_beside(
          momentum ? "sampling of p" : "sampling of q", declared ? std::to_string(*declared) : "-",
          "stationary covariance", std::move(claim),
          [momentum](ForeignSubject& subject) { return sampling_order(subject, momentum); }, built_in_baoab(),
          built_in_baoab(BuiltInFlaw::first_order_bath), {1.7, infinity}, "the control is to be of order two");
    }
  }

  ForeignSubject& subject_;
  JudgementOptions options_;
  JudgedProblems problems_;
  Measurements measurements_;
  Judgement result_;
};

}  // namespace

int Judgement::exit_status() const {
  bool refuted = false, undecided = false, confirmed = false;
  for (const JudgementRow& row : rows) {
    const Verdict verdict = row.claim.verdict;
    refuted = refuted || verdict == Verdict::refuted;
    undecided = undecided || verdict == Verdict::undecided || verdict == Verdict::broken_control;
    confirmed = confirmed || verdict == Verdict::confirmed || verdict == Verdict::confirmed_with_limits;
  }
  return refuted ? 1 : undecided || !confirmed || !declares.declares_something() ? 2 : 0;
}

JudgementRow broken_contract(const std::string& sentence) {
  Claim claim;
  claim.id = "judge.protocol";
  claim.headline = "protocol";
  claim.statement = "the method keeps to the protocol";
  claim.reason = "what a method says after it broke its contract is worth nothing";
  claim.measured = not_a_number;
  claim.note = sentence;
  claim.verdict = Verdict::undecided;
  return {"protocol", "yes", "-", std::move(claim), ""};
}

long steps_of_judgement(const JudgementOptions& options) {
  return options.slow ? 12000 : options.quick ? 40000 : 69000;
}

Judgement judge(ForeignSubject& subject, const JudgementOptions& options) { return Judge(subject, options).run(); }

std::string judgement_table(const Judgement& judgement) {
  const auto column = [](const std::string& s, std::size_t width) {
    return s + std::string(s.size() < width ? width - s.size() : 1, ' ');
  };
  std::string text = judgement.declares.name;
  if (!judgement.declares.source.empty()) text += " (" + judgement.declares.source + ")";
  text += ", seed " + std::to_string(judgement.seed);
  if (const std::string accuracy = declared_accuracy(judgement.declares); !accuracy.empty())
    text += ", judged up to " + accuracy;
  text += "\n";
  text += column("test", 28) + column("declared", 10) + column("measured", 12) + column("verdict", 16) + "evidence\n";
  for (const JudgementRow& row : judgement.rows) {
    const Claim& claim = row.claim;
    if (claim.verdict == Verdict::not_testable) {
      text += column(row.test, 28) + column("-", 10) + column("-", 12) + "does not apply: " + claim.note + "\n";
      continue;
    }
    const std::string verdict = claim.verdict == Verdict::result ? "measured" : std::string(to_string(claim.verdict));
    text += column(row.test, 28) + column(row.declared, 10) + column(format("%.4g", claim.measured), 12) +
            column(verdict, 16) + row.evidence;
    if (claim.verdict == Verdict::refuted || claim.verdict == Verdict::undecided ||
        claim.verdict == Verdict::confirmed_with_limits)
      text += ": " + claim.note;
    text += "\n";
    if (claim.verdict == Verdict::broken_control)
      for (const Control& control : claim.controls)
        if (!control.as_expected())
          text += "  control '" + control.name + "' was not " +
                  (control.expected == Expected::fails ? "rejected" : "accepted") + ": " +
                  format("%.4g", control.measured) + ", " + control.note + "\n";
  }
  return text;
}

}  // namespace livi
