// SPDX-License-Identifier: MIT
#include "engine/deform/tree/patch_tree.hpp"

#include <algorithm>
#include <iterator>

#include "engine/deform/tree/agglomerate.hpp"
#include "engine/deform/tree/culling.hpp"
#include "engine/deform/tree/dop_tree.hpp"
#include "engine/deform/tree/patch_contours.hpp"
#include "engine/deform/tree/stars.hpp"
#include "engine/deform/tree/tree_branches.hpp"

namespace graze::engine::deform {

namespace {

/// The smallest unit of joining: a triangle, or a node of the tree before a break with its whole subtree.
struct Unit {
  std::uint32_t id;
  bool node;
};

/// Units, joins of patches and joins of parts as one binary tree, before its final layout.
struct Forest {
  core::LargeVector<Unit> units;
  core::LargeVector<std::array<std::uint32_t, 2>> joined;  ///< entry i is number units + i
  core::LargeVector<std::uint32_t> counts;                 ///< number of triangles
  core::LargeVector<bvh::BoxF> boxes;
  std::size_t first_above = 0;      ///< joins from here on are of parts that are not connected
  std::vector<float> kept_culling;  ///< of those joins, if unchanged: the culling metric at construction, else negative
  std::uint32_t root = 0;
};

/// A node whose culling metric falls below this fraction of its value at construction is rebuilt.
constexpr float worn = 0.5f;

std::uint32_t join(Forest& f, std::uint32_t a, std::uint32_t b) {
  f.joined.push_back({a, b});
  f.counts.push_back(f.counts[a] + f.counts[b]);
  f.boxes.push_back(united(f.boxes[a], f.boxes[b]));
  return static_cast<std::uint32_t>(f.counts.size() - 1);
}

/// The upper tree, top down (VI.A), as further joins.
void join_parts(Forest& f, const std::vector<std::uint32_t>& parts, int threads) {
  if (parts.size() == 1) {
    f.root = parts[0];
    return;
  }
  std::vector<bvh::BoxF> boxes;
  for (const std::uint32_t r : parts) boxes.push_back(f.boxes[r]);
  const bvh::Tree top = bvh::build(boxes, {.max_leaf_size = patch_leaf_size, .threads = threads});
  std::vector<std::uint32_t> number(top.nodes.size());
  for (std::size_t i = top.nodes.size(); i-- > 0;) {
    const bvh::Node& n = top.nodes[i];
    if (!n.is_leaf()) {
      number[i] = join(f, number[n.first], number[n.first + 1]);
      continue;
    }
    number[i] = parts[top.items[n.first]];
    for (std::uint32_t k = n.first + 1; k < n.first + n.count; ++k) number[i] = join(f, number[i], parts[top.items[k]]);
  }
  f.root = number[0];
}

/// Depth first, so that the triangles below a node are contiguous.
class Layout {
 public:
  Layout(const Forest& f, const PatchTree* old, PatchTree& out) : f_(f), old_(old), out_(out) {}

  void run() {
    out_.nodes.emplace_back();
    stack_.push_back({f_.root, 0});
    while (!stack_.empty()) {
      const Place p = stack_.back();
      stack_.pop_back();
      place(p.number, p.at);
    }
    out_.position.resize(out_.items.size());
    for (std::uint32_t i = 0; i < out_.items.size(); ++i) out_.position[out_.items[i]] = i;
    list_parts();
  }

 private:
  struct Place {
    std::uint32_t number, at;  ///< number in the forest; index of the node to fill
  };

  void place(std::uint32_t number, std::uint32_t at) {
    const std::size_t units = f_.units.size();
    if (number < units && f_.units[number].node) return keep(f_.units[number].id, at);
    PatchNode n;
    n.begin = static_cast<std::uint32_t>(out_.items.size());
    n.end = n.begin + f_.counts[number];
    n.several = number >= f_.first_above;
    if (f_.counts[number] <= patch_leaf_size) {
      emit(number);
    } else {
      const auto& [left, right] = f_.joined[number - units];
      if (n.several) set_culling(n, number, left, right);
      n.child = add_children(left, right);
    }
    out_.nodes[at] = n;
  }

  void set_culling(PatchNode& n, std::uint32_t number, std::uint32_t left, std::uint32_t right) const {
    const std::size_t above = number - f_.first_above;
    n.kept = above < f_.kept_culling.size() && f_.kept_culling[above] >= 0;
    n.culling = n.kept ? f_.kept_culling[above] : culling(f_.boxes[number], f_.boxes[left], f_.boxes[right]);
  }

  /// A node with its subtree, whose nodes and items are contiguous.
  void keep(std::uint32_t old, std::uint32_t at) {
    const PatchNode& root = old_->nodes[old];
    const auto items = static_cast<std::uint32_t>(out_.items.size()) - root.begin;  // shifts, modulo 2^32
    const std::uint32_t below = root.is_leaf() ? 0 : static_cast<std::uint32_t>(out_.nodes.size()) - root.child;
    out_.items.insert(out_.items.end(), old_->items.begin() + root.begin, old_->items.begin() + root.end);
    const auto shifted = [&](PatchNode n) {
      n.kept = true;
      n.begin += items;
      n.end += items;
      if (!n.is_leaf()) n.child += below;
      const auto steps = old_->contours.begin() + n.contour_begin;
      n.contour_begin = static_cast<std::uint32_t>(out_.contours.size());
      out_.contours.insert(out_.contours.end(), steps, steps + n.contour_size);
      return n;
    };
    out_.nodes[at] = shifted(root);
    if (root.is_leaf()) return;
    const std::uint32_t end = end_of_branch(*old_, old);
    for (std::uint32_t i = root.child; i < end; ++i) out_.nodes.push_back(shifted(old_->nodes[i]));
  }

  std::uint32_t add_children(std::uint32_t left, std::uint32_t right) {
    const auto child = static_cast<std::uint32_t>(out_.nodes.size());
    out_.nodes.resize(child + 2u);
    stack_.push_back({right, child + 1});
    stack_.push_back({left, child});
    return child;
  }

  void emit(std::uint32_t number) {
    below_.assign(1, number);
    while (!below_.empty()) {
      const std::uint32_t n = below_.back();
      below_.pop_back();
      if (n >= f_.units.size()) {
        below_.push_back(f_.joined[n - f_.units.size()][1]);
        below_.push_back(f_.joined[n - f_.units.size()][0]);
      } else if (f_.units[n].node) {
        const PatchNode& old = old_->nodes[f_.units[n].id];
        for (std::uint32_t k = old.begin; k < old.end; ++k) out_.items.push_back(old_->items[k]);
      } else {
        out_.items.push_back(f_.units[n].id);
      }
    }
  }

  void list_parts() {
    below_.assign(1, 0);
    while (!below_.empty()) {
      const std::uint32_t i = below_.back();
      below_.pop_back();
      if (out_.nodes[i].several && !out_.nodes[i].is_leaf()) {
        below_.push_back(out_.nodes[i].child + 1);
        below_.push_back(out_.nodes[i].child);
      } else {
        out_.parts.push_back(i);
      }
    }
  }

  const Forest& f_;
  const PatchTree* old_;
  PatchTree& out_;
  std::vector<Place> stack_;
  std::vector<std::uint32_t> below_;
};

/// The last triangle with the edge before t and the first one after it.
template <class Visit>
void visit_beside(const Topology& topology, std::uint32_t t, const EdgeVertices& e, Visit&& visit) {
  const auto near = topology.around_edge(e);
  const auto at = std::lower_bound(near.begin(), near.end(), t);
  const auto with_edge = [&](std::uint32_t i) { return i != t && topology.has_edge(i, e); };
  if (const auto i = std::find_if(std::reverse_iterator(at), near.rend(), with_edge); i != near.rend()) visit(*i);
  if (const auto i = std::find_if(at, near.end(), with_edge); i != near.end()) visit(*i);
}

/// The last loose edge at a vertex before t and the first one after it.
template <class Visit>
void visit_loose_at(const Topology& topology, std::uint32_t t, std::uint32_t v, Visit&& visit) {
  const auto near = topology.around(v);
  const auto at = std::lower_bound(near.begin(), near.end(), t);
  if (at != near.begin() && *(at - 1) >= topology.surface_count()) visit(*(at - 1));
  if (at + 1 != near.end()) visit(*(at + 1));
}

/// All triangles at an edge are connected, whatever their number: each with its predecessor and its successor. So are
/// all loose edges and points at a vertex, at the other two sides of their triangles.
template <class Visit>
void for_each_neighbour(const Topology& topology, std::uint32_t t, std::size_t k, Visit&& visit) {
  if (t >= topology.surface_count() && k > 0)
    return visit_loose_at(topology, t, topology.triangle(t)[k == 1 ? 1 : 0], visit);
  const std::uint32_t other = topology.across(t, k);
  if (Topology::is_triangle(other))
    visit(other);
  else if (other == Topology::irregular)
    visit_beside(topology, t, edge_of(topology.triangle(t), k), visit);
}

PatchTree lay_out(Forest& f, const PatchTree* old, const Topology& topology, int threads) {
  PatchTree tree;
  tree.items.reserve(topology.triangle_count());
  Layout(f, old, tree).run();
  tree.cut();
  find_contours(topology, tree, old != nullptr, threads);
  return tree;
}

/// Joins units along connectivity. Returns the numbers of the parts.
std::vector<std::uint32_t> join_units(Forest& f, core::LargeVector<std::array<std::uint32_t, 2>> touching,
                                      int threads) {
  Joining j{std::move(f.boxes), std::move(f.counts), std::move(touching), {}, {}};
  agglomerate(j, threads);
  f.boxes = std::move(j.boxes);
  f.counts = std::move(j.counts);
  f.joined = std::move(j.joined);
  return std::move(j.roots);
}

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

PatchTree build_patch_tree(const Topology& topology, std::span<const bvh::BoxF> boxes, int threads) {
  Forest f;
  const auto n = static_cast<std::uint32_t>(topology.triangle_count());
  f.boxes.reserve(2 * boxes.size());  // including the joins
  f.boxes.assign(boxes.begin(), boxes.end());
  f.counts.reserve(2 * boxes.size());
  f.counts.assign(n, 1);
  f.units.reserve(n);
  core::LargeVector<std::array<std::uint32_t, 2>> touching;
  touching.reserve(n + n / 2);
  for (std::uint32_t t = 0; t < n; ++t) {
    f.units.push_back({t, false});
    for (std::size_t k = 0; k < 3; ++k) {
      if (t >= topology.surface_count() && k > 0 && is_star(topology, topology.triangle(t)[2 - k])) continue;
      for_each_neighbour(topology, t, k, [&](std::uint32_t other) {
        if (t < other) touching.push_back({t, other});
      });
    }
  }
  link_stars(topology, boxes, threads, touching);
  const std::vector<std::uint32_t> parts = join_units(f, std::move(touching), threads);
  f.first_above = f.counts.size();
  join_parts(f, parts, threads);
  return lay_out(f, nullptr, topology, threads);
}

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
