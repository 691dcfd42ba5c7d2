// SPDX-License-Identifier: MIT
// Differences as a reader sees them: the table, and the explanation word by word.
#include <livi/report/compare.hpp>
#include <livi/report/text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>

namespace livi {
namespace {

constexpr std::size_t kLineWidth = 110;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Returns which words of two texts belong to a longest common subsequence.
std::pair<std::vector<bool>, std::vector<bool>> common_words(const std::vector<std::string>& was,
                                                             const std::vector<std::string>& now) {
  std::vector<bool> kept_was(was.size()), kept_now(now.size());
  // common[i * (now.size() + 1) + j] is the length of that subsequence for the words from was[i] and now[j] on.
  const std::size_t columns = now.size() + 1;
  std::vector<std::uint32_t> common((was.size() + 1) * columns);
  for (std::size_t i = was.size(); i-- > 0;) {
    for (std::size_t j = now.size(); j-- > 0;) {
      common[i * columns + j] = was[i] == now[j] ? common[(i + 1) * columns + j + 1] + 1
                                                 : std::max(common[(i + 1) * columns + j], common[i * columns + j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < was.size() && j < now.size();) {
    if (was[i] == now[j]) {
      kept_was[i++] = kept_now[j++] = true;
    } else if (common[(i + 1) * columns + j] >= common[i * columns + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return {kept_was, kept_now};
}

/// Returns the words of a text, with each run of words that are not kept between `open` and `close`.
std::string marked(const std::vector<std::string>& words, const std::vector<bool>& kept, const std::string& open,
                   const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool begins = !kept[i] && (i == 0 || kept[i - 1]);
    const bool ends = !kept[i] && (i + 1 == words.size() || kept[i + 1]);
    text += (text.empty() ? "" : " ") + (begins ? open : "") + words[i] + (ends ? close : "");
  }
  return text;
}

/// Returns what two texts are around their first difference, in at most `width` characters of each.
std::pair<std::string, std::string> around_first_difference(const std::string& was, const std::string& now,
                                                            std::size_t width) {
  if (was.size() <= width && now.size() <= width) return {was, now};
  const auto first =
      static_cast<std::size_t>(std::mismatch(was.begin(), was.end(), now.begin(), now.end()).first - was.begin());
  std::size_t begin = first > width / 2 ? first - width / 2 : 0;
  // A cut must not be inside a character of more than one byte.
  const auto inside = [](const std::string& text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (begin > 0 && inside(was, begin)) --begin;
  const auto part = [&](const std::string& text) {
    std::size_t end = std::min(text.size(), begin + width);
    while (inside(text, end)) ++end;
    return (begin > 0 ? "..." : "") + text.substr(begin, end - begin) + (end < text.size() ? "..." : "");
  };
  return {part(was), part(now)};
}

/// Returns one line for numbers, verdicts and other short texts, otherwise both texts with their words marked.
std::string change(const std::string& title, const Difference& difference) {
  const auto was = words_of(difference.baseline), now = words_of(difference.now);
  const std::string tolerance = difference.tolerance == "exact" || difference.tolerance == "its words"
                                    ? ""
                                    : "; allowed: " + difference.tolerance;
  const std::string line = title + ": " + difference.baseline + " -> " + difference.now + tolerance;
  if (was == now) {
    return title + ": white space only\n      was: \"" + difference.baseline + "\"\n      now: \"" + difference.now +
           "\"\n";
  }
  if (line.size() <= kLineWidth && (was.size() <= 3 || now.size() <= 3)) return line + "\n";
  const auto [kept_was, kept_now] = common_words(was, now);
  return title + (tolerance.empty() ? "" : tolerance) + "\n" +
         wrapped("was: " + marked(was, kept_was, "[-", "-]"), "      ", kLineWidth) +
         wrapped("now: " + marked(now, kept_now, "{+", "+}"), "      ", kLineWidth);
}

}  // namespace

std::string difference_table(const std::vector<Difference>& differences) {
  constexpr std::size_t widest = 48;
  std::vector<std::array<std::string, 5>> rows{{"experiment", "name", "baseline", "now", "tolerance"}};
  for (const Difference& difference : differences) {
    const auto [was, now] = around_first_difference(difference.baseline, difference.now, widest);
    rows.push_back({difference.experiment, difference.name, was, now, difference.tolerance});
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    table += line + "\n";
  }
  return table;
}

std::string explanation(const std::vector<Difference>& differences) {
  std::string text;
  const Difference* before = nullptr;
  for (const Difference& difference : differences) {
    const bool new_experiment = before == nullptr || before->experiment != difference.experiment;
    if (new_experiment) text += (text.empty() ? "" : "\n") + difference.experiment + "\n";
    if (difference.claim.empty()) {
      text += change("  " + difference.name, difference);
    } else if (difference.part.empty()) {
      text += change("  claim " + difference.claim, difference);
    } else {
      if (new_experiment || before->claim != difference.claim) text += "  claim " + difference.claim + "\n";
      text += change("    " + difference.part, difference);
    }
    before = &difference;
  }
  return text;
}

}  // namespace livi
