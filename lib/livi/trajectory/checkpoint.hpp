// SPDX-License-Identifier: MIT
//
// States as text and back, to the last bit: floating-point numbers are written in hexadecimal (beyond double, in enough
// decimal digits to be read back unchanged). n steps must equal k steps, save, load, n - k steps, bitwise; the battery
// tests this for every method.
//
// A Checkpoint is a state with the settings of its run and the step at which it was reached, as one text with a
// checksum. It must be written atomically (write_file_atomically of report/atomic_files.hpp), or a crash in the middle
// destroys the last good one. read_checkpoint reads it back and refuses anything that is not, byte for byte, what was
// written.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <livi/integrators/integrator.hpp>
#include <livi/text/text_file.hpp>

namespace livi {

namespace checkpoint_detail {

inline std::string write_number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", x);
  return text;
}
inline std::string write_number(bool x) { return x ? "1" : "0"; }
template <class S>
std::string write_number(const S& x) {
  std::ostringstream text;
  text.precision(std::numeric_limits<S>::max_digits10);
  text << std::scientific << x;
  return text.str();
}
inline void read_number(const std::string& text, double& x) {
  char* end = nullptr;
  x = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0') throw InvalidParameter("checkpoint entry", text, "must be a number");
}
inline void read_number(const std::string& text, bool& x) {
  if (text != "0" && text != "1") throw InvalidParameter("checkpoint entry", text, "must be 0 or 1");
  x = text == "1";
}
template <class S>
void read_number(const std::string& text, S& x) {
  std::istringstream stream(text);
  bool whole = false;
  try {
    whole = stream >> x && stream.peek() == std::istringstream::traits_type::eof();
  } catch (const std::runtime_error&) {  // rationals refuse so
  }
  if (!whole) throw InvalidParameter("checkpoint entry", text, "must be a number");
}

template <class F>
void write_field(std::ostream& out, const F& field) {
  if constexpr (requires {
                  field.size();
                  field.coeff(0);
                }) {
    out << field.size();
    for (Eigen::Index i = 0; i < field.size(); ++i) out << ' ' << write_number(field.coeff(i));
  } else {
    out << 1 << ' ' << write_number(field);
  }
  out << '\n';
}

template <class F>
void read_field(const std::string& line, F& field) {
  std::istringstream in(line);
  Eigen::Index size = -1;
  if (!(in >> size) || size < 0)
    throw InvalidParameter("checkpoint line", line, "must start with the number of its entries");
  std::vector<std::string> entries;
  for (std::string entry; in >> entry;) entries.push_back(entry);
  if (static_cast<Eigen::Index>(entries.size()) != size)
    throw InvalidParameter("checkpoint line", line, "must hold " + std::to_string(size) + " entries");
  if constexpr (requires {
                  field.size();
                  field.coeff(0);
                }) {
    // A field of a started state has its size already; a text with another size belongs to another system.
    if (field.size() != size && field.size() != 0)
      throw InvalidParameter("checkpoint line", line, "must hold " + std::to_string(field.size()) + " entries");
    if constexpr (F::SizeAtCompileTime == Eigen::Dynamic) field.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) read_number(entries[static_cast<std::size_t>(i)], field.coeffRef(i));
  } else {
    if (size != 1) throw InvalidParameter("checkpoint line", line, "must hold one entry");
    read_number(entries[0], field);
  }
}

}  // namespace checkpoint_detail

/// Returns the state as text, one line per field: the number of entries, then the entries.
template <class State>
std::string save_state(State state) {
  std::ostringstream out;
  std::apply([&](const auto&... field) { (checkpoint_detail::write_field(out, field), ...); }, state.fields());
  return out.str();
}

/// Overwrites `state` by what save_state wrote. Throws InvalidParameter on anything else and leaves `state` as it was.
template <class State>
void load_state(const std::string& text, State& state) {
  std::istringstream in(text);
  State loaded = state;
  std::apply(
      [&](auto&... field) {
        const auto read = [&](auto& f) {
          std::string line;
          if (!std::getline(in, line))
            throw InvalidParameter("checkpoint", "end of text", "must hold one line per field");
          checkpoint_detail::read_field(line, f);
        };
        (read(field), ...);
      },
      loaded.fields());
  if (std::string rest; std::getline(in, rest))
    throw InvalidParameter("checkpoint", rest, "must end after the last field");
  state = loaded;
}

/// The checksum FNV-1a of 64 bits, which reveals damage (not malice). Adding bytes in pieces or at once gives one
/// result.
class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_ ^= static_cast<unsigned char>(byte);
      hash_ *= 0x100000001b3U;
    }
  }
  /// Returns the checksum as 16 hexadecimal digits.
  [[nodiscard]] std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

/// An interrupted run: everything that is needed to continue it to the last bit.
struct Checkpoint {
  /// The settings of the run, as the program that writes it names them: names without spaces, values without line
  /// breaks.
  std::vector<std::pair<std::string, std::string>> settings;
  long step = 0;      ///< steps completed
  std::string state;  ///< text of save_state

  /// Returns the value of a setting. Throws InvalidParameter if there is none of this name.
  [[nodiscard]] const std::string& setting(const std::string& name) const {
    for (const auto& [key, value] : settings)
      if (key == name) return value;
    throw InvalidParameter("checkpoint setting", name, "is missing");
  }

  /// Returns the checkpoint as text: lines `livi checkpoint 1`, `name value` for each setting, `step k`, the state,
  /// `checksum ...`.
  [[nodiscard]] std::string text() const {
    std::string out = std::string(first_line) + "\n";
    for (const auto& [name, value] : settings) {
      if (name.empty() || name == "step" || name.find_first_of(" \n") != std::string::npos)
        throw InvalidParameter("name of a checkpoint setting", name, "must be one word other than step");
      if (value.find('\n') != std::string::npos)
        throw InvalidParameter("checkpoint setting " + name, value, "must not contain a line break");
      out += name + " " + value + "\n";
    }
    out += "step " + std::to_string(step) + "\n" + state;
    Checksum checksum;
    checksum.add(out);
    return out + "checksum " + checksum.text() + "\n";
  }

  /// Reads what text() returned. Throws InvalidParameter, which calls the text `name`, on anything else.
  static Checkpoint parse(const std::string& text, const std::string& name = "checkpoint") {
    const auto refuse = [&](const std::string& reason) -> InvalidParameter {
      return {name, std::to_string(text.size()) + " bytes", reason};
    };
    if (text.compare(0, std::string_view(first_line).size() + 1, std::string(first_line) + "\n") != 0)
      throw refuse("is not a checkpoint: the first line must be '" + std::string(first_line) + "'");
    constexpr std::size_t length_of_last = 9 + 16 + 1;
    Checksum checksum;
    if (text.size() > length_of_last) checksum.add(std::string_view(text).substr(0, text.size() - length_of_last));
    if (text.size() <= length_of_last ||
        text.substr(text.size() - length_of_last) != "checksum " + checksum.text() + "\n")
      throw refuse("is damaged: it must end with the checksum of what is before");
    Checkpoint checkpoint;
    std::istringstream lines(text.substr(0, text.size() - length_of_last));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const std::size_t space = line.find(' ');
      if (space == std::string::npos) throw refuse("line '" + line + "' must be a name, a space and a value");
      std::string key = line.substr(0, space), value = line.substr(space + 1);
      if (key != "step") {
        checkpoint.settings.emplace_back(std::move(key), std::move(value));
        continue;
      }
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), checkpoint.step);
      if (error != std::errc() || end != value.data() + value.size() || checkpoint.step < 0)
        throw refuse("step '" + value + "' must be a whole number >= 0");
      std::ostringstream rest;
      if (lines.peek() != std::istringstream::traits_type::eof()) rest << lines.rdbuf();
      checkpoint.state = rest.str();
      return checkpoint;
    }
    throw refuse("must name its step");
  }

  static constexpr const char* first_line = "livi checkpoint 1";
};

/// Reads the checkpoint in a file. Throws InvalidParameter if it cannot be read or is not, byte for byte, one that was
/// written.
inline Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const std::string name = "checkpoint " + path.string();
  const FileText file = read_text_file(path);
  if (!file.problem.empty()) throw InvalidParameter(name, file.problem, "must be a file that can be read");
  return Checkpoint::parse(file.text, name);
}

}  // namespace livi
