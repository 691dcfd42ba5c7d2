// SPDX-License-Identifier: MIT
//
// One file: the layout counts the sizes of texts that the commands to gnuplot give them.
#include "drawing.hpp"

#include <gnuplot-iostream.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <system_error>
#include <tuple>

namespace livi::plots {
namespace {

namespace fs = std::filesystem;

/// Wide enough that every pixel column of the widest panel has its own lowest and highest point.
constexpr std::size_t kBuckets = 1000;

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Text in single quotes, as both gnuplot and the shell want it (neither takes a quote inside, so a folder's name must
/// not have one).
std::string quoted(const std::string& text) {
  if (text.find_first_of("'\n") != std::string::npos)
    throw PlotError(text + ": a file name with a quote or line break cannot be drawn into");
  return "'" + text + "'";
}

bool succeeds(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool has_pngcairo() {
  static const bool has =
      succeeds("gnuplot -d -e 'if (strstrt(GPVAL_TERMINALS, \"pngcairo\") == 0) { exit status 1 }'");
  return has;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// gnuplot does not always say that it could not write: a complete file ends as its format asks.
bool ends_with(const fs::path& file, const std::string& ending) {
  const std::string content = text_of(file);
  return content.size() > ending.size() && content.ends_with(ending);
}

/// `svg` with each run of dots of one size and colour as one path: strokes of no length with round ends, of 17 bytes a
/// dot where gnuplot writes 110. What does not look like gnuplot's dots stays as it is.
std::string with_compact_dots(const std::string& svg) {
  // gnuplot's filled dot is its circle of radius 1 filled, and the border of that is still stroked.
  const std::string circle = "<circle id='gpPt5' stroke-width='";
  const auto definition = svg.find(circle);
  if (definition == std::string::npos) return svg;
  const double diameter = 2 + std::stod(svg.substr(definition + circle.size()));

  const std::string begin = "\t<use xlink:href='#gpPt6' transform='translate(", scale = ") scale(",
                    colour = ")' color='", end = "'/>";
  std::istringstream lines(svg);
  std::ostringstream compact;
  std::string run;  // scale and colour of the path that is open, empty if none is
  for (std::string line; std::getline(lines, line);) {
    const auto at_scale = line.find(scale), at_colour = line.find(colour);
    const bool is_dot = line.starts_with(begin) && at_scale != std::string::npos && at_colour != std::string::npos &&
                        line.ends_with(end);
    const std::string its_run = is_dot ? line.substr(at_scale) : "";
    if (!run.empty() && its_run != run) compact << end << "\n";
    if (!is_dot) {
      compact << line << "\n";
    } else {
      if (its_run != run) {
        const auto at_name = at_colour + colour.size();
        compact << "\t<path fill='none' stroke-linecap='round' stroke-width='"
                << diameter * std::stod(line.substr(at_scale + scale.size())) << "' stroke='"
                << line.substr(at_name, line.size() - end.size() - at_name) << "' d='";
      }
      compact << "M" << line.substr(begin.size(), at_scale - begin.size()) << "h0";
    }
    run = its_run;
  }
  return compact.str();
}

const std::string fonts = "DejaVu Sans,Helvetica,Arial,sans-serif";

/// `svg` with the spaces of its texts kept: gnuplot begins the part after an index or an exponent with one, and some
/// programs, rsvg-convert among them, drop a space in that place.
std::string with_all_spaces(std::string svg) {
  const std::string text = "<text>", all = "<text xml:space=\"preserve\">";
  for (auto at = svg.find(text); at != std::string::npos; at = svg.find(text, at + all.size()))
    svg.replace(at, text.size(), all);
  return svg;
}

/// `svg` with the other fonts named for bold letters, too, where gnuplot names only the first.
std::string with_all_fonts(std::string svg) {
  const std::string first = "font-family=\"" + fonts.substr(0, fonts.find(',')) + "\"",
                    all = "font-family=\"" + fonts + "\"";
  for (auto at = svg.find(first); at != std::string::npos; at = svg.find(first, at + all.size()))
    svg.replace(at, first.size(), all);
  return svg;
}

const std::string svg_ending = "</svg>\n\n";
const std::string png_ending("IEND\xAE\x42\x60\x82", 8);

/// A temporary file name that disappears with the object, unless it was renamed.
class Temporary {
 public:
  Temporary(const fs::path& target, const std::string& extension)
      : target_(target),
        name_(target.parent_path() / ("." + target.stem().string() + "." + std::to_string(getpid()) + extension)) {}
  ~Temporary() {
    std::error_code ignored;
    fs::remove(name_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const fs::path& name() const { return name_; }
  void become_target() const {
    std::error_code error;
    fs::rename(name_, target_, error);
    if (error) throw PlotError(target_.string() + ": cannot be written: " + error.message());
  }

 private:
  fs::path target_;
  fs::path name_;
};

/// The distance of the ticks of an axis: the largest of 1, 2 or 5 times a power of ten that puts at least two of them
/// on it.
double tick_distance(double low, double high) {
  const double power = std::pow(10, std::ceil(std::log10(high - low)));
  for (const double factor : {1.0, 0.5, 0.2, 0.1, 0.05}) {
    const double distance = factor * power;
    if (std::floor(high / distance) - std::ceil(low / distance) >= 1) return distance;
  }
  return 0.02 * power;
}

/// The least and the largest coordinate of the curves.
std::pair<double, double> extremes(const Panel& panel, double Points::value_type::*coordinate) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& curve : panel.curves) {
    for (const auto& point : curve.points) {
      low = std::min(low, point.*coordinate);
      high = std::max(high, point.*coordinate);
    }
  }
  return {low, high};
}

/// The range of a panel that states none: that of its curves, with a little room.
std::pair<double, double> range_of(const Panel& panel) {
  const auto [low, high] = extremes(panel, &Points::value_type::second);
  const double room = high > low ? 0.06 * (high - low) : std::max(std::abs(high), 1.0) * 0.1;
  return {low - room, high + room};
}

/// The width of every canvas, in pixels: figures that stand below each other on a page have letters of one size.
constexpr double canvas_width = 1000;

/// The place of a panel's axes on the canvas, in pixels from the upper left corner.
struct Box {
  double left;
  double top;
  double right;
  double bottom;
};

/// What the texts around the axes take, in pixels: numbers and a label below, a title above, numbers and a label at the
/// left, half a number at the right.
constexpr double below_axis_without_label = 4, below_axis_with_label = 62, above_axis_with_title = 30,
                 above_axis_without_title = 8, left_of_axis = 96, right_of_axis = 20, around_axis_without_label = 12;

std::size_t lines_of(const std::string& text) {
  std::size_t lines = 1;
  for (auto at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at + 1)) ++lines;
  return lines;
}

double below_axis(const Panel& panel) {
  if (panel.x_label.empty() && panel.x_names.empty()) return below_axis_without_label;
  std::size_t lines = 1;
  for (const auto& [x, name] : panel.x_names) lines = std::max(lines, lines_of(name));
  return below_axis_with_label + 16 * static_cast<double>(lines - 1) - (panel.x_label.empty() ? 10 : 0);
}

/// The letters that are seen: no markup, and those of several bytes once.
std::size_t letters_in(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return std::string("{}^_\\").find(c) == std::string::npos && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// `text` with the names of Greek letters, where they are words, made these letters, and with what gnuplot would take
/// for its own signs shielded.
std::string shown(const std::string& text) {
  static const std::map<std::string, std::string> letters{{"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"},
                                                          {"eta", "η"},   {"theta", "θ"}, {"lambda", "λ"},
                                                          {"omega", "ω"}, {"phi", "φ"},   {"pi", "π"}};
  std::string result, word;
  const auto end_word = [&] {
    const auto found = letters.find(word);
    result += found == letters.end() ? word : found->second;
    word.clear();
  };
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    end_word();
    if (c == '&') result += "\\\\";
    if (c == '"') result += "\\";
    result += c;
  }
  end_word();
  return result;
}

/// `text` in lines of so many letters at most.
std::vector<std::string> in_lines(const std::string& text, std::size_t letters_a_line) {
  std::istringstream words(text);
  std::vector<std::string> lines;
  for (std::string word; words >> word;) {
    if (lines.empty() || letters_in(lines.back()) + 1 + letters_in(word) > letters_a_line) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

/// The finding in one line of the canvas or in two of about one length.
std::vector<std::string> lines_of_finding(const std::string& finding) {
  constexpr std::size_t letters_a_line = 104;
  // "h = 0.1" stays in one line.
  std::string text = shown(finding);
  const std::string equals = " = ", unbroken = "\u00a0=\u00a0";
  for (auto at = text.find(equals); at != std::string::npos; at = text.find(equals, at + unbroken.size()))
    text.replace(at, equals.size(), unbroken);
  std::vector<std::string> lines = in_lines(text, letters_a_line);
  if (lines.empty() || lines.size() > 2) throw PlotError("a figure has a finding of one or two lines, not: " + finding);
  for (std::size_t letters = letters_in(text) / 2; lines.size() == 2 && letters <= letters_a_line; ++letters) {
    std::vector<std::string> shorter = in_lines(text, letters);
    if (shorter.size() == 2) return shorter;
  }
  return lines;
}
constexpr double first_line_of_finding = 18, line_of_finding = 21, below_finding = 10;

/// The legend's columns and where it ends, in pixels. gnuplot takes fewer columns where they would not fit, and then it
/// is longer than the canvas: so the columns are counted here, by widths that are rather too large.
struct Legend {
  int columns = 1;
  double end = 0;
};
Legend legend_of(const Panel& panel, const Box& box) {
  constexpr double character = 9.3, sample_and_gaps = 62, row = 19.5;
  std::size_t entries = 0, longest = 0;
  for (const Curve& curve : panel.curves) {
    if (curve.title.empty()) continue;
    ++entries;
    longest = std::max(longest, letters_in(shown(curve.title)));
  }
  Legend legend;
  const double fit = (box.right - box.left) / (character * static_cast<double>(longest) + sample_and_gaps);
  legend.columns = static_cast<int>(std::clamp(std::floor(fit), 1.0, 4.0));
  const double rows = std::ceil(static_cast<double>(entries) / legend.columns);
  legend.end = box.bottom + below_axis(panel) + row * (rows + 0.5);
  return legend;
}

/// Where a panel with its texts ends, in pixels.
double end_of(const Panel& panel, const Box& box) {
  return panel.legend ? legend_of(panel, box).end : box.bottom + below_axis(panel);
}

/// More than eight curves cannot be told apart, nor two of one look.
void require_distinct_curves(const Panel& panel) {
  std::set<std::tuple<Colour, bool, bool>> looks;
  std::size_t entries = 0;
  for (const Curve& curve : panel.curves) {
    if (curve.title.empty()) continue;
    ++entries;
    if (!looks.emplace(curve.colour, curve.dashed, curve.dots).second)
      throw PlotError("panel '" + panel.title + "': '" + curve.title + "' looks like a curve before it");
  }
  if (entries > 8) throw PlotError("panel '" + panel.title + "': more than eight curves in a legend");
}

/// An axis of this range on a logarithmic scale: powers of ten where it has at least two, else 1, 2 and 5 times them.
std::string logarithmic_ticks(char axis, double low, double high) {
  std::ostringstream commands;
  commands << "set logscale " << axis << "\n";
  const double first = std::ceil(std::log10(low) - 1e-9), last = std::floor(std::log10(high) + 1e-9);
  if (last - first >= 1) {
    commands << "set format " << axis << (first < -3 || last > 5 ? " '10^{%L}'" : " '%g'") << "\nset " << axis
             << "tics autofreq\n";
    return commands.str();
  }
  commands << "set " << axis << "tics (";
  const char* separator = "";
  for (double power = first - 1; power <= last + 1; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, power);
      if (tick < low * (1 - 1e-9) || tick > high * (1 + 1e-9)) continue;
      commands << separator << tick;
      separator = ", ";
    }
  }
  commands << ")\n";
  return commands.str();
}

/// Returns the range of x with a little room, for a logarithmic axis that states no range.
std::pair<double, double> logarithmic_x_range(const Panel& panel) {
  const auto [low, high] = x_range_of(panel);
  if (!(low > 0) || !(high < std::numeric_limits<double>::infinity()))
    throw PlotError("panel '" + panel.title + "': has no positive x for a logarithmic axis");
  const double room = std::pow(high / low, 0.03);
  return {low / room, high * room};
}

void draw_panel(Gnuplot& gnuplot, const Panel& panel, const Box& box, double height) {
  gnuplot << "unset logscale\nset autoscale\nset format '%g'\nset xtics autofreq\nunset title\nunset xlabel\nunset "
             "ylabel\n";
  gnuplot << "set lmargin at screen " << box.left / canvas_width << "\nset rmargin at screen "
          << box.right / canvas_width << "\nset tmargin at screen " << 1 - box.top / height
          << "\nset bmargin at screen " << 1 - box.bottom / height << "\n";
  if (!panel.title.empty()) gnuplot << "set title \"" << shown(panel.title) << "\" offset 0,-0.6\n";
  if (panel.x_label.empty() && panel.x_names.empty()) {
    gnuplot << "set format x ''\n";
  } else if (!panel.x_label.empty()) {
    gnuplot << "set xlabel \"" << shown(panel.x_label) << "\" offset 0,0.4\n";
  }
  if (!panel.y_label.empty()) gnuplot << "set ylabel \"" << shown(panel.y_label) << "\"\n";
  std::optional<std::pair<double, double>> x_range = panel.x_range;
  if (panel.tight) x_range = x_range_of(panel);
  if (panel.log_x) {
    if (!x_range) x_range = logarithmic_x_range(panel);
    gnuplot << logarithmic_ticks('x', x_range->first, x_range->second);
  }
  // Numbers of narrow axes would run into each other.
  constexpr double narrow = 300;
  if (box.right - box.left < narrow && !panel.log_x && !panel.x_label.empty()) {
    const auto [low, high] = x_range.value_or(x_range_of(panel));
    gnuplot << "set xtics " << tick_distance(low, high) << "\n";
  }
  if (x_range) gnuplot << "set xrange [" << x_range->first << ":" << x_range->second << "]\n";
  if (!panel.x_names.empty()) {
    const char* separator = "set xtics (";
    for (const auto& [x, name] : panel.x_names) {
      gnuplot << separator << '"' << shown(name) << "\" " << x;
      separator = ", ";
    }
    gnuplot << ")\n";
  }
  if (panel.log_y && panel.y_range) {
    gnuplot << logarithmic_ticks('y', panel.y_range->first, panel.y_range->second) << "set yrange ["
            << panel.y_range->first << ":" << panel.y_range->second << "]\n";
  } else if (panel.log_y) {
    gnuplot << "set logscale y\nset format y '10^{%L}'\nset ytics autofreq\n";
  } else {
    const auto [low, high] = panel.y_range.value_or(range_of(panel));
    gnuplot << "set yrange [" << low << ":" << high << "]\n"
            << "set ytics " << tick_distance(low, high) << "\n";
  }
  if (panel.y_label.empty()) gnuplot << "set format y ''\n";
  if (panel.legend) {
    gnuplot << "set key at graph 0.5, graph " << -below_axis(panel) / (box.bottom - box.top)
            << " center top horizontal maxcols " << legend_of(panel, box).columns << " samplen 3\n";
  } else {
    gnuplot << "unset key\n";
  }

  const char* separator = "plot ";
  for (const Curve& curve : panel.curves) {
    gnuplot << separator << "'-' with ";
    if (curve.dots) {
      gnuplot << "points pointtype 7 pointsize " << curve.width / 10;
    } else {
      gnuplot << "lines linewidth " << curve.width << " dashtype " << (curve.dashed ? "'--'" : "solid");
    }
    gnuplot << " linecolor rgb '" << hexadecimal(curve.colour) << "'"
            << (curve.title.empty() ? " notitle" : " title \"" + shown(curve.title) + "\"");
    separator = ", ";
  }
  gnuplot << "\n";
  for (const Curve& curve : panel.curves) {
    gnuplot.send1d(curve.dots ? curve.points : thinned(curve.points, kBuckets));
  }
}

}  // namespace

std::string hexadecimal(Colour colour) {
  switch (colour) {
    case Colour::black:
      return "#000000";
    case Colour::orange:
      return "#E69F00";
    case Colour::sky_blue:
      return "#56B4E9";
    case Colour::green:
      return "#009E73";
    case Colour::yellow:
      return "#F0E442";
    case Colour::blue:
      return "#0072B2";
    case Colour::vermilion:
      return "#D55E00";
    case Colour::purple:
      return "#CC79A7";
    case Colour::grey:
      return "#777777";
  }
  throw PlotError("colour: not one of the palette");
}

std::pair<double, double> x_range_of(const Panel& panel) { return extremes(panel, &Points::value_type::first); }

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

std::string number(double value, int digits) {
  std::array<char, 32> text{};
  const double size = std::abs(value);
  if (size != 0 && (size < 0.99e-4 || size >= 1e5)) {
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
    const std::string written = text.data();
    const auto exponent = written.find('e');
    return written.substr(0, exponent) + "·10^{" + std::to_string(std::stoi(written.substr(exponent + 1))) + "}";
  }
  // Rounded first: 0.998 is 1.0, and 2136 is 2100.
  const double power = size == 0 ? 0 : std::floor(std::log10(size)) - digits + 1;
  const double rounded = std::round(value / std::pow(10, power)) * std::pow(10, power);
  const double magnitude = rounded == 0 ? 0 : std::floor(std::log10(std::abs(rounded)) + 1e-9);
  std::snprintf(text.data(), text.size(), "%.*f", std::max(0, digits - 1 - static_cast<int>(magnitude)), rounded);
  return text.data();
}

std::string sentence(const std::string& text, const std::vector<double>& numbers) {
  std::string result;
  auto value = numbers.begin();
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool has_digits = text.compare(at, 2, "{:") == 0;
    if (!has_digits && text.compare(at, 2, "{}") != 0) {
      result += text[at];
      continue;
    }
    if (value == numbers.end()) throw PlotError("a sentence without enough numbers: " + text);
    result += has_digits ? number(*value, text.at(at + 2) - '0') : number(*value);
    ++value;
    at = text.find('}', at);
  }
  if (value != numbers.end()) throw PlotError("a sentence with too many numbers: " + text);
  return result;
}

double Drawing::axes_width(std::size_t columns) {
  return canvas_width / static_cast<double>(columns) - left_of_axis - right_of_axis;
}

/// Where everything is on the canvas.
struct Drawing::Layout {
  std::vector<std::string> finding;
  std::vector<std::pair<const Panel*, Box>> panels = {};
  double height = 0;

  /// All of it by a terminal of gnuplot, the finding in letters of this size.
  void draw(const std::string& terminal, int font, const fs::path& file) const {
    Gnuplot gnuplot("LC_ALL=C.UTF-8 gnuplot -d");
    gnuplot << "set encoding utf8\nset terminal " << terminal << "\nset output " << quoted(file.string()) << "\n";
    for (std::size_t line = 0; line < finding.size(); ++line) {
      const double y = first_line_of_finding + line_of_finding * static_cast<double>(line);
      gnuplot << "set label " << line + 1 << " \"{/:Bold " << finding[line] << "}\" at screen 0.02, screen "
              << 1 - y / height << " left font '," << font << "'\n";
    }
    gnuplot << "set border 3 linecolor rgb '#444444' linewidth 1\nset grid linecolor rgb '#dddddd' linetype 1 "
               "linewidth 0.5\n"
            << "set tics nomirror out scale 0.6\nset samples 2\nset multiplot\n";
    for (const auto& [panel, box] : panels) {
      draw_panel(gnuplot, *panel, box, height);
      gnuplot << "unset label\n";
    }
    gnuplot << "unset multiplot\nunset output\n";
  }

  /// "1000,600" for a canvas of one pixel a pixel, or of `scale`.
  [[nodiscard]] std::string size(int scale) const {
    return std::to_string(scale * static_cast<int>(canvas_width)) + "," +
           std::to_string(scale * static_cast<int>(height));
  }

  void draw_svg(const fs::path& file, const fs::path& target) const {
    draw("svg enhanced size " + size(1) + " background rgb 'white' font '" + fonts + ",13' name 'livi'", 15, file);
    if (!ends_with(file, svg_ending)) {
      throw PlotError(target.string() + ": gnuplot did not draw it (its message is above; a full disk leaves none)");
    }
    const std::string compact = with_all_spaces(with_all_fonts(with_compact_dots(text_of(file))));
    std::ofstream(file, std::ios::binary) << compact;
    if (!ends_with(file, svg_ending)) throw PlotError(target.string() + ": cannot be written whole");
  }

  /// Returns whether this machine can make one: the SVG is the figure, a PNG is a convenience.
  [[nodiscard]] bool draw_png(const fs::path& file, const fs::path& target, const fs::path& svg) const {
    if (has_pngcairo()) {
      draw(
          "pngcairo enhanced size " + size(2) + " background rgb 'white' font 'DejaVu Sans,10' fontscale 2 linewidth 2",
          12, file);
    } else if (on_path("rsvg-convert")) {
      succeeds("rsvg-convert --zoom 2 -o " + quoted(file.string()) + " " + quoted(svg.string()));
    } else {
      return false;
    }
    if (!ends_with(file, png_ending)) throw PlotError(target.string() + ": could not be drawn");
    return true;
  }
};

Drawing::Layout Drawing::layout() const {
  Layout result{.finding = lines_of_finding(finding_)};
  double end = first_line_of_finding + line_of_finding * static_cast<double>(result.finding.size() - 1) + below_finding;
  for (const Row& row : rows_) {
    const bool has_titles =
        std::any_of(row.panels.begin(), row.panels.end(), [](const Panel& p) { return !p.title.empty(); });
    const bool has_numbers =
        std::any_of(row.panels.begin(), row.panels.end(), [](const Panel& p) { return !p.y_label.empty(); });
    const double top = end + (has_titles ? above_axis_with_title : above_axis_without_title);
    const double cell = canvas_width / static_cast<double>(row.panels.size());
    double left = 0;
    for (const Panel& panel : row.panels) {
      require_distinct_curves(panel);
      const Box box{left + (has_numbers ? left_of_axis : around_axis_without_label), top,
                    left + cell - (has_numbers ? right_of_axis : around_axis_without_label), top + row.height};
      result.panels.emplace_back(&panel, box);
      end = std::max(end, end_of(panel, box));
      left += cell;
    }
  }
  result.height = std::ceil(end + 6);
  return result;
}

std::vector<fs::path> Drawing::write(const fs::path& folder, const std::string& name) const {
  if (!on_path("gnuplot")) {
    throw PlotError("gnuplot: not found; install it (Debian: apt-get install gnuplot-nox) and draw again");
  }
  // If gnuplot ends early, its missing file is reported below; the broken pipe must not end this program without a
  // word.
  std::signal(SIGPIPE, SIG_IGN);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw PlotError(folder.string() + ": cannot be made a folder: " + error.message());
  if (access(folder.c_str(), W_OK) != 0) {
    throw PlotError(folder.string() + ": cannot be written: " + std::generic_category().message(errno));
  }

  const Layout layout_of_all = layout();
  const fs::path svg = folder / (name + ".svg"), png = folder / (name + ".png");
  const Temporary svg_file(svg, ".svg.tmp"), png_file(png, ".png.tmp");
  layout_of_all.draw_svg(svg_file.name(), svg);
  const bool has_png = layout_of_all.draw_png(png_file.name(), png, svg_file.name());

  svg_file.become_target();
  if (!has_png) return {svg};
  png_file.become_target();
  return {svg, png};
}

}  // namespace livi::plots
