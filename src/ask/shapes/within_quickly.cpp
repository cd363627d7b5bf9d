// SPDX-License-Identifier: MIT
#include "ask/shapes/within_quickly.hpp"

#include "ask/shapes/box_pair.hpp"
#include "ask/shapes/shapes.hpp"
#include "engine/curved/ball_test.hpp"

namespace graze::ask {

bool within_quickly(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                    WithinResult& result) {
  if (a.data().core && b.data().core) {
    if (const auto apart = engine::curved::apart_by_balls(*a.data().core, pose_a, *b.data().core, pose_b, d)) {
      result.status = *apart ? Status::free : Status::contact;
      return true;
    }
    // Two polyhedra are decided exactly. Where that is clear in doubles, it is decided by them.
    if (!plain_boxes(a.data(), b.data())) {
      within_plain_shapes(d, a, pose_a, b, pose_b, result);
      if (result.certain || plain_shapes(a, b)) return true;
      result.certain = true;
      return false;
    }
  }
  if (d == 0 && a.has_mesh() && b.has_mesh() && bool(a.data().shape) != bool(b.data().shape)) {
    const math::RelativePlacement placement(pose_a, pose_b);
    const auto found = quick_mesh_box(a.data(), pose_a, b.data(), pose_b, placement, result.counters);
    if (!found || (!found->apart && !triangles_cross(a.data(), b.data(), placement, found->pair, result.counters)))
      return false;
    result.status = found->apart ? Status::free : Status::contact;
    return true;
  }
  if (!plain_boxes(a.data(), b.data())) return false;
  const std::optional<bool> apart = boxes_apart(a.data(), pose_a, b.data(), pose_b, d);
  if (!apart) return false;
  result.status = *apart ? Status::free : Status::contact;
  return true;
}

}  // namespace graze::ask
