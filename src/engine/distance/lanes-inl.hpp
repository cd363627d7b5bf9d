// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_DISTANCE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_DISTANCE_LANES_INL
#undef GRAZE_QUERY_DISTANCE_LANES_INL
#else
#define GRAZE_QUERY_DISTANCE_LANES_INL
#endif

#include "body/tree_frame.hpp"
#include "simd/floats-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::distance {
namespace HWY_NAMESPACE {
namespace gaps {

using namespace simd::floats::HWY_NAMESPACE;

/// The largest lower bound so far.
struct Largest {
  V gap;

  Largest() : gap(hn::Zero(D())) {}
  void offer(V g) { gap = hn::IfThenElse(hn::Gt(g, gap), g, gap); }  // NaN proves nothing
  bool all_beyond(V limit) const { return hn::AllTrue(D(), hn::Gt(gap, limit)); }
};

}  // namespace gaps
}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::distance
HWY_AFTER_NAMESPACE();

#endif
