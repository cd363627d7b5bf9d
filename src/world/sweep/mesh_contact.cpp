// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <tuple>

#include <graze/ask/deform.hpp>

#include "engine/deform/paths/rounded_core.hpp"
#include "world/sweep/sweep.hpp"

namespace graze::world {

namespace {

std::vector<Vec3> placed(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  std::vector<Vec3> out;
  for (const Vec3& p : a.positions()) out.push_back(pose_a.apply(p));
  for (const Vec3& p : b.positions()) out.push_back(pose_b.apply(p));
  return out;
}

Mesh both_meshes(const Mesh& ma, const Pose& pose_a, const Mesh& mb, const Pose& pose_b) {
  PolygonList polygons = ma.polygons();
  const auto shift = static_cast<std::uint32_t>(ma.vertex_count());
  std::vector<std::uint32_t> corners;
  for (std::uint32_t p = 0; p < mb.polygon_count(); ++p) {
    corners.clear();
    for (const std::uint32_t v : mb.polygon(PolygonId{p})) corners.push_back(v + shift);
    polygons.add(corners);
  }
  return Mesh(placed(ma, pose_a, mb, pose_b), std::move(polygons));
}

/// The polygon that contains a triangle with these three vertices.
std::uint32_t polygon_with(const Mesh& mesh, std::array<std::uint32_t, 3> vertices) {
  std::sort(vertices.begin(), vertices.end());
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    std::array<std::uint32_t, 3> corners = mesh.triangles()[t];
    std::sort(corners.begin(), corners.end());
    if (corners == vertices) return index(mesh.polygon_of(TriangleId{t}));
  }
  return 0;
}

FeatureRef vertex(std::uint32_t v) { return {FeatureRef::Type::vertex, false, {v, v}}; }
FeatureRef edge(std::uint32_t v, std::uint32_t w) {
  return {FeatureRef::Type::edge, false, {std::min(v, w), std::max(v, w)}};
}
FeatureRef face(std::uint32_t p) { return {FeatureRef::Type::face, false, {p, p}}; }

/// In the vertex numbers of each body; `shift` is the number of B's first vertex.
Feature feature(const DeformContact& c, std::uint32_t shift, const Mesh& a, const Mesh& b) {
  const auto& v = c.vertices;
  if (c.kind == ElementaryKind::edge_edge) {
    const bool first_of_a = v[0] < shift;
    const std::size_t i = first_of_a ? 0 : 2, j = 2 - i;
    return {FeatureKind::edge_edge, edge(v[i], v[i + 1]), edge(v[j] - shift, v[j + 1] - shift)};
  }
  if (v[0] < shift)
    return {FeatureKind::vertex_face, vertex(v[0]), face(polygon_with(b, {v[1] - shift, v[2] - shift, v[3] - shift}))};
  return {FeatureKind::face_vertex, face(polygon_with(a, {v[1], v[2], v[3]})), vertex(v[0] - shift)};
}

}  // namespace

FirstContactResult mesh_contact(const StraightBody& a, const StraightBody& b, std::optional<double> tolerance,
                                double separation, std::uint64_t work, MethodCounters* requested) {
  const engine::deform::RoundedCore from_a(a.from), to_a(a.to), from_b(b.from), to_b(b.to);
  const auto shift = static_cast<std::uint32_t>(from_a.mesh().vertex_count());
  const auto triangles = static_cast<std::uint32_t>(from_a.mesh().triangle_count());
  Deformable both(both_meshes(from_a.mesh(), a.pose_from, from_b.mesh(), b.pose_from));
  DeformOptions options;
  options.self = false;
  // Rounded up, as two sums and a product lose less than 2^-51 of it: cores that are farther apart than this belong to
  // bodies that are farther apart than the separation.
  const double apart = from_a.radius() + from_b.radius() + separation;
  options.min_separation = apart > 0 ? apart * (1 + 0x1p-51) : 0;
  options.tolerance = tolerance;
  options.work = work;
  options.method_counters = requested;
  const DeformResult step = both.step(placed(to_a.mesh(), a.pose_to, to_b.mesh(), b.pose_to), options);

  FirstContactResult out;
  out.counters = step.counters;
  out.method = "deform";
  out.gap = std::numeric_limits<double>::quiet_NaN();
  if (step.status == Status::invalid_request || step.status == Status::undecided) {
    out.status = step.status;
    out.time = step.time;
    out.error = step.error;
    return out;
  }
  // Contacts between components of one body are ignored.
  const DeformContact* earliest = nullptr;
  double safe = 1;
  for (const DeformContact& c : step.contacts) {
    const std::size_t other = c.kind == ElementaryKind::edge_edge ? 2 : 1;
    if ((c.vertices[0] < shift) == (c.vertices[other] < shift)) continue;
    safe = std::min(safe, c.time.safe);
    if (!earliest ||
        std::tie(c.time.touch, c.kind, c.vertices) < std::tie(earliest->time.touch, earliest->kind, earliest->vertices))
      earliest = &c;
  }
  const auto crossing = std::find_if(step.crossing_at_start.begin(), step.crossing_at_start.end(),
                                     [&](auto& p) { return (index(p.a) < triangles) != (index(p.b) < triangles); });
  if (crossing != step.crossing_at_start.end() || (earliest && earliest->at_start)) {
    out.status = Status::touching_at_start;
    out.time = {0, 0};
  } else if (earliest) {
    out.status = Status::contact;
    out.time = {std::min(safe, earliest->time.safe), earliest->time.touch};
    out.gap = earliest->gap;
  } else {
    out.status = Status::free;
    out.time = {1, std::numeric_limits<double>::quiet_NaN()};
  }
  const bool have_features = a.from.has_mesh() && b.from.has_mesh();
  if (have_features && earliest && (out.status == Status::contact || earliest->at_start))
    out.features.push_back(feature(*earliest, shift, a.from.mesh(), b.from.mesh()));
  return out;
}

}  // namespace graze::world
