// SPDX-License-Identifier: MIT
#include "view/shape_picture.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <variant>
#include <vector>

#include <graze/ask/surface.hpp>
#include <graze/core/error.hpp>
#include <graze/motion/motion.hpp>
#include <graze/shape/shape.hpp>

namespace graze::app {
namespace {

double along(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// The point of the shape, not rounded, that is farthest in the direction n. On ties the middle of those points, so
/// that the poles of a cylinder are the centres of its caps.
struct FarthestPoint {
  Vec3 n;

  Vec3 operator()(const shape::Sphere& s) const { return {s.radius * n.x, s.radius * n.y, s.radius * n.z}; }
  Vec3 operator()(const shape::Capsule& s) const {
    return {s.radius * n.x, s.radius * n.y, s.radius * n.z + sign_of(n.z) * s.length / 2};
  }
  Vec3 operator()(const shape::Box& s) const {
    return {sign_of(n.x) * s.sides.x / 2, sign_of(n.y) * s.sides.y / 2, sign_of(n.z) * s.sides.z / 2};
  }
  Vec3 operator()(const shape::Cylinder& s) const { return rim(s.radius, sign_of(n.z) * s.height / 2); }
  Vec3 operator()(const shape::Cone& s) const {
    // The apex is farther than the rim of the base where the slope says so.
    const double flat = std::hypot(n.x, n.y);
    if (n.z * s.height > flat * s.radius) return {0, 0, s.height / 2};
    return rim(s.radius, -s.height / 2);
  }
  Vec3 operator()(const shape::Ellipsoid& s) const {
    const Vec3 h = s.half_axes, m{h.x * n.x, h.y * n.y, h.z * n.z};
    const double length = std::sqrt(along(m, m));
    return length > 0 ? Vec3{h.x * m.x / length, h.y * m.y / length, h.z * m.z / length} : Vec3{};
  }
  Vec3 operator()(const shape::HalfSpace&) const { return {}; }
  Vec3 operator()(const shape::Hull& s) const {
    const Vec3* best = &s.points.front();
    for (const Vec3& p : s.points)
      if (along(p, n) > along(*best, n)) best = &p;
    return *best;
  }

 private:
  Vec3 rim(double radius, double z) const {
    const double flat = std::hypot(n.x, n.y);
    return flat > 1e-9 ? Vec3{radius * n.x / flat, radius * n.y / flat, z} : Vec3{0, 0, z};
  }
};

/// Farthest points in directions around the sphere. No direction but the poles lies in a plane of the axes, so that
/// each corner of a box has directions of its own, and neighbours of different corners span the faces.
Mesh inscribed(const shape::Shape& shape) {
  constexpr std::uint32_t around = 48, up = 24;
  std::vector<Vec3> points;
  PolygonList polygons;
  const auto add = [&](const Vec3& n) {
    const Vec3 p = std::visit(FarthestPoint{n}, shape.kind);
    points.push_back({p.x + shape.rounding * n.x, p.y + shape.rounding * n.y, p.z + shape.rounding * n.z});
  };
  add({0, 0, -1});
  for (std::uint32_t i = 0; i < up; ++i)
    for (std::uint32_t k = 0; k < around; ++k) {
      const double height = std::numbers::pi * ((i + 0.5) / up - 0.5), turn = 2 * std::numbers::pi * (k + 0.5) / around;
      add({std::cos(height) * std::cos(turn), std::cos(height) * std::sin(turn), std::sin(height)});
    }
  add({0, 0, 1});
  const auto at = [](std::uint32_t i, std::uint32_t k) { return 1 + around * i + k % around; };
  const auto top = static_cast<std::uint32_t>(points.size() - 1);
  for (std::uint32_t k = 0; k < around; ++k) {
    polygons.add(std::vector<std::uint32_t>{0, at(0, k + 1), at(0, k)});
    polygons.add(std::vector<std::uint32_t>{top, at(up - 1, k), at(up - 1, k + 1)});
    for (std::uint32_t i = 0; i + 1 < up; ++i) {
      polygons.add(std::vector<std::uint32_t>{at(i, k), at(i, k + 1), at(i + 1, k + 1)});
      polygons.add(std::vector<std::uint32_t>{at(i, k), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  return Mesh(std::move(points), std::move(polygons));
}

Mesh ground(double rounding) {
  constexpr double side = 4;
  std::vector<Vec3> corners{
      {-side, -side, rounding}, {side, -side, rounding}, {side, side, rounding}, {-side, side, rounding}};
  PolygonList polygons;
  polygons.add(std::vector<std::uint32_t>{0, 1, 2, 3});
  return Mesh(std::move(corners), std::move(polygons));
}

Mesh all_pieces(std::span<const Piece> pieces) {
  std::vector<Vec3> points;
  PolygonList polygons;
  for (const Piece& piece : pieces) {
    const Mesh mesh = picture_of(piece.body);
    const auto first = static_cast<std::uint32_t>(points.size());
    for (const Vec3& p : mesh.positions()) points.push_back(piece.pose.apply(p));
    for (std::size_t i = 0; i < mesh.polygon_count(); ++i) {
      std::vector<std::uint32_t> corners(mesh.polygons()[i].begin(), mesh.polygons()[i].end());
      for (std::uint32_t& corner : corners) corner += first;
      polygons.add(corners);
    }
  }
  return Mesh(std::move(points), std::move(polygons));
}

}  // namespace

bool picture_is_body(const Body& body) { return body.has_mesh(); }

Mesh picture_of(const Body& body) {
  if (body.has_mesh()) return body.mesh();
  if (!body.pieces().empty()) return all_pieces(body.pieces());
  if (body.surface())
    throw Error(
        {.code = ErrorCode::unsupported,
         .message = "there is no picture of a surface given by functions (torus:R,r, bezier:FILE); show a mesh of it",
         .element = "body",
         .file = {}});
  const shape::Shape& shape = *body.shape();
  if (std::holds_alternative<shape::HalfSpace>(shape.kind)) return ground(shape.rounding);
  return inscribed(shape);
}

}  // namespace graze::app
