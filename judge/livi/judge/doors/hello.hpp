// SPDX-License-Identifier: MIT
//
// What a method says of itself in its first line (docs/protocol.md), and the words of lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <livi/judge/method/foreign_subject.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi {

/// The version of the protocol that the judge speaks.
inline constexpr int protocol_version = 1;

/// The first line of a method, read.
struct Hello {
  ForeignDeclaration declaration;
  NumberForm form = NumberForm::decimal;
};
/// Reads the line with which a method answers "livi 1". Throws ForeignFailure with one sentence for any other line.
Hello parse_hello(const std::string& line);
/// Returns the words of a line, which spaces and tabs separate.
std::vector<std::string> words_of(const std::string& line);
/// Returns the whole number that a text is, without a sign other than '-'; nothing if it is none that a long can have.
std::optional<long> whole_number(const std::string& text);

}  // namespace livi
