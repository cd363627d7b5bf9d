// SPDX-License-Identifier: MIT
#include "classic/zachmann/convex.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <graze/classic/zachmann.hpp>

#include "classic/zachmann/convex_edges.hpp"
#include "core/in_order.hpp"

namespace graze::classic::zachmann {

namespace {

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
  std::size_t half_spaces(bool b, const Box3& box, HalfSpaces& out) {
    const Mesh& mesh = body(b).mesh;
    HalfSpaces forgotten;
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
    HalfSpaces faces;
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
