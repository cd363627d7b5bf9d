// SPDX-License-Identifier: MIT
// The traversal from pairs of nodes down to pairs of features. Included once for each instruction set.
#if defined(GRAZE_QUERY_DEFORM_FINDER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_DEFORM_FINDER_INL_HPP
#undef GRAZE_QUERY_DEFORM_FINDER_INL_HPP
#else
#define GRAZE_QUERY_DEFORM_FINDER_INL_HPP
#endif

#include "core/limits.hpp"
#include "engine/deform/walk/apart-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::deform {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types with the same names

/// Range. Of floats, this class itself computes only `size`, negated projections and, by `reach`, their minima and
/// maxima. Projections are below 2^26 and never NaN or infinite (DopTree::project), and neither are the bounds of
/// nodes, each of which contains a vertex. So a difference is below 2^27 and `size` below 2^29. It does not underflow:
/// a difference of two floats is exact where it is subnormal. `size` only decides which of two nodes is opened; with
/// NaN the second would be. Pairs are dropped by `Apart` alone, whose range is derived there.
template <Until until>
class Finder {
 public:
  Finder(const CandidateSearch& s, LeafCache& leaves, FeatureCandidates& out)
      : s_(s), leaves_(leaves), out_(out), apart_(s), whole_leaves_(s.representatives && s.feature_bounds) {}

  void run(std::vector<PatchPair>& stack, std::size_t enough_pairs, std::size_t enough) {
    core::Poll poll;
    while (!stack.empty() && stack.size() < enough_pairs && out_.size() < enough) {
      poll.rarely();
      const PatchPair p = stack.back();
      stack.pop_back();
      const PatchNode &na = s_.tree.nodes[p.a], &nb = s_.tree.nodes[p.b];
      if (s_.rules && s_.rules->none_may(p.a, p.b)) continue;
      if (p.a == p.b) {
        choose_rules(p);
        leaf_itself(p.a);
        continue;
      }
      ++out_.counters.node_pairs;
      const Dop &x = s_.dops.nodes()[p.a], &y = s_.dops.nodes()[p.b];
      if (apart_(bounds(x), bounds(y))) continue;
      if (s_.fans && (all_adjacent(p) || s_.fans->apart(p.a, p.b))) continue;
      if (na.is_leaf() && nb.is_leaf()) {
        choose_rules(p);
        leaves(p);
      } else if (nb.is_leaf() || (!na.is_leaf() && size(x) >= size(y))) {
        stack.push_back({na.child + 1, p.b});
        stack.push_back({na.child, p.b});
      } else {
        stack.push_back({p.a, nb.child + 1});
        stack.push_back({p.a, nb.child});
      }
    }
  }

 private:
  /// With orphans, adjacent triangles represent no features: below two nodes around one hub there is nothing to find.
  bool all_adjacent(const PatchPair& p) const { return s_.orphans && s_.fans->common_hub(p.a, p.b) != Topology::none; }
  static float size(const Dop& d) {
    return (d.hi[0][0] - d.lo[0][0]) + (d.hi[0][1] - d.lo[0][1]) + (d.hi[0][2] - d.lo[0][2]);
  }
  /// Must features below these nodes be asked one by one whether they may touch?
  void choose_rules(const PatchPair& p) {
    rules_ = s_.rules && !s_.rules->all_may(p.a, p.b) ? &s_.rules->rules() : nullptr;
  }
  void add_vertex_face(const FourVertices& v) {
    if (!rules_ || rules_->features_may(v, 1)) out_.vertex_face.push_back(v);
  }
  void add_edge_edge(const FourVertices& v) {
    if (!rules_ || rules_->features_may(v, 2)) out_.edge_edge.push_back(v);
  }
  bool same_piece(const Triangle& a, const Triangle& b) const { return s_.pieces[a[0]] == s_.pieces[b[0]]; }

  // --- Two leaves: features for which their triangles are the first ---

  const LeafFeatures& load(std::uint32_t node, std::uint32_t other) {
    bool known = false;
    LeafFeatures& leaf = leaves_.find(node, other, known);
    if (known) return leaf;
    const PatchNode& n = s_.tree.nodes[node];
    leaf.faces = leaf.edges = leaf.vertices = 0;
    leaf.ring = 0;
    for (std::uint32_t k = n.begin; k < n.end; ++k) {
      const std::uint32_t face = leaf.faces++, id = s_.tree.items[k];
      const Triangle& t = s_.topology.triangle(id);
      const unsigned bits = s_.topology.first_bits(id);
      leaf.triangles[face] = id;
      leaf.rings[face] = s_.topology.ring(id);
      leaf.ring |= leaf.rings[face];
      reach(s_.dops, t.data(), 3, leaf.bounds[face]);
      for (std::size_t i = 0; i < 3; ++i) {
        if (bits >> i & 1) {
          const VertexProjection& p = s_.dops.vertex(t[i]);
          leaf.vertex[leaf.vertices++] = {t[i], face, {p.ninth[0], p.ninth[1], -p.ninth[0], -p.ninth[1]}};
        }
        if (bits >> 3 >> i & 1) {
          LeafFeatures::Edge& e = leaf.edge[leaf.edges++];
          e.vertices = edge_of(t, i);
          e.face = face;
          reach(s_.dops, e.vertices.data(), 2, e.bounds);
        }
      }
    }
    return leaf;
  }

  /// The features of a leaf that are not separated from the other leaf.
  struct Near {
    unsigned faces = 0, edges = 0, vertices = 0;
    unsigned is_near = 0;  ///< one bit for each face
    std::uint8_t face[patch_leaf_size], edge[3 * patch_leaf_size], vertex[3 * patch_leaf_size];
  };
  /// `hub`: a vertex that all triangles of both leaves have, or none. What has it is never separated, because the other
  /// leaf has it, too.
  void find_near_faces(const LeafFeatures& leaf, const Dop& other, std::uint32_t hub, Near& near) const {
    for (std::uint32_t k = 0; k < leaf.faces; ++k) {
      const unsigned is_near = hub != Topology::none || !apart_(bounds(leaf.bounds[k]), bounds(other));
      near.face[near.faces] = static_cast<std::uint8_t>(k);
      near.faces += is_near;
      near.is_near |= is_near << k;
    }
  }
  /// The features of a separated face are separated. The hub itself is left out: it is a vertex of every face.
  void find_near_features(const LeafFeatures& leaf, const Dop& other, std::uint32_t hub, Near& near) const {
    for (std::uint32_t k = 0; k < leaf.edges; ++k) {
      if (!(near.is_near >> leaf.edge[k].face & 1)) continue;
      near.edge[near.edges] = static_cast<std::uint8_t>(k);
      near.edges += has(leaf.edge[k], hub) || !apart_(bounds(leaf.edge[k].bounds), bounds(other));
    }
    for (std::uint32_t k = 0; k < leaf.vertices; ++k) {
      if (!(near.is_near >> leaf.vertex[k].face & 1) || leaf.vertex[k].vertex == hub) continue;
      near.vertex[near.vertices] = static_cast<std::uint8_t>(k);
      near.vertices += !apart_(bounds_of(leaf.vertex[k]), bounds(other));
    }
  }
  static bool has(const LeafFeatures::Edge& e, std::uint32_t vertex) {
    return e.vertices[0] == vertex || e.vertices[1] == vertex;
  }
  Bounds bounds_of(const LeafFeatures::Vertex& v) const {
    const VertexProjection& p = s_.dops.vertex(v.vertex);
    return {p.at[0], p.at[0], p.at[1], p.at[1], v.ninth};
  }

  void leaves(const PatchPair& p) {
    const PatchNode &na = s_.tree.nodes[p.a], &nb = s_.tree.nodes[p.b];
    if (!whole_leaves_ || (!s_.self && (na.several || nb.several))) return every_pair(na, nb);
    const LeafFeatures& a = load(p.a, Topology::none);
    const LeafFeatures& b = load(p.b, p.a);
    // A leaf below the upper level is connected.
    if (!s_.self && same_piece(s_.topology.triangle(a.triangles[0]), s_.topology.triangle(b.triangles[0]))) return;
    const Dop &around_a = s_.dops.nodes()[p.a], &around_b = s_.dops.nodes()[p.b];
    const std::uint32_t hub = s_.fans ? s_.fans->common_hub(p.a, p.b) : Topology::none;
    Near of_a, of_b;
    find_near_faces(b, around_a, hub, of_b);
    if (of_b.faces == 0) return;
    find_near_faces(a, around_b, hub, of_a);
    if (of_a.faces == 0) return;
    out_.counters.leaf_pairs += of_a.faces * of_b.faces;
    find_near_features(a, around_b, hub, of_a);
    find_near_features(b, around_a, hub, of_b);
    // If no triangle near one leaf can be adjacent to a triangle near the other, the first triangles of two features
    // represent them.
    const bool may_be_near = (a.ring & b.ring) != 0;
    vertices(a, of_a, b, of_b, may_be_near);
    vertices(b, of_b, a, of_a, may_be_near);
    edges(a, of_a, b, of_b, hub, may_be_near);
    if (!may_be_near || !s_.orphans) return;
    for (unsigned k = 0; k < of_a.faces; ++k)
      for (unsigned l = 0; l < of_b.faces; ++l) {
        const std::uint32_t i = of_a.face[k], j = of_b.face[l];
        if (!(a.rings[i] & b.rings[j]) || apart_(bounds(a.bounds[i]), bounds(b.bounds[j]))) continue;
        const std::uint32_t s = a.triangles[i], t = b.triangles[j];
        if (!adjacent(s_.topology.triangle(s), s_.topology.triangle(t)))
          features({s, a.bounds[i]}, {t, b.bounds[j]}, Asking::later);
      }
  }

  /// Is the feature pair handled elsewhere? Either the features share a vertex, or the first triangles of the features
  /// are adjacent and so do not represent them.
  bool not_here(std::uint32_t a, std::uint32_t b, const FourVertices& v, std::size_t first) const {
    if (s_.orphans) return adjacent(s_.topology.triangle(a), s_.topology.triangle(b));
    for (std::size_t i = 0; i < first; ++i)
      for (std::size_t j = first; j < 4; ++j)
        if (v[i] == v[j]) return true;
    return false;
  }

  void vertices(const LeafFeatures& a, const Near& of_a, const LeafFeatures& b, const Near& of_b, bool may_be_near) {
    out_.counters.representative_pairs += of_a.vertices * of_b.faces;
    for (unsigned k = 0; k < of_a.vertices; ++k) {
      const LeafFeatures::Vertex& v = a.vertex[of_a.vertex[k]];
      const Bounds at = bounds_of(v);
      for (unsigned l = 0; l < of_b.faces; ++l) {
        const std::uint32_t face = of_b.face[l];
        if (apart_(at, bounds(b.bounds[face]))) {
          ++out_.counters.bound_culled;
          continue;
        }
        const Triangle& f = s_.topology.triangle(b.triangles[face]);
        const FourVertices four{v.vertex, f[0], f[1], f[2]};
        if (!may_be_near || !not_here(a.triangles[v.face], b.triangles[face], four, 1)) add_vertex_face(four);
      }
    }
  }

  void edges(const LeafFeatures& a, const Near& of_a, const LeafFeatures& b, const Near& of_b, std::uint32_t hub,
             bool may_be_near) {
    if (hub != Topology::none) {
      Near rim;  // of two edges at the hub neither is left to test
      for (unsigned l = 0; l < of_b.edges; ++l)
        if (!has(b.edge[of_b.edge[l]], hub)) rim.edge[rim.edges++] = of_b.edge[l];
      for (unsigned k = 0; k < of_a.edges; ++k) {
        const LeafFeatures::Edge& x = a.edge[of_a.edge[k]];
        edges(a, x, b, has(x, hub) ? rim : of_b, may_be_near);
      }
      return;
    }
    for (unsigned k = 0; k < of_a.edges; ++k) edges(a, a.edge[of_a.edge[k]], b, of_b, may_be_near);
  }
  HWY_INLINE void edges(const LeafFeatures& a, const LeafFeatures::Edge& x, const LeafFeatures& b, const Near& of_b,
                        bool may_be_near) {
    out_.counters.representative_pairs += of_b.edges;
    for (unsigned l = 0; l < of_b.edges; ++l) {
      const LeafFeatures::Edge& y = b.edge[of_b.edge[l]];
      if (apart_(bounds(x.bounds), bounds(y.bounds))) {
        ++out_.counters.bound_culled;
        continue;
      }
      const FourVertices four = in_order(x.vertices, y.vertices);
      if (!may_be_near || !not_here(a.triangles[x.face], b.triangles[y.face], four, 2)) add_edge_edge(four);
    }
  }
  static FourVertices in_order(const EdgeVertices& x, const EdgeVertices& y) {
    return y < x ? FourVertices{y[0], y[1], x[0], x[1]} : FourVertices{x[0], x[1], y[0], y[1]};
  }

  // --- Two triangles: any features ---

  /// Which feature pairs of two triangles are requested.
  enum class Asking {
    all,         ///< every pair
    first,       ///< those for which both triangles are the first
    procedural,  ///< those that the triangles represent
    later        ///< of these, the ones for which they are not both the first
  };

  void leaf_itself(std::uint32_t node) {
    const LeafFeatures& leaf = load(node, Topology::none);
    for (std::uint32_t k = 0; k < leaf.faces; ++k)
      for (std::uint32_t l = 0; l < k; ++l)
        triangles({leaf.triangles[l], leaf.bounds[l]}, {leaf.triangles[k], leaf.bounds[k]});
  }
  void every_pair(const PatchNode& a, const PatchNode& b) {
    for (std::uint32_t k = a.begin; k < a.end; ++k)
      for (std::uint32_t l = b.begin; l < b.end; ++l) triangles(s_.tree.items[k], s_.tree.items[l]);
  }

  struct Side {
    std::uint32_t triangle;
    const Dop& bounds;
  };
  void triangles(std::uint32_t a, std::uint32_t b) {
    const Triangle &x = s_.topology.triangle(a), &y = s_.topology.triangle(b);
    if (!is_question(x, y)) return;
    Dop of_a, of_b;
    reach(s_.dops, x.data(), 3, of_a);
    reach(s_.dops, y.data(), 3, of_b);
    bounded_triangles({a, of_a}, {b, of_b});
  }
  void triangles(const Side& a, const Side& b) {
    if (is_question(s_.topology.triangle(a.triangle), s_.topology.triangle(b.triangle))) bounded_triangles(a, b);
  }
  bool is_question(const Triangle& x, const Triangle& y) {
    if (!s_.self && same_piece(x, y)) return false;
    ++out_.counters.leaf_pairs;
    return !s_.orphans || !adjacent(x, y);
  }
  void bounded_triangles(const Side& a, const Side& b) {
    if (apart_(bounds(a.bounds), bounds(b.bounds))) return;
    features(a, b, !s_.representatives ? Asking::all : s_.orphans ? Asking::procedural : Asking::first);
  }

  void features(const Side& a, const Side& b, Asking asking) {
    ++out_.counters.triangle_tests;
    out_.counters.feature_pairs += 15;
    vertices(a, b, asking);
    vertices(b, a, asking);
    edges(a.triangle, b.triangle, asking);
  }

  /// Fast test: may the triangles represent the features? `first`: both are the first triangles of the features.
  bool may_stand(Asking asking, bool first) const {
    return asking == Asking::all || (asking == Asking::later ? !first : first || asking == Asking::procedural);
  }
  bool culled(const Bounds& a, const Bounds& b) {
    const bool apart = s_.feature_bounds && apart_(a, b);
    ++out_.counters.representative_pairs;
    out_.counters.bound_culled += apart;
    return apart;
  }

  void vertices(const Side& of, const Side& face, Asking asking) {
    const Triangle &x = s_.topology.triangle(of.triangle), &f = s_.topology.triangle(face.triangle);
    for (std::size_t i = 0; i < 3; ++i) {
      const bool first = s_.topology.first_bits(of.triangle) >> i & 1;
      if (!may_stand(asking, first) || has_vertex(f, x[i])) continue;
      const VertexProjection& p = s_.dops.vertex(x[i]);
      const float ninth[4] = {p.ninth[0], p.ninth[1], -p.ninth[0], -p.ninth[1]};
      const Bounds at{p.at[0], p.at[0], p.at[1], p.at[1], ninth};
      // Another triangle represents the pair unless the first triangle of the vertex is adjacent to the face (Algorithm
      // 1).
      if (!first && asking >= Asking::procedural) {
        if (s_.feature_bounds && apart_(at, bounds(face.bounds))) continue;
        if (!adjacent(s_.topology.triangle(s_.topology.around(x[i])[0]), f) ||
            !s_.topology.stands_for_vertex(x[i], of.triangle, face.triangle))
          continue;
      }
      if (!culled(at, bounds(face.bounds))) add_vertex_face({x[i], f[0], f[1], f[2]});
    }
  }

  /// For which edges of two non-adjacent triangles may the first triangles of the edges be adjacent? Such a first
  /// triangle is the neighbour across the edge, so its opposite vertex is a vertex of the other triangle or is opposite
  /// one of its edges. Bit 3 i + j: edges i and j.
  unsigned odd_edges(std::uint32_t a, std::uint32_t b) const {
    const Triangle &x = s_.topology.triangle(a), &y = s_.topology.triangle(b);
    unsigned odd = 0, irregular = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t p = s_.topology.beyond(a, i), q = s_.topology.beyond(b, i);
      irregular |= (p == Topology::irregular) | (q == Topology::irregular);
      odd |= has_vertex(y, p) ? 7u << 3 * i : 0u;
      odd |= has_vertex(x, q) ? 0111u << i : 0u;
      for (std::size_t j = 0; j < 3; ++j) odd |= unsigned{p == s_.topology.beyond(b, j)} << (3 * i + j);
    }
    return irregular ? 0777u : odd;
  }

  void edges(std::uint32_t a, std::uint32_t b, Asking asking) {
    const Triangle &x = s_.topology.triangle(a), &y = s_.topology.triangle(b);
    const unsigned of_a = s_.topology.first_bits(a) >> 3, of_b = s_.topology.first_bits(b) >> 3;
    const unsigned odd = asking >= Asking::procedural ? odd_edges(a, b) : 0;
    if (asking == Asking::later && odd == 0) return;
    for (std::size_t i = 0; i < s_.topology.edges_of(a); ++i)
      for (std::size_t j = 0; j < s_.topology.edges_of(b); ++j) {
        const bool first = of_a >> i & of_b >> j & 1;
        if (!may_stand(asking, first)) continue;
        const EdgeVertices e = edge_of(x, i), f = edge_of(y, j);
        if (share_vertex(e, f)) continue;
        // The same for edges (Algorithm 2).
        if (!first && asking >= Asking::procedural &&
            (!(odd >> (3 * i + j) & 1) || !s_.topology.stand_for_edges(a, i, b, j)))
          continue;
        Dop bounds_e, bounds_f;
        reach(s_.dops, e.data(), 2, bounds_e);
        reach(s_.dops, f.data(), 2, bounds_f);
        if (!culled(bounds(bounds_e), bounds(bounds_f))) add_edge_edge(in_order(e, f));
      }
  }

  const CandidateSearch& s_;
  LeafCache& leaves_;
  FeatureCandidates& out_;
  Apart<until> apart_;
  bool whole_leaves_;
  const TouchRules* rules_ = nullptr;  // of the present pair of nodes; null: all their vertices may touch
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::deform
HWY_AFTER_NAMESPACE();

#endif
