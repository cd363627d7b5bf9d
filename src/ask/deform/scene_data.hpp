// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <graze/ask/deform_scene.hpp>

#include "core/counter_sum.hpp"
#include "engine/deform/paths/path_walk.hpp"

namespace graze {

/// One body of a scene.
struct SceneMember {
  bool deforming = true;
  /// Of a rigid body: its mesh, or the point, segment, box or hull that is rounded. None: a half-space.
  std::optional<Mesh> mesh;
  // Deforming.
  std::vector<Vec3> now;
  std::vector<std::vector<Vec3>> control;  ///< of its paths after `now`; empty: it stays
  // Rigid.
  std::optional<Body> body;
  Motion motion;
  double radius = 0;
  engine::deform::PathBody::Core core = engine::deform::PathBody::Core::mesh;
  // Its first vertex and triangle among those of all bodies: deforming ones first, then rigid ones.
  std::uint32_t vertex = 0, triangle = 0;

  bool is_half_space() const { return !mesh; }
  bool is_curved() const { return control.size() > 1; }
  const std::vector<Vec3>& end() const { return control.empty() ? now : control.back(); }
};

struct DeformScene::Data {
  std::vector<SceneMember> members;

  // Built at the first question after bodies were added or replaced.
  std::optional<Deformable> soft;    ///< all deforming bodies as one mesh
  std::vector<std::uint32_t> order;  ///< the members with vertices, in the order of these
  std::size_t soft_count = 0;        ///< how many of them deform
  std::optional<engine::deform::PathWalk> with_rigid;
  std::optional<engine::deform::PathWalk> among_soft;  ///< for curved paths

  // Of the present question.
  std::vector<Vec3> now, next;  ///< all deforming vertices
  std::vector<double> far;      ///< of each of `order`: about its largest coordinate
  std::vector<bool> asleep;     ///< of each of `order`: a rigid body that meets no box of a deforming one
  engine::deform::VertexPaths paths;
  std::vector<DeformContact> found;
  DeformResult of_soft;

  SceneMember& member(SceneBodyId id, bool deforming);
  void check_positions(const SceneMember& m, std::span<const Vec3> positions) const;
  void forget_structures();
  void build();
  void gather();
  bool any_curved() const;
  std::optional<ErrorDetail> problem(const DeformOptions& options) const;
  void ask(const DeformOptions& options, SceneResult& result);

 private:
  std::optional<ErrorDetail> ask_all(const DeformOptions& options, SceneResult& result, AllCounters& counters);
  std::uint64_t parts(bool with_rigid_bodies, double tolerance) const;
  /// Returns the largest extent of the scene at both ends of the step.
  double measure(const DeformOptions& options);
  void find(bool with_rigid_bodies, std::uint64_t parts, const DeformOptions& options, SceneResult& result,
            AllCounters& counters);
  void find_at_planes(const DeformOptions& options, SceneResult& result);
  void find_crossings(const DeformOptions& options, SceneResult& result);
  void add(const DeformContact& contact, SceneResult& result) const;
  const SceneMember& owner(std::uint32_t vertex) const { return members[order[place(vertex)]]; }
  std::size_t place(std::uint32_t vertex) const;
};

}  // namespace graze
