// SPDX-License-Identifier: MIT
#include "study/pages/equations.hpp"

#include <livi/report/report.hpp>
#include <livi/text/text_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>
#include <tuple>

namespace livi {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The kinds of places in the order of the page, and the words that documents, registries and comments have for them.
struct KindOfPlace {
  const char* word;
  const char* pattern;
};
constexpr std::array<KindOfPlace, 12> kinds{{{"", "Equations?|eqs?\\."},
                                             {"Integrator", "Integrators?"},
                                             {"Condition", "Condition"},
                                             {"Definition", "Definition"},
                                             {"Theorem", "Theorems?|Thm"},
                                             {"Lemma", "Lemma"},
                                             {"Corollary", "Corollary|Cor\\."},
                                             {"Remark", "Remark"},
                                             {"Figure", "Figures?|Fig\\."},
                                             {"slide", "[Ss]lides?"},
                                             {"Section", "Sections?|Sect?s?\\."},
                                             {"", "Abstract|abstract|App\\. A|Appendix A"}}};
constexpr int equation = 0, slide = 9, section = 10, part = 11;

std::vector<int> numbers_of(const std::string& number) {
  std::vector<int> numbers;
  for (std::size_t at = 0; at < number.size();) {
    if (number[at] < '0' || number[at] > '9') break;
    std::size_t end = 0;
    numbers.push_back(std::stoi(number.substr(at), &end));
    at += end + 1;
  }
  return numbers;
}

DocumentPlace place(int kind, const std::string& number) {
  return {kind, kinds.at(static_cast<std::size_t>(kind)).word, number};
}

/// What there is about a place.
struct Room {
  std::set<std::string> headers;
  std::vector<std::string> programs, claims, figures;
  bool operator==(const Room&) const = default;
};
using Rooms = std::map<DocumentPlace, Room>;

void add(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

std::string text_of(const fs::path& path) {
  FileText file = read_text_file(path);
  if (!file.problem.empty()) throw ReportError("'" + path.string() + "' " + file.problem);
  return std::move(file.text);
}

std::vector<fs::path> files_below(const fs::path& folder, const char* extension) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns the comments of a source as one line. Code and empty lines end a sentence.
std::string comments_of(const std::string& source) {
  static const std::regex comment("^(.*[^/])?//+[!<]? *([^ ].*)$"), spaces(" +");
  std::string text;
  std::istringstream lines(source);
  std::smatch found;
  for (std::string line; std::getline(lines, line);)
    text += std::regex_match(line, found, comment) ? (found[1].length() > 0 ? "." : "") + found[2].str() + " " : ".";
  return std::regex_replace(text, spaces, " ");
}

void add_headers(std::map<std::string, Rooms>& rooms, const fs::path& tree, const std::vector<std::string>& documents) {
  for (const fs::path& header : files_below(tree / "lib/livi", ".hpp"))
    for (const auto& [document, places] : cited_places(comments_of(text_of(header)), documents))
      for (const DocumentPlace& at : places)
        rooms[document][at].headers.insert(fs::relative(header, tree / "lib/livi").generic_string());
}

/// Returns the places of what a report says that it is about.
std::map<std::string, std::set<DocumentPlace>> places_of(const json& report,
                                                         const std::vector<std::string>& documents) {
  const json& source = report.at("source");
  const std::string document = source.at("document"), item = source.at("item"), in = source.at("section");
  if (std::find(documents.begin(), documents.end(), document) == documents.end()) return cited_places(in, documents);
  const bool slides = document == "CS101";
  std::set<DocumentPlace> places = places_in(item, slides);
  return {{document, places.empty() ? places_in(in, slides) : places}};
}

void add_programs(std::map<std::string, Rooms>& rooms, const Findings& findings, const fs::path& tree,
                  const std::vector<std::string>& documents) {
  std::set<std::string> sources;
  for (const char* folder : {"experiments", "verification/theorems"})
    for (const fs::path& source : files_below(tree / folder, ".cpp")) sources.insert(source.stem().string());
  std::map<std::string, std::vector<std::string>> figures;
  for (const fs::path& specification : files_below(tree / "plots", ".json"))
    for (const json& figure : json::parse(text_of(specification)))
      if (fs::exists(tree / "plots/figures" / (figure.at("name").get<std::string>() + ".svg")))
        figures[figure.at("experiment")].push_back(figure.at("name"));
  std::map<std::string, std::string> program_of;
  for (const json& report : findings.reports) {
    const std::string program = report.at("experiment");
    if (sources.count(program) == 0)
      throw ReportError(
          "the report '" + program +
          "' has no program in experiments/ or verification/theorems/; remove the report or restore the program");
    for (const json& claim : report.at("claims")) program_of[claim.at("id")] = program;
    for (const auto& [document, places] : places_of(report, documents))
      for (const DocumentPlace& at : places) {
        Room& room = rooms[document][at];
        add(room.programs, program);
        for (const std::string& figure : figures[program]) add(room.figures, figure);
      }
  }
  for (const json& registry : findings.documents) {
    const std::string document = registry.at("document");
    for (const json& claim : registry.at("claims")) {
      if (claim.at("origin") == "ours") continue;
      std::vector<std::string> texts{claim.at("place")};
      for (const json& also : claim.value("also", json::array())) texts.push_back(also.at("place"));
      for (const std::string& text : texts)
        for (const DocumentPlace& at : places_in(text, document == "CS101")) {
          Room& room = rooms[document][at];
          add(room.claims, claim.at("id"));
          const auto program = program_of.find(claim.at("id"));
          if (program != program_of.end()) add(room.programs, program->second);
        }
    }
  }
}

std::string joined(const auto& items) {
  std::string cell;
  for (const std::string& item : items) cell += (cell.empty() ? "" : " ") + item;
  return cell;
}

/// The rows of a document. What has been linked in an earlier row is not linked again.
class Rows {
 public:
  explicit Rows(std::string document) : document_(std::move(document)) {}

  [[nodiscard]] std::string cells_of(const DocumentPlace& at, const Room& room) {
    std::string row = "|";
    for (const std::string& cell :
         {joined(room.headers), joined(room.programs), claims_cell(at, room.claims), figures_cell(room)})
      row += " " + cell + (cell.empty() ? "|" : " |");
    return row + "\n";
  }

 private:
  /// A figure with the name of a program in the same row is called "svg".
  std::string figures_cell(const Room& room) {
    std::string cell;
    for (const std::string& figure : room.figures) {
      const bool named = std::find(room.programs.begin(), room.programs.end(), figure) != room.programs.end();
      cell += (cell.empty() ? "" : " ") + link(named ? "svg" : figure, "../plots/figures/" + figure + ".svg");
    }
    return cell;
  }
  std::string claims_cell(const DocumentPlace& at, const std::vector<std::string>& claims) {
    if (at.kind >= section && !claims.empty())
      return std::to_string(claims.size()) + (claims.size() == 1 ? " claim" : " claims");
    // "TO14.thm1.1.2.symplectic" is "symplectic", "TO14.thm1.1.2" is "thm1.1.2".
    static const std::regex before_name("^[A-Z0-9]+\\.([a-z]+[0-9.-]*\\.(?=[a-z]))?");
    std::string cell;
    for (const std::string& id : claims)
      cell += (cell.empty() ? "" : " ") +
              link(std::regex_replace(id, before_name, ""), "claims-" + document_ + ".md#" + id);
    return cell;
  }
  std::string link(const std::string& text, const std::string& to) {
    return linked_.insert(to).second ? "[" + text + "](" + to + ")" : text;
  }
  std::string document_;
  std::set<std::string> linked_;
};

}  // namespace

std::string DocumentPlace::name() const {
  if (kind == equation) return "(" + number + ")";
  return word.empty() ? number : word + " " + number;
}

bool DocumentPlace::operator<(const DocumentPlace& other) const {
  return std::tuple(kind, numbers_of(number), number) < std::tuple(other.kind, numbers_of(other.number), other.number);
}

std::set<DocumentPlace> places_in(const std::string& text, bool slides) {
  static const std::regex token = [] {
    std::string words;
    for (const KindOfPlace& kind : kinds) words += std::string("|(") + kind.pattern + ")";
    return std::regex("(footnote)" + words + "|\\((\\d+)\\)|(\\d+(?:\\.\\d+)?(?:\\(\\d\\))?)|( to |-)");
  }();
  constexpr std::size_t first_word = 2, in_brackets = first_word + kinds.size(), plain = in_brackets + 1,
                        range = plain + 1;
  std::set<DocumentPlace> places;
  int kind = slides ? slide : section;
  bool is_range = false;
  DocumentPlace last;
  for (std::sregex_iterator match(text.begin(), text.end(), token), end; match != end; ++match) {
    const std::smatch& found = *match;
    if (found[range].matched) {
      is_range = true;
      continue;
    }
    if (found[1].matched) kind = -1;
    for (int k = 0; k < static_cast<int>(kinds.size()); ++k) {
      if (!found[first_word + static_cast<std::size_t>(k)].matched) continue;
      kind = k;
      if (k != part) continue;
      places.insert(place(part, std::toupper(found.str()[1]) == 'B' ? "Abstract" : "Appendix A"));
      kind = section;
    }
    if (found[in_brackets].matched || (found[plain].matched && kind >= 0)) {
      const bool brackets = found[in_brackets].matched;
      std::string number = brackets ? found[in_brackets].str() : found[plain].str();
      number = number.substr(0, number.find('('));
      const DocumentPlace here = place(brackets ? equation : kind, number);
      if (is_range && last.kind == here.kind && !last.number.empty())
        for (int n = std::stoi(last.number) + 1; n < std::stoi(number); ++n)
          places.insert(place(here.kind, std::to_string(n)));
      places.insert(last = here);
    }
    is_range = false;
  }
  const bool has_others =
      std::any_of(places.begin(), places.end(), [](const DocumentPlace& p) { return p.kind < section; });
  if (has_others) std::erase_if(places, [](const DocumentPlace& p) { return p.kind >= section; });
  return places;
}

std::map<std::string, std::set<DocumentPlace>> cited_places(const std::string& text,
                                                            const std::vector<std::string>& documents) {
  std::map<std::string, std::set<DocumentPlace>> places;
  for (const std::string& document : documents) {
    const std::string
        number = "(?:\\(\\d+\\)|\\d+(?:\\.\\d+)?(?:\\(\\d\\))?)",
        item =
            "(?:(?:Integrators?|Theorems?|Lemma|Corollary|Remark|Definition|Condition|Figures?|Sections?|slides?) )?" +
            number;
    const std::regex citation("\\b" + document + ",? (" + item + "(?:(?:, and |, | and | to |-)" + item + ")*)");
    for (std::sregex_iterator match(text.begin(), text.end(), citation), end; match != end; ++match)
      places[document].merge(places_in((*match)[1], document == "CS101"));
  }
  return places;
}

std::string equations_page(const Findings& findings, const fs::path& tree) {
  std::vector<std::string> documents;
  for (const json& registry : findings.documents) documents.push_back(registry.at("document"));
  std::map<std::string, Rooms> rooms;
  add_headers(rooms, tree, documents);
  add_programs(rooms, findings, tree, documents);
  std::string text =
      "<!-- Made by tools/docs from reference/claims, results/baseline, plots and lib/livi: do not edit. -->\n\n# "
      "Where is equation "
      "(n)?\n\nHeaders are below `livi/`: `#include <livi/...>`. `tools/reproduce NAME` runs a program. A claim's name "
      "is the end of its id; "
      "claims and figures are linked where they come first. A section has what names none of its equations, theorems "
      "and figures; its "
      "claims are on the page of the document.\n";
  for (const std::string& document : documents) {
    text += "\n## [" + document + "](claims-" + document +
            ".md)\n\n| place | headers | programs | claims | figures |\n|---|---|---|---|---|\n";
    Rows rows(document);
    const Rooms& of = rooms[document];
    for (auto at = of.begin(); at != of.end();) {
      auto last = at, next = std::next(at);
      // Neighbours about which there is the same are one row.
      for (; next != of.end() && next->first.kind == at->first.kind && next->second == at->second; ++next) last = next;
      const std::string end = last->first.kind == equation ? last->first.name() : last->first.number;
      text += "| " + at->first.name() + (last == at ? " " : "-" + end + " ") + rows.cells_of(at->first, at->second);
      at = next;
    }
  }
  return text;
}

}  // namespace livi
