// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "ask/compound/compound.hpp"
#include "body/body_data.hpp"
#include "body/compound.hpp"
#include "core/refusal.hpp"
#include "engine/contains/solid.hpp"
#include "engine/ray/fraction.hpp"
#include "math/relative_placement.hpp"

namespace graze::ask {

namespace {

/// A segment in the body's frame, rounded.
struct LocalSegment {
  LocalSegment(const Pose& pose, const Vec3& p, const Vec3& q) {
    const math::RelativePlacement placement(pose, Pose());
    from = placement.place(p);
    to = placement.place(q);
    error = std::max(placement.error(p), placement.error(q));
  }

  /// False: certified that the segment has no point in the box. The box is widened by the error of the end points and
  /// by more than the rounding of the quotients below moves a point of the segment (a few eps of its ends and of the
  /// box). What overflows or is not a number excludes nothing.
  bool may_meet(const Box3& box) const {
    double first = 0, last = 1;
    for (int k = 0; k < 3; ++k) {
      const double size = std::fabs(from[k]) + std::fabs(to[k]) + std::fabs(box.lo[k]) + std::fabs(box.hi[k]);
      const double wider = 2 * error + 0x1p-45 * size;
      const double lo = box.lo[k] - wider - from[k], hi = box.hi[k] + wider - from[k], way = to[k] - from[k];
      if (!std::isfinite(way)) return true;
      if (way == 0) {
        if (lo > 0 || hi < 0) return false;
        continue;
      }
      const double at_lo = lo / way, at_hi = hi / way;
      if (std::max(at_lo, at_hi) < last) last = std::max(at_lo, at_hi);
      if (std::min(at_lo, at_hi) > first) first = std::min(at_lo, at_hi);
    }
    return !(first > last);
  }

  Vec3 from, to;
  double error = 0;
};

/// The pieces whose boxes the segment may meet, in the order of their ids.
std::vector<std::uint32_t> pieces_along(const body::CompoundData& compound, const LocalSegment& segment) {
  std::vector<std::uint32_t> found, stack{0};
  while (!stack.empty()) {
    const body::PieceNode& node = compound.nodes[stack.back()];
    stack.pop_back();
    if (!segment.may_meet(node.box)) continue;
    if (node.is_leaf()) {
      found.push_back(node.piece);
    } else {
      stack.push_back(node.left);
      stack.push_back(node.right);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

void cast_ray_compound(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, RayHits hits,
                       RayResult& result) {
  const body::CompoundData& compound = *body.data().compound;
  // Rounding keeps the order. Equal fractions are compared exactly; then the lower piece comes first.
  const auto earlier = [&](const RayHit& x, const RayHit& y) {
    if (x.fraction != y.fraction) return x.fraction < y.fraction;
    const int order = engine::ray::compare(engine::ray::exact_fraction(x, body, pose, from, to),
                                           engine::ray::exact_fraction(y, body, pose, from, to));
    return order != 0 ? order < 0 : index(*x.piece) < index(*y.piece);
  };
  result.status = Status::free;
  RayResult part;
  for (const std::uint32_t piece : pieces_along(compound, LocalSegment(pose, from, to))) {
    cast_ray(compound.placed[piece], pose, from, to, {.hits = hits}, part);
    result.counters += part.counters;
    if (!part.hit) continue;
    part.hit->piece = PieceId{piece};
    for (RayHit& hit : part.all) {
      hit.piece = PieceId{piece};
      result.all.push_back(hit);
    }
    result.status = Status::contact;
    if (result.hit && !earlier(*part.hit, *result.hit)) continue;
    result.hit = part.hit;
    result.certain = part.certain;
    if (hits == RayHits::any) return;
  }
  std::stable_sort(result.all.begin(), result.all.end(), earlier);
}

void contains_compound(const Body& body, const Pose& pose, const Vec3& point, ContainsResult& result) {
  if ((result.error = engine::contains::not_solid(body.data(), "A"))) return;
  const body::CompoundData& compound = *body.data().compound;
  Location location = Location::outside;
  ContainsResult part;
  for (const std::uint32_t piece : pieces_along(compound, LocalSegment(pose, point, point))) {
    contains(compound.placed[piece], pose, point, part);
    result.counters += part.counters;
    if (part.location == Location::outside) continue;
    if (part.location == Location::on_surface && location != Location::outside) continue;
    location = part.location;
    result.piece = PieceId{piece};
    if (location == Location::inside) break;
  }
  result.location = location;
}

}  // namespace graze::ask
