// SPDX-License-Identifier: MIT
// What crosses at the start of a scene's step.
#include <algorithm>

#include <graze/ask/collide.hpp>

#include "ask/deform/scene_data.hpp"
#include "engine/deform/topology/topology.hpp"

namespace graze {

namespace {

/// A body's surface with its loose edges and points, which are collapsed triangles after those of the mesh.
Body with_loose(const Mesh& mesh, std::span<const Vec3> positions) {
  const std::vector<Vec3> at(positions.begin(), positions.end());
  if (mesh.loose().empty()) return Body(Mesh(at, mesh.triangles()));
  return Body(Mesh(at, std::span<const Triangle>(engine::deform::triangles_with_loose(mesh))));
}

/// Where a motion starts, or the pose nearest to that. The placement is off by rounding (`placing_error`), its rotation
/// matrix by as much, and a pose with the quaternion of that matrix by a few more units of the last place: together
/// less than the error that is added to the distances of all features of such a body. So what is free is farther apart
/// than that at the start, and there crosses nothing that it does not cross at this pose: on the way from the one to
/// the other features would have to touch.
Pose start_of(const Motion& motion) {
  if (const auto pose = motion.path().start()) return *pose;
  const Placement p = motion.at(0);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

}  // namespace

void DeformScene::Data::add_crossing(const TrianglePair& p, SceneResult& result) const {
  const auto named = [&](TriangleId t) {
    std::size_t i = soft_count - 1;
    while (members[order[i]].triangle > index(t)) --i;
    return std::pair(SceneBodyId{order[i]}, TriangleId{index(t) - members[order[i]].triangle});
  };
  auto a = named(p.a), b = named(p.b);
  if (b.first < a.first) std::swap(a, b);
  result.crossing_at_start.push_back({a.first, b.first, {a.second, b.second}});
}

void DeformScene::Data::add_crossing(const EdgeCrossing& c, SceneResult& result) const {
  std::size_t i = soft_count - 1, k = soft_count - 1;
  while (members[order[i]].edge > c.edge) --i;
  while (members[order[k]].triangle > index(c.triangle)) --k;
  const SceneMember &a = members[order[i]], &b = members[order[k]];
  result.edges_crossing_at_start.push_back(
      {SceneBodyId{order[i]}, SceneBodyId{order[k]}, {c.edge - a.edge, TriangleId{index(c.triangle) - b.triangle}}});
}

/// Deforming bodies and rigid ones. Points, and two loose edges, that touch have an event at the start.
void DeformScene::Data::find_crossings(const DeformOptions& options, SceneResult& result) {
  std::vector<std::uint32_t> solids;  // and meshes: all that is rigid but half-spaces, of which vertices say everything
  for (std::uint32_t i = 0; i < members.size(); ++i)
    if (!members[i].deforming && !members[i].is_half_space()) solids.push_back(i);
  if (solids.empty()) return;
  std::vector<Body> of_soft_bodies;
  for (std::size_t i = 0; i < soft_count; ++i) {
    const SceneMember& m = members[order[i]];
    of_soft_bodies.push_back(with_loose(*m.mesh, m.now));
  }
  CollideOptions asked;
  asked.all = true;
  asked.threads = options.threads;
  for (const std::uint32_t k : solids) {
    const SceneMember& rigid = members[k];
    const bool is_mesh = rigid.body->has_mesh();
    const Body solid =
        is_mesh && !rigid.mesh->loose().empty() ? with_loose(*rigid.mesh, rigid.mesh->positions()) : *rigid.body;
    const Pose at = start_of(rigid.motion);
    for (std::size_t i = 0; i < soft_count; ++i) {
      const SceneMember& m = members[order[i]];
      if (!bodies_may(order[i], k)) continue;
      const CollideResult r = collide(of_soft_bodies[i], Pose(), solid, at, asked);
      result.counters += r.counters;
      if (r.status != Status::contact) continue;
      const SceneBodyId a{order[i]}, b{k};
      if (!is_mesh || r.pairs.empty()) result.crossing_at_start.push_back({a, b, {}, true});
      for (std::size_t j = 0; is_mesh && j < r.pairs.size(); ++j) {
        const std::size_t x = index(r.pairs[j].a), y = index(r.pairs[j].b), of_a = m.mesh->triangle_count(),
                          of_b = rigid.mesh->triangle_count();
        if (x < of_a && y < of_b)
          result.crossing_at_start.push_back({a, b, r.pairs[j], false});
        else if (y < of_b && x - of_a < m.mesh->edges().size())
          result.edges_crossing_at_start.push_back({a, b, {static_cast<std::uint32_t>(x - of_a), r.pairs[j].b}});
        else if (x < of_a && y - of_b < rigid.mesh->edges().size())
          result.edges_crossing_at_start.push_back({b, a, {static_cast<std::uint32_t>(y - of_b), r.pairs[j].a}});
      }
    }
  }
}

}  // namespace graze
