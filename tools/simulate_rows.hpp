// SPDX-License-Identifier: MIT
#pragma once

#include <livi/trajectory/checkpoint.hpp>

#include <filesystem>
#include <string>

namespace livi {

/// A file of rows that grows under a temporary name, OUT.partial, and is renamed to OUT when it is complete.
///
/// What a checkpoint counts on can be marked as kept: whatever happens afterwards (an error, a full disk), at least so
/// many bytes stay in OUT.partial, and no half-written row behind them. Nothing stays when nothing was marked. Only one
/// program at a time can write to OUT. Errors are thrown as ReportError with the system's reason.
class Rows {
 public:
  /// Starts afresh; what an interrupted run has left in OUT.partial is lost.
  explicit Rows(std::filesystem::path out);
  /// Continues after the first `bytes` bytes, which must have this checksum and be in OUT.partial or OUT.
  Rows(std::filesystem::path out, std::uintmax_t bytes, const std::string& checksum);
  ~Rows();
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void append(std::string_view text);
  /// Forces everything to the disk.
  void sync();
  /// What was forced to the disk is to survive this program.
  void keep() { kept_ = written_; }
  /// Forces everything to the disk and renames.
  void deliver();

  [[nodiscard]] std::uintmax_t bytes() const { return written_ + buffer_.size(); }
  [[nodiscard]] std::string checksum() const { return checksum_.text(); }
  [[nodiscard]] std::uintmax_t kept() const { return kept_; }
  [[nodiscard]] bool delivered() const { return file_ < 0; }
  [[nodiscard]] const std::filesystem::path& partial() const { return partial_; }
  static std::filesystem::path partial_of(const std::filesystem::path& out) { return out.string() + ".partial"; }

 private:
  void open_partial();
  void flush();
  void close_partial() noexcept;
  [[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) const;
  bool starts_with(int file, std::uintmax_t bytes, const std::string& checksum);
  void copy_of_out(std::uintmax_t bytes, const std::string& checksum);

  std::filesystem::path out_, partial_;
  int file_ = -1;
  std::string buffer_;
  std::uintmax_t written_ = 0, kept_ = 0;
  Checksum checksum_;
};

/// Throws InvalidParameter unless `path` can become a regular file: a folder, a device or a pipe cannot.
void require_file_or_nothing(const std::string& option, const std::filesystem::path& path);

}  // namespace livi
