// SPDX-License-Identifier: MIT
//
// The common part of the battery's tests: bounds with their reasons, rows, and the methods that tests must reject. Only
// for the battery's own sources.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <livi/claims/battery.hpp>
#include <livi/diagnostics/certificate.hpp>

namespace livi::battery_detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The bound of residuals in 50 digits: 1e-50 per operation, some thousand operations, Jacobians of size below 10.
inline constexpr double floor_50 = 1e-45;
inline constexpr const char* floor_50_reason = "rounding in 50 digits: 1e-50 per operation, thousands of operations";
/// The bound above which a defect counts as visible, well above floor_50: the smallest real defect of a method here,
/// h^5 times small coefficients at h = 1/32, is above 1e-14.
inline constexpr double visible_50 = 1e-25;
inline constexpr const char* visible_50_reason =
    "a defect of the method, not of rounding: 20 orders of magnitude above the 50-digit floor";
/// The bounds of defects that coefficients with fifteen or sixteen digits cause in 50 digits. Each coefficient is wrong
/// by up to 5e-16, and an order condition of degree p of a composition of s stages with weights w by up to s p
/// |w|^(p-1) times that: 3e-14 for order four with three stages and weights up to 1.7, 1e-13 for order six with seven
/// stages and 1.3, 3e-12 for order eight with fifteen and 1.8. The bounds are eight times these, because a defect is
/// measured relative to the flow, whose terms may nearly vanish. A user of double precision could not see such a
/// defect, and the row reports it.
inline constexpr double least_double_defect = 1e-22;
constexpr double largest_double_defect(int order) { return order <= 4 ? 0x1p-42 : order <= 6 ? 0x1p-40 : 0x1p-35; }
inline constexpr const char* double_defect_reason =
    "coefficients with 15 digits, 5e-16 each, times stages, the order and powers of weights: what those of long "
    "compositions leave";

inline std::string format(const char* pattern, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

inline std::string yes_no(bool value) { return value ? "yes" : "no"; }

/// The largest of several defects, with its place. One that could not be measured is larger than all.
struct Worst {
  double value = -1;
  std::string where;
  void update(double candidate, const std::string& name) {
    if (std::isnan(value)) return;  // a failure on one problem cannot be mended by another
    if (!(candidate <= value)) {
      value = candidate;
      where = name;
    }
  }
};

/// Whether coefficients with finitely many digits can cause a defect. They move no momentum between particles, and they
/// make no step depend on anything.
enum class Coefficients { can_matter, cannot_matter };

/// The writer of the rows of one method.
class Rows {
 public:
  Rows(const Properties& declared, std::vector<BatteryRow>& rows, const BatteryOptions& options)
      : declared_(declared), rows_(rows), options_(options) {}

  /// Adds a row whose verdict follows from the claim. A measurement that is no number is undecided.
  BatteryRow& add(const std::string& test, const std::string& declared_text, Claim claim,
                  const std::string& detail = "") {
    identify(test, claim);
    if (!std::isfinite(claim.measured))
      claim.note += std::string(claim.note.empty() ? "" : "; ") + "the method failed here: nothing was measured";
    claim.verdict = decide(claim);
    rows_.push_back({test, declared_text, std::move(claim), detail});
    return rows_.back();
  }

  /// Adds a row for what could not be decided, with the reason.
  void undecided(const std::string& test, const std::string& declared_text, Claim claim, const std::string& why) {
    claim.measured = not_a_number;
    claim.note = why;
    identify(test, claim);
    if (claim.reason.empty()) claim.reason = "undecided";
    claim.evidence = Evidence::measured;
    claim.probability_bound = std::nullopt;
    claim.verdict = decide(claim);
    rows_.push_back({test, declared_text, std::move(claim), why});
  }

  /// Runs a test if one of the rows that it writes, or that need it, is asked for. An exception of the test or of the
  /// method in it becomes an undecided row.
  template <class Test>
  void test(const std::string& name, std::initializer_list<const char*> writes, const Test& make) {
    const auto& only = options_.only;
    const auto is_asked_for = [&](const char* row) { return std::find(only.begin(), only.end(), row) != only.end(); };
    if (!only.empty() && std::none_of(writes.begin(), writes.end(), is_asked_for)) return;
    if (options_.progress) options_.progress(name);
    try {
      make();
    } catch (const std::exception& error) {
      undecided(name, "", {.statement = "the test '" + name + "' can be made"},
                std::string("it threw: ") + error.what());
    }
  }
  template <class Test>
  void test(const char* row, const Test& make) {
    test(row, {row}, make);
  }

  /// Adds a row for a test that has no meaning here, with the reason.
  void does_not_apply(const std::string& test, const std::string& why) {
    Claim claim;
    claim.statement = "the test '" + test + "' does not apply: " + why;
    claim.reason = "not tested";
    claim.note = why;
    claim.verdict = Verdict::not_testable;
    identify(test, claim);
    rows_.push_back({test, "-", std::move(claim), why});
  }

  /// Returns the row of a test if it was already written, otherwise null.
  [[nodiscard]] const BatteryRow* find(const std::string& test) const {
    for (const BatteryRow& row : rows_)
      if (row.test == test) return &row;
    return nullptr;
  }

  /// Adds a row for a property that holds (its defect is at the floor) or does not (its defect is visible), as
  /// declared.
  BatteryRow& add_defect(const std::string& test, bool holds, const std::string& what, const Worst& worst,
                         std::vector<Control> control_runs, const std::string& how, const std::string& detail = "",
                         Coefficients coefficients = Coefficients::can_matter) {
    Claim claim;
    claim.statement = holds ? what : "not " + what;
    claim.how = how;
    claim.measured = worst.value;
    claim.interval = holds ? Interval{0, floor_50} : Interval{visible_50, infinity};
    claim.reason = holds ? floor_50_reason : visible_50_reason;
    claim.note = "largest on: " + worst.where;
    if (holds && coefficients == Coefficients::can_matter) limit_to_double(claim);
    for (Control& control : control_runs) control.interval = {0, holds ? claim.interval.high : floor_50};
    claim.controls = std::move(control_runs);
    return add(test, yes_no(holds), std::move(claim), detail);
  }

  /// Confirms the claim with a limit where a defect has the size of coefficients in double precision. Their effect on
  /// properties other than the order does not grow with the order.
  static void limit_to_double(Claim& claim, int order = 2) {
    if (!(claim.measured > least_double_defect && claim.measured <= largest_double_defect(order))) return;
    claim.interval.high = largest_double_defect(order);
    claim.reason = double_defect_reason;
    claim.note =
        format("down to a defect of %.1e, as coefficients in double precision leave; ", claim.measured) + claim.note;
    claim.verdict = Verdict::confirmed_with_limits;
  }

 private:
  void identify(const std::string& test, Claim& claim) const {
    claim.id = "battery." + test;
    // The document of this claim is the method's own declaration.
    claim.source = {declared_.name.empty() ? "a method without a name" : declared_.name,
                    declared_.source.empty() ? "declares()" : declared_.source};
    claim.anchor = "declares()";
    claim.headline = test;
    // Other intervals are those of the control's own order and limits; in this method's interval it would have the
    // property.
    for (Control& control : claim.controls) {
      const bool same = control.interval.low == claim.interval.low && control.interval.high == claim.interval.high;
      if (!same && control.note.empty()) control.note = "in this interval it would be what it is tested for";
    }
  }
  const Properties& declared_;
  std::vector<BatteryRow>& rows_;
  const BatteryOptions& options_;
};

/// Returns the first problem of a role.
inline std::optional<std::size_t> first(const Subject& subject, ProblemRole role) {
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (problems[i].role == role) return i;
  return std::nullopt;
}

/// A method that a test must reject, with its name in reports.
struct ControlMethod {
  std::string name;
  std::unique_ptr<Subject> subject;
  template <template <class> class Method>
  static ControlMethod make(const std::string& name) {
    const auto factory = []<class System>(const System& system) { return Method<System>(system); };
    return {name, std::make_unique<MechanicalSubject<decltype(factory)>>(factory)};
  }
};

/// Return controls on the problems of vector spaces. SimplifiedZhangSkeel is symmetric, of order two, not symplectic.
/// Verlet with half kicks of 0.501 h and 0.499 h is of order one.
const ControlMethod& simplified_control();
const ControlMethod& lopsided_control();

/// Return a point in the coordinates in which a method is canonical: its own, or those that it names (own_map).
inline PhasePoint<Dual<Float50>> identity(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                          const Dual<Float50>&) {
  return z;
}
inline PhasePoint<Dual<Float50>> own_map(AnyStepper<Dual<Float50>>& stepper, const PhasePoint<Dual<Float50>>& z,
                                         const Dual<Float50>& h) {
  return stepper.canonical(z, h);
}

/// The number of steps of the runs over which the declarations of a method with a memory are also measured: it may
/// change its behaviour after any number of steps.
inline constexpr int steps_with_memory = 400;

/// The detail of the row "tiny steps" if no order condition is seen to be violated and the errors are those of points
/// that have the digits of double.
inline constexpr const char* rounded_points = "the errors are those of points that are rounded to double";

// ---- Tests in sources of their own; each adds its rows --------------------------------------------------------------

/// Tests steps of all sizes and signs, and what a run depends on (battery_runs.cpp).
void test_runs(const Subject& subject, const Properties& declared, const BatteryOptions& options, Rows& rows);
/// Returns the largest violation of the order conditions up to h^order (battery_runs.cpp).
double violation_of_order(const Subject& subject, int order);
/// Tests whether the method that is decided exactly is the one that runs (battery_types.cpp).
void test_exact_types(const Subject& subject, const Properties& declared, Rows& rows);
/// Decides what can be decided exactly (battery_exact.cpp).
void test_exactly(const Subject& subject, const Properties& declared, Rows& rows);

// ---- Statements about one step, which are decided and can be written into a file (battery_exact.cpp) ----------------

enum class Statement { symplectic, symmetric, translations, rotations };
/// Returns the functions that have to vanish for a statement, on one problem, for all positions, momenta and step
/// sizes.
std::vector<Residue> step_statement(const Subject& subject, std::size_t problem, Statement statement,
                                    Draw<Residue>& draw);
/// Returns q and p after a step: the step of step_statement() at an equal point if `draw` is in an equal state.
std::vector<Residue> step_end(const Subject& subject, std::size_t problem, Draw<Residue>& draw);
/// Returns whether exact statements are made on a problem: on the fixed ones and on drawn ones with few degrees of
/// freedom, because the cost of a step grows with the size of its rational functions.
bool is_decided(const ProblemSummary& problem);
/// Returns the options of certificates, with a number of points that is fixed before anything is seen: eight are enough
/// for the comparisons of every linearly implicit method of the library.
CertificateOptions options_of_certificates();

}  // namespace livi::battery_detail
