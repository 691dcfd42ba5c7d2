// SPDX-License-Identifier: MIT
#include "study/pages/docs.hpp"

#include <livi/report/report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "study/pages/headlines.hpp"
#include "study/pages/page_claims.hpp"
#include "study/pages/row_text.hpp"
#include "study/pages/strong_orders.hpp"

namespace livi {
namespace {

using nlohmann::json;
using page_detail::in_words;
constexpr const char* made = "<!-- Made by tools/docs from reference/claims and results/baseline: do not edit. -->\n";

/// A claim of a report, with the experiment that decided it.
struct Decided {
  const json* claim;
  std::string experiment;
};
std::map<std::string, Decided> decided_claims(const Findings& findings) {
  std::map<std::string, Decided> claims;
  for (const json& report : findings.reports)
    for (const json& claim : report.at("claims")) claims[claim.at("id")] = {&claim, report.at("experiment")};
  return claims;
}

/// Returns the controls, then the evidence: "circle: 0.2, fails. Evidence: ellipse: 3, supports".
std::string controls_cell(const json& controls) {
  std::string of_controls, of_evidence;
  for (const json& control : controls) {
    const json& number = control.at("measured");
    const bool is_evidence = control.at("expected") == "evidence", failed = control.at("failed");
    std::string& cell = is_evidence ? of_evidence : of_controls;
    cell += (cell.empty() ? "" : "; ") + markdown_cell(control.at("name")) + ": " +
            (!number.is_null() ? short_number(number)
             : failed          ? "lost"
                               : "not measured") +
            (!is_evidence       ? ", " + control.at("expected").get<std::string>()
             : failed           ? ", contradicts"
             : number.is_null() ? ""
                                : ", supports");
  }
  if (of_controls.empty()) of_controls = "no control";
  return of_evidence.empty() ? of_controls : of_controls + ". Evidence: " + of_evidence;
}

/// Returns the place and the words by which the sentence is found there, with an anchor for links.
std::string place_of(const json& registered) {
  const std::string id = registered.at("id");
  const std::string place = "<a id=\"" + id + "\"></a>" + markdown_cell(registered.at("place"));
  if (!registered.contains("anchor")) return place;
  std::string places = place + ": \"" + markdown_cell(registered.at("anchor")) + "\"";
  for (const json& also : registered.value("also", json::array()))
    places += "; " + markdown_cell(also.at("place")) + ": \"" + markdown_cell(also.at("anchor")) + "\"";
  return places;
}

/// Returns the cell of what was found: a sentence, how sure, what would be accepted, and the rest folded.
std::string finding_cell(const json& registered, const Decided& decided, const std::string& verdict) {
  const json& claim = *decided.claim;
  const RowText text = row_text(claim, &registered);
  const std::string cell =
      verdict + markdown_cell(text.finding) + (text.sure.empty() ? "" : " *" + markdown_cell(text.sure) + "*");
  // A number says nothing about an error of typing.
  std::string details = claim.at("verdict") == "misprint"
                            ? ""
                            : "Number: " + markdown_cell(measured_text(claim.at("measured"), claim.at("unit"))) + ". ";
  if (const std::string note = claim.value("note", ""); !note.empty()) details += markdown_cell(note) + " ";
  return cell + "<details><summary>details</summary>" + details + "Controls: " + controls_cell(claim.at("controls")) +
         ". `tools/reproduce " + decided.experiment + "`</details>";
}

/// Returns "| place, anchor, id | printed | right | what was found |".
std::string misprint_row(const json& registered, const Decided& decided) {
  return "| " + place_of(registered) + "<br>`" + registered.at("id").get<std::string>() + "` | " +
         markdown_cell(registered.value("printed", "")) + " | " + markdown_cell(registered.value("right", "")) + " | " +
         finding_cell(registered, decided, "") + " |\n";
}

/// Returns "| place, anchor, statement, id | verdict, what was found |".
std::string row(const json& registered, const Decided& decided) {
  const json& claim = *decided.claim;
  std::string says = place_of(registered) + ". " + markdown_cell(claim.at("statement")) + "<br>`" +
                     claim.at("id").get<std::string>() + "`";
  if (registered.contains("answers")) {
    says += ", settles";
    for (const json& answered : registered.at("answers")) says += " `" + answered.get<std::string>() + "`";
  }
  if (registered.contains("known")) says += ". Known: " + markdown_cell(registered.at("known"));
  return "| " + says + " | " + finding_cell(registered, decided, "**" + in_words(claim.at("verdict")) + "**: ") +
         " |\n";
}

std::string table_of(const json& registry, const std::map<std::string, Decided>& decided,
                     const std::function<bool(const json&, const json&)>& is_shown,
                     const std::function<std::string(const json&, const Decided&)>& row_of = row) {
  std::string rows;
  for (const json& registered : registry.at("claims")) {
    const auto found = decided.find(registered.at("id"));
    if (found != decided.end() && is_shown(registered, *found->second.claim)) rows += row_of(registered, found->second);
  }
  return rows;
}

std::string head(const char* says) { return std::string("| ") + says + " | We find |\n|---|---|\n"; }

std::string counts_of(const json& registry, const std::map<std::string, Decided>& decided) {
  std::map<std::string, std::map<std::string, int>> counts;
  for (const json& registered : registry.at("claims")) {
    const auto found = decided.find(registered.at("id"));
    const std::string verdict =
        found == decided.end() ? "without a verdict" : in_words(found->second.claim->at("verdict"));
    ++counts[registered.at("origin")][verdict];
  }
  std::string text;
  for (const auto& [origin, title] : {std::pair{"statement", "statements"}, std::pair{"number", "printed numbers"},
                                      std::pair{"reading", "readings"}, std::pair{"ours", "results of our own"}}) {
    int sum = 0;
    std::string list;
    for (const auto& [verdict, count] : counts[origin]) {
      sum += count;
      list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + verdict;
    }
    if (sum > 0) text += "- " + std::to_string(sum) + " " + title + ": " + list + "\n";
  }
  return text;
}

/// Returns the symbols that the rows of a document use, one line each, or nothing.
std::string symbols_of(const json& registry) {
  std::string text;
  for (const json& entry : registry.value("symbols", json::array()))
    text += "- " + markdown_cell(entry.at("symbol")) + ": " + markdown_cell(entry.at("meaning")) + "\n";
  return text.empty() ? "" : "\nIn the rows:\n\n" + text;
}

std::string claims_of(const json& registry, const std::vector<Headline>& all,
                      const std::map<std::string, Decided>& decided) {
  const std::string document = registry.at("document");
  std::string text =
      std::string(made) + "\n# What " + document + " says, and what we find\n\n" + markdown_cell(registry.at("title")) +
      ".\n\n**" + markdown_cell(registry.at("summary")) +
      "**\n\nLeft: the place, a few words by which the sentence is found in the document "
      "(`tools/find_anchors` finds them in a text of yours), and the sentence in our words. Right: the "
      "verdict, what we found, and how sure it is: the number that decides, and the range in which it has to "
      "lie to confirm the sentence (accepted). The details have the limits, the controls, and the "
      "command that runs it again.\n\nA verdict follows from the number, the accepted range and the "
      "controls. The same test has to reject a variant that we made wrong on purpose, and to pass one "
      "that is known to be correct. \"Not for\" and \"also for\" name similar cases in which the "
      "sentence fails or holds. A sentence that fails in more similar cases than it holds in is no rule. We choose "
      "\"confirmed with limits\", \"misprint\", \"undecided\" and "
      "\"not testable\"; the numbers can refuse the first two. A reading is our interpretation of "
      "what the document leaves open. It holds within limits or decides nothing. "
      "A misprint counts once: it has one row, and sentences that are true after its correction are confirmed.\n\n" +
      counts_of(registry, decided) + symbols_of(registry);
  for (const Headline& headline : all) {
    if (headline.document != document) continue;
    const std::string rows = table_of(registry, decided, [&](const json& registered, const json&) {
      return registered.at("headline") == headline.key && registered.at("origin") != "ours";
    });
    text += "\n## <a id=\"" + headline.key + "\"></a>" + headline.question + "\n\n" +
            verdict_with_refuted(headline, "**", ".**") + " " + markdown_cell(headline.answer) + " *" +
            markdown_cell(headline.advice) + "*\n\nDecided by";
    for (const std::string& id : headline.deciding) text += " [`" + id + "`](#" + id + ")";
    if (!headline.refuted.empty()) text += "; refuted under it:";
    for (const std::string& id : headline.refuted) text += " [`" + id + "`](#" + id + ")";
    text += ".\n\n" + head("The paper says") + rows;
  }
  return text;
}

std::string errata(const Findings& findings, const std::map<std::string, Decided>& decided) {
  std::string text = std::string(made) +
                     "\n# Errata\n\nCorrections for readers (misprints), and statements not to rely on (refuted). Each "
                     "entry was tested: what is printed fails, and the correction, or a case in which the statement is "
                     "true, passes. Entries that say \"read, not measured\" were not tested.\n";
  for (const json& registry : findings.documents) {
    const auto rows_with = [&](const char* verdict, const auto& row_of) {
      return table_of(
          registry, decided, [&](const json&, const json& claim) { return claim.at("verdict") == verdict; }, row_of);
    };
    const std::string document = registry.at("document");
    std::string rows = rows_with("misprint", misprint_row);
    for (const json& entry : registry.value("errata", json::array())) {
      rows += "| " + markdown_cell(entry.at("place")) + ": \"" + markdown_cell(entry.at("anchor")) + "\"";
      for (const char* key : {"printed", "right", "why"}) rows += " | " + markdown_cell(entry.at(key));
      rows += " *Read, not measured.* |\n";
    }
    if (!rows.empty())
      text += "\n## " + document + ": misprints\n\n| Place | Printed | Right | We find |\n|---|---|---|---|\n" + rows;
    if (const std::string refuted = rows_with("refuted", row); !refuted.empty())
      text += "\n## " + document + ": refuted\n\n" + head("The paper says") + refuted;
  }
  return text;
}

/// Returns the results that stand first, in their order: what we say or found, how sure it is, and what to do about it.
std::string first_results(const Findings& findings, const std::map<std::string, Decided>& decided) {
  std::map<int, std::string> lines;
  for (const json& registry : findings.documents)
    for (const json& registered : registry.at("claims")) {
      const auto found = decided.find(registered.at("id"));
      if (!registered.contains("front") || found == decided.end()) continue;
      const std::string id = registered.at("id");
      const bool is_ours = registered.at("origin") == "ours";
      const std::string page = is_ours ? "" : "claims-" + id.substr(0, id.find('.')) + ".md";
      const RowText text = row_text(*found->second.claim, &registered);
      const std::string says = is_ours ? found->second.claim->at("statement").get<std::string>() : text.finding;
      lines[registered.at("front")] += ". " + markdown_cell(says) + " *" + markdown_cell(text.sure) + "* " +
                                       markdown_cell(registered.at("advice")) + " ([row](" + page + "#" + id + "))\n";
    }
  std::string list;
  for (const auto& [number, line] : lines) list += std::to_string(number) + line;
  return list.empty() ? "" : "\n## Worth knowing\n\n" + list;
}

std::string own_results(const Findings& findings, const std::map<std::string, Decided>& decided) {
  std::string text = std::string(made) +
                     "\n# Results of our own\n\nFound on the way; no document says them, and none is judged by "
                     "them. What is known says so.\n" +
                     first_results(findings, decided);
  for (const page_detail::Subject& subject : page_detail::own_results_by_subject(findings)) {
    text += "\n## " + subject.title + "\n\n" + head("Statement");
    for (const page_detail::OwnResult& result : subject.results)
      if (result.registered != nullptr) text += row(*result.registered, {result.claim, result.experiment});
  }
  return text;
}

/// Returns the tables of all methods, from the report of the battery.
std::string battery_tables(const Findings& findings) {
  const auto report = std::find_if(findings.reports.begin(), findings.reports.end(),
                                   [](const json& r) { return r.at("experiment") == "battery_table"; });
  if (report == findings.reports.end()) throw ReportError("the report 'battery_table' is missing");
  std::map<std::string, double> numbers;
  for (const json& measurement : report->at("measurements")) numbers[measurement.at("name")] = measurement.at("value");
  const json& parameters = report->at("parameters");
  std::vector<std::string> methods;
  for (const auto& [name, value] : report->at("counts").items())
    if (const auto at = name.find(".exit_status"); at != std::string::npos) methods.push_back(name.substr(0, at));
  const auto cell = [&](const std::string& entry) -> std::string {
    if (!parameters.contains(entry + ".verdict") || parameters.at(entry + ".verdict") == "not-testable") return "-";
    const std::string declared = parameters.at(entry + ".declared");
    const auto number = numbers.find(entry);
    std::string text = declared;
    if (number != numbers.end()) text += ": " + short_number(number->second);
    const std::string verdict = parameters.at(entry + ".verdict");
    return verdict == "confirmed" || verdict == "confirmed-with-limits" ? text : text + " (" + in_words(verdict) + ")";
  };
  const auto table = [&](const char* title, const std::vector<std::pair<const char*, const char*>>& columns,
                         const char* of) {
    std::string text = std::string("\n## ") + title + "\n\n| method |";
    std::string line = "|---|";
    for (const auto& [test, name] : columns) {
      text += std::string(" ") + name + " |";
      line += "---|";
    }
    text += "\n" + line + "\n";
    for (const std::string& method : methods) {
      if (!parameters.contains(method + "." + of + ".declared")) continue;
      text += "| " + method + " |";
      for (const auto& [test, name] : columns) text += " " + markdown_cell(cell(method + "." + test)) + " |";
      text += "\n";
    }
    return text;
  };
  return std::string(made) +
         "\n# The battery on every method of the library\n\nDeclared: measured, for each row. Residuals are those of "
         "50-digit arithmetic, whose floor is 1e-45; what is not declared is measured to be visible. A dash: the row "
         "does not apply.\n" +
         table("Vector spaces",
               {{"order of q", "order of q"},
                {"order of p", "order of p"},
                {"symplectic", "symplectic"},
                {"conjugate symplectic", "after its map"},
                {"symmetric", "symmetric"},
                {"linear momentum", "linear momentum"},
                {"angular momentum", "angular momentum"},
                {"linear stability", "stable to h omega"},
                {"certificate", "certified"}},
               "order of q") +
         table("Rigid bodies",
               {{"order of Q", "order of Q"},
                {"order of W", "order of W"},
                {"symplectic", "symplectic"},
                {"symmetric", "symmetric"},
                {"angular momentum", "spatial momentum"},
                {"Casimir function", "Casimir function"},
                {"group", "stays on the group"},
                {"stress test", "drift in the stress test, standard errors"}},
               "order of Q");
}

/// Returns the running times that the documents print, beside counted arithmetic. They come from the parameters
/// "running_time.<pair>" of every report, which name the lines, and from the measurements of these names.
std::string running_times(const Findings& findings) {
  std::map<std::pair<std::string, std::string>, std::string> rows;  // by place and pair
  for (const json& report : findings.reports) {
    const json source = report.value("source", json::object());
    const std::string place = source.value("document", "") + ", " + source.value("section", "");
    std::map<std::string, double> numbers;
    for (const json& measurement : report.at("measurements")) numbers[measurement.at("name")] = measurement.at("value");
    for (const auto& [pair, name] : report.at("parameters").items()) {
      if (pair.rfind("running_time.", 0) != 0) continue;
      std::string& row = rows[{place, pair}];
      row = "| " + place + " | " + markdown_cell(name);
      for (const char* column : {".printed", ".general", ".dense", ".structured"}) {
        const auto number = numbers.find(pair + column);
        if (number == numbers.end())
          throw ReportError("the report '" + report.at("experiment").get<std::string>() + "' has no measurement '" +
                            pair + column + "'");
        row += " | " + short_number(number->second);
      }
      row += " |\n";
    }
  }
  std::string text =
      std::string(made) +
      "\n# Running times\n\nSeconds of one method over those of another, as printed, beside the same ratio of counted "
      "arithmetic. TO14 calls its running times (Matlab 7.7, fsolve) dependent on machine and platform, and a "
      "qualitative illustration of efficiencies only: no seconds are judged, neither the paper's nor ours. Judged is "
      "the order of the methods in the printed seconds, by arithmetic with a general solver. Where a ratio is on "
      "different sides of 1 in two columns, the order is a matter of the solver.\n\n"
      "- General solver: for nonlinear equations, as fsolve; it differences the function and eliminates a full matrix. "
      "Linear systems by their structure. In 4.3 both are solved molecule by molecule.\n"
      "- Full matrices: in the linear systems, too; in 4.3 those of all molecules at once. The paper does not say how "
      "it "
      "solved its linear systems, but in 4.3.\n"
      "- By structure: nonlinear equations and linear systems as this library solves them.\n\n"
      "| Section | Methods | Printed | Counted, general solver | Counted, full matrices | Counted, by structure |\n"
      "|---|---|---|---|---|---|\n";
  for (const auto& [key, row] : rows) text += row;
  return text;
}

/// Returns the tables of strong orders. Throws ReportError if a method has no order.
std::string strong_orders(const Findings& findings) {
  std::string text =
      std::string(made) +
      "\n# Strong orders under noise\n\nRoot mean square errors of (q, p) at T = 1, of methods for constrained systems "
      "along the same paths, and the powers of h with which they fall. K_ij are the products of the noises' gradients "
      "in the metric of the manifold; they decide which order a method has "
      "(`lib/livi/stochastic/commutator_rattle.hpp`).\n\n";
  for (const StrongOrderColumn& column : strong_order_columns())
    text += std::string("- ") + column.name + ": " + column.meaning + "\n";
  const auto line_of = [](const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += " " + markdown_cell(cell) + " |";
    return line + "\n";
  };
  for (const StrongOrderTable& table : strong_order_tables(findings)) {
    const std::vector<std::string> heads = strong_order_heads(table);
    text += "\n## " + table.title + "\n\n" + line_of(heads) + "|";
    for (std::size_t k = 0; k < heads.size(); ++k) text += "---|";
    text += "\n";
    for (const StrongOrderRow& row : table.rows) {
      if (!std::isfinite(row.order) || !std::isfinite(row.half_width) || !std::isfinite(row.widest))
        throw ReportError("the report '" + table.experiment + "' has no order or no interval of the method '" +
                          row.method + "' in '" + table.title + "'");
      text += line_of(strong_order_cells(row));
    }
  }
  return text;
}

std::string parameters_cell(const std::vector<Parameter>& parameters) {
  std::string cell;
  for (const Parameter& p : parameters)
    cell += (cell.empty() ? "`" : "; `") + p.name + "` " +
            markdown_cell(p.allowed + (p.otherwise == "none" ? "" : " (" + p.otherwise + ")") + ", " + p.meaning);
  return cell;
}

/// Returns what a method declares, in words.
std::string declared_cell(const Properties& p) {
  std::string cell = "order " + std::to_string(p.order);
  const auto add = [&](bool declared, const char* word) { cell += declared ? std::string(", ") + word : ""; };
  add(p.symmetric, "symmetric");
  add(p.symplectic, "symplectic");
  add(p.conjugate_symplectic, "symplectic after a map");
  add(p.linear_momentum && p.angular_momentum, "momenta");
  add(p.linear_momentum && !p.angular_momentum, "linear momentum");
  add(p.angular_momentum && !p.linear_momentum, "angular momentum");
  add(!p.group, "leaves the group");
  if (p.stability_limit == unlimited) cell += ", stable for all h omega";
  if (std::isfinite(p.stability_limit)) cell += ", stable to h omega = " + short_number(p.stability_limit);
  return markdown_cell(cell);
}

std::string cost_cell(const DeclaredCost& cost) {
  if (cost.iterative) return "depends on iterations or stages";
  std::string cell;
  const auto add = [&](int count, const char* name) {
    if (count > 0) cell += (cell.empty() ? "" : ", ") + std::to_string(count) + " " + name + (count == 1 ? "" : "s");
  };
  add(cost.gradients, "gradient");
  add(cost.hessians, "Hessian");
  add(cost.third_derivatives, "third derivative");
  add(cost.linear_solves, "linear solve");
  return cell.empty() ? "what the functions cost" : cell;
}

constexpr const char* about_noise =
    "\n\nFor dq = M^-1 p dt, dp = -grad V dt + sum_i grad gamma_i(q) o dW_i + G^T d lambda, g(q) = 0, with noise "
    "potentials "
    "gamma_i. What is declared first is meant without noise, and symplectic for each path. Strong orders are declared "
    "for "
    "all noises, and where the products K_ij of their gradients on the constraint manifold are constant. "
    "`livi::stochastic_battery` judges them. What to take: [the library](library.md#noise-on-constrained-systems).";

constexpr const char* about_baths =
    "\n\nFor dq = M^-1 p dt, dp = -grad V dt - gamma p dt + (2 gamma T)^(1/2) M^(1/2) dW + G^T d lambda, g(q) = 0, "
    "with "
    "the friction gamma and the temperature T. They take no noise potentials. A step asks for normal numbers, so that "
    "runs with different steps do not follow one path. What is declared is meant with friction, the weak order for "
    "averages at a time and in the long run. What to take: [the library](library.md#noise-on-constrained-systems).";

/// Returns what holds for all methods with adaptive steps, with the densities.
std::string about_adaptive_steps(const std::vector<DensityEntry>& densities) {
  std::string text =
      "\n\n`h` is the fictitious step, which stays constant: steps in time are about sigma h, with a step density "
      "sigma. "
      "What is declared is meant at the time reached, and symplectic in the phase space extended by it. Momenta are "
      "kept where the density has their symmetry. `livi::adaptive_battery` judges them. How to choose: [the "
      "library](library.md#adaptive-steps). W is the potential, E0 the energy of the start.\n\n"
      "| `density` | sigma | depends on |\n|---|---|---|\n";
  for (const DensityEntry& density : densities)
    text += "| " + density.name + " | " + markdown_cell(density.formula) + " | " +
            (density.of_state ? "position and velocity" : "position") + " |\n";
  return text.substr(0, text.size() - 1);
}

}  // namespace

std::string methods_page(const std::vector<MethodEntry>& methods, const std::vector<SystemEntry>& systems,
                         const std::vector<DensityEntry>& densities) {
  std::string text =
      "<!-- Made by tools/docs from lib/livi/catalogue: do not edit. -->\n\n# Methods and systems\n\nWhat each method "
      "declares, with its default options; [the battery](battery.md) measures whether that is so. Costs are those of "
      "a step. Names in the first column are those of livi-simulate and livi-water where these know the method. What "
      "to take: [README](../README.md#which-integrator-to-take).\n";
  std::string family;
  for (const MethodEntry& method : methods) {
    if (method.family != family) {
      family = method.family;
      text += "\n## " + family +
              (method.adaptive                         ? about_adaptive_steps(densities)
               : method.kind != SystemKind::stochastic ? ""
               : method.has({"friction", "", "", ""})  ? about_baths
                                                       : about_noise) +
              "\n\n| method | | for | declares | cost | options | source |\n|---|---|---|---|---|---|---|\n";
    }
    const Properties declared = method.declares(method.defaults);
    text += "| " + method.name + "<br>`" + method.type + "` | " + markdown_cell(method.sentence) +
            (method.equation.empty() ? "" : "<br>" + markdown_cell(method.equation)) + " | " + name_of(method.kind) +
            " | " + declared_cell(declared) +
            (method.under_noise.empty() ? "" : "<br>" + markdown_cell(method.under_noise)) + " | " +
            cost_cell(declared.cost) + " | " + parameters_cell(method.options) + " | " +
            markdown_cell(declared.source) + "<br>`" + method.folder + "/" + method.header + "` |\n";
  }
  text += "\n## Systems\n\n| system | | as | parameters | |\n|---|---|---|---|---|\n";
  for (const SystemEntry& system : systems) {
    std::string kinds;
    for (const SystemKind kind : system.kinds) kinds += (kinds.empty() ? "" : ", ") + name_of(kind);
    text += "| " + system.name + " | " + markdown_cell(system.description) + " | " + kinds + " | " +
            parameters_cell(system.parameters) + " | `systems/" + system.header + "` |\n";
  }
  return text;
}

std::map<std::string, std::string> generated_pages(const Findings& findings) {
  const auto decided = decided_claims(findings);
  const std::vector<Headline> all = answered_headlines(findings);
  std::map<std::string, std::string> pages{{"errata.md", errata(findings, decided)},
                                           {"results.md", own_results(findings, decided)},
                                           {"battery.md", battery_tables(findings)},
                                           {"running-times.md", running_times(findings)},
                                           {"strong-orders.md", strong_orders(findings)}};
  for (const json& registry : findings.documents)
    pages["claims-" + registry.at("document").get<std::string>() + ".md"] = claims_of(registry, all, decided);
  return pages;
}

}  // namespace livi
