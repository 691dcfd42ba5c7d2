// SPDX-License-Identifier: MIT
#include "simulate_rows.hpp"

#include <livi/report/report.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace livi {

namespace fs = std::filesystem;

namespace {

/// write() until nothing is left; false with errno.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Reads `bytes` bytes from the beginning; the number that is missing at the end.
template <class Use>
std::uintmax_t for_each_block(int file, std::uintmax_t bytes, const Use& use) {
  std::string block(1 << 16, '\0');
  if (lseek(file, 0, SEEK_SET) < 0) return bytes;
  while (bytes > 0) {
    const ssize_t got = read(file, block.data(), std::min<std::uintmax_t>(bytes, block.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || !use(std::string_view(block).substr(0, static_cast<std::size_t>(got)))) break;
    bytes -= static_cast<std::uintmax_t>(got);
  }
  return bytes;
}

}  // namespace

Rows::Rows(fs::path out) : out_(std::move(out)), partial_(partial_of(out_)) {
  require_file_or_nothing("--out", out_);
  open_partial();
  if (ftruncate(file_, 0) != 0) fail(partial_, "cannot be emptied");
}

Rows::Rows(fs::path out, std::uintmax_t bytes, const std::string& checksum)
    : out_(std::move(out)), partial_(partial_of(out_)) {
  require_file_or_nothing("--out", out_);
  std::error_code ignored;
  const bool had_partial = fs::exists(partial_, ignored);
  open_partial();
  try {
    if (had_partial && starts_with(file_, bytes, checksum)) {
      kept_ = bytes;
    } else {
      copy_of_out(bytes, checksum);
    }
    if (ftruncate(file_, static_cast<off_t>(bytes)) != 0 || lseek(file_, 0, SEEK_END) < 0)
      fail(partial_, "cannot be cut to the rows of the checkpoint");
  } catch (...) {
    if (!had_partial) unlink(partial_.c_str());
    close_partial();
    throw;
  }
  written_ = bytes;
}

Rows::~Rows() {
  if (file_ < 0) return;
  if (kept_ == 0) {
    unlink(partial_.c_str());
  } else if (ftruncate(file_, static_cast<off_t>(kept_)) == 0) {
    fsync(file_);
  }
  close_partial();
}

void Rows::open_partial() {
  require_file_or_nothing("--out (its rows in progress)", partial_);
  while (true) {
    file_ = open(partial_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail(partial_, "cannot be written");
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      close_partial();
      throw ReportError(partial_.string() + ": is being written by another run");
    }
    // Between open and flock another run may have renamed this file: it is then no longer ours to write.
    struct stat locked {};
    struct stat named {};
    if (fstat(file_, &locked) == 0 && stat(partial_.c_str(), &named) == 0 && locked.st_ino == named.st_ino) return;
    close_partial();
  }
}

bool Rows::starts_with(int file, std::uintmax_t bytes, const std::string& checksum) {
  checksum_ = Checksum();
  bytes = for_each_block(file, bytes, [&](std::string_view block) {
    checksum_.add(block);
    return true;
  });
  return bytes == 0 && checksum_.text() == checksum;
}

void Rows::copy_of_out(std::uintmax_t bytes, const std::string& checksum) {
  const int file = open(out_.c_str(), O_RDONLY | O_CLOEXEC);
  // OUT.partial is not touched before it is known that OUT is the file.
  if (file < 0 || !starts_with(file, bytes, checksum)) {
    if (file >= 0) close(file);
    throw ReportError(out_.string() + ": the first " + std::to_string(bytes) +
                      " bytes of the rows that the checkpoint continues are neither in " + partial_.string() +
                      " nor in this file");
  }
  const bool copied = ftruncate(file_, 0) == 0 && lseek(file_, 0, SEEK_SET) == 0 &&
                      for_each_block(file, bytes, [&](std::string_view b) { return write_all(file_, b); }) == 0;
  const int error = errno;
  close(file);
  errno = error;
  if (!copied) fail(partial_, "cannot be written");
}

void Rows::append(std::string_view text) {
  checksum_.add(text);
  buffer_ += text;
  if (buffer_.size() >= 1 << 16) flush();
}

void Rows::flush() {
  if (!write_all(file_, buffer_)) fail(partial_, "cannot be written");
  written_ += buffer_.size();
  buffer_.clear();
}

void Rows::sync() {
  flush();
  if (fsync(file_) != 0) fail(partial_, "cannot be forced to the disk");
}

void Rows::deliver() {
  sync();
  if (std::rename(partial_.c_str(), out_.c_str()) != 0) fail(out_, "cannot be replaced");
  // The rename itself is to survive a power cut, where the file system allows it.
  const fs::path folder = out_.has_parent_path() ? out_.parent_path() : fs::path(".");
  if (const int directory = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); directory >= 0) {
    fsync(directory);
    close(directory);
  }
  // Only now: the lock keeps other runs away from the name until it is free.
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail(out_, "cannot be closed");
}

void Rows::close_partial() noexcept {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

void Rows::fail(const fs::path& path, const std::string& what) const {
  throw ReportError(path.string() + ": " + what + ": " + std::generic_category().message(errno));
}

void require_file_or_nothing(const std::string& option, const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    throw InvalidParameter(option, path.string(), "must name a regular file, not a folder or a device");
}

}  // namespace livi
