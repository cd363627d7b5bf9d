// SPDX-License-Identifier: MIT
// A mesh whose vertices move on straight lines, and a convex solid, all of whose points do.
//
// At time t a point x of the solid's core is at A x + b, where the matrix A and b change linearly between the two
// placements. (A solid that turns is smaller in between, as a mesh is whose vertices move so.) Along a fixed direction
// n the core reaches as far as max n . (A x + b): a maximum of linear functions of t, so convex. A triangle reaches as
// far as a minimum of three linear functions, so concave. Their difference f, the separation along n, is concave: where
// f > 0 at two times, f > 0 between them, and its chord is below it. Every triangle is advanced along the direction of
// its closest points: to a time at which f is still positive, and to the end if f is positive there.
//
// Rounding. Lengths are divided by a power of two above all coordinates relative to the solid's first place. Entries of
// the matrices are within 2^-46, places and vertices within 2^-45 of their sizes; shape/gap.hpp bounds all the rest by
// 2^-41. `slack` is 2^-40, plus 2^-44 of the coordinates in the world, and is subtracted from every separation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "body/body_data.hpp"
#include "core/limits.hpp"
#include "engine/curved/scaling.hpp"
#include "math/vectors.hpp"
#include "shape/gap.hpp"
#include "shape/placed_core.hpp"
#include "world/sweep/sweep.hpp"

namespace graze::world {

namespace {

using engine::curved::exponent_of;
using engine::curved::scaled;

/// A core whose points move on straight lines.
class LinearCore {
 public:
  LinearCore(const shape::Core& core, const Pose& from, const Pose& to, const Vec3& origin, int exponent)
      : core_(core), from_(placed(from, origin, exponent)), to_(placed(to, origin, exponent)) {
    core_.scale(-exponent);
  }
  LinearCore(const LinearCore&) = delete;

  shape::PlacedCore at(double t) const {
    shape::PlacedCore out;
    out.core = &core_;
    for (std::size_t i = 0; i < 9; ++i) out.r[i] = from_.r[i] + t * (to_.r[i] - from_.r[i]);
    out.t = from_.t + (to_.t - from_.t) * t;
    return out;
  }
  double radius() const { return core_.radius; }

 private:
  static Placement placed(const Pose& pose, const Vec3& origin, int exponent) {
    const Pose turn({}, pose.rotation());
    const Vec3 x = turn.apply({1, 0, 0}), y = turn.apply({0, 1, 0}), z = turn.apply({0, 0, 1});
    return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}, scaled(pose.translation() - origin, -exponent)};
  }

  shape::Core core_;
  Placement from_, to_;
};

/// A triangle whose corners move on straight lines.
struct LinearTriangle {
  shape::TriangleCore from, to;

  shape::TriangleCore at(double t) const {
    shape::TriangleCore out;
    for (std::size_t k = 0; k < 3; ++k) out.corners[k] = from.corners[k] + (to.corners[k] - from.corners[k]) * t;
    return out;
  }
};

/// The first contact of one triangle.
struct TriangleAnswer {
  Status status = Status::free;
  double time = 1;  ///< certified apart until then
  double gap = 0;   ///< at that time, an upper bound
};

class Search {
 public:
  /// `apart`: contact means at most this far from the core. All lengths are scaled.
  Search(const LinearCore& core, double apart, double tolerance, double slack, std::uint64_t work)
      : core_(core), apart_(apart), tolerance_(tolerance), slack_(slack), work_(work) {}

  /// Up to a time from which on nothing matters any more.
  TriangleAnswer find(const LinearTriangle& triangle, double until) {
    TriangleAnswer out;
    double keep = 0;
    Vec3 direction;
    for (double t = 0;;) {
      poll_();
      if (work_ > 0 && steps >= work_) return {Status::undecided, t, 0};
      ++steps;
      const shape::PlacedCore core = core_.at(t);
      const shape::Gap gap = shape::find_gap(core, triangle.at(t), direction, math::infinity, 0, 1e-3, apart_);
      const double lower = gap.lower - apart_ - slack_, upper = gap.upper - apart_ + slack_;
      if (t == 0) {
        if (!(lower > 0)) return {Status::touching_at_start, 0, std::max(0.0, upper)};
        keep = std::min(tolerance_, lower) / 2;  // stays at least that far away
      }
      // The second: where rounding hides the distance.
      if (!(upper > std::min(tolerance_, 4 * keep)) || !(lower > keep))
        return {Status::contact, t, std::max(0.0, upper)};
      direction = gap.normal;
      const double next = advance(triangle, gap.normal, t, lower, keep);
      if (next >= until) return out;
      if (!(next > t)) return {Status::contact, t, std::max(0.0, upper)};  // too fast for a double's times
      t = next;
    }
  }

  std::uint64_t steps = 0;

 private:
  double separation(const LinearTriangle& triangle, const Vec3& n, double t) const {
    const Vec3 of_core = core_.at(t).furthest(n), of_triangle = triangle.at(t).furthest(-n);
    return dot(n, of_triangle - of_core) - apart_ - slack_;
  }

  /// A time at least until which the separation along n is positive; it is `now` at t. Aims at `keep`.
  double advance(const LinearTriangle& triangle, const Vec3& n, double t, double now, double keep) const {
    const double end = separation(triangle, n, 1);
    if (end > 0) return 1;
    for (int i = 0; i < 8 && now > 2 * keep; ++i) {
      const double next = t + (1 - t) * ((now - keep) / (now - end)) * (1 - 0x1p-50);
      const double there = separation(triangle, n, next);
      if (!(there > 0) || !(next > t)) break;
      t = next, now = there;
    }
    return t;
  }

  const LinearCore& core_;
  double apart_, tolerance_, slack_;
  std::uint64_t work_;
  core::Poll poll_;
};

}  // namespace

FirstContactResult convex_contact(const StraightBody& mesh, const StraightBody& solid, double tolerance,
                                  double separation, std::uint64_t work) {
  const shape::Core& shape = *solid.to.data().core;
  const Vec3 origin = solid.pose_from.translation();
  double relative = math::largest(solid.pose_to.translation() - origin) + shape.reach(),
         absolute = math::largest(origin) + math::largest(solid.pose_to.translation()) + shape.reach();
  std::vector<Vec3> from, to;
  for (std::size_t i = 0; i < mesh.to.mesh().vertex_count(); ++i) {
    from.push_back(mesh.pose_from.apply(mesh.from.mesh().positions()[i]));
    to.push_back(mesh.pose_to.apply(mesh.to.mesh().positions()[i]));
    for (const Vec3& p : {from.back(), to.back()}) {
      relative = std::max(relative, math::largest(p - origin));
      absolute = std::max(absolute, math::largest(p));
    }
  }
  FirstContactResult out;
  out.method = "deform";
  out.status = Status::free;
  out.time = {1, math::not_a_number};
  out.gap = math::not_a_number;
  const int exponent = exponent_of(std::max(relative, separation)) + 2;
  for (std::vector<Vec3>* points : {&from, &to})
    for (Vec3& p : *points) p = scaled(p - origin, -exponent);
  const LinearCore core(shape, solid.pose_from, solid.pose_to, origin, exponent);
  const auto in_scale = [&](double x) { return std::ldexp(x, -exponent); };
  const double slack = shape::rounding * 2 + in_scale(absolute) * 0x1p-44 + 0x1p-1000;
  const double apart = (core.radius() + in_scale(separation)) * (1 + 0x1p-51);
  if (!(slack < 1)) {  // numbers beyond all doubles, or so far away that their digits say nothing
    out.status = Status::undecided;
    out.time.safe = 0;
    return out;
  }
  // All that the solid passes, and what is within the separation of it.
  Box3 passed;
  for (const double t : {0.0, 1.0}) {
    const shape::PlacedCore placed = core.at(t);
    for (int k = 0; k < 3; ++k) {
      Vec3 n;
      n[k] = 1;
      Vec3 hi = placed.centre(), lo = hi;
      hi[k] = placed.furthest(n)[k] + apart + slack;
      lo[k] = placed.furthest(-n)[k] - apart - slack;
      if (t == 0) passed.lo[k] = lo[k], passed.hi[k] = hi[k];
      passed.lo[k] = std::min(passed.lo[k], lo[k]);
      passed.hi[k] = std::max(passed.hi[k], hi[k]);
    }
  }
  Search search(core, apart, std::max(in_scale(tolerance), 8 * slack), slack, work);
  double touch = 1;
  for (const Triangle& t : mesh.to.mesh().triangles()) {
    LinearTriangle triangle;
    Box3 box;
    for (std::size_t k = 0; k < 3; ++k) {
      triangle.from.corners[k] = from[t[k]];
      triangle.to.corners[k] = to[t[k]];
      box.add(from[t[k]]);
      box.add(to[t[k]]);
    }
    ++out.counters.box_tests;
    if (!box.overlaps(passed)) continue;
    const TriangleAnswer found = search.find(triangle, touch);
    if (found.status == Status::free) continue;
    out.status = found.status;
    touch = found.time;
    out.time = {found.time, found.time};
    out.gap = std::ldexp(found.gap, exponent) + separation;
    if (found.status != Status::contact) break;
  }
  if (out.status == Status::undecided) out.time = {0, math::not_a_number};  // other triangles were not asked
  out.counters.triangle_tests += search.steps;
  return out;
}

}  // namespace graze::world
