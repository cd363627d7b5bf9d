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
/// out by their number.
template <std::size_t N>
inline unsigned near_bits(const Window& w, const LeafBoxes::Boxes<N>& boxes, std::size_t at) {
  const D d;
  unsigned bits = 0;
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
    M apart = hn::Or(hn::Gt(hn::Set(d, w.lo[0]), hn::Load(d, boxes.hi[0] + at + i)),
                     hn::Gt(hn::Load(d, boxes.lo[0] + at + i), hn::Set(d, w.hi[0])));
    for (int k = 1; k < 3; ++k)
      apart = hn::Or(apart, hn::Or(hn::Gt(hn::Set(d, w.lo[k]), hn::Load(d, boxes.hi[k] + at + i)),
                                   hn::Gt(hn::Load(d, boxes.lo[k] + at + i), hn::Set(d, w.hi[k]))));
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
template <std::size_t N>
inline Window window(const LeafBoxes::Boxes<N>& boxes, std::size_t i, const Shift& s) {
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

template <std::size_t N>
unsigned all_near(const Window& w, const LeafBoxes::Boxes<N>& boxes) {
  unsigned bits = 0;
  for (std::size_t at = 0; at < boxes.count; at += 8) bits |= near_bits(w, boxes, at) << at;
  return bits;
}

/// Vertices of A and faces of B. `near_a`, `near_b`: those near the other leaf.
void vertices_and_faces(const LeafBoxes& a, unsigned near_a, const LeafBoxes& b, unsigned near_b, const Shift& s,
                        NearCandidates& out) {
  if (near_b == 0) return;
  for (; near_a != 0; near_a &= near_a - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(near_a));
    const std::uint32_t v = a.points.vertices[i][0];
    for (unsigned bits = near_bits(window(a.points, i, s), b.faces, 0) & near_b; bits != 0; bits &= bits - 1) {
      const auto& f = b.faces.vertices[static_cast<std::size_t>(std::countr_zero(bits))];
      if (v != f[0] && v != f[1] && v != f[2]) out.vertex_face.push_back({v, f[0], f[1], f[2]});
    }
  }
}

inline void add_edges(const std::array<std::uint32_t, 3>& x, const std::array<std::uint32_t, 3>& y,
                      NearCandidates& out) {
  const EdgeVertices e{x[0], x[1]}, f{y[0], y[1]};
  if (share_vertex(e, f)) return;
  if (e < f)
    out.edge_edge.push_back({e[0], e[1], f[0], f[1]});
  else
    out.edge_edge.push_back({f[0], f[1], e[0], e[1]});
}

}  // namespace

void FindNearFeatures(const LeafBoxes& a, const LeafBoxes& b, double clearance, NearCandidates& out) {
  const Shift s = shift_of(a, b, clearance);
  if (&a == &b) {
    vertices_and_faces(a, (1u << a.points.count) - 1, a, (1u << a.faces.count) - 1, s, out);
    for (std::size_t i = 0; i < a.edges.count; ++i) {
      const Window w = window(a.edges, i, s);
      for (std::size_t at = 0; at < i; at += 8) {
        unsigned bits = near_bits(w, a.edges, at);
        if (i < at + 8) bits &= (1u << (i - at)) - 1;
        for (; bits != 0; bits &= bits - 1)
          add_edges(a.edges.vertices[i], a.edges.vertices[at + static_cast<std::size_t>(std::countr_zero(bits))], out);
      }
    }
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
  vertices_and_faces(a, all_near(of_b, a.points), b, faces_b, s, out);
  vertices_and_faces(b, all_near(of_a, b.points), a, faces_a, t, out);
  const unsigned edges_a = all_near(of_b, a.edges), edges_b = edges_a == 0 ? 0 : all_near(of_a, b.edges);
  for (unsigned bits_a = edges_a; bits_a != 0; bits_a &= bits_a - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(bits_a));
    const Window w = window(a.edges, i, s);
    for (std::size_t at = 0; at < b.edges.count; at += 8) {
      const unsigned wanted = edges_b >> at & 0xFFu;
      if (wanted == 0) continue;
      for (unsigned bits = near_bits(w, b.edges, at) & wanted; bits != 0; bits &= bits - 1)
        add_edges(a.edges.vertices[i], b.edges.vertices[at + static_cast<std::size_t>(std::countr_zero(bits))], out);
    }
  }
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

/// The box of corners i and j of a triangle, or of all three; `x`: by axis and corner.
template <std::size_t N>
std::array<std::uint32_t, 3>& add_box(LeafBoxes::Boxes<N>& boxes, const float (&x)[3][3], std::size_t i,
                                      std::size_t j) {
  const std::size_t at = boxes.count++;
  for (std::size_t k = 0; k < 3; ++k) {
    boxes.lo[k][at] = std::min(x[k][i], x[k][j]);
    boxes.hi[k][at] = std::max(x[k][i], x[k][j]);
  }
  return boxes.vertices[at];
}
template <std::size_t N>
void fill_up(LeafBoxes::Boxes<N>& boxes) {
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
  for (const std::uint32_t id : triangles) {
    const Triangle& t = topology.triangle(id);
    const unsigned bits = topology.first_bits(id);
    float x[3][3];
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& p = points_of[t[i]];
      x[0][i] = static_cast<float>(p.x - centre[0]);
      x[1][i] = static_cast<float>(p.y - centre[1]);
      x[2][i] = static_cast<float>(p.z - centre[2]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      if (bits >> i & 1) add_box(points, x, i, i) = {t[i], t[i], t[i]};
      const std::size_t j = i == 2 ? 0 : i + 1;
      if (bits >> 3 >> i & 1) add_box(edges, x, i, j) = {std::min(t[i], t[j]), std::max(t[i], t[j]), 0};
    }
    const std::size_t at = faces.count;
    const std::uint32_t low = std::min(t[0], t[1]), high = std::max(t[0], t[1]);
    add_box(faces, x, 0, 1) = {std::min(low, t[2]), std::max(low, std::min(high, t[2])), std::max(high, t[2])};
    for (std::size_t k = 0; k < 3; ++k) {
      faces.lo[k][at] = std::min(faces.lo[k][at], x[k][2]);
      faces.hi[k][at] = std::max(faces.hi[k][at], x[k][2]);
    }
  }
  fill_up(points);
  fill_up(edges);
  fill_up(faces);
}

}  // namespace graze::engine::deform
#endif
