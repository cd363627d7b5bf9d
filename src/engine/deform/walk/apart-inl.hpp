// SPDX-License-Identifier: MIT
// Compares bounds at both ends of a step, several directions per instruction. Included once for each instruction set.
#if defined(GRAZE_QUERY_DEFORM_APART_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_DEFORM_APART_INL_HPP
#undef GRAZE_QUERY_DEFORM_APART_INL_HPP
#else
#define GRAZE_QUERY_DEFORM_APART_INL_HPP
#endif

#include <algorithm>
#include <cmath>

#include "engine/deform/walk/candidates.hpp"
#include "simd/floats-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::deform {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types with the same names

using namespace simd::floats::HWY_NAMESPACE;

/// Pointers to bounds: along the first eight directions at both ends, and along the ninth.
struct Bounds {
  const float *lo0, *hi0, *lo1, *hi1, *ninth;
};
inline Bounds bounds(const Dop& d) { return {d.lo[0], d.hi[0], d.lo[1], d.hi[1], d.ninth}; }

/// The interval for which bounds are compared.
enum class Until {
  end,      ///< nine directions, the whole step
  horizon,  ///< any number of directions, until some time of the step
  soon      ///< nine directions, until a time so early that only the start is tested, with a larger slack
};

/// Separated along some direction, on the same side at both ends of [0, horizon], by more than `slack`.
///
/// Range: projections are below 2^26 (DopTree::project), so that gaps, their differences and products with a horizon of
/// at most 1 neither overflow nor become NaN; slacks are at most 2e31. Gaps that underflow are below any slack, which
/// is above 1e-37. `Min` and `Max` never receive a NaN; if they did, the comparison with the slack would keep the pair.
template <Until until>
class Apart {
 public:
  explicit Apart(const CandidateSearch& s) : directions_(s.directions), horizon_(s.horizon) {
    slack_ = 2 * (s.dops.slack() + s.more_slack);
    // A bound changes by no more than the vertices do, along a diagonal by the sum of two coordinates; a gap changes by
    // twice as much.
    if (until == Until::soon) slack_ += 4.01f * horizon_ * s.dops.longest_displacement();
  }

  /// One branch only: the result is hard to predict.
  HWY_INLINE bool operator()(const Bounds& a, const Bounds& b) const {
    if (until == Until::horizon && directions_ != dop_directions) return first_directions(a, b);
    const D d;
    const V slack = hn::Set(d, slack_);
    const float along_ninth = std::max(least(b.ninth[0] + a.ninth[2], b.ninth[1] + a.ninth[3]),
                                       least(a.ninth[0] + b.ninth[2], a.ninth[1] + b.ninth[3]));
    V gap = hn::Set(d, along_ninth);
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      const auto at = [&](const float* p) { return hn::LoadU(d, p + i); };
      const V below0 = hn::Sub(at(b.lo0), at(a.hi0)), above0 = hn::Sub(at(a.lo0), at(b.hi0));
      if (until == Until::soon) {
        gap = hn::Max(gap, hn::Max(below0, above0));
        continue;
      }
      V below1 = hn::Sub(at(b.lo1), at(a.hi1)), above1 = hn::Sub(at(a.lo1), at(b.hi1));
      if (until == Until::horizon) {
        below1 = interpolated(below0, below1);
        above1 = interpolated(above0, above1);
      }
      gap = hn::Max(gap, hn::Max(hn::Min(below0, below1), hn::Min(above0, above1)));
    }
    return !hn::AllFalse(d, hn::Gt(gap, slack));
  }

 private:
  /// A gap at the horizon t. Each gap is off by at most 2^-23 of itself (`widened` covers only small ones), their
  /// difference and its product with t by 2^-24 of themselves. With a positive gap0 and a negative gap1, where these
  /// may cancel, that is together at most 2^-24 (2 |gap0| + 4 t |gap1|), which is subtracted. What remains is relative
  /// to the result itself, as for gaps that are not interpolated.
  HWY_INLINE V interpolated(V gap0, V gap1) const {
    const D d;
    const V error = hn::Mul(hn::Set(d, 0x1p-22f), hn::Add(hn::Abs(gap0), hn::Abs(gap1)));
    return hn::Sub(hn::Add(gap0, hn::Mul(hn::Set(d, horizon_), hn::Sub(gap1, gap0))), error);
  }
  float least(float gap0, float gap1) const {
    if (until == Until::soon) return gap0;
    if (until == Until::horizon)
      gap1 = gap0 + horizon_ * (gap1 - gap0) - 0x1p-22f * (std::fabs(gap0) + std::fabs(gap1));
    return std::min(gap0, gap1);
  }
  bool first_directions(const Bounds& a, const Bounds& b) const {
    bool apart = false;
    for (int k = 0; k < directions_; ++k)
      apart |= least(b.lo0[k] - a.hi0[k], b.lo1[k] - a.hi1[k]) > slack_ ||
               least(a.lo0[k] - b.hi0[k], a.lo1[k] - b.hi1[k]) > slack_;
    return apart;
  }

  int directions_;
  float horizon_, slack_;
};

/// The bounds of up to three vertices, widened.
inline void reach(const DopTree& dops, const std::uint32_t* v, int n, Dop& r) {
  const D d;
  const VertexProjection& first = dops.vertex(v[0]);
  for (int e = 0; e < 2; ++e)
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      V lo = hn::LoadU(d, first.at[e] + i), hi = lo;
      for (int k = 1; k < n; ++k) {
        const V x = hn::LoadU(d, dops.vertex(v[k]).at[e] + i);
        lo = hn::Min(lo, x);
        hi = hn::Max(hi, x);
      }
      const V share = hn::Set(d, 0x1p-22f);
      hn::StoreU(hn::Sub(lo, hn::Mul(share, hn::Abs(lo))), d, r.lo[e] + i);
      hn::StoreU(hn::Add(hi, hn::Mul(share, hn::Abs(hi))), d, r.hi[e] + i);
    }
  for (int e = 0; e < 2; ++e) {
    float lo = first.ninth[e], hi = lo;
    for (int k = 1; k < n; ++k) {
      lo = std::min(lo, dops.vertex(v[k]).ninth[e]);
      hi = std::max(hi, dops.vertex(v[k]).ninth[e]);
    }
    r.ninth[e] = widened(lo);
    r.ninth[2 + e] = widened(-hi);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::deform
HWY_AFTER_NAMESPACE();

#endif
