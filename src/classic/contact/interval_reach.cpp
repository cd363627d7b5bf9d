// SPDX-License-Identifier: MIT
#include "classic/contact/interval_reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/vectors.hpp"

namespace graze::classic::contact {

namespace {

using math::turned;

double size_of(const Vec3& v) { return std::sqrt(dot(v, v)); }

}  // namespace

/// One part: at most eight corners, as fixed points (of a body that does not rotate) or as circles about its axis.
class IntervalReach::Swept {
 public:
  Swept(const Turning& body, const Part& part) : body_(body), count_(part.profile ? 2 : part.corners.size()) {
    if (part.profile) {  // two circles: the largest one at both ends
      z_[0] = part.profile->low;
      z_[1] = part.profile->high;
      r_[0] = r_[1] = part.profile->far;
      centre_ = (0.5 * (z_[0] + z_[1])) * body.axis;
      size_ = part.profile->size;
      return;
    }
    const std::span<const Vec3> corners = part.corners;
    for (std::size_t k = 0; k < count_; ++k) {
      const Vec3& y = corners[k];
      size_ = std::max(size_, size_of(y));
      if (body.turns) {
        z_[k] = dot(body.local_axis, y);
        r_[k] = size_of(y - z_[k] * body.local_axis);
        centre_ = centre_ + (z_[k] / static_cast<double>(count_)) * body.axis;
      } else {
        y_[k] = turned(body.r, y);
        centre_ = centre_ + y_[k] * (1 / static_cast<double>(count_));
      }
    }
  }

  /// The largest coordinate of a corner along the unit vector n, relative to o + t v.
  double top(const Vec3& n) const {
    double highest = -std::numeric_limits<double>::infinity();
    if (body_.turns) {
      const double along = dot(n, body_.axis), across = size_of(n - along * body_.axis);
      for (std::size_t k = 0; k < count_; ++k) highest = std::max(highest, along * z_[k] + across * r_[k]);
    } else {
      for (std::size_t k = 0; k < count_; ++k) highest = std::max(highest, dot(n, y_[k]));
    }
    return highest;
  }

  /// Approximately the centre of all positions of its corners, relative to o + t v.
  const Vec3& centre() const { return centre_; }
  double size() const { return size_; }

 private:
  const Turning& body_;
  std::size_t count_;
  std::array<double, 8> z_, r_;
  std::array<Vec3, 8> y_;
  Vec3 centre_;
  double size_ = 0;
};

IntervalReach::IntervalReach(const motion::Path& a, const motion::Path& b, const IntervalScene& scene)
    : scene_(scene), known_(a.kinematic() && b.kinematic() && a.bounds().twist && b.bounds().twist) {
  if (!known_) return;
  a_ = turning(a);
  b_ = turning(b);
  known_ = a_.axis_known && b_.axis_known && (a_.turns || b_.turns);
}

IntervalReach::Turning IntervalReach::turning(const motion::Path& path) const {
  const motion::Instant now = path.at(0, scene_.origin());
  Turning body;
  body.r = now.r;
  body.o = now.o * scene_.scale();
  body.v = now.v * scene_.scale();
  const double w = size_of(now.w);
  body.turns = path.bounds().turn_speed > 0;
  body.axis_known = !body.turns || w > 0x1p-300;
  if (!body.turns || !body.axis_known) return body;
  body.axis = now.w * (1 / w);
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    body.local_axis[k] = now.r[i] * body.axis.x + now.r[3 + i] * body.axis.y + now.r[6 + i] * body.axis.z;
  }
  return body;
}

std::array<Vec3, 8> IntervalReach::corners(const IntervalBox& box) {
  std::array<Vec3, 8> c;
  for (unsigned k = 0; k < 8; ++k)
    c[k] = box.centre + (k & 1 ? box.half.x : -box.half.x) * box.axis[0] +
           (k & 2 ? box.half.y : -box.half.y) * box.axis[1] + (k & 4 ? box.half.z : -box.half.z) * box.axis[2];
  return c;
}

void IntervalReach::Profile::add(const Profile& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  far = std::max(far, other.far);
  size = std::max(size, other.size);
}

IntervalReach::Profile IntervalReach::profile(bool of_b, std::span<const Vec3> corners) const {
  const Vec3& axis = (of_b ? b_ : a_).local_axis;
  Profile p;
  for (const Vec3& y : corners) {
    const double z = dot(axis, y);
    p.add({z, z, size_of(y - z * axis), size_of(y)});
  }
  return p;
}

bool IntervalReach::apart(const Part& part_a, const Part& part_b, double lo, double hi) const {
  const Swept a(a_, part_a), b(b_, part_b);
  const Vec3 from = b_.o - a_.o + (b_.v - a_.v) * lo, to = b_.o - a_.o + (b_.v - a_.v) * hi;
  // Corners of boxes are accurate to 2^-46 of their sizes, the axes to 2^-48, and no sum below has more than 32 terms;
  // the difference of the exact positions from these twists is the scene's rounding bound.
  const double sizes = size_of(a_.o) + size_of(b_.o) + size_of(a_.v) + size_of(b_.v) + 2 * (a.size() + b.size());
  const double keep = (scene_.tolerance + scene_.rounding + 0x1p-42 * sizes) * (1 + 0x1p-40);
  const Vec3 line = 0.5 * (from + to) + b.centre() - a.centre();
  const auto by = [&](Vec3 n) {
    const double size = size_of(n);
    if (!(size > 0x1p-400)) return false;
    n = n * ((dot(n, line) < 0 ? -1 : 1) / size);
    const double heights = a.top(n) + b.top(-n) + keep;
    return dot(n, from) > heights && dot(n, to) > heights;
  };
  if (by(line)) return true;
  for (const Turning* body : {&a_, &b_})
    if (body->turns && (by(line - dot(line, body->axis) * body->axis) || by(body->axis))) return true;
  if (a_.turns && b_.turns) return by(cross(a_.axis, b_.axis));
  // One body is at rest or only translates. Try the axes of its box; or, for a triangle, the directions in which it may
  // face a circle about the other's axis: its plane, its corners, and its edges.
  const Turning &still = a_.turns ? b_ : a_, &other = a_.turns ? a_ : b_;
  const std::span<const Vec3> c = a_.turns ? part_b.corners : part_a.corners;
  const Vec3 x = turned(still.r, c[1] - c[0]), y = turned(still.r, c[2] - c[0]);
  if (c.size() > 3) return by(x) || by(y) || by(turned(still.r, c[4] - c[0]));
  if (by(cross(x, y))) return true;
  const Vec3 middle = (a_.turns ? 0.5 : -0.5) * (from + to);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 corner = turned(still.r, c[k]) + middle;
    if (by(corner - dot(corner, other.axis) * other.axis)) return true;
    if (by(cross(turned(still.r, c[(k + 1) % 3] - c[k]), other.axis))) return true;
  }
  return false;
}

}  // namespace graze::classic::contact
