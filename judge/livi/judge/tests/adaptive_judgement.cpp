// SPDX-License-Identifier: MIT
#include <livi/judge/measures/adaptive_steps.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include <livi/judge/controls/built_in_adaptive.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/tests/drawn_steps.hpp>
#include <livi/judge/tests/watched_subject.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using Measure = std::function<Measured(ForeignSubject&)>;
using enum AdaptiveRule;
using enum AdaptiveFlaw;

struct ControlOf {
  BuiltInAdaptiveMethod method;
  Expected expected;
  std::optional<Interval> interval = {};  ///< where the control is to have another number than the method
};

constexpr double holds = 0x1p-40, visible = 0x1p-33;
constexpr const char* of_rounding =
    "rounding: some thousand operations of 1.1e-16 on numbers of order one, divided by loops or points of that order";
constexpr const char* bitwise = "the same operations on the same numbers: no entry differs";
constexpr BuiltInAdaptiveMethod honest{};

std::string yes_or_no(std::optional<bool> declared) { return !declared ? "-" : *declared ? "yes" : "no"; }

class AdaptiveJudge {
 public:
  AdaptiveJudge(ForeignSubject& subject, const JudgementOptions& options, Judgement& result)
      : subject_(subject), options_(options), measurements_(options.seed), result_(result) {
    result_.declares = judged_declaration(subject.declares(), options.strict);
    result_.seed = options.seed;
    const JudgedProblems all = judged_problems({ProblemKind::mechanical}, options.seed, options.drawn);
    particles_ = below_zero(all.particles);
    std::string refused;
    for (const JudgedProblem& generic : all.generic) {
      JudgedProblem problem = below_zero(generic);
      problem.h = std::abs(problem.h);  // rows about steps back make them themselves
      const std::string why = measurements_.why_refused(subject, problem);
      if (why.empty()) problems_.push_back(problem);
      refused = why.empty() ? refused : why;
    }
    if (problems_.empty()) throw ForeignFailure(refused + ", nor any other problem of the judge");
  }

  void run() {
    if (const std::string why = measurements_.why_no_step(subject_, pointers_to(problems_)); !why.empty()) {
      result_.rows.push_back(undecided_row(declares(), row_of(TestId::steps), "steps can be made", why));
      return;
    }
    time();
    orders();
    local_errors();
    symplecticity();
    property(TestId::symmetric, declares().symmetric, "reversal, double",
             "a step of -h takes back a step of h, and its time", worst_of(reversal_in_time), {reversible, old_density},
             honest);
    if (declares().symmetric == true)
      property(TestId::symmetric_signs, true, "one step, double",
               "a step of -h is that of h with time and momenta turned", worst_of(turned_step_in_time),
               {reversible, density_by_sign}, honest);
    if (declares().symmetric == true && declares().order.value_or(0) % 2 == 1)
      result_.rows.push_back(odd_order_of_symmetric(declares(), row_of(TestId::symmetric_order)));
    reach();
    momenta();
    cost();
    dependence();
    if (!options_.quick) {
      energy();
      later();
    }
  }

 private:
  [[nodiscard]] const ForeignDeclaration& declares() const { return result_.declares; }

  static RowId row_of(TestId test) { return {test, ProblemKind::adaptive}; }
  /// Returns a measurement, or no number where a step fails.
  static Measured measured_or_refused(ForeignSubject& subject, const Measure& measure) {
    try {
      return measure(subject);
    } catch (const ProblemRefused&) {
      throw;
    } catch (const ForeignRefusal& refusal) {
      return {not_a_number, refusal.what()};
    }
  }
  /// Measures on the subject and, where something is declared, on the controls; adds a row.
  void row(const RowId& id, const std::string& declared, const std::string& evidence, const std::string& what,
           const Interval& interval, const char* reason, const Measure& measure,
           const std::vector<ControlOf>& controls) {
    Claim claim = claim_of_row(declares(), id);
    if (options_.progress) options_.progress(claim.headline);
    claim.statement = what;
    claim.interval = interval;
    claim.reason = reason;
    Measured measured{not_a_number};
    try {
      measured = measured_or_refused(subject_, measure);
    } catch (const ProblemRefused& refused) {
      does_not_apply(id, refused.what());
      return;
    }
    claim.measured = measured.value;
    claim.note = measured.note;
    subject_.say_if_not_measured(claim, measured);
    if (declared == "-") {
      claim.verdict = std::isfinite(claim.measured) ? Verdict::result : Verdict::not_testable;
    } else {
      for (const ControlOf& control : controls) {
        const auto method = adaptive_subject(control.method);
        const Measured of_control = measured_or_refused(*method, measure);
        claim.controls.push_back({control.method.name(), of_control.value, control.interval.value_or(interval),
                                  of_control.note.empty() ? "no note" : of_control.note, control.expected});
      }
      claim.verdict = decide(claim);
    }
    result_.rows.push_back({id, claim.headline, declared, evidence, claim, measured.cause, measured.problem});
  }
  void does_not_apply(const RowId& id, const std::string& why) {
    result_.rows.push_back(row_that_does_not_apply(declares(), id, why));
  }
  void property(TestId test, std::optional<bool> declared, const std::string& evidence, const std::string& what,
                const Measure& measure, const BuiltInAdaptiveMethod& without, const BuiltInAdaptiveMethod& with) {
    const bool is_to_hold = declared.value_or(true);
    row(row_of(test), yes_or_no(declared), evidence, is_to_hold ? what : "not: " + what,
        is_to_hold ? Interval{0, holds} : Interval{visible, infinity}, of_rounding, measure,
        {{without, is_to_hold ? Expected::fails : Expected::passes},
         {with, is_to_hold ? Expected::passes : Expected::fails}});
  }
  /// What every method must do, declared or not.
  void duty(const RowId& id, const std::string& evidence, const std::string& what, double bound, const char* reason,
            const Measure& measure, const BuiltInAdaptiveMethod& without, const BuiltInAdaptiveMethod& with = honest) {
    row(id, "yes", evidence, what, {0, bound}, reason, measure, {{without, Expected::fails}, {with, Expected::passes}});
  }

  /// Returns the worst of a measurement over the problems.
  Measure worst_of(Measured (*measure)(ForeignSubject&, const JudgedProblem&)) {
    return [this, measure](ForeignSubject& subject) {
      Measured worst{-1};
      for (const JudgedProblem& problem : problems_) {
        const Measured measured = measure(subject, problem);
        if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
      }
      return worst;
    };
  }
  /// The worst loop integral of p dq - E dt.
  Measured loop_integral(ForeignSubject& subject) {
    Measured worst{-1};
    for (const JudgedProblem& problem : problems_) {
      const JudgedProblem scaled = for_adaptive_steps(subject, problem, ProblemKind::extended);
      const auto clocked = clock_as_coordinate(subject, scaled);
      const Measured measured = measurements_.loop_integral(*clocked, with_clock(scaled), NumberType::real);
      if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
      if (std::isnan(worst.value)) break;
    }
    return worst;
  }
  /// A measurement of methods with constant steps on the first problem, the time being a coordinate.
  Measure on_first(Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&)) {
    return [this, measure](ForeignSubject& subject) {
      const JudgedProblem scaled = for_adaptive_steps(subject, problems_.front(), ProblemKind::adaptive);
      const auto clocked = clock_as_coordinate(subject, scaled);
      return (measurements_.*measure)(*clocked, with_clock(scaled));
    };
  }

  void time() {
    duty(row_of(TestId::time), "counted", "a step of h > 0 advances the time, one of h < 0 takes it back", 0,
         "a step that does not is none", worst_of(steps_against_time), {reversible, clock_backwards});
    row(row_of(TestId::range_of_steps), "yes", "longest over shortest, 512 steps",
        "on one elongated orbit lengths of steps differ", {1.05, infinity},
        "steps that differ by less than a twentieth are constant for every purpose, where forces vary a thousandfold",
        range_of_steps, {{{reversible, constant_steps}, Expected::fails}, {honest, Expected::passes}});
    duty(row_of(TestId::start_of_clock), "32 steps, double", "steps do not depend on the time at which a run begins",
         holds, "rounding of a time near 1024 is 1e-13; that of a step must not be", worst_of(later_by_the_clock),
         {reversible, of_the_time});
    const int order = declares().order.value_or(0);
    row(row_of(TestId::clock), order >= 2 ? "yes" : "-", "step of 2^-26 from zero",
        "motion and clock agree in a short step", {0, 0x1p-44},
        "from order two on a step of 1.5e-8 has a relative error of its square; rounding of some dozen operations",
        error_of_the_clock, {{{reversible, fast_clock}, Expected::fails}, {honest, Expected::passes}});
    // Steps so short may be another branch than others.
    const double most = order >= 2 ? 0x1p-30 : 0x1p-27;
    duty(row_of(TestId::clock_limit), "steps of h/4 to h/128, double",
         "motion and clock agree in the limit of short steps", most, "what a polynomial through six steps leaves",
         [this](ForeignSubject& subject) {
           Measured worst{-1};
           double sign = 1;
           for (JudgedProblem problem : problems_) {
             problem.h *= std::exchange(sign, -sign);
             const Measured measured = clock_in_the_limit(subject, problem);
             if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
           }
           return worst;
         },
         {reversible, fast_when_long});
    duty(row_of(TestId::no_step), "forces that are no numbers", "a step that cannot be made is said to have failed", 0,
         "numbers that are none are no state, and a caller cannot go on from them",
         [this](ForeignSubject& subject) { return state_without_forces(subject, problems_.front()); },
         {reversible, fails_silently});
  }

  /// The lowest order over the problems. Where errors are rounding from the start, or slopes do not settle before, other
  /// problems decide; a slope that is far from the declared one refutes, settled or not.
  Measured lowest_order(ForeignSubject& subject, bool momentum, double time) const {
    std::vector<std::pair<std::string, MeasuredOrder>> measured;
    for (const JudgedProblem& problem : problems_)
      measured.emplace_back(problem.name, order_in_time(subject, problem, time));
    return livi::lowest_order(measured, momentum ? OrderOf::momenta : OrderOf::positions, declares().order);
  }
  void orders() {
    const int order = declares().order.value_or(0);
    for (const auto& [test, momentum, direction] :
         {std::tuple(TestId::order_q, false, 1.0), std::tuple(TestId::order_p, true, 1.0),
          std::tuple(TestId::order_negative, false, -1.0)}) {
      const bool of_momentum = momentum;
      const double time = direction;
      row(row_of(test), declares().order ? std::to_string(order) : "-", "errors at the times reached, double",
          "the order in the time is " + std::to_string(order),
          declares().order ? Interval::around(order, 0.3) : Interval{},
          "orders are whole numbers: the declared one lies inside, its neighbours outside",
          [this, of_momentum, time](ForeignSubject& subject) { return lowest_order(subject, of_momentum, time); }, {});
      if (!declares().order || result_.rows.back().claim.verdict == Verdict::not_testable) continue;
      // The controls are of another order than the method may be: they are measured on one problem.
      Claim& written = result_.rows.back().claim;
      for (const auto& [method, expected] :
           {std::pair(honest, Expected::passes),
            std::pair(BuiltInAdaptiveMethod{reversible, old_clock}, Expected::fails)}) {
        const MeasuredOrder measured = order_in_time(*adaptive_subject(method), problems_.front(), time);
        written.controls.push_back({method.name(), of_momentum ? measured.p : measured.q, Interval::around(2, 0.3),
                                    "the control is to be of order two", expected});
      }
      written.verdict = Verdict::confirmed;  // so that it is decided anew, with its controls
      written.verdict = decide(written);
    }
  }

  void local_errors() {
    for (const ProblemKind kind : {ProblemKind::adaptive, ProblemKind::extended})
      if (declares().takes(kind))
        duty({TestId::local_error, kind}, "single steps of h, h/2, ... beside the exact motion", local_error_statement,
             1, local_error_reason,
             [this, kind](ForeignSubject& subject) { return DrawnSteps(subject, kind, options_.seed).local_error(); },
             {reversible, fast_beyond_ten});
  }

  void symplecticity() {
    if (declares().takes(ProblemKind::extended)) {
      property(TestId::symplectic, declares().symplectic, "loop integral of p dq - E dt, double",
               "a step in tau preserves dq ^ dp - dt ^ dE",
               [this](ForeignSubject& subject) { return loop_integral(subject); }, {hamiltonian, without_gradients},
               {hamiltonian});
      return;
    }
    const std::string why =
        "at one tau the states have different times: it is defined in (q, t; p, -E), which the kind extended shows";
    if (!declares().symplectic) {
      does_not_apply(row_of(TestId::symplectic), why);
      return;
    }
    result_.rows.push_back(undecided_row(declares(), row_of(TestId::symplectic), "what is declared of this holds",
                                         "declared, and not judged: " + why));
  }

  /// Returns whether positions, masses and times of a problem are of order one, and something moves: a step density has
  /// units, and need not fit others, nor have a value at rest.
  static bool is_of_ordinary_size(const JudgedProblem& problem) {
    const auto within = [](const std::vector<double>& x, double least, double most) {
      return std::ranges::all_of(x, [&](double entry) { return std::abs(entry) >= least && std::abs(entry) <= most; });
    };
    return within(problem.start.q, 0.125, 2) && within(problem.start.p, 0.0625, 4) && within(problem.masses, 0.25, 4) &&
           within({problem.h}, 1e-3, 0.25);
  }
  /// What holds on the problems above is to hold on others: of 1 to 48 degrees of freedom, with other steps.
  void reach() {
    const auto over_scales = [this](const std::function<Measured(ForeignSubject&, const JudgedProblem&)>& measure) {
      return [this, measure](ForeignSubject& subject) {
        Measured worst{-1};
        for (const JudgedProblem& scaled : scaled_problems(options_.seed)) {
          if (!is_of_ordinary_size(scaled)) continue;
          const JudgedProblem problem = below_zero(scaled);
          if (!measurements_.why_refused(subject, problem).empty()) continue;
          const Measured measured = measure(subject, problem);
          if (is_worse(measured.value, worst.value)) worst = measured_on(problem, measured);
        }
        return worst;
      };
    };
    const std::string what = "the property holds for other steps and numbers of degrees of freedom";
    duty(
        row_of(TestId::short_steps), "steps of 2^-20, double",
        "motion and clock agree for other numbers of degrees of freedom", 0x1p-12,
        "errors of order one are 2^-20 of the velocity and the force, times what these change by in a unit of the time",
        over_scales(short_step_in_time), {reversible, fast_beyond_ten});
    if (declares().order.value_or(0) >= 2)
      duty(row_of(TestId::steps_between), "steps of 2^-17 to 2^-13, double",
           "motion and clock agree in single steps of these sizes", 0x1p10,
           "times the square of the time: what forces change by in a unit of the time, of motions of order one; "
           "rounding of "
           "positions over the cube of the shortest time, 2^-17, and velocities of 1/64 is 32",
           over_scales(ways_of_single_steps), {reversible, fast_in_between});
    duty(row_of(TestId::bits_of_h), "steps near 2^-26, double",
         "the length of a short step is proportional to h, of all 53 bits", holds,
         "rounding; the mean of steps of h and -h over h is that of the start but for h^2 = 2^-52",
         worst_of(bits_of_steps), {reversible, single_step});
    if (declares().symmetric == true)
      property(TestId::symmetric_reach, true, "reversal, double", what, over_scales(reversal_in_time),
               {reversible, old_density}, honest);
    if (declares().symplectic == true && declares().takes(ProblemKind::extended))
      property(TestId::symplectic_reach, true, "loop integrals, double", what,
               over_scales([this](ForeignSubject& subject, const JudgedProblem& problem) {
                 const JudgedProblem scaled = for_adaptive_steps(subject, problem, ProblemKind::extended);
                 const auto clocked = clock_as_coordinate(subject, scaled);
                 return measurements_.one_loop(*clocked, with_clock(scaled));
               }),
               {hamiltonian, without_gradients}, {hamiltonian});
    // The rows above on dq ^ dp - dt ^ dE are the only ones that ask for the kind extended.
    if (declares().takes(ProblemKind::extended))
      duty(row_of(TestId::extended), "8 steps, double",
           "with E = H the kind extended has the steps of the kind adaptive, and keeps E", holds,
           "rounding of some thousand operations, and of E, which the two kinds may sum in another way",
           [this, over_scales](ForeignSubject& subject) {
             const Measured on_these = worst_of(extended_beside_adaptive)(subject);
             const Measured on_others = over_scales(extended_beside_adaptive)(subject);
             return is_worse(on_others.value, on_these.value) ? on_others : on_these;
           },
           {reversible, free_if_extended});
  }

  void momenta() {
    for (const bool angular : {false, true}) {
      const TestId test = angular ? TestId::angular_momentum : TestId::linear_momentum;
      const auto& maps = angular ? particles_.angular : particles_.linear;
      property(
          test, angular ? declares().angular_momentum : declares().linear_momentum, "64 steps, double",
          std::string(row_entry(row_of(test)).name) + " is conserved",
          [this, &maps](ForeignSubject& subject) {
            const JudgedProblem scaled = for_adaptive_steps(subject, particles_, ProblemKind::adaptive);
            return measurements_.momentum(subject, scaled, maps, NumberType::real);
          },
          {reversible, pushes}, honest);
    }
  }

  void cost() {
    const auto declared = declares().gradients;
    const Interval two{2, 2};
    row(row_of(TestId::gradients), declared ? format("%g", *declared) : "-", "counted",
        format("a step after the first takes %g gradients", declared.value_or(0)),
        declared ? Interval{*declared, *declared} : Interval{}, "counts are whole numbers",
        [this](ForeignSubject& subject) {
          return measurements_.gradients(subject,
                                         for_adaptive_steps(subject, problems_.front(), ProblemKind::adaptive));
        },
        {{{integrated, asks_twice}, Expected::fails, two}, {{integrated}, Expected::passes, two}});
  }

  void dependence() {
    duty(row_of(TestId::repetition), "bitwise, in another process", "the same steps lead to the same numbers", 0,
         bitwise, on_first(&Measurements::repetition), {reversible, counts_steps});
    duty(row_of(TestId::batch), "bitwise", "k steps at once are k steps one by one", 0, bitwise,
         on_first(&Measurements::batch), {reversible, counts_steps});
    duty(row_of(TestId::history), "bitwise, beside another process", "a start forgets the run before it", 0, bitwise,
         on_first(&Measurements::history), {reversible, remembers});
    if (declares().memory) {
      row(row_of(TestId::memory), "yes", "steps of one size, and of changing size",
          "a step depends on more than time, position and momentum", {0x1p-40, infinity},
          "a memory that changes no more than rounding is none", on_first(&Measurements::memory),
          {{honest, Expected::fails}, {{integrated}, Expected::passes}});
    } else {
      duty(row_of(TestId::memory), "steps of one size, and of changing size",
           "a step depends on time, position and momentum alone", holds,
           "rounding, and where a step solves an equation a start guesses otherwise", on_first(&Measurements::memory),
           {integrated});
    }
    const JudgedProblem& problem = problems_.front();
    if (const std::string why = measurements_.why_nothing_is_saved(subject_, problem); !why.empty()) {
      does_not_apply(row_of(TestId::restart), "nothing is saved: " + why);
      return;
    }
    duty(row_of(TestId::restart), "bitwise, in another process", "a run continues from what was saved", 0, bitwise,
         on_first(&Measurements::restart), {reversible, forgets_in_saved});
  }

  void energy() {
    const bool promised = declares().symplectic == true || declares().symmetric == true;
    row(row_of(TestId::energy), promised ? "yes" : "-", "8192 steps, double",
        "the energy of a regular motion does not drift", {0, 0.1},
        "the mean of a bounded error changes by a small share of its size; that of a drift by all of it",
        energy_drift_in_time, {{{reversible, old_density}, Expected::fails}, {honest, Expected::passes}});
  }

  void later() {
    if (declares().memory) return;
    duty(row_of(TestId::later), "a step after 20000", "on one orbit a step after 20000 is that of a fresh start", holds,
         "rounding, and where a step solves an equation a start guesses otherwise",
         [this](ForeignSubject& subject) {
           const JudgedProblem scaled = orbit_for_adaptive_steps(subject);
           const auto clocked = clock_as_coordinate(subject, scaled);
           return measurements_.after_many_steps(*clocked, with_clock(scaled));
         },
         {reversible, tires});
  }

  WatchedSubject subject_;
  JudgementOptions options_;
  Measurements measurements_;
  std::vector<JudgedProblem> problems_;
  JudgedProblem particles_;
  Judgement& result_;
};

}  // namespace

void judge_adaptive_steps(ForeignSubject& subject, const JudgementOptions& options, Judgement& judgement) {
  AdaptiveJudge(subject, options, judgement).run();
}

}  // namespace livi
