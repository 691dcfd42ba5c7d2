// SPDX-License-Identifier: MIT
#include "drawing.hpp"

#include <gnuplot-iostream.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>

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

/// The range of a panel that states none: that of its curves, with a little room.
std::pair<double, double> range_of(const Panel& panel) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : panel.curves) {
    for (const auto& [x, y] : curve.points) {
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  const double room = high > low ? 0.06 * (high - low) : std::max(std::abs(high), 1.0) * 0.1;
  return {low - room, high + room};
}

/// What the texts around the axes take, in pixels: numbers and a label below, a title above.
constexpr double below_axis_without_label = 4, below_axis_with_label = 62, above_axis_with_title = 30;

double below_axis(const Panel& panel) {
  return panel.x_label.empty() ? below_axis_without_label : below_axis_with_label;
}

/// The legend's columns and where it ends, in pixels. gnuplot takes fewer columns where they would not fit, and then it
/// is longer than the canvas: so the columns are counted here, by widths that are rather too large.
struct Legend {
  int columns = 1;
  double end = 0;
};
Legend legend_of(const Panel& panel, const Box& box) {
  constexpr double character = 10.4, sample_and_gaps = 62, row = 19.5;
  std::size_t entries = 0, longest = 0;
  for (const Curve& curve : panel.curves) {
    if (curve.title.empty()) continue;
    ++entries;
    longest = std::max(longest, curve.title.size());
  }
  Legend legend;
  const double fit = (box.right - box.left) / (character * static_cast<double>(longest) + sample_and_gaps);
  legend.columns = static_cast<int>(std::clamp(std::floor(fit), 1.0, 3.0));
  const double rows = std::ceil(static_cast<double>(entries) / legend.columns);
  legend.end = box.bottom + below_axis(panel) + row * (rows + 0.5);
  return legend;
}

/// Where a panel with its texts ends, in pixels.
double end_of(const Panel& panel, const Box& box) {
  return panel.legend ? legend_of(panel, box).end : box.bottom + below_axis(panel);
}

/// The panels, each as far down as the texts of those above it need; panels beside each other stay so.
std::vector<std::pair<Panel, Box>> without_overlap(std::vector<std::pair<Panel, Box>> panels) {
  std::stable_sort(panels.begin(), panels.end(),
                   [](const auto& a, const auto& b) { return a.second.top < b.second.top; });
  const std::vector<std::pair<Panel, Box>> asked = panels;
  double shift = 0;
  for (std::size_t i = 0; i < panels.size();) {
    std::size_t end = i;
    while (end < panels.size() && asked[end].second.top == asked[i].second.top) ++end;
    for (std::size_t below = i; below < end; ++below) {
      const auto& [panel, box] = asked[below];
      const double room = panel.title.empty() ? 0 : above_axis_with_title;
      for (std::size_t above = 0; above < i; ++above) {
        const Box& its = asked[above].second;
        if (its.bottom <= box.top && its.left < box.right && box.left < its.right)
          shift = std::max(shift, end_of(panels[above].first, panels[above].second) + room - box.top);
      }
    }
    for (; i < end; ++i) {
      panels[i].second.top += shift;
      panels[i].second.bottom += shift;
    }
  }
  return panels;
}

void draw_panel(Gnuplot& gnuplot, const Panel& panel, const Box& box, int width, int height) {
  gnuplot << "unset logscale\nset autoscale\nset format '%g'\nunset title\nunset xlabel\nunset ylabel\n";
  gnuplot << "set lmargin at screen " << box.left / width << "\nset rmargin at screen " << box.right / width
          << "\nset tmargin at screen " << 1 - box.top / height << "\nset bmargin at screen " << 1 - box.bottom / height
          << "\n";
  if (!panel.title.empty()) gnuplot << "set title \"" << panel.title << "\" offset 0,-0.6\n";
  if (panel.x_label.empty()) {
    gnuplot << "set format x ''\n";
  } else {
    gnuplot << "set xlabel \"" << panel.x_label << "\" offset 0,0.4\n";
  }
  if (!panel.y_label.empty()) gnuplot << "set ylabel \"" << panel.y_label << "\"\n";
  if (panel.x_range) gnuplot << "set xrange [" << panel.x_range->first << ":" << panel.x_range->second << "]\n";
  if (panel.logarithmic_y) {
    gnuplot << "set logscale y\nset format y '10^{%L}'\nset ytics autofreq\n";
    if (panel.y_range) gnuplot << "set yrange [" << panel.y_range->first << ":" << panel.y_range->second << "]\n";
  } else {
    const auto [low, high] = panel.y_range.value_or(range_of(panel));
    gnuplot << "set yrange [" << low << ":" << high << "]\n"
            << "set ytics " << tick_distance(low, high) << "\n";
  }
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
            << (curve.title.empty() ? " notitle" : " title \"" + curve.title + "\"");
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

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
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

  const std::vector<std::pair<Panel, Box>> panels = without_overlap(panels_);
  int height = height_;
  for (const auto& [panel, box] : panels) height = std::max(height, static_cast<int>(std::ceil(end_of(panel, box))));

  const auto draw = [&](const std::string& terminal, const fs::path& file) {
    Gnuplot gnuplot("LC_ALL=C.UTF-8 gnuplot -d");
    gnuplot << "set encoding utf8\nset terminal " << terminal << "\nset output " << quoted(file.string())
            << "\nset border 3 linecolor rgb '#444444' linewidth 1\nset grid linecolor rgb '#dddddd' linetype 1 "
               "linewidth 0.5\n"
            << "set tics nomirror out scale 0.6\nset samples 2\nset multiplot\n";
    for (const auto& [panel, box] : panels) draw_panel(gnuplot, panel, box, width_, height);
    gnuplot << "unset multiplot\nunset output\n";
  };
  const std::string size = std::to_string(width_) + "," + std::to_string(height);
  const std::string double_size = std::to_string(2 * width_) + "," + std::to_string(2 * height);

  std::vector<fs::path> written;
  const fs::path svg = folder / (name + ".svg");
  const Temporary svg_file(svg, ".svg.tmp");
  draw("svg enhanced size " + size +
           " background rgb 'white' font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' name 'livi'",
       svg_file.name());
  if (!ends_with(svg_file.name(), svg_ending)) {
    throw PlotError(svg.string() + ": gnuplot did not draw it (its message is above; a full disk leaves none)");
  }
  const std::string compact = with_compact_dots(text_of(svg_file.name()));
  std::ofstream(svg_file.name(), std::ios::binary) << compact;
  if (!ends_with(svg_file.name(), svg_ending)) throw PlotError(svg.string() + ": cannot be written whole");

  const fs::path png = folder / (name + ".png");
  const Temporary png_file(png, ".png.tmp");
  bool has_png = true;
  if (has_pngcairo()) {
    draw("pngcairo enhanced size " + double_size +
             " background rgb 'white' font 'DejaVu Sans,10' fontscale 2 linewidth 2",
         png_file.name());
  } else if (on_path("rsvg-convert")) {
    succeeds("rsvg-convert --zoom 2 -o " + quoted(png_file.name().string()) + " " + quoted(svg_file.name().string()));
  } else {
    has_png = false;  // the SVG is the figure; a PNG is a convenience of machines that can make one
  }
  if (has_png && !ends_with(png_file.name(), png_ending)) throw PlotError(png.string() + ": could not be drawn");

  svg_file.become_target();
  written.push_back(svg);
  if (has_png) {
    png_file.become_target();
    written.push_back(png);
  }
  return written;
}

}  // namespace livi::plots
