// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// \file
/// Reading and checking of reports, baselines and the registry. The schemas are part of the program: nothing has to be
/// found at run time. Every error is a ReportError that begins with the file and names the place inside it as a JSON
/// pointer.

namespace livi {

/// The texts of report.schema.json and registry.schema.json (JSON Schema, draft 7).
const std::string& report_schema();
const std::string& registry_schema();

/// The problems of `document` under a schema, each as "/claims/0/verdict: what is wrong"; empty if it is valid.
std::vector<std::string> schema_problems(const nlohmann::json& document, const std::string& schema);

/// Checks a report or a baseline (which has an entry "baseline" and no series or timing): the schema; every name occurs
/// once; the verdict of each claim follows from its numbers and controls. `file` is what error messages call it.
void check_report(const nlohmann::json& report, const std::string& file);

/// Checks a registry of claims: the schema, and that every id occurs once and begins with its document.
void check_registry(const nlohmann::json& registry, const std::string& file);

/// Parses a file; a name that occurs twice in one object is refused, too.
nlohmann::json read_json(const std::filesystem::path& file);

/// Reads and checks a report or baseline; its experiment must be the file's stem.
nlohmann::json read_report(const std::filesystem::path& file);

/// Reads and checks a registry.
nlohmann::json read_registry(const std::filesystem::path& file);

/// The series of a report are beside it: each file exists, its header line has the report's columns, its rows are
/// numbers, and there are as many as the report says.
void check_series(const nlohmann::json& report, const std::filesystem::path& file);

/// The *.json files in a folder, sorted by name. ReportError if the folder cannot be read.
std::vector<std::filesystem::path> list_reports(const std::filesystem::path& folder);

}  // namespace livi
