// SPDX-License-Identifier: MIT
//
// The rows of the battery for methods with adaptive steps: a row is what is measured of a method and, in the same words, of its control.
#include <livi/claims/adaptive_measures.hpp>

namespace livi::battery_detail {

namespace {

using namespace adaptive;

class AdaptiveTests {
 public:
  AdaptiveTests(const AnyAdaptiveSubject& subject, const BatteryOptions& options)
      : subject_(subject), options_(options), rows_(result_.declares, result_.rows, options) {
    result_.declares = subject.declares();
    result_.quick = options.quick;
    result_.only = options.only;
    result_.seed = judge_seed();
  }

  BatteryResult run() {
    rows_.test("order in time", {"order of q", "order of p", "order of output", "clock"}, [&] { orders(); });
    rows_.test("tiny steps", [&] { tiny_steps(); });
    rows_.test("drawn problems", [&] { drawn_problems(); });
    rows_.test("number types", [&] {
      static const double of_control = number_types_worst(control_subject(AdaptiveControl::clock_in_double)).value;
      of_all("number types", "a run in double is the run in 50 digits", number_types_worst(subject_), 1e-11,
             "32 steps whose equations are solved to 32 units of 2e-16 and whose errors grow by a factor of up to ten "
             "are 2e-12",
             AdaptiveControl::clock_in_double, of_control,
             "largest distance after 32 steps of 1/16 on each problem, over the size of the point");
    });
    rows_.test("later", [&] {
      static const double of_control = later_worst(control_subject(AdaptiveControl::late)).value;
      of_all("later", "a run that begins at another time is the same run", later_worst(subject_), 1e-40,
             "times near 1000 lose 3 of 50 digits, 32 steps not more than as many", AdaptiveControl::late, of_control,
             "largest distance after 32 steps begun at t, t + 1000 and t - 1000");
    });
    rows_.test("symplectic", [&] { symplecticity(); });
    rows_.test("symmetric", [&] { symmetry(); });
    rows_.test("linear momentum", [&] { momentum(true); });
    rows_.test("angular momentum", [&] { momentum(false); });
    rows_.test("linear momentum, other density", [&] { momentum_of_other_density(true); });
    rows_.test("angular momentum, other density", [&] { momentum_of_other_density(false); });
    rows_.test("scale of sigma", [&] { scale(); });
    rows_.test("repetition", [&] {
      count("repetition", "a run is the same when it is repeated, after another and by another object",
            changed_by_repetition(subject_), AdaptiveControl::counter_shared,
            changed_by_repetition(control_subject(AdaptiveControl::counter_shared)),
            "repeated runs of 32 steps that differ in a bit, in double");
    });
    rows_.test("restart", [&] {
      count("restart", "fields() are all that a step depends on", lost_by_restart(subject_),
            AdaptiveControl::counter_in_method, lost_by_restart(control_subject(AdaptiveControl::counter_in_method)),
            "steps of 32 on each problem that differ in a bit when a new object makes them from the saved state");
    });
    rows_.test("no step", [&] {
      count("no step", "where no step is defined it fails, and says so", steps_from_nowhere(subject_),
            AdaptiveControl::unguarded, steps_from_nowhere(control_subject(AdaptiveControl::unguarded)),
            "steps made from a density that is negative, and from the centre of Kepler's problem");
    });
    rows_.test("energy, regular", [&] { energy(true); });
    rows_.test("energy, chaotic", [&] { energy(false); });
    rows_.test("cost", [&] { cost(); });
    for (const std::string& row : options_.only)
      if (!rows_.find(row)) throw InvalidParameter("only", row, "must be a row of the battery that this method has");
    return std::move(result_);
  }

 private:
  const Properties& declared() const { return result_.declares; }

  void orders() {
    const int order = declared().order;
    if (order < 1) {
      rows_.undecided("order of q", std::to_string(order), {.statement = "the declared order is an order"},
                      "an order is at least 1");
      return;
    }
    static const OrdersInTime of_wrong_clock = orders_in_time(control_subject(AdaptiveControl::wrong_clock), 2);
    const auto farther = [](double candidate, double so_far, double from) {
      if (std::isnan(so_far)) return so_far;  // a failure on one problem cannot be mended by another
      return !(std::abs(candidate - from) <= std::abs(so_far - from)) ? candidate : so_far;
    };
    // The end of a step has an error of order p + 1, Hermite's polynomial one of order four.
    const double of_output = std::min(order + 1, 4);
    OrdersInTime worst{double(order), double(order), of_output, infinity, 0};
    std::string detail;
    for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
      const OrdersInTime found = orders_in_time(subject_, i);
      detail += format("%s: q %.3f, p %.3f, output %.3f, clock %.3f (error at 512 steps: %.2e); ", problem.name.c_str(),
                       found.q, found.p, found.output, found.clock, found.error);
      worst.q = farther(found.q, worst.q, order);
      worst.p = farther(found.p, worst.p, order);
      worst.output = farther(found.output, worst.output, of_output);
      if (!std::isnan(worst.clock) && !(found.clock >= worst.clock)) worst.clock = found.clock;
    });
    const std::string how =
        "errors at the time reached in one unit of time, 64 to 512 steps, in 50 digits, slope "
        "extrapolated; where they are below 1e-12, of differences of errors";
    const char* const reason = "what the extrapolation of slopes leaves at 512 steps";
    const auto add = [&](const char* row, const std::string& statement, double measured, double expected,
                         double control, const Interval& interval, double of_control = 2) {
      Claim claim;
      claim.statement = statement;
      claim.how = how;
      claim.measured = measured;
      claim.unit = "order";
      claim.interval = interval;
      claim.reason = reason;
      claim.controls = {{.name = control_name(AdaptiveControl::wrong_clock),
                         .measured = control,
                         .interval = {of_control - 0.05, interval.high == infinity ? infinity : of_control + 0.05}}};
      rows_.add(row, format("%g", expected), claim, std::string(row) == "order of q" ? detail : "");
    };
    const Interval around = Interval::around(order, 0.05);
    add("order of q", format("error of q of order %d at the time t", order), worst.q, order, of_wrong_clock.q, around);
    add("order of p", format("error of p of order %d at the time t", order), worst.p, order, of_wrong_clock.p, around);
    add("order of output",
        format("error of order %g of the position interpolated within a step that begins on the motion", of_output),
        worst.output, of_output, of_wrong_clock.output, Interval::around(of_output, 0.05), 3);
    add("clock", format("t is the time of the motion, up to an error of order %d", order), worst.clock, order,
        of_wrong_clock.clock, {order - 0.05, infinity});
  }

  void tiny_steps() {
    const int order = declared().order;
    if (order < 1) {
      rows_.undecided("tiny steps", std::to_string(order), {.statement = "the declared order is an order"},
                      "an order is at least 1");
      return;
    }
    static const double of_control = tiny_steps_worst(control_subject(AdaptiveControl::fast_clock), 2).value;
    of_all("tiny steps", "the motion is that of the system, and t is its time", tiny_steps_worst(subject_, order),
           1e-14, "coefficients with 16 digits err by 1e-16 each; the method's own error is below 1e-18",
           AdaptiveControl::fast_clock, of_control,
           "largest error of one step, forwards and backwards, over its change, in 50 digits");
  }

  /// A method can know the fixed problems, but not those that are drawn.
  void drawn_problems() {
    const int order = declared().order;
    if (order < 1) {
      rows_.undecided("drawn problems", std::to_string(order), {.statement = "the declared order is an order"},
                      "an order is at least 1");
      return;
    }
    const auto of = [](const Subject& subject, int of_order) {
      return tiny_steps_worst(subject, of_order, ProblemRole::drawn);
    };
    static const double of_control = of(control_subject(AdaptiveControl::for_problems), 2).value;
    of_all("drawn problems", "so it is on problems and densities drawn at random", of(subject_, order), 1e-14,
           "coefficients with 16 digits err by 1e-16 each; the method's own error is below 1e-16",
           AdaptiveControl::for_problems, of_control,
           format("largest error of one step, forwards and backwards, over its change, in 50 digits; seed %llu",
                  static_cast<unsigned long long>(judge_seed())));
  }

  /// Adds a row for the largest defect over all problems, which must be below a bound.
  void of_all(const std::string& row, const std::string& statement, const Worst& worst, double bound,
              const std::string& reason, AdaptiveControl control, double of_control, const std::string& how) {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = worst.value;
    claim.interval = {0, bound};
    claim.reason = reason;
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, bound}}};
    rows_.add(row, "yes", claim, worst.where);
  }

  void symplecticity() {
    const F quarter = F(1) / 4;
    const auto of = [&](AdaptiveControl control) { return symplectic_worst(control_subject(control), quarter).value; };
    static const double of_naive = of(AdaptiveControl::naive), of_reversible = of(AdaptiveControl::reversible),
                        of_printed_sign = of(AdaptiveControl::printed_sign);
    const bool holds = declared().symplectic;
    Worst worst;
    if (!holds) worst.value = infinity;
    std::string detail = "at h = 1/4, 1/16, 1/64, -1/8:";
    for (const F& h : {quarter, F(F(1) / 16), F(F(1) / 64), F(F(-1) / 8)}) {
      // Long compositions go back by more than a step of 1/4: where they have none, shorter ones decide.
      const Worst found = symplectic_worst(subject_, h, h != quarter);
      if (found.value < 0) {
        detail += " no step";
        continue;
      }
      detail += format(" %.2e", found.value);
      if (holds) worst.update(found.value, found.where);
      // What must fail has to be visible and measured at every h.
      if (!holds && !std::isnan(worst.value) && !(found.value >= worst.value)) worst = found;
    }
    const Worst of_long = symplectic_worst(subject_, F(1), false);
    detail += format("; at h = 1, where it has such steps: %.2e", of_long.value);
    if (holds) worst.update(of_long.value, of_long.where + ", h = 1");
    rows_.add_defect("symplectic", holds, "preserves dq ^ dp - dt ^ dE0", worst,
                     {{.name = control_name(AdaptiveControl::naive), .measured = of_naive},
                      {.name = control_name(AdaptiveControl::reversible), .measured = of_reversible},
                      {.name = control_name(AdaptiveControl::printed_sign), .measured = of_printed_sign}},
                     "max |J'Omega J - Omega| of two steps in (q, t; p, -E0), after one step and after a hundred, J by "
                     "exact duals in 50 digits, generic states of all problems",
                     detail);
  }

  void symmetry() {
    static const double of_naive = symmetry_worst(control_subject(AdaptiveControl::naive)).value;
    Worst worst = symmetry_worst(subject_, F(F(1) / 4), false);
    if (declared().symmetric || worst.value < 0) {
      const Worst of_short = symmetry_worst(subject_, F(F(1) / 16));
      worst.update(of_short.value, of_short.where + ", h = 1/16");
    }
    if (declared().symmetric) {
      const Worst of_long = symmetry_worst(subject_, F(1), false);
      worst.update(of_long.value, of_long.where + ", h = 1");
    }
    rows_.add_defect("symmetric", declared().symmetric, "its own adjoint, and reversed by turning velocity and time",
                     worst, {{.name = control_name(AdaptiveControl::naive), .measured = of_naive}},
                     "distance from the start in q, p and t after three steps of h = 1/16, reversal, three steps; and "
                     "after a step of h and one of -h; also of h = 1/4 and 1 where there are such steps; in 50 digits");
  }

  void momentum(bool translations) {
    const std::string test = translations ? "linear momentum" : "angular momentum";
    const Subject& reversible = control_subject(AdaptiveControl::reversible);
    static const double of_translations = momentum_worst(reversible, ProblemRole::broken, true).value,
                        of_rotations = momentum_worst(reversible, ProblemRole::broken, false).value;
    rows_.add_defect(test, translations ? declared().linear_momentum : declared().angular_momentum, "conserves " + test,
                     momentum_worst(subject_, ProblemRole::generic, translations),
                     {{.name = control_name(AdaptiveControl::reversible) + ", the symmetry broken by 1e-6",
                       .measured = translations ? of_translations : of_rotations}},
                     "largest change of the momentum map over 64 steps of h = 1/8, in 50 digits", "",
                     translations ? Coefficients::cannot_matter : Coefficients::can_matter);
  }

  /// Says whether the momentum depends on the density's symmetry: with a density that has none.
  void momentum_of_other_density(bool translations) {
    const std::string kind = translations ? "linear momentum" : "angular momentum", row = kind + ", other density";
    if (!subject_.takes_density()) {
      rows_.does_not_apply(row, "the method brings its own density");
      return;
    }
    static const std::array<double, 2> of_control = [] {
      const Subject& control = control_subject(AdaptiveControl::every_density);
      return std::array{momentum_without_symmetry(control, false).value,
                        momentum_without_symmetry(control, true).value};
    }();
    const Properties declares = subject_.declares_on(density_without_symmetry);
    const bool holds = translations ? declares.linear_momentum : declares.angular_momentum;
    rows_.add_defect(
        row, holds, "conserves " + kind + " with a density that does not have the symmetry",
        momentum_without_symmetry(subject_, translations),
        {{.name = control_name(AdaptiveControl::every_density), .measured = of_control[translations]}},
        "largest change of the momentum map over 64 steps of h = 1/8 with sigma = (1 + q_0^2)^(1/2), in 50 "
        "digits",
        holds ? "declared for every density" : "declared for densities that have the symmetry, at most",
        Coefficients::cannot_matter);
  }

  /// A step density and a fictitious step are one number too many: only their product is a step in time.
  void scale() {
    if (!subject_.takes_density()) {
      rows_.does_not_apply("scale of sigma", "the method brings its own density");
      return;
    }
    const std::string how =
        "largest distance between 32 steps of 1/16 with sigma and of 1/48 with 3 sigma, in 50 digits";
    static const double of_control = scale_worst(control_subject(AdaptiveControl::own_scale)).value;
    const Worst worst = scale_worst(subject_);
    if (subject_.depends_on_scale()) {
      rows_
          .add_defect("scale of sigma", false, "the same motion with c sigma and h / c", worst,
                      {{.name = control_name(AdaptiveControl::own_scale), .measured = of_control}}, how)
          .undeclared = false;
      return;
    }
    of_all("scale of sigma", "the same motion with c sigma and h / c", worst, 1e-40,
           "32 steps of equations solved to 50 digits lose less than ten of them", AdaptiveControl::own_scale,
           of_control, how);
  }

  /// Adds a row for a number of events, of which there must be none.
  void count(const std::string& row, const std::string& statement, double measured, AdaptiveControl control,
             double of_control, const std::string& how) {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = measured;
    claim.interval = {0, 0};
    claim.reason = "counts are exact";
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, 0}}};
    rows_.add(row, "yes", claim);
  }

  /// The regular orbit: no trend, if the method is symmetric or symplectic. The chaotic one: no trend and no random walk, if
  /// it is symplectic; a method that is only symmetric has no energy of its own there, and the row shows what it does.
  void energy(bool regular) {
    const std::string test = regular ? "energy, regular" : "energy, chaotic";
    if (options_.quick) {
      rows_.does_not_apply(test, "a quick run leaves it out");
      return;
    }
    const std::size_t problem = regular ? regular_orbit : chaotic_orbit;
    const auto measured = [regular](const LongRun& run) { return regular ? significance(run.drift) : run.share; };
    static std::map<std::size_t, double> of_naive;
    if (!of_naive.contains(problem))
      of_naive[problem] = measured(long_run(control_subject(AdaptiveControl::naive), problem));
    const LongRun run = long_run(subject_, problem);
    const bool promised = declared().symplectic || (regular && declared().symmetric);
    const Interval interval{0, regular ? 4 : 0.1};
    Claim claim;
    claim.statement = !promised ? "nothing is promised about the energy on " + adaptive_problems<double>()[problem].name
                      : regular ? "no trend of the energy in a thousand periods of Kepler's problem"
                                : "the energy stays on a chaotic orbit";
    claim.how = regular ? "least-squares slope through 64 block means, over its standard error plus rounding, in double"
                        : "root mean square change of the mean energy over 32 of 64 blocks, over the largest error "
                          "and what rounding walks, in double";
    claim.measured = measured(run);
    claim.unit = regular ? "standard errors" : "";
    claim.interval = promised ? interval : Interval{0, infinity};
    claim.reason = !promised ? "nothing is declared; the number is for information"
                   : regular ? "four standard errors of the slope, from the scatter of block means about the line"
                             : "means over a thousand steps of an error that oscillates; a trend has 0.5";
    claim.controls = {
        {.name = control_name(AdaptiveControl::naive), .measured = of_naive[problem], .interval = interval}};
    rows_.add(test, promised ? (regular ? "no trend" : "stays") : "-", claim, describe(run));
  }

  void cost() {
    // A method of order one would take millions of steps for an error of 1e-4.
    const double wanted = declared().order == 1 ? 1e-2 : 1e-4;
    static std::map<double, CountedCost> kept;
    if (!kept.contains(wanted)) kept[wanted] = cost_of_a_period(control_subject(AdaptiveControl::naive), wanted);
    const CountedCost& of_naive = kept[wanted];
    const CountedCost cost = cost_of_a_period(subject_, wanted);
    Claim claim;
    claim.statement =
        format("forces in a period of Kepler's problem, e = 0.6, for an error of %g in the position", wanted);
    claim.how = "gradients of W counted until t has passed the period, h halved from 2 pi/25, interpolated";
    claim.measured = cost.gradients;
    claim.interval = {0, infinity};
    claim.reason = "nothing is declared; the number is for information";
    rows_.add("cost", "-", claim,
              format("%.0f gradients and %.0f values of W per period; %s takes %.0f and %.0f", cost.gradients,
                     cost.values, control_name(AdaptiveControl::naive).c_str(), of_naive.gradients, of_naive.values));
  }

  const AnyAdaptiveSubject& subject_;
  const BatteryOptions& options_;
  BatteryResult result_;
  Rows rows_;
};

}  // namespace

BatteryResult run_adaptive_tests(const AnyAdaptiveSubject& subject, const BatteryOptions& options) {
  return AdaptiveTests(subject, options).run();
}

}  // namespace livi::battery_detail
