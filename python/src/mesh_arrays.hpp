// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <graze/mesh/mesh.hpp>

namespace graze_python {

/// Whether a mesh may use the memory of an array.
enum class Copy {
  if_needed,  ///< used where it has the engine's layout and nobody can write to it, otherwise copied
  never,      ///< refused if it has not the engine's layout; the array is made read-only
  always
};
/// None, False, True.
Copy copy_of(py::handle given);

/// N x 3 numbers, as the engine stores them: one copy, whatever their type.
std::vector<graze::Vec3> positions(py::handle values);
/// A row of corners for each polygon (M x 3, M x 4, ...), or a list of lists; every type of whole numbers.
graze::Mesh mesh_of(py::handle vertices, py::handle faces, Copy copy = Copy::if_needed);
/// Whatever has vertices and faces.
graze::Mesh mesh_of(py::handle object, Copy copy = Copy::if_needed);

}  // namespace graze_python
