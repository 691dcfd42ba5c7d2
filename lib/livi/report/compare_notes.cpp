// SPDX-License-Identifier: MIT
#include <livi/report/compare_notes.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace livi {

MaskedNote without_numbers(const std::string& note) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto in_name = [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  MaskedNote result;
  std::string& masked = result.text;
  for (std::size_t at = 0; at < note.size();) {
    if (!is_digit(note[at]) || (!masked.empty() && in_name(masked.back()))) {
      masked += note[at++];
      continue;
    }
    const std::size_t begin = at;
    const auto skip_digits = [&] {
      while (at < note.size() && is_digit(note[at])) ++at;
    };
    skip_digits();
    if (at + 1 < note.size() && note[at] == '.' && is_digit(note[at + 1])) {
      ++at;
      skip_digits();
    }
    if (at < note.size() && note[at] == 'e') {
      const std::size_t sign = at + 1 < note.size() && (note[at + 1] == '-' || note[at + 1] == '+') ? 1U : 0U;
      if (at + 1 + sign < note.size() && is_digit(note[at + 1 + sign])) {
        at += 1 + sign;
        skip_digits();
      }
    }
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(note.data() + begin, note.data() + at, value);
    // A sign that begins a word belongs to the number.
    if (masked.ends_with('-') &&
        (masked.size() == 1 || std::string(" \n([").find(masked[masked.size() - 2]) != std::string::npos)) {
      masked.pop_back();
      value = -value;
    }
    result.numbers.push_back({masked.size(), value});
    masked += '#';
  }
  return result;
}

namespace {

/// A number that a certificate (diagnostics/certificate.hpp) or a verdict with limits of the battery states. It is
/// found by the words around it, and `same` says which of its changes are no difference.
///
/// In a certificate only the seed and what is drawn with it are free: primes, points, values that are not zero. All
/// else is equal for every seed, since each random point that is no accident takes one and the same branch: the number
/// of functions and of those that do not vanish, the degree and the height of their numerators, the number of points,
/// the probability. So these are compared as numbers. On another machine the logarithms that a height is the sum of may
/// be rounded otherwise, which moves its third and last digit by one, and a probability next to a power of ten may be
/// rounded up to the next one. More points and a smaller probability say more than the baseline does.
struct CertificateNumber {
  std::string_view before;  ///< the words just before it, numbers masked
  std::string_view after;   ///< the words just after it
  std::string_view allowed;
  bool (*same)(double was, double now);
};
constexpr auto is_equal = [](double was, double now) { return was == now; };
constexpr std::array<CertificateNumber, 9> certificate_numbers{{
    {"", " of # rational functions do not vanish", "as many rational functions that do not vanish", is_equal},
    {"", " rational functions ", "as many rational functions", is_equal},
    {"rational functions do not vanish: no. ", " is # modulo", "the same first function that does not vanish",
     is_equal},
    {"rational functions of degree <= ", "", "the same degree", is_equal},
    {", height <= ", " bits", "the same height to three digits",
     [](double was, double now) { return std::abs(now - was) <= 0.0101 * std::abs(was); }},
    {" bits vanish at ", " points", "no fewer points", [](double was, double now) { return now >= was; }},
    {" points modulo ", "-bit primes", "primes of as many bits", is_equal},
    {"down to a defect of ", "", "a defect at most ten times as large",
     [](double was, double now) { return now <= 10 * was; }},
    {"p < ", "", "p at most ten times as large", [](double was, double now) { return now <= 10.001 * was; }},
}};

}  // namespace

std::string lost_by_certificates(const MaskedNote& baseline, const MaskedNote& now) {
  std::string lost;
  const std::string_view text = now.text;
  for (std::size_t i = 0; i < now.numbers.size(); ++i) {
    const std::string_view before = text.substr(0, now.numbers[i].place), after = text.substr(now.numbers[i].place + 1);
    for (const CertificateNumber& number : certificate_numbers) {
      if (!before.ends_with(number.before) || !after.starts_with(number.after)) continue;
      if (!number.same(baseline.numbers[i].value, now.numbers[i].value))
        lost += (lost.empty() ? "" : ", ") + std::string(number.allowed);
      break;
    }
  }
  return lost;
}

}  // namespace livi
