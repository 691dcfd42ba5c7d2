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
/// Everything that is a statement is compared:
///
/// - Exactly: source, parameters, counts and seeds; for a measurement its unit, tolerance and noise floor; for a claim
///   its place, statement, hypothesis, how, unit, interval, reason, verdict and evidence; for a control its interval
///   and
///   whether it failed or was lost; and all names. A name on one side only is a difference. So is a baseline without
///   seeds: it cannot be told whether it drew equal cases.
/// - Measurements, within the tolerance that the *baseline* states (a report cannot loosen its own); orders and
///   exponents of h, within 0.05.
/// - Measured numbers of claims and controls, by their margin: the distance to the nearest end of the interval that
///   judges them. Such a number decides by its margin, so the margin may change by a twentieth and no more. It follows
///   that no number crosses an end unseen; that a number close to an end is held tightly, one on an end exactly, and so
///   is a number where an interval is one number; that a one-sided bound, or an interval over many powers of ten, holds
///   a number relatively; and that residuals at round-off, 1e-50 under a bound of 1e-45, are equal as long as both lie
///   below a twentieth of the bound, since other compilers and processors round otherwise. The low end of [0, b] is no
///   end for a number that is not negative: magnitudes begin there, and cannot fail it. A number on another side of its
///   interval is a difference whatever its margin. A missing number equals only a missing number.
/// - Notes of claims and controls, word by word except for the numbers in them: these are measured numbers written out,
///   which differ in their last digits on other machines. The place of each number in a note is compared, its value is
///   not.
/// - The certificates in these notes (diagnostics/certificate.hpp), by those numbers that do not depend on the seed:
/// how
///   many functions, of which degree and height, at how many points modulo primes of how many bits, with which
///   probability of an accident. A certificate of fewer functions or points, or with a larger probability, says less.
///   Its seed, and the points and values drawn with it, are free.
///
/// A report that names the vector instructions of its numbers (Report::vector_instructions) has another sample where its processor, or
/// they, are not those of the baseline: motions that are chaotic part with the first rounding. Its measurements may then move by
/// twice their tolerance, for both samples are off by it, and tolerances, which are estimated, by a factor of four; of numbers of claims and controls the side of the interval is compared, with
/// everything that is a statement; notes are not. The comparison says which reports these are.
///
/// Not compared are series, figures, timing, and all of the provenance but for that and the seeds. Figures are drawn from series:
/// thousands of measured numbers without tolerances. Those among them that decide something are measurements and
/// claims. A baseline has no series, and a report that does not state its series is refused as invalid.

namespace livi {

/// The largest difference of orders of convergence and exponents that is none.
inline constexpr double order_tolerance = 0.05;

/// The part of its margin by which the number of a claim or control may move.
inline constexpr double margin_share = 0.05;

/// One difference, as text. An absent side is "missing".
struct Difference {
  std::string experiment = {};
  std::string name = {};  ///< name of what differs, e.g. "count solves", "claim TO14.eq7 (reason)"
  std::string baseline = {};
  std::string now = {};
  std::string tolerance = {};
  std::string claim = {};  ///< the id of the claim to which it belongs, if any
  std::string part = {};   ///< the part of that claim, e.g. "reason", "control first-order method (interval)"
};

/// The result of a comparison.
struct Comparison {
  std::vector<std::string> experiments = {};  ///< those compared, sorted
  std::vector<Difference> differences = {};
  std::size_t moved = 0;  ///< numbers that changed within their tolerance, and notes whose numbers changed
  std::vector<std::string> other_samples = {};  ///< experiments whose numbers were made by other vector instructions
};

/// Returns everything in which two checked reports of one experiment differ. `now` may also be a baseline.
Comparison compare_reports(const nlohmann::json& now, const nlohmann::json& baseline);

/// The contents that the folders of compare_folders() may have.
enum class Folders {
  reports_and_baselines,           ///< reports against baselines
  reports_and_possible_baselines,  ///< reports against baselines whose folder need not exist, for the first baselines
  any_and_baselines,               ///< reports or baselines against baselines
};

/// Compares all reports of `results` with all baselines, or only the named experiments. Throws ReportError, with one
/// line per file, if a report, baseline or folder cannot be read or is not valid, if a named experiment is on neither
/// side, or if there is nothing to compare.
Comparison compare_folders(const std::filesystem::path& results, const std::filesystem::path& baseline,
                           const std::vector<std::string>& only = {}, Folders folders = Folders::reports_and_baselines);

/// Returns the baseline of a report: without series, figures and timing, with a short provenance that keeps the seeds,
/// the reason and the date (YYYY-MM-DD).
nlohmann::json make_baseline(const nlohmann::json& report, const std::string& reason, const std::string& date);

/// Makes the reports of `results` the baseline; removes baselines without a report. Files that would not change are
/// left alone. Returns one line per file. Throws ReportError, before anything is written, for an empty reason, for what
/// compare_folders() refuses, and for a claim that is undecided where the registry does not expect that, or has a
/// broken control, which no reason excuses.
std::vector<std::string> accept_baseline(const std::filesystem::path& results, const std::filesystem::path& baseline,
                                         const std::string& reason, const std::vector<std::string>& only = {});

/// Returns the differences as a table with a header line and aligned columns; long texts are cut to the surroundings of
/// their first difference.
std::string difference_table(const std::vector<Difference>& differences);

/// Returns the differences by experiment and claim, with all words of the texts: removed words are in [- -], added ones
/// in {+ +}.
std::string explanation(const std::vector<Difference>& differences);

}  // namespace livi
