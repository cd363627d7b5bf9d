// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "body/features.hpp"
#include "core/limits.hpp"
#include "engine/collide/method.hpp"
#include "engine/collide/touching_normal.hpp"
#include "math/vectors.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::engine::collide {

namespace {

Vec3 turned(const Pose& pose, const Vec3& v) { return Pose({0, 0, 0}, pose.rotation()).apply(v); }

/// The intersection of two triangles of the bodies; in integers where both bodies are on a common grid.
class Witness {
 public:
  Witness(const CollideQuery& q, CollideResult& r) : q_(q), result_(r), points_(q.placement, q.counters) {
    if (q.a.part<Grid>().valid && q.b.part<Grid>().valid && q.placement.is_axis_permutation()) {
      grid_.emplace(q.a.part<Grid>(), q.b.part<Grid>(), q.placement);
      if (!grid_->usable()) grid_.reset();
    }
  }

  /// Selects the pair that the following calls refer to.
  void look_at(std::uint32_t ta, std::uint32_t tb) {
    ta_ = ta;
    tb_ = tb;
    const unsigned inner_a = q_.a.inner_edges(ta), inner_b = q_.b.inner_edges(tb);
    if (grid_) {
      grid_->load_a(q_.a.mesh.triangles()[ta], whole_);
      grid_->load_b(q_.b.mesh.triangles()[tb], whole_);
      prim::triangle_triangle(whole_, meetings_, inner_a, inner_b);
      for (int i = 0; i < meetings_.count; ++i)
        meetings_.meetings[i].point = meetings_.meetings[i].point * grid_->unit();
    } else {
      load_pair(points_, q_, ta, tb);
      prim::triangle_triangle(points_, meetings_, inner_a, inner_b);
    }
  }

  void add_features() {
    for (int i = 0; i < meetings_.count; ++i)
      if (const auto feature = body::meeting_feature(q_.a.mesh, ta_, q_.b.mesh, tb_, meetings_.meetings[i]))
        result_.features.push_back(*feature);
  }

  /// The triangles of one polygon of the pair that have an edge of the polygon reaching the other polygon's plane; all
  /// of them if the other is not planar. A vertex or edge in contact with a planar face lies in its plane or passes
  /// through it, so every contact of a feature of this polygon with the other occurs in one of these triangles.
  std::vector<std::uint32_t> in_reach(bool of_b, const TrianglePair& pair) {
    const body::BodyData &own = of_b ? q_.b : q_.a, &other = of_b ? q_.a : q_.b;
    const TriangleId t = of_b ? pair.b : pair.a, plane = of_b ? pair.a : pair.b;
    const bool planar = other.mesh.is_planar(other.mesh.polygon_of(plane));
    points_.clear();
    for (std::size_t k = 0; k < 3; ++k) add_point(!of_b, other.corner(index(plane), k));
    const auto side = [&](std::uint32_t triangle, std::size_t k) {
      points_.resize(3);
      add_point(of_b, own.corner(triangle, k));
      return points_.orient3d(0, 1, 2, 3);  // 0 for all if the plane's triangle is degenerate
    };
    const auto [first, last] = own.mesh.triangles_of(own.mesh.polygon_of(t));
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = first; i < last; ++i) {
      bool reaches = !planar;
      for (std::size_t k = 0; k < 3 && !reaches; ++k)
        reaches = !(own.inner_edges(i) >> k & 1) && side(i, k) * side(i, (k + 1) % 3) <= 0;
      if (reaches) out.push_back(i);
    }
    return out;
  }

  /// For the witness pair: a common point, and the normal if the triangles touch.
  void add_point_and_normal() {
    const std::array<Vec3, 2> segment = meetings_.segment();
    const Vec3 point = q_.pose_a.apply(segment[0] * 0.5 + segment[1] * 0.5);
    result_.points = {point, point};
    if (meetings_.contact == prim::TriangleContact::crossing) return;
    const Vec3 n = math::unit(touching_normal(q_, grid_ ? &*grid_ : nullptr, ta_, tb_, meetings_, q_.counters));
    if (n != Vec3{}) result_.normal = math::unit(turned(q_.pose_a, n));
  }

 private:
  void add_point(bool b, const Vec3& x) { b ? points_.add_b(x) : points_.add_a(x); }

  const CollideQuery& q_;
  CollideResult& result_;
  std::optional<CommonGrid> grid_;
  math::WholePoints whole_;
  math::PlacedPoints points_;
  std::uint32_t ta_ = 0, tb_ = 0;
  prim::TriangleMeetings meetings_;
};

}  // namespace

void add_witness(const CollideQuery& q, CollideResult& result) {
  if (result.pairs.empty()) return;
  Witness witness(q, result);
  Counters& counters = q.counters;
  const Counters before = counters;
  const TrianglePair first = result.pairs.front();
  witness.look_at(index(first.a), index(first.b));
  witness.add_point_and_normal();
  witness.add_features();
  core::Poll poll;
  const auto add_features_of = [&](std::uint32_t ta, std::uint32_t tb) {
    if (ta == index(first.a) && tb == index(first.b)) return;  // done
    poll.only_time();
    witness.look_at(ta, tb);
    witness.add_features();
  };
  if (q.options.all_features) {
    for (const TrianglePair& pair : result.pairs) add_features_of(index(pair.a), index(pair.b));
  } else {
    const auto [a0, a1] = q.a.mesh.triangles_of(q.a.mesh.polygon_of(first.a));
    const auto [b0, b1] = q.b.mesh.triangles_of(q.b.mesh.polygon_of(first.b));
    if ((a1 - a0) * std::uint64_t{b1 - b0} <= 16) {  // too few for filtering to pay off
      for (std::uint32_t ta = a0; ta < a1; ++ta)
        for (std::uint32_t tb = b0; tb < b1; ++tb) add_features_of(ta, tb);
    } else {
      for (const std::uint32_t ta : witness.in_reach(false, first))
        for (std::uint32_t tb = b0; tb < b1; ++tb) add_features_of(ta, tb);
      for (const std::uint32_t tb : witness.in_reach(true, first))
        for (std::uint32_t ta = a0; ta < a1; ++ta) add_features_of(ta, tb);
    }
  }
  counters = before;  // counters measure the search, not the description of its result
  std::sort(result.features.begin(), result.features.end());
  result.features.erase(std::unique(result.features.begin(), result.features.end()), result.features.end());
  if (result.kind == ContactKind::crossing) result.normal.reset();
}

}  // namespace graze::engine::collide
