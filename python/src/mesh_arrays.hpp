// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <graze/mesh/mesh.hpp>

namespace graze_python {

/// N x 3 numbers, as the engine stores them: one copy, whatever their type.
std::vector<graze::Vec3> positions(py::handle values);
/// A row of corners for each polygon (M x 3, M x 4, ...), or a list of lists; every type of whole numbers.
graze::Mesh mesh_of(py::handle vertices, py::handle faces);
/// Whatever has vertices and faces.
graze::Mesh mesh_of(py::handle object);

}  // namespace graze_python
