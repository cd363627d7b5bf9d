// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <graze/query/deform.hpp>

#include "query/deform/candidates.hpp"
#include "query/elementary/batch.hpp"

namespace graze::query {

/// What elementary queries of a step are asked with.
struct FeatureQuestion {
  MovingVertices at;
  ElementaryOptions options;
  bool all = true;  ///< every contact, or only the earliest of those found
};

bool by_name(const DeformContact& x, const DeformContact& y);
bool earlier(const DeformContact& x, const DeformContact& y);

/// Asks the elementary queries of candidates and keeps the contacts. One for each thread that asks.
class FeatureTests {
 public:
  void clear();
  void ask(const FeatureQuestion& question, const FeatureCandidates& candidates);

  std::vector<DeformContact> contacts;
  Counters counters;

 private:
  void ask(const FeatureQuestion& question, ElementaryKind kind, std::span<const FourVertices> list);
  void keep(const FeatureQuestion& question, const DeformContact& c);

  std::array<std::array<Vec3, 8>, batch_size> queries_;
  BatchAnswers answers_;
};

/// Sorts contacts by kind and vertices, each once. Keeps its memory.
class ContactSorter {
 public:
  /// `vertices`: how many the mesh has.
  void sort(std::vector<DeformContact>& contacts, std::size_t vertices, int threads);

 private:
  /// The other three vertices of a contact, and where it is.
  using Key = std::array<std::uint32_t, 4>;
  void sort_many(std::vector<DeformContact>& contacts, std::size_t vertices, int threads);

  std::vector<DeformContact> sorted_;
  std::vector<std::uint32_t> first_;
  std::vector<Key> keys_;
};

}  // namespace graze::query
