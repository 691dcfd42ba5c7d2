// SPDX-License-Identifier: MIT
#include <livi/judge/output/judgement_files.hpp>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include <livi/judge/problems/measured_text.hpp>
#include <livi/text/plain_text.hpp>

namespace livi {
namespace {

/// Returns a text as valid UTF-8 without control characters but newlines; bytes that are neither become '?'.
std::string xml(const std::string& text) {
  std::string result;
  for (const char c : plain_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string format_number(double x) { return foreign_detail::text_of_measured(x, "%.6g"); }

nlohmann::json finite(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

std::string status_word(int status) {
  return status == 0 ? "confirmed" : status == 1 ? "refuted" : status == 3 ? "partial" : "undecided";
}

const char* name_of(Cause cause) {
  switch (cause) {
    case Cause::not_measured:
      return "not-measured";
    case Cause::short_numbers:
      return "short-numbers";
    case Cause::changed_momentum:
      return "changed-momentum";
    case Cause::lost_in_rounding:
      return "lost-in-rounding";
    case Cause::some_not_judged:
      return "some-not-judged";
    default:
      return "none";
  }
}

bool is_undecided(const JudgementRow& row) {
  return row.claim.verdict == Verdict::undecided || row.claim.verdict == Verdict::broken_control;
}

std::string message(const JudgementRow& row) {
  return "declared " + row.declared + ", measured " + format_number(row.claim.measured) + " (" + row.evidence +
         "): " + row.claim.note;
}

/// Returns what a method declares, under the keys of the protocol; what it leaves open is left out.
nlohmann::ordered_json declaration_of(const ForeignDeclaration& declares) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  const auto add = [&](const char* key, const auto& value) {
    if (value) all[key] = *value;
  };
  add("order", declares.order);
  add("symplectic", declares.symplectic);
  add("symmetric", declares.symmetric);
  add("linear_momentum", declares.linear_momentum);
  add("angular_momentum", declares.angular_momentum);
  add("gradients", declares.gradients);
  if (declares.stability_limit) all["stability"] = finite(*declares.stability_limit);
  add("sampling", declares.sampling);
  add("hidden", declares.hidden);
  add("casimir", declares.casimir);
  all["memory"] = declares.memory;
  all["steps"] = declares.forward ? "forward" : "both";
  if (declares.tolerance > 0) all["tolerance"] = declares.tolerance;
  all["precision"] = declares.single_precision ? "single" : "double";
  all["numbers"] = nlohmann::ordered_json::array();
  for (const NumberType type : declares.numbers)
    all["numbers"].push_back(type == NumberType::real       ? "double"
                             : type == NumberType::complex  ? "complex"
                             : type == NumberType::rational ? "rational"
                                                            : "digits:" + std::to_string(declares.digits));
  all["kinds"] = nlohmann::ordered_json::array();
  for (const ProblemKind kind : declares.kinds)
    if (declares.told(kind) == kind) all["kinds"].push_back(kind_name(kind));
  return all;
}

/// Returns the options of livi-judge that repeat a judgement.
nlohmann::ordered_json options_of(const JudgementReport& report) {
  nlohmann::ordered_json options{
      {"seed", report.judgement.seed},          {"drawn", report.options.drawn},
      {"quick", report.options.quick},          {"slow", report.options.slow},
      {"strict", report.options.strict},        {"time_limit", finite(report.through.time_limit)},
      {"line_limit", report.through.line_limit}};
  if (!report.through.library.empty()) options["library"] = plain_text(report.through.library);
  if (!report.through.command.empty()) options["command"] = nlohmann::ordered_json::array();
  for (const std::string& word : report.through.command) options["command"].push_back(plain_text(word));
  return options;
}

/// Returns diagnosis and reproducer as text.
std::string findings(const JudgementReport& report) {
  std::string text;
  for (const std::string& sentence : report.diagnosis) text += "likely: " + sentence + "\n";
  if (!report.reproducer.test.empty()) text += report.reproducer.words;
  return text;
}

}  // namespace

std::string judgement_json(const JudgementReport& report) {
  const Judgement& judgement = report.judgement;
  nlohmann::ordered_json document;
  document["format"] = "livi-judge 1";
  document["livi"] = LIVI_VERSION;
  document["method"] = plain_text(judgement.declares.name);
  document["source"] = plain_text(judgement.declares.source);
  document["declares"] = declaration_of(judgement.declares);
  document["seed"] = judgement.seed;
  document["options"] = options_of(report);
  document["verdict"] = status_word(judgement.exit_status());
  document["exit_status"] = judgement.exit_status();
  document["rows"] = nlohmann::ordered_json::array();
  for (const JudgementRow& row : judgement.rows) {
    const Claim& claim = row.claim;
    nlohmann::ordered_json entry;
    entry["id"] = row_entry(row.id).id;
    entry["kind"] = kind_name(row.id.kind);
    entry["test"] = row.test;
    entry["declared"] = row.declared;
    entry["verdict"] = claim.verdict == Verdict::result ? "measured" : std::string(to_string(claim.verdict));
    entry["evidence"] = row.evidence;
    entry["cause"] = name_of(row.cause);
    if (!row.problem.empty()) entry["problem"] = row.problem;
    entry["note"] = plain_text(claim.note);
    if (claim.verdict != Verdict::not_testable) {
      entry["statement"] = claim.statement;
      entry["measured"] = finite(claim.measured);
      entry["interval"] = {finite(claim.interval.low), finite(claim.interval.high)};
      entry["reason"] = claim.reason;
      entry["controls"] = nlohmann::ordered_json::array();
      for (const Control& control : claim.controls)
        entry["controls"].push_back({{"name", control.name},
                                     {"expected", std::string(to_string(control.expected))},
                                     {"measured", finite(control.measured)},
                                     {"interval", {finite(control.interval.low), finite(control.interval.high)}}});
    }
    document["rows"].push_back(std::move(entry));
  }
  document["diagnosis"] = nlohmann::ordered_json::array();
  for (const std::string& sentence : report.diagnosis) document["diagnosis"].push_back(plain_text(sentence));
  if (!report.reproducer.test.empty())
    document["reproducer"] = {{"test", report.reproducer.test},
                              {"words", plain_text(report.reproducer.words)},
                              {"session", plain_text(report.reproducer.session)}};
  return document.dump(2) + "\n";
}

std::string judgement_junit(const JudgementReport& report) {
  const Judgement& judgement = report.judgement;
  int failures = 0, errors = 0, skipped = 0;
  std::string cases;
  for (const JudgementRow& row : judgement.rows) {
    cases += "    <testcase classname=\"" + xml(judgement.declares.name) + "\" name=\"" + xml(row.test) + "\"";
    if (row.claim.verdict == Verdict::refuted) {
      ++failures;
      cases += ">\n      <failure type=\"refuted\" message=\"" + xml(message(row)) + "\">" + xml(findings(report)) +
               "</failure>\n    </testcase>\n";
    } else if (is_undecided(row)) {
      ++errors;
      cases += ">\n      <error type=\"undecided\" message=\"" + xml(message(row)) + "\"/>\n    </testcase>\n";
    } else if (row.claim.verdict == Verdict::not_testable || row.claim.verdict == Verdict::result) {
      ++skipped;
      const std::string why = row.claim.verdict == Verdict::result
                                  ? "not declared; measured " + format_number(row.claim.measured)
                                  : row.claim.note;
      cases += ">\n      <skipped message=\"" + xml(why) + "\"/>\n    </testcase>\n";
    } else {
      cases += "/>\n";
    }
  }
  const std::string counts = " tests=\"" + std::to_string(judgement.rows.size()) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" + std::to_string(errors) + "\" skipped=\"" +
                             std::to_string(skipped) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
         ">\n  <testsuite name=\"livi-judge: " + xml(judgement.declares.name) + "\"" + counts + ">\n" + cases +
         "  </testsuite>\n</testsuites>\n";
}

std::string judgement_tap(const JudgementReport& report) {
  const Judgement& judgement = report.judgement;
  std::string text = "TAP version 14\n1.." + std::to_string(judgement.rows.size()) + "\n";
  int number = 0;
  for (const JudgementRow& row : judgement.rows) {
    const bool bad = row.claim.verdict == Verdict::refuted || is_undecided(row);
    text += std::string(bad ? "not ok " : "ok ") + std::to_string(++number) + " - " + row.test;
    if (row.claim.verdict == Verdict::not_testable || row.claim.verdict == Verdict::result) text += " # SKIP";
    if (row.claim.verdict == Verdict::not_testable) text += " does not apply";
    if (row.claim.verdict == Verdict::result) text += " not declared";
    text += "\n";
    // JSON is YAML, and its strings need no other rules.
    const auto line = [&](const char* key, const std::string& value) {
      text += std::string("  ") + key + ": " + nlohmann::json(plain_text(value)).dump() + "\n";
    };
    text += "  ---\n";
    line("verdict", row.claim.verdict == Verdict::result ? "measured" : std::string(to_string(row.claim.verdict)));
    line("declared", row.declared);
    if (row.claim.verdict != Verdict::not_testable) line("measured", format_number(row.claim.measured));
    line("evidence", row.evidence);
    if (!row.claim.note.empty()) line("note", row.claim.note);
    text += "  ...\n";
  }
  std::string more = plain_text(findings(report));
  for (std::size_t at = 0; at < more.size();) {
    const auto end = more.find('\n', at);
    text += "# " + more.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

std::string judgement_badge(const JudgementReport& report) {
  const Judgement& judgement = report.judgement;
  const int status = judgement.exit_status();
  std::string right;
  if (status == 0) {
    const auto& declares = judgement.declares;
    if (declares.order) right = "order " + std::to_string(*declares.order);
    if (declares.symplectic == true) right += std::string(right.empty() ? "" : ", ") + "symplectic";
    if (declares.symmetric == true) right += std::string(right.empty() ? "" : ", ") + "symmetric";
    if (right.empty()) right = "confirmed";
    if (declares.single_precision) right += ", single precision";
    if (const double limit = largest_limit(judgement); limit > 0) right += foreign_detail::format(", to %.2g", limit);
  } else if (status == 1) {
    for (const JudgementRow& row : judgement.rows)
      if (row.claim.verdict == Verdict::refuted) {
        right = row.test + " refuted";
        break;
      }
  } else {
    right = status_word(status);
  }
  const std::string left = "livi-judge", colour = status == 0 ? "#2a7f3f" : status == 1 ? "#b3261e" : "#7a7a7a";
  // Letters of Verdana at 11 pixels are about 6.6 wide; textLength makes it so.
  const auto width = [](const std::string& text) {
    return static_cast<int>(std::lround(6.6 * static_cast<double>(text.size())));
  };
  const int a = width(left) + 10, b = width(right) + 10;
  const auto text = [&](const std::string& words, int x, int of) {
    return "    <text x=\"" + std::to_string(x) + "\" y=\"14\" textLength=\"" + std::to_string(of) + "\">" +
           xml(words) + "</text>\n";
  };
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(a + b) +
         "\" height=\"20\" role=\"img\" aria-label=\"" + xml(left + ": " + right) + "\">\n  <title>" +
         xml(judgement.declares.name + ": " + right) + "</title>\n  <rect width=\"" + std::to_string(a) +
         "\" height=\"20\" fill=\"#444\"/>\n  <rect x=\"" + std::to_string(a) + "\" width=\"" + std::to_string(b) +
         "\" height=\"20\" fill=\"" + colour +
         "\"/>\n  <g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n" +
         text(left, 5, width(left)) + text(right, a + 5, width(right)) + "  </g>\n</svg>\n";
}

}  // namespace livi
