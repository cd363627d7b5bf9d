// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <set>

#include <graze/mesh/classify.hpp>

#include <gtest/gtest.h>

#include "math/predicates.hpp"
#include "mesh/make_parts.hpp"
#include "unit/mesh/test_help.hpp"

namespace {

using namespace mesh_test;
using graze::Classification;
namespace make = graze::make;

TEST(Make, TurnIsSymmetricAndAccurate) {
  for (std::uint64_t n : {1U, 2U, 3U, 5U, 8U, 12U, 24U, 360U, 100003U}) {
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(n, 400); ++k) {
      const auto u = graze::mesh::turn(k, n);
      const double angle = 6.283185307179586476925 * static_cast<double>(k) / static_cast<double>(n);
      EXPECT_NEAR(u.cos, std::cos(angle), 4e-16 * 4) << k << "/" << n;
      EXPECT_NEAR(u.sin, std::sin(angle), 4e-16 * 4) << k << "/" << n;
      const auto back = graze::mesh::turn(n - k, n), again = graze::mesh::turn(k + 5 * n, n);
      EXPECT_EQ(u.cos, back.cos);
      EXPECT_EQ(u.sin, -back.sin);
      EXPECT_EQ(u.cos, again.cos);
    }
  }
  EXPECT_EQ(graze::mesh::turn(1, 4).cos, 0);
  EXPECT_EQ(graze::mesh::turn(2, 4).cos, -1);
  EXPECT_FALSE(std::signbit(graze::mesh::turn(1, 2).sin));
  EXPECT_EQ(graze::mesh::turn(-0.25).sin, -1);
}

TEST(Make, EverySolidIsASolid) {
  for (const make::Shape& shape : make::shapes()) {
    for (std::size_t wanted : {0U, 1U, 50U, 1000U, 7000U}) {
      SCOPED_TRACE(std::string(shape.name) + " " + std::to_string(wanted));
      const Mesh mesh = shape.make(wanted);
      const Classification c = graze::classify(mesh);
      EXPECT_EQ(c.closed, shape.solid);
      EXPECT_TRUE(c.manifold && c.oriented && c.planar_polygons);
      EXPECT_EQ(c.volume_sign, shape.solid ? 1 : 0);
      EXPECT_TRUE(c.degenerate_triangles.empty());
      EXPECT_TRUE(c.duplicate_polygons.empty());
      EXPECT_TRUE(c.unused_vertices.empty());
      for (std::uint32_t p = 0; p < mesh.polygon_count(); ++p) ASSERT_FALSE(mesh.was_fanned(PolygonId{p}));
      if (wanted >= 1000 && shape.name != "cube_array") {
        const double ratio = static_cast<double>(mesh.triangle_count()) / static_cast<double>(wanted);
        EXPECT_GT(ratio, 0.55);
        EXPECT_LT(ratio, 1.6);
      }
    }
  }
}

TEST(Make, TopologyAndConvexity) {
  const std::set<std::string_view> genus_one{"torus", "torus_knot", "ring", "chair", "door"};
  const std::set<std::string_view> convex{"box", "tetrahedron", "sphere", "cylinder", "cone"};
  for (const make::Shape& shape : make::shapes()) {
    if (shape.name == "cube_array") continue;
    for (std::size_t wanted : {0U, 600U, 5000U}) {
      SCOPED_TRACE(std::string(shape.name) + " " + std::to_string(wanted));
      const Classification c = graze::classify(shape.make(wanted));
      EXPECT_EQ(c.component_count, 1U);
      EXPECT_EQ(c.euler_characteristic, !shape.solid ? 1 : genus_one.count(shape.name) != 0 ? 0 : 2);
      EXPECT_EQ(c.convex, convex.count(shape.name) != 0);
    }
  }
}

TEST(Make, NumbersOfThePapers) {
  for (std::size_t n : {2880U, 11520U, 34560U}) {
    EXPECT_EQ(make::torus_knot({.p = 2, .q = 3, .triangles = n}).triangle_count(), n);
  }
  EXPECT_EQ(make::torus_knot({.triangles = 34560}).vertex_count(), 480U * 36U);
  for (std::size_t n : {120U, 168U, 528U, 960U, 3968U}) EXPECT_EQ(make::sphere({.triangles = n}).triangle_count(), n);
  EXPECT_EQ(make::shuttle().triangle_count(), 528U);
  EXPECT_EQ(make::chair().triangle_count(), 146U);
  EXPECT_EQ(make::head().triangle_count(), 1816U);
  EXPECT_EQ(make::santa().triangle_count(), 37888U);
  EXPECT_EQ(make::ring().triangle_count(), 10000U);
  EXPECT_EQ(make::bunny().triangle_count(), 69620U);
  EXPECT_EQ(make::door().triangle_count(), 2560U);
  EXPECT_EQ(make::car_shell().triangle_count(), 4412U);
  EXPECT_EQ(make::tetra_flake({.levels = 2}).triangle_count(), 144U);
  EXPECT_EQ(make::cloth_sheet({.columns = 10, .rows = 20}).triangle_count(), 400U);
  EXPECT_EQ(make::rolled_cloth({.turns = 3, .along = 40, .rows = 5}).triangle_count(), 1200U);
}

TEST(Make, ExplicitDivisionsWin) {
  EXPECT_EQ(make::box({.divisions = 3}).polygon_count(), 54U);
  EXPECT_EQ(make::tetrahedron({.divisions = 3}).triangle_count(), 36U);
  EXPECT_EQ(make::sphere({.meridians = 7, .bands = 5}).triangle_count(), 56U);
  EXPECT_EQ(make::cylinder({.around = 7, .along = 3}).triangle_count(), 56U);
  EXPECT_EQ(make::cone({.around = 9}).triangle_count(), 18U);
  EXPECT_EQ(make::torus({.around = 9, .across = 4}).triangle_count(), 72U);
  EXPECT_EQ(make::cube_array({.count = 2}).triangle_count(), 96U);
  const Classification cubes = graze::classify(make::cube_array({.count = 2}));
  EXPECT_EQ(cubes.component_count, 8U);
  EXPECT_EQ(cubes.euler_characteristic, 16);
}

TEST(Make, SizesAreKept) {
  const Mesh box = make::box({.size = {1, 2, 3}, .divisions = 5});
  EXPECT_EQ(box.box().lo, (Vec3{-0.5, -1, -1.5}));
  EXPECT_EQ(box.box().hi, (Vec3{0.5, 1, 1.5}));
  EXPECT_EQ(make::sphere({.radius = 2.5}).box().hi.z, 2.5);
  EXPECT_EQ(make::bunny({.size = 4, .triangles = 500}).box().hi.y, 4 * make::bunny({.triangles = 500}).box().hi.y);
  EXPECT_EQ(make::chair({.size = 2}).box().hi.z, 1);
}

/// Squares of areas and tangents once overflowed: a vertex was NaN.
TEST(Make, FlakesAndKnotsOfAnySizeAreTheSameShape) {
  const auto flake = [](double s) { return make::tetra_flake({.size = s, .levels = 2}); };
  const auto knot = [](double s) { return make::torus_knot({.major = s, .minor = s * 0.375, .tube = s * 0.125}); };
  const graze::Mesh flake_of_one = flake(1), knot_of_one = knot(1);
  for (const int e : {-900, -600, 510, 990}) {
    const double s = std::ldexp(1.0, e);
    const graze::Mesh large_flake = flake(s), large_knot = knot(s);
    for (std::size_t i = 0; i < flake_of_one.vertex_count(); ++i)
      ASSERT_EQ(large_flake.positions()[i], flake_of_one.positions()[i] * s) << e;
    for (std::size_t i = 0; i < knot_of_one.vertex_count(); ++i)
      ASSERT_EQ(large_knot.positions()[i], knot_of_one.positions()[i] * s) << e;
  }
  EXPECT_NO_THROW(flake(0x1p-1070));
  EXPECT_NO_THROW(knot(0x1p-1070));
}

TEST(Make, RefusesNonsense) {
  const auto code = [](auto&& call) {
    try {
      call();
    } catch (const graze::Error& error) {
      return error.detail().code;
    }
    ADD_FAILURE() << "no error";
    return graze::ErrorCode::bad_file;
  };
  using graze::ErrorCode;
  EXPECT_EQ(code([] { make::box({.size = {1, -1, 1}}); }), ErrorCode::bad_option);
  EXPECT_EQ(code([] { make::sphere({.radius = std::numeric_limits<double>::quiet_NaN()}); }), ErrorCode::bad_option);
  EXPECT_EQ(code([] { make::torus({.major = 1, .minor = 2}); }), ErrorCode::bad_option);
  EXPECT_EQ(code([] { make::torus_knot({.p = 2, .q = 4}); }), ErrorCode::bad_option);
  EXPECT_EQ(code([] { make::sphere({.meridians = 2}); }), ErrorCode::bad_option);
  EXPECT_EQ(code([] { make::cube_array({.fill = 1}); }), ErrorCode::bad_option);
  for (const make::Shape& shape : make::shapes()) {
    SCOPED_TRACE(shape.name);
    EXPECT_EQ(code([&] { shape.make(std::numeric_limits<std::size_t>::max()); }), ErrorCode::too_large);
  }
}

TEST(Make, RegistryIsComplete) {
  std::set<std::string_view> names;
  for (const make::Shape& shape : make::shapes()) {
    EXPECT_TRUE(names.insert(shape.name).second);
    EXPECT_FALSE(shape.summary.empty());
  }
  EXPECT_EQ(names.size(), 20U);
}

bool edge_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  using graze::math::orient3d;
  if (orient3d(a, b, c, p) * orient3d(a, b, c, q) >= 0) return false;
  const int u = orient3d(p, q, a, b), v = orient3d(p, q, b, c), w = orient3d(p, q, c, a);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/// Does an edge of t cross the inside or border of u, with which it shares no vertex?
bool crosses(const Mesh& mesh, const graze::Triangle& t, const graze::Triangle& u) {
  const auto p = mesh.positions();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t from = t[k], to = t[(k + 1) % 3];
    if (std::count(u.begin(), u.end(), from) + std::count(u.begin(), u.end(), to) != 0) continue;
    if (edge_meets_triangle(p[from], p[to], p[u[0]], p[u[1]], p[u[2]])) return true;
  }
  return false;
}

TEST(Make, NothingCrossesItself) {
  for (const make::Shape& shape : make::shapes()) {
    for (std::size_t wanted : {1U, 500U}) {
      const Mesh mesh = shape.make(wanted);
      std::size_t crossings = 0;
      for (const graze::Triangle& t : mesh.triangles()) {
        for (const graze::Triangle& u : mesh.triangles()) crossings += crosses(mesh, t, u);
      }
      EXPECT_EQ(crossings, 0U) << shape.name << " " << mesh.triangle_count();
    }
  }
}

/// The bits of all positions, so that a processor or compiler that rounds differently is noticed.
std::uint64_t fingerprint(const Mesh& mesh) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const Vec3& p : mesh.positions()) {
    for (double x : {p.x, p.y, p.z}) h = (h ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001B3;
  }
  return h;
}

TEST(Make, FlakesAndKnotsAreTheSameAtEveryScale) {
  const auto knot = [](double s) {
    return make::torus_knot({.triangles = 400, .major = s, .minor = 0.375 * s, .tube = 0.125 * s});
  };
  const auto flake = [](double s) { return make::tetra_flake({.size = s, .levels = 2}); };
  for (const int e : {-990, -600, -300, 300, 600, 990}) {
    const double s = std::ldexp(1.0, e);
    for (const auto& [mesh, unit] : {std::pair(knot(s), knot(1)), std::pair(flake(s), flake(1))})
      for (std::size_t v = 0; v < unit.positions().size(); ++v)
        ASSERT_EQ(mesh.positions()[v], unit.positions()[v] * s) << "2^" << e;
  }
}

TEST(Make, TheSameBitsInAnyRoundingMode) {
  for (const make::Shape& shape : make::shapes()) {
    const std::uint64_t expected = fingerprint(shape.make(400));
    std::fesetround(FE_UPWARD);
    const std::uint64_t upward = fingerprint(shape.make(400));
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(upward, expected) << shape.name;
  }
}

}  // namespace
