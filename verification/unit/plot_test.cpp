// SPDX-License-Identifier: MIT
// livi-plot on made-up reports: it draws what they say, the same bytes each time, or says what is wrong and draws
// nothing.
#include <livi/report/report.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "plots/drawing.hpp"
#include "plots/report_data.hpp"
#include "text_of.hpp"

namespace {

namespace fs = std::filesystem;
using livi::test::text_of;

/// What the figures were told last, and of which reports.
const fs::path figures_folder = fs::path(LIVI_SOURCE_FOLDER) / "verification/unit/figures";

std::pair<int, std::string> run(const std::string& command) {
  FILE* pipe = popen(("( " + command + " ) 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

/// `text` with every `from` made `to`.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Claims with what they measured alone: a figure reads no more, and what a whole claim needs is not its business.
void add_claims(const fs::path& report, const std::map<std::string, double>& measured) {
  nlohmann::json content = nlohmann::json::parse(text_of(report));
  for (const auto& [id, value] : measured) content["claims"].push_back({{"id", id}, {"measured", value}});
  std::ofstream(report) << content;
}

/// A report of every experiment that is drawn, as figures/made_up_reports.txt says.
void write_made_up_reports(const fs::path& results) {
  std::map<std::string, livi::Report> reports;
  std::map<std::string, std::map<std::string, double>> claims;
  std::ifstream lines(figures_folder / "made_up_reports.txt");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string experiment, series;
    words >> experiment >> series;
    livi::Report& report =
        reports.try_emplace(experiment, experiment, livi::Source{"made up", "figures", ""}).first->second;
    std::vector<livi::Column> columns;
    const auto colon = series.find(':');
    std::vector<std::vector<double>> rows(colon == std::string::npos ? 6 : std::stoul(series.substr(colon + 1)));
    series = series.substr(0, colon);
    for (std::string word; words >> word;) {
      const auto equals = word.rfind('=');
      if (series == "timing" || series == "measurement" || series == "claim") {
        const std::string name = word.substr(0, equals);
        const double value = std::stod(word.substr(equals + 1));
        if (series == "timing") report.timing(name, value);
        if (series == "measurement") report.measurement({.name = name, .value = value});
        if (series == "claim") claims[experiment][name] = value;
        continue;
      }
      const double c = static_cast<double>(columns.size());
      columns.push_back({word.substr(0, equals), "unit " + std::to_string(columns.size())});
      std::istringstream values(equals == std::string::npos ? "" : word.substr(equals + 1));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        // Positive, because some axes are logarithmic, rising, and different from one column to the next.
        double value = (1 + static_cast<double>(i)) * (0.375 + 0.125 * c) + 0.0625 * c * static_cast<double>(i % 3);
        if (std::string given; std::getline(values, given, ';')) value = std::stod(given);
        rows[i].push_back(value);
      }
    }
    if (!columns.empty()) report.series(series, columns, rows);
  }
  for (auto& [name, report] : reports) {
    const fs::path file = report.write(results);
    if (claims.contains(name)) add_claims(file, claims.at(name));
  }
}

/// The sentence above the panels of what gnuplot was told, in one line; empty if there is none.
std::string finding_of(const std::string& script) {
  std::string finding;
  std::istringstream lines(script);
  const std::string begin = "{/:Bold ", end = "}\" at screen";
  for (std::string line; std::getline(lines, line);) {
    const auto from = line.find(begin), to = line.find(end);
    if (!line.starts_with("set label ") || from == std::string::npos || to == std::string::npos) continue;
    finding += (finding.empty() ? "" : " ") + line.substr(from + begin.size(), to - from - begin.size());
  }
  return finding;
}

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

using livi::plots::Points;

/// A fast oscillation around a slow one, with one peak and one trough that a coarser curve could miss.
Points oscillation(std::size_t n) {
  Points points(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    points[i] = {t, std::sin(97 * t) + 0.3 * std::cos(t)};
  }
  points[n / 3].second = 7;
  points[2 * n / 3].second = -9;
  return points;
}

TEST(PlotPoints, thinned_keep_the_envelope) {
  constexpr std::size_t n = 1003, buckets = 40;
  const Points points = oscillation(n);
  const Points kept = livi::plots::thinned(points, buckets);
  EXPECT_LE(kept.size(), 2 * buckets);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end())) << "in the order of time";
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(bucket * n / buckets);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>((bucket + 1) * n / buckets);
    const auto [low, high] =
        std::minmax_element(begin, end, [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_EQ(std::count(kept.begin(), kept.end(), *low), 1) << bucket;
    EXPECT_EQ(std::count(kept.begin(), kept.end(), *high), 1) << bucket;
  }
}

TEST(PlotPoints, few_points_and_level_ones_are_thinned_to_themselves) {
  const Points few = oscillation(80);
  EXPECT_EQ(livi::plots::thinned(few, 40), few);
  Points level(100);
  for (std::size_t i = 0; i < level.size(); ++i) level[i] = {static_cast<double>(i), 2.0};
  const Points kept = livi::plots::thinned(level, 10);
  EXPECT_FALSE(kept.empty());
  for (const auto& [x, y] : kept) EXPECT_EQ(y, 2.0);
}

TEST(PlotPoints, the_running_maximum_is_of_the_size_whatever_the_sign) {
  const Points points{{0, 0.5}, {1, -2}, {2, 1}, {3, -1.5}, {4, 3}, {5, -2.5}};
  const Points expected{{0, 0.5}, {1, 2}, {2, 2}, {3, 2}, {4, 3}, {5, 3}};
  EXPECT_EQ(livi::plots::running_maximum(points), expected);
  EXPECT_EQ(livi::plots::largest(points), 3);
  EXPECT_EQ(livi::plots::largest({{0, 1}, {1, -4}}), 4);
  EXPECT_EQ(livi::plots::running_maximum({}), Points{});
  EXPECT_EQ(livi::plots::largest({}), 0);
}

class Plot : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "livi_plot_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr) << std::strerror(errno);
    folder = pattern;
    results = folder / "results";
    figures = folder / "figures";
    write_report(0.01);
  }
  void TearDown() override { fs::remove_all(folder); }

  /// A report of Figure 1 whose rows, one more than `count`, have errors of this size.
  void write_report(double size, int count = 100) const {
    livi::Report report("fig01_double_pendulum", {"TO14", "Figure 1", "4.1"});
    std::vector<std::vector<double>> rows;
    for (int i = 0; i <= count; ++i) rows.push_back({0.5 * i, std::sin(0.5 * i), -2 + 0.1 * std::cos(0.5 * i)});
    report.series("reference", {{"t", "s"}, {"x2", "m"}, {"y2", "m"}}, rows);
    for (const char* method :
         {"shake", "symplectic_euler", "newmark_converged", "newmark_one_iteration", "zhang_skeel"}) {
      rows.clear();
      size *= 1.5;
      for (int i = 0; i <= count; ++i) {
        rows.push_back({0.5 * i, size * std::sin(0.5 * i), size * std::cos(0.4 * i), 0.1 * size * std::sin(0.7 * i)});
      }
      report.series(method, {{"t", "s"}, {"x2_error", "m"}, {"y2_error", "m"}, {"energy_error", "J"}}, rows);
    }
    report.write(results);
  }

  std::pair<int, std::string> plot(const std::string& arguments = "fig01", const std::string& before = "") const {
    return run(before + " " + program + " " + results.string() + " " + figures.string() + " " + arguments);
  }

  static bool no_temporary_in(const fs::path& where) {
    for (const auto& entry : fs::directory_iterator(where)) {
      if (entry.path().filename().string().front() == '.') return false;
    }
    return true;
  }

  const std::string program = std::string(LIVI_BINARY_FOLDER) + "/plots/livi-plot";
  const std::string unwritable = "livi-plot: the standard output cannot be written\n";
  fs::path folder;
  fs::path results;
  fs::path figures;
};

TEST_F(Plot, draws_both_figures_with_every_row_and_unit) {
  const auto [status, output] = plot();
  ASSERT_EQ(status, 0) << output;
  const std::string svg = text_of(figures / "fig01.svg");
  for (const char* part : {"Row 1, reference", "Row 2, SHAKE", "Row 3, variational Euler", "Row 4, Newmark, solved",
                           "Row 5, Newmark, one iteration", "Row 6, Zhang-Skeel", "t [s]", "[m]"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  const std::string energy = text_of(figures / "fig01_energy.svg");
  for (const char* part :
       {"SHAKE", "variational Euler", "Newmark, solved", "Newmark, one iteration", "Zhang-Skeel", "[J]"}) {
    EXPECT_NE(energy.find(part), std::string::npos) << part;
  }
  EXPECT_GT(fs::file_size(figures / "fig01.png"), 10000U);
  EXPECT_TRUE(no_temporary_in(figures));
}

TEST_F(Plot, draws_the_same_bytes_from_the_same_reports_and_others_from_others) {
  ASSERT_EQ(plot().first, 0);
  const std::string errors = text_of(figures / "fig01.svg");
  const std::string energy = text_of(figures / "fig01_energy.svg");
  ASSERT_EQ(plot().first, 0);
  EXPECT_EQ(text_of(figures / "fig01.svg"), errors);
  EXPECT_EQ(text_of(figures / "fig01_energy.svg"), energy);
  write_report(0.02);
  ASSERT_EQ(plot().first, 0);
  EXPECT_NE(text_of(figures / "fig01.svg"), errors);
  EXPECT_NE(text_of(figures / "fig01_energy.svg"), energy);
}

TEST_F(Plot, uses_the_palette_of_okabe_and_ito) {
  ASSERT_EQ(plot().first, 0);
  const std::string svg = text_of(figures / "fig01_energy.svg");
  for (const char* colour : {"rgb(  0, 158, 115)", "rgb(  0, 114, 178)", "rgb(213,  94,   0)", "rgb(204, 121, 167)"}) {
    EXPECT_NE(svg.find(colour), std::string::npos) << colour;
  }
}

TEST_F(Plot, has_one_path_for_all_dots_of_a_curve) {
  livi::Report report("large_systems", {"livi", "large systems", ""});
  for (const char* system : {"chain.zhang_skeel", "chain.simplified_zhang_skeel", "chain.hand_written",
                             "dna.zhang_skeel", "dna.simplified_zhang_skeel", "dna.velocity_verlet"}) {
    for (const char* n : {"10", "100", "1000"}) report.timing(std::string(system) + ".per_unknown.n=" + n, 1e-9);
  }
  for (const char* system : {"chain", "dna"}) {
    report.measurement({.name = std::string(system) + ".zhang_skeel.operations_per_unknown", .value = 73});
    report.measurement({.name = std::string(system) + ".zhang_skeel.slope_of_operations", .value = 1});
  }
  report.write(results);
  const auto [status, output] = plot("large_systems");
  ASSERT_EQ(status, 0) << output;
  const std::string svg = text_of(figures / "large_systems.svg");
  const auto count = [&](const std::string& words) {
    int found = 0;
    for (auto at = svg.find(words); at != std::string::npos; at = svg.find(words, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("xlink:href='#gpPt6' transform"), 0);
  EXPECT_EQ(count("stroke-linecap='round'"), 6);
  EXPECT_EQ(count("h0"), 18);
  // The circles were of radius 3.41, with a border of 0.205 radii.
  EXPECT_EQ(count("stroke-width='7.51905' stroke='rgb(  0, 114, 178)' d='M"), 1);
  EXPECT_TRUE(svg.ends_with("</svg>\n\n"));
}

TEST_F(Plot, says_that_two_methods_err_alike_only_where_they_do) {
  const auto finding = [&] {
    EXPECT_EQ(plot("fig01", "PATH=" + figures_folder.string() + ":$PATH").first, 0);
    return finding_of(text_of(figures / "fig01.svg"));
  };
  // Each method errs by half as much again as the one before it: Z&S by 2.25 times as much as solved Newmark.
  EXPECT_EQ(finding(),
            "Z\\\\&S and the fully solved Newmark method err by at most 0.0759 against 0.0338, SHAKE by 0.015");
  const fs::path file = results / "fig01_double_pendulum.zhang_skeel.csv";
  fs::copy_file(results / "fig01_double_pendulum.newmark_converged.csv", file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(finding(),
            "Z\\\\&S errs like the fully solved Newmark method, by at most 0.0338 against 0.0338; SHAKE errs by 0.015");
}

TEST_F(Plot, asks_a_report_for_the_numbers_it_says) {
  write_made_up_reports(results);
  const livi::plots::ReportData report(results, "fig07_water");
  EXPECT_EQ(report.measurement("shake.mean_distance"), 8.753);
  EXPECT_EQ(report.measured("TO14.fig7.model-error"), 1.25);
  EXPECT_THROW((void)report.measurement("TO14.fig7.model-error"), livi::plots::PlotError);
  EXPECT_THROW((void)report.measured("shake.mean_distance"), livi::plots::PlotError);
  const fs::path file = results / "fig07_water.json";
  const std::string without = replaced(text_of(file), "stiff_zs.mean_distance", "mean_distance");
  std::ofstream(file) << without;
  const auto [status, output] = plot("fig07");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find(file.string() + ": has no number 'stiff_zs.mean_distance' in its measurements"),
            std::string::npos)
      << output;
  EXPECT_FALSE(fs::exists(figures / "fig07.svg"));
}

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

/// What a figure of this finding and panel is refused for; empty if it is drawn.
std::string refusal(const fs::path& folder, const std::string& finding, livi::plots::Panel panel) {
  livi::plots::Drawing drawing(finding);
  drawing.row(100, {std::move(panel)});
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
    panel.curves.push_back({.points = {{0, 0}, {1, 1}}, .title = std::to_string(i), .colour = colours[i]});
  EXPECT_EQ(refusal(figures, finding, panel), "");
  Panel nine = panel;
  nine.curves.push_back({.points = {{0, 0}, {1, 1}}, .colour = Colour::purple});
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
  Panel negative{.curves = {{.points = {{-1, 0}, {1, 1}}}}, .logarithmic_x = true};
  EXPECT_NE(refusal(figures, finding, negative).find("no positive x"), std::string::npos);
}

/// What makes a script's figure hard to read: no finding, or a legend with too many entries or two of one look.
std::vector<std::string> hard_to_read(const std::string& script) {
  std::vector<std::string> found;
  const std::string finding = finding_of(script);
  if (std::count(finding.begin(), finding.end(), ' ') < 5) found.push_back("no finding: '" + finding + "'");
  if (script.find(" size 1000,") == std::string::npos) found.emplace_back("another width");
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("plot ")) continue;
    std::map<std::string, std::string> titles;  // by look: line or dots, dashes, colour
    std::size_t entries = 0;
    const std::string begin = "'-' with ";
    for (auto at = line.find(begin); at != std::string::npos;) {
      const auto next = line.find(begin, at + 1);
      const std::string curve = line.substr(at, next == std::string::npos ? next : next - at);
      at = next;
      const auto title = curve.find(" title \"");
      if (title == std::string::npos) continue;
      ++entries;
      const auto dashes = curve.find("dashtype");
      const std::string look =
          (dashes == std::string::npos ? "dots " : curve.substr(dashes, 14)) + curve.substr(curve.find("rgb"), 13);
      const auto [other, is_new] = titles.try_emplace(look, curve.substr(title));
      if (!is_new) found.push_back(curve.substr(title) + " looks like" + other->second);
    }
    if (entries > 8) found.push_back("a legend of " + std::to_string(entries) + " entries");
  }
  return found;
}

TEST(Figures, say_what_they_show_with_few_curves_on_one_width) {
  std::size_t figures = 0;
  for (const auto& entry : fs::directory_iterator(figures_folder)) {
    if (entry.path().extension() != ".gnuplot") continue;
    ++figures;
    for (const std::string& what : hard_to_read(text_of(entry.path()))) ADD_FAILURE() << entry.path() << ": " << what;
  }
  EXPECT_GT(figures, 30U);
}

TEST(Figures, that_are_hard_to_read_are_noticed) {
  const std::string good = text_of(figures_folder / "work_precision.gnuplot");
  ASSERT_TRUE(hard_to_read(good).empty());
  const auto noticed = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(good.find(from), std::string::npos) << from;
    EXPECT_FALSE(hard_to_read(replaced(good, from, to)).empty()) << from << " made " << to;
  };
  noticed("set label ", "set arrow ");
  noticed(" size 1000,", " size 1080,");
  noticed("dashtype '--'", "dashtype solid");
  noticed("#56B4E9", "#0072B2");
  noticed("title \"implicit midpoint\"",
          "title \"implicit midpoint\", '-' with points linecolor rgb '#777777' title \"a ninth\"");
}

// What gnuplot is told, because what it draws depends on its version and on the fonts.
TEST_F(Plot, tells_gnuplot_of_every_figure_what_it_told_before) {
  write_made_up_reports(results);
  const auto [status, output] = plot("", "PATH=" + figures_folder.string() + ":$PATH");
  ASSERT_EQ(status, 0) << output;
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(figures)) {
    const fs::path svg = entry.path();
    if (svg.extension() != ".svg") continue;
    ++found;
    const std::string script = text_of(svg);
    const fs::path known = figures_folder / svg.stem().concat(".gnuplot");
    const std::string difference = first_difference(script, text_of(known));
    EXPECT_EQ(difference, "") << known << ": if that is meant, the new text is what the commit should show; with "
                              << "LIVI_NEW_FIGURES=FOLDER in the environment it is left there";
    if (const char* kept = std::getenv("LIVI_NEW_FIGURES")) std::ofstream(kept / known.filename()) << script;
    // The PNG is of the same panels, in twice the size.
    const std::string png = text_of(fs::path(svg).replace_extension(".png"));
    const auto panels = script.find("set border"), png_panels = png.find("set border");
    ASSERT_NE(panels, std::string::npos);
    ASSERT_NE(png_panels, std::string::npos);
    EXPECT_EQ(png.substr(png_panels, script.rfind("</svg>") - panels),
              script.substr(panels, script.rfind("</svg>") - panels));
    EXPECT_NE(png.find("set terminal pngcairo enhanced size "), std::string::npos);
  }
  std::size_t expected = 0;
  for (const auto& entry : fs::directory_iterator(figures_folder)) expected += entry.path().extension() == ".gnuplot";
  EXPECT_EQ(found, expected);
}

/// A stand-in that "draws" what it is told: the script for the SVG, the ending alone for the PNG.
/// Without its tags and spaces: indices and raised letters are pieces of their own.
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

TEST_F(Plot, thins_lines_and_doubles_the_size_of_the_png) {
  write_report(0.01, 5000);
  const auto [status, output] = plot("fig01", "PATH=" + figures_folder.string() + ":$PATH");
  ASSERT_EQ(status, 0) << output;
  // Numbers of points between the lines "e" that end the curves.
  std::istringstream lines(text_of(figures / "fig01_energy.svg"));
  int points = 0, curves = 0;
  for (std::string line; std::getline(lines, line); ++points) {
    if (line == "e") {
      EXPECT_GT(points, 1000);
      EXPECT_LE(points, 2000);
      ++curves;
    }
    if (line.starts_with("plot ") || line == "e") points = -1;
  }
  EXPECT_GE(curves, 5);
  const auto size_of = [&](const char* file, const std::string& terminal) {
    const std::string script = text_of(figures / file), words = "set terminal " + terminal + " enhanced size ";
    const auto at = script.find(words);
    EXPECT_NE(at, std::string::npos) << file;
    int width = 0, height = 0;
    EXPECT_EQ(std::sscanf(script.c_str() + at + words.size(), "%d,%d", &width, &height), 2) << file;
    return std::pair(width, height);
  };
  const auto [width, height] = size_of("fig01.svg", "svg");
  EXPECT_EQ(size_of("fig01.png", "pngcairo"), std::pair(2 * width, 2 * height));
}

/// Where gnuplot knows no pngcairo and nothing else makes a PNG, the SVG is the figure.
TEST_F(Plot, needs_no_png) {
  const fs::path programs = folder / "programs";
  fs::create_directories(programs);
  for (const char* name : {"sh", "cat", "sed"}) fs::create_symlink(fs::path("/bin") / name, programs / name);
  std::ofstream(programs / "gnuplot") << "#!/bin/sh\ncase \"$*\" in *GPVAL_TERMINALS*) exit 1 ;; esac\nexec '"
                                      << (figures_folder / "gnuplot").string() << "'\n";
  fs::permissions(programs / "gnuplot", fs::perms{0755});
  const auto [status, output] = plot("fig01", "PATH=" + programs.string());
  EXPECT_EQ(status, 0) << output;
  EXPECT_TRUE(fs::exists(figures / "fig01.svg"));
  EXPECT_FALSE(fs::exists(figures / "fig01.png"));
}

/// Dots become one path; what only resembles them stays as gnuplot wrote it.
TEST_F(Plot, leaves_alone_what_is_no_dot) {
  const std::string begin = "\t<use xlink:href='#gpPt6' transform='translate(", end = "'/>\n";
  const std::string dot = begin + "1.0,2.0) scale(3.00)' color='red" + end;
  const std::string others = "\t<use xlink:href='#gpPt5' transform='translate(1.0,2.0) scale(3.00)' color='red" + end +
                             begin + "1.0,2.0)' color='red" + end + begin + "1.0,2.0) scale(3.00)' fill='red" + end +
                             begin + "1.0,2.0) scale(3.00)' color='red'><g/>\n";
  std::ofstream(folder / "drawn") << "<circle id='gpPt5' stroke-width='0.25'/>\n" << others << dot << dot << others;
  std::ofstream(folder / "gnuplot")
      << "#!/bin/sh\ncase \"$*\" in *GPVAL_TERMINALS*) exit 0 ;; esac\n"
      << "file=$(sed -n \"s/^set output '\\(.*\\)'$/\\1/p\")\n"
      << "case $file in *.svg.tmp) { cat '" << (folder / "drawn").string()
      << "'; printf '</svg>\\n\\n'; } >\"$file\" ;; *) printf 'xIEND\\256\\102\\140\\202' >\"$file\" ;; esac\n";
  fs::permissions(folder / "gnuplot", fs::perms{0755});
  const auto [status, output] = plot("fig01", "PATH=" + folder.string() + ":$PATH");
  ASSERT_EQ(status, 0) << output;
  EXPECT_EQ(
      text_of(figures / "fig01.svg"),
      "<circle id='gpPt5' stroke-width='0.25'/>\n" + others +
          "\t<path fill='none' stroke-linecap='round' stroke-width='6.75' stroke='red' d='M1.0,2.0h0M1.0,2.0h0'/>\n" +
          others + "</svg>\n\n");
}

TEST_F(Plot, is_chosen_by_name_or_experiment) {
  EXPECT_EQ(plot("fig01").first, 0);
  EXPECT_EQ(plot("fig01_double_pendulum").first, 0);
  const auto [status, output] = plot("fig99");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("'fig99'"), std::string::npos) << output;
  EXPECT_EQ(run(program + " --list").first, 0);
  EXPECT_NE(run(program + " --list").second.find("fig01_double_pendulum"), std::string::npos);
  EXPECT_EQ(run(program).first, 2);
  EXPECT_EQ(run(program + " --frobnicate").first, 2);
  for (const char* option : {" --list", " --help"})
    EXPECT_EQ(run(program + option + " >/dev/full"), std::pair(2, unwritable)) << option;
}

TEST_F(Plot, says_what_is_wrong_with_a_report) {
  const fs::path report = results / "fig01_double_pendulum.json";
  const std::string good = text_of(report);
  ASSERT_EQ(plot().first, 0);
  const std::string figure = text_of(figures / "fig01.svg");
  const auto expect_refused = [&](const std::string& part) {
    const auto [status, output] = plot();
    EXPECT_EQ(status, 2);
    EXPECT_NE(output.find(part), std::string::npos) << output;
    EXPECT_EQ(text_of(figures / "fig01.svg"), figure) << "the previous figure must stay";
  };
  std::ofstream(report) << good.substr(0, good.size() / 2);
  expect_refused(report.string() + ": is not a report");
  std::ofstream(report) << replaced(good, "livi.report/1", "livi.report/9");
  expect_refused("is not a livi.report/1");
  std::ofstream(report) << replaced(good, "\"name\": \"shake\"", "\"name\": \"rattle\"");
  expect_refused("has no series 'shake'");
  std::ofstream(report) << replaced(good, "y2_error", "x2_error");
  expect_refused("series 'zhang_skeel': column 'x2_error' occurs twice");
  std::ofstream(report) << replaced(good, "\"experiment\": \"fig01_double_pendulum\"",
                                    "\"experiment\": \"fig03_chain\"");
  expect_refused("is not the report of 'fig01_double_pendulum'");
  fs::remove(report);
  expect_refused(report.string() + ": cannot be read: No such file");
  // It can be opened, but nothing is mapped where reading begins.
  fs::create_symlink("/proc/self/mem", report);
  expect_refused(report.string() + ": cannot be read: Input/output error");
}

TEST_F(Plot, a_report_under_the_name_of_another_is_not_read_for_it) {
  EXPECT_NO_THROW(livi::plots::ReportData(results, "fig01_double_pendulum"));
  fs::copy_file(results / "fig01_double_pendulum.json", results / "fig03_chain.json");
  EXPECT_THROW(livi::plots::ReportData(results, "fig03_chain"), livi::plots::PlotError);
  std::ofstream(results / "fig03_chain.json") << "{";
  EXPECT_THROW(livi::plots::ReportData(results, "fig03_chain"), livi::plots::PlotError) << "at once, not when asked";
}

TEST_F(Plot, leaves_out_figures_without_a_report_only_when_asked_to) {
  EXPECT_EQ(plot("--available").first, 0);
  EXPECT_TRUE(fs::exists(figures / "fig01.svg"));
  std::ofstream(results / "fig01_double_pendulum.json") << "{";
  EXPECT_EQ(plot("--available").first, 2) << "a report that is not in order is not left out";
  fs::remove(results / "fig01_double_pendulum.json");
  EXPECT_EQ(plot().first, 2);
  const auto [status, output] = plot("--available");
  EXPECT_EQ(status, 0);
  EXPECT_NE(output.find("fig01: left out"), std::string::npos) << output;
}

TEST_F(Plot, says_what_is_wrong_with_a_series) {
  const fs::path csv = results / "fig01_double_pendulum.shake.csv";
  const std::string good = text_of(csv);
  const auto expect_refused = [&](const std::string& part) {
    const auto [status, output] = plot();
    EXPECT_EQ(status, 2);
    EXPECT_NE(output.find(csv.string() + ": " + part), std::string::npos) << output;
  };
  std::ofstream(csv) << replaced(good, "x2_error", "x1_error");
  expect_refused("line 1");
  std::ofstream(csv) << good << "50.5,nan,0,0\n";
  expect_refused("line 103");
  std::ofstream(csv) << good << "50.5,0,0\n";
  expect_refused("line 103");
  std::ofstream(csv) << good << "50.5,0,0,0,\n";
  expect_refused("line 103");
  std::ofstream(csv) << good << "50.5,0,0,0\n";
  expect_refused("has 102 rows of numbers, but fig01_double_pendulum.json announces 101");
  std::ofstream(csv) << good.substr(0, good.rfind('\n', good.size() - 2) + 1);
  expect_refused("has 100 rows of numbers, but fig01_double_pendulum.json announces 101");
  std::ofstream(csv) << good.substr(0, good.find('\n') + 1);
  expect_refused("has no rows");
  fs::remove(csv);
  expect_refused("cannot be read");
}

TEST_F(Plot, asks_for_gnuplot_where_it_is_missing) {
  const auto [status, output] = plot("fig01", "PATH=/nonexistent");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("gnuplot: not found"), std::string::npos) << output;
  EXPECT_NE(output.find("apt-get install"), std::string::npos) << output;
}

TEST_F(Plot, notices_a_gnuplot_that_fails) {
  ASSERT_EQ(plot().first, 0);
  const std::string figure = text_of(figures / "fig01.svg");
  std::ofstream(folder / "gnuplot") << "#!/bin/sh\nexit 1\n";
  fs::permissions(folder / "gnuplot", fs::perms{0755});
  const auto [status, output] = plot("fig01", "PATH=" + folder.string() + ":$PATH");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("fig01.svg"), std::string::npos) << output;
  EXPECT_EQ(text_of(figures / "fig01.svg"), figure);
  EXPECT_TRUE(no_temporary_in(figures));
}

TEST_F(Plot, a_full_disk_leaves_the_previous_figure_intact) {
  ASSERT_EQ(plot().first, 0);
  const std::string figure = text_of(figures / "fig01.svg");
  // Two blocks, of 512 or 1024 bytes by shell: no figure fits.
  const auto [status, output] = plot("fig01", "ulimit -f 2;");
  EXPECT_EQ(status, 2) << output;
  EXPECT_NE(output.find("fig01.svg"), std::string::npos) << output;
  EXPECT_EQ(text_of(figures / "fig01.svg"), figure);
  EXPECT_TRUE(no_temporary_in(figures));
}

TEST_F(Plot, an_impossible_folder_is_named) {
  std::ofstream(folder / "file") << "in the way";
  const auto [status, output] = run(program + " " + results.string() + " " + (folder / "file" / "figures").string());
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find((folder / "file" / "figures").string()), std::string::npos) << output;
}

}  // namespace
