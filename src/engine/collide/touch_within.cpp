// SPDX-License-Identifier: MIT
#include "engine/collide/touch_within.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/counter_sum.hpp"
#include "core/limits.hpp"
#include "engine/collide/tree_walk.hpp"
#include "math/placed_points.hpp"
#include "prim/closest/closest.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::engine::collide {

namespace {

/// Makes all that the frame proves true for any points that are within `error` (together, in A's units) of where it
/// puts them; false: not in its range.
///
/// In A's float frame let x be no less than `error`. Then, of two points, the way from one to the other is off by a
/// vector no longer than x. Boxes and slabs: along a direction of length at most 1.01 that is at most 1.01 x, which is
/// added to `error_walk` (where that is split among two parts, the parts' weights sum up to 1 or more). Triangles: any
/// difference of two corners is off by at most x in each coordinate if they are of different bodies, and by 2 x if they
/// are of the same one; the traversal's bound of all such differences (`LeafPair::delta`) has 2.01 `centre_error`. Its
/// signs are certain for any differences within that bound: so two triangles that it proves apart, or to cross, are
/// apart, or cross, wherever they are within the error.
bool widen(body::TreeFrame& f, const body::WideTree& a, double error) {
  const double x = std::ldexp(error, -a.frame.exponent) * (1 + 0x1p-20) + 0x1p-100;  // also if ldexp underflows
  if (!(x <= 1)) return false;
  f.error_walk = static_cast<float>((f.error_walk + 1.01 * x) * (1 + 0x1p-20));
  f.centre_error = static_cast<float>((f.centre_error + x) * (1 + 0x1p-20));
  return true;
}

/// Ends the traversal at the first two triangles that touch.
class FirstTouch final : public PairReceiver {
 public:
  FirstTouch(const body::BodyData& a, const body::BodyData& b, const math::RelativePlacement& placement, double error)
      : a_(a), b_(b), placement_(placement), points_(placement, counters), error_(error) {
    limits = core::current_limits();
  }

  void crossing(std::uint32_t, std::uint32_t) override { end(Touch::touching); }

  void undecided(std::uint32_t item_a, std::uint32_t item_b) override {
    const std::uint32_t ta = a_.tree.triangle(item_a), tb = b_.tree.triangle(item_b);
    std::array<Vec3, 3> a, b;
    double rounded = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      a[k] = a_.corner(ta, k);
      const Vec3& x = b_.corner(tb, k);
      b[k] = placement_.place(x);
      rounded = std::max(rounded, placement_.error(x));
    }
    // Where the poses put them, the triangles are farther apart than the error.
    if (prim::planes_separate(a, b, rounded, error_)) return;
    if (++exact_ > most_exact) return end(Touch::open);
    points_.clear();
    for (std::size_t k = 0; k < 3; ++k) points_.add_a(a[k]);
    for (std::size_t k = 0; k < 3; ++k) points_.add_b(b_.corner(tb, k));
    if (prim::triangle_triangle(points_) != prim::TriangleContact::none) return end(Touch::touching);
    if (error_ == 0) return;  // that was the exact answer
    const prim::ClosestPair c = prim::closest_triangle_triangle(a, b);
    if (!(prim::separation(a, b, c.b - c.a, rounded) > error_) &&
        !(prim::separation(a, b, prim::across_parts(a, b, c), rounded) > error_))
      found = Touch::open;  // another pair may touch
  }

  Touch found = Touch::apart;

 private:
  static constexpr int most_exact = 64;

  void end(Touch touch) {
    found = touch;
    done = true;
  }

  const body::BodyData& a_;
  const body::BodyData& b_;
  const math::RelativePlacement& placement_;
  math::PlacedPoints points_;
  double error_;
  int exact_ = 0;
};

}  // namespace

Touch touch_within(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b,
                   double error, Counters& counters) {
  const math::RelativePlacement placement(pose_a, pose_b);
  body::TreeFrame frame(placement, a.tree, b.tree);
  if (!frame.usable || !widen(frame, a.tree, error)) return Touch::open;
  Touch found = Touch::open;
  walk(
      a.tree, b.tree, false, frame, 1, [&] { return FirstTouch(a, b, placement, error); },
      [&](FirstTouch& receiver) {
        counters += receiver.counters;
        if (receiver.limits && receiver.limits->cut()) throw core::Stopped();
        found = receiver.found;
      });
  return found;
}

}  // namespace graze::engine::collide
