// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <graze/ask/deform.hpp>

#include "engine/deform/filter/node_rules.hpp"
#include "engine/deform/paths/vertex_paths.hpp"
#include "engine/deform/walk/candidates.hpp"
#include "engine/elementary/batch.hpp"

namespace graze::engine::deform {

/// A part of a step: its paths and times, and what is asked.
struct PathQuestion {
  const VertexPaths& paths;
  double t0, t1;
  double tolerance, min_separation;
  bool both_ends;
  int directions, threads;
  /// Features that are near at the start, but apart, need only keep `kept_share` of their distance: parting.hpp.
  bool may_part = false;
};

/// Finds the features that come together while the vertices move along curved paths: of bodies of different groups or,
/// if all bodies are of one group, of all. Keeps its tree from step to step.
class PathWalk {
 public:
  /// `groups`: the group of each vertex, as in `PathBody`.
  PathWalk(const Mesh& mesh, std::vector<std::uint32_t> groups);

  /// Another mesh, whose triangles are recognised by their numbers: only what changed is made again. `at`: where the
  /// vertices are now.
  void replace(const Mesh& mesh, std::vector<std::uint32_t> groups, std::span<const Vec3> at, int threads);

  /// Who may touch whom; the vertices are those of the mesh.
  void set_filter(DeformFilter filter);

  /// Adds the contacts of one part that `found` does not hold yet; times are those of the whole step. `found` stays
  /// sorted by kind and vertices. The parts of a step must be asked in order.
  void find(const PathQuestion& question, std::vector<DeformContact>& found, AllCounters& counters);

 private:
  /// Some candidates of one body of the paths, of one kind.
  struct Portion {
    std::uint32_t body = 0;
    ElementaryKind kind = ElementaryKind::vertex_face;
    std::vector<FourVertices> candidates;
  };
  /// Features that started near, and by how much they must stay apart.
  struct Kept {
    DeformContact name;  ///< kind and vertices
    double separation;
  };
  struct Answers {
    std::vector<DeformContact> contacts;
    std::vector<Kept> kept;
    AllCounters counters;
  };

  /// Working memory of a thread.
  struct Lane {
    std::array<std::array<Vec3, 8>, elementary::batch_size> queries;
    elementary::BatchAnswers answers, again;
  };

  void find_candidates(const PathQuestion& question, const std::vector<DeformContact>& found, AllCounters& counters);
  void find_near_rounded(const PathQuestion& question, std::uint32_t body);
  void divide(const PathQuestion& question, const std::vector<DeformContact>& found, bool rounded);
  void ask(const PathQuestion& question, const Portion& portion, Lane& lane, Answers& out) const;
  double kept_separation(ElementaryKind kind, const FourVertices& v) const;

  Topology topology_;
  std::vector<std::uint32_t> groups_;
  bool self_;  ///< there is only one group
  std::optional<PatchTree> tree_;
  std::optional<TouchRules> rules_;
  NodeRules node_rules_;    ///< empty: to be made for the present tree, if there are rules
  std::vector<Kept> kept_;  ///< of this step, sorted by name
  DopTree dops_;
  FeatureCandidates candidates_;
  PatchWalk patch_walk_;
  PatchesLeft left_;
  std::vector<PatchPair> pairs_;
  std::vector<Portion> portions_;
  std::vector<Answers> answers_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace graze::engine::deform
