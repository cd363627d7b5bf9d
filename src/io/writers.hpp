// SPDX-License-Identifier: MIT
#pragma once

#include <graze/io/mesh_file.hpp>

#include "io/output_file.hpp"

namespace graze::io {

void write_obj(const Mesh& mesh, OutputFile& out);
void write_off(const Mesh& mesh, OutputFile& out);
void write_ply(const Mesh& mesh, OutputFile& out, SaveOptions::Encoding encoding);
/// STL supports only triangles: polygons are written as the triangles they were split into.
void write_stl(const Mesh& mesh, OutputFile& out, SaveOptions::Encoding encoding);

}  // namespace graze::io
