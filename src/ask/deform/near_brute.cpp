// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <vector>

#include <graze/ask/proximity.hpp>

#include "core/clock.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/near/mollifier.hpp"
#include "engine/deform/near/named_pair.hpp"
#include "engine/deform/proximity_checks.hpp"
#include "engine/deform/topology/topology.hpp"
#include "math/dyadic.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

using engine::deform::NamedPair;
using math::Dyadic;
using math::DyadicVec3;
using FourVertices = std::array<std::uint32_t, 4>;

/// A squared distance, num / den with den > 0, and the weights of the points, with the same denominator.
struct Place {
  Dyadic num, den;
  std::array<Dyadic, 4> weights;

  bool closer(const Place& o) const { return num * o.den < o.num * den; }
};

/// The squared distance of the lines or planes of some of the four points of a pair, where their closest points are
/// strictly inside the edges and the face; `first`: the points of the first feature. None otherwise, and for parallel
/// edges and collapsed features, where other parts are as close.
std::optional<Place> place_of(const std::array<DyadicVec3, 4>& p, unsigned mask, unsigned first) {
  std::vector<std::size_t> a, b;
  for (std::size_t k = 0; k < 4; ++k)
    if (mask >> k & 1) (first >> k & 1 ? a : b).push_back(k);
  if (b.size() < a.size()) a.swap(b);
  Place r;
  const auto inside = [&](const Dyadic& x) { return x.sign() > 0 && (r.den - x).sign() > 0; };
  const DyadicVec3 w = p[a[0]] - p[b[0]];
  if (a.size() == 2) {
    const DyadicVec3 u = p[a[1]] - p[a[0]], v = p[b[1]] - p[b[0]], n = cross(u, v);
    r.den = dot(n, n);
    const Dyadic x = dot(cross(v, w), n), y = dot(cross(u, w), n);
    if (!inside(x) || !inside(y)) return std::nullopt;
    r.num = dot(n, w) * dot(n, w);
    r.weights[a[0]] = r.den - x;
    r.weights[a[1]] = x;
    r.weights[b[0]] = r.den - y;
    r.weights[b[1]] = y;
  } else if (b.size() == 3) {
    const DyadicVec3 u = p[b[1]] - p[b[0]], v = p[b[2]] - p[b[0]], n = cross(u, v);
    r.den = dot(n, n);
    const Dyadic x = dot(cross(w, v), n), y = dot(cross(u, w), n);
    if (!inside(x) || !inside(y) || !inside(x + y)) return std::nullopt;
    r.num = dot(n, w) * dot(n, w);
    r.weights[a[0]] = r.den;
    r.weights[b[0]] = r.den - x - y;
    r.weights[b[1]] = x;
    r.weights[b[2]] = y;
  } else if (b.size() == 2) {
    const DyadicVec3 u = p[b[1]] - p[b[0]], n = cross(u, w);
    r.den = dot(u, u);
    const Dyadic x = dot(u, w);
    if (!inside(x)) return std::nullopt;
    r.num = dot(n, n);
    r.weights[a[0]] = r.den;
    r.weights[b[0]] = r.den - x;
    r.weights[b[1]] = x;
  } else {
    r.den = Dyadic(1);
    r.num = dot(w, w);
    r.weights[a[0]] = r.weights[b[0]] = r.den;
  }
  return r;
}

class EveryNearPair {
 public:
  EveryNearPair(const Mesh& mesh, std::span<const Vec3> x, double d, const ProximityOptions& options,
                ProximityResult& result)
      : mesh_(mesh), x_(x), d_(d), options_(options), result_(result), piece_(engine::deform::pieces(mesh)) {}

  void run() {
    std::vector<bool> used(mesh_.vertex_count(), false);
    std::vector<std::array<std::uint32_t, 2>> edges;
    const std::vector<Triangle> faces = engine::deform::triangles_with_loose(mesh_);
    for (const Triangle& t : faces)
      for (const std::uint32_t v : t) used[v] = true;
    for (const Triangle& t : mesh_.triangles())
      for (std::size_t k = 0; k < 3; ++k)
        edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    for (const auto& [a, b] : mesh_.edges())
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (std::uint32_t v = 0; v < mesh_.vertex_count(); ++v)
      for (Triangle t : faces) {
        if (!used[v] || v == t[0] || v == t[1] || v == t[2]) continue;
        std::sort(t.begin(), t.end());
        test(ElementaryKind::vertex_face, {v, t[0], t[1], t[2]});
      }
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (std::size_t j = i + 1; j < edges.size(); ++j)
        if (!engine::deform::share_vertex(edges[i], edges[j]))
          test(ElementaryKind::edge_edge, {edges[i][0], edges[i][1], edges[j][0], edges[j][1]});
    for (auto& [name, pair] : found_) result_.pairs.push_back(pair);
  }

 private:
  /// Is a difference of coordinates above d? Its rounding is at most 2^-53 of it.
  bool boxes_apart(const FourVertices& v, unsigned first) const {
    for (int axis = 0; axis < 3; ++axis) {
      double lo[2] = {math::infinity, math::infinity}, hi[2] = {-math::infinity, -math::infinity};
      for (unsigned k = 0; k < 4; ++k) {
        const unsigned side = first >> k & 1;
        lo[side] = std::min(lo[side], x_[v[k]][axis]);
        hi[side] = std::max(hi[side], x_[v[k]][axis]);
      }
      if (std::max(lo[0] - hi[1], lo[1] - hi[0]) * (1 - 0x1p-50) > d_) return true;
    }
    return false;
  }

  void test(ElementaryKind kind, const FourVertices& v) {
    if (!options_.self && piece_[v[0]] == piece_[v[3]]) return;
    poll_();
    ++result_.counters.elementary_tests;
    const unsigned first = kind == ElementaryKind::edge_edge ? 3 : 1;
    if (boxes_apart(v, first)) return;
    std::array<DyadicVec3, 4> p;
    for (std::size_t k = 0; k < 4; ++k) p[k] = DyadicVec3(x_[v[k]]);
    std::optional<Place> best;
    NamedPair name;
    unsigned best_mask = 0;
    for (unsigned mask = 1; mask < 16; ++mask) {
      if (!(mask & first) || !(mask & ~first)) continue;
      const std::optional<Place> place = place_of(p, mask, first);
      if (!place || (best && best->closer(*place))) continue;
      const NamedPair other = engine::deform::named(kind, v, mask, false);
      if (best && !place->closer(*best) && !before(other, name)) continue;
      best = place;
      best_mask = mask;
      name = other;
    }
    const Dyadic bound(d_);
    if ((best->num - bound * bound * best->den).sign() > 0) return;
    if (kind == ElementaryKind::edge_edge && !options_.rest.empty() &&
        engine::deform::parallelism(v, x_, options_.rest, options_.mollifier).nearly_parallel())
      name = engine::deform::named(kind, v, best_mask, true);
    keep(name, v, *best);
  }

  /// Fewer vertices first, then lower ids.
  static bool before(const NamedPair& a, const NamedPair& b) {
    const auto parts = [](const NamedPair& p) {
      return p.kind == ElementaryKind::vertex_vertex ? 2 : p.kind == ElementaryKind::vertex_edge ? 3 : 4;
    };
    return parts(a) != parts(b) ? parts(a) < parts(b) : a.vertices < b.vertices;
  }

  void keep(const NamedPair& name, const FourVertices& v, const Place& place) {
    ProximityPair& pair = found_[{name.group(), name.vertices}];
    ++(name.of_edges ? pair.edge_edge : pair.vertex_face);
    if (pair.multiplicity() > 1) return;
    pair.kind = name.kind;
    pair.nearly_parallel = name.nearly_parallel;
    pair.closest = name.closest;
    pair.vertices = name.vertices;
    pair.distance = place.num.sign() == 0 ? 0 : math::sqrt_ratio(place.num, place.den);
    for (std::size_t k = 0; k < 4; ++k) {
      if (place.weights[k].sign() == 0) continue;
      const auto at = std::find(name.vertices.begin(), name.vertices.end(), v[k]);
      pair.weights[static_cast<std::size_t>(at - name.vertices.begin())] = math::ratio(place.weights[k], place.den);
    }
  }

  const Mesh& mesh_;
  std::span<const Vec3> x_;
  const double d_;
  const ProximityOptions& options_;
  ProximityResult& result_;
  std::vector<std::uint32_t> piece_;
  std::map<std::pair<unsigned, FourVertices>, ProximityPair> found_;
  core::Poll poll_;
};

}  // namespace

ProximityResult near_brute(const Mesh& mesh, std::span<const Vec3> positions, double distance,
                           const ProximityOptions& options) {
  const core::FpGuard guard;
  ProximityResult result;
  if (core::refused(result, engine::deform::proximity_problem(positions, mesh.vertex_count(), distance, options)))
    return result;
  const double begin = core::now();
  core::Limits limits(options);
  if (core::run_within(limits, [&](core::Limits*) { EveryNearPair(mesh, positions, distance, options, result).run(); }))
    result.status = result.pairs.empty() ? Status::free : Status::contact;
  else
    result.pairs.clear();
  result.seconds = core::now() - begin;
  core::leave_if_outer_ended(limits);
  return result;
}

}  // namespace graze
