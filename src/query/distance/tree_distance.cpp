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

/// Squares of distances between box k of `one` and boxes i... of `many`, from below. Along three perpendicular axes the
/// gaps are components of the distance; A's axes and B's axes each give a bound. B's rounded axes stretch by at most 6
/// u, which the factor covers with the roundings here.
inline hn::Vec<D> squared_gaps(const Side& one, int k, const Side& many, std::size_t i) {
  const D d;
  const auto gap = [&](const float(*c1)[8], const float(*h1)[8], const float(*c2)[8], const float(*h2)[8], int axis) {
    const auto between = hn::Abs(hn::Sub(hn::Load(d, c2[axis] + i), hn::Set(d, c1[axis][k])));
    return hn::Max(hn::Zero(d), hn::Sub(between, hn::Add(hn::Load(d, h2[axis] + i), hn::Set(d, h1[axis][k]))));
  };
  const auto sum = [&](const float(*c1)[8], const float(*h1)[8], const float(*c2)[8], const float(*h2)[8]) {
    const auto x = gap(c1, h1, c2, h2, 0), y = gap(c1, h1, c2, h2, 1), z = gap(c1, h1, c2, h2, 2);
    return hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
  };
  return hn::Max(sum(one.c, one.h, many.c, many.h), sum(one.cb, one.hb, many.cb, many.hb));
}

/// The bound that pairs must stay below, in A's float frame, rounded up; squares of very small numbers may underflow to
/// 0, which keeps pairs.
inline float limit_of(const Candidates& candidates, int exponent) {
  if (candidates.bound() < 0) return -1;
  const double f = std::ldexp(candidates.bound(), -exponent);
  return static_cast<float>(f * f * (1 + 1e-6)) + 1e-37f;
}

/// Ranges along the three axes of a frame, of up to eight boxes or triangles.
struct alignas(64) Extents {
  float lo[3][8], hi[3][8];
};

/// A third frame beside A's and B's: its first axis is the direction in which the closest points so far lie, along
/// which DESIGN 4's certificate is sharp; the other two tell pairs apart that lie beside the closest ones. Any
/// direction is right; this one is good.
class DirectedFrame {
 public:
  explicit DirectedFrame(const TreeFrame& frame) : f_(frame) {}

  /// Takes the direction; false while there is none.
  bool set(const Vec3& direction) {
    if (direction == direction_) return valid_;
    direction_ = direction;
    const double len = length(direction);
    valid_ = len > 0 && std::isfinite(len);
    if (!valid_) return false;
    const Vec3 n = direction * (1 / len);
    const Vec3 aside = std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 t = cross(n, aside);
    t = t * (1 / length(t));
    const Vec3 axes[3] = {n, t, cross(n, t)};
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) a_[k][i] = static_cast<float>(axes[k][i]);
      for (int j = 0; j < 3; ++j)
        b_[k][j] = f_.rho * (a_[k][0] * f_.r[j] + a_[k][1] * f_.r[3 + j] + a_[k][2] * f_.r[6 + j]);
      t_[k] = a_[k][0] * f_.t[0] + a_[k][1] * f_.t[1] + a_[k][2] * f_.t[2];
    }
    return true;
  }

  /// Boxes of A in A's frame, boxes of B in B's; slabs sharpen the first axis. The slack is the frame's error on both
  /// sides times |axis|_1 < 1.74, doubled for roundings here.
  void boxes_of_a(const Side& s, const SlabView* slabs, Extents& out) const {
    boxes(s.n, a_, nullptr, s.c, s.h, slabs, out);
  }
  void boxes_of_b(const Side& s, const SlabView* slabs, Extents& out) const {
    boxes(s.n, b_, t_, s.own_c, s.own_h, slabs, out);
  }

  /// The triangles of a bottom node, by their corners.
  void triangles_of_a(const WideTree& t, const bvh::WideNode& node, Extents& out) const {
    triangles(t, node, a_, nullptr, out);
  }
  void triangles_of_b(const WideTree& t, const bvh::WideNode& node, Extents& out) const {
    triangles(t, node, b_, t_, out);
  }

 private:
  float slack() const { return 4 * f_.error; }

  void boxes(int n, const float (*axes)[3], const float* shift, const float (*c)[8], const float (*h)[8],
             const SlabView* slabs, Extents& out) const {
    const D d;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); i += hn::Lanes(d))
      for (int k = 0; k < 3; ++k) {
        const float down[3] = {-axes[k][0], -axes[k][1], -axes[k][2]};
        const auto base = hn::Set(d, shift ? shift[k] : 0.0f), e = hn::Set(d, slack());
        const SlabView* s = k == 0 ? slabs : nullptr;
        hn::Store(hn::Add(hn::Add(base, highest(axes[k], c, h, s, i)), e), d, out.hi[k] + i);
        hn::Store(hn::Sub(hn::Sub(base, highest(down, c, h, s, i)), e), d, out.lo[k] + i);
      }
  }

  void triangles(const WideTree& t, const bvh::WideNode& node, const float (*axes)[3], const float* shift,
                 Extents& out) const {
    const D d;
    for (std::size_t i = 0; i < node.count; i += hn::Lanes(d)) {
      hn::Vec<D> x[3], y[3], z[3];
      for (int corner = 0; corner < 3; ++corner) {
        x[corner] = hn::LoadU(d, t.row(node, corner, 0) + i);
        y[corner] = hn::LoadU(d, t.row(node, corner, 1) + i);
        z[corner] = hn::LoadU(d, t.row(node, corner, 2) + i);
      }
      for (int k = 0; k < 3; ++k) {
        const float* n = axes[k];
        const float base =
            n[0] * node.origin[0] + n[1] * node.origin[1] + n[2] * node.origin[2] + (shift ? shift[k] : 0.0f);
        const auto at = [&](int corner) { return combine<false>(n[0], n[1], n[2], x[corner], y[corner], z[corner]); };
        const auto p = at(0), q = at(1), r = at(2);
        hn::Store(hn::Add(hn::Max(p, hn::Max(q, r)), hn::Set(d, base + slack())), d, out.hi[k] + i);
        hn::Store(hn::Add(hn::Min(p, hn::Min(q, r)), hn::Set(d, base - slack())), d, out.lo[k] + i);
      }
    }
  }

  /// How far boxes reach along n at most, by their sides and, if there are slabs, by those: with any number k, n . x =
  /// k (m . x) + (n - k m) . x, and the first term is bounded by the slab, the second by the box. k = n . m makes the
  /// second small where n is close to the patch's normal.
  static hn::Vec<D> highest(const float* n, const float (*c)[8], const float (*h)[8], const SlabView* slabs,
                            std::size_t i) {
    const D d;
    const auto nx = hn::Set(d, n[0]), ny = hn::Set(d, n[1]), nz = hn::Set(d, n[2]);
    const auto reach = [&](auto x, auto y, auto z) {
      const auto centre =
          hn::MulAdd(x, hn::Load(d, c[0] + i), hn::MulAdd(y, hn::Load(d, c[1] + i), hn::Mul(z, hn::Load(d, c[2] + i))));
      return hn::MulAdd(
          hn::Abs(x), hn::Load(d, h[0] + i),
          hn::MulAdd(hn::Abs(y), hn::Load(d, h[1] + i), hn::MulAdd(hn::Abs(z), hn::Load(d, h[2] + i), centre)));
    };
    const auto by_box = reach(nx, ny, nz);
    if (!slabs) return by_box;
    const auto mx = hn::LoadU(d, slabs->m[0] + i), my = hn::LoadU(d, slabs->m[1] + i),
               mz = hn::LoadU(d, slabs->m[2] + i);
    const auto k = hn::MulAdd(nx, mx, hn::MulAdd(ny, my, hn::Mul(nz, mz)));
    const auto rest = reach(hn::NegMulAdd(k, mx, nx), hn::NegMulAdd(k, my, ny), hn::NegMulAdd(k, mz, nz));
    const auto by_slab =
        hn::Add(rest, hn::Max(hn::Mul(k, hn::LoadU(d, slabs->lo + i)), hn::Mul(k, hn::LoadU(d, slabs->hi + i))));
    return hn::Min(by_box, by_slab);
  }

  const TreeFrame& f_;
  Vec3 direction_{};
  float a_[3][3], b_[3][3], t_[3] = {};  // the axes in A's frame; in B's, times rho; and the offset along them
  bool valid_ = false;
};

/// The square of the distance from below, by the gaps along the three axes: of box or triangle j of B and i... of A.
inline hn::Vec<D> directed_gaps(const Extents& a, std::size_t i, const Extents& b, int j) {
  const D d;
  auto sum = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    const auto gap = hn::Max(hn::Zero(d), hn::Max(hn::Sub(hn::Set(d, b.lo[k][j]), hn::Load(d, a.hi[k] + i)),
                                                  hn::Sub(hn::Load(d, a.lo[k] + i), hn::Set(d, b.hi[k][j]))));
    sum = hn::MulAdd(gap, gap, sum);
  }
  return sum;
}

struct Found {
  DistancePair pairs[64];
  int n = 0;
};

/// All pairs that may be closer than the bound, nearest first: na boxes or triangles of A, nb of B. `bound(i, j)`: the
/// squares of the distances of i... of A and j of B from below.
template <class Bound>
void near_pairs(int na, int nb, float limit, Found& out, Bound&& bound) {
  const D d;
  alignas(64) float squares[8];
  out.n = 0;
  for (int j = 0; j < nb; ++j)
    for (std::size_t i0 = 0; i0 < static_cast<std::size_t>(na); i0 += hn::Lanes(d)) {
      const auto squared = bound(i0, j);
      const unsigned far = bits_of(hn::Gt(squared, hn::Set(d, limit)));  // NaN is never far
      unsigned near = ~far & ((1u << hn::Lanes(d)) - 1);
      if (near == 0) continue;
      hn::Store(squared, d, squares + i0);
      for (; near != 0; near &= near - 1) {
        const auto i = static_cast<std::uint32_t>(i0) + static_cast<std::uint32_t>(__builtin_ctz(near));
        if (i < static_cast<std::uint32_t>(na)) out.pairs[out.n++] = {i, static_cast<std::uint32_t>(j), squares[i]};
      }
    }
  std::sort(out.pairs, out.pairs + out.n, [](const DistancePair& x, const DistancePair& y) {
    return x.squared != y.squared ? x.squared < y.squared : x.a != y.a ? x.a < y.a : x.b < y.b;
  });
}

/// The triangle pairs of two bottom nodes, nearest first. Whenever one of them gives a better direction, the rest are
/// looked at along it.
void consider_pairs(const DistanceQuery& q, const bvh::WideNode& na, const bvh::WideNode& nb, DirectedFrame& directed,
                    Found& found, Candidates& out) {
  const WideTree &a = q.a.tree, &b = q.b.tree;
  const D d;
  Extents ea, eb;
  alignas(64) float squares[8];
  Vec3 seen = out.direction;
  float limit = limit_of(out, a.frame.exponent);
  for (int i = 0; i < found.n; ++i) {
    if (found.pairs[i].squared > limit) continue;
    out.consider(a.triangle(na.first + found.pairs[i].a), b.triangle(nb.first + found.pairs[i].b));
    limit = limit_of(out, a.frame.exponent);
    if (out.direction == seen || i + 1 == found.n || !directed.set(out.direction)) continue;
    seen = out.direction;
    directed.triangles_of_a(a, na, ea);
    directed.triangles_of_b(b, nb, eb);
    for (int k = i + 1; k < found.n; ++k) {
      const std::size_t lane = found.pairs[k].a / hn::Lanes(d) * hn::Lanes(d);
      hn::Store(directed_gaps(ea, lane, eb, static_cast<int>(found.pairs[k].b)), d, squares + lane);
      found.pairs[k].squared = std::max(found.pairs[k].squared, squares[found.pairs[k].a] * (1 - 1e-5f));
    }
  }
}

void TraverseDistance(const DistanceQuery& q, const TreeFrame& frame, std::vector<DistancePair>& stack,
                      std::size_t until, Candidates& out) {
  const WideTree &a = q.a.tree, &b = q.b.tree;
  const Slabs &slabs_a = q.a.tree.slabs, &slabs_b = q.b.tree.slabs;
  Side sa, sb;
  DirectedFrame directed(frame);
  Extents ea, eb;
  Found found;
  // The first way down gives a bound and a direction; with those the top of the tree is worth a second look.
  bool first = stack.size() == 1 && stack[0].a == 0 && stack[0].b == 0;
  while (!stack.empty() && stack.size() < until) {
    if (first && !out.list.empty()) {
      first = false;
      stack.assign(1, {0, 0, 0});
    }
    const DistancePair pair = stack.back();
    stack.pop_back();
    const float limit = limit_of(out, a.frame.exponent);
    if (pair.squared > limit) continue;
    ++out.counters.node_pairs;
    const bvh::WideNode &na = a.tree.nodes[pair.a], &nb = b.tree.nodes[pair.b];
    const bool both_bottom = na.bottom && nb.bottom;
    const bool open_a = both_bottom || !na.bottom, open_b = both_bottom || !nb.bottom;
    const auto shrink = hn::Set(D(), 1 - 1e-5f);
    const bool has_direction = directed.set(out.direction);
    if (has_direction && both_bottom) {
      out.counters.box_tests += static_cast<std::uint64_t>(na.count * nb.count);
      directed.triangles_of_a(a, na, ea);
      directed.triangles_of_b(b, nb, eb);
      near_pairs(na.count, nb.count, limit, found,
                 [&](std::size_t i, int j) { return hn::Mul(directed_gaps(ea, i, eb, j), shrink); });
    } else {
      prepare_a(frame, na, pair.a, open_a, sa);
      prepare_b(frame, nb, pair.b, open_b, sb);
      out.counters.box_tests += static_cast<std::uint64_t>(sa.n * sb.n);
      if (has_direction) {
        // A bottom node's boxes are those of triangles, which have no slabs.
        SlabView va{}, vb{};
        if (!na.bottom) va = slabs_a.of(na);
        if (!nb.bottom) vb = slabs_b.of(nb);
        directed.boxes_of_a(sa, na.bottom ? nullptr : &va, ea);
        directed.boxes_of_b(sb, nb.bottom ? nullptr : &vb, eb);
      }
      near_pairs(sa.n, sb.n, limit, found, [&](std::size_t i, int j) {
        auto squared = has_direction ? directed_gaps(ea, i, eb, j) : hn::Zero(D());
        // Where the directed frame has settled the whole row, the other two need not be asked.
        if (!hn::AllTrue(D(), hn::Gt(squared, hn::Set(D(), 1.001f * limit))))
          squared = hn::Max(squared, squared_gaps(sb, j, sa, i));
        return hn::Mul(squared, shrink);
      });
    }
    if (both_bottom) {
      ++out.counters.leaf_pairs;
      consider_pairs(q, na, nb, directed, found, out);
    } else {
      for (int i = found.n; i-- > 0;)
        stack.push_back({open_a ? na.first + found.pairs[i].a : pair.a, open_b ? nb.first + found.pairs[i].b : pair.b,
                         found.pairs[i].squared});
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(TraverseDistance);

void traverse_distance(const DistanceQuery& query, const TreeFrame& frame, std::vector<DistancePair>& stack,
                       std::size_t until, Candidates& candidates) {
  HWY_DYNAMIC_DISPATCH(TraverseDistance)(query, frame, stack, until, candidates);
}

}  // namespace graze::query
#endif
