// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

/// Shapes at any resolution, for tests, demonstrations and measurements.
///
/// `triangles` is a target: the shape has the nearest number that its regular grid allows, and never fewer than its
/// coarsest form. Explicit divisions (not 0) take precedence. The same request gives bitwise identical results on every
/// processor. Solids are closed, manifold and face outward, connected unless stated otherwise; they are centred near
/// the origin. Throws `Error`: bad_option for a size that is not finite and positive, or numbers that contradict each
/// other; too_large for more triangles than can be counted.
namespace graze::make {

/// An axis-aligned box of quads.
struct BoxOptions {
  Vec3 size{1, 1, 1};
  std::size_t triangles = 12;
  std::uint32_t divisions = 0;  ///< quads along each edge
};
GRAZE_API Mesh box(const BoxOptions& options = {});

/// A regular tetrahedron in a cube of the given size. Its faces stay exactly planar when divided; for this, the size is
/// rounded to 24 bits where the division is not exact.
struct TetrahedronOptions {
  double size = 1;
  std::size_t triangles = 4;
  std::uint32_t divisions = 0;  ///< triangles along each edge
};
GRAZE_API Mesh tetrahedron(const TetrahedronOptions& options = {});

/// Meridians and parallels, exactly convex: 168, 528, 960, 3968, ... triangles as in Kitamura's experiments.
struct SphereOptions {
  double radius = 1;
  std::size_t triangles = 960;
  std::uint32_t meridians = 0;  ///< at least 3
  std::uint32_t bands = 0;      ///< from pole to pole, at least 2
};
GRAZE_API Mesh sphere(const SphereOptions& options = {});

/// Around the z axis, exactly convex.
struct CylinderOptions {
  double radius = 0.5, height = 1;
  std::size_t triangles = 512;
  std::uint32_t around = 0, along = 0;
};
GRAZE_API Mesh cylinder(const CylinderOptions& options = {});

/// Around the z axis, with the tip up, exactly convex.
struct ConeOptions {
  double radius = 0.5, height = 1;
  std::size_t triangles = 128;
  std::uint32_t around = 0;
};
GRAZE_API Mesh cone(const ConeOptions& options = {});

/// Around the z axis; `major` is the radius of the centre line, `minor` that of the tube.
struct TorusOptions {
  double major = 1, minor = 0.4;
  std::size_t triangles = 2304;
  std::uint32_t around = 0, across = 0;
};
GRAZE_API Mesh torus(const TorusOptions& options = {});

/// A tube along the (p, q) torus knot, which winds p times around the z axis and q times through the torus: 120x12,
/// 240x24 and 480x36 quads, halved, are the 2880, 11520 and 34560 triangles of FAST. p and q must be coprime.
struct TorusKnotOptions {
  std::uint32_t p = 2, q = 3;
  std::size_t triangles = 11520;
  double major = 1, minor = 0.4, tube = 0.15;
  std::uint32_t along = 0, across = 0;
};
GRAZE_API Mesh torus_knot(const TorusKnotOptions& options = {});

/// A solid hyperboloid of one sheet around the z axis, flat at both ends.
struct HyperboloidOptions {
  double waist = 0.25, radius = 0.5, height = 1;
  std::size_t triangles = 1024;
  std::uint32_t around = 0, along = 0;
};
GRAZE_API Mesh hyperboloid(const HyperboloidOptions& options = {});

/// A tetrahedron with smaller tetrahedra attached to the middle of its faces, recursively: 4 * 6^levels triangles, each
/// then divided evenly if `divisions` or the target asks for it. Concave in every corner.
struct TetraFlakeOptions {
  double size = 1;
  std::size_t triangles = 144;
  int levels = -1;
  std::uint32_t divisions = 0;
};
GRAZE_API Mesh tetra_flake(const TetraFlakeOptions& options = {});

/// count^3 separate cubes (each a component of 6 quads) in a cube of the given size; `fill` is a cube's side as a
/// fraction of its cell's side.
struct CubeArrayOptions {
  double size = 1, fill = 0.5;
  std::size_t triangles = 324;
  std::uint32_t count = 0;
};
GRAZE_API Mesh cube_array(const CubeArrayOptions& options = {});

/// A finger ring around the z axis: a flat tube.
struct RingOptions {
  double radius = 0.5, thickness = 0.06, width = 0.25;
  std::size_t triangles = 10000;
  std::uint32_t around = 0, across = 0;
};
GRAZE_API Mesh ring(const RingOptions& options = {});

/// An open, flat sheet in the xy plane.
struct ClothSheetOptions {
  double width = 1, height = 1;
  std::size_t triangles = 20000;
  std::uint32_t columns = 0, rows = 0;
};
GRAZE_API Mesh cloth_sheet(const ClothSheetOptions& options = {});

/// An open sheet rolled up around the z axis; neighbouring layers are `gap` apart and never meet.
struct RolledClothOptions {
  double radius = 0.1, gap = 0.02, width = 1;
  std::uint32_t turns = 6;
  std::size_t triangles = 20000;
  std::uint32_t along = 0;  ///< divisions per turn
  std::uint32_t rows = 0;
};
GRAZE_API Mesh rolled_cloth(const RolledClothOptions& options = {});

/// For the bodies below: the approximate overall length, and the resolution.
struct ModelOptions {
  double size = 1;
  std::size_t triangles = 0;  ///< 0: the body's own default
};

/// Fuselage, delta wings and tail fin in one surface; default 528 triangles, as in Kitamura.
GRAZE_API Mesh shuttle(const ModelOptions& options = {});
/// Four legs, seat with a dent, back with an opening, merged into one surface of genus 1; default 146 triangles, as in
/// Kitamura.
GRAZE_API Mesh chair(const ModelOptions& options = {});
/// A head with nose, eye sockets and chin on a neck, flat below and on top; default 1816 triangles, as in Kitamura. The
/// ends are two polygons.
GRAZE_API Mesh head(const ModelOptions& options = {});
/// A thin sheet-metal car body, open below, closed as a surface; default 4412 triangles.
GRAZE_API Mesh car_shell(const ModelOptions& options = {});
/// A door with a window opening (genus 1) and a knob on each side, of quads; default 2560 triangles.
GRAZE_API Mesh door(const ModelOptions& options = {});
/// A sitting blob with head, two ears, paws and tail; default 69,620 triangles (the scanned bunny has 69,451).
GRAZE_API Mesh bunny(const ModelOptions& options = {});
/// A standing blob with cap, beard, belt, arms, sack and boots; default 37,888 triangles, as in FAST.
GRAZE_API Mesh santa(const ModelOptions& options = {});

/// One entry for each shape above; the command line and the tests use this list.
struct Shape {
  std::string_view name;
  std::string_view summary;
  Mesh (*make)(std::size_t triangles);  ///< 0: the shape's default
  bool solid;                           ///< closed, manifold, facing outward
};
GRAZE_API std::span<const Shape> shapes();

}  // namespace graze::make
