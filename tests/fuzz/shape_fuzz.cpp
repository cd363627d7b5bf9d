// SPDX-License-Identifier: MIT
// Shapes, compounds and height fields made from the input's bytes. Pairs of shapes are compared with support functions
// in long double (oracle/shape_checks.hpp), in both orders and at another scale; compounds and height fields with the
// same question about each pair of their parts; proofs with the independent checker.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/height_field.hpp>

#include "fuzz/fuzz_input.hpp"
#include "oracle/shape_checks.hpp"

namespace {

using namespace graze;
using fuzz::require;

/// Small multiples of a quarter, which give exact contacts; sometimes any double.
double number(fuzz::Bytes& in) {
  const std::uint8_t b = in.byte();
  return b != 255 ? 0.25 * fuzz::small_whole(b, 12) : in.any_double();
}
using Input = fuzz::Numbers<number>;

double length_from(Input& in) { return std::fabs(in.number()); }

shape::Shape any_shape(Input& in) {
  const std::uint8_t kind = in.byte();
  const auto made = [&]() -> shape::Shape {
    const double x = length_from(in), y = length_from(in), z = length_from(in);
    switch (kind % 7) {
      case 0: return shape::Sphere{x};
      case 1: return shape::Capsule{x, y};
      case 2: return shape::Box{{x, y, z}};
      case 3: return shape::Cylinder{x, y};
      case 4: return shape::Cone{x, y};
      case 5: return shape::Ellipsoid{{x, y, z}};
      default: {
        shape::Hull hull;
        const int points = 1 + in.byte() % 8;
        for (int i = 0; i < points; ++i) hull.points.push_back(in.vector());
        return hull;
      }
    }
  };
  shape::Shape shape = made();
  if (kind >= 128) shape.rounding = length_from(in);
  return shape;
}

Pose any_pose(Input& in) {
  const Vec3 t = in.vector();
  const double w = in.number(), x = in.number(), y = in.number(), z = in.number();
  return Pose(t, {w, x, y, z});
}

void require_none(const std::string& problem) {
  if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
  require(problem.empty());
}

Pose scaled_pose(const Pose& p, double s) { return Pose(p.translation() * s, p.rotation()); }

struct ScaleKind {
  double s;
  shape::Kind operator()(const shape::Sphere& x) const { return shape::Sphere{x.radius * s}; }
  shape::Kind operator()(const shape::Capsule& x) const { return shape::Capsule{x.radius * s, x.length * s}; }
  shape::Kind operator()(const shape::Box& x) const { return shape::Box{x.sides * s}; }
  shape::Kind operator()(const shape::Cylinder& x) const { return shape::Cylinder{x.radius * s, x.height * s}; }
  shape::Kind operator()(const shape::Cone& x) const { return shape::Cone{x.radius * s, x.height * s}; }
  shape::Kind operator()(const shape::Ellipsoid& x) const { return shape::Ellipsoid{x.half_axes * s}; }
  shape::Kind operator()(const shape::HalfSpace& x) const { return x; }
  shape::Kind operator()(const shape::Hull& x) const {
    shape::Hull out = x;
    for (Vec3& p : out.points) p = p * s;
    return out;
  }
};

/// Neither so large nor so small that a power of two would round.
bool usual(double x) { return x == 0 || (std::fabs(x) > 1e-60 && std::fabs(x) < 1e60); }
bool usual(const shape::Shape& shape) {
  const Box3 box = shape::bounds(shape);
  for (int k = 0; k < 3; ++k)
    if (!usual(box.lo[k]) || !usual(box.hi[k])) return false;
  return usual(shape.rounding);
}
bool usual(const Pose& p) { return usual(p.translation().x) && usual(p.translation().y) && usual(p.translation().z); }

/// The same answer at another scale.
void check_scale(const shape::Shape& a, const Pose& pa, const shape::Shape& b, const Pose& pb, int exponent) {
  if (!usual(a) || !usual(b) || !usual(pa) || !usual(pb)) return;
  const double s = std::ldexp(1.0, exponent);
  const Body other_a(shape::Shape(std::visit(ScaleKind{s}, a.kind), a.rounding * s));
  const Body other_b(shape::Shape(std::visit(ScaleKind{s}, b.kind), b.rounding * s));
  const DistanceResult d = distance(Body(a), pa, Body(b), pb);
  const DistanceResult e = distance(other_a, scaled_pose(pa, s), other_b, scaled_pose(pb, s));
  require(d.status == e.status && d.certain == e.certain &&
          std::fabs(d.distance * s - e.distance) <= 1e-9 * e.distance);
}

/// Contact if any pair of parts is; the distance is the least.
void check_parts(const Body& whole, const std::vector<Body>& parts, const Pose& pose, const Body& other,
                 const Pose& pose_other) {
  const CollideResult hit = collide(whole, pose, other, pose_other);
  const DistanceResult d = distance(whole, pose, other, pose_other);
  bool contact = false, certain = true;
  double least = INFINITY;
  for (const Body& part : parts) {
    const CollideResult h = collide(part, pose, other, pose_other);
    contact |= h.status == Status::contact;
    certain &= h.certain;
    least = std::min(least, distance(part, pose, other, pose_other).distance);
  }
  if (certain && hit.certain) require((hit.status == Status::contact) == contact);
  require(hit.status == d.status || !hit.certain || !d.certain);
  // Where the search starts decides within the rounding bound, and distances are to 1e-9 of themselves.
  const Box3 &x = whole.box(), &y = other.box();
  const double size = length(x.hi - x.lo) + length(x.lo) + length(y.hi - y.lo) + length(y.lo) +
                      length(pose.translation() - pose_other.translation());
  if (size < 1e150) require(std::fabs(d.distance - least) <= 0x1p-33 * size + 1e-8 * least);
}

void check_compound(Input& in, const shape::Shape& a, const shape::Shape& b, const Pose& pa, const Pose& pb) {
  const Body other(b);
  const Body whole = compound({{Body(a), any_pose(in)}, {other, any_pose(in)}, {Body(a), Pose(in.vector())}});
  std::vector<Body> parts;
  for (std::uint32_t i = 0; i < 3; ++i) parts.push_back(whole.piece(PieceId{i}));
  check_parts(whole, parts, pa, other, pb);
  int proofs = 0;
  const Motion straight = Velocity(pa, Pose(pa.translation() + in.vector(), pa.rotation()));
  require_none(oracle::problem_of_flight(whole, straight, other, Still{pb}, 0, proofs));
}

void check_heights(Input& in, const shape::Shape& a, const Pose& pa) {
  HeightField field;
  field.columns = 2 + in.byte() % 3;
  field.rows = 2 + in.byte() % 3;
  for (std::size_t i = 0; i < field.columns * field.rows; ++i) {
    const std::uint8_t b = in.byte();
    field.heights.push_back(b == 254 ? std::nan("") : 0.25 * fuzz::small_whole(b, 12));
  }
  const Mesh ground = height_mesh(field);
  std::vector<Body> parts;
  for (const Triangle& t : ground.triangles()) {
    const auto p = ground.positions();
    parts.emplace_back(Mesh({p[t[0]], p[t[1]], p[t[2]]}, std::array<Triangle, 1>{{{0, 1, 2}}}));
  }
  check_parts(Body(ground), parts, Pose(), Body(a), pa);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  try {
    const shape::Shape a = any_shape(in), b = any_shape(in);
    shape::check(a);
    shape::check(b);
    const Pose pa = any_pose(in), pb = any_pose(in);
    require_none(oracle::problem_of_shapes(a, pa, b, pb));
    check_scale(a, pa, b, pb, in.byte() % 200 - 100);
    int proofs = 0;
    const Motion flight = Velocity(pa, any_pose(in));
    const double separation = in.byte() % 4 == 0 ? length_from(in) : 0;
    require_none(oracle::problem_of_flight(Body(a), flight, Body(b), Still{pb}, separation, proofs));
    check_compound(in, a, b, pa, pb);
    check_heights(in, a, pa);
  } catch (const Error&) {  // the bytes do not give valid shapes or poses
  }
  return 0;
}
