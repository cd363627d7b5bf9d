// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include <graze/ask/collide.hpp>
#include <graze/body/body.hpp>
#include <nlohmann/json.hpp>

namespace graze::app {

/// The pieces that an answer is about, as results hold them.
using AnsweredPieces = std::optional<std::array<PieceId, 2>>;

/// The mesh by which triangles are named; for a curved shape, which has none, a mesh of one triangle.
const Mesh& mesh_of(const Body& body);
/// The same for side 0 (A) or 1 (B): of a compound, that of the piece.
const Mesh& mesh_of(const Body& body, const AnsweredPieces& pieces, std::size_t side);

/// {"a": 0, "name_a": "palm", "b": 2, "name_b": "cup"}, without the side that is no compound.
nlohmann::ordered_json pieces_json(const std::array<PieceId, 2>& pieces, const Body& a, const Body& b);

/// Calls `visit(pair, pieces)` for every triangle pair.
template <class Visit>
void for_each_pair(const CollideResult& result, Visit&& visit) {
  std::size_t at = 0;
  for (const PieceContact& c : result.piece_contacts)
    for (std::size_t k = 0; k < c.pairs; ++k) visit(result.pairs[at++], AnsweredPieces({c.a, c.b}));
  for (; at < result.pairs.size(); ++at) visit(result.pairs[at], result.pieces);
}

}  // namespace graze::app
