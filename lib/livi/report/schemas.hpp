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

/// Return the texts of report.schema.json and registry.schema.json (JSON Schema, draft 7).
const std::string& report_schema();
const std::string& registry_schema();

/// Returns the problems of `document` under a schema, each as "/claims/0/verdict: what is wrong"; empty if it is valid.
std::vector<std::string> schema_problems(const nlohmann::json& document, const std::string& schema);

/// Checks a report or a baseline (which has an entry "baseline" and no series or timing): the schema; every name occurs
/// once; the verdict of each claim follows from its numbers and controls. Error messages call it `file`.
void check_report(const nlohmann::json& report, const std::string& file);

/// Checks the registry of a document's claims: the schema; every id and every headline occurs once; an id begins with
/// its document; a claim belongs to a headline of the registry; unless it is ours, it has an anchor of at most six
/// words, by which its sentence is found in the document. Error messages call it `file`.
void check_registry(const nlohmann::json& registry, const std::string& file);

/// Returns the names of the phrases that a text names, "@{name}". Throws ReportError if one has no end.
std::vector<std::string> phrases_named(const std::string& text, const std::string& claim);

/// Returns the text of a registry's claim with the phrases that it names in their places. Throws ReportError if there
/// is no such phrase.
std::string with_phrases(const std::string& text, const nlohmann::json& phrases, const std::string& claim);

/// Parses a file. A name that occurs twice in one object is refused, too.
nlohmann::json read_json(const std::filesystem::path& file);

/// Reads and checks a report or baseline; its experiment must be the file's stem.
nlohmann::json read_report(const std::filesystem::path& file);

/// Reads and checks a registry; its document must be the file's stem. The results of our own beside the document, in the
/// files of the folder `beyond` by subject, are added to its claims.
nlohmann::json read_registry(const std::filesystem::path& file);

/// Reads and checks all registries in a folder, in the order of the files' names. Throws ReportError if the folder has no registry.
std::vector<nlohmann::json> read_registries(const std::filesystem::path& folder);

/// Returns the claims of all registries in a folder, in the order of the files' names.
nlohmann::json registered_claims(const std::filesystem::path& folder);

/// Checks the series of a report, which are beside it: each file exists, its header line has the report's columns, its
/// rows are numbers, and there are as many as the report says.
void check_series(const nlohmann::json& report, const std::filesystem::path& file);

/// Returns the *.json files in a folder, sorted by name. Throws ReportError if the folder cannot be read.
std::vector<std::filesystem::path> list_reports(const std::filesystem::path& folder);

}  // namespace livi
