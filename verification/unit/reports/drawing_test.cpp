// SPDX-License-Identifier: MIT
//
// The drawings of the plots: how numbers are written, and what is refused because it is hard to read.
#include <gtest/gtest.h>

#include "plot_program.hpp"
#include "plots/drawing.hpp"

namespace drawing_test {

using namespace livi::test;

TEST(PlotNumbers, have_the_digits_asked_for) {
  using livi::plots::number;
  EXPECT_EQ(number(0.0947, 2), "0.095");
  EXPECT_EQ(number(0.998), "1.0");
  EXPECT_EQ(number(-0.0934), "-0.093");
  EXPECT_EQ(number(2136), "2100");
  EXPECT_EQ(number(10, 1), "10");
  EXPECT_EQ(number(9.6, 1), "10");
  EXPECT_EQ(number(0.0004), "0.00040");
  EXPECT_EQ(number(4.65e-15), "4.7·10^{-15}");
  EXPECT_EQ(number(123456, 3), "1.23·10^{5}");
  EXPECT_EQ(number(0), "0.0");
}

TEST(PlotNumbers, stand_in_the_gaps_of_a_sentence) {
  using livi::plots::sentence;
  EXPECT_EQ(sentence("h^{2} by {} as t^{{}}, at most {:4}", {0.5, 2, 3.14159}),
            "h^{2} by 0.50 as t^{2.0}, at most 3.142");
  EXPECT_THROW(sentence("{} and {}", {1}), livi::plots::PlotError);
  EXPECT_THROW(sentence("{}", {1, 2}), livi::plots::PlotError);
}

/// What a figure of this finding and panel is refused for; empty if it is drawn.
std::string refusal(const fs::path& folder, const std::string& finding, livi::plots::Panel panel) {
  const livi::plots::Drawing drawing(finding, {{100, {std::move(panel)}}});
  try {
    drawing.write(folder, "made_up");
    return "";
  } catch (const livi::plots::PlotError& error) {
    return error.what();
  }
}

TEST_F(Plot, refuses_figures_that_are_hard_to_read) {
  using livi::plots::Colour;
  using livi::plots::Panel;
  const std::vector<Colour> colours{Colour::black, Colour::orange, Colour::sky_blue,  Colour::green, Colour::yellow,
                                    Colour::blue,  Colour::grey,   Colour::vermilion, Colour::purple};
  const std::string finding = "Nine curves are too many";
  Panel panel{.title = "curves", .x_label = "t", .y_label = "y", .legend = true};
  for (std::size_t i = 0; i < 8; ++i)
    panel.curves.push_back({.title = std::to_string(i), .colour = colours[i], .points = {{0, 0}, {1, 1}}});
  EXPECT_EQ(refusal(figures, finding, panel), "");
  Panel nine = panel;
  nine.curves.push_back({.colour = Colour::purple, .points = {{0, 0}, {1, 1}}});
  EXPECT_EQ(refusal(figures, finding, nine), "") << "what is not in the legend is not counted";
  nine.curves.back().title = "ninth";
  EXPECT_NE(refusal(figures, finding, nine).find("'curves': more than eight curves"), std::string::npos);
  Panel alike = panel;
  alike.curves[3].colour = Colour::black;
  EXPECT_NE(refusal(figures, finding, alike).find("'3' looks like a curve before it"), std::string::npos);
  alike.curves[3].dashed = true;
  EXPECT_EQ(refusal(figures, finding, alike), "");
  std::string sentence = finding;
  while (sentence.size() < 190) sentence += ", many";
  EXPECT_EQ(refusal(figures, sentence, panel), "");
  while (sentence.size() < 240) sentence += ", many";
  EXPECT_NE(refusal(figures, sentence, panel).find("a finding of one or two lines"), std::string::npos);
  EXPECT_NE(refusal(figures, "", panel).find("a finding of one or two lines"), std::string::npos);
  Panel negative{.log_x = true, .curves = {{.points = {{-1, 0}, {1, 1}}}}};
  EXPECT_NE(refusal(figures, finding, negative).find("no positive x"), std::string::npos);
}

}  // namespace drawing_test
