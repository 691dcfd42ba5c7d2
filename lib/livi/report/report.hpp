// SPDX-License-Identifier: MIT
#pragma once

#include <livi/claims/claim.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

/// \file
/// The report of one experiment: parameters, measurements, counts, claims with verdicts, series, and their provenance.
///
///     livi::Report report("fig01_double_pendulum", {"TO14", "Figure 1", "4.1"});
///     report.parameter("h", 0.1);
///     report.measurement(
///         {.name = "shake.max_x2_error", .value = error, .unit = "m", .tolerance = {.relative = 1e-6}});
///     report.count("newmark.iterations", iterations);
///     report.claim({.id = "TO14.fig1.row6-equals-row4", ...});        // returns the verdict
///     report.series("shake", {{"t", "s"}, {"x2_error", "m"}}, rows);  // fig01_double_pendulum.shake.csv
///     report.write("results");
///
/// Two runs of one build write the same bytes apart from `provenance` and `timing`.

namespace livi {

/// The exception for errors in a report, a baseline or the registry, and for files that cannot be read or written. The
/// message names the file (with the operating system's reason) or the offending entry.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The part of a document that an experiment reproduces: document "TO14", item "Figure 1", section "4.1".
struct Source {
  std::string document = {};
  std::string item = {};
  std::string section = {};
};

/// The change of a measurement that the accuracy regression allows: absolute + relative * |baseline|. Zero asks for
/// equality.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// A measured number. A unit of "order" marks an order of convergence or an exponent, which is compared within 0.05
/// whatever its tolerance.
struct Measurement {
  std::string name = {};
  double value = 0;
  std::string unit = {};
  Tolerance tolerance = {};
  std::optional<double> noise_floor = std::nullopt;  ///< below this the value is rounding, in the unit of the value
  std::optional<double> h_exponent = std::nullopt;   ///< the power of h with which the value scales
};

/// A column of a series; the unit may be empty.
struct Column {
  std::string name = {};
  std::string unit = {};
};

/// A figure drawn from this report: its file name in the folder of figures, and its caption.
struct Figure {
  std::string file = {};
  std::string caption = {};
};

/// A parameter of an experiment.
using ParameterValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>>;

/// The report of one experiment, which collects its findings and writes them. Every member refuses bad input at once,
/// by a ReportError that names the entry: an empty or repeated name, NaN or an infinity where a number is due.
class Report {
 public:
  /// Begins a report. `experiment` becomes the file name: lower-case letters, digits, '_' and '-', beginning with a
  /// letter.
  Report(std::string experiment, Source source);

  /// Adds a value the experiment was run with: an integer, a floating-point number, a text, a boolean or a vector.
  void parameter(const std::string& name, ParameterValue value);
  template <std::integral T>
  void parameter(const std::string& name, T value) {
    if constexpr (std::same_as<T, bool>) {
      parameter(name, ParameterValue(value));
    } else {
      parameter(name, ParameterValue(checked_integer(name, value)));
    }
  }
  void parameter(const std::string& name, double value) { parameter(name, ParameterValue(value)); }
  void parameter(const std::string& name, const char* value) { parameter(name, ParameterValue(std::string(value))); }

  /// Adds a measured number.
  void measurement(Measurement measurement);

  /// Adds a whole number that must not change at all: steps, solves, iterations, failures.
  template <std::integral T>
  void count(const std::string& name, T value) {
    add_count(name, checked_integer(name, value));
  }

  /// Adds a claim and returns its verdict, which follows from decide(): the claim's own `verdict` is a proposal only. A
  /// registered claim gets its texts and its proposal from the registry (registry.hpp) and must bring none.
  Verdict claim(Claim claim);

  /// Adds rows of numbers, written as <experiment>.<name>.csv with a header line of the column names. Each row has one
  /// number per column.
  void series(const std::string& name, std::vector<Column> columns, std::vector<std::vector<double>> rows);

  /// Adds a figure that plots/ draws from this report.
  void figure(Figure figure);

  /// Adds the seed of a random generator, which is kept with the provenance.
  void seed(const std::string& name, std::uint64_t value);

  /// Says with which vector instructions (vectorised_instructions()) numbers were computed that depend on them, as those of a motion
  /// that is chaotic do. It is kept with the provenance: on a processor with others they are another sample.
  void vector_instructions(const std::string& name);

  /// Adds a run time in seconds; it may differ between runs and is not compared. The whole run is always timed.
  void timing(const std::string& name, double seconds);

  /// Validates the report against the schema, then writes the series and <experiment>.json into `folder`, which is made
  /// if it does not exist. Either all files are replaced or none is; ReportError says which file failed and why.
  /// Returns the path of the JSON file.
  std::filesystem::path write(const std::filesystem::path& folder) const;

  /// Returns the claims so far, with their verdicts.
  const std::vector<Claim>& claims() const { return claims_; }
  const std::string& experiment() const { return experiment_; }

  /// Returns the JSON text that write() would write now.
  std::string json() const;

 private:
  struct Series {
    std::string name;
    std::vector<Column> columns;
    std::vector<std::vector<double>> rows;
  };

  template <std::integral T>
  std::int64_t checked_integer(const std::string& name, T value) const {
    if (!std::in_range<std::int64_t>(value)) refuse(name, "does not fit in 64 bits with a sign");
    return static_cast<std::int64_t>(value);
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;
  void require_new(const std::string& kind, const std::string& name, bool exists) const;
  void add_count(const std::string& name, std::int64_t value);
  std::string series_file(const std::string& name) const { return experiment_ + "." + name + ".csv"; }

  std::string experiment_;
  Source source_;
  std::map<std::string, ParameterValue> parameters_;
  std::vector<Measurement> measurements_;
  std::map<std::string, std::int64_t> counts_;
  std::vector<Claim> claims_;
  std::vector<Series> series_;
  std::vector<Figure> figures_;
  std::map<std::string, std::uint64_t> seeds_;
  std::string vector_instructions_;
  std::map<std::string, double> timing_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace livi
