// SPDX-License-Identifier: MIT
#include "simulate_noise.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "study/program/number_texts.hpp"

namespace livi {

namespace {

/// Reads the terms of one potential: [sign] factor {* factor} {sign factor {* factor}}, with numbers, q1 and q1^2.
class NoiseReader {
 public:
  NoiseReader(const std::string& option, std::string text) : option_(option), text_(std::move(text)) {}

  std::vector<NoiseTerm> terms() {
    std::vector<NoiseTerm> terms;
    do {
      const bool negative = next() == '-';
      if (negative || (next() == '+' && !terms.empty())) ++at_;
      NoiseTerm term = read_term();
      if (negative) term.strength = -term.strength;
      terms.push_back(term);
    } while (next() == '+' || next() == '-');
    if (next() != '\0') refuse();
    return terms;
  }

 private:
  [[noreturn]] void refuse(const std::string& missing = "") const {
    const std::string character = "character " + std::to_string(at_ + 1);
    throw InvalidParameter(
        option_, text_.find_first_not_of(' ') == std::string::npos ? "'" + text_ + "'" : text_,
        "must be terms such as 0.5*q1, -q2, 0.3*q1*q2 or q3^2 with + or - between them; " +
            (at_ < text_.size() ? character + (missing.empty() ? " cannot be understood" : " is not " + missing)
                                : "it ends where " + (missing.empty() ? "a term" : missing) + " is missing"));
  }
  /// Returns the next character that is no blank, or a zero at the end.
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  template <class T>
  T read_number() {
    T number{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error == std::errc::result_out_of_range)
      throw InvalidParameter(option_, text_,
                             "must have numbers that can be held; that of character " + std::to_string(at_ + 1) +
                                 " has too many digits or too large an exponent");
    if (error != std::errc()) refuse(std::is_integral_v<T> ? "a number of a coordinate" : "");
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }
  NoiseTerm read_term() {
    NoiseTerm term{1, 0, 0};
    std::vector<long> coordinates;
    while (true) {
      if (next() == 'q') {
        ++at_;
        const std::size_t begin = at_;
        const long i = read_number<long>();
        if (i < 1) {
          at_ = begin;
          refuse("a number of a coordinate");
        }
        coordinates.push_back(i);
        if (next() == '^') {
          ++at_;
          next();
          const std::size_t begin_of_power = at_;
          if (next() != '2' || read_number<long>() != 2) {
            at_ = begin_of_power;
            refuse("the power 2");
          }
          coordinates.push_back(i);
        }
      } else if (next() >= '0' && next() <= '9') {
        term.strength *= read_number<double>();
      } else {
        refuse();
      }
      if (next() != '*') break;
      ++at_;
    }
    if (coordinates.empty() || coordinates.size() > 2)
      throw InvalidParameter(
          option_, text_,
          "must have terms of degree 1 or 2; one has " + std::to_string(coordinates.size()) + " coordinates");
    if (!std::isfinite(term.strength)) throw InvalidParameter(option_, text_, "must have finite strengths");
    std::sort(coordinates.rbegin(), coordinates.rend());
    term.i = coordinates[0];
    if (coordinates.size() == 2) term.j = coordinates[1];
    return term;
  }

  std::string option_, text_;
  std::size_t at_ = 0;
};

}  // namespace

NoiseTerms parse_noise(const std::string& option, const std::string& text) {
  NoiseTerms noise;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    noise.push_back(
        NoiseReader(option + ", noise " + std::to_string(noise.size() + 1), text.substr(begin, end - begin)).terms());
    begin = end + 1;
  }
  return noise;
}

std::string describe_noise(const NoiseTerms& noise) {
  std::string text;
  for (const auto& terms : noise) {
    if (!text.empty()) text += ',';
    for (const NoiseTerm& term : terms) {
      if (&term != terms.data() && !std::signbit(term.strength)) text += '+';
      text += shortest(term.strength) + "*q" + std::to_string(term.i);
      if (term.j > 0) text += "*q" + std::to_string(term.j);
    }
  }
  return text;
}

AnyNoise make_noise(const std::string& option, const NoiseTerms& noise, long n) {
  AnyNoise made;
  for (const auto& terms : noise) {
    AnyNoise::Term sum{Vector<double, Dynamic>::Zero(n), Matrix<double, Dynamic>::Zero(n, n)};
    for (const NoiseTerm& term : terms) {
      if (term.i > n)
        throw InvalidParameter(option, "q" + std::to_string(term.i),
                               "must be one of q1 to q" + std::to_string(n) + ", the coordinates of the system");
      if (term.j == 0) {
        sum.force(term.i - 1) += term.strength;
      } else {
        // q . A q / 2 has the terms A_ii q_i^2/2 and A_ij q_i q_j.
        sum.matrix(term.i - 1, term.j - 1) += term.strength;
        sum.matrix(term.j - 1, term.i - 1) += term.strength;
      }
    }
    made.terms.push_back(std::move(sum));
  }
  return made;
}

}  // namespace livi
