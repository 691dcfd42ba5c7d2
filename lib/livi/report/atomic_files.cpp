// SPDX-License-Identifier: MIT
#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>

namespace livi {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
  throw ReportError(path.string() + ": " + what + ": " + std::generic_category().message(error));
}

/// A guard that delays the signals which would end the program between a temporary file and its renaming.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ}) sigaddset(&held, signal);
    sigset_t pending;
    sigpending(&pending);
    size_limit_was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &held, &previous_);
  }
  ~SignalsHeldBack() {
    // A write beyond the file-size limit has already been reported as an error. Its signal must not also end the
    // program.
    if (!size_limit_was_pending_) {
      sigset_t size_limit;
      sigemptyset(&size_limit);
      sigaddset(&size_limit, SIGXFSZ);
      const timespec now{0, 0};
      sigtimedwait(&size_limit, nullptr, &now);
    }
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t previous_{};
  bool size_limit_was_pending_ = false;
};

/// A file under a temporary name, which is removed unless it was renamed.
class Temporary {
 public:
  Temporary(const std::filesystem::path& path, const std::string& content)
      : target_(path),
        name_(path.parent_path() / ("." + path.filename().string() + "." + std::to_string(getpid()) + ".tmp")) {
    unlink(name_.c_str());  // left by a process of equal number that was killed
    const int file = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) fail(target_, "cannot be written", errno);
    exists_ = true;
    try {
      write_all(file, content);
      if (fsync(file) != 0) fail(target_, "cannot be forced to the disk", errno);
    } catch (...) {
      close(file);
      remove();
      throw;
    }
    if (close(file) != 0) {
      const int error = errno;
      remove();
      fail(target_, "cannot be closed", error);
    }
  }
  Temporary(Temporary&& other) noexcept
      : target_(std::move(other.target_)),
        name_(std::move(other.name_)),
        exists_(std::exchange(other.exists_, false)) {}
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary() { remove(); }

  void rename() {
    if (std::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, "cannot be replaced", errno);
    exists_ = false;
  }

 private:
  void write_all(int file, const std::string& content) const {
    const char* rest = content.data();
    std::size_t length = content.size();
    while (length > 0) {
      const ssize_t written = ::write(file, rest, length);
      if (written < 0) {
        if (errno == EINTR) continue;
        fail(target_, "cannot be written", errno);
      }
      rest += written;
      length -= static_cast<std::size_t>(written);
    }
  }
  void remove() noexcept {
    if (exists_) unlink(name_.c_str());
    exists_ = false;
  }

  std::filesystem::path target_;
  std::filesystem::path name_;
  bool exists_ = false;
};

/// Makes the renaming itself survive a power cut, where the file system allows it.
void force_folder(const std::filesystem::path& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace

std::filesystem::path end_of_links(std::filesystem::path path) {
  constexpr int most = 40;  // as Linux has it
  std::error_code error;
  for (int k = 0; k < most && std::filesystem::is_symlink(path, error); ++k)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  return path;
}

void AtomicFiles::commit() {
  const SignalsHeldBack held;
  std::vector<Temporary> temporaries;
  temporaries.reserve(files_.size());
  for (auto& [path, content] : files_) {
    path = end_of_links(path);
    if (!path.has_parent_path()) path = "." / path;
    const auto folder = path.parent_path();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw ReportError(folder.string() + ": cannot be made a folder: " + error.message());
    if (!std::filesystem::is_directory(folder, error)) throw ReportError(folder.string() + ": is not a folder");
    if (std::filesystem::is_symlink(path, error)) fail(path, "cannot be written", ELOOP);
    // A folder is found before anything is renamed: a rename over it would fail half-way through the set.
    if (std::filesystem::is_directory(path, error)) fail(path, "cannot be written", EISDIR);
    // A rename would put a file in the place of the device or pipe.
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
      throw ReportError(path.string() + ": is not a regular file; it is left as it is");
    temporaries.emplace_back(path, content);
  }
  for (Temporary& temporary : temporaries) temporary.rename();
  for (const auto& [path, content] : files_) force_folder(path.parent_path());
  files_.clear();
}

void write_file_atomically(const std::filesystem::path& path, const std::string& content) {
  AtomicFiles files;
  files.add(path, content);
  files.commit();
}

}  // namespace livi
