// SPDX-License-Identifier: MIT
//
// A client that ends in the midst of a line of its own, wherever a test wants it to. All processes of one judgement count
// their lines together, on a page of memory, so that any line of the whole conversation can be the last one.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <streambuf>
#include <string>

namespace livi::test {

/// What the processes of one judgement know of each other.
struct SharedPage {
  std::atomic<long> lines;      ///< written by all of them; the goodbye of the first one counts as one
  std::atomic<int> processes;   ///< that have begun
  std::atomic<int> of_its_own;  ///< processes that these have started
  std::atomic<int> deaths;
  std::atomic<int> in_a_session;  ///< the process that was started last in a session of its own
};

/// Maps the page of a descriptor.
inline SharedPage* shared_page(int descriptor) {
  void* const page = ::mmap(nullptr, sizeof(SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return page == MAP_FAILED ? nullptr : static_cast<SharedPage*>(page);
}

/// The standard output of such a client. It writes whole lines, but for the last one.
class MortalOutput final : public std::streambuf {
 public:
  enum How { killed, crashed, exited, closed };
  static constexpr int status = 3;  ///< that with which it exits

  /// Dies in the line `last` of all, counted from zero, after a share of it from 0 to 1.
  MortalOutput(SharedPage* page, long last, double share, How how)
      : page_(page), last_(last), share_(share), how_(how), is_first_(page->processes++ == 0) {
    the = this;
  }
  static void say_goodbye() {
    if (the->is_first_ && the->page_->lines++ == the->last_) the->die();
  }

 protected:
  int_type overflow(int_type c) override {
    line_ += traits_type::to_char_type(c);
    if (line_.back() != '\n') return c;
    if (page_->lines++ == last_) {
      auto written = static_cast<std::size_t>(share_ * static_cast<double>(line_.size() + 1));
      // Nobody would notice the death of another process than the first after its last answer.
      if (!is_first_ && written == line_.size()) --written;
      write(written);
      die();
    }
    write(line_.size());
    line_.clear();
    return c;
  }

 private:
  void write(std::size_t size) const {
    if (::write(1, line_.data(), size) != static_cast<ssize_t>(size)) std::_Exit(0);
  }
  [[noreturn]] void die() const {
    ++page_->deaths;
    if (how_ == exited) std::_Exit(status);
    std::signal(SIGSEGV, SIG_DFL);
    if (how_ == killed) ::kill(::getpid(), SIGKILL);
    if (how_ == crashed) ::kill(::getpid(), SIGSEGV);
    ::close(1);
    while (true) ::pause();
  }

  inline static MortalOutput* the = nullptr;
  SharedPage* page_;
  long last_;
  double share_;
  How how_;
  bool is_first_;
  std::string line_;
};

/// Starts a process of its own that outlives the client: in its group, without its descriptors; or in a session of its
/// own, where the judge cannot find it.
inline void start_a_process(SharedPage* page, bool in_a_session_of_its_own) {
  ++page->of_its_own;
  page->in_a_session = 0;
  const pid_t id = ::fork();
  if (id < 0) std::_Exit(1);
  if (id > 0) {
    // The judge may end the whole group at any time: until the session is there, the process would be part of it.
    while (in_a_session_of_its_own && page->in_a_session == 0) ::usleep(100);
    return;
  }
  if (in_a_session_of_its_own) page->in_a_session = ::setsid();
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::close(descriptor);
  while (true) ::pause();
}

/// Makes this process one that dies: `dies DESCRIPTOR LINE SHARE HOW PROCESS`, the last one 0 for no process of its own,
/// 1 for one, 2 for one in a session of its own.
inline void become_mortal(int argc, char** argv) {
  SharedPage* const page = argc == 7 ? shared_page(std::atoi(argv[2])) : nullptr;
  if (!page) std::_Exit(1);
  if (const int process = std::atoi(argv[6]); process != 0) start_a_process(page, process == 2);
  static MortalOutput output(page, std::atol(argv[3]), std::atof(argv[4]),
                             static_cast<MortalOutput::How>(std::atoi(argv[5])));
  std::cout.rdbuf(&output);
}

}  // namespace livi::test
