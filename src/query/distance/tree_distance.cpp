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

void TraverseDistance(const DistanceQuery& q, const TreeFrame& frame, std::vector<DistancePair>& stack, std::size_t until, Candidates& out) {
  const WideTree &a = q.a.tree, &b = q.b.tree;
  Side sa, sb;
  alignas(64) float gaps[8];
  DistancePair found[64];
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
    int n = 0;
    for (int j = 0; j < sb.n; ++j) {
      squared_gaps(sb, j, sa, gaps);
      for (int i = 0; i < sa.n; ++i)
        if (!(gaps[i] > limit)) found[n++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), gaps[i]};
    }
    std::sort(found, found + n, [](const DistancePair& x, const DistancePair& y) {
      return x.squared != y.squared ? x.squared < y.squared : x.a != y.a ? x.a < y.a : x.b < y.b;
    });
    if (both_bottom) {
      ++out.counters.leaf_pairs;
      for (int i = 0; i < n && !(found[i].squared > limit); ++i) {
        out.consider(a.triangle(na.first + found[i].a), b.triangle(nb.first + found[i].b));
        limit = limit_of(out, a.frame.exponent);
      }
    } else {
      for (int i = n; i-- > 0;)
        stack.push_back({open_a ? na.first + found[i].a : pair.a, open_b ? nb.first + found[i].b : pair.b, found[i].squared});
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
