// SPDX-License-Identifier: MIT
//
// The rows that tests write: bounds with their reasons, the largest of several defects, and verdicts. Only for the
// battery's own sources.
#pragma once

#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <livi/claims/battery_result.hpp>

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

/// Returns a text as std::printf writes it, of at most 1023 characters.
std::string format(const char* pattern, ...);

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
                  const std::string& detail = "");

  /// Adds a row for what could not be decided, with the reason.
  void undecided(const std::string& test, const std::string& declared_text, Claim claim, const std::string& why);

  /// Runs a test if one of the rows that it writes, or that need it, is asked for. An exception of the test or of the
  /// method in it becomes an undecided row.
  void test(const std::string& name, std::initializer_list<const char*> writes, const std::function<void()>& make);
  void test(const char* row, const std::function<void()>& make) { test(row, {row}, make); }

  /// Adds a row for a test that has no meaning here, with the reason.
  void does_not_apply(const std::string& test, const std::string& why);

  /// Returns the row of a test if it was already written, otherwise null.
  [[nodiscard]] const BatteryRow* find(const std::string& test) const;

  /// Adds a row for a property that holds (its defect is at the floor) or does not (its defect is visible), as
  /// declared. A property that does not hold is taken for one that is not declared.
  BatteryRow& add_defect(const std::string& test, bool holds, const std::string& what, const Worst& worst,
                         std::vector<Control> control_runs, const std::string& how, const std::string& detail = "",
                         Coefficients coefficients = Coefficients::can_matter);

  /// Confirms the claim with a limit where a defect has the size of coefficients in double precision. Their effect on
  /// properties other than the order does not grow with the order.
  static void limit_to_double(Claim& claim, int order = 2);

 private:
  void identify(const std::string& test, Claim& claim) const;
  const Properties& declared_;
  std::vector<BatteryRow>& rows_;
  const BatteryOptions& options_;
};

}  // namespace livi::battery_detail
