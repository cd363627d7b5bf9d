// SPDX-License-Identifier: MIT
#include "ask/surfaces/partner.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include <graze/ask/collide.hpp>

#include "ask/shapes/half_space.hpp"
#include "ask/shapes/shape_contact.hpp"
#include "body/body_data.hpp"
#include "classic/contact/surface_contact.hpp"
#include "classic/contact/surface_data.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/deform/paths/rounded_core.hpp"
#include "math/composed.hpp"

namespace graze::ask {

namespace {

bool is_mesh_with_radius(const shape::Shape& s) {
  return std::holds_alternative<shape::Sphere>(s.kind) || std::holds_alternative<shape::Capsule>(s.kind) ||
         std::holds_alternative<shape::Box>(s.kind) || std::holds_alternative<shape::Hull>(s.kind);
}

/// Of a ball or a capsule every point is within the radius of a point or a segment, which the search has found.
bool has_inside(const Body& body) {
  return body.shape() && !std::holds_alternative<shape::Sphere>(body.shape()->kind) &&
         !std::holds_alternative<shape::Capsule>(body.shape()->kind);
}

/// Is a part of the surface inside a convex solid, whose boundary it does not touch?
///
/// The surface is a list of pieces, each in a hull. One whose hull is certainly apart from the solid has no part
/// inside. One with a certified point in the solid has: what `collide` answers for a ball around that point, which is
/// as small as the bound within which points count as in contact. Other pieces are halved: the surface stays clear of
/// the boundary, so small ones are either apart or inside.
class InsideSearch {
 public:
  InsideSearch(const classic::contact::SurfaceData& surface, const Pose& pose_a, const Body& solid, const Pose& pose_b,
               double bound)
      : surface_(surface), source_(*surface.source), pose_a_(pose_a), solid_(solid), pose_b_(pose_b), bound_(bound) {
    if (const shape::Core* const core = solid.data().core.get()) {
      centre_ = pose_b.apply(core->at_place({}));
      reach_ = core->outer() + core->radius;
    }
  }

  /// None: not decided.
  std::optional<bool> run(Counters& counters) {
    core::Poll poll;
    std::size_t looked = 0;
    std::vector<classic::contact::SurfaceCell> cells;
    for (const auto& leaf : surface_.leaves) {
      poll.only_time();
      if (!meets(leaf.hull, counters)) continue;
      cells.assign({leaf.cell});
      while (!cells.empty()) {
        poll.only_time();
        if (++looked == most_cells) return std::nullopt;
        const classic::contact::SurfaceCell cell = cells.back();
        cells.pop_back();
        classic::contact::SurfaceHull hull;
        if (!source_.enclose(cell, hull) || !meets(hull, counters)) continue;
        const std::optional<classic::contact::SurfacePoint> point = source_.point(cell);
        if (point && point->radius <= bound_ && meets({point->point}, point->radius, counters)) return true;
        if (!source_.divisible(cell)) return std::nullopt;
        for (const auto& half : source_.halves(cell)) cells.push_back(half);
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t most_cells = 1u << 16;

  /// False: certainly apart.
  bool meets(const classic::contact::SurfaceHull& hull, Counters& counters) const {
    bool usual = std::isfinite(hull.radius);
    for (int i = 0; i < hull.count; ++i) usual = usual && is_finite(hull.points[static_cast<std::size_t>(i)]);
    if (!usual) return true;
    // Balls around both tell most pairs apart. Places are rounded by less than 2^-44 of all sizes.
    const Vec3 at = pose_a_.apply(hull.centre());
    const double sizes =
        length(at) + length(centre_) + length(pose_a_.translation()) + length(pose_b_.translation()) + reach_;
    if (length(at - centre_) > (hull.size() + reach_) * (1 + 0x1p-40) + 0x1p-40 * sizes) return false;
    return meets({hull.points.begin(), hull.points.begin() + hull.count}, hull.radius, counters);
  }

  bool meets(std::vector<Vec3> points, double radius, Counters& counters) const {
    const Body part(shape::rounded(shape::Hull{std::move(points)}, radius));
    const CollideResult hit = collide(part, pose_a_, solid_, pose_b_);
    counters += hit.counters;
    return hit.status != Status::free;
  }

  const classic::contact::SurfaceData& surface_;
  const classic::contact::SurfaceSource& source_;
  const Pose& pose_a_;
  const Body& solid_;
  const Pose& pose_b_;
  double bound_;
  Vec3 centre_;  ///< of a ball around the solid, in the world
  double reach_ = 0;
};

}  // namespace

std::optional<SurfacePartner> partner_of(const Body& body) {
  if (body.has_mesh()) return SurfacePartner{body, 0};
  if (!body.shape() || !is_mesh_with_radius(*body.shape())) return std::nullopt;
  const engine::deform::RoundedCore core(body);
  if (!body.data().placed_at) return SurfacePartner{Body(core.mesh()), core.radius()};
  // Points are placed within 2^-46 of the reach (`Core::furthest` says why), which the radius covers.
  std::vector<Vec3> placed;
  for (const Vec3& p : core.mesh().positions()) placed.push_back(body.data().core->at_place(p));
  return SurfacePartner{Body(Mesh(std::move(placed), core.mesh().polygons())),
                        core.radius() + 0x1p-46 * body.data().core->reach()};
}

ErrorDetail no_partner() {
  return core::problem(ErrorCode::unsupported, "body",
                       "a surface given by functions is not asked against a cylinder, a cone or an ellipsoid; give a "
                       "hull or a mesh of it");
}

void ask_surface(const SurfaceBody& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                 const SurfaceContactOptions& options, SurfaceAnswer& answer, bool look_inside) {
  answer.inside = false;
  if (b.surface()) return classic::contact::ask_surfaces(a, motion_a, *b.surface(), motion_b, options, answer.contact);
  answer.contact = {};
  std::optional<Body> stands_for;
  if (b.data().is_half_space()) {
    stands_for = stand_in(b, motion_b, Body(a), motion_a, options.min_separation);
    if (!stands_for) return core::refuse(answer.contact, too_far());
  }
  const Body& partner = stands_for ? *stands_for : b;
  const std::optional<SurfacePartner> mesh = partner_of(partner);
  if (!mesh) return core::refuse(answer.contact, no_partner());
  SurfaceContactOptions asked = options;
  if (stands_for && !asked.tolerance) asked.tolerance = 1e-6 * length(a.box().hi - a.box().lo);  // the box has no size
  classic::contact::ask_surface_and_mesh(a, motion_a, mesh->mesh, mesh->radius, motion_b, asked, answer.contact);
  if (stands_for && answer.contact.triangle) answer.contact.triangle = TriangleId{0};
  SurfaceContactResult& found = answer.contact;
  const bool apart_at_start = found.status == Status::free || found.time.safe > 0;
  if (!look_inside || !has_inside(partner) || found.status == Status::invalid_request || !apart_at_start) return;
  const Pose pose_a = start_pose(motion_a), pose_b = start_pose(motion_b);
  const std::optional<bool> inside =
      InsideSearch(a.data(), pose_a, partner, pose_b, found.tolerance).run(found.counters);
  if (inside == false) return;
  const Counters counters = found.counters;
  const double tolerance = found.tolerance;
  found = {};
  found.counters = counters;
  found.tolerance = tolerance;
  found.time = {0, std::numeric_limits<double>::quiet_NaN()};
  found.gap = std::numeric_limits<double>::quiet_NaN();
  if (!inside) return;
  answer.inside = true;
  found.status = Status::contact;
  found.time = {0, 0};
  found.gap = 0;
}

}  // namespace graze::ask
