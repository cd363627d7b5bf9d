// SPDX-License-Identifier: MIT
#pragma once

#include "broad/method.hpp"

namespace graze::broad {

/// Sweep and prune (Zachmann 5.7; Baraff 1992): the ends of all boxes, sorted along each axis, kept from frame to frame
/// and sorted again by insertion. Only when two ends are swapped can a pair begin or cease to overlap along an axis;
/// the pairs themselves are kept, too.
class Sweep : public Method {
 public:
  static constexpr BroadTraits traits{"sweep", "ends of boxes kept in order along three axes by insertion"};

  explicit Sweep(const BroadOptions&) {}
  void apply(const Bodies& bodies, std::span<const std::uint32_t> changed) override;
  void pairs(const Bodies& bodies, int threads, std::vector<BoxPair>& out) override;
  void moved_pairs(const Bodies& bodies, std::span<const std::uint32_t> moved, int threads,
                   std::vector<BoxPair>& out) override;
  void overlapping(const Bodies& bodies, const Box3& box, std::vector<std::uint32_t>& out) const override;
  void along_ray(const Bodies& bodies, const Segment& segment, std::vector<std::uint32_t>& out) const override;
  std::size_t bytes() const override;

 private:
  /// The start or end of a box along an axis. At equal values starts come first: boxes that touch overlap.
  struct End {
    double value;
    std::uint32_t body;  // 2 id for the start, 2 id + 1 for the end
    std::uint32_t id() const { return body / 2; }
    bool closes() const { return body % 2 != 0; }
    bool after(const End& other) const {
      return value > other.value || (value == other.value && closes() && !other.closes());
    }
  };

  void take_in(const Bodies& bodies, std::span<const std::uint32_t> changed);
  bool put_in_order(const Bodies& bodies, std::vector<End>& ends);
  void start_anew(const Bodies& bodies);
  void change_pairs();

  std::vector<End> ends_[3];
  std::vector<std::uint8_t> known_;  // by id
  std::vector<BoxPair> pairs_;       // sorted
  std::vector<BoxPair> began_, ended_, merged_;
  Box3 world_;
  double widest_ = 0;  // largest width along the first axis
};

}  // namespace graze::broad
