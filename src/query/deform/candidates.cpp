// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/deform/candidates.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/parallel.hpp"
#include "query/deform/candidates.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;

/// Where bounds stand: along the first eight directions at both ends, and the ninth.
struct Bounds {
  const float *lo0, *hi0, *lo1, *hi1, *ninth;
};
inline Bounds bounds(const Dop& d) { return {d.lo[0], d.hi[0], d.lo[1], d.hi[1], d.ninth}; }

/// Apart along some direction, on the same side at both ends of [0, horizon], by more than `slack`.
class Apart {
 public:
  explicit Apart(const CandidateSearch& s) : directions_(s.directions), horizon_(s.horizon) {
    // Gaps before the end are interpolated: three roundings of differences of at most eight times the mesh's size.
    slack_ = (horizon_ < 1 ? 18 : 2) * s.dops.slack();
  }

  bool operator()(const Bounds& a, const Bounds& b) const {
    if (directions_ != dop_directions) return first_directions(a, b);
    const D d;
    const V slack = hn::Set(d, slack_);
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      const auto at = [&](const float* p) { return hn::LoadU(d, p + i); };
      const V below0 = hn::Sub(at(b.lo0), at(a.hi0)), above0 = hn::Sub(at(a.lo0), at(b.hi0));
      V below1 = hn::Sub(at(b.lo1), at(a.hi1)), above1 = hn::Sub(at(a.lo1), at(b.hi1));
      if (horizon_ < 1) {
        const V t = hn::Set(d, horizon_);
        below1 = hn::Add(below0, hn::Mul(t, hn::Sub(below1, below0)));
        above1 = hn::Add(above0, hn::Mul(t, hn::Sub(above1, above0)));
      }
      const V gap = hn::Max(hn::Min(below0, below1), hn::Min(above0, above1));
      if (!hn::AllFalse(d, hn::Gt(gap, slack))) return true;
    }
    return both(b.ninth[0] + a.ninth[2], b.ninth[1] + a.ninth[3]) ||
           both(a.ninth[0] + b.ninth[2], a.ninth[1] + b.ninth[3]);
  }

 private:
  bool both(float gap0, float gap1) const {
    if (horizon_ < 1) gap1 = gap0 + horizon_ * (gap1 - gap0);
    return std::min(gap0, gap1) > slack_;
  }
  bool first_directions(const Bounds& a, const Bounds& b) const {
    for (int k = 0; k < directions_; ++k)
      if (both(b.lo0[k] - a.hi0[k], b.lo1[k] - a.hi1[k]) || both(a.lo0[k] - b.hi0[k], a.lo1[k] - b.hi1[k])) return true;
    return false;
  }

  int directions_;
  float horizon_, slack_;
};

class Finder {
 public:
  Finder(const CandidateSearch& s, FeatureCandidates& out) : s_(s), out_(out), apart_(s) {}

  void run(std::vector<NodePair>& stack, std::size_t until, std::size_t enough) {
    while (!stack.empty() && stack.size() < until && out_.size() < enough) {
      const NodePair p = stack.back();
      stack.pop_back();
      const PatchNode &na = s_.tree.nodes[p.a], &nb = s_.tree.nodes[p.b];
      if (p.a == p.b) {
        leaf_itself(na);
        continue;
      }
      ++out_.counters.node_pairs;
      const Dop &x = s_.dops.nodes()[p.a], &y = s_.dops.nodes()[p.b];
      if (apart_(bounds(x), bounds(y))) continue;
      if (na.is_leaf() && nb.is_leaf()) {
        leaves(na, nb, x, y);
      } else if (nb.is_leaf() || (!na.is_leaf() && size(x) >= size(y))) {
        stack.push_back({na.child + 1, p.b});
        stack.push_back({na.child, p.b});
      } else {
        stack.push_back({p.a, nb.child + 1});
        stack.push_back({p.a, nb.child});
      }
    }
  }

  void orphan(const Orphan& o) {
    Dop a, b;
    reach(o.vertices.data(), o.edges ? 2 : 1, a);
    reach(o.vertices.data() + (o.edges ? 2 : 1), o.edges ? 2 : 3, b);
    if (s_.feature_bounds && apart_(bounds(a), bounds(b))) {
      ++out_.counters.bound_culled;
      return;
    }
    ++out_.counters.orphan_tests;
    (o.edges ? out_.edge_edge : out_.vertex_face).push_back(o.vertices);
  }

 private:
  /// A triangle: its number, corners, first bits and bounds; its edges' bounds when they are first asked for.
  struct Side {
    std::uint32_t id;
    const Triangle* corners;
    unsigned bits;
    unsigned known;  ///< bit i: the bounds of edge i are there
    Dop whole;
    Dop edge[3];
  };
  /// Which features of two triangles stand for themselves.
  enum class Asking { all, first, procedural };

  static float size(const Dop& d) {
    return (d.hi[0][0] - d.lo[0][0]) + (d.hi[0][1] - d.lo[0][1]) + (d.hi[0][2] - d.lo[0][2]);
  }

  void load(std::uint32_t item, Side& side) const {
    side.id = s_.tree.items[item];
    side.corners = &s_.topology.triangle(side.id);
    side.bits = s_.topology.first_bits(side.id);
    side.known = 0;
    reach(side.corners->data(), 3, side.whole);
  }
  const Dop& edge(Side& side, std::size_t i) const {
    if (!(side.known >> i & 1)) {
      side.known |= 1u << i;
      reach(edge_of(*side.corners, i).data(), 2, side.edge[i]);
    }
    return side.edge[i];
  }

  /// The triangles of a leaf; the walk often meets a leaf several times in a row.
  struct Leaf {
    const PatchNode* node = nullptr;
    Side sides[patch_leaf_size];
  };
  void load(const PatchNode& n, Leaf& leaf) const {
    if (leaf.node == &n) return;
    leaf.node = &n;
    for (std::uint32_t k = 0; k < n.size(); ++k) load(n.begin + k, leaf.sides[k]);
  }

  void leaf_itself(const PatchNode& n) {
    load(n, left_);
    for (std::uint32_t k = 0; k < n.size(); ++k)
      for (std::uint32_t l = 0; l < k; ++l) triangles(left_.sides[l], left_.sides[k]);
  }

  void leaves(const PatchNode& a, const PatchNode& b, const Dop& around_a, const Dop& around_b) {
    load(a, left_);
    load(b, right_);
    Side* near[patch_leaf_size];
    std::uint32_t n = 0;
    for (std::uint32_t l = 0; l < b.size(); ++l)
      if (!apart_(bounds(right_.sides[l].whole), bounds(around_a))) near[n++] = &right_.sides[l];
    for (std::uint32_t k = 0; n > 0 && k < a.size(); ++k) {
      if (apart_(bounds(left_.sides[k].whole), bounds(around_b))) continue;
      for (std::uint32_t l = 0; l < n; ++l) triangles(left_.sides[k], *near[l]);
    }
  }

  /// The bounds of up to three vertices.
  void reach(const std::uint32_t* v, int n, Dop& r) const {
    const D d;
    const VertexProjection& first = s_.dops.vertex(v[0]);
    for (int e = 0; e < 2; ++e)
      for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
        V lo = hn::LoadU(d, first.at[e] + i), hi = lo;
        for (int k = 1; k < n; ++k) {
          const V x = hn::LoadU(d, s_.dops.vertex(v[k]).at[e] + i);
          lo = hn::Min(lo, x);
          hi = hn::Max(hi, x);
        }
        hn::StoreU(lo, d, r.lo[e] + i);
        hn::StoreU(hi, d, r.hi[e] + i);
      }
    for (int e = 0; e < 2; ++e) {
      float lo = first.ninth[e], hi = lo;
      for (int k = 1; k < n; ++k) {
        lo = std::min(lo, s_.dops.vertex(v[k]).ninth[e]);
        hi = std::max(hi, s_.dops.vertex(v[k]).ninth[e]);
      }
      r.ninth[e] = lo;
      r.ninth[2 + e] = -hi;
    }
  }

  void triangles(Side& a, Side& b) {
    const Triangle &ta = *a.corners, &tb = *b.corners;
    if (!s_.self && s_.pieces[ta[0]] == s_.pieces[tb[0]]) return;
    ++out_.counters.leaf_pairs;
    const bool neighbours = adjacent(ta, tb);
    if (neighbours && s_.orphans) return;
    Asking asking = Asking::all;
    if (s_.representatives) {
      // Adjacent pairs are tested too, or those that have the features first cannot be adjacent: theirs is the pair.
      asking = s_.orphans && s_.topology.may_be_near(a.id, b.id) ? Asking::procedural : Asking::first;
      if (asking == Asking::first && (a.bits | b.bits) == 0) return;
    }
    if (apart_(bounds(a.whole), bounds(b.whole))) return;
    ++out_.counters.triangle_tests;
    out_.counters.feature_pairs += 15;
    vertices(a, b, asking);
    vertices(b, a, asking);
    edges(a, b, asking);
  }

  /// Bounds before the procedure, which takes longer; what they separate is not asked who stands for it.
  bool culled(Asking asking, const Bounds& a, const Bounds& b) {
    const bool apart = s_.feature_bounds && apart_(a, b);
    if (asking != Asking::procedural) {
      ++out_.counters.representative_pairs;
      out_.counters.bound_culled += apart;
    }
    return apart;
  }

  void vertices(const Side& of, const Side& face, Asking asking) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t v = (*of.corners)[i];
      if (asking == Asking::first && !(of.bits >> i & 1)) continue;
      if (has_vertex(*face.corners, v)) continue;
      const VertexProjection& p = s_.dops.vertex(v);
      const float ninth[4] = {p.ninth[0], p.ninth[1], -p.ninth[0], -p.ninth[1]};
      if (culled(asking, {p.at[0], p.at[0], p.at[1], p.at[1], ninth}, bounds(face.whole))) continue;
      if (asking == Asking::procedural) {
        if (!s_.topology.stands_for_vertex(v, of.id, face.id)) continue;
        ++out_.counters.representative_pairs;
      }
      const Triangle& f = *face.corners;
      out_.vertex_face.push_back({v, f[0], f[1], f[2]});
    }
  }

  void edges(Side& a, Side& b, Asking asking) {
    const unsigned of_a = asking == Asking::first ? a.bits >> 3 : 7, of_b = asking == Asking::first ? b.bits >> 3 : 7;
    if (of_a == 0 || of_b == 0) return;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(of_a >> i & 1)) continue;
      const EdgeVertices x = edge_of(*a.corners, i);
      const Bounds bx = bounds(edge(a, i));
      if (s_.feature_bounds && apart_(bx, bounds(b.whole))) continue;
      for (std::size_t j = 0; j < 3; ++j) {
        const EdgeVertices y = edge_of(*b.corners, j);
        if (!(of_b >> j & 1) || share_vertex(x, y) || culled(asking, bx, bounds(edge(b, j)))) continue;
        if (asking == Asking::procedural) {
          if (!s_.topology.stand_for_edges(a.id, i, b.id, j)) continue;
          ++out_.counters.representative_pairs;
        }
        const bool swap = y < x;
        const EdgeVertices &e = swap ? y : x, &f = swap ? x : y;
        out_.edge_edge.push_back({e[0], e[1], f[0], f[1]});
      }
    }
  }

  const CandidateSearch& s_;
  FeatureCandidates& out_;
  Apart apart_;
  Leaf left_, right_;
};

}  // namespace

void Find(const CandidateSearch& search, std::vector<NodePair>& stack, std::size_t until, std::size_t enough,
          FeatureCandidates& out) {
  Finder(search, out).run(stack, until, enough);
}

void FindOrphan(const CandidateSearch& search, const Orphan& orphan, FeatureCandidates& out) {
  Finder(search, out).orphan(orphan);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(Find);
HWY_EXPORT(FindOrphan);

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// Is the whole orphan in the patch: a triangle of each of its features?
bool holds(const ProvedPatch& patch, const CandidateSearch& s, const Orphan& o) {
  const auto inside = [&](std::uint32_t t) {
    return s.tree.position[t] >= patch.begin && s.tree.position[t] < patch.end;
  };
  if (!inside(o.triangles[1])) return false;
  const auto has = [&](const Triangle& t) {
    return has_vertex(t, o.vertices[0]) && (!o.edges || has_vertex(t, o.vertices[1]));
  };
  const auto around = s.topology.around(o.vertices[0]);
  return std::any_of(around.begin(), around.end(),
                     [&](std::uint32_t t) { return inside(t) && has(s.topology.triangle(t)); });
}

}  // namespace

void FeatureCandidates::clear() {
  vertex_face.clear();
  edge_edge.clear();
  counters = {};
}

void CandidateFinder::run(const CandidateSearch& search, std::span<const NodePair> pairs, int threads,
                          FeatureCandidates& out) {
  if (threads == 1) {
    stack_.assign(pairs.rbegin(), pairs.rend());
    HWY_DYNAMIC_DISPATCH(Find)(search, stack_, no_limit, no_limit, out);
    return;
  }
  // Large nodes hold most of the work: their pairs are opened a few times, level by level.
  constexpr std::size_t rounds = 6;
  const auto is_large = [&](const NodePair& p) {
    return (search.tree.nodes[p.a].size() + search.tree.nodes[p.b].size()) * 64 >= search.tree.items.size();
  };
  stack_.clear();
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(stack_), is_large);
  std::vector<NodePair> opened, one;
  for (std::size_t round = 0; round < rounds; ++round) {
    opened.clear();
    for (const NodePair& p : stack_) {
      one.assign(1, p);
      HWY_DYNAMIC_DISPATCH(Find)(search, one, 2, no_limit, out);
      opened.insert(opened.end(), one.begin(), one.end());
    }
    stack_.swap(opened);
  }
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(stack_), [&](const NodePair& p) { return !is_large(p); });
  const std::size_t tasks = 64 * static_cast<std::size_t>(threads);
  if (parts_.size() < tasks) parts_.resize(tasks);
  core::parallel_for(tasks, threads, [&](std::size_t i) {
    parts_[i].clear();
    const std::size_t first = i * stack_.size() / tasks, last = (i + 1) * stack_.size() / tasks;
    std::vector<NodePair> mine(stack_.begin() + static_cast<std::ptrdiff_t>(first),
                               stack_.begin() + static_cast<std::ptrdiff_t>(last));
    HWY_DYNAMIC_DISPATCH(Find)(search, mine, no_limit, no_limit, parts_[i]);
  });
  for (std::size_t i = 0; i < tasks; ++i) {
    const FeatureCandidates& p = parts_[i];
    out.vertex_face.insert(out.vertex_face.end(), p.vertex_face.begin(), p.vertex_face.end());
    out.edge_edge.insert(out.edge_edge.end(), p.edge_edge.begin(), p.edge_edge.end());
    out.counters += p.counters;
  }
}

void CandidateFinder::begin(std::span<const NodePair> pairs) { stack_.assign(pairs.rbegin(), pairs.rend()); }

bool CandidateFinder::next(const CandidateSearch& search, std::size_t enough, FeatureCandidates& out) {
  HWY_DYNAMIC_DISPATCH(Find)(search, stack_, no_limit, enough, out);
  return !stack_.empty();
}

void CandidateFinder::add_orphans(const CandidateSearch& search, const Orphans& orphans,
                                  std::span<const ProvedPatch> proved, FeatureCandidates& out) {
  if (!search.self) return;
  for (const Orphan& o : orphans.all()) {
    // Proved patches do not overlap and rise: the last that begins before the second feature's triangle.
    const auto after = std::upper_bound(proved.begin(), proved.end(), search.tree.position[o.triangles[1]],
                                        [](std::uint32_t at, const ProvedPatch& p) { return at < p.begin; });
    if (after != proved.begin() && holds(*(after - 1), search, o)) continue;
    HWY_DYNAMIC_DISPATCH(FindOrphan)(search, o, out);
  }
}

}  // namespace graze::query
#endif
