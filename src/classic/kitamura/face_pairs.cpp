// SPDX-License-Identifier: MIT
#include "classic/kitamura/face_pairs.hpp"

#include <optional>

#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "engine/collide/self_pair.hpp"
#include "math/placed_points.hpp"
#include "mesh/plane_geometry.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::classic::kitamura {

namespace {

/// Which edges of the triangle are diagonals of a polygon that is planar at its present positions?
unsigned inner_edges(const PlacedBody& body, std::uint32_t triangle) {
  if (body.mesh.triangle_count() == body.mesh.polygon_count()) return 0;
  const PolygonId polygon = body.mesh.polygon_of(TriangleId{triangle});
  const auto [first, last] = body.mesh.triangles_of(polygon);
  if (last - first < 2 || !mesh::is_planar({body.local, body.mesh.polygon(polygon)})) return 0;
  unsigned bits = 0;
  for (int k = 0; k < 3; ++k)
    if (body.mesh.is_diagonal(TriangleId{triangle}, k)) bits |= 1U << k;
  return bits;
}

/// The faces of two bodies, in the first one's own frame; if both have the same placement, their local coordinates are
/// already in one frame.
class PairTest {
 public:
  PairTest(const PlacedBody& a, const PlacedBody& b, bool self, Counters& counters)
      : a_(a), b_(b), self_(self), placement_(a.pose, b.pose), points_(placement_, counters), counters_(counters) {}

  std::optional<ContactKind> test(std::uint32_t ta, std::uint32_t tb) {
    ++counters_.triangle_tests;
    if (self_) return test_self(ta, tb);
    const bool same_frame = a_.pose == b_.pose;
    points_.clear();
    for (const std::uint32_t v : a_.triangles[ta]) points_.add_a(a_.local[v]);
    for (const std::uint32_t v : b_.triangles[tb]) same_frame ? points_.add_a(b_.local[v]) : points_.add_b(b_.local[v]);
    prim::TriangleContact contact = prim::triangle_triangle(points_);
    if (contact == prim::TriangleContact::none) return std::nullopt;
    if (contact == prim::TriangleContact::touching) {
      // Diagonals only decide whether a contact is a crossing. The planarity test is done only here, because it costs
      // more than an occasional second pair test.
      const unsigned inner_a = inner_edges(a_, ta), inner_b = inner_edges(b_, tb);
      if (inner_a != 0 || inner_b != 0) contact = prim::triangle_triangle(points_, inner_a, inner_b);
    }
    return contact == prim::TriangleContact::crossing ? ContactKind::crossing : ContactKind::touching;
  }

 private:
  std::optional<ContactKind> test_self(std::uint32_t ta, std::uint32_t tb) {
    const auto meeting =
        engine::collide::self_meeting(points_, a_.local, a_.triangles[ta], a_.triangles[tb],
                                      [&](std::size_t which) { return inner_edges(a_, which == 0 ? ta : tb); });
    return meeting ? std::optional(meeting->kind) : std::nullopt;
  }

  const PlacedBody& a_;
  const PlacedBody& b_;
  bool self_;
  math::RelativePlacement placement_;
  math::PlacedPoints points_;
  Counters& counters_;
};

constexpr std::size_t pairs_a_chunk = 512;

struct PairChunk {
  std::vector<InterferingPair> found;
  Counters counters;
};

void test_chunk(const Scene& scene, std::span<const FacePair> pairs, PairChunk& out) {
  std::optional<PairTest> test;
  core::Poll poll;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    poll();
    const FacePair& p = pairs[i];
    const PlacedBody &a = scene[p.body_a], &b = scene[p.body_b];
    if (i == 0 || p.body_a != pairs[i - 1].body_a || p.body_b != pairs[i - 1].body_b)
      test.emplace(a, b, p.body_a == p.body_b, out.counters);
    if (const std::optional<ContactKind> kind = test->test(p.a, p.b))
      out.found.push_back({{p.body_a, TriangleId{p.a}, a.mesh.polygon_of(TriangleId{p.a})},
                           {p.body_b, TriangleId{p.b}, b.mesh.polygon_of(TriangleId{p.b})},
                           *kind});
  }
}

}  // namespace

void test_face_pairs(const Scene& scene, const std::vector<FacePair>& pairs, int threads, InterferenceResult& result) {
  const std::span<const FacePair> all(pairs);
  std::vector<PairChunk> chunks((pairs.size() + pairs_a_chunk - 1) / pairs_a_chunk);
  core::parallel_for(chunks.size(), threads, [&](std::size_t i) {
    const std::size_t first = i * pairs_a_chunk;
    test_chunk(scene, all.subspan(first, std::min(pairs_a_chunk, all.size() - first)), chunks[i]);
  });
  for (const PairChunk& chunk : chunks) {
    result.pairs.insert(result.pairs.end(), chunk.found.begin(), chunk.found.end());
    result.counters += chunk.counters;
  }
}

}  // namespace graze::classic::kitamura
