// SPDX-License-Identifier: MIT
// Reads the specifications of figures.
#include "figure.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>

namespace livi::plots {
namespace {

using nlohmann::json;

/// A member of an object: how it is read, and what is allowed there.
struct Member {
  std::function<void(const json& value)> read;
  std::string allowed;
};
struct NotAllowed : std::exception {};
using Members = std::map<std::string, Member>;

[[noreturn]] void refuse(const std::string& where, const json& value, const std::string& allowed) {
  std::string text = value.dump();
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  throw PlotError(where + " = " + text + ": must be " + allowed);
}

void read_object(const std::string& where, const json& object, const Members& members) {
  if (!object.is_object()) refuse(where, object, "an object");
  for (const auto& [key, value] : object.items()) {
    const auto member = members.find(key);
    if (member == members.end()) {
      std::string names;
      for (const auto& [name, unused] : members) names += (names.empty() ? "" : ", ") + name;
      throw PlotError(where + ": has a member '" + key + "'; allowed are " + names);
    }
    try {
      member->second.read(value);
    } catch (const std::exception&) {
      refuse(where + ": " + key, value, member->second.allowed);
    }
  }
}

template <typename Value>
Member plain(Value& to, const std::string& allowed) {
  return {[&to](const json& value) { value.get_to(to); }, allowed};
}
Member text(std::string& to) { return plain(to, "a text"); }
Member truth(bool& to) { return plain(to, "true or false"); }
Member real(double& to) { return plain(to, "a number"); }

/// Exactly `count` numbers.
std::vector<double> numbers_in(const json& value, std::size_t count) {
  auto numbers = value.get<std::vector<double>>();
  if (numbers.size() != count) throw NotAllowed();
  return numbers;
}

Member range(std::optional<std::pair<double, double>>& to) {
  return {[&to](const json& value) {
            const std::vector<double> ends = numbers_in(value, 2);
            if (!(ends[0] < ends[1])) throw NotAllowed();
            to = {ends[0], ends[1]};
          },
          "[low, high]"};
}

/// One of named values.
template <typename Value>
Member choice(Value& to, const std::map<std::string, Value>& values) {
  std::string names;
  for (const auto& [name, unused] : values) names += (names.empty() ? "one of " : ", ") + name;
  return {[&to, values](const json& value) {
            const auto found = values.find(value.get<std::string>());
            if (found == values.end()) throw NotAllowed();
            to = found->second;
          },
          names.empty() ? "left out: there is none" : names};
}

class Reader {
 public:
  Reader(std::string file, const Special& special) : file_(std::move(file)), special_(special) {}

  Figure figure(const json& object) {
    Figure result;
    where_ = file_ + ": figure " + (object.is_object() ? object.value("name", json()).dump() : "");
    lists_ = all_ = json::object();
    json rows = json::array();
    read_object(where_, object,
                {{"name", text(result.name)},
                 {"experiment", text(result.experiment)},
                 {"what", text(result.what)},
                 {"finding",
                  {[&](const json& value) {
                     value.at(0).get_to(result.sentence);
                     result.numbers = {value.begin() + 1, value.end()};
                   },
                   "[sentence, measurement or claim, ...]"}},
                 {"lists", {[&](const json& value) { lists_ = value; }, "an object"}},
                 {"all_panels", {[&](const json& value) { all_ = value; }, "an object"}},
                 {"rows", {[&](const json& value) { rows = value.get<json::array_t>(); }, "a list of rows"}}});
    for (const json& row : rows) result.rows.push_back(this->row(row));
    const auto code = special_.figures.find(result.name);
    if (code != special_.figures.end()) result.code = code->second;
    if (result.name.empty() || result.experiment.empty()) throw PlotError(where_ + ": has no name or no experiment");
    if (result.sentence.empty() == (result.code.finding == nullptr))
      throw PlotError(where_ + ": needs a finding, either here or in code");
    return result;
  }

 private:
  Row row(const json& object) {
    Row result{0, {}};
    bool as_wide = false;
    json all = all_, panels = json::array();
    read_object(where_ + ": row", object,
                {{"height",
                  {[&](const json& value) {
                     as_wide = value == "width";
                     if (!as_wide) value.get_to(result.height);
                   },
                   "a number of pixels, or \"width\""}},
                 {"all_panels", {[&](const json& value) { all.update(value); }, "an object"}},
                 {"panels", {[&](const json& value) { panels = value.get<json::array_t>(); }, "a list of panels"}}});
    for (const json& of_panel : panels) {
      json panel = all;
      if (!of_panel.is_object()) refuse(where_ + ": panel", of_panel, "an object");
      panel.update(of_panel);
      result.panels.push_back(this->panel(panel));
    }
    if (as_wide) result.height = Drawing::axes_width(result.panels.size());
    return result;
  }

  Panel panel(const json& object) {
    Panel result;
    const std::string where = where_ + ": panel " + object.value("title", json("")).dump();
    json curves = json::array();
    read_object(where, object,
                {{"title", text(result.title)},
                 {"series", text(result.series)},
                 {"x", text(result.x)},
                 {"y", text(result.y)},
                 {"x_label", text(result.x_label)},
                 {"y_label", text(result.y_label)},
                 {"x_range", range(result.x_range)},
                 {"y_range", range(result.y_range)},
                 {"log_x", truth(result.log_x)},
                 {"log_y", truth(result.log_y)},
                 {"legend", truth(result.legend)},
                 {"width", real(result.width)},
                 {"change", choice(result.change, special_.changes)},
                 {"thin", plain(result.thin, "a number of points")},
                 {"above", real(result.above)},
                 {"up_to", real(result.up_to)},
                 {"clip", truth(result.clip)},
                 {"tight", truth(result.tight)},
                 {"curves", {[&](const json& value) { curves = value.get<json::array_t>(); }, "a list of curves"}}});
    for (const json& curve : curves) {
      if (curve.is_object()) {
        result.curves.push_back(this->curve(where, curve));
        continue;
      }
      if (!curve.is_string() || !lists_.contains(curve.get<std::string>()))
        refuse(where + ": curves", curve, "an object or the name of a list of the figure");
      for (const json& of_list : lists_.at(curve.get<std::string>()))
        result.curves.push_back(this->curve(where, of_list));
    }
    return result;
  }

  [[nodiscard]] Curve curve(const std::string& where, const json& object) const {
    Curve result;
    static const std::map<std::string, Colour> colours{
        {"black", black}, {"orange", orange},       {"sky_blue", sky_blue}, {"green", green}, {"yellow", yellow},
        {"blue", blue},   {"vermilion", vermilion}, {"purple", purple},     {"grey", grey}};
    read_object(
        where + ": curve", object,
        {{"title", text(result.title)},
         {"colour", choice(result.colour, colours)},
         {"series", text(result.series)},
         {"x", text(result.x)},
         {"y", text(result.y)},
         {"points", plain(result.points, "a list of [x, y]")},
         {"circle",
          {[&](const json& value) {
             const std::vector<double> c = numbers_in(value, 4);
             result.points = circle({c[0], c[1]}, c[2], static_cast<int>(c[3]));
           },
           "[x, y, radius, sides]"}},
         {"power_law",
          {[&](const json& value) {
             const std::vector<double> law = numbers_in(value, 4);
             for (const double x : {law[2], law[3]}) result.points.emplace_back(x, law[1] * std::pow(x, law[0]));
           },
           "[power, y at 1, from, to]"}},
         {"width", real(result.width)},
         {"dashed", truth(result.dashed)},
         {"dots", truth(result.dots)},
         {"marks", real(result.marks)},
         {"bars", real(result.bars)},
         {"bar_width", real(result.bar_width)},
         {"band", real(result.band)},
         {"aside", real(result.aside)},
         {"where",
          {[&](const json& value) {
             result.where = {value.at(0).get<std::string>(), value.at(1).get<double>(), value.at(2).get<double>()};
           },
           "[column, from, below]"}},
         {"change", choice(result.change, special_.changes)}});
    return result;
  }

  std::string file_, where_;
  const Special& special_;
  json lists_, all_;
};

}  // namespace

std::vector<Figure> figures_of(const std::filesystem::path& specification, const Special& special) {
  std::ifstream stream(specification);
  if (!stream) throw PlotError(specification.string() + ": cannot be read");
  std::vector<Figure> figures;
  try {
    // A second member of one name would replace the first.
    std::vector<std::set<std::string>> names;
    const auto once = [&](int, json::parse_event_t event, json& parsed) {
      if (event == json::parse_event_t::object_start) names.emplace_back();
      if (event == json::parse_event_t::object_end) names.pop_back();
      if (event == json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second)
        throw PlotError(specification.string() + ": has " + parsed.dump() + " twice in one object");
      return true;
    };
    const json content = json::parse(stream, once);
    Reader reader(specification.string(), special);
    for (const json& object : content.get_ref<const json::array_t&>()) figures.push_back(reader.figure(object));
  } catch (const json::exception& error) {
    throw PlotError(specification.string() + ": is not a list of figures: " + error.what());
  }
  for (const auto& [name, unused] : special.figures)
    if (std::ranges::find(figures, name, &Figure::name) == figures.end())
      throw PlotError(specification.string() + ": has no figure '" + name + "', for which there is code");
  return figures;
}

std::vector<Figure> all_figures(const std::filesystem::path& folder) {
  Special to14 = to14_pendula(), molecules = to14_molecules();
  to14.figures.merge(molecules.figures);
  to14.changes.merge(molecules.changes);
  std::vector<Figure> all;
  for (const auto& [file, special] : {std::pair("to14.json", to14), std::pair("bos09.json", bos09()),
                                      std::pair("bo07.json", bo07()), std::pair("cs101.json", cs101())})
    for (Figure& figure : figures_of(folder / file, special)) all.push_back(std::move(figure));
  return all;
}

}  // namespace livi::plots
