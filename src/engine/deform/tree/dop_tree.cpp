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

/// Adds a vertex at the ends of the step from `first_end` on.
void add(Dop& d, const VertexProjection& p, int first_end) {
  for (int e = first_end; e < 2; ++e) {
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = std::min(d.lo[e][k], p.at[e][k]);
      d.hi[e][k] = std::max(d.hi[e][k], p.at[e][k]);
    }
    d.ninth[e] = std::min(d.ninth[e], p.ninth[e]);
    d.ninth[2 + e] = std::min(d.ninth[2 + e], -p.ninth[e]);
  }
}

/// Widens the bounds at the ends of the step from `first_end` on.
void widen(Dop& d, int first_end) {
  for (int e = first_end; e < 2; ++e) {
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = widened(d.lo[e][k]);
      d.hi[e][k] = -widened(-d.hi[e][k]);
    }
    d.ninth[e] = widened(d.ninth[e]);
    d.ninth[2 + e] = widened(d.ninth[2 + e]);
  }
}

void unite(const Dop& a, const Dop& b, Dop& d, int first_end) {
  for (int e = first_end; e < 2; ++e)
    for (int k = 0; k < 8; ++k) {
      d.lo[e][k] = std::min(a.lo[e][k], b.lo[e][k]);
      d.hi[e][k] = std::max(a.hi[e][k], b.hi[e][k]);
    }
  for (int k = first_end; k < 4; k += 1 + first_end) d.ninth[k] = std::min(a.ninth[k], b.ninth[k]);
}

void clear(Dop& d, int first_end) {
  constexpr float largest = std::numeric_limits<float>::max();
  for (int e = first_end; e < 2; ++e) {
    std::fill_n(d.lo[e], 8, largest);
    std::fill_n(d.hi[e], 8, -largest);
    d.ninth[e] = d.ninth[2 + e] = largest;
  }
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
      e.start.add(at.start[v]);
      e.end.add(at.end[v]);
      const Vec3 d = at.end[v] * 0.5 - at.start[v] * 0.5;  // differences of halves do not overflow
      e.half_displacement = std::max({e.half_displacement, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
    }
  });
  StepExtent all;
  for (const StepExtent& e : chunks) {
    all.start.add(e.start);
    all.end.add(e.end);
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

/// The frame of the start's box serves the step if no coordinate is more than twice as far from its centre.
StepFrame step_frame(const Topology& topology, std::span<const Vec3> start, const StepExtent& extent) {
  const auto reach = [](const Vec3& centre, const Box3& box) {
    double half = 0;
    for (int k = 0; k < 3; ++k)
      half = std::max({half, std::fabs(box.hi[k] - centre[k]), std::fabs(box.lo[k] - centre[k])});
    return half;
  };
  const auto unit = [](double half, int doublings) {
    int exponent = 0;
    std::frexp(half, &exponent);
    return std::ldexp(1.0, std::clamp(exponent + doublings, -1000, 1000));
  };
  StepFrame f;
  f.centre = centre_of(topology, start, extent.start);
  const double at_start = reach(f.centre, extent.start);
  f.half = std::max(at_start, reach(f.centre, extent.end));
  f.unit = unit(at_start, 1);
  if (0.5 * f.half <= at_start) return f;  // (halved: neither side overflows)
  Box3 both = extent.start;
  both.add(extent.end);
  f.centre = centre_of(topology, start, both);
  f.half = reach(f.centre, both);
  f.unit = unit(f.half, 0);
  return f;
}

/// The caller must round up. A value that is too large for a float is replaced by one larger than anything it is
/// compared with.
float in_units(double x, double unit) { return static_cast<float>(std::min(x / unit, 1e30)); }

}  // namespace

/// The frame may be that of an earlier step: sizes of boxes stay finite in any case.
bvh::BoxF TriangleBoxes::operator()(std::uint32_t t) const {
  Box3 b;
  for (const std::uint32_t v : topology_.triangle(t)) {
    b.add(frame_(at_.start[v]));
    b.add(frame_(at_.end[v]));
  }
  const auto in_range = [](double x) { return static_cast<float>(std::clamp(x, -1e12, 1e12)); };
  bvh::BoxF box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = in_range(b.lo[k]);
    box.hi[k] = in_range(b.hi[k]);
  }
  return box;
}

core::LargeVector<bvh::BoxF> sweep_boxes(const Topology& topology, const MovingVertices& at, int threads) {
  std::vector<StepExtent> chunks;
  const TriangleBoxes box(topology, at, step_frame(topology, at.start, extent_of(topology, at, threads, chunks)));
  core::LargeVector<bvh::BoxF> boxes(topology.triangle_count());
  core::in_chunks(boxes.size(), threads, [&](std::size_t t) { boxes[t] = box(static_cast<std::uint32_t>(t)); });
  return boxes;
}

int DopTree::project(const Topology& topology, const MovingVertices& at, double margin, int threads, bool same_start) {
  const StepExtent extent = extent_of(topology, at, threads, chunks_);
  const StepFrame frame = step_frame(topology, at.start, extent);
  same_start = same_start && frame.centre == centre_ && frame.unit == unit_;
  centre_ = frame.centre;
  unit_ = frame.unit;
  // A projection x is at most 2.02 `half` (two coordinates of at most `half` each), rounded in double, three times, and
  // once to float: its error is less than 2^-50 `half` and 2^-24 |x|. The second is small near the centre, however far
  // the scene reaches; `widened` covers it. The first and the elementary queries' default tolerance, of 1e-12 of an
  // edge or a motion, are below 2^-38 `half` each. The diagonal directions have length sqrt 2, so a margin counts that
  // much more there. `half` is that of both ends, also if the bounds at the start are kept.
  // Range: half / unit is in [1/4, 1), except for scenes beyond 2^1000, where it is below 2^24, and below 2^-1000,
  // where it is at least 2^-74. So projections are below 2^26 and never infinite. One that underflows in single
  // precision has an error of 2^-150, less than the extra 1e-37 in the slack. A margin of more than 1e30 units
  // separates nothing. Below 2^-1021 coordinates and their sums are multiples of 2^-1074 with fewer bits than a double
  // has, so that nothing is rounded before the float. Where 2^-37 `half` underflows, so does the default tolerance,
  // while two coordinates that differ do so by at least 2^-1074.
  slack_ = in_units(1.001 * (0x1p-37 * frame.half + 0.5 * 1.4143 * margin), unit_) + 1e-37f;
  // Halving may lose the last bit: 2^-1074 / 2^-1000.
  longest_displacement_ = in_units(2.002 * extent.half_displacement, unit_) + 1e-21f;
  projections_.resize(at.start.size());
  core::in_chunks(at.start.size(), threads, [&](std::size_t v) {
    if (!is_used(topology, v)) return;
    VertexProjection& p = projections_[v];
    if (!same_start) along(frame(at.start[v]), p.at[0], p.ninth[0]);
    along(frame(at.end[v]), p.at[1], p.ninth[1]);
  });
  return same_start ? 1 : 0;
}

void DopTree::refit(const Topology& topology, const PatchTree& tree, const MovingVertices& at, double margin,
                    bool swept, int threads, bool same_start) {
  const int projected = project(topology, at, margin, threads, same_start && dops_.size() == tree.nodes.size());
  const int first_end = swept || swept_ ? 0 : projected;
  swept_ = swept;
  dops_.resize(tree.nodes.size());
  bottom_up(tree, threads, [&](std::uint32_t i) {
    const PatchNode& node = tree.nodes[i];
    Dop& d = dops_[i];
    if (!node.is_leaf()) return unite(dops_[node.child], dops_[node.child + 1], d, first_end);
    clear(d, first_end);
    for (std::uint32_t k = node.begin; k < node.end; ++k)
      for (const std::uint32_t v : topology.triangle(tree.items[k])) add(d, projections_[v], first_end);
    widen(d, first_end);
    if (swept) sweep(d);
  });
}

}  // namespace graze::engine::deform
