// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/distance/tree_distance.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/limits.hpp"
#include "engine/distance/box_gaps-inl.hpp"
#include "engine/distance/tree_distance.hpp"
#include "engine/distance/triangle_gaps-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::distance {
namespace HWY_NAMESPACE {
namespace gaps {

struct Found {
  DistancePair pairs[64];
  int n = 0;
};

/// Finds all pairs whose bound does not exceed the limit: na boxes or triangles of A, nb of B. `bound(i, j)`: lower
/// bounds of the squared distances of i... of A and j of B.
template <class Bound>
void near_pairs(int na, int nb, float limit, Found& out, Bound&& bound) {
  const D d;
  alignas(64) float squares[8];
  out.n = 0;
  for (int j = 0; j < nb; ++j)
    for (std::size_t i0 = 0; i0 < static_cast<std::size_t>(na); i0 += lanes()) {
      const V squared = bound(i0, j);
      const unsigned far = bits_of(hn::Gt(squared, hn::Set(d, limit)));  // NaN is never far
      unsigned near = ~far & ((1u << lanes()) - 1);
      if (near == 0) continue;
      hn::Store(squared, d, squares + i0);
      for (; near != 0; near &= near - 1) {
        const auto i = static_cast<std::uint32_t>(i0) + static_cast<std::uint32_t>(std::countr_zero(near));
        if (i < static_cast<std::uint32_t>(na)) out.pairs[out.n++] = {i, static_cast<std::uint32_t>(j), squares[i]};
      }
    }
}

inline void sort_nearest_first(DistancePair* pairs, int n) {
  const auto before = [](const DistancePair& x, const DistancePair& y) {
    return x.squared != y.squared ? x.squared < y.squared : x.a != y.a ? x.a < y.a : x.b < y.b;
  };
  if (n > 16) return std::sort(pairs, pairs + n, before);
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && before(pairs[k], pairs[k - 1]); --k) std::swap(pairs[k], pairs[k - 1]);
}

inline DistancePair nearest_centres(const Side& a, const Side& b) {
  alignas(64) float squares[8];
  DistancePair best{0, 0, std::numeric_limits<float>::infinity()};
  for (int j = 0; j < b.n; ++j) {
    const float to[3] = {b.c[0][j], b.c[1][j], b.c[2][j]};
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.n); i += lanes()) {
      const V3 line = load3(a.c, i) - set3(to);
      hn::Store(dot(line, line), D(), squares + i);
    }
    for (int i = 0; i < a.n; ++i)
      if (squares[i] < best.squared) best = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), squares[i]};
  }
  return best;
}

/// Traverses both trees, nearest first. Every pair that it discards is certified to be farther apart than the bound was
/// at that time; so the set of pairs that remain in the end does not depend on the order.
class Walk {
 public:
  Walk(const DistanceQuery& q, const body::TreeFrame& frame, Candidates& out)
      : a_(q.a.tree),
        b_(q.b.tree),
        f_(frame),
        out_(out),
        sweep_(out.swept() ? Sweep(frame, out.sweep(), q.a.tree.frame.exponent) : Sweep()),
        directed_(frame, sweep_) {}

  void run(DistancePairs& stack, std::uint64_t visits) {
    if (stack.size() == 1 && stack[0].a == 0 && stack[0].b == 0) descend();
    for (; !stack.empty() && visits > 0; --visits) {
      const DistancePair pair = stack.back();
      stack.pop_back();
      see_bound();
      if (pair.squared > squared_limit_) continue;
      poll_();
      ++out_.counters.node_pairs;
      directed_.set(out_.direction);
      if (bottoms(pair))
        look_at_triangles(a_.tree.nodes[pair.a], b_.tree.nodes[pair.b]);
      else
        open(pair, stack);
    }
  }

 private:
  bool bottoms(const DistancePair& p) const { return a_.tree.nodes[p.a].bottom && b_.tree.nodes[p.b].bottom; }

  /// One descent by the distance of centres, to triangles that are likely to be near: their bound and direction let the
  /// main search prune from the root on.
  void descend() {
    DistancePair pair{0, 0, 0};
    if (bottoms(pair)) return;
    while (!bottoms(pair)) {
      ++out_.counters.node_pairs;
      const bvh::WideNode &na = a_.tree.nodes[pair.a], &nb = b_.tree.nodes[pair.b];
      prepare(f_, a_, pair.a, !na.bottom, false, sweep_, side_a_);
      prepare(f_, b_, pair.b, !nb.bottom, true, sweep_, side_b_);
      const DistancePair next = nearest_centres(side_a_, side_b_);
      pair = {na.bottom ? pair.a : na.first + next.a, nb.bottom ? pair.b : nb.first + next.b, 0};
    }
    see_bound();
    if (out_.bound() < std::numeric_limits<double>::infinity()) guide(a_.tree.nodes[pair.a], b_.tree.nodes[pair.b]);
    directed_.set(out_.direction);
    look_at_triangles(a_.tree.nodes[pair.a], b_.tree.nodes[pair.b]);
  }

  /// Where there is a bound from the start, no pair would improve it and so give a direction: that of two triangles
  /// whose centres are nearest does.
  void guide(const bvh::WideNode& na, const bvh::WideNode& nb) {
    load_a(a_, na, corners_a_);
    load_b(f_, LeafFrame(f_, na, nb), b_, nb, corners_b_);
    alignas(64) float squares[8];
    DistancePair best{0, 0, std::numeric_limits<float>::infinity()};
    for (std::uint32_t j = 0; j < nb.count; ++j) {
      float centre[3];
      for (int k = 0; k < 3; ++k)
        centre[k] = (corners_b_.p[k][j] + corners_b_.p[3 + k][j] + corners_b_.p[6 + k][j]) * (1.0f / 3);
      for (std::size_t i = 0; i < na.count; i += lanes()) {
        const V3 line = load(corners_a_, i).centre() - set3(centre);
        hn::Store(dot(line, line), D(), squares + i);
      }
      for (std::uint32_t i = 0; i < na.count; ++i)
        if (squares[i] < best.squared) best = {i, j, squares[i]};
    }
    out_.guide(a_.triangle(na.first + best.a), b_.triangle(nb.first + best.b));
  }

  /// Updates the bound that pairs must stay below, in A's float frame, rounded up. A bound that is too large for a
  /// float becomes infinite, which keeps all pairs. Squared gaps may underflow to 0 or, rounded, have an error of
  /// 2^-150: the added 1e-37 is far larger than that, and keeps pairs.
  void see_bound() {
    const double bound = out_.bound();
    if (bound == seen_) return;
    seen_ = bound;
    if (bound < 0) {
      limit_ = squared_limit_ = -1;
      return;
    }
    const double x = std::ldexp(bound, -a_.frame.exponent);
    limit_ = static_cast<float>(x * (1 + 1e-6)) + 1e-37f;
    squared_limit_ = static_cast<float>(x * x * (1 + 1e-6)) + 1e-37f;
  }

  /// The limit for the first n of eight, from the i-th on; the unused lanes get a limit that any bound exceeds.
  V limits(int n, std::size_t i) const {
    const D d;
    const auto used = hn::FirstN(d, static_cast<std::size_t>(n) - i);
    return hn::IfThenElse(used, hn::Set(d, limit_), hn::Set(d, -2.0f));
  }

  void open(const DistancePair& pair, DistancePairs& stack) {
    const bvh::WideNode &na = a_.tree.nodes[pair.a], &nb = b_.tree.nodes[pair.b];
    const bool open_a = !na.bottom, open_b = !nb.bottom;
    prepare(f_, a_, pair.a, open_a, false, sweep_, side_a_);
    prepare(f_, b_, pair.b, open_b, true, sweep_, side_b_);
    directed_.measure(false, side_a_);
    directed_.measure(true, side_b_);
    out_.counters.box_tests += static_cast<std::uint64_t>(side_a_.n * side_b_.n);
    near_pairs(side_a_.n, side_b_.n, squared_limit_, found_, [&](std::size_t i, int j) {
      V squared = squared_gaps(side_a_.low, side_a_.high, i, side_b_.low, side_b_.high, j);
      // Where the directed frame rejects the whole row, the other two frames need not be tested.
      if (!hn::AllTrue(D(), hn::Gt(squared, hn::Set(D(), 1.001f * squared_limit_))))
        squared = hn::Max(squared, squared_gaps(side_a_, i, side_b_, j));
      return hn::Mul(squared, hn::Set(D(), shrink));
    });
    refine_found();
    sort_nearest_first(found_.pairs, found_.n);
    for (int i = found_.n; i-- > 0;)
      stack.push_back({open_a ? na.first + found_.pairs[i].a : pair.a, open_b ? nb.first + found_.pairs[i].b : pair.b,
                       found_.pairs[i].squared});
  }

  /// Refines the bounds of pairs that the three frames did not reject.
  void refine_found() {
    alignas(64) float lower[8];
    int kept = 0;
    for (int begin = 0; begin < found_.n; begin += 8) {
      const int n = std::min(8, found_.n - begin);
      for (int k = 0; k < n; ++k) boxes_.set(k, side_a_, found_.pairs[begin + k].a, side_b_, found_.pairs[begin + k].b);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); i += lanes())
        hn::Store(refine(f_, sweep_, boxes_, i, directed_.axes[0], limits(n, i)), D(), lower + i);
      for (int k = 0; k < n; ++k) {
        DistancePair p = found_.pairs[begin + k];
        p.squared = std::max(p.squared, lower[k] * lower[k] * shrink);
        if (!(p.squared > squared_limit_)) found_.pairs[kept++] = p;
      }
    }
    found_.n = kept;
  }

  /// Tests the three axes first, because that is cheap; then the remaining pairs, nearest first.
  void look_at_triangles(const bvh::WideNode& na, const bvh::WideNode& nb) {
    ++out_.counters.leaf_pairs;
    out_.counters.box_tests += static_cast<std::uint64_t>(na.count * nb.count);
    const LeafFrame leaf(f_, na, nb);
    load_a(a_, na, corners_a_);
    load_b(f_, leaf, b_, nb, corners_b_);
    const float error[3] = {leaf.error, leaf.error, leaf.error};
    measure(directed_.axes, na.count, error, corners_a_);
    measure(directed_.axes, nb.count, directed_.reach, corners_b_);
    near_pairs(na.count, nb.count, squared_limit_, found_, [&](std::size_t i, int j) {
      return hn::Mul(squared_gaps(corners_a_.low, corners_a_.high, i, corners_b_.low, corners_b_.high, j),
                     hn::Set(D(), shrink));
    });
    sort_nearest_first(found_.pairs, found_.n);
    int begin = 0;
    if (found_.n > 0 && !(out_.bound() < std::numeric_limits<double>::infinity()))
      consider(na, nb, found_.pairs[begin++]);
    while (begin < found_.n) consider_eight(na, nb, leaf, begin);
  }

  void consider(const bvh::WideNode& na, const bvh::WideNode& nb, const DistancePair& p) {
    out_.measure(a_.triangle(na.first + p.a), b_.triangle(nb.first + p.b));
    see_bound();
  }

  /// Takes the next pairs that the bound allows; computes the distances of those that eight lower bounds at a time do
  /// not reject, nearest first.
  void consider_eight(const bvh::WideNode& na, const bvh::WideNode& nb, const LeafFrame& leaf, int& begin) {
    DistancePair eight[8];
    int n = 0;
    for (; begin < found_.n && n < 8; ++begin)
      if (!(found_.pairs[begin].squared > squared_limit_)) eight[n++] = found_.pairs[begin];
    if (n == 0) return;
    out_.counters.triangle_tests += static_cast<std::uint64_t>(n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 9; ++k) {
        pairs_a_.p[k][i] = corners_a_.p[k][eight[i].a];
        pairs_b_.p[k][i] = corners_b_.p[k][eight[i].b];
      }
    directed_.set(out_.direction);
    alignas(64) float lower[8];
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); i += lanes())
      hn::Store(lower_bounds(load(pairs_a_, i), load(pairs_b_, i), sweep_, directed_.axes[0], leaf.error, limits(n, i)),
                D(), lower + i);
    for (int i = 0; i < n; ++i) eight[i].squared = lower[i] * lower[i] * shrink;
    sort_nearest_first(eight, n);
    for (int i = 0; i < n && !(eight[i].squared > squared_limit_); ++i) consider(na, nb, eight[i]);
  }

  /// For the roundings of squares and sums, and for directions of unit length up to 6 u.
  static constexpr float shrink = 1 - 1e-5f;

  const body::WideTree& a_;
  const body::WideTree& b_;
  const body::TreeFrame& f_;
  Candidates& out_;
  const Sweep sweep_;
  DirectedFrame directed_;
  double seen_ = -2;
  float limit_ = 0, squared_limit_ = 0;
  Side side_a_, side_b_;
  Corners corners_a_, corners_b_, pairs_a_{}, pairs_b_{};
  BoxPairs boxes_{};
  Found found_;
  core::Poll poll_;
};

}  // namespace gaps

void TraverseDistance(const DistanceQuery& q, const body::TreeFrame& frame, DistancePairs& stack, std::uint64_t visits,
                      Candidates& out) {
  gaps::Walk(q, frame, out).run(stack, visits);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::distance
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::distance {

HWY_EXPORT(TraverseDistance);

// The way is rounded by 2^-24 of its length, and so are the entries of a direction and the products: together less than
// 2^-20, also along B's rounded axes.
Sweep::Sweep(const body::TreeFrame& frame, const Vec3& exact, int exponent) {
  float size = 0;
  for (int k = 0; k < 3; ++k) {
    way[k] = static_cast<float>(std::ldexp(exact[k], -exponent));
    size += std::fabs(way[k]);
  }
  slack = 0x1p-20f * size + 1e-37f;
  for (int k = 0; k < 3; ++k) {
    const float in_b = frame.r[k] * way[0] + frame.r[3 + k] * way[1] + frame.r[6 + k] * way[2];
    reach_a[k] = std::fabs(way[k]) + slack;
    reach_b[k] = std::fabs(in_b) + slack;
  }
}

void traverse_distance(const DistanceQuery& query, const body::TreeFrame& frame, DistancePairs& stack,
                       std::uint64_t visits, Candidates& candidates) {
  HWY_DYNAMIC_DISPATCH(TraverseDistance)(query, frame, stack, visits, candidates);
}

}  // namespace graze::engine::distance
#endif
