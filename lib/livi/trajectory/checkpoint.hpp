// SPDX-License-Identifier: MIT
//
// A state as text and back, to the last bit: floating-point numbers in hexadecimal (or, beyond double, in enough
// decimal digits to be read back unchanged). n steps must equal k steps, save, load, n - k steps, bitwise; the battery
// holds every method to it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <livi/integrators/integrator.hpp>

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
  if (!(stream >> x)) throw InvalidParameter("checkpoint entry", text, "must be a number");
}

template <class F>
void write_field(std::ostream& out, const F& field) {
  if constexpr (requires {
                  field.size();
                  field(0);
                }) {
    out << field.size();
    for (Eigen::Index i = 0; i < field.size(); ++i) out << ' ' << write_number(field(i));
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
                  field(0);
                }) {
    if (field.size() != size && std::remove_reference_t<F>::SizeAtCompileTime != Dynamic)
      throw InvalidParameter("checkpoint line", line, "must hold " + std::to_string(field.size()) + " entries");
    field.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) read_number(entries[static_cast<std::size_t>(i)], field(i));
  } else {
    if (size != 1) throw InvalidParameter("checkpoint line", line, "must hold one entry");
    read_number(entries[0], field);
  }
}

}  // namespace checkpoint_detail

/// One line per field: the number of entries, the entries.
template <class State>
std::string save_state(State state) {
  std::ostringstream out;
  std::apply([&](const auto&... field) { (checkpoint_detail::write_field(out, field), ...); }, state.fields());
  return out.str();
}

/// Overwrites `state` by what save_state wrote; InvalidParameter on anything else, leaving `state` as it was.
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

}  // namespace livi
