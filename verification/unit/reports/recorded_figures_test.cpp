// SPDX-License-Identifier: MIT
//
// What every figure draws of made-up reports, in the words of figures/drawn.txt: titles, axes, legends, looks, and each
// curve by its number of points, its ends, its extremes and a sum.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "plot_program.hpp"

namespace recorded_figures_test {

using namespace livi::test;

const std::string update =
    "LIVI_UPDATE_FIGURES=1 build/release/verification/unit/unit_pages --gtest_filter='*recorded*'";

/// The first line in which the texts differ by more than round-off of their numbers; empty if there is none.
std::string first_difference(const std::string& is, const std::string& was) {
  std::istringstream new_lines(is), old_lines(was);
  std::string one, other;
  for (int number = 1;; ++number) {
    const bool more = static_cast<bool>(std::getline(new_lines, one));
    const bool old_more = static_cast<bool>(std::getline(old_lines, other));
    if (!more && !old_more) return "";
    const auto apart = [](std::string line) {
      for (char& c : line) c = std::strchr("[]:,", c) != nullptr ? ' ' : c;
      return line;
    };
    std::istringstream words(apart(one)), old_words(apart(other));
    std::string word, old_word;
    bool same = more == old_more;
    while (same && words >> word) {
      same = static_cast<bool>(old_words >> old_word);
      if (!same || word == old_word) continue;
      char *end = nullptr, *old_end = nullptr;
      const double value = std::strtod(word.c_str(), &end), old_value = std::strtod(old_word.c_str(), &old_end);
      // Round-off in logarithms and sines of another mathematical library; the numbers are written with 6 digits or
      // more.
      same = *end == '\0' && *old_end == '\0' && std::abs(value - old_value) <= 1e-5 * std::abs(old_value);
    }
    if (!same || old_words >> old_word)
      return "line " + std::to_string(number) + " is\n  " + one + "\nand was\n  " + other + "\n";
  }
}

/// `text` with the numbers that have an exponent in six digits.
std::string in_six_digits(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_not_of("-0123456789.e+", at), text.size());
    const std::string word = text.substr(at, end - at);
    char number[32] = "";
    if (word.size() > 20 && word.find("e") != std::string::npos)
      std::snprintf(number, sizeof number, "%.6g", std::stod(word));
    result += number[0] == '\0' ? word : number;
    if (end < text.size()) result += text[end];
    at = end + 1;
  }
  return result;
}

/// Points of one curve, or of several that look alike and have no title.
struct Drawn {
  std::string look;
  std::size_t curves = 0;
  std::vector<std::pair<double, double>> points = {};
};

std::string described(const Drawn& drawn) {
  double least = drawn.points[0].second, most = least, sum = 0, size = 0;
  for (std::size_t i = 0; i < drawn.points.size(); ++i) {
    const auto [x, y] = drawn.points[i];
    least = std::min(least, y);
    most = std::max(most, y);
    size = std::max({size, std::abs(x), std::abs(y)});
    // Each point has a weight, and x another one than y.
    sum += (1 + static_cast<double>(i % 7)) * (std::abs(x) + 1.7 * std::abs(y));
  }
  // What is zero but for round-off differs from one mathematical library to the next.
  const auto rounded = [&](double value) { return std::abs(value) < 1e-12 * size ? 0 : value; };
  const auto [x, y] = drawn.points.front();
  const auto [last_x, last_y] = drawn.points.back();
  char text[256];
  std::snprintf(text, sizeof text, ": %zu points, (%.6g, %.6g) to (%.6g, %.6g), y %.6g to %.6g, sum %.6g",
                drawn.points.size(), rounded(x), rounded(y), rounded(last_x), rounded(last_y), rounded(least),
                rounded(most), sum);
  return (drawn.curves > 1 ? std::to_string(drawn.curves) + " x " : "") + drawn.look + text;
}

/// The curves that a command announces, with the points that follow it.
std::string curves_of(const std::string& plot, std::istringstream& lines) {
  std::vector<Drawn> curves;
  const std::string begin = "'-' with ";
  for (auto at = plot.find(begin); at != std::string::npos;) {
    const auto next = plot.find(begin, at + 1);
    std::string look = plot.substr(at + begin.size(), next == std::string::npos ? next : next - at - begin.size());
    if (look.ends_with(", ")) look.resize(look.size() - 2);
    at = next;
    if (curves.empty() || curves.back().look != look || !look.ends_with("notitle")) curves.push_back({look});
    ++curves.back().curves;
    for (std::string line; std::getline(lines, line) && line != "e";) {
      double x = NAN, y = NAN;
      std::sscanf(line.c_str(), "%lf %lf", &x, &y);
      curves.back().points.emplace_back(x, y);
    }
  }
  // What has no title stands in the line of the curve before it.
  std::string text;
  for (const Drawn& drawn : curves)
    text += (drawn.look.ends_with("notitle") && !text.empty() ? " + " : "\n    ") +
            (drawn.points.empty() ? drawn.look + ": no points" : described(drawn));
  return text + "\n";
}

/// A figure in words: its finding, and of each panel the commands and the curves.
std::string summary_of(const std::string& script) {
  std::string text = "\n  " + finding_of(script) + "\n", commands;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    line = in_six_digits(line);
    if (line.starts_with("plot ")) {
      text += "  panel" + commands + curves_of(line, lines);
      commands.clear();
    } else if (line == "unset logscale") {  // the first command of a panel
      text.insert(0, commands);             // those before the first panel
      commands.clear();
      // Those that begin every panel.
      for (int k = 0; k < 6; ++k) {
        std::getline(lines, line);
        if (line.starts_with("set ")) commands += " | " + line.substr(4);
      }
      if (commands == " | autoscale | format '%g' | xtics autofreq") commands.clear();
    } else if (line.starts_with("set ") && !line.starts_with("set label ")) {
      commands += " | " + line.substr(4);
    }
  }
  for (const auto& [word, shorter] :
       std::vector<std::pair<std::string, std::string>>{{" at screen", ""},
                                                        {"linewidth", "width"},
                                                        {" dashtype solid", ""},
                                                        {"dashtype '--'", "dashed"},
                                                        {"linecolor rgb ", ""},
                                                        {"pointtype 7 pointsize", "size"}})
    text = replaced(text, word, shorter);
  return text;
}

TEST_F(Plot, draws_every_figure_as_recorded) {
  write_made_up_reports(results);
  const auto [status, output] = plot("", "PATH=" + figures_folder.string() + ":$PATH");
  ASSERT_EQ(status, 0) << output;
  std::vector<fs::path> svgs;
  for (const auto& entry : fs::directory_iterator(figures))
    if (entry.path().extension() == ".svg") svgs.push_back(entry.path());
  std::sort(svgs.begin(), svgs.end());
  EXPECT_GT(svgs.size(), 40U);
  std::string drawn;
  for (const fs::path& svg : svgs) {
    const std::string script = text_of(svg), finding = finding_of(script);
    drawn += svg.stem().string() + summary_of(script);
    EXPECT_GE(std::count(finding.begin(), finding.end(), ' '), 5) << svg << ": no finding: '" << finding << "'";
    // The PNG is of the same panels, in twice the size.
    const std::string png = text_of(fs::path(svg).replace_extension(".png"));
    const auto panels = script.find("set border"), png_panels = png.find("set border");
    ASSERT_NE(panels, std::string::npos);
    ASSERT_NE(png_panels, std::string::npos);
    EXPECT_EQ(png.substr(png_panels, script.rfind("</svg>") - panels),
              script.substr(panels, script.rfind("</svg>") - panels));
    EXPECT_NE(png.find("set terminal pngcairo enhanced size "), std::string::npos);
  }
  // What the first figure is told beside its size, the others are told too: that stands once.
  const auto from = drawn.find(" background"), to = drawn.find('\n');
  ASSERT_LT(from, to);
  const std::string common = drawn.substr(from, to - from);
  drawn = "every figure:" + common + "\n" + replaced(drawn, common, "");
  const fs::path known = figures_folder / "drawn.txt";
  if (std::getenv("LIVI_UPDATE_FIGURES") != nullptr) std::ofstream(known) << drawn;
  EXPECT_EQ(first_difference(drawn, text_of(known)), "")
      << known << ": if that is meant, run\n  " << update << "\nand look at what has changed there";
}

TEST(Figures, that_are_drawn_otherwise_are_noticed_when_recorded) {
  const std::string script =
      "set label 1 \"{/:Bold Two curves}\" at screen 0.02\nset border 3\nunset logscale\nset autoscale\nset format "
      "'%g'\n"
      "set xtics autofreq\nunset title\nunset xlabel\nunset ylabel\nset title \"A\"\n"
      "set xrange [0.000000000000000000e+00:2.000000000000000000e+00]\nset logscale y\n"
      "plot '-' with lines linewidth 2 title \"one\", '-' with lines linewidth 1 notitle, '-' with lines linewidth 1 "
      "notitle\n1 2\n3 5\n4 4\ne\n1 1\n2 1\ne\n1 3\n2 3\ne\n";
  const std::string summary = summary_of(script);
  EXPECT_EQ(first_difference(summary, summary_of(replaced(script, "3 5", "3.00001 5"))), "") << "round-off";
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"Two curves", "Curves"},
                                                        {"border 3", "border 1"},
                                                        {"\"A\"", "\"B\""},
                                                        {":2.000000000000000000e", ":2.001000000000000000e"},
                                                        {"set logscale y\n", ""},
                                                        {"linewidth 2", "linewidth 3"},
                                                        {"\"one\"", "\"two\""},
                                                        {", '-' with lines linewidth 1 notitle\n", "\n"},
                                                        {"3 5\n", ""},
                                                        {"1 2\n3 5\n", "3 5\n1 2\n"},
                                                        {"4 4", "4 -4"},
                                                        {"format '%g'", "format ''"},
                                                        {"3 5\n", "3.01 5\n"},
                                                        {"1 1\n2 1\ne\n1 3", "1 3\n2 1\ne\n1 1"}}) {
    const std::string changed = replaced(script, from, to);
    EXPECT_NE(changed, script) << from;
    EXPECT_NE(first_difference(summary_of(changed), summary), "") << from << " made " << to;
  }
}

}  // namespace recorded_figures_test
