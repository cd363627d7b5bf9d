// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/query/deform.hpp>

#include "query/deform/cones.hpp"
#include "query/deform/dop_tree.hpp"
#include "query/deform/orphans.hpp"
#include "query/deform/patches.hpp"
#include "query/deform/start_crossings.hpp"
#include "query/deform/step_walk.hpp"

namespace graze {

struct Deformable::Data {
  explicit Data(const Mesh& m) : mesh(m), positions(m.positions().begin(), m.positions().end()) {}

  Mesh mesh;
  std::vector<Vec3> positions;
  std::vector<Vec3> arrived;  ///< of a step whose positions came in another form; then it changes places with those

  // Of the connectivity alone; made at the first step, whose motion shapes the tree.
  std::optional<query::Topology> topology;
  std::vector<std::uint32_t> pieces;
  std::optional<query::PatchTree> tree;
  std::optional<query::Orphans> orphans;

  Counters mended;  ///< what was done since the last step

  // Of the step.
  query::DopTree dops;
  std::vector<query::ContinuousCone> cones;
  query::PatchWalk patch_walk;
  query::PatchesLeft left;
  query::StepWalk walk;
  query::ContactSorter sorter;
  query::StartCrossings start;

  void prepare(std::span<const Vec3> next, int threads);
  /// Takes a new mesh and works over what differs.
  void break_into(const Mesh& next);
  void mend_tree(const std::vector<bool>& touched, const query::MovingVertices& at, int threads);
  /// Every contact, or the earliest.
  void find(std::span<const Vec3> next, const DeformOptions& options, DeformResult& result);
  void find_crossings(const DeformOptions& options, DeformResult& result);
};

}  // namespace graze
