// SPDX-License-Identifier: MIT
//
// What others write is data: names, reasons, notes, options, error streams. Nothing of it may command a terminal or turn the
// direction of a line, wherever it is printed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

namespace livi {

/// A character of UTF-8: the number of its bytes, 0 if there is none, and its place in Unicode.
struct Character {
  std::size_t length = 0;
  std::uint32_t place = 0;
};
/// Returns the character that `text`, which is not empty, begins with. One that is longer than need be, half of a pair, beyond
/// Unicode or not complete is none.
inline Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  std::uint32_t place = first & (0xffU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {};
    place = place << 6 | (byte(k) & 0x3f);
  }
  const bool is_shortest = place >= (length == 4 ? 0x10000U : length == 3 ? 0x800U : 0x80U);
  if (!is_shortest || place > 0x10ffff || (place >= 0xd800 && place < 0xe000)) return {};
  return {length, place};
}

/// Returns whether a character may be shown: it is no control, C0 or C1, no mark of direction, no separator of lines, and one
/// that XML allows.
inline bool is_plain(std::uint32_t place) {
  constexpr std::pair<std::uint32_t, std::uint32_t> hidden[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
                                                                {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                                                {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xfffe, 0xffff}};
  return std::none_of(std::begin(hidden), std::end(hidden),
                      [&](const auto& range) { return place >= range.first && place <= range.second; });
}

/// Returns the text with a question mark for each character that may not be shown, but for those of ASCII in `kept`, and for
/// each byte that belongs to none.
inline std::string plain_text(std::string_view text, std::string_view kept = "\n") {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    const bool is_shown = next.length > 0 && (is_plain(next.place) || kept.find(text[0]) != std::string_view::npos);
    if (is_shown)
      result += text.substr(0, next.length);
    else
      result += '?';
    text.remove_prefix(std::max<std::size_t>(next.length, 1));
  }
  return result;
}

/// Returns the beginning of a text of any content in quotes, on one line, and "..." where it goes on; of at most `longest` bytes.
inline std::string quoted_text(std::string_view text, std::size_t longest = 60) {
  return "'" + plain_text(text.substr(0, longest), "") + (text.size() > longest ? "..." : "") + "'";
}

/// While it lives, what goes to std::cout and std::cerr is plain text, with the white space \n, \r and \t.
class PlainStreams {
 public:
  PlainStreams() : out_(std::cout), error_(std::cerr) {}

 private:
  class Filter final : public std::streambuf {
   public:
    explicit Filter(std::ostream& stream) : stream_(stream), behind_(stream.rdbuf(this)) {}
    ~Filter() override {
      pass(true);
      stream_.rdbuf(behind_);
    }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

   protected:
    int_type overflow(int_type c) override {
      if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
      const char one = traits_type::to_char_type(c);
      return xsputn(&one, 1) == 1 ? c : traits_type::eof();
    }
    std::streamsize xsputn(const char* text, std::streamsize size) override {
      held_.append(text, static_cast<std::size_t>(size));
      return pass(false) ? size : 0;
    }
    int sync() override { return pass(false) ? behind_->pubsync() : -1; }

   private:
    /// Writes what is held but for a character whose rest may come; all of it at the end.
    bool pass(bool is_end) {
      std::size_t size = held_.size();
      for (std::size_t k = 1; !is_end && k <= std::min<std::size_t>(3, size); ++k) {
        const auto byte = static_cast<unsigned char>(held_[size - k]);
        if ((byte & 0xc0) == 0x80) continue;
        if (byte >= (k == 1 ? 0xc0 : k == 2 ? 0xe0 : 0xf0)) size -= k;
        break;
      }
      const std::string text = plain_text(std::string_view(held_).substr(0, size), "\n\r\t");
      held_.erase(0, size);
      return behind_->sputn(text.data(), static_cast<std::streamsize>(text.size())) ==
             static_cast<std::streamsize>(text.size());
    }

    std::ostream& stream_;
    std::streambuf* behind_;
    std::string held_;
  };

  Filter out_, error_;
};

}  // namespace livi
