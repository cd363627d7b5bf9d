// SPDX-License-Identifier: MIT
#include <graze/mesh/classify.hpp>

#include <algorithm>
#include <bit>

#include "core/disjoint_sets.hpp"
#include "core/fp_guard.hpp"
#include "mesh/convexity.hpp"
#include "mesh/plane_geometry.hpp"

namespace graze {
namespace {

constexpr std::uint32_t nobody = 0xFFFFFFFF;

/// Returns whether every edge is traversed equally often in both directions.
bool classify_edges(const Connectivity& con, Classification& out) {
  out.even = true;
  for (std::uint32_t e = 0; e < con.edge_count(); ++e) {
    const std::span<const HalfEdgeId> around = con.half_edges(EdgeId{e});
    if (around.size() == 2) continue;
    if (around.size() % 2 != 0) out.even = false;
    const IrregularEdge edge{con.vertices(EdgeId{e}), static_cast<std::uint32_t>(around.size()),
                             con.polygon(around[0])};
    (around.size() == 1 ? out.boundary_edges : out.non_manifold_edges).push_back(edge);
  }
  out.orientation_conflicts.assign(con.conflicts().begin(), con.conflicts().end());
  out.closed = out.boundary_edges.empty();
  out.oriented = out.orientation_conflicts.empty();
  return out.even && out.oriented;
}

// Zachmann 4.2.1 states that only edges can be non-manifold. Two cones that share their apex show that vertices can be,
// too.
void classify_vertices(const Connectivity& con, Classification& out) {
  core::DisjointSets fans(con.half_edge_count());
  for (std::uint32_t e = 0; e < con.edge_count(); ++e) {
    const std::span<const HalfEdgeId> around = con.half_edges(EdgeId{e});
    if (around.size() != 2) continue;
    const HalfEdgeId h = around[0], g = around[1];
    const bool opposite = con.from(h) != con.from(g);
    fans.unite(index(h), index(opposite ? con.next(g) : g));
    fans.unite(index(con.next(h)), index(opposite ? g : con.next(g)));
  }
  for (std::uint32_t h = 0; h < con.half_edge_count(); ++h) {  // a half-edge from a vertex to itself joins its corners
    if (con.edge(HalfEdgeId{h}) == Connectivity::no_edge) fans.unite(h, index(con.next(HalfEdgeId{h})));
  }
  std::vector<bool> loose(con.mesh().vertex_count(), false);
  for (const std::uint32_t v : con.mesh().points()) loose[v] = true;
  for (const auto& edge : con.mesh().edges()) loose[edge[0]] = loose[edge[1]] = true;
  std::vector<bool> on_bad_edge(con.mesh().vertex_count(), false);
  for (const IrregularEdge& edge : out.non_manifold_edges) {
    for (VertexId v : edge.edge) on_bad_edge[index(v)] = true;
  }
  for (std::uint32_t v = 0; v < con.mesh().vertex_count(); ++v) {
    const std::span<const HalfEdgeId> corners = con.half_edges_from(VertexId{v});
    if (corners.empty() && !loose[v]) out.unused_vertices.push_back(VertexId{v});
    if (corners.empty() || on_bad_edge[v]) continue;
    const std::uint32_t root = fans.root(index(corners[0]));
    const auto elsewhere = [&](HalfEdgeId h) { return fans.root(index(h)) != root; };
    if (std::any_of(corners.begin(), corners.end(), elsewhere)) out.non_manifold_vertices.push_back(VertexId{v});
  }
  out.manifold = out.non_manifold_edges.empty() && out.non_manifold_vertices.empty();
}

void find_components(const Mesh& mesh, Classification& out) {
  core::DisjointSets sets(mesh.polygon_count());
  std::vector<std::uint32_t> first_polygon(mesh.vertex_count(), nobody);
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
    for (std::uint32_t v : mesh.polygons()[p]) {
      if (first_polygon[v] == nobody) first_polygon[v] = p;
      sets.unite(first_polygon[v], p);
    }
  }
  out.component_of.resize(mesh.polygon_count());
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
    const std::uint32_t root = sets.root(p);  // root <= p, so its number is already known
    out.component_of[p] = root == p ? out.component_count++ : out.component_of[root];
  }
}

void classify_polygons(const Mesh& mesh, Classification& out) {
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
    const mesh::CornerView corners{mesh.positions(), mesh.polygons()[p]};
    const auto [first, last] = mesh.triangles_of(PolygonId{p});
    std::uint32_t flat = 0;
    for (std::uint32_t t = first; t < last; ++t) {
      const Triangle& c = mesh.triangles()[t];
      if (!mesh::collinear(mesh.positions()[c[0]], mesh.positions()[c[1]], mesh.positions()[c[2]])) continue;
      out.degenerate_triangles.push_back(TriangleId{t});
      ++flat;
    }
    const bool degenerate = flat == last - first;
    if (degenerate) out.degenerate_polygons.push_back(PolygonId{p});
    if (corners.size() == 3) {
      if (degenerate) out.non_convex_polygons.push_back(PolygonId{p});
      continue;
    }
    if (!mesh::is_planar(corners)) out.non_planar_polygons.push_back(PolygonId{p});
    if (!mesh::is_convex_polygon(corners)) out.non_convex_polygons.push_back(PolygonId{p});
  }
  out.planar_polygons = out.non_planar_polygons.empty();
  out.convex_polygons = out.non_convex_polygons.empty();
}

/// The polygon's vertices, each once, ascending.
void vertex_set(std::span<const std::uint32_t> polygon, std::vector<std::uint32_t>& set) {
  set.assign(polygon.begin(), polygon.end());
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

std::uint64_t hash(std::span<const std::uint32_t> set) {
  std::uint64_t h = 0x9E3779B97F4A7C15 ^ set.size();
  for (std::uint32_t v : set) {
    h = (h ^ v) * 0xFF51AFD7ED558CCD;
    h ^= h >> 32;
  }
  return h;
}

void find_duplicates(const Mesh& mesh, Classification& out) {
  const std::size_t capacity = std::bit_ceil(2 * mesh.polygon_count() + 1);
  std::vector<std::uint32_t> table(capacity, nobody);
  std::vector<std::uint32_t> set, other;
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
    vertex_set(mesh.polygons()[p], set);
    std::size_t slot = hash(set) & (capacity - 1);
    for (; table[slot] != nobody; slot = (slot + 1) & (capacity - 1)) {
      vertex_set(mesh.polygons()[table[slot]], other);
      if (set == other) break;
    }
    if (table[slot] == nobody) {
      table[slot] = p;
    } else {
      out.duplicate_polygons.push_back({PolygonId{p}, PolygonId{table[slot]}});
    }
  }
}

}  // namespace

Classification classify(const Connectivity& connectivity) {
  const core::FpGuard guard;
  const Mesh& mesh = connectivity.mesh();
  Classification out;
  const bool balanced = classify_edges(connectivity, out);
  classify_vertices(connectivity, out);
  find_components(mesh, out);
  classify_polygons(mesh, out);
  find_duplicates(mesh, out);
  out.edge_count = static_cast<std::uint32_t>(connectivity.edge_count());
  std::int64_t of_surface = 0;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v)
    of_surface += !connectivity.half_edges_from(VertexId{v}).empty();
  out.euler_characteristic = of_surface - out.edge_count + static_cast<std::int64_t>(mesh.polygon_count());
  if (balanced) out.volume_sign = mesh::volume_sign(mesh);
  // Convex dihedral angles, and with them Zachmann's prerequisites, are necessary but not sufficient; is_convex_body
  // does the rest.
  out.convex = out.closed && out.manifold && out.oriented && out.convex_polygons && out.component_count == 1 &&
               out.euler_characteristic == 2 && mesh::is_convex_body(connectivity, out.volume_sign);
  return out;
}

Classification classify(const Mesh& mesh) { return classify(Connectivity(mesh)); }

}  // namespace graze
