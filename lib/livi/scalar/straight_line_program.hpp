// SPDX-License-Identifier: MIT
//
// What a rational program did at one point, as a list of additions, subtractions, multiplications and divisions: with
// it a certificate can be checked by anybody, modulo any prime, without the program that it is about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace livi {

/// Instruction i computes number i from earlier numbers. Plain data: see replay() in scalar/residue.hpp for what it
/// means.
struct StraightLineProgram {
  enum class Operation : std::uint8_t {
    variable,  ///< variables[a]
    constant,  ///< constants[a]
    add,       ///< number a + number b
    subtract,  ///< number a - number b
    multiply,  ///< number a * number b
    divide,    ///< number a / number b
    negate,    ///< - number a
  };
  struct Instruction {
    Operation operation;
    std::uint32_t a = 0, b = 0;
  };
  /// A branch of the recorded program depended on whether this number is zero: the list stands for the program at
  /// points where the answer is the same.
  struct Comparison {
    std::uint32_t number;
    bool zero;
  };
  std::vector<Instruction> instructions = {};
  std::vector<std::string> variables = {};  ///< names, in the order in which they were drawn
  std::vector<std::int64_t> constants = {};
  std::vector<Comparison> comparisons = {};
  std::vector<std::uint32_t> outputs = {};  ///< the numbers that the statement says vanish

  std::uint32_t append(Operation operation, std::uint32_t a, std::uint32_t b = 0) {
    instructions.push_back({operation, a, b});
    return static_cast<std::uint32_t>(instructions.size() - 1);
  }
  std::uint32_t append_variable(const std::string& name) {
    variables.push_back(name);
    return append(Operation::variable, static_cast<std::uint32_t>(variables.size() - 1));
  }
  std::uint32_t append_constant(std::int64_t value) {
    constants.push_back(value);
    return append(Operation::constant, static_cast<std::uint32_t>(constants.size() - 1));
  }
};

}  // namespace livi
