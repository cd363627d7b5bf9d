// SPDX-License-Identifier: MIT
#include "classic/fast/hull_tree.hpp"

#include <algorithm>
#include <cmath>

#include <graze/math/box3.hpp>

#include "bv/convex_hull.hpp"
#include "bv/float_bounds.hpp"
#include "bvh/tree.hpp"
#include "core/limits.hpp"
#include "math/vectors.hpp"
#include "mesh/convex_surface.hpp"
#include "prim/convex/simplex.hpp"

namespace graze::classic::fast {

namespace {

using math::norm;

constexpr double unit = 0x1p-53;

/// A power of two by which a mesh of this box fits into single precision; 1 where it does anyway.
double scale_to_single(const Box3& box) {
  double largest = 0;
  for (int k = 0; k < 3; ++k) largest = std::max({largest, std::fabs(box.lo[k]), std::fabs(box.hi[k])});
  if (!(largest > 0x1p60 && std::isfinite(largest)) && !(largest > 0 && largest < 0x1p-60)) return 1;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1022, 1022));
}

/// Boxes only choose where the tree is split. Range: the largest coordinate is at most 2^60, so none becomes infinite;
/// small ones may underflow, to a box that is too large by 2^-149.
bvh::BoxF rounded(const Box3& b, double scale) {
  bvh::BoxF box;
  for (int k = 0; k < 3; ++k) {
    box.lo[k] = bv::float_below(b.lo[k] * scale);
    box.hi[k] = bv::float_above(b.hi[k] * scale);
  }
  return box;
}

}  // namespace

/// Builds the tree top down by boxes, first over the pieces, then over the triangles of each piece; the hulls bottom
/// up, each from its children's corners.
class HullTreeBuilder {
 public:
  HullTreeBuilder(const Mesh& mesh, HullTree& tree) : mesh_(mesh), tree_(tree), scale_(scale_to_single(mesh.box())) {}

  void run() {
    const mesh::ConvexSurface surface = mesh::convex_surface(mesh_);
    std::vector<bvh::BoxF> boxes(surface.size());
    for (std::size_t i = 0; i < surface.size(); ++i) boxes[i] = rounded(box_of(surface.piece(i)), scale_);
    tree_.pieces_.assign(surface.size(), 0);
    tree_.nodes_.reserve(2 * mesh_.triangle_count());
    tree_.nodes_.resize(1);
    grow(0, boxes, [&](std::uint32_t node, std::uint32_t piece) {
      tree_.pieces_[piece] = node;
      const std::span<const std::uint32_t> triangles = surface.piece(piece);
      std::vector<bvh::BoxF> parts(triangles.size());
      for (std::size_t i = 0; i < triangles.size(); ++i) parts[i] = rounded(box_of({&triangles[i], 1}), scale_);
      const std::size_t first = tree_.nodes_.size();
      grow(node, parts, [&](std::uint32_t leaf, std::uint32_t i) {
        tree_.nodes_[leaf].leaf = true;
        tree_.nodes_[leaf].first = triangles[i];
      });
      tree_.nodes_[node].whole = true;
      for (std::size_t i = first; i < tree_.nodes_.size(); ++i) tree_.nodes_[i].whole = true;
    });
    for (auto i = static_cast<std::uint32_t>(tree_.nodes_.size()); i-- > 0;) add_hull(tree_.nodes_[i]);
  }

 private:
  Box3 box_of(std::span<const std::uint32_t> triangles) const {
    Box3 box;
    for (const std::uint32_t t : triangles)
      for (const std::uint32_t v : mesh_.triangles()[t]) box.add(mesh_.positions()[v]);
    return box;
  }

  /// Builds the tree over the boxes below node `root`; `leaf(node, box)` fills in a node with one box.
  template <class Leaf>
  void grow(std::uint32_t root, std::span<const bvh::BoxF> boxes, const Leaf& leaf) {
    const bvh::Tree plan = bvh::build(boxes, {.max_leaf_size = 1});
    std::vector<std::uint32_t> node_of(plan.nodes.size());
    node_of[0] = root;
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {  // parents come first
      const bvh::Node& n = plan.nodes[i];
      if (n.is_leaf()) continue;
      const auto first = static_cast<std::uint32_t>(tree_.nodes_.size());
      tree_.nodes_.resize(tree_.nodes_.size() + 2);
      tree_.nodes_[node_of[i]].first = first;
      node_of[n.first] = first;
      node_of[n.first + 1] = first + 1;
    }
    for (std::size_t i = 0; i < plan.nodes.size(); ++i)
      if (plan.nodes[i].is_leaf()) leaf(node_of[i], plan.items[plan.nodes[i].first]);
  }

  void add_hull(HullTree::Node& n) {
    core::poll_once();
    vertices_.clear();
    if (n.leaf) {
      const Triangle& t = mesh_.triangles()[n.first];
      vertices_.assign(t.begin(), t.end());
      n.lowest = n.first;
    } else {
      n.lowest = std::min(tree_.nodes_[n.first].lowest, tree_.nodes_[n.first + 1].lowest);
      for (const std::uint32_t child : {n.first, n.first + 1}) {
        const auto part = tree_.vertices(tree_.nodes_[child]);
        vertices_.insert(vertices_.end(), part.begin(), part.end());
      }
    }
    std::sort(vertices_.begin(), vertices_.end());
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
    points_.clear();
    for (const std::uint32_t v : vertices_) points_.push_back(mesh_.positions()[v]);
    // Scanning a few points is as fast as scanning their hull.
    const bool few = vertices_.size() <= keep_all;
    const bv::ConvexHull hull = few ? bv::ConvexHull{} : bv::convex_hull(points_);
    n.corner = static_cast<std::uint32_t>(tree_.corners_.size());
    n.count = static_cast<std::uint32_t>(few ? vertices_.size() : hull.corners.size());
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const std::uint32_t k = few ? i : hull.corners[i];
      tree_.corners_.push_back(points_[k]);
      tree_.vertices_.push_back(vertices_[k]);
    }
    add_ball(n);
    if (n.count > HullTree::scan_limit && hull.dimension >= 2) add_climb(n, hull);
  }

  void add_ball(HullTree::Node& n) const {
    Box3 box;
    for (const Vec3& p : tree_.corners(n)) box.add(p);
    n.centre = box.lo * 0.5 + box.hi * 0.5;
    for (const Vec3& p : tree_.corners(n)) n.radius = std::max(n.radius, length(p - n.centre) * (1 + 8 * unit));
    n.radius += std::numeric_limits<double>::denorm_min();
  }

  void add_climb(HullTree::Node& n, const bv::ConvexHull& hull) {
    n.climb = static_cast<std::uint32_t>(tree_.climbs_.size());
    tree_.climbs_.push_back({static_cast<std::uint32_t>(tree_.links_.size()),
                             static_cast<std::uint32_t>(tree_.slacks_.size()),
                             static_cast<std::uint32_t>(tree_.tables_.size())});
    std::vector<std::uint32_t> next(n.count + 1, 0);
    for (const auto& [a, b] : hull.edges) ++next[a + 1], ++next[b + 1];
    const auto base = static_cast<std::uint32_t>(tree_.neighbours_.size());
    next[0] = base;
    for (std::uint32_t i = 0; i < n.count; ++i) next[i + 1] += next[i];
    tree_.links_.insert(tree_.links_.end(), next.begin(), next.end());
    tree_.neighbours_.resize(next.back());
    for (const auto& [a, b] : hull.edges) {
      tree_.neighbours_[next[a]++] = b;
      tree_.neighbours_[next[b]++] = a;
    }
    for (std::uint32_t v = 0; v < n.count; ++v) tree_.slacks_.push_back(tree_.climbing_slack(n, v));
    add_table(n);
  }

  void add_table(const HullTree::Node& n) {
    constexpr std::uint32_t side = HullTree::table_side;
    AllCounters counters;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < side; ++i)
      for (std::uint32_t j = 0; j < side; ++j) {
        double u = (i + 0.5) * 2 / side - 1, v = (j + 0.5) * 2 / side - 1;
        const double z = 1 - std::fabs(u) - std::fabs(v);
        if (z < 0) {
          const double fold = u;
          u = std::copysign(1 - std::fabs(v), u);
          v = std::copysign(1 - std::fabs(fold), v);
        }
        last = tree_.climb(n, {u, v, z}, last, counters);
        tree_.tables_.push_back(last);
      }
  }

  static constexpr std::size_t keep_all = 10;

  const Mesh& mesh_;
  HullTree& tree_;
  double scale_;
  std::vector<std::uint32_t> vertices_;
  std::vector<Vec3> points_;
};

HullTree::HullTree(const Mesh& mesh) { HullTreeBuilder(mesh, *this).run(); }

HullTree::Support HullTree::support(const Node& n, const Vec3& d, std::uint32_t hint, bool table,
                                    AllCounters& counters) const {
  ++counters.support_calls;
  if (n.climb != none) {
    const Climb& c = climbs_[n.climb];
    std::uint32_t start = hint < n.count ? hint : 0;
    if (table) {
      const Vec3* x = corners_.data() + n.corner;
      const std::uint32_t other = tables_[c.table + cell(d)];
      if (dot(d, x[other] - x[start]) > 0) start = other;
    }
    const std::uint32_t top = climb(n, d, start, counters);
    // If the corner lies inside a facet or edge, climbing proves nothing.
    if (const double slack = slacks_[c.slack + top]; slack < n.radius) return {top, slack};
  }
  // Each product d . (x - centre): differences have an error of u, three products, two sums: below 4.1 u |d| |x -
  // centre|; two are compared, and a sum of the largest products that underflows is below 2^-1070.
  return {scan(n, d), 8.3 * unit * n.radius};
}

std::uint32_t HullTree::scan(const Node& n, const Vec3& d) const {
  const Vec3* x = corners_.data() + n.corner;
  std::uint32_t best = 0;
  double most = dot(d, x[0] - n.centre);
  for (std::uint32_t i = 1; i < n.count; ++i) {
    const double along = dot(d, x[i] - n.centre);
    best = along > most ? i : best;
    most = along > most ? along : most;
  }
  return best;
}

std::uint32_t HullTree::climb(const Node& n, const Vec3& d, std::uint32_t start, AllCounters& counters) const {
  const Vec3* x = corners_.data() + n.corner;
  std::uint32_t v = start;
  for (std::uint32_t guard = 0; guard <= n.count; ++guard) {
    std::uint32_t best = v;
    double most = 0;
    for (const std::uint32_t u : around(n, v)) {
      const double rise = dot(d, x[u] - x[v]);
      best = rise > most ? u : best;
      most = rise > most ? rise : most;
    }
    if (best == v) return v;
    v = best;
    ++counters.hill_climb_steps;
  }
  return scan(n, d);  // rounding caused a cycle among corners that are equally far
}

/// What climbing proves. It ends at v where every computed d . (u - v) over the neighbours u is at most 0; the exact
/// value is then at most e |d| |u - v| with e = 4.01 units. The hull lies in the cone of v's edges: x - v = sum of l_u
/// (u - v) with l_u >= 0. For any g whose cosine with every edge is at least c > 0,
///   c |g| sum l_u |u - v| <= sum l_u g . (u - v) = g . (x - v) <= |g| |x - v|,  so  d . (x - v) <= e |d| |x - v| / c.
/// A good g is the point nearest to the origin of the convex hull of the edges' directions: found by the iteration that
/// the search itself uses.
double HullTree::climbing_slack(const Node& n, std::uint32_t corner) const {
  const Vec3* x = corners_.data() + n.corner;
  std::vector<Vec3> directions;
  for (const std::uint32_t u : around(n, corner)) {
    const Vec3 e = x[u] - x[corner];
    const double size = norm(e);
    if (!(size > 0)) return std::numeric_limits<double>::infinity();
    directions.push_back(e * (1 / size));
  }
  prim::ConvexSimplex simplex;
  Vec3 g = directions.front();
  double best = 0;
  for (int step = 0; step < 100; ++step) {
    const auto worst = std::min_element(directions.begin(), directions.end(),
                                        [&](const Vec3& a, const Vec3& b) { return dot(g, a) < dot(g, b); });
    best = std::max(best, dot(g, *worst) / norm(g));
    const auto id = static_cast<std::uint32_t>(worst - directions.begin());
    if (simplex.holds(id, id)) break;
    simplex.add(*worst, id, id);
    const prim::NearestPoint p = prim::nearest_to_origin(simplex);
    if (p.inside || !(p.squared > 0)) break;
    g = p.v;
  }
  best -= 16 * unit;  // directions, g and the products are rounded
  if (!(best > 0)) return std::numeric_limits<double>::infinity();
  return 4.2 * unit * 2 * n.radius / best;
}

/// Cells of the octahedron |x| + |y| + |z| = 1, unfolded into a square.
std::size_t HullTree::cell(const Vec3& d) {
  const double scale = 1 / (std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z));
  const double x = d.x * scale, y = d.y * scale;
  const bool lower = d.z < 0;
  const double u = lower ? std::copysign(1 - std::fabs(y), x) : x;
  const double v = lower ? std::copysign(1 - std::fabs(x), y) : y;
  const auto index = [](double c) {
    const double i = (c + 1) * 0.5 * table_side;
    return i > 0 ? std::min(static_cast<std::size_t>(i), std::size_t{table_side - 1}) : 0;  // NaN too: no direction
  };
  return index(u) * table_side + index(v);
}

std::size_t HullTree::bytes() const {
  return nodes_.size() * sizeof(Node) + corners_.size() * sizeof(Vec3) + climbs_.size() * sizeof(Climb) +
         slacks_.size() * sizeof(double) +
         (pieces_.size() + vertices_.size() + links_.size() + neighbours_.size() + tables_.size()) *
             sizeof(std::uint32_t);
}

}  // namespace graze::classic::fast
