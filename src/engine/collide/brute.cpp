// SPDX-License-Identifier: MIT
#include "engine/collide/brute.hpp"

#include <algorithm>
#include <atomic>

#include <graze/classic/zachmann.hpp>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "engine/collide/placed_boxes.hpp"
#include "prim/edge_polygon.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::engine::collide {

namespace {

struct Search {
  const CollideQuery& q;
  const classic::zachmann::BruteOptions& use;
  CollideResult& result;
  PlacedVertices vertices;
  math::PlacedPoints points;
  bool stop = false;

  Search(const CollideQuery& query, CollideResult& r)
      : q(query),
        use(query.options.zachmann.value().brute),
        result(r),
        vertices(query),
        points(query.placement, query.counters) {}

  const body::BodyData& body(bool b) const { return b ? q.b : q.a; }
  int add(bool b, std::uint32_t vertex) {
    const Vec3& x = body(b).mesh.positions()[vertex];
    return b ? points.add_b(x) : points.add_a(x);
  }

  /// The thesis's own test. It is as exact as the other, but does not use the inner edges of the triangulation, so it
  /// can only prove a miss.
  bool missed_by_one_shot(bool edges_of_b, const std::array<std::uint32_t, 2>& edge, const Triangle& face) {
    const std::span<const Vec3> x = body(edges_of_b).mesh.positions(), y = body(!edges_of_b).mesh.positions();
    const std::array<Vec3, 3> corners{y[face[0]], y[face[1]], y[face[2]]};
    return prim::edge_polygon(q.placement, edges_of_b, {x[edge[0]], x[edge[1]]}, corners, q.counters) ==
           prim::EdgeContact::none;
  }

  prim::EdgeContact test(bool edges_of_b, const std::array<std::uint32_t, 2>& edge, std::uint32_t face) {
    if (!use.one_shot)
      ++q.counters.edge_polygon_tests;
    else if (missed_by_one_shot(edges_of_b, edge, body(!edges_of_b).mesh.triangles()[face]))
      return prim::EdgeContact::none;
    points.clear();
    for (const std::uint32_t v : edge) add(edges_of_b, v);
    for (const std::uint32_t v : body(!edges_of_b).mesh.triangles()[face]) add(!edges_of_b, v);
    return prim::edge_triangle(points, {0, 1}, {2, 3, 4}, body(!edges_of_b).inner_edges(face));
  }

  void found(bool edges_of_b, std::size_t edge, std::uint32_t face, ContactKind kind) {
    const bool better = !result.kind || (kind == ContactKind::crossing && *result.kind == ContactKind::touching);
    result.status = Status::contact;
    if (better) result.kind = kind;
    if (!q.options.all && !better) return;
    if (!q.options.all) result.pairs.clear();
    for (const std::uint32_t t : body(edges_of_b).edges().triangles_of(edge)) {
      result.pairs.push_back(edges_of_b ? TrianglePair{TriangleId{face}, TriangleId{t}}
                                        : TrianglePair{TriangleId{t}, TriangleId{face}});
      if (!q.options.all) break;
    }
    stop = !q.options.all && kind == ContactKind::crossing;
  }

  /// Tests edges of one body against faces of the other.
  void phase(bool edges_of_b) {
    const body::EdgeList& edges = body(edges_of_b).edges();
    const std::span<const Triangle> faces = body(!edges_of_b).mesh.triangles();
    const Box3 edge_body = vertices.body_box(q, edges_of_b), face_body = vertices.body_box(q, !edges_of_b);
    std::vector<std::uint32_t> collected;  // the collect phase: faces whose boxes meet the other body's box
    std::vector<Box3> boxes;
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
      if (f % 4096 == 0) core::poll_once();
      const Box3 box = vertices.box(!edges_of_b, faces[f]);
      if (use.collect_faces && !box.overlaps(edge_body)) {
        ++q.counters.precheck_face_box;
        continue;
      }
      collected.push_back(f);
      boxes.push_back(box);
    }
    for (std::size_t e = 0; e < edges.size() && !stop; ++e) {
      stop = over(q.limits, q.counters);
      const Box3 edge_box = vertices.box(edges_of_b, edges.vertices[e]);
      if (use.edge_box && !edge_box.overlaps(face_body)) {
        ++q.counters.precheck_edge_box;
        continue;
      }
      for (std::size_t i = 0; i < collected.size() && !stop; ++i) {
        if (i % 64 == 63) stop = over(q.limits, q.counters);
        if (use.edge_face_box && !edge_box.overlaps(boxes[i])) {
          ++q.counters.precheck_edge_face_box;
          continue;
        }
        const prim::EdgeContact contact = test(edges_of_b, edges.vertices[e], collected[i]);
        if (contact != prim::EdgeContact::none)
          found(edges_of_b, e, collected[i],
                contact == prim::EdgeContact::crossing ? ContactKind::crossing : ContactKind::touching);
      }
    }
  }
};

/// Zachmann 6.3.2: edges of A against faces of B, and edges of B against faces of A, concurrently. A crossing found by
/// the first phase stops the second, but not vice versa: the witness is the first phase's if it finds one, regardless
/// of which finishes first.
void both_phases(const CollideQuery& q, CollideResult& result) {
  std::atomic<bool> stop{false};
  core::Limits limits;
  limits.stop = &stop;
  limits.outer = q.limits;
  AllCounters counted;
  CollideQuery second{q.a, q.b, q.pose_a, q.pose_b, q.options, q.placement, counted};
  second.limits = &limits;
  CollideResult other;
  other.status = Status::free;
  core::parallel_for(2, 2, [&](std::size_t i) {
    if (i == 0) {
      Search search(q, result);
      search.phase(false);
      stop.store(search.stop, std::memory_order_relaxed);
    } else {
      Search(second, other).phase(true);
    }
  });
  // The counters, too, are those of sequential phases: how far a second phase came before it was stopped depends on
  // timing.
  if (stop) return;
  q.counters += counted;
  if (other.status != Status::contact) return;
  const bool better = !result.kind || (*other.kind == ContactKind::crossing && *result.kind == ContactKind::touching);
  if (q.options.all)
    result.pairs.insert(result.pairs.end(), other.pairs.begin(), other.pairs.end());
  else if (better)
    result.pairs = std::move(other.pairs);
  if (better) result.kind = other.kind;
  result.status = Status::contact;
}

}  // namespace

void Brute::run(const CollideQuery& query, CollideResult& result) {
  result.status = Status::free;
  // Waking a second thread takes tens of microseconds, as long as one thread needs for two bodies of a few hundred
  // triangles.
  constexpr std::size_t few = 1 << 18;  // pairs of triangles
  const bool heavy = query.a.mesh.triangle_count() * query.b.mesh.triangle_count() > few;
  // Work is counted sequentially, see Tree::run.
  const bool counted = query.limits && query.limits->work > 0;
  if (query.options.threads > 1 && heavy && !counted) return both_phases(query, result);
  Search search(query, result);
  search.phase(false);
  if (!search.stop) search.phase(true);
}

}  // namespace graze::engine::collide
