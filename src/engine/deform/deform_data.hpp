// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/deform.hpp>

#include "engine/deform/filter/node_rules.hpp"
#include "engine/deform/near/near_search.hpp"
#include "engine/deform/patches/cones.hpp"
#include "engine/deform/patches/patches.hpp"
#include "engine/deform/topology/orphans.hpp"
#include "engine/deform/tree/dop_tree.hpp"
#include "engine/deform/walk/start_crossings.hpp"
#include "engine/deform/walk/step_walk.hpp"

namespace graze {

struct Deformable::Data {
  explicit Data(const Mesh& m) : mesh(m), positions(m.positions().begin(), m.positions().end()) {}

  Mesh mesh;
  std::vector<Vec3> positions;
  std::vector<Vec3> arrived;  ///< positions given in another format

  // Depends on the connectivity alone. Built at the first step, because its motion determines the tree.
  std::optional<engine::deform::Topology> topology;
  std::vector<std::uint32_t> pieces;  ///< empty until a question needs them
  std::optional<engine::deform::PatchTree> tree;
  std::optional<engine::deform::Orphans> orphans;

  std::optional<engine::deform::TouchRules> rules;  ///< of the caller's filter
  engine::deform::NodeRules node_rules;             ///< empty: to be made for the present tree, if there are rules

  Counters repaired;     ///< work done since the last step
  int last_threads = 1;  ///< of the last question; used by what is done between questions
  bool intact = true;    ///< false while the structures above are built or repaired; a limit may end that half-way

  // Data of the current step.
  engine::deform::DopTree dops;
  engine::deform::FanBounds fans;
  std::vector<engine::deform::ContinuousCone> cones;
  engine::deform::PatchWalk patch_walk;
  engine::deform::PatchesLeft left;
  engine::deform::StepWalk walk;
  engine::deform::ContactSorter sorter;
  DeformResult earliest;  ///< of `step_size`

  // What the start alone determines, kept while the mesh is there.
  bool start_bounds = false;  ///< `dops` holds the bounds of this start and this tree
  bool start_listed = false;  ///< `start` lists the crossings at this start, of the question `start_self`
  bool start_self = false;
  engine::deform::StartCrossings start;
  engine::deform::NearSearch near;

  void prepare(std::span<const Vec3> next, int threads);
  /// Takes a new mesh and updates what differs.
  void break_into(const Mesh& next);
  void fit_rules(int threads);
  /// Needed without `self` only.
  std::span<const std::uint32_t> pieces_for(bool self);
  void repair_tree(const engine::deform::Touched& touched, const engine::deform::MovingVertices& at, int threads);
  /// Brings structures and bounds up to date.
  void refit(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result);
  /// Finds every contact, or the earliest. After `refit`.
  void find(std::span<const Vec3> next, const DeformOptions& options, bool may_part, DeformResult& result);
  /// Fills in `start`. After `refit`.
  void list_crossings(bool self, int threads, Counters& counters);
  /// The loose edge of a pair in `start`, if it is not two triangles.
  std::optional<EdgeCrossing> loose_edge(const TrianglePair& p) const;
  void answer(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result);
  enum class Then { stay, move };
  /// Answers from the current positions, within the limits.
  void contacts(std::span<const Vec3> next, const DeformOptions& options, Then then, DeformResult& result);
  void step_size(std::span<const Vec3> next, const StepSizeOptions& options, StepSize& result);
  void measure_step(std::span<const Vec3> next, const StepSizeOptions& options, const DeformOptions& asked,
                    StepSize& result);
  void name_crossing(const TrianglePair& p, StepSize& result) const;
  bool touching_part(std::span<const Vec3> next, double until, StepSize& result) const;
  double certified_until(std::span<const Vec3> next, const StepSizeOptions& options) const;
  /// Copies positions in another format.
  std::span<const Vec3> read(const VertexArray& next);
  void arrive(std::span<const Vec3> next);
  void forget_start();
  void forget_structures();
};

}  // namespace graze
