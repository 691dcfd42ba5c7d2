// SPDX-License-Identifier: MIT
#pragma once

#include <livi/report/findings.hpp>

#include <map>
#include <string>

/// \file
/// The pages of docs/ that are made from the registries and the baselines, and the parts of the README that are.

namespace livi {

/// File names and texts: the claims of each document under their headlines, errata, own results, the battery's tables,
/// running times.
std::map<std::string, std::string> generated_pages(const Findings& findings);

/// The README with its headlines, between "<!-- headlines -->" and "<!-- /headlines -->", as the findings have them.
/// ReportError if these marks are not there once each, in this order.
std::string with_headlines(const std::string& readme, const Findings& findings);

}  // namespace livi
