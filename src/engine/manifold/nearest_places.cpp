// SPDX-License-Identifier: MIT
#include "engine/manifold/nearest_places.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/limits.hpp"
#include "engine/manifold/box_pairs.hpp"
#include "shape/gap.hpp"
#include "shape/placed_core.hpp"

namespace graze::engine::manifold {

namespace {

/// One body as a list of convex parts: triangles, or the core of a curved shape as the only part.
struct Parts {
  explicit Parts(const PlacedBody& placed) : body(placed) {
    const body::BodyData& data = *placed.data;
    if (data.is_curved()) {
      core.emplace(*data.core);
      core->scale(-placed.exponent);
      radius = core->radius;
      boxes.push_back(box_of(data.box()));
      numbers.push_back(0);
      return;
    }
    for (std::uint32_t t = 0; t < data.mesh.triangle_count(); ++t) {
      Box3 box;
      for (std::size_t k = 0; k < 3; ++k) box.add(placed.place(data.corner(t, k)));
      boxes.push_back(box);
      numbers.push_back(t);
    }
  }

  Box3 box_of(const Box3& own) const {
    Box3 box;
    for (unsigned i = 0; i < 8; ++i)
      box.add(body.place({i & 1 ? own.hi.x : own.lo.x, i & 2 ? own.hi.y : own.lo.y, i & 4 ? own.hi.z : own.lo.z}));
    return box;
  }
  Box3 whole() const {
    Box3 box;
    for (const Box3& b : boxes) box.add(b);
    return box;
  }
  void keep_near(const Box3& other) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (boxes[i].overlaps(other)) {
        boxes[out] = boxes[i];
        numbers[out++] = numbers[i];
      }
    boxes.resize(out);
    numbers.resize(out);
  }
  shape::TriangleCore triangle(std::uint32_t t) const {
    const body::BodyData& data = *body.data;
    return {{body.place(data.corner(t, 0)), body.place(data.corner(t, 1)), body.place(data.corner(t, 2))}};
  }

  /// Does the surface around this point of a triangle go nowhere beyond the plane through the point with this normal?
  bool is_furthest(std::uint32_t t, const Vec3& point, const Vec3& n) const {
    if (core) return true;
    const body::BodyData& data = *body.data;
    const shape::TriangleCore corners = triangle(t);
    double w[3];
    shape::nearest_on_triangle(corners.corners[0] - point, corners.corners[1] - point, corners.corners[2] - point, w);
    std::array<std::uint32_t, 3> used{};  // the corners of the feature that holds the point
    std::size_t count = 0;
    for (std::size_t k = 0; k < 3; ++k)
      if (w[k] > 1e-7) used[count++] = data.mesh.triangles()[t][k];
    if (count == 3 || count == 0) return faces(t, n);
    bool any_faces = false;
    for (const std::uint32_t other : data.vertex_triangles().of(used[0])) {
      const Triangle& around = data.mesh.triangles()[other];
      if (count == 2 && std::find(around.begin(), around.end(), used[1]) == around.end()) continue;
      any_faces = any_faces || faces(other, n);
      for (const std::uint32_t v : around) {
        const Vec3 d = body.place(data.mesh.positions()[v]) - point;
        if (dot(n, d) > 1e-6 * length(d) + 0x1p-44) return false;
      }
    }
    return any_faces;
  }

  /// Is n on the outer side of the triangle? An open surface has two outer sides.
  bool faces(std::uint32_t t, const Vec3& n) const {
    const int sign = body.data->classification().volume_sign;
    if (sign == 0) return true;
    const std::array<Vec3, 3> x = triangle(t).corners;
    return dot(cross(math::of_size_one(x[1] - x[0]), math::of_size_one(x[2] - x[0])), n) * sign > 0;
  }

  const PlacedBody& body;
  std::optional<shape::Core> core;
  double radius = 0;
  std::vector<Box3> boxes;
  std::vector<std::uint32_t> numbers;
};

Box3 grown(Box3 box, double by) {
  box.lo = box.lo - Vec3{by, by, by};
  box.hi = box.hi + Vec3{by, by, by};
  return box;
}

}  // namespace

std::vector<NearPlace> near_places(const PlacedPair& pair, double above) {
  Parts a(pair.a), b(pair.b);
  const double grow = pair.margin + 0x1p-40;
  a.keep_near(grown(b.whole(), grow));
  b.keep_near(grown(a.whole(), grow));
  for (Box3& box : b.boxes) box = grown(box, grow);
  std::vector<NearPlace> out;
  core::Poll poll;
  const double radius = a.radius + b.radius;
  for_overlapping(a.boxes, b.boxes, [&](std::uint32_t i, std::uint32_t j) {
    poll.rarely();
    NearPlace place;
    place.triangle_a = a.numbers[i];
    place.triangle_b = b.numbers[j];
    const auto look = [&](const auto& part_a, const auto& part_b) {
      const shape::Gap gap = shape::find_gap(part_a, part_b, Vec3{}, radius + pair.margin, -1, 0);
      place.gap = gap.overlap ? -1 : gap.lower - radius;
      place.normal = gap.normal;
      place.a = gap.simplex.point_a() + gap.normal * a.radius;
      place.b = gap.simplex.point_b() - gap.normal * b.radius;
    };
    if (a.core && b.core)
      look(shape::PlacedCore{&*a.core, pair.a.r, pair.a.t}, shape::PlacedCore{&*b.core, pair.b.r, pair.b.t});
    else if (a.core)
      look(shape::PlacedCore{&*a.core, pair.a.r, pair.a.t}, b.triangle(place.triangle_b));
    else if (b.core)
      look(a.triangle(place.triangle_a), shape::PlacedCore{&*b.core, pair.b.r, pair.b.t});
    else
      look(a.triangle(place.triangle_a), b.triangle(place.triangle_b));
    if (!(place.gap > above && place.gap <= pair.margin)) return;
    if (!a.is_furthest(place.triangle_a, place.a, place.normal)) return;
    if (!b.is_furthest(place.triangle_b, place.b, -place.normal)) return;
    out.push_back(place);
  });
  std::sort(out.begin(), out.end(), [](const NearPlace& x, const NearPlace& y) {
    return std::tie(x.gap, x.triangle_a, x.triangle_b) < std::tie(y.gap, y.triangle_a, y.triangle_b);
  });
  return out;
}

}  // namespace graze::engine::manifold
