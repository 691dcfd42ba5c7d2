// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace livi {

/// Thrown when a parameter, an option or initial data cannot be meant: the message names it, its value and what is
/// allowed.
class InvalidParameter : public std::invalid_argument {
 public:
  template <class T>
  InvalidParameter(const std::string& name, const T& value, const std::string& allowed)
      : std::invalid_argument(message(name, value, allowed)) {}

 private:
  template <class T>
  static std::string message(const std::string& name, const T& value, const std::string& allowed) {
    std::ostringstream text;
    text << name << " = " << value << ": " << allowed;
    return text.str();
  }
};

}  // namespace livi
