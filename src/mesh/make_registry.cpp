// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

namespace graze::make {
namespace {

template <auto Make, class Options>
Mesh with_triangles(std::size_t triangles) {
  Options options;
  if (triangles != 0) options.triangles = triangles;
  return Make(options);
}

constexpr Shape all_shapes[] = {
    {"box", "axis-aligned box of quads", with_triangles<box, BoxOptions>, true},
    {"tetrahedron", "regular tetrahedron", with_triangles<tetrahedron, TetrahedronOptions>, true},
    {"sphere", "meridians and parallels, exactly convex", with_triangles<sphere, SphereOptions>, true},
    {"cylinder", "cylinder around the z axis", with_triangles<cylinder, CylinderOptions>, true},
    {"cone", "cone around the z axis", with_triangles<cone, ConeOptions>, true},
    {"torus", "torus around the z axis", with_triangles<torus, TorusOptions>, true},
    {"torus_knot", "tube along the (2,3) torus knot", with_triangles<torus_knot, TorusKnotOptions>, true},
    {"hyperboloid", "solid hyperboloid of one sheet", with_triangles<hyperboloid, HyperboloidOptions>, true},
    {"tetra_flake", "tetrahedron that grows tetrahedra", with_triangles<tetra_flake, TetraFlakeOptions>, true},
    {"cube_array", "separate cubes in a cubic grid", with_triangles<cube_array, CubeArrayOptions>, true},
    {"ring", "finger ring", with_triangles<ring, RingOptions>, true},
    {"cloth_sheet", "open flat sheet", with_triangles<cloth_sheet, ClothSheetOptions>, false},
    {"rolled_cloth", "open sheet, rolled up", with_triangles<rolled_cloth, RolledClothOptions>, false},
    {"shuttle", "space shuttle: fuselage, wings, fin", with_triangles<shuttle, ModelOptions>, true},
    {"chair", "chair with an open back", with_triangles<chair, ModelOptions>, true},
    {"head", "head on a neck", with_triangles<head, ModelOptions>, true},
    {"car_shell", "thin car body, open below", with_triangles<car_shell, ModelOptions>, true},
    {"door", "door with a window opening and knobs", with_triangles<door, ModelOptions>, true},
    {"bunny", "bunny-like blob", with_triangles<bunny, ModelOptions>, true},
    {"santa", "Santa-like blob", with_triangles<santa, ModelOptions>, true},
};

}  // namespace

std::span<const Shape> shapes() { return all_shapes; }

}  // namespace graze::make
