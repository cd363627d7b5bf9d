// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <graze/ask/deform.hpp>

namespace graze::app {

/// Short names of the kinds of features in contact. A loose edge is the face a, b, b and a point the face p, p, p.
inline constexpr std::string_view contact_kinds[] = {"vf", "ve", "vv", "ee"};

inline std::string_view contact_kind(const DeformContact& c) {
  if (c.kind == ElementaryKind::edge_edge) return "ee";
  return c.vertices[2] != c.vertices[3] ? "vf" : c.vertices[1] != c.vertices[3] ? "ve" : "vv";
}

}  // namespace graze::app
