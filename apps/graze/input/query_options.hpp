// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <CLI/App.hpp>
#include <graze/body/body.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/math/pose.hpp>

#include "input/refuse_file.hpp"

namespace graze::app {

/// How mesh files are read, for all commands that read any.
struct InputOptions {
  MeshFormat format = MeshFormat::automatic;
  bool weld = false;
  int threads = 1;
};

/// The options that `collide` and `distance` share.
struct QueryOptions {
  InputOptions input;
  std::string file_a, file_b;
  std::string pose_a = "0 0 0 1 0 0 0", pose_b = pose_a;  ///< as given
  std::string method;                                     ///< empty: chosen by the library
  std::string batch;
  bool json = false;
  bool exit_code = false;
};

/// The options that cannot be combined with some others.
struct QueryOptionHandles {
  CLI::Option *file_b, *pose_a, *pose_b, *method, *batch;
};

/// An option whose value is a text that must not be empty.
CLI::Option* add_text(CLI::App& command, const std::string& name, std::string& text, const std::string& help,
                      const std::string& type);
CLI::Option* add_format(CLI::App& command, MeshFormat& format, const std::string& help);
void add_input_options(CLI::App& command, InputOptions& input);
QueryOptionHandles add_query_options(CLI::App& command, QueryOptions& options);

/// Reads a mesh with these options. Errors name the file.
Mesh load(const std::string& file, const InputOptions& input);

/// A mesh file, or a shape written as text (`sphere:0.5`, `box:1,2,3+0.1`, `hull:FILE`), a height field
/// (`heights:FILE`, `heights:DX,DY,FILE`) or a compound (`compound:FILE`, pieces.hpp). A file of that name comes first.
Body load_body(const std::string& file_or_shape, const InputOptions& input);

/// A height field from a file, with the spacing before its name if it is not 1: "FILE" or "DX,DY,FILE".
Mesh load_height_mesh(const std::string& text);

/// Two bodies. If both come from the same file, it is read once.
struct BodyPair {
  Body a, b;
};
BodyPair load_bodies(const std::string& file_a, const std::string& file_b, const InputOptions& input);

/// Two bodies with their poses.
struct PlacedPair {
  Body a, b;
  Pose pose_a, pose_b;
};
PlacedPair load_pair(const QueryOptions& options);

}  // namespace graze::app
