// SPDX-License-Identifier: MIT
#pragma once

#include "broad/method.hpp"

namespace graze::broad {

/// Tests every box against every other: the reference for all other methods, and as fast as they are for a few bodies.
class AllPairs : public Method {
 public:
  static constexpr BroadTraits traits{"all_pairs", "every box against every other"};

  explicit AllPairs(const BroadOptions&) {}
  void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) override;
  void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) override;
  void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const override;
  void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const override;
  std::size_t bytes() const override { return ids_.capacity() * sizeof(std::uint32_t); }

 private:
  std::vector<std::uint32_t> ids_;  // of the present bodies, ascending
};

}  // namespace graze::broad
