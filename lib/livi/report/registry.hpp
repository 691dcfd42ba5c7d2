// SPDX-License-Identifier: MIT
#pragma once

#include <livi/claims/claim.hpp>

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

/// \file
/// The claims of the documents: what each says, where, whose words these are, how it is decided and why its interval is
/// what it is. They are written down once, in a folder of JSON files (reference/claims in this repository), which a
/// program reads when it starts. A program adds only what it has measured.

namespace livi {

/// Returns the claims of a registry, by id, with phrases in their places and without numbers. `verdict` is the expected
/// one: the proposal if it is a person's to make. `note` has the limits of what holds within limits.
std::map<std::string, Claim> claims_of_registry(const nlohmann::json& registry);

/// Reads the registries in a folder, which registered_claims() returns from then on. Call it before anything uses the
/// claims. Throws ReportError if the folder or a file in it is missing or not in order.
void use_registry(const std::filesystem::path& folder);

/// Returns the claims of all documents, by id; no claims before use_registry().
const std::map<std::string, Claim>& registered_claims();

/// Returns the claim with its texts, origin and proposal from `registered`, if its id is there. Throws ReportError if
/// it brings a text or a proposal of its own, since no text must stand twice. Throws it also if one of its controls has
/// the very number of the measurement: it is a copy, unless both are counts.
Claim with_registered_texts(Claim claim, const std::map<std::string, Claim>& registered = registered_claims());

/// Checks the claims of a report or a baseline on documents that have a registry: they must be registered, with the
/// texts of the registry. Throws ReportError otherwise.
void check_registered_texts(const nlohmann::json& report, const std::string& file,
                            const std::map<std::string, Claim>& registered = registered_claims());

}  // namespace livi
