// SPDX-License-Identifier: MIT
#include "ask/shapes/shapes.hpp"

#include <algorithm>

#include "ask/shapes/half_space.hpp"
#include "core/refusal.hpp"
#include "engine/collide/method.hpp"
#include "engine/contains/point_in_body.hpp"
#include "engine/contains/solid.hpp"
#include "engine/curved/mesh_pair.hpp"
#include "engine/curved/shape_pair.hpp"
#include "math/vectors.hpp"

namespace graze::ask {

namespace {

bool is_half_space(const Body& body) { return body.data().is_half_space(); }
bool is_curved(const Body& body) { return body.data().is_curved(); }
bool is_shape(const Body& body) { return body.data().shape != nullptr; }

FeatureKind swapped(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::vertex_face: return FeatureKind::face_vertex;
    case FeatureKind::face_vertex: return FeatureKind::vertex_face;
    case FeatureKind::edge_face: return FeatureKind::face_edge;
    case FeatureKind::face_edge: return FeatureKind::edge_face;
    case FeatureKind::vertex_surface: return FeatureKind::surface_vertex;
    case FeatureKind::edge_surface: return FeatureKind::surface_edge;
    case FeatureKind::face_surface: return FeatureKind::surface_face;
    case FeatureKind::surface_vertex: return FeatureKind::vertex_surface;
    case FeatureKind::surface_edge: return FeatureKind::edge_surface;
    case FeatureKind::surface_face: return FeatureKind::face_surface;
    case FeatureKind::edge_edge:
    case FeatureKind::surface_surface: break;
  }
  return kind;
}

void swap_sides(Feature& feature) {
  feature.kind = swapped(feature.kind);
  std::swap(feature.a, feature.b);
}

/// What `CollideResult` and `FirstContactResult` have in common.
template <class Result>
void swap_witness(Result& r) {
  for (Feature& f : r.features) swap_sides(f);
  std::sort(r.features.begin(), r.features.end());
  if (r.points) std::swap((*r.points)[0], (*r.points)[1]);
  if (r.normal) r.normal = -*r.normal;
  if (r.contained != Containment::none)
    r.contained = r.contained == Containment::a_in_b ? Containment::b_in_a : Containment::a_in_b;
}

void swap_sides(CollideResult& r) {
  for (TrianglePair& p : r.pairs) std::swap(p.a, p.b);
  std::sort(r.pairs.begin(), r.pairs.end());
  swap_witness(r);
}

void swap_sides(DistanceResult& r) {
  std::swap(r.pair.a, r.pair.b);
  if (r.feature) swap_sides(*r.feature);
  std::swap(r.points[0], r.points[1]);
  if (r.normal) r.normal = -*r.normal;
}

}  // namespace

void swap_sides(FirstContactResult& r) {
  if (r.pair) std::swap(r.pair->a, r.pair->b);
  swap_witness(r);
}

namespace {

Vec3 surface_point(const Body& half_space, const Pose& pose) {
  return pose.apply({0, 0, half_space.shape()->rounding});
}
Vec3 up(const Pose& pose) { return math::unit(Pose({}, pose.rotation()).apply({0, 0, 1})); }

/// A half-space has one face, which the stand-in's ids must not replace.
void hide_stand_in(FeatureRef& ref) { ref = {FeatureRef::Type::face, false, {0, 0}}; }

void hide_stand_in(CollideResult& r) {
  for (TrianglePair& p : r.pairs) p.a = TriangleId{0};
  r.pairs.erase(std::unique(r.pairs.begin(), r.pairs.end()), r.pairs.end());
  for (Feature& f : r.features) hide_stand_in(f.a);
}

/// Two placed bodies in the order in which the kernels take them: half-spaces first, then meshes, then curved shapes.
struct Ordered {
  Ordered(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b)
      : swapped(is_half_space(b) ? !is_half_space(a) : is_curved(a) && !is_half_space(a) && !is_shape(b)),
        first(swapped ? b : a),
        second(swapped ? a : b),
        pose_1(swapped ? pose_b : pose_a),
        pose_2(swapped ? pose_a : pose_b) {}
  bool swapped;
  const Body &first, &second;
  const Pose &pose_1, &pose_2;
};

/// A is the half-space.
void collide_half_space(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                        const CollideOptions& options, CollideResult& result) {
  if (is_half_space(b)) {
    const HalfSpaceGap gap = half_space_gap(a, pose_a, b, pose_b);
    result.status = gap.apart ? Status::free : Status::contact;
    if (gap.apart) return;
    result.kind = gap.touch ? ContactKind::touching : ContactKind::overlap;
    if (!gap.touch) return;
    result.points = {surface_point(a, pose_a), surface_point(a, pose_a)};
    result.normal = up(pose_a);
  } else if (is_curved(b)) {
    engine::curved::HalfSpacePair(a.data(), pose_a, b.data(), pose_b).collide(result);
  } else {
    const std::optional<Body> box = stand_in(a, pose_a, b, pose_b);
    if (!box) return core::refuse(result, too_far());
    collide(*box, pose_a, b, pose_b, options, result);
    hide_stand_in(result);
  }
}

/// B is curved, A a mesh that is asked as a solid: is the shape inside it? (The surfaces are apart.) Its centre, or a
/// corner of a rounded hull, tells for all of it.
bool inside_mesh(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, CollideResult& result) {
  const shape::Core& core = *b.data().core;
  // Where it is rounded it is still nearer to the core than the rounding bound, and the mesh is not.
  const Vec3 inner = core.at_place(core.kind == shape::Core::Kind::points ? core.points[0] : Vec3{});
  const math::RelativePlacement placement(pose_a, pose_b);
  if (engine::contains::point_in_body(a.data(), placement, inner, result.counters) != Location::inside) return false;
  result.contained = Containment::b_in_a;
  result.points = {pose_b.apply(inner), pose_b.apply(inner)};
  result.status = Status::contact;
  return true;
}

/// B is curved.
void collide_curved(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideOptions& options,
                    CollideResult& result) {
  if (is_shape(a)) return engine::curved::ShapePair(a.data(), pose_a, b.data(), pose_b).collide(result);
  engine::curved::MeshPair(a.data(), pose_a, b.data(), pose_b).collide(options.all, options.all_features, result);
  if (options.solid && result.status == Status::free) inside_mesh(a, pose_a, b, pose_b, result);
}

}  // namespace

bool beyond_meshes(const Body& a, const Body& b) { return !a.has_mesh() || !b.has_mesh(); }

bool plain_shapes(const Body& a, const Body& b) {
  const body::BodyData &x = a.data(), &y = b.data();
  return x.core && y.core && !x.compound && !y.compound && (x.is_curved() || y.is_curved());
}

void collide_plain_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, CollideResult& result) {
  engine::curved::ShapePair(a.data(), pose_a, b.data(), pose_b).collide(result);
}

void distance_plain_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double relative_error,
                           DistanceResult& result) {
  if (engine::curved::distance_of_capsules(a.data(), pose_a, b.data(), pose_b, relative_error, result)) return;
  engine::curved::ShapePair(a.data(), pose_a, b.data(), pose_b).distance(relative_error, result);
}

void within_plain_shapes(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                         WithinResult& result) {
  engine::curved::ShapePair(a.data(), pose_a, b.data(), pose_b).within(d, result);
}

void collide_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideOptions& options,
                    CollideResult& result) {
  const Ordered sides(a, pose_a, b, pose_b);
  const Body &first = sides.first, &second = sides.second;
  const Pose &pose_1 = sides.pose_1, &pose_2 = sides.pose_2;
  if (is_half_space(first))
    collide_half_space(first, pose_1, second, pose_2, options, result);
  else
    collide_curved(first, pose_1, second, pose_2, options, result);
  if (sides.swapped) swap_sides(result);
}

void distance_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                     const DistanceOptions& options, DistanceResult& result) {
  const Ordered sides(a, pose_a, b, pose_b);
  const Body &first = sides.first, &second = sides.second;
  const Pose &pose_1 = sides.pose_1, &pose_2 = sides.pose_2;
  if (is_half_space(first) && is_half_space(second)) {
    const HalfSpaceGap gap = half_space_gap(first, pose_1, second, pose_2);
    result.status = gap.apart ? Status::free : Status::contact;
    result.distance = gap.apart ? gap.distance : 0;
    if (!gap.apart && !gap.touch) return;
    result.normal = up(pose_1);
    const Vec3 foot = surface_point(first, pose_1);
    result.points = {foot, foot + *result.normal * result.distance};
  } else if (is_half_space(first) && is_curved(second)) {
    engine::curved::HalfSpacePair(first.data(), pose_1, second.data(), pose_2).distance(result);
  } else if (is_half_space(first)) {
    const std::optional<Body> box = stand_in(first, pose_1, second, pose_2);
    if (!box) return core::refuse(result, too_far());
    distance(*box, pose_1, second, pose_2, options, result);
    result.pair.a = TriangleId{0};
    if (result.feature) hide_stand_in(result.feature->a);
  } else if (is_shape(first)) {
    engine::curved::ShapePair(first.data(), pose_1, second.data(), pose_2).distance(options.relative_error, result);
  } else {
    engine::curved::MeshPair(first.data(), pose_1, second.data(), pose_2).distance(options.relative_error, result);
  }
  if (sides.swapped) swap_sides(result);
}

void within_shapes(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                   WithinResult& result) {
  const Ordered sides(a, pose_a, b, pose_b);
  const Body &first = sides.first, &second = sides.second;
  const Pose &pose_1 = sides.pose_1, &pose_2 = sides.pose_2;
  if (is_half_space(first) && is_half_space(second)) {
    const HalfSpaceGap gap = half_space_gap(first, pose_1, second, pose_2);
    result.status = gap.apart && gap.distance > d ? Status::free : Status::contact;
    result.certain = !gap.apart || gap.distance != d;
  } else if (is_half_space(first) && is_curved(second)) {
    engine::curved::HalfSpacePair(first.data(), pose_1, second.data(), pose_2).within(d, result);
  } else if (is_half_space(first)) {
    const std::optional<Body> box = stand_in(first, pose_1, second, pose_2);
    if (!box) return core::refuse(result, too_far());
    within(d, *box, pose_1, second, pose_2, {}, result);
  } else if (is_shape(first)) {
    engine::curved::ShapePair(first.data(), pose_1, second.data(), pose_2).within(d, result);
  } else {
    engine::curved::MeshPair(first.data(), pose_1, second.data(), pose_2).within(d, result);
  }
}

bool inside_solid_shape(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, CollideResult& result) {
  if (!is_shape(a) && !is_shape(b)) return false;
  const CollideOptions options;
  AllCounters counters;
  const engine::collide::CollideQuery q{
      a.data(), b.data(), pose_a, pose_b, options, math::RelativePlacement(pose_a, pose_b), counters};
  engine::contains::add_containment(q, is_shape(a), is_shape(b), result);
  result.counters += counters;
  return result.contained != Containment::none;
}

}  // namespace graze::ask
