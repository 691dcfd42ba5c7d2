// SPDX-License-Identifier: MIT
#include <livi/report/xyz.hpp>

#include <livi/scalar/errors.hpp>
#include <livi/text/text_file.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace livi {

namespace {

/// The lines of a text one after the other; a complaint names the file and the line.
class Lines {
 public:
  Lines(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  [[noreturn]] void refuse(const std::string& reason) const {
    throw ReportError(name_ + ":" + std::to_string(number_) + ": " + reason);
  }

 private:
  std::string_view rest_;
  std::string name_;
  long number_ = 0;
};

constexpr std::string_view blanks = " \t";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(blanks); begin < line.size();
       begin = line.find_first_not_of(blanks, begin)) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::string in_marks(std::string_view word) { return "'" + std::string(word) + "'"; }

template <class T>
std::optional<T> parsed(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Returns key=value pairs, with values that contain blanks in quotes; a comment that is not of this form has no
/// remarks.
std::vector<std::pair<std::string, std::string>> remarks_of(std::string_view line, const Lines& lines) {
  std::vector<std::pair<std::string, std::string>> remarks;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) return remarks;
    const std::size_t end = line.find_first_of("= \t");
    if (end >= line.size() || line[end] != '=' || end == 0) {  // a word that stands alone, or one without a name
      line.remove_prefix(std::min(line.find_first_of(blanks), line.size()));
      continue;
    }
    const std::string key(line.substr(0, end));
    line.remove_prefix(end + 1);
    const bool in_quotes = line.starts_with('"');
    if (in_quotes) line.remove_prefix(1);
    const std::size_t close = in_quotes ? line.find('"') : std::min(line.find_first_of(blanks), line.size());
    if (close == std::string_view::npos) lines.refuse("the quotes of " + key + " are not closed");
    remarks.emplace_back(key, line.substr(0, close));
    line.remove_prefix(std::min(close + (in_quotes ? 1 : 0), line.size()));
  }
}

/// The columns of an atom's line.
struct Columns {
  std::size_t species = 0, position = 1, count = 4;
  std::optional<std::size_t> velocity = std::nullopt;
};

Columns columns_of(const std::string& properties, const Lines& lines) {
  std::vector<std::string> fields;
  std::istringstream stream(properties);
  for (std::string field; std::getline(stream, field, ':');) fields.push_back(field);
  std::optional<std::size_t> species, position;
  const auto refuse_form = [&] {
    lines.refuse("Properties = " + in_marks(properties) + ": must be name:type:columns, separated by colons");
  };
  // getline does not see an empty field after it.
  if (properties.ends_with(':')) refuse_form();
  Columns columns{.count = 0};
  for (std::size_t i = 0; i < fields.size(); i += 3) {
    const auto width = i + 2 < fields.size() ? parsed<std::size_t>(fields[i + 2]) : std::nullopt;
    if (!width || *width < 1 || *width > 1000) refuse_form();
    const std::string form = fields[i + 1] + ":" + fields[i + 2];
    const auto take = [&](std::optional<std::size_t>& column, const char* needed) {
      if (form != needed || column)
        lines.refuse("Properties: " + fields[i] + " must be there once, as " + fields[i] + ":" + needed);
      column = columns.count;
    };
    if (fields[i] == "species") take(species, "S:1");
    if (fields[i] == "pos") take(position, "R:3");
    if (fields[i] == "velo") take(columns.velocity, "R:3");
    columns.count += *width;
  }
  if (!species || !position)
    lines.refuse("Properties = " + in_marks(properties) + ": must name species:S:1 and pos:R:3");
  columns.species = *species;
  columns.position = *position;
  return columns;
}

WaterFrame frame_of(std::string_view first, Lines& lines) {
  const auto words = words_of(first);
  const auto atoms = words.size() == 1 ? parsed<Eigen::Index>(words[0]) : std::nullopt;
  // This is more than any cluster here: a larger count is not believed before its atoms are there.
  constexpr Eigen::Index most_atoms = 30'000'000;
  if (!atoms || *atoms < 3 || *atoms > most_atoms || *atoms % 3 != 0)
    lines.refuse("number of atoms = " + in_marks(first) + ": must be 3, 6, 9, ...");
  const auto comment = lines.next();
  if (!comment) lines.refuse("the text ends before the comment line");
  WaterFrame frame;
  Columns columns;
  bool has_columns = false;
  for (auto& remark : remarks_of(*comment, lines)) {
    if (remark.first == "Lattice") lines.refuse("Lattice: clusters have no periodic box");
    if (remark.first == "Properties") {
      if (has_columns) lines.refuse("Properties: must be there once");
      has_columns = true;
      columns = columns_of(remark.second, lines);
    } else {
      frame.remarks.push_back(std::move(remark));
    }
  }
  std::vector<double> q, v;
  std::string elements;  // of the molecule
  for (Eigen::Index atom = 0; atom < *atoms; ++atom) {
    const auto line = lines.next();
    if (!line) lines.refuse("the text ends after " + std::to_string(atom) + " of " + std::to_string(*atoms) + " atoms");
    const auto entries = words_of(*line);
    if (entries.size() != columns.count)
      lines.refuse(std::to_string(entries.size()) + " columns, expected " + std::to_string(columns.count));
    const std::string_view element = entries[columns.species];
    if (element != "O" && element != "H") lines.refuse("element = " + in_marks(element) + ": must be O or H");
    elements += element;
    if (std::count(elements.begin(), elements.end(), 'O') > 1 || elements.ends_with("HHH"))
      lines.refuse("element = " + in_marks(element) + ": each three atoms must be one O and two H");
    // An oxygen goes before the hydrogens of its molecule that are already there.
    const auto back = element == "O" ? static_cast<std::ptrdiff_t>(3 * (elements.size() - 1)) : 0;
    const auto insert = [&](std::size_t column, std::vector<double>& into) {
      double numbers[3];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto number = parsed<double>(entries[column + k]);
        if (!number || !std::isfinite(*number))
          lines.refuse(in_marks(entries[column + k]) + ": must be a finite number");
        numbers[k] = *number;
      }
      into.insert(into.end() - back, std::begin(numbers), std::end(numbers));
    };
    insert(columns.position, q);
    if (columns.velocity) insert(*columns.velocity, v);
    if (atom % 3 == 2) elements.clear();
  }
  frame.q = Vector<double, Dynamic>::Map(q.data(), static_cast<Eigen::Index>(q.size()));
  frame.v = Vector<double, Dynamic>::Map(v.data(), static_cast<Eigen::Index>(v.size()));
  return frame;
}

}  // namespace

const std::string& WaterFrame::remark(const std::string& name) const {
  for (const auto& [key, value] : remarks)
    if (key == name) return value;
  throw ReportError("the comment of a frame has no " + name);
}

std::vector<WaterFrame> parse_xyz(std::string_view text, const std::string& name) {
  Lines lines(text, name);
  std::vector<WaterFrame> frames;
  while (const auto line = lines.next()) {
    if (words_of(*line).empty()) {  // blank lines may end a file
      while (const auto more = lines.next())
        if (!words_of(*more).empty()) lines.refuse("text after a blank line");
      break;
    }
    frames.push_back(frame_of(*line, lines));
  }
  if (frames.empty()) throw ReportError(name + ":1: no frame");
  return frames;
}

std::vector<WaterFrame> read_xyz(const std::filesystem::path& path) {
  const FileText file = read_text_file(path);
  if (!file.problem.empty()) throw ReportError(path.string() + ": " + file.problem);
  return parse_xyz(file.text, path.string());
}

std::string write_xyz(const WaterFrame& frame) {
  const Eigen::Index size = frame.q.size();
  if (size < 9 || size % 9 != 0) throw InvalidParameter("size of a frame", size, "must be 9 per molecule");
  if (frame.v.size() != 0 && frame.v.size() != size)
    throw InvalidParameter("size of its velocities", frame.v.size(), "must be that of its positions, or 0");
  std::string text = std::to_string(size / 3) + "\n";
  for (const auto& [key, value] : frame.remarks) {
    if (key.empty() || key.find_first_of(" \t\r\n=\"") != std::string::npos || key == "Properties" || key == "Lattice")
      throw InvalidParameter("name of a remark", key, "must be a word without blanks, = and quotes");
    if (value.find_first_of("\"\r\n") != std::string::npos)
      throw InvalidParameter("remark " + key, value, "must be one line without quotes");
    const bool plain = !value.empty() && value.find_first_of(blanks) == std::string::npos;
    text += key + "=" + (plain ? value : "\"" + value + "\"") + " ";
  }
  text += frame.v.size() != 0 ? "Properties=species:S:1:pos:R:3:velo:R:3\n" : "Properties=species:S:1:pos:R:3\n";
  for (Eigen::Index i = 0; i < size; i += 3) {
    text += i % 9 == 0 ? 'O' : 'H';
    const auto append = [&](const Vector<double, Dynamic>& numbers) {
      for (Eigen::Index k = i; k < i + 3; ++k) {
        if (!std::isfinite(numbers(k)))
          throw InvalidParameter("number " + std::to_string(k) + " of a frame", numbers(k), "must be finite");
        char word[32];
        text += ' ';
        text.append(word, std::to_chars(word, word + sizeof word, numbers(k)).ptr);
      }
    };
    append(frame.q);
    if (frame.v.size() != 0) append(frame.v);
    text += '\n';
  }
  return text;
}

}  // namespace livi
