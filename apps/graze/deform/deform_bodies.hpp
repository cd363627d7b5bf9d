// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::app {

/// One frame of `deform`: a mesh file, or several joined by '+', whose vertices and polygons are numbered
/// consecutively.
struct Frame {
  Mesh mesh;
  std::vector<std::uint32_t> file_of_polygon;
  std::uint32_t files = 1;
};
Frame load_frame(const std::string& name);

/// The body of each polygon, and of each vertex that a polygon uses.
struct BodySplit {
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> of_polygon, of_vertex;
  std::uint32_t count = 0;
  bool components = false;  ///< the bodies are the connected components
};

/// `bodies`: empty (each file of a frame is a body; with one file, each connected component), the first polygons of all
/// bodies ("0,1200,2400"), or a file with a body number for each polygon. Throws `Error` if bodies share a vertex.
BodySplit split_bodies(const Frame& frame, const std::string& bodies);

}  // namespace graze::app
