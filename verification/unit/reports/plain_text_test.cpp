// SPDX-License-Identifier: MIT
//
// Text and files that somebody else wrote: what is shown of them, and what is not read.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <livi/text/plain_text.hpp>
#include <livi/text/text_file.hpp>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "verification/support/temporary_folder.hpp"

namespace plain_text_test {

using livi::plain_text;
using livi::quoted_text;

TEST(PlainText, keeps_what_can_be_read) {
  for (const std::string text : {"", "Störmer–Verlet, h² ω", "日本語 😀", "two\nlines"})
    EXPECT_EQ(plain_text(text), text);
}

TEST(PlainText, has_no_command_no_mark_of_direction_and_no_byte_that_is_no_character) {
  // C0, DEL, C1, marks of direction, separators of lines, a byte order mark.
  for (const std::string text :
       {"\x01", "\x1b", "\r", "\t", "\x7f", "\xc2\x80", "\xc2\x9b", "\xc2\x9f", "\xd8\x9c", "\xe2\x80\x8e",
        "\xe2\x80\xa8", "\xe2\x80\xae", "\xe2\x81\xa6", "\xef\xbb\xbf", "\xef\xbf\xbe"})
    EXPECT_EQ(plain_text("a" + text + "b"), "a?b") << text;
  // Bytes that begin nothing, end too early, are longer than need be, are half of a pair, or lie beyond Unicode.
  for (const std::string text : {"\xff", "\x80", "\xc3", "\xe2\x80", "\xf0\x9f\x98", "\xc0\xaf", "\xe0\x80\xaf",
                                 "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_EQ(plain_text(text), std::string(text.size(), '?'));
    EXPECT_EQ(plain_text(text + "b"), std::string(text.size(), '?') + "b");
  }
  EXPECT_EQ(plain_text(std::string("a\0b", 3)), "a?b");
}

TEST(QuotedText, is_short_and_on_one_line) {
  EXPECT_EQ(quoted_text("a\nb"), "'a?b'");
  EXPECT_EQ(quoted_text(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(PlainStreams, filter_what_is_written_while_they_live) {
  std::ostringstream out, error;
  std::streambuf *const behind_out = std::cout.rdbuf(out.rdbuf()), *const behind_error = std::cerr.rdbuf(error.rdbuf());
  {
    const livi::PlainStreams streams;
    std::cout << "a\x1b[2J" << 'b' << "\n\tc\r" << std::flush;
    // A character may come in parts.
    std::cerr << "\xe2" << std::flush << "\x88"
              << "\x9a"
              << "\xe2\x80";
  }
  std::cout.rdbuf(behind_out);
  std::cerr.rdbuf(behind_error);
  EXPECT_EQ(out.str(), "a?[2Jb\n\tc\r");
  EXPECT_EQ(error.str(), "\xe2\x88\x9a??");
}

class TextFile : public livi::test::InFolder {
 protected:
  std::string problem(const std::string& name) { return livi::read_text_file(folder / name, 1000).problem; }
};

TEST_F(TextFile, is_read_if_it_is_one_and_ends) {
  std::ofstream(folder / "text") << std::string(1000, 'x');
  EXPECT_EQ(livi::read_text_file(folder / "text", 1000).text, std::string(1000, 'x'));
  std::ofstream(folder / "long") << std::string(1001, 'x');
  EXPECT_EQ(problem("long"), "has more than 1000 bytes");
  std::ofstream(folder / "zero") << "{}" << '\0' << "more";
  EXPECT_EQ(problem("zero"), "has bytes of zero: it is no text");
  EXPECT_EQ(problem("none"), "cannot be read: No such file or directory");
  EXPECT_EQ(problem("."), "is a folder, not a file");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(problem("pipe"), "is no regular file");
  EXPECT_EQ(livi::read_text_file("/dev/zero").problem, "is no regular file");
}

}  // namespace plain_text_test
