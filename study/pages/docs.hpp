// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/methods.hpp>

#include <map>
#include <string>

#include "study/pages/findings.hpp"

/// \file
/// The pages of docs/ that are made from the registries, the baselines and the catalogue.

namespace livi {

/// Returns file names and texts of the pages: the claims of each document under their headlines, errata, own results,
/// the battery's tables, running times, strong orders under noise.
std::map<std::string, std::string> generated_pages(const Findings& findings);

/// Returns the page of the methods, systems and step densities of the catalogue: methods.md.
std::string methods_page(const std::vector<MethodEntry>& methods, const std::vector<SystemEntry>& systems,
                         const std::vector<DensityEntry>& densities);

}  // namespace livi
