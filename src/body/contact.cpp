// SPDX-License-Identifier: MIT
#include <graze/body/contact.hpp>

namespace graze {

const char* name(ContactKind kind) {
  constexpr const char* names[] = {"touching", "crossing", "overlap"};
  return names[static_cast<int>(kind)];
}

const char* name(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::vertex_face: return "vf";
    case FeatureKind::face_vertex: return "fv";
    case FeatureKind::edge_edge: return "ee";
    case FeatureKind::edge_face: return "ef";
    case FeatureKind::face_edge: return "fe";
    case FeatureKind::vertex_surface: return "vs";
    case FeatureKind::edge_surface: return "es";
    case FeatureKind::face_surface: return "fs";
    case FeatureKind::surface_vertex: return "sv";
    case FeatureKind::surface_edge: return "se";
    case FeatureKind::surface_face: return "sf";
    case FeatureKind::surface_surface: return "ss";
  }
  return "unknown";
}

}  // namespace graze
