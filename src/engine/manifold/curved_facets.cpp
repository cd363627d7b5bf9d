// SPDX-License-Identifier: MIT
// What a curved shape shows of itself: the flat and straight parts of its surface, and else the point that is furthest.
// Places on the surface have ids that turn with the shape, for a solver to recognise them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "body/shape_mesh.hpp"
#include "engine/manifold/facets.hpp"

namespace graze::engine::manifold {

namespace {

// Places (FeatureRef::id of type surface). 0: the furthest point of a surface that is round there.
constexpr std::uint32_t first_end = 1, second_end = 2, side_line = 3;  // of a straight line of a surface; from -z to +z
constexpr std::uint32_t top_rim = 16, bottom_rim = 32;                 // + 0 to 7: places of a rim; + 8: its disc
constexpr std::uint32_t point_count = 8;

/// Below this sine of the angle between direction and axis the direction across the axis is not known.
constexpr double along_axis = 1e-7;

FeatureRef place_ref(std::uint32_t p, std::uint32_t q) { return {FeatureRef::Type::surface, false, {p, q}}; }
FeatureRef place_ref(std::uint32_t p) { return place_ref(p, p); }

class CurvedShower {
 public:
  CurvedShower(const PlacedBody& body, const Vec3& n, std::vector<Facet>& out)
      : body_(body), core_(*body.data->core), n_(n), out_(out) {
    if (const auto& at = body.data->placed_at) {
      const Pose turn({}, at->rotation());
      axes_ = {turn.apply({1, 0, 0}), turn.apply({0, 1, 0}), turn.apply({0, 0, 1})};
    }
    const Vec3 in_body = body.turn_back(n);
    own_n_ = {dot(in_body, axes_[0]), dot(in_body, axes_[1]), dot(in_body, axes_[2])};
    const double across = length({own_n_.x, own_n_.y, 0});
    sine_ = across;
    azimuth_ = across > along_axis ? Vec3{own_n_.x / across, own_n_.y / across, 0} : Vec3{};
  }

  void furthest_point() {
    const Vec3 in_body = body_.turn_back(n_);
    Facet f;
    f.count = 1;
    f.corners[0].at = body_.place(core_.furthest(in_body)) + n_ * radius();
    f.corners[0].feature = f.face = place_ref(0);
    out_.push_back(f);
  }

  /// A straight line of the surface over two points of the core, given from -z to +z, whose normal is m.
  void line(const Vec3& low, const Vec3& high, const Vec3& m) { line(low, high, m, own_n_.z); }
  /// `along`: of the direction, from the low to the high end.
  void line(const Vec3& low, const Vec3& high, const Vec3& m, double along) {
    Facet f;
    f.count = 2;
    corner(f.corners[0], low, m, first_end, along <= 1e-12);
    corner(f.corners[1], high, m, second_end, along >= -1e-12);
    f.edges[0] = f.face = place_ref(side_line);
    out_.push_back(f);
  }

  /// The disc of this radius at height z, seen from the side of m (along the axis).
  void disc(double r, double z, const Vec3& m, std::uint32_t rim) {
    Facet f;
    f.count = point_count;
    f.normal = world(m);
    f.face = place_ref(rim + point_count);
    for (std::uint32_t k = 0; k < point_count; ++k) {
      constexpr double q = std::numbers::sqrt2 / 2;
      constexpr std::array<double, point_count> cosine{1, q, 0, -q, -1, -q, 0, q};
      // Only a rim as a whole can be furthest: then the direction is that of the axis.
      corner(f.corners[k], {r * cosine[k], r * cosine[(k + 6) % point_count], z}, m, rim + k, false);
      f.edges[k] = place_ref(rim + k, rim + (k + 1) % point_count);
    }
    out_.push_back(f);
  }

  /// The face at one end of an axis of a box with these half sides.
  void box_face(const Vec3& half, int axis, bool high) {
    Facet f;
    f.count = 4;
    Vec3 m;
    m[axis] = high ? 1 : -1;
    f.normal = world(m);
    const std::uint32_t id = static_cast<std::uint32_t>(axis) * 2 + (high ? 1 : 0);
    f.face = {FeatureRef::Type::face, false, {id, id}};
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    for (unsigned k = 0; k < 4; ++k) {
      const std::array<bool, 2> ends{k == 1 || k == 2, k >= 2};
      const auto bit = [](bool end, int of) { return end ? 1U << of : 0U; };
      const std::uint32_t number = bit(high, axis) | bit(ends[0], next) | bit(ends[1], last);
      Vec3 own;
      bool is_furthest = true;
      for (int i = 0; i < 3; ++i) {
        const bool end = (number >> i & 1U) != 0;
        own[i] = end ? half[i] : -half[i];
        is_furthest = is_furthest && (end ? own_n_[i] >= -1e-12 : own_n_[i] <= 1e-12);
      }
      corner(f.corners[k], own, m, 0, is_furthest);
      f.corners[k].feature = {FeatureRef::Type::vertex, false, {number, number}};
    }
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint32_t p = f.corners[k].feature.id[0], q = f.corners[(k + 1) % 4].feature.id[0];
      f.edges[k] = {FeatureRef::Type::edge, false, {std::min(p, q), std::max(p, q)}};
    }
    out_.push_back(f);
  }

  double sine() const { return sine_; }
  const Vec3& azimuth() const { return azimuth_; }
  const Vec3& own_n() const { return own_n_; }

 private:
  double radius() const { return std::ldexp(core_.radius, -body_.exponent); }
  Vec3 world(const Vec3& own) const { return body_.turn(axes_[0] * own.x + axes_[1] * own.y + axes_[2] * own.z); }
  void corner(Corner& c, const Vec3& own, const Vec3& m, std::uint32_t place, bool is_furthest) const {
    const Vec3 at = body_.place(core_.at_place(own));
    c.at = at + world(m) * radius();
    c.rounded = is_furthest && core_.radius > 0;
    c.furthest = at + n_ * radius();
    c.feature = place_ref(place);
  }

  const PlacedBody& body_;
  const shape::Core& core_;
  Vec3 n_, own_n_;
  std::array<Vec3, 3> axes_{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  double sine_ = 0;
  Vec3 azimuth_;
  std::vector<Facet>& out_;
};

/// Seen from an angle whose sine is less than this, a line or a disc is not worth showing.
constexpr double least_sine = 1.0 / 16;

void show_segment(const shape::Core& core, CurvedShower& shower) {
  if (shower.sine() < least_sine || !(core.half.z > 0)) return shower.furthest_point();
  shower.line({0, 0, -core.half.z}, {0, 0, core.half.z}, shower.azimuth());
}

void show_cylinder(const shape::Core& core, CurvedShower& shower) {
  const double r = core.half.x, h = core.half.z;
  if (!(r > 0)) return show_segment(core, shower);
  if (shower.own_n().z > least_sine) shower.disc(r, h, {0, 0, 1}, top_rim);
  if (shower.own_n().z < -least_sine) shower.disc(r, -h, {0, 0, -1}, bottom_rim);
  const Vec3 rim = shower.azimuth() * r;
  // Also where the side itself is hardly seen: one end of the line is the point that is furthest.
  if (shower.azimuth() != Vec3{}) shower.line({rim.x, rim.y, -h}, {rim.x, rim.y, h}, shower.azimuth());
}

void show_cone(const shape::Core& core, CurvedShower& shower) {
  const double r = core.half.x, h = core.half.z;
  if (!(r > 0)) return show_segment(core, shower);
  if (shower.own_n().z < -least_sine) shower.disc(r, -h, {0, 0, -1}, bottom_rim);
  if (shower.azimuth() == Vec3{} || !(h > 0)) {
    if (shower.own_n().z > 0) shower.furthest_point();
    return;
  }
  const Vec3 rim = shower.azimuth() * r;
  const Vec3 m = math::unit(math::of_size_one(Vec3{h * 2, r, 0}));  // across, along the axis
  shower.line({rim.x, rim.y, -h}, {0, 0, h}, shower.azimuth() * m.x + Vec3{0, 0, m.y});
}

/// A rounded box with one side that is not zero is a capsule along that axis.
void show_box_line(const shape::Core& core, int axis, CurvedShower& shower) {
  Vec3 m = shower.own_n(), low, high;
  m[axis] = 0;
  const double sine = length(m);
  if (sine < least_sine) return shower.furthest_point();
  low[axis] = -core.half[axis];
  high[axis] = core.half[axis];
  shower.line(low, high, m * (1 / sine), shower.own_n()[axis]);
}

/// The faces of a rounded box, with the ids of a box's mesh: bit k of a corner tells the end of axis k.
void show_box(const shape::Core& core, CurvedShower& shower) {
  int sides = 0, longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    sides += core.half[axis] > 0;
    if (core.half[axis] > core.half[longest]) longest = axis;
  }
  if (sides == 0) return shower.furthest_point();
  if (sides == 1) return show_box_line(core, longest, shower);
  for (int axis = 0; axis < 3; ++axis) {
    const double along = shower.own_n()[axis];
    if (std::fabs(along) <= least_sine) continue;
    shower.box_face(core.half, axis, along > 0);
  }
}

}  // namespace

void show_curved(const PlacedBody& body, const Vec3& n, std::vector<Facet>& out) {
  using Kind = shape::Core::Kind;
  const shape::Core& core = *body.data->core;
  CurvedShower shower(body, n, out);
  switch (core.kind) {
    case Kind::point:
    case Kind::ellipsoid: shower.furthest_point(); break;
    case Kind::segment: show_segment(core, shower); break;
    case Kind::cylinder: show_cylinder(core, shower); break;
    case Kind::cone: show_cone(core, shower); break;
    case Kind::box: show_box(core, shower); break;
    case Kind::points: {
      PlacedBody there = body;
      if (const auto& at = body.data->placed_at) {
        const Pose turn({}, at->rotation());
        const Vec3 x = body.turn(turn.apply({1, 0, 0})), y = body.turn(turn.apply({0, 1, 0})),
                   z = body.turn(turn.apply({0, 0, 1}));
        there.r = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
        there.t = body.place(at->translation());
      }
      const Mesh mesh = body::shape_mesh(shape::Shape(body.data->shape->kind));
      show_mesh(mesh, classify(mesh).volume_sign, core.radius, there, n, -math::infinity, out);
      break;
    }
  }
  std::erase_if(out, [](const Facet& f) {
    for (unsigned k = 0; k < f.count; ++k)
      if (!is_finite(f.corners[k].at)) return true;
    return false;
  });
  if (out.empty()) shower.furthest_point();
}

}  // namespace graze::engine::manifold
