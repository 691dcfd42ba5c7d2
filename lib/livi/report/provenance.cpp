// SPDX-License-Identifier: MIT
#include <livi/report/provenance.hpp>

#include <livi_build.hpp>

#include <gmp.h>
#include <gnu/libc-version.h>
#include <mpfr.h>
#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <thread>

namespace livi {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

std::string standard_library() {
#if defined(_LIBCPP_VERSION)
  return "libc++ " + std::to_string(_LIBCPP_VERSION);
#elif defined(__GLIBCXX__)
  return "libstdc++ " + std::to_string(__GLIBCXX__);
#else
  return "unknown";
#endif
}

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Sets output to that of git in `folder`, without its last newline; false if git is missing or refuses. The variables
/// that a git hook sets are unset, as they would point git at another repository, and the index is not locked by a
/// report.
bool git(const std::string& folder, const std::string& arguments, std::string& output) {
  const std::string command = "env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE git --no-optional-locks -C " +
                              shell_quoted(folder) + " " + arguments + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  output.clear();
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  const int status = pclose(pipe);
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return status == 0;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string joined;
  for (std::string argument; std::getline(file, argument, '\0');) {
    const bool plain = argument.find_first_of(" '\"\\$`\t\n*?;&|<>()") == std::string::npos && !argument.empty();
    joined += (joined.empty() ? "" : " ") + (plain ? argument : shell_quoted(argument));
  }
  return joined.empty() ? "unknown" : joined;
}

std::string date() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  if (gmtime_r(&now, &utc) == nullptr) return "unknown";
  std::array<char, 32> buffer{};
  std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return buffer.data();
}

}  // namespace

std::string probe_contraction() {
  // a * b = 1 - 2^-54 is rounded to 1 when the product is rounded on its own; a fused operation keeps the -2^-54.
  // volatile keeps the compiler from computing the answer itself, without rounding.
  volatile double a = 1.0 + 0x1p-27;
  volatile double b = 1.0 - 0x1p-27;
  volatile double c = -1.0;
  const double x = a;
  const double y = b;
  const double z = c;
  const double sum = x * y + z;
  return sum == 0 ? "off" : "on";
}

nlohmann::json commit_of(const std::filesystem::path& folder) {
  nlohmann::json result{{"commit", "unknown"}, {"dirty", "unknown"}};
  std::string output;
  std::error_code error;
  // A copy of the sources inside somebody else's repository has no commit of its own.
  if (!git(folder, "rev-parse --show-toplevel", output)) return result;
  if (!std::filesystem::equivalent(output, folder, error)) return result;
  if (!git(folder, "rev-parse HEAD", output)) return result;
  result["commit"] = output;
  if (git(folder, "status --porcelain", output)) result["dirty"] = !output.empty();
  return result;
}

nlohmann::json provenance(const std::map<std::string, std::uint64_t>& seeds) {
  nlohmann::json result;
  result["build_type"] = LIVI_BUILD_TYPE;
  result["command_line"] = command_line();
  result["compiler"] = compiler();
  result["contraction"] = probe_contraction();
  result["cpu"] = processor();
  result["date"] = date();
  result["flags"] = LIVI_COMPILER_FLAGS;
  result["libraries"] = {
      {"boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"glibc", gnu_get_libc_version()},
      {"gmp", gmp_version},
      {"livi", LIVI_VERSION},
      {"mpfr", mpfr_get_version()},
      {"nlohmann_json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"standard_library", standard_library()}};
  result["processors"] = std::thread::hardware_concurrency();
  result["seeds"] = nlohmann::json::object();
  for (const auto& [name, value] : seeds) result["seeds"][name] = value;
  result.update(commit_of(LIVI_SOURCE_FOLDER));
  return result;
}

}  // namespace livi
