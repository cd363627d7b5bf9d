// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/body/contact.hpp>
#include <graze/math/box3.hpp>

#include "body/body_data.hpp"
#include "engine/curved/scaling.hpp"
#include "math/relative_placement.hpp"
#include "math/vectors.hpp"

namespace graze::engine::manifold {

/// A body in the frame in which a manifold is computed: that of A, all lengths multiplied by 2^-exponent, so that no
/// coordinate is larger than 1.
struct PlacedBody {
  const body::BodyData* data = nullptr;
  std::array<double, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 t;
  int exponent = 0;
  std::array<double, 2> factors{1, 1};  ///< their product is 2^-exponent, which may itself be no double

  Vec3 scaled(const Vec3& own) const { return own * factors[0] * factors[1]; }
  Vec3 place(const Vec3& own) const { return math::turned(r, scaled(own)) + t; }
  Vec3 turn(const Vec3& own) const { return math::turned(r, own); }
  Vec3 turn_back(const Vec3& n) const {
    return {r[0] * n.x + r[3] * n.y + r[6] * n.z, r[1] * n.x + r[4] * n.y + r[7] * n.z,
            r[2] * n.x + r[5] * n.y + r[8] * n.z};
  }
};

/// Two bodies in that frame.
struct PlacedPair {
  PlacedPair(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b, double margin);

  PlacedBody a, b;
  int exponent = 0;
  double margin = 0;  ///< scaled, too
  double size = 0;    ///< of the smaller body, scaled: what is tiny is tiny compared with this
};

struct Corner {
  Vec3 at;
  /// Of a rounded shape: where the rounded corner reaches furthest along the direction. `at` is where the flat part of
  /// the surface ends.
  Vec3 furthest;
  bool rounded = false;
  bool inner = false;  ///< inside a flat region, and so no feature
  FeatureRef feature;
};

/// A flat convex piece of a surface: a polygon, a segment or a point. Of a half-space, its whole plane.
struct Facet {
  static constexpr unsigned most = 8;

  std::array<Corner, most> corners;
  std::array<FeatureRef, most> edges;  ///< from corner k to the next one
  unsigned count = 0;
  unsigned inner = 0;  ///< bit k: edge k is inside a flat region, and so no feature
  bool plane = false;  ///< unbounded, through the first corner
  FeatureRef face;
  Vec3 normal;                 ///< outward, unit; zero for segments and points
  std::uint32_t triangle = 0;  ///< of a mesh

  unsigned edge_count() const { return count > 2 ? count : count - 1; }
};

/// The facets of a body that can be seen from direction n (unit, outward), as far as they reach above `level` along it.
/// Facets that are seen under a very small angle are left out as long as there are others: heights along n are not
/// accurate there. All facets of a body without an inside, seen from either side.
void show(const PlacedBody& body, const Vec3& n, double level, std::vector<Facet>& out);

/// The same for a curved shape.
void show_curved(const PlacedBody& body, const Vec3& n, std::vector<Facet>& out);
/// The same for a mesh, all points within a radius (not scaled) of it.
void show_mesh(const Mesh& mesh, int volume_sign, double radius, const PlacedBody& body, const Vec3& n, double level,
               std::vector<Facet>& out);

}  // namespace graze::engine::manifold
