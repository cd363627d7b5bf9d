// SPDX-License-Identifier: MIT
#include "prim/triangle_box.hpp"

#include <algorithm>

#include <graze/math/interval.hpp>

#include "math/dyadic.hpp"

namespace graze::prim {

namespace {

using math::Dyadic;

constexpr int not_sure = 2;

int sign(const Interval& x) { return x.lo > 0 ? 1 : x.hi < 0 ? -1 : x.lo == 0 && x.hi == 0 ? 0 : not_sure; }
int sign(const Dyadic& x) { return x.sign(); }

/// The point c / w, with w > 0.
template <class N>
struct Homogeneous {
  N c[3];
  N w;
};

enum class Answer : unsigned char { apart, meets, meets_early, unsure };

template <class N>
class Clipper {
 public:
  using Point = Homogeneous<N>;

  Clipper(const std::array<Vec3, 3>& triangle, const Box3& box) {
    for (int i = 0; i < 3; ++i) {
      const N low(box.lo[i]), high(box.hi[i]);
      lo_[i] = low;
      hi_[i] = high;
    }
    for (const Vec3& p : triangle) {
      const Point point{{N(p.x), N(p.y), N(p.z)}, N(1.0)};
      polygon_[size_++] = point;
    }
  }

  Answer run() {
    for (int axis = 0; axis < 2; ++axis)
      for (const bool upper : {false, true}) {
        const Answer answer = clip(axis, upper);
        if (answer != Answer::meets) return answer;
      }
    return check_heights();
  }

 private:
  /// The distance inside the plane, times w.
  N inside(const Point& p, int axis, bool upper) const {
    return upper ? hi_[axis] * p.w - p.c[axis] : p.c[axis] - lo_[axis] * p.w;
  }

  /// Here `meets` means: the remaining polygon is not empty.
  Answer clip(int axis, bool upper) {
    N d[max];
    int s[max];
    for (int i = 0; i < size_; ++i) {
      d[i] = inside(polygon_[i], axis, upper);
      s[i] = sign(d[i]);
      if (s[i] == not_sure) return Answer::unsure;
    }
    Point left[max];
    int count = 0;
    for (int i = 0; i < size_; ++i) {
      const int j = i + 1 < size_ ? i + 1 : 0;
      if (s[i] >= 0) left[count++] = polygon_[i];
      if (s[i] * s[j] >= 0) continue;
      left[count] = s[i] > 0 ? cut(polygon_[i], d[i], polygon_[j], d[j]) : cut(polygon_[j], d[j], polygon_[i], d[i]);
      if (in_face(left[count++], axis)) return Answer::meets_early;
    }
    size_ = count;
    std::copy(left, left + count, polygon_);
    return count == 0 ? Answer::apart : Answer::meets;
  }

  /// The point between p (inside, dp > 0) and q (outside, dq < 0): both weights are positive.
  static Point cut(const Point& p, const N& dp, const Point& q, const N& dq) {
    Point x;
    for (int i = 0; i < 3; ++i) x.c[i] = q.c[i] * dp - p.c[i] * dq;
    x.w = q.w * dp - p.w * dq;
    return x;
  }

  /// Is a point on a plane of the box certainly in the box's face?
  bool in_face(const Point& p, int plane_axis) const {
    for (int axis = 0; axis < 3; ++axis)
      for (const bool upper : {false, true})
        if (axis != plane_axis) {
          const int s = sign(inside(p, axis, upper));
          if (s < 0 || s == not_sure) return false;
        }
    return true;
  }

  Answer check_heights() const {
    // Apart if all points are strictly above the box or all strictly below it.
    Answer answer = Answer::meets;
    for (const bool upper : {false, true}) {
      bool all_outside = true, some_unsure = false;
      for (int i = 0; i < size_; ++i) {
        const int s = sign(inside(polygon_[i], 2, upper));
        if (s == not_sure) some_unsure = true;
        if (s == 0 || s == 1) all_outside = false;
      }
      if (all_outside && !some_unsure) return Answer::apart;
      if (all_outside) answer = Answer::unsure;
    }
    return answer;
  }

  static constexpr int max = 8;  // three corners, and one more for each of the four planes
  N lo_[3], hi_[3];
  Point polygon_[max];
  int size_ = 0;
};

}  // namespace

bool triangle_box(const std::array<Vec3, 3>& triangle, const Box3& box, AllCounters& counters) {
  Box3 own;
  for (const Vec3& p : triangle) own.add(p);
  if (box.empty() || !own.overlaps(box)) {
    ++counters.box_clip_box_apart;
    return false;
  }
  if (std::any_of(triangle.begin(), triangle.end(), [&](const Vec3& p) { return box.contains(p); })) {
    ++counters.box_clip_vertex_inside;
    return true;
  }
  Box3 finite;  // the part of the box that the triangle can reach
  finite.lo = {std::max(box.lo.x, own.lo.x), std::max(box.lo.y, own.lo.y), std::max(box.lo.z, own.lo.z)};
  finite.hi = {std::min(box.hi.x, own.hi.x), std::min(box.hi.y, own.hi.y), std::min(box.hi.z, own.hi.z)};
  Answer answer = Clipper<Interval>(triangle, finite).run();
  if (answer == Answer::unsure) {
    ++counters.box_clip_exact;
    answer = Clipper<Dyadic>(triangle, finite).run();
  }
  ++(answer == Answer::meets_early ? counters.box_clip_point_inside : counters.box_clip_whole);
  return answer != Answer::apart;
}

}  // namespace graze::prim
