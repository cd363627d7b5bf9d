// SPDX-License-Identifier: MIT
#include "engine/curved/mesh_pair.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/limits.hpp"
#include "engine/curved/parts.hpp"
#include "engine/curved/scaling.hpp"

namespace graze::engine::curved {

namespace {

double largest_of(const Box3& box) { return std::max(math::largest(box.lo), math::largest(box.hi)); }

/// A lower bound of the distance between two boxes, up to rounding.
double box_distance(const shape::BoxCore& a, const shape::BoxCore& b) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = std::max({a.lo[k] - b.hi[k], b.lo[k] - a.hi[k], 0.0});
    squared += d * d;
  }
  return std::sqrt(squared);
}

}  // namespace

MeshPair::MeshPair(const body::BodyData& mesh, const Pose& pose_mesh, const body::BodyData& shape,
                   const Pose& pose_shape)
    : mesh_(mesh), pose_mesh_(pose_mesh), exponent_(0), core_(*shape.core) {
  const math::RelativePlacement placement(pose_mesh, pose_shape);
  // A power of two above all coordinates of points of either, and of the sum of two: 4 times as much.
  const double far = math::largest(placement.translation()) + core_.reach();
  exponent_ = exponent_of(std::max(largest_of(mesh.mesh.box()), far)) + 2;
  core_.scale(-exponent_);
  placed_ = {&core_, placement.rotation(), scaled(placement.translation(), -exponent_)};
  for (int k = 0; k < 3; ++k) {
    Vec3 n;
    n[k] = 1;
    core_box_.hi[k] = placed_.furthest(n)[k];
    core_box_.lo[k] = placed_.furthest(-n)[k];
  }
}

/// A box is left out only if a bound of its distance from the core, less the rounding bound, exceeds the reach.
template <class Reach, class Visit>
void MeshPair::walk(Reach&& reach, Visit&& visit, Counters& counters) const {
  struct Entry {
    std::uint32_t node;
    double lower;
  };
  std::vector<Entry> stack{{0, 0}};
  Vec3 direction;
  core::Poll poll;
  while (!stack.empty()) {
    poll();
    const Entry top = stack.back();
    stack.pop_back();
    if (top.lower > reach() + shape::rounding) continue;
    const bvh::WideNode& node = mesh_.tree.tree.nodes[top.node];
    ++counters.node_pairs;
    struct Child {
      int index;
      double lower;
    };
    Child children[bvh::WideNode::width];
    int n = 0;
    for (int i = 0; i < node.count; ++i) {
      ++counters.box_tests;
      const shape::BoxCore box = child_box(mesh_, node, i, exponent_);
      double lower = box_distance(box, core_box_);
      if (lower > reach() + shape::rounding) continue;
      if (!node.bottom) {
        const shape::Gap gap = shape::find_gap(box, placed_, direction, reach() + shape::rounding, reach(), 1e-3);
        if (gap.lower > 0) direction = gap.normal;
        lower = std::max(lower, gap.lower);
        if (lower > reach() + shape::rounding) continue;
      }
      children[n++] = {i, lower};
    }
    for (int i = 1; i < n; ++i)  // at most eight: nearest first
      for (int k = i; k > 0 && children[k].lower < children[k - 1].lower; --k) std::swap(children[k], children[k - 1]);
    if (!node.bottom) {
      for (int i = n; i-- > 0;)
        stack.push_back({node.first + static_cast<std::uint32_t>(children[i].index), children[i].lower});
      continue;
    }
    ++counters.leaf_pairs;
    for (int i = 0; i < n; ++i) {
      if (children[i].lower > reach() + shape::rounding) break;
      const std::uint32_t t = mesh_.tree.triangle(node.first + static_cast<std::uint32_t>(children[i].index));
      if (!visit(t, triangle(mesh_, t, exponent_), direction)) return;
    }
  }
}

Feature MeshPair::feature_of(const Found& found) const {
  return mesh_feature(mesh_, found.triangle, found.gap.simplex, triangle(mesh_, found.triangle, exponent_));
}

template <class Result>
void MeshPair::add_points(const Found& found, Result& result) const {
  const Vec3 a = found.gap.simplex.point_a();
  const Vec3 n = found.gap.normal;
  // On the shape's surface, on its side towards the mesh. If the core itself reaches the mesh, the common point.
  const Vec3 b = found.gap.simplex.point_b() - (found.gap.overlap ? Vec3{} : n * core_.radius);
  result.points = {pose_mesh_.apply(scaled(a, exponent_)), pose_mesh_.apply(scaled(b, exponent_))};
  if (!found.gap.overlap && n != Vec3{}) result.normal = math::unit(Pose({}, pose_mesh_.rotation()).apply(n));
}

void MeshPair::collide(bool all, bool all_features, CollideResult& result) const {
  std::optional<Found> witness;
  bool certain = false;
  walk([&] { return core_.radius; },
       [&](std::uint32_t t, const shape::TriangleCore& corners, Vec3& direction) {
         ++result.counters.triangle_tests;
         const shape::Judgement j = shape::judge(corners, placed_, core_.radius, direction);
         if (j.gap.lower > 0) direction = j.gap.normal;
         if (j.verdict == shape::Verdict::apart) return true;
         const bool sure = j.verdict == shape::Verdict::overlap;
         result.pairs.push_back({TriangleId{t}, TriangleId{0}});
         if (all_features) result.features.push_back(feature_of({t, j.gap}));
         if (!witness || (sure && !certain)) witness = Found{t, j.gap};
         certain |= sure;
         return all || !sure;
       },
       result.counters);
  result.status = witness ? Status::contact : Status::free;
  if (!witness) return;
  result.certain = certain;
  result.kind = certain ? ContactKind::crossing : ContactKind::touching;
  if (!all) result.pairs.assign(1, {TriangleId{witness->triangle}, TriangleId{0}});
  if (!all_features) result.features.assign(1, feature_of(*witness));
  std::sort(result.pairs.begin(), result.pairs.end());
  std::sort(result.features.begin(), result.features.end());
  result.features.erase(std::unique(result.features.begin(), result.features.end()), result.features.end());
  add_points(*witness, result);
}

void MeshPair::distance(double relative_error, DistanceResult& result) const {
  // Distances of cores: those of the bodies are less by the radius, so then they are needed as exactly as possible.
  const double enough = core_.radius > 0 ? 0 : 0.25 * relative_error;
  Found best;
  double upper = std::numeric_limits<double>::infinity(), lower = upper;
  walk([&] { return upper; },
       [&](std::uint32_t t, const shape::TriangleCore& corners, Vec3& direction) {
         ++result.counters.triangle_distances;
         const shape::Gap gap = shape::find_gap(corners, placed_, direction, upper, -1, enough);
         lower = std::min(lower, gap.lower);  // what the walk leaves out is further away than `upper`
         if (gap.lower > 0) direction = gap.normal;
         if (!(gap.upper < upper)) return true;
         upper = gap.upper;
         best = {t, gap};
         return upper > 0;
       },
       result.counters);
  result.pair = {TriangleId{best.triangle}, TriangleId{0}};
  result.feature = feature_of(best);
  add_points(best, result);
  lower = std::min(lower, upper);
  if (lower - core_.radius > shape::rounding)
    return report_gap(lower - core_.radius, upper - core_.radius, relative_error, exponent_, result);
  // The lower bound does not prove them apart: whether they touch decides.
  CollideResult touch;
  collide(false, false, touch);
  result.counters += touch.counters;
  result.status = touch.status;
  result.certain = touch.certain;
  result.distance = touch.status == Status::free ? std::ldexp(std::max(upper - core_.radius, 0.0), exponent_) : 0;
}

void MeshPair::within(double d, WithinResult& result) const {
  const double radius = core_.radius + std::ldexp(d, -exponent_);
  result.status = Status::free;
  if (!(radius < 8)) {  // every point of either is within this distance of every point of the other
    result.status = Status::contact;
    return;
  }
  walk([&] { return radius; },
       [&](std::uint32_t, const shape::TriangleCore& corners, Vec3& direction) {
         ++result.counters.triangle_tests;
         const shape::Judgement j = shape::judge(corners, placed_, radius, direction);
         if (j.gap.lower > 0) direction = j.gap.normal;
         if (j.verdict == shape::Verdict::apart) return true;
         result.status = Status::contact;
         result.certain = j.verdict == shape::Verdict::overlap;
         return !result.certain;
       },
       result.counters);
}

}  // namespace graze::engine::curved
