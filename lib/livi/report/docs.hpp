// SPDX-License-Identifier: MIT
#pragma once

#include <livi/report/findings.hpp>

#include <map>
#include <string>

/// \file
/// The pages of docs/, and the parts of the README, that are made from the registries and the baselines.

namespace livi {

/// Returns file names and texts of the pages: the claims of each document under their headlines, errata, own results,
/// the battery's tables, running times.
std::map<std::string, std::string> generated_pages(const Findings& findings);

/// Returns the README with the headlines of the findings between "<!-- headlines -->" and "<!-- /headlines -->". Throws
/// ReportError if these marks are not there once each, in this order.
std::string with_headlines(const std::string& readme, const Findings& findings);

}  // namespace livi
