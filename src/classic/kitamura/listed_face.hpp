// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "classic/kitamura/face_pairs.hpp"
#include "classic/kitamura/scene.hpp"
#include "prim/triangle_box.hpp"
#include "prim/triangle_box_axes.hpp"

namespace graze::classic::kitamura {

/// A box that contains the exact face, including the placement's rounding error.
inline Box3 face_box(const PlacedBody& body, std::uint32_t triangle) {
  if (!body.bounded) return everywhere();
  Box3 box;
  for (const std::uint32_t v : body.triangles[triangle]) box.add(body.world[v]);
  return padded(box, body.error);
}

/// A face of a check-list (Kitamura 3.4).
struct ListedFace {
  Box3 box;
  std::uint32_t body, triangle;
};

/// Which faces may have a point in a closed box (Kitamura 3.7)? "No" is certain: every point of the exact face is
/// within the body's error of the point of the rounded triangle with the same weights. So a point of the face in the
/// box corresponds to a point of that triangle in the padded box; and the triangle/box tests never report "apart"
/// wrongly.
class FaceTest {
 public:
  FaceTest(const Scene& scene, bool clip) : scene_(scene), clip_(clip) {}

  bool may_meet(const ListedFace& face, const Box3& box, AllCounters& counters) const {
    if (!face.box.overlaps(box)) {
      ++counters.box_clip_box_apart;
      return false;
    }
    const PlacedBody& body = scene_[face.body];
    if (!body.bounded) return true;
    const std::array<Vec3, 3> corners = body.corners(face.triangle);
    if (clip_) return prim::triangle_box(corners, padded(box, body.error), counters);
    return !prim::triangle_box_apart(corners, padded(box, body.error));
  }

 private:
  const Scene& scene_;
  bool clip_;
};

/// The items of the face octree.
class FaceItems {
 public:
  FaceItems(const FaceTest& test, std::span<const ListedFace> faces) : test_(test), faces_(faces) {}

  static constexpr std::size_t least = 2;
  std::size_t size() const { return faces_.size(); }
  std::uint32_t body(std::uint32_t i) const { return faces_[i].body; }
  const Box3& box(std::uint32_t i) const { return faces_[i].box; }
  bool may_meet(std::uint32_t i, const Box3& cell, AllCounters& counters) const {
    return test_.may_meet(faces_[i], cell, counters);
  }
  /// Faces whose boxes are apart do not interfere (Kitamura 3.6) and need not be listed.
  void list(std::uint32_t i, std::uint32_t j, FacePairList& pairs) const {
    const ListedFace &f = faces_[i], &g = faces_[j];
    if (i != j && f.box.overlaps(g.box)) pairs.add({f.body, g.body, f.triangle, g.triangle});
  }

 private:
  FaceTest test_;
  std::span<const ListedFace> faces_;
};

}  // namespace graze::classic::kitamura
