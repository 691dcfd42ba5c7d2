// SPDX-License-Identifier: MIT
//
// Apart from schemas.cpp, because valijson takes the compiler longer than all other sources of reports.
#include <livi/report/schemas.hpp>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>

namespace livi {

using nlohmann::json;

std::vector<std::string> schema_problems(const json& document, const std::string& schema) {
  const json schema_document = json::parse(schema);
  valijson::Schema parsed;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_document), parsed);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(parsed, valijson::adapters::NlohmannJsonAdapter(document), &results)) return {};

  struct Problem {
    std::string where;
    std::string what;
  };
  std::vector<Problem> problems;
  for (const auto& error : results) {
    Problem problem{"", error.description};
    for (const std::string& step : error.context) {
      if (step.front() == '[') problem.where += "/" + step.substr(1, step.size() - 2);
    }
    problems.push_back(std::move(problem));
  }
  // Each object around a problem repeats it in general words; the innermost one says what it is.
  std::vector<std::string> texts;
  for (const Problem& problem : problems) {
    const bool repeated = std::any_of(problems.begin(), problems.end(), [&](const Problem& other) {
      return other.where.size() > problem.where.size() && other.where.rfind(problem.where + "/", 0) == 0;
    });
    const bool general = problem.what.rfind("Failed to validate ", 0) == 0;
    if (repeated && general) continue;
    texts.push_back((problem.where.empty() ? "/" : problem.where) + ": " + problem.what);
  }
  if (texts.empty()) texts.push_back("/: does not follow the schema");
  return texts;
}

}  // namespace livi
