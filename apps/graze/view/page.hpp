// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "view/view_document.hpp"

namespace graze::app {

/// The viewer's page, which scripts/web builds: what was given, or else where it is installed or was built. Throws
/// `Error` (file_not_found) with what to do if there is none.
std::filesystem::path find_page_template(const std::string& given);
/// The same of the playground.
std::filesystem::path find_playground(const std::string& given);

/// The page with the document inside: one file, which needs no other and no network. Throws `Error` (bad_file) if the
/// template is not one of ours.
std::string page_with(const ViewDocument& view, const std::filesystem::path& page_template);
/// The playground that begins with this scene; `start` has letters, digits and = & . only.
std::string playground_with(const std::string& start, const std::filesystem::path& page);

/// Throws `Error` (cannot_write).
void write_whole(const std::filesystem::path& file, const std::string& bytes);
/// Opens the page with the desktop, and says what was done.
void show_page(const std::filesystem::path& page);

}  // namespace graze::app
