// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::bench {

struct NamedMesh {
  std::string name;
  Mesh mesh;
};

/// Largest side 1, centred at the origin.
Mesh normalised(const Mesh& mesh);

/// The bunny of npm's `stl-models`, welded, from a folder below `data`; if it is missing, a blob of the same size, with
/// a name that indicates this. Normalised, as are all meshes here.
NamedMesh bunny(const std::filesystem::path& data);

/// (2,3) torus knots of 2,880, 11,520 and 34,560 triangles.
std::vector<NamedMesh> knots();

/// A torus knot of any size.
NamedMesh knot(std::size_t triangles);

/// A board of 3 x 3 x 0.01, 12 triangles.
NamedMesh board();

/// A body of `make::shapes()`, by name, with about this many triangles, normalised.
NamedMesh shape(std::string_view name, std::size_t triangles);

/// A body of 871 K triangles, the size of the largest mesh people commonly test with.
NamedMesh huge();

/// The bodies on which the methods are compared: sphere, torus, tetra-flake, box, in three sizes each.
std::vector<NamedMesh> method_bodies();

/// The box [-1/2, 1/2]^3, 12 triangles: stacked at integer positions, walls coincide exactly.
Mesh unit_box();
/// nx x ny unit boxes side by side as one mesh, their walls coinciding exactly.
Mesh box_slab(int nx, int ny);

}  // namespace graze::bench
