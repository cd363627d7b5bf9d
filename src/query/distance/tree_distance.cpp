// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/distance/tree_distance.cpp"
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL)  // only what the tests can run
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "query/box_kernel-inl.hpp"
#include "query/distance/tree_distance.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Squares of distances between box k of `one` and all boxes of `many`, from below. Along three perpendicular axes the gaps are components of the
/// distance; A's axes and B's axes each give a bound. B's rounded axes stretch by at most 6 u, which the factor covers with the roundings here.
inline void squared_gaps(const Side& one, int k, const Side& many, float* out) {
  const D d;
  const auto zero = hn::Zero(d);
  for (std::size_t i = 0; i < static_cast<std::size_t>(many.n); i += hn::Lanes(d)) {
    const auto gap = [&](const float (*c1)[8], const float (*h1)[8], const float (*c2)[8], const float (*h2)[8], int axis) {
      const auto between = hn::Abs(hn::Sub(hn::Load(d, c2[axis] + i), hn::Set(d, c1[axis][k])));
      return hn::Max(zero, hn::Sub(between, hn::Add(hn::Load(d, h2[axis] + i), hn::Set(d, h1[axis][k]))));
    };
    const auto sum = [&](const float (*c1)[8], const float (*h1)[8], const float (*c2)[8], const float (*h2)[8]) {
      const auto x = gap(c1, h1, c2, h2, 0), y = gap(c1, h1, c2, h2, 1), z = gap(c1, h1, c2, h2, 2);
      return hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
    };
    const auto best = hn::Max(sum(one.c, one.h, many.c, many.h), sum(one.cb, one.hb, many.cb, many.hb));
    hn::Store(hn::Mul(best, hn::Set(d, 1 - 1e-5f)), d, out + i);
  }
}

/// The bound that pairs must stay below, in A's float frame, rounded up; squares of very small numbers may underflow to 0, which keeps pairs.
inline float limit_of(const Candidates& candidates, int exponent) {
  if (candidates.bound() < 0) return -1;
  const double f = std::ldexp(candidates.bound(), -exponent);
  return static_cast<float>(f * f * (1 + 1e-6)) + 1e-37f;
}

/// Separation along one direction n, the one in which the closest points so far lie: DESIGN 4's certificate, for boxes and for triangles.
class Along {
 public:
  explicit Along(const TreeFrame& frame) : f_(frame) {}

  /// Takes n from where the bound was improved last; false while there is none.
  bool set(const Vec3& direction) {
    if (direction == direction_) return valid_;
    direction_ = direction;
    const double len = length(direction);
    valid_ = len > 0 && std::isfinite(len);
    if (!valid_) return false;
    for (int i = 0; i < 3; ++i) n_[i] = static_cast<float>(direction[i] / len);
    for (int j = 0; j < 3; ++j) nb_[j] = f_.rho * (n_[0] * f_.r[j] + n_[1] * f_.r[3 + j] + n_[2] * f_.r[6 + j]);
    nt_ = n_[0] * f_.t[0] + n_[1] * f_.t[1] + n_[2] * f_.t[2];
    return true;
  }

  /// The top of A's boxes along n, and the bottom of B's. The slack is the frame's error on both sides times |n|_1 < 1.74, doubled for roundings here.
  void top(const Side& a, float* out) const { bounds<1>(a, out); }
  void bottom(const Side& b, float* out) const { bounds<-1>(b, out); }

  /// The same of single triangles, by their corners.
  void top(const WideTree& t, const bvh::WideNode& node, float* out) const {
    const float base = n_[0] * node.origin[0] + n_[1] * node.origin[1] + n_[2] * node.origin[2];
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const float* c = t.corners.data() + 9 * std::size_t{node.first + i};
      out[i] = base + slack() + std::max({along(n_, c), along(n_, c + 3), along(n_, c + 6)});
    }
  }
  void bottom(const WideTree& t, const bvh::WideNode& node, float* out) const {
    const float base = nt_ + nb_[0] * node.origin[0] + nb_[1] * node.origin[1] + nb_[2] * node.origin[2];
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const float* c = t.corners.data() + 9 * std::size_t{node.first + i};
      out[i] = base - slack() + std::min({along(nb_, c), along(nb_, c + 3), along(nb_, c + 6)});
    }
  }

 private:
  static float along(const float* n, const float* p) { return n[0] * p[0] + n[1] * p[1] + n[2] * p[2]; }
  float slack() const { return 4 * f_.error; }

  template <int Sign>
  void bounds(const Side& s, float* out) const {
    const D d;
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
      const auto at = [&](const float (*v)[8], int axis) { return hn::Load(d, v[axis] + i); };
      const auto c = combine<false>(n_[0], n_[1], n_[2], at(s.c, 0), at(s.c, 1), at(s.c, 2));
      // A's boxes are upright in A's frame; B's along B's own axes, where n is nb / rho.
      const auto h = Sign > 0 ? combine<true>(n_[0], n_[1], n_[2], at(s.h, 0), at(s.h, 1), at(s.h, 2))
                              : combine<true>(nb_[0] / f_.rho, nb_[1] / f_.rho, nb_[2] / f_.rho, at(s.hb, 0), at(s.hb, 1), at(s.hb, 2));
      const auto e = hn::Set(d, slack());
      hn::Store(Sign > 0 ? hn::Add(c, hn::Add(h, e)) : hn::Sub(c, hn::Add(h, e)), d, out + i);
    }
  }

  const TreeFrame& f_;
  Vec3 direction_{};
  float n_[3], nb_[3], nt_ = 0;
  bool valid_ = false;
};

struct Found {
  DistancePair pairs[64];
  int n = 0;
};

/// All pairs of boxes of two nodes that may be closer than the bound, nearest first.
void near_pairs(const Side& sa, const Side& sb, const float* top, const float* bottom, float limit, Found& out) {
  alignas(64) float gaps[8];
  out.n = 0;
  for (int j = 0; j < sb.n; ++j) {
    squared_gaps(sb, j, sa, gaps);
    for (int i = 0; i < sa.n; ++i) {
      float squared = gaps[i];
      if (top) {
        const float s = bottom[j] - top[i];
        if (s > 0) squared = std::max(squared, s * s * (1 - 1e-5f));
      }
      if (!(squared > limit)) out.pairs[out.n++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), squared};
    }
  }
  std::sort(out.pairs, out.pairs + out.n, [](const DistancePair& x, const DistancePair& y) {
    return x.squared != y.squared ? x.squared < y.squared : x.a != y.a ? x.a < y.a : x.b < y.b;
  });
}

void TraverseDistance(const DistanceQuery& q, const TreeFrame& frame, std::vector<DistancePair>& stack, std::size_t until, Candidates& out) {
  const WideTree &a = q.a.tree, &b = q.b.tree;
  Side sa, sb;
  Along along(frame);
  alignas(64) float top[8], bottom[8];
  Found found;
  while (!stack.empty() && stack.size() < until) {
    const DistancePair pair = stack.back();
    stack.pop_back();
    float limit = limit_of(out, a.frame.exponent);
    if (pair.squared > limit) continue;
    ++out.counters.node_pairs;
    const bvh::WideNode &na = a.tree.nodes[pair.a], &nb = b.tree.nodes[pair.b];
    const bool both_bottom = na.bottom && nb.bottom;
    const bool open_a = both_bottom || !na.bottom, open_b = both_bottom || !nb.bottom;
    prepare_a(frame, na, pair.a, open_a, sa);
    prepare_b(frame, nb, pair.b, open_b, sb);
    out.counters.box_tests += static_cast<std::uint64_t>(sa.n * sb.n);
    const bool directed = along.set(out.direction);
    if (directed && both_bottom) {
      along.top(a, na, top);
      along.bottom(b, nb, bottom);
    } else if (directed) {
      along.top(sa, top);
      along.bottom(sb, bottom);
    }
    near_pairs(sa, sb, directed ? top : nullptr, bottom, limit, found);
    if (both_bottom) {
      ++out.counters.leaf_pairs;
      for (int i = 0; i < found.n && !(found.pairs[i].squared > limit); ++i) {
        out.consider(a.triangle(na.first + found.pairs[i].a), b.triangle(nb.first + found.pairs[i].b));
        limit = limit_of(out, a.frame.exponent);
      }
    } else {
      for (int i = found.n; i-- > 0;)
        stack.push_back({open_a ? na.first + found.pairs[i].a : pair.a, open_b ? nb.first + found.pairs[i].b : pair.b, found.pairs[i].squared});
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(TraverseDistance);

void traverse_distance(const DistanceQuery& query, const TreeFrame& frame, std::vector<DistancePair>& stack, std::size_t until,
                       Candidates& candidates) {
  HWY_DYNAMIC_DISPATCH(TraverseDistance)(query, frame, stack, until, candidates);
}

}  // namespace graze::query
#endif
