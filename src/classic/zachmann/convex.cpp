// SPDX-License-Identifier: MIT
#include "classic/zachmann/convex.hpp"

#include <algorithm>

#include <graze/classic/zachmann.hpp>

#include "engine/collide/placed_boxes.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::classic::zachmann {

namespace {

using math::Dyadic;
using math::DyadicVec3;

/// The half space behind a face, given by three of its corners in A's frame, oriented so that outside is positive; and
/// the part of math::orient3d_filter's error bound that does not depend on the point.
struct HalfSpace {
  std::uint32_t polygon;
  Triangle corners;
  Vec3 origin, normal, permanent;
  double sum_u, sum_v;

  struct Value {
    double value, bound;  ///< the exact determinant is within bound; NaN or infinite where doubles overflow
  };
  Value at(const Vec3& x, double error) const {
    const Vec3 w = x - origin;
    const double sw = std::fabs(w.x) + std::fabs(w.y) + std::fabs(w.z);
    const double delta = 2.001 * error;
    const double rounding =
        0x1p-50 * (permanent.x * std::fabs(w.x) + permanent.y * std::fabs(w.y) + permanent.z * std::fabs(w.z)) +
        std::numeric_limits<double>::min() * (1 + sum_u + sum_v + sw);
    const double placing =
        delta * (sum_u * sum_v + (sum_u + sum_v) * sw + delta * (2 * (sum_u + sum_v + sw) + 6 * delta));
    return {dot(normal, w), rounding + (error == 0 ? 0 : 1.001 * placing)};
  }
};

/// An interval that contains an exact line parameter in [0, 1].
struct Range {
  double lo = 0, hi = 1;
};

/// a / (a + b) for exact a > 0, b > 0 near the given values. It increases with a and decreases with b.
Range share(const HalfSpace::Value& a, const HalfSpace::Value& b) {
  const double alo = std::max(0.0, a.value - a.bound), ahi = a.value + a.bound;
  const double blo = std::max(0.0, b.value - b.bound), bhi = b.value + b.bound;
  constexpr double tiny = std::numeric_limits<double>::min();
  Range t;
  const double lo = alo / (alo + bhi) * (1 - 0x1p-50) - tiny, hi = ahi / (ahi + blo) * (1 + 0x1p-50) + tiny;
  if (lo > 0) t.lo = std::min(lo, 1.0);               // NaN proves nothing
  if (hi < 1 && std::isfinite(ahi + blo)) t.hi = hi;  // nor does a sum that overflowed
  return t;
}

/// A non-degenerate triangle of a convex polygon: it spans the polygon's plane and has its orientation.
Triangle spanning_triangle(const Mesh& mesh, std::uint32_t polygon) {
  const auto [first, last] = mesh.triangles_of(PolygonId{polygon});
  const auto at = [&](std::uint32_t v) -> const Vec3& { return mesh.positions()[v]; };
  const auto collinear = [&](const Triangle& t) {
    for (int u = 0; u < 3; ++u) {
      const int v = (u + 1) % 3;
      const Vec3 &a = at(t[0]), &b = at(t[1]), &c = at(t[2]);
      if (math::orient2d(a[u], a[v], b[u], b[v], c[u], c[v]) != 0) return false;
    }
    return true;
  };
  Triangle best = mesh.triangles()[first];
  double largest = -1;
  for (std::uint32_t i = first; i < last; ++i) {
    const Triangle& t = mesh.triangles()[i];
    const double area = last - first == 1 ? 1 : length(cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])));
    if (area > largest && !collinear(t)) {
      best = t;
      largest = area;
    }
  }
  return best;
}

class Clipping {
 public:
  Clipping(const engine::collide::CollideQuery& query, CollideResult& r)
      : q_(query),
        use_(query.options.zachmann.value().convex),
        result_(r),
        vertices_(query),
        points_(query.placement, query.counters),
        error_(vertices_.error(true)) {}

  void run() {
    result_.status = Status::free;
    if (phase(false) == Outcome::settled) return;
    phase(true);
  }

 private:
  enum class Outcome { settled, open };
  struct Cut {
    const HalfSpace* by;
    Range t;
  };

  const body::BodyData& body(bool b) const { return b ? q_.b : q_.a; }

  HalfSpace half_space(bool b, std::uint32_t polygon) const {
    HalfSpace h{polygon, spanning_triangle(body(b).mesh, polygon), {}, {}, {}, 0, 0};
    if (body(b).classification().volume_sign < 0) std::swap(h.corners[1], h.corners[2]);
    const std::vector<Vec3>& x = vertices_.of(b);
    h.origin = x[h.corners[0]];
    const Vec3 u = x[h.corners[1]] - h.origin, v = x[h.corners[2]] - h.origin;
    h.normal = cross(u, v);
    h.permanent = {std::fabs(u.y * v.z) + std::fabs(u.z * v.y), std::fabs(u.z * v.x) + std::fabs(u.x * v.z),
                   std::fabs(u.x * v.y) + std::fabs(u.y * v.x)};
    h.sum_u = std::fabs(u.x) + std::fabs(u.y) + std::fabs(u.z);
    h.sum_v = std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
    return h;
  }

  void add_point(bool b, std::uint32_t vertex) {
    const Vec3& x = body(b).mesh.positions()[vertex];
    b ? points_.add_b(x) : points_.add_a(x);
  }

  int sign(const HalfSpace& h, const HalfSpace::Value& value, std::uint32_t vertex) {
    if (value.value > value.bound || value.value < -value.bound) {
      ++q_.counters.filter_decided;
      return value.value > 0 ? 1 : -1;
    }
    points_.clear();
    for (const std::uint32_t v : h.corners) add_point(!of_b_, v);
    add_point(of_b_, vertex);
    return points_.orient3d(0, 1, 2, 3);
  }

  void begin(bool of_b, const std::array<std::uint32_t, 2>& edge) {
    of_b_ = of_b;
    edge_ = edge;
    entering_.clear();
    leaving_.clear();
    grazing_.clear();
    alpha_ = {0, 0};
    beta_ = {1, 1};
    ++q_.counters.clipped_edges;
  }

  /// Clips the edge by one more half space. False if certainly nothing remains.
  bool clip(const HalfSpace& h) {
    ++q_.counters.clip_steps;
    const std::vector<Vec3>& x = vertices_.of(of_b_);
    HalfSpace::Value u = h.at(x[edge_[0]], error_), v = h.at(x[edge_[1]], error_);
    const int su = sign(h, u, edge_[0]), sv = sign(h, v, edge_[1]);
    if (su > 0 && sv > 0) return false;  // also for parallel edges
    if (su == 0 || sv == 0) grazing_.push_back(&h);
    if (su <= 0 && sv <= 0) return true;
    if (su > 0) {
      v.value = -v.value;
      const Range t = sv == 0 ? Range{1, 1} : share(u, v);
      entering_.push_back({&h, t});
      alpha_ = {std::max(alpha_.lo, t.lo), std::max(alpha_.hi, t.hi)};
    } else {
      u.value = -u.value;
      const Range t = su == 0 ? Range{0, 0} : share(u, v);
      leaving_.push_back({&h, t});
      beta_ = {std::min(beta_.lo, t.lo), std::min(beta_.hi, t.hi)};
    }
    return !(alpha_.lo > beta_.hi);
  }

  /// Does anything of the edge remain after all clipping? The interval is closed: one point is enough.
  bool is_left() {
    if (alpha_.lo > beta_.hi) return false;
    if (alpha_.hi <= beta_.lo) return true;
    for (const Cut& in : entering_)
      for (const Cut& out : leaving_)
        if (in.t.hi > out.t.lo && !enters_before_it_leaves(*in.by, *out.by)) return false;
    return true;
  }

  DyadicVec3 exact(bool b, std::uint32_t vertex) const {
    const Vec3& x = body(b).mesh.positions()[vertex];
    return b ? q_.placement.exact_b(x) : q_.placement.exact_a(x);
  }

  /// The exact signed volumes of the edge's ends against the half space.
  std::array<Dyadic, 2> exact_volumes(const HalfSpace& h) const {
    const DyadicVec3 o = exact(!of_b_, h.corners[0]);
    const DyadicVec3 n = cross(exact(!of_b_, h.corners[1]) - o, exact(!of_b_, h.corners[2]) - o);
    return {dot(n, exact(of_b_, edge_[0]) - o), dot(n, exact(of_b_, edge_[1]) - o)};
  }

  /// t_in = du / (du - dv) with du > 0 >= dv, t_out = -du' / (dv' - du') with du' <= 0 < dv': all denominators
  /// positive.
  bool enters_before_it_leaves(const HalfSpace& in, const HalfSpace& out) const {
    ++q_.counters.rational_decided;
    const auto [u, v] = exact_volumes(in);
    const auto [u2, v2] = exact_volumes(out);
    return (u * (v2 - u2) + u2 * (u - v)).sign() <= 0;
  }

  /// Adds the contacts of the edge with the surface: only at faces that bound the interval or that contain an end.
  void add_surface_contacts(std::size_t edge) {
    std::vector<std::uint32_t>& near = near_;
    near.clear();
    for (const Cut& c : entering_)
      if (c.t.hi >= alpha_.lo) near.push_back(c.by->polygon);
    for (const Cut& c : leaving_)
      if (c.t.lo <= beta_.hi) near.push_back(c.by->polygon);
    for (const HalfSpace* h : grazing_) near.push_back(h->polygon);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const std::uint32_t polygon : near) {
      const auto [first, last] = body(!of_b_).mesh.triangles_of(PolygonId{polygon});
      for (std::uint32_t t = first; t < last && !crossing_; ++t) {
        ++q_.counters.edge_polygon_tests;
        points_.clear();
        for (const std::uint32_t v : edge_) add_point(of_b_, v);
        for (const std::uint32_t v : body(!of_b_).mesh.triangles()[t]) add_point(!of_b_, v);
        const prim::EdgeContact contact = prim::edge_triangle(points_, {0, 1}, {2, 3, 4}, body(!of_b_).inner_edges(t));
        if (contact != prim::EdgeContact::none) found(edge, t, contact == prim::EdgeContact::crossing);
      }
    }
  }

  void found(std::size_t edge, std::uint32_t face, bool crosses) {
    if (!result_.pairs.empty() && !crosses) return;
    const TriangleId of_edge{body(of_b_).edges().triangles_of(edge)[0]}, of_face{face};
    result_.status = Status::contact;
    result_.kind = crosses ? ContactKind::crossing : ContactKind::touching;
    result_.pairs.assign(1, of_b_ ? TrianglePair{of_face, of_edge} : TrianglePair{of_edge, of_face});
    crossing_ = crosses;
  }

  void contained(bool of_b) {
    result_.status = Status::contact;
    result_.contained = of_b ? Containment::b_in_a : Containment::a_in_b;
    const Vec3 x = (of_b ? q_.pose_b : q_.pose_a).apply(body(of_b).mesh.positions()[edge_[0]]);
    result_.points = {x, x};
  }

  /// The collect phase: puts the faces that reach the box first, then the others; returns how many reach it.
  std::size_t half_spaces(bool b, const Box3& box, std::vector<HalfSpace>& out) {
    const Mesh& mesh = body(b).mesh;
    std::vector<HalfSpace> forgotten;
    for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) {
      Box3 face;
      for (const std::uint32_t v : mesh.polygon(PolygonId{p})) face.add(vertices_.of(b)[v]);
      const bool take = !use_.collect_faces || vertices_.widened(face, b).overlaps(box);
      (take ? out : forgotten).push_back(half_space(b, p));
      q_.counters.precheck_face_box += !take;
    }
    const std::size_t collected = out.size();
    out.insert(out.end(), forgotten.begin(), forgotten.end());
    return collected;
  }

  /// Edges of one body (P) against the other (Q).
  Outcome phase(bool edges_of_b) {
    const body::EdgeList& edges = body(edges_of_b).edges();
    const Box3 box_p = vertices_.body_box(q_, edges_of_b), box_q = vertices_.body_box(q_, !edges_of_b);
    std::vector<HalfSpace> faces;
    const std::size_t collected = half_spaces(!edges_of_b, box_p, faces);
    const auto clip_by = [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        if (!clip(faces[i])) return false;
      return is_left();
    };
    bool q_meets_box_p = false;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (engine::collide::over(q_.limits, q_.counters)) return Outcome::settled;
      if (use_.edge_box && !vertices_.box(edges_of_b, edges.vertices[e]).overlaps(box_q)) {
        ++q_.counters.precheck_edge_box;
        continue;
      }
      begin(edges_of_b, edges.vertices[e]);
      if (!clip_by(0, collected)) continue;
      if (!q_meets_box_p) {
        q_.counters.clip_forgotten += faces.size() - collected;
        if (!clip_by(collected, faces.size())) return Outcome::settled;  // Q misses P's box: apart
        q_meets_box_p = true;
      }
      if (!entering_.empty() || !leaving_.empty() || !grazing_.empty()) add_surface_contacts(e);
      if (crossing_) return Outcome::settled;
    }
    // P's edges are connected: if some remain and none meets Q's surface, all are inside.
    if (!q_meets_box_p || !result_.pairs.empty()) return Outcome::open;
    contained(edges_of_b);
    return Outcome::settled;
  }

  const engine::collide::CollideQuery& q_;
  const ConvexOptions& use_;
  CollideResult& result_;
  engine::collide::PlacedVertices vertices_;
  math::PlacedPoints points_;
  double error_;
  bool crossing_ = false;
  // The edge being clipped: its body, its interval [alpha, beta], and the half spaces that bound it.
  bool of_b_ = false;
  std::array<std::uint32_t, 2> edge_{};
  Range alpha_, beta_;
  std::vector<Cut> entering_, leaving_;
  std::vector<const HalfSpace*> grazing_;
  std::vector<std::uint32_t> near_;
};

}  // namespace

std::optional<ErrorDetail> Convex::refuses(const engine::collide::CollideQuery& query) {
  for (const auto& [body, label] : {std::pair{&query.a, "body A"}, std::pair{&query.b, "body B"}})
    if (!body->classification().convex)
      return engine::collide::unsupported(
          "method convex needs the closed surface of a convex body, and this is none; use tree", label);
  return std::nullopt;
}

void Convex::run(const engine::collide::CollideQuery& query, CollideResult& result) { Clipping(query, result).run(); }

}  // namespace graze::classic::zachmann
