// SPDX-License-Identifier: MIT
#include "engine/deform/patches/contour_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/limits.hpp"
#include "engine/deform/patches/planar_tests.hpp"

namespace graze::engine::deform {

namespace {

/// Along which directions edges are bounded: x, y, x + y and x - y.
constexpr int directions = 4;
double along(int direction, double x, double y) {
  return direction == 0 ? x : direction == 1 ? y : direction == 2 ? x + y : x - y;
}

void set_bounds(ContourEdge& e) {
  for (int end = 0; end < 2; ++end) {
    const double x[2] = {e.from.x[end], e.to.x[end]}, y[2] = {e.from.y[end], e.to.y[end]};
    for (int k = 0; k < directions; ++k) {
      const double from = along(k, x[0], y[0]), to = along(k, x[1], y[1]);
      e.lo[end][k] = std::min(from, to);
      e.hi[end][k] = std::max(from, to);
    }
  }
}

/// Separated along a direction, on the same side at both ends, hence at all times.
bool bounds_apart(const ContourEdge& a, const ContourEdge& b, double slack) {
  for (int k = 0; k < directions; ++k)
    if ((b.lo[0][k] - a.hi[0][k] > slack && b.lo[1][k] - a.hi[1][k] > slack) ||
        (a.lo[0][k] - b.hi[0][k] > slack && a.lo[1][k] - b.hi[1][k] > slack))
      return true;
  return false;
}

/// The number of pairs of edges whose ranges along the sweep are not farther apart than `slack`. `order` is a scratch
/// buffer.
std::size_t overlapping_pairs(const std::vector<ContourEdge>& edges, double slack, std::vector<std::uint32_t>& order) {
  order.resize(edges.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return edges[a].sweep_lo < edges[b].sweep_lo; });
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto after = order.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const auto end = std::upper_bound(after, order.end(), edges[order[i]].sweep_hi + slack,
                                      [&](double x, std::uint32_t e) { return x < edges[e].sweep_lo; });
    pairs += static_cast<std::size_t>(end - after);
  }
  return pairs;
}

}  // namespace

void ContourTest::begin_step(std::size_t vertices) {
  if (points_.size() != vertices || std::max(number_, test_) > 1u << 31) {
    points_.resize(vertices);
    projected_.assign(vertices, 0);
    seen_.assign(vertices, 0);
    edge_from_.assign(vertices, 0);
    number_ = test_ = 0;
  }
  ++number_;
}

bool ContourTest::keeps_projection(const ContinuousCone& cone) const {
  const Vec3 c{cone.centre[0], cone.centre[1], cone.centre[2]};
  const double along = dot(c, axis_);
  // Every control normal n of the patch has n . axis >= c . axis - radius; the rounding error is far below 1e-3. (The
  // axis has unit length up to rounding.) A strongly tilted projection would turn the patch into slivers.
  return along - cone.radius > 1e-3 && along > 0.9 * std::sqrt(dot(c, c));
}

void ContourTest::choose_projection(const Patch& p) {
  const Vec3 c{p.cone.centre[0], p.cone.centre[1], p.cone.centre[2]};
  axis_ = c * (1 / std::sqrt(dot(c, c)));
  const Vec3 other = std::fabs(axis_.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 side = cross(axis_, other);
  e1_ = side * (1 / std::sqrt(dot(side, side)));
  e2_ = cross(axis_, e1_);
  // The exact projection direction is e1 x e2, which differs from the axis by a few rounding errors. A narrow cone
  // allows an error that is a thousand million times larger.
  origin_ = p.at.start[p.topology.triangle(p.tree.items[p.node.begin])[0]];
  size_ = 0;
  for (int k = 0; k < 3; ++k)
    size_ = std::max(size_, static_cast<double>(std::max(p.bounds.hi[0][k], p.bounds.hi[1][k])) -
                                static_cast<double>(std::min(p.bounds.lo[0][k], p.bounds.lo[1][k])));
  size_ = p.unit * (size_ + 4 * static_cast<double>(p.slack));  // includes the error of the bounds
  // A coordinate relative to the origin has one rounding error of at most `size_`; a sum of three products with unit
  // vectors has fewer than 8; a difference of two such sums has 3 times that error, and is at most 3.5 times the size.
  // Products of two of those, added in pairs, have an error of less than 64 times the size times the error of one
  // coordinate.
  off_ = 0x1p-49 * size_;
  error_ = 64 * size_ * off_ + 1e-300;
  ++number_;
}

PlanePoint ContourTest::project(const MovingVertices& at, std::uint32_t v) const {
  const Vec3 a = at.start[v] - origin_, b = at.end[v] - origin_;
  return {{dot(e1_, a), dot(e1_, b)}, {dot(e2_, a), dot(e2_, b)}};
}

bool ContourTest::collect(const Patch& p, bool accelerate, AllCounters& counters) {
  ++test_;
  edges_.clear();
  for (std::uint32_t i = 0; i < p.node.contour_size; ++i) {
    const std::uint32_t step = p.tree.contours[p.node.contour_begin + i];
    const Triangle& t = p.topology.triangle(step / 3);
    ContourEdge e;
    e.step = step;
    e.vertices[0] = t[step % 3];
    e.vertices[1] = t[(step % 3 + 1) % 3];
    if (seen_[e.vertices[0]] == test_) return false;  // two loops through one vertex: not a manifold with boundary
    seen_[e.vertices[0]] = test_;
    edge_from_[e.vertices[0]] = i;
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t v = e.vertices[k];
      if (accelerate && projected_[v] == number_) {
        ++counters.contour_projections_cached;
      } else {
        points_[v] = project(p.at, v);
        projected_[v] = number_;
      }
    }
    e.from = points_[e.vertices[0]];
    e.to = points_[e.vertices[1]];
    set_bounds(e);
    edges_.push_back(e);
  }
  return true;
}

bool ContourTest::stay_apart(const ContourEdge& a, const ContourEdge& b, bool accelerate, AllCounters& counters) const {
  if (a.vertices[1] == b.vertices[0] || b.vertices[1] == a.vertices[0]) {
    // A loop of two edges would be two triangles with the same vertices; its edges coincide.
    if (a.vertices[1] == b.vertices[0] && b.vertices[1] == a.vertices[0]) return false;
    ++counters.contour_edge_tests;
    return a.vertices[1] == b.vertices[0] ? never_fold(a.to, a.from, b.to, error_)
                                          : never_fold(b.to, b.from, a.to, error_);
  }
  if (accelerate && bounds_apart(a, b, 8 * off_)) return true;
  ++counters.contour_edge_tests;
  return never_meet(a.from, a.to, b.from, b.to, error_);
}

bool ContourTest::all_stay_apart(bool accelerate, MeetingSteps& meeting, AllCounters& counters) {
  const auto fails = [&](const ContourEdge& a, const ContourEdge& b) {
    if (stay_apart(a, b, accelerate, counters)) return false;
    meeting = {a.step, b.step};
    return true;
  };
  core::Poll poll;
  if (!accelerate) {
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      poll.rarely();
      for (std::size_t j = 0; j < i; ++j)
        if (fails(edges_[j], edges_[i])) return false;
    }
    return true;
  }
  // Only edges whose ranges along the sweep overlap can meet.
  order_.resize(edges_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return edges_[a].sweep_lo != edges_[b].sweep_lo ? edges_[a].sweep_lo < edges_[b].sweep_lo : a < b;
  });
  open_.clear();
  for (const std::uint32_t i : order_) {
    poll.rarely();
    std::size_t kept = 0;
    for (const std::uint32_t j : open_) {
      if (edges_[i].sweep_lo - edges_[j].sweep_hi > 8 * off_) continue;
      open_[kept++] = j;
      if (fails(edges_[j], edges_[i])) return false;
    }
    open_.resize(kept);
    open_.push_back(i);
  }
  return true;
}

/// At the start: one loop runs anticlockwise and encloses all others, which run clockwise and do not enclose each
/// other. A single simple loop has winding number 0 or 1 (the patch lies to its left), so it needs no further test.
bool ContourTest::winds_once(const Patch& p) {
  std::vector<std::uint32_t>& loop_starts = open_;
  loop_starts.clear();
  ++test_;
  for (std::uint32_t i = 0; i < edges_.size(); ++i) {
    if (seen_[edges_[i].vertices[0]] == test_) continue;
    loop_starts.push_back(i);
    for (std::uint32_t j = i; seen_[edges_[j].vertices[0]] != test_; j = edge_from_[edges_[j].vertices[1]])
      seen_[edges_[j].vertices[0]] = test_;
  }
  if (loop_starts.size() == 1) return true;
  const auto next = [&](std::uint32_t e) { return edge_from_[edges_[e].vertices[1]]; };
  std::size_t outer = loop_starts.size(), anticlockwise = 0;
  for (std::size_t l = 0; l < loop_starts.size(); ++l) {
    double area = 0, sizes = 0;
    std::uint32_t e = loop_starts[l];
    do {
      const double part = edges_[e].from.x[0] * edges_[e].to.y[0] - edges_[e].to.x[0] * edges_[e].from.y[0];
      area += part;
      sizes += std::fabs(part);
      e = next(e);
    } while (e != loop_starts[l]);
    // The error of each part is less than `error_`. Each sum has a rounding error relative to at most `sizes`.
    if (!(std::fabs(area) > (error_ + 0x1p-52 * sizes) * static_cast<double>(p.node.contour_size))) return false;
    if (area > 0) {
      outer = l;
      ++anticlockwise;
    }
  }
  if (anticlockwise != 1) return false;
  for (std::size_t l = 0; l < loop_starts.size(); ++l)
    for (std::size_t m = 0; m < loop_starts.size(); ++m) {
      if (l == outer || l == m) continue;
      // Loops do not meet, so the position of one point of a loop decides for the whole loop.
      PointInLoop inside(edges_[loop_starts[l]].from, off_, error_);
      std::uint32_t e = loop_starts[m];
      do {
        inside.add(edges_[e].from, edges_[e].to);
        e = next(e);
      } while (e != loop_starts[m]);
      if (!inside.is_certain() || inside.is_inside() != (m == outer)) return false;
    }
  return true;
}

namespace {

constexpr std::size_t large_contour = 48;

/// A few edges of a contour, along each direction: which is best to sweep along, and how many pairs overlap there.
class SweepChoice {
 public:
  /// `slack`: ranges that are nearer than that count as overlapping. `pairs`: look at pairs, too; in a small contour
  /// that takes longer than it saves.
  SweepChoice(double slack, bool pairs) : slack_(slack), pairs_(pairs) {}
  void add(int k, double low, double high) { range_[k][count_[k]++] = {low, high}; }
  /// The direction in which the fewest pairs overlap: along a strip, wherever it points. The diagonals only if they are
  /// clearly better.
  int best() const {
    int best = 0;
    double least = share(0);
    for (int k = 1; k < directions; ++k)
      if (const double s = share(k); s < (k < 2 ? 1 : 0.9) * least) {
        best = k;
        least = s;
      }
    return best;
  }
  /// Which part of all pairs overlaps, about. The mean width of an edge by the width of all tells if edges are spread
  /// evenly. Across a strip they are not: most have no width, and are in one of two places. Then the pairs that are
  /// looked at overlap. (Along a strip some do, too: the two sides are looked at in the same places.)
  double share(int k) const {
    double widths = 0, lo = infinity, hi = -infinity;
    std::uint32_t pairs = 0;
    for (std::uint32_t i = 0; i < count_[k]; ++i) {
      const Range& a = range_[k][i];
      widths += a.high - a.low;
      lo = std::min(lo, a.low);
      hi = std::max(hi, a.high);
      for (std::uint32_t j = 0; pairs_ && j < i; ++j)
        pairs += a.low - range_[k][j].high <= slack_ && range_[k][j].low - a.high <= slack_;
    }
    const double even = hi > lo ? widths / sweep_looks / (hi - lo) : infinity;
    return pairs > sweep_looks ? std::max(even, 2.0 * pairs / (sweep_looks * (sweep_looks - 1))) : even;
  }

  static constexpr std::uint32_t sweep_looks = 16;

 private:
  struct Range {
    double low, high;
  };
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double slack_;
  bool pairs_;
  std::uint32_t count_[directions] = {};
  Range range_[directions][sweep_looks];
};

}  // namespace

/// Chooses the direction of the sweep from a few edges of a large contour. Returns an estimate of `overlapping_pairs`:
/// of two ranges of width w within a length l, a share of 2 w / l overlaps. Only the time, and whether a proof is
/// tried, depend on it.
double ContourTest::estimate_sweep(const Patch& p) {
  SweepChoice choice(8 * off_, true);
  for (std::uint32_t i = 0; i < SweepChoice::sweep_looks; ++i) {
    const auto look = static_cast<std::uint32_t>(std::uint64_t{i} * p.node.contour_size / SweepChoice::sweep_looks);
    const std::uint32_t step = p.tree.contours[p.node.contour_begin + look];
    const Triangle& t = p.topology.triangle(step / 3);
    const PlanePoint a = project(p.at, t[step % 3]), b = project(p.at, t[(step % 3 + 1) % 3]);
    for (int k = 0; k < directions; ++k) {
      const auto [low, high] = std::minmax(
          {along(k, a.x[0], a.y[0]), along(k, a.x[1], a.y[1]), along(k, b.x[0], b.y[0]), along(k, b.x[1], b.y[1])});
      choice.add(k, low, high);
    }
  }
  const double size = p.node.contour_size, share = choice.share(choice.best());
  return std::isfinite(share) ? size * size * share : 0;
}

/// The same choice among the edges that have been read, and their ranges in that direction.
void ContourTest::choose_sweep() {
  SweepChoice choice(8 * off_, edges_.size() >= large_contour);
  for (std::size_t i = 0; i < SweepChoice::sweep_looks; ++i) {
    const ContourEdge& e = edges_[i * edges_.size() / SweepChoice::sweep_looks];
    for (int k = 0; k < directions; ++k)
      choice.add(k, std::min(e.lo[0][k], e.lo[1][k]), std::max(e.hi[0][k], e.hi[1][k]));
  }
  const int k = choice.best();
  for (ContourEdge& e : edges_) {
    e.sweep_lo = std::min(e.lo[0][k], e.lo[1][k]);
    e.sweep_hi = std::max(e.hi[0][k], e.hi[1][k]);
  }
}

bool ContourTest::prove(const Patch& p, bool accelerate, Projection& projection, MeetingSteps& meeting,
                        AllCounters& counters) {
  ++counters.contour_tests;
  const auto inside = [&](std::uint32_t step) {
    const std::uint32_t at = p.tree.position[step / 3];
    return at >= p.node.begin && at < p.node.end;
  };
  const bool kept = accelerate && projection.number != 0 && projection.number == number_ && keeps_projection(p.cone);
  if (!kept) {
    choose_projection(p);
    meeting = no_steps;
  }
  projection.number = number_;
  // "Fewer intersections": the steps that may meet in this projection belong to the contour of this patch as well.
  if (meeting != no_steps && inside(meeting[0]) && inside(meeting[1])) return false;
  meeting = no_steps;
  // A contour of about as many edges as the patch has triangles (of a fan), which moves far, has too many pairs: no
  // proof then. A compact patch's contour has fewer pairs than this, all together. Too many are seen from a few
  // edges, before the whole contour is read, which would be done again for every part of the fan.
  const std::size_t most = 16 * std::size_t{p.node.size()}, edges = p.node.contour_size;
  if (accelerate && edges >= large_contour && edges * edges / 2 > most && estimate_sweep(p) > static_cast<double>(most))
    return false;
  if (!collect(p, accelerate, counters)) return false;
  if (accelerate) choose_sweep();
  if (accelerate && edges_.size() * edges_.size() / 2 > most && overlapping_pairs(edges_, 8 * off_, order_) > most)
    return false;
  return all_stay_apart(accelerate, meeting, counters) && winds_once(p);
}

std::size_t ContourTest::bytes() const {
  return points_.size() * (sizeof(PlanePoint) + 3 * sizeof(std::uint32_t)) + edges_.capacity() * sizeof(ContourEdge);
}

}  // namespace graze::engine::deform
