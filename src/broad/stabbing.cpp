// SPDX-License-Identifier: MIT
#include "broad/stabbing.hpp"

#include <algorithm>
#include <cmath>

#include "math/vectors.hpp"

namespace graze::broad {
namespace {

using math::infinity;

struct Span {
  double lo = infinity, hi = -infinity;
  void add(double x) {
    lo = std::min(lo, x);
    hi = std::max(hi, x);
  }
};

/// A tilted box in units of cells, with its axes permuted so that columns run along the last one, and the columns of
/// its range.
class Columns {
 public:
  Columns(const CellMap& map, const CellRange& range, const TiltedBox& box) {
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
      if (range.hi[k] - range.lo[k] > range.hi[longest] - range.lo[longest]) longest = k;
    }
    for (int k = 0; k < 3; ++k) axis_[k] = (longest + 1 + k) % 3;
    double size = 1;
    for (int k = 0; k < 3; ++k) {
      const int from = axis_[k];
      corner_[k] = (box.corner[from] - map.origin[from]) * map.per_side[from];
      size += std::abs(corner_[k]);
      for (int e = 0; e < 3; ++e) {
        edge_[e][k] = box.edges[e][from] * map.per_side[from];
        size += std::abs(edge_[e][k]);
      }
      first_[k] = range.lo[from];
      count_[k] = range.hi[from] - range.lo[from] + 1;
    }
    // The map and the following steps round a few times; each result is off by a few units of 2^-53 of the largest
    // number here.
    error_ = 0x1p-44 * size;
    spans_.resize(static_cast<std::size_t>(count_[0]) * count_[1]);
  }

  bool usable() const { return std::isfinite(error_) && error_ < 0x1p-10 && find_sides(nullptr); }

  void follow_edges() {
    for (int e = 0; e < 3; ++e) {
      for (int corner = 0; corner < 4; ++corner) {
        Vec3 from = corner_;
        if ((corner & 1) != 0) from = from + edge_[(e + 1) % 3];
        if ((corner & 2) != 0) from = from + edge_[(e + 2) % 3];
        follow(from, edge_[e]);
      }
    }
  }

  void shoot_rays() {
    Vec3 sides[3];
    find_sides(sides);
    for (int i = 0; i <= count_[0]; ++i) {
      for (int j = 0; j <= count_[1]; ++j) shoot(sides, i, j);
    }
  }

  void list(std::vector<CellAt>& cells) const {
    for (int i = 0; i < count_[0]; ++i) {
      for (int j = 0; j < count_[1]; ++j) {
        const Span& span = spans_[static_cast<std::size_t>(i) * count_[1] + j];
        if (!(span.lo <= span.hi)) continue;
        const double last = static_cast<double>(first_[2]) + count_[2] - 1;
        const auto from = static_cast<std::int32_t>(std::clamp<double>(std::floor(span.lo - error_), first_[2], last));
        const auto to = static_cast<std::int32_t>(std::clamp<double>(std::floor(span.hi + error_), first_[2], last));
        for (std::int32_t z = from; z <= to; ++z) {
          CellAt at;
          at[axis_[0]] = first_[0] + i;
          at[axis_[1]] = first_[1] + j;
          at[axis_[2]] = z;
          cells.push_back(at);
        }
      }
    }
    std::sort(cells.begin(), cells.end());
  }

 private:
  void add(int i, int j, const Span& span) {
    if (i < 0 || j < 0 || i >= count_[0] || j >= count_[1] || !(span.lo <= span.hi)) return;
    Span& own = spans_[static_cast<std::size_t>(i) * count_[1] + j];
    own.add(span.lo);
    own.add(span.hi);
  }

  /// Clips [t0, t1] to the part in which from + t direction is in column `index` (counted from the first one) along
  /// axis k, widened by the error.
  bool clip(double from, double direction, int k, int index, double& t0, double& t1) const {
    const double lo = first_[k] + index - 2 * error_ - from, hi = first_[k] + index + 1 + 2 * error_ - from;
    if (std::abs(direction) < error_) return lo <= error_ && hi >= -error_;  // constant within the error
    const double a = std::min(lo / direction, hi / direction), b = std::max(lo / direction, hi / direction);
    t0 = std::max(t0, a - 0x1p-50 * std::abs(a));
    t1 = std::min(t1, b + 0x1p-50 * std::abs(b));
    return t0 <= t1;
  }

  int index(double x, int k, int last) const {
    return static_cast<int>(std::clamp<double>(std::floor(x) - first_[k], -1, last));
  }

  void follow(const Vec3& from, const Vec3& direction) {
    const double u0 = std::min(from.x, from.x + direction.x), u1 = std::max(from.x, from.x + direction.x);
    for (int i = index(u0 - 4 * error_, 0, count_[0]); i <= index(u1 + 4 * error_, 0, count_[0]); ++i) {
      double t0 = 0, t1 = 1;
      if (!clip(from.x, direction.x, 0, i, t0, t1)) continue;
      const double v0 = from.y + direction.y * (direction.y > 0 ? t0 : t1),
                   v1 = from.y + direction.y * (direction.y > 0 ? t1 : t0);
      for (int j = index(v0 - 4 * error_, 1, count_[1]); j <= index(v1 + 4 * error_, 1, count_[1]); ++j) {
        double s0 = t0, s1 = t1;
        if (!clip(from.y, direction.y, 1, j, s0, s1)) continue;
        Span span;
        span.add(from.z + direction.z * s0);
        span.add(from.z + direction.z * s1);
        add(i, j, span);
      }
    }
  }

  /// Vectors n with 0 <= n . (x - corner) <= 1 in the box, one for each pair of sides. False if the box is nearly flat,
  /// where they would be too inaccurate.
  bool find_sides(Vec3* sides) const {
    const double volume = dot(edge_[0], cross(edge_[1], edge_[2]));
    const double product = length(edge_[0]) * length(edge_[1]) * length(edge_[2]);
    if (!(std::abs(volume) >= 0x1p-10 * product) || !(std::abs(volume) > 1e-30)) return false;
    if (sides == nullptr) return true;
    for (int e = 0; e < 3; ++e) sides[e] = cross(edge_[(e + 1) % 3], edge_[(e + 2) % 3]) * (1 / volume);
    return true;
  }

  /// The part of the line along the columns through their corner (i, j) that is in the box. The line is widened by the
  /// error. A constraint that is too uncertain to use is omitted, which only makes the stick longer.
  void shoot(const Vec3 (&sides)[3], int i, int j) {
    const double u = first_[0] + i - corner_.x, v = first_[1] + j - corner_.y;
    const double deep = std::abs(edge_[0].z) + std::abs(edge_[1].z) + std::abs(edge_[2].z);
    double from = -deep - 1, to = deep + 1;  // relative to the corner
    for (const Vec3& n : sides) {
      const double at = n.x * u + n.y * v;
      const double unsure = 3 * error_ * (std::abs(n.x) + std::abs(n.y) + std::abs(n.z)) +
                            0x1p-36 * (1 + std::abs(n.x * u) + std::abs(n.y * v) + std::abs(n.z) * (deep + 1));
      const double lo = -at - unsure, hi = 1 - at + unsure;
      if (std::abs(n.z) * (deep + 1) <= unsure) {
        if (lo > unsure || hi < -unsure) return;  // this line misses the box: it is outside this pair of sides
        continue;
      }
      const double a = lo / n.z, b = hi / n.z;
      from = std::max(from, std::min(a, b) - error_);
      to = std::min(to, std::max(a, b) + error_);
    }
    if (!(from <= to)) return;
    Span span;
    span.add(corner_.z + from);
    span.add(corner_.z + to);
    for (int di = -1; di <= 0; ++di) {
      for (int dj = -1; dj <= 0; ++dj) add(i + di, j + dj, span);
    }
  }

  int axis_[3];
  Vec3 corner_, edge_[3];
  std::int32_t first_[3], count_[3];
  double error_ = 0;
  std::vector<Span> spans_;
};

}  // namespace

bool stab(const CellMap& map, const CellRange& range, const TiltedBox& box, std::vector<CellAt>& cells) {
  cells.clear();
  for (int k = 0; k < 3; ++k) {
    if (range.lo[k] <= map.least[k] || range.hi[k] >= map.most[k]) return false;
  }
  Columns columns(map, range, box);
  if (!columns.usable()) return false;
  columns.follow_edges();
  columns.shoot_rays();
  columns.list(cells);
  return !cells.empty();
}

}  // namespace graze::broad
