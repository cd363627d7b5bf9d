// SPDX-License-Identifier: MIT
#include <CGAL/AABB_face_graph_triangle_primitive.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>

#include <memory>

#include "peers/peers.hpp"
#include "peers/placement.hpp"

namespace graze::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using SurfaceMesh = CGAL::Surface_mesh<Kernel::Point_3>;

SurfaceMesh surface_of(const Mesh& mesh) {
  SurfaceMesh surface;
  for (const Vec3& p : mesh.positions()) surface.add_vertex({p.x, p.y, p.z});
  for (const Triangle& t : mesh.triangles()) {
    const SurfaceMesh::Vertex_index v0(t[0]), v1(t[1]), v2(t[2]);
    if (surface.add_face(v0, v1, v2) != SurfaceMesh::null_face()) continue;
    // A non-manifold edge: this triangle is added with its own copies of the corners.
    surface.add_face(surface.add_vertex(surface.point(v0)), surface.add_vertex(surface.point(v1)),
                     surface.add_vertex(surface.point(v2)));
  }
  return surface;
}

CGAL::Aff_transformation_3<Kernel> transformation(const Pose& pose) {
  const auto [r, t] = placement(pose);
  return {r[0][0], r[0][1], r[0][2], t.x, r[1][0], r[1][1], r[1][2], t.y, r[2][0], r[2][1], r[2][2], t.z};
}

struct Bodies {
  explicit Bodies(const Scene& scene) : a(surface_of(scene.a)), b(surface_of(scene.b)) {
    detection.add_mesh(a);
    detection.add_mesh(b);
    for (const PosePair& pose : scene.poses) {
      poses.emplace_back(transformation(pose.a), transformation(pose.b));
    }
  }
  SurfaceMesh a, b;
  CGAL::Rigid_triangle_mesh_collision_detection<SurfaceMesh> detection;
  std::vector<std::pair<CGAL::Aff_transformation_3<Kernel>, CGAL::Aff_transformation_3<Kernel>>> poses;

  double collide(std::size_t i) {
    detection.set_transformation(0, poses[i].first);
    detection.set_transformation(1, poses[i].second);
    return detection.get_all_intersections(0).empty() ? 0.0 : 1.0;
  }
};

}  // namespace

std::vector<Contestant> enter_cgal(Question question, const Scene& scene) {
  if (question != Question::yes_no) return {};
  auto bodies = std::make_shared<Bodies>(scene);
  return {{"CGAL (exact predicates)", [bodies](std::size_t i) { return bodies->collide(i); }}};
}

namespace {

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;

/// R(q / |q|) x + t is rational in the pose's numbers: no square root is needed.
Exact::Point_3 exact_point(const Pose& pose, const Vec3& local) {
  using Number = Exact::FT;
  const auto [w0, x0, y0, z0] = pose.rotation();
  const Number w(w0), x(x0), y(y0), z(z0), s = Number(2) / (w * w + x * x + y * y + z * z);
  const Number px(local.x), py(local.y), pz(local.z);
  const Vec3 t = pose.translation();
  return {px - s * (y * y + z * z) * px + s * (x * y - w * z) * py + s * (x * z + w * y) * pz + Number(t.x),
          py + s * (x * y + w * z) * px - s * (x * x + z * z) * py + s * (y * z - w * x) * pz + Number(t.y),
          pz + s * (x * z - w * y) * px + s * (y * z + w * x) * py - s * (x * x + y * y) * pz + Number(t.z)};
}

Exact::Triangle_3 exact_triangle(const Mesh& mesh, const Pose& pose, std::uint32_t id) {
  const Triangle t = mesh.triangles()[id];
  const auto corner = [&](int k) { return exact_point(pose, mesh.positions()[t[k]]); };
  return {corner(0), corner(1), corner(2)};
}

}  // namespace

std::optional<bool> exactly_meet(const Scene& scene, std::size_t query, const IdPair& pair) {
  const PosePair& pose = scene.poses[query];
  return CGAL::do_intersect(exact_triangle(scene.a, pose.a, pair.first), exact_triangle(scene.b, pose.b, pair.second));
}

}  // namespace graze::bench
