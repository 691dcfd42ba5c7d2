// SPDX-License-Identifier: MIT
//
// Where a report comes from: the machine, the compiler, the commit, and whether the tree was clean.
#include <gtest/gtest.h>

#include <linux/capability.h>
#include <sys/syscall.h>
#include <fstream>
#include <livi/report/provenance.hpp>
#include <nlohmann/json.hpp>

#include "report_files.hpp"

namespace provenance_test {

using namespace livi::test;
using nlohmann::json;

namespace fs = std::filesystem;

TEST(Provenance, has_what_the_contract_asks_for) {
  const json found = livi::provenance({{"a", 1}});
  for (const char* key :
       {"compiler", "flags", "contraction", "libraries", "commit", "dirty", "cpu", "seeds", "command_line", "date"}) {
    EXPECT_TRUE(found.contains(key)) << key;
  }
  EXPECT_NE(found["flags"].get<std::string>().find("-ffp-contract=off"), std::string::npos);
  EXPECT_NE(found["command_line"].get<std::string>().find(fs::read_symlink("/proc/self/exe").filename().string()),
            std::string::npos);
  EXPECT_EQ(found["libraries"]["eigen"].get<std::string>().substr(0, 2), "3.");
  EXPECT_TRUE(found["dirty"].is_boolean() || found["dirty"] == "unknown");
}

TEST(Provenance, asks_the_running_code_about_contraction) {
  // This program is compiled with -ffp-contract=off; were the probe computed by the compiler, or the flag lost, it
  // would say "on" on a processor with fused multiply-add and a build for it.
  EXPECT_EQ(livi::probe_contraction(), "off");
}

TEST_F(ReportFiles, provenance_tells_a_clean_tree_from_a_dirty_one) {
  const fs::path tree = folder / "tree";
  fs::create_directories(tree / "below");
  // Nothing that the user or the machine has configured takes part.
  const auto git = [&](const std::string& arguments) {
    const std::string command = "env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE HOME=" + folder.string() +
                                " GIT_CONFIG_NOSYSTEM=1 git -c user.name=a -c user.email=a@b -C " + tree.string() +
                                " " + arguments + " >/dev/null 2>&1";
    return std::system(command.c_str());
  };
  const json none{{"commit", "unknown"}, {"dirty", "unknown"}};
  EXPECT_EQ(livi::commit_of(tree), none) << "no repository";
  EXPECT_EQ(livi::commit_of(tree / "absent"), none);
  ASSERT_EQ(git("init"), 0);
  EXPECT_EQ(livi::commit_of(tree), none) << "nothing committed";
  std::ofstream(tree / "source.cpp") << "int main() {}\n";
  ASSERT_EQ(git("add source.cpp"), 0);
  ASSERT_EQ(git("commit -m first"), 0);
  const json clean = livi::commit_of(tree);
  EXPECT_EQ(clean["commit"].get<std::string>().size(), 40U) << clean;
  EXPECT_EQ(clean["dirty"], false);
  EXPECT_EQ(livi::commit_of(tree / "below"), none) << "inside a repository, but not its top";

  std::ofstream(tree / "source.cpp") << "int main() { return 1; }\n";
  const json changed = livi::commit_of(tree);
  EXPECT_EQ(changed["commit"], clean["commit"]);
  EXPECT_EQ(changed["dirty"], true);
  ASSERT_EQ(git("commit -a -m second"), 0);
  EXPECT_NE(livi::commit_of(tree)["commit"], clean["commit"]);
  EXPECT_EQ(livi::commit_of(tree)["dirty"], false);
  std::ofstream(tree / "new.cpp") << "";
  EXPECT_EQ(livi::commit_of(tree)["dirty"], true) << "a file that is not committed may have been compiled";
}

TEST(Provenance, is_not_misled_by_the_variables_of_a_git_hook) {
  const json before = livi::provenance({});
  setenv("GIT_DIR", "/nonexistent", 1);
  const json inside = livi::provenance({});
  unsetenv("GIT_DIR");
  EXPECT_EQ(before["commit"], inside["commit"]);
}

TEST(Provenance, survives_without_git) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const json found = livi::provenance({});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(found["commit"], "unknown");
  EXPECT_EQ(found["dirty"], "unknown");
}

}  // namespace provenance_test
