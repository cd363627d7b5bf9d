// SPDX-License-Identifier: MIT
#include "output/answered_pieces.hpp"

#include <string>

#include "output/json.hpp"

namespace graze::app {

const Mesh& mesh_of(const Body& body) {
  static const Mesh one({{}, {}, {}}, std::array<Triangle, 1>{{{0, 1, 2}}});
  return body.has_mesh() ? body.mesh() : one;
}

const Mesh& mesh_of(const Body& body, const AnsweredPieces& pieces, std::size_t side) {
  return body.pieces().empty() || !pieces ? mesh_of(body) : mesh_of(body.piece((*pieces)[side]));
}

Json pieces_json(const std::array<PieceId, 2>& pieces, const Body& a, const Body& b) {
  Json out = Json::object();
  const auto add = [&](const Body& body, PieceId id, const std::string& side) {
    if (body.pieces().empty()) return;
    out[side] = index(id);
    out["name_" + side] = body.pieces()[index(id)].name;
  };
  add(a, pieces[0], "a");
  add(b, pieces[1], "b");
  return out;
}

}  // namespace graze::app
