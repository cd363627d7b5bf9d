// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "view/view_document.hpp"

namespace graze::app {

/// The viewer's page, which scripts/web builds: what was given, or else where it is installed or was built. Throws
/// `Error` (file_not_found) with what to do if there is none.
std::filesystem::path find_page_template(const std::string& given);

/// The page with the document inside: one file, which needs no other and no network. Throws `Error` (bad_file) if the
/// template is not one of ours.
std::string page_with(const ViewDocument& view, const std::filesystem::path& page_template);

}  // namespace graze::app
