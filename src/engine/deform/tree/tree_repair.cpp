// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/deform/tree/agglomerate.hpp"
#include "engine/deform/tree/culling.hpp"
#include "engine/deform/tree/dop_tree.hpp"
#include "engine/deform/tree/forest.hpp"
#include "engine/deform/tree/neighbours.hpp"

namespace graze::engine::deform {

namespace {

/// A node whose culling metric falls below this fraction of its value at construction is rebuilt.
constexpr float worn = 0.5f;

/// Finds the nodes of a tree that can be kept: the topmost nodes without touched triangles, within each part. All other
/// triangles become single units. Units are in the order of the old tree's items; new triangles follow.
class Units {
 public:
  Units(const PatchTree& old, const Topology& topology, const Touched& touched, const TriangleBoxes& boxes, Forest& f)
      : old_(old), topology_(topology), boxes_(boxes), f_(f) {
    const auto n = static_cast<std::uint32_t>(topology.triangle_count());
    const auto before = static_cast<std::uint32_t>(old.items.size());
    for (const std::uint32_t t : touched.triangles)
      if (t < before) touched_at_.push_back(old.position[t]);
    for (std::uint32_t t = n; t < before; ++t) touched_at_.push_back(old.position[t]);
    std::sort(touched_at_.begin(), touched_at_.end());
    collect();
    first_new_ = static_cast<std::uint32_t>(f_.units.size());
    for (std::uint32_t t = before; t < n; ++t) add_triangle(t);
  }

  core::LargeVector<std::array<std::uint32_t, 2>> touching() const {
    core::LargeVector<std::array<std::uint32_t, 2>> pairs;
    for (std::uint32_t number = 0; number < f_.units.size(); ++number) {
      const Unit& u = f_.units[number];
      const auto add = [&](std::uint32_t t, std::size_t k) {
        for_each_neighbour(topology_, t, k, [&](std::uint32_t other) {
          const std::uint32_t beside = unit_of(other);
          if (number < beside) pairs.push_back({number, beside});
        });
      };
      if (!u.node) {
        for (std::size_t k = 0; k < 3; ++k) add(u.id, k);
        continue;
      }
      const PatchNode& n = old_.nodes[u.id];
      for (std::uint32_t i = 0; i < n.contour_size; ++i) {
        const std::uint32_t step = old_.contours[n.contour_begin + i];
        add(step / 3, step % 3);
      }
      if (n.contour_size > 0) continue;
      for (std::uint32_t i = n.begin; i < n.end; ++i)
        for (std::size_t k = 0; k < 3; ++k) add(old_.items[i], k);
    }
    return pairs;
  }

 private:
  bool untouched(const PatchNode& n) const {
    const auto first = std::lower_bound(touched_at_.begin(), touched_at_.end(), n.begin);
    return first == touched_at_.end() || *first >= n.end;
  }
  std::uint32_t unit_of(std::uint32_t t) const {
    if (t >= old_.items.size()) return first_new_ + (t - static_cast<std::uint32_t>(old_.items.size()));
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), old_.position[t]);
    return static_cast<std::uint32_t>(after - starts_.begin() - 1);
  }

  void collect() {
    std::vector<std::uint32_t> stack{0};
    while (!stack.empty()) {
      const std::uint32_t i = stack.back();
      stack.pop_back();
      const PatchNode& n = old_.nodes[i];
      if (!n.several && untouched(n)) {
        starts_.push_back(n.begin);
        add_node(i);
      } else if (n.is_leaf()) {
        for (std::uint32_t k = n.begin; k < n.end; ++k) {
          if (old_.items[k] >= topology_.triangle_count()) continue;
          starts_.push_back(k);
          add_triangle(old_.items[k]);
        }
      } else {
        stack.push_back(n.child + 1);
        stack.push_back(n.child);
      }
    }
  }

  void add_triangle(std::uint32_t t) {
    f_.units.push_back({t, false});
    f_.boxes.push_back(boxes_(t));
    f_.counts.push_back(1);
  }
  /// Of a large node a triangle of each leaf will do: its box only tells which units to join.
  void add_node(std::uint32_t i) {
    const PatchNode& n = old_.nodes[i];
    const std::uint32_t stride = n.size() < 256 ? 1 : patch_leaf_size;
    bvh::BoxF box = boxes_(old_.items[n.begin]);
    for (std::uint32_t k = n.begin; k < n.end; k += stride) box = united(box, boxes_(old_.items[k]));
    f_.units.push_back({i, true});
    f_.boxes.push_back(box);
    f_.counts.push_back(n.size());
  }

  const PatchTree& old_;
  const Topology& topology_;
  const TriangleBoxes& boxes_;
  Forest& f_;
  std::vector<std::uint32_t> touched_at_;  // positions of touched and removed triangles, sorted
  std::vector<std::uint32_t> starts_;      // by unit of an old triangle or node: its position
  std::uint32_t first_new_ = 0;            // the unit of the first new triangle
};

/// Selective restructuring (VI.B): repeats the joins of the old upper level where both sides are whole, unchanged parts
/// and the node still culls well. Returns what remains to be joined.
std::vector<std::uint32_t> keep_upper_nodes(const PatchTree& old, Forest& f, const std::vector<std::uint32_t>& parts) {
  std::vector<std::uint32_t> number(old.nodes.size(), Topology::none);
  for (const std::uint32_t p : parts)
    if (p < f.units.size() && f.units[p].node) number[f.units[p].id] = p;
  std::vector<bool> inside(f.counts.size(), false);
  for (std::size_t i = old.nodes.size(); i-- > 0;) {  // children come after their parents
    const PatchNode& n = old.nodes[i];
    if (!n.several || n.is_leaf()) continue;
    const std::uint32_t left = number[n.child], right = number[n.child + 1];
    if (left == Topology::none || right == Topology::none) continue;
    const bvh::BoxF &a = f.boxes[left], &b = f.boxes[right];
    if (culling(united(a, b), a, b) < worn * n.culling) continue;
    inside[left] = inside[right] = true;
    number[i] = join(f, left, right);
    inside.push_back(false);
    f.kept_culling.resize(f.counts.size() - f.first_above, -1.0f);
    f.kept_culling.back() = n.culling;
  }
  std::vector<std::uint32_t> left_over;
  for (const std::uint32_t p : parts)
    if (!inside[p]) left_over.push_back(p);
  for (auto i = static_cast<std::uint32_t>(f.first_above); i < f.counts.size(); ++i)
    if (!inside[i]) left_over.push_back(i);
  return left_over;
}

/// With fewer parts the whole upper level is rebuilt.
constexpr std::size_t few_parts = 16;

}  // namespace

PatchTree repair_patch_tree(const PatchTree& old, const Topology& topology, const Touched& touched,
                            const TriangleBoxes& boxes, int threads) {
  Forest f;
  const Units units(old, topology, touched, boxes, f);
  std::vector<std::uint32_t> parts = join_units(f, units.touching(), threads);
  f.first_above = f.counts.size();
  if (parts.size() > few_parts) parts = keep_upper_nodes(old, f, parts);
  join_parts(f, parts, threads);
  return lay_out(f, &old, topology, threads);
}

bool upper_level_is_worn(const PatchTree& tree, const DopTree& dops) {
  const auto box = [&](std::uint32_t i) {
    const Dop& d = dops.nodes()[i];
    bvh::BoxF b;
    for (int k = 0; k < 3; ++k) {
      b.lo[k] = std::min(d.lo[0][k], d.lo[1][k]);
      b.hi[k] = std::max(d.hi[0][k], d.hi[1][k]);
    }
    return b;
  };
  for (std::uint32_t i = 0; i < tree.nodes.size() && tree.parts.size() > 1; ++i) {
    const PatchNode& n = tree.nodes[i];
    if (n.several && !n.is_leaf() && culling(box(i), box(n.child), box(n.child + 1)) < worn * n.culling) return true;
  }
  return false;
}

}  // namespace graze::engine::deform
