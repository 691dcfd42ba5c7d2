// SPDX-License-Identifier: MIT
//
// The specifications of figures: livi-plot says in one line what is wrong with one, and draws nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "plot_program.hpp"

namespace specification_test {

using namespace livi::test;

class Specification : public Plot {
 protected:
  void SetUp() override {
    Plot::SetUp();
    fs::create_directories(folder / "plots");
    for (const char* name : {"to14.json", "bos09.json", "bo07.json", "cs101.json"})
      fs::copy_file(fs::path(LIVI_SOURCE_FOLDER) / "plots" / name, folder / "plots" / name);
  }

  /// What livi-plot says where a text of TO14's specification is another.
  std::string said(const std::string& from, const std::string& to, const std::string& figure = "fig02") const {
    const fs::path file = folder / "plots/to14.json";
    const std::string good = text_of(file);
    const auto at = good.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    std::ofstream(file) << std::string(good).replace(at, from.size(), to);
    const auto [status, output] = plot(figure, "PATH=" + figures_folder.string() + ":$PATH", options());
    std::ofstream(file) << good;
    EXPECT_EQ(status, 2) << output;
    EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 1) << output;
    return replaced(output, file.string(), "to14.json");
  }

  std::string options() const { return "--specifications " + (folder / "plots").string(); }
};

TEST_F(Specification, that_is_wrong_is_refused_with_value_and_allowed_values) {
  const std::string panel =
      "livi-plot: to14.json: figure \"fig02\": panel \"(a) omega^2 |g| of Zhang-Skeel, h = 0.01, "
      "beta = 0.4\": ";
  const std::string first = R"("title": "(a) omega^2 |g| of)", curve = R"({"title": "mean, at q = )";
  const auto with = [](std::string member, const std::string& before) { return "{" + member + ", " + before; };
  EXPECT_EQ(said(R"("y_range": [0.5, 1000])", R"("y_range": [1])"), panel + "y_range = [1]: must be [low, high]\n");
  EXPECT_EQ(said(first, R"("x_range": [2, 1], )" + first), panel + "x_range = [2,1]: must be [low, high]\n");
  EXPECT_EQ(said(first, R"("clip": 1, )" + first), panel + "clip = 1: must be true or false\n");
  EXPECT_EQ(said(R"("series": "constraints")", R"("series": 7)"), panel + "series = 7: must be a text\n");
  EXPECT_EQ(said(first, R"("width": "wide", )" + first), panel + "width = \"wide\": must be a number\n");
  EXPECT_EQ(said(first, R"("thin": "few", )" + first), panel + "thin = \"few\": must be a number of points\n");
  EXPECT_EQ(said(first, R"("x_rnage": [1, 2], )" + first).substr(0, panel.size() + 42),
            panel + "has a member 'x_rnage'; allowed are above,");
  EXPECT_EQ(said(curve, R"("others", )" + curve),
            panel + "curves = \"others\": must be an object or the name of a list of the figure\n");
  EXPECT_EQ(said(curve, with(R"("bars": "two")", curve.substr(1))),
            panel + "curve: bars = \"two\": must be a number\n");
  EXPECT_EQ(said(curve, with(R"("where": ["n", 1])", curve.substr(1))),
            panel + "curve: where = [\"n\",1]: must be [column, from, below]\n");
  EXPECT_EQ(said(curve, with(R"("circle": [0, 1])", curve.substr(1))),
            panel + "curve: circle = [0,1]: must be [x, y, radius, sides]\n");
  EXPECT_EQ(said(curve, with(R"("change": "risne")", curve.substr(1))),
            panel +
                "curve: change = \"risne\": must be one of cumulative, difference, high_difference, low_difference, "
                "omega, risen\n");
  EXPECT_EQ(
      said(R"("colour": "blue", "y": "mean_q")", R"("colour": "red", "y": "mean_q")"),
      panel +
          "curve: colour = \"red\": must be one of black, blue, green, grey, orange, purple, sky_blue, vermilion, "
          "yellow\n");
}

TEST_F(Specification, of_a_figure_needs_name_finding_and_report) {
  EXPECT_NE(said(R"("name": "fig02", )", "").find("has no name or no experiment"), std::string::npos);
  EXPECT_NE(said(R"("name": "fig02")", R"("name": "fig02b")").find("needs a finding"), std::string::npos);
  EXPECT_NE(said(R"("experiment": "fig02_)", R"("finding": ["two"], "experiment": "fig02_)").find("needs a finding"),
            std::string::npos);
  EXPECT_NE(said(R"("experiment": "fig02_)", R"("finding": 2, "experiment": "fig02_)")
                .find("finding = 2: must be [sentence, measurement or claim, ...]"),
            std::string::npos);
  EXPECT_NE(said(R"("name": "fig02")", R"("name": "fig02", "name": "fig02")")
                .find("to14.json: has \"name\" twice in one object"),
            std::string::npos);
  EXPECT_NE(said("[\n {", "{\n {").find("is not a list of figures"), std::string::npos);
  fs::remove(folder / "plots/bo07.json");
  EXPECT_NE(plot("fig02", "", options()).second.find("bo07.json: cannot be read"), std::string::npos);
  std::ofstream(folder / "plots/bo07.json") << "[]\n";
  EXPECT_NE(
      plot("fig02", "", options()).second.find("bo07.json: has no figure 'constrained_sampling', for which there is"),
      std::string::npos);
}

TEST_F(Specification, that_leaves_no_point_or_a_point_without_its_error_is_refused) {
  write_made_up_reports(results);
  const std::string shake = R"("series": "shake", "y": "temperature")";
  EXPECT_EQ(said(shake, shake + R"(, "where": ["h", 0, 1])", "water_temperature"),
            "livi-plot: panel 'Z&Ss with beta = 1/4, 8 seeds; bars: two standard errors': curve 'SHAKE, all': some of "
            "its points have no error\n");
  EXPECT_EQ(said(R"("above": 1e-17},)", R"("above": 1e17},)", "fig06"),
            "livi-plot: fig06: panel 'Linear momentum': there is nothing to draw\n");
  EXPECT_EQ(said(R"("finding": ["At omega = 500)", R"("finding": ["{} At omega = 500)", "fig05").substr(0, 50),
            "livi-plot: a sentence without enough numbers: {} A");
}

}  // namespace specification_test
