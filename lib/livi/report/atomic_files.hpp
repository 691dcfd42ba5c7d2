// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace livi {

/// Returns the file that a path names: the end of its symbolic links, whether or not that exists.
std::filesystem::path end_of_links(std::filesystem::path path);

/// A set of files that are written whole or not at all.
///
/// commit() first writes every file under a temporary name in its own folder and forces it to the disk. Only when all
/// of them are there are they renamed, in the order in which they were added. A full disk, a folder that cannot be made
/// or written, or any other error throws ReportError with the file and the system's reason, removes the temporary
/// files, and leaves the previous files as they were. Signals that would end the program (interrupt, terminate,
/// hang-up, file-size limit) wait until commit() is over.
class AtomicFiles {
 public:
  void add(std::filesystem::path path, std::string content) {
    files_.emplace_back(std::move(path), std::move(content));
  }

  /// Makes missing folders, then writes all files. A symbolic link stays: the file that it names is written. May be called once.
  void commit();

 private:
  std::vector<std::pair<std::filesystem::path, std::string>> files_;
};

/// Writes a single file whole or not at all, as AtomicFiles does.
void write_file_atomically(const std::filesystem::path& path, const std::string& content);

}  // namespace livi
