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

/// Sorts by kind and vertices, each contact once. `vertices`: how many the mesh has. `scratch` keeps its memory.
void sort_contacts(std::vector<DeformContact>& contacts, std::size_t vertices, std::vector<DeformContact>& scratch,
                   std::vector<std::uint32_t>& first);

}  // namespace graze::query
