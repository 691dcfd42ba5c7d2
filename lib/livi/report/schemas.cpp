// SPDX-License-Identifier: MIT
#include <livi/claims/claim.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>
#include <livi/text/text_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace livi {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& file, const std::string& where, const std::string& what) {
  throw ReportError(file + ": " + (where.empty() ? "" : where + ": ") + what);
}

void require_unique(const json& array, const std::string& key, const std::string& array_name, const std::string& file) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string name = array[i].at(key);
    if (!seen.insert(name).second) {
      fail(file, array_name + "/" + std::to_string(i) + "/" + key, "'" + name + "' occurs twice");
    }
  }
}

double number_or(const json& value, double otherwise) { return value.is_null() ? otherwise : value.get<double>(); }

Interval interval_from(const json& value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {number_or(value[0], -infinity), number_or(value[1], infinity)};
}

/// Checks that the verdict follows from the numbers beside it, so that editing one of them is noticed.
void check_claim(const json& value, const std::string& where, const std::string& file) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Claim claim{.id = value.at("id"),
              .source = {value.at("source").at("document"), value.at("source").at("place")},
              .origin = *origin_from(value.at("origin").get<std::string>()),
              .anchor = value.value("anchor", ""),
              .headline = value.at("headline"),
              .statement = value.at("statement"),
              .measured = number_or(value.at("measured"), nan),
              .interval = interval_from(value.at("interval")),
              .reason = value.at("reason"),
              .verdict = *verdict_from(value.at("verdict").get<std::string>()),
              .note = value.value("note", "")};
  for (std::size_t i = 0; i < value.at("controls").size(); ++i) {
    const json& entry = value.at("controls")[i];
    const bool lost = entry.value("lost", false);
    if (lost && !entry.at("measured").is_null()) {
      fail(file, where + "/controls/" + std::to_string(i) + "/lost",
           "control '" + entry.at("name").get<std::string>() + "' of claim '" + claim.id +
               "' was lost, but has a number");
    }
    const double without_number = lost ? std::numeric_limits<double>::infinity() : nan;
    const Control control{entry.at("name"), number_or(entry.at("measured"), without_number),
                          interval_from(entry.at("interval")), entry.value("note", ""),
                          *expected_from(entry.at("expected").get<std::string>())};
    if (control.failed() != entry.at("failed").get<bool>()) {
      fail(file, where + "/controls/" + std::to_string(i) + "/failed",
           "control '" + control.name + "' of claim '" + claim.id + "' says otherwise than its number and interval");
    }
    claim.controls.push_back(control);
  }
  Verdict follows{};
  try {
    follows = decide(claim);
  } catch (const std::invalid_argument& error) {
    fail(file, where, error.what());
  }
  if (follows != claim.verdict) {
    fail(file, where + "/verdict",
         "claim '" + claim.id + "' is '" + std::string(to_string(claim.verdict)) +
             "', but its numbers and controls make it '" + std::string(to_string(follows)) + "'");
  }
}

/// A parser event that refuses two equal names in one object, of which nlohmann::json silently keeps the last.
class NamesOnce {
 public:
  bool operator()(int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open_.pop_back();
    } else if (event == json::parse_event_t::key) {
      const auto name = parsed.get<std::string>();
      if (!open_.back().insert(name).second && repeated_.empty()) repeated_ = name;
    }
    return true;
  }
  const std::string& repeated() const { return repeated_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string repeated_;
};

/// The longest report that is read, 25 times the longest of livi: to check one takes some seconds for each MiB.
constexpr std::size_t longest_report = std::size_t{1} << 24;

std::string read_text(const std::filesystem::path& path, std::size_t longest = longest_file) {
  FileText file = read_text_file(path, longest);
  if (!file.problem.empty()) fail(path.string(), "", file.problem);
  return std::move(file.text);
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const auto comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// Throws ReportError for texts that are too long. The regular expressions of the standard library, which match the
/// patterns of a schema, use a piece of the stack for every character: a long text would end the program.
void require_short_texts(const json& document, const std::string& file) {
  constexpr std::size_t longest = 20000;
  const auto require_short = [&](const std::string& text, const std::string& where) {
    if (text.size() > longest)
      fail(file, where,
           "has " + std::to_string(text.size()) + " characters; allowed are at most " + std::to_string(longest));
  };
  constexpr int deepest = 8;  // no schema here has a pattern deeper inside
  const auto look = [&](const auto& self, const json& value, const std::string& where, int depth) -> void {
    if (value.is_string()) require_short(value.get_ref<const std::string&>(), where);
    if (!value.is_structured() || depth == deepest) return;
    for (const auto& [key, inner] : value.items()) {
      require_short(key, (where.empty() ? "/" : where) + " (one of its names)");
      // The command line has no pattern, and no report must be refused for its length.
      if (where != "/provenance" || key != "command_line") self(self, inner, where + "/" + key, depth + 1);
    }
  };
  look(look, document, "", 0);
}

void require_schema(const json& document, const std::string& schema, const std::string& file) {
  require_short_texts(document, file);
  const auto problems = schema_problems(document, schema);
  if (problems.empty()) return;
  std::string text;
  constexpr std::size_t shown = 8;
  for (std::size_t i = 0; i < std::min(problems.size(), shown); ++i) {
    text += (i == 0 ? "" : "\n") + file + ": " + problems[i];
  }
  if (problems.size() > shown) text += "\n" + file + ": and " + std::to_string(problems.size() - shown) + " more";
  throw ReportError(text);
}

}  // namespace

void check_report(const json& report, const std::string& file) {
  require_schema(report, report_schema(), file);
  require_unique(report.at("measurements"), "name", "/measurements", file);
  require_unique(report.at("claims"), "id", "/claims", file);
  if (report.contains("series")) {
    require_unique(report.at("series"), "name", "/series", file);
    for (std::size_t i = 0; i < report.at("series").size(); ++i)
      require_unique(report.at("series")[i].at("columns"), "name", "/series/" + std::to_string(i) + "/columns", file);
  }
  if (report.contains("figures")) require_unique(report.at("figures"), "file", "/figures", file);
  for (std::size_t i = 0; i < report.at("claims").size(); ++i) {
    check_claim(report.at("claims")[i], "/claims/" + std::to_string(i), file);
  }
}

namespace {

/// Checks that an anchor has three to six words, or is a formula.
void check_anchor(const std::string& anchor, const std::string& where, const std::string& file) {
  std::istringstream words(anchor);
  const auto count = std::distance(std::istream_iterator<std::string>(words), {});
  const bool is_formula = anchor.find_first_of("\\^_=") != std::string::npos;
  if (count > 6 || (count < 3 && !is_formula))
    fail(file, where, "has " + std::to_string(count) + " words; allowed are 3 to 6, or a formula");
}

/// Checks that limits stand beside what is confirmed with limits; they may stand beside what is left open.
void check_limits(const json& claim, const std::string& where, const std::string& file) {
  const std::string verdict = claim.at("verdict");
  const bool needed = verdict == "confirmed-with-limits";
  if (needed != claim.contains("limits") && (needed || (verdict != "undecided" && verdict != "not-testable")))
    fail(file, where + "/limits",
         "must stand beside the verdict 'confirmed-with-limits', and may only beside it, 'undecided' and "
         "'not-testable'");
}

/// Checks that a claim which interprets its document is a reading, and that a reading is neither refuted nor plainly
/// confirmed. The words by which an interpretation is known are those of the registries. A misprint is exempt: its
/// printed text needs a meaning before it can be seen to fail.
void check_reading(const json& claim, const json& phrases, const std::string& where, const std::string& file) {
  const std::string origin = claim.at("origin"), verdict = claim.at("verdict");
  if (origin == "reading") {
    if (verdict != "confirmed-with-limits" && verdict != "undecided" && verdict != "not-testable")
      fail(file, where + "/verdict", "is '" + verdict + "'; a reading holds within limits or decides nothing");
    return;
  }
  if (origin == "ours" || verdict == "misprint") return;
  for (const char* key : {"hypothesis", "limits"}) {
    std::string text = with_phrases(claim.value(key, ""), phrases, claim.at("id"));
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c + 32 : c; });
    for (const char* words : {"read as", "read so", "is read ", "read:", "our reading", "taken literally", "at hand",
                              "does not define", "does not say", "does not print", "does not show", "does not name",
                              "name no ", "has lost", "lost in the text"})
      if (text.find(words) != std::string::npos)
        fail(file, where + "/origin", "is '" + origin + "', but its " + key + " says '" + words + "': it is a reading");
  }
}

/// Checks that the condition of an answer has at most eight words, and that a deciding claim is limited or a misprint
/// and none is refuted or open: otherwise the answer is another one.
void check_condition(const json& headline, const json& claims, const std::string& where, const std::string& file) {
  if (!headline.contains("only_if")) return;
  std::istringstream words(headline.at("only_if").get<std::string>());
  const auto count = std::distance(std::istream_iterator<std::string>(words), {});
  if (count > 8) fail(file, where + "/only_if", "has " + std::to_string(count) + " words; allowed are at most 8");
  bool limited = false;
  for (const json& claim : claims) {
    const json& deciding = headline.at("deciding");
    if (std::find(deciding.begin(), deciding.end(), claim.at("id")) == deciding.end()) continue;
    const std::string verdict = claim.at("verdict");
    limited = limited || verdict == "confirmed-with-limits" || verdict == "misprint";
    if (verdict != "confirmed" && verdict != "confirmed-with-limits" && verdict != "misprint")
      fail(file, where + "/only_if", "is a condition, but a deciding claim is '" + verdict + "'");
  }
  if (!limited) fail(file, where + "/only_if", "is a condition, but no deciding claim has a limit");
}

}  // namespace

void check_registry(const json& registry, const std::string& file) {
  require_schema(registry, registry_schema(), file);
  const json& claims = registry.at("claims");
  const std::string document = registry.at("document");
  require_unique(claims, "id", "/claims", file);
  require_unique(registry.at("headlines"), "key", "/headlines", file);
  const json errata = registry.value("errata", json::array());
  for (std::size_t i = 0; i < errata.size(); ++i)
    check_anchor(errata[i].at("anchor"), "/errata/" + std::to_string(i) + "/anchor", file);
  std::set<std::string> headlines, ids;
  for (const json& headline : registry.at("headlines")) headlines.insert(headline.at("key"));
  for (const json& claim : claims) ids.insert(claim.at("id"));
  for (const json& headline : registry.at("headlines")) {
    const std::string where = "/headlines/" + headline.at("key").get<std::string>();
    check_condition(headline, claims, where, file);
    for (const json& id : headline.at("deciding")) {
      const auto claim = std::find_if(claims.begin(), claims.end(), [&](const json& c) { return c.at("id") == id; });
      if (claim == claims.end() || claim->at("headline") != headline.at("key") || claim->at("origin") == "ours")
        fail(file, where + "/deciding", id.dump() + " is no claim of the document under this headline");
    }
    for (const char* key : {"answer", "advice"}) {
      try {
        // "experiment:name" is the number of a report, which is not at hand here.
        for (const std::string& name : phrases_named(headline.at(key), headline.at("key")))
          if (name.find(':') == std::string::npos && !ids.contains(name))
            throw ReportError("'@{" + name + "}' names no claim of the registry");
      } catch (const ReportError& error) {
        fail(file, where + "/" + key, error.what());
      }
    }
  }
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const json& claim = claims[i];
    const std::string where = "/claims/" + std::to_string(i), id = claim.at("id"), headline = claim.at("headline");
    if (id.rfind(document + ".", 0) != 0)
      fail(file, where + "/id", "'" + id + "' does not begin with its document, '" + document + ".'");
    if (!headlines.contains(headline))
      fail(file, where + "/headline", "'" + headline + "' is not among the keys of /headlines");
    const bool is_ours = claim.at("origin") == "ours";
    if (claim.contains("anchor") == is_ours)
      fail(file, where, is_ours ? "has an anchor, but is ours" : "has no anchor, by which its sentence is found");
    if (is_ours && claim.contains("also")) fail(file, where + "/also", "is of what a document says, but this is ours");
    if (!is_ours) check_anchor(claim.at("anchor"), where + "/anchor", file);
    const json also = claim.value("also", json::array());
    for (std::size_t k = 0; k < also.size(); ++k)
      check_anchor(also[k].at("anchor"), where + "/also/" + std::to_string(k) + "/anchor", file);
    const json phrases = registry.value("phrases", json::object());
    for (const char* key : {"statement", "hypothesis", "how", "reason"}) {
      try {
        with_phrases(claim.value(key, ""), phrases, id);
      } catch (const ReportError& error) {
        fail(file, where + "/" + key, error.what());
      }
    }
    check_limits(claim, where, file);
    check_reading(claim, phrases, where, file);
    const bool is_result = claim.at("verdict") == "result";
    if (is_ours != is_result) fail(file, where + "/verdict", "is 'result' for what is ours, and only for that");
    for (const char* key : {"printed", "right"})
      if ((claim.at("verdict") == "misprint") != claim.contains(key))
        fail(file, where + "/" + key, "must stand beside the verdict 'misprint', and only there");
  }
}

namespace {

/// Calls with(text before a name, name) for each name, and with(the rest, nothing).
template <class With>
void for_each_phrase(const std::string& text, const std::string& claim, const With& with) {
  for (std::size_t at = 0;;) {
    const std::size_t open = text.find("@{", at), close = text.find('}', open);
    if (open == std::string::npos) return with(text.substr(at), nullptr);
    if (close == std::string::npos) throw ReportError("claim '" + claim + "': '" + text.substr(open) + "' has no '}'");
    const std::string name = text.substr(open + 2, close - open - 2);
    with(text.substr(at, open - at), &name);
    at = close + 1;
  }
}

}  // namespace

std::vector<std::string> phrases_named(const std::string& text, const std::string& claim) {
  std::vector<std::string> names;
  for_each_phrase(text, claim, [&](const std::string&, const std::string* name) {
    if (name != nullptr) names.push_back(*name);
  });
  return names;
}

std::string with_phrases(const std::string& text, const json& phrases, const std::string& claim) {
  std::string result;
  for_each_phrase(text, claim, [&](const std::string& before, const std::string* name) {
    result += before;
    if (name == nullptr) return;
    if (!phrases.contains(*name))
      throw ReportError("claim '" + claim + "': '@{" + *name + "}' names no phrase of the registry");
    result += phrases.at(*name).get<std::string>();
  });
  return result;
}

json read_json(const std::filesystem::path& file) {
  const std::string text = read_text(file, longest_report);
  if (text.empty()) fail(file.string(), "", "is empty");
  NamesOnce names;
  json document;
  try {
    document = json::parse(text, std::ref(names));
  } catch (const json::exception& error) {
    fail(file.string(), "", std::string("is not JSON: ") + error.what());
  }
  if (!names.repeated().empty())
    fail(file.string(), "", "the name '" + names.repeated() + "' occurs twice in one object");
  return document;
}

json read_report(const std::filesystem::path& file) {
  json report = read_json(file);
  check_report(report, file.string());
  if (report.at("experiment") != file.stem().string()) {
    fail(file.string(), "/experiment",
         "is '" + report.at("experiment").get<std::string>() + "', but the file is that of '" + file.stem().string() +
             "'");
  }
  return report;
}

namespace {

/// Calls f(file, subject, claim) for each result of our own in the folder `beyond` of a folder of registries.
template <class Function>
void for_each_result_beyond(const std::filesystem::path& folder, const Function& f) {
  const std::filesystem::path beyond = folder / "beyond";
  std::error_code ignored;
  if (!std::filesystem::is_directory(beyond, ignored)) return;
  for (const auto& file : list_reports(beyond)) {
    const json results = read_json(file);
    if (!results.is_object() || results.size() != 2 || !results.contains("subject") ||
        !results.at("subject").is_string() || !results.contains("claims") || !results.at("claims").is_array())
      fail(file.string(), "", "must have 'subject', a title, and 'claims', a list, and nothing else");
    for (const json& claim : results.at("claims")) {
      if (!claim.is_object() || !claim.contains("id") || !claim.at("id").is_string() ||
          claim.value("origin", json()) != "ours")
        fail(file.string(), "/claims", "has an entry that is no result of our own with an id");
      f(file, results.at("subject"), claim);
    }
  }
}

std::string document_of(const json& claim) {
  const std::string id = claim.at("id");
  return id.substr(0, id.find('.'));
}

}  // namespace

json read_registry(const std::filesystem::path& file) {
  json registry = read_json(file);
  if (registry.is_object() && registry.contains("claims") && registry.at("claims").is_array())
    for_each_result_beyond(file.parent_path(), [&](const auto&, const json& subject, json claim) {
      if (document_of(claim) != registry.value("document", json())) return;
      claim["subject"] = subject;
      registry.at("claims").push_back(std::move(claim));
    });
  check_registry(registry, file.string());
  if (registry.at("document") != file.stem().string()) {
    fail(file.string(), "/document",
         "is '" + registry.at("document").get<std::string>() + "', but the file is that of '" + file.stem().string() +
             "'");
  }
  return registry;
}

std::vector<json> read_registries(const std::filesystem::path& folder) {
  constexpr const char* needed = "; a folder with registries of claims (*.json) is needed, as reference/claims of livi";
  std::vector<json> registries;
  try {
    for (const auto& file : list_reports(folder)) registries.push_back(read_registry(file));
  } catch (const ReportError& error) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) throw;
    throw ReportError(error.what() + std::string(needed));
  }
  if (registries.empty()) fail(folder.string(), "", std::string("has no registry of claims") + needed);
  for_each_result_beyond(folder, [&](const auto& file, const json&, const json& claim) {
    if (std::none_of(registries.begin(), registries.end(),
                     [&](const json& registry) { return registry.at("document") == document_of(claim); }))
      fail(file.string(), "/claims", claim.at("id").dump() + " is beside no registry of its document");
  });
  return registries;
}

json registered_claims(const std::filesystem::path& folder) {
  json claims = json::array();
  for (const json& registry : read_registries(folder))
    claims.insert(claims.end(), registry.at("claims").begin(), registry.at("claims").end());
  return claims;
}

void check_series(const json& report, const std::filesystem::path& file) {
  if (!report.contains("series")) return;
  for (const json& series : report.at("series")) {
    const auto path = file.parent_path() / series.at("file").get<std::string>();
    std::istringstream lines(read_text(path));
    std::string expected_header;
    for (const json& column : series.at("columns")) {
      expected_header += (expected_header.empty() ? "" : ",") + column.at("name").get<std::string>();
    }
    std::string line;
    if (!std::getline(lines, line) || line != expected_header) {
      fail(path.string(), "line 1",
           "is '" + line + "', but " + file.filename().string() + " announces '" + expected_header + "'");
    }
    std::int64_t rows = 0;
    while (std::getline(lines, line)) {
      ++rows;
      const auto cells = split(line);
      bool numbers = cells.size() == series.at("columns").size();
      for (const auto cell : cells) {
        double value = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        numbers = numbers && error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
      }
      if (!numbers) {
        fail(path.string(), "line " + std::to_string(rows + 1),
             "is '" + line + "', not " + std::to_string(series.at("columns").size()) + " numbers between commas");
      }
    }
    if (rows != series.at("rows").get<std::int64_t>()) {
      fail(path.string(), "",
           "has " + std::to_string(rows) + " rows of numbers, but " + file.filename().string() + " announces " +
               series.at("rows").dump());
    }
  }
}

std::vector<std::filesystem::path> list_reports(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  if (error) throw ReportError(folder.string() + ": cannot be read as a folder: " + error.message());
  std::vector<std::filesystem::path> files;
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".json" && name.front() != '.') files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace livi
