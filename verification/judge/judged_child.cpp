// SPDX-License-Identifier: MIT
//
// A client of the protocol in docs/protocol.md for the tests of the judge: `judged_child HABIT`. It is a velocity
// Verlet that knows every request, and breaks the protocol in one way. `judged_child dies ...` ends where it is told to
// (mortal_child.hpp).
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "verification/judge/mortal_child.hpp"

namespace {

std::string habit;

bool has_habit(const char* name) { return habit == name; }

void write_hex(std::ostream& out, double x) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), " %a", x);
  out << text.data();
}

std::vector<double> numbers_of(std::istringstream& words) {
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return numbers;
}

std::vector<double> gradient(const std::vector<double>& q, double t) {
  if (has_habit("notes_on_output")) std::cout << "now computing a force\n";
  std::cout << "gradient";
  for (const double x : q) write_hex(std::cout, x);
  write_hex(std::cout, t);
  std::cout << std::endl;
  std::string line, word;
  if (!std::getline(std::cin, line)) std::exit(0);
  std::istringstream words(line);
  words >> word;
  return numbers_of(words);
}

/// Never returns.
void hang() {
  while (true) ::pause();
}

/// The factor of velocities.
double speed(std::size_t n) { return has_habit("is_slow_in_fives") && n % 5 == 0 ? 0x3ffp-10 : 1; }

/// What it does instead of a step, if it has a habit of that kind.
void misbehave() {
  static int requests = 0;
  const bool is_late = ++requests == 2000;
  if (has_habit("hangs_late") && is_late) {
    std::cerr << "hanging" << std::endl;
    hang();
  }
  if (has_habit("hangs_at_step")) hang();
  if (has_habit("ends_at_step")) std::exit(3);
  if (has_habit("ends_at_step_and_leaves_a_child")) {
    if (::fork() == 0) hang();
    std::exit(7);
  }
  if (has_habit("ends_at_gradient")) {
    gradient({0, 0, 0}, 0);
    std::exit(3);
  }
  if (has_habit("crashes_at_step") || (has_habit("crashes_late") && is_late)) std::abort();
  if (has_habit("writes_without_end"))
    while (true) std::cout << "state 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 " << std::flush;
  if (has_habit("asks_without_end"))
    while (true) gradient({0, 0, 0}, 0);
  if (has_habit("asks_for_noise")) std::cout << "noise 2" << std::endl;
  if (has_habit("asks_for_a_constraint")) std::cout << "constraint 0 0 0" << std::endl;
  if (has_habit("asks_for_a_torque")) std::cout << "torque 0 0 0" << std::endl;
  if (has_habit("writes_a_long_number")) std::cout << "state " << std::string(30000, '1') << " 2 3 4 5 6" << std::endl;
  if (has_habit("commands_the_terminal")) {
    std::cerr << "\x1b[2J\xc2\x9b"
              << "2J\xe2\x80\xaeover\a\xff" << std::endl;
  }
  if (has_habit("answers_nonsense")) std::cout << "Traceback (most recent call last):" << std::endl;
  if (has_habit("answers_an_empty_line")) std::cout << std::endl;
  if (has_habit("answers_too_few")) std::cout << "state 0x1p+0" << std::endl;
  if (has_habit("answers_no_number")) std::cout << "state 1 2 3 4 5 six" << std::endl;
  if (has_habit("asks_with_too_many")) std::cout << "gradient 1 2 3 4 5 6 7" << std::endl;
  if (has_habit("closes_output")) {
    ::close(1);
    hang();
  }
  if (has_habit("closes_output_and_reads_on")) ::close(1);
}

/// The answer to the hello of the judge.
void greet() {
  if (has_habit("hangs_at_hello")) hang();
  if (has_habit("greets_otherwise")) {
    std::cout << "Python 3.11.2 on linux" << std::endl;
  } else if (has_habit("speaks_another_version")) {
    std::cout << "livi 2 order=2" << std::endl;
  } else if (has_habit("declares_nonsense")) {
    std::cout << "livi 1 order=fourth" << std::endl;
  } else if (has_habit("dies")) {
    std::cout << "livi 1 form=hex" << std::endl;
  } else if (has_habit("commands_the_terminal")) {
    std::cout << "livi 1 name=\"\xc2\x9b"
              << "2J\xe2\x80\xae\" order=2" << std::endl;
  } else if (has_habit("declares_too_much")) {
    std::cout << "livi 1 name=Verlet order=3 symplectic=yes" << std::endl;
  } else {
    std::cout << "livi 1 name=\"velocity Verlet\" source=\"Verlet 1967\" order=2 symplectic=yes symmetric=yes "
                 "momentum=linear,angular gradients=2 stability=2 form=hex kinds=mechanical,timed"
              << std::endl;
  }
}

/// Starts the processes that a habit leaves behind.
void leave_processes() {
  if (has_habit("leaves_a_child_behind") && ::fork() == 0) {
    for (int descriptor = 0; descriptor < 3; ++descriptor) ::close(descriptor);
    hang();
  }
  if (has_habit("leaves_a_child_with_its_output") && ::fork() == 0) hang();
  if (const pid_t parent = ::getpid(); has_habit("leaves_a_daemon_for_a_moment") && ::fork() == 0) {
    ::setsid();
    while (::getppid() == parent) ::usleep(10000);
    ::usleep(400000);
    ::_exit(0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  habit = argc > 1 ? argv[1] : "behaves";
  std::vector<double> m, q, p;
  double t = 0;
  std::size_t n = 0;
  if (has_habit("dies")) livi::test::become_mortal(argc, argv);
  if (has_habit("floods_errors"))
    for (int k = 0; k < 100000; ++k) std::cerr << "warning: deprecated\n";
  leave_processes();
  std::string line;
  while (std::getline(std::cin, line)) {
    if (has_habit("reads_no_more") && line.rfind("problem", 0) == 0) hang();
    std::istringstream words(line);
    std::string request;
    words >> request;
    if (request == "livi") {
      greet();
    } else if (request == "problem") {
      std::string numbers, kind;
      words >> numbers >> kind >> n;
      m = numbers_of(words);
      // One degree of freedom, few steps at once and one question for each: a short conversation.
      std::cout << (has_habit("dies") && n > 1 ? "unsupported" : "ok") << std::endl;
    } else if (request == "start" || request == "restore") {
      const std::vector<double> x = numbers_of(words);
      t = x.at(0);
      q.assign(x.begin() + 1, x.begin() + 1 + static_cast<std::ptrdiff_t>(n));
      p.assign(x.begin() + 1 + static_cast<std::ptrdiff_t>(n), x.end());
      std::cout << "ok" << std::endl;
      if (has_habit("writes_unasked")) std::cout << "progress: 10 %" << std::endl;
    } else if (request == "step") {
      std::string size;
      long count = 0;
      words >> size >> count;
      misbehave();
      if (has_habit("fails_its_steps") || (has_habit("dies") && count > 16)) {
        std::cout << "failed no convergence after 50 iterations" << std::endl;
        continue;
      }
      if (has_habit("commands_the_terminal")) {
        std::cout << "failed \xc2\x9b]0;title\xe2\x80\xae\xff" << std::endl;
        continue;
      }
      const double h = std::strtod(size.c_str(), nullptr);
      for (long k = 0; k < count; ++k) {
        static int slow_steps = has_habit("begins_slowly") ? 12 : 0;
        if (slow_steps-- > 0) ::usleep(20000);
        std::vector<double> g = gradient(q, t);
        for (std::size_t i = 0; i < n; ++i) p[i] -= h / 2 * g[i];
        for (std::size_t i = 0; i < n; ++i) q[i] += speed(n) * h * (p[i] / m[i]);
        t += h;
        if (!has_habit("dies")) g = gradient(q, t);
        for (std::size_t i = 0; i < n; ++i) p[i] -= h / 2 * g[i];
      }
      std::cout << "state";
      for (const auto* x : {&q, &p})
        for (const double entry : *x) write_hex(std::cout, entry);
      std::cout << std::endl;
    } else if (request == "save") {
      std::cout << "saved";
      write_hex(std::cout, t);
      for (const auto* x : {&q, &p})
        for (const double entry : *x) write_hex(std::cout, has_habit("saves_too_few_bits") ? float(entry) : entry);
      std::cout << std::endl;
    } else if (request == "bye") {
      if (has_habit("dies")) livi::test::MortalOutput::say_goodbye();
      if (has_habit("says_more")) std::cout << "one more thing" << std::endl;
      if (has_habit("ends_with_status_3")) return 3;
      if (has_habit("does_not_end")) hang();
      return 0;
    } else {
      std::cout << "unsupported" << std::endl;
    }
  }
  if (has_habit("does_not_end")) hang();
}
