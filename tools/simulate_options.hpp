// SPDX-License-Identifier: MIT
//
// The options of livi-simulate, taken one by one; for its sources only.
#pragma once

#include <livi/trajectory/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "simulate_settings.hpp"
#include "study/program/number_texts.hpp"

namespace livi {

/// Returns numbers that are separated by commas, with blanks allowed around them.
inline std::vector<double> parse_list(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string entry = text.substr(begin, end - begin);
    entry.erase(0, std::min(entry.find_first_not_of(' '), entry.size()));
    entry.erase(entry.find_last_not_of(' ') + 1);
    numbers.push_back(parse_number(option + ", number " + std::to_string(numbers.size() + 1), entry));
    begin = end + 1;
  }
  return numbers;
}

template <class Numbers>
std::string join_numbers(const Numbers& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ",") + shortest(x);
  return text;
}

/// Returns the entry of a name. Throws InvalidParameter, which lists all, for another one.
template <class Entry>
const Entry& choose(const std::string& option, const std::string& name, const std::vector<Entry>& entries) {
  std::string allowed;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
    allowed += (allowed.empty() ? "" : ", ") + entry.name;
  }
  throw InvalidParameter(option, name, "must be one of " + allowed);
}

/// Reads the --q or --v of a system. Throws InvalidParameter for a size that it does not have.
Vector<double, Dynamic> initial_data(const std::string& option, const std::string& text, const SystemEntry& system);

/// The options of a run as they are asked for, one by one: what nobody has asked for has no meaning for the run.
class OptionsOfRun {
 public:
  explicit OptionsOfRun(const Options& options) : given_(options), left_(options) {}

  [[nodiscard]] bool has(const std::string& name) const { return given_.count(name) > 0; }
  [[nodiscard]] const std::string& given(const std::string& name) const { return given_.at(name); }

  /// The canonical value of an option that applies.
  std::string take(const char* name, const std::string& otherwise) {
    const auto found = given_.find(name);
    left_.erase(name);
    const auto& entry = *std::find_if(option_entries().begin(), option_entries().end(),
                                      [&](const OptionEntry& o) { return std::string(o.name) == name; });
    words_.emplace_back(name, canonical(entry, found == given_.end() ? otherwise : found->second));
    return words_.back().second;
  }
  std::string one_of(const char* name, const std::string& otherwise, const char* a, const char* b) {
    const std::string word = take(name, otherwise);
    if (word != a && word != b)
      throw InvalidParameter(std::string("--") + name, word, std::string("must be ") + a + " or " + b);
    return word;
  }
  double finite(const char* name, const std::string& otherwise, bool zero_allowed) {
    const std::string text = take(name, otherwise);
    const double x = parse_number(name, text);
    if (!std::isfinite(x) || x < 0 || (x == 0 && !zero_allowed))
      throw InvalidParameter(std::string("--") + name, text,
                             zero_allowed ? "must be finite and >= 0" : "must be finite and > 0");
    return x;
  }
  long count(const char* name, const std::string& otherwise, long least, long most) {
    // Before it is taken, which knows no range.
    if (has(name)) static_cast<void>(parse_count(std::string("--") + name, given(name), least, most));
    return parse_count(std::string("--") + name, take(name, otherwise), least, most);
  }
  long positive_count(const char* name, const std::string& otherwise, long most) {
    return count(name, otherwise, 1, most);
  }
  /// The options of Newton's method, which leaves about the square of its last update, a part of 1 plus the largest coordinate: 1e-4
  /// or less for the tolerances that are allowed. From one on every guess would be taken.
  NewtonOptions<double> newton() {
    constexpr double most_tolerance = 0.01;
    NewtonOptions<double> options;
    options.tolerance = finite("newton-tolerance", shortest(options.tolerance), false);
    if (options.tolerance > most_tolerance)
      throw InvalidParameter("--newton-tolerance", shortest(options.tolerance),
                             "must be > 0 and at most " + shortest(most_tolerance) +
                                 ", a part of 1 plus the largest coordinate; from 1 on every guess would be taken");
    options.max_iterations =
        static_cast<int>(positive_count("newton-iterations", std::to_string(options.max_iterations), 1000000));
    return options;
  }

  /// InvalidParameter if an option was given that nobody has asked for.
  void require_all_taken(const std::string& run) const {
    if (!left_.empty())
      throw InvalidParameter("--" + left_.begin()->first, left_.begin()->second, "has no meaning for " + run);
  }
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& words() const { return words_; }

 private:
  const Options& given_;
  Options left_;
  std::vector<std::pair<std::string, std::string>> words_;
};

/// Returns the number of steps h to the time T.
inline long steps_to(double end_time, double h) {
  constexpr double most_steps = 9007199254740992;  // beyond 2^53 the time of a step is not a number of its own
  if (end_time / h > most_steps)
    throw InvalidParameter("--T", shortest(end_time), "must be at most 2^53 steps of h = " + shortest(h));
  return steps_in(end_time, h);
}

}  // namespace livi
