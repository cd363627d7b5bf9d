// SPDX-License-Identifier: MIT
// Vectors of up to four doubles for the kernels of the library; compiled once for each instruction set. Nothing is
// fused: each operation is rounded as in scalar code, so results are the same bits on every instruction set.
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_SIMD_DOUBLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_SIMD_DOUBLES_INL
#undef GRAZE_SIMD_DOUBLES_INL
#else
#define GRAZE_SIMD_DOUBLES_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::simd::doubles {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 4>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

/// A vector of three coordinates in each lane.
struct V3 {
  V x, y, z;
};
inline V3 operator-(const V3& a, const V3& b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
inline V3 operator+(const V3& a, const V3& b) { return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)}; }
inline V3 scaled(const V3& a, V s) { return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)}; }
inline V dot(const V3& a, const V3& b) {
  return hn::Add(hn::Mul(a.x, b.x), hn::Add(hn::Mul(a.y, b.y), hn::Mul(a.z, b.z)));
}
inline V3 cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::simd::doubles
HWY_AFTER_NAMESPACE();

#endif
