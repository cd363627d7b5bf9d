// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/deform/near/leaf_pairs.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/deform/near/leaf_pairs.hpp"
#include "simd/floats-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::deform {
namespace HWY_NAMESPACE {
namespace {  // other kernels have functions of the same names

using namespace simd::floats::HWY_NAMESPACE;

/// A box of the one leaf, widened by the clearance, in the frame of the other.
struct Window {
  float lo[3], hi[3];
};

/// Which of eight boxes from `at` on are not certainly apart from the window. A window is infinite, or NaN where it and
/// a leaf are beyond single precision: nothing is apart from it then, so the boxes that only fill up a block are left
/// out by their number; and so are features that have one of the vertices `ids`.
template <std::size_t N, std::size_t Vertices, typename... Ids>
inline unsigned near_bits(const Window& w, const LeafBoxes::Boxes<N, Vertices>& boxes, std::size_t at, Ids... ids) {
  const D d;
  unsigned bits = 0;
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
    M apart = hn::Or(hn::Gt(hn::Set(d, w.lo[0]), hn::Load(d, boxes.hi[0] + at + i)),
                     hn::Gt(hn::Load(d, boxes.lo[0] + at + i), hn::Set(d, w.hi[0])));
    for (int k = 1; k < 3; ++k)
      apart = hn::Or(apart, hn::Or(hn::Gt(hn::Set(d, w.lo[k]), hn::Load(d, boxes.hi[k] + at + i)),
                                   hn::Gt(hn::Load(d, boxes.lo[k] + at + i), hn::Set(d, w.hi[k]))));
    for (std::size_t k = 0; k < Vertices; ++k) {
      [[maybe_unused]] const auto own = hn::Load(hn::RebindToUnsigned<D>(), boxes.vertices[k] + at + i);
      ((apart = hn::Or(apart, hn::RebindMask(d, hn::Eq(own, hn::Set(hn::RebindToUnsigned<D>(), ids))))), ...);
    }
    bits |= (~bits_of(apart) & ((1u << hn::Lanes(d)) - 1)) << i;
  }
  const std::size_t filled = boxes.count - at;
  return filled < 8 ? bits & ((1u << filled) - 1) : bits;
}

/// How coordinates of leaf A change to leaf B's frame: `lo` less the clearance, `hi` with it, and the rounding of both
/// leaves' coordinates (2^-24 of their extents), of these numbers themselves and of the sums that use them (2^-24 of
/// numbers below twice the sum of extents and clearance, where leaves are near) included; 1e-37 for what underflows.
struct Shift {
  float lo[3], hi[3];
};
Shift shift_of(const LeafBoxes& a, const LeafBoxes& b, double clearance) {
  Shift s;
  const double margin = clearance + 0x1p-20 * (a.extent + b.extent + clearance) + 1e-37;
  for (std::size_t k = 0; k < 3; ++k) {
    const double by = a.centre[k] - b.centre[k];
    s.lo[k] = static_cast<float>(by - margin);
    s.hi[k] = static_cast<float>(by + margin);
  }
  return s;
}
template <std::size_t N, std::size_t Vertices>
inline Window window(const LeafBoxes::Boxes<N, Vertices>& boxes, std::size_t i, const Shift& s) {
  Window w;
  for (int k = 0; k < 3; ++k) {
    w.lo[k] = boxes.lo[k][i] + s.lo[k];
    w.hi[k] = boxes.hi[k][i] + s.hi[k];
  }
  return w;
}

/// The whole of a leaf as a window in the frame of the other one.
Window whole(const LeafBoxes& a, const Shift& s) {
  Window w;
  for (int k = 0; k < 3; ++k) {
    const auto half = static_cast<float>(a.half[static_cast<std::size_t>(k)]);
    w.lo[k] = -half + s.lo[k];
    w.hi[k] = half + s.hi[k];
  }
  return w;
}

/// The same for all boxes that are `wanted`.
template <std::size_t N, std::size_t Vertices, typename... Ids>
inline unsigned all_near(const Window& w, const LeafBoxes::Boxes<N, Vertices>& boxes, unsigned wanted, Ids... ids) {
  unsigned bits = 0;
  for (std::size_t at = 0; at < boxes.count; at += 8)
    if ((wanted >> at & 0xFF) != 0) bits |= near_bits(w, boxes, at, ids...) << at;
  return bits & wanted;
}
constexpr unsigned all_of_them = ~0u;

/// Vertices of A and faces of B. `near_a`, `near_b`: those near the other leaf.
inline void vertices_and_faces(const LeafBoxes& a, unsigned near_a, const LeafBoxes& b, unsigned near_b, const Shift& s,
                               CandidateList& out) {
  if (near_b == 0) return;
  FourVertices* end = out.room();
  for (; near_a != 0; near_a &= near_a - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(near_a));
    const std::uint32_t v = a.points.vertices[0][i];
    const auto& f = b.faces.vertices;
    for (unsigned bits = near_bits(window(a.points, i, s), b.faces, 0, v) & near_b; bits != 0; bits &= bits - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(bits));
      *end++ = {v, f[0][k], f[1][k], f[2][k]};
    }
  }
  out.filled_to(end);
}

/// Edge i of A and those of B that are near it.
inline FourVertices* edge_and_edges(const LeafBoxes& a, std::size_t i, const LeafBoxes& b, unsigned near_b,
                                    const Shift& s, FourVertices* end) {
  const std::uint32_t e[2] = {a.edges.vertices[0][i], a.edges.vertices[1][i]};
  const std::uint64_t key = std::uint64_t{e[0]} << 32 | e[1];
  for (unsigned bits = all_near(window(a.edges, i, s), b.edges, near_b, e[0], e[1]); bits != 0; bits &= bits - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(bits));
    const std::uint32_t f[2] = {b.edges.vertices[0][k], b.edges.vertices[1][k]};
    // Without a branch, which nobody could predict.
    const std::size_t first = key < (std::uint64_t{f[0]} << 32 | f[1]) ? 0 : 2;
    FourVertices& pair = *end++;
    pair[first] = e[0];
    pair[first + 1] = e[1];
    pair[2 - first] = f[0];
    pair[3 - first] = f[1];
  }
  return end;
}

}  // namespace

void FindNearFeatures(const LeafBoxes& a, const LeafBoxes& b, double clearance, NearCandidates& out) {
  const Shift s = shift_of(a, b, clearance);
  if (&a == &b) {
    vertices_and_faces(a, (1u << a.points.count) - 1, a, (1u << a.faces.count) - 1, s, out.vertex_face);
    FourVertices* end = out.edge_edge.room();
    for (std::size_t i = 0; i < a.edges.count; ++i) end = edge_and_edges(a, i, a, (1u << i) - 1, s, end);
    out.edge_edge.filled_to(end);
    return;
  }
  // What is near is near a face that it belongs to, or belongs to no face.
  const Window of_a = whole(a, s);
  const unsigned faces_b = near_bits(of_a, b.faces, 0);
  if (faces_b == 0) return;
  const Shift t = shift_of(b, a, clearance);
  const Window of_b = whole(b, t);
  const unsigned faces_a = near_bits(of_b, a.faces, 0);
  if (faces_a == 0) return;
  vertices_and_faces(a, all_near(of_b, a.points, all_of_them), b, faces_b, s, out.vertex_face);
  vertices_and_faces(b, all_near(of_a, b.points, all_of_them), a, faces_a, t, out.vertex_face);
  const unsigned edges_a = all_near(of_b, a.edges, all_of_them);
  const unsigned edges_b = edges_a == 0 ? 0 : all_near(of_a, b.edges, all_of_them);
  if (edges_b == 0) return;
  FourVertices* end = out.edge_edge.room();
  // The fewer one by one, each with all of the others.
  const bool fewer_a = std::popcount(edges_a) <= std::popcount(edges_b);
  const LeafBoxes &few = fewer_a ? a : b, &many = fewer_a ? b : a;
  const Shift& shift = fewer_a ? s : t;
  const unsigned with = fewer_a ? edges_b : edges_a;
  for (unsigned bits = fewer_a ? edges_a : edges_b; bits != 0; bits &= bits - 1)
    end = edge_and_edges(few, static_cast<std::size_t>(std::countr_zero(bits)), many, with, shift, end);
  out.edge_edge.filled_to(end);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::deform
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::deform {

HWY_EXPORT(FindNearFeatures);

void find_near_features(const LeafBoxes& a, const LeafBoxes& b, double clearance, NearCandidates& out) {
  HWY_DYNAMIC_DISPATCH(FindNearFeatures)(a, b, clearance, out);
}

namespace {

/// The box of corners i and j of a triangle; `x`: by axis and corner. Returns its place.
template <std::size_t N, std::size_t Vertices>
std::size_t add_box(LeafBoxes::Boxes<N, Vertices>& boxes, const float (&x)[3][3], std::size_t i, std::size_t j) {
  const std::size_t at = boxes.count++;
  for (std::size_t k = 0; k < 3; ++k) {
    boxes.lo[k][at] = std::min(x[k][i], x[k][j]);
    boxes.hi[k][at] = std::max(x[k][i], x[k][j]);
  }
  return at;
}
template <std::size_t N, std::size_t Vertices>
void fill_up(LeafBoxes::Boxes<N, Vertices>& boxes) {
  for (std::size_t at = boxes.count; at % 8 != 0; ++at)
    for (std::size_t k = 0; k < 3; ++k) {
      boxes.lo[k][at] = std::numeric_limits<float>::infinity();
      boxes.hi[k][at] = -std::numeric_limits<float>::infinity();
    }
}

}  // namespace

void LeafBoxes::load(const Topology& topology, std::span<const std::uint32_t> triangles, const NodeBox& box,
                     std::span<const Vec3> points_of) {
  extent = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    centre[k] = 0.5 * box.lo[k] + 0.5 * box.hi[k];
    half[k] = std::max(box.hi[k] - centre[k], centre[k] - box.lo[k]);
    extent = std::max(extent, half[k]);
  }
  points.count = edges.count = faces.count = 0;
  // First all that has to be fetched from memory, without a branch in between, so that it is fetched at the same time.
  Triangle corners[patch_leaf_size];
  unsigned first_bits[patch_leaf_size];
  float at[patch_leaf_size][3][3];
  for (std::size_t n = 0; n < triangles.size(); ++n) {
    corners[n] = topology.triangle(triangles[n]);
    first_bits[n] = topology.first_bits(triangles[n]);
  }
  for (std::size_t n = 0; n < triangles.size(); ++n)
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& p = points_of[corners[n][i]];
      at[n][0][i] = static_cast<float>(p.x - centre[0]);
      at[n][1][i] = static_cast<float>(p.y - centre[1]);
      at[n][2][i] = static_cast<float>(p.z - centre[2]);
    }
  for (std::size_t n = 0; n < triangles.size(); ++n) {
    const Triangle& t = corners[n];
    const float(&x)[3][3] = at[n];
    const unsigned bits = first_bits[n];
    for (std::size_t i = 0; i < 3; ++i) {
      if (bits >> i & 1) points.vertices[0][add_box(points, x, i, i)] = t[i];
      const std::size_t j = i == 2 ? 0 : i + 1;
      if (bits >> 3 >> i & 1) {
        const std::size_t edge = add_box(edges, x, i, j);
        edges.vertices[0][edge] = std::min(t[i], t[j]);
        edges.vertices[1][edge] = std::max(t[i], t[j]);
      }
    }
    const std::uint32_t low = std::min(t[0], t[1]), high = std::max(t[0], t[1]);
    const std::size_t face = add_box(faces, x, 0, 1);
    faces.vertices[0][face] = std::min(low, t[2]);
    faces.vertices[1][face] = std::max(low, std::min(high, t[2]));
    faces.vertices[2][face] = std::max(high, t[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      faces.lo[k][face] = std::min(faces.lo[k][face], x[k][2]);
      faces.hi[k][face] = std::max(faces.hi[k][face], x[k][2]);
    }
  }
  fill_up(points);
  fill_up(edges);
  fill_up(faces);
}

}  // namespace graze::engine::deform
#endif
