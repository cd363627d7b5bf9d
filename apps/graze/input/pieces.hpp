// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include <graze/ask/collide.hpp>
#include <graze/body/body.hpp>

#include "input/json_reader.hpp"
#include "input/query_options.hpp"

namespace graze::app {

/// The pieces that an answer is about, as results hold them.
using AnsweredPieces = std::optional<std::array<PieceId, 2>>;

/// The mesh by which triangles of side 0 (A) or 1 (B) are named: of a compound, that of the piece.
const Mesh& mesh_of(const Body& body, const AnsweredPieces& pieces, std::size_t side);

/// {"a": 0, "name_a": "palm", "b": 2, "name_b": "cup"}, without the side that is no compound.
Json pieces_json(const std::array<PieceId, 2>& pieces, const Body& a, const Body& b);
/// "0 (palm) of A, 2 (cup) of B", likewise.
std::string pieces_text(const std::array<PieceId, 2>& pieces, const Body& a, const Body& b);

/// Calls `visit(pair, pieces)` for every triangle pair.
template <class Visit>
void for_each_pair(const CollideResult& result, Visit&& visit) {
  std::size_t at = 0;
  for (const PieceContact& c : result.piece_contacts)
    for (std::size_t k = 0; k < c.pairs; ++k) visit(result.pairs[at++], AnsweredPieces({c.a, c.b}));
  for (; at < result.pairs.size(); ++at) visit(result.pairs[at], result.pieces);
}

/// "pieces": each with what `read_body` reads of it, and "pose" and "name".
Body read_compound(JsonReader& reader, const std::function<Body(JsonReader&)>& read_body);

/// A file of pieces: {"pieces": [{"mesh": FILE, "pose": ...}, {"shape": "sphere:0.5", ...}]}. Files are beside it.
Body load_compound(const std::string& file, const InputOptions& input);

}  // namespace graze::app
