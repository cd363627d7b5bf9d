// SPDX-License-Identifier: MIT
#include "input/pieces.hpp"

#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <graze/core/error.hpp>

namespace graze::app {

std::string pieces_text(const std::array<PieceId, 2>& pieces, const Body& a, const Body& b) {
  std::string out;
  const auto add = [&](const Body& body, PieceId id, const char* side) {
    if (body.pieces().empty()) return;
    const std::string& name = body.pieces()[index(id)].name;
    out += fmt::format("{}{}{} of {}", out.empty() ? "" : ", ", index(id), name.empty() ? "" : " (" + name + ")", side);
  };
  add(a, pieces[0], "A");
  add(b, pieces[1], "B");
  return out;
}

Body read_compound(JsonReader& reader, const std::function<Body(JsonReader&)>& read_body) {
  std::vector<Piece> pieces;
  for (JsonReader& entry : reader.objects("pieces")) {
    Piece piece{read_body(entry), {}, entry.text("name", "")};
    if (entry.has("pose")) piece.pose = entry.pose("pose");
    entry.finish();
    pieces.push_back(std::move(piece));
  }
  try {
    return compound(std::move(pieces));
  } catch (const Error& error) {
    reader.refuse("pieces", error.what());
  }
}

Body load_compound(const std::string& file, const InputOptions& input) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  JsonReader reader = JsonReader::open(file);
  if (reader.has("version")) reader.check_version();
  const std::function<Body(JsonReader&)> read_body = [&](JsonReader& entry) -> Body {
    const int given = entry.has("mesh") + entry.has("shape") + entry.has("pieces");
    if (given != 1)
      entry.refuse("mesh", "give one of \"mesh\" (a file), \"shape\" (such as \"sphere:0.5\") and \"pieces\"");
    if (entry.has("pieces")) return read_compound(entry, read_body);
    if (entry.has("mesh")) return Body(load((folder / entry.text("mesh")).string(), input), {.threads = input.threads});
    try {
      return Body(shape::from_text(entry.text("shape")));
    } catch (const Error& error) {
      entry.refuse("shape", error.detail().message);
    }
  };
  const Body body = read_compound(reader, read_body);
  reader.finish();
  return body;
}

}  // namespace graze::app
