// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>

#include "engine/deform/topology/topology.hpp"
#include "engine/deform/walk/candidates.hpp"
#include "engine/elementary/advancement.hpp"
#include "engine/elementary/batch.hpp"
#include "math/vectors.hpp"

namespace graze::engine::deform {

/// The method of all elementary queries of a step.
inline constexpr auto advancement = elementary::ElementaryMethod::of<elementary::ElementaryAdvancement>();

/// Input of the elementary queries of a step.
struct FeatureQuestion {
  MovingVertices at;
  ElementaryOptions options;
  bool all = true;  ///< keep every contact, or only the earliest
  /// If set: what is in contact at the start does not count if it parts: parting.hpp.
  const Topology* may_part = nullptr;
};

bool by_name(const DeformContact& x, const DeformContact& y);
bool earlier(const DeformContact& x, const DeformContact& y);

/// Runs the elementary queries of candidates and keeps the contacts. One object per thread.
class FeatureTests {
 public:
  void clear();
  void ask(const FeatureQuestion& question, const FeatureCandidates& candidates);

  std::vector<DeformContact> contacts;
  /// The least t_safe of all contacts seen, kept or not: the earliest contact is that with the least t_touch, and
  /// another one may have an earlier t_safe. Infinity: none.
  double safe = math::infinity;
  bool touched = false;  ///< some features touch at the start, exactly or as far as doubles tell, and part
  AllCounters counters;

 private:
  void ask(const FeatureQuestion& question, ElementaryKind kind, std::span<const FourVertices> list);
  void keep(const FeatureQuestion& question, const DeformContact& c);

  std::array<std::array<Vec3, 8>, elementary::batch_size> queries_;
  elementary::BatchAnswers answers_, parting_;
};

/// Sorts contacts by kind and vertices, without duplicates. Reuses its memory.
class ContactSorter {
 public:
  /// `vertices`: the number of vertices of the mesh.
  void sort(std::vector<DeformContact>& contacts, std::size_t vertices, int threads);

 private:
  /// The other three vertices of a contact, and its index.
  using Key = std::array<std::uint32_t, 4>;
  void sort_many(std::vector<DeformContact>& contacts, std::size_t vertices, int threads);

  std::vector<DeformContact> sorted_;
  std::vector<std::uint32_t> first_;
  std::vector<Key> keys_;
};

}  // namespace graze::engine::deform
