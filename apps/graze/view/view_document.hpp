// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/motion/motion.hpp>

#include "input/body_motion.hpp"
#include "output/json.hpp"

namespace graze::app {

/// A body of a view: a mesh that stands, moves or deforms.
struct ViewBody {
  std::string name;
  std::size_t mesh = 0;       ///< in `ViewDocument::meshes`
  std::string shape;          ///< the body is this shape, and the mesh only its picture
  bool picture_only = false;  ///< the mesh is not the body, and the page cannot make the body: it asks nothing about it
  Pose pose;
  std::optional<BodyMotion> motion;  ///< while time runs from 0 to 1
  MotionKind motion_kind = MotionKind::velocity;
  std::vector<std::optional<Pose>> track;  ///< for each frame; none: not there then. Empty: no track
  std::vector<std::vector<Vec3>> frames;   ///< the vertices of each frame; empty: it does not deform
};

/// A table as comma-separated values.
struct ViewTable {
  std::string name, csv;
};

/// What `graze view` and `graze report` show, and what the page (web/viewer/src/document.ts) reads.
struct ViewDocument {
  std::string title, command;
  std::vector<Mesh> meshes;
  std::vector<ViewBody> bodies;
  std::size_t frames = 0;     ///< 0: time runs from 0 to 1, or nothing moves
  std::vector<double> times;  ///< when each frame is; empty: the slider counts frames
  std::vector<Json> answers;  ///< what commands printed
  std::vector<ViewTable> tables;
};

/// The JSON that the page reads. Coordinates are base64 of their bytes, so that the engine in the page has the very
/// same.
std::string document_text(const ViewDocument& view);

/// Of bytes, with padding.
std::string base64(std::string_view bytes);

/// Rotation by rows and translation of a body at a time of the slider (0 to 1, one of `times`, or a frame); nothing: it
/// is not there.
std::optional<Placement> placement(const ViewDocument& view, const ViewBody& body, double time);
/// Its vertices then, in its own coordinates.
std::vector<Vec3> vertices(const ViewDocument& view, const ViewBody& body, double time);

}  // namespace graze::app
