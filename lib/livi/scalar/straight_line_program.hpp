// SPDX-License-Identifier: MIT
//
// The record of what a rational program did at one point: a list of additions, subtractions, multiplications and
// divisions. With it anybody can check a certificate, modulo any prime, without the program that the certificate is
// about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace livi {

/// A straight-line program, as plain data: instruction i computes number i from earlier numbers. See replay() in
/// scalar/residue.hpp for the meaning of each.
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
  /// A number that decided a branch of the recorded program by being zero or not: the list stands for the program at
  /// points where the answer is the same.
  struct Comparison {
    std::uint32_t number;
    bool zero;
  };
  std::vector<Instruction> instructions = {};
  std::vector<std::string> variables = {};  ///< names, in the order in which they were drawn
  std::vector<std::int64_t> constants = {};
  std::vector<Comparison> comparisons = {};
  std::vector<std::uint32_t> outputs = {};  ///< the numbers that vanish according to the statement

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
