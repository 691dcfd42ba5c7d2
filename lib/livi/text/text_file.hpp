// SPDX-License-Identifier: MIT
//
// How programs read a file that somebody else wrote.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace livi {

/// The longest file that is read.
inline constexpr std::size_t longest_file = std::size_t{1} << 30;

/// What a file has, or why it was not read, in words that follow its name: "is a folder, not a file".
struct FileText {
  std::string text;
  std::string problem;
};

/// Reads a file of at most `longest` bytes. What is no regular file (a pipe, a device) is refused before it is read: it may never
/// end. So are bytes of zero, at which readers of text take it to end.
inline FileText read_text_file(const std::filesystem::path& path, std::size_t longest = longest_file) {
  const auto of_system = [](int error) {
    return FileText{{}, "cannot be read: " + std::generic_category().message(error)};
  };
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return of_system(errno);
  struct Closed {
    int file;
    ~Closed() { ::close(file); }
  } const closed{file};
  struct stat about {};
  if (::fstat(file, &about) != 0) return of_system(errno);
  if (S_ISDIR(about.st_mode)) return {{}, "is a folder, not a file"};
  if (!S_ISREG(about.st_mode)) return {{}, "is no regular file"};
  std::string text;
  for (std::string block(1 << 16, '\0'); text.size() <= longest;) {
    const ssize_t count = ::read(file, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return of_system(errno);
    if (count == 0) {
      if (text.find('\0') != std::string::npos) return {{}, "has bytes of zero: it is no text"};
      return {std::move(text), {}};
    }
    text.append(block, 0, static_cast<std::size_t>(count));
  }
  return {{}, "has more than " + std::to_string(longest) + " bytes"};
}

}  // namespace livi
