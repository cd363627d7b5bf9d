// SPDX-License-Identifier: MIT
#include "engine/distance/convex_body.hpp"

#include <graze/ask/convex_distance.hpp>

#include "body/body_data.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"

namespace graze {

namespace engine::distance {

namespace {

std::vector<Vec3> positions_of(const Mesh& mesh, const ConvexShape& shape) {
  std::vector<Vec3> out;
  for (const std::uint32_t v : shape.corners) out.push_back(mesh.positions()[v]);
  return out;
}

const Mesh& convex_or_error(const Mesh& mesh, const Classification& c) {
  if (c.convex) return mesh;
  throw Error(core::problem(ErrorCode::unsupported, "mesh",
                            "the mesh is not the closed surface of a convex body; ask distance or collide instead"));
}

/// A lower bound of the distance of the faces from `middle` if it is inside them all, otherwise 0. For the normal n = u
/// x v of a triangle and a difference d, n . d has an error of at most 16 units |u| |v| |d|: one unit per difference, 3
/// per component of a cross product, 3 for the last product.
double inner_radius(const Mesh& mesh, int volume_sign, const prim::ConvexPoints& points) {
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 a = mesh.positions()[t[0]] - points.centre();
    const Vec3 u = mesh.positions()[t[1]] - points.centre() - a, v = mesh.positions()[t[2]] - points.centre() - a;
    const Vec3 n = cross(u, v), d = a - points.middle();
    const double area = std::sqrt(dot(n, n));
    if (!(area > 0)) continue;  // degenerate: other triangles span the plane of its polygon
    const double spread = std::sqrt(dot(u, u) * dot(v, v)) * std::sqrt(dot(d, d));
    least = std::min(least, (volume_sign * dot(n, d) - 16 * 0x1p-53 * spread) / area * (1 - 0x1p-50));
  }
  return std::isfinite(least) ? std::max(0.0, least) : 0;
}

}  // namespace

ConvexBodyData::ConvexBodyData(const Mesh& m, const Classification& c)
    : mesh(convex_or_error(m, c)), shape(mesh), points(positions_of(mesh, shape), shape.edges) {
  points.set_inner_radius(inner_radius(mesh, c.volume_sign, points));
}

}  // namespace engine::distance

ConvexBody::ConvexBody(const Mesh& mesh) {
  const core::FpGuard guard;
  data_ = std::make_shared<engine::distance::ConvexBodyData>(mesh, classify(mesh));
}

ConvexBody::ConvexBody(const Body& body) {
  const core::FpGuard guard;
  data_ = std::make_shared<engine::distance::ConvexBodyData>(body.mesh(), body.data().classification());
}

const Mesh& ConvexBody::mesh() const { return data_->mesh; }
std::size_t ConvexBody::corner_count() const { return data_->shape.corners.size(); }
std::size_t ConvexBody::edge_count() const { return data_->shape.edges.size(); }
std::size_t ConvexBody::face_count() const { return data_->shape.polygons_of_face.size(); }
std::size_t ConvexBody::bytes() const {
  const engine::distance::ConvexShape& s = data_->shape;
  const std::size_t numbers = s.corners.size() + 2 * s.edges.size() + s.faces_of_corner.first.size() +
                              s.faces_of_corner.items.size() + s.polygons_of_face.first.size() +
                              s.polygons_of_face.items.size();
  return sizeof(engine::distance::ConvexBodyData) + data_->points.bytes() + numbers * sizeof(std::uint32_t);
}

}  // namespace graze
