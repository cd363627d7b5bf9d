// SPDX-License-Identifier: MIT
#include <graze/body/contact.hpp>

namespace graze {

const char* name(ContactKind kind) { return kind == ContactKind::crossing ? "crossing" : "touching"; }

const char* name(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::vertex_face: return "vf";
    case FeatureKind::face_vertex: return "fv";
    case FeatureKind::edge_edge: return "ee";
    case FeatureKind::edge_face: return "ef";
    case FeatureKind::face_edge: return "fe";
  }
  return "unknown";
}

}  // namespace graze
