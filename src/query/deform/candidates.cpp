// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/deform/candidates.cpp"
// Only what the tests can run: SSE4 and AVX2 on x86 (DESIGN 5), and the baseline everywhere.
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "core/parallel.hpp"
#include "query/deform/candidates.hpp"

#ifndef GRAZE_DEFORM_CANDIDATES_TYPES
#define GRAZE_DEFORM_CANDIDATES_TYPES
namespace graze::query {
struct DopPair {
  std::uint32_t a, b;
};
}  // namespace graze::query
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;

/// Bounds of a feature along the first eight directions (four at a time where registers are short), and the ninth.
struct Reach {
  float lo[2][dop_directions + 7];
  float hi[2][dop_directions + 7];
};

/// Apart along some direction, on the same side at both ends, by more than `slack`.
inline bool apart(const float* alo0, const float* ahi0, const float* alo1, const float* ahi1, const float* blo0,
                  const float* bhi0, const float* blo1, const float* bhi1, float slack, int directions) {
  const D d;
  const V s = hn::Set(d, slack);
  if (directions == dop_directions) {
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      const auto at = [&](const float* p) { return hn::LoadU(d, p + i); };
      const auto below = hn::And(hn::Gt(hn::Sub(at(blo0), at(ahi0)), s), hn::Gt(hn::Sub(at(blo1), at(ahi1)), s));
      const auto above = hn::And(hn::Gt(hn::Sub(at(alo0), at(bhi0)), s), hn::Gt(hn::Sub(at(alo1), at(bhi1)), s));
      if (!hn::AllFalse(d, hn::Or(below, above))) return true;
    }
    return (blo0[8] - ahi0[8] > slack && blo1[8] - ahi1[8] > slack) ||
           (alo0[8] - bhi0[8] > slack && alo1[8] - bhi1[8] > slack);
  }
  for (int k = 0; k < directions; ++k)
    if ((blo0[k] - ahi0[k] > slack && blo1[k] - ahi1[k] > slack) ||
        (alo0[k] - bhi0[k] > slack && alo1[k] - bhi1[k] > slack))
      return true;
  return false;
}

class Finder {
 public:
  Finder(const CandidateSearch& s, FeatureCandidates& out) : s_(s), out_(out), slack_(2 * s.tree.slack()) {}

  void run(std::vector<DopPair>& stack, std::size_t until) {
    const std::vector<bvh::Node>& nodes = s_.tree.tree().nodes;
    while (!stack.empty() && stack.size() < until) {
      const DopPair p = stack.back();
      stack.pop_back();
      if (p.a == p.b) {
        split_self(p.a, stack);
        continue;
      }
      ++out_.counters.node_pairs;
      const Dop &x = s_.tree.nodes()[p.a], &y = s_.tree.nodes()[p.b];
      if (apart(x.lo[0], x.hi[0], x.lo[1], x.hi[1], y.lo[0], y.hi[0], y.lo[1], y.hi[1], slack_, s_.directions))
        continue;
      const bvh::Node &na = nodes[p.a], &nb = nodes[p.b];
      if (na.is_leaf() && nb.is_leaf()) {
        leaves(na, nb);
      } else if (nb.is_leaf() || (!na.is_leaf() && size(x) >= size(y))) {
        stack.push_back({na.first + 1, p.b});
        stack.push_back({na.first, p.b});
      } else {
        stack.push_back({p.a, nb.first + 1});
        stack.push_back({p.a, nb.first});
      }
    }
  }

 private:
  static float size(const Dop& d) {
    return (d.hi[0][0] - d.lo[0][0]) + (d.hi[0][1] - d.lo[0][1]) + (d.hi[0][2] - d.lo[0][2]);
  }

  void split_self(std::uint32_t i, std::vector<DopPair>& stack) {
    const bvh::Node& n = s_.tree.tree().nodes[i];
    if (!n.is_leaf()) {
      stack.push_back({n.first, n.first + 1});
      stack.push_back({n.first + 1, n.first + 1});
      stack.push_back({n.first, n.first});
      return;
    }
    for (std::uint32_t k = 0; k < n.count; ++k)
      for (std::uint32_t l = 0; l < k; ++l)
        triangles(s_.tree.tree().items[n.first + l], s_.tree.tree().items[n.first + k]);
  }

  void leaves(const bvh::Node& a, const bvh::Node& b) {
    for (std::uint32_t k = 0; k < a.count; ++k)
      for (std::uint32_t l = 0; l < b.count; ++l)
        triangles(s_.tree.tree().items[a.first + k], s_.tree.tree().items[b.first + l]);
  }

  /// The bounds of up to three vertices.
  void reach(const std::uint32_t* v, int n, Reach& r) const {
    const D d;
    for (int e = 0; e < 2; ++e) {
      const float* p = s_.tree.projections(v[0], e);
      for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {  // the ninth, and what follows it in memory
        V lo = hn::LoadU(d, p + std::min<std::size_t>(i, dop_directions - 1)), hi = lo;
        for (int k = 1; k < n; ++k) {
          const V x = hn::LoadU(d, s_.tree.projections(v[k], e) + std::min<std::size_t>(i, dop_directions - 1));
          lo = hn::Min(lo, x);
          hi = hn::Max(hi, x);
        }
        hn::StoreU(lo, d, r.lo[e] + std::min<std::size_t>(i, dop_directions - 1));
        hn::StoreU(hi, d, r.hi[e] + std::min<std::size_t>(i, dop_directions - 1));
        if (i >= 8) break;
      }
    }
  }
  bool apart_reach(const Reach& a, const Reach& b) const {
    return apart(a.lo[0], a.hi[0], a.lo[1], a.hi[1], b.lo[0], b.hi[0], b.lo[1], b.hi[1], slack_, s_.directions);
  }

  void triangles(std::uint32_t ta, std::uint32_t tb) {
    const Triangle &a = s_.tree.triangles()[ta], &b = s_.tree.triangles()[tb];
    if (!s_.self && s_.pieces[a[0]] == s_.pieces[b[0]]) return;
    ++out_.counters.leaf_pairs;
    const unsigned ra = s_.representatives[ta], rb = s_.representatives[tb];
    if ((ra | rb) == 0) return;
    Reach whole_a, whole_b;
    reach(a.data(), 3, whole_a);
    reach(b.data(), 3, whole_b);
    if (apart_reach(whole_a, whole_b)) return;
    ++out_.counters.triangle_tests;
    vertices(a, ra, b, whole_b);
    vertices(b, rb, a, whole_a);
    if ((ra >> 3) == 0 || (rb >> 3) == 0) return;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(ra >> (3 + i) & 1)) continue;
      std::array<std::uint32_t, 2> x{a[i], a[(i + 1) % 3]};
      Reach rx;
      reach(x.data(), 2, rx);
      if (apart_reach(rx, whole_b)) continue;
      for (std::size_t j = 0; j < 3; ++j)
        if (rb >> (3 + j) & 1) edges(x, rx, {b[j], b[(j + 1) % 3]});
    }
  }

  void vertices(const Triangle& of, unsigned bits, const Triangle& face, const Reach& whole) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t v = of[i];
      if (!(bits >> i & 1) || v == face[0] || v == face[1] || v == face[2]) continue;
      const float *p0 = s_.tree.projections(v, 0), *p1 = s_.tree.projections(v, 1);
      if (apart(p0, p0, p1, p1, whole.lo[0], whole.hi[0], whole.lo[1], whole.hi[1], slack_, s_.directions)) continue;
      out_.vertex_face.push_back({v, face[0], face[1], face[2]});
    }
  }

  void edges(std::array<std::uint32_t, 2> x, const Reach& rx, std::array<std::uint32_t, 2> y) {
    if (x[0] == y[0] || x[0] == y[1] || x[1] == y[0] || x[1] == y[1]) return;
    Reach ry;
    reach(y.data(), 2, ry);
    if (apart_reach(rx, ry)) return;
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    if (y < x) std::swap(x, y);
    out_.edge_edge.push_back({x[0], x[1], y[0], y[1]});
  }

  const CandidateSearch& s_;
  FeatureCandidates& out_;
  float slack_;
};

}  // namespace

void Find(const CandidateSearch& search, std::vector<DopPair>& stack, std::size_t until, FeatureCandidates& out) {
  Finder(search, out).run(stack, until);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(Find);

FeatureCandidates find_candidates(const CandidateSearch& search, int threads) {
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  FeatureCandidates all;
  std::vector<DopPair> stack{{0, 0}};
  HWY_DYNAMIC_DISPATCH(Find)
  (search, stack, threads > 1 ? 64 * static_cast<std::size_t>(threads) : no_limit, all);
  if (stack.empty()) return all;
  std::reverse(stack.begin(), stack.end());
  std::vector<FeatureCandidates> parts(stack.size());
  core::parallel_for(stack.size(), threads, [&](std::size_t i) {
    std::vector<DopPair> mine{stack[i]};
    HWY_DYNAMIC_DISPATCH(Find)(search, mine, no_limit, parts[i]);
  });
  for (const FeatureCandidates& p : parts) {
    all.vertex_face.insert(all.vertex_face.end(), p.vertex_face.begin(), p.vertex_face.end());
    all.edge_edge.insert(all.edge_edge.end(), p.edge_edge.begin(), p.edge_edge.end());
    all.counters += p.counters;
  }
  return all;
}

}  // namespace graze::query
#endif
