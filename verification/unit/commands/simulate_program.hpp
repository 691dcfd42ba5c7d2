// SPDX-License-Identifier: MIT
//
// livi-simulate, run as a user runs it, for tests of what it says and writes.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace livi::test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

inline void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

struct Result {
  int status;  ///< exit status; minus the signal that ended the program
  std::string out, error;
};

inline std::ostream& operator<<(std::ostream& stream, const Result& result) {
  return stream << "status " << result.status << "\n" << result.out << result.error;
}

/// Waits up to a minute, far longer than anything here takes on a busy machine.
inline bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class Simulate : public InFolder {
 protected:
  void SetUp() override { fs::create_directory(work()); }
  void TearDown() override {
    for (const pid_t child : running) {  // of a test that failed half-way
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }

  /// Where the program runs: everything it leaves is here.
  [[nodiscard]] fs::path work() const { return folder / "work"; }
  [[nodiscard]] std::string text(const std::string& file) const { return text_of(work() / file); }
  [[nodiscard]] bool has(const std::string& file) const { return fs::exists(work() / file); }
  [[nodiscard]] Words files() const {
    Words names;
    for (const auto& entry : fs::directory_iterator(work())) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Starts the program; `prepare` runs in the child.
  pid_t start(
      const Words& arguments, const std::function<void()>& prepare = [] {}) {
    const std::string program = std::string(LIVI_BINARY_FOLDER) + "/tools/livi-simulate";
    std::vector<const char*> argv{program.c_str()};
    for (const std::string& word : arguments) argv.push_back(word.c_str());
    argv.push_back(nullptr);
    const std::string out = (folder / "stdout").string(), error = (folder / "stderr").string();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process can be made");  // kill(-1) would end all others
    if (child != 0) {
      running.push_back(child);
      return child;
    }
    // A test that runs in the background of a script inherits ignored signals.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) std::signal(signal, SIG_DFL);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(error.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    if (chdir(work().c_str()) != 0) _exit(126);
    prepare();
    execv(program.c_str(), const_cast<char* const*>(argv.data()));
    _exit(127);
  }
  [[nodiscard]] Result finish(pid_t child) {
    int status = 0;
    running.erase(std::remove(running.begin(), running.end(), child), running.end());
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text_of(folder / "stdout"),
            text_of(folder / "stderr")};
  }
  Result run(
      const Words& arguments, const std::function<void()>& prepare = [] {}) {
    return finish(start(arguments, prepare));
  }

  std::vector<pid_t> running;
};

inline Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The numbers of the k-th row; row 0 is the first below the names.
inline std::vector<double> row_of(const std::string& csv, std::size_t k) {
  std::vector<double> numbers;
  std::istringstream stream(lines_of(csv).at(k + 1));
  for (std::string entry; std::getline(stream, entry, ',');) numbers.push_back(std::strtod(entry.c_str(), nullptr));
  return numbers;
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "'" << (part) << "' in: " << (text)

struct Refusal {
  std::string name;
  Words arguments;
  std::string message;  ///< after "livi-simulate: "
};

inline std::ostream& operator<<(std::ostream& stream, const Refusal& refusal) { return stream << refusal.name; }

/// The program, given what it refuses.
class SimulateRefuses : public Simulate, public testing::WithParamInterface<Refusal> {
 protected:
  /// Expects status 2 with the words of the refusal, and that nothing is left.
  void expect_refused(const Refusal& refusal) {
    // Not a device of the machine, which a broken program would replace.
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    write(folder / "file", "");
    Words arguments = refusal.arguments;
    if (std::find(arguments.begin(), arguments.end(), "--out") == arguments.end())
      arguments = arguments + Words{"--out", "out.csv", "--checkpoint", "out.checkpoint"};
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << result;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.error.find("livi-simulate: " + refusal.message), 0U) << result.error;
    EXPECT_EQ(files(), Words{}) << result;
  }
};

}  // namespace livi::test
