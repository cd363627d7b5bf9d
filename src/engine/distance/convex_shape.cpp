// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <numeric>

#include <graze/mesh/connectivity.hpp>

#include "core/disjoint_sets.hpp"
#include "engine/distance/convex_body.hpp"
#include "math/predicates.hpp"

namespace graze::engine::distance {

namespace {

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int u = 0; u < 3; ++u) {
    const int v = (u + 1) % 3;
    if (math::orient2d(a[u], a[v], b[u], b[v], c[u], c[v]) != 0) return false;
  }
  return true;
}

/// Three corners that span the plane of a non-degenerate polygon.
Triangle spanning_triangle(const Mesh& mesh, std::uint32_t polygon) {
  const auto [first, last] = mesh.triangles_of(PolygonId{polygon});
  for (std::uint32_t t = first; t + 1 < last; ++t) {
    const Triangle& c = mesh.triangles()[t];
    if (!collinear(mesh.positions()[c[0]], mesh.positions()[c[1]], mesh.positions()[c[2]])) return c;
  }
  return mesh.triangles()[last - 1];
}

bool coplanar(const Mesh& mesh, std::uint32_t p, std::uint32_t q) {
  const Triangle t = spanning_triangle(mesh, p);
  const auto at = [&](std::uint32_t v) -> const Vec3& { return mesh.positions()[v]; };
  const auto corners = mesh.polygon(PolygonId{q});
  return std::all_of(corners.begin(), corners.end(),
                     [&](std::uint32_t v) { return math::orient3d(at(t[0]), at(t[1]), at(t[2]), at(v)) == 0; });
}

/// The face of each polygon; faces are numbered by their lowest polygon.
std::vector<std::uint32_t> faces_of(const Connectivity& connectivity) {
  const Mesh& mesh = connectivity.mesh();
  core::DisjointSets faces(mesh.polygon_count());
  for (std::uint32_t h = 0; h < connectivity.half_edge_count(); ++h) {
    const HalfEdgeId twin = connectivity.twin(HalfEdgeId{h});
    if (twin == Connectivity::no_half_edge || index(twin) < h) continue;
    const std::uint32_t p = index(connectivity.polygon(HalfEdgeId{h})), q = index(connectivity.polygon(twin));
    if (faces.root(p) != faces.root(q) && coplanar(mesh, p, q)) faces.unite(p, q);
  }
  std::vector<std::uint32_t> face(mesh.polygon_count());
  std::uint32_t count = 0;
  for (std::uint32_t p = 0; p < face.size(); ++p) {
    const std::uint32_t root = faces.root(p);  // root <= p, so its number is already known
    face[p] = root == p ? count++ : face[root];
  }
  return face;
}

/// For each vertex, the lowest vertex at the same position.
std::vector<std::uint32_t> lowest_at_place(const Mesh& mesh) {
  const auto positions = mesh.positions();
  std::vector<std::uint32_t> order(positions.size()), lowest(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 &p = positions[a], &q = positions[b];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z != q.z ? p.z < q.z : a < b;
  });
  for (std::size_t i = 0; i < order.size(); ++i)
    lowest[order[i]] = i > 0 && positions[order[i]] == positions[order[i - 1]] ? lowest[order[i - 1]] : order[i];
  return lowest;
}

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

/// Groups pairs into lists by their first number.
Lists listed(std::vector<std::array<std::uint32_t, 2>> pairs, std::size_t count) {
  sort_unique(pairs);
  Lists out;
  for (std::size_t i = 0, p = 0; i < count; ++i) {
    for (; p < pairs.size() && pairs[p][0] == i; ++p) out.items.push_back(pairs[p][1]);
    out.first.push_back(static_cast<std::uint32_t>(p));
  }
  return out;
}

}  // namespace

ConvexShape::ConvexShape(const Mesh& mesh) {
  const Connectivity connectivity(mesh);
  const std::vector<std::uint32_t> face = faces_of(connectivity), lowest = lowest_at_place(mesh);
  const std::uint32_t face_count = *std::max_element(face.begin(), face.end()) + 1;
  std::vector<std::array<std::uint32_t, 2>> meets;  // vertex and face
  std::vector<std::array<std::uint32_t, 2>> parts;  // face and polygon
  for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
    parts.push_back({face[p], p});
    for (const std::uint32_t v : mesh.polygon(PolygonId{p})) {
      meets.push_back({lowest[v], face[p]});
      plain = plain && lowest[v] == v;
    }
  }
  sort_unique(meets);
  polygons_of_face = listed(std::move(parts), face_count);
  constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> corner_of(mesh.vertex_count(), none);
  for (std::size_t i = 0, end; i < meets.size(); i = end) {
    for (end = i; end < meets.size() && meets[end][0] == meets[i][0];) ++end;
    if (end - i < 3) {
      plain = false;
      continue;
    }
    corner_of[meets[i][0]] = static_cast<std::uint32_t>(corners.size());
    corners.push_back(meets[i][0]);
    for (std::size_t k = i; k < end; ++k) faces_of_corner.items.push_back(meets[k][1]);
    faces_of_corner.first.push_back(static_cast<std::uint32_t>(faces_of_corner.items.size()));
  }
  std::vector<std::array<std::uint32_t, 2>> faces;  // face and corner
  for (const auto& [v, f] : meets)
    if (corner_of[v] != none) faces.push_back({f, corner_of[v]});
  corners_of_face = listed(std::move(faces), face_count);
  // The mesh edges along which two faces meet form one edge of the solid; its two corners are among their ends.
  std::vector<std::array<std::uint32_t, 3>> ends;  // two faces and a corner
  for (std::uint32_t e = 0; e < connectivity.edge_count(); ++e) {
    const auto sides = connectivity.half_edges(EdgeId{e});
    if (sides.size() != 2) continue;
    const auto [low, high] =
        std::minmax(face[index(connectivity.polygon(sides[0]))], face[index(connectivity.polygon(sides[1]))]);
    const auto [v, w] = connectivity.vertices(EdgeId{e});
    if (low == high || lowest[index(v)] == lowest[index(w)]) continue;
    for (const VertexId x : {v, w})
      if (corner_of[lowest[index(x)]] != none) ends.push_back({low, high, corner_of[lowest[index(x)]]});
  }
  sort_unique(ends);
  for (std::size_t i = 1; i < ends.size(); ++i)
    if (ends[i][0] == ends[i - 1][0] && ends[i][1] == ends[i - 1][1]) edges.push_back({ends[i - 1][2], ends[i][2]});
}

}  // namespace graze::engine::distance
