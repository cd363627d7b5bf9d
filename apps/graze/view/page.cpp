// SPDX-License-Identifier: MIT
#include "view/page.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include <graze/core/error.hpp>

#include "system.hpp"
#include "view/deflate.hpp"

namespace graze::app {
namespace {

constexpr std::string_view place = "{{document}}";

[[noreturn]] void refuse_template(ErrorCode code, const std::string& file, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.file = file;
  detail.message = std::move(message);
  throw Error(detail);
}

}  // namespace

std::filesystem::path find_page_template(const std::string& given) {
  if (!given.empty()) return given;
  if (const char* named = std::getenv("GRAZE_VIEWER"); named && *named) return named;
  // Beside the program as it is installed (bin, share/graze) or as it was built (build/bin, build/web).
  const std::filesystem::path prefix = program_file().parent_path().parent_path();
  for (const char* name : {"share/graze/viewer.html", "web/viewer.html"})
    if (std::filesystem::is_regular_file(prefix / name)) return prefix / name;
  refuse_template(
      ErrorCode::file_not_found, "viewer.html",
      "the page to write is not there: scripts/web builds it (it needs emscripten and npm), or name one with "
      "--template or GRAZE_VIEWER; a picture needs none (graze view --png FILE)");
}

std::string page_with(const ViewDocument& view, const std::filesystem::path& page_template) {
  std::ostringstream text;
  std::ifstream in(page_template, std::ios::binary);
  if (!in) refuse_template(ErrorCode::file_not_found, page_template.string(), "cannot be read");
  text << in.rdbuf();
  std::string page = std::move(text).str();
  const std::size_t at = page.find(place);
  if (at == page.npos || page.find(place, at + 1) != page.npos)
    refuse_template(ErrorCode::bad_file, page_template.string(),
                    "is no page of the viewer: it must have the text {{document}} once; build it with scripts/web");
  // Nothing but letters, digits, + / and =: whatever the names in the document are, they cannot end the element.
  return page.replace(at, place.size(), base64(gzipped(document_text(view))));
}

}  // namespace graze::app
