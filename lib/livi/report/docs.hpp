// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/methods.hpp>
#include <livi/report/findings.hpp>

#include <map>
#include <string>

/// \file
/// The pages of docs/, and the parts of the README, that are made from the registries, the baselines and the catalogue.

namespace livi {

/// Returns file names and texts of the pages: the claims of each document under their headlines, errata, own results,
/// the battery's tables, running times, strong orders under noise.
std::map<std::string, std::string> generated_pages(const Findings& findings);

/// Returns the page of the methods, systems and step densities of the catalogue: methods.md.
std::string methods_page(const std::vector<MethodEntry>& methods, const std::vector<SystemEntry>& systems,
                         const std::vector<DensityEntry>& densities);

/// Returns the README with one line for each document between "<!-- headlines -->" and "<!-- /headlines -->": its title and summary, and
/// how many of the questions about it have which answer. The page of the document's claims has the questions. Throws ReportError if
/// these marks are not there once each, in this order.
std::string with_headlines(const std::string& readme, const Findings& findings);

}  // namespace livi
