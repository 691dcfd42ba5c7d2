// SPDX-License-Identifier: MIT
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace livi {

/// The exception for a parameter, an option or initial data outside its allowed range. The message names it and gives
/// its value and what is allowed.
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
