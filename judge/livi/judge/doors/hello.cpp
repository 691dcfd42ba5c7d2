// SPDX-License-Identifier: MIT
#include <livi/judge/doors/hello.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <livi/judge/doors/library_host.hpp>
#include <livi/judge/method/declared_accuracy.hpp>
#include <livi/text/plain_text.hpp>

namespace livi {

std::optional<long> whole_number(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at != std::string::npos;) {
    const auto end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

namespace {

/// The longest texts that a method may give itself.
constexpr std::size_t longest_name = 200;
constexpr int most_digits = 50, fewest_digits = 20;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(at); end != std::string::npos; begin = end + 1, end = text.find(at, begin))
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

/// The words `key=value` of a line; a value in double quotes may hold spaces.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& line, std::size_t at) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (true) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string::npos) return pairs;
    const auto equals = line.find('=', at);
    const auto space = line.find_first_of(" \t", at);
    if (equals == std::string::npos || space < equals || equals == at)
      throw ForeignFailure("in its declaration the method wrote " + quoted_text(line.substr(at, space - at)) +
                           " where key=value is expected");
    const std::string key = line.substr(at, equals - at);
    std::size_t end = 0;
    std::string value;
    if (equals + 1 < line.size() && line[equals + 1] == '"') {
      end = line.find('"', equals + 2);
      if (end == std::string::npos)
        throw ForeignFailure("in the method's declaration the quotes of " + quoted_text(key) + " are not closed");
      value = line.substr(equals + 2, end - equals - 2);
      ++end;
    } else {
      end = std::min(space, line.size());
      value = line.substr(equals + 1, end - equals - 1);
    }
    for (const auto& [earlier, _] : pairs)
      if (earlier == key) throw ForeignFailure("the method declares " + quoted_text(key) + " twice");
    pairs.emplace_back(key, value);
    at = end;
  }
}

bool yes_or_no(const std::string& key, const std::string& value) {
  if (value == "yes" || value == "no") return value == "yes";
  throw ForeignFailure("the method declares " + key + "=" + quoted_text(value) + "; allowed: yes, no");
}

void declare_numbers(ForeignDeclaration& declaration, const std::string& value) {
  declaration.numbers.clear();
  for (const std::string& word : split(value, ',')) {
    NumberType type = NumberType::real;
    if (word == "double") {
      type = NumberType::real;
    } else if (word == "complex") {
      type = NumberType::complex;
    } else if (word == "rational") {
      type = NumberType::rational;
    } else if (word.rfind("digits:", 0) == 0) {
      type = NumberType::digits;
      const auto digits = whole_number(word.substr(7));
      if (!digits || *digits < fewest_digits)
        throw ForeignFailure("the method declares numbers=" + quoted_text(value) + "; allowed: digits:D with D from " +
                             std::to_string(fewest_digits));
      // More digits than the judge has are of no use to it, but no fault.
      declaration.digits = static_cast<int>(std::min<long>(*digits, most_digits));
    } else {
      throw ForeignFailure("the method declares numbers=" + quoted_text(value) +
                           "; allowed: double, complex, digits:D, rational, with commas between them");
    }
    if (declaration.computes_in(type))
      throw ForeignFailure("the method declares a number type twice: " + quoted_text(value));
    declaration.numbers.push_back(type);
  }
}

void declare_kinds(ForeignDeclaration& declaration, const std::string& value) {
  declaration.kinds.clear();
  for (const std::string& word : split(value, ',')) {
    const auto kind = kind_named(word);
    if (!kind || declaration.takes(*kind))
      throw ForeignFailure("the method declares kinds=" + quoted_text(value) +
                           "; allowed: mechanical, timed, separable, langevin, constrained, adaptive, extended, body, "
                           "constrained_langevin, with commas between them, each once");
    declaration.kinds.push_back(*kind);
  }
  // Without friction and noise it is a method for the kind without the bath.
  for (const auto& [in_bath, without] : {std::pair(ProblemKind::langevin, ProblemKind::mechanical),
                                         {ProblemKind::constrained_langevin, ProblemKind::constrained}}) {
    if (!declaration.takes(in_bath) || declaration.takes(without)) continue;
    declaration.kinds.push_back(without);
    declaration.only_in_bath.push_back(without);
  }
  const bool adapts = declaration.takes(ProblemKind::adaptive), extends = declaration.takes(ProblemKind::extended);
  if ((adapts || extends) && (!adapts || declaration.kinds.size() != (extends ? 2U : 1U)))
    throw ForeignFailure("the method declares kinds=" + quoted_text(value) +
                         "; adaptive stands alone, or with extended beside it: steps that the method chooses are "
                         "judged by rows of their own");
}

/// What is not named is left open, but by `no`.
void declare_momentum(ForeignDeclaration& declaration, const std::string& value) {
  if (value == "no") {
    declaration.linear_momentum = declaration.angular_momentum = false;
    return;
  }
  for (const std::string& word : split(value, ',')) {
    if (word == "linear") {
      declaration.linear_momentum = true;
    } else if (word == "angular") {
      declaration.angular_momentum = true;
    } else {
      throw ForeignFailure("the method declares momentum=" + quoted_text(value) +
                           "; allowed: no, linear, angular, or linear,angular");
    }
  }
}

/// Returns the whole number that a key declares, which is to be from `least` to `most`.
long whole_number_of(const std::string& key, const std::string& value, long least, long most) {
  const auto number = whole_number(value);
  if (!number || *number < least || *number > most)
    throw ForeignFailure("the method declares " + key + "=" + quoted_text(value) + "; allowed: a whole number from " +
                         std::to_string(least) + " to " + std::to_string(most));
  return *number;
}

/// Refuses declarations that cannot be judged together.
void refuse_contradictions(const ForeignDeclaration& declaration) {
  if (declaration.sampling && !declaration.takes(ProblemKind::langevin) &&
      !declaration.takes(ProblemKind::constrained_langevin))
    throw ForeignFailure(
        "the method declares sampling, which is judged on problems of the kinds langevin and constrained_langevin "
        "only; "
        "its kinds name neither");
  for (const ProblemKind kind : {ProblemKind::langevin, ProblemKind::constrained, ProblemKind::body})
    if (declaration.takes(kind) && !declaration.computes_in(NumberType::real))
      throw ForeignFailure("the method declares the kind " + kind_name(kind) +
                           ", which is judged in double only; its numbers do not name it");
  if (declaration.takes(ProblemKind::langevin) && declaration.told(ProblemKind::mechanical) == ProblemKind::langevin &&
      declaration.numbers != std::vector{NumberType::real})
    throw ForeignFailure(
        "the method declares the kind langevin without mechanical, which is judged in double only; its numbers name "
        "another type");
  if (declaration.hidden && !declaration.takes(ProblemKind::constrained))
    throw ForeignFailure(
        "the method declares hidden, which is judged on problems of the kind constrained only; its kinds do not name "
        "it");
  if (declaration.casimir && !declaration.takes(ProblemKind::body))
    throw ForeignFailure(
        "the method declares casimir, which is judged on problems of the kind body only; its kinds do not name it");
  if (declaration.kinds == std::vector{ProblemKind::body} && declaration.linear_momentum == true)
    throw ForeignFailure(
        "the method declares momentum=linear, which a body about a fixed point has not; its kinds name no other "
        "problem");
  if (declaration.takes(ProblemKind::adaptive)) {
    if (declaration.numbers != std::vector{NumberType::real})
      throw ForeignFailure(
          "the method declares the kind adaptive, which is judged in double only; its numbers name another type");
    if (declaration.forward)
      throw ForeignFailure(
          "the method declares steps=forward; its kinds name adaptive, whose steps are judged in both directions");
    if (declaration.stability_limit)
      throw ForeignFailure(
          "the method declares stability, which is that of steps of one size; its kinds name adaptive");
    if (const std::string accuracy = declared_accuracy(declaration); !accuracy.empty())
      throw ForeignFailure("the method declares " + accuracy +
                           ", up to which no step is judged that the method chooses; its kinds name adaptive");
  }
}

}  // namespace

Hello parse_hello(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty() || words[0] != "livi")
    throw ForeignFailure("the method's first line is " + quoted_text(line) + "; expected: livi 1 key=value ...");
  if (words.size() < 2 || words[1] != std::to_string(protocol_version))
    throw ForeignFailure("the method speaks version " + quoted_text(words.size() < 2 ? "" : words[1]) +
                         " of the protocol; the judge speaks version " + std::to_string(protocol_version));
  // A terminal would obey them.
  if (std::ranges::any_of(line, [](unsigned char c) { return (c < 32 && c != '\t') || c == 127; }))
    throw ForeignFailure("the method's first line has control characters: " + quoted_text(line));
  Hello hello;
  ForeignDeclaration& declaration = hello.declaration;
  const auto after = line.find(words[1], line.find("livi") + 4) + words[1].size();
  for (const auto& [key, value] : pairs_of(line, after)) {
    if (key == "name" || key == "source") {
      if (value.size() > longest_name)
        throw ForeignFailure("the method's " + key + " is longer than " + std::to_string(longest_name) + " bytes");
      (key == "name" ? declaration.name : declaration.source) = value;
    } else if (key == "order") {
      declaration.order = static_cast<int>(whole_number_of(key, value, 1, 20));
    } else if (key == "symplectic") {
      declaration.symplectic = yes_or_no(key, value);
    } else if (key == "symmetric") {
      declaration.symmetric = yes_or_no(key, value);
    } else if (key == "memory") {
      declaration.memory = yes_or_no(key, value);
    } else if (key == "steps") {
      if (value != "forward" && value != "both")
        throw ForeignFailure("the method declares steps=" + quoted_text(value) + "; allowed: forward, both");
      declaration.forward = value == "forward";
    } else if (key == "momentum") {
      declare_momentum(declaration, value);
    } else if (key == "gradients") {
      declaration.gradients = static_cast<double>(whole_number_of(key, value, 0, 10000));
    } else if (key == "stability") {
      const auto limit = parse_double(value);
      if (!limit || std::isnan(*limit) || *limit < 0)
        throw ForeignFailure("the method declares stability=" + quoted_text(value) +
                             "; allowed: a number >= 0, or inf");
      declaration.stability_limit = *limit;
    } else if (key == "sampling") {
      declaration.sampling = static_cast<int>(whole_number_of(key, value, 1, 20));
    } else if (key == "hidden") {
      declaration.hidden = yes_or_no(key, value);
    } else if (key == "casimir") {
      declaration.casimir = yes_or_no(key, value);
    } else if (key == "tolerance") {
      const auto tolerance = parse_double(value);
      // Less is rounding, and with more nothing would be judged.
      if (!tolerance || !(*tolerance >= 1e-15 && *tolerance <= largest_tolerance))
        throw ForeignFailure("the method declares tolerance=" + quoted_text(value) +
                             "; allowed: a number from 1e-15 to 1e-6");
      declaration.tolerance = *tolerance;
    } else if (key == "precision") {
      if (value != "double" && value != "single")
        throw ForeignFailure("the method declares precision=" + quoted_text(value) + "; allowed: double, single");
      declaration.single_precision = value == "single";
    } else if (key == "numbers") {
      declare_numbers(declaration, value);
    } else if (key == "form") {
      if (value != "decimal" && value != "hex")
        throw ForeignFailure("the method declares form=" + quoted_text(value) + "; allowed: decimal, hex");
      hello.form = value == "hex" ? NumberForm::hex : NumberForm::decimal;
    } else if (key == "kinds") {
      declare_kinds(declaration, value);
    } else {
      throw ForeignFailure("the method declares " + quoted_text(key) +
                           ", which is no key of the protocol; allowed: name, source, order, symplectic, symmetric, "
                           "momentum, gradients, stability, sampling, hidden, casimir, memory, steps, tolerance, "
                           "precision, numbers, form, kinds");
    }
  }
  refuse_contradictions(declaration);
  // A body about a fixed point has none: `no` says nothing of it.
  if (declaration.kinds == std::vector{ProblemKind::body}) declaration.linear_momentum.reset();
  if (declaration.name.empty()) declaration.name = "a method without a name";
  return hello;
}

}  // namespace livi
