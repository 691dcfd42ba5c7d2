// SPDX-License-Identifier: MIT
//
// What a run of livi-simulate is: its options, resolved into settings that name the run in its rows and in its
// checkpoint, and resume it.
#pragma once

#include <livi/catalogue/methods.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace livi {

enum class OptionKind { word, number, count, list, potentials };

/// An option that is part of what a run is: a checkpoint remembers it.
struct OptionEntry {
  const char* name;
  OptionKind kind;
  const char* help;
  bool may_change = false;  ///< when a run is continued
};

/// Returns all options, in the order of the help.
const std::vector<OptionEntry>& option_entries();
/// Returns the text that an option has in settings and checkpoints. Throws InvalidParameter for a text that is no value.
std::string canonical(const OptionEntry& option, const std::string& text);
/// Returns numbers as the text of an option.
std::string join(const Vector<double, Dynamic>& numbers);

using Options = std::map<std::string, std::string>;

/// The options of a run, all defaults filled in and everything checked that can be checked before it starts.
struct Settings {
  const SystemEntry* system = nullptr;
  const MethodEntry* method = nullptr;
  SystemOptions system_options;
  double h = 0;
  MethodOptions method_options;
  Vector<double, Dynamic> q, v;
  double end_time = 0;
  long steps = 0;         ///< to be made; at most, where steps are adaptive
  long every = 1;         ///< 0 for no rows of steps
  double every_time = 0;  ///< adaptive steps have rows at its multiples and at the end; 0 for none
  std::vector<std::pair<std::string, std::string>> words;  ///< name and canonical text of all that apply

  [[nodiscard]] std::string describe() const {
    std::string text;
    for (const auto& [name, value] : words) text += (text.empty() ? "" : ", ") + name + " " + value;
    return text;
  }
};

/// Resolves what was given. Throws InvalidParameter for what cannot be meant.
Settings resolve(const Options& given);

}  // namespace livi
