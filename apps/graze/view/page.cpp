// SPDX-License-Identifier: MIT
#include "view/page.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "input/refuse_file.hpp"
#include "system.hpp"
#include "view/deflate.hpp"

namespace graze::app {
namespace {

[[noreturn]] void refuse_template(ErrorCode code, const std::string& file, std::string message) {
  ErrorDetail detail;
  detail.code = code;
  detail.file = file;
  detail.message = std::move(message);
  throw Error(detail);
}

/// What was given, or what the environment names, or beside the program as it is installed (bin, share/graze) or as it
/// was built (build/bin, build/web).
std::filesystem::path find_page(const std::string& given, const char* variable, const std::string& file,
                                const std::string& instead) {
  if (!given.empty()) return given;
  if (const char* named = std::getenv(variable); named && *named) return named;
  const std::filesystem::path prefix = program_file().parent_path().parent_path();
  for (const char* folder : {"share/graze", "web"})
    if (std::filesystem::is_regular_file(prefix / folder / file)) return prefix / folder / file;
  refuse_template(ErrorCode::file_not_found, file,
                  fmt::format("the page is not there: scripts/web builds it (it needs emscripten and npm), or name one "
                              "with --template or {}{}",
                              variable, instead));
}

/// The page with the only place of this name filled.
std::string filled(const std::filesystem::path& page_template, const std::string& place, const std::string& with,
                   const char* whose) {
  std::ostringstream text;
  std::ifstream in(page_template, std::ios::binary);
  if (!in) refuse_template(ErrorCode::file_not_found, page_template.string(), "cannot be read");
  text << in.rdbuf();
  std::string page = std::move(text).str();
  const std::size_t at = page.find(place);
  if (at == page.npos || page.find(place, at + 1) != page.npos)
    refuse_template(
        ErrorCode::bad_file, page_template.string(),
        fmt::format("is no page of the {}: it must have the text {} once; build it with scripts/web", whose, place));
  return page.replace(at, place.size(), with);
}

}  // namespace

std::filesystem::path find_page_template(const std::string& given) {
  return find_page(given, "GRAZE_VIEWER", "viewer.html", "; a picture needs none (graze view --png FILE)");
}
std::filesystem::path find_playground(const std::string& given) {
  return find_page(given, "GRAZE_PLAYGROUND", "play.html", "");
}

std::string page_with(const ViewDocument& view, const std::filesystem::path& page_template) {
  // Nothing but letters, digits, + / and =: whatever the names in the document are, they cannot end the element.
  return filled(page_template, "{{document}}", base64(gzipped(document_text(view))), "viewer");
}

std::string playground_with(const std::string& start, const std::filesystem::path& page) {
  return filled(page, "{{start}}", start, "playground");
}

void write_whole(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush())
    refuse_file(ErrorCode::cannot_write, file.string(),
                "cannot be written; check the folder and the space on the disk");
}

void show_page(const std::filesystem::path& page) {
  if (open_with_desktop(page)) return fmt::print("{}: opened\n", page.string());
  fmt::print("{}: there is no desktop here to open it, so open it in a browser\n", page.string());
}

}  // namespace graze::app
