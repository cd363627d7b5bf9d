// SPDX-License-Identifier: MIT
#include <graze/ask/contact_details.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/chunks.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/deform/near/named_pair.hpp"
#include "engine/deform/step_checks.hpp"
#include "engine/deform/topology/topology.hpp"
#include "math/vectors.hpp"

namespace graze {

struct DeformContactDetails::Data {
  explicit Data(const Mesh& m) : mesh(m), topology(m), component(engine::deform::pieces(m)) {
    // From the lowest vertex of each to consecutive numbers. Vertices without triangles are components, too.
    std::uint32_t count = 0;
    for (std::uint32_t v = 0; v < component.size(); ++v)
      component[v] = component[v] == v ? count++ : component[component[v]];
  }

  /// The lowest triangle with all the vertices; their triangles are listed in ascending order.
  PolygonId polygon(std::span<const std::uint32_t> vertices) const {
    for (const std::uint32_t t : topology.around(vertices[0])) {
      const Triangle& x = topology.triangle(t);
      if (std::all_of(vertices.begin(), vertices.end(),
                      [&](std::uint32_t v) { return engine::deform::has_vertex(x, v); }))
        return mesh.polygon_of(TriangleId{t});
    }
    throw Error(core::problem(ErrorCode::bad_option, "contact", "no triangle of the mesh has its features"));
  }

  Mesh mesh;
  engine::deform::Topology topology;
  std::vector<std::uint32_t> component;
};

DeformContactDetails::DeformContactDetails(const Mesh& mesh) : data_(std::make_unique<Data>(mesh)) {}
DeformContactDetails::~DeformContactDetails() = default;
DeformContactDetails::DeformContactDetails(DeformContactDetails&&) noexcept = default;
DeformContactDetails& DeformContactDetails::operator=(DeformContactDetails&&) noexcept = default;

namespace {

using FourPoints = std::array<Vec3, 4>;

/// A direction across the closest parts, of any length and either sign, or zero.
Vec3 across(const engine::deform::Parts& parts) {
  const auto& p = parts.points;
  switch (parts.kind) {
    case ElementaryKind::vertex_vertex: break;
    case ElementaryKind::vertex_edge: {
      const Vec3 e = math::of_size_one(p[2] - p[1]);
      return cross(math::of_size_one(cross(e, math::of_size_one(p[0] - p[1]))), e);
    }
    case ElementaryKind::edge_edge: return cross(math::of_size_one(p[1] - p[0]), math::of_size_one(p[3] - p[2]));
    case ElementaryKind::vertex_face: return cross(math::of_size_one(p[2] - p[1]), math::of_size_one(p[3] - p[1]));
  }
  return p[1] - p[0];
}

Vec3 weighted(const FourPoints& p, const std::array<double, 4>& w, std::size_t from, std::size_t to) {
  Vec3 sum;
  for (std::size_t k = from; k < to; ++k) sum = sum + p[k] * w[k];
  return sum;
}

/// The same question backwards in time: the first contact there is the last one here.
void find_end(const DeformContact& c, const FourPoints& from, const FourPoints& to,
              const DeformContactDetailOptions& options, DeformContactDetail& d) {
  ElementaryOptions asked;
  asked.tolerance = options.tolerance;
  asked.min_separation = options.min_separation;
  asked.exact = options.exact;
  const ElementaryResult r = elementary_contact({c.kind, to, from}, asked);
  if (r.error) throw Error(core::problem(*r.error, "contact", "its end could not be found"));
  const auto turned = [](double t) { return std::clamp(1 - t, 0.0, 1.0); };
  // Backwards, it is free before `safe`: here, after 1 - safe, rounded up. A contact that is not found backwards was
  // only within the tolerance: it is over when it begins.
  const double safe = r.status == Status::free ? 1 - c.time.touch : r.time.safe;
  const double touch = r.status == Status::free ? 1 - c.time.touch : r.time.touch;
  d.present_until = std::max(c.time.touch, turned(touch));
  d.apart_after = std::max(d.present_until, std::min(1.0, std::nextafter(turned(safe), 2.0)));
}

/// The closest parts, in the order of their kind, and the places of all four points.
engine::deform::PlacedParts placed_parts(ElementaryKind whole, ElementaryKind kind, unsigned mask,
                                         const FourPoints& points) {
  const auto closest = static_cast<std::uint8_t>(mask);
  if (whole == ElementaryKind::edge_edge) return engine::deform::placed(kind, true, closest, {0, 1, 2, 3}, points);
  engine::deform::PlacedParts r;  // the vertex is the first point already
  r.parts.kind = kind;
  std::size_t n = 0;
  for (std::size_t k = 0; k < 4; ++k)
    if (mask >> k & 1) {
      r.at[n] = k;
      r.parts.points[n++] = points[k];
    }
  for (std::size_t k = 0; k < 4; ++k)
    if (!(mask >> k & 1)) r.at[n++] = k;
  return r;
}

DeformContactDetail detail_of(const DeformContact& c, const FourPoints& from, const FourPoints& to) {
  const std::size_t first = c.kind == ElementaryKind::vertex_face ? 1 : 2;
  // The corners of a face in ascending order of their ids, as `closest_parts` needs them.
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  if (first == 1)
    std::sort(order.begin() + 1, order.end(),
              [&](std::size_t x, std::size_t y) { return c.vertices[x] < c.vertices[y]; });
  FourPoints now, sorted;
  std::array<std::uint32_t, 4> ids, slots{0, 1, 2, 3};
  const double t = c.time.touch;
  for (std::size_t k = 0; k < 4; ++k) now[k] = t == 1 ? to[k] : from[k] * (1 - t) + to[k] * t;
  for (std::size_t k = 0; k < 4; ++k) {
    ids[k] = c.vertices[order[k]];
    sorted[k] = now[order[k]];
  }
  const unsigned mask = engine::deform::closest_parts(c.kind, sorted, ids);
  const ElementaryKind kind = engine::deform::named(c.kind, slots, mask, false).kind;
  const engine::deform::PlacedParts at = placed_parts(c.kind, kind, mask, sorted);
  const engine::deform::Measured m = engine::deform::measure(at.parts);
  DeformContactDetail d;
  d.kind = kind;
  d.gap = m.distance;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t slot = at.at[k];
    if (!(mask >> slot & 1)) continue;
    d.weights[order[slot]] = m.weights[k];
    d.closest = static_cast<std::uint8_t>(d.closest | 1u << order[slot]);
  }
  d.a = weighted(now, d.weights, 0, first);
  d.b = weighted(now, d.weights, first, 4);
  const Vec3 direction = math::unit(across(at.parts));
  double side = dot(direction, d.b - d.a);
  if (!(m.distance > 0))
    side = dot(direction, weighted(from, d.weights, first, 4) - weighted(from, d.weights, 0, first));
  if (m.distance > 0 || side != 0) d.normal = side < 0 ? -direction : direction;
  return d;
}

void check(std::size_t given, std::size_t wanted, const char* name) {
  if (given != wanted)
    throw Error(core::problem(ErrorCode::bad_option, name,
                              "there must be " + std::to_string(wanted) + " entries, not " + std::to_string(given)));
}

}  // namespace

void DeformContactDetails::find(std::span<const Vec3> from, std::span<const Vec3> to,
                                std::span<const DeformContact> contacts, std::span<DeformContactDetail> details,
                                const DeformContactDetailOptions& options) const {
  const core::FpGuard guard;
  const Data& data = *data_;
  const std::size_t vertices = data.mesh.vertex_count();
  core::throw_if(core::bad_threads(options.threads));
  core::throw_if(engine::deform::step_positions_problem(from, vertices));
  core::throw_if(engine::deform::step_positions_problem(to, vertices));
  check(details.size(), contacts.size(), "details");
  if (!options.bodies.empty()) check(options.bodies.size(), vertices, "bodies");
  core::in_chunks(contacts.size(), options.threads, [&](std::size_t i) {
    const DeformContact& c = contacts[i];
    FourPoints start, end;
    for (std::size_t k = 0; k < 4; ++k) {
      if (c.vertices[k] >= vertices)
        throw Error(core::problem(ErrorCode::bad_option, "contact", "a vertex does not exist", i));
      start[k] = from[c.vertices[k]];
      end[k] = to[c.vertices[k]];
    }
    DeformContactDetail& d = details[i] = detail_of(c, start, end);
    const std::size_t first = c.kind == ElementaryKind::vertex_face ? 1 : 2;
    const std::span<const std::uint32_t> all(c.vertices);
    d.polygons = {data.polygon(all.first(first)), data.polygon(all.subspan(first))};
    const auto body = [&](std::uint32_t v) { return options.bodies.empty() ? data.component[v] : options.bodies[v]; };
    d.bodies = {body(c.vertices[0]), body(c.vertices[first])};
    if (options.ends) find_end(c, start, end, options, d);
  });
}

}  // namespace graze
