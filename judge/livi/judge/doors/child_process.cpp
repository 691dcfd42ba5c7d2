// SPDX-License-Identifier: MIT
#include <livi/judge/doors/child_process.hpp>

#include <fcntl.h>
#include <poll.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <livi/judge/method/foreign_subject.hpp>
#include <livi/text/plain_text.hpp>

namespace livi {
namespace {

using Clock = std::chrono::steady_clock;

int (*interrupt_requested)() = nullptr;

void close_one(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

/// A pipe whose ends no other program inherits.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe(ends.data()) != 0) throw ForeignFailure(std::string("no pipe can be made: ") + std::strerror(errno));
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  ~Pipe() {
    for (int& end : ends) close_one(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int take(std::size_t end) { return std::exchange(ends[end], -1); }
};

}  // namespace

void ChildProcess::set_interrupt(int (*requested)()) { interrupt_requested = requested; }

ChildProcess::ChildProcess(std::vector<std::string> command, ChildLimits limits)
    : command_(std::move(command)), limits_(limits) {
  if (command_.empty()) throw ForeignFailure("no command was given");
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in, out, err, started;
  std::vector<char*> arguments;
  for (std::string& word : command_) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  [[maybe_unused]] const pid_t judge = ::getpid();
  const pid_t id = ::fork();
  if (id < 0) throw ForeignFailure(std::string("no process can be made: ") + std::strerror(errno));
  if (id == 0) {
    // Only functions that are safe after fork().
    ::setpgid(0, 0);
    std::signal(SIGPIPE, SIG_DFL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ}) std::signal(signal, SIG_DFL);
#ifdef __linux__
    // Also where the judge is killed.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != judge) ::_exit(127);
#endif
    if (::dup2(in.ends[0], 0) >= 0 && ::dup2(out.ends[1], 1) >= 0 && ::dup2(err.ends[1], 2) >= 0)
      ::execvp(arguments[0], arguments.data());
    const int reason = errno;
    static_cast<void>(!::write(started.ends[1], &reason, sizeof reason));
    ::_exit(127);
  }
  ::setpgid(id, id);  // in both processes, so that the group is there whoever runs first
  id_ = id;
  close_one(in.ends[0]);
  close_one(out.ends[1]);
  close_one(err.ends[1]);
  close_one(started.ends[1]);
  in_ = in.take(1);
  out_ = out.take(0);
  err_ = err.take(0);
  for (const int descriptor : {in_, out_, err_})
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  int reason = 0;
  ssize_t count = 0;
  do count = ::read(started.ends[0], &reason, sizeof reason);
  while (count < 0 && errno == EINTR);
  if (count > 0) {
    end();
    throw ForeignFailure("'" + command_.front() + "' cannot be started: " + std::strerror(reason));
  }
}

ChildProcess::~ChildProcess() { end(); }

void ChildProcess::close_all() noexcept {
  close_one(in_);
  close_one(out_);
  close_one(err_);
}

/// Ends the whole group and waits for the child. Returns how it ended, in words.
std::string ChildProcess::reap() noexcept {
  if (id_ == 0) return "";
  // Until it is waited for, the number of the child belongs to it, and so does that of its group.
  ::kill(-id_, SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  id_ = 0;
  if (WIFSIGNALED(status)) return std::string("by signal ") + std::to_string(WTERMSIG(status));
  return "with status " + std::to_string(WEXITSTATUS(status));
}

void ChildProcess::end() noexcept {
  close_all();
  reap();
}

void ChildProcess::fail(const std::string& what) {
  end();
  throw ForeignFailure(what);
}

/// Reads what there is; closes the descriptor at its end. Returns whether anything was read.
bool ChildProcess::read_some(int& descriptor, bool is_error) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count < 0) return false;  // nothing there, or a signal: the next turn sees it
  if (count == 0) {
    close_one(descriptor);
    return false;
  }
  const auto size = static_cast<std::size_t>(count);
  if (!is_error) {
    received_.append(buffer.data(), size);
    return true;
  }
  std::size_t& passed_on = *passed_on_;
  const std::size_t passed = std::min(size, limits_.error_bytes - std::min(limits_.error_bytes, passed_on));
  std::string text = plain_text({buffer.data(), passed}, "\n\t");
  if (passed_on < limits_.error_bytes && passed_on + size >= limits_.error_bytes)
    text += "\n[more of the method's error stream is dropped]\n";
  if (!text.empty()) static_cast<void>(!::write(2, text.data(), text.size()));
  passed_on += size;
  return true;
}

/// Returns whether a whole line has been received.
bool ChildProcess::has_line() {
  const bool found = received_.find('\n', scanned_) != std::string::npos;
  if (!found) scanned_ = received_.size();
  return found;
}

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid != 0;
}

void ChildProcess::pump(Wait until) {
  const double allowed = limits_.seconds * (until == Wait::line ? patience_ : 1);
  const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(allowed));
  const auto moment = Clock::now() + std::chrono::seconds(1);
  bool has_waited = false;
  while (true) {
    if (const int signal = interrupt_requested ? interrupt_requested() : 0; signal != 0)
      fail("the judgement was interrupted by signal " + std::to_string(signal) + " (" + ::strsignal(signal) +
           ") when the method was to answer " + quoted_text(request_));
    if (until == Wait::line) {
      if (has_line()) return;
      if (out_ >= 0 && !has_waited) {
        has_waited = true;
        wait_shortly_([&] { return read_some(out_, false) || out_ < 0; });
        if (has_line()) return;
      }
    }
    if (received_.size() > limits_.line_bytes)
      fail("the method wrote more than " + std::to_string(limits_.line_bytes) +
           " bytes without what was asked for: " + quoted_text(received_));
    if (until == Wait::output_taken && sent_.empty()) return;
    if (until == Wait::end && out_ < 0) return;
    if (until != Wait::end && out_ < 0) {
      // It has closed its output: dead, or about to be. A moment tells which, for the message's sake. Its input is open for
      // so long, whose end might be why it ends.
      bool dead = has_ended();
      for (int k = 0; k < 50 && !dead; dead = has_ended(), ++k) ::usleep(2000);
      close_all();
      const std::string how = reap();
      throw ForeignFailure((dead ? "the method ended " + how : "the method closed its output") +
                           " when it was to answer " + quoted_text(request_));
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(limit - Clock::now()).count();
    if (left <= 0) {
      if (until == Wait::end) return;
      // Until now what it has left behind may have answered in its place.
      if (has_ended()) {
        close_all();
        throw ForeignFailure("the method ended " + reap() + " when it was to answer " + quoted_text(request_) +
                             ", and left processes of its own behind");
      }
      std::string seconds = std::to_string(allowed);
      seconds.erase(seconds.find_last_not_of('0') + 1);
      if (seconds.back() == '.') seconds.pop_back();
      fail(until == Wait::line
               ? "the method did not answer " + quoted_text(request_) + " within " + seconds + " s" +
                     (heard_ || limits_.flushes || !received_.empty()
                          ? "; --time-limit allows more"
                          : "; does it flush its output after every line?") +
                     (received_.empty() ? "" : "; it wrote " + quoted_text(received_) + " without a line's end")
               : "the method did not read what was sent to it within " + seconds + " s");
    }
    std::array<pollfd, 3> polled{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0},
                                 pollfd{sent_.empty() ? -1 : in_, POLLOUT, 0}};
    // A signal between the question above and the wait would be seen only after it.
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(std::min<long long>(left + 1, 200)));
    if (until == Wait::end && ready == 0) {
      // A child that has ended while somebody else still holds its output has left that somebody behind. What a library has started, as
      // the daemon of MPI, may end a moment later.
      if (has_ended() && Clock::now() > moment) return;
    }
    if (polled[2].revents != 0) {
      const ssize_t count = ::write(in_, sent_.data(), sent_.size());
      if (count > 0) sent_.erase(0, static_cast<std::size_t>(count));
      // A method that reads no more has died, which its output will show, or will not answer.
      if (count < 0 && errno == EPIPE) sent_.clear();
    }
    if (polled[1].revents != 0) read_some(err_, true);
    if (polled[0].revents != 0) read_some(out_, false);
  }
}

void ChildProcess::send(const std::string& line) {
  request_ = line;
  send_answer(line);
}

void ChildProcess::send_answer(const std::string& line) {
  if (id_ == 0) throw ForeignFailure("the method has already been ended");
  if (!received_.empty())
    fail("the method wrote " + quoted_text(received_.substr(0, received_.find('\n'))) +
         " when nothing was asked of it; notes belong on the standard error stream");
  sent_ = line + "\n";
  const ssize_t count = ::write(in_, sent_.data(), sent_.size());
  if (count == static_cast<ssize_t>(sent_.size())) {
    sent_.clear();
    return;
  }
  if (count > 0) sent_.erase(0, static_cast<std::size_t>(count));
  if (count < 0 && errno == EPIPE) sent_.clear();
  pump(Wait::output_taken);
}

std::string ChildProcess::receive() {
  if (id_ == 0) throw ForeignFailure("the method has already been ended");
  scanned_ = 0;
  pump(Wait::line);
  const auto at = received_.find('\n');
  std::string line = received_.substr(0, at);
  received_.erase(0, at + 1);
  heard_ = true;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

void ChildProcess::finish() {
  if (id_ == 0) return;
  close_one(in_);
  sent_.clear();
  pump(Wait::end);
  const std::string more = received_;
  const bool open = out_ >= 0;
  const auto limit = Clock::now() + std::chrono::duration<double>(limits_.seconds);
  // Without a signal for it, the end of a child is asked for, every millisecond at first.
  for (int wait = 1; !open && !has_ended() && Clock::now() < limit; wait = std::min(2 * wait, 64))
    ::usleep(static_cast<useconds_t>(1000 * wait));
  const bool ended = has_ended();
  if (err_ >= 0) read_some(err_, true);
  if (!ended) fail("the method did not end when its input did");
  const int group = id_;
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  id_ = 0;
  // The group keeps its number as long as a process is in it.
  const bool left_behind = ::kill(-group, SIGKILL) == 0;
  close_all();
  // One that has died could not end its own.
  if (WIFSIGNALED(status))
    throw ForeignFailure("the method ended by signal " + std::to_string(WTERMSIG(status)) + " after its last answer");
  if (WEXITSTATUS(status) != 0)
    throw ForeignFailure("the method ended with status " + std::to_string(WEXITSTATUS(status)) +
                         " after its last answer");
  if (left_behind || open) throw ForeignFailure("the method left processes of its own behind");
  if (!more.empty())
    throw ForeignFailure("the method wrote " + quoted_text(more.substr(0, more.find('\n'))) + " after its last answer");
}

std::unique_ptr<LineChannel> ChildProcess::another() const {
  auto same = std::make_unique<ChildProcess>(command_, limits_);
  same->passed_on_ = passed_on_;
  return same;
}

}  // namespace livi
