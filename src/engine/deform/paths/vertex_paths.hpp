// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

#include "motion/path.hpp"

namespace graze::engine::deform {

/// The degree of all paths: circular arcs of half a radian are followed to 1e-6 of their radius, and the callers'
/// quadratic and cubic paths are of a lower degree.
constexpr std::size_t path_degree = 4;
using PathPoints = std::array<Vec3, path_degree + 1>;

/// The vertices begin..end - 1, which move alike.
struct PathBody {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t group = 0;  ///< contacts of bodies of the same group are not asked for
  /// Of a point, all its vertices are in the same place; a segment joins the first two, and the others are at its ends.
  enum class Core : std::uint8_t { mesh, point, segment } core = Core::mesh;
  double radius = 0;    ///< the body is everything within this distance of its features
  bool asleep = false;  ///< too far away to matter: no contacts are looked for, and its paths may be wrong
  // Of the current part:
  bool straight = true;      ///< the vertices move on straight lines, at constant speed
  double error = 0;          ///< the real paths are within this distance of the polynomials
  double bend = 0;           ///< the polynomials are within this distance of the straight motions; 0 if straight
  std::uint32_t points = 0;  ///< not straight: the index of the first vertex in `VertexPaths::points`
};

/// Where all vertices are during one part of a step. Every path is a polynomial in Bernstein form, or a straight line;
/// for culling, every vertex also has a straight motion that is near its path.
struct VertexPaths {
  std::vector<Vec3> start, end;    ///< the straight motions
  std::vector<PathPoints> points;  ///< of the bodies that do not move straight
  std::vector<PathBody> bodies;

  void clear(std::span<const PathBody> all, std::size_t vertices);
  PathPoints at(std::uint32_t vertex, const PathBody& body) const;
};

/// A body's own coordinates and its motion; the sizes are of all its vertices during the whole step.
struct RigidVertices {
  std::span<const Vec3> local;
  const motion::Path& path;
  double far;  ///< the largest coordinate of a vertex during the step, about
};

/// Over how many parts must a step be divided for errors below `error`, and for bends of about `bend`? 0: too many.
std::uint64_t parts_for(const RigidVertices& body, double error, double bend);
/// The same for polynomial paths, which have no errors worth a part.
std::uint64_t parts_for(std::span<const Vec3> start, std::span<const std::vector<Vec3>> control, double bend);

/// Contains the body during the whole step.
Box3 swept_box(const RigidVertices& body);

/// How far a vertex that is placed in doubles is from its path.
double placing_error(const RigidVertices& body);

/// The paths of a rigid body from t0 to t1.
void add_rigid(const RigidVertices& vertices, double t0, double t1, std::size_t body, VertexPaths& paths);
/// Straight lines from `from` to `to`, of which the part from t0 to t1 is taken.
void add_straight(std::span<const Vec3> from, std::span<const Vec3> to, double t0, double t1, std::size_t body,
                  VertexPaths& paths);
/// A body that matters to nobody, at a point where it does not enlarge the scene.
void put_aside(const Vec3& point, std::size_t body, VertexPaths& paths);
/// Bernstein polynomials: the first control points of all vertices and, for each of up to four more, a list of them.
void add_polynomials(std::span<const Vec3> start, std::span<const std::vector<Vec3>> control, double t0, double t1,
                     std::size_t body, VertexPaths& paths);

}  // namespace graze::engine::deform
