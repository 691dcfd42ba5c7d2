// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace livi::test {

/// The path of a new empty folder. Throws std::runtime_error with the reason if there is none.
inline std::filesystem::path new_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "livi_test.XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("no folder " + pattern + ": " + std::strerror(errno));
  return pattern;
}

/// A test with an empty folder of its own, removed after it.
class InFolder : public testing::Test {
 protected:
  InFolder() : folder(new_folder()) {}
  ~InFolder() override { std::filesystem::remove_all(folder); }

  const std::filesystem::path folder;
};

}  // namespace livi::test
