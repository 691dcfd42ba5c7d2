// SPDX-License-Identifier: MIT
//
// The committed figures can be read: a finding above the panels, legends that name every curve, no text over another.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "plot_program.hpp"
#include "verification/support/text_of.hpp"

namespace figures_test {

using namespace livi::test;

/// Markup without its tags and spaces: indices and raised letters are pieces of their own.
std::string letters_of(const std::string& markup) {
  std::string letters;
  bool in_tag = false;
  for (const char c : markup) {
    if (c == '<') in_tag = true;
    if (!in_tag && std::isspace(static_cast<unsigned char>(c)) == 0) letters += c;
    if (c == '>') in_tag = false;
  }
  return letters;
}

// gnuplot leaves out what does not fit into a legend, without a word.
TEST(Figures, name_every_curve_in_their_legends) {
  std::size_t figures = 0, curves = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(LIVI_SOURCE_FOLDER) / "plots/figures")) {
    if (entry.path().extension() != ".svg") continue;
    ++figures;
    const std::string svg = text_of(entry.path());
    // What stands between two tags, from each of the first.
    const auto all = [&](const std::string& begin, const std::string& end) {
      std::set<std::string> found;
      for (auto at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1))
        found.insert(letters_of(svg.substr(at + begin.size(), svg.find(end, at) - at - begin.size())));
      return found;
    };
    std::set<std::string> texts = all("<text>", "</text>");
    texts.merge(all("<text xml:space=\"preserve\">", "</text>"));
    for (const std::string& name : all("<title>", "</title>")) {
      if (name.empty() || name == "livi" || name.starts_with("livi_plot")) continue;
      ++curves;
      // The title of its panel may name it.
      const bool is_in_a_title = texts.contains("Theframeatq0;purple:from" + name);
      EXPECT_TRUE(texts.contains(name) || is_in_a_title)
          << entry.path() << ": the legend does not name '" << name << "'";
    }
  }
  EXPECT_GT(figures, 20U);
  EXPECT_GT(curves, 100U);
}

/// Where a text of a figure is, in pixels, rather too small: letters are half as wide as high, on the average, and
/// what is above and below most of them is left out.
struct TextBox {
  double left, top, right, bottom;
  std::string text;
  std::size_t at;  ///< place of its coordinates, "x,y)", in the file
  double size;     ///< size of its letters
  [[nodiscard]] bool overlaps(const TextBox& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};
std::vector<TextBox> texts_of(const std::string& svg) {
  std::vector<TextBox> boxes;
  const std::string begin = "<g transform=\"translate(", open = "<text", close = "</text>";
  for (auto at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    const std::string attributes = svg.substr(at, svg.find('>', at) - at);
    const auto from = svg.find(open, at), to = svg.find(close, at);
    // One that is no text, or a group whose text is farther on.
    if (from == std::string::npos || from > svg.find("</g>", at)) continue;
    double x = 0, y = 0, size = 13;
    std::sscanf(attributes.c_str() + begin.size(), "%lf,%lf", &x, &y);
    const auto font = attributes.find("font-size=\"");
    if (font != std::string::npos) size = std::stod(attributes.substr(font + 11));
    std::string letters;
    bool in_tag = true;
    for (const char c : svg.substr(from + open.size(), to - from - open.size())) {
      in_tag = c == '<' || (in_tag && c != '>');
      if (!in_tag && c != '>' && c != '\n' && c != '\t') letters += c;
    }
    letters = replaced(replaced(letters, "&amp;", "&"), "&lt;", "<");
    const auto filled = letters.find_first_not_of(' ');
    if (filled == std::string::npos) continue;
    const double width = 0.5 * size * static_cast<double>(letters.size() - filled);
    const double share = attributes.find("\"middle\"") != std::string::npos ? 0.5
                         : attributes.find("\"end\"") != std::string::npos  ? 1
                                                                            : 0;
    if (attributes.find("rotate(270") != std::string::npos)
      boxes.push_back(
          {x - 0.7 * size, y - (1 - share) * width, x, y + share * width, letters, at + begin.size(), size});
    else
      boxes.push_back(
          {x - share * width, y - 0.7 * size, x + (1 - share) * width, y, letters, at + begin.size(), size});
  }
  return boxes;
}
/// The texts that cover each other or leave the canvas.
std::vector<std::string> unreadable_texts(const std::string& svg) {
  double width = 0, height = 0;
  std::sscanf(svg.c_str() + svg.find("width=\""), "width=\"%lf\" height=\"%lf\"", &width, &height);
  const std::vector<TextBox> boxes = texts_of(svg);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].left < 0 || boxes[i].top < 0 || boxes[i].right > width || boxes[i].bottom > height)
      found.push_back("'" + boxes[i].text + "' leaves the canvas");
    for (std::size_t k = 0; k < i; ++k)
      if (boxes[i].overlaps(boxes[k])) found.push_back("'" + boxes[i].text + "' covers '" + boxes[k].text + "'");
  }
  return found;
}

/// The lines of the finding have the largest letters.
bool is_of_a_finding(const TextBox& box) { return box.size > 14; }

/// What is wrong with the head of a figure: it has no finding, or one that is not above all other texts, or not the
/// width of all figures.
std::vector<std::string> wrong_with_the_head(const std::string& svg) {
  std::vector<std::string> found;
  if (svg.find("<svg ") == std::string::npos || svg.find("width=\"1000\"") == std::string::npos)
    found.emplace_back("another width");
  std::size_t lines = 0;
  double end = 0;
  const std::vector<TextBox> boxes = texts_of(svg);
  for (const TextBox& box : boxes) {
    if (!is_of_a_finding(box)) continue;
    ++lines;
    end = std::max(end, box.bottom);
  }
  if (lines < 1 || lines > 2) found.push_back("a finding of " + std::to_string(lines) + " lines");
  for (const TextBox& box : boxes)
    if (!is_of_a_finding(box) && box.top < end) found.push_back("'" + box.text + "' is not below the finding");
  return found;
}

TEST(Figures, have_a_finding_above_the_panels) {
  std::size_t figures = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(LIVI_SOURCE_FOLDER) / "plots/figures")) {
    if (entry.path().extension() != ".svg") continue;
    ++figures;
    for (const std::string& what : wrong_with_the_head(text_of(entry.path())))
      ADD_FAILURE() << entry.path() << ": " << what;
  }
  EXPECT_GT(figures, 30U);
}

TEST(Figures, without_a_finding_above_the_panels_are_noticed) {
  const std::string svg = text_of(fs::path(LIVI_SOURCE_FOLDER) / "plots/figures/fig03.svg");
  ASSERT_TRUE(wrong_with_the_head(svg).empty());
  EXPECT_FALSE(wrong_with_the_head(replaced(svg, "font-size=\"15.00\"", "font-size=\"13.00\"")).empty());
  EXPECT_FALSE(wrong_with_the_head(replaced(svg, "font-size=\"13.00\"", "font-size=\"15.00\"")).empty());
  EXPECT_FALSE(wrong_with_the_head(replaced(svg, "width=\"1000\"", "width=\"1080\"")).empty());
  const std::vector<TextBox> boxes = texts_of(svg);
  const auto finding = std::find_if(boxes.begin(), boxes.end(), is_of_a_finding);
  ASSERT_NE(finding, boxes.end());
  const std::size_t length = svg.find(')', finding->at) - finding->at;
  EXPECT_FALSE(wrong_with_the_head(std::string(svg).replace(finding->at, length, "20,900")).empty());
}

TEST(Figures, have_texts_that_can_be_read) {
  std::size_t texts = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(LIVI_SOURCE_FOLDER) / "plots/figures")) {
    if (entry.path().extension() != ".svg") continue;
    const std::string svg = text_of(entry.path());
    texts += texts_of(svg).size();
    for (const std::string& what : unreadable_texts(svg)) ADD_FAILURE() << entry.path() << ": " << what;
  }
  EXPECT_GT(texts, 1000U);
}

TEST(Figures, with_a_text_over_another_or_beyond_the_canvas_are_noticed) {
  const std::string svg = text_of(fs::path(LIVI_SOURCE_FOLDER) / "plots/figures/fig01_energy.svg");
  const std::vector<TextBox> boxes = texts_of(svg);
  ASSERT_GT(boxes.size(), 20U);
  ASSERT_TRUE(unreadable_texts(svg).empty());
  const auto moved = [&](const TextBox& box, const std::string& to) {
    return std::string(svg).replace(box.at, svg.find(')', box.at) - box.at, to);
  };
  const auto place_of = [&](const TextBox& box) { return svg.substr(box.at, svg.find(')', box.at) - box.at); };
  const auto finding = std::find_if(boxes.begin(), boxes.end(), is_of_a_finding);
  const auto title = std::find_if(boxes.begin(), boxes.end(),
                                  [](const TextBox& box) { return box.text == "Largest energy error so far"; });
  ASSERT_NE(finding, boxes.end());
  ASSERT_NE(title, boxes.end());
  EXPECT_FALSE(unreadable_texts(moved(boxes.back(), place_of(boxes.front()))).empty());
  EXPECT_FALSE(unreadable_texts(moved(boxes.back(), "5,100000")).empty());
  EXPECT_FALSE(unreadable_texts(moved(*title, place_of(*finding))).empty());
  EXPECT_FALSE(unreadable_texts(moved(*finding, "800,18")).empty());
}

}  // namespace figures_test
