// SPDX-License-Identifier: MIT
#include "classic/zachmann/convex.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <graze/classic/zachmann.hpp>

#include "core/in_order.hpp"
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

using Faces = std::vector<HalfSpace>;

/// Clips edges of one body, one after the other. Each thread has its own: the placed points count their work, and
/// placements compute their exact form when it is first needed.
class EdgeClipper {
 public:
  EdgeClipper(const engine::collide::CollideQuery& query, const engine::collide::PlacedVertices& vertices)
      : q_(query), vertices_(vertices), points_(query.placement, query.counters), error_(vertices.error(true)) {}

  /// Does anything of the edge remain after clipping by the faces [first, last)?
  bool start(bool of_b, const std::array<std::uint32_t, 2>& edge, const Faces& faces, std::size_t last) {
    begin(of_b, edge);
    return clip_by(faces, 0, last);
  }
  bool clip_by(const Faces& faces, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!clip(faces[i])) return false;
    return is_left();
  }

  /// The first crossing of the edge with the surface, otherwise the first touch: only at faces that bound the interval
  /// or that contain an end.
  void add_surface_contacts(std::size_t edge, CollideResult& result) {
    if (entering_.empty() && leaving_.empty() && grazing_.empty()) return;
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
      for (std::uint32_t t = first; t < last && !crosses(result); ++t) {
        ++q_.counters.edge_polygon_tests;
        points_.clear();
        for (const std::uint32_t v : edge_) add_point(of_b_, v);
        for (const std::uint32_t v : body(!of_b_).mesh.triangles()[t]) add_point(!of_b_, v);
        const prim::EdgeContact contact = prim::edge_triangle(points_, {0, 1}, {2, 3, 4}, body(!of_b_).inner_edges(t));
        if (contact != prim::EdgeContact::none) found(edge, t, contact == prim::EdgeContact::crossing, result);
      }
    }
  }

  static bool crosses(const CollideResult& result) { return result.kind == ContactKind::crossing; }

 private:
  struct Cut {
    const HalfSpace* by;
    Range t;
  };

  const body::BodyData& body(bool b) const { return b ? q_.b : q_.a; }

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

  void found(std::size_t edge, std::uint32_t face, bool is_crossing, CollideResult& result) const {
    if (!result.pairs.empty() && !is_crossing) return;
    const TriangleId of_edge{body(of_b_).edges().triangles_of(edge)[0]}, of_face{face};
    result.status = Status::contact;
    result.kind = is_crossing ? ContactKind::crossing : ContactKind::touching;
    result.pairs.assign(1, of_b_ ? TrianglePair{of_face, of_edge} : TrianglePair{of_edge, of_face});
  }

  const engine::collide::CollideQuery& q_;
  const engine::collide::PlacedVertices& vertices_;
  math::PlacedPoints points_;
  double error_;
  // The edge being clipped: its body, its interval [alpha, beta], and the half spaces that bound it.
  bool of_b_ = false;
  std::array<std::uint32_t, 2> edge_{};
  Range alpha_, beta_;
  std::vector<Cut> entering_, leaving_;
  std::vector<const HalfSpace*> grazing_;
  std::vector<std::uint32_t> near_;
};

class Clipping {
 public:
  Clipping(const engine::collide::CollideQuery& query, CollideResult& r)
      : q_(query),
        use_(query.options.zachmann.value().convex),
        result_(r),
        vertices_(query),
        // Work is counted sequentially: the point where the budget ends must not depend on the number of threads.
        threads_(query.limits && query.limits->work > 0 ? 1 : query.options.threads) {}

  void run() {
    result_.status = Status::free;
    if (phase(false) == Outcome::settled) return;
    phase(true);
  }

 private:
  enum class Outcome { settled, open };

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

  /// The collect phase: puts the faces that reach the box first, then the others; returns how many reach it.
  std::size_t half_spaces(bool b, const Box3& box, Faces& out) {
    const Mesh& mesh = body(b).mesh;
    Faces forgotten;
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

  void contained(bool of_b, std::uint32_t vertex) {
    result_.status = Status::contact;
    result_.contained = of_b ? Containment::b_in_a : Containment::a_in_b;
    const Vec3 x = (of_b ? q_.pose_b : q_.pose_a).apply(body(of_b).mesh.positions()[vertex]);
    result_.points = {x, x};
  }

  /// One phase: the edges of one body (P) and the faces of the other (Q).
  struct Phase {
    bool of_b;
    const body::EdgeList& edges;
    Box3 box_q;
    Faces faces;
    std::size_t collected;
  };

  /// A part of the edges, and what was found there.
  struct Part {
    Part(const engine::collide::CollideQuery& q, AllCounters* all, const engine::collide::PlacedVertices& vertices)
        : work(all ? *all : own),
          query{q.a, q.b, q.pose_a, q.pose_b, q.options, q.placement, work, q.limits},
          clipper(query, vertices) {}
    AllCounters own;
    AllCounters& work;
    engine::collide::CollideQuery query;
    EdgeClipper clipper;
    CollideResult result;
    std::optional<std::size_t> kept;  ///< the first edge of which something remains
    bool done = false, cut = false;   ///< `cut`: a limit ended it
  };
  using PartPointer = std::unique_ptr<Part>;

  void count(Part& part) const {
    if (&part.work != &part.own) return;
    q_.counters += part.own;
    part.own = {};
  }

  /// Clips the edges [first, last) by the collected faces. `keep(edge)` is called for each of which something remains,
  /// and returns whether to go on. False: a limit ended it.
  template <class Keep>
  bool clip_edges(const Phase& p, std::size_t first, std::size_t last, Part& part, Keep&& keep) const {
    for (std::size_t e = first; e < last; ++e) {
      if (engine::collide::over(q_.limits, part.work)) return false;
      if (use_.edge_box && !vertices_.box(p.of_b, p.edges.vertices[e]).overlaps(p.box_q)) {
        ++part.work.precheck_edge_box;
        continue;
      }
      if (part.clipper.start(p.of_b, p.edges.vertices[e], p.faces, p.collected) && !keep(e)) return true;
    }
    return true;
  }

  /// Takes the edges from `from` on in parts, concurrently if there are threads (6.3.1). `keep(part, edge)` is called
  /// for every edge of which something remains, and says whether to go on; `merge(part)` in order, as core::in_order
  /// does.
  template <class Keep, class Merge>
  void in_parts(const Phase& p, std::size_t from, Keep&& keep, Merge&& merge) const {
    // A part takes some tens of microseconds, and waking threads as long. Parts do not depend on the number of threads,
    // so counters do not, either.
    constexpr std::size_t part_size = 64, few = 512;
    const std::size_t end = p.edges.size(), count_all = end - from;
    const bool alone = threads_ == 1 || count_all < few;
    const std::size_t size = alone ? std::max<std::size_t>(1, count_all) : part_size;
    core::in_order((count_all + size - 1) / size, threads_,
                   [&](std::size_t i) {
                     auto part = std::make_unique<Part>(q_, alone ? &q_.counters : nullptr, vertices_);
                     const std::size_t first = from + i * size, last = std::min(end, first + size);
                     part->cut = !clip_edges(p, first, last, *part, [&](std::size_t e) { return keep(*part, e); });
                     part->done = part->done || part->cut;
                     return part;
                   },
                   [&](PartPointer& part) {
                     count(*part);
                     merge(part);
                   });
  }

  /// Edges of one body (P) against the other (Q).
  Outcome phase(bool edges_of_b) {
    Phase p{edges_of_b, body(edges_of_b).edges(), vertices_.body_box(q_, !edges_of_b), {}, 0};
    p.collected = half_spaces(!edges_of_b, vertices_.body_box(q_, edges_of_b), p.faces);
    PartPointer first;  // where the first edge was found of which something remains
    bool cut = false;
    in_parts(
        p, 0,
        [](Part& part, std::size_t e) {
          part.kept = e;
          part.done = true;
          return false;
        },
        [&](PartPointer& part) {
          cut = part->cut;
          if (part->kept) first = std::move(part);
        });
    if (cut) return Outcome::settled;
    if (!first) return Outcome::open;
    q_.counters.clip_forgotten += p.faces.size() - p.collected;
    const bool meets_box_p = first->clipper.clip_by(p.faces, p.collected, p.faces.size());
    if (meets_box_p) first->clipper.add_surface_contacts(*first->kept, result_);
    count(*first);
    if (!meets_box_p || EdgeClipper::crosses(result_)) return Outcome::settled;  // Q misses P's box: apart
    return rest(p, *first->kept + 1);
  }

  /// The edges after the first that remains: those that remain, too, meet Q.
  Outcome rest(const Phase& p, std::size_t from) {
    bool cut = false;
    in_parts(
        p, from,
        [](Part& part, std::size_t e) {
          part.clipper.add_surface_contacts(e, part.result);
          part.done = EdgeClipper::crosses(part.result);
          return !part.done;
        },
        [&](PartPointer& part) {
          cut = part->cut;
          const CollideResult& found = part->result;
          if (found.pairs.empty() || (!result_.pairs.empty() && !EdgeClipper::crosses(found))) return;
          result_.status = Status::contact;
          result_.kind = found.kind;
          result_.pairs = found.pairs;
        });
    if (cut || EdgeClipper::crosses(result_)) return Outcome::settled;
    if (!result_.pairs.empty()) return Outcome::open;
    // P's edges are connected: if some remain and none meets Q's surface, all are inside.
    contained(p.of_b, p.edges.vertices[p.edges.size() - 1][0]);
    return Outcome::settled;
  }

  const engine::collide::CollideQuery& q_;
  const ConvexOptions& use_;
  CollideResult& result_;
  engine::collide::PlacedVertices vertices_;
  int threads_;
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
