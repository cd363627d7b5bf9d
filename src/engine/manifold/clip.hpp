// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/manifold/facets.hpp"
#include "engine/manifold/patch.hpp"

namespace graze::engine::manifold {

/// Coordinates for looking along a direction: two across it, and the height along it.
struct Frame {
  explicit Frame(const Vec3& n);

  Vec3 u, v, n;
  Vec3 from(const Vec3& x) const { return {dot(u, x), dot(v, x), dot(n, x)}; }
  Vec3 back(const Vec3& x) const { return u * x.x + v * x.y + n * x.z; }
};

/// A facet in such coordinates.
struct FlatFacet {
  FlatFacet(const Facet& facet, const Frame& frame);

  const Facet* facet;
  std::array<Vec3, Facet::most> at, furthest;
  Vec3 slope;         ///< the height changes by slope . (du, dv)
  double turn = 1;    ///< the sign of its area as seen here
  bool thin = false;  ///< a polygon without an area: it has edges, and no inside
  Box3 box;

  bool is_flat() const { return facet->count > 2; }
  Vec3 corner(unsigned k) const { return at[k % facet->count]; }
};

/// How far a point may be outside.
struct Slack {
  double flat;  ///< of polygons
  double line;  ///< of lines from lines, whose direction is less accurate
};

/// A corner of the area in which two facets are over each other.
struct Overlap {
  PatchPoint point;    ///< in the coordinates of the frame
  bool inner = false;  ///< on an edge or at a corner that is no feature
};

/// Appends the corners of that area.
void clip(const FlatFacet& a, const FlatFacet& b, const Slack& slack, std::vector<Overlap>& out);

}  // namespace graze::engine::manifold
