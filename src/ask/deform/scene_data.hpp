// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <graze/ask/deform_scene.hpp>

#include "body/body_data.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_environment.hpp"
#include "engine/deform/paths/path_walk.hpp"
#include "shape/core.hpp"

namespace graze {

/// One body of a scene.
struct SceneMember {
  bool deforming = true;
  /// Of a rigid body: its mesh, or the point, segment, box or hull that is rounded. None: a half-space, or what is in
  /// `convex`.
  std::optional<Mesh> mesh;
  // Deforming.
  std::vector<Vec3> now;
  std::vector<std::vector<Vec3>> control;  ///< of its paths after `now`; empty: it stays
  // Rigid.
  std::optional<Body> body;
  Motion motion;
  double radius = 0;
  engine::deform::PathBody::Core core = engine::deform::PathBody::Core::mesh;
  std::vector<shape::Core> convex;  ///< a shape with a curved core, or the pieces of a compound; then there is no mesh
  // Its first vertex, triangle and loose edge among those of all bodies: deforming ones first, then rigid ones.
  std::uint32_t vertex = 0, triangle = 0, edge = 0;

  bool is_half_space() const { return body && body->data().is_half_space(); }
  bool is_curved() const { return control.size() > 1; }
  const std::vector<Vec3>& end() const { return control.empty() ? now : control.back(); }
};

struct DeformScene::Data {
  std::vector<SceneMember> members;
  SceneFilter filter;
  bool filtered = false;        ///< a filter was ever set
  core::FpEnvironment callers;  ///< when it was

  // Built at the first question after bodies were added or replaced.
  std::optional<Deformable> soft;    ///< all deforming bodies as one mesh
  std::vector<std::uint32_t> order;  ///< the members with vertices, in the order of these
  std::size_t soft_count = 0;        ///< how many of them deform
  std::optional<engine::deform::PathWalk> with_rigid;
  std::optional<engine::deform::PathWalk> among_soft;  ///< for curved paths
  bool built = false;                                  ///< the structures above are those of the members
  int last_threads = 1;                                ///< of the last question

  /// What the present question has certified, while a limit may end it: no contact before these times, of rigid
  /// bodies and curved paths, of straight ones, and of shapes without a mesh.
  struct Certified {
    double paths = 0, straight = 0, shapes = 0;
  };

  // Of the present question.
  Certified certified;
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
  /// Where the vertices of all members are now.
  std::vector<Vec3> places() const;
  void gather();
  bool any_curved() const;
  std::optional<ErrorDetail> problem(const DeformOptions& options) const;
  DeformBody settings(std::uint32_t body) const {
    return body < filter.settings.size() ? filter.settings[body] : DeformBody();
  }
  void pass_filter_on();
  /// `step_size`: null, or the options of a step size, for which `options` asks; only its first contact is found then.
  void ask(const DeformOptions& options, const StepSizeOptions* step_size, SceneResult& result);

 private:
  DeformFilter joint_filter(bool with_rigid_bodies) const;
  /// Of two different bodies, one of which is rigid.
  bool bodies_may(std::uint32_t a, std::uint32_t b) const;
  std::optional<ErrorDetail> ask_all(const DeformOptions& options, const StepSizeOptions* step_size,
                                     SceneResult& result, AllCounters& counters);
  void ask_soft(const DeformOptions& options, SceneResult& result, AllCounters& counters);
  void ask_soft_step_size(const StepSizeOptions& options, SceneResult& result, AllCounters& counters);
  void add_crossing(const TrianglePair& pair, SceneResult& result) const;
  void add_crossing(const EdgeCrossing& crossing, SceneResult& result) const;
  std::uint64_t parts(bool with_rigid_bodies, double tolerance) const;
  /// Returns the largest extent of the scene at both ends of the step.
  double measure(const DeformOptions& options);
  /// `may_part`: what starts near, but apart, need only keep most of its distance.
  /// Fills `found` with the contacts of rigid bodies, or of deforming ones on curves, until a time.
  void search(bool with_rigid_bodies, std::uint64_t parts, double until, const DeformOptions& options, bool may_part,
              double tolerance, AllCounters& counters);
  /// Contacts with half-spaces and with convex shapes that have no mesh. False: rounding errors are too large for the
  /// tolerance.
  bool find_at_shapes(const DeformOptions& options, bool may_part, SceneResult& result);
  bool find_at_plane(std::uint32_t plane, const DeformOptions& options, bool may_part, SceneResult& result);
  bool find_at_convex(std::uint32_t convex, const DeformOptions& options, bool may_part, SceneResult& result);
  void find_crossings(const DeformOptions& options, SceneResult& result);
  void add(const DeformContact& contact, SceneResult& result) const;
  const SceneMember& owner(std::uint32_t vertex) const { return members[order[place(vertex)]]; }
  std::size_t place(std::uint32_t vertex) const;
};

}  // namespace graze
