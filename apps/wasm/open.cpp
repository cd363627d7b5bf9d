// SPDX-License-Identifier: MIT
#include "engine.hpp"
#include "given_files.hpp"
#include "graze/view/subjects.hpp"

namespace graze::web {
namespace {

/// What `graze view` would show of these files, as the viewer reads it. "shown" names those that are opened; others are
/// there for them to refer to.
Json open_view(Engine&, JsonReader& request) {
  static std::string document;
  std::vector<GivenFile> files;
  for (JsonReader& entry : request.objects("files")) {
    const std::span<const char> bytes = memory<const char>(entry, "bytes");
    files.push_back({entry.text("name"), bytes});
  }
  const std::vector<std::string> shown = request.texts("shown");
  request.finish();
  const GivenFiles there(std::move(files));
  app::ViewDocument view;
  app::add_files(view, shown);
  document = app::document_text(view);
  return Json{{"document", memory_json(std::span<const char>(document))}};
}

}  // namespace

void add_open(Answers& answers) { answers.emplace("view.open", open_view); }

}  // namespace graze::web
