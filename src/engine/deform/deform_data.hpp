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
  std::vector<Vec3> arrived;  ///< positions of a step given in another format; swapped with `positions` at its end

  // Depends on the connectivity alone. Built at the first step, because its motion determines the tree.
  std::optional<engine::deform::Topology> topology;
  std::vector<std::uint32_t> pieces;
  std::optional<engine::deform::PatchTree> tree;
  std::optional<engine::deform::Orphans> orphans;

  std::optional<engine::deform::TouchRules> rules;  ///< of the caller's filter
  engine::deform::NodeRules node_rules;             ///< empty: to be made for the present tree, if there are rules

  Counters repaired;   ///< work done since the last step
  bool intact = true;  ///< false while the structures above are built or repaired; a limit may end that half-way

  // Data of the current step.
  engine::deform::DopTree dops;
  engine::deform::FanBounds fans;
  std::vector<engine::deform::ContinuousCone> cones;
  engine::deform::PatchWalk patch_walk;
  engine::deform::PatchesLeft left;
  engine::deform::StepWalk walk;
  engine::deform::ContactSorter sorter;
  engine::deform::StartCrossings start;
  engine::deform::NearSearch near;

  void prepare(std::span<const Vec3> next, int threads);
  /// Takes a new mesh and updates what differs.
  void break_into(const Mesh& next);
  void fit_rules(int threads);
  void repair_tree(const std::vector<bool>& touched, const engine::deform::MovingVertices& at, int threads);
  /// Finds every contact, or the earliest.
  void find(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result);
  void find_crossings(const DeformOptions& options, DeformResult& result);
  void answer(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result);
  void forget_structures();
};

}  // namespace graze
