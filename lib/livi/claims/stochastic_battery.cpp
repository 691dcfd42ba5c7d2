// SPDX-License-Identifier: MIT
//
// The rows of the battery for methods under noise. What is measured of a method is measured of its controls, too
// (stochastic_steps.cpp, stochastic_paths.cpp, stochastic_means.cpp).
#include <array>
#include <livi/claims/stochastic_measures.hpp>
#include <map>

namespace livi::battery_detail {

namespace {

using F = Float50;
using C = StochasticControl;

class StochasticTests {
 public:
  StochasticTests(const AnyStochasticSubject& subject, const BatteryOptions& options)
      : subject_(subject),
        options_(options),
        noise_(subject.declares_for_noise()),
        rows_(result_.declares, result_.rows, options) {
    result_.declares = subject.declares();
    result_.quick = options.quick;
    result_.only = options.only;
    result_.seed = judge_seed();
  }

  BatteryResult run() {
    rows_.test("constraints", {"constraint", "hidden constraint"}, [&] { constraints(); });
    rows_.test("symplectic", [&] { symplecticity(); });
    rows_.test("angular momentum", [&] { angular_momentum(); });
    rows_.test("linear momentum", [&] { linear_momentum(); });
    rows_.test("order without noise", [&] { order(); });
    rows_.test("symmetric", [&] { symmetry(); });
    rows_.test("zero noise", [&] { zero_noise(); });
    rows_.test("short steps", [&] { short_steps(false); });
    rows_.test("each noise", [&] { short_steps(true); });
    rows_.test("strong order, constant K", [&] {
      strong("strong order, constant K", place::constant_products, noise_.strong_order_for_constant_products);
    });
    rows_.test("strong order", [&] { strong("strong order", place::varying_products, noise_.strong_order); });
    rows_.test("mean energy", [&] { energy(); });
    rows_.test("weak order", [&] { weak(); });
    rows_.test("existence", [&] { exists(); });
    rows_.test("number types", [&] {
      static const double of_control = number_types_worst(control_subject(C::in_double)).value;
      of_all(
          "number types", "a run in double is the run in 50 digits", number_types_worst(subject_), 1e-11,
          "32 steps whose equations are solved to 32 units of 2e-16 and whose errors grow by a factor of up to ten "
          "are 2e-12",
          C::in_double, of_control,
          "largest distance after 32 steps of 1/32 on each problem under the same noises, over the size of the point");
    });
    rows_.test("repetition", [&] {
      count("repetition", "a run is the same when it is repeated, after another and by another object",
            changed_by_repetition(subject_), C::counter_shared,
            changed_by_repetition(control_subject(C::counter_shared)),
            "repeated runs of 32 steps that differ in a bit, in double");
    });
    rows_.test("restart", [&] {
      count("restart", "fields() are all that a step depends on", lost_by_restart(subject_), C::counter_in_method,
            lost_by_restart(control_subject(C::counter_in_method)),
            "steps of 32 on each problem that differ in a bit when a new object makes them from the saved state");
    });
    for (const std::string& row : options_.only)
      if (!rows_.find(row)) throw InvalidParameter("only", row, "must be a row of the battery that this method has");
    return std::move(result_);
  }

 private:
  const Properties& declared() const { return result_.declares; }

  /// Adds a row for the largest defect over all problems, which must be below a bound.
  void of_all(const std::string& row, const std::string& statement, const Worst& worst, double bound,
              const std::string& reason, C control, double of_control, const std::string& how,
              const std::string& unit = "") {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = worst.value;
    claim.unit = unit;
    claim.interval = {0, bound};
    claim.reason = reason;
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, bound}}};
    rows_.add(row, "yes", claim, worst.where);
  }
  /// Adds a row for a number of events, of which there must be none.
  void count(const std::string& row, const std::string& statement, double measured, C control, double of_control,
             const std::string& how, const std::string& detail = "") {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = measured;
    claim.interval = {0, 0};
    claim.reason = "counts are exact";
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, 0}}};
    rows_.add(row, "yes", claim, detail);
  }

  void constraints() {
    static const double of_manifold = constraints_worst(control_subject(C::off_manifold)).first.value,
                        of_velocity = constraints_worst(control_subject(C::unprojected)).second.value;
    const auto [position, velocity] = constraints_worst(subject_);
    const std::string how =
        "eight runs of 64 steps of 1/32 on each problem, in double; unit: 2e-16 times the square of the "
        "longest rod";
    of_all("constraint", "positions are on the manifold", position, 4,
           "coordinates are rounded, and the multiplier's part of each is: one rounding of g for each", C::off_manifold,
           of_manifold, "largest |g|; " + how, "roundings");
    of_all("hidden constraint", "velocities are tangent to the manifold", velocity, 4,
           "a velocity is projected by one solve, whose rounding is that of G v before it, and rounded", C::unprojected,
           of_velocity, "largest |G v|/max(1, |v|); " + how, "roundings");
  }

  void symplecticity() {
    const F h = F(1) / 16;
    static const double of_euler = symplectic_worst(control_subject(C::euler_maruyama), h).value,
                        of_heun = symplectic_worst(control_subject(C::heun), h).value;
    rows_.add_defect(
        "symplectic", declared().symplectic, "preserves dq ^ dp on T*Q for every path", symplectic_worst(subject_, h),
        {{.name = control_name(C::euler_maruyama), .measured = of_euler},
         {.name = control_name(C::heun), .measured = of_heun}},
        "max |J'Omega J - Omega| of two steps of 1/16 with fixed noises in tangent directions, J by exact duals in 50 "
        "digits");
  }

  void symmetry() {
    static const double of_euler = symmetry_worst(control_subject(C::euler)).value;
    rows_.add_defect(
        "symmetric", declared().symmetric, "its own adjoint, without noise and with the noise backwards",
        symmetry_worst(subject_), {{.name = control_name(C::euler), .measured = of_euler}},
        "distance from the start after three steps of 1/8, reversal, three steps; after a step of 1/8 and one "
        "of -1/8, without noise and with the integrals of the path forth and back; in 50 digits");
  }

  void angular_momentum() {
    static const double of_broken = momentum_worst(control_subject(C::integrals), ProblemRole::broken, false).value;
    momentum("angular momentum", declared().angular_momentum, false, of_broken);
  }
  void linear_momentum() {
    static const double of_broken = momentum_worst(control_subject(C::integrals), ProblemRole::broken, true).value;
    momentum("linear momentum", declared().linear_momentum, true, of_broken);
  }
  void momentum(const std::string& row, bool holds, bool translations, double of_broken) {
    rows_.add_defect(
        row, holds, "conserves the momentum of a symmetry of the noises on every path",
        momentum_worst(subject_, ProblemRole::generic, translations),
        {{.name = control_name(C::integrals) + ", the symmetry of a noise broken by 1e-6", .measured = of_broken}},
        "largest change over 48 steps of 1/16 under noise, in 50 digits");
  }

  void order() {
    if (declared().order < 1) {
      rows_.undecided("order without noise", std::to_string(declared().order),
                      {.statement = "the declared order is an order"}, "an order is at least 1");
      return;
    }
    static const double of_euler = order_without_noise(control_subject(C::euler), 2).order;
    const OrderWithoutNoise found = order_without_noise(subject_, declared().order);
    Claim claim;
    claim.statement = format("error of order %d without noise", declared().order);
    claim.how =
        "errors of q and p after one unit of time in steps of 1/16 to 1/64, or to 1/256 if it is not symmetric, "
        "in 50 digits, slope extrapolated";
    claim.measured = found.order;
    claim.unit = "order";
    claim.interval = Interval::around(declared().order, 0.05);
    claim.reason = "what the extrapolation of slopes leaves";
    claim.controls = {{.name = control_name(C::euler) + ", as of order two",
                       .measured = of_euler,
                       .interval = Interval::around(2, 0.05)}};
    rows_.add("order without noise", std::to_string(declared().order), claim, found.detail);
  }

  void zero_noise() {
    if (!subject_.steps_without_noise()) {
      rows_.does_not_apply("zero noise", "the method has no step without noise");
      return;
    }
    static const double of_control = changed_by_no_noise(control_subject(C::branch_without_noise));
    const double changed = changed_by_no_noise(subject_);
    if (noise_.means_of_products && !(changed == 0)) {
      zero_noise_with_means();
      return;
    }
    count("zero noise", "a step under noises that are zero is the step without noise", changed, C::branch_without_noise,
          of_control, "steps of 64 on each problem that differ in a bit, in double");
  }
  /// Noises whose increments and integrals I10 are zero are not zero: the products of a step then have means of the size of h^2. A
  /// method that takes these is another step there, and is to differ by their kick and by nothing else.
  void zero_noise_with_means() {
    static const double of_branch = left_of_mean_kick(control_subject(C::branch_without_noise)).value,
                        of_turned = left_of_mean_kick(control_subject(C::turned_mean)).value;
    const Worst worst = left_of_mean_kick(subject_);
    Claim claim;
    claim.statement =
        "a step under noises that are zero is the step without noise but for a kick by the mean of their products";
    claim.how =
        "a step of 2^-52 in 50 digits: the difference, over h^2, besides -c P M^-1 grad sum_i K_ii with 0 <= c <= 1/4";
    claim.measured = worst.value;
    claim.interval = {0, 1e-4};
    claim.reason =
        "the next terms are h^(1/2), 1.5e-8, times derivatives of the motion, which are below 1000; the mean of "
        "int W^2 is h^2/2, and enters by its half";
    claim.controls = {
        {.name = control_name(C::branch_without_noise), .measured = of_branch, .interval = claim.interval},
        {.name = control_name(C::turned_mean), .measured = of_turned, .interval = claim.interval}};
    rows_.add("zero noise", "yes", claim, worst.where);
  }

  void short_steps(bool each) {
    const C control = each ? C::exchanged_noises : C::nearly_strong_noise;
    static const double of_noise = short_step_worst(control_subject(C::nearly_strong_noise), false).value,
                        of_force = short_step_worst(control_subject(C::wrong_force), false).value,
                        of_exchanged = short_step_worst(control_subject(C::exchanged_noises), true).value,
                        of_one = short_step_worst(control_subject(C::one_noise_for_all), true).value;
    const C second = each ? C::one_noise_for_all : C::wrong_force;
    Claim claim;
    const Worst worst = short_step_worst(subject_, each);
    claim.statement = each ? "each noise acts by its own potential" : "noise and force are those of the system";
    claim.how = std::string("one step of 2^-52 in 50 digits under noises and their negatives: ") +
                (each ? "what changes sign with a noise, the others being zero, over its size"
                      : "what changes sign with the noises and what does not, over its size");
    claim.measured = worst.value;
    claim.interval = {0, 1e-12};
    claim.reason =
        "the next terms of the expansion are 2^-52 times derivatives of the motion, which are below 1000; "
        "coefficients with 16 digits err by 1e-16";
    claim.controls = {
        {.name = control_name(control), .measured = each ? of_exchanged : of_noise, .interval = claim.interval},
        {.name = control_name(second), .measured = each ? of_one : of_force, .interval = claim.interval}};
    rows_.add(each ? "each noise" : "short steps", "yes", claim, worst.where);
  }

  void strong(const std::string& row, std::size_t problem, double declared_order) {
    if (std::isnan(declared_order)) {
      rows_.does_not_apply(row, "no order is declared");
      return;
    }
    static std::map<std::pair<std::size_t, bool>, std::pair<StrongOrder, StrongOrder>> controls;
    const auto key = std::pair(problem, options_.quick);
    if (!controls.contains(key))
      controls[key] = {strong_order(control_subject(C::strong_noise), problem, options_.quick),
                       strong_order(control_subject(C::increments), problem, options_.quick)};
    const auto& [of_strong, of_increments] = controls[key];
    const StrongOrder found = strong_order(subject_, problem, options_.quick);
    const double width = found.slope.three_errors;
    // Where the interval of confidence reaches half-way to the next order, the claim's interval is empty.
    const double reach = std::max(0.25 - (std::isnan(width) ? 0 : width), 0.0);
    Claim claim;
    claim.statement = format("strong order %g%s", declared_order,
                             problem == place::constant_products ? " where the products K_ij are constant" : "");
    claim.how = format(
        "slope of the root mean square error of (q, p) at T = 1 along the same paths, steps of 2^-%d to 2^-%d, "
        "with three standard errors over paths",
        found.coarsest, found.finest);
    claim.measured = found.slope.value;
    claim.unit = "order";
    claim.interval = Interval::around(declared_order, reach);
    claim.reason = "orders are multiples of 1/2; the interval of confidence must end before half-way to the next one";
    claim.controls = {
        {.name = control_name(C::strong_noise), .measured = of_strong.slope.value, .interval = claim.interval},
        {.name = control_name(C::increments) + ", as of strong order 3/2",
         .measured = of_increments.slope.value,
         .interval = Interval::around(1.5, std::max(0.25 - of_increments.slope.three_errors, 0.0))}};
    std::string detail = format("%.3f +- %.3f, %zu paths, errors", found.slope.value, width, found.paths);
    for (const double error : found.errors) detail += format(" %.2e", error);
    const double distance = std::abs(found.slope.value - declared_order), most = options_.quick ? 0.15 : 0.05;
    // The slope of the finer half is nearer to what is declared than that of the coarser.
    const bool approaches = (declared_order - found.slope.value) * found.change.value > 0;
    std::string why;
    if (std::isnan(found.slope.value) && found.lost > 0)
      why = format("on %.1f %% of the paths a step could not be made", 100 * found.lost);
    else if (!(width <= most))
      why = format("the interval of confidence is +- %.3f, and must be at most %.2f", width, most);
    else if (distance > reach && distance < 0.5 - reach)
      why = std::string("the interval of confidence reaches half-way to the next order") +
            (approaches ? format(", and the slope is on its way to the declared one, by %.2f from the coarser steps to "
                                 "the finer",
                                 std::abs(found.change.value))
                        : "") +
            (options_.quick ? ": a run that is not quick has shorter steps and more paths" : "");
    else if (distance > reach && approaches &&
             std::abs(found.change.value) > pre_asymptotic + found.change.three_errors)
      why = format("before the asymptotic range: the slope changes by %.2f from the coarser steps to the finer",
                   found.change.value);
    if (why.empty())
      rows_.add(row, format("%g", declared_order), claim, detail);
    else
      rows_.undecided(row, format("%g", declared_order), claim, why + "; " + detail);
  }

  void energy() {
    static std::map<bool, std::pair<MeanEnergy, Slope>> controls;
    if (!controls.contains(options_.quick)) {
      const MeanEnergy of_strong = mean_energy(control_subject(C::strong_noise), options_.quick);
      controls[options_.quick] = {of_strong, reference_energy(of_strong.paths)};
    }
    const auto& [of_strong, of_reference] = controls[options_.quick];
    const MeanEnergy found = mean_energy(subject_, options_.quick);
    // The bias of a method of weak order one is C h + D h^2: on h/2 and h, 2 b(h/2) - b(h) = -D h^2/2, a fraction h of the change.
    const double change = std::abs(found.bias.back() - found.bias[found.bias.size() - 2]);
    const double width = found.three_errors + change / 2;
    Claim claim;
    claim.statement = "the mean energy grows as Ito's formula says";
    claim.how = format(
        "H(1) - H(0) - T sum_i K_ii/2 under isotropic noise, less the stochastic integral of v . grad gamma_i "
        "along the exact motion, whose mean is zero; mean over %zu paths, extrapolated from steps of 1/16 and 1/32",
        found.paths);
    claim.measured = found.limit;
    claim.unit = "energy";
    // Wider than a quarter of the growth it says nothing for a method; what is outside all the same is wrong.
    const bool wide = width > energy_growth / 4, outside = std::abs(found.limit) > width;
    claim.interval = Interval::around(0, wide && !outside ? energy_growth / 4 : std::isfinite(width) ? width : 0);
    claim.reason = "three standard errors, and half of the change of the mean between the two steps";
    claim.controls = {{.name = control_name(C::strong_noise), .measured = of_strong.limit, .interval = claim.interval},
                      {.name = "the reference solution, in three standard errors of its own",
                       .measured = of_reference.value,
                       .interval = Interval::around(0, of_reference.three_errors),
                       .note = "mean over the same paths",
                       .expected = Expected::passes}};
    std::string detail =
        format("limit %.1e +- %.1e; bias at h = 1/4, 1/8, 1/16, 1/32:", found.limit, found.three_errors);
    for (const double bias : found.bias) detail += format(" %.2e", bias);
    if (wide && !outside)
      rows_.undecided("mean energy", "yes", claim,
                      format("the interval is +- %.2g, more than a quarter of the growth; ", width) + detail);
    else
      rows_.add("mean energy", "yes", claim, detail);
  }

  void weak() {
    const double order = noise_.weak_order;
    if (std::isnan(order)) {
      rows_.does_not_apply("weak order", "no order is declared");
      return;
    }
    // A control has the power that is nearer to what it must miss: each system must be able to say no.
    const auto nearest = [](C control, double to) {
      const double round = weak_order(control_subject(control)).order,
                   rods = weak_order(control_subject(control), place::rods).order;
      return std::abs(round - to) <= std::abs(rods - to) ? round : rods;
    };
    static const double of_increments = nearest(C::increments, 2);
    static std::map<double, double> of_strong;
    if (!of_strong.contains(order)) of_strong[order] = nearest(C::strong_noise, order);
    const std::array systems{weak_order(subject_), weak_order(subject_, place::rods)};
    const double of_round = std::abs(systems[0].order - order), of_rods = std::abs(systems[1].order - order);
    // What is not a number is the farther.
    const WeakOrder& found = std::isnan(of_rods) || of_round < of_rods ? systems[1] : systems[0];
    Claim claim;
    claim.statement = format("weak order %g", order);
    claim.how =
        "power, less one, of the error of the means of coordinates and their products after one step, summed over "
        "values of the noises that have their moments, extrapolated; on the sphere with unit mass, 2^-7 to 2^-9, and "
        "on "
        "two rods with a full mass matrix, 2^-11 to 2^-13, the power that is farther from the order";
    claim.measured = found.order;
    claim.unit = "order";
    claim.interval = Interval::around(order, 0.05);
    claim.reason = "what the extrapolation of slopes leaves";
    claim.controls = {{.name = control_name(C::strong_noise), .measured = of_strong[order], .interval = claim.interval},
                      {.name = control_name(C::increments) + ", as of weak order two",
                       .measured = of_increments,
                       .interval = Interval::around(2, 0.05)}};
    std::string detail;
    for (const WeakOrder& of : systems) {
      detail += format("%s%.3f, errors", &of == &systems[0] ? "sphere " : "; rods ", of.order);
      for (const double error : of.errors) detail += format(" %.2e", error);
    }
    // Weak orders are whole: beyond a quarter the errors are on their way from one to another.
    const double change = larger(std::abs(systems[0].change), std::abs(systems[1].change));
    if (change > pre_asymptotic)
      rows_.undecided("weak order", format("%g", order), claim,
                      format("before the asymptotic range: the slope changes by %.2f; ", change) + detail);
    else
      rows_.add("weak order", format("%g", order), claim, detail);
  }

  void exists() {
    static const Existence of_unguarded = existence(control_subject(C::unguarded)),
                           of_far = existence(control_subject(C::far_root));
    const Existence found = existence(subject_);
    Claim claim;
    claim.statement = "where no step exists it says so, and where one exists it takes the near root";
    claim.how =
        "steps of a free particle on the unit sphere over h |p| = 0.5 to 1e8, and of two rods under large noises: "
        "those "
        "that are said to be made and are not on the manifold, or nearer than its radius to the motion";
    claim.measured = found.wrong;
    claim.interval = {0, 0};
    claim.reason = "counts are exact";
    claim.controls = {{.name = control_name(C::unguarded), .measured = of_unguarded.wrong, .interval = {0, 0}},
                      {.name = control_name(C::far_root), .measured = of_far.wrong, .interval = {0, 0}}};
    rows_.add("existence", "yes", claim,
              format("a step exists at h |p| = %.7g, none at %.7g", found.longest, found.shortest_none));
  }

  const AnyStochasticSubject& subject_;
  const BatteryOptions& options_;
  StochasticProperties noise_;
  BatteryResult result_;
  Rows rows_;
};

}  // namespace

BatteryResult run_stochastic_tests(const AnyStochasticSubject& subject, const BatteryOptions& options) {
  return StochasticTests(subject, options).run();
}

}  // namespace livi::battery_detail

namespace livi {

PhasePoint<Float50> AnyStochasticSubject::exact(std::size_t problem, const PhasePoint<Float50>& from,
                                                const Float50& time) const {
  using F = Float50;
  // RATTLE is symmetric: its error is a series in h^2, of which each row of the table removes one more term.
  const auto stepper =
      battery_detail::control_subject(battery_detail::StochasticControl::integrals).noisy_in_50_digits(problem);
  std::vector<PhasePoint<F>> row;
  for (int k = 0; k < 7; ++k) {
    const int steps = 8 << k;
    stepper->start(from);
    if (!run_steps<F>(*stepper, F(time / steps), steps).ok())
      throw InvalidParameter("step of the flow without noise", to_double(F(time / steps)), "must exist");
    PhasePoint<F> entry = stepper->point();
    F power = 4;
    for (PhasePoint<F>& above : row) {
      const PhasePoint<F> before = above;
      above = entry;
      entry = {entry.q + (entry.q - before.q) / F(power - 1), entry.p + (entry.p - before.p) / F(power - 1)};
      power *= 4;
    }
    row.push_back(entry);
  }
  return row.back();
}

}  // namespace livi
