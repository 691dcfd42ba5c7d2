// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "study/pages/findings.hpp"

/// \file
/// The claims of all reports as text, as a Markdown table, and as a web page. Each is a function of the reports (and,
/// for the page, of which figures exist): nothing is measured or judged here.

namespace livi {

/// Returns a list for terminals: two or more lines per claim (at most about 110 columns), a line that counts the
/// verdicts, and lines that name the claims that are undecided, have a broken control or have no verdict.
std::string claims_text(const Findings& findings);

/// Returns a Markdown table: claim, place, statement, verdict, measured number, interval.
std::string claims_markdown(const Findings& findings);

/// Returns a web page in one file, without scripts. It refers to nothing from elsewhere except the figures, by relative
/// links from the page's own folder to `figures`. A figure that has not been drawn is named in its place.
std::string claims_page(const Findings& findings, const std::filesystem::path& figures,
                        const std::filesystem::path& page);

}  // namespace livi
