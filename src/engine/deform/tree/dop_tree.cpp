// SPDX-License-Identifier: MIT
#include "engine/deform/tree/dop_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/deform/tree/tree_branches.hpp"

namespace graze::engine::deform {

namespace {

void along(const Vec3& x, float* first_eight, float& ninth) {
  const double v[8] = {x.x, x.y, x.z, x.x + x.y, x.x + x.z, x.y + x.z, x.x - x.y, x.x - x.z};
  for (int k = 0; k < 8; ++k) first_eight[k] = static_cast<float>(v[k]);
  ninth = static_cast<float>(x.y - x.z);
}

void add(Dop& d, const VertexProjection& p) {
  for (int e = 0; e < 2; ++e) {
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = std::min(d.lo[e][k], p.at[e][k]);
      d.hi[e][k] = std::max(d.hi[e][k], p.at[e][k]);
    }
    d.ninth[e] = std::min(d.ninth[e], p.ninth[e]);
    d.ninth[2 + e] = std::min(d.ninth[2 + e], -p.ninth[e]);
  }
}

void widen(Dop& d) {
  for (int e = 0; e < 2; ++e)
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = widened(d.lo[e][k]);
      d.hi[e][k] = -widened(-d.hi[e][k]);
    }
  for (float& x : d.ninth) x = widened(x);
}

void unite(const Dop& a, const Dop& b, Dop& d) {
  for (int e = 0; e < 2; ++e)
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = std::min(a.lo[e][k], b.lo[e][k]);
      d.hi[e][k] = std::max(a.hi[e][k], b.hi[e][k]);
    }
  for (int k = 0; k < 4; ++k) d.ninth[k] = std::min(a.ninth[k], b.ninth[k]);
}

/// Makes one volume for the whole step: the same bounds at both ends.
void sweep(Dop& d) {
  for (int k = 0; k < 8; ++k) {
    d.lo[0][k] = d.lo[1][k] = std::min(d.lo[0][k], d.lo[1][k]);
    d.hi[0][k] = d.hi[1][k] = std::max(d.hi[0][k], d.hi[1][k]);
  }
  d.ninth[0] = d.ninth[1] = std::min(d.ninth[0], d.ninth[1]);
  d.ninth[2] = d.ninth[3] = std::min(d.ninth[2], d.ninth[3]);
}

/// Origin and unit of a step's single-precision coordinates. The unit is a power of two of at least half the box, so
/// that nothing overflows or underflows, whatever the size of the scene.
struct StepFrame {
  Vec3 centre;
  double half = 0;  ///< upper bound on the distance of a coordinate from the centre
  double unit = 1;

  Vec3 operator()(const Vec3& x) const { return (x - centre) * (1 / unit); }
};

/// Vertices without triangles may be anywhere.
bool is_used(const Topology& topology, std::size_t v) {
  return !topology.around(static_cast<std::uint32_t>(v)).empty();
}

/// Minimum and maximum do not depend on the order of evaluation. `chunks` is a scratch buffer.
StepExtent extent_of(const Topology& topology, const MovingVertices& at, int threads, std::vector<StepExtent>& chunks) {
  constexpr std::size_t chunk = 1 << 12;
  chunks.assign((at.start.size() + chunk - 1) / chunk, {});
  core::parallel_for(chunks.size(), threads, [&](std::size_t c) {
    StepExtent& e = chunks[c];
    for (std::size_t v = c * chunk; v < std::min(at.start.size(), (c + 1) * chunk); ++v) {
      if (!is_used(topology, v)) continue;
      e.box.add(at.start[v]);
      e.box.add(at.end[v]);
      const Vec3 d = at.end[v] * 0.5 - at.start[v] * 0.5;  // differences of halves do not overflow
      e.half_displacement = std::max({e.half_displacement, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
  });
  StepExtent all;
  for (const StepExtent& e : chunks) {
    all.box.add(e.box);
    all.half_displacement = std::max(all.half_displacement, e.half_displacement);
  }
  return all;
}

/// Where most vertices are: the median of up to 255 of them, by each coordinate. Floats are most accurate there,
/// however far away a few others are. The centre of the box if none of those has triangles.
Vec3 centre_of(const Topology& topology, std::span<const Vec3> at, const Box3& box) {
  const Vec3 middle = box.lo * 0.5 + box.hi * 0.5;  // sums of halves do not overflow
  const Vec3 half = box.hi * 0.5 - box.lo * 0.5;
  if (!(std::max({half.x, half.y, half.z}) < 0x1p1000)) return middle;  // differences could overflow
  constexpr std::size_t most = 255;
  std::array<std::array<double, most>, 3> some;
  std::size_t count = 0;
  for (std::size_t v = 0, stride = at.size() / most + 1; v < at.size(); v += stride) {
    if (!is_used(topology, v)) continue;
    for (int k = 0; k < 3; ++k) some[static_cast<std::size_t>(k)][count] = at[v][k];
    ++count;
  }
  if (count == 0) return middle;
  Vec3 median;
  for (int k = 0; k < 3; ++k) {
    double* const first = some[static_cast<std::size_t>(k)].data();
    std::nth_element(first, first + count / 2, first + count);
    median[k] = first[count / 2];
  }
  return median;
}

StepFrame step_frame(const Box3& box, const Vec3& centre) {
  StepFrame f;
  f.centre = centre;
  for (int k = 0; k < 3; ++k)
    f.half = std::max({f.half, std::fabs(box.hi[k] - f.centre[k]), std::fabs(box.lo[k] - f.centre[k])});
  int exponent = 0;
  std::frexp(f.half, &exponent);
  f.unit = std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
  return f;
}

/// The caller must round up. A value that is too large for a float is replaced by one larger than anything it is
/// compared with.
float in_units(double x, double unit) { return static_cast<float>(std::min(x / unit, 1e30)); }

}  // namespace

core::LargeVector<bvh::BoxF> sweep_boxes(const Topology& topology, const MovingVertices& at, int threads) {
  std::vector<StepExtent> chunks;
  const Box3 box = extent_of(topology, at, threads, chunks).box;
  const StepFrame frame = step_frame(box, centre_of(topology, at.start, box));
  core::LargeVector<bvh::BoxF> boxes(topology.triangle_count());
  core::in_chunks(boxes.size(), threads, [&](std::size_t t) {
    Box3 b;
    for (const std::uint32_t v : topology.triangle(static_cast<std::uint32_t>(t))) {
      b.add(frame(at.start[v]));
      b.add(frame(at.end[v]));
    }
    for (int k = 0; k < 3; ++k) {
      boxes[t].lo[k] = static_cast<float>(b.lo[k]);
      boxes[t].hi[k] = static_cast<float>(b.hi[k]);
    }
  });
  return boxes;
}

void DopTree::project(const Topology& topology, const MovingVertices& at, double margin, int threads) {
  const StepExtent extent = extent_of(topology, at, threads, chunks_);
  const StepFrame frame = step_frame(extent.box, centre_of(topology, at.start, extent.box));
  unit_ = frame.unit;
  // A projection x is at most 2.02 `half` (two coordinates of at most `half` each), rounded in double, three times, and
  // once to float: its error is less than 2^-50 `half` and 2^-24 |x|. The second is small near the centre, however far
  // the scene reaches; `widened` covers it. The first and the elementary queries' default tolerance, of 1e-12 of an
  // edge or a motion, are below 2^-38 `half` each. The diagonal directions have length sqrt 2, so a margin counts that
  // much more there.
  // Range: half / unit is in [1/2, 1), except for scenes beyond 2^1000, where it is below 2^24, and below 2^-1000,
  // where it is at least 2^-74. So projections are below 2^26 and never infinite. One that underflows in single
  // precision has an error of 2^-150, less than the extra 1e-37 in the slack. A margin of more than 1e30 units
  // separates nothing. Below 2^-1000 coordinates and their sums are multiples of 2^-1074 with fewer bits than a double
  // has, so that nothing is rounded before the float, and where 2^-37 `half` underflows neither is the float.
  slack_ = in_units(1.001 * (0x1p-37 * frame.half + 0.5 * 1.4143 * margin), unit_) + 1e-37f;
  // Halving may lose the last bit: 2^-1074 / 2^-1000.
  longest_displacement_ = in_units(2.002 * extent.half_displacement, unit_) + 1e-21f;
  projections_.resize(at.start.size());
  core::in_chunks(at.start.size(), threads, [&](std::size_t v) {
    if (!is_used(topology, v)) return;
    VertexProjection& p = projections_[v];
    along(frame(at.start[v]), p.at[0], p.ninth[0]);
    along(frame(at.end[v]), p.at[1], p.ninth[1]);
  });
}

void DopTree::refit(const Topology& topology, const PatchTree& tree, const MovingVertices& at, double margin,
                    bool swept, int threads) {
  project(topology, at, margin, threads);
  dops_.resize(tree.nodes.size());
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& node = tree.nodes[i];
    Dop& d = dops_[i];
    if (!node.is_leaf()) return unite(dops_[node.child], dops_[node.child + 1], d);
    std::fill_n(&d.lo[0][0], 16, std::numeric_limits<float>::max());
    std::fill_n(&d.hi[0][0], 16, -std::numeric_limits<float>::max());
    std::fill_n(d.ninth, 4, std::numeric_limits<float>::max());
    for (std::uint32_t k = node.begin; k < node.end; ++k)
      for (const std::uint32_t v : topology.triangle(tree.items[k])) add(d, projections_[v]);
    widen(d);
    if (swept) sweep(d);
  });
}

}  // namespace graze::engine::deform
