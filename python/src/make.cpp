// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

#include "convert.hpp"
#include "module.hpp"

namespace graze_python {

namespace make = graze::make;

void bind_make(py::module_& package) {
  py::module_ m = package.def_submodule("make", "Meshes at any resolution, for tests and demonstrations.");
  m.attr("__module__") = "graze.make";
  m.def(
      "box",
      [](const Vec3Arg& size, std::size_t triangles, std::uint32_t divisions) {
        return make::box({size.v, triangles, divisions});
      },
      py::kw_only(), py::arg("size") = py::make_tuple(1.0, 1.0, 1.0), py::arg("triangles") = 12,
      py::arg("divisions") = 0, "An axis-aligned box of quads.");
  m.def(
      "tetrahedron",
      [](double size, std::size_t triangles, std::uint32_t divisions) {
        return make::tetrahedron({size, triangles, divisions});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 4, py::arg("divisions") = 0,
      "A regular tetrahedron in a cube of the given size. Its faces stay exactly planar when divided; for this, the "
      "size is rounded to 24 bits where the division is not exact.");
  m.def(
      "sphere",
      [](double radius, std::size_t triangles, std::uint32_t meridians, std::uint32_t bands) {
        return make::sphere({radius, triangles, meridians, bands});
      },
      py::kw_only(), py::arg("radius") = 1.0, py::arg("triangles") = 960, py::arg("meridians") = 0,
      py::arg("bands") = 0,
      "Meridians and parallels, exactly convex: 168, 528, 960, 3968, ... triangles as in Kitamura's experiments.");
  m.def(
      "cylinder",
      [](double radius, double height, std::size_t triangles, std::uint32_t around, std::uint32_t along) {
        return make::cylinder({radius, height, triangles, around, along});
      },
      py::kw_only(), py::arg("radius") = 0.5, py::arg("height") = 1.0, py::arg("triangles") = 512,
      py::arg("around") = 0, py::arg("along") = 0, "Around the z axis, exactly convex.");
  m.def(
      "cone",
      [](double radius, double height, std::size_t triangles, std::uint32_t around) {
        return make::cone({radius, height, triangles, around});
      },
      py::kw_only(), py::arg("radius") = 0.5, py::arg("height") = 1.0, py::arg("triangles") = 128,
      py::arg("around") = 0, "Around the z axis, with the tip up, exactly convex.");
  m.def(
      "torus",
      [](double major, double minor, std::size_t triangles, std::uint32_t around, std::uint32_t across) {
        return make::torus({major, minor, triangles, around, across});
      },
      py::kw_only(), py::arg("major") = 1.0, py::arg("minor") = 0.4, py::arg("triangles") = 2304, py::arg("around") = 0,
      py::arg("across") = 0, "Around the z axis; `major` is the radius of the centre line, `minor` that of the tube.");
  m.def(
      "torus_knot",
      [](std::uint32_t p, std::uint32_t q, std::size_t triangles, double major, double minor, double tube,
         std::uint32_t along, std::uint32_t across) {
        return make::torus_knot({p, q, triangles, major, minor, tube, along, across});
      },
      py::kw_only(), py::arg("p") = 2, py::arg("q") = 3, py::arg("triangles") = 11520, py::arg("major") = 1.0,
      py::arg("minor") = 0.4, py::arg("tube") = 0.15, py::arg("along") = 0, py::arg("across") = 0,
      "A tube along the (p, q) torus knot, which winds p times around the z axis and q times through the torus: "
      "120x12, 240x24 and 480x36 quads, halved, are the 2880, 11520 and 34560 triangles of FAST. p and q must be "
      "coprime.");
  m.def(
      "hyperboloid",
      [](double waist, double radius, double height, std::size_t triangles, std::uint32_t around, std::uint32_t along) {
        return make::hyperboloid({waist, radius, height, triangles, around, along});
      },
      py::kw_only(), py::arg("waist") = 0.25, py::arg("radius") = 0.5, py::arg("height") = 1.0,
      py::arg("triangles") = 1024, py::arg("around") = 0, py::arg("along") = 0,
      "A solid hyperboloid of one sheet around the z axis, flat at both ends.");
  m.def(
      "tetra_flake",
      [](double size, std::size_t triangles, int levels, std::uint32_t divisions) {
        return make::tetra_flake({size, triangles, levels, divisions});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 144, py::arg("levels") = -1,
      py::arg("divisions") = 0,
      "A tetrahedron with smaller tetrahedra attached to the middle of its faces, recursively: 4 * 6^levels triangles, "
      "each then divided evenly if `divisions` or the target asks for it. Concave in every corner.");
  m.def(
      "cube_array",
      [](double size, double fill, std::size_t triangles, std::uint32_t count) {
        return make::cube_array({size, fill, triangles, count});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("fill") = 0.5, py::arg("triangles") = 324, py::arg("count") = 0,
      "count^3 separate cubes (each a component of 6 quads) in a cube of the given size; `fill` is a cube's side as a "
      "fraction of its cell's side.");
  m.def(
      "ring",
      [](double radius, double thickness, double width, std::size_t triangles, std::uint32_t around,
         std::uint32_t across) {
        return make::ring({radius, thickness, width, triangles, around, across});
      },
      py::kw_only(), py::arg("radius") = 0.5, py::arg("thickness") = 0.06, py::arg("width") = 0.25,
      py::arg("triangles") = 10000, py::arg("around") = 0, py::arg("across") = 0,
      "A finger ring around the z axis: a flat tube.");
  m.def(
      "cloth_sheet",
      [](double width, double height, std::size_t triangles, std::uint32_t columns, std::uint32_t rows) {
        return make::cloth_sheet({width, height, triangles, columns, rows});
      },
      py::kw_only(), py::arg("width") = 1.0, py::arg("height") = 1.0, py::arg("triangles") = 20000,
      py::arg("columns") = 0, py::arg("rows") = 0, "An open, flat sheet in the xy plane.");
  m.def(
      "rolled_cloth",
      [](double radius, double gap, double width, std::uint32_t turns, std::size_t triangles, std::uint32_t along,
         std::uint32_t rows) {
        return make::rolled_cloth({radius, gap, width, turns, triangles, along, rows});
      },
      py::kw_only(), py::arg("radius") = 0.1, py::arg("gap") = 0.02, py::arg("width") = 1.0, py::arg("turns") = 6,
      py::arg("triangles") = 20000, py::arg("along") = 0, py::arg("rows") = 0,
      "An open sheet rolled up around the z axis; neighbouring layers are `gap` apart and never meet.");
  m.def(
      "shuttle",
      [](double size, std::size_t triangles) {
        return make::shuttle({size, triangles});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 0,
      "Fuselage, delta wings and tail fin in one surface; default 528 triangles, as in Kitamura.");
  m.def(
      "chair",
      [](double size, std::size_t triangles) {
        return make::chair({size, triangles});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 0,
      "Four legs, seat with a dent, back with an opening, merged into one surface of genus 1; default 146 triangles, "
      "as in Kitamura.");
  m.def(
      "head",
      [](double size, std::size_t triangles) {
        return make::head({size, triangles});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 0,
      "A head with nose, eye sockets and chin on a neck, flat below and on top; default 1816 triangles, as in "
      "Kitamura. The ends are two polygons.");
  m.def(
      "car_shell",
      [](double size, std::size_t triangles) {
        return make::car_shell({size, triangles});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 0,
      "A thin sheet-metal car body, open below, closed as a surface; default 4412 triangles.");
  m.def(
      "door",
      [](double size, std::size_t triangles) {
        return make::door({size, triangles});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 0,
      "A door with a window opening (genus 1) and a knob on each side, of quads; default 2560 triangles.");
  m.def(
      "bunny",
      [](double size, std::size_t triangles) {
        return make::bunny({size, triangles});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 0,
      "A sitting blob with head, two ears, paws and tail; default 69,620 triangles (the scanned bunny has 69,451).");
  m.def(
      "santa",
      [](double size, std::size_t triangles) {
        return make::santa({size, triangles});
      },
      py::kw_only(), py::arg("size") = 1.0, py::arg("triangles") = 0,
      "A standing blob with cap, beard, belt, arms, sack and boots; default 37,888 triangles, as in FAST.");
}

}  // namespace graze_python
