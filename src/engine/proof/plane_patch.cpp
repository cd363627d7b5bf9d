// SPDX-License-Identifier: MIT
#include "engine/proof/plane_patch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/limits.hpp"
#include "engine/deform/patches/planar_tests.hpp"

namespace graze::engine::proof {

using deform::ContourEdge;
using deform::PlanePoint;

namespace {

double turn_between(const PlanePoint& o, const PlanePoint& a, int end_a, const PlanePoint& b, int end_b) {
  return (a.x[end_a] - o.x[end_a]) * (b.y[end_b] - o.y[end_b]) - (a.y[end_a] - o.y[end_a]) * (b.x[end_b] - o.x[end_b]);
}

/// The largest coordinate of a direction becomes 1 or -1, the others multiples of 1/64: few digits in the certificate.
Vec3 short_direction(const Vec3& c) {
  const double largest = std::max({std::fabs(c.x), std::fabs(c.y), std::fabs(c.z)});
  const auto rounded = [&](double x) { return std::round(64 * (x / largest)) / 64; };
  return {rounded(c.x), rounded(c.y), rounded(c.z)};
}

}  // namespace

PlanePatch::PlanePatch(std::span<const Triangle> triangles, std::array<std::span<const Vec3>, 2> place, double error)
    : triangles_(triangles),
      place_(place),
      error_of_coordinate_(error),
      seen_(place[0].size(), 0),
      points_(place[0].size()),
      edge_from_(place[0].size(), 0) {}

bool PlanePatch::touch(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second) {
  ++question_;
  for (const std::uint32_t t : first)
    for (const std::uint32_t v : triangles_[t]) seen_[v] = question_;
  return std::any_of(second.begin(), second.end(), [&](std::uint32_t t) {
    const Triangle& x = triangles_[t];
    return seen_[x[0]] == question_ || seen_[x[1]] == question_ || seen_[x[2]] == question_;
  });
}

std::optional<Vec3> PlanePatch::direction(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                                          const deform::ContinuousCone& cone) {
  if (!cone.is_narrow()) return std::nullopt;
  patch_.assign(first.begin(), first.end());
  patch_.insert(patch_.end(), second.begin(), second.end());
  const Vec3 centre{cone.centre[0], cone.centre[1], cone.centre[2]};
  for (const Vec3& along : {short_direction(centre), centre})
    if (project(along) && areas_stay_positive())
      return find_boundary() && boundary_stays_simple() && winds_once() ? std::optional(along) : std::nullopt;
  return std::nullopt;
}

/// To the coordinates of docs/certificates.md, relative to one of the vertices.
bool PlanePatch::project(const Vec3& along) {
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(along[i]) > std::fabs(along[k])) k = i;
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  const Vec3 origin = place_[0][triangles_[patch_[0]][0]];
  double size = 0;
  ++question_;
  for (const std::uint32_t t : patch_)
    for (const std::uint32_t v : triangles_[t]) {
      if (std::exchange(seen_[v], question_) == question_) continue;
      for (std::size_t end = 0; end < 2; ++end) {
        const Vec3 p = place_[end][v] - origin;
        size = std::max({size, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
        const double u = p[a] * along[k] - p[k] * along[a], w = p[b] * along[k] - p[k] * along[b];
        points_[v].x[end] = along[k] > 0 ? u : w;
        points_[v].y[end] = along[k] > 0 ? w : u;
      }
    }
  if (!(size > 1e-130 && size < 1e130)) return false;
  // The coordinates of `along` are at most 2 in magnitude (its cone's centre lies within 2). A difference from the
  // origin is off by one rounding and the error of both its points, a product of it by another rounding, so a plane
  // coordinate, which is at most 4 sizes, by less than 20 roundings of the size and 8 times the error.
  off_ = 32 * 0x1p-53 * size + 8 * error_of_coordinate_;
  // A difference of two plane coordinates is at most 8 sizes, and off by 3 times that. So a product of two, and a sum
  // of four products, is off by less than 4 x 2 x 8 x 3 sizes times that, with its own roundings less than twice this.
  error_ = 512 * size * off_ + 1e-290;
  return std::isfinite(error_);
}

bool PlanePatch::areas_stay_positive() const {
  return std::all_of(patch_.begin(), patch_.end(), [&](std::uint32_t t) {
    const Triangle& x = triangles_[t];
    const auto mixed = [&](int i, int j) { return turn_between(points_[x[0]], points_[x[1]], i, points_[x[2]], j); };
    return mixed(0, 0) > error_ && mixed(0, 1) + mixed(1, 0) > error_ && mixed(1, 1) > error_;
  });
}

/// The sides without a partner. False: one has several, or two loops meet in a vertex.
bool PlanePatch::find_boundary() {
  sides_.clear();
  edges_.clear();
  for (const std::uint32_t t : patch_)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = triangles_[t][k], to = triangles_[t][(k + 1) % 3];
      sides_.push_back({std::min(from, to), std::max(from, to), from < to});
    }
  std::sort(sides_.begin(), sides_.end(), [](const Side& a, const Side& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.leaves < b.leaves;
  });
  ++question_;
  for (std::size_t i = 0; i < sides_.size();) {
    const Side& s = sides_[i];
    std::size_t next = i + 1;
    while (next < sides_.size() && sides_[next].low == s.low && sides_[next].high == s.high) ++next;
    if (next - i > 2 || (next - i == 2 && sides_[i + 1].leaves == s.leaves)) return false;
    if (next - i == 1) {
      ContourEdge e{};
      e.vertices[0] = s.leaves ? s.low : s.high;
      e.vertices[1] = s.leaves ? s.high : s.low;
      e.from = points_[e.vertices[0]];
      e.to = points_[e.vertices[1]];
      for (int end = 0; end < 2; ++end) {
        const double x[2] = {e.from.x[end], e.to.x[end]}, y[2] = {e.from.y[end], e.to.y[end]};
        e.lo[end][0] = std::min(x[0], x[1]), e.hi[end][0] = std::max(x[0], x[1]);
        e.lo[end][1] = std::min(y[0], y[1]), e.hi[end][1] = std::max(y[0], y[1]);
      }
      if (std::exchange(seen_[e.vertices[0]], question_) == question_) return false;
      edge_from_[e.vertices[0]] = static_cast<std::uint32_t>(edges_.size());
      edges_.push_back(e);
    }
    i = next;
  }
  return !edges_.empty();
}

bool PlanePatch::stay_apart(const ContourEdge& a, const ContourEdge& b) const {
  if (a.vertices[1] == b.vertices[0]) return deform::never_fold(a.to, a.from, b.to, error_);
  if (b.vertices[1] == a.vertices[0]) return deform::never_fold(b.to, b.from, a.to, error_);
  for (int k = 0; k < 2; ++k)
    if ((b.lo[0][k] - a.hi[0][k] > 8 * off_ && b.lo[1][k] - a.hi[1][k] > 8 * off_) ||
        (a.lo[0][k] - b.hi[0][k] > 8 * off_ && a.lo[1][k] - b.hi[1][k] > 8 * off_))
      return true;
  return deform::never_meet(a.from, a.to, b.from, b.to, error_);
}

bool PlanePatch::boundary_stays_simple() {
  // Along the axis in which the whole is longer; a sweep along it.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[2] = {infinity, infinity}, high[2] = {-infinity, -infinity};
  for (const ContourEdge& e : edges_)
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min({low[k], e.lo[0][k], e.lo[1][k]});
      high[k] = std::max({high[k], e.hi[0][k], e.hi[1][k]});
    }
  const int sweep = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
  for (ContourEdge& e : edges_) {
    e.sweep_lo = std::min(e.lo[0][sweep], e.lo[1][sweep]);
    e.sweep_hi = std::max(e.hi[0][sweep], e.hi[1][sweep]);
  }
  std::vector<std::uint32_t> order(edges_.size()), open;
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return edges_[a].sweep_lo != edges_[b].sweep_lo ? edges_[a].sweep_lo < edges_[b].sweep_lo : a < b;
  });
  // Too many pairs are as much work as parts of the patch, for which they are fewer.
  std::size_t left = 64 * patch_.size() + 4096;
  core::Poll poll;
  for (const std::uint32_t i : order) {
    poll.rarely();
    std::erase_if(open, [&](std::uint32_t j) { return edges_[i].sweep_lo - edges_[j].sweep_hi > 8 * off_; });
    if (open.size() > left) return false;
    left -= open.size();
    for (const std::uint32_t j : open)
      if (!stay_apart(edges_[j], edges_[i])) return false;
    open.push_back(i);
  }
  return true;
}

/// Beside each loop, the others wind 0 times around it if it runs anticlockwise, else once.
bool PlanePatch::winds_once() const {
  const auto next = [&](std::size_t e) { return std::size_t{edge_from_[edges_[e].vertices[1]]}; };
  std::vector<std::uint32_t> loop(edges_.size(), 0);
  std::vector<std::size_t> firsts;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    if (loop[i] != 0) continue;
    firsts.push_back(i);
    for (std::size_t j = i; loop[j] == 0; j = next(j)) loop[j] = static_cast<std::uint32_t>(firsts.size());
  }
  if (firsts.size() > 64) return false;  // each is compared with all others
  for (const std::size_t first : firsts) {
    double area = 0, sizes = 0;
    int others = 0;
    const PlanePoint& p = edges_[first].from;
    for (std::size_t j = 0; j < edges_.size(); ++j) {
      const ContourEdge& e = edges_[j];
      const double side = turn_between(p, e.from, 0, e.to, 0);  // positive: p is on the left
      if (loop[j] == loop[first]) {
        area += side;
        sizes += std::fabs(side) + error_;
        continue;
      }
      const double u = e.from.y[0] - p.y[0], w = e.to.y[0] - p.y[0];
      if (!(std::fabs(u) > 4 * off_) || !(std::fabs(w) > 4 * off_)) return false;
      if ((u > 0) == (w > 0)) continue;
      if (!(std::fabs(side) > error_)) return false;
      if ((side > 0) == (w > 0)) others += w > 0 ? 1 : -1;
    }
    if (!(std::fabs(area) >
          error_ * static_cast<double>(edges_.size()) + 0x1p-52 * static_cast<double>(edges_.size()) * sizes))
      return false;
    if (others != (area > 0 ? 0 : 1)) return false;
  }
  return true;
}

}  // namespace graze::engine::proof
