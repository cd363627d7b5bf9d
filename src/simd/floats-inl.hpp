// SPDX-License-Identifier: MIT
// Vectors of eight floats for the kernels of the library; compiled once for each instruction set. Products and sums may
// be fused, so results differ between instruction sets: only filters with an error bound use these.
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_SIMD_FLOATS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_SIMD_FLOATS_INL
#undef GRAZE_SIMD_FLOATS_INL
#else
#define GRAZE_SIMD_FLOATS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::simd::floats {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Eight floats, in as many registers as the instruction set needs.
using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

inline std::size_t lanes() { return hn::Lanes(D()); }

inline unsigned bits_of(M m) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), m, bytes);
  return bytes[0];
}

/// A vector of three coordinates in each lane.
struct V3 {
  V x[3];
  V& operator[](int k) { return x[k]; }
  const V& operator[](int k) const { return x[k]; }
};
inline V3 zero3() { return {{hn::Zero(D()), hn::Zero(D()), hn::Zero(D())}}; }
inline V3 set3(const float* p) { return {{hn::Set(D(), p[0]), hn::Set(D(), p[1]), hn::Set(D(), p[2])}}; }
inline V3 load3(const float (*p)[8], std::size_t i) {
  return {{hn::Load(D(), p[0] + i), hn::Load(D(), p[1] + i), hn::Load(D(), p[2] + i)}};
}
inline void store3(const V3& v, float (*p)[8], std::size_t i) {
  for (int k = 0; k < 3; ++k) hn::Store(v[k], D(), p[k] + i);
}
inline V3 operator-(const V3& a, const V3& b) {
  return {{hn::Sub(a[0], b[0]), hn::Sub(a[1], b[1]), hn::Sub(a[2], b[2])}};
}
inline V3 operator+(const V3& a, const V3& b) {
  return {{hn::Add(a[0], b[0]), hn::Add(a[1], b[1]), hn::Add(a[2], b[2])}};
}
inline V3 negated(const V3& a) { return {{hn::Neg(a[0]), hn::Neg(a[1]), hn::Neg(a[2])}}; }
inline V3 abs3(const V3& a) { return {{hn::Abs(a[0]), hn::Abs(a[1]), hn::Abs(a[2])}}; }
inline V3 scaled(const V3& a, V s) { return {{hn::Mul(a[0], s), hn::Mul(a[1], s), hn::Mul(a[2], s)}}; }
/// a - s b
inline V3 less(const V3& a, V s, const V3& b) {
  return {{hn::NegMulAdd(s, b[0], a[0]), hn::NegMulAdd(s, b[1], a[1]), hn::NegMulAdd(s, b[2], a[2])}};
}
inline V dot(const V3& a, const V3& b) { return hn::MulAdd(a[0], b[0], hn::MulAdd(a[1], b[1], hn::Mul(a[2], b[2]))); }
inline V3 cross(const V3& a, const V3& b) {
  return {{hn::MulSub(a[1], b[2], hn::Mul(a[2], b[1])), hn::MulSub(a[2], b[0], hn::Mul(a[0], b[2])),
           hn::MulSub(a[0], b[1], hn::Mul(a[1], b[0]))}};
}
/// The unit vector, up to a few roundings, or NaN. A square that underflows or overflows would make it too long or too
/// short, and gaps along it too wide; such vectors are first scaled to a largest coordinate of one. A vector that still
/// has no length (zero, infinite) becomes NaN in all coordinates, which proves nothing.
inline V3 unit(const V3& a) {
  const D d;
  const V one = hn::Set(d, 1.0f), square = dot(a, a);
  const auto in_range = hn::And(hn::Gt(square, hn::Set(d, 0x1p-100f)), hn::Lt(square, hn::Set(d, 0x1p100f)));
  if (HWY_LIKELY(hn::AllTrue(d, in_range))) return scaled(a, hn::Div(one, hn::Sqrt(square)));
  const V largest = hn::Max(hn::Abs(a[0]), hn::Max(hn::Abs(a[1]), hn::Abs(a[2])));
  const V3 b = scaled(a, hn::Div(one, largest));
  return scaled(b, hn::Div(one, hn::Sqrt(dot(b, b))));
}
inline V3 choose(M m, const V3& yes, const V3& no) {
  return {{hn::IfThenElse(m, yes[0], no[0]), hn::IfThenElse(m, yes[1], no[1]), hn::IfThenElse(m, yes[2], no[2])}};
}
/// Each coordinate of v clamped to -h ... h.
inline V3 clamped(const V3& v, const V3& h) {
  V3 out;
  for (int k = 0; k < 3; ++k) out[k] = hn::Max(hn::Neg(h[k]), hn::Min(v[k], h[k]));
  return out;
}
/// |v| . h
inline V reach(const V3& v, const V3& h) {
  return hn::MulAdd(hn::Abs(v[0]), h[0], hn::MulAdd(hn::Abs(v[1]), h[1], hn::Mul(hn::Abs(v[2]), h[2])));
}
/// x a + y b + z c
inline V combine(float x, float y, float z, const V3& v) {
  const D d;
  return hn::MulAdd(hn::Set(d, x), v[0], hn::MulAdd(hn::Set(d, y), v[1], hn::Mul(hn::Set(d, z), v[2])));
}
/// R v and R^T v, for a matrix in rows.
inline V3 turned(const float* r, const V3& v) {
  return {{combine(r[0], r[1], r[2], v), combine(r[3], r[4], r[5], v), combine(r[6], r[7], r[8], v)}};
}
inline V3 turned_back(const float* r, const V3& v) {
  return {{combine(r[0], r[3], r[6], v), combine(r[1], r[4], r[7], v), combine(r[2], r[5], r[8], v)}};
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::simd::floats
HWY_AFTER_NAMESPACE();

#endif
