// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>

#include <graze/ask/surface.hpp>
#include <graze/classic/contact.hpp>

#include "body/body_data.hpp"
#include "classic/contact/surface_contact.hpp"
#include "classic/contact/surface_mesh_search.hpp"
#include "classic/contact/surface_pair_search.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/first_contact/pair/scaled_question.hpp"
#include "engine/first_contact/witness.hpp"
#include "math/vectors.hpp"
#include "motion/scaled.hpp"

namespace graze {

namespace classic::contact {
namespace {

double diagonal(const Box3& b) { return length(b.hi - b.lo); }

/// What a surface is asked against: a mesh or another surface. All points within `radius` of the mesh belong to it.
struct MeshPartner {
  const Body& body;
  double radius = 0;

  const Box3& box() const { return body.mesh().box(); }
  SurfaceMeshSearch search(IntervalScene& scene, const SurfaceData& a, double separation,
                           const SurfaceContactOptions& options, AllCounters& counters) const {
    return {scene,        a,       body.mesh(), body.data().part<IntervalTree>(), options.interval.value(), separation,
            options.work, counters};
  }
  std::optional<Vec3> normal(const SurfaceTouch&) const { return std::nullopt; }
  void describe(const SurfaceTouch& touch, SurfaceContactResult& result) const {
    result.triangle = TriangleId{touch.triangle};
  }
};
struct SurfacePartner {
  const SurfaceData& data;
  static constexpr double radius = 0;

  const Box3& box() const { return data.box; }
  SurfacePairSearch search(IntervalScene& scene, const SurfaceData& a, double separation,
                           const SurfaceContactOptions& options, AllCounters& counters) const {
    return {scene, a, data, options.interval.value(), separation, options.work, counters};
  }
  std::optional<Vec3> normal(const SurfaceTouch& touch) const { return data.source->normal(*touch.on_b); }
  void describe(const SurfaceTouch& touch, SurfaceContactResult& result) const {
    if (data.is_parametric) result.patch_b = touch.on_b->at.patch;
    result.where_b = touch.on_b->at.box;
  }
};

/// The error bound of a placed point, in the caller's units.
double rounding_of(IntervalScene& scene, const Box3& box_a) {
  double most = 0;
  for (const double t : {0.0, 0.5, 1.0}) {
    const prim::MovingFrame& f = scene.over(t, t).a_in_b();
    for (const Vec3& corner : {box_a.lo, box_a.hi}) most = std::max(most, f.place(scene.local_a(corner)).r);
  }
  return most / scene.scale();
}

std::optional<ErrorDetail> mistake(const SurfaceContactOptions& o) {
  const double k = o.interval.value().subdivision;
  if (!(k > 0 && std::isfinite(k)))
    return core::bad_option("subdivision", "the subdivision constant must be finite and above 0; the paper's is 0.2");
  if (!(o.min_separation >= 0 && std::isfinite(o.min_separation)))
    return core::bad_option("min_separation", "the separation must be finite and not negative");
  return core::bad_tolerance(o.tolerance);
}

/// Along the two points; where these are closer than their error bound allows, along the normal of a surface, in the
/// direction in which A approaches B. (At the start nothing tells on which side they were.)
template <class Partner>
void add_normal(const SurfaceTouch& touch, const SurfaceData& a, const motion::Path& path_a, const Partner& b,
                const motion::Path& path_b, SurfaceContactResult& result) {
  const Placement at_a = path_a.placement(touch.time), at_b = path_b.placement(touch.time);
  const Vec3 &on_a = (*result.points)[0], &on_b = (*result.points)[1];
  const auto set = [&](const Vec3& n) {
    result.normal = n;
    result.direction = engine::first_contact::direction_of(path_a, path_b, touch.time, on_a, on_b, n);
  };
  if (length(touch.across) > 4 * touch.doubt) return set(math::unit(math::turned(at_b.r, touch.across)));
  if (!(touch.time > 0)) return;
  const Placement* at = &at_a;
  std::optional<Vec3> local = a.source->normal(touch.on_a);
  if (!local) {
    local = b.normal(touch);
    at = &at_b;
  }
  if (!local) return;
  set(math::unit(math::turned(at->r, *local)));
  if (result.direction == ContactDirection::outgoing) set(-*result.normal);
  if (result.direction == ContactDirection::sliding) {
    result.normal.reset();  // either sign could be meant
    result.direction.reset();
  }
}

template <class Partner>
void answer(const SurfaceTouch& found, double unresolved, const SurfaceData& a, const Motion& motion_a,
            const Partner& b, const Motion& motion_b, SurfaceContactResult& result) {
  result.gap = result.time.touch = std::numeric_limits<double>::quiet_NaN();
  if (found.time > unresolved) {
    result.status = Status::undecided;
    result.time.safe = std::min(unresolved, found.time);
    return;
  }
  if (found.time == SurfaceTouch::never) {
    result.status = Status::free;
    result.time.safe = 1;
    return;
  }
  result.status = Status::contact;
  result.time = {found.time, found.time};
  result.gap = found.gap;
  if (a.is_parametric) result.patch = found.on_a.at.patch;
  result.where = found.on_a.at.box;
  b.describe(found, result);
  result.points = {motion_a.at(found.time).apply(found.on_a.point), motion_b.at(found.time).apply(found.point_b)};
  add_normal(found, a, motion_a.path(), b, motion_b.path(), result);
  if (!(b.radius > 0)) return;
  result.gap = std::max(0.0, found.gap - b.radius);
  auto& [on_a, on_b] = *result.points;  // on_b is of the mesh, and not yet of what is within the radius
  const Vec3 way = on_a - on_b;
  on_b = on_b + math::unit(way) * std::min(b.radius, length(way));
}

template <class Partner>
void ask_surface(const SurfaceData& a, const Motion& motion_a, const Partner& b, const Motion& motion_b,
                 const SurfaceContactOptions& options, bool is_scaled, SurfaceContactResult& result);

/// The partner with its lengths multiplied by a power of two; `then` is called with it. False: it cannot be scaled.
template <class Then>
bool with_scaled(const MeshPartner& b, int exponent, Then&& then) {
  const Body body = engine::first_contact::scaled(b.body, exponent, 1);
  if (!engine::first_contact::same_triangles(body.mesh(), b.body.mesh())) return false;
  then(MeshPartner{body, std::ldexp(b.radius, exponent)});
  return true;
}
template <class Then>
bool with_scaled(const SurfacePartner& b, int exponent, Then&& then) {
  const SurfaceData data(b.data.source->scaled(exponent), b.data.is_parametric, b.data.made_with);
  then(SurfacePartner{data});
  return true;
}

void scale_where(IntervalBox3& where, int exponent) {
  for (Interval& x : where) x = motion::scaled(x, exponent);
}

/// Answers a query of extremely small or large size at a normal scale (as `scaled_question` does for meshes); false: no
/// other scale is better. The trees are rebuilt: such scenes are rare.
template <class Partner>
bool ask_scaled(const SurfaceData& a, const Motion& motion_a, const Partner& b, const Motion& motion_b,
                SurfaceContactOptions options, SurfaceContactResult& result) {
  const auto exponent = engine::first_contact::better_exponent(a.box, motion_a.path(), b.box(), motion_b.path());
  if (!exponent) return false;
  const bool done = with_scaled(b, *exponent, [&](const Partner& partner) {
    const SurfaceData surface(a.source->scaled(*exponent), a.is_parametric, a.made_with);
    options.min_separation = std::ldexp(options.min_separation, *exponent);
    if (options.tolerance) options.tolerance = engine::first_contact::scaled_tolerance(*options.tolerance, *exponent);
    ask_surface(surface, motion_a.path().scaled(*exponent), partner, motion_b.path().scaled(*exponent), options, true,
                result);
  });
  if (!done) return false;
  result.gap = std::ldexp(result.gap, -*exponent);
  result.tolerance = engine::first_contact::scaled_up(result.tolerance, -*exponent);
  if (!result.points) return true;
  for (Vec3& x : *result.points) x = engine::first_contact::scaled_place(x, -*exponent);
  if (!result.patch) scale_where(result.where, -*exponent);
  if (!result.patch_b && !result.triangle) scale_where(result.where_b, -*exponent);
  return true;
}

template <class Partner>
void ask_surface(const SurfaceData& a, const Motion& motion_a, const Partner& b, const Motion& motion_b,
                 const SurfaceContactOptions& options, bool is_scaled, SurfaceContactResult& result) {
  const auto scene_for = [&](double tolerance) {
    return IntervalScene(motion_a.path(), a.box, motion_b.path(), b.box(), tolerance, 0);
  };
  IntervalScene first = scene_for(1);
  const double rounding = rounding_of(first, a.box);
  const bool usual = rounding >= engine::first_contact::least_usual_rounding &&
                     rounding <= engine::first_contact::largest_usual_rounding;
  if (!usual && !is_scaled && ask_scaled(a, motion_a, b, motion_b, options, result)) return;
  const double smaller = std::min(diagonal(a.box), diagonal(b.box()) + 2 * b.radius);
  const double apart = options.min_separation + b.radius;
  // Lengths about the separation are rounded relative to it.
  result.tolerance = std::max({options.tolerance.value_or(1e-6 * smaller), 16 * rounding, 0x1p-44 * apart});
  IntervalScene scene = scene_for(result.tolerance);
  AllCounters counters;
  auto search = b.search(scene, a, apart * scene.scale() * (1 + 0x1p-50), options, counters);
  search.run();
  core::report(counters, result.counters, options.method_counters);
  answer(search.best(), search.unresolved(), a, motion_a, b, motion_b, result);
}

/// What both questions share: the check of the options, limits and the clock.
template <class Partner>
void ask_within_limits(const SurfaceBody& a, const Motion& motion_a, const Partner& b, const Motion& motion_b,
                       const SurfaceContactOptions& options, SurfaceContactResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  result.gap = result.time.touch = std::numeric_limits<double>::quiet_NaN();  // unless an answer is found
  core::Limits limits(options.cancel, options.budget);                        // the search counts its work itself
  core::run_within(limits,
                   [&](core::Limits*) { ask_surface(a.data(), motion_a, b, motion_b, options, false, result); });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
}

bool begin(const SurfaceContactOptions& options, SurfaceContactResult& result) {
  result = SurfaceContactResult{};
  core::clear(options.method_counters);
  return !core::refused(result, mistake(options));
}

}  // namespace

void ask_surface_and_mesh(const SurfaceBody& a, const Motion& motion_a, const Body& mesh, double radius,
                          const Motion& motion_b, const SurfaceContactOptions& options, SurfaceContactResult& result) {
  if (begin(options, result)) ask_within_limits(a, motion_a, MeshPartner{mesh, radius}, motion_b, options, result);
}

void ask_surfaces(const SurfaceBody& a, const Motion& motion_a, const SurfaceBody& b, const Motion& motion_b,
                  const SurfaceContactOptions& options, SurfaceContactResult& result) {
  if (begin(options, result)) ask_within_limits(a, motion_a, SurfacePartner{b.data()}, motion_b, options, result);
}

}  // namespace classic::contact

namespace {

bool is_default(const SurfaceOptions& o) {
  const SurfaceOptions usual;
  return o.leaf_size == usual.leaf_size && o.most_leaves == usual.most_leaves;
}

}  // namespace

SurfaceBody::SurfaceBody(std::vector<std::shared_ptr<const ParametricPatch>> patches, const SurfaceOptions& options) {
  const core::FpGuard guard;
  std::string text = is_default(options) ? classic::contact::text_of(patches) : std::string();
  auto data = std::make_shared<classic::contact::SurfaceData>(classic::contact::parametric_source(std::move(patches)),
                                                              true, options);
  data->text = std::move(text);
  data_ = std::move(data);
}
SurfaceBody::SurfaceBody(std::shared_ptr<const ImplicitSurface> surface, const SurfaceOptions& options) {
  const core::FpGuard guard;
  std::string text = surface && is_default(options) ? classic::contact::text_of(*surface) : std::string();
  auto data = std::make_shared<classic::contact::SurfaceData>(classic::contact::implicit_source(std::move(surface)),
                                                              false, options);
  data->text = std::move(text);
  data_ = std::move(data);
}
const Box3& SurfaceBody::box() const { return data_->box; }
std::size_t SurfaceBody::leaf_count() const { return data_->leaves.size(); }

}  // namespace graze
