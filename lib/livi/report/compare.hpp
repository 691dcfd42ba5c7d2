// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// \file
/// The regression: the reports of this run against the committed baselines.
///
/// Compared is all that is a statement.
///
/// - Exactly: source, parameters, counts and seeds; of a measurement its unit, tolerance and noise floor; of a claim
/// its place,
///   statement, hypothesis, how, unit, interval, reason, verdict and evidence; of a control its interval and whether it
///   failed or was lost; and the names of everything. A name on one side only is a difference. So is a baseline that
///   does not say its seeds: it cannot be told whether it drew the same cases.
/// - Measurements, within the tolerance that the *baseline* states (a report cannot loosen its own); orders and
///   exponents of h, within 0.05.
/// - Measured numbers of claims and controls, by their margin: the distance to the nearest end of the interval that
///   judges them. What such a number decides, it decides by its margin, so the margin may change by a twentieth and no
///   more. It follows that no number crosses an end unseen; that a number close to an end is held tightly, one on an
///   end exactly, and so is a number where an interval is one number; that a one-sided bound, or an interval over many
///   powers of ten, holds a number relatively; and that residuals at round-off, 1e-50 under a bound of 1e-45, are equal
///   as long as both lie below a twentieth of the bound: other compilers and processors round otherwise. The low end of
///   [0, b] is no end for a number that is not negative: it is where magnitudes begin, not a bound they could fail. A
///   number on another side of its interval is a difference whatever its margin. No number equals no number only.
/// - Notes of claims and controls, word by word but for the numbers in them: these are measured numbers written out,
///   and differ in their last digits on other machines. Whether a note has a number in a place is compared, which is
///   not.
/// - Of the certificates in these notes (diagnostics/certificate.hpp) the numbers that do not hang on the seed, as
///   numbers: how many functions, of which degree and height, at how many points modulo primes of how many bits, with
///   which probability of an accident. A certificate of fewer functions or points, or with a larger probability, says
///   less. Its seed, and the points and values drawn with it, are free.
///
/// Not compared: series, figures, timing, and of the provenance all but the seeds. Series are what figures are drawn
/// from, thousands of measured numbers without tolerances; the numbers of them that decide something are measurements
/// and claims. A baseline has none, and a report that does not state its series is refused as invalid.

namespace livi {

/// How far orders of convergence and exponents may differ.
inline constexpr double order_tolerance = 0.05;

/// The part of its margin by which the number of a claim or control may move.
inline constexpr double margin_share = 0.05;

/// One difference, as text. An absent side is "missing".
struct Difference {
  std::string experiment = {};
  std::string name = {};  ///< of what differs, e.g. "count solves", "claim TO14.eq7 (reason)"
  std::string baseline = {};
  std::string now = {};
  std::string tolerance = {};
  std::string claim = {};  ///< the id of the claim to which it belongs, if any
  std::string part = {};   ///< the part of that claim, e.g. "reason", "control first-order method (interval)"
};

/// What a comparison found.
struct Comparison {
  std::vector<std::string> experiments = {};  ///< compared, sorted
  std::vector<Difference> differences = {};
  std::size_t moved = 0;  ///< numbers that are not the same but within their tolerance, and notes whose numbers changed
};

/// Everything in which two checked reports of one experiment differ. `now` may be a baseline, too.
Comparison compare_reports(const nlohmann::json& now, const nlohmann::json& baseline);

/// What may stand in the folders of compare_folders().
enum class Folders {
  reports_and_baselines,           ///< reports against baselines
  reports_and_possible_baselines,  ///< the same before the first baselines: their folder need not exist
  any_and_baselines,               ///< reports or baselines against baselines
};

/// Compares all reports of `results` with all baselines, or only the named experiments. Throws ReportError, with one
/// line per file, if a report, baseline or folder cannot be read or is not valid, if a named experiment is on neither
/// side, or if there is nothing to compare.
Comparison compare_folders(const std::filesystem::path& results, const std::filesystem::path& baseline,
                           const std::vector<std::string>& only = {}, Folders folders = Folders::reports_and_baselines);

/// The baseline of a report: without series, figures and timing, with a short provenance that keeps the seeds, the
/// reason and the date (YYYY-MM-DD).
nlohmann::json make_baseline(const nlohmann::json& report, const std::string& reason, const std::string& date);

/// Makes the reports of `results` the baseline; baselines without a report go. Files that would not change are left
/// alone. Returns one line per file. Throws ReportError, before anything is written, on an empty reason, on what
/// compare_folders() refuses, and on a claim that is undecided where the registry does not expect that, or has a broken
/// control, which no reason excuses.
std::vector<std::string> accept_baseline(const std::filesystem::path& results, const std::filesystem::path& baseline,
                                         const std::string& reason, const std::vector<std::string>& only = {});

/// The differences as a table with a header line, columns aligned; of long texts, what stands around their first
/// difference.
std::string difference_table(const std::vector<Difference>& differences);

/// The differences by experiment and claim, with all words of the texts: those that went are in [- -], those that came
/// in {+ +}.
std::string explanation(const std::vector<Difference>& differences);

}  // namespace livi
