// SPDX-License-Identifier: MIT
#include "prim/convex/points.hpp"

#include <bit>
#include <limits>

#include <graze/math/box3.hpp>

#include "core/portability.hpp"
#include "math/vectors.hpp"
#include "prim/convex/simplex.hpp"

namespace graze::prim {

namespace {

using math::norm;

constexpr double unit = 0x1p-53;  // half a unit in the last place of 1

/// A coordinate from which every coordinate in [lo, hi] has an exact difference: by Sterbenz's lemma one between them
/// if they are within a factor of two of each other, else 0.
double exact_centre(double lo, double hi) {
  const bool near = (lo > 0 && hi * 0.5 <= lo) || (hi < 0 && lo * 0.5 >= hi);
  return near ? lo * 0.5 + hi * 0.5 : 0;
}

}  // namespace

ConvexPoints::ConvexPoints(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 2>> edges)
    : count_(static_cast<std::uint32_t>(points.size())), small_(points.size() <= scan_limit) {
  place(points);
  connect(edges);
  // A scan compares rounded products: each is off by at most 3.01 units times |n| |x|, and two of them are compared.
  for (std::uint32_t v = 0; v < count_; ++v) points_[v].slack = small_ ? 6.1 * unit * radius_ : climbing_slack(v);
  if (!small_) fill_table();
}

void ConvexPoints::place(std::span<const Vec3> points) {
  Box3 box;
  for (const Vec3& p : points) box.add(p);
  for (int i = 0; i < 3; ++i) centre_[i] = exact_centre(box.lo[i], box.hi[i]);
  for (const Vec3& p : points) middle_ = middle_ + (p - centre_) * (1 / static_cast<double>(points.size()));
  row_ = (points.size() + 3) / 4 * 4;
  rows_.resize(3 * row_);
  for (std::size_t i = 0; i < row_; ++i) {
    const Vec3 p = points[i < points.size() ? i : 0] - centre_;  // the padding repeats the first point
    for (int k = 0; k < 3; ++k) rows_[static_cast<std::size_t>(k) * row_ + i] = p[k];
    if (i >= points.size()) continue;
    points_.push_back({p.x, p.y, p.z, 0});
    radius_ = std::max(radius_, norm(p) * (1 + 8 * unit));
    outer_radius_ = std::max(outer_radius_, norm(p - middle_) * (1 + 16 * unit));
  }
}

void ConvexPoints::connect(std::span<const std::array<std::uint32_t, 2>> edges) {
  first_.assign(count_ + 1, 0);
  for (const auto& [a, b] : edges) {
    ++first_[a + 1];
    ++first_[b + 1];
  }
  for (std::uint32_t i = 0; i < count_; ++i) first_[i + 1] += first_[i];
  neighbours_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const auto& [a, b] : edges) {
    neighbours_[next[a]++] = b;
    neighbours_[next[b]++] = a;
  }
  for (std::uint32_t i = 0; i < count_; ++i)
    std::sort(neighbours_.begin() + first_[i], neighbours_.begin() + first_[i + 1]);
}

/// The error bound of hill climbing. It ends at v where every computed n . (u - v) over the neighbours u is at most 0;
/// the true value is then at most e |n| |u - v| with e = 4.01 units. The body lies in the cone of v's edges: x - v =
/// sum of l_u (u - v) with l_u >= 0. For any g whose angle with every edge is acute, the cosine at least c > 0,
///   c |g| sum l_u |u - v| <= sum l_u g . (u - v) = g . (x - v) <= |g| |x - v|,
/// so
///   n . (x - v) <= e |n| |x - v| / c.
/// The best g is the point nearest to the origin of the convex hull of the edges' directions (of unit length), and c
/// its length: a small instance of the problem that these points are used for.
double ConvexPoints::climbing_slack(std::uint32_t v) const {
  std::vector<Vec3> directions;
  for (const std::uint32_t u : neighbours(v)) {
    const Vec3 d = (*this)[u] - (*this)[v];
    directions.push_back(d * (1 / norm(d)));
  }
  const auto lowest = [&](const Vec3& g) {
    return std::min_element(directions.begin(), directions.end(),
                            [&](const Vec3& x, const Vec3& y) { return dot(g, x) < dot(g, y); });
  };
  ConvexSimplex simplex;
  Vec3 g = directions.front();
  double best = 0;
  for (int step = 0; step < 100; ++step) {
    const auto worst = lowest(g);
    best = std::max(best, dot(g, *worst) / norm(g));
    const auto id = static_cast<std::uint32_t>(worst - directions.begin());
    if (simplex.holds(id, id)) break;
    simplex.add(*worst, id, id);
    const NearestPoint p = nearest_to_origin(simplex);
    if (p.inside || !(p.squared > 0)) break;
    g = p.v;
  }
  best -= 16 * unit;  // directions, g and the products are rounded
  if (!(best > 0)) return std::numeric_limits<double>::infinity();
  return 4.1 * unit * 2 * radius_ / best;
}

void ConvexPoints::fill_table() {
  int side = 8;
  while (side < 128 && side * side < 2 * static_cast<int>(std::min<std::uint32_t>(count_, 1u << 20))) side *= 2;
  cells_ = side * 0.5;
  table_.resize(static_cast<std::size_t>(side * side));
  std::uint32_t last = 0;
  for (int i = 0; i < side; ++i)
    for (int k = 0; k < side; ++k) {
      const int j = i % 2 == 0 ? k : side - 1 - k;  // alternate the direction of rows, so that the last answer is near
      double u = (i + 0.5) / cells_ - 1, v = (j + 0.5) / cells_ - 1;
      const double z = 1 - std::fabs(u) - std::fabs(v);
      if (z < 0) {
        const double fold = u;
        u = std::copysign(1 - std::fabs(v), u);
        v = std::copysign(1 - std::fabs(fold), v);
      }
      last = climb({u, v, z}, last);
      table_[static_cast<std::size_t>(i * side + j)] = last;
    }
}

std::uint32_t ConvexPoints::scan(const Vec3& n) const {
  const double *x = rows_.data(), *y = x + row_, *z = y + row_;
  using core::lanes::Double2;
  // Two passes without a data-dependent branch: the largest product, then the first corner that has it.
  const Double2 nx = core::lanes::splat(n.x), ny = core::lanes::splat(n.y), nz = core::lanes::splat(n.z);
  alignas(16) double along[(scan_limit + 3) / 4 * 4];
  Double2 most0 = core::lanes::splat(-std::numeric_limits<double>::infinity()), most1 = most0;
  const auto product = [&](std::size_t i) {
    return nx * core::lanes::load(x + i) + ny * core::lanes::load(y + i) + nz * core::lanes::load(z + i);
  };
  for (std::size_t i = 0; i < row_; i += 4) {
    const Double2 p = product(i), q = product(i + 2);
    store(p, along + i);
    store(q, along + i + 2);
    most0 = max(p, most0);
    most1 = max(q, most1);
  }
  most0 = max(most0, most1);
  most0 = max(most0, exchange(most0));
  std::uint64_t equal = 0;
  for (std::size_t i = 0; i < row_; i += 2)
    equal |= static_cast<std::uint64_t>(equal_bits(core::lanes::load(along + i), most0)) << i;
  return equal == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(equal));
}

std::uint32_t ConvexPoints::climb(const Vec3& n, std::uint32_t start) const {
  // Rounding could lead to a cycle of equally distant corners; a climb without a cycle takes at most as many steps as
  // there are corners.
  std::uint32_t v = start;
  for (std::uint32_t guard = 0; guard <= count_; ++guard) {
    const Corner& here = points_[v];
    std::uint32_t best = v;
    double most = 0;
    for (std::uint32_t k = first_[v], end = first_[v + 1]; k < end; ++k) {
      const Corner& p = points_[neighbours_[k]];
      const double rise = n.x * (p.x - here.x) + n.y * (p.y - here.y) + n.z * (p.z - here.z);
      best = rise > most ? neighbours_[k] : best;
      most = rise > most ? rise : most;
    }
    if (best == v) return v;
    v = best;
  }
  return scan_all(n);
}

/// Climbing entered a cycle: scan all corners and return the best one; its slack also covers the rounding of the scan.
std::uint32_t ConvexPoints::scan_all(const Vec3& n) const {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < count_; ++i)
    if (dot(n, (*this)[i]) > dot(n, (*this)[best])) best = i;
  return best;
}

std::size_t ConvexPoints::bytes() const {
  return points_.size() * sizeof(Corner) + rows_.size() * sizeof(double) +
         (first_.size() + neighbours_.size() + table_.size()) * sizeof(std::uint32_t);
}

}  // namespace graze::prim
