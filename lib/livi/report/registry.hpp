// SPDX-License-Identifier: MIT
#pragma once

#include <livi/claims/claim.hpp>

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

/// \file
/// The claims of the documents: what each says, where, whose words these are, how it is decided and why its interval is
/// what it is. They are written down once, in reference/claims, and are part of the library; a program says only what
/// it has measured.

namespace livi {

/// The claims of a registry, by id, with phrases in their places and without numbers. `verdict` is the one that is
/// expected: the proposal of those that are a person's to make. `note` has the limits of what holds within limits.
std::map<std::string, Claim> claims_of_registry(const nlohmann::json& registry);

/// The claims of all documents, by id.
const std::map<std::string, Claim>& registered_claims();

/// The claim with its texts, origin and proposal from `registered`, if there is one of its id there. ReportError if it
/// brings a text or a proposal of its own: the same text never stands twice; or if one of its controls has the very
/// number of the measurement, which only counts may share: it is a copy.
Claim with_registered_texts(Claim claim, const std::map<std::string, Claim>& registered = registered_claims());

/// The claims of a report or a baseline, of documents that have a registry, are registered, and their texts are those
/// of the registry. ReportError if not.
void check_registered_texts(const nlohmann::json& report, const std::string& file,
                            const std::map<std::string, Claim>& registered = registered_claims());

}  // namespace livi
