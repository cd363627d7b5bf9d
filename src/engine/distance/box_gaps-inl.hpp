// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_DISTANCE_BOX_GAPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_DISTANCE_BOX_GAPS_INL
#undef GRAZE_QUERY_DISTANCE_BOX_GAPS_INL
#else
#define GRAZE_QUERY_DISTANCE_BOX_GAPS_INL
#endif

#include "engine/distance/lanes-inl.hpp"
#include "engine/distance/tree_distance.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::distance {
namespace HWY_NAMESPACE {
namespace gaps {

/// The boxes of a node: those of its children, or its own.
struct alignas(64) Side {
  float c[3][8], h[3][8];          ///< centres and half widths along A's axes, in A's frame
  float cb[3][8], hb[3][8];        ///< along B's axes
  float own_c[3][8], own_h[3][8];  ///< in the body's own frame and units
  float m[3][8], lo[8], hi[8];     ///< slabs, in the body's own frame, relative to the box's centre
  float low[3][8], high[3][8];     ///< ranges along the axes of a DirectedFrame
  int n = 0;
  std::uint32_t node = ~0u;
  bool open = false;
  unsigned directed = 0;  ///< number of the direction that the ranges belong to
};

/// Centres and half widths of a node's boxes in its own frame.
inline void decode(const bvh::WideNode& node, bool open, Side& s) {
  const D d;
  const hn::Rebind<std::uint8_t, D> d8;
  const hn::Rebind<std::int32_t, D> d32;
  for (int axis = 0; axis < 3; ++axis) {
    const float half = 0.5f * node.scale[axis];
    if (!open) {
      hn::Store(hn::Set(d, node.origin[axis] + 255 * half), d, s.own_c[axis]);
      hn::Store(hn::Set(d, 255 * half), d, s.own_h[axis]);
      continue;
    }
    for (std::size_t i = 0; i < 8; i += lanes()) {
      const V lo = hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, node.lo[axis] + i)));
      const V hi = hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, node.hi[axis] + i)));
      hn::Store(hn::MulAdd(hn::Add(lo, hi), hn::Set(d, half), hn::Set(d, node.origin[axis])), d, s.own_c[axis] + i);
      hn::Store(hn::Mul(hn::Sub(hi, lo), hn::Set(d, half)), d, s.own_h[axis] + i);
    }
  }
}

inline void load_slabs(const body::WideTree& tree, Side& s) {
  const D d;
  const bvh::WideNode& node = tree.tree.nodes[s.node];
  const body::SlabView view = s.open ? tree.slabs.of(node) : tree.slabs.of_node(node, s.node);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += lanes()) {
    const V3 m{{hn::LoadU(d, view.m[0] + i), hn::LoadU(d, view.m[1] + i), hn::LoadU(d, view.m[2] + i)}};
    const V base = dot(m, load3(s.own_c, i));
    store3(m, s.m, i);
    hn::Store(hn::Sub(hn::LoadU(d, view.lo + i), base), d, s.lo + i);
    hn::Store(hn::Sub(hn::LoadU(d, view.hi + i), base), d, s.hi + i);
  }
}

/// Prepares a node's children or the node itself, of A or of B; along the other body's axes a box has centre R^T c and
/// half widths |R^T| h, or centre rho R c + t and half widths rho |R| h. The frame's error is added to B's boxes, once
/// for both sides.
inline void prepare(const body::TreeFrame& f, const body::WideTree& tree, std::uint32_t index, bool open, bool of_b,
                    const Sweep& sweep, Side& s) {
  if (s.node == index && s.open == open) return;
  const bvh::WideNode& node = tree.tree.nodes[index];
  s.node = index;
  s.open = open;
  s.directed = 0;
  s.n = open ? node.count : 1;
  decode(node, open, s);
  load_slabs(tree, s);
  const D d;
  float r[9];  // |R|
  for (int k = 0; k < 9; ++k) r[k] = f.r[k] < 0 ? -f.r[k] : f.r[k];
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += lanes()) {
    V3 c = load3(s.own_c, i), h = load3(s.own_h, i);
    if (!of_b) {
      store3(c, s.c, i);
      store3(h, s.h, i);
      store3(turned_back(f.r, c), s.cb, i);
      store3(turned_back(r, h), s.hb, i);
      continue;
    }
    const auto wider = [&](const V3& v, float error, const float* reach) {
      return v + V3{{hn::Set(d, error + reach[0]), hn::Set(d, error + reach[1]), hn::Set(d, error + reach[2])}};
    };
    c = scaled(c, hn::Set(d, f.rho));
    h = scaled(h, hn::Set(d, f.rho));
    store3(turned(f.r, c) + set3(f.t), s.c, i);
    store3(wider(turned(r, h), f.error, sweep.reach_a), s.h, i);
    store3(c + set3(f.rt), s.cb, i);
    store3(wider(h, f.error_b, sweep.reach_b), s.hb, i);
  }
}

/// A third frame besides A's and B's: its first axis is the direction between the closest points found so far, along
/// which the certificate of docs/design.md 4 is sharp; the other two separate pairs that lie beside the closest ones.
/// Any direction is valid; this one is effective.
class DirectedFrame {
 public:
  DirectedFrame(const body::TreeFrame& frame, const Sweep& sweep) : f_(frame), sweep_(sweep) { set({1, 0, 0}); }

  /// Sets the direction, if it has a length.
  void set(const Vec3& direction) {
    if (direction == direction_) return;
    direction_ = direction;
    const double len = length(direction);
    if (!(len > 0) || !std::isfinite(len)) return;
    ++version_;
    const Vec3 n = direction * (1 / len);
    const Vec3 aside = std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 t = graze::cross(n, aside);
    t = t * (1 / length(t));
    const Vec3 third[3] = {n, t, graze::cross(n, t)};
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) axes[k][i] = static_cast<float>(third[k][i]);
      for (int j = 0; j < 3; ++j)
        own_b_[k][j] = axes[k][0] * f_.r[j] + axes[k][1] * f_.r[3 + j] + axes[k][2] * f_.r[6 + j];
      shift_[k] = axes[k][0] * f_.t[0] + axes[k][1] * f_.t[1] + axes[k][2] * f_.t[2];
      reach[k] = std::fabs(axes[k][0] * sweep_.way[0] + axes[k][1] * sweep_.way[1] + axes[k][2] * sweep_.way[2]) +
                 sweep_.slack;
    }
  }

  /// Ranges of a side's boxes along the axes; slabs tighten the first: for any number k, n . x = k (m . x) + (n - k m)
  /// . x; the slab bounds the first term, the box the second. k = n . m makes the second small where n is close to the
  /// patch's normal. The slack on either side is half of that of `refine`.
  void measure(bool of_b, Side& s) const {
    if (s.directed == version_) return;
    s.directed = version_;
    const D d;
    const V size = hn::Set(d, of_b ? f_.rho : 1.0f);
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += lanes()) {
      const V3 c = load3(s.own_c, i), h = load3(s.own_h, i), m = load3(s.m, i);
      for (int k = 0; k < 3; ++k) {
        const V3 n = set3(of_b ? own_b_[k] : axes[k]);
        const V half = gaps::reach(n, h), aside = hn::Set(d, of_b ? reach[k] + 3 * f_.error : 3 * f_.error);
        V low = hn::Neg(half), high = half;
        if (k == 0) {
          const V share = dot(n, m), rest = gaps::reach(less(n, share, m), h);
          const V x = hn::Mul(share, hn::Load(d, s.lo + i)), y = hn::Mul(share, hn::Load(d, s.hi + i));
          low = hn::Max(low, hn::Sub(hn::Min(x, y), rest));
          high = hn::Min(high, hn::Add(hn::Max(x, y), rest));
        }
        const V centre = hn::MulAdd(size, dot(n, c), hn::Set(d, of_b ? shift_[k] : 0.0f));
        hn::Store(hn::Sub(hn::MulAdd(size, low, centre), aside), d, s.low[k] + i);
        hn::Store(hn::Add(hn::MulAdd(size, high, centre), aside), d, s.high[k] + i);
      }
    }
  }

  float axes[3][3];  ///< along A's axes
  float reach[3];    ///< of the sweep along these

 private:
  const body::TreeFrame& f_;
  const Sweep& sweep_;
  Vec3 direction_{};
  float own_b_[3][3], shift_[3];
  unsigned version_ = 0;
};

/// Lower bounds of the squared distances of box or triangle j of B and i... of A, given their ranges: the gaps along
/// three perpendicular axes are components of the distance.
inline V squared_gaps(const float (*low_a)[8], const float (*high_a)[8], std::size_t i, const float (*low_b)[8],
                      const float (*high_b)[8], int j) {
  const D d;
  V sum = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    const V gap = hn::Max(hn::Zero(d), hn::Max(hn::Sub(hn::Set(d, low_b[k][j]), hn::Load(d, high_a[k] + i)),
                                               hn::Sub(hn::Load(d, low_a[k] + i), hn::Set(d, high_b[k][j]))));
    sum = hn::MulAdd(gap, gap, sum);
  }
  return sum;
}

/// The same along A's axes, and along B's, whose rounded axes are too long by at most 6 u; the caller's factor covers
/// that and the roundings here.
inline V squared_gaps(const Side& a, std::size_t i, const Side& b, int j) {
  const D d;
  const auto sum = [&](const float(*ca)[8], const float(*ha)[8], const float(*cb)[8], const float(*hb)[8]) {
    V s = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const V between = hn::Abs(hn::Sub(hn::Load(d, ca[k] + i), hn::Set(d, cb[k][j])));
      const V gap = hn::Max(hn::Zero(d), hn::Sub(between, hn::Add(hn::Load(d, ha[k] + i), hn::Set(d, hb[k][j]))));
      s = hn::MulAdd(gap, gap, s);
    }
    return s;
  };
  return hn::Max(sum(a.c, a.h, b.c, b.h), sum(a.cb, a.hb, b.cb, b.hb));
}

/// Up to eight pairs of boxes with their slabs: centres along A's axes, everything else along the bodies' own.
struct alignas(64) BoxPairs {
  float line[3][8];  ///< from A's centre to B's
  float ha[3][8], ma[3][8], loa[8], hia[8];
  float hb[3][8], mb[3][8], lob[8], hib[8];

  void set(int k, const Side& a, std::uint32_t i, const Side& b, std::uint32_t j) {
    for (int axis = 0; axis < 3; ++axis) {
      line[axis][k] = b.c[axis][j] - a.c[axis][i];
      ha[axis][k] = a.own_h[axis][i];
      ma[axis][k] = a.m[axis][i];
      hb[axis][k] = b.own_h[axis][j];
      mb[axis][k] = b.m[axis][j];
    }
    loa[k] = a.lo[i];
    hia[k] = a.hi[i];
    lob[k] = b.lo[j];
    hib[k] = b.hi[j];
  }
};

/// Lower bounds of their distances, refined until all exceed their limits: along the line from the centre of the
/// smaller box to the nearest point of the larger, along both slabs, and between the line of centres and the direction
/// of the closest points so far.
///
/// Error, with u = 2^-24 and coordinates of at most 1 in either frame: the frame's own error along a unit direction,
/// 1.74 `error` = (28 + 32 rho + 14 |t|) u. Roundings here: the line and its product with n, 7 (1 + 1.74 rho + |t|) u.
/// A's extent: n - k m has an error of 2 u per coordinate (k may be any number), the ends of the slab relative to the
/// centre 6 u, products and sums 10 u: 22 u. B's the same, 22 rho u, and 15 rho u for n along its axes, with an error
/// of 5 u per coordinate. DirectedFrame maps B's centre through those as well: 20 rho u more, and rounds the sums by
/// (10 + 10 rho + 11 |t|) u. Together below 6 `error` = (96 + 108 rho + 48 |t|) u.
///
/// Range: see TreeFrame. Directions are those of slabs (unit length up to 4 u, the root's 0), of the third frame
/// (computed in double, at any scale), or come from `unit`; each has length one, 0 or NaN, and only length one proves
/// anything. In `clamped`, `Min` and `Max` get no NaN; in `along` they do if n is NaN, and then n . line and the whole
/// bound are NaN too.
inline V refine(const body::TreeFrame& f, const Sweep& sweep, const BoxPairs& p, std::size_t i, const float* best,
                V limit) {
  const D d;
  const V rho = hn::Set(d, f.rho), e = hn::Set(d, 6 * f.error + sweep.slack);
  const V3 way = set3(sweep.way);
  const V3 line = load3(p.line, i), ha = load3(p.ha, i), hb = scaled(load3(p.hb, i), rho);
  const V3 ma = load3(p.ma, i), mb = load3(p.mb, i);
  const V loa = hn::Load(d, p.loa + i), hia = hn::Load(d, p.hia + i);
  const V lob = hn::Mul(rho, hn::Load(d, p.lob + i)), hib = hn::Mul(rho, hn::Load(d, p.hib + i));
  const auto along = [&](const V3& n) {
    const V3 own = turned_back(f.r, n);
    const V ka = dot(n, ma), kb = dot(own, mb);
    const V by_slab_a = hn::Add(reach(less(n, ka, ma), ha), hn::Max(hn::Mul(ka, loa), hn::Mul(ka, hia)));
    const V by_slab_b = hn::Sub(reach(less(own, kb, mb), hb), hn::Min(hn::Mul(kb, lob), hn::Mul(kb, hib)));
    const V ta = hn::Min(reach(n, ha), by_slab_a), tb = hn::Min(reach(own, hb), by_slab_b);
    return hn::Sub(dot(n, line), hn::Add(hn::Add(ta, tb), hn::Add(hn::Abs(dot(n, way)), e)));
  };
  Largest out;
  const V3 in_b = turned(f.r, clamped(turned_back(f.r, line), hb)), in_a = clamped(line, ha);
  out.offer(along(unit(choose(hn::Gt(dot(hb, hb), dot(ha, ha)), line - in_b, line - in_a))));
  if (out.all_beyond(limit)) return out.gap;
  const V3 normal_b = turned(f.r, mb);
  const V zero = hn::Zero(d);
  const auto towards = [&](const V3& n) { return choose(hn::Gt(dot(n, line), zero), n, scaled(n, hn::Set(d, -1.0f))); };
  out.offer(along(towards(ma)));
  out.offer(along(towards(normal_b)));
  if (out.all_beyond(limit)) return out.gap;
  out.offer(along(unit(unit(line) + set3(best))));
  return out.gap;
}

}  // namespace gaps
}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::distance
HWY_AFTER_NAMESPACE();

#endif
