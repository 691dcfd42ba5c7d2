// SPDX-License-Identifier: MIT
//
// Reports that cannot be written: folders that are not there or closed, full disks, interruptions. What was there
// before stays.
#include <gtest/gtest.h>

#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <fstream>
#include <livi/report/atomic_files.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>
#include <nlohmann/json.hpp>

#include "report_files.hpp"
#include "verification/support/text_of.hpp"

namespace report_disk_test {

using namespace livi::test;
using livi::Report;
using livi::ReportError;
using livi::test::text_of;
using nlohmann::json;

namespace fs = std::filesystem;

TEST_F(ReportFiles, series_beside_a_report_are_checked) {
  const fs::path path = good_report().write(folder);
  const json report = livi::read_report(path);
  const fs::path csv = folder / "sample.row.csv";
  const auto error_with = [&](const std::string& text) {
    std::ofstream(csv) << text;
    return error_of([&] { livi::check_series(report, path); });
  };
  EXPECT_EQ(error_with("t,x2\n0,1\n0.1,0.3\n"), "");
  EXPECT_NE(error_with("t,x1\n0,1\n0.1,0.3\n").find("line 1"), std::string::npos);
  EXPECT_NE(error_with("t,x2\n0,1\n").find("1 rows"), std::string::npos);
  EXPECT_NE(error_with("t,x2\n0,1\n0.1\n").find("line 3"), std::string::npos);
  EXPECT_NE(error_with("t,x2\n0,1\n0.1,nan\n").find("line 3"), std::string::npos);
  fs::remove(csv);
  EXPECT_NE(error_of([&] { livi::check_series(report, path); }).find("sample.row.csv"), std::string::npos);
}

TEST_F(ReportFiles, an_impossible_folder_is_named_with_the_reason) {
  std::ofstream(folder / "file") << "in the way";
  const auto message = error_of([&] { good_report().write(folder / "file" / "results"); });
  EXPECT_NE(message.find((folder / "file").string()), std::string::npos) << message;
  EXPECT_NE(message.find("Not a directory"), std::string::npos) << message;
}

TEST_F(ReportFiles, an_unwritable_folder_is_named_with_the_reason) {
  // Permissions do not bind the superuser with capabilities, which anybody may give up.
  const auto give_up_capabilities = [] {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    return syscall(SYS_capset, &header, none) == 0;
  };
  const fs::path closed = folder / "closed";
  fs::create_directory(closed);
  fs::permissions(closed, fs::perms{0555});
  const bool refused = in_another_process([&] {
    if (!give_up_capabilities()) return false;
    const auto message = error_of([&] { good_report().write(closed); });
    return message.find((closed / "sample.row.csv").string()) != std::string::npos &&
           message.find("Permission denied") != std::string::npos;
  });
  EXPECT_TRUE(refused);
  EXPECT_EQ(entries(closed), 0U);
}

TEST_F(ReportFiles, a_file_in_the_place_of_a_series_leaves_the_previous_report_intact) {
  good_report().write(folder);
  const std::string before = text_of(folder / "sample.json");
  Report changed = good_report();
  changed.series("zzz", {{"t", "s"}}, {{1.0}});
  fs::create_directory(folder / "sample.zzz.csv");
  EXPECT_NE(error_of([&] { changed.write(folder); }).find("sample.zzz.csv"), std::string::npos);
  EXPECT_EQ(text_of(folder / "sample.json"), before);
  EXPECT_EQ(entries(folder), 3U) << "json, csv and the folder in the way, but no temporary";
}

/// A report whose series alone is larger than the space that the tests leave.
Report large_report() {
  Report report = good_report();
  report.series("large", {{"t", "s"}}, std::vector<std::vector<double>>(20000, {0.12345678901234567}));
  return report;
}

TEST_F(ReportFiles, a_pipe_is_refused_and_stays_a_pipe) {
  const fs::path pipe = folder / "sample.json";
  fs::create_directories(folder);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { livi::write_file_atomically(pipe, "text"); }),
            pipe.string() + ": is not a regular file; it is left as it is");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(ReportFiles, a_full_disk_leaves_the_previous_report_intact) {
  good_report().write(folder);
  const std::string before = text_of(folder / "sample.json");
  // A limit on file sizes makes write() fail as a full disk does, without the rights to mount one.
  const bool refused = in_another_process([&] {
    const rlimit limit{65536, 65536};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    const auto message = error_of([&] { large_report().write(folder); });
    return message.find((folder / "sample.large.csv").string()) != std::string::npos &&
           message.find("File too large") != std::string::npos;
  });
  EXPECT_TRUE(refused) << "the write must end with ReportError, not with a signal";
  EXPECT_EQ(text_of(folder / "sample.json"), before);
  EXPECT_EQ(entries(folder), 2U) << "no temporary may remain";
}

TEST_F(ReportFiles, a_full_file_system_leaves_the_previous_report_intact) {
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  // Only the superuser may mount; the test above covers everybody else, and what follows then runs on a disk that is
  // not full.
  const bool mounted = mount("livi", disk.c_str(), "tmpfs", 0, "size=64k") == 0;
  good_report().write(disk);
  const std::string before = text_of(disk / "sample.json");
  const auto message = error_of([&] { large_report().write(disk); });
  const std::string after = text_of(disk / "sample.json");
  const std::size_t files = entries(disk);
  if (mounted) {
    umount(disk.c_str());
    EXPECT_NE(message.find((disk / "sample.large.csv").string()), std::string::npos) << message;
    EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
    EXPECT_EQ(after, before);
    EXPECT_EQ(files, 2U) << "no temporary may remain";
  } else {
    EXPECT_EQ(message, "");
    EXPECT_EQ(files, 3U);
  }
}

TEST_F(ReportFiles, an_interrupted_write_leaves_whole_files_of_one_set) {
  // The child does nothing but write sets of two files with one letter each; the signal comes at a different moment
  // each time.
  const auto write_set = [&](char letter) {
    livi::AtomicFiles files;
    files.add(folder / "a.csv", std::string(1 << 20, letter));
    files.add(folder / "b.json", std::string(1 << 20, letter));
    files.commit();
  };
  write_set('-');
  int changed = 0;
  constexpr int rounds = 40;
  for (int round = 0; round < rounds; ++round) {
    const std::string before = text_of(folder / "a.csv");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (char letter = 'a';; letter = letter == 'z' ? 'a' : static_cast<char>(letter + 1)) write_set(letter);
    }
    usleep(3000 + 1700 * static_cast<useconds_t>(round));
    // On a slow disk none of these times may have been enough: the last signal waits for a whole write, up to a minute.
    for (int i = 0; round == rounds - 1 && changed == 0 && i < 6000 && text_of(folder / "a.csv") == before; ++i)
      usleep(10000);
    kill(child, SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    const std::string csv = text_of(folder / "a.csv");
    ASSERT_EQ(csv.size(), std::size_t{1} << 20);
    EXPECT_EQ(csv, std::string(csv.size(), csv.front()));
    EXPECT_TRUE(text_of(folder / "b.json") == csv) << "the two files are of different sets";
    EXPECT_EQ(entries(folder), 2U) << "no temporary may remain";
    changed += csv != before ? 1 : 0;
  }
  EXPECT_GT(changed, 0) << "no write was ever finished: the test has tested nothing";
}

}  // namespace report_disk_test
