// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <string>

#include <graze/body/body.hpp>

#include "input/json_reader.hpp"
#include "input/query_options.hpp"
#include "output/answered_pieces.hpp"

namespace graze::app {

/// "0 (palm) of A, 2 (cup) of B", without the side that is no compound.
std::string pieces_text(const std::array<PieceId, 2>& pieces, const Body& a, const Body& b);

/// "pieces": each with what `read_body` reads of it, and "pose" and "name".
Body read_compound(JsonReader& reader, const std::function<Body(JsonReader&)>& read_body);

/// A file of pieces: {"pieces": [{"mesh": FILE, "pose": ...}, {"shape": "sphere:0.5", ...}]}. Files are beside it.
Body load_compound(const std::string& file, const InputOptions& input);

}  // namespace graze::app
