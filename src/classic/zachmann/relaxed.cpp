// SPDX-License-Identifier: MIT
#include "classic/zachmann/relaxed.hpp"

#include <algorithm>

#include <graze/classic/zachmann.hpp>

#include "engine/collide/placed_boxes.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::classic::zachmann {

namespace {

struct RelaxedSearch {
  const engine::collide::CollideQuery& q;
  const BruteOptions& use;
  CollideResult& result;
  engine::collide::PlacedVertices vertices;
  math::PlacedPoints points;
  bool crossing = false;

  RelaxedSearch(const engine::collide::CollideQuery& query, CollideResult& r)
      : q(query),
        use(query.options.zachmann.value().brute),
        result(r),
        vertices(query),
        points(query.placement, query.counters) {}

  const body::BodyData& body(bool b) const { return b ? q.b : q.a; }

  void add(bool b, std::uint32_t vertex) {
    const Vec3& x = body(b).mesh.positions()[vertex];
    b ? points.add_b(x) : points.add_a(x);
  }

  /// The relaxed collect phase: triangles of polygons that have a vertex in the box.
  std::vector<std::uint32_t> collect(bool b, const Box3& box) {
    const Mesh& mesh = body(b).mesh;
    std::vector<char> inside(mesh.vertex_count(), 0);
    for (std::size_t v = 0; v < inside.size(); ++v) {
      inside[v] = !use.collect_faces || box.contains(vertices.of(b)[v]);
      q.counters.relaxed_vertices += inside[v];
    }
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
      const auto corners = mesh.polygon(PolygonId{p});
      const auto [first, last] = mesh.triangles_of(PolygonId{p});
      if (std::none_of(corners.begin(), corners.end(), [&](std::uint32_t v) { return inside[v] != 0; })) {
        q.counters.precheck_face_box += last - first;
        continue;
      }
      for (std::uint32_t t = first; t < last; ++t) triangles.push_back(t);
    }
    return triangles;
  }

  prim::EdgeContact test(bool edges_of_b, const std::array<std::uint32_t, 2>& edge, std::uint32_t face) {
    ++q.counters.edge_polygon_tests;
    points.clear();
    for (const std::uint32_t v : edge) add(edges_of_b, v);
    for (const std::uint32_t v : body(!edges_of_b).mesh.triangles()[face]) add(!edges_of_b, v);
    return prim::edge_triangle(points, {0, 1}, {2, 3, 4}, body(!edges_of_b).inner_edges(face));
  }

  /// Keeps the first touching pair until a crossing one is found, which ends the search.
  void found(bool edges_of_b, std::size_t edge, std::uint32_t face, bool crosses) {
    if (result.status == Status::contact && !crosses) return;
    const TriangleId of_edge{body(edges_of_b).edges().triangles_of(edge)[0]}, of_face{face};
    result.status = Status::contact;
    result.pairs.assign(1, edges_of_b ? TrianglePair{of_face, of_edge} : TrianglePair{of_edge, of_face});
    if (crosses) result.kind = ContactKind::crossing;
    crossing = crosses;
  }

  /// Edges of one body against the collected faces of the other.
  void phase(bool edges_of_b) {
    const body::EdgeList& edges = body(edges_of_b).edges();
    const std::span<const Triangle> faces = body(!edges_of_b).mesh.triangles();
    const Box3 face_body = vertices.body_box(q, !edges_of_b);
    const std::vector<std::uint32_t> collected = collect(!edges_of_b, vertices.body_box(q, edges_of_b));
    std::vector<Box3> boxes;
    for (const std::uint32_t f : collected) boxes.push_back(vertices.box(!edges_of_b, faces[f]));
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (engine::collide::over(q.limits, q.counters)) return;
      const Box3 edge_box = vertices.box(edges_of_b, edges.vertices[e]);
      if (use.edge_box && !edge_box.overlaps(face_body)) {
        ++q.counters.precheck_edge_box;
        continue;
      }
      for (std::size_t i = 0; i < collected.size(); ++i) {
        if (use.edge_face_box && !edge_box.overlaps(boxes[i])) {
          ++q.counters.precheck_edge_face_box;
          continue;
        }
        const prim::EdgeContact contact = test(edges_of_b, edges.vertices[e], collected[i]);
        if (contact != prim::EdgeContact::none)
          found(edges_of_b, e, collected[i], contact == prim::EdgeContact::crossing);
        if (crossing) return;
      }
    }
  }
};

}  // namespace

std::optional<ErrorDetail> Relaxed::refuses(const engine::collide::CollideQuery& query) {
  for (const auto& [body, label] : {std::pair{&query.a, "body A"}, std::pair{&query.b, "body B"}}) {
    const Classification& c = body->classification();
    if (!c.closed || !c.manifold)
      return engine::collide::unsupported(
          std::string("method relaxed needs closed manifold bodies, and this one is not ") +
              (c.closed ? "manifold" : "closed") + "; use brute or tree",
          label);
  }
  return std::nullopt;
}

void Relaxed::run(const engine::collide::CollideQuery& query, CollideResult& result) {
  RelaxedSearch search(query, result);
  result.status = Status::undecided;
  search.phase(false);
  if (!search.crossing) search.phase(true);
}

}  // namespace graze::classic::zachmann
